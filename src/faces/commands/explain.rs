//! `omerta explain`: what an error means.

use crate::faces::console::Console;
use anyhow::Result;
use omerta_workbench::explain;
use std::process::ExitCode;

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  omerta explain M0203   what it means, how it looks, how to mend it
  omerta explain         all codes, a line each")]
pub struct Words {
    /// A code such as `M0203`; all of them when left out
    code: Option<String>,
}

/// Runs the command.
pub fn explain(words: &Words, console: Console) -> Result<ExitCode> {
    let text = match &words.code {
        Some(code) => explain::explain(code)?.to_owned(),
        None => explain::list(),
    };
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}
