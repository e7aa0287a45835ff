//! The ruleset a book is about: the compiled tables, the declarations they came from, and the texts.

use crate::{page::Inline, remarks};
use omerta_check::{Declared, handed, in_their_order, performs};
use omerta_core::{
    plural,
    rules::{FactShape, GroupId, Kind, Ruleset},
    source::{Sources, Span},
};
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{
    AskMode, BinaryOp, Block, Domain, Expr, ExprKind, Face, Item, ItemKind, Moment, Name, OptionValue, Param,
    Pattern, Question, Rule, StatementKind, Text,
};
use omerta_syntax::walk::{bound_in, holds};
use omerta_workbench::ReadyRules;

/// What a book is about.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The tables.
    pub rules: &'a Ruleset,
    /// The declarations, as the overlays have left them.
    pub items: &'a [Declared],
    /// The first lines of the ruleset, its libraries and the overlays, and the options they choose.
    pub heads: &'a [Item],
    /// The texts.
    pub sources: &'a Sources,
}

/// Whether a test is settled by the options in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// The game decides.
    Open,
}

/// What sort of thing a value is, as far as words show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Some of the players.
    Set,
    /// Yes or no.
    Test,
    /// A number, a word, a card.
    Other,
}

/// An option's value as the ruleset or an overlay in force chooses it.
pub struct Choice {
    /// The option.
    pub option: String,
    /// The value.
    pub value: String,
    /// What is written above the choice.
    pub remark: String,
}

/// A ruleset or an overlay as its first line tells of it.
pub struct Head {
    /// What people see.
    pub title: String,
    /// What is written above it.
    pub remark: String,
}

impl<'a> Subject<'a> {
    /// What was laid, with the texts it came from.
    pub fn of(laid: &'a ReadyRules, sources: &'a Sources) -> Self {
        Subject {
            rules: &laid.bench.rules,
            items: &laid.items,
            heads: &laid.heads,
            sources,
        }
    }

    /// All declarations.
    pub fn kinds(self) -> impl Iterator<Item = (&'a ItemKind, Span)> {
        self.items
            .iter()
            .map(|declared| (&declared.item.kind, declared.item.span))
    }

    /// What is written above a declaration.
    pub fn remark(self, span: Span) -> String {
        remarks::above(self.sources, span)
    }

    /// Whether it is declared by a library that comes with the program.
    pub fn is_of_a_library(self, span: Span) -> bool {
        self.sources.get(span.source).name.starts_with("std/")
    }

    /// The value an option has.
    pub fn option(self, name: &str) -> Option<&'a str> {
        let option = self.rules.options.iter().find(|option| option.name == name)?;
        Some(&option.value)
    }

    /// The name of a role, a team or another group.
    pub fn name(self, group: GroupId) -> &'a str {
        &self.rules.groups[group.index()].name
    }

    /// The title of what has that name, if it is a role, a team or another group.
    pub fn title_of(self, name: &str) -> Option<&'a str> {
        let group = self.rules.group_named(name)?;
        Some(&self.rules.groups[group.index()].title)
    }

    /// Whoever has a card, as one speaks of all of them: `the smugglers` for `a smuggler`.
    pub fn called(self, card: &str) -> String {
        let Some(id) = self.rules.group_named(card) else {
            return spoken(card);
        };
        let group = &self.rules.groups[id.index()];
        let Some(one) = plural::one_of_many(&group.title) else {
            return group.title.clone();
        };
        let mut roles = self.rules.groups.iter().zip(&self.rules.roles);
        let is_the_only = roles.any(|(role, told)| role.name == card && told.limit == Some(1));
        match group.for_several().filter(|_| !is_the_only) {
            Some(several) => format!("the {several}"),
            None => format!("the {one}"),
        }
    }

    /// What people call a zone: `the purse`, also for one without a title.
    pub fn zone(self, name: &str) -> Option<String> {
        let zone = self.rules.zones.iter().find(|zone| zone.name == name)?;
        Some(match zone.title == zone.name {
            true => format!("the {}", spoken(name)),
            false => zone.title.clone(),
        })
    }

    /// What a scene is handed, and its body.
    pub fn scene(self, wanted: &str) -> Option<(&'a [Param], &'a Block, Span)> {
        self.kinds().find_map(|(kind, span)| match kind {
            ItemKind::Scene {
                name, params, body, ..
            } if name.text == wanted => Some((&params[..], body, span)),
            _ => None,
        })
    }

    /// The script.
    pub fn script(self) -> Option<&'a Block> {
        self.kinds().find_map(|(kind, _)| match kind {
            ItemKind::Script(body) => Some(body),
            _ => None,
        })
    }

    /// The scene that does what a called card says.
    pub fn caller(self) -> Option<(&'a Name, &'a Block)> {
        self.kinds().find_map(|(kind, _)| match kind {
            ItemKind::Scene { params, body, .. } => {
                performs(handed(params), body).then_some((&params.first()?.name, body))
            }
            _ => None,
        })
    }

    /// The name of that scene.
    pub fn calling(self) -> Option<&'a str> {
        let (_, calling) = self.caller()?;
        self.kinds().find_map(|(kind, _)| match kind {
            ItemKind::Scene { name, body, .. } if body.span == calling.span => Some(name.text.as_str()),
            _ => None,
        })
    }

    /// The rules that come in at a moment of something.
    pub fn rules_at(self, wanted: &'a str, moment: Moment) -> impl Iterator<Item = (&'a Rule, Span)> {
        let all: Vec<(&Rule, Span)> = self.rules_all().collect();
        let is_meant = |rule: &Rule| rule.moment == moment && rule.waits_for(wanted);
        let meant = (0..all.len()).filter(|&at| is_meant(all[at].0)).collect();
        let rules: Vec<&Rule> = all.iter().map(|(rule, _)| *rule).collect();
        let meant = in_their_order(&rules, meant);
        meant.into_iter().map(move |at| all[at])
    }

    /// All rules.
    pub fn rules_all(self) -> impl Iterator<Item = (&'a Rule, Span)> {
        self.kinds().filter_map(|(kind, span)| Some((kind.rule()?, span)))
    }

    fn told(self, name: &Name, title: Option<&Text>, item: &Item) -> Head {
        let title = title.map_or_else(|| name.text.clone(), Text::plain);
        let remark = self.remark(item.span);
        // A remark that begins with the title says it once.
        let rest = remark
            .strip_prefix(&title)
            .and_then(|rest| rest.strip_prefix(": "));
        let remark = rest.map(with_a_capital).unwrap_or(remark);
        Head { title, remark }
    }

    /// The head of the ruleset or of an overlay with that name.
    pub fn head(self, wanted: &str, is_overlay: bool) -> Option<Head> {
        self.heads.iter().find_map(|item| {
            let (name, title) = match &item.kind {
                ItemKind::Ruleset { name, title } if !is_overlay => (name, title),
                ItemKind::Overlay { name, title, .. } if is_overlay => (name, title),
                _ => return None,
            };
            (name.text == wanted).then(|| self.told(name, title.as_ref(), item))
        })
    }

    /// The libraries of its own that the ruleset is made of, as their first lines tell of them.
    pub fn libraries(self) -> impl Iterator<Item = Head> {
        let own = self
            .heads
            .iter()
            .filter(move |item| !self.is_of_a_library(item.span));
        own.filter_map(move |item| match &item.kind {
            ItemKind::Library { name, title } => Some(self.told(name, title.as_ref(), item)),
            _ => None,
        })
    }

    /// What is written above what an overlay in force removes.
    pub fn removals(self, overlay: &str) -> impl Iterator<Item = String> {
        let is_it =
            |item: &&Item| matches!(&item.kind, ItemKind::Overlay { name, .. } if name.text == overlay);
        let within = self.heads.iter().find(is_it).map(|item| item.span);
        let removed = self.heads.iter().filter(move |item| {
            let inside = within.is_some_and(|whole| {
                whole.source == item.span.source
                    && whole.start < item.span.start
                    && item.span.end <= whole.end
            });
            inside && matches!(item.kind, ItemKind::Remove(_))
        });
        removed
            .map(move |item| self.remark(item.span))
            .filter(|remark| !remark.is_empty())
    }

    /// What the ruleset and the overlays in force choose: no declaration is left of it.
    pub fn choices(self) -> impl Iterator<Item = Choice> {
        self.heads.iter().filter_map(move |item| {
            let ItemKind::Choose { name, value } = &item.kind else {
                return None;
            };
            Some(Choice {
                option: name.text.clone(),
                value: match value {
                    OptionValue::Word(word) => word.text.clone(),
                    OptionValue::Int(int) => int.value.to_string(),
                },
                remark: self.remark(item.span),
            })
        })
    }

    /// The title of the token that has a face with that name.
    pub fn token_of(self, wanted: &str) -> Option<&'a str> {
        self.kinds().find_map(|(kind, _)| match kind {
            ItemKind::Token { name, faces, .. } => {
                let is_it = |face: &Face| face.name.text == wanted;
                faces.iter().any(is_it).then(|| self.title_of(&name.text))?
            }
            _ => None,
        })
    }

    /// Whether a name is that of an answer, of what is handed over or the like, known in one declaration alone.
    pub fn is_local(self, name: &str) -> bool {
        let mut kinds = self.kinds();
        kinds.any(|(kind, _)| bound_in(kind).iter().any(|bound| bound.text == name))
    }

    /// Whether under a name more than one is named: `2 living`.
    pub fn names_several(self, name: &str) -> bool {
        let names = |kind: &StatementKind| match kind {
            StatementKind::Ask(ask) => {
                matches!(&ask.question, Question::For { name: own, amount: Some(_), .. } if own.text == name)
            }
            _ => false,
        };
        self.said_yes(name) || self.kinds().any(|(kind, _)| holds(kind, &names))
    }

    /// Whether a name is that of all who have answered yes.
    pub fn said_yes(self, name: &str) -> bool {
        let names = |kind: &StatementKind| match kind {
            StatementKind::Ask(ask) => {
                let of_several = matches!(ask.mode, AskMode::Each | AskMode::InOrder(_));
                of_several && matches!(&ask.question, Question::Whether(own) if own.text == name)
            }
            _ => false,
        };
        self.kinds().any(|(kind, _)| holds(kind, &names))
    }

    /// Whether a name is that of a card: drawn, picked or gone through among the cards of a place.
    pub fn is_card(self, name: &str) -> bool {
        let is = |bound: &Name, domain: &Domain| match domain {
            Domain::Set(set) | Domain::Unseen(set) => bound.text == name && self.are_cards(set),
            _ => false,
        };
        let makes = |kind: &StatementKind| match kind {
            StatementKind::Draw { name, domain, .. } => is(name, domain),
            StatementKind::ForEach { name, among, .. } => name.as_ref().is_some_and(|name| is(name, among)),
            StatementKind::Let { name: bound, value } => bound.text == name && self.are_cards(value),
            StatementKind::Ask(ask) => ask.asked_for().is_some_and(|(name, domain)| is(name, domain)),
            _ => false,
        };
        self.kinds().any(|(kind, _)| {
            let handed = |param: &&Param| param.name.text == name && param.kind == Kind::Cards;
            let leads = matches!(kind, ItemKind::Link { names, to: Kind::Cards, .. } if names.iter().any(|own| own.text == name));
            leads || params_of(kind).iter().any(handed) || holds(kind, &makes)
        })
    }

    /// Whether a set is cards that lie somewhere: `deck`, `top 3 of deck`, `hand of p where it is Parcel`.
    pub fn are_cards(self, set: &Expr) -> bool {
        match &*set.inside().kind {
            ExprKind::Query(query) => {
                let is_pick = ["top", "bottom"].contains(&query.name.text.as_str());
                let of = query.of.as_ref().filter(|_| is_pick);
                self.zone(&query.name.text).is_some() || of.is_some_and(|of| self.are_cards(of))
            }
            ExprKind::Narrow(items) => items.first().is_some_and(|first| self.are_cards(first)),
            ExprKind::Where { set, .. } | ExprKind::Binary(BinaryOp::Without, set, _) => self.are_cards(set),
            _ => false,
        }
    }

    /// Whether a name is that of a number: drawn, answered, worked out or handed over.
    pub fn is_number(self, name: &str) -> bool {
        let is = |bound: &Name, number: bool| number && bound.text == name;
        let numbers = |domain: &Domain| matches!(domain, Domain::Numbers(..));
        let makes = |kind: &StatementKind| match kind {
            StatementKind::Draw { name, domain, .. } => is(name, numbers(domain)),
            StatementKind::Let { name, value } => is(name, self.sort(value) == Sort::Other),
            StatementKind::Ask(ask) => ask
                .asked_for()
                .is_some_and(|(name, domain)| is(name, numbers(domain))),
            StatementKind::ForEach { name, among, .. } => {
                name.as_ref().is_some_and(|name| is(name, numbers(among)))
            }
            _ => false,
        };
        self.kinds().any(|(kind, _)| {
            let is_handed = |param: &&Param| is(&param.name, param.kind == Kind::Number);
            holds(kind, &makes)
                || params_of(kind).iter().any(is_handed)
                || matches!(kind, ItemKind::Rule(rule) if self.is_handed_a_number(rule, name))
        })
    }

    /// Whether a rule calls a number so that is handed over: `before fine of players with n`.
    fn is_handed_a_number(self, rule: &Rule, name: &str) -> bool {
        let with = &rule.happening.with;
        let Some(from_last) = with.iter().rev().position(|own| own.text == name) else {
            return false;
        };
        let mut kinds = self.kinds();
        kinds.any(|(kind, _)| match kind {
            ItemKind::Event { name, with, .. } => {
                is_named(rule, name) && is_number_from_last(with, from_last)
            }
            ItemKind::Scene { name, params, .. } => {
                is_named(rule, name) && is_number_from_last(params, from_last)
            }
            _ => false,
        })
    }

    /// Whether a name is defined to mean some of the players.
    pub fn is_set(self, name: &str) -> bool {
        self.defined(name)
            .is_some_and(|value| self.sort(value) == Sort::Set)
    }

    /// What people call one of the words that something remembered may be.
    pub fn word(self, wanted: &str) -> Option<&'a str> {
        let mut words = self.rules.facts.iter().flat_map(|fact| &fact.words);
        let (word, title) = words.find(|(word, _)| word == wanted)?;
        Some(title.as_str()).filter(|title| title != word)
    }

    /// What a name is defined to mean.
    pub fn defined(self, wanted: &str) -> Option<&'a Expr> {
        self.kinds().find_map(|(kind, _)| match kind {
            ItemKind::Define { name, value, .. } if name.text == wanted => Some(value),
            _ => None,
        })
    }

    /// The value of a definition that is one for good: nobody or a number, and nothing adds to it.
    pub fn constant(self, wanted: &str) -> Option<&'a Expr> {
        let adds = |kind: &ItemKind| matches!(kind, ItemKind::Clause(clause) if clause.name.text == wanted);
        let value = self.defined(wanted)?;
        let is_fixed = matches!(*value.kind, ExprKind::Int(_)) || is_nobody(value);
        (is_fixed && !self.kinds().any(|(kind, _)| adds(kind))).then_some(value)
    }

    /// Whether a set is nobody for good.
    pub fn is_nobody(self, set: &Expr) -> bool {
        let name = set.inside().bare_name();
        name.is_some_and(|name| self.constant(&name.text).is_some_and(is_nobody))
    }

    /// What sort of thing a value is.
    pub fn sort(self, value: &Expr) -> Sort {
        match &*value.kind {
            ExprKind::Group(inner) => self.sort(inner),
            ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Not(_)
            | ExprKind::No(_)
            | ExprKind::Some(_)
            | ExprKind::Every { .. }
            | ExprKind::Compare(..)
            | ExprKind::During(_)
            | ExprKind::Truth(_) => Sort::Test,
            ExprKind::Binary(op, left, _) if !op.counts() => self.sort(left),
            ExprKind::Narrow(_) | ExprKind::Where { .. } | ExprKind::Planned(_) => Sort::Set,
            ExprKind::Query(query) => self.sort_of_name(&query.name.text),
            ExprKind::Cases { cases, .. } => cases.first().map_or(Sort::Other, |(value, _)| self.sort(value)),
            _ => Sort::Other,
        }
    }

    fn sort_of_name(self, name: &str) -> Sort {
        match self.rules.fact_named(name).map(|fact| fact.shape) {
            Some(FactShape::Flag) => return Sort::Test,
            Some(FactShape::Count | FactShape::CountOfEach) => return Sort::Other,
            Some(_) => return Sort::Set,
            None => {}
        }
        let of_numbers = [
            "copies", "place", "role", "roles", "seat", "sum", "tally", "team", "words",
        ];
        match self.defined(name) {
            // What is defined by itself is a mistake, and never comes here.
            Some(value) => self.sort(value),
            None if of_numbers.contains(&name) || self.zone(name).is_some() || self.gives_a_number(name) => {
                Sort::Other
            }
            None if self.option(name).is_some() => match self.option(name) {
                Some("yes" | "no") => Sort::Test,
                _ => Sort::Other,
            },
            None => Sort::Set,
        }
    }

    /// Whether a hook of that name gives a number.
    fn gives_a_number(self, wanted: &str) -> bool {
        let is_it = |kind: &ItemKind| matches!(kind, ItemKind::Hook { name, gives: Kind::Number, .. } if name.text == wanted);
        self.kinds().any(|(kind, _)| is_it(kind))
    }

    /// Where a name is told about: `in-reach` under `word-in-reach`; nothing for names that are
    /// not declared.
    pub fn term(self, name: &str) -> Option<Inline> {
        let anchor = self.kinds().find_map(|(kind, _)| {
            let names = |names: &[Name]| names.iter().any(|other| other.text == name);
            match kind {
                ItemKind::Scene { name: own, .. } if own.text == name => Some("scene"),
                ItemKind::Event { name: own, .. } if own.text == name => Some("event"),
                ItemKind::Define { name: own, .. } if own.text == name => Some("word"),
                ItemKind::Mark { names: own, .. }
                | ItemKind::Flag { names: own, .. }
                | ItemKind::Count { names: own, .. } => names(own).then_some("word"),
                ItemKind::Link { names: own, back, .. } => {
                    let is_back = back.as_ref().is_some_and(|back| back.text == name);
                    (is_back || names(own)).then_some("word")
                }
                _ => None,
            }
        })?;
        Some(Inline::Term(self.spoken(name), format!("{anchor}-{name}")))
    }

    /// What people call what goes by a name: the title of a scene that has one, else the name as one says it.
    pub fn spoken(self, name: &str) -> String {
        let scene = self.rules.scenes.iter().find(|scene| scene.name == name);
        match scene.filter(|scene| scene.title != scene.name) {
            Some(scene) => scene.title.clone(),
            None => spoken(name),
        }
    }
}

fn is_nobody(value: &Expr) -> bool {
    value.bare_name().is_some_and(|name| name.text == "nobody")
}

/// Whether a rule is about what has that name.
fn is_named(rule: &Rule, name: &Name) -> bool {
    rule.happening.names.iter().any(|own| own.text == name.text)
}

/// Whether what is handed over at that place, counted from the last, is a number.
fn is_number_from_last(params: &[Param], place: usize) -> bool {
    let mut params = params.iter().rev();
    params.nth(place).is_some_and(|param| param.kind == Kind::Number)
}

/// What a declaration is handed.
fn params_of(kind: &ItemKind) -> Vec<&Param> {
    match kind {
        ItemKind::Scene { params, .. } => params.iter().collect(),
        ItemKind::Event { of, with, .. } => of.iter().chain(with).collect(),
        ItemKind::Define { param, .. } => param.iter().collect(),
        _ => Vec::new(),
    }
}

/// The one card on whose call a rule hangs.
pub fn of_card(rule: &Rule) -> Option<&str> {
    match &rule.happening.of[..] {
        [Pattern { set, .. }] => set.bare_name().map(|name| name.text.as_str()),
        _ => None,
    }
}

/// A name as one says it: `in-reach` is `in reach`.
pub fn spoken(name: &str) -> String {
    name.trim_matches('`').replace(['-', '_'], " ")
}
