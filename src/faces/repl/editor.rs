//! The line editor: completion of what is legal now, hints, a history that is kept.

use super::{
    desk::{Commands, Manners},
    source::coloured,
};
use crate::faces::{console::paint, terminal};
use rustyline::{
    CompletionType, Config, Context, Editor, ExternalPrinter, Helper, Result,
    completion::{Completer, FilenameCompleter, Pair},
    error::ReadlineError,
    highlight::{CmdKind, Highlighter},
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use std::{borrow::Cow, io::ErrorKind, path::PathBuf};

/// How many lines are remembered.
const REMEMBERED: usize = 2_000;

/// So many completions are listed at once, all seats of a full table among them; more are asked for.
const MOST_AT_ONCE: usize = 72;

/// A terminal on which lines can be edited.
pub struct Typing {
    editor: Editor<Known, FileHistory>,
    history: Option<PathBuf>,
    manners: Manners,
}

impl Typing {
    /// Takes the terminal over.
    pub fn new(manners: Manners, commands: Commands) -> Result<Typing> {
        let config = Config::builder()
            .max_history_size(REMEMBERED)?
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .completion_prompt_limit(MOST_AT_ONCE)
            .build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Known {
            now: Understood::default(),
            manners,
            commands,
        }));
        let history = history_file();
        if let Some(path) = &history {
            // There is none before the first game.
            let _ = editor.load_history(path);
        }
        Ok(Typing {
            editor,
            history,
            manners,
        })
    }

    /// Reads a line; `None` at the end of the input.
    pub fn line(&mut self, moment: &str, understood: Understood) -> Result<Option<String>> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.now = understood;
        }
        let raw = format!("{moment}> ");
        let styled = paint(self.manners.colour, "1;34", &raw);
        match self.editor.readline(&(raw, styled)) {
            Ok(line) => {
                self.remember(&line);
                Ok(Some(line))
            }
            // What was typed is thrown away; the game is not.
            Err(ReadlineError::Interrupted) => Ok(Some(String::from("\u{3}"))),
            Err(ReadlineError::Eof) => Ok(None),
            // A byte that is no letter takes the line with it, and nothing else.
            Err(ReadlineError::Io(why)) if why.kind() == ErrorKind::InvalidData => {
                Ok(Some(char::REPLACEMENT_CHARACTER.to_string()))
            }
            Err(error) => Err(error),
        }
    }

    /// What prints above the line while it is being typed.
    pub fn printer(&mut self) -> Option<Printer> {
        let printer = self.editor.create_external_printer().ok()?;
        Some(Box::new(printer))
    }

    /// How many columns the terminal has now.
    pub fn width(&mut self) -> Option<usize> {
        let (columns, _) = self.editor.dimensions()?;
        Some(usize::from(columns))
    }

    fn remember(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        // A game without a history is a game all the same.
        let _ = self.editor.add_history_entry(line);
        if let Some(path) = &self.history {
            let _ = self.editor.append_history(path);
        }
    }
}

/// What prints above the line that is being typed.
pub type Printer = Box<dyn ExternalPrinter + Send>;

fn history_file() -> Option<PathBuf> {
    Some(terminal::data_folder()?.join("history"))
}

/// What would be understood now.
#[derive(Default)]
pub struct Understood {
    /// Every line; the answers come first.
    pub lines: Vec<String>,
    /// How many of the lines are answers.
    pub answers: usize,
    /// What some beginnings of lines do, in a few words.
    pub abouts: Vec<(String, String)>,
    /// Columns on the screen.
    pub width: usize,
}

/// What helps while a line is typed.
#[derive(Helper)]
struct Known {
    now: Understood,
    manners: Manners,
    commands: Commands,
}

/// So many completions are told with what they do; more are told by their names alone.
const MOST_TOLD: usize = 16;
/// A screen that is narrower has no room for it.
const ROOM_TO_TELL: usize = 60;

impl Understood {
    /// What a word behind others does.
    fn about(&self, before: &str, word: &str) -> Option<&str> {
        let before: Vec<&str> = before.split_whitespace().collect();
        let begun = [&before[..], &[word]].concat().join(" ").to_lowercase();
        let found = self.abouts.iter().find(|(line, _)| line.to_lowercase() == begun);
        found.map(|(_, about)| about.as_str())
    }

    /// Words with what they do behind them, where there is room for it.
    fn told(&self, before: &str, words: &[String]) -> Vec<String> {
        let abouts: Vec<Option<&str>> = words.iter().map(|word| self.about(before, word)).collect();
        let is_told = words.len() <= MOST_TOLD && self.width >= ROOM_TO_TELL;
        if !is_told || abouts.iter().all(Option::is_none) {
            return words.to_vec();
        }
        let wide = words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
        let line = |(word, about): (&String, &Option<&str>)| {
            let line = format!("{word:wide$}{GAP}{}", about.unwrap_or_default());
            line.trim_end().chars().take(self.width - 4).collect()
        };
        words.iter().zip(&abouts).map(line).collect()
    }
}

/// What stands between a completion and what it does.
const GAP: &str = "   ";

/// The words that may come next behind those that stand there, and where the last of them begins.
fn next_words(lines: &[String], typed: &str) -> (usize, Vec<String>) {
    let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (before, last) = typed.split_at(start);
    let before: Vec<String> = before.split_whitespace().map(str::to_lowercase).collect();
    let last = last.to_lowercase();
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let fits = before
            .iter()
            .all(|typed| words.next().is_some_and(|word| word.to_lowercase() == *typed));
        let next = words
            .next()
            .filter(|word| fits && word.to_lowercase().starts_with(&last));
        if let Some(next) = next.filter(|next| !found.iter().any(|known| known == next)) {
            found.push(next.to_owned());
        }
    }
    (start, found)
}

/// The one line that begins so.
fn only_begun<'l>(lines: &'l [String], line: &str) -> Option<&'l String> {
    let lower = line.to_lowercase();
    let mut fits = lines
        .iter()
        .filter(|known| known.to_lowercase().starts_with(&lower));
    fits.next().filter(|_| fits.next().is_none())
}

impl Completer for Known {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let typed = &line[..pos];
        if ["save ", "load ", "export "]
            .iter()
            .any(|command| typed.starts_with(command))
        {
            return FilenameCompleter::new().complete_path(line, pos);
        }
        // Nothing typed is the question what may be answered: the commands stand in `help`.
        let asked = if typed.trim().is_empty() {
            &self.now.lines[..self.now.answers]
        } else {
            &self.now.lines[..]
        };
        let (start, words) = next_words(asked, typed);
        let told = self.now.told(&typed[..start], &words);
        let only = words.len() == 1;
        let pair = |(word, display): (String, String)| {
            let replacement = if only { format!("{word} ") } else { word };
            Pair { display, replacement }
        };
        Ok((start, words.into_iter().zip(told).map(pair).collect()))
    }
}

impl Hinter for Known {
    type Hint = String;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        // A hint is read aloud as if it had been typed.
        if pos < line.len() || line.trim().is_empty() || !self.manners.drawn {
            return None;
        }
        // The beginning of an answer goes before that of a command.
        let lines = &self.now.lines;
        let (answers, _) = lines.split_at(self.now.answers.min(lines.len()));
        let only = only_begun(answers, line).or_else(|| only_begun(lines, line))?;
        only.get(line.len()..)
            .filter(|rest| !rest.is_empty())
            .map(str::to_owned)
    }
}

impl Highlighter for Known {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(paint(self.manners.colour, "2", hint))
    }

    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let colour = self.manners.colour;
        let answers = self.now.lines.iter().take(self.now.answers);
        if answers
            .into_iter()
            .any(|answer| answer.eq_ignore_ascii_case(line.trim()))
        {
            return Cow::Owned(paint(colour, "36", line));
        }
        let Some((command, rest)) = self.commands.named(line.trim_start_matches(':')) else {
            return Cow::Borrowed(line);
        };
        // What stands behind a name ends where the line does, but for spaces.
        let (name, rest) = line.split_at(line.trim_end().len() - rest.len());
        let rest = match command.takes_language {
            true => coloured(colour, rest),
            false => rest.to_owned(),
        };
        Cow::Owned(format!("{}{rest}", paint(colour, "1", name)))
    }

    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        match candidate.split_once(GAP) {
            Some((word, about)) => Cow::Owned(format!(
                "{word}{}",
                paint(self.manners.colour, "2", &format!("{GAP}{about}"))
            )),
            None => Cow::Borrowed(candidate),
        }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}

impl Validator for Known {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        match self.commands.is_unfinished(context.input()) {
            true => Ok(ValidationResult::Incomplete),
            false => Ok(ValidationResult::Valid(None)),
        }
    }
}
