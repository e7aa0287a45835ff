//! The words of scenarios, one variant for each rule of their grammar.

/// The parser that is made from the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/play.pest"]
pub(super) struct PlayGrammar;
