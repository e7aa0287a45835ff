//! The game on the host's desk: what is played, how it is shown, and what may be typed.
#![expect(
    clippy::disallowed_types,
    reason = "tells by the time whether a file was written"
)]

use super::{given::split, halt::halted, left::Own};
use crate::faces::{
    console::Console,
    render::{Colour, Style},
};
use omerta_core::{
    diagnostic::close_name,
    rules::{EventId, GroupId, GroupKind, Program, RuleId, Ruleset, SceneId},
};
use omerta_engine::{Choice, Game, Illegal, Log};
use omerta_play::{
    branches::Branches, hosted::Hosted, names::seat_in, save::Save, session::Session, strategy::Strategy,
    words::Words,
};
use omerta_workbench::{RulesetRequest, Workbench, files::Hold};
use std::{path::PathBuf, time::SystemTime};

/// How the host wants to be shown things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manners {
    /// Whether words may be coloured.
    pub colour: Colour,
    /// Columns on the screen.
    pub width: usize,
    /// Whether things may be drawn; a screen reader wants sentences.
    pub drawn: bool,
}

impl Manners {
    /// What suits a stream of this style: drawings where a person looks at it.
    pub fn of(style: Style, drawn: bool) -> Self {
        Manners {
            colour: style.colour,
            width: style.width,
            drawn,
        }
    }
}

/// How those answer whom the host leaves to themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rest {
    /// They toss coins.
    Random,
    /// They do as little as they may.
    Pass,
    /// They follow policies of the rules, and toss coins where those have no say.
    By(Vec<String>),
}

/// Where a walk stops of itself.
pub struct Stop {
    /// As it was typed.
    pub text: String,
    pub on: On,
    /// Whether the condition held when it was last looked at.
    pub held: bool,
}

/// What a walk stops at.
pub enum On {
    Event(EventId),
    Rule(RuleId),
    Scene(SceneId),
    Asked(u8),
    Holds(Program),
}

/// An expression whose value is told whenever it changes.
pub struct Watch {
    /// As it was typed.
    pub text: String,
    pub program: Program,
    pub last: String,
}

/// Files with when they were written and how long they are.
pub type Stamps = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// What a command comes to: nothing more to say, or why it could not be done.
pub type Done = Result<(), String>;

/// A command.
pub struct Command {
    /// Its name, then the others that do the same; a name may be of several words.
    pub names: &'static [&'static str],
    /// What may stand behind it; empty where nothing may.
    pub takes: &'static str,
    /// Whether that is a sentence of the language.
    pub takes_language: bool,
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

impl Command {
    /// A command behind which nothing need stand, and of which there is no more to say.
    pub const fn new(names: &'static [&'static str], run: fn(&mut Desk, &str) -> Done) -> Command {
        Command {
            names,
            takes: "",
            takes_language: false,
            about: "",
            more: "",
            examples: &[],
            completes: |_| Vec::new(),
            run,
        }
    }

    pub const fn takes(self, takes: &'static str) -> Command {
        Command { takes, ..self }
    }

    pub const fn takes_language(self, takes: &'static str) -> Command {
        let takes_language = true;
        Command {
            takes,
            takes_language,
            ..self
        }
    }

    pub const fn about(self, about: &'static str) -> Command {
        Command { about, ..self }
    }

    pub const fn more(self, more: &'static str) -> Command {
        Command { more, ..self }
    }

    pub const fn typed(self, examples: &'static [&'static str]) -> Command {
        Command { examples, ..self }
    }

    pub const fn completes(self, completes: fn(&Desk) -> Vec<String>) -> Command {
        Command { completes, ..self }
    }
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

/// All commands, by what they are for.
#[derive(Clone, Copy)]
pub struct Commands(pub &'static [Group]);

/// What a line is, read as a command.
pub enum Read<'a> {
    /// A command, with what stands behind its name.
    Command(&'static Command, &'a str),
    /// The beginning of several.
    Several(Vec<&'static str>),
    /// None.
    Nothing,
}

/// Opens another game by the words behind `open`: the desk with it and a word of welcome, or nothing when its
/// rules are wrong, which was told.
pub type Opener = fn(&str, Console) -> anyhow::Result<Option<(Desk, String)>>;

/// What a desk is laid with, whatever is played at it.
#[derive(Clone, Copy)]
pub struct Outfit {
    /// How the host wants to be shown things.
    pub manners: Manners,
    /// What may be typed.
    pub commands: Commands,
    /// How another game is opened.
    pub opener: Opener,
}

/// A game under way in front of a host.
pub struct Desk {
    /// Where rules come from.
    pub bench: Workbench,
    /// Which rules are played.
    pub wanted: RulesetRequest,
    /// The game with its chance.
    pub hosted: Hosted,
    /// How those answer whom the host leaves to themselves.
    pub rest: Rest,
    /// Where a walk stops.
    pub stops: Vec<Stop>,
    /// What is watched.
    pub watches: Vec<Watch>,
    /// The branches that are not being played.
    pub branches: Branches,
    /// Other games that were laid aside for this one.
    pub aside: Vec<Save>,
    /// How the host wants to be shown things.
    pub manners: Manners,
    /// What may be typed.
    pub commands: Commands,
    /// How another game is opened.
    pub opener: Opener,
    /// The files of the rules as they were when they were last read, where they are watched.
    pub following: Option<Stamps>,
    /// What is to be printed.
    pub out: String,
    /// How many events the host has been shown.
    pub shown: usize,
    /// Those of whom it was told, or could be, that they have won so far.
    pub won: u64,
    /// A scene that has begun and of which nothing was told yet.
    pub header: Option<String>,
    /// Whether it was said that the session cannot be kept.
    pub unkept: bool,
    /// Where the session keeps itself, once there is anything to keep.
    pub own: Option<Own>,
    /// The file that the game was kept in or came from, which is this desk's as long as it lies there.
    pub held: Option<(PathBuf, Option<Hold>)>,
    /// Where each line stood that brought the game on.
    pub lines: Vec<usize>,
    /// Whether another game was put on the desk since the line at hand was read.
    pub another: bool,
    /// Where the lines led that were taken back.
    pub taken_back: Vec<usize>,
    /// Which event of the log `event` shows next.
    pub traced: usize,
    /// Set when the host has had enough.
    pub done: bool,
}

impl Commands {
    /// All of them, in the order in which `help` lists them.
    pub fn all(&self) -> impl Iterator<Item = &'static Command> + use<> {
        self.0.iter().flat_map(|group| group.commands)
    }

    /// The command whose whole name a line begins with; of several the one of most words.
    pub fn named<'l>(&self, line: &'l str) -> Option<(&'static Command, &'l str)> {
        let all = self
            .all()
            .flat_map(|command| command.names.iter().map(move |name| (command, *name)));
        let found = all.filter_map(|(command, name)| Some((command, name, behind(line, name)?)));
        let found = found.filter(|(command, _, rest)| rest.is_empty() || !command.takes.is_empty());
        found
            .max_by_key(|(_, name, _)| name.split(' ').count())
            .map(|(command, _, rest)| (command, rest))
    }

    /// A command by its name or by the beginning of it.
    pub fn read<'l>(&self, line: &'l str) -> Read<'l> {
        if let Some((command, rest)) = self.named(line) {
            return Read::Command(command, rest);
        }
        let (word, rest) = split(line);
        let lower = word.to_lowercase();
        let begun: Vec<&Command> = self
            .all()
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
    pub fn close(&self, word: &str) -> Option<&'static str> {
        let names = self.all().map(|command| command.names[0]);
        close_name(word, names).filter(|_| word.chars().count() > 2)
    }

    /// Whether a line goes on: it is a command that takes a sentence of the language, and a bracket or a
    /// quote in it is still open.
    pub fn is_unfinished(&self, line: &str) -> bool {
        let line = line.trim().trim_start_matches(':');
        self.named(line)
            .is_some_and(|(command, rest)| command.takes_language && omerta_syntax::is_unfinished(rest))
    }
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

impl Desk {
    /// A desk with a game on it.
    pub fn of(bench: Workbench, wanted: RulesetRequest, hosted: Hosted, outfit: Outfit) -> Desk {
        Desk {
            bench,
            wanted,
            hosted,
            rest: Rest::Random,
            stops: Vec::new(),
            watches: Vec::new(),
            branches: Branches::default(),
            aside: Vec::new(),
            manners: outfit.manners,
            commands: outfit.commands,
            opener: outfit.opener,
            following: None,
            out: String::new(),
            shown: 0,
            won: 0,
            header: None,
            unkept: false,
            own: None,
            held: None,
            lines: Vec::new(),
            another: false,
            taken_back: Vec::new(),
            traced: 0,
            done: false,
        }
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        self.hosted.session.game()
    }

    /// Everything that has happened.
    pub fn log(&self) -> &Log {
        self.hosted.session.log()
    }

    /// The rules that are played.
    pub fn rules(&self) -> &Ruleset {
        &self.hosted.session.table().rules
    }

    /// The names of the seats.
    pub fn names(&self) -> &[String] {
        &self.hosted.session.table().names
    }

    /// Names for everything.
    pub fn words(&self) -> Words<'_> {
        self.hosted.session.table().words()
    }

    /// Gives an answer, and lets chance decide what follows from it.
    pub fn give(&mut self, choice: Choice) -> Result<(), Illegal> {
        self.hosted.give(choice)
    }

    /// One answer of players who toss coins; `false` when nothing is asked.
    pub fn random(&mut self) -> Option<Choice> {
        let choice = self.hosted.by_themselves(&Strategy::NONE)?;
        self.give(choice).is_ok().then_some(choice)
    }

    /// Takes back the last answer that somebody gave, with the rolls that followed it.
    pub fn undo(&mut self) -> bool {
        let undone = self.hosted.undo();
        self.forget();
        undone
    }

    /// Gives again what was taken back last.
    pub fn redo(&mut self) -> bool {
        let moved = self.hosted.redo();
        self.forget();
        moved
    }

    /// Takes back what the last line brought about.
    pub fn undo_line(&mut self) -> bool {
        let at = self.hosted.session.cursor();
        let line = self.lines.iter().rposition(|start| *start < at);
        let start = line.map(|line| self.lines[line]);
        self.lines.truncate(line.unwrap_or(0));
        let undone = self.undo();
        if let Some(start) = start.filter(|start| undone && self.hosted.session.cursor() > *start) {
            self.hosted.back_to(&halted, start);
            self.forget();
        }
        if undone {
            self.taken_back.push(at);
        }
        undone
    }

    /// Gives again what the last line that was taken back had brought about.
    pub fn redo_line(&mut self) -> bool {
        let to = self.taken_back.pop();
        let redone = self.redo();
        let short = |desk: &Desk| !halted() && to.is_some_and(|to| desk.hosted.session.cursor() < to);
        while redone && short(self) && self.redo() {}
        redone
    }

    /// What was taken back was not shown.
    fn forget(&mut self) {
        self.shown = self.shown.min(self.log().events.len());
    }

    /// Puts the game back as it was kept.
    pub fn put_back(&mut self, kept: Hosted) {
        self.hosted = kept;
        self.forget();
    }

    /// Goes to the place before an answer, back or forth; what lies between is not told.
    pub fn go_to(&mut self, place: usize) -> bool {
        let there = self.hosted.go_to_until(&halted, place);
        if there || halted() {
            self.shown = self.log().events.len();
        }
        there
    }

    /// Goes on with another branch of the game; what has happened in it is not told.
    pub fn take_up(&mut self, session: Session) {
        let heard = session.log().events.len();
        self.hosted.take_up(session);
        self.shown = heard;
    }

    /// Goes on with another game.
    pub fn replace(&mut self, hosted: Hosted, branches: Branches, wanted: RulesetRequest) {
        let heard = hosted.session.log().events.len();
        (self.hosted, self.branches, self.wanted) = (hosted, branches, wanted);
        self.shown = heard;
    }

    /// Adds lines to what is to be printed, or what there is to say where there are none.
    pub fn list(&mut self, lines: &[String], none: &str) {
        match lines {
            [] => self.line(format!("  {none}")),
            lines => lines.iter().for_each(|line| self.line(line)),
        }
    }

    /// Adds a line to what is to be printed.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.out.push_str(line.as_ref());
        self.out.push('\n');
    }

    /// A seat by its name or the beginning of it, by its number, or by the card that lies there alone.
    pub fn seat(&self, word: &str) -> Result<u8, String> {
        seat_in(self.names(), word).or_else(|unknown| {
            let held = self.holders(word);
            match held.count_ones() {
                0 => Err(unknown),
                1 => Ok(held.trailing_zeros() as u8),
                _ => Err(format!("that is {}: name one of them", self.words().seats(held))),
            }
        })
    }

    /// Those who hold the role with that name or title.
    fn holders(&self, word: &str) -> u64 {
        let rules = self.rules();
        let bare = |title: &str| match title.split_once(' ') {
            Some(("the" | "a" | "an", noun)) => noun.to_lowercase(),
            _ => title.to_lowercase(),
        };
        let is = |group: &omerta_core::rules::Group| {
            bare(&group.title) == bare(word) || group.name.eq_ignore_ascii_case(word)
        };
        let role = rules
            .groups
            .iter()
            .position(|group| group.kind == GroupKind::Role && is(group));
        role.map_or(0, |role| self.game().look().group(GroupId(role as u16)))
    }
}
