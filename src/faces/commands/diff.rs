//! `omerta diff`: what two rulesets differ in.

use super::ruleset::{Changes, lay, wanted};
use crate::faces::console::{Console, paint};
use anyhow::Result;
use omerta_book::{
    diff::{Part, difference},
    subject::Subject,
};
use omerta_workbench::{ReadyRules, Workbench, files};
use std::{path::Path, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
What is compared is what the rules mean: players, teams, roles, the order of the calls, casts, scenes, rules, \
endings and their order, options with their values. Layout, remarks, the order of declarations and \
names that are known only inside a declaration make no difference.

Each side is a ruleset, overlays behind it with `+`:
  omerta diff RULESET RULESET+OVERLAY    what an overlay changes
  omerta diff old.mafia new.mafia        two versions of a file

+ only the second has it, - only the first, ~ both have it, and it differs: [before → after].

Exit: 0 they mean the same, 1 they differ, 2 one of them has mistakes or could not be read.")]
pub struct Words {
    /// A ruleset, with overlays behind `+`
    #[arg(value_name = "A")]
    first: String,
    /// What it is compared with
    #[arg(value_name = "B")]
    second: String,
}

/// Runs the command.
pub fn diff(words: &Words, console: Console) -> Result<ExitCode> {
    let (first, second) = (side(&words.first, console)?, side(&words.second, console)?);
    let (Some((first, one)), Some((second, other))) = (first, second) else {
        return Ok(ExitCode::from(2));
    };
    let parts = first.with_sources(|texts| {
        let one = Subject::of(&one, texts);
        second.with_sources(|texts| difference(one, Subject::of(&other, texts)))
    });
    console.say(&text(&parts, console))?;
    Ok(ExitCode::from(u8::from(!parts.is_empty())))
}

/// One side; nothing once its mistakes have been shown.
fn side(asked: &str, console: Console) -> Result<Option<(Workbench, ReadyRules)>> {
    // A file may have a `+` in its name.
    let whole = files::is_there(Path::new(asked));
    let mut names = if whole {
        vec![asked]
    } else {
        asked.split('+').collect()
    };
    let base = names.remove(0);
    let changes = Changes {
        with: names.into_iter().map(str::to_owned).collect(),
        ..Changes::default()
    };
    let (bench, wanted) = wanted(base, &changes)?;
    let laid = lay(&bench, &wanted, console);
    Ok(laid.map(|laid| (bench, laid)))
}

fn text(parts: &[Part], console: Console) -> String {
    let part = |part: &Part| {
        let lines: String = part.lines.iter().map(|line| format!("  {line}\n")).collect();
        format!("{}\n{lines}", paint(console.out.colour, "1", part.head))
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n")
}
