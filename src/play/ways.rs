//! Every way to answer: what a search tries where a policy picks one.
//!
//! What is legal the engine says; of a long row of numbers only some are listed.

use crate::words::members;
use omerta_core::{
    rules::Ruleset,
    written::{OF_RULES, cleaned},
};
use omerta_engine::{Choice, Domain, Game, OpenBranch, OpenOffer, Pending, Target};

/// Of a row of numbers longer than this only the ends and the middle are listed.
const LONG_ROW: i64 = 32;

/// Every answer to what is pending.
pub fn answers(game: &Game) -> Vec<Choice> {
    match game.pending() {
        Pending::Ask(asked) => {
            let late = asked.limit.is_some() && asked.domain != Domain::Go;
            let mut all = within(game, asked.domain);
            all.extend(late.then_some(Choice::TimeUp));
            all
        }
        Pending::Chance(drawn) => within(game, drawn.domain),
        Pending::Over(_) | Pending::Broken(_) => Vec::new(),
    }
}

/// Every way to take up an offer that stands open.
pub fn offers(game: &Game) -> Vec<Choice> {
    let taken = |OpenOffer { offer, by, among }: OpenOffer| {
        let taken = move |target| Choice::Offer { offer, by, target };
        targets(game, among, taken).into_iter()
    };
    game.offers().into_iter().flat_map(taken).collect()
}

/// Every way to write something now, before it is written.
pub(crate) fn to_write(game: &Game) -> Vec<Choice> {
    let is_text = |among: Option<Domain>| matches!(among, Some(Domain::Text { .. }));
    let target = Target::Text(0);
    let asked = game.asked().filter(|asked| is_text(Some(asked.domain)));
    let branches = game.branches().filter(|open| is_text(open.among));
    let offers = game.offers().into_iter().filter(|open| is_text(open.among));
    let by_branch = branches.map(|OpenBranch { branch, .. }| Choice::Branch { branch, target });
    let by_offer = offers.map(|OpenOffer { offer, by, .. }| Choice::Offer { offer, by, target });
    asked
        .map(|_| Choice::TO_WRITE)
        .into_iter()
        .chain(by_branch)
        .chain(by_offer)
        .collect()
}

/// An answer with each of the texts that the rules know, and that may be written in it: of so many letters at the most.
pub(crate) fn texts(rules: &Ruleset, most: u32, answer: Choice) -> Vec<Choice> {
    let of_rules = (OF_RULES..).zip(&rules.texts);
    let short = of_rules.filter(|(_, text)| cleaned(text, most).is_ok());
    short.map(|(number, _)| answer.with_text(number)).collect()
}

fn within(game: &Game, domain: Domain) -> Vec<Choice> {
    let mut all: Vec<Choice> = match domain {
        Domain::Numbers { low, high, .. } => numbers(low, high),
        Domain::YesNo => vec![Choice::Yes, Choice::No],
        Domain::Go => vec![Choice::Go],
        Domain::Text { most, .. } => texts(game.rules(), most, Choice::TO_WRITE),
        Domain::Words { .. } => {
            let possible = game.possible_words();
            possible.map(|(number, ..)| Choice::Word(number)).collect()
        }
        Domain::Menu => {
            let taken = |OpenBranch { branch, among }| {
                let taken = move |target| Choice::Branch { branch, target };
                targets(game, among, taken).into_iter()
            };
            game.branches().flat_map(taken).collect()
        }
        Domain::Seats { .. } | Domain::Cards { .. } | Domain::Titles { .. } => {
            targets(game, Some(domain), Target::choice)
        }
    };
    all.extend((domain.pass() == Some(true)).then_some(Choice::Pass));
    all
}

/// All of them; of a long row the ends and the middle.
fn numbers(low: i64, high: i64) -> Vec<Choice> {
    match high.saturating_sub(low) {
        ..0 => Vec::new(),
        more if more < LONG_ROW => (low..=high).map(Choice::Number).collect(),
        more => [low, low + more / 2, high].map(Choice::Number).to_vec(),
    }
}

/// What may be picked, as answers.
fn targets(game: &Game, among: Option<Domain>, answer: impl Fn(Target) -> Choice) -> Vec<Choice> {
    let picked: Vec<Target> = match among {
        None => vec![Target::Nothing],
        Some(Domain::Numbers { low, high, .. }) => {
            { numbers(low, high).into_iter() }.map(Choice::target).collect()
        }
        Some(Domain::Text { most, .. }) => return texts(game.rules(), most, answer(Target::Text(0))),
        Some(domain) => {
            let set = members(domain.set().unwrap_or(0));
            set.map(|number| domain.target(u32::from(number))).collect()
        }
    };
    picked.into_iter().map(answer).collect()
}
