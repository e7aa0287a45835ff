//! The ten-seat game written by hand in Rust, three times: what the interpreter is measured against.
//!
//! Ten seats, dealt at random: three mafia, a doctor, a detective, five townsfolk. Night comes first.
//! The mafia name together a random living player who is not one of them, the doctor protects a random
//! living other, the detective looks at a random living other; then the named player leaves unless
//! protected. By day each living player votes for a random living other; whoever has more votes than
//! anybody else leaves, and on a tie nobody does. After the night and after the day: without mafia the
//! town wins, with at least as many mafia as others the mafia do.
//!
//! No version knows the crate's engine: they share only its chance, so that a difference in time
//! is a difference in playing.

use omerta_play::chance::Chance;

pub mod careful;
pub mod plain;
pub mod tuned;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// Nobody of the mafia is left.
    Town,
    /// The mafia are at least as many as the others.
    Mafia,
}

/// How many sit down.
pub const SEATS: usize = 10;
/// How many of them are mafia.
pub const MAFIA: usize = 3;

/// Plays games `0..games` of a run and counts those the mafia win.
pub fn mafia_wins(games: u64, seed: u64, play: impl Fn(&mut Chance) -> Winner) -> u64 {
    let won = |number: &u64| play(&mut Chance::of_game(seed, *number)) == Winner::Mafia;
    (0..games).filter(won).count() as u64
}
