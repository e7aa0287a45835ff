//! The command line: what may be typed, what its help teaches, and which command answers.
#![expect(
    clippy::disallowed_methods,
    reason = "hears with which words the program was called"
)]

use super::{
    commands::{
        book, check, completions, diff, exact, explain, fmt, graph, list, lsp, new, play, run, show, sim,
        test, worlds,
    },
    console::Console,
};
use anyhow::Result;
use clap::{
    CommandFactory, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};
use omerta_core::diagnostic::close_name;
use std::{ffi::OsString, io, process::ExitCode};

/// Everything that may be typed behind `omerta`.
#[derive(Parser, Debug)]
#[command(name = "omerta", version, about = ABOUT, long_about = None, after_help = FIRST_STEPS)]
#[command(max_term_width = 100, arg_required_else_help = true, infer_subcommands = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

const ABOUT: &str = "A language, an interpreter and a workbench for hidden-role party games.";

const FIRST_STEPS: &str = "\
First steps:
  omerta play               open the classic game for eight; `help` there says what to type
  omerta show               which rulesets come with it; `omerta show NAME` tells about one
  omerta new my-house       a folder with a house rule and its scenarios, to change
  omerta check mine.mafia   every mistake in your own rules, with its place and its repair

`omerta help COMMAND` shows examples of each command.";

/// The commands, in the order in which somebody meets them.
#[derive(Subcommand, Debug)]
enum Command {
    /// Play a game at the terminal
    Play(play::Words),
    /// Begin rules of your own: a folder with a rule, scenarios and a snapshot
    New(new::Words),
    /// Find every mistake in rulesets, overlays, libraries and scenarios
    Check(check::Words),
    /// Run one file of scenarios
    Run(run::Words),
    /// Run all scenarios of files and folders
    Test(test::Words),
    /// Play many games and tell how often each side wins
    Sim(Box<sim::Words>),
    /// Tell exactly how often each side wins, by walking every position
    Exact(Box<exact::Words>),
    /// Tell what somebody can know of a game: which cards may lie where
    Worlds(worlds::Words),
    /// Lay out rulesets and scenarios, all in one style
    Fmt(fmt::Words),
    /// List what comes with omerta: rulesets, overlays, libraries
    List(list::Words),
    /// Show a ruleset: roles, calls, casts, options, overlays
    Show(show::Words),
    /// Make a rulebook, a page for players, role cards
    Book(book::Words),
    /// Show the course of a game: its scenes, and whom the host calls in which order
    Graph(graph::Words),
    /// Tell how two rulesets differ
    Diff(diff::Words),
    /// Tell what the code of a mistake means
    Explain(explain::Words),
    /// Serve an editor while you write: mistakes, names, repairs
    Lsp(lsp::Words),
    /// Print what a shell needs to complete these commands
    Completions(completions::Words),
}

/// Runs the program.
pub fn main() -> ExitCode {
    run(&std::env::args_os().collect::<Vec<_>>())
}

/// Runs the program with the words it was called with, its own name first.
pub fn run(words: &[OsString]) -> ExitCode {
    take_panics();
    let line = match Line::try_parse_from(words) {
        Ok(line) => line,
        Err(error) => return refused(&error, words),
    };
    let console = Console::of_program();
    answer(line.command, console).unwrap_or_else(|error| {
        console.complain(&format!("{error:#}"));
        ExitCode::from(2)
    })
}

fn answer(command: Command, console: Console) -> Result<ExitCode> {
    match command {
        Command::Play(words) => play::play(&words, console),
        Command::New(words) => new::new(&words, console),
        Command::Check(words) => check::check(&words, console),
        Command::Run(words) => run::run(&words, console),
        Command::Test(words) => test::test(&words, console),
        Command::Sim(words) => sim::sim(&words, console),
        Command::Exact(words) => exact::exact(&words, console),
        Command::Worlds(words) => worlds::worlds(&words, console),
        Command::Fmt(words) => fmt::fmt(&words, console),
        Command::List(words) => list::list(&words, console),
        Command::Show(words) => show::show(&words, console),
        Command::Book(words) => book::run(&words, console),
        Command::Graph(words) => graph::graph(&words, console),
        Command::Diff(words) => diff::diff(&words, console),
        Command::Explain(words) => explain::explain(&words, console),
        Command::Lsp(words) => lsp::lsp(&words),
        Command::Completions(words) => completions::completions(&words, Line::command(), console),
    }
}

/// Help and versions are results; everything else was a slip.
fn refused(error: &clap::Error, typed: &[OsString]) -> ExitCode {
    if let Some(words) = one_too_many(error, typed).or_else(|| in_plain_words(error, typed)) {
        Console::of_program().complain(&words);
        return ExitCode::from(2);
    }
    let console = Console::of_program();
    match error.print() {
        // A reader who has gone away has read enough.
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            console.complain(&format!("the help cannot be written: {why}"));
            ExitCode::from(2)
        }
        _ => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
    }
}

/// What is wrong with what was typed, where it can be said in a sentence.
fn in_plain_words(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let one = |kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.clone()),
        ContextValue::Strings(words) => Some(words.join(" ")),
        _ => None,
    };
    let named = |argument: &str| argument.replace(['<', '>'], "").replace("...", " …");
    let command = typed.get(1).map(|word| word.to_string_lossy().into_owned());
    let command = command.filter(|word| Line::command().find_subcommand(word).is_some());
    let more = command.map_or_else(
        || "`omerta --help` lists the commands".to_owned(),
        |command| format!("`omerta help {command}` shows how it is written"),
    );
    let given = one(ContextKind::InvalidArg);
    Some(match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = one(ContextKind::InvalidSubcommand)?;
            match one(ContextKind::SuggestedSubcommand) {
                Some(meant) => format!("there is no command `{word}`; did you mean `{meant}`?"),
                None => format!("there is no command `{word}`; {more}"),
            }
        }
        ErrorKind::UnknownArgument => match (given?, one(ContextKind::SuggestedArg)) {
            (word, Some(meant)) => format!("there is no option `{word}` here; did you mean `{meant}`?"),
            (word, None) if word.starts_with('-') => format!("there is no option `{word}` here; {more}"),
            (word, None) => format!("`{word}` is a word too many; {more}"),
        },
        ErrorKind::MissingRequiredArgument => format!("`{}` is missing; {more}", named(&given?)),
        ErrorKind::ArgumentConflict => {
            let first = named(&given?);
            match one(ContextKind::PriorArg) {
                Some(other) => {
                    let other = named(&other);
                    format!("`{first}` and `{other}` cannot stand together: leave one of them out")
                }
                None => format!("`{first}` stands alone: leave the rest out"),
            }
        }
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error)?;
            format!(
                "`{}` cannot be `{}`: {why}",
                named(&given?),
                one(ContextKind::InvalidValue)?
            )
        }
        ErrorKind::InvalidValue => {
            let known = match error.get(ContextKind::ValidValue)? {
                ContextValue::Strings(words) => words.join(", "),
                _ => return None,
            };
            match one(ContextKind::InvalidValue)?.as_str() {
                "" if known.is_empty() => format!("`{}` wants a value: nothing stands there", named(&given?)),
                "" => format!("`{}` wants a value: {known}", named(&given?)),
                value => format!("`{}` cannot be `{value}`: it is one of {known}", named(&given?)),
            }
        }
        _ => return None,
    })
}

/// A word behind a ruleset is read as a command of its own where there are such, and told as nobody
/// would understand.
fn one_too_many(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let first = typed.iter().skip_while(|before| *before != "sim").nth(1)?;
    let first = first.to_string_lossy();
    (error.kind() == ErrorKind::ArgumentConflict).then(|| match close_name(&first, sim::BESIDE) {
        Some(meant) => format!("there is no `sim {first}`; did you mean `sim {meant}`?"),
        None => format!("`{word}` is a word too many: one ruleset is played, by its name or its path"),
    })
}

/// A mistake of ours is told as one; the person at the keyboard is owed no stack of our functions.
fn take_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map_or_else(String::new, |place| format!(" ({place})"));
        let words = panic.payload_as_str().unwrap_or("no words were given");
        Console::of_program().talk(&format!(
            "error: this is a mistake in omerta, not in your file: {words}{place}\n\
             help: please report it together with what you typed and the files it was about\n"
        ));
    }));
}
