//! From the start of the program to its first question, beside two programs that do less: one that
//! only says its version, and one that is nothing but a line editor's loop.
//!
//! All read a closed pipe, so each is over as soon as it would wait for somebody. They are started
//! turn by turn in one run.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "a measurement starts programs, reads the clock and prints times"
)]

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group};

const OMERTA: &str = env!("CARGO_BIN_EXE_omerta");
/// The word by which this program starts itself as nothing but a loop.
const BARE: &str = "bare-loop";
/// How often each is started for the printed table.
const ROUNDS: usize = 41;

/// A way to start a program that stops at its first question.
struct Start {
    name: &'static str,
    program: String,
    words: &'static [&'static str],
}

fn starts() -> [Start; 3] {
    let itself = std::env::current_exe().expect("this program has a path");
    let omerta = |name, words| Start {
        name,
        program: OMERTA.to_owned(),
        words,
    };
    [
        omerta("omerta play", &["play", "--seed", "7"]),
        omerta("omerta --version", &["--version"]),
        Start {
            name: "a bare loop",
            program: itself.display().to_string(),
            words: &[BARE],
        },
    ]
}

impl Start {
    fn run(&self) -> Duration {
        let start = Instant::now();
        let mut program = Command::new(&self.program);
        program
            .args(self.words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let status = program.status().expect("the program starts");
        let time = start.elapsed();
        assert!(status.success(), "{} ends with {status}", self.name);
        time
    }
}

/// Nothing but a prompt, until the input ends.
fn bare_loop() {
    let mut editor = rustyline::DefaultEditor::new().expect("an editor");
    while let Ok(line) = editor.readline("> ") {
        println!("{line}");
    }
}

fn print_medians(_: &mut Criterion) {
    let starts = starts();
    let mut times = vec![Vec::new(); starts.len()];
    for _ in 0..ROUNDS {
        for (start, times) in starts.iter().zip(&mut times) {
            times.push(start.run());
        }
    }
    for (start, mut times) in starts.iter().zip(times) {
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{:18} {:6.2} ms (fastest {:.2})",
            start.name,
            ms(times[ROUNDS / 2]),
            ms(times[0])
        );
    }
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("starting");
    for start in starts() {
        group.bench_function(start.name, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| start.run()).sum())
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3)).sample_size(20);
    targets = print_medians, measure
}

fn main() {
    if std::env::args().any(|word| word == BARE) {
        bare_loop();
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
