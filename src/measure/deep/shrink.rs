//! Makes a game that shows something smaller: fewer players, fewer answers, answers that do less.
//! Greedy and bounded: the game is smaller than it was, and not always as small as it could be.

use super::{
    game::{End, Run, Seated, by_people, replay},
    people::Aim,
    plan::{Plan, Way},
    sight::Example,
};
use omerta_engine::Silence;
use omerta_play::session::Table;
use std::ops::Range;

/// So many games are played to find one by fewer players.
const SMALLER: u64 = 24;
/// So many times answers are left out; fewer where each try takes as long as a game may.
const TRIES: usize = 300;
const SLOW_TRIES: usize = 12;
/// A replayed game goes on for so many answers where the list is at its end.
const MORE: usize = 200;

/// What a smaller game must show as well.
pub type Shows<'a> = dyn Fn(&Table, &Run) -> bool + 'a;

/// How far a smaller game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// To its end, with as little as possible where its answers are used up.
    TheEnd,
    /// To its last answer.
    LastAnswer,
}

/// The same in smaller.
pub fn shrink(plan: &Plan, way: &Way, example: &Example, end: To, shows: &Shows<'_>) -> Example {
    let mut best = by_fewer(plan, way, example, shows).unwrap_or_else(|| example.clone());
    let most = match best.run.end() {
        End::Broken(_) => SLOW_TRIES,
        End::Over(_) | End::GoesOn => TRIES,
    };
    let mut tries = 0;
    let better = |best: &mut Example, out| better(best, out, end, shows);
    for part in [0, 1, 2, 3] {
        let kept = best.run.given.len() * part / 4;
        if plan.is_late() || better(&mut best, kept..usize::MAX) {
            break;
        }
    }
    // Long stretches first: what is left out together seldom has to be looked at one by one.
    let mut stretch = best.run.given.len() / 2;
    while stretch > 0 && tries < most && !plan.is_late() {
        let mut at = 0;
        while at < best.run.given.len() && tries < most && !plan.is_late() {
            tries += 1;
            if !better(&mut best, at..at + stretch) {
                at += stretch;
            }
        }
        stretch /= 2;
    }
    best
}

/// A game by fewer players that shows it.
fn by_fewer(plan: &Plan, way: &Way, example: &Example, shows: &Shows<'_>) -> Option<Example> {
    let fewer = way
        .players
        .iter()
        .filter(|players| usize::from(**players) < example.size.0);
    let tries = fewer.flat_map(|players| (0..SMALLER).map(move |number| (*players, number)));
    let mut tries = tries.into_iter().take_while(|_| !plan.is_late());
    tries.find_map(|(players, number)| {
        let seated = plan.seat(way, players, None, number)?;
        let run = by_people(&seated.table, &mut Silence, (plan.seed(), number), Aim::Anything)?;
        shows(&seated.table, &run).then(|| example_of(seated, run))
    })
}

/// Leaves answers out; keeps that when the game still shows what it should and is shorter.
fn better(best: &mut Example, out: Range<usize>, to: To, shows: &Shows<'_>) -> bool {
    let mut given = best.run.given.clone();
    let end = out.end.min(given.len());
    if out.start >= end {
        return false;
    }
    given.drain(out.start..end);
    let table = &best.seated.table;
    let more = match to {
        To::TheEnd => MORE,
        To::LastAnswer => 0,
    };
    let Some(run) = replay(table, &given, more) else {
        return false;
    };
    let is_better = run.given.len() < best.run.given.len() && shows(table, &run);
    if is_better {
        *best = example_of(best.seated.clone(), run);
    }
    is_better
}

/// A game as an example.
pub fn example_of(seated: Seated, run: Run) -> Example {
    Example {
        size: (seated.table.names.len(), run.given.len(), 0),
        seated,
        run,
    }
}
