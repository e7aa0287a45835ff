//! What scenarios touch, and what they say they show.

use crate::program::{Done, folder_with, omerta_in};

/// Runs `omerta test` on the small game with one scenario, in which somebody is guarded.
fn measured(words: &[&str]) -> (Done, String) {
    let play = r#"ruleset tiny
covers T-10, T-2
seats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep

play "whoever is guarded is not bitten"
Night 1 {
  host -> Bob
  host -> Bob
}
"#;
    let folder = folder_with(include_str!("mutation/tiny.mafia"), play);
    let done = omerta_in(folder.path(), &[&["test", "tiny.play"], words].concat(), b"");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let lcov = std::fs::read_to_string(folder.path().join("touched.info")).unwrap_or_default();
    (done, lcov)
}

#[test]
fn exactly_what_nobody_came_to_is_listed() {
    let (done, _) = measured(&["--coverage"]);
    let told = "\
std/table.mafia: 4 of 6 touched
  std/table.mafia:21:3: never done: mark p as out
  std/table.mafia:25:3: never done: say \"{p} shows a card: {role of p}.\" as revealed
tiny.mafia: 15 of 18 touched
  tiny.mafia:38:3: never done: say \"{p} is bitten.\" as bitten
  tiny.mafia:39:3: never done: do departure of p
  tiny.mafia:46:33: no game ends by `wolf-wins`
in all 19 of 24 touched (79.1 %)
";
    assert_eq!(done.out, told);
}

#[test]
fn programs_get_the_same() {
    let (done, _) = measured(&["--coverage", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let file = &told["files"][1];
    assert_eq!(file["file"], "tiny.mafia");
    assert_eq!((&file["touched"], &file["places"]), (&15.into(), &18.into()));
    assert_eq!(file["untouched"].as_array().unwrap().len(), 3);
}

#[test]
fn lcov_counts_scenarios_by_line() {
    let (_, lcov) = measured(&["--lcov", "touched.info"]);
    let (_, tiny) = lcov.split_once("SF:tiny.mafia\n").unwrap();
    for line in [
        "FNDA:1,rule guard",
        "FNDA:0,ending wolf-wins",
        "DA:31,1",
        "DA:38,0",
        "LF:14",
        "LH:12",
    ] {
        assert!(tiny.lines().any(|told| told == line), "{line} is not in\n{tiny}");
    }
    assert!(lcov.ends_with("end_of_record\n"));
}

#[test]
fn a_ledger_goes_by_numbers() {
    let (done, _) = measured(&["--ledger"]);
    let told =
        "T-2 ... shown by 1 scenario\nT-10 ... shown by 1 scenario\n2 rules named; 0 scenarios without any\n";
    assert_eq!(done.out, told);
}

#[test]
fn programs_get_the_ledger_as_well() {
    let (done, _) = measured(&["--ledger", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(told["rules"][1]["rule"], "T-10");
    assert_eq!(
        told["rules"][1]["scenarios"][0],
        "whoever is guarded is not bitten"
    );
    assert_eq!(told["rules"][1]["failed"].as_array().unwrap().len(), 0);
    assert_eq!(told["unnamed"], 0);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["--coverage", "--watch"][..],
        &["--ledger", "--accept"],
        &["--coverage", "--format", "tap"],
        &["--ledger", "--filter", "no such scenario"],
    ] {
        let done = omerta_in(folder.path(), &[&["test"], words].concat(), b"");
        assert_eq!(done.code, Some(2), "{words:?}: {}", done.out);
    }
}
