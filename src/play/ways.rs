//! Every way to answer: what a search tries where a policy picks one.
//!
//! What is legal the engine says; of a long row of numbers only some are listed.

use crate::words::members;
use omerta_engine::{Choice, Domain, Game, OpenBranch, OpenOffer, Pending, Target};

/// Of a row of numbers longer than this only the ends and the middle are listed.
const LONG_ROW: i64 = 32;

/// Every answer to what is pending.
pub fn answers(game: &Game) -> Vec<Choice> {
    match game.pending() {
        Pending::Ask(asked) => within(game, asked.domain),
        Pending::Chance(drawn) => within(game, drawn.domain),
        Pending::Over(_) | Pending::Broken(_) => Vec::new(),
    }
}

/// Every way to take up an offer that stands open.
pub fn offers(game: &Game) -> Vec<Choice> {
    let taken = |OpenOffer { offer, by, among }: OpenOffer| {
        targets(among)
            .into_iter()
            .map(move |target| Choice::Offer { offer, by, target })
    };
    game.offers().into_iter().flat_map(taken).collect()
}

fn within(game: &Game, domain: Domain) -> Vec<Choice> {
    let (mut all, pass): (Vec<Choice>, bool) = match domain {
        Domain::Seats { among, pass } => (members(among).map(Choice::Seat).collect(), pass),
        Domain::Cards { among, pass, .. } => (members(among).map(Choice::Card).collect(), pass),
        Domain::Titles { among, pass } => (
            members(among).map(|n| Choice::Title(u16::from(n))).collect(),
            pass,
        ),
        Domain::Numbers { low, high, pass } if low > high => (Vec::new(), pass),
        Domain::Numbers { low, high, pass } if high - low < LONG_ROW => {
            ((low..=high).map(Choice::Number).collect(), pass)
        }
        Domain::Numbers { low, high, pass } => (
            [low, low + (high - low) / 2, high].map(Choice::Number).to_vec(),
            pass,
        ),
        Domain::YesNo => (vec![Choice::Yes, Choice::No], false),
        Domain::Go => (vec![Choice::Go], false),
        Domain::Words { .. } => {
            let words = game.weights().iter().enumerate();
            let possible = words.filter(|(_, (_, weight))| *weight > 0);
            (possible.map(|(n, _)| Choice::Word(n as u16)).collect(), false)
        }
        Domain::Menu => {
            let taken = |open: OpenBranch| {
                let branch = open.branch;
                let ways = targets(open.among).into_iter();
                ways.map(move |target| Choice::Branch { branch, target })
            };
            (game.branches().flat_map(taken).collect(), false)
        }
    };
    all.extend(pass.then_some(Choice::Pass));
    all
}

fn targets(among: Option<Domain>) -> Vec<Target> {
    match among {
        None => vec![Target::Nothing],
        Some(Domain::Seats { among, .. }) => members(among).map(Target::Seat).collect(),
        Some(Domain::Cards { among, .. }) => members(among).map(Target::Card).collect(),
        Some(Domain::Titles { among, .. }) => members(among).map(|n| Target::Title(u16::from(n))).collect(),
        Some(_) => Vec::new(),
    }
}
