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
    pub fn moved(&self, change: &mut Change) -> Option<At> {
        if self.source.name != change.to.name {
            return Some(self.clone());
        }
        let range = change.from(&self.source).moved(self.range.clone())?;
        Some(At {
            source: change.to.clone(),
            range,
        })
    }
}

/// A later version of a text, with what it has in common with those that places were found in.
pub struct Change {
    to: Arc<Source>,
    known: Vec<(Arc<Source>, Common)>,
}

impl Change {
    /// To a version of a text.
    pub fn to(to: Arc<Source>) -> Change {
        Change {
            to,
            known: Vec::new(),
        }
    }

    fn from(&mut self, source: &Arc<Source>) -> &Common {
        let is_it = |(known, _): &(Arc<Source>, _)| Arc::ptr_eq(known, source) || known.text == source.text;
        let at = self.known.iter().position(is_it).unwrap_or_else(|| {
            let common = Common::of(&source.text, &self.to.text);
            self.known.push((source.clone(), common));
            self.known.len() - 1
        });
        &self.known[at].1
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
        Finding::placed(diagnostic, &|span| At::of(sources, span))
    }

    /// A diagnostic whose places stand where somebody says.
    pub fn placed(diagnostic: &Diagnostic, at: &dyn Fn(Span) -> At) -> Finding {
        let related = { diagnostic.labels.iter().skip(1) }
            .map(|label| (at(label.span), label.text.clone()))
            .collect();
        Finding {
            at: at(diagnostic.span()),
            related,
            diagnostic: diagnostic.clone(),
        }
    }

    /// The same in a later version of a text; nothing where that was changed at its place.
    pub fn moved(&self, change: &mut Change) -> Option<Finding> {
        let at = self.at.moved(change)?;
        let related =
            { self.related.iter() }.filter_map(|(at, words)| Some((at.moved(change)?, words.clone())));
        Some(Finding {
            at,
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

/// What two versions of a text begin and end with alike.
struct Common {
    old: usize,
    new: usize,
    front: usize,
    back: usize,
    /// Whether the last word of the beginning has grown, and the first one of the end.
    grown: (bool, bool),
}

impl Common {
    fn of(old: &str, new: &str) -> Common {
        let alike = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
            a.zip(b).take_while(|(a, b)| a == b).count()
        };
        let front = alike(&mut old.bytes(), &mut new.bytes());
        let most = old.len().min(new.len()) - front;
        let back = alike(&mut old.bytes().rev(), &mut new.bytes().rev()).min(most);
        let is_of_word = |text: &str, at: Option<usize>| {
            let letter = at.and_then(|at| text.as_bytes().get(at));
            letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || *letter == b'-' || *letter > 127)
        };
        let behind = is_of_word(old, front.checked_sub(1)) && is_of_word(new, Some(front));
        let before = (new.len() - back).checked_sub(1);
        let before = is_of_word(old, Some(old.len() - back)) && is_of_word(new, before);
        Common {
            old: old.len(),
            new: new.len(),
            front,
            back,
            grown: (behind, before),
        }
    }

    /// Where some bytes of the old version are in the new one; nothing where they were changed.
    fn moved(&self, range: Range<usize>) -> Option<Range<usize>> {
        let (behind, before) = self.grown;
        if range.end < self.front || range.end == self.front && !behind {
            return Some(range);
        }
        let shift = |at: usize| (at + self.new).saturating_sub(self.old);
        let end = self.old - self.back;
        (range.start > end || range.start == end && !before).then(|| shift(range.start)..shift(range.end))
    }
}
