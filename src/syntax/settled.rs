//! Tests that come out one way whatever is so: by themselves, or by what is known where they are made, which is the
//! tests in front of them and how they came out.
//!
//! Only of tests that are made at one moment, with nothing done in between: joined by `and` and `or`, `else if` behind
//! `if`, an `if` that stands first in another.

use crate::tree::{BinaryOp, CompareOp, Expr, ExprKind, Name, Of};
use omerta_core::source::Span;

/// What is known; each test as it would stand anywhere.
#[derive(Clone, Default)]
pub struct Known(Vec<Fact>);

/// What is known of the words that something is tested for.
#[derive(Clone, Copy)]
pub struct Words<'w> {
    /// Whether something is one word at a time, and this may be that word.
    pub may_be: &'w dyn Fn(&Expr, &str) -> bool,
    /// Whether nobody is both of two.
    pub are_apart: &'w dyn Fn(&str, &str) -> bool,
    /// Whether whoever is one of two is the other as well.
    pub is_of: &'w dyn Fn(&str, &str) -> bool,
}

impl Words<'_> {
    /// Of which nothing is known.
    pub const UNKNOWN: Words<'static> = Words {
        may_be: &|_, _| false,
        are_apart: &|_, _| false,
        is_of: &|_, _| false,
    };
}

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
            _ => {
                let (plain, is_so) = plain(test);
                self.0.push(Fact {
                    test: plain,
                    holds: holds == is_so,
                    at: test.span,
                });
            }
        }
    }

    /// Takes it for known that somebody who goes by a name is in a set.
    pub fn take_member(&mut self, who: &str, set: &Expr) {
        let is = |of: &Expr, op| {
            let left = Expr::named(Name::new(who, of.span));
            Expr::new(ExprKind::Compare(left, op, Of::All, of.clone()), of.span)
        };
        match &*set.kind {
            ExprKind::Group(inner) | ExprKind::Where { set: inner, .. } => self.take_member(who, inner),
            ExprKind::Narrow(parts) => parts.iter().for_each(|part| self.take_member(who, part)),
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                self.take_member(who, left);
                if right.bare_name().is_some() {
                    self.take(&is(right.inside(), CompareOp::IsNot), true);
                }
            }
            ExprKind::Query(_) if set.is_name("others") => {
                let me = Expr::named(Name::new("me", set.span));
                self.take(&is(&me, CompareOp::IsNot), true);
            }
            ExprKind::Query(_) if set.bare_name().is_some() => self.take(&is(set, CompareOp::Is), true),
            _ => {}
        }
    }

    /// Whether a test holds, if that is known, and by what.
    pub fn outcome(&self, test: &Expr, words: Words<'_>) -> Option<(bool, Span)> {
        let test = match &*test.kind {
            ExprKind::Group(inner) => return self.outcome(inner, words),
            ExprKind::Not(inner) => return { self.outcome(inner, words) }.map(|(holds, by)| (!holds, by)),
            _ => plain(test),
        };
        let (test, is_so) = test;
        let decided = |fact: &Fact| Some((fact.decides(&test, words)? == is_so, fact.at));
        self.0.iter().find_map(decided)
    }
}

/// A test as it would stand anywhere, and whether it is that or its opposite: `p is not out` is the opposite of `p is out`,
/// and `no wolves` of `number of wolves is at least 1`.
fn plain(test: &Expr) -> (Expr, bool) {
    let mut plain = test.nowhere();
    let is_so = match &mut *plain.kind {
        ExprKind::Compare(_, op, ..) if *op == CompareOp::IsNot => {
            *op = CompareOp::Is;
            false
        }
        kind @ (ExprKind::Some(_) | ExprKind::No(_)) => {
            let is_so = matches!(kind, ExprKind::Some(_));
            if let ExprKind::Some(set) | ExprKind::No(set) = kind {
                *kind = at_least_one(set.inside());
            }
            is_so
        }
        _ => true,
    };
    (plain, is_so)
}

/// `number of wolves is at least 1`
fn at_least_one(set: &Expr) -> ExprKind {
    let here = |kind| Expr::new(kind, set.span);
    ExprKind::Compare(
        here(ExprKind::NumberOf(set.clone())),
        CompareOp::AtLeast,
        Of::All,
        here(ExprKind::Int(1)),
    )
}

impl Fact {
    fn decides(&self, test: &Expr, words: Words<'_>) -> Option<bool> {
        if self.test == *test {
            return Some(self.holds);
        }
        let (Some((left, known)), Some((same, asked))) = (compared(&self.test), compared(test)) else {
            return None;
        };
        let known = if self.holds { known } else { known.negated() };
        if let (Values::Word(one, true), Values::Word(other, is)) = (&known, &asked)
            && left == same
            && !left.is_nobody()
            && (words.are_apart)(one, other)
        {
            return Some(!is);
        }
        match (&known, &asked) {
            _ if left != same || left.is_nobody() => {}
            (Values::Word(one, true), Values::Word(other, is)) if (words.is_of)(one, other) => {
                return Some(*is);
            }
            (Values::Word(one, false), Values::Word(other, is)) if (words.is_of)(other, one) => {
                return Some(!is);
            }
            _ => {}
        }
        let is_sure = |values: &Values| match values {
            Values::Word(word, _) => (words.may_be)(left, word),
            _ => true,
        };
        let known = match left == same {
            true => counted(left, known),
            false => known.of_others(left, same)?,
        };
        match is_sure(&known) && is_sure(&asked) {
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

    /// What the number of some people says of the number of others who are among them, or among whom they are.
    fn of_others(self, known: &Expr, asked: &Expr) -> Option<Values> {
        let (ExprKind::NumberOf(some), ExprKind::NumberOf(others)) = (&*known.kind, &*asked.kind) else {
            return None;
        };
        let Values::Range(least, most) = counted(known, self) else {
            return None;
        };
        match () {
            () if is_within(some, others) => Some(Values::Range(least, i64::MAX)),
            () if is_within(others, some) => Some(Values::Range(0, most)),
            () => None,
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

/// The values of a count, which is never below nought.
fn counted(of: &Expr, values: Values) -> Values {
    match (&*of.kind, values) {
        (ExprKind::NumberOf(_), Values::AllBut(0)) => Values::Range(1, i64::MAX),
        (ExprKind::NumberOf(_), Values::Range(least, most)) => Values::Range(least.max(0), most),
        (_, values) => values,
    }
}

/// Whether everybody in one set is in another, as they are written: all living wolves are wolves.
pub fn is_within(one: &Expr, other: &Expr) -> bool {
    if is_alike(one, other) {
        return true;
    }
    match (&*one.inside().kind, &*other.inside().kind) {
        (_, ExprKind::Narrow(parts)) => parts.iter().all(|part| is_within(one, part)),
        (ExprKind::Narrow(parts), _) => parts.iter().any(|part| is_within(part, other)),
        (ExprKind::Binary(BinaryOp::Without, set, _) | ExprKind::Where { set, .. }, _) => {
            is_within(set, other)
        }
        (_, ExprKind::Binary(BinaryOp::Plus, left, right)) => is_within(one, left) || is_within(one, right),
        _ => false,
    }
}

/// What is compared with a number or with a name, and the values with which that holds.
fn compared(test: &Expr) -> Option<(&Expr, Values)> {
    let (left, op, right) = test.comparison()?;
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
pub fn number(expr: &Expr) -> Option<i64> {
    match &*expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Group(inner) => number(inner),
        ExprKind::Binary(op, left, right) => op.of_numbers(number(left)?, number(right)?),
        _ => None,
    }
}

/// Whether two expressions are written alike, brackets around them aside.
pub fn is_alike(one: &Expr, other: &Expr) -> bool {
    one.inside().nowhere() == other.inside().nowhere()
}

/// Whether a test holds whatever is so, or fails; `is_one` says of a name that it always means one and the same person.
pub fn outcome(test: &Expr, is_one: &dyn Fn(&str) -> bool) -> Option<bool> {
    let all = |parts: &[Expr], holds: bool| {
        let outcomes: Vec<_> = parts.iter().map(|part| outcome(part, is_one)).collect();
        if outcomes.contains(&Some(!holds)) || opposed(parts, !holds) {
            return Some(!holds);
        }
        outcomes.iter().all(|one| *one == Some(holds)).then_some(holds)
    };
    match &*test.kind {
        ExprKind::Group(inner) => outcome(inner, is_one),
        ExprKind::Not(inner) => outcome(inner, is_one).map(|holds| !holds),
        ExprKind::Truth(holds) => Some(*holds),
        ExprKind::And(parts) => all(parts, true),
        ExprKind::Or(parts) => all(parts, false),
        ExprKind::Every {
            set,
            negated: false,
            is,
        } if is_alike(set, is) => Some(true),
        ExprKind::Compare(left, op, Of::All, right) if is_alike(left, right) => match op {
            CompareOp::AtLeast | CompareOp::AtMost | CompareOp::Exactly => Some(true),
            CompareOp::MoreThan | CompareOp::LessThan => Some(false),
            // Nobody is not even nobody.
            CompareOp::Is | CompareOp::IsNot => {
                let is_somebody = left.bare_name().is_some_and(|name| is_one(&name.text));
                let is_number = matches!(
                    &*left.inside().kind,
                    ExprKind::NumberOf(_) | ExprKind::Times(_) | ExprKind::Int(_)
                );
                (is_somebody || is_number).then_some(*op == CompareOp::Is)
            }
        },
        ExprKind::Compare(left, op @ (CompareOp::Is | CompareOp::IsNot), Of::All, right)
            if let (Some(one), Some(other)) = (left.bare_name(), right.bare_name())
                && is_one(&one.text)
                && is_one(&other.text) =>
        {
            Some(*op == CompareOp::IsNot)
        }
        ExprKind::Compare(left, ..) => {
            let known = number(left);
            let counts = matches!(*left.kind, ExprKind::Times(_) | ExprKind::NumberOf(_));
            by_range(test, (known.or(counts.then_some(0)), known))
        }
        _ => None,
    }
}

/// Whether two tests never hold at one time, of which only what is `about` something is looked at.
pub fn exclude(one: &Expr, other: &Expr, about: &dyn Fn(&Expr) -> bool, words: Words<'_>) -> bool {
    let both = |one: &Expr, other: &Expr| exclude(one, other, about, words);
    match (joined(one), joined(other)) {
        (Some((parts, false)), _) => parts.iter().all(|part| both(part, other)),
        (_, Some((parts, false))) => parts.iter().all(|part| both(one, part)),
        (Some((parts, true)), _) => parts.iter().any(|part| both(part, other)),
        (_, Some((parts, true))) => parts.iter().any(|part| both(one, part)),
        (None, None) => {
            let mut known = Known::default();
            known.take(one, true);
            let known_of = |fact: &Fact| match compared(&fact.test) {
                Some((left, _)) => about(left),
                None => about(&fact.test),
            };
            known.0.iter().all(known_of) && known.outcome(other, words).is_some_and(|(holds, _)| !holds)
        }
    }
}

/// The tests that a test joins, and whether all of them must hold or one: `not (a or b)` is `not a and not b`.
fn joined(test: &Expr) -> Option<(Vec<Expr>, bool)> {
    match &*test.inside().kind {
        ExprKind::And(parts) => Some((parts.clone(), true)),
        ExprKind::Or(parts) => Some((parts.clone(), false)),
        ExprKind::Not(inner) => {
            let (parts, all) = joined(inner)?;
            let denied = parts.into_iter().map(|part| {
                let span = part.span;
                Expr::new(ExprKind::Not(part), span)
            });
            Some((denied.collect(), !all))
        }
        _ => None,
    }
}

/// Whether a comparison holds of every number between two, or of none; where one of them is not known there is no end.
pub fn by_range(test: &Expr, (least, most): (Option<i64>, Option<i64>)) -> Option<bool> {
    let (_, asked) = compared(test)?;
    let can_be = Values::Range(least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX));
    match () {
        () if can_be.lie_in(&asked) => Some(true),
        () if can_be.lie_in(&asked.negated()) => Some(false),
        () => None,
    }
}

/// Whether of some tests one settles another: all of them hold never, or one of them always.
fn opposed(parts: &[Expr], holds: bool) -> bool {
    fn settles(part: &Expr, holds: bool, known: &mut Known) -> bool {
        match (&*part.inside().kind, holds) {
            (ExprKind::And(parts), false) | (ExprKind::Or(parts), true) => {
                parts.iter().any(|part| settles(part, holds, known))
            }
            _ => {
                let settled = known.outcome(part, Words::UNKNOWN);
                known.take(part, !holds);
                settled.is_some_and(|(outcome, _)| outcome == holds)
            }
        }
    }
    let mut known = Known::default();
    parts.iter().any(|part| settles(part, holds, &mut known))
}
