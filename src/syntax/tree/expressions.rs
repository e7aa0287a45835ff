//! Expressions: values, sets, conditions.

use super::names::{Int, Name};
use omerta_core::{rules::rounded_down, source::Span};

/// An expression with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it says.
    pub kind: Box<ExprKind>,
    /// All of it.
    pub span: Span,
}

impl Expr {
    /// An expression at its place.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr {
            kind: Box::new(kind),
            span,
        }
    }

    /// The name, if the expression is one and nothing more, brackets aside.
    pub fn bare_name(&self) -> Option<&Name> {
        match &*self.kind {
            ExprKind::Query(Query {
                name,
                number: None,
                count: None,
                of: None,
                among: None,
                weighing: None,
            }) => Some(name),
            ExprKind::Group(inner) => inner.bare_name(),
            _ => None,
        }
    }

    /// The sides of a comparison, and how they are compared; nothing where it is with half of something.
    pub fn comparison(&self) -> Option<(&Expr, CompareOp, &Expr)> {
        match &*self.kind {
            ExprKind::Compare(left, op, Of::All, right) => Some((left, *op, right)),
            _ => None,
        }
    }

    /// Of `p is Guild`, where it is asked of whom: what he is to be.
    pub fn said_of(&self, who: &Expr) -> Option<&Expr> {
        match &*self.inside().kind {
            ExprKind::Compare(left, CompareOp::Is, Of::All, right)
                if left.bare_name()?.text == who.bare_name()?.text =>
            {
                Some(right)
            }
            _ => None,
        }
    }

    /// Whether it is this name and nothing more, brackets aside.
    pub fn is_name(&self, name: &str) -> bool {
        self.bare_name().is_some_and(|own| own.text == name)
    }

    /// Of `vote of p`: what is read, and of whom.
    pub fn read_of(&self) -> Option<(&Name, &Expr)> {
        match &*self.kind {
            ExprKind::Query(query) => Some((&query.name, query.of.as_ref()?)),
            _ => None,
        }
    }

    /// The words that stand side by side, brackets around all of them aside; one alone where there are no more.
    pub fn words(&self) -> &[Expr] {
        match &*self.inside().kind {
            ExprKind::Narrow(words) => words,
            _ => std::slice::from_ref(self.inside()),
        }
    }

    /// What stands between its brackets, if it has any.
    pub fn inside(&self) -> &Expr {
        match &*self.kind {
            ExprKind::Group(inner) => inner.inside(),
            _ => self,
        }
    }

    /// A name and nothing more.
    pub fn named(name: Name) -> Expr {
        let span = name.span;
        let query = Query {
            name,
            number: None,
            count: None,
            of: None,
            among: None,
            weighing: None,
        };
        Expr {
            kind: Box::new(ExprKind::Query(query)),
            span,
        }
    }

    /// Whether it is the word `nobody`.
    pub fn is_nobody(&self) -> bool {
        self.is_name("nobody")
    }

    /// Whether it compares two things.
    pub(crate) fn is_comparison(&self) -> bool {
        matches!(&*self.kind, ExprKind::Compare(..) | ExprKind::Every { .. })
    }

    /// `out is exactly Ann` and `Bob` as `out is exactly Ann plus Bob`.
    pub(crate) fn joined_at_its_end(mut self, next: Expr) -> Expr {
        let span = self.span.to(next.span);
        match &mut *self.kind {
            ExprKind::Compare(.., end) | ExprKind::Every { is: end, .. } => {
                *end = end.clone().plus(next);
                Expr { span, ..self }
            }
            _ => self.plus(next),
        }
    }

    /// `Bob is out` behind `Ann` as `Ann plus Bob is out`.
    pub(crate) fn joined_at_its_front(mut self, before: Expr) -> Expr {
        let span = before.span.to(self.span);
        if let ExprKind::Compare(front, ..) | ExprKind::Every { set: front, .. } = &mut *self.kind {
            *front = before.plus(front.clone());
        }
        Expr { span, ..self }
    }

    fn plus(self, right: Expr) -> Expr {
        let span = self.span.to(right.span);
        let (op, left) = (BinaryOp::Plus, self);
        let kind = Box::new(ExprKind::Binary(op, left, right));
        Expr { kind, span }
    }

    /// The name and the number behind it, if the expression is those two and nothing more: `centre 2`.
    pub fn numbered_name(&self) -> Option<(&Name, &Int)> {
        match &*self.kind {
            ExprKind::Query(Query {
                name,
                number: Some(number),
                count: None,
                of: None,
                among: None,
                weighing: None,
            }) => Some((name, number)),
            _ => None,
        }
    }
}

/// The expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `3`
    Int(i64),
    /// `yes`, `no`
    Truth(bool),
    /// `"swordfish"`: what somebody may have written
    Text(String),
    /// `Healer`, `seat 3`, `vote of p`, `top 2 of deck among (S) weighing weight`
    Query(Query),
    /// `(…)`; kept, so that a formatter keeps it.
    Group(Expr),
    /// Words side by side, at least two: `living Guild`.
    Narrow(Vec<Expr>),
    /// `a plus b`, `a without b`, `a else b`, `a + b`, `a - b`, `a * b`, `a / b rounded up`
    Binary(BinaryOp, Expr, Expr),
    /// `living where it is Guild`
    Where { set: Expr, test: Expr },
    /// `number of living without me`
    NumberOf(Expr),
    /// `during Dusk`
    During(Name),
    /// `times Dusk`
    Times(Name),
    /// `planned kill`
    Planned(Name),
    /// `no living Guild`
    No(Expr),
    /// `some treated`
    Some(Expr),
    /// `every living is not Guild`
    Every { set: Expr, negated: bool, is: Expr },
    /// `p is Guild`, `fouls of p is at least 3`, `both is more than half of living`
    Compare(Expr, CompareOp, Of, Expr),
    /// `3 when flag else 2`: the first value whose condition holds, else the last one, or what is nothing
    /// of its kind.
    Cases {
        cases: Vec<(Expr, Expr)>,
        otherwise: Option<Expr>,
    },
    /// `not a`
    Not(Expr),
    /// `a and b and c`
    And(Vec<Expr>),
    /// `a or b or c`
    Or(Vec<Expr>),
}

/// With how much of the right side the left one is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// `is more than 3`
    All,
    /// `is more than half of living`
    Half,
}

/// `top 2 of deck among (S) weighing weight`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// `top`
    pub name: Name,
    /// `2`
    pub number: Option<Int>,
    /// The number in brackets of `top (n) of deck`.
    pub count: Option<Expr>,
    /// `of deck`
    pub of: Option<Expr>,
    /// `among (S)`
    pub among: Option<Expr>,
    /// `weighing weight`
    pub weighing: Option<Name>,
}

/// Operators between sets and numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `plus`: these and those.
    Plus,
    /// `without`: these but not those.
    Without,
    /// `else`: these, or those where there are none of these.
    Else,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/ … rounded up`
    DivideUp,
    /// `/ … rounded down`
    DivideDown,
    /// `remainder of … / …`
    Remainder,
}

impl BinaryOp {
    /// Whether it joins numbers and makes a number of them.
    pub fn counts(self) -> bool {
        !matches!(self, BinaryOp::Plus | BinaryOp::Without | BinaryOp::Else)
    }

    /// Whether it binds tighter than a sum.
    pub fn binds_tight(self) -> bool {
        self.counts() && !matches!(self, BinaryOp::Add | BinaryOp::Subtract)
    }

    /// What comes of two numbers, where that can be counted.
    pub fn of_numbers(self, a: i64, b: i64) -> Option<i64> {
        match self {
            BinaryOp::Plus | BinaryOp::Without | BinaryOp::Else => None,
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Subtract => a.checked_sub(b),
            BinaryOp::Multiply => a.checked_mul(b),
            BinaryOp::DivideUp => rounded_down(a.checked_neg()?, b)?.checked_neg(),
            BinaryOp::DivideDown => rounded_down(a, b),
            BinaryOp::Remainder => a.checked_sub(rounded_down(a, b)?.checked_mul(b)?),
        }
    }
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    /// `is`
    Is,
    /// `is not`
    IsNot,
    /// `is exactly`: the same set, or both empty.
    Exactly,
    /// `is at least`
    AtLeast,
    /// `is at most`
    AtMost,
    /// `is more than`
    MoreThan,
    /// `is less than`
    LessThan,
}
