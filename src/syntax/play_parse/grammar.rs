//! The words of scenarios, one variant for each rule of their grammar.

use crate::grammar;
use pest::iterators::Pairs;

/// The parser that is made from the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/play.pest"]
pub(super) struct PlayGrammar;

/// Reads a piece: what it holds, or all that was expected where it goes wrong.
pub(super) fn read(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<pest::error::Error<Rule>>> {
    grammar::read::<PlayGrammar, _>(text, rule, in_full(rule))
}

/// The rule that takes the same text without a look ahead.
fn in_full(rule: Rule) -> Option<Rule> {
    match rule {
        Rule::one_preamble => Some(Rule::one_preamble_in_full),
        Rule::one_common => Some(Rule::one_common_in_full),
        Rule::one_play => Some(Rule::one_play_in_full),
        _ => None,
    }
}
