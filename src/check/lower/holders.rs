//! Queries about cards and roles: `card of p`, `role of p`, `holder of C`, `top 2 of deck`.

use super::query::title_bit;
use super::{Compiler, Meaning, Val, errors};
use crate::effects::Touch;
use omerta_core::rules::{GroupId, GroupKind, Kind, Op, Reg, ZoneId};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, Query};

impl Compiler<'_> {
    /// `roles of Guild`
    pub(super) fn roles_named(&mut self, query: &Query) -> Val {
        match &query.of {
            Some(of) => self.role_set(of),
            None => self.lacks_of(query, Kind::Titles),
        }
    }

    /// Roles whoever holds them: of a team or a class all of its roles.
    pub(super) fn role_set(&mut self, expr: &Expr) -> Val {
        use omerta_syntax::tree::{BinaryOp, ExprKind};
        match &*expr.kind {
            ExprKind::Group(inner) => return self.role_set(inner),
            ExprKind::Binary(op @ (BinaryOp::Plus | BinaryOp::Without), left, right) => {
                let (left, right) = (self.role_set(left), self.role_set(right));
                if let (Val::Const(a, _), Val::Const(b, _)) = (left, right) {
                    let roles = if *op == BinaryOp::Plus { a | b } else { a & !b };
                    return Val::Const(roles, Kind::Titles);
                }
                let (a, b) = (self.reg(left), self.reg(right));
                return self.fresh_val(Kind::Titles, |to| match op {
                    BinaryOp::Plus => Op::Or { to, a, b },
                    _ => Op::Without { to, a, b },
                });
            }
            _ => {}
        }
        if let Some(name) = expr.bare_name()
            && self.scope.get(&name.text).is_none()
            && let Some(Meaning::Group(group)) = self.symbols.meaning(&name.text)
            && matches!(
                self.group(group).kind,
                GroupKind::Role | GroupKind::Team | GroupKind::Class
            )
        {
            self.resolve(name);
            self.symbols.read.insert(name.text.clone());
            let roles = self.out.roles.iter().enumerate();
            let of_it = roles.filter(|(_, role)| role.groups.contains(&group));
            let bits = of_it.fold(0, |bits, (role, _)| bits | title_bit(GroupId(role as u16)));
            return Val::Const(bits, Kind::Titles);
        }
        let titles = self.wanted(expr, Kind::Titles);
        self.fresh_val(Kind::Titles, |to| Op::RolesUnder { to, titles })
    }

    pub(super) fn card_of(&mut self, query: &Query, _: Span) -> Val {
        self.effects.read(Touch::Cards);
        let of = self.of_players(query);
        self.fresh_val(Kind::Cards, |to| Op::RoleCards { to, of })
    }

    /// `role of p`, `role of c` for a card.
    pub(super) fn role_of(&mut self, query: &Query, _: Span) -> Val {
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Titles);
        };
        Val::Reg(self.roles_of(of, false), Kind::Titles)
    }

    /// The roles of players or of cards; of roles, where they may stand, themselves.
    fn roles_of(&mut self, of: &Expr, roles_too: bool) -> Reg {
        self.effects.read(Touch::Cards);
        let val = self.value(of, None);
        let kind = val.kind();
        let reg = self.reg(val);
        let to = self.temp();
        match kind {
            Kind::Cards => self.emit(Op::TitlesOf { to, cards: reg }),
            Kind::Players => self.emit(Op::RolesOf { to, of: reg }),
            Kind::Titles if roles_too => return reg,
            _ => {
                let text = self.sources.slice(of.span).to_owned();
                self.report(errors::wrong_kind(&text, of.span, Kind::Players, kind));
                0
            }
        };
        to
    }

    pub(super) fn team_of(&mut self, query: &Query, _: Span) -> Val {
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Titles);
        };
        let roles = self.roles_of(of, true);
        self.fresh_val(Kind::Titles, |to| Op::TeamsOf { to, titles: roles })
    }

    /// The players at whose seats the cards lie.
    pub(super) fn holder_of(&mut self, query: &Query, _: Span) -> Val {
        self.effects.read(Touch::Cards);
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Players);
        };
        let cards = self.wanted(of, Kind::Cards);
        self.fresh_val(Kind::Players, |to| Op::SeatsOf { to, cards })
    }

    /// `top 2 of deck`
    pub(super) fn top_of(&mut self, query: &Query, span: Span) -> Val {
        let written = query.number.map_or(1, |n| n.value.clamp(0, 64) as u64);
        let zone = query.of.as_ref().and_then(|of| self.zone_expr(of));
        let Some((zone, seats)) = zone else {
            return self.stand_in(errors::needs_a_zone(span), Kind::Cards);
        };
        let count = match &query.count {
            Some(count) => self.wanted(count, Kind::Number),
            None => self.reg(Val::Const(written, Kind::Number)),
        };
        self.fresh_val(Kind::Cards, |to| Op::TopOf {
            to,
            zone,
            of: seats,
            count,
        })
    }

    /// A zone written as an expression: `deck`, `hand of p`.
    pub(super) fn zone_expr(&mut self, expr: &Expr) -> Option<(ZoneId, Reg)> {
        let omerta_syntax::tree::ExprKind::Query(query) = &*expr.kind else {
            return None;
        };
        if self.scope.get(&query.name.text).is_some() {
            return None;
        }
        let Some(Meaning::Zone(zone)) = self.symbols.meaning(&query.name.text) else {
            return None;
        };
        self.symbols.read.insert(query.name.text.clone());
        self.effects.read(Touch::Cards);
        let seats = match &query.of {
            Some(of) => {
                if !self.out.zones[zone.index()].of_each {
                    self.report(errors::no_of_here(&query.name, of.span));
                }
                self.players(of)
            }
            None => self.fresh(|to| Op::Players { to }),
        };
        Some((zone, seats))
    }

    pub(super) fn copies_of(&mut self, query: &Query, _: Span) -> Val {
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Number);
        };
        let titles = self.wanted(of, Kind::Titles);
        self.fresh_val(Kind::Number, |to| Op::Copies { to, titles })
    }
}
