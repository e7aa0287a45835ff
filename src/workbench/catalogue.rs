//! What the bundled files and those beside a ruleset are, by their first words: no check is needed to
//! list them.

use crate::bundle;
use omerta_core::source::SourceId;
use omerta_syntax::{
    parse_file,
    tree::{ItemKind, Name, Text},
};

/// A ruleset, a library or an overlay as its head tells of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is called on the command line.
    pub name: String,
    /// What people see.
    pub title: String,
    /// What it is.
    pub sort: Sort,
}

/// What a file can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A game, and for how many players.
    Ruleset { players: Option<(i64, i64)> },
    /// Procedures that games share.
    Library,
    /// A modification, and of what.
    Overlay { bases: Vec<String> },
}

/// Everything bundled: rulesets, then libraries, then overlays, each in the order of their files.
pub fn bundled() -> Vec<Entry> {
    let mut entries: Vec<Entry> = bundle::all()
        .flat_map(|file| {
            let path = file
                .path()
                .with_extension("")
                .display()
                .to_string()
                .replace(['/', '\\'], ".");
            entries(&path, file.contents_utf8().unwrap_or_default())
        })
        .collect();
    entries.sort_by_key(|entry| match entry.sort {
        Sort::Ruleset { .. } => 0,
        Sort::Library => 1,
        Sort::Overlay { .. } => 2,
    });
    entries
}

/// What a text says it is; a library goes by its path.
pub fn entries(path: &str, text: &str) -> Vec<Entry> {
    let (file, _) = parse_file(SourceId::default(), text);
    let players = file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Players { range, .. } => Some((range.from.value, range.to.value)),
        _ => None,
    });
    let entry = |name: &Name, title: &Option<Text>, sort| {
        let title = title.as_ref().map_or_else(|| name.text.clone(), Text::plain);
        let name = if sort == Sort::Library {
            path.to_owned()
        } else {
            name.text.clone()
        };
        Some(Entry { name, title, sort })
    };
    let entry = |kind: &ItemKind| match kind {
        ItemKind::Ruleset { name, title } => entry(name, title, Sort::Ruleset { players }),
        ItemKind::Library { name, title } => entry(name, title, Sort::Library),
        ItemKind::Overlay {
            name, title, bases, ..
        } => {
            let bases = bases.iter().map(|base| base.text.clone()).collect();
            entry(name, title, Sort::Overlay { bases })
        }
        _ => None,
    };
    file.items.iter().filter_map(|item| entry(&item.kind)).collect()
}
