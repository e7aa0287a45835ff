//! A client as an editor is one: it talks to the server in this process, or to the program on its streams.

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use omerta_lsp::{Surroundings, serve};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// After how long nothing more is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    say: Option<Box<dyn FnMut(Message)>>,
    hear: Receiver<Message>,
    child: Option<Child>,
    folder: PathBuf,
    told: BTreeMap<String, Vec<Value>>,
    /// Of which version of each file.
    versions: BTreeMap<String, Value>,
    answers: BTreeMap<i32, Value>,
    logged: Vec<String>,
    asked_for: Vec<(String, Value)>,
    /// The files of which something was told, in the order in which it was.
    told_of: Vec<String>,
    last: i32,
}

/// What an editor can that can all that there is.
fn abilities(units: &str) -> Value {
    json!({
        "general": { "positionEncodings": [units] },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true },
            "completion": { "completionItem": { "snippetSupport": true } },
            // No such thing: it spoils nothing else.
            "hover": { "contentFormat": 7 },
        },
        "workspace": {
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
            "codeLens": { "refreshSupport": true },
            "inlayHint": { "refreshSupport": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
    })
}

impl Client {
    /// A client of a server in this process, which counts columns in some units.
    pub fn new(folder: &Path, units: &str) -> Client {
        Client::in_surroundings(folder, units, Surroundings::default())
    }

    /// The same in other surroundings.
    pub fn in_surroundings(folder: &Path, units: &str, surroundings: Surroundings) -> Client {
        Client::beginning(&[folder], abilities(units), surroundings)
    }

    /// One that has several folders open; files are named in the first.
    pub fn of_folders(folders: &[&Path]) -> Client {
        Client::beginning(folders, abilities("utf-16"), Surroundings::default())
    }

    /// One that can no more than an editor must.
    pub fn of_few_abilities(folder: &Path) -> Client {
        Client::beginning(&[folder], json!({}), Surroundings::default())
    }

    fn beginning(folders: &[&Path], abilities: Value, surroundings: Surroundings) -> Client {
        let (server, client) = Connection::memory();
        std::thread::spawn(move || serve(server, surroundings));
        let (tell, hear) = channel();
        let Connection { sender, receiver } = client;
        std::thread::spawn(move || receiver.iter().all(|message| tell.send(message).is_ok()));
        let say = Box::new(move |message| drop(sender.send(message)));
        Client::begin(say, hear, None, (folders, abilities))
    }

    /// A client of the program.
    pub fn of_program(folder: &Path) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_omerta"))
            .arg("lsp")
            .env("XDG_CACHE_HOME", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut into = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (tell, hear) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut out) {
                if tell.send(message).is_err() {
                    return;
                }
            }
        });
        let say = Box::new(move |message: Message| drop(message.write(&mut into)));
        Client::begin(say, hear, Some(child), (&[folder], abilities("utf-16")))
    }

    fn begin(
        say: Box<dyn FnMut(Message)>,
        hear: Receiver<Message>,
        child: Option<Child>,
        (folders, abilities): (&[&Path], Value),
    ) -> Client {
        let mut client = Client {
            say: Some(say),
            hear,
            child,
            folder: folders[0].to_path_buf(),
            told: BTreeMap::new(),
            versions: BTreeMap::new(),
            answers: BTreeMap::new(),
            logged: Vec::new(),
            asked_for: Vec::new(),
            told_of: Vec::new(),
            last: 0,
        };
        let named =
            |folder: &&Path| json!({ "uri": format!("file://{}", folder.display()), "name": "folder" });
        // Who can little knows one folder, by its old name.
        let named: Option<Vec<Value>> = (abilities != json!({})).then(|| folders.iter().map(named).collect());
        let answer = client.ask(
            "initialize",
            json!({
                "processId": null,
                "rootUri": client.uri(""),
                "workspaceFolders": named,
                "capabilities": &abilities,
            }),
        );
        let units = abilities["general"]["positionEncodings"][0]
            .as_str()
            .unwrap_or("utf-16");
        assert_eq!(answer["capabilities"]["positionEncoding"], units);
        client.notify("initialized", json!({}));
        client
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder.display())
    }

    /// The name of a file of the folder.
    pub fn name(&self, uri: &str) -> String {
        let home = format!("file://{}/", self.folder.display());
        uri.strip_prefix(&home).unwrap_or(uri).to_owned()
    }

    fn say(&mut self, message: impl Into<Message>) {
        if let Some(say) = &mut self.say {
            say(message.into());
        }
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        let method = method.to_owned();
        self.say(Notification { method, params });
    }

    /// Asks, and waits for the answer: what came of it, or the error.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Asks, and goes on; gives the number of the request.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.last += 1;
        self.say(Request {
            id: RequestId::from(self.last),
            method: method.to_owned(),
            params,
        });
        self.last
    }

    /// Waits for the answer to a request: what came of it, or the error.
    pub fn answer(&mut self, id: i32) -> Value {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            let message = self.hear.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|_| panic!("no answer to request {id}"));
            self.note(message);
        }
    }

    fn note(&mut self, message: Message) {
        match message {
            Message::Response(response) => {
                let id = response.id.to_string().parse().unwrap();
                let answer = match response.response_result {
                    Ok(value) => value,
                    Err(error) => json!({ "message": error.message, "code": error.code }),
                };
                self.answers.insert(id, answer);
            }
            Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => {
                let file = self.name(told.params["uri"].as_str().unwrap());
                let all = told.params["diagnostics"].as_array().unwrap().clone();
                self.told_of.push(file.clone());
                self.versions.insert(file.clone(), told.params["version"].clone());
                self.told.insert(file, all);
            }
            Message::Notification(told) if told.method == "window/logMessage" => {
                self.logged
                    .push(told.params["message"].as_str().unwrap().to_owned());
            }
            Message::Request(asked) => self.asked_for.push((asked.method, asked.params)),
            Message::Notification(_) => {}
        }
    }

    /// What the server asks the editor to change.
    pub fn edits_asked_for(&mut self) -> Vec<Value> {
        self.settled();
        let edits = { self.asked_for.iter() }.filter(|(method, _)| method == "workspace/applyEdit");
        edits.map(|(_, params)| params["edit"].clone()).collect()
    }

    /// What the server has asked of the editor since this was asked last, by name, when nothing is left to do.
    pub fn asked_of_it(&mut self) -> Vec<String> {
        self.settled();
        self.asked_for.drain(..).map(|(method, _)| method).collect()
    }

    /// Of which files something was told since this was asked last, in that order, when nothing is left to do.
    pub fn told_of(&mut self) -> Vec<String> {
        self.settled();
        std::mem::take(&mut self.told_of)
    }

    /// Of which version of a file was told last what is wrong with it.
    pub fn version_told(&self, file: &str) -> &Value {
        &self.versions[file]
    }

    /// The lines in the log.
    pub fn logged(&self) -> &[String] {
        &self.logged
    }

    pub fn open(&mut self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "languageId": "mafia", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "version": 2 });
        let changes = json!([{ "text": text }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// Changes a piece of a text, of which the client has this version.
    pub fn replace(&mut self, file: &str, text: &str, range: std::ops::Range<usize>, put_in: &str) {
        let place = |byte: usize| self.at(file, text, byte)["position"].clone();
        let range = json!({ "start": place(range.start), "end": place(range.end) });
        let document = json!({ "uri": self.uri(file), "version": 2 });
        let changes = json!([{ "range": range, "text": put_in }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// Says that files were written, made or taken away by others.
    pub fn files_changed(&mut self, files: &[&str]) {
        let change = |file: &&str| json!({ "uri": self.uri(file), "type": 2 });
        let changes: Vec<Value> = files.iter().map(change).collect();
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    }

    /// Whatever is told until nothing is left to do.
    pub fn settled(&mut self) -> BTreeMap<String, Vec<Value>> {
        assert_eq!(self.ask("omerta/rest", Value::Null), Value::Null);
        self.told.clone()
    }

    /// What is told as soon as something holds.
    pub fn until(
        &mut self,
        holds: impl Fn(&BTreeMap<String, Vec<Value>>) -> bool,
    ) -> BTreeMap<String, Vec<Value>> {
        while !holds(&self.told) {
            let message = self.hear.recv_timeout(PATIENCE);
            self.note(message.unwrap_or_else(|_| panic!("never told: {:?}", self.told)));
        }
        self.told.clone()
    }

    /// A place in a text, as a request has it.
    pub fn at(&self, file: &str, text: &str, byte: usize) -> Value {
        let before = &text[..byte];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let character = before[start..].encode_utf16().count();
        json!({ "textDocument": { "uri": self.uri(file) }, "position": { "line": line, "character": character } })
    }

    /// Takes leave; gives how the program has ended, if it is one.
    pub fn leave(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.take()?.wait().unwrap().code()
    }

    /// What the program holds in memory, in kibibytes.
    pub fn resident(&self) -> u64 {
        let number = self.child.as_ref().unwrap().id();
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Goes without a word.
    pub fn vanish(mut self) -> Option<i32> {
        self.say = None;
        self.child.take()?.wait().unwrap().code()
    }
}
