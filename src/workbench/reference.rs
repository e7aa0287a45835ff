//! What the reference says of a word of the language: its row in a table.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/reference");

/// The pages about rules.
const OF_LINES: [&str; 4] = [
    "language-table.md",
    "language-play.md",
    "overlays.md",
    "language.md",
];
/// Those about scenarios.
const OF_SCENARIOS: [&str; 2] = ["scenarios.md", "language.md"];

/// The one with the words that stand for a value.
const VALUES: &str = "language.md";

/// Where a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Rules, where a declaration or a statement begins.
    First,
    /// Scenarios.
    InScenarios,
}

/// What is said of a word that stands for a value, or of a name that the language looks for: its row in a table.
pub fn about(word: &str) -> Option<String> {
    row(page(VALUES)?, &|cell| begins_with(cell, word))
}

fn texts(written: Written) -> impl Iterator<Item = &'static str> {
    let pages: &[&str] = match written {
        Written::First => &OF_LINES,
        Written::InScenarios => &OF_SCENARIOS,
    };
    pages.iter().filter_map(|name| page(name))
}

fn page(name: &str) -> Option<&'static str> {
    PAGES.get_file(name)?.contents_utf8()
}

/// The examples in tables that begin with a word and go on, each with what its row says.
pub fn examples(word: &str, written: Written) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for cells in texts(written).flat_map(rows) {
        let pieces = cells
            .first()
            .map_or("", String::as_str)
            .split('`')
            .skip(1)
            .step_by(2);
        for piece in pieces {
            let goes_on = piece.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
            if goes_on && !found.iter().any(|(known, _)| known == piece) {
                let told: Vec<&str> = { cells[1..].iter() }
                    .map(String::as_str)
                    .filter(|cell| !cell.is_empty())
                    .collect();
                found.push((piece.to_owned(), without_links(&told.join(" · "))));
            }
        }
    }
    found
}

/// The rows of the tables of a page, cell by cell.
fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim_matches('|').replace("\\|", "\u{1}");
        line.split('|')
            .map(|cell| cell.trim().replace('\u{1}', "|"))
            .collect()
    };
    text.lines().filter(|line| line.starts_with('|')).map(cells)
}

/// Whether a piece of a page speaks of the word first of all: `` `word` `` or `` `word …` ``.
fn begins_with(piece: &str, word: &str) -> bool {
    let rest = piece
        .trim_start()
        .strip_prefix('`')
        .and_then(|rest| rest.strip_prefix(word));
    rest.is_some_and(|rest| rest.starts_with(['`', ' ', ':', ',']))
}

/// The row of a table about the word. What warns of something is told where it does.
fn row(text: &str, is_about: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_warning = |cells: &[String]| cells.get(1).is_some_and(|cell| cell.starts_with("M0"));
    let found =
        rows(text).find(|cells| !is_warning(cells) && cells.first().is_some_and(|first| is_about(first)))?;
    let told: Vec<String> = found.into_iter().filter(|cell| !cell.is_empty()).collect();
    (told.len() > 1).then(|| without_links(&format!("{}: {}", told[0], told[1..].join(" · "))))
}

/// `[words](place)` as the words alone: the place is not where they are read.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let link = rest[open..].split_once("](").and_then(|(words, behind)| {
            let (_, behind) = behind.split_once(')')?;
            Some((&words[1..], behind))
        });
        match link {
            Some((words, behind)) => {
                out.push_str(&rest[..open]);
                out.push_str(words);
                rest = behind;
            }
            None => break,
        }
    }
    out + rest
}
