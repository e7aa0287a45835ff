//! `omerta test` as people, build servers and insta meet it: snapshots in their files, formats, threads.

use crate::program::{AT_TABLE, TINY, folder_with, omerta, omerta_in, run, write};
use omerta::faces::runner::machine;
use omerta_workbench::{
    bundle::Shelf,
    runner::{Plan, Ran, bundled, run_suite, run_text},
};
use std::{fs, path::Path};
use tempfile::TempDir;

const SCENARIO: &str = r#"ruleset tiny
seats Ann: Wolf, Bob: Sheep, Cid: Sheep

play "a wolf that is bitten loses"
covers TINY-1
Night 1 { host -> Ann }
expect winners Bob, Cid
snapshot
"#;

const SNAP: &str = "snapshots/tiny__a-wolf-that-is-bitten-loses.snap";

fn folder() -> TempDir {
    folder_with(TINY, SCENARIO)
}

/// Its exit code with both streams, one after the other.
fn test_in(folder: &Path, words: &[&str], on_server: &str, typed: &str) -> (i32, String) {
    let mut command = omerta(folder);
    command.arg("test").args(words).env("CI", on_server);
    let done = run(&mut command, typed.as_bytes());
    (done.code.unwrap(), done.told())
}

#[track_caller]
fn ends(folder: &Path, words: &[&str], code: i32, with: &str) -> String {
    let (found, text) = test_in(folder, words, "", "");
    assert_eq!(found, code, "{words:?}\n{text}");
    assert!(text.contains(with), "{words:?}: `{with}` is not in\n{text}");
    text
}

fn read(folder: &Path, name: &str) -> Option<String> {
    fs::read_to_string(folder.join(name)).ok()
}

/// What some see face down stands in a snapshot with who sees it, beside what others see of the same cards.
#[test]
fn a_snapshot_has_what_is_seen_face_down() {
    let rules = "ruleset tiny\nuse std.table\nplayers 3\ncast {\n  Guest rest\n}\nteam House\nrole Guest of House\n\
                 token Coin \"a coin\" several \"coins\" 3\nzone box \"the box\"\n\
                 zone purse \"the purse\" of each seen by owner with backs seen by players\n\
                 script {\n  play Deal\n  put Coin in box\n  move 1 from box to purse of seat 1\n  win House\n}\n";
    let play =
        "ruleset tiny\nseats Ann: Guest, Bob: Guest, Cid: Guest\nplay \"a coin\"\nrun to end\nsnapshot\n";
    let folder = folder_with(rules, play);
    let here = folder.path();
    ends(here, &["--accept"], 0, "1 scenario holds");
    let kept = fs::read_to_string(here.join("snapshots/tiny__a-coin.snap")).unwrap();
    let seen = "[Ann] a coin to the purse of Ann\n[Bob and Cid] a card face down to the purse of Ann\n";
    assert!(kept.contains(seen), "{kept}");
    write(
        here,
        "tiny.mafia",
        &rules.replace(" with backs seen by players", ""),
    );
    ends(
        here,
        &[],
        1,
        "- [Bob and Cid] a card face down to the purse of Ann",
    );
}

#[test]
fn a_snapshot_is_new_then_kept_then_another() {
    let folder = folder();
    let here = folder.path();
    ends(here, &[], 1, "was never accepted");
    assert!(read(here, SNAP).is_none());
    assert!(read(here, &format!("{SNAP}.new")).is_some());

    ends(here, &["--accept"], 0, "1 scenario holds");
    insta::assert_snapshot!(
        read(here, SNAP)
            .unwrap()
            .lines()
            .skip(1)
            .filter(|line| !line.contains("identity:"))
            .collect::<Vec<_>>()
            .join("\n")
    );
    assert!(read(here, &format!("{SNAP}.new")).is_none());
    ends(here, &[], 0, "1 scenario holds");
    // It may come out of a store that ends lines otherwise.
    let lines = read(here, SNAP).unwrap().replace('\n', "\r\n");
    write(here, SNAP, &lines);
    ends(here, &[], 0, "1 scenario holds");

    write(here, "tiny.mafia", &TINY.replace("was bitten.", "is gone."));
    let text = ends(here, &[], 1, "the rules have changed since");
    assert!(text.contains("- ") && text.contains("Ann is gone."), "{text}");
    let kept = read(here, SNAP).unwrap();
    assert!(kept.contains("Ann was bitten."), "nothing was accepted\n{kept}");
}

#[test]
fn rules_that_are_only_written_otherwise_change_no_snapshot() {
    let folder = folder();
    let here = folder.path();
    ends(here, &["--accept"], 0, "");
    let same = TINY.replace(
        "ask host for prey from living",
        "// Anybody.\n  ask host for prey from (living)",
    );
    write(here, "tiny.mafia", &same);
    ends(here, &[], 0, "1 scenario holds");
}

#[test]
fn a_state_that_is_not_printed_shows_all_the_same() {
    let folder = folder();
    let here = folder.path();
    ends(here, &["--accept"], 0, "");
    let kept = read(here, SNAP).unwrap();
    let digest = kept
        .lines()
        .find(|line| line.starts_with('(') && line.len() == 10)
        .unwrap();
    let broken = kept.replace(digest, "(00000000)");
    write(here, SNAP, &broken);
    ends(here, &[], 1, "though the rules are the same");
}

#[test]
fn a_review_accepts_rejects_and_skips() {
    let folder = folder();
    let here = folder.path();
    let (code, text) = test_in(here, &["--review"], "", "s\n");
    assert_eq!(code, 1, "{text}");
    assert!(read(here, &format!("{SNAP}.new")).is_some());
    let (code, _) = test_in(here, &["--review"], "", "r\n");
    assert_eq!((code, read(here, &format!("{SNAP}.new"))), (1, None));
    let (code, text) = test_in(here, &["--review"], "", "?\nw\na\n");
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("[1/1]") && text.contains("accept this and all"),
        "{text}"
    );
    assert!(read(here, SNAP).is_some());
    // Nobody answers: all is left for later.
    write(here, "tiny.mafia", &TINY.replace("was bitten.", "is gone."));
    assert_eq!(test_in(here, &["--review"], "", "").0, 1);
    assert!(read(here, SNAP).unwrap().contains("was bitten."));
}

#[test]
fn on_a_build_server_nothing_is_written() {
    let folder = folder();
    let here = folder.path();
    assert_eq!(test_in(here, &[], "true", "").0, 1);
    for words in ["--accept", "--delete-orphans", "--review"] {
        let (code, text) = test_in(here, &[words], "1", "a\n");
        assert_eq!(code, 2, "{words}\n{text}");
        assert!(text.contains("CI is set"), "{text}");
    }
    assert!(!here.join("snapshots").exists());
    for (set, writes) in [
        ("yes", false),
        ("True", false),
        ("00", false),
        ("0", true),
        ("false", true),
        ("", true),
    ] {
        let folder = crate::runner::folder();
        assert_eq!(test_in(folder.path(), &[], set, "").0, 1, "{set}");
        let laid = read(folder.path(), &format!("{SNAP}.new"));
        assert_eq!(laid.is_some(), writes, "{set}");
        let code = test_in(folder.path(), &["--accept"], set, "").0;
        assert_eq!(code, if writes { 0 } else { 2 }, "{set}");
    }
}

/// Of several snapshots a capital letter is for this and all that follow, a small one for this alone: what is accepted is
/// there, what is left lies beside, and what is rejected is nowhere.
#[test]
fn a_capital_letter_in_a_review_is_for_all_that_follow() {
    let games = ["first", "second", "third"];
    let scenarios = games.map(|title| {
        let lines = SCENARIO
            .split_once("play ")
            .unwrap()
            .1
            .split_once('\n')
            .unwrap()
            .1;
        format!("play \"{title}\"\n{lines}")
    });
    let text = format!(
        "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep\n\n{}",
        scenarios.join("\n")
    );
    for (typed, code, questions, wanted) in [
        ("A\n", 0, 1, ["kept", "kept", "kept"]),
        ("R\n", 1, 1, ["nowhere", "nowhere", "nowhere"]),
        ("S\n", 1, 1, ["beside", "beside", "beside"]),
        ("q\n", 1, 1, ["beside", "beside", "beside"]),
        ("quit\n", 1, 1, ["beside", "beside", "beside"]),
        ("a\nr\ns\n", 1, 3, ["kept", "nowhere", "beside"]),
        ("accept\nreject\nskip\n", 1, 3, ["kept", "nowhere", "beside"]),
        ("a\nR\n", 1, 2, ["kept", "nowhere", "nowhere"]),
        ("r\nA\n", 1, 2, ["nowhere", "kept", "kept"]),
        ("r\nS\n", 1, 2, ["nowhere", "beside", "beside"]),
        ("r\nd\nw\nA\n", 1, 4, ["nowhere", "kept", "kept"]),
        // Nobody answers any more.
        ("r\n", 1, 2, ["nowhere", "beside", "beside"]),
    ] {
        let folder = folder_with(TINY, &text);
        let here = folder.path();
        // What has lain there from an earlier run goes with what is rejected.
        assert_eq!(test_in(here, &[], "", "").0, 1);
        let (found, told) = test_in(here, &["--review"], "", typed);
        let at = games.map(|title| {
            let file = format!("snapshots/tiny__{title}.snap");
            match (read(here, &file), read(here, &format!("{file}.new"))) {
                (Some(_), None) => "kept",
                (None, Some(_)) => "beside",
                (None, None) => "nowhere",
                (Some(_), Some(_)) => "both",
            }
        });
        assert_eq!((found, at), (code, wanted), "{typed}{told}");
        assert_eq!(
            told.matches("accept, reject or skip?").count(),
            questions,
            "{typed}{told}"
        );
    }
}

/// What stands for something else in a form of results is written so that it is read as itself.
#[test]
fn titles_of_scenarios_with_signs_of_the_form_are_read_as_themselves() {
    let title = "#1 at C:\\\\tmp & <co> % 100";
    let folder = folder_with(TINY, &SCENARIO.replace("a wolf that is bitten loses", title));
    let here = folder.path();
    ends(here, &["--accept"], 0, "");
    ends(
        here,
        &["--format", "tap"],
        0,
        "ok 1 - tiny.play: \\#1 at C:\\\\tmp & <co> % 100\n",
    );
    ends(
        here,
        &["--format", "junit"],
        0,
        "name=\"#1 at C:\\tmp &amp; &lt;co&gt; % 100\"",
    );
    let text = ends(here, &["--format", "json"], 0, "");
    let json: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(
        json["files"][0]["scenarios"][0]["name"],
        "#1 at C:\\tmp & <co> % 100"
    );
}

#[test]
fn a_snapshot_of_nobody_is_reported_and_removed_when_asked() {
    let folder = folder();
    let here = folder.path();
    ends(here, &["--accept"], 0, "");
    write(
        here,
        "tiny.play",
        &SCENARIO.replace("a wolf that is bitten", "a bitten wolf"),
    );
    ends(here, &["--accept"], 0, "no scenario makes this snapshot");
    assert!(read(here, SNAP).is_some());
    ends(here, &["--delete-orphans"], 0, "removed ");
    assert!(read(here, SNAP).is_none());
    assert_eq!(fs::read_dir(here.join("snapshots")).unwrap().count(), 1);
}

/// A snapshot that another file of the folder makes is nobody's orphan.
#[test]
fn a_snapshot_of_another_file_is_left_alone() {
    let folder = folder();
    let here = folder.path();
    write(here, "other.play", SCENARIO);
    ends(here, &["--accept"], 0, "");
    assert_eq!(fs::read_dir(here.join("snapshots")).unwrap().count(), 2);
    for file in ["tiny.play", "other.play"] {
        let done = omerta_in(here, &["test", file, "--delete-orphans"], b"");
        assert!(
            !done.told().contains("no scenario makes this snapshot"),
            "{}",
            done.told()
        );
    }
    assert_eq!(fs::read_dir(here.join("snapshots")).unwrap().count(), 2);
}

/// Who runs some scenarios has no orphans: the others were not asked which snapshots are theirs.
#[test]
fn what_a_filter_leaves_out_loses_no_snapshot() {
    let folder = folder();
    let here = folder.path();
    let other = SCENARIO
        .rsplit_once("play ")
        .unwrap()
        .1
        .replace("a wolf that is bitten", "another wolf");
    write(here, "tiny.play", &format!("{SCENARIO}\nplay {other}"));
    ends(here, &["--accept"], 0, "");
    let kept = || fs::read_dir(here.join("snapshots")).unwrap().count();
    assert_eq!(kept(), 2);
    for words in [
        &["--filter", "another"][..],
        &["--filter", "another", "--delete-orphans"],
        &["--filter", "another", "--accept", "--delete-orphans"],
        &["--filter", "nothing of the kind", "--delete-orphans"],
    ] {
        let (_, text) = test_in(here, words, "", "");
        assert!(
            !text.contains("no scenario makes this snapshot"),
            "{words:?}: {text}"
        );
        assert_eq!(kept(), 2, "{words:?}: {text}");
    }
    ends(here, &["--delete-orphans"], 0, "");
    assert_eq!(kept(), 2);
}

/// A file that cannot be read counts as one that does not hold, and nobody knows which snapshots are its own.
#[test]
fn a_file_that_is_wrong_fails_and_loses_no_snapshot() {
    let folder = folder();
    let here = folder.path();
    ends(here, &["--accept"], 0, "");
    for wrong in [
        "Night 1 { host -> }",
        "Night 1 { host -> Ann",
        "Night 1 host -> Ann }",
    ] {
        let renamed = SCENARIO.replace("that is bitten", "that was bitten");
        write(
            here,
            "tiny.play",
            &renamed.replace("Night 1 { host -> Ann }", wrong),
        );
        let text = ends(here, &["--delete-orphans"], 1, "0 ok, 1 FAILED");
        assert!(text.contains("0 scenarios hold, 1 FAILED"), "{text}");
        assert!(!text.contains("no scenario makes this snapshot"), "{text}");
        assert!(read(here, SNAP).is_some(), "{wrong}");
    }
}

#[test]
fn insta_reads_our_files_and_we_read_what_it_writes() {
    let folder = folder();
    let here = folder.path();
    ends(here, &["--accept"], 0, "");
    let path = here.join(SNAP);
    let theirs = insta::Snapshot::from_file(&path).unwrap();
    assert_eq!(theirs.metadata().source(), Some("tiny.play"));
    assert!(format!("{:?}", theirs.contents()).contains("Ann was bitten."));
    // As `cargo insta review` stores what was accepted.
    theirs.save(&path).unwrap();
    ends(here, &[], 0, "1 scenario holds");
}

#[test]
fn one_mistake_in_the_rules_is_shown_once() {
    let folder = folder();
    let here = folder.path();
    write(
        here,
        "tiny.mafia",
        &TINY.replace("prey from living", "prey from livign"),
    );
    let more = SCENARIO.replace("snapshot\n", "");
    let second = more
        .split_once("play ")
        .unwrap()
        .1
        .replace("a wolf", "another wolf");
    write(here, "tiny.play", &format!("{more}\nplay {second}"));
    let text = ends(here, &[], 1, "1 more FAILED for a cause that is shown above");
    assert_eq!(text.matches("M0201").count(), 1, "{text}");
    assert!(text.contains("2 FAILED"), "{text}");
}

/// A question that a house rule has added is missing in every scenario, and told of once.
#[test]
fn a_question_that_many_scenarios_leave_open_is_told_once_with_its_places() {
    let folder = folder();
    let here = folder.path();
    for (scenarios, failed, places) in [
        (1, None, None),
        (
            2,
            Some("1 more FAILED for a cause that is"),
            Some("at tiny.play:8 as well"),
        ),
        (
            3,
            Some("2 more FAILED for causes that are"),
            Some("at tiny.play:8 and tiny.play:12 as well"),
        ),
        (
            4,
            Some("3 more FAILED"),
            Some("at tiny.play:8, tiny.play:12 and tiny.play:16 as well"),
        ),
        (
            5,
            Some("4 more FAILED"),
            Some("at tiny.play:8, tiny.play:12, tiny.play:16 and 1 more place as well"),
        ),
        (
            6,
            Some("5 more FAILED"),
            Some("at tiny.play:8, tiny.play:12, tiny.play:16 and 2 more places as well"),
        ),
    ] {
        let one = "play \"open\"\nruleset tiny\nseats Ann, Bob, Cid\nrun to end\n";
        write(here, "tiny.play", &one.repeat(scenarios));
        let text = ends(here, &[], 1, failed.unwrap_or("1 FAILED"));
        assert_eq!(text.matches("error[M0923]").count(), 1, "{text}");
        match places {
            Some(places) => assert!(text.contains(places), "{text}"),
            None => assert!(!text.contains("as well"), "{text}"),
        }
    }
}

/// The codes of what does not hold in a scenario where everybody else passes.
fn codes_of(ruleset: &str, seats: &str, lines: &str) -> Vec<&'static str> {
    let text = format!("ruleset {ruleset}\nseats {seats}\notherwise pass\nplay \"x\"\n{lines}\n");
    let ran = run_text(Shelf::default(), "x.play", &text, |_| true);
    assert_eq!(ran.problems, Vec::new(), "{lines}");
    ran.reports[0]
        .diagnostics
        .iter()
        .map(|problem| problem.code.0)
        .collect()
}

/// The same of the bundled game for five.
fn codes(lines: &str) -> Vec<&'static str> {
    let seats = "Ann: Doctor, Bob: Mafioso, Cid: Commissioner, Dee: Civilian, Eve: Civilian";
    codes_of("city", seats, lines)
}

#[test]
fn those_who_are_asked_together_answer_by_their_names() {
    let seats = "Ann: Mafioso, Bob: Mafioso, Cid: Civilian, Dee: Civilian, Eve: Civilian";
    let clan = |lines: &str| codes_of("city", seats, lines);
    assert_eq!(clan("Night 1 { Ann, Bob -> Dee }\nexpect Dee is out"), [""; 0]);
    assert_eq!(
        clan("Night 1 { Ann, Bob, Cid -> Dee }"),
        ["M0924"],
        "Cid is asked nothing"
    );
    assert_eq!(clan("Night 1 { Ann -> Dee }"), ["M0924"], "Bob has a say, too");
    assert_eq!(clan("Night 1 { refused Ann, Bob -> Bob }"), [""; 0]);
    assert_eq!(clan("Night 1 { Cid, Ann, Bob -> pass }"), ["M0924"]);
    assert_eq!(
        clan(
            "Night 1 { Ann, Bob -> Dee }\nNight 2 { Ann, Bob -> Eve }\nNight 3 { Ann, Bob -> Cid }\nexpect winner Mafia\nexpect losers Cid, Dee, Eve"
        ),
        [""; 0],
        "whom the ending does not name has lost"
    );
}

#[test]
fn what_must_come_between_two_answers_may_come_until_the_second_is_asked_for() {
    let seats = "Ann: Mafioso, Bob: Civilian, Cid: Civilian, Dee: Civilian";
    let sentence = |expected: &str, then: &str| {
        let first = "Ann, Bob, Cid [early-vote] -> Dee";
        codes_of(
            "town",
            seats,
            &format!("Sentence 1 {{ {first}; {expected}; {then} }}"),
        )
    };
    let vote = "Ann, Bob [vote] -> Ann";
    assert_eq!(sentence("expect said \"Against Dee: 3.\"", vote), [""; 0]);
    assert_eq!(sentence("expect asked host for defence", vote), [""; 0]);
    assert_eq!(sentence("expect asked Ann for vote", vote), [""; 0]);
    assert_eq!(
        sentence("expect asked Ann for vote", "refused Ann [vote] -> Bob, Cid"),
        [""; 0]
    );
    assert_eq!(sentence("expect said \"Against Dee: 4.\"", vote), ["M0929"]);
    assert_eq!(
        sentence("expect said \"Ann is executed.\"", vote),
        ["M0929"],
        "too late"
    );
    assert_eq!(
        sentence("expect said \"Against Dee: 4.\"", "Ann [early-vote] -> Bob"),
        ["M0929", "M0924"],
        "it is looked at where the next answer is never asked for, too"
    );
}

#[test]
fn what_somebody_learns_has_an_order() {
    let seats = "Max: Mafioso, Bob: Boss, Com: Commissioner, Ann: Civilian, Bea: Civilian, Cal: Civilian";
    let night = |expected: &str| {
        let lines = format!("Night 1 {{ Bob [aim] -> Com; Com -> Max; expect {expected} }}");
        codes_of("town", seats, &lines)
    };
    assert_eq!(night("Com shown \"crossed arms\" then \"mafia\""), [""; 0]);
    assert_eq!(
        night("nobody but Com shown \"crossed arms\" then \"mafia\""),
        [""; 0]
    );
    assert_eq!(
        night("Com sees \"crossed arms\" then containing \"maf\""),
        [""; 0]
    );
    assert_eq!(night("Com not shown \"mafia\" then \"crossed arms\""), [""; 0]);
    assert_eq!(night("Com shown \"mafia\" then \"crossed arms\""), ["M0929"]);
    assert_eq!(
        night("Com shown \"mafia\" then \"mafia\""),
        ["M0929"],
        "it was shown once"
    );
    assert_eq!(night("Com, Max shown \"crossed arms\" then \"mafia\""), ["M0929"]);
    assert_eq!(night("Com shown \"mafia\" then nothing"), ["M0921"]);
}

#[test]
fn cards_at_seats_that_nobody_deals_are_named_where_something_fails() {
    let text = "ruleset blitz\notherwise random with seed 4\n\
                seats Vic, Ann: Goon, Bob: Rat, Cid: Fed, Dee: Muscle, Eve: Civilian\n\
                play \"x\"\nrun to Interrogation\nexpect number of living is 0\n";
    let ran = run_text(Shelf::default(), "x.play", text, |_| true);
    let labels = &ran.reports[0].diagnostics[0].labels;
    assert!(
        labels.iter().any(|label| label.text.contains("`pile ZONE: …`")),
        "{labels:?}"
    );
    let dealt = text
        .replace("blitz", "city")
        .replace(
            "Vic, Ann: Goon, Bob: Rat, Cid: Fed, Dee: Muscle, Eve: Civilian",
            "Ann: Mafioso, Bob: Civilian, Cid: Civilian, Dee: Civilian, Eve: Doctor",
        )
        .replace("Interrogation", "Dawn 1");
    let ran = run_text(Shelf::default(), "x.play", &dealt, |_| true);
    let labels = &ran.reports[0].diagnostics[0].labels;
    assert!(
        !labels.iter().any(|label| label.text.contains("pile ZONE")),
        "{labels:?}"
    );
}

#[test]
fn an_answer_that_picks_nothing_takes_no_name() {
    let seats = "10: Citizen, Citizen, Citizen, Citizen, Citizen, Citizen, Sheriff, Mafioso, Mafioso, Don";
    let sport = |lines: &str| codes_of("sport", seats, lines);
    assert_eq!(sport("Turn 1 { 1 -> thanks }"), [""; 0]);
    assert_eq!(sport("Turn 1 { 1 -> thanks 2 }"), ["M0925"]);
    assert_eq!(sport("Turn 1 { 1 -> put-up 2 }"), [""; 0]);
}

#[test]
fn a_refusal_is_looked_for_in_its_own_scene() {
    let late = "Dawn 1 { refused Bob -> Bob }";
    assert_eq!(codes(late), ["M0924"], "nobody is asked at dawn");
}

#[test]
fn more_picks_than_are_asked_for_are_refused() {
    assert_eq!(codes("Night 2 { Mafia -> Dee, Cid }"), ["M0925"]);
    assert_eq!(codes("Night 2 { Mafia -> Dee }"), [""; 0]);
}

#[test]
fn what_must_not_be_is_looked_at_when_the_scene_is_over() {
    let late = "Night 1 { Mafia -> Dee; expect not said containing \"The commissioner, wake\" }";
    assert_eq!(codes(late), ["M0929"]);
    assert_eq!(
        codes(&late.replace("not said", "said")),
        [""; 0],
        "it still comes"
    );
    let next = "Night 1 { Mafia -> Dee; expect said containing \"Cid\" }\nDay 2 { expect asked Bob }";
    assert_eq!(
        codes(next)[..1],
        ["M0929"],
        "what comes in the next scene is too late"
    );
    assert_eq!(
        codes("Night 1 { Mafia -> Dee; expect not asked Dee; expect never happened kill }"),
        [""; 0]
    );
    assert_eq!(codes("Dawn 1 { expect not said anything }"), ["M0929"]);
    assert_eq!(codes(&late.replace("not said", "not yet said")), [""; 0]);
    assert_eq!(
        codes(&late.replace("not said", "never said")),
        ["M0929"],
        "never, up to the end of the scene"
    );
}

#[test]
fn all_of_a_set_give_its_answer() {
    let vote = |who: &str| {
        format!(
            "Night 1 {{ Mafia -> Cid }}\nDay 2 {{ Ann does suspect-of Dee; {who} -> Dee }}\nexpect Dee is out"
        )
    };
    assert_eq!(codes(&vote("living")), [""; 0]);
    assert_eq!(codes(&vote("players")), ["M0924"]);
}

#[test]
fn what_happened_by_whom_and_by_which_rule_may_be_expected() {
    let night = "Night 1 { Mafia -> Dee; Doctor -> Dee }\n";
    assert_eq!(
        codes(&format!(
            "{night}Dawn 1 {{ expect applied cure; expect not happened kill }}"
        )),
        [""; 0]
    );
    let night = "Night 1 { Mafia -> Dee }\n";
    let dawn = |fact: &str| codes(&format!("{night}Dawn 1 {{ expect {fact} }}"));
    assert_eq!(dawn("happened kill of Dee by Mafia"), [""; 0]);
    assert_eq!(dawn("happened kill of Dee by Ann"), ["M0929"]);
    assert_eq!(dawn("happened kill of Dee plus Ann"), ["M0929"]);
    assert_eq!(dawn("not happened departure of Dee"), ["M0929"]);
    assert_eq!(dawn("happened kil"), ["M0921"]);
    assert_eq!(dawn("applied cure"), ["M0929"]);
    assert_eq!(
        codes("Meeting 1 { expect asked host containing \"Introductions\" }"),
        [""; 0]
    );
}

#[test]
fn winners_may_be_named_by_their_team() {
    let end = "Night 1 { Commissioner -> Bob }\nrun to end\n";
    assert_eq!(codes(&format!("{end}expect winner team of Ann")), [""; 0]);
    assert_eq!(codes(&format!("{end}expect winner team of Bob")), ["M0929"]);
}

#[test]
fn a_game_without_end_is_soon_stopped() {
    assert_eq!(codes("run to end"), ["M0932"]);
}

#[test]
fn programs_get_what_they_can_read() {
    let folder = folder();
    let here = folder.path();
    let text = ends(here, &["--format", "json"], 1, "");
    let json: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    let scenario = &json["files"][0]["scenarios"][0];
    assert_eq!(json["version"], 1);
    assert_eq!(json["failed"], 1);
    assert_eq!(scenario["covers"][0], "TINY-1");
    assert_eq!(scenario["snapshots"][0]["state"], "new");
    assert_eq!(scenario["table"]["identity"].as_str().unwrap().len(), 16);

    ends(here, &["--accept"], 0, "");
    ends(
        here,
        &["--format", "tap"],
        0,
        "ok 1 - tiny.play: a wolf that is bitten loses\n",
    );
    ends(here, &["--format", "short"], 0, "1 scenario holds");
    let text = ends(
        here,
        &["--format", "junit"],
        0,
        "<testsuite name=\"tiny.play\" tests=\"1\" failures=\"0\"",
    );
    assert!(
        text.contains("<property name=\"covers\" value=\"TINY-1\"/>"),
        "{text}"
    );

    write(
        here,
        "tiny.play",
        &SCENARIO.replace("winners Bob, Cid", "winners Ann"),
    );
    ends(here, &["--format", "tap"], 1, "not ok 1 - tiny.play");
    ends(here, &["--format", "short"], 1, "tiny.play:7:1: error[M0929]");
    ends(
        here,
        &["--format", "junit"],
        1,
        "<failure message=\"this does not hold\"",
    );
}

#[test]
fn neither_threads_nor_the_order_of_files_change_a_result() {
    let texts: Vec<_> = bundled().into_iter().take(5).collect();
    let on = |threads| Plan {
        threads,
        ..Plan::default()
    };
    let one = machine::json(&run_suite(&texts, &on(1)));
    assert_eq!(machine::json(&run_suite(&texts, &on(5))), one);
    let mut backwards = texts.clone();
    backwards.reverse();
    let mut rans = run_suite(&backwards, &on(3));
    rans.reverse();
    assert_eq!(machine::json(&rans), one);
}

/// What is told of scenarios hangs on no game that is kept.
#[test]
fn games_that_nobody_wants_are_not_kept() {
    let texts: Vec<_> = bundled().into_iter().take(3).collect();
    let suite = |games| {
        let plan = Plan {
            games,
            ..Plan::default()
        };
        run_suite(&texts, &plan)
    };
    let (kept, told) = (suite(true), suite(false));
    let games = |rans: &[Ran]| {
        let reports = rans.iter().flat_map(|ran| &ran.reports);
        reports.filter(|report| report.session.is_some()).count()
    };
    assert!(games(&kept) > 0);
    assert_eq!(games(&told), 0);
    assert_eq!(machine::json(&told), machine::json(&kept));
    assert_eq!(machine::junit(&told), machine::junit(&kept));
}

#[test]
fn in_an_empty_folder_the_bundled_scenarios_run() {
    let empty = tempfile::tempdir().unwrap();
    let said = ends(empty.path(), &["--filter", "night"], 0, "scenarios hold");
    let at_night = |line: &str| line.starts_with("play \"") && line.contains("night");
    let texts = bundled()
        .into_iter()
        .filter(|text| text.text.lines().any(at_night));
    let names: Vec<String> = texts.map(|text| text.name).collect();
    assert!(
        names.len() > 20 && names.iter().all(|name| said.contains(&format!("{name} ... "))),
        "{said}"
    );
    assert_eq!(said.matches(".play ... ").count(), names.len(), "{said}");
    assert_eq!(
        fs::read_dir(empty.path()).unwrap().count(),
        0,
        "nothing was written"
    );
}

#[test]
fn a_pick_that_is_missing_and_a_player_that_is_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "picks.mafia", include_str!("lang/picks.mafia"));
    let head = "ruleset picks\nseats Ann: Priest, Bob: Judge, Cid: Sheep, Dee: Sheep\npile powers: mace, lens, veto, flag\n";
    let shown = |name: &str, lines: &str| {
        write(folder.path(), name, &format!("{head}play \"x\"\n{lines}\n"));
        test_in(folder.path(), &[name], "", "").1
    };
    let missing = shown("a.play", "Priest -> Bob");
    assert!(missing.contains("M0925"), "{missing}");
    assert!(
        missing.contains(
            "a second pick is missing, and nobody is not among what may be answered: among Cid and Dee"
        ),
        "{missing}"
    );
    let nobody = shown("b.play", "Priest -> Bob, Zed");
    assert!(
        nobody.contains("there is nobody called `Zed` at the table")
            && nobody.contains("`Ann`, `Bob`, `Cid`, `Dee`"),
        "{nobody}"
    );
    let asked = shown("d.play", "souls -> Bob");
    assert!(asked.contains("given with `WHO [souls] -> …`"), "{asked}");
    let won = shown("g.play", "expect Flock wins");
    assert!(won.contains("write `expect winner Flock`"), "{won}");
    let unheld = shown("h.play", "(Sheep without Sheep) -> Bob");
    assert!(
        unheld.contains("M0924") && unheld.contains("this answer is for nobody"),
        "{unheld}"
    );
    let chance = shown("e.play", "chance -> Bob");
    assert!(chance.contains("given with `draw NAME -> …`"), "{chance}");
    let comma = shown("c.play", "Priest -> Bob Cid");
    assert!(comma.contains("put a comma between them"), "{comma}");
}

#[test]
fn words_that_come_out_empty_go_out_to_nobody() {
    let rules = TINY.replace(
        "  wait \"Everybody sleeps.\"",
        "  say \"{bitten: | {bitten} limps. | {bitten} limp.}\"\n  tell living \"{bitten: | {bitten} limps. | {bitten} limp.}\"",
    );
    assert_ne!(rules, TINY);
    let scenario = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\n\
        play \"a limp\"\n\
        Night 1 { expect not yet said anything; expect nobody told anything; host -> Bob }\n\
        Night 2 { expect said \"Bob limps.\"; expect Ann told \"Bob limps.\"; host -> Ann }\nsnapshot\n";
    let folder = folder_with(&rules, scenario);
    ends(folder.path(), &["--accept"], 0, "1 scenario holds");
    let kept = read(folder.path(), "snapshots/tiny__a-limp.snap").unwrap();
    assert!(kept.contains("== Night 1 ==\n  [host] open: growl-at"), "{kept}");
    assert!(
        kept.contains("== Night 2 ==\n  Bob limps.\n  [Ann, Cid and Dee] Bob limps.\n"),
        "{kept}"
    );
    let told = omerta_in(folder.path(), &AT_TABLE, b"Bob\nquit\n").told();
    assert!(
        told.contains("Who is bitten?") && told.contains("» Bob was bitten."),
        "{told}"
    );
    assert!(
        !told
            .lines()
            .any(|line| line.trim() == "»" || line.trim().ends_with("To all:")),
        "{told}"
    );
}

/// The first mistake of a scenario with what it proposes.
fn first_of(text: &str) -> (String, String, String) {
    let ran = run_text(Shelf::default(), "x.play", text, |_| true);
    let problem = match ran.problems.first() {
        Some(problem) => problem,
        None => &ran.reports[0].diagnostics[0],
    };
    (
        problem.message.clone(),
        problem.labels[0].text.clone(),
        problem.help.clone().unwrap_or_default(),
    )
}

#[test]
fn a_table_without_a_cast_says_for_whom_there_is_one() {
    let of = |ruleset: &str, seats: u8| {
        let (message, _, help) = first_of(&format!(
            "ruleset {ruleset}\nseats {seats}\nplay \"x\"\nrun to end\n"
        ));
        (message, help)
    };
    let (message, help) = of("sport", 9);
    assert_eq!(
        (message.as_str(), help.as_str()),
        (
            "the table has no cast for 9 players",
            "the game is for 10 players"
        )
    );
    let (message, help) = of("vendetta", 3);
    assert_eq!(message, "the table has no cast for 3 players");
    assert!(
        help.starts_with("it has one for 7 to 17 players; give it a column for 3"),
        "{help}"
    );
}

#[test]
fn what_nobody_answers_comes_with_a_line_that_would() {
    let cards = "Nurse, Bystander, Bystander, Bystander, Bystander, Thug, Thief";
    let vendetta = |otherwise: &str| {
        let text = format!("ruleset vendetta\nseats 7: {cards}\n{otherwise}play \"x\"\nrun to end\n");
        first_of(&text).2
    };
    let help = vendetta("otherwise pass\n");
    assert!(
        help.starts_with("none of the branches that are open asks for nothing"),
        "{help}"
    );
    assert!(help.ends_with("`host -> suspected 1`"), "{help}");
    assert!(vendetta("").contains("such as `7 -> 1`"), "{}", vendetta(""));
}

#[test]
fn who_learns_must_be_said() {
    let of = |fact: &str| first_of(&format!("ruleset city\nseats 5\nplay \"x\"\nexpect {fact}\n"));
    let (message, label, help) = of("not told containing \"x\"");
    assert_eq!(
        (message.as_str(), label.as_str()),
        ("`told` does not say who", "who?")
    );
    assert!(help.starts_with("write `expect nobody told containing"), "{help}");
    assert_eq!(of("told \"x\"").0, "`told` does not say who");
    assert_eq!(of("never shown card").0, "`shown` does not say who");
    assert_eq!(of("not yet sees \"x\"").0, "`sees` does not say who");
    assert_ne!(of("said").0, "`said` does not say who");
}

#[test]
fn who_did_not_learn_something_is_shown_with_what_he_did() {
    let night = |fact: &str| {
        let text = format!(
            "ruleset town\nseats Max: Mafioso, Bob: Boss, Com: Commissioner, Ann: Civilian, Bea: Civilian, Cal: Civilian\n\
             otherwise pass\nplay \"x\"\nNight 1 {{ Bob [aim] -> Com; Com -> Max; expect {fact} }}\n"
        );
        first_of(&text).1
    };
    let label = night("Com shown \"honest\"");
    assert_eq!(label, "shown that: nobody; Com was shown `crossed arms`, `mafia`");
    let label = night("nobody but Com, Ann shown \"mafia\"");
    assert_eq!(label, "shown that: Com; Ann was shown nothing");
}

#[test]
fn a_zone_with_several_cards_is_no_answer() {
    let text = include_str!("lang/backs.play")
        .lines()
        .take(4)
        .collect::<Vec<_>>()
        .join("\n");
    let folder = folder_with(
        include_str!("lang/backs.mafia"),
        &format!("{text}\nplay \"x\"\nTaking 1 {{ Ann -> aside }}\n"),
    );
    fs::rename(
        folder.path().join("tiny.mafia"),
        folder.path().join("backs.mafia"),
    )
    .unwrap();
    ends(folder.path(), &[], 1, "these are 3 cards, and one is wanted");
}

#[test]
fn a_refused_answer_waits_with_those_beside_it() {
    let seats = "Ann: Mafioso, Bob: Civilian, Cid: Civilian, Dee: Civilian";
    let vote = |lines: &str| codes_of("town", seats, &format!("Sentence 1 {{ {lines} }}"));
    let others = "Ann [early-vote] -> Dee; Cid [early-vote] -> Dee";
    assert_eq!(
        vote(&format!("refused Bob [early-vote] -> Ann, Cid; {others}")),
        [""; 0]
    );
    assert_eq!(
        vote(&format!(
            "refused Bob [early-vote] -> Ann, Cid; {others}; Bob [early-vote] -> Ann"
        )),
        [""; 0]
    );
    assert_eq!(
        vote(
            "refused Dee [early-vote] -> Ann, Cid; Dee [early-vote] -> Ann; refused Bob [early-vote] -> Ann, Cid"
        ),
        [""; 0],
        "they wait together, whoever is asked first"
    );
    let tally = "expect asked Dee for early-vote; expect tally of early-vote is 2 for Dee";
    assert_eq!(
        vote(&format!(
            "refused Dee [early-vote] -> Ann, Cid; {others}; {tally}"
        )),
        [""; 0]
    );
}

#[test]
fn a_draw_waits_for_what_the_next_lines_say() {
    let rules = TINY
        .replace("  ask host for prey", "  draw first-up from living\n  draw second-up from living\n  say \"{first-up} and {second-up}.\"\n  ask host for prey");
    let head = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\n";
    let scenario = format!(
        "{head}play \"one\"\ndraw first-up -> Bob\nNight 1 {{ draw second-up -> Cid; expect said \"Bob and Cid.\"; host -> Ann }}\n\
         play \"two\"\ndraw first-up -> Bob\nexpect living is exactly players\n"
    );
    let folder = folder_with(&rules, &scenario);
    ends(folder.path(), &[], 0, "2 scenarios hold");
    let open = format!("{head}play \"three\"\ndraw first-up -> Bob\nrun to end\n");
    let folder = folder_with(&rules, &open);
    ends(folder.path(), &[], 1, "M0927");
}

#[test]
fn a_branch_of_another_question_is_told_so() {
    let seats = "Ann: Detective, Bob: Thug, Cid: Nurse, Dee: Bystander, Eve: Bystander, Fay: Bystander, Gus: Bystander";
    let (message, label, _) = first_of(&format!(
        "ruleset vendetta\nseats {seats}\notherwise pass\nplay \"x\"\nNight 1 {{ Cid -> study Dee }}\n"
    ));
    assert_eq!(message, "this answers another question");
    assert!(
        label.starts_with("asked first: Cid is asked: Whom do you protect?"),
        "{label}"
    );
    let (message, _, _) = first_of(&format!(
        "ruleset vendetta\nseats {seats}\notherwise pass\nplay \"x\"\nNight 1 {{ Cid -> nonsense Dee }}\n"
    ));
    assert!(
        message.starts_with("there is nobody called `nonsense`"),
        "{message}"
    );
}

/// A set that takes up an offer: each of it does, in the order of the seats, while the offer stands open.
#[test]
fn each_of_a_set_takes_up_an_offer() {
    let rules = "ruleset tiny\nuse std.table\nplayers 4\ncast {\n  players 4\n  Guest 4\n}\nrole Guest\nmark angry\n\
                 allow living without angry to accuse p from living during Talk when number of angry is less than 3 {\n  \
                 mark me as angry\n  say \"{me} accuses {p}.\"\n}\nscene Talk {\n  wait\n}\nscript {\n  play Deal\n  play Talk\n}\n";
    let play = |who: &str, said: &str| {
        let lines = format!("  {who} does accuse Dee\n  expect said {said}\n");
        let text = format!(
            "ruleset tiny\nseats Ann: Guest, Bob: Guest, Cid: Guest, Dee: Guest\nplay \"x\"\nTalk 1 {{\n{lines}}}\n"
        );
        let folder = folder_with(rules, &text);
        omerta_in(folder.path(), &["run", "tiny.play"], b"")
    };
    let three = "\"Ann accuses Dee.\" then \"Bob accuses Dee.\" then \"Cid accuses Dee.\"\n  expect not said \"Dee accuses Dee.\"";
    let holds = |done: crate::program::Done| assert_eq!(done.code, Some(0), "{}", done.told());
    holds(play("living", three));
    holds(play(
        "(Ann plus Cid)",
        "\"Ann accuses Dee.\" then \"Cid accuses Dee.\"\n  expect not said \"Bob accuses Dee.\"",
    ));
}

#[test]
fn an_answer_for_nobody_is_told_as_one() {
    let text = "ruleset city\nseats Ann: Doctor, Bob: Mafioso, Cid: Civilian, Dee: Civilian, Eve: Civilian\n\
                play \"x\"\notherwise pass\nNight 1 {\n  Ann Bob -> pass\n}\n";
    let folder = folder_with("", text);
    let told = omerta_in(folder.path(), &["run", "tiny.play"], b"").told();
    assert!(
        told.contains("this answer is for nobody") && told.contains("`Ann, Bob -> …`"),
        "{told}"
    );
}

/// What lies beside could have been meant, a file by its name and an overlay by its own.
#[test]
fn a_misspelt_file_beside_is_proposed() {
    let folder = folder_with(
        TINY,
        "ruleset \"tyny.mafia\"\nseats Ann, Bob, Cid\nplay \"x\"\nexpect goes on\n",
    );
    let told = omerta_in(folder.path(), &["run", "tiny.play"], b"").told();
    assert!(
        told.contains("M0101") && told.contains("did you mean `tiny.mafia`?"),
        "{told}"
    );
    write(
        folder.path(),
        "more.mafia",
        "overlay sealed \"Sealed\" on city {\n  mark seal // allow never-read\n}\n",
    );
    let told = omerta_in(folder.path(), &["play", "city", "--with", "seald"], b"").told();
    assert!(told.contains("did you mean `sealed`?"), "{told}");
}

#[test]
fn a_condition_that_does_not_hold_shows_what_last_happened_to_whom_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "ruleset two\nuse std.table\nplayers 3\ncast { Guest 3 }\nteam House\nrole Guest of House\nmark wet \"wet\"\n\
                 mark hot \"hot\"\nscript {\n  play Deal\n  play Day\n  end\n}\nscene Day {\n  mark seat 1 as wet\n  \
                 mark seat 2 as hot\n  wait \"Day.\"\n}\n";
    write(folder.path(), "two.mafia", rules);
    for (denied, shown, other) in [
        ("Ann is not wet", "── wet: Ann", "── hot: Bob"),
        ("Bob is not hot", "── hot: Bob", "── wet: Ann"),
    ] {
        let scenario = format!(
            "ruleset two\nseats Ann: Guest, Bob: Guest, Cid: Guest\n\nplay \"who\"\nDay 1 {{\n  expect {denied}\n}}\n"
        );
        write(folder.path(), "two.play", &scenario);
        let told = omerta_in(folder.path(), &["test", "two.play"], b"").told();
        assert!(told.contains(shown) && !told.contains(other), "{told}");
    }
}

#[test]
fn a_library_is_looked_for_beside_the_text_that_uses_it() {
    let root = TempDir::new().unwrap();
    let library = |words: &str| format!("library two\ndefine answer = {words}\n");
    for (file, text) in [
        (
            "rules/house.mafia",
            TINY.replacen('\n', "\nuse \"lib/one.mafia\", two\n", 1),
        ),
        // The same text by two ways is one.
        (
            "rules/lib/one.mafia",
            "library one\nuse \"../two.mafia\"\n".to_owned(),
        ),
        ("rules/two.mafia", library("2")),
        ("tests/two.mafia", library("7")),
        (
            "tests/a.play",
            SCENARIO
                .replace("ruleset tiny", "ruleset \"../rules/house.mafia\"")
                .replace("snapshot\n", "expect answer is 2\n"),
        ),
    ] {
        fs::create_dir_all(root.path().join(file).parent().unwrap()).unwrap();
        write(root.path(), file, &text);
    }
    ends(root.path(), &["tests/a.play"], 0, "1 scenario holds");
}

/// Two scenarios with a snapshot each, of which one is another now, one that fails, and a snapshot of nobody.
#[test]
fn what_does_not_hold_is_told_in_every_form_with_its_place() {
    let folder = folder();
    let here = folder.path();
    let other = SCENARIO
        .replace("play \"", "play \"once more, ")
        .replacen("ruleset tiny\n", "", 1);
    let other: String = other
        .lines()
        .filter(|line| !line.starts_with("seats"))
        .map(|line| format!("{line}\n"))
        .collect();
    write(
        here,
        "tiny.play",
        &format!(
            "{SCENARIO}\n{other}\nplay \"nobody wins\"\nNight 1 {{ host -> Ann }}\nexpect winners Ann\n"
        ),
    );
    ends(here, &["--accept"], 1, "");
    let kept = read(here, SNAP).unwrap();
    write(here, SNAP, &kept.replace("was bitten.", "was kissed."));
    write(here, "snapshots/tiny__nobody-makes-it.snap", &kept);
    let told = ["short", "tap", "junit", "json"].map(|form| {
        let text = ends(here, &["--format", form], 1, "");
        let home = here.display().to_string();
        format!("---- {form}\n{}\n", text.replace(&home, "HERE"))
    });
    let told = told.concat();
    // The digest of the rules changes with every word of them.
    let (_, digest) = told.split_once("name=\"identity\" value=\"").unwrap();
    insta::assert_snapshot!(told.replace(&digest[..16], "…"));
}

/// What somebody's word is stands there by what people see, with what made it so; of what nothing changed nothing is told.
#[test]
fn a_word_that_is_another_is_told_by_its_title_and_its_own_cause() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"ruleset rooms "Rooms"
use std.table
players 3
cast {
  players 3
  Guest   rest
}
team Party "the party"
role Guest "a guest" of Party
word room of each: north "the north" | south "the south" = north
word sky: clear | grey
script {
  play Deal
  set room of seat 2 to south
  wait "{room of seat 1} {sky}"
  set sky to grey
}
ending over: draw when no players
"#;
    write(folder.path(), "rooms.mafia", rules);
    let told = |line: &str| {
        let scenario = format!("ruleset rooms\nseats Ann, Bob, Cid\nplay \"x\"\nDeal 1 {{ }}\n{line}\n");
        write(folder.path(), "rooms.play", &scenario);
        test_in(folder.path(), &["rooms.play"], "", "").1
    };
    let room = told("expect room of Bob is north");
    assert!(room.contains("it is the south, and not the north"), "{room}");
    assert!(room.contains("set room of seat 2 to south"), "{room}");
    let sky = told("expect sky is grey");
    assert!(sky.contains("it is clear, and not grey"), "{sky}");
    assert!(!sky.contains("set room"), "{sky}");
    let typed = crate::program::omerta_in(
        folder.path(),
        &["play", "rooms.mafia", "--names", "Ann,Bob,Cid", "--seed", "1"],
        b"print room of Bob\nwatch sky\ngo\n",
    );
    assert!(
        typed.out.contains("  the south\n") && typed.out.contains("sky: clear -> grey"),
        "{}",
        typed.out
    );
}

/// A line that several scenarios share, and that fails in one of them, is sound: what it denies of some in another is no slip.
#[test]
fn a_shared_line_is_told_only_where_it_can_fail_nowhere() {
    let shared = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\n\
                  common bitten of whom {\n  Night 1 {\n    host -> whom\n    expect living is not Ann\n  }\n}\n";
    let both = format!("{shared}play \"a\"\ninclude bitten of Bob\nplay \"b\"\ninclude bitten of Ann\n");
    let one = format!("{shared}play \"a\"\ninclude bitten of Bob\n");
    for (scenarios, told) in [(both, 0), (one, 1)] {
        let folder = folder_with(TINY, &scenarios);
        let done = omerta_in(folder.path(), &["test"], b"");
        assert_eq!(
            done.err.matches("warning[M0714]").count(),
            told,
            "{}",
            done.told()
        );
    }
}

/// Each line by itself, at a table where it holds, with what is told of it: M0752 where it holds whatever the game does, M0714 where it denies of
/// several what is so of some, and nothing where another game breaks it.
#[test]
fn a_line_that_no_game_can_break_is_told_and_no_other() {
    let rows = [
        ("M0752", "number of living is at least 0"),
        ("M0752", "number of living is more than 0 - 1"),
        ("M0752", "number of living is not 0 - 1"),
        ("M0752", "times Night is at least 0"),
        ("M0752", "Ann is Ann"),
        ("M0752", "Ann is not Bob"),
        ("M0752", "not Ann is Bob"),
        ("M0752", "(number of living is at least 0)"),
        ("M0752", "2 is 2"),
        ("M0752", "2 is less than 3"),
        ("M0752", "yes"),
        ("M0752", "living is exactly living"),
        ("M0752", "Ann is Wolf or Ann is not Wolf"),
        ("M0752", "Ann is Wolf or (Ann is Sheep or not Ann is Wolf)"),
        ("M0752", "not (Ann is Wolf and Ann is not Wolf)"),
        ("M0752", "number of living is 3 or number of living is not 3"),
        ("M0752", "Ann is Ann and number of living is at least 0"),
        ("M0752", "in some case number of living is at least 0"),
        ("", "number of living is at least 1"),
        ("", "number of living is not 0"),
        ("", "number of living is 4"),
        ("M0752", "times Night is at least 1"),
        ("", "Ann is living"),
        ("", "not Ann is out"),
        (
            "M0752",
            "number of living is at most 3 or number of living is more than 2",
        ),
        (
            "",
            "number of living is at most 2 or number of living is more than 3",
        ),
        // Who is nobody is not even nobody.
        ("", "living is living"),
        ("M0752", "Ann is out or Ann is living"),
        ("M0752", "(Ann is Wolf or Ann is out or Ann is living)"),
        ("M0752", "number of out is at most 4"),
        ("M0752", "number of living Wolf is less than 5"),
        ("M0752", "number of Wolf is not 5"),
        ("M0752", "Bob is Wolf"),
        ("M0752", "Bob is Wolf and Cid is Sheep"),
        ("M0752", "Ann is not Wolf"),
        ("M0752", "Ann, Cid is Sheep"),
        ("M0752", "number of players is 4"),
        ("M0752", "number of Wolf is 1"),
        ("M0752", "number of Sheep is more than 2 * number of Wolf"),
        ("M0752", "role of Bob is Wolf"),
        ("M0752", "some Wolf"),
        ("M0752", "Wolf is exactly Bob"),
        ("M0752", "Bob is seat 2"),
        ("", "team of Bob is Pack"),
        ("", "Wolf is exactly Pack"),
        ("", "number of (Wolf without out) is 1"),
        ("", "number of out is at most 3"),
        // What a definition says may be what is shown.
        ("", "not (Ann is out and Ann is living)"),
        ("", "living is not out"),
        ("", "every living is not out"),
        ("", "Bob is out or Ann is living"),
        ("", "Bob is living Wolf"),
        ("", "Bob is Wolf and Bob is living"),
        ("", "Bob is Pack"),
        ("", "Ann is living or Ann is Wolf"),
        ("", "Ann is living or Ann is not Sheep"),
        ("", "Ann is Ann and Ann is living"),
        (
            "M0752",
            "Ann is out or Ann is (players without Wolf) or Ann is living Wolf",
        ),
        (
            "",
            "Ann is living or Ann is (players without Wolf) or Ann is living Wolf",
        ),
        ("", "in some case Ann is living"),
        ("", "every living is Ann or Ann is living"),
        ("M0714", "living is not Ann"),
        ("M0714", "players is not Wolf"),
        ("M0714", "(living Sheep is not (Ann plus Bob))"),
        ("", "number of living is not 3"),
        ("", "living Wolf is not Ann"),
        ("", "out is not Ann"),
    ];
    for (code, line) in rows {
        let lines = "ruleset tiny\nplay \"x {who}\"\nseats Ann: Sheep, Bob: Wolf, Cid: Sheep, Dee: Sheep\n\
                     for each case of who {\n  Ann\n  Bob\n}\nrun to Night 1\nexpect not who is out\n";
        let lines = match line.starts_with("in ") {
            true => lines.to_owned(),
            false => lines
                .replace("for each case of who {\n  Ann\n  Bob\n}\n", "")
                .replace("who", "Ann"),
        };
        let folder = folder_with(TINY, &format!("{lines}expect {line}\n"));
        let done = omerta_in(folder.path(), &["test"], b"");
        assert_eq!(done.code, Some(0), "{line}: {}", done.told());
        let told: Vec<&str> = { done.err.split("warning[").skip(1) }
            .map(|rest| &rest[..5])
            .collect();
        let wanted: Vec<&str> = [code].into_iter().filter(|code| !code.is_empty()).collect();
        assert_eq!(told, wanted, "{line}: {}", done.told());
    }
    // A case may make one of a line that is none as it is written.
    let cases = "ruleset tiny\nplay \"x\"\nseats Ann: Sheep, Bob: Wolf, Cid: Sheep, Dee: Sheep\nfor each case of least, who {\n  0, Ann\n  1, Bob\n}\n\
                 run to Night 1\nexpect number of living is at least least\nexpect who is not Cid\n";
    let folder = folder_with(TINY, cases);
    let done = omerta_in(folder.path(), &["test"], b"");
    assert!(
        done.code == Some(0)
            && done.err.matches("M0752").count() == 1
            && done.err.contains("expect who is not Cid\n    ·"),
        "{}",
        done.told()
    );
}

/// A question without words is called by its name: the whole of it, or a part where a part is asked for.
#[test]
fn a_question_without_words_is_known_by_the_whole_of_its_name() {
    let rows = [
        (r#"not asked host "prey""#, false),
        (r#"not asked host "pre""#, true),
        (r#"not asked host containing "pre""#, false),
        (r#"not asked host containing "prey s""#, true),
        (r#"Bob never sees containing "pre""#, false),
        (r#"Bob never sees containing "spre""#, true),
    ];
    let rules = TINY.replace("from living \"Who is bitten?\"", "from living");
    for (line, is_vain) in rows {
        let lines = format!("{SCENARIO}play \"y\"\nrun to Night 1\nexpect {line}\n");
        let folder = folder_with(&rules, &lines);
        let done = omerta_in(folder.path(), &["test", "--filter", "y"], b"");
        assert_eq!(done.err.contains("M0960"), is_vain, "{line}: {}", done.told());
    }
}

/// A mark that one carries at a time is with somebody or with nobody, and never with two.
#[test]
fn a_mark_of_one_is_with_nobody_too_and_never_with_two() {
    let rows = [
        ("star one", "Ann is star or Ann is (players without star)", true),
        (
            "star one",
            "Ann is star or Ann is (players without (star else players))",
            false,
        ),
        (
            "star one",
            "Dee is (players without star) or Dee is first of star",
            true,
        ),
        (
            "star",
            "Dee is (players without star) or Dee is first of star",
            false,
        ),
    ];
    for (mark, line, is_told) in rows {
        let rules = format!("{TINY}mark {mark}\nrule shine: after Deal {{ mark seat 1 as star }}\n");
        let lines = format!(
            "ruleset tiny\nplay \"x\"\nseats Ann: Sheep, Bob: Wolf, Cid: Sheep, Dee: Sheep\nrun to Night 1\nexpect {line}\n"
        );
        let done = omerta_in(folder_with(&rules, &lines).path(), &["test"], b"");
        assert_eq!(done.code, Some(0), "{mark}: {line}: {}", done.told());
        let told = done.err.contains("warning[M0752");
        assert_eq!(told, is_told, "{mark}: {line}: {}", done.told());
    }
}

/// Who was dealt which card is so all game long, where nothing moves a card or makes it another.
#[test]
fn who_holds_which_card_can_fail_where_something_may_change_cards() {
    let rows = [
        ("mark seat 1 as guarded", true),
        ("turn seat 1 into Sheep", false),
        (
            "draw other from roles (Wolf plus Sheep)\n turn seat 1 into other",
            false,
        ),
        ("swap hand of seat 1 and hand of seat 2", false),
        ("move hand of seat 1 to hand of seat 2", false),
    ];
    for (deed, is_told) in rows {
        let rules = format!("{TINY}mark guarded\nrule late: after Night {{ {deed} }}\n");
        let lines = "ruleset tiny\nplay \"x\"\nseats Ann: Sheep, Bob: Wolf, Cid: Sheep, Dee: Sheep\nrun to Night 1\nexpect Bob is Wolf\n";
        let done = omerta_in(folder_with(&rules, lines).path(), &["test"], b"");
        assert_eq!(done.code, Some(0), "{deed}: {}", done.told());
        assert_eq!(
            done.err.contains("warning[M0752"),
            is_told,
            "{deed}: {}",
            done.told()
        );
    }
}

/// Of names that there are twelve are told, and of what is said about a table all.
#[test]
fn so_much_as_helps_is_told_of_what_there_is() {
    let events: String = (1..=14)
        .map(|number| format!("event deed-{number} {{ nothing }}\n"))
        .collect();
    let checks = "require nine: number of players is 9 \"nine play\"\nrequire eight: number of players is 8 \"eight play\"\n";
    let head = "ruleset tiny\nplay \"x\"\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep\n";
    let told = |rules: &str, line: &str| {
        let folder = folder_with(&format!("{TINY}{rules}"), &format!("{head}{line}\n"));
        omerta_in(folder.path(), &["test"], b"").told()
    };
    let names = told(&events, "Night 1 { host -> Ann }\nexpect happened feast");
    assert!(
        names.contains("`deed-10`") && !names.contains("`deed-11`"),
        "{names}"
    );
    let problems = told(checks, "expect setup error \"seven play\"");
    assert!(problems.contains("said is: nine play; eight play"), "{problems}");
}

/// Rules in which nobody's card becomes another, and things come in every way in which they can.
const WAYS: &str = r#"ruleset ways "Ways"
use std.table, std.night
players 3..6
option moon: full | new = full "who speaks"
team Pack "the pack" {
  when called {
    ask me together for prey from living or nobody "Whom?"
    plan bite of prey
  }
}
role Wolf "a wolf" of Pack
role Sheep "a sheep"
cast {
  players 3..6
  Wolf 1
  Sheep rest
}
mark hurt
event bite of p {
  mark p as hurt
  say "{p} is hurt." as wound
}
event dawning {
  nothing
}
event never {
  say "Never."
}
rule early: before Dusk {
  say "Evening falls."
}
rule late: after Dusk {
  tell Wolf "It is late."
}
rule spared: instead of bite of Sheep when some hurt {
  nothing
}
rule dew: after dawning {
  if moon is new { say "A new moon." }
}
allow players to shout {
  do never
}
script {
  play Deal
  repeat 3 times {
    play Night
    play Dawn
    play Dusk
    play Court
  }
}
scene Night {
  call Pack
}
scene Dawn {
  settle bite
  do dawning
}
scene Dusk {
  wait "Go on."
}
scene Court {
  ask each living whether guilty "Guilty?"
  if some guilty { say "Guilty: {guilty}." }
  if remainder of times Court / 2 is 0 { play Dusk }
}
ending over: win Pack when number of hurt is 9
"#;

/// What is denied where nothing leads to it is told, and nothing that comes by a rule, a plan, a call, an offer, a scene within
/// or another value of an option.
#[test]
fn what_is_denied_where_nothing_leads_to_it_is_told() {
    let rows = [
        (
            "Night 1",
            "expect not happened bite",
            "nothing in `Night` does `bite`",
        ),
        ("Dawn 1", "expect not happened bite", ""),
        (
            "Dusk 1",
            "expect not happened dawning",
            "nothing in `Dusk` does `dawning`",
        ),
        (
            "Dawn 1",
            "expect not happened never",
            "nothing in `Dawn` does `never`",
        ),
        (
            "Night 1",
            "expect not applied spared",
            "nothing in `Night` comes to the rule `spared`",
        ),
        ("Dawn 1", "expect not applied spared", ""),
        ("Dawn 1", "expect never applied spared", ""),
        (
            "Dawn 1",
            "expect not applied late",
            "nothing in `Dawn` comes to the rule `late`",
        ),
        ("Court 1", "expect not applied late", ""),
        (
            "Dawn 1",
            "expect not asked Ann",
            "nothing in `Dawn` asks a player anything",
        ),
        (
            "Dawn 1",
            "expect not asked host",
            "nothing in `Dawn` asks the host anything",
        ),
        (
            "Dusk 1",
            "expect not asked Ann",
            "nothing in `Dusk` asks a player anything",
        ),
        (
            "Court 1",
            "expect not asked Ann for prey",
            "nothing in `Court` asks a player for `prey`",
        ),
        ("Court 1", "expect not asked host", ""),
        ("Night 1", "expect not asked Bob", ""),
        ("Dawn 1", "expect never asked Bob for prey", ""),
        (
            "Night 1",
            "expect not said \"Evening falls.\"",
            "nothing that is said to all in `Night` has these words",
        ),
        ("Court 1", "expect not said \"Evening falls.\"", ""),
        (
            "Court 1",
            "expect not said wound",
            "nothing that is said to all in `Court` has these words",
        ),
        ("Dawn 1", "expect not said wound", ""),
        ("Dawn 1", "expect not said \"A new moon.\"", ""),
        ("Night 1", "expect not said \"Never.\"", ""),
        (
            "Dawn 1",
            "expect not said \"Guilty: Ann.\"",
            "nothing that is said to all in `Dawn` has these words",
        ),
        (
            "Dawn 1",
            "expect nobody told anything",
            "nothing in `Dawn` is told to some",
        ),
        (
            "Dawn 1",
            "expect nobody shown anything",
            "nothing in these rules is shown to some",
        ),
        ("Dusk 1", "expect Bob not told anything", ""),
        (
            "Dusk 2",
            "expect Ann not told \"Good night.\"",
            "nothing that is told to some has these words",
        ),
        (
            "Dusk 1",
            "expect said containing \"\"",
            "`containing \"\"` is so of all words",
        ),
        ("Dusk 1", "expect said anything", ""),
    ];
    let base = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep\notherwise pass\n";
    let mut otherwise = Vec::new();
    for (scene, line, told) in rows {
        let scenario = |before: &str| format!("{base}play \"x\"\n{before}{scene} {{\n  {line}\n}}\n");
        let test = |scenario: &str| {
            let folder = folder_with(WAYS, scenario);
            omerta_in(folder.path(), &["test", "--format", "short"], b"")
        };
        let done = test(&scenario(""));
        let is_so = match told {
            "" => !done.told().contains("warning["),
            told => done.told().matches("warning[").count() == 1 && done.told().contains(told),
        };
        if done.code != Some(0) || !is_so {
            otherwise.push(format!("{line} in {scene}: {}", done.told()));
        }
        // What the host does may lead anywhere.
        let done = test(&scenario("Night 1 {\n  by hand mark Bob as hurt\n}\n"));
        if done
            .told()
            .contains(&format!("in `{}`", &scene[..scene.len() - 2]))
        {
            otherwise.push(format!("{line} in {scene}, by hand: {}", done.told()));
        }
    }
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
}

/// A card that changes hands somewhere makes a line of the deal one that may fail.
#[test]
fn a_card_as_it_was_dealt_is_told_where_none_can_become_another() {
    let done_at_dawn = |what: &str| {
        WAYS.replace(
            "event dawning {\n  nothing",
            &format!("event dawning {{\n  {what}"),
        )
    };
    let option = WAYS.replace(
        "event dawning {\n  nothing",
        "event dawning {\n  if moon is new { turn seat 2 into Wolf }",
    );
    let case = "for each case of card {\n  Wolf\n  Sheep\n}\n";
    let rows = [
        (
            WAYS.to_owned(),
            "",
            "seats Ann: Wolf, Bob: Sheep, Cid: Sheep",
            "Ann is Wolf",
            true,
        ),
        (
            WAYS.to_owned(),
            "",
            "seats Ann: Wolf, Bob: Sheep, Cid: Sheep",
            "Ann is Wolf or Ann is hurt",
            false,
        ),
        (
            WAYS.to_owned(),
            "",
            "seats Ann: Wolf, Bob: Sheep, Cid: Sheep",
            "Ann is Pack",
            false,
        ),
        (
            WAYS.to_owned(),
            "",
            "seats Ann: Wolf, Bob, Cid",
            "Bob is Sheep",
            false,
        ),
        (
            WAYS.to_owned(),
            case,
            "seats Ann: card, Bob: Sheep, Cid: Sheep",
            "Ann is card",
            false,
        ),
        (
            done_at_dawn("turn seat 1 into Wolf"),
            "",
            "seats Ann: Wolf, Bob: Sheep, Cid: Sheep",
            "Ann is Wolf",
            false,
        ),
        (
            done_at_dawn("swap hand of seat 2 and hand of seat 3"),
            "",
            "seats Ann: Wolf, Bob: Sheep, Cid: Sheep",
            "Ann is Wolf",
            false,
        ),
        (
            option,
            "",
            "seats Ann: Wolf, Bob: Sheep, Cid: Sheep",
            "Ann is Wolf",
            false,
        ),
    ];
    for (rules, case, seats, line, told) in rows {
        let scenario = format!(
            "ruleset tiny\n{seats}\notherwise random with seed 1\nplay \"x\"\n{case}Dawn 1 {{\n}}\nexpect {line}\n"
        );
        let folder = folder_with(&rules, &scenario);
        let done = omerta_in(folder.path(), &["test"], b"");
        assert_eq!(done.code, Some(0), "{line}: {}", done.told());
        assert_eq!(
            done.err.contains("warning[M0752]"),
            told,
            "{seats}, {line}: {}",
            done.told()
        );
    }
}

/// Lines with a name are told that nothing includes; those that others include are not, nor those that are meant.
#[test]
fn lines_that_no_scenario_includes_are_told() {
    let base = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\n";
    let play = "play \"x\"\nrun to Night 1\nexpect Ann is living\n";
    let rows = [
        (
            format!("{base}common a {{\n  expect no out\n}}\n{play}"),
            Some("`a`"),
        ),
        (format!("{base}common a {{\n  include a\n}}\n{play}"), Some("`a`")),
        (
            format!("{base}common a {{\n  expect no out\n}}\n{play}include a\n"),
            None,
        ),
        (
            format!(
                "{base}common a {{\n  expect no out\n}}\n{play}Night 1 {{\n  repeat 2 times {{\n    include a\n  }}\n}}\n"
            ),
            None,
        ),
        (
            format!(
                "{base}common a {{\n  expect no out\n}}\ncommon b {{\n  include a\n}}\n{play}include b\n"
            ),
            None,
        ),
        (
            format!("{base}// allow never-included\ncommon a {{\n  expect no out\n}}\n{play}"),
            None,
        ),
    ];
    for (scenarios, told) in rows {
        let folder = folder_with(TINY, &scenarios);
        for words in ["test", "check"] {
            let done = omerta_in(folder.path(), &[words, "tiny.play"], b"");
            let is_told =
                done.told().contains("warning[M0945]") && told.is_some_and(|told| done.told().contains(told));
            assert_eq!(is_told, told.is_some(), "{words}: {scenarios}{}", done.told());
            assert_eq!(
                done.told().contains("warning["),
                told.is_some(),
                "{words}: {scenarios}{}",
                done.told()
            );
        }
    }
}

/// Who sees something reads titles, where something has one: in those it may stand.
#[test]
fn what_has_a_title_may_be_seen_by_it() {
    let rows = [
        (
            "word sky: bright \"a clear sky\" | dull \"a grey one\" = dull",
            "clear",
            "grey",
        ),
        ("mark soft \"as soft as wool\"", "wool", "soft"),
        ("role Goat \"a horned one\" of Flock at most 1", "horned", "one"),
    ];
    for (declared, first, other) in rows {
        let rules = TINY.replacen("mark bitten", &format!("{declared}\nmark bitten"), 1);
        for (word, is_vain) in [(first, false), (other, false), ("spruce", true)] {
            let line = format!("Bob never sees containing \"{word}\"");
            let lines = format!("{SCENARIO}play \"y\"\nrun to Night 1\nexpect {line}\n");
            let folder = folder_with(&rules, &lines);
            let done = omerta_in(folder.path(), &["test", "--filter", "y"], b"");
            assert_eq!(done.err.contains("M0960"), is_vain, "{line}: {}", done.told());
        }
    }
}
