//! What editors are answered all over some texts: at every place where a word begins, and of whole files.

use super::{Net, subjects::strangers};
use crate::{
    lsp::client::Client,
    program::{SCENARIOS, TINY, write},
};
use omerta_play::chance::Chance;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Asked at each place.
const AT_PLACES: [&str; 10] = [
    "hover",
    "signatureHelp",
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
/// The code of a request that says nothing that could be answered.
const MISREAD: i32 = -32602;
/// At every so manieth word, and of texts that hang on each other.
const EVERY: usize = 7;
const EVERY_OF_SEVERAL: usize = 2;
const EVERY_OF_STRANGERS: usize = 31;

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

/// Rules, a library, overlays that replace, remove and need each other, scenarios of them; and two texts with mistakes
/// of which one uses the other.
const SEVERAL: [(&str, &str); 8] = [
    ("herd.mafia", include_str!("herd/herd.mafia")),
    ("bells.mafia", include_str!("herd/bells.mafia")),
    ("silent.mafia", include_str!("herd/silent.mafia")),
    ("deaf.mafia", include_str!("herd/deaf.mafia")),
    ("herd.play", include_str!("herd/herd.play")),
    ("both.play", include_str!("herd/both.play")),
    ("chimes.mafia", include_str!("herd/chimes.mafia")),
    ("flock.mafia", include_str!("herd/flock.mafia")),
];
/// Those of them that others hang on.
const USED: [&str; 4] = ["herd.mafia", "bells.mafia", "silent.mafia", "chimes.mafia"];
/// What is chosen on each line on which something begins, and how often.
const CHOSEN: [(&str, usize); 5] = [
    ("omerta.coveringScenarios", 1),
    ("omerta.playFrom", 2),
    ("omerta.step", 2),
    ("omerta.writeScenario", 1),
    ("omerta.acceptSnapshot", 1),
];
/// What else a name might become: one that is taken, a word of the language, nothing that is a name.
const OTHER_NAMES: [&str; 4] = ["Sheep", "bitten", "from", "no name"];

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
    if params.get("range").is_none() {
        params["range"] = json!({ "start": position, "end": position });
    }
    params["context"] = match method {
        "codeAction" => json!({ "diagnostics": [] }),
        // Every other time without the declaration.
        "references" => {
            let column = position["character"].as_u64().unwrap_or(0);
            json!({ "includeDeclaration": column.is_multiple_of(2) })
        }
        // Nothing but Ctrl-Space called for it.
        _ => json!({ "triggerKind": 1, "isRetrigger": false }),
    };
    if params.get("newName").is_none() {
        params["newName"] = json!("renamed");
    }
    params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    let answer = client.ask(&format!("textDocument/{method}"), params);
    assert_ne!(answer["code"], MISREAD, "{method}: {answer}");
    answer.to_string()
}

/// An editor that has some texts open, in a folder of their own.
fn opened(texts: &[(&str, &str)]) -> (Client, tempfile::TempDir) {
    let held = tempfile::tempdir().unwrap();
    let path = held.path().canonicalize().unwrap();
    for (name, text) in texts {
        write(&path, name, text);
    }
    let mut client = Client::new(&path, "utf-16");
    for (name, text) in texts {
        client.open(name, text);
    }
    (client, held)
}

/// An editor that has some texts open in a folder, and what it has been told.
struct Open<'a> {
    net: &'a mut Net,
    client: Client,
    home: String,
    _held: tempfile::TempDir,
}

impl Open<'_> {
    fn all<'a>(net: &'a mut Net, texts: &[(&str, &str)]) -> Open<'a> {
        let (client, held) = opened(texts);
        let home = held.path().canonicalize().unwrap().display().to_string();
        let mut open = Open {
            net,
            client,
            home,
            _held: held,
        };
        open.told();
        open
    }

    fn add(&mut self, name: &str, channel: &str, told: &str) {
        let told = told.replace(&self.home, "…");
        self.net.add(name, channel, &format!("{told}\n"));
    }

    /// What is told of all texts now.
    fn told(&mut self) {
        for (name, told) in self.client.settled() {
            self.add(&name, "told", &json!(told).to_string());
        }
    }

    fn whole(&mut self, name: &str, text: &str) {
        for method in OF_FILES {
            let whole = self.client.at(name, text, 0);
            let answer = asked(&mut self.client, method, whole);
            self.add(name, method, &answer);
        }
    }

    /// What is marked from one line to the end of one of the next.
    fn marked(&mut self, name: &str, text: &str, methods: &[&str]) {
        for (line, rest) in starts(text).zip(0_usize..) {
            let end = starts(&text[line..])
                .nth(1 + rest % 3)
                .map_or(text.len(), |far| line + far - 1);
            let mut marked = self.client.at(name, text, line);
            let until = self.client.at(name, text, end)["position"].clone();
            marked["range"] = json!({ "start": marked["position"], "end": until });
            for method in methods {
                let answer = asked(&mut self.client, method, marked.clone());
                self.add(name, &format!("marked {method}"), &answer);
            }
        }
    }

    fn places(&mut self, name: &str, text: &str, every: usize) {
        for place in places(text).into_iter().step_by(every) {
            for method in AT_PLACES {
                // Behind the first letter a word is being written.
                let is_writing = ["completion", "signatureHelp"].contains(&method);
                let within = self.client.at(name, text, place + usize::from(is_writing));
                let answer = asked(&mut self.client, method, within);
                self.add(name, method, &answer);
            }
        }
    }

    /// A name becomes one that it may not, or only elsewhere.
    fn called_otherwise(&mut self, name: &str, text: &str) {
        for (place, new) in places(text)
            .into_iter()
            .step_by(3)
            .zip(OTHER_NAMES.iter().cycle())
        {
            let mut within = self.client.at(name, text, place);
            within["newName"] = json!(new);
            let answer = asked(&mut self.client, "rename", within);
            self.add(name, "rename", &format!("{new}: {answer}"));
        }
    }

    /// What comes of the commands, where something begins, and in a line within it.
    fn chosen(&mut self, name: &str, text: &str) {
        for (command, times) in CHOSEN {
            for (number, line) in text.lines().enumerate() {
                let begins = line.ends_with('{') || line.starts_with("play");
                if !begins || line.starts_with(' ') && number % 3 != 0 {
                    continue;
                }
                let words = json!({ "command": command, "arguments": [self.client.uri(name), number] });
                for _ in 0..times {
                    let answer = self.client.ask("workspace/executeCommand", words.clone());
                    self.add(name, command, &format!("{number} {answer}"));
                }
            }
        }
        let edits = json!(self.client.edits_asked_for()).to_string();
        self.add(name, "edits", &edits);
    }
}

#[test]
fn editors_are_answered_as_before() {
    let mut net = Net::new("editors");
    let mut open = Open::all(&mut net, &TEXTS);
    for (name, text) in TEXTS {
        open.whole(name, text);
        open.marked(name, text, &["codeAction"]);
        open.places(name, text, EVERY);
    }
    open.client.leave();
    net.holds();
}

/// One lot of what strangers wrote, each in a folder of its own.
#[test]
fn editors_are_answered_as_before_of_what_strangers_wrote() {
    let mut net = Net::new("visited");
    let texts = [strangers("mafia"), strangers("play")].concat();
    for (file, text, _) in texts.iter().filter(|(.., lot)| *lot == 0) {
        let name = file.rsplit('/').next().unwrap();
        let mut open = Open::all(&mut net, &[(name, text)]);
        open.whole(name, text);
        open.places(name, text, EVERY_OF_STRANGERS);
        open.client.leave();
    }
    net.holds();
}

#[test]
fn editors_are_answered_as_before_of_texts_that_hang_on_each_other() {
    let mut net = Net::new("projects");
    let mut open = Open::all(&mut net, &SEVERAL);
    for (name, text) in SEVERAL {
        open.whole(name, text);
        open.marked(name, text, &["codeAction", "inlayHint", "rangeFormatting"]);
        open.places(name, text, EVERY_OF_SEVERAL);
        open.called_otherwise(name, text);
    }
    for query in ["", "ng", "Wolf", "nothing of the kind"] {
        let found = open.client.ask("workspace/symbol", json!({ "query": query }));
        open.add("symbols", "found", &format!("{query}: {found}"));
    }
    for (name, text) in SEVERAL {
        open.chosen(name, text);
    }
    open.told();
    // What hangs on a text is told anew when it is another, and as before when it is put back.
    for (name, text) in SEVERAL.into_iter().filter(|(name, _)| USED.contains(name)) {
        let lines: Vec<&str> = text.lines().collect();
        let cut = lines[..lines.len() * 2 / 3].join("\n");
        open.client.change(name, &cut);
        open.told();
        open.client.change(name, text);
        // One change at a time: of two that come together either may be told first.
        open.told();
    }
    open.told();
    open.client.leave();
    net.holds();
}

/// All that is told, in lines.
fn lines_of(told: &BTreeMap<String, Vec<Value>>) -> Vec<String> {
    let line = |name: &str, one: &Value| format!("{name} {} {}", one["range"], one["message"]);
    told.iter()
        .flat_map(|(name, told)| told.iter().map(move |one| line(name, one)))
        .collect()
}

/// What is told of a text hangs on the texts as they are, and not on what stood in them before, nor on how quickly one
/// change came behind the other.
#[test]
fn of_the_same_texts_the_same_is_told_however_they_came_to_be() {
    let (mut client, _held) = opened(&SEVERAL);
    let fresh = lines_of(&client.settled());
    let mut chance = Chance::of_seed(1);
    let mut below = |bound: usize| usize::try_from(chance.below(bound as u64)).unwrap();
    for round in 0..20 {
        let mut touched = Vec::new();
        for _ in 0..=below(4) {
            let (name, text) = SEVERAL[below(SEVERAL.len())];
            let lines: Vec<&str> = text.lines().collect();
            let at = below(lines.len());
            let other = match below(3) {
                0 => lines[..at].join("\n"),
                1 => [&lines[..at], &lines[at + 1..]].concat().join("\n"),
                _ => text.replace(["Sheep", "herd", "Night", "bell"][at % 4], "Other"),
            };
            client.change(name, &other);
            touched.push((name, text));
            if below(3) == 0 {
                client.settled();
            }
        }
        for (name, text) in touched {
            client.change(name, text);
            if below(4) == 0 {
                client.settled();
            }
        }
        assert_eq!(lines_of(&client.settled()), fresh, "round {round}");
    }
    client.leave();
}
