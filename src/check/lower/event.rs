//! Events, the rules around everything that has a name, and the statements that make events happen.

use super::{Compiler, Found, Local, Meaning, Val, errors};
use crate::effects::{Effects, Touch};
use crate::table::Target;
use omerta_core::rules::{
    Event, EventId, FactShape, GroupId, InsteadRule, Kind, MOST_HANDED, OPERANDS, Op, ProcRole, Reg, RuleId,
};
use omerta_core::source::Span;
use omerta_syntax::tree::{
    BinaryOp, Block, Expr, ExprKind, Happen, Happening, Moment, Name, Pattern, Rule, StatementKind,
};
use omerta_syntax::walk;
use std::iter;

/// Through how many definitions a set is followed.
const MEANT: usize = 8;

impl Found {
    /// Whom it is of, and what a scene is handed besides; more than there is, as nothing.
    fn people(self) -> impl Iterator<Item = Option<(Reg, Kind)>> {
        let besides = self.with.into_iter().filter(move |_| self.event.is_none());
        [self.of].into_iter().chain(besides).chain(iter::repeat(None))
    }

    /// What an event is given.
    fn given(self) -> impl Iterator<Item = (Reg, Kind)> {
        let given = self.with.into_iter().flatten();
        given.filter(move |_| self.event.is_some())
    }

    /// What a rule can give names to with `with`: what an event is given, what a scene is handed that is no people.
    fn named(self) -> impl Iterator<Item = (Reg, Kind)> {
        let scene = self.event.is_none();
        let handed = self.of.into_iter().chain(self.with.into_iter().flatten());
        let handed = handed.filter(move |(_, kind)| scene && *kind != Kind::Players);
        handed.chain(self.given())
    }

    /// The arguments of what comes in there, without names.
    fn arguments(self) -> &'static [(&'static str, Kind)] {
        &BLANK[..2 + self.given().count().max(1)]
    }

    /// Those whom words are meant for, and nothing else.
    fn of(people: Option<Reg>) -> Found {
        Found {
            of: people.map(|people| (people, Kind::Players)),
            ..Found::default()
        }
    }
}

/// In a rule the event that it is about goes by this word, where no event is declared so,
const SAME: &str = "same";
/// and is kept under one that no rule can write.
const SAME_EVENT: &str = "the same";

/// The arguments of a procedure in which nothing has a name yet.
pub(super) const BLANK: [(&str, Kind); OPERANDS] = [("", Kind::Players); OPERANDS];

/// Things with their names, as arguments of a procedure.
pub(super) fn named(things: &[(String, Kind)]) -> Vec<(&str, Kind)> {
    things.iter().map(|(name, kind)| (name.as_str(), *kind)).collect()
}

/// Where what is handed over stands.
pub(super) fn all_of(given: &[Expr]) -> Span {
    let (first, last) = (given.first().map(|g| g.span), given.last().map(|g| g.span));
    let end = last.unwrap_or_default().end;
    Span {
        end,
        ..first.unwrap_or_default()
    }
}

/// Things of these kinds in registers side by side.
pub(super) fn in_registers(
    first: u16,
    kinds: impl Iterator<Item = Kind>,
) -> [Option<(Reg, Kind)>; MOST_HANDED] {
    let mut found = [None; MOST_HANDED];
    for ((place, register), kind) in found.iter_mut().zip(first..).zip(kinds) {
        *place = Some((Reg(register), kind));
    }
    found
}

impl Compiler<'_> {
    // ---- events

    /// Lowers an event's body and all rules around it.
    pub(crate) fn event(&mut self, id: EventId, decl: &crate::table::EventDecl) {
        let found = Found {
            of: decl.of.as_ref().map(|_| (Reg(0), Kind::Players)),
            by: decl.by.as_ref().map(|_| Reg(1)),
            with: in_registers(2, decl.with.iter().map(|(_, kind)| *kind)),
            event: Some(id),
        };
        let role = ProcRole::Event(id);
        let (of, by) = (
            decl.of.clone().unwrap_or_default(),
            decl.by.clone().unwrap_or_default(),
        );
        let mut arguments = BLANK;
        (arguments[0].0, arguments[1].0) = (of.as_str(), by.as_str());
        for (argument, with) in arguments[2..].iter_mut().zip(named(&decl.with)) {
            *argument = with;
        }
        self.layer = decl.layer;
        let (body, effects) = self.gather_effects(|c| {
            c.simple_proc(role, &arguments[..found.arguments().len()], |c| {
                c.block(&decl.body)
            })
        });
        self.event_effects.insert(id, effects);
        let target = Target::Event(id);
        let before = self.event_rules(&target, Moment::Before, role, found);
        let after = self.event_rules(&target, Moment::After, role, found);
        let (instead, decide) = self.event_instead(&target, found);
        self.check_wins_too_early(&target);
        let event = &mut self.out.events[id.index()];
        event.body = body;
        event.before = before;
        event.after = after;
        event.instead = instead;
        event.decide = decide;
    }

    /// Before- or after-rules of an event, as one procedure; none where there is no rule.
    fn event_rules(
        &mut self,
        target: &Target,
        moment: Moment,
        role: ProcRole,
        found: Found,
    ) -> Option<omerta_core::rules::ProcId> {
        let rules = self.rules.for_target(target, moment);
        if rules.is_empty() {
            return None;
        }
        Some(self.simple_proc(role, found.arguments(), |c| {
            for index in rules {
                c.splice(index, found);
            }
        }))
    }

    fn event_instead(
        &mut self,
        target: &Target,
        found: Found,
    ) -> (Vec<InsteadRule>, Option<omerta_core::rules::Thunk>) {
        let rules = self.rules.for_target(target, Moment::Instead);
        if rules.is_empty() {
            return (Vec::new(), None);
        }
        let mut instead = Vec::new();
        for &index in &rules {
            let rule = self.rules.list[index].clone();
            let id = RuleId(index as u16);
            let proc = self.simple_proc(ProcRole::Rule(id), found.arguments(), |c| {
                c.as_rule(index, |c| {
                    c.bind_happening(&rule.rule, found);
                    c.apply_rule(id, &rule.rule);
                });
            });
            instead.push(InsteadRule {
                rule: id,
                proc,
                each: rule.rule.each,
            });
        }
        let decide = self.decide(&rules, &instead, found);
        (instead, Some(decide))
    }

    /// Code that gives the number of the first rule that holds, from 1, or 0.
    fn decide(
        &mut self,
        rules: &[usize],
        instead: &[InsteadRule],
        found: Found,
    ) -> omerta_core::rules::Thunk {
        let (thunk, _) = self.free_thunk(found.arguments(), |c| {
            let (result, running) = (c.temp(), c.temp());
            let mut ends = Vec::new();
            for (i, (&index, rule)) in rules.iter().zip(instead).enumerate() {
                c.emit(Op::Running {
                    to: running,
                    proc: rule.proc,
                });
                let mut skips = vec![c.jump_if(running)];
                let entry = c.rules.list[index].clone();
                let ((), test) = c.gather_effects(|c| {
                    c.as_rule(index, |c| skips.extend(c.rule_test(&entry.rule, found)));
                });
                c.check_tested_at_once(index, &test);
                c.load_const(result, i as u64 + 1);
                ends.push(c.jump());
                c.land_all(skips);
            }
            c.load_const(result, 0);
            c.land_all(ends);
            Val::Reg(result, Kind::Number)
        });
        thunk
    }

    /// Rules before an event come in also where another takes its place: too early to decide a game.
    fn check_wins_too_early(&mut self, target: &Target) {
        let instead = self.rules.for_target(target, Moment::Instead);
        let Some(other) = instead
            .first()
            .map(|&index| self.rules.list[index].rule.name.clone())
        else {
            return;
        };
        let decides =
            |kind: &StatementKind| matches!(kind, StatementKind::Win { .. } | StatementKind::Lose { .. });
        for index in self.rules.for_target(target, Moment::Before) {
            let rule = &self.rules.list[index].rule;
            if walk::holds(&rule.body, &decides) {
                let early = errors::wins_too_early(&rule.name, &other, rule.moment_span);
                self.report(early);
            }
        }
    }

    /// Of several at once all are decided before the first is done: what a rule tests and then changes
    /// itself still holds for the next.
    fn check_tested_at_once(&mut self, index: usize, test: &Effects) {
        let rule = &self.rules.list[index].rule;
        if rule.each || !self.may_come_at_once(&rule.happening) {
            return;
        }
        let (moment, name) = (rule.moment_span, rule.name.clone());
        let written = self.rule_effects.get(&index).map(|all| &all.writes);
        let both = test.reads.iter().find_map(|read| match read {
            Touch::Fact(fact) if written.is_some_and(|all| all.contains(read)) => Some(*fact),
            _ => None,
        });
        if let Some(fact) = both {
            let fact = self.out.facts[fact.index()].name.clone();
            self.report(errors::tested_at_once(&name, &fact, moment));
        }
    }

    /// Whether what a rule waits for may come twice in one batch.
    fn may_come_at_once(&self, happening: &Happening) -> bool {
        let mut names = happening.names.iter();
        if !self.is_of_one(happening) {
            let batches = &self.batches;
            // Two that come once each may come together.
            let once = |event: &&Name| batches.once.contains(&event.text);
            let both = names.clone().filter(once).count() > 1;
            let alone = |event: &Name| batches.by_ones.contains(&event.text) || once(&event);
            return both || !names.all(alone);
        }
        let set = &happening.of[0].set;
        let befalls = |planned: &&Expr| self.may_meet(planned, set, MEANT);
        happening.by.is_none()
            && names.any(|event| {
                let plans = { self.batches.plans.get(&event.text) }
                    .filter(|_| !self.batches.apart.contains(&event.text));
                plans.is_some_and(|plans| plans.iter().filter(befalls).count() >= 2)
            })
    }

    /// Whether somebody may be in a set who has the one role that is meant, as far as names say.
    fn may_meet(&self, set: &Expr, one: &Expr, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return true;
        };
        let meaning = |set: &Expr| {
            let name = set.inside().bare_name()?;
            Some(self.symbols.get(&name.text)?.meaning)
        };
        let Some(Meaning::Group(role)) = meaning(one) else {
            return true;
        };
        match &*set.inside().kind {
            ExprKind::Narrow(parts) => parts.iter().all(|part| self.may_meet(part, one, depth)),
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                self.may_meet(left, one, depth) && !self.is_all_of(right, role)
            }
            _ => match meaning(set) {
                Some(Meaning::Group(_)) => self.is_all_of(set, role),
                Some(Meaning::Define(define)) => {
                    let define = &self.defines.list[define];
                    let added = define.clauses.iter().map(|(_, clause)| clause);
                    let mut all = define.bases.iter().chain(added);
                    define.param.is_some() || all.any(|clause| self.may_meet(&clause.value, one, depth))
                }
                _ => true,
            },
        }
    }

    /// Whether a set is a card by which all are meant who have a role.
    fn is_all_of(&self, set: &Expr, role: GroupId) -> bool {
        let name = set.inside().bare_name();
        let Some(Meaning::Group(group)) = name.and_then(|name| Some(self.symbols.get(&name.text)?.meaning))
        else {
            return false;
        };
        let own = &self.out.roles[role.index()];
        group == role || own.team == Some(group) || own.groups.contains(&group)
    }

    /// Whether what a rule waits for befalls one at the most: a role of which there is one, a mark that one carries.
    fn is_of_one(&self, happening: &Happening) -> bool {
        let [Pattern { set, .. }] = &happening.of[..] else {
            return false;
        };
        match set.bare_name().and_then(|name| self.symbols.get(&name.text)) {
            Some(symbol) => match symbol.meaning {
                Meaning::Group(group) => {
                    let role = self.out.roles.get(group.index());
                    role.is_some_and(|role| role.limit == Some(1))
                }
                Meaning::Fact(fact) => self.out.facts[fact.index()].shape == FactShape::MarkOne,
                _ => false,
            },
            None => false,
        }
    }

    // ---- rules

    /// Lowers with nothing else in sight: the names, loops and home of where a rule comes in are not
    /// its own. Notes what the rule touches.
    pub(super) fn as_rule<T>(&mut self, index: usize, write: impl FnOnce(&mut Self) -> T) -> T {
        let layer = std::mem::replace(&mut self.layer, self.rules.list[index].layer);
        let scope = std::mem::take(&mut self.scope);
        let loops = std::mem::take(&mut self.loops);
        let can_leave = std::mem::replace(&mut self.home.can_leave, false);
        let place = self.rules.list[index].rule.name.span;
        let next = self.next;
        self.rule_stack.push(index);
        let (out, effects) = self.gather_effects(|c| c.placed_at(place, write));
        self.rule_stack.pop();
        self.rule_effects.entry(index).or_default().join(&effects);
        self.next = next;
        self.home.can_leave = can_leave;
        self.loops = loops;
        self.scope = scope;
        self.layer = layer;
        out
    }

    fn gather_effects<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (T, Effects) {
        let outer = std::mem::take(&mut self.effects);
        let out = write(self);
        let inner = std::mem::replace(&mut self.effects, outer);
        self.effects.join(&inner);
        (out, inner)
    }

    /// Whether a rule can be written out here: not inside itself, and not for ever.
    fn may_splice(&mut self, index: usize) -> bool {
        let name = self.rules.list[index].rule.name.clone();
        if self.rule_stack.contains(&index) {
            self.report(errors::rule_sets_itself_off(&name));
            return false;
        }
        self.may_write_out(name.span)
    }

    /// A before- or after-rule where it comes in: its test, its body.
    pub(super) fn splice(&mut self, index: usize, found: Found) {
        if !self.may_splice(index) {
            return;
        }
        let entry = self.rules.list[index].clone();
        self.as_rule(index, |c| {
            let skips = c.rule_test(&entry.rule, found);
            c.apply_rule(RuleId(index as u16), &entry.rule);
            c.land_all(skips);
        });
    }

    /// Gives the rule its names and tests its patterns and its condition; the jumps are taken where
    /// it does not hold.
    pub(super) fn rule_test(&mut self, rule: &Rule, found: Found) -> Vec<usize> {
        let mut skips = Vec::new();
        let words = ["of"].into_iter().chain(iter::repeat("and"));
        for ((pattern, word), place) in rule.happening.of.iter().zip(words).zip(found.people()) {
            skips.extend(self.pattern_test(Some(pattern), place, word, rule));
        }
        skips.extend(self.pattern_test(
            rule.happening.by.as_ref(),
            found.by.map(|r| (r, Kind::Players)),
            "by",
            rule,
        ));
        let named = found.named().count();
        if let Some(name) = rule.happening.with.get(named) {
            self.nothing_there(name.span, "with", named, rule);
        }
        self.bind_happening(rule, found);
        if let Some(when) = &rule.when {
            let val = self.value(when, Some(Kind::Truth));
            let whom = rule.happening.of.is_empty() && found.of.is_some();
            let val = match val.kind() {
                Kind::Players if whom => {
                    let told = errors::whom_behind_when(
                        self.sources.slice(when.span),
                        &rule.happening.names[0],
                        when.span,
                    );
                    self.stand_in(told, Kind::Truth)
                }
                _ => self.coerce(val, Kind::Truth, when.span),
            };
            match val {
                Val::Const(0, _) => skips.push(self.jump()),
                Val::Const(..) => {}
                val => {
                    let test = self.reg(val);
                    skips.push(self.jump_unless(test));
                }
            }
        }
        skips
    }

    fn pattern_test(
        &mut self,
        pattern: Option<&Pattern>,
        found: Option<(Reg, Kind)>,
        word: &str,
        rule: &Rule,
    ) -> Option<usize> {
        let pattern = pattern?;
        let Some((a, kind)) = found else {
            let people = match word {
                "and" => rule.happening.of.len() - 1,
                _ => 0,
            };
            self.nothing_there(pattern.set.span, word, people, rule);
            return None;
        };
        let test = self.scratch(|c| {
            let b = c.wanted(&pattern.set, kind);
            c.fresh(|to| match kind {
                Kind::Number => Op::Equal { to, a, b },
                _ => Op::Within { to, a, b },
            })
        });
        Some(self.jump_unless(test))
    }

    /// The rule names something that its happening, which is handed `number` things of the sort, does not have.
    fn nothing_there(&mut self, span: Span, word: &str, number: usize, rule: &Rule) {
        let names = &rule.happening.names;
        self.report(match number {
            0 => errors::pattern_without_place(span, word, names),
            more => errors::handed_no_more(span, more, names),
        });
    }

    /// Binds `as p`, `as k` and `with n`.
    pub(super) fn bind_happening(&mut self, rule: &Rule, found: Found) {
        if let Some(event) = found.event {
            self.bind(SAME_EVENT, Local::Same(event, found));
        }
        let by = found.by.map(|by| (by, Kind::Players));
        let nothing = iter::repeat(None);
        let patterns = rule.happening.of.iter().zip(found.people());
        let patterns = patterns.chain(rule.happening.by.iter().map(|pattern| (pattern, by)));
        let named = patterns.map(|(pattern, place)| (pattern.name.as_ref(), place));
        let given = { rule.happening.with.iter() }.zip(found.named().map(Some).chain(nothing));
        for (name, found) in named.chain(given.map(|(name, place)| (Some(name), place))) {
            let Some(name) = name else { continue };
            self.check_fresh(name);
            // That there is nothing has been told already.
            let value = found.map_or(Val::Const(0, Kind::Players), |(reg, kind)| Val::Reg(reg, kind));
            self.bind(&name.text, Local::Value(value));
        }
    }

    /// Rules before or after words with a name.
    pub(super) fn word_rules(&mut self, word: &str, moment: Moment, people: Option<Reg>) {
        let found = Found::of(people);
        for index in self.rules.for_target(&Target::Word(word.to_owned()), moment) {
            self.splice(index, found);
        }
    }

    /// Rules that take the place of words; the jumps lead past the words.
    pub(super) fn word_instead(&mut self, word: &str, people: Option<Reg>) -> Vec<usize> {
        let found = Found::of(people);
        let rules = self
            .rules
            .for_target(&Target::Word(word.to_owned()), Moment::Instead);
        rules
            .into_iter()
            .map(|index| self.splice_instead(index, found))
            .collect()
    }

    /// An instead-rule in line: its test, its body, and a jump past what it replaces.
    pub(super) fn splice_instead(&mut self, index: usize, found: Found) -> usize {
        if !self.may_splice(index) {
            return self.jump();
        }
        let entry = self.rules.list[index].clone();
        self.as_rule(index, |c| {
            let skips = c.rule_test(&entry.rule, found);
            c.apply_rule(RuleId(index as u16), &entry.rule);
            let over = c.jump();
            c.land_all(skips);
            over
        })
    }

    /// `after choice of players as t by Guard as d`: behind every question whose answer is players.
    pub(super) fn choice_rules(&mut self, answer: Reg, kind: Kind, by: Reg) {
        if kind != Kind::Players || self.in_choice_rule {
            return;
        }
        let rules = self.rules.for_target(&Target::Choice, Moment::After);
        if rules.is_empty() {
            return;
        }
        self.in_choice_rule = true;
        let over = self.jump_unless(answer);
        let found = Found {
            of: Some((answer, Kind::Players)),
            by: Some(by),
            ..Found::default()
        };
        for index in rules {
            self.splice(index, found);
        }
        self.land(over);
        self.in_choice_rule = false;
    }

    // ---- parts of roles and teams

    /// A part: the rules on `ability` around it take people out of its circle.
    pub(super) fn part(
        &mut self,
        title: omerta_core::rules::GroupId,
        ability: bool,
        body: &Block,
    ) -> omerta_core::rules::ProcId {
        self.simple_proc(ProcRole::Part(title), &[("me", Kind::Players)], |c| {
            let me = Reg(0);
            if ability {
                // A call that nobody answers goes on as it is, whatever rules there are: who hears it must not
                // learn from it that nobody is there.
                let had = c.temp();
                c.copy(had, me);
                c.ability_rules(Moment::Before, me);
                c.ability_rules(Moment::Instead, me);
                let left = c.jump_if(me);
                let out = c.jump_if(had);
                c.home.exits.push(out);
                c.land(left);
            }
            c.emit(Op::Performs { title, who: me });
            // What ends the part is no reason for rules after it to stay out.
            let around = std::mem::take(&mut c.home.exits);
            c.block(body);
            let ended = std::mem::replace(&mut c.home.exits, around);
            ended.into_iter().for_each(|exit| c.land(exit));
            if ability {
                c.ability_rules(Moment::After, me);
            }
        })
    }

    fn ability_rules(&mut self, moment: Moment, me: Reg) {
        for index in self.rules.for_target(&Target::Ability, moment) {
            self.ability_rule(index, me, moment == Moment::Instead);
        }
    }

    /// A rule on `ability by S as p`: for those of the circle who are in S.
    fn ability_rule(&mut self, index: usize, me: Reg, take_out: bool) {
        let entry = self.rules.list[index].clone();
        self.as_rule(index, |c| {
            let who = c.temp();
            match &entry.rule.happening.by {
                Some(pattern) => {
                    let set = c.players(&pattern.set);
                    c.emit(Op::And {
                        to: who,
                        a: me,
                        b: set,
                    });
                }
                None => c.copy(who, me),
            }
            if let Some(of) = entry.rule.happening.of.first() {
                c.report(errors::pattern_without_place(
                    of.set.span,
                    "of",
                    &entry.rule.happening.names,
                ));
            }
            let mut skips = vec![c.jump_unless(who)];
            if let Some(name) = entry.rule.happening.by.as_ref().and_then(|p| p.name.as_ref()) {
                c.check_fresh(name);
                c.bind_value(&name.text, who, Kind::Players);
            }
            if let Some(when) = &entry.rule.when {
                let val = c.truth(when);
                let test = c.reg(val);
                skips.push(c.jump_unless(test));
            }
            c.apply_rule(RuleId(index as u16), &entry.rule);
            if take_out {
                c.take_out(me, who);
            }
            c.land_all(skips);
        });
    }

    // ---- statements

    pub(super) fn do_event(&mut self, happen: &Happen) {
        if let Some((event, base)) = self.happen(happen) {
            self.effects.does.insert(event);
            self.emit(Op::Do { event, base });
        }
    }

    pub(super) fn plan_event(&mut self, happen: &Happen) {
        if let Some((event, base)) = self.happen(happen) {
            self.effects.write(Touch::Plans(event));
            self.planned.insert(event);
            self.emit(Op::Plan { event, base });
        }
    }

    fn event_named(&mut self, name: &Name) -> Option<EventId> {
        match self.resolve(name) {
            Some(Meaning::Events(_)) => {
                self.report(errors::several_events(name));
                None
            }
            Some(Meaning::Event(event)) => {
                self.symbols.read.insert(name.text.clone());
                Some(event)
            }
            Some(other) => {
                self.report(errors::wrong_sort(name, "an event", self.sort(other)));
                None
            }
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Event(_)), "event NAME of p { … }");
                None
            }
        }
    }

    fn happen(&mut self, happen: &Happen) -> Option<(EventId, Reg)> {
        let is_same = happen.event.text == SAME && self.symbols.get(SAME).is_none();
        let same = match self.scope.get(SAME_EVENT) {
            Some(Local::Same(event, found)) if is_same => Some((*event, *found)),
            _ => None,
        };
        if same.is_none() && is_same {
            self.report(errors::same_as_nothing(&happen.event));
            return None;
        }
        let event = match same {
            Some((event, _)) => event,
            None => self.event_named(&happen.event)?,
        };
        let Event { of, by, ref with, .. } = self.out.events[event.index()];
        let with = with.clone();
        let base = self.temps(2 + with.len().max(1) as u16);
        let places = [
            ("of", &happen.of, of.then_some(Kind::Players)),
            ("by", &happen.by, by.then_some(Kind::Players)),
        ];
        let before = same.map_or([None; 2], |(_, Found { of, by, .. })| [of.map(|(of, _)| of), by]);
        for ((to, (word, given, kind)), before) in (base.0..).map(Reg).zip(places).zip(before) {
            if let (None, Some(before)) = (given, before) {
                self.copy(to, before);
                continue;
            }
            self.happen_place(&happen.event, to, word, given.as_ref(), kind);
        }
        let to = Reg(base.0 + 2);
        match (same, &happen.with[..]) {
            (Some((_, found)), []) => {
                for (to, (from, _)) in (to.0..).map(Reg).zip(found.given()) {
                    self.copy(to, from);
                }
            }
            (_, given) => self.happen_with(&happen.event, to, given, &with),
        }
        Some((event, base))
    }

    /// `with 3 and first of aside`
    fn happen_with(&mut self, event: &Name, base: Reg, given: &[Expr], kinds: &[Kind]) {
        match (given, kinds.len()) {
            ([], 0) => {}
            ([], _) => self.report(errors::event_needs(event, "with")),
            ([given, ..], 0) => self.report(errors::event_has_no(event, "with", given.span)),
            (given, wanted) if given.len() != wanted => {
                self.report(errors::handed_otherwise(event, kinds, given, all_of(given)))
            }
            _ => self.hand_over(base, given, kinds),
        }
    }

    fn happen_place(&mut self, event: &Name, to: Reg, word: &str, given: Option<&Expr>, kind: Option<Kind>) {
        match (given, kind) {
            (Some(given), Some(kind)) => self.scratch(|c| {
                c.into(to, |c| c.wanted_val(given, kind));
            }),
            // Who it is by need not be said: then it is by nobody.
            (None, Some(_)) if word == "by" => self.load_const(to, 0),
            (None, Some(_)) => self.report(errors::event_needs(event, word)),
            (Some(given), None) => self.report(errors::event_has_no(event, word, given.span)),
            (None, None) => {}
        }
    }

    /// `card turned`: the word for a kind before what is handed, and what stands behind it.
    pub(super) fn kind_said(&self, given: &Expr) -> Option<(&'static str, String)> {
        let ExprKind::Narrow(words) = &*given.kind else {
            return None;
        };
        let first = words.first()?.bare_name()?;
        let kind = ["card", "number"].into_iter().find(|kind| first.text == *kind)?;
        let rest = Span {
            start: words.get(1)?.span.start,
            ..given.span
        };
        Some((kind, self.sources.slice(rest).to_owned()))
    }

    pub(super) fn settle(&mut self, names: &[Name]) {
        let events = self.event_list(names);
        for event in &events {
            self.effects.does.insert(*event);
            self.effects.read(Touch::Plans(*event));
            self.settled.insert(*event);
        }
        let list = self.list(events);
        self.emit(Op::Settle { list });
    }

    pub(super) fn cancel(&mut self, names: &[Name], of: Option<&Expr>, by: Option<&Expr>) {
        let base = self.temps(2);
        for (to, given) in [(base, of), (Reg(base.0 + 1), by)] {
            match given {
                Some(given) => self.scratch(|c| {
                    let val = c.wanted_val(given, Kind::Players);
                    c.put_into(to, val);
                }),
                None => {
                    self.emit(Op::Players { to });
                }
            }
        }
        let events = self.event_list(names);
        for event in &events {
            self.effects.write(Touch::Plans(*event));
        }
        let list = self.list(events);
        self.emit(Op::Cancel { list, base });
    }

    fn event_list(&mut self, names: &[Name]) -> Vec<EventId> {
        let mut events = Vec::new();
        for name in names {
            match self.resolve(name) {
                Some(Meaning::Events(group)) => {
                    events.extend_from_slice(&self.symbols.event_groups[group]);
                    self.symbols.read.insert(name.text.clone());
                }
                _ => events.extend(self.event_named(name)),
            }
        }
        events
    }

    fn list(&mut self, events: Vec<EventId>) -> u16 {
        let place = self.out.lists.iter().position(|l| *l == events);
        place.unwrap_or_else(|| {
            self.out.lists.push(events);
            self.out.lists.len() - 1
        }) as u16
    }
}
