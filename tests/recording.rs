//! Games found among random ones: few, telling, and scenarios like any other.

use std::{
    path::Path,
    process::{Command, Output},
};

/// A folder with the small game, which may end in two ways.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tiny = include_str!("mutation/tiny.mafia").replace("living without Wolf", "living")
        + "\nending flock-wins: win Flock when no living Wolf \"it was the wolf\"\n";
    std::fs::write(folder.path().join("tiny.mafia"), tiny).unwrap();
    folder
}

/// Runs `omerta test` where it may write.
fn test_in(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_omerta"))
        .arg("test")
        .args(words)
        .current_dir(folder)
        .env_remove("CI")
        .output()
        .unwrap()
}

fn written(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("tiny-games.play")).unwrap()
}

fn told(done: &Output) -> String {
    let [out, err] = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}")
}

#[test]
fn recorded_games_are_scenarios_that_hold() {
    let folder = folder();
    let done = test_in(folder.path(), &["--record", "5", "--games", "40", "tiny.mafia"]);
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    let text = written(folder.path());
    let games = text.matches("\nplay ").count();
    assert!((1..=5).contains(&games), "{text}");
    assert_eq!(text.matches("\nsnapshot").count(), games);
    let done = test_in(folder.path(), &[]);
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    assert!(told(&done).contains(&format!("tiny-games.play ... {games} ok")));
}

#[test]
fn one_finds_the_same_games_each_time() {
    let texts = ["1", "4"].map(|threads| {
        let folder = folder();
        test_in(
            folder.path(),
            &[
                "--record",
                "5",
                "--games",
                "40",
                "tiny.mafia",
                "--threads",
                threads,
            ],
        );
        written(folder.path())
    });
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn a_shorter_list_is_the_beginning_of_a_longer_one() {
    let texts = ["1", "5"].map(|count| {
        let folder = folder();
        test_in(folder.path(), &["--record", count, "--games", "40", "tiny.mafia"]);
        written(folder.path())
    });
    assert!(texts[1].starts_with(&texts[0]), "{}", texts[1]);
    assert!(texts[1].len() > texts[0].len(), "{}", texts[1]);
}

#[test]
fn recorded_games_notice_more_than_half_of_all_slips() {
    let folder = folder();
    test_in(folder.path(), &["--record", "5", "--games", "40", "tiny.mafia"]);
    let done = test_in(folder.path(), &["--mutate", "tiny.mafia", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let noticed = told["noticed"].as_u64().unwrap();
    let unnoticed = told["unnoticed"].as_array().unwrap().len() as u64;
    assert!(noticed > unnoticed, "{told}");
}

#[test]
fn what_is_there_is_not_written_over() {
    let folder = folder();
    std::fs::write(folder.path().join("tiny-games.play"), "// mine\n").unwrap();
    let done = test_in(folder.path(), &["--record", "1", "tiny.mafia"]);
    assert_eq!(done.status.code(), Some(2), "{}", told(&done));
    assert_eq!(written(folder.path()), "// mine\n");
}

#[test]
fn nothing_is_recorded_without_one_ruleset() {
    let folder = folder();
    for words in [
        &["--record", "1"][..],
        &["--record", "1", "tiny.mafia", "city"],
        &["--record", "0", "tiny.mafia"],
        &["--players", "3", "tiny.mafia"],
        &["--record", "1", "tiny.mafia", "--coverage"],
    ] {
        let done = test_in(folder.path(), words);
        assert_eq!(done.status.code(), Some(2), "{words:?}: {}", told(&done));
    }
    let on_a_build_server = Command::new(env!("CARGO_BIN_EXE_omerta"))
        .args(["test", "--record", "1", "tiny.mafia"])
        .current_dir(folder.path())
        .env("CI", "true")
        .output()
        .unwrap();
    assert_eq!(on_a_build_server.status.code(), Some(2));
    assert!(!folder.path().join("tiny-games.play").exists());
}
