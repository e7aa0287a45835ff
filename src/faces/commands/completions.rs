//! `omerta completions`: what a shell needs to complete our commands.

use crate::faces::console::Console;
use anyhow::Result;
use clap_complete::{Shell, generate};
use std::process::ExitCode;

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  omerta completions bash > ~/.local/share/bash-completion/completions/omerta
  omerta completions fish > ~/.config/fish/completions/omerta.fish
  omerta completions zsh > ~/.zfunc/_omerta")]
pub struct Words {
    /// The shell
    shell: Shell,
}

/// Runs the command; `line` is the whole command line.
pub fn completions(words: &Words, mut line: clap::Command, console: Console) -> Result<ExitCode> {
    let mut script = Vec::new();
    generate(words.shell, &mut line, "omerta", &mut script);
    console.say(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
