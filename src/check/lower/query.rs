//! Names and queries: `living`, `vote of p`, `left of p among (ring)`, `top 2 of deck`.
//!
//! What the language itself offers is a row of [`BUILT_IN`]; everything else is declared somewhere.

use super::{Compiler, Local, Meaning, Val, errors};
use crate::effects::Touch;
use omerta_core::rules::{FactId, FactShape, GroupId, GroupKind, Kind, Op, Reg, TallyVerdict, ZoneId};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, Name, Query};

type Lower = fn(&mut Compiler<'_>, &Query, Span) -> Val;

/// The queries of the language, each with the function that lowers it.
const BUILT_IN: &[(&str, Lower)] = &[
    ("seat", |c, q, s| c.seat_number(q, s)),
    ("place", |c, q, s| c.place_of(q, s)),
    ("first", |c, q, s| c.first_of(q, s)),
    ("last", |c, q, s| c.last_of(q, s)),
    ("left", |c, q, s| c.left_of(q, s)),
    ("right", |c, q, s| c.right_of(q, s)),
    ("next", |c, q, s| c.next_of(q, s)),
    ("neighbours", |c, q, s| c.neighbours_of(q, s)),
    ("highest", |c, q, _| c.extreme_of(q, true)),
    ("lowest", |c, q, _| c.extreme_of(q, false)),
    ("card", |c, q, s| c.card_of(q, s)),
    ("roles", |c, q, _| c.roles_named(q)),
    ("words", |c, q, s| c.words_alone(q, s)),
    ("role", |c, q, s| c.role_of(q, s)),
    ("team", |c, q, s| c.team_of(q, s)),
    ("holder", |c, q, s| c.holder_of(q, s)),
    ("top", |c, q, s| c.top_of(q, s)),
    ("most", |c, q, s| c.most_of(q, s)),
    ("majority", |c, q, s| c.majority_of(q, s)),
    ("common", |c, q, s| c.common_of(q, s)),
    ("tally", |c, q, s| c.tally_of(q, s)),
    ("copies", |c, q, s| c.copies_of(q, s)),
];

impl Compiler<'_> {
    pub(super) fn query(&mut self, query: &Query, span: Span, want: Option<Kind>) -> Val {
        let name = query.name.text.as_str();
        let built_in = BUILT_IN.iter().find(|(n, _)| *n == name);
        match self.scope.get(name).cloned() {
            // `top of deck` stays what it is where an answer is called `top`.
            Some(Local::Value(_)) if query.of.is_some() && built_in.is_some() => {}
            Some(local) => return self.local(&local, query),
            None => {}
        }
        if query.of.is_none() && query.number.is_none() {
            if let Some(val) = self.plain_word(query, want) {
                return val;
            }
        } else if let Some((_, lower)) = built_in {
            return lower(self, query, span);
        }
        match self.resolve(&query.name) {
            Some(meaning) => {
                self.symbols.read.insert(name.to_owned());
                self.meaning(meaning, query, want)
            }
            None if built_in.is_some() => {
                self.report(errors::needs_of(&query.name));
                Val::Const(0, want.unwrap_or(Kind::Players))
            }
            None => {
                self.unknown(&query.name);
                Val::Const(0, want.unwrap_or(Kind::Players))
            }
        }
    }

    fn local(&mut self, local: &Local, query: &Query) -> Val {
        match (local, &query.of) {
            (Local::Value(val), None) => {
                if self.scope.is_unclear(&query.name.text) {
                    self.poison.push(query.name.span);
                }
                *val
            }
            (Local::Link(fact), Some(of)) => self.link_of(*fact, of, Kind::Players),
            (Local::Numbers(fact), Some(of)) => self.count_of(*fact, of),
            (Local::Value(_), Some(of)) => {
                self.report(errors::no_of_here(&query.name, of.span));
                Val::Const(0, Kind::Players)
            }
            (Local::Link(_) | Local::Numbers(_), None) => {
                self.report(errors::needs_of(&query.name));
                Val::Const(0, Kind::Players)
            }
        }
    }

    /// The words that stand by themselves.
    fn plain_word(&mut self, query: &Query, want: Option<Kind>) -> Option<Val> {
        let to = self.next;
        Some(match query.name.text.as_str() {
            "players" => {
                let to = self.temp();
                self.emit(Op::Players { to });
                Val::Reg(to, Kind::Players)
            }
            "nobody" => Val::Const(0, want.filter(|k| *k == Kind::Cards).unwrap_or(Kind::Players)),
            "others" => {
                let me = self.me(query.name.span);
                let to = self.temp();
                self.emit(Op::Others { to, of: me });
                Val::Reg(to, Kind::Players)
            }
            "me" => Val::Reg(self.me(query.name.span), Kind::Players),
            "called" => {
                let to = self.temp();
                self.emit(Op::Called { to });
                Val::Reg(to, Kind::Titles)
            }
            "winner" => {
                let to = self.temp();
                self.emit(Op::Winners { to });
                Val::Reg(to, Kind::Players)
            }
            "it" => {
                self.report(errors::it_outside(query.name.span));
                Val::Const(0, Kind::Players)
            }
            "host" => {
                self.report(errors::host_is_no_player(query.name.span));
                Val::Const(0, Kind::Players)
            }
            "all" => {
                self.report(errors::all_is_players(query.name.span));
                Val::Const(0, Kind::Players)
            }
            _ => {
                self.next = to;
                return None;
            }
        })
    }

    /// The register of `me`.
    pub(super) fn me(&mut self, span: Span) -> Reg {
        match self.local_value("me") {
            Some(val) => self.reg(val),
            None => {
                self.report(errors::me_outside(span));
                self.temp()
            }
        }
    }

    /// What a declared name is worth.
    fn meaning(&mut self, meaning: Meaning, query: &Query, want: Option<Kind>) -> Val {
        match (meaning, &query.of) {
            (Meaning::Group(group), None) => self.group_value(group, want),
            (Meaning::Fact(fact), _) => self.fact_value(fact, query),
            (Meaning::Back(fact), Some(of)) => {
                self.effects.read(Touch::Fact(fact));
                let row = self.out.facts[fact.index()].slot;
                let of = self.players(of);
                let to = self.temp();
                self.emit(Op::BackLink { to, row, of });
                Val::Reg(to, Kind::Players)
            }
            (Meaning::Back(_), None) => self.lacks_of(query, Kind::Players),
            (Meaning::Zone(zone), of) => self.zone_cards(zone, of.as_ref(), query),
            (Meaning::Define(define), of) => self.inline_define(define, of.as_ref(), query, want),
            (Meaning::Hook(hook), of) => self.ask_hook(hook, of.as_ref(), query),
            (Meaning::Option(option), None) => self.option_value(option, query),
            (Meaning::Scene(_) | Meaning::Event(_), _) => {
                self.report(errors::not_a_value(&query.name, meaning.sort()));
                Val::Const(0, want.unwrap_or(Kind::Players))
            }
            (Meaning::Group(_) | Meaning::Option(_), Some(of)) => {
                self.report(errors::no_of_here(&query.name, of.span));
                Val::Const(0, want.unwrap_or(Kind::Players))
            }
        }
    }

    fn lacks_of(&mut self, query: &Query, kind: Kind) -> Val {
        self.report(errors::needs_of(&query.name));
        Val::Const(0, kind)
    }

    fn group_value(&mut self, group: GroupId, want: Option<Kind>) -> Val {
        let kind = self.group(group).kind;
        if want == Some(Kind::Titles) && matches!(kind, GroupKind::Role | GroupKind::Team) {
            return Val::Const(title_bit(group), Kind::Titles);
        }
        self.effects.read(Touch::Cards);
        let to = self.temp();
        if want == Some(Kind::Cards) {
            self.emit(Op::CardsOf { to, group });
            return Val::Reg(to, Kind::Cards);
        }
        self.emit(Op::Group { to, group });
        Val::Reg(to, Kind::Players)
    }

    fn fact_value(&mut self, fact: FactId, query: &Query) -> Val {
        self.effects.read(Touch::Fact(fact));
        let (shape, slot) = {
            let f = &self.out.facts[fact.index()];
            (f.shape, f.slot)
        };
        let kind = match shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => Kind::Players,
            FactShape::Flag => Kind::Truth,
            FactShape::Count => Kind::Number,
            FactShape::CountOfEach => {
                let Some(of) = &query.of else {
                    return self.lacks_of(query, Kind::Number);
                };
                return match (self.count_of(fact, of), self.words_of(fact)) {
                    (Val::Reg(reg, _), Some(words)) => Val::Word(reg, words),
                    (val, _) => val,
                };
            }
            FactShape::Link | FactShape::LinkOne => {
                let Some(of) = &query.of else {
                    return self.lacks_of(query, Kind::Players);
                };
                return self.link_of(fact, of, Kind::Players);
            }
            FactShape::LinkTitles => {
                let Some(of) = &query.of else {
                    return self.lacks_of(query, Kind::Titles);
                };
                return self.link_of(fact, of, Kind::Titles);
            }
        };
        if let Some(of) = &query.of {
            self.report(errors::no_of_here(&query.name, of.span));
        }
        let to = self.temp();
        self.emit(Op::Load { to, slot });
        match self.words_of(fact) {
            Some(words) => Val::Word(to, words),
            None => Val::Reg(to, kind),
        }
    }

    /// The words that a fact is one of, where it is.
    pub(super) fn words_of(&mut self, fact: FactId) -> Option<usize> {
        let words = self.out.facts[fact.index()].words.clone();
        if words.is_empty() {
            return None;
        }
        let known = self.alternatives.iter().position(|known| known.0 == words);
        Some(known.unwrap_or_else(|| self.add_words(super::Words(words))))
    }

    /// `words of room`: all words that the room can be.
    pub(super) fn all_words(&mut self, expr: &Expr) -> Option<usize> {
        use omerta_syntax::tree::ExprKind;
        let ExprKind::Query(Query {
            name, of: Some(of), ..
        }) = &*expr.kind
        else {
            return None;
        };
        let of = of.bare_name()?;
        if name.text != "words" || self.scope.get("words").is_some() {
            return None;
        }
        let Meaning::Fact(fact) = self.symbols.get(&of.text)?.meaning else {
            return None;
        };
        let words = self.words_of(fact)?;
        self.resolve(of);
        Some(words)
    }

    fn words_alone(&mut self, query: &Query, span: Span) -> Val {
        if query.of.is_none() {
            return self.lacks_of(query, Kind::Players);
        }
        self.report(errors::words_are_asked_for(span));
        Val::Const(0, Kind::Players)
    }

    fn link_of(&mut self, fact: FactId, of: &Expr, kind: Kind) -> Val {
        let row = self.out.facts[fact.index()].slot;
        let of = self.players(of);
        let to = self.temp();
        self.emit(Op::LinkOf { to, row, of });
        Val::Reg(to, kind)
    }

    fn count_of(&mut self, fact: FactId, of: &Expr) -> Val {
        let row = self.out.facts[fact.index()].slot;
        let of = self.players(of);
        let to = self.temp();
        self.emit(Op::CountOf { to, row, of });
        Val::Reg(to, Kind::Number)
    }

    fn zone_cards(&mut self, zone: ZoneId, of: Option<&Expr>, query: &Query) -> Val {
        self.effects.read(Touch::Cards);
        let of_each = self.out.zones[zone.index()].of_each;
        let seats = match of {
            Some(of) if of_each => self.players(of),
            Some(of) => {
                self.report(errors::no_of_here(&query.name, of.span));
                self.temp()
            }
            None => {
                let to = self.temp();
                self.emit(Op::Players { to });
                to
            }
        };
        let to = self.temp();
        self.emit(Op::CardsIn { to, zone, of: seats });
        Val::Reg(to, Kind::Cards)
    }

    fn option_value(&mut self, option: omerta_core::rules::OptionId, query: &Query) -> Val {
        let setting = &self.out.options[option.index()];
        match setting.value.as_str() {
            "yes" => Val::Const(1, Kind::Truth),
            "no" => Val::Const(0, Kind::Truth),
            value => match value.parse::<i64>() {
                Ok(number) => Val::Const(number as u64, Kind::Number),
                Err(_) => {
                    let words = setting.values.clone();
                    self.report(errors::option_needs_is(&query.name, &words));
                    Val::Const(0, Kind::Truth)
                }
            },
        }
    }

    pub(super) fn during(&mut self, name: &Name) -> Val {
        let to = self.temp();
        match self.resolve(name) {
            Some(Meaning::Scene(scene)) => self.emit(Op::During { to, scene }),
            Some(Meaning::Event(event)) => self.emit(Op::DuringEvent { to, event }),
            Some(other) => {
                self.report(errors::wrong_sort(name, "a scene or an event", other.sort()));
                return Val::Const(0, Kind::Truth);
            }
            None => {
                let is = |m: Meaning| matches!(m, Meaning::Scene(_) | Meaning::Event(_));
                self.unknown_of(name, is, "scene NAME { … } or event NAME { … }");
                return Val::Const(0, Kind::Truth);
            }
        };
        Val::Reg(to, Kind::Truth)
    }

    pub(super) fn times(&mut self, name: &Name) -> Val {
        match self.resolve(name) {
            Some(Meaning::Scene(scene)) => {
                let slot = self.out.scenes[scene.index()].times;
                let to = self.temp();
                self.emit(Op::Load { to, slot });
                Val::Reg(to, Kind::Number)
            }
            Some(other) => {
                self.report(errors::wrong_sort(name, "a scene", other.sort()));
                Val::Const(0, Kind::Number)
            }
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Scene(_)), "scene NAME { … }");
                Val::Const(0, Kind::Number)
            }
        }
    }

    pub(super) fn planned(&mut self, name: &Name) -> Val {
        match self.resolve(name) {
            Some(Meaning::Event(event)) => {
                self.effects.read(Touch::Plans(event));
                let to = self.temp();
                self.emit(Op::Planned { to, event });
                Val::Reg(to, Kind::Players)
            }
            Some(other) => {
                self.report(errors::wrong_sort(name, "an event", other.sort()));
                Val::Const(0, Kind::Players)
            }
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Event(_)), "event NAME of p { … }");
                Val::Const(0, Kind::Players)
            }
        }
    }

    // ---- the queries of the language

    fn of_players(&mut self, query: &Query) -> Reg {
        match &query.of {
            Some(of) => self.players(of),
            None => {
                self.report(errors::needs_of(&query.name));
                self.temp()
            }
        }
    }

    fn among(&mut self, query: &Query) -> Reg {
        match &query.among {
            Some(among) => self.players(among),
            None => {
                let to = self.temp();
                self.emit(Op::Players { to });
                to
            }
        }
    }

    /// `seat 3`, `seat (times Round)`
    fn seat_number(&mut self, query: &Query, _: Span) -> Val {
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
        let to = self.temp();
        self.emit(Op::SeatNumber { to, number });
        Val::Reg(to, Kind::Players)
    }

    fn place_of(&mut self, query: &Query, _: Span) -> Val {
        let of = self.of_players(query);
        let to = self.temp();
        self.emit(Op::PlaceOf { to, of });
        Val::Reg(to, Kind::Number)
    }

    fn first_of(&mut self, query: &Query, _: Span) -> Val {
        self.end_of(query, false)
    }

    fn last_of(&mut self, query: &Query, _: Span) -> Val {
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
            let to = self.temp();
            self.emit(Op::And { to, a: of, b: among });
            of = to;
        }
        if kind == Kind::Cards {
            return Val::Reg(self.end_of_cards(of, last), kind);
        }
        let to = self.temp();
        self.emit(match (order, last) {
            (Some(order), false) => Op::FirstBy { to, of, order },
            (Some(order), true) => Op::LastBy { to, of, order },
            (None, false) => Op::First { to, of },
            (None, true) => Op::Last { to, of },
        });
        Val::Reg(to, kind)
    }

    /// The card of a set that lies topmost, or the one that lies lowest: all but those above it.
    fn end_of_cards(&mut self, of: Reg, last: bool) -> Reg {
        let (to, count) = (self.temp(), self.temp());
        self.load_const(count, 1);
        if !last {
            self.emit(Op::Topmost { to, of, count });
            return to;
        }
        let size = self.temp();
        self.emit(Op::Size { to: size, of });
        self.emit(Op::Minus {
            to: count,
            a: size,
            b: count,
        });
        self.emit(Op::Topmost { to, of, count });
        self.emit(Op::Without { to, a: of, b: to });
        to
    }

    /// `highest of gold among (living)`: all who are level at the top, or at the bottom.
    fn extreme_of(&mut self, query: &Query, highest: bool) -> Val {
        use omerta_syntax::tree::ExprKind;
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Players);
        };
        let ExprKind::Query(number) = &*of.kind else {
            let text = self.sources.slice(of.span).to_owned();
            let name = Name { text, span: of.span };
            self.report(errors::not_a_number_of_each(&name));
            return Val::Const(0, Kind::Players);
        };
        let kept = self.temp();
        self.block_scope(|c| {
            let (rest, best, seat) = (c.temp(), c.temp(), c.temp());
            let among = match (&number.of, &query.among) {
                (Some(of), Some(among)) => {
                    let (a, b) = (c.players(of), c.players(among));
                    let to = c.temp();
                    c.emit(Op::And { to, a, b });
                    to
                }
                (Some(of), None) => c.players(of),
                (None, _) => c.among(query),
            };
            c.put_into(rest, Val::Reg(among, Kind::Players));
            c.load_const(kept, 0);
            c.load_const(best, 0);
            let head = c.label();
            let out = c.jump_unless(rest);
            c.emit(Op::Pop { to: seat, set: rest });
            let value = c.number_of_each(&number.name, seat, errors::not_a_number_of_each);
            let value = c.reg(value);
            let test = c.temp();
            let first = c.jump_unless(kept);
            let (a, b) = if highest { (best, value) } else { (value, best) };
            c.emit(Op::Less { to: test, a, b });
            let better = c.jump_if(test);
            c.emit(Op::Equal {
                to: test,
                a: value,
                b: best,
            });
            c.emit(Op::JumpUnless { test, at: head });
            c.emit(Op::Or {
                to: kept,
                a: kept,
                b: seat,
            });
            c.jump_to(head);
            c.land_all(vec![first, better]);
            c.put_into(best, Val::Reg(value, Kind::Number));
            c.put_into(kept, Val::Reg(seat, Kind::Players));
            c.jump_to(head);
            c.land(out);
        });
        Val::Reg(kept, Kind::Players)
    }

    /// The number that somebody has: by a count of each, by the answers of an `ask each`, by a definition
    /// or a hook.
    pub(super) fn number_of_each(
        &mut self,
        name: &Name,
        seat: Reg,
        wrong: fn(&Name) -> omerta_core::diagnostic::Diagnostic,
    ) -> Val {
        if let Some(Local::Numbers(fact)) = self.scope.get(&name.text) {
            let row = self.out.facts[fact.index()].slot;
            return self.count_at(row, seat);
        }
        let meaning = match self.scope.get(&name.text) {
            None => self.resolve(name),
            Some(_) => {
                self.report(wrong(name));
                return Val::Const(0, Kind::Number);
            }
        };
        self.symbols.read.insert(name.text.clone());
        match meaning {
            Some(Meaning::Fact(fact))
                if self.out.facts[fact.index()].shape == FactShape::CountOfEach
                    && self.out.facts[fact.index()].words.is_empty() =>
            {
                self.effects.read(Touch::Fact(fact));
                let row = self.out.facts[fact.index()].slot;
                self.count_at(row, seat)
            }
            Some(Meaning::Define(define)) if self.defines.list[define].param == Some(Kind::Players) => {
                let val = self.expand(define, Some(Val::Reg(seat, Kind::Players)), name);
                self.coerce(val, Kind::Number, name.span)
            }
            Some(Meaning::Hook(hook))
                if matches!(self.out.hooks[hook.index()].param, Some((_, Kind::Players)))
                    && self.out.hooks[hook.index()].gives == Kind::Number =>
            {
                let base = self.temps(2);
                self.put_into(base, Val::Reg(seat, Kind::Players));
                self.emit(Op::Hook { hook, base });
                Val::Reg(Reg(base.0 + 1), Kind::Number)
            }
            Some(_) => {
                self.report(wrong(name));
                Val::Const(0, Kind::Number)
            }
            None => {
                self.unknown(name);
                Val::Const(0, Kind::Number)
            }
        }
    }

    fn count_at(&mut self, row: omerta_core::rules::Slot, of: Reg) -> Val {
        let to = self.temp();
        self.emit(Op::CountOf { to, row, of });
        Val::Reg(to, Kind::Number)
    }

    /// `roles of Guild`
    fn roles_named(&mut self, query: &Query) -> Val {
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
            ExprKind::Binary {
                op: op @ (BinaryOp::Plus | BinaryOp::Without),
                left,
                right,
            } => {
                let (left, right) = (self.role_set(left), self.role_set(right));
                if let (Val::Const(a, _), Val::Const(b, _)) = (left, right) {
                    let roles = if *op == BinaryOp::Plus { a | b } else { a & !b };
                    return Val::Const(roles, Kind::Titles);
                }
                let (a, b) = (self.reg(left), self.reg(right));
                let to = self.temp();
                self.emit(match op {
                    BinaryOp::Plus => Op::Or { to, a, b },
                    _ => Op::Without { to, a, b },
                });
                return Val::Reg(to, Kind::Titles);
            }
            _ => {}
        }
        if let Some(name) = expr.bare_name()
            && self.scope.get(&name.text).is_none()
            && let Some(Meaning::Group(group)) = self.symbols.get(&name.text).map(|s| s.meaning)
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
        let to = self.temp();
        self.emit(Op::RolesUnder { to, titles });
        Val::Reg(to, Kind::Titles)
    }

    /// The row that orders a set, when it is a mark kept in order.
    pub(super) fn order_of(&self, expr: &Expr) -> Option<omerta_core::rules::Slot> {
        use omerta_syntax::tree::ExprKind;
        if let ExprKind::Narrow(items) = &*expr.kind {
            return items.iter().find_map(|item| self.order_of(item));
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

    fn left_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        let to = self.temp();
        self.emit(Op::LeftOf { to, of, among });
        Val::Reg(to, Kind::Players)
    }

    fn right_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        let to = self.temp();
        self.emit(Op::RightOf { to, of, among });
        Val::Reg(to, Kind::Players)
    }

    fn next_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        let to = self.temp();
        self.emit(Op::AtOrLeftOf { to, of, among });
        Val::Reg(to, Kind::Players)
    }

    /// Both neighbours, of each player of the set.
    fn neighbours_of(&mut self, query: &Query, _: Span) -> Val {
        let (of, among) = (self.of_players(query), self.among(query));
        let to = self.temp();
        self.scratch(|c| {
            let (rest, one, side) = (c.temp(), c.temp(), c.temp());
            c.emit(Op::Copy { to: rest, from: of });
            c.load_const(to, 0);
            let head = c.label();
            let out = c.jump_unless(rest);
            c.emit(Op::Pop { to: one, set: rest });
            c.emit(Op::LeftOf {
                to: side,
                of: one,
                among,
            });
            c.emit(Op::Or { to, a: to, b: side });
            c.emit(Op::RightOf {
                to: side,
                of: one,
                among,
            });
            c.emit(Op::Or { to, a: to, b: side });
            c.jump_to(head);
            c.land(out);
        });
        Val::Reg(to, Kind::Players)
    }

    fn card_of(&mut self, query: &Query, _: Span) -> Val {
        self.effects.read(Touch::Cards);
        let of = self.of_players(query);
        let to = self.temp();
        self.emit(Op::RoleCards { to, of });
        Val::Reg(to, Kind::Cards)
    }

    /// `role of p`, `role of c` for a card.
    fn role_of(&mut self, query: &Query, _: Span) -> Val {
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

    fn team_of(&mut self, query: &Query, _: Span) -> Val {
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Titles);
        };
        let roles = self.roles_of(of, true);
        let to = self.temp();
        self.emit(Op::TeamsOf { to, titles: roles });
        Val::Reg(to, Kind::Titles)
    }

    /// The players at whose seats the cards lie.
    fn holder_of(&mut self, query: &Query, _: Span) -> Val {
        self.effects.read(Touch::Cards);
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Players);
        };
        let cards = self.wanted(of, Kind::Cards);
        let to = self.temp();
        self.emit(Op::SeatsOf { to, cards });
        Val::Reg(to, Kind::Players)
    }

    /// `top 2 of deck`
    fn top_of(&mut self, query: &Query, span: Span) -> Val {
        let written = query.number.map_or(1, |n| n.value.clamp(0, 64) as u64);
        let zone = query.of.as_ref().and_then(|of| self.zone_expr(of));
        let Some((zone, seats)) = zone else {
            self.report(errors::needs_a_zone(span));
            return Val::Const(0, Kind::Cards);
        };
        let count = match &query.count {
            Some(count) => self.wanted(count, Kind::Number),
            None => self.reg(Val::Const(written, Kind::Number)),
        };
        let to = self.temp();
        self.emit(Op::TopOf {
            to,
            zone,
            of: seats,
            count,
        });
        Val::Reg(to, Kind::Cards)
    }

    /// A zone written as an expression: `deck`, `hand of p`.
    pub(super) fn zone_expr(&mut self, expr: &Expr) -> Option<(ZoneId, Reg)> {
        let omerta_syntax::tree::ExprKind::Query(query) = &*expr.kind else {
            return None;
        };
        if self.scope.get(&query.name.text).is_some() {
            return None;
        }
        let Some(Meaning::Zone(zone)) = self.symbols.get(&query.name.text).map(|s| s.meaning) else {
            return None;
        };
        self.symbols.read.insert(query.name.text.clone());
        self.effects.read(Touch::Cards);
        let seats = match &query.of {
            Some(of) => self.players(of),
            None => {
                let to = self.temp();
                self.emit(Op::Players { to });
                to
            }
        };
        Some((zone, seats))
    }

    fn most_of(&mut self, query: &Query, _: Span) -> Val {
        self.tally(query, TallyVerdict::Most)
    }

    fn majority_of(&mut self, query: &Query, _: Span) -> Val {
        self.tally(query, TallyVerdict::Majority)
    }

    fn common_of(&mut self, query: &Query, _: Span) -> Val {
        self.tally(query, TallyVerdict::Common)
    }

    fn tally(&mut self, query: &Query, verdict: TallyVerdict) -> Val {
        if !self.fill_tally(query, verdict != TallyVerdict::Most) {
            return Val::Const(0, Kind::Players);
        }
        let among = self.among(query);
        let to = self.temp();
        self.emit(Op::TallyRead { to, among, verdict });
        Val::Reg(to, Kind::Players)
    }

    /// `tally of vote among (p) weighing weight`: how many votes p has.
    fn tally_of(&mut self, query: &Query, _: Span) -> Val {
        if !self.fill_tally(query, false) {
            return Val::Const(0, Kind::Number);
        }
        let of = self.among(query);
        let to = self.temp();
        self.emit(Op::TallyOf { to, of });
        Val::Reg(to, Kind::Number)
    }

    /// Counts a link onto the scratch pad: `vote`, or `vote of living` for the votes of some.
    ///
    /// Where silence counts, the voters of a bare link are those who were asked since it was emptied.
    fn fill_tally(&mut self, query: &Query, silence_counts: bool) -> bool {
        use omerta_syntax::tree::ExprKind;
        let Some(of) = &query.of else {
            self.report(errors::needs_of(&query.name));
            return false;
        };
        let link = match &*of.kind {
            ExprKind::Query(q) if q.number.is_none() && q.among.is_none() => {
                self.link_named(&q.name).map(|f| (f, &q.of))
            }
            _ => None,
        };
        let Some((fact, voters)) = link else {
            self.report(errors::needs_a_link(of.span));
            return false;
        };
        self.effects.read(Touch::Fact(fact));
        let row = self.out.facts[fact.index()].slot;
        let name = self.out.facts[fact.index()].name.clone();
        let voters = match (voters, self.asked_mark(&name).filter(|_| silence_counts)) {
            (Some(voters), _) => self.players(voters),
            (None, Some(asked)) => {
                let slot = self.out.facts[asked.index()].slot;
                let to = self.temp();
                self.emit(Op::Load { to, slot });
                to
            }
            (None, None) => {
                let to = self.temp();
                self.emit(Op::Players { to });
                to
            }
        };
        match &query.weighing {
            None => {
                self.emit(Op::TallyClear);
                self.emit(Op::TallyRow { row, voters });
            }
            Some(weight) => self.weighed_tally(row, voters, weight),
        }
        true
    }

    fn weighed_tally(&mut self, row: omerta_core::rules::Slot, voters: Reg, weight: &Name) {
        self.block_scope(|c| {
            let (rest, voter, votes) = (c.temp(), c.temp(), c.temp());
            c.emit(Op::Copy {
                to: rest,
                from: voters,
            });
            c.emit(Op::TallyClear);
            let head = c.label();
            let out = c.jump_unless(rest);
            c.emit(Op::Pop { to: voter, set: rest });
            let val = c.number_of_each(weight, voter, errors::not_a_weight);
            let weight = c.reg(val);
            c.emit(Op::LinkOf {
                to: votes,
                row,
                of: voter,
            });
            c.emit(Op::TallyAdd { votes, weight });
            c.jump_to(head);
            c.land(out);
        });
    }

    /// The mark that remembers who was asked for a link.
    pub(crate) fn asked_mark(&self, name: &str) -> Option<FactId> {
        let wanted = crate::collect::asked_name(name);
        self.out
            .facts
            .iter()
            .position(|f| f.hidden && f.name == wanted)
            .map(|i| FactId(i as u16))
    }

    /// The link a name stands for: a local one or a declared one.
    pub(super) fn link_named(&mut self, name: &Name) -> Option<FactId> {
        if let Some(local) = self.scope.get(&name.text) {
            return match local {
                Local::Link(fact) => Some(*fact),
                _ => None,
            };
        }
        let Some(Meaning::Fact(fact)) = self.symbols.get(&name.text).map(|s| s.meaning) else {
            return None;
        };
        let shape = self.out.facts[fact.index()].shape;
        matches!(shape, FactShape::Link | FactShape::LinkOne).then(|| {
            self.resolve(name);
            self.symbols.read.insert(name.text.clone());
            fact
        })
    }

    fn copies_of(&mut self, query: &Query, _: Span) -> Val {
        let Some(of) = &query.of else {
            return self.lacks_of(query, Kind::Number);
        };
        let titles = self.wanted(of, Kind::Titles);
        let to = self.temp();
        self.emit(Op::Copies { to, titles });
        Val::Reg(to, Kind::Number)
    }
}

/// The bit of a role or a team in a set of them; none for one too many, which is reported elsewhere.
pub(super) fn title_bit(group: GroupId) -> u64 {
    1u64.checked_shl(u32::from(group.0)).unwrap_or(0)
}
