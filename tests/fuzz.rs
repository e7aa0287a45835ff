//! What `cargo fuzz` tries by what it reaches is tried here by what was ever found, by texts of the project, and by
//! slips of these that are the same in each run. `fuzz/src/lib.rs` says what must hold.
//!
//! `OMERTA_FUZZ=100000` tries so many slips of each; `docs/notes/safety.md` tells the rest.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use omerta_play::chance::Chance;
use omerta_workbench::files;
use std::{fs, panic, path::Path, sync::OnceLock};

/// So many slips are tried of each target where nobody says otherwise.
const TRIED: u64 = 60;

fn root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Texts of the project whose names end so.
fn texts(ending: &str) -> Vec<String> {
    let places = [
        "rulesets",
        "tests/lang",
        "tests/laws",
        "tests/errors",
        "tests/bounds",
        "tests/slips",
    ];
    let files = places.iter().flat_map(|place| files::below(&root(place), ending));
    files.filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// What inputs of a target are made of.
fn seeds(target: &str) -> Vec<String> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    match target {
        "rules" => texts("mafia"),
        "scenarios" => texts("play"),
        "layout" => [texts("mafia"), texts("play")].concat(),
        "saves" => vec![kept()],
        "prompt" => {
            let scenes = fs::read_to_string(root("tests/prompt/answers.txt")).unwrap();
            let typed = lines(&scenes)
                .into_iter()
                .filter_map(|line| Some(line.strip_prefix("> ")?.to_owned()));
            let commands = [
                "random",
                "log",
                "tally",
                "why",
                "who",
                "undo",
                "print living",
                "help",
                "table",
                "narrate",
            ];
            let all: Vec<String> = typed.chain(commands.map(str::to_owned)).collect();
            all.chunks(8).map(|chunk| chunk.join("\n")).collect()
        }
        "protocol" => vec![
            "=0\n=1\n=2\n=0\n=0\n=3\n=1\n=0\n=0".to_owned(),
            "{\"id\":1,\"answer\":\"pass\"}\n{\"id\":2,\"answer\":\"Bob\"}".to_owned(),
        ],
        "expressions" => {
            let table = fs::read_to_string(root("tests/tables/values.txt")).unwrap();
            let values = table
                .lines()
                .filter_map(|line| Some(line.split_once(" | ")?.0.trim().to_owned()));
            values.collect()
        }
        other => panic!("`{other}` has no seeds"),
    }
}

/// A game of which something is kept.
fn kept() -> String {
    let folder = tempfile::tempdir().unwrap();
    let lines = b"random 12\nsave a.game\n";
    crate::program::omerta_in(folder.path(), &["play", "--players", "6", "--seed", "3"], lines);
    let text = fs::read_to_string(folder.path().join("a.game")).unwrap();
    let mut save: serde_json::Value = serde_json::from_str(&text).unwrap();
    // With its seal every slip would be refused for that alone.
    assert!(save.as_object_mut().unwrap().remove("digest").is_some());
    serde_json::to_string_pretty(&save).unwrap()
}

/// The words that slips put in.
fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let list = fs::read_to_string(root("fuzz/words.dict")).unwrap();
        let quoted = |line: &str| {
            Some(
                line.strip_prefix('"')?
                    .strip_suffix('"')?
                    .replace("\\\"", "\"")
                    .replace("\\x0a", "\n"),
            )
        };
        list.lines().filter_map(quoted).collect()
    })
}

/// A text with a slip or several: a piece left out, said twice, put elsewhere, or a word put in.
fn slipped(text: &str, other: &str, chance: &mut Chance) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len() as u64 + 1) as usize;
        let end = bytes.len().min(at + 1 + chance.below(24) as usize);
        let piece = bytes[at..end].to_vec();
        let word = &words()[chance.below(words().len() as u64) as usize];
        match chance.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, piece.repeat(1 + chance.below(40) as usize))),
            2 => drop(bytes.splice(at..end, word.bytes())),
            3 => drop(bytes.splice(at..at, [b" ", word.as_bytes(), b" "].concat())),
            4 => drop(bytes.splice(at..end, [chance.below(256) as u8])),
            _ => {
                let from = chance.below(other.len() as u64 + 1) as usize;
                let to = other.len().min(from + chance.below(200) as usize);
                bytes.splice(at..at, other.as_bytes()[from..to].iter().copied());
            }
        }
    }
    bytes
}

/// Tries a target on what was found and on slips; the input that brings it down is shown.
#[track_caller]
fn holds(name: &str) {
    let (_, target) = targets::TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let tried = |data: &[u8], what: &str| {
        let done = panic::catch_unwind(|| target(data));
        assert!(
            done.is_ok(),
            "{name}, {what}: {:?}",
            String::from_utf8_lossy(data)
        );
    };
    for (found, data) in found(name) {
        tried(&data, &found);
    }
    let many = std::env::var("OMERTA_FUZZ")
        .ok()
        .and_then(|many| many.parse().ok());
    let (seeds, mut chance) = (seeds(name), Chance::of_seed(name.len() as u64));
    for _ in 0..many.unwrap_or(TRIED) {
        let mut seed = || &seeds[chance.below(seeds.len() as u64) as usize];
        let (text, other) = (seed(), seed());
        tried(&slipped(text, other, &mut chance), "a slip");
    }
}

/// What was ever found to bring a target down.
fn found(name: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(list) = fs::read_dir(root("fuzz/found").join(name)) else {
        return Vec::new();
    };
    let mut files: Vec<_> = list.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: std::path::PathBuf| (path.display().to_string(), fs::read(&path).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn rules_of_any_bytes_are_refused_or_played() {
    holds("rules");
}

#[test]
fn scenarios_of_any_bytes_are_refused_or_run() {
    holds("scenarios");
}

#[test]
fn kept_games_of_any_bytes_are_refused_or_played_again() {
    holds("saves");
}

#[test]
fn lines_of_any_bytes_leave_the_prompt_in_order() {
    holds("prompt");
}

#[test]
fn programs_may_say_anything() {
    holds("protocol");
}

#[test]
fn expressions_of_any_bytes_are_refused_or_have_a_value() {
    holds("expressions");
}

#[test]
fn texts_of_any_bytes_are_laid_out_once_for_all() {
    holds("layout");
}

#[test]
fn each_target_has_its_file_and_every_word_of_the_language_is_in_the_dictionary() {
    let manifest = fs::read_to_string(root("fuzz/Cargo.toml")).unwrap();
    for (name, _) in targets::TARGETS {
        assert!(root(&format!("fuzz/fuzz_targets/{name}.rs")).exists(), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
    let known: Vec<&str> = words().iter().map(|word| word.trim()).collect();
    let words = omerta_syntax::words::WORDS.iter().map(|word| word.name);
    let missing: Vec<&str> = words.filter(|word| !known.contains(word)).collect();
    assert!(missing.is_empty(), "not in fuzz/words.dict: {missing:?}");
}
