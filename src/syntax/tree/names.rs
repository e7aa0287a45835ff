//! Names and numbers with their places.

use omerta_core::source::Span;

/// A name as it was written, without backticks, in Unicode normal form C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The letters.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name at its place.
    pub fn new(text: impl Into<String>, span: Span) -> Name {
        let text = text.into();
        Name { text, span }
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// `4..18`, `6`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first number.
    pub from: Int,
    /// The last number; the same as `from` when only one was written.
    pub to: Int,
}

/// A whole number with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// Its value.
    pub value: i64,
    /// Where it stands.
    pub span: Span,
}
