//! What a host does by hand: no rule made it, and it goes the way of everything the rules do, so that
//! it is told, kept, and met by the rules that wait for it.

use crate::choice::{Choice, Deed, Illegal};
use crate::compute::EvalError;
use crate::event::{Listener, What};
use crate::look::Look;
use crate::machine::{Flow, Machine, Rank};
use crate::offers::seat_bit;
use crate::reflex::Reflex;
use crate::state::{Frame, FrameKind, Overheard};
use omerta_core::rules::{EventId, FactId, FactShape, GroupKind, Kind, ProcId, Reg};

/// Whether a deed names things that there are, of the right sort.
pub(super) fn check_deed(look: Look<'_>, deed: Deed) -> Result<(), Illegal> {
    let (rules, seats) = (look.rules, look.board.facts.seats());
    let seat = |seat: u8| seat < seats;
    let shape = |fact: FactId| {
        let fact = rules.facts.get(fact.index()).filter(|fact| !fact.hidden);
        fact.map(|fact| fact.shape)
    };
    let is_there = |fact: FactId, of: Option<u8>| match (shape(fact), of) {
        (Some(FactShape::Flag | FactShape::Count), None) => true,
        (Some(FactShape::CountOfEach), Some(of)) => seat(of),
        _ => false,
    };
    let fits = match deed {
        Deed::Turn { seat: of, role } => {
            let kind = rules.groups.get(role.index()).map(|group| group.kind);
            seat(of) && kind == Some(GroupKind::Role)
        }
        Deed::Mark { fact, seat: of } | Deed::Unmark { fact, seat: of } => {
            let marks = matches!(
                shape(fact),
                Some(FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. })
            );
            marks && seat(of)
        }
        Deed::Link { fact, from, to } => {
            let links = shape(fact).and_then(FactShape::links_to) == Some(Kind::Players);
            links && seat(from) && to.is_none_or(seat)
        }
        Deed::Count { fact, seat, value } => is_there(fact, seat) && rules.facts[fact.index()].may_be(value),
        Deed::Write { fact, seat, text } => {
            is_there(fact, seat) && rules.facts[fact.index()].text && look.written(text).is_some()
        }
        Deed::Happen { event, of, by } => rules.events.get(event.index()).is_some_and(|event| {
            event.with.is_empty()
                && event.of == of.is_some()
                && (event.by || by.is_none())
                && of.is_none_or(seat)
                && by.is_none_or(seat)
        }),
    };
    if fits { Ok(()) } else { Err(Illegal::NoDeed) }
}

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// Does what a host does by hand, and puts the question that waits anew.
    pub(super) fn take_deed(&mut self, deed: Deed) {
        let question = self.looks_like();
        self.tell_host(Rank::Question, |game| {
            let text = Choice::ByHand(deed).text();
            let text = text.and_then(|number| game.look().written(number));
            What::ByHand {
                deed,
                text: text.map(str::to_owned),
            }
        });
        let bit = |seat: u8| seat_bit(Some(seat));
        let flow = match deed {
            Deed::Happen { event, of, by } => self.happen(event, seat_bit(of), seat_bit(by), question),
            Deed::Turn { seat, role } => self
                .turn(bit(seat), role)
                .and_then(|()| self.done(question, |_| {})),
            Deed::Mark { fact, seat } => self.done(question, |game| game.mark(fact, bit(seat))),
            Deed::Unmark { fact, seat } => self.done(question, |game| game.unmark(fact, bit(seat))),
            Deed::Link { fact, from, to } => self.done(question, |game| match to {
                Some(to) => game.link(fact, bit(from), bit(to)),
                None => game.unlink(fact, bit(from), u64::MAX),
            }),
            Deed::Count { fact, seat, value } => {
                self.done(question, |game| game.keep(fact, seat, i64::from(value) as u64))
            }
            Deed::Write { fact, seat, text } => self.done(question, |game| {
                let word = game.look().text_word(text);
                game.keep(fact, seat, word);
            }),
        };
        self.run_from(flow);
    }

    fn keep(&mut self, fact: FactId, seat: Option<u8>, word: u64) {
        match seat {
            Some(_) => self.count_each(fact, seat_bit(seat), word),
            None => self.count(fact, word),
        }
    }

    fn done(&mut self, question: Overheard, effect: impl FnOnce(&mut Self)) -> Result<Flow, EvalError> {
        effect(self);
        self.question = question;
        Ok(Flow::At(self.ask_anew()))
    }

    /// The event happens in a frame of its own, on top of the one that waits.
    fn happen(&mut self, event: EventId, of: u64, by: u64, question: Overheard) -> Result<Flow, EvalError> {
        let base = self.state.stack.len();
        let frame = Frame {
            question,
            ..Frame::new(ProcId::default(), base as u32, FrameKind::Hand)
        };
        self.push_hand(frame, &[of, by, 0])?;
        match self.do_event(event, Reg(0))? {
            Flow::Next => self.leave_hand(),
            flow => Ok(flow),
        }
    }

    /// What was done by hand is over: the question below is put anew.
    pub(super) fn leave_hand(&mut self) -> Result<Flow, EvalError> {
        if let Some(hand) = self.state.board.frames.pop() {
            self.question = hand.question;
        }
        if let Some(&below) = self.state.board.frames.last() {
            self.back_to(below);
        }
        Ok(Flow::At(self.ask_anew()))
    }
}
