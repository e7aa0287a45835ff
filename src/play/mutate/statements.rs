//! Changes to what is done: statements dropped or moved, questions put otherwise, others told.

use super::edit::{Changes, NEVER};
use omerta_syntax::{
    tree::{
        Amount, Ask, AskMode, Block, Branch, Domain, Expr, InOrder, OrNobody, Question, Reseat, Shown,
        Statement, StatementKind,
    },
    walk::Part,
};

/// Whether words have a name for others to use.
fn is_named(statement: &StatementKind) -> bool {
    matches!(
        statement,
        StatementKind::Say { name: Some(_), .. }
            | StatementKind::Tell { name: Some(_), .. }
            | StatementKind::Show { name: Some(_), .. }
            | StatementKind::Wait { name: Some(_), .. }
    )
}

impl Changes<'_> {
    /// The statements of a block.
    pub(super) fn block(&mut self, block: &Block) {
        let braces = self.slice(block.span).starts_with('{');
        for statement in &block.statements {
            if is_named(&statement.kind) {
                // Its name may be used elsewhere: it stays, and the statement is never come to.
                let at = self.range(statement.span);
                let edits = vec![
                    (at.start..at.start, format!("if {NEVER} {{ ")),
                    (at.end..at.end, " }".to_owned()),
                ];
                self.edit_all(edits, "dropped");
            } else if statement.kind != StatementKind::Nothing {
                let nothing = if braces { "nothing" } else { "{ nothing }" };
                self.replace(statement.span, nothing, "dropped");
            }
            self.statement(statement);
        }
        for pair in block.statements.windows(2) {
            if is_step(&pair[0].kind) && is_step(&pair[1].kind) {
                self.swap(&pair[0], &pair[1]);
            }
        }
    }

    fn swap(&mut self, first: &Statement, second: &Statement) {
        let (a, b) = (self.range(first.span), self.range(second.span));
        let edits = vec![
            (a.clone(), self.text[b.clone()].to_owned()),
            (b, self.text[a].to_owned()),
        ];
        self.edit_all(edits, "moved behind the next");
    }

    fn statement(&mut self, statement: &Statement) {
        let whole = self.range(statement.span);
        match &statement.kind {
            StatementKind::Tell { who, .. } => self.set(who),
            StatementKind::Show { what, who, .. } => {
                if let Shown::Value(value) = what {
                    self.expr(value);
                }
                self.set(who);
            }
            StatementKind::Ask(ask) => self.ask(ask, statement),
            StatementKind::Call {
                card,
                purpose: Some(purpose),
            } => {
                let purpose = self.range(card.span).end..self.range(purpose.span).end;
                self.edit(purpose, "", "called for nothing");
            }
            StatementKind::Perform {
                card,
                purpose: Some(purpose),
                by,
            } => {
                let purpose = self.range(card.span).end..self.range(purpose.span).end;
                self.edit(purpose, "", "called for nothing");
                by.iter().for_each(|by| self.set(by));
            }
            StatementKind::Perform { by: Some(by), .. } => self.set(by),
            StatementKind::Draw {
                count,
                domain,
                openly,
                ..
            } => {
                if let Some(count) = count {
                    self.expr(count);
                }
                self.domain(domain);
                match self.word("openly", whole.clone()) {
                    Some(word) if *openly => self.drop_range(word, "kept from everybody"),
                    _ => self.insert(whole.end, " openly", "seen by everybody"),
                }
            }
            StatementKind::If(test, then, otherwise) => {
                self.condition(test);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
            }
            StatementKind::ForEach {
                name,
                among,
                order,
                from,
                body,
            } => {
                if let (Some(InOrder::Of(fact)), Domain::Set(set)) = (order, among) {
                    let (set, fact) = (self.range(set.span).end, self.range(fact.span).end);
                    self.edit(set..fact, "", "in the order of the seats");
                }
                match (name, among) {
                    (None, Domain::Numbers(_, times)) => self.expr(times),
                    (_, Domain::Set(set)) => self.expr(set),
                    _ => self.domain(among),
                }
                if let (Some(from), Some(name)) = (from, name) {
                    self.clause("from", self.range(name.span).end, from, "from the first seat");
                    self.expr(from);
                }
                self.block(body);
            }
            StatementKind::Do(happen) | StatementKind::Plan(happen) => {
                if matches!(statement.kind, StatementKind::Plan(_)) {
                    self.edit(
                        whole.start..whole.start + "plan".len(),
                        "do",
                        "at once instead of planned",
                    );
                }
                if let Some(by) = &happen.by {
                    self.clause("by", self.range(happen.event.span).end, by, "by nobody");
                }
                if let (Some(of), Some(by)) = (&happen.of, &happen.by) {
                    self.the_other_way(of, by);
                }
                self.handed(&happen.with);
                let parts = happen.of.iter().chain(&happen.by);
                parts.for_each(|part| self.expr(part));
            }
            StatementKind::Play { of, .. } => self.handed(of),
            StatementKind::Settle(names) => self.names(names, "not settled"),
            StatementKind::Clear(names) => self.names(names, "not cleared"),
            StatementKind::Mark { set, names } | StatementKind::Unmark { set, names } => {
                self.expr(set);
                self.names(names, "left out");
                if let (StatementKind::Mark { .. }, [name]) = (&statement.kind, &names[..]) {
                    let others = self.marked.get(self.slice(set.span)).cloned().unwrap_or_default();
                    for other in others.into_iter().filter(|other| *other != name.text) {
                        self.replace(name.span, other, "another mark");
                    }
                }
            }
            StatementKind::Cancel { events, of, by } => {
                self.names(events, "not cancelled");
                let mut end = events
                    .last()
                    .map_or(whole.start, |name| self.range(name.span).end);
                let clauses = [
                    ("of", of, "whomever it is of"),
                    ("by", by, "whoever is behind it"),
                ];
                for (word, part, what) in clauses {
                    if let Some(part) = part {
                        self.clause(word, end, part, what);
                        end = self.range(part.span).end;
                    }
                }
                [of, by].into_iter().flatten().for_each(|part| self.expr(part));
            }
            StatementKind::Win { set, when } | StatementKind::Lose { set, when } => {
                let (word, other) = match statement.kind {
                    StatementKind::Win { .. } => ("win", "lose"),
                    _ => ("lose", "win"),
                };
                self.edit(
                    whole.start..whole.start + word.len(),
                    other,
                    format!("`{other}` for `{word}`"),
                );
                self.expr(set);
                if let Some(when) = when {
                    self.when(when, self.range(set.span).end);
                }
            }
            StatementKind::Link { from, to, .. } => {
                self.the_other_way(from, to);
                self.expr(from);
                self.expr(to);
            }
            StatementKind::Set { of, value, .. } | StatementKind::Add { of, value, .. } => {
                self.expr(value);
                of.iter().for_each(|of| self.expr(of));
            }
            StatementKind::Move {
                count,
                what,
                under,
                to,
            } => {
                if let Some(count) = count {
                    self.expr(count);
                }
                let gap = self.range(what.span).end..self.range(to.span).start;
                let (word, other, place) = match under {
                    true => ("under", "to", "on top"),
                    false => ("to", "under", "at the bottom"),
                };
                // In what a seat holds the order is seldom one that counts.
                if let (true, Some(word)) = (*under || to.of.is_none(), self.word(word, gap)) {
                    self.edit(word, other, place);
                }
                self.expr(what);
            }
            StatementKind::Seats(Reseat::Beside { who, right, of }) => {
                let (word, other) = if *right {
                    ("right", "left")
                } else {
                    ("left", "right")
                };
                if let Some(word) = self.word(word, self.range(who.span).end..self.range(of.span).start) {
                    self.edit(word, other, "on the other side");
                }
                self.expr(who);
                self.expr(of);
            }
            StatementKind::Wait { limit, .. } => limit.iter().for_each(|limit| self.expr(&limit.count)),
            // Texts and places stay as they are.
            StatementKind::Say { .. }
            | StatementKind::Deal { .. }
            | StatementKind::Shuffle(_)
            | StatementKind::PutCast { .. }
            | StatementKind::Put { .. }
            | StatementKind::Swap { .. } => {}
            _ => Part::Statement(statement).parts(&mut |part| match part {
                Part::Expr(expr) => self.expr(expr),
                Part::Block(block) => self.block(block),
                _ => {}
            }),
        }
    }

    /// `when …`: turned round, and left out.
    pub(super) fn when(&mut self, when: &Expr, after: usize) {
        self.clause("when", after, when, "whatever its `when` says");
        self.condition(when);
    }

    /// A word with what follows it is left out.
    pub(super) fn clause(&mut self, word: &str, after: usize, value: &Expr, what: &str) {
        let value = self.range(value.span);
        if let Some(at) = self.word(word, after..value.start) {
            let before = after + self.text[after..at.start].trim_end().len();
            self.edit(before..value.end, "", what);
        }
    }

    fn ask(&mut self, ask: &Ask, statement: &Statement) {
        let who = self.range(ask.who.span);
        self.expr(&ask.who);
        match &ask.mode {
            AskMode::Each => self.insert(who.end, " in order", "one after the other"),
            AskMode::InOrder(from) => {
                let end = from.as_ref().map(|from| self.range(from.span).end);
                let order = self.word("order", who.end..self.range(statement.span).end);
                if let Some(order) = order {
                    self.edit(who.end..end.unwrap_or(order.end), "", "all at the same time");
                    if let Some(end) = end {
                        self.edit(order.end..end, "", "from the first seat");
                    }
                }
                from.iter().for_each(|from| self.expr(from));
            }
            AskMode::One if !["me", "host"].contains(&self.slice(ask.who.span)) => {
                self.replace(ask.who.span, "(last of players)", "another is asked");
                self.replace(ask.who.span, "each players", "everybody is asked");
            }
            AskMode::One | AskMode::Together => {}
        }
        let whole = self.range(statement.span);
        let text = ask.text.as_ref().map(|text| self.range(text.span));
        let limit = ask.limit.as_ref().and_then(|limit| {
            let count = self.range(limit.count.span);
            self.word(
                "within",
                text.as_ref().map_or(who.end, |text| text.end)..count.start,
            )
        });
        let unlimited = limit.map_or(whole.end, |within| self.text[..within.start].trim_end().len());
        if unlimited < whole.end {
            self.edit(unlimited..whole.end, "", "no limit of time");
        }
        let end = text.map_or(unlimited, |text| text.start);
        if let Some(late) = &ask.late {
            let body = self.range(late.span);
            let inner = self.text[body.start + 1..body.end - 1].to_owned();
            if let Some(word) = self.word("else", unlimited..body.start) {
                self.edit(word.start..body.end, format!("\n{inner}"), "late in any case");
            }
            self.block(late);
        }
        ask.limit.iter().for_each(|limit| self.expr(&limit.count));
        let asked = match &ask.question {
            Question::For {
                name,
                amount,
                domain,
                or_nobody,
            } => {
                if let Some(amount) = amount {
                    self.expr(&amount.count);
                    let name = self.range(name.span).start;
                    if let (true, Some(word)) = (amount.up_to, self.word("up", who.end..name)) {
                        let count = self.range(amount.count.span).start;
                        self.edit(word.start..count, "", "exactly so many");
                    }
                    if !amount.up_to {
                        self.insert(self.amount_start(amount), "up to ", "as many or fewer");
                    }
                }
                self.domain(domain);
                self.or_nobody(or_nobody, domain)
            }
            Question::Whether(name) => self.range(name.span).end,
            Question::Menu(_, branches) => {
                self.branches(branches);
                return;
            }
        };
        self.openly(ask, asked..end);
    }

    /// Where a number of answers begins, the bracket before it counted in.
    fn amount_start(&self, amount: &Amount) -> usize {
        let start = self.range(amount.count.span).start;
        let before = self.text[..start].trim_end();
        match before.ends_with('(') {
            true => before.len() - 1,
            false => start,
        }
    }

    /// Whether nobody may be the answer; gives back where that ends.
    fn or_nobody(&mut self, may: &OrNobody, domain: &Domain) -> usize {
        let (Domain::Set(last) | Domain::Unseen(last) | Domain::Numbers(_, last)) = domain else {
            return 0;
        };
        let end = self.range(last.span).end;
        let rest = end..self.text[end..]
            .find('\n')
            .map_or(self.text.len(), |line| end + line);
        match (may, self.word("nobody", rest)) {
            (OrNobody::Always, Some(word)) => {
                self.edit(end..word.end, "", "somebody must be named");
                word.end
            }
            (OrNobody::When(test), Some(word)) => {
                let stop = self.range(test.span).end;
                self.edit(end..stop, "", "somebody must be named");
                self.when(test, word.end);
                stop
            }
            _ => {
                self.insert(end, " or nobody", "nobody may be named");
                end
            }
        }
    }

    fn openly(&mut self, ask: &Ask, within: std::ops::Range<usize>) {
        ask.open_to.iter().for_each(|who| self.set(who));
        match self.word("openly", within.clone()) {
            Some(word) => {
                let end = ask.open_to.as_ref().map(|who| self.range(who.span).end);
                self.drop_range(word.start..end.unwrap_or(word.end), "the answer kept secret");
                if let Some(end) = end {
                    self.edit(word.end..end, "", "the answer open to everybody");
                }
            }
            None => self.insert(within.start, " openly", "the answer open to everybody"),
        }
    }

    fn branches(&mut self, branches: &[Branch]) {
        for branch in branches {
            if branches.len() > 1 {
                self.replace(branch.span, "", format!("branch `{}` dropped", branch.name.text));
            }
            if let Some(pick) = &branch.pick {
                self.domain(&pick.domain);
            }
            if let Some(when) = &branch.when {
                self.when(when, self.range(branch.name.span).end);
            }
            self.block(&branch.body);
        }
    }

    pub(super) fn names(&mut self, names: &[omerta_syntax::tree::Name], what: &str) {
        let spans: Vec<_> = names.iter().map(|name| name.span).collect();
        self.drop_each(&spans, what);
    }

    /// Things handed over: each, and each in the place of the next.
    fn handed(&mut self, things: &[Expr]) {
        for pair in things.windows(2) {
            self.the_other_way(&pair[0], &pair[1]);
        }
        things.iter().for_each(|thing| self.expr(thing));
    }
}

/// What a host would feel as a step of the game, so that its order matters.
fn is_step(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Say { .. }
            | StatementKind::Tell { .. }
            | StatementKind::Show { .. }
            | StatementKind::Wait { .. }
            | StatementKind::Ask(_)
            | StatementKind::Play { .. }
            | StatementKind::Call { .. }
            | StatementKind::Perform { .. }
            | StatementKind::Do(_)
            | StatementKind::Settle(_)
            | StatementKind::Judgement
            | StatementKind::Deal { .. }
            | StatementKind::Shuffle(_)
            | StatementKind::Seats(_)
            | StatementKind::Repeat(_)
            | StatementKind::If(..)
            | StatementKind::ForEach { .. }
    )
}
