//! `omerta check --deep`: plays the rulesets and overlays that were checked.

use super::{at_most_threads, sim};
use crate::faces::console::Console;
use anyhow::Result;
use omerta_check::Readings;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::plural::so_many;
use omerta_measure::deep::{Finding, Report, Stopped, Target, Wish, examine};
use omerta_workbench::{RulesetRequest, Workbench, bundle::Shelf, files};
use std::{path::PathBuf, sync::atomic::Ordering, thread, time::Duration};

/// The words of `check` that are about playing.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Playing the rules")]
pub struct Words {
    /// Play every ruleset and overlay named, and report what games show
    #[arg(long)]
    deep: bool,
    /// How many games are played of each
    #[arg(long, value_name = "N", requires = "deep", default_value_t = 3_000, allow_negative_numbers = true, value_parser = super::whole::<u64>(1, 10_000_000))]
    games: u64,
    /// Where chance and the random answers begin
    #[arg(long, value_name = "SEED", requires = "deep", default_value_t = 1, allow_negative_numbers = true, value_parser = super::whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// How many threads; by default as many as the machine has
    #[arg(long, value_name = "N", requires = "deep", allow_negative_numbers = true, value_parser = at_most_threads(1))]
    threads: Option<usize>,
    /// Stop playing after so many seconds, however many games that makes
    #[arg(long, value_name = "SECONDS", requires = "deep", allow_negative_numbers = true, value_parser = super::whole::<u64>(1, u64::MAX))]
    seconds: Option<u64>,
    /// Write the games that show what was found to this file, as scenarios
    #[arg(long, value_name = "FILE", requires = "deep", value_parser = found_before)]
    write: Option<PathBuf>,
}

/// Rules that shall be played.
pub struct Wished {
    /// The rules.
    pub wanted: RulesetRequest,
    /// Where they are found.
    pub bench: Workbench,
    /// The text that is asked about; nothing for all but libraries.
    pub own: Option<String>,
}

impl Words {
    /// Whether anything is to be played.
    pub fn are_wanted(&self) -> bool {
        self.deep
    }

    fn wish(&self) -> Wish {
        Wish {
            games: self.games,
            seed: self.seed,
            threads: self
                .threads
                .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
            time: self.seconds.map(Duration::from_secs),
        }
    }
}

/// Plays; gives what was found, and whether somebody has stopped it.
pub fn play(words: &Words, all: &[Wished], console: Console) -> (Vec<Finding>, bool) {
    let mut findings = Vec::new();
    let stop = sim::stopped_by_hand();
    for wished in all {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let own = |name: &str| wished.own.as_deref().is_none_or(|own| own == name);
        let target = Target {
            wanted: &wished.wanted,
            own: &own,
            stop: stop.clone(),
        };
        let bar = sim::bar(words.games, 0);
        let report = examine(&wished.bench, &target, words.wish(), &|games| bar.inc(games));
        bar.finish_and_clear();
        // Rules with mistakes are not played, and their mistakes have been found before.
        if let Ok(report) = report {
            console.talk(&summary(&wished.wanted, &report, words.games));
            findings.extend(report.findings);
        }
    }
    (findings, stop.load(Ordering::Relaxed))
}

/// `mine.mafia: 3000 games by 4 to 12 players, the rules laid in 7 ways`
fn summary(wanted: &RulesetRequest, report: &Report, wished: u64) -> String {
    let mut name = wanted.base.clone();
    if !wanted.overlays.is_empty() {
        name.push_str(&format!(" with {}", wanted.overlays.join(", ")));
    }
    let Some((from, to)) = report.players else {
        if report.stopped.is_some() {
            return format!("{name}: stopped before the first game was over\n");
        }
        return format!(
            "{name}: no cards can be dealt by a table of the rules, so nothing could be played\n"
        );
    };
    let players = if from == to {
        from.to_string()
    } else {
        format!("{from} to {to}")
    };
    let (ways, refused, left_out) = report.ways;
    let many = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!(", {count} {what}"),
    };
    let ways = format!(
        "laid in {ways} way{}{}{}",
        if ways == 1 { "" } else { "s" },
        many(refused, "refused"),
        many(left_out, "not tried")
    );
    let late = match report.stopped {
        Some(Stopped::Late) => format!("; the time was up before all {wished} were played"),
        Some(Stopped::ByHand) => "; it was interrupted".to_owned(),
        Some(Stopped::Broken) => format!("; mend what breaks, then all {wished} can be played"),
        None => String::new(),
    };
    format!(
        "{name}: {} by {players} players, the rules {ways}{late}\n",
        so_many(report.games, "game")
    )
}

/// A file for what is found, where at the most what was found before stands.
fn found_before(given: &str) -> Result<PathBuf, String> {
    super::made_again(given, |text| text.is_empty() || text.starts_with("// M"))
}

/// The games that show the findings, as a file of scenarios; empty where none does.
pub fn scenarios(words: &Words, findings: &[Finding]) -> String {
    let path = words.write.clone().unwrap_or_else(|| PathBuf::from("found.play"));
    let shelf = (&Shelf::beside(&path), &Readings::default());
    let one = |finding: &Finding| {
        let texts = finding.exhibits.iter().map(|exhibit| match exhibit.text(shelf) {
            Ok(text) => format!("\n{text}"),
            Err(why) => format!(
                "// `{}` cannot be written as a scenario: {why}\n",
                exhibit.title()
            ),
        });
        let texts: String = texts.collect();
        let Diagnostic { code, message, .. } = &finding.diagnostic;
        let head = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        format!("// {}: {head}\n{}\n", code.0, texts.trim_start())
    };
    let shown = findings.iter().filter(|finding| !finding.exhibits.is_empty());
    shown.map(one).collect()
}

/// Writes the scenarios, or says them below what was found.
pub fn hand_out(words: &Words, text: &str, is_read_by_people: bool, console: Console) -> Result<()> {
    match &words.write {
        _ if text.is_empty() => Ok(()),
        Some(path) => {
            files::write(path, text)?;
            console.talk(&format!("the games that show it are in {}\n", path.display()));
            Ok(())
        }
        None if is_read_by_people && !text.is_empty() => console.say(&format!(
            "\nThe games that show it, as scenarios (`--write FILE` keeps them):\n\n{text}"
        )),
        None => Ok(()),
    }
}
