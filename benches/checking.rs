//! Reading and checking a long ruleset: the time a line takes is the same however many there are.
//!
//! The rulesets are made here: each act has a mark, an event, a rule and a scene of its own, so a
//! longer one has more of everything. Before it measures each by itself, the benchmark prints for
//! each length the time a line takes, all lengths turn by turn in one run.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints times"
)]

use std::{fmt::Write, hint::black_box, time::Duration, time::Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use omerta_check::{Request, check_ruleset};
use omerta_core::source::{Loaded, Loader, SourceId, Sources};
use omerta_syntax::parse_file;
use omerta_workbench::bundle::bundled;

const LENGTHS: &[usize] = &[1_250, 2_500, 5_000, 10_000];
/// How often each length is gone through for the printed table.
const ROUNDS: usize = 9;

const HEAD: &str = r#"ruleset long "A long ruleset"
use std.table
players 3..10
cast {
  players 3..10
  Fox 1
  Hen rest
}
team Barn "the barn"
team Wild "the wild"
role Fox "the fox" of Wild
role Hen "a hen" of Barn
win Barn when no living Wild
win Wild when living Wild is at least half of living
"#;

/// Sixteen lines, and one in the script.
const ACT: &str = r#"
mark met-N until Act-N
event meeting-N of p by k {
  mark p as met-N
}
rule shy-N: instead of meeting-N of met-N {
  nothing
}
scene Act-N {
  say "Act N begins."
  ask first of living for choice-N from living or nobody "Whom do you meet in act N?"
  do meeting-N of choice-N by first of living
  if some met-N and number of living is more than 2 {
    say "{met-N} came."
  }
  judge
}
"#;

/// A ruleset of about so many lines.
fn ruleset(lines: usize) -> String {
    let acts = (lines - HEAD.lines().count() - 3) / (ACT.lines().count() + 1);
    let mut text = HEAD.to_owned();
    (0..acts).for_each(|act| text += &ACT.replace('N', &act.to_string()));
    text += "script {\n  play Deal\n";
    (0..acts).for_each(|act| writeln!(text, "  play Act-{act}").expect("a text can be written to"));
    text + "}\n"
}

struct Shelf(String);

impl Loader for Shelf {
    fn load(&self, path: &str) -> Option<Loaded> {
        if path == "long" {
            return Some(Loaded {
                name: path.to_owned(),
                text: self.0.clone(),
            });
        }
        bundled(path)
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn parse(text: &str) {
    let (file, wrong) = parse_file(SourceId(0), text);
    assert!(wrong.is_empty(), "{wrong:?}");
    black_box(file);
}

fn check(shelf: &Shelf) {
    let request = Request {
        root: "long",
        overlays: &[],
        options: &[],
    };
    let checked = check_ruleset(&mut Sources::default(), shelf, &request);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    black_box(checked.rules.expect("the rules are sound"));
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn timed(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn print_a_line(_: &mut Criterion) {
    let shelves: Vec<Shelf> = LENGTHS.iter().map(|lines| Shelf(ruleset(*lines))).collect();
    let mut times = vec![(Vec::new(), Vec::new()); shelves.len()];
    for _ in 0..ROUNDS {
        for (shelf, (parsed, checked)) in shelves.iter().zip(&mut times) {
            parsed.push(timed(|| parse(&shelf.0)));
            checked.push(timed(|| check(shelf)));
        }
    }
    println!("   lines   parse (ms)   a line (µs)   parse and check (ms)   a line (µs)");
    for (shelf, (parsed, checked)) in shelves.iter().zip(times) {
        let lines = shelf.0.lines().count();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let a_line = |time: Duration| time.as_secs_f64() * 1e6 / lines as f64;
        let (parsed, checked) = (median(parsed), median(checked));
        println!(
            "{lines:8} {:12.1} {:13.2} {:22.1} {:13.2}",
            ms(parsed),
            a_line(parsed),
            ms(checked),
            a_line(checked)
        );
    }
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checking");
    group.sample_size(10);
    for &lines in LENGTHS {
        let shelf = Shelf(ruleset(lines));
        group.throughput(Throughput::Elements(shelf.0.lines().count() as u64));
        group.bench_with_input(BenchmarkId::new("parse", lines), &shelf, |bencher, shelf| {
            bencher.iter(|| parse(&shelf.0));
        });
        group.bench_with_input(
            BenchmarkId::new("parse and check", lines),
            &shelf,
            |bencher, shelf| {
                bencher.iter(|| check(shelf));
            },
        );
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = print_a_line, measure
}
criterion_main!(benches);
