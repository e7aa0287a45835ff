//! Somebody from outside who plays seats in the games of a run: a program, or whatever answers as one.
//!
//! Who starts processes or talks to a network is not known here.

use anyhow::Result;
use omerta_engine::{Asked, Choice, Game, Log, OpenOffer, Outcome};

/// Who shall play some seats, and how to get somebody who does: each thread of a run has its own.
pub trait Invited: Send + Sync {
    /// The seats, in a game as it stands.
    fn seats_in(&self, game: &Game) -> u64;
    /// Somebody who plays them.
    fn start(&self) -> Result<Box<dyn Guest>>;
}

/// Plays seats, game after game, and hears what the views of those seats say.
pub trait Guest: Send {
    /// The seats it plays, in a game as it stands.
    fn seats_in(&self, game: &Game) -> u64;
    /// A new game begins: how it stands before anything was drawn, and what has happened in it.
    fn begin(&mut self, number: u64, beginning: (&Game, &Log));
    /// The game has come to a question, whoever is asked: what was answered to the last one, and all that has happened.
    fn hear(&mut self, _game: &Game, _log: &Log, _answered: Option<Choice>) {}
    /// Answers a question that is put to one of its seats; what it writes it gives to the game.
    fn answer(&mut self, game: &mut Game, log: &Log, asked: &Asked, seat: u8) -> Result<Choice>;
    /// Takes up an offer for one of its seats, or none.
    fn take_up(
        &mut self,
        game: &mut Game,
        log: &Log,
        offers: &[OpenOffer],
        seat: u8,
    ) -> Result<Option<Choice>>;
    /// A game is over, or was stopped.
    fn end(&mut self, game: &Game, log: &Log, outcome: Option<Outcome>) -> Result<()>;

    /// The seat it answers for, if the question goes to one of its seats.
    fn plays(&self, game: &Game, asked: &Asked) -> Option<u8> {
        let mine = match asked.host {
            true => 0,
            false => asked.who & self.seats_in(game),
        };
        lowest(mine)
    }

    /// The first of its seats that an offer stands open to and that was not asked yet.
    fn may_take(&self, offers: &[OpenOffer], game: &Game, asked_already: u64) -> Option<u8> {
        let open = offers.iter().filter_map(|offer| offer.by);
        let open = open.fold(0, |seats, seat| seats | 1 << seat);
        lowest(open & self.seats_in(game) & !asked_already)
    }
}

fn lowest(seats: u64) -> Option<u8> {
    (seats != 0).then(|| seats.trailing_zeros() as u8)
}
