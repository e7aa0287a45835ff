//! `omerta play`: a game at the terminal.

use super::{
    people::People,
    ruleset::{Changes, lay, wanted},
    sim,
};
use crate::faces::{
    console::Console,
    repl::{self, Desk},
    seed,
    sim::careful,
};
use anyhow::{Result, anyhow, bail};
use clap::Parser;
use omerta_core::plural::so_many;
use omerta_core::rules::Ruleset;
use omerta_engine::Pending;
use omerta_play::hosted::Hosted;
use omerta_play::{
    deal,
    session::{Session, Table},
    words::listed,
};
use omerta_workbench::bundle;
use omerta_workbench::people::{no_start, some_names};
use std::{path::Path, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The game opens at once and asks its first question; `help` there tells what may be typed, Tab what may be \
answered, and `open` lays this game aside for another. From a pipe \
it takes a line at a time: what it says goes to standard output, what it refuses to standard error.

Examples:
  omerta play                            the classic game for eight
  omerta play --names Ann,Bob,Cid,Dee    with the people at your table
  omerta play ./mine.mafia --seed 7      your own rules; the same seed deals the same cards
  omerta play NAME --with OVERLAY --set OPTION=VALUE
  omerta play NAME --players 5 --cast 'Healer, Smuggler, Baker rest'
  omerta play --resume                   go on with the session that was left last
  omerta play --sessions                 list those that were left
  omerta play --resume 2                 go on with the second of these
  printf 'random end\\nlog public\\n' | omerta play --seed 7

Exit: 0, or 1 when the rules are wrong or a line from a pipe was refused, 2 when this line is.")]
pub struct Words {
    /// A bundled ruleset, or the path of one
    ruleset: Option<String>,
    #[command(flatten)]
    people: People,
    /// Where chance begins: the same seed and the same answers give the same game
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// A game of a run that `sim --out` kept, such as `run.json:17`, to step through with `redo`
    #[arg(long, value_name = "RUN:GAME", conflicts_with_all = ["ruleset", "players", "names", "cast", "put_in", "seed", "with", "set"])]
    replay: Option<String>,
    /// Go on with the session that was left last, or with one of those that `--sessions` lists
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "0", allow_negative_numbers = true, value_parser = super::whole::<usize>(0, u64::MAX), conflicts_with_all = ["ruleset", "players", "names", "cast", "put_in", "seed", "with", "set", "replay"])]
    resume: Option<usize>,
    /// List the sessions that were left open, the latest first
    #[arg(long, exclusive = true)]
    sessions: bool,
    /// No drawings, no colours, no hints while you type: for screen readers
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    changes: Changes,
}

/// Runs the command.
pub fn play(words: &Words, console: Console) -> Result<ExitCode> {
    if words.sessions {
        console.say(&repl::sessions())?;
        return Ok(ExitCode::SUCCESS);
    }
    match laid(words, console)? {
        Some((desk, welcome)) => repl::play(desk, &welcome, console),
        None => Ok(ExitCode::from(1)),
    }
}

/// The words of the command as a line inside a game: `open NAME --players 5`.
pub fn open_line(line: &str, console: Console) -> Result<Option<(Desk, String)>> {
    #[derive(clap::Parser)]
    #[command(name = "open", no_binary_name = true, disable_help_flag = true)]
    struct Line {
        #[command(flatten)]
        words: Words,
    }
    let line = Line::try_parse_from(line.split_whitespace()).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        anyhow!("{}", first.trim_start_matches("error: ").to_owned())
    })?;
    laid(&line.words, console)
}

/// A game on a desk, with a few words of welcome; nothing when its rules are wrong, which was told.
fn laid(words: &Words, console: Console) -> Result<Option<(Desk, String)>> {
    match (&words.replay, words.resume) {
        (Some(game), _) => replay(words, game, console),
        (None, Some(number)) => resume(words, number, console),
        (None, None) => open(words, console),
    }
}

/// A new game.
fn open(words: &Words, console: Console) -> Result<Option<(Desk, String)>> {
    let (default, usual) = bundle::default_game();
    let (bench, wanted) = wanted(words.ruleset.as_deref().unwrap_or(default), &words.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(None);
    };
    let seed = words.seed.map_or_else(seed::fresh, Ok)?;
    let mut names = words.people.said().names(&laid, usual)?;
    if laid.bench.rules.by_lot {
        deal::seat_by_lot(&mut names, seed);
    }
    let Some(cast) = words.people.cast(&bench, &laid, (names.len(), seed), console) else {
        return Ok(None);
    };
    let welcome = welcome(&laid.bench.rules, &names, seed);
    let table = Table {
        rules: laid.bench.rules,
        hooks: laid.bench.hooks,
        names,
        cast,
        seed: Some(seed),
    };
    let outfit = repl::outfit(console, words.plain, open_line);
    let hosted = Hosted::start(table).map_err(|error| no_start(&error))?;
    Ok(Some((Desk::of(bench, wanted, hosted, outfit), welcome)))
}

/// A session that was left; with 0, the last one.
fn resume(words: &Words, number: usize, console: Console) -> Result<Option<(Desk, String)>> {
    let (save, own) = repl::left(Some(number).filter(|number| *number > 0))?;
    let changes = Changes {
        with: save.overlays.clone(),
        set: save.options.clone(),
    };
    let (bench, wanted) = wanted(&save.ruleset, &changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(None);
    };
    let loaded = save.load(laid.bench.rules, laid.bench.hooks);
    let Ok(loaded) = loaded else {
        bail!("the session that was left does not fit its rules any more");
    };
    let table = loaded.session.table().clone();
    let title = table.rules.title.clone();
    let Ok(hosted) = Hosted::start(table) else {
        bail!("the game cannot begin");
    };
    let mut desk = Desk::of(
        bench,
        wanted,
        hosted,
        repl::outfit(console, words.plain, open_line),
    );
    let welcome = format!(
        "{title}, as it was left after {}.\n`help` tells what may be typed, `quit` leaves.\n",
        so_many(save.answers.len(), "answer")
    );
    repl::take_up(&mut desk, &save, own)?;
    Ok(Some((desk, welcome)))
}

/// Opens a game of a run at its first question, with all that follows ready to be given again.
fn replay(words: &Words, game: &str, console: Console) -> Result<Option<(Desk, String)>> {
    let number = game
        .rsplit_once(':')
        .map(|(file, number)| (file, number.parse::<u64>()));
    let Some((file, Ok(number))) = number else {
        bail!("`{game}` names no game: write RUN:GAME, such as `run.json:17`");
    };
    let Some(mut run) = sim::open(Path::new(file), number, console)? else {
        return Ok(None);
    };
    let answers = run.simulator.answers(number)?;
    let names = match run.head.names.is_empty() {
        true => some_names(run.head.players),
        false => run.head.names.clone(),
    };
    let mut with = run.head.overlays.clone();
    with.extend(run.head.policies.iter().map(|(name, _)| format!("policy {name}")));
    with.extend(run.head.bots.iter().map(|bot| match careful(bot) {
        Some((seats, _)) => format!("careful players ({seats})"),
        None => format!("the program {bot}"),
    }));
    let with = match with.is_empty() {
        true => String::new(),
        false => format!(" with {}", listed(with, "and")),
    };
    let title = &run.laid.bench.rules.title;
    let welcome = format!(
        "{title}{with}, game {number} of the run, {}, chance included.\n\
         `redo` gives the next answer, `undo` takes it back, `log` tells what has happened. `help` tells the rest.\n",
        so_many(answers.len(), "answer")
    );
    let table = Table {
        rules: run.laid.bench.rules.clone(),
        hooks: run.laid.bench.hooks.clone(),
        names,
        cast: run.cast,
        seed: Some(run.head.seed),
    };
    let Ok((mut session, _)) = Session::replay(table, &answers, run.simulator.texts()) else {
        bail!("the game cannot begin");
    };
    session.go_to(0);
    while matches!(session.game().pending(), Pending::Chance(_)) && session.redo() {}
    let outfit = repl::outfit(console, words.plain, open_line);
    let desk = Desk::of(run.bench, run.wanted, Hosted::of(session), outfit);
    Ok(Some((desk, welcome)))
}

fn welcome(rules: &Ruleset, names: &[String], seed: u64) -> String {
    let with = match rules.overlays.is_empty() {
        true => String::new(),
        false => format!(" with {}", listed(rules.overlays.clone(), "and")),
    };
    let seated = match rules.by_lot {
        true => format!("Chance has seated them: {}.\n", listed(names.to_vec(), "and")),
        false => String::new(),
    };
    format!(
        "{}{with}, {}, seed {seed}\n{seated}\
         You are the host and answer for everybody: a name, a number, `pass`. `help` tells the rest, `quit` leaves.\n",
        rules.title,
        so_many(names.len(), "player")
    )
}
