//! What can come while a scene goes on: the instructions to which it leads, by all that it plays, calls and does.

use super::{EventId, FactId, NO_CALL, Op, ProcId, Ruleset, SceneId, Shuffle};
use std::collections::BTreeSet;

/// Instructions of rules.
pub struct Reach<'r> {
    rules: &'r Ruleset,
    /// For each of them whether it can come.
    comes: Vec<bool>,
    /// Those that have been come to, and not been gone on from.
    left: Vec<usize>,
    /// What does not go on meanwhile.
    but: Option<ProcId>,
    /// The purposes of the calls that may be going on; where there are none of these, all.
    purposes: Option<BTreeSet<u16>>,
    /// Whether a part of a role may be performed.
    performs: bool,
}

impl<'r> Reach<'r> {
    /// All of the rules, whether anything leads there or not.
    pub fn of_all(rules: &'r Ruleset) -> Reach<'r> {
        Reach {
            rules,
            comes: vec![true; rules.code.len()],
            left: Vec::new(),
            but: None,
            purposes: None,
            performs: false,
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

    /// What can come while a scene goes on, with the rules that hang on its beginning and on its end, and with what may
    /// be going on around it: the scenes of its offers, and calls.
    pub fn of_scene(rules: &'r Ruleset, scene: SceneId) -> Reach<'r> {
        let run = rules.scenes[scene.index()].proc;
        let around = Around::of(rules, run);
        // Where an offer leads to it, it may be anything that asks.
        if rules.offers.iter().any(|offer| around.has(offer.body)) {
            return Reach::from(rules, run, None);
        }
        let mut reach = Reach::beginning(rules, None);
        reach.purposes = Some(around.calls(rules));
        reach.enter(run);
        reach.with_offers(&|run| around.has(run))
    }

    /// With the offers that may be taken up: somebody is asked, and a scene goes on in which they are made; some go on
    /// around it all.
    fn with_offers(mut self, is_around: &dyn Fn(ProcId) -> bool) -> Reach<'r> {
        let rules = self.rules;
        let mut closed: Vec<_> = rules.offers.iter().collect();
        loop {
            self.go();
            let asks = self.has(|op| matches!(op, Op::Ask { .. }));
            let is_going_on = |scene: &SceneId| {
                let run = rules.scenes[scene.index()].proc;
                is_around(run) || self.comes[rules.procs[run.index()].entry as usize]
            };
            let (open, others): (Vec<_>, Vec<_>) = closed
                .into_iter()
                .partition(|offer| asks && (offer.during.is_empty() || offer.during.iter().any(is_going_on)));
            if open.is_empty() {
                return self;
            }
            open.iter().for_each(|offer| self.enter(offer.body));
            closed = others;
        }
    }

    /// What can come from here on. An offer may be taken up at any question.
    fn from(rules: &'r Ruleset, begin: ProcId, but: Option<ProcId>) -> Reach<'r> {
        let mut reach = Reach::beginning(rules, but);
        reach.enter(begin);
        rules.offers.iter().for_each(|offer| reach.enter(offer.body));
        reach.go();
        reach
    }

    fn beginning(rules: &'r Ruleset, but: Option<ProcId>) -> Reach<'r> {
        Reach {
            comes: vec![false; rules.code.len()],
            but,
            ..Reach::of_all(rules)
        }
    }

    fn go(&mut self) {
        while let Some(at) = self.left.pop() {
            let comes = self.comes.get_mut(at);
            if comes.is_some_and(|comes| !std::mem::replace(comes, true)) {
                self.go_on(at);
            }
        }
    }

    fn enter(&mut self, run: ProcId) {
        if self.but == Some(run) {
            return;
        }
        let run = &self.rules.procs[run.index()];
        self.left.extend([run.entry as usize, run.exit as usize]);
    }

    /// Enters the parts that may be performed.
    fn perform(&mut self) {
        let rules = self.rules;
        for part in &rules.parts {
            let purposes = self.purposes.as_ref();
            if self.performs && purposes.is_none_or(|purposes| purposes.contains(&part.purpose)) {
                self.enter(part.proc);
            }
        }
    }

    fn go_on(&mut self, at: usize) {
        let rules = self.rules;
        match rules.code[at] {
            Op::Return | Op::Done | Op::End { .. } => return,
            Op::Jump { at } => return self.left.push(at as usize),
            Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => self.left.push(at as usize),
            Op::Perform { .. } => {
                self.performs = true;
                self.perform();
            }
            Op::Call { purpose, .. } => {
                let purposes = self.purposes.as_mut();
                if purposes.is_some_and(|purposes| purposes.insert(purpose)) {
                    self.perform();
                }
            }
            Op::Ask { site, .. } => self.left.push(rules.asks[site.index()].again as usize),
            op => entered(rules, &op).into_iter().for_each(|run| self.enter(run)),
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

/// What an instruction enters, but for parts of roles.
fn entered(rules: &Ruleset, op: &Op) -> Vec<ProcId> {
    let of_event = |event: &EventId| {
        let event = &rules.events[event.index()];
        let around = [event.before, Some(event.body), event.after];
        let instead = event.instead.iter().map(|rule| rule.proc);
        around.into_iter().flatten().chain(instead).collect::<Vec<_>>()
    };
    match op {
        Op::Enter { proc, .. } => vec![*proc],
        Op::Do { event, .. } => of_event(event),
        Op::Settle { list } => rules.lists[usize::from(*list)]
            .iter()
            .flat_map(of_event)
            .collect(),
        _ => Vec::new(),
    }
}

/// By instruction, in which procedure it stands: the one that begins last before it.
fn homes(rules: &Ruleset) -> Vec<usize> {
    let mut begins: Vec<(usize, usize)> = { rules.procs.iter().enumerate() }
        .map(|(at, run)| (run.entry as usize, at))
        .collect();
    begins.sort_unstable();
    let home_of = |at: usize| {
        let before = begins.partition_point(|(entry, _)| *entry <= at);
        before.checked_sub(1).map_or(usize::MAX, |last| begins[last].1)
    };
    (0..rules.code.len()).map(home_of).collect()
}

/// What may be going on around a procedure, with itself: all that leads to it.
struct Around {
    homes: Vec<usize>,
    lead: BTreeSet<usize>,
}

impl Around {
    fn of(rules: &Ruleset, run: ProcId) -> Around {
        let homes = homes(rules);
        let mut ways = Vec::new();
        for (op, home) in rules.code.iter().zip(&homes) {
            let parts = rules.parts.iter().filter(|_| matches!(op, Op::Perform { .. }));
            let entered = entered(rules, op).into_iter().chain(parts.map(|part| part.proc));
            ways.extend(entered.map(|run| (*home, run.index())));
        }
        let mut lead = BTreeSet::from([run.index()]);
        while { ways.iter() }.fold(false, |grown, (from, to)| {
            lead.contains(to) && lead.insert(*from) || grown
        }) {}
        Around { homes, lead }
    }

    fn has(&self, run: ProcId) -> bool {
        self.lead.contains(&run.index())
    }

    /// The purposes of calls that are made there.
    fn calls(&self, rules: &Ruleset) -> BTreeSet<u16> {
        let code = { rules.code.iter().zip(&self.homes) }.filter(|(_, home)| self.lead.contains(home));
        let purposes = code.filter_map(|(op, _)| match op {
            Op::Call { purpose, .. } if *purpose != NO_CALL => Some(*purpose),
            _ => None,
        });
        purposes.collect()
    }
}

/// Whether every player keeps the card that is dealt to him: cards are laid out once, and nothing but what stands
/// beside that moves or turns one.
pub fn cards_stay(rules: &Ruleset) -> bool {
    let homes = homes(rules);
    let home_of = |at: usize| homes[at];
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
