//! `omerta test --record`: the few random games that together touch the most of a ruleset.

use super::ruleset::{Changes, lay, wanted};
use crate::faces::console::Console;
use anyhow::{Result, bail};
use omerta_measure::recording::{self, Wish};
use omerta_workbench::{
    bundle, files,
    runner::{Plan, read, run_suite},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The words of `test` that are about recorded games.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Recorded games")]
pub struct Words {
    /// Find the few random games that together touch the most of the ruleset named as PATHS, and keep that many of them as scenarios with snapshots
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::whole::<u32>(1, 1000),
        conflicts_with_all = [
            "mutate", "coverage", "ledger", "lcov", "accept", "review", "delete_orphans", "watch", "filter", "format"
        ]
    )]
    record: Option<u32>,
    /// How many random games are looked at
    #[arg(long, value_name = "N", requires = "record", default_value_t = 300, allow_negative_numbers = true, value_parser = super::whole::<u32>(1, 100_000))]
    games: u32,
    /// Only games with this many players
    #[arg(long, value_name = "N", requires = "record", allow_negative_numbers = true, value_parser = super::whole::<u8>(1, 64))]
    players: Option<u8>,
    /// Overlays to lay on the rules: names or paths
    #[arg(long, value_name = "OVERLAY", value_delimiter = ',', requires = "record")]
    with: Vec<String>,
}

impl Words {
    /// Whether games are to be recorded.
    pub fn are_wanted(&self) -> bool {
        self.record.is_some()
    }
}

/// Runs the command.
pub fn record(words: &Words, plan: &Plan, paths: &[PathBuf], console: Console) -> Result<ExitCode> {
    let [ruleset] = paths else {
        bail!("name one ruleset: `omerta test --record 3 RULESET`");
    };
    let ruleset = ruleset.display().to_string();
    let changes = Changes {
        with: words.with.clone(),
        set: Vec::new(),
    };
    let (bench, wanted) = wanted(&ruleset, &changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(ExitCode::from(1));
    };
    let home = Home::of(&ruleset, &words.with);
    if files::is_there(&home.file) {
        bail!(
            "`{}` is there already; remove it or give it another name first",
            home.file.display()
        );
    }
    let wish = Wish {
        base: home.base,
        players: words.players,
        games: u64::from(words.games),
        keep: words.record.unwrap_or(1) as usize,
        threads: plan.threads,
    };
    let Some(found) = recording::find(&bench, &laid.bench.rules, &wish) else {
        bail!("none of {} games came to an end", words.games);
    };
    files::write(&home.file, &found.text)?;
    for ran in run_suite(&[read(&home.file)?], &Plan::default()) {
        for held in &ran.held {
            ran.keep(held)?;
        }
    }
    let touched: usize = found.games.iter().map(|(_, new)| new).sum();
    for (name, new) in &found.games {
        console.say(&format!("{name}: {new} things that no game above shows\n"))?;
    }
    console.say(&format!(
        "{}: {} of {} random games; they show {touched} of the {} things that all of these show\n",
        home.file.display(),
        found.games.len(),
        found.played,
        found.all,
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Where the games are written, and what the ruleset is called there.
struct Home {
    file: PathBuf,
    base: String,
}

impl Home {
    /// Beside the ruleset; for a bundled one, in the folder one stands in.
    fn of(ruleset: &str, overlays: &[String]) -> Self {
        let path = Path::new(ruleset);
        let is_file = files::is_there(path) || bundle::bundled(ruleset).is_none();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let whole = path.file_name().unwrap_or_default().to_string_lossy();
        let name = match is_file {
            true => format!("\"{whole}\""),
            false => ruleset.to_owned(),
        };
        let list: Vec<String> = overlays
            .iter()
            .map(|overlay| match overlay.contains(['/', '\\', '.']) {
                true => format!("\"{overlay}\""),
                false => overlay.clone(),
            })
            .collect();
        let with = match list.is_empty() {
            true => String::new(),
            false => format!(" with {}", list.join(", ")),
        };
        let file = format!("{stem}-games.play");
        Home {
            file: if is_file {
                path.with_file_name(file)
            } else {
                PathBuf::from(file)
            },
            base: format!("{name}{with}"),
        }
    }
}
