//! `omerta new`: a folder to begin with.

use crate::faces::{
    console::Console,
    starter::{Template, begin},
};
use anyhow::{Result, bail};
use omerta_workbench::files;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The folder gets rules, scenarios that hold, a snapshot of a whole game and a README. Nothing that is \
already there is ever overwritten.

Examples:
  omerta new my-house                    a house rule on a bundled game
  omerta new watchman --template role    a new card
  omerta new elder --template overlay    a modification with an option
  omerta new wolves --template game      a game of your own
  omerta new .                           in this folder, if nothing is in it

Exit: 0 done, 2 the folder cannot be used.")]
pub struct Words {
    /// The folder; the rules get its name
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What to begin with
    #[arg(long, value_enum, default_value = "house-rule")]
    template: Template,
}

/// Runs the command.
pub fn new(words: &Words, console: Console) -> Result<ExitCode> {
    let folder = &words.folder;
    let shown = folder.display();
    if files::is_there(folder) && !files::is_folder(folder) {
        bail!("`{shown}` is a file; name a folder that is not there yet");
    }
    if !files::is_bare(folder) {
        bail!("`{shown}` is not empty, and nothing is overwritten; name another folder");
    }
    files::make_folder(folder)?;
    let start = begin(words.template, &files::name_of(folder));
    for (path, text) in &start.files {
        let path = folder.join(path);
        if let Some(inside) = path.parent().filter(|inside| inside != folder) {
            files::make_folder(inside)?;
        }
        files::write(&path, text)?;
        console.say(&format!("{}\n", path.display()))?;
    }
    console.talk(&next_steps(folder, &start.name));
    Ok(ExitCode::SUCCESS)
}

/// What to do with it.
fn next_steps(folder: &Path, name: &str) -> String {
    let go = match folder == Path::new(".") {
        true => String::new(),
        false => format!("  cd {}\n", quoted(&folder.display().to_string())),
    };
    format!(
        "\nNext:\n{go}  omerta check {name}.mafia {name}.play\n  omerta test\n\
         README.md there says how to play it and how to go on.\n"
    )
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-\\:".contains(letter);
    match path.chars().all(plain) && !path.starts_with('-') {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}
