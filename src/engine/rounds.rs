//! Two loops that every game of this kind runs through more often than through anything else, each in one
//! step: everybody is asked for somebody, and everybody is dealt a card.
//!
//! Both read what they are to do from the instructions they stand for, and stop at the instruction that
//! has to wait.

use super::ask::{ANSWER, OUTCOME};
use super::cards::End;
use super::compute::{MOST_STEPS, Stop, burn, compute};
use super::effects::pile;
use super::event::Listener;
use super::facts::first;
use super::look::Look;
use super::quick::answer;
use super::reflex::{Reflex, ready_outcome};
use super::registers::Bank;
use super::run::Machine;
use super::state::State;
use crate::rules::{Op, Reg};

/// Where the question of a poll stands, counted from its beginning.
const QUESTION: u32 = 5;
/// Where the draw of a deal stands.
const DRAW: u32 = 5;

impl<L: Listener, R: Reflex> Machine<'_, L, R> {
    /// [`crate::rules::Act::Poll`]. Says whether everybody has been asked.
    pub(super) fn poll(&mut self) -> Result<bool, Stop> {
        let rules = self.rules;
        let [
            left,
            Op::JumpUnless { test: set, at: end },
            Op::Pop { to: who, .. },
            Op::Or { to: into, .. },
            among,
            Op::Ask { site, .. },
            Op::Link { fact, .. },
            ..,
        ] = &rules.code[self.pc as usize..]
        else {
            return Ok(false);
        };
        let row = rules.facts[fact.index()].slot;
        let State { board, stack, .. } = &mut *self.state;
        let regs = stack.window(self.base);
        loop {
            compute(left, Look { rules, board }, &rules.constants, regs, self.tally);
            let waiting = regs.get(*set);
            let asked = first(waiting);
            regs.put(*set, waiting & !asked);
            if asked == 0 {
                self.pc = *end;
                return Ok(true);
            }
            regs.put(*who, asked);
            regs.put(*into, regs.get(*into) | asked);
            compute(among, Look { rules, board }, &rules.constants, regs, self.tally);
            let among = regs.get(Reg(who.0 + 1));
            let Some(word) = answer(self.reflex, (*site, *who, among), rules, board, regs) else {
                self.pc += QUESTION;
                return Ok(false);
            };
            self.fuel = MOST_STEPS;
            regs.put(Reg(who.0 + ANSWER as u16), word);
            board.facts.link_one(row, asked, word);
        }
    }

    /// [`crate::rules::Act::Deal`]. Says whether everybody has a card.
    pub(super) fn deal(&mut self) -> Result<bool, Stop> {
        let rules = self.rules;
        let [
            Op::JumpUnless { test: set, at: end },
            Op::Pop { to: who, .. },
            Op::CardsIn { zone: from, of, .. },
            _,
            _,
            Op::Draw { site, base },
            Op::Move { zone: onto, .. },
            ..,
        ] = &rules.code[self.pc as usize..]
        else {
            return Ok(false);
        };
        let State { board, stack, .. } = &mut *self.state;
        let regs = stack.window(self.base);
        loop {
            let left = regs.get(*set);
            let dealt = first(left);
            if dealt == 0 {
                self.pc = *end;
                return Ok(true);
            }
            regs.put(*set, left & !dealt);
            regs.put(*who, dealt);
            let among = board.cards.in_zone(rules, *from, regs.get(*of));
            regs.put(*base, among);
            if among == 0 {
                burn(&mut self.fuel)?;
                continue;
            }
            regs.put(Reg(base.0 + 1), dealt);
            let look = Look { rules, board };
            let ready = if R::ANSWERS {
                ready_outcome(self.reflex, *site, among, look)
            } else {
                None
            };
            let Some(card) = ready else {
                self.pc += DRAW;
                return Ok(false);
            };
            self.fuel = MOST_STEPS;
            regs.put(Reg(base.0 + OUTCOME as u16), card);
            if let Some(to) = pile(rules, board, *onto, dealt) {
                board.cards.lay(rules, card, to, End::Top);
            }
        }
    }
}
