//! Cuts a `.play` file at its scenarios, so that a mistake in one does not hide the next.
//!
//! Knows lines and first words, and no grammar.

use std::ops::Range;

/// How deep brackets may lie in each other; it guards the native stack as well.
pub(super) const DEPTH_LIMIT: usize = 64;

/// What a piece of a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkKind {
    /// What stands before the first `play` or `common`.
    Preamble,
    /// `common table { … }`
    Common,
    /// `play "title"` and what follows.
    Play,
}

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chunk {
    /// What it is.
    pub kind: ChunkKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// The pieces of a file in order.
pub(super) fn split(text: &str) -> Vec<Chunk> {
    let mut chunks = vec![Chunk {
        kind: ChunkKind::Preamble,
        range: 0..text.len(),
    }];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(kind) = head(line) {
            chunks.last_mut().expect("there is always a first").range.end = at;
            chunks.push(Chunk {
                kind,
                range: at..text.len(),
            });
        }
        at += line.len();
    }
    chunks
}

/// What a line begins, if it begins a piece.
fn head(line: &str) -> Option<ChunkKind> {
    let line = line.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    let after = |word| {
        line.strip_prefix(word)
            .filter(|rest: &&str| rest.starts_with(|c: char| c == '"' || c.is_whitespace()))
    };
    if after("play").is_some_and(|rest| rest.trim_start().starts_with('"')) {
        return Some(ChunkKind::Play);
    }
    after("common").map(|_| ChunkKind::Common)
}

/// Whether the brackets of a text have been opened and closed again.
pub(super) fn is_closed(text: &str) -> bool {
    let all = || text.lines().flat_map(brackets);
    let open = all().filter(|(_, opens)| *opens).count();
    open > 0 && open == all().filter(|(_, opens)| !*opens).count()
}

/// The brace that was left open, as far as the indentation shows it: behind it stands a line that is
/// indented no further than its own, or else the last that nothing closes.
pub(super) fn left_open(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut suspect = None;
    let mut line_at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        let is_line = !words.is_empty() && !words.starts_with(['}', '/']);
        if let Some((at, _)) = open.last().filter(|(_, outer)| is_line && indent <= *outer) {
            suspect = suspect.or(Some(*at));
        }
        for (at, opens) in brackets(line)
            .into_iter()
            .filter(|(at, _)| matches!(line.as_bytes()[*at], b'{' | b'}'))
        {
            match opens {
                true => open.push((line_at + at, indent)),
                false => drop(open.pop()),
            }
        }
        line_at += line.len();
    }
    let last = open.last().map(|(at, _)| *at);
    last.map(|last| suspect.unwrap_or(last))
}

/// Where brackets lie too deep, if they do.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut line_at = 0;
    for line in text.split_inclusive('\n') {
        for (at, bracket) in brackets(line) {
            depth = if bracket {
                depth + 1
            } else {
                depth.saturating_sub(1)
            };
            if depth > DEPTH_LIMIT {
                return Some(line_at + at);
            }
        }
        line_at += line.len();
    }
    None
}

/// The brackets of a line outside of its texts and comment: their places, and whether they open.
fn brackets(line: &str) -> Vec<(usize, bool)> {
    let mut found = Vec::new();
    let mut in_text = false;
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'"' if !escaped => in_text = !in_text,
            b'/' if !in_text && line[at..].starts_with("//") => break,
            b'(' | b'{' if !in_text => found.push((at, true)),
            b')' | b'}' if !in_text => found.push((at, false)),
            _ => {}
        }
        escaped = in_text && byte == b'\\' && !escaped;
    }
    found
}
