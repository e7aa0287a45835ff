//! The commands of a game under way: one table with their names, their help and what each does; and
//! how a line is read as one of them.

pub mod keep;
mod log;
mod rows;
mod time;

pub use omerta_play::names::{known, seat_in, unknown};
pub use rows::GROUPS;

use crate::faces::repl::desk::Desk;
use omerta_core::diagnostic::close_name;
use omerta_play::words::listed;

/// What a command comes to: nothing more to say, or why it could not be done.
pub type Done = Result<(), String>;

/// A command.
pub struct Command {
    /// Its name, then the others that do the same; a name may be of several words.
    pub names: &'static [&'static str],
    /// What may stand behind it; empty where nothing may.
    pub takes: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// More of it.
    pub more: &'static str,
    /// How it is typed.
    pub examples: &'static [&'static str],
    /// What may stand behind it now, for completion.
    pub completes: fn(&Desk) -> Vec<String>,
    /// What it does with what stands behind it.
    pub run: fn(&mut Desk, &str) -> Done,
}

/// Commands that belong together: a topic of `help`.
pub struct Group {
    /// The topic.
    pub topic: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Its commands.
    pub commands: &'static [Command],
}

/// Topics of `help` that are no commands.
const TOPICS: &[(&str, &str)] = &[
    (
        "answers",
        "An answer is the name of an option, its number, or as much of the name as is clear. `pass` is\n\
         nobody, where that may be answered. At a wait, `go` or an empty line goes on. Where an answer and\n\
         a command have the same name, `:undo` is the command.\n\
         Several at once, the next question after each: `Bob, Cid, pass`. For those who are named, over\n\
         waits: `Ann -> Bob`, `Ann, Cid -> Bob`; one for each of a set: `living -> Bob`. When one of\n\
         them is refused, none is given.",
    ),
    (
        "offers",
        "What somebody may do at any pause stands open besides the question: `Ann does put-up Bob`,\n\
         `host does warn Bob`. `offers` lists what is open and to whom.",
    ),
    (
        "chance",
        "Dice, coins and deals come from the seed: the same seed and the same answers give the same game.\n\
         `roll by-hand` lets you put in what real dice show.",
    ),
];

/// All commands, in the order in which `help` lists them.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    GROUPS.iter().flat_map(|group| group.commands)
}

fn topics() -> impl Iterator<Item = &'static str> {
    let groups = GROUPS.iter().map(|group| group.topic);
    let names = commands().map(|command| command.names[0]);
    let others = TOPICS.iter().map(|(topic, _)| *topic);
    names.chain(groups).chain(others).chain(["all"])
}

// ---- Reading

/// What a line is, read as a command.
pub enum Read<'a> {
    /// A command, with what stands behind its name.
    Command(&'static Command, &'a str),
    /// The beginning of several.
    Several(Vec<&'static str>),
    /// None.
    Nothing,
}

/// The command whose whole name a line begins with; of several the one of most words.
pub fn named(line: &str) -> Option<(&'static Command, &str)> {
    let all = commands().flat_map(|command| command.names.iter().map(move |name| (command, *name)));
    let found = all.filter_map(|(command, name)| Some((command, name, behind(line, name)?)));
    let found = found.filter(|(command, _, rest)| rest.is_empty() || !command.takes.is_empty());
    found
        .max_by_key(|(_, name, _)| name.split(' ').count())
        .map(|(command, _, rest)| (command, rest))
}

/// What stands behind a name at the beginning of a line.
fn behind<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = line.trim();
    for word in name.split(' ') {
        let (first, more) = split(rest);
        if !first.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = more;
    }
    Some(rest)
}

/// The first word of a line, and what comes after it.
pub fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// A command by its name or by the beginning of it.
pub fn read(line: &str) -> Read<'_> {
    if let Some((command, rest)) = named(line) {
        return Read::Command(command, rest);
    }
    let (word, rest) = split(line);
    let lower = word.to_lowercase();
    let begun: Vec<&Command> = commands()
        .filter(|command| !lower.is_empty() && command.names[0].starts_with(&lower))
        .filter(|command| !command.names[0].contains(' '))
        .filter(|command| rest.is_empty() || !command.takes.is_empty())
        .collect();
    match begun[..] {
        [] => Read::Nothing,
        [only] => Read::Command(only, rest),
        _ => Read::Several(begun.iter().map(|command| command.names[0]).collect()),
    }
}

/// A command that is spelt almost so.
pub fn close(word: &str) -> Option<&'static str> {
    let names = commands().map(|command| command.names[0]);
    close_name(word, names).filter(|_| word.chars().count() > 2)
}

/// Whether a line goes on: it is a command that takes a sentence of the language, and a bracket or a
/// quote in it is still open.
pub fn is_unfinished(line: &str) -> bool {
    let line = line.trim().trim_start_matches(':');
    let takes_language = |command: &Command| command.takes.contains("EXPR");
    named(line).is_some_and(|(command, rest)| takes_language(command) && omerta_syntax::is_unfinished(rest))
}

// ---- Help

fn help(desk: &mut Desk, topic: &str) -> Done {
    match topic {
        "" => help_short(desk),
        "all" => help_all(desk),
        topic => return help_about(desk, topic),
    }
    Ok(())
}

fn help_about(desk: &mut Desk, topic: &str) -> Done {
    let word = topic.trim_start_matches(':');
    let text = TOPICS.iter().find(|(name, _)| *name == word);
    let group = GROUPS.iter().find(|group| group.topic == word);
    let command = named(word).filter(|(_, rest)| rest.is_empty());
    let wide = widest();
    if let Some((command, _)) = command {
        help_of(desk, command);
    } else if let Some(group) = group {
        desk.line(format!("  {}", group.about));
        for command in group.commands {
            desk.line(format!("  {:wide$}  {}", command.names[0], command.about));
            desk.line(format!("  {:wide$}  `{}`", "", command.examples.join("`, `")));
        }
    } else if let Some((_, text)) = text {
        text.lines().for_each(|line| desk.line(format!("  {line}")));
    } else {
        let hint = close_name(word, topics()).map_or_else(
            || "`help` lists all".to_owned(),
            |c| format!("did you mean `help {c}`?"),
        );
        return Err(format!("there is no help about `{word}`; {hint}"));
    }
    Ok(())
}

fn help_of(desk: &mut Desk, command: &Command) {
    let head = format!("  {} {}", command.names.join(", "), command.takes);
    desk.line(head.trim_end());
    desk.line(format!("    {}", command.about));
    if !command.more.is_empty() {
        desk.line(format!("    {}", command.more));
    }
    desk.line(format!("    for instance `{}`", command.examples.join("`, `")));
}

/// The commands by what they are for; a screen of it.
fn help_short(desk: &mut Desk) {
    desk.line("  Answer with a name, a number, or the beginning of a name; `pass` is nobody.");
    desk.line("  What stands open besides is done with `NAME does OFFER`, or `host does OFFER`.");
    desk.line("  To begin with: `who`, `table`, `to night`, `undo`, `why`, `narrate`.\n");
    let wide = GROUPS.iter().map(|group| group.topic.len()).max().unwrap_or(0);
    for group in GROUPS {
        let names: Vec<&str> = group.commands.iter().map(|command| command.names[0]).collect();
        desk.line(format!("  {:wide$}  {}", group.topic, names.join(", ")));
    }
    let more: Vec<String> = TOPICS
        .iter()
        .map(|(topic, _)| format!("`help {topic}`"))
        .collect();
    desk.line(format!(
        "\n  `help undo` tells of one, `help time` of a group, `help all` of all; also {}.",
        listed(more, "and")
    ));
}

/// Every command with what it does.
fn help_all(desk: &mut Desk) {
    let wide = widest();
    for group in GROUPS {
        desk.line(format!("\n  {}: {}", group.topic, group.about));
        for command in group.commands {
            desk.line(format!("  {:wide$}  {}", command.names[0], command.about));
        }
    }
}

fn widest() -> usize {
    commands()
        .map(|command| command.names[0].len())
        .max()
        .unwrap_or(0)
}

// ---- What commands share

/// A seat by its name or the beginning of it, or by its number.
pub fn seat(desk: &Desk, word: &str) -> Result<u8, String> {
    let names = &desk.session.table().names;
    let number = word
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    match number.filter(|number| *number < names.len()) {
        Some(number) => Ok(number as u8),
        None => seat_in(names, word),
    }
}

/// A number that stands behind a command; 1 where none does.
pub fn times(given: &str) -> Result<usize, String> {
    match given {
        "" => Ok(1),
        given => given.parse().map_err(|_| format!("`{given}` is no number")),
    }
}
