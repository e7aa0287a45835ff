//! The ten-seat game, games per second: by hand and by the interpreter, in one run.
//!
//! `cargo bench` measures each in turn; the throughput's elements are games. Before that it prints how
//! often the mafia win in 200 000 games of each: shares further apart than chance explains mean that
//! the programs do not play the same game, and then the times compare nothing.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "a measurement prints shares"
)]

mod by_hand;
mod interpreter;

use std::{
    cell::{Cell, RefCell},
    hint::black_box,
    time::Duration,
};

use by_hand::{Winner, careful, mafia_wins, plain, tuned};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use omerta_play::chance::Chance;

/// One measured iteration plays this many games of a run.
const BATCH: u64 = 1000;
const SEED: u64 = 1;

type Play = fn(&mut Chance) -> Winner;

/// Everything that plays the game, by name. The interpreter's run of the same rules is a row of this
/// table: a function that plays one game with the given stream of chance and says who won.
const PLAYERS: &[(&str, Play)] = &[
    ("by hand, tuned", tuned::play),
    ("by hand, with care", careful::play),
    ("by hand, as first written", plain::play),
    ("the interpreter", interpreter::play),
    ("by hand, tuned, with a trace", traced),
    ("the interpreter, with its log", interpreter::play_with_log),
];

/// The trace is a list of notes that is kept from game to game, as the interpreter's log is.
fn traced(chance: &mut Chance) -> Winner {
    thread_local!(static TRACE: RefCell<Vec<tuned::Note>> = const { RefCell::new(Vec::new()) });
    TRACE.with_borrow_mut(|trace| {
        trace.clear();
        let winner = tuned::play_on(chance, trace);
        black_box(trace);
        winner
    })
}

fn print_shares(_: &mut Criterion) {
    const GAMES: u64 = 200_000;
    for (name, play) in PLAYERS {
        let share = mafia_wins(GAMES, SEED, play) as f64 / GAMES as f64;
        let error = 1.96 * (share * (1.0 - share) / GAMES as f64).sqrt();
        println!(
            "{name}: the mafia win {:.2} % (± {:.2}) of {GAMES} games",
            share * 100.0,
            error * 100.0
        );
    }
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ten seats");
    group.throughput(Throughput::Elements(BATCH));
    for (name, play) in PLAYERS {
        // Each iteration plays games nobody played before, so that no branch is learnt by heart.
        let next = Cell::new(0);
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                let first = next.replace(next.get() + BATCH);
                for number in first..first + BATCH {
                    black_box(play(&mut Chance::of_game(SEED, number)));
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4));
    targets = print_shares, measure
}
criterion_main!(benches);
