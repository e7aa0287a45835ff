//! Random games with every bundled ruleset: what an answer costs, and how that stands to the same game written by
//! hand, where there is one.
//!
//! `cargo bench --bench rulesets` prints one table. All are measured turn by turn, so that what else the machine does
//! falls on all alike; each number is the median of the turns. What is written by hand is first seen to play the same
//! games: who wins, and after how many answers.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints numbers"
)]

#[path = "by_hand/city.rs"]
mod city;
#[path = "by_hand/seats.rs"]
mod seats;
#[path = "by_hand/vendetta.rs"]
mod vendetta;

use std::{hint::black_box, time::Instant};

use omerta_core::{rules::PlannedCast, source::Span};
use omerta_engine::{Game, Pending, Silence};
use omerta_play::{chance::Chance, deal, policy::Policy, scenario::RulesWithScripts};
use omerta_workbench::{
    RulesetRequest, Workbench,
    bundle::Shelf,
    catalogue::{Sort, bundled},
};

const SEED: u64 = 1;
/// After so many answers a game is given up.
const LIMIT: u64 = 20_000;
/// So many times each is measured.
const TURNS: usize = 31;
/// How long a turn of one takes about, in nanoseconds.
const TURN: f64 = 4e6;
/// So many games are seen to be the same.
const COMPARED: u64 = 20_000;

/// A game written by hand: who has won, and after how many answers.
type ByHand = fn(&mut Chance) -> (seats::Seats, u64);

/// A game at its first pause, and one to play on.
struct Table {
    name: String,
    fresh: Game,
    game: Game,
    by_hand: Option<ByHand>,
}

impl Table {
    fn new(name: String, rules: RulesWithScripts, seats: u8, cast: &PlannedCast) -> Option<Table> {
        let fresh = Game::start(rules.rules, rules.hooks, seats, cast, &mut Silence).ok()?;
        Some(Table {
            name,
            game: fresh.clone(),
            fresh,
            by_hand: None,
        })
    }

    /// A ruleset at the number of players between its bounds; nothing for what is no whole game.
    fn of(name: &str) -> Option<Table> {
        let rules = ready(name)?;
        let (from, to) = rules.rules.seats;
        let middle = (from + to) / 2;
        let (cast, seats) = (middle..=to).chain(from..middle).find_map(|seats| {
            let cast = deal::from_table(&rules.rules, None, usize::from(seats), Span::default());
            Some((cast.ok()?, seats))
        })?;
        Table::new(format!("{name}, {seats} players"), rules, seats, &cast)
    }

    /// A game that is written by hand, too: first it is seen that both play the same games.
    fn by_hand((name, more): (&str, &str), cast: &[(&str, usize)], play: ByHand) -> Table {
        let rules = ready(name).expect("the game is bundled");
        let role = |name: &str| rules.rules.role_named(name).expect("a role of the game");
        let cards = cast
            .iter()
            .flat_map(|(name, count)| std::iter::repeat_n(role(name), *count));
        let cast = PlannedCast {
            cards: cards.collect(),
        };
        let players = cast.cards.len();
        let name = format!("{name}, {players} players{more}");
        let mut table = Table::new(name, rules, players as u8, &cast).expect("so many can play");
        for number in 0..COMPARED {
            let answers = table.play(number);
            let Pending::Over(outcome) = table.game.pending() else {
                panic!("game {number} does not end");
            };
            let (winners, by_hand) = play(&mut Chance::of_game(SEED, number));
            assert_eq!(
                (outcome.winners, answers),
                (u64::from(winners), by_hand),
                "game {number} of {}",
                table.name
            );
        }
        table.by_hand = Some(play);
        table
    }

    /// Plays game `number` and says how many answers it took.
    fn play(&mut self, number: u64) -> u64 {
        self.game.clone_from(&self.fresh);
        let mut chance = Chance::of_game(SEED, number);
        let policy = Policy {
            offers_per_thousand: 500,
            ..Policy::default()
        };
        policy.play(&mut self.game, &mut chance, &mut Silence, LIMIT)
    }
}

fn ready(name: &str) -> Option<RulesWithScripts> {
    let wanted = RulesetRequest {
        base: name.to_owned(),
        ..RulesetRequest::default()
    };
    Some(Workbench::new(Shelf::default()).lay(&wanted).ok()?.bench)
}

/// Nanoseconds an answer of some games in a row; no two turns play the same games.
fn measure(first: u64, games: u64, mut play: impl FnMut(u64) -> u64) -> f64 {
    let begun = Instant::now();
    let answers: u64 = (first..first + games).map(|number| black_box(play(number))).sum();
    begun.elapsed().as_nanos() as f64 / answers.max(1) as f64
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

fn main() {
    let games = bundled()
        .into_iter()
        .filter(|entry| matches!(entry.sort, Sort::Ruleset { .. }));
    let mut tables: Vec<Table> = games.filter_map(|entry| Table::of(&entry.name)).collect();
    assert!(
        tables.len() > 5,
        "most bundled games can be played by their tables"
    );
    tables.push(Table::by_hand(
        ("city", ", three roles more"),
        &city::CAST,
        city::play,
    ));
    tables.push(Table::by_hand(("vendetta", ""), &vendetta::CAST, vendetta::play));
    let sizes: Vec<u64> = tables
        .iter_mut()
        .map(|table| {
            let begun = Instant::now();
            (0..20).for_each(|number| {
                black_box(table.play(number));
            });
            (TURN * 20.0 / begun.elapsed().as_nanos() as f64).max(1.0) as u64
        })
        .collect();
    let mut times = vec![(Vec::new(), Vec::new()); tables.len()];
    for turn in 0..TURNS as u64 {
        for ((table, &games), (here, by_hand)) in tables.iter_mut().zip(&sizes).zip(&mut times) {
            here.push(measure(turn * games, games, |number| table.play(number)));
            if let Some(play) = table.by_hand {
                by_hand.push(measure(turn * games, games, |number| {
                    play(&mut Chance::of_game(SEED, number)).1
                }));
            }
        }
    }
    println!(
        "{:<36} {:>8} {:>10} {:>10} {:>6}",
        "", "answers", "an answer", "by hand", "ratio"
    );
    for (table, (here, by_hand)) in tables.iter_mut().zip(times) {
        let answers = (0..200).map(|number| table.play(number)).sum::<u64>() as f64 / 200.0;
        let (here, by_hand) = (median(here), median(by_hand));
        let beside = match by_hand {
            0.0 => String::new(),
            by_hand => format!("{by_hand:>7.1} ns   1/{:.1}", here / by_hand),
        };
        println!("{:<36} {answers:>8.1} {here:>7.1} ns {beside}", table.name);
    }
}
