//! Everything that is counted of a run, each with its share and how sure it is; and of several runs
//! side by side, how far each is from the first. Text, page and data all show these numbers.
#![expect(clippy::disallowed_types, reason = "an estimate is no part of a game")]

use super::{
    file::{Cell, RunFile},
    share::{self, Interval, difference, of_seats, wilson},
    tally::Record,
};

/// What sort of thing is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Games in which somebody of a team won.
    Team,
    /// Games that nobody won.
    Nobody,
    /// Seats that hold a role at the end.
    Role,
    /// A seat.
    Seat,
    /// Games with this ending.
    Ending,
}

impl Kind {
    /// Its word in JSON and CSV.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Team => "team",
            Kind::Nobody => "nobody",
            Kind::Role => "role",
            Kind::Seat => "seat",
            Kind::Ending => "ending",
        }
    }
}

/// Something that was counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Counted {
    /// Of what sort it is.
    pub kind: Kind,
    /// Its name among those of its sort.
    pub name: String,
    /// The counts.
    pub record: Record,
    /// The share of wins; of an ending how often it came true.
    pub share: Interval,
}

/// Everything that is counted of a run.
pub fn counted(run: &RunFile) -> Vec<Counted> {
    let (tally, labels) = (&run.tally, &run.labels);
    let ended = tally.ended();
    let mut all = Vec::new();
    let mut add = |kind, name: &str, record: Record, share| {
        let name = name.to_owned();
        all.push(Counted {
            kind,
            name,
            record,
            share,
        });
    };
    for (name, record) in labels.teams.iter().zip(&tally.teams) {
        add(Kind::Team, name, *record, wilson(record.won, ended));
    }
    let games = |count| Record {
        held: ended,
        won: count,
        lost: 0,
    };
    if run.is_none() {
        return all;
    }
    let nobody = tally.without_winner;
    add(Kind::Nobody, "nobody", games(nobody), wilson(nobody, ended));
    for (role, name) in labels.roles.iter().enumerate() {
        let record = tally.roles[role];
        if record.held > 0 {
            add(Kind::Role, name, record, of_seats(record, tally.together[role]));
        }
    }
    for (seat, record) in tally.seats.iter().enumerate() {
        let share = wilson(record.won, record.held);
        add(Kind::Seat, &(seat + 1).to_string(), *record, share);
    }
    let endings = labels.endings.iter().map(String::as_str).chain(["no ending"]);
    for (name, &count) in endings.zip(&tally.endings) {
        add(Kind::Ending, name, games(count), wilson(count, ended));
    }
    all
}

/// In what share of runs chance alone would make the seats win as unlike as they did.
pub fn seats_by_chance(run: &RunFile) -> f64 {
    let won: Vec<u64> = run.tally.seats.iter().map(|seat| seat.won).collect();
    share::by_chance(&won, &run.tally.pairs, run.tally.ended())
}

/// How many answers a game takes on average.
pub fn answers(run: &RunFile) -> Interval {
    share::mean(run.tally.answers, run.tally.answers_squared, run.tally.ended())
}

/// Something of which several runs are compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Of what sort it is; `None` for the answers of a game.
    pub kind: Option<Kind>,
    /// Its name.
    pub name: String,
    /// What each run has of it.
    pub places: Vec<Place>,
}

/// What a run has of something, and how far that is from what the first one has.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Place {
    /// `None` when its rules or its cards have no such thing.
    pub is: Option<Interval>,
    /// `None` in the first run that has it.
    pub change: Option<Interval>,
    /// Whether there is a run at all.
    pub played: bool,
}

impl Place {
    /// Why there is no number.
    pub fn why_not(self) -> &'static str {
        match self.played {
            true => "not in this game",
            false => "no cast",
        }
    }
}

/// All that runs are compared in: teams and nobody, or roles where no run has a team; endings; and
/// how many answers a game takes.
pub fn groups(study: &[(Cell, RunFile)]) -> Vec<Group> {
    let runs: Vec<Vec<Counted>> = study.iter().map(|(_, run)| counted(run)).collect();
    let is_there = |one: &Counted| match one.kind {
        Kind::Team => one.record.held > 0,
        Kind::Nobody | Kind::Ending => one.record.won > 0,
        Kind::Role | Kind::Seat => true,
    };
    let has_teams = runs.iter().flatten().any(|one| one.kind == Kind::Team);
    let kinds: &[Kind] = match has_teams {
        true => &[Kind::Team, Kind::Nobody, Kind::Ending],
        false => &[Kind::Role, Kind::Nobody, Kind::Ending],
    };
    let mut groups: Vec<Group> = Vec::new();
    for kind in kinds {
        let of_kind = |one: &&Counted| one.kind == *kind && is_there(one);
        for one in runs.iter().flatten().filter(of_kind) {
            let known = |group: &Group| group.kind == Some(*kind) && group.name == one.name;
            if !groups.iter().any(known) {
                groups.push(group(one, &runs));
            }
        }
    }
    let lengths = study
        .iter()
        .map(|(_, run)| (run.tally.ended() > 0).then(|| answers(run)));
    groups.push(Group {
        kind: None,
        name: "answers".to_owned(),
        places: against_the_first(lengths),
    });
    for group in &mut groups {
        for (place, (_, run)) in group.places.iter_mut().zip(study) {
            place.played = !run.is_none();
        }
    }
    groups
}

fn group(wanted: &Counted, runs: &[Vec<Counted>]) -> Group {
    let of_run = |run: &Vec<Counted>| {
        let found = run
            .iter()
            .find(|one| one.kind == wanted.kind && one.name == wanted.name);
        let there = |one: &&Counted| wanted.kind != Kind::Team || one.record.held > 0;
        found.filter(there).map(|one| one.share)
    };
    Group {
        kind: Some(wanted.kind),
        name: wanted.name.clone(),
        places: against_the_first(runs.iter().map(of_run)),
    }
}

fn against_the_first(shares: impl Iterator<Item = Option<Interval>>) -> Vec<Place> {
    let mut base = None;
    let mut place = |is: Option<Interval>| {
        let change = base.zip(is).map(|(base, is)| difference(base, is));
        base = base.or(is);
        Place {
            is,
            change,
            played: true,
        }
    };
    shares.map(&mut place).collect()
}
