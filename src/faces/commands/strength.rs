//! `omerta test --strength`: which lines of scenarios were never seen to fail.

use crate::faces::{
    commands::mutate::obstructed,
    console::Console,
    measured,
    runner::human::{self, Total},
};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use omerta_measure::mutation::{self, Step};
use omerta_play::events::json_line;
use omerta_workbench::runner::{Plan, discover, nothing_like, run_suite};
use std::{collections::BTreeSet, path::PathBuf, process::ExitCode};

/// Runs the command.
pub fn strength((plan, json): (&Plan, bool), paths: &[PathBuf], console: Console) -> Result<ExitCode> {
    let texts = discover(paths)?;
    let rans = run_suite(&texts, plan);
    if rans.is_empty() && !plan.filter.is_empty() {
        bail!("{}", nothing_like(&plan.filter));
    }
    if Total::of(&rans).failed > 0 {
        let mut told = BTreeSet::new();
        let failed = rans.iter().filter(|ran| !ran.passed());
        failed
            .into_iter()
            .try_for_each(|ran| human::show(ran, &mut told, console))?;
        console.talk("these fail before anything is changed; mend them first\n");
        return Ok(ExitCode::from(1));
    }
    let ran = |name: &String| rans.iter().any(|ran| ran.name == *name);
    let texts: Vec<_> = texts.into_iter().filter(|text| ran(&text.name)).collect();
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} slips {msg}") {
        bar.set_style(style);
    }
    let step = |step: Step<'_>| match step {
        Step::Text(name, slips) => {
            bar.inc_length(slips as u64);
            bar.set_message(format!("in {name}"));
        }
        Step::Slip => bar.inc(1),
    };
    let strength = match mutation::strength((&texts, &rans), &plan.filter, plan.threads, step) {
        Ok(strength) => strength,
        Err(obstacle) => return Ok(obstructed(&obstacle, console)),
    };
    bar.finish_and_clear();
    console.say(&match json {
        true => json_line(&strength),
        false => measured::strength(&strength, console.out),
    })?;
    let awake = strength.asleep.is_empty() && strength.unnoticing.is_empty();
    Ok(ExitCode::from(u8::from(!awake)))
}
