//! The city game for ten written by hand in Rust, with care and without tricks: three mafiosi, a doctor, a
//! commissioner, a lover and four civilians; suspects are named by day, voted on, and voted on again where they are
//! level.
//!
//! It knows nothing of the crate's engine and draws from the same chance what random players draw there, in the same
//! order: so every game of a seed is the same game.

use omerta_play::chance::Chance;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// Nobody is left.
    Nobody,
    /// Nobody of the mafia is left.
    Town,
    /// Nobody else is left.
    Mafia,
}

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

/// A set of seats.
type Seats = u16;

/// One game, and how many answers it took.
pub fn play(chance: &mut Chance) -> (Winner, u64) {
    let mut table = Table::deal(chance);
    // The introductions.
    table.asks(chance);
    loop {
        table.day(chance);
        if let Some(winner) = table.winner() {
            return (winner, table.answers);
        }
        table.night(chance);
        if let Some(winner) = table.winner() {
            return (winner, table.answers);
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
        let mut deck: u64 = (1 << SEATS) - 1;
        let mut holders = [0; CAST.len()];
        for seat in 0..SEATS {
            let card = chance.pick_bit(deck);
            deck &= !(1 << card);
            holders[role_of(card as usize)] |= 1 << seat;
        }
        let [mafia, doctor, commissioner, lover, _] = holders;
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

    fn winner(&self) -> Option<Winner> {
        match (self.living, self.living & self.mafia) {
            (0, _) => Some(Winner::Nobody),
            (_, 0) => Some(Winner::Town),
            (living, mafia) => (living == mafia).then_some(Winner::Mafia),
        }
    }
}

/// The place in the cast of a card of the deck.
fn role_of(mut card: usize) -> usize {
    for (role, (_, count)) in CAST.iter().enumerate() {
        match card.checked_sub(*count) {
            Some(rest) => card = rest,
            None => return role,
        }
    }
    unreachable!("the deck has no more cards than the cast")
}

fn one_of(among: Seats, chance: &mut Chance) -> Seats {
    1 << chance.pick_bit(u64::from(among))
}

fn one_or_nobody(among: Seats, chance: &mut Chance) -> Seats {
    let count = u64::from(among.count_ones());
    match chance.below(count + 1) == count {
        true => 0,
        false => one_of(among, chance),
    }
}
