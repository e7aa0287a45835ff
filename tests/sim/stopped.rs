//! A run that is cut short, by hand or by a program that fails, loses nothing of what was played; games
//! that go wrong say by what, and how to see them.

use crate::program::{Done, omerta, omerta_in, write};
use omerta::faces::sim::House;
use serde_json::Value as Json;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Answers with the first option until a game, and then no more.
const FAILS: &str = r#"2=while read -r line; do case "$line" in *GAME*) exit 1;; *'"kind":"ask"'*) one=${line#*'"options":["'}; id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}";; esac; done"#;
/// Takes a tenth of a second for each answer.
const SLOW: &str = r#"2=while read -r line; do case "$line" in *'"kind":"ask"'*) sleep 0.1; one=${line#*'"options":["'}; id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}";; esac; done"#;
const CITY: [&str; 4] = ["sim", "city", "--players", "6"];

fn sim(folder: &Path, more: &[&str]) -> Done {
    omerta_in(folder, &[&CITY[..], more].concat(), b"")
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

/// Starts a run that would go on for ever and stops it as Ctrl-C does.
fn interrupted(folder: &Path, more: &[&str], after: impl Fn() -> bool) -> Done {
    let words = [&CITY[..], &["--games", "1e9"], more].concat();
    let mut command = omerta(folder);
    let run = command.args(words).stdin(Stdio::null());
    let run = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !after() && begun.elapsed() < Duration::from_secs(30) {
        sleep(Duration::from_millis(50));
    }
    let id = run.id().to_string();
    let killed = Command::new("sh").args(["-c", "kill -s INT $0", &id]).status();
    assert!(killed.unwrap().success());
    let output = run.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

#[cfg(unix)]
#[test]
fn what_was_counted_is_shown_when_somebody_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let a_while = || begun.elapsed() > Duration::from_millis(1500);
    let done = interrupted(folder.path(), &["--json"], a_while);
    assert_eq!(done.code, Some(130), "{}", done.err);
    let games = json(&done.out)["games"].as_u64().unwrap();
    assert!(games > 0 && games < 1_000_000_000);
    let said = format!("interrupted after {} of 1,000,000,000 games", grouped(games));
    assert!(done.err.contains(&said), "{}", done.err);
    // They are the first so many: the same numbers as of a run that was asked for them.
    let asked = sim(folder.path(), &["--json", "--games", &games.to_string()]);
    assert_eq!(done.out, asked.out);
}

#[cfg(unix)]
#[test]
fn a_run_is_kept_as_it_goes_and_when_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    // With a slow program: it must not take hundreds of games until something is kept.
    let done = interrupted(folder.path(), &["--out", "run.json", "--bot", SLOW], || {
        file.exists()
    });
    assert_eq!(done.code, Some(130), "{}", done.err);
    assert!(done.err.contains("`--resume run.json` goes on"), "{}", done.err);
    let kept = json(&fs::read_to_string(&file).unwrap())["tally"]["games"]
        .as_u64()
        .unwrap();
    assert!((1..500).contains(&kept), "{kept}");
    assert!(done.out.contains(&format!(", {kept} game")), "{}", done.out);
}

#[test]
fn the_games_before_a_program_failed_are_kept() {
    let fails = FAILS.replace("GAME", &House::of(&[], 1).name_of(25));
    for threads in ["1", "3"] {
        let folder = tempfile::tempdir().unwrap();
        let run = [
            "--games",
            "60",
            "--threads",
            threads,
            "--seed",
            "1",
            "--bot",
            &fails,
            "--out",
            "run.json",
        ];
        let done = sim(folder.path(), &run);
        assert_eq!(done.code, Some(2), "{}", done.err);
        assert!(done.err.contains("in game 25"), "{}", done.err);
        assert!(
            done.err.contains("these are the 25 of 60 games before it"),
            "{}",
            done.err
        );
        let kept = json(&fs::read_to_string(folder.path().join("run.json")).unwrap());
        assert_eq!(kept["tally"]["games"], 25);
    }
}

fn grouped(number: u64) -> String {
    omerta::faces::sim::grouped(number)
}

/// The rules go round and round when the first seat is named.
const LOOP: &str = "ruleset loop \"A loop\"\nuse std.table\nplayers 3..6\ncast {\n  players 3..6\n  Wolf 1\n  \
                    Sheep rest\n}\nteam Pack\nteam Flock\nrole Wolf of Pack\nrole Sheep of Flock\nscript {\n  \
                    play Deal\n  ask players together for prey from players \"Who?\"\n  if prey is seat 1 {\n    \
                    repeat {\n      nothing\n    }\n  }\n  judge\n}\nending pack: win Pack when seat 2 is Wolf\n\
                    ending flock: win Flock when not (seat 2 is Wolf)\n";

#[test]
fn games_that_break_say_by_what_and_where_and_how_to_see_them() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "loop.mafia", LOOP);
    let run = ["sim", "loop.mafia", "--players", "4", "--games", "50"];
    let done = omerta_in(folder.path(), &run, b"");
    assert_eq!(done.code, Some(1));
    for words in ["M0940", "loop.mafia:17:5", "keep the run with `--out run.json`"] {
        assert!(done.err.contains(words), "{words}\n{}", done.err);
    }
    let kept = omerta_in(folder.path(), &[&run[..], &["--out", "kept.json"]].concat(), b"");
    let Some((command, _)) = kept.err.split_once(" opens game ") else {
        panic!("{}", kept.err);
    };
    let game = command.rsplit(' ').next().unwrap().trim_end_matches('`');
    let seen = omerta_in(folder.path(), &["play", "--replay", game], b"redo 99\n");
    assert!(seen.told().contains("The rules went wrong"), "{}", seen.told());
}

/// Some games go on for ever, and some break. What broke is told, and the game that is to be opened is the first of those.
#[test]
fn of_games_that_went_wrong_one_that_broke_is_the_one_to_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let rules = LOOP.replace(
        "    repeat {\n      nothing\n    }\n  }\n",
        "    repeat {\n      nothing\n    }\n  }\n  if prey is seat 2 {\n    repeat {\n      draw toss from 1..2\n      \
         ask seat 1 whether bored\n    }\n  }\n",
    );
    write(folder.path(), "loop.mafia", &rules);
    let (mut later, mut ever) = (0, 0);
    for seed in 1..13 {
        let seed = seed.to_string();
        let run = [
            "sim",
            "loop.mafia",
            "--players",
            "4",
            "--games",
            "4",
            "--limit",
            "60",
            "--seed",
            &seed,
            "--out",
            "run.json",
        ];
        let done = omerta_in(folder.path(), &run, b"");
        let wrong = json(&fs::read_to_string(folder.path().join("run.json")).unwrap())["tally"].clone();
        let Some((command, opened)) = done.err.split_once(" opens game ") else {
            assert_eq!(wrong["wrong"], json("[]"));
            continue;
        };
        let is_first = wrong["wrong"][0] == json(opened.trim());
        let game = command.rsplit(' ').next().unwrap().trim_end_matches('`');
        let seen = omerta_in(folder.path(), &["play", "--replay", game], b"redo 99\n");
        let broke = seen.told().contains("The rules went wrong");
        assert_eq!(broke, wrong["broken"] != 0, "{seed}: {}", done.told());
        assert!(broke || is_first, "{seed}: {}", done.told());
        later += usize::from(!is_first);
        ever += usize::from(!broke);
    }
    assert!(later > 0 && ever > 0, "{later}, {ever}");
}
