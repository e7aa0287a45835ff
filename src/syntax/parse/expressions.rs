//! Builds expressions, names and numbers.

use pest::iterators::Pair;
use unicode_normalization::UnicodeNormalization;

use crate::{
    diagnostic::Diagnostic,
    source::Span,
    syntax::{
        blame, mistakes,
        parse::{Builder, Chunk, Cursor, Rule, only, run},
        tree::{BinaryOp, CompareOp, Expr, ExprKind, Int, Name, Query, Range},
    },
};

impl Builder {
    /// An expression that is all of a chunk.
    pub(super) fn whole_expr(&mut self, chunk: Chunk<'_>) -> Result<Expr, Diagnostic> {
        let ends = |mut problem: Diagnostic| {
            // It is no line that ends here, but the slot of a text or the words that were typed.
            problem.message = problem
                .message
                .replace("the end of the line does not fit here", "this ends too early");
            problem
        };
        let pair = run(chunk, Rule::one_expr).map_err(|error| ends(blame::blame(chunk, &error)))?;
        let mut inner = Builder::new(chunk);
        let expr = inner.expr(only(pair));
        self.diagnostics.append(&mut inner.diagnostics);
        Ok(expr)
    }

    pub(super) fn name(&self, pair: Pair<'_, Rule>) -> Name {
        let text = pair.as_str().trim_matches('`').nfc().collect();
        Name {
            text,
            span: self.span(&pair),
        }
    }

    /// `a, b, c`
    pub(super) fn names(&self, pair: Pair<'_, Rule>) -> Vec<Name> {
        Cursor::into(pair)
            .all(Rule::name)
            .into_iter()
            .map(|name| self.name(name))
            .collect()
    }

    pub(super) fn int(&mut self, pair: Pair<'_, Rule>) -> Int {
        let span = self.span(&pair);
        let value = pair.as_str().parse::<u32>().map(i64::from).unwrap_or_else(|_| {
            self.diagnostics.push(mistakes::large_number(span, pair.as_str()));
            0
        });
        Int { value, span }
    }

    /// `4..18`, `6`
    pub(super) fn range(&mut self, pair: Pair<'_, Rule>) -> Range {
        let mut cursor = Cursor::into(pair);
        let from = self.int(cursor.presume(Rule::int));
        let to = cursor.accept(Rule::int).map_or(from, |to| self.int(to));
        Range { from, to }
    }

    /// Any rule of the grammar that is an expression.
    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        match pair.as_rule() {
            Rule::expr => self.chain(pair, Rule::and_expr, ExprKind::Or),
            Rule::and_expr => self.chain(pair, Rule::not_expr, ExprKind::And),
            Rule::not_expr => self.not_expr(pair),
            Rule::no_some => self.no_some(pair),
            Rule::every => self.every(pair),
            Rule::comparison => self.comparison(pair),
            Rule::sum | Rule::set_sum => self.sum(pair),
            Rule::near | Rule::of_near => self.near(pair),
            Rule::relation | Rule::is_value => self.expr(only(pair)),
            _ => self.operand(pair),
        }
    }

    /// What stands side by side in a `near`.
    fn operand(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::int => ExprKind::Int(self.int(pair).value),
            Rule::yes_no => ExprKind::Truth(Cursor::into(pair).has(Rule::kw_yes)),
            Rule::group => ExprKind::Group(self.expr(only(pair))),
            Rule::number_of => ExprKind::NumberOf(self.expr(only(pair))),
            Rule::during => ExprKind::During(self.name(only(pair))),
            Rule::times => ExprKind::Times(self.name(only(pair))),
            Rule::planned => ExprKind::Planned(self.name(only(pair))),
            Rule::query | Rule::of_query => ExprKind::Query(self.query(pair)),
            rule => unreachable!("the grammar has no operand {rule:?}"),
        };
        Expr {
            kind: Box::new(kind),
            span,
        }
    }

    fn chain(&mut self, pair: Pair<'_, Rule>, wanted: Rule, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let span = self.span(&pair);
        let parts = Cursor::into(pair).all(wanted);
        self.one_or(span, parts, kind)
    }

    /// One part stands for itself; several are made into one.
    fn one_or(&mut self, span: Span, pairs: Vec<Pair<'_, Rule>>, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let parts = pairs.into_iter().map(|pair| self.expr(pair)).collect();
        one_or(span, parts, kind)
    }

    fn not_expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let negated = cursor.has(Rule::kw_not);
        let inner = self.expr(cursor.presume_next());
        if negated {
            Expr {
                kind: Box::new(ExprKind::Not(inner)),
                span,
            }
        } else {
            inner
        }
    }

    fn no_some(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let none = cursor.has(Rule::kw_no);
        let set = self.expr(cursor.presume(Rule::sum));
        let kind = if none {
            ExprKind::No(set)
        } else {
            ExprKind::Some(set)
        };
        Expr {
            kind: Box::new(kind),
            span,
        }
    }

    fn every(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let set = self.expr(cursor.presume(Rule::sum));
        let negated = cursor.has(Rule::kw_not);
        let is = self.expr(cursor.presume(Rule::sum));
        Expr {
            kind: Box::new(ExprKind::Every { set, negated, is }),
            span,
        }
    }

    fn comparison(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let left = self.expr(cursor.presume(Rule::sum));
        let Some(op) = cursor.accept(Rule::is_op) else {
            return left;
        };
        let op = compare_op(op);
        let half = cursor.has(Rule::half_of);
        let right = self.expr(cursor.presume(Rule::is_value));
        Expr {
            kind: Box::new(ExprKind::Compare {
                left,
                op,
                half,
                right,
            }),
            span,
        }
    }

    fn sum(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let mut cursor = Cursor::into(pair);
        let mut left = self.expr(cursor.presume(Rule::near));
        while let Some(op) = cursor
            .accept(Rule::sum_op)
            .or_else(|| cursor.accept(Rule::set_op))
        {
            let op = binary_op(op);
            let right = self.expr(cursor.presume(Rule::near));
            let span = left.span.to(right.span);
            left = Expr {
                kind: Box::new(ExprKind::Binary { op, left, right }),
                span,
            };
        }
        let Some(test) = cursor.accept(Rule::relation) else {
            return left;
        };
        let test = self.expr(test);
        let span = left.span.to(test.span);
        Expr {
            kind: Box::new(ExprKind::Where { set: left, test }),
            span,
        }
    }

    fn near(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let mut operands: Vec<Expr> = Vec::new();
        while let Some(pair) = cursor.next() {
            match pair.as_rule() {
                Rule::of_part => self.counted(&mut operands, pair),
                _ => operands.push(self.expr(pair)),
            }
        }
        one_or(span, operands, ExprKind::Narrow)
    }

    /// `of deck` behind brackets: they say how many, and the word before them of what.
    fn counted(&mut self, operands: &mut Vec<Expr>, of_part: Pair<'_, Rule>) {
        let part = self.span(&of_part);
        let of = self.expr(only(of_part));
        let count = operands.pop();
        let counts = operands.last_mut().and_then(|before| match &mut *before.kind {
            ExprKind::Query(query) if query.name.text == "top" => Some((query, &mut before.span)),
            _ => None,
        });
        match counts {
            Some((query, span)) if query.number.is_none() && query.of.is_none() => {
                *span = span.to(of.span);
                query.count = count;
                query.of = Some(of);
            }
            _ => {
                operands.extend(count);
                self.diagnostics.push(mistakes::of_behind_brackets(part));
            }
        }
    }

    fn query(&mut self, pair: Pair<'_, Rule>) -> Query {
        let mut cursor = Cursor::into(pair);
        Query {
            name: self.name(cursor.presume(Rule::name)),
            number: cursor.accept(Rule::int).map(|int| self.int(int)),
            count: None,
            of: cursor.accept(Rule::of_part).map(|of| self.expr(only(of))),
            among: cursor.accept(Rule::among).map(|among| self.among(only(among))),
            weighing: cursor
                .accept(Rule::weighing)
                .map(|weighing| self.name(only(weighing))),
        }
    }

    /// `among (S)` or `among x`.
    fn among(&mut self, pair: Pair<'_, Rule>) -> Expr {
        if pair.as_rule() == Rule::group {
            return self.expr(pair);
        }
        let span = self.span(&pair);
        let query = Query {
            name: self.name(pair),
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
}

/// The only part, or what several come to.
fn one_or(span: Span, mut parts: Vec<Expr>, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            Expr {
                kind: Box::new(kind(parts)),
                span,
            }
        }
        None => unreachable!("the grammar puts at least one part here"),
    }
}

fn compare_op(pair: Pair<'_, Rule>) -> CompareOp {
    match Cursor::into(pair).next().map(|op| op.as_rule()) {
        Some(Rule::at_least) => CompareOp::AtLeast,
        Some(Rule::at_most) => CompareOp::AtMost,
        Some(Rule::more_than) => CompareOp::MoreThan,
        Some(Rule::less_than) => CompareOp::LessThan,
        Some(Rule::is_not) => CompareOp::IsNot,
        Some(Rule::is_exactly) => CompareOp::Exactly,
        _ => CompareOp::Is,
    }
}

fn binary_op(pair: Pair<'_, Rule>) -> BinaryOp {
    match pair.as_str() {
        "plus" => BinaryOp::Plus,
        "without" => BinaryOp::Without,
        "else" => BinaryOp::Else,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        _ => BinaryOp::Multiply,
    }
}
