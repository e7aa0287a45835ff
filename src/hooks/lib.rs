//! Hooks: the scripts behind the engine's trait, in Rhai.
//!
//! A script gets a copy of what stands on the table and gives data back; it can neither change a
//! game nor reach anything outside. Its mistakes are shown in the `.mafia` file, at its own lines.

mod answer;
mod errors;
mod mistake;
mod sandbox;
mod scan;
mod scripts;
mod snapshot;
mod words;

pub use errors::diagnose;
pub use scripts::{Scripts, check_scripts};
