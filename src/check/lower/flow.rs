//! Statements that decide what comes next, and the one place where statements are told apart.

use super::event::all_of;
use super::{Compiler, Local, Loop, Meaning, Val, errors};
use crate::effects::Touch;
use omerta_core::rules::{GroupId, GroupKind, Kind, NO_CALL, Op, Reg};
use omerta_core::source::Span;
use omerta_syntax::tree::{Block, Domain, Expr, ExprKind, InOrder, Name, Statement, StatementKind};

impl Compiler<'_> {
    /// Lowers the statements of a block; names bound in it end with it.
    pub(super) fn block(&mut self, block: &Block) {
        self.block_scope(|c| {
            for statement in &block.statements {
                c.statement(statement);
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        // Names bound by a statement live on to the end of its block, and so do their registers.
        let (names, next) = (self.scope.locals.len(), self.next);
        self.placed_at(span, |c| c.statement_kind(&statement.kind, statement));
        if self.scope.locals.len() == names {
            self.next = next;
        }
    }

    fn statement_kind(&mut self, kind: &StatementKind, statement: &Statement) {
        match kind {
            StatementKind::Say { text, name } => self.say(text, name.as_ref(), statement.span),
            StatementKind::Tell { who, text, name } => self.tell(who, text, name.as_ref(), statement.span),
            StatementKind::Show { what, who, name } => self.show(what, who, name.as_ref(), statement.span),
            StatementKind::Wait { limit, text, name } => {
                self.wait(limit.as_ref(), text.as_ref(), name.as_ref(), statement.span);
            }
            StatementKind::Ask(ask) => self.ask(ask, statement.span),
            StatementKind::Draw {
                name,
                count,
                domain,
                openly,
            } => self.draw(name, count.as_ref(), domain, *openly, statement.span),
            StatementKind::If(test, then, otherwise) => self.if_else(test, then, otherwise.as_ref()),
            StatementKind::ForEach {
                name,
                among,
                order,
                from,
                body,
            } => {
                let way = (order.as_ref(), from.as_ref());
                match (name, among) {
                    (Some(name), Domain::Set(set)) if self.all_words(set).is_none() => {
                        self.for_each(name, set, way, body, statement.span);
                    }
                    _ => self.for_each_number(name.as_ref(), among, way, body),
                }
            }
            StatementKind::Repeat(body) => self.repeat(body),
            StatementKind::Stop => self.stop(statement.span),
            StatementKind::Leave(name) => self.leave(name.as_ref(), statement.span),
            StatementKind::Play { scene, of } => self.play(scene, of),
            StatementKind::Call { card, purpose } => self.call(card, purpose.as_ref()),
            StatementKind::Perform { card, by: None, .. } => self.perform(card, None),
            StatementKind::Perform {
                card,
                purpose: None,
                by,
            } if self.is_handed_a_call(card) => self.perform(card, by.as_ref()),
            StatementKind::Perform {
                card,
                purpose,
                by: Some(by),
            } => self.perform_by(card, purpose.as_ref(), by),
            StatementKind::Do(happen) => self.do_event(happen),
            StatementKind::Plan(happen) => self.plan_event(happen),
            StatementKind::Settle(names) => self.settle(names),
            StatementKind::Cancel { events, of, by } => self.cancel(events, of.as_ref(), by.as_ref()),
            StatementKind::Judgement => self.judge(),
            StatementKind::Win { set, when } => self.win_or_lose(set, when.as_ref(), true),
            StatementKind::Lose { set, when } => self.win_or_lose(set, when.as_ref(), false),
            StatementKind::End => self.end_game(),
            StatementKind::Nothing => {}
            other => self.change(other, statement.span),
        }
    }

    fn if_else(&mut self, test: &Expr, then: &Block, otherwise: Option<&Block>) {
        let next = self.next;
        match self.truth(test) {
            super::Val::Const(0, _) => {
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
                // What an option switches off is still looked over.
                self.unreached(then);
            }
            super::Val::Const(..) => {
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.unreached(otherwise);
                }
            }
            val => {
                let test = self.reg(val);
                let over = self.jump_unless(test);
                self.next = next;
                self.block(then);
                match otherwise {
                    Some(otherwise) => {
                        let end = self.jump();
                        self.land(over);
                        self.block(otherwise);
                        self.land(end);
                    }
                    None => self.land(over),
                }
            }
        }
        self.next = next;
    }

    /// Lowers a block for its mistakes only: no option of this game leads there.
    fn unreached(&mut self, block: &Block) {
        let over = self.jump();
        self.block(block);
        self.land(over);
    }

    fn for_each(
        &mut self,
        name: &Name,
        set: &Expr,
        (order, from): (Option<&InOrder>, Option<&Expr>),
        body: &Block,
        span: Span,
    ) {
        self.block_scope(|c| {
            let before = c.faults();
            let random = matches!(order, Some(InOrder::Random));
            let row = match order {
                Some(InOrder::Of(order)) => c.order_named(order),
                Some(InOrder::Random) => None,
                None => c.order_of(set),
            };
            if let ExprKind::Int(times) = &*set.kind {
                return c.report(errors::each_of_a_number(&name.text, *times, set.span));
            }
            let val = c.value(set, None);
            let kind = match val.kind() {
                kind @ (Kind::Players | Kind::Cards | Kind::Titles) => kind,
                kind => {
                    let text = c.sources.slice(set.span).to_owned();
                    c.report(errors::sets_only(&text, set.span, kind));
                    Kind::Players
                }
            };
            let is_set = val.kind() == kind;
            // A draw of its own, in the registers that it wants: among whom, and who it is.
            let rest = c.temps(3);
            let each = if random { Reg(rest.0 + 2) } else { c.temp() };
            c.put_into(rest, val);
            if let (true, Some(from)) = (random, from) {
                c.report(errors::random_from_somebody(from.span));
            }
            let lot = random.then(|| {
                c.effects.asks = true;
                c.add_draw(name, super::draws::draw_of(kind), false, span)
            });
            let start = from.map(|from| {
                let to = c.temp();
                let val = c.wanted_val(from, Kind::Players);
                c.put_into(to, val);
                to
            });
            c.check_fresh(name);
            c.bind_since(before, &name.text, Local::Value(Val::Reg(each, kind)));
            let head = c.label();
            if is_set && set.bare_name().is_none_or(|n| c.local_value(&n.text).is_none()) {
                // Whoever no longer belongs when his turn comes is passed over.
                c.scratch(|c| {
                    let val = c.wanted_val(set, kind);
                    let now = c.reg(val);
                    c.emit(Op::And {
                        to: rest,
                        a: rest,
                        b: now,
                    });
                });
            }
            let out = c.jump_unless(rest);
            match lot {
                Some(site) => {
                    c.emit(Op::Draw { site, base: rest });
                    c.take_out(rest, each);
                }
                None => {
                    let row = row.or(c.seat_order(kind));
                    c.pop(each, rest, row, start);
                }
            }
            c.loops.push(Loop { exits: Vec::new() });
            c.block(body);
            c.jump_to(head);
            c.land(out);
            let done = c.loops.pop().expect("the loop was pushed above");
            c.land_all(done.exits);
        });
    }

    /// `for each n of 1..3`, `for each s of words of sky`, `repeat 3 times`: from the lowest to the highest.
    fn for_each_number(
        &mut self,
        name: Option<&Name>,
        among: &Domain,
        (order, from): (Option<&InOrder>, Option<&Expr>),
        body: &Block,
    ) {
        let first = match among {
            Domain::Set(set) | Domain::Unseen(set) | Domain::Numbers(set, _) => Some(set),
            Domain::Weighted(_) | Domain::Written { .. } => None,
        };
        if let (Domain::Unseen(_), Some(set)) = (among, first) {
            self.report(errors::no_backs_of_words(set.span));
        }
        if let Some(expr) = from.or(first.filter(|_| order.is_some())) {
            self.report(errors::one_order_only(expr.span));
        }
        self.block_scope(|c| {
            let before = c.faults();
            let (now, last, one) = (c.temp(), c.temp(), c.temp());
            let words = match among {
                Domain::Set(set) | Domain::Unseen(set) => c.all_words(set),
                _ => None,
            };
            match (among, words) {
                (Domain::Numbers(from, to), _) => {
                    for (reg, expr) in [(now, from), (last, to)] {
                        let val = c.wanted_val(expr, Kind::Number);
                        c.put_into(reg, val);
                    }
                }
                (_, words) => {
                    let many = words.map_or(0, |words| c.alternatives[words].0.len());
                    c.load_const(now, 0);
                    c.load_const(last, (many as u64).wrapping_sub(1));
                }
            }
            c.load_const(one, 1);
            if let Some(name) = name {
                let each = match words {
                    Some(words) => Val::Word(now, words),
                    None => Val::Reg(now, Kind::Number),
                };
                c.check_fresh(name);
                c.bind_since(before, &name.text, Local::Value(each));
            }
            let head = c.label();
            let over = c.scratch(|c| {
                let over = c.fresh(|to| Op::Less { to, a: last, b: now });
                c.jump_if(over)
            });
            c.loops.push(Loop { exits: Vec::new() });
            c.block(body);
            c.emit(Op::Plus {
                to: now,
                a: now,
                b: one,
            });
            c.jump_to(head);
            c.land(over);
            let done = c.loops.pop().expect("the loop was pushed above");
            c.land_all(done.exits);
        });
    }

    pub(super) fn pop(
        &mut self,
        to: Reg,
        set: Reg,
        order: Option<omerta_core::rules::Slot>,
        start: Option<Reg>,
    ) {
        match (order, start) {
            (_, Some(from)) if self.out.places.is_some() => self.scratch(|c| {
                let (set_placed, from) = (c.placed(set), c.placed(from));
                let place = c.fresh(|to| Op::PopFrom {
                    to,
                    set: set_placed,
                    from,
                });
                let found = c.seated(place);
                c.copy(to, found);
                c.take_out(set, to);
            }),
            (_, Some(from)) => {
                self.emit(Op::PopFrom { to, set, from });
                // The next round goes on from there.
            }
            (Some(order), None) => {
                self.emit(Op::PopBy { to, set, order });
            }
            (None, None) => {
                self.emit(Op::Pop { to, set });
            }
        }
    }

    /// The row of a mark kept in order.
    fn order_named(&mut self, name: &Name) -> Option<omerta_core::rules::Slot> {
        let row = match self.resolve(name) {
            Some(Meaning::Fact(fact)) => match self.out.facts[fact.index()].shape {
                omerta_core::rules::FactShape::MarkInOrder { order } => Some(order),
                _ => None,
            },
            Some(_) => None,
            // `in order of place`
            None if super::query::is_built_in(&name.text) => None,
            None => {
                self.unknown(name);
                return None;
            }
        };
        if row.is_none() {
            let is_mark = match self.symbols.meaning(&name.text) {
                Some(Meaning::Fact(fact)) => matches!(
                    self.out.facts[fact.index()].shape,
                    omerta_core::rules::FactShape::Mark | omerta_core::rules::FactShape::MarkOne
                ),
                _ => false,
            };
            self.report(errors::not_in_order(name, is_mark));
        }
        row
    }

    fn repeat(&mut self, body: &Block) {
        let head = self.label();
        self.loops.push(Loop { exits: Vec::new() });
        self.block(body);
        self.jump_to(head);
        let done = self.loops.pop().expect("the loop was pushed above");
        self.land_all(done.exits);
    }

    fn stop(&mut self, span: omerta_core::source::Span) {
        if self.loops.is_empty() {
            self.report(errors::stop_outside(span));
            return;
        }
        let exit = self.jump();
        if let Some(innermost) = self.loops.last_mut() {
            innermost.exits.push(exit);
        }
    }

    fn leave(&mut self, name: Option<&Name>, span: omerta_core::source::Span) {
        let scene = match name {
            None if self.home.can_leave => None,
            None => {
                self.report(errors::leave_outside(span));
                return;
            }
            Some(name) if matches!(self.resolve(name), Some(Meaning::Event(_))) => {
                self.report(errors::leaves_event(name));
                return;
            }
            Some(name) => match self.scene_named(name) {
                Some(scene) if self.home.scene == Some(scene) => None,
                Some(scene) => Some(scene),
                None => return,
            },
        };
        match scene {
            None => {
                let exit = self.jump();
                self.home.exits.push(exit);
            }
            Some(scene) => {
                self.effects.write(Touch::Flow);
                self.emit(Op::Leave { scene });
            }
        }
    }

    pub(super) fn scene_named(&mut self, name: &Name) -> Option<omerta_core::rules::SceneId> {
        match self.resolve(name) {
            Some(Meaning::Scene(scene)) => Some(scene),
            Some(other) => {
                self.report(errors::wrong_sort(name, "a scene", self.sort(other)));
                None
            }
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Scene(_)), "scene NAME { … }");
                None
            }
        }
    }

    fn play(&mut self, name: &Name, of: &[Expr]) {
        let Some(scene) = self.scene_named(name) else {
            return;
        };
        self.effects.plays.insert(scene);
        let kinds = self.scene_params[scene.index()].clone();
        let base = self.temps(kinds.len().max(1) as u16);
        match (kinds.len(), of) {
            (0, [of, ..]) => self.report(errors::no_of_here(name, of.span)),
            (_, []) if !kinds.is_empty() => self.report(errors::scene_needs_of(name)),
            (wanted, given) if wanted != given.len() => {
                self.report(errors::handed_otherwise(name, &kinds, given, all_of(given)));
            }
            _ => self.hand_over(base, of, &kinds),
        }
        let proc = self.out.scenes[scene.index()].proc;
        self.emit(Op::Enter { proc, base });
    }

    /// Puts what is handed over into registers side by side.
    pub(super) fn hand_over(&mut self, base: Reg, given: &[Expr], kinds: &[Kind]) {
        for (to, (given, kind)) in (base.0..).map(Reg).zip(given.iter().zip(kinds)) {
            match self.kind_said(given) {
                Some((kind, rest)) => self.report(errors::kind_said_again(given.span, kind, &rest)),
                None => self.scratch(|c| {
                    c.into(to, |c| c.wanted_val(given, *kind));
                }),
            }
        }
    }

    /// `call Guards to meet`: plays the scene that performs calls, with the card; of several cards, with each.
    fn call(&mut self, card: &Expr, purpose: Option<&Name>) {
        let Some(calling) = self.calling else {
            self.report(errors::nothing_performs(card.span));
            return;
        };
        let Some(titles) = self.titles(card) else { return };
        let purpose = self.purpose(purpose);
        self.note_call(&titles, purpose, card.span);
        self.effects.plays.insert(calling);
        self.each_title(titles, |c, title| {
            let base = c.temps(1);
            c.put_into(base, title);
            c.emit(Op::Call { title: base, purpose });
            let proc = c.out.scenes[calling.index()].proc;
            c.emit(Op::Enter { proc, base });
            c.called_no_more(base);
        });
    }

    fn called_no_more(&mut self, base: Reg) {
        self.emit(Op::Call {
            title: base,
            purpose: NO_CALL,
        });
    }

    /// The role or team that an expression names, or those that it comes to.
    fn titles(&mut self, card: &Expr) -> Option<Val> {
        let named = card.bare_name().filter(|name| {
            name.text != "called"
                && self.local_value(&name.text).is_none()
                && matches!(self.resolve(name), None | Some(Meaning::Group(_)))
        });
        match named {
            Some(name) => self
                .title_named(name)
                .map(|group| Val::Const(super::query::title_bit(group), Kind::Titles)),
            None => {
                if let Some(group) = self.narrowed_group(card) {
                    let text = self.sources.slice(card.span).to_owned();
                    self.report(errors::narrowed_title(&text, &group.text, card.span));
                    return None;
                }
                Some(self.wanted_val(card, Kind::Titles))
            }
        }
    }

    /// The role or team of which some are meant.
    fn narrowed_group<'e>(&self, set: &'e Expr) -> Option<&'e Name> {
        let ExprKind::Narrow(parts) = &*set.kind else {
            return None;
        };
        let is_group = |name: &&Name| {
            let kind = self.symbols.meaning(&name.text);
            matches!(kind, Some(Meaning::Group(group)) if matches!(self.out.groups[group.index()].kind, GroupKind::Role | GroupKind::Team))
        };
        let names: Vec<&Name> = parts.iter().filter_map(Expr::bare_name).collect();
        let is_known =
            |name: &&Name| self.symbols.get(&name.text).is_some() || self.local_value(&name.text).is_some();
        match names.iter().all(is_group) || !names.iter().all(is_known) {
            true => None,
            false => names.into_iter().find(is_group),
        }
    }

    /// The steps once for each of some titles; for those that are known outright, the steps alone.
    fn each_title(&mut self, titles: Val, mut steps: impl FnMut(&mut Self, Val)) {
        if let Val::Const(mask, kind) = titles {
            for title in each_bit(mask) {
                steps(self, Val::Const(1 << title, kind));
            }
            return;
        }
        let (rest, each) = (self.temp(), self.temp());
        self.put_into(rest, titles);
        let head = self.label();
        let out = self.jump_unless(rest);
        self.pop(each, rest, None, None);
        steps(self, Val::Reg(each, Kind::Titles));
        self.jump_to(head);
        self.land(out);
    }

    fn note_call(&mut self, titles: &Val, purpose: u16, span: Span) {
        match titles {
            Val::Const(mask, _) => {
                let titles = each_bit(*mask).map(|title| Some(GroupId(title)));
                self.calls.extend(titles.map(|title| (title, purpose, span)));
            }
            _ => self.calls.push((None, purpose, span)),
        }
    }

    /// A role or team by name.
    pub(super) fn title_named(&mut self, name: &Name) -> Option<GroupId> {
        use omerta_core::rules::GroupKind;
        match self.resolve(name) {
            Some(Meaning::Group(g)) if matches!(self.group(g).kind, GroupKind::Role | GroupKind::Team) => {
                self.symbols.read.insert(name.text.clone());
                Some(g)
            }
            Some(other) => {
                self.report(errors::wrong_sort(name, "a role or a team", self.sort(other)));
                None
            }
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Group(_)), "role NAME \"the …\"");
                None
            }
        }
    }

    /// The number of a purpose, 0 for none.
    pub(super) fn purpose(&mut self, purpose: Option<&Name>) -> u16 {
        let Some(purpose) = purpose else { return 0 };
        let place = self.out.purposes.iter().position(|p| *p == purpose.text);
        place.unwrap_or_else(|| {
            self.out.purposes.push(purpose.text.clone());
            self.out.purposes.len() - 1
        }) as u16
    }

    /// Whether this is the scene that says how a call goes, and the card the one that it is handed.
    fn is_handed_a_call(&self, card: &Expr) -> bool {
        let is_local = |name: &Name| self.local_value(&name.text).is_some();
        self.home.scene.is_some() && self.home.scene == self.calling && card.bare_name().is_some_and(is_local)
    }

    /// What hangs on a card that is called, done by its whole circle or by one of it.
    fn perform(&mut self, card: &Expr, by: Option<&Expr>) {
        let base = self.temps(2);
        let Some(title) = self.titles(card) else { return };
        self.put_into(Reg(base.0 + 1), title);
        let circle = match by {
            Some(by) => self.wanted_val(by, Kind::Players),
            None => self.circle(title, card.span),
        };
        self.put_into(base, circle);
        let nobody = by.map(|_| self.jump_unless(base));
        self.effects.write(Touch::Flow);
        self.emit(Op::Perform { base });
        nobody.into_iter().for_each(|nobody| self.land(nobody));
    }

    /// `perform role of p to kill by me`: the part of each of them with others in its circle, and without a call.
    fn perform_by(&mut self, card: &Expr, purpose: Option<&Name>, by: &Expr) {
        let Some(titles) = self.titles(card) else { return };
        let purpose = self.purpose(purpose);
        self.note_call(&titles, purpose, card.span);
        self.each_title(titles, |c, title| {
            let base = c.temps(2);
            let called = Reg(base.0 + 1);
            c.put_into(called, title);
            c.emit(Op::Call {
                title: called,
                purpose,
            });
            let by = c.wanted_val(by, Kind::Players);
            c.put_into(base, by);
            let nobody = c.jump_unless(base);
            c.effects.write(Touch::Flow);
            c.emit(Op::Perform { base });
            c.land(nobody);
            c.called_no_more(base);
        });
    }

    /// Who acts in a call: the define `circle of c` where there is one, else the holders.
    fn circle(&mut self, title: Val, span: Span) -> Val {
        if let Some(index) = self.circle_define {
            let name = Name::new("circle", span);
            let val = self.expand(index, Some(title), &name);
            return self.coerce(val, Kind::Players, span);
        }
        self.coerce(title, Kind::Players, span)
    }
}

/// The numbers of the titles in a set.
fn each_bit(mask: u64) -> impl Iterator<Item = u16> {
    (0..64).filter(move |title| mask >> title & 1 == 1)
}
