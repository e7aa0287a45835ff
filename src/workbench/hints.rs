//! What is told between the words of a text: the turn of a rule among others, how many a set is at most, and what a
//! line of a scenario has brought about.

use crate::{
    ReadyRules,
    findings::{At, Change},
    project::Project,
};
use omerta_check::Turns;
use omerta_core::source::{Sources, Span};
use omerta_engine::{Happened, Viewer, What};
use omerta_play::scenario::Report;
use omerta_syntax::tree::{ItemKind, Moment, Rule};
use std::{collections::BTreeMap, path::Path};

/// How many letters stand at a line; all of it is told beside.
const MOST_LETTERS: usize = 90;

/// So much is told from the beginning of what a line has brought about, and so much from its end: some games go on for ever.
const TOLD: usize = 20;

/// A remark that nobody has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Behind what it stands.
    pub at: At,
    /// What is shown there.
    pub short: String,
    /// What is told of it besides.
    pub long: String,
}

impl Hint {
    /// The same in a later version of a text; nothing where its place was changed.
    pub fn moved(&self, change: &mut Change) -> Option<Hint> {
        let at = self.at.moved(change)?;
        Some(Hint { at, ..self.clone() })
    }
}

impl Project {
    /// The hints of a file of rules; nothing where it is wrong, so that none are to be had.
    pub fn hints(&mut self, path: &Path) -> Option<Vec<Hint>> {
        let check = self.check(path);
        let name = self.name_of(path);
        let mut found: Vec<Hint> = Vec::new();
        let mut laid = check.benches.iter().filter_map(|(asked, bench)| {
            let laid = bench.lay(&asked.wanted).ok()?;
            Some((bench, laid))
        });
        let (bench, laid) = laid.next().filter(|_| !check.is_wrong())?;
        bench.with_sources(|sources| {
            let is_here = |span: Span| sources.get(span.source).name == name;
            found.extend(of_rules(sources, &laid, &is_here));
            found.extend(of_sets(sources, &laid, &is_here));
        });
        found.sort_by_key(|hint| hint.at.range.end);
        Some(found)
    }
}

/// The turn of each rule among those on the same.
fn of_rules(sources: &Sources, laid: &ReadyRules, is_here: &dyn Fn(Span) -> bool) -> Vec<Hint> {
    let rules = laid
        .items
        .iter()
        .filter_map(|declared| match &declared.item.kind {
            ItemKind::Rule(rule) => Some(rule),
            _ => None,
        });
    let here = rules.filter(|rule| is_here(rule.name.span));
    here.filter_map(|rule| of_rule(sources, &laid.names.turns, rule))
        .collect()
}

fn of_rule(sources: &Sources, turns: &[Turns], rule: &Rule) -> Option<Hint> {
    let own = turns.iter().filter_map(|turn| {
        let place = turn.rules.iter().position(|name| *name == rule.name.text)?;
        Some((place + 1, turn))
    });
    let own: Vec<(usize, &Turns)> = own.collect();
    let words =
        |(place, turn): &(usize, &Turns)| format!("{} of {} {}", ordinal(*place), turn.rules.len(), on(turn));
    let long = own.iter().map(|(_, turn)| {
        let all: Vec<String> = turn.rules.iter().map(|name| format!("`{name}`")).collect();
        format!("{}, in this order: {}.", capital(&on(turn)), all.join(", "))
    });
    let all: Vec<String> = own.iter().map(words).collect();
    (!own.is_empty()).then(|| Hint {
        short: shortened(all.iter(), false),
        long: long.collect::<Vec<_>>().join("\n\n"),
        at: end_of_line(At::of(sources, rule.name.span)),
    })
}

/// `before Night`
fn on(turn: &Turns) -> String {
    let moment = match turn.moment {
        Moment::Before => "before",
        Moment::Instead => "instead of",
        Moment::After => "after",
    };
    format!("{moment} {}", turn.happening)
}

fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// How many sets are at most, where that is less than anybody who may play.
fn of_sets(sources: &Sources, laid: &ReadyRules, is_here: &dyn Fn(Span) -> bool) -> Vec<Hint> {
    let rules = &laid.bench.rules;
    let sets = laid.names.at_most(rules, &laid.items).into_iter();
    let told = sets.filter(|set| is_here(set.span) && set.count < u32::from(rules.seats.1));
    told.map(|set| Hint {
        at: At::of(sources, set.span),
        short: format!("at most {}", set.count),
        long: "No more than that whoever plays: by what roles and marks say of themselves.".to_owned(),
    })
    .collect()
}

/// What each line of a scenario has brought about, as its host sees it; what it led to in the end is shown.
pub fn of_lines(sources: &Sources, report: &Report) -> Vec<Hint> {
    let Some(session) = &report.session else {
        return Vec::new();
    };
    let words = session.table().words();
    let mut by_line: BTreeMap<usize, (At, Vec<&Happened>)> = BTreeMap::new();
    let lines = report.lines.iter().enumerate();
    // What is dealt because a game begins stands on no line.
    for (answer, line) in lines.filter(|(_, line)| line.start < line.end) {
        let at = end_of_line(At::of(sources, *line));
        let happened = &session.log().events[session.events_of(answer + 1)];
        let (_, all) = by_line.entry(at.range.end).or_insert((at, Vec::new()));
        all.extend(happened);
    }
    let told = by_line.into_values().map(|(at, happened)| {
        let told = |happened: &&&Happened| words.event(happened, Viewer::Host);
        let effects: Vec<String> = { happened.iter() }
            .filter(|happened| is_effect(&happened.what))
            .filter_map(|happened| told(&happened))
            .collect();
        Hint {
            at,
            short: shortened(effects.iter().rev(), true),
            long: at_both_ends(happened.iter().filter_map(|happened| told(&happened)).collect()).join("\n\n"),
        }
    });
    told.filter(|hint| !hint.short.is_empty()).collect()
}

/// What stands first and last among much, and how much is left out between.
pub(crate) fn at_both_ends(mut all: Vec<String>) -> Vec<String> {
    if let Some(more) = all.len().checked_sub(2 * TOLD + 1) {
        let out = TOLD..all.len() - TOLD;
        all.splice(out, [format!("… {} more …", more + 1)]);
    }
    all
}

/// Whether something is what came of an answer, and not how the game went on to the next.
fn is_effect(what: &What) -> bool {
    !matches!(
        what,
        What::SceneBegan { .. }
            | What::SceneEnded { .. }
            | What::Performed { .. }
            | What::Asked { .. }
            | What::Answered { .. }
            | What::Drew { .. }
            | What::Cleared { .. }
    )
}

/// As many of some words as there is room for; `from_behind` where the last of them come first.
fn shortened<'w>(mut all: impl Iterator<Item = &'w String>, from_behind: bool) -> String {
    let mut short = cut(all.next().map_or("", String::as_str));
    for words in all {
        let fits = short.chars().count() + words.chars().count() <= MOST_LETTERS;
        let words = if fits { words.as_str() } else { "…" };
        short = match from_behind {
            true => format!("{words} · {short}"),
            false => format!("{short} · {words}"),
        };
        if !fits {
            break;
        }
    }
    short
}

fn cut(words: &str) -> String {
    match words.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}

/// The place at the end of the line on which another begins.
fn end_of_line(at: At) -> At {
    let rest = &at.source.text[at.range.start..];
    let length = rest
        .find('\n')
        .map_or(rest.len(), |end| rest[..end].trim_end_matches('\r').len());
    At {
        range: at.range.start..at.range.start + length,
        ..at
    }
}
