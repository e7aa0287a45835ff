//! What games came to, as sums: adding games in any order and any split gives the same tally.

use omerta_core::rules::{EndingId, GroupId, Ruleset};
use omerta_engine::{how_many_in, seats_in};
use serde::{Deserialize, Serialize};

/// Of the games that went wrong, so many are named: those with the lowest numbers.
const NAMED: usize = 10;
/// Beginnings of a scene beyond this one are not told apart.
pub const MOST_MOMENTS: usize = 60;

/// What one game came to.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its number.
    pub number: u64,
    /// How it went wrong, if it did.
    pub wrong: Option<Wrong>,
    /// The ending that came true.
    pub ending: Option<EndingId>,
    /// Who won.
    pub winners: u64,
    /// Who lost by a word of the rules.
    pub losers: u64,
    /// The roles that seats had at the end, each once, and which seats.
    pub roles: Vec<Held>,
    /// How many answers it took, chance not counted.
    pub answers: u64,
    /// How often each scene had begun by the end.
    pub times: Vec<usize>,
    /// Each beginning of an outermost scene: the scene, for which time, and who was in the game then.
    pub moments: Vec<(usize, usize, u64)>,
}

/// A role that somebody had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The role.
    pub role: GroupId,
    /// Which seats had it.
    pub seats: u64,
    /// How many.
    pub count: u64,
}

impl Seen {
    /// A seat had a role at the end.
    pub(super) fn hold(&mut self, role: GroupId, seat: u8) {
        let (seats, count) = (1 << seat, 1);
        match self.roles.iter_mut().find(|held| held.role == role) {
            Some(held) => (held.seats, held.count) = (held.seats | seats, held.count + count),
            None => self.roles.push(Held { role, seats, count }),
        }
    }
}

/// How a game goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// The rules broke.
    Broken,
    /// It did not end within so many answers as it may take.
    Endless,
}

/// How often something was there and how often it won and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// How often it was there.
    pub held: u64,
    /// How often it was among the winners.
    pub won: u64,
    /// How often it was among those whom a rule makes lose.
    pub lost: u64,
}

/// Sums over games of what the seats of one role did in them. They win and lose together, so that how
/// sure the role's share is hangs on the games and not on the seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// In how many games somebody held the role.
    pub games: u64,
    /// The squares of how many held it.
    pub held_squared: u64,
    /// How many held it, times how many of them won.
    pub won_times_held: u64,
    /// The squares of how many of them won.
    pub won_squared: u64,
}

/// A beginning of a scene: how many games came so far, and how many holders of each role were still
/// in the game then.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    /// How many games came so far.
    pub games: u64,
    /// How many seats were still in the game, over all those games.
    pub present: u64,
    /// How many seats held each role in those games.
    pub held: Vec<u64>,
    /// How many of those were still in the game.
    pub by_role: Vec<u64>,
}

/// Sums over games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// How many games were played, those that went wrong included.
    pub games: u64,
    /// How many broke the rules' own bounds.
    pub broken: u64,
    /// How many did not end.
    pub endless: u64,
    /// The lowest numbers of games that broke or did not end.
    pub wrong: Vec<u64>,
    /// How often each ending came true; the last place is for games that ended without one.
    pub endings: Vec<u64>,
    /// How many games ended without a winner.
    pub without_winner: u64,
    /// Teams: games in which somebody held a role of it, and in which somebody of it won or lost.
    pub teams: Vec<Record>,
    /// Roles: seats that held it at the end.
    pub roles: Vec<Record>,
    /// Roles: how the seats that held one won together.
    pub together: Vec<Together>,
    /// Seats.
    pub seats: Vec<Record>,
    /// In how many games two seats both won: the first with each behind it, then the second.
    pub pairs: Vec<u64>,
    /// The sum of the answers.
    pub answers: u64,
    /// The sum of their squares.
    pub answers_squared: u64,
    /// The fewest answers of a game.
    pub fewest: u64,
    /// The most.
    pub most: u64,
    /// How often each scene had begun by the end: by scene, then by that number.
    pub lengths: Vec<Vec<u64>>,
    /// Each beginning of an outermost scene: by scene, then by the number of its beginning.
    pub moments: Vec<Vec<Moment>>,
}

/// What a tally needs to know of the rules.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The teams, in the order of their records.
    pub teams: Vec<GroupId>,
    /// The team of each role, as a place among the teams.
    pub team_of: Vec<Option<usize>>,
    endings: usize,
    scenes: usize,
    seats: usize,
}

impl Shape {
    /// The shape of the tallies of some rules.
    pub fn of(rules: &Ruleset, seats: usize) -> Shape {
        let team_of_role = |role: &omerta_core::rules::Role| role.team;
        let mut teams: Vec<GroupId> = rules.roles.iter().filter_map(team_of_role).collect();
        teams.sort_by_key(|team| team.index());
        teams.dedup();
        let place = |team: GroupId| teams.iter().position(|other| *other == team);
        Shape {
            team_of: rules.roles.iter().map(|role| role.team.and_then(place)).collect(),
            teams,
            endings: rules.endings.len(),
            scenes: rules.scenes.len(),
            seats,
        }
    }

    /// A tally of no game.
    pub fn empty(&self) -> Tally {
        Tally {
            endings: vec![0; self.endings + 1],
            teams: vec![Record::default(); self.teams.len()],
            roles: vec![Record::default(); self.team_of.len()],
            together: vec![Together::default(); self.team_of.len()],
            seats: vec![Record::default(); self.seats],
            pairs: vec![0; pairs_of(self.seats)],
            fewest: u64::MAX,
            lengths: vec![Vec::new(); self.scenes],
            moments: vec![Vec::new(); self.scenes],
            ..Tally::default()
        }
    }
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, shape: &Shape, seen: &Seen) {
        self.games += 1;
        if let Some(wrong) = seen.wrong {
            match wrong {
                Wrong::Broken => self.broken += 1,
                Wrong::Endless => self.endless += 1,
            }
            self.name_wrong(&[seen.number]);
            return;
        }
        let ending = seen
            .ending
            .map_or(self.endings.len() - 1, |ending| ending.index());
        self.endings[ending] += 1;
        self.without_winner += u64::from(seen.winners == 0);
        self.answers += seen.answers;
        self.answers_squared = self.answers_squared.saturating_add(squared(seen.answers));
        self.fewest = self.fewest.min(seen.answers);
        self.most = self.most.max(seen.answers);
        self.add_people(shape, seen);
        self.add_pairs(seen.winners);
        self.add_moments(seen);
    }

    fn add_people(&mut self, shape: &Shape, seen: &Seen) {
        let (mut there, mut won, mut lost) = (0_u64, 0_u64, 0_u64);
        for &Held { role, seats, count } in &seen.roles {
            let (winners, losers) = (
                how_many_in(seats & seen.winners),
                how_many_in(seats & seen.losers),
            );
            self.roles[role.index()].count(count, winners, losers);
            self.together[role.index()].count(Together {
                games: 1,
                held_squared: count * count,
                won_times_held: winners * count,
                won_squared: winners * winners,
            });
            if let Some(team) = shape.team_of[role.index()] {
                there |= 1 << team;
                won |= u64::from(winners > 0) << team;
                lost |= u64::from(losers > 0) << team;
            }
        }
        for (seat, record) in self.seats.iter_mut().enumerate() {
            record.count(1, seen.winners >> seat & 1, seen.losers >> seat & 1);
        }
        for (team, record) in self.teams.iter_mut().enumerate() {
            record.count(there >> team & 1, won >> team & 1, lost >> team & 1);
        }
    }

    fn add_pairs(&mut self, winners: u64) {
        let seats = self.seats.len();
        for seat in seats_in(winners) {
            let behind = pairs_of(seats) - pairs_of(seats - seat);
            for other in seats_in(winners & !1 << seat) {
                self.pairs[behind + other - seat - 1] += 1;
            }
        }
    }

    fn add_moments(&mut self, seen: &Seen) {
        let roles = self.roles.len();
        for &(scene, nth, present) in &seen.moments {
            let place = nth.saturating_sub(1);
            if place >= MOST_MOMENTS {
                continue;
            }
            let moments = &mut self.moments[scene];
            if moments.len() <= place {
                let none = Moment {
                    held: vec![0; roles],
                    by_role: vec![0; roles],
                    ..Moment::default()
                };
                moments.resize(place + 1, none);
            }
            let moment = &mut moments[place];
            moment.games += 1;
            moment.present += how_many_in(present);
            let (held, by_role) = (moment.held.as_mut_slice(), moment.by_role.as_mut_slice());
            for &Held { role, seats, count } in &seen.roles {
                let still = seats & present;
                held[role.index()] += count;
                by_role[role.index()] += if still == seats { count } else { how_many_in(still) };
            }
        }
        for (lengths, times) in self.lengths.iter_mut().zip(&seen.times) {
            let times = (*times).min(MOST_MOMENTS);
            if lengths.len() <= times {
                lengths.resize(times + 1, 0);
            }
            lengths[times] += 1;
        }
    }

    fn name_wrong(&mut self, numbers: &[u64]) {
        self.wrong.extend(numbers);
        self.wrong.sort_unstable();
        self.wrong.truncate(NAMED);
    }

    /// Adds the games of another tally of the same shape.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.broken += other.broken;
        self.endless += other.endless;
        self.name_wrong(&other.wrong);
        add_all(&mut self.endings, &other.endings);
        self.without_winner += other.without_winner;
        for (mine, theirs) in [
            (&mut self.teams, &other.teams),
            (&mut self.roles, &other.roles),
            (&mut self.seats, &other.seats),
        ] {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.count(theirs.held, theirs.won, theirs.lost);
            }
        }
        for (mine, theirs) in self.together.iter_mut().zip(&other.together) {
            mine.count(*theirs);
        }
        add_all(&mut self.pairs, &other.pairs);
        self.answers += other.answers;
        self.answers_squared = self.answers_squared.saturating_add(other.answers_squared);
        self.fewest = self.fewest.min(other.fewest);
        self.most = self.most.max(other.most);
        for (mine, theirs) in self.lengths.iter_mut().zip(&other.lengths) {
            add_all(mine, theirs);
        }
        for (mine, theirs) in self.moments.iter_mut().zip(&other.moments) {
            mine.resize_with(mine.len().max(theirs.len()), Moment::default);
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.games += theirs.games;
                mine.present += theirs.present;
                add_all(&mut mine.held, &theirs.held);
                add_all(&mut mine.by_role, &theirs.by_role);
            }
        }
    }

    /// How many games broke or never ended.
    pub fn lost(&self) -> u64 {
        self.broken + self.endless
    }

    /// How many games came to an end.
    pub fn ended(&self) -> u64 {
        self.games - self.lost()
    }

    /// The scene whose beginnings tell best how long a game was: the one that began most often.
    pub fn longest_scene(&self) -> Option<usize> {
        let begun = |scene: &usize| -> u64 {
            let times = self.lengths[*scene].iter().zip(0_u64..);
            times.map(|(games, times)| games * times).sum()
        };
        let outermost = |scene: &usize| !self.moments[*scene].is_empty();
        (0..self.lengths.len())
            .filter(outermost)
            .max_by_key(|scene| (begun(scene), usize::MAX - scene))
    }
}

impl Record {
    fn count(&mut self, held: u64, won: u64, lost: u64) {
        self.held = self.held.saturating_add(held);
        self.won = self.won.saturating_add(won);
        self.lost = self.lost.saturating_add(lost);
    }
}

impl Together {
    fn count(&mut self, other: Together) {
        self.games += other.games;
        self.held_squared += other.held_squared;
        self.won_times_held += other.won_times_held;
        self.won_squared += other.won_squared;
    }
}

/// How many pairs so many seats make.
pub(super) fn pairs_of(seats: usize) -> usize {
    seats * seats.saturating_sub(1) / 2
}

fn squared(number: u64) -> u64 {
    number.saturating_mul(number)
}

fn add_all(mine: &mut Vec<u64>, theirs: &[u64]) {
    mine.resize(mine.len().max(theirs.len()), 0);
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = mine.saturating_add(*theirs);
    }
}
