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

/// A condition has two ways on: the one past it counts like the one into it, and what lies inside a place
/// that nobody came to is not told again.
#[test]
fn both_ways_on_of_a_condition_count() {
    let night = "  if Ann-is-in { say \"A.\" } else { say \"B.\" }\n  if nobody-is-in {\n    say \"C.\"\n    if Ann-is-in { say \"D.\" }\n  }\n";
    let rules = include_str!("mutation/tiny.mafia").replacen(
        "  clear guarded\n",
        &format!("  clear guarded\n{night}"),
        1,
    ) + "define Ann-is-in = some Sheep\ndefine nobody-is-in = no living\n";
    let play = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\nplay \"a night\"\nNight 1 {\n  host -> Bob\n  host -> Bob\n}\n";
    let folder = folder_with(&rules, play);
    let done = omerta_in(
        folder.path(),
        &["test", "tiny.play", "--coverage", "--lcov", "touched.info"],
        b"",
    );
    let tiny = done.out.split_once("tiny.mafia: ").unwrap().1;
    let lcov = std::fs::read_to_string(folder.path().join("touched.info")).unwrap_or_default();
    let branches: String = lcov
        .lines()
        .filter(|line| line.starts_with("BR"))
        .map(|line| format!("{line}\n"))
        .collect();
    // A line counts as often as the most that begins on it, wherever on it that stands.
    for line in ["DA:31,1", "DA:32,1", "DA:33,0", "DA:34,0"] {
        assert!(lcov.lines().any(|told| told == line), "{line} is not in\n{lcov}");
    }
    insta::assert_snapshot!(format!("{tiny}{branches}"), @r#"
    20 of 31 touched
      tiny.mafia:31:3: its condition always holds
      tiny.mafia:31:36: never done: say "B."
      tiny.mafia:32:3: its condition never holds
      tiny.mafia:33:5: never done: say "C."
      tiny.mafia:34:5: never done: if Ann-is-in { say "D." }
      tiny.mafia:43:3: never done: say "{p} is bitten." as bitten
      tiny.mafia:44:3: never done: do departure of p
      tiny.mafia:51:33: no game ends by `wolf-wins`
    in all 24 of 37 touched (64.8 %)
    BRF:0
    BRH:0
    BRDA:31,0,0,1
    BRDA:31,0,1,0
    BRDA:32,1,0,0
    BRDA:32,1,1,1
    BRDA:34,2,0,0
    BRDA:34,2,1,0
    BRF:6
    BRH:2
    "#);
}

/// Of everything that has a name it is told whether a scenario came by it: offers, rules, hooks, calls, cards.
#[test]
fn at_a_fair_it_is_told_what_nobody_came_to() {
    let folder = tempfile::tempdir().unwrap();
    crate::program::write(folder.path(), "fair.mafia", include_str!("rulebook/fair.mafia"));
    crate::program::write(folder.path(), "fair.play", include_str!("rulebook/fair.play"));
    let args = ["test", "fair.play", "--coverage", "--lcov", "touched.info"];
    let done = omerta_in(folder.path(), &args, b"");
    let lcov = std::fs::read_to_string(folder.path().join("touched.info")).unwrap();
    let (_, fair) = lcov.split_once("fair.mafia\n").unwrap();
    let fair: String = fair
        .lines()
        .filter(|line| line.starts_with("FNDA") || line.starts_with("BR"))
        .map(|line| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(format!("{}{}{fair}", done.out, done.err));
}

/// Of overlays it is told which no scenario lays, though they stand in one file; of their options which are never set
/// otherwise, in a section too; and a script that is asked is touched.
#[test]
fn overlays_sections_and_scripts_are_told_as_well() {
    let folder = folder_with(
        &format!("{}publish bite\n", include_str!("mutation/tiny.mafia")),
        "ruleset tiny with loud\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\nplay \"somebody is bitten\"\n\
         Night 1 {\n  host -> nobody\n  host -> Bob\n  expect said \"Bob howls.\"\n}\n",
    );
    let overlays = r#"overlay loud "Loud" on tiny {
  hook howler of p gives players "it shall be one" """ p """
  hook deaf of p gives players "nobody asks" """ p """
  rule howl: after bite of players as p { say "{howler of p} howls." as howled }
  rule hush: after bite of Wolf as p { say "{deaf of p} is still." as hushed }
  on tiny {
    option echo: yes | no = yes "an echo"
    rule echoing: after bite of players when echo is yes { say "And again." as echoed }
  }
}
overlay low "Low" on tiny {
  rule calm: before bite of players { say "All is calm." as calm }
}
"#;
    crate::program::write(folder.path(), "over.mafia", overlays);
    let done = omerta_in(folder.path(), &["test", "tiny.play", "--coverage"], b"");
    let over = done.out.split_once("over.mafia: ").map_or("", |(_, told)| told);
    insta::assert_snapshot!(format!("{}{over}", done.err), @r#"
    10 of 15 touched
      over.mafia:3:49: hook `deaf` is never asked
      over.mafia:5:8: rule `hush` never comes in
      over.mafia:5:40: never done: say "{deaf of p} is still." as hushed
      over.mafia:7:5: option never `echo = no`
      over.mafia:11:1: overlay `low` is never laid on
    std/table.mafia: 5 of 6 touched
      std/table.mafia:25:3: never done: say "{p} shows a card: {role of p}." as revealed
    tiny.mafia: 15 of 18 touched
      tiny.mafia:42:6: never done: guard
      tiny.mafia:42:6: rule `guard` never comes in
      tiny.mafia:46:33: no game ends by `wolf-wins`
    in all 30 of 39 touched (76.9 %)
    "#);
}

/// A scenario that does not hold shows nothing, and is told beside those that do.
#[test]
fn a_ledger_tells_what_does_not_hold() {
    let play = "ruleset tiny\ncovers T-1\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\n\
                play \"one goes\"\nNight 1 {\n  host -> nobody\n  host -> Bob\n}\nexpect Bob is out\n\
                play \"another goes\"\nNight 1 {\n  host -> nobody\n  host -> Cid\n}\nexpect Cid is out\n\
                play \"one stays\"\ncovers T-1, T-2, T-2\nNight 1 {\n  host -> nobody\n  host -> Bob\n}\nexpect Bob is not out\n";
    let folder = folder_with(include_str!("mutation/tiny.mafia"), play);
    let told = |more: &[&str]| {
        omerta_in(
            folder.path(),
            &[&["test", "tiny.play", "--ledger"], more].concat(),
            b"",
        )
    };
    let done = told(&[]);
    assert_eq!(done.code, Some(1), "{}", done.told());
    insta::assert_snapshot!(done.out, @r"
    T-1 ... FAILED by 1 of 3 scenarios
      one stays
    T-2 ... FAILED by 1 scenario
      one stays
    2 rules named; 0 scenarios without any
    ");
    let done = told(&["--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let rules = told["rules"].as_array().unwrap().iter();
    let rules = rules.map(|rule| {
        (
            rule["rule"].as_str().unwrap(),
            &rule["scenarios"],
            &rule["failed"],
        )
    });
    let all = serde_json::json!(["one goes", "another goes", "one stays"]);
    let one = serde_json::json!(["one stays"]);
    assert_eq!(
        rules.collect::<Vec<_>>(),
        [("T-1", &all, &one), ("T-2", &one, &one)]
    );
}
