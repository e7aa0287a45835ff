//! Small changes to rulesets: which there are (`tests/mutation/slips.txt`), and that exactly those nobody looks at go unnoticed.

use crate::program::{Done, folder_with, omerta_in};
use omerta_core::source::SourceId;
use omerta_play::mutate::{Change, changes};
use omerta_syntax::parse_file;
use std::path::Path;

const TINY: &str = include_str!("mutation/tiny.mafia");
const SCENARIOS: &str = include_str!("mutation/tiny.play");

/// A folder with the game, its scenarios and whatever else.
fn folder(scenarios: &str) -> tempfile::TempDir {
    folder_with(TINY, scenarios)
}

fn mutate(folder: &Path, more: &[&str]) -> Done {
    let words = [&["test", "--mutate", "tiny.mafia"], more].concat();
    omerta_in(folder, &words, b"")
}

fn changes_of(text: &str) -> Vec<Change> {
    let (file, problems) = parse_file(SourceId(0), text);
    assert!(problems.is_empty(), "{problems:?}");
    changes(&file, text, None)
}

/// What is slipped at one construct of the page, a line each: what, and what the text becomes.
fn slips(construct: &str) -> Vec<String> {
    let (text, before, behind) = match construct.strip_prefix("> ") {
        Some(declaration) => (declaration, "", ""),
        None => (construct, "scene S {\n", "\n}"),
    };
    let text = format!("{before}{}{behind}", text.replace(" ; ", "\n"));
    let slip = |change: Change| {
        let changed = change.apply(&text);
        let changed = changed
            .strip_prefix(before)
            .unwrap()
            .strip_suffix(behind)
            .unwrap();
        let words: Vec<&str> = changed.split_whitespace().collect();
        (change.what, words.join(" "))
    };
    let slips = changes_of(&text).into_iter().map(slip);
    let told =
        slips.filter(|(what, text)| what != "dropped" || text != "nothing" || construct.starts_with("say"));
    told.map(|(what, text)| format!("{what:<32}{text}").trim_end().to_owned())
        .collect()
}

#[test]
fn each_construct_has_its_slips() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutation/slips.txt"));
    let page = page.unwrap();
    let mut faults = Vec::new();
    for part in page.split("\n>").skip(1) {
        let (construct, lines) = part.split_once('\n').unwrap_or((part, ""));
        let construct = construct.strip_prefix(' ').unwrap_or(construct);
        let lines: Vec<&str> = lines
            .lines()
            .take_while(|line| !line.starts_with('#'))
            .filter(|line| !line.is_empty())
            .collect();
        let found = slips(construct);
        if found != lines {
            faults.push(format!("> {construct}\n{}\n", found.join("\n")));
        }
    }
    assert!(faults.is_empty(), "what is slipped:\n\n{}", faults.join("\n"));
}

#[test]
fn every_construct_can_be_slipped_at_and_read_again() {
    let text = include_str!("syntax/every_construct.mafia");
    let changes = changes_of(text);
    let broken: Vec<String> = changes
        .iter()
        .filter(|change| !parse_file(SourceId(0), &change.apply(text)).1.is_empty())
        .map(|change| format!("{}: {}", change.what, change.lines(text).1))
        .collect();
    assert_eq!(broken, Vec::<String>::new());
    assert!(changes.len() > 200, "{}", changes.len());
}

#[test]
fn a_change_leaves_all_else_as_it_was() {
    for change in changes_of(TINY) {
        let changed = change.apply(TINY);
        assert_ne!(changed, TINY, "{}", change.what);
        let (from, to) = (change.at.0 as usize, TINY.len() - change.at.1 as usize);
        assert_eq!(changed[..from], TINY[..from], "{}", change.what);
        assert!(changed.ends_with(&TINY[TINY.len() - to..]), "{}", change.what);
    }
}

#[test]
fn most_changes_compile() {
    let done = mutate(folder(SCENARIOS).path(), &["--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let all = changes_of(TINY).len();
    let uncompilable = told["uncompilable"].as_u64().unwrap() as usize;
    assert!(uncompilable * 4 < all, "{uncompilable} of {all}");
}

#[test]
fn exactly_what_nobody_looks_at_goes_unnoticed() {
    let done = mutate(folder(SCENARIOS).path(), &[]);
    assert_eq!(done.code, Some(1));
    insta::assert_snapshot!(done.out);
}

#[test]
fn a_scenario_more_notices_more() {
    let without = mutate(folder(SCENARIOS).path(), &[]).out;
    let dropped = "`without Wolf` dropped";
    assert!(!without.contains(dropped), "{without}");
    let with = mutate(
        folder(&SCENARIOS.replace("  refused host -> Ann\n", "")).path(),
        &[],
    )
    .out;
    assert!(with.contains(dropped), "{with}");
}

#[test]
fn a_sample_is_the_same_each_time_and_part_of_all() {
    let folder = folder(SCENARIOS);
    let sample = ["--sample", "12", "--seed", "3", "--format", "json"];
    let [a, b] = [(); 2].map(|()| mutate(folder.path(), &sample).out);
    assert_eq!(a, b);
    let told: serde_json::Value = serde_json::from_str(&a).unwrap();
    let count = |key: &str| {
        told[key]
            .as_u64()
            .map_or_else(|| told[key].as_array().unwrap().len(), |n| n as usize)
    };
    let all = ["noticed", "unnoticed", "stumbled", "uncompilable", "same"].map(count);
    assert_eq!(all.iter().sum::<usize>(), 12, "{told}");
}

#[test]
fn lines_bound_where_changes_are_made() {
    let line = TINY.lines().position(|line| line.starts_with("players")).unwrap() + 1;
    let done = mutate(folder(SCENARIOS).path(), &["--lines", &line.to_string()]);
    let places: Vec<&str> = done
        .out
        .lines()
        .filter(|line| line.starts_with("tiny.mafia:"))
        .collect();
    assert!(places.len() > 1, "{}", done.out);
    let head = format!("tiny.mafia:{line}:");
    assert!(
        places[..places.len() - 1]
            .iter()
            .all(|place| place.starts_with(&head)),
        "{places:?}"
    );
}

#[test]
fn scenarios_must_hold_before_anything_is_changed() {
    let done = mutate(
        folder(&SCENARIOS.replace("winners Ann", "winners Bob")).path(),
        &[],
    );
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("mend them first"), "{}", done.err);
    assert!(done.err.contains("the wolf wins"), "{}", done.err);
}

#[test]
fn without_scenarios_nothing_can_be_noticed() {
    let done = mutate(folder("ruleset city\nplay \"of another game\"\n").path(), &[]);
    assert_eq!(done.code, Some(2), "{}", done.out);
    assert!(done.err.contains("no scenario uses `tiny.mafia`"), "{}", done.err);
}

#[test]
fn a_game_that_no_longer_ends_is_noticed() {
    // Without the departure nobody ever leaves, and the night comes again for ever.
    let folder =
        folder("ruleset tiny\nseats 3\notherwise random with seed 1\nplay \"it ends\"\nrun to end\n");
    let line = TINY
        .lines()
        .position(|line| line.contains("do departure"))
        .unwrap()
        + 1;
    let done = mutate(folder.path(), &["--lines", &line.to_string(), "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let unnoticed = told["unnoticed"].as_array().unwrap();
    assert!(
        unnoticed.iter().all(|change| change["what"] != "dropped"),
        "{told}"
    );
    assert!(told["noticed"].as_u64().unwrap() > 0, "{told}");
}
