//! Better advice about names that are not there: one that a library of the shelf declares, one that is
//! a word of plain English.
//!
//! Looks only at what has been found wrong already; it finds nothing wrong itself.

use crate::symbol::{Meaning, Symbols};
use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::{Diagnostic, Repair};
use omerta_core::source::{Loaded, Loader, Sources, Span};
use omerta_syntax::parse_file;
use omerta_syntax::tree::{Item, StatementKind};
use omerta_syntax::walk::{declared_in, holds};
use std::cell::LazyCell;

/// Words of the language people speak and of other languages, and what is done about them here; `{}` is
/// the word.
const PLAIN_WORDS: &[(&[&str], &str)] = &[
    (&["a", "an", "the"], "leave `{}` out"),
    (
        &["all", "everybody", "everyone", "anybody", "anyone"],
        "write `players`, or `living` for those who are still in the game",
    ),
    (
        &["somebody", "someone"],
        "write `some …` to ask whether there is anybody, as in `some living Guild`",
    ),
    (&["none", "null", "nil", "noone"], "write `nobody`"),
    (
        &["people", "persons"],
        "write `players`, or `living` for those who are still in the game",
    ),
    (&["alive"], "write `living`"),
    (
        &["dead"],
        "write `not living`: `p is not living`, `players without living`",
    ),
    (
        &["has", "have"],
        "write `is`: what somebody bears stands behind it",
    ),
    (
        &["includes", "contains"],
        "write it the other way round: `p is living`",
    ),
    (&["there"], "write `some …`, as in `if some living Guild { … }`"),
    (
        &["dies", "died", "wins", "won"],
        "that is told by a mark or an event: `rule wail: after kill of p { … }`",
    ),
    (&["are"], "write `is`, or `some …` to ask whether there are any"),
    (&["then"], "leave `{}` out: a `{` stands for it"),
    (&["was", "were"], "write `is`: a mark keeps what has happened"),
    (&["except", "but"], "write `without`, as in `living without me`"),
    (
        &["random"],
        "lots are drawn with a line of their own: `draw p from living`",
    ),
    (&["name"], "leave it out: `{p}` tells who it is"),
    (&["than", "other"], "write `without`, as in `living without me`"),
    (&["more"], "write `is at least 2` or `is more than 2`"),
    (&["less", "fewer"], "write `is at most 2` or `is less than 2`"),
    (&["mod", "modulo"], "write `remainder of … / …`"),
    (&["true", "TRUE", "True"], "write `yes`"),
    (&["false", "FALSE", "False"], "write `no`"),
    (
        &[
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        ],
        "write numbers in digits, such as `3`",
    ),
];

/// For so many missing names it is looked where they can be had.
const MOST_ADVISED: usize = 100;

/// What is written instead of a word that nobody declared and everybody speaks.
fn plain_word(name: &str) -> Option<&'static str> {
    let mut words = PLAIN_WORDS.iter();
    words
        .find(|(words, _)| words.contains(&name))
        .map(|(_, help)| *help)
}

/// The words that can be written in the place of such a word and of nothing else.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &[
            "all",
            "everybody",
            "everyone",
            "anybody",
            "anyone",
            "people",
            "persons",
        ],
        "players",
    ),
    (&["none", "null", "nil", "noone"], "nobody"),
    (&["alive"], "living"),
    (&["dead"], "not living"),
    (&["has", "have", "are", "was", "were"], "is"),
    (&["except", "but"], "without"),
    (&["true", "TRUE", "True"], "yes"),
    (&["false", "FALSE", "False"], "no"),
    (&["one"], "1"),
    (&["two"], "2"),
    (&["three"], "3"),
    (&["four"], "4"),
    (&["five"], "5"),
    (&["six"], "6"),
    (&["seven"], "7"),
    (&["eight"], "8"),
    (&["nine"], "9"),
    (&["ten"], "10"),
];

fn instead_of(name: &str) -> Option<&'static str> {
    let mut all = INSTEAD.iter();
    all.find(|(words, _)| words.contains(&name))
        .map(|(_, instead)| *instead)
}

/// Whether a name that is not declared is such a word.
pub(super) fn is_plain_word(name: &str) -> bool {
    plain_word(name).is_some()
}

/// Says of each missing name where it can be had.
pub(super) fn advise(sources: &Sources, loader: &dyn Loader, diagnostics: &mut Vec<Diagnostic>) {
    // The lines that are to be written anew, and the word at which that is told.
    let mut lines: Vec<(Span, Span)> = Vec::new();
    let missing = diagnostics.iter_mut().filter(|d| d.code.is(Class::Missing));
    for diagnostic in missing.take(MOST_ADVISED) {
        let span = diagnostic.span();
        let name = sources.slice(span).trim_matches('`').to_owned();
        if lines.iter().any(|(line, _)| within(span, *line)) {
        } else if let Some((line, advised)) = plain_line(sources, diagnostic) {
            lines.push((line, span));
            *diagnostic = advised;
        } else if let Some(help) = plain_word(&name) {
            let told = Diagnostic {
                repairs: None,
                ..diagnostic.clone().help(help.replace("{}", &name))
            };
            *diagnostic = match instead_of(&name) {
                Some(word) => told.writes(word),
                None => told,
            };
        } else if let Some(library) = library_that_declares(loader, &name) {
            let advised = diagnostic.clone().help(format!(
                "`{name}` is declared by `{library}`: write `use {library}`, or add it to the `use` line"
            ));
            *diagnostic = Diagnostic {
                repairs: None,
                ..advised
            }
            .mend(Repair::Use(library));
        }
    }
    diagnostics.retain(|d| {
        let is_told = |(line, at): &(Span, Span)| within(d.span(), *line) && d.span() != *at;
        !d.code.is(Class::Missing) || !lines.iter().any(is_told)
    });
    let performs = |item: &Item| {
        holds(&item.kind, &|kind| {
            matches!(kind, StatementKind::Perform { by: None, .. })
        })
    };
    let library = LazyCell::new(|| library_with(loader, "perform", performs));
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code == codes::NO_PERFORMER) {
        if let Some(library) = &*library {
            let help = format!("write `use {library}`, or a scene of a role with `perform` in it");
            *diagnostic = diagnostic.clone().help(help).mend(Repair::Use(library.clone()));
        }
    }
}

/// Whether a place lies within another.
fn within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

/// What is told of a whole line of plain English, and where that line is.
fn plain_line(sources: &Sources, diagnostic: &Diagnostic) -> Option<(Span, Diagnostic)> {
    let span = diagnostic.span();
    let name = sources.slice(span);
    let text = &sources.get(span.source).text;
    let (range, repair, written) =
        plain_word(name).and_then(|_| omerta_syntax::meant(text, span.start as usize))?;
    let line = Span::new(span.source, range.start, range.end);
    let advised = Diagnostic {
        repairs: None,
        ..diagnostic.clone().help(format!("write `{repair}`"))
    };
    let advised = match written {
        Some(text) => advised.mend(Repair::Instead {
            span: line,
            was: None,
            text,
        }),
        None => advised,
    };
    Some((line, advised))
}

fn library_that_declares(loader: &dyn Loader, name: &str) -> Option<String> {
    let declares = |item: &Item| declared_in(&item.kind).iter().any(|it| it.text == name);
    let is_long = name.len() > 1;
    is_long.then(|| library_with(loader, name, declares)).flatten()
}

/// Says of each statement that begins with a declared name how such a thing is done.
pub(super) fn advise_statements(sources: &Sources, symbols: &Symbols, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics
        .iter_mut()
        .filter(|d| d.code == codes::UNKNOWN_STATEMENT)
    {
        let span = diagnostic.span();
        let word = sources.slice(span);
        let text = &sources.get(span.source).text[span.start as usize..];
        let line = text[..text.find(['\n', ';', '}']).unwrap_or(text.len())].trim();
        let rest = line.strip_prefix(word).unwrap_or("").trim();
        let done = |rest: &str| match rest {
            "" => word.to_owned(),
            rest if rest.starts_with("of ") => format!("{word} {rest}"),
            rest => format!("{word} of {rest}"),
        };
        let repair = match symbols.get(word).map(|symbol| symbol.meaning) {
            Some(Meaning::Event(_)) => format!("an event is done: `do {}`", done(rest)),
            Some(Meaning::Scene(_)) => format!("a scene is played: `play {}`", done(rest)),
            Some(Meaning::Group(_)) if asks(rest) => {
                format!("somebody is asked: `ask {word} for x from living`, with a name for the answer")
            }
            Some(Meaning::Group(_)) => format!("a role or a team is called: `call {word}`"),
            _ => continue,
        };
        *diagnostic = diagnostic.clone().help(repair);
    }
}

/// `chooses somebody`
fn asks(rest: &str) -> bool {
    let verb = rest.split(' ').next().unwrap_or_default();
    matches!(
        verb,
        "chooses" | "picks" | "selects" | "names" | "votes" | "points"
    )
}

/// The library on the shelf that has something by that name.
fn library_with(loader: &dyn Loader, name: &str, has: impl Fn(&Item) -> bool) -> Option<String> {
    let is_meant = |path: &String| {
        let loaded = loader.load(path).filter(|_| path.contains('.'));
        let Some(Loaded { name: file, text }) = loaded else {
            return false;
        };
        let is_library = text.lines().any(|line| line.starts_with("library "));
        let read = |text| parse_file(Sources::default().add(file, ""), text).0;
        is_library && text.contains(name) && read(&text).items.iter().any(&has)
    };
    loader.names().into_iter().find(is_meant)
}
