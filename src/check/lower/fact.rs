//! Statements that change what the game remembers.

use super::{Compiler, Local, Meaning, Numbers, Val, errors};
use crate::bounds::is_own_name;
use crate::effects::Manner;
use omerta_core::rules::{FactId, FactShape, Kind, Op, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, Name, StatementKind};
use omerta_syntax::words;

impl Compiler<'_> {
    /// Statements that change facts or cards.
    pub(super) fn change(&mut self, kind: &StatementKind, span: Span) {
        match kind {
            StatementKind::Mark { set, names } => self.mark(set, names, true),
            StatementKind::Unmark { set, names } => self.mark(set, names, false),
            StatementKind::Link { from, to, name } => self.link(from, to, name),
            StatementKind::Unlink { from, to, name } => self.unlink(from, to.as_ref(), name),
            StatementKind::Clear(names) => self.clear(names),
            StatementKind::Let { name, value } => self.let_name(name, value),
            StatementKind::Set { name, of, value } => self.set_fact(name, of.as_ref(), value),
            StatementKind::Add {
                value,
                name,
                of,
                less,
            } => self.add_fact(value, *less, name, of.as_ref()),
            StatementKind::Seats(reseat) => self.reseat(reseat, span),
            other => self.change_cards(other, span),
        }
    }

    /// The fact a name stands for, to be written; what only takes away sets nothing.
    fn fact_named(&mut self, name: &Name, wanted: &str, sets: bool) -> Option<(FactId, FactShape)> {
        match self.resolve(name) {
            Some(Meaning::Fact(fact)) => {
                if sets {
                    self.symbols.written.insert(name.text.clone());
                }
                Some((fact, self.out.facts[fact.index()].shape))
            }
            Some(other) => {
                self.report(errors::wrong_sort(name, wanted, self.sort(other)));
                None
            }
            None if self.scope.get(&name.text).is_some() => {
                self.report(errors::set_a_value(name, wanted));
                None
            }
            None => {
                let declare = match wanted {
                    "a link" => "link NAME one",
                    "a count" => "count NAME",
                    "a count or a flag" => "count NAME or flag NAME",
                    _ => "mark NAME",
                };
                self.unknown_of(name, |m| matches!(m, Meaning::Fact(_)), declare);
                None
            }
        }
    }

    fn mark(&mut self, set: &Expr, names: &[Name], on: bool) {
        let order = self.order_of(set);
        let bare = set
            .bare_name()
            .filter(|name| self.scope.get(&name.text).is_none());
        let is_mark = |name: &&Name| matches!(self.symbols.meaning(&name.text), Some(Meaning::Fact(_)));
        let mark = bare.filter(is_mark).map(|name| (&*name.text, set.span));
        let set = self.players(set);
        for name in names {
            if self.scope.get(&name.text).is_some() && self.symbols.get(&name.text).is_none() {
                self.report(errors::marked_with_somebody(
                    name,
                    mark.filter(|_| names.len() == 1),
                ));
                continue;
            }
            let Some((fact, shape)) = self.fact_named(name, "a mark", on) else {
                continue;
            };
            if !shape.is_mark() {
                self.report(errors::wrong_shape(name, "a mark", shape));
                continue;
            }
            let manner = match (shape, on) {
                (FactShape::Mark, true) => Manner::Gains,
                (FactShape::Mark, false) => Manner::Loses,
                _ => Manner::Otherwise,
            };
            self.effects.write_fact(fact, manner);
            match (on, shape, order) {
                (true, FactShape::MarkInOrder { .. }, Some(order)) => self.mark_in_turn(fact, set, order),
                (true, ..) => drop(self.emit(Op::Mark { fact, set })),
                (false, ..) => drop(self.emit(Op::Unmark { fact, set })),
            }
        }
    }

    fn link(&mut self, from: &Expr, to: &Expr, name: &Name) {
        let Some((fact, shape)) = self.link_to_write(name, Manner::Gains) else {
            return;
        };
        let from = self.players(from);
        let to_set = self.wanted(to, shape.links_to().unwrap_or(Kind::Players));
        self.emit(Op::Link { fact, from, to_set });
    }

    fn unlink(&mut self, from: &Expr, to: Option<&Expr>, name: &Name) {
        let Some((fact, shape)) = self.link_to_write(name, Manner::Loses) else {
            return;
        };
        let from = self.players(from);
        let kind = shape.links_to().unwrap_or(Kind::Players);
        match (shape, to) {
            (FactShape::Link { one: true, .. }, None) => {
                let to_set = self.temp();
                self.load_const(to_set, 0);
                self.emit(Op::Link { fact, from, to_set });
            }
            (_, to) => {
                let to_set = match to {
                    Some(to) => self.wanted(to, kind),
                    None => self.reg(Val::Const(u64::MAX, kind)),
                };
                self.emit(Op::Unlink { fact, from, to_set });
            }
        }
    }

    /// A link, to be written in some manner if it leads to any number.
    fn link_to_write(&mut self, name: &Name, manner: Manner) -> Option<(FactId, FactShape)> {
        if let Some(Local::Link(fact)) = self.scope.get(&name.text) {
            let fact = *fact;
            return Some((fact, self.out.facts[fact.index()].shape));
        }
        let (fact, shape) = self.fact_named(name, "a link", manner == Manner::Gains)?;
        let manner = match shape {
            FactShape::Link { one: false, .. } => manner,
            _ => Manner::Otherwise,
        };
        self.effects.write_fact(fact, manner);
        if shape.links_to().is_none() {
            self.report(errors::wrong_shape(name, "a link", shape));
            return None;
        }
        Some((fact, shape))
    }

    fn clear(&mut self, names: &[Name]) {
        for name in names {
            let local = match self.scope.get(&name.text) {
                Some(&Local::Link(fact)) => Some(fact),
                Some(&Local::Numbers(Numbers { row, named })) => {
                    if let Some(fact) = named {
                        self.emit(Op::Clear { fact });
                    }
                    Some(row)
                }
                _ => None,
            };
            let fact = local.or_else(|| {
                let (fact, _) = self.fact_named(name, "a mark, link, count or flag", false)?;
                self.effects.write_fact(fact, Manner::Clears);
                Some(fact)
            });
            if let Some(fact) = fact {
                self.emit(Op::Clear { fact });
                self.forget_asked(&name.text);
            }
        }
    }

    /// `let top = …`: a new name, or a new value for one there is.
    fn let_name(&mut self, name: &Name, value: &Expr) {
        if words::stands_alone(&name.text) {
            self.report(errors::built_in_name(name));
            return;
        }
        let old = match self.scope.get(&name.text) {
            Some(Local::Value(old)) => Some(*old),
            _ => None,
        };
        if let Some(old @ (Val::Reg(reg, _) | Val::Word(reg, _))) = old {
            let val = match old {
                Val::Word(_, words) => self.word_of(words, value),
                _ => self.wanted_val(value, old.kind()),
            };
            self.put_into(reg, val);
            let order = self.order_of(value);
            let order = self.order_further_in(name, reg, order);
            self.keep_order(&name.text, order);
            return;
        }
        if let Some(symbol) = self.symbols.get(&name.text)
            && !is_own_name(self.sources, name, symbol.span)
        {
            let span = symbol.span;
            if let Meaning::Fact(fact) = symbol.meaning {
                let is_mark = self.out.facts[fact.index()].shape.is_mark();
                self.report(errors::let_of_fact(name, is_mark, span));
            } else {
                self.report(errors::shadows(name, span));
            }
            return;
        }
        let to = self.temp();
        let before = self.faults();
        let val = self.value(value, None);
        self.put_into(to, val);
        let kept = match val {
            Val::Word(_, alternatives) => Val::Word(to, alternatives),
            val => Val::Reg(to, val.kind()),
        };
        let order = self.order_of(value);
        self.bind_given(before, name, kept);
        self.keep_order(&name.text, order);
    }

    fn set_fact(&mut self, name: &Name, of: Option<&Expr>, value: &Expr) {
        let Some((fact, shape)) = self.fact_named(name, "a count or a flag", true) else {
            return;
        };
        match (shape, of) {
            (FactShape::Flag, None) => {
                let val = self.value_to_set(fact, value, Kind::Truth);
                let value = self.reg(val);
                self.emit(Op::Set { fact, value });
            }
            (FactShape::Count, None) => {
                let val = self.value_to_set(fact, value, self.kind_of_each(fact));
                self.unless_no_word(fact, val, |c, value| c.emit(Op::Set { fact, value }));
            }
            (FactShape::CountOfEach, Some(of)) => {
                let of = self.players(of);
                let val = self.value_to_set(fact, value, self.kind_of_each(fact));
                self.unless_no_word(fact, val, |c, value| c.emit(Op::SetOf { fact, of, value }));
            }
            (FactShape::CountOfEach, None) => self.report(errors::needs_of(name)),
            (FactShape::Flag | FactShape::Count, Some(of)) => self.report(errors::no_of_here(name, of.span)),
            _ => self.report(errors::wrong_shape(name, "a count or a flag", shape)),
        }
    }

    /// The value that a fact is set to; that it is always the same is noted. To a remembered word it is the
    /// number of the word.
    fn value_to_set(&mut self, fact: FactId, value: &Expr, kind: Kind) -> Val {
        let val = match self.words_of(fact) {
            Some(words) => self.word_of(words, value),
            None => self.wanted_val(value, kind),
        };
        self.effects.write_fact(
            fact,
            match val {
                Val::Const(value, _) => Manner::Becomes(value),
                _ => Manner::Otherwise,
            },
        );
        val
    }

    /// A question that nobody answered in time comes to none of its words: a remembered word stays as it was.
    fn unless_no_word(&mut self, fact: FactId, val: Val, set: impl FnOnce(&mut Self, Reg) -> usize) {
        let words = self.out.facts[fact.index()].words.len();
        let value = self.reg(val);
        if words == 0 || matches!(val, Val::Const(..)) {
            set(self, value);
            return;
        }
        let skip = self.scratch(|c| {
            let (known, count) = (c.temp(), c.temp());
            c.load_const(count, words as u64);
            c.emit(Op::Less {
                to: known,
                a: value,
                b: count,
            });
            c.jump_unless(known)
        });
        set(self, value);
        self.land(skip);
    }

    fn add_fact(&mut self, value: &Expr, less: bool, name: &Name, of: Option<&Expr>) {
        let Some((fact, shape)) = self.fact_named(name, "a count", true) else {
            return;
        };
        let text = self.out.facts[fact.index()].text;
        if text || self.words_of(fact).is_some() {
            self.report(errors::nothing_added_to_words(name, text));
            return;
        }
        if !matches!(shape, FactShape::Count | FactShape::CountOfEach) {
            self.report(errors::wrong_shape(name, "a count", shape));
            return;
        }
        self.effects.write_fact(fact, Manner::Adds);
        let value = self.wanted_val(value, Kind::Number);
        let value = match less {
            true => self.negated(value),
            false => self.reg(value),
        };
        match (shape, of) {
            (FactShape::Count, None) => {
                self.emit(Op::Add { fact, value });
            }
            (FactShape::CountOfEach, Some(of)) => {
                let of = self.players(of);
                self.emit(Op::AddOf { fact, of, value });
            }
            (FactShape::CountOfEach, None) => self.report(errors::needs_of(name)),
            (_, Some(of)) => self.report(errors::no_of_here(name, of.span)),
            (_, None) => {}
        }
    }
}
