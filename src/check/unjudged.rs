//! A game that is not decided: endings that nothing tests or that are tested too late, a course that just ends,
//! cards that nobody deals.
//!
//! Goes through the script as it is written, scenes and events included; plays nothing.

use crate::course::{Course, set_off};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::{Sources, Span};
use omerta_syntax::settled;
use omerta_syntax::tree::{
    Block, CompareOp, Ending, Expr, ExprKind, ItemKind, Moment, Name, Query, Question, Rule, Statement,
    StatementKind,
};
use omerta_syntax::walk::{self, for_each_expr, for_each_statement, holds};
use std::collections::BTreeSet;

/// How deep scenes may play scenes, and definitions name definitions.
const DEPTH: usize = 16;
/// How many steps of a course are looked at.
const STEPS: usize = 4_000;

/// Looks whether the game of a file is decided.
pub(super) fn lint(course: &Course<'_>, sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let Some(script) = { course.script() }.filter(|script| script.span.source == course.base) else {
        return;
    };
    course.check_dealt(script, diagnostics);
    course.check_put(diagnostics);
    // Whoever wins by a statement is judged by it.
    let wins = |kind: &StatementKind| matches!(kind, StatementKind::Win { .. } | StatementKind::Lose { .. });
    if course.endings.is_empty() || !course.has_cast() || course.kinds().any(|kind| holds(kind, &wins)) {
        return;
    }
    if !course.kinds().any(|kind| holds(kind, &judges)) {
        let rounds = |kind: &StatementKind| matches!(kind, StatementKind::Repeat(_));
        if { course.reached(script).into_iter() }.any(|block| holds(block, &rounds)) {
            diagnostics.push(never_judged(course.endings[0].0.when.span));
        }
        return;
    }
    course.check_judged_in_time(script, diagnostics);
    course.check_goes_on(script, sources, diagnostics);
}

impl<'a> Course<'a> {
    /// Tokens that nothing puts anywhere, so that there are none.
    fn check_put(&self, diagnostics: &mut Vec<Diagnostic>) {
        for kind in self.kinds() {
            let ItemKind::Token { name, faces, .. } = kind else {
                continue;
            };
            let is_it =
                |put: &Name| put.text == name.text || faces.iter().any(|face| face.name.text == put.text);
            let puts =
                |kind: &StatementKind| matches!(kind, StatementKind::Put { token, .. } if is_it(token));
            let is_put = self.is_in_scripts(&name.text) || self.kinds().any(|kind| holds(kind, &puts));
            if !is_put && self.is_own(name.span) {
                diagnostics.push(never_put(name));
            }
        }
    }

    /// What comes in by itself: rules and offers.
    fn by_themselves(&self) -> impl Iterator<Item = &'a ItemKind> {
        self.kinds()
            .filter(|kind| matches!(kind, ItemKind::Rule(_) | ItemKind::Allow(_)))
    }

    /// The blocks that something sets off: the script, what it plays, causes and calls, and what comes in by itself.
    fn reached(&self, script: &'a Block) -> Vec<&'a Block> {
        let mut reached = vec![walk::Part::Block(script)];
        reached.extend(self.parts.values().map(|body| walk::Part::Block(body)));
        reached.extend(self.by_themselves().map(walk::Part::Item));
        self.follow(&mut reached, &mut BTreeSet::new(), set_off);
        let blocks = reached.into_iter().filter_map(|part| match part {
            walk::Part::Block(block) => Some(block),
            _ => None,
        });
        blocks.collect()
    }

    /// What rules do around a scene. Before the first round there is little that could be decided.
    fn around(&self, scene: &Name, moment: Moment) -> impl Iterator<Item = &'a Block> + use<'a> {
        let rules = self.rules.get(scene.text.as_str());
        let mut around: Vec<&'a Rule> = rules.cloned().unwrap_or_default();
        around.retain(|rule| rule.moment == moment && rule.when.as_ref().is_none_or(|when| !is_first(when)));
        around.into_iter().map(|rule| &rule.body)
    }

    /// A call in the script above what hands out the cards.
    fn called_before_dealt(&self, script: &Block) -> Option<Diagnostic> {
        let dealers = self.scenes_that(&deals);
        let mut statements = script.statements.iter();
        let first = statements.find(|statement| {
            matches!(statement.kind, StatementKind::Call { .. }) || hands_out(&statement.kind, &dealers)
        })?;
        let called = matches!(first.kind, StatementKind::Call { .. });
        let dealt = statements.find(|statement| hands_out(&statement.kind, &dealers))?;
        called.then(|| called_before_dealt(first.span, dealt.span))
    }

    /// A game with cards of which nothing that is played hands out any, though a scene would.
    fn check_dealt(&self, script: &'a Block, diagnostics: &mut Vec<Diagnostic>) {
        let moves = |kind: &StatementKind| {
            matches!(
                kind,
                StatementKind::Deal { .. } | StatementKind::PutCast { .. } | StatementKind::Move { .. }
            )
        };
        let is_dealt = self.reached(script).into_iter().any(|block| holds(block, &moves));
        let by_themselves = self.by_themselves().any(|kind| holds(kind, &moves));
        if self.has_cast() && !by_themselves {
            diagnostics.extend(self.called_before_dealt(script));
        }
        if !self.has_cast() || is_dealt || by_themselves {
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
            match kind {
                // A loop that is left at its end goes round once.
                StatementKind::Repeat(body) => !matches!(
                    body.statements.last().map(|last| &last.kind),
                    Some(StatementKind::Stop)
                ),
                StatementKind::ForEach { .. } | StatementKind::End => true,
                _ => false,
            }
        };
        let text = |expr: &Expr| sources.slice(expr.span).trim().to_owned();
        let denied = |ending: &Ending| match &*ending.when.kind {
            ExprKind::No(inner) | ExprKind::Not(inner) => Some(text(inner)),
            _ => None,
        };
        let said = |ending: &Ending| match &*ending.when.kind {
            ExprKind::Some(inner) => text(inner),
            _ => text(&ending.when),
        };
        let endings = || self.endings.iter().map(|(ending, _)| *ending);
        let all: BTreeSet<String> = endings().map(said).collect();
        let mut denied = endings().filter_map(denied);
        let tests = endings().map(|ending| ending.when.clone());
        let any = Expr::new(ExprKind::Or(tests.collect()), script.span);
        let always = settled::outcome(&any, &|_| false) == Some(true);
        let played = |scene: &Name| {
            let plays = |statement: &&Statement| matches!(&statement.kind, StatementKind::Play { scene: played, .. } if played.text == scene.text);
            script.statements.iter().filter(plays).count() as i64
        };
        // How often something has been played by then is known.
        let by_then = |ending: &Ending| {
            let (left, ..) = ending.when.inside().comparison()?;
            let ExprKind::Times(scene) = &*left.kind else {
                return None;
            };
            let times = Some(played(scene)).filter(|times| *times > 0)?;
            settled::by_range(ending.when.inside(), (Some(times), Some(times)))
        };
        let is_closed = always
            || denied.any(|denied| all.contains(&denied))
            || endings().any(|ending| by_then(ending) == Some(true));
        let is_ending = |ending: &Ending| ending.when.span.source == script.span.source;
        let one_round = !self
            .reached(script)
            .into_iter()
            .any(|block| holds(block, &rounds));
        let nights = repeats_by_name(script);
        if one_round && !is_closed && nights && endings().all(is_ending) {
            let last = script.statements.last().map_or(script.span, |last| last.span);
            diagnostics.push(comes_to_an_end(last, self.endings[0].0.when.span));
        }
    }

    // ---- Judged in time

    /// What endings go by, in their own words and in those of the definitions they name.
    fn tested(&self) -> BTreeSet<&'a str> {
        let mut tested: BTreeSet<&'a str> = BTreeSet::new();
        let mut next: Vec<&'a Expr> = self.endings.iter().map(|(ending, _)| &ending.when).collect();
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
                let meant = self.meanings.get(name).into_iter().flatten();
                next.extend(meant.filter_map(|kind| match kind {
                    ItemKind::Define { value, .. } => Some(value),
                    ItemKind::Clause(clause) => Some(&clause.value),
                    _ => None,
                }));
            }
        }
        tested
    }

    /// The events that change what endings go by, themselves or in events that they do, whatever holds then.
    fn deciding(&self) -> BTreeSet<&'a str> {
        let tested = self.tested();
        let mut deciding = BTreeSet::new();
        loop {
            let changes = |block: &Block| {
                block.statements.iter().any(|statement| {
                    let (names, sort) = match &statement.kind {
                        StatementKind::Mark { names, .. } | StatementKind::Unmark { names, .. } => {
                            (&names[..], &tested)
                        }
                        StatementKind::Set { name, .. } | StatementKind::Add { name, .. } => {
                            (std::slice::from_ref(name), &tested)
                        }
                        StatementKind::Do(happen) => (std::slice::from_ref(&happen.event), &deciding),
                        StatementKind::Settle(events) => (&events[..], &deciding),
                        _ => return false,
                    };
                    names.iter().any(|name| sort.contains(name.text.as_str()))
                })
            };
            let more = self
                .events
                .iter()
                .filter(|(name, body)| !deciding.contains(*name) && changes(body));
            let more: Vec<&str> = more.map(|(name, _)| *name).collect();
            if more.is_empty() {
                return deciding;
            }
            deciding.extend(more);
        }
    }

    fn check_judged_in_time(&self, script: &'a Block, diagnostics: &mut Vec<Diagnostic>) {
        // A rule that judges does so wherever it comes in.
        if self.by_themselves().any(|kind| holds(kind, &judges)) {
            return;
        }
        let mut steps = Steps {
            course: self,
            deciding: self.deciding(),
            dealers: self.scenes_that(&deals),
            scene: 0,
            begun: 0,
            open: None,
            leaving: Vec::new(),
            late: None,
            left: STEPS,
        };
        steps.block(script, DEPTH);
        if let Some((first, second)) = steps.late.filter(|_| steps.left > 0) {
            diagnostics.push(judged_late(first, second));
        }
    }
}

/// Whether the scenes of a script are such as come again: it plays one that asks, and is no single scene.
fn repeats_by_name(script: &Block) -> bool {
    let mut plays = 0;
    for_each_statement(script, &mut |statement| {
        plays += usize::from(matches!(statement.kind, StatementKind::Play { .. }));
    });
    plays > 2
}

/// Whether a test holds in the first round alone: `times Day is 1`.
fn is_first(test: &Expr) -> bool {
    let mut first = false;
    for_each_expr(test, &mut |part| {
        first |= match &*part.kind {
            ExprKind::Compare(left, CompareOp::Is, _, right) => matches!(
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

fn deals(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Deal { .. })
}

fn hands_out(kind: &StatementKind, dealers: &BTreeSet<&str>) -> bool {
    match kind {
        StatementKind::Play { scene, .. } => dealers.contains(scene.text.as_str()),
        kind => deals(kind),
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
    course: &'c Course<'a>,
    /// The events that change what endings go by.
    deciding: BTreeSet<&'a str>,
    /// The scenes that hand out the cards.
    dealers: BTreeSet<&'a str>,
    /// Which scene is played, and how many have begun: one that comes again is another.
    scene: usize,
    begun: usize,
    /// What may have decided the game and was not judged.
    open: Option<Open>,
    /// What is open where a scene is left, with the scene if it is named.
    leaving: Vec<(Option<&'a str>, Open)>,
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
            StatementKind::Leave(scene) => {
                let scene = scene.as_ref().map(|scene| scene.text.as_str());
                self.leaving.extend(self.open.take().map(|open| (scene, open)));
            }
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
            StatementKind::If(_, then, otherwise) => {
                let ways: Vec<&Block> = [Some(then), otherwise.as_ref()].into_iter().flatten().collect();
                self.judged_by_one(&ways);
                let before = self.open.filter(|_| otherwise.is_none());
                self.one_of(&ways, depth);
                self.open = self.open.or(before);
            }
            StatementKind::Play { scene, .. } => {
                self.begun += 1;
                let outer = std::mem::replace(&mut self.scene, self.begun);
                let left_before = self.leaving.len();
                self.around(scene, Moment::Before, depth);
                let mut ways: Vec<&Block> = self.course.around(scene, Moment::Instead).collect();
                ways.extend(self.course.scenes.get(scene.text.as_str()));
                self.one_of(&ways, depth);
                let left_here =
                    |left: &mut (Option<&str>, Open)| left.0.is_none_or(|name| name == scene.text);
                for (_, open) in self.leaving.extract_if(left_before.., left_here) {
                    self.open.get_or_insert(open);
                }
                // Who leaves right behind the deal has been counted in.
                if !hands_out(&statement.kind, &self.dealers) {
                    self.around(scene, Moment::After, depth);
                }
                self.scene = outer;
            }
            StatementKind::Do(happen) => self.happens(std::slice::from_ref(&happen.event), statement.span),
            StatementKind::Settle(events) => self.happens(events, statement.span),
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
        for body in self.course.around(scene, moment) {
            self.block(body, depth - 1);
        }
    }

    /// Events happen, some of which may judge, or decide the game.
    fn happens(&mut self, events: &[Name], at: Span) {
        let bodies = { events.iter() }.filter_map(|event| self.course.events.get(event.text.as_str()));
        let bodies: Vec<&Block> = bodies.copied().collect();
        if bodies.iter().any(|body| holds(*body, &judges)) {
            self.open = None;
        } else if { events.iter() }.any(|event| self.deciding.contains(event.text.as_str())) {
            self.decide(at);
        }
    }

    fn decide(&mut self, at: Span) {
        match &self.open {
            Some(open) if open.paused && open.scene != self.scene => {
                self.late.get_or_insert((open.at, at));
            }
            Some(_) => {}
            None => {
                let (scene, paused) = (self.scene, false);
                self.open = Some(Open { at, scene, paused });
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

    fn never_put(token: &Name) = warning "not-dealt" ("M0743", token.span):
        format!("nothing puts `{}` into the game", token.text), "it lies nowhere",
        help format!("write `put {} in …` with its zone, where the game begins", token.text);

    fn called_before_dealt(call: Span, deal: Span) = warning "not-dealt" ("M0743", call):
        "nobody has a card yet, and nobody is called", "before the cards are dealt",
        also deal, "here they are dealt",
        help "put the call below this";

    fn never_dealt(scene: &str, first: Span) = warning "not-dealt" ("M0743", first):
        "the game begins without cards: nothing deals them", "everybody's hand is empty here",
        help format!("write `play {scene}` before it");
}
