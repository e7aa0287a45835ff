//! `omerta test --coverage` and `--ledger`: what scenarios touch, and which rules they say they show.

use crate::faces::{
    console::Console,
    measured,
    render::{Format, Renders},
};
use anyhow::{Result, bail};
use omerta_measure::coverage::{self, Coverage};
use omerta_play::events::json_line;
use omerta_workbench::{
    files,
    runner::{Plan, discover, nothing_like, run_suite},
};
use std::{path::PathBuf, process::ExitCode};

/// The words of `test` that are about what scenarios touch.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "What scenarios look at")]
pub struct Words {
    /// Say what of the rules no scenario touches
    #[arg(long, conflicts_with_all = ["accept", "review", "delete_orphans", "watch"])]
    coverage: bool,
    /// The same, and write it as an LCOV tracefile
    #[arg(long, value_name = "FILE", value_parser = super::made, conflicts_with_all = ["accept", "review", "delete_orphans", "watch"])]
    lcov: Option<PathBuf>,
    /// List the rules named after `covers`, and whether the scenarios that name them hold
    #[arg(long, conflicts_with_all = ["coverage", "lcov", "accept", "review", "delete_orphans", "watch"])]
    ledger: bool,
}

impl Words {
    /// Whether something of this is wanted.
    pub fn are_said(&self) -> bool {
        self.coverage || self.lcov.is_some() || self.ledger
    }
}

/// Runs the command.
pub fn measure(
    words: &Words,
    (plan, json): (&Plan, bool),
    paths: &[PathBuf],
    console: Console,
) -> Result<ExitCode> {
    let rans = run_suite(&discover(paths)?, plan);
    if rans.is_empty() {
        bail!("{}", nothing_like(&plan.filter));
    }
    let mut touched = Coverage::default();
    let (mut shown, mut all_hold) = (Vec::new(), true);
    for ran in &rans {
        console.talk(&ran.bench.render(&ran.problems, Format::Human, console.err));
        all_hold &= ran.count().1 == 0;
        for (number, report) in ran.reports.iter().enumerate() {
            if let (false, Some(session)) = (words.ledger, &report.session) {
                ran.bench.with_sources(|sources| touched.add(session, sources));
            }
            if !ran.holds(number) {
                console.talk(&format!("{}: {} ... FAILED\n", ran.name, report.name));
            }
            shown.push((report, ran.holds(number)));
        }
    }
    if let Some(path) = &words.lcov {
        files::write(path, &coverage::lcov(&touched))?;
    }
    console.say(&match (words.ledger, json) {
        (true, true) => json_line(&coverage::ledger(&shown)),
        (true, false) => measured::ledger(&coverage::ledger(&shown), console.out),
        (false, true) => json_line(&touched.report()),
        (false, false) => measured::coverage(&touched.report(), console.out),
    })?;
    Ok(ExitCode::from(u8::from(!all_hold)))
}
