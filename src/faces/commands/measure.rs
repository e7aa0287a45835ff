//! `omerta test --coverage` and `--ledger`: what scenarios touch, and which rules they say they show.

use crate::faces::{
    commands::mutate::gather,
    console::Console,
    coverage::{self, Coverage},
    files,
    render::Format,
    runner::run_text,
};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode};

/// The words of `test` that are about what scenarios touch.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "What scenarios look at")]
pub struct Words {
    /// Say what of the rules no scenario touches
    #[arg(long, conflicts_with = "mutate")]
    coverage: bool,
    /// Write what was touched as an LCOV tracefile
    #[arg(long, value_name = "FILE", requires = "coverage")]
    lcov: Option<PathBuf>,
    /// List the rules named after `covers`, and whether the scenarios that name them hold
    #[arg(long, conflicts_with_all = ["mutate", "coverage"])]
    ledger: bool,
}

impl Words {
    /// Whether something of this is wanted.
    pub fn are_said(&self) -> bool {
        self.coverage || self.ledger
    }
}

/// Runs the command on the texts of scenarios.
pub fn measure(
    words: &Words,
    (filter, json): (&str, bool),
    paths: &[PathBuf],
    console: Console,
) -> Result<ExitCode> {
    let filter = filter.to_lowercase();
    let mut coverage = Coverage::default();
    let (mut reports, mut passed) = (Vec::new(), true);
    for (shelf, name, text) in gather(paths)? {
        let in_file = name.to_lowercase().contains(&filter);
        let ran = run_text(shelf, &name, &text, |test| {
            in_file || test.to_lowercase().contains(&filter)
        });
        console.talk(&ran.bench.render(&ran.problems, Format::Human, console.err));
        passed &= ran.passed();
        for report in ran.reports {
            if let (true, Some(session)) = (words.coverage, &report.session) {
                ran.bench.with_sources(|sources| coverage.add(session, sources));
            }
            if !report.passed() {
                console.talk(&format!("{name}: {} ... FAILED\n", report.name));
            }
            reports.push(report);
        }
    }
    if let Some(path) = &words.lcov {
        files::write(path, &coverage::lcov(&coverage))?;
    }
    console.say(&match (words.ledger, json) {
        (true, _) => coverage::ledger(reports.iter(), console.out),
        (false, true) => coverage::json(&coverage),
        (false, false) => coverage::text(&coverage, console.out),
    })?;
    Ok(ExitCode::from(u8::from(!passed)))
}
