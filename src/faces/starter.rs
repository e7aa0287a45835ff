//! What somebody begins with: rules, scenarios, a snapshot and a README, made from the templates that
//! travel inside the binary. Everything is tried in memory before anything is written.

use include_dir::{Dir, include_dir};
use omerta_core::{
    source::{Loaded, Loader},
    written::is_unseen,
};
use omerta_play::words::with_a_capital;
use omerta_workbench::{
    bundle::{Shelf, bundled, whole},
    catalogue::{self, Sort},
    runner::{Plan, Ran, Text, run_suite, snapshots},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rulesets/templates");

/// How many letters of a folder's name become the name of the rules.
const LONGEST: usize = 40;
/// The name where nothing of the folder's can be used.
const PLAIN: &str = "my-rules";
const PLAIN_TITLE: &str = "My rules";

/// What can be begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Template {
    /// A small change to a bundled game
    HouseRule,
    /// A new card for a bundled game
    Role,
    /// A modification with an option, for two bundled games
    Overlay,
    /// A game of your own
    Game,
}

impl Template {
    fn folder(self) -> &'static str {
        match self {
            Template::HouseRule => "house-rule",
            Template::Role => "role",
            Template::Overlay => "overlay",
            Template::Game => "game",
        }
    }
}

/// Everything that is written into a new folder.
#[derive(Clone, Debug)]
pub struct Start {
    /// The files, by their paths in the folder.
    pub files: BTreeMap<PathBuf, String>,
}

/// A bundled ruleset or overlay, whole; nothing where none is called so.
pub fn copy(name: &str, folder: &str) -> Option<Start> {
    let entry = catalogue::bundled()
        .into_iter()
        .find(|entry| entry.name == name)?;
    let texts = whole(name).into_iter();
    let mut files: BTreeMap<PathBuf, String> = texts.map(|(path, text)| (path, text.to_owned())).collect();
    let is_own = |path: &&PathBuf| path.ends_with(format!("{name}.mafia"));
    let rules = files
        .keys()
        .find(is_own)?
        .display()
        .to_string()
        .replace('\\', "/");
    let play = match &entry.sort {
        Sort::Ruleset { .. } => rules.clone(),
        Sort::Overlay { bases } => format!("{} --with {rules}", bases.first()?),
        Sort::Library => return None,
    };
    let words = [
        ("@title@", title_of(folder)),
        ("@name@", entry.title),
        ("@rules@", rules),
        ("@play@", play),
    ];
    let readme = |text: String, (slot, word): &(&str, String)| text.replace(slot, word);
    files.insert(
        PathBuf::from("README.md"),
        words.iter().fold(template("copy/README.md"), readme),
    );
    Some(Start { files })
}

fn template(file: &str) -> String {
    let file = TEMPLATES.get_file(format!("{file}.in"));
    let text = file.and_then(|file| file.contents_utf8());
    text.expect("every template has its files").to_owned()
}

/// What a folder of that name begins with.
pub fn begin(template: Template, folder: &str) -> Start {
    let titled = |title: &str| names_for(folder).find_map(|name| try_name(template, &name, title));
    let tried = titled(&title_of(folder)).or_else(|| titled(PLAIN_TITLE));
    tried.expect("a template under its plain names holds what its scenarios say; the tests run all of them")
}

/// The names that the rules may get, the best first. One that the language or a bundled text has taken
/// is no good; the last of them is always free.
fn names_for(folder: &str) -> impl Iterator<Item = String> {
    let short = short_name(folder);
    let own = (!short.is_empty()).then(|| [short.clone(), format!("my-{short}"), format!("{short}-rules")]);
    let names = own.into_iter().flatten().chain([PLAIN.to_owned()]);
    names.filter(|name| bundled(name).is_none())
}

/// `Friday's House!` as `friday-s-house`; nothing where no letter is left.
fn short_name(folder: &str) -> String {
    let mut short = String::new();
    for letter in folder.chars().flat_map(char::to_lowercase).take(LONGEST) {
        match letter.is_alphanumeric() {
            true => short.push(letter),
            // Marks above a letter are left out and cut no word in two.
            false if ('\u{300}'..'\u{370}').contains(&letter) => {}
            false if !short.is_empty() && !short.ends_with('-') => short.push('-'),
            false => {}
        }
    }
    let short = short.trim_end_matches('-');
    match short.starts_with(char::is_numeric) {
        true => format!("house-{short}"),
        false => short.to_owned(),
    }
}

/// A title for people, which has to stand between quotes and in a heading.
fn title_of(folder: &str) -> String {
    let plain = |letter: char| match letter {
        '"' | '\\' | '{' | '}' | '|' | '<' | '>' | '`' => ' ',
        letter if is_unseen(letter) || letter == '\u{fffd}' => ' ',
        letter => letter,
    };
    let words: String = folder.chars().map(plain).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    match words.is_empty() {
        true => PLAIN_TITLE.to_owned(),
        false => with_a_capital(&words.join(" ")),
    }
}

/// The files under one name, if every scenario holds with it.
fn try_name(template: Template, name: &str, title: &str) -> Option<Start> {
    let fill = |file: &str| {
        let text = self::template(&format!("{}/{file}", template.folder()));
        text.replace("@name@", name).replace("@title@", title)
    };
    let rules = Loaded {
        name: format!("{name}.mafia"),
        text: fill("rules.mafia"),
    };
    let scenarios = format!("{name}.play");
    let text = Text {
        name: scenarios.clone(),
        text: fill("rules.play"),
        loader: Arc::new(Draft {
            name: name.to_owned(),
            rules: rules.clone(),
        }),
        folder: Some(PathBuf::new()),
        kept: BTreeMap::new(),
    };
    let ran = run_suite(std::slice::from_ref(&text), &Plan::default()).pop()?;
    if !ran.passed() {
        return None;
    }
    let mut files = BTreeMap::from([
        (PathBuf::from(rules.name), rules.text),
        (PathBuf::from(scenarios), text.text),
        (PathBuf::from("README.md"), fill("README.md")),
    ]);
    files.extend(kept(&ran));
    Some(Start { files })
}

/// The snapshots, as they are the first time.
fn kept(ran: &Ran) -> impl Iterator<Item = (PathBuf, String)> {
    let folder = Path::new(snapshots::FOLDER);
    ran.held
        .iter()
        .map(move |held| (folder.join(&held.file), held.new.to_text()))
}

/// The rules that are not written yet, before what is bundled.
struct Draft {
    name: String,
    rules: Loaded,
}

impl Loader for Draft {
    fn load(&self, path: &str) -> Option<Loaded> {
        match path == self.name {
            true => Some(self.rules.clone()),
            false => bundled(path),
        }
    }

    fn names(&self) -> Vec<String> {
        Shelf::default().names()
    }
}
