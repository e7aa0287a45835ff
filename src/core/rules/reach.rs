//! What can come while a scene goes on: the instructions to which it leads, by all that it plays, calls and does.

use super::{EventId, FactId, Op, ProcId, Ruleset, SceneId, Shuffle};

/// Instructions of rules.
pub struct Reach<'r> {
    rules: &'r Ruleset,
    /// For each of them whether it can come.
    comes: Vec<bool>,
    /// Those that have been come to, and not been gone on from.
    left: Vec<usize>,
    /// What does not go on meanwhile.
    but: Option<ProcId>,
}

impl<'r> Reach<'r> {
    /// All of the rules, whether anything leads there or not.
    pub fn of_all(rules: &'r Ruleset) -> Reach<'r> {
        Reach {
            rules,
            comes: vec![true; rules.code.len()],
            left: Vec::new(),
            but: None,
        }
    }

    /// What can come in a game.
    pub fn of_game(rules: &'r Ruleset) -> Reach<'r> {
        Reach::from(rules, rules.start, None)
    }

    /// What can come in a game while a scene does not go on.
    pub fn beside_scene(rules: &'r Ruleset, scene: SceneId) -> Reach<'r> {
        Reach::from(rules, rules.start, Some(rules.scenes[scene.index()].proc))
    }

    /// What can come of an event.
    pub fn of_event(rules: &'r Ruleset, event: EventId) -> Reach<'r> {
        Reach::from(rules, rules.events[event.index()].body, None)
    }

    /// What can come while a scene goes on, with the rules that hang on its beginning and on its end.
    pub fn of_scene(rules: &'r Ruleset, scene: SceneId) -> Reach<'r> {
        Reach::from(rules, rules.scenes[scene.index()].proc, None)
    }

    /// What can come from here on. An offer may be taken up at any question.
    fn from(rules: &'r Ruleset, begin: ProcId, but: Option<ProcId>) -> Reach<'r> {
        let mut reach = Reach {
            rules,
            comes: vec![false; rules.code.len()],
            left: Vec::new(),
            but,
        };
        reach.enter(begin);
        rules.offers.iter().for_each(|offer| reach.enter(offer.body));
        while let Some(at) = reach.left.pop() {
            let comes = reach.comes.get_mut(at);
            if comes.is_some_and(|comes| !std::mem::replace(comes, true)) {
                reach.go_on(at);
            }
        }
        reach
    }

    fn enter(&mut self, run: ProcId) {
        if self.but == Some(run) {
            return;
        }
        let run = &self.rules.procs[run.index()];
        self.left.extend([run.entry as usize, run.exit as usize]);
    }

    fn happen(&mut self, event: EventId) {
        let event = &self.rules.events[event.index()];
        let around = [event.before, Some(event.body), event.after];
        let instead = event.instead.iter().map(|rule| rule.proc);
        for run in around.into_iter().flatten().chain(instead) {
            self.enter(run);
        }
    }

    fn go_on(&mut self, at: usize) {
        let rules = self.rules;
        match rules.code[at] {
            Op::Return | Op::Done | Op::End { .. } => return,
            Op::Jump { at } => return self.left.push(at as usize),
            Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => self.left.push(at as usize),
            Op::Enter { proc, .. } => self.enter(proc),
            Op::Do { event, .. } => self.happen(event),
            Op::Settle { list } => {
                for event in &rules.lists[usize::from(list)] {
                    self.happen(*event);
                }
            }
            Op::Perform { .. } => rules.parts.iter().for_each(|part| self.enter(part.proc)),
            Op::Ask { site, .. } => self.left.push(rules.asks[site.index()].again as usize),
            _ => {}
        }
        self.left.push(at + 1);
    }

    /// Those of the instructions that can come.
    pub fn code(&self) -> impl Iterator<Item = &'r Op> {
        let all = self.rules.code.iter().zip(&self.comes);
        all.filter(|(_, comes)| **comes).map(|(op, _)| op)
    }

    /// Whether something remembered can be set or changed.
    pub fn sets(&self, fact: FactId) -> bool {
        self.has(|op| op.sets() == Some(fact))
    }

    /// Whether one of these can come.
    pub fn has(&self, is_such: impl FnMut(&Op) -> bool) -> bool {
        self.code().any(is_such)
    }

    /// Whether an event can happen.
    pub fn does(&self, event: EventId) -> bool {
        self.has(|op| match op {
            Op::Do { event: done, .. } => *done == event,
            Op::Settle { list } => self.rules.lists[usize::from(*list)].contains(&event),
            _ => false,
        })
    }
}

/// Whether every player keeps the card that is dealt to him: cards are laid out once, and nothing but what stands
/// beside that moves or turns one.
pub fn cards_stay(rules: &Ruleset) -> bool {
    let home_of = |at: usize| {
        let entries = rules.procs.iter().map(|one| one.entry as usize);
        entries.filter(|entry| *entry <= at).max()
    };
    let code = || rules.code.iter().enumerate();
    let mut laid = code().filter(|(_, op)| matches!(op, Op::PutCast { .. }));
    let (Some((laid, _)), None) = (laid.next(), laid.next()) else {
        return false;
    };
    let mut code = code();
    code.all(|(at, op)| match op {
        Op::Turn { .. } | Op::TurnInto { .. } | Op::Swap { .. } => false,
        Op::Move { .. } => home_of(at) == home_of(laid),
        Op::Draw { site, .. } => match rules.draws[site.index()].shuffle {
            Some(Shuffle::Deal(_)) => home_of(at) == home_of(laid),
            _ => true,
        },
        _ => true,
    })
}
