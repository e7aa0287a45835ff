//! What goes wrong around a server: clients that take back or go, mistakes of its own, files that come and go, folders
//! that cannot be read, and texts that are changed piece by piece.

use super::{OVERLAY, client::Client, folder};
use crate::program::{SCENARIOS, TINY};
use omerta_lsp::Surroundings;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What was told last of each file.
type Told = BTreeMap<String, Vec<Value>>;

const TAKEN_BACK: i64 = -32800;
const OUR_MISTAKE: i64 = -32603;

/// A request that is taken back before its turn is answered so, and those around it as if nothing were.
#[test]
fn what_is_taken_back_is_answered_and_nothing_else_changes() {
    let folder = folder();
    let text = fs::read_to_string("rulesets/vendetta/vendetta.mafia").unwrap();
    let mut client = Client::new(&folder.path, "utf-16");
    client.open("large.mafia", &text);
    let at = client.at("large.mafia", &text, text.find("mark ").unwrap() + 6);
    let slow = client.send(
        "textDocument/inlayHint",
        json!({
            "textDocument": at["textDocument"],
            "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 900, "character": 0 } },
        }),
    );
    let unwanted = client.send("textDocument/hover", at.clone());
    client.notify("$/cancelRequest", json!({ "id": unwanted }));
    // One that was answered long ago, and one that nobody knows.
    client.notify("$/cancelRequest", json!({ "id": 1 }));
    client.notify("$/cancelRequest", json!({ "id": "nobody" }));
    assert!(client.answer(slow).is_array());
    assert_eq!(client.answer(unwanted)["code"], TAKEN_BACK);
    assert!(client.ask("textDocument/hover", at).get("contents").is_some());
    // So is the wish to hear when nothing is left to do; a thousand games take longer than it is waited for.
    let rate = json!({ "command": "omerta.winRates", "arguments": [client.uri("large.mafia"), 0] });
    assert_eq!(client.ask("workspace/executeCommand", rate), Value::Null);
    let rests = client.send("omerta/rest", Value::Null);
    assert!(
        client
            .ask(
                "textDocument/codeLens",
                json!({ "textDocument": { "uri": client.uri("large.mafia") } })
            )
            .is_array()
    );
    client.notify("$/cancelRequest", json!({ "id": rests }));
    assert_eq!(client.answer(rests)["code"], TAKEN_BACK);
    client.leave();
}

/// A mistake of ours in one request is an error answer and a line in the log; the next is answered as ever.
#[test]
fn a_panic_in_one_request_is_no_end() {
    fn goes_wrong(method: &str) {
        assert_ne!(method, "textDocument/hover", "this request is to go wrong");
    }
    let folder = folder();
    let surroundings = Surroundings {
        listens: Some(goes_wrong),
        ..Surroundings::default()
    };
    let mut client = Client::in_surroundings(&folder.path, "utf-16", surroundings);
    client.open("tiny.mafia", TINY);
    for _ in 0..3 {
        let at = client.at("tiny.mafia", TINY, TINY.find("bitten").unwrap());
        assert_eq!(client.ask("textDocument/hover", at.clone())["code"], OUR_MISTAKE);
        assert!(client.ask("textDocument/documentSymbol", at).is_array());
    }
    client.change(
        "tiny.mafia",
        &TINY.replace("mark prey as bitten", "mark prey as biten"),
    );
    let told = client.until(|told| told.get("tiny.mafia").is_some_and(|all| !all.is_empty()));
    assert_eq!(told["tiny.mafia"][0]["code"], "M0201");
    let logged = client.logged().join("\n");
    assert!(logged.contains("`textDocument/hover` went wrong"), "{logged}");
    client.leave();
}

/// Whatever an editor asks right behind a change: the mistakes of that change are told all the same.
#[test]
fn a_question_right_behind_a_change_hides_no_mistake() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    client.open("tiny.mafia", TINY);
    client.settled();
    let wrong = TINY.replace("mark prey as bitten", "mark prey as biten");
    client.change("tiny.mafia", &wrong);
    let mut params = client.at("tiny.mafia", &wrong, 0);
    params["range"] =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 50, "character": 0 } });
    params["context"] = json!({ "diagnostics": [] });
    for method in [
        "textDocument/inlayHint",
        "textDocument/codeAction",
        "textDocument/codeLens",
    ] {
        client.ask(method, params.clone());
    }
    let told = client.until(|told| told.get("tiny.mafia").is_some_and(|all| !all.is_empty()));
    assert_eq!(told["tiny.mafia"][0]["code"], "M0201");
    client.leave();
}

/// Files that are taken away, called otherwise, half written or filled with anything, by others than the editor.
#[test]
fn files_come_and_go_beneath_the_editor() {
    let folder = folder();
    let rules = folder.path.join("tiny.mafia");
    let sound = fs::read_to_string(&rules).unwrap();
    let mut client = Client::new(&folder.path, "utf-16");
    client.open("wary.mafia", OVERLAY);
    client.open("tiny.play", SCENARIOS);
    let told = client.settled();
    assert!(told.values().all(Vec::is_empty), "{told:?}");
    let is_wrong = |told: &Told, file: &str| told.get(file).is_some_and(|all| !all.is_empty());
    let both = |told: &Told| is_wrong(told, "wary.mafia") && is_wrong(told, "tiny.play");
    let neither = |told: &Told| !is_wrong(told, "wary.mafia") && !is_wrong(told, "tiny.play");
    // Taken away, and put back.
    fs::remove_file(&rules).unwrap();
    client.files_changed(&["tiny.mafia"]);
    client.until(both);
    fs::write(&rules, &sound).unwrap();
    client.files_changed(&["tiny.mafia"]);
    client.until(neither);
    // Called otherwise, and back.
    fs::rename(&rules, folder.path.join("other.mafia")).unwrap();
    client.files_changed(&["tiny.mafia", "other.mafia"]);
    client.until(both);
    fs::rename(folder.path.join("other.mafia"), &rules).unwrap();
    client.files_changed(&["other.mafia", "tiny.mafia"]);
    client.until(neither);
    // Half saved, then any bytes, then whole: what hangs on a text without its shape waits until it has one again.
    let any = |told: &Told| told.values().any(|all| !all.is_empty());
    for bytes in [
        &sound.as_bytes()[..sound.len() / 2],
        b"\xff\xfe\x00\r\r\n\xc3",
        b"",
    ] {
        fs::write(&rules, bytes).unwrap();
        client.files_changed(&["tiny.mafia"]);
        client.until(any);
        fs::write(&rules, &sound).unwrap();
        client.files_changed(&["tiny.mafia"]);
        client.until(|told| !any(told));
    }
    // What is open counts as it is typed, whatever is written into its file.
    fs::write(folder.path.join("wary.mafia"), "overlay wary on nothing").unwrap();
    client.files_changed(&["wary.mafia"]);
    assert!(!any(&client.settled()));
    client.leave();
}

/// Folders that cannot be read, names that are no files, links that lead round or nowhere.
#[test]
#[cfg(unix)]
fn what_cannot_be_read_is_passed_over() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let closed = folder.path.join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("inside.mafia"), TINY).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    fs::create_dir(folder.path.join("folder.mafia")).unwrap();
    fs::create_dir(folder.path.join("folder.play")).unwrap();
    fs::write(folder.path.join("bytes.mafia"), b"\x80\x81ruleset \xff").unwrap();
    symlink(&folder.path, folder.path.join("round")).unwrap();
    symlink("nowhere.mafia", folder.path.join("dangling.mafia")).unwrap();
    let mut client = Client::new(&folder.path, "utf-16");
    let wrong = TINY.replace("mark prey as bitten", "mark prey as biten");
    client.open("tiny.mafia", &wrong);
    client.open("folder.mafia", "ruleset folder");
    let told = client.settled();
    assert_eq!(told["tiny.mafia"][0]["code"], "M0201", "{told:?}");
    let at = client.at("tiny.mafia", &wrong, wrong.find("mark bitten").unwrap() + 6);
    assert!(!client.ask("textDocument/definition", at).is_null());
    client.leave();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
}

/// Two folders at once, each with rules of the same name: neither speaks for the other.
#[test]
fn two_workspaces_are_two() {
    let (one, two) = (folder(), folder());
    fs::write(two.path.join("tiny.mafia"), TINY.replace("bitten", "gnawed")).unwrap();
    let mut client = Client::of_folders(&[&one.path, &two.path]);
    let text = fs::read_to_string(one.path.join("tiny.mafia")).unwrap();
    client.open("tiny.mafia", &text);
    client.settled();
    let mut at = client.at("tiny.mafia", &text, text.find("mark bitten").unwrap() + 6);
    at["newName"] = "chewed".into();
    let edit = client.ask("textDocument/rename", at);
    let all = edit["documentChanges"].as_array().unwrap();
    let home = format!("file://{}/", one.path.display());
    assert!(
        all.iter()
            .all(|change| change["textDocument"]["uri"].as_str().unwrap().starts_with(&home)),
        "{edit}"
    );
    // A folder that leaves takes its symbols along.
    let symbols = |client: &mut Client, name: &str| {
        let found = client.ask("workspace/symbol", json!({ "query": name }));
        found.as_array().unwrap().len()
    };
    assert!(symbols(&mut client, "gnawed") > 0);
    let gone = json!({ "uri": format!("file://{}", two.path.display()), "name": "two" });
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": { "added": [], "removed": [gone] } }),
    );
    assert_eq!(symbols(&mut client, "gnawed"), 0);
    client.leave();
}

/// Columns and edits are the same with line ends of two letters, behind letters of two half-words too.
#[test]
fn line_ends_of_two_letters_move_no_column() {
    let folder = folder();
    let unix = TINY.replace("mark prey as bitten", "say \"🐺é\"; mark prey as biten");
    let dos = unix.replace('\n', "\r\n");
    let mut found = Vec::new();
    for text in [&unix, &dos] {
        let mut client = Client::new(&folder.path, "utf-16");
        client.open("tiny.mafia", text);
        let told = client.settled();
        let mut at = client.at("tiny.mafia", text, text.find("option fierce").unwrap() + 8);
        at["newName"] = "wild".into();
        let renamed = client.ask("textDocument/prepareRename", at.clone());
        found.push((told["tiny.mafia"][0]["range"].clone(), renamed));
        client.leave();
    }
    assert_eq!(found[0], found[1]);
}

/// Whoever writes a declaration letter by letter hears of nothing outside of it that goes again by itself.
#[test]
fn a_declaration_that_is_being_written_raises_no_storm() {
    let folder = folder();
    for written in [
        "rule sour: before Night when some bitten { say \"Sour {bitten}.\" }",
        "role Dog \"a dog\" of Flock at most 1 { when called { ask me for bone from living others } }",
        "scene Dawn { for each p of bitten { do departure of p } if no living Wolf { judge } }",
    ] {
        let mut client = Client::new(&folder.path, "utf-16");
        let (head, tail) = TINY.split_at(TINY.find("mark bitten").unwrap());
        let line = head.matches('\n').count() as u64;
        client.open("tiny.mafia", &format!("{head}\n{tail}"));
        client.settled();
        let outside = |told: Option<&Vec<Value>>| -> BTreeSet<String> {
            let all = told.into_iter().flatten();
            let elsewhere = all.filter(|one| one["range"]["start"]["line"] != line);
            elsewhere
                .map(|one| format!("{} {}", one["range"]["start"]["line"], one["message"]))
                .collect()
        };
        let mut seen = BTreeSet::new();
        for end in 1..=written.len() {
            client.change("tiny.mafia", &format!("{head}{}\n{tail}", &written[..end]));
            let told = client.settled();
            seen.extend(outside(told.get("tiny.mafia")));
        }
        let last = outside(client.settled().get("tiny.mafia"));
        let vanished: Vec<&String> = seen.difference(&last).collect();
        assert!(vanished.is_empty(), "{written}: {vanished:?}");
        client.leave();
    }
}

/// Whoever writes for long has the same program before him: what is kept of old versions goes with them.
#[test]
#[cfg(target_os = "linux")]
fn a_long_session_fills_no_memory() {
    let folder = folder();
    let mut client = Client::of_program(&folder.path);
    client.open("tiny.mafia", TINY);
    client.open("wary.mafia", OVERLAY);
    let (head, tail) = TINY.split_once("  judge\n").unwrap();
    let mut held = Vec::new();
    for letters in [300, 1_500] {
        for letter in 0..letters {
            // Every text is another.
            let written = format!("{head}  say \"{letter} of {letters}\"\n  judge\n{tail}");
            client.change("tiny.mafia", &written);
            let at = client.at("tiny.mafia", &written, head.len());
            client.ask("textDocument/completion", at);
        }
        client.settled();
        held.push(client.resident());
    }
    client.leave();
    // In kibibytes; each text has a quarter of one, and its trees and rules some fifty.
    assert!(held[1] < held[0] + 8_192, "{held:?}");
}

/// An edit by the share of the text at which it begins, how much it takes out, and what it puts in.
fn edits() -> impl Strategy<Value = Vec<(f64, usize, String)>> {
    let put_in = prop_oneof![
        Just(String::new()),
        Just("🐺".to_owned()),
        Just("\r\n".to_owned()),
        Just("é\u{301}".to_owned()),
        Just("{".to_owned()),
        "[ a-z\n]{0,12}",
    ];
    prop::collection::vec((0.0..1.0_f64, 0..9_usize, put_in), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
    /// Piece by piece or at once: the text is the same, and so is all that is told of it.
    #[test]
    fn texts_changed_piece_by_piece_are_those_of_the_client(edits in edits(), keeps in any::<bool>()) {
        let folder = folder();
        let mut client = Client::new(&folder.path, "utf-16");
        let mut text = TINY.to_owned();
        client.open("new.mafia", &text);
        let before = text.clone();
        for (share, length, put_in) in &edits {
            // Within a letter, and within an end of line, the protocol has no place.
            let near = |mut at: usize| {
                while !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n') {
                    at -= 1;
                }
                at
            };
            let start = near((share * text.len() as f64) as usize);
            let end = near((start + length).min(text.len())).max(start);
            client.replace("new.mafia", &text, start..end, put_in);
            text.replace_range(start..end, put_in);
        }
        if !keeps {
            // All of it is put back in one piece.
            client.replace("new.mafia", &text, 0..text.len(), &before);
            text = before;
        }
        let told = client.settled();
        let mut fresh = Client::new(&folder.path, "utf-16");
        fresh.open("new.mafia", &text);
        let anew = fresh.settled();
        let here = |told: &Told| told.get("new.mafia").cloned().unwrap_or_default();
        let is_wrong = here(&anew).iter().any(|one| one["severity"] == 1);
        match is_wrong {
            // What was found before stays for as long as something is wrong.
            true => for one in here(&anew) {
                let shape = one["code"].as_str().is_some_and(|code| code.starts_with("M00"));
                prop_assert!(!shape || here(&told).contains(&one), "{one} is not told of {text:?}");
            },
            false => prop_assert_eq!(here(&told), here(&anew)),
        }
        for method in ["documentSymbol", "semanticTokens/full", "foldingRange", "selectionRange"] {
            let ask = |client: &mut Client| {
                let mut params = client.at("new.mafia", &text, 0);
                params["positions"] = json!([params["position"]]);
                client.ask(&format!("textDocument/{method}"), params)
            };
            prop_assert_eq!(ask(&mut client), ask(&mut fresh), "{} of {:?}", method, text);
        }
        client.leave();
        fresh.leave();
    }
}

/// A scenario whose game never ends is told in few words: an editor chokes on all that happened in it.
#[test]
fn a_game_that_goes_on_for_ever_is_told_in_few_words() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let text = "ruleset city\nseats Ann: Civilian, Bob: Mafioso, Cid: Doctor, Dee: Civilian, Eve: Civilian\n\
        otherwise pass\nplay \"x\"\nNight 1 { Mafia -> Ann }\nrun to Meeting 2\n";
    client.open("long.play", text);
    let told = client.settled();
    assert_eq!(told["long.play"][0]["code"], "M0932", "{told:?}");
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let document = json!({ "uri": client.uri("long.play") });
    let hints = client.ask(
        "textDocument/inlayHint",
        json!({ "textDocument": document, "range": whole }),
    );
    assert!(hints.as_array().is_some_and(|hints| !hints.is_empty()));
    let size = hints.to_string().len();
    assert!(size < 20_000, "{size} bytes");
    client.leave();
}

/// An editor that can no more than it must is sent nothing else: no places beside a mistake, no gaps to fill in, no new files,
/// edits by file, and it is asked for nothing.
#[test]
fn an_editor_that_can_little_is_answered_in_the_plain_way() {
    let folder = folder();
    let text = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    let twice = text.replace("mark bitten", "mark bitten\nmark bitten");
    let half = text.replace("  judge", "  ask");
    let (mut plain, mut able) = (
        Client::of_few_abilities(&folder.path),
        Client::new(&folder.path, "utf-16"),
    );
    for (client, can) in [(&mut plain, false), (&mut able, true)] {
        client.open("tiny.mafia", &twice);
        let told = client.settled();
        let beside = |one: &Value| one["relatedInformation"].is_array();
        assert!(!told["tiny.mafia"].is_empty());
        assert_eq!(told["tiny.mafia"].iter().any(beside), can, "{told:?}");
        client.change("tiny.mafia", &half);
        let at = client.at("tiny.mafia", &half, half.find("  ask\n").unwrap() + 5);
        let offered = client.ask("textDocument/completion", at).to_string();
        assert_eq!(offered.contains("${1"), can, "{offered}");
        assert_eq!(offered.contains("\"insertTextFormat\":2"), can, "{offered}");
        client.change("tiny.mafia", &text);
        let mut wanted = client.at("tiny.mafia", &text, text.find("bitten").unwrap());
        wanted["newName"] = json!("hurt");
        let edit = client.ask("textDocument/rename", wanted);
        assert_eq!(
            (edit["documentChanges"].is_array(), edit["changes"].is_object()),
            (can, !can)
        );
        let found = client.ask("workspace/symbol", json!({ "query": "flee" }));
        assert!(found.to_string().contains("wary.mafia"), "{found}");
        let rule = json!({ "command": "omerta.writeScenario", "arguments": [client.uri("wary.mafia"), 1] });
        let answer = client.ask("workspace/executeCommand", rule);
        let refused = "this editor lets nobody make files: make `wary.play` and choose this again";
        assert_eq!(answer["message"].as_str(), (!can).then_some(refused));
        assert_eq!(client.asked_of_it().is_empty(), !can);
    }
    plain.leave();
    able.leave();
}
