//! Those who have left the game, and where they are asked, picked or counted all the same.

use crate::advice::within;
use crate::course::plays;
use crate::in_vain::{is_count, moves};
use crate::look::{Look, gives_mark, goes_away, is_among, names, read_in, waits_for};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::GroupId;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    Ask, BinaryOp, Block, ClauseMode, CompareOp, Domain, Expr, ExprKind, ItemKind, Kept, MarkShape, Moment,
    Name, Of, Param, Part, Rule, StatementKind,
};
use omerta_syntax::walk::{self, for_each_expr, for_each_statement, holds, holds_expr};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Look<'a> {
    /// What is called, comes round in the script or at a rule, and asks or lets be picked whoever ever sat down.
    pub fn check_departed(&self, diagnostics: &mut Vec<Diagnostic>) {
        let Some(present) = self.present().filter(|present| self.some_leave(present)) else {
            return;
        };
        self.check_counted(present, diagnostics);
        self.check_old_ballots(present, diagnostics);
        self.check_offers(present, diagnostics);
        self.check_left_twice(present, diagnostics);
        self.check_leaves_again(present, diagnostics);
        let events = self.leaving(present, false);
        let by_seats = |set: &Expr| self.by_seats(present, set);
        for kind in self.kinds() {
            if let Some((card, value)) = circle_in(kind)
                && self.rules.group_named(&card.text).is_some()
                && self.is_of_all_here(value)
                && !self.kinds().any(|kind| is_left_out(kind, card))
            {
                diagnostics.push(departed_called(present, card, value.span));
            }
            if let ItemKind::Clause(clause) = kind
                && clause.mode == ClauseMode::Include
                && self.is_of_all_here(&clause.value)
                && self.read_by(&clause.name.text).contains(present)
            {
                diagnostics.push(departed_counted(present, clause.value.span));
            }
        }
        diagnostics.extend(self.departed_wake(present));
        for body in self.bodies_again(present) {
            for_each_expr(body, &mut |set| {
                diagnostics.extend(self.only_some_present(set, present))
            });
            let looked_for = self.looked_for(body, present);
            let all_here = |set: &Expr| {
                let is_known = |(name, then): &(&str, Span)| set.is_name(name) && within(set.span, *then);
                self.is_of_all_here(set) && !looked_for.iter().any(is_known)
            };
            for_each_statement(body, &mut |statement| match &statement.kind {
                // The host may mean anybody.
                StatementKind::Ask(ask) if !ask.who.is_name("host") => {
                    self.check_asked(present, ask, &all_here, diagnostics);
                }
                StatementKind::Draw {
                    domain: Domain::Set(set),
                    ..
                } => diagnostics.extend(match all_here(set) {
                    true => Some(departed(present, set.span)),
                    false => by_seats(set),
                }),
                StatementKind::ForEach {
                    name: Some(name),
                    among: Domain::Set(set),
                    body,
                    ..
                } if all_here(set) => {
                    let asks = |kind: &StatementKind| match kind {
                        StatementKind::Ask(ask) => ask.who.is_name(&name.text),
                        _ => false,
                    };
                    let asked = { body.statements.iter() }.any(|statement| asks(&statement.kind));
                    diagnostics.extend(asked.then(|| departed_asked(present, set.span)));
                }
                StatementKind::Do(happen) | StatementKind::Plan(happen)
                    if events.contains(&happen.event.text) =>
                {
                    diagnostics.extend(happen.of.as_ref().and_then(by_seats));
                }
                StatementKind::Mark { set, .. } | StatementKind::Link { to: set, .. } => {
                    diagnostics.extend(by_seats(set));
                }
                _ => {}
            });
        }
    }

    /// The scene of a call, where nothing says who wakes: whoever has the card does, here or not.
    fn departed_wake(&self, present: &str) -> Option<Diagnostic> {
        let (caller, body) = self.kinds().find_map(|kind| match kind {
            ItemKind::Scene { name, body, .. } if self.course.caller == Some(name.text.as_str()) => {
                Some((name, body))
            }
            _ => None,
        })?;
        let asks_me = |body: &&Block| {
            let asks =
                |kind: &StatementKind| matches!(kind, StatementKind::Ask(ask) if ask.who.is_name("me"));
            holds(*body, &asks) && self.parts().any(|part| std::ptr::eq(&raw const part.body, *body))
        };
        let has_circle = self.kinds().any(|kind| circle_in(kind).is_some());
        let looks = has_circle || read_in(body).contains(present);
        (!looks && self.is_ours(caller.span) && self.bodies_again(present).iter().any(asks_me))
            .then(|| departed_wake(present, caller))
    }

    /// What may be come to once somebody has left: parts that are called then, what comes round, rules, and the scenes that
    /// these play.
    fn bodies_again(&self, present: &str) -> Vec<&'a Block> {
        let (mut bodies, mut known) = (self.course.rounds.clone(), BTreeSet::new());
        self.course.follow(&mut bodies, &mut known, plays);
        // A scene that is left does not come round: what waits for it comes in once, like it.
        let scenes = &self.course.scenes;
        let is_left = |name: &str| scenes.contains_key(name) && !known.contains(name);
        let once = |rule: &Rule| { rule.happening.names.iter() }.all(|name| is_left(&name.text));
        // Whoever says when, or whether somebody has left, knows what he does.
        let read = self.read_by(present);
        let is_known = |rule: &Rule| {
            let knows = |name: &Name| name.text != present && read.contains(name.text.as_str());
            let is_time = |expr: &Expr| matches!(&*expr.kind, ExprKind::Times(_));
            let tells = |expr: &Expr| is_time(expr) || expr.bare_name().is_some_and(knows);
            rule.when.as_ref().is_some_and(|when| holds_expr(when, &tells))
        };
        let rules = self.rule_list().filter(|rule| !once(rule) && !is_known(rule));
        bodies.extend(rules.map(|rule| &rule.body));
        self.course.follow(&mut bodies, &mut known, plays);
        let called = self.called_in(&bodies);
        let is_called = |name: &Name, part: &Part| {
            let own = self.rules.group_named(&name.text);
            let purpose = part.purpose.as_ref().map(|purpose| purpose.text.as_str());
            let is_it = |(called, to): &(GroupId, Option<&str>)| {
                let is_own =
                    |own| own == *called || self.rules.is_of(*called, own) || self.rules.is_of(own, *called);
                *to == purpose && own.is_some_and(is_own)
            };
            called.as_ref().is_none_or(|called| called.iter().any(is_it))
        };
        for (name, parts) in self.kinds().filter_map(ItemKind::called) {
            let parts = parts.iter().filter(|part| is_called(name, part));
            bodies.extend(parts.map(|part| &part.body));
        }
        self.course.follow(&mut bodies, &mut known, plays);
        bodies
    }

    /// Whose parts are called in these; nothing where some are called that cannot be told.
    fn called_in(&self, bodies: &[&'a Block]) -> Option<Vec<(GroupId, Option<&'a str>)>> {
        let (mut called, mut all) = (Vec::new(), true);
        for body in bodies {
            for_each_statement(*body, &mut |statement| {
                if let StatementKind::Call { card, purpose } | StatementKind::Perform { card, purpose, .. } =
                    &statement.kind
                {
                    let group = card
                        .bare_name()
                        .and_then(|name| self.rules.group_named(&name.text));
                    all &= group.is_some();
                    let purpose = purpose.as_ref().map(|purpose| purpose.text.as_str());
                    called.extend(group.map(|group| (group, purpose)));
                }
            });
        }
        all.then_some(called)
    }

    fn check_offers(&self, present: &str, diagnostics: &mut Vec<Diagnostic>) {
        let of_present = self.read_by(present);
        // It says itself who of them is meant: who somebody is not says nothing of whether he is there.
        let of_me = |test: &Expr| {
            holds_expr(test, &|test| match &*test.kind {
                ExprKind::Compare(left, CompareOp::IsNot, _, right) if left.is_name("me") => {
                    of_present.iter().any(|mark| names(right, mark))
                }
                ExprKind::Compare(left, _, _, right) => names(left, "me") || names(right, "me"),
                ExprKind::Some(set) | ExprKind::No(set) => names(set, "me"),
                _ => false,
            })
        };
        for kind in self.kinds() {
            let ItemKind::Allow(allow) = kind else { continue };
            let is_office = |office: &&str| allow.who.is_name(office);
            let says = |when| of_me(when) || self.offices.iter().any(is_office);
            let is_said = allow.when.as_ref().is_some_and(says);
            if !is_said && self.is_of_all_here(&allow.who) {
                diagnostics.push(departed_offers(present, &allow.name, allow.who.span));
            }
        }
    }

    /// The cards and marks of which a test has found that somebody is there who has one, and where that holds.
    fn looked_for(&self, body: &'a Block, present: &str) -> Vec<(&'a str, Span)> {
        let mut known = Vec::new();
        walk::Part::Block(body).each(&mut |part| {
            let walk::Part::Block(block) = part else {
                return !matches!(part, walk::Part::Expr(_));
            };
            for statement in &block.statements {
                let StatementKind::If(test, then, otherwise) = &statement.kind else {
                    continue;
                };
                let below = Span {
                    start: statement.span.end,
                    ..block.span
                };
                let behind = goes_away(then).then_some(below);
                let mut found = Vec::new();
                self.is_there(test, true, present, &mut found);
                for (name, holds) in found {
                    let places = match holds {
                        true => [Some(then.span), None],
                        false => [otherwise.as_ref().map(|block| block.span), behind],
                    };
                    known.extend(places.into_iter().flatten().map(|place| (name, place)));
                }
            }
            true
        });
        known
    }

    /// The cards and marks of which a test says that somebody is there who has one, and whether it says so where it holds.
    fn is_there(&self, test: &'a Expr, holds: bool, present: &str, found: &mut Vec<(&'a str, bool)>) {
        let mut finds = |set: &'a Expr, holds| {
            found.extend(
                set.words()
                    .iter()
                    .filter_map(Expr::bare_name)
                    .map(|name| (name.text.as_str(), holds)),
            );
        };
        let is_gone = |set: &Expr| {
            let name = set.bare_name().map(|name| name.text.as_str());
            name.is_some_and(|name| name != present && self.read_by(present).contains(name))
        };
        match &*test.inside().kind {
            ExprKind::Not(inner) => self.is_there(inner, !holds, present, found),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.is_there(part, holds, present, found));
            }
            ExprKind::Some(set) if is_among(set, present) => finds(set, holds),
            ExprKind::No(set) if is_among(set, present) => finds(set, !holds),
            ExprKind::Compare(left, op @ (CompareOp::Is | CompareOp::IsNot), _, right) => {
                let is = (*op == CompareOp::Is) == holds;
                match () {
                    () if is_among(right, present) => finds(left, is),
                    () if is_gone(right) => finds(left, !is),
                    () => {}
                }
            }
            ExprKind::Every {
                set,
                negated: false,
                is,
            } if is_among(is, present) => finds(set, holds),
            _ => {}
        }
    }

    /// The marks of one that somebody is given once, and that nothing looks after when he leaves.
    pub fn offices(&self) -> BTreeSet<&'a str> {
        let Some(present) = self.present() else {
            return BTreeSet::new();
        };
        let mut offices = self.lasting(|kind| match kind {
            ItemKind::Mark {
                names,
                shape: MarkShape::One,
                kept: Kept { life: None, .. },
            } => names,
            _ => &[],
        });
        if offices.is_empty() {
            return BTreeSet::new();
        }
        let events = self.leaving(present, false);
        let is_once = |kind: &ItemKind| match kind {
            ItemKind::Rule(rule) => rule.when.as_ref().is_some_and(at_one_time),
            ItemKind::Scene { name, body, .. } => {
                let plays = |kind: &StatementKind| matches!(kind, StatementKind::Play { scene, .. } if scene.text == name.text);
                let is_script = |kind: &ItemKind| matches!(kind, ItemKind::Script(_));
                let comes_round = self.course.rounds.iter().any(|again| again.span == body.span);
                !comes_round && !self.kinds().any(|kind| !is_script(kind) && holds(kind, &plays))
            }
            _ => false,
        };
        let read = self.read_by(present);
        let (mut given, mut looked_after) = (BTreeSet::new(), BTreeSet::new());
        for kind in self.kinds() {
            let waits = kind.rule().is_some_and(|rule| waits_for(rule, &events));
            // Whoever looks anywhere whether the one who has it is there knows that he may not be.
            for_each_expr(kind, &mut |expr| match &*expr.kind {
                ExprKind::Narrow(_) | ExprKind::Compare(..) if read.iter().any(|word| names(expr, word)) => {
                    for_each_expr(expr, &mut |part| {
                        looked_after.extend(part.bare_name().map(|name| &name.text))
                    });
                }
                _ if waits => looked_after.extend(expr.bare_name().map(|name| &name.text)),
                _ => {}
            });
            let is_once = is_once(kind);
            for_each_statement(kind, &mut |statement| {
                if let StatementKind::Mark { names, .. } = &statement.kind {
                    names.iter().for_each(|name| match is_once {
                        true => drop(given.insert(name.text.as_str())),
                        false => drop(offices.remove(name.text.as_str())),
                    });
                }
            });
        }
        offices.retain(|office, _| !looked_after.iter().any(|name| name == office));
        { offices.into_keys() }
            .filter(|office| given.contains(office))
            .collect()
    }

    fn check_asked(
        &self,
        present: &str,
        ask: &Ask,
        all_here: &dyn Fn(&Expr) -> bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        diagnostics.extend(match all_here(&ask.who) {
            true => Some(departed_asked(present, ask.who.span)),
            false => self.by_seats(present, &ask.who),
        });
        for set in ask.domains().into_iter().filter_map(Domain::set) {
            diagnostics.extend(match all_here(set) {
                true => Some(departed(present, set.span)),
                false => self.by_seats(present, set),
            });
        }
    }

    /// `neighbours of p` without a word on who is there.
    fn by_seats(&self, present: &str, set: &Expr) -> Option<Diagnostic> {
        let here = self.read_by(present);
        let seats = beside(set, &|part| read_in(part).is_disjoint(&here));
        let seats = seats.filter(|seats| self.is_ours(*seats))?;
        Some(seats_of_departed(present, seats))
    }

    fn is_of_all_here(&self, set: &Expr) -> bool {
        self.is_ours(set.span) && self.is_of_all(set)
    }

    /// Whether a set is made of all people, with nothing about them in it but who they are and what cards they have.
    fn is_of_all(&self, set: &Expr) -> bool {
        let is_cards = |set: &Expr| self.is_group(set);
        match &*set.inside().kind {
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                self.is_of_all(left) && (right.is_name("me") || is_cards(right) || self.is_by_cards(right))
            }
            ExprKind::Binary(BinaryOp::Plus | BinaryOp::Else, left, right) => {
                self.is_of_all(left) && self.is_of_all(right)
            }
            _ => {
                let is_office = |office: &&str| set.is_name(office);
                let is_one = |name| set.is_name(name);
                ["players", "others"].into_iter().any(is_one)
                    || is_cards(set)
                    || self.offices.iter().any(is_office)
            }
        }
    }

    /// Whether a set is a role, a team or a class and nothing more.
    fn is_group(&self, set: &Expr) -> bool {
        let name = set.bare_name();
        name.is_some_and(|name| self.rules.group_named(&name.text).is_some())
    }

    /// Whether a mark is only ever given by what cards do, and to what somebody comes for: it says nothing of who is there.
    fn is_by_cards(&self, set: &Expr) -> bool {
        let Some(mark) = set.bare_name() else { return false };
        let is_card = |kind: &ItemKind| kind.called().is_some() || matches!(kind, ItemKind::Allow(_));
        let gives = |kind: &&ItemKind| holds(*kind, &|kind| gives_mark(kind, &mark.text));
        let mut given = self.kinds().filter(gives).peekable();
        given.peek().is_some() && given.all(is_card)
    }

    /// Two sets joined, of which one is narrowed to those who are there, and the other is not.
    fn only_some_present<'s>(&self, set: &'s Expr, present: &'s str) -> Option<Diagnostic> {
        let ExprKind::Binary(BinaryOp::Plus, left, right) = &*set.kind else {
            return None;
        };
        let words = |side: &'s Expr| -> Option<Vec<&'s str>> {
            let parts = match &*side.kind {
                ExprKind::Narrow(parts) => parts.as_slice(),
                _ => std::slice::from_ref(side),
            };
            let names = parts.iter().map(|part| Some(part.bare_name()?.text.as_str()));
            names.collect()
        };
        let is_group = |names: &[&str]| names.iter().all(|name| self.rules.group_named(name).is_some());
        let (left, right) = (words(left)?, words(right)?);
        let (some, all) = match (left.contains(&present), right.contains(&present)) {
            (true, false) => (&left, &right),
            (false, true) => (&right, &left),
            _ => return None,
        };
        let rest: Vec<&str> = some.iter().copied().filter(|name| *name != present).collect();
        let are_groups = !rest.is_empty() && is_group(&rest) && is_group(all);
        let [rest, all] = [rest, all.clone()].map(|names| names.join(" "));
        (are_groups && self.is_ours(set.span)).then(|| departed_beside(present, [&rest, &all], set.span))
    }

    /// Ballots of a link that nothing empties, counted of all who ever gave one.
    fn check_old_ballots(&self, present: &str, diagnostics: &mut Vec<Diagnostic>) {
        let kept = self.lasting(|kind| match kind {
            ItemKind::Link {
                names,
                kept: Kept { life: None, .. },
                ..
            } => names,
            _ => &[],
        });
        let are_here = |set: &Expr| {
            let named = read_in(set);
            named.contains(present) || named.iter().any(|name| self.read_by(name).contains(present))
        };
        let mut asked: BTreeMap<&str, &Name> = BTreeMap::new();
        for body in self.bodies_again(present) {
            for_each_statement(body, &mut |statement| {
                if let StatementKind::Ask(ask) = &statement.kind
                    && let Some((name, _)) = ask.asked_for()
                    && are_here(&ask.who)
                {
                    asked.insert(name.text.as_str(), name);
                }
            });
        }
        for kind in self.kinds().filter(|kind| self.course.is_come_to(kind)) {
            for_each_expr(kind, &mut |expr| {
                if let Some((name, of)) = expr.read_of()
                    && is_count(name)
                    && let Some(link) = of.bare_name()
                    && kept.contains_key(link.text.as_str())
                    && let Some(&asked) = asked.get(link.text.as_str())
                    // Where a library counts, whoever asks in its place empties no more what it did.
                    && let Some(place) = [link, asked].into_iter().find(|name| self.is_ours(name.span))
                {
                    diagnostics.push(old_ballots(present, name, place));
                }
            });
        }
    }

    /// Whether whoever leaves may get another card for it: where one is given beside an event by which he leaves, or in a rule
    /// that waits for it.
    fn leavers_move(&self, present: &str) -> bool {
        let events = self.leaving(present, false);
        let leaves = |kind: &StatementKind| {
            kind.brings_about()
                .is_some_and(|happen| events.contains(&happen.event.text))
        };
        let waits = |kind: &ItemKind| match kind {
            ItemKind::Rule(rule) => waits_for(rule, &events),
            ItemKind::Event { .. } => true,
            _ => false,
        };
        { self.kinds() }
            .filter(|kind| self.is_in_file(kind) && holds(*kind, &moves))
            .any(|kind| waits(kind) || holds(kind, &leaves))
    }

    /// An ending that counts people by their cards alone, where whoever leaves keeps his.
    fn check_counted(&self, present: &str, diagnostics: &mut Vec<Diagnostic>) {
        if self.leavers_move(present) {
            return;
        }
        let is_group = |set: &Expr| self.is_group(set);
        let number_of = |set: &'a Expr| match &*set.kind {
            ExprKind::NumberOf(set) => Some(set),
            _ => None,
        };
        let own = |set: &Expr| self.is_ours(set.span).then_some(set.span);
        let mut left = self.read_by(present);
        left.retain(|name| self.rules.fact_named(name).is_some());
        for kind in self.kinds() {
            let ItemKind::Ending(ending) = kind else { continue };
            // Where nobody has left, none of them can be counted.
            let is_left = |name: &Name| left.contains(name.text.as_str());
            let none_left = |test: &Expr| match &*test.inside().kind {
                ExprKind::No(set) => set.bare_name().is_some_and(is_left),
                _ => false,
            };
            if matches!(&*ending.when.inside().kind, ExprKind::And(tests) if tests.iter().any(none_left)) {
                continue;
            }
            for_each_expr(&ending.when, &mut |test| {
                let counted = match &*test.kind {
                    ExprKind::No(set) if is_group(set) || set.is_name("players") => own(set),
                    ExprKind::Compare(left, CompareOp::Is | CompareOp::Exactly, _, right)
                        if right.is_name("nobody") && is_group(left) =>
                    {
                        own(left)
                    }
                    ExprKind::Compare(left, op, part, right) => {
                        let orders = !matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly);
                        let counted = |side: &'a Expr| number_of(side).or(orders.then_some(side));
                        { [(left, right), (right, left)].into_iter() }.find_map(|(side, other)| {
                            let set = counted(side)?;
                            let is_some = names(other, present)
                                && !self.groups_in(number_of(other).unwrap_or(other)).is_empty();
                            let is_all = *part == Of::Half && set.inside().is_name("players") && is_some;
                            own(set).filter(|_| is_all || is_group(set))
                        })
                    }
                    _ => None,
                };
                diagnostics.extend(counted.map(|set| departed_counted(present, set)));
                diagnostics.extend(self.only_some_present(test, present));
            });
        }
    }

    /// The word for those who are there: what the circle of a role is made of, or where none is called, what of all people
    /// some event takes somebody out of.
    pub fn present(&self) -> Option<&'a str> {
        let of_circle = self.kinds().filter_map(circle_in).find_map(|(card, value)| {
            let ExprKind::Narrow(parts) = &*value.kind else {
                return None;
            };
            let mut others = parts.iter().filter_map(Expr::bare_name);
            others.find(|part| part.text != card.text)
        });
        let leaves = |name: &Name| !self.leaving(&name.text, false).is_empty();
        let of_all = || {
            self.kinds().find_map(|kind| match kind {
                ItemKind::Define { name, param, value }
                    if param.is_none() && is_without(value) && leaves(name) =>
                {
                    Some(name)
                }
                _ => None,
            })
        };
        of_circle.or_else(of_all).map(|name| name.text.as_str())
    }

    /// What the definition of a set reads.
    pub fn read_by(&self, set: &str) -> BTreeSet<&'a str> {
        let mut read = BTreeSet::new();
        for kind in self.kinds() {
            if let ItemKind::Define { name, value, .. } = kind
                && name.text == set
            {
                read.insert(name.text.as_str());
                for_each_expr(value, &mut |part| {
                    read.extend(part.bare_name().map(|name| name.text.as_str()))
                });
            }
        }
        read
    }

    /// The events that take people out of a set, perhaps or `surely`.
    pub fn leaving(&self, present: &str, surely: bool) -> BTreeSet<String> {
        let read = self.read_by(present);
        let is_mark = |kind: &StatementKind| match kind {
            StatementKind::Mark { names, .. } => names.iter().any(|name| read.contains(name.text.as_str())),
            _ => false,
        };
        let events = self.kinds().filter_map(|kind| match kind {
            ItemKind::Event { name, body, of, .. } => Some((name, body, of.as_ref().map(|of| &of.name))),
            _ => None,
        });
        if !surely {
            let leaving = events.filter(|(_, body, _)| holds(*body, &is_mark));
            return leaving.map(|(name, ..)| name.text.clone()).collect();
        }
        let events: Vec<_> = events.collect();
        let mut leaving = BTreeSet::new();
        loop {
            let leaves = |kind: &StatementKind, whom: Option<&Name>| match kind {
                // What comes in its place may let them stay.
                StatementKind::Do(happen) if leaving.contains(&happen.event.text) => {
                    let of = happen.of.as_ref().and_then(Expr::bare_name);
                    of.map(|of| &of.text) == whom.map(|whom| &whom.text)
                        && !self.is_replaced(&happen.event.text)
                }
                kind => is_mark(kind),
            };
            let more: BTreeSet<String> = { events.iter() }
                .filter(|(_, body, whom)| body.statements.iter().any(|one| leaves(&one.kind, *whom)))
                .map(|(name, ..)| name.text.clone())
                .collect();
            if more.len() == leaving.len() {
                return leaving;
            }
            leaving = more;
        }
    }

    /// Whether a rule may come in the place of something.
    fn is_replaced(&self, name: &str) -> bool {
        self.rule_list()
            .any(|rule| rule.moment == Moment::Instead && rule.waits_for(name))
    }

    /// Where a rule `after` what takes people out looks for him to whom it happened among those who are there.
    pub fn sought_among_present(&self, rule: &'a Rule, present: &str) -> Option<(&'a Name, Span)> {
        let of = rule.happening.of.first()?;
        // The only one of a card is gone by its name, too.
        let only = of
            .set
            .bare_name()
            .filter(|card| self.is_held_by_one(&card.text, rule));
        let whom = of.name.as_ref().or(only)?;
        // Somebody else may become it here.
        let mut turned = u32::MAX;
        for_each_statement(&rule.body, &mut |statement| {
            if let StatementKind::Turn { .. } = &statement.kind {
                turned = turned.min(statement.span.start);
            }
        });
        let is_he = |expr: &Expr| {
            let only = only.filter(|_| expr.span.start < turned);
            { [of.name.as_ref(), only].into_iter().flatten() }.any(|name| expr.is_name(&name.text))
        };
        let is_present = |expr: &Expr| is_among(expr, present);
        let mut found = None;
        let mut look = |expr: &'a Expr| {
            let sought = match &*expr.kind {
                ExprKind::Compare(left, CompareOp::Is, _, right) => is_he(left) && is_present(right),
                ExprKind::Narrow(parts) => parts.iter().any(is_he) && is_present(expr),
                _ => false,
            };
            found = found.or(sought.then_some(expr.span));
        };
        rule.when.iter().for_each(|when| for_each_expr(when, &mut look));
        for_each_expr(&rule.body, &mut look);
        Some(whom).zip(found)
    }

    /// Whether there is one of a card at the most: nobody becomes it but by the rule at hand, and it goes to nobody else.
    fn is_held_by_one(&self, card: &str, at_hand: &Rule) -> bool {
        let changes =
            |kind: &StatementKind| matches!(kind, StatementKind::Turn { .. } | StatementKind::Swap { .. });
        let mut others = self
            .kinds()
            .filter(|kind| kind.rule().is_none_or(|rule| !std::ptr::eq(rule, at_hand)));
        let role = self.rules.role_named(card);
        role.is_some_and(|role| self.rules.roles[role.index()].limit == Some(1))
            && !others.any(|kind| holds(kind, &changes))
            && !self.cards_come()
    }

    /// Whether a card may come to somebody beside the one he has.
    pub fn cards_come(&self) -> bool {
        let is_of_roles = |zone: &Name| {
            self.kinds().any(
                |kind| matches!(kind, ItemKind::Zone { name, is_role: true, .. } if name.text == zone.text),
            )
        };
        let comes = |kind: &StatementKind| match kind {
            StatementKind::Move { to, .. } => to.of.is_some() && is_of_roles(&to.zone),
            _ => false,
        };
        self.kinds().any(|kind| holds(kind, &comes))
    }

    /// Whether this file makes happen what takes people out of a set.
    pub fn some_leave(&self, present: &str) -> bool {
        let events = self.leaving(present, false);
        let mut happens = false;
        self.each_statement(&mut |statement| {
            let happen = statement.kind.brings_about();
            happens |= self.is_ours(statement.span)
                && happen.is_some_and(|happen| events.contains(&happen.event.text));
        });
        happens
    }
}

/// `define circle of c = …`: who acts for which card.
pub(super) fn circle_in(kind: &ItemKind) -> Option<(&Name, &Expr)> {
    match kind {
        ItemKind::Define { name, param, value } if name.text == "circle" => {
            Some((&param.as_ref()?.name, value))
        }
        _ => None,
    }
}

/// `neighbours of p`, `left of p`: by the seats, whoever sits there; also joined with others, or narrowed by what says
/// nothing of who is there.
fn beside(set: &Expr, is_silent: &dyn Fn(&Expr) -> bool) -> Option<Span> {
    match &*set.inside().kind {
        ExprKind::Query(query) => {
            let is_of_seats = ["neighbours", "left", "right"].contains(&query.name.text.as_str());
            (is_of_seats && query.of.is_some() && query.among.is_none()).then_some(set.span)
        }
        ExprKind::Binary(BinaryOp::Plus | BinaryOp::Else, left, right) => {
            beside(left, is_silent).or_else(|| beside(right, is_silent))
        }
        ExprKind::Binary(BinaryOp::Without, set, but) | ExprKind::Where { set, test: but }
            if is_silent(but) =>
        {
            beside(set, is_silent)
        }
        _ => None,
    }
}

/// Whether something is left out of the circle of a card.
fn is_left_out(kind: &ItemKind, card: &Name) -> bool {
    let ItemKind::Clause(clause) = kind else {
        return false;
    };
    let is_its = |param: &Param| param.name.text == card.text;
    clause.mode == ClauseMode::Exclude
        && clause.name.text == "circle"
        && clause.param.as_ref().is_some_and(is_its)
}

/// Whether a test holds at one time of the game alone: `times Day is 1`.
pub(super) fn at_one_time(test: &Expr) -> bool {
    let is_time = |test: &Expr| match &*test.kind {
        ExprKind::Compare(left, CompareOp::Is | CompareOp::Exactly, ..) => {
            matches!(&*left.kind, ExprKind::Times(_))
        }
        _ => false,
    };
    match &*test.kind {
        ExprKind::And(tests) => tests.iter().any(is_time),
        _ => is_time(test),
    }
}

/// `players without out`
fn is_without(value: &Expr) -> bool {
    matches!(&*value.inside().kind, ExprKind::Binary(BinaryOp::Without, left, _) if left.is_name("players"))
}

mistakes! {
    fn departed(present: &str, set: Span) = warning "departed" ("M0746", set):
        "whoever has left the game may be picked here", "all who ever sat down",
        help format!("write `{present}` and then what is left out: `{present} without me`");

    fn old_ballots(present: &str, counts: &Name, link: &Name) = warning "departed" ("M0746", link.span):
        format!("what those gave who have left the game counts on: nothing empties `{}`", link.text), "of all who ever gave one",
        help format!("write `{} of {} of {present}`, or `clear {}` before it is asked for", counts.text, link.text, link.text);

    fn departed_offers(present: &str, offer: &Name, set: Span) = warning "departed" ("M0746", set):
        format!("whoever has left the game may come with `{}` as well", offer.text), "all who ever sat down",
        help format!("write `{present}`, or who of them is meant");

    fn departed_asked(present: &str, set: Span) = warning "departed" ("M0746", set):
        "whoever has left the game is asked here as well", "all who ever sat down",
        help format!("write `{present}`, or who of them is meant");

    fn departed_called(present: &str, card: &Name, set: Span) = warning "departed" ("M0746", set):
        format!("when `{}` is called, whoever has left the game wakes as well", card.text), "all who ever sat down",
        help format!("write `{present}` in front of it");

    fn departed_wake(present: &str, caller: &Name) = warning "departed" ("M0746", caller.span):
        "whoever has left the game wakes as well where his card is called", "nothing says who wakes",
        help format!("write `define circle of role c = {present} c`");

    fn departed_beside(present: &str, [some, all]: [&str; 2], set: Span) = warning "departed" ("M0746", set):
        format!("`{present}` stands before `{some}` alone: of `{all}` those are meant as well who have gone"), "these and those",
        help format!("write `{present} ({some} plus {all})`"),
        writes format!("{present} ({some} plus {all})");

    fn departed_counted(present: &str, set: Span) = warning "departed" ("M0746", set):
        "whoever has left the game is counted here as well", "with those who have left",
        help format!("write `{present}` in front of it");

    fn seats_of_departed(present: &str, set: Span) = warning "departed" ("M0746", set):
        "who sits there may have left the game", "by the seats alone",
        help format!("write `among ({present})` behind it, for the next who is there; or `{present} (…)`, for those beside who are there");
}
