//! Vendetta for eleven written by hand in Rust, with care and without tricks: a detective, a nurse, a bodyguard and
//! five bystanders against two thugs and a thief.
//!
//! It knows nothing of the crate's engine and draws from the same chance what random players draw there, in the same
//! order: so every game of a seed is the same game.

use super::seats::{Seats, deal, each, one_of, one_or_nobody};
use omerta_play::chance::Chance;

/// How many sit down.
pub const SEATS: usize = 11;
/// Who they are, as a deck: so many of each.
pub const CAST: [(&str, usize); 6] = [
    ("Detective", 1),
    ("Nurse", 1),
    ("Bodyguard", 1),
    ("Thug", 2),
    ("Thief", 1),
    ("Bystander", 5),
];

/// One game: who has won, and how many answers it took.
pub fn play(chance: &mut Chance) -> (Seats, u64) {
    let mut table = Table::deal(chance);
    loop {
        table.night(chance);
        if let Some(winners) = table.winners() {
            return (winners, table.answers);
        }
        table.day(chance);
        if let Some(winners) = table.winners() {
            return (winners, table.answers);
        }
    }
}

struct Table {
    living: Seats,
    mafia: Seats,
    detective: Seats,
    nurse: Seats,
    bodyguard: Seats,
    thief: Seats,
    nights: u32,
    answers: u64,
}

impl Table {
    fn deal(chance: &mut Chance) -> Table {
        let [detective, nurse, bodyguard, thugs, thief, _] = deal(&CAST, chance);
        Table {
            living: (1 << SEATS) - 1,
            mafia: thugs | thief,
            detective,
            nurse,
            bodyguard,
            thief,
            nights: 0,
            // The entries of the roles are read out, then the cards are written down.
            answers: 2,
        }
    }

    fn night(&mut self, chance: &mut Chance) {
        self.nights += 1;
        let blocked = self.choice_of(self.thief, chance);
        let healed = self.choice_of(self.nurse & !blocked, chance);
        let guarded = self.choice_of(self.bodyguard & !blocked, chance);
        let victim = match self.nights {
            1 => 0,
            _ => self.victim(chance),
        };
        // A detective whom the mafia has killed shoots no more.
        let killed = victim & !healed & !guarded;
        let shot = self.shot_of(self.detective & !blocked & !killed, chance);
        let dying = [victim, shot].into_iter().fold(0, |dying, aimed_at| {
            let hit = match aimed_at & !healed & guarded {
                0 => aimed_at,
                _ => self.bodyguard,
            };
            dying | hit & !healed
        });
        self.living &= !dying;
    }

    /// Whom the holder of a card chooses, if he lives and is not kept from it.
    fn choice_of(&mut self, holder: Seats, chance: &mut Chance) -> Seats {
        if holder & self.living == 0 {
            return 0;
        }
        self.answers += 1;
        one_or_nobody(self.living & !holder, chance)
    }

    /// At whom more than half of the mafia point.
    fn victim(&mut self, chance: &mut Chance) -> Seats {
        let awake = self.living & self.mafia;
        let prey = self.living & !self.mafia;
        let mut pointing = [0; SEATS];
        for _ in each(awake) {
            self.answers += 1;
            for seat in each(one_or_nobody(prey, chance)) {
                pointing[seat] += 1;
            }
        }
        let agreed = |seat: &usize| pointing[*seat] * 2 > awake.count_ones();
        (0..SEATS).find(agreed).map_or(0, |seat| 1 << seat)
    }

    /// Whom the detective shoots: from the second night on that is one of three things he may do.
    fn shot_of(&mut self, detective: Seats, chance: &mut Chance) -> Seats {
        if detective & self.living == 0 {
            return 0;
        }
        self.answers += 1;
        let shoots = u64::from(self.nights > 1);
        let others = self.living & !detective;
        match chance.below(2 + shoots) {
            0 if shoots == 1 => one_of(others, chance),
            // He looks at a card, and does nothing else by it.
            way if way == shoots => {
                one_of(others, chance);
                0
            }
            _ => 0,
        }
    }

    fn day(&mut self, chance: &mut Chance) {
        let suspects = self.discussion(chance);
        let votes = self.ballot(&suspects, chance);
        let most = votes.iter().max().copied().unwrap_or(0);
        let mut top = (0..suspects.len()).filter(|place| votes[*place] == most);
        if let (Some(place), None) = (top.next(), top.next()) {
            self.living &= !suspects[place];
        }
    }

    /// Suspects are named until the vote is called, which takes two of them.
    fn discussion(&mut self, chance: &mut Chance) -> Vec<Seats> {
        let mut suspects: Vec<Seats> = Vec::new();
        loop {
            self.answers += 1;
            let nameable = self.living & !suspects.iter().fold(0, |all, one| all | one);
            let (more, enough) = (nameable != 0, suspects.len() >= 2);
            match chance.below(u64::from(more) + u64::from(enough)) {
                0 if more => suspects.push(one_of(nameable, chance)),
                _ => return suspects,
            }
        }
    }

    /// Suspect by suspect, in the order named: whoever has raised a hand raises none again.
    fn ballot(&mut self, suspects: &[Seats], chance: &mut Chance) -> Vec<u32> {
        let mut silent = self.living;
        let votes_for = |_: &Seats| {
            let asked = silent;
            for seat in each(asked) {
                self.answers += 1;
                if chance.below(2) == 1 {
                    silent &= !(1 << seat);
                }
            }
            (asked & !silent).count_ones()
        };
        suspects.iter().map(votes_for).collect()
    }

    /// A team wins with its dead.
    fn winners(&self) -> Option<Seats> {
        let everybody: Seats = (1 << SEATS) - 1;
        let mafia = (self.living & self.mafia).count_ones();
        let others = (self.living & !self.mafia).count_ones();
        match mafia {
            0 => Some(everybody & !self.mafia),
            _ => (mafia >= others).then_some(self.mafia),
        }
    }
}
