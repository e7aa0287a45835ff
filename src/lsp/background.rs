//! Runs scenarios beside everything else, one file after the other; what was asked anew counts for what was asked
//! before.

use crate::events::{Event, Ran, STACK};
use omerta_play::scenario::run;
use omerta_syntax::parse_play;
use omerta_workbench::{
    Workbench,
    bundle::Shelf,
    findings::Finding,
    hints::{Hint, of_lines},
    is_wrong,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Sender, channel},
    },
    thread,
};

/// How many scenarios of a file are run while somebody writes.
const MOST: usize = 500;

/// A file whose scenarios are to be run.
pub struct Job {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Where its rules are.
    pub shelf: Shelf,
    /// Which asking for this file it is.
    pub number: u64,
}

/// Where jobs are handed in.
pub struct Runner {
    jobs: Sender<Job>,
    latest: Latest,
}

/// The number of the latest asking for each file.
type Latest = Arc<Mutex<BTreeMap<PathBuf, u64>>>;

impl Runner {
    /// Asks for a run; gives the number of the asking.
    pub fn ask(&self, path: PathBuf, text: String, shelf: Shelf) -> u64 {
        let number = self.forget(&path);
        let _ = self.jobs.send(Job {
            path,
            text,
            shelf,
            number,
        });
        number
    }

    /// Takes back what was asked for a file.
    pub fn forget(&self, path: &Path) -> u64 {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let number = latest.entry(path.to_path_buf()).or_default();
        *number += 1;
        *number
    }
}

/// Starts the thread that runs scenarios.
pub fn start(tell: Sender<Event>) -> Runner {
    let (jobs, todo) = channel::<Job>();
    let latest = Latest::default();
    let known = latest.clone();
    let work = move || {
        for job in todo {
            let is_latest = || {
                let latest = known.lock().unwrap_or_else(PoisonError::into_inner);
                latest.get(&job.path) == Some(&job.number)
            };
            let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| done(&job, &is_latest)));
            if let Ok(Some(ran)) = ran
                && tell.send(Event::Ran(ran)).is_err()
            {
                return;
            }
        }
    };
    // Without such a thread nothing is run, and all the rest goes on.
    drop(thread::Builder::new().stack_size(STACK).spawn(work));
    Runner { jobs, latest }
}

/// Runs the scenarios of a file, unless that is not wanted any more.
fn done(job: &Job, is_latest: &dyn Fn() -> bool) -> Option<Ran> {
    let bench = Workbench::new(job.shelf.clone());
    let id = bench.add(&job.path.display().to_string(), &job.text);
    let (tree, problems) = parse_play(id, &job.text);
    if is_wrong(&problems) {
        return None;
    }
    let mut reports = Vec::new();
    for test in omerta_play::scenario::tests_of(&tree).iter().take(MOST) {
        if !is_latest() {
            return None;
        }
        // What could not be written out is told by the check.
        if test.problems.is_empty() {
            reports.push(run(test, &bench));
        }
    }
    let passed = reports.iter().filter(|report| report.passed()).count();
    let (mut findings, mut hints) = (Vec::new(), Vec::new());
    bench.with_sources(|sources| {
        for report in &reports {
            findings.extend(report.diagnostics.iter().map(|one| Finding::of(sources, one)));
            hints.extend(of_lines(sources, report));
        }
    });
    Some(Ran {
        path: job.path.clone(),
        number: job.number,
        count: (passed, reports.len()),
        hints: told_once(hints),
        findings,
    })
}

/// A line that several scenarios play has brought about one thing or the other: it tells of none.
fn told_once(mut hints: Vec<Hint>) -> Vec<Hint> {
    hints.sort_by_key(|hint| hint.at.range.end);
    hints.dedup();
    let ends: Vec<usize> = hints.iter().map(|hint| hint.at.range.end).collect();
    let alone = |end: usize| ends.iter().filter(|other| **other == end).count() == 1;
    hints.retain(|hint| alone(hint.at.range.end));
    hints
}
