//! Somebody writes a line in the largest bundled ruleset, letter by letter, with its scenarios open: how long until the
//! mistakes of each letter are told, and until completion is answered. Figures in milliseconds, of the slowest twentieth too.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench measures, reads files and prints"
)]

use lsp_server::{Connection, Message, Notification, Request};
use omerta_lsp::{Surroundings, serve};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const FOLDER: &str = "rulesets/vendetta";
const FILE: &str = "vendetta.mafia";
const WRITTEN: &str = "  if some living Guild { mark first of living as nobdy-knows }";

struct Editor {
    connection: Connection,
    home: String,
    asked: i32,
}

impl Editor {
    fn begin(folder: &Path) -> Editor {
        let (server, connection) = Connection::memory();
        std::thread::spawn(move || serve(server, Surroundings::default()));
        let home = format!("file://{}", folder.canonicalize().unwrap().display());
        let mut editor = Editor {
            connection,
            home,
            asked: 0,
        };
        let root = editor.home.clone();
        editor.ask(
            "initialize",
            json!({ "processId": null, "rootUri": root, "capabilities": {} }),
        );
        editor.notify("initialized", json!({}));
        editor
    }

    fn notify(&self, method: &str, params: Value) {
        let method = method.to_owned();
        self.connection
            .sender
            .send(Notification { method, params }.into())
            .unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = self.asked.into();
        let method = method.to_owned();
        self.connection
            .sender
            .send(Request { id, method, params }.into())
            .unwrap();
        while !matches!(self.connection.receiver.recv().unwrap(), Message::Response(_)) {}
    }

    fn uri(&self, file: &str) -> String {
        format!("{}/{file}", self.home)
    }

    fn open(&self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "languageId": "mafia", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn write(&self, text: &str) {
        let document = json!({ "uri": self.uri(FILE), "version": 2 });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Waits until something is told of the file; nothing where nothing is.
    fn told(&self) -> bool {
        while let Ok(message) = self.connection.receiver.recv_timeout(Duration::from_millis(1500)) {
            if let Message::Notification(told) = message
                && told.params["uri"] == json!(self.uri(FILE))
            {
                return true;
            }
        }
        false
    }
}

fn main() {
    let folder = Path::new(FOLDER);
    let text = std::fs::read_to_string(folder.join(FILE)).unwrap();
    let mut editor = Editor::begin(folder);
    for entry in folder.read_dir().unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".play") {
            editor.open(&name, &std::fs::read_to_string(entry.path()).unwrap());
        }
    }
    editor.open(FILE, &text);
    while editor
        .connection
        .receiver
        .recv_timeout(Duration::from_secs(5))
        .is_ok()
    {}
    let scene = text.find("\nscene ").unwrap() + 1;
    let head = scene + text[scene..].find('\n').unwrap() + 1;
    let line = text[..head].matches('\n').count();
    let (mut told, mut completed) = (Vec::new(), Vec::new());
    for length in 1..=WRITTEN.len() {
        let now = format!("{}{}\n{}", &text[..head], &WRITTEN[..length], &text[head..]);
        let begun = Instant::now();
        editor.write(&now);
        if editor.told() {
            told.push(begun.elapsed());
        }
        let at = json!({ "textDocument": { "uri": editor.uri(FILE) }, "position": { "line": line, "character": length } });
        let begun = Instant::now();
        editor.ask("textDocument/completion", at);
        completed.push(begun.elapsed());
        std::thread::sleep(Duration::from_millis(60));
    }
    for (what, mut all) in [("mistakes", told), ("completion", completed)] {
        all.sort();
        let at = |share: usize| all[(all.len() * share / 100).min(all.len() - 1)].as_micros() / 100;
        let (middle, slow) = (at(50), at(95));
        println!(
            "{what}: {} letters, half of them within {}.{} ms, 95 of 100 within {}.{} ms",
            all.len(),
            middle / 10,
            middle % 10,
            slow / 10,
            slow % 10
        );
    }
}
