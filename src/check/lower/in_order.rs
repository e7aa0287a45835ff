//! Sets that keep an order: marks declared `in order`, and people picked or drawn one after the other.
//!
//! A set in a register knows no order. That of a mark is a row of its own; of picks the compiler keeps such a row
//! where the rules ask for their order.

use super::{Compiler, Meaning};
use crate::load::Declared;
use omerta_core::rules::{Fact, FactId, FactShape, Kind, Op, Reg, Slot};
use omerta_syntax::tree::{BinaryOp, Domain, Expr, ExprKind, Name, Reseat, StatementKind};
use omerta_syntax::walk;
use std::collections::BTreeSet;

/// How many defines are looked through.
const DEPTH: usize = 16;

/// The names of sets whose order matters somewhere.
pub fn names_in_order(items: &[Declared]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut all_of = |expr: &Expr| {
        walk::for_each_expr(expr, &mut |part| {
            names.extend(part.bare_name().map(|name| name.text.clone()));
        });
    };
    for declared in items {
        walk::for_each_expr(&declared.item.kind, &mut |expr| {
            if let ExprKind::Query(query) = &*expr.kind
                && matches!(query.name.text.as_str(), "first" | "last")
            {
                query.of.iter().for_each(&mut all_of);
            }
        });
        walk::for_each_statement(&declared.item.kind, &mut |statement| match &statement.kind {
            StatementKind::ForEach {
                among: Domain::Set(set),
                ..
            }
            | StatementKind::Mark { set, .. }
            | StatementKind::Let { value: set, .. }
            | StatementKind::Seats(Reseat::InOrder(set)) => all_of(set),
            _ => {}
        });
    }
    names
}

impl Compiler<'_> {
    /// The row that orders a set.
    pub(super) fn order_of(&self, expr: &Expr) -> Option<Slot> {
        self.order_within(expr, DEPTH)
    }

    fn order_within(&self, expr: &Expr, depth: usize) -> Option<Slot> {
        match &*expr.kind {
            ExprKind::Narrow(items) => return items.iter().find_map(|item| self.order_within(item, depth)),
            ExprKind::Group(inner)
            | ExprKind::Where { set: inner, .. }
            | ExprKind::Binary(BinaryOp::Without, inner, _) => return self.order_within(inner, depth),
            _ => {}
        }
        let name = expr.bare_name()?;
        if self.scope.get(&name.text).is_some() {
            return self.scope.order(&name.text);
        }
        match self.symbols.get(&name.text)?.meaning {
            Meaning::Fact(fact) => match self.out.facts[fact.index()].shape {
                FactShape::MarkInOrder { order } => Some(order),
                _ => None,
            },
            Meaning::Define(define) if depth > 0 => {
                let define = &self.defines.list[define];
                let plain = define.clauses.is_empty() && define.param.is_none();
                let [base] = define.bases.as_slice() else {
                    return None;
                };
                self.order_within(&base.value, depth - 1).filter(|_| plain)
            }
            _ => None,
        }
    }

    /// A row for the order of picks or draws, where the rules ask for it.
    pub(super) fn order_of_picks(&mut self, name: &Name) -> Option<FactId> {
        let asked_for = self.ordered_names.contains(&name.text);
        // Further in the name outside has a new value, and goes by its row as before.
        let around = self
            .scope
            .around(&name.text)
            .and_then(|_| self.own_row(&name.text));
        asked_for.then(|| around.unwrap_or_else(|| self.hidden(name, FactShape::CountOfEach)))
    }

    /// A name of a block around that has a row of its own gets the order of its new value written there.
    pub(super) fn order_further_in(&mut self, name: &Name, set: Reg, order: Option<Slot>) -> Option<Slot> {
        let around = self.scope.around(&name.text);
        let Some(own) = around.and_then(|_| self.own_row(&name.text)) else {
            return order;
        };
        let row = self.out.facts[own.index()].slot;
        if order != Some(row) {
            self.scratch(|c| {
                let (rest, one, so_far) = (c.temp(), c.temp(), c.temp());
                c.copy(rest, set);
                c.load_const(so_far, 0);
                c.each_by(order, rest, one, |c, _| {
                    c.emit(Op::Or {
                        to: so_far,
                        a: so_far,
                        b: one,
                    });
                    c.note_place(Some(own), one, so_far);
                });
            });
        }
        Some(row)
    }

    /// The row in whose order a name is, where it was made for that name: not that of a mark.
    fn own_row(&self, name: &str) -> Option<FactId> {
        let row = self.scope.order(name)?;
        let is_it = |fact: &Fact| fact.hidden && fact.slot == row && fact.shape == FactShape::CountOfEach;
        let fact = self.out.facts.iter().position(is_it)?;
        Some(FactId(fact as u16))
    }

    /// The newest of all picked so far has his place in the row.
    pub(super) fn note_place(&mut self, order: Option<FactId>, newest: Reg, all: Reg) {
        let Some(fact) = order else { return };
        self.scratch(|c| {
            let value = c.fresh(|to| Op::Size { to, of: all });
            c.emit(Op::SetOf {
                fact,
                of: newest,
                value,
            });
        });
    }

    /// The people who go by a name have the order of that row, or none.
    pub(super) fn keep_order(&mut self, name: &str, order: Option<Slot>) {
        self.scope.set_order(name, order);
    }

    /// Whether what is picked or drawn of this kind can be had in order.
    pub(super) fn row_of(&self, fact: Option<FactId>, kind: Kind) -> Option<Slot> {
        let fact = fact.filter(|_| kind == Kind::Players)?;
        Some(self.out.facts[fact.index()].slot)
    }

    /// `mark podium as line`: in the order that they have already, one after the other.
    pub(super) fn mark_in_turn(&mut self, fact: FactId, set: Reg, order: Slot) {
        self.scratch(|c| {
            let (rest, one) = (c.temp(), c.temp());
            c.copy(rest, set);
            c.each_by(Some(order), rest, one, |c, _| {
                c.emit(Op::Mark { fact, set: one });
            });
        });
    }
}
