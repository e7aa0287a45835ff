//! First walk over the declarations: every name gets its meaning, every table its rows.

mod defines;
mod facts;
mod titles;

use crate::errors;
use crate::grounds::Grounds;
use crate::layer::Layer;
use crate::load::Declared;
use crate::overlay::option_text;
use crate::symbol::{Meaning, Symbol, Symbols};
use crate::table::{DefineTable, EventDecl, RuleEntry, RuleTable, SceneDecl};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{
    Event, EventId, FactId, GroupId, Hook, HookId, Kind, MOST_HANDED, OptionId, OptionSetting, ProcId,
    Ruleset, Scene, SceneId, SeenBy, Slot, Zone, ZoneId,
};
use omerta_core::source::Span;
use omerta_syntax::tree::{self, Expr, Item, ItemKind, Life, Name, OptionValue, OptionValues, Param, Text};
use omerta_syntax::words;
use std::collections::{BTreeMap, BTreeSet};

/// What only some people see.
#[derive(Clone, Copy, Debug)]
pub enum Seen {
    Zone(ZoneId),
    Backs(ZoneId),
    Fact(FactId),
}

/// Everything the later walks need.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// The tables, without code.
    pub rules: Ruleset,
    /// The names.
    pub symbols: Symbols,
    /// The defines.
    pub defines: DefineTable,
    /// The rules, not yet sorted by target.
    pub rule_table: RuleTable,
    /// The events, by id.
    pub events: Vec<EventDecl>,
    /// The scenes, by id.
    pub scenes: Vec<SceneDecl>,
    /// Lifetimes of facts: the fact, the scene, whether to its end.
    pub lives: Vec<(FactId, Life)>,
    /// Parts of roles and teams: the title, whether it is an ability, the parts.
    pub parts: Vec<(GroupId, bool, Vec<tree::Part>, Layer)>,
    /// Offers.
    pub offers: Vec<(tree::Allow, Layer)>,
    /// Endings.
    pub endings: Vec<(tree::Ending, Layer)>,
    /// Policies.
    pub policies: Vec<(tree::Policy, Span, Layer)>,
    /// The scripts; there should be one.
    pub scripts: Vec<(tree::Block, Span, Layer)>,
    /// Who sees something, where that has to be worked out.
    pub seen: Vec<(Seen, Expr)>,
    /// The roles that may stand in for another card, whatever the options say now.
    pub stand_ins: BTreeSet<GroupId>,
    /// Casts.
    pub casts: Vec<Item>,
    /// `require` and `warn`.
    pub checks: Vec<(Item, Layer)>,
    /// Where `players` stands.
    pub players: Option<Span>,
}

/// Makes the tables.
pub fn collect(
    items: &[Declared],
    chosen: &BTreeMap<String, (String, Span)>,
    grounds: Grounds,
    diagnostics: &mut Vec<Diagnostic>,
) -> Collected {
    let mut collector = Collector {
        out: Collected::default(),
        chosen,
        diagnostics,
        counted: Vec::new(),
    };
    collector.out.symbols.grounds = grounds;
    collector.titles(items);
    collector.facts(items);
    collector.rest(items);
    collector.defines(items);
    collector.asked(items);
    collector.slots(items);
    collector.out
}

struct Collector<'a> {
    out: Collected,
    chosen: &'a BTreeMap<String, (String, Span)>,
    diagnostics: &'a mut Vec<Diagnostic>,
    counted: Vec<FactId>,
}

impl Collector<'_> {
    fn report(&mut self, problem: Diagnostic) {
        self.diagnostics.push(problem);
    }

    fn declare(&mut self, name: &Name, meaning: Meaning, layer: Layer) {
        let is_seats = matches!(meaning, Meaning::Zone(_)) && name.text == "seats";
        if is_seats || words::is(&name.text, |word| word.value.is_some()) {
            self.report(errors::built_in_name(name));
            return;
        }
        let symbol = Symbol {
            meaning,
            span: name.span,
            layer,
        };
        if let Some(before) = self.out.symbols.declare(&name.text, symbol) {
            // Of a game and a library that it uses, which is read later, the game has it a second time; and so has an overlay
            // of what is declared below it.
            let is_of_library = before.layer == Layer::Base && before.span.source < name.span.source;
            let (again, first) = match before.layer > layer || is_of_library && layer == Layer::Base {
                true => (before.span, name.span),
                false => (name.span, before.span),
            };
            let again = Name::new(name.text.clone(), again);
            self.report(errors::declared_twice(&again, first));
        }
    }

    /// An offer's name is in one pot with all others: a policy speaks of it as of a question.
    fn offer(&mut self, allow: &tree::Allow, layer: Layer) {
        let symbol = self.out.symbols.get(&allow.name.text).map(|symbol| symbol.span);
        let same = |(other, _): &&(tree::Allow, Layer)| other.name.text == allow.name.text;
        let offer = self
            .out
            .offers
            .iter()
            .find(same)
            .map(|(other, _)| other.name.span);
        if let Some(before) = symbol.or(offer) {
            self.report(errors::declared_twice(&allow.name, before));
        }
        self.out.offers.push((allow.clone(), layer));
    }

    fn rest(&mut self, items: &[Declared]) {
        for d in items {
            self.item(&d.item, d.layer);
        }
        for d in items {
            if let ItemKind::EventGroup { name, events } = &d.item.kind {
                self.event_group(name, events, d.layer);
            }
        }
    }

    /// `event visit is kill, watch`: its events are declared anywhere.
    fn event_group(&mut self, name: &Name, events: &[Name], layer: Layer) {
        let symbols = &self.out.symbols;
        let meant = events.iter().map(|event| match symbols.meaning(&event.text) {
            Some(Meaning::Event(id)) => Ok(id),
            Some(other) => Err(errors::wrong_sort(
                event,
                "an event",
                other.sort(&self.out.rules.groups),
            )),
            None => {
                let known = symbols
                    .iter()
                    .filter(|(_, symbol)| matches!(symbol.meaning, Meaning::Event(_)));
                let known: Vec<&str> = known.map(|(name, _)| name).collect();
                Err(errors::unknown_happening(
                    event,
                    (&known, &[], &[]),
                    (&symbols.grounds, layer),
                ))
            }
        });
        let (mut ids, mut mistakes) = (Vec::new(), Vec::new());
        for event in meant {
            match event {
                Ok(id) if !ids.contains(&id) => ids.push(id),
                Ok(_) => {}
                Err(mistake) => mistakes.push(mistake),
            }
        }
        mistakes.into_iter().for_each(|mistake| self.report(mistake));
        // Who may wait for all of them may wait for each.
        let published = &mut self.out.symbols.published;
        if published.contains(&name.text) {
            published.extend(events.iter().map(|event| event.text.clone()));
        }
        let place = self.out.symbols.event_groups.len();
        self.out.symbols.event_groups.push(ids);
        self.declare(name, Meaning::Events(place), layer);
    }

    fn item(&mut self, item: &Item, layer: Layer) {
        match &item.kind {
            ItemKind::Publish(names) => {
                self.out
                    .symbols
                    .published
                    .extend(names.iter().map(|n| n.text.clone()));
            }
            ItemKind::Players { range, by_lot } => {
                let (from, to) = (
                    range.from.value.clamp(0, 255) as u8,
                    range.to.value.clamp(0, 255) as u8,
                );
                if from < 1 || to > 64 || from > to {
                    self.report(errors::bad_players(
                        range.from.span.to(range.to.span),
                        range.from.value,
                        range.to.value,
                    ));
                } else if layer == Layer::Base
                    && let Some(first) = self.out.players
                    && first.source == item.span.source
                {
                    self.report(errors::players_twice(item.span, first));
                }
                self.out.rules.seats = (from, to);
                self.out.rules.by_lot = *by_lot;
                self.out.players = Some(item.span);
            }
            ItemKind::Spare(Some(count)) => self.out.rules.spare += count.value.clamp(0, 32) as u8,
            ItemKind::Spare(None) => self.out.rules.spare_rest = true,
            ItemKind::Cast { name, .. } => {
                let same = |c: &&Item| matches!(&c.kind, ItemKind::Cast { name: n, .. } if n.as_ref().map(|n| &n.text) == name.as_ref().map(|n| &n.text));
                if let Some(first) = self.out.casts.iter().find(same) {
                    self.report(errors::two_casts(item.span, first.span));
                }
                self.out.casts.push(item.clone());
            }
            ItemKind::Needs(names) | ItemKind::Refuses(names) => {
                let span = names.first().map_or(item.span, |n| n.span);
                self.report(errors::only_overlays_need(span));
            }
            ItemKind::Require { .. } | ItemKind::Warn { .. } => self.out.checks.push((item.clone(), layer)),
            ItemKind::Zone {
                name,
                title,
                of_each,
                is_role,
                seen_by,
                backs,
            } => {
                self.zone(
                    name,
                    title.as_ref(),
                    (*of_each, *is_role),
                    (seen_by.as_ref(), backs.as_ref()),
                    layer,
                );
            }
            ItemKind::Event {
                name,
                of,
                by,
                with,
                body,
            } => {
                self.event(name, of.as_ref(), by.as_ref(), with.as_ref(), body, layer);
            }
            ItemKind::Scene {
                name,
                title,
                params,
                body,
            } => {
                let title = title.as_ref().map_or_else(|| name.text.clone(), Text::plain);
                self.scene(name, title, params, body, layer);
            }
            ItemKind::Script(body) => self.out.scripts.push((body.clone(), item.span, layer)),
            ItemKind::Rule(rule) => {
                let happening = &rule.happening;
                let patterns = happening.of.iter().chain(&happening.by);
                let named = patterns.filter_map(|pattern| pattern.name.as_ref());
                self.own_names(named.chain(&happening.with));
                let entry = RuleEntry {
                    rule: (**rule).clone(),
                    layer,
                };
                let before = self.out.rule_table.list.iter().map(|other| &other.rule.name);
                let again = again(&rule.name, before);
                self.diagnostics.extend(again);
                self.out
                    .rules
                    .rules
                    .push((rule.name.text.clone(), rule.name.span));
                self.out.rule_table.list.push(entry);
            }
            ItemKind::Allow(allow) => self.offer(allow, layer),
            ItemKind::Ending(ending) => {
                let before = self
                    .out
                    .endings
                    .iter()
                    .filter_map(|(other, _)| other.name.as_ref());
                let again = ending.name.as_ref().and_then(|name| again(name, before));
                self.diagnostics.extend(again);
                self.out.endings.push(((**ending).clone(), layer));
            }
            ItemKind::Policy(policy) => {
                let before = self.out.policies.iter().map(|(other, ..)| &other.name);
                let again = again(&policy.name, before);
                self.diagnostics.extend(again);
                self.out.policies.push(((**policy).clone(), item.span, layer));
            }
            ItemKind::Option {
                name,
                values,
                default,
                sentence,
            } => {
                self.option(name, values, default, sentence, layer);
            }
            ItemKind::Hook {
                name,
                param,
                gives,
                why,
                script,
            } => {
                self.hook(name, param.as_ref(), *gives, why, script, layer);
            }
            _ => {}
        }
    }

    fn zone(
        &mut self,
        name: &Name,
        title: Option<&Text>,
        (of_each, is_role): (bool, bool),
        (seen, backs): (Option<&Expr>, Option<&Expr>),
        layer: Layer,
    ) {
        let id = ZoneId(self.out.rules.zones.len() as u8);
        let seen_by = self.seen_by(seen, Seen::Zone(id), of_each);
        let backs = self.seen_by(backs, Seen::Backs(id), of_each);
        let title = title.map_or_else(|| name.text.clone(), Text::plain);
        self.out.rules.zones.push(Zone {
            name: name.text.clone(),
            title,
            of_each,
            seen_by,
            backs,
            origin: name.span,
        });
        if is_role {
            if self.out.rules.role_zone.is_some() || !of_each {
                self.report(errors::bad_role_zone(name));
            }
            self.out.rules.role_zone = Some(id);
        }
        self.declare(name, Meaning::Zone(id), layer);
    }

    /// Who sees something, which may be somebody's; what has to be worked out is kept for later.
    fn seen_by(&mut self, who: Option<&Expr>, what: Seen, is_owned: bool) -> SeenBy {
        let Some(who) = who else {
            return SeenBy::Nobody;
        };
        match who.bare_name().map(|name| name.text.as_str()) {
            Some("owner") if is_owned => return SeenBy::Owner,
            Some("players") => return SeenBy::Everybody,
            Some("nobody") => {}
            _ => self.out.seen.push((what, who.clone())),
        }
        SeenBy::Nobody
    }

    fn event(
        &mut self,
        name: &Name,
        of: Option<&Param>,
        by: Option<&Name>,
        with: &[Param],
        body: &tree::Block,
        layer: Layer,
    ) {
        let id = EventId(self.out.rules.events.len() as u16);
        if let Some(of) = of.filter(|p| p.kind != Kind::Players) {
            self.report(errors::events_happen_to_players(of.name.span));
        }
        self.own_names(
            of.map(|of| &of.name)
                .into_iter()
                .chain(by)
                .chain(with.iter().map(|with| &with.name)),
        );
        let with = self.handed(with);
        self.out.rules.events.push(Event {
            name: name.text.clone(),
            of: of.is_some(),
            by: by.is_some(),
            with: with.iter().map(|(_, kind)| *kind).collect(),
            before: None,
            decide: None,
            instead: Vec::new(),
            body: ProcId(0),
            after: None,
            origin: name.span,
        });
        self.out.events.push(EventDecl {
            of: of.map(|p| p.name.text.clone()),
            by: by.map(|n| n.text.clone()),
            with,
            body: body.clone(),
            layer,
        });
        self.declare(name, Meaning::Event(id), layer);
    }

    /// Each thing that is handed over has a name of its own.
    fn own_names<'n>(&mut self, names: impl Iterator<Item = &'n Name>) {
        let mut seen: Vec<&Name> = Vec::new();
        for name in names {
            match seen.iter().find(|before| before.text == name.text) {
                Some(first) => self.report(errors::named_twice(name, first.span)),
                None => seen.push(name),
            }
        }
    }

    /// What a scene or an event is handed, as many things as it can be.
    fn handed(&mut self, params: &[Param]) -> Vec<(String, Kind)> {
        if let Some(more) = params.get(MOST_HANDED) {
            self.report(errors::too_much_handed(&more.name));
        }
        let params = params.iter().take(MOST_HANDED);
        params
            .map(|param| (param.name.text.clone(), param.kind))
            .collect()
    }

    fn scene(&mut self, name: &Name, title: String, params: &[Param], body: &tree::Block, layer: Layer) {
        let id = SceneId(self.out.rules.scenes.len() as u16);
        let scene = Scene {
            name: name.text.clone(),
            title,
            proc: ProcId(0),
            times: Slot(0),
            hung: false,
            handed: params.len().min(MOST_HANDED) as u16,
            origin: name.span,
        };
        self.out.rules.scenes.push(scene);
        self.own_names(params.iter().map(|param| &param.name));
        let params = self.handed(params);
        self.out.scenes.push(SceneDecl {
            params,
            body: body.clone(),
            layer,
        });
        self.declare(name, Meaning::Scene(id), layer);
    }

    fn option(
        &mut self,
        name: &Name,
        values: &OptionValues,
        default: &OptionValue,
        sentence: &Text,
        layer: Layer,
    ) {
        let id = OptionId(self.out.rules.options.len() as u16);
        let (words, range) = match values {
            OptionValues::Words(words) => (words.iter().map(option_text).collect::<Vec<_>>(), None),
            OptionValues::Range(range) => {
                let (from, to) = (range.from.value, range.to.value);
                (vec![format!("{from}..{to}")], Some((from, to)))
            }
        };
        let fits = |value: &str| match range {
            Some((from, to)) => value.parse::<i64>().is_ok_and(|v| (from..=to).contains(&v)),
            None => words.iter().any(|w| w == value),
        };
        let default_text = option_text(default);
        if !fits(&default_text) {
            self.report(errors::no_such_word(&default_text, name.span, &words));
        }
        let mut value = default_text.clone();
        if let Some((chosen, span)) = self.chosen.get(&name.text) {
            if fits(chosen) {
                value.clone_from(chosen);
            } else {
                self.report(errors::no_such_word(chosen, *span, &words));
            }
        }
        self.out.rules.options.push(OptionSetting {
            name: name.text.clone(),
            value,
            values: words,
            default: default_text,
            sentence: sentence.plain(),
        });
        self.declare(name, Meaning::Option(id), layer);
    }

    fn hook(
        &mut self,
        name: &Name,
        param: Option<&Param>,
        gives: Kind,
        why: &Text,
        script: &tree::Script,
        layer: Layer,
    ) {
        let id = HookId(self.out.rules.hooks.len() as u16);
        self.out.rules.hooks.push(Hook {
            name: name.text.clone(),
            param: param.map(|p| (p.name.text.clone(), p.kind)),
            gives,
            why: why.plain(),
            script: script.text.clone(),
            origin: script.span,
        });
        self.declare(name, Meaning::Hook(id), layer);
    }
}

/// What the mark is called that remembers who was asked for a link.
pub fn asked_name(link: &str) -> String {
    format!("{link}: asked")
}

/// What is wrong with a name that one of those before it is, too.
fn again<'n>(name: &Name, mut before: impl Iterator<Item = &'n Name>) -> Option<Diagnostic> {
    let first = before.find(|other| other.text == name.text)?;
    Some(errors::declared_twice(name, first.span))
}
