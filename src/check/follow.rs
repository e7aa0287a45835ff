//! One root cause, one message: drops what only follows from another mistake.
//!
//! A name that was not understood stands for nothing, so what is said of the kinds around it is noise; a
//! declaration that could not be read still declared its name; with errors about, warnings wait.

use omerta_core::diagnostic::{Diagnostic, Severity};
use omerta_core::source::{SourceId, Sources, Span};
use std::collections::BTreeSet;

/// Words that begin a declaration with a name behind them.
const DECLARES: &[&str] = &[
    "role", "team", "class", "token", "zone", "mark", "flag", "count", "word", "link", "define", "event",
    "rule", "scene", "allow", "ending", "option", "hook", "overlay", "policy",
];

/// Codes that say that something is not there.
const NOT_THERE: &[&str] = &[
    "M0201", "M0202", "M0406", "M0501", "M0505", "M0507", "M0508", "M0511", "M0607", "M0608", "M0609",
    "M0603", "M0610", "M0613",
];

/// Codes after which many names may be missing.
const MISSES_MUCH: &[&str] = &["M0101", "M0104", "M0409"];

/// Codes that say that things do not go together at all.
const NO_FIT: &[&str] = &["M0101", "M0105", "M0601", "M0602", "M0603"];

/// Drops the followers. `poison` are the places of names that stand for nothing.
pub(super) fn drop_followers(sources: &Sources, poison: &[Span], diagnostics: &mut Vec<Diagnostic>) {
    // What an overlay misses on a base that it is not for is no mistake of its own.
    if diagnostics.iter().any(|d| d.code.0 == "M0601") {
        diagnostics.retain(|d| d.code.0 == "M0601" || d.code.is_about_shape());
    }
    let unknown = diagnostics.iter().filter(|d| d.code.0.starts_with("M02"));
    let poison: Vec<Span> = unknown
        .map(Diagnostic::span)
        .chain(poison.iter().copied())
        .collect();
    if diagnostics.iter().any(|d| MISSES_MUCH.contains(&d.code.0)) {
        diagnostics.retain(|d| !NOT_THERE.contains(&d.code.0) && d.code.0 != "M0509");
    }
    if diagnostics.iter().any(|d| d.code.0 == "M0601") {
        // On a base it is not for, an overlay finds nothing of what it names.
        diagnostics.retain(|d| NO_FIT.contains(&d.code.0) || d.code.is_about_shape());
    }
    drop_after_heads(sources, diagnostics);
    drop_broken(sources, diagnostics);
    drop_kinds(&poison, diagnostics);
    drop_misnamed(sources, diagnostics);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        diagnostics.retain(|d| d.severity == Severity::Error);
    }
    let mut seen = BTreeSet::new();
    diagnostics.retain(|d| {
        // Two rules in no order with a third are two pairs, which its name does not tell apart.
        let pair = matches!(d.code.0, "M0701" | "M0605").then(|| d.message.clone());
        seen.insert((d.code, d.span().source, d.span().start, d.span().end, pair))
    });
}

/// Where the `{` of a declaration is missing, its statements stand outside of any block and its `}` closes
/// nothing.
fn drop_after_heads(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|d| (d.span().source, d.span().start, d.code));
    let declares = |line: &str| {
        line.split_whitespace()
            .next()
            .is_some_and(|word| DECLARES.contains(&word))
    };
    let mut last: Option<Span> = None;
    diagnostics.retain(|d| {
        let span = d.span();
        let follows = last.is_some_and(|last| {
            let text = &sources.get(span.source).text;
            let between = text.get(last.end as usize..span.start as usize);
            // Another declaration between the two begins anew.
            last.source == span.source && between.is_some_and(|text| !text.lines().skip(1).any(declares))
        });
        match d.code.0 {
            "M0016" | "M0019" => last = Some(span),
            "M0028" if follows => {
                last = Some(span);
                return false;
            }
            "M0008" if follows => {
                last = None;
                return false;
            }
            _ => last = None,
        }
        true
    });
}

/// What misses a name that a broken declaration would have declared.
fn drop_broken(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let broken: BTreeSet<SourceId> = diagnostics
        .iter()
        .filter(|d| d.code.is_about_shape())
        .map(|d| d.span().source)
        .collect();
    if broken.is_empty() {
        return;
    }
    let mut names = BTreeSet::new();
    let mut script = false;
    for source in broken {
        for line in sources.get(source).text.lines() {
            script |= line.trim_start().starts_with("script");
            names_in(line, &mut names);
        }
    }
    // A misspelt first word has a name behind it like the right one.
    for misspelt in diagnostics.iter().filter(|d| d.code.0 == "M0014") {
        let text = &sources.get(misspelt.span().source).text[misspelt.span().end as usize..];
        let line = text.lines().next().unwrap_or("");
        names.extend(
            line.split(|c: char| !is_name(c))
                .filter(|word| !word.is_empty())
                .take(1),
        );
    }
    diagnostics.retain(|d| match d.code.0 {
        "M0509" => !script,
        "M0507" | "M0102" => false,
        code => !NOT_THERE.contains(&code) || !names.contains(sources.slice(d.span())),
    });
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

/// The names a line may declare.
fn names_in<'a>(line: &'a str, names: &mut BTreeSet<&'a str>) {
    let mut words = line.split(|c: char| !is_name(c)).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or("");
    let first = if first == "replace" {
        words.next().unwrap_or("")
    } else {
        first
    };
    if DECLARES.contains(&first) {
        names.extend(words);
    } else if let Some((_, name)) = line.rsplit_once(" as ") {
        names.insert(name.trim());
    }
}

/// What is said of a name that could not be declared, and of what an event that could not be was handed.
fn drop_misnamed(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let of = |code: &str| -> BTreeSet<String> {
        let found = diagnostics.iter().filter(|d| d.code.0 == code);
        found.map(|d| sources.slice(d.span()).to_owned()).collect()
    };
    let (built_in, no_event) = (of("M0205"), !of("M0323").is_empty());
    diagnostics.retain(|d| match d.code.0 {
        "M0205" => true,
        "M0301" if no_event => false,
        _ => !built_in.contains(sources.slice(d.span())),
    });
}

/// Mistakes about kinds around a name that stands for nothing.
fn drop_kinds(poison: &[Span], diagnostics: &mut Vec<Diagnostic>) {
    let places: BTreeSet<(SourceId, u32, u32)> = poison.iter().map(|s| (s.source, s.start, s.end)).collect();
    diagnostics.retain(|d| {
        let span = d.span();
        let inside = places
            .range((span.source, span.start, 0)..=(span.source, span.end, u32::MAX))
            .any(|(_, _, end)| *end <= span.end);
        !d.code.0.starts_with("M03") || !inside
    });
}
