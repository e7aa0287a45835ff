//! Builds blocks, statements and questions.

use pest::iterators::Pair;

use crate::{
    grammar::Rule,
    mistakes,
    parse::{Builder, Cursor, only},
    tree::{
        Amount, Ask, AskMode, Block, Branch, Domain, Expr, ExprKind, Happen, InOrder, Int, Limit, Name,
        OrNobody, Place, Question, Reseat, Shown, Statement, StatementKind, Text,
    },
};
use omerta_core::{
    source::Span,
    written::{LONGEST, MOST_LETTERS},
};

impl Builder {
    pub(super) fn block(&mut self, pair: Pair<'_, Rule>) -> Block {
        let end = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        // The pair may begin with line ends before the brace.
        let start = self.span(&cursor.presume(Rule::brace_open));
        let span = Span {
            start: start.start,
            ..end
        };
        let statements = self.each(&mut cursor, Rule::statement, Self::statement);
        Block { statements, span }
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Statement {
        let span = self.span(&pair);
        let pair = only(pair);
        let rule = pair.as_rule();
        let mut cursor = Cursor::into(pair);
        let kind = match rule {
            Rule::say | Rule::tell | Rule::show | Rule::wait => self.words_statement(rule, &mut cursor),
            Rule::ask => StatementKind::Ask(Box::new(self.ask(&mut cursor))),
            Rule::draw => self.draw(&mut cursor),
            Rule::if_else => self.if_else(&mut cursor),
            Rule::for_each => self.for_each(&mut cursor),
            Rule::repeat => self.repeat(&mut cursor),
            Rule::stop | Rule::judge | Rule::end_game | Rule::nothing => bare_statement(rule),
            Rule::leave | Rule::play | Rule::call | Rule::perform => self.flow_statement(rule, &mut cursor),
            Rule::do_event | Rule::plan | Rule::settle | Rule::cancel => {
                self.event_statement(rule, &mut cursor)
            }
            Rule::deal | Rule::shuffle | Rule::put | Rule::swap | Rule::move_cards | Rule::flip => {
                self.card_statement(rule, &mut cursor)
            }
            Rule::sit_down => StatementKind::Seats(self.sit_down(&mut cursor)),
            _ => self.fact_statement(rule, &mut cursor),
        };
        Statement { kind, span }
    }

    fn words_statement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> StatementKind {
        match rule {
            Rule::say => StatementKind::Say {
                text: self.texts(cursor.presume(Rule::texts)),
                name: self.accept_named(cursor),
            },
            Rule::tell => StatementKind::Tell {
                who: self.expr(cursor.presume(Rule::sum)),
                text: self.texts(cursor.presume(Rule::texts)),
                name: self.accept_named(cursor),
            },
            Rule::show => StatementKind::Show {
                what: self.shown(cursor),
                who: self.expr(cursor.presume(Rule::sum)),
                name: self.accept_named(cursor),
            },
            _ => StatementKind::Wait {
                limit: self.maybe(cursor, Rule::limit, Self::limit),
                text: self.accept_texts(cursor),
                name: self.accept_named(cursor),
            },
        }
    }

    fn shown(&mut self, cursor: &mut Cursor<'_>) -> Shown {
        match self.accept_texts(cursor) {
            Some(text) => Shown::Text(text),
            None => Shown::Value(self.expr(cursor.presume(Rule::expr))),
        }
    }

    fn accept_named(&mut self, cursor: &mut Cursor<'_>) -> Option<Name> {
        cursor.accept(Rule::named).map(|named| self.name(only(named)))
    }

    fn ask(&mut self, cursor: &mut Cursor<'_>) -> Ask {
        let each = cursor.has(Rule::ask_each);
        let who = self.expr(cursor.presume(Rule::sum));
        let order = cursor
            .accept(Rule::ask_order)
            .map(|order| Cursor::into(order).accept(Rule::sum));
        let together = cursor.accept(Rule::together);
        if let Some(together) = together.as_ref().filter(|_| each || order.is_some()) {
            let span = self.span(together);
            self.report(mistakes::each_together(span));
        }
        let mode = match order {
            Some(from) => AskMode::InOrder(from.map(|from| self.expr(from))),
            None if each => AskMode::Each,
            None if together.is_some() => AskMode::Together,
            None => AskMode::One,
        };
        let (question, before, seen) = self.question(cursor.presume_next());
        let seen = seen.or_else(|| cursor.accept(Rule::openly));
        let openly = seen.is_some();
        let open_to = seen
            .and_then(|seen| Cursor::into(seen).accept(Rule::sum))
            .map(|to| self.expr(to));
        let text = before.or_else(|| self.accept_texts(cursor));
        let (limit, late) = match cursor.accept(Rule::within) {
            Some(within) => {
                let mut cursor = Cursor::into(within);
                let limit = self.limit(cursor.presume(Rule::limit));
                let late = cursor.accept(Rule::late).map(|late| self.block(only(late)));
                (Some(limit), late)
            }
            None => (None, None),
        };
        Ask {
            who,
            mode,
            question,
            openly,
            open_to,
            text,
            limit,
            late,
        }
    }

    fn limit(&mut self, pair: Pair<'_, Rule>) -> Limit {
        let mut cursor = Cursor::into(pair);
        Limit {
            count: match cursor.accept(Rule::option_named) {
                Some(name) => {
                    let span = self.span(&name);
                    Expr::new(ExprKind::Query(self.query(name)), span)
                }
                None => self.expr(cursor.presume_next()),
            },
            minutes: cursor.has(Rule::kw_minutes),
        }
    }

    /// What is asked, and what stands before a menu: its text, and who sees the answer.
    fn question<'i>(&mut self, pair: Pair<'i, Rule>) -> (Question, Option<Text>, Option<Pair<'i, Rule>>) {
        let (rule, around) = (pair.as_rule(), self.span(&pair));
        let mut cursor = Cursor::into(pair);
        match rule {
            Rule::ask_for => (self.ask_for(&mut cursor), None, None),
            Rule::ask_write => (self.ask_write(&mut cursor, around), None, None),
            Rule::ask_whether => {
                let name = self.name(cursor.presume(Rule::name));
                (Question::Whether(name), None, None)
            }
            _ => {
                let name = cursor.accept(Rule::menu_name).map(|name| self.name(only(name)));
                let seen = cursor.accept(Rule::openly);
                let text = self.accept_texts(&mut cursor);
                let seen = seen.or_else(|| cursor.accept(Rule::openly));
                let mut menu = Cursor::into(cursor.presume(Rule::menu));
                let branches = self.each(&mut menu, Rule::menu_branch, Self::branch);
                (Question::Menu(name, branches), text, seen)
            }
        }
    }

    fn ask_for(&mut self, cursor: &mut Cursor<'_>) -> Question {
        Question::For {
            amount: self.maybe(cursor, Rule::amount, Self::amount),
            name: self.name(cursor.presume(Rule::name)),
            domain: self.domain(cursor.presume(Rule::domain)),
            or_nobody: self.or_nobody(cursor),
        }
    }

    fn ask_write(&mut self, cursor: &mut Cursor<'_>, around: Span) -> Question {
        Question::For {
            amount: None,
            name: self.name(cursor.presume(Rule::name)),
            domain: self.letters(cursor, around),
            or_nobody: self.or_nobody(cursor),
        }
    }

    /// `up to 80 letters`, or as many as there may be where nothing is said.
    pub(super) fn letters(&mut self, cursor: &mut Cursor<'_>, around: Span) -> Domain {
        let most = self.maybe(cursor, Rule::most_letters, |c, most| {
            let mut cursor = Cursor::into(most);
            cursor.accept(Rule::up_to);
            c.int(cursor.presume(Rule::int))
        });
        if let Some(most) = most.filter(|most| !(1..=i64::from(LONGEST)).contains(&most.value)) {
            self.report(mistakes::letters_out_of_bounds(most.span, LONGEST));
        }
        Domain::Written {
            most: most.unwrap_or(Int {
                value: i64::from(MOST_LETTERS),
                span: around,
            }),
        }
    }

    fn or_nobody(&mut self, cursor: &mut Cursor<'_>) -> OrNobody {
        let Some(clause) = cursor.accept(Rule::or_nobody) else {
            return OrNobody::Never;
        };
        match self.accept_when(&mut Cursor::into(clause)) {
            Some(when) => OrNobody::When(when),
            None => OrNobody::Always,
        }
    }

    fn amount(&mut self, pair: Pair<'_, Rule>) -> Amount {
        let mut cursor = Cursor::into(pair);
        let up_to = cursor.has(Rule::up_to);
        Amount {
            count: self.expr(cursor.presume_next()),
            up_to,
        }
    }

    pub(super) fn domain(&mut self, pair: Pair<'_, Rule>) -> Domain {
        let mut parts = pair.into_inner();
        let inner = parts.next().expect("a domain says among what");
        if inner.as_rule() == Rule::sum {
            let set = self.expr(inner);
            return match parts.next() {
                Some(_) => Domain::Unseen(set),
                None => Domain::Set(set),
            };
        }
        let mut cursor = Cursor::into(inner);
        let from = self.expr(cursor.presume(Rule::sum));
        Domain::Numbers(from, self.expr(cursor.presume(Rule::sum)))
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> Branch {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        Branch {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(&mut cursor),
            pick: self.accept_pick(&mut cursor),
            when: self.accept_when(&mut cursor),
            body: self.block(cursor.presume(Rule::block)),
            span,
        }
    }

    fn draw(&mut self, cursor: &mut Cursor<'_>) -> StatementKind {
        let count = cursor
            .accept(Rule::draw_count)
            .map(|count| self.expr(only(count)));
        let name = self.name(cursor.presume(Rule::name));
        let domain = match cursor.accept(Rule::weighted) {
            Some(weighted) => self.weighted(weighted),
            None => self.domain(cursor.presume(Rule::domain)),
        };
        StatementKind::Draw {
            name,
            count,
            domain,
            openly: cursor.has(Rule::openly),
        }
    }

    fn weighted(&mut self, pair: Pair<'_, Rule>) -> Domain {
        Domain::Weighted(self.each(&mut Cursor::into(pair), Rule::weight, Self::weight))
    }

    fn weight(&mut self, pair: Pair<'_, Rule>) -> (Int, Name) {
        let mut cursor = Cursor::into(pair);
        (
            self.int(cursor.presume(Rule::int)),
            self.name(cursor.presume(Rule::name)),
        )
    }

    fn if_else(&mut self, cursor: &mut Cursor<'_>) -> StatementKind {
        let test = self.expr(cursor.presume(Rule::expr));
        let then = self.block(cursor.presume(Rule::block));
        let otherwise = cursor
            .accept(Rule::else_part)
            .map(|part| self.else_part(only(part)));
        StatementKind::If(test, then, otherwise)
    }

    /// `else { … }`, or `else if … { … }` as a block of one.
    fn else_part(&mut self, pair: Pair<'_, Rule>) -> Block {
        if pair.as_rule() == Rule::block {
            return self.block(pair);
        }
        let span = self.span(&pair);
        let kind = self.if_else(&mut Cursor::into(pair));
        Block {
            statements: vec![Statement { kind, span }],
            span,
        }
    }

    fn for_each(&mut self, cursor: &mut Cursor<'_>) -> StatementKind {
        StatementKind::ForEach {
            name: Some(self.name(cursor.presume(Rule::name))),
            among: self.domain(cursor.presume(Rule::domain)),
            order: self.maybe(cursor, Rule::by_order, Self::in_order),
            from: self.maybe(cursor, Rule::sum, Self::expr),
            body: self.block(cursor.presume(Rule::block)),
        }
    }

    /// `repeat { … }`, `repeat 3 times { … }`
    fn repeat(&mut self, cursor: &mut Cursor<'_>) -> StatementKind {
        let times = self.maybe(cursor, Rule::sum, Self::expr);
        let body = self.block(cursor.presume(Rule::block));
        match times {
            None => StatementKind::Repeat(body),
            Some(times) => StatementKind::ForEach {
                name: None,
                among: Domain::Numbers(Expr::new(ExprKind::Int(1), times.span), times),
                order: None,
                from: None,
                body,
            },
        }
    }

    fn in_order(&mut self, pair: Pair<'_, Rule>) -> InOrder {
        match Cursor::into(pair).accept(Rule::name) {
            Some(name) => InOrder::Of(self.name(name)),
            None => InOrder::Random,
        }
    }

    fn flow_statement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> StatementKind {
        if let Some(card) = self.maybe(cursor, Rule::sum, Self::expr) {
            let purpose = self.maybe(cursor, Rule::name, Self::name);
            return match rule {
                Rule::call => StatementKind::Call { card, purpose },
                _ => StatementKind::Perform {
                    card,
                    purpose,
                    by: self.maybe(cursor, Rule::sum, Self::expr),
                },
            };
        }
        let Some(name) = self.maybe(cursor, Rule::name, Self::name) else {
            return StatementKind::Leave(None);
        };
        match rule {
            Rule::leave => StatementKind::Leave(Some(name)),
            _ => StatementKind::Play {
                scene: name,
                of: self.handed(cursor),
            },
        }
    }

    /// `first of living and 3`
    fn handed(&mut self, cursor: &mut Cursor<'_>) -> Vec<Expr> {
        match cursor.accept(Rule::handed) {
            Some(handed) => self.each(&mut Cursor::into(handed), Rule::sum, Self::expr),
            None => Vec::new(),
        }
    }

    /// The expression after a keyword, if that keyword comes next.
    fn accept_after(&mut self, cursor: &mut Cursor<'_>, keyword: Rule) -> Option<Expr> {
        cursor
            .has(keyword)
            .then(|| self.maybe(cursor, Rule::sum, Self::expr))?
    }

    fn event_statement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> StatementKind {
        match rule {
            Rule::do_event => StatementKind::Do(self.happen(cursor.presume(Rule::happen))),
            Rule::plan => StatementKind::Plan(self.happen(cursor.presume(Rule::happen))),
            Rule::settle => StatementKind::Settle(self.presume_names(cursor)),
            _ => StatementKind::Cancel {
                events: self.presume_names(cursor),
                of: self.accept_after(cursor, Rule::kw_of),
                by: self.accept_after(cursor, Rule::kw_by),
            },
        }
    }

    fn happen(&mut self, pair: Pair<'_, Rule>) -> Happen {
        let mut cursor = Cursor::into(pair);
        Happen {
            event: self.name(cursor.presume(Rule::name)),
            of: self.accept_after(&mut cursor, Rule::kw_of),
            by: self.accept_after(&mut cursor, Rule::kw_by),
            with: self.handed(&mut cursor),
        }
    }

    fn card_statement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> StatementKind {
        match rule {
            Rule::deal => StatementKind::Deal {
                from: self.place(cursor),
                to: self.place(cursor),
            },
            Rule::shuffle => match cursor.accept(Rule::shuffle_seats) {
                Some(seats) => {
                    let of = self.maybe(&mut Cursor::into(seats), Rule::sum, Self::expr);
                    StatementKind::Seats(Reseat::Shuffle(of))
                }
                None => StatementKind::Shuffle(self.place(cursor)),
            },
            Rule::swap => match cursor.accept(Rule::swap_seats) {
                Some(seats) => {
                    let mut cursor = Cursor::into(seats);
                    StatementKind::Seats(Reseat::Swap {
                        a: self.expr(cursor.presume(Rule::sum)),
                        b: self.expr(cursor.presume(Rule::sum)),
                    })
                }
                None => StatementKind::Swap {
                    a: self.place(cursor),
                    b: self.place(cursor),
                },
            },
            Rule::put => match cursor.accept(Rule::name) {
                Some(token) => StatementKind::Put {
                    token: self.name(token),
                    place: self.place(cursor),
                },
                None => StatementKind::PutCast {
                    place: self.place(cursor),
                },
            },
            Rule::flip => StatementKind::Flip {
                what: self.expr(cursor.presume(Rule::sum)),
                face: self.name(cursor.presume(Rule::name)),
            },
            _ => StatementKind::Move {
                count: cursor
                    .accept(Rule::move_count)
                    .map(|count| self.expr(only(count))),
                what: self.expr(cursor.presume(Rule::sum)),
                under: cursor.has(Rule::move_under),
                to: self.place(cursor),
            },
        }
    }

    fn sit_down(&mut self, cursor: &mut Cursor<'_>) -> Reseat {
        let who = self.expr(cursor.presume(Rule::sum));
        match cursor.accept(Rule::side) {
            Some(side) => Reseat::Beside {
                who,
                right: Cursor::into(side).has(Rule::kw_right),
                of: self.expr(cursor.presume(Rule::sum)),
            },
            None => Reseat::InOrder(who),
        }
    }

    fn place(&mut self, cursor: &mut Cursor<'_>) -> Place {
        let pair = cursor.presume(Rule::place);
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let zone = self.name(cursor.presume(Rule::name));
        Place {
            zone,
            of: self.maybe(&mut cursor, Rule::near, Self::expr),
            span,
        }
    }

    fn fact_statement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> StatementKind {
        match rule {
            Rule::clear => StatementKind::Clear(self.presume_names(cursor)),
            Rule::let_name => StatementKind::Let {
                name: self.name(cursor.presume(Rule::name)),
                value: self.expr(cursor.presume(Rule::value)),
            },
            Rule::set_fact => StatementKind::Set {
                name: self.name(cursor.presume(Rule::name)),
                of: self.maybe(cursor, Rule::near, Self::expr),
                value: self.expr(cursor.presume_next()),
            },
            _ => self.set_statement(rule, cursor),
        }
    }

    /// Statements that begin with a set: marks, links, turns, verdicts.
    fn set_statement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> StatementKind {
        let set = self.expr(cursor.presume(Rule::sum));
        match rule {
            Rule::win_now => StatementKind::Win {
                set,
                when: self.accept_when(cursor),
            },
            Rule::lose_now => StatementKind::Lose {
                set,
                when: self.accept_when(cursor),
            },
            Rule::mark => StatementKind::Mark {
                set,
                names: self.presume_names(cursor),
            },
            Rule::unmark => StatementKind::Unmark {
                set,
                names: self.presume_names(cursor),
            },
            Rule::unlink => StatementKind::Unlink {
                from: set,
                to: self.maybe(cursor, Rule::sum, Self::expr),
                name: self.name(cursor.presume(Rule::name)),
            },
            Rule::turn => StatementKind::Turn {
                set,
                role: self.expr(cursor.presume(Rule::sum)),
            },
            Rule::add_fact | Rule::subtract_fact => StatementKind::Add {
                value: set,
                name: self.name(cursor.presume(Rule::name)),
                of: self.maybe(cursor, Rule::near, Self::expr),
                less: rule == Rule::subtract_fact,
            },
            Rule::link => StatementKind::Link {
                from: set,
                to: self.expr(cursor.presume(Rule::sum)),
                name: self.name(cursor.presume(Rule::name)),
            },
            rule => unreachable!("the grammar has no statement {rule:?}"),
        }
    }
}

fn bare_statement(rule: Rule) -> StatementKind {
    match rule {
        Rule::stop => StatementKind::Stop,
        Rule::judge => StatementKind::Judgement,
        Rule::end_game => StatementKind::End,
        _ => StatementKind::Nothing,
    }
}
