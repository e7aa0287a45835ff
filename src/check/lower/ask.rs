//! Questions, draws and waits: the only places where a game pauses.
//!
//! A question's registers stand as [`crate::rules::AskSite`] says: who, among what, answer. Code that
//! works out who and among what stands between the label `again` and the question, so that it can be
//! put anew after somebody has taken up an offer.

use super::{Compiler, Local, Meaning, Val, Words, errors};
use crate::bounds::is_own_name;
use crate::effects::Touch;
use omerta_core::rules::{
    AskId, AskKind, AskSite, Branch, Draw, DrawId, DrawKind, Fact, FactId, FactShape, Kind, Op, Pass, Reg,
    Slot,
};
use omerta_core::source::Span;
use omerta_syntax::tree::{self, Amount, Ask, AskMode, Domain, Expr, Moment, Name, OrNobody, Question, Text};

/// What a question is about, apart from who answers it.
struct Site<'a> {
    name: &'a str,
    kind: AskKind,
    pass: Pass,
    openly: bool,
    unseen: bool,
    host: bool,
    pick: (u8, u8),
    text: Option<&'a Text>,
    again: u32,
    span: Span,
}

impl Compiler<'_> {
    pub(super) fn ask(&mut self, ask: &Ask, span: Span) {
        self.effects.asks = true;
        match (&ask.mode, &ask.question) {
            (AskMode::One | AskMode::Together, question) => self.ask_one(ask, question, span),
            (AskMode::Each | AskMode::InOrder(_), question) => self.ask_each(ask, question, span),
        }
    }

    pub(super) fn is_host(&self, who: &Expr) -> bool {
        who.bare_name()
            .is_some_and(|n| n.text == "host" && self.scope.get("host").is_none())
    }

    /// Registers for a question: for a menu two words a branch, where nobody is an answer at times one
    /// word more.
    fn question_registers(&mut self, question: &Question) -> Reg {
        match question {
            Question::Menu(_, branches) => self.ask_registers(branches.len()),
            Question::For {
                or_nobody: OrNobody::When(_),
                ..
            } => self.ask_registers(1),
            Question::For { .. } | Question::Whether(_) => self.ask_registers(0),
        }
    }

    fn ask_registers(&mut self, branches: usize) -> Reg {
        self.temps(u16::try_from(5 + 2 * branches).unwrap_or(u16::MAX))
    }

    fn add_site(&mut self, site: Site<'_>) -> AskId {
        let text = site.text.map(|t| self.phrase(t));
        let id = AskId(self.out.asks.len() as u16);
        self.out.asks.push(AskSite {
            name: site.name.to_owned(),
            kind: site.kind,
            host: site.host,
            pass: site.pass,
            openly: site.openly,
            unseen: site.unseen,
            text,
            again: site.again,
            pick: site.pick,
            origin: site.span,
        });
        id
    }

    // ---- one question, one answer

    fn ask_one(&mut self, ask: &Ask, question: &Question, span: Span) {
        let host = self.is_host(&ask.who);
        match question {
            Question::For {
                name,
                amount: None,
                domain: Domain::Set(set),
                or_nobody: OrNobody::Never,
            } if let Some(words) = self.all_words(set) => self.ask_word(ask, name, words, host, span),
            Question::For {
                name,
                amount,
                domain,
                or_nobody,
            } => {
                let before = self.faults();
                let (base, answer, kind) = match amount {
                    None => self.ask_for(ask, name, domain, or_nobody, host, span),
                    Some(amount) => self.ask_for_several(ask, name, domain, or_nobody, amount, span),
                };
                self.bind_answer(name, answer, kind, before);
                self.reveal_one(ask, (base, answer, kind), span);
                self.choice_rules(answer, kind, base);
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
                self.reveal_one(ask, (base, Reg(base.0 + 3), Kind::Truth), span);
            }
            Question::Menu(name, branches) => self.ask_menu(ask, name.as_ref(), branches, host, span),
        }
    }

    /// Works out who is asked; jumps on when it is nobody. The answer starts out as nothing.
    fn ask_who(&mut self, ask: &Ask, base: Reg, host: bool) -> Vec<usize> {
        self.load_const(Reg(base.0 + 3), 0);
        self.ask_whom(ask, base, host);
        if host {
            Vec::new()
        } else {
            vec![self.jump_unless(base)]
        }
    }

    /// Works out who is asked, and no more: a question of nobody is passed over by the engine.
    fn ask_whom(&mut self, ask: &Ask, base: Reg, host: bool) {
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
    fn one_site(
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
        let openly = ask.openly && ask.open_to.is_none();
        let unseen = matches!(&ask.question, Question::For { domain, .. } if domain.is_unseen());
        self.add_site(Site {
            name,
            kind,
            pass,
            openly,
            unseen,
            host,
            pick,
            text: ask.text.as_ref(),
            again,
            span,
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
        // A question of nobody, or among nobody, the engine passes over by itself; only where nobody
        // would be an answer it has to be said here that there is nothing to answer.
        let passable = *or_nobody != OrNobody::Never;
        let skips = if passable {
            self.ask_who(ask, base, host)
        } else {
            self.ask_whom(ask, base, host);
            Vec::new()
        };
        let (kind, value) = self.with_me(base, |c| c.domain(domain, base));
        let none = (passable && value != Kind::Number).then(|| self.jump_unless(Reg(base.0 + 1)));
        let pass = self.pass(or_nobody, base);
        let site = self.one_site(ask, &name.text, kind, pass, (0, 1), again, span);
        self.emit(Op::Ask { site, base });
        self.land_all(skips.into_iter().chain(none).collect());
        (base, Reg(base.0 + 3), value)
    }

    /// `or nobody when C`: whether it holds goes beside the question, unless an option knows it already.
    fn pass(&mut self, or_nobody: &OrNobody, base: Reg) -> Pass {
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
        amount: &Amount,
        span: Span,
    ) -> (Reg, Reg, Kind) {
        let sum = self.temp();
        self.load_const(sum, 0);
        let base = self.question_registers(&ask.question);
        // How many are wanted, and how many have been picked.
        self.into(Reg(base.0 + 2), |c| c.wanted_val(&amount.count, Kind::Number));
        self.load_const(Reg(base.0 + 4), 0);
        // The first pick may be declined where nobody is an answer, the others where fewer will do.
        let regs = PickRegs { base, sum };
        let (kind, mut exits) = self.one_pick(ask, name, domain, regs, or_nobody, span);
        let head = self.label();
        let fewer = if amount.up_to {
            OrNobody::Always
        } else {
            OrNobody::Never
        };
        let (_, more) = self.one_pick(ask, name, domain, regs, &fewer, span);
        self.jump_to(head);
        exits.extend(more);
        self.land_all(exits);
        (base, sum, kind)
    }

    /// One of several picks; the jumps are taken when there is nothing more to pick.
    fn one_pick(
        &mut self,
        ask: &Ask,
        name: &Name,
        domain: &Domain,
        regs: PickRegs,
        or_nobody: &OrNobody,
        span: Span,
    ) -> (Kind, Vec<usize>) {
        let PickRegs { base, sum } = regs;
        let again = self.label();
        let enough = self.temp();
        self.emit(Op::Less {
            to: enough,
            a: Reg(base.0 + 4),
            b: Reg(base.0 + 2),
        });
        let mut exits = vec![self.jump_unless(enough)];
        exits.extend(self.ask_who(ask, base, self.is_host(&ask.who)));
        let (kind, value) = self.with_me(base, |c| c.domain(domain, base));
        self.emit(Op::Without {
            to: Reg(base.0 + 1),
            a: Reg(base.0 + 1),
            b: sum,
        });
        exits.push(self.jump_unless(Reg(base.0 + 1)));
        let pass = self.pass(or_nobody, base);
        let site = self.one_site(ask, &name.text, kind, pass, (1, 2), again, span);
        self.emit(Op::Ask { site, base });
        self.emit(Op::Or {
            to: sum,
            a: sum,
            b: Reg(base.0 + 3),
        });
        exits.push(self.jump_unless(Reg(base.0 + 3)));
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
    fn reveal_one(&mut self, ask: &Ask, (who, answer, kind): (Reg, Reg, Kind), span: Span) {
        if let Some(to) = &ask.open_to {
            if matches!(&ask.question, Question::For { domain, .. } if domain.is_unseen()) {
                self.report(errors::unseen_is_for_all(to.span));
            }
            self.scratch(|c| {
                let to = c.players(to);
                c.say_answer(&ask.question, (who, answer, kind), Some(to), span);
            });
        }
    }

    /// Inside, `me` is who is asked.
    fn with_me<T>(&mut self, me: Reg, write: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.scope.locals.len();
        self.bind_value("me", me, Kind::Players);
        let next = self.next;
        let out = write(self);
        self.next = next;
        self.unbind(names);
        out
    }

    /// Puts the domain into `base + 1` (and `base + 2`).
    fn domain(&mut self, domain: &Domain, base: Reg) -> (AskKind, Kind) {
        match domain {
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
            // Only a draw has weights; the grammar knows them nowhere else.
            Domain::Weighted(_) => (AskKind::Seats, Kind::Players),
        }
    }

    /// Only cards have backs.
    fn check_unseen(&mut self, domain: &Domain, kind: Kind) {
        if let (Domain::Unseen(set), true) = (domain, kind != Kind::Cards) {
            let text = self.sources.slice(set.span).to_owned();
            self.report(errors::only_cards_unseen(&text, set.span, kind));
        }
    }

    fn bind_answer(&mut self, name: &Name, answer: Reg, kind: Kind, before: usize) {
        self.check_fresh(name);
        self.bind_since(before, &name.text, Local::Value(Val::Reg(answer, kind)));
    }

    /// A name for an answer must not hide anything declared.
    pub(super) fn check_fresh(&mut self, name: &Name) {
        if crate::symbol::RESERVED.contains(&name.text.as_str()) {
            self.report(errors::built_in_name(name));
        } else if let Some(symbol) = self.symbols.get(&name.text)
            && !is_own_name(self.sources, name, symbol.span)
        {
            let span = symbol.span;
            self.report(errors::shadows(name, span));
        }
    }

    // ---- menus

    fn ask_menu(
        &mut self,
        ask: &Ask,
        name: Option<&Name>,
        branches: &[tree::Branch],
        host: bool,
        span: Span,
    ) {
        let base = self.ask_registers(branches.len());
        let again = self.label();
        let mut skips = self.ask_who(ask, base, host);
        if name.is_some() {
            // Where nobody is asked, the answer is none of the branches.
            let asked = std::mem::take(&mut skips);
            let over = self.jump();
            self.land_all(asked);
            self.load_const(Reg(base.0 + 3), branches.len() as u64);
            skips.push(self.jump());
            self.land(over);
        }
        let picks = self.put_menu(ask, (name, branches), base, again, &mut skips, span);
        self.menu_bodies(branches, &picks, base);
        self.land_all(skips);
        if let Some(name) = name {
            let word = |branch: &tree::Branch| {
                let title = branch.title.as_ref().map(Text::plain);
                let name = branch.name.text.clone();
                (name.clone(), title.unwrap_or(name))
            };
            let alternatives = self.add_words(Words(branches.iter().map(word).collect()));
            self.check_fresh(name);
            self.bind(&name.text, Local::Value(Val::Word(Reg(base.0 + 3), alternatives)));
        }
    }

    /// `ask me for goal from words of room`: a menu whose branches are the words and lead to nothing.
    fn ask_word(&mut self, ask: &Ask, name: &Name, words: usize, host: bool, span: Span) {
        let branches: Vec<Branch> = self.alternatives[words]
            .0
            .iter()
            .map(|(name, title)| Branch {
                name: name.clone(),
                title: (title != name).then(|| title.clone()),
                pick: None,
                unseen: false,
            })
            .collect();
        let base = self.ask_registers(branches.len());
        let again = self.label();
        self.load_const(Reg(base.0 + 3), branches.len() as u64);
        self.ask_whom(ask, base, host);
        for branch in 0..branches.len() as u16 {
            self.load_const(Reg(base.0 + 5 + 2 * branch), 1);
        }
        let kind = AskKind::Menu(branches);
        let site = self.one_site(ask, &name.text, kind, Pass::Never, (0, 1), again, span);
        let skip = (!host).then(|| self.jump_unless(base));
        self.emit(Op::Ask { site, base });
        self.land_all(skip.into_iter().collect());
        self.check_fresh(name);
        self.bind(&name.text, Local::Value(Val::Word(Reg(base.0 + 3), words)));
    }

    /// Works out which branches stand open and asks; jumps on when none does. Gives back what is picked in
    /// each branch.
    fn put_menu(
        &mut self,
        ask: &Ask,
        (name, branches): (Option<&Name>, &[tree::Branch]),
        base: Reg,
        again: u32,
        skips: &mut Vec<usize>,
        span: Span,
    ) -> Vec<Option<Kind>> {
        let (mut kinds, mut picks) = (Vec::new(), Vec::new());
        let any = self.temp();
        self.load_const(any, 0);
        for (i, branch) in branches.iter().enumerate() {
            let open = Reg(base.0 + 5 + 2 * i as u16);
            let kind = self.with_me(base, |c| c.branch_open(branch, open));
            self.emit(Op::Or {
                to: any,
                a: any,
                b: open,
            });
            let title = branch.title.as_ref().map(Text::plain);
            picks.push(kind);
            kinds.push(Branch {
                name: branch.name.text.clone(),
                title,
                pick: kind,
                unseen: branch.pick.as_ref().is_some_and(|pick| pick.domain.is_unseen()),
            });
        }
        match name {
            // Where no branch stands open, the answer is none of them.
            Some(_) => {
                let some = self.jump_if(any);
                self.load_const(Reg(base.0 + 3), branches.len() as u64);
                skips.push(self.jump());
                self.land(some);
            }
            None => skips.push(self.jump_unless(any)),
        }
        let first = || branches.first().map_or("", |b| b.name.text.as_str());
        let name = name.map_or_else(first, |name| name.text.as_str()).to_owned();
        let site = self.one_site(ask, &name, AskKind::Menu(kinds), Pass::Never, (0, 1), again, span);
        self.emit(Op::Ask { site, base });
        picks
    }

    /// Whether a branch stands open goes into `open`, among what it picks into the register after it.
    fn branch_open(&mut self, branch: &tree::Branch, open: Reg) -> Option<Kind> {
        let among = Reg(open.0 + 1);
        self.load_const(open, 0);
        self.load_const(among, 0);
        let mut closed = Vec::new();
        if let Some(when) = &branch.when {
            let test = self.truth(when);
            let test = self.reg(test);
            closed.push(self.jump_unless(test));
        }
        let kind = branch.pick.as_ref().map(|pick| self.pick_domain(pick, among));
        if kind.is_some() {
            self.emit(Op::Some { to: open, of: among });
        } else {
            self.load_const(open, 1);
        }
        self.land_all(closed);
        kind
    }

    fn pick_domain(&mut self, pick: &tree::Pick, among: Reg) -> Kind {
        let (Domain::Set(set) | Domain::Unseen(set)) = &pick.domain else {
            self.report(errors::menus_pick_sets(pick.name.span));
            return Kind::Players;
        };
        let val = self.value(set, None);
        self.put_into(among, val);
        self.check_unseen(&pick.domain, val.kind());
        match val.kind() {
            kind @ (Kind::Cards | Kind::Titles | Kind::Players) => kind,
            other => {
                let text = self.sources.slice(set.span).to_owned();
                self.report(errors::sets_only(&text, set.span, other));
                Kind::Players
            }
        }
    }

    fn menu_bodies(&mut self, branches: &[tree::Branch], picks: &[Option<Kind>], base: Reg) {
        let (branch_reg, picked) = (Reg(base.0 + 3), Reg(base.0 + 4));
        let mut ends = Vec::new();
        for (i, (branch, kind)) in branches.iter().zip(picks).enumerate() {
            let next = self.next;
            let (number, test) = (self.temp(), self.temp());
            self.load_const(number, i as u64);
            self.emit(Op::Equal {
                to: test,
                a: branch_reg,
                b: number,
            });
            let over = self.jump_unless(test);
            self.next = next;
            self.branch_body(branch, *kind, base, picked);
            ends.push(self.jump());
            self.land(over);
        }
        self.land_all(ends);
    }

    fn branch_body(&mut self, branch: &tree::Branch, kind: Option<Kind>, base: Reg, picked: Reg) {
        let names = self.scope.locals.len();
        // In a branch, `me` stays what it was where the question stands; a menu of each binds its own.
        if self.scope.get("me").is_none() {
            self.bind_value("me", base, Kind::Players);
        }
        if let Some((pick, kind)) = branch.pick.as_ref().zip(kind) {
            self.check_fresh(&pick.name);
            self.bind_value(&pick.name.text, picked, kind);
            self.choice_rules(picked, kind, base);
        }
        self.block(&branch.body);
        self.unbind(names);
    }

    // ---- the same question to each

    fn ask_each(&mut self, ask: &Ask, question: &Question, span: Span) {
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
        let base = self.question_registers(question);
        let rest = self.temp();
        // Where somebody takes up an offer in between, whoever was asked is asked again, if he still is.
        let first = self.jump();
        let again = self.label();
        self.emit(Op::Without {
            to: asked,
            a: asked,
            b: base,
        });
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
        self.pop(base, rest, None, start);
        self.emit(Op::Or {
            to: asked,
            a: asked,
            b: base,
        });
        let in_order = matches!(ask.mode, AskMode::InOrder(_));
        let names = self.scope.locals.len();
        self.bind_value("me", base, Kind::Players);
        self.each_question(ask, question, &keep, EachRegs { base, again }, in_order, span);
        self.unbind(names);
        self.jump_to(head);
        self.land(out);
        self.bind_each(question, &keep);
        self.note_asked(question, asked);
        if ask.openly && (!in_order || ask.open_to.is_some()) {
            self.reveal_each(ask, &keep, asked, span);
        }
    }

    /// One round of the loop over those asked.
    fn each_question(
        &mut self,
        ask: &Ask,
        question: &Question,
        keep: &Keep,
        regs: EachRegs,
        in_order: bool,
        span: Span,
    ) {
        let EachRegs { base, again } = regs;
        let openly = ask.openly && in_order && ask.open_to.is_none();
        let text = ask.text.as_ref();
        let site = |name, kind, pass, pick| Site {
            name,
            kind,
            pass,
            openly,
            unseen: false,
            host: false,
            pick,
            text,
            again,
            span,
        };
        let answer = Reg(base.0 + 3);
        match question {
            Question::For {
                name,
                domain,
                or_nobody,
                amount,
            } => {
                if let Some(amount) = amount {
                    self.report(errors::each_picks_one(amount.count.span));
                }
                let (kind, value) = self.scratch(|c| c.domain(domain, base));
                if !matches!(value, Kind::Players | Kind::Number) {
                    self.report(errors::each_names_no_cards(name.span));
                }
                let skip = (*or_nobody != OrNobody::Never && value != Kind::Number).then(|| {
                    self.load_const(Reg(base.0 + 3), 0);
                    self.jump_unless(Reg(base.0 + 1))
                });
                let pass = self.pass(or_nobody, base);
                let id = self.add_site(site(&name.text, kind, pass, (0, 1)));
                self.emit(Op::Ask { site: id, base });
                self.land_all(skip.into_iter().collect());
                self.keep_answer(keep, base, answer);
                self.choice_rules(answer, value, base);
            }
            Question::Whether(name) => {
                let id = self.add_site(site(&name.text, AskKind::YesNo, Pass::Never, (0, 1)));
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

    /// Where the answers of an `ask each` go.
    fn each_keep(&mut self, question: &Question) -> Keep {
        match question {
            Question::For {
                name,
                domain: Domain::Numbers(..),
                ..
            } => {
                let fact = self.hidden(name, FactShape::CountOfEach);
                self.emit(Op::Clear { fact });
                Keep::Numbers(fact)
            }
            Question::For { name, .. } => match self.declared_link(name) {
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
                    let fact = self.hidden(name, FactShape::LinkOne);
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

    fn declared_link(&mut self, name: &Name) -> Option<FactId> {
        let Some(Meaning::Fact(fact)) = self.symbols.get(&name.text).map(|s| s.meaning) else {
            return None;
        };
        matches!(
            self.out.facts[fact.index()].shape,
            FactShape::Link | FactShape::LinkOne
        )
        .then(|| {
            self.resolve(name);
            fact
        })
    }

    /// A fact of the compiler's own, of a row.
    fn hidden(&mut self, name: &Name, shape: FactShape) -> FactId {
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
        });
        id
    }

    fn keep_answer(&mut self, keep: &Keep, who: Reg, answer: Reg) {
        match keep {
            Keep::Declared(fact) | Keep::Local(fact) => {
                self.emit(Op::Link {
                    fact: *fact,
                    from: who,
                    to_set: answer,
                });
            }
            Keep::Numbers(fact) => {
                self.emit(Op::SetOf {
                    fact: *fact,
                    of: who,
                    value: answer,
                });
            }
            Keep::Yes(yes) => {
                let over = self.jump_unless(answer);
                self.emit(Op::Or {
                    to: *yes,
                    a: *yes,
                    b: who,
                });
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
            Keep::Local(fact) => self.bind(&name.text, Local::Link(*fact)),
            Keep::Numbers(fact) => self.bind(&name.text, Local::Numbers(*fact)),
            Keep::Yes(yes) => self.bind_value(&name.text, *yes, Kind::Players),
            Keep::Declared(_) | Keep::Mark(_) | Keep::Nothing => {}
        }
    }

    /// After all have answered in secret, everybody hears who answered what.
    fn reveal_each(&mut self, ask: &Ask, keep: &Keep, asked: Reg, span: Span) {
        self.block_scope(|c| {
            let (rest, who, answer) = (c.temp(), c.temp(), c.temp());
            let to = ask.open_to.as_ref().map(|to| c.players(to));
            c.emit(Op::Copy {
                to: rest,
                from: asked,
            });
            let head = c.label();
            let out = c.jump_unless(rest);
            c.emit(Op::Pop { to: who, set: rest });
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
                Keep::Numbers(fact) => {
                    let row = c.out.facts[fact.index()].slot;
                    c.emit(Op::CountOf {
                        to: answer,
                        row,
                        of: who,
                    });
                    Kind::Number
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
            c.jump_to(head);
            c.land(out);
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

    // ---- waits and draws

    pub(super) fn wait(&mut self, text: Option<&Text>, name: Option<&Name>, span: Span) {
        self.effects.asks = true;
        let skips = match name {
            Some(name) => {
                self.word_rules(&name.text, Moment::Before, None);
                self.word_instead(&name.text, None)
            }
            None => Vec::new(),
        };
        let base = self.ask_registers(0);
        let again = self.label();
        self.load_const(base, 0);
        let kind = AskKind::Wait;
        let site = self.add_site(Site {
            name: name.map_or(AskSite::WAIT, |name| &name.text),
            kind,
            pass: Pass::Never,
            openly: false,
            unseen: false,
            host: true,
            pick: (0, 1),
            text,
            again,
            span,
        });
        self.emit(Op::Ask { site, base });
        if let Some(name) = name {
            self.word_rules(&name.text, Moment::After, None);
        }
        self.land_all(skips);
    }

    pub(super) fn draw(
        &mut self,
        name: &Name,
        count: Option<&Expr>,
        domain: &Domain,
        openly: bool,
        span: Span,
    ) {
        self.check_fresh(name);
        self.effects.asks = true;
        // `domain` writes one and two above what it is given; the draw's own registers begin there.
        let below = self.temps(4);
        let (base, outcome) = (Reg(below.0 + 1), Reg(below.0 + 3));
        self.load_const(outcome, 0);
        let (kind, drawn) = self.draw_kind(domain, below, span);
        if let Some(count) = count {
            let site = self.add_draw(name, kind, openly, span);
            let value = drawn.kind();
            let drawn = self.draw_several(count, value, (base, outcome), site);
            self.bind_value(&name.text, drawn, value);
            return;
        }
        let skip = matches!(kind, DrawKind::Seats | DrawKind::Cards | DrawKind::Titles)
            .then(|| self.jump_unless(base));
        let site = self.add_draw(name, kind, openly, span);
        self.emit(Op::Draw { site, base });
        self.land_all(skip.into_iter().collect());
        self.bind(&name.text, Local::Value(drawn));
    }

    pub(super) fn add_draw(&mut self, name: &Name, kind: DrawKind, openly: bool, span: Span) -> DrawId {
        let site = DrawId(self.out.draws.len() as u16);
        self.out.draws.push(Draw {
            name: name.text.clone(),
            kind,
            shuffle: None,
            openly,
            origin: span,
        });
        site
    }

    /// `draw 2 pair from living`: one after the other, each among those left, as long as there are any.
    fn draw_several(&mut self, count: &Expr, value: Kind, (base, outcome): (Reg, Reg), site: DrawId) -> Reg {
        if !matches!(value, Kind::Players | Kind::Cards | Kind::Titles) {
            self.report(errors::several_of_no_set(count.span));
        }
        let drawn = self.temp();
        self.load_const(drawn, 0);
        self.scratch(|c| {
            let (left, none, one, more) = (c.temp(), c.temp(), c.temp(), c.temp());
            c.into(left, |c| c.wanted_val(count, Kind::Number));
            c.load_const(none, 0);
            c.load_const(one, 1);
            let head = c.label();
            c.emit(Op::Less {
                to: more,
                a: none,
                b: left,
            });
            let exits = vec![c.jump_unless(more), c.jump_unless(base)];
            c.emit(Op::Draw { site, base });
            c.emit(Op::Or {
                to: drawn,
                a: drawn,
                b: outcome,
            });
            c.emit(Op::Without {
                to: base,
                a: base,
                b: outcome,
            });
            c.emit(Op::Minus {
                to: left,
                a: left,
                b: one,
            });
            c.jump_to(head);
            c.land_all(exits);
        });
        drawn
    }

    /// What chance decides among, and its outcome.
    fn draw_kind(&mut self, domain: &Domain, below: Reg, span: Span) -> (DrawKind, Val) {
        let outcome = Reg(below.0 + 3);
        if let Domain::Weighted(words) = domain {
            let words: Vec<(String, u32)> = words
                .iter()
                .map(|(w, n)| (n.text.clone(), w.value.clamp(0, 1_000_000) as u32))
                .collect();
            if words.iter().all(|(_, w)| *w == 0) {
                self.report(errors::weights_all_zero(span));
            }
            let named = words.iter().map(|(word, _)| (word.clone(), word.clone()));
            let outcome = Val::Word(outcome, self.add_words(Words(named.collect())));
            return (DrawKind::Weighted(words), outcome);
        }
        if let Domain::Set(set) = domain
            && let Some(words) = self.all_words(set)
        {
            let of_words = self.alternatives[words].0.iter();
            let weights = of_words.map(|(word, _)| (word.clone(), 1)).collect();
            return (DrawKind::Weighted(weights), Val::Word(outcome, words));
        }
        if domain.is_unseen() {
            self.report(errors::no_unseen_here(span));
        }
        let (kind, value) = self.scratch(|c| c.domain(domain, below));
        let among = match kind {
            AskKind::Numbers => DrawKind::Numbers,
            _ => draw_of(value),
        };
        (among, Val::Reg(outcome, value))
    }
}

/// What chance decides among, by what a set is one of.
pub(super) fn draw_of(kind: Kind) -> DrawKind {
    match kind {
        Kind::Cards => DrawKind::Cards,
        Kind::Titles => DrawKind::Titles,
        _ => DrawKind::Seats,
    }
}

/// Where the answers of an `ask each` go.
enum Keep {
    /// Into a declared link.
    Declared(FactId),
    /// Into a link of the block's own.
    Local(FactId),
    /// Into a number of each.
    Numbers(FactId),
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

#[derive(Clone, Copy)]
struct PickRegs {
    base: Reg,
    sum: Reg,
}
