//! Those who leave the game and leave it once more.

use crate::course::{remembered, tests_of};
use crate::look::{Look, goes_away, names, read_in, waits_for};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    Block, Domain, Expr, ExprKind, Happen, ItemKind, MarkShape, Moment, Name, Rule, Statement, StatementKind,
};
use omerta_syntax::walk::{for_each_expr, for_each_statement, holds, holds_expr};
use std::collections::{BTreeMap, BTreeSet};

/// How many statements are walked through at the most, and how deep scenes may play scenes.
const STEPS: usize = 4_000;
const DEPTH: usize = 12;

impl<'a> Look<'a> {
    /// Somebody leaves by an event that two cards may plan for him in one night.
    pub fn check_left_twice(&self, present: &str, diagnostics: &mut Vec<Diagnostic>) {
        let leaving = self.leaving(present, true);
        let read = self.read_by(present);
        for kind in self.kinds() {
            let ItemKind::Event { name, body, of, .. } = kind else {
                continue;
            };
            let Some(whom) = of else { continue };
            let plans = |kind: &StatementKind| matches!(kind, StatementKind::Plan(happen) if happen.event.text == name.text);
            let planners = self
                .kinds()
                .filter(|kind| kind.called().is_some() && holds(*kind, &plans));
            let leaves = body
                .statements
                .iter()
                .find_map(|statement| match &statement.kind {
                    StatementKind::Do(happen) if leaving.contains(&happen.event.text) => {
                        let is_he = happen.of.as_ref().is_some_and(|of| of.is_name(&whom.name.text));
                        is_he.then_some((&happen.event, statement.span))
                    }
                    _ => None,
                });
            let Some((event, at)) = leaves.filter(|(_, at)| self.is_ours(*at)) else {
                continue;
            };
            let events = BTreeSet::from([name.text.clone(), event.text.clone()]);
            // Who asks whom another has planned it for knows.
            let asks =
                |expr: &Expr| matches!(&*expr.kind, ExprKind::Planned(event) if event.text == name.text);
            let is_asked = self.kinds().any(|kind| holds_expr(kind, &asks));
            if planners.count() >= 2 && !is_asked && !self.are_spared(&events, &read) {
                diagnostics.push(leaves_twice(name, event, &whom.name.text, present, at));
            }
        }
    }

    /// Whether a rule in the place of one of these events looks whether somebody has left.
    fn are_spared(&self, events: &BTreeSet<String>, read: &BTreeSet<&str>) -> bool {
        self.rule_list().any(|rule| {
            let mut tests = tests_of(rule);
            rule.moment == Moment::Instead
                && waits_for(rule, events)
                && tests.any(|test| read.iter().any(|of| names(test, of)))
        })
    }

    // ---- Marked, and gone before it comes to him

    /// Somebody leaves by a mark that he was given before others left, of whom he may be one.
    pub fn check_leaves_again(&self, present: &str, diagnostics: &mut Vec<Diagnostic>) {
        let Some(script) = self.course.script() else {
            return;
        };
        let leaving = self.leaving(present, false);
        let read = self.read_by(present);
        // Where nothing comes of it but the mark, nobody sees that it happens once more.
        let waits = self.rule_list().any(|rule| waits_for(rule, &leaving));
        let asks = |kind: &StatementKind| match kind {
            StatementKind::If(test, ..) => read.iter().any(|of| names(test, of)),
            _ => false,
        };
        let looks = self.are_spared(&leaving, &read)
            || self.kinds().any(|kind| match kind {
                ItemKind::Event { name, .. } => leaving.contains(&name.text) && holds(kind, &asks),
                _ => false,
            });
        let tells = self.kinds().any(|kind| match kind {
            ItemKind::Event { name, body, .. } => {
                leaving.contains(&name.text)
                    && holds(body, &|kind| !matches!(kind, StatementKind::Mark { .. }))
            }
            _ => false,
        });
        if looks || !(waits || tells) {
            return;
        }
        let leaving = leaving.union(&self.leaving(present, true)).cloned().collect();
        let mut way = Way::of(self, &leaving);
        way.block(script, DEPTH);
        let found = { way.found.into_values() }.filter(|(again, ..)| self.is_ours(again.span));
        diagnostics.extend(found.map(|(again, event, first)| leaves_again(again, event, present, first)));
    }
}

/// The way through the script: who was marked, and who has left since.
struct Way<'l, 'a> {
    look: &'l Look<'a>,
    leaving: &'l BTreeSet<String>,
    marks: BTreeMap<&'a str, Carried<'a>>,
    /// What definitions read.
    meant: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// What is read where a mark is given: whoever gives it there knows of that.
    known: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// From which sets those were named who get a mark; nothing where that is not known of one of them.
    named_from: BTreeMap<&'a str, Option<Vec<&'a Expr>>>,
    /// The marks that some carry, and where others have left since the last of them was marked, under which name.
    marked: BTreeMap<&'a str, Option<(Span, Option<&'a str>)>>,
    /// The tests one is behind.
    tests: Vec<&'a Expr>,
    found: BTreeMap<Span, Again<'a>>,
    steps: usize,
}

/// Whether only one carries a mark, and with the end or the beginning of which scene it is over.
#[derive(Clone, Copy)]
struct Carried<'a> {
    one: bool,
    over: Option<(&'a str, bool)>,
}

/// Who leaves again, by which event, and where somebody has left before.
type Again<'a> = (&'a Name, &'a Name, Span);

impl<'l, 'a> Way<'l, 'a> {
    fn of(look: &'l Look<'a>, leaving: &'l BTreeSet<String>) -> Self {
        let mut way = Way {
            look,
            leaving,
            marks: BTreeMap::new(),
            meant: BTreeMap::new(),
            known: BTreeMap::new(),
            named_from: BTreeMap::new(),
            marked: BTreeMap::new(),
            tests: Vec::new(),
            found: BTreeMap::new(),
            steps: 0,
        };
        let mut elsewhere = BTreeSet::new();
        for kind in look.kinds() {
            match kind {
                ItemKind::Mark { shape, .. } => {
                    let (names, life) = remembered(kind).unwrap_or_default();
                    let mark = Carried {
                        one: *shape == MarkShape::One,
                        over: life.map(|life| (life.name.text.as_str(), life.to_end)),
                    };
                    way.marks
                        .extend(names.iter().map(|name| (name.text.as_str(), mark)));
                }
                ItemKind::Rule(rule) => {
                    let mut note =
                        |part: &'a Expr| elsewhere.extend(part.bare_name().map(|name| name.text.as_str()));
                    tests_of(rule).for_each(|test| for_each_expr(test, &mut note));
                    if !way.is_around_scenes(rule) {
                        elsewhere.extend(changed_in(kind));
                    }
                }
                // What offers give and take comes at its own time.
                ItemKind::Allow(_) => elsewhere.extend(changed_in(kind)),
                _ => {}
            }
        }
        for (name, kinds) in &look.course.meanings {
            let read = kinds.iter().flat_map(|kind| read_in(*kind));
            way.meant.insert(name, read.collect());
        }
        // What nothing ever takes off brings about the same again and again, and that is told by itself.
        let lasting = look.lasting_marks();
        way.marks
            .retain(|mark, _| !elsewhere.contains(mark) && !lasting.contains_key(mark));
        let bodies = way.bodies();
        bodies.iter().for_each(|body| way.add_named(body));
        let gives = { bodies.iter() }.map(|body| (given_in(body), read_in(*body)));
        for (given, read) in gives {
            let through = read.iter().filter_map(|name| way.meant.get(name)).flatten();
            let read: BTreeSet<&str> = through.chain(&read).copied().collect();
            for mark in given {
                way.known.entry(mark).or_default().extend(&read);
            }
        }
        way
    }

    /// Whether a rule comes in before scenes or behind them.
    fn is_around_scenes(&self, rule: &Rule) -> bool {
        let mut names = rule.happening.names.iter();
        let is_scene = |name: &Name| self.look.course.scenes.contains_key(name.text.as_str());
        rule.moment != Moment::Instead && names.all(is_scene)
    }

    /// What rules do around a scene.
    fn around(&self, scene: &str, moment: Moment) -> Vec<&'a Block> {
        let rules = self.look.course.rules.get(scene).into_iter().flatten();
        let around = rules.filter(|rule| rule.moment == moment && self.is_around_scenes(rule));
        around.map(|rule| &rule.body).collect()
    }

    /// All that the way may go through.
    fn bodies(&self) -> Vec<&'a Block> {
        let course = self.look.course;
        let rules = course.rules.values().flatten();
        let around = rules.filter(|rule| self.is_around_scenes(rule));
        let named = course.scenes.values().chain(course.events.values());
        let all = named.chain(course.parts.values()).copied();
        all.chain(around.map(|rule| &rule.body)).collect()
    }

    fn add_named(&mut self, body: &'a Block) {
        let mut answers: BTreeMap<&str, &Expr> = BTreeMap::new();
        for_each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::Ask(ask) => {
                if let Some((name, set)) = ask.asked_from() {
                    answers.insert(&name.text, set);
                }
            }
            StatementKind::Mark { set, names } => {
                let from = set.bare_name().and_then(|name| answers.get(name.text.as_str()));
                for name in names {
                    let known = self.named_from.entry(&name.text);
                    let known = known.or_insert_with(|| Some(Vec::new()));
                    *known = known.take().zip(from).map(|(mut known, from)| {
                        known.push(*from);
                        known
                    });
                }
            }
            _ => {}
        });
    }

    /// The mark by which a set is narrowed: `living hunted`.
    fn mark_in(&self, set: &'a Expr) -> Option<&'a Name> {
        let ExprKind::Narrow(parts) = &*set.inside().kind else {
            return None;
        };
        let mut names = parts.iter().filter_map(Expr::bare_name);
        names.find(|name| self.look.rules.fact_named(&name.text).is_some())
    }

    /// Whether those who carry two marks hold cards of different roles.
    fn are_apart(&self, one: &str, other: &str) -> bool {
        let from = |mark: &str| self.named_from.get(mark).and_then(Option::as_ref);
        let apart =
            |one: &Expr, other: &Expr| self.look.are_apart(one, other) || self.look.are_apart(other, one);
        from(one).zip(from(other)).is_some_and(|(ones, others)| {
            ones.iter()
                .all(|one| others.iter().all(|other| apart(one, other)))
        })
    }

    fn block(&mut self, block: &'a Block, depth: usize) {
        for statement in &block.statements {
            self.steps += 1;
            if depth == 0 || self.steps > STEPS {
                return;
            }
            self.statement(statement, depth - 1);
        }
    }

    fn through(&mut self, bodies: impl IntoIterator<Item = &'a Block>, depth: usize) {
        bodies.into_iter().for_each(|body| self.block(body, depth));
    }

    fn event(&mut self, event: &str, depth: usize) {
        self.through(self.look.course.events.get(event).copied(), depth);
    }

    fn statement(&mut self, statement: &'a Statement, depth: usize) {
        match &statement.kind {
            StatementKind::If(test, then, otherwise) => {
                let before = self.marked.clone();
                self.tests.push(test);
                self.branch(Some(then), (test, true), depth);
                let behind = std::mem::replace(&mut self.marked, before);
                self.branch(otherwise.as_ref(), (test, false), depth);
                self.tests.pop();
                match otherwise {
                    Some(other) if goes_away(other) => self.marked = behind,
                    _ if goes_away(then) => {}
                    _ => {
                        for (mark, left) in behind {
                            let known = self.marked.entry(mark).or_default();
                            *known = known.or(left);
                        }
                    }
                }
                // Of whom something else was asked it is known from here on how he stands.
                let marks = self.marked.keys().copied();
                let known: Vec<&str> = marks.filter(|mark| self.asks_about(test, mark)).collect();
                self.marked.retain(|mark, _| !known.contains(mark));
            }
            StatementKind::ForEach {
                name: Some(each),
                among: Domain::Set(set),
                body,
                ..
            } => {
                for statement in &body.statements {
                    match &statement.kind {
                        StatementKind::Do(happen)
                            if happen.of.as_ref().is_some_and(|of| of.is_name(&each.text)) =>
                        {
                            self.happen(happen, Some(set), statement.span, depth);
                        }
                        _ => self.statement(statement, depth),
                    }
                }
            }
            StatementKind::ForEach { body, .. } => self.block(body, depth),
            StatementKind::Repeat(body) => (0..2).for_each(|_| self.block(body, depth)),
            StatementKind::Play { scene, of } => {
                self.marked
                    .retain(|mark, _| !of.iter().any(|set| names(set, mark)));
                self.over(&scene.text, false);
                self.through(self.around(&scene.text, Moment::Before), depth);
                self.through(self.look.course.scenes.get(scene.text.as_str()).copied(), depth);
                self.through(self.around(&scene.text, Moment::After), depth);
                self.over(&scene.text, true);
            }
            StatementKind::Call { card, .. } => {
                let parts = self.look.course.parts.iter();
                let called = parts.filter(|((of, _), _)| card.is_name(of));
                let called: Vec<&Block> = called.map(|(_, body)| *body).collect();
                self.through(called, depth);
            }
            StatementKind::Settle(events) => {
                events.iter().for_each(|event| self.event(&event.text, depth));
            }
            StatementKind::Do(happen) => self.happen(happen, happen.of.as_ref(), statement.span, depth),
            StatementKind::Mark { names, .. } => {
                for name in names {
                    if let Some(carried) = self.marks.get(name.text.as_str()) {
                        let left = self.marked.entry(&name.text).or_default();
                        // Whoever had it before has it no more.
                        *left = left.filter(|_| !carried.one);
                    }
                }
            }
            StatementKind::Unmark { set, names: off } => self
                .marked
                .retain(|mark, _| !names(set, mark) && off.iter().all(|name| name.text != *mark)),
            StatementKind::Clear(off) => {
                self.marked
                    .retain(|mark, _| off.iter().all(|name| name.text != *mark));
            }
            _ => {}
        }
    }

    /// One of two ways: where nobody carries a mark nobody leaves by it.
    fn branch(&mut self, block: Option<&'a Block>, (test, holds): (&'a Expr, bool), depth: usize) {
        self.marked.retain(|mark, _| !nobody_where(test, mark, holds));
        for left in self.marked.values_mut() {
            let is_nobody = |by: &Option<&str>| by.is_some_and(|by| nobody_where(test, by, holds));
            *left = left.filter(|(_, by)| !is_nobody(by));
        }
        block.into_iter().for_each(|block| self.block(block, depth));
    }

    /// Whether a test asks more about somebody than whether there is one.
    fn asks_about(&self, test: &Expr, mark: &str) -> bool {
        let only_whether =
            matches!(&*test.inside().kind, ExprKind::Some(of) | ExprKind::No(of) if of.bare_name().is_some());
        let reads = |name: &str| self.meant.get(name).is_some_and(|read| read.contains(mark));
        let asks = |name: &Name| name.text == mark || reads(&name.text);
        !only_whether && holds_expr(test, &|part| part.bare_name().is_some_and(asks))
    }

    /// A mark is over where a scene begins or ends.
    fn over(&mut self, scene: &str, at_end: bool) {
        let marks = &self.marks;
        self.marked
            .retain(|mark, _| marks[mark].over != Some((scene, at_end)));
    }

    fn happen(&mut self, happen: &'a Happen, of: Option<&'a Expr>, at: Span, depth: usize) {
        if !self.leaving.contains(&happen.event.text) {
            self.event(&happen.event.text, depth);
            return;
        }
        let whom = of.and_then(Expr::bare_name);
        let by = whom.or_else(|| self.mark_in(of?)).map(|name| name.text.as_str());
        let knows = |one: &str, other: &str| self.known.get(one).is_some_and(|read| read.contains(other));
        let marks: Vec<&str> = self.marked.keys().copied().collect();
        for mark in marks {
            let is_meant = of.is_some_and(|of| whom.is_none() && names(of, mark));
            let is_apart =
                by.is_some_and(|by| knows(mark, by) || knows(by, mark) || self.are_apart(mark, by));
            let is_asked = self.tests.iter().any(|test| self.asks_about(test, mark));
            let Some(left) = self.marked.get_mut(mark) else {
                continue;
            };
            match whom.filter(|whom| whom.text == mark) {
                Some(whom) => {
                    if let Some((first, _)) = left.take().filter(|_| !is_asked) {
                        { self.found.entry(whom.span) }.or_insert((whom, &happen.event, first));
                    }
                }
                // They themselves have left, and carry it still.
                None if is_meant && by == Some(mark) => *left = left.or(Some((at, by))),
                None if is_meant || is_apart => {}
                None => *left = left.or(Some((at, by))),
            }
        }
    }
}

/// The marks that are given and taken off in something.
fn changed_in(kind: &ItemKind) -> BTreeSet<&str> {
    let mut changed = BTreeSet::new();
    for_each_statement(kind, &mut |statement| {
        if let StatementKind::Mark { names, .. }
        | StatementKind::Unmark { names, .. }
        | StatementKind::Clear(names) = &statement.kind
        {
            changed.extend(names.iter().map(|name| name.text.as_str()));
        }
    });
    changed
}

fn given_in(block: &Block) -> BTreeSet<&str> {
    let mut given = BTreeSet::new();
    for_each_statement(block, &mut |statement| {
        if let StatementKind::Mark { names, .. } = &statement.kind {
            given.extend(names.iter().map(|name| name.text.as_str()));
        }
    });
    given
}

/// Whether a test that holds, or does not, says that nobody carries a mark.
fn nobody_where(test: &Expr, mark: &str, holds: bool) -> bool {
    match &*test.inside().kind {
        ExprKind::And(parts) if holds => parts.iter().any(|part| nobody_where(part, mark, true)),
        ExprKind::No(of) => holds && of.is_name(mark),
        ExprKind::Some(of) => !holds && of.is_name(mark),
        _ => false,
    }
}

mistakes! {
    fn leaves_twice(planned: &Name, event: &Name, whom: &str, present: &str, at: Span) = warning "departed" ("M0746", at):
        format!("where two plan `{}` for one player, he leaves twice", planned.text), "once for each of them",
        help format!("write `if {whom} is {present} {{ do {} of {whom} }}`, or mark him here and let the marked leave behind the `settle`", event.text),
        writes format!("if {whom} is {present} {{ do {} of {whom} }}", event.text);

    fn leaves_again(again: &Name, event: &Name, present: &str, first: Span) = warning "departed" ("M0746", again.span):
        format!("whoever is `{}` may have left by now, and leaves once more", again.text), "with those who have left",
        also first, "others leave here, behind the mark",
        help format!("write `do {} of {present} {}`", event.text, again.text),
        writes format!("{present} {}", again.text);
}
