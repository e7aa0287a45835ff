//! Expressions: operators, comparisons, filters.

use super::{Compiler, Local, Val, errors};
use crate::advice;
use crate::symbol::Meaning;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{FactId, FactShape, GroupKind, Kind, Op, Reg};
use omerta_core::source::Span;
use omerta_core::written::{self, OF_RULES, folded};
use omerta_syntax::tree::{BinaryOp, CompareOp, Expr, ExprKind, Name};

/// How many definitions are looked through for the kind of what they give.
const DEFINITIONS: usize = 8;

impl Compiler<'_> {
    /// A value of the kind that is wanted, in a register.
    pub(super) fn wanted(&mut self, expr: &Expr, want: Kind) -> Reg {
        let val = self.wanted_val(expr, want);
        self.reg(val)
    }

    /// A value of the kind that is wanted.
    pub(super) fn wanted_val(&mut self, expr: &Expr, want: Kind) -> Val {
        let val = self.value(expr, Some(want));
        self.coerce(val, want, expr.span)
    }

    /// A set of players in a register.
    pub(super) fn players(&mut self, expr: &Expr) -> Reg {
        self.wanted(expr, Kind::Players)
    }

    /// A truth.
    pub(super) fn truth(&mut self, expr: &Expr) -> Val {
        self.wanted_val(expr, Kind::Truth)
    }

    /// Makes a value of one kind serve as another, where that makes sense.
    pub(super) fn coerce(&mut self, val: Val, want: Kind, span: Span) -> Val {
        let have = val.kind();
        if have == want {
            return val;
        }
        if have == Kind::Titles && want == Kind::Players {
            let titles = self.reg(val);
            return self.fresh_val(Kind::Players, |to| Op::Holders { to, titles });
        }
        let text = self.sources.slice(span);
        let is_local = self.scope.get(text).is_some();
        let told = match self.scope.somebody().filter(|_| !is_local) {
            Some(who) if (want, have) == (Kind::Truth, Kind::Players) => {
                errors::players_as_a_test(text, span, who)
            }
            _ => errors::wrong_kind(text, span, want, have),
        };
        self.stand_in(told, want)
    }

    /// A value of whatever kind the expression has; `want` helps names that could mean several.
    pub(super) fn value(&mut self, expr: &Expr, want: Option<Kind>) -> Val {
        match &*expr.kind {
            ExprKind::Int(value) => Val::Const(*value as u64, Kind::Number),
            ExprKind::Truth(value) => Val::Const(u64::from(*value), Kind::Truth),
            ExprKind::Text(text) => self.text_of_rules(text),
            ExprKind::Query(query) => self.query(query, expr.span, want),
            ExprKind::Group(inner) => self.value(inner, want),
            ExprKind::Narrow(items) => self.narrow(items, want),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, want),
            ExprKind::Where { set, test } => self.filter(set, test, want),
            ExprKind::NumberOf(set) => self.number_of(set),
            ExprKind::During(name) => self.during(name),
            ExprKind::Times(name) => self.times(name),
            ExprKind::Planned(name) => self.planned(name),
            ExprKind::No(set) => self.emptiness(set, true),
            ExprKind::Some(set) => self.emptiness(set, false),
            ExprKind::Every { set, negated, is } => self.every(set, *negated, is),
            ExprKind::Compare {
                left,
                op,
                half,
                right,
            } => self.compare(left, *op, *half, right),
            ExprKind::Cases { cases, otherwise } => self.cases(cases, otherwise.as_ref(), want, None),
            ExprKind::Not(inner) => self.negate(inner, expr.span),
            ExprKind::And(items) => self.all_of(items, want),
            ExprKind::Or(items) => self.any_of(items, want),
        }
    }

    /// A text that stands in the rules.
    fn text_of_rules(&mut self, text: &str) -> Val {
        let texts = &mut self.out.texts;
        let known = texts.iter().position(|known| known == text);
        let number = known.unwrap_or(texts.len());
        if known.is_none() {
            texts.push(text.to_owned());
        }
        let same = texts.iter().position(|known| folded(known) == folded(text));
        let [number, same] = [number, same.unwrap_or(number)].map(|at| OF_RULES + at as u32);
        Val::Const(written::word(number, same), Kind::Text)
    }

    /// Whether two texts say the same; none says nothing.
    fn compare_text(&mut self, val: Val, op: CompareOp, right: &Expr) -> Val {
        let text = self.reg(val);
        let other = self.wanted(right, Kind::Text);
        let which = self.reg(Val::Const(1 << 32, Kind::Number));
        let [a, b] = [text, other].map(|a| self.fresh(|to| Op::Divide { to, a, b: which }));
        self.emit(Op::Equal { to: b, a, b });
        let some = self.fresh(|to| Op::Some { to, of: text });
        let to = self.fresh(|to| Op::And { to, a: b, b: some });
        self.maybe_not(to, op)
    }

    fn narrow(&mut self, items: &[Expr], want: Option<Kind>) -> Val {
        // `living other than me`: one plain word is told, and what stands beside it is no mistake of its own.
        let is_plain = |name: &&Name| {
            let text = name.text.as_str();
            advice::is_plain_word(text) && self.scope.get(text).is_none() && self.symbols.get(text).is_none()
        };
        if let Some(plain) = items.iter().filter_map(Expr::bare_name).find(is_plain) {
            self.unknown(plain);
            return Val::Const(0, want.unwrap_or(Kind::Players));
        }
        if let [word, whom] = items
            && let Some(told) = self.without_of(word, whom)
        {
            return Val::Const(0, want.unwrap_or(told.kind()));
        }
        if let [seat, number] = items {
            // `seat (times Noon)`
            if seat.bare_name().is_some_and(|n| n.text == "seat") && self.scope.get("seat").is_none() {
                return self.seat_numbered(number);
            }
            // `role Baker`: the role itself, and not who holds it.
            if seat.bare_name().is_some_and(|n| n.text == "role") && self.scope.get("role").is_none() {
                return self.wanted_val(number, Kind::Titles);
            }
            // `roles Baker plus Tailor`, `roles (Baker plus Tailor)`
            if seat.bare_name().is_some_and(|n| n.text == "roles") && self.scope.get("roles").is_none() {
                return self.role_set(number);
            }
        }
        if let [.., top, number] = items
            && top.bare_name().is_some_and(|n| n.text == "top")
            && self.scope.get("top").is_none()
            && let ExprKind::Query(query) = &*number.kind
            && let Some(of) = &query.of
        {
            let of = self.sources.slice(of.span).to_owned();
            return self.stand_in(
                errors::count_without_brackets(top.span.to(number.span), &query.name.text, &of),
                Kind::Cards,
            );
        }
        let want = match want {
            Some(kind @ (Kind::Cards | Kind::Titles)) => kind,
            _ if items.iter().any(|item| self.holds(Kind::Cards, item)) => Kind::Cards,
            _ => Kind::Players,
        };
        let to = self.temp();
        let mut so_far: Option<Reg> = None;
        for item in items {
            let next = self.next;
            let b = self.wanted(item, want);
            match so_far {
                // The first is kept where it is until there is something to narrow it by.
                None => so_far = Some(b),
                Some(a) => {
                    self.both(to, a, b);
                    so_far = Some(to);
                    self.next = next;
                }
            }
        }
        Val::Reg(so_far.unwrap_or(to), want)
    }

    /// Whether a set is one of cards, or of roles, by what its names can only mean, whatever stands beside it.
    fn holds(&self, kind: Kind, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Group(inner) => self.holds(kind, inner),
            ExprKind::Narrow(items) => items.iter().any(|item| self.holds(kind, item)),
            ExprKind::Binary(_, left, _) => self.holds(kind, left),
            ExprKind::Where { set, .. } => self.holds(kind, set),
            ExprKind::Query(query) => self.kind_of_name(&query.name, DEFINITIONS) == Some(kind),
            _ => false,
        }
    }

    /// The kind of what a name gives, where it can only be one: a zone, what is drawn from one, a link to roles.
    fn kind_of_name(&self, name: &Name, depth: usize) -> Option<Kind> {
        let links_to = |fact: FactId| self.out.facts[fact.index()].shape.links_to();
        match self.scope.get(&name.text) {
            Some(Local::Link(fact)) => return links_to(*fact),
            Some(_) => return self.local_value(&name.text).map(|val| val.kind()),
            None => {}
        }
        match self.symbols.get(&name.text).map(|symbol| symbol.meaning) {
            None => matches!(name.text.as_str(), "role" | "roles").then_some(Kind::Titles),
            Some(Meaning::Zone(_)) => Some(Kind::Cards),
            Some(Meaning::Fact(fact)) => links_to(fact),
            Some(Meaning::Define(define)) if depth > 0 => {
                let base = self.defines.list[define].bases.first()?;
                let mut set = &base.value;
                loop {
                    set = match &*set.kind {
                        ExprKind::Group(inner) | ExprKind::Where { set: inner, .. } => inner,
                        ExprKind::Binary(_, left, _) => left,
                        ExprKind::Query(query) => return self.kind_of_name(&query.name, depth - 1),
                        _ => return None,
                    };
                }
            }
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, want: Option<Kind>) -> Val {
        if op.counts() {
            if let Some(mistake) = self.seat_without_brackets(left, right) {
                return self.stand_in(mistake, want.unwrap_or(Kind::Players));
            }
            return self.arithmetic(op, left, right);
        }
        let floor = self.next;
        let before = self.faults();
        let first = self.value(left, want);
        if self.faults() > before {
            self.value(right, want);
            return Val::Const(0, want.unwrap_or(Kind::Players));
        }
        let kind = match want {
            Some(kind @ (Kind::Players | Kind::Cards | Kind::Titles)) => kind,
            _ => first.kind(),
        };
        if let Some(mistake) = self.is_no_set(kind, left) {
            return self.stand_in(mistake, want.unwrap_or(Kind::Players));
        }
        let a = self.coerce(first, kind, left.span);
        let a = self.reg(a);
        let b = self.wanted(right, kind);
        if op == BinaryOp::Without {
            return Val::Reg(self.without(a, b, floor), kind);
        }
        self.fresh_val(kind, |to| {
            if op == BinaryOp::Plus {
                Op::Or { to, a, b }
            } else {
                Op::Else { to, a, b }
            }
        })
    }

    /// `seat rounds + 1`: the seat is meant whose number is the sum.
    fn seat_without_brackets(&self, left: &Expr, right: &Expr) -> Option<Diagnostic> {
        let mut first = left;
        while let ExprKind::Binary(op, left, _) = &*first.kind
            && op.counts()
        {
            first = left;
        }
        let word = match &*first.kind {
            ExprKind::Narrow(items) => items.first()?.bare_name()?,
            ExprKind::Query(query) => &query.name,
            _ => return None,
        };
        let span = left.span.to(right.span);
        let text = self.sources.slice(span);
        let number = text.strip_prefix("seat ").filter(|_| word.text == "seat")?;
        let repair = format!("seat ({number})");
        Some(errors::seat_without_brackets(text, span, &repair))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Val {
        let a = self.value(left, Some(Kind::Number));
        if op == BinaryOp::Subtract && a.kind() == Kind::Players {
            let [left, right] =
                [left, right].map(|side| (self.sources.slice(side.span).to_owned(), side.span));
            let told = errors::minus_between_sets(&left.0, &right.0, left.1.to(right.1));
            return self.stand_in(told, Kind::Players);
        }
        let a = self.coerce(a, Kind::Number, left.span);
        let b = self.wanted_val(right, Kind::Number);
        if let (Val::Const(a, _), Val::Const(b, _)) = (a, b)
            && let Some(value) = op.of_numbers(a as i64, b as i64)
        {
            return Val::Const(value as u64, Kind::Number);
        }
        if let (true, Val::Const(0, _)) = (op.binds_tight() && op != BinaryOp::Multiply, b) {
            return self.stand_in(errors::divided_by_nothing(right.span), Kind::Number);
        }
        let (a, b) = (self.reg(a), self.reg(b));
        let to = match op {
            BinaryOp::DivideUp => {
                let below = self.negated(Val::Reg(a, Kind::Number));
                let floor = self.fresh(|to| Op::Divide { to, a: below, b });
                self.negated(Val::Reg(floor, Kind::Number))
            }
            BinaryOp::Remainder => {
                let whole = self.fresh(|to| Op::Divide { to, a, b });
                let gone = self.fresh(|to| Op::Times { to, a: whole, b });
                self.fresh(|to| Op::Minus { to, a, b: gone })
            }
            BinaryOp::DivideDown => self.fresh(|to| Op::Divide { to, a, b }),
            BinaryOp::Multiply => self.fresh(|to| Op::Times { to, a, b }),
            BinaryOp::Subtract => self.fresh(|to| Op::Minus { to, a, b }),
            _ => self.fresh(|to| Op::Plus { to, a, b }),
        };
        Val::Reg(to, Kind::Number)
    }

    /// A number below zero instead of above it, and the other way round.
    pub(super) fn negated(&mut self, val: Val) -> Reg {
        match val {
            Val::Const(value, kind) => self.reg(Val::Const((value as i64).wrapping_neg() as u64, kind)),
            val => {
                let (a, b) = (self.reg(Val::Const(0, Kind::Number)), self.reg(val));
                self.fresh(|to| Op::Minus { to, a, b })
            }
        }
    }

    /// `S where TEST`: goes through the set, the seat being `it`; `that` is the seat of a `where` around.
    fn filter(&mut self, set: &Expr, test: &Expr, want: Option<Kind>) -> Val {
        if let Some(problem) = self.joined_to_a_test(set, test) {
            return self.stand_in(problem, want.unwrap_or(Kind::Players));
        }
        let want = match want {
            Some(kind @ (Kind::Cards | Kind::Titles)) => kind,
            None if self.holds(Kind::Cards, set) => Kind::Cards,
            None if self.holds(Kind::Titles, set) => Kind::Titles,
            _ => Kind::Players,
        };
        let kept = self.temp();
        self.block_scope(|c| {
            let rest = c.temp();
            let val = c.wanted_val(set, want);
            c.put_into(rest, val);
            c.load_const(kept, 0);
            // Within another, that one's is `that`.
            if let Some(around) = c.local_value("it") {
                let that = c.reg(around);
                c.bind_value("that", that, around.kind());
            }
            let it = c.temp();
            c.bind_value("it", it, want);
            let loops_from = c.at();
            c.each_in(rest, it, |c, head| {
                let val = c.test_of_each(test);
                let holds = c.reg(val);
                c.emit(Op::JumpUnless {
                    test: holds,
                    at: head,
                });
                c.join(kept, it);
            });
            c.all_at_once(loops_from, (kept, rest, it));
        });
        Val::Reg(kept, want)
    }

    /// `living where fouls of it is 0 without Guild`: what is meant of all of them is read as part of the test, and cannot be.
    fn joined_to_a_test(&self, set: &Expr, test: &Expr) -> Option<Diagnostic> {
        let last = match &*test.kind {
            ExprKind::Compare { right, .. } => right,
            _ => test,
        };
        let ExprKind::Binary(op, left, right) = &*last.kind else {
            return None;
        };
        let is_test = |expr: &Expr| match &*expr.inside().kind {
            ExprKind::Int(_) => true,
            ExprKind::Compare { .. }
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::No(_)
            | ExprKind::Some(_) => std::ptr::eq(last, test),
            _ => false,
        };
        if op.counts() || !is_test(left) {
            return None;
        }
        let between = |from: u32, to: u32| {
            let span = Span {
                start: from,
                end: to,
                ..test.span
            };
            self.sources.slice(span).trim().to_owned()
        };
        let end = left.span.end;
        Some(errors::joined_to_a_test(
            &between(set.span.start, end),
            &between(end, right.span.end),
            Span {
                start: set.span.start,
                end: right.span.end,
                ..test.span
            },
        ))
    }

    /// What stands behind `where`.
    fn test_of_each(&mut self, test: &Expr) -> Val {
        let val = self.value(test, Some(Kind::Truth));
        if let have @ (Kind::Players | Kind::Cards) = val.kind() {
            let text = self.sources.slice(test.span).to_owned();
            return self.stand_in(errors::where_without_test(&text, test.span, have), Kind::Truth);
        }
        self.coerce(val, Kind::Truth, test.span)
    }

    /// Those of whom a link leads somewhere, or nowhere, need not be asked one by one.
    fn all_at_once(&mut self, from: u32, (kept, rest, it): (Reg, Reg, Reg)) {
        let [
            Op::JumpUnless { .. },
            Op::Pop { .. },
            Op::LinkOf { to: linked, row, of },
            test,
            Op::JumpUnless { test: holds, .. },
            Op::Or { .. },
            Op::Jump { .. },
        ] = *self.written_since(from)
        else {
            return;
        };
        let (a, b) = (rest, linked);
        let op = match test {
            Op::Empty { to, of } if (to, of) == (holds, linked) => Op::Without { to: kept, a, b },
            Op::Some { to, of } if (to, of) == (holds, linked) => Op::And { to: kept, a, b },
            _ => return,
        };
        if of == it {
            self.unwrite_since(from);
            self.emit(Op::Linked { to: linked, row });
            self.emit(op);
        }
    }

    /// What is wrong where a set is wanted and the value is none.
    fn is_no_set(&self, kind: Kind, expr: &Expr) -> Option<Diagnostic> {
        let is_set = matches!(kind, Kind::Players | Kind::Cards | Kind::Titles);
        (!is_set).then(|| errors::sets_only(self.sources.slice(expr.span), expr.span, kind))
    }

    pub(super) fn number_of(&mut self, set: &Expr) -> Val {
        let val = self.value(set, None);
        if let Some(mistake) = self.is_no_set(val.kind(), set) {
            return self.stand_in(mistake, Kind::Number);
        }
        let of = self.reg(val);
        self.fresh_val(Kind::Number, |to| Op::Size { to, of })
    }

    fn emptiness(&mut self, set: &Expr, none: bool) -> Val {
        let val = self.value(set, None);
        if let Some(mistake) = self
            .is_no_set(val.kind(), set)
            .filter(|_| val.kind() != Kind::Text)
        {
            let text = self.sources.slice(set.span);
            let mistake = match (val.kind(), none) {
                (Kind::Truth, true) => mistake.help(format!("that it is not so is `not {text}`")),
                (Kind::Truth, false) => mistake.help(format!("a yes or no stands by itself: `{text}`")),
                _ => mistake,
            };
            return self.stand_in(mistake, Kind::Truth);
        }
        let of = self.reg(val);
        self.fresh_val(Kind::Truth, |to| {
            if none {
                Op::Empty { to, of }
            } else {
                Op::Some { to, of }
            }
        })
    }

    fn every(&mut self, set: &Expr, negated: bool, is: &Expr) -> Val {
        let before = self.faults();
        let val = self.value(set, None);
        if self.faults() > before {
            self.value(is, None);
            return Val::Const(0, Kind::Truth);
        }
        let kind = val.kind();
        if let Some(mistake) = self.is_no_set(val.kind(), set) {
            return self.stand_in(mistake, Kind::Truth);
        }
        let a = self.reg(val);
        let b = self.wanted(is, kind);
        let to = self.temp();
        if negated {
            let rest = self.fresh(|to| Op::Without { to, a, b });
            self.emit(Op::Equal { to, a: rest, b: a });
            self.emit(Op::Some { to: rest, of: a });
            self.emit(Op::And { to, a: to, b: rest });
        } else {
            self.emit(Op::Within { to, a, b });
        }
        Val::Reg(to, Kind::Truth)
    }

    fn compare(&mut self, left: &Expr, op: CompareOp, half: bool, right: &Expr) -> Val {
        let is_equality = !half && matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly);
        if is_equality && let Some(known) = self.compare_option(left, op, right) {
            return known;
        }
        let before = self.faults();
        let val = self.value(left, None);
        if self.faults() > before {
            self.value(right, None);
            return Val::Const(0, Kind::Truth);
        }
        match val {
            Val::Word(reg, alternatives) if is_equality => self.compare_word(reg, alternatives, op, right),
            _ if is_equality => match val.kind() {
                Kind::Text => {
                    self.out.compares_texts.get_or_insert(left.span);
                    self.compare_text(val, op, right)
                }
                Kind::Number => {
                    let b = self.wanted_val(right, Kind::Number);
                    self.equal(val, b, op)
                }
                Kind::Truth => {
                    let b = self.truth(right);
                    self.equal(val, b, op)
                }
                kind => {
                    if let ExprKind::Int(number) = &*right.kind {
                        let told = self.set_is_number(left, right, *number);
                        return self.stand_in(told, Kind::Truth);
                    }
                    let a = self.reg(val);
                    let b = match kind {
                        Kind::Titles if op != CompareOp::Exactly => self.title_or_its_roles(right),
                        _ => self.wanted(right, kind),
                    };
                    let to = self.fresh(|to| {
                        // Nobody is in nobody, so whoever writes that asks whether there is somebody.
                        let asks_for_somebody = left.is_nobody() || right.is_nobody();
                        if op == CompareOp::Exactly || asks_for_somebody {
                            Op::Equal { to, a, b }
                        } else {
                            Op::Within { to, a, b }
                        }
                    });
                    self.maybe_not(to, op)
                }
            },
            _ => self.compare_numbers(val, left.span, op, half, right),
        }
    }

    /// `living Guild is 0`, and `vote of p is 3`.
    fn set_is_number(&self, left: &Expr, right: &Expr, number: i64) -> Diagnostic {
        let text = self.sources.slice(left.span);
        let ExprKind::Query(query) = &*left.inside().kind else {
            return errors::set_is_number(text, right.span, number);
        };
        let link = &query.name.text;
        let meaning = self.symbols.get(link).map(|symbol| symbol.meaning);
        let is_link = |fact: FactId| {
            matches!(
                self.out.facts[fact.index()].shape,
                FactShape::Link {
                    to: Kind::Players,
                    ..
                }
            )
        };
        match (meaning, &query.of) {
            (Some(Meaning::Fact(fact)), Some(of)) if is_link(fact) => {
                let of = self.sources.slice(of.inside().span);
                let told = errors::links_are_number(text, right.span, number, link, of);
                told.writes_in(
                    left.span.to(right.span),
                    format!("tally of {link} among ({of}) is {number}"),
                )
            }
            _ => errors::set_is_number(text, right.span, number),
        }
    }

    /// A title, and the roles under it: a role of a team or a class is of that.
    fn title_or_its_roles(&mut self, expr: &Expr) -> Reg {
        let Some(name) = expr.bare_name() else {
            return self.wanted(expr, Kind::Titles);
        };
        let is_local = self.local_value(&name.text).is_some();
        let group = self.out.group_named(&name.text).filter(|_| !is_local);
        let kind = group.map(|group| self.out.groups[group.index()].kind);
        if kind == Some(GroupKind::Class) {
            let roles = self.role_set(expr);
            return self.reg(roles);
        }
        let titles = self.wanted(expr, Kind::Titles);
        if !is_local && kind != Some(GroupKind::Team) {
            return titles;
        }
        let roles = self.fresh(|to| Op::RolesUnder { to, titles });
        self.fresh(|to| Op::Or {
            to,
            a: titles,
            b: roles,
        })
    }

    fn maybe_not(&mut self, to: Reg, op: CompareOp) -> Val {
        if op == CompareOp::IsNot {
            self.emit(Op::Not { to, a: to });
        }
        Val::Reg(to, Kind::Truth)
    }

    fn equal(&mut self, a: Val, b: Val, op: CompareOp) -> Val {
        if let (Val::Const(a, _), Val::Const(b, _)) = (a, b) {
            return Val::Const(u64::from((a == b) == (op != CompareOp::IsNot)), Kind::Truth);
        }
        let (a, b) = (self.reg(a), self.reg(b));
        let to = self.fresh(|to| Op::Equal { to, a, b });
        self.maybe_not(to, op)
    }

    /// Sizes of sets and numbers, against each other or against half of the other.
    fn compare_numbers(&mut self, val: Val, span: Span, op: CompareOp, half: bool, right: &Expr) -> Val {
        let mut a = self.size_or_number(val, span);
        let other = self.value(right, None);
        let b = self.size_or_number(other, right.span);
        if half {
            let twice = self.fresh(|to| Op::Plus { to, a, b: a });
            a = twice;
        }
        let to = self.temp();
        match op {
            CompareOp::AtLeast | CompareOp::LessThan => self.emit(Op::Less { to, a, b }),
            CompareOp::AtMost | CompareOp::MoreThan => self.emit(Op::Less { to, a: b, b: a }),
            CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly => self.emit(Op::Equal { to, a, b }),
        };
        if matches!(op, CompareOp::AtLeast | CompareOp::AtMost | CompareOp::IsNot) {
            self.emit(Op::Not { to, a: to });
        }
        Val::Reg(to, Kind::Truth)
    }

    fn size_or_number(&mut self, val: Val, span: Span) -> Reg {
        match val.kind() {
            Kind::Number => self.reg(val),
            Kind::Players | Kind::Cards | Kind::Titles => {
                let of = self.reg(val);
                self.fresh(|to| Op::Size { to, of })
            }
            kind => {
                let text = self.sources.slice(span).to_owned();
                self.report(errors::wrong_kind(&text, span, Kind::Number, kind));
                self.temp()
            }
        }
    }

    fn compare_word(&mut self, reg: Reg, alternatives: usize, op: CompareOp, right: &Expr) -> Val {
        let other = self.word_of(alternatives, right);
        let other = match other {
            Val::Word(reg, _) => Val::Reg(reg, Kind::Number),
            other => other,
        };
        self.equal(Val::Reg(reg, Kind::Number), other, op)
    }

    /// One of some words, as its number: written out, or another value that is one of the same.
    pub(super) fn word_of(&mut self, alternatives: usize, expr: &Expr) -> Val {
        match &*expr.kind {
            ExprKind::Group(inner) => return self.word_of(alternatives, inner),
            ExprKind::Cases { cases, otherwise } => {
                let one_of = Some(Val::Word(Reg(0), alternatives));
                return self.cases(cases, otherwise.as_ref(), None, one_of);
            }
            _ => {}
        }
        let words = self.alternatives[alternatives].names();
        let name = expr.bare_name();
        if let Some(index) = name.and_then(|name| words.iter().position(|w| *w == name.text)) {
            return Val::Const(index as u64, Kind::Number);
        }
        let is_value = match name {
            Some(name) => {
                self.scope.get(&name.text).is_some()
                    || matches!(
                        self.symbols.get(&name.text).map(|s| s.meaning),
                        Some(super::Meaning::Fact(_) | super::Meaning::Define(_))
                    )
            }
            None => matches!(&*expr.kind, ExprKind::Query(_)),
        };
        if is_value
            && let Val::Word(reg, others) = self.value(expr, None)
            && self.alternatives[others].names() == words
        {
            return Val::Reg(reg, Kind::Number);
        }
        self.stand_in(
            match name {
                Some(name) if !is_value => errors::no_such_word(&name.text, expr.span, &words),
                _ => errors::not_a_word(expr.span, &words),
            },
            Kind::Number,
        )
    }

    /// `3 when flag else 2`: the first whose condition holds. What an option has settled is looked over and
    /// left out.
    fn cases(
        &mut self,
        cases: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        want: Option<Kind>,
        mut made: Option<Val>,
    ) -> Val {
        let to = self.temp();
        let mut exits = Vec::new();
        let mut settled = false;
        // Where no case is left, nothing is nothing of their kind.
        let mut left_out = None;
        for (value, test) in cases {
            let next = self.next;
            let test = self.truth(test);
            match test {
                _ if settled => left_out = left_out.or(self.unreached_case(value, made, want)),
                Val::Const(0, _) => left_out = left_out.or(self.unreached_case(value, made, want)),
                Val::Const(..) => {
                    self.one_case(value, to, &mut made, want);
                    settled = true;
                }
                test => {
                    let test = self.reg(test);
                    let over = self.jump_unless(test);
                    self.one_case(value, to, &mut made, want);
                    exits.push(self.jump());
                    self.land(over);
                }
            }
            self.next = next;
        }
        let next = self.next;
        match otherwise {
            Some(value) if settled => drop(self.unreached_case(value, made, want)),
            Some(value) => self.one_case(value, to, &mut made, want),
            None if settled => {}
            None => self.load_const(to, 0),
        }
        self.next = next;
        self.land_all(exits);
        match made.or(left_out) {
            Some(Val::Word(_, alternatives)) => Val::Word(to, alternatives),
            Some(val) => Val::Reg(to, val.kind()),
            None => Val::Reg(to, want.unwrap_or(Kind::Players)),
        }
    }

    /// One of several values, of the kind of those before it.
    pub(super) fn one_case(&mut self, value: &Expr, to: Reg, made: &mut Option<Val>, want: Option<Kind>) {
        let val = match *made {
            None => self.value(value, want),
            Some(Val::Word(_, alternatives)) => self.word_of(alternatives, value),
            Some(before) => self.wanted_val(value, before.kind()),
        };
        self.put_into(to, val);
        made.get_or_insert(val);
    }

    /// A value that no option of this game leads to, for its mistakes and its kind only.
    fn unreached_case(&mut self, value: &Expr, mut made: Option<Val>, want: Option<Kind>) -> Option<Val> {
        let over = self.jump();
        let to = self.temp();
        self.one_case(value, to, &mut made, want);
        self.land(over);
        made
    }

    /// `tied-vote is run-off`: known at load.
    fn compare_option(&mut self, left: &Expr, op: CompareOp, right: &Expr) -> Option<Val> {
        let name = left.bare_name()?;
        if self.scope.get(&name.text).is_some() {
            return None;
        }
        let super::Meaning::Option(id) = self.symbols.get(&name.text)?.meaning else {
            return None;
        };
        let setting = self.out.options[id.index()].clone();
        if setting.values.first().is_some_and(|v| v.contains("..")) {
            return None;
        }
        self.symbols.read.insert(name.text.clone());
        let given = match (&*right.kind, right.bare_name()) {
            (ExprKind::Truth(value), _) => if *value { "yes" } else { "no" }.to_owned(),
            (_, Some(word)) => word.text.clone(),
            (ExprKind::Int(value), _) => value.to_string(),
            _ => String::new(),
        };
        if !setting.values.contains(&given) {
            self.report(errors::no_such_word(&given, right.span, &setting.values));
            return Some(Val::Const(0, Kind::Truth));
        }
        let holds = (setting.value == given) == (op != CompareOp::IsNot);
        Some(Val::Const(u64::from(holds), Kind::Truth))
    }

    /// `not TEST`, which stands at `span`.
    fn negate(&mut self, inner: &Expr, span: Span) -> Val {
        let val = self.value(inner, Some(Kind::Truth));
        if matches!(val.kind(), Kind::Players | Kind::Titles) {
            let set = self.sources.slice(inner.span);
            let told = errors::denied_set(set, span, self.somebody_beside(inner));
            return self.stand_in(told, Kind::Truth);
        }
        let val = self.coerce(val, Kind::Truth, inner.span);
        self.denied(val)
    }

    fn denied(&mut self, val: Val) -> Val {
        match val {
            Val::Const(value, _) => Val::Const(1 - value.min(1), Kind::Truth),
            val => {
                let a = self.reg(val);
                self.fresh_val(Kind::Truth, |to| Op::Not { to, a })
            }
        }
    }

    /// Somebody who has a name here, of whom a set that stands for a test may be meant: `add 1 to weight of p when rich`.
    fn somebody_beside(&self, set: &Expr) -> Option<&str> {
        let is_local = set
            .bare_name()
            .is_some_and(|name| self.scope.get(&name.text).is_some());
        (!is_local).then(|| self.scope.somebody()).flatten()
    }

    /// Of whom the tests before this one speak, where it is one: `p` of `p is lit and not gone`, `chosen` of `chosen is not lit
    /// and not gone`.
    fn spoken_of(&self, items: &[Expr], item: &Expr) -> Option<String> {
        let before = items.iter().take_while(|other| other.span != item.span);
        let compared = before.filter_map(|other| match &*other.kind {
            ExprKind::Compare {
                left,
                op: CompareOp::Is | CompareOp::IsNot,
                half: false,
                ..
            } => Some(left),
            _ => None,
        });
        let compared: Vec<&Expr> = compared.collect();
        let is_somebody = |name: &&Name| {
            self.local_value(&name.text)
                .is_some_and(|val| val.kind() == Kind::Players)
        };
        let names = compared.iter().filter_map(|left| left.bare_name());
        let named: Vec<&str> = names.filter(is_somebody).map(|name| name.text.as_str()).collect();
        let all: Vec<&str> = match named.is_empty() {
            false => named,
            true => { compared.iter() }
                .filter(|left| !self.is_counted(left))
                .map(|left| self.sources.slice(left.span))
                .collect(),
        };
        let first = all.first()?;
        all.iter()
            .all(|other| other == first)
            .then(|| (*first).to_owned())
    }

    fn all_of(&mut self, items: &[Expr], want: Option<Kind>) -> Val {
        self.chain(items, 0, want)
    }

    fn any_of(&mut self, items: &[Expr], want: Option<Kind>) -> Val {
        self.chain(items, 1, want)
    }

    /// `and` ends at the first 0, `or` at the first 1.
    fn chain(&mut self, items: &[Expr], end: u64, want: Option<Kind>) -> Val {
        // `let x = A or B`: where no test is wanted, sets alone are to be one set.
        if want != Some(Kind::Truth)
            && let Some(told) = self.sets_for_one(items, end)
        {
            return self.stand_in(told, want.unwrap_or(Kind::Players));
        }
        let to = self.temp();
        // Whether one of them was a set, which has been reported.
        let mut slip = false;
        let mut exits = Vec::new();
        let mut written = false;
        for (at, item) in items.iter().enumerate() {
            let (next, faults) = (self.next, self.faults());
            let val = self.operand(items, item, end, &mut slip);
            // Behind a `where` that has lost its brackets nothing means what it says.
            if slip && matches!(&*item.kind, ExprKind::Where { .. }) {
                return Val::Const(0, Kind::Truth);
            }
            match val {
                Val::Const(value, _) if value == end => {
                    self.next = next;
                    if self.faults() == faults {
                        self.overlook(items, at + 1, end);
                    }
                    if !written {
                        return Val::Const(end, Kind::Truth);
                    }
                    self.load_const(to, end);
                    self.land_all(exits);
                    return Val::Reg(to, Kind::Truth);
                }
                Val::Const(..) => {}
                val => {
                    self.put_into(to, val);
                    written = true;
                    exits.push(if end == 0 {
                        self.jump_unless(to)
                    } else {
                        self.jump_if(to)
                    });
                }
            }
            self.next = next;
        }
        self.land_all(exits);
        if written {
            Val::Reg(to, Kind::Truth)
        } else {
            Val::Const(1 - end, Kind::Truth)
        }
    }

    /// Looks over the parts of an `and` or `or` from one on, to which no option of this game leads, for their mistakes only.
    fn overlook(&mut self, items: &[Expr], from: usize, end: u64) {
        let (code, mut slip) = (self.at(), false);
        for item in items.iter().skip(from) {
            let next = self.next;
            self.operand(items, item, end, &mut slip);
            self.next = next;
        }
        if from < items.len() {
            self.unwrite_since(code);
        }
    }

    /// A part of an `and` or `or`: a set there is the classic slip.
    fn operand(&mut self, items: &[Expr], item: &Expr, end: u64, slip: &mut bool) -> Val {
        if let ExprKind::Not(set) = &*item.kind
            && let Some(who) = self.spoken_of(items, item)
        {
            let val = self.value(set, Some(Kind::Truth));
            if matches!(val.kind(), Kind::Players | Kind::Titles) {
                let told = errors::denied_of(self.sources.slice(set.span), item.span, &who);
                return self.stand_in(told, Kind::Truth);
            }
            let val = self.coerce(val, Kind::Truth, set.span);
            return self.denied(val);
        }
        let val = self.value(item, Some(Kind::Truth));
        if matches!(val.kind(), Kind::Players | Kind::Cards | Kind::Titles) {
            // The other sets beside it make the same mistake.
            if std::mem::replace(slip, true) {
                return Val::Const(0, Kind::Truth);
            }
            match items.first().map(|first| (&*first.kind, first.span == item.span)) {
                Some((ExprKind::Where { test, .. }, true)) => {
                    let slice = |from: Span, to: Span| self.sources.slice(from.to(to)).to_owned();
                    let last = items.last().unwrap_or(item).span;
                    let head = item.span.before(test.span);
                    let repair = format!("{}({})", self.sources.slice(head), slice(test.span, last));
                    let told = errors::and_or_behind_where(item.span, &repair);
                    self.report(told.writes_in(item.span.to(last), repair));
                }
                _ => self.report(self.set_as_a_test(items, item, end)),
            }
            return Val::Const(0, Kind::Truth);
        }
        if let (Kind::Word, Some(head)) = (val.kind(), self.compared_before(items, item)) {
            let text = format!("{head}{}", self.sources.slice(item.span));
            let told = errors::wrong_kind(self.sources.slice(item.span), item.span, Kind::Truth, Kind::Word);
            self.report(told.help(format!("write `{text}`")).writes_in(item.span, text));
            return Val::Const(0, Kind::Truth);
        }
        self.coerce(val, Kind::Truth, item.span)
    }

    /// Sets and nothing else where a set is wanted: these and those together, or those who are both.
    fn sets_for_one(&self, items: &[Expr], end: u64) -> Option<Diagnostic> {
        let [first, rest @ ..] = items else {
            return None;
        };
        let is_set = |item: &Expr| match &*item.kind {
            // What is narrowed is a set.
            ExprKind::Narrow(parts) => parts.iter().any(|part| self.is_set(part)),
            _ => self.is_set(item),
        };
        if !items.iter().all(is_set) {
            return None;
        }
        let text = |item: &Expr| self.sources.slice(item.span).to_owned();
        let all: Vec<String> = items.iter().map(text).collect();
        let (before, sets) = self.narrowed_alike(first, rest);
        let together = match before.as_str() {
            "" => all.join(" plus "),
            before => format!("{before}({})", sets.join(" plus ")),
        };
        let other = match (before.as_str(), end) {
            ("", 0) => Some(("those who are both are", all.join(" "))),
            ("", _) => None,
            _ => Some(("where those behind stand for themselves,", all.join(" plus "))),
        };
        let last = rest.last().unwrap_or(first);
        let told = errors::sets_for_one(&all[0], first.span, &together, other.as_ref());
        Some(match other {
            Some(_) => told,
            None => told.writes_in(first.span.to(last.span), together),
        })
    }

    /// Whether a plain name is one of a set of people.
    fn is_set(&self, item: &Expr) -> bool {
        let Some(name) = item.bare_name() else {
            return false;
        };
        match self.symbols.get(&name.text).map(|symbol| symbol.meaning) {
            Some(Meaning::Fact(fact)) => self.out.facts[fact.index()].shape.is_mark(),
            Some(Meaning::Group(_)) => true,
            _ => self
                .local_value(&name.text)
                .is_some_and(|val| val.kind() == Kind::Players),
        }
    }

    /// A set in an `and` or `or`, with the whole as it should be, where that is one thing.
    fn set_as_a_test(&self, items: &[Expr], item: &Expr, end: u64) -> Diagnostic {
        let text = self.sources.slice(item.span);
        let all_sets = items.iter().skip(1).all(|item| !self.is_condition(item));
        let before = items.iter().take_while(|other| other.span != item.span);
        let said = before.filter_map(|other| self.said_of(other)).last();
        let asks = |first: &Expr| matches!(&*first.kind, ExprKind::No(_) | ExprKind::Some(_));
        // Of whom it is meant, nobody knows.
        if let (None, Some(who)) = (said, self.somebody_beside(item))
            && !(all_sets && items.first().is_some_and(asks))
        {
            return errors::set_of_whom(text, item.span, who);
        }
        // `p is not A and B`
        if let Some((head, right, false)) = said
            && (end == 0 || !all_sets)
        {
            let positive = head.trim_end().trim_end_matches("not");
            let neither = format!("{head}({} plus {text})", self.sources.slice(right));
            return errors::denied_and(text, item.span, &neither, &format!("{positive}{text}"));
        }
        let repair = self.joined(items, if end == 0 { " " } else { " plus " });
        let told = errors::and_or_between_sets(text, item.span, &repair);
        let whole = items.iter().map(|item| item.span).reduce(Span::to);
        told.writes_in(whole.unwrap_or(item.span), repair)
    }

    /// Of a test of people or cards: `p is not ` of `p is not lit`, what stands behind it, and whether it says so or denies it.
    fn said_of(&self, test: &Expr) -> Option<(&str, Span, bool)> {
        let (right, says) = match &*test.kind {
            ExprKind::Compare {
                left,
                op: op @ (CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly),
                half: false,
                right,
            } if !self.is_counted(left) => (right.span, *op != CompareOp::IsNot),
            ExprKind::Every { negated, is, .. } => (is.span, !negated),
            _ => return None,
        };
        let head = test.span.before(right);
        Some((self.sources.slice(head), right, says))
    }

    /// Whether what is compared is a number, a time or a text in its plain words.
    fn is_counted(&self, left: &Expr) -> bool {
        use ExprKind::{Binary, Group, Int, NumberOf, Times};
        match &*left.kind {
            NumberOf(_) | Int(_) | Times(_) | ExprKind::Text(_) => true,
            Group(inner) => self.is_counted(inner),
            Binary(op, ..) => op.counts(),
            ExprKind::Query(query) => match self.symbols.get(&query.name.text).map(|symbol| symbol.meaning) {
                Some(Meaning::Fact(fact)) => matches!(
                    self.out.facts[fact.index()].shape,
                    FactShape::Count | FactShape::CountOfEach | FactShape::Flag
                ),
                Some(Meaning::Option(_)) => true,
                _ => {
                    let local = self.local_value(&query.name.text).map(|val| val.kind());
                    local.is_some_and(|kind| !matches!(kind, Kind::Players | Kind::Cards | Kind::Titles))
                }
            },
            _ => false,
        }
    }

    /// `sky is ` of `sky is dark or clear`.
    fn compared_before(&self, items: &[Expr], item: &Expr) -> Option<String> {
        let first = items.first().filter(|first| first.span != item.span)?;
        let ExprKind::Compare { right, .. } = &*first.kind else {
            return None;
        };
        let head = first.span.before(right.span);
        Some(self.sources.slice(head).to_owned())
    }

    /// Whether what is written is a condition by itself.
    fn is_condition(&self, item: &Expr) -> bool {
        use ExprKind::{And, Compare, During, Every, No, Not, Or, Some, Truth};
        match &*item.kind {
            No(_)
            | Some(_)
            | Every { .. }
            | Compare { .. }
            | Not(_)
            | And(_)
            | Or(_)
            | Truth(_)
            | During(_) => true,
            ExprKind::Group(inner) => self.is_condition(inner),
            ExprKind::Query(query) => {
                let meaning = self.symbols.get(&query.name.text).map(|symbol| symbol.meaning);
                match meaning {
                    Option::Some(Meaning::Fact(fact)) => {
                        self.out.facts[fact.index()].shape == FactShape::Flag
                    }
                    Option::Some(Meaning::Option(option)) => {
                        matches!(self.out.options[option.index()].value.as_str(), "yes" | "no")
                    }
                    Option::Some(Meaning::Define(define)) => {
                        let base = self.defines.list[define].bases.first();
                        // Definitions that lead to each other are told elsewhere.
                        let tests = |set: &Expr| {
                            let kind = &*set.inside().kind;
                            matches!(
                                kind,
                                No(_) | Some(_) | Every { .. } | Compare { .. } | And(_) | Or(_) | During(_)
                            )
                        };
                        base.is_some_and(|base| tests(&base.value))
                    }
                    _ => self
                        .local_value(&query.name.text)
                        .is_some_and(|val| val.kind() == Kind::Truth),
                }
            }
            _ => false,
        }
    }

    /// Of `living lit` and `gone`: what stands before the first, for all of them, and the sets.
    fn narrowed_alike(&self, first: &Expr, rest: &[Expr]) -> (String, Vec<String>) {
        let text = |span: Span| self.sources.slice(span).to_owned();
        let others = rest.iter().map(|set| match &*set.kind {
            ExprKind::No(set) | ExprKind::Some(set) => set,
            _ => set,
        });
        let others: Vec<&Expr> = others.collect();
        let (before, own) = match &*first.kind {
            ExprKind::Narrow(parts) if others.iter().all(|set| set.bare_name().is_some()) => {
                let (own, before) = parts.split_last().expect("what is narrowed has parts");
                let before = before
                    .iter()
                    .map(|part| text(part.span) + " ")
                    .collect::<String>();
                (before, own)
            }
            _ => (String::new(), first),
        };
        let sets = [own].into_iter().chain(others).map(|set| text(set.span));
        (before, sets.collect())
    }

    /// `p is A or B` as it should be: `p is (A plus B)`; a set beside a condition is asked whether it has somebody in it.
    fn joined(&self, items: &[Expr], sign: &str) -> String {
        let text = |span: Span| self.sources.slice(span).to_owned();
        let compares = |item: &Expr| matches!(&*item.kind, ExprKind::Compare { .. } | ExprKind::Every { .. });
        let asks = |item: &Expr| matches!(&*item.kind, ExprKind::No(_) | ExprKind::Some(_));
        let (first, rest) = items.split_first().unzip();
        let is_exactly = |item: &Expr| {
            let ExprKind::Compare { op, .. } = &*item.kind else {
                return false;
            };
            *op == CompareOp::Exactly
        };
        let exactly = first.is_some_and(is_exactly);
        let alike = |item: &Expr| !self.is_condition(item) || first.is_some_and(asks) && asks(item);
        if rest.is_some_and(|rest: &[Expr]| !rest.iter().all(alike))
            || first.is_some_and(|first| self.is_condition(first) && !compares(first) && !asks(first))
            || first.is_some_and(|first| compares(first) && self.said_of(first).is_none())
            || exactly && sign != " "
        {
            // `p is `, `every hunted is `: what was said last is said of the next.
            let mut head = None;
            let each = items.iter().map(|item| match (&*item.kind, head) {
                (ExprKind::Not(set), None) if !self.is_condition(set) => format!("no {}", text(set.span)),
                (ExprKind::Not(set), Some(head)) if !self.is_condition(set) => {
                    format!("{head}not {}", text(set.span))
                }
                _ if self.is_condition(item) => {
                    head = self.said_of(item).map(|(head, ..)| head).or(head);
                    text(item.span)
                }
                (_, Some(head)) => format!("{head}{}", text(item.span)),
                _ => format!("some {}", text(item.span)),
            });
            return each
                .collect::<Vec<_>>()
                .join(if sign == " " { " and " } else { " or " });
        }
        // Exactly these are these and those together.
        let sign = if exactly { " plus " } else { sign };
        let bracketed = |sets: String| if sign == " " { sets } else { format!("({sets})") };
        let rest: Vec<String> = items[1..].iter().map(|i| text(i.span)).collect();
        match items.first().map(|first| (&*first.kind, first)) {
            Some((ExprKind::Compare { right, .. } | ExprKind::Every { is: right, .. }, first)) => {
                let head = text(first.span.before(right.span));
                let sets = [vec![text(right.span)], rest].concat().join(sign);
                format!("{head}{}", bracketed(sets))
            }
            // Neither of them, whichever word joins them.
            Some((ExprKind::No(set), _)) => {
                let (before, sets) = self.narrowed_alike(set, &items[1..]);
                format!("no {before}({})", sets.join(" plus "))
            }
            Some((ExprKind::Some(set), _)) => {
                let (before, sets) = self.narrowed_alike(set, &items[1..]);
                match sign {
                    " " => format!("some {before}{}", sets.join(&format!(" and some {before}"))),
                    _ => format!("some {before}({})", sets.join(" plus ")),
                }
            }
            Some((_, first)) => {
                let sets = [vec![text(first.span)], rest].concat().join(sign);
                format!("some {}", bracketed(sets))
            }
            None => String::new(),
        }
    }
}
