//! Changes to conditions, sets and numbers.

use super::edit::Changes;
use omerta_syntax::tree::{BinaryOp, CompareOp, Domain, Expr, ExprKind, Query};

/// Words that are easily taken for one another.
const OPPOSITES: [(&str, &str); 6] = [
    ("left", "right"),
    ("right", "left"),
    ("first", "last"),
    ("last", "first"),
    ("highest", "lowest"),
    ("lowest", "highest"),
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
            | ExprKind::Compare { .. }
            | ExprKind::Not(_)
            | ExprKind::And(_)
            | ExprKind::Or(_) => self.condition(expr),
            ExprKind::Query(query) => self.query(query, expr),
            ExprKind::Group(inner) | ExprKind::NumberOf(inner) => self.expr(inner),
            ExprKind::Narrow(words) => self.narrow(words, expr),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, expr),
            ExprKind::Where { set, test } => {
                self.replace(expr.span, self.slice(set.span), "without its `where`");
                self.expr(set);
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
            ExprKind::Compare {
                left,
                op,
                half,
                right,
            } => {
                self.comparison(left, *op, *half, right);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Every { set, is, .. } => {
                self.replace(expr.span, format!("not ({words})"), "condition turned round");
                self.expr(set);
                self.expr(is);
            }
            _ => {
                self.replace(expr.span, format!("not ({words})"), "condition turned round");
                self.expr(expr);
            }
        }
    }

    /// What stands behind `not`: turned round it would only be turned back.
    fn inside(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Group(inner) => self.inside(inner),
            ExprKind::No(set) | ExprKind::Some(set) => self.expr(set),
            ExprKind::Compare { left, right, .. } => {
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
            }
            BinaryOp::Without => self.replace(whole.span, a, format!("`without {b}` dropped")),
            BinaryOp::Add => self.edit(gap, " - ", "`-` for `+`"),
            BinaryOp::Subtract => self.edit(gap, " + ", "`+` for `-`"),
            BinaryOp::Multiply => self.edit(gap, " + ", "`+` for `*`"),
        }
        self.expr(left);
        self.expr(right);
    }

    /// Among what one chooses: all instead of some.
    pub(super) fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Set(set) | Domain::Unseen(set) => self.set(set),
            Domain::Numbers(from, to) => {
                self.expr(from);
                self.expr(to);
            }
            // How likely something is no scenario can see.
            Domain::Weighted(_) => {}
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
