//! Questions, draws and waits: the only places where a game pauses.
//!
//! A question's registers stand as [`crate::rules::AskSite`] says: who, among what, answer. Code that
//! works out who and among what stands between the label `again` and the question, so that it can be
//! put anew after somebody has taken up an offer.

use super::{Clock, Compiler, Val, errors};
use crate::bounds::is_own_name;
use crate::symbol::Meaning;
use omerta_core::rules::{AskId, AskKind, AskSite, FactId, FactShape, Kind, Op, Pass, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{Amount, Ask, AskMode, Domain, Expr, ExprKind, Name, OrNobody, Question};
use omerta_syntax::words;

/// How many branches a menu has.
pub(super) const MOST_BRANCHES: usize = 255;

impl Compiler<'_> {
    pub(super) fn ask(&mut self, ask: &Ask, span: Span) {
        self.effects.asks = true;
        let clock = Clock {
            limit: ask.limit.as_ref().and_then(|limit| self.limit_of(limit)),
            late: ask.late.is_some().then(|| self.temp()),
        };
        let around = std::mem::replace(&mut self.clock, clock);
        match (&ask.mode, &ask.question) {
            (AskMode::One | AskMode::Together, question) => {
                self.in_time();
                let who = self.ask_one(ask, question, span);
                let names = self.scope.locals.len();
                // As in the branches of a menu, `me` stays what it was where the question stands.
                if !self.is_host(&ask.who) && self.scope.get("me").is_none() {
                    self.bind_value("me", who, Kind::Players);
                }
                self.when_late(ask, clock);
                self.unbind(names);
            }
            (AskMode::Each | AskMode::InOrder(_), question) => self.ask_each(ask, question, span),
        }
        self.clock = around;
    }

    /// So far the time is not up.
    pub(super) fn in_time(&mut self) {
        if let Some(late) = self.clock.late {
            self.load_const(late, 0);
        }
    }

    /// What happens where it was.
    pub(super) fn when_late(&mut self, ask: &Ask, clock: Clock) {
        if let (Some(late), Some(block)) = (clock.late, &ask.late) {
            let over = self.jump_unless(late);
            self.block(block);
            self.land(over);
        }
    }

    pub(super) fn is_host(&self, who: &Expr) -> bool {
        who.bare_name()
            .is_some_and(|n| n.text == "host" && self.scope.get("host").is_none())
    }

    /// Registers for a question: for a menu two words a branch, where nobody is an answer at times one
    /// word more.
    pub(super) fn question_registers(&mut self, question: &Question) -> Reg {
        match question {
            Question::Menu(_, branches) => self.ask_registers(branches.len()),
            Question::For {
                or_nobody: OrNobody::When(_),
                ..
            } => self.ask_registers(1),
            Question::For {
                amount: None,
                domain: Domain::Set(set),
                ..
            } if let Some((words, _)) = self.words_but(set) => {
                self.ask_registers(self.alternatives[words].0.len())
            }
            Question::For { .. } | Question::Whether(_) => self.ask_registers(0),
        }
    }

    pub(super) fn ask_registers(&mut self, branches: usize) -> Reg {
        // As many as there are numbers for; more are more than can be kept in mind.
        match branches <= MOST_BRANCHES {
            true => self.temps(5 + 2 * branches as u16),
            false => self.temps(u16::MAX),
        }
    }

    pub(super) fn add_site(&mut self, site: AskSite) -> AskId {
        let id = AskId(self.out.asks.len() as u16);
        self.out.asks.push(site);
        id
    }

    // ---- one question, one answer

    /// Gives the register in which stands who was asked.
    fn ask_one(&mut self, ask: &Ask, question: &Question, span: Span) -> Reg {
        let host = self.is_host(&ask.who);
        match question {
            Question::For {
                name,
                amount: None,
                domain: Domain::Set(set),
                or_nobody: OrNobody::Never,
            } if let Some(words) = self.words_but(set) => self.ask_word(ask, name, words, host, span),
            Question::For {
                name,
                amount,
                domain,
                or_nobody,
            } => {
                let before = self.faults();
                let order = amount.as_ref().and_then(|_| self.order_of_picks(name));
                let (base, answer, kind) = match amount {
                    None => self.ask_for(ask, name, domain, or_nobody, host, span),
                    Some(amount) => self.ask_for_several(ask, name, domain, or_nobody, (amount, order), span),
                };
                self.bind_answer(name, answer, kind, before);
                // One alone is in any order.
                if amount.is_some() {
                    self.keep_order(&name.text, self.row_of(order, kind));
                }
                self.reveal_one(ask, (base, Val::Reg(answer, kind)), span);
                self.choice_rules(answer, kind, base);
                base
            }
            Question::Whether(name) => {
                let before = self.faults();
                let base = self.ask_registers(0);
                let again = self.label();
                self.ask_whom(ask, base, host);
                let kind = AskKind::YesNo;
                let site = self.one_site(ask, &name.text, kind, Pass::Never, (0, 1), again, span);
                self.emit(Op::Ask { site, base });
                self.bind_answer(name, Reg(base.0 + 3), Kind::Truth, before);
                self.reveal_one(ask, (base, Val::Reg(Reg(base.0 + 3), Kind::Truth)), span);
                base
            }
            Question::Menu(name, branches) => self.ask_menu(ask, name.as_ref(), branches, host, span),
        }
    }

    /// Works out who is asked; jumps on when it is nobody. The answer starts out as nothing.
    pub(super) fn ask_who(&mut self, ask: &Ask, base: Reg, host: bool) -> Vec<usize> {
        self.load_const(Reg(base.0 + 3), 0);
        self.ask_whom(ask, base, host);
        if host {
            Vec::new()
        } else {
            vec![self.jump_unless(base)]
        }
    }

    /// Works out who is asked, and no more: a question of nobody is passed over by the engine.
    pub(super) fn ask_whom(&mut self, ask: &Ask, base: Reg, host: bool) {
        if host {
            self.load_const(base, 0);
        } else {
            self.scratch(|c| {
                c.into(base, |c| c.wanted_val(&ask.who, Kind::Players));
            });
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "each says one plain thing about the question"
    )]
    pub(super) fn one_site(
        &mut self,
        ask: &Ask,
        name: &str,
        kind: AskKind,
        pass: Pass,
        pick: (u8, u8),
        again: u32,
        span: Span,
    ) -> AskId {
        let host = self.is_host(&ask.who);
        // What each answers by himself is told when all have.
        let at_once = ask.mode != AskMode::Each;
        let openly = ask.openly && ask.open_to.is_none() && at_once;
        let unseen = matches!(&ask.question, Question::For { domain, .. } if domain.is_unseen());
        let text = ask.text.as_ref().map(|text| self.phrase(text));
        self.add_site(AskSite {
            name: name.to_owned(),
            kind,
            host,
            pass,
            openly,
            unseen,
            text,
            again,
            pick,
            limit: self.clock.limit,
            late: self.clock.late,
            origin: span,
        })
    }

    fn ask_for(
        &mut self,
        ask: &Ask,
        name: &Name,
        domain: &Domain,
        or_nobody: &OrNobody,
        host: bool,
        span: Span,
    ) -> (Reg, Reg, Kind) {
        let base = self.question_registers(&ask.question);
        let again = self.label();
        // A question of nobody, or with nothing to choose from, the engine passes over by itself; only where
        // nobody would be an answer it has to be said here that there is nothing to answer.
        let passable = *or_nobody != OrNobody::Never;
        let skips = if passable {
            self.ask_who(ask, base, host)
        } else {
            self.ask_whom(ask, base, host);
            Vec::new()
        };
        let (kind, value) = self.with_me(base, |c| c.domain(domain, base));
        let none = passable.then(|| self.jump_if_empty(value, base));
        let pass = self.pass(or_nobody, base);
        let site = self.one_site(ask, &name.text, kind, pass, (0, 1), again, span);
        self.emit(Op::Ask { site, base });
        self.land_all(skips.into_iter().chain(none).collect());
        (base, Reg(base.0 + 3), value)
    }

    /// `or nobody when C`: whether it holds goes beside the question, unless an option knows it already.
    pub(super) fn pass(&mut self, or_nobody: &OrNobody, base: Reg) -> Pass {
        let when = match or_nobody {
            OrNobody::Never => return Pass::Never,
            OrNobody::Always => return Pass::Always,
            OrNobody::When(when) => when,
        };
        let val = self.with_me(base, |c| {
            let val = c.truth(when);
            if !matches!(val, Val::Const(..)) {
                c.put_into(Reg(base.0 + 5), val);
            }
            val
        });
        match val {
            Val::Const(0, _) => Pass::Never,
            Val::Const(..) => Pass::Always,
            Val::Reg(..) | Val::Word(..) => Pass::When,
        }
    }

    /// `for 2 targets from …`: one pick after the other, each among what is left.
    fn ask_for_several(
        &mut self,
        ask: &Ask,
        name: &Name,
        domain: &Domain,
        or_nobody: &OrNobody,
        (amount, order): (&Amount, Option<FactId>),
        span: Span,
    ) -> (Reg, Reg, Kind) {
        let sum = self.temp();
        let base = self.question_registers(&ask.question);
        let regs = PickRegs {
            base,
            sum,
            asked: None,
            order,
        };
        let value = self.several_picks(ask, (name, domain, or_nobody, amount), regs, span);
        (base, sum, value)
    }

    /// The picks of one question, put together.
    pub(super) fn several_picks(
        &mut self,
        ask: &Ask,
        (name, domain, or_nobody, amount): (&Name, &Domain, &OrNobody, &Amount),
        regs: PickRegs,
        span: Span,
    ) -> Kind {
        let PickRegs { base, sum, .. } = regs;
        self.load_const(sum, 0);
        // How many are wanted, and how many have been picked.
        self.into(Reg(base.0 + 2), |c| c.wanted_val(&amount.count, Kind::Number));
        self.load_const(Reg(base.0 + 4), 0);
        // The first pick may be declined where nobody is an answer, the others where fewer will do.
        let (kind, mut exits) = self.one_pick(ask, (name, 1), domain, regs, or_nobody, span);
        // Of each it is told where their answers go.
        if regs.asked.is_none() && !matches!(kind, Kind::Players | Kind::Cards | Kind::Titles) {
            self.report(errors::several_of_no_set(amount.count.span));
        }
        let head = self.label();
        let fewer = match amount.up_to {
            true => OrNobody::Always,
            false => OrNobody::Never,
        };
        let regs = PickRegs {
            asked: regs.asked.map(|_| head),
            ..regs
        };
        let (_, more) = self.one_pick(ask, (name, 2), domain, regs, &fewer, span);
        self.jump_to(head);
        exits.extend(more);
        self.land_all(exits);
        kind
    }

    /// One of several picks; the jumps are taken when there is nothing more to pick.
    fn one_pick(
        &mut self,
        ask: &Ask,
        (name, which): (&Name, u8),
        domain: &Domain,
        regs: PickRegs,
        or_nobody: &OrNobody,
        span: Span,
    ) -> (Kind, Vec<usize>) {
        let PickRegs {
            base,
            sum,
            asked,
            order,
        } = regs;
        let again = asked.unwrap_or_else(|| self.label());
        let enough = self.fresh(|to| Op::Less {
            to,
            a: Reg(base.0 + 4),
            b: Reg(base.0 + 2),
        });
        let mut exits = vec![self.jump_unless(enough)];
        if asked.is_none() {
            exits.extend(self.ask_who(ask, base, self.is_host(&ask.who)));
        }
        let (kind, value) = self.with_me(base, |c| c.domain(domain, base));
        self.take_out(Reg(base.0 + 1), sum);
        exits.push(self.jump_unless(Reg(base.0 + 1)));
        let pass = self.pass(or_nobody, base);
        let site = self.one_site(ask, &name.text, kind, pass, (which, 2), again, span);
        self.emit(Op::Ask { site, base });
        self.join(sum, Reg(base.0 + 3));
        exits.push(self.jump_unless(Reg(base.0 + 3)));
        self.note_place(order, Reg(base.0 + 3), sum);
        self.scratch(|c| {
            let one = c.temp();
            c.load_const(one, 1);
            c.emit(Op::Plus {
                to: Reg(base.0 + 4),
                a: Reg(base.0 + 4),
                b: one,
            });
        });
        (value, exits)
    }

    /// `openly to S`: they hear the answer as soon as it is given.
    pub(super) fn reveal_one(&mut self, ask: &Ask, (who, answer): (Reg, Val), span: Span) {
        if let Some(to) = &ask.open_to {
            if matches!(&ask.question, Question::For { domain, .. } if domain.is_unseen()) {
                self.report(errors::unseen_is_for_all(to.span));
            }
            self.scratch(|c| {
                let to = c.players(to);
                c.say_answer(ask, (who, answer), Some(to), span);
            });
        }
    }

    /// Inside, `me` is who is asked.
    pub(super) fn with_me<T>(&mut self, me: Reg, write: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.scope.locals.len();
        self.bind_value("me", me, Kind::Players);
        let next = self.next;
        let out = write(self);
        self.next = next;
        self.unbind(names);
        out
    }

    /// Puts the domain into `base + 1` (and `base + 2`).
    pub(super) fn domain(&mut self, domain: &Domain, base: Reg) -> (AskKind, Kind) {
        match domain {
            Domain::Set(set) | Domain::Unseen(set) if let Some((number, rest)) = number_before(set) => {
                let text = |c: &Self, span| c.sources.slice(span).to_owned();
                let (many, rest) = (text(self, number), text(self, rest));
                self.report(errors::number_before_set(number, &many, &rest));
                (AskKind::Seats, Kind::Players)
            }
            Domain::Set(set) | Domain::Unseen(set) => {
                let (kind, value) = match self.into(Reg(base.0 + 1), |c| c.value(set, None)) {
                    Kind::Cards => (AskKind::Cards, Kind::Cards),
                    Kind::Titles => (AskKind::Titles, Kind::Titles),
                    Kind::Players => (AskKind::Seats, Kind::Players),
                    other => {
                        let text = self.sources.slice(set.span).to_owned();
                        self.report(errors::sets_only(&text, set.span, other));
                        (AskKind::Seats, Kind::Players)
                    }
                };
                self.check_unseen(domain, value);
                (kind, value)
            }
            Domain::Numbers(low, high) => {
                let low = self.wanted_val(low, Kind::Number);
                self.put_into(Reg(base.0 + 1), low);
                let high = self.wanted_val(high, Kind::Number);
                self.put_into(Reg(base.0 + 2), high);
                (AskKind::Numbers, Kind::Number)
            }
            Domain::Written { most } => {
                self.load_const(Reg(base.0 + 1), most.value as u64);
                (AskKind::Text, Kind::Text)
            }
            // Only a draw has weights; the grammar knows them nowhere else.
            Domain::Weighted(_) => (AskKind::Seats, Kind::Players),
        }
    }

    /// Over a question with nothing to choose from: no one of a set, no number of a range.
    pub(super) fn jump_if_empty(&mut self, value: Kind, base: Reg) -> usize {
        let (low, high) = (Reg(base.0 + 1), Reg(base.0 + 2));
        if value != Kind::Number {
            return self.jump_unless(low);
        }
        self.scratch(|c| {
            let empty = c.fresh(|to| Op::Less { to, a: high, b: low });
            c.jump_if(empty)
        })
    }

    /// Only cards have backs.
    pub(super) fn check_unseen(&mut self, domain: &Domain, kind: Kind) {
        if let (Domain::Unseen(set), true) = (domain, kind != Kind::Cards) {
            let text = self.sources.slice(set.span).to_owned();
            self.report(errors::only_cards_unseen(&text, set.span, kind));
        }
    }

    fn bind_answer(&mut self, name: &Name, answer: Reg, kind: Kind, before: usize) {
        self.check_fresh(name);
        self.bind_given(before, name, Val::Reg(answer, kind));
    }

    /// A name for an answer must not hide anything declared.
    pub(super) fn check_fresh(&mut self, name: &Name) {
        if words::stands_alone(&name.text) {
            self.report(errors::built_in_name(name));
        } else if let Some(symbol) = self.symbols.get(&name.text)
            && !is_own_name(self.sources, name, symbol.span)
        {
            let told = errors::shadows(name, symbol.span);
            let is_kept = |fact: FactId| {
                matches!(
                    self.out.facts[fact.index()].shape,
                    FactShape::Link { .. } | FactShape::CountOfEach
                )
            };
            self.report(match symbol.meaning {
                Meaning::Fact(fact) if is_kept(fact) => told.help(format!(
                    "choose another name; what each of some answers is kept in `{0}` itself by `ask each … for {0}`",
                    name.text
                )),
                _ => told,
            });
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct PickRegs {
    pub(super) base: Reg,
    pub(super) sum: Reg,
    /// Where one goes on who was asked already, among each, when somebody takes up an offer.
    pub(super) asked: Option<u32>,
    /// The row that keeps their order.
    pub(super) order: Option<FactId>,
}

/// The number that stands before the rest of a set: `2 living others`.
fn number_before(set: &Expr) -> Option<(Span, Span)> {
    let ExprKind::Narrow(items) = &*set.kind else {
        return None;
    };
    let [first, second, ..] = &items[..] else {
        return None;
    };
    let is_number = matches!(*first.kind, ExprKind::Int(_));
    is_number.then(|| (first.span, second.span.to(items[items.len() - 1].span)))
}
