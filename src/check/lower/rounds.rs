//! Questions that go round: `ask each living for vote from living`.

use super::{Compiler, Local, Meaning, Val, ask::PickRegs, errors};
use crate::effects::{Manner, Touch};
use omerta_core::rules::{AskKind, Fact, FactId, FactShape, Kind, Op, Pass, Reg, Slot};
use omerta_core::source::Span;
use omerta_syntax::tree::{Amount, Ask, AskMode, Domain, Name, OrNobody, Question};

impl Compiler<'_> {
    pub(super) fn ask_each(&mut self, ask: &Ask, question: &Question, span: Span) {
        let keep = self.each_keep(question);
        let asked = self.temp();
        self.load_const(asked, 0);
        let start = match &ask.mode {
            AskMode::InOrder(Some(from)) => {
                let to = self.temp();
                let val = self.wanted_val(from, Kind::Players);
                self.put_into(to, val);
                Some(to)
            }
            _ => None,
        };
        let in_order = matches!(ask.mode, AskMode::InOrder(_));
        // Where all answer at once, what happens to those who were late happens when all have answered.
        let at_once = !in_order && !matches!(question, Question::Menu(..));
        let tardy = self
            .clock
            .late
            .filter(|_| at_once)
            .map(|late| (late, self.temp()));
        if let Some((_, tardy)) = tardy {
            self.load_const(tardy, 0);
        }
        let base = self.question_registers(question);
        let rest = self.temp();
        // Where somebody takes up an offer in between, whoever was asked is asked again, if he still is.
        let first = self.jump();
        let again = self.label();
        self.take_out(asked, base);
        let head = self.label();
        self.land(first);
        self.scratch(|c| {
            let floor = c.next;
            let who = c.wanted_val(&ask.who, Kind::Players);
            let who = c.reg(who);
            if who.0 < floor || !c.without_into(rest, who, asked) {
                c.emit(Op::Without {
                    to: rest,
                    a: who,
                    b: asked,
                });
            }
        });
        let out = self.jump_unless(rest);
        if in_order {
            self.effects.read(Touch::Seats);
        }
        self.pop(base, rest, self.seat_order(Kind::Players), start);
        self.join(asked, base);
        self.in_time();
        let clock = self.clock;
        let names = self.scope.locals.len();
        let me = self.local_value("me");
        self.bind_value("me", base, Kind::Players);
        self.each_question(ask, question, &keep, EachRegs { base, again }, span);
        match tardy {
            Some((late, tardy)) => {
                let over = self.jump_unless(late);
                self.join(tardy, base);
                self.land(over);
            }
            None => self.when_late(ask, clock),
        }
        if in_order && ask.open_to.is_some() {
            self.reveal_of(ask, &keep, (base, me), span);
        }
        self.unbind(names);
        self.jump_to(head);
        self.land(out);
        self.bind_each(question, &keep);
        self.note_asked(question, asked);
        if ask.openly && !in_order {
            self.reveal_each(ask, &keep, asked, span);
        }
        if let Some((_, tardy)) = tardy {
            self.all_late(ask, tardy);
        }
    }

    /// What happens to everybody whose time was up, one after the other.
    fn all_late(&mut self, ask: &Ask, tardy: Reg) {
        let Some(block) = &ask.late else { return };
        self.block_scope(|c| {
            let who = c.temp();
            c.bind_value("me", who, Kind::Players);
            c.each_in_turn(tardy, who, |c, _| c.block(block));
        });
    }

    /// One round of the loop over those asked.
    fn each_question(
        &mut self,
        ask: &Ask,
        question: &Question,
        keep: &Keep,
        EachRegs { base, again }: EachRegs,
        span: Span,
    ) {
        let answer = Reg(base.0 + 3);
        match question {
            Question::For {
                name,
                domain,
                or_nobody,
                amount,
            } => {
                if let Some(amount) = amount {
                    let wanted = (name, domain, or_nobody, amount);
                    return self.each_picks(ask, wanted, keep, EachRegs { base, again }, span);
                }
                let (kind, value) = self.scratch(|c| c.domain(domain, base));
                if !matches!(value, Kind::Players | Kind::Number | Kind::Text) {
                    self.report(errors::each_names_no_cards(name.span));
                }
                let skip = (*or_nobody != OrNobody::Never).then(|| {
                    self.load_const(Reg(base.0 + 3), 0);
                    self.jump_if_empty(value, base)
                });
                let pass = self.pass(or_nobody, base);
                let id = self.one_site(ask, &name.text, kind, pass, (0, 1), again, span);
                self.emit(Op::Ask { site: id, base });
                self.land_all(skip.into_iter().collect());
                self.keep_answer(keep, base, answer);
                self.choice_rules(answer, value, base);
            }
            Question::Whether(name) => {
                let kind = AskKind::YesNo;
                let id = self.one_site(ask, &name.text, kind, Pass::Never, (0, 1), again, span);
                self.emit(Op::Ask { site: id, base });
                self.keep_answer(keep, base, answer);
            }
            Question::Menu(name, branches) => {
                let mut skips = Vec::new();
                let picks = self.put_menu(ask, (name.as_ref(), branches), base, again, &mut skips, span);
                self.menu_bodies(branches, &picks, base);
                self.land_all(skips);
            }
        }
    }

    /// Somebody picks several, one after the other.
    fn each_picks(
        &mut self,
        ask: &Ask,
        (name, domain, or_nobody, amount): (&Name, &Domain, &OrNobody, &Amount),
        keep: &Keep,
        EachRegs { base, again }: EachRegs,
        span: Span,
    ) {
        let one_only = match keep {
            Keep::Declared(fact) | Keep::Local(fact) => {
                self.out.facts[fact.index()].shape == FactShape::LINK_ONE
            }
            _ => true,
        };
        if one_only {
            self.report(errors::each_picks_one(amount.count.span));
        }
        let value = self.scratch(|c| {
            let sum = c.temp();
            let regs = PickRegs {
                base,
                sum,
                asked: Some(again),
                order: None,
            };
            let value = c.several_picks(ask, (name, domain, or_nobody, amount), regs, span);
            c.keep_answer(keep, base, sum);
            c.choice_rules(sum, value, base);
            value
        });
        if value != Kind::Players && !one_only {
            self.report(errors::each_names_no_cards(name.span));
        }
    }

    /// Where the answers of an `ask each` go.
    fn each_keep(&mut self, question: &Question) -> Keep {
        match question {
            Question::For {
                name,
                domain: Domain::Numbers(..),
                ..
            } => Keep::Numbers(self.numbers_of_each(name, false)),
            Question::For {
                name,
                domain: Domain::Written { .. },
                ..
            } => {
                if let Some(fact) = self.declared_text(name) {
                    return Keep::Text(fact);
                }
                Keep::Numbers(self.numbers_of_each(name, true))
            }
            Question::For { name, amount, .. } => match self.declared_link(name) {
                Some(fact) => {
                    self.symbols.written.insert(name.text.clone());
                    self.effects.write(Touch::Fact(fact));
                    Keep::Declared(fact)
                }
                None => {
                    if let Some(Local::Link(fact)) = self.scope.get(&name.text) {
                        // Asked again in the same block: the answers go where the others are.
                        return Keep::Local(*fact);
                    }
                    self.check_fresh(name);
                    let shape = match amount {
                        Some(_) => FactShape::LINK,
                        None => FactShape::LINK_ONE,
                    };
                    let fact = self.hidden(name, shape);
                    self.emit(Op::Clear { fact });
                    self.forget_asked(&name.text);
                    Keep::Local(fact)
                }
            },
            Question::Whether(name) => {
                if let Some(Meaning::Fact(fact)) = self.symbols.get(&name.text).map(|s| s.meaning)
                    && matches!(self.out.facts[fact.index()].shape, FactShape::Mark)
                {
                    self.resolve(name);
                    self.symbols.written.insert(name.text.clone());
                    self.effects.write(Touch::Fact(fact));
                    return Keep::Mark(fact);
                }
                self.check_fresh(name);
                let yes = self.temp();
                self.load_const(yes, 0);
                Keep::Yes(yes)
            }
            Question::Menu(..) => Keep::Nothing,
        }
    }

    /// Where the numbers or texts of each go; asked again, they go where the others are, which the question may
    /// speak of.
    fn numbers_of_each(&mut self, name: &Name, text: bool) -> FactId {
        if let Some(Local::Numbers(fact)) = self.scope.get(&name.text)
            && self.out.facts[fact.index()].text == text
        {
            return *fact;
        }
        let fact = self.hidden(name, FactShape::CountOfEach);
        self.out.facts[fact.index()].text = text;
        self.emit(Op::Clear { fact });
        fact
    }

    fn declared_link(&mut self, name: &Name) -> Option<FactId> {
        let Some(Meaning::Fact(fact)) = self.symbols.get(&name.text).map(|s| s.meaning) else {
            return None;
        };
        matches!(
            self.out.facts[fact.index()].shape,
            FactShape::Link {
                to: Kind::Players,
                ..
            }
        )
        .then(|| {
            self.resolve(name);
            fact
        })
    }

    /// `text will of each`, where the answers go there.
    fn declared_text(&mut self, name: &Name) -> Option<FactId> {
        let Some(Meaning::Fact(fact)) = self.symbols.get(&name.text).map(|s| s.meaning) else {
            return None;
        };
        let kept = &self.out.facts[fact.index()];
        (kept.text && kept.shape == FactShape::CountOfEach).then(|| {
            self.resolve(name);
            self.symbols.written.insert(name.text.clone());
            self.effects.write_fact(fact, Manner::Otherwise);
            fact
        })
    }

    /// A fact of the compiler's own, of a row.
    pub(super) fn hidden(&mut self, name: &Name, shape: FactShape) -> FactId {
        let slot = Slot(self.out.scalars + self.out.rows);
        self.out.rows += 1;
        let id = FactId(self.out.facts.len() as u16);
        let (name, origin) = (name.text.clone(), name.span);
        self.out.facts.push(Fact {
            title: name.clone(),
            name,
            shape,
            slot,
            start: 0,
            origin,
            hidden: true,
            words: Vec::new(),
            text: false,
        });
        id
    }

    fn keep_answer(&mut self, keep: &Keep, who: Reg, answer: Reg) {
        if let Keep::Local(fact) = *keep
            && self.out.facts[fact.index()].shape == FactShape::LINK
        {
            // Who is asked again answers anew.
            self.scratch(|c| {
                let to_set = c.reg(Val::Const(u64::MAX, Kind::Players));
                c.emit(Op::Unlink {
                    fact,
                    from: who,
                    to_set,
                });
            });
        }
        match keep {
            Keep::Declared(fact) | Keep::Local(fact) => {
                self.emit(Op::Link {
                    fact: *fact,
                    from: who,
                    to_set: answer,
                });
            }
            Keep::Numbers(fact) | Keep::Text(fact) => {
                self.emit(Op::SetOf {
                    fact: *fact,
                    of: who,
                    value: answer,
                });
            }
            Keep::Yes(yes) => {
                let over = self.jump_unless(answer);
                self.join(*yes, who);
                self.land(over);
            }
            Keep::Mark(fact) => {
                let over = self.jump_unless(answer);
                self.emit(Op::Mark {
                    fact: *fact,
                    set: who,
                });
                self.land(over);
            }
            Keep::Nothing => {}
        }
    }

    fn bind_each(&mut self, question: &Question, keep: &Keep) {
        let (Question::For { name, .. } | Question::Whether(name)) = question else {
            return;
        };
        match keep {
            Keep::Local(fact) | Keep::Numbers(fact) => {
                let again = matches!(self.scope.get(&name.text),
                    Some(Local::Link(row) | Local::Numbers(row)) if row == fact);
                if !again {
                    self.check_hides(self.faults(), name);
                }
                let local = match keep {
                    Keep::Local(_) => Local::Link(*fact),
                    _ => Local::Numbers(*fact),
                };
                self.bind(&name.text, local);
            }
            Keep::Yes(yes) => {
                let before = self.faults();
                self.bind_given(before, name, Val::Reg(*yes, Kind::Players));
                let order = self.order_further_in(name, *yes, None);
                self.keep_order(&name.text, order);
            }
            Keep::Declared(_) | Keep::Text(_) | Keep::Mark(_) | Keep::Nothing => {}
        }
    }

    /// After all have answered in secret, everybody hears who answered what.
    fn reveal_each(&mut self, ask: &Ask, keep: &Keep, asked: Reg, span: Span) {
        self.block_scope(|c| {
            let (rest, who) = (c.temp(), c.temp());
            c.copy(rest, asked);
            let me = c.local_value("me");
            c.each_in_turn(rest, who, |c, _| c.reveal_of(ask, keep, (who, me), span));
        });
    }

    /// What one of them has answered is told to everybody, or to some: those are meant of him, where `me` was
    /// nobody else before the question.
    fn reveal_of(&mut self, ask: &Ask, keep: &Keep, (who, me): (Reg, Option<Val>), span: Span) {
        self.scratch(|c| {
            let answer = c.temp();
            let to = ask.open_to.as_ref().map(|to| {
                let kept = c.temp();
                let me = me.map_or(who, |me| c.reg(me));
                let to = c.with_me(me, |c| c.players(to));
                c.copy(kept, to);
                kept
            });
            let kind = match keep {
                Keep::Declared(fact) | Keep::Local(fact) => {
                    let row = c.out.facts[fact.index()].slot;
                    c.emit(Op::LinkOf {
                        to: answer,
                        row,
                        of: who,
                    });
                    Kind::Players
                }
                Keep::Numbers(fact) | Keep::Text(fact) => {
                    let row = c.out.facts[fact.index()].slot;
                    c.emit(Op::CountOf {
                        to: answer,
                        row,
                        of: who,
                    });
                    c.kind_of_each(*fact)
                }
                Keep::Yes(yes) => {
                    c.emit(Op::Within {
                        to: answer,
                        a: who,
                        b: *yes,
                    });
                    Kind::Truth
                }
                Keep::Mark(fact) => {
                    let slot = c.out.facts[fact.index()].slot;
                    c.emit(Op::Load { to: answer, slot });
                    c.emit(Op::Within {
                        to: answer,
                        a: who,
                        b: answer,
                    });
                    Kind::Truth
                }
                Keep::Nothing => return,
            };
            c.say_answer(&ask.question, (who, answer, kind), to, span);
        });
    }

    /// Where a link is emptied, nobody has been asked for it any more.
    pub(super) fn forget_asked(&mut self, link: &str) {
        if let Some(fact) = self.asked_mark(link) {
            self.emit(Op::Clear { fact });
        }
    }

    /// Remembers who was asked since the link was emptied, for `majority of` and `common of`.
    fn note_asked(&mut self, question: &Question, asked: Reg) {
        let Question::For { name, .. } = question else {
            return;
        };
        if let Some(fact) = self.asked_mark(&name.text) {
            self.emit(Op::Mark { fact, set: asked });
        }
    }
}

/// Where the answers of an `ask each` go.
enum Keep {
    /// Into a declared link.
    Declared(FactId),
    /// Into a link of the block's own.
    Local(FactId),
    /// Into a number, or a text, of each.
    Numbers(FactId),
    /// Into a declared text of each.
    Text(FactId),
    /// Whoever says yes, into a register.
    Yes(Reg),
    /// Whoever says yes, into a declared mark.
    Mark(FactId),
    /// A menu keeps nothing.
    Nothing,
}

#[derive(Clone, Copy)]
struct EachRegs {
    base: Reg,
    again: u32,
}
