//! What of the rules no scenario touched: statements, branches, and everything with a name.

mod ledger;
mod report;
mod text;
mod trace;

pub use ledger::{Ledger, ledger};
pub use report::{FileReport, Report, Untouched, lcov};
pub use text::Coverage;
pub use trace::Trace;

use omerta_core::{
    rules::{GroupKind, Op, OptionSetting, Ruleset},
    source::{Source, SourceId, Sources, Span},
};
use omerta_play::session::Session;
use omerta_syntax::{
    parse_file,
    tree::{Item, ItemKind},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use text::{Sort, Text};
use trace::Watched;

/// Of an option with more values than this only some are asked for.
const LONG_RANGE: i64 = 8;

impl Coverage {
    /// Adds a game that was played, once more from its beginning.
    pub fn add(&mut self, session: &Session, sources: &Sources) {
        let rules = &*session.table().rules;
        let trace = retrace(session);
        let mut touched = Touched {
            coverage: self,
            sources,
        };
        touched.program(rules, &trace);
        touched.names(rules, session, &trace);
        for text in self.texts.values_mut() {
            text.note_overlays(&rules.overlays);
        }
    }

    /// Everything that was touched: its text, its place, and what it is.
    pub fn touched(&self) -> BTreeSet<(String, u32, String)> {
        let mut all = BTreeSet::new();
        for (name, text) in &self.texts {
            let mut add = |at: u32, what: String, count: usize| {
                if count > 0 {
                    all.insert((name.clone(), at, what));
                }
            };
            for (&(at, end), &count) in &text.places {
                add(at, format!("to {end}"), count);
            }
            for (&(at, _), &(on, past)) in &text.branches {
                add(at, "on".to_owned(), on);
                add(at, "past".to_owned(), past);
            }
            for ((at, sort, named), &count) in &text.named {
                add(*at, format!("{} {named}", sort.word()), count);
            }
        }
        all
    }
}

/// Plays a game again, with somebody who watches every step.
pub fn retrace(session: &Session) -> Trace {
    let table = session.table();
    let hooks = Arc::new(Watched::new(table.hooks.clone(), table.rules.hooks.len()));
    let mut trace = Trace::new(table.rules.code.len());
    session.retrace_with(hooks.clone(), &mut trace);
    trace.hooks = hooks.asked();
    trace
}

struct Touched<'a> {
    coverage: &'a mut Coverage,
    sources: &'a Sources,
}

impl Touched<'_> {
    /// The text of a place, if it is one of a file.
    fn text(&mut self, id: SourceId) -> Option<&mut Text> {
        let source = self.sources.get(id);
        if !source.name.ends_with(".mafia") {
            return None;
        }
        let text = self.coverage.texts.entry(source.name.clone());
        Some(text.or_insert_with(|| Text::new(source)))
    }

    /// Statements and branches. Several instructions of one place count as one.
    fn program(&mut self, rules: &Ruleset, trace: &Trace) {
        let mut places: BTreeMap<Span, bool> = BTreeMap::new();
        let mut branches: BTreeMap<Span, (bool, bool)> = BTreeMap::new();
        // Code that only works a value out stands behind the program and is not traced.
        for (at, &origin) in rules.origins.iter().enumerate().take(aside(rules)) {
            *places.entry(origin).or_default() |= trace.came_to(at);
            let (Op::JumpUnless { .. }, Some(&next)) = (&rules.code[at], rules.origins.get(at + 1)) else {
                continue;
            };
            if next != origin
                && next.source == origin.source
                && next.start > origin.start
                && next.end <= origin.end
            {
                let (on, past) = branches.entry(origin).or_default();
                *on |= trace.went_on(at);
                *past |= trace.jumped(at);
            }
        }
        for (span, touched) in places.into_iter().filter(|(span, _)| span.end > span.start) {
            if let Some(text) = self.text(span.source) {
                *text.places.entry((span.start, span.end)).or_default() += usize::from(touched);
            }
        }
        for (span, (on, past)) in branches {
            if let Some(text) = self.text(span.source) {
                let counts = text.branches.entry((span.start, span.end)).or_default();
                counts.0 += usize::from(on);
                counts.1 += usize::from(past);
            }
        }
    }

    fn name(&mut self, origin: Span, sort: Sort, name: &str, touched: bool) {
        if let Some(text) = self.text(origin.source) {
            let count = text
                .named
                .entry((origin.start, sort, name.to_owned()))
                .or_default();
            *count += usize::from(touched);
        }
    }

    fn names(&mut self, rules: &Ruleset, session: &Session, trace: &Trace) {
        let cards = &session.table().cast.cards;
        for (index, group) in rules.groups.iter().enumerate() {
            if group.kind == GroupKind::Role {
                let dealt = cards.iter().any(|card| card.index() == index);
                self.name(
                    group.origin,
                    Sort::Role,
                    &group.name,
                    dealt || trace.turned.contains(&index),
                );
            }
        }
        for part in &rules.parts {
            let entry = rules.procs[part.proc.index()].entry as usize;
            let title = &rules.groups[part.title.index()].name;
            let name = match part.purpose {
                0 => title.clone(),
                purpose => format!("{title} to {}", rules.purposes[usize::from(purpose)]),
            };
            self.name(rules.origins[entry], Sort::Call, &name, trace.came_to(entry));
        }
        for (index, (name, origin)) in rules.rules.iter().enumerate() {
            self.name(*origin, Sort::Rule, name, trace.rules.contains(&index));
        }
        for (index, offer) in rules.offers.iter().enumerate() {
            self.name(
                offer.origin,
                Sort::Offer,
                &offer.name,
                trace.offers.contains(&index),
            );
        }
        for (index, ending) in rules.endings.iter().enumerate() {
            self.name(
                ending.origin,
                Sort::Ending,
                &ending.name,
                trace.endings.contains(&index),
            );
        }
        for (index, hook) in rules.hooks.iter().enumerate() {
            self.name(hook.origin, Sort::Hook, &hook.name, trace.hooks.contains(&index));
        }
        self.options(rules);
    }

    /// Each value of each option, where the option is declared.
    fn options(&mut self, rules: &Ruleset) {
        let groups = rules.groups.iter().map(|group| group.origin.source);
        let code = rules.origins.iter().map(|origin| origin.source);
        let ids: BTreeSet<SourceId> = groups.chain(code).collect();
        for option in &rules.options {
            let declared = ids.iter().find_map(|&id| {
                let at = *self.text(id)?.options.get(&option.name)?;
                Some(Span {
                    source: id,
                    start: at,
                    end: at,
                })
            });
            let Some(origin) = declared else { continue };
            for value in values_of(option) {
                let name = format!("{} = {value}", option.name);
                self.name(origin, Sort::Option, &name, value == option.value);
            }
        }
    }
}

/// The values that an option may have, one by one; of a long range only its ends and its default.
pub fn values_of(option: &OptionSetting) -> Vec<String> {
    let mut values = Vec::new();
    for value in &option.values {
        let ends = value
            .split_once("..")
            .and_then(|(from, to)| Some((from.parse::<i64>().ok()?, to.parse::<i64>().ok()?)));
        match ends {
            Some((from, to)) if to - from < LONG_RANGE => values.extend((from..=to).map(|n| n.to_string())),
            Some((from, to)) => values.extend([from.to_string(), to.to_string(), option.default.clone()]),
            None => values.push(value.clone()),
        }
    }
    values
}

impl Text {
    fn new(source: &Source) -> Self {
        let (file, _) = parse_file(SourceId(0), &source.text);
        let mut text = Text {
            source: source.clone(),
            places: BTreeMap::new(),
            branches: BTreeMap::new(),
            named: BTreeMap::new(),
            overlays: BTreeMap::new(),
            options: BTreeMap::new(),
        };
        text.read(&file.items);
        text
    }

    /// Notes where options and overlays are declared.
    fn read(&mut self, items: &[Arc<Item>]) {
        for item in items {
            match &item.kind {
                ItemKind::Option { name, .. } => {
                    self.options.insert(name.text.clone(), item.span.start);
                }
                ItemKind::Overlay { name, items, .. } => {
                    self.overlays.insert((item.span.start, name.text.clone()), 0);
                    self.read(items);
                }
                ItemKind::Section { items, .. } => self.read(items),
                _ => {}
            }
        }
    }

    fn note_overlays(&mut self, used: &[String]) {
        for ((_, name), count) in &mut self.overlays {
            *count += usize::from(used.contains(name));
        }
    }
}

/// Where the code begins that only works values out: at the first piece that a table names.
fn aside(rules: &Ruleset) -> usize {
    let mut first = rules.code.len();
    rules.for_each_thunk(&mut |thunk| first = first.min(thunk.at as usize));
    first
}
