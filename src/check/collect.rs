//! First walk over the declarations: every name gets its meaning, every table its rows.

use crate::errors;
use crate::grounds::Grounds;
use crate::layer::Layer;
use crate::load::Declared;
use crate::overlay::option_text;
use crate::symbol::{Meaning, OF_WORDS, RESERVED, Symbol, Symbols};
use crate::table::{Clause, Define, DefineTable, EventDecl, RuleEntry, RuleTable, SceneDecl};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{
    Event, EventId, Fact, FactId, FactShape, Group, GroupId, GroupKind, Hook, HookId, Kind, OptionId,
    OptionSetting, ProcId, Role, Ruleset, Scene, SceneId, Slot, Token, Zone, ZoneId,
};
use omerta_core::source::Span;
use omerta_syntax::tree::{
    self, Expr, HookKind, Item, ItemKind, Life, MarkShape, Name, OptionValue, OptionValues, Param, ParamKind,
    Text,
};
use std::collections::BTreeMap;

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
    /// Zones with who sees them.
    pub zone_views: Vec<(ZoneId, Expr)>,
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
    collector.slots();
    collector.out
}

struct Collector<'a> {
    out: Collected,
    chosen: &'a BTreeMap<String, (String, Span)>,
    diagnostics: &'a mut Vec<Diagnostic>,
    counted: Vec<FactId>,
}

impl Collector<'_> {
    fn declare(&mut self, name: &Name, meaning: Meaning, layer: Layer) {
        if RESERVED.iter().chain(OF_WORDS).any(|w| *w == name.text) {
            self.diagnostics.push(errors::built_in_name(name));
            return;
        }
        let symbol = Symbol {
            meaning,
            span: name.span,
            layer,
        };
        if let Some(before) = self.out.symbols.declare(&name.text, symbol) {
            self.diagnostics.push(errors::declared_twice(name, before.span));
        }
    }

    // ---- roles, teams, classes, tokens

    fn titles(&mut self, items: &[Declared]) {
        for d in items {
            if let ItemKind::Role(role) = &d.item.kind {
                self.add_group(&role.name, role.title.as_ref(), GroupKind::Role, d.layer);
                self.out.rules.roles.push(Role::default());
            }
        }
        for d in items {
            if let ItemKind::Team { name, title, .. } = &d.item.kind {
                self.add_group(name, title.as_ref(), GroupKind::Team, d.layer);
            }
        }
        self.out.rules.titles = self.out.rules.groups.len() as u16;
        if self.out.rules.titles > 64 {
            let span = self.out.rules.groups[64].origin;
            self.diagnostics.push(errors::too_many_titles(span));
        }
        for d in items {
            if let ItemKind::Class { name, title } = &d.item.kind {
                self.add_group(name, title.as_ref(), GroupKind::Class, d.layer);
            }
        }
        for d in items {
            if let ItemKind::Token {
                name,
                title,
                copies,
                faces,
            } = &d.item.kind
            {
                self.token(name, title.as_ref(), *copies, faces, d.layer);
            }
        }
        for d in items {
            match &d.item.kind {
                ItemKind::Role(role) => self.role(role, items, d.layer),
                ItemKind::Team { name, parts, .. } => {
                    if let Some(group) = self.out.rules.group_named(&name.text) {
                        self.out.parts.push((group, false, parts.clone(), d.layer));
                    }
                }
                _ => {}
            }
        }
    }

    fn add_group(&mut self, name: &Name, title: Option<&Text>, kind: GroupKind, layer: Layer) -> GroupId {
        let id = GroupId(self.out.rules.groups.len() as u16);
        let title = title.map_or_else(|| name.text.clone(), Text::plain);
        self.out.rules.groups.push(Group {
            name: name.text.clone(),
            title,
            kind,
            origin: name.span,
        });
        self.declare(name, Meaning::Group(id), layer);
        id
    }

    fn token(
        &mut self,
        name: &Name,
        title: Option<&Text>,
        copies: Option<tree::Int>,
        faces: &[tree::Face],
        layer: Layer,
    ) {
        let group = self.add_group(name, title, GroupKind::Token, layer);
        let faces = faces
            .iter()
            .map(|face| self.add_group(&face.name, face.title.as_ref(), GroupKind::Face, layer))
            .collect();
        let copies = copies.map_or(1, |c| c.value.clamp(0, 64) as u8);
        self.out.rules.tokens.push(Token { group, copies, faces });
    }

    fn role(&mut self, role: &tree::Role, items: &[Declared], layer: Layer) {
        let Some(id) = self.out.rules.group_named(&role.name.text) else {
            return;
        };
        let (team, of_side) = self.side(role, items);
        let mut groups = vec![id];
        groups.extend(team);
        groups.extend(of_side);
        groups.dedup();
        let pick = |c: &mut Self, names: &[Name]| {
            names
                .iter()
                .filter_map(|n| c.title_or_class(n))
                .collect::<Vec<_>>()
        };
        let (replaces, needs, refuses) = (
            role.replaces.iter().map(|names| pick(self, names)).collect(),
            pick(self, &role.needs),
            pick(self, &role.refuses),
        );
        let limit = role.limit.map(|l| l.value.clamp(0, 255) as u8);
        self.out.rules.roles[id.index()] = Role {
            team,
            groups,
            limit,
            replaces,
            needs,
            refuses,
        };
        self.out.parts.push((id, true, role.parts.clone(), layer));
    }

    /// The team and the classes of a role, those of the team included, on the side that the options
    /// put it on; the other sides are looked over for their mistakes.
    fn side(&mut self, role: &tree::Role, items: &[Declared]) -> (Option<GroupId>, Vec<GroupId>) {
        let mut chosen = None;
        let mut side = &role.side;
        for (when, next) in &role.else_sides {
            let here = self.holds(when, items);
            let found = self.groups_of_side(side, items);
            if here && chosen.is_none() {
                chosen = Some(found);
            }
            side = next;
        }
        let last = self.groups_of_side(side, items);
        chosen.unwrap_or(last)
    }

    fn groups_of_side(&mut self, side: &tree::Side, items: &[Declared]) -> (Option<GroupId>, Vec<GroupId>) {
        let team = side
            .team
            .as_ref()
            .and_then(|t| self.group(t, GroupKind::Team, "a team"));
        let of_team = items.iter().filter_map(|d| match (&d.item.kind, &side.team) {
            (ItemKind::Team { name, classes, .. }, Some(team)) if name.text == team.text => Some(classes),
            _ => None,
        });
        let classes = side.classes.iter().chain(of_team.flatten());
        let classes = classes
            .filter_map(|c| self.group(c, GroupKind::Class, "a class"))
            .collect();
        (team, classes)
    }

    /// Whether an option has the value; options are tables of their own and may be declared anywhere.
    fn holds(&mut self, when: &tree::SideWhen, items: &[Declared]) -> bool {
        let options = || {
            items.iter().filter_map(|d| match &d.item.kind {
                ItemKind::Option {
                    name,
                    values,
                    default,
                    ..
                } => Some((name, values, default)),
                _ => None,
            })
        };
        let Some((name, values, default)) = options().find(|(n, ..)| n.text == when.option.text) else {
            let known: Vec<&str> = options().map(|(n, ..)| n.text.as_str()).collect();
            self.diagnostics.push(errors::unknown_option(
                &when.option.text,
                when.option.span,
                &known,
            ));
            return false;
        };
        self.out.symbols.read.insert(name.text.clone());
        let wanted = option_text(&when.value);
        if let OptionValues::Words(words) = values {
            let words: Vec<String> = words.iter().map(option_text).collect();
            if !words.contains(&wanted) {
                self.diagnostics
                    .push(errors::no_such_word(&wanted, when.option.span, &words));
            }
        }
        let value = self.chosen.get(&name.text).map(|(value, _)| value.clone());
        value.unwrap_or_else(|| option_text(default)) == wanted
    }

    /// A role, or a team or class for all roles in it.
    fn title_or_class(&mut self, name: &Name) -> Option<GroupId> {
        let of_kind = |kind| {
            self.out
                .rules
                .groups
                .iter()
                .any(|g| g.kind == kind && g.name == name.text)
        };
        let kinds = [GroupKind::Team, GroupKind::Class];
        let kind = kinds.into_iter().find(|kind| of_kind(*kind));
        self.group(name, kind.unwrap_or(GroupKind::Role), "a role, a team or a class")
    }

    fn group(&mut self, name: &Name, kind: GroupKind, wanted: &str) -> Option<GroupId> {
        let found = self
            .out
            .rules
            .groups
            .iter()
            .position(|g| g.name == name.text && g.kind == kind);
        if found.is_none() {
            let known: Vec<&str> = self
                .out
                .rules
                .groups
                .iter()
                .filter(|g| g.kind == kind)
                .map(|g| g.name.as_str())
                .collect();
            self.diagnostics
                .push(errors::unknown_of_sort(name, wanted, &known));
        } else {
            self.out.symbols.read.insert(name.text.clone());
        }
        found.map(|i| GroupId(i as u16))
    }

    // ---- facts

    fn facts(&mut self, items: &[Declared]) {
        for d in items {
            match &d.item.kind {
                ItemKind::Mark {
                    names,
                    shape,
                    life,
                    title,
                } => {
                    let shape = match shape {
                        MarkShape::Many => FactShape::Mark,
                        MarkShape::One => FactShape::MarkOne,
                        MarkShape::InOrder => FactShape::MarkInOrder { order: Slot(0) },
                    };
                    self.add_facts(names, shape, 0, life.as_ref(), title.as_ref(), d.layer);
                }
                ItemKind::Flag { names, life, title } => {
                    self.add_facts(names, FactShape::Flag, 0, life.as_ref(), title.as_ref(), d.layer);
                }
                ItemKind::Count {
                    names,
                    of_each,
                    words,
                    start,
                    start_word,
                    life,
                    title,
                } => {
                    let shape = if *of_each {
                        FactShape::CountOfEach
                    } else {
                        FactShape::Count
                    };
                    let words: Vec<(String, String)> = words
                        .iter()
                        .map(|word| {
                            let name = word.name.text.clone();
                            let title = word.title.as_ref().map(Text::plain);
                            (name.clone(), title.unwrap_or(name))
                        })
                        .collect();
                    let start = match start_word {
                        Some(word) => self.start_word(word, &words),
                        None => start.map_or(0, |s| s.value),
                    };
                    let ids = self.add_facts(names, shape, start, life.as_ref(), title.as_ref(), d.layer);
                    for id in ids {
                        self.out.rules.facts[id.index()].words.clone_from(&words);
                    }
                }
                ItemKind::Link {
                    names,
                    one,
                    back,
                    to_roles,
                    life,
                    title,
                } => {
                    let shape = match (one, to_roles) {
                        (_, true) => FactShape::LinkTitles,
                        (true, false) => FactShape::LinkOne,
                        (false, false) => FactShape::Link,
                    };
                    let ids = self.add_facts(names, shape, 0, life.as_ref(), title.as_ref(), d.layer);
                    if let (Some(back), Some(id)) = (back, ids.first()) {
                        self.declare(back, Meaning::Back(*id), d.layer);
                    }
                }
                _ => {}
            }
        }
    }

    /// Which of some words the game begins with.
    fn start_word(&mut self, word: &Name, words: &[(String, String)]) -> i64 {
        let place = words.iter().position(|(name, _)| *name == word.text);
        place.unwrap_or_else(|| {
            let known: Vec<String> = words.iter().map(|(name, _)| name.clone()).collect();
            self.diagnostics
                .push(errors::no_such_word(&word.text, word.span, &known));
            0
        }) as i64
    }

    fn add_facts(
        &mut self,
        names: &[Name],
        shape: FactShape,
        start: i64,
        life: Option<&Life>,
        title: Option<&Text>,
        layer: Layer,
    ) -> Vec<FactId> {
        let mut ids = Vec::new();
        for name in names {
            let id = FactId(self.out.rules.facts.len() as u16);
            let title = title.map_or_else(|| name.text.clone(), Text::plain);
            let fact = Fact {
                name: name.text.clone(),
                title,
                shape,
                slot: Slot(0),
                start,
                origin: name.span,
                hidden: false,
                words: Vec::new(),
            };
            self.out.rules.facts.push(fact);
            self.declare(name, Meaning::Fact(id), layer);
            if let Some(life) = life {
                self.out.lives.push((id, life.clone()));
            }
            ids.push(id);
        }
        self.counted.extend(&ids);
        ids
    }

    /// A hidden mark for every `ask each … for NAME`: who was asked.
    fn asked(&mut self, items: &[Declared]) {
        let mut names: BTreeMap<String, Span> = BTreeMap::new();
        for d in items {
            omerta_syntax::walk::for_each_statement(&d.item.kind, &mut |statement| {
                let tree::StatementKind::Ask(ask) = &statement.kind else {
                    return;
                };
                let each = matches!(ask.mode, tree::AskMode::Each | tree::AskMode::InOrder(_));
                if let (true, tree::Question::For { name, .. }) = (each, &ask.question) {
                    names.entry(name.text.clone()).or_insert(name.span);
                }
            });
        }
        for (name, origin) in names {
            let name = asked_name(&name);
            let (title, shape) = (name.clone(), FactShape::Mark);
            self.out.rules.facts.push(Fact {
                name,
                title,
                shape,
                slot: Slot(0),
                start: 0,
                origin,
                hidden: true,
                words: Vec::new(),
            });
        }
    }

    /// One word for each mark, flag, count and scene; then the rows.
    fn slots(&mut self) {
        let rules = &mut self.out.rules;
        let is_row = |shape: FactShape| {
            matches!(
                shape,
                FactShape::CountOfEach | FactShape::Link | FactShape::LinkOne | FactShape::LinkTitles
            )
        };
        let mut next = 0;
        for fact in rules.facts.iter_mut().filter(|f| !is_row(f.shape)) {
            fact.slot = Slot(next);
            next += 1;
        }
        for scene in &mut rules.scenes {
            scene.times = Slot(next);
            next += 1;
        }
        rules.scalars = next;
        for fact in &mut rules.facts {
            if is_row(fact.shape) {
                fact.slot = Slot(next);
                next += 1;
            } else if let FactShape::MarkInOrder { order } = &mut fact.shape {
                *order = Slot(next);
                next += 1;
            }
        }
        rules.rows = next - rules.scalars;
    }

    // ---- everything else with a name

    fn rest(&mut self, items: &[Declared]) {
        for d in items {
            self.item(&d.item, d.layer);
        }
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
                    self.diagnostics.push(errors::bad_players(
                        range.from.span.to(range.to.span),
                        range.from.value,
                        range.to.value,
                    ));
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
                    self.diagnostics.push(errors::two_casts(item.span, first.span));
                }
                self.out.casts.push(item.clone());
            }
            ItemKind::Needs(names) | ItemKind::Refuses(names) => {
                let span = names.first().map_or(item.span, |n| n.span);
                self.diagnostics.push(errors::only_overlays_need(span));
            }
            ItemKind::Require { .. } | ItemKind::Warn { .. } => self.out.checks.push((item.clone(), layer)),
            ItemKind::Zone {
                name,
                title,
                of_each,
                is_role,
                seen_by,
            } => {
                self.zone(
                    name,
                    title.as_ref(),
                    (*of_each, *is_role),
                    seen_by.as_ref(),
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
            ItemKind::Scene { name, param, body } => self.scene(name, param.as_ref(), body, layer),
            ItemKind::Script(body) => self.out.scripts.push((body.clone(), item.span, layer)),
            ItemKind::Rule(rule) => {
                let entry = RuleEntry {
                    rule: (**rule).clone(),
                    layer,
                };
                if let Some(first) = self
                    .out
                    .rule_table
                    .list
                    .iter()
                    .find(|r| r.rule.name.text == rule.name.text)
                {
                    self.diagnostics
                        .push(errors::declared_twice(&rule.name, first.rule.name.span));
                }
                self.out
                    .rules
                    .rules
                    .push((rule.name.text.clone(), rule.name.span));
                self.out.rule_table.list.push(entry);
            }
            ItemKind::Allow(allow) => self.out.offers.push(((**allow).clone(), layer)),
            ItemKind::Ending(ending) => self.out.endings.push(((**ending).clone(), layer)),
            ItemKind::Policy(policy) => {
                let mut before = self.out.policies.iter().map(|(other, ..)| &other.name);
                if let Some(first) = before.find(|other| other.text == policy.name.text) {
                    self.diagnostics
                        .push(errors::declared_twice(&policy.name, first.span));
                }
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
        seen: Option<&Expr>,
        layer: Layer,
    ) {
        use omerta_core::rules::SeenBy;
        let id = ZoneId(self.out.rules.zones.len() as u8);
        let word = seen.and_then(Expr::bare_name).map(|name| name.text.as_str());
        let seen_by = match word {
            None if seen.is_none() => SeenBy::Nobody,
            Some("owner") => SeenBy::Owner,
            Some("players") => SeenBy::Everybody,
            Some("nobody") => SeenBy::Nobody,
            _ => {
                if let Some(expr) = seen {
                    self.out.zone_views.push((id, expr.clone()));
                }
                SeenBy::Nobody
            }
        };
        let title = title.map_or_else(|| name.text.clone(), Text::plain);
        self.out.rules.zones.push(Zone {
            name: name.text.clone(),
            title,
            of_each,
            seen_by,
            origin: name.span,
        });
        if is_role {
            if self.out.rules.role_zone.is_some() || !of_each {
                self.diagnostics.push(errors::bad_role_zone(name));
            }
            self.out.rules.role_zone = Some(id);
        }
        self.declare(name, Meaning::Zone(id), layer);
    }

    fn event(
        &mut self,
        name: &Name,
        of: Option<&Param>,
        by: Option<&Name>,
        with: Option<&Param>,
        body: &tree::Block,
        layer: Layer,
    ) {
        let id = EventId(self.out.rules.events.len() as u16);
        if let Some(of) = of.filter(|p| p.kind != ParamKind::Players) {
            self.diagnostics
                .push(errors::events_happen_to_players(of.name.span));
        }
        let with = with.map(|p| (p.name.text.clone(), param_kind(p.kind)));
        self.out.rules.events.push(Event {
            name: name.text.clone(),
            of: of.is_some(),
            by: by.is_some(),
            with: with.as_ref().map(|(_, k)| *k),
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

    fn scene(&mut self, name: &Name, param: Option<&Param>, body: &tree::Block, layer: Layer) {
        let id = SceneId(self.out.rules.scenes.len() as u16);
        let scene = Scene {
            name: name.text.clone(),
            proc: ProcId(0),
            times: Slot(0),
            hung: false,
            origin: name.span,
        };
        self.out.rules.scenes.push(scene);
        let param = param.map(|p| (p.name.text.clone(), param_kind(p.kind)));
        self.out.scenes.push(SceneDecl {
            param,
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
            self.diagnostics
                .push(errors::no_such_word(&default_text, name.span, &words));
        }
        let mut value = default_text.clone();
        if let Some((chosen, span)) = self.chosen.get(&name.text) {
            if fits(chosen) {
                value.clone_from(chosen);
            } else {
                self.diagnostics.push(errors::no_such_word(chosen, *span, &words));
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
        gives: HookKind,
        why: &Text,
        script: &tree::Script,
        layer: Layer,
    ) {
        let id = HookId(self.out.rules.hooks.len() as u16);
        self.out.rules.hooks.push(Hook {
            name: name.text.clone(),
            param: param.map(|p| (p.name.text.clone(), param_kind(p.kind))),
            gives: match gives {
                HookKind::Players => Kind::Players,
                HookKind::Number => Kind::Number,
                HookKind::Truth => Kind::Truth,
            },
            why: why.plain(),
            script: script.text.clone(),
            origin: script.span,
        });
        self.declare(name, Meaning::Hook(id), layer);
    }

    // ---- defines

    fn defines(&mut self, items: &[Declared]) {
        for d in items {
            if let ItemKind::Define { name, param, value } = &d.item.kind {
                self.define(name, param.as_ref(), value, d.layer);
            }
        }
        for d in items {
            let (value, name, param, when, sort) = match &d.item.kind {
                ItemKind::Include {
                    value,
                    name,
                    param,
                    when,
                } => (value, name, param, when, 0),
                ItemKind::Exclude {
                    value,
                    name,
                    param,
                    when,
                } => (value, name, param, when, 1),
                ItemKind::Add {
                    value,
                    name,
                    param,
                    when,
                } => (value, name, param, when, 2),
                _ => continue,
            };
            let Some(Meaning::Define(index)) = self.out.symbols.get(&name.text).map(|s| s.meaning) else {
                let known: Vec<&str> = self.out.defines.list.iter().map(|d| d.name.as_str()).collect();
                self.diagnostics
                    .push(errors::unknown_of_sort(name, "a define", &known));
                continue;
            };
            self.check_published(name, d.layer);
            let (param, only_for, _) = self.clause_param(param.as_ref());
            let clause = Clause {
                param,
                only_for,
                value: value.clone(),
                want: None,
                when: when.clone(),
                layer: d.layer,
            };
            let define = &mut self.out.defines.list[index];
            match sort {
                0 => define.includes.push(clause),
                1 => define.excludes.push(clause),
                _ => define.adds.push(clause),
            }
        }
    }

    /// An overlay may add only to what its base publishes.
    fn check_published(&mut self, name: &Name, layer: Layer) {
        let symbols = &self.out.symbols;
        let Some(symbol) = symbols.get(&name.text) else {
            return;
        };
        if layer != Layer::Base && symbol.layer == Layer::Base && !symbols.published.contains(&name.text) {
            self.diagnostics.push(errors::not_published(
                name,
                symbol.span,
                &symbols.published,
                (&symbols.grounds, layer),
            ));
        }
    }

    /// The argument's name, or the one role or team the clause is for, and its kind.
    fn clause_param(&self, param: Option<&Param>) -> (Option<String>, Option<u64>, Option<Kind>) {
        let Some(param) = param else {
            return (None, None, None);
        };
        let title =
            self.out.rules.groups.iter().position(|g| {
                g.name == param.name.text && matches!(g.kind, GroupKind::Role | GroupKind::Team)
            });
        match (title, param.kind) {
            (Some(index), ParamKind::Players) if index < 64 => (None, Some(1 << index), Some(Kind::Titles)),
            _ => (Some(param.name.text.clone()), None, Some(param_kind(param.kind))),
        }
    }

    fn define(&mut self, name: &Name, param: Option<&Param>, value: &Expr, layer: Layer) {
        let (param_name, only_for, kind) = self.clause_param(param);
        let clause = Clause {
            param: param_name,
            only_for,
            value: value.clone(),
            want: None,
            when: None,
            layer,
        };
        if let Some(Meaning::Define(index)) = self.out.symbols.get(&name.text).map(|s| s.meaning) {
            let define = &mut self.out.defines.list[index];
            let twice = define.bases.iter().any(|b| b.only_for == clause.only_for);
            if twice || define.param != kind {
                self.diagnostics.push(errors::declared_twice(name, define.span));
                return;
            }
            define.bases.push(clause);
            return;
        }
        let index = self.out.defines.list.len();
        self.out.defines.list.push(Define {
            name: name.text.clone(),
            param: kind,
            bases: vec![clause],
            includes: Vec::new(),
            excludes: Vec::new(),
            adds: Vec::new(),
            span: name.span,
        });
        self.declare(name, Meaning::Define(index), layer);
    }
}

/// The kind behind the word for it.
pub fn param_kind(kind: ParamKind) -> Kind {
    match kind {
        ParamKind::Players => Kind::Players,
        ParamKind::Role => Kind::Titles,
        ParamKind::Card => Kind::Cards,
        ParamKind::Number => Kind::Number,
    }
}

/// What the mark is called that remembers who was asked for a link.
pub fn asked_name(link: &str) -> String {
    format!("{link}: asked")
}
