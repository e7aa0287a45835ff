//! From a game at its first pause to everything that is certain of it.

use crate::{
    asked::{Answers, Effort, GoesOn, answers},
    calls::{Calls, Company},
    chain::Chain,
    gate::Hang,
    key::Keys,
    walk::{Failure, Ground, Hears, Progress, Walk},
};
use omerta_engine::Game;
use omerta_play::chances::Players;

/// How far is walked and how much is reckoned.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// No more positions than so many are looked at.
    pub most: usize,
    /// No more bytes than so many are kept, about.
    pub room: usize,
    /// How many threads.
    pub threads: usize,
    /// Fractions are put together of no more than so many primes.
    pub primes: usize,
    /// Whether players are renamed where the rules allow it.
    pub rename: bool,
}

impl Bounds {
    /// What is usual where nobody says otherwise.
    pub const USUAL: Bounds = Bounds {
        most: 5_000_000,
        room: usize::MAX,
        threads: 1,
        primes: 512,
        rename: true,
    };
    /// Up to so many positions, fractions are put together of no more than so many primes: those of many positions have
    /// too many digits for anybody, and each prime takes long.
    const IN_FRACTIONS: [(usize, usize); 2] = [(100_000, usize::MAX), (2_000_000, 64)];
}

/// Everything that is certain of a game.
#[derive(Clone, Debug)]
pub struct Certain {
    /// The values.
    pub answers: Answers,
    /// The positions that they come of.
    pub chain: Chain,
    /// Whether positions were merged that differ by who sits where.
    pub renames: bool,
    /// What in the rules hangs on who sits where.
    pub hangs: Vec<Hang>,
}

/// Walks a game from its first pause and solves what comes of it. `progress` hears how far it is, where that is
/// known, and gives `false` to stop.
pub fn exactly(
    fresh: &Game,
    players: &Players,
    company: Company,
    bounds: Bounds,
    progress: &Hears<'_>,
) -> Result<Certain, Failure> {
    let rules = fresh.rules();
    let seats = usize::from(fresh.look().seats());
    let calls = Calls::of_game(fresh, company);
    if calls.ask_scripts() {
        return Err(Failure::Scripts);
    }
    let keys = Keys::of(&calls, seats, bounds.rename);
    let walk = Walk {
        ground: Ground {
            fresh,
            keys: &keys,
            players,
        },
        threads: bounds.threads,
        most: bounds.most,
        room: bounds.room,
        progress,
    };
    let mut chain = walk.run()?;
    let effort = Effort {
        primes: { Bounds::IN_FRACTIONS.iter() }
            .find(|(most, _)| chain.positions() <= *most)
            .map_or(0, |(_, primes)| bounds.primes.min(*primes)),
        threads: bounds.threads,
    };
    let done = |bounds| Progress {
        walked: chain.walked,
        known: chain.positions(),
        steps: chain.steps.count(),
        bounds,
    };
    let [fractions, bounds] = [false, true].map(done);
    let go_on: (GoesOn<'_>, GoesOn<'_>) = (&|| progress(Some(bounds)), &|| progress(Some(fractions)));
    let answers = answers(&mut chain, rules, seats, effort, go_on);
    Ok(Certain {
        answers,
        chain,
        renames: keys.renames(),
        hangs: keys.hangs,
    })
}
