//! Better advice about names that are not there: one that a library of the shelf declares, one that is
//! an article.
//!
//! Looks only at what has been found wrong already; it finds nothing wrong itself.

use crate::symbol::{Meaning, Symbols};
use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::source::{Loaded, Loader, Sources};
use omerta_syntax::parse_file;
use omerta_syntax::tree::{Item, StatementKind};
use omerta_syntax::walk::{declared_in, holds};

/// The articles of the language people speak.
const ARTICLES: &[&str] = &["a", "an", "the"];

/// Says of each missing name where it can be had.
pub(super) fn advise(sources: &Sources, loader: &dyn Loader, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code.is(Class::Missing)) {
        let name = sources.slice(diagnostic.span()).trim_matches('`').to_owned();
        if ARTICLES.contains(&name.as_str()) {
            *diagnostic = diagnostic.clone().help(format!("leave `{name}` out"));
        } else if let Some(library) = library_that_declares(loader, &name) {
            let advised = diagnostic.clone();
            *diagnostic = advised.help(format!(
                "`{name}` is declared by `{library}`: write `use {library}`, or add it to the `use` line"
            ));
        }
    }
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code == codes::NO_PERFORMER) {
        let performs = |item: &Item| {
            holds(&item.kind, &|kind| {
                matches!(kind, StatementKind::Perform { by: None, .. })
            })
        };
        if let Some(library) = library_with(loader, "perform", performs) {
            let help = format!("write `use {library}`, or a scene of a role with `perform` in it");
            *diagnostic = diagnostic.clone().help(help);
        }
    }
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
            Some(Meaning::Group(_)) => format!("a role or a team is called: `call {word}`"),
            _ => continue,
        };
        *diagnostic = diagnostic.clone().help(repair);
    }
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
