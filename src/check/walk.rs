//! Goes through trees: the expressions of a declaration, of a statement, of an expression.
//!
//! Knows where expressions stand and nothing of what they mean.

use crate::happening::for_each_statement;
use omerta_syntax::tree::{
    Ask, AskMode, Domain, Expr, ExprKind, Happen, Item, ItemKind, OrNobody, Pick, Place, PolicyLine,
    Question, Shown, Statement, StatementKind, Text, TextPiece, Verdict,
};

/// Every expression of a declaration, those inside others too.
pub fn for_each_expr(item: &Item, visit: &mut dyn FnMut(&Expr)) {
    for expr in heads(&item.kind) {
        deep(expr, visit);
    }
    for_each_statement(&item.kind, &mut |statement| {
        for expr in of_statement(statement) {
            deep(expr, visit);
        }
    });
}

/// An expression and all inside it.
pub fn deep(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    for inner in inside(expr) {
        deep(inner, visit);
    }
}

/// The expressions in a declaration's head.
fn heads<'a>(kind: &'a ItemKind) -> Vec<&'a Expr> {
    match kind {
        ItemKind::Require { test, .. } | ItemKind::Warn { test, .. } => vec![test],
        ItemKind::Define { value, .. } => vec![value],
        ItemKind::Include { value, when, .. }
        | ItemKind::Exclude { value, when, .. }
        | ItemKind::Add { value, when, .. } => [value].into_iter().chain(when).collect(),
        ItemKind::Rule(rule) => {
            let patterns = rule.happening.of.iter().chain(&rule.happening.by).map(|p| &p.set);
            patterns.chain(&rule.when).collect()
        }
        ItemKind::Allow(allow) => {
            let pick = allow.pick.iter().flat_map(of_pick);
            [&allow.who].into_iter().chain(pick).chain(&allow.when).collect()
        }
        ItemKind::Ending(ending) => match &ending.verdict {
            Verdict::Win(set) | Verdict::Lose(set) => vec![set, &ending.when],
            _ => vec![&ending.when],
        },
        ItemKind::Policy(policy) => {
            let of_line = |line: &'a PolicyLine| line.by.iter().chain(&line.when).chain(&line.wishes);
            policy.lines.iter().flat_map(of_line).collect()
        }
        _ => Vec::new(),
    }
}

/// The expressions that stand in a statement itself, not in the blocks of it.
pub fn of_statement(statement: &Statement) -> Vec<&Expr> {
    match &statement.kind {
        StatementKind::Say { text, .. } | StatementKind::Wait { text: Some(text), .. } => slots(text),
        StatementKind::Tell { who, text, .. } => [who].into_iter().chain(slots(text)).collect(),
        StatementKind::Show {
            what: Shown::Text(text),
            who,
            ..
        } => [who].into_iter().chain(slots(text)).collect(),
        StatementKind::Show {
            what: Shown::Value(value),
            who,
            ..
        } => vec![value, who],
        StatementKind::Ask(ask) => of_ask(ask),
        StatementKind::Draw { count, domain, .. } => count.iter().chain(of_domain(domain)).collect(),
        StatementKind::If { test, .. } => vec![test],
        StatementKind::ForEach { set, from, .. } => [set].into_iter().chain(from).collect(),
        StatementKind::Play { of, .. } => of.iter().collect(),
        StatementKind::Do(happen) | StatementKind::Plan(happen) => of_happen(happen),
        StatementKind::Cancel { of, by, .. } => of.iter().chain(by).collect(),
        StatementKind::Win { set, when } | StatementKind::Lose { set, when } => {
            [set].into_iter().chain(when).collect()
        }
        other => of_change(other),
    }
}

fn of_change(kind: &StatementKind) -> Vec<&Expr> {
    match kind {
        StatementKind::Mark { set, .. } | StatementKind::Unmark { set, .. } => vec![set],
        StatementKind::Turn { set, role } => vec![set, role],
        StatementKind::Link { from, to, .. } => vec![from, to],
        StatementKind::Unlink { from, .. } => vec![from],
        StatementKind::Let { value, .. } => vec![value],
        StatementKind::Set { of, value, .. } | StatementKind::Add { value, of, .. } => {
            of.iter().chain([value]).collect()
        }
        StatementKind::Deal { from, to } => of_place(from).chain(of_place(to)).collect(),
        StatementKind::Swap { a, b } => of_place(a).chain(of_place(b)).collect(),
        StatementKind::Shuffle(place)
        | StatementKind::PutCast { place }
        | StatementKind::Put { place, .. } => of_place(place).collect(),
        StatementKind::Move { count, what, to, .. } => {
            count.iter().chain([what]).chain(of_place(to)).collect()
        }
        StatementKind::Flip { what, .. } => vec![what],
        _ => Vec::new(),
    }
}

fn of_ask(ask: &Ask) -> Vec<&Expr> {
    let mut out = vec![&ask.who];
    if let AskMode::InOrder(Some(from)) = &ask.mode {
        out.push(from);
    }
    match &ask.question {
        Question::For {
            amount,
            domain,
            or_nobody,
            ..
        } => {
            out.extend(amount.iter().map(|amount| &amount.count));
            out.extend(of_domain(domain));
            if let OrNobody::When(when) = or_nobody {
                out.push(when);
            }
        }
        Question::Whether(_) => {}
        Question::Menu(_, branches) => {
            for branch in branches {
                out.extend(branch.pick.iter().flat_map(of_pick).chain(&branch.when));
            }
        }
    }
    out.extend(ask.text.iter().flat_map(slots));
    out
}

fn of_pick(pick: &Pick) -> Vec<&Expr> {
    of_domain(&pick.domain)
}

fn of_domain(domain: &Domain) -> Vec<&Expr> {
    match domain {
        Domain::Set(set) | Domain::Unseen(set) => vec![set],
        Domain::Numbers(low, high) => vec![low, high],
        Domain::Weighted(_) => Vec::new(),
    }
}

fn of_happen(happen: &Happen) -> Vec<&Expr> {
    happen.of.iter().chain(&happen.by).chain(&happen.with).collect()
}

fn of_place(place: &Place) -> impl Iterator<Item = &Expr> {
    place.of.iter()
}

fn slots(text: &Text) -> Vec<&Expr> {
    pieces(&text.pieces)
}

fn pieces(list: &[TextPiece]) -> Vec<&Expr> {
    list.iter()
        .flat_map(|piece| match piece {
            TextPiece::Words(_) => Vec::new(),
            TextPiece::Slot(expr) => vec![expr],
            TextPiece::Choice {
                value,
                none,
                one,
                many,
            } => [value]
                .into_iter()
                .chain(pieces(none))
                .chain(pieces(one))
                .chain(pieces(many))
                .collect(),
        })
        .collect()
}

/// The expressions an expression is made of.
pub fn inside(expr: &Expr) -> Vec<&Expr> {
    match &*expr.kind {
        ExprKind::Query(query) => {
            let parts = query.count.iter().chain(&query.of);
            parts.chain(&query.among).collect()
        }
        ExprKind::Group(inner)
        | ExprKind::NumberOf(inner)
        | ExprKind::No(inner)
        | ExprKind::Some(inner)
        | ExprKind::Not(inner) => vec![inner],
        ExprKind::Narrow(items) | ExprKind::And(items) | ExprKind::Or(items) => items.iter().collect(),
        ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => vec![left, right],
        ExprKind::Where { set, test } => vec![set, test],
        ExprKind::Every { set, is, .. } => vec![set, is],
        ExprKind::Cases { cases, otherwise } => {
            let cases = cases.iter().flat_map(|(value, test)| [value, test]);
            cases.chain(otherwise).collect()
        }
        _ => Vec::new(),
    }
}
