//! Listens to every step of a game.

use omerta_core::rules::HookId;
use omerta_engine::{Audience, FaultKind, Hooks, Listener, Look, What};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What a game came to.
#[derive(Default)]
pub struct Trace {
    steps: Vec<bool>,
    /// From here it went on with the next instruction, or jumped.
    on: Vec<bool>,
    away: Vec<bool>,
    last: Option<u32>,
    /// By index: what had its moment.
    pub rules: BTreeSet<usize>,
    /// The endings by which it ended.
    pub endings: BTreeSet<usize>,
    /// The offers that were taken up.
    pub offers: BTreeSet<usize>,
    /// The roles that somebody turned into.
    pub turned: BTreeSet<usize>,
    /// The scripts that were asked.
    pub hooks: BTreeSet<usize>,
    /// The lines of policies about somebody who had to decide: of which policy, and which of its lines.
    pub lines: BTreeSet<(usize, usize)>,
}

impl Trace {
    /// A trace of a program with so many instructions.
    pub fn new(length: usize) -> Self {
        Trace {
            steps: vec![false; length],
            on: vec![false; length],
            away: vec![false; length],
            ..Trace::default()
        }
    }

    /// Whether the instruction was carried out.
    pub fn came_to(&self, at: usize) -> bool {
        self.steps[at]
    }

    /// Whether the next instruction followed on it.
    pub fn went_on(&self, at: usize) -> bool {
        self.on[at]
    }

    /// Whether another followed on it.
    pub fn jumped(&self, at: usize) -> bool {
        self.away[at]
    }
}

impl Listener for Trace {
    fn traces(&self) -> bool {
        true
    }

    fn step(&mut self, at: u32) {
        self.steps[at as usize] = true;
        if let Some(last) = self.last.replace(at) {
            let way = if at == last + 1 {
                &mut self.on
            } else {
                &mut self.away
            };
            way[last as usize] = true;
        }
    }

    fn hear(&mut self, what: What, _: Audience, _: u32, _: usize, _: bool) {
        match what {
            What::RuleApplied { rule } => self.rules.insert(rule.index()),
            What::Ended {
                ending: Some(ending), ..
            } => self.endings.insert(ending.index()),
            What::OfferTaken { offer, .. } => self.offers.insert(offer.index()),
            What::Turned { role, .. } => self.turned.insert(role.index()),
            _ => false,
        };
    }
}

/// Scripts, with a note of which were asked.
pub struct Watched {
    hooks: Arc<dyn Hooks>,
    asked: Vec<AtomicBool>,
}

impl Watched {
    /// Watches so many scripts.
    pub fn new(hooks: Arc<dyn Hooks>, count: usize) -> Self {
        Watched {
            hooks,
            asked: (0..count).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Which were asked.
    pub fn asked(&self) -> BTreeSet<usize> {
        let asked = self.asked.iter().enumerate();
        asked
            .filter(|(_, asked)| asked.load(Ordering::Relaxed))
            .map(|(hook, _)| hook)
            .collect()
    }
}

impl Hooks for Watched {
    fn answer(
        &self,
        hook: HookId,
        argument: u64,
        look: &Look<'_>,
        steps: &mut u32,
    ) -> Result<u64, FaultKind> {
        if let Some(asked) = self.asked.get(hook.index()) {
            asked.store(true, Ordering::Relaxed);
        }
        self.hooks.answer(hook, argument, look, steps)
    }
}
