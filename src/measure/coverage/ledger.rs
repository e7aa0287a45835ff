//! Which rules of a ledger scenarios say they cover, and whether those hold.

use omerta_play::scenario::Report;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// A rule that scenarios name.
#[derive(Serialize)]
pub struct Rule<'a> {
    /// Its name.
    pub rule: &'a str,
    /// The scenarios that say they cover it.
    pub scenarios: Vec<&'a str>,
    /// Those of them that do not hold.
    pub failed: Vec<&'a str>,
}

/// All rules that scenarios name.
#[derive(Serialize)]
pub struct Ledger<'a> {
    version: u32,
    /// The rules, in the order of their names.
    pub rules: Vec<Rule<'a>>,
    /// How many scenarios name none.
    pub unnamed: usize,
}

/// The rules that scenarios name.
pub fn ledger<'a>(shown: &[(&'a Report, bool)]) -> Ledger<'a> {
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
    Ledger {
        version: VERSION,
        rules: rules.into_values().collect(),
        unnamed,
    }
}

/// So that `B-9` comes before `B-10`: by the letters before the last number, then by that.
fn in_order(rule: &str) -> (&str, u64, &str) {
    let head = rule.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = rule[head.len()..].parse().unwrap_or(0);
    (head, number, rule)
}
