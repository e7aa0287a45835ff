//! The public face for other programs: rules, games, many games, all as plain values.
//!
//! Wraps what the rooms below give; their own types do not show, so that they may change.

mod arena;
mod game;
mod load;
mod mistakes;
mod scenarios;
mod simulate;

pub use arena::{Arena, Feature, Turn};
pub use game::{Answer, Asked, Event, Eyes, Game, GameError, Held, Outcome, Question, Table, Worlds};
pub use load::{Load, Rules, Setting, Title};
pub use mistakes::{LoadError, Mistake, Place};
pub use scenarios::{Scenarios, Tried};
pub use simulate::{Counts, Numbers, Simulation};
