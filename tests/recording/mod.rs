//! Games found among random ones: few, telling, and scenarios like any other.

use crate::program::{Done, omerta, omerta_in, run, write};
use std::path::Path;

/// A folder with the small game, which may end in two ways.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tiny = include_str!("../mutation/tiny.mafia").replace("living without Wolf", "living")
        + "\nending flock-wins: win Flock when no living Wolf \"it was the wolf\"\n";
    write(folder.path(), "tiny.mafia", &tiny);
    folder
}

/// Runs `omerta test` where it may write.
fn test_in(folder: &Path, words: &[&str]) -> Done {
    omerta_in(folder, &[&["test"], words].concat(), b"")
}

fn written(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("tiny-games.play")).unwrap()
}

#[test]
fn recorded_games_are_scenarios_that_hold() {
    let folder = folder();
    let done = test_in(folder.path(), &["--record", "5", "--games", "40", "tiny.mafia"]);
    assert_eq!(done.code, Some(0), "{}", done.told());
    let text = written(folder.path());
    let games = text.matches("\nplay ").count();
    assert!((1..=5).contains(&games), "{text}");
    assert_eq!(text.matches("\nsnapshot").count(), games);
    let done = test_in(folder.path(), &[]);
    assert_eq!(done.code, Some(0), "{}", done.told());
    assert!(done.told().contains(&format!("tiny-games.play ... {games} ok")));
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
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let noticed = told["noticed"].as_u64().unwrap();
    let unnoticed = told["unnoticed"].as_array().unwrap().len() as u64;
    assert!(noticed > unnoticed, "{told}");
}

/// Overlays come into the file as they were named, each of several, and the games are played with all of them.
#[test]
fn games_are_recorded_with_the_overlays_that_were_named() {
    let folder = folder();
    let tiny = std::fs::read_to_string(folder.path().join("tiny.mafia")).unwrap();
    write(
        folder.path(),
        "tiny.mafia",
        &tiny.replacen("\nteam ", "\npublish Night\nteam ", 1),
    );
    for (name, base) in [("dusk", "tiny"), ("dawn", "tiny")] {
        let text = format!(
            "overlay {name} \"House rules\" on {base} {{\n  rule {name}-is-told: before Night {{\n    say \"It is {name}.\"\n  }}\n}}\n"
        );
        write(folder.path(), &format!("{name}.mafia"), &text);
    }
    for (with, head) in [
        ("dusk", "ruleset \"tiny.mafia\" with dusk\n"),
        ("dusk.mafia", "ruleset \"tiny.mafia\" with \"dusk.mafia\"\n"),
        ("dusk,dawn", "ruleset \"tiny.mafia\" with dusk, dawn\n"),
        (
            "./dawn.mafia,dusk",
            "ruleset \"tiny.mafia\" with \"./dawn.mafia\", dusk\n",
        ),
    ] {
        let words = ["--record", "1", "--games", "5", "tiny.mafia", "--with", with];
        let done = test_in(folder.path(), &words);
        assert_eq!(done.code, Some(0), "{with}: {}", done.told());
        assert!(
            written(folder.path()).starts_with(head),
            "{}",
            written(folder.path())
        );
        let kept = std::fs::read_dir(folder.path().join("snapshots"))
            .unwrap()
            .next()
            .unwrap();
        let kept = std::fs::read_to_string(kept.unwrap().path()).unwrap();
        for name in ["dusk", "dawn"] {
            let is_told = kept.contains(&format!("It is {name}."));
            assert_eq!(is_told, with.contains(name), "{with}: {kept}");
        }
        std::fs::remove_file(folder.path().join("tiny-games.play")).unwrap();
        std::fs::remove_dir_all(folder.path().join("snapshots")).unwrap();
    }
}

#[test]
fn what_is_there_is_not_written_over() {
    let folder = folder();
    std::fs::write(folder.path().join("tiny-games.play"), "// mine\n").unwrap();
    let done = test_in(folder.path(), &["--record", "1", "tiny.mafia"]);
    assert_eq!(done.code, Some(2), "{}", done.told());
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
        assert_eq!(done.code, Some(2), "{words:?}: {}", done.told());
    }
    let words = ["test", "--record", "1", "tiny.mafia"];
    let on_a_build_server = run(omerta(folder.path()).args(words).env("CI", "true"), b"");
    assert_eq!(on_a_build_server.code, Some(2));
    assert!(!folder.path().join("tiny-games.play").exists());
}

/// A booth with options, casts with a name, cards for others, draws and turns: which games tell the most of it, and what they tell.
/// What is worth a game is seen in the games that are kept alone, so they are shown as they are written.
#[test]
fn the_games_that_tell_the_most_are_written_shortest_first() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "booth.mafia", include_str!("booth.mafia"));
    let record = |words: &[&str]| {
        let done = test_in(folder.path(), &[&["--record"], words, &["booth.mafia"]].concat());
        assert_eq!(done.code, Some(0), "{}", done.told());
        let path = folder.path().join("booth-games.play");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        format!("{}----\n{}", done.told(), text)
    };
    let all = record(&["9", "--games", "60"]);
    let few = record(&["2", "--games", "20", "--players", "4"]);
    insta::assert_snapshot!(format!("{all}----\n{few}"));
}
