//! Lays overlays on a base: replaces, removes and chooses by name, and refuses what does not fit.
//!
//! Overlays form a set: the result never depends on the order in which they were named, and two that
//! touch one thing in different ways are an error that shows both places.

use crate::errors;
use crate::grounds::Grounds;
use crate::layer::Layer;
use crate::load::{Declared, Gathered, OverlayHead};
use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::{Diagnostic, Repair, close_name};
use omerta_core::source::{SourceId, Sources, Span};
use omerta_syntax::same_words;
use omerta_syntax::tree::{Block, Item, ItemKind, Name, OptionValue};
use omerta_syntax::walk::declared_in;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The declarations after all overlays have been laid on.
pub struct Merged {
    /// What is left, base first.
    pub items: Vec<Declared>,
    /// Names of what has been removed, by whom and where.
    pub removed: BTreeMap<String, (Layer, Span)>,
    /// The files in which something is replaced, removed or chosen.
    pub editors: BTreeSet<SourceId>,
    /// Options the overlays choose, by name.
    pub chosen: BTreeMap<String, (String, Span)>,
}

/// Checks that the overlays fit the base and each other.
pub fn check_fit(gathered: &Gathered, diagnostics: &mut Vec<Diagnostic>) {
    let Some(base) = &gathered.name else { return };
    let laid: Vec<&str> = gathered.overlays.iter().map(|o| o.name.text.as_str()).collect();
    for overlay in &gathered.overlays {
        if !overlay.bases.iter().any(|b| b.text == base.text) {
            diagnostics.push(errors::overlay_not_for_base(&overlay.name, &overlay.bases, base));
        }
        let missing: Vec<&Name> = { overlay.needs.iter() }
            .filter(|need| !laid.contains(&need.text.as_str()))
            .collect();
        if let [first, ..] = missing[..] {
            let all: Vec<&str> = missing.iter().map(|need| need.text.as_str()).collect();
            diagnostics.push(errors::overlay_needs(&overlay.name, first, &all));
        }
        for refused in &overlay.refuses {
            if let Some(other) = gathered.overlays.iter().find(|o| o.name.text == refused.text) {
                diagnostics.push(errors::overlay_refuses(&overlay.name, refused, &other.name));
            }
        }
    }
}

/// Lays the overlays on.
pub fn merge(
    gathered: Gathered,
    grounds: &Grounds,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Merged {
    let mut merger = Merger {
        sources,
        grounds,
        items: Vec::new(),
        edits: BTreeMap::new(),
        chosen: BTreeMap::new(),
        by_base: BTreeSet::new(),
        published: published(&gathered.items),
        overlays: gathered.overlays,
        diagnostics,
    };
    let mut edits = Vec::new();
    for declared in gathered.items {
        match declared.item.kind {
            ItemKind::Replace(_)
            | ItemKind::ReplaceCall { .. }
            | ItemKind::Remove(_)
            | ItemKind::Choose { .. } => {
                edits.push(declared);
            }
            ItemKind::Players { .. } => {
                let span = declared.item.span;
                // An overlay's stand in the place of the base's.
                if declared.layer != Layer::Base {
                    merger.note("number of `players`".to_owned(), declared.layer, span, Some(span));
                }
                merger.items.push(declared);
            }
            _ => merger.items.push(declared),
        }
    }
    let editors = edits.iter().map(|edit| edit.item.span.source).collect();
    for edit in edits {
        merger.edit(edit);
    }
    let removed = merger.edits.iter().filter(|(_, edit)| edit.2.is_none());
    let removed = removed
        .filter_map(|(key, edit)| Some((key.split('`').nth(1)?.to_owned(), (edit.0, edit.1))))
        .collect();
    Merged {
        removed,
        editors,
        items: merger.items,
        chosen: merger.chosen,
    }
}

struct Merger<'a> {
    sources: &'a Sources,
    grounds: &'a Grounds,
    items: Vec<Declared>,
    /// What has been replaced or removed: by whom and where, and what stands there instead.
    edits: BTreeMap<String, (Layer, Span, Option<Span>)>,
    chosen: BTreeMap<String, (String, Span)>,
    /// Which of them the base has chosen itself.
    by_base: BTreeSet<String>,
    published: BTreeSet<String>,
    overlays: Vec<OverlayHead>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Merger<'_> {
    fn report(&mut self, problem: Diagnostic) {
        self.diagnostics.push(problem);
    }

    /// The names of the declarations of some sorts.
    fn known(&self, is: impl Fn(&str) -> bool) -> Vec<&str> {
        let known = self.items.iter().filter_map(|d| declared_name(&d.item));
        known
            .filter(|(sort, _)| is(sort))
            .map(|(_, name)| name.text.as_str())
            .collect()
    }

    fn edit(&mut self, edit: Declared) {
        match Arc::unwrap_or_clone(edit.item).kind {
            ItemKind::Replace(item) => self.replace(edit.layer, *item),
            ItemKind::ReplaceCall { card, purpose, body } => {
                self.replace_call(edit.layer, &card, purpose, body)
            }
            ItemKind::Remove(names) => {
                for name in &names {
                    self.remove(edit.layer, name);
                }
            }
            ItemKind::Choose { name, value } => self.choose(edit.layer, &name, &value),
            _ => {}
        }
    }

    fn overlay_name(&self, layer: Layer) -> String {
        match layer {
            Layer::Base => "the base".to_owned(),
            Layer::Overlay(i) => self.overlays[i].name.text.clone(),
        }
    }

    /// Notes an edit; `false` when somebody else edited the same thing in another way.
    fn note(&mut self, key: String, layer: Layer, span: Span, text: Option<Span>) -> bool {
        if let Some((other, first, done)) = self.edits.get(&key) {
            let same = match (done, text) {
                (None, None) => true,
                (Some(a), Some(b)) => same_words(self.sources.slice(*a), self.sources.slice(b)),
                _ => false,
            };
            if same {
                return false;
            }
            let (a, b) = (self.overlay_name(*other), self.overlay_name(layer));
            self.report(errors::edited_twice(&key, span, &b, *first, &a));
            return false;
        }
        self.edits.insert(key, (layer, span, text));
        true
    }

    fn replace(&mut self, layer: Layer, item: Item) {
        if let Some(sort) = nameless(&item) {
            self.replace_nameless(layer, sort, item);
            return;
        }
        let Some((sort, name)) = declared_name(&item) else {
            return self.report(errors::cannot_replace(item.span));
        };
        let name = name.clone();
        let key = format!("{sort} `{}`", name.text);
        if self.edits.get(&key).is_some_and(|edit| edit.2.is_none()) {
            self.note(key, layer, name.span, Some(item.span));
            return;
        }
        let place = self.items.iter().position(|d| {
            let elsewhere = d.layer != layer || d.item.span.source != item.span.source;
            elsewhere && declared_name(&d.item).is_some_and(|(s, n)| s == sort && n.text == name.text)
        });
        let Some(place) = place else {
            let known = self.known(|other| other == sort);
            let problem = errors::nothing_to_replace(sort, &name, &known, (self.grounds, layer));
            // What is there under that name is of another sort.
            let mut others = self.items.iter().filter_map(|d| declared_name(&d.item));
            let other = others.find(|(other, there)| *other != sort && there.text == name.text);
            let meant = close_name(&name.text, known.iter().copied());
            // It goes by the first name of its line.
            let beside = self.items.iter().find_map(|declared| {
                let mut names = declared_in(&declared.item.kind).into_iter();
                let first = names.next().filter(|_| declared.item.word == sort)?;
                names.any(|other| other.text == name.text).then_some(&first.text)
            });
            if let Some(first) = beside {
                return self.report(problem.help(format!(
                    "`{}` stands in the line of `{first}`, which goes as a whole: write `replace {sort} {first}, …`",
                    name.text
                )));
            }
            return match other.map(|(other, _)| other).filter(|_| meant.is_none()) {
                Some(other) => self.report(problem.help(format!(
                    "`{0}` is declared with `{other}`: write `replace {other} {0} …`",
                    name.text
                ))),
                None => self.report(problem),
            };
        };
        self.check_published(layer, place, sort, &name);
        // What a ruleset makes of its libraries comes first and quarrels with nobody.
        if layer == Layer::Base || self.note(key, layer, name.span, Some(item.span)) {
            self.items[place] = Declared {
                layer,
                item: Arc::new(item),
            };
        }
    }

    /// `replace script { … }`, `replace cast { … }`: there is one of each.
    fn replace_nameless(&mut self, layer: Layer, sort: &'static str, item: Item) {
        let place = self
            .items
            .iter()
            .position(|d| d.item.span != item.span && nameless(&d.item) == Some(sort));
        let Some(place) = place else {
            return self.report(errors::cannot_replace(item.span));
        };
        if layer == Layer::Base || self.note(sort.to_owned(), layer, item.span, Some(item.span)) {
            self.items[place] = Declared {
                layer,
                item: Arc::new(item),
            };
        }
    }

    /// An overlay may change only what its base publishes; casts and demands on them stand open.
    fn check_published(&mut self, layer: Layer, place: usize, sort: &str, name: &Name) {
        let target = &self.items[place];
        let open = matches!(
            sort,
            "require" | "warn" | "cast" | "role" | "team" | "class" | "token" | "option" | "zone"
        );
        if layer != Layer::Base
            && target.layer == Layer::Base
            && !open
            && !self.published.contains(&name.text)
        {
            let declared = target.item.span;
            let on = (self.grounds, layer);
            let told = errors::not_published(name, declared, &self.published, on);
            let name = name.text.clone();
            self.report(told.mend(Repair::Publish { name, declared }));
        }
    }

    fn replace_call(&mut self, layer: Layer, card: &Name, purpose: Option<Name>, body: Block) {
        let wanted = purpose.as_ref().map(|p| p.text.clone());
        let key = match &wanted {
            Some(p) => format!("call `{}` to `{p}`", card.text),
            None => format!("call `{}`", card.text),
        };
        let is_it = |declared: &&mut Declared| match &declared.item.kind {
            ItemKind::Team { name, .. } => name.text == card.text,
            ItemKind::Role(role) => role.name.text == card.text,
            _ => false,
        };
        let found = self.items.iter_mut().rfind(is_it);
        let found = found.and_then(|declared| match &mut Arc::make_mut(&mut declared.item).kind {
            ItemKind::Team { parts, .. } => Some(parts),
            ItemKind::Role(role) => Some(&mut role.parts),
            _ => None,
        });
        let Some(parts) = found else {
            let known = self.known(|sort| matches!(sort, "role" | "team"));
            let problem = errors::no_such_card(card, &known, (self.grounds, layer));
            return self.report(problem);
        };
        let span = card.span;
        let Some(part) = parts
            .iter_mut()
            .find(|p| p.purpose.as_ref().map(|p| &p.text) == wanted.as_ref())
        else {
            self.report(errors::no_such_part(
                card,
                purpose.as_ref(),
                (self.grounds, layer),
            ));
            return;
        };
        let text = body.span;
        part.body = body;
        self.note(key, layer, span, Some(text));
    }

    fn remove(&mut self, layer: Layer, name: &Name) {
        let place = self
            .items
            .iter()
            .position(|d| declared_name(&d.item).is_some_and(|(_, n)| n.text == name.text));
        if let Some(place) = place {
            let (sort, _) = declared_name(&self.items[place].item).expect("it was found by its name");
            self.check_published(layer, place, sort, name);
            if self.note(format!("{sort} `{}`", name.text), layer, name.span, None) {
                self.items.remove(place);
            }
        } else if !self
            .edits
            .iter()
            .any(|(k, e)| e.2.is_none() && k.ends_with(&format!("`{}`", name.text)))
        {
            let problem = errors::nothing_to_remove(name, &self.known(|_| true), (self.grounds, layer));
            self.report(problem);
        }
    }

    fn choose(&mut self, layer: Layer, name: &Name, value: &OptionValue) {
        let text = option_text(value);
        if layer == Layer::Base {
            self.by_base.insert(name.text.clone());
        }
        if let Some((other, span)) = self.chosen.get(&name.text) {
            let by_base = layer != Layer::Base && self.by_base.contains(&name.text);
            if *other != text {
                self.report(errors::chosen_twice(name, &text, (*span, by_base), other));
            }
            return;
        }
        self.chosen.insert(name.text.clone(), (text, name.span));
    }
}

/// An option's value as it is written.
pub fn option_text(value: &OptionValue) -> String {
    match value {
        OptionValue::Word(name) => name.text.clone(),
        OptionValue::Int(int) => int.value.to_string(),
    }
}

/// Blames an overlay for what it took out and something still uses, and not the base that uses it; and a ruleset for what
/// it took out of a library.
pub fn blame_removals(
    sources: &Sources,
    removed: &BTreeMap<String, (Layer, Span)>,
    (base, overlays): (&str, &[String]),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut blamed = BTreeSet::new();
    let mut found = Vec::new();
    diagnostics.retain(|problem| {
        let name = sources.slice(problem.span());
        let missing = problem.code.is(Class::Removable);
        let Some((by, place)) = removed.get(name).filter(|_| missing) else {
            return true;
        };
        if blamed.insert(name.to_owned()) {
            let by = match by {
                Layer::Base => base,
                Layer::Overlay(by) => overlays.get(*by).map_or("the overlay", String::as_str),
            };
            found.push(errors::removed_and_used(name, by, *place, problem.span()));
        }
        false
    });
    // Overlays that refuse each other take nothing from each other.
    if !diagnostics.iter().any(|d| d.code == codes::REFUSED_OVERLAY) {
        diagnostics.append(&mut found);
    }
}

/// The sort and the name of a declaration that has one.
fn declared_name(item: &Item) -> Option<(&'static str, &Name)> {
    let name = declared_in(&item.kind).into_iter().next()?;
    Some((item.word, name))
}

/// The sort of a declaration that has no name because there is only one.
fn nameless(item: &Item) -> Option<&'static str> {
    let alone = matches!(
        &item.kind,
        ItemKind::Script(_) | ItemKind::Cast { name: None, .. }
    );
    alone.then_some(item.word)
}

/// The names the base publishes for overlays.
fn published(items: &[Declared]) -> BTreeSet<String> {
    let lists = items.iter().filter_map(|d| match &d.item.kind {
        ItemKind::Publish(names) => Some(names),
        _ => None,
    });
    lists.flatten().map(|n| n.text.clone()).collect()
}
