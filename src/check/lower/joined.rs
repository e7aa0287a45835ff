//! Conditions joined by `and` and `or`, or denied by `not`; and sets that stand where a condition should.

use super::{Compiler, Val, errors};
use crate::symbol::Meaning;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{FactShape, Kind, Op};
use omerta_core::source::Span;
use omerta_syntax::tree::{CompareOp, Expr, ExprKind, Name, Of};

impl Compiler<'_> {
    /// `not TEST`, which stands at `span`.
    pub(super) fn negate(&mut self, inner: &Expr, span: Span) -> Val {
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
            ExprKind::Compare(left, CompareOp::Is | CompareOp::IsNot, Of::All, _) => Some(left),
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

    pub(super) fn all_of(&mut self, items: &[Expr], want: Option<Kind>) -> Val {
        self.chain(items, 0, want)
    }

    pub(super) fn any_of(&mut self, items: &[Expr], want: Option<Kind>) -> Val {
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
        match self.symbols.meaning(&name.text) {
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
            ExprKind::Compare(
                left,
                op @ (CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly),
                Of::All,
                right,
            ) if !self.is_counted(left) => (right.span, *op != CompareOp::IsNot),
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
            ExprKind::Query(query) => match self.symbols.meaning(&query.name.text) {
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
        let ExprKind::Compare(.., right) = &*first.kind else {
            return None;
        };
        let head = first.span.before(right.span);
        Some(self.sources.slice(head).to_owned())
    }

    /// Whether what is written is a condition by itself.
    fn is_condition(&self, item: &Expr) -> bool {
        use ExprKind::{And, Compare, During, Every, No, Not, Or, Some, Truth};
        match &*item.kind {
            No(_) | Some(_) | Every { .. } | Compare(..) | Not(_) | And(_) | Or(_) | Truth(_) | During(_) => {
                true
            }
            ExprKind::Group(inner) => self.is_condition(inner),
            ExprKind::Query(query) => {
                let meaning = self.symbols.meaning(&query.name.text);
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
                                No(_) | Some(_) | Every { .. } | Compare(..) | And(_) | Or(_) | During(_)
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
        let compares = |item: &Expr| matches!(&*item.kind, ExprKind::Compare(..) | ExprKind::Every { .. });
        let asks = |item: &Expr| matches!(&*item.kind, ExprKind::No(_) | ExprKind::Some(_));
        let (first, rest) = items.split_first().unzip();
        let is_exactly = |item: &Expr| {
            let ExprKind::Compare(_, op, ..) = &*item.kind else {
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
            Some((ExprKind::Compare(.., right) | ExprKind::Every { is: right, .. }, first)) => {
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
