//! What came of the changes, for people and for programs.

use super::{Target, Tried, Verdict};
use crate::{
    faces::{
        console::paint,
        render::{Colour, Style},
    },
    source::Sources,
};
use serde::Serialize;

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// How many changes met which end.
struct Tally {
    noticed: usize,
    unnoticed: usize,
    uncompilable: usize,
    same: usize,
    stumbled: usize,
}

impl Tally {
    fn of(tried: &[Tried]) -> Self {
        let count = |verdict| tried.iter().filter(|tried| tried.verdict == verdict).count();
        Tally {
            noticed: count(Verdict::Noticed),
            unnoticed: count(Verdict::Unnoticed),
            uncompilable: count(Verdict::Uncompilable),
            same: count(Verdict::Same),
            stumbled: count(Verdict::Stumbled),
        }
    }

    /// The share noticed in tenths of a percent.
    fn share(&self) -> usize {
        match self.noticed + self.unnoticed {
            0 => 1000,
            all => self.noticed * 1000 / all,
        }
    }
}

/// A change that no scenario noticed, as it is shown.
#[derive(Serialize)]
struct Shown {
    line: usize,
    column: usize,
    what: String,
    before: String,
    after: String,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    ruleset: &'a str,
    scenarios: usize,
    noticed: usize,
    unnoticed: Vec<Shown>,
    stumbled: Vec<Shown>,
    uncompilable: usize,
    same: usize,
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

/// The list of what nobody noticed, and the share of what somebody did.
pub fn text(target: &Target, scenarios: usize, tried: &[Tried], style: Style) -> String {
    let mut out = list(target, &shown(target, tried, Verdict::Unnoticed), style.colour);
    let stumbled = shown(target, tried, Verdict::Stumbled);
    if !stumbled.is_empty() {
        out.push_str("omerta itself stumbled over these; please report them:\n");
        out.push_str(&list(target, &stumbled, style.colour));
    }
    let tally = Tally::of(tried);
    let share = tally.share();
    let (colour, rest) = match tally.unnoticed {
        0 => ("32", String::new()),
        left => ("33", format!(", {left} not")),
    };
    let counted = tally.noticed + tally.unnoticed;
    let words = format!(
        "{}: {counted} changes, {} noticed by {scenarios} scenarios ({}.{} %){rest}",
        target.name,
        tally.noticed,
        share / 10,
        share % 10
    );
    out.push_str(&paint(style.colour, colour, &words));
    out.push_str(&format!(
        "\nnot counted: {} do not compile, {} come to the same\n",
        tally.uncompilable, tally.same
    ));
    out
}

fn list(target: &Target, changes: &[Shown], colour: Colour) -> String {
    let one = |change: &Shown| {
        let head = format!(
            "{}:{}:{}: {}",
            target.name, change.line, change.column, change.what
        );
        format!(
            "{}\n    {}\n    {}\n",
            paint(colour, "1", &head),
            paint(colour, "31", &format!("- {}", change.before)),
            paint(colour, "32", &format!("+ {}", change.after)),
        )
    };
    changes.iter().map(one).collect()
}

/// The same as one JSON document.
pub fn json(target: &Target, scenarios: usize, tried: &[Tried]) -> String {
    let tally = Tally::of(tried);
    let document = Document {
        version: VERSION,
        ruleset: &target.name,
        scenarios,
        noticed: tally.noticed,
        unnoticed: shown(target, tried, Verdict::Unnoticed),
        stumbled: shown(target, tried, Verdict::Stumbled),
        uncompilable: tally.uncompilable,
        same: tally.same,
    };
    let text = serde_json::to_string(&document).expect("plain data is always JSON");
    format!("{text}\n")
}

/// Whether every change was noticed and none made the program stumble.
pub fn all_noticed(tried: &[Tried]) -> bool {
    let tally = Tally::of(tried);
    tally.unnoticed == 0 && tally.stumbled == 0
}
