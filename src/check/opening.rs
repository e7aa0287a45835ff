//! Endings that hold as soon as the cards are dealt, and those that do not and never will.
//!
//! Works a test out on the deal of each column of each cast table, with nobody marked; a test that needs
//! more than the cards is left alone.

use crate::symbol::{Meaning, Symbols};
use crate::table::DefineTable;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::plural::so_many;
use omerta_core::rules::{
    Cast, CastColumn, EventId, FactId, GroupId, GroupKind, Ruleset,
    reach::{Reach, cards_stay},
};
use omerta_core::source::Span;
use omerta_syntax::tree::{BinaryOp, CompareOp, Ending, Expr, ExprKind, Of, Query, Verdict};
use std::{cell::RefCell, collections::BTreeSet};

/// How many defines are looked through.
const DEPTH: usize = 16;

/// A value on the deal.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Seats(u64),
    Number(i64),
    Truth(bool),
}

/// A table with its cards just dealt: the role at each seat.
struct Dealt<'a> {
    rules: &'a Ruleset,
    symbols: &'a Symbols,
    defines: &'a DefineTable,
    roles: Vec<GroupId>,
    /// The marks and flags that were looked at, none of which is set yet.
    looked_at: RefCell<BTreeSet<FactId>>,
}

/// Looks for endings that hold at once, and for those that never will.
pub(super) fn lint(
    rules: &Ruleset,
    (symbols, defines): (&Symbols, &DefineTable),
    endings: &[&Ending],
    published: &BTreeSet<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (reach, stays) = (Reach::of_game(rules), cards_stay(rules));
    // With a card to spare nobody knows which one is left over.
    if rules.spare > 0 || rules.spare_rest {
        return;
    }
    for ending in endings
        .iter()
        .filter(|e| !matches!(e.verdict, Verdict::Judged(_)) && !is_last_of_several(e, endings))
    {
        let mut never = Some(BTreeSet::new());
        for (cast, roles) in deals(rules) {
            let deal = Dealt {
                rules,
                symbols,
                defines,
                roles,
                looked_at: RefCell::default(),
            };
            match deal.value(&ending.when, DEPTH) {
                Some(Value::Truth(true)) => {
                    diagnostics.push(over_at_once(ending.when.span, cast.origin, deal.roles.len()));
                    never = None;
                    break;
                }
                Some(Value::Truth(false)) => {
                    let looked_at = deal.looked_at.into_inner();
                    never.iter_mut().for_each(|never| never.extend(&looked_at));
                }
                _ => never = None,
            }
        }
        let marks = never.filter(|marks| {
            let may_be_set =
                |mark: &FactId| reach.sets(*mark) || published.contains(&*rules.facts[mark.index()].name);
            stays && !marks.is_empty() && !marks.iter().any(may_be_set)
        });
        let unchanging = marks.and_then(|marks| nothing_changes(rules, published, &marks, ending.when.span));
        diagnostics.extend(unchanging);
    }
}

/// `ending else-so: win Guild when yes`, behind all others: how it ends when none of them holds.
fn is_last_of_several(ending: &Ending, endings: &[&Ending]) -> bool {
    let is_last = endings.last().is_some_and(|last| std::ptr::eq(*last, ending));
    endings.len() > 1 && is_last && ending.is_for_all_else()
}

/// An ending that looks at nothing which ever changes; where an event would change it, that event is named. Rules that
/// are laid on these may do what is published for them.
fn nothing_changes(
    rules: &Ruleset,
    published: &BTreeSet<&str>,
    marks: &BTreeSet<FactId>,
    test: Span,
) -> Option<Diagnostic> {
    let names = marks
        .iter()
        .map(|mark| format!("`{}`", rules.facts[mark.index()].name));
    let names = names.collect::<Vec<_>>().join(" or ");
    let events = rules.events.iter().enumerate();
    let sets = events.filter(|(at, _)| {
        let of_it = Reach::of_event(rules, EventId(*at as u16));
        marks.iter().any(|mark| of_it.sets(*mark))
    });
    let sets: Vec<&str> = sets.map(|(_, event)| event.name.as_str()).collect();
    match sets.first() {
        _ if sets.iter().any(|event| published.contains(event)) => None,
        Some(event) => Some(never_done(test, &names, event)),
        None => Some(never_set(test, &names)),
    }
}

/// Every deal that a table can lead to, for the smallest and the largest number of each column; none where roles are drawn.
fn deals(rules: &Ruleset) -> impl Iterator<Item = (&Cast, Vec<GroupId>)> {
    let columns = rules
        .casts
        .iter()
        .flat_map(|cast| cast.columns.iter().map(move |column| (cast, column)));
    columns.flat_map(|(cast, column)| {
        let sizes = [column.from, column.to];
        sizes
            .into_iter()
            .filter_map(move |size| Some((cast, deal(column, usize::from(size))?)))
            .filter(|(_, roles)| !roles.iter().any(|role| rules.is_open(*role)))
    })
}

fn deal(column: &CastColumn, size: usize) -> Option<Vec<GroupId>> {
    let mut roles: Vec<GroupId> = Vec::new();
    for (role, count) in &column.cards {
        roles.extend(std::iter::repeat_n(*role, usize::from(*count)));
    }
    if let Some(rest) = column.rest {
        roles.resize(size.max(roles.len()), rest);
    }
    (roles.len() == size && size > 0 && size <= 64).then_some(roles)
}

impl Dealt<'_> {
    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.roles.len())
    }

    fn value(&self, expr: &Expr, depth: usize) -> Option<Value> {
        match &*expr.kind {
            ExprKind::Int(value) => Some(Value::Number(*value)),
            ExprKind::Truth(value) => Some(Value::Truth(*value)),
            ExprKind::Group(inner) => self.value(inner, depth),
            ExprKind::Query(query) => self.query(query, depth),
            ExprKind::Narrow(items) => {
                let mut seats = self.all();
                for item in items {
                    seats &= self.seats(item, depth)?;
                }
                Some(Value::Seats(seats))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, depth),
            ExprKind::NumberOf(set) => Some(Value::Number(i64::from(self.seats(set, depth)?.count_ones()))),
            ExprKind::No(set) => Some(Value::Truth(self.seats(set, depth)? == 0)),
            ExprKind::Some(set) => Some(Value::Truth(self.seats(set, depth)? != 0)),
            ExprKind::Every { set, negated, is } => {
                let (set, is) = (self.seats(set, depth)?, self.seats(is, depth)?);
                let strays = if *negated { set & is } else { set & !is };
                Some(Value::Truth(set != 0 && strays == 0))
            }
            ExprKind::Compare(left, op, of, right) => self.compare(left, *op, *of == Of::Half, right, depth),
            ExprKind::Not(inner) => self.truth(inner, depth).map(|t| Value::Truth(!t)),
            ExprKind::And(items) => self.all_hold(items, depth).map(Value::Truth),
            ExprKind::Or(items) => self.one_holds(items, depth).map(Value::Truth),
            _ => None,
        }
    }

    fn all_hold(&self, items: &[Expr], depth: usize) -> Option<bool> {
        let mut items = items.iter();
        items.try_fold(true, |all, item| Some(all & self.truth(item, depth)?))
    }

    fn one_holds(&self, items: &[Expr], depth: usize) -> Option<bool> {
        let mut items = items.iter();
        items.try_fold(false, |any, item| Some(any | self.truth(item, depth)?))
    }

    fn seats(&self, expr: &Expr, depth: usize) -> Option<u64> {
        match self.value(expr, depth)? {
            Value::Seats(seats) => Some(seats),
            _ => None,
        }
    }

    fn truth(&self, expr: &Expr, depth: usize) -> Option<bool> {
        match self.value(expr, depth)? {
            Value::Truth(truth) => Some(truth),
            _ => None,
        }
    }

    fn number(&self, expr: &Expr, depth: usize) -> Option<i64> {
        match self.value(expr, depth)? {
            Value::Seats(seats) => Some(i64::from(seats.count_ones())),
            Value::Number(number) => Some(number),
            Value::Truth(_) => None,
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, depth: usize) -> Option<Value> {
        match op {
            BinaryOp::Plus => Some(Value::Seats(self.seats(left, depth)? | self.seats(right, depth)?)),
            // Who is out, or otherwise marked, is nobody yet.
            BinaryOp::Without if self.is_mark(right) => self.value(left, depth),
            BinaryOp::Without => Some(Value::Seats(
                self.seats(left, depth)? & !self.seats(right, depth)?,
            )),
            BinaryOp::Else => None,
            op => Some(Value::Number(
                op.of_numbers(self.number(left, depth)?, self.number(right, depth)?)?,
            )),
        }
    }

    fn is_mark(&self, expr: &Expr) -> bool {
        let ExprKind::Query(Query { name, of: None, .. }) = &*expr.kind else {
            return false;
        };
        let Some(Meaning::Fact(fact)) = self.symbols.meaning(&name.text) else {
            return false;
        };
        let is_mark = self.rules.facts[fact.index()].shape.is_mark();
        self.looked_at.borrow_mut().extend(is_mark.then_some(fact));
        is_mark
    }

    fn compare(&self, left: &Expr, op: CompareOp, half: bool, right: &Expr, depth: usize) -> Option<Value> {
        if matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly) && !half {
            let same = match (self.value(left, depth)?, self.value(right, depth)?) {
                (Value::Seats(a), Value::Seats(b)) if op != CompareOp::Exactly && !right.is_nobody() => {
                    a != 0 && a & !b == 0
                }
                (a, b) => a == b,
            };
            return Some(Value::Truth(same == (op != CompareOp::IsNot)));
        }
        let (mut a, b) = (self.number(left, depth)?, self.number(right, depth)?);
        if half {
            a = a.checked_mul(2)?;
        }
        Some(Value::Truth(match op {
            CompareOp::AtLeast => a >= b,
            CompareOp::AtMost => a <= b,
            CompareOp::MoreThan => a > b,
            CompareOp::LessThan => a < b,
            CompareOp::Is | CompareOp::Exactly => a == b,
            CompareOp::IsNot => a != b,
        }))
    }

    fn query(&self, query: &Query, depth: usize) -> Option<Value> {
        if query.of.is_some() || query.number.is_some() || query.count.is_some() || query.among.is_some() {
            return None;
        }
        match query.name.text.as_str() {
            "players" => return Some(Value::Seats(self.all())),
            "nobody" => return Some(Value::Seats(0)),
            _ => {}
        }
        match self.symbols.get(&query.name.text)?.meaning {
            Meaning::Group(group) => self.group(group).map(Value::Seats),
            Meaning::Define(define) if depth > 0 => {
                let define = &self.defines.list[define];
                let plain = define.clauses.is_empty();
                let base = define.bases.first().filter(|_| plain && define.param.is_none())?;
                self.value(&base.value, depth - 1)
            }
            _ => None,
        }
    }

    fn group(&self, group: GroupId) -> Option<u64> {
        use GroupKind::{Class, Role, Team};
        let is_of_roles = matches!(self.rules.groups[group.index()].kind, Role | Team | Class);
        let is_in = |role: GroupId| self.rules.roles[role.index()].groups.contains(&group);
        let seats = self.roles.iter().enumerate().filter(|(_, role)| is_in(**role));
        is_of_roles.then(|| seats.fold(0, |seats, (seat, _)| seats | 1 << seat))
    }
}

mistakes! {
    fn over_at_once(test: Span, cast: Span, players: usize) = warning "over-at-once" ("M0717", test):
        format!("with {} this holds as soon as the cards are dealt", so_many(players, "player")), "a `judge` right then ends the game",
        also cast, "with these cards",
        help "change the test, or the cards in the table";

    fn never_done(test: Span, marks: &str, event: &str) = warning "never-holds" ("M0744", test):
        "nothing in these rules changes what this looks at", format!("no when the cards are dealt, and nobody ever becomes {marks}"),
        help format!("`{event}` would do so, and it never happens: write `do {event} of …` where it is to happen");

    fn never_set(test: Span, marks: &str) = warning "never-holds" ("M0744", test):
        "nothing in these rules changes what this looks at", format!("no when the cards are dealt, and nobody ever becomes {marks}"),
        help format!("let something mark somebody as {marks}");
}
