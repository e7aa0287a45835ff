//! The game at a terminal, line by line; the same from a pipe.
#![expect(
    clippy::disallowed_methods,
    reason = "reads what is typed, and looks at files by the clock"
)]

mod clock;
mod command;
mod desk;
mod editor;
mod export;
mod given;
mod halt;
mod inspect;
mod left;
mod line;
mod meddle;
mod narrate;
mod odds;
mod places;
mod reload;
mod screen;
mod source;
mod table;
mod walk;
mod why_not;

pub use command::keep::take_up;
pub use desk::Desk;
pub use left::{listed as sessions, take as left};

use crate::faces::{
    console::{Console, paint},
    render::{Colour, Style, visible},
    terminal::{self, wrapped},
};
use anyhow::{Context, Result};
use clock::Clock;
use command::{keep, rows::GROUPS};
use desk::{Commands, Manners, Opener, Outfit};
use editor::Typing;
use omerta_engine::{Domain, Pending};
use std::{
    io::{self, BufRead, Read},
    process::ExitCode,
    sync::{Arc, Mutex},
    time::Duration,
};

/// So much of a line is read from a pipe at once.
const AT_ONCE: u64 = 1 << 16;
/// How often files that are watched are looked at.
const LOOKING: Duration = Duration::from_millis(300);
/// The longest line that can mean anything: a text of so many letters as may be asked for, of four bytes each, and for whom.
const LONGEST: usize = 5_000;

/// Plays until the host leaves.
pub fn play(mut desk: Desk, welcome: &str, console: Console) -> Result<ExitCode> {
    if Console::is_typed()
        && let Some(width) = terminal::width()
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

/// Prints what there is to say; on a screen in lines that fit it.
fn flush(desk: &mut Desk, console: Console) -> Result<()> {
    let text = std::mem::take(&mut desk.out);
    match Console::is_typed() {
        true => console.say(&wrapped(&text, desk.manners.width)),
        false => console.say(&text),
    }
}

/// What is watched while a line is being typed; the desk is held only while a line is carried out.
type Shared = Arc<Mutex<Desk>>;

const UNBROKEN: &str = "whoever holds the desk does not panic";

fn typed(desk: Desk, console: Console) -> Result<ExitCode> {
    halt::listen();
    let mut typing = Typing::new(desk.manners, desk.commands).context("the terminal cannot be used")?;
    let shared: Shared = Arc::new(Mutex::new(desk));
    let mut watcher = false;
    let mut counted = None;
    // It runs on while the host only looks at something.
    let mut _clock: Option<Clock> = None;
    loop {
        let (moment, understood) = {
            let mut desk = shared.lock().expect(UNBROKEN);
            if desk.done {
                break;
            }
            if let Some(width) = typing.width() {
                desk.manners.width = width;
            }
            let place = desk.place_in_game();
            if counted.as_ref() != Some(&place) {
                counted = Some(place);
                _clock = match desk.game().pending() {
                    Pending::Ask(asked) => asked.limit.and_then(|limit| {
                        Some(Clock::start(limit, asked.domain == Domain::Go, typing.printer()?))
                    }),
                    _ => None,
                };
            }
            (desk.moment(), desk.understood())
        };
        let line = typing
            .line(&moment, understood)
            .context("the terminal cannot be read")?;
        let Some(line) = line else { break };
        let mut desk = shared.lock().expect(UNBROKEN);
        // The terminal may have another size than when the line was begun.
        if let Some(width) = typing.width() {
            desk.manners.width = width;
        }
        let colour = desk.manners.colour;
        match line.as_str() {
            "\u{3}" => desk.line("  (`quit` leaves)"),
            "\u{fffd}" => desk.line("  what was typed is no text in UTF-8, and is thrown away"),
            line => {
                let before = desk.place_in_game();
                if let Err(why) = halt::running(|| desk.take_block(line)) {
                    desk.line(paint(colour, "31", &format!("  {why}")));
                }
                // Whoever only looked in leaves no session for another one's.
                if desk.place_in_game() != before {
                    keep::leave(&mut desk);
                }
            }
        }
        flush(&mut desk, console)?;
        if desk.following.is_some() && !watcher {
            watcher = true;
            watch(typing.printer(), shared.clone());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Looks every now and then whether the rules were written anew, and tells it above the line that is
/// being typed.
fn watch(printer: Option<editor::Printer>, desk: Shared) {
    let Some(mut printer) = printer else { return };
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOKING);
            let Ok(mut desk) = desk.lock() else { return };
            if desk.done {
                return;
            }
            let before = desk.hosted.session.cursor();
            if desk.follow() {
                if desk.hosted.session.cursor() != before {
                    desk.tell_pending();
                }
                let text = wrapped(&std::mem::take(&mut desk.out), desk.manners.width);
                drop(desk);
                if printer.print(text).is_err() {
                    return;
                }
            }
        }
    });
}

/// Lines from a pipe or a file: each is shown with what came of it. One that is refused is told on
/// the other stream and in the exit code; the next is taken all the same.
fn piped(mut desk: Desk, console: Console) -> Result<ExitCode> {
    let mut input = io::stdin().lock();
    let mut refused = false;
    let mut number = 0_usize;
    let mut open = String::new();
    while !desk.done {
        let Some(bytes) = read_line(&mut input)? else {
            break;
        };
        number += 1;
        let line = match std::str::from_utf8(&bytes) {
            Ok(line) => line,
            Err(broken) => {
                refused = true;
                open.clear();
                let at = broken.valid_up_to() + 1;
                console.complain(&format!(
                    "line {number}: byte {at} is no letter: the input has to be plain text in UTF-8"
                ));
                continue;
            }
        };
        // What some editors put before the first letter of a file.
        let line = line
            .strip_prefix('\u{feff}')
            .filter(|_| number == 1)
            .unwrap_or(line);
        let line = line.trim();
        if open.is_empty() && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        open.push_str(line);
        if open.len() <= LONGEST && desk.commands.is_unfinished(&open) {
            open.push(' ');
            continue;
        }
        let line = std::mem::take(&mut open);
        let moment = desk.moment();
        let done = if line.len() > LONGEST {
            Err(format!(
                "a line of {} bytes is longer than anything that could be meant",
                line.len()
            ))
        } else {
            desk.line(format!("\n{moment}> {}", visible(&line)));
            desk.take(&line)
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
    let broke = matches!(desk.game().pending(), Pending::Broken(_));
    Ok(ExitCode::from(u8::from(refused || broke)))
}

/// A line; where it is longer than anybody would type, its beginning, and the rest is passed over. `None` at the end.
fn read_line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(AT_ONCE).read_until(b'\n', &mut bytes);
    let read = read.context("standard input cannot be read")?;
    if read as u64 == AT_ONCE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n').context("standard input cannot be read")?;
    }
    Ok((read > 0).then_some(bytes))
}

/// What a desk is laid with: from a pipe plain lists, at a terminal drawings in colour, unless somebody
/// wants it plain.
pub fn outfit(console: Console, plain: bool, opener: Opener) -> Outfit {
    let typed = Console::is_typed();
    let style = match typed && !plain {
        true => console.out,
        false => Style {
            colour: Colour::Off,
            ..console.out
        },
    };
    Outfit {
        manners: Manners::of(style, typed && !plain),
        commands: Commands(GROUPS),
        opener,
    }
}
