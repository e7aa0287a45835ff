//! What each name stands for, who declared it, and who has used it.

use crate::grounds::Grounds;
use crate::layer::Layer;
use omerta_core::rules::{EventId, FactId, Group, GroupId, GroupKind, HookId, OptionId, SceneId, ZoneId};
use omerta_core::source::Span;
use omerta_syntax::words::WORDS;
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A role, team, class, token or face.
    Group(GroupId),
    /// A mark, flag, count or link.
    Fact(FactId),
    /// The other end of a link.
    Back(FactId),
    /// A zone.
    Zone(ZoneId),
    /// A define, by its place in the list of defines.
    Define(usize),
    /// A hook.
    Hook(HookId),
    /// An option.
    Option(OptionId),
    /// A scene.
    Scene(SceneId),
    /// An event.
    Event(EventId),
    /// A name for several events, by its place in [`Symbols::event_groups`].
    Events(usize),
}

impl Meaning {
    /// What a host would call it.
    pub fn sort(self, groups: &[Group]) -> &'static str {
        match self {
            Meaning::Group(group) => match groups[group.index()].kind {
                GroupKind::Role => "a role",
                GroupKind::Team => "a team",
                GroupKind::Class => "a class",
                GroupKind::Token => "a token",
                GroupKind::Face => "a face of a token",
            },
            Meaning::Fact(_) | Meaning::Back(_) => "something the game remembers",
            Meaning::Zone(_) => "a zone",
            Meaning::Define(_) => "a definition",
            Meaning::Hook(_) => "a hook",
            Meaning::Option(_) => "an option",
            Meaning::Scene(_) => "a scene",
            Meaning::Event(_) => "an event",
            Meaning::Events(_) => "a name for several events",
        }
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it stands for.
    pub meaning: Meaning,
    /// Where it was declared.
    pub span: Span,
    /// By whom.
    pub layer: Layer,
}

/// All declared names of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    map: BTreeMap<String, Symbol>,
    /// Which base is meant where a message is about an overlay.
    pub grounds: Grounds,
    /// Names the base and its libraries publish for overlays.
    pub published: BTreeSet<String>,
    /// The events of each name for several.
    pub event_groups: Vec<Vec<EventId>>,
    /// Names that were read somewhere.
    pub read: BTreeSet<String>,
    /// Names that were written somewhere.
    pub written: BTreeSet<String>,
    /// Words that are asked for or drawn, whatever becomes of them.
    pub offered: BTreeSet<String>,
}

impl Symbols {
    /// Declares a name; gives back the one that was there before, if any. What is below keeps its name against what is
    /// laid on it.
    pub fn declare(&mut self, name: &str, symbol: Symbol) -> Option<Symbol> {
        if let Some(before) = self.map.get(name).cloned() {
            if before.layer > symbol.layer {
                self.map.insert(name.to_owned(), symbol);
            }
            return Some(before);
        }
        self.map.insert(name.to_owned(), symbol);
        None
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.map.get(name)
    }

    /// The meaning of a name.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        self.get(name).map(|symbol| symbol.meaning)
    }

    /// All names, for "did you mean".
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str).chain(
            WORDS
                .iter()
                .filter(|word| word.value.is_some())
                .map(|word| word.name),
        )
    }

    /// All declared names.
    pub fn declared(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// The declared names of some meanings.
    pub fn of_sort<'a>(&'a self, is: impl Fn(Meaning) -> bool + 'a) -> impl Iterator<Item = &'a str> + 'a {
        self.map
            .iter()
            .filter(move |(_, s)| is(s.meaning))
            .map(|(n, _)| n.as_str())
    }

    /// All names with their symbols.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Symbol)> {
        self.map.iter().map(|(n, s)| (n.as_str(), s))
    }
}
