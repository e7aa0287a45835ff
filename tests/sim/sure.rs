//! How sure a run says it is, and how sure it may be: runs of which the truth is known, many of them,
//! and how often their intervals hold it.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "a share is compared with an exact one"
)]

use super::{laid, plain, play, simulator, team};
use omerta_measure::sim::{
    Interval, Kind, Labels, Record, RunFile, Shard, Tally, Together, by_chance, counted, difference, groups,
    mean, of_seats, seats_by_chance, wilson,
};
use omerta_play::chance::Chance;

const RUNS: u64 = 400;

/// Many small runs of the plain game.
fn runs(players: u8, games: u64) -> Vec<Tally> {
    let simulator = simulator(&plain(), players, 1000);
    let run = |index| play(&simulator, games * RUNS, Shard { index, of: RUNS }, 1);
    (0..RUNS).map(run).collect()
}

/// How often an interval holds the truth.
fn held(runs: &[Tally], truth: f64, interval: impl Fn(&Tally) -> Interval) -> f64 {
    let held = runs.iter().filter(|run| interval(run).holds(truth)).count();
    held as f64 / runs.len() as f64
}

fn role(name: &str) -> usize {
    let labels = Labels::of(&plain().bench.rules);
    labels.roles.iter().position(|role| role == name).unwrap()
}

/// Of 7 players, 2 of them mafiosi, the town wins 8 games of 35.
#[test]
fn intervals_of_roles_hold_the_truth_in_95_of_100_runs() {
    const TOWN: f64 = 8.0 / 35.0;
    let runs = runs(7, 40);
    for (name, truth) in [("Townsman", TOWN), ("Mafioso", 1.0 - TOWN)] {
        let role = role(name);
        let found = held(&runs, truth, |run| of_seats(run.roles[role], run.together[role]));
        assert!((0.92..0.99).contains(&found), "{name}: {found}");
        // The seats taken for themselves, as if each had a game of its own, hold it far too seldom.
        let naive = held(&runs, truth, |run| {
            wilson(run.roles[role].won, run.roles[role].held)
        });
        assert!(naive < 0.9, "{name}: {naive}");
    }
    let town = team(&plain(), "Town");
    let found = held(&runs, TOWN, |run| wilson(run.teams[town].won, run.ended()));
    assert!((0.92..0.99).contains(&found), "the team: {found}");
}

/// A role that is the whole team is as sure as the team, and a role with one card as sure as Wilson says.
#[test]
fn a_role_is_no_surer_than_its_team() {
    let laid = plain();
    let tally = play(&simulator(&laid, 7, 1000), 4_000, Shard::WHOLE, 2);
    let (town, mafia) = (team(&laid, "Town"), role("Mafioso"));
    let team = wilson(tally.teams[town].won, tally.ended());
    let role = of_seats(tally.roles[role("Townsman")], tally.together[role("Townsman")]);
    assert!(
        (team.half_width() / role.half_width() - 1.0).abs() < 0.01,
        "{team:?} {role:?}"
    );
    assert!((team.share - role.share).abs() < 1e-12);
    assert!(tally.together[mafia].held_squared == 4 * tally.together[mafia].games);
    let one = play(&simulator(&laid, 5, 1000), 500, Shard::WHOLE, 1);
    let record = one.roles[mafia];
    assert_eq!(
        of_seats(record, one.together[mafia]),
        wilson(record.won, record.held)
    );
}

/// A game of which only what one role does is known: how many hold it, and how many of these win.
type Play = fn(&mut Chance) -> (u64, u64);

fn below(chance: &mut Chance, bound: u64) -> u64 {
    chance.below(bound)
}

fn all_or_none(chance: &mut Chance, held: u64, per_thousand: u64) -> (u64, u64) {
    let won = below(chance, 1000) < per_thousand;
    (held, held * u64::from(won))
}

fn each_alone(chance: &mut Chance, held: u64, per_thousand: u64) -> (u64, u64) {
    let won = (0..held).filter(|_| below(chance, 1000) < per_thousand).count();
    (held, won as u64)
}

/// Seats that win together, each for itself, one for the other, now this way and now that; many
/// holders and few; shares of a half and of nearly nothing; and a handful of games.
#[test]
fn intervals_hold_the_truth_however_seats_hang_together() {
    let games: [(&str, Play, f64); 9] = [
        ("all or none, a half", |c| all_or_none(c, 5, 500), 0.5),
        ("all or none, a tenth", |c| all_or_none(c, 5, 100), 0.1),
        ("all or none, a fiftieth", |c| all_or_none(c, 5, 20), 0.02),
        ("each alone, a half", |c| each_alone(c, 5, 500), 0.5),
        ("each alone, a twentieth", |c| each_alone(c, 5, 50), 0.05),
        ("one for the other", |c| (2, u64::from(below(c, 10) < 9)), 0.45),
        (
            "now together, now alone",
            |c| match below(c, 2) {
                0 => all_or_none(c, 4, 300),
                _ => each_alone(c, 4, 300),
            },
            0.3,
        ),
        (
            "many holders or few",
            |c| {
                let held = [1, 1, 5][below(c, 3) as usize];
                all_or_none(c, held, 200)
            },
            0.2,
        ),
        // Who wins has turned the others: six hold the role in 3 games of 10, else one who loses.
        (
            "those who won are many",
            |c| match below(c, 10) {
                0..3 => (6, 6),
                _ => (1, 0),
            },
            1.8 / 2.5,
        ),
    ];
    for (what, game, truth) in games {
        for number in [20, 60, 200] {
            let mut chance = Chance::of_seed(number);
            let mut run = || {
                let (mut record, mut together) = (Record::default(), Together::default());
                for _ in 0..number {
                    let (held, won) = game(&mut chance);
                    record.held += held;
                    record.won += won;
                    together.games += 1;
                    together.held_squared += held * held;
                    together.won_times_held += won * held;
                    together.won_squared += won * won;
                }
                of_seats(record, together).holds(truth)
            };
            let held = (0..1000).filter(|_| run()).count();
            // Of a thousand, 950 with a spread of 7; small numbers come in steps, hence some room.
            assert!(held >= 925, "{what}, {number} games: {held} of 1000");
        }
    }
}

/// Worked by hand: two seats each in five games, of which 2, 0, 2, 1 and 0 win. The games lie as far from
/// their share as 4.5 seats that hang on nothing, and Student's bound for five games is 2.776; the normal one
/// would give 0.161 to 0.839.
#[test]
fn the_interval_of_a_handful_of_games_is_students() {
    let record = Record {
        held: 10,
        won: 5,
        lost: 5,
    };
    let together = Together {
        games: 5,
        held_squared: 20,
        won_times_held: 10,
        won_squared: 9,
    };
    let found = of_seats(record, together);
    assert!((found.share - 0.5).abs() < 1e-12);
    assert!(
        (found.low - 0.1027).abs() < 2e-3 && (found.high - 0.8973).abs() < 2e-3,
        "{found:?}"
    );
}

/// Nobody and everybody have bounds as well, and those of five seats in one game are those of a game.
#[test]
fn shares_at_the_ends_are_no_surer_than_their_games() {
    for games in [10_u64, 100] {
        let record = |won| Record {
            held: games * 5,
            won,
            lost: 0,
        };
        let together = |won_each: u64| Together {
            games,
            held_squared: games * 25,
            won_times_held: games * 5 * won_each,
            won_squared: games * won_each * won_each,
        };
        let (none, all) = (
            of_seats(record(0), together(0)),
            of_seats(record(games * 5), together(5)),
        );
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert!(
            none.high >= wilson(0, games).high && none.high < 2.0 * wilson(0, games).high,
            "{none:?}"
        );
        assert!(all.low <= wilson(games, games).low && all.low > 0.3, "{all:?}");
    }
}

// ---- Seats

fn alike(players: u8, games: u64) -> Vec<f64> {
    let labels = Labels::of(&plain().bench.rules);
    let run = |tally| RunFile::new(super::head(players), labels.clone(), Shard::WHOLE, tally);
    let runs = runs(players, games);
    runs.into_iter()
        .map(|tally| seats_by_chance(&run(tally)))
        .collect()
}

/// Everybody has every card as often as anybody: whoever finds the seats unlike is wrong.
#[test]
fn alike_seats_are_called_unlike_in_5_of_100_runs() {
    for players in [3, 12] {
        let chances = alike(players, 40);
        let below = |bound: f64| chances.iter().filter(|chance| **chance < bound).count();
        // 20 of 400, with a spread of 4.4; and a half of the runs above a half.
        assert!((6..=33).contains(&below(0.05)), "{players}: {}", below(0.05));
        assert!((160..=240).contains(&below(0.5)), "{players}: {}", below(0.5));
    }
}

/// Wins of `seats` in so many games, each drawn by a rule, as a tally keeps them.
fn drawn(seats: usize, games: u64, chance: &mut Chance, game: impl Fn(&mut Chance) -> u64) -> f64 {
    let all: Vec<u64> = (0..games).map(|_| game(chance)).collect();
    let both = |seat: usize, other: usize| {
        let both = all
            .iter()
            .filter(|set| **set >> seat & 1 == 1 && **set >> other & 1 == 1);
        both.count() as u64
    };
    let won: Vec<u64> = (0..seats).map(|seat| both(seat, seat)).collect();
    let pairs: Vec<u64> = (0..seats)
        .flat_map(|seat| (seat + 1..seats).map(move |other| (seat, other)))
        .map(|(seat, other)| both(seat, other))
        .collect();
    by_chance(&won, &pairs, games)
}

/// Neighbours who win together vary more than as many who win by themselves; that is no difference of seats.
#[test]
fn neighbours_who_win_together_are_still_alike() {
    let mut chance = Chance::of_seed(9);
    let neighbours = |chance: &mut Chance| {
        let first = below(chance, 10);
        (0..4).fold(0, |set, place| set | 1 << ((first + place) % 10))
    };
    let runs = (0..RUNS).filter(|_| drawn(10, 200, &mut chance, neighbours) < 0.05);
    let unlike = runs.count();
    assert!((6..=36).contains(&unlike), "{unlike} of {RUNS}");
}

#[test]
fn a_seat_that_wins_more_is_found() {
    let mut chance = Chance::of_seed(5);
    let favoured = |chance: &mut Chance| match below(chance, 10) {
        0..2 => 1,
        _ => 1 << below(chance, 8),
    };
    let found = (0..100).filter(|_| drawn(8, 400, &mut chance, favoured) < 0.001);
    assert!(found.count() > 95);
    assert!(drawn(8, 400, &mut chance, |_| 1) < 1e-6, "one seat wins always");
    assert!(
        (drawn(8, 400, &mut chance, |_| 255) - 1.0).abs() < 1e-12,
        "all win always"
    );
}

// ---- Lengths and comparisons

/// Worked by hand: 2, 4, 4, 4, 5, 5, 7, 9 have the mean 5 and the spread 2.138; Student's bound is 2.365.
#[test]
fn mean_of_known_numbers() {
    let found = mean(40, 232, 8);
    assert!((found.share - 5.0).abs() < 1e-12);
    assert!((found.half_width() - 1.7875).abs() < 2e-3, "{found:?}");
}

/// What one game took tells nothing of the mean, and no mean of answers is below nought.
#[test]
fn a_single_game_has_no_bounds() {
    let one = mean(3, 9, 1);
    assert_eq!((one.share, one.low, one.high), (3.0, 0.0, f64::INFINITY));
    let change = difference(one, mean(40, 232, 8));
    assert!(change.holds(0.0) && change.holds(-1e9), "{change:?}");
    let two = mean(8, 34, 2);
    assert!(two.low == 0.0 && two.high > 5.0, "{two:?}");
}

/// Every team of any run is compared, and nobody; what a run does not have is said.
#[test]
fn a_comparison_leaves_out_nobody_and_no_team() {
    let of = |base: &str, players| {
        let laid = laid(base);
        let labels = Labels::of(&laid.bench.rules);
        let tally = play(&simulator(&laid, players, 10_000), 60, Shard::WHOLE, 2);
        let name = vec![("run".to_owned(), base.to_owned())];
        (
            name,
            RunFile::new(super::head(players), labels, Shard::WHOLE, tally),
        )
    };
    let plain = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/plain.mafia");
    let study = [of(plain, 5), of("city", 8)];
    let groups = groups(&study);
    let group = |kind, name: &str| {
        let wanted = |group: &&omerta_measure::sim::Group| group.kind == kind && group.name == name;
        groups
            .iter()
            .find(wanted)
            .unwrap_or_else(|| panic!("{name} is not compared"))
    };
    let team = Some(Kind::Team);
    assert!(group(team, "Town").places[0].is.is_some() && group(team, "Town").places[1].is.is_none());
    assert!(
        group(team, "Civilians").places[0].is.is_none() && group(team, "Civilians").places[1].is.is_some()
    );
    let mafia = group(team, "Mafia").places[1];
    let share = |run: usize| {
        let found = counted(&study[run].1);
        let mafia = found
            .iter()
            .find(|one| one.kind == Kind::Team && one.name == "Mafia");
        mafia.unwrap().share
    };
    assert_eq!(mafia.change, Some(difference(share(0), share(1))));
    assert!(
        group(None, "answers")
            .places
            .iter()
            .all(|place| place.is.is_some())
    );
    // Where there are no teams, roles are compared.
    let blitz = [of("blitz", 6), of("blitz", 7)];
    assert!(
        omerta_measure::sim::groups(&blitz)
            .iter()
            .any(|group| group.kind == Some(Kind::Role))
    );
}
