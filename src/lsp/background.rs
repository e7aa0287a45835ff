//! Runs scenarios beside everything else, one file after the other; what was asked anew counts for what was asked
//! before.

use crate::events::{Event, Ran, STACK, Waiting};
use omerta_check::Readings;
use omerta_core::{diagnostic::Diagnostic, source::Sources};
use omerta_play::scenario::Report;
use omerta_workbench::{
    bundle::Shelf,
    findings::{At, Finding},
    hints::{Hint, of_lines},
    is_wrong,
    moments::came_to,
    runner::{self, snapshots::Held},
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
    /// What their texts were read as.
    pub readings: Readings,
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
    pub fn ask(&self, path: PathBuf, text: String, (shelf, readings): (Shelf, Readings)) -> u64 {
        let number = self.forget(&path);
        let _ = self.jobs.send(Job {
            path,
            text,
            shelf,
            readings,
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
            if tell.send(Event::Ran(ran.unwrap_or(None))).is_err() {
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
    let text = runner::lying_at(&job.path, job.text.clone(), job.shelf.clone());
    let ran = runner::run_while((&text, &job.readings), MOST, is_latest)?;
    let mut out = Ran {
        path: job.path.clone(),
        number: job.number,
        is_stuck: is_wrong(&ran.problems),
        ..Ran::default()
    };
    if out.is_stuck {
        return Some(out);
    }
    out.count = ran.count();
    ran.bench.with_sources(|sources| {
        for report in &ran.reports {
            let case = case_of(sources, report);
            let told = report.diagnostics.iter().map(|one| in_case(one, case));
            out.findings.extend(told.map(|one| Finding::of(sources, &one)));
            out.hints.extend(of_lines(sources, report));
            let title: Arc<str> = report.name.as_str().into();
            for thing in came_to(sources, report) {
                out.came.entry(thing).or_default().push(title.clone());
            }
        }
        let other = ran.held.iter().filter(|held| !held.is_same());
        out.snapshots.extend(other.map(|held| Waiting {
            at: At::of(sources, held.span),
            words: words(held),
            file: ran.path_of(&held.file),
            new: held.new.clone(),
        }));
    });
    out.hints = told_once(out.hints);
    Some(out)
}

/// The case of a scenario that was played: what stands in brackets behind its title, or the title with what the case has put
/// into it.
fn case_of<'r>(sources: &Sources, report: &'r Report) -> Option<&'r str> {
    let title = sources.slice(report.span).trim_matches('"');
    match report.name.strip_prefix(title) {
        Some(behind) => behind.strip_prefix(' '),
        None => Some(&report.name),
    }
}

/// What was found in one case says in which. What would hold there is nothing for the others.
fn in_case(found: &Diagnostic, case: Option<&str>) -> Diagnostic {
    let mut found = found.clone();
    if let (Some(case), Some(label)) = (case, found.labels.first_mut()) {
        let case = case.trim_start_matches('(').trim_end_matches(')');
        label.text = format!("{} (in the case {case})", label.text)
            .trim_start()
            .to_owned();
        found.repairs = None;
    }
    found
}

/// What is to be said of a snapshot that is another, or was never kept.
fn words(held: &Held) -> String {
    let change = held.first_change();
    let change = change.map_or_else(String::new, |(is, was)| {
        format!("\nnow: {}\nbefore: {}", is.trim(), was.trim())
    });
    format!(
        "this snapshot {}{change}\nif it is right as it is now, accept it: by the repair here, or above the line",
        held.why()
    )
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
