//! Events within calls that are taken without a frame ([`crate::unfold`]): the rules before them, which rule takes their
//! place, the body and the rules behind it, one after the other in the caller's steps.
//!
//! An event has its operands in the first registers of all its parts. Where a rule behind it needs a frame, the event
//! goes on there as all do; a plan that is taken for it is put back where that is needed before anything is done.

use crate::lean::{Registers, bit};
use crate::unfold::{Body, DRIVEN, Kind, OPERANDS, Then, Unfolding, Way, room};
use omerta_core::rules::{Act, Event, EventId, Low, Op, ProcId, Quick, Reg};
use std::rc::Rc;

impl Unfolding<'_> {
    /// An event that happens to one player, or to nobody in particular.
    pub(super) fn happen(
        &mut self,
        caller: &Rc<Body>,
        (id, base): (EventId, Reg),
        at: u32,
        way: Way,
    ) -> Option<u32> {
        let event = &self.rules.events[id.index()];
        let top = caller.top;
        let way = way.below(top);
        let inside = match is_waited_for(event) {
            true => way.clone().driven(),
            false => way.clone(),
        };
        let mut first = self.occur(caller, id, (top, at), inside)?;
        let operand = |place: u16| {
            let (to, from) = (Reg(top + place), Reg(caller.base + base.0 + place));
            Some((Low::of(to)?, Low::of(from)?))
        };
        for (place, taken) in [(2, !event.with.is_empty()), (1, event.by)] {
            if taken {
                let (to, from) = operand(place)?;
                first = self.push_reading(Act::Copy { to, from }, (first, 0), &way)?;
            }
        }
        if event.of {
            let (to, from) = operand(0)?;
            let mut several = self.lead_back(&way)?;
            if is_waited_for(event) {
                let nobody = self.at(caller, at, way.clone())?;
                several = self.push(Act::If { test: to }, several, nobody)?;
            }
            first = self.push_reading(Act::IfOne { to, from }, (first, several), &way)?;
        }
        Some(first)
    }

    /// The only plan that is settled, if it is the only one.
    pub(super) fn settle(&mut self, caller: &Rc<Body>, id: EventId, at: u32, way: Way) -> Option<u32> {
        let base = Low::of(Reg(caller.top))?;
        let back = self.lead_back(&way)?;
        let put_back = Quick::new(Act::PutBack { event: id, base }, back, 0);
        let resume = Some(self.steps.put_reading(put_back, operands(base)));
        // Looking for plans is counted twice, with the one that there is.
        let way = Way { resume, ..way }.driven().called();
        let first = self.occur(caller, id, (caller.top, at), way)?;
        self.push(Act::TakePlan { event: id, base }, first, back)
    }

    /// What happens of an event whose operands stand in registers: the rules before it first.
    fn occur(&mut self, caller: &Rc<Body>, id: EventId, (base, at): (u16, u32), way: Way) -> Option<u32> {
        match self.rules.events[id.index()].before {
            None => self.decide(caller, id, (base, at), way),
            Some(before) => self.part(caller, (id, before, Some(Then::Decide(id))), (base, at), way),
        }
    }

    /// Which rule takes the place of an event, and then that or its body.
    pub(super) fn decide(
        &mut self,
        caller: &Rc<Body>,
        id: EventId,
        (base, at): (u16, u32),
        way: Way,
    ) -> Option<u32> {
        let Some(thunk) = self.rules.events[id.index()].decide else {
            return self.carry_out(caller, (id, None), (base, at), way);
        };
        self.bodies += 1;
        let decision = Rc::new(Body {
            number: self.bodies,
            depth: caller.depth,
            base,
            top: room(base, thunk.registers)?,
            kind: Kind::Decision {
                result: thunk.result,
                event: id,
                caller: caller.clone(),
                at,
            },
        });
        self.at(&decision, thunk.at, way.below(base))
    }

    /// Where an event goes on once it is known which rule takes its place: 0 for none.
    pub(super) fn decided(&mut self, decision: &Rc<Body>, rule: i16, way: Way) -> Option<u32> {
        let Kind::Decision {
            event, caller, at, ..
        } = &decision.kind
        else {
            return None;
        };
        let instead = match usize::try_from(rule).ok()? {
            0 => None,
            rule => Some(self.rules.events[event.index()].instead.get(rule - 1)?.proc),
        };
        self.carry_out(caller, (*event, instead), (decision.base, *at), way)
    }

    /// The body of an event, or a rule's that takes its place.
    fn carry_out(
        &mut self,
        caller: &Rc<Body>,
        (id, instead): (EventId, Option<ProcId>),
        place: (u16, u32),
        way: Way,
    ) -> Option<u32> {
        let event = &self.rules.events[id.index()];
        match instead {
            None => {
                let then = event.after.map(|_| Then::Behind(id));
                self.part(caller, (id, event.body, then), place, way)
            }
            // An event that has no frame of its own gets one where a rule takes its place.
            Some(proc) if !is_waited_for(event) && !self.is_settled(caller) => {
                self.part(caller, (id, proc, None), place, way.driven())
            }
            Some(proc) => self.part(caller, (id, proc, None), place, way),
        }
    }

    /// A procedure that is part of an event. Its operands stand in its first registers.
    fn part(
        &mut self,
        caller: &Rc<Body>,
        (id, proc, then): (EventId, ProcId, Option<Then>),
        (base, at): (u16, u32),
        way: Way,
    ) -> Option<u32> {
        let event = &self.rules.events[id.index()];
        let has_frame = is_waited_for(event) || proc != event.body || self.is_settled(caller);
        let kind = Kind::Proc {
            proc,
            caller: caller.clone(),
            at,
            then,
        };
        let body = self.body(kind, caller.depth + 1 + usize::from(has_frame), base)?;
        let entry = self.rules.procs[proc.index()].entry;
        // What it would find empty another part may have filled.
        let is_first = !is_waited_for(event) && event.decide.is_none();
        let finds_all = is_first || self.wanted[entry as usize] >> OPERANDS == 0;
        { finds_all }
            .then(|| self.at(&body, entry, way.below(base).called()))
            .flatten()
    }

    /// Whether an event is one of plans that are settled by the call.
    fn is_settled(&self, caller: &Body) -> bool {
        let settles = matches!(self.rules.code[self.call], Op::Settle { .. });
        settles && matches!(caller.kind, Kind::Frame)
    }

    /// The body of an event is over, and the rules behind it come in.
    pub(super) fn behind(
        &mut self,
        body: &Body,
        (caller, at): (&Rc<Body>, u32),
        id: EventId,
        way: Way,
    ) -> Option<u32> {
        let after = self.rules.events[id.index()].after?;
        let resume = self.resume((caller, at), (id, body.base), &way);
        let way = match resume {
            None => way,
            Some(_) => Way {
                wrote: false,
                resume,
                ..way
            },
        };
        let inside = self.part(caller, (id, after, None), (body.base, at), way);
        inside.or(resume)
    }

    /// The step that goes on with the rules behind an event as all do. What comes behind must have a frame.
    fn resume(
        &mut self,
        (caller, at): (&Body, u32),
        (event, base): (EventId, u16),
        way: &Way,
    ) -> Option<u32> {
        let has_frame = matches!(caller.kind, Kind::Frame) && !self.is_settled(caller);
        let base = Low::of(Reg(base)).filter(|_| has_frame && way.begun.is_none())?;
        let step = Quick::new(Act::Behind { event, base }, at, self.call as u32);
        let first = self.steps.put_reading(step, operands(base));
        // The event's own frame is counted where it is put.
        let calls = way.calls.checked_sub(DRIVEN)?;
        self.push(Act::Called { calls }, first, 0)
    }
}

/// Whether rules wait for an event that do not take its place.
fn is_waited_for(event: &Event) -> bool {
    event.before.is_some() || event.after.is_some()
}

/// The registers of an event's operands.
fn operands(base: Low) -> Registers {
    (0..OPERANDS).fold(0, |set, place| set | bit(Reg(u16::from(base.0) + place)))
}
