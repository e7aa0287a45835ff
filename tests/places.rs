//! Rules, a library of theirs, overlays and scenarios that lie in folders of their own: every command finds them, and
//! what is laid on or chosen is in what it does.

use crate::program::{Done, omerta_in, write};
use std::{fs, path::Path};
use tempfile::TempDir;

const GAME: &str = r#"ruleset game "The game"
use std.table, "lib/words.mafia"
publish Day

players 3..6

cast {
  players   3..6
  Wolf      1
  Villager  rest
}

team Pack "the pack"
team Village "the village"
role Wolf "a wolf" of Pack
role Villager "a villager" of Village
mark gone

option noise: soft | hard = soft "how the day sounds"

script {
  play Deal
  repeat {
    play Day
    judge
  }
}

scene Day {
  say "{greeting}"
  if noise is hard {
    play Din
  }
  ask host for guest from living "Who goes?"
  mark guest as gone
  do departure of guest
}

scene Din {
  say "It is hard."
}

ending village: win Village when no living Wolf "The wolf is gone."
ending pack: win Pack when number of living is at most 2 "The wolf has won."
"#;

/// A folder with all of it, each in a folder of its own.
fn folder() -> TempDir {
    let root = TempDir::new().unwrap();
    for (file, text) in [
        ("rules/game.mafia", GAME),
        (
            "rules/lib/words.mafia",
            "library words\ndefine greeting = \"Good day.\"\n",
        ),
        (
            "rules/loud.mafia",
            "overlay loud \"Loud days\" on game {\n  scene Roar { say \"LOUD\" }\n  rule loud: after Day { play Roar }\n}\n",
        ),
        // Another of that name, beside the scenarios: what stands beside the text goes first.
        (
            "tests/near/loud.mafia",
            "overlay loud \"Near days\" on game {\n  rule near: after Day { say \"NEAR\" }\n}\n",
        ),
        (
            "house/quiet.mafia",
            "overlay quiet \"Quiet days\" on game {\n  scene Hush { say \"Hush.\" }\n  rule quiet: before Day { play Hush }\n}\n",
        ),
        (
            "tests/a.play",
            "ruleset \"../rules/game.mafia\" with loud, \"../house/quiet.mafia\"\nseats Ann: Wolf, Bob, Cid, Dee\n\nplay \"all of it\"\nset noise = hard\nDay 1 {\n  expect said \"Hush.\" then \"Good day.\" then \"It is hard.\"\n  host -> Ann\n}\nexpect said \"LOUD\"\nexpect winner Village\n",
        ),
        (
            "tests/near/b.play",
            "ruleset \"../../rules/game.mafia\" with loud\nseats Ann: Wolf, Bob, Cid, Dee\n\nplay \"the near one\"\nDay 1 {\n  host -> Ann\n}\nexpect said \"NEAR\"\nexpect never said \"LOUD\"\n",
        ),
    ] {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(root.path(), file, text);
    }
    fs::create_dir(root.path().join("elsewhere")).unwrap();
    root
}

fn done(root: &Path, words: &str, input: &str) -> Done {
    let words: Vec<&str> = words.split(' ').collect();
    omerta_in(root, &words, input.as_bytes())
}

/// What each command tells of the rules as they are, with an overlay by its name, one by its path, and an option: a
/// word that stands there then, and not otherwise.
const COMMANDS: &[(&str, &str, [&str; 3])] = &[
    (
        "play GAME --names Ann,Bob,Cid,Dee --seed 1 --plain",
        "Bob\nquit\n",
        ["LOUD", "Hush.", "It is hard."],
    ),
    ("show GAME", "", ["loud", "quiet", "[hard]"]),
    ("book GAME", "", ["LOUD", "Hush.", "*Din*"]),
    ("graph GAME", "", ["Roar", "Hush", "Din"]),
    (
        "sim GAME --games 20 --seed 1",
        "",
        ["loud", "quiet", "noise hard"],
    ),
];

#[test]
fn every_command_takes_what_is_laid_on_from_where_it_lies() {
    let root = folder();
    for (from, rules, house) in [
        (root.path().to_owned(), "rules/game.mafia", "house/quiet.mafia"),
        (
            root.path().join("elsewhere"),
            "../rules/game.mafia",
            "../house/quiet.mafia",
        ),
        (root.path().join("rules"), "game", "../house/quiet.mafia"),
    ] {
        for (words, input, [loud, quiet, hard]) in COMMANDS {
            let words = words.replace("GAME", rules);
            let bare = done(&from, &words, input);
            assert_eq!(bare.code, Some(0), "{words}: {}", bare.told());
            for (more, there) in [
                ("--with loud".to_owned(), loud),
                (format!("--with {house}"), quiet),
                ("--set noise=hard".to_owned(), hard),
            ] {
                let laid = done(&from, &format!("{words} {more}"), input);
                assert_eq!(laid.code, Some(0), "{words} {more}: {}", laid.told());
                let count = |done: &Done| done.out.matches(there).count();
                assert!(
                    count(&laid) > count(&bare),
                    "{words} {more}: no `{there}` more\n{}\n{}",
                    bare.out,
                    laid.out
                );
            }
        }
        let compared = done(&from, &format!("diff {rules} {rules}+loud+{house}"), "");
        assert!(
            compared.out.contains("+ Roar") && compared.out.contains("+ Hush"),
            "{}",
            compared.told()
        );
    }
}

#[test]
fn scenarios_name_rules_and_overlays_as_seen_from_their_file() {
    let root = folder();
    for (from, tests) in [
        ("", "tests"),
        ("tests", "."),
        ("elsewhere", "../tests"),
        ("tests/near", ".."),
    ] {
        let from = root.path().join(from);
        let ran = done(&from, &format!("test {tests}"), "");
        assert!(
            ran.code == Some(0) && ran.told().contains("2 scenarios hold"),
            "{}",
            ran.told()
        );
        for more in ["--coverage", "--strength"] {
            let ran = done(&from, &format!("test {more} {tests}"), "");
            assert!(ran.code.is_some_and(|code| code < 2), "{more}: {}", ran.told());
        }
    }
    for rules in ["rules/game.mafia", "rules/lib/words.mafia", "rules/loud.mafia"] {
        let checked = done(root.path(), &format!("check {rules}"), "");
        assert_eq!(checked.code, Some(0), "{}", checked.told());
    }
}
