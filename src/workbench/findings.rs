//! What was found in texts, each thing at its place in one of them, and where that place is after somebody has
//! gone on writing.

use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    source::{Source, Sources, Span},
};
use std::{ops::Range, sync::Arc};

/// A place in a text; of versions of one text, whoever compares places has but one.
#[derive(Clone, Debug)]
pub struct At {
    /// The text.
    pub source: Arc<Source>,
    /// The bytes.
    pub range: Range<usize>,
}

impl PartialEq for At {
    fn eq(&self, other: &At) -> bool {
        self.range == other.range && self.source.name == other.source.name
    }
}

impl Eq for At {}

impl At {
    /// Where a span stands.
    pub fn of(sources: &Sources, span: Span) -> At {
        At {
            source: sources.shared(span.source),
            range: span.start as usize..span.end as usize,
        }
    }

    /// The letters that stand there.
    pub fn letters(&self) -> &str {
        self.source.text.get(self.range.clone()).unwrap_or("")
    }

    /// The same place in a later version of its text; nothing where that was changed.
    pub fn moved(&self, to: &Arc<Source>) -> Option<At> {
        if self.source.name != to.name {
            return Some(self.clone());
        }
        let range = moved(&self.source.text, &to.text, self.range.clone())?;
        Some(At {
            source: to.clone(),
            range,
        })
    }
}

/// One thing that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Where.
    pub at: At,
    /// Other places, with what is there.
    pub related: Vec<(At, String)>,
    /// What it is; its spans count in the texts as they were.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// A diagnostic with the texts that its places stand in.
    pub fn of(sources: &Sources, diagnostic: &Diagnostic) -> Finding {
        let related = { diagnostic.labels.iter().skip(1) }
            .map(|label| (At::of(sources, label.span), label.text.clone()))
            .collect();
        Finding {
            at: At::of(sources, diagnostic.span()),
            related,
            diagnostic: diagnostic.clone(),
        }
    }

    /// The same in a later version of a text; nothing where that was changed at its place.
    pub fn moved(&self, to: &Arc<Source>) -> Option<Finding> {
        let related = { self.related.iter() }.filter_map(|(at, words)| Some((at.moved(to)?, words.clone())));
        Some(Finding {
            at: self.at.moved(to)?,
            related: related.collect(),
            diagnostic: self.diagnostic.clone(),
        })
    }

    /// Whether it is about the shape of a text.
    pub fn is_about_shape(&self) -> bool {
        self.diagnostic.code.is_about_shape()
    }

    /// Whether it is more than a warning.
    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}

/// Where some bytes of a text are in another that came of it by one change; nothing where they were changed.
pub fn moved(old: &str, new: &str, range: Range<usize>) -> Option<Range<usize>> {
    let alike = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let front = alike(&mut old.bytes(), &mut new.bytes());
    let most = old.len().min(new.len()) - front;
    let back = alike(&mut old.bytes().rev(), &mut new.bytes().rev()).min(most);
    let moved = if range.end <= front {
        range
    } else if range.start >= old.len() - back {
        let shift = |at: usize| (at + new.len()).saturating_sub(old.len());
        shift(range.start)..shift(range.end)
    } else {
        return None;
    };
    new.get(moved.clone()).map(|_| moved)
}
