//! What the server turns to: messages, and what came of scenarios that were run beside.

use lsp_server::Message;
use omerta_workbench::{
    findings::{At, Finding},
    hints::Hint,
    moments::Thing,
    runner::snapshots::Kept,
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// What a thread may need for rules that lie deep in one another.
pub const STACK: usize = 16 << 20;

/// Something to which the server turns.
pub enum Event {
    /// The client says something.
    Message(Message),
    /// The client has gone.
    Gone,
    /// The scenarios of a file were run; nothing came of it where that was not wanted any more.
    Ran(Option<Ran>),
    /// Games were played by chance.
    Rated(Rated),
}

/// A snapshot that waits for a verdict.
pub struct Waiting {
    /// The line that asks for it.
    pub at: At,
    /// What is to be said of it.
    pub words: String,
    /// The file in which it is kept.
    pub file: PathBuf,
    /// What would be kept.
    pub new: Kept,
}

/// What came of some games by chance.
pub struct Rated {
    /// The file of the rules.
    pub path: PathBuf,
    /// Which asking it answers.
    pub number: u64,
    /// Who won how often, in words; or why nobody played.
    pub words: String,
}

/// What came of the scenarios of a file.
#[derive(Default)]
pub struct Ran {
    /// The file.
    pub path: PathBuf,
    /// Which asking it answers.
    pub number: u64,
    /// Whether mistakes kept them from being run: then nothing else is known.
    pub is_stuck: bool,
    /// What does not hold, and what else is to be said.
    pub findings: Vec<Finding>,
    /// What each line has brought about.
    pub hints: Vec<Hint>,
    /// Snapshots that are not those that were kept.
    pub snapshots: Vec<Waiting>,
    /// What of the rules scenarios came to, each with the titles of those that did.
    pub came: BTreeMap<Thing, Vec<Arc<str>>>,
    /// How many scenarios hold, of how many.
    pub count: (usize, usize),
}
