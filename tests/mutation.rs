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

// ---- Would every line fail?

/// What is told of the lines of some scenarios on the tiny game: the place and why.
fn asleep(scenarios: &str) -> (Option<i32>, Vec<String>) {
    let done = omerta_in(
        folder(scenarios).path(),
        &["test", "--strength", "--format", "json"],
        b"",
    );
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err));
    let lines = |key: &str| told[key].as_array().unwrap().clone();
    let line = |line: serde_json::Value| {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        format!("{} {}: {}", line["line"], text("text"), text("why"))
    };
    let all = lines("asleep").into_iter().chain(lines("unnoticing"));
    (done.code, all.map(line).collect())
}

/// How many lines slept, and how many scenarios notice nothing, is told in words where there are any, and else not.
#[test]
fn lines_and_scenarios_that_sleep_are_counted_in_words() {
    let head = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep\n";
    let setup =
        "ruleset tiny\nseats 2\nplay \"two\"\nexpect setup error\nplay \"again\"\nexpect setup error\n";
    let two = "ruleset tiny\nseats 2\nplay \"two\"\nexpect setup error\n";
    let idle = format!("{head}play \"idle\"\nexpect number of players is 3\n");
    for (scenarios, code, lines, rest) in [
        (SCENARIOS, 0, "7 of 7 lines", ""),
        (setup, 1, "0 of 2 lines", ", 2 not; 2 scenarios notice none"),
        (&idle, 1, "0 of 1 line", ", 1 not; 0 scenarios notice none"),
        (two, 1, "0 of 1 line", ", 1 not; 1 scenario notices none"),
    ] {
        let done = omerta_in(folder(scenarios).path(), &["test", "--strength"], b"");
        let told = done.out.lines().last().unwrap_or_default();
        let (seen, by) = told.split_once(" seen to fail by ").unwrap_or((told, ""));
        let (slips, said) = by.split_once(" slips").unwrap_or((by, ""));
        assert!(slips.parse::<usize>().is_ok_and(|slips| slips > 1), "{told}");
        assert_eq!(
            (done.code, seen, said),
            (Some(code), lines, rest),
            "{}",
            done.told()
        );
    }
}

/// The rules as they are, and with an overlay that needs what a change may take away.
#[test]
fn what_is_broken_for_one_scenario_alone_is_no_slip_that_another_should_notice() {
    let game = r#"ruleset game "The game"
use std.table
publish Day
players 3..5
cast {
  players   3..5
  Villager  rest
}
team Village "the village"
role Villager "a villager" of Village
mark gone
option votes: 1..3 = 1 "how many go"
script {
  play Deal
  play Day
}
scene Day {
  ask host for guest from players "Who?"
  mark guest as gone
  if votes is 3 { say "Three." }
}
ending over: draw when some gone "Over."
"#;
    let line = 1 + game.lines().position(|line| line.starts_with("option")).unwrap();
    let lines = format!("{line}..{line}");
    let scenario = |with: &str| {
        format!(
            "ruleset \"./game.mafia\"{with}\nseats Ann, Bob, Cid\nplay \"x\"\nDay 1 {{\n  host -> Bob\n}}\n"
        )
    };
    // `votes: 1..2` does not compile where three are chosen, and plays where fewer are.
    for (chosen, plain_too, is_told) in [
        (3, true, false),
        (3, false, false),
        (2, true, true),
        (2, false, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        crate::program::write(here, "game.mafia", game);
        let overlay = format!("overlay most \"Most\" on game {{\n  choose votes = {chosen}\n}}\n");
        crate::program::write(here, "most.mafia", &overlay);
        crate::program::write(here, "with.play", &scenario(" with most"));
        if plain_too {
            crate::program::write(here, "plain.play", &scenario(""));
        }
        let told = omerta_in(here, &["test", "--mutate", "game.mafia", "--lines", &lines], b"").told();
        assert_eq!(
            told.contains("without the last value"),
            is_told,
            "{chosen}, {plain_too}: {told}"
        );
        assert_eq!(
            told.contains("1 do not compile"),
            !is_told,
            "{chosen}, {plain_too}: {told}"
        );
    }
}

#[test]
fn lines_that_some_slip_makes_fail_are_awake() {
    assert_eq!(asleep(SCENARIOS), (Some(0), Vec::new()));
}

#[test]
fn each_line_that_sleeps_is_told_with_its_reason() {
    let head = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\n";
    let night = "Night 1 {\n  host -> pass\n  host -> Bob\n";
    let sleepers = |lines: &str| {
        asleep(&format!(
            "{head}play \"x\"\n{night}{lines}\n}}\nexpect out is exactly Bob"
        ))
    };
    for (line, why) in [
        (
            "expect not said containing \"biten\"",
            "it can never fail, whatever the game does",
        ),
        (
            "expect nobody told anything",
            "it can never fail, whatever the game does",
        ),
        ("expect not happened bite of Wolf", "no slip made it fail"),
        (
            "expect not said containing \"Cid is bitten\"",
            "no slip made it fail",
        ),
        (
            "expect number of players is 4",
            "it can never fail, whatever the game does",
        ),
    ] {
        assert_eq!(sleepers(line), (Some(1), vec![format!("7 {line}: {why}")]));
    }
    for line in ["expect said bitten", "expect Bob is out"] {
        assert_eq!(sleepers(line), (Some(0), Vec::new()), "{line}");
    }
}

#[test]
fn an_error_of_the_setup_without_words_is_no_proof_and_its_scenario_minds_no_slip() {
    let any = "4 expect setup error: any error will do: it says no words";
    assert_eq!(
        asleep("ruleset tiny\nseats 2\nplay \"two\"\nexpect setup error\n"),
        (
            Some(1),
            vec![any.to_owned(), "3 two: it notices no slip".to_owned()]
        )
    );
}

/// What is said of a table hangs on the table: another one wakes the line, and the scenario that has it.
#[test]
fn a_scenario_about_its_table_alone_notices_another_table() {
    let scenario = |cast: &str, error: &str| {
        format!(
            "ruleset tiny\nseats Ann, Bob, Cid, Dee\ncast {cast}\nplay \"x\"\nexpect setup error \"{error}\"\n"
        )
    };
    for (cast, cards) in [("Wolf 1, Sheep 4", 5), ("Sheep 3", 3)] {
        let error = format!("4 players need 4 cards, and the cast has {cards}");
        assert_eq!(asleep(&scenario(cast, &error)), (Some(0), Vec::new()), "{cast}");
    }
}

/// What an overlay or an option asks of a table: without the one, or with the usual value of the other, nothing is wrong.
#[test]
fn a_scenario_about_its_overlays_and_options_notices_others() {
    let rules = format!(
        "{TINY}option least: 3..4 = 3 \"how many there must be\"\n\
         require enough: number of players is at least least \"too few\"\n"
    );
    let overlay =
        "overlay large \"Large\" on tiny {\n  require large: number of players is 4 \"four, or none\"\n}\n";
    for (head, error) in [
        ("ruleset tiny with large", "four, or none"),
        ("ruleset tiny\nset least = 4", "too few"),
    ] {
        let scenario = format!(
            "{head}\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep\nplay \"x\"\nexpect setup error \"{error}\"\n"
        );
        let folder = folder_with(&rules, &scenario);
        crate::program::write(folder.path(), "large.mafia", overlay);
        let done = omerta_in(folder.path(), &["test", "--strength"], b"");
        assert!(
            done.out.ends_with("1 of 1 line seen to fail by 1 slip\n") || done.code == Some(0),
            "{head}: {}",
            done.told()
        );
    }
}

/// Slips of an overlay are tried on the scenarios that lay it; those without it notice none, and stand in nobody's way.
#[test]
fn slips_of_an_overlay_are_tried_where_it_is_laid() {
    let overlay = "overlay kind \"Kind\" on tiny {\n  rule mercy: instead of bite of Sheep { say \"Mercy.\" as mercy }\n}\n";
    let play = |with: &str, then: &str| {
        format!(
            "ruleset tiny{with}\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\nplay \"x\"\n\
             Night 1 {{\n  host -> nobody\n  host -> Bob\n}}\nexpect Bob is {then}\n"
        )
    };
    let folder = folder_with(&format!("{TINY}publish bite\n"), &play("", "out"));
    crate::program::write(folder.path(), "kind.mafia", overlay);
    crate::program::write(folder.path(), "kind.play", &play(" with kind", "not out"));
    let told = omerta_in(folder.path(), &["test", "--mutate", "kind.mafia"], b"").told();
    insta::assert_snapshot!(told, @r#"
    kind.mafia:2:34: everybody
        - rule mercy: instead of bite of Sheep { say "Mercy." as mercy }
        + rule mercy: instead of bite of players { say "Mercy." as mercy }
    kind.mafia:2:42: dropped
        - rule mercy: instead of bite of Sheep { say "Mercy." as mercy }
        + rule mercy: instead of bite of Sheep { if no players { say "Mercy." as mercy } }
    kind.mafia: 4 changes, 2 noticed by 1 scenario (50.0 %), 2 not
    not counted: 1 do not compile, 0 come to the same
    "#);
}

#[test]
fn a_line_of_a_table_of_cases_is_one_line() {
    // In the first case the bite is warded off and the line holds whatever is said of Cid; in the second it can fail.
    let scenarios = "ruleset tiny\nseats Ann: Wolf, Bob: Sheep, Cid: Sheep, Dee: Sheep\nplay \"x\"\n\
                     for each case of ward, words {\n  Bob, \"Nobody was here\"\n  Bob, \"is bitten\"\n}\n\
                     Night 1 {\n  host -> ward\n  host -> Bob\n  expect not said containing words\n}\n";
    assert_eq!(asleep(scenarios), (Some(0), Vec::new()));
}

// ---- How many slips of each text

#[test]
fn of_a_folder_each_text_has_its_line_and_whole_rulesets_are_held_to_the_least() {
    let folder = folder(SCENARIOS);
    let score = |least: &str| omerta_in(folder.path(), &["test", "--mutate", ".", "--least", least], b"");
    let done = score("40");
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!((done.code, lines.len()), (Some(0), 1), "{}{}", done.out, done.err);
    assert!(
        lines[0].contains("tiny.mafia: ") && lines[0].contains(" changes, "),
        "{}",
        lines[0]
    );
    assert_eq!(score("99").code, Some(1));
}

/// The bundled rulesets, with the scenarios that are theirs.
const BUNDLED: [(&str, &[&str]); 7] = [
    ("city.mafia", &["city.play", "mods"]),
    ("town.mafia", &["town.play", "town-games.play", "mods"]),
    ("village.mafia", &["village.play", "village-games.play"]),
    (
        "mods/two-player.mafia",
        &["mods/two-player.play", "mods/games.play"],
    ),
    ("blitz/blitz.mafia", &["blitz"]),
    ("sport/sport.mafia", &["sport"]),
    ("vendetta/vendetta.mafia", &["vendetta"]),
];

/// `tests/mutation/unnoticed.txt` holds every slip that nobody notices. A few slips of each ruleset are tried here, others in
/// each: one that is not noticed must stand there. All are tried by `omerta test --mutate rulesets --least 95`.
#[test]
fn of_every_bundled_ruleset_95_percent_of_the_slips_are_noticed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("tests/mutation/unnoticed.txt")).unwrap();
    for (seed, (ruleset, scenarios)) in BUNDLED.iter().enumerate() {
        let part = page.split("\n# ").find_map(|part| part.strip_prefix(ruleset));
        let (counted, known) = part.and_then(|part| part.split_once('\n')).expect(ruleset);
        let known: Vec<&str> = known.lines().filter(|line| !line.is_empty()).collect();
        let counted: usize = counted.trim_start_matches(": ").parse().expect(ruleset);
        assert!(
            known.len() * 20 <= counted,
            "{ruleset}: {} of {counted}",
            known.len()
        );
        let text = std::fs::read_to_string(root.join("rulesets").join(ruleset)).unwrap();
        assert!(counted <= changes_of(&text).len(), "{ruleset}");
        let (seed, folder) = (seed.to_string(), root.join("rulesets"));
        let head = [
            "test", "--mutate", ruleset, "--sample", "3", "--seed", &seed, "--format", "json",
        ];
        let done = omerta_in(&folder, &[&head[..], scenarios].concat(), b"");
        let told: serde_json::Value =
            serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err));
        for slip in told["unnoticed"].as_array().unwrap() {
            let text = |key: &str| slip[key].as_str().unwrap();
            let line = format!("{} | {} | {}", text("what"), text("before"), text("after"));
            assert!(
                known.contains(&line.as_str()),
                "{ruleset}: no scenario notices {line}"
            );
        }
    }
}
