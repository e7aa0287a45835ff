//! Scenes at the prompt, a fact each: what was typed before, and what each line is answered with.
//!
//! The files of `tests/prompt` are read by people: `# fact`, then `(typed; before)`, then `> line` with what it
//! prints and `! why` where it is refused. At `~ old => new` the rules are written again, with that in place of this.
//! Nothing writes them: what differs is shown as it would have to stand.

use crate::program::{Done, TINY, omerta, omerta_in};
use std::{
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::Stdio,
};

const CHOICES: &str = include_str!("prompt/choices.mafia");
const COUNCIL: &str = include_str!("prompt/council.mafia");
const FAIR: &str = include_str!("rulebook/fair.mafia");

/// A fact of a file, as it stands there.
struct Scene<'t> {
    fact: &'t str,
    before: Vec<&'t str>,
    lines: Vec<&'t str>,
    told: &'t str,
}

fn scene(text: &str) -> Scene<'_> {
    let (fact, rest) = text.split_once('\n').unwrap();
    let given = rest.strip_prefix('(').and_then(|rest| rest.split_once(")\n"));
    let (before, told) = given.map_or((Vec::new(), rest), |(given, told)| {
        (given.split("; ").collect(), told)
    });
    Scene {
        fact,
        before,
        lines: told
            .lines()
            .filter_map(|line| line.strip_prefix("> ").or(line.starts_with("~ ").then_some(line)))
            .collect(),
        told: told.trim_end(),
    }
}

/// What the lines of a scene are answered with, in the form of the file.
fn told(scene: &Scene<'_>, (ruleset, seed): (&str, &str)) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, rules) in [
        ("tiny.mafia", TINY),
        ("choices.mafia", CHOICES),
        ("council.mafia", COUNCIL),
        ("nested.mafia", include_str!("prompt/nested.mafia")),
        ("lines.mafia", include_str!("prompt/lines.mafia")),
        ("closet.mafia", include_str!("prompt/closet.mafia")),
        ("stall.mafia", include_str!("prompt/stall.mafia")),
        ("till.mafia", include_str!("prompt/till.mafia")),
        ("hands.mafia", include_str!("prompt/hands.mafia")),
        ("aloud.mafia", include_str!("prompt/aloud.mafia")),
        ("market.mafia", include_str!("prompt/market.mafia")),
        ("hidden.mafia", include_str!("prompt/hidden.mafia")),
        ("ballots.mafia", include_str!("prompt/ballots.mafia")),
        ("fair.mafia", FAIR),
        ("counting.mafia", include_str!("lang/counting.mafia")),
        ("writing.mafia", include_str!("lang/writing.mafia")),
        ("wording.mafia", include_str!("lang/wording.mafia")),
        ("titled.mafia", include_str!("lang/titled.mafia")),
        (
            "clock.mafia",
            &include_str!("lang/clock.mafia").replace("numbers = one", "numbers = numbers"),
        ),
    ] {
        fs::write(folder.path().join(name), rules).unwrap();
    }
    let args = ["play", ruleset, "--names", "Ann,Bob,Cid,Dee", "--seed", seed];
    let all = [&scene.before[..], &scene.lines[..]].concat();
    let is_typed = |line: &&&str| !line.starts_with("~ ");
    let typed: Vec<&str> = all.iter().filter(is_typed).copied().collect();
    let done = match typed.len() == all.len() {
        true => omerta_in(folder.path(), &args, format!("{}\n", typed.join("\n")).as_bytes()),
        false => played_while_rules_change(folder.path(), &args, &all),
    };
    let mut rest = done.out.as_str();
    // What stands before the first line is the welcome.
    let mut answers = vec![""; typed.len() + 1];
    for (number, line) in typed.iter().enumerate() {
        let echo = format!("> {line}\n");
        let at = rest
            .find(&echo)
            .unwrap_or_else(|| panic!("{}: `{line}` was not taken\n{}", scene.fact, done.out));
        let moment = rest[..at].rfind('\n').unwrap_or(0);
        answers[number] = &rest[..moment];
        rest = &rest[at + echo.len()..];
    }
    answers[typed.len()] = rest;
    let refused = |number: usize| {
        let head = format!("error: line {number}: ");
        done.err
            .lines()
            .find_map(|line| line.strip_prefix(&head).map(str::to_owned))
    };
    let mut text = String::new();
    let mut numbers = scene.before.len()..;
    for line in &scene.lines {
        if line.starts_with("~ ") {
            writeln!(text, "{line}").unwrap();
            continue;
        }
        let number = numbers.next().unwrap();
        writeln!(text, "> {line}").unwrap();
        let answer = answers[number + 1].trim_matches('\n');
        if !answer.is_empty() {
            writeln!(text, "{answer}").unwrap();
        }
        if let Some(why) = refused(number + 1) {
            writeln!(text, "! {why}").unwrap();
        }
    }
    text.trim_end().to_owned()
}

/// Plays lines, and writes the rules again at `~ old => new`, when all that stands above it is done.
fn played_while_rules_change(folder: &Path, args: &[&str], lines: &[&str]) -> Done {
    let mut command = omerta(folder);
    command.args(args).stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap());
    let (mut out, mut err, mut undone) = (String::new(), String::new(), Vec::new());
    for line in lines {
        let Some(change) = line.strip_prefix("~ ") else {
            writeln!(stdin, "{line}").unwrap();
            undone.push(format!("> {line}\n"));
            continue;
        };
        // What is done is read back before its answer.
        for echo in undone.drain(..) {
            let mut heard = String::new();
            while !heard.ends_with(&echo) {
                assert_ne!(
                    told.read_line(&mut heard).unwrap(),
                    0,
                    "{echo} was not taken: {out}{heard}"
                );
            }
            out.push_str(&heard);
        }
        let (old, new) = change.split_once(" => ").unwrap();
        let file = folder.join(args[1]);
        let rules = fs::read_to_string(&file).unwrap();
        assert!(rules.contains(old), "{change}");
        fs::write(&file, rules.replace(old, &new.replace("\\n", "\n"))).unwrap();
    }
    drop(stdin);
    told.read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let code = child.wait().unwrap().code();
    Done { code, out, err }
}

/// The scenes of a file that do not come out as they stand.
#[track_caller]
fn scenes_hold(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/prompt")
        .join(file);
    let text = fs::read_to_string(path).unwrap();
    let (head, scenes) = text.split_once("\n# ").unwrap();
    let table = match head.trim() {
        "table tiny" => ("tiny.mafia", "4"),
        "table choices" => ("choices.mafia", "3"),
        "table council" => ("council.mafia", "3"),
        "table nested" => ("nested.mafia", "1"),
        "table lines" => ("lines.mafia", "1"),
        "table closet" => ("closet.mafia", "1"),
        "table stall" => ("stall.mafia", "1"),
        "table till" => ("till.mafia", "1"),
        "table hands" => ("hands.mafia", "1"),
        "table aloud" => ("aloud.mafia", "1"),
        "table market" => ("market.mafia", "1"),
        "table hidden" => ("hidden.mafia", "1"),
        "table ballots" => ("ballots.mafia", "1"),
        "table fair" => ("fair.mafia", "3"),
        "table counting" => ("counting.mafia", "1"),
        "table clock" => ("clock.mafia", "1"),
        "table writing" => ("writing.mafia", "1"),
        "table wording" => ("wording.mafia", "1"),
        "table titled" => ("titled.mafia", "1"),
        other => panic!("`{other}` is no table"),
    };
    let scenes: Vec<Scene<'_>> = scenes.split("\n# ").map(scene).collect();
    assert!(scenes.iter().all(|scene| !scene.lines.is_empty()));
    let wrong = scenes.iter().filter_map(|scene| {
        let told = told(scene, table);
        (told != scene.told)
            .then(|| format!("# {}\n{told}\n--- and there stands\n{}\n", scene.fact, scene.told))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn answers_are_taken_one_or_several_in_a_line() {
    scenes_hold("answers.txt");
}

#[test]
fn a_tally_says_how_many_are_needed() {
    scenes_hold("ballots.txt");
}

#[test]
fn a_walk_goes_as_far_as_is_said_and_stops_where_it_shall() {
    scenes_hold("walks.txt");
    scenes_hold("stops.txt");
}

#[test]
fn places_branches_and_other_games_can_be_gone_to() {
    scenes_hold("places.txt");
    scenes_hold("titled.txt");
    scenes_hold("branches.txt");
    scenes_hold("games.txt");
}

#[test]
fn rules_that_are_read_anew_are_told_by_what_they_change() {
    scenes_hold("reload.txt");
}

#[test]
fn the_game_can_be_looked_at_from_all_sides() {
    scenes_hold("looks.txt");
    scenes_hold("hidden.txt");
    scenes_hold("till.txt");
    scenes_hold("hands.txt");
    scenes_hold("aloud.txt");
}

#[test]
fn why_not_says_what_keeps_something_closed() {
    scenes_hold("why-not.txt");
    scenes_hold("nested.txt");
    scenes_hold("closet.txt");
    scenes_hold("stall.txt");
    scenes_hold("market.txt");
}

#[test]
fn what_is_done_by_hand_is_told_and_taken_back() {
    scenes_hold("by-hand.txt");
}

#[test]
fn several_who_are_asked_counts_links_and_long_tables_are_told_alike() {
    scenes_hold("council.txt");
}

#[test]
fn a_line_is_one_thing_to_take_back_and_a_ballot_one_to_hear_of() {
    scenes_hold("lines.txt");
}

#[test]
fn numbers_are_picked_in_menus_and_offers() {
    scenes_hold("numbers.txt");
}

#[test]
fn what_is_typed_where_a_text_is_asked_for_is_the_text() {
    scenes_hold("writing.txt");
    scenes_hold("wording.txt");
}

#[test]
fn how_much_time_there_is_stands_behind_a_question() {
    scenes_hold("clock.txt");
}

#[test]
fn at_a_fair_with_something_of_everything_all_of_it_is_told() {
    scenes_hold("fair.txt");
}
