//! As fast as it reasonably gets: seats are bits, nothing is allocated, one draw a choice.
//!
//! No rule is bent for speed. The cards are dealt, the detective looks although nothing comes of it,
//! and every vote is drawn by itself.

use omerta::play::chance::Chance;

use super::{MAFIA, SEATS, Winner};

/// One game.
pub fn play(chance: &mut Chance) -> Winner {
    let mut game = Game::deal(chance);
    loop {
        game.night(chance);
        if let Some(winner) = game.winner() {
            return winner;
        }
        game.day(chance);
        if let Some(winner) = game.winner() {
            return winner;
        }
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
    fn deal(chance: &mut Chance) -> Self {
        let mut undealt = (1 << SEATS) - 1;
        let mut card = || {
            let seat = 1 << chance.pick_bit(undealt);
            undealt &= !seat;
            seat
        };
        let mafia = (0..MAFIA).fold(0, |mafia, _| mafia | card());
        let (doctor, detective) = (card(), card());
        Game {
            living: (1 << SEATS) - 1,
            mafia,
            doctor,
            detective,
            known: 0,
        }
    }

    #[inline]
    fn night(&mut self, chance: &mut Chance) {
        let hunted = 1 << chance.pick_bit(self.living & !self.mafia);
        let mut treated = 0;
        if self.living & self.doctor != 0 {
            treated = 1 << chance.pick_bit(self.living & !self.doctor);
        }
        if self.living & self.detective != 0 {
            self.known |= 1 << chance.pick_bit(self.living & !self.detective);
        }
        self.living &= !(hunted & !treated);
    }

    #[inline]
    fn day(&mut self, chance: &mut Chance) {
        // The living in a row, so that a vote is an index: those from one's own place on move up by
        // one. INVARIANT: at most ten votes, each below ten, so four bits a tally are enough.
        let others = u64::from(self.living.count_ones()) - 1;
        let mut tallies: u64 = 0;
        for own in 0..=others {
            let vote = chance.below(others);
            tallies += 1 << (4 * (vote + u64::from(vote >= own)));
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
            self.living &= !nth_bit(self.living, place);
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
