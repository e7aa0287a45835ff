//! Would every line fail? All slips of all texts behind some scenarios, one at a time, and which lines each made fail.
//!
//! A line that no slip was seen to fail need not be wrong: the slips are small and there are things that none of them
//! touches. But nothing is known of it either.

use super::{
    lab::Target,
    trial::{Obstacle, Scenarios, baseline},
};
use omerta_core::source::{SourceId, Sources, Span};
use omerta_play::{
    mutate::{Change, changes},
    scenario::{Report, Test, run},
};
use omerta_syntax::{
    parse_file,
    play_tree::{Fact, Line, LineKind, SetupVerdict},
};
use omerta_workbench::runner::{Ran, Text, parallel_map, tests_in};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// A line of a file, or a scenario: where it begins and ends.
type Place = (String, u32, u32);

/// What is known of the lines of some files.
#[derive(Serialize)]
pub struct Strength {
    version: u32,
    /// How many slips were tried.
    pub slips: usize,
    /// How many `expect` and `refused` lines there are.
    pub lines: usize,
    /// Those that were not seen to fail, by their places.
    pub asleep: Vec<Sleeper>,
    /// The scenarios that notice no slip.
    pub unnoticing: Vec<Sleeper>,
}

/// A line that was not seen to fail, or a scenario that noticed nothing.
#[derive(Serialize)]
pub struct Sleeper {
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// What it says; of a scenario its name.
    pub text: String,
    /// Why.
    pub why: &'static str,
}

/// What a line says, and why nothing is known of it.
struct Known {
    shown: Sleeper,
    /// In how many scenarios it had something to look at.
    met: usize,
    hollow: bool,
    wordless: bool,
}

/// How far the slips have come.
pub enum Step<'a> {
    /// Those of a text begin, so many of them.
    Text(&'a str, usize),
    /// One has been tried.
    Slip,
}

/// The lines and scenarios that were not seen to fail so far.
#[derive(Default)]
struct Asleep {
    lines: BTreeSet<Place>,
    scenarios: BTreeSet<Place>,
}

/// Tries all slips on the scenarios of some texts, of which `rans` tell how they ran as things are; `step` is told
/// of each text and after each of its slips.
pub fn strength(
    (texts, rans): (&[Text], &[Ran]),
    filter: &str,
    threads: usize,
    step: impl Fn(Step<'_>) + Sync,
) -> Result<Strength, Obstacle> {
    let mut known = BTreeMap::new();
    let mut asleep = Asleep::default();
    let mut names = BTreeMap::new();
    for (text, ran) in texts.iter().zip(rans) {
        let tests = tests_in(text, filter);
        let mut sources = Sources::default();
        let id = sources.add(&text.name, &text.text);
        for (test, report) in tests.iter().zip(&ran.reports) {
            let title = shown(
                &sources,
                Span {
                    source: id,
                    ..test.span
                },
                "it notices no slip",
            );
            let place = place_of(&text.name, test.span);
            asleep.scenarios.insert(place.clone());
            names.insert(
                place,
                Sleeper {
                    text: test.name.clone(),
                    ..title
                },
            );
            note(&mut known, (&sources, test, report), |span| Span {
                source: id,
                ..span
            });
        }
    }
    asleep.lines.extend(known.keys().cloned());
    let lines = known.len();
    let asleep = Mutex::new(asleep);
    let mut slips = 0;
    for (target, texts) in texts_behind(texts, rans) {
        let scenarios = baseline(&target, &texts, filter)?;
        let (file, _) = parse_file(SourceId(0), &target.text);
        let changes = changes(&file, &target.text, None);
        slips += changes.len();
        step(Step::Text(&target.name, changes.len()));
        for near in [true, false] {
            parallel_map(changes.len(), threads, |index| {
                try_one(&scenarios, (&target, &changes[index]), near, &asleep);
                if !near {
                    step(Step::Slip);
                }
            });
        }
    }
    for (text, ran) in texts.iter().zip(rans) {
        for test in tests_in(text, filter) {
            other_tables(&text.name, &test, ran, &asleep);
        }
    }
    let asleep = asleep.into_inner().unwrap_or_else(PoisonError::into_inner);
    known.retain(|place, _| asleep.lines.contains(place));
    names.retain(|place, _| asleep.scenarios.contains(place));
    Ok(Strength {
        version: VERSION,
        slips,
        lines,
        asleep: known.into_values().map(Known::told).collect(),
        unnoticing: names.into_values().collect(),
    })
}

/// What the lines of a scenario say, as it ran before any slip.
fn note(
    known: &mut BTreeMap<Place, Known>,
    (sources, test, report): (&Sources, &Test, &Report),
    here: impl Fn(Span) -> Span,
) {
    let hollow = |span: Span| report.diagnostics.iter().any(|problem| problem.span() == span);
    for line in test.claims() {
        let span = here(line.span);
        let file = &sources.get(span.source).name;
        let line_known = known.entry(place_of(file, span)).or_insert_with(|| Known {
            shown: shown(sources, span, ""),
            met: 0,
            hollow: false,
            wordless: is_wordless(&line.kind),
        });
        let same = |other: &Span| (other.start, other.end) == (span.start, span.end);
        line_known.met += usize::from(!report.idle.iter().any(same));
        line_known.hollow |= hollow(line.span);
    }
}

impl Known {
    fn told(self) -> Sleeper {
        let why = match self {
            Known { hollow: true, .. } => "it can never fail, whatever the game does",
            Known { wordless: true, .. } => "any error will do: it says no words",
            Known { met: 0, .. } => "it had nothing to look at, and no slip made it fail",
            _ => "no slip made it fail",
        };
        Sleeper { why, ..self.shown }
    }
}

/// Whether a line is content with any error of the setup: that is no proof, whatever makes it fail.
fn is_wordless(line: &LineKind) -> bool {
    matches!(
        line,
        LineKind::Expect(Fact::Setup { verdict: SetupVerdict::Error, wordings, .. }) if wordings.is_empty()
    )
}

fn place_of(file: &str, span: Span) -> Place {
    (file.to_owned(), span.start, span.end)
}

fn shown(sources: &Sources, span: Span, why: &'static str) -> Sleeper {
    let source = sources.get(span.source);
    let place = source.place(span.start as usize);
    let text = source.text[span.start as usize..span.end as usize].trim();
    Sleeper {
        file: source.name.clone(),
        line: place.line,
        column: place.column,
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        why,
    }
}

/// The texts that the rules of some scenarios are made of, each with the files of those scenarios.
pub fn texts_behind(texts: &[Text], rans: &[Ran]) -> Vec<(Target, Vec<Text>)> {
    let mut targets: BTreeMap<String, (String, Vec<Text>)> = BTreeMap::new();
    for (text, ran) in texts.iter().zip(rans) {
        for (name, rules) in ran.texts_of_rules() {
            let (_, files) = targets.entry(rules).or_insert((name, Vec::new()));
            files.push(text.clone());
        }
    }
    let mut targets: Vec<_> = targets.into_iter().collect();
    targets.sort_by(|(_, (a, _)), (_, (b, _))| a.cmp(b));
    let target = |(text, (name, files))| {
        let overlay = None;
        (Target { name, text, overlay }, files)
    };
    targets.into_iter().map(target).collect()
}

/// Tries one slip on the scenarios that still sleep or have lines that do.
fn try_one(scenarios: &Scenarios, slip: (&Target, &Change), near: bool, asleep: &Mutex<Asleep>) {
    let tests: Vec<(&Sources, &Test)> = scenarios.tests().collect();
    let file_of = |index: usize| &tests[index].0.get(tests[index].1.span.source).name;
    let lock = || asleep.lock().unwrap_or_else(PoisonError::into_inner);
    let wants = |index: usize| {
        let (sources, test) = tests[index];
        let asleep = lock();
        let mut claims = test.claims().into_iter();
        asleep.scenarios.contains(&place_of(file_of(index), test.span))
            || claims.any(|line| {
                let file = &sources.get(line.span.source).name;
                asleep.lines.contains(&place_of(file, line.span))
            })
    };
    scenarios.each_failing(slip, near, wants, |index, report| {
        let (sources, test) = tests[index];
        let failed: Vec<Span> = report.failures().collect();
        let mut asleep = lock();
        asleep.scenarios.remove(&place_of(file_of(index), test.span));
        for line in test.claims() {
            if failed.iter().any(|failed| lies_in(*failed, line.span)) && !is_wordless(&line.kind) {
                let file = &sources.get(line.span.source).name;
                asleep.lines.remove(&place_of(file, line.span));
            }
        }
    });
}

/// Lines about the setup speak of the table that the scenario lays: whether they notice another one.
fn other_tables(file: &str, test: &Test, ran: &Ran, asleep: &Mutex<Asleep>) {
    let lock = || asleep.lock().unwrap_or_else(PoisonError::into_inner);
    let sleeping: Vec<&Line> = { test.claims().into_iter() }
        .filter(|line| matches!(&line.kind, LineKind::Expect(Fact::Setup { .. })) && !is_wordless(&line.kind))
        .filter(|line| lock().lines.contains(&place_of(file, line.span)))
        .collect();
    if sleeping.is_empty() {
        return;
    }
    for lines in with_a_slip(&test.lines) {
        let slip = Test {
            lines,
            ..test.clone()
        };
        let report = run(&slip, &ran.bench);
        let failed: Vec<Span> = report.failures().collect();
        for line in &sleeping {
            if failed.iter().any(|failed| lies_in(*failed, line.span)) {
                lock().lines.remove(&place_of(file, line.span));
                lock().scenarios.remove(&place_of(file, test.span));
            }
        }
    }
}

/// The lines of a scenario with one overlay, option, seat or card less, or a card more.
fn with_a_slip(lines: &[Line]) -> Vec<Vec<Line>> {
    let mut slips = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut slip = |kind: LineKind| {
            let mut lines = lines.to_vec();
            lines[at].kind = kind;
            slips.push(lines);
        };
        match &line.kind {
            LineKind::Ruleset { base, overlays } => (0..overlays.len()).for_each(|at| {
                let (base, mut overlays) = (base.clone(), overlays.clone());
                overlays.remove(at);
                slip(LineKind::Ruleset { base, overlays });
            }),
            LineKind::Seats(seats) => (0..seats.len()).for_each(|at| {
                let mut fewer = seats.clone();
                fewer.remove(at);
                slip(LineKind::Seats(fewer));
                let mut bare = seats.clone();
                bare[at].cards.clear();
                slip(LineKind::Seats(bare));
            }),
            LineKind::Cast(entries) => (0..entries.len()).for_each(|at| {
                let mut fewer = entries.clone();
                fewer.remove(at);
                slip(LineKind::Cast(fewer));
                let mut twice = entries.clone();
                twice.push(entries[at].clone());
                slip(LineKind::Cast(twice));
            }),
            LineKind::Set { .. } | LineKind::Aside(_) => slip(LineKind::Covers(Vec::new())),
            _ => {}
        }
    }
    slips
}

fn lies_in(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}
