//! From text to trees: the two grammars, the formatter, "is this input unfinished?".
//!
//! Looks no name up and hands out no type of the parser generator.

pub mod play_tree;
pub mod tree;

mod play_parse;

pub use play_parse::parse_play;

/// STUB
pub fn parse_expr(source: crate::source::SourceId, text: &str, offset: usize) -> Result<tree::Expr, crate::diagnostic::Diagnostic> {
    let span = crate::source::Span::new(source, offset, offset + text.len());
    Ok(tree::Expr { kind: Box::new(tree::ExprKind::Query(tree::Query { name: tree::Name { text: text.into(), span }, number: None, of: None, among: None, weighing: None })), span })
}

