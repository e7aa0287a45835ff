//! The state of a game, its steps, its events and views.
//!
//! The engine chooses nothing: it stops and says what is pending. It prints nothing, draws nothing,
//! and knows no name of any game.

mod choice;
mod event;

pub use choice::{
    Asked, Choice, Domain, Drawn, Fault, FaultKind, Illegal, OpenBranch, OpenOffer, Outcome, Pending, StartError, Target,
};
pub use event::{Audience, Happened, Listener, Log, Silence, Value, Viewer, What};
