//! The two streams: the result goes to standard output, the talk to standard error.
#![expect(clippy::disallowed_methods, reason = "the room that talks")]

use super::{
    render::{self, Colour, Style},
    terminal,
};
use anyhow::{Context, Result};
use std::io::{self, IsTerminal};

/// How the program ends where it could not read a file, or do what it was asked to.
pub const UNREAD: u8 = 2;

/// The streams of the program and how text looks on them.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// What suits standard output.
    pub out: Style,
    /// What suits standard error.
    pub err: Style,
}

impl Console {
    /// The streams the program was started with.
    pub fn of_program() -> Self {
        Console {
            out: Style::of_stream(&io::stdout()),
            err: Style::of_stream(&io::stderr()),
        }
    }

    /// Whether a person types.
    pub fn is_typed() -> bool {
        io::stdin().is_terminal()
    }

    /// How many columns the result has: those of the terminal, or what `COLUMNS` says.
    pub fn columns(&self) -> usize {
        let said = std::env::var_os("COLUMNS").map(|_| self.out.width);
        let seen = || terminal::width().filter(|_| io::stdout().is_terminal());
        said.or_else(seen).unwrap_or(80)
    }

    /// Writes a part of the result.
    pub fn say(&self, text: &str) -> Result<()> {
        render::write(&mut io::stdout().lock(), text).context("the result cannot be written")
    }

    /// Writes talk. That nobody listens changes no result.
    pub fn talk(&self, text: &str) {
        let _ = render::write(&mut io::stderr().lock(), text);
    }

    /// A mistake of the user, in a sentence.
    pub fn complain(&self, message: &str) {
        let head = paint(self.err.colour, "1;31", "error");
        self.talk(&format!("{head}: {message}\n"));
    }

    /// What came of something, where the rest goes on without it.
    pub fn or_complain<T>(&self, result: Result<T>) -> Option<T> {
        result
            .inspect_err(|error| self.complain(&format!("{error:#}")))
            .ok()
    }
}

/// Words in a colour, where colours are wanted; the code is that of the terminal, such as `1;31`.
pub fn paint(colour: Colour, code: &str, words: &str) -> String {
    match colour {
        Colour::On => format!("\u{1b}[{code}m{words}\u{1b}[0m"),
        Colour::Off => words.to_owned(),
    }
}
