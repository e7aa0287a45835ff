//! Random games with every bundled ruleset, in one run: what an answer costs, beside the classic game's.
//!
//! `cargo bench --bench rulesets` measures games; it prints first how many answers a game of each takes,
//! what chance gives not counted, so that times a game can be read as times an answer.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "a measurement prints numbers"
)]

use std::{cell::Cell, hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use omerta_core::source::Span;
use omerta_engine::{Game, Silence};
use omerta_play::{chance::Chance, deal, policy::Policy};
use omerta_workbench::{
    RulesetRequest, Workbench,
    bundle::Shelf,
    catalogue::{Sort, bundled},
};

const SEED: u64 = 1;
/// After so many answers a game is given up.
const LIMIT: u64 = 20_000;

/// A game at its first pause, and one to play on.
struct Table {
    name: String,
    fresh: Game,
    game: Game,
}

impl Table {
    /// A ruleset at the number of players between its bounds; nothing for what is no whole game.
    fn of(name: &str) -> Option<Table> {
        let wanted = RulesetRequest {
            base: name.to_owned(),
            ..RulesetRequest::default()
        };
        let bench = Workbench::new(Shelf::default()).lay(&wanted).ok()?.bench;
        let (from, to) = bench.rules.seats;
        let middle = (from + to) / 2;
        let (cast, seats) = (middle..=to).chain(from..middle).find_map(|seats| {
            let cast = deal::from_table(&bench.rules, None, usize::from(seats), Span::default());
            Some((cast.ok()?, seats))
        })?;
        let fresh = Game::start(bench.rules, bench.hooks, seats, &cast, &mut Silence).ok()?;
        Some(Table {
            name: format!("{name}, {seats} players"),
            game: fresh.clone(),
            fresh,
        })
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

fn measure(criterion: &mut Criterion) {
    let games = bundled()
        .into_iter()
        .filter(|entry| matches!(entry.sort, Sort::Ruleset { .. }));
    let tables: Vec<Table> = games.filter_map(|entry| Table::of(&entry.name)).collect();
    assert!(
        tables.len() > 5,
        "most bundled games can be played by their tables"
    );
    let mut group = criterion.benchmark_group("bundled");
    for mut table in tables {
        const SAMPLE: u64 = 200;
        let answers: u64 = (0..SAMPLE).map(|number| table.play(number)).sum();
        let answers = answers as f64 / SAMPLE as f64;
        println!("{}: {answers:.1} answers a game", table.name);
        group.throughput(Throughput::Elements(answers.round().max(1.0) as u64));
        let next = Cell::new(0);
        let name = table.name.clone();
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(table.play(next.replace(next.get() + 1))));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = measure
}
criterion_main!(benches);
