//! A game that is not decided: endings that nothing tests or that are tested too late, a course that just ends,
//! cards that nobody deals.
//!
//! Goes through the script as it is written, scenes and events included; plays nothing.

use crate::load::Declared;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::{SourceId, Sources, Span};
use omerta_syntax::settled;
use omerta_syntax::tree::{
    Block, CompareOp, Ending, Expr, ExprKind, ItemKind, Moment, Name, Part, Query, Question, Statement,
    StatementKind,
};
use omerta_syntax::walk::{for_each_expr, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

/// How deep scenes may play scenes, and definitions name definitions.
const DEPTH: usize = 16;
/// How many steps of a course are looked at.
const STEPS: usize = 4_000;

/// What is declared, by name.
struct Declarations<'a> {
    scenes: BTreeMap<&'a str, &'a Block>,
    events: BTreeMap<&'a str, &'a Block>,
    /// What rules do before a scene, in its place and behind it.
    around: BTreeMap<(&'a str, Moment), Vec<&'a Block>>,
    defines: BTreeMap<&'a str, &'a Expr>,
    parts: BTreeMap<&'a str, Vec<&'a Block>>,
    endings: Vec<&'a Ending>,
    script: Option<&'a Block>,
    /// All statements of rules, offers and scenes that say how a call goes: they come in by themselves.
    by_themselves: Vec<&'a ItemKind>,
    has_cast: bool,
}

/// Looks whether the game of a file is decided.
pub(super) fn lint(items: &[Declared], own: SourceId, sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let declared = Declarations::of(items);
    let Some(script) = declared.script.filter(|script| script.span.source == own) else {
        return;
    };
    declared.check_dealt(script, diagnostics);
    // Whoever wins by a statement is judged by it.
    let wins = |kind: &StatementKind| matches!(kind, StatementKind::Win { .. } | StatementKind::Lose { .. });
    if declared.endings.is_empty()
        || !declared.has_cast
        || items.iter().any(|item| holds(&item.item.kind, &wins))
    {
        return;
    }
    if !items.iter().any(|item| holds(&item.item.kind, &judges)) {
        let rounds = |kind: &StatementKind| matches!(kind, StatementKind::Repeat(_));
        if declared
            .reached(script)
            .into_iter()
            .any(|block| holds(block, &rounds))
        {
            diagnostics.push(never_judged(declared.endings[0].when.span));
        }
        return;
    }
    declared.check_judged_in_time(script, diagnostics);
    declared.check_goes_on(script, sources, diagnostics);
}

impl<'a> Declarations<'a> {
    fn of(items: &'a [Declared]) -> Self {
        let mut all = Declarations {
            scenes: BTreeMap::new(),
            events: BTreeMap::new(),
            around: BTreeMap::new(),
            defines: BTreeMap::new(),
            parts: BTreeMap::new(),
            endings: Vec::new(),
            script: None,
            by_themselves: Vec::new(),
            has_cast: false,
        };
        for declared in items {
            all.add(&declared.item.kind);
        }
        all
    }

    fn add(&mut self, kind: &'a ItemKind) {
        match kind {
            ItemKind::Scene { name, body, .. } => drop(self.scenes.insert(&name.text, body)),
            ItemKind::Event { name, body, .. } => drop(self.events.insert(&name.text, body)),
            ItemKind::Define { name, value, .. } => drop(self.defines.insert(&name.text, value)),
            ItemKind::Role(role) => self.add_parts(&role.name, &role.parts),
            ItemKind::Team { name, parts, .. } => self.add_parts(name, parts),
            ItemKind::Ending(ending) => self.endings.push(ending),
            ItemKind::Script(body) => self.script = Some(body),
            ItemKind::Cast { .. } => self.has_cast = true,
            ItemKind::Rule(rule) => {
                // Before the first round there is little that could be decided.
                let late = rule.when.as_ref().is_none_or(|when| !is_first(when));
                for name in rule.happening.names.iter().filter(|_| late) {
                    let around = self.around.entry((&name.text, rule.moment)).or_default();
                    around.push(&rule.body);
                }
                self.by_themselves.push(kind);
            }
            ItemKind::Allow(_) => self.by_themselves.push(kind),
            _ => {}
        }
    }

    fn add_parts(&mut self, name: &'a Name, parts: &'a [Part]) {
        let bodies = parts.iter().map(|part| &part.body);
        self.parts.entry(&name.text).or_default().extend(bodies);
    }

    /// The blocks that something sets off: the script, what it plays, causes and calls, and what comes in by itself.
    fn reached(&self, script: &'a Block) -> Vec<&'a Block> {
        let (mut reached, mut known) = (vec![script], BTreeSet::new());
        let parts = self.parts.values().flatten();
        reached.extend(parts.copied());
        let mut next = 0;
        let mut names: Vec<&'a str> = Vec::new();
        for kind in &self.by_themselves {
            for_each_statement(*kind, &mut |statement| names.extend(set_off(statement)));
        }
        loop {
            for name in names.drain(..).filter(|name| known.insert(*name)) {
                reached.extend(self.scenes.get(name).or_else(|| self.events.get(name)));
            }
            let Some(block) = reached.get(next) else {
                return reached;
            };
            next += 1;
            for_each_statement(*block, &mut |statement| names.extend(set_off(statement)));
        }
    }

    /// What rules do around a scene.
    fn around_of(&self, scene: &Name, moment: Moment) -> Vec<&'a Block> {
        let around = self
            .around
            .iter()
            .filter(|((of, at), _)| *of == scene.text && *at == moment);
        around.flat_map(|(_, bodies)| bodies.iter().copied()).collect()
    }

    /// A call in the script above what hands out the cards.
    fn called_before_dealt(&self, script: &Block) -> Option<Diagnostic> {
        let mut statements = script.statements.iter();
        let first = statements.find(|statement| {
            matches!(statement.kind, StatementKind::Call { .. }) || self.hands_out(&statement.kind, DEPTH)
        })?;
        let called = matches!(first.kind, StatementKind::Call { .. });
        let dealt = statements.find(|statement| self.hands_out(&statement.kind, DEPTH))?;
        called.then(|| called_before_dealt(first.span, dealt.span))
    }

    fn hands_out(&self, kind: &StatementKind, depth: usize) -> bool {
        match kind {
            StatementKind::Deal { .. } => true,
            StatementKind::Play { scene, .. } if depth > 0 => {
                let body = self.scenes.get(scene.text.as_str());
                body.is_some_and(|body| holds(*body, &|kind| self.hands_out(kind, depth - 1)))
            }
            _ => false,
        }
    }

    /// A game with cards of which nothing that is played hands out any, though a scene would.
    fn check_dealt(&self, script: &'a Block, diagnostics: &mut Vec<Diagnostic>) {
        let deals = |kind: &StatementKind| matches!(kind, StatementKind::Deal { .. });
        let moves = |kind: &StatementKind| {
            matches!(
                kind,
                StatementKind::Deal { .. } | StatementKind::PutCast { .. } | StatementKind::Move { .. }
            )
        };
        let is_dealt = self.reached(script).into_iter().any(|block| holds(block, &moves));
        let by_themselves = self.by_themselves.iter().any(|kind| holds(*kind, &moves));
        if self.has_cast && !by_themselves {
            diagnostics.extend(self.called_before_dealt(script));
        }
        if !self.has_cast || is_dealt || by_themselves {
            return;
        }
        let dealer = self.scenes.iter().find(|(_, body)| holds(**body, &deals));
        if let Some((scene, _)) = dealer {
            let place = script.statements.first().map_or(script.span, |first| first.span);
            diagnostics.push(never_dealt(scene, place));
        }
    }

    /// A script that comes to its end without going round, though no two of its endings leave nothing open.
    fn check_goes_on(&self, script: &'a Block, sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
        let rounds = |kind: &StatementKind| {
            matches!(
                kind,
                StatementKind::Repeat(_) | StatementKind::ForEach { .. } | StatementKind::End
            )
        };
        let text = |expr: &Expr| {
            let source = sources.get(expr.span.source);
            source.text[expr.span.start as usize..expr.span.end as usize]
                .trim()
                .to_owned()
        };
        let denied = |ending: &Ending| match &*ending.when.kind {
            ExprKind::No(inner) | ExprKind::Not(inner) => Some(text(inner)),
            _ => None,
        };
        let said = |ending: &Ending| match &*ending.when.kind {
            ExprKind::Some(inner) => text(inner),
            _ => text(&ending.when),
        };
        let all: BTreeSet<String> = self.endings.iter().map(|ending| said(ending)).collect();
        let is_closed = self.endings.iter().filter_map(|ending| denied(ending));
        let any = Expr {
            kind: Box::new(ExprKind::Or(
                { self.endings.iter() }
                    .map(|ending| ending.when.clone())
                    .collect(),
            )),
            span: script.span,
        };
        let always = settled::outcome(&any, &|_| false) == Some(true);
        let is_closed = always || is_closed.into_iter().any(|denied| all.contains(&denied));
        let is_ending = |ending: &Ending| ending.when.span.source == script.span.source;
        let one_round = !self
            .reached(script)
            .into_iter()
            .any(|block| holds(block, &rounds));
        let nights = repeats_by_name(script);
        if one_round && !is_closed && nights && self.endings.iter().all(|ending| is_ending(ending)) {
            let last = script.statements.last().map_or(script.span, |last| last.span);
            diagnostics.push(comes_to_an_end(last, self.endings[0].when.span));
        }
    }

    // ---- Judged in time

    /// What endings go by, in their own words and in those of the definitions they name.
    fn tested(&self) -> BTreeSet<&'a str> {
        let mut tested: BTreeSet<&'a str> = BTreeSet::new();
        let mut next: Vec<&'a Expr> = self.endings.iter().map(|ending| &ending.when).collect();
        for _ in 0..DEPTH {
            let mut names = Vec::new();
            for expr in next.drain(..) {
                for_each_expr(expr, &mut |part| {
                    if let ExprKind::Query(Query { name, .. }) = &*part.kind {
                        names.push(name.text.as_str());
                    }
                });
            }
            for name in names.into_iter().filter(|name| tested.insert(*name)) {
                next.extend(self.defines.get(name));
            }
        }
        tested
    }

    fn check_judged_in_time(&self, script: &'a Block, diagnostics: &mut Vec<Diagnostic>) {
        // A rule that judges does so wherever it comes in.
        if self.by_themselves.iter().any(|kind| holds(*kind, &judges)) {
            return;
        }
        let mut course = Steps {
            declared: self,
            tested: self.tested(),
            scene: 0,
            begun: 0,
            open: None,
            late: None,
            left: STEPS,
        };
        course.block(script, DEPTH);
        if let Some((first, second)) = course.late.filter(|_| course.left > 0) {
            diagnostics.push(judged_late(first, second));
        }
    }
}

/// Whether the scenes of a script are such as come again: it plays one that asks, and is no single scene.
fn repeats_by_name(script: &Block) -> bool {
    let plays = |statement: &&Statement| matches!(statement.kind, StatementKind::Play { .. });
    script.statements.iter().filter(plays).count() > 2
}

/// Whether a test holds in the first round alone: `times Day is 1`.
fn is_first(test: &Expr) -> bool {
    let mut first = false;
    for_each_expr(test, &mut |part| {
        first |= match &*part.kind {
            ExprKind::Compare {
                left,
                op: CompareOp::Is,
                right,
                ..
            } => matches!(
                (&*left.kind, &*right.kind),
                (ExprKind::Times(_), ExprKind::Int(1))
            ),
            _ => false,
        };
    });
    first
}

pub(super) fn judges(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Judgement)
}

/// What a statement sets off by name.
fn set_off(statement: &Statement) -> Vec<&str> {
    match &statement.kind {
        StatementKind::Play { scene, .. } => vec![&scene.text],
        StatementKind::Do(happen) | StatementKind::Plan(happen) => vec![&happen.event.text],
        StatementKind::Settle(names) => names.iter().map(|name| name.text.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Something that may decide the game, and what has come since.
#[derive(Clone, Copy)]
struct Open {
    at: Span,
    scene: usize,
    paused: bool,
}

/// The course step by step: what may decide the game, who is asked, where it is judged.
struct Steps<'c, 'a> {
    declared: &'c Declarations<'a>,
    tested: BTreeSet<&'a str>,
    /// Which scene is played, and how many have begun: one that comes again is another.
    scene: usize,
    begun: usize,
    /// What may have decided the game and was not judged.
    open: Option<Open>,
    /// The first that was not judged before the next in another scene.
    late: Option<(Span, Span)>,
    left: usize,
}

impl<'a> Steps<'_, 'a> {
    fn block(&mut self, block: &'a Block, depth: usize) {
        for statement in &block.statements {
            if self.left == 0 || depth == 0 {
                return;
            }
            self.left -= 1;
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &'a Statement, depth: usize) {
        match &statement.kind {
            StatementKind::Judgement | StatementKind::End => self.open = None,
            StatementKind::Ask(_) | StatementKind::Wait { .. } | StatementKind::Call { .. } => {
                if let Some(open) = &mut self.open {
                    open.paused = true;
                }
                if let StatementKind::Ask(ask) = &statement.kind
                    && let Question::Menu(_, branches) = &ask.question
                {
                    let branches: Vec<&Block> = branches.iter().map(|branch| &branch.body).collect();
                    self.judged_by_one(&branches);
                    self.one_of(&branches, depth);
                }
            }
            StatementKind::Repeat(body) => {
                self.block(body, depth - 1);
                self.block(body, depth - 1);
            }
            StatementKind::ForEach { body, .. } => self.block(body, depth - 1),
            StatementKind::If { then, otherwise, .. } => {
                let ways: Vec<&Block> = [Some(then), otherwise.as_ref()].into_iter().flatten().collect();
                self.judged_by_one(&ways);
                let before = self.open.filter(|_| otherwise.is_none());
                self.one_of(&ways, depth);
                self.open = self.open.or(before);
            }
            StatementKind::Play { scene, .. } => {
                self.begun += 1;
                let outer = std::mem::replace(&mut self.scene, self.begun);
                self.around(scene, Moment::Before, depth);
                let mut ways = self.declared.around_of(scene, Moment::Instead);
                ways.extend(self.declared.scenes.get(scene.text.as_str()));
                self.one_of(&ways, depth);
                // Who leaves right behind the deal has been counted in.
                if !self.declared.hands_out(&statement.kind, DEPTH) {
                    self.around(scene, Moment::After, depth);
                }
                self.scene = outer;
            }
            StatementKind::Do(happen) => {
                let body = self.declared.events.get(happen.event.text.as_str());
                if body.is_some_and(|body| holds(*body, &judges)) {
                    self.open = None;
                }
                if body.is_some_and(|body| self.changes(body)) {
                    self.decide(statement.span);
                }
            }
            _ => {}
        }
    }

    /// One of several ways may judge for all what was open before.
    fn judged_by_one(&mut self, ways: &[&Block]) {
        self.open = self.open.filter(|_| !ways.iter().any(|way| holds(*way, &judges)));
    }

    /// One of several ways: what is open behind any of them is open.
    fn one_of(&mut self, ways: &[&'a Block], depth: usize) {
        let before = self.open;
        let mut open = before.filter(|_| ways.is_empty());
        for way in ways {
            self.open = before;
            self.block(way, depth - 1);
            open = self.open.or(open);
        }
        self.open = open;
    }

    fn around(&mut self, scene: &Name, moment: Moment, depth: usize) {
        for body in self.declared.around_of(scene, moment) {
            self.block(body, depth - 1);
        }
    }

    /// Whether a block changes what endings go by.
    fn changes(&self, block: &Block) -> bool {
        let mut changes = false;
        for_each_statement(block, &mut |statement| {
            let names = match &statement.kind {
                StatementKind::Mark { names, .. } | StatementKind::Unmark { names, .. } => &names[..],
                StatementKind::Set { name, .. } | StatementKind::Add { name, .. } => {
                    std::slice::from_ref(name)
                }
                _ => &[],
            };
            changes |= names.iter().any(|name| self.tested.contains(name.text.as_str()));
        });
        changes
    }

    fn decide(&mut self, at: Span) {
        match &self.open {
            Some(open) if open.paused && open.scene != self.scene => {
                self.late.get_or_insert((open.at, at));
            }
            Some(_) => {}
            None => {
                self.open = Some(Open {
                    at,
                    scene: self.scene,
                    paused: false,
                });
            }
        }
    }
}

mistakes! {
    fn never_judged(ending: Span) = warning "never-judged" ("M0740", ending):
        "nothing looks whether this holds: there is no `judge`", "never tested",
        help "write `judge` where the game may be decided, behind what puts somebody out of it";

    fn judged_late(first: Span, second: Span) = warning "judged-late" ("M0741", first):
        "this may decide the game, and the game goes on", "nothing judges before people are asked again",
        also second, "by the time that this happens, it is decided by both",
        help "write `judge` behind it";

    fn comes_to_an_end(last: Span, ending: Span) = warning "comes-to-an-end" ("M0742", last):
        "the script ends behind this, whether or not somebody has won", "nothing is played again",
        also ending, "this may not hold by then, nor any other ending",
        help "write `repeat { … }` around the scenes that come again, or endings of which one always holds";

    fn called_before_dealt(call: Span, deal: Span) = warning "not-dealt" ("M0743", call):
        "nobody has a card yet, and nobody is called", "before the cards are dealt",
        also deal, "here they are dealt",
        help "put the call below this";

    fn never_dealt(scene: &str, first: Span) = warning "not-dealt" ("M0743", first):
        "the game begins without cards: nothing deals them", "everybody's hand is empty here",
        help format!("write `play {scene}` before it");
}
