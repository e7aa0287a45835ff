//! The loop that runs the program from one pause to the next.
//!
//! Instructions that change nothing but registers run in a tight inner loop ([`Machine::straight`]);
//! all others leave it for a moment. Where nobody listens, those that only write the board stay in it too.

use crate::choice::{Fault, FaultKind, Outcome};
use crate::compute::{EvalError, MOST_STEPS, RESERVE, Step, burn, compute};
use crate::effects::quietly;
use crate::event::{Audience, Listener, What};
use crate::look::Look;
use crate::machine::{Flow, Machine, Rank};
use crate::offers::{Stuck, open_offers};
use crate::quick::may_take_steps;
use crate::reflex::Reflex;
use crate::state::{Frame, FrameKind, State, Waiting};
use crate::words::phrase_values;
use omerta_core::rules::{EndingId, Op, ProcRole, SceneId};
use std::cell::Cell;

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// Runs to the next pause.
    pub(super) fn run(&mut self, from: u32) {
        self.run_from(Ok(Flow::At(from)));
    }

    /// Runs to the next pause from where a first step led.
    pub(super) fn run_from(&mut self, flow: Result<Flow, EvalError>) {
        let ran = flow.and_then(|flow| self.run_on(flow));
        self.rest(ran);
    }

    /// The game pauses. Chance that is waited for begins nothing anew.
    fn rest(&mut self, ran: Result<(), EvalError>) {
        if let Err(kind) = ran {
            self.break_off(*kind);
        }
        self.state.fuel = match self.state.waiting {
            Waiting::Draw { .. } => self.fuel,
            _ => MOST_STEPS,
        };
    }

    /// What people read at a pause, a script may have to work out, and it may take too long: it fails here and not in
    /// silence.
    fn look_round(&mut self) -> Result<(), EvalError> {
        let Waiting::Ask { site, .. } = self.state.waiting else {
            return Ok(());
        };
        if self.rules.puts_each_question() {
            let left = Cell::new(MOST_STEPS);
            let eval = self.eval().within(&left);
            if let Err(Stuck { offer, why }) = open_offers(eval) {
                self.pc = self.rules.offers[offer.index()].condition();
                return Err(why);
            }
            if let Some(text) = &self.rules.ask(site).text {
                phrase_values(eval, self.state.stack.from(self.base), text)?;
            }
        }
        Ok(())
    }

    /// The rules went wrong: nothing can be answered any more.
    #[cold]
    fn break_off(&mut self, mut kind: FaultKind) {
        if let FaultKind::TooDeep(ring) = &mut kind {
            *ring = self.ring();
        }
        self.state.waiting = Waiting::Broken(Box::new(Fault { kind, at: self.pc }));
    }

    /// What led to itself again: from one time that the innermost code was entered to the next.
    fn ring(&self) -> Vec<ProcRole> {
        let frames = self.state.board.frames.iter();
        let mut roles: Vec<_> = frames.filter_map(|frame| frame.role(self.rules)).collect();
        let last = roles.pop();
        let from = roles.iter().rposition(|role| Some(*role) == last);
        from.map_or_else(Vec::new, |from| roles.split_off(from))
    }

    fn run_on(&mut self, mut flow: Flow) -> Result<(), EvalError> {
        let steps = match self.listener.listens() {
            true => 0,
            false => self.fast().line.entries.len(),
        };
        loop {
            match flow {
                Flow::Next => self.pc += 1,
                Flow::At(at) => self.pc = at,
                Flow::Pause => return self.look_round(),
            }
            // Where little is left it goes by instructions, so that it breaks at one of them.
            let in_silence = (self.pc as usize) < steps
                && self.fuel >= RESERVE
                && may_take_steps(&self.state.board, self.base);
            let done = if in_silence { self.quick()? } else { None };
            if done.is_none() && (!in_silence || self.fuel < RESERVE) {
                self.straight()?;
            }
            // What most steps end with and most frames begin and end with does not take the long way
            // through the table of all effects.
            flow = match (done, &self.rules.code[self.pc as usize]) {
                (Some(flow), _) => flow,
                (None, &Op::Ask { site, base }) => self.ask(site, base)?,
                (None, &Op::Draw { site, base }) => self.draw(site, base)?,
                (None, &Op::Enter { proc, base }) => self.enter(proc, self.base + base.index())?,
                (None, Op::Return) => self.leave_frame()?,
                (None, op) => self.effect(op)?,
            };
        }
    }

    /// Runs code that only changes registers, and where nobody listens also what only writes the
    /// board; stops at the first instruction that does more.
    #[inline(always)]
    fn straight(&mut self) -> Result<(), EvalError> {
        let State { board, stack, .. } = &mut *self.state;
        let regs = stack.window(self.base);
        let (code, constants) = (self.rules.code.as_slice(), self.rules.constants.as_slice());
        // What is not said the host alone hears.
        let (aloud, watches) = (self.listener.listens(), self.reflex.watches());
        let quiet = !aloud || !(self.listener.hears_host() || self.reflex.stands());
        let mut pc = self.pc as usize;
        while let Some(op) = code.get(pc) {
            if self.listener.traces() {
                self.listener.step(pc as u32);
            }
            match compute(op, Look::of(self.rules, board), constants, regs, self.tally) {
                Step::Next => pc += 1,
                Step::At(at) => {
                    if at as usize <= pc {
                        self.pc = pc as u32;
                        burn(&mut self.fuel, 1)?;
                    }
                    pc = at as usize;
                }
                Step::Quiet
                    if quiet
                        && !(aloud && matches!(op, Op::Say { .. }))
                        && !(watches && matches!(op, Op::Began { .. })) =>
                {
                    quietly(op, self.rules, board, regs);
                    pc += 1;
                }
                Step::Quiet | Step::Other => break,
            }
        }
        self.pc = pc as u32;
        Ok(())
    }

    /// The same for code that runs within an instruction, so that the loop keeps its own.
    #[inline(never)]
    pub(super) fn straight_within(&mut self) -> Result<(), EvalError> {
        self.straight()
    }

    /// Leaves the topmost frame.
    pub(super) fn leave_frame(&mut self) -> Result<Flow, EvalError> {
        let &[.., below, frame] = self.state.board.frames.as_slice() else {
            // The outermost stays, so that whoever looks at the end finds its registers.
            return Ok(self.end(None));
        };
        self.state.board.frames.pop();
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

    /// Leaves the innermost running scene of that name; what runs inside it is cut short.
    pub(super) fn leave_scene(&mut self, scene: SceneId) -> Result<Flow, EvalError> {
        burn(&mut self.fuel, 1)?;
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
            if let ProcRole::Scene(scene) = proc.role {
                self.scene_ended(scene);
                if rules.scenes[scene.index()].hung {
                    self.scene_passed(scene);
                }
            }
            proc.clears.iter().for_each(|&fact| self.clear(fact));
        }
        self.state.board.frames.pop();
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
