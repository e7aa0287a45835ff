//! A ruleset as a list of things that can differ: each with a sort, a name, and what it means as words.
//! Layout, remarks and the names that are only known inside a declaration mean nothing.

use crate::subject::Subject;
use omerta_core::source::Span;
use omerta_syntax::{
    Sort, runs,
    tree::{Clause, ItemKind, Name, Rule},
    walk::bound_in,
};
use std::collections::BTreeMap;

/// What is compared, in the order in which it is told.
pub const SORTS: [&str; 14] = [
    "Table",
    "Teams",
    "Roles",
    "When called",
    "Casts",
    "Script and scenes",
    "Events",
    "Rules",
    "Offers",
    "Endings",
    "Options",
    "Definitions",
    "What is remembered",
    "Cards and tokens",
];

/// A thing of a ruleset and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// Which of [`SORTS`].
    pub sort: &'static str,
    /// What it is called; two of one sort and name are compared.
    pub name: String,
    /// What it means, piece by piece.
    pub words: Vec<String>,
    /// What is shown where only one ruleset has it.
    pub label: String,
    /// What stands between the pieces where they are shown.
    pub joint: &'static str,
}

/// The things of a ruleset that its declarations say.
pub fn things(subject: Subject<'_>) -> Vec<Thing> {
    let reader = Reader { subject };
    subject
        .kinds()
        .flat_map(|(kind, span)| reader.declaration(kind, span))
        .collect()
}

struct Reader<'a> {
    subject: Subject<'a>,
}

impl Reader<'_> {
    fn declaration(&self, kind: &ItemKind, span: Span) -> Vec<Thing> {
        let text = |sort, name: &str| vec![self.thing(sort, name.to_owned(), kind, span)];
        match kind {
            ItemKind::Scene { name, .. } => text("Script and scenes", &name.text),
            ItemKind::Script(_) => text("Script and scenes", "the script"),
            ItemKind::Event { name, .. } | ItemKind::EventGroup { name, .. } => text("Events", &name.text),
            ItemKind::Rule(rule) => text("Rules", &rule.name.text),
            ItemKind::Allow(allow) => text("Offers", &allow.name.text),
            ItemKind::Ending(ending) => match &ending.name {
                Some(name) => text("Endings", &name.text),
                // Told by its place among the endings, which says its test.
                None => Vec::new(),
            },
            // What holds for one role or team stands beside what holds for all others.
            ItemKind::Define {
                name,
                param: Some(param),
                ..
            } if self.subject.rules.group_named(&param.name.text).is_some() => {
                text("Definitions", &format!("{} of {}", name.text, param.name.text))
            }
            ItemKind::Define { name, .. } => text("Definitions", &name.text),
            ItemKind::Clause(Clause { name, .. }) => {
                // Several clauses of one definition are told apart by their words alone.
                let mut thing = self.thing("Definitions", String::new(), kind, span);
                thing.name = format!("clause of {}: {}", name.text, thing.words.join(" "));
                thing.words.clear();
                let text: Vec<&str> = self.subject.sources.slice(span).split_whitespace().collect();
                thing.label = text.join(" ");
                vec![thing]
            }
            ItemKind::Require { name, .. } | ItemKind::Warn { name, .. } => text("Casts", &name.text),
            ItemKind::Token { name, .. } | ItemKind::Zone { name, .. } => {
                text("Cards and tokens", &name.text)
            }
            ItemKind::Hook { name, .. } => text("Definitions", &name.text),
            ItemKind::Mark { names, .. }
            | ItemKind::Flag { names, .. }
            | ItemKind::Count { names, .. }
            | ItemKind::Link { names, .. } => self.remembered(names, span),
            ItemKind::Team { name, parts, .. } => self.parts(&name.text, parts),
            ItemKind::Role(role) => self.parts(&role.name.text, &role.parts),
            _ => Vec::new(),
        }
    }

    fn thing(&self, sort: &'static str, name: String, kind: &ItemKind, span: Span) -> Thing {
        // A script knows what it is handed by the name that is written there.
        let locals = match kind {
            ItemKind::Hook { .. } => Vec::new(),
            kind => self.known(bound_in(kind)),
        };
        Thing {
            sort,
            label: name.clone(),
            name,
            words: normal(self.subject.sources.slice(span), &locals),
            joint: " ",
        }
    }

    /// Each name by itself: how they are put together on a line means nothing.
    fn remembered(&self, names: &[Name], span: Span) -> Vec<Thing> {
        let all = normal(self.subject.sources.slice(span), &[]);
        let is_name = |word: &String| names.iter().any(|name| name.text == *word);
        let words: Vec<String> = all
            .into_iter()
            .filter(|word| !is_name(word) && word != ",")
            .collect();
        let thing = |name: &Name| Thing {
            sort: "What is remembered",
            name: name.text.clone(),
            words: words.clone(),
            label: format!("{}: {}", name.text, words.join(" ")),
            joint: " ",
        };
        names.iter().map(thing).collect()
    }

    fn parts(&self, card: &str, parts: &[omerta_syntax::tree::Part]) -> Vec<Thing> {
        let thing = |part: &omerta_syntax::tree::Part| {
            let to = part.purpose.as_ref();
            let to = to.map_or_else(String::new, |to| format!(", to {}", to.text));
            let name = format!("what {card} does when called{to}");
            Thing {
                sort: "When called",
                label: name.clone(),
                name,
                words: normal(
                    self.subject.sources.slice(part.body.span),
                    &self.known(bound_in(&part.body)),
                ),
                joint: " ",
            }
        };
        parts.iter().map(thing).collect()
    }

    /// Names of answers that are also declared mean what was declared.
    fn known<'n>(&self, locals: Vec<&'n Name>) -> Vec<&'n str> {
        let rules = self.subject.rules;
        let is_declared = |name: &str| rules.fact_named(name).is_some();
        let locals = locals.into_iter().map(|name| name.text.as_str());
        locals.filter(|name| !is_declared(name)).collect()
    }
}

/// Rules on one thing whose order only the file gives, where the other file gives another.
pub fn turned_round(first: Subject<'_>, second: Subject<'_>) -> Vec<String> {
    let mut places = BTreeMap::new();
    for (at, (rule, _)) in first.rules_all().enumerate() {
        places.entry(rule.name.text.as_str()).or_insert(at);
    }
    let rules: Vec<(&Rule, Option<usize>)> = { second.rules_all() }
        .map(|(rule, _)| (rule, places.get(rule.name.text.as_str()).copied()))
        .collect();
    let mut lines = Vec::new();
    for (at, (rule, before)) in rules.iter().enumerate() {
        // Those that stood before it there and stand behind it here.
        let later = rules[at + 1..].iter();
        let later = later.filter(|(_, other)| other.is_some() && before.is_some() && other < before);
        for (other, _) in later.filter(|(other, _)| meet(rule, other)) {
            let (one, two) = (&other.name.text, &rule.name.text);
            lines.push(format!("~ order: [{one} before {two} → {two} before {one}]"));
        }
    }
    lines
}

/// Whether two rules come in at one moment of one thing, with no words about which comes first.
fn meet(one: &Rule, other: &Rule) -> bool {
    let says = |rule: &Rule, other: &Rule| rule.order.iter().any(|order| order.name.text == other.name.text);
    let on = |name: &Name| other.happening.names.iter().any(|other| other.text == name.text);
    let met = one.moment == other.moment && one.happening.names.iter().any(on);
    met && !says(one, other) && !says(other, one)
}

// ---- The normal form --------------------------------------------------------------------------------

/// The words of a text without remarks and layout; names known only inside stand as `first`, `second`
/// and so on, in the order in which they come.
fn normal(text: &str, locals: &[&str]) -> Vec<String> {
    let mut numbers = BTreeMap::new();
    normal_with(text, locals, &mut numbers)
}

fn normal_with(text: &str, locals: &[&str], numbers: &mut BTreeMap<String, usize>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (run, sort) in runs(text) {
        let word = &text[run];
        match sort {
            Sort::Comment => {}
            Sort::Sign if word == ";" => {}
            Sort::Text => {
                let told = slots(word, locals, numbers);
                match words.last_mut() {
                    // Texts side by side are one.
                    Some(before) if before.ends_with('"') && before.len() > 1 => {
                        before.pop();
                        before.push_str(&told[1..]);
                    }
                    _ => words.push(told),
                }
            }
            Sort::Word | Sort::Keyword => words.push(local(word.trim_matches('`'), locals, numbers)),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

fn local(word: &str, locals: &[&str], numbers: &mut BTreeMap<String, usize>) -> String {
    if !locals.contains(&word) {
        return word.to_owned();
    }
    let next = numbers.len() + 1;
    format!("#{}", numbers.entry(word.to_owned()).or_insert(next))
}

/// A text with the names in its slots in the normal form; what is said stays as it is.
fn slots(text: &str, locals: &[&str], numbers: &mut BTreeMap<String, usize>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..=open]);
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let end = rest.find(['}', ':', '{']).unwrap_or(rest.len());
        out.push_str(&normal_with(&rest[..end], locals, numbers).join(" "));
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}
