//! Rules that do nothing: beside what happens all the same, after what is over, by those by whom it never happens.

use crate::course::brought_about;
use crate::departed::circle_in;
use crate::look::{Look, gives_mark, is_among, read_in};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::FactShape;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    ClauseMode, Expr, ItemKind, Moment, Name, Pattern, Place, Rule, RuleOrder, StatementKind,
};
use omerta_syntax::walk::{for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Look<'a> {
    /// A rule that does nothing beside what it waits for, or that waits for somebody by whom it never happens.
    pub fn check_idle_rules(&self, diagnostics: &mut Vec<Diagnostic>) {
        let (mut done, mut by_somebody, mut unsaid) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        self.each_statement(&mut |statement| {
            if let Some(happen) = statement.kind.brings_about() {
                let event = happen.event.text.as_str();
                done.insert(event);
                match happen.by {
                    Some(_) => by_somebody.insert(event),
                    None => unsaid.insert(event),
                };
            }
        });
        let causers = self.causers();
        let together = self.done_together();
        let present = self.present();
        let leaving = present.map_or_else(BTreeSet::new, |present| self.leaving(present, true));
        // Where somebody may come back, he may be back by then.
        let comes_back = present.is_some_and(|present| {
            let read = self.read_by(present);
            let takes_back = |kind: &StatementKind| match kind {
                StatementKind::Unmark { names, .. } | StatementKind::Clear(names) => {
                    names.iter().any(|name| read.contains(name.text.as_str()))
                }
                _ => false,
            };
            let lets_in = |kind: &ItemKind| {
                matches!(kind, ItemKind::Clause(clause) if clause.mode == ClauseMode::Include && clause.name.text == present)
            };
            self.kinds().any(|kind| holds(kind, &takes_back) || lets_in(kind))
        });
        let is_present = |set: &Expr| present.is_some_and(|present| is_among(set, present));
        let by_nobody =
            |name: &Name| done.contains(name.text.as_str()) && !by_somebody.contains(name.text.as_str());
        let always_by = |event: &str, who: &Pattern| {
            let causes = causers.get(event).and_then(Option::as_ref);
            let causes = causes.filter(|_| !unsaid.contains(event));
            let meant = who.set.bare_name().and_then(|who| self.holders_of(&who.text));
            causes
                .zip(meant)
                .is_some_and(|(causes, meant)| causes.is_subset(&meant))
        };
        for kind in self.kinds() {
            let me = kind.called().map(|(name, _)| name);
            for_each_statement(kind, &mut |statement| {
                let StatementKind::Cancel { events, by, .. } = &statement.kind else {
                    return;
                };
                let is_told = diagnostics.iter().any(|told| told.span() == statement.span);
                if is_told || !self.is_own(statement.span) {
                    return;
                }
                if let Some(event) = events.first().filter(|_| events.iter().all(by_nobody)) {
                    diagnostics.push(cancelled_in_vain(event, statement.span));
                    return;
                }
                let by = by.as_ref().and_then(|by| by.bare_name());
                let who = by.and_then(|by| if by.text == "me" { me } else { Some(by) });
                let is_never_theirs = |event: &Name| {
                    let causes = causers.get(event.text.as_str()).and_then(Option::as_ref);
                    let meant = who.and_then(|who| self.holders_of(&who.text));
                    causes
                        .zip(meant)
                        .is_some_and(|(causes, meant)| causes.is_disjoint(&meant))
                };
                if let Some((event, who)) = events
                    .first()
                    .zip(who)
                    .filter(|_| events.iter().all(is_never_theirs))
                {
                    diagnostics.push(cancelled_of_others(event, who, statement.span));
                }
            });
        }
        let instead =
            { self.rule_list() }.filter(|rule| rule.moment == Moment::Instead && rule.when.is_none());
        let instead: Vec<&Rule> = instead.collect();
        for rule in self.rule_list().filter(|rule| self.is_own(rule.name.span)) {
            diagnostics.extend(self.order_in_vain(rule));
            let statements = &rule.body.statements;
            let (events, by) = (&rule.happening.names, rule.happening.by.as_ref());
            let nothing = || statements.iter().all(|one| one.kind == StatementKind::Nothing);
            let has_left_by = || {
                let all_leave = events.iter().all(|name| leaving.contains(&name.text));
                present.filter(|_| rule.moment == Moment::After && all_leave && !comes_back)
            };
            let he_has_left = || {
                let present = has_left_by()?;
                let whom = rule.happening.of.first().filter(|whom| is_present(&whom.set))?;
                Some(has_left(&events[0], present, whom.set.span))
            };
            let he_is_gone = || {
                let present = has_left_by()?;
                let (whom, at) = self.sought_among_present(rule, present)?;
                Some(gone_by_then(&events[0], whom, present, at))
            };
            let never_by_him = || {
                let who = by?.set.bare_name()?;
                let meant = self.holders_of(&who.text)?;
                let causes = |name: &Name| causers.get(name.text.as_str())?.as_ref();
                let by_others_alone = |name| causes(name).is_some_and(|all| all.is_disjoint(&meant));
                events
                    .iter()
                    .all(by_others_alone)
                    .then(|| by_others(&events[0], who))
            };
            let by_no_part = || {
                let by = by.filter(|_| rule.waits_for("ability"))?;
                Some(no_part(self.without_part(&by.set)?, by.set.span))
            };
            let by_some_of_them = || {
                let (event, who, team) = self.shared_by_others(rule)?;
                let is_told = !causers.is_empty() && rule.moment != Moment::After;
                is_told.then(|| not_all_are(event, who, team))
            };
            let told = (rule.moment != Moment::Instead && nothing())
                .then(|| does_nothing_beside(&rule.name, rule.moment_span))
                .or_else(|| {
                    Some(never_comes_behind(
                        rule,
                        self.always_replaced_by(rule, &instead, always_by)?,
                    ))
                })
                .or_else(he_has_left)
                .or_else(he_is_gone)
                .or_else(|| {
                    Some(by_nobody_ever(
                        &events[0],
                        by.filter(|_| events.iter().all(by_nobody))?.set.span,
                    ))
                })
                .or_else(never_by_him)
                .or_else(by_no_part)
                .or_else(by_some_of_them)
                .or_else(|| Some(done_all_the_same(self.held_off_alone(rule)?, together.first()?)));
            diagnostics.extend(told);
        }
    }

    /// An order between two rules that wait for different things, or of which the other one comes first all the same.
    fn order_in_vain(&self, rule: &'a Rule) -> Option<Diagnostic> {
        let is_so = |other: &Rule, before: bool| match before {
            true => rule.moment <= other.moment,
            false => rule.moment >= other.moment,
        };
        rule.order.iter().find_map(|order| {
            let mut others = self.rule_list();
            let other = others.find(|other| other.name.text == order.name.text)?;
            let met = wait_for_one(rule, other);
            let is_vain = !met || !is_so(other, order.before);
            (is_vain && !self.leads_on(rule, order)).then(|| no_such_order(rule, (other, met), &order.name))
        })
    }

    /// Whether an order is one of a chain, by which two others come one before the other: `a before b`, `b before c`.
    fn leads_on(&self, rule: &'a Rule, order: &'a RuleOrder) -> bool {
        let ends = |rule: &'a Rule, order: &'a RuleOrder| match order.before {
            true => [&*rule.name.text, &*order.name.text],
            false => [&*order.name.text, &*rule.name.text],
        };
        let waits = |name: &str| self.rule_list().find(|rule| rule.name.text == name);
        let alike = |one: &str, other: &str| {
            let (Some(one), Some(other)) = (waits(one), waits(other)) else {
                return false;
            };
            one.moment == other.moment && wait_for_one(one, other)
        };
        let [first, last] = ends(rule, order);
        let orders = { self.rule_list() }.flat_map(|rule| rule.order.iter().map(move |order| (rule, order)));
        let mut orders = orders.map(|(rule, order)| ends(rule, order));
        orders.any(|[from, to]| from == last && alike(first, to) || to == first && alike(from, last))
    }

    /// Another rule that stands in place of all that a rule comes `after`, so that it never comes in.
    fn always_replaced_by(
        &self,
        rule: &Rule,
        instead: &[&'a Rule],
        always_by: impl Fn(&str, &Pattern) -> bool,
    ) -> Option<&'a Rule> {
        let is_met = |own: Option<&Pattern>, all: Option<&Pattern>| {
            let name = own.and_then(|own| own.set.bare_name());
            all.is_none_or(|all| name.is_some_and(|name| all.set.is_name(&name.text)))
        };
        // What comes about by an event may make somebody what the rule waits for.
        let becomes_so = || {
            let waited = rule.happening.patterns();
            let waited: Vec<&Name> = waited.filter_map(|who| who.set.bare_name()).collect();
            let changes = |kind: &StatementKind| match kind {
                StatementKind::Turn { .. } => !waited.is_empty(),
                kind => waited.iter().any(|name| gives_mark(kind, &name.text)),
            };
            let mut comes =
                { self.kinds() }.filter(|kind| matches!(kind, ItemKind::Event { .. } | ItemKind::Rule(_)));
            comes.any(|kind| holds(kind, &changes))
        };
        let replaces = |other: &Rule| {
            let (own, all) = (&rule.happening, &other.happening);
            own.names.iter().all(|name| other.waits_for(&name.text))
                && all.of.len() < 2
                && is_met(own.of.first(), all.of.first())
                && (is_met(own.by.as_ref(), all.by.as_ref()) || { own.names.iter() }
                    .all(|event| all.by.as_ref().is_some_and(|who| always_by(&event.text, who))))
        };
        let is_event = |name: &Name| self.rules.events.iter().any(|event| event.name == name.text);
        let names = &rule.happening.names;
        if rule.moment != Moment::After || !names.iter().all(is_event) {
            return None;
        }
        let instead = instead.iter().find(|other| replaces(other));
        instead.copied().filter(|_| !becomes_so())
    }

    /// The teams that do something when they are called, with all of them together.
    fn done_together(&self) -> Vec<&'a Name> {
        let acts = |kind: &StatementKind| {
            use StatementKind::{Ask, Do, Plan, Play};
            matches!(kind, Ask(_) | Do(_) | Plan(_) | Play { .. })
        };
        let teams = self.kinds().filter_map(|kind| match kind {
            ItemKind::Team { name, parts, .. } => { parts.iter() }
                .any(|part| holds(&part.body, &acts))
                .then_some(name),
            _ => None,
        });
        teams.collect()
    }

    /// The event that a rule waits for by a role, where it comes only through a whole team that has others as well: not all
    /// through whom it comes are of that role then.
    fn shared_by_others(&self, rule: &'a Rule) -> Option<(&'a Name, &'a Name, &'a Name)> {
        let who = rule.happening.by.as_ref()?.set.bare_name()?;
        let card = self.rules.group_named(&who.text)?;
        let own = self.rules.roles.get(card.index())?;
        let mut of_team = self.rules.roles.iter().filter(|of| of.team == own.team);
        let is_alone = of_team.clone().count() < 2;
        // Whoever acts for himself, or is never there beside the others, is not one of several.
        if self.kinds().any(|kind| holds(kind, &performs_by_somebody))
            || of_team.any(|of| !of.refuses.is_empty())
        {
            return None;
        }
        let is_circle = |kind: &ItemKind| match kind {
            ItemKind::Clause(clause) => clause.name.text == "circle",
            kind => circle_in(kind).is_some_and(|(card, _)| self.rules.group_named(&card.text).is_some()),
        };
        let event = rule.happening.names.first()?;
        let mut through = Vec::new();
        for kind in self.kinds() {
            for_each_statement(kind, &mut |statement| {
                if let Some(happen) = statement.kind.brings_about()
                    && happen.event.text == event.text
                {
                    let by_me = happen.by.as_ref().is_some_and(|by| by.is_name("me"));
                    through.push(match kind {
                        ItemKind::Team { name, .. } if by_me => Some(name),
                        _ => None,
                    });
                }
            });
        }
        let team = (*through.first()?)?;
        let is_own = own.team.is_some() && self.rules.group_named(&team.text) == own.team;
        let is_it = |of: &Option<&Name>| of.is_some_and(|of| of.text == team.text);
        let is_shared = is_own && through.iter().all(is_it) && !self.kinds().any(is_circle);
        (is_shared && !is_alone).then_some((event, who, team))
    }

    /// Whether a declaration speaks of cards, but for one: of whom something is said then may be some of them alone.
    fn names_cards(&self, kind: &ItemKind, but: &str) -> bool {
        { read_in(kind).into_iter() }.any(|name| name != but && self.rules.group_named(name).is_some())
    }

    /// The mark by which alone a rule holds off what its bearers do when they are called; where nothing else looks for it,
    /// what they do together is not held off.
    fn held_off_alone(&self, rule: &'a Rule) -> Option<&'a Name> {
        let mark = rule.happening.by.as_ref()?.set.bare_name()?;
        let is_mark = |fact: &omerta_core::rules::Fact| {
            fact.name == mark.text && matches!(fact.shape, FactShape::Mark | FactShape::MarkOne)
        };
        let is_read = |kind: &&ItemKind| read_in(*kind).contains(mark.text.as_str());
        // One that a rule lays on may well be for those alone whom that is about.
        let lays = |kind: &StatementKind| gives_mark(kind, &mark.text);
        let may_be_on_any = self.kinds().any(|kind| match kind {
            ItemKind::Role(role) => holds(kind, &lays) && !self.names_cards(kind, &role.name.text),
            ItemKind::Allow(_) => holds(kind, &lays) && !self.names_cards(kind, ""),
            _ => false,
        });
        let waits = may_be_on_any
            && rule.when.is_none()
            && rule.moment == Moment::Instead
            && rule.waits_for("ability");
        (waits && self.kinds().filter(is_read).count() == 1 && self.rules.facts.iter().any(is_mark))
            .then_some(mark)
    }

    /// The roles of which somebody may cause an event; nothing where that may be anybody, or cards change hands.
    fn causers(&self) -> BTreeMap<&'a str, Option<BTreeSet<usize>>> {
        let mut causers: BTreeMap<&str, Option<BTreeSet<usize>>> = BTreeMap::new();
        // Whoever gets a card may have caused something before.
        let (mut are_theirs, mut becoming) = (true, BTreeSet::new());
        for kind in self.kinds() {
            let me = kind.called().map(|(name, _)| name);
            for_each_statement(kind, &mut |statement| {
                let hand = self
                    .rules
                    .role_zone
                    .map(|zone| &self.rules.zones[zone.index()].name);
                let is_hand = |place: &Place| hand == Some(&place.zone.text);
                are_theirs &= match &statement.kind {
                    StatementKind::Turn { role, .. } => {
                        let into = role.bare_name().and_then(|role| self.holders_of(&role.text));
                        into.is_some_and(|into| {
                            becoming.extend(into);
                            true
                        })
                    }
                    StatementKind::Swap { a, b } => !is_hand(a) && !is_hand(b),
                    StatementKind::Move { to, .. } => !is_hand(to),
                    // Whoever is called acts by his own card; a part that is handed over is done by others.
                    StatementKind::Perform { card, .. } => card.bare_name().is_some(),
                    _ => true,
                };
                let Some(happen) = statement.kind.brings_about() else {
                    return;
                };
                let by = happen.by.as_ref().map(|by| by.bare_name());
                let roles = match by {
                    None => Some(BTreeSet::new()),
                    Some(Some(name)) if name.text == "me" => me.and_then(|me| self.called_for(me)),
                    Some(name) => name.and_then(|name| self.holders_of(&name.text)),
                };
                for event in brought_about(kind.rule(), &happen.event) {
                    let all = causers.entry(event.text.as_str());
                    let all = all.or_insert_with(|| Some(BTreeSet::new()));
                    *all = all.take().zip(roles.as_ref()).map(|(all, roles)| &all | roles);
                }
            });
        }
        causers
            .values_mut()
            .flatten()
            .for_each(|roles| roles.extend(&becoming));
        match are_theirs {
            true => causers,
            false => BTreeMap::new(),
        }
    }

    /// The roles of those who may act when a card is called: of its holders, and of whoever is in its circle beside them;
    /// nothing where that may be anybody.
    fn called_for(&self, card: &Name) -> Option<BTreeSet<usize>> {
        let mut theirs = self.holders_of(&card.text)?;
        for kind in self.kinds() {
            let (param, set) = match kind {
                ItemKind::Define { .. } => match circle_in(kind) {
                    Some((param, set)) => (Some(param), set),
                    None => continue,
                },
                ItemKind::Clause(clause)
                    if clause.name.text == "circle" && clause.mode == ClauseMode::Include =>
                {
                    (clause.param.as_ref().map(|param| &param.name), &clause.value)
                }
                _ => continue,
            };
            let is_other =
                |param: &Name| param.text != card.text && self.rules.group_named(&param.text).is_some();
            if param.is_some_and(is_other) {
                continue;
            }
            for name in read_in(set) {
                let is_here = self.present() == Some(name) || param.is_some_and(|param| param.text == name);
                match self.holders_of(name) {
                    Some(holders) => theirs.extend(holders),
                    None if is_here => {}
                    None => return None,
                }
            }
        }
        Some(theirs)
    }

    /// A role, or a team of which no role, has a part of its own: no rule on `ability` comes in around it.
    fn without_part(&self, set: &'a Expr) -> Option<&'a Name> {
        let with_parts = self.kinds().filter_map(|kind| match kind {
            ItemKind::Role(role) if !role.parts.is_empty() => self.rules.group_named(&role.name.text),
            _ => None,
        });
        let with_parts: BTreeSet<usize> = with_parts.map(|role| role.index()).collect();
        let mut names = set.words().iter().filter_map(Expr::bare_name);
        // Whoever is let into the circle of a card, or performs its part, does what that card does.
        let hands_over = |kind: &ItemKind| {
            matches!(kind, ItemKind::Clause(clause) if clause.mode == ClauseMode::Include && clause.param.is_some())
                || holds(kind, &performs_by_somebody)
        };
        if self.kinds().any(hands_over) {
            return None;
        }
        names.find(|name| {
            let roles = self.holders_of(&name.text).filter(|_| name.text != "nobody");
            roles.is_some_and(|roles| roles.is_disjoint(&with_parts))
        })
    }
}

/// `perform c by p`
fn performs_by_somebody(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Perform { by: Some(_), .. })
}

/// Whether two rules wait for one and the same thing.
fn wait_for_one(one: &Rule, other: &Rule) -> bool {
    let mut names = one.happening.names.iter();
    names.any(|name| other.waits_for(&name.text))
}

mistakes! {
    fn does_nothing_beside(rule: &Name, moment: Span) = warning "idle-rule" ("M0759", moment):
        format!("`{}` does nothing", rule.text), "and what it waits for happens all the same",
        help "write `instead of` for what is not to happen, or say between the braces what is to be done",
        writes "instead of";

    fn never_comes_behind(rule: &Rule, other: &Rule) = warning "idle-rule" ("M0759", rule.moment_span):
        format!("`{}` never comes in: `{}` stands in place of all that it waits for", rule.name.text, other.name.text),
        "does not come about then",
        also other.name.span, "always instead of it",
        help format!("say in `{}` what is to be done, or write `before` here", other.name.text),
        writes "before";

    fn no_such_order(rule: &Rule, (other, met): (&Rule, bool), order: &Name) = warning "idle-rule" ("M0759", order.span):
        format!("between `{}` and `{}` there is no such order: {}", rule.name.text, other.name.text, match met {
            false => "they wait for different things",
            true => "what comes `before` is done first, then what comes `instead of`, then what comes `after`",
        }), "changes nothing",
        also other.name.span, "the other one",
        help format!("leave it out, or name a rule that waits for `{}` as this one does", event),
        where event = rule.happening.names.first().map_or("", |name| name.text.as_str());

    fn cancelled_in_vain(event: &Name, at: Span) = warning "never-holds" ("M0744", at):
        format!("`{}` is planned by nobody, and such a plan cannot be cancelled", event.text), "takes nothing off",
        help format!("say by whom where it is planned: `plan {} of … by …`", event.text);

    fn cancelled_of_others(event: &Name, who: &Name, at: Span) = warning "never-holds" ("M0744", at):
        format!("`{}` is never planned by `{}`", event.text, who.text), "takes nothing off",
        help "behind `by` stands who planned it; leave it out, and it is taken off whoever that was";

    fn by_others(event: &Name, who: &Name) = warning "idle-rule" ("M0759", who.span):
        format!("`{}` never happens by `{}`", event.text, who.text), "the rule never comes in",
        help format!("name one by whom it does, as behind `by` in `do {}` or `plan {}`, or leave `by {}` out", event.text, event.text, who.text);

    fn has_left(event: &Name, present: &str, set: Span) = warning "idle-rule" ("M0759", set):
        format!("after `{}` nobody to whom it happened is `{present}`", event.text), "the rule never comes in",
        help format!("leave `{present}` out, or say `before`: `before {} of …`", event.text);

    fn gone_by_then(event: &Name, whom: &Name, present: &str, at: Span) = warning "idle-rule" ("M0759", at):
        format!("after `{}` nobody to whom it happened is `{present}`, so `{}` is not", event.text, whom.text),
        "never so",
        help format!("leave `{present}` out, or say `before`: `before {} of …`", event.text);

    fn by_nobody_ever(event: &Name, by: Span) = warning "idle-rule" ("M0759", by):
        format!("`{}` never happens by anybody", event.text), "this rule never comes in",
        help format!("say by whom where it is caused, as in `plan {} of … by me`, or leave it out here", event.text);

    fn no_part(who: &Name, by: Span) = warning "idle-rule" ("M0759", by):
        format!("`{}` has no part of its own, and this rule comes in around none", who.text), "acts with the team alone",
        help "`ability` is about what a role does when it is called; of what a team does, who is not to take part is left out where it is asked";

    fn not_all_are(event: &Name, who: &Name, team: &Name) = warning "idle-rule" ("M0759", who.span):
        format!("`{}` comes through all of `{}` together, of whom not all are `{}`", event.text, team.text, who.text),
        "holds only where nobody else does it with them",
        also team.span, "called together",
        help format!("write `by {}`", team.text),
        writes team.text.clone();

    fn done_all_the_same(mark: &Name, team: &Name) = warning "idle-rule" ("M0759", mark.span):
        format!("whoever of `{}` is `{}` still does with them what they do together", team.text, mark.text),
        "holds off what a role does alone when it is called",
        also team.span, "called together",
        help format!("leave such a one out of them, with `exclude {} from …`, or hold off the event that they bring about", mark.text);
}
