//! Instructions that change the game or pause it: one small arm each.

use crate::ask::{
    ASK, Answer, By, DRAW, answer_value, asked, can_be_answered, can_come_out, no_answer, open_branches,
    outcome_value,
};
use crate::cards::{End, Pile};
use crate::choice::{Asked, Domain, FaultKind};
use crate::compute::{
    EvalError, MOST_STEPS, PureEval, STEPS_OF_A_DRAW, THINGS_OF_A_STEP, ask_hook, burn, uncounted,
};
use crate::event::{Audience, Left, Listener, Value, What};
use crate::facts::{Facts, seats_in};
use crate::look::Look;
use crate::machine::{Flow, Machine, Rank};
use crate::offers::seat_bit;
use crate::pause::{Fixed, Legal, Pause, Site};
use crate::reflex::{Reflex, ready};
use crate::registers::{Bank, Window};
use crate::state::{Board, Frame, FrameKind, Overheard, Waiting};
use crate::words::phrase_values;
use omerta_core::digest::Digest;
use omerta_core::rules::{
    AskId, AskKind, AskSite, DrawId, EndingId, FactId, GroupId, GroupKind, HookId, OfferId, Op, Reg, Ruleset,
    SayId, SayKind, SceneId, SeenBy, ZoneId,
};
use std::{cell::Cell, hash::Hash};

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// Carries out an instruction that does more than change registers, but for the few that
    /// [`Machine::run`] knows itself.
    #[inline(never)]
    pub(super) fn effect(&mut self, op: &Op) -> Result<Flow, EvalError> {
        match *op {
            Op::Mark { fact, set } => self.mark(fact, self.reg(set)),
            Op::Unmark { fact, set } => self.unmark(fact, self.reg(set)),
            Op::Link { fact, from, to_set } => self.link(fact, self.reg(from), self.reg(to_set)),
            Op::Unlink { fact, from, to_set } => self.unlink(fact, self.reg(from), self.reg(to_set)),
            Op::Set { fact, value } => self.count(fact, self.reg(value)),
            Op::SetOf { fact, of, value } => self.count_each(fact, self.reg(of), self.reg(value)),
            Op::Add { fact, value } => self.add(fact, self.reg(value))?,
            Op::AddOf { fact, of, value } => self.add_each(fact, self.reg(of), self.reg(value))?,
            Op::Clear { fact } => self.clear(fact),

            Op::Move {
                cards,
                zone,
                seat,
                under,
            } => self.move_cards(self.reg(cards), zone, self.reg(seat), end(under))?,
            Op::PutCast { zone, seat } => self.put_cast(zone, self.reg(seat))?,
            Op::Put { group, zone, seat } => self.put(group, zone, self.reg(seat))?,
            Op::Swap { a, b, base } => self.swap((a, self.reg(base)), (b, self.operand(base, 1)))?,
            Op::Flip { cards, face } => self.flip(self.reg(cards), face)?,
            Op::Turn { set, role } => self.turn(self.reg(set), role)?,
            Op::TurnInto { set, titles } => {
                if let Some(role) = self.only_role(self.reg(titles)) {
                    self.turn(self.reg(set), role)?;
                }
            }

            Op::Reseat { .. } | Op::SeatInOrder { .. } => self.reseat(op),
            Op::Leave { scene } => return self.leave_scene(scene),
            Op::Perform { base } => return self.perform(base),
            Op::Call { title, purpose } => {
                let title = self.reg(title);
                self.state.board.name_call(title, purpose);
            }

            Op::Do { event, base } => return self.do_event(event, base),
            Op::Plan { event, base } => self.plan(event, base)?,
            Op::Settle { list } => return self.settle(list),
            Op::Cancel { list, base } => self.cancel(list, self.reg(base), self.operand(base, 1)),
            Op::Applied { rule } => self.tell_host(Rank::Rule, |_| What::RuleApplied { rule }),
            Op::Began { scene } => self.begin_scene(scene),
            Op::Ended { scene } => self.scene_ended(scene),
            Op::Nears { scene } => self.scene_nears(scene),
            Op::Passed { scene } => self.scene_passed(scene),
            Op::Replaced { scene } => {
                count_scene(self.rules, &mut self.state.board.facts, scene, -1);
                self.scene_passed(scene);
            }
            Op::Performs { title, who } => self.tell_host(Rank::Began, |game| What::Performed {
                title,
                who: game.reg(who),
            }),

            Op::Say { site, who } => self.say(site, who)?,
            Op::Tire { steps } => burn(&mut self.fuel, steps)?,
            Op::Hook { hook, base } => self.hook(hook, base)?,

            Op::Win { set } => self.state.board.won |= self.reg(set),
            Op::Lose { set } => self.state.board.lost |= self.reg(set),
            Op::End { ending } => return Ok(self.end(Some(ending).filter(|&ending| ending != NO_ENDING))),
            // Those that can be carried out were.
            // Only a thunk ends like this, and thunks run in a loop of their own; all that is left
            // was carried out before.
            _ => match uncounted(op, |reg| self.reg(reg)) {
                Some(fault) => return Err(Box::new(fault)),
                None => unreachable!("{op:?} at {} does not stand in a procedure", self.pc),
            },
        }
        Ok(Flow::Next)
    }

    pub(super) fn mark(&mut self, id: FactId, seats: u64) {
        let fact = &self.rules.facts[id.index()];
        let (new, dropped) = self.state.board.facts.mark(fact, seats);
        if self.listener.listens() && !fact.hidden {
            self.tell_unmarked(id, dropped);
            self.tell_seen(id, new, |_, seats| What::Marked { fact: id, seats });
        }
    }

    pub(super) fn unmark(&mut self, id: FactId, seats: u64) {
        let fact = &self.rules.facts[id.index()];
        let gone = self.state.board.facts.unmark(fact, seats);
        if self.listener.listens() && !fact.hidden {
            self.tell_unmarked(id, gone);
        }
    }

    fn tell_unmarked(&mut self, fact: FactId, seats: u64) {
        self.tell_seen(fact, seats, |_, seats| What::Unmarked { fact, seats });
    }

    pub(super) fn link(&mut self, id: FactId, from: u64, to: u64) {
        self.state
            .board
            .facts
            .link(&self.rules.facts[id.index()], from, to);
        self.tell_linked(id, from, to);
    }

    pub(super) fn unlink(&mut self, id: FactId, from: u64, to: u64) {
        let fact = &self.rules.facts[id.index()];
        self.state
            .board
            .facts
            .change_each(fact.slot, from, |word| word & !to);
        if to == u64::MAX {
            self.tell_linked(id, from, 0);
        } else if to != 0 && !fact.hidden {
            self.tell_seen(id, from, |_, from| What::Unlinked { fact: id, from, to });
        }
    }

    fn tell_linked(&mut self, fact: FactId, from: u64, to: u64) {
        if !self.rules.facts[fact.index()].hidden {
            self.tell_seen(fact, from, |_, from| What::Linked { fact, from, to });
        }
    }

    pub(super) fn count(&mut self, id: FactId, value: u64) {
        let slot = self.rules.facts[id.index()].slot;
        self.state.board.facts.set(slot, value);
        self.tell_counted(id, 0, value);
    }

    pub(super) fn count_each(&mut self, id: FactId, of: u64, value: u64) {
        let slot = self.rules.facts[id.index()].slot;
        self.state.board.facts.change_each(slot, of, |_| value);
        self.tell_counted(id, of, value);
    }

    fn add(&mut self, id: FactId, value: u64) -> Result<(), EvalError> {
        let slot = self.rules.facts[id.index()].slot;
        let sum = sum(self.state.board.facts.word(slot), value)?;
        self.count(id, sum);
        Ok(())
    }

    fn add_each(&mut self, id: FactId, of: u64, value: u64) -> Result<(), EvalError> {
        let slot = self.rules.facts[id.index()].slot;
        let facts = &mut self.state.board.facts;
        for seat in seats_in(of & facts.players()) {
            let sum = sum(facts.row(slot)[seat], value)?;
            facts.change_each(slot, 1 << seat, |_| sum);
        }
        if self.listener.listens() {
            for seat in seats_in(of & self.state.board.facts.players()) {
                let number = self.state.board.facts.row(slot)[seat];
                self.tell_counted(id, 1 << seat, number);
            }
        }
        Ok(())
    }

    fn tell_counted(&mut self, id: FactId, seats: u64, value: u64) {
        if self.listener.listens() && !self.rules.facts[id.index()].hidden {
            let (fact, value) = (id, value as i64);
            self.tell_seen(fact, seats, |game, seats| {
                match game.rules.facts[fact.index()].text {
                    true => What::Kept {
                        fact,
                        seats,
                        text: game.look().text(value as u64).to_owned(),
                    },
                    false => What::Counted { fact, seats, value },
                }
            });
        }
    }

    /// Tells whoever sees the fact, if it is of somebody or of the game; of each seat by itself where not all see all.
    fn tell_seen(&mut self, id: FactId, seats: u64, what: impl Fn(&Self, u64) -> What) {
        let fact = &self.rules.facts[id.index()];
        let seen_by = fact.seen_by;
        match seen_by {
            _ if seats == 0 && fact.shape.is_of_each() => {}
            SeenBy::Nobody => self.tell_host(Rank::Effect, |game| what(game, seats)),
            SeenBy::Everybody => self.tell(Rank::Effect, |game| (what(game, seats), Audience::All)),
            SeenBy::Owner | SeenBy::Seats(_) if seats == 0 => {
                self.tell(Rank::Effect, |game| (what(game, 0), game.audience(seen_by, 0)));
            }
            SeenBy::Owner | SeenBy::Seats(_) => {
                for seat in seats_in(seats & self.state.board.facts.players()) {
                    let seat = 1 << seat;
                    self.tell(Rank::Effect, |game| {
                        (what(game, seat), game.audience(seen_by, seat))
                    });
                }
            }
        }
    }

    /// Tells of a fact that was emptied whoever saw what it held of these seats, where not all see all.
    pub(super) fn tell_cleared(&mut self, fact: FactId, held: u64) {
        let what = What::Cleared { fact };
        let seen_by = self.rules.facts[fact.index()].seen_by;
        let each = seats_in(held).map(|seat| self.audience(seen_by, 1 << seat));
        let all = match held {
            0 => self.audience(seen_by, 0),
            _ => each.fold(Audience::Host, Audience::or),
        };
        match all {
            Audience::Host => self.tell_host(Rank::Effect, |_| what),
            all => self.tell(Rank::Effect, |_| (what, all)),
        }
    }

    fn begin_scene(&mut self, scene: SceneId) {
        self.stand();
        let nth = begin_scene(self.rules, &mut self.state.board.facts, scene);
        self.tell_host(Rank::Began, |_| What::SceneBegan { scene, nth });
        if self.reflex.watches() && self.state.board.is_outermost(self.rules) {
            let look = Look::of(self.rules, &self.state.board);
            self.reflex.begun(scene, look);
        }
    }

    pub(super) fn scene_ended(&mut self, scene: SceneId) {
        self.stand();
        self.tell_host(Rank::Ended, |_| What::SceneEnded { scene });
    }

    pub(super) fn scene_passed(&mut self, scene: SceneId) {
        self.stand();
        self.tell_host(Rank::Ended, |_| What::ScenePassed { scene });
    }

    fn scene_nears(&mut self, scene: SceneId) {
        self.stand();
        let nth = count_scene(self.rules, &mut self.state.board.facts, scene, 1);
        self.tell_host(Rank::Ended, |_| What::SceneNears { scene, nth });
    }

    /// Runs the part of the title in the register above the circle.
    fn perform(&mut self, base: Reg) -> Result<Flow, EvalError> {
        let titles = self.operand(base, 1);
        let title = GroupId(titles.trailing_zeros() as u16);
        let (_, purpose) = self.state.board.called();
        let hangs = self
            .rules
            .parts
            .iter()
            .find(|part| part.title == title && part.purpose == purpose);
        match hangs {
            Some(part) => self.enter(part.proc, self.base + base.index()),
            None => Ok(Flow::Next),
        }
    }

    /// The pile of a zone; nothing for a zone `of each` and nobody's.
    fn pile(&self, zone: ZoneId, seat: u64) -> Option<Pile> {
        pile(self.rules, &self.state.board, zone, seat)
    }

    fn move_cards(&mut self, cards: u64, zone: ZoneId, seat: u64, end: End) -> Result<(), EvalError> {
        let cards = cards & self.state.board.cards.all();
        let Some(to) = self.pile(zone, seat) else {
            return Ok(());
        };
        if cards != 0 {
            self.burn_for(cards)?;
            self.check_sight(cards, Some(to))?;
            self.tell_moved(cards, to);
            self.state.board.cards.lay(self.rules, cards, to, end);
        }
        Ok(())
    }

    /// Many things that are moved or turned at once take as long as several steps.
    fn burn_for(&mut self, things: u64) -> Result<(), EvalError> {
        burn(&mut self.fuel, things.count_ones() / THINGS_OF_A_STEP)
    }

    /// Who sees cards, where they lie and where they go, a script may have to say: it fails whether
    /// anybody listens or not.
    fn check_sight(&mut self, cards: u64, to: Option<Pile>) -> Result<(), EvalError> {
        if self.rules.hooks.is_empty() {
            return Ok(());
        }
        let mut left = cards;
        let mut piles: Vec<Pile> = to.into_iter().collect();
        while left != 0 {
            let (from, together) = self.state.board.cards.lying_together(left);
            left &= !together;
            piles.extend(from);
        }
        for pile in piles {
            let zone = &self.rules.zones[pile.zone.index()];
            for seen_by in [zone.seen_by, zone.backs] {
                if let SeenBy::Seats(thunk) = seen_by {
                    self.ask_scripts(|eval, _| eval.value(thunk, &[owner_of(pile)]))?;
                }
            }
        }
        Ok(())
    }

    /// One event for each pile that cards come from, so that nobody learns of cards he did not see.
    fn tell_moved(&mut self, cards: u64, to: Pile) {
        let mut left = if self.listener.listens() { cards } else { 0 };
        while left != 0 {
            let (from, together) = self.state.board.cards.lying_together(left);
            left &= !together;
            let left = from.filter(|pile| *pile != to).map(|pile| Left {
                zone: pile.zone,
                seat: pile.seat,
                seen_by: self.seen_by(pile).or(self.backs(pile)),
            });
            let seen_before = from.map_or(Audience::Host, |pile| self.seen_by(pile));
            let audience = self.seen_by(to).or(seen_before);
            let Pile { zone, seat } = to;
            self.tell(Rank::Effect, |game| {
                let cards = game.state.board.cards.listed(together);
                let moved = What::Moved {
                    cards,
                    left,
                    zone,
                    seat,
                };
                (moved, audience)
            });
            if from != Some(to) {
                self.tell_backs(together.count_ones() as u8, (left, to), audience);
            }
        }
    }

    /// Whoever sees the backs of a pile is told how many cards come to it and go from it, but for those who are shown which.
    fn tell_backs(&mut self, count: u8, (left, to): (Option<Left>, Pile), shown: Audience) {
        let all = self.state.board.facts.players();
        let sees_come = self.backs(to);
        let comes = sees_come.without(shown, all).map(|_| sees_come);
        let lay_at = left.map(|Left { zone, seat, .. }| Pile { zone, seat });
        let goes = lay_at.and_then(|pile| self.backs(pile).without(sees_come, all));
        let goes = goes.and_then(|sees| sees.without(shown, all));
        for (sees, came) in [(comes, Some((to.zone, to.seat))), (goes, None)] {
            if let Some(sees) = sees {
                let backs = What::Backs {
                    count,
                    left,
                    came,
                    shown,
                };
                self.tell(Rank::Effect, |_| (backs, sees));
            }
        }
    }

    /// Who sees the backs of the cards of a pile.
    fn backs(&self, pile: Pile) -> Audience {
        self.audience(self.rules.zones[pile.zone.index()].backs, owner_of(pile))
    }

    /// Who sees the cards of a pile.
    fn seen_by(&self, pile: Pile) -> Audience {
        self.audience(self.rules.zones[pile.zone.index()].seen_by, owner_of(pile))
    }

    /// Who sees something of somebody's, or of nobody's.
    fn audience(&self, seen_by: SeenBy, owner: u64) -> Audience {
        match seen_by {
            SeenBy::Nobody => Audience::Host,
            SeenBy::Owner => Audience::seats(owner),
            SeenBy::Everybody => Audience::All,
            SeenBy::Seats(thunk) => self.reaching(self.eval().value(thunk, &[owner]).unwrap_or(0)),
        }
    }

    /// These seats; what reaches every one of them is known to all.
    fn reaching(&self, seats: u64) -> Audience {
        match self.state.board.facts.players() & !seats {
            0 => Audience::All,
            _ => Audience::seats(seats),
        }
    }

    fn put_cast(&mut self, zone: ZoneId, seat: u64) -> Result<(), EvalError> {
        self.move_cards(self.state.board.cards.cast(), zone, seat, End::Top)
    }

    fn put(&mut self, group: GroupId, zone: ZoneId, seat: u64) -> Result<(), EvalError> {
        let things = self.state.board.cards.things().iter().enumerate();
        let copies = things.filter(|(_, thing)| thing.group == group || thing.face == Some(group));
        let copies = copies.fold(0, |set, (card, _)| set | 1 << card) & !self.state.board.cards.cast();
        self.move_cards(copies, zone, seat, End::Top)
    }

    fn swap(
        &mut self,
        (zone_a, seat_a): (ZoneId, u64),
        (zone_b, seat_b): (ZoneId, u64),
    ) -> Result<(), EvalError> {
        let (Some(a), Some(b)) = (self.pile(zone_a, seat_a), self.pile(zone_b, seat_b)) else {
            return Ok(());
        };
        if a == b {
            return Ok(());
        }
        let (of_a, of_b) = (self.state.board.cards.pile(a), self.state.board.cards.pile(b));
        self.burn_for(of_a)?;
        self.burn_for(of_b)?;
        self.check_sight(of_a, Some(b).filter(|_| of_a != 0))?;
        self.check_sight(of_b, Some(a).filter(|_| of_b != 0))?;
        self.tell_moved(of_a, b);
        self.tell_moved(of_b, a);
        self.state.board.cards.lay(self.rules, of_a, b, End::Top);
        self.state.board.cards.lay(self.rules, of_b, a, End::Top);
        Ok(())
    }

    fn flip(&mut self, cards: u64, face: GroupId) -> Result<(), EvalError> {
        self.burn_for(cards)?;
        let turned = self.state.board.cards.flip(self.rules, cards, face);
        self.check_sight(turned, None)?;
        if self.listener.listens() {
            for card in seats_in(turned) {
                let (pile, _) = self.state.board.cards.lying_together(1 << card);
                let audience = pile.map_or(Audience::Host, |pile| self.seen_by(pile));
                let card = card as u8;
                self.tell(Rank::Effect, |_| (What::Flipped { card, face }, audience));
            }
        }
        Ok(())
    }

    /// The role, where the titles are one and that one is a role.
    fn only_role(&self, titles: u64) -> Option<GroupId> {
        let role = GroupId(titles.trailing_zeros() as u16);
        let group = self.rules.groups.get(role.index());
        let is_role = titles.count_ones() == 1 && group.is_some_and(|group| group.kind == GroupKind::Role);
        is_role.then_some(role)
    }

    pub(super) fn turn(&mut self, seats: u64, role: GroupId) -> Result<(), EvalError> {
        self.burn_for(seats)?;
        for seat in seats_in(seats & self.state.board.facts.players()) {
            let cards = self.state.board.cards.role_cards(1 << seat);
            if cards == 0 {
                continue;
            }
            self.state.board.cards.turn(self.rules, cards, role);
            self.check_sight(cards, None)?;
            self.tell(Rank::Effect, |game| {
                let (pile, _) = game.state.board.cards.lying_together(cards);
                let audience = pile.map_or(Audience::Host, |pile| game.seen_by(pile));
                let seat = seat as u8;
                (What::Turned { seat, role }, audience)
            });
        }
        Ok(())
    }

    /// Takes up an offer on top of the question that waits, and goes on.
    pub(super) fn take_offer(&mut self, offer: OfferId, by: Option<u8>, picked: u64) {
        let entered = self.enter_offer(offer, by, picked);
        self.run_from(entered);
    }

    fn enter_offer(&mut self, offer: OfferId, by: Option<u8>, picked: u64) -> Result<Flow, EvalError> {
        let kind = self.rules.offers[offer.index()].target.map(|target| target.kind);
        self.tell(Rank::Question, |game| {
            let target = kind.map(|kind| game.look().value(kind, picked));
            let audience = Audience::seats(seat_bit(by));
            (What::OfferTaken { offer, by, target }, audience)
        });
        let body = self.rules.offers[offer.index()].body;
        let frame = Frame {
            question: self.looks_like(),
            ..Frame::new(body, self.state.stack.len() as u32, FrameKind::Offer)
        };
        self.push(frame, &[seat_bit(by), picked])
    }

    /// Writes an answer to where the question wants it, and goes on behind the question.
    pub(super) fn take_answer(&mut self, site: AskId, at: u32, answer: Answer) {
        self.put_answer(site, at as usize, answer);
        self.run(self.pc + 1);
    }

    fn put_answer(&mut self, site: AskId, at: usize, answer: Answer) {
        let question = self.rules.ask(site);
        self.tell_answer(site, at, answer);
        self.write_answer(question, at, answer);
        if let (By::Time, Some(late)) = (answer.by, question.late) {
            self.state.stack.put_at(self.base + late.index(), 1);
        }
    }

    fn write_answer(&mut self, question: &AskSite, at: usize, answer: Answer) {
        let mut put = |reg: Reg, word| self.state.stack.put_at(at + reg.index(), word);
        put(ASK.answer(), answer.word);
        match question.kind {
            AskKind::Menu(_) => put(ASK.picked(), answer.picked),
            AskKind::Numbers => put(ASK.named(), answer.names()),
            _ => {}
        }
    }

    /// Gives an answer that is ready to the question that waits, if there is one, and goes on.
    pub(super) fn react_to(&mut self, site: AskId, at: u32) {
        match self.ready(Site::Ask(site), at as usize) {
            Some(Legal::Answer(answer)) => self.take_answer(site, at, answer),
            Some(Legal::Offer(offer, by, picked)) => self.take_offer(offer, by, picked),
            Some(Legal::Outcome(_)) | None => {}
        }
    }

    /// The same with an outcome of chance.
    pub(super) fn react_to_draw(&mut self, site: DrawId, at: u32) {
        if let Some(Legal::Outcome(word)) = self.ready(Site::Draw(site), at as usize) {
            self.take_outcome(site, at, word);
        }
    }

    fn tell_answer(&mut self, site: AskId, at: usize, answer: Answer) {
        let question = self.rules.ask(site);
        self.tell(Rank::Answer, |game| {
            let who = match question.host {
                true => 0,
                false => game.state.stack[at + ASK.who().index()],
            };
            let audience = match question.openly {
                true => Audience::All,
                false => Audience::seats(who),
            };
            let what = What::Answered {
                site,
                who,
                host: question.host,
                answer: answer_value(game.look(), question, answer),
            };
            (what, audience)
        });
    }

    /// Writes an outcome of chance to where the draw wants it, and goes on behind the draw.
    pub(super) fn take_outcome(&mut self, site: DrawId, at: u32, outcome: u64) {
        self.tell_outcome(site, outcome);
        self.state
            .stack
            .put_at(at as usize + DRAW.outcome().index(), outcome);
        self.run(self.pc + 1);
    }

    fn tell_outcome(&mut self, site: DrawId, outcome: u64) {
        let draw = &self.rules.draws[site.index()];
        self.tell(Rank::Answer, |game| {
            let outcome = outcome_value(game.look(), &draw.kind, outcome);
            let audience = if draw.openly {
                Audience::All
            } else {
                Audience::Host
            };
            (What::Drew { site, outcome }, audience)
        });
    }

    /// Pauses for an answer, unless it is ready. A question that nobody is there to answer, or that has no answer,
    /// gives nobody at once.
    pub(super) fn ask(&mut self, site: AskId, base: Reg) -> Result<Flow, EvalError> {
        let at = self.base + base.index();
        let question = self.rules.ask(site);
        if !can_be_answered(question, self.state.stack.from(at)) {
            self.write_answer(question, at, no_answer(question));
            return Ok(Flow::Next);
        }
        let ready = match self.given.take() {
            None => self.ready(Site::Ask(site), at),
            given => given,
        };
        self.wait_here();
        self.state.waiting = Waiting::Ask { site, at: at as u32 };
        if self.listener.listens() {
            let question = asked(self.rules, site, &self.state.stack[at..]);
            // Whoever is asked must not learn from the question that somebody took up an offer.
            if self.question.0 != 0 && self.question.0 == self.looks_like().0 {
                let depth = self.depth(Rank::Question);
                self.listener.resume(site, question.who, depth);
            } else {
                self.tell_asked(&question);
            }
        }
        if ready.is_some() {
            // Behind an answer that was ready all is as it is behind one that was waited for.
            (self.fuel, self.question) = (MOST_STEPS, Overheard::default());
        }
        match ready {
            Some(Legal::Answer(answer)) => {
                self.put_answer(site, at, answer);
                Ok(Flow::Next)
            }
            Some(Legal::Offer(offer, by, picked)) => self.enter_offer(offer, by, picked),
            Some(Legal::Outcome(_)) | None => Ok(Flow::Pause),
        }
    }

    /// The answer to a question or a draw, where it is ready.
    #[inline]
    fn ready(&mut self, site: Site, at: usize) -> Option<Legal> {
        if matches!(site, Site::Ask(_)) && self.rules.puts_each_question() {
            return None;
        }
        let fixed = Fixed {
            rules: self.rules,
            hooks: self.hooks,
            times: None,
        };
        let pause = Pause::new(site, &fixed, &self.state.board, self.state.stack.from(at));
        ready(self.reflex, &pause)
    }

    /// A number for all that whoever is asked sees of the question that waits; never 0 where anybody listens.
    pub(super) fn looks_like(&self) -> Overheard {
        let Waiting::Ask { site, at } = self.state.waiting else {
            return Overheard::default();
        };
        if !self.listener.listens() {
            return Overheard::default();
        }
        let registers = &self.state.stack[at as usize..];
        let mut question = asked(self.rules, site, registers);
        let mut branches: Vec<_> = match &self.rules.ask(site).kind {
            AskKind::Menu(branches) => open_branches(branches, registers).collect(),
            _ => Vec::new(),
        };
        let (seen, unseen) = self.cards_before(&question);
        let cards = self.state.board.cards.listed(seen);
        // Of cards that show their backs one sees where they lie, and nothing else.
        let places = self.look().places(unseen);
        for domain in branches
            .iter_mut()
            .filter_map(|open| open.among.as_mut())
            .chain([&mut question.domain])
        {
            if let Domain::Cards {
                among, unseen: true, ..
            } = domain
            {
                *among = 0;
            }
        }
        let values = self.words_of(site);
        let mut digest = Digest::default();
        (at, question, branches, cards, places, values).hash(&mut digest);
        Overheard(digest.number() | 1)
    }

    /// What stands in the slots of a question's words.
    fn words_of(&self, site: AskId) -> Vec<Value> {
        let text = self.rules.ask(site).text.as_ref();
        let values = text.map(|text| phrase_values(self.eval(), &self.state.stack[self.base..], text));
        values.and_then(Result::ok).unwrap_or_default()
    }

    fn tell_asked(&mut self, question: &Asked) {
        let Asked { site, who, host, .. } = *question;
        let audience = Audience::seats(who);
        self.tell(Rank::Question, |game| {
            let values = game.words_of(site);
            let asked = What::Asked {
                site,
                who,
                host,
                values,
            };
            (asked, audience)
        });
        let (among, _) = self.cards_before(question);
        if among != 0 {
            self.tell(Rank::Effect, |game| {
                let cards = game.state.board.cards.listed(among);
                (What::Looked { cards }, audience)
            });
        }
    }

    /// The cards that a question, or the open branches of its menu, picks among: those that show
    /// themselves, and those that show their backs.
    fn cards_before(&self, question: &Asked) -> (u64, u64) {
        let of = |domain: Option<Domain>| match domain {
            Some(Domain::Cards {
                among, unseen: false, ..
            }) => (among, 0),
            Some(Domain::Cards {
                among, unseen: true, ..
            }) => (0, among),
            _ => (0, 0),
        };
        let (AskKind::Menu(branches), Waiting::Ask { at, .. }) =
            (&self.rules.ask(question.site).kind, &self.state.waiting)
        else {
            return of(Some(question.domain));
        };
        let open = open_branches(branches, &self.state.stack[*at as usize..]);
        open.map(|branch| of(branch.among))
            .fold((0, 0), |(seen, unseen), (more, backs)| {
                (seen | more, unseen | backs)
            })
    }

    /// Pauses for chance, unless nothing could come out.
    pub(super) fn draw(&mut self, site: DrawId, base: Reg) -> Result<Flow, EvalError> {
        let at = self.base + base.index();
        if !can_come_out(&self.rules.draws[site.index()].kind, self.state.stack.from(at)) {
            self.state.stack.put_at(at + DRAW.outcome().index(), 0);
            return Ok(Flow::Next);
        }
        burn(&mut self.fuel, STEPS_OF_A_DRAW)?;
        if let Some(Legal::Outcome(outcome)) = self.ready(Site::Draw(site), at) {
            self.tell_outcome(site, outcome);
            self.state.stack.put_at(at + DRAW.outcome().index(), outcome);
            self.question = Overheard::default();
            return Ok(Flow::Next);
        }
        self.wait_here();
        self.state.waiting = Waiting::Draw { site, at: at as u32 };
        Ok(Flow::Pause)
    }

    fn say(&mut self, site: SayId, who: Reg) -> Result<(), EvalError> {
        if !self.listener.listens() && self.rules.hooks.is_empty() {
            return Ok(());
        }
        let words = &self.rules.says[site.index()];
        let audience = match words.kind {
            SayKind::Say => Audience::All,
            SayKind::Tell | SayKind::Show => match self.reg(who) & self.state.board.facts.players() {
                0 => return Ok(()),
                seats => self.reaching(seats),
            },
        };
        let values = self.ask_scripts(|eval, regs| phrase_values(eval, regs, &words.phrase))?;
        self.tell(Rank::Effect, |_| (What::Said { site, values }, audience));
        Ok(())
    }

    /// Works out what scripts may have a part in. It counts where there are scripts, which are asked whether
    /// anybody listens or not.
    fn ask_scripts<T>(
        &mut self,
        ask: impl FnOnce(PureEval<'_>, &[u64]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let left = Cell::new(self.fuel);
        let answer = ask(self.eval().within(&left), &self.state.stack[self.base..]);
        if !self.rules.hooks.is_empty() {
            self.fuel = left.get();
        }
        answer
    }

    fn hook(&mut self, hook: HookId, base: Reg) -> Result<(), EvalError> {
        let argument = match self.rules.hook(hook).param {
            Some(_) => self.reg(base),
            None => 0,
        };
        let look = Look::of(self.rules, &self.state.board);
        let answer = ask_hook(self.hooks, hook, argument, look, &mut self.fuel)?;
        let at = self.base + base.index() + 1;
        self.state.stack[at] = answer;
        Ok(())
    }
}

/// Carries out an instruction that only writes the board ([`super::compute::Step::Quiet`]), for a
/// machine that tells nobody. The same instructions with their events stand in [`Machine::effect`].
#[inline(never)]
pub(super) fn quietly(op: &Op, rules: &Ruleset, board: &mut Board, regs: &Window) {
    let Board { facts, won, lost, .. } = board;
    let fact = |id: FactId| &rules.facts[id.index()];
    match *op {
        Op::Link {
            fact: id,
            from,
            to_set,
        } => facts.link(fact(id), regs.get(from), regs.get(to_set)),
        Op::Unlink {
            fact: id,
            from,
            to_set,
        } => {
            let gone = regs.get(to_set);
            facts.change_each(fact(id).slot, regs.get(from), |word| word & !gone);
        }
        Op::Mark { fact: id, set } => {
            facts.mark(fact(id), regs.get(set));
        }
        Op::Unmark { fact: id, set } => {
            facts.unmark(fact(id), regs.get(set));
        }
        Op::Set { fact: id, value } => facts.set(fact(id).slot, regs.get(value)),
        Op::Clear { fact: id } => {
            facts.clear(fact(id));
        }
        Op::Began { scene } => {
            begin_scene(rules, facts, scene);
        }
        Op::Nears { scene } => {
            count_scene(rules, facts, scene, 1);
        }
        Op::Replaced { scene } => {
            count_scene(rules, facts, scene, -1);
        }
        Op::Win { set } => *won |= regs.get(set),
        Op::Lose { set } => *lost |= regs.get(set),
        // The rest are words.
        _ => {}
    }
}

/// The pile of a zone; nothing for a zone `of each` and nobody's.
#[inline]
pub(super) fn pile(rules: &Ruleset, board: &Board, zone: ZoneId, seat: u64) -> Option<Pile> {
    if !rules.zones[zone.index()].of_each {
        return Some(Pile { zone, seat: None });
    }
    match board.facts.first_of(seat & board.facts.players()) {
        0 => None,
        seat => Some(Pile {
            zone,
            seat: Some(seat.trailing_zeros() as u8),
        }),
    }
}

/// Whose pile it is, as a set.
fn owner_of(pile: Pile) -> u64 {
    pile.seat.map_or(0, |seat| 1 << seat)
}

/// Two numbers together, unless that is more than can be counted.
fn sum(a: u64, b: u64) -> Result<u64, EvalError> {
    let sum = (a as i64).checked_add(b as i64);
    sum.map(|sum| sum as u64)
        .ok_or_else(|| Box::new(FaultKind::TooLarge))
}

/// Counts a scene that begins; one with rules around it was counted when it came near.
fn begin_scene(rules: &Ruleset, facts: &mut Facts, scene: SceneId) -> u32 {
    count_scene(rules, facts, scene, i64::from(!rules.scenes[scene.index()].hung))
}

/// Counts on how often a scene has begun.
fn count_scene(rules: &Ruleset, facts: &mut Facts, scene: SceneId, by: i64) -> u32 {
    let times = rules.scenes[scene.index()].times;
    let nth = facts.word(times).wrapping_add_signed(by);
    facts.set(times, nth);
    nth as u32
}

/// No ending: the rules just said that the game is over.
const NO_ENDING: EndingId = EndingId(u16::MAX);

#[inline]
pub(super) fn end(under: bool) -> End {
    if under { End::Bottom } else { End::Top }
}
