//! `omerta run`: the scenarios of one file, told to people or event by event to programs.

use crate::faces::{
    console::{Console, paint},
    render::{Format, Renders},
    runner::human::Total,
};
use anyhow::Result;
use omerta_check::Readings;
use omerta_play::{events, scenario::Report};
use omerta_workbench::{
    Workbench,
    bundle::Shelf,
    files,
    runner::{holds_scenarios, run_each},
};
use std::{collections::BTreeSet, path::Path, process::ExitCode};

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
    let mut told = Told::default();
    let mut written = Ok(());
    let ran = run_each(
        (Shelf::beside(path), &Readings::default()),
        (&words.file, &text),
        |_| true,
        &mut |bench, report| {
            if !words.json && written.is_ok() {
                written = told.show(bench, report, console);
            }
        },
    );
    written?;
    console.talk(&ran.bench.render(&ran.problems, Format::Human, console.err));
    for report in &ran.reports {
        match words.json {
            true => console.say(
                &ran.bench
                    .with_sources(|sources| events::scenario(report, sources)),
            )?,
            // What is known when all have run.
            false => console.talk(&told.fresh(&ran.bench, report, console)),
        }
    }
    if !words.json && !ran.reports.is_empty() {
        console.say(&format!("{}\n", Total::of(std::slice::from_ref(&ran)).words()))?;
    }
    if ran.reports.is_empty() && ran.problems.is_empty() {
        console.talk("the file holds no scenario; one begins with `play \"what it shows\"`\n");
    }
    Ok(ExitCode::from(u8::from(!ran.passed())))
}

/// What has been told of the scenarios of a file; a cause that several have is told once.
#[derive(Default)]
struct Told(BTreeSet<String>);

impl Told {
    /// What is wrong in a scenario and was not told before.
    fn fresh(&mut self, bench: &Workbench, report: &Report, console: Console) -> String {
        let each = report.diagnostics.iter();
        let fresh: Vec<_> = each
            .filter(|one| {
                let words = bench.render(std::slice::from_ref(*one), Format::Human, console.err);
                self.0.insert(words)
            })
            .cloned()
            .collect();
        bench.render(&fresh, Format::Human, console.err)
    }

    fn show(&mut self, bench: &Workbench, report: &Report, console: Console) -> Result<()> {
        let fresh = self.fresh(bench, report, console);
        let word = match (report.passed(), fresh.is_empty()) {
            (true, _) => paint(console.out.colour, "32", "ok"),
            (false, false) => paint(console.out.colour, "1;31", "FAILED"),
            (false, true) => paint(console.out.colour, "1;31", "FAILED") + " for a cause that is shown above",
        };
        console.say(&format!("{} ... {word}\n", report.name))?;
        console.talk(&fresh);
        Ok(())
    }
}
