//! What is certain of a game for people, at a terminal.
#![expect(clippy::float_arithmetic, reason = "an interval is told in floats")]

use super::rows::{Case, Kind, Row, Study, rows};
use crate::faces::{
    console::paint,
    sim::{Look, cards, grouped, name_of},
    terminal::wrapped,
};
use omerta_core::plural::so_many;
use omerta_exact::{Between, Fraction, Value};
use omerta_measure::sim;
use omerta_play::words::listed;
use std::fmt::Write as _;

/// A fraction of more letters is not shown beside its decimals.
const SHORT: usize = 24;
/// Digits behind the point.
const PLACES: u32 = 12;

/// Everything about a case.
pub fn sheet(case: &Case, look: Look) -> String {
    let all = rows(case);
    let mut out = title(case, look);
    let part =
        |wanted: &[Kind]| -> Vec<&Row> { all.iter().filter(|row| wanted.contains(&row.kind)).collect() };
    let shown = |row: &&Row| {
        row.record
            .as_ref()
            .is_none_or(|record| record.held.between.high > 0.0)
    };
    let happens = |row: &&Row| row.value.between.high > 0.0;
    let mut add = |head: &str, rows: Vec<&Row>| {
        if !rows.is_empty() {
            out.push_str(&block(head, &rows, look));
        }
    };
    let teams = part(&[Kind::Counted(sim::Kind::Team)]).into_iter().filter(shown);
    let nobody = part(&[Kind::Counted(sim::Kind::Nobody)])
        .into_iter()
        .filter(happens);
    add("Who wins", teams.chain(nobody).collect());
    let ending = |row: &&Row| happens(row) || row.name != "no ending";
    let ends = part(&[Kind::Counted(sim::Kind::Ending)])
        .into_iter()
        .filter(ending);
    let others = part(&[Kind::Broken, Kind::Endless, Kind::Open]);
    add("How it ends", ends.chain(others).collect());
    add("Wins by role at the end", part(&[Kind::Counted(sim::Kind::Role)]));
    let seats = part(&[Kind::Counted(sim::Kind::Seat)]);
    match case.certain.renames {
        true => add("Wins by seat, each alike", seats.into_iter().take(1).collect()),
        false => add("Wins by seat", seats),
    }
    add(
        "How long it takes, on average",
        part(&[Kind::Answers, Kind::Scene]),
    );
    wrapped(&out, look.width)
}

fn title(case: &Case, look: Look) -> String {
    let head = &case.head;
    let with = match head.overlays.is_empty() {
        true => String::new(),
        false => format!(" with {}", listed(head.overlays.clone(), "and")),
    };
    let mut out = format!(
        "{}{with}, {}, exactly\n",
        paint(look.colour, "1", &case.labels.title),
        so_many(head.players, "player")
    );
    for line in facts(case) {
        writeln!(out, "  {}", paint(look.colour, "2", &line)).expect("a text takes everything");
    }
    out
}

/// What was walked, and how surely it is known.
pub fn facts(case: &Case) -> Vec<String> {
    let (head, chain) = (&case.head, &case.certain.chain);
    let mut lines = vec![format!("cards: {}", cards(&head.cast))];
    let options: Vec<String> = head
        .options
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    if !options.is_empty() {
        lines.push(format!("options: {}", options.join(", ")));
    }
    if !head.policies.is_empty() {
        let names: Vec<String> = head.policies.iter().map(|(name, _)| name.clone()).collect();
        lines.push(format!("policies: {}", names.join(", ")));
    }
    if (head.offers_per_thousand, head.calls_per_thousand) != (500, 0) {
        lines.push(format!(
            "in 1,000 pauses: offers {}, calls {}",
            head.offers_per_thousand, head.calls_per_thousand
        ));
    }
    if let Some(lost) = case
        .simulated
        .as_ref()
        .map(|run| run.tally.lost())
        .filter(|lost| *lost > 0)
    {
        lines.push(format!(
            "of the simulated games {} broke or did not end: the others are not to be compared with all of them",
            grouped(lost)
        ));
    }
    let positions = so_many(grouped(chain.positions() as u64), "position");
    let alike = match case.certain.renames {
        true => "those that differ by who sits where are one",
        false => "players are not interchangeable",
    };
    lines.push(format!("{positions}; {alike}"));
    lines.extend(case.hangs.iter().map(|hang| format!("because of {hang}")));
    let known = match (case.certain.answers.exact, chain.walked == chain.positions()) {
        (true, _) => return lines,
        (false, true) => "fractions would be too long: each value surely lies between its bounds".to_owned(),
        (false, false) => format!(
            "{} of them were looked at: each value surely lies between its bounds",
            grouped(chain.walked as u64)
        ),
    };
    lines.push(known);
    lines
}

fn block(head: &str, rows: &[&Row], look: Look) -> String {
    let mut out = format!("\n{}\n", paint(look.colour, "1", head));
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in rows {
        let name = match row.kind {
            Kind::Broken => "the rules break",
            Kind::Endless => "never ends",
            Kind::Open => "not looked at",
            _ => &row.name,
        };
        let simulated = row.simulated.map_or_else(String::new, |interval| {
            let off = if row.disagrees() { "  which cannot be" } else { "" };
            let places = if row.kind == Kind::Answers { 2 } else { 4 };
            format!(
                "  simulated {:.places$} ({:.places$} to {:.places$}){off}",
                interval.share, interval.low, interval.high
            )
        });
        let width = width.max(15);
        writeln!(out, "  {name:width$}  {}{simulated}", words(&row.value)).expect("a text takes everything");
    }
    out
}

/// A value: its decimals, with the fraction where that is short, or its bounds.
pub fn words(value: &Value) -> String {
    match &value.fraction {
        Some(fraction) => {
            let (decimal, whole) = (fraction.decimal(PLACES), fraction.to_string());
            match whole.len() <= SHORT {
                true => format!("{decimal} = {whole}"),
                false => decimal,
            }
        }
        None => bounds(value.between),
    }
}

/// A chance in the hundred, of a fraction exactly so far: with so many places.
pub fn percent(value: &Value, places: u32) -> String {
    match &value.fraction {
        Some(Fraction { over, under }) => {
            let hundredfold = Fraction::new(over * 100_u32, under.clone());
            format!("{} %", hundredfold.decimal(places))
        }
        None => format!(
            "{:.2} to {:.2} %",
            value.between.low * 100.0,
            value.between.high * 100.0
        ),
    }
}

/// The middle of a value to whole per cent; halves go to even numbers.
pub fn whole_percent(value: &Value) -> String {
    format!("{:.0} %", value.between.middle() * 100.0)
}

/// The bounds of a value, rounded outward.
pub fn bounds(between: Between) -> String {
    let scale = 10_f64.powi(PLACES as i32);
    let low = (between.low * scale).floor();
    // A whole number is written as it is.
    let low = if low / scale >= between.low && between.low.fract() != 0.0 {
        low - 1.0
    } else {
        low
    };
    let high = (between.high * scale).ceil();
    let high = if high / scale <= between.high && between.high.fract() != 0.0 {
        high + 1.0
    } else {
        high
    };
    match between.high.is_finite() {
        true => format!("{:.12} to {:.12}", low / scale, high / scale),
        false => format!("{:.12} or more", low / scale),
    }
}

/// Cases side by side: all that any of them has, one line a case.
pub fn compared(study: &Study, look: Look) -> String {
    let names: Vec<String> = study.iter().map(|(cell, _)| name_of(cell)).collect();
    let all: Vec<Option<Vec<Row>>> = study.iter().map(|(_, case)| case.as_ref().map(rows)).collect();
    let mut out = String::new();
    if let Some(case) = study.iter().find_map(|(_, case)| case.as_ref()) {
        writeln!(out, "{}, exactly", paint(look.colour, "1", &case.labels.title))
            .expect("a text takes everything");
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut seen: Vec<(Kind, String)> = Vec::new();
    for row in all.iter().flatten().flatten() {
        let known = (row.kind, row.name.clone());
        let seats = row.kind == Kind::Counted(sim::Kind::Seat);
        if !seats && row.value.between.high > 0.0 && !seen.contains(&known) {
            seen.push(known);
        }
    }
    for (kind, name) in seen {
        let what = match kind {
            Kind::Counted(sim::Kind::Team | sim::Kind::Role) => format!("Wins: {name}"),
            Kind::Counted(sim::Kind::Ending) => format!("Ends with {name}"),
            Kind::Counted(_) => "Nobody wins".to_owned(),
            Kind::Answers => "Answers in a game".to_owned(),
            Kind::Scene => format!("How often {name} begins"),
            Kind::Broken | Kind::Endless | Kind::Open => format!("Games: {name}"),
        };
        writeln!(out, "\n{}", paint(look.colour, "1", &what)).expect("a text takes everything");
        for (case, rows) in names.iter().zip(&all) {
            let value = match rows {
                None => "no cast".to_owned(),
                Some(rows) => {
                    let row = rows.iter().find(|row| row.kind == kind && row.name == name);
                    row.map_or("not in this game".to_owned(), |row| words(&row.value))
                }
            };
            writeln!(out, "  {case:width$}  {value}").expect("a text takes everything");
        }
    }
    wrapped(&out, look.width)
}
