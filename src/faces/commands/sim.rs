//! `omerta sim`: many games, and how often who wins.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::{
    at_most_threads,
    people::People,
    ruleset::{Changes, lay, tell_of_texts, wanted},
};
use crate::faces::{
    console::Console,
    render::{Format, Renders},
    seed,
    sim::{
        BotWanted, House, Look, MOST_THOUGHT, Patience, USUAL_THOUGHT, careful, compared, counted, grouped,
        name_of, page, sheet,
    },
};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use omerta_core::{
    diagnostic::{Diagnostic, close_name},
    plural::so_many,
    rules::{PlannedCast, Ruleset},
};
use omerta_engine::Fault;
use omerta_hooks::diagnose;
use omerta_measure::{
    deep,
    sim::{
        self, Cell, End, Goal, Head, Limits, MergeError, NotReady, Orders, Ready, Run, RunFile, Setup, Shard,
        Simulator, Tally,
    },
};
use omerta_play::{
    scenario::fault_code,
    words::{Words as Wording, listed},
};
use omerta_workbench::{ReadyRules, RulesetRequest, Workbench, bundle, files, policies::CAREFUL};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// With this a program ends that was interrupted by hand.
pub(super) const INTERRUPTED: u8 = 130;

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Players answer at random, each legal answer as likely as any other. The same seed gives the same \
numbers on any machine and any number of threads; game 17 is the same game however a run is split.

Examples:
  omerta sim                                     the classic game, 100,000 times
  omerta sim NAME --players 9 --games 1000000
  omerta sim NAME --until-within 0.5%            as many games as are needed for that
  omerta sim NAME --sweep players=7..12          a line for each number of players
  omerta sim NAME --sweep with=none,OVERLAY --sweep players=7..12 --html fair.html
  omerta sim NAME --shard 1/4 --out part1.json   a quarter of it, here
  omerta sim merge part*.json                    and the whole together
  omerta sim NAME --resume run.json              goes on with a run that was stopped
  omerta play --replay run.json:17               one of its games, counted from 0, to step through

Exit: 0; 1 when a game did not end, or when the rules, the cast or what is asked of them is wrong; \
2 when this line cannot be read or a program at the table fails; 130 when it was interrupted.")]
pub struct Words {
    #[command(subcommand)]
    then: Option<Then>,
    /// A bundled ruleset, or the path of one
    ruleset: Option<String>,
    #[command(flatten)]
    people: People,
    #[command(flatten)]
    changes: Changes,
    /// How many games
    #[arg(long, value_name = "N", default_value = "100000", value_parser = number, allow_hyphen_values = true)]
    games: u64,
    /// Stop once each team's share of wins is known to within this much, such as 0.5%; `--games` is then the most
    #[arg(long, value_name = "SHARE", value_parser = share, allow_hyphen_values = true, conflicts_with = "shard")]
    until_within: Option<f64>,
    /// Where chance begins; 1 where nobody says so, and with `--bot` a number that no program can guess
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// How many threads; 0 is one for each core
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = at_most_threads(0), allow_hyphen_values = true)]
    threads: usize,
    /// Play a part of the games only, such as 2/5
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Try several values: `players=5..12`, `with=none,NAME+NAME`, `cast=NAME,NAME`, `policy=none,NAME+NAME`, `OPTION=a,b`
    #[arg(long, value_name = "AXIS=VALUES", value_parser = axis)]
    sweep: Vec<(String, Vec<String>)>,
    /// In how many of a thousand pauses a player takes up a standing offer
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.offers_per_thousand, allow_negative_numbers = true, value_parser = super::whole::<u32>(0, 1000))]
    offers: u32,
    /// In how many of a thousand pauses the host makes a call of his own
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = super::whole::<u32>(0, 1000))]
    calls: u32,
    /// Who is still in the game, in the words of the rules
    #[arg(long, value_name = "WORDS", default_value = bundle::usually_present())]
    present: String,
    /// After so many answers a game counts as one that does not end
    #[arg(long, value_name = "N", default_value = "20000", value_parser = number, allow_hyphen_values = true)]
    limit: u64,
    /// Let players follow a policy of the rules; several in the order in which they have a say. `careful` needs no rules:
    /// each believes what he has seen, and looks ahead
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    policy: Vec<String>,
    /// So many games a careful player plays on for each answer, at most
    #[arg(long, value_name = "N", default_value_t = USUAL_THOUGHT, allow_negative_numbers = true, value_parser = super::whole::<u32>(1, u64::from(MOST_THOUGHT)))]
    thought: u32,
    /// Let a program play seats: `all=./bot`, `1+3=./bot`, `ROLE=./bot`, `TEAM=./bot`; `TEAM=careful` has no program play, but one who looks ahead
    #[arg(long, value_name = "SEATS=COMMAND")]
    bot: Vec<String>,
    /// Let these programs know which cards are in the game
    #[arg(long, requires = "bot")]
    tell_cast: bool,
    /// For how many seconds a program may think about an answer; ten times as long about all of a game
    #[arg(long, value_name = "SECONDS", default_value_t = 30, allow_negative_numbers = true, value_parser = super::whole::<u64>(1, 86_400), requires = "bot")]
    patience: u64,
    /// Keep the run in a file, also while it goes on
    #[arg(long, value_name = "FILE", value_parser = super::made)]
    out: Option<PathBuf>,
    /// Go on with a run that was kept, and keep it in the same file
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

/// How the numbers are shown.
#[derive(clap::Args, Clone, Debug, Default)]
struct Shown {
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

#[derive(clap::Subcommand, Debug)]
enum Then {
    /// Put the parts of a run together
    Merge(Kept),
    /// Show a run that was kept
    Show(Kept),
}

#[derive(clap::Args, Debug)]
struct Kept {
    /// Files that `--out` wrote
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Keep what comes of it
    #[arg(long, value_name = "FILE", value_parser = super::made)]
    out: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

impl Kept {
    fn runs(&self) -> Result<Vec<RunFile>> {
        self.files.iter().map(|path| read_run(path)).collect()
    }
}

/// What may stand behind `sim` instead of a ruleset.
pub const BESIDE: [&str; 2] = ["merge", "show"];

/// `100000`, `1_000_000`, `1e6`, `2M`
pub(super) fn number(text: &str) -> Result<u64, String> {
    let plain: String = text.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let (digits, times) = match plain.char_indices().last() {
        Some((at, 'k' | 'K')) => (&plain[..at], 1_000),
        Some((at, 'm' | 'M')) => (&plain[..at], 1_000_000),
        _ => (plain.as_str(), 1),
    };
    let wrong = || "write a whole number above 0, such as 100000, 1_000_000 or 2M".to_owned();
    let number = match digits.split_once(['e', 'E']) {
        Some((digits, zeros)) => {
            let zeros: u32 = zeros.parse().map_err(|_| wrong())?;
            let digits: u64 = digits.parse().map_err(|_| wrong())?;
            10_u64
                .checked_pow(zeros)
                .and_then(|power| power.checked_mul(digits))
        }
        None => digits.parse().ok(),
    };
    let number = number.and_then(|number: u64| number.checked_mul(times));
    number.filter(|number| *number > 0).ok_or_else(wrong)
}

/// `0.5%`, `0.005`
fn share(text: &str) -> Result<f64, String> {
    let (digits, part) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100.0),
        None => (text, 1.0),
    };
    let share = digits.trim().parse::<f64>().map(|number| number / part);
    let in_bounds = |share: &f64| *share > 0.0 && *share < 0.5;
    share
        .ok()
        .filter(in_bounds)
        .ok_or_else(|| "write it as 0.5% or 0.005, between 0 and 50%".to_owned())
}

/// `players=5..12`, `with=none,NAME`
pub(super) fn axis(text: &str) -> Result<(String, Vec<String>), String> {
    let wrong = || "write it as AXIS=VALUES, such as players=5..12 or OPTION=a,b".to_owned();
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let name = name.trim().to_owned();
    let mut found: Vec<String> = Vec::new();
    for value in values.split(',').map(str::trim) {
        match value.split_once("..") {
            Some((from, to)) => {
                let bound = |text: &str| {
                    text.trim_start_matches('=')
                        .trim()
                        .parse::<i64>()
                        .map_err(|_| wrong())
                };
                let (from, to) = (bound(from)?, bound(to)?);
                if to < from || to - from >= 1_000 {
                    return Err(format!("`{value}` is no range of up to 1,000 values"));
                }
                found.extend((from..=to).map(|number| number.to_string()));
            }
            None => found.push(value.to_owned()),
        }
    }
    if name.is_empty() || found.iter().any(String::is_empty) {
        return Err(wrong());
    }
    Ok((name, found))
}

/// Runs the command.
pub fn sim(words: &Words, console: Console) -> Result<ExitCode> {
    match &words.then {
        Some(Then::Merge(kept)) => put_together(kept, console),
        Some(Then::Show(kept)) => show_kept(kept, console),
        None => match words.sweep.is_empty() {
            true => one(words, console),
            false => sweep(words, console),
        },
    }
}

// ---- One run
fn one(words: &Words, console: Console) -> Result<ExitCode> {
    let _held = words
        .resume
        .as_deref()
        .or(words.out.as_deref())
        .map(files::hold)
        .transpose()?;
    let kept = words.resume.as_deref().map(read_run).transpose()?;
    if let (Some(resume), Some(out)) = (&words.resume, &words.out)
        && resume != out
    {
        bail!("`--resume` goes on in its own file: leave `--out` out, or copy the file first");
    }
    let stop = stopped_by_hand();
    let mut played = Played::of(words, &stop)?;
    // A run goes on with its own chance, whoever chose it.
    if let (Some(kept), None) = (&kept, words.seed) {
        played.seed = kept.head.seed;
    }
    let Laid { bench, ready } = match make_ready(words, &played, console)? {
        Made::Ready(laid) => *laid,
        Made::Wrong => return Ok(ExitCode::from(1)),
        Made::NoCast(problems) => {
            console.talk(&problems);
            return Ok(ExitCode::from(1));
        }
    };
    let shard = match (&kept, words.shard) {
        (Some(kept), None) => kept.shard,
        (Some(kept), Some(shard)) if kept.shard != shard => {
            bail!("the run that was kept is part {}, and not {shard}", kept.shard)
        }
        (_, shard) => shard.unwrap_or(Shard::WHOLE),
    };
    let tally = match kept {
        None => ready.simulator.shape().empty(),
        Some(kept) if kept.head != ready.head || kept.labels != ready.labels => {
            bail!(
                "the run that was kept was played otherwise: {}",
                otherwise(&kept.head, &ready.head)
            )
        }
        Some(kept) => kept.tally,
    };
    let out = words.resume.as_deref().or(words.out.as_deref());
    if let (Some(out), None) = (&words.out, &words.resume)
        && let Ok(before) = read_run(out)
    {
        console.talk(&format!(
            "`{}` held a run of {}, which is written over; `--resume` would have gone on with it\n",
            out.display(),
            so_many(grouped(before.tally.games), "game")
        ));
    }
    let bar = bar(shard.share_of(words.games), tally.games);
    if let (Some(out), false) = (out, bar.is_hidden()) {
        let file = out.display();
        let words = format!("kept in `{file}` as it goes; Ctrl-C stops it, and `--resume {file}` goes on\n");
        bar.suspend(|| console.talk(&words));
    }
    let mut trouble = Ok(());
    let keep = |tally: &Tally| RunFile::new(ready.head.clone(), ready.labels.clone(), shard, tally.clone());
    let mut batch = |tally: &Tally| {
        if let Some(out) = out {
            trouble = files::write(out, &keep(tally).to_text());
        }
        trouble.is_ok()
    };
    let played = |games: u64| bar.inc(games);
    let orders = orders(words, shard, &stop, &played, &mut batch);
    let Run { tally, end } = sim::run(&ready.simulator, tally, orders);
    bar.finish_and_clear();
    trouble?;
    let run = keep(&tally);
    if let Some(out) = out {
        files::write(out, &run.to_text())?;
    }
    match &end {
        End::Done => say_if_unsure(words, &run.tally, console),
        End::Failed(error) if run.tally.games == 0 => bail!("{error:#}"),
        end => console.talk(&cut_short(end, &run.tally, shard.share_of(words.games), out)),
    }
    let wrong = run.tally.wrong.clone();
    let code = show(&[(Vec::new(), run)], &words.shown, console)?;
    say_how_wrong((&bench, &ready.simulator), &wrong, out, console);
    Ok(code_of(&end).unwrap_or(code))
}

/// By what the first game broke that did, and how to see one that went wrong.
fn say_how_wrong(
    (bench, simulator): (&Workbench, &Simulator),
    wrong: &[u64],
    out: Option<&Path>,
    console: Console,
) {
    let Some(mut seen) = wrong.first().copied() else {
        return;
    };
    let mut simulator = simulator.fork();
    let fault = |number: &u64| Some((*number, simulator.fault(*number).ok()??));
    if let Some((number, fault)) = wrong.iter().find_map(fault) {
        seen = number;
        let problem = broken(simulator.rules(), &fault);
        console.talk(&bench.render(&[problem], Format::Human, console.err));
    }
    let open = |file: &Path| format!("`omerta play --replay {}:{seen}`", file.display());
    console.talk(&match out {
        Some(file) => format!("{} opens game {seen}\n", open(file)),
        None => {
            let file = Path::new("run.json");
            format!(
                "to open game {seen}, keep the run with `--out run.json`; then {}\n",
                open(file)
            )
        }
    });
}

/// What is wrong with rules that broke.
fn broken(rules: &Ruleset, fault: &Fault) -> Diagnostic {
    diagnose(rules, &fault.kind).unwrap_or_else(|| {
        let place = rules.origins.get(fault.at as usize).copied();
        let words = Wording { rules, names: &[] };
        deep::broken(
            fault_code(&fault.kind),
            &words.fault(fault),
            place.unwrap_or_default(),
        )
    })
}

/// Is set when somebody stops the program by Ctrl-C or by ending it; a second Ctrl-C ends it at once.
pub(super) fn stopped_by_hand() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Where signals cannot be heard they end the program as they always did.
        let _ = flag::register_conditional_shutdown(signal, INTERRUPTED.into(), stop.clone());
        let _ = flag::register(signal, stop.clone());
    }
    stop
}

/// What a run that was cut short says: why, how much of it there is, and how to go on.
fn cut_short(end: &End, tally: &Tally, wanted: u64, out: Option<&Path>) -> String {
    let kept = match out.map(Path::display) {
        Some(file) => format!("they are kept in `{file}`, and `--resume {file}` goes on"),
        None => "with `--out FILE` one can go on".to_owned(),
    };
    format!("{}; {kept}\n", why_short(end, tally, wanted))
}

/// Why a run was cut short, and after how many games.
fn why_short(end: &End, tally: &Tally, wanted: u64) -> String {
    let (games, wanted) = (grouped(tally.games), grouped(wanted));
    match end {
        End::Failed(error) => format!("error: {error:#}\nthese are the {games} of {wanted} games before it"),
        End::Done | End::Stopped => format!("interrupted after {games} of {wanted} games"),
    }
}

/// What a program says with that was interrupted; another number where it was not.
fn code_of(end: &End) -> Option<ExitCode> {
    match end {
        End::Done => None,
        End::Stopped => Some(ExitCode::from(INTERRUPTED)),
        End::Failed(_) => Some(ExitCode::from(2)),
    }
}

/// More games were needed for what `--until-within` wishes than there may be.
fn say_if_unsure(words: &Words, tally: &Tally, console: Console) {
    if let Some(within) = words.until_within
        && !sim::is_sure(tally, goal(words))
    {
        console.talk(&format!(
            "after {} the shares are not known to within {}%: let it play more with `--games`\n",
            so_many(grouped(tally.games), "game"),
            within * 100.0
        ));
    }
}

fn goal(words: &Words) -> Goal {
    Goal {
        games: words.games,
        within: words.until_within,
    }
}

fn orders<'a>(
    words: &Words,
    shard: Shard,
    stop: &'a AtomicBool,
    played: &'a (dyn Fn(u64) + Sync),
    batch: &'a mut dyn FnMut(&Tally) -> bool,
) -> Orders<'a> {
    Orders {
        goal: goal(words),
        shard,
        threads: words.threads,
        stop,
        played,
        batch,
    }
}

/// In what a run that was kept differs from the one asked for.
fn otherwise(kept: &Head, asked: &Head) -> String {
    let rules = |head: &Head| (head.ruleset.clone(), head.overlays.clone(), head.options.clone());
    let rows = [
        (rules(kept) != rules(asked), "with other rules".to_owned()),
        (
            kept.players != asked.players,
            format!("by {}", so_many(kept.players, "player")),
        ),
        (kept.cast != asked.cast, "with other cards".to_owned()),
        (kept.seed != asked.seed, format!("with seed {}", kept.seed)),
        (
            kept.offers_per_thousand != asked.offers_per_thousand,
            format!("with --offers {}", kept.offers_per_thousand),
        ),
        (
            kept.bots != asked.bots || kept.cast_told != asked.cast_told,
            "with other programs at the table".to_owned(),
        ),
        (kept.names != asked.names, "by players of other names".to_owned()),
        (
            kept.present != asked.present,
            format!("with --present '{}'", kept.present),
        ),
        (kept.policies != asked.policies, "by other policies".to_owned()),
        (
            kept.calls_per_thousand != asked.calls_per_thousand,
            format!("with --calls {}", kept.calls_per_thousand),
        ),
        (kept.limit != asked.limit, format!("with --limit {}", kept.limit)),
    ];
    let differs = rows.into_iter().filter(|(differs, _)| *differs);
    let mut found: Vec<String> = differs.map(|(_, what)| what).collect();
    if found.is_empty() {
        found.push("the text of the rules was another".to_owned());
    }
    listed(found, "and")
}

// ---- Many runs
/// Whether what is swept is swept once, given no value besides, and comes to no more runs than one may have.
pub(super) fn check_axes(sweep: &[(String, Vec<String>)], people: &People, changes: &Changes) -> Result<()> {
    for (place, (axis, _)) in sweep.iter().enumerate() {
        if sweep[..place].iter().any(|(other, _)| other == axis) {
            bail!("`{axis}` is swept twice: put all its values into one `--sweep`");
        }
        let said = match axis.as_str() {
            "players" => people.players.is_some() || !people.names.is_empty(),
            "cast" => people.cast.is_some(),
            axis => changes.set.iter().any(|(option, _)| option == axis),
        };
        if said {
            bail!("`{axis}` is given a value and swept as well: leave one of them out");
        }
    }
    let values = sweep.iter().map(|(_, values)| values.len() as u128);
    match values.fold(1, u128::saturating_mul) {
        0..=1_000 => Ok(()),
        runs => bail!("{runs} runs are more than the 1,000 that a sweep may have"),
    }
}

fn sweep(words: &Words, console: Console) -> Result<ExitCode> {
    if words.out.is_some() || words.shard.is_some() {
        bail!("a sweep is not kept or split: leave `--out` and `--shard` out");
    }
    check_axes(&words.sweep, &words.people, &words.changes)?;
    let cells = sim::cells(&words.sweep);
    let bar = bar(words.games * cells.len() as u64, 0);
    let mut study = Vec::new();
    let mut left_out = Vec::new();
    let stop = stopped_by_hand();
    let usual = Played::of(words, &stop)?;
    for cell in cells {
        let asked = in_cell(&cell, &usual)?;
        let Laid { ready, .. } = match make_ready(words, &asked, console)? {
            Made::Ready(laid) => *laid,
            Made::NoCast(problems) => {
                left_out.push((name_of(&cell), problems));
                study.push((cell, RunFile::none()));
                bar.inc(words.games);
                continue;
            }
            Made::Wrong => {
                bar.finish_and_clear();
                console.talk(&format!("this was for {}\n", name_of(&cell)));
                return Ok(ExitCode::from(1));
            }
        };
        let played = |games: u64| bar.inc(games);
        let mut batch = |_: &Tally| true;
        let empty = ready.simulator.shape().empty();
        let orders = orders(words, Shard::WHOLE, &stop, &played, &mut batch);
        let Run { tally, end } = sim::run(&ready.simulator, empty, orders);
        match &end {
            End::Done => say_if_unsure(words, &tally, console),
            end => {
                bar.finish_and_clear();
                let why = why_short(end, &tally, words.games);
                console.talk(&format!(
                    "{why} of {}, and no more of the sweep\n",
                    name_of(&cell)
                ));
            }
        }
        let run = RunFile::new(ready.head, ready.labels, Shard::WHOLE, tally);
        if run.tally.games > 0 {
            study.push((cell, run));
        }
        if let Some(code) = code_of(&end) {
            show(&study, &words.shown, console)?;
            return Ok(code);
        }
    }
    bar.finish_and_clear();
    if let Some((_, problems)) = left_out.first() {
        let names = left_out.iter().map(|(name, _)| format!("`{name}`")).collect();
        let why = match left_out.len() {
            1 => "there is no cast for it",
            _ => "there is no cast for them; of the first",
        };
        console.talk(&format!("left out {}: {why}\n{problems}", listed(names, "and")));
    }
    if left_out.len() == study.len() {
        return Ok(ExitCode::from(1));
    }
    show(&study, &words.shown, console)
}

/// What a cell of a sweep changes.
fn in_cell(cell: &Cell, usual: &Played) -> Result<Played> {
    let mut played = usual.clone();
    vary(
        cell,
        (&mut played.people, &mut played.changes, &mut played.policies),
    )?;
    Ok(played)
}

/// Changes what a cell of a sweep says.
pub(super) fn vary(
    cell: &Cell,
    (people, changes, policies): (&mut People, &mut Changes, &mut Vec<String>),
) -> Result<()> {
    for (axis, value) in cell {
        match axis.as_str() {
            "players" => {
                let number = value.parse().ok().filter(|number| (1..=64).contains(number));
                let Some(number) = number else {
                    bail!("`{value}` is no number of players from 1 to 64");
                };
                people.players = Some(number);
            }
            "cast" => people.cast = Some(value.clone()),
            "with" | "policy" if value == "none" => {}
            "with" => changes.with.extend(joined(value)),
            "policy" => policies.extend(joined(value)),
            option => {
                changes.set.retain(|(known, _)| known != option);
                changes.set.push((option.to_owned(), value.clone()));
            }
        }
    }
    Ok(())
}

/// `a+b`
fn joined(value: &str) -> impl Iterator<Item = String> + '_ {
    value.split('+').map(|name| name.trim().to_owned())
}

// ---- What is played
/// What may be another in each cell of a sweep, and what chance and programs hang on in all of them.
#[derive(Clone)]
struct Played {
    people: People,
    changes: Changes,
    policies: Vec<String>,
    seed: u64,
    patience: Patience,
}

impl Played {
    fn of(words: &Words, stop: &Arc<AtomicBool>) -> Result<Played> {
        Ok(Played {
            people: words.people.clone(),
            changes: words.changes.clone(),
            policies: words.policy.clone(),
            seed: seed_of(words)?,
            patience: Patience {
                answer: Duration::from_secs(words.patience),
                stop: stop.clone(),
            },
        })
    }
}

/// What chance hangs on. Whoever knows the seed and the number of a game knows all hands in it: programs play by
/// one that they cannot know, unless somebody chose another.
fn seed_of(words: &Words) -> Result<u64> {
    match (words.seed, words.bot.iter().all(|bot| careful(bot).is_some())) {
        (Some(seed), _) => Ok(seed),
        (None, true) => Ok(1),
        (None, false) if words.shard.is_some() => {
            bail!(
                "the parts of a run must have one seed, and programs must not be able to guess it: name it with `--seed`"
            )
        }
        (None, false) => seed::fresh(),
    }
}

/// Who plays which seats: with how much thought, where that was not said of each.
fn bots(words: &Words, all_careful: bool) -> Vec<String> {
    let thought = |bot: &String| match careful(bot) {
        Some((seats, "")) => format!("{seats}={CAREFUL} {}", words.thought),
        _ => bot.clone(),
    };
    let all = all_careful.then(|| format!("all={CAREFUL} {}", words.thought));
    words.bot.iter().map(thought).chain(all).collect()
}

/// A table that is laid, with the texts of its rules.
struct Laid {
    bench: Workbench,
    ready: Ready,
}

/// What laying a table came to.
enum Made {
    Ready(Box<Laid>),
    /// No cards fit what was asked: the reasons, drawn.
    NoCast(String),
    /// The rules have mistakes, which were shown.
    Wrong,
}

fn make_ready(words: &Words, played: &Played, console: Console) -> Result<Made> {
    let (default, usual) = bundle::default_game();
    let base = words.ruleset.as_deref().unwrap_or(default);
    let (bench, wanted) = wanted(base, &played.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        if let Some(meant) = close_name(&wanted.base, BESIDE) {
            console.talk(&format!("or did you mean `omerta sim {meant}`?\n"));
        }
        return Ok(Made::Wrong);
    };
    // Rules may have a policy of that name themselves.
    let own = laid.bench.rules.policy_named(CAREFUL).is_some();
    let (all_careful, policies): (Vec<String>, Vec<String>) =
        { played.policies.iter().cloned() }.partition(|policy| policy == CAREFUL && !own);
    let bots = bots(words, !all_careful.is_empty());
    laid.bench.hooks.heed(&played.patience.stop);
    let setup = Setup {
        wanted,
        people: played.people.said(),
        usual,
        policies,
        seed: played.seed,
        limits: Limits {
            answers: words.limit,
            offers_per_thousand: words.offers,
            calls_per_thousand: words.calls,
        },
        present: words.present.clone(),
    };
    let draw = |problems: &[Diagnostic]| bench.render(problems, Format::Human, console.err);
    let mut ready = match setup.lay(&bench, &laid) {
        Ok(ready) => ready,
        Err(NotReady::Cast(problems)) => return Ok(Made::NoCast(draw(&problems))),
        Err(NotReady::Words(error)) => return Err(error),
    };
    console.talk(&draw(&ready.warnings));
    tell_of_texts(&bench, &laid.bench.rules, console);
    if !bots.is_empty() {
        ready.head.names.clone_from(&ready.names);
        ready.head.bots = bots;
    }
    ready.head.cast_told = words.tell_cast;
    ready.simulator = with_programs(
        ready.simulator,
        &ready.head,
        (&ready.names, &ready.cast),
        played.patience.clone(),
    )?;
    Ok(Made::Ready(Box::new(Laid { bench, ready })))
}

/// A table with the programs that play at it.
fn with_programs(
    simulator: Simulator,
    head: &Head,
    (names, cast): (&[String], &PlannedCast),
    patience: Patience,
) -> Result<Simulator> {
    let rules = simulator.rules();
    let read = |bot: &String| BotWanted::read(bot, rules, names);
    let bots = head.bots.iter().map(read).collect::<Result<Vec<_>>>()?;
    let players = simulator.players();
    let house = House {
        cast: head.cast_told.then(|| counted(rules, cast)),
        patience,
        ..House::of(names, head.seed)
    };
    let invited = bots.into_iter().map(|bot| bot.invited(&house, &players));
    Ok(simulator.inviting(invited.collect()))
}

// ---- Runs that were kept
/// A run whose games can be played again.
pub struct Opened {
    /// Where its rules come from.
    pub bench: Workbench,
    /// Which they are.
    pub wanted: RulesetRequest,
    /// The rules.
    pub laid: ReadyRules,
    /// The cards.
    pub cast: PlannedCast,
    /// What was played.
    pub head: Head,
    /// The table.
    pub simulator: Simulator,
}

/// Opens a run for one of its games; `None` when its rules have mistakes by now, which were shown.
pub fn open(path: &Path, number: u64, console: Console) -> Result<Option<Opened>> {
    let run = read_run(path)?;
    if !run.has(number) {
        let (file, has) = (path.display(), run.numbers());
        bail!("`{file}` has no game {number}: it has {has}");
    }
    let head = run.head;
    let changes = Changes {
        with: head.overlays.clone(),
        set: head.options.clone(),
    };
    let (bench, wanted) = wanted(&head.ruleset, &changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(None);
    };
    let (simulator, cast) = head.table(&laid)?;
    // The programs are started again: what they answer hangs on nothing but what they are told.
    let simulator = with_programs(simulator, &head, (&head.names, &cast), Patience::usual())?;
    Ok(Some(Opened {
        bench,
        wanted,
        laid,
        cast: simulator.cast_of(number).unwrap_or(cast),
        head,
        simulator,
    }))
}

fn read_run(path: &Path) -> Result<RunFile> {
    let text = files::read(path)?;
    RunFile::from_text(&text).map_err(|why| anyhow::anyhow!("`{}` cannot be used: {why}", path.display()))
}

fn put_together(kept: &Kept, console: Console) -> Result<ExitCode> {
    let parts = kept.runs()?;
    let run = match sim::merge(&parts) {
        Ok(run) => run,
        Err(why) => bail!("{}", cannot_merge(&why, &kept.files)),
    };
    if let Some(out) = &kept.out {
        files::write(out, &run.to_text())?;
    }
    show(&[(Vec::new(), run)], &kept.shown, console)
}

fn cannot_merge(why: &MergeError, files: &[PathBuf]) -> String {
    let name = |which: usize| files[which].display();
    match *why {
        MergeError::Nothing => "there is nothing to put together".to_owned(),
        MergeError::Unlike { which, what } => {
            let (one, other) = (name(0), name(which));
            format!("`{one}` and `{other}` are not parts of one run: they differ in {what}")
        }
        MergeError::Twice { shard, which } => {
            format!("part {shard} is there twice, once as `{}`", name(which))
        }
        MergeError::Missing { shard } => format!("part {shard} is missing"),
        MergeError::Uneven { which, has, wanted } => format!(
            "`{}` holds {has} games, and beside the other parts it should hold {wanted}: it was stopped \
             (go on with it by `--resume`), or the parts were asked for different numbers of games (`--games`)",
            name(which)
        ),
    }
}

fn show_kept(kept: &Kept, console: Console) -> Result<ExitCode> {
    let runs = kept.runs()?;
    let named = |(path, run): (&PathBuf, RunFile)| {
        let cell = match kept.files.len() {
            1 => Vec::new(),
            _ => vec![("run".to_owned(), path.display().to_string())],
        };
        (cell, run)
    };
    let study: Vec<(Cell, RunFile)> = kept.files.iter().zip(runs).map(named).collect();
    if let ([(_, run)], Some(out)) = (&study[..], &kept.out) {
        files::write(out, &run.to_text())?;
    }
    show(&study, &kept.shown, console)
}

// ---- What is shown
fn show(study: &[(Cell, RunFile)], shown: &Shown, console: Console) -> Result<ExitCode> {
    if let Some(path) = &shown.html {
        files::write(path, &page(study))?;
    }
    let look = Look {
        colour: console.out.colour,
        width: console.columns(),
    };
    let text = if shown.json {
        let first = study.iter().position(|(_, run)| !run.is_none());
        let value = |(place, (cell, run)): (usize, &(Cell, RunFile))| {
            let base = first.filter(|first| *first != place).map(|first| &study[first].1);
            let mut value = sim::json(run, base);
            if !cell.is_empty() {
                let cell: std::collections::BTreeMap<_, _> = cell.iter().cloned().collect();
                value["cell"] = cell.into_iter().collect();
            }
            format!("{value}\n")
        };
        study.iter().enumerate().map(value).collect()
    } else if shown.csv {
        sim::csv(study)
    } else if let [(_, run)] = study {
        sheet(run, look)
    } else {
        compared(study, look)
    };
    console.say(&text)?;
    let wrong = study
        .iter()
        .any(|(_, run)| run.tally.broken + run.tally.endless > 0);
    Ok(ExitCode::from(u8::from(wrong)))
}

/// How far it is, on the stream of the talk; nothing where nobody looks.
pub(super) fn bar(games: u64, done: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} games, {rate}, {eta} left");
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // A display that cannot be written to has nobody who misses it.
        let _ = write!(out, "{}/s", grouped(state.per_sec() as u64));
    };
    let bar = ProgressBar::new(games);
    if let Ok(style) = style {
        bar.set_style(style.with_key("rate", rate));
    }
    bar.set_position(done);
    bar.reset_eta();
    bar
}
