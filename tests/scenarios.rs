//! Every bundled scenario and every scenario about the language holds, with its snapshots.

use omerta::faces::{
    render::{Colour, Format, Renders, Style},
    runner::human,
};
use omerta_core::source::Sources;
use omerta_syntax::{format_play, parse_play};
use omerta_workbench::{
    files,
    runner::{Plan, Ran, Text, discover, run_suite},
};
use std::path::{Path, PathBuf};

fn texts() -> Vec<Text> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders: Vec<PathBuf> = ["rulesets", "tests/lang"]
        .iter()
        .map(|folder| root.join(folder))
        .collect();
    discover(&folders).unwrap()
}

/// What of a file does not hold.
fn failures(ran: &Ran) -> Vec<String> {
    let show = |problems: &_| ran.bench.render(problems, Format::Human, Style::PLAIN);
    let mut failures: Vec<String> = (!ran.problems.is_empty())
        .then(|| show(&ran.problems))
        .into_iter()
        .collect();
    let failed = ran.reports.iter().filter(|report| !report.passed());
    failures
        .extend(failed.map(|report| format!("{}: {}\n{}", ran.name, report.name, show(&report.diagnostics))));
    let changed = ran.held.iter().filter(|held| !held.is_same());
    failures.extend(changed.map(|held| {
        format!(
            "{}\n{}",
            human::headline(ran, held),
            human::difference(held, Colour::Off)
        )
    }));
    failures.extend(
        ran.orphans
            .iter()
            .map(|orphan| format!("{orphan}: no scenario makes this snapshot")),
    );
    failures
}

#[test]
fn every_scenario_holds() {
    let rans = run_suite(&texts(), &Plan::default());
    let failures: Vec<String> = rans.iter().flat_map(failures).collect();
    let held: usize = rans.iter().map(|ran| ran.count().0).sum();
    assert!(
        failures.is_empty(),
        "{held} hold, {} do not:\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn scenarios_laid_out_are_the_same_scenarios() {
    for path in [
        files::below(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").as_path(),
            "play",
        ),
        files::below(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").as_path(),
            "play",
        ),
    ]
    .concat()
    {
        let text = files::read(&path).unwrap();
        let id = Sources::default().add("x.play", "");
        let Ok(once) = format_play(id, &text) else {
            continue;
        };
        assert_eq!(
            format_play(id, &once).as_ref(),
            Ok(&once),
            "{}: laid out twice",
            path.display()
        );
        if path.components().any(|part| part.as_os_str() == "rulesets") {
            assert!(
                once == text,
                "{}: what comes with the program is laid out",
                path.display()
            );
        }
        let letters = |text: &str| text.split_whitespace().collect::<String>().replace(';', "");
        assert_eq!(
            letters(&once),
            letters(&text),
            "{}: a letter is another",
            path.display()
        );
        assert!(
            shape(&once) == shape(&text),
            "{}: it means something else",
            path.display()
        );
    }
}

/// The scenarios without their places.
fn shape(text: &str) -> String {
    let (file, problems) = parse_play(Sources::default().add("x.play", ""), text);
    assert_eq!(problems, Vec::new());
    let is_place = |word: &&str| {
        let mut digits = word.split([':', '.']).filter(|part| !part.is_empty());
        word.contains(':')
            && word.contains("..")
            && digits.all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let shown = format!("{file:?}");
    shown
        .split([' ', ',', '(', ')', '[', ']'])
        .filter(|word| !is_place(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What comes to nobody, or within itself: seats for no one, a scene in a scene of its name, a number that nobody could
/// name, and answers that are changed before they are counted.
const CORNERS: [&str; 2] = [
    r#"// What comes to nobody, or within itself: seats for no one, a scene in a scene of its name, a number that nobody could
// name, and answers that are changed before they are counted.
ruleset tiny "Corners"
use std.table
players 4
cast { players 4; Sheep rest }
team Flock
role Sheep of Flock
option about: scenes | numbers | ballots | seats = scenes "what is tried"

script {
  play Deal
  if about is scenes { play Deep of 1 }
  if about is numbers { play Numbers }
  if about is ballots { play Ballots }
  if about is seats { play Seats }
}

scene Deep of number n {
  if n is less than 3 { play Deep of n + 1 }
  if n is 3 { play Inner }
  say "Out of {n}."
}
scene Inner {
  say "Inside."
  leave Deep
}
scene Numbers {
  // allow empty-choice
  ask host for n from 3..2 or nobody "How many?"
  say "So {n}."
  // allow empty-choice
  ask host for m from 3..2 "How many now?"
  say "And {m}."
}
scene Ballots {
  ask each players for pick from players or nobody "Whom?"
  link seat 1 to seat 4 as pick
  unlink seat 2 as pick
  say "{pick of seat 1}, {pick of seat 2}, {pick of seat 3}; most {most of pick}."
}
scene Seats {
  shuffle seats of nobody
  say "{left of seat 1}."
}
// allow over-at-once
ending over: win Flock when some players
"#,
    r#"ruleset tiny
seats Ann, Bob, Cid, Dee

play "of scenes of one name the innermost is left"
expect said "Inside." then "Out of 2." then "Out of 1."
expect not said "Out of 3."

play "where nobody could name a number nobody is asked, though he might have passed"
set about = numbers
expect said "So 0." then "And 0."

play "what each has answered can be changed before it is counted"
set about = ballots
Ballots 1 {
  Ann -> Bob
  Bob -> Cid
  Cid -> Bob
  Dee -> pass
  expect said "Dee, nobody, Bob; most Bob and Dee."
}

play "where nobody changes seats no lots fall"
set about = seats
expect said "Bob."
"#,
];

#[test]
fn corners_are_gone_round() {
    let folder = crate::program::folder_with(CORNERS[0], CORNERS[1]);
    let done = crate::program::omerta_in(folder.path(), &["test"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
    assert!(done.out.contains("4 scenarios hold"), "{}", done.out);
}
