//! Better advice about names that are not there: one that a library of the shelf declares, one that is
//! an article.
//!
//! Looks only at what has been found wrong already; it finds nothing wrong itself.

use crate::symbol::{Meaning, Symbols};
use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::source::{Loader, Sources};
use omerta_syntax::parse_file;
use omerta_syntax::tree::Item;
use omerta_syntax::walk::declared_in;

/// The articles of the language people speak.
const ARTICLES: &[&str] = &["a", "an", "the"];

/// Says of each missing name where it can be had.
pub(super) fn advise(sources: &Sources, loader: &dyn Loader, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code.is(Class::Missing)) {
        let name = sources.slice(diagnostic.span()).trim_matches('`').to_owned();
        if ARTICLES.contains(&name.as_str()) {
            *diagnostic = diagnostic.clone().help(format!("leave `{name}` out"));
        } else if let Some(library) = library_with(loader, &name) {
            let advised = diagnostic.clone();
            *diagnostic = advised.help(format!(
                "`{name}` is declared by `{library}`: write `use {library}`, or add it to the `use` line"
            ));
        }
    }
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

/// The library on the shelf that declares a name.
fn library_with(loader: &dyn Loader, name: &str) -> Option<String> {
    let declares = |path: &String| {
        let Some(loaded) = loader.load(path) else {
            return false;
        };
        let is_library = loaded.text.lines().any(|line| line.starts_with("library "));
        if !is_library || !loaded.text.contains(name) {
            return false;
        }
        let id = Sources::default().add(loaded.name, "");
        let (file, _) = parse_file(id, &loaded.text);
        let declares = |item: &Item| {
            declared_in(&item.kind)
                .iter()
                .any(|declared| declared.text == name)
        };
        file.items.iter().any(declares)
    };
    (name.len() > 1)
        .then(|| {
            loader
                .names()
                .into_iter()
                .filter(|path| path.contains('.'))
                .find(declares)
        })
        .flatten()
}
