//! `omerta play`: a game at the terminal.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a seed comes from the clock when nobody names one"
)]

use super::ruleset::{Changes, lay, wanted};
use crate::{
    diagnostic::Diagnostic,
    engine::StartError,
    faces::{
        bundle,
        console::Console,
        render::{Format, Style},
        repl::{self, Desk},
        workbench::{Laid, Workbench, is_wrong},
    },
    play::{deal, session::Table, words::listed},
    rules::{PlannedCast, Ruleset},
    source::Span,
};
use anyhow::{Result, bail};
use std::process::ExitCode;

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The game opens at once and asks its first question; `help` there tells what may be typed. From a pipe
it takes a line at a time: what it says goes to standard output, what it refuses to standard error.

Examples:
  omerta play                            the classic game for eight
  omerta play --names Ann,Bob,Cid,Dee    with the people at your table
  omerta play ./mine.mafia --seed 7      your own rules; the same seed deals the same cards
  omerta play NAME --with OVERLAY --set OPTION=VALUE
  printf 'random end\\nlog public\\n' | omerta play --seed 7

Exit: 0, or 1 when the rules are wrong or a line from a pipe was refused, 2 when this line is.")]
pub struct Words {
    /// A bundled ruleset, or the path of one
    ruleset: Option<String>,
    /// How many play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with = "names")]
    players: Option<u8>,
    /// Who plays, in the order of the seats
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    names: Vec<String>,
    /// What chance hangs on; the same seed and the same answers give the same game
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    #[command(flatten)]
    changes: Changes,
}

/// Who sits there when nobody says so.
const NAMES: &[&str] = &[
    "Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lee", "Max", "Nan", "Oda",
    "Pia", "Quin", "Rob", "Sue", "Tom", "Ugo", "Val", "Wim", "Xia", "Yan", "Zoe",
];

/// Runs the command.
pub fn play(words: &Words, console: Console) -> Result<ExitCode> {
    let (default, usual) = bundle::default_game();
    check_names(&words.names)?;
    let (bench, wanted) = wanted(words.ruleset.as_deref().unwrap_or(default), &words.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(ExitCode::from(1));
    };
    let names = names(words, &laid.bench.rules, usual);
    let Some(cast) = cast(&bench, &laid, names.len(), console) else {
        return Ok(ExitCode::from(1));
    };
    let seed = words.seed.unwrap_or_else(some_seed);
    let welcome = welcome(&laid.bench.rules, &names, seed);
    let table = Table {
        rules: laid.bench.rules,
        hooks: laid.bench.hooks,
        names,
        cast,
        seed: Some(seed),
    };
    match Desk::start(bench, wanted, table, seed, repl::colour(console)) {
        Ok(desk) => repl::play(desk, &welcome, console),
        Err(StartError::Seats { given, from, to }) => {
            bail!("{given} play, and the game is for {from} to {to}; say `--players N`")
        }
        Err(StartError::TooManyCards { given }) => {
            bail!("{given} cards and tokens are more than the 64 there may be")
        }
    }
}

fn check_names(names: &[String]) -> Result<()> {
    if names.len() > 64 {
        bail!(
            "{} names are more than the 64 seats a table may have",
            names.len()
        );
    }
    for (index, name) in names.iter().enumerate() {
        let same = |other: &String| other.to_lowercase() == name.to_lowercase();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            bail!(
                "`{}` cannot be a name: write each as one word, with commas between",
                name.escape_debug()
            );
        }
        if name.starts_with(|c: char| c.is_numeric()) {
            bail!("`{name}` cannot be a name: it would be taken for the number of an option");
        }
        if names[..index].iter().any(same) {
            bail!("two are called `{name}`; give one of them another name");
        }
    }
    Ok(())
}

/// Those named, or so many as are wanted, or as many as is usual and possible.
fn names(words: &Words, rules: &Ruleset, usual: u8) -> Vec<String> {
    if !words.names.is_empty() {
        return words.names.clone();
    }
    let (from, to) = rules.seats;
    let players = words
        .players
        .unwrap_or_else(|| usual.clamp(from.max(1), to.max(from).max(1)));
    let name = |seat: usize| match NAMES.get(seat) {
        Some(name) => (*name).to_owned(),
        None => format!("Player{}", seat + 1),
    };
    (0..usize::from(players)).map(name).collect()
}

/// The cards for so many, once everything that speaks against them was shown.
fn cast(bench: &Workbench, laid: &Laid, players: usize, console: Console) -> Option<PlannedCast> {
    let words = format!("{players} players");
    let place = Span::new(bench.add("command line", &words), 0, words.len());
    let show = |problems: &[Diagnostic], style: Style| {
        console.talk(&bench.render(problems, Format::Human, style));
    };
    let cast = match deal::from_table(&laid.bench.rules, None, players, place) {
        Ok(cast) => cast,
        Err(problem) => {
            show(&[problem], console.err);
            return None;
        }
    };
    let problems = deal::check(&laid.bench.rules, &laid.bench.hooks, &cast, players, place);
    show(&problems, console.err);
    (!is_wrong(&problems)).then_some(cast)
}

fn welcome(rules: &Ruleset, names: &[String], seed: u64) -> String {
    let with = match rules.overlays.is_empty() {
        true => String::new(),
        false => format!(" with {}", listed(rules.overlays.clone(), "and")),
    };
    format!(
        "{}{with}, {} players, seed {seed}\n\
         You are the host and answer for everybody: a name, a number, `pass`. `help` tells the rest, `quit` leaves.\n",
        rules.title,
        names.len()
    )
}

/// A seed that is short enough to be typed again.
fn some_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_micros()) ^ now.as_secs()) % 1_000_000
}
