//! Those who leave the game and leave it once more.

use crate::course::remembered;
use crate::look::{Look, is_named, names};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    Block, Expr, ExprKind, Happen, ItemKind, MarkShape, Moment, Name, Rule, Statement, StatementKind,
};
use omerta_syntax::walk::{for_each_expr, for_each_statement, holds};
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
            let ItemKind::Event {
                name,
                body,
                of: Some(whom),
                ..
            } = kind
            else {
                continue;
            };
            let plans = |kind: &StatementKind| matches!(kind, StatementKind::Plan(happen) if happen.event.text == name.text);
            let planners = self.kinds().filter(|kind| {
                matches!(kind, ItemKind::Role(_) | ItemKind::Team { .. }) && holds(*kind, &plans)
            });
            let leaves = body
                .statements
                .iter()
                .find_map(|statement| match &statement.kind {
                    StatementKind::Do(happen) if leaving.contains(&happen.event.text) => {
                        let is_he = happen.of.as_ref().is_some_and(|of| is_named(of, &whom.name.text));
                        is_he.then_some((&happen.event, statement.span))
                    }
                    _ => None,
                });
            let Some((event, at)) = leaves.filter(|(_, at)| self.is_own(*at)) else {
                continue;
            };
            let looks = |rule: &Rule| {
                let mut tests = { rule.happening.of.iter() }
                    .map(|pattern| &pattern.set)
                    .chain(&rule.when);
                let mut waited = rule.happening.names.iter();
                rule.moment == Moment::Instead
                    && waited.any(|waited| [&name.text, &event.text].contains(&&waited.text))
                    && tests.any(|test| read.iter().any(|of| names(test, of)))
            };
            // Who asks whom another has planned it for knows.
            let mut is_asked = false;
            for kind in self.kinds() {
                for_each_expr(kind, &mut |expr| {
                    is_asked |= matches!(&*expr.kind, ExprKind::Planned(event) if event.text == name.text);
                });
            }
            if planners.count() >= 2 && !is_asked && !self.rule_list().any(looks) {
                diagnostics.push(leaves_twice(name, event, &whom.name.text, present, at));
            }
        }
    }

    // ---- Marked, and gone before it comes to him

    /// Somebody leaves by a mark that he was given before others left, of whom he may be one.
    pub fn check_leaves_again(&self, present: &str, diagnostics: &mut Vec<Diagnostic>) {
        let Some(script) = self.kinds().find_map(|kind| match kind {
            ItemKind::Script(body) => Some(body),
            _ => None,
        }) else {
            return;
        };
        let leaving = self.leaving(present, false);
        let read = self.read_by(present);
        let looks = self.rule_list().any(|rule| {
            let mut tests = rule
                .happening
                .of
                .iter()
                .map(|pattern| &pattern.set)
                .chain(&rule.when);
            let mut waited = rule.happening.names.iter();
            rule.moment == Moment::Instead
                && waited.any(|waited| leaving.contains(&waited.text))
                && tests.any(|test| read.iter().any(|of| names(test, of)))
        });
        if looks {
            return;
        }
        let mut way = Way::of(self, &leaving);
        way.block(script, DEPTH);
        let found = { way.found.into_values() }.filter(|(again, ..)| self.is_own(again.span));
        diagnostics.extend(found.map(|(again, event, first)| leaves_again(again, event, present, first)));
    }
}

/// The way through the script: who was marked, and who has left since.
struct Way<'l, 'a> {
    leaving: &'l BTreeSet<String>,
    blocks: BTreeMap<(Sort, &'a str), Vec<&'a Block>>,
    marks: BTreeMap<&'a str, Carried<'a>>,
    /// The marks that some carry, and where others have left since the last of them was marked.
    marked: BTreeMap<&'a str, Option<Span>>,
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

/// What a statement goes through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Scene,
    Event,
    Card,
}

impl<'l, 'a> Way<'l, 'a> {
    fn of(look: &Look<'a>, leaving: &'l BTreeSet<String>) -> Self {
        let mut way = Way {
            leaving,
            blocks: BTreeMap::new(),
            marks: BTreeMap::new(),
            marked: BTreeMap::new(),
            found: BTreeMap::new(),
            steps: 0,
        };
        let mut elsewhere = BTreeSet::new();
        for kind in look.kinds() {
            match kind {
                ItemKind::Scene { name, body, .. } => way.add(Sort::Scene, name, body),
                ItemKind::Event { name, body, .. } => way.add(Sort::Event, name, body),
                ItemKind::Role(role) => {
                    role.parts
                        .iter()
                        .for_each(|part| way.add(Sort::Card, &role.name, &part.body));
                }
                ItemKind::Team { name, parts, .. } => {
                    parts
                        .iter()
                        .for_each(|part| way.add(Sort::Card, name, &part.body));
                }
                ItemKind::Mark { shape, .. } => {
                    let (names, life) = remembered(kind).unwrap_or_default();
                    let life = life.map(|life| (life.name.text.as_str(), life.to_end));
                    let mark = Carried {
                        one: *shape == MarkShape::One,
                        over: life,
                    };
                    way.marks
                        .extend(names.iter().map(|name| (name.text.as_str(), mark)));
                }
                // What rules and offers give and take comes at its own time.
                ItemKind::Rule(_) | ItemKind::Allow(_) => for_each_statement(kind, &mut |statement| {
                    if let StatementKind::Mark { names, .. }
                    | StatementKind::Unmark { names, .. }
                    | StatementKind::Clear(names) = &statement.kind
                    {
                        elsewhere.extend(names.iter().map(|name| name.text.as_str()));
                    }
                }),
                _ => {}
            }
        }
        // What nothing ever takes off brings about the same again and again, and that is told by itself.
        let lasting = look.lasting_marks();
        way.marks
            .retain(|mark, _| !elsewhere.contains(mark) && !lasting.contains_key(mark));
        way
    }

    fn add(&mut self, sort: Sort, name: &'a Name, body: &'a Block) {
        self.blocks.entry((sort, &name.text)).or_default().push(body);
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

    fn through(&mut self, sort: Sort, name: &'a str, depth: usize) {
        for body in self.blocks.get(&(sort, name)).cloned().unwrap_or_default() {
            self.block(body, depth);
        }
    }

    fn statement(&mut self, statement: &'a Statement, depth: usize) {
        match &statement.kind {
            StatementKind::If {
                test,
                then,
                otherwise,
            } => {
                let before = self.marked.clone();
                self.marked.retain(|mark, _| !nobody_where(test, mark, true));
                self.block(then, depth);
                let behind = std::mem::replace(&mut self.marked, before);
                self.marked.retain(|mark, _| !nobody_where(test, mark, false));
                otherwise.iter().for_each(|block| self.block(block, depth));
                for (mark, left) in behind {
                    let known = self.marked.entry(mark).or_default();
                    *known = known.or(left);
                }
            }
            StatementKind::ForEach { body, .. } => self.block(body, depth),
            StatementKind::Repeat(body) => (0..2).for_each(|_| self.block(body, depth)),
            StatementKind::Play { scene, .. } => {
                self.over(&scene.text, false);
                self.through(Sort::Scene, &scene.text, depth);
                self.over(&scene.text, true);
            }
            StatementKind::Call { card, .. } => {
                if let Some(card) = card.bare_name() {
                    self.through(Sort::Card, &card.text, depth);
                }
            }
            StatementKind::Settle(events) => {
                events
                    .iter()
                    .for_each(|event| self.through(Sort::Event, &event.text, depth));
            }
            StatementKind::Do(happen) => self.happen(happen, statement.span, depth),
            StatementKind::Mark { names, .. } => {
                for name in names {
                    if let Some(carried) = self.marks.get(name.text.as_str()) {
                        let left = self.marked.entry(&name.text).or_default();
                        // Whoever had it before has it no more.
                        *left = left.filter(|_| !carried.one);
                    }
                }
            }
            StatementKind::Unmark { names, .. } | StatementKind::Clear(names) => {
                self.marked
                    .retain(|mark, _| names.iter().all(|name| name.text != *mark));
            }
            _ => {}
        }
    }

    /// A mark is over where a scene begins or ends.
    fn over(&mut self, scene: &str, at_end: bool) {
        let marks = &self.marks;
        self.marked
            .retain(|mark, _| marks[mark].over != Some((scene, at_end)));
    }

    fn happen(&mut self, happen: &'a Happen, at: Span, depth: usize) {
        if !self.leaving.contains(&happen.event.text) {
            self.through(Sort::Event, &happen.event.text, depth);
            return;
        }
        let whom = happen.of.as_ref().and_then(Expr::bare_name);
        for (mark, left) in &mut self.marked {
            match whom {
                Some(whom) if whom.text == *mark => {
                    if let Some(first) = left.take() {
                        self.found
                            .entry(whom.span)
                            .or_insert((whom, &happen.event, first));
                    }
                }
                _ => *left = left.or(Some(at)),
            }
        }
    }
}

/// Whether a test that holds, or does not, says that nobody carries a mark.
fn nobody_where(test: &Expr, mark: &str, holds: bool) -> bool {
    match &*test.inside().kind {
        ExprKind::And(parts) if holds => parts.iter().any(|part| nobody_where(part, mark, true)),
        ExprKind::No(of) => holds && is_named(of, mark),
        ExprKind::Some(of) => !holds && is_named(of, mark),
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
