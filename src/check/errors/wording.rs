//! What the sentences share: words for kinds, lists of names, proposals.

use crate::grounds::Grounds;
use crate::layer::Layer;
use omerta_core::rules::{FactShape, Kind};
use omerta_syntax::tree::Name;

/// What a host calls the values of a kind.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Players => "players",
        Kind::Cards => "cards",
        Kind::Titles => "roles",
        Kind::Number => "a number",
        Kind::Truth => "a yes or no",
        Kind::Word => "a word",
        Kind::Text => "a text",
    }
}

pub fn shape_name(shape: FactShape) -> &'static str {
    match shape {
        FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => "a mark",
        FactShape::Flag => "a flag",
        FactShape::Count | FactShape::CountOfEach => "a count",
        FactShape::Link { .. } => "a link",
    }
}

pub fn list(words: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .take(12)
        .map(|w| format!("`{}`", w.as_ref()))
        .collect();
    let more = if words.len() > 12 { ", …" } else { "" };
    format!("{}{more}", quoted.join(", "))
}

/// Among how many names the one is looked for that was perhaps meant: where there are hundreds of mistakes, among few.
pub fn guesses(mistakes: usize) -> usize {
    match mistakes {
        0..200 => usize::MAX,
        _ => 64,
    }
}

/// What is changed, and by whom.
pub type On<'g> = (&'g Grounds, Layer);

/// The repair; for a name that stands in another base, where to write what is for that one.
pub fn or_elsewhere(name: &Name, (grounds, layer): On<'_>, help: impl Into<String>) -> String {
    grounds.elsewhere(layer, name.span).unwrap_or_else(|| help.into())
}
