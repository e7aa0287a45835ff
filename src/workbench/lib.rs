//! Rules, overlays, options and casts brought together, ready to play: what every face opens first.
//!
//! Works on texts in memory as on files. Knows no terminal, no argument of a command, and prints nothing.

pub mod bundle;
pub mod catalogue;
pub mod explain;
pub mod files;
pub mod people;
pub mod policies;
pub mod runner;
pub mod written;

mod workbench;

pub use workbench::{Outcome, ReadyRules, RulesetRequest, SharedLoader, Workbench, is_wrong, scripts};
