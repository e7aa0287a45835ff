//! A change as edits of the text, and the list in which changes are gathered.

use omerta_core::source::Span;
use omerta_syntax::tree::Int;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::{Range, RangeInclusive},
};

/// A condition that never holds where there is a game.
pub(super) const NEVER: &str = "no players";

/// One way in which a text may be changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// Where: the bytes it is about.
    pub at: (u32, u32),
    /// What was done, in a few words.
    pub what: String,
    /// The edits, from front to back.
    edits: Vec<((u32, u32), String)>,
}

impl Change {
    /// The changed text.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        let mut done = 0;
        for ((from, to), new) in &self.edits {
            out.push_str(&text[done..*from as usize]);
            out.push_str(new);
            done = *to as usize;
        }
        out.push_str(&text[done..]);
        out
    }

    /// Which lines it touches, counted from 1.
    pub fn line_numbers(&self, text: &str) -> RangeInclusive<usize> {
        let line = |offset: u32| text[..offset as usize].matches('\n').count() + 1;
        line(self.at.0)..=line(self.at.1)
    }

    /// The lines it touches, as they are and as changed, without the blanks around them.
    pub fn lines(&self, text: &str) -> (String, String) {
        let (first, last) = (
            self.edits[0].0.0 as usize,
            self.edits[self.edits.len() - 1].0.1 as usize,
        );
        let start = text[..first].rfind('\n').map_or(0, |end| end + 1);
        let end = text[last..].find('\n').map_or(text.len(), |end| last + end);
        let changed = self.apply(text);
        let grown = changed.len() + end - text.len();
        (in_short(&text[start..end]), in_short(&changed[start..grown]))
    }
}

/// The lines of a text with a mark for what was left out, when there are more than three.
fn in_short(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    match lines.len() {
        0..=3 => lines.join(" "),
        _ => format!("{} {} … {}", lines[0], lines[1], lines[lines.len() - 1]),
    }
}

/// The changes found so far.
pub(super) struct Changes<'t> {
    pub(super) text: &'t str,
    /// The marks that the file sets on the same words, `p` or `living others`.
    pub(super) marked: BTreeMap<String, BTreeSet<String>>,
    /// For each word that the file declares, another one of the same.
    pub(super) words: BTreeMap<String, String>,
    /// The scenes that the bodies of the file's offers play.
    pub(super) staged: BTreeSet<String>,
    found: Vec<Change>,
}

impl<'t> Changes<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Changes {
            text,
            marked: BTreeMap::new(),
            words: BTreeMap::new(),
            staged: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    /// All of them in the order of their places, no two with the same edits.
    pub(super) fn finish(mut self) -> Vec<Change> {
        self.found.sort_by_key(|change| change.at);
        let mut seen = BTreeSet::new();
        self.found.retain(|change| seen.insert(change.edits.clone()));
        self.found
    }

    /// Where a node stands, without the blanks that a span may end with.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (span.start as usize, span.end as usize);
        let slice = &self.text[start..end];
        let inner = slice.trim();
        let from = start + (slice.len() - slice.trim_start().len());
        from..from + inner.len()
    }

    /// The letters of a node.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        &self.text[self.range(span)]
    }

    /// Something else stands in its place.
    pub(super) fn replace(&mut self, span: Span, new: impl Into<String>, what: impl Into<String>) {
        self.edit(self.range(span), new, what);
    }

    /// Bytes become others.
    pub(super) fn edit(&mut self, at: Range<usize>, new: impl Into<String>, what: impl Into<String>) {
        let place = (at.start as u32, at.end as u32);
        let new = new.into();
        if self.text[at] != new {
            self.found.push(Change {
                at: place,
                what: what.into(),
                edits: vec![(place, new)],
            });
        }
    }

    /// Bytes become others at several places at once.
    pub(super) fn edit_all(&mut self, mut edits: Vec<(Range<usize>, String)>, what: impl Into<String>) {
        edits.sort_by_key(|(at, _)| at.start);
        let edits: Vec<_> = edits
            .into_iter()
            .map(|(at, new)| ((at.start as u32, at.end as u32), new))
            .collect();
        if let (Some(first), Some(last)) = (edits.first(), edits.last()) {
            self.found.push(Change {
                at: (first.0.0, last.0.1),
                what: what.into(),
                edits,
            });
        }
    }

    /// A word is taken out, with the blanks before it.
    pub(super) fn drop_range(&mut self, at: Range<usize>, what: impl Into<String>) {
        let before = self.text[..at.start].trim_end_matches([' ', '\t']).len();
        self.edit(before..at.end, "", what);
    }

    /// Words are put in before a place.
    pub(super) fn insert(&mut self, at: usize, new: impl Into<String>, what: impl Into<String>) {
        self.edit(at..at, new, what);
    }

    /// A number is one more, and one less.
    pub(super) fn number(&mut self, int: Int) {
        self.number_at(int.span, int.value);
    }

    pub(super) fn number_at(&mut self, span: Span, value: i64) {
        self.replace(span, (value + 1).to_string(), "one more");
        if value > 0 {
            self.replace(span, (value - 1).to_string(), "one less");
        }
    }

    /// Where a word of the language first stands between two places.
    pub(super) fn word(&self, word: &str, within: Range<usize>) -> Option<Range<usize>> {
        let slice = self.text.get(within.clone())?;
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
        slice.match_indices(word).find_map(|(at, _)| {
            let free =
                is_edge(slice[..at].chars().next_back()) && is_edge(slice[at + word.len()..].chars().next());
            free.then(|| within.start + at..within.start + at + word.len())
        })
    }

    /// Each name of a list is left out, where there are several.
    pub(super) fn drop_each(&mut self, spans: &[Span], what: &str) {
        if spans.len() < 2 {
            return;
        }
        for (index, span) in spans.iter().enumerate() {
            let range = self.range(*span);
            let cut = match spans.get(index + 1) {
                Some(next) => range.start..self.range(*next).start,
                None => self.range(spans[index - 1]).end..range.end,
            };
            self.edit(cut, "", format!("`{}` {what}", self.slice(*span)));
        }
    }
}
