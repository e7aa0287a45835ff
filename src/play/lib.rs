//! A game with its answers: replay, undo, branches, save files, scenarios.
//!
//! Decides nothing about what is legal: it hands answers to the engine and remembers them.

pub mod branches;
pub mod by_hand;
pub mod casting;
pub mod chance;
pub mod chances;
pub mod deal;
pub mod events;
pub mod hosted;
pub mod knowledge;
pub mod leak;
pub mod moves;
pub mod mutate;
pub mod names;
pub mod options;
mod pauses;
pub mod policy;
pub mod save;
pub mod scenario;
pub mod seal;
pub mod session;
mod sight;
pub mod story;
pub mod strategy;
pub mod ways;
pub mod words;
pub mod worlds;
