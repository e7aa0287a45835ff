//! What nets are cast over: all rulesets of the folders and pages, with overlays and options, the rulesets of other
//! tests, some that nobody wrote, and some that strangers wrote.

use crate::properties::{
    generated::grown,
    tables::{Table, cast, lay, tables},
};
use omerta_core::{digest::Digest, rules::PlannedCast};
use omerta_play::session;
use omerta_workbench::{ReadyRules, Workbench, bundle::Shelf, files};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// How many games of each are played that somebody wrote.
const GAMES: u64 = 2;
/// How many that nobody wrote are tried.
const GROWN: u32 = 60;
/// Rulesets of other tests, beside those that are played anyway.
const FIXTURES: [&str; 8] = [
    "tests/bounds",
    "tests/deep",
    "tests/prompt",
    "tests/recording",
    "tests/rulebook",
    "tests/sim",
    "tests/tables",
    "tests/repl",
];

/// Rulesets of people who tried the language. They stand last, for of what stands before every so manieth is taken.
const STRANGERS: &str = "tests/nets/strangers";
/// Where each of those would take too long they are parted by lot, which falls by their letters, into so many lots.
const LOTS: u64 = 3;

/// Rules with the games that are played of them.
pub struct Subject {
    pub name: String,
    /// Whether somebody wrote them into a file.
    pub file: bool,
    pub bench: Workbench,
    pub laid: ReadyRules,
    pub table: Table,
    pub casts: Vec<(u8, PlannedCast)>,
}

impl Subject {
    /// The table of a game of these rules.
    pub fn session_table(&self, (seats, cast): &(u8, PlannedCast), seed: u64) -> session::Table {
        let people = [
            "Ann",
            "Bjørn",
            "Cid",
            "Désirée",
            "Eve",
            "Flo",
            "Gus",
            "Hal",
            "Ida",
            "Jon",
        ];
        let name = |seat: u8| {
            { people.get(usize::from(seat)) }.map_or(format!("P{}", seat + 1), |name| (*name).to_owned())
        };
        session::Table {
            rules: self.laid.bench.rules.clone(),
            hooks: self.laid.bench.hooks.clone(),
            names: (0..*seats).map(name).collect(),
            cast: cast.clone(),
            seed: Some(seed),
        }
    }
}

/// All of them, laid once.
pub fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        let mut all: Vec<Subject> = tables().iter().filter_map(of_table).collect();
        all.extend(in_folders(&FIXTURES));
        let grown = grown(GROWN).into_iter().enumerate();
        all.extend(grown.filter_map(|(number, (table, cast))| {
            let subject = subject(format!("grown {number}"), table)?;
            Some(Subject {
                casts: vec![cast],
                file: false,
                ..subject
            })
        }));
        all.extend(in_folders(&[STRANGERS]));
        // The same name may stand on several pages.
        let names: Vec<String> = all.iter().map(|subject| subject.name.clone()).collect();
        for subject in &mut all {
            if names.iter().filter(|name| **name == subject.name).count() > 1 {
                let identity = subject.laid.bench.rules.identity;
                subject.name += &format!(" {:04x}", identity & 0xffff);
            }
        }
        all
    })
}

fn of_table(table: &Table) -> Option<Subject> {
    let again = Table {
        name: table.name.clone(),
        rules: table.rules.clone(),
        hooks: table.hooks.clone(),
        names: table.names.clone(),
        wanted: table.wanted.clone(),
        loader: table.loader.clone(),
    };
    subject(table.name.trim().to_owned(), again)
}

/// The files of strangers with an ending, each with its text and the lot that fell to it.
pub fn strangers(ending: &str) -> Vec<(String, String, u64)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = files::below(&root.join(STRANGERS), ending);
    let lot = |path: &PathBuf| {
        let text = files::read(path).unwrap();
        let lot = Digest::of(&text) % LOTS;
        (path.strip_prefix(root).unwrap().display().to_string(), text, lot)
    };
    found.iter().map(lot).collect()
}

fn in_folders(folders: &[&str]) -> Vec<Subject> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = folders
        .iter()
        .flat_map(|folder| files::below(&root.join(folder), "mafia"));
    let found = files.filter_map(|path| {
        let path = &path;
        let shelf = Shelf::beside(path);
        let table = lay(&shelf, path.file_stem()?.to_str()?, &[], &[])?;
        let name = path.strip_prefix(root).ok()?.display().to_string();
        subject(
            name,
            Table {
                loader: Some(Arc::new(shelf)),
                ..table
            },
        )
    });
    found.collect()
}

fn subject(name: String, table: Table) -> Option<Subject> {
    let bench = Workbench::reading(table.loader.clone()?);
    let laid = bench.lay(&table.wanted).ok()?;
    let casts = (0..GAMES).filter_map(|seed| cast(&table, seed)).collect();
    Some(Subject {
        name,
        file: true,
        bench,
        laid,
        table,
        casts,
    })
}
