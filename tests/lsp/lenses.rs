//! What is chosen above scenarios, scenes and rulesets, by commands that any editor can bind.

use super::{OVERLAY, client::Client, folder};
use crate::program::{SCENARIOS, TINY};
use omerta_workbench::{bundle::Shelf, runner::run_text};
use serde_json::{Value, json};

/// The lenses of a file as `line title`.
fn lenses(client: &mut Client, file: &str) -> Vec<String> {
    let document = json!({ "textDocument": { "uri": client.uri(file) } });
    let all = client.ask("textDocument/codeLens", document);
    let title = |lens: &Value| {
        format!(
            "{} {}",
            lens["range"]["start"]["line"],
            lens["command"]["title"].as_str().unwrap()
        )
    };
    all.as_array().unwrap().iter().map(title).collect()
}

fn choose(client: &mut Client, command: &str, file: &str, line: u32) -> Value {
    let words = json!({ "command": command, "arguments": [client.uri(file), line] });
    client.ask("workspace/executeCommand", words)
}

fn line_of(text: &str, piece: &str) -> u32 {
    text[..text.find(piece).unwrap()].matches('\n').count() as u32
}

/// A line that does not hold in two cases is one line.
#[test]
fn lines_that_do_not_hold_are_counted_once() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let cases = "for each case of who { Bob; Cid }\nNight 1 { host -> who }\nexpect who is living\n";
    let head = SCENARIOS.split("Night 1").next().unwrap();
    client.open("tiny.play", &format!("{head}{cases}"));
    client.settled();
    let all = lenses(&mut client, "tiny.play");
    assert!(
        all.iter().any(|lens| lens.ends_with("1 line does not hold")),
        "{all:?}"
    );
}

#[test]
fn above_rules_stands_which_scenarios_come_to_them_and_who_wins() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let rules = TINY.replace(
        "mark bitten",
        "rule never: before Night when no living { say \"x\" }\nmark bitten",
    );
    client.open("tiny.mafia", &rules);
    client.open("tiny.play", SCENARIOS);
    client.settled();
    let night = line_of(&rules, "scene Night");
    let never = line_of(&rules, "rule never");
    let all = lenses(&mut client, "tiny.mafia");
    for wanted in [
        "0 1 scenario covers this".to_owned(),
        "0 win rates".to_owned(),
        format!("{night} play from here"),
        format!("{night} 1 scenario comes to this"),
        format!("{never} no scenario comes to this"),
    ] {
        assert!(all.contains(&wanted), "{wanted}: {all:?}");
    }
    let told = choose(&mut client, "omerta.coveringScenarios", "tiny.mafia", night);
    assert_eq!(
        told,
        "scenarios that come to `Night`: a wolf that is bitten loses"
    );
    // Who wins is worked out beside, and forgotten with the next letter.
    choose(&mut client, "omerta.winRates", "tiny.mafia", 0);
    client.settled();
    let known = lenses(&mut client, "tiny.mafia");
    let known = known.iter().find(|lens| lens.contains("by chance"));
    let known = known.expect("games were played");
    assert!(
        known.contains("Flock") && known.contains("Pack") && known.contains('±'),
        "{known}"
    );
    assert!(!known.contains("nobody"), "{known}");
    // Games that nobody wins count among them, and a team that wins none of them is passed over.
    client.change("tiny.mafia", &rules.replace("win Pack when", "draw when"));
    client.settled();
    choose(&mut client, "omerta.winRates", "tiny.mafia", 0);
    client.settled();
    let drawn = lenses(&mut client, "tiny.mafia");
    let drawn = drawn.iter().find(|lens| lens.contains("by chance"));
    let drawn = drawn.expect("games were played");
    assert!(drawn.contains("nobody") && !drawn.contains("Pack"), "{drawn}");
    // Games that do not end are counted, and where nothing else came of them they are all that is told.
    let endless = rules.replace("scene Night {", "scene Night {\n  repeat { wait }");
    client.change("tiny.mafia", &endless);
    client.settled();
    choose(&mut client, "omerta.winRates", "tiny.mafia", 0);
    client.settled();
    let all = "0 by chance: 10 games did not end".to_owned();
    assert!(lenses(&mut client, "tiny.mafia").contains(&all));
    client.change("tiny.mafia", &rules);
    client.settled();
    // Of how many lines do not hold is told there, too: the rules are what somebody looks at.
    client.change(
        "tiny.play",
        &SCENARIOS.replace("winners Bob, Cid", "winners Ann\nexpect winners Cid"),
    );
    client.settled();
    let broken = "0 1 scenario covers this, 1 does not hold".to_owned();
    assert!(lenses(&mut client, "tiny.mafia").contains(&broken));
    client.change("tiny.play", SCENARIOS);
    client.change("tiny.mafia", &format!("{rules}\n"));
    assert!(lenses(&mut client, "tiny.mafia").contains(&"0 win rates".to_owned()));
    // While a word is half written, nothing above the lines goes and comes again.
    let before = lenses(&mut client, "tiny.mafia");
    for broken in [
        rules.replace("mark prey as", "mark prey a"),
        rules.replace("as bitten", "as bitte"),
    ] {
        client.change("tiny.mafia", &broken);
        assert_eq!(lenses(&mut client, "tiny.mafia"), before);
        client.settled();
        assert_eq!(lenses(&mut client, "tiny.mafia"), before);
        // Scenarios that cannot be run hold nothing.
        let above = lenses(&mut client, "tiny.play");
        assert!(
            above
                .iter()
                .any(|lens| lens.ends_with("not run: there are mistakes")),
            "{above:?}"
        );
    }
    client.change("tiny.mafia", &rules);
    client.settled();
    let above = lenses(&mut client, "tiny.play");
    assert!(above.iter().any(|lens| lens.ends_with("holds")), "{above:?}");
    client.open("other.play", SCENARIOS);
    client.settled();
    let title = line_of(SCENARIOS, "play ");
    choose(&mut client, "omerta.step", "tiny.play", title);
    let reached = lenses(&mut client, "tiny.play");
    let next = format!("{} step", title + 1);
    assert!(
        reached.contains(&next) && reached.contains(&next.replace("step", "stop stepping")),
        "{reached:?}"
    );
    // Where somebody steps it is told how the game stands behind the line; on the same line of another file, before it.
    for (file, is_before) in [("tiny.play", false), ("other.play", true)] {
        let at = client.at(file, SCENARIOS, SCENARIOS.find("Night 1").unwrap());
        let told = client.ask("textDocument/hover", at).to_string();
        assert_eq!(told.contains("Before this line"), is_before, "{file}: {told}");
    }
    choose(&mut client, "omerta.endStepping", "tiny.play", title);
    assert!(!lenses(&mut client, "tiny.play").contains(&next));
    client.leave();
}

#[test]
fn a_game_is_played_from_a_scene_answer_by_answer() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    client.open("tiny.mafia", TINY);
    client.settled();
    let night = line_of(TINY, "scene Night");
    let mut shown = Vec::new();
    loop {
        let stands = choose(&mut client, "omerta.playFrom", "tiny.mafia", night);
        let told = client.settled();
        let Some(here) = told.get("tiny.mafia").and_then(|all| all.first()) else {
            break;
        };
        assert_eq!(here["range"]["start"]["line"], night, "{here}");
        assert_eq!(stands, here["range"], "whoever asked is told where that is");
        shown.push(here["message"].as_str().unwrap().to_owned());
        assert!(shown.len() < 40, "{shown:?}");
    }
    assert!(shown[0].contains("Everybody sleeps."), "{shown:?}");
    assert!(shown[1].contains("Who is bitten?"), "{shown:?}");
    assert!(shown.last().unwrap().contains("The game is over"), "{shown:?}");
    let refused = choose(&mut client, "omerta.playFrom", "tiny.mafia", 0);
    assert_eq!(refused["message"], "there is no scene on this line");
    client.leave();
}

#[test]
fn a_snapshot_is_shown_and_accepted() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let scenarios = format!("{SCENARIOS}snapshot\n");
    let title = line_of(&scenarios, "play ");
    let line = line_of(&scenarios, "snapshot");
    client.open("tiny.play", &scenarios);
    let told = client.until(|told| told.get("tiny.play").is_some_and(|all| !all.is_empty()));
    assert_eq!(
        told["tiny.play"][0]["message"],
        "this snapshot was never accepted\nif it is right as it is now, accept it: by the repair here, or above the line"
    );
    assert_eq!(told["tiny.play"][0]["range"]["start"]["line"], line);
    let above = lenses(&mut client, "tiny.play");
    assert!(above.contains(&format!("{line} accept snapshot")), "{above:?}");
    assert!(above.contains(&format!("{title} another snapshot")), "{above:?}");
    let at = json!({ "line": line, "character": 2 });
    let wanted = json!({
        "textDocument": { "uri": client.uri("tiny.play") },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let offered = client.ask("textDocument/codeAction", wanted);
    assert_eq!(offered[0]["command"]["arguments"][1], line, "{offered}");
    choose(&mut client, "omerta.acceptSnapshot", "tiny.play", title);
    client.until(|told| told["tiny.play"].is_empty());
    let kept: Vec<_> = folder
        .path
        .join("snapshots")
        .read_dir()
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(kept.len(), 1);
    assert!(!lenses(&mut client, "tiny.play").contains(&format!("{title} accept snapshot")));
    // Other words of the rules make another game: the line that changed is told.
    let rules = TINY.replace("{prey} was bitten.", "{prey} was eaten.");
    client.open("tiny.mafia", &rules);
    let told = client.until(|told| !told["tiny.play"].is_empty());
    let message = told["tiny.play"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("now: Ann was eaten.\nbefore: Ann was bitten."),
        "{message}"
    );
    client.leave();
}

/// While the rules are broken no scenario can be run: what its lines came to stands beside them, wherever they go.
#[test]
fn what_lines_came_to_moves_along_with_them_while_nothing_can_be_run() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let scenarios = format!("{SCENARIOS}snapshot\n");
    let line = line_of(&scenarios, "snapshot");
    client.open("tiny.mafia", TINY);
    client.open("tiny.play", &scenarios);
    client.settled();
    let hinted = |client: &mut Client| -> Vec<u64> {
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 20, "character": 0 } });
        let asked = json!({ "textDocument": { "uri": client.uri("tiny.play") }, "range": whole });
        let told = client.ask("textDocument/inlayHint", asked);
        let all = told.as_array().unwrap().iter();
        all.map(|hint| hint["position"]["line"].as_u64().unwrap())
            .collect()
    };
    let before = hinted(&mut client);
    assert!(!before.is_empty());
    client.change("tiny.mafia", &TINY.replace("mark prey as", "mark prey a"));
    client.settled();
    client.change(
        "tiny.play",
        &format!("// One line,\n// and one more.\n{scenarios}"),
    );
    client.settled();
    let moved: Vec<u64> = before.iter().map(|line| line + 2).collect();
    assert_eq!(hinted(&mut client), moved);
    let above = lenses(&mut client, "tiny.play");
    assert!(
        above.contains(&format!("{} accept snapshot", line + 2)),
        "{above:?}"
    );
    client.leave();
}

/// The scenario of a rule is a game in which it comes in, in a file beside it, and it holds.
#[test]
fn a_scenario_is_written_for_a_rule() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    client.open("wary.mafia", OVERLAY);
    client.settled();
    let words = |line: u32| json!({ "command": "omerta.writeScenario", "arguments": [format!("file://{}/wary.mafia", folder.path.display()), line] });
    assert!(client.ask("workspace/executeCommand", words(1)).is_null());
    let edits = client.edits_asked_for();
    let changes = edits[0]["documentChanges"].as_array().unwrap();
    assert_eq!(changes[0]["kind"], "create", "{edits:?}");
    assert!(changes[0]["uri"].as_str().unwrap().ends_with("/wary.play"));
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(
        text.contains("ruleset tiny with wary") && text.contains("expect applied flee"),
        "{text}"
    );
    let ran = run_text(
        Shelf::beside(&folder.path.join("wary.play")),
        "wary.play",
        text,
        |_| true,
    );
    assert!(ran.problems.is_empty() && ran.passed(), "{text}");
    // Below those that the file has: with a line between.
    std::fs::write(folder.path.join("wary.play"), text).unwrap();
    client.files_changed(&["wary.play"]);
    client.ask("workspace/executeCommand", words(1));
    let again = client.edits_asked_for();
    let changes = again[1]["documentChanges"].as_array().unwrap();
    assert!(
        changes[0]["edits"][0]["newText"]
            .as_str()
            .unwrap()
            .starts_with("\nplay "),
        "{changes:?}"
    );
    // Where there is no rule, that is said.
    let refused = client.ask("workspace/executeCommand", words(0));
    assert_eq!(refused["message"], "there is no rule on this line");
    client.leave();
}

/// Whoever shows what stands above the lines and between them is asked to ask anew when it is otherwise, and not else.
#[test]
fn an_editor_asks_anew_when_what_stands_beside_the_lines_has_changed() {
    const LENSES: &str = "workspace/codeLens/refresh";
    const HINTS: &str = "workspace/inlayHint/refresh";
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    assert_eq!(client.asked_of_it(), ["client/registerCapability"]);
    client.open("tiny.mafia", TINY);
    assert_eq!(client.asked_of_it(), [LENSES, HINTS], "its scenarios were run");
    client.open("tiny.play", SCENARIOS);
    client.asked_of_it();
    // Without games that have to be played first, what is asked for comes before the answer.
    choose(&mut client, "omerta.winRates", "tiny.mafia", 0);
    let shown = lenses(&mut client, "tiny.mafia");
    assert!(
        shown
            .iter()
            .any(|lens| lens.contains("win") || lens.contains('±') || lens.contains("playing")),
        "{shown:?}"
    );
    assert_eq!(
        client.asked_of_it(),
        [LENSES, HINTS, LENSES, HINTS],
        "games are being played, and were played"
    );
    let title = line_of(SCENARIOS, "play ");
    for command in ["omerta.step", "omerta.endStepping"] {
        choose(&mut client, command, "tiny.play", title);
        assert_eq!(client.asked_of_it(), [LENSES], "{command}");
    }
    choose(
        &mut client,
        "omerta.coveringScenarios",
        "tiny.mafia",
        line_of(TINY, "scene Night"),
    );
    assert_eq!(client.asked_of_it(), [""; 0], "nothing is otherwise");
    client.change("tiny.mafia", &TINY.replace("mark prey as", "mark prey a"));
    assert_eq!(client.asked_of_it(), [LENSES], "the scenarios cannot be run");
    client.leave();
}

/// What cannot be done is refused, and it is said why; what can be done is not.
#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let rules = TINY.replace(
        "scene Night {",
        "scene Never { nothing }\nrule never: before Never { nothing }\nscene Night {",
    );
    client.open("tiny.mafia", &rules);
    client.open("tiny.play", SCENARIOS);
    client.open(
        "none.mafia",
        TINY.replace("ruleset tiny", "ruleset none").as_str(),
    );
    client.settled();
    let (night, never) = (line_of(&rules, "scene Night"), line_of(&rules, "scene Never"));
    let title = line_of(SCENARIOS, "play ");
    let mut said = |command: &str, file: &str, line: u32| {
        let answer = choose(&mut client, &format!("omerta.{command}"), file, line);
        let words = answer["message"].as_str().or(answer.as_str());
        words.map(str::to_owned)
    };
    for (command, file, line, words) in [
        ("fly", "tiny.play", title, Some("`omerta.fly` is no command")),
        ("step", "tiny.play", title, None),
        (
            "step",
            "tiny.mafia",
            night,
            Some("there is no scenario on this line"),
        ),
        ("step", "tiny.play", 0, Some("there is no scenario on this line")),
        (
            "acceptSnapshot",
            "tiny.play",
            title,
            Some("there is no snapshot to accept on this line"),
        ),
        (
            "acceptSnapshot",
            "tiny.play",
            0,
            Some("there is no snapshot to accept on this line"),
        ),
        ("playFrom", "tiny.mafia", night, None),
        (
            "playFrom",
            "tiny.mafia",
            0,
            Some("there is no scene on this line"),
        ),
        (
            "playFrom",
            "tiny.mafia",
            never,
            Some("chance plays no game that comes to `Never`"),
        ),
        (
            "coveringScenarios",
            "tiny.mafia",
            night,
            Some("scenarios that come to `Night`: a wolf that is bitten loses"),
        ),
        (
            "coveringScenarios",
            "tiny.mafia",
            never,
            Some("no scenario comes to `Never`"),
        ),
        (
            "coveringScenarios",
            "none.mafia",
            line_of(TINY, "scene Night"),
            Some("no scenarios were run that could come to this"),
        ),
        (
            "writeScenario",
            "tiny.mafia",
            0,
            Some("there is no rule on this line"),
        ),
        (
            "writeScenario",
            "tiny.mafia",
            never + 1,
            Some("chance plays no game in which `never` comes in"),
        ),
    ] {
        assert_eq!(
            said(command, file, line).as_deref(),
            words,
            "{command} {file} {line}"
        );
    }
    let broken = rules.replace("mark prey as", "mark prey a");
    client.change("tiny.mafia", &broken);
    client.settled();
    for command in ["winRates", "playFrom"] {
        let told = choose(&mut client, &format!("omerta.{command}"), "tiny.mafia", night);
        assert_eq!(told["message"], "mend the mistakes first", "{command}");
    }
    let told = client.ask("workspace/executeCommand", json!({ "command": "omerta.step" }));
    assert_eq!(told["message"], "name a file");
    let told = client.ask("textDocument/fly", json!({}));
    assert_eq!(told["message"], "`textDocument/fly` is not answered here");
    let mut nowhere = client.at("tiny.mafia", &broken, broken.find("  players").unwrap() + 1);
    nowhere["newName"] = json!("hurt");
    let told = client.ask("textDocument/rename", nowhere);
    assert_eq!(told["message"], "there is no name here");
    client.leave();
}
