//! What the game remembers: one word for each mark, flag and count of the game, then one word a seat
//! for each row. Also the small arithmetic of sets of seats.

use omerta_core::rules::{Fact, FactShape, Kind, Ruleset, Slot};
use serde::{Deserialize, Serialize};

/// The seats (or cards, or titles) of a set, lowest first.
#[inline]
pub fn seats_in(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let seat = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        seat
    })
}

/// How many are in a set.
#[inline]
pub fn how_many_in(set: u64) -> u64 {
    // Most tables are small: two looks into a table are less work than counting in eight bytes.
    match u16::try_from(set) {
        Ok(set) => {
            let [low, high] = set.to_le_bytes().map(usize::from);
            u64::from(BITS_IN_BYTE[low] + BITS_IN_BYTE[high])
        }
        Err(_) => u64::from(set.count_ones()),
    }
}

/// How many bits of a byte are set.
pub static BITS_IN_BYTE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
};

/// The set of one, if it lies within the other.
#[inline]
pub(super) fn member(number: u32, among: u64) -> Option<u64> {
    let one = 1u64.checked_shl(number)?;
    (among & one != 0).then_some(one)
}

/// The lowest of a set, as a set.
#[inline]
pub(super) fn first(set: u64) -> u64 {
    set & set.wrapping_neg()
}

/// The highest of a set, as a set.
#[inline]
pub(super) fn last(set: u64) -> u64 {
    if set == 0 {
        0
    } else {
        1 << (63 - set.leading_zeros())
    }
}

/// The first of `among` strictly above `of`, wrapping; `of` itself if it is the only one.
#[inline]
pub(super) fn left_of(of: u64, among: u64) -> u64 {
    let of = first(of);
    if of == 0 {
        return 0;
    }
    let above = among & !(of | (of - 1));
    if above != 0 { first(above) } else { first(among) }
}

/// The first of `among` strictly below `of`, wrapping; `of` itself if it is the only one.
#[inline]
pub(super) fn right_of(of: u64, among: u64) -> u64 {
    let of = first(of);
    if of == 0 {
        return 0;
    }
    let below = among & (of - 1);
    if below != 0 { last(below) } else { last(among) }
}

/// `of` itself where it is among them, else the next to its left.
#[inline]
pub(super) fn at_or_left_of(of: u64, among: u64) -> u64 {
    let of = first(of);
    if of & among != 0 { of } else { left_of(of, among) }
}

/// All words of the game's memory.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Facts {
    words: Vec<u64>,
    /// All seats of the table.
    players: u64,
    scalars: u16,
    seats: u8,
    /// The row with the place of each seat, where seats move.
    places: Option<Slot>,
}

impl Clone for Facts {
    fn clone(&self) -> Self {
        Facts {
            words: self.words.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        (self.players, self.scalars, self.seats) = (other.players, other.scalars, other.seats);
        self.places = other.places;
    }
}

impl Facts {
    pub(super) fn new(rules: &Ruleset, seats: u8) -> Self {
        let size = usize::from(rules.scalars) + usize::from(rules.rows) * usize::from(seats);
        let mut facts = Facts {
            words: vec![0; size],
            players: u64::MAX >> (64 - u32::from(seats)),
            scalars: rules.scalars,
            seats,
            places: rules.places,
        };
        if let Some(places) = rules.places {
            facts
                .row_mut(places)
                .iter_mut()
                .zip(1..)
                .for_each(|(place, number)| *place = number);
        }
        for fact in &rules.facts {
            facts.put_start(fact);
        }
        facts
    }

    fn put_start(&mut self, fact: &Fact) {
        match fact.shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => {
                let seats = fact.start as u64 & self.players();
                self.mark(fact, seats);
            }
            FactShape::Flag | FactShape::Count => self.words[fact.slot.index()] = fact.start as u64,
            FactShape::CountOfEach => self.row_mut(fact.slot).fill(fact.start as u64),
            FactShape::Link { .. } => {}
        }
    }

    /// All seats of the table.
    #[inline]
    pub(super) fn players(&self) -> u64 {
        self.players
    }

    #[inline]
    pub(super) fn seats(&self) -> u8 {
        self.seats
    }

    /// The row with the place of each seat, where seats move.
    #[inline]
    pub(super) fn places(&self) -> Option<Slot> {
        self.places
    }

    /// All words.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Remembers what another game of the same table remembered, from a word on.
    pub(super) fn put_words(&mut self, from: usize, words: &[u64]) {
        self.words[from..from + words.len()].copy_from_slice(words);
    }

    /// All seats that are not in a word of the game.
    #[inline]
    pub(super) fn outside(&self, slot: Slot) -> u64 {
        self.players() & !self.word(slot)
    }

    /// A word of the game.
    #[inline]
    pub(super) fn word(&self, slot: Slot) -> u64 {
        self.words[slot.index()]
    }

    /// The words of a row, one a seat.
    #[inline]
    pub(super) fn row(&self, slot: Slot) -> &[u64] {
        let start = self.row_start(slot);
        &self.words[start..start + usize::from(self.seats)]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, slot: Slot) -> &mut [u64] {
        let start = self.row_start(slot);
        &mut self.words[start..start + usize::from(self.seats)]
    }

    /// Where the words of a row begin.
    #[inline]
    fn row_start(&self, slot: Slot) -> usize {
        let scalars = usize::from(self.scalars);
        scalars + (slot.index() - scalars) * usize::from(self.seats)
    }

    /// The union of the rows of some seats.
    #[inline(never)]
    pub(super) fn linked_from(&self, row: Slot, of: u64) -> u64 {
        let row = self.row(row);
        seats_in(of & self.players()).fold(0, |set, seat| set | row[seat])
    }

    /// The seats whose row passes a test.
    #[inline]
    pub(super) fn seats_where(&self, row: Slot, test: impl Fn(u64) -> bool) -> u64 {
        self.row(row)
            .iter()
            .rev()
            .fold(0, |set, &word| set << 1 | u64::from(test(word)))
    }

    /// The number of the first seat of a set; 0 for nobody.
    #[inline]
    pub(super) fn count_of(&self, row: Slot, of: u64) -> u64 {
        seats_in(self.first_of(of & self.players()))
            .next()
            .map_or(0, |seat| self.row(row)[seat])
    }

    /// The seat of a set that has the lowest place.
    #[inline]
    pub(super) fn first_of(&self, of: u64) -> u64 {
        match self.places {
            None => first(of),
            Some(places) => self.first_by(of, places),
        }
    }

    /// The seat that was marked first; those never marked come after all others.
    #[inline(never)]
    pub(super) fn first_by(&self, of: u64, order: Slot) -> u64 {
        let row = self.row(order);
        let key = |seat: &usize| row[*seat].wrapping_sub(1);
        seats_in(of & self.players())
            .min_by_key(key)
            .map_or(0, |seat| 1 << seat)
    }

    /// The seat that was marked last.
    #[inline(never)]
    pub(super) fn last_by(&self, of: u64, order: Slot) -> u64 {
        let row = self.row(order);
        seats_in(of & self.players())
            .max_by_key(|&seat| row[seat])
            .map_or(0, |seat| 1 << seat)
    }

    /// Puts seats under a mark; gives those that are new and those that a `one` mark dropped.
    pub(super) fn mark(&mut self, fact: &Fact, seats: u64) -> (u64, u64) {
        let was = self.words[fact.slot.index()];
        let (seats, dropped) = match fact.shape {
            FactShape::MarkOne if seats != 0 => {
                let one = self.first_of(seats);
                (one, was & !one)
            }
            _ => (seats, 0),
        };
        let new = seats & !was;
        self.words[fact.slot.index()] = was & !dropped | seats;
        if let FactShape::MarkInOrder { order } = fact.shape {
            self.number(order, new, was);
        }
        (new, dropped)
    }

    /// Numbers those who are new under a mark behind those who stood under it.
    fn number(&mut self, order: Slot, new: u64, marked: u64) {
        let (mut new, row) = (new & self.players(), self.row(order));
        let mut last = seats_in(marked).map(|seat| row[seat]).max().unwrap_or(0);
        while new != 0 {
            let next = if new.is_power_of_two() {
                new
            } else {
                self.first_of(new)
            };
            last += 1;
            self.row_mut(order)[next.trailing_zeros() as usize] = last;
            new &= !next;
        }
    }

    /// Takes seats from a mark; gives those that stood under it.
    pub(super) fn unmark(&mut self, fact: &Fact, seats: u64) -> u64 {
        let was = self.words[fact.slot.index()];
        self.words[fact.slot.index()] = was & !seats;
        if let FactShape::MarkInOrder { order } = fact.shape {
            let row = self.row_mut(order);
            seats_in(was & seats).for_each(|seat| row[seat] = 0);
        }
        was & seats
    }

    /// Links each seat of `from` to `to`.
    pub(super) fn link(&mut self, fact: &Fact, from: u64, to: u64) {
        let one = matches!(fact.shape, FactShape::Link { one: true, .. });
        let first = match fact.shape.links_to() {
            Some(Kind::Players) => self.first_of(to),
            _ => to & to.wrapping_neg(),
        };
        let from = from & self.players();
        let row = self.row_mut(fact.slot);
        for seat in seats_in(from) {
            row[seat] = if one { first } else { row[seat] | to };
        }
    }

    /// Links each seat of `from` to one seat, or to nobody. Mostly it is one seat that links.
    #[inline]
    pub(super) fn link_one(&mut self, row: Slot, from: u64, to: u64) {
        let from = from & self.players();
        if from.is_power_of_two() {
            let place = self.row_start(row) + from.trailing_zeros() as usize;
            self.words[place] = to;
        } else {
            self.change_each(row, from, |_| to);
        }
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, value: u64) {
        self.words[slot.index()] = value;
    }

    /// Changes the number of each seat in `of`.
    #[inline]
    pub(super) fn change_each(&mut self, row: Slot, of: u64, change: impl Fn(u64) -> u64) {
        let of = of & self.players();
        let row = self.row_mut(row);
        seats_in(of).for_each(|seat| row[seat] = change(row[seat]));
    }

    /// Empties a fact: sets and links hold nobody, numbers and flags are what they were at the
    /// start. Says whether that changed anything.
    pub(super) fn clear(&mut self, fact: &Fact) -> bool {
        match fact.shape {
            FactShape::Mark | FactShape::MarkOne => self.clear_word(fact.slot, 0),
            FactShape::Flag | FactShape::Count => self.clear_word(fact.slot, fact.start as u64),
            FactShape::CountOfEach => self.clear_row(fact.slot, fact.start as u64),
            FactShape::Link { .. } => self.clear_row(fact.slot, 0),
            FactShape::MarkInOrder { order } => {
                self.clear_row(order, 0);
                self.clear_word(fact.slot, 0)
            }
        }
    }

    /// Of which seats a fact holds something that emptying it would take away.
    pub(super) fn held(&self, fact: &Fact) -> u64 {
        let rows = |value: u64| {
            let row = self.row(fact.slot).iter().enumerate();
            row.filter(|&(_, &word)| word != value)
                .fold(0, |seats, (seat, _)| seats | 1 << seat)
        };
        match fact.shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => self.word(fact.slot),
            FactShape::Flag | FactShape::Count => 0,
            FactShape::CountOfEach => rows(fact.start as u64),
            FactShape::Link { .. } => rows(0),
        }
    }

    /// Whether emptying a fact would change nothing.
    pub(super) fn is_clear(&self, fact: &Fact) -> bool {
        let is_row = |slot: Slot, value: u64| self.row(slot).iter().all(|&word| word == value);
        match fact.shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => self.word(fact.slot) == 0,
            FactShape::Flag | FactShape::Count => self.word(fact.slot) == fact.start as u64,
            FactShape::CountOfEach => is_row(fact.slot, fact.start as u64),
            FactShape::Link { .. } => is_row(fact.slot, 0),
        }
    }

    fn clear_word(&mut self, slot: Slot, value: u64) -> bool {
        std::mem::replace(&mut self.words[slot.index()], value) != value
    }

    fn clear_row(&mut self, slot: Slot, value: u64) -> bool {
        let row = self.row_mut(slot);
        let changed = row.iter().any(|&word| word != value);
        row.fill(value);
        changed
    }
}
