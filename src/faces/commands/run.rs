//! `omerta run`: the scenarios of one file, told to people or event by event to programs.

use crate::faces::{
    console::{Console, paint},
    render::{Format, Renders},
};
use anyhow::Result;
use omerta_play::{events, scenario::Report};
use omerta_workbench::{
    bundle::Shelf,
    files,
    runner::{Ran, holds_scenarios, run_text},
};
use std::{path::Path, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Each scenario is a game that is played from its lines; what it expects must hold.

Examples:
  omerta run doctor.play          which scenarios hold, and what happened where one does not
  omerta run doctor.play --json   everything that happens, an event a line, for programs

Exit: 0 all expectations hold, 1 one does not, 2 the file could not be read.")]
pub struct Words {
    /// A file of scenarios
    #[arg(value_name = "FILE.play")]
    file: String,
    /// An event a line, the last line of each scenario its outcome
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(words: &Words, console: Console) -> Result<ExitCode> {
    let path = Path::new(&words.file);
    let text = files::read(path)?;
    holds_scenarios(path)?;
    let ran = run_text(Shelf::beside(path), &words.file, &text, |_| true);
    console.talk(&ran.bench.render(&ran.problems, Format::Human, console.err));
    if words.json {
        for report in &ran.reports {
            console.say(
                &ran.bench
                    .with_sources(|sources| events::scenario(report, sources)),
            )?;
        }
    } else {
        for report in &ran.reports {
            show(&ran, report, console)?;
        }
    }
    if ran.reports.is_empty() && ran.problems.is_empty() {
        console.talk("the file holds no scenario; one begins with `play \"what it shows\"`\n");
    }
    Ok(ExitCode::from(u8::from(!ran.passed())))
}

fn show(ran: &Ran, report: &Report, console: Console) -> Result<()> {
    let word = match report.passed() {
        true => paint(console.out.colour, "32", "ok"),
        false => paint(console.out.colour, "1;31", "FAILED"),
    };
    console.say(&format!("{} ... {word}\n", report.name))?;
    console.talk(&ran.bench.render(&report.diagnostics, Format::Human, console.err));
    Ok(())
}
