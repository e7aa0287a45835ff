//! The last that may be and the first that may not, nobody and several, on the surfaces around a game: files,
//! names, kept games, role cards, the course, differences, what scenarios touch.

use crate::{
    errors::check,
    program::{Done, SCENARIOS, TINY, folder_with, omerta_in, run, write},
    properties::facts::without_registers,
    tables::{With, game_on},
};
use omerta::{Load, Table};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::OptionSetting;
use omerta_engine::{Choice, FaultKind, Game, Listener, Log, Pending, Silence};
use omerta_measure::{coverage::values_of, mutation};
use omerta_play::{
    chance::Chance,
    policy::Policy,
    save::{Save, SaveError},
};
use omerta_workbench::{Workbench, bundle::Shelf, explain::explain, files, people::some_names};
use std::{collections::BTreeMap, fs, path::Path, process::Command, sync::Arc};

// ---- Files

#[test]
fn a_file_may_have_4_mib_and_not_a_byte_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.mafia");
    let read = |bytes: usize| {
        fs::write(&path, " ".repeat(bytes)).unwrap();
        files::read(&path).is_ok()
    };
    assert!(read(4 << 20));
    assert!(!read((4 << 20) + 1));
}

/// What is no file, or no file that can be read or written, is refused with the reason, whichever command names it; a link
/// to a file is as good as the file.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_with_the_reason() {
    let folder = folder_with(TINY, "");
    let here = folder.path();
    fs::create_dir(here.join("empty")).unwrap();
    for (to, name) in [
        ("nowhere.mafia", "dangling.mafia"),
        ("round.mafia", "round.mafia"),
        ("tiny.mafia", "same.mafia"),
    ] {
        std::os::unix::fs::symlink(to, here.join(name)).unwrap();
    }
    let out = ["sim", "same.mafia", "--games", "2", "--out"];
    for (args, told) in [
        (&["show", "same.mafia"][..], None),
        (&["show", "empty"], Some("`empty` is a folder; name a file in it")),
        (&["play", "empty"], Some("`empty` is a folder; name a file in it")),
        (&["run", "empty"], Some("`empty` is a folder; name a file in it")),
        (
            &["diff", "tiny.mafia", "empty"],
            Some("`empty` is a folder; name a file in it"),
        ),
        (
            &["check", "empty"],
            Some("in `empty` there is no file that ends in `.mafia` or `.play`"),
        ),
        (
            &["fmt", "empty"],
            Some("in `empty` there is no file that ends in `.mafia` or `.play`"),
        ),
        (&["test", "empty"], Some("`empty` holds no .play file")),
        (
            &["check", "dangling.mafia"],
            Some("`dangling.mafia` is a link to `nowhere.mafia`, which is not there"),
        ),
        (
            &["show", "dangling.mafia"],
            Some("`dangling.mafia` is a link to `nowhere.mafia`, which is not there"),
        ),
        (
            &["show", "nowhere.mafia"],
            Some("there is no file `nowhere.mafia`"),
        ),
        (&["check", "round.mafia"], Some("`round.mafia` cannot be read: ")),
        (&["check", "/dev/null"], Some("`/dev/null` is no file")),
        (&["show", "/dev/null"], Some("`/dev/null` is no file")),
        (
            &[&out[..], &["empty"]].concat(),
            Some("`empty` cannot be written: it is a folder"),
        ),
        (
            &[&out[..], &["/dev/full"]].concat(),
            Some("`/dev/full` is no file and is not written to"),
        ),
        (
            &[&out[..], &["no/x.json"]].concat(),
            Some("`no/x.json` cannot be written: the folder in which it should lie is not there"),
        ),
        (
            &[&out[..], &["tiny.mafia/x.json"]].concat(),
            Some("`tiny.mafia/x.json` cannot be written: a file stands where a folder should be"),
        ),
        (&[&out[..], &["x.json"]].concat(), None),
        (
            &["new", "tiny.mafia"],
            Some("`tiny.mafia` is a file; name a folder that is not there yet"),
        ),
    ] {
        let done = omerta_in(here, args, b"");
        match told {
            Some(told) => assert!(
                done.code != Some(0) && done.err.starts_with(&format!("error: {told}")),
                "{args:?}: {}",
                done.told()
            ),
            None => assert_eq!(done.code, Some(0), "{args:?}: {}", done.told()),
        }
    }
}

#[test]
fn a_kept_game_may_have_16_mib_and_not_a_byte_more() {
    let folder = folder_with(TINY, "");
    omerta_in(folder.path(), &["play", "tiny.mafia"], b"save a.game\n");
    let text = fs::read_to_string(folder.path().join("a.game")).unwrap();
    let padded = |bytes: usize| text.clone() + " ".repeat(bytes - text.len()).as_str();
    assert!(Save::from_text(&padded(16 << 20)).is_ok());
    let longer = (16 << 20) + 1;
    assert_eq!(
        Save::from_text(&padded(longer)),
        Err(SaveError::TooLong { bytes: longer })
    );
}

#[test]
fn a_path_is_seen_from_another_folder_through_those_above_both() {
    let rows = [
        ("a", "b/x.mafia", "../b/x.mafia"),
        ("a", "a/x.mafia", "x.mafia"),
        ("a/../b", "b/x.mafia", "x.mafia"),
        ("a/b", "a/../c/x.mafia", "../../c/x.mafia"),
        ("./a", "x.mafia", "../x.mafia"),
        ("a", "/x.mafia", "/x.mafia"),
    ];
    for (folder, file, seen) in rows {
        assert_eq!(
            files::seen_from(Path::new(folder), file),
            seen,
            "{file} from {folder}"
        );
    }
}

#[test]
fn what_is_hidden_is_not_found_below_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["a", "a/b", ".git"] {
        fs::create_dir(at.join(name)).unwrap();
    }
    for name in [
        "a/b/z.play",
        "a/y.play",
        "x.play",
        ".git/w.play",
        ".v.play",
        "a/u.mafia",
    ] {
        write(at, name, "");
    }
    let found = files::below(at, "play");
    let names: Vec<_> = found
        .iter()
        .map(|path| path.strip_prefix(at).unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, ["a/b/z.play", "a/y.play", "x.play"]);
}

/// A folder with links into itself is gone through once, and what lies in it is called by its own name.
#[cfg(unix)]
#[test]
fn what_links_lead_to_is_found_once() {
    use std::os::unix::fs::symlink;
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = folder.path();
    fs::create_dir(at.join("sub")).unwrap();
    write(at, "sub/x.play", "");
    write(other.path(), "y.play", "");
    for (to, name) in [
        (".", "a"),
        (".", "b"),
        ("..", "sub/up"),
        ("sub", "also"),
        ("sub/x.play", "c.play"),
        ("nowhere", "d.play"),
    ] {
        symlink(to, at.join(name)).unwrap();
    }
    symlink(other.path(), at.join("other")).unwrap();
    let found = files::below(at, "play");
    let names: Vec<_> = found
        .iter()
        .map(|path| path.strip_prefix(at).unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, ["d.play", "other/y.play", "sub/x.play"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_written_anew_keeps_its_rights() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mafia");
    fs::write(&path, "one").unwrap();
    for rights in [0o600, 0o640, 0o755] {
        fs::set_permissions(&path, fs::Permissions::from_mode(rights)).unwrap();
        files::write(&path, "two").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, rights);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_is_held_by_one_at_a_time_and_its_lock_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let held = files::hold(&path).unwrap();
    assert!(held.is_some());
    // What is written is another file each time, and held all the same.
    files::write(&path, "one").unwrap();
    let refused = files::hold(&path).unwrap_err().to_string();
    assert!(refused.contains("is in use by another `omerta`"), "{refused}");
    drop(held);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(files::hold(&path).unwrap().is_some());
    for unheld in ["/dev/null", "no/such/folder/run.json", "/"] {
        assert!(files::hold(Path::new(unheld)).unwrap().is_none(), "{unheld}");
    }
}

#[test]
fn two_runs_do_not_keep_themselves_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let held = files::hold(&path).unwrap();
    let words = ["sim", "city", "--games", "10", "--out", "run.json"];
    let refused = omerta_in(folder.path(), &words, b"");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("`run.json` is in use by another `omerta`"),
        "{}",
        refused.err
    );
    assert!(!path.exists());
    drop(held);
    assert_eq!(omerta_in(folder.path(), &words, b"").code, Some(0));
    let held = files::hold(&path).unwrap();
    let refused = omerta_in(
        folder.path(),
        &["sim", "city", "--games", "20", "--resume", "run.json"],
        b"",
    );
    assert!(
        refused.err.contains("is in use by another `omerta`"),
        "{}",
        refused.err
    );
    drop(held);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_what_is_no_file_is_not_written_to() {
    use std::os::unix::{fs::FileTypeExt, fs::symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let refused = |name: &Path| files::write(name, "two").unwrap_err().to_string();
    fs::create_dir(at("in")).unwrap();
    for (link, to) in [
        ("link", "in/next"),
        ("in/next", "there"),
        ("new", "in/new"),
        ("ring", "ring"),
    ] {
        symlink(to, at(link)).unwrap();
    }
    fs::write(at("in/there"), "one").unwrap();
    for (link, to) in [("link", "in/there"), ("new", "in/new")] {
        files::write(&at(link), "two").unwrap();
        assert_eq!(fs::read_to_string(at(to)).unwrap(), "two");
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
    }
    assert!(fs::symlink_metadata(at("in/next")).unwrap().is_symlink());
    assert!(refused(&at("ring")).contains("in a circle"));

    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    assert!(refused(&at("pipe")).contains("is no file and is not written to"));
    assert!(fs::metadata(at("pipe")).unwrap().file_type().is_fifo());
    files::write(Path::new("/dev/null"), "two").unwrap();
    // A device stays what it is, whoever writes.
    assert!(refused(Path::new("/dev/tty")).contains("/dev/tty"));

    symlink("gone", at("broken")).unwrap();
    let why = files::read(&at("broken")).unwrap_err().to_string();
    assert!(why.ends_with("is a link to `gone`, which is not there"), "{why}");
    assert_eq!(fs::read_dir(at("in")).unwrap().count(), 3);
}

#[test]
fn a_code_is_found_however_it_is_typed() {
    let page = explain("M0203").unwrap();
    for code in [
        "M0203", "m0203", "M203", "m203", "203", " 203 ", "M0203\n", "0203",
    ] {
        assert_eq!(explain(code), Ok(page), "{code:?}");
    }
    for code in ["", "M", "M02031", "-203", "M 203", "0"] {
        assert!(explain(code).is_err(), "{code:?}");
    }
}

// ---- People

#[test]
fn sixty_four_may_be_named_and_no_two_alike() {
    let rules = Load::named("city").load().unwrap();
    let named = |names: Vec<String>| {
        rules
            .begin(&Table::new().names(names))
            .err()
            .map(|why| why.to_string())
    };
    let sentence = |names: &[&str]| named(names.iter().map(|name| (*name).to_owned()).collect()).unwrap();
    assert!(
        named(some_names(65))
            .unwrap()
            .contains("65 names are more than the 64 seats")
    );
    assert!(!named(some_names(64)).unwrap().contains("more than the 64 seats"));
    assert!(sentence(&["Ann", "Bob", "ANN"]).contains("two are called `ANN`"));
    assert!(sentence(&["Ann", "Bob", "Ann"]).contains("two are called `Ann`"));
    assert!(sentence(&["Ann", "Nobody"]).contains("`Nobody` cannot be a name"));
    assert!(sentence(&["Ann", "2nd"]).contains("would be taken for the number"));
    // What nobody sees makes no other name, and nothing in one moves the cursor of a terminal.
    for sign in [
        '\u{1b}',
        '\u{ad}',
        '\u{180e}',
        '\u{200b}',
        '\u{202e}',
        '\u{2800}',
        '\u{3164}',
        '\u{e0041}',
    ] {
        assert!(
            sentence(&["Ann", &format!("B{sign}ob")]).contains("cannot be a name"),
            "{sign:?}"
        );
    }
    assert!(sentence(&["Ann", &"B".repeat(201)]).contains("cannot be a name"));
}

// ---- Kept games, for programs

/// Neither a game of other rules nor one whose answers stop somewhere is restored; and a kept one names its base.
#[test]
fn a_kept_game_is_restored_whole_or_not_at_all() {
    let rules = Load::named("city").load().unwrap();
    let mut game = rules.begin(&Table::new().players(6).seed(3)).unwrap();
    for _ in 0..5 {
        let answer = game.random_answer().unwrap();
        game.apply(&answer).unwrap();
    }
    let text = game.save();
    let mut save: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(save["ruleset"], "city");
    assert_eq!(rules.restore(&text).unwrap().save(), text);
    let answers = save["answers"].as_array_mut().unwrap();
    answers.push(serde_json::json!({ "Title": 60000 }));
    assert!(rules.restore(&save.to_string()).is_err(), "{save}");
    let other = Load::named("town").load().unwrap();
    assert!(other.restore(&text).is_err());
}

// ---- Overlays

/// What is needed by what is needed is laid on as well, wherever it stands.
#[test]
fn an_overlay_is_checked_with_all_that_its_needs_need() {
    let folder = folder_with(TINY, "");
    let at = folder.path();
    write(
        at,
        "one.mafia",
        "overlay one on tiny {\n  needs two\n  rule first: after departure of players as p { mark p as second-mark }\n}\n",
    );
    write(
        at,
        "two.mafia",
        "overlay two on tiny {\n  needs three\n  publish second-mark\n  mark second-mark\n}\n",
    );
    write(
        at,
        "three.mafia",
        "overlay three on tiny {\n  mark third-mark\n  allow host to look { mark living as third-mark }\n}\n",
    );
    let done = omerta_in(at, &["check", "one.mafia"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
    fs::remove_file(at.join("three.mafia")).unwrap();
    let done = omerta_in(at, &["check", "one.mafia"], b"");
    assert_eq!(done.code, Some(1), "{}", done.told());
    // It is told where this file names what needs it.
    let told = done.told();
    assert!(told.contains("no overlay or file `three`"), "{told}");
    assert!(told.contains("one.mafia:2:9"), "{told}");
}

// ---- The book

fn told_of_sides(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "sides.mafia", include_str!("bounds/sides.mafia"));
    let done = omerta_in(folder.path(), args, b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    fs::read_to_string(folder.path().join("cards.svg")).unwrap_or(done.out)
}

#[test]
fn each_card_tells_its_side_its_ending_and_that_more_is_in_the_book() {
    let cards = told_of_sides(&["book", "sides.mafia", "--cards", "cards.svg"]);
    let card = |title: &str| {
        let at = cards
            .find(&format!(">{title}</text>"))
            .unwrap_or_else(|| panic!("no card {title}\n{cards}"));
        let end = cards[at..].find("</g>").unwrap();
        &cards[at..at + end]
    };
    // Five signs go round: the sixth side begins anew.
    let signs = ["●", "■", "▲", "◆", "★", "●", "■"];
    for (side, sign) in signs.iter().enumerate() {
        assert!(
            card(&format!("Man {}", side + 1)).contains(&format!(">{sign} Side {}<", side + 1)),
            "side {side}"
        );
    }
    let words = |title: &str| {
        let lines = card(title)
            .lines()
            .filter_map(|line| line.split_once('>')?.1.strip_suffix("</text>"));
        lines.collect::<Vec<_>>().join(" ")
    };
    assert!(
        words("The loner").contains("You win when the loner is left."),
        "{}",
        words("The loner")
    );
    assert!(
        words("Man 1").contains("You win when side 1 is left."),
        "{}",
        words("Man 1")
    );
    assert!(!words("Man 2").contains("You win"), "{}", words("Man 2"));
    assert!(words("The talker").ends_with(" …") && !words("Man 1").ends_with('…'));
}

/// The usual cast stands behind a named one: it is the usual one all the same.
#[test]
fn cards_for_a_number_of_players_are_those_of_the_usual_cast() {
    let cards = told_of_sides(&["book", "sides.mafia", "--cards", "cards.svg", "--players", "4"]);
    let count = |title: &str| cards.matches(&format!(">{title}</text>")).count();
    assert_eq!((count("Man 1"), count("The loner"), count("Man 2")), (2, 2, 0));
}

#[test]
fn the_course_and_the_book_tell_what_comes_instead_and_by_whom() {
    let course = told_of_sides(&["graph", "sides.mafia"]);
    assert!(
        course.contains("    when there is a man 2:\n      Tea\n"),
        "{course}"
    );
    let book = told_of_sides(&["book", "sides.mafia"]);
    let line = book
        .lines()
        .find(|line| line.contains("After the shove"))
        .unwrap_or_else(|| panic!("{book}"));
    assert!(line.contains(" of ") && line.contains(" by "), "{line}");
}

// ---- Differences

#[test]
fn three_changes_are_shown_and_four_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let rules = |numbers: [u8; 4]| {
        let adds: String = numbers
            .iter()
            .map(|number| format!("  add {number} to bell\n  wait\n"))
            .collect();
        format!(
            "ruleset a\nplayers 3\ncast {{ Man rest }}\nrole Man\ncount bell\nscript {{ play Night }}\nscene Night {{\n{adds}  judge\n}}\nending a: draw when bell is 1\nending b: draw when bell is 2\n"
        )
    };
    let diff = |before: &str, after: &str| {
        write(folder.path(), "a.mafia", before);
        write(folder.path(), "b.mafia", after);
        omerta_in(folder.path(), &["diff", "a.mafia", "b.mafia"], b"").out
    };
    let one = rules([1, 1, 1, 1]);
    let three = diff(&one, &rules([2, 2, 2, 1]));
    assert_eq!(three.matches("[1 → 2]").count(), 3, "{three}");
    let four = diff(&one, &rules([2, 2, 2, 2]));
    assert!(four.contains("4 words gone, 4 new"), "{four}");
    let gone = diff(&one, &one.replace("ending b: draw when bell is 2\n", ""));
    assert!(gone.contains("- 2. b\n"), "{gone}");
    let gone = diff(&one, &one.replace("ending a: draw when bell is 1\n", ""));
    assert!(gone.contains("- 1. a\n"), "{gone}");
}

// ---- What scenarios touch

#[test]
fn eight_values_of_an_option_are_asked_for_one_by_one_and_of_more_the_ends() {
    let values = |range: &str| {
        values_of(&OptionSetting {
            name: "bid".to_owned(),
            value: "3".to_owned(),
            default: "3".to_owned(),
            values: vec![range.to_owned()],
            sentence: String::new(),
        })
    };
    assert_eq!(values("1..8"), ["1", "2", "3", "4", "5", "6", "7", "8"]);
    assert_eq!(values("1..9"), ["1", "9", "3"]);
    assert_eq!(values("2..2"), ["2"]);
    assert_eq!(values("red"), ["red"]);
}

/// Both ways of a condition are places, and one was never gone.
#[test]
fn a_condition_has_two_ways_and_each_is_counted() {
    let covered = |play: &str| {
        let folder = folder_with(TINY, play);
        omerta_in(folder.path(), &["test", "tiny.play", "--coverage"], b"").out
    };
    let one = covered(SCENARIOS);
    let licked = SCENARIOS.replace("ruleset tiny\n", "ruleset tiny\nset fierce no\n");
    let both = covered(&format!(
        "{SCENARIOS}\n{}",
        &licked[licked.find("play").unwrap()..]
    ));
    let all = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    assert!(one.contains("never"), "{one}\n{}\n{both}", all(&both));
}

#[test]
fn scenarios_that_name_no_rule_are_counted_whether_they_hold_or_not() {
    let failing = SCENARIOS
        .replace("winners Bob, Cid", "winners Ann")
        .replace("a wolf", "no wolf");
    let folder = folder_with(
        TINY,
        &format!("{SCENARIOS}\n{}", &failing[failing.find("play").unwrap()..]),
    );
    let done = omerta_in(folder.path(), &["test", "tiny.play", "--ledger"], b"");
    assert!(
        done.out.contains("0 rules named; 2 scenarios without any"),
        "{}",
        done.told()
    );
}

#[test]
fn of_no_changes_all_are_noticed() {
    let target = mutation::Target {
        name: "a".to_owned(),
        text: String::new(),
        overlay: None,
    };
    let report = mutation::report(&target, 0, &[]);
    assert_eq!((report.share(), report.all_noticed()), (1000, true));
}

/// A change over which the program stumbles was not noticed by any scenario.
#[test]
fn a_change_that_makes_the_program_stumble_is_not_noticed() {
    let target = mutation::Target {
        name: "a".to_owned(),
        text: "scene S { stop }\n".to_owned(),
        overlay: None,
    };
    let changes = mutation::wished(&target, &mutation::Wish::default());
    let tried = |verdict| -> Vec<mutation::Tried> {
        let tried = |change| mutation::Tried { change, verdict };
        changes.iter().take(1).cloned().map(tried).collect()
    };
    let report = |verdict| mutation::report(&target, 1, &tried(verdict)).all_noticed();
    use mutation::Verdict::{Noticed, Stumbled, Unnoticed};
    assert_eq!([Noticed, Stumbled, Unnoticed].map(report), [true, false, false]);
}

// ---- Nothing runs for ever

/// Rules that go round and round: by draws, by questions that nobody can answer, with dice thrown again.
const ENDLESS: [(&str, &str); 5] = [
    ("draws", "3"),
    ("passed-over", "3"),
    ("reroll", "3"),
    ("omens", "4"),
    ("hearts", "4"),
];

/// Runs the program in a folder that holds one of these; it is ended where it does not end by itself.
fn ended(name: &str, args: &[&str], input: &[u8]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/bounds/{name}.mafia"));
    fs::copy(file, folder.path().join("rules.mafia")).unwrap();
    write(
        folder.path(),
        "rules.play",
        "play \"on and on\"\nruleset rules\nseats 4\notherwise random with seed 1\nrun to end\n",
    );
    let mut command = Command::new("timeout");
    let command = command.args(["-s", "KILL", "60", env!("CARGO_BIN_EXE_omerta")]);
    let done = run(command.args(args).current_dir(folder.path()), input);
    assert!(
        done.code.is_some_and(|code| code != 137),
        "{name} {args:?}: {}",
        done.told()
    );
    done
}

#[cfg(unix)]
#[test]
fn rules_without_a_pause_are_stopped_wherever_they_are_played() {
    for (name, players) in ENDLESS {
        let told = |args: &[&str], input: &[u8]| {
            let told = ended(name, args, input).told();
            let stopped = told.contains("M0940") || told.contains("The rules went wrong");
            assert!(stopped, "{name} {args:?}: {told}");
        };
        let file = "rules.mafia";
        told(&["sim", file, "--players", players, "--games", "20"], b"");
        told(&["check", "--deep", "--games", "20", file], b"");
        told(&["play", file, "--players", players], b"rest\nend\n");
    }
    // A scenario sits four at the table.
    for name in ["reroll", "omens", "hearts"] {
        let done = ended(name, &["test", "rules.play"], b"");
        assert!(done.told().contains("M0940"), "{name}: {}", done.told());
    }
}

/// Goes round for ever on what was read before the first turn, and on a copy of it.
const COPIED: &str = r#"ruleset deed "x"
use std.table
players 3
cast { Guest rest }
role Guest
mark lit
mark seen
mark named
flag late
script {
  play Deal
  wait
  mark seat 2 plus seat 3 as lit
  let first = lit
  let second = first
  let third = second without seat 3
  let fourth = third
  repeat {
    clear seen, named
    mark second as seen
    mark fourth without seat 3 as named
    set late to no
  }
}
ending over: draw when some seen and some named and late
"#;

/// Whoever listens, and whoever brings the answers: the rules break at the same instruction, with the same dice.
#[test]
fn rules_without_a_pause_break_at_the_same_place_in_silence_as_aloud() {
    let in_file = ENDLESS.map(|(name, players)| {
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/bounds/{name}.mafia"));
        let bench = Workbench::new(Shelf::beside(&base));
        (bench, base.display().to_string(), players)
    });
    let copied = Workbench::reading(Arc::new(With(COPIED.to_owned())));
    let all = in_file.into_iter().chain([(copied, "deed".to_owned(), "3")]);
    for (bench, name, players) in all {
        let names = &["Ann", "Bob", "Cid", "Dee"][..players.parse().unwrap()];
        let session = game_on(&bench, &name, names).unwrap();
        let start = |listener: &mut dyn Listener| session.table().begin(listener).unwrap();
        let state = |game: &Game| {
            let mut state = serde_json::to_value(game.state()).unwrap();
            // What lies above a frame is nobody's; a frame knows where it waits once it has waited.
            state["stack"].take();
            state["board"]["frames"].take();
            state
        };
        let policy = Policy::default();
        let chance = || Chance::of_seed(4);
        let (mut silent, mut dice) = (start(&mut Silence), chance());
        policy.play(&mut silent, &mut dice, &mut Silence, 100_000);
        let mut log = Log::default();
        let (mut aloud, mut heard) = (start(&mut log), chance());
        policy.play(&mut aloud, &mut heard, &mut log, 100_000);
        let (mut waited, mut thrown) = (start(&mut Silence), chance());
        while let Some(choice) = policy.choose(&waited, &mut thrown) {
            waited.apply(choice, &mut Silence).unwrap();
        }
        assert!(
            matches!(silent.pending(), Pending::Broken(fault) if fault.kind == FaultKind::Endless),
            "{name}: {:?}",
            silent.pending()
        );
        for (other, drawn) in [(&aloud, &heard), (&waited, &thrown)] {
            assert_eq!(silent.pending(), other.pending(), "{name}");
            assert_eq!(state(&silent), state(other), "{name}");
            assert_eq!(&dice, drawn, "{name}");
        }
    }
}

/// Rules that end within the last steps that they may take go on by other steps there, and come to the same in silence as
/// aloud; one turn more, and they break.
#[test]
fn rules_that_end_with_their_last_steps_come_to_the_same_in_silence_as_aloud() {
    let fact = |listener: &mut dyn Listener, loops: &str, turns: u32| {
        let text = format!(
            "ruleset deed \"Turns\"\nuse std.table\nplayers 3\ncast {{ players 3; Hen 3 }}\nteam Coop\nrole Hen of Coop\n\
             mark lit, seen // allow never-read\ncount total // allow never-read\nscript {{\n  wait\n  mark seat 2 plus seat 3 as lit\n  \
             let first = lit\n  let second = first\n  let third = second without seat 3\n  {}\n  mark second as seen\n  wait\n}}\n",
            loops.replace("TURNS", &turns.to_string())
        );
        let bench = Workbench::reading(Arc::new(With(text)));
        let session = game_on(&bench, "deed", &["Ann", "Bob", "Cid"]).expect("rules that can be played");
        let mut game = session.game().clone();
        game.apply(Choice::Go, listener).unwrap();
        (
            matches!(game.pending(), Pending::Broken(_)),
            without_registers(&game),
        )
    };
    for loops in [
        "repeat TURNS times {\n    if some third { add number of third to total }\n  }",
        "repeat TURNS times {\n    let fourth = second without third\n    for each p of fourth { add number of third + number of fourth to total }\n  }",
    ] {
        let (mut most, mut breaks) = (1_u32, 1_000_000);
        while most + 1 < breaks {
            let turns = most.midpoint(breaks);
            match fact(&mut Silence, loops, turns).0 {
                true => breaks = turns,
                false => most = turns,
            }
        }
        for turns in [breaks, most, most - 1, most - 10, most - 100, most - 1_000] {
            let (silent, aloud) = (
                fact(&mut Silence, loops, turns),
                fact(&mut Log::default(), loops, turns),
            );
            assert_eq!(silent, aloud, "{turns} turns of {loops}");
        }
    }
}

/// Ten thousand draws may come out without a question, and a setup of a few hundred is none too many.
#[test]
fn many_draws_without_a_question_are_no_loop() {
    let text = |rounds: u32| {
        TINY.replace("script {\n  play Deal\n", &format!("count throws\nscript {{\n  play Deal\n  repeat {{\n    draw die from 1..6\n    add 1 to throws\n    if throws is {rounds} {{\n      stop\n    }}\n  }}\n"))
    };
    for (rounds, breaks) in [(9_000, false), (11_000, true)] {
        let folder = folder_with(&text(rounds), "");
        let done = omerta_in(
            folder.path(),
            &["sim", "tiny.mafia", "--players", "3", "--games", "3"],
            b"",
        );
        assert_eq!(done.told().contains("M0940"), breaks, "{rounds}: {}", done.told());
    }
}

// ---- Many rules on one happening

/// A game with rules on one event, and what is told of their order: messages, those of them that are errors, and how often it
/// is said that there are more.
fn quarrels(rules: &str) -> [usize; 3] {
    let (_, checked) = check(&format!(
        "ruleset example\npublish kill, hits, seen\nmark out\nmark seen\ncount hits\ncount falls\nevent kill of p {{\n  mark p as out\n}}\n\
         script {{\n  do kill of seat 1\n  wait \"{{out}} {{seen}} {{hits}} {{falls}}\"\n}}\n{rules}"
    ));
    let is_about = |code: &str| ["M0605", "M0701"].contains(&code);
    let mut others = checked.diagnostics.iter().filter(|d| !is_about(d.code.0));
    assert!(others.all(|d| d.code.0 > "M0701"), "{:?}", checked.diagnostics);
    let told = || checked.diagnostics.iter().filter(|d| is_about(d.code.0));
    let more = |d: &&Diagnostic| {
        d.help
            .as_ref()
            .is_some_and(|help| help.contains("there are more pairs"))
    };
    [
        told().count(),
        told().filter(|d| d.code.0 == "M0605").count(),
        told().filter(more).count(),
    ]
}

fn many(count: usize, rule: impl Fn(usize) -> String) -> String {
    (0..count).map(rule).collect()
}

fn reads(name: usize, after: &str) -> String {
    format!("rule r{name}: after kill of players {{\n  say \"{{hits}}\"\n}}{after}\n")
}

const WRITES: &str = "rule writes: after kill of players {\n  add 1 to hits\n}\n";

/// Each rule that reads a count is a pair with the one that writes it.
#[test]
fn ten_pairs_of_rules_in_no_order_are_told_and_then_that_there_are_more() {
    for (pairs, told, more) in [
        (0, 0, 0),
        (1, 1, 0),
        (9, 9, 0),
        (10, 10, 0),
        (11, 10, 1),
        (12, 10, 1),
        (200, 10, 1),
    ] {
        let readers = many(pairs, |rule| reads(rule, ""));
        for rules in [format!("{WRITES}{readers}"), format!("{readers}{WRITES}")] {
            assert_eq!(quarrels(&rules), [told, 0, more], "{pairs}");
        }
        // Each happening and each moment has ten of its own.
        let before = rules_before(&format!("{WRITES}{readers}"));
        assert_eq!(
            quarrels(&format!("{WRITES}{readers}{before}")),
            [2 * told, 0, 2 * more],
            "{pairs}"
        );
    }
}

fn rules_before(rules: &str) -> String {
    let earlier = rules
        .replace("rule r", "rule e")
        .replace("rule writes", "rule adds");
    earlier.replace(": after", ": before").replace("hits", "falls")
}

/// A pair that somebody allows takes no place of one that he does not.
#[test]
fn pairs_that_are_allowed_are_not_counted() {
    for (pairs, allowed, told, more) in [(11, 1, 10, 0), (12, 1, 10, 1), (30, 25, 5, 0), (300, 300, 0, 0)] {
        let after = |rule: usize| {
            if rule < allowed {
                " // allow unordered-rules"
            } else {
                ""
            }
        };
        let line = |rule: usize| {
            format!(
                "rule r{rule}: after kill of players {{ say \"{{hits}}\" }}{}\n",
                after(rule)
            )
        };
        assert_eq!(
            quarrels(&format!("{WRITES}{}", many(pairs, line))),
            [told, 0, more],
            "{pairs} {allowed}"
        );
        let all = "// allow-file unordered-rules\n";
        assert_eq!(
            quarrels(&format!("{all}{WRITES}{}", many(pairs, line))),
            [0, 0, 0]
        );
    }
}

/// Warnings take no place of an error between overlays; where there are errors, these alone are told.
#[test]
fn errors_between_overlays_are_counted_apart_from_warnings() {
    for (warned, errors) in [(11, 1), (1, 11), (9, 10), (11, 11), (60, 60)] {
        let warnings = many(warned, |rule| reads(rule, ""));
        let overlay = many(errors, |rule| {
            format!("rule o{rule}: after kill of players {{\n  say \"{{seen}}\"\n}}\n")
        });
        let rules = format!(
            "{WRITES}overlay one on example {{\n  rule marks: after kill of players {{\n    mark seat 1 as seen\n  }}\n}}\n\
             overlay two on example {{\n{warnings}{overlay}}}\n"
        );
        let told = errors.min(10);
        let more = usize::from(errors > 10);
        assert_eq!(quarrels(&rules), [told, told, more], "{warned} {errors}");
    }
}

/// Whoever checks an overlay is not told the pairs of its base, so these take no place of its own.
#[test]
fn pairs_of_an_overlay_are_counted_apart_from_those_of_its_base() {
    for (base, own) in [(30, 3), (30, 30), (3, 11)] {
        let of_base = many(base, |rule| reads(rule, ""));
        let of_overlay = many(own, |rule| reads(1_000 + rule, ""));
        let rules = format!("{WRITES}{of_base}overlay one on example {{\n{of_overlay}}}\n");
        let more = usize::from(base > 10) + usize::from(own > 10);
        let told = base.min(10) + own.min(10);
        assert_eq!(quarrels(&rules), [told, 0, more], "{base} {own}");
    }
}

/// Of a thousand rules the pairs are neither told nor gone through one by one.
#[test]
fn a_thousand_rules_on_one_happening_are_checked_in_a_moment() {
    let on = |rule: usize, order: &str, head: &str, body: &str| {
        format!("rule r{rule}{order}: {head} of players as p {{\n  {body}\n}}\n")
    };
    let behind = |rule: usize| match rule {
        0 => String::new(),
        rule => format!(" after r{}", rule - 1),
    };
    let in_front = |rule: usize| match rule {
        0 => String::new(),
        rule => format!(" before r{}", rule - 1),
    };
    let set = |rule: usize| format!("set hits to {rule}");
    let own = |rule: usize| format!("mark p as m{rule}");
    type Shape<'a> = (&'a str, bool, Box<dyn Fn(usize) -> String + 'a>);
    let shapes: Vec<Shape<'_>> = vec![
        (
            "after",
            true,
            Box::new(|rule| on(rule, "", "after kill", &set(rule))),
        ),
        (
            "before",
            true,
            Box::new(|rule| on(rule, "", "before kill", &set(rule))),
        ),
        (
            "instead",
            true,
            Box::new(|rule| on(rule, "", "instead of kill", &set(rule))),
        ),
        (
            "alike",
            false,
            Box::new(|rule| on(rule, "", "after kill", "add 1 to hits")),
        ),
        (
            "idle",
            false,
            Box::new(|rule| on(rule, "", "instead of kill", "nothing")),
        ),
        (
            "behind",
            false,
            Box::new(|rule| on(rule, &behind(rule), "after kill", &set(rule))),
        ),
        (
            "in front",
            false,
            Box::new(|rule| on(rule, &in_front(rule), "after kill", &set(rule))),
        ),
        (
            "instead in order",
            false,
            Box::new(|rule| on(rule, &behind(rule), "instead of kill", &set(rule))),
        ),
        (
            "alone",
            false,
            Box::new(|rule| format!("mark m{rule}\n{}", on(rule, "", "after kill", &own(rule)))),
        ),
        // Two by two they share a mark, and are in order.
        (
            "two by two",
            false,
            Box::new(|rule| match rule % 2 {
                0 => format!("mark m{rule}\n{}", on(rule, "", "after kill", &own(rule))),
                _ => on(
                    rule,
                    &behind(rule),
                    "after kill",
                    &format!("unmark p as m{}", rule - 1),
                ),
            }),
        ),
        (
            "apart",
            false,
            Box::new(|rule| {
                // Sixty roles, for each of them a row of rules in order.
                let (role, order) = match rule {
                    0..60 => (format!("role R{rule}\n"), String::new()),
                    _ => (String::new(), format!(" after r{}", rule - 60)),
                };
                let whose = rule % 60;
                format!(
                    "{role}rule r{rule}{order}: instead of kill of R{whose} {{\n  set hits to {rule}\n}}\n"
                )
            }),
        ),
    ];
    for (name, are_many, rule) in shapes {
        let started = std::time::Instant::now();
        let told = quarrels(&many(1_000, rule));
        assert_eq!(told, if are_many { [10, 0, 1] } else { [0, 0, 0] }, "{name}");
        assert!(
            started.elapsed() < std::time::Duration::from_secs(20),
            "{name}: {:?}",
            started.elapsed()
        );
    }
}

/// Whatever rules stand beside them, two are told of as they are where they are alone.
#[test]
fn two_rules_quarrel_among_others_as_they_do_alone() {
    let bodies = [
        "after kill of players {\n  set hits to 1\n}",
        "after kill of players {\n  set hits to 2\n}",
        "after kill of players {\n  add 1 to hits\n}",
        "after kill of players {\n  add 2 to hits\n}",
        "after kill of players {\n  say \"{hits}\"\n}",
        "after kill of players as p {\n  mark p as seen\n}",
        "after kill of players {\n  say \"{seen}\"\n}",
        "after kill of players {\n  ask host for a from players\n}",
        "after kill of players {\n  ask host for b from players\n  set hits to 1\n}",
        "after kill of players {\n  judge\n}",
        "after kill of players {\n  say \"Gone.\"\n}",
        "instead of kill of players {\n  nothing\n}",
        "instead of kill of seen {\n  nothing\n}",
        "instead of kill of players {\n  set hits to 3\n}",
        "instead of kill of Guard {\n  set hits to 4\n}",
        "instead of kill of Fiend {\n  set hits to 4\n}",
    ];
    let rule = |at: usize| format!("rule r{at}: {}\n", bodies[at]);
    let roles = "role Guard\nrole Fiend\n";
    let mut alone = BTreeMap::new();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let [told, ..] = quarrels(&format!("{roles}{}{}", rule(a), rule(b)));
            alone.insert((a, b), told);
        }
    }
    assert!(alone.values().any(|told| *told == 0) && alone.values().all(|told| *told < 2));
    // Five have ten pairs at most.
    for first in 0..bodies.len() {
        for step in 1..4 {
            let mut some: Vec<usize> = (0..5).map(|i| (first + i * step) % bodies.len()).collect();
            some.sort_unstable();
            let pairs = alone
                .iter()
                .filter(|((a, b), _)| some.contains(a) && some.contains(b));
            let wanted: usize = pairs.map(|(_, told)| told).sum();
            let text: String = some.iter().map(|at| rule(*at)).collect();
            assert_eq!(quarrels(&format!("{roles}{text}")), [wanted, 0, 0], "{some:?}");
        }
    }
}
