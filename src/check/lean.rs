//! The program as silent games carry it out ([`omerta_core::rules::Quick`]): the same instructions in the same
//! places, without what nobody wants.
//!
//! Two passes. Forwards it is known of registers what they hold, so that nothing is worked out twice, a copy is read
//! where it came from, and a constant is taken in. Backwards it is known which registers are still wanted, so that a
//! value is put where it goes, and what nobody wants is left out.
//!
//! A game may go on by the program itself wherever a step leaves the loop: there every register that the program still
//! reads holds what it would hold, and nothing is known any more of any of them, for other hands may have been at them.

use crate::known::{Deck, word};
use crate::quicken::{alone, is_told, onward};
use omerta_core::rules::does::{Does, reads_of};
use omerta_core::rules::{
    Access, Act, AskSite, GroupId, Op, Phrase, Proc, ProcId, ProcRole, Reg, Ruleset, Slot, ZoneId,
};

/// Registers of a frame, one a bit. What has a higher number is let alone.
pub(super) type Registers = u128;

/// What registers hold: each of these what the instruction would give now, were it written for the register 0.
type Held = Vec<(Reg, Op)>;

/// What an instruction does in the loop of steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// It stays in the loop, whatever comes.
    Stays,
    /// It may leave the loop, and has done nothing then.
    MayLeave,
    /// It leaves the loop, or other code runs before it is over.
    Leaves,
}

/// The rules while they are made lean.
struct Program<'a> {
    rules: &'a Ruleset,
    /// The cards of the games it is for, where they are known.
    deck: Option<&'a Deck>,
    code: Vec<Op>,
    /// The procedure of each instruction; code that only works a value out has none.
    owner: Vec<Option<ProcId>>,
    /// Whether the game comes there from elsewhere than the instruction before.
    landing: Vec<bool>,
    /// Whether nothing is known of any register there.
    anew: Vec<bool>,
    sorts: Vec<Sort>,
    /// Which the program still reads before each instruction, words included.
    wanted: Vec<Registers>,
}

/// The program without what nobody wants, and which registers it or the whole one still reads before each instruction.
pub(super) fn lean(rules: &Ruleset, deck: Option<&Deck>) -> (Vec<Op>, Vec<Registers>) {
    let mut program = Program {
        rules,
        deck,
        code: rules.code.clone(),
        owner: vec![None; rules.code.len()],
        landing: vec![false; rules.code.len()],
        anew: vec![false; rules.code.len()],
        sorts: Vec::new(),
        wanted: Vec::new(),
    };
    program.find_owners();
    program.sorts = (0..rules.code.len()).map(|at| program.sort(at)).collect();
    program.wanted = program.wanted_by_rules();
    // What one round leaves out no longer stands in the way of the next.
    for _ in 0..2 {
        program.forwards();
        program.pass_by();
        program.put_where_it_goes();
        program.leave_out();
        // Nor does what options leave aside.
        program.find_owners();
    }
    let (before, _) = program.wanted_in_steps();
    let wanted = program.wanted.iter().zip(before);
    let wanted = wanted.map(|(rules, steps)| rules | steps).collect();
    (program.code, wanted)
}

/// An instruction that does nothing.
fn nothing(at: usize) -> Op {
    Op::Jump { at: at as u32 + 1 }
}

pub(super) fn bit(reg: Reg) -> Registers {
    1_u128.checked_shl(u32::from(reg.0)).unwrap_or(0)
}

fn bits(registers: &[Reg]) -> Registers {
    registers.iter().fold(0, |set, reg| set | bit(*reg))
}

/// Where an instruction leads to within its procedure.
fn next(op: &Op, at: usize) -> [Option<usize>; 2] {
    match *op {
        Op::Jump { at: to } => [Some(to as usize), None],
        Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => [Some(at + 1), Some(to as usize)],
        Op::Return | Op::End { .. } | Op::Done => [None, None],
        _ => [Some(at + 1), None],
    }
}

/// The register of an instruction that works out one value and does nothing else.
pub(super) fn result(op: &Op) -> Option<Reg> {
    let (mut written, mut count) = (None, 0);
    let works_out = op.each_register(|reg, access| {
        if access == Access::Written {
            (written, count) = (Some(reg), count + 1);
        }
    });
    written.filter(|_| works_out && count == 1)
}

/// The same instruction with its result elsewhere.
fn into(mut op: Op, to: Reg) -> Op {
    op.change_registers(|reg, access| {
        if access == Access::Written {
            *reg = to;
        }
    });
    op
}

fn reads(op: &Op, reg: Reg) -> bool {
    let mut found = false;
    op.each_register(|other, access| found |= access == Access::Read && other == reg);
    found
}

/// Whether an instruction may break the game instead.
fn may_go_wrong(op: &Op) -> bool {
    matches!(
        op,
        Op::Plus { .. } | Op::Minus { .. } | Op::Times { .. } | Op::Divide { .. }
    )
}

/// Whether it gives the same as long as the registers and the facts that it reads are the same, and nothing else runs.
fn is_steady(op: &Op) -> bool {
    !matches!(op, Op::Called { .. } | Op::Winners { .. })
}

impl Program<'_> {
    fn find_owners(&mut self) {
        self.owner.fill(None);
        self.landing.fill(false);
        for (number, proc) in self.rules.procs.iter().enumerate() {
            let mut left = vec![proc.entry as usize, proc.exit as usize];
            left.iter()
                .for_each(|&at| (self.landing[at], self.anew[at]) = (true, true));
            while let Some(at) = left.pop() {
                if self.owner[at].replace(ProcId(number as u16)).is_some() {
                    continue;
                }
                self.anew[at] |= self.takes_turns(at);
                let op = &self.code[at];
                for to in next(op, at).into_iter().flatten() {
                    self.landing[to] |= to != at + 1;
                    left.push(to);
                }
                if let Op::Ask { site, .. } = *op {
                    let again = self.rules.ask(site).again as usize;
                    (self.landing[again], self.anew[again]) = (true, true);
                    left.push(again);
                }
            }
        }
    }

    /// Whether a loop that takes one after the other begins there: its turns may be taken all at once.
    fn takes_turns(&self, at: usize) -> bool {
        matches!(
            self.rules.code[at..],
            [Op::JumpUnless { test, .. }, Op::Pop { set, .. }, ..] if test == set
        )
    }

    fn sort(&self, at: usize) -> Sort {
        let op = &self.rules.code[at];
        match *op {
            Op::Jump { at: to } | Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => {
                match to as usize <= at || self.takes_turns(at) {
                    true => Sort::MayLeave,
                    false => Sort::Stays,
                }
            }
            Op::TallyClear
            | Op::TallyAdd { .. }
            | Op::TallyRow { .. }
            | Op::TallyRead { .. }
            | Op::TallyOf { .. } => Sort::Stays,
            _ if may_go_wrong(op) => Sort::MayLeave,
            _ if op.each_register(|_, _| {}) => Sort::Stays,
            _ => match alone(self.rules, *op) {
                Some(
                    Act::Skip
                    | Act::Quiet
                    | Act::Mark { .. }
                    | Act::Store { .. }
                    | Act::Wipe { .. }
                    | Act::WipeRow { .. }
                    | Act::Began { .. }
                    | Act::LinkOne { .. }
                    | Act::Link { .. }
                    | Act::Win { .. }
                    | Act::Name { .. },
                ) => Sort::Stays,
                _ => Sort::Leaves,
            },
        }
    }

    // ---- what the program itself wants

    /// Which registers the program reads from each instruction on, and whoever looks at the game meanwhile.
    fn wanted_by_rules(&self) -> Vec<Registers> {
        let touches: Vec<_> = (0..self.code.len()).map(|at| self.touches(at)).collect();
        let mut wanted = vec![0; self.code.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..self.code.len()).rev() {
                let Some(owner) = self.owner[at] else { continue };
                let now = self.wanted_before(at, owner, touches[at], &wanted);
                changed |= now != wanted[at];
                wanted[at] = now;
            }
        }
        wanted
    }

    fn wanted_before(
        &self,
        at: usize,
        owner: ProcId,
        (read, written): (Registers, Registers),
        wanted: &[Registers],
    ) -> Registers {
        let op = &self.rules.code[at];
        let mut after = next(op, at)
            .into_iter()
            .flatten()
            .fold(0, |set, to| set | wanted[to]);
        if self.sorts[at] == Sort::Leaves {
            after |= wanted[self.proc(owner).exit as usize];
        }
        let handed = |proc: ProcId, base: Reg| {
            let found = wanted[self.proc(proc).entry as usize];
            found.checked_shl(u32::from(base.0)).unwrap_or(0)
        };
        let more = match *op {
            Op::Ask { site, .. } => wanted[self.rules.ask(site).again as usize],
            Op::Enter { proc, base } => handed(proc, base),
            Op::Perform { base } => self
                .rules
                .parts
                .iter()
                .fold(0, |set, part| set | handed(part.proc, base)),
            _ => 0,
        };
        after & !written | read | more
    }

    fn proc(&self, proc: ProcId) -> &Proc {
        &self.rules.procs[proc.index()]
    }

    /// What an instruction reads and writes.
    fn touched_by(&self, op: &Op) -> (Registers, Registers) {
        let (mut read, mut written) = (0, 0);
        let works_out = op.each_register(|reg, access| match access {
            Access::Read => read |= bit(reg),
            Access::Written => written |= bit(reg),
        });
        if works_out {
            return (read, written);
        }
        let does = Does::of(self.rules, op);
        (bits(&does.reads), bits(&does.writes))
    }

    /// The same, but for who is named where a zone of the table is meant, which is nobody's.
    fn touched_by_step(&self, op: &Op) -> (Registers, Registers) {
        let (mut read, written) = self.touched_by(op);
        let zone_of = |zone: ZoneId| &self.rules.zones[zone.index()];
        match *op {
            Op::CardsIn { zone, .. } if !zone_of(zone).of_each => read = 0,
            Op::TopOf { zone, count, .. } if !zone_of(zone).of_each => read = bit(count),
            Op::Move { zone, cards, .. } if !zone_of(zone).of_each => read = bit(cards),
            _ => {}
        }
        (read, written)
    }

    /// The same, and what is read for words and shown to whoever looks.
    fn touches(&self, at: usize) -> (Registers, Registers) {
        let op = &self.rules.code[at];
        let (mut read, written) = self.touched_by(op);
        match *op {
            Op::Say { site, who } => {
                read |= bit(who) | self.read_for(&self.rules.says[site.index()].phrase);
            }
            Op::Performs { who, .. } => read |= bit(who),
            Op::Ask { site, .. } => {
                let AskSite { text, .. } = self.rules.ask(site);
                read |= text.as_ref().map_or(0, |text| self.read_for(text));
            }
            // Whoever looks at the game may see what a scene was handed.
            Op::Enter { proc, base } => {
                if let ProcRole::Scene(scene) = self.proc(proc).role {
                    let handed = 0..self.rules.scenes[scene.index()].handed;
                    read |= handed.fold(0, |set, place| set | bit(Reg(base.0 + place)));
                }
            }
            _ => {}
        }
        (read, written)
    }

    /// The registers that words may read.
    fn read_for(&self, phrase: &Phrase) -> Registers {
        let mut found = 0;
        phrase.each_value(&mut |value| found |= bits(&reads_of(self.rules, value)));
        found
    }

    // ---- forwards: what registers hold

    fn forwards(&mut self) {
        let mut before: Vec<Option<Held>> = vec![None; self.code.len()];
        let mut left: Vec<usize> = (0..self.code.len()).filter(|at| self.anew[*at]).collect();
        left.iter().for_each(|at| before[*at] = Some(Held::new()));
        while let Some(at) = left.pop() {
            let held = before[at].clone().unwrap_or_default();
            let op = self.spared(at, &held);
            let after = self.held_after(at, op, held);
            for to in next(&op, at).into_iter().flatten() {
                let smaller = match &before[to] {
                    None => after.clone(),
                    Some(known) => known
                        .iter()
                        .filter(|known| after.contains(known))
                        .copied()
                        .collect(),
                };
                if before[to].as_ref() != Some(&smaller) {
                    before[to] = Some(smaller);
                    left.push(to);
                }
            }
        }
        for (at, held) in before.into_iter().enumerate() {
            if let Some(held) = held {
                self.code[at] = self.spared(at, &held);
            }
        }
    }

    fn held_after(&self, at: usize, op: Op, mut held: Held) -> Held {
        if self.sorts[at] == Sort::Leaves {
            return Held::new();
        }
        let mut forget = |written: Reg| held.retain(|(reg, value)| *reg != written && !reads(value, written));
        let works_out = op.each_register(|reg, access| {
            if access == Access::Written {
                forget(reg);
            }
        });
        let changed = match works_out {
            true => Vec::new(),
            false => {
                Does::of(self.rules, &op).writes.into_iter().for_each(forget);
                self.changed(&op)
            }
        };
        if !changed.is_empty() {
            held.retain(|(_, value)| value.fact_read().is_none_or(|slot| !changed.contains(&slot)));
        }
        if let Some(to) = result(&op)
            && is_steady(&op)
            && !reads(&op, to)
            && bit(to) != 0
        {
            held.push((to, into(op, Reg(0))));
        }
        held
    }

    /// The facts that an instruction changes which stays in the loop.
    fn changed(&self, op: &Op) -> Vec<Slot> {
        match *op {
            Op::Began { scene } | Op::Nears { scene } | Op::Replaced { scene } => {
                vec![self.rules.scenes[scene.index()].times]
            }
            _ => Does::of(self.rules, op).changes,
        }
    }

    /// What an instruction comes to where it is known what registers hold.
    fn spared(&self, at: usize, held: &Held) -> Op {
        let value = |reg: Reg| {
            held.iter()
                .find(|(held, _)| *held == reg)
                .map(|(_, value)| *value)
        };
        let mut op = self.code[at];
        let Some(to) = result(&op) else {
            return self.decided(at, &value);
        };
        op.change_registers(|reg, access| {
            if access == Access::Read
                && let Some(Op::Copy { from, .. }) = value(*reg)
            {
                *reg = from;
            }
        });
        let op = into(self.simpler(op, &value), to);
        let same = into(op, Reg(0));
        let holds = |(reg, value): &&(Reg, Op)| *value == same && *reg == to;
        let is_itself = matches!(op, Op::Copy { to, from } if to == from);
        if is_itself || held.iter().any(|held| holds(&held)) {
            return nothing(at);
        }
        match held.iter().find(|(_, value)| *value == same) {
            Some(&(from, _)) if !matches!(op, Op::Small { .. } | Op::Const { .. } | Op::Copy { .. }) => {
                Op::Copy { to, from }
            }
            _ => op,
        }
    }

    /// What a jump ahead comes to that hangs on a constant; any other instruction is what it was.
    fn decided(&self, at: usize, value: &impl Fn(Reg) -> Option<Op>) -> Op {
        let op = self.code[at];
        let (test, to, jumps) = match op {
            Op::JumpIf { test, at: to } => (test, to, true),
            Op::JumpUnless { test, at: to } => (test, to, false),
            _ => return op,
        };
        match number(self.rules, value(test)).map(|number| (number != 0) == jumps) {
            Some(true) if to as usize > at => Op::Jump { at: to },
            Some(false) => nothing(at),
            _ => op,
        }
    }

    /// An instruction that gives the same for less, by what the registers hold that it reads. Where its result goes is
    /// all one.
    fn simpler(&self, op: Op, value: &impl Fn(Reg) -> Option<Op>) -> Op {
        let to = Reg(0);
        let number = |reg: Reg| number(self.rules, value(reg));
        let is_none = |reg: Reg| number(reg) == Some(0);
        let known = word((self.rules, self.deck), &op, &number);
        if let Some(Ok(value)) = known.map(|word| i16::try_from(word as i64)) {
            return Op::Small { to, value };
        }
        match op {
            Op::Copy { from, .. } if number(from).is_some() => value(from).unwrap_or(op),
            Op::Or { a: from, b, .. } if is_none(b) => Op::Copy { to, from },
            Op::Or { a, b: from, .. } if is_none(a) => Op::Copy { to, from },
            Op::Without { a: from, b, .. } if is_none(b) => Op::Copy { to, from },
            Op::Holders { titles, .. } => match number(titles).filter(|titles| titles.is_power_of_two()) {
                Some(title) => Op::Group {
                    to,
                    group: GroupId(title.trailing_zeros() as u16),
                },
                None => op,
            },
            Op::And { a, b, .. } => match (value(a), value(b)) {
                // No set of seats has any but players.
                (Some(Op::Players { .. }), _) => Op::Copy { to, from: b },
                (_, Some(Op::Players { .. })) => Op::Copy { to, from: a },
                (_, Some(Op::Without { a: from, b, .. }))
                    if matches!(value(from), Some(Op::Players { .. })) =>
                {
                    Op::Without { to, a, b }
                }
                (Some(Op::Outside { slot, .. }), Some(Op::Group { group, .. }))
                | (Some(Op::Group { group, .. }), Some(Op::Outside { slot, .. })) => {
                    Op::GroupOutside { to, group, slot }
                }
                _ => op,
            },
            _ => op,
        }
    }

    /// A jump that leads to where the game goes anyway is none: all that lies between is told.
    fn pass_by(&mut self) {
        for at in 0..self.code.len() {
            if let Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } = self.code[at]
                && onward(&self.code, at + 1) == onward(&self.code, to as usize)
            {
                self.code[at] = nothing(at);
            }
        }
    }

    // ---- backwards: which registers are still wanted

    /// Which registers the lean program wants before each instruction, and behind it.
    fn wanted_in_steps(&self) -> (Vec<Registers>, Vec<Registers>) {
        let (mut before, mut behind) = (vec![0; self.code.len()], vec![0; self.code.len()]);
        let touched: Vec<_> = self.code.iter().map(|op| self.touched_by_step(op)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..self.code.len()).rev() {
                if self.owner[at].is_none() {
                    continue;
                }
                let op = &self.code[at];
                behind[at] = next(op, at)
                    .into_iter()
                    .flatten()
                    .fold(0, |set, to| set | before[to]);
                let now = self.wanted_before_step(at, behind[at], touched[at]);
                changed |= now != before[at];
                before[at] = now;
            }
        }
        (before, behind)
    }

    fn wanted_before_step(
        &self,
        at: usize,
        behind: Registers,
        (read, written): (Registers, Registers),
    ) -> Registers {
        let op = &self.code[at];
        if is_told(op) || self.is_idle(at, behind) {
            return behind;
        }
        let wanted = behind & !written | read;
        match self.sorts[at] {
            Sort::Stays => wanted,
            Sort::MayLeave => wanted | self.wanted[at],
            Sort::Leaves => behind & !written | self.wanted[at],
        }
    }

    /// Whether an instruction works out what nobody wants.
    fn is_idle(&self, at: usize, behind: Registers) -> bool {
        let op = &self.code[at];
        result(op).is_some_and(|to| bit(to) != 0 && bit(to) & behind == 0) && !may_go_wrong(op)
    }

    fn leave_out(&mut self) {
        for (at, behind) in self.wanted_in_steps().1.into_iter().enumerate() {
            if self.owner[at].is_some() && self.is_idle(at, behind) {
                self.code[at] = nothing(at);
            }
        }
    }

    /// Where a value is worked out to be copied, it is worked out where the copy would go; whoever reads it behind the
    /// copy reads it there.
    fn put_where_it_goes(&mut self) {
        let (mut wanted, _) = self.wanted_in_steps();
        for at in 0..self.code.len() {
            if let Op::Copy { to, from } = self.code[at]
                && self.owner[at].is_some()
                && let Some(made) = self.made_for(at, (to, from))
                && let Some(end) = self.last_read(at, (to, from), &wanted)
            {
                self.code[made] = into(self.code[made], to);
                self.code[at] = nothing(at);
                for op in &mut self.code[at + 1..end] {
                    op.change_registers(|reg, _| *reg = if *reg == from { to } else { *reg });
                }
                for wanted in &mut wanted[made + 1..end] {
                    *wanted = *wanted & !bit(from) | bit(to);
                }
            }
        }
    }

    /// Where nobody wants any more what was copied, if up to there both registers stay what they are and nothing goes on
    /// by the program itself.
    fn last_read(&self, copy: usize, (to, from): (Reg, Reg), wanted: &[Registers]) -> Option<usize> {
        let wants = |wanted: &[Registers], at: usize| wanted[at] & bit(from) != 0;
        for at in copy + 1..self.code.len() {
            if !wants(wanted, at) {
                return (bit(from) != 0).then_some(at);
            }
            let op = &self.code[at];
            let mut writes = false;
            let works_out = op.each_register(|reg, access| {
                writes |= access == Access::Written && (reg == to || reg == from);
            });
            let mut elsewhere = next(op, at).into_iter().flatten().filter(|to| *to != at + 1);
            let leaves = self.sorts[at] != Sort::Stays && wants(&self.wanted, at);
            if self.landing[at] || !works_out || writes || leaves || elsewhere.any(|to| wants(wanted, to)) {
                return None;
            }
        }
        None
    }

    /// The instruction just before a copy that works out what is copied, with nothing in between that hangs on it.
    fn made_for(&self, copy: usize, (to, from): (Reg, Reg)) -> Option<usize> {
        for at in (0..copy).rev() {
            if self.landing[at + 1] || self.owner[at] != self.owner[copy] {
                return None;
            }
            let op = &self.code[at];
            if *op == nothing(at) {
                continue;
            }
            if result(op) == Some(from) {
                return Some(at);
            }
            let does = Does::of(self.rules, op);
            let touches = |reg: Reg| does.reads.contains(&reg) || does.writes.contains(&reg);
            let stays =
                self.sorts[at] == Sort::Stays && next(op, at)[1].is_none() && !matches!(op, Op::Jump { .. });
            if !stays || touches(to) || touches(from) {
                return None;
            }
        }
        None
    }
}

/// The constant that an instruction gives.
fn number(rules: &Ruleset, op: Option<Op>) -> Option<u64> {
    match op? {
        Op::Small { value, .. } => Some(i64::from(value) as u64),
        Op::Const { index, .. } => Some(rules.constants[usize::from(index)]),
        _ => None,
    }
}
