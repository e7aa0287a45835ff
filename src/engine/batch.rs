//! Occurrences of events: done at once or planned and settled, always in batches. A batch goes
//! through four phases, each for all its occurrences before the next: before-rules, the decision
//! which rule takes its place, the body or that rule's, after-rules.

use crate::choice::FaultKind;
use crate::compute::{EvalError, PureEval, RESERVE, burn};
use crate::event::{Audience, Listener, What};
use crate::facts::Facts;
use crate::machine::{Flow, Machine, RANKS, Rank};
use crate::quick::may_take_steps;
use crate::reflex::Reflex;
use crate::state::{
    Batch, Board, Frame, FrameKind, MOST_FRAMES, MOST_PLANS, Occurrence, Phase, Source, State,
};
use omerta_core::rules::{Event, EventId, ProcId, Reg, Ruleset, Thunk};

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// The event happens at once to each of its seats.
    pub(super) fn do_event(&mut self, event: EventId, base: Reg) -> Result<Flow, EvalError> {
        let mut phase = Phase::Before;
        let mut decision = 0;
        if stands_alone(&self.rules.events[event.index()])
            && let Some(only) = self.only_occurrence(event, base)
        {
            decision = self.decide_alone(only)?;
            if decision == 0 {
                return self.do_only(only);
            }
            phase = Phase::Body;
        } else if self.do_each(event, base)? {
            return Ok(Flow::Next);
        }
        let first = self.state.board.happening.len();
        let whole = Occurrence {
            decision,
            ..self.occurrence(event, base)
        };
        let Board { facts, happening, .. } = &mut self.state.board;
        each_of(self.rules, facts, whole, |occurrence| add(happening, occurrence))?;
        let count = self.state.board.happening.len() - first;
        if count == 0 {
            return Ok(Flow::Next);
        }
        let (first, count) = (first as u16, count as u16);
        self.push_driver(Batch::new(first, count, phase, Source::Done))?;
        self.drive()
    }

    /// Which rule takes the place of an event that happens once: 0 for none. While that is decided, the
    /// event is on its way as any other.
    fn decide_alone(&mut self, occurrence: Occurrence) -> Result<u16, EvalError> {
        let Some(thunk) = self.rules.events[occurrence.event.index()].decide else {
            return Ok(0);
        };
        let board = &mut self.state.board;
        let first = board.happening.len();
        add(&mut board.happening, occurrence)?;
        board
            .batches
            .push(Batch::new(first as u16, 1, Phase::Before, Source::Done));
        let free = self.state.stack.len();
        let decision = self.decision(thunk, &occurrence, free);
        self.drop_batch();
        decision
    }

    /// What the event would be if it happened to one seat alone, or to nobody in particular.
    fn only_occurrence(&self, event: EventId, base: Reg) -> Option<Occurrence> {
        let whole = self.occurrence(event, base);
        let alone = match self.rules.events[event.index()].of {
            true => whole.of.is_power_of_two(),
            false => true,
        };
        alone.then_some(whole)
    }

    /// A batch of one that is nothing but its body needs no driver.
    fn do_only(
        &mut self,
        occurrence @ Occurrence { event, of, by, .. }: Occurrence,
    ) -> Result<Flow, EvalError> {
        if self.listener.listens() {
            let depth = self.depth(Rank::Began) + RANKS;
            self.listener.hear(
                What::Occurred { event, of, by },
                Audience::Host,
                self.pc,
                depth,
                true,
            );
        }
        let event = &self.rules.events[event.index()];
        let operands = &occurrence.operands()[..event.operands()];
        match self.carry_out(event.body, operands)? {
            true => Ok(Flow::Next),
            false => {
                let frame = Frame::new(event.body, self.state.stack.len() as u32, FrameKind::Code);
                self.push(frame, operands)
            }
        }
    }

    /// An event that is nothing but its body needs no driver for several either, where the body is brief; says whether it
    /// was done so.
    fn do_each(&mut self, id: EventId, base: Reg) -> Result<bool, EvalError> {
        let rules = self.rules;
        let event = &rules.events[id.index()];
        let whole = self.occurrence(id, base);
        let board = &self.state.board;
        // Where little is left, it breaks in the driver's frame as it does aloud.
        let is_room =
            board.happening.len() + whole.of.count_ones() as usize <= MOST_PLANS && self.fuel >= RESERVE;
        let is_body = stands_alone(event) && event.decide.is_none();
        if !(is_body && whole.of != 0 && is_room && self.needs_no_frame(event.body)) {
            return Ok(false);
        }
        // What the driver would count: that it is put, and that nothing more is to be done.
        burn(&mut self.fuel, 2)?;
        let mut left = whole.of;
        while left != 0 {
            let of = self.state.board.facts.first_of(left);
            left &= !of;
            let operands = Occurrence { of, ..whole }.operands();
            self.carry_out_brief(event.body, &operands[..event.operands()])?;
        }
        Ok(true)
    }

    /// Whether a procedure is carried out without a frame now: it is brief, and nobody listens. Whoever listens is told by
    /// the frames what belongs to what.
    fn needs_no_frame(&self, proc: ProcId) -> bool {
        let State { board, stack, .. } = &*self.state;
        !self.listener.listens() && self.fast().is_brief(proc) && may_take_steps(board, stack.len())
    }

    /// Carries out a procedure without a frame, if it needs none; says whether that was done.
    fn carry_out(&mut self, proc: ProcId, operands: &[u64]) -> Result<bool, EvalError> {
        let needs_none = self.needs_no_frame(proc);
        if needs_none {
            self.carry_out_brief(proc, operands)?;
        }
        Ok(needs_none)
    }

    /// Carries out a procedure that needs no frame.
    fn carry_out_brief(&mut self, proc: ProcId, operands: &[u64]) -> Result<(), EvalError> {
        burn(&mut self.fuel, 1)?;
        let proc = &self.rules.procs[proc.index()];
        let free = self.state.stack.len();
        let own = &mut self.state.stack.window(free)[..usize::from(proc.registers).max(operands.len())];
        own.fill(0);
        own[..operands.len()].copy_from_slice(operands);
        let (pc, base) = (self.pc, self.base);
        (self.pc, self.base) = (proc.entry, free);
        self.straight_within()?;
        (self.pc, self.base) = (pc, base);
        Ok(())
    }

    /// An event that happened once goes on with the rules behind it.
    pub(super) fn go_on_behind(&mut self, event: EventId, base: Reg) -> Result<Flow, EvalError> {
        let occurrence = self.occurrence(event, base);
        let first = self.state.board.happening.len() as u16;
        self.push_driver(Batch::new(first, 1, Phase::After, Source::Done))?;
        add(&mut self.state.board.happening, occurrence)?;
        self.drive()
    }

    /// The event is planned for each of its seats.
    pub(super) fn plan(&mut self, event: EventId, base: Reg) -> Result<(), EvalError> {
        let whole @ Occurrence { of, by, .. } = self.occurrence(event, base);
        let Board { facts, plans, .. } = &mut self.state.board;
        each_of(self.rules, facts, whole, |occurrence| add(plans, occurrence))?;
        if of != 0 || !self.rules.events[event.index()].of {
            self.tell_host(Rank::Effect, |_| What::Planned { event, of, by });
        }
        Ok(())
    }

    /// The event with all its seats at once.
    fn occurrence(&self, id: EventId, base: Reg) -> Occurrence {
        let event = &self.rules.events[id.index()];
        let operand = |place, taken: bool| if taken { self.operand(base, place) } else { 0 };
        let of = operand(0, event.of) & self.state.board.facts.players();
        let by = operand(1, event.by);
        let with = std::array::from_fn(|place| operand(place + 2, place < event.with.len()));
        Occurrence {
            event: id,
            of,
            by,
            with,
            decision: 0,
        }
    }

    /// The plans of the events of a list happen.
    pub(super) fn settle(&mut self, list: u16) -> Result<Flow, EvalError> {
        let planned = |plan: &Occurrence| self.rules.lists[usize::from(list)].contains(&plan.event);
        if !self.state.board.plans.iter().any(planned) {
            // What the frame would count that settles, and looking for plans.
            burn(&mut self.fuel, 2)?;
            return Ok(Flow::Next);
        }
        let first = self.state.board.happening.len() as u16;
        let source = Source::Settled { list, next: 0 };
        self.push_driver(Batch::new(first, 0, Phase::After, source))?;
        self.drive()
    }

    /// Takes people from behind plans; a plan that had people behind it and has none left is gone.
    pub(super) fn cancel(&mut self, list: u16, of: u64, by: u64) {
        for &event in &self.rules.lists[usize::from(list)] {
            let (mut seats, mut people) = (0, 0);
            self.state.board.plans.retain_mut(|plan| {
                if plan.event != event || plan.by & by == 0 || !meant(plan.of, of) {
                    return true;
                }
                (seats, people) = (seats | plan.of, people | plan.by & by);
                plan.by &= !by;
                plan.by != 0
            });
            if people != 0 {
                self.tell_host(Rank::Effect, |_| What::Cancelled {
                    event,
                    of: seats,
                    by: people,
                });
            }
        }
    }

    fn push_driver(&mut self, batch: Batch) -> Result<(), EvalError> {
        burn(&mut self.fuel, 1)?;
        if self.state.board.frames.len() >= MOST_FRAMES {
            return Err(Box::new(FaultKind::TooDeep(Vec::new())));
        }
        self.wait_here();
        self.base = self.state.stack.len();
        // The driver stands at the instruction that made it, so that what it tells has a place.
        let frame = Frame {
            pc: self.pc,
            ..Frame::new(ProcId::default(), self.base as u32, FrameKind::Driver)
        };
        self.state.board.frames.push(frame);
        self.state.board.batches.push(batch);
        Ok(())
    }

    /// Goes on with the innermost batch: the next procedure of the phase, the next phase, the next
    /// batch of a settlement, or back to whoever wanted it.
    pub(super) fn drive(&mut self) -> Result<Flow, EvalError> {
        loop {
            let Some(&batch) = self.state.board.batches.last() else {
                return Ok(Flow::Next);
            };
            if let Some(flow) = self.go_through(batch)? {
                return Ok(flow);
            }
            match batch.phase {
                Phase::Before => self.decide()?,
                Phase::Body => self.begin_phase(Phase::After),
                Phase::After if self.next_settled()? => {}
                Phase::After => return self.finish_batch(),
            }
        }
    }

    /// Goes on with a phase of the innermost batch up to a procedure that needs a frame; nothing where the phase is over
    /// for all.
    fn go_through(&mut self, batch: Batch) -> Result<Option<Flow>, EvalError> {
        let rules = self.rules;
        // All of a batch are one event.
        let Some(first) = self.state.board.happening.get(usize::from(batch.first)) else {
            return Ok(None);
        };
        let event = &rules.events[first.event.index()];
        if is_empty(batch.phase, event) {
            return Ok(None);
        }
        for nth in batch.begun..batch.count {
            let at = usize::from(batch.first + nth);
            if batch.phase == Phase::Body {
                self.decide_anew(at)?;
            }
            let State { board, .. } = &mut *self.state;
            if let Some(batch) = board.batches.last_mut() {
                batch.begun = nth + 1;
            }
            let occurrence = &board.happening[at];
            let proc = match batch.phase {
                Phase::Before => event.before,
                Phase::Body => Some(body_of(event, occurrence.decision)),
                Phase::After => event.after.filter(|_| occurrence.decision == 0),
            };
            let Some(proc) = proc else {
                continue;
            };
            let operands = occurrence.operands();
            let operands = &operands[..event.operands()];
            self.tell_phase(batch.phase, at);
            if !self.carry_out(proc, operands)? {
                let frame = Frame::new(proc, self.base as u32, FrameKind::Code);
                return self.push(frame, operands).map(Some);
            }
        }
        Ok(None)
    }

    /// Keeps causes right: the body's occurrence opens, its after-rules belong to it, and nothing
    /// else belongs to the occurrence that was carried out before.
    fn tell_phase(&mut self, phase: Phase, at: usize) {
        if !self.listener.listens() {
            return;
        }
        let Occurrence {
            event,
            of,
            by,
            decision,
            ..
        } = self.state.board.happening[at];
        let depth = self.depth(Rank::Began);
        match (phase, decision) {
            (Phase::Body, 0) => self.tell_host(Rank::Began, |_| What::Occurred { event, of, by }),
            (Phase::After, _) => self.listener.reopen(event, of, by, depth),
            (Phase::Before | Phase::Body, _) => self.listener.close(depth),
        }
    }

    /// Decides for all occurrences of the batch, before any body has run, which rule takes its place.
    fn decide(&mut self) -> Result<(), EvalError> {
        let rules = self.rules;
        let Some(&batch) = self.state.board.batches.last() else {
            return Ok(());
        };
        for index in usize::from(batch.first)..usize::from(batch.first + batch.count) {
            let event = self.state.board.happening[index].event;
            if let Some(thunk) = rules.events[event.index()].decide {
                let occurrence = self.state.board.happening[index];
                let decision = self.decision(thunk, &occurrence, self.base)?;
                self.state.board.happening[index].decision = decision;
            }
        }
        self.begin_phase(Phase::Body);
        Ok(())
    }

    /// Decides once more where a rule waits for its turn: what came before it in the batch counts there.
    fn decide_anew(&mut self, at: usize) -> Result<(), EvalError> {
        let rules = self.rules;
        let Occurrence { event, decision, .. } = &self.state.board.happening[at];
        let event = &rules.events[event.index()];
        let decided = usize::from(*decision).checked_sub(1);
        let waits = decided
            .and_then(|rule| event.instead.get(rule))
            .is_some_and(|rule| rule.each);
        if let Some(thunk) = event.decide.filter(|_| waits) {
            let occurrence = self.state.board.happening[at];
            self.state.board.happening[at].decision = self.decision(thunk, &occurrence, self.base)?;
        }
        Ok(())
    }

    /// The driver has no registers of its own: what stands above the frames is free.
    fn decision(&mut self, thunk: Thunk, occurrence: &Occurrence, free: usize) -> Result<u16, EvalError> {
        let State { board, stack, .. } = &mut *self.state;
        let eval = PureEval::of_rules(self.rules, self.hooks, board);
        let event = &self.rules.events[occurrence.event.index()];
        let operands = &occurrence.operands()[..event.operands()];
        eval.decide(thunk, operands, stack.window(free), self.tally, &mut self.fuel)
    }

    fn begin_phase(&mut self, phase: Phase) {
        if let Some(batch) = self.state.board.batches.last_mut() {
            (batch.phase, batch.begun) = (phase, 0);
        }
    }

    /// Makes the next plans of a settlement the batch; says whether there are any.
    fn next_settled(&mut self) -> Result<bool, EvalError> {
        burn(&mut self.fuel, 1)?;
        let board = &mut self.state.board;
        let Some(batch) = board.batches.last_mut() else {
            return Ok(false);
        };
        let Source::Settled { list, next } = batch.source else {
            return Ok(false);
        };
        board.happening.truncate(usize::from(batch.first));
        let events = &self.rules.lists[usize::from(list)];
        let round = (usize::from(next)..events.len()).chain(0..usize::from(next).min(events.len()));
        let is_planned = |&index: &usize| board.plans.iter().any(|plan| plan.event == events[index]);
        let Some(index) = { round }.find(is_planned) else {
            return Ok(false);
        };
        for plan in board.plans.iter().filter(|plan| plan.event == events[index]) {
            add(&mut board.happening, *plan)?;
        }
        board.plans.retain(|plan| plan.event != events[index]);
        let count = board.happening.len() as u16 - batch.first;
        let source = Source::Settled {
            list,
            next: index as u16 + 1,
        };
        *batch = Batch::new(batch.first, count, Phase::Before, source);
        Ok(true)
    }

    fn finish_batch(&mut self) -> Result<Flow, EvalError> {
        self.drop_batch();
        self.leave_frame()
    }

    /// Forgets the innermost batch and its occurrences.
    pub(super) fn drop_batch(&mut self) {
        if let Some(batch) = self.state.board.batches.pop() {
            self.state.board.happening.truncate(usize::from(batch.first));
        }
    }
}

/// What happens of an event: its body, or a rule's that takes its place.
fn body_of(event: &Event, decision: u16) -> ProcId {
    match usize::from(decision) {
        0 => event.body,
        rule => event
            .instead
            .get(rule - 1)
            .map_or(event.body, |instead| instead.proc),
    }
}

/// Whether no rule waits for an event but those that take its place.
#[inline]
fn stands_alone(event: &Event) -> bool {
    event.before.is_none() && event.after.is_none()
}

/// Whether nothing happens in a phase of a batch of that event.
#[inline]
fn is_empty(phase: Phase, event: &Event) -> bool {
    match phase {
        Phase::Before => event.before.is_none(),
        Phase::Body => false,
        Phase::After => event.after.is_none(),
    }
}

/// Whether a plan is among those for some seats; one for nobody in particular always is.
fn meant(planned_for: u64, seats: u64) -> bool {
    planned_for == 0 || planned_for & seats != 0
}

/// An event for each of its seats by itself, the one with the lowest place first; as it is where it happens to
/// nobody in particular.
fn each_of(
    rules: &Ruleset,
    facts: &Facts,
    whole: Occurrence,
    mut put: impl FnMut(Occurrence) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    if !rules.events[whole.event.index()].of {
        return put(whole);
    }
    let mut left = whole.of;
    while left != 0 {
        let of = facts.first_of(left);
        put(Occurrence { of, ..whole })?;
        left &= !of;
    }
    Ok(())
}

fn add(list: &mut Vec<Occurrence>, occurrence: Occurrence) -> Result<(), EvalError> {
    if list.len() >= MOST_PLANS {
        return Err(Box::new(FaultKind::TooManyPlans));
    }
    list.push(occurrence);
    Ok(())
}
