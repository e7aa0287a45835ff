//! The one layout of `.mafia` and of `.play` files.
//!
//! Works on tokens and never on trees: every word, sign, text and remark of the author is written
//! again in its order, only blanks, line ends and `;` change. Where lines begin, the parser says.

mod outline;
mod printer;
mod scenarios;

pub use scenarios::format_play;

use crate::{mistakes, parse, token};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    source::SourceId,
};

/// Lays a file out; a file with a mistake in its shape is left alone.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    if let Some(problem) = mistakes::unreadable(source, text) {
        return Err(vec![problem]);
    }
    let parsed = parse::parse(source, text, &parse::Known::default());
    if parsed
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
    {
        return Err(parsed.diagnostics);
    }
    let scan = token::scan(text);
    let outline = outline::outline(text, &scan.tokens, &parsed.beginnings);
    Ok(printer::print(&outline))
}
