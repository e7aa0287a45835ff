//! Tries small changes to a ruleset on its scenarios, and says which of them no scenario noticed.

mod lab;
mod report;
mod strength;
mod trial;

pub use lab::Target;
pub use report::{Report, Shown, report};
pub use strength::{Sleeper, Step, Strength, strength, texts_behind};
pub use trial::{Obstacle, Scenarios, Tried, Verdict, baseline};

use omerta_core::source::{SourceId, Sources};
use omerta_play::{
    chance::Chance,
    mutate::{Change, changes},
};
use omerta_syntax::parse_file;
use omerta_workbench::runner::parallel_map;
use std::ops::RangeInclusive;

/// Which changes are tried.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Only on these lines.
    pub lines: Option<RangeInclusive<usize>>,
    /// Only so many of them, picked at random.
    pub sample: Option<usize>,
    /// What the picks hang on.
    pub seed: u64,
}

/// All changes of a text that are wished for.
pub fn wished(target: &Target, wish: &Wish) -> Vec<Change> {
    let (file, _) = parse_file(SourceId(0), &target.text);
    let mut list = changes(&file, &target.text, target.overlay.as_deref());
    if let Some(lines) = &wish.lines {
        let mut sources = Sources::default();
        let id = sources.add("", target.text.as_str());
        let line = |change: &Change| sources.get(id).place(change.at.0 as usize).line;
        list.retain(|change| lines.contains(&line(change)));
    }
    if let Some(sample) = wish.sample {
        Chance::of_seed(wish.seed).shuffle(&mut list);
        list.truncate(sample);
        list.sort();
    }
    list
}

/// Tries changes, several at a time; `done` is told after each.
pub fn try_all(
    scenarios: &Scenarios,
    target: &Target,
    changes: Vec<Change>,
    threads: usize,
    done: impl Fn() + Sync,
) -> Vec<Tried> {
    let verdicts = parallel_map(changes.len(), threads, |index| {
        let verdict = scenarios.attempt(target, &changes[index]);
        done();
        verdict
    });
    let tried = changes.into_iter().zip(verdicts);
    tried.map(|(change, verdict)| Tried { change, verdict }).collect()
}
