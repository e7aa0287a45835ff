//! Writes the steps of calls that are taken without a frame ([`crate::rules::Quick`]).
//!
//! A procedure that can neither pause nor go wrong leaves nothing behind but what it did, so its steps may
//! as well stand in the caller's: the same registers, counted from another place. What it does on some
//! ways only (the game ends, several players are meant, a rule takes an event's place) leads back to the
//! call, which is then made as all calls are; up to there it must have changed nothing that lasts.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::quicken::{onward, step};
use omerta_core::rules::{
    Access, Act, EventId, Low, MOST_REGISTERS, MOST_WITHOUT_FRAME, Op, ProcId, Quick, Reg, Ruleset,
};

/// How many places of the program are looked at for one call. What is longer is seldom taken whole.
const MOST_PLACES: usize = 192;
/// How many registers an event is handed: of whom, by whom, with what.
const OPERANDS: u16 = 3;

/// Adds the steps of all calls that can be taken without a frame, and leads the calls there.
pub(super) fn unfold(rules: &Ruleset, mut steps: Vec<Quick>) -> Vec<Quick> {
    let registers = rules.procs.iter().map(|proc| proc.registers);
    let above = registers.max().unwrap_or(0).max(OPERANDS);
    let calls = |step: &Quick| matches!(step.act, Act::Enter { .. } | Act::Happen { .. });
    for call in 0..rules.code.len() {
        if !calls(&steps[call]) {
            continue;
        }
        let mut unfolding = Unfolding {
            rules,
            again: match steps[call].act {
                Act::Enter { .. } => steps[call],
                _ => Quick {
                    act: Act::Call,
                    next: call as u32,
                    other: 0,
                },
            },
            from: steps.len() as u32,
            steps: Vec::new(),
            places: BTreeMap::new(),
            looked: 0,
            bodies: 0,
            back: None,
            returns: false,
        };
        let after = onward(rules, call + 1);
        let frame = Rc::new(Body {
            number: 0,
            depth: 0,
            base: 0,
            top: above,
            kind: Kind::Frame,
        });
        let entry = match steps[call].act {
            Act::Enter { proc, base, .. } => unfolding.enter(&frame, (proc, base), after, Way::default()),
            Act::Happen { event, base, .. } => unfolding.happen(&frame, (event, base), after, Way::default()),
            _ => None,
        };
        let Some(entry) = entry.filter(|_| unfolding.returns) else {
            continue;
        };
        let first = (entry - unfolding.from) as usize;
        if unfolding.is_sound(first, above) {
            steps[call] = unfolding.steps[first];
            steps.extend(unfolding.steps);
        }
    }
    steps
}

/// Code that is on its way, with its registers in the frame of the caller.
struct Body {
    /// No other has this number.
    number: u32,
    depth: usize,
    /// Its first register.
    base: u16,
    /// One above its last.
    top: u16,
    kind: Kind,
}

enum Kind {
    /// The caller's own: it goes on at its next step.
    Frame,
    /// A procedure, which goes back into other code at an instruction.
    Proc { proc: ProcId, caller: Rc<Body>, at: u32 },
    /// What says in a register which rule takes the place of an event.
    Decision {
        result: Reg,
        event: EventId,
        caller: Rc<Body>,
        at: u32,
    },
}

/// What was done on the way to a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Way {
    /// Something that lasts was written.
    wrote: bool,
    /// So many calls were made.
    calls: u8,
}

impl Way {
    fn wrote(self) -> Way {
        Way { wrote: true, ..self }
    }

    fn called(self) -> Way {
        // No more places than these are looked at for one call.
        const { assert!(MOST_PLACES < 256) };
        let calls = self.calls.saturating_add(1);
        Way { calls, ..self }
    }
}

/// A call that is being unfolded.
struct Unfolding<'a> {
    rules: &'a Ruleset,
    /// The step that makes the call after all.
    again: Quick,
    /// The number of the first of its steps.
    from: u32,
    /// Its steps: each stands behind those it leads to.
    steps: Vec<Quick>,
    /// The step at which an instruction of a body begins, by the way there.
    places: BTreeMap<(u32, u32, Way), u32>,
    looked: usize,
    bodies: u32,
    /// The step back to the call.
    back: Option<u32>,
    /// Whether it ever comes to its end without that.
    returns: bool,
}

impl Unfolding<'_> {
    /// The step at which a body goes on from an instruction. None where it cannot be done without a frame.
    fn at(&mut self, body: &Rc<Body>, at: u32, way: Way) -> Option<u32> {
        let place = (body.number, at, way);
        if let Some(&known) = self.places.get(&place) {
            return Some(known);
        }
        self.looked += 1;
        if self.looked > MOST_PLACES {
            return None;
        }
        let found = self.step_of(body, at, way)?;
        self.places.insert(place, found);
        Some(found)
    }

    fn step_of(&mut self, body: &Rc<Body>, at: u32, way: Way) -> Option<u32> {
        let Quick { act, next, other } = step(self.rules, at as usize);
        match (act, &body.kind) {
            (_, Kind::Frame) => {
                self.returns = true;
                self.push(Act::Called { calls: way.calls }, at, 0)
            }
            (Act::Return, Kind::Proc { caller, at, .. }) => self.at(caller, *at, way),
            (Act::Plain, &Kind::Decision { result, .. }) if self.is_done(at) => {
                let test = body.low(result.0)?;
                let (none, some) = (self.decided(body, 0, way)?, self.lead_back(way)?);
                self.push(Act::Unless { test }, none, some)
            }
            (Act::Small { to, value }, &Kind::Decision { result, .. })
                if Reg::from(to) == result && self.is_done(next) =>
            {
                self.decided(body, value, way)
            }
            (Act::Enter { proc, base, .. }, _) => {
                let after = onward(self.rules, at as usize + 1);
                self.enter(body, (proc, base), after, way)
            }
            (Act::Happen { event, base, .. }, _) => self.happen(body, (event, base), next, way),
            (Act::IfNotRunning { proc, .. }, _) if body.is_within(proc) => self.lead_back(way),
            _ => match body.take_in(act)? {
                None => self.lead_back(way),
                Some(act) if !way.wrote && act.writes_the_board() => match self.at(body, next, way.wrote()) {
                    Some(next) => self.push(act, next, 0),
                    None => self.lead_back(way),
                },
                Some(act) => {
                    let next = self.at(body, next, way)?;
                    let other = if act.tests() {
                        self.at(body, other, way)?
                    } else {
                        0
                    };
                    self.push(act, next, other)
                }
            },
        }
    }

    fn is_done(&self, at: u32) -> bool {
        self.rules.code[at as usize] == Op::Done
    }

    /// Where an event goes on once it is known which rule takes its place: 0 for none.
    fn decided(&mut self, decision: &Rc<Body>, rule: i16, way: Way) -> Option<u32> {
        let Kind::Decision {
            event, caller, at, ..
        } = &decision.kind
        else {
            return None;
        };
        let event = &self.rules.events[event.index()];
        let proc = match usize::try_from(rule).ok()? {
            0 => event.body,
            rule => event.instead.get(rule - 1)?.proc,
        };
        let body = self.body(caller, proc, decision.base, *at)?;
        self.at(&body, self.rules.procs[proc.index()].entry, way.called())
    }

    /// A procedure that is entered; its registers begin at one of the caller's.
    fn enter(&mut self, caller: &Rc<Body>, (proc, base): (ProcId, Reg), at: u32, way: Way) -> Option<u32> {
        let entry = self.rules.procs[proc.index()].entry;
        let body = self.body(caller, proc, caller.base + base.0, at)?;
        self.at(&body, entry, way.called())
    }

    /// An event that happens to one player, or to nobody in particular.
    fn happen(&mut self, caller: &Rc<Body>, (id, base): (EventId, Reg), at: u32, way: Way) -> Option<u32> {
        let event = &self.rules.events[id.index()];
        let top = caller.top;
        let mut first = match event.decide {
            None => {
                let body = self.body(caller, event.body, top, at)?;
                self.at(&body, self.rules.procs[event.body.index()].entry, way.called())?
            }
            Some(thunk) => {
                self.bodies += 1;
                let decision = Rc::new(Body {
                    number: self.bodies,
                    depth: caller.depth,
                    base: top,
                    top: room(top, thunk.registers)?,
                    kind: Kind::Decision {
                        result: thunk.result,
                        event: id,
                        caller: caller.clone(),
                        at,
                    },
                });
                self.at(&decision, thunk.at, way)?
            }
        };
        let operand = |place: u16| {
            let (to, from) = (Reg(top + place), Reg(caller.base + base.0 + place));
            Some((Low::of(to)?, Low::of(from)?))
        };
        for (place, taken) in [(2, !event.with.is_empty()), (1, event.by)] {
            if taken {
                let (to, from) = operand(place)?;
                first = self.push(Act::Copy { to, from }, first, 0)?;
            }
        }
        if event.of {
            let (to, from) = operand(0)?;
            let several = self.lead_back(way)?;
            first = self.push(Act::IfOne { to, from }, first, several)?;
        }
        Some(first)
    }

    /// A procedure that goes back to an instruction of its caller.
    fn body(&mut self, caller: &Rc<Body>, proc: ProcId, base: u16, at: u32) -> Option<Rc<Body>> {
        if caller.depth >= MOST_WITHOUT_FRAME {
            return None;
        }
        self.bodies += 1;
        Some(Rc::new(Body {
            number: self.bodies,
            depth: caller.depth + 1,
            base,
            top: room(base, self.rules.procs[proc.index()].registers)?,
            kind: Kind::Proc {
                proc,
                caller: caller.clone(),
                at,
            },
        }))
    }

    fn push(&mut self, act: Act, next: u32, other: u32) -> Option<u32> {
        let number = self.from + self.steps.len() as u32;
        self.steps.push(Quick { act, next, other });
        Some(number)
    }

    /// Back to the call, as long as nothing that lasts was done.
    fn lead_back(&mut self, way: Way) -> Option<u32> {
        if way.wrote {
            return None;
        }
        if self.back.is_none() {
            let Quick { act, next, other } = self.again;
            self.back = self.push(act, next, other);
        }
        self.back
    }

    /// Whether the steps read nothing that they would have found empty in a frame of their own, and leave
    /// as it was what the call reads when it is made after all.
    fn is_sound(&self, first: usize, above: u16) -> bool {
        let mut written = BTreeSet::new();
        let mut found = BTreeSet::new();
        // What is written on all ways to a step. Each step leads to those before it.
        let mut before: Vec<Option<BTreeSet<u16>>> = vec![None; self.steps.len()];
        before[first] = Some(BTreeSet::new());
        for number in (0..self.steps.len()).rev() {
            let Some(mut sure) = before[number].take() else {
                continue;
            };
            let Quick { mut act, next, other } = self.steps[number];
            act.each_register(|reg, access| match access {
                Access::Read if !sure.contains(&u16::from(reg.0)) => {
                    found.insert(u16::from(reg.0));
                }
                Access::Read => {}
                Access::Written => {
                    written.insert(u16::from(reg.0));
                    sure.insert(u16::from(reg.0));
                }
            });
            let other = act.tests().then_some(other);
            for to in [Some(next), other].into_iter().flatten() {
                let Some(to) = to.checked_sub(self.from) else {
                    continue;
                };
                before[to as usize] = Some(match before[to as usize].take() {
                    Some(known) => known.intersection(&sure).copied().collect(),
                    None => sure.clone(),
                });
            }
        }
        let empty = found.iter().any(|&reg| reg >= above);
        let spoilt = self.back.is_some() && !found.is_disjoint(&written);
        !empty && !spoilt
    }
}

impl Body {
    /// An act with its registers in the caller's frame; inner `None` where it needs a frame, outer where its
    /// registers do not fit.
    fn take_in(&self, mut act: Act) -> Option<Option<Act>> {
        let operands = match self.kind {
            Kind::Decision { .. } => OPERANDS,
            _ => 0,
        };
        let mut fits = true;
        let without_frame = act.each_register(|reg, access| {
            // The operands of an event stay as they are for its body.
            let kept = access == Access::Written && u16::from(reg.0) < operands;
            match self.low(u16::from(reg.0)) {
                Some(moved) if !kept => *reg = moved,
                _ => fits = false,
            }
        });
        fits.then_some(without_frame.then_some(act))
    }

    /// One of its registers, in the caller's frame.
    fn low(&self, number: u16) -> Option<Low> {
        Low::of(Reg(self.base + number)).filter(|low| u16::from(low.0) < self.top)
    }

    /// Whether a procedure is on its way in it.
    fn is_within(&self, wanted: ProcId) -> bool {
        match &self.kind {
            Kind::Frame => false,
            Kind::Proc { proc, caller, .. } => *proc == wanted || caller.is_within(wanted),
            Kind::Decision { caller, .. } => caller.is_within(wanted),
        }
    }
}

/// Where registers end that begin at one; none where there are too many.
fn room(base: u16, registers: u16) -> Option<u16> {
    let top = base.checked_add(registers.max(OPERANDS))?;
    (top <= MOST_REGISTERS).then_some(top)
}
