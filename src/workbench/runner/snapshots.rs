//! Snapshots as files: `snapshots/NAME.snap` beside the scenario, in the form of the crate insta, so
//! that `cargo insta review` takes them too. One that waits for a verdict is called `NAME.snap.new`.
//!
//! The identity of the rules stands in the head of a file, which no comparison looks at: rules that
//! are only written otherwise change no snapshot.

use omerta_core::source::Span;
use omerta_play::scenario::{Snapshot, Test};
use omerta_syntax::play_tree::{Line, LineKind};
use std::{collections::BTreeSet, path::Path};

/// The folder beside a scenario in which its snapshots lie.
pub const FOLDER: &str = "snapshots";

/// How long a part of a file's name may be.
const LONGEST: usize = 60;

/// A snapshot with its head, as a file holds it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// The name of the file of scenarios, without its folder.
    pub source: String,
    /// The name of the scenario, and of the snapshot if it has one.
    pub title: String,
    /// The base.
    pub ruleset: String,
    /// The digest of the rules it was taken under, in hexadecimal digits.
    pub identity: String,
    /// The game.
    pub body: String,
}

impl Kept {
    /// What a scenario stored.
    pub fn of(file: &str, scenario: &str, snapshot: &Snapshot) -> Kept {
        let title = match &snapshot.name {
            Some(name) => format!("{scenario}: {name}"),
            None => scenario.to_owned(),
        };
        Kept {
            source: file_name(file),
            title,
            ruleset: snapshot.rules.name.clone(),
            identity: snapshot.rules.identity_text(),
            body: snapshot.text.clone(),
        }
    }

    /// The text of its file.
    pub fn to_text(&self) -> String {
        let Kept {
            source,
            title,
            ruleset,
            identity,
            body,
        } = self;
        let quote = |text: &str| serde_json::to_string(text).expect("a text always has a JSON form");
        format!(
            "---\nsource: {}\nexpression: {}\ninfo:\n  ruleset: {}\n  identity: {}\n---\n{}\n",
            quote(source),
            quote(title),
            quote(ruleset),
            quote(identity),
            body.trim_end()
        )
    }

    /// Reads the text of a file; what is no head is body.
    pub fn read(text: &str) -> Kept {
        let text = text.replace("\r\n", "\n");
        let parts = text
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"));
        let (head, body) = parts.unwrap_or(("", &text));
        let field = |name: &str| {
            let line = head
                .lines()
                .find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'));
            let value = line.unwrap_or_default().trim();
            let plain = || value.trim_matches(['"', '\'']).to_owned();
            serde_json::from_str(value).unwrap_or_else(|_| plain())
        };
        Kept {
            source: field("source"),
            title: field("expression"),
            ruleset: field("ruleset"),
            identity: field("identity"),
            body: body.to_owned(),
        }
    }
}

/// A snapshot beside the one that was kept.
#[derive(Clone, Debug)]
pub struct Held {
    /// The number of its scenario among the reports.
    pub report: usize,
    /// The name of its file.
    pub file: String,
    /// The line that asks for it.
    pub span: Span,
    /// What it is now.
    pub new: Kept,
    /// What it was, if it was kept.
    pub old: Option<Kept>,
}

impl Held {
    /// Whether the game is the one that was kept.
    pub fn is_same(&self) -> bool {
        self.old
            .as_ref()
            .is_some_and(|old| old.body.trim_end() == self.new.body.trim_end())
    }

    /// The first line that is another than it was, and what it was; of those that say something, if one of them is.
    pub fn first_change(&self) -> Option<(&str, &str)> {
        let old = self.old.as_ref()?;
        let said = first_difference(&self.new.body, &old.body, |line| !is_digest(line));
        said.or_else(|| first_difference(&self.new.body, &old.body, |_| true))
    }

    /// Why it does not hold, in a few words.
    pub fn why(&self) -> &'static str {
        match &self.old {
            None => "was never accepted",
            Some(old) if old.identity == self.new.identity => {
                "differs from the one kept, though the rules are the same"
            }
            Some(_) => "differs from the one kept; the rules have changed since",
        }
    }
}

/// The first line of one text that is not the same in another, among those that count, with the other's.
fn first_difference<'t>(
    one: &'t str,
    other: &'t str,
    counts: impl Fn(&str) -> bool,
) -> Option<(&'t str, &'t str)> {
    let counted = |text: &'t str| text.trim_end().lines().filter(|line| counts(line));
    let (mut one, mut other) = (counted(one), counted(other));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => return Some((one.unwrap_or_default(), other.unwrap_or_default())),
        }
    }
}

/// Whether a line of a snapshot stands for how the game stood, as `(1fb6524a)`.
fn is_digest(line: &str) -> bool {
    let digest = line.strip_prefix('(').and_then(|line| line.strip_suffix(')'));
    digest.is_some_and(|digest| digest.len() == 8 && digest.chars().all(|sign| sign.is_ascii_hexdigit()))
}

/// The name of a file without its folder.
pub fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The files of each test's snapshots. They hang on the names alone, and every one is another, also
/// where letters differ only in their case.
pub fn files_of(path: &str, tests: &[Test]) -> Vec<Vec<String>> {
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    let mut used = BTreeSet::new();
    let mut free = |name: String| {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let new = names.find(|name| used.insert(name.clone()));
        new.expect("there is always another number")
    };
    tests
        .iter()
        .map(|test| {
            let scenario = format!("{}__{}", short(&stem), short(&test.name));
            let name = |snapshot: Option<String>| match snapshot {
                Some(snapshot) => format!("{scenario}__{}", short(&snapshot)),
                None => scenario.clone(),
            };
            let names = snapshots_of(&test.lines).into_iter().map(name);
            names.map(|name| format!("{}.snap", free(name))).collect()
        })
        .collect()
}

/// The names of the snapshots a test stores, in order.
fn snapshots_of(lines: &[Line]) -> Vec<Option<String>> {
    lines
        .iter()
        .flat_map(|line| match &line.kind {
            LineKind::Snapshot(name) => vec![name.as_ref().map(|name| name.text.clone())],
            LineKind::Section(section) => snapshots_of(&section.lines),
            _ => Vec::new(),
        })
        .collect()
}

/// `The Healer's night` as `the-healer-s-night`.
fn short(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.to_lowercase().chars() {
        match letter.is_alphanumeric() {
            true => slug.push(letter),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
        if slug.chars().count() >= LONGEST {
            break;
        }
    }
    slug.trim_end_matches('-').to_owned()
}
