//! What the server turns to: messages, and what came of scenarios that were run beside.

use lsp_server::Message;
use omerta_workbench::{findings::Finding, hints::Hint};
use std::path::PathBuf;

/// What a thread may need for rules that lie deep in one another.
pub const STACK: usize = 16 << 20;

/// Something to which the server turns.
pub enum Event {
    /// The client says something.
    Message(Message),
    /// The client has gone.
    Gone,
    /// Scenarios were run.
    Ran(Ran),
}

/// What came of the scenarios of a file.
pub struct Ran {
    /// The file.
    pub path: PathBuf,
    /// Which asking it answers.
    pub number: u64,
    /// What does not hold, and what else is to be said.
    pub findings: Vec<Finding>,
    /// What each line has brought about.
    pub hints: Vec<Hint>,
    /// How many scenarios hold, of how many.
    pub count: (usize, usize),
}
