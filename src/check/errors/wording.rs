//! What the sentences share: words for kinds, lists of names, proposals.

use crate::grounds::Grounds;
use crate::layer::Layer;
use omerta_core::diagnostic::{Diagnostic, close_name};
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
    }
}

pub fn shape_name(shape: FactShape) -> &'static str {
    match shape {
        FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => "a mark",
        FactShape::Flag => "a flag",
        FactShape::Count | FactShape::CountOfEach => "a count",
        FactShape::Link | FactShape::LinkOne | FactShape::LinkTitles => "a link",
    }
}

pub fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().take(12).map(|w| format!("`{w}`")).collect();
    let more = if words.len() > 12 { ", …" } else { "" };
    format!("{}{more}", quoted.join(", "))
}

pub fn suggest<'a>(
    diagnostic: Diagnostic,
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: String,
) -> Diagnostic {
    match close_name(given, known) {
        Some(name) => diagnostic.help(format!("did you mean `{name}`?")),
        None if otherwise.is_empty() => diagnostic,
        None => diagnostic.help(otherwise),
    }
}

/// What is changed, and by whom.
pub type On<'g> = (&'g Grounds, Layer);

/// Says which name was meant; where none is close, where to write what is for another base.
pub fn missing(
    error: Diagnostic,
    name: &Name,
    known: &[&str],
    (grounds, layer): On<'_>,
    help: String,
) -> Diagnostic {
    let help = grounds.elsewhere(layer, name.span).unwrap_or(help);
    suggest(error, &name.text, known.iter().copied(), help)
}
