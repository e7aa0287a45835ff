//! Texts: words, slots, wordings.

use super::expressions::Expr;
use omerta_core::source::Span;

/// A text in quotes, cut into words and slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Words and slots in order.
    pub pieces: Vec<TextPiece>,
    /// All of it, quotes included.
    pub span: Span,
}

impl Text {
    /// What it says, its slots left out.
    pub fn plain(&self) -> String {
        let words = self.pieces.iter().filter_map(|piece| match piece {
            TextPiece::Words(words) => Some(words.as_str()),
            TextPiece::Slot(_) | TextPiece::Several(_) | TextPiece::Choice { .. } => None,
        });
        words.collect()
    }
}

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextPiece {
    /// Words as they are said; escapes have been resolved.
    Words(String),
    /// `{target}`
    Slot(Expr),
    /// `{several c}`: the title for more than one of them
    Several(Expr),
    /// `{dying: nobody | one | many}`: a wording by how many there are.
    Choice {
        value: Expr,
        none: Vec<TextPiece>,
        one: Vec<TextPiece>,
        many: Vec<TextPiece>,
    },
}
