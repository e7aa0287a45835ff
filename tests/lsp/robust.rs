//! Whatever is written and wherever the cursor stands: every request is answered, every place lies in the text, no two
//! edits touch, and what is offered as a repair repairs.

use super::{client::Client, folder};
use crate::program::{Done, TINY, omerta_in};
use omerta_workbench::lookup::Edit;
use omerta_workbench::project::Project;
use omerta_workbench::repairs::apply;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;

/// Texts with whatever goes wrong with columns: letters of two, three and four bytes, half pairs, line ends of all sorts.
const ODD: [&str; 7] = ["🐺", "é", "\r\n", "\r", "\u{301}", "\"", "{"];

const ASKED: [&str; 12] = [
    "hover",
    "definition",
    "documentHighlight",
    "completion",
    "prepareRename",
    "documentSymbol",
    "foldingRange",
    "documentLink",
    "semanticTokens/full",
    "formatting",
    "selectionRange",
    "codeAction",
];

fn bytes_of(text: &str, position: &Value) -> Option<usize> {
    let (line, character) = (position["line"].as_u64()?, position["character"].as_u64()?);
    let mut lines = Vec::new();
    let mut start = 0;
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (number, (at, letter)) in letters.iter().enumerate() {
        let next = letters.get(number + 1).map(|(_, letter)| *letter);
        if *letter == '\n' || *letter == '\r' && next != Some('\n') {
            lines.push(&text[start..*at]);
            start = at + letter.len_utf8();
        }
    }
    lines.push(&text[start..]);
    let line = lines.get(line as usize)?;
    let units = line.trim_end_matches('\r').encode_utf16().count() as u64;
    (character <= units.max(line.encode_utf16().count() as u64)).then_some(0)
}

/// Every range in an answer lies in the text.
fn check_ranges(text: &str, answer: &Value, method: &str) {
    match answer {
        Value::Object(map) => {
            if let (Some(start), Some(end)) = (map.get("start"), map.get("end")) {
                let inside = bytes_of(text, start).is_some() && bytes_of(text, end).is_some();
                assert!(inside, "{method}: {answer} does not lie in {text:?}");
            }
            map.values().for_each(|value| check_ranges(text, value, method));
        }
        Value::Array(all) => all.iter().for_each(|value| check_ranges(text, value, method)),
        _ => {}
    }
}

fn asked(client: &mut Client, text: &str, at: usize) {
    for method in ASKED {
        let mut params = client.at("new.mafia", text, at);
        let position = params["position"].clone();
        params["positions"] = json!([position]);
        params["range"] = json!({ "start": position, "end": position });
        params["context"] = json!({ "diagnostics": [] });
        params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
        let answer = client.ask(&format!("textDocument/{method}"), params);
        assert_ne!(answer["code"], -32603, "{method} at {at} in {text:?}: {answer}");
        // Definitions may lie in other texts.
        if method != "definition" && method != "codeAction" && method != "documentLink" {
            check_ranges(text, &answer, method);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_prefix_and_any_cursor_is_answered(cut in 0.0..1.0_f64, place in 0.0..1.0_f64, odd in 0..ODD.len(), rest in any::<bool>()) {
        thread_local! {
            static CLIENT: RefCell<Option<(super::Folder, Client)>> = const { RefCell::new(None) };
        }
        CLIENT.with_borrow_mut(|kept| {
            let (_, client) = kept.get_or_insert_with(|| {
                let folder = folder();
                let mut client = Client::new(&folder.path, "utf-16");
                client.open("new.mafia", "");
                (folder, client)
            });
            let whole = crate::program::TINY;
            let near = |share: f64, text: &str| {
                let mut at = (share * text.len() as f64) as usize;
                while !text.is_char_boundary(at) { at -= 1; }
                at
            };
            let cut = near(cut, whole);
            let tail = if rest { &whole[cut..] } else { "" };
            let text = format!("{}{}{tail}", &whole[..cut], ODD[odd]);
            let at = near(place, &text);
            client.change("new.mafia", &text);
            asked(client, &text, at);
            asked(client, &text, near(1.0, &text));
        });
    }
}

/// Whatever is called otherwise, the rules stay what they are: every name of the bundled games that can be.
#[test]
fn what_is_called_otherwise_stays_the_same_game() {
    for ruleset in ["city", "village"] {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let path = home.join(format!("{ruleset}.mafia"));
        let text = std::fs::read_to_string(format!("rulesets/{ruleset}.mafia")).unwrap();
        let mut project = Project::new(vec![home], None);
        project.set(&path, text.clone());
        let sound = project.check(&path);
        assert!(!sound.is_wrong(), "{ruleset}");
        let names = project.names(&path);
        let mut done = 0;
        for (_, used) in names.uses.iter().step_by(5) {
            let named = project.name_at(&path, used.name.span.start as usize).unwrap();
            let Ok(edits) = project.rename(&path, &named, "Zz-new") else {
                continue;
            };
            done += 1;
            let edits: Vec<&Edit> = edits.iter().collect();
            let after = apply(&text, &edits).unwrap();
            let mut other = Project::new(Vec::new(), None);
            other.set(&path, after.clone());
            let check = other.check(&path);
            let found = |check: &omerta_workbench::project::FileCheck| {
                let codes = check.findings.iter().map(|found| found.diagnostic.code.0);
                codes.collect::<Vec<_>>()
            };
            assert_eq!(
                found(&check),
                found(&sound),
                "{ruleset}: `{}` renamed\n{after}",
                named.text
            );
            let shape = |project: &mut Project| {
                let check = project.check(&path);
                let (asked, bench) = &check.benches[0];
                let laid = bench.lay(&asked.wanted).ok().unwrap();
                format!("{:?}", laid.bench.rules.code)
            };
            assert_eq!(
                shape(&mut other),
                shape(&mut project),
                "{ruleset}: `{}` renamed",
                named.text
            );
        }
        assert!(done > 20, "{ruleset}: only {done} names can be others");
    }
}

/// Every name in the bundled rules stands for something, or is a word of the language: the index misses none.
#[test]
fn every_name_of_the_bundled_rules_is_known() {
    let home = std::path::Path::new("rulesets").canonicalize().unwrap();
    let mut project = Project::new(vec![home], None);
    let mut unknown = Vec::new();
    for path in project.files() {
        if path.components().any(|part| part.as_os_str() == "templates") {
            continue;
        }
        for context in project.contexts(&path).iter() {
            for used in &context.index.uses {
                use omerta_check::index::Target;
                use omerta_syntax::names::Role;
                use omerta_syntax::walk::Space;
                let elsewhere = matches!(
                    used.role,
                    Role::Uses(Space::Head | Space::Overlay | Space::Base | Space::File)
                );
                let library =
                    context.index.base.is_empty() || !path.ends_with(format!("{}.mafia", context.index.base));
                let is_word = omerta_syntax::words::find(&used.text).is_some() || is_special(&used.text);
                if used.target == Target::Nothing && !elsewhere && !is_word && !library {
                    unknown.push(format!("{}: {} ({:?})", path.display(), used.text, used.role));
                }
            }
        }
    }
    unknown.sort();
    unknown.dedup();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// Words that rules wait for and that no row of the language keeps.
fn is_special(word: &str) -> bool {
    matches!(
        word,
        "ability" | "choice" | "owner" | "winners" | "losers" | "same" | "called" | "deal"
    )
}

/// What comes out of the program for what an editor sends it, and how it leaves.
fn sent(messages: &str) -> Done {
    let folder = tempfile::tempdir().unwrap();
    omerta_in(folder.path(), &["lsp"], messages.as_bytes())
}

fn framed(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

const BEGINNING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
const BEGUN: &str = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
const LEAVING: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
    r#"{"jsonrpc":"2.0","method":"exit"}"#,
];

#[test]
fn a_message_that_cannot_be_read_is_answered_and_the_next_one_too() {
    let none = ["{{{", "[]", "5", "", "\u{feff}{}"].map(framed);
    let [shutdown, exit] = LEAVING.map(framed);
    let messages = [framed(BEGINNING), framed(BEGUN), none.concat(), shutdown, exit].concat();
    let Done { out, err, code } = sent(&messages);
    assert_eq!(out.matches("-32700").count(), none.len(), "{out}\n{err}");
    assert!(out.contains(r#""id":2"#), "{out}\n{err}");
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn the_head_of_a_message_is_read_in_any_letters_and_with_any_spaces() {
    for head in [
        "content-length:",
        "CONTENT-LENGTH:  ",
        "Content-Type: text\r\nContent-Length:",
    ] {
        let texts = [BEGINNING, BEGUN, LEAVING[0], LEAVING[1]];
        let all = texts.map(|text| format!("{head}{} \r\n\r\n{text}", text.len()));
        let Done { out, err, code } = sent(&all.concat());
        assert!(out.contains(r#""id":2"#), "{head}: {out}\n{err}");
        assert_eq!(code, Some(0), "{head}: {err}");
    }
}

#[test]
fn whoever_waits_is_answered_before_the_end() {
    let opened = json!({ "textDocument": { "uri": "file:///none/a.mafia", "languageId": "mafia", "version": 1, "text": TINY } });
    let opened = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened }).to_string();
    let waits = r#"{"jsonrpc":"2.0","id":7,"method":"omerta/rest"}"#;
    let texts = [BEGINNING, BEGUN, &opened, waits, LEAVING[0], LEAVING[1]];
    let Done { out, err, code } = sent(&texts.map(framed).concat());
    assert!(
        out.contains(r#""id":7"#) && out.contains(r#""id":2"#),
        "{out}\n{err}"
    );
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn who_has_not_begun_is_told_so_before_the_end() {
    for _ in 0..5 {
        let Done { out, err, code } = sent(&LEAVING.map(framed).concat());
        assert!(out.contains("-32002"), "{out}\n{err}");
        assert_eq!(code, Some(1), "{err}");
    }
}

#[test]
fn a_message_that_is_cut_short_is_none() {
    let half = "Content-Length: 500\r\n\r\n{".to_owned();
    let Done { out, code, .. } = sent(&[framed(BEGINNING), framed(BEGUN), half].concat());
    assert!(!out.contains("-32700"), "{out}");
    assert_eq!(code, Some(1));
}

#[test]
fn where_no_message_can_follow_it_is_said_and_nothing_breaks() {
    let heads = [
        "Content-Length: 99999999999999\r\n\r\n{}".to_owned(),
        "Content-Length: -1\r\n\r\n{}".to_owned(),
        "Content-Type: text\r\n\r\n{}".to_owned(),
        format!("Content-Length: {}", "9".repeat(100_000)),
    ];
    for head in heads {
        let Done { err, code, .. } = sent(&[framed(BEGINNING), head.clone()].concat());
        assert!(
            err.starts_with("error: the editor cannot be understood: "),
            "{head:.60}\n{err}"
        );
        assert_eq!(code, Some(1), "{head:.60}\n{err}");
    }
}
