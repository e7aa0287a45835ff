//! `omerta test`: all scenarios of the files and folders named, or of the bundle.

use crate::faces::{
    bundle::{self, Shelf},
    commands::{measure, mutate, run::show_failures},
    console::{Console, paint},
    files,
    render::Format,
    runner::{Ran, run_text},
};
use anyhow::{Result, bail};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Without paths, the scenarios that travel inside omerta are run.

Examples:
  omerta test                      the bundled scenarios
  omerta test my-rules/            every .play file in a folder and below
  omerta test --filter doctor .    only those with these letters in their name or file
  omerta test --coverage my-rules  what of the rules no scenario touches
  omerta test --mutate mine.mafia  the slips in mine.mafia that no scenario beside it would notice

Exit: 0 all scenarios hold (all changes are noticed), 1 one does not, 2 a file could not be read.")]
pub struct Words {
    /// Files of scenarios, and folders that hold some
    #[arg(value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Only scenarios with this text in their name or in that of their file
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    #[command(flatten)]
    measures: measure::Words,
    #[command(flatten)]
    changes: mutate::Words,
    /// How changes and what was touched are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

/// How many scenarios held and how many did not.
#[derive(Clone, Copy, Default)]
struct Count {
    ok: usize,
    failed: usize,
}

/// Runs the command.
pub fn test(words: &Words, console: Console) -> Result<ExitCode> {
    if let Some(ruleset) = words.changes.ruleset() {
        let asked = (ruleset, words.filter.as_str(), words.format == Format::Json);
        return mutate::mutate(&words.changes, asked, &words.paths, console);
    }
    if words.measures.are_said() {
        let asked = (words.filter.as_str(), words.format == Format::Json);
        return measure::measure(&words.measures, asked, &words.paths, console);
    }
    let mut count = Count::default();
    for (shelf, name, text) in gather(&words.paths)? {
        let in_file = name.to_lowercase().contains(&words.filter.to_lowercase());
        let wants = |test: &str| in_file || test.to_lowercase().contains(&words.filter.to_lowercase());
        let ran = run_text(shelf, &name, &text, wants);
        if in_file || !ran.reports.is_empty() {
            count.add(&name, &ran, console)?;
        }
    }
    count.finish(&words.filter, console)
}

type Text = (Shelf, String, String);

fn gather(paths: &[PathBuf]) -> Result<Vec<Text>> {
    if paths.is_empty() {
        let bundled = |file: &include_dir::File<'_>| {
            let text = file.contents_utf8().unwrap_or_default().to_owned();
            (Shelf::default(), file.path().display().to_string(), text)
        };
        return Ok(bundle::scenarios().map(bundled).collect());
    }
    let mut texts = Vec::new();
    for path in paths {
        match files::is_folder(path) {
            true => {
                let found = files::below(path, "play");
                if found.is_empty() {
                    bail!("`{}` holds no .play file", path.display());
                }
                for file in found {
                    texts.push(text_of(&file)?);
                }
            }
            false => texts.push(text_of(path)?),
        }
    }
    Ok(texts)
}

fn text_of(path: &Path) -> Result<Text> {
    Ok((
        Shelf::beside(path),
        path.display().to_string(),
        files::read(path)?,
    ))
}

impl Count {
    fn add(&mut self, name: &str, ran: &Ran, console: Console) -> Result<()> {
        let ok = ran.reports.iter().filter(|report| report.passed()).count();
        let failed = (ran.reports.len() - ok).max(usize::from(!ran.passed()));
        self.ok += ok;
        self.failed += failed;
        let words = match failed {
            0 => paint(console.out.colour, "32", &format!("{ok} ok")),
            _ => paint(console.out.colour, "1;31", &format!("{ok} ok, {failed} FAILED")),
        };
        console.say(&format!("{name} ... {words}\n"))?;
        console.talk(&ran.bench.render(&ran.problems, Format::Human, console.err));
        show_failures(ran, console)
    }

    fn finish(self, filter: &str, console: Console) -> Result<ExitCode> {
        if self.ok + self.failed == 0 && !filter.is_empty() {
            bail!("no scenario has `{filter}` in its name or in that of its file");
        }
        let word = |count: usize| {
            if count == 1 {
                "scenario holds"
            } else {
                "scenarios hold"
            }
        };
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {failed} FAILED"),
        };
        console.say(&format!("{} {}{failed}\n", self.ok, word(self.ok)))?;
        Ok(ExitCode::from(u8::from(self.failed > 0)))
    }
}
