//! The terminal: how wide it is, and lines that fit it, broken between words, what goes on under what began; and
//! where the program keeps what belongs to whoever sits there.
#![expect(clippy::disallowed_methods, reason = "asks the system for a folder")]

use std::path::PathBuf;

/// No screen is treated as narrower than this.
const NARROWEST: usize = 20;
/// A gap further right than this is no column of a list.
const COLUMN: usize = 24;

/// A text whose lines are no longer than so many columns; colours count for nothing.
pub fn wrapped(text: &str, width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        match columns(line) > width {
            true => wrap_line(line, width, &mut out),
            false => out.push_str(line),
        }
        out.push_str(end);
    }
    out
}

fn wrap_line(line: &str, width: usize, out: &mut String) {
    let indent = hanging(line).min(width / 2);
    let mut at = 0;
    // A share stays with its sign.
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        match words.last_mut() {
            Some(before) if word.starts_with('%') && !before.is_empty() => {
                before.push(' ');
                before.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    for (index, word) in words.iter().enumerate() {
        let wide = columns(word);
        let gap = usize::from(index > 0);
        if at > indent && at + gap + wide > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            at = indent;
        } else {
            out.push_str(&" ".repeat(gap));
            at += gap;
        }
        out.push_str(word);
        at += wide;
    }
}

/// Where the lines that go on begin: under the second column of a list, else under the first word.
fn hanging(line: &str) -> usize {
    let plain = without_colours(line);
    let first = plain.chars().take_while(|c| *c == ' ').count();
    let rest: Vec<char> = plain.chars().skip(first).take(COLUMN).collect();
    let gap = rest.windows(2).position(|pair| pair == [' ', ' ']);
    let text = gap.and_then(|gap| Some(gap + rest[gap..].iter().position(|c| *c != ' ')?));
    let mark = matches!(rest[..], ['»' | '·', ' ', ..]);
    first + text.unwrap_or(if mark { 2 } else { 0 })
}

/// How many columns a text takes on a screen.
fn columns(text: &str) -> usize {
    without_colours(text).chars().count()
}

/// The letters without the codes that colour them.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
        } else {
            plain.push(c);
        }
    }
    plain
}

/// How many columns the terminal has; nothing where there is none.
pub fn width() -> Option<usize> {
    let mut editor = rustyline::DefaultEditor::new().ok()?;
    let (columns, _) = editor.dimensions()?;
    Some(usize::from(columns))
}

/// `omerta` in the folder for a user's data.
pub fn data_folder() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = || Some(set("HOME")?.join(".local").join("share"));
    let folder = set("XDG_DATA_HOME")
        .or_else(|| set("APPDATA"))
        .or_else(home)?
        .join("omerta");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
