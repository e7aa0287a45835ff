//! `omerta exact`: what is certain, where `omerta sim` counts.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bound of time is the user's"
)]

use super::{
    at_most_threads,
    people::People,
    ruleset::{Changes, lay, place_of, tell_of_texts, wanted},
    sim::{INTERRUPTED, axis, check_axes, number, stopped_by_hand, vary},
};
use crate::faces::{
    console::Console,
    exact::{Case, Study, compared, csv, json, page, rows, sheet},
    render::{Format, Renders},
    sim::{Look, grouped, name_of},
};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use omerta_core::rules::{PlannedCast, Ruleset, SceneId};
use omerta_engine::{Game, Silence};
use omerta_exact::{
    Bounds, Company, Failure, Players, Progress, exactly,
    export::{self, export},
    outermost,
};
use omerta_measure::sim::{self, Goal, Head, Labels, Limits, NotReady, Orders, Ready, RunFile, Setup, Shard};
use omerta_play::policy::Policy;
use omerta_workbench::{
    ReadyRules, Workbench, bundle, files, people::no_start, policies::strategy, runner::parallel_map,
};
use std::{
    path::PathBuf,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Players answer at random as in `omerta sim`, or by a policy. Every position that a game can come to is walked, \
equal ones once; what comes out are fractions, or limits between which each value surely lies.

Examples:
  omerta exact NAME --players 5
  omerta exact NAME --players 5 --simulated 100000   with simulated numbers beside, which must agree
  omerta exact NAME --sweep players=3..6 --csv
  omerta exact NAME --players 4 --export drn         the chain of positions, for a model checker

Exit: 0; 1 when the rules or the cast are wrong, when the rules ask scripts or break, when a simulation disagrees or some games \
were not looked at; 2 when this line cannot be read; 130 when it was interrupted.")]
pub struct Words {
    /// A bundled ruleset, or the path of one
    ruleset: Option<String>,
    #[command(flatten)]
    people: People,
    #[command(flatten)]
    changes: Changes,
    /// Look at no more positions than this; what is known by then is told with its limits
    #[arg(long, value_name = "N", default_value = "5M", value_parser = number, allow_hyphen_values = true)]
    most_positions: u64,
    /// Keep no more than about so many megabytes of positions; what is known by then is told with its limits
    #[arg(long, value_name = "MB", value_parser = number, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// Walk each game for no longer than this many seconds
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    seconds: Option<u64>,
    /// How many threads; 0 is one for each core
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = at_most_threads(0), allow_hyphen_values = true)]
    threads: usize,
    /// Try several values: `players=5..12`, `with=none,NAME+NAME`, `cast=NAME,NAME`, `policy=none,NAME+NAME`, `OPTION=a,b`
    #[arg(long, value_name = "AXIS=VALUES", value_parser = axis)]
    sweep: Vec<(String, Vec<String>)>,
    /// In how many of a thousand pauses a player takes up a standing offer
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.offers_per_thousand, allow_negative_numbers = true, value_parser = super::whole::<u32>(0, 1000))]
    offers: u32,
    /// In how many of a thousand pauses the host makes a call of his own
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = super::whole::<u32>(0, 1000))]
    calls: u32,
    /// Let players follow a policy of the rules; several in the order in which they have a say
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    policy: Vec<String>,
    /// Simulate this many games as well, and show what they say beside it
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    simulated: Option<u64>,
    /// Where chance begins: in simulated games, and for which cards are in the game where the table leaves some open
    #[arg(long, value_name = "NUMBER", default_value_t = 1, allow_negative_numbers = true, value_parser = super::whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Print the chain of positions for a model checker instead
    #[arg(long, value_name = "FORM", conflicts_with_all = ["sweep", "simulated", "json", "csv", "html"])]
    export: Option<Export>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    /// Write a page for a browser as well
    #[arg(long, value_name = "FILE", value_parser = super::made)]
    html: Option<PathBuf>,
}

/// What a chain is written as.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Export {
    /// States with their steps, chances as fractions
    Drn,
    /// The language of PRISM
    Prism,
}

/// What may be another in each cell of a sweep.
struct Played {
    people: People,
    changes: Changes,
    policies: Vec<String>,
}

/// What came of laying a table for a game.
enum Laid {
    Table(Box<Table>, Box<Ready>),
    /// No cards fit what was asked: the reasons, drawn.
    NoCast(String),
    /// It cannot be, and why was shown.
    Wrong,
}

/// A game that can be walked.
struct Table {
    bench: Workbench,
    rules: ReadyRules,
    cast: PlannedCast,
    head: Head,
    labels: Labels,
}

/// What came of walking a game.
enum Walked {
    /// What is to be said of it besides, and what came of it.
    Case(String, Box<Case>),
    /// Why it cannot be walked.
    Never(String),
    /// It was not begun any more.
    Unseen,
}

/// What a game may cost.
#[derive(Clone, Copy)]
struct Worth {
    threads: usize,
    room: usize,
}

/// Runs the command.
pub fn exact(words: &Words, console: Console) -> Result<ExitCode> {
    check_axes(&words.sweep, &words.people, &words.changes)?;
    let cells = match words.sweep.is_empty() {
        true => vec![Vec::new()],
        false => sim::cells(&words.sweep),
    };
    let stop = stopped_by_hand();
    let (mut tables, mut simulators) = (Vec::new(), Vec::new());
    for cell in cells {
        let mut played = Played {
            people: words.people.clone(),
            changes: words.changes.clone(),
            policies: words.policy.clone(),
        };
        vary(
            &cell,
            (&mut played.people, &mut played.changes, &mut played.policies),
        )?;
        match lay_table(words, &played, console)? {
            Laid::Table(table, ready) => {
                tables.push((cell, Some(table)));
                simulators.push(Some(ready));
            }
            Laid::NoCast(problems) => {
                let whose = if cell.is_empty() {
                    String::new()
                } else {
                    format!("left out `{}`: ", name_of(&cell))
                };
                console.talk(&format!("{whose}{problems}"));
                tables.push((cell, None));
                simulators.push(None);
            }
            Laid::Wrong => return Ok(ExitCode::from(1)),
        }
    }
    let walked = walk_all(words, &tables, &stop)?;
    let mut study = Vec::new();
    for (((cell, table), ready), walked) in tables.into_iter().zip(simulators).zip(walked) {
        match (walked, table) {
            (Some(Walked::Case(said, mut case)), Some(table)) => {
                console.talk(&said);
                if let (Some(games), Some(ready)) = (words.simulated, ready) {
                    case.simulated = Some(simulated(&ready, games, threads_of(words), &stop));
                }
                if words.export.is_some() {
                    return exported(words, &case, &table.rules.bench.rules, console);
                }
                study.push((cell, Some(*case)));
            }
            (Some(Walked::Never(why)), _) => {
                console.complain(&why);
                return Ok(ExitCode::from(1));
            }
            (Some(Walked::Unseen), _) => {}
            _ => study.push((cell, None)),
        }
    }
    if study.iter().all(|(_, case)| case.is_none()) {
        let stopped = stop.load(Ordering::Relaxed);
        return Ok(ExitCode::from(if stopped { INTERRUPTED } else { 1 }));
    }
    show(words, &study, console)?;
    let doubtful = study.iter().flat_map(|(_, case)| case).any(is_doubtful);
    Ok(match stop.load(Ordering::Relaxed) {
        true => ExitCode::from(INTERRUPTED),
        false => ExitCode::from(u8::from(doubtful)),
    })
}

/// Whether something was not looked at, a simulation says something else, or the rules can break.
fn is_doubtful(case: &Case) -> bool {
    let chain = &case.certain.chain;
    let breaks = !case.certain.answers.broken.between.is_nothing();
    breaks || chain.walked < chain.positions() || rows(case).iter().any(|row| row.disagrees())
}

fn show(words: &Words, study: &Study, console: Console) -> Result<()> {
    if let Some(path) = &words.html {
        files::write(path, &page(study))?;
    }
    let look = Look {
        colour: console.out.colour,
        width: console.columns(),
    };
    let text = match study {
        _ if words.csv => csv(study),
        _ if words.json => {
            let line = |(cell, case): &(sim::Cell, Option<Case>)| {
                let mut value = case
                    .as_ref()
                    .map_or_else(|| serde_json::json!({ "counted": [] }), json);
                if !cell.is_empty() {
                    let cell: std::collections::BTreeMap<_, _> = cell.iter().cloned().collect();
                    value["cell"] = cell.into_iter().collect();
                }
                format!("{value}\n")
            };
            study.iter().map(line).collect()
        }
        [(_, Some(case))] => sheet(case, look),
        _ => compared(study, look),
    };
    console.say(&text)
}

fn exported(words: &Words, case: &Case, rules: &Ruleset, console: Console) -> Result<ExitCode> {
    let form = match words.export {
        Some(Export::Prism) => export::Form::Prism,
        _ => export::Form::Drn,
    };
    let endings: Vec<String> = rules.endings.iter().map(|ending| ending.name.clone()).collect();
    console.say(&export(&case.certain.chain, &endings, form))?;
    Ok(ExitCode::from(u8::from(is_doubtful(case))))
}

fn threads_of(words: &Words) -> usize {
    match words.threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    }
}

/// Walks all games, several at a time, the last ones first: in most sweeps they take longest.
fn walk_all(
    words: &Words,
    tables: &[(sim::Cell, Option<Box<Table>>)],
    stop: &AtomicBool,
) -> Result<Vec<Option<Walked>>> {
    let threads = threads_of(words);
    let many = tables.len().max(1);
    let at_once = threads.min(many);
    let room = words.memory.map_or(usize::MAX, |megabytes| {
        usize::try_from(megabytes.saturating_mul(1_000_000)).unwrap_or(usize::MAX)
    });
    let worth = Worth {
        threads: threads / at_once,
        room: room / at_once,
    };
    let bar = bar((many > 1).then_some(many));
    let walked = parallel_map(many, at_once, |job| {
        let table = tables.get(many - 1 - job)?.1.as_ref()?;
        let walked = match stop.load(Ordering::Relaxed) {
            true => Ok(Walked::Unseen),
            false => certain(words, table, worth, (stop, &bar, many > 1)),
        };
        if many > 1 {
            bar.inc(1);
        }
        Some(walked)
    });
    bar.finish_and_clear();
    walked.into_iter().rev().map(Option::transpose).collect()
}

/// Lays the table of a game, as for a simulation.
fn lay_table(words: &Words, played: &Played, console: Console) -> Result<Laid> {
    let (default, usual) = bundle::default_game();
    let base = words.ruleset.as_deref().unwrap_or(default);
    let (bench, wanted) = wanted(base, &played.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(Laid::Wrong);
    };
    let setup = Setup {
        wanted,
        people: played.people.said(),
        usual,
        policies: played.policies.clone(),
        seed: words.seed,
        limits: Limits {
            offers_per_thousand: words.offers,
            calls_per_thousand: words.calls,
            ..Limits::USUAL
        },
        present: bundle::usually_present().to_owned(),
    };
    let draw = |problems: &[_]| bench.render(problems, Format::Human, console.err);
    let ready = match setup.lay(&bench, &laid) {
        Ok(ready) => ready,
        Err(NotReady::Cast(problems)) => return Ok(Laid::NoCast(draw(&problems))),
        Err(NotReady::Words(error)) => return Err(error),
    };
    console.talk(&draw(&ready.warnings));
    tell_of_texts(&bench, &laid.bench.rules, console);
    let table = Table {
        bench,
        rules: laid,
        cast: ready.cast.clone(),
        head: ready.head.clone(),
        labels: ready.labels.clone(),
    };
    Ok(Laid::Table(Box::new(table), Box::new(ready)))
}

/// Walks a game, as hard as it is worth; a bar that is shared tells of games and not of positions.
fn certain(
    words: &Words,
    table: &Table,
    worth: Worth,
    (stop, bar, shared): (&AtomicBool, &ProgressBar, bool),
) -> Result<Walked> {
    let Table {
        bench,
        rules: laid,
        cast,
        head,
        labels,
    } = table;
    let rules = laid.bench.rules.clone();
    let names: Vec<String> = head.policies.iter().map(|(name, _)| name.clone()).collect();
    let followed = names
        .iter()
        .filter_map(|name| rules.policies.iter().position(|policy| policy.name == *name));
    let company = Company {
        offers: (words.offers > 0, words.calls > 0),
        policies: followed.collect(),
        hears: false,
    };
    let players = Players {
        policy: Policy {
            offers_per_thousand: words.offers,
            calls_per_thousand: words.calls,
        },
        strategy: strategy(&rules, &names)?.0,
    };
    if cast.cards.iter().any(|card| rules.is_open(*card)) {
        bail!(
            "chance draws which cards are in this game, and it is solved for known ones alone: name them with `--cast`"
        );
    }
    let seats = head.players;
    let started = Game::start(rules.clone(), laid.bench.hooks.clone(), seats, cast, &mut Silence);
    let fresh = started.map_err(|error| no_start(&error))?;
    let bounds = Bounds {
        most: usize::try_from(words.most_positions).unwrap_or(usize::MAX),
        threads: worth.threads,
        room: worth.room,
        ..Bounds::USUAL
    };
    let (began, limit) = (Instant::now(), words.seconds.map(Duration::from_secs));
    let progress = |progress: Option<Progress>| {
        if let (Some(progress), false) = (progress, shared) {
            bar.set_length(progress.known as u64);
            bar.set_position(progress.walked as u64);
        }
        // What follows from the positions that were looked at in time is reckoned all the same.
        let late = limit.is_some_and(|limit| began.elapsed() >= limit);
        !stop.load(Ordering::Relaxed) && (!late || progress.is_some_and(|progress| progress.bounds))
    };
    let certain = exactly(&fresh, &players, company, bounds, &progress);
    let certain = match certain {
        Ok(certain) => certain,
        Err(failure) => return Ok(Walked::Never(why_not(failure).to_owned())),
    };
    let mut said = String::new();
    if certain.chain.walked < certain.chain.positions() {
        said = format!(
            "only {} of the positions were looked at, more than {} are known: the bounds hold for any game; \
             `--most-positions`, `--memory` and `--seconds` let it walk on\n",
            grouped(certain.chain.walked as u64),
            grouped(certain.chain.positions() as u64)
        );
    }
    let broken = certain.answers.broken.between;
    if broken.low > 0.0 {
        said += "the rules break in some of these games: `omerta sim` with the same words shows by what\n";
    }
    let hangs = { certain.hangs.iter() }.map(|hang| match place_of(bench, hang.origin) {
        Some(place) => format!("{} ({place})", hang.what),
        None => hang.what.to_owned(),
    });
    let case = Case {
        hangs: hangs.collect(),
        scenes: outermost(&rules)
            .iter()
            .map(|SceneId(scene)| usize::from(*scene))
            .collect(),
        simulated: None,
        head: head.clone(),
        labels: labels.clone(),
        certain,
    };
    Ok(Walked::Case(said, Box::new(case)))
}

/// Why there is nothing to be walked.
fn why_not(failure: Failure) -> &'static str {
    match failure {
        Failure::Scripts => {
            "the rules, or a policy that is followed, ask scripts, and nobody can say what a script looks at: such a \
             game can be simulated (`omerta sim`), not walked"
        }
        Failure::Uncountable => {
            "a question or a draw of this game has more answers than can be gone one by one: it can be simulated (`omerta sim`), \
             not walked"
        }
    }
}

/// The same game, so often at random.
fn simulated(ready: &Ready, games: u64, threads: usize, stop: &AtomicBool) -> RunFile {
    let orders = Orders {
        goal: Goal { games, within: None },
        shard: Shard::WHOLE,
        threads,
        stop,
        played: &|_| {},
        batch: &mut |_| true,
    };
    let run = sim::run(&ready.simulator, ready.simulator.shape().empty(), orders);
    RunFile::new(ready.head.clone(), ready.labels.clone(), Shard::WHOLE, run.tally)
}

/// How far it is, on the stream of the talk; nothing where nobody looks. Of several games it counts the games.
fn bar(games: Option<usize>) -> ProgressBar {
    let bar = ProgressBar::new(games.unwrap_or(0) as u64);
    let style = ProgressStyle::with_template(match games {
        Some(_) => "{wide_bar} {pos} of {len} games",
        None => "{wide_bar} {human_pos} of {human_len} known positions, {per_sec}",
    });
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}
