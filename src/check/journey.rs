//! What stands on the way through the script: what somebody carries where it is asked for, which scenes go on there,
//! and what is planned.
//!
//! Walks the script from its beginning, with the scenes, calls, events, rules, offers and endings that come of it, every
//! `repeat` twice; plays nothing. It takes every branch, so what it finds nobody to carry, nobody can carry.

use crate::bits::BitSet;
use crate::course::{Course, Read, brought_about, events_of, marks_of, remembered, tests_of};
use crate::look::gives_mark;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    AskMode, Block, CompareOp, Expr, ExprKind, ItemKind, Life, Moment, Name, Question, Rule, Statement,
    StatementKind, Verdict,
};
use omerta_syntax::walk;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many statements are walked through at the most.
const STEPS: usize = 20_000;
/// How deep scenes may play scenes.
const DEPTH: usize = 24;

/// Looks through the course of the game.
pub(super) fn lint(course: &Course<'_>, diagnostics: &mut Vec<Diagnostic>) {
    course.never_played(diagnostics);
    course.without_pause(diagnostics);
    course.without_end(diagnostics);
    let journey = course.script().and_then(|script| Journey::along(course, script));
    if let Some(journey) = &journey {
        journey.lint(diagnostics);
    }
    lint_behind(course, journey.as_ref(), diagnostics);
    course.replaced_for_good(diagnostics);
}

/// What stands behind a statement that goes away from there.
fn lint_behind(course: &Course<'_>, journey: Option<&Journey<'_, '_>>, diagnostics: &mut Vec<Diagnostic>) {
    let goes = |kind: &StatementKind| match kind {
        StatementKind::Stop | StatementKind::Leave(None) | StatementKind::End => true,
        StatementKind::Leave(Some(scene)) => {
            journey.is_some_and(|journey| journey.is_on(scene).is_some_and(|on| on.always))
        }
        _ => false,
    };
    for declared in course.items {
        walk::Part::Item(&declared.item.kind).each(&mut |part| {
            if let walk::Part::Block(block) = part {
                let behind = block.statements.windows(2).filter_map(|pair| match pair {
                    [gone, next] if goes(&gone.kind) => Some((gone.span, next.span)),
                    _ => None,
                });
                let own = behind.filter(|(_, next)| course.is_ours(*next));
                diagnostics.extend(own.map(|(gone, next)| never_reached(next, gone)));
            }
            !matches!(part, walk::Part::Expr(_))
        });
    }
}

/// A place that asks for a scene by name: `during Night`, `leave Night`; or whether it has not been yet:
/// `times Night is 0`.
#[derive(Clone, Copy)]
enum Asked<'a> {
    During(&'a Name, Span),
    Leave(&'a Name, Span),
    NotYet(&'a Name, Span),
}

impl<'a> Asked<'a> {
    fn of(part: walk::Part<'a>) -> Option<Self> {
        match part {
            walk::Part::Expr(expr) => match &*expr.kind {
                ExprKind::During(scene) => Some(Asked::During(scene, expr.span)),
                _ => not_yet(expr).map(|scene| Asked::NotYet(scene, expr.span)),
            },
            walk::Part::Statement(statement) => match &statement.kind {
                StatementKind::Leave(Some(scene)) => Some(Asked::Leave(scene, statement.span)),
                _ => None,
            },
            _ => None,
        }
    }

    fn scene(&self) -> &'a Name {
        match self {
            Asked::During(scene, _) | Asked::Leave(scene, _) | Asked::NotYet(scene, _) => scene,
        }
    }
}

/// What a place of the rules reads outside of the statements in it.
#[derive(Clone, Copy)]
enum Noted<'a> {
    /// A scene, and how it is asked for.
    Scene(Asked<'a>),
    /// A name, by its place among the reads.
    Name(usize),
    /// What a definition comes to.
    Defined(&'a str),
}

/// The scene that an expression wants not to have been yet.
fn not_yet(expr: &Expr) -> Option<&Name> {
    let (left, op, right) = expr.comparison()?;
    match (&*left.kind, op, &*right.kind) {
        (
            ExprKind::Times(scene),
            CompareOp::Is | CompareOp::Exactly | CompareOp::AtMost,
            ExprKind::Int(0),
        )
        | (ExprKind::Times(scene), CompareOp::LessThan, ExprKind::Int(1)) => Some(scene),
        _ => None,
    }
}

/// When a scene goes on at the places that ask for it, or has been counted there.
#[derive(Clone, Copy)]
struct GoingOn {
    pub ever: bool,
    pub always: bool,
}

/// What is known of an event after the journey.
struct Happened<'a> {
    /// Where it happened first.
    at: Span,
    /// The marks that rules ask for and that somebody could carry at one of the times.
    under: BTreeSet<&'a str>,
}

/// What one may be in: names of different sorts may be alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Rule,
    Offer,
    Definition,
    Event,
    Judgement,
}

/// A place at which something is read that one may carry.
struct Sight<'a> {
    /// The number of what nobody carries where it means nobody.
    root: usize,
    /// Whether somebody could carry it at one of the times, and in which outermost scene that was come by first, at
    /// which step.
    carried: bool,
    first: Option<(&'a str, usize)>,
    /// What took it off last where it was over.
    over: Option<Span>,
}

/// All that a body hangs on: what may be set where it is come to, how much was set so far, and in what it is.
type Grounds<'a> = (BitSet, usize, Vec<&'a str>);

/// What may be gone through, on grounds that have a number.
type Ground<'a> = (Sort, &'a str, usize);

/// A walk along the script.
pub(super) struct Journey<'c, 'a> {
    course: &'c Course<'a>,
    steps: usize,
    /// The numbers of what may be carried, and what somebody could carry now.
    numbers: BTreeMap<&'a str, usize>,
    set: BitSet,
    /// The statements that were come by.
    met: BTreeSet<Span>,
    /// What each place reads that was come by: most are come by again and again.
    noted: BTreeMap<(u8, usize), Rc<[Noted<'a>]>>,
    /// Where something is read on the way, and the places of those among them.
    sights: Vec<Sight<'a>>,
    seen_at: BTreeMap<Span, usize>,
    /// Where each mark is set first: in which outermost scene, and at which step.
    set_in: BTreeMap<&'a str, (&'a str, usize)>,
    /// The marks that were set so far, and what took off each last.
    ever: BTreeSet<usize>,
    taken_off: BTreeMap<usize, Span>,
    seen: BTreeMap<&'a str, Happened<'a>>,
    /// What rules wait for and was come by.
    arrived: BTreeSet<&'a str>,
    /// What is being walked through.
    under_way: Vec<(Sort, &'a str)>,
    /// The card that is being called, and to what.
    called: Option<(&'a str, Option<&'a str>)>,
    /// The rule that comes in.
    rule: Option<&'a Rule>,
    /// The scenes that go on, those that have begun whatever happens, and whether those did that something asks for.
    scenes: Vec<&'a str>,
    outermost: Option<&'a str>,
    entered: Vec<&'a str>,
    begun: Vec<&'a str>,
    going_on: BTreeMap<Span, GoingOn>,
    /// How many branches that need not be taken one is in.
    branches: usize,
    /// What was gone through on which grounds, and what could be set behind it.
    gone_through: BTreeMap<Ground<'a>, BitSet>,
    /// The grounds that were stood on, and the number of those of now, where it is known.
    grounds: BTreeMap<Grounds<'a>, usize>,
    here: Option<usize>,
    /// How often something was passed over that was under way.
    passed_over: usize,
    /// What could be set where each of those is left that go on and may be left before their end: then it goes on behind
    /// them, whatever stands in between. What does not stand in them itself may leave them anywhere.
    left: Vec<(bool, BitSet)>,
    /// What could be set where each loop that goes on may be stopped.
    stopped: Vec<BitSet>,
}

impl<'c, 'a> Journey<'c, 'a> {
    /// The way through the script, if it is not too long.
    pub fn along(course: &'c Course<'a>, script: &'a Block) -> Option<Self> {
        let mut journey = Journey {
            course,
            steps: 0,
            numbers: BTreeMap::new(),
            set: BitSet::default(),
            met: BTreeSet::new(),
            noted: BTreeMap::new(),
            sights: Vec::new(),
            seen_at: BTreeMap::new(),
            set_in: BTreeMap::new(),
            seen: BTreeMap::new(),
            arrived: BTreeSet::new(),
            under_way: Vec::new(),
            called: None,
            rule: None,
            scenes: Vec::new(),
            outermost: None,
            entered: Vec::new(),
            begun: Vec::new(),
            going_on: BTreeMap::new(),
            ever: BTreeSet::new(),
            taken_off: BTreeMap::new(),
            branches: 0,
            gone_through: BTreeMap::new(),
            grounds: BTreeMap::new(),
            here: None,
            passed_over: 0,
            left: Vec::new(),
            stopped: Vec::new(),
        };
        journey.block(script, 0);
        (journey.steps <= STEPS).then_some(journey)
    }

    // ---- The walk

    fn block(&mut self, block: &'a Block, depth: usize) {
        for statement in &block.statements {
            self.steps += 1;
            if self.steps > STEPS || depth > DEPTH {
                self.steps = STEPS + 1;
                return;
            }
            self.statement(statement, depth + 1);
        }
    }

    /// A loop: it goes on behind it from wherever it may be stopped.
    fn until_stopped(&mut self, around: impl FnOnce(&mut Self)) {
        self.stopped.push(BitSet::default());
        around(self);
        let stopped = self.stopped.pop().unwrap_or_default();
        self.put(&stopped);
    }

    /// What need not be come to: what it ends may go on as well.
    fn branch(&mut self, block: &'a Block, depth: usize) {
        let before = self.set.clone();
        self.branches += 1;
        self.block(block, depth);
        self.branches -= 1;
        self.put(&before);
    }

    // ---- What may be set

    /// The number of what may be carried.
    fn number(&mut self, name: &'a str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name).or_insert(next)
    }

    fn put(&mut self, what: &BitSet) {
        for (_, left) in self.left.iter_mut().filter(|(anywhere, _)| *anywhere) {
            left.join(what);
        }
        if self.set.join(what) {
            self.here = None;
        }
    }

    fn put_one(&mut self, what: usize) {
        if self.set.insert(what) {
            self.here = None;
            for (_, left) in self.left.iter_mut().filter(|(anywhere, _)| *anywhere) {
                left.insert(what);
            }
        }
    }

    /// Here a scene may be left.
    fn may_leave(&mut self) {
        for (_, left) in &mut self.left {
            left.join(&self.set);
        }
    }

    fn take_off(&mut self, name: &'a str, by: Span) {
        let what = self.number(name);
        if self.set.remove(what) {
            self.taken_off.insert(what, by);
            self.here = None;
        }
    }

    /// The number of the grounds of now.
    fn here(&mut self) -> usize {
        let grounds = &mut self.grounds;
        *self.here.get_or_insert_with(|| {
            let next = grounds.len();
            *grounds
                .entry((self.set.clone(), self.ever.len(), self.scenes.clone()))
                .or_insert(next)
        })
    }

    /// Goes through what goes on: a scene, an event.
    fn during(&mut self, name: &'a str, through: impl FnOnce(&mut Self)) {
        let may_be_left = self.course.left.get(name).copied();
        let outermost = self.outermost;
        self.scenes.push(name);
        let is_scene = self.course.scenes.contains_key(name);
        self.outermost = outermost.or(is_scene.then_some(name));
        self.here = None;
        if let Some(anywhere) = may_be_left {
            self.left.push((anywhere, self.set.clone()));
        }
        through(self);
        if let Some((_, left)) = may_be_left.and_then(|_| self.left.pop()) {
            self.put(&left);
        }
        self.scenes.pop();
        self.outermost = outermost;
        self.here = None;
    }

    fn statement(&mut self, statement: &'a Statement, depth: usize) {
        self.met.insert(statement.span);
        if let Some(asked) = Asked::of(walk::Part::Statement(statement)) {
            self.ask_for_scene(asked);
        }
        self.read_in(walk::Part::Statement(statement));
        for name in marks_of(statement).filter(|name| self.course.watched.contains(name.text.as_str())) {
            let what = self.number(&name.text);
            self.put_one(what);
            if let Some(scene) = self.outermost {
                let now = (scene, self.steps);
                self.set_in.entry(&name.text).or_insert(now);
            }
            if self.ever.insert(what) {
                self.here = None;
            }
        }
        if is_in_order(statement) {
            self.read_in(walk::Part::Statement(statement));
        }
        // What is done to the next one finds what was done to the one before.
        let rule = self.rule;
        for name in events_of(statement).flat_map(|event| brought_about(rule, event)) {
            for _ in 0..if self.is_once(statement) { 1 } else { 2 } {
                // What is settled is planned no more as it happens.
                if let StatementKind::Settle(_) = &statement.kind {
                    self.take_off(&name.text, statement.span);
                }
                self.happen(name, statement.span, depth);
            }
        }
        match &statement.kind {
            StatementKind::If(_, then, otherwise) => {
                self.branch(then, depth);
                otherwise.iter().for_each(|block| self.branch(block, depth));
            }
            StatementKind::ForEach { body, .. } => {
                self.until_stopped(|journey| (0..2).for_each(|_| journey.branch(body, depth)));
            }
            StatementKind::Repeat(body) => {
                self.until_stopped(|journey| (0..2).for_each(|_| journey.block(body, depth)));
            }
            StatementKind::Stop => {
                if let Some(stopped) = self.stopped.last_mut() {
                    stopped.join(&self.set);
                }
            }
            StatementKind::Play { scene, .. } => self.scene(&scene.text, depth),
            StatementKind::Call { card, purpose } => {
                let before = self.called.replace(called(card, purpose));
                match self.course.caller {
                    Some(caller) => self.scene(caller, depth),
                    None => self.parts(statement.span, depth),
                }
                self.called = before;
            }
            StatementKind::Perform { card, purpose, by } => {
                let (before, part) = (self.called, called(card, purpose));
                let is_known = self.course.parts.keys().any(|(known, _)| *known == part.0);
                // The card that the scene was handed is the one that is called.
                if by.is_some() && (is_known || purpose.is_some() || before.is_none()) {
                    self.called = Some(part);
                }
                self.parts(statement.span, depth);
                self.called = before;
            }
            StatementKind::Ask(ask) => {
                if let Question::Menu(_, branches) = &ask.question {
                    branches
                        .iter()
                        .for_each(|branch| self.branch(&branch.body, depth));
                }
                ask.late.iter().for_each(|late| self.branch(late, depth));
                self.rules_around("choice", |_| true, depth);
                self.offers(depth);
            }
            StatementKind::Wait { .. } => self.offers(depth),
            StatementKind::Judgement => self.judge(depth),
            StatementKind::Plan(happen) => {
                for event in brought_about(self.rule, &happen.event) {
                    let what = self.number(&event.text);
                    self.put_one(what);
                }
            }
            StatementKind::Settle(names) | StatementKind::Clear(names) => {
                names.iter().for_each(|name| self.take_off(&name.text, name.span));
            }
            StatementKind::Cancel { events: names, .. } | StatementKind::Unmark { names, .. } => {
                for name in names {
                    let sight = self.sight(name);
                    self.note_read(sight);
                }
            }
            StatementKind::Leave(_) => self.may_leave(),
            StatementKind::End => self.rules_around("end", |_| true, depth),
            _ => {}
        }
        if let StatementKind::Say { name: Some(name), .. }
        | StatementKind::Tell { name: Some(name), .. }
        | StatementKind::Show { name: Some(name), .. }
        | StatementKind::Wait { name: Some(name), .. } = &statement.kind
        {
            self.rules_around(&name.text, |_| true, depth);
        }
    }

    /// The parts of the card that is called; where only the game knows which that is, those of every card.
    fn parts(&mut self, at: Span, depth: usize) {
        let Some((card, purpose)) = self.called else {
            return;
        };
        let parts = &self.course.parts;
        let is_known = parts.keys().any(|(known, _)| *known == card);
        self.rules_around("ability", |moment| moment == Moment::Before, depth);
        self.note("ability", at);
        for ((of, to), body) in parts {
            if *to == purpose && (!is_known || *of == card) {
                self.branch(body, depth);
            }
        }
        self.rules_around("ability", |moment| moment != Moment::Before, depth);
    }

    /// The bodies of the rules that wait for something, but for those one is in.
    fn rules_around(&mut self, name: &'a str, comes: fn(Moment) -> bool, depth: usize) {
        self.arrived.insert(name);
        let rules = self.course.rules.get(name);
        for rule in rules.into_iter().flatten().filter(|rule| comes(rule.moment)) {
            self.read_tests(rule);
            let is_new = self.once((Sort::Rule, &rule.name.text), |way| {
                let around = way.rule.replace(rule);
                way.branch(&rule.body, depth);
                way.rule = around;
            });
            if !is_new {
                self.reread(&rule.body);
            }
        }
    }

    fn read_tests(&mut self, rule: &'a Rule) {
        tests_of(rule).for_each(|test| self.read_in(test.into()));
    }

    /// Goes through something, but not within itself; says whether it did.
    fn once(&mut self, name: (Sort, &'a str), through: impl FnOnce(&mut Self)) -> bool {
        let is_new = !self.under_way.contains(&name);
        if is_new {
            self.under_way.push(name);
            through(self);
            self.under_way.pop();
        } else {
            self.may_leave();
            self.passed_over += 1;
        }
        is_new
    }

    /// Goes through something that hangs on what may be set here, unless that was done.
    fn once_here(&mut self, name: (Sort, &'a str), through: impl FnOnce(&mut Self)) {
        let ground = (name.0, name.1, self.here());
        if let Some(behind) = self.gone_through.get(&ground).cloned() {
            self.put(&behind);
            self.may_leave();
            return;
        }
        // Where something was passed over because it is under way, another time it may not be.
        let passed_over = self.passed_over;
        if self.once(name, through) && self.passed_over == passed_over {
            self.gone_through.insert(ground, self.set.clone());
        }
    }

    /// What may be taken up while somebody is asked or all wait.
    fn offers(&mut self, depth: usize) {
        let course = self.course;
        for (offer, kind) in &course.offers {
            let opens = |scene: &Name| self.scenes.contains(&scene.text.as_str());
            if offer.during.is_empty() || offer.during.iter().any(opens) {
                // Whoever takes one up a second time finds what the first has set.
                let mut ground = None;
                while ground != Some(self.here()) {
                    ground = Some(self.here());
                    self.read_in(walk::Part::Item(kind));
                    self.once_here((Sort::Offer, &offer.name.text), |journey| {
                        journey.branch(&offer.body, depth);
                    });
                }
            }
        }
    }

    fn judge(&mut self, depth: usize) {
        let course = self.course;
        let judgement = (Sort::Judgement, "");
        let tests = || course.endings.iter().map(|(_, kind)| walk::Part::Item(kind));
        if self.under_way.contains(&judgement) {
            tests().for_each(|test| self.read_in(test));
        }
        self.once_here(judgement, |journey| {
            tests().for_each(|test| journey.read_in(test));
            for (ending, _) in &course.endings {
                if let Verdict::Judged(block) = &ending.verdict {
                    journey.branch(block, depth);
                }
                if let Some(name) = &ending.name {
                    journey.rules_around(&name.text, |_| true, depth);
                }
            }
            journey.rules_around("end", |_| true, depth);
        });
    }

    /// Notes what is read outside the statements in something, in what its definitions come to as well.
    fn read_in(&mut self, part: walk::Part<'a>) {
        // What is made of one thing alone may begin where that does.
        let place = match part {
            walk::Part::Item(kind) => (0, std::ptr::from_ref(kind).addr()),
            walk::Part::Statement(statement) => (1, std::ptr::from_ref(statement).addr()),
            walk::Part::Expr(expr) => (2, std::ptr::from_ref(expr).addr()),
            _ => return,
        };
        let known = self.noted.get(&place).cloned();
        let noted = known.unwrap_or_else(|| {
            let noted = self.read_at(part);
            self.noted.insert(place, noted.clone());
            noted
        });
        for noted in &*noted {
            match *noted {
                Noted::Scene(asked) => self.ask_for_scene(asked),
                Noted::Name(sight) => self.note_read(sight),
                Noted::Defined(name) => self.defined(name),
            }
        }
    }

    /// All that is read at a place; of a declaration or a statement what it is made of.
    fn read_at(&mut self, place: walk::Part<'a>) -> Rc<[Noted<'a>]> {
        let course = self.course;
        let mut noted = Vec::new();
        let mut read = |part: walk::Part<'a>| {
            part.each(&mut |part| {
                noted.extend(Asked::of(part).map(Noted::Scene));
                match part {
                    walk::Part::Reads(name) => {
                        let text = name.text.as_str();
                        noted.push(Noted::Name(self.sight(name)));
                        let is_passing = course.passing.contains(text) && course.meanings.contains_key(text);
                        noted.extend(is_passing.then_some(Noted::Defined(text)));
                    }
                    walk::Part::Expr(expr) => {
                        noted.extend(planned_in(expr).map(|name| Noted::Name(self.sight(name))));
                    }
                    _ => {}
                }
                !matches!(part, walk::Part::Statement(_))
            });
        };
        match place {
            walk::Part::Expr(_) => read(place),
            _ => place.parts(&mut read),
        }
        noted.into()
    }

    /// The place of a name among those that are read.
    fn sight(&mut self, name: &'a Name) -> usize {
        if let Some(known) = self.seen_at.get(&name.span) {
            return *known;
        }
        let root = self.course.roots.get(name.text.as_str()).copied();
        let root = self.number(root.unwrap_or(&name.text));
        self.seen_at.insert(name.span, self.sights.len());
        self.sights.push(Sight {
            root,
            carried: false,
            first: None,
            over: None,
        });
        self.sights.len() - 1
    }

    /// Notes whether there is anything where a name is read.
    fn note_read(&mut self, sight: usize) {
        let sight = &mut self.sights[sight];
        if self.set.has(sight.root) {
            sight.carried = true;
        } else if self.ever.contains(&sight.root)
            && let Some(by) = self.taken_off.get(&sight.root)
        {
            sight.over = Some(*by);
        }
        let now = self.outermost.map(|scene| (scene, self.steps));
        sight.first = sight.first.or(now);
    }

    /// What was found where a name is read, if the way came by it.
    fn found_at(&self, read: Span) -> Option<&Sight<'a>> {
        self.seen_at.get(&read).map(|sight| &self.sights[*sight])
    }

    /// Whether nobody could carry what is read there whenever the way came by.
    fn is_vain(&self, read: Span) -> bool {
        self.found_at(read).is_some_and(|sight| !sight.carried)
    }

    /// Notes what is read in a body that one is in already.
    fn reread(&mut self, body: &'a Block) {
        walk::for_each_statement(body, &mut |statement| {
            self.read_in(walk::Part::Statement(statement));
        });
    }

    fn defined(&mut self, name: &'a str) {
        let meanings = self.course.meanings.get(name).into_iter().flatten();
        self.once_here((Sort::Definition, name), |journey| {
            meanings.for_each(|meaning| journey.read_in(walk::Part::Item(meaning)));
        });
    }

    fn ask_for_scene(&mut self, asked: Asked<'a>) {
        let scene = asked.scene();
        let among = match asked {
            Asked::NotYet(..) => &self.begun,
            _ => &self.scenes,
        };
        let is_on = among.contains(&scene.text.as_str());
        let may_be_on = is_on || self.entered.contains(&scene.text.as_str());
        let (ever, always) = (false, true);
        let known = self.going_on.entry(scene.span);
        let known = known.or_insert(GoingOn { ever, always });
        known.ever |= may_be_on;
        known.always &= is_on;
    }

    /// Whether a statement makes something happen once, to one person.
    fn is_once(&self, statement: &Statement) -> bool {
        let StatementKind::Do(happen) = &statement.kind else {
            return false;
        };
        happen.of.as_ref().is_none_or(|of| self.course.is_one(of))
    }

    fn happen(&mut self, name: &'a Name, at: Span, depth: usize) {
        if self.under_way.contains(&(Sort::Event, &name.text)) {
            let course = self.course;
            for rule in course.rules.get(name.text.as_str()).into_iter().flatten() {
                self.read_tests(rule);
                self.reread(&rule.body);
            }
        }
        self.once_here((Sort::Event, &name.text), |journey| {
            journey.during(&name.text, |journey| {
                journey.rules_around(&name.text, |moment| moment == Moment::Before, depth);
                journey.note(&name.text, at);
                if let Some(body) = journey.course.events.get(name.text.as_str()).copied() {
                    journey.branch(body, depth);
                }
                journey.rules_around(&name.text, |moment| moment != Moment::Before, depth);
            });
        });
    }

    /// Notes what may be carried while something happens.
    fn note(&mut self, name: &'a str, at: Span) {
        let happened = self.seen.entry(name).or_insert(Happened {
            at,
            under: BTreeSet::new(),
        });
        let tested = self.course.tested.get(name).into_iter().flatten();
        let known = tested.filter_map(|mark| self.numbers.get_key_value(mark.as_str()));
        let carried = known.filter(|(_, number)| self.set.has(**number));
        happened.under.extend(carried.map(|(mark, _)| *mark));
    }

    fn scene(&mut self, name: &'a str, depth: usize) {
        let mut rules = self.course.rules.get(name).into_iter().flatten();
        let is_replaced = rules.any(|rule| rule.moment == Moment::Instead);
        // Where something before it is left by then, it may never begin.
        let is_sure = self.branches == 0 && !is_replaced && self.left.is_empty();
        self.forget(name, false);
        let counted = self.begun.len();
        self.entered.push(name);
        self.begun.push(name);
        self.rules_around(name, |moment| moment == Moment::Before, depth);
        self.begun.truncate(counted);
        self.rules_around(name, |moment| moment == Moment::Instead, depth);
        self.entered.pop();
        self.begun.push(name);
        self.during(name, |journey| {
            if let Some(body) = journey.course.scenes.get(name).copied() {
                if is_replaced {
                    journey.branch(body, depth);
                } else {
                    journey.block(body, depth);
                }
            }
            if let Some((_, left)) = journey.left.last()
                && journey.course.left.contains_key(name)
            {
                journey.put(&left.clone());
            }
            journey.rules_around(name, |moment| moment == Moment::After, depth);
        });
        if !is_sure {
            self.begun.truncate(counted);
        }
        self.forget(name, true);
    }

    fn forget(&mut self, scene: &str, at_end: bool) {
        for (life, mark) in self.course.lives.get(scene).into_iter().flatten() {
            if life.to_end == at_end {
                self.take_off(&mark.text, life.span);
            }
        }
    }

    // ---- What it has found

    /// Whether a scene goes on where it is asked for.
    fn is_on(&self, scene: &Name) -> Option<GoingOn> {
        self.going_on.get(&scene.span).copied()
    }

    /// What is found along the way.
    pub fn lint(&self, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.course.items {
            if let ItemKind::Rule(rule) = &declared.item.kind {
                self.late_shield(rule, diagnostics);
            }
        }
        self.read_too_late(diagnostics);
        self.unplanned(diagnostics);
        self.unmarked(diagnostics);
        self.going_on(diagnostics);
    }

    /// Scenes that never go on where they are asked for.
    fn going_on(&self, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.course.items {
            walk::Part::Item(&declared.item.kind).each(&mut |part| {
                if let Some(asked) = Asked::of(part)
                    && self.course.is_own(asked.scene().span)
                    && let Some(on) = self.is_on(asked.scene())
                {
                    diagnostics.extend(match asked {
                        Asked::During(scene, test) => {
                            let is_scene = self.course.scenes.contains_key(scene.text.as_str());
                            (!on.ever).then(|| never_during(scene, is_scene, test))
                        }
                        Asked::Leave(scene, statement) => {
                            (!on.ever).then(|| leaves_nothing(scene, statement))
                        }
                        Asked::NotYet(scene, test) => on.always.then(|| has_been(scene, test)),
                    });
                }
                true
            });
        }
    }

    /// What has an end and is over wherever it is read, or where it is read here.
    fn read_too_late(&self, diagnostics: &mut Vec<Diagnostic>) {
        let told: BTreeSet<Span> = diagnostics.iter().map(Diagnostic::span).collect();
        let course = self.course;
        for declared in course.items {
            let Some((names, life)) = remembered(&declared.item.kind) else {
                continue;
            };
            for mark in names {
                let is_own = course.is_own(mark.span);
                let Some(&set) = course.set_at.get(mark.text.as_str()) else {
                    continue;
                };
                // An offer stands open while others are asked, and what it gives is there at once.
                let is_offered = life.is_some_and(|life| self.is_offered_behind(&mark.text, &life.name));
                if is_offered || !self.meets_all_of(&mark.text, &course.settings) {
                    continue;
                }
                let reads = course.reads.get(mark.text.as_str());
                let reads = reads.map_or(&[][..], |reads| &reads[..]);
                let in_vain = |read: &Read<'_>| {
                    self.is_vain(read.span) && self.comes(read) && !told.contains(&read.span)
                };
                let by = |read: &Read<'_>| self.found_at(read.span).and_then(|sight| sight.over);
                if let Some(first) = reads.first().filter(|_| is_own && reads.iter().all(in_vain))
                    && let Some(life) = life.filter(|life| by(first).is_none_or(|by| by == life.span))
                {
                    let told = read_too_late(mark, life, first.span, set);
                    let read_in = self.found_at(first.span).and_then(|sight| sight.first);
                    let around = read_in.map(|(scene, _)| scene);
                    let both = read_in.zip(self.set_in.get(mark.text.as_str()));
                    let is_set_later = both.is_some_and(|(read, set)| read.0 == set.0 && read.1 < set.1);
                    diagnostics.push(match first.is_before(set) {
                        true => told.help(format!(
                            "it is asked for before it is set anew, a round later: leave `until {}` out, and clear `{}` where it is set",
                            life.name.text, mark.text
                        )),
                        false if is_set_later => asked_before(told, around.unwrap_or_default()),
                        false => until_it_is_read(told, life, around.or(first.scene())),
                    });
                    continue;
                }
                let is_value = matches!(declared.item.kind, ItemKind::Count { .. });
                let late = |read: &Read<'_>| by(read).filter(|_| in_vain(read) && read.is_own && !is_value);
                let through = course.reads_through.get(mark.text.as_str());
                let reads = reads.iter().chain(through.into_iter().flatten());
                let late = { reads }.find_map(|read| Some((read, late(read)?)));
                let read_as = match late {
                    Some((read, _)) if read.name.text != mark.text => {
                        format!("`{}`, by which `{}` goes,", mark.text, read.name.text)
                    }
                    _ => format!("`{}`", mark.text),
                };
                let is_cleared = |by| life.is_none_or(|life| life.span != by);
                diagnostics.extend(late.map(|(read, by)| match (read.scene(), is_own) {
                    _ if is_cleared(by) => cleared_by_then(&read_as, read.span, by),
                    (Some(scene), true) if life.is_some_and(|life| life.is_end_of(scene)) => {
                        asked_before(over_beside(&read_as, read.span, by), scene)
                    }
                    (Some(scene), true) => over_here(&read_as, scene, read.span, by),
                    (None, true) => over_beside(&read_as, read.span, by),
                    (_, false) => over_of_others(&read_as, read.name, read.span, by),
                }));
            }
        }
    }

    /// Whether an offer gives a mark in a scene in which that may have begun which the mark is over by.
    fn is_offered_behind(&self, mark: &str, over: &Name) -> bool {
        let gives = |kind: &StatementKind| gives_mark(kind, mark);
        self.course.kinds().any(|kind| match kind {
            ItemKind::Allow(allow) if walk::holds(&allow.body, &gives) => {
                allow.during.is_empty() || { allow.during.iter() }.any(|scene| self.comes_within(scene, over))
            }
            _ => false,
        })
    }

    /// Whether a scene plays another, or one that does.
    fn comes_within(&self, scene: &Name, inner: &Name) -> bool {
        let (mut seen, mut next) = (BTreeSet::new(), vec![scene.text.as_str()]);
        while let Some(scene) = next.pop() {
            if let Some(body) = self.course.scenes.get(scene).filter(|_| seen.insert(scene)) {
                walk::for_each_statement(*body, &mut |statement| {
                    if let StatementKind::Play { scene, .. } = &statement.kind {
                        next.push(&scene.text);
                    }
                });
            }
        }
        seen.contains(inner.text.as_str())
    }

    /// Whether all came that something waits for: a rule may be there for what comes with another overlay.
    fn comes(&self, read: &Read<'_>) -> bool {
        let ItemKind::Rule(rule) = read.within else {
            return true;
        };
        let mut names = rule.happening.names.iter();
        let is_met = |name: &str| self.arrived.contains(name) && self.meets_all_of(name, &self.course.doings);
        names.all(|name| is_met(&name.text))
    }

    /// Plans that are asked for or cancelled where none is made yet, or all have come true.
    fn unplanned(&self, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.course.items {
            let mut asked = Vec::new();
            walk::Part::Item(&declared.item.kind).each(&mut |part| {
                match part {
                    walk::Part::Expr(expr) => asked.extend(planned_in(expr).map(|event| (event, expr.span))),
                    walk::Part::Statement(statement) => {
                        if let StatementKind::Cancel { events, .. } = &statement.kind {
                            asked.extend(events.iter().map(|event| (event, statement.span)));
                        }
                        if let StatementKind::Settle(events) = &statement.kind {
                            let never = |event: &&Name| self.is_never_planned(event);
                            diagnostics.extend(events.iter().filter(never).map(never_planned));
                        }
                    }
                    _ => {}
                }
                true
            });
            for (event, at) in asked {
                let planned = self.course.plannings.get(event.text.as_str());
                let is_vain = self.finds_nothing(event, &self.course.plannings);
                if let Some(planned) = planned.and_then(BTreeSet::first).filter(|_| is_vain) {
                    diagnostics.push(unplanned(event, at, *planned));
                }
            }
        }
    }

    /// Whether nothing plans an event of this ruleset's own, and no script speaks of it.
    fn is_never_planned(&self, event: &Name) -> bool {
        let is_it = |kind: &ItemKind| matches!(kind, ItemKind::Event { name, .. } if name.text == event.text);
        let no_plan = !self.course.plannings.contains_key(event.text.as_str());
        let declared = self.course.kinds().any(is_it) && self.course.is_own(event.span);
        no_plan && declared && self.meets_all_of(&event.text, &self.course.plannings)
    }

    /// A mark that is taken off somebody where nobody can carry it: not yet, or no more.
    fn unmarked(&self, diagnostics: &mut Vec<Diagnostic>) {
        for kind in self.course.kinds() {
            walk::for_each_statement(kind, &mut |statement| {
                let StatementKind::Unmark { set, names } = &statement.kind else {
                    return;
                };
                // Whoever takes it off everybody makes sure that it is gone.
                let is_meant = |kind: &ItemKind| matches!(kind, ItemKind::Define { name, .. } if set.is_name(&name.text));
                let of_all = set.is_name("players") || self.course.kinds().any(is_meant);
                for mark in names.iter().filter(|_| !of_all) {
                    let given = |kind: &StatementKind| gives_mark(kind, &mark.text);
                    let mut offers = self
                        .course
                        .kinds()
                        .filter(|kind| matches!(kind, ItemKind::Allow(_)));
                    let is_vain = self.course.watched.contains(mark.text.as_str())
                        && !offers.any(|offer| walk::holds(offer, &given))
                        && self.finds_nothing(mark, &self.course.settings);
                    let set_at = self.course.set_at.get(mark.text.as_str()).filter(|_| is_vain);
                    diagnostics.extend(set_at.map(|set_at| never_carried(mark, statement.span, *set_at)));
                }
            });
        }
    }

    fn late_shield(&self, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
        if rule.moment == Moment::After {
            return;
        }
        let course = self.course;
        let marks = course.marks_tested(rule);
        for event in &rule.happening.names {
            let happened = self.seen.get(event.text.as_str());
            let Some(happened) = happened.filter(|_| self.meets_all_of(&event.text, &course.doings)) else {
                continue;
            };
            for mark in &marks {
                let late = !happened.under.contains(mark.text.as_str())
                    && self.meets_all_of(&mark.text, &course.settings);
                if let Some(&set) = course.set_at.get(mark.text.as_str()).filter(|_| late) {
                    diagnostics.push(late_shield(rule, mark, set, happened.at));
                }
            }
        }
    }

    /// Whether nothing was there wherever the way came by a name, though it came by all that could have put it there.
    fn finds_nothing(&self, name: &Name, places: &BTreeMap<&str, BTreeSet<Span>>) -> bool {
        self.is_vain(name.span) && self.meets_all_of(&name.text, places) && self.course.is_own(name.span)
    }

    /// Whether the way came by every place where something is done to a name, and scripts do not speak of it.
    fn meets_all_of(&self, name: &str, places: &BTreeMap<&str, BTreeSet<Span>>) -> bool {
        let places = places.get(name);
        places.is_none_or(|all| all.is_subset(&self.met)) && !self.course.is_in_scripts(name)
    }
}

/// The card of a call, and what it is called to.
fn called<'a>(card: &'a Expr, purpose: &'a Option<Name>) -> (&'a str, Option<&'a str>) {
    let card = card.bare_name().map_or("", |name| name.text.as_str());
    (card, purpose.as_ref().map(|purpose| purpose.text.as_str()))
}

/// The event whose plans an expression asks for.
fn planned_in(expr: &Expr) -> Option<&Name> {
    match &*expr.kind {
        ExprKind::Planned(event) => Some(event),
        _ => None,
    }
}

/// Whether people answer one after the other, each of whom finds what the one before has answered.
fn is_in_order(statement: &Statement) -> bool {
    matches!(&statement.kind, StatementKind::Ask(ask) if matches!(ask.mode, AskMode::InOrder(_)))
}

fn asked_before(told: Diagnostic, scene: &str) -> Diagnostic {
    let help = format!("in `{scene}` it is asked for before it is set: do what sets it first");
    told.help(help)
}

fn until_it_is_read(told: Diagnostic, life: &Life, scene: Option<&str>) -> Diagnostic {
    match scene {
        Some(scene) if life.is_end_of(scene) => asked_before(told, scene),
        Some(scene) => {
            let until = format!("until end of {scene}");
            told.help(format!("write `{until}`")).writes(until)
        }
        None => told.help("let it last until the end of what it is read in"),
    }
}

mistakes! {
    fn late_shield(rule: &Rule, mark: &Name, set: Span, happens: Span) = warning "late-shield" ("M0716", mark.span):
        format!("`{}` holds nothing off: when `{event}` happens, nobody is `{}`", rule.name.text, mark.text),
        "nobody carries it by then",
        also set, "set here",
        also happens, format!("`{event}` has happened by then"),
        help format!("put what sets `{}` before this place in the script, or let the mark last until then", mark.text),
        where event = rule.happening.names.first().map_or("", |name| name.text.as_str());

    fn over_here(read_as: &str, scene: &str, read: Span, life: Span) = warning "read-too-late" ("M0756", read):
        format!("{read_as} is over here, whatever has happened before"), "as it was from the beginning",
        also life, "over by then",
        help format!("let it last until the end of `{scene}`, or ask for it earlier");

    fn over_beside(read_as: &str, read: Span, life: Span) = warning "read-too-late" ("M0756", read):
        format!("{read_as} is over here, whatever has happened before"), "as it was from the beginning",
        also life, "over by then",
        help "let it last longer, or ask for it earlier";

    fn cleared_by_then(read_as: &str, read: Span, cleared: Span) = warning "read-too-late" ("M0756", read):
        format!("{read_as} is cleared here, whatever has happened before"), "as it was from the beginning",
        also cleared, "taken off by then",
        help "clear it later, or ask for it earlier";

    fn over_of_others(read_as: &str, name: &Name, read: Span, life: Span) = warning "read-too-late" ("M0756", read):
        format!("{read_as} is over here, whatever has happened before"), "as it was from the beginning",
        also life, "over by then",
        help format!("ask for it earlier, or keep it in a mark of your own while it lasts: `mark {} as …`", name.text);

    fn read_too_late(mark: &Name, life: &Life, read: Span, set: Span) = warning "read-too-late" ("M0756", life.span):
        format!("`{}` is over before it is read", mark.text), match life.to_end {
            true => "over as this ends",
            false => "over as this begins",
        },
        also set, "set here",
        also read, "as it was from the beginning by then";

    fn never_during(scene: &Name, is_scene: bool, test: Span) = warning "never-holds" ("M0744", test):
        format!("`{}` is never going on here", scene.text), "always no",
        help match is_scene {
            true => format!("where it goes on, play what this stands in, or look whether it has been: `times {} is at least 1`", scene.text),
            false => format!("it goes on while `{}` is done, with the rules on it; what is to be remembered of it needs a flag", scene.text),
        };

    fn has_been(scene: &Name, test: Span) = warning "never-holds" ("M0744", test):
        format!("`{}` has begun by then, and is counted as it begins", scene.text), "always no",
        help format!("the first time is `times {} is 1`", scene.text);

    fn unplanned(event: &Name, at: Span, planned: Span) = warning "never-holds" ("M0744", at):
        format!("no `{}` is planned here: not yet, or no more", event.text), "nobody, whatever has happened before",
        also planned, "planned here, at another time",
        help format!("put it behind what plans it, or wait for what happens: `rule …: instead of {} … {{ nothing }}`", event.text);

    fn never_planned(event: &Name) = warning "never-holds" ("M0744", event.span):
        format!("nothing plans `{}`", event.text), "settles nothing",
        help format!("write `plan {} …` where it is decided, or leave this out: what is done with `do` has happened at once", event.text);

    fn never_carried(mark: &Name, at: Span, set: Span) = warning "read-too-late" ("M0756", at):
        format!("nobody is `{}` here: not yet, or no more", mark.text), "taken off nobody, whatever has happened before",
        also set, "set here, at another time",
        help "put it behind what sets it, or wait for what sets it: a rule `instead of` that";

    fn never_reached(next: Span, gone: Span) = warning "never-reached" ("M0757", next):
        "this is never come to", "nothing gets here",
        also gone, "goes away from here, whatever holds",
        help "put it above, or that one under an `if`";

    fn leaves_nothing(scene: &Name, statement: Span) = warning "never-reached" ("M0757", statement):
        format!("`{}` is never going on here", scene.text), "leaves nothing",
        help "name a scene that this is played within, or leave the one it stands in: `leave`";
}
