//! Which rules of a ledger scenarios say they cover, and whether those hold.

use crate::{
    faces::{console::paint, render::Style},
    play::scenario::Report,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// A rule that scenarios name.
#[derive(Serialize)]
struct Rule<'a> {
    rule: &'a str,
    scenarios: Vec<&'a str>,
    failed: Vec<&'a str>,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    rules: Vec<Rule<'a>>,
    unnamed: usize,
}

/// Scenarios, each with whether it holds.
type Shown<'a> = [(&'a Report, bool)];

/// The rules that are named, in their order, and how many scenarios name none.
fn rules<'a>(shown: &Shown<'a>) -> (Vec<Rule<'a>>, usize) {
    let mut rules: BTreeMap<(&str, u64, &str), Rule<'a>> = BTreeMap::new();
    let mut unnamed = 0;
    for (report, holds) in shown {
        unnamed += usize::from(report.covers.is_empty());
        for rule in &report.covers {
            let known = rules.entry(in_order(rule)).or_insert_with(|| Rule {
                rule,
                scenarios: Vec::new(),
                failed: Vec::new(),
            });
            known.scenarios.push(&report.name);
            if !holds {
                known.failed.push(&report.name);
            }
        }
    }
    (rules.into_values().collect(), unnamed)
}

/// A line for each rule, with how many scenarios name it and which of them do not hold.
pub fn ledger(shown: &Shown<'_>, style: Style) -> String {
    let (rules, unnamed) = rules(shown);
    let mut out = String::new();
    for rule in &rules {
        let word = match rule.failed.is_empty() {
            true => paint(style.colour, "32", "shown"),
            false => paint(style.colour, "1;31", "FAILED"),
        };
        let by = counted(rule.scenarios.len(), "scenario");
        // Writing into a text cannot fail.
        let _ = writeln!(out, "{} ... {word} by {by}", rule.rule);
        for name in &rule.failed {
            let _ = writeln!(out, "  {name}");
        }
    }
    let (rules, scenarios) = (counted(rules.len(), "rule"), counted(unnamed, "scenario"));
    let _ = writeln!(out, "{rules} named; {scenarios} without any");
    out
}

/// The same as one JSON document.
pub fn ledger_json(shown: &Shown<'_>) -> String {
    let (rules, unnamed) = rules(shown);
    let document = Document {
        version: VERSION,
        rules,
        unnamed,
    };
    let text = serde_json::to_string(&document).expect("plain data is always JSON");
    format!("{text}\n")
}

/// `1 rule`, `2 rules`
fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// So that `B-9` comes before `B-10`: by the letters before the last number, then by that.
fn in_order(rule: &str) -> (&str, u64, &str) {
    let head = rule.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = rule[head.len()..].parse().unwrap_or(0);
    (head, number, rule)
}
