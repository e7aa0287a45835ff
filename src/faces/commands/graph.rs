//! `omerta graph`: the course of a game, as text or as a drawing.

use super::ruleset::{Changes, lay, wanted};
use crate::faces::console::Console;
use anyhow::Result;
use omerta_book::graph::drawing::drawing;
use omerta_book::{
    graph::{steps, text::text},
    subject::Subject,
};
use omerta_workbench::files;
use std::{path::PathBuf, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The scenes in the order of the script, one inside the other; what is repeated; where the ways part; \
and whom the host calls, numbered in order. What an option in force leaves out is not drawn.

Examples:
  omerta graph RULESET                    in the terminal
  omerta graph RULESET --svg course.svg   as a drawing
  omerta graph RULESET --with NAME --set OPTION=VALUE

Exit: 0 done, 1 the ruleset has mistakes, 2 a file could not be read or written.")]
pub struct Words {
    /// A bundled ruleset, or the path of one
    ruleset: String,
    #[command(flatten)]
    changes: Changes,
    /// Write a drawing into this file
    #[arg(long, value_name = "FILE", value_parser = super::made)]
    svg: Option<PathBuf>,
}

/// Runs the command.
pub fn graph(words: &Words, console: Console) -> Result<ExitCode> {
    let (bench, wanted) = wanted(&words.ruleset, &words.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(ExitCode::from(1));
    };
    let steps = bench.with_sources(|sources| steps(Subject::of(&laid, sources)));
    let title = &laid.bench.rules.title;
    match &words.svg {
        Some(path) => {
            files::write(path, &drawing(title, &steps))?;
            console.talk(&format!("wrote {}\n", path.display()));
        }
        None => console.say(&text(title, &steps))?,
    }
    Ok(ExitCode::SUCCESS)
}
