//! The grammar of `.mafia` files as the parser generator gives it, run over a piece of a source.

use omerta_core::source::{SourceId, Span};
use pest::{
    Token as PestToken,
    iterators::{Pair, Pairs},
};

/// The generated parser, with its rules in a module of their own.
mod generated {
    #![allow(missing_docs)]

    /// The parser that the grammar file makes.
    #[derive(pest_derive::Parser)]
    #[grammar = "../../grammar/mafia.pest"]
    pub(crate) struct Grammar;
}

pub(super) use generated::Rule;

/// How deep the rules of the grammar may lie in each other; brackets alone stay far below it.
const RULE_DEPTH_LIMIT: usize = 800;
/// So many signs and words may join the parts of one expression, brackets in it included: each makes the tree a step deeper.
const JOINED_LIMIT: usize = 500;

/// A piece of a source that is parsed by itself.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'t> {
    /// The source it is from.
    pub source: SourceId,
    /// Its letters.
    pub text: &'t str,
    /// Where it begins in the source.
    pub offset: usize,
}

impl Chunk<'_> {
    /// A run of its bytes as a place in the source.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset + start, self.offset + end)
    }
}

/// Why the grammar did not take a chunk.
pub(super) type Refusal = Box<pest::error::Error<Rule>>;

/// Runs one rule of the grammar over a chunk and bounds the depth of what it found.
pub(super) fn run(chunk: Chunk<'_>, rule: Rule) -> Result<Pair<'_, Rule>, Refusal> {
    let mut pairs = read::<generated::Grammar, _>(chunk.text, rule, in_full(rule))?;
    let pair = pairs.next().expect("a rule that matches makes a pair");
    match too_deep(&pair) {
        Some(at) => Err(Box::new(pest::error::Error::new_from_pos(
            pest::error::ErrorVariant::CustomError {
                message: String::new(),
            },
            at,
        ))),
        None => Ok(pair),
    }
}

/// The rule that takes the same text without a look ahead, and so knows all that was expected where it does not.
fn in_full(rule: Rule) -> Option<Rule> {
    match rule {
        Rule::one_item => Some(Rule::one_item_in_full),
        Rule::one_expr => Some(Rule::one_expr_in_full),
        _ => None,
    }
}

/// Reads a text: what it holds, or all that was expected where it goes wrong, which the rule without a look ahead knows.
pub(super) fn read<P: pest::Parser<R>, R: pest::RuleType>(
    text: &str,
    rule: R,
    in_full: Option<R>,
) -> Result<Pairs<'_, R>, Box<pest::error::Error<R>>> {
    let again = |refusal| match in_full {
        Some(rule) => P::parse(rule, text).map(|mut pairs| {
            let pair = pairs.next().expect("a rule that matches makes a pair");
            pair.into_inner()
        }),
        None => Err(refusal),
    };
    P::parse(rule, text).or_else(again).map_err(Box::new)
}

fn too_deep<'t>(pair: &Pair<'t, Rule>) -> Option<pest::Position<'t>> {
    let (mut depth, mut joined) = (0usize, 0usize);
    // How deep the outermost expression lies.
    let mut expression = None;
    for token in pair.clone().tokens() {
        match token {
            PestToken::Start { pos, .. } if depth == RULE_DEPTH_LIMIT => return Some(pos),
            PestToken::Start { rule, pos } => {
                match rule {
                    Rule::sum_op | Rule::set_op if joined == JOINED_LIMIT => return Some(pos),
                    Rule::sum_op | Rule::set_op => joined += 1,
                    Rule::expr | Rule::sum | Rule::set_sum if expression.is_none() => {
                        (expression, joined) = (Some(depth), 0);
                    }
                    _ => {}
                }
                depth += 1;
            }
            PestToken::End { .. } => {
                depth -= 1;
                expression = expression.filter(|outermost| *outermost != depth);
            }
        }
    }
    None
}
