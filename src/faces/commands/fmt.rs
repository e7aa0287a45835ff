//! `omerta fmt`: the one layout.

use crate::faces::{
    console::{Console, UNREAD},
    render::{Format, Renders},
};
use anyhow::Result;
use omerta_syntax::{format, format_play};
use omerta_workbench::{Workbench, files};
use std::{path::Path, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Only blanks and line ends change. A file with a mistake in it is left alone.

Examples:
  omerta fmt mine.mafia             lay the file out
  omerta fmt mine.play              a file of scenarios, too
  omerta fmt --check .              name the files that are laid out differently, change none
  omerta fmt - < mine.mafia         rules from standard input to standard output

Exit: 0 done, 1 a file has a mistake (or, with --check, another layout), 2 it could not be read.")]
pub struct Words {
    /// Files to lay out, or folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILES")]
    files: Vec<String>,
    /// Change nothing; name the files that are laid out differently
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub fn fmt(words: &Words, console: Console) -> Result<ExitCode> {
    let (mut well, mut unread) = (true, false);
    for file in &files::with_those_in_folders(&words.files)? {
        let text = match file.as_str() {
            "-" => files::read_stdin(),
            file => files::read(Path::new(file)),
        };
        match console.or_complain(text) {
            Some(text) => well &= lay_out(file, &text, words.check, console)?,
            None => unread = true,
        }
    }
    Ok(ExitCode::from(if unread { UNREAD } else { u8::from(!well) }))
}

/// Lays a file out; `false` when it has a mistake, or when it differs and may not be changed.
fn lay_out(file: &str, text: &str, only_check: bool, console: Console) -> Result<bool> {
    let is_stdin = file == "-";
    // All of it is one line, and what stands behind its first remark is none of the rules.
    if text.contains('\r') && !text.contains('\n') {
        console.complain(&format!(
            "the lines of `{file}` end in `CR` alone; save it with `LF` or `CRLF`"
        ));
        return Ok(false);
    }
    let texts = Workbench::default();
    let id = texts.add(if is_stdin { "standard input" } else { file }, text);
    let laid_out = match file.ends_with(".play") {
        true => format_play(id, text),
        false => format(id, text),
    };
    let done = match laid_out {
        Ok(done) => done,
        Err(problems) => {
            console.talk(&texts.render(&problems, Format::Human, console.err));
            return Ok(false);
        }
    };
    if only_check {
        if done != text {
            console.say(&format!("{file}\n"))?;
        }
        return Ok(done == text);
    }
    if is_stdin {
        console.say(&done)?;
    } else if done != text {
        files::write(Path::new(file), &done)?;
    }
    Ok(true)
}
