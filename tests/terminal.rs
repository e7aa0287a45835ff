//! `omerta play` at a real terminal: keys go in, and what stands on the screen is read.
//!
//! The terminal is a pseudo-terminal of the system, the screen that of a small emulator. A test waits
//! until a text stands on the screen, for as long as a slow machine may need, and no longer.

use crate::program::{FROM_OUTSIDE, folder, omerta, run};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::{
    io::{Read, Write},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// How many lines the screen has.
const LINES: u16 = 50;

pub(crate) const ENTER: &str = "\r";
pub(crate) const TAB: &str = "\t";
pub(crate) const UP: &str = "\u{1b}[A";
pub(crate) const RIGHT: &str = "\u{1b}[C";
/// Throws away what is typed.
const CTRL_U: &str = "\u{15}";
/// Wipes the screen.
const CTRL_L: &str = "\u{c}";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

/// How long a text may take to come up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program at a terminal.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    pub(crate) screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// Plays in a folder, on a screen of so many columns.
    pub(crate) fn play(folder: &Path, columns: u16, args: &[&str]) -> Terminal {
        Terminal::play_on(folder, (LINES, columns), args)
    }

    /// The same on a screen of so many lines, too.
    pub(crate) fn play_on(folder: &Path, size: (u16, u16), args: &[&str]) -> Terminal {
        Terminal::play_as("xterm", folder, size, args)
    }

    /// The same at a terminal of that sort.
    fn play_as(term: &str, folder: &Path, size: (u16, u16), args: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_omerta"));
        command.arg("play");
        command.args(args);
        command.cwd(folder);
        command.env("TERM", term);
        command.env("XDG_DATA_HOME", folder.join("data"));
        for unwanted in FROM_OUTSIDE {
            command.env_remove(unwanted);
        }
        Terminal::open(command, size)
    }

    fn open(command: CommandBuilder, (rows, columns): (u16, u16)) -> Terminal {
        let many = |number| NonZero::new(number).expect("a screen has lines and columns");
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(many(rows), many(columns), 0)));
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
            master: pair.master,
            screen,
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        self.press(line);
        self.press(ENTER);
    }

    /// Makes the screen so many columns wide.
    fn resize(&mut self, columns: u16) {
        let size = PtySize {
            rows: LINES,
            cols: columns,
            ..PtySize::default()
        };
        self.master.resize(size).unwrap();
        let many = |number| NonZero::new(number).expect("a screen has lines and columns");
        self.screen
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(many(LINES), many(columns));
    }

    pub(crate) fn shown(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn until(&self, wanted: &str, is: impl Fn(&str) -> bool) {
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
    pub(crate) fn waits_for(&self, text: &str) {
        self.until(text, |shown| shown.contains(text));
    }

    /// The line on which is typed.
    #[track_caller]
    pub(crate) fn typed_line_is(&self, line: &str) {
        self.until(line, |shown| {
            shown.trim_end().lines().last().unwrap_or_default() == line
        });
    }

    /// What of the last line stands out behind the prompt: in bold, or in the colour of an answer.
    fn marked(&self) -> (String, String) {
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        let (row, _) = screen.cursor_position();
        let cells = (0..screen.size().1.get()).filter_map(|column| screen.cell(row, column));
        let (mut bold, mut answer) = (String::new(), String::new());
        for cell in cells.skip_while(|cell| cell.contents() != ">") {
            if cell.fgcolor() == vt100::Color::Idx(6) {
                answer.push_str(cell.contents());
            } else if cell.bold() && cell.contents() != ">" {
                bold.push_str(cell.contents());
            }
        }
        (bold.trim().to_owned(), answer.trim().to_owned())
    }

    #[track_caller]
    pub(crate) fn ends(&mut self) {
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

// ---- Places in the tiny game

/// The tiny game at its first prompt.
#[track_caller]
fn opened(folder: &Path, columns: u16) -> Terminal {
    let terminal = Terminal::play(folder, columns, TINY);
    terminal.waits_for("Night 1, go>");
    terminal
}

/// The same at its first choice.
#[track_caller]
fn at_the_first_choice(folder: &Path) -> Terminal {
    let mut terminal = opened(folder, 90);
    terminal.press(ENTER);
    terminal.typed_line_is("Night 1, host, 4 options>");
    terminal
}

/// The same in its second night; Bob was bitten in the first.
#[track_caller]
fn at_the_second_night(folder: &Path) -> Terminal {
    let mut terminal = at_the_first_choice(folder);
    terminal.type_line("Bob");
    terminal.typed_line_is("Night 2, go>");
    terminal
}

// ---- Opening

#[test]
fn a_game_opens_with_its_table_and_the_first_question() {
    let folder = folder();
    let mut terminal = opened(folder.path(), 90);
    insta::assert_snapshot!(terminal.shown().trim_end());
    terminal.type_line("quit");
    terminal.ends();
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
    terminal.type_line("view Ann");
    terminal.waits_for("What Ann has seen lie on the table:\n  1 Ann  a wolf");
}

#[test]
fn a_view_is_a_table_with_what_was_seen_and_nothing_else() {
    let folder = folder();
    let mut terminal = opened(folder.path(), 90);
    terminal.type_line("view Cid");
    terminal.waits_for("What Cid alone, or with some others, knows:");
    let shown = terminal.shown();
    let (_, view) = shown.split_once("What Cid has seen lie on the table:").unwrap();
    let (table, _) = view.split_once("What Cid alone").unwrap();
    assert!(
        table.contains('╭') && table.contains("1 Ann") && !table.contains("a wolf"),
        "{table}"
    );
    assert_eq!(table.matches("a sheep").count(), 1, "{table}");
}

#[test]
fn a_narrow_terminal_gets_a_list() {
    let folder = folder();
    let terminal = opened(folder.path(), 24);
    // Lines are broken between words.
    terminal.waits_for("You are the host and\nanswer for everybody: a\nname, a number, `pass`.\n");
    assert!(!terminal.shown().contains('╭'), "{}", terminal.shown());
}

#[test]
fn a_terminal_that_was_made_narrow_gets_a_list_at_once() {
    let folder = folder();
    let mut terminal = opened(folder.path(), 110);
    terminal.waits_for("╭");
    terminal.resize(24);
    terminal.press(CTRL_L);
    terminal.until("an empty screen", |shown| !shown.contains('╭'));
    terminal.type_line("table");
    terminal.waits_for("4 Dee");
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
        let terminal = Terminal::open(command, (LINES, 90));
        terminal.waits_for("Night 1, go>");
        let screen = terminal.screen.lock().unwrap();
        let cells = (0..LINES).flat_map(|row| (0..90).map(move |column| (row, column)));
        let coloured = |(row, column): (u16, u16)| {
            let cell = screen.screen().cell(row, column).expect("a cell of the screen");
            cell.fgcolor() != vt100::Color::Default
        };
        cells.filter(|place| coloured(*place)).count()
    };
    assert!(bytes("") > 0);
    assert_eq!(bytes("1"), 0);
}

/// Each stream has its own colours: what is talked of at a terminal has some though the result goes into a file, and none
/// in a file though the result is seen.
#[test]
fn a_stream_that_is_no_terminal_has_no_colours_and_the_other_has_its_own() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_omerta");
    let seen = |words: &str, file: &str, waits_for: &str| {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", &format!("'{program}' {words}; echo; echo done")]);
        command.cwd(folder.path());
        command.env("TERM", "xterm");
        for unwanted in FROM_OUTSIDE {
            command.env_remove(unwanted);
        }
        let mut terminal = Terminal::open(command, (LINES, 90));
        terminal.waits_for(waits_for);
        terminal.waits_for("\ndone");
        terminal.ends();
        let screen = terminal.screen.lock().unwrap();
        let cells = (0..LINES).flat_map(|row| (0..90).map(move |column| (row, column)));
        let is_coloured = |(row, column): (u16, u16)| {
            let cell = screen.screen().cell(row, column).expect("a cell of the screen");
            cell.fgcolor() != vt100::Color::Default
        };
        let coloured = cells.into_iter().any(is_coloured);
        let kept = std::fs::read_to_string(folder.path().join(file)).unwrap();
        (coloured, kept.contains('\u{1b}'), kept)
    };
    for (words, file, waits_for, wanted) in [
        ("new tiny.mafia > a.txt", "a.txt", "is a file", true),
        ("check none.mafia > b.txt", "b.txt", "error: ", true),
        ("list > c.txt", "c.txt", "done", false),
        ("list 2> d.txt", "d.txt", "Libraries", true),
    ] {
        let (coloured, in_file, kept) = seen(words, file, waits_for);
        assert_eq!((coloured, in_file), (wanted, false), "{words}: {kept}");
    }
    // Its complaint is plain where it is kept, though the result would be seen in colours.
    let (_, in_file, kept) = seen("new tiny.mafia 2> e.txt", "e.txt", "done");
    assert!(
        !in_file && kept.starts_with("error: `tiny.mafia` is a file"),
        "{kept}"
    );
}

/// Of rules that were written otherwise meanwhile the first place is told where the game is another, and not a later one.
#[test]
fn under_other_rules_the_first_difference_is_told() {
    let folder = folder();
    let mut terminal = at_the_second_night(folder.path());
    terminal.press(ENTER);
    terminal.typed_line_is("Night 2, host, 3 options>");
    terminal.type_line("Cid");
    terminal.typed_line_is("Night 3, go>");
    terminal.type_line("reload");
    terminal.waits_for("nothing in the game has changed");
    let path = folder.path().join("tiny.mafia");
    let rules = std::fs::read_to_string(&path).unwrap();
    let gone = rules.replace("{prey} was bitten.", "{prey} is gone.");
    assert_ne!(gone, rules);
    std::fs::write(&path, gone).unwrap();
    terminal.type_line("reload");
    terminal.waits_for("was: Bob was bitten.");
    terminal.waits_for("now: Bob is gone.");
    assert!(
        !terminal.shown().contains("now: Cid is gone."),
        "{}",
        terminal.shown()
    );
    std::fs::write(&path, rules.replace("Everybody sleeps.", "All sleep.")).unwrap();
    terminal.type_line("reload");
    terminal.waits_for("now: All sleep.");
}

// ---- Typing

#[test]
fn tab_completes_what_is_legal_and_a_hint_shows_what_would_come() {
    let folder = folder();
    let mut terminal = at_the_first_choice(folder.path());
    // Nothing typed: the answers, and no command.
    terminal.press(TAB);
    let names = |line: &str| line.split_whitespace().eq(["Ann", "Bob", "Cid", "Dee"]);
    terminal.until("the answers", |shown| shown.lines().any(names));
    terminal.press("B");
    terminal.typed_line_is("Night 1, host, 4 options> Bob");
    // The grey hint is taken with the key that goes right.
    terminal.press("\u{15}Ci");
    terminal.typed_line_is("Night 1, host, 4 options> Cid");
    // It hangs on the end of the line: whoever types before that sees none.
    terminal.press("\u{15}i\u{1}C");
    terminal.typed_line_is("Night 1, host, 4 options> Ci");
    terminal.press("\u{5}\u{15}Ci");
    terminal.typed_line_is("Night 1, host, 4 options> Cid");
    terminal.press(RIGHT);
    terminal.press(ENTER);
    terminal.waits_for("Cid was bitten.");
}

#[test]
fn a_completion_stands_beside_what_it_does() {
    let folder = folder();
    let mut terminal = at_the_first_choice(folder.path());
    terminal.press("wat");
    terminal.press(TAB);
    terminal.press("\u{15}re");
    terminal.press(TAB);
    terminal.waits_for("redo     give again what was taken back");
    terminal.waits_for("reload   read the rules again");
    terminal.press("\u{15}Ann does ");
    terminal.press(TAB);
    terminal.typed_line_is("Night 1, host, 4 options> Ann does growl-at");
    // Behind who answers stands what he may say, and behind `by hand` all that is done so.
    terminal.press("\u{15}host -> B");
    terminal.press(TAB);
    terminal.typed_line_is("Night 1, host, 4 options> host -> Bob");
    // Of several the same is told behind whatever stands before them, in any letters.
    let rules = std::fs::read_to_string(folder.path().join("tiny.mafia")).unwrap();
    let louder = rules.replace(
        "script {",
        "link bond\nflag storm\nallow living to growl \"Growl at all\" during Night { say \"Grr.\" }\nscript {",
    );
    std::fs::write(folder.path().join("louder.mafia"), louder).unwrap();
    let args = [&["louder.mafia"], &TINY[1..]].concat();
    let mut louder = Terminal::play(folder.path(), 60, &args);
    louder.waits_for("Night 1, go>");
    louder.press("ann DOES ");
    louder.press(TAB);
    louder.waits_for("growl-at   Growl ");
    louder.waits_for("growl      Growl at all");
    for (typed, whole) in [
        ("by hand link Ann to Bob as ", "bond"),
        ("by hand unlink Ann as ", "bond"),
        ("by hand set storm to y", "es"),
    ] {
        louder.press(CTRL_U);
        louder.press(typed);
        louder.press(TAB);
        louder.typed_line_is(&format!("Night 1, go> {typed}{whole}"));
    }
    // What would not fit beside its word is cut.
    louder.press(CTRL_U);
    louder.press("wh");
    louder.press(TAB);
    louder.waits_for("who    who is asked now, who would be next after which a\n");
    // A narrow screen has room for the names alone.
    let mut narrow = opened(folder.path(), 40);
    narrow.press("re");
    narrow.press(TAB);
    narrow.waits_for("redo");
    narrow.waits_for("reload");
    assert!(!narrow.shown().contains("give again"), "{}", narrow.shown());
}

#[test]
fn behind_commands_that_name_a_file_files_are_completed() {
    let folder = folder();
    std::fs::write(folder.path().join("kept.game"), "").unwrap();
    let mut terminal = opened(folder.path(), 90);
    for command in ["save", "load", "export"] {
        terminal.press(&format!("{command} ke"));
        terminal.press(TAB);
        terminal.typed_line_is(&format!("Night 1, go> {command} kept.game"));
        terminal.press(CTRL_U);
    }
}

/// The name of a command is bold and an answer has the colour of its number, in whatever letters and with blanks around.
#[test]
fn a_line_has_the_colours_of_what_it_means() {
    let folder = folder();
    let mut terminal = at_the_first_choice(folder.path());
    for (typed, bold, answer) in [
        ("Bob", "", "Bob"),
        ("bOB ", "", "bOB"),
        ("seats", "seats", ""),
        ("seats  ", "seats", ""),
        ("print 1  ", "print", ""),
        (":why not Bob", ":why not", ""),
        ("nothing of this", "", ""),
    ] {
        terminal.press(typed);
        terminal.typed_line_is(format!("Night 1, host, 4 options> {typed}").trim_end());
        let wanted = (bold.to_owned(), answer.to_owned());
        terminal.until(&format!("{typed}: {wanted:?}"), |_| terminal.marked() == wanted);
        terminal.press(CTRL_U);
    }
}

#[test]
fn a_long_list_of_completions_is_asked_for_first() {
    let folder = folder();
    let rules = std::fs::read_to_string(folder.path().join("tiny.mafia")).unwrap();
    let many = rules.replace("players 3..6", "players 60");
    std::fs::write(folder.path().join("many.mafia"), many).unwrap();
    let mut terminal = Terminal::play(folder.path(), 80, &["many.mafia", "--seed", "4"]);
    terminal.waits_for("Night 1, go>");
    terminal.press("\rprint ");
    terminal.press(TAB);
    terminal.waits_for("possibilities? (y or n)");
    terminal.press("n\u{15}");
    // The answers of a question to sixty fit on the screen.
    terminal.typed_line_is("Night 1, host, 60 options>");
    terminal.press(TAB);
    terminal.until("sixty names in columns", |shown| {
        let columns = shown.lines().rev().skip(1).take(10);
        columns.filter(|line| line.split_whitespace().count() > 3).count() >= 5
    });
}

#[test]
fn a_block_is_one_entry_of_the_history() {
    let folder = folder();
    let mut terminal = opened(folder.path(), 90);
    terminal.type_line("print number of (players");
    terminal.type_line("without Ann)");
    terminal.waits_for("\n  3\n");
    terminal.type_line("seats");
    terminal.waits_for("   4 Dee  a sheep\n");
    terminal.press(UP);
    terminal.typed_line_is("Night 1, go> seats");
    terminal.press(UP);
    terminal.until("the whole block", |shown| {
        let mut last = shown.trim_end().lines().rev();
        last.next() == Some("without Ann)") && last.next() == Some("Night 1, go> print number of (players")
    });
    terminal.press(ENTER);
    terminal.until("its value again", |shown| shown.matches("\n  3\n").count() == 2);
}

#[test]
fn a_line_behind_a_space_is_taken_and_not_remembered_nor_is_one_twice() {
    let folder = folder();
    let mut terminal = opened(folder.path(), 90);
    terminal.type_line("seats");
    terminal.waits_for("   4 Dee  a sheep\n");
    for line in [
        "print number of players",
        "print number of players",
        " print 1 + 1",
    ] {
        terminal.type_line(line);
    }
    terminal.waits_for("\n  2\n");
    terminal.press(UP);
    terminal.typed_line_is("Night 1, go> print number of players");
    terminal.press(UP);
    terminal.typed_line_is("Night 1, go> seats");
}

/// A second of each: what is told is when the time is at one of its marks, and nothing before or behind.
#[test]
fn how_much_time_is_left_is_told_above_the_line_that_is_typed() {
    let folder = folder();
    let rules = crate::program::TINY.replace(
        "  wait \"Everybody sleeps.\"\n  ask host for prey from living \"Who is bitten?\"\n",
        "  wait 1 second \"Everybody sleeps.\"\n  \
         ask seat 1 for prey from living or nobody \"Who is bitten?\" within 31 seconds\n",
    );
    crate::program::write(folder.path(), "timed.mafia", &rules);
    let args = ["timed.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
    let mut terminal = Terminal::play(folder.path(), 90, &args);
    terminal.waits_for("  the time is up: `go`\n");
    terminal.type_line("go");
    terminal.waits_for("  30 seconds left\n");
    // What is answered stops its clock; one that begins in time for a mark does not tell it.
    terminal.type_line("Bob");
    terminal.waits_for("Bob was bitten.");
    terminal.until("the time of the second night", |shown| {
        shown.matches("the time is up").count() == 2
    });
    assert_eq!(
        terminal.shown().matches(" left\n").count(),
        1,
        "{}",
        terminal.shown()
    );
}

#[test]
fn what_is_typed_ahead_and_what_is_pasted_is_taken_line_by_line() {
    let folder = folder();
    let mut terminal = opened(folder.path(), 90);
    terminal.press("go\rBob\rgo\rCi");
    terminal.typed_line_is("Night 2, host, 3 options> Cid");
    terminal.press("\u{15}\u{1b}[200~Cid\rprint number of (players\rwithout Ann)\rgo\u{1b}[201~");
    terminal.press(ENTER);
    terminal.typed_line_is("Night 3, host, 2 options>");
    assert!(terminal.shown().contains("\n  3\n"), "{}", terminal.shown());
    // One that is refused ends the block.
    terminal.press("\u{1b}[200~Zed\rAnn\u{1b}[201~\r");
    terminal.waits_for("`Zed` is no answer");
    terminal.typed_line_is("Night 3, host, 2 options>");
}

#[test]
fn an_interrupt_throws_the_line_away_and_not_the_game() {
    let folder = folder();
    let mut terminal = at_the_first_choice(folder.path());
    terminal.press("Bo");
    terminal.press(CTRL_C);
    terminal.waits_for("(`quit` leaves)");
    terminal.typed_line_is("Night 1, host, 4 options>");
    terminal.type_line("Dee");
    terminal.waits_for("Dee was bitten.");
}

/// A mistake is drawn as wide as the terminal is, and cut nowhere.
#[test]
fn a_mistake_fits_a_narrow_terminal() {
    let folder = folder();
    let terminal = Terminal::play(folder.path(), 60, &["town", "--with", "drug-addict"]);
    terminal.waits_for("no-leader,extra-hand");
}

/// Where no line can be edited the game stays as well; whoever presses twice has had enough.
#[test]
fn an_interrupt_at_a_terminal_without_editing_throws_the_line_away() {
    let folder = folder();
    let mut terminal = Terminal::play_as("dumb", folder.path(), (LINES, 90), TINY);
    terminal.waits_for("Night 1, go>");
    terminal.press("nothing like it");
    terminal.press(CTRL_C);
    terminal.type_line("go");
    terminal.waits_for("Night 1, host, 4 options>");
    // Two that come at once are one.
    let begun = Instant::now();
    let code = loop {
        terminal.press(CTRL_C);
        std::thread::sleep(Duration::from_millis(100));
        if let Some(code) = terminal.child.try_wait().unwrap() {
            break code;
        }
        assert!(begun.elapsed() < PATIENCE, "{}", terminal.shown());
    };
    assert!(!code.success());
}

// ---- Leaving, and coming back

#[test]
fn an_interrupt_ends_what_takes_long_and_goes_back_to_the_prompt() {
    let folder = folder();
    let mut terminal = Terminal::play(folder.path(), 90, &["town", "--players", "10", "--seed", "1"]);
    terminal.waits_for("> ");
    terminal.type_line("to day 2");
    terminal.waits_for("Day 2, go>");
    for (times, line) in ["worlds 1", "odds"].into_iter().enumerate() {
        terminal.type_line(line);
        std::thread::sleep(Duration::from_millis(150));
        terminal.press(CTRL_C);
        terminal.until("stopped", |shown| shown.matches("  stopped\n").count() > times);
    }
    terminal.type_line("open city");
    terminal.waits_for("City Mafia");
    terminal.type_line("rest pass");
    terminal.waits_for("as little as they may");
    terminal.type_line("end");
    std::thread::sleep(Duration::from_millis(150));
    terminal.press(CTRL_C);
    // A quick machine has come to where a game may grow no further.
    terminal.until("stopped after", |shown| {
        shown.contains("stopped after") || shown.contains("nothing more of it can be kept")
    });
}

#[test]
fn a_session_that_was_left_is_resumed() {
    let folder = folder();
    let mut terminal = at_the_second_night(folder.path());
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
    again.waits_for("taken back: the host: Bob");
}

/// A folder that is called like a bundled game is no game, in which `new` lays one, for example.
#[test]
fn a_session_of_a_bundled_game_is_resumed_beside_a_folder_of_its_name() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("city")).unwrap();
    let mut terminal = Terminal::play(folder.path(), 90, &["city", "--seed", "7"]);
    terminal.waits_for("Meeting 1, go>");
    terminal.type_line("go");
    terminal.waits_for("Day 1, go>");
    terminal.press(CTRL_D);
    terminal.ends();
    let again = Terminal::play(folder.path(), 90, &["--resume"]);
    again.waits_for("as it was left");
    again.waits_for("Day 1, go>");
}

/// Of a session whose answers no longer fit the rules all the same nothing is lost: it lies aside, and is there again
/// with the rules that it was played under.
#[test]
fn a_session_that_no_longer_fits_its_rules_is_laid_aside_whole() {
    let folder = folder();
    let rules = folder.path().join("tiny.mafia");
    let text = std::fs::read_to_string(&rules).unwrap();
    let mut terminal = at_the_second_night(folder.path());
    terminal.press(CTRL_D);
    terminal.ends();
    let other = text.replace(
        "ask host for prey from living ",
        "ask host for prey from living Wolf ",
    );
    std::fs::write(&rules, other).unwrap();
    let mut changed = Terminal::play(folder.path(), 90, &["--resume"]);
    changed.waits_for("fit the rules as they are now");
    changed.waits_for("laid aside as game 1");
    changed.typed_line_is("Night 1, host, 1 option>");
    // Taken up under rules that it does not fit, it goes on lying there.
    changed.type_line("games 1");
    changed.type_line("log");
    changed.press(CTRL_D);
    changed.ends();
    std::fs::write(&rules, &text).unwrap();
    let mut again = Terminal::play(folder.path(), 90, &["--resume"]);
    again.waits_for("as it was left");
    again.type_line("games 1");
    again.typed_line_is("Night 2, go>");
}

/// The files in which sessions keep themselves, without the locks of those that are played.
fn sessions(folder: &Path) -> Vec<PathBuf> {
    omerta_workbench::files::below(&folder.join("data/omerta/sessions"), "game")
}

#[test]
fn a_session_that_cannot_be_read_is_named_and_kept() {
    let folder = folder();
    let mut terminal = at_the_second_night(folder.path());
    terminal.press(CTRL_D);
    terminal.ends();
    let [kept] = &sessions(folder.path())[..] else {
        panic!("one session was left")
    };
    let text = std::fs::read_to_string(kept).unwrap();
    let damaged = text.replacen("\"seed\": ", "\"seed\": 7", 1);
    assert_ne!(damaged, text);
    std::fs::write(kept, &damaged).unwrap();
    let again = Terminal::play(folder.path(), 90, &["--resume"]);
    again.waits_for("was changed since it was kept");
    let mut other = at_the_second_night(folder.path());
    other.press(CTRL_D);
    other.ends();
    assert_eq!(sessions(folder.path()).len(), 2);
    assert_eq!(std::fs::read_to_string(kept).unwrap(), damaged);
    let list = Terminal::play(folder.path(), 120, &["--sessions"]);
    list.waits_for("was changed since it was kept");
}

#[test]
fn sessions_are_kept_one_by_one_and_listed_with_their_dates() {
    let folder = folder();
    let mut first = at_the_second_night(folder.path());
    let mut second = at_the_first_choice(folder.path());
    second.type_line("Cid");
    second.waits_for("Cid was bitten.");
    let list = Terminal::play(folder.path(), 120, &["--sessions"]);
    list.waits_for("tiny.mafia, 4 players, ");
    list.waits_for(" UTC  ");
    list.waits_for("being played");
    // Both are played: there is none to go on with.
    let none = Terminal::play(folder.path(), 90, &["--resume"]);
    none.waits_for("all sessions that were left are being played");
    for terminal in [&mut first, &mut second] {
        terminal.press(CTRL_D);
        terminal.ends();
    }
    // Without a number it is the last, that nobody plays.
    let mut last = Terminal::play(folder.path(), 90, &["--resume"]);
    last.waits_for("as it was left");
    let taken = Terminal::play(folder.path(), 90, &["--resume", "1"]);
    taken.waits_for("is in use by another `omerta`");
    let other = Terminal::play(folder.path(), 90, &["--resume", "2"]);
    other.waits_for("as it was left");
    last.press(CTRL_D);
    last.ends();
    let unknown = Terminal::play(folder.path(), 90, &["--resume", "9"]);
    unknown.waits_for("there is no session 9");
}

/// The session of somebody who left at the second night.
fn left_at_the_second_night(folder: &Path) -> PathBuf {
    let mut terminal = at_the_second_night(folder);
    terminal.press(CTRL_D);
    terminal.ends();
    sessions(folder).remove(0)
}

/// Leaves a session once more, as if so many seconds after the clock of computers began.
fn leave_a_copy(kept: &Path, name: &str, at: u64) -> PathBuf {
    let copy = kept.with_file_name(format!("{name}.game"));
    std::fs::copy(kept, &copy).unwrap();
    let file = std::fs::File::options().write(true).open(&copy).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(at))
        .unwrap();
    copy
}

/// Fifty are kept, with the one that begins. The oldest go for it, and of those none that cannot be read.
#[test]
fn of_many_sessions_the_oldest_that_can_be_read_go() {
    let folder = folder();
    let kept = left_at_the_second_night(folder.path());
    let copies: Vec<PathBuf> = (0..52)
        .map(|number| leave_a_copy(&kept, &format!("copy-{number}"), 1_000 + number))
        .collect();
    std::fs::remove_file(&kept).unwrap();
    std::fs::write(&copies[1], "not to be read").unwrap();
    let file = std::fs::File::options().write(true).open(&copies[1]).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    let mut terminal = at_the_first_choice(folder.path());
    terminal.press(CTRL_D);
    terminal.ends();
    let left: Vec<usize> = (0..52).filter(|number| copies[*number].exists()).collect();
    let wanted: Vec<usize> = [1].into_iter().chain(3..52).collect();
    assert_eq!(left, wanted);
    assert_eq!(sessions(folder.path()).len(), wanted.len() + 1);
}

/// The first day and the last of years and of months, with the day that only leap years have.
#[test]
fn sessions_have_the_dates_of_the_calendar_and_the_last_comes_first() {
    let folder = folder();
    let kept = left_at_the_second_night(folder.path());
    let days = [
        (0, "1970-01-01"),
        (58, "1970-02-28"),
        (59, "1970-03-01"),
        (364, "1970-12-31"),
        (365, "1971-01-01"),
        (789, "1972-02-29"),
        (790, "1972-03-01"),
        (11_016, "2000-02-29"),
        (20_572, "2026-04-29"),
        (20_818, "2026-12-31"),
        (47_540, "2100-02-28"),
        (47_541, "2100-03-01"),
    ];
    for (day, date) in days {
        leave_a_copy(&kept, date, day * 86_400 + 23 * 3_600 + 7 * 60 + 59);
    }
    std::fs::remove_file(&kept).unwrap();
    let done = run(
        omerta(folder.path())
            .args(["play", "--sessions"])
            .env("XDG_DATA_HOME", folder.path().join("data")),
        b"",
    );
    let line = |(at, (_, date)): (usize, &(u64, &str))| {
        format!("{at:>3}  {date} 23:07 UTC  tiny.mafia, 4 players, 6 answers\n")
    };
    let wanted: String = (1..).zip(days.iter().rev()).map(line).collect();
    let folder = format!("{}/", folder.path().display());
    assert_eq!(done.told().replace(&folder, ""), wanted);
}

#[test]
fn a_byte_that_is_no_letter_ends_no_prompt() {
    let folder = folder();
    let mut terminal = at_the_first_choice(folder.path());
    terminal.keys.write_all(b"M\xfcller").unwrap();
    terminal.press(ENTER);
    terminal.waits_for("is no text in UTF-8");
    terminal.press(CTRL_U);
    terminal.type_line("Bob");
    terminal.typed_line_is("Night 2, go>");
    terminal.press(CTRL_D);
    terminal.ends();
}

#[test]
fn a_game_that_is_open_at_two_prompts_is_kept_by_one_of_them() {
    let folder = folder();
    let mut first = at_the_second_night(folder.path());
    first.type_line("save a.game");
    first.waits_for("kept in `a.game`");
    let mut second = at_the_first_choice(folder.path());
    second.type_line("save a.game");
    second.waits_for("is in use by another `omerta`");
    second.type_line("load a.game");
    second.waits_for("note: `a.game` is in use by another `omerta`");
    second.type_line("save b.game");
    second.waits_for("kept in `b.game`");
    first.press(CTRL_D);
    first.ends();
    second.type_line("save a.game");
    second.waits_for("kept in `a.game`");
    second.typed_line_is("Night 2, go>");
    second.press(CTRL_D);
    second.ends();
    let locks = std::fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
    let locks = locks.filter(|entry| entry.file_name().to_string_lossy().ends_with(".lock"));
    assert_eq!(locks.count(), 0);
}

#[test]
fn whoever_goes_back_and_leaves_loses_neither_what_came_nor_the_game_before() {
    let folder = folder();
    let mut terminal = at_the_second_night(folder.path());
    terminal.type_line("open tiny.mafia --players 3 --seed 9");
    terminal.waits_for("laid aside as game 1");
    terminal.typed_line_is("Night 1, go>");
    terminal.type_line("go");
    terminal.waits_for("3 options>");
    terminal.type_line("Ann");
    terminal.waits_for("Ann was bitten.");
    terminal.type_line("goto start");
    terminal.typed_line_is("Night 1, go>");
    terminal.press(CTRL_D);
    terminal.ends();
    let mut again = Terminal::play(folder.path(), 90, &["--resume"]);
    again.waits_for("as it was left");
    again.type_line("redo 2");
    again.waits_for("Ann was bitten.");
    again.type_line("games 1");
    again.typed_line_is("Night 2, go>");
    again.type_line("log");
    again.waits_for("Bob was bitten.");
}

#[test]
fn the_rules_are_followed_while_a_line_is_typed() {
    let folder = folder();
    let mut terminal = at_the_second_night(folder.path());
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
    terminal.waits_for("taken back: the host: Bob");
    // Rules that are wrong leave the game as it is.
    std::fs::write(&rules, "ruleset tiny\nscript { play Nowhere }\n").unwrap();
    terminal.waits_for("the game stays as it was");
    terminal.typed_line_is("Night 1, host, 4 options>");
    terminal.type_line("Cid");
    terminal.waits_for("Cid was gnawed at.");
}

/// Each file of the rules is looked at while a line is typed, and not the first alone.
#[test]
fn a_library_of_the_rules_is_followed_as_well() {
    let folder = folder();
    let (rules, night) = (folder.path().join("tiny.mafia"), folder.path().join("dusk.mafia"));
    let text = std::fs::read_to_string(&rules).unwrap();
    let text = text.replace("use std.table", "use std.table\nuse dusk");
    std::fs::write(&rules, text.replace("  judge", "  play Dusk\n  judge")).unwrap();
    let library = "library dusk\npublish Dusk\nscene Dusk {\n  say \"It gets dark.\"\n}\n";
    std::fs::write(&night, library).unwrap();
    let mut terminal = at_the_second_night(folder.path());
    terminal.type_line("watch file");
    terminal.waits_for("reloads when one is written");
    std::fs::write(&night, library.replace("gets dark", "dawns")).unwrap();
    terminal.waits_for("now: It dawns.");
}

/// What is typed in every bundled game to have all kinds of pages on the screen, up to its end and back.
const ALL_KINDS: &str = "help; help all; help answers; help chance; help undo; who; table; seats; to night; offers; tally; \
     why; narrate; log; random 20; who; table; tally; log public; view Ann; why not Ann; what if pass; event 20; \
     source; print living; branches; branch other; compare main; leave; games; goto night 1; random end; \
     log all; who; undo; redo; undo 5; table; quit";

/// The terminal breaks no line: each is laid out for as many columns as there are.
#[test]
fn no_line_of_any_bundled_game_is_wider_than_the_screen() {
    let play = |ruleset: &str, columns: u16| -> Vec<String> {
        let folder = folder();
        let mut terminal = Terminal::play_on(folder.path(), (6000, columns), &[ruleset, "--seed", "3"]);
        for line in ALL_KINDS.split("; ") {
            terminal.type_line(line);
        }
        terminal.ends();
        let screen = terminal.screen.lock().unwrap();
        let screen = screen.screen();
        assert!(
            screen.contents().contains("The game is over"),
            "{ruleset}:\n{}",
            screen.contents()
        );
        let rows = screen.rows(0, columns).enumerate();
        // What is typed goes on in the next line, as at any prompt; what is typed ahead of a busy program stands before
        // what it says next.
        let is_typed = |text: &str| {
            text.contains("> ")
                || ALL_KINDS
                    .split("; ")
                    .any(|line| text.starts_with(&format!("{line} ")))
        };
        let broken = rows.filter(|(row, text)| screen.row_wrapped(*row as u16) && !is_typed(text));
        broken
            .map(|(_, text)| format!("{ruleset}, {columns} columns: {text}"))
            .collect()
    };
    let games = ["city", "town", "village", "blitz", "sport", "vendetta"];
    let broken: Vec<String> = std::thread::scope(|scope| {
        let at = |columns| {
            scope.spawn(move || {
                games
                    .iter()
                    .flat_map(|game| play(game, columns))
                    .collect::<Vec<_>>()
            })
        };
        let runs: Vec<_> = [40, 80, 120].map(at).into_iter().collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
