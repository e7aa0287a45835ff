//! What is open, what is to be done, and who answers which request.

use crate::{
    background::Runner,
    events::{Ran, Rated, Waiting},
    notices::{Notices, Telling},
    rating::Rater,
    shelves::Laid,
    wire::{Encoding, Lines, path_of, range_of, uri_of},
};
use gen_lsp_types::{
    Diagnostic, DiagnosticSeverity, LogMessageParams, MessageType, PublishDiagnosticsParams,
    ShowMessageParams, TextDocumentContentChangeEvent, Uri,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use omerta_core::source::Sources;
use omerta_workbench::{
    files,
    findings::Change,
    hints::Hint,
    moments::Thing,
    project::{FileCheck, FileKind, Project},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
};

/// How many files are looked at while somebody writes.
const MUCH: usize = 40;

/// What the program knows of its surroundings.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// A folder in which bundled texts and pages may be laid, for who wants to read them in an editor.
    pub folder: Option<PathBuf>,
    /// Hears of each request by its method, right before it is answered.
    pub listens: Option<fn(&str)>,
}

/// A scenario that is stepped: at a line of it is told how its game stands.
pub struct Stepped {
    /// Its file.
    pub path: PathBuf,
    /// The byte at which it begins.
    pub start: usize,
    /// The byte up to which its lines were played.
    pub done: usize,
    /// What is told there.
    pub told: Diagnostic,
}

/// Whoever works beside the server.
pub struct Beside {
    /// Runs scenarios.
    pub runner: Runner,
    /// Plays games by chance.
    pub rater: Rater,
}

/// What is known of who wins by some rules.
pub enum Rate {
    /// Games are being played.
    Going,
    /// In words.
    Known(String),
}

/// A text that is open in an editor.
pub struct Document {
    /// As the client names it.
    pub uri: Uri,
    /// Which version of it is known.
    pub version: i32,
}

/// What a client said that it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Abilities {
    /// Other places beside a mistake.
    pub related: bool,
    /// Places to fill in what is put in.
    pub snippets: bool,
    /// Edits of several documents, each with its version.
    pub document_changes: bool,
    /// Edits may make files.
    pub makes_files: bool,
    /// Hints and the like can be asked for anew.
    pub refresh_hints: bool,
    /// Lenses can.
    pub refresh_lenses: bool,
    /// Texts can be watched that are not open.
    pub watches: bool,
}

/// The server.
pub struct Server {
    say: Box<dyn Fn(Message)>,
    /// The files.
    pub project: Project,
    /// What is open, by path.
    pub documents: BTreeMap<PathBuf, Document>,
    /// How columns are counted.
    pub encoding: Encoding,
    /// What the client can.
    pub abilities: Abilities,
    /// What is wrong.
    pub notices: Notices,
    /// Bundled texts that were laid where editors find them.
    pub laid: Laid,
    /// How many scenarios of each file hold, of how many.
    pub counts: BTreeMap<PathBuf, (usize, usize)>,
    /// The files whose scenarios cannot be run as they are now, for mistakes.
    pub stuck: BTreeSet<PathBuf>,
    /// What is told between the words of each file.
    pub hints: BTreeMap<PathBuf, Vec<Hint>>,
    /// Snapshots that wait for a verdict.
    pub snapshots: BTreeMap<PathBuf, Vec<Waiting>>,
    /// What of the rules the scenarios of each file came to.
    pub came: BTreeMap<PathBuf, BTreeMap<Thing, Vec<Arc<str>>>>,
    /// Who wins by the rules of each file.
    pub rates: BTreeMap<PathBuf, Rate>,
    /// The scenario that is stepped.
    pub stepped: Option<Stepped>,
    told: BTreeMap<PathBuf, Vec<Diagnostic>>,
    todo: VecDeque<PathBuf>,
    /// Whether the first of them is the text that is being written.
    written: bool,
    to_run: BTreeSet<PathBuf>,
    asked: BTreeMap<PathBuf, u64>,
    /// How many files with scenarios are being run.
    running: usize,
    /// Who waits until nothing is left to do.
    awaiting: Vec<RequestId>,
    beside: Beside,
    requests: i32,
    /// What came of the last check of each file that was told of.
    noted: BTreeMap<PathBuf, Arc<FileCheck>>,
    /// Hears of each request.
    pub listens: Option<fn(&str)>,
    /// Whether it was told to stop.
    pub ending: bool,
}

impl Server {
    /// Begins with what the client says of itself.
    pub fn begin(
        say: Box<dyn Fn(Message)>,
        surroundings: Surroundings,
        params: Value,
        beside: Beside,
    ) -> Server {
        let encoding = Encoding::of(params.pointer("/capabilities/general/positionEncodings"));
        let laid = Laid::new(surroundings.folder);
        let project = Project::new(roots(&params), laid.rulesets());
        Server {
            say,
            project,
            documents: BTreeMap::new(),
            encoding,
            abilities: Abilities::of(&params),
            notices: Notices::default(),
            laid,
            counts: BTreeMap::new(),
            stuck: BTreeSet::new(),
            hints: BTreeMap::new(),
            snapshots: BTreeMap::new(),
            came: BTreeMap::new(),
            rates: BTreeMap::new(),
            stepped: None,
            told: BTreeMap::new(),
            todo: VecDeque::new(),
            written: false,
            to_run: BTreeSet::new(),
            asked: BTreeMap::new(),
            running: 0,
            awaiting: Vec::new(),
            beside,
            requests: 0,
            noted: BTreeMap::new(),
            listens: surroundings.listens,
            ending: false,
        }
    }

    /// The client is ready: the folders are looked through when nothing else is to be done.
    pub fn opened(&mut self, watched: &Value) {
        if self.abilities.watches {
            self.ask("client/registerCapability", watched);
        }
        self.stale();
    }

    // ---- Talking

    /// Tells the client something.
    pub fn notify(&self, method: &str, params: &impl Serialize) {
        (self.say)(Message::Notification(Notification {
            method: method.to_owned(),
            params: serde_json::to_value(params).unwrap_or_default(),
        }));
    }

    /// Asks the client for something; its answer is not waited for.
    pub fn ask(&mut self, method: &str, params: &impl Serialize) {
        self.requests += 1;
        (self.say)(Message::Request(Request {
            id: RequestId::from(self.requests),
            method: method.to_owned(),
            params: serde_json::to_value(params).unwrap_or_default(),
        }));
    }

    /// Answers a request.
    pub fn answer(&self, id: RequestId, result: Result<Value, Refusal>) {
        let response = match result {
            Ok(value) => Response::new_ok(id, value),
            Err(refusal) => Response::new_err(id, refusal.code as i32, refusal.words),
        };
        (self.say)(Message::Response(response));
    }

    /// Tells the client of a mistake of ours.
    pub fn log(&self, words: &str) {
        let params = LogMessageParams {
            kind: MessageType::Error,
            message: words.to_owned(),
        };
        self.notify("window/logMessage", &params);
    }

    /// Tells whoever sits there something.
    pub fn show(&self, message: String) {
        let kind = MessageType::Info;
        self.notify("window/showMessage", &ShowMessageParams { kind, message });
    }

    // ---- Notifications

    /// Takes what the client tells.
    pub fn told(&mut self, told: Notification) {
        let Notification { method, params } = told;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Some(params) = read::<gen_lsp_types::DidOpenTextDocumentParams>(params) {
                    let document = params.text_document;
                    let language = document.language_id.to_string();
                    self.open((document.uri, &language), document.version, document.text);
                }
            }
            "textDocument/didChange" => {
                if let Some(params) = read::<gen_lsp_types::DidChangeTextDocumentParams>(params) {
                    let document = params.text_document;
                    let uri = document.text_document_identifier.uri;
                    self.change(&uri, document.version, params.content_changes);
                }
            }
            "textDocument/didClose" => {
                if let Some(params) = read::<gen_lsp_types::DidCloseTextDocumentParams>(params) {
                    self.close(&params.text_document.uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(params) = read::<gen_lsp_types::DidChangeWatchedFilesParams>(params) {
                    let paths = params.changes.iter().map(|change| path_of(&change.uri));
                    self.files_changed(paths.collect());
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Some(params) = read::<gen_lsp_types::DidChangeWorkspaceFoldersParams>(params) {
                    let gone: Vec<PathBuf> = { params.event.removed.iter() }
                        .map(|folder| path_of(&folder.uri))
                        .collect();
                    let new = params.event.added.iter().map(|folder| path_of(&folder.uri));
                    let kept = self.project.roots().iter().filter(|root| !gone.contains(root));
                    self.project.set_roots(kept.cloned().chain(new).collect());
                    self.files_changed(Vec::new());
                }
            }
            "$/cancelRequest" => self.taken_back(&params),
            _ => {}
        }
    }

    // ---- Documents

    fn open(&mut self, (uri, language): (Uri, &str), version: i32, text: String) {
        let mut path = path_of(&uri);
        // What was never saved may have no ending: `untitled:Untitled-1`.
        if FileKind::of(&path).is_none() && matches!(language, "mafia" | "play") {
            path.as_mut_os_string().push(format!(".{language}"));
        }
        self.documents.insert(path.clone(), Document { uri, version });
        self.set(&path, text);
    }

    fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let path = self.path(uri);
        let Some(document) = self.documents.get_mut(&path) else {
            return;
        };
        document.version = version;
        let mut text = self.project.text(&path).unwrap_or_default();
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    text = whole.text;
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let bytes = Lines::of(&text, self.encoding).bytes(part.range);
                    text.replace_range(bytes, &part.text);
                }
            }
        }
        self.set(&path, text);
    }

    fn set(&mut self, path: &Path, text: String) {
        let mut sources = Sources::default();
        let id = sources.add(path.display().to_string(), text.clone());
        let mut change = Change::to(sources.shared(id));
        self.notices.moved(&mut change);
        if let Some(hints) = self.hints.get_mut(path) {
            *hints = hints.iter().filter_map(|hint| hint.moved(&mut change)).collect();
        }
        self.project.set(path, text);
        if let Some(waiting) = self.snapshots.get_mut(path) {
            let moved = |one: Waiting| {
                Some(Waiting {
                    at: one.at.moved(&mut change)?,
                    ..one
                })
            };
            *waiting = std::mem::take(waiting).into_iter().filter_map(moved).collect();
        }
        self.rates.clear();
        self.beside.rater.stop();
        self.beside.runner.forget(path);
        // Where somebody writes, nobody steps.
        self.stepped = None;
        self.stale();
        // What is being written comes before all the rest.
        self.todo.retain(|other| other != path);
        self.todo.push_front(path.to_path_buf());
        self.written = true;
    }

    fn close(&mut self, uri: &Uri) {
        let path = self.path(uri);
        self.project.close(&path);
        // What was told under the name of the document is taken back under it.
        if !files::is_there(&path) {
            self.notices.forget(&path);
            self.publish();
        }
        self.documents.remove(&path);
        self.files_changed(vec![path]);
    }

    /// Files were written, made or removed.
    fn files_changed(&mut self, paths: Vec<PathBuf>) {
        for path in paths {
            if !self.documents.contains_key(&path) {
                self.project.changed(&path, true);
                if !files::is_there(&path) {
                    self.notices.forget(&path);
                }
            }
        }
        self.stale();
        self.publish();
    }

    /// What was checked with a text that has changed is checked anew, that which is open first, and rules before
    /// scenarios.
    fn stale(&mut self) {
        let mut unknown: Vec<PathBuf> = { self.project.files() }
            .into_iter()
            .filter(|path| self.project.known(path).is_none())
            .collect();
        let is_play = |path: &PathBuf| FileKind::of(path) == Some(FileKind::Play);
        unknown.sort_by_key(|path| (!self.documents.contains_key(path), is_play(path)));
        self.todo.retain(|path| !unknown.contains(path));
        self.todo.extend(unknown);
    }

    // ---- What is done between the requests

    /// Answers a request when nothing is left to do; nothing waits for the keys to rest until then.
    pub fn await_rest(&mut self, id: RequestId) {
        self.awaiting.push(id);
    }

    /// Whether somebody waits until nothing is left to do.
    pub fn is_awaited(&self) -> bool {
        !self.awaiting.is_empty()
    }

    /// Nothing is left that is done here: unless something is still done beside, whoever waits for it is told.
    pub fn rest(&mut self) {
        let rates = |rate: &Rate| matches!(rate, Rate::Going);
        if self.running == 0 && !self.rates.values().any(rates) {
            for id in std::mem::take(&mut self.awaiting) {
                self.answer(id, Ok(Value::Null));
            }
        }
    }

    /// Nobody is told any more when nothing is left to do.
    pub fn refuse_waiting(&mut self) {
        for id in std::mem::take(&mut self.awaiting) {
            self.answer(
                id,
                Err(Refusal::because(ErrorCode::RequestCanceled, "the server stops")),
            );
        }
    }

    /// A request that is still waiting was taken back.
    fn taken_back(&mut self, params: &Value) {
        let is_it = |id: &RequestId| params.get("id") == serde_json::to_value(id).ok().as_ref();
        if let Some(at) = self.awaiting.iter().position(is_it) {
            let id = self.awaiting.remove(at);
            self.answer(
                id,
                Err(Refusal::because(ErrorCode::RequestCanceled, "taken back")),
            );
        }
    }

    /// Whether a file is to be checked.
    pub fn has_work(&self) -> bool {
        !self.todo.is_empty()
    }

    /// Whether that which is being written is to be checked: all else can wait until the keys rest.
    pub fn is_written(&self) -> bool {
        self.written
    }

    /// Whether more hangs on what was written than is looked at between one letter and the next.
    pub fn has_much_work(&self) -> bool {
        self.todo.len() > MUCH
    }

    /// Checks one file, or the rules of one of its scenarios.
    pub fn work(&mut self) {
        let prepares = |path: &PathBuf| self.project.prepare(path);
        let prepared = catch_unwind(AssertUnwindSafe(|| self.todo.front().is_some_and(prepares)));
        if prepared.is_ok_and(|prepared| prepared) {
            return;
        }
        self.written = false;
        let Some(path) = self.todo.pop_front() else { return };
        let done = catch_unwind(AssertUnwindSafe(|| self.check(&path)));
        if done.is_err() {
            self.went_wrong(&format!("`{}` could not be checked", path.display()));
        }
    }

    /// After a mistake of ours nothing is believed that was found out before: it may be half done.
    pub fn went_wrong(&mut self, what: &str) {
        self.log(&format!("a mistake in omerta: {what}"));
        self.project.begin_anew();
    }

    fn check(&mut self, path: &Path) {
        if FileKind::of(path).is_none() || self.project.bundled_name(path).is_some() {
            return;
        }
        if self.project.text(path).is_none() {
            self.notices.forget(path);
            self.noted.remove(path);
            return self.publish();
        }
        let check = self.project.check(path);
        // A request may have wanted to know before; it tells nobody else.
        let is_noted = |noted: &Arc<FileCheck>| Arc::ptr_eq(noted, &check);
        if self.noted.get(path).is_some_and(is_noted) {
            return;
        }
        self.noted.insert(path.to_path_buf(), check.clone());
        self.notices.checked(path, &check);
        if FileKind::of(path) == Some(FileKind::Play) {
            self.to_run.insert(path.to_path_buf());
        }
        self.publish();
    }

    /// Whether scenarios are to be run.
    pub fn has_runs(&self) -> bool {
        !self.to_run.is_empty()
    }

    /// Has the scenarios run of what was checked anew, where somebody would see what comes of it.
    pub fn start_runs(&mut self) {
        for path in std::mem::take(&mut self.to_run) {
            let check = self.project.known(&path);
            if check.as_ref().is_some_and(|check| check.is_wrong()) {
                // What was found before the mistakes stays, and is said to be of then.
                self.stuck.insert(path);
                self.refresh_lenses();
                continue;
            }
            if check.is_none() || !self.is_shown(&path) {
                continue;
            }
            let Some(text) = self.project.text(&path) else {
                continue;
            };
            let shelf = self.project.shelf_of(&path);
            let readings = self.project.readings().clone();
            let number = self.beside.runner.ask(path.clone(), text, (shelf, readings));
            self.running += 1;
            self.asked.insert(path, number);
        }
    }

    /// Has the scenarios of a file run again; of rules, those that are played by them.
    pub fn run_again(&mut self, path: &Path) {
        let mut all = self.dependants(path);
        all.push(path.to_path_buf());
        all.retain(|path| FileKind::of(path) == Some(FileKind::Play));
        self.to_run.extend(all);
        self.start_runs();
    }

    /// The files that were read with a file when they were looked at last: what stands above its lines must not come
    /// and go while somebody writes.
    pub fn dependants(&self, path: &Path) -> Vec<PathBuf> {
        let name = self.project.name_of(path);
        let others = self.noted.iter().filter(|(root, _)| *root != path);
        let reads = others.filter(|(_, check)| check.reads.contains_key(&name));
        reads.map(|(root, _)| root.clone()).collect()
    }

    /// Whether what is wrong with a file is told: it is open, or was read with something that is.
    fn is_shown(&self, path: &Path) -> bool {
        let open = |name: &String| self.documents.contains_key(Path::new(name));
        self.documents.contains_key(path)
            || self
                .project
                .known(path)
                .is_some_and(|check| check.reads.keys().any(open))
    }

    /// The path by which a document goes here.
    pub fn path(&self, uri: &Uri) -> PathBuf {
        let mut open = self.documents.iter();
        let open = open.find(|(_, document)| document.uri == *uri);
        open.map_or_else(|| path_of(uri), |(path, _)| path.clone())
    }

    /// The name by which a path goes in an editor.
    pub fn uri(&self, path: &Path) -> Uri {
        match self.documents.get(path) {
            Some(document) => document.uri.clone(),
            None => uri_of(path),
        }
    }

    /// The name of a text's file in an editor; a bundled one is laid where it can be read.
    pub fn uri_of_text(&self, name: &str) -> Option<Uri> {
        let path = self.project.path_of(name)?;
        self.laid.lay(&path);
        Some(self.uri(&path))
    }

    /// Tells findings the way this client wants them.
    pub fn tell<T>(&self, with: impl FnOnce(&Telling<'_>) -> T) -> T {
        with(&Telling {
            encoding: self.encoding,
            related: self.abilities.related,
            page: &|code| self.laid.page(code).map(|path| uri_of(&path)),
            uri: &|name| self.uri_of_text(name),
        })
    }

    /// Tells what is new.
    pub fn publish(&mut self) {
        let all = self.notices.by_text(|root| self.is_shown(root));
        let mut now: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        self.tell(|telling| {
            for (name, found) in all {
                let path = self.project.path_of(&name);
                let Some(path) = path.filter(|path| self.project.bundled_name(path).is_none()) else {
                    continue;
                };
                let found = found.into_iter().map(|finding| telling.diagnostic(finding));
                now.insert(path, found.collect());
            }
        });
        if let Some(stepped) = &self.stepped {
            now.entry(stepped.path.clone())
                .or_default()
                .push(stepped.told.clone());
        }
        for (path, waiting) in &self.snapshots {
            let told = waiting.iter().map(|one| waits(one, self.encoding));
            now.entry(path.clone()).or_default().extend(told);
        }
        let healed: Vec<PathBuf> = { self.told.keys() }
            .filter(|path| !now.contains_key(*path))
            .cloned()
            .collect();
        now.extend(healed.into_iter().map(|path| (path, Vec::new())));
        for (path, diagnostics) in now {
            if self
                .told
                .get(&path)
                .map_or(diagnostics.is_empty(), |told| *told == diagnostics)
            {
                continue;
            }
            let params = PublishDiagnosticsParams {
                uri: self.uri(&path),
                version: self.documents.get(&path).map(|document| document.version),
                diagnostics: diagnostics.clone(),
            };
            self.notify("textDocument/publishDiagnostics", &params);
            match diagnostics.is_empty() {
                true => drop(self.told.remove(&path)),
                false => drop(self.told.insert(path, diagnostics)),
            }
        }
    }

    /// Scenarios were run, or are of no interest any more.
    pub fn ran(&mut self, ran: Option<Ran>) {
        self.running -= 1;
        let Some(ran) = ran else { return };
        if self.asked.get(&ran.path) != Some(&ran.number) {
            return;
        }
        if ran.is_stuck {
            self.stuck.insert(ran.path);
            self.refresh_lenses();
        } else {
            self.stuck.remove(&ran.path);
            self.counts.insert(ran.path.clone(), ran.count);
            self.hints.insert(ran.path.clone(), ran.hints);
            self.snapshots.insert(ran.path.clone(), ran.snapshots);
            self.came.insert(ran.path.clone(), ran.came);
            self.notices.ran(&ran.path, ran.findings);
            self.publish();
            self.refresh();
        }
    }

    /// Has games played by the rules of a file; stops them where they are being played.
    pub fn rate(&mut self, path: &Path) -> Result<(), Refusal> {
        if let Some(Rate::Going) = self.rates.get(path) {
            self.beside.rater.stop();
            self.rates.clear();
        } else {
            let check = self.project.check(path);
            let (asked, bench) = check
                .benches
                .first()
                .ok_or_else(|| "mend the mistakes first".to_owned())?;
            let wanted = asked.wanted.clone();
            self.rates.clear();
            self.rates.insert(path.to_path_buf(), Rate::Going);
            self.beside.rater.ask(path.to_path_buf(), bench.clone(), wanted);
        }
        self.refresh();
        Ok(())
    }

    /// Games were played.
    pub fn rated(&mut self, rated: Rated) {
        if self.beside.rater.is_latest(rated.number) {
            self.rates.insert(rated.path, Rate::Known(rated.words));
            self.refresh();
        }
    }

    /// Has the client ask anew for what stands above the lines.
    pub fn refresh_lenses(&mut self) {
        if self.abilities.refresh_lenses {
            self.ask("workspace/codeLens/refresh", &Value::Null);
        }
    }

    /// Has the client ask anew for what stands between the lines, and above them.
    pub fn refresh(&mut self) {
        self.refresh_lenses();
        if self.abilities.refresh_hints {
            self.ask("workspace/inlayHint/refresh", &Value::Null);
        }
    }
}

/// What is told of a snapshot that waits for a verdict.
fn waits(waiting: &Waiting, encoding: Encoding) -> Diagnostic {
    Diagnostic {
        range: range_of(&waiting.at, encoding),
        severity: Some(DiagnosticSeverity::Warning),
        source: Some("omerta".to_owned()),
        message: gen_lsp_types::Message::String(waiting.words.clone()),
        ..Diagnostic::default()
    }
}

/// Why a request is refused.
#[derive(Debug)]
pub struct Refusal {
    /// Of which sort it is.
    pub code: ErrorCode,
    /// The reason, for people.
    pub words: String,
}

impl Refusal {
    /// A refusal of a sort.
    pub fn because(code: ErrorCode, words: impl Into<String>) -> Self {
        let words = words.into();
        Refusal { code, words }
    }
}

impl From<String> for Refusal {
    fn from(words: String) -> Self {
        Refusal::because(ErrorCode::RequestFailed, words)
    }
}

/// What a message brings, where it has the right shape.
pub fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

/// The folders that are open; clients that know none name one in the old way.
fn roots(params: &Value) -> Vec<PathBuf> {
    let path = |uri: &Value| read::<Uri>(uri.clone()).map(|uri| path_of(&uri));
    match params.get("workspaceFolders").and_then(Value::as_array) {
        Some(folders) => folders
            .iter()
            .filter_map(|folder| path(folder.get("uri")?))
            .collect(),
        None => params.get("rootUri").and_then(path).into_iter().collect(),
    }
}

impl Abilities {
    /// Read field by field: of a client's hundreds seven are asked for, and one that is no good spoils no other.
    fn of(params: &Value) -> Abilities {
        let told = |field: &str| params.pointer(&format!("/capabilities/{field}"));
        let can = |field| told(field).and_then(Value::as_bool) == Some(true);
        let made = told("workspace/workspaceEdit/resourceOperations").and_then(Value::as_array);
        Abilities {
            related: can("textDocument/publishDiagnostics/relatedInformation"),
            snippets: can("textDocument/completion/completionItem/snippetSupport"),
            document_changes: can("workspace/workspaceEdit/documentChanges"),
            makes_files: made.is_some_and(|made| made.iter().any(|kind| kind == "create")),
            refresh_hints: can("workspace/inlayHint/refreshSupport"),
            refresh_lenses: can("workspace/codeLens/refreshSupport"),
            watches: can("workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}
