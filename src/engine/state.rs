//! The state of a game: a flat value that can be cloned, compared and kept. Whatever the rules may
//! read stands on the [`Board`]; the registers stand beside it, so that code can write registers
//! while it reads the board.

use crate::cards::Cards;
use crate::choice::{Comers, Fault, Outcome};
use crate::facts::Facts;
use crate::registers::{Registers, WINDOW};
use omerta_core::rules::{
    AskId, DrawId, EventId, MOST_HANDED, NO_CALL, OPERANDS, Offer, OfferTimes, ProcId, ProcRole, Ruleset,
    SceneId,
};
use serde::{Deserialize, Serialize};

/// How many jumps back and calls there may be between two questions that somebody can answer, and how many
/// in one thunk. Whatever runs for ever does one of the two for ever. Neither a draw nor a question that is
/// passed over begins anew, whoever listens: so a game breaks at one place, in silence as aloud.
pub(super) const MOST_STEPS: u32 = 1_000_000;

/// How many frames may stand on one another.
pub(super) const MOST_FRAMES: usize = 256;
/// How many plans may wait, and how many occurrences may be on their way at once.
pub(super) const MOST_PLANS: usize = 256;

/// The state of a game.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) board: Board,
    /// INVARIANT: between steps those in use end with the topmost frame's.
    pub(super) stack: Registers,
    pub(super) waiting: Waiting,
    /// How many steps there may be before the next question: all of them, unless chance is waited for.
    pub(super) fuel: u32,
}

/// Everything the rules may read.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Board {
    pub(super) facts: Facts,
    pub(super) cards: Cards,
    pub(super) plans: Vec<Occurrence>,
    /// The occurrences of all running batches, the innermost batch last.
    pub(super) happening: Vec<Occurrence>,
    /// One for each frame that drives a batch, in the same order.
    pub(super) batches: Vec<Batch>,
    pub(super) frames: Vec<Frame>,
    pub(super) won: u64,
    pub(super) lost: u64,
    /// What people wrote, in the order of its first use.
    #[serde(default)]
    pub(super) texts: Vec<String>,
}

/// A game as it stood between two pauses. It can be looked at, and not go on.
#[derive(Clone, Debug)]
pub struct Still(pub(super) Board);

impl Still {
    /// The same where a scene begins for the nth time: it counts, and nothing in it has been done.
    #[must_use]
    pub fn begun(mut self, rules: &Ruleset, scene: SceneId, nth: u32) -> Still {
        self.0
            .facts
            .set(rules.scenes[scene.index()].times, u64::from(nth));
        self
    }
}

/// A procedure that is running, or a batch that is being carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Frame {
    /// The instruction at which the frame waits for the frame above it, or for an answer.
    pub(super) pc: u32,
    /// Where its registers begin.
    pub(super) base: u32,
    /// What it runs; of no meaning for a driver.
    pub(super) proc: ProcId,
    /// What happens when it returns.
    pub(super) kind: FrameKind,
    /// The purpose of the call made in it; [`NO_CALL`] where none was made.
    pub(super) purpose: u16,
    /// The title called.
    pub(super) called: u64,
    /// Under an offer: what the question looks like that waits below it.
    pub(super) question: Overheard,
}

/// What only whoever listens has any use for; where nobody does, nothing. A state is the same with or without.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Overheard(pub(super) u64);

impl PartialEq for Overheard {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Overheard {}

/// What happens when a frame returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum FrameKind {
    /// The frame below goes on.
    Code,
    /// The question that the frame below waits for is put anew.
    Offer,
    /// It carries out a batch: it runs no code of its own.
    Driver,
    /// It holds an event that was done by hand: it runs no code either, and the question that the frame
    /// below waits for is put anew.
    Hand,
}

/// An event that is planned, or on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Occurrence {
    /// What.
    pub event: EventId,
    /// To whom: a set of one, or nobody where the event has none.
    pub of: u64,
    /// By whom.
    pub by: u64,
    /// With what.
    pub with: [u64; MOST_HANDED],
    /// 0 for the body, n for the nth rule that may take its place; meaningless for a plan.
    pub(super) decision: u16,
}

impl Occurrence {
    /// An event of which it is said of whom, by whom and with what one thing at the most.
    pub(super) fn of_one(event: EventId, [of, by, with]: [u64; 3]) -> Self {
        let mut all = [0; MOST_HANDED];
        all[0] = with;
        Occurrence {
            event,
            of,
            by,
            with: all,
            decision: 0,
        }
    }

    /// What its procedures find in their first registers.
    #[inline]
    pub(super) fn operands(&self) -> [u64; OPERANDS] {
        let [a, b, c, d] = self.with;
        [self.of, self.by, a, b, c, d]
    }
}

/// A run of occurrences that are carried out together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The first of them among all that are on their way.
    pub(super) first: u16,
    pub(super) count: u16,
    /// How many of them have begun the phase.
    pub(super) begun: u16,
    pub(super) phase: Phase,
    pub(super) source: Source,
}

/// What is done with all occurrences of a batch before the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Phase {
    Before,
    Body,
    After,
}

/// Where a batch comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Source {
    /// An event that happens at once.
    Done,
    /// Plans of the events of a list; `next` is the event in it that comes after this batch.
    Settled { list: u16, next: u16 },
}

impl Batch {
    pub(super) fn new(first: u16, count: u16, phase: Phase, source: Source) -> Self {
        Batch {
            first,
            count,
            begun: 0,
            phase,
            source,
        }
    }

    /// Whether it is a batch of that event.
    pub(super) fn carries(&self, board: &Board, event: EventId) -> bool {
        self.count > 0 && board.happening[usize::from(self.first)].event == event
    }
}

/// What the state waits for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Waiting {
    /// An answer; the operands begin at the absolute register `at`.
    Ask { site: AskId, at: u32 },
    /// Chance.
    Draw { site: DrawId, at: u32 },
    /// The game is over.
    Over(Outcome),
    /// The rules went wrong. Boxed, so that to wait for something else is to write a few words.
    Broken(Box<Fault>),
}

impl Frame {
    #[inline]
    pub(super) fn new(proc: ProcId, base: u32, kind: FrameKind) -> Self {
        Frame {
            pc: 0,
            base,
            proc,
            kind,
            purpose: NO_CALL,
            called: 0,
            question: Overheard::default(),
        }
    }

    /// Whether it runs code.
    #[inline]
    pub(super) fn runs(&self) -> bool {
        matches!(self.kind, FrameKind::Code | FrameKind::Offer)
    }

    /// What the procedure is; nothing for a frame that runs no code.
    #[inline]
    pub(super) fn role(&self, rules: &Ruleset) -> Option<ProcRole> {
        self.runs().then(|| rules.procs[self.proc.index()].role)
    }
}

impl State {
    /// A state before its first step, with room for all it may ever hold.
    pub(super) fn new(rules: &Ruleset, facts: Facts, cards: Cards) -> Self {
        let (plans, happening, batches, frames) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let board = Board {
            facts,
            cards,
            plans,
            happening,
            batches,
            frames,
            won: 0,
            lost: 0,
            texts: Vec::new(),
        };
        let mut state = State::of(board);
        state.make_room();
        state
            .stack
            .resize(usize::from(rules.procs[rules.start.index()].registers).min(WINDOW));
        state
            .board
            .frames
            .push(Frame::new(rules.start, 0, FrameKind::Code));
        state
    }

    /// A state that waits for nothing.
    pub(super) fn of(board: Board) -> State {
        State {
            board,
            stack: Registers::new(),
            waiting: Waiting::Over(Outcome {
                ending: None,
                winners: 0,
                losers: 0,
            }),
            fuel: MOST_STEPS,
        }
    }

    /// What the rules may read, and the registers beside it.
    #[inline]
    pub(super) fn parts(&mut self) -> (&mut Board, &mut Registers) {
        (&mut self.board, &mut self.stack)
    }

    /// A copy without any room that it does not fill.
    pub(super) fn folded(&self) -> State {
        let board = &self.board;
        State {
            board: Board {
                facts: board.facts.clone(),
                cards: board.cards.clone(),
                plans: board.plans.to_vec(),
                happening: board.happening.to_vec(),
                batches: board.batches.to_vec(),
                frames: board.frames.to_vec(),
                texts: board.texts.clone(),
                ..*board
            },
            stack: self.stack.folded(),
            waiting: self.waiting.clone(),
            fuel: self.fuel,
        }
    }

    /// Room for all it may ever hold: stepping allocates nothing.
    pub(super) fn make_room(&mut self) {
        fn room<T>(list: &mut Vec<T>, most: usize) {
            list.reserve_exact(most.saturating_sub(list.len()));
        }
        room(&mut self.board.plans, MOST_PLANS);
        room(&mut self.board.happening, MOST_PLANS);
        room(&mut self.board.batches, MOST_FRAMES);
        room(&mut self.board.frames, MOST_FRAMES);
    }
}

impl Board {
    #[inline(never)]
    pub(super) fn during(&self, rules: &Ruleset, scene: SceneId) -> bool {
        runs(&self.frames, rules, scene)
    }

    /// For which times offers stand open now. While one is dealt with, only those do that are made for a scene
    /// played there.
    pub(super) fn due<'a>(&'a self, rules: &'a Ruleset) -> impl Fn(&Offer) -> bool + 'a {
        let taken = self.taken();
        let inside = &self.frames[taken.map_or(0, |at| at + 1)..];
        move |offer| match offer.during.as_slice() {
            [] => taken.is_none(),
            scenes => scenes.iter().any(|&scene| runs(inside, rules, scene)),
        }
    }

    /// The same for all offers at once, from what is known of their times.
    #[inline]
    pub(super) fn due_by(&self, times: &OfferTimes) -> u64 {
        let mut due = times.always;
        for frame in self.frames.iter().rev() {
            match frame.kind {
                FrameKind::Code => due |= times.while_runs[frame.proc.index()],
                FrameKind::Offer => return due & !times.always,
                FrameKind::Driver | FrameKind::Hand => {}
            }
        }
        due
    }

    /// Which frame deals with an offer, if one does.
    fn taken(&self) -> Option<usize> {
        { self.frames.iter() }.rposition(|frame| frame.kind == FrameKind::Offer)
    }

    /// Whether an offer is dealt with and no scene is played for it.
    pub(super) fn deals_with_an_offer(&self, rules: &Ruleset) -> bool {
        let is_scene = |frame: &Frame| matches!(frame.role(rules), Some(ProcRole::Scene(_)));
        self.taken()
            .is_some_and(|taken| !self.frames[taken + 1..].iter().any(is_scene))
    }

    /// Whether an offer stands open at this time that is made to them, for whom of them and of what is not asked.
    #[inline]
    pub(super) fn any_offer_is_due(
        &self,
        rules: &Ruleset,
        times: Option<&OfferTimes>,
        comers: Comers,
    ) -> bool {
        if let Some(times) = times {
            return self.due_by(times) & comers.offers(times) != 0;
        }
        let mut meant = rules.offers.iter().filter(|offer| comers.are_meant(offer));
        meant.next().is_some_and(|first| {
            let is_due = self.due(rules);
            is_due(first) || meant.any(is_due)
        })
    }

    /// Whether an occurrence of the event is being carried out.
    #[inline(never)]
    pub(super) fn during_event(&self, rules: &Ruleset, event: EventId) -> bool {
        self.batches.iter().any(|batch| batch.carries(self, event))
            || self
                .frames
                .iter()
                .any(|frame| frame.role(rules) == Some(ProcRole::Event(event)))
    }

    #[inline]
    pub(super) fn running(&self, proc: ProcId) -> bool {
        self.frames.iter().any(|frame| frame.runs() && frame.proc == proc)
    }

    /// Whether no scene runs but the one in the topmost frame.
    #[inline]
    pub(super) fn is_outermost(&self, rules: &Ruleset) -> bool {
        let is_scene = |frame: &Frame| matches!(frame.role(rules), Some(ProcRole::Scene(_)));
        self.frames
            .split_last()
            .is_none_or(|(_, below)| !below.iter().any(is_scene))
    }

    /// The topmost frame makes a call of a title; with [`NO_CALL`] the one it made is over.
    #[inline]
    pub(super) fn name_call(&mut self, title: u64, purpose: u16) {
        if let Some(frame) = self.frames.last_mut() {
            let title = if purpose == NO_CALL { 0 } else { title };
            (frame.called, frame.purpose) = (title, purpose);
        }
    }

    /// The title and the purpose of the innermost call.
    #[inline(never)]
    pub(super) fn called(&self) -> (u64, u16) {
        let call = self.frames.iter().rev().find(|frame| frame.purpose != NO_CALL);
        call.map_or((0, 0), |frame| (frame.called, frame.purpose))
    }

    #[inline(never)]
    pub(super) fn planned(&self, event: EventId) -> u64 {
        self.plans
            .iter()
            .filter(|plan| plan.event == event)
            .fold(0, |set, plan| set | plan.of)
    }
}

/// A copy with the same room to grow, so that stepping a copy allocates nothing either.
fn with_room<T: Clone>(list: &Vec<T>) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.capacity());
    copy.extend_from_slice(list);
    copy
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            board: self.board.clone(),
            stack: self.stack.clone(),
            waiting: self.waiting.clone(),
            fuel: self.fuel,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.board.clone_from(&other.board);
        self.stack.clone_from(&other.stack);
        self.waiting.clone_from(&other.waiting);
        self.fuel = other.fuel;
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Board {
            facts: self.facts.clone(),
            cards: self.cards.clone(),
            plans: with_room(&self.plans),
            happening: with_room(&self.happening),
            batches: with_room(&self.batches),
            frames: with_room(&self.frames),
            texts: self.texts.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.facts.clone_from(&other.facts);
        self.cards.clone_from(&other.cards);
        self.plans.clone_from(&other.plans);
        self.happening.clone_from(&other.happening);
        self.batches.clone_from(&other.batches);
        self.frames.clone_from(&other.frames);
        (self.won, self.lost) = (other.won, other.lost);
        self.texts.clone_from(&other.texts);
    }
}

/// Whether a scene is running in one of these frames.
fn runs(frames: &[Frame], rules: &Ruleset, scene: SceneId) -> bool {
    let proc = rules.scenes[scene.index()].proc;
    frames.iter().any(|frame| frame.proc == proc && frame.runs())
}
