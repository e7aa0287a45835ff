//! `omerta check --deep`: what playing the rules finds, each with a game that shows it; and what it
//! leaves alone.

use omerta_check::Readings;
use omerta_measure::deep::{Finding, Report, Target, Wish, examine};
use omerta_workbench::{RulesetRequest, Workbench, bundle::Shelf, runner::run_text};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
    time::Duration,
};

/// Enough for rules as small as these.
const GAMES: u64 = 300;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/deep/{name}.mafia"))
}

/// Plays rules with all that lies beside them.
pub fn played(base: &Path, games: u64, threads: usize, time: Option<Duration>) -> Report {
    played_on(&Workbench::new(Shelf::beside(base)), base, games, threads, time)
}

/// The same on a bench at hand, which has the texts.
pub fn played_on(
    bench: &Workbench,
    base: &Path,
    games: u64,
    threads: usize,
    time: Option<Duration>,
) -> Report {
    let wanted = RulesetRequest {
        base: base.display().to_string(),
        ..RulesetRequest::default()
    };
    let target = Target {
        wanted: &wanted,
        own: &|_| true,
        stop: Arc::default(),
    };
    let wish = Wish {
        games,
        seed: 1,
        threads,
        time,
    };
    match examine(bench, &target, wish, &|_| {}) {
        Ok(report) => report,
        Err(problems) => panic!("{problems:?}"),
    }
}

/// What playing finds, by its codes, in order.
fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.diagnostic.code.0).collect()
}

/// The games of a finding as scenarios; each of them holds.
#[track_caller]
fn scenarios(finding: &Finding, base: &Path) -> Vec<String> {
    let path = base.with_file_name("found.play");
    let text = |exhibit: &omerta_measure::deep::Exhibit| {
        let text = exhibit
            .text((&Shelf::beside(&path), &Readings::default()))
            .unwrap_or_else(|why| panic!("{}: {why}", exhibit.title()));
        let ran = run_text(Shelf::beside(&path), "found.play", &text, |_| true);
        assert!(ran.passed() && ran.reports.len() == 1, "{text}");
        text
    };
    finding.exhibits.iter().map(text).collect()
}

/// The findings of small rules, which are those with these codes; each game that shows one holds.
#[track_caller]
fn found(name: &str, wanted: &[&str]) -> Vec<(String, Vec<String>)> {
    found_in(GAMES, name, wanted)
}

/// The same in so many games.
#[track_caller]
fn found_in(games: u64, name: &str, wanted: &[&str]) -> Vec<(String, Vec<String>)> {
    let base = file(name);
    let report = played(&base, games, 2, None);
    assert_eq!(codes(&report.findings), wanted, "{name}");
    let one = |finding: &Finding| (finding.diagnostic.message.clone(), scenarios(finding, &base));
    report.findings.iter().map(one).collect()
}

// ---- What is found

#[test]
fn rules_in_which_nothing_is_wrong_are_left_alone() {
    found("sound", &[]);
}

/// In one of two games the next night is called, in the other somebody leaves before.
#[test]
fn what_comes_before_a_call_is_no_clue_of_it() {
    // Its games are long; a false clue shows in thirty of them.
    found_in(60, "tough", &["M0957"]);
}

#[test]
fn a_question_without_any_answer_is_passed_over() {
    found("speechless", &[]);
}

#[test]
fn rules_by_which_nobody_can_sit_down_are_told_with_what_forbids_it() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        ("role Miller refuses Ghoul", "", "M0916"),
        ("role Miller needs Baker", "", "M0915"),
        (
            "role Miller",
            "require many: number of Ghoul is 2 \"two at the least\"",
            "M0918",
        ),
    ];
    for (role, wish, code) in rows {
        let text = format!(
            "ruleset mill\nuse std.table\nplayers 5\ncast {{ Ghoul 1\n Miller 1\n Farmer rest }}\nrole Ghoul\nrole Baker\n\
             role Farmer\n{role}\n{wish}\nscript {{ play Deal; judge }}\nending over: draw when some Ghoul\n"
        );
        let path = folder.path().join("mill.mafia");
        fs::write(&path, text).unwrap();
        let report = played(&path, GAMES, 1, None);
        assert_eq!(
            (codes(&report.findings), report.players),
            (vec![code], None),
            "{role} {wish}"
        );
    }
}

#[test]
fn a_game_that_cannot_end_is_found() {
    let found = found("endless", &["M0951"]);
    let game = &found[0].1[0];
    assert!(
        game.contains("whether") || game.contains("[cold] -> yes"),
        "{game}"
    );
    assert!(
        game.contains("run to Night ") && game.contains("expect goes on"),
        "{game}"
    );
}

#[test]
fn rules_that_break_are_found_with_the_answer_that_breaks_them() {
    let found = found("looping", &["M0941"]);
    let game = &found[0].1[0];
    assert!(game.contains("expect fault M0941"), "{game}");
    assert!(
        game.contains("seats Ann") && !game.contains("Dee"),
        "by as few as can: {game}"
    );
}

/// So few games that the first which breaks is one by more players than it takes.
#[test]
fn what_many_players_show_is_shown_by_the_fewest_that_can() {
    let base = file("looping");
    let report = played(&base, 4, 1, None);
    assert_eq!(codes(&report.findings), ["M0941"]);
    let game = &scenarios(&report.findings[0], &base)[0];
    assert!(game.contains(", Cid") && !game.contains(", Dee"), "{game}");
}

#[test]
fn what_never_comes_into_effect_is_found() {
    let found = found("in-vain", &["M0953", "M0954", "M0953", "M0953", "M0952", "M0953"]);
    for (message, name) in found
        .iter()
        .zip(["Goat to climb", "Birds", "hail", "hide", "birds-win", "plain"])
    {
        assert!(message.0.contains(&format!("`{name}`")), "{message:?}");
        assert_eq!(message.1.len(), 1, "{message:?}");
    }
}

/// The smaller game that is shown is one in which it could have happened.
#[test]
fn what_is_shown_of_a_card_that_does_nothing_has_that_card() {
    let found = found("shepherd", &["M0953"]);
    let (message, games) = &found[0];
    assert!(message.contains("`Shepherd`"), "{message}");
    let cast = games[0]
        .lines()
        .find(|line| line.starts_with("cast "))
        .unwrap_or_default();
    let seats = games[0]
        .lines()
        .find(|line| line.starts_with("seats "))
        .unwrap_or_default();
    assert!(cast.contains("Shepherd 1"), "{}", games[0]);
    assert_eq!(
        seats.matches(':').count(),
        5,
        "the fewest that it can be among: {}",
        games[0]
    );
}

#[test]
fn two_endings_that_hold_together_are_found() {
    let found = found("at-once", &["M0955"]);
    let (message, games) = &found[0];
    assert!(message.contains("`pack-wins` and `flock-wins`"), "{message}");
    assert_eq!(
        games[0].matches("->").count(),
        1,
        "one answer is enough: {}",
        games[0]
    );
    // Both endings are shown where they stand.
    let report = played(&file("at-once"), GAMES, 2, None);
    let places = report.findings[0]
        .diagnostic
        .labels
        .iter()
        .map(|label| label.span.start);
    assert_eq!(places.collect::<std::collections::BTreeSet<_>>().len(), 2);
}

/// What is judged later holds at another moment, though nothing is asked in between.
#[test]
fn endings_that_are_judged_one_behind_the_other_do_not_hold_together() {
    let folder = tempfile::tempdir().unwrap();
    for (between, found) in [
        ("", &["M0955"][..]),
        ("    set closed to yes\n", &["M0955"]),
        ("    judge\n    set closed to yes\n", &[]),
    ] {
        let text = std::fs::read_to_string(file("at-once")).unwrap();
        let judged = format!("{between}    judge\n    set closed to no\n");
        let text = text.replace("    judge\n", &judged);
        let closed = if between.is_empty() { "" } else { "closed and " };
        let text = text.replace("win Flock when no", &format!("win Flock when {closed}no"));
        let text = text.replace("script {", "flag closed\n\nscript {");
        let path = folder.path().join("at-once.mafia");
        std::fs::write(&path, text).unwrap();
        let report = played(&path, GAMES, 2, None);
        let together = codes(&report.findings)
            .into_iter()
            .filter(|code| *code == "M0955");
        assert_eq!(together.collect::<Vec<_>>(), found, "{between}");
    }
}

#[test]
fn endings_whose_order_is_said_in_words_are_in_order() {
    // The same rules as those of `at-once`, but for two words; or the second ending is for when nothing else holds.
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(file("at-once")).unwrap();
    let said = [
        text.replace("ending flock-wins:", "ending flock-wins before pack-wins:"),
        text.replace("when no living Wolf", "when yes"),
    ];
    for said in said {
        assert_ne!(said, text);
        let path = folder.path().join("at-once.mafia");
        std::fs::write(&path, &said).unwrap();
        let report = played(&path, GAMES, 2, None);
        let found = codes(&report.findings);
        assert!(!found.contains(&"M0955"), "{found:?}\n{said}");
    }
}

#[test]
fn a_question_that_betrays_a_secret_is_found_with_two_games() {
    let found = found("leaking", &["M0956"]);
    let games = &found[0].1;
    let asked = |game: &String| {
        game.lines()
            .find(|line| line.starts_with("expect asked"))
            .map(str::to_owned)
    };
    let asked: Vec<_> = games.iter().filter_map(asked).collect();
    assert!(asked.len() == 2 && asked[0] != asked[1], "{games:?}");
    assert!(asked[0].contains("for friend among"), "{games:?}");
    // And what is known by it: who is left out of the list is a wolf.
    let report = played(&file("leaking"), GAMES, 2, None);
    let help = report.findings[0].diagnostic.help.as_deref().unwrap_or_default();
    assert!(help.contains("in one game") && help.contains("is Wolf"), "{help}");
    // Where nobody may be named, the games say so.
    let folder = tempfile::tempdir().unwrap();
    let base = changed(
        folder.path(),
        "leaking",
        "without Pack \"",
        "without Pack or nobody \"",
    );
    let report = played(&base, GAMES, 2, None);
    assert_eq!(codes(&report.findings), ["M0956"]);
    for game in scenarios(&report.findings[0], &base) {
        assert!(game.contains(" or pass\n"), "{game}");
    }
    // Whom the host has asked on purpose knows it.
    let base = changed(
        folder.path(),
        "leaking",
        "ask each living Sheep for friend from living without Pack",
        "ask host for speaker from living \"Who speaks?\"\n  ask speaker for friend from living",
    );
    let report = played(&base, GAMES, 2, None);
    assert_eq!(codes(&report.findings), <[&str; 0]>::default());
}

#[test]
fn a_call_that_tells_who_is_there_is_found_with_two_games() {
    let found = found("overheard", &["M0958"]);
    let (message, games) = &found[0];
    assert!(message.contains("the call of `Healer`"), "{message}");
    let heard = "expect said \"Healers, wake up.\"";
    let hears: Vec<bool> = games.iter().map(|game| game.contains(heard)).collect();
    assert!(hears == [true, false] || hears == [false, true], "{games:?}");
    let folder = tempfile::tempdir().unwrap();
    let codes_with = |from: &str, to: &str| {
        let base = changed(folder.path(), "overheard", from, to);
        let report = played(&base, GAMES, 2, None);
        let found: Vec<String> = codes(&report.findings).into_iter().map(str::to_owned).collect();
        found
    };
    // Called whether anybody is there or not, though an option could leave it out.
    assert!(codes_with("script {", "choose empty-calls = pretend\nscript {").is_empty());
    // Everybody sees whose card goes.
    assert!(
        codes_with(
            "do departure of bitten",
            "show role of bitten to players\n  do departure of bitten"
        )
        .is_empty()
    );
    // What is said because of what its holder did is the game.
    let said = "unmark cured as bitten\n    say \"{cured} is {cured: nobody | well | well}.\"";
    assert_eq!(codes_with("unmark cured as bitten", said), ["M0958"]);
    // A part tells it as well, in a call that is always made.
    let base = changed(
        folder.path(),
        "overheard",
        "script {",
        "choose empty-calls = pretend\nscript {",
    );
    let text = std::fs::read_to_string(&base).unwrap();
    for words in ["The healer is about.", "Somebody sits with {bitten}."] {
        let part = text.replace(
            "ask me for cured",
            &format!("if some me {{ say \"{words}\" }}\n    ask me for cured"),
        );
        std::fs::write(&base, part).unwrap();
        assert_eq!(
            codes(&played(&base, GAMES, 2, None).findings),
            ["M0958"],
            "{words}"
        );
    }
    // Words that name her are meant to tell, and a die that decides who is called is no card.
    let named = |words: &str| {
        text.replace("players 4..5", "players 4..5\nspare 1").replace(
            "ask me for cured",
            &format!("if some me {{ say \"{words}\" }}\n    ask me for cured"),
        )
    };
    // Wherever among others she is named.
    let (alone, first) = (named("The healer is {me}."), named("{me} sits with {bitten}."));
    let by_die = text.replace(
        "  call Healer\n",
        "  draw luck from 1 good, 1 bad\n  if luck is good { call Healer }\n",
    );
    for other in [alone, first, by_die] {
        assert!(other != text);
        std::fs::write(&base, other).unwrap();
        assert_eq!(
            codes(&played(&base, GAMES, 2, None).findings),
            <[&str; 0]>::default()
        );
    }
}

#[test]
fn an_offer_that_tells_by_whom_it_names_is_found_with_two_games() {
    let found = found("unspoken", &["M0959"]);
    let (message, games) = &found[0];
    assert!(message.contains("by `accuse`") && games.len() == 2, "{found:?}");
    let folder = tempfile::tempdir().unwrap();
    // Nobody but a wolf can be named by nobody, which tells him nothing: all are.
    let base = changed(
        folder.path(),
        "unspoken",
        "without Pack during",
        "without me during",
    );
    assert!(codes(&played(&base, GAMES, 2, None).findings).is_empty());
}

/// What is known by it is worked out of all games that fit: in one of the two the Healer is dead, or lives.
#[test]
fn an_offer_that_tells_by_when_it_closes_is_found_and_what_is_known_by_it_is_said() {
    let base = file("late");
    let report = played(&base, GAMES, 2, None);
    assert_eq!(codes(&report.findings), ["M0959"]);
    let finding = &report.findings[0];
    let help = finding.diagnostic.help.as_deref().unwrap_or_default();
    assert!(
        help.contains("then knows that") && help.contains("Healer"),
        "{help}"
    );
    scenarios(finding, &base);
    // The host's wait closes it in the same place.
    let folder = tempfile::tempdir().unwrap();
    let waits = "if no living Healer { wait \"Nobody is there.\" }\n  ask living Healer";
    let base = changed(folder.path(), "late", "ask living Healer", waits);
    assert!(codes(&played(&base, GAMES, 2, None).findings).is_empty());
}

/// A card that lies where nobody sees it is called all the same: the host waits, and the day's offers close with that.
#[test]
fn a_call_that_nobody_answers_takes_its_time() {
    let rules = std::fs::read_to_string(file("overheard")).unwrap();
    let rules = { rules.replace("call Wolf\n  call Healer", "call Healer\n  call Wolf") }
        .replace("of bitten\n}", "of bitten\n  wait \"Everybody talks.\"\n}");
    let tells = |also: &str| {
        let offer = "mark accused until Night\nallow living to accuse s from living without accused during Dawn {\n  \
            mark s as accused\n  say \"{me} accuses {s}.\"\n}\n";
        let script = format!("choose empty-calls = pretend\n{offer}{also}script {{");
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("called.mafia");
        std::fs::write(&base, rules.replacen("script {", &script, 1)).unwrap();
        let found = played(&base, GAMES, 2, None).findings;
        codes(&found).contains(&"M0959")
    };
    assert!(!tells(""));
    assert!(tells("rule at-once: instead of unanswered {\n  nothing\n}\n"));
}

/// A card that lies in the middle is held by nobody: who hears a call knows that somebody holds it, who hears none that
/// nobody does.
#[test]
fn a_call_that_tells_whether_anybody_holds_a_card_says_which_of_the_two() {
    let mut rules = std::fs::read_to_string(file("overheard")).unwrap();
    for (from, to) in [
        ("players 4..5\n\ncast", "players 4..5\nspare 1\n\ncast"),
        ("    mark prey as bitten\n", "    nothing\n"),
        ("  do departure of bitten\n", "  nothing\n"),
    ] {
        assert!(rules.contains(from));
        rules = rules.replacen(from, to, 1);
    }
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("spare.mafia");
    std::fs::write(&base, rules).unwrap();
    let report = played(&base, GAMES, 2, None);
    for (card, called) in [("Wolf", "Wolves"), ("Healer", "Healers")] {
        let call = format!("the call of `{card}`");
        let mut found = report.findings.iter();
        let finding = found
            .find(|finding| finding.diagnostic.message.contains(&call))
            .unwrap();
        let help = finding.diagnostic.help.as_deref().unwrap_or_default();
        let (some, none) = (
            format!("somebody holds {card}"),
            format!("nobody holds {card} and that"),
        );
        assert!(help.contains(&some) && help.contains(&none), "{help}");
        // Who hears the call is the one who knows of somebody.
        let (one, another) = help.split_once("in another").unwrap();
        let texts = scenarios(finding, &base);
        let heard =
            [&texts[0], &texts[1]].map(|text| text.contains(&format!("expect said \"{called}, wake up.\"")));
        let knows = [one, another].map(|words| words.contains(&some));
        assert_eq!(heard, knows, "{help}\n{texts:?}");
    }
}

/// Rules of ours with other words in one place, in a folder of their own.
fn changed(folder: &Path, name: &str, from: &str, to: &str) -> PathBuf {
    let text = std::fs::read_to_string(file(name)).unwrap();
    assert!(text.contains(from));
    let base = folder.join("changed.mafia");
    std::fs::write(&base, text.replacen(from, to, 1)).unwrap();
    base
}

#[test]
fn a_cast_that_is_decided_before_it_begins_is_found() {
    let found = found("decided", &["M0957"]);
    assert!(found[0].0.contains("1 Wolf and 2 Sheep"), "{found:?}");
    // It is the only one, and no other is spoken of.
    let report = played(&file("decided"), GAMES, 2, None);
    let words = format!("{:?}", report.findings[0].diagnostic);
    assert!(words.contains("decided before it begins\""), "{words}");
}

#[test]
fn a_game_that_is_over_before_anybody_has_chosen_is_found() {
    let found = found("over", &["M0957"]);
    assert!(found[0].0.contains("before anybody has chosen"), "{found:?}");
}

#[test]
fn an_offer_at_a_wait_is_something_to_choose() {
    found("offered", &[]);
    // Where nobody could ever take it up, nobody has chosen.
    let folder = tempfile::tempdir().unwrap();
    let base = changed(
        folder.path(),
        "offered",
        "during Night {",
        "during Night when caught {",
    );
    let report = played(&base, GAMES, 2, None);
    assert!(
        codes(&report.findings).contains(&"M0957"),
        "{:?}",
        codes(&report.findings)
    );
}

// ---- How it is done

/// Small rules on which overlays may build.
fn published(name: &str) -> String {
    let text = std::fs::read_to_string(file(name)).unwrap();
    text.replace("players 3..5", "publish Night\n\nplayers 3..5")
}

#[test]
fn the_same_seed_finds_the_same_on_any_number_of_threads() {
    let base = file("in-vain");
    let told = |threads| {
        let report = played(&base, GAMES, threads, None);
        let one = |finding: &Finding| (finding.diagnostic.clone(), scenarios(finding, &base));
        report.findings.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(told(1), told(4));
}

#[test]
fn a_time_limit_stops_it_and_says_so() {
    let report = played(&file("sound"), 1_000_000, 2, Some(Duration::from_millis(1)));
    assert!(report.stopped.is_some() && report.games < 1_000_000);
    assert_eq!(report.games % 64, 0);
}

#[test]
fn every_option_and_every_overlay_beside_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let text = published("sound");
    let path = folder.path().join("sound.mafia");
    std::fs::write(&path, format!("{text}option howls: never | once = never \"whether the wolf howls\"\nrule howl: after Night when howls is once {{ say \"A howl.\" }}\n")).unwrap();
    let overlays =
        "overlay rain \"Rain\" on sound {\n  rule wet: after Night {\n    say \"It rains.\"\n  }\n}\n";
    std::fs::write(folder.path().join("weather.mafia"), overlays).unwrap();
    let report = played(&path, GAMES, 2, None);
    assert_eq!(report.ways, (3, 0, 0));
    // The rule that only comes in with the option has been seen.
    assert_eq!(codes(&report.findings), <[&str; 0]>::default());
}

// ---- The command

fn check(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_omerta"));
    let command = command
        .arg("check")
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1");
    command.output().unwrap()
}

/// What it said, and what it talked.
fn outcome(done: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&done.stdout), text(&done.stderr))
}

#[test]
fn the_command_tells_what_it_found_and_writes_games_that_hold() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(file("at-once"), folder.path().join("at-once.mafia")).unwrap();
    let words = ["--deep", "--games", "200", "at-once.mafia"];
    let done = check(folder.path(), &words);
    let (out, err) = outcome(&done);
    assert_eq!(done.status.code(), Some(0), "{out}{err}");
    assert!(
        out.contains("warning[M0955]") && out.contains("play \"pack-wins and flock-wins hold together\""),
        "{out}"
    );
    assert!(err.contains("200 games by 3 to 5 players"), "{err}");
    let done = check(
        folder.path(),
        &[&words[..], &["--write", "found.play", "--format", "json"]].concat(),
    );
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(told["diagnostics"][0]["code"], "M0955", "{told}");
    let tested = Command::new(env!("CARGO_BIN_EXE_omerta"))
        .args(["test", "found.play"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(tested.status.code(), Some(0), "{:?}", outcome(&tested));
}

#[test]
fn rules_that_break_are_an_error_and_what_is_allowed_is_not_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(file("looping"), folder.path().join("looping.mafia")).unwrap();
    let done = check(
        folder.path(),
        &["--deep", "--games", "100", "--format", "short", "looping.mafia"],
    );
    assert_eq!(done.status.code(), Some(1), "{:?}", outcome(&done));
    let text = std::fs::read_to_string(file("at-once")).unwrap();
    let allowed = text.replace("ending pack-wins", "// allow endings-together\nending pack-wins");
    std::fs::write(folder.path().join("at-once.mafia"), allowed).unwrap();
    let done = check(folder.path(), &["--deep", "--games", "100", "at-once.mafia"]);
    assert_eq!(outcome(&done).0, "");
}

/// Where one of the files has a mistake, none of them is played; a warning keeps nothing from being played.
#[test]
fn nothing_is_played_as_long_as_something_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("sound.mafia", std::fs::read_to_string(file("sound")).unwrap()),
        (
            "wrong.mafia",
            "ruleset wrong\nplayers 3\nscript {\n  kill players\n}\n".to_owned(),
        ),
        (
            "wrong.play",
            "ruleset sound\n\nplay \"x\"\nexpect ->\n".to_owned(),
        ),
        ("odd.mafia", "library odd\n".to_owned()),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for (files, code, is_played) in [
        (&["sound.mafia"][..], 0, true),
        (&["sound.mafia", "odd.mafia"], 0, true),
        (&["sound.mafia", "wrong.mafia"], 1, false),
        (&["wrong.mafia", "sound.mafia"], 1, false),
        (&["sound.mafia", "wrong.play"], 1, false),
    ] {
        let words = [&["--deep", "--games", "64", "--format", "short"], files].concat();
        let done = check(folder.path(), &words);
        let (out, err) = outcome(&done);
        assert_eq!(done.status.code(), Some(code), "{files:?}: {out}{err}");
        assert_eq!(
            err.contains("sound.mafia: 64 games"),
            is_played,
            "{files:?}: {err}"
        );
    }
}

#[test]
fn an_overlay_is_played_on_its_bases_and_asked_about_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("at-once.mafia"), published("at-once")).unwrap();
    let overlay = "overlay storm \"Storm\" on at-once {\n  flag storm\n  rule hail: after Night when storm {\n    say \"It hails.\"\n  }\n  event thunder {\n    set storm to yes\n  }\n  allow host to thunder-call when storm {\n    do thunder\n  }\n}\n";
    std::fs::write(folder.path().join("storm.mafia"), overlay).unwrap();
    let done = check(
        folder.path(),
        &["--deep", "--games", "200", "--format", "short", "storm.mafia"],
    );
    let (out, err) = outcome(&done);
    assert!(err.contains("at-once with storm.mafia:storm: 200 games"), "{err}");
    assert!(out.contains("storm.mafia:3:8: warning[M0953]"), "{out}");
}

// ---- What it says

/// A finding as it is told, with its games as they are written.
fn page(report: &Report, base: &Path) -> String {
    let mut page = format!(
        "{} games by {:?}, ways {:?}, stopped {:?}\n",
        report.games, report.players, report.ways, report.stopped
    );
    let text = std::fs::read_to_string(base).unwrap();
    for finding in &report.findings {
        let found = &finding.diagnostic;
        let at = |label: &omerta_core::diagnostic::Label| {
            let start = text[..label.span.start as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            text[start..].lines().next().unwrap_or_default().trim().to_owned()
        };
        page += &format!("\n{} {}\n", found.code.0, found.message);
        for label in &found.labels {
            page += &format!("  {} <- {}\n", label.text, at(label));
        }
        page += &format!("  {}\n", found.help.as_deref().unwrap_or("nothing else"));
        for game in scenarios(finding, base) {
            let game = game.replace(&base.display().to_string(), "RULES");
            page += &game
                .lines()
                .map(|line| format!("    {line}\n"))
                .collect::<String>();
        }
    }
    page
}

/// What is told of each small ruleset, and the smallest games that were found to show it: what is only looked for, which
/// people play, how they are made smaller and what is said of it changes this page.
#[test]
fn what_is_found_is_told_with_the_smallest_games_that_show_it() {
    let mut pages = String::new();
    for name in [
        "at-once", "decided", "endless", "in-vain", "leaking", "looping", "over", "shepherd", "stage",
    ] {
        let base = file(name);
        pages += &format!("== {name}: {}", page(&played(&base, GAMES, 2, None), &base));
    }
    insta::assert_snapshot!(pages);
}

/// What somebody took up while the host was waiting is no answer of the host's: a question that hangs on it gives it away. Where
/// it was laid open before, it is no secret.
#[test]
fn a_question_that_hangs_on_an_offer_at_a_wait_gives_it_away() {
    let folder = tempfile::tempdir().unwrap();
    let codes_with = |told: &str| {
        let base = changed(
            folder.path(),
            "leaking",
            "ask each living Sheep for friend from living without Pack",
            "ask each living without wary for friend from living without wary",
        );
        let offer = format!(
            "mark wary until end of Night\n\nallow living to hide \"Hide\" during Dusk when no wary {{\n  mark me as wary\n}}\n\n\
             scene Dusk {{\n  wait \"It is dark.\"{told}\n}}\n\nscene Night {{"
        );
        let text = std::fs::read_to_string(&base).unwrap();
        let text = text.replace("scene Night {", &offer);
        let text = text.replace("    play Night\n", "    play Dusk\n    play Night\n");
        std::fs::write(&base, text).unwrap();
        codes(&played(&base, GAMES, 2, None).findings).join(" ")
    };
    assert_eq!(codes_with(""), "M0956");
    assert_eq!(codes_with("\n  say \"Away is {wary}.\""), "");
}

/// A line of a policy has its say where its offer is open to those it names, and only there.
#[test]
fn a_line_about_an_offer_has_its_say_where_that_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let told = |line: &str| {
        let base = folder.path().join("offered.mafia");
        let text = std::fs::read_to_string(file("offered")).unwrap();
        let offers = "flag rung\nallow host to ring during Night {\n  set rung to yes\n  say \"{rung}\"\n}\n";
        std::fs::write(&base, format!("{text}\n{offers}\npolicy said {{\n  {line}\n}}\n")).unwrap();
        codes(&played(&base, GAMES, 2, None).findings).join(" ")
    };
    for (line, code) in [
        ("catch: yes", ""),
        ("catch by Sheep: yes", ""),
        ("catch by Wolf: yes", "M0953"),
        ("catch by host: yes", "M0953"),
        ("ring: no", ""),
        ("ring by host: no", ""),
        ("ring by players: no", "M0953"),
    ] {
        assert_eq!(told(line), code, "{line}");
    }
}

/// In few games little can be said of what did not happen: only of what was in none.
#[test]
fn in_few_games_only_what_was_in_none_is_told() {
    let told = |games| codes(&played(&file("stage"), games, 1, None).findings).join(" ");
    insta::assert_snapshot!(format!("16: {}\n90: {}\n", told(16), told(90)));
}

/// Of a card that no table has it is told that it was in no game, and of a team of which nobody was there nothing at all: not that
/// it never won.
#[test]
fn a_team_of_which_nobody_was_in_a_game_has_not_lost_it() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("stage.mafia");
    let text = std::fs::read_to_string(file("stage")).unwrap();
    let absent = "team Choir\nrole Singer of Choir refuses Villain {\n  when called to sing {\n    mark me as told\n  }\n}\n";
    std::fs::write(&base, format!("{text}\n{absent}")).unwrap();
    for games in [16, 200] {
        let told = played(&base, games, 1, None).findings;
        let told: Vec<String> = told.into_iter().map(|found| found.diagnostic.message).collect();
        let of_it = |name: &str| told.iter().filter(|told| told.contains(name)).collect::<Vec<_>>();
        let absent = &of_it("Singer")[..];
        assert!(
            matches!(absent, [told] if told.starts_with("`Singer to sing` was in no game of ")),
            "{told:?}"
        );
        assert_eq!(of_it("Choir"), Vec::<&String>::new());
    }
}

/// Overlays that refuse one another, one that is laid already, options that are chosen: how many ways there are to play it.
#[test]
fn ways_that_are_refused_or_laid_already_are_not_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = published("sound");
    let base = folder.path().join("sound.mafia");
    std::fs::write(&base, format!("{text}option howls: never | once | twice = never \"whether the wolf howls\"\nrule howl: after Night when not howls is never {{ say \"A howl.\" }}\n")).unwrap();
    let overlay = |name: &str, base: &str, more: &str| {
        format!(
            "overlay {name} \"{name}\" on {base} {{\n{more}  rule {name}-rule: after Night {{\n    say \"{name}\"\n  }}\n}}\n"
        )
    };
    std::fs::write(
        folder.path().join("weather.mafia"),
        [
            overlay("rain", "sound", ""),
            overlay("snow", "sound", "  refuses rain\n"),
            overlay("other", "elsewhere", ""),
        ]
        .join("\n"),
    )
    .unwrap();
    let ways = |overlays: &[&str], options: &[(&str, &str)], games| {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let wanted = RulesetRequest {
            base: base.display().to_string(),
            overlays: own(overlays),
            options: options
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        };
        let (bench, target) = (
            Workbench::new(Shelf::beside(&base)),
            Target {
                wanted: &wanted,
                own: &|_| true,
                stop: Arc::default(),
            },
        );
        let wish = Wish {
            games,
            seed: 1,
            threads: 1,
            time: None,
        };
        let report = examine(&bench, &target, wish, &|_| {}).unwrap_or_else(|why| panic!("{why:?}"));
        report.ways
    };
    assert_eq!(ways(&[], &[], 40), (5, 1, 0), "rain, snow, both, and two values");
    assert_eq!(ways(&["rain"], &[], 40), (3, 1, 0), "snow is refused beside rain");
    assert_eq!(
        ways(&[], &[("howls", "once")], 40),
        (5, 1, 0),
        "the two other values"
    );
    assert_eq!(ways(&[], &[], 4), (3, 0, 3), "no more than there are games for");
}

/// Words are the same to whoever hears them, be it that somebody was called or that the host does as if.
#[test]
fn words_that_sound_alike_tell_nobody_who_is_there() {
    let folder = crate::program::folder();
    let words = [
        "check",
        "--deep",
        "village",
        "--games",
        "40",
        "--seed",
        "2",
        "--threads",
        "2",
    ];
    let done = crate::program::omerta_in(folder.path(), &words, b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(
        !done.err.contains("M0958") && !done.out.contains("M0958"),
        "{}",
        done.out
    );
}
