//! Plays games by chance beside everything else, for a first impression of who wins: one ruleset at a time, and no
//! longer than its text stays what it is.

use crate::events::{Event, Rated, STACK};
use omerta_measure::sim::{Quick, quick};
use omerta_workbench::{RulesetRequest, Workbench};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
};

/// How many games are played.
const GAMES: u64 = 1_000;

/// And how many first.
const FEW: u64 = 10;

/// Where games are asked for.
pub struct Rater {
    tell: Sender<Event>,
    stop: Arc<AtomicBool>,
    number: u64,
}

impl Rater {
    /// Tells there what came of games.
    pub fn new(tell: Sender<Event>) -> Rater {
        Rater {
            tell,
            stop: Arc::default(),
            number: 0,
        }
    }

    /// Has games played by some rules; gives the number of the asking.
    pub fn ask(&mut self, path: PathBuf, bench: Arc<Workbench>, wanted: RulesetRequest) -> u64 {
        self.stop();
        self.stop = Arc::default();
        let (tell, stop, number) = (self.tell.clone(), self.stop.clone(), self.number);
        let work = move || {
            let played = catch_unwind(AssertUnwindSafe(|| played(&bench, &wanted, &stop)));
            if let Some(words) = played.unwrap_or_else(|_| Some("a mistake in omerta".to_owned())) {
                drop(tell.send(Event::Rated(Rated { path, number, words })));
            }
        };
        // Without such a thread nothing is told, and all the rest goes on.
        drop(thread::Builder::new().stack_size(STACK).spawn(work));
        self.number
    }

    /// Stops what is being played.
    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.number += 1;
    }

    /// Whether an answer is to what was asked last.
    pub fn is_latest(&self, number: u64) -> bool {
        self.number == number
    }
}

/// Who won how often, in words, or why nobody played; nothing where it was stopped.
fn played(bench: &Workbench, wanted: &RulesetRequest, stop: &AtomicBool) -> Option<String> {
    let laid = bench.lay(wanted).ok()?;
    let play = |games| quick((bench, &laid), wanted, games, stop);
    // Where none of a few comes to an end, nobody waits for all the others.
    let played = match play(FEW) {
        Ok(Some(few)) if few.unended == FEW => Ok(Some(few)),
        Ok(Some(_)) => play(GAMES),
        other => other,
    };
    match played {
        Ok(won) => Some(words(&won?)),
        Err(why) => Some(why),
    }
}

fn words(Quick { won, unended }: &Quick) -> String {
    let within = won.iter().map(|won| won.within).max().unwrap_or(0);
    let shares: Vec<String> = { won.iter() }
        .map(|won| format!("{} {} %", won.who, won.of_hundred))
        .collect();
    let shares = (!shares.is_empty()).then(|| format!("{} (±{within})", shares.join(", ")));
    let unended = match unended {
        0 => None,
        1 => Some("1 game did not end".to_owned()),
        many => Some(format!("{many} games did not end")),
    };
    let parts: Vec<String> = shares.into_iter().chain(unended).collect();
    format!("by chance: {}", parts.join("; "))
}
