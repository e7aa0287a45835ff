//! Goes through trees: what each declaration, statement and expression is made of.
//!
//! The one place that knows this. No pattern here stands for whatever else there may be, so that a new
//! sort of anything does not pass unseen.

use crate::tree::{
    Allow, Ask, AskMode, Block, CastRow, CastRows, Clause, Domain, EndingOrder, Expr, ExprKind, Happen,
    InOrder, Item, ItemKind, Kept, Name, OptionValue, OptionValues, OrNobody, Param, Part as Called, Pattern,
    Pick, Place, Query, Question, Reseat, Role, Rule, Shown, Side, SideWhen, Statement, StatementKind, Text,
    TextPiece, Verdict,
};
use std::sync::Arc;

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
    /// A name in any other place, and among which names it is looked for there.
    Uses(&'a Name, Space),
}

/// Among which names one is looked for, by the place where it stands; the first few give one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Space {
    /// Gives a name to something beside what the declaration is called after: a face, the back of a link.
    Beside,
    /// Gives a name to words: `say "…" as nightfall`.
    Wording,
    /// Gives a name to an answer of a menu.
    Branch,
    /// Gives a name to what a card is called for: `when called to meet`.
    Part,
    /// Gives a word that something may be: of an option, of a draw.
    Choice,
    /// The name of the ruleset, and that of the overlay, at their heads.
    Head,
    /// Something declared.
    Thing,
    /// Something declared that the statement changes.
    Changed,
    /// What a rule waits for.
    Happening,
    /// A rule.
    Rule,
    /// An ending.
    Ending,
    /// A question, an answer of a menu or an offer.
    Question,
    /// What a card is called for.
    Purpose,
    /// A word that something may be.
    Word,
    /// An overlay.
    Overlay,
    /// A ruleset that an overlay lies on.
    Base,
    /// A text that is used.
    File,
    /// Any declaration: what is removed or published.
    Anything,
}

/// Told each part; says whether to go into it.
type Visit<'v, 'a> = &'v mut dyn FnMut(Part<'a>) -> bool;
/// Told each part.
type See<'v, 'a> = &'v mut dyn FnMut(Part<'a>);

impl<'a> Part<'a> {
    /// This and all that is inside it, from front to back as far as the tree keeps that.
    pub fn each(self, visit: Visit<'_, 'a>) {
        let is_name = matches!(
            self,
            Part::Declares(_) | Part::Binds(_) | Part::Reads(_) | Part::Names(_) | Part::Uses(..)
        );
        if visit(self) && !is_name {
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
            Part::Declares(_) | Part::Binds(_) | Part::Reads(_) | Part::Names(_) | Part::Uses(..) => {}
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

/// Of how many statements, expressions and names something is made.
pub fn size<'a>(within: impl Into<Part<'a>>) -> usize {
    let mut size = 0;
    within.into().each(&mut |part| {
        size += usize::from(!matches!(part, Part::Block(_)));
        true
    });
    size
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

/// Whether there is an expression for which a test holds.
pub fn holds_expr<'a>(within: impl Into<Part<'a>>, test: &dyn Fn(&'a Expr) -> bool) -> bool {
    let mut found = false;
    for_each_expr(within, &mut |expr| found |= test(expr));
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
        ItemKind::Overlay {
            name, bases, items, ..
        } => {
            see(Part::Uses(name, Space::Head));
            uses(bases, Space::Base, see);
            of_items(items, see);
        }
        ItemKind::Section { bases, items } => {
            uses(bases, Space::Base, see);
            of_items(items, see);
        }
        ItemKind::Replace(item) => see(Part::Item(&item.kind)),
        ItemKind::Ruleset { name, .. } => see(Part::Uses(name, Space::Head)),
        ItemKind::Library { .. } | ItemKind::Players { .. } | ItemKind::Spare(_) => {}
        ItemKind::Use(paths) => uses(paths, Space::File, see),
        ItemKind::Publish(names) | ItemKind::Remove(names) => uses(names, Space::Anything, see),
        ItemKind::Needs(names) | ItemKind::Refuses(names) => uses(names, Space::Overlay, see),
        ItemKind::Choose { name, value } => {
            see(Part::Uses(name, Space::Thing));
            of_option_values([value], Space::Word, see);
        }
        ItemKind::Cast { name, rows, .. } => {
            see_all(name, Part::Declares, see);
            of_cast(rows, see);
        }
        ItemKind::Class { name, .. } => see(Part::Declares(name)),
        ItemKind::Token { name, faces, .. } => {
            see(Part::Declares(name));
            uses(faces.iter().map(|face| &face.name), Space::Beside, see);
        }
        ItemKind::Option {
            name,
            values,
            default,
            ..
        } => {
            see(Part::Declares(name));
            if let OptionValues::Words(values) = values {
                of_option_values(values, Space::Choice, see);
            }
            of_option_values([default], Space::Word, see);
        }
        ItemKind::Mark { names, kept, .. } | ItemKind::Flag { names, kept } => {
            see_all(names, Part::Declares, see);
            of_kept(kept, see);
        }
        ItemKind::Count {
            names,
            words,
            start_word,
            kept,
            ..
        } => {
            see_all(names, Part::Declares, see);
            uses(words.iter().map(|word| &word.name), Space::Choice, see);
            uses(start_word, Space::Word, see);
            of_kept(kept, see);
        }
        ItemKind::Link {
            names, back, kept, ..
        } => {
            see_all(names, Part::Declares, see);
            uses(back, Space::Beside, see);
            of_kept(kept, see);
        }
        ItemKind::Require { name, test, .. } | ItemKind::Warn { name, test, .. } => {
            see(Part::Declares(name));
            see(Part::Expr(test));
        }
        ItemKind::Team {
            name, classes, parts, ..
        } => {
            see(Part::Declares(name));
            uses(classes, Space::Thing, see);
            of_parts(parts, see);
        }
        ItemKind::Role(role) => of_role(role, see),
        ItemKind::Zone {
            name, seen_by, backs, ..
        } => {
            see(Part::Declares(name));
            see_all(seen_by, Part::Expr, see);
            see_all(backs, Part::Expr, see);
        }
        ItemKind::Define { name, param, value } => {
            see(Part::Declares(name));
            of_param(param, see);
            see(Part::Expr(value));
        }
        ItemKind::Clause(Clause {
            mode: _,
            value,
            name,
            param,
            when,
        }) => {
            see(Part::Uses(name, Space::Changed));
            of_param(param, see);
            see(Part::Expr(value));
            see_all(when, Part::Expr, see);
        }
        ItemKind::EventGroup { name, events } => {
            see(Part::Declares(name));
            uses(events, Space::Thing, see);
        }
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
        ItemKind::Script(body) => see(Part::Block(body)),
        ItemKind::ReplaceCall { card, purpose, body } => {
            see(Part::Uses(card, Space::Thing));
            uses(purpose, Space::Purpose, see);
            see(Part::Block(body));
        }
        ItemKind::Allow(allow) => of_allow(allow, see),
        ItemKind::Ending(ending) => {
            see_all(&ending.name, Part::Declares, see);
            match &ending.order {
                None | Some(EndingOrder::First) => {}
                Some(EndingOrder::Before(other) | EndingOrder::After(other)) => {
                    see(Part::Uses(other, Space::Ending));
                }
            }
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
                uses(&line.questions, Space::Question, see);
                let exprs = line.by.iter().chain(&line.when).chain(&line.wishes);
                see_all(exprs, Part::Expr, see);
            }
        }
    }
}

fn uses<'a>(names: impl IntoIterator<Item = &'a Name>, space: Space, see: See<'_, 'a>) {
    names.into_iter().for_each(|name| see(Part::Uses(name, space)));
}

fn of_option_values<'a>(values: impl IntoIterator<Item = &'a OptionValue>, space: Space, see: See<'_, 'a>) {
    let words = values.into_iter().filter_map(|value| match value {
        OptionValue::Word(name) => Some(name),
        OptionValue::Int(_) => None,
    });
    uses(words, space, see);
}

fn of_kept<'a>(kept: &'a Kept, see: See<'_, 'a>) {
    see_all(&kept.seen_by, Part::Expr, see);
    uses(kept.life.iter().map(|life| &life.name), Space::Thing, see);
}

fn of_cast<'a>(rows: &'a CastRows, see: See<'_, 'a>) {
    match rows {
        CastRows::Table(rows) => {
            let heads = rows.iter().map(|CastRow { head, .. }| head);
            uses(heads.filter(|head| head.text != "players"), Space::Thing, see);
        }
        CastRows::Swaps { swaps, .. } => {
            uses(
                swaps.iter().flat_map(|(one, other)| [one, other]),
                Space::Thing,
                see,
            );
        }
    }
}

fn see_all<'a, T: 'a>(all: impl IntoIterator<Item = &'a T>, part: fn(&'a T) -> Part<'a>, see: See<'_, 'a>) {
    all.into_iter().map(part).for_each(see);
}

fn of_items<'a>(items: &'a [Arc<Item>], see: See<'_, 'a>) {
    items.iter().for_each(|item| see(Part::Item(&item.kind)));
}

fn of_param<'a>(params: impl IntoIterator<Item = &'a Param>, see: See<'_, 'a>) {
    params.into_iter().for_each(|param| see(Part::Binds(&param.name)));
}

fn of_parts<'a>(parts: &'a [Called], see: See<'_, 'a>) {
    for Called { purpose, body, .. } in parts {
        uses(purpose, Space::Part, see);
        see(Part::Block(body));
    }
}

fn of_role<'a>(role: &'a Role, see: See<'_, 'a>) {
    see(Part::Declares(&role.name));
    let else_sides = role.else_sides.iter();
    for (when, side) in std::iter::once((None, &role.side)).chain(else_sides.map(|(w, s)| (Some(w), s))) {
        of_side_when(when, see);
        let Side { team, classes } = side;
        uses(team.iter().chain(classes), Space::Thing, see);
    }
    for company in &role.company {
        uses(company.cards.iter().flatten(), Space::Thing, see);
        of_side_when(company.when.as_ref(), see);
    }
    of_parts(&role.parts, see);
}

fn of_side_when<'a>(when: Option<&'a SideWhen>, see: See<'_, 'a>) {
    if let Some(SideWhen { option, value }) = when {
        see(Part::Uses(option, Space::Thing));
        of_option_values([value], Space::Word, see);
    }
}

fn of_rule<'a>(rule: &'a Rule, see: See<'_, 'a>) {
    see(Part::Declares(&rule.name));
    uses(rule.order.iter().map(|order| &order.name), Space::Rule, see);
    uses(&rule.happening.names, Space::Happening, see);
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
    uses(&allow.during, Space::Thing, see);
    see_all(&allow.when, Part::Expr, see);
    see(Part::Block(&allow.body));
}

// ---- Statements

fn of_statement<'a>(kind: &'a StatementKind, see: See<'_, 'a>) {
    match kind {
        StatementKind::Say { text, name } => {
            of_text(text, see);
            uses(name, Space::Wording, see);
        }
        StatementKind::Tell { who, text, name } => {
            see(Part::Expr(who));
            of_text(text, see);
            uses(name, Space::Wording, see);
        }
        StatementKind::Show { what, who, name } => {
            match what {
                Shown::Text(text) => of_text(text, see),
                Shown::Value(value) => see(Part::Expr(value)),
            }
            see(Part::Expr(who));
            uses(name, Space::Wording, see);
        }
        StatementKind::Wait { limit, text, name } => {
            limit.iter().for_each(|limit| see(Part::Expr(&limit.count)));
            text.iter().for_each(|text| of_text(text, see));
            uses(name, Space::Wording, see);
        }
        StatementKind::Ask(ask) => of_ask(ask, see),
        StatementKind::Draw {
            name, count, domain, ..
        } => {
            see(Part::Binds(name));
            see_all(count, Part::Expr, see);
            of_domain(domain, see);
        }
        StatementKind::If(test, then, otherwise) => {
            see(Part::Expr(test));
            see_all([then].into_iter().chain(otherwise), Part::Block, see);
        }
        StatementKind::ForEach {
            name,
            among,
            order,
            from,
            body,
        } => {
            see_all(name, Part::Binds, see);
            of_domain(among, see);
            match order {
                Some(InOrder::Of(name)) => see(Part::Reads(name)),
                Some(InOrder::Random) | None => {}
            }
            see_all(from, Part::Expr, see);
            see(Part::Block(body));
        }
        StatementKind::Repeat(body) => see(Part::Block(body)),
        StatementKind::Stop | StatementKind::Judgement | StatementKind::End | StatementKind::Nothing => {}
        StatementKind::Leave(scene) => uses(scene, Space::Thing, see),
        StatementKind::Settle(events) => uses(events, Space::Thing, see),
        StatementKind::Clear(names) => uses(names, Space::Changed, see),
        StatementKind::Play { scene, of } => {
            see(Part::Uses(scene, Space::Thing));
            see_all(of, Part::Expr, see);
        }
        StatementKind::Call { card, purpose } => {
            see(Part::Expr(card));
            uses(purpose, Space::Purpose, see);
        }
        StatementKind::Perform { card, purpose, by } => {
            see_all([card].into_iter().chain(by), Part::Expr, see);
            uses(purpose, Space::Purpose, see);
        }
        StatementKind::Do(happen) | StatementKind::Plan(happen) => {
            let Happen { event, of, by, with } = happen;
            see(Part::Uses(event, Space::Thing));
            see_all(of.iter().chain(by).chain(with), Part::Expr, see);
        }
        StatementKind::Cancel { events, of, by } => {
            uses(events, Space::Thing, see);
            see_all(of.iter().chain(by), Part::Expr, see);
        }
        StatementKind::Win { set, when } | StatementKind::Lose { set, when } => {
            see_all([set].into_iter().chain(when), Part::Expr, see);
        }
        StatementKind::Mark { set, names } | StatementKind::Unmark { set, names } => {
            see(Part::Expr(set));
            uses(names, Space::Changed, see);
        }
        StatementKind::Link { from, to, name } => {
            see_all([from, to], Part::Expr, see);
            see(Part::Uses(name, Space::Changed));
        }
        StatementKind::Unlink { from, to, name } => {
            see_all([from].into_iter().chain(to), Part::Expr, see);
            see(Part::Uses(name, Space::Changed));
        }
        StatementKind::Let { name, value } => {
            see(Part::Binds(name));
            see(Part::Expr(value));
        }
        StatementKind::Set { name, of, value } | StatementKind::Add { name, of, value, .. } => {
            see(Part::Uses(name, Space::Changed));
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
        StatementKind::Shuffle(place) | StatementKind::PutCast { place } => of_places([place], see),
        StatementKind::Put { token, place } => {
            see(Part::Uses(token, Space::Thing));
            of_places([place], see);
        }
        StatementKind::Move { count, what, to, .. } => {
            see_all(count.iter().chain([what]), Part::Expr, see);
            of_places([to], see);
        }
        StatementKind::Flip { what, face } => {
            see(Part::Expr(what));
            see(Part::Uses(face, Space::Thing));
        }
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
                see(Part::Uses(&branch.name, Space::Branch));
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
        Domain::Weighted(words) => uses(words.iter().map(|(_, word)| word), Space::Choice, see),
        Domain::Written { .. } => {}
    }
}

fn of_places<'a, const N: usize>(places: [&'a Place; N], see: See<'_, 'a>) {
    for place in places {
        see(Part::Uses(&place.zone, Space::Thing));
        see_all(&place.of, Part::Expr, see);
    }
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
            ExprKind::Binary(_, left, right) => [left, right].into_iter().for_each($expr),
            ExprKind::Compare(left, _, _, right) => [left, right].into_iter().for_each($expr),
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
