//! What the reference says of a word of the language: its heading's first paragraph, or its row in a table.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/reference");

/// The pages about rules, in the order in which a word is looked for.
const OF_RULES: [&str; 4] = [
    "language.md",
    "language-table.md",
    "language-play.md",
    "overlays.md",
];
/// Those about scenarios.
const OF_SCENARIOS: [&str; 2] = ["scenarios.md", "language.md"];

/// What is said of a word.
pub fn about(word: &str, in_scenarios: bool) -> Option<String> {
    let texts = || texts(in_scenarios);
    texts()
        .find_map(|text| section(text, word))
        .or_else(|| texts().find_map(|text| row(text, word)))
}

fn texts(in_scenarios: bool) -> impl Iterator<Item = &'static str> {
    let pages: &[&str] = if in_scenarios { &OF_SCENARIOS } else { &OF_RULES };
    pages
        .iter()
        .filter_map(|page| PAGES.get_file(page)?.contents_utf8())
}

/// The examples in tables that begin with a word and go on, each with what its row says.
pub fn examples(word: &str, in_scenarios: bool) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for cells in texts(in_scenarios).flat_map(rows) {
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

/// The first paragraph below a heading about the word.
fn section(text: &str, word: &str) -> Option<String> {
    let mut lines = text.lines();
    let is_about = |line: &str| {
        let heading = line.trim_start_matches('#');
        let named = heading.split(':').next().unwrap_or_default();
        line.starts_with('#')
            && named
                .split([',', '&'])
                .flat_map(|part| part.split(" and "))
                .any(|part| begins_with(part, word))
    };
    lines.find(|line| is_about(line))?;
    let paragraph: Vec<&str> = lines
        .skip_while(|line| line.trim().is_empty())
        .take_while(|line| !line.trim().is_empty())
        .collect();
    let told = !paragraph.first()?.starts_with(['#', '`', '|']);
    told.then(|| without_links(&paragraph.join(" ")))
}

/// The row of a table about the word.
fn row(text: &str, word: &str) -> Option<String> {
    let found = rows(text).find(|cells| cells.first().is_some_and(|first| begins_with(first, word)))?;
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
