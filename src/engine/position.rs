//! A state as plain words, for those who ask whether two positions are alike and put a game into one
//! that was kept.
//!
//! What only the log wants (where a driver stands, what a question looked like) is no part of a position.

use crate::cards::Thing;
use crate::choice::{Fault, Outcome};
use crate::game::Game;
use crate::state::{Batch, Frame, FrameKind, MOST_STEPS, Occurrence, Phase, Source, State, Waiting};
use omerta_core::rules::{EventId, MOST_HANDED, Op, ProcId, Ruleset};

/// A game that waits, as plain words.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Position {
    /// The procedures that are running, the outermost first.
    pub frames: Vec<Running>,
    /// The registers of all of them.
    pub registers: Vec<u64>,
    /// What the game remembers: one word for each mark, flag and count, then the rows.
    pub words: Vec<u64>,
    /// The cards and tokens.
    pub things: Vec<Thing>,
    /// What is planned, and what is on its way; the innermost batch last.
    pub plans: Vec<Happens>,
    /// See [`Position::plans`].
    pub happening: Vec<Happens>,
    /// The batches that are being carried out, each as one word.
    pub batches: Vec<u64>,
    /// Who has won so far, and who has lost.
    pub won: u64,
    /// See [`Position::won`].
    pub lost: u64,
    /// Where the question or the draw has its registers.
    pub at: u32,
}

/// A procedure that is running.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Running {
    /// The instruction at which it waits; the topmost one waits for an answer there.
    pub pc: u32,
    /// Where its registers begin.
    pub base: u32,
    /// Which it is.
    pub proc: ProcId,
    /// The purpose of the call made in it.
    pub purpose: u16,
    /// The title called.
    pub called: u64,
    /// 0 runs code, 1 is an offer, 2 carries out a batch and runs nothing.
    pub kind: u8,
}

/// An event that is planned, or on its way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Happens {
    /// Which, and what was decided of it.
    pub event: (u16, u16),
    /// To whom.
    pub of: u64,
    /// By whom.
    pub by: u64,
    /// With what.
    pub with: [u64; MOST_HANDED],
}

/// By hand, so that whoever copies one after the other keeps the room they take.
impl Clone for Position {
    fn clone(&self) -> Position {
        let mut copy = Position::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Position) {
        self.frames.clone_from(&from.frames);
        self.registers.clone_from(&from.registers);
        self.words.clone_from(&from.words);
        self.things.clone_from(&from.things);
        self.plans.clone_from(&from.plans);
        self.happening.clone_from(&from.happening);
        self.batches.clone_from(&from.batches);
        (self.won, self.lost, self.at) = (from.won, from.lost, from.at);
    }
}

impl Game {
    /// Writes down where the game stands; `false` where it waits for nothing.
    pub fn stand(&self, to: &mut Position) -> bool {
        let state = self.state();
        let at = match state.waiting {
            Waiting::Ask { at, .. } | Waiting::Draw { at, .. } => at,
            Waiting::Over(_) | Waiting::Broken(_) => return false,
        };
        let board = &state.board;
        to.at = at;
        (to.won, to.lost) = (board.won, board.lost);
        refill(&mut to.frames, board.frames.iter().map(running));
        refill(&mut to.registers, state.stack.iter().copied());
        refill(&mut to.words, board.facts.words().iter().copied());
        refill(&mut to.things, board.cards.things().iter().copied());
        refill(&mut to.plans, board.plans.iter().map(happens));
        refill(&mut to.happening, board.happening.iter().map(happens));
        refill(&mut to.batches, board.batches.iter().map(packed));
        true
    }

    /// Puts the game to where one of the same table stood.
    pub fn stand_at(&mut self, position: &Position) {
        let rules = self.rules().clone();
        self.state_mut().stand_at(&rules, position);
    }

    /// Remembers some words of a position, from a place on.
    pub fn put_words(&mut self, from: usize, words: &[u64]) {
        self.state_mut().board.facts.put_words(from, words);
    }

    /// How a game that is over ended, or by what it broke.
    pub fn ended(&self) -> Option<Result<Outcome, &Fault>> {
        match &self.state().waiting {
            Waiting::Over(outcome) => Some(Ok(*outcome)),
            Waiting::Broken(fault) => Some(Err(fault)),
            Waiting::Ask { .. } | Waiting::Draw { .. } => None,
        }
    }
}

impl State {
    fn stand_at(&mut self, rules: &Ruleset, position: &Position) {
        let board = &mut self.board;
        board.facts.put_words(0, &position.words);
        board.cards.put_things(rules, &position.things);
        refill(&mut board.frames, position.frames.iter().map(frame));
        refill(&mut board.plans, position.plans.iter().map(occurrence));
        refill(&mut board.happening, position.happening.iter().map(occurrence));
        refill(
            &mut board.batches,
            position.batches.iter().map(|word| unpacked(*word)),
        );
        (board.won, board.lost) = (position.won, position.lost);
        board.texts.clear();
        self.stack.make_room();
        self.stack.resize(position.registers.len());
        self.stack.copy_from_slice(&position.registers);
        self.fuel = MOST_STEPS;
        let pc = position.frames.last().map_or(0, |frame| frame.pc);
        self.waiting = match rules.code.get(pc as usize) {
            Some(&Op::Draw { site, .. }) => Waiting::Draw {
                site,
                at: position.at,
            },
            Some(&Op::Ask { site, .. }) => Waiting::Ask {
                site,
                at: position.at,
            },
            _ => Waiting::Over(Outcome::default()),
        };
    }
}

fn refill<T>(list: &mut Vec<T>, from: impl Iterator<Item = T>) {
    list.clear();
    list.extend(from);
}

fn running(frame: &Frame) -> Running {
    let kind = match frame.kind {
        FrameKind::Code => 0,
        FrameKind::Offer => 1,
        FrameKind::Driver => 2,
        FrameKind::Hand => 3,
    };
    Running {
        pc: frame.pc,
        base: frame.base,
        proc: frame.proc,
        purpose: frame.purpose,
        called: frame.called,
        kind,
    }
}

fn frame(running: &Running) -> Frame {
    let kind = match running.kind {
        0 => FrameKind::Code,
        1 => FrameKind::Offer,
        2 => FrameKind::Driver,
        _ => FrameKind::Hand,
    };
    Frame {
        pc: running.pc,
        purpose: running.purpose,
        called: running.called,
        ..Frame::new(running.proc, running.base, kind)
    }
}

fn happens(occurrence: &Occurrence) -> Happens {
    Happens {
        event: (occurrence.event.0, occurrence.decision),
        of: occurrence.of,
        by: occurrence.by,
        with: occurrence.with,
    }
}

fn occurrence(happens: &Happens) -> Occurrence {
    Occurrence {
        event: EventId(happens.event.0),
        of: happens.of,
        by: happens.by,
        with: happens.with,
        decision: happens.event.1,
    }
}

/// What a batch is, in one word; the places in it are bounded by how many may be on their way.
fn packed(batch: &Batch) -> u64 {
    let phase = match batch.phase {
        Phase::Before => 0,
        Phase::Body => 1,
        Phase::After => 2,
    };
    let (settles, list, next) = match batch.source {
        Source::Done => (0, 0, 0),
        Source::Settled { list, next } => (1, u64::from(list), u64::from(next)),
    };
    let counts = u64::from(batch.first) | u64::from(batch.count) << 10 | u64::from(batch.begun) << 20;
    counts | phase << 30 | settles << 32 | (list & 0x7fff) << 33 | (next & 0xffff) << 48
}

fn unpacked(word: u64) -> Batch {
    let part = |from: u32, bits: u32| (word >> from & ((1 << bits) - 1)) as u16;
    let phase = match part(30, 2) {
        0 => Phase::Before,
        1 => Phase::Body,
        _ => Phase::After,
    };
    let source = match part(32, 1) {
        0 => Source::Done,
        _ => Source::Settled {
            list: part(33, 15),
            next: part(48, 16),
        },
    };
    let mut batch = Batch::new(part(0, 10), part(10, 10), phase, source);
    batch.begun = part(20, 10);
    batch
}
