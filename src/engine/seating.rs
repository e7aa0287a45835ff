//! Who sits where, in rulesets in which seats move: a row with the place of each seat, from 1. All else
//! that is known of a seat goes with it.

use crate::event::{Audience, Listener, What};
use crate::facts::{Facts, seats_in};
use crate::machine::{Machine, Rank};
use crate::reflex::Reflex;
use omerta_core::rules::{Op, Seating, Slot};

impl Facts {
    /// The places of some seats.
    #[inline(never)]
    pub(super) fn placed(&self, of: u64, row: Slot) -> u64 {
        let places = self.row(row);
        seats_in(of & self.players()).fold(0, |set, seat| set | 1 << (places[seat] - 1))
    }

    /// The seats at some places.
    #[inline(never)]
    pub(super) fn seated(&self, places: u64, row: Slot) -> u64 {
        self.seats_where(row, |place| places >> (place - 1) & 1 == 1)
    }

    /// Gives the seats of a set new places; gives those that have another now.
    fn sit(&mut self, row: Slot, new: impl Iterator<Item = (usize, u64)>) -> u64 {
        let places = self.row_mut(row);
        new.fold(0, |moved, (seat, place)| {
            let was = std::mem::replace(&mut places[seat], place);
            moved | u64::from(was != place) << seat
        })
    }

    fn swap_seats(&mut self, row: Slot, a: u64, b: u64) -> u64 {
        let one = |of: u64| seats_in(self.first_of(of & self.players())).next();
        let (Some(a), Some(b)) = (one(a), one(b)) else {
            return 0;
        };
        let places = [(a, self.row(row)[b]), (b, self.row(row)[a])];
        self.sit(row, places.into_iter())
    }

    /// Some sit down beside another, in the order in which they sat; those between move up.
    fn sit_beside(&mut self, row: Slot, right: bool, who: u64, to: u64) -> u64 {
        let to = self.first_of(to & self.players());
        let (who, places) = (who & self.players() & !to, self.row(row));
        let Some(target) = seats_in(to).next() else {
            return 0;
        };
        let key = |seat: usize| match who >> seat & 1 {
            0 => (places[seat], 1, 0),
            _ => (places[target], if right { 0 } else { 2 }, places[seat]),
        };
        let (line, seats) = lined(self.players(), key);
        self.sit(row, line.into_iter().take(seats).zip(1..))
    }

    /// Some sit on the places they have among them by the numbers of another row, those without one last.
    fn sit_in_order(&mut self, row: Slot, order: Slot, who: u64) -> u64 {
        let (places, numbers) = (self.row(row), self.row(order));
        let (line, seats) = lined(who & self.players(), |seat| {
            (numbers[seat].wrapping_sub(1), 0, places[seat])
        });
        let taken = self.placed(who, row);
        let new = line.into_iter().take(seats);
        self.sit(row, new.zip(seats_in(taken).map(|place| place as u64 + 1)))
    }

    /// All seats by their places.
    pub(super) fn by_place(&self) -> Vec<u8> {
        let (line, seats) = lined(self.players(), |seat| match self.places() {
            Some(row) => (self.row(row)[seat], 0, 0),
            None => (seat as u64, 0, 0),
        });
        line.into_iter().take(seats).map(|seat| seat as u8).collect()
    }
}

/// The seats of a set by a key, and how many they are.
fn lined(set: u64, key: impl Fn(usize) -> (u64, u8, u64)) -> ([usize; 64], usize) {
    let mut line = [0; 64];
    let mut seats = 0;
    for seat in seats_in(set) {
        line[seats] = seat;
        seats += 1;
    }
    line[..seats].sort_unstable_by_key(|seat| key(*seat));
    (line, seats)
}

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// Some sit down elsewhere. Everybody sees who sits where.
    pub(super) fn reseat(&mut self, op: &Op) {
        let Some(row) = self.rules.places else {
            return;
        };
        let operand = |reg| self.reg(reg);
        let mut lots_fell = false;
        let moved = match *op {
            Op::SeatInOrder { who, order, lots } => {
                let who = operand(who);
                lots_fell = lots && who != 0;
                self.state.board.facts.sit_in_order(row, order, who)
            }
            Op::Reseat { how, who, to } => {
                let (who, to) = (operand(who), operand(to));
                let facts = &mut self.state.board.facts;
                match how {
                    Seating::Swap => facts.swap_seats(row, who, to),
                    Seating::Left => facts.sit_beside(row, false, who, to),
                    Seating::Right => facts.sit_beside(row, true, who, to),
                }
            }
            _ => 0,
        };
        if moved != 0 || lots_fell {
            self.tell(Rank::Effect, |game| {
                let seats = game.state.board.facts.by_place();
                (What::Reseated { moved, seats }, Audience::All)
            });
        }
    }
}
