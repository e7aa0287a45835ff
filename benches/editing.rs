//! Somebody writes a line in the largest bundled ruleset, letter by letter, with its overlays and scenarios open: how long
//! until the mistakes of each letter are told, and until completion is answered, the slowest twentieth too; the same in one
//! of 5,000 lines; and what a session of 10,000 changes holds in memory.
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

/// The largest bundled ruleset, with its overlays and scenarios beside it.
const FOLDER: &str = "rulesets/vendetta";
const FILE: &str = "vendetta.mafia";
const WRITTEN: &str = "  if some living Guild { mark first of living as nobdy-knows }";

struct Editor {
    connection: Connection,
    home: String,
    asked: i32,
    version: i32,
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
            version: 1,
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

    fn write(&mut self, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri(FILE), "version": self.version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Waits until something is told of the file as it is now; nothing where nothing is.
    fn told(&self) -> bool {
        while let Ok(message) = self.connection.receiver.recv_timeout(Duration::from_millis(1500)) {
            if let Message::Notification(told) = message
                && told.params["uri"] == json!(self.uri(FILE))
                && told.params["version"] == json!(self.version)
            {
                return true;
            }
        }
        false
    }

    /// Waits until nothing more is told for a while.
    fn quiet(&self) {
        while self
            .connection
            .receiver
            .recv_timeout(Duration::from_secs(3))
            .is_ok()
        {}
    }
}

/// An editor with all of a folder open, and with one text in the place of another.
fn with_all_open(folder: &Path, text: &str) -> Editor {
    let editor = Editor::begin(folder);
    for entry in folder.read_dir().unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".play") || name.ends_with(".mafia") && name != FILE {
            editor.open(&name, &std::fs::read_to_string(entry.path()).unwrap());
        }
    }
    editor.open(FILE, text);
    editor.quiet();
    editor
}

/// Where a line is written: at the beginning of the first scene.
fn place(text: &str) -> (usize, usize) {
    let scene = text.find("\nscene ").unwrap() + 1;
    let head = scene + text[scene..].find('\n').unwrap() + 1;
    (head, text[..head].matches('\n').count())
}

/// Writes a line letter by letter, and tells how long the answers took.
fn write_a_line(editor: &mut Editor, title: &str, text: &str) {
    let (head, line) = place(text);
    let (mut told, mut completed) = (Vec::new(), Vec::new());
    let (mut told_work, mut completed_work) = (Vec::new(), Vec::new());
    let before = spent();
    for length in 1..=WRITTEN.len() {
        let now = format!("{}{}\n{}", &text[..head], &WRITTEN[..length], &text[head..]);
        let (begun, worked) = (Instant::now(), spent());
        editor.write(&now);
        if editor.told() {
            told.push(begun.elapsed());
            told_work.push(spent() - worked);
        }
        let at = json!({ "textDocument": { "uri": editor.uri(FILE) }, "position": { "line": line, "character": length } });
        let (begun, worked) = (Instant::now(), spent());
        editor.ask("textDocument/completion", at);
        completed.push(begun.elapsed());
        completed_work.push(spent() - worked);
        std::thread::sleep(Duration::from_millis(60));
    }
    let lines = text.lines().count();
    let each = (spent() - before) / WRITTEN.len() as u32;
    let each = each.as_millis();
    println!("{title}, {lines} lines, {each} ms of processor time for each letter with all that hangs on it");
    let measured = [
        ("mistakes by the clock", told),
        ("mistakes by processor time", told_work),
        ("completion by the clock", completed),
        ("completion by processor time", completed_work),
    ];
    for (what, mut all) in measured {
        all.sort();
        let at = |share: usize| all[(all.len() * share / 100).min(all.len() - 1)].as_micros() / 100;
        let (middle, slow) = (at(50), at(95));
        println!(
            "  {what}: {} letters, half of them within {}.{} ms, 95 of 100 within {}.{} ms",
            all.len(),
            middle / 10,
            middle % 10,
            slow / 10,
            slow % 10
        );
    }
}

/// The ruleset with as many scenes more as make it so many lines.
fn lengthened(text: &str, lines: usize) -> String {
    let mut out = format!("// allow-file never-read\n// allow-file never-played\n{text}");
    for number in 1.. {
        let length = out.matches('\n').count();
        if length >= lines {
            break;
        }
        out.push_str(&format!(
            "\nscene More-{number} {{\n  for each p of living {{\n    if p is first of living {{\n      say \"{{p}} is number {number}.\"\n    }} else {{\n      mark p as more-{number}\n    }}\n  }}\n  clear more-{number}\n}}\nmark more-{number}\n"
        ));
    }
    out
}

/// The processor time that all threads have taken.
fn spent() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let times = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok());
    let spent = |line: String| line.split_whitespace().next()?.parse::<u64>().ok();
    Duration::from_nanos(times.filter_map(spent).sum())
}

/// What the process holds in memory, in mebibytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    number.unwrap_or(0) / 1024
}

/// A long session: so many changes, with what is in memory after some of them.
fn write_for_long(editor: &mut Editor, text: &str, changes: usize) {
    let (head, line) = place(text);
    for change in 1..=changes {
        let length = change % WRITTEN.len();
        editor.write(&format!(
            "{}{}\n{}",
            &text[..head],
            &WRITTEN[..length],
            &text[head..]
        ));
        let at = json!({ "textDocument": { "uri": editor.uri(FILE) }, "position": { "line": line, "character": length } });
        let method = ["completion", "hover", "codeLens", "definition"][change % 4];
        editor.ask(&format!("textDocument/{method}"), at);
        // Now and then somebody thinks, and scenarios are run.
        if change % 100 == 0 {
            editor.quiet();
        }
        if change % 1_000 == 0 {
            println!("  after {change} changes {} MiB", resident());
        }
    }
}

/// All of it, or the parts that are named: `beside`, `long`, `session`.
fn main() {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    let folder = Path::new(FOLDER);
    let text = std::fs::read_to_string(folder.join(FILE)).unwrap();
    if is_wanted("beside") {
        let mut editor = with_all_open(folder, &text);
        write_a_line(&mut editor, "with its overlays and scenarios open", &text);
    }
    if is_wanted("long") {
        let long = lengthened(&text, 5_000);
        let mut editor = Editor::begin(folder);
        editor.open(FILE, &long);
        editor.quiet();
        write_a_line(&mut editor, "lengthened", &long);
    }
    if is_wanted("session") {
        println!("a long session");
        let mut editor = with_all_open(folder, &text);
        write_for_long(&mut editor, &text, 10_000);
    }
}
