//! A game while it is being stepped: its frames and their registers, and what is told of it.
//!
//! What its instructions do stands in the files above: [`super::run`] takes them one by one.

use crate::choice::FaultKind;
use crate::compute::{EvalError, PureEval, burn};
use crate::event::{Audience, Listener, What};
use crate::look::{Hooks, Look};
use crate::pause::Legal;
use crate::reflex::Reflex;
use crate::registers::{MOST_REGISTERS, WINDOW};
use crate::state::{Frame, FrameKind, MOST_FRAMES, Overheard, State};
use crate::tally::Tally;
use omerta_core::rules::{DeckId, FactId, Fast, Op, ProcId, Reg, Ruleset, SeenBy};

/// A game while it is being stepped.
pub(super) struct Machine<'a, L, R: ?Sized> {
    pub(super) rules: &'a Ruleset,
    /// Whose steps it takes where nobody listens.
    deck: Option<DeckId>,
    pub(super) hooks: &'a dyn Hooks,
    pub(super) state: &'a mut State,
    pub(super) tally: &'a mut Tally,
    pub(super) listener: &'a mut L,
    pub(super) reflex: &'a mut R,
    /// The instruction being carried out.
    pub(super) pc: u32,
    /// Where the registers of the topmost frame begin.
    pub(super) base: usize,
    /// How many jumps back and calls there may still be before the next question.
    pub(super) fuel: u32,
    /// What the question looked like that waited while an offer was taken up; nothing where there is none, or where
    /// nobody listens.
    pub(super) question: Overheard,
    /// The answer that was ready where the quick steps came to an end.
    pub(super) given: Option<Legal>,
}

/// Where to go on after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    Next,
    At(u32),
    Pause,
}

/// How deep an event stands within its frame, and whether what follows is caused by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rank {
    /// The frame itself began: a scene, a part, an occurrence, an offer.
    Began,
    /// The frame is over.
    Ended,
    /// A rule came into force.
    Rule,
    /// A question.
    Question,
    /// An answer, or an outcome of chance.
    Answer,
    /// Anything else.
    Effect,
}

impl Rank {
    /// The depth within the frame.
    fn depth(self) -> usize {
        match self {
            Rank::Began | Rank::Ended => 0,
            Rank::Rule => 1,
            Rank::Question => 2,
            Rank::Answer | Rank::Effect => 3,
        }
    }

    fn opens(self) -> bool {
        !matches!(self, Rank::Ended | Rank::Effect)
    }
}

/// How many depths there are within one frame.
pub(super) const RANKS: usize = 4;

/// How many registers an event done by hand takes: of whom, by whom, with what.
pub(super) const OPERANDS: usize = 3;

impl<'a, L: Listener, R: Reflex + ?Sized> Machine<'a, L, R> {
    /// A machine that stands where the state waits.
    pub(super) fn new(
        (rules, deck): (&'a Ruleset, Option<DeckId>),
        hooks: &'a dyn Hooks,
        state: &'a mut State,
        tally: &'a mut Tally,
        (listener, reflex): (&'a mut L, &'a mut R),
    ) -> Self {
        let (pc, base) = state
            .board
            .frames
            .last()
            .map_or((0, 0), |frame| (frame.pc, frame.base as usize));
        let fuel = state.fuel;
        Machine {
            rules,
            deck,
            hooks,
            state,
            tally,
            listener,
            reflex,
            pc,
            base,
            fuel,
            question: Overheard::default(),
            given: None,
        }
    }

    /// The program for games to which nobody listens.
    #[inline]
    pub(super) fn fast(&self) -> &'a Fast {
        self.rules.fast_for(self.deck)
    }

    /// The word in a register of the topmost frame.
    #[inline]
    pub(super) fn reg(&self, reg: Reg) -> u64 {
        self.state.stack.at(self.base + reg.index())
    }

    /// The word so many registers above one.
    #[inline]
    pub(super) fn operand(&self, base: Reg, offset: usize) -> u64 {
        self.state.stack.at(self.base + base.index() + offset)
    }

    /// Code of the rules that reads the state as it is.
    pub(super) fn eval(&self) -> PureEval<'_> {
        PureEval::of_rules(self.rules, self.hooks, &self.state.board)
    }

    pub(super) fn look(&self) -> Look<'_> {
        Look::of(self.rules, &self.state.board)
    }

    /// Tells the listener, if anybody listens.
    #[inline]
    pub(super) fn tell(&mut self, rank: Rank, event: impl FnOnce(&Self) -> (What, Audience)) {
        if self.listener.listens() {
            let (what, audience) = event(self);
            self.listener
                .hear(what, audience, self.pc, self.depth(rank), rank.opens());
        }
    }

    /// Tells the host alone.
    #[inline]
    pub(super) fn tell_host(&mut self, rank: Rank, what: impl FnOnce(&Self) -> What) {
        if self.listener.hears_host() {
            self.tell(rank, |game| (what(game), Audience::Host));
        }
    }

    pub(super) fn depth(&self, rank: Rank) -> usize {
        self.state.board.frames.len() * RANKS + rank.depth()
    }

    /// Runs a procedure on top of the topmost frame; its registers start at `base`.
    pub(super) fn enter(&mut self, proc: ProcId, base: usize) -> Result<Flow, EvalError> {
        self.push(Frame::new(proc, base as u32, FrameKind::Code), &[])
    }

    /// Puts a frame that runs code on top, with its arguments.
    pub(super) fn push(&mut self, frame: Frame, args: &[u64]) -> Result<Flow, EvalError> {
        let proc = &self.rules.procs[frame.proc.index()];
        self.put_frame(frame, usize::from(proc.registers).max(args.len()), args)?;
        Ok(Flow::At(proc.entry))
    }

    /// Puts a frame on top that holds operands and runs no code.
    pub(super) fn push_hand(&mut self, frame: Frame, operands: &[u64; OPERANDS]) -> Result<(), EvalError> {
        self.put_frame(frame, OPERANDS, operands)
    }

    #[inline]
    fn put_frame(&mut self, frame: Frame, registers: usize, args: &[u64]) -> Result<(), EvalError> {
        burn(&mut self.fuel, 1)?;
        let base = frame.base as usize;
        let top = base + registers;
        if self.state.board.frames.len() >= MOST_FRAMES || top > MOST_REGISTERS || registers > WINDOW {
            return Err(Box::new(FaultKind::TooDeep(Vec::new())));
        }
        self.wait_here();
        self.state.stack.resize(top);
        for (place, &arg) in (base..).zip(args) {
            self.state.stack.put_at(place, arg);
        }
        self.state.board.frames.push(frame);
        self.base = base;
        Ok(())
    }

    /// Remembers in the topmost frame the instruction being carried out.
    #[inline]
    pub(super) fn wait_here(&mut self) {
        if let Some(frame) = self.state.board.frames.last_mut() {
            frame.pc = self.pc;
        }
    }

    /// Makes a frame the one whose registers are at hand.
    pub(super) fn back_to(&mut self, frame: Frame) {
        let registers = match frame.kind {
            FrameKind::Driver => 0,
            FrameKind::Hand => OPERANDS as u16,
            FrameKind::Code | FrameKind::Offer => self.rules.procs[frame.proc.index()].registers,
        };
        (self.pc, self.base) = (frame.pc, frame.base as usize);
        self.state.stack.resize(self.base + usize::from(registers));
    }

    /// Where the question that the topmost frame waits for is put anew.
    pub(super) fn ask_anew(&self) -> u32 {
        match self.rules.code[self.pc as usize] {
            Op::Ask { site, .. } => self.rules.ask(site).again,
            _ => self.pc,
        }
    }

    /// Lets whoever wants to stand here before what is told next.
    #[inline]
    pub(super) fn stand(&mut self) {
        if self.reflex.stands() {
            let look = Look::of(self.rules, &self.state.board);
            self.reflex.edge(look);
        }
    }

    /// Empties a fact.
    pub(super) fn clear(&mut self, id: FactId) {
        let fact = &self.rules.facts[id.index()];
        if self.reflex.stands() && !fact.hidden && !self.state.board.facts.is_clear(fact) {
            self.stand();
        }
        let held = match fact.seen_by {
            SeenBy::Owner | SeenBy::Seats(_) if self.listener.listens() => self.state.board.facts.held(fact),
            _ => 0,
        };
        if self.state.board.facts.clear(fact) && !fact.hidden {
            self.tell_cleared(id, held);
        }
    }
}
