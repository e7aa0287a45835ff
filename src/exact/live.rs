//! What may still be read at a pause: which registers, which words of facts, and which rows in such a way
//! only that it is all one whose entry is whose.
//!
//! Goes backwards through the whole program, procedures by way of those who run them, until nothing changes.

use crate::calls::{Calls, loop_around};
use omerta_core::rules::does::PAD;
use omerta_core::rules::{AskFrame, AskKind, OPERANDS, Op, ProcId, Reg, Slot};
use std::collections::BTreeSet;

/// How a word of a fact may still be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Use {
    /// Not before it is written over.
    #[default]
    Dead,
    /// As a row of ballots that are counted: whose is whose is all one.
    Counted,
    /// In any way.
    Read,
}

/// What is of use before an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Live {
    /// The registers of the frame.
    pub registers: BTreeSet<Reg>,
    /// By slot; a row is one.
    pub slots: Vec<Use>,
}

impl Live {
    fn join(&mut self, other: &Live) {
        self.registers.extend(other.registers.iter().copied());
        self.join_slots(&other.slots);
    }

    fn join_slots(&mut self, other: &[Use]) {
        self.slots.resize(self.slots.len().max(other.len()), Use::Dead);
        for (mine, theirs) in self.slots.iter_mut().zip(other) {
            *mine = (*mine).max(*theirs);
        }
    }

    fn slot(&self, slot: Slot) -> Use {
        self.slots.get(slot.index()).copied().unwrap_or_default()
    }

    fn set(&mut self, slot: Slot, to: Use) {
        self.slots
            .resize(self.slots.len().max(slot.index() + 1), Use::Dead);
        self.slots[slot.index()] = to;
    }
}

/// What is of use before each instruction of some rules.
pub struct Liveness<'a> {
    calls: &'a Calls<'a>,
    before: Vec<Live>,
    /// Behind each procedure: what whoever ran it still reads.
    behind: Vec<Live>,
    /// Where the loop ends in which an instruction counts ballots one by one.
    counting: Vec<Option<usize>>,
}

impl<'a> Liveness<'a> {
    /// Of some rules.
    pub fn of(calls: &'a Calls<'a>) -> Liveness<'a> {
        let code = calls.rules.code.len();
        let mut live = Liveness {
            calls,
            before: vec![Live::default(); code],
            behind: vec![Live::default(); calls.rules.procs.len()],
            counting: (0..code).map(|at| counting_loop(calls, at)).collect(),
        };
        while live.pass() {}
        live
    }

    /// Before an instruction.
    pub fn before(&self, at: usize) -> &Live {
        &self.before[at]
    }

    /// Whether an instruction looks at the ballot of one voter after the other, to add them up.
    pub fn counts_one_by_one(&self, at: usize) -> bool {
        self.counting[at].is_some()
    }

    /// The registers of a frame that waits at an instruction for what runs on top of it.
    pub fn while_waiting(&self, at: usize) -> BTreeSet<Reg> {
        match self.calls.rules.code[at] {
            Op::Ask { site, .. } => {
                let again = self.calls.rules.ask(site).again as usize;
                self.before[again].registers.clone()
            }
            _ => self.after(at).registers,
        }
    }

    /// Behind an instruction, whichever way it goes on.
    pub fn after(&self, at: usize) -> Live {
        let mut after = Live::default();
        for to in &self.calls.next[at] {
            after.join(&self.before[*to]);
        }
        after
    }

    fn pass(&mut self) -> bool {
        let mut changed = false;
        for at in (0..self.before.len()).rev() {
            let Some(owner) = self.calls.owner[at] else {
                continue;
            };
            let now = self.through(at, owner);
            changed |= now != self.before[at];
            self.before[at] = now;
        }
        changed
    }

    fn through(&mut self, at: usize, owner: ProcId) -> Live {
        let mut live = self.after(at);
        match self.calls.rules.code[at] {
            Op::Return => live.join_slots(&self.behind[owner.index()].slots.clone()),
            Op::Leave { scene } => {
                // What is cut short may be any frame between; the scene's own goes on at its exit.
                let proc = self.calls.rules.scenes[scene.index()].proc;
                let exit = self.calls.rules.procs[proc.index()].exit as usize;
                let slots = self.before[exit].slots.clone();
                live.join_slots(&slots);
            }
            _ => {}
        }
        self.through_calls(at, &mut live);
        self.through_answers(at, &mut live);
        self.through_op(at, &mut live);
        for slot in &self.calls.loads[at] {
            live.set(*slot, Use::Read);
        }
        live.registers.extend(self.calls.heard[at].iter().copied());
        live
    }

    /// What is run on the way: it may read, and what it leaves is read behind it.
    fn through_calls(&mut self, at: usize, live: &mut Live) {
        let calls = self.calls;
        let runs = &calls.ran[at];
        if runs.is_empty() {
            return;
        }
        let once = matches!(calls.rules.code[at], Op::Enter { .. });
        let mut behind = live.slots.clone();
        if !once {
            let mut more = Live {
                slots: behind,
                ..Live::default()
            };
            runs.iter()
                .for_each(|proc| more.join_slots(&self.before[calls.entry(*proc)].slots));
            calls.loads[at].iter().for_each(|slot| more.set(*slot, Use::Read));
            behind = more.slots;
        }
        for proc in runs {
            self.behind[proc.index()].join_slots(&behind);
        }
        live.slots = match calls.rules.code[at] {
            Op::Enter { proc, .. } => self.before[calls.entry(proc)].slots.clone(),
            _ => behind,
        };
    }

    fn through_answers(&self, at: usize, live: &mut Live) {
        let mixes = match self.calls.rules.code[at] {
            Op::Draw { .. } => Some(None),
            Op::Ask { site, base } => match self.calls.rules.ask(site).kind {
                // What is done in between by offers may tell players apart.
                _ if !self.calls.ran[at].is_empty() => Some(None),
                AskKind::Wait => None,
                _ => Some(self.answers_into(at, AskFrame(base))),
            },
            _ => None,
        };
        let Some(own) = mixes else { return };
        for (slot, used) in live.slots.iter_mut().enumerate() {
            if *used == Use::Counted && own != Some(Slot(slot as u16)) {
                *used = Use::Read;
            }
        }
    }

    /// The row into which an answer of a round is written.
    fn answers_into(&self, at: usize, frame: AskFrame) -> Option<Slot> {
        let rules = self.calls.rules;
        let straight = rules.code[at + 1..].iter();
        let straight = straight.take_while(|op| {
            !matches!(
                op,
                Op::Jump { .. } | Op::JumpIf { .. } | Op::JumpUnless { .. } | Op::Return
            )
        });
        straight.take(4).find_map(|op| match *op {
            Op::Link { fact, from, to_set } if from == frame.who() && to_set == frame.answer() => {
                Some(rules.facts[fact.index()].slot)
            }
            _ => None,
        })
    }

    fn through_op(&self, at: usize, live: &mut Live) {
        let calls = self.calls;
        let (op, does) = (&calls.rules.code[at], &calls.does[at]);
        let wanted = does.writes.iter().any(|reg| live.registers.contains(reg));
        if does.pure && !wanted {
            return;
        }
        let changes_nothing =
            !does.changes.is_empty() && does.changes.iter().all(|slot| live.slot(*slot) == Use::Dead);
        does.writes.iter().for_each(|reg| {
            live.registers.remove(reg);
        });
        does.kills.iter().for_each(|slot| live.set(*slot, Use::Dead));
        if changes_nothing {
            return;
        }
        live.registers.extend(does.reads.iter().copied());
        for &slot in &does.loads {
            let counted = match *op {
                Op::TallyRow { .. } => live.slot(slot) == Use::Dead,
                _ => self.counting[at].is_some_and(|end| {
                    let behind = &self.before[end];
                    let wanted = does.writes.iter().any(|reg| behind.registers.contains(reg));
                    behind.slot(slot) == Use::Dead && !wanted
                }),
            };
            live.set(slot, if counted { Use::Counted } else { Use::Read });
        }
        if let Op::Enter { proc, base } = *op {
            self.arguments(proc, base, live);
        }
        if let Op::Perform { base } = *op {
            let parts = calls.rules.parts.iter();
            parts.for_each(|part| self.arguments(part.proc, base, live));
        }
    }

    /// What a procedure reads of the registers that it finds.
    fn arguments(&self, proc: ProcId, base: Reg, live: &mut Live) {
        let within = &self.before[self.calls.entry(proc)].registers;
        // No procedure finds more than it is handed: one that runs itself would be found more each time.
        let found = within.iter().filter(|reg| **reg != PAD && reg.index() < OPERANDS);
        live.registers.extend(found.map(|reg| Reg(base.0 + reg.0)));
    }
}

/// Where the loop ends that goes through voters one by one and adds up whom they named: `LinkOf` a row of
/// somebody who was taken out of a set, of which nothing is wanted but `TallyAdd`.
fn counting_loop(calls: &Calls<'_>, at: usize) -> Option<usize> {
    let code = &calls.rules.code;
    let Op::LinkOf { to, of, .. } = code[at] else {
        return None;
    };
    let (head, back) = loop_around(calls, at)?;
    let popped = (head..=back).any(|op| matches!(code[op], Op::Pop { to, .. } if to == of));
    let reads = |op: &usize| *op != at && calls.does[*op].reads.contains(&to);
    let counted = (head..=back)
        .filter(reads)
        .all(|op| matches!(code[op], Op::TallyAdd { votes, weight } if votes == to && weight != to));
    (popped && counted).then_some(back + 1)
}
