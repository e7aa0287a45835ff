//! `omerta test --mutate`: which small changes to a ruleset no scenario notices.

use crate::faces::{
    console::Console,
    measured,
    render::{Format, render},
};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use omerta_core::source::{Loaded, SourceId, Sources};
use omerta_measure::mutation::{self, Obstacle, Target, Wish};
use omerta_play::events::json_line;
use omerta_syntax::{parse_file, tree::ItemKind};
use omerta_workbench::{
    bundle, files, is_wrong,
    runner::{Plan, Text, bundled, discover, run_suite},
};
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
    /// Change this ruleset, overlay or library in small ways, one at a time, and list the changes that no scenario notices; of a folder, how many there are of each text in it
    #[arg(
        long,
        value_name = "RULESET",
        conflicts_with_all = ["coverage", "ledger", "lcov", "accept", "review", "delete_orphans", "watch"]
    )]
    mutate: Option<String>,
    /// Only changes on these lines, such as `20..45`
    #[arg(long, value_name = "FROM..TO", requires = "mutate", value_parser = lines)]
    lines: Option<RangeInclusive<usize>>,
    /// Only this many changes, picked at random
    #[arg(long, value_name = "N", requires = "mutate", allow_negative_numbers = true, value_parser = super::whole::<u32>(1, u64::MAX))]
    sample: Option<u32>,
    /// Pass when at least this percentage of the changes to each whole ruleset is noticed
    #[arg(long, value_name = "PERCENT", requires = "mutate", default_value_t = 100, allow_negative_numbers = true, value_parser = super::whole::<u8>(0, 100))]
    least: u8,
    /// Where the picking begins
    #[arg(long, value_name = "SEED", requires = "sample", default_value_t = 1, allow_negative_numbers = true, value_parser = super::whole::<u64>(0, u64::MAX))]
    seed: u64,
}

impl Words {
    /// The ruleset to be changed, where one is.
    pub fn ruleset(&self) -> Option<&str> {
        self.mutate.as_deref()
    }

    fn wish(&self) -> Wish {
        Wish {
            lines: self.lines.clone(),
            sample: self.sample.map(|sample| sample as usize),
            seed: self.seed,
        }
    }

    /// Whether enough changes were noticed.
    fn is_content(&self, report: &mutation::Report<'_>) -> bool {
        let enough = report.share() >= usize::from(self.least) * 10;
        report.all_noticed() || report.stumbled.is_empty() && enough
    }
}

fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("lines are named like 20..45, or 20".to_owned()),
    }
}

/// The file that is meant; nothing, where it is a bundled name.
fn file_of(ruleset: &str) -> Option<&Path> {
    let path = Path::new(ruleset);
    (files::is_there(path) || bundle::bundled(ruleset).is_none()).then_some(path)
}

/// The scenarios named; else those beside the ruleset, or for a bundled one the bundled ones.
fn texts_for(ruleset: &str, paths: &[PathBuf]) -> Result<Vec<Text>> {
    match (paths, file_of(ruleset)) {
        ([], None) => Ok(bundled()),
        ([], Some(file)) => {
            let home = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            discover(&[home.unwrap_or(Path::new(".")).to_path_buf()])
                .with_context(|| format!("name files or folders with scenarios that use `{ruleset}`"))
        }
        (paths, _) => discover(paths),
    }
}

/// Runs the command.
pub fn mutate(
    words: &Words,
    (ruleset, plan, json): (&str, &Plan, bool),
    paths: &[PathBuf],
    console: Console,
) -> Result<ExitCode> {
    if files::is_folder(Path::new(ruleset)) {
        return each_of(Path::new(ruleset), words, (plan, json), paths, console);
    }
    let target = target(ruleset, console)?;
    let texts = texts_for(ruleset, paths)?;
    let scenarios = match mutation::baseline(&target, &texts, &plan.filter) {
        Ok(scenarios) => scenarios,
        Err(obstacle) => return Ok(obstructed(&obstacle, console)),
    };
    if scenarios.count() == 0 {
        bail!("no scenario uses `{ruleset}`; name the files or folders that hold some");
    }
    let changes = mutation::wished(&target, &words.wish());
    if changes.is_empty() {
        bail!("on these lines of `{ruleset}` stands nothing that could be changed");
    }
    let bar = bar(changes.len());
    let tried = mutation::try_all(&scenarios, &target, changes, plan.threads, || bar.inc(1));
    bar.finish_and_clear();
    let report = mutation::report(&target, scenarios.count(), &tried);
    console.say(&match json {
        true => json_line(&report),
        false => measured::changes(&report, console.out),
    })?;
    Ok(ExitCode::from(u8::from(!words.is_content(&report))))
}

/// Changes every text of a folder, and says of each how many changes were noticed. Held to the least that is wanted
/// are whole rulesets: overlays and libraries are parts, of some of which one change is a tenth.
fn each_of(
    folder: &Path,
    words: &Words,
    (plan, json): (&Plan, bool),
    paths: &[PathBuf],
    console: Console,
) -> Result<ExitCode> {
    let here = [folder.to_path_buf()];
    let texts = discover(if paths.is_empty() { &here } else { paths })?;
    let rans = run_suite(&texts, plan);
    let mut content = true;
    for (target, texts) in mutation::texts_behind(&texts, &rans) {
        if !lies_in(Path::new(&target.name), folder) {
            continue;
        }
        let scenarios = match mutation::baseline(&target, &texts, &plan.filter) {
            Ok(scenarios) => scenarios,
            Err(obstacle) => return Ok(obstructed(&obstacle, console)),
        };
        let changes = mutation::wished(&target, &words.wish());
        let tried = mutation::try_all(&scenarios, &target, changes, plan.threads, || {});
        let report = mutation::report(&target, scenarios.count(), &tried);
        console.say(&match json {
            true => json_line(&report),
            false => measured::score(&report, console.out),
        })?;
        content &= words.is_content(&report) || !is_whole(&target);
    }
    Ok(ExitCode::from(u8::from(!content)))
}

/// Whether a text is a file of a folder; what is bundled is none.
fn lies_in(text: &Path, folder: &Path) -> bool {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_path_buf();
    files::is_there(text) && plain(text).starts_with(plain(folder))
}

/// Whether a text is a ruleset, and not a part of one.
fn is_whole(target: &Target) -> bool {
    let (file, _) = parse_file(SourceId(0), &target.text);
    let mut items = file.items.iter();
    items.any(|item| matches!(item.kind, ItemKind::Ruleset { .. }))
}

/// Says why no change can be tried.
pub fn obstructed(obstacle: &Obstacle, console: Console) -> ExitCode {
    match obstacle {
        Obstacle::Unreadable(sources, problems) => {
            console.talk(&render(sources, problems, Format::Human, console.err));
        }
        Obstacle::Failing(names) => {
            let list: String = names.iter().map(|name| format!("  {name}\n")).collect();
            console.talk(&format!(
                "these scenarios fail before anything is changed; mend them first:\n{list}"
            ));
        }
    }
    ExitCode::from(1)
}

/// A bar on the standard error; where that is no terminal, none.
fn bar(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} changes, {eta} to go");
    let bar = ProgressBar::new(length as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The text to be changed; it must be sound by itself.
fn target(ruleset: &str, console: Console) -> Result<Target> {
    let loaded = match (file_of(ruleset), bundle::bundled(ruleset)) {
        (None, Some(loaded)) => loaded,
        (Some(file), _) if file.extension().is_some_and(|ending| ending == "play") => {
            bail!("`{ruleset}` holds scenarios; name the ruleset that is to be changed")
        }
        (Some(file), _) if !files::is_there(file) && file.extension().is_none() => {
            bail!(
                "there is neither a file nor a bundled ruleset `{ruleset}`; `omerta list` names those inside"
            )
        }
        _ => Loaded {
            name: ruleset.to_owned(),
            text: files::read(Path::new(ruleset))?,
        },
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
