//! Chance and waits: `draw luck from 1..6`, `wait "Speech"`.

use super::{Compiler, Val, Words, errors};
use omerta_core::rules::{AskKind, AskSite, Draw, DrawId, DrawKind, FactId, Kind, Op, Pass, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{Domain, Expr, Limit, Moment, Name, Text};

impl Compiler<'_> {
    pub(super) fn wait(
        &mut self,
        limit: Option<&Limit>,
        text: Option<&Text>,
        name: Option<&Name>,
        span: Span,
    ) {
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
        let text = text.map(|text| self.phrase(text));
        let limit = limit.and_then(|limit| self.limit_of(limit));
        let site = self.add_site(AskSite {
            name: name.map_or(AskSite::WAIT, |name| &name.text).to_owned(),
            kind: AskKind::Wait,
            host: true,
            pass: Pass::Never,
            openly: false,
            unseen: false,
            text,
            again,
            pick: (0, 1),
            limit,
            late: None,
            origin: span,
        });
        self.emit(Op::Ask { site, base });
        if let Some(name) = name {
            self.word_rules(&name.text, Moment::After, None);
        }
        self.land_all(skips);
    }

    /// How many seconds a question or a wait may take: a number, or an option that is one.
    pub(super) fn limit_of(&mut self, limit: &Limit) -> Option<u32> {
        let span = limit.count.span;
        let Val::Const(count, _) = self.scratch(|c| c.wanted_val(&limit.count, Kind::Number)) else {
            self.report(errors::limit_worked_out(span));
            return None;
        };
        let seconds = (count as i64).checked_mul(if limit.minutes { 60 } else { 1 });
        let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok());
        let sane = seconds.filter(|seconds| (1..=AskSite::LONGEST).contains(seconds));
        if sane.is_none() {
            self.report(errors::limit_out_of_bounds(span));
        }
        sane
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
        let before = self.faults();
        self.effects.asks = true;
        // `domain` writes one and two above what it is given; the draw's own registers begin there.
        let below = self.temps(4);
        let (base, outcome) = (Reg(below.0 + 1), Reg(below.0 + 3));
        self.load_const(outcome, 0);
        let (kind, drawn) = self.draw_kind(domain, below, span);
        if let Some(count) = count {
            let site = self.add_draw(name, kind, openly, span);
            let value = drawn.kind();
            let order = self.order_of_picks(name);
            let drawn = self.draw_several(count, value, (base, outcome), (site, order));
            self.bind_given(before, name, Val::Reg(drawn, value));
            self.keep_order(&name.text, self.row_of(order, value));
            return;
        }
        let skip = matches!(kind, DrawKind::Seats | DrawKind::Cards | DrawKind::Titles)
            .then(|| self.jump_unless(base));
        let site = self.add_draw(name, kind, openly, span);
        self.emit(Op::Draw { site, base });
        self.land_all(skip.into_iter().collect());
        self.bind_given(before, name, drawn);
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
    fn draw_several(
        &mut self,
        count: &Expr,
        value: Kind,
        (base, outcome): (Reg, Reg),
        (site, order): (DrawId, Option<FactId>),
    ) -> Reg {
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
            c.join(drawn, outcome);
            c.note_place(order, outcome, drawn);
            c.take_out(base, outcome);
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
                .map(|(w, n)| (n.text.clone(), u32::try_from(w.value.max(0)).unwrap_or(u32::MAX)))
                .collect();
            if words.iter().all(|(_, w)| *w == 0) {
                self.report(errors::weights_all_zero(span));
            }
            let named = words.iter().map(|(word, _)| (word.clone(), word.clone()));
            let outcome = Val::Word(outcome, self.add_words(Words(named.collect())));
            return (DrawKind::Weighted(words), outcome);
        }
        if let Domain::Set(set) = domain
            && let Some((words, but)) = self.words_but(set)
        {
            let mut weights: Vec<(String, u32)> = { self.alternatives[words].0.iter() }
                .map(|(word, _)| (word.clone(), 1))
                .collect();
            for word in but {
                match self.scratch(|c| c.word_of(words, word)) {
                    Val::Const(at, _) => weights[at as usize].1 = 0,
                    _ => self.report(errors::words_are_asked_for(set.span)),
                }
            }
            if weights.iter().all(|(_, weight)| *weight == 0) {
                self.report(errors::weights_all_zero(span));
            }
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
