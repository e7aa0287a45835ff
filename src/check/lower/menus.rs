//! Menus: `ask seat 1 { bite prey from others { … } pass { … } }`.

use super::{Compiler, Val, Words, ask::MOST_BRANCHES, errors};
use omerta_core::rules::{AskKind, Branch, Kind, Op, Pass, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{self, Ask, AskMode, Domain, Expr, Name, Text};

impl Compiler<'_> {
    pub(super) fn ask_menu(
        &mut self,
        ask: &Ask,
        name: Option<&Name>,
        branches: &[tree::Branch],
        host: bool,
        span: Span,
    ) -> Reg {
        let base = self.ask_registers(branches.len());
        let again = self.label();
        if name.is_some() {
            // Where nobody is asked, the answer is none of the branches.
            self.load_const(Reg(base.0 + 3), branches.len() as u64);
        }
        self.ask_whom(ask, base, host);
        let nobody = (!host).then(|| self.jump_unless(base));
        let picks = self.put_menu(ask, (name, branches), base, again, span);
        self.menu_bodies(ask, (branches, &picks), base, (None, span));
        self.land_all(nobody.into_iter().collect());
        if let Some(name) = name {
            let word = |branch: &tree::Branch| {
                let title = branch.title.as_ref().map(Text::plain);
                let name = branch.name.text.clone();
                (name.clone(), title.unwrap_or(name))
            };
            let alternatives = self.add_words(Words(branches.iter().map(word).collect()));
            let before = self.faults();
            self.check_fresh(name);
            self.bind_given(before, name, Val::Word(Reg(base.0 + 3), alternatives));
        }
        base
    }

    /// `ask me for goal from words of room`: a menu whose branches are the words and lead to nothing.
    pub(super) fn ask_word(
        &mut self,
        ask: &Ask,
        name: &Name,
        (words, but): (usize, Vec<&Expr>),
        host: bool,
        span: Span,
    ) -> Reg {
        let base = self.ask_registers(self.alternatives[words].0.len());
        let again = self.label();
        self.ask_whom(ask, base, host);
        self.with_me(base, |c| c.open_words(words, &but, base));
        self.put_word(ask, (name, words), base, again, span);
        let before = self.faults();
        self.check_fresh(name);
        let answer = Val::Word(Reg(base.0 + 3), words);
        self.bind_given(before, name, answer);
        self.reveal_one(ask, (base, answer), span);
        base
    }

    /// Asks for one of some words; where nobody is asked, the answer is none of them.
    pub(super) fn put_word(
        &mut self,
        ask: &Ask,
        (name, words): (&Name, usize),
        base: Reg,
        again: u32,
        span: Span,
    ) {
        let branch = |(name, title): &(String, String)| Branch {
            name: name.clone(),
            title: (title != name).then(|| title.clone()),
            pick: None,
            unseen: false,
        };
        let branches: Vec<Branch> = self.alternatives[words].0.iter().map(branch).collect();
        let kind = AskKind::Menu(branches);
        let site = self.one_site(ask, &name.text, kind, Pass::Never, (0, 1), again, span);
        self.emit(Op::Ask { site, base });
    }

    /// Which words stand open: all but those that are left out.
    pub(super) fn open_words(&mut self, words: usize, but: &[&Expr], base: Reg) {
        let many = self.alternatives[words].0.len().min(MOST_BRANCHES) as u16;
        let open = |branch: u16| Reg(base.0 + 5 + 2 * branch);
        for branch in 0..many {
            self.load_const(open(branch), 1);
        }
        for word in but {
            self.scratch(|c| match c.word_of(words, word) {
                Val::Const(branch, _) => c.load_const(open(branch as u16), 0),
                val => {
                    let a = c.reg(val);
                    for branch in 0..many {
                        let b = c.reg(Val::Const(u64::from(branch), Kind::Number));
                        let is_it = c.fresh(|to| Op::Equal { to, a, b });
                        let to = open(branch);
                        c.emit(Op::Without { to, a: to, b: is_it });
                    }
                }
            });
        }
    }

    /// Works out which branches stand open and asks; where none does, the engine says that it is none of them. Gives back
    /// what is picked in each branch.
    pub(super) fn put_menu(
        &mut self,
        ask: &Ask,
        (name, branches): (Option<&Name>, &[tree::Branch]),
        base: Reg,
        again: u32,
        span: Span,
    ) -> Vec<Option<Kind>> {
        let (mut kinds, mut picks) = (Vec::new(), Vec::new());
        for (i, branch) in branches.iter().take(MOST_BRANCHES).enumerate() {
            let open = Reg(base.0 + 5 + 2 * i as u16);
            let kind = self.with_me(base, |c| c.branch_open(branch, open));
            let title = branch.title.as_ref().map(Text::plain);
            picks.push(kind);
            kinds.push(Branch {
                name: branch.name.text.clone(),
                title,
                pick: kind,
                unseen: branch.pick.as_ref().is_some_and(|pick| pick.domain.is_unseen()),
            });
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
        let Some(pick) = &branch.pick else {
            match &branch.when {
                Some(when) => self.into(open, |c| c.truth(when)),
                None => self.into(open, |_| Val::Const(1, Kind::Truth)),
            };
            return None;
        };
        let mut closed = Vec::new();
        if let Some(when) = &branch.when {
            self.load_const(open, 0);
            self.load_const(among, 0);
            let test = self.truth(when);
            let test = self.reg(test);
            closed.push(self.jump_unless(test));
        }
        let kind = self.pick_domain(pick, among);
        self.emit(Op::Some { to: open, of: among });
        self.land_all(closed);
        Some(kind)
    }

    fn pick_domain(&mut self, pick: &tree::Pick, among: Reg) -> Kind {
        let set = match &pick.domain {
            Domain::Set(set) | Domain::Unseen(set) => set,
            Domain::Numbers(low, high) => {
                let val = self.between(low, high);
                self.put_into(among, val);
                return Kind::Number;
            }
            Domain::Written { most } => {
                self.load_const(among, most.value as u64);
                return Kind::Text;
            }
            // The grammar knows weights in draws alone.
            Domain::Weighted(_) => return Kind::Players,
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

    /// The numbers from one to another, as a branch or an offer picks among them.
    pub(super) fn between(&mut self, low: &Expr, high: &Expr) -> Val {
        let [low, high] = [low, high].map(|end| self.wanted(end, Kind::Number));
        self.fresh_val(Kind::Number, |to| Op::Between { to, low, high })
    }

    pub(super) fn menu_bodies(
        &mut self,
        ask: &Ask,
        (branches, picks): (&[tree::Branch], &[Option<Kind>]),
        base: Reg,
        (me, span): (Option<Val>, Span),
    ) {
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
            self.reveal_branch(ask, (branch, *kind), base, (me, span));
            self.branch_body(branch, *kind, base, picked);
            ends.push(self.jump());
            self.land(over);
        }
        self.land_all(ends);
    }

    /// Some hear which branch was chosen, or all when each has chosen; `me` among them is whoever it was before the
    /// question.
    fn reveal_branch(
        &mut self,
        ask: &Ask,
        (branch, kind): (&tree::Branch, Option<Kind>),
        base: Reg,
        (me, span): (Option<Val>, Span),
    ) {
        let picked = kind.map(|kind| Val::Reg(Reg(base.0 + 4), kind));
        let Some(to) = &ask.open_to else {
            if ask.openly && ask.mode == AskMode::Each {
                self.scratch(|c| c.say_branch(ask, (branch, picked), (base, None), span));
            }
            return;
        };
        let unseen = branch.pick.as_ref().is_some_and(|pick| pick.domain.is_unseen());
        if unseen {
            self.report(errors::unseen_is_for_all(to.span));
        }
        self.scratch(|c| {
            let kept = c.temp();
            let me = me.map_or_else(|| c.local_value("me"), Some).map(|me| c.reg(me));
            match me {
                Some(me) => c.with_me(me, |c| c.into(kept, |c| c.wanted_val(to, Kind::Players))),
                None => c.into(kept, |c| c.wanted_val(to, Kind::Players)),
            };
            c.say_branch(ask, (branch, picked), (base, Some(kept)), span);
        });
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
}
