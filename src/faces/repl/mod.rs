//! The game at a terminal, line by line; the same from a pipe.
#![expect(clippy::disallowed_methods, reason = "reads what is typed")]

mod command;
mod desk;
mod editor;
mod export;
mod inspect;
mod line;
mod meddle;
mod narrate;
mod places;
mod reload;
mod screen;
mod source;
mod table;
mod walk;

pub use desk::{Desk, Manners};

use crate::faces::{
    console::{Console, paint},
    render::{Colour, Style, visible},
};
use anyhow::{Context, Result};
use editor::Typing;
use std::{
    io::{self, BufRead, Read},
    process::ExitCode,
};

/// So much of a line is read from a pipe at once.
const AT_ONCE: u64 = 1 << 16;
/// The longest line that can mean anything.
const LONGEST: usize = 1_000;

/// Plays until the host leaves.
pub fn play(mut desk: Desk, welcome: &str, console: Console) -> Result<ExitCode> {
    if Console::is_typed()
        && let Some(width) = editor::width()
    {
        desk.manners.width = width;
    }
    desk.line(welcome);
    let table = desk.table_text();
    desk.out.push_str(&table);
    desk.tell_news();
    desk.tell_pending();
    flush(&mut desk, console)?;
    match Console::is_typed() {
        true => typed(desk, console),
        false => piped(desk, console),
    }
}

fn flush(desk: &mut Desk, console: Console) -> Result<()> {
    console.say(&std::mem::take(&mut desk.out))
}

fn typed(mut desk: Desk, console: Console) -> Result<ExitCode> {
    let mut typing = Typing::new(desk.manners).context("the terminal cannot be used")?;
    while !desk.done {
        if let Some(width) = typing.width() {
            desk.manners.width = width;
        }
        let (answers, known) = (desk.answers().len(), desk.completions());
        match typing
            .line(&desk.moment(), answers, known)
            .context("the terminal cannot be read")?
        {
            None => break,
            Some(line) if line == "\u{3}" => desk.line("  (`quit` leaves)"),
            Some(line) => {
                if let Err(why) = desk.take(&line) {
                    desk.line(paint(desk.manners.colour, "31", &format!("  {why}")));
                }
            }
        }
        flush(&mut desk, console)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Lines from a pipe or a file: each is shown with what came of it. One that is refused is told on
/// the other stream and in the exit code; the next is taken all the same.
fn piped(mut desk: Desk, console: Console) -> Result<ExitCode> {
    let mut input = io::stdin().lock();
    let mut refused = false;
    let mut number = 0_usize;
    let mut open = String::new();
    while !desk.done {
        let Some(line) = read_line(&mut input)? else { break };
        number += 1;
        let line = line.trim();
        if open.is_empty() && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        open.push_str(line);
        if command::is_unfinished(&open) {
            open.push(' ');
            continue;
        }
        let line = std::mem::take(&mut open);
        let (moment, line) = (desk.moment(), visible(&line));
        let done = match line.len() > LONGEST {
            true => Err(format!(
                "a line of {} bytes is longer than anything that could be meant",
                line.len()
            )),
            false => {
                desk.line(format!("\n{moment}> {line}"));
                desk.take(&line)
            }
        };
        flush(&mut desk, console)?;
        if let Err(why) = done {
            refused = true;
            console.complain(&format!("line {number}: {why}"));
        }
    }
    if !open.is_empty() {
        refused = true;
        console.complain(&format!(
            "line {number}: the input ends in the middle of `{}`",
            open.trim()
        ));
    }
    Ok(ExitCode::from(u8::from(refused)))
}

/// A line, cut where it is longer than anybody would type; `None` at the end.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(AT_ONCE).read_until(b'\n', &mut bytes);
    let read = read.context("standard input cannot be read")?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// What suits things that are printed here: from a pipe plain lists, at a terminal drawings in colour,
/// unless somebody wants it plain.
pub fn manners(console: Console, plain: bool) -> Manners {
    let typed = Console::is_typed();
    let style = match typed && !plain {
        true => console.out,
        false => Style {
            colour: Colour::Off,
            ..console.out
        },
    };
    Manners::of(style, typed && !plain)
}
