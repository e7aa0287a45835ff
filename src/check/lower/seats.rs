//! Who sits where: `seat 3`, `left of p`, `first of S`, `neighbours of S`; and seats that move: `swap seats of
//! p and q`. Only in rulesets with such statements it is kept where each seat is.

use super::{Compiler, Val, errors};
use crate::effects::Touch;
use omerta_core::rules::{DrawKind, FactShape, Kind, Op, Reg, Seating, Shuffle, Slot};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, Name, Query, Reseat};

impl Compiler<'_> {
    pub(super) fn reseat(&mut self, reseat: &Reseat, span: Span) {
        self.effects.write(Touch::Seats);
        let (how, who, to) = match reseat {
            Reseat::Shuffle(who) => return self.shuffle_seats(who.as_ref(), span),
            Reseat::InOrder(who) => {
                let set = self.players(who);
                let Some(order) = self.order_of(who) else {
                    let text = self.sources.slice(who.span);
                    self.report(errors::set_in_no_order(text, who.span));
                    return;
                };
                self.emit(Op::SeatInOrder {
                    who: set,
                    order,
                    lots: false,
                });
                return;
            }
            Reseat::Swap { a, b } => (Seating::Swap, a, b),
            Reseat::Beside {
                who,
                right: false,
                of,
            } => (Seating::Left, who, of),
            Reseat::Beside { who, right: true, of } => (Seating::Right, who, of),
        };
        let (who, to) = (self.players(who), self.players(to));
        self.emit(Op::Reseat { how, who, to });
    }

    /// `shuffle seats of living`: chance says who of them sits on the lowest of their places, then on the next.
    fn shuffle_seats(&mut self, who: Option<&Expr>, span: Span) {
        self.effects.asks = true;
        let name = Name::new("seats", span);
        let fact = self.hidden(&name, FactShape::CountOfEach);
        let site = self.add_draw(&name, DrawKind::Seats, false, span);
        self.out.draws[site.index()].shuffle = Some(Shuffle::Seats);
        self.block_scope(|c| {
            let set = match who {
                Some(who) => c.players(who),
                None => c.fresh(|to| Op::Players { to }),
            };
            let (rest, base, number) = (c.temp(), c.temps(3), c.temp());
            let drawn = Reg(base.0 + 2);
            c.emit(Op::Clear { fact });
            c.copy(rest, set);
            c.load_const(number, 0);
            let head = c.label();
            let out = c.jump_unless(rest);
            c.copy(base, rest);
            c.emit(Op::Draw { site, base });
            c.take_out(rest, drawn);
            let one = c.temp();
            c.load_const(one, 1);
            c.emit(Op::Plus {
                to: number,
                a: number,
                b: one,
            });
            c.emit(Op::SetOf {
                fact,
                of: drawn,
                value: number,
            });
            c.jump_to(head);
            c.land(out);
            let order = c.out.facts[fact.index()].slot;
            c.emit(Op::SeatInOrder {
                who: set,
                order,
                lots: true,
            });
        });
    }

    /// The places of seats, where these can be others than their numbers.
    pub(super) fn placed(&mut self, of: Reg) -> Reg {
        match self.out.places {
            Some(row) => self.fresh(|to| Op::Placed { to, of, row }),
            None => of,
        }
    }

    /// Who sits at some places.
    pub(super) fn seated(&mut self, of: Reg) -> Reg {
        match self.out.places {
            Some(row) => self.fresh(|to| Op::Seated { to, of, row }),
            None => of,
        }
    }

    /// What a query about places comes to, worked out from a player and those looked at.
    fn at_places(&mut self, query: &Query, op: impl Fn(Reg, Reg, Reg) -> Op) -> Val {
        self.effects.read(Touch::Seats);
        let (of, among) = (self.of_players(query), self.among(query));
        let (of, among) = (self.placed(of), self.placed(among));
        let found = self.fresh(|to| op(to, of, among));
        Val::Reg(self.seated(found), Kind::Players)
    }

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
        self.effects.read(Touch::Seats);
        let number = self.reg(number);
        let found = self.fresh(|to| Op::SeatNumber { to, number });
        Val::Reg(self.seated(found), Kind::Players)
    }

    pub(super) fn place_of(&mut self, query: &Query, _: Span) -> Val {
        let of = self.of_players(query);
        self.place_at(of)
    }

    /// The number of the seat of those in a register.
    pub(super) fn place_at(&mut self, of: Reg) -> Val {
        self.effects.read(Touch::Seats);
        let of = self.placed(of);
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
        if order.is_none() && kind == Kind::Players {
            self.effects.read(Touch::Seats);
        }
        let order = order.or(self.seat_order(kind));
        self.fresh_val(kind, |to| match (order, last) {
            (Some(order), false) => Op::FirstBy { to, of, order },
            (Some(order), true) => Op::LastBy { to, of, order },
            (None, false) => Op::First { to, of },
            (None, true) => Op::Last { to, of },
        })
    }

    /// The row by which a set has an order of its own: players have that of their places, where it is kept.
    pub(super) fn seat_order(&self, kind: Kind) -> Option<Slot> {
        self.out.places.filter(|_| kind == Kind::Players)
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

    pub(super) fn left_of(&mut self, query: &Query, _: Span) -> Val {
        self.at_places(query, |to, of, among| Op::LeftOf { to, of, among })
    }

    pub(super) fn right_of(&mut self, query: &Query, _: Span) -> Val {
        self.at_places(query, |to, of, among| Op::RightOf { to, of, among })
    }

    pub(super) fn next_of(&mut self, query: &Query, span: Span) -> Val {
        if let (None, Some(of)) = (&query.among, &query.of) {
            let told = errors::next_among_all(self.sources.slice(of.span), span);
            return self.stand_in(told, Kind::Players);
        }
        self.at_places(query, |to, of, among| Op::AtOrLeftOf { to, of, among })
    }

    /// Both neighbours, of each player of the set.
    pub(super) fn neighbours_of(&mut self, query: &Query, _: Span) -> Val {
        self.effects.read(Touch::Seats);
        let (of, among) = (self.of_players(query), self.among(query));
        let (of, among) = (self.placed(of), self.placed(among));
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
        Val::Reg(self.seated(to), Kind::Players)
    }
}
