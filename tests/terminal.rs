//! `omerta play` at a real terminal: keys go in, and what stands on the screen is read.
//!
//! The terminal is a pseudo-terminal of the system, the screen that of a small emulator. A test waits
//! until a text stands on the screen, for as long as a slow machine may need, and no longer.

use crate::command_line::folder;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

const ENTER: &str = "\r";
const TAB: &str = "\t";
const UP: &str = "\u{1b}[A";
const RIGHT: &str = "\u{1b}[C";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

/// How long a text may take to come up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program at a terminal.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// Plays the tiny game in a folder, on a screen of so many columns.
    fn play(folder: &Path, columns: u16, args: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_omerta"));
        command.arg("play");
        command.args(args);
        command.cwd(folder);
        command.env("TERM", "xterm");
        command.env("XDG_DATA_HOME", folder.join("data"));
        for unwanted in ["NO_COLOR", "COLUMNS"] {
            command.env_remove(unwanted);
        }
        Terminal::open(command, columns)
    }

    fn open(command: CommandBuilder, columns: u16) -> Terminal {
        let lines = |number| NonZero::new(number).expect("a screen has lines and columns");
        let size = PtySize {
            rows: 50,
            cols: columns,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(lines(50), lines(columns), 0)));
        let (mut output, shown) = (pair.master.try_clone_reader().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..read]);
            }
        });
        Terminal {
            child,
            keys: pair.master.take_writer().unwrap(),
            _master: pair.master,
            screen,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn type_line(&mut self, line: &str) {
        self.press(line);
        self.press(ENTER);
    }

    fn shown(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    fn until(&self, wanted: &str, is: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is(&self.shown()) {
            assert!(
                begun.elapsed() < PATIENCE,
                "{wanted} has not come up:\n{}",
                self.shown()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    fn waits_for(&self, text: &str) {
        self.until(text, |shown| shown.contains(text));
    }

    /// The line on which is typed.
    #[track_caller]
    fn typed_line_is(&self, line: &str) {
        self.until(line, |shown| {
            shown.trim_end().lines().last().unwrap_or_default() == line
        });
    }

    #[track_caller]
    fn ends(&mut self) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{}", self.shown());
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "it goes on:\n{}", self.shown());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

const TINY: &[&str] = &["tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];

#[test]
fn a_game_opens_with_its_table_and_the_first_question() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, TINY);
    terminal.waits_for("Night 1, go>");
    insta::assert_snapshot!(terminal.shown().trim_end());
    terminal.type_line("quit");
    terminal.ends();
}

#[test]
fn tab_completes_what_is_legal_and_a_hint_shows_what_would_come() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, TINY);
    terminal.waits_for("Night 1, go>");
    terminal.press(ENTER);
    terminal.waits_for("Night 1, host, 4 options>");
    // Nothing typed: the answers, and no command.
    terminal.press(TAB);
    let names = |line: &str| line.split_whitespace().eq(["Ann", "Bob", "Cid", "Dee"]);
    terminal.until("the answers", |shown| shown.lines().any(names));
    terminal.press("B");
    terminal.typed_line_is("Night 1, host, 4 options> Bob");
    terminal.press(TAB);
    terminal.press("\u{15}bran");
    terminal.press(TAB);
    terminal.waits_for("branches");
    // The grey hint is taken with the key that goes right.
    terminal.press("\u{15}Ci");
    terminal.typed_line_is("Night 1, host, 4 options> Cid");
    terminal.press(RIGHT);
    terminal.press(ENTER);
    terminal.waits_for("Cid was bitten.");
}

#[test]
fn an_interrupt_throws_the_line_away_and_not_the_game() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, TINY);
    terminal.waits_for("Night 1, go>");
    terminal.type_line("go");
    terminal.waits_for("4 options>");
    terminal.press("Bo");
    terminal.press(CTRL_C);
    terminal.waits_for("(`quit` leaves)");
    terminal.typed_line_is("Night 1, host, 4 options>");
    terminal.type_line("Dee");
    terminal.waits_for("Dee was bitten.");
}

#[test]
fn a_session_that_was_left_is_resumed() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, TINY);
    terminal.waits_for("Night 1, go>");
    terminal.type_line("go");
    terminal.waits_for("4 options>");
    terminal.type_line("Bob");
    terminal.waits_for("Night 2, go>");
    terminal.press(CTRL_D);
    terminal.ends();
    let mut again = Terminal::play(folder.path(), 90, &["--resume"]);
    again.waits_for("as it was left");
    again.waits_for("Night 2, go>");
    // The history is that of all sessions.
    again.press(UP);
    again.typed_line_is("Night 2, go> Bob");
    again.press(CTRL_C);
    again.typed_line_is("Night 2, go>");
    again.type_line("undo");
    again.waits_for("taken back: host: Bob");
}

#[test]
fn the_rules_are_followed_while_a_line_is_typed() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, TINY);
    terminal.waits_for("Night 1, go>");
    terminal.type_line("go");
    terminal.waits_for("4 options>");
    terminal.type_line("Bob");
    terminal.waits_for("Night 2, go>");
    terminal.type_line("watch file");
    terminal.waits_for("reloads when one is written");
    terminal.typed_line_is("Night 2, go>");
    terminal.press("und");
    let rules = folder.path().join("tiny.mafia");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("was bitten.", "was gnawed at.")).unwrap();
    terminal.waits_for("now: Bob was gnawed at.");
    // What was being typed is still there.
    terminal.press("o");
    terminal.press(ENTER);
    terminal.waits_for("taken back: host: Bob");
    // Rules that are wrong leave the game as it is.
    std::fs::write(&rules, "ruleset tiny\nscript { play Nowhere }\n").unwrap();
    terminal.waits_for("the game stays as it was");
    terminal.typed_line_is("Night 1, host, 4 options>");
    terminal.type_line("Cid");
    terminal.waits_for("Cid was gnawed at.");
}

#[test]
fn an_open_bracket_goes_on_on_the_next_line() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, TINY);
    terminal.waits_for("Night 1, go>");
    terminal.type_line("print number of (players");
    terminal.type_line("without Ann)");
    terminal.waits_for("\n  3\n");
}

#[test]
fn a_screen_reader_gets_no_drawing_and_no_hint() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, &[TINY, &["--plain"]].concat());
    terminal.waits_for("Night 1, go>");
    assert!(!terminal.shown().contains('╭'), "{}", terminal.shown());
    assert!(terminal.shown().contains(" 1 Ann"), "{}", terminal.shown());
    terminal.type_line("go");
    terminal.waits_for("4 options>");
    terminal.press("B");
    terminal.typed_line_is("Night 1, host, 4 options> B");
    terminal.press("ob");
    terminal.press(ENTER);
    terminal.waits_for("Bob was bitten.");
}

#[test]
fn a_narrow_terminal_gets_a_list() {
    let folder = folder();
    let terminal = Terminal::play(folder.path(), 24, TINY);
    terminal.waits_for("Night 1, go>");
    assert!(!terminal.shown().contains('╭'), "{}", terminal.shown());
}

#[test]
fn colours_can_be_done_without() {
    let folder = folder();
    let bytes = |no_color: &str| {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_omerta"));
        command.args([&["play"], TINY].concat());
        command.cwd(folder.path());
        command.env("TERM", "xterm");
        command.env("XDG_DATA_HOME", folder.path().join("data"));
        command.env("NO_COLOR", no_color);
        let terminal = Terminal::open(command, 90);
        terminal.waits_for("Night 1, go>");
        let screen = terminal.screen.lock().unwrap();
        let cells = (0..50).flat_map(|row| (0..90).map(move |column| (row, column)));
        let coloured = |(row, column): (u16, u16)| {
            let cell = screen.screen().cell(row, column).expect("a cell of the screen");
            cell.fgcolor() != vt100::Color::Default
        };
        cells.filter(|place| coloured(*place)).count()
    };
    assert!(bytes("") > 0);
    assert_eq!(bytes("1"), 0);
}
