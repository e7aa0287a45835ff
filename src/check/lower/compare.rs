//! Comparisons: of numbers, sets, words, texts and options.

use super::{Compiler, Val, errors};
use crate::symbol::Meaning;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{FactId, FactShape, GroupKind, Kind, Op, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{CompareOp, Expr, ExprKind};

impl Compiler<'_> {
    pub(super) fn compare(&mut self, left: &Expr, op: CompareOp, half: bool, right: &Expr) -> Val {
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
        let meaning = self.symbols.meaning(link);
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

    pub(super) fn maybe_not(&mut self, to: Reg, op: CompareOp) -> Val {
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
                        self.symbols.meaning(&name.text),
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
}
