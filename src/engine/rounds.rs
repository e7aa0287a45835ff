//! Two loops that every game of this kind runs through more often than through anything else, each in one
//! step: everybody is asked the same question, and everybody is dealt a card.
//!
//! Both stop where somebody has to be waited for.

use crate::cards::{End, Pile};
use crate::compute::STEPS_OF_A_DRAW;
use crate::event::Listener;
use crate::facts::{first, last, member};
use crate::look::Look;
use crate::machine::Machine;
use crate::pause::Fixed;
use crate::reflex::{NOBODY, Reflex, Round, choices_of};
use crate::registers::{Bank, Window};
use crate::state::{Board, State};
use omerta_core::rules::{AskFrame, DrawFrame, Keep, MOST_CARDS, Op, Pass, Range, RoundSite};

/// No more can be asked in a round.
pub(super) const MOST_SEATS: usize = 64;
/// Where the draw of a deal stands, and that of a pile that is shuffled.
const DRAW: u32 = 5;
const DRAW_OF_A_SHUFFLE: u32 = 2;

/// [`omerta_core::rules::Act::Round`]: lets whoever is asked and everybody who is left answer, as far as answers are
/// ready. Says whether any was; the registers are then those of the last who gave one.
#[inline(never)]
pub(super) fn go_round<R: Reflex + ?Sized>(
    reflex: &mut R,
    site: &RoundSite,
    (&Fixed { rules, times, .. }, board): (&Fixed<'_>, &mut Board),
    regs: &mut Window,
) -> bool {
    let frame = AskFrame(site.who.into());
    let left = regs.get(site.left);
    let among = site.among.map(|range| in_range(range, frame, board, regs));
    let asked = regs.get(frame.who()) | left;
    let only_himself = |set: u64| site.others && set.is_power_of_two() && set & asked != 0;
    let no_choice = |set: u64| set == 0 || only_himself(set);
    // Where somebody might be left without a choice, or take up an offer, each is asked by himself.
    let offered = |comers| board.any_offer_is_due(rules, times, comers);
    if left == 0 || !reflex.answers() || among.is_some_and(no_choice) || offered(reflex.comers()) {
        return false;
    }
    let round = Round {
        site: site.ask,
        asked,
        among,
        others: site.others,
        pass: match rules.ask(site.ask).pass {
            Pass::Never => false,
            Pass::Always => true,
            Pass::When => regs.get(frame.pass()) != 0,
        },
        look: Look { rules, board },
    };
    let mut answers = [0; MOST_SEATS];
    let count = reflex.answer_round(round, &mut answers);
    let (pass, choices) = (round.pass, |seat: u64| choices_of(among, site.others, seat));
    let row = match site.keep {
        Keep::Row(slot) => board.facts.row_mut(slot),
        Keep::Nothing | Keep::Yes(_) => &mut [],
    };
    let (mut waiting, mut yes, mut last) = (asked, 0, None);
    for &number in answers.iter().take(count) {
        let seat = first(waiting);
        let word = match (among, number) {
            (None, 0 | 1) => Some(u64::from(number)),
            (Some(_), NOBODY) => pass.then_some(0),
            (Some(_), number) => member(u32::from(number), choices(seat)),
            (None, _) => None,
        };
        let (Some(word), false) = (word, seat == 0) else {
            break;
        };
        if let Some(kept) = row.get_mut(seat.trailing_zeros() as usize) {
            *kept = word;
        }
        waiting &= !seat;
        yes |= if word != 0 { seat } else { 0 };
        last = Some((seat, word));
    }
    let Some((seat, word)) = last else { return false };
    match site.keep {
        Keep::Yes(to) => regs.put(to, regs.get(to) | yes),
        Keep::Nothing | Keep::Row(_) => {}
    }
    regs.put(frame.who(), seat);
    if site.others {
        regs.put(frame.among(), choices(seat));
    }
    regs.put(frame.answer(), word);
    regs.put(site.asked, regs.get(site.asked) | asked & !waiting);
    regs.put(site.left, waiting);
    true
}

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// [`omerta_core::rules::Act::Deal`]. Says whether everybody has a card.
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
            return self.shuffle();
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

    /// The same of a pile that is shuffled. Says whether all cards of it lie anew.
    #[inline(never)]
    fn shuffle(&mut self) -> bool {
        let rules = self.rules;
        let &[
            Op::JumpUnless { test: rest, at: end },
            _,
            Op::Draw { site, base },
            Op::Move { zone, .. },
            ..,
        ] = &rules.code[self.pc as usize..]
        else {
            return false;
        };
        let State { board, stack, .. } = &mut *self.state;
        let (regs, frame) = (stack.window(self.base), DrawFrame(base));
        let left = regs.get(rest);
        let mut drawn = [0; MOST_CARDS];
        let drawn = &mut drawn[..left.count_ones() as usize];
        let count = match self.reflex.answers() {
            true => self
                .reflex
                .outcome_round(site, left, Look { rules, board }, drawn),
            false => 0,
        };
        let pile = Pile { zone, seat: None };
        let mut among = left;
        for &card in &drawn[..count] {
            let Some(card) = member(card.into(), among) else {
                break;
            };
            board.cards.lay(rules, card, pile, End::Bottom);
            regs.put(frame.among(), among);
            regs.put(frame.outcome(), card);
            among &= !card;
        }
        // Each draw, and the way back from it.
        self.fuel -= (left & !among).count_ones() * (STEPS_OF_A_DRAW + 1);
        regs.put(rest, among);
        if among != 0 {
            // The next one has to be waited for.
            regs.put(frame.among(), among);
            self.pc += DRAW_OF_A_SHUFFLE;
            return false;
        }
        self.pc = end;
        true
    }
}

/// The set that a question which goes round is among.
#[inline(always)]
fn in_range(range: Range, frame: AskFrame, board: &Board, regs: &Window) -> u64 {
    match range {
        Range::Asked => regs.get(frame.among()),
        Range::Players => board.facts.players(),
        Range::Held(reg) => regs.get(reg),
        Range::Outside(slot) => board.facts.outside(slot),
    }
}
