//! Texts by id, byte spans in them, and where a byte stands as line and column.
//!
//! This room never opens a file: whoever adds a text has read it already.

use std::{collections::BTreeMap, fmt, sync::Arc};

/// A text that was added to [`Sources`].
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub struct SourceId(pub u32);

/// A run of bytes in one source; `end` is exclusive.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Span {
    /// The text the bytes are in.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of one source.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span {
            source,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest span that holds both; both must be of one source.
    pub fn to(self, other: Span) -> Span {
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// What of it stands before another.
    #[must_use]
    pub fn before(self, other: Span) -> Span {
        Span {
            end: other.start,
            ..self
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

/// A line and a column, both counted from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// One text with its name and the starts of its lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Source {
    /// What messages call it: a path or `std/table.mafia`.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
    /// Behind each `\r` that no `\n` follows: in editors a line begins there as well.
    returns: Vec<u32>,
}

impl Source {
    fn new(name: String, text: String) -> Self {
        let behind = |(at, _): (usize, &str)| at as u32 + 1;
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(behind));
        let is_alone = |(at, _): &(usize, &str)| text.as_bytes().get(at + 1) != Some(&b'\n');
        let returns = text.match_indices('\r').filter(is_alone).map(behind).collect();
        Source {
            name,
            text,
            line_starts,
            returns,
        }
    }

    /// The line of a byte as editors count them, from 0, and the byte at which that line begins.
    pub fn line_in_editors(&self, offset: usize) -> (usize, usize) {
        let before = |starts: &[u32]| starts.partition_point(|start| *start as usize <= offset);
        let (lines, returns) = (before(&self.line_starts), before(&self.returns));
        let behind_return = returns.checked_sub(1).map_or(0, |last| self.returns[last]);
        let start = self.line_starts[lines - 1].max(behind_return);
        (lines - 1 + returns, start as usize)
    }

    /// Where a byte stands.
    pub fn place(&self, offset: usize) -> Place {
        let line = self.line_starts.partition_point(|&s| s as usize <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = offset.min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1;
        Place {
            line: line + 1,
            column,
        }
    }

    /// The bytes of a line, without its end; lines count from 1.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts[line - 1] as usize;
        let end = self
            .line_starts
            .get(line)
            .map_or(self.text.len(), |&s| s as usize - 1);
        start..end.max(start)
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// All the texts one run has seen, in the order they came first. A copy shares them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Arc<Source>>,
    known: BTreeMap<Arc<Source>, SourceId>,
    latest: BTreeMap<String, SourceId>,
}

impl Sources {
    /// Adds a text and gives it an id: the same name and text have the same one.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let source = Arc::new(Source::new(name.into(), text.into()));
        let next = u32::try_from(self.list.len()).expect("so many texts fit no memory");
        let id = *self.known.entry(source.clone()).or_insert(SourceId(next));
        if id.0 == next {
            self.list.push(source.clone());
        }
        self.latest.insert(source.name.clone(), id);
        id
    }

    /// How many texts there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// By name the text that was added last.
    pub fn latest(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.latest.values().map(|id| (*id, self.get(*id)))
    }

    /// The text behind an id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.list[id.0 as usize]
    }

    /// The text behind an id, for whoever keeps it.
    pub fn shared(&self, id: SourceId) -> Arc<Source> {
        self.list[id.0 as usize].clone()
    }

    /// The bytes a span covers; none of a text that is not there.
    pub fn slice(&self, span: Span) -> &str {
        let source = self.list.get(span.source.0 as usize);
        source
            .and_then(|source| source.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// The words that a span covers, with a blank between any two.
    pub fn words(&self, span: Span) -> String {
        let words: Vec<&str> = self.slice(span).split_whitespace().collect();
        words.join(" ")
    }

    /// All texts with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        (0..).map(SourceId).zip(self.list.iter().map(|source| &**source))
    }
}

/// How a room gets the text of another file without opening one.
pub trait Loader {
    /// The text of `path` as somebody wrote it after `use` or on the command line, with the name
    /// messages shall give it; `None` when there is no such text.
    fn load(&self, path: &str) -> Option<Loaded>;
    /// The text that `use PATH` means in the text that messages call `from`.
    fn load_used(&self, path: &str, from: &str) -> Option<Loaded> {
        let _ = from;
        self.load(path)
    }
    /// The texts that hold the overlay somebody asked for by its name or by the path of its file;
    /// more than one is one too many. `base` is what messages call the text of the ruleset.
    fn load_overlay(&self, wanted: &str, base: &str) -> Vec<Loaded> {
        let _ = base;
        self.load(wanted).into_iter().collect()
    }
    /// Names that could have been meant, for "did you mean".
    fn names(&self) -> Vec<String>;
    /// The texts beside the one that asks, by the names of their files: any of them could have been meant.
    fn beside(&self) -> Vec<Loaded> {
        Vec::new()
    }
}

/// A text a [`Loader`] found.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What messages call it.
    pub name: String,
    /// The whole text.
    pub text: String,
}
