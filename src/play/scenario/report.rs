//! What came of a scenario.

use super::notes::Seen;
use crate::session::{Session, Table};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    rules::Ruleset,
    source::Span,
};
use std::sync::Arc;

/// What came of a scenario.
pub struct Report {
    /// Its name, with the case.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The rules it covers.
    pub covers: Vec<String>,
    /// What did not hold or could not be done, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// Lines that hold whatever the game does, each with why.
    pub hollow: Vec<Diagnostic>,
    /// Lines that hold and had nothing to look at.
    pub idle: Vec<Span>,
    /// What lines saw that are about all cases of the scenario, each with its place among all that look.
    pub(super) across: Vec<(Span, usize, Seen)>,
    /// What was played; nothing where the game could not begin.
    pub table: Option<Table>,
    /// The game as far as it came; of several cases the longest. Nothing where nobody wants it any more.
    pub session: Option<Session>,
    /// For each of its answers the line that gave it, or that brought the game on.
    pub lines: Vec<Span>,
    /// What `snapshot` stored.
    pub snapshots: Vec<Snapshot>,
}

/// A whole game as each viewer saw it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// `snapshot "after the vote"`
    pub name: Option<String>,
    /// The line that asks for it.
    pub span: Span,
    /// The game as a story.
    pub text: String,
    /// The rules it was played under.
    pub rules: Arc<Ruleset>,
}

impl Report {
    /// Where it does not hold.
    pub fn failures(&self) -> impl Iterator<Item = Span> {
        let errors = self.diagnostics.iter();
        let errors = errors.filter(|problem| problem.severity == Severity::Error);
        errors.map(Diagnostic::span)
    }

    /// Whether all of it holds.
    pub fn passed(&self) -> bool {
        self.diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}
