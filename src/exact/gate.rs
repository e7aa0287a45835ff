//! Whether players may be renamed under some rules: which constructs hang on who sits where.
//!
//! An instruction that looks at the order of seats is harmless where its set cannot hold more than one.
//! A loop over seats, and an event that happens to several, are harmless where it is all one in which order
//! they are taken: what one of them writes the others do not read.

use crate::{
    calls::{Calls, loop_around},
    kinds::{Kinds, is_lone},
    live::{Liveness, Use},
};
use omerta_core::rules::does::{PAD, in_thunk, loads_of, slots};
use omerta_core::rules::{EventId, FactShape, Op, Origin, ProcId, Reg, Shuffle, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// Something in the rules that hangs on who sits where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hang {
    /// What it is, in the words of the language.
    pub what: &'static str,
    /// Where it stands.
    pub origin: Origin,
}

/// What of some rules hangs on who sits where; where there is nothing, players may be renamed.
pub fn hangs(calls: &Calls<'_>, live: &Liveness<'_>, kinds: &Kinds<'_>) -> Vec<Hang> {
    let gate = Gate { calls, live, kinds };
    let mut found = BTreeSet::new();
    if calls.rules.places.is_some() {
        found.insert(("seats that move", Origin::default()));
    }
    for at in 0..calls.rules.code.len() {
        if calls.owner[at].is_none() {
            continue;
        }
        let origin = calls.rules.origins.get(at).copied().unwrap_or_default();
        found.extend(gate.at(at).map(|what| (what, origin)));
        for thunk in calls.thunks_at(at) {
            let within = in_thunk(calls.rules, thunk);
            for &at in &within {
                let origin = calls.rules.origins.get(at).copied().unwrap_or_default();
                found.extend(in_values(calls, &within, at).map(|what| (what, origin)));
            }
        }
    }
    let hang = |(what, origin)| Hang { what, origin };
    found.into_iter().map(hang).collect()
}

/// What hangs on seats in code that works a value out, where nothing is sure to be one but `me`, and whoever has a card of
/// which there is no other.
fn in_values(calls: &Calls<'_>, within: &[usize], at: usize) -> Option<&'static str> {
    let code = &calls.rules.code;
    let leads_here = |op: &usize| match code[*op] {
        Op::Jump { at: to } | Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => to as usize == at,
        _ => false,
    };
    let before = at.checked_sub(1).filter(|_| !within.iter().any(leads_here));
    let is_one = |set: Reg| match before.map(|op| &code[op]) {
        Some(&Op::Group { to, group }) if to == set => is_lone(calls.lone, group),
        _ => set == Reg(0) && !within.iter().any(|op| calls.does[*op].writes.contains(&set)),
    };
    let op = &code[at];
    match *op {
        Op::First { of, .. } | Op::Last { of, .. } | Op::CountOf { of, .. } if is_one(of) => None,
        Op::CountOf { .. } => Some("the count of the first of several"),
        Op::Pop { .. } | Op::PopFrom { .. } | Op::PopBy { .. } => Some("a loop over players within a value"),
        _ => order(op).map(|(what, _)| what),
    }
}

/// An instruction that looks at the order of seats, and the set that does no harm where it holds one.
fn order(op: &Op) -> Option<(&'static str, Option<Reg>)> {
    Some(match *op {
        Op::First { of, .. } => ("the first of several", Some(of)),
        Op::Last { of, .. } => ("the last of several", Some(of)),
        Op::FirstBy { of, .. } => ("the first in order of several", Some(of)),
        Op::LastBy { of, .. } => ("the last in order of several", Some(of)),
        Op::LeftOf { .. } => ("the neighbour to the left", None),
        Op::RightOf { .. } => ("the neighbour to the right", None),
        Op::AtOrLeftOf { .. } => ("whoever is next", None),
        Op::SeatNumber { .. } => ("a seat by its number", None),
        Op::PlaceOf { .. } => ("the number of a seat", None),
        Op::Placed { .. } | Op::Seated { .. } => ("who sits where", None),
        _ => return None,
    })
}

struct Gate<'a> {
    calls: &'a Calls<'a>,
    live: &'a Liveness<'a>,
    kinds: &'a Kinds<'a>,
}

impl Gate<'_> {
    fn at(&self, at: usize) -> Option<&'static str> {
        let op = &self.calls.rules.code[at];
        if self.is_idle(at) {
            return None;
        }
        if let Some((what, set)) = order(op) {
            return (!set.is_some_and(|set| self.is_one(at, set))).then_some(what);
        }
        let facts = &self.calls.rules.facts;
        let harm = |set: Reg, what| (!self.is_one(at, set)).then_some(what);
        match *op {
            Op::CountOf { of, .. } => harm(of, "the count of the first of several"),
            Op::Link { fact, to_set, .. } => match facts[fact.index()].shape {
                FactShape::Link { one: true, .. } => harm(to_set, "a link to the first of several"),
                _ => None,
            },
            Op::Mark { fact, set } => match facts[fact.index()].shape {
                FactShape::MarkOne => harm(set, "a mark for the first of several"),
                FactShape::MarkInOrder { .. } => harm(set, "a mark in order for several at once"),
                _ => None,
            },
            Op::Pop { to, set } | Op::PopFrom { to, set, .. } | Op::PopBy { to, set, .. } => {
                let sound = self.is_one(at, set) || self.loop_commutes(at, (to, set));
                (!sound).then_some("a loop in which the order of players matters")
            }
            Op::Do { event, base } | Op::Plan { event, base } => {
                let several = self.calls.rules.events[event.index()].of && !self.is_one(at, base);
                // Plans of several instructions come together even where each is for one.
                let planned = matches!(op, Op::Plan { .. });
                let sound = !(several || planned) || self.batch_commutes(event);
                (!sound).then_some("an event for several in which their order matters")
            }
            Op::Reseat { .. } | Op::SeatInOrder { .. } => Some("seats that move"),
            Op::Draw { site, .. } => match self.calls.rules.draws[site.index()].shuffle {
                Some(Shuffle::Seats) => Some("lots for seats"),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_one(&self, at: usize, set: Reg) -> bool {
        self.kinds.before(at, set).is_one()
    }

    /// Whether nobody wants what an instruction works out or writes.
    fn is_idle(&self, at: usize) -> bool {
        let does = &self.calls.does[at];
        let after = self.live.after(at);
        let dead = |slot: &Slot| {
            after
                .slots
                .get(slot.index())
                .is_none_or(|used| *used == Use::Dead)
        };
        let idle_change = !does.changes.is_empty() && does.changes.iter().all(dead);
        let wanted = does.writes.iter().any(|reg| after.registers.contains(reg));
        idle_change || does.pure && !wanted
    }

    /// Whether it is all one in which order the loop around an instruction takes its seats, one after the other out of a
    /// set.
    fn loop_commutes(&self, at: usize, (to, set): (Reg, Reg)) -> bool {
        let Some((head, back)) = loop_around(self.calls, at) else {
            return false;
        };
        let code = &self.calls.rules.code;
        if self.is_deal((head, back)) {
            return true;
        }
        let mut effects = Effects {
            own: Some(to),
            ..Effects::default()
        };
        for op in (head..=back).filter(|op| self.calls.owner[*op].is_some()) {
            let leaves = |to: &usize| !(head..=back).contains(to) && (*to != back + 1 || op > at);
            // The loop ends where nobody is left, and nowhere else.
            let again = |to: &usize| matches!(code[op], Op::Ask { site, .. } if self.calls.rules.ask(site).again as usize == *to);
            let ends = op < at && matches!(code[op], Op::JumpUnless { .. });
            let out = self.calls.next[op].iter().any(|to| leaves(to) && !again(to));
            if out && !ends {
                return false;
            }
            self.add(op, &mut effects, true);
        }
        effects.commute() && self.carries_nothing(at, (head, back), set)
    }

    /// Whether no register is carried from one turn of a loop to the next but the set itself, and what is
    /// only added to.
    fn carries_nothing(&self, at: usize, (head, back): (usize, usize), set: Reg) -> bool {
        let code = &self.calls.rules.code;
        let carried = self.live.before(head).registers.iter();
        let written = |reg: &Reg| (head..=back).any(|op| self.calls.does[op].writes.contains(reg));
        let mut carried = carried.filter(|reg| written(reg) && **reg != set);
        carried.all(|reg| {
            (head..=back)
                .filter(|op| self.calls.owner[*op].is_some())
                .all(|op| {
                    let does = &self.calls.does[op];
                    let (reads, writes) = (does.reads.contains(reg), does.writes.contains(reg));
                    match code[op] {
                        // All that came before joins, in whatever order.
                        Op::Or { to: into, a, b } if into == *reg && a == *reg && b != *reg => true,
                        Op::Plus { to: into, a, b } if into == *reg && a == *reg && b != *reg => true,
                        Op::TallyAdd { .. } | Op::TallyRow { .. } if *reg == PAD => true,
                        // Who was asked already is left out of who is to be asked.
                        Op::OutsideBut { to: into, but, .. } if into == set && but == *reg && op < at => true,
                        Op::Without { to: into, b, .. } if into == set && b == *reg && op < at => true,
                        Op::Others { to: into, of } if into == set && of == *reg && op < at => true,
                        _ => !reads && !writes,
                    }
                })
        })
    }

    /// Whether a loop deals a card by chance to one after the other, and does nothing else: who is dealt to first
    /// does not matter.
    fn is_deal(&self, (head, back): (usize, usize)) -> bool {
        let deals = |site: omerta_core::rules::DrawId| {
            matches!(
                self.calls.rules.draws[site.index()].shuffle,
                Some(Shuffle::Deal(_))
            )
        };
        match self.calls.rules.code[head..=back] {
            [
                Op::JumpUnless { .. },
                Op::Pop { .. },
                Op::CardsIn { .. },
                Op::JumpUnless { .. },
                Op::Copy { .. },
                Op::Draw { site, .. },
                Op::Move { .. },
                Op::Jump { .. },
            ] => deals(site),
            _ => false,
        }
    }

    /// Whether it is all one in which order an event happens to several.
    fn batch_commutes(&self, event: EventId) -> bool {
        let decides = self.calls.rules.events[event.index()]
            .instead
            .iter()
            .any(|rule| rule.each);
        let thunk = self.calls.rules.events[event.index()].decide;
        self.calls.phases(event).iter().enumerate().all(|(phase, procs)| {
            let mut effects = Effects {
                own: Some(Reg(0)),
                ..Effects::default()
            };
            self.add_procs(procs, &mut effects, true);
            if let (1, true, Some(thunk)) = (phase, decides, thunk) {
                let loads = loads_of(self.calls.rules, thunk);
                effects.read.extend(loads);
                effects.looks = true;
            }
            effects.commute()
        })
    }

    fn add_procs(&self, procs: &[ProcId], effects: &mut Effects, outermost: bool) {
        for &proc in procs {
            for &op in self.calls.of_proc(proc) {
                self.add(op, effects, outermost);
            }
        }
    }

    fn add(&self, at: usize, effects: &mut Effects, outermost: bool) {
        effects.read.extend(self.calls.loads[at].iter().copied());
        if !self.is_idle(at) {
            effects.add(self.calls, at, outermost);
        }
        let procs = self.calls.closure(&self.calls.ran[at]);
        for proc in procs {
            if effects.within.insert(proc) {
                self.add_procs(&[proc], effects, false);
            }
        }
    }
}

/// What a turn of a loop, or an event for one of several, does to what others look at.
#[derive(Default)]
struct Effects {
    /// The register of the one whose turn it is.
    own: Option<Reg>,
    /// The words that are read, but for somebody's own.
    read: BTreeSet<Slot>,
    /// The words that only grow, or only shrink, or are set to one value: by how that is done.
    written: BTreeMap<Slot, BTreeSet<(u8, i64)>>,
    /// Whether cards are looked at, and whether they are moved.
    looks: bool,
    moves: bool,
    /// Whether plans are looked at, and whether they are made.
    plans: (bool, bool),
    /// Whether something is done that can be done once only.
    once: bool,
    within: BTreeSet<ProcId>,
}

impl Effects {
    fn commute(&self) -> bool {
        let alone =
            |(slot, ways): (&Slot, &BTreeSet<(u8, i64)>)| ways.len() == 1 && !self.read.contains(slot);
        let cards = !(self.looks && self.moves);
        !self.once && cards && !(self.plans.0 && self.plans.1) && self.written.iter().all(alone)
    }

    fn write(&mut self, slots: Vec<Slot>, way: u8, value: i64) {
        for slot in slots {
            self.written.entry(slot).or_default().insert((way, value));
        }
    }

    fn add(&mut self, calls: &Calls<'_>, at: usize, outermost: bool) {
        let rules = calls.rules;
        let own = |reg: Reg| outermost && self.own == Some(reg);
        match rules.code[at] {
            // His own entry alone: nobody else writes it but by a way that does not commute.
            Op::LinkOf { of, .. } | Op::CountOf { of, .. } if own(of) => {}
            Op::Began { scene } | Op::Nears { scene } => {
                self.write(vec![rules.scenes[scene.index()].times], 4, 0);
            }
            Op::Link { fact, from, .. } if own(from) => self.write(slots(rules, fact), 1, 0),
            Op::SetOf { fact, of, .. } | Op::AddOf { fact, of, .. } if own(of) => {
                self.write(slots(rules, fact), 1, 0);
            }
            Op::Mark { fact, .. } => match rules.facts[fact.index()].shape {
                FactShape::Mark => self.write(slots(rules, fact), 2, 0),
                _ => self.once = true,
            },
            Op::Unmark { fact, .. } => self.write(slots(rules, fact), 3, 0),
            Op::Add { fact, .. } | Op::AddOf { fact, .. } => self.write(slots(rules, fact), 4, 0),
            Op::Clear { fact } => self.write(slots(rules, fact), 5, 0),
            Op::Set { fact, value } => match constant(calls, at, value) {
                Some(value) => self.write(slots(rules, fact), 6, value),
                None => self.once = true,
            },
            Op::Link { .. } | Op::Unlink { .. } | Op::SetOf { .. } => self.once = true,
            Op::Leave { .. } | Op::End { .. } | Op::Hook { .. } | Op::Settle { .. } | Op::Cancel { .. } => {
                self.once = true;
            }
            Op::Reseat { .. } | Op::SeatInOrder { .. } => self.once = true,
            Op::Plan { .. } => self.plans.1 = true,
            Op::Planned { .. } => self.plans.0 = true,
            Op::Move { .. }
            | Op::PutCast { .. }
            | Op::Put { .. }
            | Op::Swap { .. }
            | Op::Flip { .. }
            | Op::Turn { .. }
            | Op::TurnInto { .. } => self.moves = true,
            Op::Group { .. }
            | Op::GroupOutside { .. }
            | Op::Holders { .. }
            | Op::RolesOf { .. }
            | Op::CardsIn { .. }
            | Op::TopOf { .. }
            | Op::Topmost { .. }
            | Op::CardsOf { .. }
            | Op::RoleCards { .. }
            | Op::SeatsOf { .. }
            | Op::TitlesOf { .. } => {
                self.looks = true;
                self.read.extend(calls.does[at].loads.iter().copied());
            }
            Op::Winners { .. } => self.once = true,
            Op::Draw { site, .. } => self.once |= rules.draws[site.index()].shuffle.is_some(),
            _ => self.read.extend(calls.does[at].loads.iter().copied()),
        }
    }
}

/// The number that a register surely holds: it was written just before.
fn constant(calls: &Calls<'_>, at: usize, value: Reg) -> Option<i64> {
    match calls.rules.code[at.checked_sub(1)?] {
        Op::Small { to, value: number } if to == value => Some(i64::from(number)),
        _ => None,
    }
}
