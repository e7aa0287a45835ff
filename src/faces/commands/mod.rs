//! What each command does: one file a command, each a function from its words to an exit code.

pub(super) mod check;
pub(super) mod run;
