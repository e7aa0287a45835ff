//! The course of a game as the script tells it: what is never played, what comes too late, what never
//! pauses.
//!
//! Walks the script from its beginning, scenes and calls included, every `repeat` twice; plays nothing.

use crate::happening::performs;
use crate::layer::Layer;
use crate::load::Declared;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::{SourceId, Span};
use omerta_syntax::tree::{
    Allow, BinaryOp, Block, CompareOp, Expr, ExprKind, Item, ItemKind, Life, Moment, Name, Part, Question,
    Rule, Statement, StatementKind,
};
use omerta_syntax::walk::{self, for_each_expr, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

/// How many statements are walked through at the most.
const STEPS: usize = 20_000;
/// How deep scenes may play scenes.
const DEPTH: usize = 24;

/// The declarations by name.
struct Course<'a> {
    items: &'a [Declared],
    scenes: BTreeMap<&'a str, &'a Block>,
    events: BTreeMap<&'a str, &'a Block>,
    parts: BTreeMap<(&'a str, Option<&'a str>), &'a Block>,
    lives: BTreeMap<&'a str, Vec<(&'a Life, &'a Name)>>,
    /// The rules by what they wait for.
    rules: BTreeMap<&'a str, Vec<&'a Rule>>,
    marks: BTreeMap<&'a str, Span>,
    /// For each event the marks that rules before or instead of it ask for.
    tested: BTreeMap<&'a str, BTreeSet<String>>,
    /// Where each mark is set first, and whether only in calls, scenes and the script.
    set_at: BTreeMap<&'a str, (Span, bool)>,
    /// Where each name is read, and in which scene.
    reads: BTreeMap<&'a str, Vec<(Span, Option<&'a str>)>>,
    /// Every place where each mark is set.
    settings: BTreeMap<&'a str, BTreeSet<Span>>,
    /// What rules, offers or endings make happen.
    happens_elsewhere: BTreeSet<&'a str>,
    /// What rules wait for.
    waited_for: BTreeSet<&'a str>,
    /// The file that is checked; libraries may hold more than one game uses.
    own: Option<SourceId>,
}

/// Looks through the course of the game.
pub(super) fn lint(items: &[Declared], own: Option<SourceId>, diagnostics: &mut Vec<Diagnostic>) {
    let course = Course::new(items, own);
    course.never_played(diagnostics);
    course.without_pause(diagnostics);
    course.without_end(diagnostics);
    let journey = course.journey();
    if let Some(journey) = &journey {
        course.along_the_way(journey, diagnostics);
    }
    course.never_reached(journey.as_ref(), diagnostics);
    course.replaced_for_good(diagnostics);
}

/// A place that asks for a scene by name: `during Night`, `leave Night`.
enum Asked<'a> {
    During(&'a Name, Span),
    Leave(&'a Name, Span),
}

impl<'a> Asked<'a> {
    fn of(part: walk::Part<'a>) -> Option<Self> {
        match part {
            walk::Part::Expr(expr) => match &*expr.kind {
                ExprKind::During(scene) => Some(Asked::During(scene, expr.span)),
                _ => None,
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
            Asked::During(scene, _) | Asked::Leave(scene, _) => scene,
        }
    }
}

/// When a scene goes on at the places that ask for it.
#[derive(Clone, Copy)]
struct GoingOn {
    ever: bool,
    always: bool,
}

impl<'a> Course<'a> {
    fn new(items: &'a [Declared], own: Option<SourceId>) -> Self {
        let mut course = Course {
            items,
            scenes: BTreeMap::new(),
            events: BTreeMap::new(),
            parts: BTreeMap::new(),
            lives: BTreeMap::new(),
            rules: BTreeMap::new(),
            marks: BTreeMap::new(),
            tested: BTreeMap::new(),
            set_at: BTreeMap::new(),
            reads: reads(items),
            settings: BTreeMap::new(),
            happens_elsewhere: BTreeSet::new(),
            waited_for: BTreeSet::new(),
            own,
        };
        for declared in items {
            course.add(&declared.item);
            course.add_statements(&declared.item.kind);
        }
        for declared in items {
            if let ItemKind::Rule(rule) = &declared.item.kind {
                course.add_rule(rule);
            }
        }
        course
    }

    fn add_rule(&mut self, rule: &'a Rule) {
        let marks = self.marks_tested(rule);
        for happening in &rule.happening.names {
            self.waited_for.insert(&happening.text);
            if rule.moment != Moment::After {
                let tested = self.tested.entry(&happening.text).or_default();
                tested.extend(marks.iter().map(|mark| mark.text.clone()));
            }
        }
    }

    fn add_statements(&mut self, kind: &'a ItemKind) {
        let in_calls = matches!(
            kind,
            ItemKind::Role(_) | ItemKind::Team { .. } | ItemKind::Scene { .. } | ItemKind::Script(_)
        );
        let by_others = matches!(kind, ItemKind::Rule(_) | ItemKind::Allow(_) | ItemKind::Ending(_));
        for_each_statement(kind, &mut |statement| {
            for mark in marks_of(statement) {
                let (_, only) = self.set_at.entry(&mark.text).or_insert((statement.span, true));
                *only &= in_calls;
                self.settings
                    .entry(&mark.text)
                    .or_default()
                    .insert(statement.span);
            }
            if by_others {
                self.happens_elsewhere
                    .extend(events_of(statement).map(|event| event.text.as_str()));
            }
        });
    }

    /// A rule in the place of a scene that goes by how often the scene has been: what is replaced is not counted,
    /// so once the test holds it goes on holding. That is meant where it asks for so many times or more.
    fn replaced_for_good(&self, diagnostics: &mut Vec<Diagnostic>) {
        let rules = self
            .items
            .iter()
            .filter_map(|declared| match &declared.item.kind {
                ItemKind::Rule(rule) if rule.moment == Moment::Instead => Some(rule),
                _ => None,
            });
        for (rule, when) in rules.filter_map(|rule| Some((rule, rule.when.as_ref()?))) {
            let mut counted = Vec::new();
            let mut meant = BTreeSet::new();
            for_each_expr(when, &mut |expr| match &*expr.kind {
                ExprKind::Times(scene) if rule.happening.names.iter().any(|name| name.text == scene.text) => {
                    counted.push(scene);
                }
                ExprKind::Compare {
                    left,
                    op: CompareOp::AtLeast | CompareOp::MoreThan,
                    ..
                } => {
                    if let ExprKind::Times(scene) = &*left.kind {
                        meant.insert(scene.span);
                    }
                }
                _ => {}
            });
            let trap = counted.into_iter().find(|scene| !meant.contains(&scene.span));
            diagnostics.extend(trap.map(replaced_uncounted));
        }
    }

    /// The marks somebody must carry for a rule to apply.
    fn marks_tested(&self, rule: &Rule) -> Vec<Name> {
        let tested = rule.happening.of.iter().map(|p| &p.set).chain(&rule.when);
        let mut marks = Vec::new();
        tested.for_each(|expr| self.marks_in(expr, &mut marks));
        marks
    }

    fn add(&mut self, item: &'a Item) {
        if let Some((names, life)) = lasting(&item.kind) {
            let lives = names.iter().map(|name| (life, name));
            self.lives.entry(&life.name.text).or_default().extend(lives);
        }
        match &item.kind {
            ItemKind::Scene { name, body, .. } => {
                self.scenes.insert(&name.text, body);
            }
            ItemKind::Event { name, body, .. } => {
                self.events.insert(&name.text, body);
            }
            ItemKind::Role(role) => self.add_parts(&role.name, &role.parts),
            ItemKind::Team { name, parts, .. } => self.add_parts(name, parts),
            ItemKind::Rule(rule) => {
                for name in &rule.happening.names {
                    self.rules.entry(&name.text).or_default().push(rule);
                }
            }
            ItemKind::Mark { names, .. } => {
                self.marks
                    .extend(names.iter().map(|name| (name.text.as_str(), name.span)));
            }
            _ => {}
        }
    }

    fn add_parts(&mut self, name: &'a Name, parts: &'a [Part]) {
        for part in parts {
            self.parts.insert(
                (&name.text, part.purpose.as_ref().map(|p| p.text.as_str())),
                &part.body,
            );
        }
    }

    fn script(&self) -> Option<&'a Block> {
        self.items.iter().find_map(|declared| match &declared.item.kind {
            ItemKind::Script(body) => Some(body),
            _ => None,
        })
    }

    fn is_own(&self, declared: &Declared, span: Span) -> bool {
        declared.layer != Layer::Base || self.own == Some(span.source)
    }

    // ---- never played

    fn never_played(&self, diagnostics: &mut Vec<Diagnostic>) {
        let played = self.played();
        self.set_by_nobody(&played, diagnostics);
        let laid_on = self.items.iter().any(|d| d.layer != Layer::Base);
        for declared in self.items {
            match &declared.item.kind {
                ItemKind::Scene { name, body, .. } => {
                    // Under an overlay the base may well have lost a scene.
                    let watched =
                        self.is_own(declared, name.span) && (!laid_on || declared.layer != Layer::Base);
                    if watched && !played.contains(name.text.as_str()) && !performs(body) {
                        diagnostics.push(scene_never_played(name));
                    }
                }
                ItemKind::Allow(allow) if self.is_own(declared, allow.name.span) => {
                    self.never_open(allow, &played, diagnostics);
                }
                _ => {}
            }
        }
    }

    /// The scenes that the script, a rule, a call or an offer plays, and those that they play.
    /// A mark of a library that is read, though the scenes that set it are never played.
    fn set_by_nobody(&self, played: &BTreeSet<String>, diagnostics: &mut Vec<Diagnostic>) {
        let mut set_in: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for declared in self.items {
            let unplayed = match &declared.item.kind {
                ItemKind::Scene { name, .. } => {
                    Some(name.text.as_str()).filter(|name| !played.contains(*name))
                }
                _ => None,
            };
            for_each_statement(&declared.item.kind, &mut |statement| {
                for mark in marks_of(statement) {
                    let known = set_in.entry(&mark.text).or_insert(unplayed);
                    *known = known.and(unplayed);
                }
            });
        }
        for (mark, scene) in set_in {
            let is_foreign = self
                .marks
                .get(mark)
                .is_some_and(|span| self.own != Some(span.source));
            let read = self
                .reads
                .get(mark)
                .and_then(|reads| reads.iter().find(|(read, _)| self.own == Some(read.source)));
            if let (true, Some(scene), Some((read, _))) = (is_foreign, scene, read) {
                diagnostics.push(set_by_no_scene(mark, scene, *read));
            }
        }
    }

    fn played(&self) -> BTreeSet<String> {
        self.played_from(|kind| match kind {
            ItemKind::Scene { body, .. } => performs(body),
            _ => true,
        })
    }

    /// The scenes that some declarations play, and those that they play.
    fn played_from(&self, starts: impl Fn(&ItemKind) -> bool) -> BTreeSet<String> {
        let mut played = BTreeSet::new();
        for declared in self.items.iter().filter(|declared| starts(&declared.item.kind)) {
            played_in(&declared.item.kind, &mut played);
        }
        let mut next: Vec<String> = played.iter().cloned().collect();
        while let Some(name) = next.pop() {
            let Some(&body) = self.scenes.get(name.as_str()) else {
                continue;
            };
            for_each_statement(body, &mut |statement| {
                if let StatementKind::Play { scene, .. } = &statement.kind
                    && played.insert(scene.text.clone())
                {
                    next.push(scene.text.clone());
                }
            });
        }
        played
    }

    fn never_open(&self, allow: &Allow, played: &BTreeSet<String>, diagnostics: &mut Vec<Diagnostic>) {
        let never = |name: &&Name| {
            let body = self.scenes.get(name.text.as_str());
            body.is_some_and(|body| !performs(body)) && !played.contains(name.text.as_str())
        };
        if let Some(first) = allow
            .during
            .first()
            .filter(|_| allow.during.iter().all(|n| never(&n)))
        {
            diagnostics.push(offer_never_open(&allow.name, first));
        }
    }

    // ---- loops

    fn without_pause(&self, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.items {
            for_each_statement(&declared.item.kind, &mut |statement| {
                if let StatementKind::Repeat(body) = &statement.kind
                    && (!self.pauses(body, &mut BTreeSet::new()) || does_nothing(body))
                {
                    diagnostics.push(endless_loop(statement.span));
                }
            });
        }
    }

    /// Whether a block may pause or come to an end, in the scenes and events it sets off too.
    fn pauses(&self, block: &Block, seen: &mut BTreeSet<String>) -> bool {
        if holds(block, &is_pause) {
            return true;
        }
        let mut next: Vec<String> = Vec::new();
        for_each_statement(block, &mut |statement| match &statement.kind {
            StatementKind::Play { scene, .. } => next.push(scene.text.clone()),
            StatementKind::Do(happen) => next.push(happen.event.text.clone()),
            _ => {}
        });
        next.into_iter().any(|name| {
            let body = self
                .scenes
                .get(name.as_str())
                .or_else(|| self.events.get(name.as_str()));
            self.waited_for.contains(name.as_str())
                || seen.insert(name) && body.is_none_or(|body| self.pauses(body, seen))
        })
    }

    /// A `repeat` of the script that nothing stops, in a game (it has cards) in which nobody can win.
    fn without_end(&self, diagnostics: &mut Vec<Diagnostic>) {
        let is_cast = |declared: &Declared| matches!(declared.item.kind, ItemKind::Cast { .. });
        let mut ends = !self.items.iter().any(is_cast);
        for declared in self.items {
            ends |= matches!(declared.item.kind, ItemKind::Ending(_));
            for_each_statement(&declared.item.kind, &mut |statement| {
                use StatementKind::{End, Lose, Win};
                ends |= matches!(statement.kind, Win { .. } | Lose { .. } | End);
            });
        }
        let Some(script) = self.script().filter(|_| !ends) else {
            return;
        };
        let stops = |kind: &StatementKind| matches!(kind, StatementKind::Stop | StatementKind::Leave(_));
        for statement in &script.statements {
            if let StatementKind::Repeat(body) = &statement.kind
                && !holds(body, &stops)
                && self.pauses(body, &mut BTreeSet::new())
            {
                diagnostics.push(no_end(statement.span));
            }
        }
    }

    // ---- marks along the way

    /// The way through the script, if it is not too long.
    fn journey(&self) -> Option<Journey<'_, 'a>> {
        let script = self.script()?;
        let mut journey = Journey {
            course: self,
            steps: 0,
            set: BTreeSet::new(),
            settings: BTreeSet::new(),
            read: BTreeMap::new(),
            seen: BTreeMap::new(),
            under_way: Vec::new(),
            scenes: Vec::new(),
            going_on: BTreeMap::new(),
            ever: BTreeSet::new(),
            over: BTreeSet::new(),
        };
        journey.block(script, 0);
        let met = self.asked_on_the_way();
        journey.going_on.retain(|asked, _| met.contains(asked));
        (journey.steps <= STEPS).then_some(journey)
    }

    /// Where scenes are asked for in the script, and in scenes that nothing else plays.
    fn asked_on_the_way(&self) -> BTreeSet<Span> {
        let beside = self.played_from(|kind| !matches!(kind, ItemKind::Scene { .. } | ItemKind::Script(_)));
        let mut asked = BTreeSet::new();
        for declared in self.items {
            match &declared.item.kind {
                ItemKind::Scene { name, .. } if !beside.contains(name.text.as_str()) => {}
                ItemKind::Script(_) => {}
                _ => continue,
            }
            walk::Part::Item(&declared.item.kind).each(&mut |part| {
                asked.extend(Asked::of(part).map(|asked| asked.scene().span));
                true
            });
        }
        asked
    }

    fn along_the_way(&self, journey: &Journey<'_, 'a>, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.items {
            if let ItemKind::Rule(rule) = &declared.item.kind {
                self.late_shield(rule, journey, diagnostics);
            }
        }
        self.read_too_late(journey, diagnostics);
        self.going_on(journey, diagnostics);
    }

    /// Scenes that never go on where they are asked for.
    fn going_on(&self, journey: &Journey<'_, 'a>, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.items {
            walk::Part::Item(&declared.item.kind).each(&mut |part| {
                if let Some(asked) = Asked::of(part)
                    && self.is_own(declared, asked.scene().span)
                    && journey.is_on(asked.scene()).is_some_and(|on| !on.ever)
                {
                    diagnostics.push(match asked {
                        Asked::During(scene, test) => never_during(scene, test),
                        Asked::Leave(scene, statement) => leaves_nothing(scene, statement),
                    });
                }
                true
            });
        }
    }

    /// What stands behind a statement that goes away from there.
    fn never_reached(&self, journey: Option<&Journey<'_, 'a>>, diagnostics: &mut Vec<Diagnostic>) {
        let goes = |kind: &StatementKind| match kind {
            StatementKind::Stop | StatementKind::Leave(None) | StatementKind::End => true,
            StatementKind::Leave(Some(scene)) => {
                journey.is_some_and(|journey| journey.is_on(scene).is_some_and(|on| on.always))
            }
            _ => false,
        };
        for declared in self.items {
            walk::Part::Item(&declared.item.kind).each(&mut |part| {
                if let walk::Part::Block(block) = part {
                    let behind = block.statements.windows(2).filter_map(|pair| match pair {
                        [gone, next] if goes(&gone.kind) => Some((gone.span, next.span)),
                        _ => None,
                    });
                    let own = behind.filter(|(_, next)| self.is_own(declared, *next));
                    diagnostics.extend(own.map(|(gone, next)| never_reached(next, gone)));
                }
                !matches!(part, walk::Part::Expr(_))
            });
        }
    }

    /// The marks with an end that nobody carries any more wherever they are read.
    fn read_too_late(&self, journey: &Journey<'_, 'a>, diagnostics: &mut Vec<Diagnostic>) {
        let told: BTreeSet<Span> = diagnostics.iter().map(Diagnostic::span).collect();
        for declared in self.items {
            let Some((names, life)) = lasting(&declared.item.kind) else {
                continue;
            };
            for mark in names.iter().filter(|mark| self.is_own(declared, mark.span)) {
                let Some(set) = self.set_in_calls(&mark.text) else {
                    continue;
                };
                let all_seen = self.all_met(&mark.text, journey);
                let in_vain =
                    |(read, _): &(Span, _)| journey.read.get(read) == Some(&false) && !told.contains(read);
                let read = self
                    .reads
                    .get(mark.text.as_str())
                    .map_or(&[][..], |read| &read[..]);
                let mut vain = read.iter().filter(|_| all_seen).filter(|read| in_vain(read));
                match (read.first(), vain.next()) {
                    (Some((first, scene)), Some(_)) if read.iter().all(in_vain) => {
                        diagnostics.push(until_it_is_read(read_too_late(mark, life, *first, set), *scene));
                    }
                    // Elsewhere it is read in time.
                    (_, Some((late, Some(scene))))
                        if self.own == Some(late.source)
                            && journey.over.contains(late)
                            && !is_value(&declared.item.kind) =>
                    {
                        diagnostics.push(over_here(mark, scene, *late, life.span));
                    }
                    _ => {}
                }
            }
        }
    }

    fn late_shield(&self, rule: &Rule, journey: &Journey<'_, 'a>, diagnostics: &mut Vec<Diagnostic>) {
        if rule.moment == Moment::After {
            return;
        }
        let marks = self.marks_tested(rule);
        for event in &rule.happening.names {
            let Some(happened) = journey
                .seen
                .get(event.text.as_str())
                .filter(|_| !self.happens_elsewhere.contains(event.text.as_str()))
            else {
                continue;
            };
            for mark in &marks {
                let late = !happened.under.contains(mark.text.as_str()) && self.all_met(&mark.text, journey);
                if let Some(set) = self.set_in_calls(&mark.text).filter(|_| late) {
                    diagnostics.push(late_shield(rule, mark, set, happened.at));
                }
            }
        }
    }

    /// Whether the way through the script came by every place that sets a mark; what a rule calls lies beside it.
    fn all_met(&self, mark: &str, journey: &Journey<'_, 'a>) -> bool {
        let settings = self.settings.get(mark);
        settings.is_none_or(|all| all.is_subset(&journey.settings))
    }

    /// The marks somebody must carry for a test to hold.
    fn marks_in(&self, expr: &Expr, out: &mut Vec<Name>) {
        match &*expr.kind {
            ExprKind::Query(query)
                if query.of.is_none() && self.marks.contains_key(query.name.text.as_str()) =>
            {
                out.push(query.name.clone());
            }
            ExprKind::Group(inner) | ExprKind::Some(inner) => self.marks_in(inner, out),
            ExprKind::Narrow(items) | ExprKind::And(items) => {
                items.iter().for_each(|i| self.marks_in(i, out))
            }
            ExprKind::Compare {
                right,
                op: omerta_syntax::tree::CompareOp::Is,
                ..
            } => self.marks_in(right, out),
            ExprKind::Binary {
                op: BinaryOp::Without,
                left,
                ..
            } => self.marks_in(left, out),
            _ => {}
        }
    }

    /// Where a mark is set, if that is only in calls, scenes and the script.
    fn set_in_calls(&self, mark: &str) -> Option<Span> {
        let (at, only) = self.set_at.get(mark)?;
        only.then_some(*at)
    }
}

/// What is known of an event after the journey.
struct Happened<'a> {
    /// Where it happened first.
    at: Span,
    /// The marks that rules ask for and that somebody could carry at one of the times.
    under: BTreeSet<&'a str>,
}

/// A walk along the script.
struct Journey<'c, 'a> {
    course: &'c Course<'a>,
    steps: usize,
    set: BTreeSet<&'a str>,
    /// Where marks are set on the way.
    settings: BTreeSet<Span>,
    /// Where marks are read on the way, and whether somebody could carry them there.
    read: BTreeMap<Span, bool>,
    /// The marks that were set so far, and where they are read when they are over.
    ever: BTreeSet<&'a str>,
    over: BTreeSet<Span>,
    seen: BTreeMap<&'a str, Happened<'a>>,
    /// The rules that are being walked through.
    under_way: Vec<&'a str>,
    /// The scenes that go on, and whether those did that something asks for.
    scenes: Vec<&'a str>,
    going_on: BTreeMap<Span, GoingOn>,
}

impl<'a> Journey<'_, 'a> {
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

    fn statement(&mut self, statement: &'a Statement, depth: usize) {
        self.ask_for_scene(walk::Part::Statement(statement));
        walk::Part::Statement(statement).parts(&mut |part| self.read(part));
        for name in marks_of(statement) {
            self.set.insert(&name.text);
            self.ever.insert(&name.text);
            self.settings.insert(statement.span);
        }
        for name in events_of(statement) {
            self.happen(name, statement.span, depth);
        }
        match &statement.kind {
            StatementKind::If { then, otherwise, .. } => {
                self.block(then, depth);
                otherwise.iter().for_each(|block| self.block(block, depth));
            }
            StatementKind::ForEach { body, .. } => self.block(body, depth),
            StatementKind::Repeat(body) => (0..2).for_each(|_| self.block(body, depth)),
            StatementKind::Play { scene, .. } => self.scene(&scene.text, depth),
            StatementKind::Call { card, purpose }
            | StatementKind::Perform {
                card,
                purpose,
                by: Some(_),
            } => {
                let name = card.bare_name().map_or("", |name| name.text.as_str());
                let key = (name, purpose.as_ref().map(|p| p.text.as_str()));
                self.rules_around("ability", |moment| moment != Moment::After, depth);
                if let Some(body) = self.course.parts.get(&key).copied() {
                    self.block(body, depth);
                }
                self.rules_around("ability", |moment| moment == Moment::After, depth);
            }
            StatementKind::Ask(ask) => {
                if let Question::Menu(_, branches) = &ask.question {
                    branches.iter().for_each(|branch| self.block(&branch.body, depth));
                }
                self.rules_around("choice", |_| true, depth);
            }
            StatementKind::Say { name: Some(name), .. }
            | StatementKind::Tell { name: Some(name), .. }
            | StatementKind::Show { name: Some(name), .. }
            | StatementKind::Wait { name: Some(name), .. } => {
                self.rules_around(&name.text, |_| true, depth);
            }
            _ => {}
        }
    }

    /// The bodies of the rules that wait for something, but for those one is in.
    fn rules_around(&mut self, name: &str, comes: fn(Moment) -> bool, depth: usize) {
        let rules = self.course.rules.get(name);
        for rule in rules.into_iter().flatten().filter(|rule| comes(rule.moment)) {
            let tested = rule.happening.of.iter().map(|pattern| &pattern.set);
            tested.chain(&rule.when).for_each(|test| self.read(test.into()));
            if !self.under_way.contains(&rule.name.text.as_str()) {
                self.under_way.push(&rule.name.text);
                self.block(&rule.body, depth);
                self.under_way.pop();
            }
        }
    }

    /// Notes what is read outside the statements in something.
    fn read(&mut self, part: walk::Part<'a>) {
        part.each(&mut |part| {
            self.ask_for_scene(part);
            if let Some(name) = read_by(part) {
                let carried = self.set.contains(name.text.as_str());
                *self.read.entry(name.span).or_default() |= carried;
                if !carried && self.ever.contains(name.text.as_str()) {
                    self.over.insert(name.span);
                }
            }
            !matches!(part, walk::Part::Statement(_))
        });
    }

    fn is_on(&self, scene: &Name) -> Option<GoingOn> {
        self.going_on.get(&scene.span).copied()
    }

    fn ask_for_scene(&mut self, part: walk::Part<'a>) {
        if let Some(asked) = Asked::of(part) {
            let scene = asked.scene();
            let is_on = self.scenes.contains(&scene.text.as_str());
            let known = self.going_on.entry(scene.span).or_insert(GoingOn {
                ever: false,
                always: true,
            });
            known.ever |= is_on;
            known.always &= is_on;
        }
    }

    fn happen(&mut self, name: &'a Name, at: Span, depth: usize) {
        self.rules_around(&name.text, |moment| moment == Moment::Before, depth);
        let happened = self.seen.entry(&name.text).or_insert(Happened {
            at,
            under: BTreeSet::new(),
        });
        let tested = self.course.tested.get(name.text.as_str()).into_iter().flatten();
        happened
            .under
            .extend(tested.filter_map(|mark| self.set.get(mark.as_str())));
        if let Some(body) = self.course.events.get(name.text.as_str()).copied() {
            self.block(body, depth);
        }
        self.rules_around(&name.text, |moment| moment != Moment::Before, depth);
    }

    fn scene(&mut self, name: &'a str, depth: usize) {
        self.forget(name, false);
        self.scenes.push(name);
        self.rules_around(name, |moment| moment != Moment::After, depth);
        if let Some(body) = self.course.scenes.get(name).copied() {
            self.block(body, depth);
        }
        self.rules_around(name, |moment| moment == Moment::After, depth);
        self.scenes.pop();
        self.forget(name, true);
    }

    fn forget(&mut self, scene: &str, at_end: bool) {
        for (life, mark) in self.course.lives.get(scene).into_iter().flatten() {
            if life.to_end == at_end {
                self.set.remove(mark.text.as_str());
            }
        }
    }
}

/// Whether it stands for something even when nothing has been done to it: a number, a word, what is written.
fn is_value(kind: &ItemKind) -> bool {
    matches!(kind, ItemKind::Count { .. })
}

/// Where each name is read, and in which scene.
fn reads(items: &[Declared]) -> BTreeMap<&str, Vec<(Span, Option<&str>)>> {
    let mut reads: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for declared in items {
        let scene = match &declared.item.kind {
            ItemKind::Scene { name, .. } => Some(name.text.as_str()),
            _ => None,
        };
        walk::Part::Item(&declared.item.kind).each(&mut |part| {
            if let Some(name) = read_by(part) {
                reads
                    .entry(name.text.as_str())
                    .or_default()
                    .push((name.span, scene));
            }
            true
        });
    }
    reads
}

fn until_it_is_read(told: Diagnostic, scene: Option<&str>) -> Diagnostic {
    match scene.map(|scene| format!("until end of {scene}")) {
        Some(until) => told.help(format!("write `{until}`")).writes(until),
        None => told.help("let it last until the end of what it is read in"),
    }
}

fn read_by(part: walk::Part<'_>) -> Option<&Name> {
    match part {
        walk::Part::Reads(name) => Some(name),
        _ => None,
    }
}

/// What is remembered for a time, and for how long; a link that is read from both ends has two names.
fn lasting(kind: &ItemKind) -> Option<(&[Name], &Life)> {
    match kind {
        ItemKind::Mark { names, life, .. }
        | ItemKind::Flag { names, life, .. }
        | ItemKind::Count { names, life, .. }
        | ItemKind::Link {
            names,
            back: None,
            life,
            ..
        } => Some((names, life.as_ref()?)),
        _ => None,
    }
}

fn marks_of(statement: &Statement) -> impl Iterator<Item = &Name> {
    let names = match &statement.kind {
        StatementKind::Mark { names, .. } => names,
        StatementKind::Set { name, .. }
        | StatementKind::Add { name, .. }
        | StatementKind::Link { name, .. } => std::slice::from_ref(name),
        StatementKind::Ask(ask) => match &ask.question {
            Question::Whether(name) | Question::For { name, .. } => std::slice::from_ref(name),
            Question::Menu(..) => &[],
        },
        _ => &[],
    };
    names.iter()
}

fn events_of(statement: &Statement) -> impl Iterator<Item = &Name> {
    let names = match &statement.kind {
        StatementKind::Settle(names) => names,
        StatementKind::Do(happen) => std::slice::from_ref(&happen.event),
        _ => &[],
    };
    names.iter()
}

fn played_in(kind: &ItemKind, played: &mut BTreeSet<String>) {
    for_each_statement(kind, &mut |statement| {
        if let StatementKind::Play { scene, .. } = &statement.kind {
            played.insert(scene.text.clone());
        }
    });
}

/// Whether a block only looks whether it should stop: nothing in it could make a test come out otherwise the next time.
fn does_nothing(block: &Block) -> bool {
    let looks = |kind: &StatementKind| {
        use StatementKind::{If, Leave, Nothing, Stop};
        matches!(kind, If { .. } | Stop | Leave(_) | Nothing)
    };
    let tests = block
        .statements
        .iter()
        .all(|statement| matches!(statement.kind, StatementKind::If { .. }));
    tests && !holds(block, &|kind| !looks(kind))
}

fn is_pause(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Ask(_)
            | StatementKind::Wait { .. }
            | StatementKind::Draw { .. }
            | StatementKind::Deal { .. }
            | StatementKind::Shuffle(_)
            | StatementKind::Seats(_)
            | StatementKind::Stop
            | StatementKind::Leave(_)
            | StatementKind::Judgement
            | StatementKind::End
            | StatementKind::Call { .. }
            | StatementKind::Perform { .. }
            | StatementKind::Settle(_)
    )
}

mistakes! {
    fn late_shield(rule: &Rule, mark: &Name, set: Span, happens: Span) = warning "late-shield" ("M0716", mark.span):
        format!("`{}` holds nothing off: when `{event}` happens, nobody is `{}`", rule.name.text, mark.text),
        "nobody carries it by then",
        also set, "set here",
        also happens, format!("`{event}` has happened by then"),
        help format!("put what sets `{}` before this place in the script, or let the mark last until then", mark.text),
        where event = rule.happening.names.first().map_or("", |name| name.text.as_str());

    fn over_here(mark: &Name, scene: &str, read: Span, life: Span) = warning "read-too-late" ("M0756", read):
        format!("`{}` is over here, whatever has happened before", mark.text), "as it was from the beginning",
        also life, "over by then",
        help format!("let it last until the end of `{scene}`, or ask for it earlier");

    fn read_too_late(mark: &Name, life: &Life, read: Span, set: Span) = warning "read-too-late" ("M0756", life.span):
        format!("`{}` is over before it is read", mark.text), match life.to_end {
            true => "over as this ends",
            false => "over as this begins",
        },
        also set, "set here",
        also read, "as it was from the beginning by then";

    fn never_reached(next: Span, gone: Span) = warning "never-reached" ("M0757", next):
        "this is never come to", "nothing gets here",
        also gone, "goes away from here, whatever holds",
        help "put it above, or that one under an `if`";

    fn never_during(scene: &Name, test: Span) = warning "never-holds" ("M0744", test):
        format!("`{}` is never going on here", scene.text), "always no",
        help format!("where it goes on, play what this stands in, or look whether it has been: `times {} is at least 1`", scene.text);

    fn leaves_nothing(scene: &Name, statement: Span) = warning "never-reached" ("M0757", statement):
        format!("`{}` is never going on here", scene.text), "leaves nothing",
        help "name a scene that this is played within, or leave the one it stands in: `leave`";

    fn replaced_uncounted(scene: &Name) = warning "replaced-uncounted" ("M0729", scene.span):
        format!("`times {0}` stands still while another comes in place of `{0}`", scene.text),
        "once this holds, it holds for every later one, too",
        help "go by the times of another scene, or count in the script: `add 1 to …`";

    fn set_by_no_scene(mark: &str, scene: &str, read: Span) = warning "never-set" ("M0705", read):
        format!("nobody is ever `{mark}`: the scene `{scene}` is never played"), "always nobody",
        help format!("write `play {scene} …` above it, or read what is found out here");

    fn scene_never_played(name: &Name) = warning "never-played" ("M0718", name.span):
        format!("the scene `{}` is never played", name.text), "nothing plays it",
        help format!("write `play {}` where it belongs, or remove it", name.text);

    fn offer_never_open(offer: &Name, scene: &Name) = warning "never-open" ("M0719", offer.span):
        format!("`{}` is never open: `{}` is never played", offer.text, scene.text), "nobody can take it up",
        also scene.span, "this scene is never played",
        help format!("write `play {}` where it belongs, or name a scene that is played", scene.text);

    fn no_end(span: Span) = warning "no-end" ("M0721", span):
        "the game never ends: the rules have no ending, and nothing stops this `repeat`",
        "goes round until the host gives up",
        help "write an ending such as `win TEAM when …` and a `judge` where it is tested, or `stop` where it should end";

    fn endless_loop(span: Span) = warning "endless-loop" ("M0720", span):
        "this `repeat` goes round for ever and never waits for anybody",
        "nothing in it asks, waits, draws, stops or judges",
        help "write `stop` where it should end, or `wait` where the host should go on";
}
