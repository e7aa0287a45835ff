//! What each command does: one file a command, each a function from its words to an exit code.

pub(super) mod check;
pub(super) mod completions;
pub(super) mod explain;
pub(super) mod fmt;
mod inside;
pub(super) mod list;
pub(super) mod measure;
pub(super) mod mutate;
pub(super) mod people;
pub(super) mod play;
pub(super) mod record;
pub(super) mod ruleset;
pub(super) mod run;
pub(super) mod show;
pub(super) mod sim;
pub(super) mod test;
