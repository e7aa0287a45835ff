//! What editors are answered. Cases stand in `tests/lsp/*.txt`; what comes of them is kept beside, for people to read.
//!
//! A case is a title after `==` and some lines: `ask` what is asked for, `file` in which file of the tiny game, `at` a
//! piece of its text or `swap` one piece for another, with `§` where the cursor stands.

pub mod client;
mod lenses;
mod repairs;
mod robust;
mod rough;

use crate::program::{SCENARIOS, TINY};
use client::Client;
use omerta_lsp::Surroundings;
use omerta_workbench::bundle;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A folder with the tiny game, its scenarios, an overlay and a library of its own.
pub struct Folder {
    _held: tempfile::TempDir,
    pub path: PathBuf,
}

pub const OVERLAY: &str = "overlay wary \"A wary flock\" on tiny {\n  rule flee: before Night when some bitten {\n    say \"The flock is wary.\"\n  }\n}\n";

pub fn folder() -> Folder {
    let held = tempfile::tempdir().unwrap();
    let path = held.path().canonicalize().unwrap();
    let rules = TINY.replace(
        "mark bitten \"bitten\"",
        "publish bitten, Night\nmark bitten \"bitten\"",
    );
    for (name, text) in [
        ("tiny.mafia", rules.as_str()),
        ("tiny.play", SCENARIOS),
        ("wary.mafia", OVERLAY),
    ] {
        std::fs::write(path.join(name), text).unwrap();
    }
    Folder { _held: held, path }
}

struct Case {
    title: String,
    ask: String,
    file: String,
    text: String,
    at: usize,
}

/// The cases of a page, each with its text and the byte of the cursor.
fn cases(page: &str, folder: &Path) -> Vec<Case> {
    let parts = page.split("\n== ").skip(1);
    parts.map(|part| case(part, folder)).collect()
}

fn case(part: &str, folder: &Path) -> Case {
    let mut lines = part.lines();
    let mut case = Case {
        title: lines.next().unwrap().to_owned(),
        ask: String::new(),
        file: "tiny.mafia".to_owned(),
        text: String::new(),
        at: 0,
    };
    let mut steps = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "ask" => case.ask = rest.to_owned(),
            "file" => case.file = rest.to_owned(),
            "at" | "swap" => steps.push((word, rest.replace("\\n", "\n"))),
            _ => panic!("{}: `{word}` is no step", case.title),
        }
    }
    case.text = std::fs::read_to_string(folder.join(&case.file)).unwrap();
    for (word, rest) in steps {
        let (old, new) = match word {
            "swap" => rest
                .split_once(" =>")
                .map(|(old, new)| (old, new.strip_prefix(' ').unwrap_or(new)))
                .unwrap(),
            _ => (rest.as_str(), rest.as_str()),
        };
        let plain = old.replace('§', "");
        let from = case
            .text
            .find(&plain)
            .unwrap_or_else(|| panic!("{}: no `{plain}`", case.title));
        if let Some(inside) = new.find('§') {
            case.at = from + inside;
        }
        case.text
            .replace_range(from..from + plain.len(), &new.replace('§', ""));
    }
    case
}

/// All that a page is answered, for people to read.
fn answers(page: &str) -> String {
    let mut out = String::new();
    let home = folder();
    for case in cases(page, &home.path) {
        let folder = folder();
        let mut client = Client::new(&folder.path, "utf-16");
        client.open(&case.file, &case.text);
        let told = asked(&mut client, &case);
        client.leave();
        writeln!(out, "== {}\n{}\n", case.title, told.trim_end()).unwrap();
    }
    out
}

fn asked(client: &mut Client, case: &Case) -> String {
    let (what, argument) = case.ask.split_once(' ').unwrap_or((&case.ask, ""));
    let at = client.at(&case.file, &case.text, case.at);
    match what {
        "diagnostics" => client
            .settled()
            .iter()
            .map(|(file, all)| diagnostics(file, all))
            .collect(),
        "hover" => match client.ask("textDocument/hover", at) {
            Value::Null => "nothing".to_owned(),
            hover => hover["contents"]["value"].as_str().unwrap_or("?").to_owned(),
        },
        "definition" => {
            client.settled();
            let answer = client.ask("textDocument/definition", at);
            places(client, &answer)
        }
        "references" => {
            client.settled();
            let mut asked = at;
            asked["context"] = json!({ "includeDeclaration": true });
            let answer = client.ask("textDocument/references", asked);
            places(client, &answer)
        }
        "rename" => {
            client.settled();
            let mut asked = at;
            asked["newName"] = argument.into();
            let answer = client.ask("textDocument/rename", asked);
            match answer.get("message") {
                Some(refusal) => format!("refused: {}", refusal.as_str().unwrap()),
                None => changed(client, &answer),
            }
        }
        "complete" => completions(&client.ask("textDocument/completion", at), argument),
        "mend" => {
            client.settled();
            let line = at["position"]["line"].clone();
            let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 200 } });
            actions(client, &at, &range)
        }
        // What can be made of some letters.
        "make" => {
            client.settled();
            let from = case.text.find(argument).unwrap();
            let place = |byte| client.at(&case.file, &case.text, byte)["position"].clone();
            let range = json!({ "start": place(from), "end": place(from + argument.len()) });
            actions(client, &at, &range)
        }
        "hints" => {
            client.settled();
            let lines = case.text.matches('\n').count() + 1;
            let whole =
                json!({ "start": { "line": 0, "character": 0 }, "end": { "line": lines, "character": 0 } });
            let asked = json!({ "textDocument": at["textDocument"], "range": whole });
            hints(&client.ask("textDocument/inlayHint", asked))
        }
        "shape" => shape(&client.ask("textDocument/signatureHelp", at)),
        "outline" => outline(&client.ask("textDocument/documentSymbol", at), 0),
        "folding" => {
            let folds = client.ask("textDocument/foldingRange", at);
            let line = |fold: &Value| format!("{}-{}\n", fold["startLine"], fold["endLine"]);
            folds.as_array().unwrap().iter().map(line).collect()
        }
        "links" => {
            let all = client.ask("textDocument/documentLink", at);
            let line = |link: &Value| {
                let (start, target) = (&link["range"]["start"], link["target"].as_str().unwrap());
                let file = target.rsplit('/').next().unwrap();
                format!("{}:{} {file}\n", start["line"], start["character"])
            };
            all.as_array().unwrap().iter().map(line).collect()
        }
        // The places around the cursor, from within to without.
        "around" => {
            let mut asked = at;
            asked["positions"] = json!([asked["position"]]);
            let answer = client.ask("textDocument/selectionRange", asked);
            let mut ranges = std::iter::successors(Some(&answer[0]), |one| one.get("parent"));
            let mut out = String::new();
            while let Some(one) = ranges.next().filter(|one| !one.is_null()) {
                let (start, end) = (&one["range"]["start"], &one["range"]["end"]);
                let (from, to) = (start["character"].clone(), end["character"].clone());
                writeln!(out, "{}:{from}-{}:{to}", start["line"], end["line"]).unwrap();
            }
            out
        }
        "symbols" => {
            let answer = client.ask("workspace/symbol", json!({ "query": argument }));
            let all = answer.as_array().unwrap().iter();
            all.map(|one| {
                format!(
                    "{} in {}",
                    one["name"].as_str().unwrap(),
                    place(client, &one["location"])
                )
            })
            .collect()
        }
        // The line of the cursor alone.
        "tidy" => {
            let mut asked = at;
            asked["range"] = json!({ "start": asked["position"], "end": asked["position"] });
            asked["options"] = json!({ "tabSize": 2, "insertSpaces": true });
            edits(&client.ask("textDocument/rangeFormatting", asked))
        }
        "format" => {
            let mut asked = at;
            asked["options"] = json!({ "tabSize": 2, "insertSpaces": true });
            let answer = client.ask("textDocument/formatting", asked);
            match answer.get("message") {
                Some(refusal) => format!("refused: {}", refusal.as_str().unwrap()),
                None => edits(&answer),
            }
        }
        _ => panic!("{}: `{what}` cannot be asked for", case.title),
    }
}

/// What can be done about a range, and what that changes.
fn actions(client: &mut Client, at: &Value, range: &Value) -> String {
    let mut asked = json!({ "textDocument": at["textDocument"], "range": range });
    asked["context"] = json!({ "diagnostics": [] });
    let answer = client.ask("textDocument/codeAction", asked);
    let all = answer.as_array().unwrap().clone();
    let line = |action: &Value| {
        let title = action["title"].as_str().unwrap();
        // What is sure may be done without a look at it.
        let title = match action["isPreferred"] == true {
            true => format!("{title} (sure)"),
            false => title.to_owned(),
        };
        match action["command"]["command"].as_str() {
            Some(command) => format!("{title}\n  by {command}\n\n"),
            None => format!("{title}\n{}\n", changed(client, &action["edit"])),
        }
    };
    all.iter().map(line).collect()
}

fn diagnostics(file: &str, all: &[Value]) -> String {
    let line = |one: &Value| {
        let start = &one["range"]["start"];
        let message = one["message"].as_str().unwrap().replace('\n', "\n    ");
        let tags = one["tags"].as_array().map_or("", |_| " (unused)");
        format!(
            "{file} {}:{} {}{tags} {message}\n",
            start["line"],
            start["character"],
            one["code"].as_str().unwrap()
        )
    };
    match all {
        [] => format!("{file}: nothing\n"),
        all => all.iter().map(line).collect(),
    }
}

fn place(client: &Client, location: &Value) -> String {
    let range = &location["range"];
    let file = client.name(location["uri"].as_str().unwrap());
    format!(
        "{file} {}:{}-{}:{}\n",
        range["start"]["line"], range["start"]["character"], range["end"]["line"], range["end"]["character"]
    )
}

fn places(client: &Client, answer: &Value) -> String {
    match answer.as_array() {
        Some(all) if !all.is_empty() => all.iter().map(|one| place(client, one)).collect(),
        _ => "nowhere".to_owned(),
    }
}

fn edits(all: &Value) -> String {
    let line = |edit: &Value| {
        let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
        format!(
            "  {}:{}-{}:{} {:?}\n",
            start["line"],
            start["character"],
            end["line"],
            end["character"],
            edit["newText"].as_str().unwrap()
        )
    };
    all.as_array().unwrap().iter().map(line).collect()
}

fn changed(client: &Client, edit: &Value) -> String {
    let all = edit["documentChanges"].as_array().unwrap();
    let texts: BTreeMap<String, String> = all
        .iter()
        .map(|change| {
            (
                client.name(change["textDocument"]["uri"].as_str().unwrap()),
                edits(&change["edits"]),
            )
        })
        .collect();
    texts
        .iter()
        .map(|(file, edits)| format!("  {file}\n{edits}"))
        .collect()
}

/// The offers but for the words of the language, unless they are wanted.
fn completions(answer: &Value, wanted: &str) -> String {
    let Some(items) = answer["items"].as_array() else {
        return "nothing".to_owned();
    };
    // What one of them is for, and what it writes.
    if let Some(label) = wanted.strip_prefix("texts ") {
        let one = items.iter().find(|item| item["label"] == label).unwrap();
        let told = [&one["detail"], &one["textEdit"]["newText"]].map(|part| part.as_str().unwrap());
        return told.join("\n");
    }
    let keywords = [14, 15];
    let shown = items
        .iter()
        .filter(|item| wanted == "all" || !keywords.contains(&item["kind"].as_i64().unwrap()));
    let name = |item: &Value| {
        let label = item["label"].as_str().unwrap();
        match item["filterText"].as_str().filter(|_| wanted == "filter") {
            Some(typed) => format!("{label} for {typed}"),
            None => label.to_owned(),
        }
    };
    shown.map(name).collect::<Vec<_>>().join(" ")
}

fn hints(answer: &Value) -> String {
    let line = |hint: &Value| {
        let (at, long) = (&hint["position"], hint["tooltip"]["value"].as_str().unwrap());
        let (line, label) = (&at["line"], hint["label"].as_str().unwrap());
        format!(
            "{line}:{} {label}\n    {}\n",
            at["character"],
            long.replace("\n\n", "\n    ")
        )
    };
    match answer.as_array().map(Vec::as_slice) {
        Some([]) | None => "nothing".to_owned(),
        Some(all) => all.iter().map(line).collect(),
    }
}

/// The shapes that a line may still take, each with what is written next in it.
fn shape(answer: &Value) -> String {
    let Some(all) = answer["signatures"].as_array() else {
        return "nothing".to_owned();
    };
    let line = |one: &Value| {
        let label = one["label"].as_str().unwrap();
        let next = || {
            let part = &one["parameters"][one["activeParameter"].as_u64()? as usize]["label"];
            let units: Vec<u16> = label.encode_utf16().collect();
            let units = &units[part[0].as_u64()? as usize..part[1].as_u64()? as usize];
            String::from_utf16(units).ok()
        };
        let told = one["documentation"]["value"].as_str().unwrap_or("");
        format!("{label}  next: {}\n    {told}\n", next().unwrap_or_default())
    };
    all.iter().map(line).collect()
}

fn outline(answer: &Value, depth: usize) -> String {
    let line = |one: &Value| {
        let inside = one
            .get("children")
            .map_or(String::new(), |inside| outline(inside, depth + 1));
        let detail = one["detail"].as_str().unwrap_or_default();
        format!(
            "{}{} ({detail})\n{inside}",
            "  ".repeat(depth),
            one["name"].as_str().unwrap()
        )
    };
    answer.as_array().unwrap().iter().map(line).collect()
}

#[test]
fn editors_are_answered_as_the_pages_say() {
    for page in ["names", "mistakes", "completion", "hints"] {
        let text = std::fs::read_to_string(format!("tests/lsp/{page}.txt")).unwrap();
        insta::assert_snapshot!(format!("lsp_{page}"), answers(&text));
    }
}

/// A text that comes with the program lies where an editor can open it: there it is read as what it is, nothing is told of it
/// and nothing in it is changed.
#[test]
fn a_bundled_text_is_read_where_it_lies_and_never_changed() {
    const TABLE: &str = "laid/rulesets/std/table.mafia";
    let folder = folder();
    let surroundings = Surroundings {
        folder: Some(folder.path.join("laid")),
        ..Surroundings::default()
    };
    let mut client = Client::in_surroundings(&folder.path, "utf-16", surroundings);
    let rules = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    client.open("tiny.mafia", &rules);
    client.settled();
    let mut here = client.at("tiny.mafia", &rules, rules.find("living others").unwrap());
    let found = client.ask("textDocument/definition", here.clone());
    assert!(places(&client, &found).contains(TABLE), "{found}");
    let table = std::fs::read_to_string(folder.path.join(TABLE)).unwrap();
    assert_eq!(
        Some(&table),
        bundle::bundled("std/table.mafia").map(|text| text.text).as_ref()
    );
    // What nobody reads in a library would be told of any other.
    let written = format!("{table}\nmark idle\n");
    client.open(TABLE, &written);
    assert!(
        client.settled().values().all(Vec::is_empty),
        "{:?}",
        client.settled()
    );
    let mut there = client.at(TABLE, &written, written.find("define living").unwrap() + 8);
    let told = client.ask("textDocument/hover", there.clone());
    assert!(
        told["contents"]["value"].as_str().unwrap().contains("living"),
        "{told}"
    );
    for at in [&mut here, &mut there] {
        at["newName"] = json!("alive");
        let told = client.ask("textDocument/rename", at.clone());
        let told = told["message"].as_str().unwrap_or_default();
        assert!(told.contains("comes with omerta and cannot be changed"), "{told}");
    }
    let line = |piece: &str| client.at(TABLE, &written, written.find(piece).unwrap())["position"].clone();
    let range = json!({ "start": line("define living"), "end": line("mark idle") });
    let actions = json!({
        "textDocument": { "uri": client.uri(TABLE) }, "range": range, "context": { "diagnostics": [] },
    });
    let offered = client.ask("textDocument/codeAction", actions);
    assert!(offered.as_array().is_none_or(Vec::is_empty), "{offered}");
    client.leave();
}

/// Of what hangs on a text that has changed, that which is open is told first, and rules before scenarios.
#[test]
fn what_is_open_is_told_first_and_rules_before_scenarios() {
    let folder = folder();
    let wary = OVERLAY.replace("wary \"A wary flock\"", "NAME \"A wary flock\"");
    let texts = ["b.mafia", "z.mafia", "a.play", "y.play"].map(|file| match file.split_once('.') {
        Some((name, "mafia")) => (file, wary.replace("NAME", name)),
        _ => (file, SCENARIOS.replace("play ", "set fierce = yes\n\nplay ")),
    });
    for (file, text) in &texts {
        std::fs::write(folder.path.join(file), text).unwrap();
    }
    let mut client = Client::new(&folder.path, "utf-16");
    let rules = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    client.open("tiny.mafia", &rules);
    for (file, text) in &texts {
        if file.starts_with(['y', 'z']) {
            client.open(file, text);
        }
    }
    client.told_of();
    client.change(
        "tiny.mafia",
        &rules
            .replace("bitten", "bit")
            .replace("option fierce", "option bold")
            .replace("fierce is", "bold is"),
    );
    let told = client.told_of();
    assert_eq!(
        told,
        ["z.mafia", "y.play", "b.mafia", "wary.mafia", "a.play"],
        "those that hang on it"
    );
    client.leave();
}

/// A text that is healed is told so, and one that is half written loses nothing that was found before.
#[test]
fn what_was_found_stays_while_a_word_is_half_written() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    let idle = sound.replace("mark bitten", "mark idle\nmark bitten");
    let codes = |all: &BTreeMap<String, Vec<Value>>| -> Vec<String> {
        let here = all.get("tiny.mafia").cloned().unwrap_or_default();
        here.iter()
            .map(|one| one["code"].as_str().unwrap().to_owned())
            .collect()
    };
    client.open("tiny.mafia", &idle);
    assert_eq!(codes(&client.settled()), ["M0704"]);
    // A name that is not there is told beside it, and the warning waits below.
    client.change(
        "tiny.mafia",
        &idle.replace("mark prey as bitten", "mark prey as biten"),
    );
    assert_eq!(codes(&client.settled()), ["M0704", "M0201"]);
    // A declaration that has not its shape takes neither away and brings no storm.
    client.change("tiny.mafia", &idle.replace("scene Night {", "scene Night {{"));
    let half = codes(&client.settled());
    assert!(half.contains(&"M0704".to_owned()), "{half:?}");
    assert!(
        half.iter().all(|code| code.starts_with("M00") || code == "M0704"),
        "{half:?}"
    );
    // A word that has grown is another word.
    client.change("tiny.mafia", &idle.replace("prey as bitten", "prey as bite"));
    assert_eq!(codes(&client.settled()), ["M0704", "M0201"]);
    client.change("tiny.mafia", &idle.replace("prey as bitten", "prey as bites {{"));
    assert!(!codes(&client.settled()).contains(&"M0201".to_owned()));
    client.change("tiny.mafia", &sound);
    assert_eq!(codes(&client.settled()), Vec::<String>::new());
    client.leave();
}

/// While a text has not its shape what was found before moves along with it, and so does what is told beside it.
#[test]
fn what_is_told_beside_a_mistake_moves_along_with_it() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    let twice = sound.replace("mark bitten", "mark bitten\nmark bitten");
    let half = twice.replace("scene Night {", "scene Night {{");
    let lines = |all: &BTreeMap<String, Vec<Value>>| {
        let mut here = all["tiny.mafia"].iter();
        let one = here.find(|one| one["code"] == "M0204").unwrap();
        let beside = &one["relatedInformation"][0]["location"]["range"];
        [&one["range"], beside].map(|range| range["start"]["line"].as_u64().unwrap())
    };
    client.open("tiny.mafia", &twice);
    let [second, first] = lines(&client.settled());
    assert_eq!(first + 1, second);
    client.change("tiny.mafia", &half);
    assert_eq!(lines(&client.settled()), [second, first]);
    client.change("tiny.mafia", &format!("// Two lines\n// more.\n{half}"));
    assert_eq!(lines(&client.settled()), [second + 2, first + 2]);
    client.leave();
}

/// What hangs on a text tells of it, too, and is looked at later: it shall not tell what is gone.
#[test]
fn what_is_gone_from_a_text_is_gone_at_once() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    client.open("tiny.mafia", &sound.replace("prey as bitten", "prey as biten"));
    client.open("wary.mafia", OVERLAY);
    client.open("tiny.play", SCENARIOS);
    assert_eq!(client.settled()["tiny.mafia"].len(), 1);
    assert_eq!(client.version_told("tiny.mafia"), 1);
    client.change("tiny.mafia", &sound.replace("prey as bitten", "prey as bitn"));
    let message = |one: &Value| one["message"].as_str().unwrap().to_owned();
    let told = client.until(|told| told["tiny.mafia"].iter().any(|one| message(one).contains("bitn")));
    let all: Vec<String> = told["tiny.mafia"].iter().map(message).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(client.version_told("tiny.mafia"), 2);
    client.leave();
}

/// A section that somebody writes in is not over: before a line in it the game stands in its scene, and what can be
/// answered there is offered.
#[test]
fn in_an_open_section_the_game_stands_in_its_scene() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let text = SCENARIOS.replace(
        "Night 1 { host -> Ann }",
        "Night 1 {\n  host -> Bob\n}\nNight 2 {\n  \n}",
    );
    client.open("tiny.play", &text);
    client.settled();
    let place = |piece: &str| client.at("tiny.play", &text, text.find(piece).unwrap());
    let (first, second) = (place("  \n"), place("  host -> Bob"));
    let before = |told: Value| {
        let words = told["contents"]["value"].as_str().unwrap().to_owned();
        words
            .lines()
            .find(|line| line.contains("Before this line"))
            .unwrap()
            .to_owned()
    };
    // The host's note of the scene stands still until an answer is given or the scene has to end.
    let hover = client.ask("textDocument/hover", first);
    let all = hover["contents"]["value"].as_str().unwrap();
    assert!(
        all.contains("- out: Bob") && all.contains("- bitten: Bob"),
        "{all}"
    );
    let here = before(hover.clone());
    assert!(here.contains("Everybody sleeps."), "{here}");
    let there = before(client.ask("textDocument/hover", second));
    assert!(there.contains("Everybody sleeps."), "{there}");
    client.leave();
}

/// A flag is told as yes or no, as the language says it.
#[test]
fn a_flag_is_hinted_as_yes_or_no() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    let late = sound.replace("mark bitten ", "flag late\nmark bitten ");
    let late = late.replace("  judge", "  set late to not late\n  if late { judge }");
    client.open("tiny.mafia", &late);
    client.open("tiny.play", SCENARIOS);
    client.settled();
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 20, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": client.uri("tiny.play") }, "range": whole });
    let told = hints(&client.ask("textDocument/inlayHint", asked));
    assert!(told.contains("late: yes"), "{told}");
    client.leave();
}

/// Twenty of the first and twenty of the last that a line brought about are told; of one more it is said that it is left
/// out, and never less.
#[test]
fn much_that_a_line_brought_about_is_told_at_both_ends() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    client.open("tiny.play", SCENARIOS);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 20, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": client.uri("tiny.play") }, "range": whole });
    client.open("tiny.mafia", &sound);
    client.settled();
    let told = |client: &mut Client, more: usize| -> Vec<String> {
        let bleats = "  say \"Baa.\"\n".repeat(more);
        client.change("tiny.mafia", &sound.replace("  judge", &(bleats + "  judge")));
        client.settled();
        let hints = client.ask("textDocument/inlayHint", asked.clone());
        let long = hints[0]["tooltip"]["value"].as_str().unwrap();
        long.split("\n\n").map(str::to_owned).collect()
    };
    let few = told(&mut client, 0).len();
    for more in [39, 40, 41, 42, 50] {
        let lines = told(&mut client, more - few);
        let left_out = lines.iter().position(|line| line.starts_with('…'));
        match more.checked_sub(41) {
            None => assert_eq!((lines.len(), left_out), (more, None)),
            Some(out) => {
                assert_eq!((lines.len(), left_out), (41, Some(20)), "{more}");
                assert_eq!(lines[20], format!("… {} more …", out + 1));
                assert_eq!(lines[40], "The game is over: the wolf is gone. Bob and Cid win.");
            }
        }
    }
    client.leave();
}

/// An overlay and a scenario hear of what their ruleset has changed, saved or not.
#[test]
fn who_hangs_on_a_text_hears_of_its_change() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-8");
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    client.open("tiny.mafia", &sound);
    client.open("wary.mafia", OVERLAY);
    client.open("tiny.play", SCENARIOS);
    let told = client.settled();
    assert!(told.values().all(Vec::is_empty), "{told:?}");
    client.change(
        "tiny.mafia",
        &sound.replace("publish bitten, Night\n", "publish Night\n"),
    );
    let told = client.settled();
    assert_eq!(told["wary.mafia"][0]["code"], "M0612", "{told:?}");
    client.change("tiny.mafia", &sound.replace("win Flock when", "win Pack when"));
    let told = client.until(|told| told.get("tiny.play").is_some_and(|all| !all.is_empty()));
    assert_eq!(told["tiny.play"][0]["range"]["start"]["line"], 5, "{told:?}");
    client.change("tiny.mafia", &sound);
    client.until(|told| told.get("tiny.play").is_none_or(Vec::is_empty));
    client.leave();
}

/// What was typed and never saved goes with the tab: the file counts again as it lies there, for itself and for those on it.
#[test]
fn a_text_that_is_closed_unsaved_counts_no_more() {
    let folder = folder();
    let sound = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    let mut client = Client::new(&folder.path, "utf-16");
    client.open(
        "tiny.mafia",
        &sound.replace("publish bitten, Night\n", "publish Night\n"),
    );
    client.open("wary.mafia", OVERLAY);
    let told = client.settled();
    assert_eq!(told["wary.mafia"][0]["code"], "M0612", "{told:?}");
    let closed = json!({ "textDocument": { "uri": client.uri("tiny.mafia") } });
    client.notify("textDocument/didClose", closed);
    client.until(|told| told.get("wary.mafia").is_none_or(Vec::is_empty));
    client.leave();
}

/// The program itself, on its streams; and what it says when the editor is simply gone.
#[test]
fn the_program_talks_on_its_streams_and_ends_with_its_editor() {
    let folder = folder();
    let text = std::fs::read_to_string(folder.path.join("tiny.mafia")).unwrap();
    let mut client = Client::of_program(&folder.path);
    client.open(
        "tiny.mafia",
        &text.replace("mark prey as bitten", "mark prey as biten"),
    );
    let told = client.settled();
    assert_eq!(told["tiny.mafia"][0]["code"], "M0201", "{told:?}");
    assert_eq!(client.leave(), Some(0));
    let gone = Client::of_program(&folder.path);
    assert_eq!(gone.vanish(), Some(1));
}

/// A scenario is gone through line by line, by commands and by what every editor shows.
#[test]
fn a_scenario_is_stepped_by_what_every_editor_shows() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    let scenarios = SCENARIOS.replace("Night 1 { host -> Ann }", "Night 1 {\n  host -> Ann\n}");
    client.open("tiny.play", &scenarios);
    client.settled();
    let document = json!({ "textDocument": { "uri": client.uri("tiny.play") } });
    let lenses = client.ask("textDocument/codeLens", document);
    let titles: Vec<&str> = { lenses.as_array().unwrap().iter() }
        .map(|lens| lens["command"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["holds", "step"]);
    let command = &lenses[1]["command"];
    let words = json!({ "command": command["command"], "arguments": command["arguments"] });
    let mut shown = Vec::new();
    loop {
        client.ask("workspace/executeCommand", words.clone());
        let told = client.settled();
        let Some(here) = told.get("tiny.play").and_then(|all| all.first()) else {
            break;
        };
        assert_eq!(here["severity"], 3, "{here}");
        shown.push((
            here["range"]["start"]["line"].as_u64().unwrap(),
            here["message"].to_string(),
        ));
        // The line is meant from its first word on.
        let line = scenarios.lines().nth(shown.last().unwrap().0 as usize).unwrap();
        let indent = line.len() - line.trim_start().len();
        assert_eq!(here["range"]["start"]["character"], indent, "{line}");
        // How it stands behind the line is told there: not before it, too.
        let at =
            json!({ "textDocument": { "uri": client.uri("tiny.play") }, "position": here["range"]["start"] });
        let hover = client.ask("textDocument/hover", at).to_string();
        assert!(!hover.contains("Before this line"), "{hover}");
        assert!(shown.len() < 5, "{shown:?}");
    }
    assert!(shown.last().unwrap().1.contains("Bob and Cid win"), "{shown:?}");
    // Whoever writes on steps no more.
    client.ask("workspace/executeCommand", words);
    client.change("tiny.play", &format!("{scenarios}\n"));
    assert!(client.settled().get("tiny.play").is_none_or(Vec::is_empty));
    client.leave();
}

/// Columns are counted in what client and server have agreed on, in what is told, asked, answered and changed.
#[test]
fn columns_are_counted_in_the_units_that_the_client_wants() {
    let line = "    say \"Zoë’s 🐺 {prey}, {preyy}\"";
    let text = TINY.replace("    say \"{prey} was licked.\"", line);
    for (units, length) in [
        ("utf-8", str::len as fn(&str) -> usize),
        ("utf-16", |text| text.encode_utf16().count()),
        ("utf-32", |text| text.chars().count()),
    ] {
        let folder = folder();
        let mut client = Client::new(&folder.path, units);
        client.open("tiny.mafia", &text);
        let column = |piece: &str| length(&line[..line.find(piece).unwrap()]);
        let told = client.settled();
        let found = &told["tiny.mafia"][0];
        let range = json!([
            found["range"]["start"]["character"],
            found["range"]["end"]["character"]
        ]);
        let from = column("preyy");
        assert_eq!(range, json!([from, from + 5]), "{units}: {found}");
        // The same place is meant where the client asks for it.
        let row = text[..text.find(line).unwrap()].matches('\n').count();
        let place = json!({ "line": row, "character": column("prey}") });
        let asked = json!({ "textDocument": { "uri": client.uri("tiny.mafia") }, "position": place });
        let all = client.ask("textDocument/documentHighlight", asked);
        let here = all
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["range"]["start"]["line"] == row);
        let here = here.unwrap_or_else(|| panic!("{units}: {all}"));
        assert_eq!(
            here["range"]["start"]["character"],
            column("prey}"),
            "{units}: {all}"
        );
        client.leave();
    }
}

/// What was never saved has no ending: its language says what it is.
#[test]
fn a_text_without_an_ending_is_what_its_editor_calls_it() {
    let folder = folder();
    let mut client = Client::new(&folder.path, "utf-16");
    for (language, text) in [
        ("mafia", "ruleset x \"X\"\nfoo\n"),
        ("play", "ruleset tiny\nfoo\n"),
        ("text", "foo\n"),
    ] {
        let uri = format!("untitled:Untitled-{language}");
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let told = client.settled();
        let all = told.get(&uri).map_or(0, Vec::len);
        assert_eq!(all > 0, language != "text", "{language}: {told:?}");
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        assert!(client.settled().get(&uri).is_none_or(Vec::is_empty), "{language}");
    }
}
