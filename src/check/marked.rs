//! What is remembered and not forgotten in time: marks that nothing takes off, and what only one card's own part takes off.

use crate::course::tests_of;
use crate::course::{marks_of, remembered};
use crate::departed::{at_one_time, circle_in};
use crate::happening::{handed, performs};
use crate::look::{Look, is_among, names, read_in};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::FactShape;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    Ask, AskMode, Block, Clause, Expr, ExprKind, ItemKind, Moment, Name, OrNobody, Question, Role, Statement,
    StatementKind,
};
use omerta_syntax::walk::{self, Space, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Look<'a> {
    /// A mark that each round is set anew and never taken off.
    pub fn check_marks(&self, diagnostics: &mut Vec<Diagnostic>) {
        // What happens once marks nobody for too long.
        let goes_round = self.kinds().any(|kind| {
            matches!(kind, ItemKind::Script(_) | ItemKind::Scene { .. })
                && holds(kind, &|kind| matches!(kind, StatementKind::Repeat(_)))
        });
        let mut lasting = match goes_round {
            true => self.lasting_marks(),
            false => BTreeMap::new(),
        };
        // `mark left of turn as turn`: it is handed on, and somebody always has it.
        self.each_statement(&mut |statement| {
            if let StatementKind::Mark { set, names: given } = &statement.kind {
                lasting.retain(|mark, _| !given.iter().any(|name| name.text == **mark) || !names(set, mark));
            }
        });
        let one = |name: &str| {
            let fact = self.rules.fact_named(name);
            fact.is_some_and(|fact| fact.shape == FactShape::MarkOne)
        };
        // `mark bleeding as dying`: whoever has the one gets the other anew.
        lasting.retain(|mark, _| !one(mark) || !self.is_given_each_round(mark));
        let mut renewed: BTreeMap<&str, &Name> = BTreeMap::new();
        self.each_statement(&mut |statement| {
            if let StatementKind::Mark { set, names } = &statement.kind
                && let Some(source) = set.bare_name()
                && lasting.contains_key(source.text.as_str())
            {
                renewed.extend(names.iter().map(|name| (name.text.as_str(), source)));
            }
        });
        for kind in self.kinds().filter(|kind| !matches!(kind, ItemKind::Rule(_))) {
            for_each_statement(kind, &mut |statement| {
                let StatementKind::Do(happen) = &statement.kind else {
                    return;
                };
                let Some(mark) = happen.of.as_ref().and_then(|of| of.bare_name()) else {
                    return;
                };
                let is_lasting = lasting.contains_key(mark.text.as_str());
                let source = renewed.get(mark.text.as_str()).filter(|_| !is_lasting);
                let mark = source.copied().unwrap_or(mark);
                if let Some(declared) = lasting.get(mark.text.as_str()).filter(|_| self.is_own(mark.span)) {
                    let who = match one(&mark.text) {
                        true => "the one who was last",
                        false => "all who were ever",
                    };
                    diagnostics.push(happens_again(&happen.event.text, who, mark, **declared));
                }
            });
        }
        if goes_round {
            self.check_answers_kept(diagnostics);
        }
        let set_by_answers = self.set_by_answers();
        let shields = self
            .rule_list()
            .filter(|rule| rule.moment != Moment::After && self.is_own(rule.name.span));
        for mark in shields.filter_map(|rule| rule.happening.of.first()?.set.bare_name()) {
            let name = mark.text.as_str();
            if let Some((declared, set)) = lasting.get(name).zip(set_by_answers.get(name)) {
                diagnostics.push(shields_for_ever(mark, **declared, *set));
            }
        }
    }

    /// Whom each has named in the rounds before, kept beside whom he names now: `ask each living for ballot`, with a link to
    /// several that nothing takes off. What one who is asked may not name again is meant to be kept.
    fn check_answers_kept(&self, diagnostics: &mut Vec<Diagnostic>) {
        let links = self.lasting(|kind| match kind {
            ItemKind::Link {
                names,
                one: false,
                kept,
                ..
            } if kept.life.is_none() => names,
            _ => &[],
        });
        for body in &self.course.rounds {
            for_each_statement_again(body, &mut |statement| {
                let StatementKind::Ask(ask) = &statement.kind else {
                    return;
                };
                let each = matches!(ask.mode, AskMode::Each | AskMode::InOrder(_));
                let Some((name, domain)) = ask.asked_for().filter(|_| each) else {
                    return;
                };
                let Some(declared) = links.get(name.text.as_str()) else {
                    return;
                };
                // Whoever may not name again whom he has named, or is not asked again, keeps what he answered on purpose.
                let mut sets = domain.set().into_iter().chain([&ask.who]);
                let is_meant = sets.any(|set| read_in(set).contains(name.text.as_str()));
                if !is_meant && self.is_own(name.span) {
                    diagnostics.push(adds_to_the_old(name, **declared));
                }
            });
        }
    }

    /// Whether each round of the script gives a mark to somebody who had to be named: it is nobody's from long before.
    fn is_given_each_round(&self, mark: &str) -> bool {
        let all = { self.course.script() }.map_or(&[][..], |script| &script.statements);
        let mut rounds = all.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Repeat(body) => Some(body),
            _ => None,
        });
        let is_given = |body| self.gives_to_a_named(body, mark, &mut BTreeSet::new());
        rounds.clone().next().is_some() && rounds.all(is_given)
    }

    /// The one whom the host, all or those who are still there must name whenever they are asked.
    fn must_be_named<'t>(&self, ask: &'t Ask) -> Option<&'t Name> {
        let somebody = ["host", "players"].into_iter().chain(self.present());
        let is_somebody = somebody.into_iter().any(|who| ask.who.is_name(who));
        let as_one = matches!(ask.mode, AskMode::One | AskMode::Together);
        match &ask.question {
            Question::For {
                name,
                amount: None,
                or_nobody: OrNobody::Never,
                ..
            } if is_somebody && as_one && ask.limit.is_none() => Some(name),
            _ => None,
        }
    }

    fn gives_to_a_named<'b>(&'b self, body: &'b Block, mark: &str, seen: &mut BTreeSet<&'b str>) -> bool {
        let mut named = BTreeSet::new();
        body.statements.iter().any(|statement| match &statement.kind {
            StatementKind::Ask(ask) => {
                named.extend(self.must_be_named(ask).map(|name| name.text.as_str()));
                false
            }
            StatementKind::Mark { set, names } => {
                let to = set.bare_name().is_some_and(|to| named.contains(to.text.as_str()));
                to && names.iter().any(|name| name.text == mark)
            }
            StatementKind::Play { scene, .. } => {
                let played = self.course.scenes.get(scene.text.as_str());
                played.is_some_and(|body| {
                    seen.insert(scene.text.as_str()) && self.gives_to_a_named(body, mark, seen)
                })
            }
            _ => false,
        })
    }

    /// The marks of this file without an end, that nothing takes off.
    pub fn lasting_marks(&self) -> BTreeMap<&'a str, &'a Span> {
        let mut lasting = self.lasting(|kind| match kind {
            ItemKind::Mark { names, kept, .. } if kept.life.is_none() => names,
            _ => &[],
        });
        lasting.retain(|_, span| self.is_own(**span));
        lasting
    }

    /// Of what is remembered all that nothing takes off.
    pub fn lasting(&self, declared: fn(&'a ItemKind) -> &'a [Name]) -> BTreeMap<&'a str, &'a Span> {
        let all = self.kinds().flat_map(declared);
        let mut lasting: BTreeMap<&str, &Span> = all.map(|name| (name.text.as_str(), &name.span)).collect();
        for kind in self.kinds().filter(|kind| self.course.is_come_to(kind)) {
            for_each_statement(kind, &mut |statement| {
                let taken = match &statement.kind {
                    StatementKind::Unmark { names, .. } | StatementKind::Clear(names) => &names[..],
                    StatementKind::Unlink { name, .. } => std::slice::from_ref(name),
                    _ => &[],
                };
                for name in taken {
                    lasting.remove(name.text.as_str());
                }
            });
        }
        lasting
    }

    /// Where a part that is called, or a round, marks whom somebody has chosen, whatever came before.
    fn set_by_answers(&self) -> BTreeMap<&'a str, Span> {
        let mut set = BTreeMap::new();
        let parts = self.parts().map(|part| &part.body);
        for body in parts.chain(self.course.rounds.iter().copied()) {
            let mut answers = BTreeSet::new();
            for statement in &body.statements {
                match &statement.kind {
                    StatementKind::Ask(ask) => {
                        answers.extend(ask.asked_for().map(|(name, _)| name.text.as_str()));
                    }
                    StatementKind::Mark { set: whom, names }
                        if { whom.bare_name() }.is_some_and(|name| answers.contains(name.text.as_str())) =>
                    {
                        for name in names {
                            set.entry(name.text.as_str()).or_insert(statement.span);
                        }
                    }
                    _ => {}
                }
            }
        }
        set
    }

    // ---- What a card's own part takes off

    /// What only the part of a card takes off while others go by it: once nobody holds the card, nothing does.
    pub fn check_outlived(&self, diagnostics: &mut Vec<Diagnostic>) {
        let present = self.present().filter(|present| self.some_leave(present));
        let event = present.and_then(|present| self.leaving(present, false).pop_first());
        let Some(event) = event.filter(|_| !self.course.rounds.is_empty() && !self.calls_are_settled())
        else {
            return;
        };
        let kept = { self.kinds() }.flat_map(|kind| match kind {
            ItemKind::Link { names, kept, .. } if kept.life.is_none() => &names[..],
            _ => match remembered(kind) {
                Some((names, None)) => names,
                _ => &[],
            },
        });
        let kept = kept.filter(|name| self.is_own(name.span));
        let kept: BTreeMap<&str, &Name> = kept.map(|name| (name.text.as_str(), name)).collect();
        for kind in self.kinds() {
            let ItemKind::Role(role) = kind else { continue };
            if self.always_called(role) {
                continue;
            }
            let (mut given, mut off) = (BTreeSet::new(), BTreeMap::new());
            for part in &role.parts {
                // What is taken off behind a question is a deed of his, and may be meant to last without it.
                let tidied = part.body.statements.iter().flat_map(|one| taken_off(&one.kind));
                off.extend(tidied.map(|name| (name.text.as_str(), name)));
                for_each_statement(&part.body, &mut |statement| match &statement.kind {
                    // With him what he has marked himself with is nobody's who is there.
                    StatementKind::Mark { set, .. } if set.is_name("me") => {}
                    kind if taken_off(kind).is_empty() => {
                        given.extend(marks_of(statement).map(|name| name.text.as_str()));
                    }
                    _ => {}
                });
            }
            off.retain(|name, at| given.contains(name) && self.is_own(at.span));
            for (name, at) in off {
                let meant = self.meant_by(name, role);
                let others = self.kinds().filter(|other| !std::ptr::eq(*other, kind));
                let read = others.map(|other| self.goes_by(name, &meant, role, other));
                let read: Option<Vec<_>> = read.collect();
                let read = read.and_then(|read| read.into_iter().flatten().next());
                if let Some((declared, read)) = kept.get(name).zip(read) {
                    diagnostics.push(outlives(at, &role.name, &event, (declared.span, read)));
                }
            }
        }
    }

    /// What is remembered under a name, and the definitions that go by it, each with where it is read there; not those that ask
    /// for the card.
    fn meant_by(&self, name: &'a str, card: &Role) -> BTreeMap<&'a str, Option<Span>> {
        let mut meant = BTreeMap::from([(name, None)]);
        meant.extend(self.back_of(name).map(|back| (back.text.as_str(), None)));
        loop {
            let known = meant.len();
            for kind in self.kinds() {
                let (ItemKind::Define { name, .. } | ItemKind::Clause(Clause { name, .. })) = kind else {
                    continue;
                };
                let asks = || read_in(kind).contains(card.name.text.as_str());
                let read = read_at(kind, &meant, self.present()).filter(|_| !asks());
                if let Some(read) = read {
                    meant.entry(name.text.as_str()).or_insert(Some(read));
                }
            }
            if meant.len() == known {
                return meant;
            }
        }
    }

    /// Where a declaration goes by what is remembered, and does not ask for the card; nothing at all where it sets it itself.
    fn goes_by(
        &self,
        name: &str,
        meant: &BTreeMap<&str, Option<Span>>,
        card: &Role,
        kind: &'a ItemKind,
    ) -> Option<Option<Span>> {
        let (mut sets, mut asks) = (false, false);
        let defined = self.kinds().filter_map(|kind| match kind {
            ItemKind::Define { name, value, .. } if names(value, &card.name.text) => Some(name.text.as_str()),
            _ => None,
        });
        let of_card: BTreeSet<&str> = defined.chain([card.name.text.as_str()]).collect();
        walk::Part::Item(kind).each(&mut |part| {
            match part {
                walk::Part::Reads(own) => asks |= of_card.contains(own.text.as_str()),
                walk::Part::Uses(own, Space::Changed) => sets |= own.text == name,
                walk::Part::Statement(statement) => {
                    sets |= marks_of(statement).any(|own| own.text == name);
                    return !matches!(statement.kind, StatementKind::Call { .. });
                }
                _ => {}
            }
            true
        });
        let goes_on = match kind {
            ItemKind::Define { .. } | ItemKind::Clause(_) => false,
            ItemKind::Rule(rule) => {
                // A rule in the place of something comes in by what it waits for, unless it does that after all.
                let both_ways = match &rule.body.statements[..] {
                    [
                        Statement {
                            kind: StatementKind::If(test, _, Some(_)),
                            ..
                        },
                    ] => Some(test),
                    _ => None,
                };
                let mut tests = tests_of(rule).chain(both_ways);
                asks &= rule.moment != Moment::Instead || tests.any(|test| names(test, &card.name.text));
                let mut events = rule.happening.names.iter();
                !events.all(|event| self.is_only_of(event, card))
            }
            ItemKind::Event { name, .. } | ItemKind::Scene { name, .. } => !self.is_only_of(name, card),
            _ => true,
        };
        (!sets).then(|| read_at(kind, meant, self.present()).filter(|_| goes_on && !asks))
    }

    /// Whether something is done, planned and played by the parts of a card alone.
    fn is_only_of(&self, what: &Name, card: &Role) -> bool {
        let does = |kind: &StatementKind| match kind {
            StatementKind::Play { scene, .. } => scene.text == what.text,
            kind => { kind.brings_about() }.is_some_and(|happen| happen.event.text == what.text),
        };
        let mut doers = self.kinds().filter(|kind| holds(*kind, &does)).peekable();
        let is_card =
            |kind: &ItemKind| matches!(kind, ItemKind::Role(role) if role.name.text == card.name.text);
        doers.peek().is_some() && doers.all(is_card)
    }

    /// Whether these rules choose how a call goes: it may be made where nobody is left as well.
    fn calls_are_settled(&self) -> bool {
        let callers = self.kinds().filter(
            |kind| matches!(kind, ItemKind::Scene { params, body, .. } if performs(handed(params), body)),
        );
        let read: BTreeSet<&str> = callers.flat_map(read_in).collect();
        let mut options = self.rules.options.iter();
        options.any(|option| option.value != option.default && read.contains(option.name.as_str()))
    }

    /// Whether the part of a card is called as long as the game goes on: somebody becomes one, an ending asks for it, it does
    /// not leave, or its circle is another.
    fn always_called(&self, card: &Role) -> bool {
        let is_card = |name: &Name| name.text == card.name.text;
        self.kinds().any(|kind| match kind {
            ItemKind::Define { .. } => circle_in(kind).is_some_and(|(of, _)| is_card(of)),
            // Whoever says how its calls go knows.
            ItemKind::Clause(clause) => clause.param.as_ref().is_some_and(|param| is_card(&param.name)),
            ItemKind::Ending(ending) => names(&ending.when, &card.name.text),
            ItemKind::Rule(rule) if rule.moment == Moment::Instead && rule.when.is_none() => {
                let of = rule.happening.of.first().and_then(|of| of.set.bare_name());
                of.is_some_and(is_card)
            }
            kind => holds(
                kind,
                &|kind| matches!(kind, StatementKind::Turn { role, .. } if names(role, &card.name.text)),
            ),
        })
    }
}

/// The statements that are come by in more rounds than one.
fn for_each_statement_again<'a>(body: &'a Block, visit: &mut dyn FnMut(&'a Statement)) {
    walk::Part::Block(body).each(&mut |part| match part {
        walk::Part::Statement(statement) => match &statement.kind {
            StatementKind::If(test, ..) if at_one_time(test) => false,
            _ => {
                visit(statement);
                true
            }
        },
        walk::Part::Expr(_) => false,
        _ => true,
    });
}

/// Where a declaration first reads one of these names; what is read through a definition is read there.
fn read_at(kind: &ItemKind, meant: &BTreeMap<&str, Option<Span>>, present: Option<&str>) -> Option<Span> {
    // Whoever has left leads to nobody where it is read of those who are there, or where it is narrowed to them.
    let is_of_present = |expr: &Expr| {
        let here = |set: &Expr| present.is_some_and(|present| is_among(set, present));
        let of_them = expr.read_of().is_some_and(|(_, of)| here(of));
        of_them || matches!(&*expr.kind, ExprKind::Narrow(_)) && here(expr)
    };
    let mut read = None;
    walk::Part::Item(kind).each(&mut |part| {
        match part {
            walk::Part::Reads(name) => {
                if let Some(at) = meant.get(name.text.as_str()) {
                    read = read.or(Some(at.unwrap_or(name.span)));
                }
            }
            walk::Part::Expr(expr) if is_of_present(expr) => return false,
            _ => {}
        }
        true
    });
    read
}

/// What a statement takes off: `clear warded`, `set silenced to no`.
fn taken_off(kind: &StatementKind) -> &[Name] {
    match kind {
        StatementKind::Unmark { set, names } if !set.is_name("me") => names,
        StatementKind::Clear(names) => names,
        StatementKind::Unlink { name, .. } => std::slice::from_ref(name),
        StatementKind::Set { name, value, .. } if *value.kind == ExprKind::Truth(false) => {
            std::slice::from_ref(name)
        }
        _ => &[],
    }
}

mistakes! {
    fn happens_again(event: &str, who: &str, mark: &Name, declared: Span) = warning "marked-for-ever" ("M0747", mark.span):
        format!("`{event}` happens again and again to {who} marked as `{}`", mark.text), "nothing takes the mark off",
        also declared, "it has no end",
        help format!("write `mark {} until end of …`, or `clear {0}` behind it", mark.text);

    fn shields_for_ever(mark: &Name, declared: Span, set: Span) = warning "marked-for-ever" ("M0747", mark.span):
        format!("whoever was once chosen stays `{}`", mark.text), "nothing takes the mark off",
        also declared, "it has no end",
        also set, "set here, every time again",
        help format!("write `mark {} until end of …` with the scene until which it is to last", mark.text);

    fn adds_to_the_old(name: &Name, declared: Span) = warning "marked-for-ever" ("M0747", name.span):
        format!("each answer is added to whom `{}` led to in the rounds before", name.text), "nothing takes the old ones off",
        also declared, "leads to several, and has no end",
        help format!("write `clear {0}` before they are asked, `link {0} one`, or `link {0} until …`", name.text);

    fn outlives(off: &Name, card: &Name, event: &str, (declared, read): (Span, Span)) = warning "marked-for-ever" ("M0747", off.span):
        format!("once nobody is called as `{}`, nothing takes `{}` off", card.text, off.text), "only here it is taken off",
        also declared, "it has no end",
        also read, "what holds here when the last of them has gone holds for ever",
        help format!("write `rule …: after {event} of {} {{ clear {} }}`, or let the mark end with a scene: `until …`", card.text, off.text);
}
