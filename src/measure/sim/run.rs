//! Plays the games of a run, on as many threads as are wanted, batch by batch.
//!
//! Games are handed out in the order of their numbers, and whatever stops a run, its tally is of the
//! first so many: it can be gone on with, and comes to what it would have come to without a stop.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an estimate is no part of a game; what is known is kept every few seconds"
)]

use super::{
    file::Shard,
    share::wilson,
    simulator::Simulator,
    tally::{Shape, Tally},
};
use anyhow::Error;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

/// So many games are handed to a thread at a time.
const HANDFUL: u64 = 250;
/// After so many games it is looked at whether the numbers are sure enough. It is the same for all runs:
/// where a run stops must not hang on the machine.
const BATCH: u64 = 20_000;
/// Before the first of those it is looked after so many as well.
const FIRST: [u64; 4] = [1_000, 2_000, 5_000, 10_000];
/// What is known is kept so often, however many games that were.
const KEPT_EVERY: Duration = Duration::from_secs(3);

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
    /// Once this is set no further game is begun, and none is played to its end.
    pub stop: &'a AtomicBool,
    /// Hears how many games were played, from any thread.
    pub played: &'a (dyn Fn(u64) + Sync),
    /// Is given what is known every few seconds; gives `false` to stop.
    pub batch: &'a mut dyn FnMut(&Tally) -> bool,
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// Its first so many games.
    pub tally: Tally,
    /// Why there are no more of them.
    pub end: End,
}

/// Why a run is over.
#[derive(Debug)]
pub enum End {
    /// It has what it was asked for, or nobody could keep it.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// A program at the table failed in the game that would have been the next.
    Failed(Error),
}

/// As many threads as a run is played on; of what asks for more it gets these.
pub const MOST_THREADS: usize = 256;

/// Plays on from a tally until there is enough.
pub fn run(simulator: &Simulator, mut tally: Tally, orders: Orders<'_>) -> Run {
    let threads = match orders.threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads.min(MOST_THREADS),
    };
    let mine = orders.shard.share_of(orders.goal.games);
    let end = loop {
        if tally.games >= mine || is_look(tally.games) && is_sure(&tally, orders.goal) {
            break End::Done;
        }
        if orders.stop.load(Ordering::Relaxed) {
            break End::Stopped;
        }
        let places = tally.games..mine.min(next_look(tally.games));
        let (more, failed) = batch(simulator, &orders, places, threads);
        tally.merge(&more);
        if let Some(failed) = failed {
            break End::Failed(failed);
        }
        if !(orders.batch)(&tally) {
            break End::Done;
        }
    };
    Run { tally, end }
}

/// After how many games, more than so many, it is looked at how sure the numbers are.
fn next_look(games: u64) -> u64 {
    let early = FIRST.into_iter().find(|early| *early > games);
    early.unwrap_or(games - games % BATCH + BATCH)
}

/// Whether it is looked at after just so many.
fn is_look(games: u64) -> bool {
    games > 0 && next_look(games - 1) == games
}

/// Whether each team's share is known as well as was wished.
pub fn is_sure(tally: &Tally, goal: Goal) -> bool {
    let sure = |within: f64| {
        let known = |team: &super::tally::Record| wilson(team.won, tally.ended()).half_width() <= within;
        tally.teams.iter().all(known)
    };
    tally.games > 0 && goal.within.is_some_and(sure)
}

/// What a thread has played of a batch.
#[derive(Default)]
struct Work {
    /// Stretches of games, from and to, with what they came to.
    played: Vec<(u64, u64, Tally)>,
    failed: Option<(u64, Error)>,
}

/// Games by their places in the shard, shared out by the handful, for a few seconds. Gives the first so
/// many of them, and what the game behind these failed by.
fn batch(
    simulator: &Simulator,
    orders: &Orders<'_>,
    places: std::ops::Range<u64>,
    threads: usize,
) -> (Tally, Option<Error>) {
    let shape = &simulator.shape();
    let next = &AtomicU64::new(places.start);
    let stop = &AtomicBool::new(false);
    let (end, began, shard) = (places.end, Instant::now(), orders.shard);
    let (outer, played) = (orders.stop, orders.played);
    let over = || {
        let enough = began.elapsed() >= KEPT_EVERY || outer.load(Ordering::Relaxed);
        enough || stop.load(Ordering::Relaxed)
    };
    let work = |mut simulator: Simulator| {
        let mut work = Work::default();
        let handful = if simulator.has_guests() { 1 } else { HANDFUL };
        while work.failed.is_none() && !over() {
            let from = next.fetch_add(handful, Ordering::Relaxed);
            if from >= end {
                break;
            }
            let to = end.min(from + handful);
            work.play(&mut simulator, shape, (from..to, shard), outer);
            if work.failed.is_some() {
                stop.store(true, Ordering::Relaxed);
            }
            played(to - from);
        }
        work
    };
    let all = thread::scope(|scope| {
        let worker = |_| {
            let (simulator, work) = (simulator.fork(), &work);
            thread::Builder::new().spawn_scoped(scope, move || work(simulator))
        };
        // Where the machine gives no more of them, those that there are play all.
        let workers: Vec<_> = (1..threads).map_while(|number| worker(number).ok()).collect();
        let mine = work(simulator.fork());
        let join = |worker: thread::ScopedJoinHandle<'_, Work>| {
            worker.join().expect("a thread that plays does not panic")
        };
        [mine]
            .into_iter()
            .chain(workers.into_iter().map(join))
            .collect::<Vec<_>>()
    });
    together(shape, places.start, all)
}

impl Work {
    /// Plays some games, one after the other, up to one that fails or is stopped on its way.
    fn play(
        &mut self,
        simulator: &mut Simulator,
        shape: &Shape,
        (places, shard): (std::ops::Range<u64>, Shard),
        stop: &AtomicBool,
    ) {
        let (from, mut tally) = (places.start, shape.empty());
        let mut played = from;
        for place in places {
            match simulator.play_until(shard.number(place), stop) {
                Ok(Some(seen)) => tally.add(shape, seen),
                Ok(None) => break,
                // Whoever is asked when the run is stopped fails at nothing.
                Err(_) if stop.load(Ordering::Relaxed) => break,
                Err(error) => {
                    self.failed = Some((place, error));
                    break;
                }
            }
            played = place + 1;
        }
        self.played.push((from, played, tally));
    }
}

/// What all threads have played, up to the first game that was not.
fn together(shape: &Shape, from: u64, all: Vec<Work>) -> (Tally, Option<Error>) {
    let (mut played, mut failed) = (Vec::new(), Vec::new());
    for work in all {
        played.extend(work.played);
        failed.extend(work.failed);
    }
    played.sort_unstable_by_key(|(from, ..)| *from);
    let (mut sum, mut end) = (shape.empty(), from);
    for (from, to, tally) in &played {
        if *from == end {
            sum.merge(tally);
            end = *to;
        }
    }
    let failed = failed.into_iter().find(|(place, _)| *place == end);
    (sum, failed.map(|(_, error)| error))
}
