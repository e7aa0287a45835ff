//! The course of a game as its declarations tell it: what is never played, what never pauses, what is never come to.

use crate::happening::{handed, performs};
use crate::layer::Layer;
use crate::load::Declared;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::{SourceId, Span};
use omerta_syntax::tree::{
    Allow, BinaryOp, Block, CompareOp, Ending, Expr, ExprKind, Item, ItemKind, Life, MarkShape, Moment, Name,
    Part, Question, Rule, Statement, StatementKind,
};
use omerta_syntax::walk::{self, for_each_expr, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

/// The declarations by name.
pub(super) struct Course<'a> {
    pub items: &'a [Declared],
    pub scenes: BTreeMap<&'a str, &'a Block>,
    pub events: BTreeMap<&'a str, &'a Block>,
    pub parts: BTreeMap<(&'a str, Option<&'a str>), &'a Block>,
    pub lives: BTreeMap<&'a str, Vec<(&'a Life, &'a Name)>>,
    /// The rules by what they wait for.
    pub rules: BTreeMap<&'a str, Vec<&'a Rule>>,
    pub marks: BTreeMap<&'a str, Span>,
    /// The names that may stand for several at once.
    several: BTreeSet<&'a str>,
    /// For each event the marks that rules before or instead of it ask for.
    pub tested: BTreeMap<&'a str, BTreeSet<String>>,
    /// Where each mark is set first.
    pub set_at: BTreeMap<&'a str, Span>,
    /// Where each name is read.
    pub reads: BTreeMap<&'a str, Vec<Read<'a>>>,
    /// Every place where each mark is set.
    pub settings: BTreeMap<&'a str, BTreeSet<Span>>,
    /// Every place where each event is made to happen.
    pub doings: BTreeMap<&'a str, BTreeSet<Span>>,
    /// Every place where each event is planned.
    pub plannings: BTreeMap<&'a str, BTreeSet<Span>>,
    /// What rules wait for.
    pub waited_for: BTreeSet<&'a str>,
    /// What a definition comes to: its value, and what others put in or leave out.
    pub meanings: BTreeMap<&'a str, Vec<&'a ItemKind>>,
    /// Those of them that hang on what passes.
    pub passing: BTreeSet<&'a str>,
    /// Those of them that mean nobody where nobody carries one thing, which that is, and where they are read for it.
    pub roots: BTreeMap<&'a str, &'a str>,
    pub reads_through: BTreeMap<&'a str, Vec<Read<'a>>>,
    /// What is over some day: with a scene, or where it is cleared.
    pub passes: BTreeSet<&'a str>,
    /// What it matters for whether it may be set: what is over some day, and what rules want somebody to carry.
    pub watched: BTreeSet<&'a str>,
    pub offers: Vec<(&'a Allow, &'a ItemKind)>,
    pub endings: Vec<(&'a Ending, &'a ItemKind)>,
    /// What scripts may read and set, whenever they are asked.
    scripts: Vec<&'a str>,
    /// The scenes that may be left before their end, and whether by more than what stands in themselves.
    pub left: BTreeMap<&'a str, bool>,
    /// The scene that calls a card.
    pub caller: Option<&'a str>,
    /// The scenes that are played, by whatever is no scene, by the one that calls, and by those that these play.
    pub played: BTreeSet<&'a str>,
    /// What a `repeat` of the script goes through again and again: its own statements, and the scenes they play.
    pub rounds: Vec<&'a Block>,
    /// The file that the script stands in.
    pub base: SourceId,
    /// The files that are checked for themselves; libraries may hold more than one game uses.
    own: &'a BTreeSet<SourceId>,
    /// The libraries of whoever wrote these files: what they declare and this game does without is no mistake.
    libraries: &'a BTreeSet<SourceId>,
}

impl<'a> Course<'a> {
    pub fn new(
        items: &'a [Declared],
        base: SourceId,
        own: &'a BTreeSet<SourceId>,
        libraries: &'a BTreeSet<SourceId>,
    ) -> Self {
        let mut course = Course {
            items,
            scenes: BTreeMap::new(),
            events: BTreeMap::new(),
            parts: BTreeMap::new(),
            lives: BTreeMap::new(),
            rules: BTreeMap::new(),
            marks: BTreeMap::new(),
            several: several(items),
            tested: BTreeMap::new(),
            set_at: BTreeMap::new(),
            reads: reads(items, own),
            settings: BTreeMap::new(),
            doings: BTreeMap::new(),
            plannings: BTreeMap::new(),
            waited_for: BTreeSet::new(),
            meanings: BTreeMap::new(),
            passing: BTreeSet::new(),
            roots: BTreeMap::new(),
            reads_through: BTreeMap::new(),
            passes: BTreeSet::new(),
            watched: BTreeSet::new(),
            offers: Vec::new(),
            endings: Vec::new(),
            scripts: Vec::new(),
            left: BTreeMap::new(),
            caller: None,
            played: BTreeSet::new(),
            rounds: Vec::new(),
            base,
            own,
            libraries,
        };
        for declared in items {
            course.add(&declared.item);
        }
        course.add_played();
        for declared in items {
            course.add_statements(&declared.item.kind);
            if let ItemKind::Rule(rule) = &declared.item.kind {
                course.add_rule(rule);
            }
        }
        let lasting = { course.lives.values().flatten() }.map(|(_, name)| name.text.as_str());
        course.passes.extend(lasting);
        course.watched.clone_from(&course.passes);
        let tested = course.tested.values().flatten();
        let tested = tested.filter_map(|mark| course.marks.get_key_value(mark.as_str()));
        course.watched.extend(tested.map(|(mark, _)| *mark));
        course.passing = course.passing();
        course.add_roots();
        course
    }

    /// Notes the definitions that mean nobody where nobody carries one thing.
    fn add_roots(&mut self) {
        loop {
            let known = self.roots.len();
            for (name, kinds) in &self.meanings {
                if let [ItemKind::Define { value, .. }] = kinds[..]
                    && let Some(root) = self.root_of(value)
                {
                    self.roots.insert(name, root);
                }
            }
            if self.roots.len() == known {
                break;
            }
        }
        for (name, root) in &self.roots {
            let reads = self.reads.get(name).into_iter().flatten();
            self.reads_through.entry(root).or_default().extend(reads);
        }
    }

    /// What is carried, and nobody is meant where nobody carries it.
    fn root_of(&self, value: &'a Expr) -> Option<&'a str> {
        match &*value.inside().kind {
            ExprKind::Query(query) => {
                let name = query.name.text.as_str();
                let root = self.roots.get(name).copied();
                let carried = self.watched.contains(name) && self.set_at.contains_key(name);
                root.or(carried.then_some(name))
                    .or_else(|| self.root_of(query.of.as_ref()?))
            }
            ExprKind::Narrow(parts) => parts.iter().find_map(|part| self.root_of(part)),
            ExprKind::Where { set, .. } | ExprKind::Binary(BinaryOp::Without, set, _) => self.root_of(set),
            _ => None,
        }
    }

    /// The definitions that hang on what is over some day, on scenes, or on others of these.
    fn passing(&self) -> BTreeSet<&'a str> {
        let mut passing = BTreeSet::new();
        loop {
            let hangs = |part: walk::Part<'a>| match part {
                walk::Part::Reads(name) => {
                    self.passes.contains(name.text.as_str()) || passing.contains(name.text.as_str())
                }
                walk::Part::Names(_) => true,
                _ => false,
            };
            let more: BTreeSet<&str> = { self.meanings.iter() }
                .filter(|(_, kinds)| kinds.iter().any(|kind| holds_part(kind, &hangs)))
                .map(|(name, _)| *name)
                .collect();
            if more.len() == passing.len() {
                return passing;
            }
            passing = more;
        }
    }

    fn add_played(&mut self) {
        let (mut played, mut rounds) = (Vec::new(), Vec::new());
        for kind in self.kinds() {
            match kind {
                ItemKind::Scene { params, body, .. } if !performs(handed(params), body) => {}
                kind => played.push(walk::Part::Item(kind)),
            }
        }
        self.script().into_iter().for_each(|script| {
            for_each_statement(script, &mut |statement| {
                if let StatementKind::Repeat(body) = &statement.kind {
                    rounds.push(body);
                }
            });
        });
        let mut known = BTreeSet::new();
        self.follow(&mut played, &mut known, plays);
        self.played = known;
        self.follow(&mut rounds, &mut BTreeSet::new(), plays);
        self.rounds = rounds;
    }

    /// Adds the bodies of the scenes and events that these set off by name and that are not known yet, and those that
    /// they set off.
    pub fn follow<T>(
        &self,
        parts: &mut Vec<T>,
        known: &mut BTreeSet<&'a str>,
        set_off: fn(&'a Statement) -> &'a [Name],
    ) where
        T: Copy + Into<walk::Part<'a>> + From<&'a Block>,
    {
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            next += 1;
            for_each_statement(part, &mut |statement| {
                let names = set_off(statement).iter().map(|name| name.text.as_str());
                for name in names.filter(|name| known.insert(*name)) {
                    let body = self.scenes.get(name).or_else(|| self.events.get(name));
                    parts.extend(body.map(|body| T::from(body)));
                }
            });
        }
    }

    /// The scenes in which something is done, or in what they play.
    pub fn scenes_that(&self, does: &dyn Fn(&StatementKind) -> bool) -> BTreeSet<&'a str> {
        let (mut next, mut played_by) = (Vec::new(), BTreeMap::<&str, Vec<&'a str>>::new());
        for (name, body) in &self.scenes {
            next.extend(holds(*body, does).then_some(*name));
            for_each_statement(*body, &mut |statement| {
                for scene in plays(statement) {
                    played_by.entry(&scene.text).or_default().push(name);
                }
            });
        }
        let mut found = BTreeSet::new();
        while let Some(name) = next.pop() {
            if found.insert(name) {
                next.extend(played_by.get(name).into_iter().flatten());
            }
        }
        found
    }

    /// Whether a declaration is more than a scene that nothing plays.
    pub fn is_come_to(&self, kind: &ItemKind) -> bool {
        match kind {
            ItemKind::Scene {
                name, params, body, ..
            } => performs(handed(params), body) || self.played.contains(name.text.as_str()),
            _ => true,
        }
    }

    pub fn kinds(&self) -> impl Iterator<Item = &'a ItemKind> {
        self.items.iter().map(|declared| &declared.item.kind)
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

    /// What may be set and may happen; in a scene that nothing plays nothing may.
    fn add_statements(&mut self, kind: &'a ItemKind) {
        if !self.is_come_to(kind) {
            return;
        }
        for_each_statement(kind, &mut |statement| {
            for mark in marks_of(statement) {
                self.set_at.entry(&mark.text).or_insert(statement.span);
                let settings = self.settings.entry(&mark.text).or_default();
                settings.insert(statement.span);
            }
            if let StatementKind::Clear(names) = &statement.kind {
                self.passes.extend(names.iter().map(|name| name.text.as_str()));
            }
            if let StatementKind::Leave(scene) = &statement.kind {
                let around = match kind {
                    ItemKind::Scene { name, .. } => Some(name),
                    _ => None,
                };
                if let Some(left) = scene.as_ref().or(around) {
                    *self.left.entry(&left.text).or_default() |= scene.is_some();
                }
            }
            if let StatementKind::Plan(happen) = &statement.kind {
                for event in brought_about(kind.rule(), &happen.event) {
                    let plannings = self.plannings.entry(&event.text).or_default();
                    plannings.insert(statement.span);
                }
            }
            for event in events_of(statement).flat_map(|event| brought_about(kind.rule(), event)) {
                let doings = self.doings.entry(&event.text).or_default();
                doings.insert(statement.span);
            }
        });
    }

    /// A rule in the place of a scene that goes by how often the scene has been: what is replaced is not counted,
    /// so once the test holds it goes on holding. That is meant where it asks for so many times or more.
    pub fn replaced_for_good(&self, diagnostics: &mut Vec<Diagnostic>) {
        let rules = self.kinds().filter_map(ItemKind::rule);
        let instead = rules.filter(|rule| rule.moment == Moment::Instead);
        for (rule, when) in instead.filter_map(|rule| Some((rule, rule.when.as_ref()?))) {
            let mut counted = Vec::new();
            let (mut meant, mut denied) = (BTreeSet::new(), BTreeSet::new());
            // So many times or more: once it holds, it does so on purpose.
            let goes_on = |expr: &'a Expr| match &*expr.inside().kind {
                ExprKind::Compare(left, CompareOp::AtLeast | CompareOp::MoreThan, ..) => match &*left.kind {
                    ExprKind::Times(scene) => Some(scene.span),
                    _ => None,
                },
                _ => None,
            };
            for_each_expr(when, &mut |expr| match &*expr.kind {
                ExprKind::Times(scene) if rule.waits_for(&scene.text) => counted.push(scene),
                ExprKind::Not(inner) => denied.extend(goes_on(inner)),
                _ => meant.extend(goes_on(expr)),
            });
            meant.retain(|span| !denied.contains(span));
            // What goes by another scene besides, or by what the rule changes, holds once.
            let mut changed = BTreeSet::new();
            for_each_statement(&rule.body, &mut |statement| {
                changed.extend(marks_of(statement).map(|name| name.text.as_str()));
            });
            let is_another = |expr: &Expr| match &*expr.kind {
                ExprKind::Times(scene) => !rule.waits_for(&scene.text) && !meant.contains(&scene.span),
                ExprKind::Query(query) => changed.contains(query.name.text.as_str()),
                _ => false,
            };
            let by_another = matches!(&*when.kind, ExprKind::And(_)) && walk::holds_expr(when, &is_another)
                // Of others of its kind it is counted.
                || !rule.happening.of.is_empty();
            let trap = { counted.into_iter() }.find(|scene| !by_another && !meant.contains(&scene.span));
            diagnostics.extend(trap.map(replaced_uncounted));
        }
    }

    /// The marks somebody must carry for a rule to apply.
    pub fn marks_tested(&self, rule: &Rule) -> Vec<Name> {
        let mut marks = Vec::new();
        tests_of(rule).for_each(|expr| self.marks_in(expr, &mut marks));
        marks
    }

    fn add(&mut self, item: &'a Item) {
        if let Some((names, life)) = lasting(&item.kind) {
            let lives = names.iter().map(|name| (life, name));
            self.lives.entry(&life.name.text).or_default().extend(lives);
        }
        match &item.kind {
            ItemKind::Scene {
                name, params, body, ..
            } => {
                self.scenes.insert(&name.text, body);
                let performs = performs(handed(params), body);
                self.caller = self.caller.or(performs.then_some(&name.text));
            }
            ItemKind::Define { name, .. } => self.means(name, &item.kind),
            ItemKind::Clause(clause) => self.means(&clause.name, &item.kind),
            ItemKind::Allow(allow) => self.offers.push((allow, &item.kind)),
            ItemKind::Ending(ending) => self.endings.push((ending, &item.kind)),
            ItemKind::Hook { script, .. } => self.scripts.push(&script.text),
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

    fn means(&mut self, name: &'a Name, kind: &'a ItemKind) {
        self.meanings.entry(&name.text).or_default().push(kind);
    }

    fn add_parts(&mut self, name: &'a Name, parts: &'a [Part]) {
        for part in parts {
            self.parts.insert(
                (&name.text, part.purpose.as_ref().map(|p| p.text.as_str())),
                &part.body,
            );
        }
    }

    /// Whether a script speaks of a name, and may change what goes by it.
    pub fn is_in_scripts(&self, name: &str) -> bool {
        self.scripts.iter().any(|script| script.contains(name))
    }

    pub fn script(&self) -> Option<&'a Block> {
        self.kinds().find_map(|kind| match kind {
            ItemKind::Script(body) => Some(body),
            _ => None,
        })
    }

    /// Whether a set is one person, as far as its name says.
    pub fn is_one(&self, set: &Expr) -> bool {
        set.bare_name()
            .is_some_and(|name| !self.several.contains(name.text.as_str()))
    }

    pub fn has_cast(&self) -> bool {
        self.kinds().any(|kind| matches!(kind, ItemKind::Cast { .. }))
    }

    pub fn is_own(&self, span: Span) -> bool {
        self.own.contains(&span.source)
    }

    /// Whether whoever wrote these files wrote what stands there, be it for other games as well.
    pub fn is_ours(&self, span: Span) -> bool {
        self.is_own(span) || self.libraries.contains(&span.source)
    }

    // ---- never played

    pub fn never_played(&self, diagnostics: &mut Vec<Diagnostic>) {
        self.set_by_nobody(diagnostics);
        let laid_on = self.items.iter().any(|d| d.layer != Layer::Base);
        for declared in self.items {
            match &declared.item.kind {
                kind @ ItemKind::Scene { name, .. } => {
                    // Under an overlay the base may well have lost a scene.
                    let watched = self.is_own(name.span) && (!laid_on || declared.layer != Layer::Base);
                    if watched && !self.is_come_to(kind) {
                        diagnostics.push(scene_never_played(name));
                    }
                }
                ItemKind::Allow(allow) if self.is_own(allow.name.span) => {
                    self.never_open(allow, diagnostics);
                }
                _ => {}
            }
        }
    }

    /// A mark of a library that is read, though the scenes that set it are never played.
    fn set_by_nobody(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut set_in: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for declared in self.items {
            let unplayed = match &declared.item.kind {
                ItemKind::Scene { name, .. } if !self.played.contains(&*name.text) => Some(&*name.text),
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
            let is_foreign = self.marks.get(mark).is_some_and(|span| self.base != span.source);
            let mut reads = self.reads.get(mark).into_iter().flatten();
            let read = reads.find(|read| self.base == read.span.source);
            if let (true, Some(scene), Some(read)) = (is_foreign, scene, read) {
                diagnostics.push(set_by_no_scene(mark, scene, read.span));
            }
        }
    }

    fn never_open(&self, allow: &Allow, diagnostics: &mut Vec<Diagnostic>) {
        let never = |name: &&Name| {
            let name = name.text.as_str();
            self.scenes.contains_key(name) && self.caller != Some(name) && !self.played.contains(name)
        };
        if let Some(first) = allow.during.first()
            && allow.during.iter().all(|name| never(&name))
        {
            diagnostics.push(offer_never_open(&allow.name, first));
            return;
        }
        let goes_on = |name: &Name| {
            self.scenes.contains_key(name.text.as_str()) && !self.may_ask(&name.text, &mut BTreeSet::new())
        };
        if let Some(first) = allow.during.first().filter(|_| allow.during.iter().all(goes_on)) {
            diagnostics.push(offer_between_nothing(&allow.name, first));
        }
    }

    /// Whether somebody may be asked in a scene or an event, in what it sets off, or in rules on any of these.
    fn may_ask<'n>(&'n self, name: &'n str, seen: &mut BTreeSet<&'n str>) -> bool {
        let asks = |kind: &StatementKind| {
            use StatementKind::{Ask, Call, Perform, Wait};
            matches!(kind, Ask(_) | Call { .. } | Perform { .. } | Wait { .. })
        };
        if !seen.insert(name) {
            return false;
        }
        let body = self.scenes.get(name).or_else(|| self.events.get(name)).copied();
        let several = self.kinds().filter_map(|kind| match kind {
            ItemKind::EventGroup { name: group, events } if group.text == name => Some(events),
            _ => None,
        });
        if several.flatten().any(|event| self.may_ask(&event.text, seen)) {
            return true;
        }
        let rules = self
            .kinds()
            .filter_map(ItemKind::rule)
            .filter(|rule| rule.waits_for(name));
        let bodies: Vec<&Block> = body.into_iter().chain(rules.map(|rule| &rule.body)).collect();
        bodies.into_iter().any(|body| {
            let mut next: Vec<&str> = Vec::new();
            for_each_statement(body, &mut |statement| {
                let names = set_off(statement).iter().chain(statement.kind.words());
                next.extend(names.map(|name| name.text.as_str()));
            });
            holds(body, &asks) || next.into_iter().any(|name| self.may_ask(name, seen))
        })
    }

    // ---- loops

    pub fn without_pause(&self, diagnostics: &mut Vec<Diagnostic>) {
        for declared in self.items {
            for_each_statement(&declared.item.kind, &mut |statement| {
                if let StatementKind::Repeat(body) = &statement.kind
                    && (does_nothing(body) || !stops(body) && !self.pauses(body, &mut BTreeSet::new()))
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
    pub fn without_end(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut ends = !self.has_cast();
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
        let leaves = |kind: &StatementKind| matches!(kind, StatementKind::Leave(_));
        for statement in &script.statements {
            if let StatementKind::Repeat(body) = &statement.kind
                && !stops(body)
                && !holds(body, &leaves)
                && self.pauses(body, &mut BTreeSet::new())
            {
                diagnostics.push(no_end(statement.span));
            }
        }
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
            ExprKind::Compare(_, CompareOp::Is, _, right) => self.marks_in(right, out),
            ExprKind::Binary(BinaryOp::Without, left, _) => self.marks_in(left, out),
            _ => {}
        }
    }
}

/// A place where a name is read.
#[derive(Clone, Copy)]
pub(super) struct Read<'a> {
    pub span: Span,
    /// What is read.
    pub name: &'a Name,
    /// What it stands in.
    pub within: &'a ItemKind,
    /// Whether it stands in what is checked.
    pub is_own: bool,
}

impl Read<'_> {
    /// The scene it stands in.
    pub fn scene(&self) -> Option<&str> {
        match self.within {
            ItemKind::Scene { name, .. } => Some(&name.text),
            _ => None,
        }
    }

    /// Whether something stands behind it in the same declaration.
    pub fn is_before(&self, statement: Span) -> bool {
        let mut stands_there = false;
        for_each_statement(self.within, &mut |other| stands_there |= other.span == statement);
        stands_there && self.span.start < statement.start
    }
}

/// Where each name is read.
fn reads<'a>(items: &'a [Declared], own: &BTreeSet<SourceId>) -> BTreeMap<&'a str, Vec<Read<'a>>> {
    let mut reads: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for declared in items {
        let within = &declared.item.kind;
        walk::Part::Item(within).each(&mut |part| {
            if let walk::Part::Reads(name) = part {
                let (span, is_own) = (name.span, own.contains(&name.span.source));
                let read = Read {
                    span,
                    name,
                    within,
                    is_own,
                };
                reads.entry(name.text.as_str()).or_default().push(read);
            }
            true
        });
    }
    reads
}

fn holds_part<'a>(kind: &'a ItemKind, is_it: &dyn Fn(walk::Part<'a>) -> bool) -> bool {
    let mut found = false;
    walk::Part::Item(kind).each(&mut |part| {
        found = found || is_it(part);
        !found
    });
    found
}

/// What is remembered for a time, and for how long.
fn lasting(kind: &ItemKind) -> Option<(&[Name], &Life)> {
    let (names, life) = remembered(kind)?;
    Some((names, life?))
}

/// What is remembered, and for how long if it ends with a scene; a link that is read from both ends has two names.
pub(super) fn remembered(kind: &ItemKind) -> Option<(&[Name], Option<&Life>)> {
    match kind {
        ItemKind::Link { back: Some(_), .. } => None,
        ItemKind::Mark { names, kept, .. }
        | ItemKind::Flag { names, kept }
        | ItemKind::Count { names, kept, .. }
        | ItemKind::Link { names, kept, .. } => Some((names, kept.life.as_ref())),
        _ => None,
    }
}

pub(super) fn marks_of(statement: &Statement) -> impl Iterator<Item = &Name> {
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

/// The names that may stand for several at once.
pub(super) fn several(items: &[Declared]) -> BTreeSet<&str> {
    let mut several = BTreeSet::from(["players", "others"]);
    for declared in items {
        match &declared.item.kind {
            ItemKind::Define { name, .. } | ItemKind::Class { name, .. } | ItemKind::Team { name, .. } => {
                several.insert(&name.text);
            }
            ItemKind::Role(role) => drop(several.insert(&role.name.text)),
            ItemKind::Mark { names, shape, .. } if *shape != MarkShape::One => {
                several.extend(names.iter().map(|name| name.text.as_str()));
            }
            _ => {}
        }
        for_each_statement(&declared.item.kind, &mut |statement| {
            several.extend(several_in(statement).map(|name| name.text.as_str()));
        });
    }
    several
}

/// The name that a statement gives to what may be several.
fn several_in(statement: &Statement) -> Option<&Name> {
    match &statement.kind {
        StatementKind::Let { name, .. }
        | StatementKind::Draw {
            name, count: Some(_), ..
        } => Some(name),
        StatementKind::Ask(ask) => match &ask.question {
            Question::For { name, amount, .. } if amount.is_some() => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// What says whether a rule comes in: whom it waits for, and its condition.
pub(super) fn tests_of(rule: &Rule) -> impl Iterator<Item = &Expr> {
    let patterns = rule.happening.patterns();
    patterns.map(|pattern| &pattern.set).chain(&rule.when)
}

/// The scene that a statement plays.
pub(super) fn plays(statement: &Statement) -> &[Name] {
    match &statement.kind {
        StatementKind::Play { scene, .. } => std::slice::from_ref(scene),
        _ => &[],
    }
}

/// The scene or the events that a statement sets off, at once or some time.
pub(super) fn set_off(statement: &Statement) -> &[Name] {
    match &statement.kind {
        StatementKind::Do(happen) | StatementKind::Plan(happen) => std::slice::from_ref(&happen.event),
        StatementKind::Settle(names) => names,
        _ => plays(statement),
    }
}

/// What a deed brings about: `same` in a rule is whatever that waits for.
pub(super) fn brought_about<'a>(rule: Option<&'a Rule>, event: &'a Name) -> &'a [Name] {
    match rule {
        Some(rule) if event.text == "same" => &rule.happening.names,
        _ => std::slice::from_ref(event),
    }
}

pub(super) fn events_of(statement: &Statement) -> impl Iterator<Item = &Name> {
    let names = match &statement.kind {
        StatementKind::Settle(names) => names,
        StatementKind::Do(happen) => std::slice::from_ref(&happen.event),
        _ => &[],
    };
    names.iter()
}

/// Whether a block only looks whether it should stop: nothing in it could make a test come out otherwise the next time.
fn does_nothing(block: &Block) -> bool {
    let looks = |kind: &StatementKind| {
        use StatementKind::{If, Leave, Nothing, Stop};
        matches!(kind, If(..) | Stop | Leave(_) | Nothing)
    };
    let is_test = |statement: &Statement| matches!(statement.kind, StatementKind::If(..));
    block.statements.iter().all(is_test) && !holds(block, &|kind| !looks(kind))
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
            | StatementKind::Leave(_)
            | StatementKind::Judgement
            | StatementKind::End
            | StatementKind::Call { .. }
            | StatementKind::Perform { .. }
            | StatementKind::Settle(_)
    )
}

/// Whether what goes round may stop: a `stop` further in stops what goes round there.
fn stops(body: &Block) -> bool {
    let mut found = false;
    walk::Part::Block(body).each(&mut |part| match part {
        walk::Part::Statement(statement) => {
            found |= matches!(statement.kind, StatementKind::Stop);
            !matches!(
                statement.kind,
                StatementKind::ForEach { .. } | StatementKind::Repeat(_)
            )
        }
        part => matches!(part, walk::Part::Block(_)),
    });
    found
}

mistakes! {
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

    fn offer_between_nothing(offer: &Name, scene: &Name) = warning "never-open" ("M0719", offer.span):
        format!("`{}` is never open: in `{}` nobody is asked, and nothing waits", offer.text, scene.text), "nobody can take it up",
        also scene.span, "goes on without a pause",
        help format!("write `wait` in `{}` where it may be taken up, or name a scene that asks somebody", scene.text);

    fn no_end(span: Span) = warning "no-end" ("M0721", span):
        "the game never ends: the rules have no ending, and nothing stops this `repeat`",
        "goes round until the host gives up",
        help "write an ending such as `win TEAM when …` and a `judge` where it is tested, or `stop` where it should end";

    fn endless_loop(span: Span) = warning "endless-loop" ("M0720", span):
        "this `repeat` goes round for ever and never waits for anybody",
        "nothing in it asks, waits, draws, stops or judges",
        help "write `stop` where it should end, or `wait` where the host should go on";
}
