//! A game: rules, scripts and a state, stepped by answers.

use super::cards::Cards;
use super::choice::{Choice, FaultKind, Fault, Illegal, OpenBranch, OpenOffer, Pending, StartError};
use super::event::{Listener, Value};
use super::facts::Facts;
use super::look::{Hooks, Look};
use super::state::State;
use super::tally::Tally;
use crate::rules::{Phrase, PlannedCast, Program, Ruleset};
use std::sync::Arc;

/// The most seats a table may have: a set of seats is one word.
const MOST_SEATS: u8 = 64;

/// A game under way.
pub struct Game {
    rules: Arc<Ruleset>,
    hooks: Arc<dyn Hooks>,
    state: State,
    tally: Tally,
}

impl Game {
    /// Begins a game and runs it to its first pause.
    pub fn start(
        rules: Arc<Ruleset>,
        hooks: Arc<dyn Hooks>,
        seats: u8,
        cast: &PlannedCast,
        listener: &mut impl Listener,
    ) -> Result<Game, StartError> {
        let (from, to) = (rules.seats.0.max(1), rules.seats.1.min(MOST_SEATS));
        if seats < from || seats > to {
            return Err(StartError::Seats { given: usize::from(seats), from, to });
        }
        let cards = Cards::new(&rules, seats, cast)?;
        let state = State::new(&rules, Facts::new(&rules, seats), cards);
        let game = Game { rules, hooks, state, tally: Tally::new() };
        let _ = listener;
        Ok(game)
    }

    /// Goes on with a state that was kept.
    pub fn restore(rules: Arc<Ruleset>, hooks: Arc<dyn Hooks>, state: State) -> Game {
        Game { rules, hooks, state, tally: Tally::new() }
    }

    /// What the game waits for.
    pub fn pending(&self) -> Pending {
        Pending::Broken(Fault { kind: FaultKind::Endless, at: 0 })
    }

    /// Answers what is pending and runs to the next pause. An illegal answer changes nothing.
    pub fn apply(&mut self, _choice: Choice, _listener: &mut impl Listener) -> Result<(), Illegal> {
        Err(Illegal::Over)
    }

    /// The branches of the pending menu that stand open.
    pub fn branches(&self) -> impl Iterator<Item = OpenBranch> + '_ {
        std::iter::empty()
    }

    /// The words of the pending draw with their weights.
    pub fn weights(&self) -> &[(String, u32)] {
        &[]
    }

    /// Whether the rules have standing offers at all.
    pub fn has_offers(&self) -> bool {
        !self.rules.offers.is_empty()
    }

    /// The standing offers that somebody may take up now.
    pub fn offers(&self) -> Vec<OpenOffer> {
        Vec::new()
    }

    /// The value of an expression that was compiled by itself.
    pub fn evaluate(&self, _program: &Program, _args: &[u64]) -> u64 {
        0
    }

    /// The values of a phrase's slots where the game waits.
    pub fn phrase_values(&self, _phrase: &Phrase) -> Vec<Value> {
        Vec::new()
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The scripts.
    pub fn hooks(&self) -> &Arc<dyn Hooks> {
        &self.hooks
    }

    /// What stands where: read access by id.
    pub fn look(&self) -> Look<'_> {
        Look { rules: &self.rules, board: &self.state.board }
    }
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Game::restore(self.rules.clone(), self.hooks.clone(), self.state.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.rules.clone_from(&other.rules);
        self.hooks.clone_from(&other.hooks);
        self.state.clone_from(&other.state);
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.state.fmt(f)
    }
}
