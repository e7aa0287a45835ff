//! Statements that move cards and tokens.

use super::{Compiler, Meaning, errors};
use crate::effects::Touch;
use omerta_core::rules::{Draw, DrawId, DrawKind, GroupKind, Kind, Op, Reg, Shuffle, ZoneId};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, ExprKind, Name, Place, StatementKind};

impl Compiler<'_> {
    pub(super) fn change_cards(&mut self, kind: &StatementKind, span: Span) {
        self.effects.write(Touch::Cards);
        match kind {
            StatementKind::Turn { set, role } => self.turn(set, role),
            StatementKind::Deal { from, to } => self.deal(from, to, span),
            StatementKind::Shuffle(place) => self.shuffle(place, span),
            StatementKind::PutCast { place } => {
                if let Some((zone, seat)) = self.place(place) {
                    self.emit(Op::PutCast { zone, seat });
                }
            }
            StatementKind::Put { token, place } => self.put(token, place),
            StatementKind::Swap { a, b } => self.swap(a, b),
            StatementKind::Move {
                count,
                what,
                to,
                under,
            } => self.move_cards(count.as_ref(), what, to, *under),
            StatementKind::Flip { what, face } => self.flip(what, face),
            _ => {}
        }
    }

    /// Whether people are named where a zone belongs.
    fn is_people(&self, place: &Place) -> bool {
        let people = ["seat", "place", "places", "players", "me"];
        let name = place.zone.text.as_str();
        self.scope.get(name).is_some() || people.contains(&name) && self.symbols.get(name).is_none()
    }

    /// A zone and the seat in it (any register for a zone of the table).
    fn place(&mut self, place: &Place) -> Option<(ZoneId, Reg)> {
        let zone = match self.resolve(&place.zone) {
            Some(Meaning::Zone(zone)) => zone,
            Some(other) => {
                self.report(errors::wrong_sort(&place.zone, "a zone", self.sort(other)));
                return None;
            }
            None if self.is_people(place) => {
                self.report(errors::no_zone_but_people(&place.zone));
                return None;
            }
            None => {
                self.unknown_of(
                    &place.zone,
                    |m| matches!(m, Meaning::Zone(_)),
                    "zone NAME or zone NAME of each",
                );
                return None;
            }
        };
        self.symbols.read.insert(place.zone.text.clone());
        let of_each = self.out.zones[zone.index()].of_each;
        let seat = match (&place.of, of_each) {
            (Some(of), true) => self.players(of),
            (None, false) => self.fresh(|to| Op::Players { to }),
            (None, true) => {
                self.report(errors::zone_needs_of(&place.zone));
                return None;
            }
            (Some(of), false) => {
                self.report(errors::no_of_here(&place.zone, of.span));
                return None;
            }
        };
        Some((zone, seat))
    }

    /// A role that is written out is known here; any other is worked out when it comes to it.
    fn turn(&mut self, set: &Expr, role: &Expr) {
        let set = self.players(set);
        let Some(name) = self.written_role(role) else {
            let titles = self.wanted(role, Kind::Titles);
            self.emit(Op::TurnInto { set, titles });
            return;
        };
        if let Some(role_id) = self.title_named(&name) {
            if self.group(role_id).kind != GroupKind::Role {
                self.report(errors::wrong_sort(&name, "a role", "a team"));
                return;
            }
            self.emit(Op::Turn { set, role: role_id });
        }
    }

    /// A name alone that is neither an answer, nor a definition, nor something else that has a value
    /// of its own.
    fn written_role(&self, role: &Expr) -> Option<Name> {
        let ExprKind::Query(query) = &*role.kind else {
            return None;
        };
        let alone = query.number.is_none() && query.of.is_none() && query.among.is_none();
        let is_local = self.scope.get(&query.name.text).is_some();
        let meaning = self.symbols.meaning(&query.name.text);
        let is_value = matches!(meaning, Some(Meaning::Define(_) | Meaning::Hook(_)));
        (alone && !is_local && !is_value && query.name.text != "called").then(|| query.name.clone())
    }

    /// A card for each seat, one chance after the other.
    fn deal(&mut self, from: &Place, to: &Place, span: Span) {
        let (Some((source, source_seat)), Some((zone, seats))) = (self.place(from), self.place(to)) else {
            return;
        };
        let site = self.card_draw(source, Shuffle::Deal(source), span);
        self.block_scope(|c| {
            let (rest, seat) = (c.temp(), c.temp());
            c.copy(rest, seats);
            let base = c.temps(3);
            c.each_in_turn(rest, seat, |c, head| {
                c.emit(Op::CardsIn {
                    to: base,
                    zone: source,
                    of: source_seat,
                });
                c.emit(Op::JumpUnless { test: base, at: head });
                c.copy(Reg(base.0 + 1), seat);
                c.emit(Op::Draw { site, base });
                c.emit(Op::Move {
                    cards: Reg(base.0 + 2),
                    zone,
                    seat,
                    under: false,
                });
            });
        });
    }

    /// The cards of a pile in a new order: the first one drawn comes to lie on top.
    fn shuffle(&mut self, place: &Place, span: Span) {
        let Some((zone, seat)) = self.place(place) else {
            return;
        };
        let site = self.card_draw(zone, Shuffle::Pile(zone), span);
        self.block_scope(|c| {
            let (rest, base) = (c.temp(), c.temps(3));
            c.emit(Op::CardsIn {
                to: rest,
                zone,
                of: seat,
            });
            let head = c.label();
            let out = c.jump_unless(rest);
            c.copy(base, rest);
            c.emit(Op::Draw { site, base });
            c.emit(Op::Move {
                cards: Reg(base.0 + 2),
                zone,
                seat,
                under: true,
            });
            c.take_out(rest, Reg(base.0 + 2));
            c.jump_to(head);
            c.land(out);
        });
    }

    fn card_draw(&mut self, zone: ZoneId, shuffle: Shuffle, span: Span) -> DrawId {
        let name = self.out.zones[zone.index()].name.clone();
        let id = DrawId(self.out.draws.len() as u16);
        self.out.draws.push(Draw {
            name,
            kind: DrawKind::Cards,
            shuffle: Some(shuffle),
            openly: false,
            origin: span,
        });
        id
    }

    fn put(&mut self, token: &Name, place: &Place) {
        let Some((zone, seat)) = self.place(place) else {
            return;
        };
        match self.resolve(token) {
            Some(Meaning::Group(group))
                if matches!(self.group(group).kind, GroupKind::Token | GroupKind::Face) =>
            {
                self.symbols.written.insert(token.text.clone());
                self.emit(Op::Put { group, zone, seat });
            }
            Some(other) => self.report(errors::wrong_sort(token, "a token", self.sort(other))),
            None if self.scope.get(&token.text).is_some() => {
                self.report(errors::wrong_sort(token, "a token", "a name of this place"));
            }
            None => self.unknown_of(token, |m| matches!(m, Meaning::Group(_)), "token NAME 3"),
        }
    }

    fn swap(&mut self, a: &Place, b: &Place) {
        let base = self.temps(2);
        let first = self.place(a);
        if first.is_none() && self.is_people(a) && self.is_people(b) {
            return;
        }
        let (Some((first, first_seat)), Some((second, second_seat))) = (first, self.place(b)) else {
            return;
        };
        self.copy(base, first_seat);
        self.copy(Reg(base.0 + 1), second_seat);
        // To swap with nobody is nothing.
        self.emit(Op::Swap {
            a: first,
            b: second,
            base,
        });
    }

    fn move_cards(&mut self, count: Option<&Expr>, what: &Expr, to: &Place, under: bool) {
        let cards = match count {
            None => self.wanted_val(what, Kind::Cards),
            Some(count) => match self.zone_expr(what) {
                Some((zone, of)) => {
                    let count = self.wanted(count, Kind::Number);
                    self.fresh_val(Kind::Cards, |to| Op::TopOf { to, zone, of, count })
                }
                None => {
                    let of = self.wanted(what, Kind::Cards);
                    let count = self.wanted(count, Kind::Number);
                    self.fresh_val(Kind::Cards, |to| Op::Topmost { to, of, count })
                }
            },
        };
        let cards = self.reg(cards);
        if let Some((zone, seat)) = self.place(to) {
            // No cards go nowhere, and nobody has no place for any.
            self.emit(Op::Move {
                cards,
                zone,
                seat,
                under,
            });
        }
    }

    fn flip(&mut self, what: &Expr, face: &Name) {
        let cards = self.wanted(what, Kind::Cards);
        match self.resolve(face) {
            Some(Meaning::Group(group)) if self.group(group).kind == GroupKind::Face => {
                self.emit(Op::Flip { cards, face: group });
            }
            Some(other) => self.report(errors::wrong_sort(face, "a face of a token", self.sort(other))),
            None => self.unknown_of(
                face,
                |m| matches!(m, Meaning::Group(_)),
                "token Thing is shut | NAME",
            ),
        }
    }
}
