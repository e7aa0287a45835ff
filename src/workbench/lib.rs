//! Rules, overlays, options and casts brought together, ready to play: what every face opens first.
//!
//! Works on texts in memory as on files. Knows no terminal, no argument of a command, and prints nothing.

pub mod asked;
pub mod bundle;
pub mod catalogue;
mod cells;
pub mod complete;
mod complete_play;
pub mod explain;
pub mod files;
pub mod findings;
pub mod hints;
pub mod lookup;
pub mod moments;
pub mod needed;
pub mod people;
pub mod policies;
pub mod project;
pub mod refactor;
pub mod reference;
pub mod repairs;
pub mod runner;
pub mod shapes;
pub mod written;

mod workbench;

pub use asked::RulesetRequest;
pub use workbench::{Outcome, ReadyRules, SharedLoader, Workbench, is_wrong, scripts};
