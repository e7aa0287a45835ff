//! Scenarios run from other programs: what each came to, with its mistakes as data.

use super::mistakes::{LoadError, Mistake, mistakes};
use omerta_workbench::{
    bundle::Shelf,
    runner::{Plan, Ran, Text, bundled, read, run_suite, tests_in},
};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// A file of scenarios.
///
/// ```
/// use omerta::Scenarios;
///
/// let text = "ruleset city\n\nplay \"eight begin\"\n  seats 8\n  expect number of living is 8\n";
/// let suite = Scenarios::text("mine.play", text);
/// assert_eq!(suite.names(), ["eight begin"]);
/// assert!(suite.run("").iter().all(|tried| tried.passed));
/// ```
#[derive(Clone)]
pub struct Scenarios {
    text: Text,
}

/// What came of a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Tried {
    /// Its name; that of its file where the file itself is wrong.
    pub name: String,
    /// Whether everything holds, snapshots too.
    pub passed: bool,
    /// What did not hold, in order; warnings stand among them.
    pub mistakes: Vec<Mistake>,
    /// The snapshots that are others than those that were kept, or new: their files.
    pub snapshots: Vec<String>,
}

impl Scenarios {
    /// Those of a file, with the snapshots beside it; its rules are found beside it as well.
    pub fn read(path: impl AsRef<Path>) -> Result<Scenarios, LoadError> {
        let text = read(path.as_ref());
        let text = text.map_err(|error| LoadError::Unusable(format!("{error:#}")))?;
        Ok(Scenarios { text })
    }

    /// Those of a text, under a name that messages use.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Scenarios {
        let text = Text {
            name: name.into(),
            text: text.into(),
            loader: Arc::new(Shelf::default()),
            folder: None,
            kept: BTreeMap::new(),
        };
        Scenarios { text }
    }

    /// Those that travel inside omerta, a value for each file.
    pub fn bundled() -> Vec<Scenarios> {
        bundled().into_iter().map(|text| Scenarios { text }).collect()
    }

    /// What messages call the file.
    pub fn file(&self) -> &str {
        &self.text.name
    }

    /// The names of the scenarios, in order; none where the file cannot be read as such.
    pub fn names(&self) -> Vec<String> {
        let tests = tests_in(&self.text, "");
        tests.into_iter().map(|test| test.name).collect()
    }

    /// Runs those with these letters in their name or in that of their file, or all.
    pub fn run(&self, filter: &str) -> Vec<Tried> {
        let plan = Plan {
            filter: filter.to_owned(),
            threads: 1,
            games: false,
        };
        let rans = run_suite(std::slice::from_ref(&self.text), &plan);
        rans.iter().flat_map(tried).collect()
    }
}

fn tried(ran: &Ran) -> Vec<Tried> {
    let problems = mistakes(&ran.bench, &ran.problems);
    if problems.iter().any(|problem| !problem.is_warning) {
        return vec![Tried {
            name: ran.name.clone(),
            passed: false,
            mistakes: problems,
            snapshots: Vec::new(),
        }];
    }
    let one = |(number, report): (usize, &omerta_play::scenario::Report)| Tried {
        name: report.name.clone(),
        passed: ran.holds(number),
        mistakes: mistakes(&ran.bench, &report.diagnostics),
        snapshots: { ran.held.iter() }
            .filter(|held| held.report == number && !held.is_same())
            .map(|held| held.file.clone())
            .collect(),
    };
    ran.reports.iter().enumerate().map(one).collect()
}
