//! `omerta test`: all scenarios of the files and folders named with their snapshots, or the bundle.
#![expect(
    clippy::disallowed_methods,
    reason = "asks the environment whether this is a build server"
)]

use crate::faces::{
    commands::{at_most_threads, measure, mutate, record, strength},
    console::{Console, UNREAD},
    runner::{
        human::{self, Total},
        machine, review,
    },
};
use anyhow::{Result, bail};
use omerta_workbench::runner::{Plan, Ran, Text, discover_each, nothing_like, run_suite, watch::Seen};
use std::{collections::BTreeSet, path::PathBuf, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Without paths, every .play file in this folder and below; where there is none, the \
scenarios that travel inside omerta.

A `snapshot` in a scenario is compared with `snapshots/NAME.snap` beside it. One that is new or \
has changed fails, and is written beside it as NAME.snap.new. Where the variable CI is set, \
nothing is ever written. `cargo insta review` can read these files as well.

Examples:
  omerta test                      everything in this folder and below
  omerta test my-rules/            every .play file in a folder and below
  omerta test --filter doctor .    only those with these letters in their name or file
  omerta test --review             each snapshot that has changed: accept, reject or skip
  omerta test --accept             all snapshots as they are now
  omerta test --watch              again whenever a file changes
  omerta test --format junit       for build servers; also short, json, tap
  omerta test --coverage my-rules/ what of the rules no scenario touches
  omerta test --record 3 mine.mafia
                                   the three random games that touch the most, as scenarios
  omerta test --mutate mine.mafia  the slips in mine.mafia that no scenario beside it would notice
  omerta test --strength mine.play the lines of mine.play that no slip was seen to make fail

Exit: 0 all scenarios hold (all changes are noticed, no line sleeps), 1 one does not, 2 a file could not be read.")]
pub struct Words {
    /// Files of scenarios, and folders that hold some
    #[arg(value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Only scenarios with this text in their name or in that of their file
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// How results are written
    #[arg(long, value_enum, default_value = "human")]
    format: Form,
    /// Keep all snapshots as they are now
    #[arg(long)]
    accept: bool,
    /// Show each snapshot that has changed, and take `a`, `r` or `s`
    #[arg(long, conflicts_with_all = ["accept", "watch"])]
    review: bool,
    /// Remove snapshots that no scenario makes any more
    #[arg(long, conflicts_with = "filter")]
    delete_orphans: bool,
    /// Run again whenever rules or scenarios change, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// How many threads; by default as many as the machine has
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_most_threads(1))]
    threads: Option<usize>,
    /// List the lines that no small slip in the rules was seen to make fail, and why
    #[arg(long, conflicts_with_all = ["mutate", "coverage", "ledger", "lcov", "record", "accept", "review", "delete_orphans", "watch"])]
    strength: bool,
    #[command(flatten)]
    measures: measure::Words,
    #[command(flatten)]
    changes: mutate::Words,
    #[command(flatten)]
    records: record::Words,
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Form {
    /// A line for each file, and what does not hold, with its place.
    Human,
    /// A line for each thing that does not hold.
    Short,
    /// One JSON document.
    Json,
    /// JUnit's XML.
    Junit,
    /// The Test Anything Protocol.
    Tap,
}

impl Words {
    fn plan(&self) -> Plan {
        Plan {
            filter: self.filter.clone(),
            threads: self.threads.unwrap_or(Plan::default().threads),
            ..Plan::default()
        }
    }

    /// Whether what is said of a whole suite is for programs.
    fn json(&self) -> Result<bool> {
        match self.format {
            Form::Human => Ok(false),
            Form::Json => Ok(true),
            Form::Short | Form::Junit | Form::Tap => {
                bail!("what is measured or changed is told as `human` or as `json`")
            }
        }
    }
}

/// Runs the command.
pub fn test(words: &Words, console: Console) -> Result<ExitCode> {
    if let Some(ruleset) = words.changes.ruleset() {
        let asked = (ruleset, &words.plan(), words.json()?);
        return mutate::mutate(&words.changes, asked, &words.paths, console);
    }
    if words.strength {
        return strength::strength((&words.plan(), words.json()?), &words.paths, console);
    }
    if words.records.are_wanted() {
        if is_build_server() {
            bail!("CI is set: nothing is written there, so nothing can be recorded");
        }
        return record::record(&words.records, &words.plan(), &words.paths, console);
    }
    if words.measures.are_said() {
        let asked = (&words.plan(), words.json()?);
        return measure::measure(&words.measures, asked, &words.paths, console);
    }
    if !words.watch {
        return once(words, console);
    }
    loop {
        let seen = Seen::of(&words.paths);
        // A file that is half written or gone is no reason to stop watching.
        if let Err(error) = once(words, console) {
            console.complain(&format!("{error:#}"));
        }
        console.talk("waiting for a change; Ctrl-C ends it\n");
        let changed = seen.wait(&words.paths);
        console.talk(&format!("\n{} changed\n", changed.display()));
    }
}

fn once(words: &Words, console: Console) -> Result<ExitCode> {
    let may_write = !is_build_server();
    if !may_write && (words.review || words.accept || words.delete_orphans) {
        bail!("CI is set: nothing is written there, so nothing can be reviewed, accepted or removed");
    }
    let plan = Plan {
        games: false,
        ..words.plan()
    };
    let found = discover_each(&words.paths)?;
    let all = found.len();
    let texts: Vec<Text> = { found.into_iter() }
        .filter_map(|text| console.or_complain(text))
        .collect();
    let unread = texts.len() < all;
    if unread && texts.is_empty() {
        return Ok(ExitCode::from(UNREAD));
    }
    let mut rans = run_suite(&texts, &plan);
    if rans.is_empty() && !words.filter.is_empty() {
        bail!("{}", nothing_like(&words.filter));
    }
    if words.review {
        review::review(&rans, console)?.note(&mut rans);
    } else if may_write {
        write(words, &mut rans, console)?;
    }
    tell(words, &rans, console)?;
    let failed = u8::from(Total::of(&rans).failed > 0);
    Ok(ExitCode::from(if unread { UNREAD } else { failed }))
}

/// Whether the program runs where nobody is there to look: then it writes nothing.
fn is_build_server() -> bool {
    let set = std::env::var("CI").unwrap_or_default();
    !matches!(set.as_str(), "" | "0" | "false")
}

/// Keeps what is accepted, lays the rest beside, and removes what nobody makes where that was asked.
fn write(words: &Words, rans: &mut [Ran], console: Console) -> Result<()> {
    for ran in rans.iter_mut().filter(|ran| ran.folder.is_some()) {
        let mut kept = Vec::new();
        for (number, held) in ran.held.iter().enumerate() {
            match (held.is_same(), words.accept) {
                (true, _) => ran.forget(held)?,
                (false, true) => {
                    ran.keep(held)?;
                    console.talk(&format!("kept {}\n", ran.path_of(&held.file).display()));
                    kept.push(number);
                }
                // A folder that cannot be written to is no reason to be silent about the result.
                (false, false) => {
                    if let Err(error) = ran.lay_beside(held) {
                        console.complain(&format!("{error:#}"));
                    }
                }
            }
        }
        for number in kept {
            ran.held[number].old = Some(ran.held[number].new.clone());
        }
        if words.delete_orphans {
            for orphan in std::mem::take(&mut ran.orphans) {
                ran.delete(&orphan)?;
                console.talk(&format!("removed {}\n", ran.path_of(&orphan).display()));
            }
        }
    }
    Ok(())
}

fn tell(words: &Words, rans: &[Ran], console: Console) -> Result<()> {
    match words.format {
        Form::Human => {
            // A review has just shown every snapshot.
            let mut told = BTreeSet::new();
            rans.iter()
                .filter(|ran| !words.review || !ran.passed())
                .try_for_each(|ran| human::show(ran, &mut told, console))?;
            let total = Total::of(rans);
            console.say(&format!("{}\n", total.words()))?;
            if total.changed > 0 && !words.review {
                console.talk(
                    "`omerta test --review` shows each changed snapshot, `omerta test --accept` keeps all\n",
                );
            }
            Ok(())
        }
        Form::Short => console.say(&machine::short(rans)),
        Form::Json => console.say(&machine::json(rans)),
        Form::Junit => console.say(&machine::junit(rans)),
        Form::Tap => console.say(&machine::tap(rans)),
    }
}
