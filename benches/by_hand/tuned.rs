//! As fast as it reasonably gets: seats are bits, nothing is allocated, one draw a choice.
//!
//! No rule is bent for speed. The cards are dealt, the detective looks although nothing comes of it,
//! and every vote is drawn by itself.

use omerta_play::chance::Chance;

use super::{MAFIA, SEATS, Winner};

/// One game.
pub fn play(chance: &mut Chance) -> Winner {
    play_on(chance, &mut ())
}

/// One game that writes down what happens, in numbers: where it is kept is the caller's.
pub fn play_on(chance: &mut Chance, trace: &mut impl Trace) -> Winner {
    let mut game = Game::deal(chance, trace);
    loop {
        game.night(chance, trace);
        if let Some(winner) = game.winner() {
            trace.note(Note::Won(winner));
            return winner;
        }
        game.day(chance, trace);
        if let Some(winner) = game.winner() {
            trace.note(Note::Won(winner));
            return winner;
        }
    }
}

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// A card was dealt: the seat, and whether it is the mafia's, the doctor's, the detective's.
    Dealt(u32, Card),
    /// Night falls.
    Night,
    /// The mafia named a seat.
    Hunted(u32),
    /// The doctor named a seat.
    Treated(u32),
    /// The detective looked at a seat and saw whether it is of the mafia.
    Looked(u32, bool),
    /// Day breaks.
    Day,
    /// A living player, by the place among the living, voted for another.
    Voted(u32, u32),
    /// A seat left.
    Left(u32),
    /// The game is over.
    Won(Winner),
}

/// What a card says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Card {
    Mafia,
    Doctor,
    Detective,
}

/// What takes notes down.
pub trait Trace {
    fn note(&mut self, note: Note);
}

impl Trace for () {
    #[inline]
    fn note(&mut self, _: Note) {}
}

impl Trace for Vec<Note> {
    #[inline]
    fn note(&mut self, note: Note) {
        self.push(note);
    }
}

/// Sets of seats, a bit each.
struct Game {
    living: u64,
    mafia: u64,
    doctor: u64,
    detective: u64,
    /// Whom the detective has looked at, by side: the game's knowledge, which no rule reads.
    known: u64,
}

impl Game {
    #[inline]
    fn deal(chance: &mut Chance, trace: &mut impl Trace) -> Self {
        let mut undealt = (1 << SEATS) - 1;
        let mut deal = |card| {
            let seat = chance.pick_bit(undealt);
            trace.note(Note::Dealt(seat, card));
            undealt &= !(1 << seat);
            1 << seat
        };
        let mafia = (0..MAFIA).fold(0, |mafia, _| mafia | deal(Card::Mafia));
        let (doctor, detective) = (deal(Card::Doctor), deal(Card::Detective));
        Game {
            living: (1 << SEATS) - 1,
            mafia,
            doctor,
            detective,
            known: 0,
        }
    }

    #[inline]
    fn night(&mut self, chance: &mut Chance, trace: &mut impl Trace) {
        trace.note(Note::Night);
        let victim = chance.pick_bit(self.living & !self.mafia);
        trace.note(Note::Hunted(victim));
        let (hunted, mut treated) = (1 << victim, 0);
        if self.living & self.doctor != 0 {
            let patient = chance.pick_bit(self.living & !self.doctor);
            trace.note(Note::Treated(patient));
            treated = 1 << patient;
        }
        if self.living & self.detective != 0 {
            let seat = chance.pick_bit(self.living & !self.detective);
            trace.note(Note::Looked(seat, self.mafia >> seat & 1 != 0));
            self.known |= 1 << seat;
        }
        if hunted & !treated != 0 {
            trace.note(Note::Left(victim));
        }
        self.living &= !(hunted & !treated);
    }

    #[inline]
    fn day(&mut self, chance: &mut Chance, trace: &mut impl Trace) {
        trace.note(Note::Day);
        // The living in a row, so that a vote is an index: those from one's own place on move up by
        // one. INVARIANT: at most ten votes, each below ten, so four bits a tally are enough.
        let others = u64::from(self.living.count_ones()) - 1;
        let mut tallies: u64 = 0;
        for own in 0..=others {
            let vote = chance.below(others);
            let vote = vote + u64::from(vote >= own);
            trace.note(Note::Voted(own as u32, vote as u32));
            tallies += 1 << (4 * vote);
        }
        // Who has the most, all at once: from the highest bit of a tally down, those who have it
        // stay, if anybody does. The lowest bit of four stands for a place in the row.
        let mut most = 0x1111_1111_1111_1111;
        for bit in [3, 2, 1, 0] {
            let with = most & tallies >> bit;
            most = if with != 0 { with } else { most };
        }
        if most & (most - 1) == 0 {
            let place = most.trailing_zeros() / 4;
            let leaver = nth_bit(self.living, place);
            trace.note(Note::Left(leaver.trailing_zeros()));
            self.living &= !leaver;
        }
    }

    #[inline]
    fn winner(&self) -> Option<Winner> {
        let mafia = (self.living & self.mafia).count_ones();
        let others = (self.living & !self.mafia).count_ones();
        match mafia {
            0 => Some(Winner::Town),
            _ if mafia >= others => Some(Winner::Mafia),
            _ => None,
        }
    }
}

/// The set bit with `rank` set bits below it, as a mask.
#[inline]
fn nth_bit(mut mask: u64, rank: u32) -> u64 {
    for _ in 0..rank {
        mask &= mask - 1;
    }
    mask & mask.wrapping_neg()
}
