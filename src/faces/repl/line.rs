//! One line that a host typed: an answer, a command, or an offer taken up.

use super::{
    command::{self, COMMANDS, Command},
    desk::Desk,
};
use crate::{
    diagnostic::close_name,
    engine::{Choice, Domain, Pending},
    faces::options::{self, Answer, Meant},
};

impl Desk {
    /// Does what a line says; why not, where it cannot be done. What is printed stands in `out`.
    pub fn take(&mut self, line: &str) -> Result<(), String> {
        let before = self.place_in_game();
        let line = line.trim();
        let done = match line.strip_prefix(':') {
            Some(command) => self.command(command),
            None if line.is_empty() => self.empty_line(),
            None => self.answer_or_command(line),
        };
        if self.place_in_game() != before && !self.done {
            self.tell_news();
            self.tell_pending();
        }
        done
    }

    fn place_in_game(&self) -> (usize, u64, usize) {
        let session = &self.session;
        (
            session.cursor(),
            session.table().rules.identity,
            session.undone().len(),
        )
    }

    /// An empty line goes on at a wait, and asks again elsewhere.
    fn empty_line(&mut self) -> Result<(), String> {
        match self.session.game().pending() {
            Pending::Ask(asked) if asked.domain == Domain::Go => self.answer(Choice::Go),
            _ => {
                self.tell_pending();
                Ok(())
            }
        }
    }

    fn command(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = split(line);
        let command = command::named(word).or_else(|| command::begun(word));
        match command {
            Some(command) => (command.run)(self, rest),
            None => Err(format!("there is no command `{word}`{}", meant_command(word))),
        }
    }

    /// What is given in full goes before what only begins so, and an answer before a command.
    fn answer_or_command(&mut self, line: &str) -> Result<(), String> {
        let answers = self.answers();
        let meant = options::meant(&answers, line);
        let (word, rest) = split(line);
        let by_name = command::named(word).filter(|command| rest.is_empty() || !command.takes.is_empty());
        match (&meant, by_name) {
            (Meant::Surely(choice), _) => self.answer(*choice),
            (_, Some(command)) => (command.run)(self, rest),
            _ if is_offer(line) => self.offer(line),
            (Meant::Begun(choice), _) => self.answer(*choice),
            (Meant::Either(all), _) => Err(format!("`{line}` could be {}", choices(all))),
            (Meant::Nothing { close }, _) => self.nothing(line, &answers, close.as_deref()),
        }
    }

    fn nothing(&mut self, line: &str, answers: &[Answer], close: Option<&str>) -> Result<(), String> {
        if let Some(number) = options::number(self.session.game(), line) {
            return self.answer(number);
        }
        let (word, rest) = split(line);
        if let Some(command) = command::begun(word)
            .filter(|command: &&Command| word.len() > 1 && (rest.is_empty() || !command.takes.is_empty()))
        {
            return (command.run)(self, rest);
        }
        Err(self.why_not(line, answers, close))
    }

    /// Why a line means nothing here, and what would.
    fn why_not(&self, line: &str, answers: &[Answer], close: Option<&str>) -> String {
        let hint = close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"));
        let (word, _) = split(line);
        match self.session.game().pending() {
            Pending::Over(_) => format!("the game is over{}", meant_command(word)),
            Pending::Broken(_) => format!("the rules went wrong; `undo` goes back{}", meant_command(word)),
            _ if close.is_none() && close_command(word).is_some() => {
                format!("`{line}` is no answer{}", meant_command(word))
            }
            Pending::Ask(asked) if asked.domain == Domain::Go => {
                format!("`{line}` is nothing to be done here{hint}; `go` goes on, `help` tells what else")
            }
            Pending::Ask(_)
                if self
                    .session
                    .table()
                    .names
                    .iter()
                    .any(|name| same_name(name, line)) =>
            {
                format!("`{line}` may not be chosen here; it can be {}", all_of(answers))
            }
            _ if answers.is_empty() => {
                format!("`{line}` is no answer{hint}; a number is asked for")
            }
            _ if close.is_some() => format!("`{line}` is no answer{hint}"),
            _ => format!("`{line}` is no answer; it can be {}", all_of(answers)),
        }
    }

    fn answer(&mut self, choice: Choice) -> Result<(), String> {
        self.give(choice)
            .map_err(|illegal| self.words().refusal(self.session.game(), &illegal))
    }

    /// `Ann does put-up Bob`
    fn offer(&mut self, line: &str) -> Result<(), String> {
        let all = self.offered();
        match options::meant(&all, line) {
            Meant::Surely(choice) | Meant::Begun(choice) => self.answer(choice),
            Meant::Either(several) => Err(format!("`{line}` could be {}", choices(&several))),
            Meant::Nothing { close } => Err(match close {
                Some(close) => format!("`{line}` does not stand open; did you mean `{close}`?"),
                None => format!("`{line}` does not stand open; `offers` lists what does"),
            }),
        }
    }

    /// Everything that could be done besides answering.
    pub fn offered(&self) -> Vec<Answer> {
        let game = self.session.game();
        let words = self.words();
        game.offers()
            .iter()
            .flat_map(|open| options::offered(game, &words, open))
            .collect()
    }

    /// Every line that would be understood now, for completion.
    pub fn completions(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.answers().into_iter().map(|answer| answer.words).collect();
        lines.extend(self.offered().into_iter().map(|answer| answer.words));
        for command in COMMANDS {
            lines.push(command.names[0].to_owned());
            lines.extend(
                (command.completes)(self)
                    .iter()
                    .map(|more| format!("{} {more}", command.names[0])),
            );
        }
        lines
    }
}

fn is_offer(line: &str) -> bool {
    line.split_whitespace()
        .nth(1)
        .is_some_and(|word| word.eq_ignore_ascii_case("does"))
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

fn same_name(name: &str, given: &str) -> bool {
    name.to_lowercase() == given.to_lowercase()
}

fn close_command(word: &str) -> Option<&'static str> {
    close_name(word, COMMANDS.iter().map(|command| command.names[0])).filter(|_| word.chars().count() > 2)
}

fn meant_command(word: &str) -> String {
    match close_command(word) {
        Some(close) => format!("; did you mean the command `{close}`?"),
        None => "; `help` lists what may be typed".to_owned(),
    }
}

fn choices(all: &[String]) -> String {
    let all = all.iter().take(8).map(|words| format!("`{words}`")).collect();
    crate::play::words::listed(all, "or")
}

/// What may be answered, or the beginning of it where it is long.
fn all_of(answers: &[Answer]) -> String {
    let shown: Vec<String> = answers
        .iter()
        .take(12)
        .map(|answer| answer.words.clone())
        .collect();
    match answers.len() > shown.len() {
        true => format!("{}, and {} more", shown.join(", "), answers.len() - shown.len()),
        false => crate::play::words::listed(shown, "or"),
    }
}
