//! What came of the changes, as data.

use super::{
    lab::Target,
    trial::{Tried, Verdict},
};
use omerta_core::source::Sources;
use serde::Serialize;

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// A change, as it is shown.
#[derive(Serialize)]
pub struct Shown {
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// What was done.
    pub what: String,
    /// The line as it was.
    pub before: String,
    /// The line as it was changed.
    pub after: String,
}

/// What came of all changes of a text.
#[derive(Serialize)]
pub struct Report<'a> {
    version: u32,
    /// The text.
    pub ruleset: &'a str,
    /// How many scenarios use it.
    pub scenarios: usize,
    /// How many changes some scenario noticed.
    pub noticed: usize,
    /// The changes that none noticed.
    pub unnoticed: Vec<Shown>,
    /// Those over which the program itself stumbled.
    pub stumbled: Vec<Shown>,
    /// How many do not compile.
    pub uncompilable: usize,
    /// How many come to the same rules.
    pub same: usize,
}

fn shown(target: &Target, tried: &[Tried], verdict: Verdict) -> Vec<Shown> {
    let mut sources = Sources::default();
    let id = sources.add("", target.text.as_str());
    let such = tried.iter().filter(|tried| tried.verdict == verdict);
    such.map(|tried| {
        let place = sources.get(id).place(tried.change.at.0 as usize);
        let (before, after) = tried.change.lines(&target.text);
        Shown {
            line: place.line,
            column: place.column,
            what: tried.change.what.clone(),
            before,
            after,
        }
    })
    .collect()
}

/// What came of the changes that were tried.
pub fn report<'a>(target: &'a Target, scenarios: usize, tried: &[Tried]) -> Report<'a> {
    let count = |verdict| tried.iter().filter(|tried| tried.verdict == verdict).count();
    Report {
        version: VERSION,
        ruleset: &target.name,
        scenarios,
        noticed: count(Verdict::Noticed),
        unnoticed: shown(target, tried, Verdict::Unnoticed),
        stumbled: shown(target, tried, Verdict::Stumbled),
        uncompilable: count(Verdict::Uncompilable),
        same: count(Verdict::Same),
    }
}

impl Report<'_> {
    /// The share noticed in tenths of a percent.
    pub fn share(&self) -> usize {
        match self.noticed + self.unnoticed.len() {
            0 => 1000,
            all => self.noticed * 1000 / all,
        }
    }

    /// Whether every change was noticed and none made the program stumble.
    pub fn all_noticed(&self) -> bool {
        self.unnoticed.is_empty() && self.stumbled.is_empty()
    }
}
