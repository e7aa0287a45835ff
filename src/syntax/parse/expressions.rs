//! Builds expressions, names and numbers.

use pest::iterators::Pair;
use unicode_normalization::UnicodeNormalization;

use crate::{
    blame,
    grammar::{Chunk, Rule, run},
    mistakes,
    parse::{Builder, Cursor, only},
    tree::{BinaryOp, CompareOp, Expr, ExprKind, Int, Name, Of, Param, Query, Range},
};
use omerta_core::{diagnostic::Diagnostic, source::Span};

impl Builder {
    /// An expression that is all of a chunk.
    pub(super) fn whole_expr(&mut self, chunk: Chunk<'_>) -> Result<Expr, Diagnostic> {
        let pair = run(chunk, Rule::one_expr).map_err(|error| blame::blame_words(chunk, &error))?;
        let mut inner = Builder::new(chunk);
        let expr = inner.expr(only(pair));
        self.diagnostics.append(&mut inner.diagnostics);
        Ok(expr)
    }

    pub(super) fn name(&mut self, pair: Pair<'_, Rule>) -> Name {
        let text: String = pair.as_str().trim_matches('`').nfc().collect();
        Name::new(text, self.span(&pair))
    }

    /// `a, b, c`
    pub(super) fn names(&mut self, pair: Pair<'_, Rule>) -> Vec<Name> {
        self.each(&mut Cursor::into(pair), Rule::name, Self::name)
    }

    pub(super) fn int(&mut self, pair: Pair<'_, Rule>) -> Int {
        let span = self.span(&pair);
        let value = pair.as_str().parse::<u32>().map(i64::from).unwrap_or_else(|_| {
            self.report(mistakes::large_number(span, pair.as_str()));
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
            Rule::value => self.cases(pair),
            Rule::expr => self.chain(pair, Rule::and_expr, ExprKind::Or),
            Rule::and_expr => self.chain(pair, Rule::not_expr, ExprKind::And),
            Rule::not_expr => self.not_expr(pair),
            Rule::no_some => self.no_some(pair),
            Rule::every => self.every(pair),
            Rule::comparison => self.comparison(pair),
            Rule::sum | Rule::set_sum => self.sum(pair),
            Rule::near | Rule::of_near => self.near(pair),
            Rule::worded => self.worded(pair),
            Rule::relation | Rule::is_value => self.expr(only(pair)),
            _ => self.operand(pair),
        }
    }

    /// `claim "I am the doctor"`: side by side, as `put-up Cid` is.
    fn worded(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let name = self.name(cursor.presume(Rule::name));
        let written = self.operand(cursor.presume(Rule::written));
        Expr::new(ExprKind::Narrow(vec![Expr::named(name), written]), span)
    }

    /// `3 when flag else 2`: every condition but the last is followed by `else` and the next value.
    fn cases(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let first = cursor.next().expect("a value begins with an expression");
        let mut value = self.expr(first);
        let parts = cursor.all(Rule::expr);
        let mut cases = Vec::new();
        for part in parts {
            let test = self.expr(part);
            match split_else(&test) {
                Some((test, next)) => cases.push((std::mem::replace(&mut value, next), test)),
                None => self.report(mistakes::case_without_else(test.span)),
            }
        }
        if cases.is_empty() {
            return value;
        }
        Expr::new(
            ExprKind::Cases {
                cases,
                otherwise: Some(value),
            },
            span,
        )
    }

    /// `-9`, `3`
    pub(super) fn signed(&mut self, pair: Pair<'_, Rule>) -> Int {
        let mut cursor = Cursor::into(pair);
        let below = cursor.has(Rule::minus_sign);
        let int = self.int(cursor.presume(Rule::int));
        Int {
            value: if below { -int.value } else { int.value },
            ..int
        }
    }

    /// Rows and columns as cases in cases: which row, and then which column.
    pub(super) fn value_table(&mut self, param: &Param, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut rows = Cursor::into(pair).all(Rule::table_row).into_iter();
        let Some(columns) = rows.next().and_then(|head| self.table_columns(head)) else {
            return nothing(span);
        };
        let row_value = named(&param.name);
        let (mut cases, mut heads) = (Vec::new(), Vec::new());
        for row in rows {
            let row_span = self.span(&row);
            let (head, cells) = self.table_row(row);
            self.check_head("row", &head, &heads);
            // One cell for all columns, or one each.
            let cells = match &cells[..] {
                [only] => vec![only.clone(); columns.len()],
                _ => cells,
            };
            if cells.len() != columns.len() {
                let found = cells.len();
                self.report(mistakes::cells_of_no_column(row_span, found, columns.len()));
            }
            let test = match &head {
                TableCell::Range(range) => is_between(&row_value, range),
                TableCell::Name(name) => compare(&row_value, CompareOp::Is, named(name)),
                TableCell::Value(value) => compare(&row_value, CompareOp::Is, value.clone()),
            };
            heads.push(head);
            let cells = cells.into_iter().map(TableCell::into_value);
            let inner = ExprKind::Cases {
                cases: cells.zip(columns.iter().cloned()).collect(),
                otherwise: None,
            };
            let value = Expr::new(inner, row_span);
            cases.push((value, test));
        }
        Expr::new(
            ExprKind::Cases {
                cases,
                otherwise: None,
            },
            span,
        )
    }

    /// The tests that the first row makes, one for each column.
    fn table_columns(&mut self, row: Pair<'_, Rule>) -> Option<Vec<Expr>> {
        let (head, cells) = self.table_row(row);
        let TableCell::Name(head) = head else {
            self.report(mistakes::table_without_head(head.span()));
            return None;
        };
        let mut columns = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            match cell {
                TableCell::Range(range) => columns.push(is_between(&column_value(&head), range)),
                cell => self.report(mistakes::column_is_a_number(cell.span())),
            }
            self.check_head("column", cell, &cells[..at]);
        }
        Some(columns)
    }

    /// Each row and each column is for values of its own.
    fn check_head(&mut self, what: &str, head: &TableCell, earlier: &[TableCell]) {
        if let TableCell::Range(Range { from, to }) = head
            && from.value > to.value
        {
            self.report(mistakes::headed_backwards(head.span(), (to.value, from.value)));
        } else if let Some(first) = earlier.iter().find(|first| first.meets(head)) {
            self.report(mistakes::headed_twice(head.span(), first.span(), what));
        }
    }

    fn table_row(&mut self, pair: Pair<'_, Rule>) -> (TableCell, Vec<TableCell>) {
        let mut cursor = Cursor::into(pair);
        let head = self.table_cell(cursor.presume(Rule::table_head));
        (head, self.each(&mut cursor, Rule::table_cell, Self::table_cell))
    }

    fn table_cell(&mut self, pair: Pair<'_, Rule>) -> TableCell {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair.clone());
        if let Some(range) = cursor.accept(Rule::range) {
            return TableCell::Range(self.range(range));
        }
        if let Some(name) = cursor.accept(Rule::name) {
            return TableCell::Name(self.name(name));
        }
        let kind = match (cursor.has(Rule::kw_yes), cursor.has(Rule::kw_no)) {
            (true, _) => ExprKind::Truth(true),
            (_, true) => ExprKind::Truth(false),
            _ => ExprKind::Int(self.signed(pair).value),
        };
        TableCell::Value(Expr::new(kind, span))
    }

    /// What stands side by side in a `near`.
    fn operand(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::int => ExprKind::Int(self.int(pair).value),
            Rule::written => ExprKind::Text(self.written(pair)),
            Rule::yes_no => ExprKind::Truth(Cursor::into(pair).has(Rule::kw_yes)),
            Rule::group => ExprKind::Group(self.expr(only(pair))),
            Rule::remainder => {
                let mut cursor = Cursor::into(pair);
                let left = self.expr(cursor.presume(Rule::near));
                let right = self.expr(cursor.presume(Rule::near));
                ExprKind::Binary(BinaryOp::Remainder, left, right)
            }
            Rule::number_of => ExprKind::NumberOf(self.expr(only(pair))),
            Rule::during => ExprKind::During(self.name(only(pair))),
            Rule::times => ExprKind::Times(self.name(only(pair))),
            Rule::planned => ExprKind::Planned(self.name(only(pair))),
            Rule::query | Rule::of_query => ExprKind::Query(self.query(pair)),
            rule => unreachable!("the grammar has no operand {rule:?}"),
        };
        Expr::new(kind, span)
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
            Expr::new(ExprKind::Not(inner), span)
        } else {
            inner
        }
    }

    fn no_some(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let none = cursor.has(Rule::kw_no);
        let set = self.expr(cursor.presume(Rule::sum));
        let kind = if none { ExprKind::No } else { ExprKind::Some };
        Expr::new(kind(set), span)
    }

    fn every(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let set = self.expr(cursor.presume(Rule::sum));
        let negated = cursor.has(Rule::kw_not);
        let is = self.expr(cursor.presume(Rule::sum));
        Expr::new(ExprKind::Every { set, negated, is }, span)
    }

    fn comparison(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let left = self.expr(cursor.presume(Rule::sum));
        let Some(op) = cursor.accept(Rule::is_op) else {
            return left;
        };
        let op = compare_op(op);
        let of = if cursor.has(Rule::half_of) {
            Of::Half
        } else {
            Of::All
        };
        let right = self.expr(cursor.presume(Rule::is_value));
        Expr::new(ExprKind::Compare(left, op, of, right), span)
    }

    fn sum(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let (whole, from) = (pair.as_str(), self.span(&pair).start);
        let mut cursor = Cursor::into(pair);
        let mut left = self.expr(cursor.presume(Rule::near));
        loop {
            if let Some(otherwise) = cursor.accept(Rule::else_written) {
                let right = self.expr(only(otherwise));
                let end = right.span;
                left = binary(BinaryOp::Else, left, right, end);
                continue;
            }
            let op = cursor.accept(Rule::sum_op);
            let Some(op) = op.or_else(|| cursor.accept(Rule::set_op)) else {
                break;
            };
            let sign = self.span(&op);
            let op = binary_op(op);
            let right = self.expr(cursor.presume(Rule::near));
            let rounded = cursor.accept(Rule::rounded);
            let end = rounded.as_ref().map_or(right.span, |rounded| self.span(rounded));
            let op = match (op, rounded.map(|rounded| Cursor::into(rounded).has(Rule::kw_up))) {
                (BinaryOp::DivideDown, Some(true)) => BinaryOp::DivideUp,
                (BinaryOp::DivideDown, Some(false)) => op,
                (BinaryOp::DivideDown, None) => {
                    let all = whole.get(..(end.end - from) as usize).unwrap_or(whole);
                    let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
                    let is_one = !matches!(&*left.kind, ExprKind::Binary(..));
                    self.report(mistakes::not_rounded(sign, &all, is_one));
                    op
                }
                (_, Some(_)) => {
                    self.report(mistakes::rounds_no_division(end));
                    op
                }
                (_, None) => op,
            };
            left = binary(op, left, right, end);
        }
        let Some(test) = cursor.accept(Rule::relation) else {
            return left;
        };
        let test = self.expr(test);
        let span = left.span.to(test.span);
        Expr::new(ExprKind::Where { set: left, test }, span)
    }

    fn near(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair.clone());
        if cursor.has(Rule::minus_sign) {
            return Expr::new(ExprKind::Int(self.signed(pair).value), span);
        }
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
                self.report(mistakes::of_behind_brackets(part));
            }
        }
    }

    pub(super) fn query(&mut self, pair: Pair<'_, Rule>) -> Query {
        let mut cursor = Cursor::into(pair);
        Query {
            name: self.name(cursor.presume(Rule::name)),
            number: self.maybe(&mut cursor, Rule::int, Self::int),
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
        named(&self.name(pair))
    }
}

/// A cell of a table of values.
#[derive(Clone)]
enum TableCell {
    Range(Range),
    Name(Name),
    Value(Expr),
}

impl TableCell {
    /// Whether two heads are for one value. Names are told apart by their letters alone.
    fn meets(&self, other: &TableCell) -> bool {
        match (self, other) {
            (TableCell::Range(one), TableCell::Range(two)) => {
                one.from.value <= two.to.value && two.from.value <= one.to.value
            }
            (TableCell::Name(one), TableCell::Name(two)) => one.text == two.text,
            _ => false,
        }
    }

    fn span(&self) -> Span {
        match self {
            TableCell::Range(range) => range.from.span.to(range.to.span),
            TableCell::Name(name) => name.span,
            TableCell::Value(value) => value.span,
        }
    }

    fn into_value(self) -> Expr {
        match self {
            TableCell::Range(range) => int(&range.from),
            TableCell::Name(name) => named(&name),
            TableCell::Value(value) => value,
        }
    }
}

fn int(&Int { value, span }: &Int) -> Expr {
    Expr::new(ExprKind::Int(value), span)
}

fn nothing(span: Span) -> Expr {
    int(&Int { value: 0, span })
}

fn named(name: &Name) -> Expr {
    let query = Query {
        name: name.clone(),
        number: None,
        count: None,
        of: None,
        among: None,
        weighing: None,
    };
    Expr::new(ExprKind::Query(query), name.span)
}

/// What the head of a table counts: `players` are as many as there are, all else is a number itself.
fn column_value(head: &Name) -> Expr {
    let value = named(head);
    if head.text != "players" {
        return value;
    }
    Expr::new(ExprKind::NumberOf(value), head.span)
}

fn compare(left: &Expr, op: CompareOp, right: Expr) -> Expr {
    let span = right.span;
    Expr::new(ExprKind::Compare(left.clone(), op, Of::All, right), span)
}

fn is_between(value: &Expr, range: &Range) -> Expr {
    if range.from == range.to {
        return compare(value, CompareOp::Is, int(&range.from));
    }
    let kind = ExprKind::And(vec![
        compare(value, CompareOp::AtLeast, int(&range.from)),
        compare(value, CompareOp::AtMost, int(&range.to)),
    ]);
    Expr::new(kind, range.from.span.to(range.to.span))
}

/// `number of living is at least 7 else 2`: the condition, and what stands behind its first `else` outside
/// of brackets.
fn split_else(expr: &Expr) -> Option<(Expr, Expr)> {
    let again = |inner: &Expr, kind: &dyn Fn(Expr) -> ExprKind| {
        let (inner, next) = split_else(inner)?;
        let span = Span {
            end: inner.span.end,
            ..expr.span
        };
        let kind = Box::new(kind(inner));
        Some((Expr { kind, span }, next))
    };
    match &*expr.kind {
        ExprKind::Binary(..) => split_sum(expr),
        ExprKind::Where { set, test } => again(test, &|test| ExprKind::Where {
            set: set.clone(),
            test,
        }),
        ExprKind::NumberOf(set) => again(set, &ExprKind::NumberOf),
        ExprKind::No(set) => again(set, &ExprKind::No),
        ExprKind::Some(set) => again(set, &ExprKind::Some),
        ExprKind::Not(inner) => again(inner, &ExprKind::Not),
        ExprKind::Every { set, negated, is } => again(is, &|is| ExprKind::Every {
            set: set.clone(),
            negated: *negated,
            is,
        }),
        ExprKind::Compare(left, op, of, right) => {
            again(right, &|right| ExprKind::Compare(left.clone(), *op, *of, right))
        }
        ExprKind::And(items) | ExprKind::Or(items) => {
            let (last, before) = items.split_last()?;
            again(last, &|last| {
                let items = before.iter().cloned().chain([last]).collect();
                match &*expr.kind {
                    ExprKind::And(_) => ExprKind::And(items),
                    _ => ExprKind::Or(items),
                }
            })
        }
        _ => None,
    }
}

/// A sum is read from the left, so its first `else` stands innermost.
fn split_sum(expr: &Expr) -> Option<(Expr, Expr)> {
    let ExprKind::Binary(op, left, right) = &*expr.kind else {
        return split_else(expr);
    };
    if let ExprKind::Binary(..) | ExprKind::NumberOf(_) = &*left.kind
        && let Some((test, next)) = split_sum(left)
    {
        let span = next.span.to(right.span);
        let kind = ExprKind::Binary(*op, next, right.clone());
        return Some((test, Expr::new(kind, span)));
    }
    if *op == BinaryOp::Else {
        return Some((left.clone(), right.clone()));
    }
    let (right, next) = split_else(right)?;
    let span = left.span.to(right.span);
    let kind = ExprKind::Binary(*op, left.clone(), right);
    Some((Expr::new(kind, span), next))
}

/// The only part, or what several come to.
fn one_or(span: Span, mut parts: Vec<Expr>, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            Expr::new(kind(parts), span)
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

/// Two operands joined. What is multiplied joins only the last operand of a sum before it; one in brackets
/// is no sum.
fn binary(op: BinaryOp, left: Expr, right: Expr, end: Span) -> Expr {
    let span = left.span.to(end);
    let kind = match *left.kind {
        ExprKind::Binary(first, before, last) if op.binds_tight() && !first.binds_tight() => {
            ExprKind::Binary(first, before, binary(op, last, right, end))
        }
        kind => ExprKind::Binary(op, Expr::new(kind, left.span), right),
    };
    Expr::new(kind, span)
}

fn binary_op(pair: Pair<'_, Rule>) -> BinaryOp {
    match pair.as_str() {
        "plus" => BinaryOp::Plus,
        "without" => BinaryOp::Without,
        "else" => BinaryOp::Else,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "/" => BinaryOp::DivideDown,
        _ => BinaryOp::Multiply,
    }
}
