//! What the reference says of a word of the language: its heading's first paragraph, or its row in a table.

use include_dir::{Dir, include_dir};
use omerta_syntax::{runs, words};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/reference");

/// The pages about rules, in the order in which a word is looked for that begins a line.
const OF_LINES: [&str; 4] = [
    "language-table.md",
    "language-play.md",
    "overlays.md",
    "language.md",
];
/// The same for one that stands within.
const OF_VALUES: [&str; 4] = [
    "language.md",
    "language-table.md",
    "language-play.md",
    "overlays.md",
];
/// Those about scenarios.
const OF_SCENARIOS: [&str; 2] = ["scenarios.md", "language.md"];

/// The one that shows how values are put together.
const VALUES: &str = "language.md";

/// Where a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Rules, where a declaration or a statement begins.
    First,
    /// Rules, within a line.
    Within,
    /// Scenarios.
    InScenarios,
}

/// What is said of a word: what stands below the heading that names it, or its row in a table; else what stands below
/// a heading with it among others, or the row in which it is shown.
pub fn about(word: &str, written: Written) -> Option<String> {
    let texts = || texts(written);
    texts()
        .find_map(|text| section(text, |heading| names(heading, word)))
        .or_else(|| texts().find_map(|text| row(text, &|cell| begins_with(cell, word))))
        .or_else(|| texts().find_map(|text| section(text, |heading| has(heading, word))))
        .or_else(|| row(page(VALUES)?, &|cell| shows(cell, word)))
}

fn texts(written: Written) -> impl Iterator<Item = &'static str> {
    let pages: &[&str] = match written {
        Written::First => &OF_LINES,
        Written::Within => &OF_VALUES,
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

/// Whether a heading names the word before its colon: `` ## `team`, `class`, `role` ``.
fn names(heading: &str, word: &str) -> bool {
    let named = heading.split(':').next().unwrap_or_default();
    named
        .split([',', '&'])
        .flat_map(|part| part.split(" and "))
        .any(|part| begins_with(part, word))
}

/// Whether a declaration or a statement begins with a word.
fn begins_a_line(word: &str) -> bool {
    words::find(word).is_some_and(|word| word.declaration.or(word.statement).is_some())
}

/// Whether a short heading has a word that begins a line among plain ones, be it one or several: `## Rules`.
fn has(heading: &str, word: &str) -> bool {
    let several = match word.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{word}s"),
    };
    let named = heading.split(':').next().unwrap_or_default().to_lowercase();
    let parts: Vec<&str> = named.split_whitespace().collect();
    begins_a_line(word) && parts.len() <= 5 && parts.iter().any(|part| *part == word || *part == several)
}

/// Whether a cell shows a word that stands within values in something that may be written.
fn shows(cell: &str, word: &str) -> bool {
    let mut pieces = cell.split('`').skip(1).step_by(2);
    !begins_a_line(word)
        && pieces.any(|piece| runs(piece).into_iter().any(|(range, _)| piece[range] == *word))
}

/// The first paragraph of plain words below a heading about the word.
fn section(text: &str, is_about: impl Fn(&str) -> bool) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| line.starts_with('#') && is_about(line.trim_start_matches('#')))?;
    let mut in_code = false;
    let mut paragraph: Vec<&str> = Vec::new();
    for line in lines {
        if !in_code && line.starts_with('#') {
            break;
        }
        in_code ^= line.starts_with("```");
        let is_shown = ["```", "|", "- ", "  "].iter().any(|sign| line.starts_with(sign));
        let is_plain = !in_code && !is_shown && !line.trim().is_empty();
        match is_plain {
            true => paragraph.push(line),
            false if paragraph.is_empty() => {}
            false => break,
        }
    }
    (!paragraph.is_empty()).then(|| without_links(&paragraph.join(" ")))
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
