//! Runs scenarios: brings a game to its scenes, gives the answers that are written down, and says
//! of every expectation whether it holds.
//!
//! Reads no file and compiles nothing: rules and expressions come through the [`Workbench`] that a
//! face passes in. What may be answered and who has won the engine says.

mod answer;
mod blame;
mod drive;
mod expand;
mod expect;
mod heard;
mod pin;
mod setup;
mod steps;
mod substitute;

use crate::session::Session;
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    rules::{Kind, Program, Ruleset},
    source::Span,
};
use omerta_engine::Hooks;
use omerta_syntax::{
    play_tree::{Fact, LineKind, SetupVerdict},
    tree::{Expr, Name},
};
use std::sync::Arc;

pub use expand::{Test, tests_of};
pub use setup::explicit as cast_of;
pub use steps::fault_code;

/// How many answers a game of a scenario may take.
pub const ANSWER_LIMIT: usize = 10_000;

/// What a scenario is run with: whoever can compile.
pub trait Workbench {
    /// The rules of a base with overlays and options.
    fn rules(
        &self,
        base: &Name,
        overlays: &[Name],
        options: &[(Name, Name)],
    ) -> Result<Bench, Vec<Diagnostic>>;

    /// An expression over the state of a game, with the names of the program's arguments.
    fn compile(&self, rules: &Ruleset, expr: &Expr, params: &[(String, Kind)])
    -> Result<Program, Diagnostic>;

    /// How many answers a game may take before it counts as endless.
    fn answer_limit(&self) -> usize {
        ANSWER_LIMIT
    }
}

/// Rules with their scripts.
#[derive(Clone)]
pub struct Bench {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// The scripts.
    pub hooks: Arc<dyn Hooks>,
}

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
    /// The game as far as it came; none where it could not begin.
    pub session: Option<Session>,
    /// What `snapshot` stored.
    pub snapshots: Vec<Snapshot>,
    /// Whether it is the rules that are wrong: then every scenario on them says the same.
    pub unfit: bool,
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
    /// Whether all of it holds.
    pub fn passed(&self) -> bool {
        self.diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}

/// Runs one scenario.
pub fn run(test: &Test, workbench: &dyn Workbench) -> Report {
    let mut report = Report {
        name: test.name.clone(),
        span: test.span,
        covers: test.covers.clone(),
        diagnostics: Vec::new(),
        session: None,
        snapshots: Vec::new(),
        unfit: false,
    };
    if !test.problems.is_empty() {
        report.diagnostics.clone_from(&test.problems);
        return report;
    }
    let wanted = test.lines.iter().filter_map(|line| match &line.kind {
        LineKind::Expect(Fact::Setup { verdict, wording }) => Some((line.span, *verdict, wording.as_ref())),
        _ => None,
    });
    let wanted: Vec<_> = wanted.collect();
    match setup::begin(test, workbench) {
        Ok(begun) => {
            report
                .diagnostics
                .extend(setup::not_met(&wanted, &begun.warnings));
            steps::play(test, workbench, begun, &mut report);
        }
        Err(stop)
            if wanted
                .iter()
                .any(|(_, verdict, _)| *verdict == SetupVerdict::Error) =>
        {
            report.diagnostics.extend(setup::not_met(&wanted, &stop.problems));
        }
        Err(stop) => {
            report.unfit = stop.unfit;
            report.diagnostics = stop.problems;
        }
    }
    report
}
