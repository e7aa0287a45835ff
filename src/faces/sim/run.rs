//! Plays the games of a run, on as many threads as are wanted, batch by batch.
#![expect(clippy::disallowed_types, reason = "an estimate is no part of a game")]

use super::{field::Field, file::Shard, share::wilson, tally::Tally};
use anyhow::Result;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// So many games are handed to a thread at a time.
const HANDFUL: u64 = 250;
/// After so many games it is looked at whether the numbers are sure enough, and what is known is kept.
/// It is the same for all runs: where a run stops must not hang on the machine.
const BATCH: u64 = 20_000;
/// Before the first of those it is looked after so many as well.
const FIRST: [u64; 4] = [1_000, 2_000, 5_000, 10_000];

/// With programs at the table, which take their time, after so many.
const SLOW_BATCH: u64 = 500;

/// When a run has enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// After so many games, counted over all shards.
    pub games: u64,
    /// Or as soon as each team's share of wins is known so well, plus or minus.
    pub within: Option<f64>,
}

/// What a run shall play, and who hears how far it is.
pub struct Orders<'a> {
    /// When it has enough.
    pub goal: Goal,
    /// Which part of the games is played here.
    pub shard: Shard,
    /// How many threads; 0 is one for each core.
    pub threads: usize,
    /// Hears how many games were played, from any thread.
    pub played: &'a (dyn Fn(u64) + Sync),
    /// Is given what is known after each batch; gives `false` to stop.
    pub batch: &'a mut dyn FnMut(&Tally) -> bool,
}

/// Plays on from a tally until there is enough.
pub fn run(field: &Field, mut tally: Tally, orders: Orders<'_>) -> Result<Tally> {
    let threads = match orders.threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    };
    let mine = orders.shard.share_of(orders.goal.games);
    while tally.games < mine && !is_sure(&tally, orders.goal) {
        let from = tally.games;
        let early = FIRST.into_iter().find(|early| *early > from);
        let to = mine.min(match field.has_programs() {
            true => from - from % SLOW_BATCH + SLOW_BATCH,
            false => early.unwrap_or(from - from % BATCH + BATCH),
        });
        tally.merge(&batch(field, orders.shard, from..to, threads, orders.played)?);
        if !(orders.batch)(&tally) {
            break;
        }
    }
    Ok(tally)
}

/// Whether each team's share is known as well as was wished.
pub fn is_sure(tally: &Tally, goal: Goal) -> bool {
    let sure = |within: f64| {
        let known = |team: &super::tally::Record| wilson(team.won, tally.ended()).half_width() <= within;
        tally.teams.iter().all(known)
    };
    tally.games > 0 && goal.within.is_some_and(sure)
}

/// Games by their places in the shard, shared out by the handful.
fn batch(
    field: &Field,
    shard: Shard,
    places: std::ops::Range<u64>,
    threads: usize,
    played: &(dyn Fn(u64) + Sync),
) -> Result<Tally> {
    let shape = field.shape();
    let next = AtomicU64::new(places.start);
    let work = |mut field: Field| -> Result<Tally> {
        let mut tally = shape.empty();
        loop {
            let from = next.fetch_add(HANDFUL, Ordering::Relaxed);
            if from >= places.end {
                return Ok(tally);
            }
            let to = places.end.min(from + HANDFUL);
            for place in from..to {
                tally.add(&shape, field.play(shard.number(place))?);
            }
            played(to - from);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (1..threads)
            .map(|_| {
                let field = field.beside();
                let work = &work;
                scope.spawn(move || work(field))
            })
            .collect();
        let mut sum = work(field.beside())?;
        for worker in workers {
            sum.merge(&worker.join().expect("a thread that plays does not panic")?);
        }
        Ok(sum)
    })
}
