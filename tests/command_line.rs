//! The program as people and pipes meet it: what it prints where, and how it exits.

use crate::program::{Done, SCENARIOS, TINY, folder, folder_with, omerta_in, played};

fn omerta(args: &[&str]) -> Done {
    omerta_in(folder().path(), args, b"")
}

#[track_caller]
fn exits(args: &[&str], code: i32, on_out: &str, on_err: &str) {
    let done = omerta(args);
    assert_eq!(done.code, Some(code), "{args:?}\n{}\n{}", done.out, done.err);
    assert!(
        done.out.contains(on_out),
        "{args:?}: `{on_out}` is not in\n{}",
        done.out
    );
    assert!(
        done.err.contains(on_err),
        "{args:?}: `{on_err}` is not in\n{}",
        done.err
    );
}

/// Scenarios that share lines share what is wrong with them: it is told of the first.
#[test]
fn a_cause_that_several_scenarios_have_is_told_once_and_each_has_its_line() {
    let play = "ruleset \"tiny.mafia\"\nseats Ann: Wolf, Bob, Cid, Dee\ncommon wrong { expect Zed is living }\n\
        play \"one\"\ninclude wrong\nplay \"two\"\ninclude wrong\nplay \"three\"\nexpect goes on\n";
    let folder = folder_with(TINY, play);
    let done = omerta_in(folder.path(), &["run", "tiny.play"], b"");
    let lines: Vec<&str> = done.out.lines().collect();
    let wanted = [
        "one ... FAILED",
        "two ... FAILED for a cause that is shown above",
        "three ... ok",
        "1 scenario holds, 2 FAILED",
    ];
    assert_eq!(lines, wanted, "{}", done.err);
    assert_eq!(done.err.matches("M0921").count(), 1, "{}", done.err);
}

/// Names and answers are looked at, and the rules a scenario plays by; whether the game is as it expects is not.
#[test]
fn scenarios_are_checked_for_what_stands_in_them_and_not_for_what_they_expect() {
    let checked = |play: &str| {
        let folder = folder_with(
            TINY,
            &format!("ruleset \"tiny.mafia\"\nseats Ann: Wolf, Bob, Cid, Dee\n{play}"),
        );
        omerta_in(folder.path(), &["check", "--format", "short", "tiny.play"], b"")
    };
    let fails = "play \"a\"\nexpect Ann is Sheep\nexpect Bob is Wolf\n";
    let told = checked(fails);
    assert_eq!((told.code, told.out.as_str()), (Some(0), ""), "{}", told.err);
    let told = checked(
        "common wrong { expect Zed is living }\nplay \"a\"\ninclude wrong\nplay \"b\"\ninclude wrong\n",
    );
    assert_eq!(
        (told.code, told.out.matches("M0921").count()),
        (Some(1), 1),
        "{}",
        told.out
    );
    let told = checked("play \"a\"\nexpect Ann is Ann\n");
    assert_eq!(
        (told.code, told.out.matches("M0752").count()),
        (Some(0), 1),
        "{}",
        told.out
    );
    let told = checked("set none = some\nplay \"a\"\nexpect Ann is living\n");
    assert_eq!(
        (told.code, told.out.matches("M0613").count()),
        (Some(1), 1),
        "{}",
        told.out
    );
}

#[test]
fn arguments_that_cannot_be_are_told_in_words() {
    exits(
        &["play", "--resume", "abc"],
        2,
        "",
        "cannot be `abc`: write a whole number, 0 or more",
    );
    exits(
        &["play", "--sessions", "city"],
        2,
        "",
        "`--sessions` stands alone: leave the rest out",
    );
    exits(&["new", ""], 2, "", "wants a value: nothing stands there");
}

/// What lasts until the end of a scene already is over where that begins: no later end would help.
#[test]
fn what_is_told_to_last_longer_does_not_last_so_long_already() {
    let rules = TINY.replace(
        "mark bitten \"bitten\"",
        "mark bitten until end of Night \"bitten\"",
    );
    let rules = rules.replace("\"Who is bitten?\"", "\"Who is bitten? {bitten}\"");
    let rules = rules.replace("  judge\n", "  say \"{bitten}\"\n  judge\n");
    let folder = folder_with(&rules, "");
    let done = omerta_in(folder.path(), &["check", "tiny.mafia"], b"");
    assert!(done.out.contains("M0756"), "{}", done.told());
    assert!(!done.out.contains("until the end of `Night`"), "{}", done.out);
    assert!(
        done.out.contains("in `Night` it is asked for before it is set"),
        "{}",
        done.out
    );
}

#[test]
fn each_command_exits_as_the_table_says() {
    exits(
        &["check", "tiny.mafia", "tiny.play"],
        0,
        "",
        "2 files, nothing to mend",
    );
    exits(
        &["check", "--format", "json", "tiny.mafia"],
        0,
        "{\"version\":1,\"diagnostics\":[]}",
        "",
    );
    exits(&["run", "tiny.play"], 0, "a wolf that is bitten loses ... ok", "");
    exits(&["test"], omerta(&["test"]).code.unwrap(), "scenario", "");
    exits(&["test", "."], 0, "1 scenario holds", "");
    exits(
        &["test", ".", "--filter", "no such"],
        2,
        "",
        "no scenario has `no such`",
    );
    exits(&["list"], 0, "Rulesets", "");
    exits(&["explain", "201"], 0, "# M0201", "");
    exits(&["explain"], 0, "M0201", "");
    exits(&["completions", "bash"], 0, "_omerta", "");
    exits(&["--version"], 0, "omerta", "");
    exits(&["--help"], 0, "First steps", "");
}

#[test]
fn slips_on_the_command_line_say_what_to_do() {
    exits(&[], 2, "", "Usage");
    exits(&["chek"], 2, "", "check");
    exits(&["check"], 2, "", "FILES");
    exits(
        &["playy"],
        2,
        "",
        "there is no command `playy`; did you mean `play`?",
    );
    let words = ["play", "tiny.mafia", "--sead", "3"];
    exits(
        &words,
        2,
        "",
        "there is no option `--sead` here; did you mean `--seed`?",
    );
    exits(
        &["show", "tiny.mafia", "extra"],
        2,
        "",
        "`extra` is a word too many",
    );
    exits(&["book"], 2, "", "`RULESET` is missing; `omerta help book` shows");
    exits(
        &["completions", "tcsh"],
        2,
        "",
        "cannot be `tcsh`: it is one of bash",
    );
    exits(
        &["new", "tiny.mafia/x"],
        2,
        "",
        "a file stands where a folder should be",
    );
    exits(&["check", "tinny.mafia"], 2, "", "did you mean `tiny.mafia`?");
    exits(&["run", "tiny.pley"], 2, "", "did you mean `tiny.play`?");
    exits(&["check", "."], 0, "", "2 files, nothing to mend");
    exits(&["explain", "M9999"], 2, "", "there is no error `M9999`");
    exits(&["show", "tinny"], 1, "", "there is no ruleset or file `tinny`");
    exits(&["play", "tiny.mafia", "--set", "fierce"], 2, "", "OPTION=VALUE");
    exits(
        &["play", "tiny.mafia", "--set", "feirce=no"],
        1,
        "",
        "did you mean `fierce`?",
    );
    exits(
        &["play", "tiny.mafia", "--set", "fierce=no,fierce=yes"],
        2,
        "",
        "set twice",
    );
    exits(
        &["play", "tiny.mafia", "--set", "fierce=no,mild=yes,fierce=yes"],
        2,
        "",
        "the option `fierce` is set twice",
    );
    for many in ["99", "some", "0"] {
        let words = ["play", "tiny.mafia", "--players", many];
        exits(&words, 2, "", "write a whole number from 1 to 64");
    }
    exits(
        &["sim", "tiny.mafia", "--seed", "x"],
        2,
        "",
        "write a whole number, 0 or more",
    );
    exits(
        &["book", "tiny.mafia", "--cards", "x.pdf"],
        2,
        "",
        "pages to print",
    );
    exits(
        &["play", "tiny.mafia", "--players", "7"],
        1,
        "",
        "no cast for 7 players",
    );
    exits(
        &["play", "tiny.mafia", "--names", "Ann,ann,Cid"],
        2,
        "",
        "two are called `ann`",
    );
    exits(
        &["play", "tiny.mafia", "--names", "Ann,2nd,Cid"],
        2,
        "",
        "number of an option",
    );
    exits(&["play", "tiny.mafia", "--with", "nothing"], 1, "", "nothing");
    let folder = folder();
    std::fs::write(
        folder.path().join("laid.mafia"),
        "overlay laid \"Laid\" on tiny {\n}\n",
    )
    .unwrap();
    let done = omerta_in(folder.path(), &["play", "laid.mafia"], b"quit\n");
    assert!(
        done.out.contains("A tiny game"),
        "an overlay is played on its ruleset\n{}{}",
        done.out,
        done.err
    );
    let two = "overlay laid \"Laid\" on tiny {\n}\noverlay other \"Other\" on tiny {\n}\n";
    std::fs::write(folder.path().join("laid.mafia"), two).unwrap();
    let done = omerta_in(folder.path(), &["play", "laid.mafia"], b"");
    assert!(
        done.err.contains("this is an overlay and no game by itself"),
        "{}",
        done.err
    );
}

#[test]
fn a_ruleset_is_shown_with_all_it_has() {
    insta::assert_snapshot!(omerta(&["show", "tiny.mafia"]).out);
}

#[test]
fn a_failed_scenario_is_told_on_both_streams() {
    let folder = folder();
    let text = SCENARIOS.replace("winners Bob, Cid", "winners Ann");
    std::fs::write(folder.path().join("tiny.play"), text).unwrap();
    let done = omerta_in(folder.path(), &["run", "tiny.play"], b"");
    assert_eq!(done.code, Some(1));
    assert_eq!(
        done.out,
        "a wolf that is bitten loses ... FAILED\n0 scenarios hold, 1 FAILED\n"
    );
    assert!(
        done.err.contains("M0929") && done.err.contains("tiny.play:6"),
        "{}",
        done.err
    );
    let done = omerta_in(folder.path(), &["test", "."], b"");
    assert_eq!(done.code, Some(1));
    assert!(done.out.ends_with("0 scenarios hold, 1 FAILED\n"), "{}", done.out);
}

#[test]
fn a_run_as_json_is_an_object_a_line_and_ends_with_the_outcome() {
    let done = omerta(&["run", "tiny.play", "--json"]);
    assert_eq!(done.code, Some(0));
    let lines: Vec<serde_json::Value> = done
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["kind"], "table");
    assert_eq!(lines[0]["seats"], serde_json::json!(["Ann", "Bob", "Cid"]));
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["kind"], &last["passed"], &last["ending"]),
        (&"outcome".into(), &true.into(), &"wolf-gone".into())
    );
    let bitten = lines
        .iter()
        .find(|line| line["public"] == "Ann was bitten.")
        .unwrap();
    assert_eq!(bitten["place"]["file"], "tiny.mafia");
    let dealt = lines
        .iter()
        .find(|line| line["audience"] == serde_json::json!(["Ann"]))
        .unwrap();
    assert_eq!(dealt["public"], serde_json::Value::Null);
}

#[test]
fn fmt_lays_out_files_and_standard_input() {
    let folder = folder();
    let loose = TINY.replace("players 3..6\ncast", "players   3..6\n\n\n\ncast");
    let done = omerta_in(folder.path(), &["fmt", "-"], loose.as_bytes());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let laid_out = done.out;
    assert!(laid_out.contains("players 3..6\n"));
    let path = folder.path().join("tiny.mafia");
    std::fs::write(&path, &loose).unwrap();
    let check = omerta_in(folder.path(), &["fmt", "--check", "tiny.mafia"], b"");
    assert_eq!((check.code, check.out.as_str()), (Some(1), "tiny.mafia\n"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), loose);
    assert_eq!(
        omerta_in(folder.path(), &["fmt", "tiny.mafia"], b"").code,
        Some(0)
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), laid_out);
    assert_eq!(
        omerta_in(folder.path(), &["fmt", "--check", "tiny.mafia"], b"").code,
        Some(0)
    );
    let broken = omerta_in(folder.path(), &["fmt", "-"], b"ruleset x\nrole A {\n");
    assert_eq!((broken.code, broken.out.as_str()), (Some(1), ""));
}

#[test]
fn an_overlay_is_checked_on_its_base() {
    let folder = folder();
    let overlay = "overlay mild \"Mild wolves\" on tiny {\n  choose fierce = no\n}\n";
    std::fs::write(folder.path().join("mild.mafia"), overlay).unwrap();
    let done = omerta_in(folder.path(), &["check", "--format", "short", "mild.mafia"], b"");
    assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
    let done = omerta_in(folder.path(), &["show", "tiny.mafia", "--with", "mild"], b"");
    assert!(done.out.contains("[no]"), "{}\n{}", done.out, done.err);
    std::fs::write(folder.path().join("mild.mafia"), overlay.replace("tiny", "huge")).unwrap();
    let done = omerta_in(folder.path(), &["check", "--format", "short", "mild.mafia"], b"");
    assert_eq!(done.code, Some(1));
    assert!(
        done.out.starts_with("mild.mafia:1:31: error[M0101]"),
        "{}",
        done.out
    );
}

#[test]
fn lines_that_end_as_on_very_old_machines_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("// A tiny game.\n{TINY}").replace('\n', "\r");
    std::fs::write(folder.path().join("old.mafia"), text).unwrap();
    let done = omerta_in(folder.path(), &["check", "old.mafia"], b"");
    assert!(
        done.out.contains("M0102") && done.out.contains("`CR` alone"),
        "{}",
        done.told()
    );
    let before = std::fs::read(folder.path().join("old.mafia")).unwrap();
    let done = omerta_in(folder.path(), &["fmt", "old.mafia"], b"");
    assert!(
        done.code == Some(1) && done.err.contains("`CR` alone"),
        "{}",
        done.told()
    );
    assert_eq!(std::fs::read(folder.path().join("old.mafia")).unwrap(), before);
}

/// What cannot be read in a folder is told, and all else in it is done; so it is with files that are named.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_hides_none_of_the_others() {
    let folder = folder();
    let at = folder.path();
    let is_there = |name: &str| at.join(name).exists();
    std::os::unix::fs::symlink("nowhere", at.join("a.mafia")).unwrap();
    std::os::unix::fs::symlink("nowhere", at.join("a.play")).unwrap();
    std::fs::write(at.join("bad.mafia"), "ruleset bad").unwrap();
    std::fs::write(
        at.join("wide.mafia"),
        TINY.replace("mark bitten", "mark   bitten"),
    )
    .unwrap();
    let told = |args: &[&str]| {
        let done = omerta_in(at, args, b"");
        assert_eq!(done.code, Some(2), "{args:?}\n{}", done.told());
        assert!(
            done.err.contains("a.") && !done.err.contains("nothing to mend"),
            "{}",
            done.err
        );
        done
    };
    for files in [&["."][..], &["a.mafia", "bad.mafia"]] {
        let check = told(&[&["check", "--format", "short"], files].concat());
        assert!(check.out.contains("bad.mafia:1:"), "{}", check.told());
    }
    assert!(told(&["fmt", "--check", "."]).out.contains("wide.mafia"));
    told(&["fmt", "."]);
    assert_eq!(
        std::fs::read_to_string(at.join("wide.mafia")).unwrap(),
        std::fs::read_to_string(at.join("tiny.mafia")).unwrap()
    );
    assert!(told(&["test"]).out.contains("1 scenario holds"));
    assert!(told(&["check", "a.mafia"]).out.is_empty() && !is_there("a.mafia"));
}

#[test]
fn an_overlay_is_found_wherever_it_stands_in_the_folder() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let mild = "overlay mild \"Mild wolves\" on tiny {\n  choose fierce = no\n}\n";
    let calm = "overlay calm on tiny {\n  flag hush\n}\n";
    write("pair.mafia", &format!("{mild}{calm}"));
    let check = omerta_in(folder.path(), &["check", "--format", "short", "pair.mafia"], b"");
    assert!(
        check.out.contains("M0704") || check.out.contains("M0705"),
        "{}{}",
        check.out,
        check.err
    );
    assert_eq!(check.code, Some(0), "{}", check.out);
    let shown = |with: &str| omerta_in(folder.path(), &["show", "tiny.mafia", "--with", with], b"").out;
    for with in ["mild", "pair.mafia", "pair.mafia:mild", "pair.mafia,mild"] {
        assert!(shown(with).contains("[no]"), "{with}: {}", shown(with));
    }
    for with in ["calm", "pair.mafia:calm"] {
        assert!(shown(with).contains("[yes]"), "{with}: {}", shown(with));
    }
    for with in ["mild", "\"pair.mafia\"", "\"pair.mafia:mild\", calm"] {
        let said = "play \"licked\"\nNight 1 { host -> Ann }\nexpect said containing \"licked\"\n";
        let head = SCENARIOS.split("play").next().unwrap();
        write(
            "mild.play",
            &format!(
                "{}{said}",
                head.replace("ruleset tiny", &format!("ruleset tiny with {with}"))
            ),
        );
        let run = omerta_in(folder.path(), &["run", "mild.play"], b"");
        assert_eq!(run.code, Some(0), "{with}: {}{}", run.out, run.err);
    }
    write("again.mafia", mild);
    let twice = omerta_in(folder.path(), &["show", "tiny.mafia", "--with", "mild"], b"");
    assert!(
        twice.err.contains("M0105") && twice.err.contains("again.mafia"),
        "{}",
        twice.err
    );
    write("outside.mafia", &format!("{mild}flag loose\n"));
    let outside = omerta_in(
        folder.path(),
        &["check", "--format", "short", "outside.mafia"],
        b"",
    );
    assert!(
        outside.out.contains("M0102") && outside.out.contains("outside the overlay"),
        "{}",
        outside.out
    );
}

/// Who plays where nobody says it: as many as the first column of the cast that is named has, or as is usual.
#[test]
fn a_cast_that_is_named_says_how_many_play() {
    let casts =
        "cast few { players 3 4; Wolf 1 1; Sheep 2 3 }\ncast many { players 5..6; Wolf 2; Sheep rest }\n";
    let folder = folder_with(&format!("{TINY}{casts}"), "");
    for (words, wanted) in [
        (&["--cast", "few"][..], "3 players"),
        (&["--cast", "many"], "5 players"),
        (&["--cast", "many", "--players", "6"], "6 players"),
        (&["--cast", "few", "--names", "Ann,Bob,Cid,Dee"], "4 players"),
        (&[], "6 players"),
    ] {
        let args = [&["play", "tiny.mafia", "--seed", "4"], words].concat();
        let done = omerta_in(folder.path(), &args, b"");
        let head = done.out.lines().next().unwrap_or_default();
        assert!(
            head.contains(&format!(", {wanted}, ")),
            "{words:?}: {head}{}",
            done.err
        );
    }
}

/// Where as many play as may, it is one number, of a table and of its columns.
#[test]
fn a_table_of_one_size_is_told_as_one_number() {
    for (numbers, wanted) in [("4", "4 players"), ("3..4", "3 to 4 players")] {
        let folder = folder_with(&TINY.replace("players 3..6", &format!("players {numbers}")), "");
        let done = omerta_in(folder.path(), &["show", "tiny.mafia"], b"");
        let told = done
            .out
            .lines()
            .map(|line| line.trim().trim_end_matches("1 Wolf, the rest Sheep").trim());
        let told: Vec<&str> = told.filter(|line| line.ends_with(" players")).collect();
        assert_eq!(told, [wanted, wanted], "{}", done.told());
    }
}

/// Of the numbers for which there is a cast the one next to what is usual; of two that are as near, the one with more.
#[test]
fn where_nobody_says_how_many_play_it_is_the_nearest_number_that_has_a_cast() {
    let rules = TINY.replace(
        "players 3..6\ncast {\n  players 3..6\n",
        "players 3..40\ncast {\n  players COLUMNS\n",
    );
    for (columns, wanted) in [
        ("3..40", 8),
        ("7 9", 9),
        ("7 10", 7),
        ("6 10", 10),
        ("5 12", 5),
        ("3..5 36..40", 5),
        ("20..40", 20),
        ("3..4", 4),
    ] {
        let cells = vec!["1"; columns.split(' ').count()].join(" ");
        let rest = vec!["rest"; columns.split(' ').count()].join(" ");
        let rules = rules.replace("COLUMNS", columns);
        let rules = rules.replace("Wolf 1\n", &format!("Wolf {cells}\n"));
        let folder = folder_with(&rules.replace("Sheep rest", &format!("Sheep {rest}")), "");
        let done = omerta_in(folder.path(), &["play", "tiny.mafia", "--seed", "4"], b"");
        let head = done.out.lines().next().unwrap_or_default();
        assert!(
            head.contains(&format!(", {wanted} players, ")),
            "{columns}: {}",
            done.told()
        );
    }
}

/// Cards that are put in, one by one and together, each in the stead of one that it may replace.
#[test]
fn cards_that_are_put_in_are_all_dealt() {
    let roles = "role Owl \"an owl\" of Flock replaces Sheep\nrole Cub \"a cub\" of Pack replaces Wolf\n";
    let folder = folder_with(&format!("{TINY}{roles}"), "");
    for (words, wanted) in [
        (&[][..], ["a sheep", "a sheep", "a sheep", "a wolf"]),
        (
            &["--put-in", "Owl"][..],
            ["a sheep", "a sheep", "a wolf", "an owl"],
        ),
        (
            &["--put-in", "Owl,Cub"],
            ["a cub", "a sheep", "a sheep", "an owl"],
        ),
        (
            &["--put-in", "Cub,Owl,Owl"],
            ["a cub", "a sheep", "an owl", "an owl"],
        ),
        (&["--put-in", "Owl 2"], ["a sheep", "a wolf", "an owl", "an owl"]),
        (
            &["--put-in", "Owl", "--put-in", "Cub"],
            ["a cub", "a sheep", "a sheep", "an owl"],
        ),
    ] {
        let args = [&["play", "tiny.mafia", "--players", "4", "--seed", "4"], words].concat();
        let done = omerta_in(folder.path(), &args, b"");
        let seats = done.out.lines().filter(|line| line.starts_with("   ")).take(4);
        let mut cards: Vec<&str> = seats.filter_map(|line| line.trim().split("  ").nth(1)).collect();
        cards.sort_unstable();
        assert_eq!(cards, wanted, "{words:?}: {}{}", done.out, done.err);
    }
}

#[test]
fn a_library_keeps_its_own_names_and_says_where_a_missing_one_is() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let check = |name: &str| omerta_in(folder.path(), &["check", "--format", "human", name], b"");
    let extra = "scene Vote {\n  play Plurality of living\n  mark chosen as candidates\n}\nmark candidates\n";
    let voted = TINY.replace(
        "repeat { play Night }",
        "repeat { play Night  play Vote  say \"{candidates}\" }",
    );
    write(
        "voted.mafia",
        &format!(
            "{}{extra}",
            voted
                .replace("  play Vote", "; play Vote")
                .replace("  say", "; say")
        ),
    );
    let missing = check("voted.mafia");
    assert!(
        missing.out.contains("`use std.vote`"),
        "{}{}",
        missing.out,
        missing.err
    );
    let text = std::fs::read_to_string(folder.path().join("voted.mafia")).unwrap();
    write(
        "voted.mafia",
        &text.replace("use std.table", "use std.table, std.vote"),
    );
    let done = check("voted.mafia");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

#[test]
fn of_a_word_that_is_none_it_is_said_what_was_meant() {
    let folder = folder();
    let told = |args: &[&str]| {
        let done = omerta_in(folder.path(), args, b"");
        format!("{}{}", done.out, done.err)
    };
    assert!(told(&["run", "tiny.mafia"]).contains("holds rules and no scenarios"));
    assert!(
        told(&["sim", "tiny.mafia", "--threads", "99999"]).contains("write a whole number from 0 to 256")
    );
    let mended = |before: &str, after: &str, help: &str| {
        let text = TINY.replacen(before, after, 1);
        assert_ne!(text, TINY, "{before} is not there");
        std::fs::write(folder.path().join("wrong.mafia"), text).unwrap();
        let told = told(&["check", "wrong.mafia"]);
        assert!(told.contains(help), "{after}: {told}");
    };
    mended("players 3..6", "players 6..3", "`players 3..6`");
    mended(
        "judge\n",
        "judge\n  ask host for n friends from living\n",
        "`(n) friends from …`",
    );
    mended(
        "judge\n",
        "judge\n  if number of living is 2 / 1 { judge }\n",
        "a division must say how it is rounded",
    );
    mended("} else {", "} elif fierce is no {", "write `else if`");
    mended("mark prey as", "mark prey, prey as", "joined by `plus`");
    mended(
        "judge\n",
        "judge\n  if prey is a Wolf { judge }\n",
        "write `if prey is Wolf { … }`",
    );
    mended(
        "when no living Wolf",
        "when no living Wolf and Sheep",
        "`no living (Wolf plus Sheep)`",
    );
    mended("when no living Wolf", "when living Wolf is 0", "`no living Wolf`");
    mended(
        "judge\n",
        "judge\n  let n = top players of living\n",
        "stands in brackets",
    );
}

#[test]
fn garbage_ends_in_words_and_never_in_a_panic() {
    let folder = folder();
    let nested = format!("ruleset x\nscript {{ {} }}\n", "if yes { ".repeat(20_000));
    let brackets = format!("ruleset x\ndefine a = {}players\n", "(".repeat(50_000));
    let binary: Vec<u8> = (0..=255).cycle().take(9_999).collect();
    let long = vec![b'x'; 5 << 20];
    let garbage: [(&str, &[u8]); 6] = [
        ("empty", b""),
        ("binary", &binary),
        ("nested", nested.as_bytes()),
        ("brackets", brackets.as_bytes()),
        ("long", &long),
        ("zeros", &[0; 4096]),
    ];
    for (name, bytes) in garbage {
        for ending in ["mafia", "play", "game"] {
            std::fs::write(folder.path().join(format!("{name}.{ending}")), bytes).unwrap();
        }
        let (rules, play) = (format!("{name}.mafia"), format!("{name}.play"));
        let asked: [&[&str]; 6] = [
            &["check", &rules],
            &["check", &play],
            &["run", &play],
            &["show", &rules],
            &["play", &rules],
            &["fmt", "--check", &rules],
        ];
        for args in asked {
            let done = omerta_in(folder.path(), args, b"");
            assert!(matches!(done.code, Some(0..=2)), "{args:?}: {:?}", done.code);
        }
        let load = format!("load {name}.game\n");
        let done = omerta_in(
            folder.path(),
            &["play", "tiny.mafia", "--players", "3"],
            load.as_bytes(),
        );
        assert_eq!(done.code, Some(1), "{name}: {}", done.err);
        let done = omerta_in(folder.path(), &["play", "tiny.mafia", "--players", "3"], bytes);
        assert!(matches!(done.code, Some(0 | 1)), "{name}: {:?}", done.code);
    }
}

#[test]
fn what_a_command_makes_takes_the_place_of_nothing_that_somebody_wrote() {
    let folder = folder();
    let done = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        omerta_in(folder.path(), &words, b"")
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (rules, scenarios) = (read("tiny.mafia"), read("tiny.play"));
    for words in [
        "sim tiny.mafia --games 5 --out tiny.mafia",
        "sim tiny.mafia --games 5 --html tiny.play",
        "exact tiny.mafia --players 4 --html tiny.play",
        "book tiny.mafia --html tiny.mafia",
        "book tiny.mafia --cards tiny.play",
        "graph tiny.mafia --svg tiny.mafia",
        "test tiny.play --lcov tiny.play",
        "check --deep tiny.mafia --games 10 --write tiny.play",
    ] {
        let refused = done(words);
        assert_eq!(refused.code, Some(2), "{words}: {}", refused.err);
        assert!(refused.err.contains("name another"), "{words}: {}", refused.err);
        assert_eq!(
            (read("tiny.mafia"), read("tiny.play")),
            (rules.clone(), scenarios.clone()),
            "{words}"
        );
    }
    // What it made itself it makes anew.
    for words in [
        "graph tiny.mafia --svg page.svg",
        "check --deep tiny.mafia --games 30 --write found.play",
    ] {
        let name = words.rsplit(' ').next().unwrap();
        let first = (done(words).code, read(name));
        assert_eq!((done(words).code, read(name)), first, "{words}");
        assert_eq!(first.0, Some(0), "{words}");
    }
}

/// Where nobody says how many play, as many do as there is a cast for: the next number to the usual one.
#[test]
fn as_many_play_as_the_rules_have_a_cast_for() {
    for (words, players) in [
        (&["play", "vendetta"][..], "8 players"),
        (&["play", "vendetta", "--with", "loner"], "10 players"),
        (&["play", "two-player"], "2 players"),
    ] {
        let done = omerta(words);
        assert!(done.out.contains(players), "{words:?}: {}{}", done.out, done.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_no_success() {
    let folder = folder();
    let lines = [
        "--help",
        "--version",
        "help sim",
        "list",
        "show city",
        "book city",
        "explain M0301",
        "graph city",
        "diff city village",
        "completions bash",
        "exact two-player",
        "sim city --games 10 --seed 1",
    ];
    for line in lines {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = crate::program::omerta(folder.path())
            .args(line.split(' '))
            .stdout(full)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {told}");
        assert!(told.contains("cannot be written"), "{line}: {told}");
    }
}

// ---- Games from a pipe

/// A number that is divided by 0 and one that is too large stop a game, each with its own words, where something is done
/// and where it is only asked whether something holds.
#[test]
fn numbers_that_cannot_be_counted_stop_the_game() {
    let folder = tempfile::tempdir().unwrap();
    for (reckoned, told) in [
        ("6 / none rounded up", "a number is divided by 0"),
        ("remainder of 6 / none", "a number is divided by 0"),
        ("much * much", "a number is larger than can be counted"),
        ("much + much", "a number is larger than can be counted"),
        ("0 - much - much - 1", "a number is larger than can be counted"),
    ] {
        for line in [
            format!("set none to {reckoned}"),
            format!("if {reckoned} is 1 {{ wait }}"),
            format!("ask players where {reckoned} is 1 for x from players"),
        ] {
            let rules = format!(
                "ruleset odd\nplayers 1\ncast {{\n  Guest 1\n}}\nrole Guest\ncount none\ncount much = 1\nscript {{\n  \
                 repeat 62 times {{ set much to much * 2 }}\n  {line}\n}}\n"
            );
            std::fs::write(folder.path().join("odd.mafia"), rules).unwrap();
            let done = omerta_in(folder.path(), &["play", "odd.mafia"], b"");
            assert!(done.told().contains(told), "{line}: {}", done.told());
        }
    }
}

#[test]
fn a_game_is_played_from_a_pipe() {
    let done =
        played("table\nBob does growl-at Ann\ngo\nd\n# a remark\n\nundo\n4\ngo\nann\nlog public\nwhy\n");
    insta::assert_snapshot!(done.out);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
}

#[test]
fn what_cannot_be_done_is_refused_with_what_can() {
    let done = played("go\nZed\nBobb\nundoo\nhelp tabel\nEve does growl-at Bob\nlog Zed\n9\n");
    assert_eq!(done.code, Some(1));
    insta::assert_snapshot!(done.err);
}

#[test]
fn who_sits_where_may_be_drawn() {
    let folder = folder();
    let rules = TINY.replace("players 3..6\ncast", "players 3..6 seated by lot\ncast");
    std::fs::write(folder.path().join("drawn.mafia"), rules).unwrap();
    let seated = |seed: &str| {
        let names = ["--names", "Ann,Bob,Cid,Dee,Eve,Fay", "--seed", seed];
        let done = omerta_in(
            folder.path(),
            &[&["play", "drawn.mafia"], &names[..]].concat(),
            b"quit\n",
        );
        assert_eq!(done.code, Some(0), "{}", done.err);
        let line = done
            .out
            .lines()
            .find_map(|line| line.strip_prefix("Chance has seated them: "));
        line.expect("who sits where").to_owned()
    };
    let four = seated("4");
    assert_eq!(seated("4"), four);
    assert_ne!(four, "Ann, Bob, Cid, Dee, Eve and Fay.");
    assert_ne!(seated("5"), four);
    let sorted = |text: &str| {
        let mut names: Vec<&str> = text
            .split([',', ' ', '.'])
            .filter(|name| name.len() == 3 && *name != "and")
            .collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(sorted(&four), "Ann Bob Cid Dee Eve Fay");
}

#[test]
fn the_same_seed_and_answers_give_the_same_game() {
    let lines = "random end\nlog all\n";
    assert_eq!(played(lines).out, played(lines).out);
    let back = played("random 3\nundo 2\nrandom end\nundo 99\nredo 1\nquit\n");
    assert_eq!(back.code, Some(0), "{}", back.err);
}

#[test]
fn a_game_is_saved_and_loaded() {
    let folder = folder();
    let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
    let done = omerta_in(folder.path(), &args, b"go\nBob\nsave a.game\nsave tiny.mafia\n");
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("is no saved game"), "{}", done.err);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("tiny.mafia")).unwrap(),
        TINY
    );
    let done = omerta_in(
        folder.path(),
        &["play", "tiny.mafia"],
        b"load a.game\nlog public\nundo\n",
    );
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("Bob was bitten."), "{}", done.out);
    let changed = TINY.replace("mark prey as bitten", "mark nobody as bitten");
    std::fs::write(folder.path().join("tiny.mafia"), changed).unwrap();
    let done = omerta_in(folder.path(), &["play", "tiny.mafia"], b"load a.game\n");
    assert!(
        done.out.contains("the rules have changed"),
        "{}\n{}",
        done.out,
        done.err
    );
}

#[test]
fn dice_may_be_rolled_by_hand() {
    let done = played("help roll\nroll by-hand\ngo\nBob\nroll\nroll by-seed\n");
    assert_eq!(done.code, Some(1), "nothing is left to chance here: {}", done.err);
    assert!(done.err.contains("chance is not asked now"), "{}", done.err);
}

#[test]
fn a_game_of_several_files_is_read_from_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let chess = folder.path().join("chess");
    std::fs::create_dir(&chess).unwrap();
    let write = |name: &str, text: &str| std::fs::write(chess.join(name), text).unwrap();
    write(
        "chess.mafia",
        "ruleset chess\nuse chess.board\nscript {\n  play Opening\n}\n",
    );
    write(
        "board.mafia",
        "library board\nuse chess.men\nscene Opening {\n  do check of players\n}\n",
    );
    write(
        "men.mafia",
        "library men\nuse chess.board\nevent check of p {\n  say \"{p}: check.\"\n}\n",
    );
    for (place, file) in [
        (folder.path(), "chess/chess.mafia"),
        (folder.path(), "chess/board.mafia"),
        (folder.path(), "./chess/men.mafia"),
        (chess.as_path(), "chess.mafia"),
        (chess.as_path(), "men.mafia"),
    ] {
        let done = omerta_in(place, &["check", file], b"");
        assert_eq!(
            (done.code, done.err.as_str()),
            (Some(0), "1 file, nothing to mend\n"),
            "{file}: {}",
            done.out
        );
    }
    write("men.mafia", "library men\nevent chek of p {\n}\n");
    let done = omerta_in(folder.path(), &["check", "chess/chess.mafia"], b"");
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.out.contains("chess/board.mafia"), "{}", done.out);
}

#[test]
fn overlays_that_share_a_file_are_checked_and_laid_on_one_by_one() {
    let folder = folder();
    let two = "overlay loud on tiny {\n  rule cry: after departure of players as p {\n    say \"{p} cries.\"\n  }\n}\n\
               overlay louder on tiny {\n}\n";
    std::fs::write(folder.path().join("both.mafia"), two).unwrap();
    let done = omerta_in(folder.path(), &["check", "both.mafia"], b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let cries = |with: &str| {
        let play = SCENARIOS
            .replace("ruleset tiny", &format!("ruleset tiny with {with}"))
            .replace("host -> Ann }", "host -> Ann; expect said \"Ann cries.\" }");
        std::fs::write(folder.path().join("loud.play"), play).unwrap();
        omerta_in(folder.path(), &["run", "loud.play"], b"")
    };
    let done = cries("\"both.mafia:loud\"");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = cries("\"both.mafia:louder\"");
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    std::fs::write(
        folder.path().join("both.mafia"),
        two.replace("{p} cries", "{q} cries"),
    )
    .unwrap();
    let done = omerta_in(folder.path(), &["check", "both.mafia"], b"");
    assert!(done.out.contains("M0201"), "{}", done.out);
}

#[test]
fn a_base_that_is_not_there_is_one_mistake() {
    let folder = folder();
    std::fs::write(
        folder.path().join("lost.mafia"),
        "overlay lost on metropolis {\n  replace scene Day { nothing }\n}\n",
    )
    .unwrap();
    let done = omerta_in(folder.path(), &["check", "lost.mafia"], b"");
    assert_eq!(done.code, Some(1));
    assert!(
        done.out.contains("M0101") && done.out.contains("1 error"),
        "{}",
        done.out
    );
    assert!(
        !done.out.contains("`basic`"),
        "only rulesets are suggested: {}",
        done.err
    );
}

#[test]
fn a_library_leaves_its_casts_to_the_table_of_the_ruleset() {
    let folder = folder();
    let setups = "library setups\nrole Fox \"a fox\" of Pack replaces Sheep\ncast foxy at 4 with Fox for Sheep\n\
                  team Pack \"the pack\"\nteam Flock \"the flock\"\nrole Sheep \"a sheep\" of Flock\n";
    std::fs::write(folder.path().join("setups.mafia"), setups).unwrap();
    let done = omerta_in(folder.path(), &["check", "setups.mafia"], b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let rules = TINY
        .replace("use std.table", "use std.table, setups")
        .replace("team Pack \"the pack\"\nteam Flock \"the flock\"\n", "")
        .replace("role Sheep \"a sheep\" of Flock\n", "");
    std::fs::write(
        folder.path().join("tiny.mafia"),
        rules.replace("cast {", "cast only {"),
    )
    .unwrap();
    let done = omerta_in(folder.path(), &["show", "tiny.mafia"], b"");
    assert!(
        done.out.contains("foxy") && done.out.contains("No other cast is played"),
        "{}{}",
        done.out,
        done.err
    );
    std::fs::write(folder.path().join("setups.mafia"), setups.replace("at 4", "at 9")).unwrap();
    let done = omerta_in(folder.path(), &["check", "tiny.mafia"], b"");
    assert!(done.out.contains("M0412"), "{}", done.out);
}

#[test]
fn what_a_library_does_is_told_where_it_is_named_by_its_path_and_what_it_keeps_for_others_is_not() {
    let folder = folder();
    let setups =
        "library setups\nscene Omen {\n  leave\n  say \"A bat.\"\n}\nscene Rain {\n  say \"Rain.\"\n}\n";
    std::fs::write(folder.path().join("setups.mafia"), setups).unwrap();
    let told = |used: &str| {
        let rules = TINY
            .replace("use std.table", used)
            .replace("judge\n", "play Omen\n  judge\n");
        std::fs::write(folder.path().join("tiny.mafia"), rules).unwrap();
        omerta_in(folder.path(), &["check", "--format", "short", "tiny.mafia"], b"").out
    };
    let by_path = told("use std.table, \"setups.mafia\"");
    assert!(by_path.contains("setups.mafia:4:3: warning[M0757]"), "{by_path}");
    assert!(!by_path.contains("M0718"), "{by_path}");
    assert!(!told("use std.table, setups").contains("M0757"));
}

/// A library serves other games as well, in which the scene is played.
#[test]
fn what_a_library_asks_for_that_goes_on_in_other_games_alone_is_not_told() {
    let folder = folder();
    let omen = "scene Omen {\n  if during Rain { say \"A frog.\" }\n  say \"A bat.\"\n}\n\
                scene Rain {\n  say \"Rain.\"\n}\n";
    std::fs::write(
        folder.path().join("setups.mafia"),
        format!("library setups\n{omen}"),
    )
    .unwrap();
    let told = |used: &str, more: &str| {
        let rules = TINY
            .replace("use std.table", used)
            .replace("judge\n", "play Omen\n  judge\n");
        std::fs::write(folder.path().join("tiny.mafia"), rules + more).unwrap();
        omerta_in(folder.path(), &["check", "--format", "short", "tiny.mafia"], b"").out
    };
    for used in ["use std.table, \"setups.mafia\"", "use std.table, setups"] {
        let from_there = told(used, "");
        assert!(!from_there.contains("M0744"), "{from_there}");
    }
    let own = told("use std.table", omen);
    assert!(own.contains("warning[M0744]"), "{own}");
}

#[test]
fn cards_that_lie_unseen_are_offered_by_their_places() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lang/backs.mafia");
    let play = ["play", rules, "--players", "3", "--seed", "3"];
    let done = omerta_in(folder().path(), &play, b"aside 2\n1\nquit\n");
    assert_eq!(done.code, Some(0), "{}", done.err);
    for shown in [
        "1 aside 1   2 aside 2   3 aside 3   4 pass",
        "Ann: card 2 of the cards laid aside",
        "1 aside 1   2 aside 3   3 no more",
    ] {
        assert!(done.out.contains(shown), "{shown}: {}", done.out);
    }
}

#[test]
fn a_fair_is_shown_with_all_it_has() {
    let folder = tempfile::tempdir().unwrap();
    crate::program::write(folder.path(), "fair.mafia", include_str!("rulebook/fair.mafia"));
    let show = |args: &[&str]| {
        let done =
            crate::program::omerta_in(folder.path(), &[&["show", "fair.mafia"][..], args].concat(), b"");
        format!("{}{}", done.out, done.err)
    };
    insta::assert_snapshot!(show(&[]));
    assert!(show(&["--set", "stew=no", "--set", "watches=3"]).contains("watches"));
}

/// Of each sort of event the first three, with the table and the outcome.
#[test]
fn a_day_at_the_fair_is_told_to_programs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("fair.mafia", include_str!("rulebook/fair.mafia")),
        ("fair.play", include_str!("rulebook/fair.play")),
    ] {
        crate::program::write(folder.path(), name, text);
    }
    let done = crate::program::omerta_in(folder.path(), &["run", "fair.play", "--json"], b"");
    let mut told = std::collections::BTreeMap::new();
    let mut first_three = |line: &&str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let sort = format!("{} {}", line["kind"], line["what"]);
        let times: &mut u32 = told.entry(sort).or_default();
        *times += 1;
        *times <= 3
    };
    let lines: String = done
        .out
        .lines()
        .filter(|line| first_three(line))
        .map(|line| format!("{line}\n"))
        .collect();
    // The digest of the rules changes with every word of them.
    let at = lines.find("\"identity\":\"").unwrap() + 12;
    insta::assert_snapshot!(lines.replacen(&lines[at..at + 16], "…", 1));
}

/// What games have in common that were drawn out of too many is certain of none of them, and follows from nothing.
#[test]
fn nothing_is_certain_of_games_that_were_drawn() {
    let words = [
        "worlds",
        "tests/lang/knows.play",
        "--seat",
        "public",
        "--most",
        "26",
    ];
    let done = omerta_in(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), &words, b"");
    let told: Vec<&str> = done.out.split("  What everybody can know (").skip(1).collect();
    let (drawn, counted): (Vec<&str>, Vec<&str>) = told
        .into_iter()
        .partition(|told| told.contains("drawn by chance"));
    assert!(
        drawn.iter().any(|told| told.contains("in all of them")),
        "{}",
        done.out
    );
    assert!(counted.iter().any(|told| told.contains("surely")), "{}", done.out);
    for told in drawn {
        assert!(told.contains(" off):"), "{told}");
        assert!(!told.contains("surely") && !told.contains("because of"), "{told}");
    }
}

/// An overlay is checked with what it needs on that base: of two that are called so the one beside it in its file.
#[test]
fn an_overlay_is_checked_with_what_it_needs_on_each_base() {
    let overlays = "overlay first \"One\" on city, town {\n  on town { needs second }\n  rule late: after Night { say \"Late.\" }\n}\n\
        overlay second \"Two\" on city, town {\n  choose tied-vote = nobody\n}\n";
    let folder = tempfile::tempdir().unwrap();
    for file in ["a.mafia", "b.mafia"] {
        std::fs::write(folder.path().join(file), overlays).unwrap();
    }
    let done = omerta_in(folder.path(), &["check", "a.mafia"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
}
