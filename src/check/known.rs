//! What is known where a test is made: the tests in front of it, and how they came out.
//!
//! Only of tests that are made at one moment, with nothing done in between: joined by `and` and `or`, `else if` behind
//! `if`, an `if` that stands first in another.

use omerta_core::source::Span;
use omerta_syntax::tree::{CompareOp, Expr, ExprKind};

/// What is known; each test as it would stand anywhere.
#[derive(Clone, Default)]
pub(super) struct Known(Vec<Fact>);

/// Whether something is one word at a time, and this may be that word.
pub(super) type IsWord<'w> = &'w dyn Fn(&Expr, &str) -> bool;

#[derive(Clone)]
struct Fact {
    test: Expr,
    holds: bool,
    /// Where it was tested.
    at: Span,
}

impl Known {
    /// Takes it for known how a test has come out.
    pub fn take(&mut self, test: &Expr, holds: bool) {
        match &*test.kind {
            ExprKind::Group(inner) => self.take(inner, holds),
            ExprKind::Not(inner) => self.take(inner, !holds),
            ExprKind::And(parts) if holds => parts.iter().for_each(|part| self.take(part, true)),
            ExprKind::Or(parts) if !holds => parts.iter().for_each(|part| self.take(part, false)),
            _ => self.0.push(Fact {
                test: test.nowhere(),
                holds,
                at: test.span,
            }),
        }
    }

    /// Whether a test holds, if that is known, and by what.
    pub fn outcome(&self, test: &Expr, is_word: IsWord<'_>) -> Option<(bool, Span)> {
        let test = match &*test.kind {
            ExprKind::Group(inner) => return self.outcome(inner, is_word),
            ExprKind::Not(inner) => return { self.outcome(inner, is_word) }.map(|(holds, by)| (!holds, by)),
            _ => test.nowhere(),
        };
        let decided = |fact: &Fact| Some((fact.decides(&test, is_word)?, fact.at));
        self.0.iter().find_map(decided)
    }
}

impl Fact {
    fn decides(&self, test: &Expr, is_word: IsWord<'_>) -> Option<bool> {
        if self.test == *test {
            return Some(self.holds);
        }
        let (Some((left, known)), Some((same, asked))) = (compared(&self.test), compared(test)) else {
            return None;
        };
        let known = if self.holds { known } else { known.negated() };
        let is_sure = |values: &Values| match values {
            Values::Word(word, _) => is_word(left, word),
            _ => true,
        };
        match left == same && is_sure(&known) && is_sure(&asked) {
            true if known.lie_in(&asked) => Some(true),
            true if known.lie_in(&asked.negated()) => Some(false),
            _ => None,
        }
    }
}

/// The values with which a comparison holds.
#[derive(Clone, PartialEq)]
enum Values {
    /// From one number to another.
    Range(i64, i64),
    /// All numbers but one.
    AllBut(i64),
    /// A word, or any but that one.
    Word(String, bool),
}

impl Values {
    fn negated(&self) -> Values {
        match self {
            Values::Range(i64::MIN, most) => Values::Range(most.saturating_add(1), i64::MAX),
            Values::Range(least, i64::MAX) => Values::Range(i64::MIN, least.saturating_sub(1)),
            Values::Range(one, _) => Values::AllBut(*one),
            Values::AllBut(one) => Values::Range(*one, *one),
            Values::Word(word, is) => Values::Word(word.clone(), !is),
        }
    }

    /// Whether all of them are among others.
    fn lie_in(&self, others: &Values) -> bool {
        match (self, others) {
            (Values::Range(least, most), Values::Range(from, to)) => from <= least && most <= to,
            (Values::Range(least, most), Values::AllBut(one)) => one < least || most < one,
            (Values::Word(word, true), Values::Word(other, is)) => (word == other) == *is,
            (one, other) => one == other,
        }
    }
}

/// What is compared with a number or with a name, and the values with which that holds.
fn compared(test: &Expr) -> Option<(&Expr, Values)> {
    let ExprKind::Compare {
        left,
        op,
        half: false,
        right,
    } = &*test.kind
    else {
        return None;
    };
    let values = match (op, number(right)) {
        (CompareOp::Is, Some(n)) => Values::Range(n, n),
        (CompareOp::IsNot, Some(n)) => Values::AllBut(n),
        (CompareOp::AtLeast, Some(n)) => Values::Range(n, i64::MAX),
        (CompareOp::MoreThan, Some(n)) => Values::Range(n.checked_add(1)?, i64::MAX),
        (CompareOp::AtMost, Some(n)) => Values::Range(i64::MIN, n),
        (CompareOp::LessThan, Some(n)) => Values::Range(i64::MIN, n.checked_sub(1)?),
        (CompareOp::Is, None) => Values::Word(word(right)?.to_owned(), true),
        (CompareOp::IsNot, None) => Values::Word(word(right)?.to_owned(), false),
        _ => return None,
    };
    Some((left, values))
}

fn word(expr: &Expr) -> Option<&str> {
    match &*expr.inside().kind {
        ExprKind::Truth(true) => Some("yes"),
        ExprKind::Truth(false) => Some("no"),
        _ => Some(&expr.bare_name()?.text),
    }
}

/// The number that an expression is, whatever is so.
pub(super) fn number(expr: &Expr) -> Option<i64> {
    match &*expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Group(inner) => number(inner),
        ExprKind::Binary { op, left, right } => op.of_numbers(number(left)?, number(right)?),
        _ => None,
    }
}

/// Whether two expressions are written alike, brackets around them aside.
pub(super) fn is_alike(one: &Expr, other: &Expr) -> bool {
    one.inside().nowhere() == other.inside().nowhere()
}
