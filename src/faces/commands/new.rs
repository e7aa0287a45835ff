//! `omerta new`: a folder to begin with.

use crate::faces::{
    console::Console,
    starter::{Template, begin, copy},
};
use anyhow::{Result, anyhow, bail};
use omerta_core::diagnostic::close_name;
use omerta_workbench::{
    catalogue::{Entry, Sort, bundled},
    files,
};
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
  omerta new our-city --copy city        a bundled game with its scenarios, to change
  omerta new .                           in this folder, if nothing is in it

Exit: 0 done, 2 the folder cannot be used.")]
pub struct Words {
    /// The folder; the rules get its name
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What to begin with
    #[arg(long, value_enum, default_value = "house-rule")]
    template: Template,
    /// A bundled ruleset or overlay to begin with, whole: its rules, scenarios and snapshots
    #[arg(long, value_name = "NAME", conflicts_with = "template")]
    copy: Option<String>,
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
    let called = files::name_of(folder);
    let start = match &words.copy {
        None => begin(words.template, &called),
        Some(name) => copy(name, &called).ok_or_else(|| no_copy_of(name))?,
    };
    files::make_folder(folder)?;
    for (path, text) in &start.files {
        let path = folder.join(path);
        if let Some(inside) = path.parent().filter(|inside| inside != folder) {
            files::make_folder(inside)?;
        }
        files::write(&path, text)?;
        console.say(&format!("{}\n", path.display()))?;
    }
    console.talk(&next_steps(folder));
    Ok(ExitCode::SUCCESS)
}

/// A name of which nothing can be copied, and what can.
fn no_copy_of(name: &str) -> anyhow::Error {
    let is_game = |entry: &Entry| !matches!(entry.sort, Sort::Library);
    let names: Vec<String> = bundled()
        .into_iter()
        .filter(is_game)
        .map(|entry| entry.name)
        .collect();
    match close_name(name, names.iter().map(String::as_str)) {
        Some(close) => anyhow!("no bundled ruleset or overlay is called `{name}`; did you mean `{close}`?"),
        None => anyhow!("no bundled ruleset or overlay is called `{name}`; `omerta list` names them"),
    }
}

/// What to do with it.
fn next_steps(folder: &Path) -> String {
    let go = match folder == Path::new(".") {
        true => String::new(),
        false => format!("  cd {}\n", quoted(&folder.display().to_string())),
    };
    format!(
        "\nNext:\n{go}  omerta check .\n  omerta test\n\
         README.md there says how to play it and how to go on.\n"
    )
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    // No quotes keep a path from being taken for an option.
    let path = match path.starts_with('-') {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    let plain = |letter: char| letter.is_alphanumeric() || "/._-\\:".contains(letter);
    match path.chars().all(plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}
