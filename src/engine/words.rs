//! The values that phrases carry, worked out in the registers of a frame without touching them.

use crate::compute::{EvalError, PureEval};
use crate::event::Value;
use omerta_core::rules::{Kind, Phrase, PhrasePiece};

/// The values of a phrase's slots in order. A choice of wordings gives its own value first, then
/// those of the wording chosen.
pub(super) fn phrase_values(
    eval: PureEval<'_>,
    registers: &[u64],
    phrase: &Phrase,
) -> Result<Vec<Value>, EvalError> {
    let mut values = Vec::new();
    add_values(eval, registers, &phrase.pieces, &mut values)?;
    Ok(values)
}

fn add_values(
    eval: PureEval<'_>,
    registers: &[u64],
    pieces: &[PhrasePiece],
    values: &mut Vec<Value>,
) -> Result<(), EvalError> {
    for piece in pieces {
        match piece {
            PhrasePiece::Words(_) => {}
            PhrasePiece::Slot { value, kind, .. } => {
                let word = eval.value(*value, registers)?;
                values.push(eval.look.value(*kind, word));
            }
            PhrasePiece::Choice {
                value,
                kind,
                none,
                one,
                many,
            } => {
                let word = eval.value(*value, registers)?;
                values.push(eval.look.value(*kind, word));
                let chosen = match how_many(*kind, word) {
                    0 => none,
                    1 => one,
                    _ => many,
                };
                add_values(eval, registers, chosen, values)?;
            }
        }
    }
    Ok(())
}

/// How many a word stands for: the members of a set, or the number itself.
fn how_many(kind: Kind, word: u64) -> u64 {
    match kind {
        Kind::Players | Kind::Cards | Kind::Titles => u64::from(word.count_ones()),
        Kind::Number | Kind::Truth | Kind::Word => word,
        Kind::Text => u64::from(word != 0),
    }
}
