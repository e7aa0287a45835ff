//! Written with care and without tricks: small arrays instead of lists, nothing allocated, nobody asked
//! twice for what is known.

use omerta_play::chance::Chance;

use super::{MAFIA, SEATS, Winner};

/// One game.
pub fn play(chance: &mut Chance) -> Winner {
    let mut table = Table::deal(chance);
    loop {
        table.night(chance);
        if let Some(winner) = table.winner() {
            return winner;
        }
        table.day(chance);
        if let Some(winner) = table.winner() {
            return winner;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Card {
    Mafia,
    Doctor,
    Detective,
    Townsman,
}

struct Table {
    cards: [Card; SEATS],
    living: [bool; SEATS],
    /// Whom the detective has looked at: the game's knowledge, which no rule reads.
    known: [bool; SEATS],
}

impl Table {
    fn deal(chance: &mut Chance) -> Self {
        let mut cards = [Card::Townsman; SEATS];
        cards[..MAFIA].fill(Card::Mafia);
        cards[MAFIA] = Card::Doctor;
        cards[MAFIA + 1] = Card::Detective;
        chance.shuffle(&mut cards);
        Table {
            cards,
            living: [true; SEATS],
            known: [false; SEATS],
        }
    }

    fn night(&mut self, chance: &mut Chance) {
        let victim = self.one_who(chance, |table, seat| table.cards[seat] != Card::Mafia);
        let patient = self
            .holder(Card::Doctor)
            .map(|doctor| self.one_who(chance, |_, seat| seat != doctor));
        if let Some(detective) = self.holder(Card::Detective) {
            let suspect = self.one_who(chance, |_, seat| seat != detective);
            self.known[suspect] = true;
        }
        if patient != Some(victim) {
            self.living[victim] = false;
        }
    }

    fn day(&mut self, chance: &mut Chance) {
        let (seats, count) = self.those_who(|_, _| true);
        let living = &seats[..count];
        let mut votes = [0u8; SEATS];
        for own in 0..living.len() {
            let other = chance.below(living.len() as u64 - 1) as usize;
            votes[living[other + usize::from(other >= own)]] += 1;
        }
        let most = *votes.iter().max().expect("somebody sits there");
        let mut leaders = (0..SEATS).filter(|&seat| votes[seat] == most);
        if let (Some(leader), None) = (leaders.next(), leaders.next()) {
            self.living[leader] = false;
        }
    }

    fn winner(&self) -> Option<Winner> {
        let (mut mafia, mut others) = (0, 0);
        for seat in 0..SEATS {
            match (self.living[seat], self.cards[seat]) {
                (true, Card::Mafia) => mafia += 1,
                (true, _) => others += 1,
                (false, _) => {}
            }
        }
        match mafia {
            0 => Some(Winner::Town),
            _ if mafia >= others => Some(Winner::Mafia),
            _ => None,
        }
    }

    /// The living player with a card that is there once.
    fn holder(&self, card: Card) -> Option<usize> {
        (0..SEATS).find(|&seat| self.living[seat] && self.cards[seat] == card)
    }

    /// A random one of the living who pass a test.
    fn one_who(&self, chance: &mut Chance, test: impl Fn(&Self, usize) -> bool) -> usize {
        let (seats, count) = self.those_who(test);
        seats[chance.below(count as u64) as usize]
    }

    /// The living who pass a test, and how many they are.
    fn those_who(&self, test: impl Fn(&Self, usize) -> bool) -> ([usize; SEATS], usize) {
        let (mut seats, mut count) = ([0; SEATS], 0);
        for seat in 0..SEATS {
            if self.living[seat] && test(self, seat) {
                seats[count] = seat;
                count += 1;
            }
        }
        (seats, count)
    }
}
