//! All positions of a game with the chances from each to the next: what a walk comes to.

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
    /// Where to: an end, if the highest bit is set. There are many steps, and each is kept.
    to: u32,
    /// What is counted, by number.
    pub toll: u32,
    /// In how many cases.
    pub cases: u64,
}

impl Step {
    const END: u32 = 1 << 31;

    /// To somewhere, in so many cases, with what is counted on the way.
    pub fn new(to: To, cases: u64, toll: u32) -> Step {
        let to = match to {
            To::Position(position) => position,
            To::End(end) => end | Step::END,
        };
        Step { to, toll, cases }
    }

    /// Where to.
    pub fn to(&self) -> To {
        match self.to & Step::END {
            0 => To::Position(self.to),
            _ => To::End(self.to ^ Step::END),
        }
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
    /// Where the steps of each position begin that was looked at; one more than there are.
    pub first: Vec<usize>,
    /// Of how many cases each position has.
    pub cases: Vec<u64>,
    /// All steps.
    pub steps: Vec<Step>,
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
    pub fn of(&self, position: usize) -> &[Step] {
        match self.is_open(position) {
            true => &[],
            false => &self.steps[self.first[position]..self.first[position + 1]],
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
