//! The canonical form of a position: two positions from which a game goes on alike have one form.
//!
//! What nobody reads any more is dropped, heights are ranks, and where the rules allow it players are
//! renamed: put into an order that hangs on what is so of each, and not on where he sits. Any order is
//! sound; a good one brings more positions together.

use crate::{
    calls::Calls,
    caps::caps,
    gate::{Hang, hangs},
    kinds::{Kinds, Word, of_slot},
    live::{Liveness, Use},
    rounds::{Round, round_at},
};
use omerta_core::rules::{FactShape, GroupId, Op, ProcId, Reg, Ruleset, Slot, ZoneId};
use omerta_engine::{Happens, Position, Running, Thing, seats_in};
use std::{cmp::Reverse, collections::BTreeMap};

/// What a word is renamed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Plain,
    Seats,
    Cards,
}

/// A word of facts that may still be read.
#[derive(Clone, Copy, Debug)]
struct Kept {
    slot: Slot,
    sort: Sort,
    used: Use,
    /// Whether its numbers say nothing but an order.
    order: bool,
    /// From what number on all are one.
    cap: u64,
}

/// What may still be read while a game waits at an instruction.
#[derive(Clone, Debug, Default)]
struct Layout {
    registers: Vec<(u16, Sort)>,
    words: Vec<Kept>,
    rows: Vec<Kept>,
    /// The round of ballots that is asked in.
    round: Option<Round>,
}

/// How positions of some rules are brought into their form.
#[derive(Debug)]
pub struct Keys {
    /// What hangs on who sits where; where there is nothing, players are renamed.
    pub hangs: Vec<Hang>,
    renames: bool,
    /// Whether cards of one role take one another's places.
    shuffles: bool,
    heights: bool,
    scalars: usize,
    seats: usize,
    rows_of: Vec<Layout>,
    /// What a frame keeps that waits for one on top of it.
    waiting: Vec<Vec<(u16, Sort)>>,
    with: Vec<Vec<Sort>>,
}

/// How far a round of ballots is.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Who has been asked, whoever is asked now among them.
    pub asked: u64,
    /// Who is asked now.
    pub who: u64,
    /// The row of the ballots.
    pub slot: Slot,
    /// Where they stand among the words.
    pub row: std::ops::Range<usize>,
}

/// What is needed for bringing one position after the other into its form.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// By seat: what is so of it, but for ballots; and with them.
    base: Vec<u64>,
    colour: Vec<u64>,
    /// By seat: how many hold such cards as it does, and how many ballots name it in a round. Who goes first among those alike but for that goes by it, so that
    /// rounds come to few positions.
    kin: Vec<u32>,
    named: Vec<u32>,
    next: Vec<u64>,
    cards: Vec<u64>,
    /// Who sits where in the order, and the place of each.
    order: Vec<usize>,
    place: Vec<usize>,
    card_place: Vec<usize>,
    /// Cards in the order of what is so of each, and the places they take.
    card_order: Vec<usize>,
    slots: Vec<usize>,
    things: Vec<Thing>,
    /// A row as it was before its players were renamed.
    row: Vec<u64>,
    clean: Position,
    /// Whose ballots are all one, whatever else is so of them.
    pool: u64,
    /// Whether links were left that tell players apart in ways a colour does not.
    linked: bool,
}

impl Keys {
    /// For some rules. `rename` can be turned off, to see that it changes nothing.
    pub fn of(calls: &Calls<'_>, seats: usize, rename: bool) -> Keys {
        let rules = calls.rules;
        let (live, kinds) = (Liveness::of(calls), Kinds::of(calls));
        let mut hangs = hangs(calls, &live, &kinds);
        let caps = caps(calls, &live);
        let code = rules.code.len();
        let mut keys = Keys {
            hangs: Vec::new(),
            renames: false,
            shuffles: rename && !kinds.order_cards(),
            heights: rules
                .code
                .iter()
                .any(|op| matches!(op, Op::TopOf { .. } | Op::Topmost { .. })),
            scalars: usize::from(rules.scalars),
            seats,
            rows_of: vec![Layout::default(); code],
            waiting: vec![Vec::new(); code],
            with: with(rules),
        };
        for at in (0..code).filter(|at| calls.owner[*at].is_some()) {
            let mut layout = layout((rules, &caps), &live, &kinds, at);
            layout.round = round_at(calls, &live, &kinds, at);
            if let Some(round) = layout.round.as_mut().filter(|_| !rename) {
                round.turn = None;
            }
            let waiting = live.while_waiting(at);
            let waiting: Vec<(u16, Word)> = waiting
                .iter()
                .map(|reg| (reg.0, after(calls, &kinds, at, *reg)))
                .collect();
            let pauses = matches!(rules.code[at], Op::Ask { .. } | Op::Draw { .. });
            let own = live.before(at).registers.iter();
            let mixed = pauses && own.clone().any(|reg| kinds.before(at, *reg) == Word::Mixed)
                || !calls.ran[at].is_empty() && waiting.iter().any(|(_, word)| *word == Word::Mixed);
            if mixed {
                keys.shuffles = false;
                hangs.push(Hang {
                    what: "a word that is now a player and now something else",
                    origin: rules.origins.get(at).copied().unwrap_or_default(),
                });
            }
            keys.rows_of[at] = layout;
            keys.waiting[at] = waiting.into_iter().map(|(reg, word)| (reg, sort(word))).collect();
        }
        hangs.sort();
        hangs.dedup();
        keys.renames = rename && hangs.is_empty();
        keys.hangs = hangs;
        keys
    }

    /// Whether players are renamed.
    pub fn renames(&self) -> bool {
        self.renames
    }

    /// The form of a position, in its place.
    pub fn canonical(&self, position: &mut Position, form: &mut Form) {
        self.tidy(position, form);
        self.rename(position, form);
    }

    /// A position without what nobody reads any more.
    pub fn tidy(&self, position: &mut Position, form: &mut Form) {
        self.clean(position, &mut form.clean, self.seats);
        std::mem::swap(position, &mut form.clean);
        self.rank(position, self.seats);
    }

    /// Puts the players of a tidy position, and its cards, into their order.
    pub fn rename(&self, position: &mut Position, form: &mut Form) {
        form.linked = false;
        if self.renames || self.shuffles {
            form.colours(self, position, self.seats);
            form.rename(self, position, self.seats);
        }
    }

    /// The round of ballots that a position waits in, where it can be closed in one go.
    pub fn waiting_in(&self, position: &Position) -> Option<Waits> {
        let frame = position.frames.last()?;
        let round = self.rows_of.get(frame.pc as usize)?.round.as_ref()?;
        round.turn.as_ref()?;
        let word = |reg: Reg| position.registers.get(frame.base as usize + reg.index()).copied();
        let row = self.row(round.row, self.seats);
        Some(Waits {
            asked: word(round.asked)?,
            who: word(round.who)?,
            slot: round.row,
            row: row..row + self.seats,
        })
    }

    /// Which seats cannot be told apart behind the round that a position waits in, whatever came of the round: each
    /// by the first of those like it.
    pub fn classes_behind(&self, position: &mut Position, form: &mut Form) -> Vec<u8> {
        let frame = position.frames.last().copied().unwrap_or_default();
        let round = self.layout(position).round.as_ref();
        for reg in round.and_then(|round| round.turn.as_ref()).into_iter().flatten() {
            if let Some(word) = position.registers.get_mut(frame.base as usize + reg.index()) {
                *word = 0;
            }
        }
        if let Some(round) = round {
            let row = self.row(round.row, self.seats);
            position.words[row..row + self.seats].fill(0);
        }
        let all = (0..self.seats as u8).collect();
        self.classes(position, form).unwrap_or(all)
    }

    /// Which seats cannot be told apart in a position in its form: each by the first of those like it. Nothing
    /// where links tell seats apart.
    pub fn classes(&self, position: &mut Position, form: &mut Form) -> Option<Vec<u8>> {
        if !self.renames {
            return None;
        }
        let seats = self.seats;
        form.linked = false;
        form.colours(self, position, seats);
        if form.linked {
            return None;
        }
        let first = |seat: usize| {
            let alike = |other: &usize| form.colour[*other] == form.colour[seat];
            (0..seat).find(alike).unwrap_or(seat) as u8
        };
        Some((0..seats).map(first).collect())
    }

    /// What nobody reads any more becomes 0.
    fn clean(&self, from: &Position, to: &mut Position, seats: usize) {
        to.clone_from(from);
        to.registers.fill(0);
        to.words.fill(0);
        let top = from.frames.len().saturating_sub(1);
        for (depth, frame) in from.frames.iter().enumerate() {
            if frame.kind >= 2 {
                continue;
            }
            for &(reg, _) in self.registers_of(frame, depth == top) {
                let place = frame.base as usize + usize::from(reg);
                if let (Some(to), Some(from)) = (to.registers.get_mut(place), from.registers.get(place)) {
                    *to = *from;
                }
            }
        }
        let layout = self.layout(from);
        for kept in &layout.words {
            to.words[kept.slot.index()] = from.words[kept.slot.index()].min(kept.cap);
        }
        for kept in &layout.rows {
            let row = self.row(kept.slot, seats);
            to.words[row..row + seats].copy_from_slice(&from.words[row..row + seats]);
        }
        for frame in to.frames.iter_mut().filter(|frame| frame.kind == 2) {
            frame.called = 0;
        }
    }

    fn layout(&self, position: &Position) -> &Layout {
        static NOTHING: Layout = Layout {
            registers: Vec::new(),
            words: Vec::new(),
            rows: Vec::new(),
            round: None,
        };
        let pc = position
            .frames
            .last()
            .map_or(usize::MAX, |frame| frame.pc as usize);
        self.rows_of.get(pc).unwrap_or(&NOTHING)
    }

    fn registers_of(&self, frame: &Running, top: bool) -> &[(u16, Sort)] {
        match top {
            true => &self.rows_of[frame.pc as usize].registers,
            false => &self.waiting[frame.pc as usize],
        }
    }

    fn row(&self, slot: Slot, seats: usize) -> usize {
        self.scalars + (slot.index() - self.scalars) * seats
    }

    /// Heights become ranks, and numbers that say an order as well.
    fn rank(&self, position: &mut Position, seats: usize) {
        let things = &position.things;
        let rank = |thing: &Thing| {
            let below = |other: &&Thing| {
                (other.zone, other.seat) == (thing.zone, thing.seat) && other.height < thing.height
            };
            things.iter().filter(below).count() as i32 + 1
        };
        let ranks: Vec<i32> = match self.heights {
            true => things.iter().map(rank).collect(),
            false => Vec::new(),
        };
        for (number, thing) in position.things.iter_mut().enumerate() {
            thing.height = match thing.zone {
                Some(_) => ranks.get(number).copied().unwrap_or(0),
                None => 0,
            };
        }
        let pc = position.frames.last().map_or(0, |frame| frame.pc as usize);
        for kept in self.rows_of[pc].rows.iter().filter(|kept| kept.order) {
            let row = self.row(kept.slot, seats);
            let row = &mut position.words[row..row + seats];
            let was = row.to_vec();
            for word in row.iter_mut().filter(|word| **word != 0) {
                *word = was
                    .iter()
                    .filter(|other| **other != 0 && **other <= *word)
                    .count() as u64;
            }
        }
    }
}

fn sort(word: Word) -> Sort {
    match word {
        Word::Seats { .. } | Word::Everybody => Sort::Seats,
        Word::Cards { .. } => Sort::Cards,
        _ => Sort::Plain,
    }
}

fn with(rules: &Ruleset) -> Vec<Vec<Sort>> {
    let of = |kind: &omerta_core::rules::Kind| sort(crate::kinds::word(*kind, false));
    let events = rules.events.iter();
    events.map(|event| event.with.iter().map(of).collect()).collect()
}

/// What a register means behind an instruction that others run on top of.
fn after(calls: &Calls<'_>, kinds: &Kinds<'_>, at: usize, reg: Reg) -> Word {
    let next = calls.next[at].iter();
    next.fold(Word::Nothing, |sum, to| sum.or(kinds.before(*to, reg)))
}

fn layout(
    (rules, caps): (&Ruleset, &BTreeMap<Slot, u64>),
    live: &Liveness<'_>,
    kinds: &Kinds<'_>,
    at: usize,
) -> Layout {
    let before = live.before(at);
    let registers = before
        .registers
        .iter()
        .filter(|reg| **reg != omerta_core::rules::does::PAD);
    let registers = registers
        .map(|reg| (reg.0, sort(kinds.before(at, *reg))))
        .collect();
    let orders: Vec<Slot> = { rules.facts.iter() }
        .filter_map(|fact| match fact.shape {
            FactShape::MarkInOrder { order } => Some(order),
            _ => None,
        })
        .collect();
    let kept = |slot: usize| {
        let place = Slot(slot as u16);
        let used = before.slots.get(slot).copied().unwrap_or_default();
        // Who sits where is looked at in many ways.
        let used = if rules.places == Some(place) {
            Use::Read
        } else {
            used
        };
        (used != Use::Dead).then_some(Kept {
            slot: place,
            sort: sort(of_slot(rules, place)),
            used,
            order: orders.contains(&place),
            cap: caps.get(&place).copied().unwrap_or(u64::MAX),
        })
    };
    let scalars = usize::from(rules.scalars);
    Layout {
        registers,
        words: (0..scalars).filter_map(kept).collect(),
        rows: (scalars..scalars + usize::from(rules.rows))
            .filter_map(kept)
            .collect(),
        round: None,
    }
}

/// Spreads the bits of a word.
pub fn mix(word: u64) -> u64 {
    let mixed = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}

/// Two words as one.
fn pair(a: u64, b: u64) -> u64 {
    mix(a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mix(b ^ 0x517c_c1b7_2722_0a95))
}

/// Goes through all words of a position that mean seats or cards: each with a number of its own.
fn each_set(keys: &Keys, position: &mut Position, mut see: impl FnMut(u64, Sort, &mut u64)) {
    let (mut number, top) = (1, position.frames.len().saturating_sub(1));
    let mut next = || {
        number += 1;
        number
    };
    for depth in 0..position.frames.len() {
        let frame = position.frames[depth];
        if frame.kind >= 2 {
            continue;
        }
        for &(reg, sort) in keys.registers_of(&frame, depth == top) {
            let number = next();
            if let Some(word) = position.registers.get_mut(frame.base as usize + usize::from(reg)) {
                see(number, sort, word);
            }
        }
    }
    let pc = position.frames.last().map_or(0, |frame| frame.pc as usize);
    for kept in &keys.rows_of[pc].words {
        see(next(), kept.sort, &mut position.words[kept.slot.index()]);
    }
    see(next(), Sort::Seats, &mut position.won);
    see(next(), Sort::Seats, &mut position.lost);
    for happens in position.plans.iter_mut().chain(&mut position.happening) {
        see(next(), Sort::Seats, &mut happens.of);
        see(next(), Sort::Seats, &mut happens.by);
        let with = &keys.with[usize::from(happens.event.0)];
        for (word, sort) in happens.with.iter_mut().zip(with) {
            see(next(), *sort, word);
        }
    }
}

impl Form {
    /// Works out what is so of each seat.
    fn colours(&mut self, keys: &Keys, position: &mut Position, seats: usize) {
        self.cards.clear();
        self.cards.extend(position.things.iter().map(look_of));
        self.base.clear();
        self.base.resize(seats, 0);
        let (base, cards) = (&mut self.base, &mut self.cards);
        each_set(keys, position, |number, sort, word| match sort {
            Sort::Cards => seats_in(*word).for_each(|card| add(cards, card, mix(number))),
            Sort::Plain | Sort::Seats => {}
        });
        for (card, thing) in position.things.iter().enumerate() {
            if let Some(seat) = thing.seat {
                add(base, usize::from(seat), pair(3, cards[card]));
            }
        }
        self.kin.clear();
        let like = |own: &u64| base.iter().filter(|other| *other == own).count() as u32;
        self.kin.extend(base.iter().map(like));
        each_set(keys, position, |number, sort, word| match sort {
            Sort::Seats => seats_in(*word).for_each(|seat| add(base, seat, mix(number))),
            Sort::Plain | Sort::Cards => {}
        });
        self.rows(keys, position, seats);
    }

    fn rows(&mut self, keys: &Keys, position: &Position, seats: usize) {
        let pc = position.frames.last().map_or(0, |frame| frame.pc as usize);
        let rows = &keys.rows_of[pc].rows;
        let word = |kept: &Kept, seat: usize| position.words[keys.row(kept.slot, seats) + seat];
        let used = |kept: &&Kept| (0..seats).any(|seat| word(kept, seat) != 0);
        for kept in rows.iter().filter(used) {
            let number = u64::from(kept.slot.0);
            match kept.sort {
                Sort::Plain => {
                    (0..seats)
                        .for_each(|seat| add(&mut self.base, seat, pair(number << 8, word(kept, seat))));
                }
                Sort::Cards => self.linked = true,
                Sort::Seats => {}
            }
        }
        let links = rows.iter().filter(used).filter(|kept| kept.sort == Sort::Seats);
        let (counted, read): (Vec<&Kept>, Vec<&Kept>) = links.partition(|kept| kept.used == Use::Counted);
        self.linked |= !read.is_empty() || counted.len() > 1;
        self.pool = 0;
        self.colour.clone_from(&self.base);
        self.named.clear();
        self.named.resize(seats, 0);
        if !self.linked {
            if let Some(kept) = counted.first() {
                self.pool = self.pool_of(keys, position, kept, seats);
                for seat in 0..seats {
                    let by = match self.pool >> seat & 1 {
                        0 => pair(7, self.base[seat]),
                        _ => pair(9, 1),
                    };
                    for to in seats_in(word(kept, seat)).filter(|to| *to < seats) {
                        self.named[to] += 1;
                        add(&mut self.colour, to, by);
                    }
                }
            }
            return;
        }
        for _ in 0..3 {
            self.next.clone_from(&self.colour);
            for kept in read.iter().chain(&counted) {
                let number = u64::from(kept.slot.0);
                for seat in 0..seats {
                    for to in seats_in(word(kept, seat)) {
                        let (from, onto) = (self.colour[seat], self.colour[to.min(seats - 1)]);
                        add(&mut self.next, seat, pair(number << 16 | 1, onto));
                        add(&mut self.next, to, pair(number << 16 | 2, from));
                    }
                }
            }
            self.next.iter_mut().for_each(|colour| *colour = mix(*colour));
            std::mem::swap(&mut self.next, &mut self.colour);
        }
    }

    /// Of a round: those who have been asked. All who have a ballot must be among them, or it is as of others.
    fn pool_of(&self, keys: &Keys, position: &Position, kept: &Kept, seats: usize) -> u64 {
        let pc = position.frames.last().map_or(0, |frame| frame.pc as usize);
        let base = position.frames.last().map_or(0, |frame| frame.base as usize);
        let round = keys.rows_of[pc].round.as_ref();
        let Some(round) = round.filter(|round| round.row == kept.slot) else {
            return 0;
        };
        let word = |reg: Reg| position.registers.get(base + reg.index()).copied().unwrap_or(0);
        let asked = word(round.asked) & !word(round.who);
        let row = keys.row(kept.slot, seats);
        let stray = (0..seats).any(|seat| position.words[row + seat] != 0 && asked >> seat & 1 == 0);
        if stray { 0 } else { asked }
    }

    /// Puts the seats and the cards into the order of what is so of each.
    fn rename(&mut self, keys: &Keys, position: &mut Position, seats: usize) {
        let (kin, base, named, colour) = (&self.kin, &self.base, &self.named, &self.colour);
        refill(&mut self.order, seats);
        if keys.renames {
            let so = |seat: &usize| {
                (
                    Reverse(kin[*seat]),
                    base[*seat],
                    named[*seat],
                    colour[*seat],
                    *seat,
                )
            };
            self.order.sort_unstable_by_key(so);
        }
        inverse(&self.order, &mut self.place);
        if keys.renames {
            self.rename_rows(keys, position, seats);
        }
        let place = &self.place;
        for thing in &mut position.things {
            thing.seat = thing.seat.map(|seat| place[usize::from(seat)] as u8);
        }
        if keys.shuffles {
            self.shuffle(position);
        } else {
            refill(&mut self.card_place, position.things.len());
        }
        let (place, card_place) = (&self.place, &self.card_place);
        each_set(keys, position, |_, sort, word| match sort {
            Sort::Plain => {}
            Sort::Seats => *word = moved(*word, place),
            Sort::Cards => *word = moved(*word, card_place),
        });
    }

    /// Cards of one role take one another's places.
    fn shuffle(&mut self, position: &mut Position) {
        self.things.clone_from(&position.things);
        let (cards, things) = (&self.cards, &self.things);
        let count = things.len();
        refill(&mut self.card_order, count);
        let looks = |card: &usize| (things[*card].cast_as, cards[*card], things[*card].seat, *card);
        self.card_order.sort_unstable_by_key(looks);
        refill(&mut self.slots, count);
        self.slots
            .sort_unstable_by_key(|card| (things[*card].cast_as, *card));
        self.card_place.clear();
        self.card_place.resize(count, 0);
        for (from, to) in self.card_order.iter().zip(&self.slots) {
            self.card_place[*from] = *to;
            position.things[*to] = things[*from];
        }
    }

    fn rename_rows(&mut self, keys: &Keys, position: &mut Position, seats: usize) {
        let pc = position.frames.last().map_or(0, |frame| frame.pc as usize);
        let was = &mut self.row;
        for kept in &keys.rows_of[pc].rows {
            let from = keys.row(kept.slot, seats);
            let row = &mut position.words[from..from + seats];
            if row.iter().all(|word| *word == 0) {
                continue;
            }
            was.clear();
            was.extend_from_slice(row);
            for (place, seat) in self.order.iter().enumerate() {
                row[place] = match kept.sort {
                    Sort::Seats => moved(was[*seat], &self.place),
                    _ => was[*seat],
                };
            }
            if kept.used == Use::Counted && kept.sort == Sort::Seats && !self.linked {
                // Whose ballot is whose is all one among those who are alike.
                let pooled: Vec<usize> = (0..seats)
                    .filter(|place| self.pool >> self.order[*place] & 1 == 1)
                    .collect();
                if !pooled.is_empty() {
                    let mut ballots: Vec<u64> = pooled.iter().map(|place| row[*place]).collect();
                    ballots.sort_unstable();
                    pooled
                        .iter()
                        .zip(ballots)
                        .for_each(|(place, ballot)| row[*place] = ballot);
                    continue;
                }
                let mut begin = 0;
                for end in 1..=seats {
                    let alike = end < seats && self.base[self.order[end]] == self.base[self.order[begin]];
                    if !alike {
                        row[begin..end].sort_unstable();
                        begin = end;
                    }
                }
            }
        }
    }
}

fn refill(numbers: &mut Vec<usize>, count: usize) {
    numbers.clear();
    numbers.extend(0..count);
}

fn inverse(order: &[usize], place: &mut Vec<usize>) {
    place.clear();
    place.resize(order.len(), 0);
    order.iter().enumerate().for_each(|(to, from)| place[*from] = to);
}

fn moved(set: u64, place: &[usize]) -> u64 {
    let to = |one: usize| place.get(one).map_or(1 << one, |place| 1 << place);
    seats_in(set).fold(0, |sum, one| sum | to(one))
}

fn add(sums: &mut [u64], to: usize, word: u64) {
    if let Some(sum) = sums.get_mut(to) {
        *sum = sum.wrapping_add(word);
    }
}

/// What is so of a card, but for where it lies at.
fn look_of(thing: &Thing) -> u64 {
    let face = thing.face.map_or(0, |face| u64::from(face.0) + 1);
    let zone = thing.zone.map_or(0, |zone| u64::from(zone.0) + 1);
    let looks = u64::from(thing.group.0) | u64::from(thing.cast_as.0) << 16 | face << 32 | zone << 48;
    pair(looks, thing.height as u64)
}

// ---- As words
/// A position as words, as few as need be.
pub fn pack(position: &Position, out: &mut Vec<u64>) {
    let sizes = [
        position.frames.len(),
        position.registers.len(),
        position.plans.len(),
        position.happening.len(),
        position.batches.len(),
    ];
    let header = sizes.iter().fold(0, |word, size| word << 12 | *size as u64);
    out.push(header);
    out.push(u64::from(position.at));
    for frame in &position.frames {
        out.push(u64::from(frame.pc) << 32 | u64::from(frame.base));
        let rest = u64::from(frame.proc.0) | u64::from(frame.purpose) << 16 | u64::from(frame.kind) << 32;
        out.push(rest);
        out.push(frame.called);
    }
    for happens in position.plans.iter().chain(&position.happening) {
        out.push(u64::from(happens.event.0) | u64::from(happens.event.1) << 16);
        out.extend([happens.of, happens.by]);
        out.extend(happens.with);
    }
    out.extend(&position.batches);
    sparse(&[position.won, position.lost], out);
    sparse(&position.registers, out);
    sparse(&position.words, out);
    out.extend(position.things.iter().map(thing_word));
}

/// Words of which many are 0: which are not, and those.
fn sparse(words: &[u64], out: &mut Vec<u64>) {
    for part in words.chunks(64) {
        let mask = part.iter().enumerate().filter(|(_, word)| **word != 0);
        out.push(mask.fold(0, |mask, (place, _)| mask | 1 << place));
        out.extend(part.iter().filter(|word| **word != 0));
    }
}

fn thing_word(thing: &Thing) -> u64 {
    let face = thing.face.map_or(0, |face| u64::from(face.0) + 1);
    let zone = thing.zone.map_or(0, |zone| u64::from(zone.0) + 1);
    let seat = thing.seat.map_or(0, |seat| u64::from(seat) + 1);
    let height = u64::from(thing.height as u16);
    u64::from(thing.group.0) & 0xfff | (face & 0xffff) << 12 | zone << 28 | seat << 37 | height << 44
}

/// Reads what [`pack`] wrote; the cards are those of a position of the same table.
pub fn unpack(mut words: &[u64], position: &mut Position) {
    let mut take = || {
        let (first, rest) = words
            .split_first()
            .map_or((0, words), |(first, rest)| (*first, rest));
        words = rest;
        first
    };
    let header = take();
    let size = |place: u32| (header >> (12 * (4 - place)) & 0xfff) as usize;
    position.at = take() as u32;
    position.frames.clear();
    for _ in 0..size(0) {
        let (place, rest, called) = (take(), take(), take());
        position.frames.push(Running {
            pc: (place >> 32) as u32,
            base: place as u32,
            proc: ProcId(rest as u16),
            purpose: (rest >> 16) as u16,
            kind: (rest >> 32) as u8,
            called,
        });
    }
    let mut happens = |list: &mut Vec<Happens>, count: usize| {
        list.clear();
        for _ in 0..count {
            let event = take();
            list.push(Happens {
                event: (event as u16, (event >> 16) as u16),
                of: take(),
                by: take(),
                with: std::array::from_fn(|_| take()),
            });
        }
    };
    happens(&mut position.plans, size(2));
    happens(&mut position.happening, size(3));
    position.batches.clear();
    (0..size(4)).for_each(|_| position.batches.push(take()));
    let mut ends = [0; 2];
    fill(&mut ends, &mut take);
    [position.won, position.lost] = ends;
    position.registers.resize(size(1), 0);
    fill(&mut position.registers, &mut take);
    fill(&mut position.words, &mut take);
    for thing in &mut position.things {
        put_thing(thing, take());
    }
}

fn fill(words: &mut [u64], take: &mut dyn FnMut() -> u64) {
    for part in words.chunks_mut(64) {
        let mask = take();
        for (place, word) in part.iter_mut().enumerate() {
            *word = if mask >> place & 1 == 1 { take() } else { 0 };
        }
    }
}

fn put_thing(thing: &mut Thing, word: u64) {
    let part = |from: u32, bits: u32| word >> from & ((1 << bits) - 1);
    thing.group = GroupId(part(0, 12) as u16);
    thing.face = part(12, 16).checked_sub(1).map(|face| GroupId(face as u16));
    thing.zone = part(28, 9).checked_sub(1).map(|zone| ZoneId(zone as u8));
    thing.seat = part(37, 7).checked_sub(1).map(|seat| seat as u8);
    thing.height = i32::from(part(44, 16) as u16 as i16);
}
