//! The loop that runs the program from one pause to the next.
//!
//! Instructions that change nothing but registers run in a tight inner loop ([`Machine::straight`]);
//! all others leave it for a moment. Where nobody listens, those that only write the board stay in it too.

use crate::choice::{Fault, FaultKind, Outcome};
use crate::compute::{MOST_STEPS, Step, Stop, Thought, burn, compute};
use crate::effects::quietly;
use crate::event::{Audience, Listener, What};
use crate::hand::OPERANDS;
use crate::look::{Hooks, Look};
use crate::offers::open_offers;
use crate::quick::has_room;
use crate::reflex::Reflex;
use crate::registers::{MOST_REGISTERS, WINDOW};
use crate::state::{Frame, FrameKind, MOST_FRAMES, State, Waiting};
use crate::tally::Tally;
use crate::words::phrase_values;
use omerta_core::rules::{AskId, EndingId, FactId, Op, ProcId, ProcRole, Reg, Ruleset, SceneId};

/// A game while it is being stepped.
pub(super) struct Machine<'a, L, R> {
    pub(super) rules: &'a Ruleset,
    pub(super) hooks: &'a dyn Hooks,
    pub(super) state: &'a mut State,
    pub(super) tally: &'a mut Tally,
    pub(super) listener: &'a mut L,
    pub(super) reflex: &'a mut R,
    /// The instruction being carried out.
    pub(super) pc: u32,
    /// Where the registers of the topmost frame begin.
    pub(super) base: usize,
    /// How many jumps back and calls there may still be before the next pause.
    pub(super) fuel: u32,
    /// What the question looked like that waited while an offer was taken up; 0 where there is none.
    pub(super) question: u64,
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

impl<'a, L: Listener, R: Reflex> Machine<'a, L, R> {
    /// A machine that stands where the state waits.
    pub(super) fn new(
        rules: &'a Ruleset,
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
        Machine {
            rules,
            hooks,
            state,
            tally,
            listener,
            reflex,
            pc,
            base,
            fuel: MOST_STEPS,
            question: 0,
        }
    }

    /// Runs to the next pause.
    pub(super) fn run(&mut self, from: u32) {
        self.pc = from;
        if let Err(kind) = self.run_on() {
            self.break_off(*kind);
        }
    }

    /// Runs to the next pause from where a first step led.
    pub(super) fn run_from(&mut self, flow: Result<Flow, Stop>) {
        match flow {
            Ok(Flow::Next) => self.run(self.pc + 1),
            Ok(Flow::At(at)) => self.run(at),
            Ok(Flow::Pause) => {
                if let Err(kind) = self.look_round() {
                    self.break_off(*kind);
                }
            }
            Err(kind) => self.break_off(*kind),
        }
    }

    /// What people read at a pause, a script may have to work out: it fails here and not in silence.
    fn look_round(&self) -> Result<(), Stop> {
        if let Waiting::Ask { site, .. } = self.state.waiting
            && !self.rules.hooks.is_empty()
        {
            open_offers(self.thought())?;
            if let Some(text) = &self.rules.ask(site).text {
                phrase_values(self.thought(), self.state.stack.from(self.base), text)?;
            }
        }
        Ok(())
    }

    /// The rules went wrong: nothing can be answered any more.
    #[cold]
    fn break_off(&mut self, kind: FaultKind) {
        self.state.waiting = Waiting::Broken(Box::new(Fault { kind, at: self.pc }));
    }

    fn run_on(&mut self) -> Result<(), Stop> {
        loop {
            let in_silence = !L::LISTENS && !L::TRACES && (self.pc as usize) < self.rules.quick.len();
            if in_silence && has_room(&self.state.board.frames, self.base) {
                self.quick()?;
            } else {
                self.straight()?;
            }
            // What most steps end with and most frames begin and end with does not take the long way
            // through the table of all effects.
            let flow = match &self.rules.code[self.pc as usize] {
                &Op::Ask { site, base } => self.ask(site, base),
                &Op::Draw { site, base } => self.draw(site, base),
                &Op::Enter { proc, base } => self.enter(proc, self.base + base.index())?,
                Op::Return => self.leave_frame()?,
                op => self.effect(op)?,
            };
            match flow {
                Flow::Next => self.pc += 1,
                Flow::At(at) => self.pc = at,
                Flow::Pause => return self.look_round(),
            }
        }
    }

    /// Runs code that only changes registers, and where nobody listens also what only writes the
    /// board; stops at the first instruction that does more.
    #[inline(always)]
    fn straight(&mut self) -> Result<(), Stop> {
        let State { board, stack, .. } = &mut *self.state;
        let regs = stack.window(self.base);
        let (code, constants) = (self.rules.code.as_slice(), self.rules.constants.as_slice());
        let mut pc = self.pc as usize;
        while let Some(op) = code.get(pc) {
            if L::TRACES {
                self.listener.step(pc as u32);
            }
            match compute(
                op,
                Look {
                    rules: self.rules,
                    board,
                },
                constants,
                regs,
                self.tally,
            ) {
                Step::Next => pc += 1,
                Step::At(at) => {
                    if at as usize <= pc {
                        self.pc = pc as u32;
                        burn(&mut self.fuel)?;
                    }
                    pc = at as usize;
                }
                Step::Quiet if !(L::LISTENS || R::WATCHES && matches!(op, Op::Began { .. })) => {
                    quietly(op, self.rules, board, regs);
                    pc += 1;
                }
                Step::Quiet | Step::Other => break,
            }
        }
        self.pc = pc as u32;
        Ok(())
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
    pub(super) fn thought(&self) -> Thought<'_> {
        Thought::of_rules(self.rules, self.hooks, &self.state.board)
    }

    pub(super) fn look(&self) -> Look<'_> {
        Look {
            rules: self.rules,
            board: &self.state.board,
        }
    }

    /// Tells the listener, if anybody listens.
    #[inline]
    pub(super) fn tell(&mut self, rank: Rank, event: impl FnOnce(&Self) -> (What, Audience)) {
        if L::LISTENS {
            let (what, audience) = event(self);
            self.listener
                .hear(what, audience, self.pc, self.depth(rank), rank.opens());
        }
    }

    /// Tells the host alone.
    #[inline]
    pub(super) fn tell_host(&mut self, rank: Rank, what: impl FnOnce(&Self) -> What) {
        self.tell(rank, |game| (what(game), Audience::Host));
    }

    pub(super) fn depth(&self, rank: Rank) -> usize {
        self.state.board.frames.len() * RANKS + rank.depth()
    }

    /// Runs a procedure on top of the topmost frame; its registers start at `base`.
    pub(super) fn enter(&mut self, proc: ProcId, base: usize) -> Result<Flow, Stop> {
        self.push(Frame::new(proc, base as u32, FrameKind::Code), &[])
    }

    /// Puts a frame that runs code on top, with its arguments.
    pub(super) fn push(&mut self, frame: Frame, args: &[u64]) -> Result<Flow, Stop> {
        burn(&mut self.fuel)?;
        let proc = &self.rules.procs[frame.proc.index()];
        let base = frame.base as usize;
        let top = base + usize::from(proc.registers).max(args.len());
        if self.state.board.frames.len() >= MOST_FRAMES || top > MOST_REGISTERS || top - base > WINDOW {
            return Err(Box::new(FaultKind::TooDeep));
        }
        self.wait_here();
        self.state.stack.resize(top);
        for (place, &arg) in (base..).zip(args) {
            self.state.stack.put_at(place, arg);
        }
        self.state.board.frames.push(frame);
        self.base = base;
        Ok(Flow::At(proc.entry))
    }

    /// Puts a frame on top that holds operands and runs no code.
    pub(super) fn push_hand(&mut self, frame: Frame, operands: &[u64; OPERANDS]) -> Result<(), Stop> {
        burn(&mut self.fuel)?;
        let base = frame.base as usize;
        let top = base + OPERANDS;
        if self.state.board.frames.len() >= MOST_FRAMES || top > MOST_REGISTERS {
            return Err(Box::new(FaultKind::TooDeep));
        }
        self.wait_here();
        self.state.stack.resize(top);
        for (place, &operand) in (base..).zip(operands) {
            self.state.stack.put_at(place, operand);
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

    /// Leaves the topmost frame.
    pub(super) fn leave_frame(&mut self) -> Result<Flow, Stop> {
        let Some(frame) = self.state.board.frames.pop() else {
            return Ok(self.end(None));
        };
        let Some(&below) = self.state.board.frames.last() else {
            // The frame stays, so that whoever looks at the end finds its registers.
            self.state.board.frames.push(frame);
            return Ok(self.end(None));
        };
        self.back_to(below);
        match (frame.kind, below.kind) {
            (FrameKind::Code, FrameKind::Code) => Ok(Flow::Next),
            (FrameKind::Offer, _) => {
                self.question = frame.question;
                Ok(Flow::At(self.ask_anew()))
            }
            (_, FrameKind::Driver) => self.drive(),
            (_, FrameKind::Hand) => self.leave_hand(),
            _ => Ok(Flow::Next),
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
            Op::Ask { site, .. } => self.again(site),
            _ => self.pc,
        }
    }

    fn again(&self, site: AskId) -> u32 {
        self.rules.ask(site).again
    }

    /// Leaves the innermost running scene of that name; what runs inside it is cut short.
    pub(super) fn leave_scene(&mut self, scene: SceneId) -> Result<Flow, Stop> {
        burn(&mut self.fuel)?;
        let is_left = |frame: &Frame| frame.role(self.rules) == Some(ProcRole::Scene(scene));
        let Some(depth) = self.state.board.frames.iter().rposition(is_left) else {
            return Ok(Flow::Next);
        };
        while self.state.board.frames.len() > depth + 1 {
            self.cut_short();
        }
        let left = self.state.board.frames[depth];
        let at = self.pc;
        self.back_to(left);
        self.pc = at;
        Ok(Flow::At(self.rules.procs[left.proc.index()].exit))
    }

    /// Takes the topmost frame away before it is over.
    fn cut_short(&mut self) {
        let Some(&frame) = self.state.board.frames.last() else {
            return;
        };
        if frame.kind == FrameKind::Driver {
            self.drop_batch();
        } else if frame.runs() {
            let rules = self.rules;
            let proc = &rules.procs[frame.proc.index()];
            proc.clears.iter().for_each(|&fact| self.clear(fact));
            if let ProcRole::Scene(scene) = proc.role {
                self.tell(Rank::Ended, |_| (What::SceneEnded { scene }, Audience::Host));
                if rules.scenes[scene.index()].hung {
                    self.tell_host(Rank::Ended, |_| What::ScenePassed { scene });
                }
            }
        }
        self.state.board.frames.pop();
    }

    /// Empties a fact.
    pub(super) fn clear(&mut self, id: FactId) {
        let fact = &self.rules.facts[id.index()];
        if self.state.board.facts.clear(fact) && !fact.hidden {
            self.tell_host(Rank::Effect, |_| What::Cleared { fact: id });
        }
    }

    /// The game is over.
    pub(super) fn end(&mut self, ending: Option<EndingId>) -> Flow {
        let losers = self.state.board.lost;
        let winners = self.state.board.won & !losers;
        self.tell(Rank::Effect, |_| {
            (
                What::Ended {
                    ending,
                    winners,
                    losers,
                },
                Audience::All,
            )
        });
        self.wait_here();
        self.state.waiting = Waiting::Over(Outcome {
            ending,
            winners,
            losers,
        });
        Flow::Pause
    }
}
