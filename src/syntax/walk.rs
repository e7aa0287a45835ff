//! Goes through trees: what each declaration, statement and expression is made of.
//!
//! The one place that knows this. No pattern here stands for whatever else there may be, so that a new
//! sort of anything does not pass unseen.

use crate::tree::{
    Allow, Ask, AskMode, Block, Domain, Expr, ExprKind, Happen, Item, ItemKind, Name, OrNobody, Param,
    Part as Called, Pattern, Pick, Place, Query, Question, Reseat, Rule, Shown, Statement, StatementKind,
    Text, TextPiece, Verdict,
};

/// A piece of a tree.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A declaration.
    Item(&'a ItemKind),
    /// Statements.
    Block(&'a Block),
    /// One of them.
    Statement(&'a Statement),
    /// An expression.
    Expr(&'a Expr),
    /// A name that a declaration gives to something.
    Declares(&'a Name),
    /// A name that is known only inside: a parameter, an answer, what a loop goes through.
    Binds(&'a Name),
    /// A name that an expression reads.
    Reads(&'a Name),
    /// The scene or the event that a condition is about.
    Names(&'a Name),
}

/// Told each part; says whether to go into it.
type Visit<'v, 'a> = &'v mut dyn FnMut(Part<'a>) -> bool;
/// Told each part.
type See<'v, 'a> = &'v mut dyn FnMut(Part<'a>);

impl<'a> Part<'a> {
    /// This and all that is inside it, from front to back as far as the tree keeps that.
    pub fn each(self, visit: Visit<'_, 'a>) {
        if visit(self) {
            self.parts(&mut |part| part.each(visit));
        }
    }

    /// What this is made of.
    pub fn parts(self, see: See<'_, 'a>) {
        match self {
            Part::Item(kind) => of_item(kind, see),
            Part::Block(block) => block.statements.iter().map(Part::Statement).for_each(see),
            Part::Statement(statement) => of_statement(&statement.kind, see),
            Part::Expr(expr) => of_expr(&expr.kind, see),
            Part::Declares(_) | Part::Binds(_) | Part::Reads(_) | Part::Names(_) => {}
        }
    }
}

impl<'a> From<&'a ItemKind> for Part<'a> {
    fn from(kind: &'a ItemKind) -> Self {
        Part::Item(kind)
    }
}

impl<'a> From<&'a Block> for Part<'a> {
    fn from(block: &'a Block) -> Self {
        Part::Block(block)
    }
}

impl<'a> From<&'a Expr> for Part<'a> {
    fn from(expr: &'a Expr) -> Self {
        Part::Expr(expr)
    }
}

/// Every statement, those inside others too.
pub fn for_each_statement<'a>(within: impl Into<Part<'a>>, visit: &mut dyn FnMut(&'a Statement)) {
    within.into().each(&mut |part| {
        if let Part::Statement(statement) = part {
            visit(statement);
        }
        !matches!(part, Part::Expr(_))
    });
}

/// Every expression, those inside others too.
pub fn for_each_expr<'a>(within: impl Into<Part<'a>>, visit: &mut dyn FnMut(&'a Expr)) {
    within.into().each(&mut |part| {
        if let Part::Expr(expr) = part {
            visit(expr);
        }
        true
    });
}

/// Whether there is a statement for which a test holds.
pub fn holds<'a>(within: impl Into<Part<'a>>, test: &dyn Fn(&StatementKind) -> bool) -> bool {
    let mut found = false;
    for_each_statement(within, &mut |statement| found |= test(&statement.kind));
    found
}

/// Those of what something is made of that are wanted.
fn direct<'a, T>(whole: Part<'a>, wanted: fn(Part<'a>) -> Option<&'a T>) -> Vec<&'a T> {
    let mut found = Vec::new();
    whole.parts(&mut |part| found.extend(wanted(part)));
    found
}

/// The blocks of a statement.
pub fn blocks_in(statement: &Statement) -> Vec<&Block> {
    direct(Part::Statement(statement), |part| match part {
        Part::Block(block) => Some(block),
        _ => None,
    })
}

/// The names that are known only inside.
pub fn bound_in<'a>(within: impl Into<Part<'a>>) -> Vec<&'a Name> {
    let mut names = Vec::new();
    within.into().each(&mut |part| {
        if let Part::Binds(name) = part {
            names.push(name);
        }
        !matches!(part, Part::Expr(_))
    });
    names
}

/// The names that a declaration's head makes known inside.
pub fn parameters(kind: &ItemKind) -> Vec<&Name> {
    direct(Part::Item(kind), |part| match part {
        Part::Binds(name) => Some(name),
        _ => None,
    })
}

/// The names that a declaration declares; none for what has no name or only adds to something.
pub fn declared_in(kind: &ItemKind) -> Vec<&Name> {
    direct(Part::Item(kind), |part| match part {
        Part::Declares(name) => Some(name),
        _ => None,
    })
}

// ---- Declarations

fn of_item<'a>(kind: &'a ItemKind, see: See<'_, 'a>) {
    match kind {
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => of_items(items, see),
        ItemKind::Replace(item) => see(Part::Item(&item.kind)),
        ItemKind::Ruleset { .. }
        | ItemKind::Library { .. }
        | ItemKind::Use(_)
        | ItemKind::Publish(_)
        | ItemKind::Players { .. }
        | ItemKind::Needs(_)
        | ItemKind::Refuses(_)
        | ItemKind::Remove(_)
        | ItemKind::Choose { .. }
        | ItemKind::Spare(_) => {}
        ItemKind::Cast { name, .. } => see_all(name, Part::Declares, see),
        ItemKind::Class { name, .. } | ItemKind::Token { name, .. } | ItemKind::Option { name, .. } => {
            see(Part::Declares(name));
        }
        ItemKind::Mark { names, .. }
        | ItemKind::Flag { names, .. }
        | ItemKind::Count { names, .. }
        | ItemKind::Link { names, .. } => see_all(names, Part::Declares, see),
        ItemKind::Require { name, test, .. } | ItemKind::Warn { name, test, .. } => {
            see(Part::Declares(name));
            see(Part::Expr(test));
        }
        ItemKind::Team { name, parts, .. } => of_card(name, parts, see),
        ItemKind::Role(role) => of_card(&role.name, &role.parts, see),
        ItemKind::Zone { name, seen_by, .. } => {
            see(Part::Declares(name));
            see_all(seen_by, Part::Expr, see);
        }
        ItemKind::Define { name, param, value } => {
            see(Part::Declares(name));
            of_param(param, see);
            see(Part::Expr(value));
        }
        ItemKind::Clause(clause) => {
            of_param(&clause.param, see);
            see(Part::Expr(&clause.value));
            see_all(&clause.when, Part::Expr, see);
        }
        ItemKind::EventGroup { name, .. } => see(Part::Declares(name)),
        ItemKind::Event {
            name,
            of,
            by,
            with,
            body,
        } => {
            see(Part::Declares(name));
            of_param(of, see);
            see_all(by, Part::Binds, see);
            of_param(with, see);
            see(Part::Block(body));
        }
        ItemKind::Rule(rule) => of_rule(rule, see),
        ItemKind::Scene {
            name, params, body, ..
        } => {
            see(Part::Declares(name));
            of_param(params, see);
            see(Part::Block(body));
        }
        ItemKind::Script(body) | ItemKind::ReplaceCall { body, .. } => see(Part::Block(body)),
        ItemKind::Allow(allow) => of_allow(allow, see),
        ItemKind::Ending(ending) => {
            see_all(&ending.name, Part::Declares, see);
            match &ending.verdict {
                Verdict::Win(set) | Verdict::Lose(set) => see(Part::Expr(set)),
                Verdict::Draw => {}
                Verdict::Judged(block) => see(Part::Block(block)),
            }
            see(Part::Expr(&ending.when));
        }
        ItemKind::Hook { name, param, .. } => {
            see(Part::Declares(name));
            of_param(param, see);
        }
        ItemKind::Policy(policy) => {
            see(Part::Declares(&policy.name));
            for line in &policy.lines {
                let exprs = line.by.iter().chain(&line.when).chain(&line.wishes);
                see_all(exprs, Part::Expr, see);
            }
        }
    }
}

fn see_all<'a, T: 'a>(all: impl IntoIterator<Item = &'a T>, part: fn(&'a T) -> Part<'a>, see: See<'_, 'a>) {
    all.into_iter().map(part).for_each(see);
}

fn of_items<'a>(items: &'a [Item], see: See<'_, 'a>) {
    items.iter().for_each(|item| see(Part::Item(&item.kind)));
}

fn of_param<'a>(params: impl IntoIterator<Item = &'a Param>, see: See<'_, 'a>) {
    params.into_iter().for_each(|param| see(Part::Binds(&param.name)));
}

fn of_card<'a>(name: &'a Name, parts: &'a [Called], see: See<'_, 'a>) {
    see(Part::Declares(name));
    parts.iter().for_each(|part| see(Part::Block(&part.body)));
}

fn of_rule<'a>(rule: &'a Rule, see: See<'_, 'a>) {
    see(Part::Declares(&rule.name));
    for Pattern { set, name } in rule.happening.of.iter().chain(&rule.happening.by) {
        see(Part::Expr(set));
        see_all(name, Part::Binds, see);
    }
    see_all(&rule.happening.with, Part::Binds, see);
    see_all(&rule.when, Part::Expr, see);
    see(Part::Block(&rule.body));
}

fn of_allow<'a>(allow: &'a Allow, see: See<'_, 'a>) {
    see(Part::Declares(&allow.name));
    see(Part::Expr(&allow.who));
    of_pick(&allow.pick, see);
    see_all(&allow.when, Part::Expr, see);
    see(Part::Block(&allow.body));
}

// ---- Statements

fn of_statement<'a>(kind: &'a StatementKind, see: See<'_, 'a>) {
    match kind {
        StatementKind::Say { text, .. } => of_text(text, see),
        StatementKind::Tell { who, text, .. } => {
            see(Part::Expr(who));
            of_text(text, see);
        }
        StatementKind::Show { what, who, .. } => {
            match what {
                Shown::Text(text) => of_text(text, see),
                Shown::Value(value) => see(Part::Expr(value)),
            }
            see(Part::Expr(who));
        }
        StatementKind::Wait { limit, text, .. } => {
            limit.iter().for_each(|limit| see(Part::Expr(&limit.count)));
            text.iter().for_each(|text| of_text(text, see));
        }
        StatementKind::Ask(ask) => of_ask(ask, see),
        StatementKind::Draw {
            name, count, domain, ..
        } => {
            see(Part::Binds(name));
            see_all(count, Part::Expr, see);
            of_domain(domain, see);
        }
        StatementKind::If {
            test,
            then,
            otherwise,
        } => {
            see(Part::Expr(test));
            see_all([then].into_iter().chain(otherwise), Part::Block, see);
        }
        StatementKind::ForEach {
            name,
            among,
            from,
            body,
            ..
        } => {
            see_all(name, Part::Binds, see);
            of_domain(among, see);
            see_all(from, Part::Expr, see);
            see(Part::Block(body));
        }
        StatementKind::Repeat(body) => see(Part::Block(body)),
        StatementKind::Stop
        | StatementKind::Leave(_)
        | StatementKind::Settle(_)
        | StatementKind::Judgement
        | StatementKind::End
        | StatementKind::Clear(_)
        | StatementKind::Nothing => {}
        StatementKind::Play { of, .. } => see_all(of, Part::Expr, see),
        StatementKind::Call { card, .. } => see(Part::Expr(card)),
        StatementKind::Perform { card, by, .. } => see_all([card].into_iter().chain(by), Part::Expr, see),
        StatementKind::Do(happen) | StatementKind::Plan(happen) => {
            let Happen { of, by, with, .. } = happen;
            see_all(of.iter().chain(by).chain(with), Part::Expr, see);
        }
        StatementKind::Cancel { of, by, .. } => see_all(of.iter().chain(by), Part::Expr, see),
        StatementKind::Win { set, when } | StatementKind::Lose { set, when } => {
            see_all([set].into_iter().chain(when), Part::Expr, see);
        }
        StatementKind::Mark { set, .. } | StatementKind::Unmark { set, .. } => see(Part::Expr(set)),
        StatementKind::Link { from, to, .. } => see_all([from, to], Part::Expr, see),
        StatementKind::Unlink { from, to, .. } => see_all([from].into_iter().chain(to), Part::Expr, see),
        StatementKind::Let { name, value } => {
            see(Part::Binds(name));
            see(Part::Expr(value));
        }
        StatementKind::Set { of, value, .. } | StatementKind::Add { of, value, .. } => {
            see_all(of.iter().chain([value]), Part::Expr, see);
        }
        StatementKind::Turn { set, role } => see_all([set, role], Part::Expr, see),
        StatementKind::Deal { from, to } => of_places([from, to], see),
        StatementKind::Swap { a, b } => of_places([a, b], see),
        StatementKind::Seats(Reseat::Swap { a: who, b: of } | Reseat::Beside { who, of, .. }) => {
            see_all([who, of], Part::Expr, see);
        }
        StatementKind::Seats(Reseat::Shuffle(who)) => see_all(who, Part::Expr, see),
        StatementKind::Seats(Reseat::InOrder(who)) => see(Part::Expr(who)),
        StatementKind::Shuffle(place)
        | StatementKind::PutCast { place }
        | StatementKind::Put { place, .. } => of_places([place], see),
        StatementKind::Move { count, what, to, .. } => {
            see_all(count.iter().chain([what]), Part::Expr, see);
            of_places([to], see);
        }
        StatementKind::Flip { what, .. } => see(Part::Expr(what)),
    }
}

fn of_ask<'a>(ask: &'a Ask, see: See<'_, 'a>) {
    see(Part::Expr(&ask.who));
    match &ask.mode {
        AskMode::One | AskMode::Together | AskMode::Each => {}
        AskMode::InOrder(from) => see_all(from, Part::Expr, see),
    }
    match &ask.question {
        Question::For {
            name,
            amount,
            domain,
            or_nobody,
        } => {
            see(Part::Binds(name));
            amount.iter().for_each(|amount| see(Part::Expr(&amount.count)));
            of_domain(domain, see);
            match or_nobody {
                OrNobody::Never | OrNobody::Always => {}
                OrNobody::When(when) => see(Part::Expr(when)),
            }
        }
        Question::Whether(name) => see(Part::Binds(name)),
        Question::Menu(name, branches) => {
            see_all(name, Part::Binds, see);
            for branch in branches {
                of_pick(&branch.pick, see);
                see_all(&branch.when, Part::Expr, see);
                see(Part::Block(&branch.body));
            }
        }
    }
    see_all(&ask.open_to, Part::Expr, see);
    ask.text.iter().for_each(|text| of_text(text, see));
    ask.limit.iter().for_each(|limit| see(Part::Expr(&limit.count)));
    see_all(&ask.late, Part::Block, see);
}

fn of_pick<'a>(pick: &'a Option<Pick>, see: See<'_, 'a>) {
    if let Some(Pick { name, domain }) = pick {
        see(Part::Binds(name));
        of_domain(domain, see);
    }
}

fn of_domain<'a>(domain: &'a Domain, see: See<'_, 'a>) {
    match domain {
        Domain::Set(set) | Domain::Unseen(set) => see(Part::Expr(set)),
        Domain::Numbers(low, high) => see_all([low, high], Part::Expr, see),
        Domain::Weighted(_) | Domain::Written { .. } => {}
    }
}

fn of_places<'a, const N: usize>(places: [&'a Place; N], see: See<'_, 'a>) {
    see_all(places.into_iter().flat_map(|place| &place.of), Part::Expr, see);
}

fn of_text<'a>(text: &'a Text, see: See<'_, 'a>) {
    of_pieces(&text.pieces, see);
}

fn of_pieces<'a>(pieces: &'a [TextPiece], see: See<'_, 'a>) {
    for piece in pieces {
        match piece {
            TextPiece::Words(_) => {}
            TextPiece::Slot(expr) | TextPiece::Several(expr) => see(Part::Expr(expr)),
            TextPiece::Choice {
                value,
                none,
                one,
                many,
            } => {
                see(Part::Expr(value));
                [none, one, many]
                    .into_iter()
                    .for_each(|pieces| of_pieces(pieces, see));
            }
        }
    }
}

// ---- Expressions

/// What an expression is made of, to be read or to be changed.
macro_rules! parts_of_expr {
    ($kind:expr, $iter:ident, $expr:expr, $reads:expr, $names:expr) => {
        match $kind {
            ExprKind::Int(_) | ExprKind::Truth(_) | ExprKind::Text(_) => {}
            ExprKind::Query(Query {
                name,
                number: _,
                count,
                of,
                among,
                weighing,
            }) => {
                $reads(name);
                count.$iter().chain(of).chain(among).for_each($expr);
                weighing.$iter().for_each($reads);
            }
            ExprKind::During(name) | ExprKind::Times(name) | ExprKind::Planned(name) => $names(name),
            ExprKind::Group(inner)
            | ExprKind::NumberOf(inner)
            | ExprKind::No(inner)
            | ExprKind::Some(inner)
            | ExprKind::Not(inner) => $expr(inner),
            ExprKind::Narrow(parts) | ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.$iter().for_each($expr);
            }
            ExprKind::Binary { left, right, op: _ } => [left, right].into_iter().for_each($expr),
            ExprKind::Compare {
                left,
                right,
                op: _,
                half: _,
            } => [left, right].into_iter().for_each($expr),
            ExprKind::Where { set, test } => [set, test].into_iter().for_each($expr),
            ExprKind::Every { set, is, negated: _ } => [set, is].into_iter().for_each($expr),
            ExprKind::Cases { cases, otherwise } => {
                let cases = cases.$iter().flat_map(|(value, test)| [value, test]);
                cases.chain(otherwise).for_each($expr);
            }
        }
    };
}

fn of_expr<'a>(kind: &'a ExprKind, see: See<'_, 'a>) {
    parts_of_expr!(
        kind,
        iter,
        |part| see(Part::Expr(part)),
        |name| see(Part::Reads(name)),
        |name| see(Part::Names(name))
    );
}

/// The expressions that an expression is made of, and the scene or event that it is about, to be changed.
pub fn change_parts(expr: &mut Expr, part: &dyn Fn(&mut Expr), about: &dyn Fn(&mut Name)) {
    parts_of_expr!(&mut *expr.kind, iter_mut, part, |_name: &mut Name| {}, about);
}
