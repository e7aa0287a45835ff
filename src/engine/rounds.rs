//! Two loops that every game of this kind runs through more often than through anything else, each in one
//! step: everybody is asked for somebody, and everybody is dealt a card.
//!
//! Both read what they are to do from the instructions they stand for, and stop at the instruction that
//! has to wait.

use crate::compute::{MOST_STEPS, STEPS_OF_A_DRAW};
use crate::event::Listener;
use crate::facts::{first, last};
use crate::look::Look;
use crate::machine::Machine;
use crate::reflex::{Reflex, Round, member};
use crate::registers::{Bank, Window};
use crate::state::{Board, State};
use omerta_core::rules::{AskFrame, DrawFrame, MOST_CARDS, Op, Reg};

/// Where the question of a poll stands, counted from its beginning.
const QUESTION: u32 = 5;
/// Where the draw of a deal stands.
const DRAW: u32 = 5;

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// [`crate::rules::Act::Poll`]. Says whether steps can go on.
    pub(super) fn poll(&mut self) -> bool {
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
            return false;
        };
        let State { board, stack, .. } = &mut *self.state;
        let regs = stack.window(self.base);
        let (frame, had) = (AskFrame(*who), regs.get(*into));
        let (Some((left, _)), Some((those, but))) = (range(left, board, regs), range(among, board, regs))
        else {
            return false;
        };
        let round = Round {
            site: *site,
            asked: left & !had,
            among: those,
            others: but == Some(*who),
        };
        // Where somebody might be left without a choice, the instructions see to it.
        if those & those.wrapping_sub(1) == 0 {
            regs.put(*set, round.asked);
            self.pc += 1;
            return true;
        }
        let look = Look { rules, board };
        let mut answers = [0; MOST_CARDS];
        let count = match self.reflex.answers() {
            true => self.reflex.answer_round(round, look, &mut answers),
            false => 0,
        };
        let row = board.facts.row_mut(rules.facts[fact.index()].slot);
        let (mut waiting, mut last) = (round.asked, None);
        for &number in answers.iter().take(count) {
            let asked = first(waiting);
            let (Some(word), Some(of)) = (
                member(u32::from(number), round.among(asked)),
                row.get_mut(asked.trailing_zeros() as usize),
            ) else {
                break;
            };
            *of = word;
            waiting &= !asked;
            last = Some((asked, word));
        }
        if let Some((asked, word)) = last {
            // The answer begins anew; the way back to the next is one step.
            self.fuel = MOST_STEPS - 1;
            regs.put(frame.who(), asked);
            regs.put(frame.among(), round.among(asked));
            regs.put(frame.answer(), word);
        }
        regs.put(*into, had | round.asked & !waiting);
        // The next one is asked and has to be waited for.
        let next = first(waiting);
        regs.put(*set, waiting & !next);
        if next == 0 {
            self.pc = *end;
            return true;
        }
        regs.put(frame.who(), next);
        regs.put(*into, had | round.asked & !waiting | next);
        regs.put(frame.among(), round.among(next));
        self.pc += QUESTION;
        false
    }

    /// [`crate::rules::Act::Deal`]. Says whether everybody has a card.
    pub(super) fn deal(&mut self) -> bool {
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
            return false;
        };
        let State { board, stack, .. } = &mut *self.state;
        let regs = stack.window(self.base);
        let (frame, among) = (DrawFrame(*base), board.cards.in_zone(rules, *from, regs.get(*of)));
        let to = regs.get(*set);
        let look = Look { rules, board };
        let mut cards = [0; MOST_CARDS];
        let cards = &mut cards[..to.count_ones().min(among.count_ones()) as usize];
        let count = match self.reflex.answers() {
            true => self.reflex.outcome_round(*site, among, look, cards),
            false => 0,
        };
        let dealt = board
            .cards
            .deal(rules, (to, among), &cards[..count], (*from, *onto));
        let last_dealt = cards[..count].get(..dealt.count).and_then(|cards| cards.last());
        let (to, among) = (to & !dealt.to, among & !dealt.cards);
        // Each draw, and the way back from it.
        self.fuel -= dealt.count as u32 * (STEPS_OF_A_DRAW + 1);
        if let Some(card) = last_dealt {
            let (seat, card) = (last(dealt.to), 1 << card);
            regs.put(*who, seat);
            regs.put(frame.among(), among | card);
            regs.put(frame.seat(), seat);
            regs.put(frame.outcome(), card);
        }
        if to != 0 && among != 0 {
            // The next one has to wait for his card.
            let next = first(to);
            regs.put(*set, to & !next);
            regs.put(*who, next);
            regs.put(frame.among(), among);
            regs.put(frame.seat(), next);
            self.pc += DRAW;
            return false;
        }
        if to != 0 {
            // Nothing is left for the rest.
            self.fuel -= to.count_ones();
            regs.put(*who, last(to));
            regs.put(frame.among(), 0);
        }
        regs.put(*set, 0);
        self.pc = *end;
        true
    }
}

/// What an instruction works out, of the kinds that [`crate::check`] takes for a poll: a set that stays what
/// it is, and whom it is less by.
#[inline(always)]
fn range(op: &Op, board: &Board, regs: &Window) -> Option<(u64, Option<Reg>)> {
    let facts = &board.facts;
    Some(match *op {
        Op::Players { .. } => (facts.players(), None),
        Op::Copy { from, .. } => (regs.get(from), None),
        Op::Load { slot, .. } => (facts.word(slot), None),
        Op::Outside { slot, .. } => (facts.outside(slot), None),
        Op::GroupOutside { group, slot, .. } => (board.cards.group(group) & facts.outside(slot), None),
        Op::OutsideBut { slot, but, .. } => (facts.outside(slot), Some(but)),
        Op::Others { of, .. } => (facts.players(), Some(of)),
        Op::Without { a, b, .. } => (regs.get(a), Some(b)),
        _ => return None,
    })
}
