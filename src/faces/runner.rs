//! Runs the scenarios of a file, one after the other, on rules that are found beside it or inside.

use super::{
    bundle::Shelf,
    workbench::{Workbench, is_wrong},
};
use crate::{
    diagnostic::Diagnostic,
    play::scenario::{Report, run, tests_of},
    syntax::parse_play,
};

/// A file of scenarios that was run.
pub struct Ran {
    /// The texts, for showing diagnostics.
    pub bench: Workbench,
    /// What is wrong with the file itself; then nothing was run.
    pub problems: Vec<Diagnostic>,
    /// What came of each scenario.
    pub reports: Vec<Report>,
}

impl Ran {
    /// Whether everything holds.
    pub fn passed(&self) -> bool {
        !is_wrong(&self.problems) && self.reports.iter().all(Report::passed)
    }
}

/// Runs the scenarios whose names `wants` likes.
pub fn run_text(shelf: Shelf, name: &str, text: &str, wants: impl Fn(&str) -> bool) -> Ran {
    let bench = Workbench::new(shelf);
    let id = bench.add(name, text);
    let (tree, problems) = parse_play(id, text);
    let reports = match is_wrong(&problems) {
        true => Vec::new(),
        false => {
            let tests = tests_of(&tree);
            tests
                .iter()
                .filter(|test| wants(&test.name))
                .map(|test| run(test, &bench))
                .collect()
        }
    };
    Ran {
        bench,
        problems,
        reports,
    }
}
