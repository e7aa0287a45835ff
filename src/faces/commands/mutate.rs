//! `omerta test --mutate`: which small changes to a ruleset no scenario notices.

use crate::{
    faces::{
        bundle::Shelf,
        console::Console,
        mutation::{self, Obstacle, Target, Wish},
        render::{Format, render},
        runner::{Plan, bundled, discover},
        workbench::is_wrong,
    },
    source::{Loader, Sources},
    syntax::{parse_file, tree::ItemKind},
};
use anyhow::{Result, bail};
use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The words of `test` that are about changes.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Changes to a ruleset")]
pub struct Words {
    /// Change this ruleset, overlay or library in small ways, one at a time, and list the changes that no scenario notices
    #[arg(long, value_name = "RULESET")]
    mutate: Option<String>,
    /// Only changes on these lines, such as `20..45`
    #[arg(long, value_name = "FROM..TO", requires = "mutate", value_parser = lines)]
    lines: Option<RangeInclusive<usize>>,
    /// Only so many changes, picked at random
    #[arg(long, value_name = "N", requires = "mutate")]
    sample: Option<usize>,
    /// What the picks hang on
    #[arg(long, value_name = "SEED", requires = "sample", default_value_t = 1)]
    seed: u64,
}

impl Words {
    /// The ruleset to be changed, where one is.
    pub fn ruleset(&self) -> Option<&str> {
        self.mutate.as_deref()
    }
}

fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("lines are named like 20..45, or 20".to_owned()),
    }
}

/// Where the scenarios of a ruleset lie when nobody says: beside its file.
fn home_of(ruleset: &str) -> Option<&Path> {
    let path = Path::new(ruleset);
    let looks_like_path = ruleset.contains(['/', '\\']) || ruleset.ends_with(".mafia");
    looks_like_path.then(|| match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    })
}

/// Runs the command.
pub fn mutate(
    words: &Words,
    (ruleset, plan, json): (&str, &Plan, bool),
    paths: &[PathBuf],
    console: Console,
) -> Result<ExitCode> {
    let target = target(ruleset, console)?;
    let texts = match (paths, home_of(ruleset)) {
        ([], Some(home)) => discover(&[home.to_path_buf()])?,
        ([], None) => bundled(),
        (paths, _) => discover(paths)?,
    };
    let scenarios = match mutation::baseline(&target, &texts, &plan.filter) {
        Ok(scenarios) => scenarios,
        Err(Obstacle::Unreadable(sources, problems)) => {
            console.talk(&render(&sources, &problems, Format::Human, console.err));
            return Ok(ExitCode::from(1));
        }
        Err(Obstacle::Failing(names)) => {
            let list: String = names.iter().map(|name| format!("  {name}\n")).collect();
            console.talk(&format!(
                "these scenarios fail before anything is changed; mend them first:\n{list}"
            ));
            return Ok(ExitCode::from(1));
        }
    };
    if scenarios.count() == 0 {
        bail!("no scenario uses `{ruleset}`; name the files or folders that hold some");
    }
    let wish = Wish {
        lines: words.lines.clone(),
        sample: words.sample,
        seed: words.seed,
    };
    let changes = mutation::wished(&target, &wish);
    let tried = mutation::try_all(&scenarios, &target, changes, plan.threads);
    console.say(&match json {
        true => mutation::json(&target, scenarios.count(), &tried),
        false => mutation::text(&target, scenarios.count(), &tried, console.out),
    })?;
    Ok(ExitCode::from(u8::from(!mutation::all_noticed(&tried))))
}

/// The text to be changed; it must be sound by itself.
fn target(ruleset: &str, console: Console) -> Result<Target> {
    let Some(loaded) = Shelf::default().load(ruleset) else {
        bail!("there is no ruleset `{ruleset}`; `omerta list` names those inside");
    };
    let mut sources = Sources::default();
    let id = sources.add(loaded.name.clone(), loaded.text.clone());
    let (file, problems) = parse_file(id, &loaded.text);
    if is_wrong(&problems) {
        console.talk(&render(&sources, &problems, Format::Human, console.err));
        bail!("`{ruleset}` must be sound before it can be changed");
    }
    // A file may hold a ruleset and overlays: by the name of an overlay only that one is meant.
    let overlay = file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Overlay { name, .. } if name.text == ruleset => Some(name.text.clone()),
        _ => None,
    });
    Ok(Target {
        name: loaded.name,
        text: loaded.text,
        overlay,
    })
}
