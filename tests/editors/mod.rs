//! What `grammar/` holds for editors says the same as the grammars of the program.
//!
//! The two pest files are the truth. They are run here once more, by themselves, and what they find is what
//! the tree-sitter grammars and the TextMate grammars must find.

mod extension;
mod textmate;
mod tree_sitter;
mod truth;

use omerta_core::{diagnostic::Diagnostic, source::Sources};
use omerta_syntax::{parse_file, parse_play};
use std::{collections::BTreeSet, path::Path, sync::LazyLock};

/// The two kinds of files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Language {
    Mafia,
    Play,
}

impl Language {
    const ALL: [Language; 2] = [Language::Mafia, Language::Play];

    /// What its files end with; its folders and scopes are named the same.
    fn ending(self) -> &'static str {
        match self {
            Language::Mafia => "mafia",
            Language::Play => "play",
        }
    }

    /// The grammar of the program.
    fn pest(self) -> String {
        read(&format!("grammar/{}.pest", self.ending()))
    }

    /// What the program says about the shape of a text.
    fn mistakes(self, text: &str) -> Vec<Diagnostic> {
        let mut sources = Sources::default();
        let id = sources.add("text", text);
        match self {
            Language::Mafia => parse_file(id, text).1,
            Language::Play => parse_play(id, text).1,
        }
    }
}

/// A file that this repository keeps.
struct Text {
    name: String,
    language: Language,
    text: String,
    /// What the program says about its shape.
    mistakes: Vec<Diagnostic>,
    /// What the grammar of the program finds in it, if its shape is right.
    found: Vec<truth::Found>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// Every ruleset, library, overlay and scenario of the repository, the broken ones too.
fn all_texts() -> &'static [Text] {
    static TEXTS: LazyLock<Vec<Text>> = LazyLock::new(|| {
        let mut found = Vec::new();
        for folder in ["rulesets", "tests", "benches"] {
            collect(&root().join(folder), &mut found);
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    });
    &TEXTS
}

fn collect(folder: &Path, out: &mut Vec<Text>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let language = Language::ALL.into_iter().find(|l| Some(l.ending()) == ending);
        if path.is_dir() {
            collect(&path, out);
        } else if let (Some(language), Ok(text)) = (language, std::fs::read_to_string(&path)) {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let mistakes = language.mistakes(&text);
            let found = if mistakes.is_empty() {
                truth::found(language, &text)
            } else {
                Vec::new()
            };
            out.push(Text {
                name,
                language,
                text,
                mistakes,
                found,
            });
        }
    }
}

/// Those in which the program finds nothing wrong with the shape.
fn well_formed() -> impl Iterator<Item = &'static Text> {
    all_texts().iter().filter(|text| text.mistakes.is_empty())
}

/// The words that a pest grammar has a rule for, `kw_lot = @{ "lot" ~ !name_tail }`.
fn keywords(pest: &str) -> BTreeSet<String> {
    let lines = pest.lines().filter(|line| line.starts_with("kw_"));
    let words = lines.flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned));
    words.collect()
}

/// `line:column` of a byte.
fn place(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    format!("{line}:{}", at - before.rfind('\n').map_or(0, |at| at + 1) + 1)
}

#[track_caller]
fn none(faults: &[String]) {
    let more = faults.len().saturating_sub(30);
    let shown = &faults[..faults.len().min(30)];
    assert!(faults.is_empty(), "\n{}\n(and {more} more)", shown.join("\n"));
}

/// That a grammar for editors asks for the words of the program's.
#[track_caller]
fn same_words(theirs: &BTreeSet<String>, ours: &BTreeSet<String>) {
    let missing: Vec<&String> = ours.difference(theirs).collect();
    let strange: Vec<&String> = theirs.difference(ours).collect();
    assert!(
        missing.is_empty() && strange.is_empty(),
        "missing: {missing:?}, no words of the program: {strange:?}"
    );
}

#[test]
fn keywords_are_read_out_of_a_pest_grammar() {
    let text = "kw_lot = @{ \"lot\" ~ !name_tail }\nlot = { kw_lot }\nkw_see = @{ (\"sees\" | \"see\") ~ !name_tail }";
    assert_eq!(keywords(text), ["lot", "see", "sees"].map(String::from).into());
    assert!(keywords(&Language::Mafia.pest()).len() > 100 && keywords(&Language::Play.pest()).len() > 50);
}
