//! Questions that go round: `ask each living for vote from living`.

use super::{Compiler, Local, Meaning, Numbers, Val, ask::PickRegs, errors};
use crate::effects::{Manner, Touch};
use omerta_core::rules::{AskFrame, AskKind, Fact, FactId, FactShape, Kind, Op, Pass, Reg, SeenBy, Slot};
use omerta_core::source::Span;
use omerta_syntax::tree::{Amount, Ask, AskMode, Branch, Domain, Name, OrNobody, Question};

impl Compiler<'_> {
    pub(super) fn ask_each(&mut self, ask: &Ask, question: &Question, span: Span) {
        let in_order = matches!(ask.mode, AskMode::InOrder(_));
        let keep = self.each_keep(question, in_order, span);
        let apart = if in_order {
            None
        } else {
            self.kept_apart(&keep, span)
        };
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
        // Where all answer at once, what happens to those who were late happens when all have answered.
        let tardy = self
            .clock
            .late
            .filter(|_| !in_order)
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
        let into = apart.as_ref().unwrap_or(&keep);
        let picks = self.each_question(ask, question, into, (EachRegs { base, again }, me), span);
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
        if let Some(apart) = &apart {
            self.put_together(question, (&keep, apart), asked);
        }
        if let (Question::Menu(_, branches), Keep::Branch { .. }) = (question, &keep) {
            self.all_branches(ask, (branches, &picks), (&keep, base, asked), (me, span));
        }
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

    /// What each has chosen in a menu happens, one after the other, when all have chosen.
    fn all_branches(
        &mut self,
        ask: &Ask,
        menu: (&[Branch], &[Option<Kind>]),
        (keep, base, asked): (&Keep, Reg, Reg),
        me: (Option<Val>, Span),
    ) {
        let Keep::Branch { branch, picked } = *keep else {
            return;
        };
        self.block_scope(|c| {
            let rest = c.temp();
            c.copy(rest, asked);
            c.bind_value("me", base, Kind::Players);
            c.each_in_turn(rest, base, |c, _| {
                for (fact, to) in [(branch, AskFrame(base).answer()), (picked, Reg(base.0 + 4))] {
                    c.read_kept(fact, base, to);
                }
                c.menu_bodies(ask, menu, base, me);
            });
        });
    }

    /// One round of the loop over those asked; gives back what is picked in each branch of a menu.
    fn each_question(
        &mut self,
        ask: &Ask,
        question: &Question,
        keep: &Keep,
        (EachRegs { base, again }, me): (EachRegs, Option<Val>),
        span: Span,
    ) -> Vec<Option<Kind>> {
        let answer = Reg(base.0 + 3);
        let mut picks = Vec::new();
        match question {
            Question::For {
                name,
                domain,
                or_nobody,
                amount,
            } => {
                if let Some(amount) = amount {
                    let wanted = (name, domain, or_nobody, amount);
                    self.each_picks(ask, wanted, keep, EachRegs { base, again }, span);
                    return picks;
                }
                if let Keep::Word(row, words) = *keep {
                    let but = match domain {
                        Domain::Set(set) => self.words_but(set).map_or(Vec::new(), |(_, but)| but),
                        _ => Vec::new(),
                    };
                    self.open_words(words, &but, base);
                    self.put_word(ask, (name, words), base, again, span);
                    self.keep_word(row, words, base);
                    return picks;
                }
                let (kind, value) = self.scratch(|c| c.domain(domain, base));
                self.keeps_kind(keep, name, value);
                let skip = (*or_nobody != OrNobody::Never).then(|| {
                    self.load_const(answer, 0);
                    if value == Kind::Number {
                        self.load_const(AskFrame(base).named(), 0);
                    }
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
                picks = self.put_menu(ask, (name.as_ref(), branches), base, again, span);
                match *keep {
                    Keep::Branch { branch, picked } => {
                        self.keep_of(branch, base, answer);
                        self.keep_of(picked, base, Reg(base.0 + 4));
                    }
                    _ => self.menu_bodies(ask, (branches, &picks), base, (me, span)),
                }
            }
        }
        picks
    }

    /// Whose time was up keeps the word that he had.
    fn keep_word(&mut self, row: FactId, words: usize, base: Reg) {
        let answer = AskFrame(base).answer();
        let late = self.unless_named(words, answer);
        self.keep_of(row, base, answer);
        self.land(late);
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
                matches!(
                    self.out.facts[fact.index()].shape,
                    FactShape::Link { one: true, .. }
                )
            }
            _ => true,
        };
        if one_only {
            self.report(errors::each_picks_one(amount.count.span));
        }
        self.scratch(|c| {
            let sum = c.temp();
            let regs = PickRegs {
                base,
                sum,
                asked: Some(again),
                order: None,
            };
            let value = c.several_picks(ask, (name, domain, or_nobody, amount), regs, span);
            c.keeps_kind(keep, name, value);
            c.keep_answer(keep, base, sum);
            c.choice_rules(sum, value, base);
        });
    }

    /// What a link leads to in which the answers are kept: a declared one says so, one of the block's own goes by what is
    /// asked for first.
    fn keeps_kind(&mut self, keep: &Keep, name: &Name, kind: Kind) {
        let (Keep::Declared(fact) | Keep::Local(fact)) = *keep else {
            return;
        };
        let is_new = matches!(keep, Keep::Local(_)) && self.scope.get(&name.text).is_none();
        if let FactShape::Link { to, .. } = &mut self.out.facts[fact.index()].shape {
            let kept = if is_new { kind } else { *to };
            *to = kept;
            if kept != kind {
                self.report(errors::kept_of_another_kind(name, kept, kind));
            }
        }
    }

    /// Where the answers of an `ask each` go.
    fn each_keep(&mut self, question: &Question, in_order: bool, span: Span) -> Keep {
        match question {
            Question::For {
                name,
                domain: Domain::Numbers(..),
                ..
            } => match self.declared_kept(name, |fact| !fact.text && fact.words.is_empty()) {
                Some(fact) => Keep::Row(fact),
                None => Keep::Numbers(self.numbers_of_each(name)),
            },
            Question::For {
                name,
                domain: Domain::Written { .. },
                ..
            } => match self.declared_kept(name, |fact| fact.text) {
                Some(fact) => Keep::Row(fact),
                None => Keep::Numbers(self.texts_of_each(name)),
            },
            Question::For {
                name,
                amount: None,
                domain: Domain::Set(set),
                or_nobody: OrNobody::Never,
            } if let Some((words, _)) = self.words_but(set) => {
                Keep::Word(self.words_of_each(name, words), words)
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
                if let Some(Meaning::Fact(fact)) = self.symbols.meaning(&name.text)
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
            Question::Menu(..) if in_order => Keep::Nothing,
            Question::Menu(_, branches) => {
                let [branch, picked] = ["branch of each", "picked of each"].map(|text| {
                    let text = text.to_owned();
                    self.hidden(&Name { text, span }, FactShape::CountOfEach)
                });
                // Of whoever is asked for nothing, none is chosen.
                self.out.facts[branch.index()].start = branches.len() as i64;
                self.emit(Op::Clear { fact: branch });
                Keep::Branch { branch, picked }
            }
        }
    }

    /// Where answers stay until all have given theirs, if others see what they are kept in as soon as it changes.
    fn kept_apart(&mut self, keep: &Keep, span: Span) -> Option<Keep> {
        let (Keep::Declared(fact) | Keep::Row(fact) | Keep::Word(fact, _) | Keep::Mark(fact)) = *keep else {
            return None;
        };
        let seen = &self.out.facts[fact.index()];
        if seen.seen_by == SeenBy::Nobody {
            return None;
        }
        let (shape, text, words) = (seen.shape, seen.text, seen.words.clone());
        if let Keep::Mark(_) = keep {
            let yes = self.temp();
            self.load_const(yes, 0);
            return Some(Keep::Yes(yes));
        }
        let name = "answers of each".to_owned();
        let own = self.hidden(&Name { text: name, span }, shape);
        let fact = &mut self.out.facts[own.index()];
        (fact.text, fact.start) = (text, words.len() as i64);
        fact.words = words;
        self.emit(Op::Clear { fact: own });
        Some(match *keep {
            Keep::Word(_, words) => Keep::Word(own, words),
            Keep::Row(_) => Keep::Row(own),
            _ => Keep::Local(own),
        })
    }

    /// When all have answered, what stood apart goes where it is kept.
    fn put_together(&mut self, question: &Question, (keep, apart): (&Keep, &Keep), asked: Reg) {
        if let (Keep::Mark(fact), Keep::Yes(yes)) = (keep, apart) {
            let (fact, yes) = (*fact, *yes);
            return self.scratch(|c| {
                let set = c.fresh(|to| Op::Without { to, a: asked, b: yes });
                c.emit(Op::Unmark { fact, set });
                c.emit(Op::Mark { fact, set: yes });
            });
        }
        let (
            Keep::Declared(fact) | Keep::Row(fact) | Keep::Word(fact, _),
            Keep::Local(own) | Keep::Row(own) | Keep::Word(own, _),
        ) = (keep, apart)
        else {
            return;
        };
        let (fact, own) = (*fact, *own);
        let kinds = [fact, own].map(|fact| self.out.facts[fact.index()].shape.links_to());
        if let (Question::For { name, .. }, [Some(kept), Some(given)]) = (question, kinds)
            && kept != given
        {
            self.report(errors::kept_of_another_kind(name, kept, given));
        }
        self.block_scope(|c| {
            let (rest, who) = (c.temp(), c.temp());
            c.copy(rest, asked);
            c.each_in_turn(rest, who, |c, _| {
                let value = c.temp();
                c.read_kept(own, who, value);
                match keep {
                    Keep::Declared(_) => {
                        c.emit(Op::Link {
                            fact,
                            from: who,
                            to_set: value,
                        });
                    }
                    Keep::Word(_, words) => {
                        let late = c.unless_named(*words, value);
                        c.keep_of(fact, who, value);
                        c.land(late);
                    }
                    _ => c.keep_of(fact, who, value),
                }
            });
        });
    }

    /// Jumps where a word is none of them, as of whoever was late.
    fn unless_named(&mut self, words: usize, value: Reg) -> usize {
        self.scratch(|c| {
            let none = c.reg(Val::Const(c.alternatives[words].0.len() as u64, Kind::Number));
            let test = c.fresh(|to| Op::Less {
                to,
                a: value,
                b: none,
            });
            c.jump_unless(test)
        })
    }

    /// Where the numbers of each go; asked again, they go where the others are, which the question may speak of.
    fn numbers_of_each(&mut self, name: &Name) -> Numbers {
        if let Some(Local::Numbers(numbers)) = self.scope.get(&name.text)
            && numbers.named.is_some()
        {
            return *numbers;
        }
        self.check_fresh(name);
        let [row, named] = [name.text.clone(), format!("{}: named", name.text)].map(|text| {
            let span = name.span;
            let fact = self.hidden(&Name { text, span }, FactShape::CountOfEach);
            self.emit(Op::Clear { fact });
            fact
        });
        let named = Some(named);
        Numbers { row, named }
    }

    /// The same with texts.
    fn texts_of_each(&mut self, name: &Name) -> Numbers {
        if let Some(Local::Numbers(texts)) = self.scope.get(&name.text)
            && self.out.facts[texts.row.index()].text
        {
            return *texts;
        }
        self.check_fresh(name);
        let row = self.hidden(name, FactShape::CountOfEach);
        self.out.facts[row.index()].text = true;
        self.emit(Op::Clear { fact: row });
        Numbers { row, named: None }
    }

    /// The same with words: a declared `word … of each` of these, or a row of the block's own.
    fn words_of_each(&mut self, name: &Name, words: usize) -> FactId {
        let known = match self.scope.get(&name.text) {
            Some(local) => local.row(),
            None => self.declared_row(name),
        };
        if let Some(row) = known.filter(|row| self.words_of(*row) == Some(words)) {
            if self.scope.get(&name.text).is_none() {
                self.resolve(name);
                self.symbols.written.insert(name.text.clone());
                self.effects.write_fact(row, Manner::Otherwise);
            }
            return row;
        }
        self.check_fresh(name);
        let row = self.hidden(name, FactShape::CountOfEach);
        let fact = &mut self.out.facts[row.index()];
        fact.words.clone_from(&self.alternatives[words].0);
        // Whoever is not asked has none of them.
        fact.start = fact.words.len() as i64;
        self.emit(Op::Clear { fact: row });
        row
    }

    fn declared_row(&self, name: &Name) -> Option<FactId> {
        let Meaning::Fact(fact) = self.symbols.get(&name.text)?.meaning else {
            return None;
        };
        (self.out.facts[fact.index()].shape == FactShape::CountOfEach).then_some(fact)
    }

    fn declared_link(&mut self, name: &Name) -> Option<FactId> {
        let Some(Meaning::Fact(fact)) = self.symbols.meaning(&name.text) else {
            return None;
        };
        self.out.facts[fact.index()].shape.links_to()?;
        self.resolve(name);
        Some(fact)
    }

    /// `text will of each`, `count bid of each`, where the answers go there.
    fn declared_kept(&mut self, name: &Name, takes: impl Fn(&Fact) -> bool) -> Option<FactId> {
        let Some(Meaning::Fact(fact)) = self.symbols.meaning(&name.text) else {
            return None;
        };
        let kept = &self.out.facts[fact.index()];
        (takes(kept) && kept.shape == FactShape::CountOfEach).then(|| {
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
            seen_by: SeenBy::Nobody,
        });
        id
    }

    fn keep_answer(&mut self, keep: &Keep, who: Reg, answer: Reg) {
        if let Keep::Local(fact) = *keep
            && matches!(
                self.out.facts[fact.index()].shape,
                FactShape::Link { one: false, .. }
            )
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
            Keep::Numbers(Numbers { row, named }) => {
                self.keep_of(*row, who, answer);
                if let Some(named) = named {
                    self.keep_of(*named, who, AskFrame(who).named());
                }
            }
            Keep::Row(fact) | Keep::Word(fact, _) => self.keep_of(*fact, who, answer),
            Keep::Yes(yes) => {
                let over = self.jump_unless(answer);
                self.join(*yes, who);
                self.land(over);
            }
            Keep::Mark(fact) => {
                let (fact, set) = (*fact, who);
                let no = self.jump_unless(answer);
                self.emit(Op::Mark { fact, set });
                let over = self.jump();
                self.land(no);
                self.emit(Op::Unmark { fact, set });
                self.land(over);
            }
            Keep::Branch { .. } | Keep::Nothing => {}
        }
    }

    /// What is kept of somebody goes into a register.
    fn read_kept(&mut self, fact: FactId, of: Reg, to: Reg) {
        let kept = &self.out.facts[fact.index()];
        let row = kept.slot;
        self.emit(match kept.shape.links_to() {
            Some(_) => Op::LinkOf { to, row, of },
            None => Op::CountOf { to, row, of },
        });
    }

    fn keep_of(&mut self, fact: FactId, of: Reg, value: Reg) {
        self.emit(Op::SetOf { fact, of, value });
    }

    fn bind_each(&mut self, question: &Question, keep: &Keep) {
        let (Question::For { name, .. } | Question::Whether(name)) = question else {
            return;
        };
        match keep {
            Keep::Local(fact) => self.bind_once(name, Local::Link(*fact)),
            Keep::Numbers(numbers) => self.bind_once(name, Local::Numbers(*numbers)),
            Keep::Word(row, _) if self.out.facts[row.index()].hidden => {
                let words = Numbers {
                    row: *row,
                    named: None,
                };
                self.bind_once(name, Local::Numbers(words));
            }
            Keep::Yes(yes) => {
                let before = self.faults();
                self.bind_given(before, name, Val::Reg(*yes, Kind::Players));
                let order = self.order_further_in(name, *yes, None);
                self.keep_order(&name.text, order);
            }
            Keep::Declared(_)
            | Keep::Row(_)
            | Keep::Word(..)
            | Keep::Mark(_)
            | Keep::Branch { .. }
            | Keep::Nothing => {}
        }
    }

    /// Asked again in the same block, the name is what it was.
    fn bind_once(&mut self, name: &Name, local: Local) {
        if self.scope.get(&name.text).and_then(Local::row) != local.row() {
            self.check_hides(self.faults(), name);
        }
        self.bind(&name.text, local);
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
            let value = match keep {
                Keep::Declared(fact) | Keep::Local(fact) => {
                    c.read_kept(*fact, who, answer);
                    let kind = c.out.facts[fact.index()].shape.links_to();
                    Val::Reg(answer, kind.unwrap_or(Kind::Players))
                }
                Keep::Numbers(Numbers { row: fact, .. }) | Keep::Row(fact) | Keep::Word(fact, _) => {
                    c.read_kept(*fact, who, answer);
                    c.worded(*fact, answer)
                }
                Keep::Yes(yes) => {
                    c.emit(Op::Within {
                        to: answer,
                        a: who,
                        b: *yes,
                    });
                    Val::Reg(answer, Kind::Truth)
                }
                Keep::Mark(fact) => {
                    let slot = c.out.facts[fact.index()].slot;
                    c.emit(Op::Load { to: answer, slot });
                    c.emit(Op::Within {
                        to: answer,
                        a: who,
                        b: answer,
                    });
                    Val::Reg(answer, Kind::Truth)
                }
                Keep::Branch { .. } | Keep::Nothing => return,
            };
            c.say_answer(ask, (who, value), to, span);
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
    Numbers(Numbers),
    /// Into a declared text or count of each.
    Row(FactId),
    /// Into a word of each, declared or the block's own; which words these are.
    Word(FactId, usize),
    /// Whoever says yes, into a register.
    Yes(Reg),
    /// Whoever says yes, into a declared mark.
    Mark(FactId),
    /// What each has chosen in a menu, by the number of the branch, and what he picked in it.
    Branch { branch: FactId, picked: FactId },
    /// A menu that is answered in order keeps nothing.
    Nothing,
}

#[derive(Clone, Copy)]
struct EachRegs {
    base: Reg,
    again: u32,
}
