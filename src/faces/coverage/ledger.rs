//! Which rules of a ledger scenarios say they cover, and whether those hold.

use crate::{
    faces::{console::paint, render::Style},
    play::scenario::Report,
};
use std::{collections::BTreeMap, fmt::Write};

/// Of scenarios, each with whether it holds: a line for each rule, with how many scenarios name it and which of them do not hold.
pub fn ledger(reports: &[(&Report, bool)], style: Style) -> String {
    let mut rules: BTreeMap<(String, u64, String), Vec<(&str, bool)>> = BTreeMap::new();
    let mut silent = 0;
    for (report, holds) in reports {
        silent += usize::from(report.covers.is_empty());
        for rule in &report.covers {
            rules
                .entry(in_order(rule))
                .or_default()
                .push((report.name.as_str(), *holds));
        }
    }
    let mut out = String::new();
    for ((_, _, rule), scenarios) in &rules {
        let failed: Vec<&str> = scenarios
            .iter()
            .filter(|(_, passed)| !passed)
            .map(|(name, _)| *name)
            .collect();
        let word = match failed.is_empty() {
            true => paint(style.colour, "32", "shown"),
            false => paint(style.colour, "1;31", "FAILED"),
        };
        let count = match scenarios.len() {
            1 => "1 scenario".to_owned(),
            count => format!("{count} scenarios"),
        };
        // Writing into a text cannot fail.
        let _ = writeln!(out, "{rule} ... {word} by {count}");
        for name in failed {
            let _ = writeln!(out, "  {name}");
        }
    }
    let _ = writeln!(
        out,
        "{} rules are named; {silent} scenarios name none",
        rules.len()
    );
    out
}

/// So that `B-9` comes before `B-10`: by the letters before the last number, then by that.
fn in_order(rule: &str) -> (String, u64, String) {
    let head = rule.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = rule[head.len()..].parse().unwrap_or(0);
    (head.to_owned(), number, rule.to_owned())
}
