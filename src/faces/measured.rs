//! What was measured of scenarios, in words for people: coverage, ledgers, changes that nobody noticed.

use crate::faces::{
    console::paint,
    render::{Colour, Style},
};
use omerta_core::plural::so_many;
use omerta_measure::{
    coverage::{self, Ledger},
    mutation::{self, Shown},
};

/// A line for each text, and below it what was not touched.
pub fn coverage(report: &coverage::Report<'_>, style: Style) -> String {
    let mut out = String::new();
    for file in &report.files {
        let (name, touched, all) = (file.file, file.touched, file.places);
        let colour = if touched == all { "32" } else { "33" };
        out += &paint(
            style.colour,
            colour,
            &format!("{name}: {touched} of {all} touched"),
        );
        out.push('\n');
        for place in &file.untouched {
            out += &format!("  {name}:{}:{}: {}\n", place.line, place.column, place.what);
        }
    }
    let counts = report.files.iter().map(|file| (file.touched, file.places));
    let (touched, all) = counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    let share = (touched * 1000).checked_div(all).unwrap_or(1000);
    out += &format!("in all {touched} of {all} touched ({})\n", percent(share));
    out
}

/// A line for each rule, with how many scenarios name it and which of them do not hold.
pub fn ledger(ledger: &Ledger<'_>, style: Style) -> String {
    let mut out = String::new();
    for rule in &ledger.rules {
        let word = match rule.failed.is_empty() {
            true => paint(style.colour, "32", "shown"),
            false => paint(style.colour, "1;31", "FAILED"),
        };
        let all = so_many(rule.scenarios.len(), "scenario");
        let by = match (rule.failed.len(), rule.scenarios.len()) {
            (failed, named) if 0 < failed && failed < named => format!("{failed} of {all}"),
            _ => all,
        };
        out += &format!("{} ... {word} by {by}\n", rule.rule);
        out.extend(rule.failed.iter().map(|name| format!("  {name}\n")));
    }
    let (rules, scenarios) = (
        so_many(ledger.rules.len(), "rule"),
        so_many(ledger.unnamed, "scenario"),
    );
    out += &format!("{rules} named; {scenarios} without any\n");
    out
}

/// The list of what nobody noticed, and the share of what somebody did.
pub fn changes(report: &mutation::Report<'_>, style: Style) -> String {
    let mut out = list(report.ruleset, &report.unnoticed, style.colour);
    if !report.stumbled.is_empty() {
        out += "omerta itself stumbled over these; please report them:\n";
        out += &list(report.ruleset, &report.stumbled, style.colour);
    }
    out += &score(report, style);
    out += &format!(
        "not counted: {} do not compile, {} come to the same\n",
        report.uncompilable, report.same
    );
    out
}

/// How many changes somebody noticed.
pub fn score(report: &mutation::Report<'_>, style: Style) -> String {
    let (colour, rest) = match report.unnoticed.len() {
        0 => ("32", String::new()),
        left => ("33", format!(", {left} not")),
    };
    let words = format!(
        "{}: {}, {} noticed by {} ({}){rest}",
        report.ruleset,
        so_many(report.noticed + report.unnoticed.len(), "change"),
        report.noticed,
        so_many(report.scenarios, "scenario"),
        percent(report.share()),
    );
    format!("{}\n", paint(style.colour, colour, &words))
}

fn list(name: &str, changes: &[Shown], colour: Colour) -> String {
    let one = |change: &Shown| {
        let head = format!("{name}:{}:{}: {}", change.line, change.column, change.what);
        format!(
            "{}\n    {}\n    {}\n",
            paint(colour, "1", &head),
            paint(colour, "31", &format!("- {}", change.before)),
            paint(colour, "32", &format!("+ {}", change.after)),
        )
    };
    changes.iter().map(one).collect()
}

/// A line for each line of a scenario that was not seen to fail, and how many there are.
pub fn strength(strength: &mutation::Strength, style: Style) -> String {
    let asleep = strength.asleep.iter().chain(&strength.unnoticing);
    let one = |line: &mutation::Sleeper| {
        let head = format!("{}:{}:{}: {}", line.file, line.line, line.column, line.why);
        format!("{}\n    {}\n", paint(style.colour, "1", &head), line.text)
    };
    let mut out: String = asleep.map(one).collect();
    let (left, idle) = (strength.asleep.len(), strength.unnoticing.len());
    let (colour, rest) = match left + idle {
        0 => ("32", String::new()),
        _ => {
            let notice = if idle == 1 { "notices" } else { "notice" };
            (
                "33",
                format!(", {left} not; {} {notice} none", so_many(idle, "scenario")),
            )
        }
    };
    let words = format!(
        "{} of {} seen to fail by {}{rest}",
        strength.lines - left,
        so_many(strength.lines, "line"),
        so_many(strength.slips, "slip"),
    );
    out += &paint(style.colour, colour, &words);
    out.push('\n');
    out
}

/// Tenths of a percent.
fn percent(share: usize) -> String {
    format!("{}.{} %", share / 10, share % 10)
}
