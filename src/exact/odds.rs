//! How a game stands: the chances from where it is, exactly where its positions can be walked, and else by playing on.

use crate::{
    asked::{Answers, Effort, answers},
    calls::Company,
    chain::{Chain, End, Step, Steps, To, Toll},
    exactly::{Bounds, exactly},
};
use omerta_engine::{Game, Silence};
use omerta_play::{chance::Chance, chances::Players};
use std::collections::BTreeMap;

/// A game that takes more answers than this counts as one that does not end.
const LONGEST: u64 = 2_000;
/// All games together take so many times as many answers as there are games; where they take more, there are fewer.
const USUAL: u64 = 400;
/// Fractions of a game that was played on are whole numbers of games: few primes tell them.
const PRIMES: usize = 4;
/// So many steps lead on from a position of a game that is worth walking.
const STEPS: usize = 10;

/// How a game stands.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The chances.
    pub answers: Answers,
    /// How many games were played to count them; nothing where they are certain.
    pub played: Option<u64>,
}

/// The chances from where a game stands. No more positions than so many are walked; where they are not enough, so many
/// games are played. Nothing where that is none, or where `stop` says so.
pub fn odds(
    game: &Game,
    players: &Players,
    (positions, games): (usize, u64),
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Odds> {
    let company = Company {
        offers: (true, true),
        policies: (0..game.rules().policies.len()).collect(),
        hears: false,
    };
    let bounds = Bounds {
        most: positions,
        primes: 16,
        ..Bounds::USUAL
    };
    if let Ok(certain) = exactly(game, players, company, bounds, &|progress| {
        !stop() && progress.is_none_or(|progress| progress.steps < positions * STEPS)
    }) && certain.chain.walked == certain.chain.positions()
    {
        let answers = certain.answers;
        return Some(Odds {
            answers,
            played: None,
        });
    }
    played(game, players, (games, seed), stop)
}

/// The same by playing on, so often or as long as there is time.
fn played(
    game: &Game,
    players: &Players,
    (games, seed): (u64, u64),
    stop: &dyn Fn() -> bool,
) -> Option<Odds> {
    let mut ends: BTreeMap<End, u64> = BTreeMap::new();
    let mut at = game.clone();
    let (mut played, mut answered) = (0, 0);
    while played < games && answered < games * USUAL {
        if stop() {
            return None;
        }
        at.clone_from(game);
        let chance = &mut Chance::of_game(seed, played);
        let policy = players.policy;
        answered += policy.play_by(&players.strategy, &mut at, chance, &mut Silence, LONGEST);
        let end = End::of(&at, true);
        *ends.entry(end.unwrap_or_default()).or_default() += 1;
        played += 1;
    }
    let games = played;
    let mut chain = counted(ends, games)?;
    let seats = usize::from(game.look().seats());
    let effort = Effort {
        primes: PRIMES,
        threads: 1,
    };
    Some(Odds {
        answers: answers(&mut chain, game.rules(), seats, effort, (&|| true, &|| true)),
        played: Some(games),
    })
}

/// Games that were counted, as a chain of one position.
fn counted(ends: BTreeMap<End, u64>, games: u64) -> Option<Chain> {
    let step = |(end, times): (usize, &u64)| Step {
        to: To::End(end as u32),
        toll: 0,
        cases: *times,
    };
    let found: Vec<Step> = ends.values().enumerate().map(step).collect();
    let mut steps = Steps::default();
    steps.push(0, &found);
    (games > 0).then(|| Chain {
        steps,
        sorts: vec![games],
        ends: ends.into_keys().collect(),
        tolls: vec![Toll::default()],
        start: Some(Step {
            to: To::Position(0),
            toll: 0,
            cases: 1,
        }),
        walked: 1,
        known: 1,
    })
}
