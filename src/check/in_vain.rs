//! What plainly comes to nothing, or to more than was meant: marks that nobody takes off, calls made twice, votes that
//! nothing follows from.
//!
//! Only what can be seen in the words: whatever hangs on the game is left to those who play it.

use crate::advice::within;
use crate::conditions;
use crate::course::Course;
use crate::layer::Layer;
use crate::load::Declared;
use crate::look::{Look, names, read_in};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::{FactShape, Group, GroupId, GroupKind, Ruleset};
use omerta_core::source::{SourceId, Span};
use omerta_core::written::folded;
use omerta_syntax::settled::{is_alike, number};
use omerta_syntax::tree::{
    BinaryOp, Block, Clause, ClauseMode, Expr, ExprKind, Happen, ItemKind, Moment, Name, Part, Query,
    Question, Rule, Shown, Statement, StatementKind,
};
use omerta_syntax::walk::{self, for_each_expr, for_each_statement, holds};
use omerta_syntax::words;
use std::collections::{BTreeMap, BTreeSet};

/// Looks through the declarations.
pub(super) fn lint(rules: &Ruleset, course: &Course<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut look = Look::new(rules, course);
    look.offices = look.offices();
    conditions::lint(&look, diagnostics);
    look.check_titles(diagnostics);
    look.check_only_set_to_start(diagnostics);
    look.check_idle_rules(diagnostics);
    look.check_departed(diagnostics);
    look.check_marks(diagnostics);
    look.check_outlived(diagnostics);
    look.check_bodies(diagnostics);
    look.check_votes(diagnostics);
    look.check_uncounted(diagnostics);
    look.check_too_early(diagnostics);
    look.check_same_instead(diagnostics);
    look.check_secrets(diagnostics);
    look.check_unread(diagnostics);
    look.check_added(diagnostics);
    look.check_spent(diagnostics);
    look.check_so_of_nobody(diagnostics);
}

impl<'a> Look<'a> {
    // ---- What is found out and never looked at, what is never come to

    /// A value, or an answer, that nothing in the same declaration reads; where something else is told of that one, what
    /// is read there may be another when it is mended.
    fn check_unread(&self, diagnostics: &mut Vec<Diagnostic>) {
        let told: BTreeSet<Span> = diagnostics.iter().map(Diagnostic::span).collect();
        let declared = self.rules.facts.iter().filter(|fact| !fact.hidden);
        let facts: BTreeSet<&str> = declared.map(|fact| fact.name.as_str()).collect();
        // Such a rule hears every answer.
        let heard = self.rule_list().any(|rule| rule.waits_for("choice"));
        for declared in self.course.items {
            let (kind, whole) = (&declared.item.kind, declared.item.span);
            let inside = told.range(Span { end: 0, ..whole }..).next();
            if inside.is_some_and(|at| at.source == whole.source && at.start < whole.end) {
                continue;
            }
            let mut known = read_in(kind);
            known.extend(&facts);
            let is_in_vain = |name: &Name| self.is_own(name.span) && !known.contains(name.text.as_str());
            for_each_statement(kind, &mut |statement| match &statement.kind {
                StatementKind::Let { name, .. }
                | StatementKind::Draw {
                    name, openly: false, ..
                } if is_in_vain(name) => {
                    diagnostics.push(value_unread(name));
                }
                // Whoever hears an answer may do with it what he likes.
                StatementKind::Ask(ask) if !heard && !ask.openly && ask.open_to.is_none() => {
                    let asked = ask.asked_for().map(|(name, _)| name);
                    let names = asked.into_iter().chain(ask.picks().map(|pick| &pick.name));
                    diagnostics.extend(names.filter(|name| is_in_vain(name)).map(answer_unread));
                }
                _ => {}
            });
        }
    }

    /// What is read by anything that is ever come to, and by the definitions that this reads.
    fn read_where_come_to(&self) -> BTreeSet<&'a str> {
        let (mut read, mut by_definitions) = (BTreeSet::new(), BTreeMap::new());
        for kind in self.kinds().filter(|kind| self.course.is_come_to(kind)) {
            match kind {
                ItemKind::Define { name, .. } | ItemKind::Clause(Clause { name, .. }) => {
                    let all: &mut BTreeSet<&str> = by_definitions.entry(name.text.as_str()).or_default();
                    all.extend(read_in(kind));
                }
                _ => read.extend(read_in(kind)),
            }
        }
        let mut next: Vec<&str> = read.iter().copied().collect();
        while let Some(name) = next.pop() {
            let more = by_definitions.remove(name).unwrap_or_default();
            next.extend(more.into_iter().filter(|name| read.insert(name)));
        }
        read
    }

    /// What is put into a definition, or left out of it, that nothing reads which is ever come to. Rules that publish
    /// something may leave it to overlays to read.
    fn check_added(&self, diagnostics: &mut Vec<Diagnostic>) {
        let base_publishes = { self.kinds() }.any(|kind| match kind {
            ItemKind::Publish(names) => names.iter().any(|name| self.is_own(name.span)),
            _ => false,
        });
        let read = self.read_where_come_to();
        let acts = |name: &str| words::is(name, |word| word.answer.is_some());
        let is_known = |name: &str| acts(name) || self.course.is_in_scripts(name);
        for declared in self.course.items {
            let ItemKind::Clause(clause) = &declared.item.kind else {
                continue;
            };
            let is_meant = declared.layer == Layer::Base && base_publishes;
            let is_read = read.contains(clause.name.text.as_str()) || is_known(&clause.name.text);
            if !is_meant && !is_read && self.is_own(clause.name.span) {
                let is_weight = clause.mode.of_numbers() && clause.param.is_some();
                diagnostics.push(added_in_vain(&clause.name, is_weight));
            }
        }
    }

    /// The roles whose holders a name means, of a role or a team; none of nobody.
    pub fn holders_of(&self, name: &str) -> Option<BTreeSet<usize>> {
        if name == "nobody" {
            return Some(BTreeSet::new());
        }
        let group = self.rules.group_named(name)?;
        let is_of_team = |role: &GroupId| self.rules.roles[role.index()].team == Some(group);
        let of_team = self.rules.role_ids().filter(is_of_team);
        match self.rules.groups[group.index()].kind {
            GroupKind::Role => Some(BTreeSet::from([group.index()])),
            GroupKind::Team => Some(of_team.map(GroupId::index).collect()),
            _ => None,
        }
    }

    // ---- Words that stand for two things, things that are never but one

    /// Two roles that people cannot tell apart by their titles.
    fn check_titles(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut known: BTreeMap<String, &Group> = BTreeMap::new();
        for group in &self.rules.groups[..self.rules.roles.len()] {
            match known.get(&folded(&group.title)) {
                Some(first) if self.is_own(group.origin) => {
                    diagnostics.push(titled_alike(group, &first.name, first.origin));
                }
                _ => drop(known.insert(folded(&group.title), group)),
            }
        }
    }

    /// A flag, word or count that is read, and set to nothing but what it is from the beginning.
    fn check_only_set_to_start(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut set: BTreeMap<&str, Vec<&Expr>> = BTreeMap::new();
        let mut otherwise = BTreeSet::new();
        for kind in self.kinds() {
            otherwise.extend(walk::bound_in(kind).into_iter().map(|name| name.text.as_str()));
            for_each_statement(kind, &mut |statement| match &statement.kind {
                StatementKind::Set { name, value, .. } => set.entry(&name.text).or_default().push(value),
                StatementKind::Add { name, .. } => drop(otherwise.insert(&name.text)),
                _ => {}
            });
        }
        for fact in self.rules.facts.iter().filter(|fact| self.is_own(fact.origin)) {
            let start = |value: &&Expr| match fact.shape {
                FactShape::Flag => matches!(&*value.kind, ExprKind::Truth(yes) if *yes == (fact.start != 0)),
                _ => match usize::try_from(fact.start).ok().and_then(|at| fact.words.get(at)) {
                    Some((word, _)) => value.is_name(word),
                    None => number(value) == Some(fact.start),
                },
            };
            let only = |values: &&Vec<&Expr>| values.iter().all(&start);
            let name = fact.name.as_str();
            if let Some(values) = set.get(name).filter(only)
                && !otherwise.contains(name)
                && !self.rules.hooks.iter().any(|hook| hook.script.contains(name))
            {
                diagnostics.push(only_what_it_was(name, fact.origin, values[0].span));
            }
        }
    }

    pub fn parts(&self) -> impl Iterator<Item = &'a Part> {
        let called = self.kinds().filter_map(ItemKind::called);
        called.flat_map(|(_, parts)| parts)
    }

    // ---- Said twice, shown to the one who knows

    fn check_bodies(&self, diagnostics: &mut Vec<Diagnostic>) {
        // Whoever has got another card may be shown it.
        let own_card = |kind: &ItemKind| !holds(kind, &moves);
        let is_fixed = self.kinds().filter(|kind| self.is_in_file(kind)).all(own_card);
        let several: Vec<&str> = self.present().into_iter().chain(["players", "others"]).collect();
        for part in self.parts().filter(|_| is_fixed) {
            for_each_statement(&part.body, &mut |statement| {
                if shows_me_mine(&statement.kind, &several) && self.is_own(statement.span) {
                    diagnostics.push(shown_his_own(statement.span));
                }
            });
        }
        for kind in self.kinds() {
            match kind {
                ItemKind::Scene { body, .. } | ItemKind::Script(body) => self.called_twice(body, diagnostics),
                _ => {}
            }
        }
    }

    pub fn is_in_file(&self, kind: &ItemKind) -> bool {
        let mut own = false;
        for_each_statement(kind, &mut |statement| own |= self.is_own(statement.span));
        own
    }

    fn called_twice(&self, body: &Block, diagnostics: &mut Vec<Diagnostic>) {
        let mut before: BTreeMap<(&str, Option<&str>), Span> = BTreeMap::new();
        let own = body
            .statements
            .iter()
            .filter(|statement| self.is_own(statement.span));
        for statement in own {
            let StatementKind::Call { card, purpose } = &statement.kind else {
                continue;
            };
            let Some(name) = card.bare_name() else { continue };
            let purpose = purpose.as_ref().map(|purpose| purpose.text.as_str());
            let called = (name.text.as_str(), purpose);
            match before.get(&called) {
                Some(first) => diagnostics.push(called_again(&name.text, statement.span, *first)),
                None => drop(before.insert(called, statement.span)),
            }
        }
    }

    // ---- Votes

    /// A scene of a library that is played and of which nothing that it finds out is used.
    fn check_votes(&self, diagnostics: &mut Vec<Diagnostic>) {
        let published = self.kinds().flat_map(|kind| match kind {
            ItemKind::Publish(names) => &names[..],
            _ => &[],
        });
        let published: BTreeSet<&str> = published.map(|name| name.text.as_str()).collect();
        let mut found_by: BTreeMap<&str, (SourceId, BTreeSet<&str>)> = BTreeMap::new();
        // What a scene finds out by playing others is known once theirs is.
        for _ in 0..4 {
            let of_base = |declared: &&Declared| declared.layer == Layer::Base;
            for declared in self.course.items.iter().filter(of_base) {
                if let ItemKind::Scene { name, body, .. } = &declared.item.kind
                    && !self.is_own(name.span)
                {
                    let mut found = marked_in(body, &published);
                    for_each_statement(body, &mut |statement| match &statement.kind {
                        StatementKind::Link { name, .. } => found.extend(published.get(name.text.as_str())),
                        StatementKind::Ask(ask) => {
                            let asked = ask.asked_for();
                            found.extend(asked.and_then(|(name, _)| published.get(name.text.as_str())));
                        }
                        StatementKind::Play { scene, .. } => {
                            let theirs = found_by.get(scene.text.as_str());
                            found.extend(theirs.iter().flat_map(|(_, found)| found));
                        }
                        _ => {}
                    });
                    // Who points at somebody is found with whom they point at.
                    for kind in self.kinds() {
                        if let ItemKind::Link { names, back, .. } = kind
                            && let Some(back) = back
                            && names.iter().any(|link| found.contains(link.text.as_str()))
                        {
                            found.extend(published.get(back.text.as_str()));
                        }
                    }
                    // What a scene says aloud has come of it.
                    let mut said = BTreeSet::new();
                    for_each_statement(body, &mut |statement| {
                        if let StatementKind::Say { .. } = &statement.kind {
                            said.extend(read_in(walk::Part::Statement(statement)));
                        }
                    });
                    found.retain(|name| !said.contains(name));
                    found_by.insert(&name.text, (name.span.source, found));
                }
            }
        }
        // What a ruleset puts in the place of a library's scene is used by the library that plays it.
        let mut played_there = BTreeSet::new();
        self.each_statement(&mut |statement| match &statement.kind {
            StatementKind::Play { scene, .. } if !self.is_own(statement.span) => {
                played_there.insert(scene.text.as_str());
            }
            _ => {}
        });
        for kind in self.kinds() {
            if matches!(kind, ItemKind::Scene { name, .. } if played_there.contains(name.text.as_str())) {
                continue;
            }
            for_each_statement(kind, &mut |statement| {
                let StatementKind::Play { scene, .. } = &statement.kind else {
                    return;
                };
                let Some((library, found)) = found_by.get(scene.text.as_str()) else {
                    return;
                };
                let is_used = || found.iter().any(|name| self.is_read_outside(name, *library));
                if self.is_own(statement.span) && !found.is_empty() && !is_used() {
                    let names: Vec<&str> = found.iter().copied().collect();
                    diagnostics.push(found_in_vain(&scene.text, names[0], statement.span));
                }
            });
        }
    }

    /// Those who have left and are put among the ones who vote, and whose votes no count takes: all of them count what others gave.
    fn check_uncounted(&self, diagnostics: &mut Vec<Diagnostic>) {
        let Some(present) = self.present() else { return };
        let mut departed = self.read_by(present);
        departed.retain(|name| self.rules.fact_named(name).is_some());
        let mut asked: BTreeSet<(&str, &str)> = BTreeSet::new();
        for kind in self.kinds().filter(|kind| self.course.is_come_to(kind)) {
            for_each_statement(kind, &mut |statement| {
                if let StatementKind::Ask(ask) = &statement.kind
                    && let (Some(who), Question::For { name, .. }) = (ask.who.bare_name(), &ask.question)
                {
                    asked.insert((&who.text, &name.text));
                }
            });
        }
        for kind in self.kinds() {
            let ItemKind::Clause(clause) = kind else { continue };
            // Whoever is there may be counted among those who are.
            let is_gone = departed.iter().any(|mark| names(&clause.value, mark));
            let is_put_in = clause.mode == ClauseMode::Include && is_gone && self.is_own(clause.name.span);
            for (who, link) in { asked.iter() }.filter(|(who, _)| is_put_in && *who == clause.name.text) {
                let back = self.back_of(link);
                let (mut counts, mut counted) = (None, false);
                for kind in self.kinds().filter(|kind| self.course.is_come_to(kind)) {
                    for_each_expr(kind, &mut |expr| {
                        let ExprKind::Query(query) = &*expr.kind else {
                            return;
                        };
                        // Who has voted for somebody may be asked of him.
                        counted |= back.is_some_and(|back| query.name.text == back.text)
                            && self.is_own(query.name.span);
                        let read_of = query.of.as_ref().filter(|_| query.name.text == *link);
                        counted |= read_of.is_some_and(|of| !of.is_name("it") && !of.is_name(present));
                        if let Some(of) = query.of.as_ref().filter(|_| is_count(&query.name))
                            && let ExprKind::Query(given) = &*of.inside().kind
                            && given.name.text == *link
                        {
                            match &given.of {
                                Some(of) if self.is_own(of.span) && of.is_name(present) => {
                                    counts.get_or_insert(of.span);
                                }
                                _ => counted = true,
                            }
                        }
                    });
                }
                let told = counts.filter(|_| !counted);
                diagnostics.extend(told.map(|of| uncounted(link, who, of, clause.value.span)));
            }
        }
    }

    /// The name by which a link is read from its other end.
    pub fn back_of(&self, link: &str) -> Option<&'a Name> {
        self.kinds().find_map(|kind| match kind {
            ItemKind::Link { names, back, .. } if names.iter().any(|name| name.text == link) => back.as_ref(),
            _ => None,
        })
    }

    /// Whether a name is used anywhere but in the text that brings it.
    fn is_read_outside(&self, wanted: &str, library: SourceId) -> bool {
        let mut read = false;
        self.each_expr(&mut |expr| {
            if let ExprKind::Query(Query { name, .. }) = &*expr.kind {
                read |= name.text == wanted && name.span.source != library;
            }
        });
        let quoted = format!("\"{wanted}\"");
        read || self.rules.hooks.iter().any(|hook| hook.script.contains(&quoted))
    }

    // ---- Too early

    /// A rule before an event that does something lasting to whom it happens to, though another rule may take its place.
    fn check_too_early(&self, diagnostics: &mut Vec<Diagnostic>) {
        let is_before = |rule: &&Rule| rule.moment == Moment::Before && self.is_own(rule.name.span);
        for rule in self.rule_list().filter(is_before) {
            let Some(whom) = rule.happening.of.first().and_then(|of| of.name.as_ref()) else {
                continue;
            };
            let does = |kind: &StatementKind| match kind {
                StatementKind::Do(happen) => happen.of.as_ref().is_some_and(|of| of.is_name(&whom.text)),
                _ => false,
            };
            diagnostics.extend(self.takes_along_too_early(rule));
            let calls_off = |other: &&Rule| {
                let takes_its_place = |event: &Name| {
                    let of = { other.happening.of.iter() }.zip(&rule.happening.of);
                    let mut apart = of.map(|(other, his)| self.are_apart(&his.set, &other.set));
                    let is_instead = other.moment == Moment::Instead && other.waits_for(&event.text);
                    is_instead && !apart.any(|apart| apart)
                };
                other.name.text != rule.name.text && { rule.happening.names.iter() }.any(takes_its_place)
            };
            if let (true, Some(other)) = (holds(&rule.body, &does), self.rule_list().find(calls_off)) {
                diagnostics.push(too_early(&rule.name, &other.name, rule.moment_span));
            }
        }
    }

    /// A rule before somebody leaves that lets him choose who leaves with him, while he is one of those himself, or others
    /// are for whom the same rule comes in.
    fn takes_along_too_early(&self, rule: &'a Rule) -> Option<Diagnostic> {
        let present = self.present()?;
        let mut leaving = self.leaving(present, false);
        leaving.extend(self.leaving(present, true));
        let mut events = rule.happening.names.iter();
        events.find(|event| leaving.contains(&event.text))?;
        let he = rule.happening.of.first()?;
        let whom = he.name.as_ref().map_or("", |whom| &whom.text);
        // Whoever is marked here first may be left out by that mark.
        let marks =
            |kind: &StatementKind| matches!(kind, StatementKind::Mark { set, .. } if names(set, whom));
        if holds(&rule.body, &marks) {
            return None;
        }
        let (mut chosen, mut tests, mut along) = (BTreeSet::new(), Vec::new(), None);
        for_each_statement(
            &rule.body,
            &mut |statement: &'a Statement| match &statement.kind {
                StatementKind::If(test, ..) => tests.push((test, statement.span)),
                StatementKind::Ask(ask) => {
                    if let Some((name, set)) = ask.asked_from()
                        && !names_the_one(rule, set)
                        && names(set, present)
                        && !self.are_apart(&he.set, set)
                    {
                        chosen.insert(name.text.as_str());
                    }
                }
                StatementKind::Do(happen) if leaving.contains(&happen.event.text) => {
                    let of = happen.of.as_ref().and_then(Expr::bare_name);
                    // Whoever asks who it is knows.
                    let is_tested = |name: &str| {
                        let mut around = tests.iter().filter(|(_, block)| within(statement.span, *block));
                        around.any(|(test, _)| names(test, name) && (names(test, whom) || !looks_only(test)))
                    };
                    let of = of.filter(|of| chosen.contains(of.text.as_str()) && !is_tested(&of.text));
                    along = along.or(of.map(|of| (of, statement.span)));
                }
                _ => {}
            },
        );
        along.map(|(shot, span)| takes_along_too_early(rule, shot, (present, whom), span))
    }

    /// Whether no card of one set is one of the other: `living Guild`, and a rule on `Watch`; `living without Guild`.
    pub fn are_apart(&self, one: &Expr, other: &Expr) -> bool {
        let meet = |one, other| {
            let mut roles = self.rules.role_ids();
            roles.any(|role| self.rules.is_of(role, one) && self.rules.is_of(role, other))
        };
        let his = self.groups_in(one);
        match &*other.inside().kind {
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                let all_out = |out| his.iter().any(|his| self.rules.is_of(*his, out));
                self.are_apart(one, left) || self.groups_in(right).into_iter().any(all_out)
            }
            // Who is meant by a test is not known here.
            ExprKind::Where { .. } => true,
            _ => {
                let others = self.groups_in(other);
                his.iter()
                    .any(|his| others.iter().any(|other| !meet(*his, *other)))
            }
        }
    }

    // ---- In its place the same

    /// A rule in the place of an event that does that very event to whom it would have happened, whatever holds: nothing
    /// asks again who takes its place then.
    fn check_same_instead(&self, diagnostics: &mut Vec<Diagnostic>) {
        let instead = self.rule_list().filter(|rule| rule.moment == Moment::Instead);
        for rule in instead.filter(|rule| self.is_own(rule.name.span)) {
            let whom = rule.happening.of.first().and_then(|whom| whom.name.as_ref());
            let by_whom = rule.happening.by.as_ref().and_then(|by| by.name.as_ref());
            let by_the_same = |by: &Expr| by_whom.is_some_and(|whom| by.is_name(&whom.text));
            let is_it = |happen: &Happen| {
                let names = rule.happening.names.iter().map(|name| name.text.as_str());
                let event = names.chain(["same"]).any(|name| name == happen.event.text);
                let same = match (&happen.of, whom) {
                    (Some(of), Some(whom)) => of.is_name(&whom.text),
                    (of, _) => of.is_none() && rule.happening.of.is_empty(),
                };
                // What is handed on may be another.
                event && same && happen.with.is_empty() && happen.by.as_ref().is_none_or(by_the_same)
            };
            for statement in &rule.body.statements {
                if let StatementKind::Do(happen) | StatementKind::Plan(happen) = &statement.kind
                    && is_it(happen)
                {
                    diagnostics.push(the_same_instead(&happen.event, rule.moment_span, statement.span));
                }
            }
        }
    }
}

/// Whether a name is that of a count of votes.
pub(super) fn is_count(name: &Name) -> bool {
    matches!(name.text.as_str(), "most" | "majority" | "common" | "tally")
}

/// Whether a test only looks whether there is somebody.
fn looks_only(test: &Expr) -> bool {
    matches!(&*test.inside().kind, ExprKind::Some(_) | ExprKind::No(_))
}

/// Whether a set says of the one for whom a rule waits that he is left out, or that he is meant.
fn names_the_one(rule: &Rule, set: &Expr) -> bool {
    let he = rule.happening.of.first();
    let whom = he.and_then(|whom| whom.name.as_ref());
    let mark = he.and_then(|he| he.set.bare_name());
    let mut named = whom.into_iter().chain(mark);
    named.any(|name| names(set, &name.text)) || names(set, "others")
}

/// The published names that a block marks somebody with.
fn marked_in<'a>(body: &'a Block, published: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let mut marked = BTreeSet::new();
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Mark { names, .. } = &statement.kind {
            let names = names.iter().map(|name| name.text.as_str());
            marked.extend(names.filter(|name| published.contains(name)));
        }
    });
    marked
}

/// Whether a statement gives somebody another card.
pub(super) fn moves(kind: &StatementKind) -> bool {
    use StatementKind::{Deal, Move, Swap, Turn};
    matches!(kind, Turn { .. } | Swap { .. } | Move { .. } | Deal { .. })
}

/// `show card of me to me`, `show role of partner to partner`
fn shows_me_mine(kind: &StatementKind, several: &[&str]) -> bool {
    match kind {
        StatementKind::Show { what, who, .. } => {
            let Shown::Value(value) = what else { return false };
            let of_one = value.read_of().is_some_and(|(_, of)| is_alike(of, who));
            let is_one = |name: &Name| !several.contains(&name.text.as_str());
            of_one && who.bare_name().is_some_and(is_one)
        }
        _ => false,
    }
}

/// The name of a flag, a word or a count that a statement changes.
pub(super) fn changed_by(kind: &StatementKind) -> Option<&str> {
    match kind {
        StatementKind::Set { name, .. } | StatementKind::Add { name, .. } => Some(&name.text),
        _ => None,
    }
}

mistakes! {
    fn added_in_vain(name: &Name, is_weight: bool) = warning "never-read" ("M0704", name.span):
        format!("nothing that is ever come to reads `{}`", name.text), "changes nothing",
        help match is_weight {
            true => format!("read it where it shall count, as in `most of … weighing {}`", name.text),
            false => "look which definition is read where this shall count, or say in a rule what is meant".to_owned(),
        };

    fn value_unread(name: &Name) = warning "never-read" ("M0704", name.span):
        format!("the value `{}` is never read", name.text), "nothing depends on it",
        help "use it below, or remove it";

    fn answer_unread(name: &Name) = warning "never-read" ("M0704", name.span):
        format!("nothing comes of the answer `{}`", name.text), "nothing depends on it",
        help format!("write what happens to `{}` then", name.text);

    fn uncounted(link: &str, who: &str, of: Span, put_in: Span) = warning "found-in-vain" ("M0750", of):
        format!("those who are put into `{who}` give a `{link}` that counts nowhere"), "only what these gave is counted",
        also put_in, "put in here, and asked",
        help format!("write `{link} of {who}`"),
        writes who;

    fn titled_alike(role: &Group, other: &str, first: Span) = warning "titled-alike" ("M0758", role.origin):
        format!("`{}` and `{other}` are both called \"{}\"", role.name, role.title), "nobody can tell them apart",
        also first, "called so, too",
        help "give one of them another title";

    fn only_what_it_was(name: &str, declared: Span, set: Span) = warning "never-set" ("M0705", declared):
        format!("`{name}` is never anything but what it is from the beginning"), "always the same",
        also set, "what it is anyway",
        help "set it to something else somewhere, or remove it";

    fn called_again(name: &str, second: Span, first: Span) = warning "called-twice" ("M0748", second):
        format!("`{name}` is called twice"), "acts once more",
        also first, "called here",
        help "remove one of the calls, or give each its purpose: `call … to …`";

    fn shown_his_own(span: Span) = warning "shown-his-own" ("M0749", span):
        "this shows somebody the card he holds", "he knows it",
        help "name whose card it is: `show card of suspect to me`";

    fn found_in_vain(scene: &str, found: &str, span: Span) = warning "found-in-vain" ("M0750", span):
        format!("nothing follows from `{scene}`"), "what comes of it is used nowhere",
        help format!("use `{found}` behind it: `do … of {found}`");

    fn the_same_instead(event: &Name, moment: Span, span: Span) = warning "the-same-instead" ("M0755", span):
        format!("`{}` happens here all the same", event.text), "no rule is asked again about this",
        also moment, "this rule stands in its place",
        help "leave it out; what comes in beside it is a rule `before` or `after`";

    fn takes_along_too_early(rule: &Rule, shot: &Name, (present, whom): (&str, &str), span: Span) = warning "too-early" ("M0751", rule.moment_span):
        format!("`before` it happens he is one of `{present}` still, and may be `{}` himself", shot.text), "he has not left yet",
        also span, "before he leaves, this happens, with all that waits for it",
        help match whom {
            "" => "write `after`".to_owned(),
            whom => format!("write `after`, or leave him out: `from {present} without {whom}`"),
        },
        writes "after";

    fn too_early(rule: &Name, other: &Name, moment: Span) = warning "too-early" ("M0751", moment):
        format!("`{}` acts before it is known whether it happens", rule.text), "comes in even where it is called off",
        also other.span, "this rule may stand in its place",
        help "write `after`: such rules come in only where it did happen";
}
