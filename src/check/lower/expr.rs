//! Expressions: operators, comparisons, filters.

use super::{Compiler, Local, Val, errors};
use crate::advice;
use crate::symbol::Meaning;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{FactId, Kind, Op, Reg};
use omerta_core::source::Span;
use omerta_core::written::{self, OF_RULES, say_the_same};
use omerta_syntax::tree::{BinaryOp, CompareOp, Expr, ExprKind, Name, Of};

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
            ExprKind::Compare(left, op, of, right) => self.compare(left, *op, *of == Of::Half, right),
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
        let same = texts.iter().position(|known| say_the_same(known, text));
        let [number, same] = [number, same.unwrap_or(number)].map(|at| OF_RULES + at as u32);
        Val::Const(written::word(number, same), Kind::Text)
    }

    /// Whether two texts say the same; none says nothing.
    pub(super) fn compare_text(&mut self, val: Val, op: CompareOp, right: &Expr) -> Val {
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
        match self.symbols.meaning(&name.text) {
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
            ExprKind::Compare(.., right) => right,
            _ => test,
        };
        let ExprKind::Binary(op, left, right) = &*last.kind else {
            return None;
        };
        let is_test = |expr: &Expr| match &*expr.inside().kind {
            ExprKind::Int(_) => true,
            ExprKind::Compare(..)
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

    /// `3 when flag else 2`: the first whose condition holds. What an option has settled is looked over and
    /// left out.
    pub(super) fn cases(
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
}
