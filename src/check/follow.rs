//! One root cause, one message: drops what only follows from another mistake.
//!
//! A name that was not understood stands for nothing, so what is said of the kinds around it is noise; a
//! declaration that could not be read still declared its name; with errors about, warnings wait.

use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::{Code, Diagnostic, Repair, Severity};
use omerta_core::source::{SourceId, Sources, Span};
use omerta_syntax::words;
use std::collections::BTreeSet;

/// Drops the followers. `poison` are the places of names that stand for nothing.
pub(super) fn drop_followers(sources: &Sources, poison: &[Span], diagnostics: &mut Vec<Diagnostic>) {
    // What an overlay misses on a base that it is not for is no mistake of its own.
    if diagnostics.iter().any(|d| d.code == codes::NOT_FOR_THIS_BASE) {
        diagnostics.retain(|d| d.code == codes::NOT_FOR_THIS_BASE || d.code.is_about_shape());
    }
    // Overlays that refuse each other lie on each other nowhere: what one of them makes of the other is no mistake.
    if diagnostics.iter().any(|d| d.code == codes::REFUSED_OVERLAY) {
        diagnostics.retain(|d| d.code.is(Class::NoFit) || d.code.is_about_shape());
    }
    let unknown = diagnostics.iter().filter(|d| d.code.is_about_names());
    let poison: Vec<Span> = unknown
        .map(Diagnostic::span)
        .chain(poison.iter().copied())
        .collect();
    if diagnostics.iter().any(|d| d.code.is(Class::MissesMuch)) {
        diagnostics.retain(|d| !d.code.is(Class::NotThere) && d.code != codes::NO_SCRIPT);
    }
    drop_after_heads(sources, diagnostics);
    drop_broken(sources, diagnostics);
    drop_kinds(&poison, diagnostics);
    drop_around(diagnostics);
    drop_misnamed(sources, diagnostics);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        diagnostics.retain(|d| d.severity == Severity::Error);
    }
    let mut seen = BTreeSet::new();
    diagnostics.retain(|d| {
        // Two rules in no order with a third are two pairs, which its name does not tell apart.
        let pair = d.code.is(Class::OfAPair).then(|| d.message.clone());
        seen.insert((d.code, d.span().source, d.span().start, d.span().end, pair))
    });
}

/// Where the `{` of a declaration is missing, its statements stand outside of any block and its `}` closes
/// nothing.
fn drop_after_heads(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|d| (d.span().source, d.span().start, d.code));
    let begins = |line: &str| line.split_whitespace().next().is_some_and(words::names_something);
    let mut last: Option<Span> = None;
    // Where a `{` is missing, and the `}` is there.
    let mut open: Option<Span> = None;
    let mut closed = BTreeSet::new();
    diagnostics.retain(|d| {
        let span = d.span();
        let follows = last.is_some_and(|last| {
            let text = &sources.get(span.source).text;
            let between = text.get(last.end as usize..span.start as usize);
            // Another declaration between the two begins anew.
            last.source == span.source && between.is_some_and(|text| !text.lines().skip(1).any(begins))
        });
        match d.code {
            codes::MISSING_BLOCK | codes::MISFIT => {
                last = Some(span);
                open = Some(span);
            }
            codes::STATEMENT_OUTSIDE if follows => {
                last = Some(span);
                return false;
            }
            codes::STRAY_BRACE if follows => {
                last = None;
                closed.extend(open.take().map(|span| (span.source, span.start)));
                return false;
            }
            _ => last = None,
        }
        true
    });
    for d in diagnostics.iter_mut() {
        let span = d.span();
        if !closed.contains(&(span.source, span.start)) || !d.repairs().is_empty() {
            continue;
        }
        let found = sources.slice(span);
        let before = sources.get(span.source).text[..span.start as usize].trim_end_matches(' ');
        let from = before.rfind([' ', '\n']).map_or(0, |end| end + 1);
        let written = format!("{} {{", &before[from..]);
        if d.code == codes::MISSING_BLOCK && found.is_empty() || d.code == codes::MISFIT && found == ":" {
            let repair = Repair::instead(Span::new(span.source, from, span.end as usize), written);
            *d = d.clone().mend(repair);
        }
    }
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
    for misspelt in diagnostics
        .iter()
        .filter(|d| d.code == codes::UNKNOWN_DECLARATION)
    {
        let text = &sources.get(misspelt.span().source).text[misspelt.span().end as usize..];
        let line = text.lines().next().unwrap_or("");
        names.extend(
            line.split(|c: char| !is_name(c))
                .filter(|word| !word.is_empty())
                .take(1),
        );
    }
    diagnostics.retain(|d| match d.code {
        codes::NO_SCRIPT => !script,
        codes::NO_PERFORMER | codes::NO_HEAD => false,
        code => !code.is(Class::NotThere) || !names.contains(sources.slice(d.span())),
    });
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

/// The names a line may declare. What stands between its braces declares nothing.
fn names_in<'a>(line: &'a str, names: &mut BTreeSet<&'a str>) {
    let line = line.split('{').next().unwrap_or(line);
    let mut words = line.split(|c: char| !is_name(c)).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or("");
    let first = if first == "replace" {
        words.next().unwrap_or("")
    } else {
        first
    };
    if words::names_something(first) {
        names.extend(words);
    } else if let Some((_, name)) = line.rsplit_once(" as ") {
        names.insert(name.trim());
    }
}

/// What is said of a name that could not be declared, and of what an event that could not be was handed.
fn drop_misnamed(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let of = |code: Code| -> BTreeSet<String> {
        let found = diagnostics.iter().filter(|d| d.code == code);
        found.map(|d| sources.slice(d.span()).to_owned()).collect()
    };
    let (built_in, no_event) = (of(codes::BUILT_IN_NAME), !of(codes::EVENT_OF_PLAYERS).is_empty());
    diagnostics.retain(|d| match d.code {
        codes::BUILT_IN_NAME => true,
        codes::WRONG_KIND if no_event => false,
        code if code.is_about_shape() => true,
        _ => {
            let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
            let mut words = sources.slice(d.span()).split(|letter| !is_of_name(letter));
            !words.any(|word| built_in.contains(word))
        }
    });
}

/// A value of another kind in which something else is wrong.
fn drop_around(diagnostics: &mut Vec<Diagnostic>) {
    let wrong = diagnostics.iter().filter(|d| d.code.is_about_kinds());
    let places: BTreeSet<(SourceId, u32, u32)> = wrong
        .map(|d| (d.span().source, d.span().start, d.span().end))
        .collect();
    diagnostics.retain(|d| {
        let span = d.span();
        let inner = places
            .range((span.source, span.start, 0)..(span.source, span.end, 0))
            .any(|(_, start, end)| *end <= span.end && (*start, *end) != (span.start, span.end));
        d.code != codes::WRONG_KIND || !inner
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
        !d.code.is_about_kinds() || !inside
    });
}
