//! The state of a game, its steps, its events and views.
//!
//! The engine chooses nothing: it stops and says what is pending. It prints nothing, draws nothing,
//! and knows no name of any game.

mod ask;
mod batch;
mod cards;
mod choice;
mod compute;
mod effects;
mod event;
mod facts;
mod game;
mod hand;
mod look;
mod machine;
mod offers;
mod pause;
mod position;
mod quick;
mod reflex;
mod registers;
mod rounds;
mod run;
mod seating;
mod state;
mod tally;
mod words;

pub use cards::Thing;
pub use choice::{
    Asked, Choice, Comers, Deed, Domain, Drawn, Due, Fault, FaultKind, HookFault, Illegal, Open, OpenBranch,
    OpenOffer, OpenTo, Outcome, Pending, Reply, StartError, Target,
};
pub use event::{
    Audience, Happened, Left, Listener, Log, LogMark, MOST_KEPT, Place, Silence, Value, Viewer, What,
};
pub use facts::{BITS_IN_BYTE, how_many_in, seats_in};
pub use game::Game;
pub use look::{Hooks, Look, NoHooks};
pub use pause::{Pause, Site};
pub use position::{Happens, Position, Running};
pub use reflex::{NOBODY, Reflex, Round};
pub use state::{Occurrence, State, Still};
pub use tally::{Count, Filled};
