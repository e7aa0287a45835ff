//! What of a ruleset an overlay can hold on to, by sort: scenes, events, what is remembered, words with
//! names, definitions, rules, zones, tokens and classes, each with whether it is published.

use omerta_check::{Meaning, Names};
use omerta_core::rules::{Event, Fact, FactShape, GroupKind, Kind, Ruleset};

/// How long a line of names may become.
const WIDTH: usize = 96;

/// A heading and what stands below it.
pub type Part = (&'static str, Vec<Vec<String>>);

/// A ruleset with its names.
pub struct Inside<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The names, and which of them are published.
    pub names: &'a Names,
}

impl Inside<'_> {
    /// All parts, in the order in which an author looks for them. A row of one cell is a line of names.
    pub fn parts(&self) -> Vec<Part> {
        let rules = self.rules;
        let scenes = rules.scenes.iter().map(|scene| scene.name.as_str());
        let symbols = &self.names.symbols;
        let defines = symbols.of_sort(|meaning| matches!(meaning, Meaning::Define(_)));
        let words = rules.words.iter().map(String::as_str);
        let named = rules.rules.iter().map(|(name, _)| name.as_str());
        vec![
            ("Scenes", self.line(scenes)),
            ("Events", self.events()),
            ("What is remembered", self.facts()),
            ("Definitions", self.line(defines)),
            ("Words and waits with a name", self.line(words)),
            ("Rules", self.line(named)),
            ("Zones", self.zones()),
            ("Tokens and classes", self.groups()),
        ]
    }

    /// A name; with a star where overlays may use it.
    fn starred(&self, name: &str) -> String {
        match self.names.symbols.published.contains(name) {
            true => format!("{name}*"),
            false => name.to_owned(),
        }
    }

    /// Names side by side, in lines that are not too long.
    fn line<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Vec<String>> {
        let mut lines: Vec<String> = Vec::new();
        for name in names {
            let name = self.starred(name);
            match lines.last_mut() {
                Some(line) if line.chars().count() + name.chars().count() + 2 <= WIDTH => {
                    line.push_str(", ");
                    line.push_str(&name);
                }
                _ => lines.push(name),
            }
        }
        lines.into_iter().map(|line| vec![line]).collect()
    }

    fn events(&self) -> Vec<Vec<String>> {
        let row = |event: &Event| {
            let places = [event.of.then_some("of"), event.by.then_some("by")];
            let with: Vec<&str> = event.with.iter().map(|kind| with(*kind)).collect();
            let with = (!with.is_empty()).then(|| format!("with {}", with.join(" … and ")));
            let places = places.into_iter().flatten().map(str::to_owned).chain(with);
            vec![self.starred(&event.name), places.collect::<Vec<_>>().join(" … ")]
        };
        self.rules.events.iter().map(row).collect()
    }

    fn facts(&self) -> Vec<Vec<String>> {
        let shown = self.rules.facts.iter().filter(|fact| !fact.hidden);
        let title = |name: &str, title: &str| {
            if title == name {
                String::new()
            } else {
                title.to_owned()
            }
        };
        shown
            .map(|fact| {
                let name = self.starred(&fact.name);
                vec![name, shape(fact).to_owned(), title(&fact.name, &fact.title)]
            })
            .collect()
    }

    fn zones(&self) -> Vec<Vec<String>> {
        let row = |zone: &omerta_core::rules::Zone| {
            let whose = if zone.of_each { "of each" } else { "" };
            vec![zone.name.clone(), whose.to_owned(), zone.title.clone()]
        };
        self.rules.zones.iter().map(row).collect()
    }

    fn groups(&self) -> Vec<Vec<String>> {
        let row = |group: &omerta_core::rules::Group| {
            let sort = match group.kind {
                GroupKind::Token => "token",
                GroupKind::Face => "face",
                GroupKind::Class => "class",
                GroupKind::Role | GroupKind::Team => return None,
            };
            Some(vec![group.name.clone(), sort.to_owned(), group.title.clone()])
        };
        self.rules.groups.iter().filter_map(row).collect()
    }
}

/// How `with` reads for what an event is handed.
fn with(kind: Kind) -> &'static str {
    match kind {
        Kind::Players => "players",
        Kind::Cards => "card",
        Kind::Titles => "role",
        Kind::Number | Kind::Truth | Kind::Word | Kind::Text => "number",
    }
}

/// A shape as it is declared.
fn shape(fact: &Fact) -> &'static str {
    match fact.shape {
        FactShape::Count if !fact.words.is_empty() => "word",
        FactShape::CountOfEach if !fact.words.is_empty() => "word of each",
        FactShape::Count if fact.text => "text",
        FactShape::CountOfEach if fact.text => "text of each",
        FactShape::Mark => "mark",
        FactShape::MarkOne => "mark one",
        FactShape::MarkInOrder { .. } => "mark in order",
        FactShape::Flag => "flag",
        FactShape::Count => "count",
        FactShape::CountOfEach => "count of each",
        FactShape::Link { one, to } => match (to, one) {
            (Kind::Titles, false) => "link to roles",
            (Kind::Titles, true) => "link one to roles",
            (Kind::Cards, false) => "link to cards",
            (Kind::Cards, true) => "link one to cards",
            (_, false) => "link",
            (_, true) => "link one",
        },
    }
}
