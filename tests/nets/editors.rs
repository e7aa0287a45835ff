//! What editors are answered all over some texts: at every place where a word begins, and of whole files.

use super::Net;
use crate::{
    lsp::client::Client,
    program::{SCENARIOS, TINY, write},
};
use serde_json::{Value, json};

/// Asked at each place.
const AT_PLACES: [&str; 9] = [
    "hover",
    "definition",
    "references",
    "documentHighlight",
    "completion",
    "prepareRename",
    "rename",
    "selectionRange",
    "codeAction",
];
/// Asked of each file.
const OF_FILES: [&str; 6] = [
    "documentSymbol",
    "foldingRange",
    "documentLink",
    "semanticTokens/full",
    "formatting",
    "codeLens",
];
/// At every so manieth word.
const EVERY: usize = 7;

/// The texts: whole ones, some with mistakes, scenarios, an overlay, a library.
const TEXTS: [(&str, &str); 9] = [
    ("tiny.mafia", TINY),
    ("tiny.play", SCENARIOS),
    ("wary.mafia", crate::lsp::OVERLAY),
    ("fair.mafia", include_str!("../rulebook/fair.mafia")),
    ("closet.mafia", include_str!("../prompt/closet.mafia")),
    ("odd.mafia", include_str!("../rulebook/odd.mafia")),
    ("wrong.mafia", include_str!("../syntax/many_mistakes.mafia")),
    ("seats.play", include_str!("../lang/seats.play")),
    ("seats.mafia", include_str!("../lang/seats.mafia")),
];

/// Where words begin.
fn places(text: &str) -> Vec<usize> {
    let begins = |(at, c): &(usize, char)| {
        let before = text[..*at].chars().next_back().unwrap_or(' ');
        c.is_alphanumeric() && !before.is_alphanumeric()
    };
    text.char_indices().filter(begins).map(|(at, _)| at).collect()
}

/// Where lines begin behind their blanks.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some(*at - line.trim_start().len())
    });
    lines.filter(|at| *at < text.len())
}

fn asked(client: &mut Client, method: &str, mut params: Value) -> String {
    let position = params["position"].clone();
    params["positions"] = json!([position]);
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [], "includeDeclaration": true });
    params["newName"] = json!("renamed");
    params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    client.ask(&format!("textDocument/{method}"), params).to_string()
}

#[test]
fn editors_are_answered_as_before() {
    let mut net = Net::new("editors");
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for (name, text) in TEXTS {
        write(&home, name, text);
    }
    let mut client = Client::new(&home, "utf-16");
    for (name, text) in TEXTS {
        client.open(name, text);
    }
    let mut add = |name: &str, channel: &str, told: &str| {
        let told = told.replace(&home.display().to_string(), "…");
        net.add(name, channel, &format!("{told}\n"));
    };
    for (name, told) in client.settled() {
        add(&name, "told", &json!(told).to_string());
    }
    for (name, text) in TEXTS {
        for method in OF_FILES {
            let whole = client.at(name, text, 0);
            add(name, method, &asked(&mut client, method, whole));
        }
        for (line, rest) in starts(text).zip(0_usize..) {
            // What is marked from one line to the end of one of the next.
            let end = starts(&text[line..])
                .nth(1 + rest % 3)
                .map_or(text.len(), |far| line + far - 1);
            let mut marked = client.at(name, text, line);
            let until = client.at(name, text, end)["position"].clone();
            marked["range"] = json!({ "start": marked["position"], "end": until });
            marked["context"] = json!({ "diagnostics": [] });
            add(
                name,
                "marked",
                &client.ask("textDocument/codeAction", marked).to_string(),
            );
        }
        for place in places(text).into_iter().step_by(EVERY) {
            for method in AT_PLACES {
                // Behind the first letter a word is being written.
                let within = client.at(name, text, place + usize::from(method == "completion"));
                add(name, method, &asked(&mut client, method, within));
            }
        }
    }
    client.leave();
    net.holds();
}
