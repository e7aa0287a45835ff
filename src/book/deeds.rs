//! Statements in words, as a host would be told what to do: a line each, blocks as lines under it.

use crate::{
    english::{answer, in_the_middle, is_the_only, noun, sentence, several},
    page::{Inline, Line},
    phrases::{Made, THAT_ONE, THIS_CARD, THIS_ONE, Teller, joined, plain, words},
    remarks,
    subject::{Sort, of_card, spoken},
};
use omerta_core::{
    plural::so_many,
    rules::{Fact, FactShape, GroupId, GroupKind},
};
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{
    Ask, AskMode, Block, Branch, Domain, Expr, ExprKind, Happen, InOrder, Limit, Moment, Name, Pick, Place,
    Question, Reseat, Rule, Shown, Statement, StatementKind, Text,
};

/// Above what a script or a scene repeats, behind something else and first of all.
pub const AGAIN: [&str; 2] = ["Then, again and again:", "Again and again:"];

impl Teller<'_> {
    /// The lines of a block.
    pub fn block(&self, block: &Block) -> Vec<Line> {
        // Who is named in one line is spoken of in the next.
        let mut teller = self.clone();
        let lines = block.statements.iter().flat_map(|statement| {
            let lines = teller.remarked_statement(statement);
            if let Some(name) = teller.picks_one(&statement.kind) {
                teller = teller.naming(name, THAT_ONE).0;
            }
            lines
        });
        begun(lines.collect())
    }

    /// The name of the one player whom a statement has somebody name, or draws.
    fn picks_one<'s>(&self, kind: &'s StatementKind) -> Option<&'s Name> {
        let (name, domain) = match kind {
            StatementKind::Ask(ask) => match (&ask.mode, &ask.question) {
                (
                    AskMode::One | AskMode::Together,
                    Question::For {
                        name,
                        amount: None,
                        domain,
                        ..
                    },
                ) => (name, domain),
                _ => return None,
            },
            StatementKind::Draw {
                name,
                count: None,
                domain,
                ..
            } => (name, domain),
            _ => return None,
        };
        let is_player = matches!(domain, Domain::Set(set) if self.noun(set).is_some());
        Some(name).filter(|_| is_player)
    }

    /// ` (the target)`; nothing where it is spoken of as that player.
    fn called_here(&self, kind: Option<&Name>, name: &Name) -> String {
        match kind.map(|name| self.naming(name, THAT_ONE).1) {
            Some(label) if label.is_empty() => label,
            _ => called(name),
        }
    }

    /// The lines of a statement, with what is written above it: behind its words, or first of what belongs under it.
    pub fn remarked_statement(&self, statement: &Statement) -> Vec<Line> {
        let mut lines = self.statement(statement);
        let Some(first) = lines.first_mut() else {
            return lines;
        };
        // What stands above a declaration of one line is that declaration's.
        let is_own = remarks::begins_its_line(self.subject.sources, statement.span);
        // What a library says of its way to call is not told with every call.
        let is_known = self.made.is_some() && self.subject.is_of_a_library(statement.span);
        let remark = match is_own && !is_known {
            true => self.subject.remark(statement.span),
            false => String::new(),
        };
        if remark.is_empty() {
            return lines;
        }
        let remark = remark.trim_end_matches('.');
        if first.inner.is_empty() {
            first.words = words![std::mem::take(&mut first.words), format!(" ({remark})")];
        } else if matches!(statement.kind, StatementKind::Ask(_)) {
            lines.insert(0, Line::plain(sentence(remark)));
        } else {
            first.inner.insert(0, Line::plain(sentence(remark)));
        }
        lines
    }

    /// The lines of a statement; none for what the options in force leave out.
    fn statement(&self, statement: &Statement) -> Vec<Line> {
        match &statement.kind {
            StatementKind::If(test, then, otherwise) => self.fork("If ", test, then, otherwise.as_ref()),
            StatementKind::Ask(ask) => self.ask(ask),
            StatementKind::ForEach {
                name: None,
                among: Domain::Numbers(_, times),
                body,
                ..
            } => {
                let head = words!["Do this ", self.expr(times), " times:"];
                vec![Line::of(head).with(self.block(body))]
            }
            StatementKind::ForEach {
                name,
                among,
                order,
                from,
                body,
            } => {
                let order = order.as_ref().map(|order| match order {
                    InOrder::Of(order) => words![", in the order of ", self.name(order)],
                    InOrder::Random => words![", in an order drawn by lot"],
                });
                let from = from
                    .as_ref()
                    .map(|from| words![", beginning with ", self.expr(from)]);
                let whom = match among {
                    Domain::Set(set) => self.noun(set).map(|noun| noun.for_each()),
                    _ => None,
                };
                let is_zone = matches!(among, Domain::Set(set) if self.is_zone(set));
                let this_one = if self.speaks_of(THIS_ONE) {
                    THAT_ONE
                } else {
                    THIS_ONE
                };
                let (teller, called) = match (name, &whom) {
                    (Some(name), Some(_)) => self.naming(name, this_one),
                    (Some(name), None) if self.are_players(among) => self.naming(name, this_one),
                    (Some(name), None) if is_zone => self.naming(name, THIS_CARD),
                    (Some(name), None) => (self.clone(), format!(" ({})", spoken(&name.text))),
                    (None, _) => (self.clone(), String::new()),
                };
                let each = if is_zone { "each card in " } else { "each of " };
                let whom = whom.unwrap_or_else(|| words![each, self.domain(among)]);
                // The driver is called so already.
                let is_called_so = name
                    .as_ref()
                    .is_some_and(|name| plain(&whom) == format!("the {}", spoken(&name.text)));
                let head = words![
                    "For ",
                    whom,
                    if is_called_so { String::new() } else { called },
                    order.unwrap_or_default(),
                    from.unwrap_or_default(),
                    ":"
                ];
                vec![Line::of(head).with(teller.block(body))]
            }
            StatementKind::Repeat(body) => vec![Line::plain(AGAIN[0]).with(self.block(body))],
            StatementKind::Call { card, purpose } => vec![self.call(card, purpose.as_ref())],
            StatementKind::Perform { card, purpose, by } if let Some(part) = self.part_called(card) => {
                let purpose = purpose.as_ref().or(part.purpose.as_ref());
                match (&part.card, by) {
                    (Some(card), Some(by)) => self.parts_by(&plain(&self.expr(by)), card, purpose),
                    (Some(card), None) => self.parts_of(card, purpose),
                    (None, _) => vec![Line::of(self.deed(&statement.kind))],
                }
            }
            kind => self.in_words(kind),
        }
    }

    /// A statement that is one line, with what rules always put before it, in its place and after it where it has a name.
    fn in_words(&self, kind: &StatementKind) -> Vec<Line> {
        let own = || vec![Line::of(self.deed(kind))];
        let Some(name) = kind.words() else {
            return own();
        };
        let always = |moment: Moment| -> Vec<&Rule> {
            let rules = self.subject.rules_at(&name.text, moment).map(|(rule, _)| rule);
            rules.filter(|rule| self.is_always(rule)).collect()
        };
        // Words that a rule says may have rules of their own.
        let told = |rule: &Rule| match omerta_syntax::walk::holds(&rule.body, &|kind| kind.words().is_some())
        {
            true => Vec::new(),
            false => {
                let lines = self.block(&rule.body);
                let nothing = words!["Nothing happens."];
                lines.into_iter().filter(|line| line.words != nothing).collect()
            }
        };
        let all = |moment| always(moment).into_iter().flat_map(told).collect::<Vec<_>>();
        let instead = match always(Moment::Instead).is_empty() {
            true => own(),
            false => all(Moment::Instead),
        };
        [all(Moment::Before), instead, all(Moment::After)].concat()
    }

    /// A test with its two ways, as far as the game decides.
    fn fork(&self, head: &str, test: &Expr, then: &Block, otherwise: Option<&Block>) -> Vec<Line> {
        let words = match self.test(test) {
            Err(true) if head == "If " => return self.block(then),
            Err(true) => return vec![Line::plain("Otherwise:").with(self.block(then))],
            Err(false) => return self.otherwise(otherwise, head != "If "),
            Ok(words) => words,
        };
        let mut lines = vec![Line::of(words![head, words, ":"]).with(self.block(then))];
        lines.extend(self.otherwise(otherwise, true));
        lines
    }

    fn otherwise(&self, otherwise: Option<&Block>, follows: bool) -> Vec<Line> {
        let Some(block) = otherwise else {
            return Vec::new();
        };
        if !follows {
            return self.block(block);
        }
        if let [
            Statement {
                kind: StatementKind::If(test, then, otherwise),
                ..
            },
        ] = &block.statements[..]
        {
            return self.fork("Otherwise, if ", test, then, otherwise.as_ref());
        }
        let inner = self.block(block);
        match inner.is_empty() {
            true => Vec::new(),
            false => vec![Line::plain("Otherwise:").with(inner)],
        }
    }

    // ---- Questions

    /// `, 30 seconds`; nothing where there is no limit.
    fn limit(&self, limit: Option<&Limit>, most: &str) -> Vec<Inline> {
        let Some(Limit { count, minutes }) = limit else {
            return Vec::new();
        };
        let unit = if *minutes { "minute" } else { "second" };
        let time = match *count.kind {
            ExprKind::Int(number) => words![so_many(number, unit)],
            _ => words![self.expr(count), format!(" {unit}s")],
        };
        words![" ", time, most]
    }

    fn ask(&self, ask: &Ask) -> Vec<Line> {
        if !self.bound.contains_key("me") {
            return self.with("me", "the one who is asked").ask(ask);
        }
        let late = ask.late.as_ref();
        let late = late.map(|late| Line::of(words!["When the time is up:"]).with(self.block(late)));
        std::iter::once(self.question(ask)).chain(late).collect()
    }

    fn question(&self, ask: &Ask) -> Line {
        let said = ask.text.as_ref().map(|text| self.text(text));
        let text = said
            .clone()
            .map_or_else(Vec::new, |said| words![" ", Inline::Said(said)]);
        let colon = if text.is_empty() { "." } else { ":" };
        let is_only = self.noun(&ask.who).is_some_and(|noun| noun.is_the_only());
        let each = matches!(ask.mode, AskMode::Each) && !is_only;
        let who = match self.noun(&ask.who).filter(|_| each) {
            Some(noun) => noun.for_each(),
            None if each => words!["each of ", self.expr(&ask.who)],
            None => self.expr(&ask.who),
        };
        let head = words![
            "Ask ",
            who,
            if is_only { Vec::new() } else { self.mode(&ask.mode) },
            colon,
            text
        ];
        let open = match (&ask.open_to, ask.openly) {
            (Some(who), _) => words![", seen by ", self.expr(who)],
            (None, true) => words![", for all to see"],
            (None, false) => Vec::new(),
        };
        let open = match &ask.limit {
            Some(limit) => words![open, ", within", self.limit(Some(limit), "")],
            None => open,
        };
        let line = match &ask.question {
            Question::For {
                name,
                amount,
                domain,
                or_nobody,
            } => {
                let picked = match amount {
                    Some(amount) => {
                        let up_to = if amount.up_to { "up to " } else { "" };
                        self.so_many(up_to, &amount.count, domain)
                    }
                    None => self.choice(domain),
                };
                let is_one = amount.is_none() && matches!(ask.mode, AskMode::One | AskMode::Together);
                let is_player = matches!(domain, Domain::Set(set) if self.noun(set).is_some());
                let label = self.called_here(Some(name).filter(|_| is_one && is_player), name);
                Line::of(words![
                    head,
                    " Answer: ",
                    picked,
                    label,
                    self.or_nobody(or_nobody, self.nothing_of(domain)),
                    open,
                    "."
                ])
            }
            Question::Whether(name) if matches!(ask.mode, AskMode::Each) => Line::of(words![
                head,
                " Answer: yes or no",
                open,
                "; those who say yes are ",
                answer(&spoken(&name.text)),
                "."
            ]),
            Question::Whether(name) => {
                let name = spoken(&name.text);
                Line::of(words![head, " Answer: yes or no (“", name, "”)", open, "."])
            }
            Question::Menu(_, branches) => {
                let branches = branches.iter().filter_map(|branch| self.branch(branch));
                Line::of(words![head, " Answer: one of these", open, ":"]).with(branches.collect())
            }
        };
        // What the host is asked is for nobody else's eyes.
        let asks = said.filter(|_| !is_host(&ask.who));
        Line { asks, ..line }
    }

    fn mode(&self, mode: &AskMode) -> Vec<Inline> {
        match mode {
            AskMode::One => Vec::new(),
            AskMode::Together => words![" for one answer together"],
            AskMode::Each => words![", all at the same time"],
            AskMode::InOrder(None) => words![", one after the other"],
            AskMode::InOrder(Some(from)) => {
                words![", one after the other, beginning with ", self.expr(from)]
            }
        }
    }

    /// A way to answer; nothing where the options in force close it.
    fn branch(&self, branch: &Branch) -> Option<Line> {
        let (teller, picked) = self.picked(branch.pick.as_ref());
        let when = teller.when(branch.when.as_ref())?;
        let title = branch.title.as_ref();
        let title = title.map_or_else(
            || with_a_capital(&spoken(&branch.name.text)),
            |title| self.text(title),
        );
        let head = words![Inline::Said(title), picked, when];
        Some(Line::of(head).with(teller.block(&branch.body)))
    }

    /// `: another living player (the target)`, and how what is picked is spoken of.
    pub fn picked(&self, pick: Option<&Pick>) -> (Self, Vec<Inline>) {
        let Some(pick) = pick else {
            return (self.clone(), Vec::new());
        };
        let is_player = matches!(&pick.domain, Domain::Set(set) if self.noun(set).is_some());
        let (teller, label) = match is_player {
            true => self.naming(&pick.name, THAT_ONE),
            false => (self.clone(), String::from(" ")),
        };
        let label = if label.is_empty() {
            label
        } else {
            called(&pick.name)
        };
        (teller, words![": ", self.choice(&pick.domain), label])
    }

    // ---- Calls

    /// A call with the words that go with it and what the card says.
    fn call(&self, card: &Expr, purpose: Option<&Name>) -> Line {
        let is_card = |name: &&Name| self.subject.title_of(&name.text).is_some();
        let name = card.bare_name().filter(is_card);
        let title = match name {
            Some(name) => self.subject.called(&name.text),
            None => plain(&self.expr(card)),
        };
        let to = purpose.map_or_else(String::new, |to| format!(" to {}", spoken(&to.text)));
        let inner = self.subject.caller().map_or_else(Vec::new, |(param, body)| {
            // Of which the game will say what it is, it is told when it has.
            let teller = match name {
                Some(card) => {
                    let which = self.subject.rules.group_named(&card.text);
                    self.elsewhere().with_card(&param.text, &title, which)
                }
                None => self.elsewhere().with(&param.text, "the card"),
            };
            let made = Made {
                card: name.cloned(),
                purpose: purpose.cloned(),
            };
            let lines = Teller {
                made: Some(made),
                ..teller
            }
            .call_without_guards(body);
            match name {
                Some(card) => self.around_call(card, lines),
                None => lines,
            }
        });
        Line::of(words!["Call ", Inline::Strong(title), to, ":"]).with(inner)
    }

    /// The call in which a part is done, where that of the called card is meant.
    fn part_called(&self, card: &Expr) -> Option<&Made> {
        let (param, _) = self.subject.caller()?;
        self.made.as_ref().filter(|_| card.is_name(&param.text))
    }

    /// What is done in a call, with the rules that hang on the call of this card.
    fn around_call(&self, card: &Name, lines: Vec<Line>) -> Vec<Line> {
        let is_new = self.calls.len() < 2 && !self.calls.contains(&card.text);
        let Some(calling) = self.subject.calling().filter(|_| is_new) else {
            return lines;
        };
        let mut teller = self.elsewhere();
        teller.calls.push(card.text.clone());
        let rules = |moment| {
            let rules = self.subject.rules_at(calling, moment);
            let of_it = rules.filter(|(rule, _)| of_card(rule) == Some(card.text.as_str()));
            of_it.filter_map(|(rule, span)| teller.rule(rule, span))
        };
        let before = rules(Moment::Before).chain(rules(Moment::Instead));
        before.chain(lines).chain(rules(Moment::After)).collect()
    }

    // ---- All else

    /// A statement that is one line.
    fn deed(&self, kind: &StatementKind) -> Vec<Inline> {
        // What is done to somebody if something holds of him: the condition comes first.
        if let Some((test, kind)) = of_whom(kind).and_then(|set| {
            let (test, whom) = self.provided(set)?;
            Some((test, done_to(kind, whom)))
        }) {
            return words!["If ", test, ", ", in_the_middle(self.deed(&kind))];
        }
        match kind {
            StatementKind::Say { text, .. } => words!["Say: ", self.said(text), self.decided(text)],
            StatementKind::Tell { who, text, .. } => {
                words![
                    "Tell ",
                    self.expr(who),
                    " alone: ",
                    self.said(text),
                    self.decided(text)
                ]
            }
            StatementKind::Show { what, who, .. } => match what {
                Shown::Text(text) => words![
                    "Show ",
                    self.expr(who),
                    ": ",
                    Inline::Said(self.shown(text)),
                    self.decided(text)
                ],
                Shown::Value(value) => words!["Show ", self.expr(who), self.what_is_shown(value), "."],
            },
            StatementKind::Wait { limit, text, .. } => {
                let most = self.limit(limit.as_ref(), if text.is_some() { " at the most" } else { "" });
                match text.as_ref().map(|text| self.text(text)) {
                    Some(text) if text.ends_with('?') => {
                        words!["Wait", most, ", and ask: ", Inline::Said(text)]
                    }
                    Some(text) => words!["Wait", most, " until this is done: ", text],
                    None if limit.is_some() => words!["Wait", most, "."],
                    None => words!["Wait until all are ready."],
                }
            }
            StatementKind::Draw {
                name,
                count,
                domain,
                openly,
            } => {
                let open = if *openly { ", for all to see" } else { "" };
                let drawn = match count {
                    Some(count) => self.so_many("", count, domain),
                    None => self.choice(domain),
                };
                let label = self.called_here(self.picks_one(kind), name);
                words!["Draw by lot: ", drawn, label, open, "."]
            }
            _ => self.course(kind),
        }
    }

    /// Statements about the course of the game.
    fn course(&self, kind: &StatementKind) -> Vec<Inline> {
        match kind {
            StatementKind::Stop => words!["Stop repeating and go on with what comes next."],
            // In the part of a role it is the call that is left.
            StatementKind::Leave(None) if self.made.is_some() || !self.calls.is_empty() => {
                words!["This call ends here."]
            }
            StatementKind::Leave(None) => words!["This scene ends here."],
            StatementKind::Leave(Some(scene)) => words![self.name(scene), " ends here."],
            StatementKind::Play { scene, of } => {
                words!["Play ", self.name(scene), self.handed(" of ", of), "."]
            }
            StatementKind::Perform { by: None, .. } => words!["Whoever is called does what the card says."],
            StatementKind::Perform {
                card,
                purpose,
                by: Some(by),
            } => {
                let to = purpose.as_ref().map(|to| format!(" to {}", spoken(&to.text)));
                let to = to.unwrap_or_default();
                words![
                    "Let ",
                    self.expr(by),
                    " do what ",
                    self.expr(card),
                    " does when called",
                    to,
                    "."
                ]
            }
            StatementKind::Do(happen) => words!["Carry out ", self.happen(happen), "."],
            StatementKind::Plan(happen) => words!["Plan ", self.happen(happen), "."],
            StatementKind::Settle(events) => {
                let each = events
                    .iter()
                    .map(|event| words!["every planned ", self.name(event)]);
                let all: Vec<Vec<Inline>> = each.collect();
                words!["Carry out ", all.join(&Inline::Words(", then ".to_owned())), "."]
            }
            StatementKind::Cancel { events, of, by } => {
                let of = of.as_ref().map(|of| words![" of ", self.expr(of)]);
                let by = by.as_ref().map(|by| words![" by ", self.expr(by)]);
                let (of, by) = (of.unwrap_or_default(), by.unwrap_or_default());
                words!["Call off every planned ", self.names(events), of, by, "."]
            }
            StatementKind::Judgement => words!["Check whether the game is over."],
            StatementKind::Win { set, when } => self.verdict("Victory for ", set, when.as_ref()),
            StatementKind::Lose { set, when } => self.verdict("Defeat for ", set, when.as_ref()),
            StatementKind::End => words!["The game ends here."],
            StatementKind::Nothing => words!["Nothing happens."],
            _ => self.note(kind),
        }
    }

    fn verdict(&self, verdict: &str, set: &Expr, when: Option<&Expr>) -> Vec<Inline> {
        match self.when(when) {
            Some(when) => words![verdict, self.expr(set), when, "."],
            None => words!["Nothing happens."],
        }
    }

    /// ` who is in the mafia`, `: the role of p`
    fn what_is_shown(&self, value: &Expr) -> Vec<Inline> {
        match self.noun(value) {
            Some(noun) if noun.is_told_by_a_clause() => words![": ", noun.all()],
            Some(noun) if !noun.is_a_name() && noun.is_the_only() => words![" who ", noun.all(), " is"],
            Some(noun) if !noun.is_a_name() => words![" who is ", noun.said()],
            _ => words![": ", self.expr(value)],
        }
    }

    /// Statements about what is remembered.
    fn note(&self, kind: &StatementKind) -> Vec<Inline> {
        match kind {
            StatementKind::Mark { set, names } => {
                words!["Mark ", self.expr(set), " as ", self.titles(names), "."]
            }
            StatementKind::Unmark { set, names } => {
                words!["Take the mark ", self.titles(names), " off ", self.expr(set), "."]
            }
            StatementKind::Link { from, to, name } => {
                let (name, from, to) = (self.name(name), self.expr(from), self.expr(to));
                words!["Note ", to, " as the ", name, " of ", from, "."]
            }
            StatementKind::Unlink {
                from,
                to: Some(to),
                name,
            } => {
                let (name, from, to) = (self.name(name), self.expr(from), self.expr(to));
                words!["Clear ", to, " as the ", name, " of ", from, "."]
            }
            StatementKind::Unlink { from, to: None, name } => {
                words!["Clear the ", self.name(name), " of ", self.expr(from), "."]
            }
            StatementKind::Clear(names) => self.cleared(names),
            StatementKind::Let { name, value } => {
                words!["Let “", spoken(&name.text), "” be ", self.worth(value), "."]
            }
            StatementKind::Set { name, of, value } => {
                let of = of.as_ref().map(|of| words![" of ", self.expr(of)]);
                let of = of.unwrap_or_default();
                words!["Set ", self.name(name), of, " to ", self.worth(value), "."]
            }
            StatementKind::Add {
                value,
                name,
                of,
                less,
            } => {
                let of = of.as_ref().map(|of| words![" of ", self.expr(of)]);
                let of = of.unwrap_or_default();
                let (deed, to) = match less {
                    true => ("Take ", " from "),
                    false => ("Add ", " to "),
                };
                words![deed, self.expr(value), to, self.name(name), of, "."]
            }
            _ => self.things(kind),
        }
    }

    /// What is forgotten: of those who are marked nobody is any more, all else is as at the beginning.
    fn cleared(&self, names: &[Name]) -> Vec<Inline> {
        let is_mark = |name: &Name| {
            let shape = self.shape(&name.text);
            shape.is_some_and(FactShape::is_mark)
        };
        let is_link = |name: &Name| matches!(self.shape(&name.text), Some(FactShape::Link { .. }));
        match names.iter().all(is_mark) {
            true => words!["Take the mark ", self.titles(names), " off everybody."],
            false if names.iter().all(is_link) => words!["Clear every ", self.names(names), "."],
            false => words![
                "Set ",
                self.names(names),
                match names {
                    [_] => " back to what it was at the beginning.",
                    _ => " back to what they were at the beginning.",
                }
            ],
        }
    }

    /// A value that is set: a test as yes or no.
    fn worth(&self, value: &Expr) -> Vec<Inline> {
        if self.subject.sort(value) != Sort::Test || self.is_flag(value) {
            return self.expr(value);
        }
        match self.test(value) {
            Ok(test) => words!["yes if ", test, ", and no otherwise"],
            Err(known) => words![if known { "yes" } else { "no" }],
        }
    }

    fn is_flag(&self, value: &Expr) -> bool {
        let name = value.bare_name();
        name.is_some_and(|name| self.shape(&name.text) == Some(FactShape::Flag))
    }

    /// Statements about cards and tokens.
    fn things(&self, kind: &StatementKind) -> Vec<Inline> {
        match kind {
            StatementKind::Turn { set, role } => {
                words!["Make ", self.expr(set), " ", self.role(role), "."]
            }
            StatementKind::Deal { from, to } => {
                words![
                    "Hand out one card each from ",
                    self.place(from),
                    " to ",
                    self.place(to),
                    "."
                ]
            }
            StatementKind::Shuffle(place) => words!["Shuffle ", self.place(place), "."],
            StatementKind::PutCast { place } => {
                words!["Put the cards of the cast in ", self.place(place), "."]
            }
            StatementKind::Put { token, place } => {
                words!["Put ", self.all_pieces(token), " in ", self.place(place), "."]
            }
            StatementKind::Swap { a, b } => words!["Swap ", self.place(a), " and ", self.place(b), "."],
            StatementKind::Seats(reseat) => self.reseat(reseat),
            StatementKind::Move {
                count,
                what,
                to,
                under,
            } => {
                let from = if self.is_zone(what) { " from " } else { " of " };
                let count = count.as_ref().map(|count| match &*count.kind {
                    ExprKind::Int(number) => words![so_many(number, "card"), from],
                    ExprKind::Group(count) => words!["as many cards as ", self.expr(count), from],
                    _ => words!["as many cards as ", self.expr(count), from],
                });
                let under = if *under { "under " } else { "to " };
                words![
                    "Move ",
                    count.unwrap_or_default(),
                    self.thing(what),
                    " ",
                    under,
                    self.place(to),
                    "."
                ]
            }
            StatementKind::Flip { what, face } => {
                // By the name of a token all that there are of it.
                let groups = &self.subject.rules.groups;
                let is_token = |name: &&Name| {
                    let group = self.subject.rules.group_named(&name.text);
                    group.is_some_and(|group| groups[group.index()].kind == GroupKind::Token)
                };
                let token = what.bare_name().filter(is_token);
                let what = token.map_or_else(|| self.thing(what), |name| words![self.all_pieces(name)]);
                words!["Flip ", what, " to ", self.title(face), "."]
            }
            _ => Vec::new(),
        }
    }

    /// Statements about who sits where.
    fn reseat(&self, reseat: &Reseat) -> Vec<Inline> {
        match reseat {
            Reseat::Swap { a, b } => words!["Swap the seats of ", self.expr(a), " and ", self.expr(b), "."],
            Reseat::Shuffle(None) => words!["Draw lots for who sits where."],
            Reseat::Shuffle(Some(who)) => words!["Draw lots for the seats of ", self.expr(who), "."],
            Reseat::Beside { who, right, of } => {
                let side = if *right { "right" } else { "left" };
                words![
                    "Seat ",
                    self.expr(who),
                    " to the ",
                    side,
                    " of ",
                    self.expr(of),
                    "."
                ]
            }
            Reseat::InOrder(who) => words![
                "Seat in order, on the places that they have: ",
                self.expr(who),
                "."
            ],
        }
    }

    fn said(&self, text: &Text) -> Inline {
        Inline::Said(self.text(text))
    }

    fn happen(&self, happen: &Happen) -> Vec<Inline> {
        let place = |word: &str, value: &Option<Expr>| match value {
            Some(value) => words![word, self.expr(value)],
            None => Vec::new(),
        };
        words![
            "the ",
            self.name(&happen.event),
            place(" of ", &happen.of),
            place(" by ", &happen.by),
            self.handed(" with ", &happen.with)
        ]
    }

    /// What is handed over, behind a word.
    fn handed(&self, word: &str, given: &[Expr]) -> Vec<Inline> {
        let words = [word].into_iter().chain(std::iter::repeat(" and "));
        let things = words
            .zip(given)
            .map(|(word, thing)| words![word, self.expr(thing)]);
        things.flatten().collect()
    }

    fn place(&self, place: &Place) -> Vec<Inline> {
        let zone = self.subject.zone(&place.zone.text);
        let zone = zone.unwrap_or_else(|| spoken(&place.zone.text));
        match &place.of {
            Some(of) => words![zone, " of ", self.expr(of)],
            None => words![zone],
        }
    }

    fn title(&self, name: &Name) -> String {
        let title = self.subject.title_of(&name.text);
        title.map_or_else(|| spoken(&name.text), str::to_owned)
    }

    /// All that there are of a kind of tokens: `the silver coins`, `the knife`, `fire`.
    fn all_pieces(&self, token: &Name) -> String {
        let rules = self.subject.rules;
        let named = |id: GroupId| &rules.groups[id.index()];
        let id = rules.group_named(&token.text);
        let found = id.and_then(|id| {
            let mut tokens = rules.tokens.iter();
            tokens.find(|token| token.group == id || token.faces.contains(&id))
        });
        let (Some(id), Some(kind)) = (id, found) else {
            return self.tokens(token);
        };
        let is_face = kind.group != id;
        let number = if is_face {
            usize::from(kind.copies)
        } else {
            kind.pieces()
        };
        let title = &named(id).title;
        match named(id).for_several() {
            _ if number == 1 && is_face => self.tokens(token),
            _ if number == 1 && noun(title) != title => format!("the {}", noun(title)),
            Some(many) => format!("the {many}"),
            // `gold (2 of the badges)`
            None if is_face => {
                let token = &named(kind.group);
                let many = token.for_several().unwrap_or_else(|| several(noun(&token.title)));
                format!("{title} ({number} of the {many})")
            }
            None => title.clone(),
        }
    }

    /// All tokens of a kind: `the silver coins`.
    pub fn tokens(&self, token: &Name) -> String {
        let group = self.subject.rules.group_named(&token.text);
        match group.map(|group| &self.subject.rules.groups[group.index()]) {
            Some(group) if group.kind == GroupKind::Face => match self.subject.token_of(&group.name) {
                Some(token) => format!("{} ({token})", group.title),
                None => group.title.clone(),
            },
            Some(group) if group.kind == GroupKind::Token && !is_the_only(&group.title) => {
                let many = group.for_several();
                format!("the {}", many.unwrap_or_else(|| several(noun(&group.title))))
            }
            _ => self.title(token),
        }
    }

    /// The role somebody gets, with its article.
    fn role(&self, role: &Expr) -> Vec<Inline> {
        match self.noun(role) {
            Some(noun) => noun.any(),
            None => self.expr(role),
        }
    }

    /// A name, as a term where it is told about.
    pub fn name(&self, name: &Name) -> Vec<Inline> {
        let term = self.subject.term(&name.text);
        vec![term.unwrap_or_else(|| Inline::Words(spoken(&name.text)))]
    }

    /// Names side by side: `vote, suspect and aim`.
    pub fn names(&self, names: &[Name]) -> Vec<Inline> {
        self.names_by(" and ", names)
    }

    /// The same of marks, as somebody who has them is called: `in a coma`.
    fn titles(&self, names: &[Name]) -> Vec<Inline> {
        // A title that is a sentence of its own is not what somebody is marked as.
        let is_sentence = |title: &String| {
            let mut heads = ["who ", "those ", "what "].iter();
            heads.any(|head| title.starts_with(head))
        };
        let titled = |name: &Name| {
            let fact = self.subject.rules.fact_named(&name.text);
            let title = fact.map(Fact::shown).filter(|title| !is_sentence(title));
            let titled = |part| match (part, &title) {
                (Inline::Term(_, anchor), Some(title)) => Inline::Term(title.clone(), anchor),
                (part, _) => part,
            };
            self.name(name).into_iter().map(titled).collect()
        };
        self.joined_by(" and ", names, titled)
    }

    /// Names of which it is one.
    pub fn either(&self, names: &[Name]) -> Vec<Inline> {
        self.names_by(" or ", names)
    }

    fn names_by(&self, joint: &str, names: &[Name]) -> Vec<Inline> {
        self.joined_by(joint, names, |name| self.name(name))
    }

    fn joined_by(&self, joint: &str, names: &[Name], told: impl Fn(&Name) -> Vec<Inline>) -> Vec<Inline> {
        let mut all = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let between = if at + 1 == names.len() { joint } else { ", " };
            if at > 0 {
                all.push(Inline::Words(between.to_owned()));
            }
            all.extend(told(name));
        }
        joined(all)
    }
}

/// Lines of which the first comes behind nothing.
pub fn begun(mut lines: Vec<Line>) -> Vec<Line> {
    if let Some(first) = lines.first_mut()
        && plain(&first.words) == AGAIN[0]
    {
        first.words = words![AGAIN[1]];
    }
    lines
}

/// ` (the partner)`: what an answer goes by further on.
fn called(name: &Name) -> String {
    format!(" ({})", answer(&spoken(&name.text)))
}

/// To whom a statement does something.
fn of_whom(kind: &StatementKind) -> Option<&Expr> {
    match kind {
        StatementKind::Mark { set, .. } | StatementKind::Unmark { set, .. } => Some(set),
        StatementKind::Do(happen) | StatementKind::Plan(happen) => happen.of.as_ref(),
        StatementKind::Link { to, .. } => Some(to),
        _ => None,
    }
}

/// The same statement, done to somebody else.
fn done_to(kind: &StatementKind, whom: &Expr) -> StatementKind {
    let mut kind = kind.clone();
    match &mut kind {
        StatementKind::Mark { set, .. } | StatementKind::Unmark { set, .. } => *set = whom.clone(),
        StatementKind::Do(happen) | StatementKind::Plan(happen) => happen.of = Some(whom.clone()),
        StatementKind::Link { to, .. } => *to = whom.clone(),
        _ => {}
    }
    kind
}

/// Whether it is the host who is asked, and none of the players.
pub fn is_host(who: &Expr) -> bool {
    match &*who.kind {
        ExprKind::Group(inner) => is_host(inner),
        _ => who.bare_name().is_some_and(|name| name.text == "host"),
    }
}
