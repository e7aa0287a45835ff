//! All positions of a game with the chances from each to the next: what a walk comes to.

use crate::bytes::{put, take};
use omerta_core::rules::{EndingId, Ruleset};
use omerta_engine::{Game, Outcome, seats_in};

/// Where one may come to from a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum To {
    /// Another position.
    Position(u32),
    /// An end.
    End(u32),
}

/// A step from a position: where to, in how many of its cases, and what is counted on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where to.
    pub to: To,
    /// What is counted, by number.
    pub toll: u32,
    /// In how many cases.
    pub cases: u64,
}

/// The steps of positions, one position after the other, as bytes: there are many, and each is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// Those of so many positions each.
    blocks: Vec<Vec<u8>>,
    /// Where those of each position begin in its block.
    first: Vec<u32>,
    count: usize,
    room: usize,
}

impl Steps {
    const BLOCK: usize = 1 << 12;

    /// Adds those of the next position: of which sort its number of cases is, and the steps by where they lead to.
    pub fn push(&mut self, sort: u32, steps: &[Step]) {
        let own = self.first.len();
        if own.is_multiple_of(Steps::BLOCK) {
            if let Some(full) = self.blocks.last_mut() {
                full.shrink_to_fit();
                self.room += full.len();
            }
            self.blocks.push(Vec::new());
        }
        let bytes = self.blocks.last_mut().expect("there is one from the first on");
        self.first.push(bytes.len() as u32);
        put(bytes, u64::from(sort));
        let mut last = own as i64;
        for step in steps {
            put(
                bytes,
                match step.to {
                    To::End(end) => u64::from(end) << 1 | 1,
                    To::Position(to) => {
                        let on = i64::from(to) - last;
                        last = i64::from(to);
                        // Those that lead back are odd.
                        ((on << 1 ^ on >> 63) as u64) << 1
                    }
                },
            );
            let several = step.cases != 1;
            put(bytes, u64::from(step.toll) << 1 | u64::from(several));
            if several {
                put(bytes, step.cases);
            }
        }
        self.count += steps.len();
    }

    /// How many steps there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many bytes they take.
    pub fn room(&self) -> usize {
        self.room + self.first.len() * size_of::<u32>()
    }

    fn of(&self, position: usize) -> Row<'_> {
        let block = &self.blocks[position / Steps::BLOCK];
        let from = self.first[position] as usize;
        let to = match (position + 1) % Steps::BLOCK {
            0 => block.len(),
            _ => self
                .first
                .get(position + 1)
                .map_or(block.len(), |next| *next as usize),
        };
        let bytes = &block[from..to];
        let mut at = 0;
        let sort = take(bytes, &mut at) as u32;
        Row {
            sort,
            bytes: &bytes[at..],
            last: position as i64,
        }
    }
}

/// The steps of one position.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Of which sort its number of cases is.
    pub sort: u32,
    bytes: &'a [u8],
    last: i64,
}

impl Iterator for Row<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.bytes.is_empty() {
            return None;
        }
        let mut at = 0;
        let to = take(self.bytes, &mut at);
        let to = match to & 1 {
            1 => To::End((to >> 1) as u32),
            _ => {
                let on = to >> 1;
                self.last += (on >> 1) as i64 ^ -((on & 1) as i64);
                To::Position(self.last as u32)
            }
        };
        let toll = take(self.bytes, &mut at);
        let cases = if toll & 1 == 1 {
            take(self.bytes, &mut at)
        } else {
            1
        };
        self.bytes = &self.bytes[at..];
        Some(Step {
            to,
            toll: (toll >> 1) as u32,
            cases,
        })
    }
}

/// What is counted on a step: answers, and beginnings of the outermost scenes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Toll {
    /// How many answers were given.
    pub answers: u32,
    /// How often each of the outermost scenes began.
    pub begun: Vec<u32>,
}

/// How a game came out, as far as it is told apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct End {
    /// The ending that came true; `None` is none.
    pub ending: Option<u16>,
    /// Whether the rules broke.
    pub broken: bool,
    /// By role: how many held it, won with it, lost with it.
    pub roles: Vec<(u8, u8, u8)>,
    /// How many won.
    pub winners: u8,
    /// Who won and who lost, where seats are told apart.
    pub seats: Option<(u64, u64)>,
}

/// A chain of positions.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The steps of each position that was looked at.
    pub steps: Steps,
    /// Of how many cases positions have, by sort.
    pub sorts: Vec<u64>,
    /// The ends.
    pub ends: Vec<End>,
    /// What is counted on steps.
    pub tolls: Vec<Toll>,
    /// What comes before anything is left open, and where that leads.
    pub start: Option<Step>,
    /// How many positions were looked at; the ones behind them were not.
    pub walked: usize,
    /// How many are known.
    pub known: usize,
}

impl Chain {
    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.known
    }

    /// The steps of a position; of one that was not looked at there are none.
    pub fn of(&self, position: usize) -> Row<'_> {
        match self.is_open(position) {
            true => Row {
                sort: 0,
                bytes: &[],
                last: 0,
            },
            false => self.steps.of(position),
        }
    }

    /// Of how many cases a position has; of one that was not looked at, one.
    pub fn cases(&self, position: usize) -> u64 {
        match self.is_open(position) {
            true => 1,
            false => self.sorts[self.of(position).sort as usize],
        }
    }

    /// Whether it was not looked at where a position leads.
    pub fn is_open(&self, position: usize) -> bool {
        position >= self.walked
    }
}

impl End {
    /// How a game ended; whether seats are told apart.
    pub fn of(game: &Game, apart: bool) -> Option<End> {
        let outcome = match game.ended()? {
            Ok(outcome) => outcome,
            Err(_) => {
                return Some(End {
                    broken: true,
                    ..End::default()
                });
            }
        };
        Some(End {
            ending: outcome.ending.map(|EndingId(ending)| ending),
            roles: roles(game, outcome),
            winners: outcome.winners.count_ones() as u8,
            seats: apart.then_some((outcome.winners, outcome.losers)),
            broken: false,
        })
    }

    /// Whether somebody of a team was there, won, lost.
    pub fn team(&self, team_of: &[Option<usize>], team: usize) -> (bool, bool, bool) {
        let of_team = self
            .roles
            .iter()
            .zip(team_of)
            .filter(|(_, own)| **own == Some(team));
        of_team.fold((false, false, false), |(held, won, lost), (role, _)| {
            (held || role.0 > 0, won || role.1 > 0, lost || role.2 > 0)
        })
    }
}

fn roles(game: &Game, outcome: Outcome) -> Vec<(u8, u8, u8)> {
    let look = game.look();
    let rules: &Ruleset = look.rules();
    let mut roles = vec![(0, 0, 0); rules.roles.len()];
    for seat in 0..look.seats() {
        // Of several roles the first counts, as in a simulation.
        let Some(role) = seats_in(look.roles_of(1 << seat)).next() else {
            continue;
        };
        let bit = |set: u64| (set >> seat & 1) as u8;
        if let Some((held, won, lost)) = roles.get_mut(role) {
            *held += 1;
            *won += bit(outcome.winners);
            *lost += bit(outcome.losers);
        }
    }
    roles
}
