//! The prompt at a pseudo-terminal: from the start of the program to its first prompt, from Enter to
//! the next prompt, and going back in a game of a thousand steps.
//!
//! Beside it, turn by turn in the same run: a bare loop of the same line editor, and `nickel repl`,
//! where `nickel` is on the path or `OMERTA_NICKEL` names one; else that column is left out, and it is
//! said. `OMERTA_PROGRAM` measures another build of this program than the one made for the benchmark.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "a measurement starts programs, reads the clock and prints times"
)]

use std::{
    io::{Read, Write},
    path::Path,
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The word by which this program starts itself as nothing but a loop.
const BARE: &str = "bare-loop";
/// How often each is started, and asked, for the printed table.
const ROUNDS: usize = 31;
/// After so long without an answer something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);
/// So long a typed line is left to settle before Enter.
const SETTLING: Duration = Duration::from_millis(40);

/// A program with a prompt.
struct Prompter {
    name: &'static str,
    program: String,
    words: &'static [&'static str],
    /// What its prompt ends with.
    prompt: &'static str,
    /// A line, and what it is answered with.
    line: &'static str,
    answer: &'static str,
}

fn prompters() -> Vec<Prompter> {
    let itself = std::env::current_exe().expect("this program has a path");
    let mut all = vec![
        Prompter {
            name: "omerta play",
            program: omerta(),
            words: &["play", "--seed", "7"],
            prompt: "go> ",
            line: "print 1 + 1",
            answer: "  2\r\n",
        },
        Prompter {
            name: "a bare loop",
            program: itself.display().to_string(),
            words: &[BARE],
            prompt: "bare> ",
            line: "1 + 1",
            answer: "\n1 + 1\r\n",
        },
    ];
    match nickel() {
        Some(program) => all.push(Prompter {
            name: "nickel repl",
            program,
            words: &["repl"],
            prompt: "nickel> ",
            line: "1 + 1",
            answer: "2\r\n",
        }),
        None => println!("nickel is left out: it is not on the path, and OMERTA_NICKEL names none"),
    }
    all
}

fn omerta() -> String {
    std::env::var("OMERTA_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_omerta").to_owned())
}

fn nickel() -> Option<String> {
    let named = std::env::var("OMERTA_NICKEL").ok();
    named.or_else(|| {
        let path = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&path).map(|folder| folder.join("nickel"));
        let found = found.into_iter().find(|file| file.is_file())?;
        Some(found.display().to_string())
    })
}

/// A program at a terminal, with every byte it has written and when.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    written: Receiver<(Instant, Vec<u8>)>,
    seen: Vec<u8>,
    begun: Instant,
}

impl Terminal {
    fn start(prompter: &Prompter, home: &Path) -> Terminal {
        let size = PtySize {
            rows: 50,
            cols: 100,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(&prompter.program);
        command.args(prompter.words);
        command.cwd(home);
        for (name, value) in [("TERM", "xterm"), ("NO_COLOR", "1")] {
            command.env(name, value);
        }
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, home);
        }
        let mut output = pair.master.try_clone_reader().expect("its output");
        let (sender, written) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                if sender.send((Instant::now(), bytes[..read].to_vec())).is_err() {
                    return;
                }
            }
        });
        let begun = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program starts");
        Terminal {
            child,
            keys: pair.master.take_writer().expect("its keys"),
            _master: pair.master,
            written,
            seen: Vec::new(),
            begun,
        }
    }

    /// When these texts had come, one after the other, behind a place in the output.
    fn until(&mut self, from: usize, texts: &[&str]) -> Instant {
        let mut at = self.begun;
        while !has(&self.seen[from..], texts) {
            let left = PATIENCE.saturating_sub(self.begun.elapsed());
            let Ok((when, bytes)) = self.written.recv_timeout(left) else {
                panic!("{texts:?} has not come:\n{}", String::from_utf8_lossy(&self.seen));
            };
            self.seen.extend(bytes);
            at = when;
        }
        at
    }

    /// How long a line takes from Enter to the next prompt.
    fn ask(&mut self, line: &str, answer: &str, prompt: &str) -> Duration {
        self.press(line);
        std::thread::sleep(SETTLING);
        while let Ok((_, bytes)) = self.written.try_recv() {
            self.seen.extend(bytes);
        }
        let from = self.seen.len();
        self.begun = Instant::now();
        self.press("\r");
        self.until(from, &[answer, prompt]) - self.begun
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program reads");
        self.keys.flush().expect("the program reads");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn has(mut bytes: &[u8], texts: &[&str]) -> bool {
    texts.iter().all(|text| {
        let found = bytes.windows(text.len()).position(|part| part == text.as_bytes());
        if let Some(at) = found {
            bytes = &bytes[at + text.len()..];
        }
        found.is_some()
    })
}

impl Prompter {
    fn to_first_prompt(&self, home: &Path) -> (Duration, Terminal) {
        let mut terminal = Terminal::start(self, home);
        let begun = terminal.begun;
        (terminal.until(0, &[self.prompt]) - begun, terminal)
    }
}

/// Nothing but a prompt, until the input ends.
fn bare_loop() {
    let mut editor = rustyline::DefaultEditor::new().expect("an editor");
    while let Ok(line) = editor.readline("bare> ") {
        println!("{line}");
    }
}

fn median(times: &mut [Duration]) -> (f64, f64) {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    (ms(times[times.len() / 2]), ms(times[0]))
}

fn print_medians(_: &mut Criterion) {
    let home = tempfile::tempdir().expect("a folder");
    let all = prompters();
    let mut starts = vec![Vec::new(); all.len()];
    let mut asks = vec![Vec::new(); all.len()];
    for _ in 0..ROUNDS {
        for (at, prompter) in all.iter().enumerate() {
            let (start, mut terminal) = prompter.to_first_prompt(home.path());
            starts[at].push(start);
            asks[at].push(terminal.ask(prompter.line, prompter.answer, prompter.prompt));
        }
    }
    println!(
        "{:14} {:>22}   {:>22}",
        "", "start to first prompt", "Enter to next prompt"
    );
    for (at, prompter) in all.iter().enumerate() {
        let ((start, best_start), (ask, best_ask)) = (median(&mut starts[at]), median(&mut asks[at]));
        println!(
            "{:14} {start:9.2} ms (best {best_start:.2})   {ask:9.2} ms (best {best_ask:.2})",
            prompter.name
        );
    }
}

/// A game without an end, so that it has a thousand steps.
const ENDLESS: &str = r#"ruleset endless "Endless"
use std.table
players 8
cast {
  players 8
  Guest rest
}
team Party "the party"
role Guest "a guest" of Party
script {
  play Deal
  repeat { play Round }
}
scene Round {
  ask each players for partner from players others openly "Whom?"
}
"#;

fn at_a_thousand(home: &Path) -> Terminal {
    std::fs::write(home.join("endless.mafia"), ENDLESS).expect("a file is written");
    let prompter = Prompter {
        name: "endless",
        program: omerta(),
        words: &["play", "endless.mafia", "--seed", "7"],
        prompt: "options> ",
        line: "",
        answer: "",
    };
    let (_, mut terminal) = prompter.to_first_prompt(home);
    terminal.ask("step 1000", "Whom?", "options> ");
    terminal
}

fn back_and_forth(criterion: &mut Criterion) {
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = at_a_thousand(home.path());
    let mut group = criterion.benchmark_group("a thousand steps");
    group.sample_size(20);
    let mut pair = |name: &str, there: [&str; 2], back: [&str; 2]| {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let mut taken = Duration::ZERO;
                for _ in 0..times {
                    taken += terminal.ask(there[0], there[1], "options> ");
                    terminal.ask(back[0], back[1], "options> ");
                }
                taken
            })
        });
    };
    pair("undo", ["undo", "taken back"], ["redo", "Ann"]);
    pair("goto 500", ["goto 500", "after 50"], ["goto end", "after "]);
    pair("goto start", ["goto start", "after "], ["goto end", "after "]);
    pair(
        "goto end from start",
        ["goto end", "after "],
        ["goto start", "after "],
    );
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(5));
    targets = print_medians, back_and_forth
}

fn main() {
    if std::env::args().any(|word| word == BARE) {
        bare_loop();
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
