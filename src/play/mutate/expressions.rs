//! Changes to conditions, sets and numbers.

use super::edit::Changes;
use omerta_syntax::tree::{BinaryOp, CompareOp, Domain, Expr, ExprKind, Of, Query};

/// Words that are easily taken for one another.
const OPPOSITES: [(&str, &str); 9] = [
    ("left", "right"),
    ("right", "left"),
    ("first", "last"),
    ("last", "first"),
    ("highest", "lowest"),
    ("lowest", "highest"),
    ("most", "majority"),
    ("common", "most"),
    ("majority", "most"),
];

impl Changes<'_> {
    /// What may be changed in an expression, whatever it is for.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Int(value) => self.number_at(expr.span, *value),
            ExprKind::Truth(_)
            | ExprKind::No(_)
            | ExprKind::Some(_)
            | ExprKind::Every { .. }
            | ExprKind::Compare(..)
            | ExprKind::Not(_)
            | ExprKind::And(_)
            | ExprKind::Or(_) => self.condition(expr),
            ExprKind::Text(_) => self.replace(expr.span, "\"something else\"", "another text"),
            ExprKind::Query(query) => self.query(query, expr),
            ExprKind::Group(inner) | ExprKind::NumberOf(inner) => self.expr(inner),
            ExprKind::Narrow(words) => self.narrow(words, expr),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Where { set, test } => {
                self.replace(expr.span, self.slice(set.span), "without its `where`");
                match self.slice(set.span) {
                    "players" => {}
                    _ => self.set(set),
                }
                self.condition(test);
            }
            ExprKind::Cases { cases, otherwise } => {
                for (value, test) in cases {
                    self.expr(value);
                    // What a table says of its rows and columns stands before their values, in no words.
                    if value.span.start < test.span.start {
                        self.condition(test);
                    }
                }
                otherwise.iter().for_each(|value| self.expr(value));
            }
            ExprKind::During(_) | ExprKind::Times(_) | ExprKind::Planned(_) => {}
        }
    }

    /// A condition, turned round as a whole and in its parts.
    pub(super) fn condition(&mut self, expr: &Expr) {
        let words = self.slice(expr.span);
        match &*expr.kind {
            ExprKind::And(parts) => self.parts(parts, "and", "or", expr),
            ExprKind::Or(parts) => self.parts(parts, "or", "and", expr),
            ExprKind::Group(inner) => self.condition(inner),
            ExprKind::Not(inner) => {
                self.replace(expr.span, self.slice(inner.span), "condition turned round");
                self.inside(inner);
            }
            ExprKind::No(set) => {
                self.replace(
                    expr.span,
                    format!("some {}", self.slice(set.span)),
                    "condition turned round",
                );
                self.expr(set);
            }
            ExprKind::Some(set) => {
                self.every_for_some(set, expr);
                self.replace(
                    expr.span,
                    format!("no {}", self.slice(set.span)),
                    "condition turned round",
                );
                self.expr(set);
            }
            ExprKind::Truth(truth) => {
                self.replace(expr.span, if *truth { "no" } else { "yes" }, "the other answer");
            }
            ExprKind::Compare(left, op, of, right) => {
                self.comparison(left, *op, *of == Of::Half, right);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Every { set, negated, is } => {
                self.replace(expr.span, format!("not ({words})"), "condition turned round");
                self.every(set, *negated, is, expr);
                self.expr(set);
                self.expr(is);
            }
            _ => {
                self.replace(expr.span, format!("not ({words})"), "condition turned round");
                self.expr(expr);
            }
        }
    }

    /// `some living Guild`: `every living is Guild`.
    fn every_for_some(&mut self, set: &Expr, whole: &Expr) {
        if let ExprKind::Narrow(words) = &*set.kind
            && let [before @ .., last] = &words[..]
        {
            let from = self.range(set.span).start;
            let end = before.last().map_or(from, |word| self.range(word.span).end);
            let (all, last) = (&self.text[from..end], self.slice(last.span));
            self.replace(whole.span, format!("every {all} is {last}"), "`every` for `some`");
        }
    }

    /// `every living is Guild`: one of them is enough, and the denial.
    fn every(&mut self, set: &Expr, negated: bool, is: &Expr, whole: &Expr) {
        let (all, test) = (self.slice(set.span), self.slice(is.span));
        let (now, other) = if negated {
            ("is not", "is")
        } else {
            ("is", "is not")
        };
        self.replace(
            whole.span,
            format!("some (({all}) where it {now} {test})"),
            "`some` for `every`",
        );
        self.replace(
            whole.span,
            format!("every {all} {other} {test}"),
            format!("`{other}` for `{now}`"),
        );
    }

    /// What stands behind `not`: turned round it would only be turned back.
    fn inside(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Group(inner) => self.inside(inner),
            ExprKind::No(set) | ExprKind::Some(set) => self.expr(set),
            ExprKind::Compare(left, _, _, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Every { set, is, .. } => {
                self.expr(set);
                self.expr(is);
            }
            ExprKind::And(_) | ExprKind::Or(_) => self.condition(expr),
            ExprKind::Truth(_) => {}
            _ => self.expr(expr),
        }
    }

    fn parts(&mut self, parts: &[Expr], word: &str, other: &str, whole: &Expr) {
        let ranges: Vec<_> = parts.iter().map(|part| self.range(part.span)).collect();
        let gaps = ranges
            .windows(2)
            .filter_map(|pair| self.word(word, pair[0].end..pair[1].start));
        let edits = gaps.map(|gap| (gap, other.to_owned())).collect();
        self.edit_all(edits, format!("`{other}` for `{word}`"));
        for (index, part) in parts.iter().enumerate() {
            let cut = match ranges.get(index + 1) {
                Some(next) => ranges[index].start..next.start,
                None => ranges[index - 1].end..self.range(whole.span).end,
            };
            self.edit(cut, "", "part of the condition dropped");
            self.condition(part);
        }
    }

    fn comparison(&mut self, left: &Expr, op: CompareOp, half: bool, right: &Expr) {
        let gap = self.range(left.span).end..self.range(right.span).start;
        if half && let Some(word) = self.word("half", gap.clone()) {
            self.edit(word.start..gap.end, "", "of all instead of half");
        }
        let half = if half { "half of " } else { "" };
        for other in others(op) {
            self.edit(gap.clone(), format!(" {other} {half}"), "another comparison");
        }
    }

    fn query(&mut self, query: &Query, whole: &Expr) {
        let opposite = OPPOSITES.iter().find(|(word, _)| *word == query.name.text);
        if let Some((_, other)) = opposite {
            self.replace(query.name.span, *other, "the opposite");
        }
        if query.of.is_none()
            && let Some(other) = self.words.get(&query.name.text).cloned()
        {
            self.replace(query.name.span, other, "another word");
        }
        if let Some(number) = query.number {
            self.number(number);
        }
        if let (Some(weighing), whole) = (&query.weighing, self.range(whole.span)) {
            let name = self.range(weighing.span);
            if let Some(word) = self.word("weighing", whole.start..name.start) {
                self.drop_range(word.start..name.end, "without its weights");
            }
        }
        if let Some(count) = &query.count {
            self.expr(count);
        }
        if let Some(of) = &query.of {
            self.expr(of);
        }
        if let Some(among) = &query.among {
            let name = self.range(query.name.span).end;
            let whole = self.range(whole.span);
            if let Some(word) = self.word("among", name..self.range(among.span).start) {
                let end = self.text[self.range(among.span).end..whole.end].find(')');
                let end = end.map_or(whole.end, |at| self.range(among.span).end + at + 1);
                self.drop_range(word.start..end, "among everybody");
            }
            self.expr(among);
        }
    }

    fn narrow(&mut self, words: &[Expr], whole: &Expr) {
        for (index, word) in words.iter().enumerate() {
            let rest: Vec<&str> = words
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .map(|(_, other)| self.slice(other.span))
                .collect();
            self.replace(
                whole.span,
                rest.join(" "),
                format!("`{}` dropped", self.slice(word.span)),
            );
            self.expr(word);
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, whole: &Expr) {
        let (a, b) = (self.slice(left.span), self.slice(right.span));
        let gap = self.range(left.span).end..self.range(right.span).start;
        match op {
            BinaryOp::Plus | BinaryOp::Else => {
                self.replace(whole.span, a, format!("`{b}` dropped"));
                self.replace(whole.span, b, format!("`{a}` dropped"));
                if op == BinaryOp::Else {
                    self.the_other_way(left, right);
                }
            }
            BinaryOp::Without => {
                self.replace(whole.span, a, format!("`without {b}` dropped"));
                self.the_other_way(left, right);
            }
            BinaryOp::Add => self.edit(gap, " - ", "`-` for `+`"),
            BinaryOp::Subtract => {
                self.edit(gap, " + ", "`+` for `-`");
                self.the_other_way(left, right);
            }
            BinaryOp::Multiply => self.edit(gap, " + ", "`+` for `*`"),
            BinaryOp::DivideUp => self.rounded(right, whole, "down"),
            BinaryOp::DivideDown => self.rounded(right, whole, "up"),
            BinaryOp::Remainder => self.replace(whole.span, a, format!("`remainder of … / {b}` dropped")),
        }
        self.expr(left);
        self.expr(right);
    }

    /// A division rounded the other way.
    fn rounded(&mut self, right: &Expr, whole: &Expr, way: &str) {
        let behind = self.range(right.span).end..self.range(whole.span).end;
        self.edit(behind, format!(" rounded {way}"), format!("rounded {way}"));
    }

    /// Two operands change places.
    pub(super) fn the_other_way(&mut self, left: &Expr, right: &Expr) {
        let (a, b) = (self.slice(left.span), self.slice(right.span));
        if a != b {
            let edits = vec![
                (self.range(left.span), b.to_owned()),
                (self.range(right.span), a.to_owned()),
            ];
            self.edit_all(edits, "the other way round");
        }
    }

    /// Among what one chooses: all instead of some.
    pub(super) fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Set(set) | Domain::Unseen(set) => self.set(set),
            Domain::Numbers(from, to) => {
                if !matches!(*to.kind, ExprKind::Int(_)) {
                    self.insert(self.range(to.span).end, " - 1", "without the last number");
                    self.insert(self.range(to.span).end, " + 1", "a number further");
                }
                self.expr(from);
                self.expr(to);
            }
            // How likely something is no scenario can see.
            Domain::Weighted(_) => {}
            // Only where it says so itself: what is left out cannot be changed.
            Domain::Written { most } => match self.slice(most.span).parse::<i64>() {
                Ok(letters) if letters > 1 => self.number_at(most.span, letters),
                _ => {}
            },
        }
    }

    /// A set of people that could as well be all.
    pub(super) fn set(&mut self, set: &Expr) {
        self.replace(set.span, "players", "everybody");
        self.expr(set);
    }
}

/// What a comparison could be mistaken for: its opposite, and its neighbour at the edge.
fn others(op: CompareOp) -> &'static [&'static str] {
    match op {
        CompareOp::Is | CompareOp::Exactly => &["is not"],
        CompareOp::IsNot => &["is"],
        CompareOp::AtLeast => &["is more than", "is less than"],
        CompareOp::AtMost => &["is less than", "is more than"],
        CompareOp::MoreThan => &["is at least", "is at most"],
        CompareOp::LessThan => &["is at most", "is at least"],
    }
}
