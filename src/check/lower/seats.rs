//! Queries about who sits where: `seat 3`, `left of p`, `first of S`, `neighbours of S`.

use super::{Compiler, Meaning, Val};
use omerta_core::rules::{FactShape, Kind, Op, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, Query};

impl Compiler<'_> {
    /// `seat 3`, `seat (times Round)`
    pub(super) fn seat_number(&mut self, query: &Query, _: Span) -> Val {
        match (&query.number, &query.of) {
            (Some(int), _) => self.seat_of(Val::Const(int.value as u64, Kind::Number)),
            (None, Some(of)) => self.seat_numbered(of),
            (None, None) => self.lacks_of(query, Kind::Players),
        }
    }

    pub(super) fn seat_numbered(&mut self, number: &Expr) -> Val {
        let number = self.wanted_val(number, Kind::Number);
        self.seat_of(number)
    }

    fn seat_of(&mut self, number: Val) -> Val {
        let number = self.reg(number);
        self.fresh_val(Kind::Players, |to| Op::SeatNumber { to, number })
    }

    pub(super) fn place_of(&mut self, query: &Query, _: Span) -> Val {
        let of = self.of_players(query);
        self.fresh_val(Kind::Number, |to| Op::PlaceOf { to, of })
    }

    pub(super) fn first_of(&mut self, query: &Query, _: Span) -> Val {
        self.end_of(query, false)
    }

    pub(super) fn last_of(&mut self, query: &Query, _: Span) -> Val {
        self.end_of(query, true)
    }

    /// `first of up among (level)`: by the order of marking where the set is a mark in order.
    fn end_of(&mut self, query: &Query, last: bool) -> Val {
        let Some(of_expr) = &query.of else {
            return self.lacks_of(query, Kind::Players);
        };
        let order = self.order_of(of_expr);
        let val = self.value(of_expr, None);
        let kind = match val.kind() {
            kind @ (Kind::Cards | Kind::Titles) => kind,
            _ => Kind::Players,
        };
        let val = self.coerce(val, kind, of_expr.span);
        let mut of = self.reg(val);
        if let Some(among) = &query.among {
            let among = self.wanted(among, kind);
            let to = self.fresh(|to| Op::And { to, a: of, b: among });
            of = to;
        }
        if kind == Kind::Cards {
            return Val::Reg(self.end_of_cards(of, last), kind);
        }
        self.fresh_val(kind, |to| match (order, last) {
            (Some(order), false) => Op::FirstBy { to, of, order },
            (Some(order), true) => Op::LastBy { to, of, order },
            (None, false) => Op::First { to, of },
            (None, true) => Op::Last { to, of },
        })
    }

    /// The card of a set that lies topmost, or the one that lies lowest: all but those above it.
    fn end_of_cards(&mut self, of: Reg, last: bool) -> Reg {
        let (to, count) = (self.temp(), self.temp());
        self.load_const(count, 1);
        if !last {
            self.emit(Op::Topmost { to, of, count });
            return to;
        }
        let size = self.fresh(|to| Op::Size { to, of });
        self.emit(Op::Minus {
            to: count,
            a: size,
            b: count,
        });
        self.emit(Op::Topmost { to, of, count });
        self.emit(Op::Without { to, a: of, b: to });
        to
    }

    /// The row that orders a set, when it is a mark kept in order.
    pub(super) fn order_of(&self, expr: &Expr) -> Option<omerta_core::rules::Slot> {
        use omerta_syntax::tree::{BinaryOp, ExprKind};
        match &*expr.kind {
            ExprKind::Narrow(items) => return items.iter().find_map(|item| self.order_of(item)),
            ExprKind::Group(inner)
            | ExprKind::Where { set: inner, .. }
            | ExprKind::Binary {
                op: BinaryOp::Without,
                left: inner,
                ..
            } => return self.order_of(inner),
            _ => {}
        }
        let name = expr.bare_name()?;
        if self.scope.get(&name.text).is_some() {
            return None;
        }
        let Meaning::Fact(fact) = self.symbols.get(&name.text)?.meaning else {
            return None;
        };
        match self.out.facts[fact.index()].shape {
            FactShape::MarkInOrder { order } => Some(order),
            _ => None,
        }
    }

    pub(super) fn left_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        self.fresh_val(Kind::Players, |to| Op::LeftOf { to, of, among })
    }

    pub(super) fn right_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        self.fresh_val(Kind::Players, |to| Op::RightOf { to, of, among })
    }

    pub(super) fn next_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        self.fresh_val(Kind::Players, |to| Op::AtOrLeftOf { to, of, among })
    }

    /// Both neighbours, of each player of the set.
    pub(super) fn neighbours_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        let to = self.temp();
        self.scratch(|c| {
            let (rest, one, side) = (c.temp(), c.temp(), c.temp());
            c.copy(rest, of);
            c.load_const(to, 0);
            c.each_in(rest, one, |c, _| {
                c.emit(Op::LeftOf {
                    to: side,
                    of: one,
                    among,
                });
                c.join(to, side);
                c.emit(Op::RightOf {
                    to: side,
                    of: one,
                    among,
                });
                c.join(to, side);
            });
        });
        Val::Reg(to, Kind::Players)
    }
}
