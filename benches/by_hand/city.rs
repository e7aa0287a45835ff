//! The city game for ten written by hand in Rust, with care and without tricks: three mafiosi, a doctor, a
//! commissioner, a lover and four civilians; suspects are named by day, voted on, and voted on again where they are
//! level.
//!
//! It knows nothing of the crate's engine and draws from the same chance what random players draw there, in the same
//! order: so every game of a seed is the same game.

use super::seats::{Seats, deal, one_of, one_or_nobody};
use omerta_play::chance::Chance;

/// How many sit down.
pub const SEATS: usize = 10;
/// Who they are, as a deck: so many of each.
pub const CAST: [(&str, usize); 5] = [
    ("Mafioso", 3),
    ("Doctor", 1),
    ("Commissioner", 1),
    ("Lover", 1),
    ("Civilian", 4),
];
/// In how many of a thousand pauses somebody comes to name a suspect, or would.
pub const COMES: u64 = 500;

/// One game: who has won, and how many answers it took.
pub fn play(chance: &mut Chance) -> (Seats, u64) {
    let mut table = Table::deal(chance);
    // The introductions.
    table.asks(chance);
    loop {
        table.day(chance);
        if let Some(winners) = table.winners() {
            return (winners, table.answers);
        }
        table.night(chance);
        if let Some(winners) = table.winners() {
            return (winners, table.answers);
        }
    }
}

struct Table {
    living: Seats,
    mafia: Seats,
    doctor: Seats,
    commissioner: Seats,
    lover: Seats,
    answers: u64,
}

impl Table {
    fn deal(chance: &mut Chance) -> Table {
        let [mafia, doctor, commissioner, lover, _] = deal(&CAST, chance);
        Table {
            living: (1 << SEATS) - 1,
            mafia,
            doctor,
            commissioner,
            lover,
            answers: 0,
        }
    }

    /// Something is asked; says whether somebody comes to take up an offer instead.
    fn asks(&mut self, chance: &mut Chance) -> bool {
        self.answers += 1;
        chance.below(1000) < COMES
    }

    fn day(&mut self, chance: &mut Chance) {
        let suspects = self.discussion(chance);
        if let Some(chosen) = self.verdict(suspects, chance) {
            self.living &= !chosen;
        }
    }

    /// As long as somebody comes, another suspect is named.
    fn discussion(&mut self, chance: &mut Chance) -> Seats {
        let mut suspects = 0;
        while self.asks(chance) {
            let nameable = self.living & !suspects;
            if nameable == 0 {
                break;
            }
            // Who names him makes no difference.
            chance.below(u64::from(self.living.count_ones()));
            suspects |= one_of(nameable, chance);
        }
        suspects
    }

    fn verdict(&mut self, suspects: Seats, chance: &mut Chance) -> Option<Seats> {
        let mut top = self.ballot(suspects, chance);
        if top.count_ones() > 1 {
            top = self.ballot(top, chance);
        }
        top.is_power_of_two().then_some(top)
    }

    /// Everybody votes for one of them or for nobody; gives those with the most votes.
    fn ballot(&mut self, candidates: Seats, chance: &mut Chance) -> Seats {
        if candidates == 0 {
            return 0;
        }
        let mut votes = [0u8; SEATS];
        for _ in 0..self.living.count_ones() {
            self.asks(chance);
            let vote = one_or_nobody(candidates, chance);
            if vote != 0 {
                votes[vote.trailing_zeros() as usize] += 1;
            }
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        let level = |seat: &usize| most > 0 && votes[*seat] == most;
        (0..SEATS).filter(level).fold(0, |top, seat| top | 1 << seat)
    }

    fn night(&mut self, chance: &mut Chance) {
        let embraced = self.choice_of(self.lover, |table| table.living & !table.lover, one_of, chance);
        let victim = self.choice_of(
            self.mafia,
            |table| table.living & !table.mafia,
            one_or_nobody,
            chance,
        );
        let treated = self.choice_of(self.doctor, |table| table.living, one_or_nobody, chance);
        let shot = self.choice_of(
            self.commissioner,
            |table| table.living & !table.commissioner,
            one_or_nobody,
            chance,
        );
        let dying = shot & self.mafia | victim & !embraced;
        self.living &= !(dying & !treated);
    }

    /// What those choose who wake together, if any of them lives and there is anybody to choose.
    fn choice_of(
        &mut self,
        who: Seats,
        among: impl Fn(&Table) -> Seats,
        choose: impl Fn(Seats, &mut Chance) -> Seats,
        chance: &mut Chance,
    ) -> Seats {
        let among = among(self);
        if who & self.living == 0 || among == 0 {
            return 0;
        }
        self.asks(chance);
        choose(among, chance)
    }

    /// A team wins with its dead.
    fn winners(&self) -> Option<Seats> {
        let everybody: Seats = (1 << SEATS) - 1;
        match (self.living, self.living & self.mafia) {
            (0, _) => Some(0),
            (_, 0) => Some(everybody & !self.mafia),
            (living, mafia) => (living == mafia).then_some(self.mafia),
        }
    }
}
