//! The game at a terminal, line by line; the same from a pipe.
#![expect(clippy::disallowed_methods, reason = "reads what is typed")]

mod command;
mod desk;
mod editor;
mod line;
mod screen;

pub use desk::Desk;

use crate::faces::{
    console::{Console, paint},
    render::{Colour, visible},
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
    let mut typing = Typing::new(console.out.colour).context("the terminal cannot be used")?;
    while !desk.done {
        let (answers, known) = (desk.answers().len(), desk.completions());
        match typing
            .line(&desk.moment(), answers, known)
            .context("the terminal cannot be read")?
        {
            None => break,
            Some(line) if line == "\u{3}" => desk.line("  (`quit` leaves)"),
            Some(line) => {
                if let Err(why) = desk.take(&line) {
                    desk.line(paint(console.out.colour, "31", &format!("  {why}")));
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
    while !desk.done {
        let Some(line) = read_line(&mut input)? else { break };
        number += 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (moment, line) = (desk.moment(), visible(line));
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
    Ok(ExitCode::from(u8::from(refused)))
}

/// A line, cut where it is longer than anybody would type; `None` at the end.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(AT_ONCE).read_until(b'\n', &mut bytes);
    let read = read.context("standard input cannot be read")?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// What suits words that are printed here.
pub fn colour(console: Console) -> Colour {
    if Console::is_typed() {
        console.out.colour
    } else {
        Colour::Off
    }
}
