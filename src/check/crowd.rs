//! Who is plainly several, who is nobody: questions and tests that read as if it were one.
//!
//! Only what can be seen in the words counts; a name that stands for an answer says nothing of its size.

use crate::conditions::is_level;
use crate::happening::{handed, performs_one_by_one};
use crate::load::Declared;
use crate::look::goes_away;
use crate::symbol::{Meaning, Symbols};
use crate::table::{Clause, DefineTable};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::{FactShape, GroupId, GroupKind, Kind, Ruleset};
use omerta_core::source::{SourceId, Sources, Span};
use omerta_syntax::settled::{is_alike, number};
use omerta_syntax::tree::{
    Ask, AskMode, BinaryOp, Block, ClauseMode, CompareOp, Domain, Expr, ExprKind, Happen, ItemKind, Name, Of,
    Place, Query, Question, Statement, StatementKind,
};
use omerta_syntax::walk;
use std::collections::{BTreeMap, BTreeSet};

/// How many defines are looked through.
const DEPTH: usize = 16;

/// How many people an expression may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Size {
    One,
    Several,
    Unknown,
}

struct Crowd<'a> {
    rules: &'a Ruleset,
    symbols: &'a Symbols,
    defines: &'a DefineTable,
    sources: &'a Sources,
    /// Names that stand for answers, loops and parameters in the declaration at hand.
    bound: BTreeSet<String>,
    /// Names of the numbers and texts that each of several answers with there.
    of_each: BTreeSet<String>,
    /// Names under which several are picked there.
    picked: BTreeSet<String>,
    /// The names of those who are level, and how.
    level: BTreeMap<String, Expr>,
    /// The sets that are counted or compared as a whole.
    counted: BTreeSet<String>,
    /// What `me` is there.
    me: Size,
    /// Where somebody stands of whom a test says that it is one at the most.
    single: BTreeSet<Span>,
    /// Whether a scene lets whoever is called act one by one: `perform c by p`.
    by_ones: bool,
    /// Whether more than one card is dealt to where everybody's role lies.
    several_cards: bool,
}

/// The words of a set; one in brackets is one.
fn side_by_side(set: &Expr) -> &[Expr] {
    match &*set.kind {
        ExprKind::Narrow(words) => words,
        _ => std::slice::from_ref(set),
    }
}

/// The set of which a test that holds, or does not, says that it is one at the most.
fn one_at_the_most(test: &Expr, holds: bool) -> Option<&Expr> {
    let (left, op, right) = test.inside().comparison()?;
    let (ExprKind::NumberOf(set), ExprKind::Int(number)) = (&*left.kind, &*right.kind) else {
        return None;
    };
    let is_one = match (op, holds) {
        (CompareOp::Is | CompareOp::Exactly | CompareOp::AtMost, true) => *number <= 1,
        (CompareOp::LessThan, true) | (CompareOp::AtLeast, false) => *number <= 2,
        (CompareOp::MoreThan | CompareOp::IsNot, false) => *number <= 1,
        _ => false,
    };
    is_one.then_some(set)
}

/// `place of it`: nobody has that of another.
fn is_place_of_it(value: &Expr) -> bool {
    let read = value.inside().read_of();
    read.is_some_and(|(name, of)| name.text == "place" && of.is_name("it"))
}

/// The name of an answer that is a number or a text of each.
fn answers_of_each(ask: &Ask) -> Option<String> {
    match (&ask.mode, &ask.question) {
        (
            AskMode::Each | AskMode::InOrder(_),
            Question::For {
                name,
                domain: Domain::Numbers(..) | Domain::Written { .. },
                ..
            },
        ) => Some(name.text.clone()),
        _ => None,
    }
}

/// The name of an answer that is more than one player: `ask me for 2 pair from …`.
fn several_picked(ask: &Ask) -> Option<String> {
    match &ask.question {
        Question::For {
            name,
            amount: Some(amount),
            domain: Domain::Set(_),
            ..
        } if !amount.up_to && number(&amount.count).is_some_and(|number| number > 1) => {
            Some(name.text.clone())
        }
        _ => None,
    }
}

/// Looks through all declarations.
pub(super) fn lint(
    rules: &Ruleset,
    (symbols, defines): (&Symbols, &DefineTable),
    sources: &Sources,
    items: &[Declared],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let by_ones = |declared: &Declared| match &declared.item.kind {
        ItemKind::Scene { params, body, .. } => performs_one_by_one(handed(params), body),
        _ => false,
    };
    let by_ones = items.iter().any(by_ones);
    let hand = rules
        .role_zone
        .map(|zone| rules.zones[zone.index()].name.as_str());
    // One text deals twice: what a library deals is mostly done instead.
    let mut deals: BTreeMap<SourceId, usize> = BTreeMap::new();
    for declared in items {
        walk::for_each_statement(&declared.item.kind, &mut |statement| {
            let to_hand = |to: &Place| hand == Some(to.zone.text.as_str());
            if matches!(&statement.kind, StatementKind::Deal { to, .. } if to_hand(to)) {
                *deals.entry(statement.span.source).or_default() += 1;
            }
        });
    }
    let several_cards = deals.values().any(|deals| *deals > 1);
    for declared in items {
        let names = walk::bound_in(&declared.item.kind).into_iter();
        let bound = names.map(|name| name.text.clone()).collect();
        let mut crowd = Crowd {
            rules,
            symbols,
            defines,
            sources,
            bound,
            of_each: BTreeSet::new(),
            picked: BTreeSet::new(),
            level: BTreeMap::new(),
            counted: BTreeSet::new(),
            me: Size::Unknown,
            single: BTreeSet::new(),
            by_ones,
            several_cards,
        };
        crowd.me = crowd.me_in(&declared.item.kind);
        if let ItemKind::Rule(rule) = &declared.item.kind
            && let Some(when) = &rule.when
        {
            crowd.counted(when, &rule.body, None);
        }
        walk::for_each_statement(&declared.item.kind, &mut |statement| match &statement.kind {
            StatementKind::Ask(ask) => {
                crowd.of_each.extend(answers_of_each(ask));
                crowd.picked.extend(several_picked(ask));
            }
            StatementKind::If(test, then, otherwise) => crowd.counted(test, then, otherwise.as_ref()),
            StatementKind::Let { name, value } if is_level(value) => {
                crowd.level.insert(name.text.clone(), value.clone());
            }
            _ => {}
        });
        crowd.counted_before(&declared.item.kind);
        walk::for_each_expr(&declared.item.kind, &mut |expr| {
            if let ExprKind::NumberOf(set) | ExprKind::Compare(set, ..) | ExprKind::Every { set, .. } =
                &*expr.kind
            {
                crowd.counted.insert(crowd.text(set.inside()));
            }
        });
        let (mut sure, mut ends) = (BTreeSet::new(), BTreeMap::new());
        walk::for_each_expr(&declared.item.kind, &mut |expr| {
            if let ExprKind::Query(query) = &*expr.kind
                && let (Some(of), None) = (&query.of, &query.among)
                && ["highest", "lowest", "sum"].contains(&query.name.text.as_str())
            {
                ends.insert(of.span, (query.name.text.as_str(), expr.span));
            }
            match crowd.compared_apart(expr) {
                Some(told) => diagnostics.push(told),
                None => crowd.is_of_several(expr, diagnostics),
            }
            diagnostics.extend(crowd.role_of_a_hand(expr));
            diagnostics.extend(crowd.of_both(expr));
            diagnostics.extend(crowd.counted_end(expr));
            diagnostics.extend(crowd.of_nobody(expr));
            crowd.of_whom(expr, diagnostics);
            crowd.value_of_several(expr, ends.get(&expr.span).copied(), diagnostics);
            if let ExprKind::Some(set) = &*expr.kind {
                sure.insert(crowd.text(set.inside()));
            }
        });
        walk::for_each_statement(&declared.item.kind, &mut |statement| match &statement.kind {
            StatementKind::Ask(ask) => crowd.ask(ask, diagnostics),
            StatementKind::Draw { domain, .. } | StatementKind::ForEach { among: domain, .. } => {
                crowd.domain(domain, diagnostics);
            }
            StatementKind::Do(Happen { by: Some(by), .. })
            | StatementKind::Plan(Happen { by: Some(by), .. }) => crowd.doer(by, &sure, diagnostics),
            StatementKind::Tell { who, .. } | StatementKind::Show { who, .. } => {
                crowd.told_of_all(who, statement, diagnostics);
            }
            StatementKind::Mark { set, names } => crowd.one_of_them(set, names, diagnostics),
            StatementKind::Link { to, name, .. } => {
                crowd.one_of_them(to, std::slice::from_ref(name), diagnostics);
            }
            StatementKind::Put { place, .. }
            | StatementKind::Move { to: place, .. }
            | StatementKind::Shuffle(place) => {
                crowd.place_of_several(place, diagnostics);
            }
            StatementKind::Swap { a, b } => {
                crowd.place_of_several(a, diagnostics);
                crowd.place_of_several(b, diagnostics);
            }
            StatementKind::Turn { role, .. } if crowd.are_several_roles(role) => {
                diagnostics.push(turned_into_several(&crowd.text(role), role.span));
            }
            _ => {}
        });
        if let ItemKind::Allow(allow) = &declared.item.kind {
            allow
                .pick
                .iter()
                .for_each(|pick| crowd.domain(&pick.domain, diagnostics));
        }
    }
}

impl Crowd<'_> {
    // ---- how many

    /// `me` in the parts of a role or a team is its whole circle.
    fn me_in(&self, kind: &ItemKind) -> Size {
        let name = match kind {
            ItemKind::Role(role) if !self.by_ones => &role.name,
            ItemKind::Team { name, .. } => name,
            _ => return Size::Unknown,
        };
        let Some(group) = self.rules.group_named(&name.text) else {
            return Size::Unknown;
        };
        match self.circle_of(group) {
            Some(circle) if self.adds_roles(circle) => Size::Several,
            _ => self.group(group),
        }
    }

    /// Who acts for a card, where that is said of this card alone: `define circle of Seer = …`.
    fn circle_of(&self, card: GroupId) -> Option<&Expr> {
        let mut circles = self.defines.list.iter().filter(|define| define.name == "circle");
        let of_it = |clause: &&Clause| clause.only_for == Some(1 << card.index());
        Some(&circles.find_map(|circle| circle.bases.iter().find(of_it))?.value)
    }

    /// Whether a set is of two roles that are dealt beside each other: `living (Seer plus Fool)`.
    fn adds_roles(&self, set: &Expr) -> bool {
        let is_dealt = |role: GroupId| self.group(role) != Size::Unknown;
        match &*set.inside().kind {
            ExprKind::Narrow(parts) => parts.iter().any(|part| self.adds_roles(part)),
            ExprKind::Binary(BinaryOp::Plus, left, right) => { self.named(left) }
                .zip(self.named(right))
                .is_some_and(|(one, two)| is_dealt(one) && is_dealt(two) && !self.are_never_both(one, two)),
            _ => false,
        }
    }

    fn named(&self, set: &Expr) -> Option<GroupId> {
        self.rules.group_named(&set.bare_name()?.text)
    }

    /// Whether two roles are one, or one refuses the other.
    fn are_never_both(&self, one: GroupId, two: GroupId) -> bool {
        let refuses = |one: GroupId, two: GroupId| {
            let role = self.rules.roles.get(one.index());
            role.is_some_and(|role| role.refuses.contains(&two))
        };
        one == two || refuses(one, two) || refuses(two, one)
    }

    fn group(&self, id: GroupId) -> Size {
        match self.rules.groups[id.index()].kind {
            GroupKind::Role => self.role(id),
            GroupKind::Team | GroupKind::Class => {
                let mut of_it = self.rules.roles_of(id);
                match (of_it.next(), of_it.next()) {
                    (Some(only), None) => self.role(only),
                    _ => Size::Several,
                }
            }
            _ => Size::Unknown,
        }
    }

    /// A role without a limit may be dealt twice, unless the tables never do.
    fn role(&self, id: GroupId) -> Size {
        let Some(role) = self.rules.roles.get(id.index()) else {
            return Size::Unknown;
        };
        if role.limit == Some(1) {
            return Size::One;
        }
        let columns = || self.rules.casts.iter().flat_map(|cast| &cast.columns);
        // Of a team's or a class's row it is one at the most.
        let is_in = |card: GroupId| self.rules.is_of(id, card);
        let dealt =
            columns().any(|c| c.rest.is_some_and(is_in) || c.cards.iter().any(|(r, n)| is_in(*r) && *n > 0));
        let twice = columns().any(|c| c.rest == Some(id) || c.cards.iter().any(|(r, n)| *r == id && *n > 1));
        match (dealt, twice) {
            (_, true) => Size::Several,
            (true, false) => Size::One,
            // A card that is added by hand, or put in for another.
            (false, false) if self.rules.casts.is_empty() => Size::Several,
            (false, false) => Size::Unknown,
        }
    }

    fn size(&self, expr: &Expr, depth: usize) -> Size {
        match &*expr.kind {
            ExprKind::Query(query) => self.query(query, depth),
            ExprKind::Group(inner) => self.size(inner, depth),
            ExprKind::Where { set, test } => match &*test.inside().kind {
                // `where place of it is 2`, `where it is seat 1`: nobody else.
                ExprKind::Compare(left, CompareOp::Is, _, _) if is_place_of_it(left) => Size::One,
                ExprKind::Compare(left, CompareOp::Is, _, right) if left.is_name("it") => {
                    match self.size(right, depth) {
                        Size::Several => self.size(set, depth),
                        few => few,
                    }
                }
                _ => self.size(set, depth),
            },
            ExprKind::Narrow(items) => {
                let sizes: Vec<Size> = items.iter().map(|item| self.size(item, depth)).collect();
                if sizes.contains(&Size::One) {
                    Size::One
                } else if sizes.iter().all(|s| *s == Size::Several) {
                    Size::Several
                } else {
                    Size::Unknown
                }
            }
            ExprKind::Binary(BinaryOp::Plus | BinaryOp::Else, left, right) => {
                match (self.size(left, depth), self.size(right, depth)) {
                    (Size::Several, _) | (_, Size::Several) => Size::Several,
                    _ => Size::Unknown,
                }
            }
            ExprKind::Binary(BinaryOp::Without, left, _) => self.size(left, depth),
            ExprKind::Planned(_) => Size::Several,
            _ => Size::Unknown,
        }
    }

    fn query(&self, query: &Query, depth: usize) -> Size {
        let name = query.name.text.as_str();
        if self.bound.contains(name) {
            return Size::Unknown;
        }
        match (name, query.of.is_some()) {
            ("players" | "others", false) => return Size::Several,
            ("me", false) => return self.me,
            ("neighbours", true) => return Size::Several,
            _ => {}
        }
        match self.symbols.meaning(name) {
            Some(Meaning::Group(group)) => self.group(group),
            Some(Meaning::Back(_)) => Size::Several,
            Some(Meaning::Fact(fact)) => match self.rules.facts[fact.index()].shape {
                FactShape::Mark | FactShape::MarkInOrder { .. } => Size::Several,
                FactShape::MarkOne => Size::One,
                _ => Size::Unknown,
            },
            Some(Meaning::Define(define)) if depth > 0 && query.of.is_none() => {
                let base = self.defines.list[define].bases.first();
                base.map_or(Size::Unknown, |base| self.size(&base.value, depth - 1))
            }
            _ => Size::Unknown,
        }
    }

    // ---- what is said of it

    fn text(&self, expr: &Expr) -> String {
        self.sources.words(expr.span)
    }

    /// A set as it stands beside another: what is more than plain words in brackets, for `of` and `plus` reach further.
    fn beside(&self, set: &Expr) -> String {
        let is_plain = set.words().iter().all(|word| word.bare_name().is_some());
        match is_plain || matches!(&*set.kind, ExprKind::Group(_)) {
            true => self.text(set),
            false => format!("({})", self.text(set)),
        }
    }

    /// `if number of me is 1 { … }`: in there it is one.
    fn counted(&mut self, test: &Expr, then: &Block, otherwise: Option<&Block>) {
        let parts = match &*test.inside().kind {
            ExprKind::And(parts) => parts.iter().map(|part| (part, true)).collect(),
            ExprKind::Or(parts) => parts.iter().map(|part| (part, false)).collect(),
            _ => vec![(test, true), (test, false)],
        };
        for (part, holds) in parts {
            let block = if holds { Some(then) } else { otherwise };
            let Some((block, set)) = block.zip(one_at_the_most(part, holds)) else {
                continue;
            };
            self.is_one_in(block.into(), set);
        }
    }

    /// In there a set is one at the most.
    fn is_one_in(&mut self, within: walk::Part<'_>, set: &Expr) {
        let who = self.text(set.inside());
        let mut found = Vec::new();
        within.each(&mut |part| {
            if let walk::Part::Expr(expr) = part
                && self.text(expr) == who
            {
                found.push(expr.span);
            }
            true
        });
        self.single.extend(found);
    }

    /// Behind a test of which what holds goes away, and beside another one of the same: `number of dying is 1 and dying is …`.
    fn counted_before(&mut self, kind: &ItemKind) {
        walk::Part::Item(kind).each(&mut |part| {
            match part {
                walk::Part::Block(block) => {
                    for (at, statement) in block.statements.iter().enumerate() {
                        if let StatementKind::If(test, then, None) = &statement.kind
                            && goes_away(then)
                            && let Some(set) = one_at_the_most(test, false)
                        {
                            let below = block.statements[at + 1..].iter();
                            below.for_each(|below| self.is_one_in(walk::Part::Statement(below), set));
                        }
                    }
                }
                walk::Part::Expr(expr) => match &*expr.kind {
                    ExprKind::And(parts) => {
                        for (at, part) in parts.iter().enumerate() {
                            if let Some(set) = one_at_the_most(part, true) {
                                parts[at + 1..]
                                    .iter()
                                    .for_each(|part| self.is_one_in(part.into(), set));
                            }
                        }
                    }
                    ExprKind::Cases { cases, .. } => {
                        for (value, test) in cases {
                            if let Some(set) = one_at_the_most(test, true) {
                                self.is_one_in(value.into(), set);
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
            true
        });
    }

    fn ask(&self, ask: &Ask, diagnostics: &mut Vec<Diagnostic>) {
        let is_one = self.single.contains(&ask.who.span);
        if ask.mode == AskMode::One && !is_one && self.size(&ask.who, DEPTH) == Size::Several {
            diagnostics.push(several_asked(&self.text(&ask.who), ask.who.span));
        }
        let domains = ask.domains().into_iter();
        domains.for_each(|domain| self.domain(domain, diagnostics));
    }

    fn domain(&self, domain: &Domain, diagnostics: &mut Vec<Diagnostic>) {
        match domain {
            Domain::Set(set) | Domain::Unseen(set) => {
                if let Some(why) = self.emptiness(set, DEPTH) {
                    diagnostics.push(choice_of_nobody(&self.text(set), set.span, &why));
                }
            }
            Domain::Numbers(low, high) => {
                if let (ExprKind::Int(a), ExprKind::Int(b)) = (&*low.kind, &*high.kind)
                    && a > b
                {
                    diagnostics.push(range_of_nothing([*a, *b], low.span.to(high.span)));
                }
            }
            Domain::Weighted(_) | Domain::Written { .. } => {}
        }
    }

    /// `living Guild is living Flock`, where nobody is of both: how many they are is meant.
    fn compared_apart(&self, expr: &Expr) -> Option<Diagnostic> {
        let (left, negated, right) = match &*expr.kind {
            ExprKind::Compare(
                left,
                op @ (CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly),
                Of::All,
                right,
            ) => (left, *op == CompareOp::IsNot, right),
            ExprKind::Every { set, negated, is } => (set, *negated, is),
            _ => return None,
        };
        let (one, other) = (side_by_side(left), side_by_side(right));
        let why = self
            .apart(&[one, other].concat())
            .filter(|_| one.len() > 1 || other.len() > 1)?;
        if self.apart(one).is_some() || self.apart(other).is_some() {
            return None;
        }
        let is = if negated { "is not" } else { "is" };
        let [one, other] = [left, right].map(|side| self.text(side));
        let written = format!("number of {one} {is} number of {other}");
        let told = no_test_of_numbers(left.span, &why, &written);
        Some(told.writes_in(expr.span, written))
    }

    fn is_of_several(&self, expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        let Some((left, op, right)) = expr.comparison() else {
            return;
        };
        // That both are of a kind may well be asked like that; that they are not is one thing of both and another of one.
        let are_picked = || {
            left.bare_name()
                .is_some_and(|name| self.picked.contains(&name.text))
        };
        let are_several = || self.size(left, DEPTH) == Size::Several || is_level(left);
        let is_unclear = match op {
            _ if self.single.contains(&left.span) => false,
            CompareOp::Is => are_several(),
            CompareOp::IsNot => are_several() || are_picked(),
            _ => false,
        };
        if is_unclear && self.text(right) != "nobody" {
            let who = [self.text(left), self.beside(left)];
            let what = [self.text(right), self.beside(right)];
            let is_role = |name: &Name| matches!(self.symbols.meaning(&name.text), Some(Meaning::Group(_)));
            let is_a_player = right.bare_name().is_some_and(|name| !is_role(name));
            let is_one = is_a_player && self.size(right, DEPTH) == Size::One;
            diagnostics.push(several_are(&who, left.span, (op, is_one), &what));
        }
    }

    /// `role of p is Guild`, where everybody is dealt two cards: both would have to be that.
    fn role_of_a_hand(&self, expr: &Expr) -> Option<Diagnostic> {
        let (left, op, right) = expr.comparison()?;
        let is = match op {
            CompareOp::Is => "is",
            CompareOp::IsNot => "is not",
            _ => return None,
        };
        let (name, of) = left.read_of()?;
        let card = right
            .bare_name()
            .filter(|card| self.rules.group_named(&card.text).is_some())?;
        (self.several_cards && name.text == "role")
            .then(|| role_of_a_hand(&self.text(of), is, &card.text, expr.span))
    }

    /// `highest of gold is at least 3`: whoever has most is counted, and not what he has.
    fn counted_end<'e>(&self, expr: &'e Expr) -> Option<Diagnostic> {
        let ExprKind::Compare(left, op, _, right) = &*expr.kind else {
            return None;
        };
        let end = |side: &'e Expr| {
            let (name, of) = side.inside().read_of()?;
            ["highest", "lowest"]
                .contains(&name.text.as_str())
                .then_some((side, of))
        };
        let ends = [left, right].into_iter().find_map(end);
        let (side, of) = ends.filter(|_| !matches!(op, CompareOp::Is | CompareOp::IsNot))?;
        Some(end_is_counted(&self.text(side), &self.text(of), side.span))
    }

    /// `aim of living Guild without blocked`: it is the aims that are left out, not those who aim. `first of players
    /// where …`: it is the first of all, if the test holds for him.
    fn of_whom(&self, expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        let (word, left, right) = match &*expr.kind {
            ExprKind::Binary(BinaryOp::Plus, left, right) => ("plus", left, right),
            ExprKind::Binary(BinaryOp::Without, left, right) => ("without", left, right),
            ExprKind::Where { set, test } => ("where", set, test),
            ExprKind::Query(query) => {
                diagnostics.extend(self.narrowed_before(query, expr.span));
                return;
            }
            _ => return,
        };
        let ExprKind::Query(query) = &*left.kind else {
            return;
        };
        let (name, Some(of)) = (&query.name, &query.of) else {
            return;
        };
        let among = query.among.as_ref();
        if let Some(among) = among.filter(|among| among.bare_name().is_some() && word != "plus") {
            let [whole, set, right] = [left, among, right].map(|part| self.text(part));
            diagnostics.push(of_whom_among(word, [&whole, &set, &right], expr.span));
            return;
        }
        let is_link = match self.symbols.meaning(&name.text) {
            Some(Meaning::Back(_)) => true,
            Some(Meaning::Fact(fact)) => self.rules.facts[fact.index()].shape.links_to().is_some(),
            _ => false,
        };
        let is_set = !matches!(&*of.kind, ExprKind::Group(_));
        // Of the first or last of several nobody is taken away: it is meant of those among whom he is.
        let is_end = ["first", "last"].contains(&name.text.as_str());
        let unclear = match word {
            "where" => is_end || ["left", "right", "next"].contains(&name.text.as_str()),
            "without" if is_end && is_set => self.size(of, DEPTH) == Size::Several,
            _ => is_link && is_set && self.size(of, DEPTH) == Size::Several,
        };
        if unclear {
            let (of, right) = (self.text(of), self.text(right));
            let names = [name.text.as_str(), &of, &right];
            diagnostics.push(of_whom(word, names, expr.span));
        }
    }

    /// `nobody is not living`, of which half the readers take the opposite; `nobody living`, who are nobody whoever lives.
    fn of_nobody(&self, expr: &Expr) -> Option<Diagnostic> {
        match &*expr.kind {
            ExprKind::Compare(left, CompareOp::IsNot, Of::All, right) if left.is_nobody() => {
                Some(denied_twice(&self.beside(right), expr.span))
            }
            ExprKind::Narrow(parts) => {
                let (_, others): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.is_nobody());
                let rest: Vec<String> = others.iter().map(|part| self.text(part)).collect();
                (others.len() < parts.len()).then(|| narrowed_nobody(&rest.join(" "), expr.span))
            }
            _ => None,
        }
    }

    /// `neighbours of me Guild`: they are those beside me, if I am of the pack.
    fn narrowed_before(&self, query: &Query, span: Span) -> Option<Diagnostic> {
        let ExprKind::Narrow(parts) = &*query.of.as_ref()?.kind else {
            return None;
        };
        let (one, rest) = parts.split_first()?;
        // What no declaration has a name for was asked for, drawn or gone through: it is one.
        let name = &one.bare_name()?.text;
        let is_local = !["players", "others", "nobody", "role", "team"].contains(&name.as_str())
            && self.symbols.get(name).is_none();
        let are_names = rest.iter().all(|part| part.bare_name().is_some());
        let is_one = are_names && (is_local || self.size(one, DEPTH) == Size::One);
        let rest: Vec<String> = rest.iter().map(|part| self.text(part)).collect();
        is_one.then(|| of_the_one([&query.name.text, &self.text(one), &rest.join(" ")], span))
    }

    /// `living where it is not asleep without me`: the last sign is read as part of the test, and may be meant of all.
    fn of_the_test(&self, set: &Expr, test: &Expr, span: Span) -> Option<Diagnostic> {
        let ExprKind::Compare(left, op, _, right) = &*test.kind else {
            return None;
        };
        let ExprKind::Binary(sign, one, two) = &*right.kind else {
            return None;
        };
        // Where each is to be one of them, both come to the same.
        let unclear = match (op, sign) {
            (CompareOp::IsNot, BinaryOp::Without) => true,
            (CompareOp::Is | CompareOp::IsNot, BinaryOp::Else) => true,
            (CompareOp::Is, BinaryOp::Plus) => two.bare_name().is_none_or(|name| {
                self.rules.group_named(&name.text).is_none() && self.size(two, DEPTH) == Size::One
            }),
            _ => false,
        };
        (unclear && left.is_name("it")).then(|| {
            let whole = self.between(set.span.start, one.span.end, span);
            let head = self.between(set.span.start, one.span.start, span);
            let rest = self.between(one.span.end, span.end, span);
            of_the_test([whole, head, rest, &self.text(right)], span)
        })
    }

    /// What stands between two bytes of a text.
    fn between(&self, start: u32, end: u32, within: Span) -> &str {
        let span = Span { start, end, ..within };
        self.sources.slice(span).trim()
    }

    /// `living without Ann plus Bob`, `2 + 1 when lit else 0`: the last sign takes all that stands before it, and may be
    /// meant of what stands beside it.
    fn of_both(&self, expr: &Expr) -> Option<Diagnostic> {
        use BinaryOp::{Add, Else, Multiply, Plus, Subtract, Without};
        let (left, word, right) = match &*expr.kind {
            ExprKind::Where { set, test } => (set, "where", test),
            ExprKind::Binary(Plus, left, right) => (left, "plus", right),
            ExprKind::Binary(Without, left, right) => (left, "without", right),
            ExprKind::Cases { cases, .. } => (&cases[0].0, "when", &cases[0].1),
            _ => return None,
        };
        if let ExprKind::Where { set, test } = &*expr.kind
            && let Some(problem) = self.of_the_test(set, test, expr.span)
        {
            return Some(problem);
        }
        let ExprKind::Binary(op, one, two) = &*left.kind else {
            return None;
        };
        let unclear = match word {
            "where" => matches!(op, Plus | Without),
            "plus" => *op == Without,
            "without" => *op == Else,
            _ => matches!(op, Add | Subtract | Multiply),
        };
        unclear.then(|| {
            let sign = self.between(one.span.end, two.span.start, expr.span);
            let right = self.between(right.span.start, expr.span.end, expr.span);
            let two = self.text(two);
            match word {
                "when" => of_the_sum(&self.text(left), [&two, right], expr.span),
                _ => of_both(word, [sign, &self.text(one), &two, right], expr.span),
            }
        })
    }

    /// `bid of living`: a number or a text is one's, and several have no number together.
    fn value_of_several(&self, expr: &Expr, end: Option<(&str, Span)>, diagnostics: &mut Vec<Diagnostic>) {
        let Some((name, of)) = expr.read_of() else { return };
        let each = match self.symbols.meaning(&name.text) {
            Some(Meaning::Fact(fact)) => self.rules.facts[fact.index()].shape == FactShape::CountOfEach,
            // One number, whatever is added to it.
            Some(Meaning::Define(define)) => {
                let define = &self.defines.list[define];
                let is_number = |clause: &Clause| number(&clause.value).is_some();
                define.param == Some(Kind::Players) && define.bases.iter().all(is_number)
            }
            _ => self.of_each.contains(&name.text),
        };
        let is_one = self.single.contains(&of.span);
        let are_several =
            || !is_one && self.size(of, DEPTH) == Size::Several || self.are_level_but_in(name, of);
        if each && are_several() {
            let (name, of) = (name.text.as_str(), self.text(of));
            diagnostics.push(match end {
                Some((end, whole)) => end_of_several(end, [name, &of], whole),
                None => value_of_several(name, &of, expr.span),
            });
        }
    }

    /// Whether they were picked together, or are level in another number than that, and nobody looks at how many they are.
    fn are_level_but_in(&self, number: &Name, of: &Expr) -> bool {
        let name = of.bare_name().map_or("", |name| name.text.as_str());
        if self.counted.contains(&self.text(of.inside())) || !self.bound.contains(name) && !is_level(of) {
            return false;
        }
        let level = self.level.get(name).or(is_level(of).then_some(of));
        let by = level.and_then(|level| level.inside().read_of());
        let is_by = |by: &Expr| {
            by.is_name(&number.text) || by.read_of().is_some_and(|(by, _)| by.text == number.text)
        };
        by.map_or(self.picked.contains(name), |(_, by)| !is_by(by))
    }

    // ---- one of several

    /// `tell living "{role of living}"`: what is meant of each for himself is told to all of all.
    fn told_of_all(&self, who: &Expr, statement: &Statement, diagnostics: &mut Vec<Diagnostic>) {
        // The circle of a part knows one another.
        if who.is_name("me") || self.single.contains(&who.span) || self.size(who, DEPTH) != Size::Several {
            return;
        }
        walk::for_each_expr(walk::Part::Statement(statement), &mut |expr| {
            if let Some((name, of)) = expr.read_of()
                && ["card", "role", "team"].contains(&name.text.as_str())
                && is_alike(of, who)
            {
                diagnostics.push(told_of_all(&name.text, &self.text(who), expr.span));
            }
        });
    }

    /// What only one can carry, or what leads to one, given to several.
    fn one_of_them(&self, set: &Expr, names: &[Name], diagnostics: &mut Vec<Diagnostic>) {
        let is_one = |name: &&Name| match self.symbols.meaning(&name.text) {
            Some(Meaning::Fact(fact)) => self.rules.facts[fact.index()].shape.is_of_one(),
            _ => false,
        };
        if let Some(name) = names.iter().find(is_one)
            && self.size(set, DEPTH) == Size::Several
            && !self.is_marked(set)
            && self.rules.seats.1 > 2
        {
            diagnostics.push(one_of_them(&name.text, &self.text(set), set.span));
        }
    }

    /// Whether a mark is among the words of a set: mostly one carries it.
    fn is_marked(&self, set: &Expr) -> bool {
        walk::holds_expr(set, &|expr| {
            let meaning = expr.bare_name().and_then(|name| self.symbols.get(&name.text));
            meaning.is_some_and(|symbol| matches!(symbol.meaning, Meaning::Fact(_)))
        })
    }

    /// `move 1 from bank to purse of living`: it lands before one of them.
    /// `Guild plus Healer`, `role of living`, `roles of Guild`.
    fn are_several_roles(&self, role: &Expr) -> bool {
        match (&*role.inside().kind, role.read_of()) {
            (ExprKind::Binary(BinaryOp::Plus, ..), _) => true,
            (_, Some((name, of))) => match name.text.as_str() {
                "role" => self.size(of, DEPTH) == Size::Several,
                "roles" => of.bare_name().is_some_and(|name| self.is_team(name)),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a name is that of a team with several roles.
    fn is_team(&self, name: &Name) -> bool {
        let team = self.rules.group_named(&name.text);
        let theirs = self
            .rules
            .roles
            .iter()
            .filter(|role| team.is_some() && role.team == team);
        theirs.count() > 1
    }

    fn place_of_several(&self, place: &Place, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(of) = &place.of
            && self.size(of, DEPTH) == Size::Several
        {
            diagnostics.push(place_of_several(&place.zone.text, &self.text(of), place.span));
        }
    }

    // ---- nobody

    /// `by jailed Cook`: what is done by a mark's bearers of one sort, of whom there may be none.
    fn doer(&self, by: &Expr, sure: &BTreeSet<String>, diagnostics: &mut Vec<Diagnostic>) {
        let by = by.inside();
        let ExprKind::Narrow(items) = &*by.kind else {
            return;
        };
        let is = |wanted: fn(Meaning) -> bool| {
            let names = items.iter().filter_map(|item| self.plain_name(item));
            let mut meanings = names.filter_map(|name| Some(self.symbols.get(name)?.meaning));
            meanings.any(wanted)
        };
        let marked = is(|meaning| matches!(meaning, Meaning::Fact(_)))
            && is(|meaning| matches!(meaning, Meaning::Group(_)));
        let text = self.text(by);
        if marked && !sure.contains(&text) {
            diagnostics.push(perhaps_by_nobody(&text, by.span));
        }
    }

    /// Why nobody can be in a set; nothing when somebody may.
    fn emptiness(&self, expr: &Expr, depth: usize) -> Option<String> {
        match &*expr.kind {
            ExprKind::Query(query) if query.name.text == "nobody" => Some("it is `nobody`".to_owned()),
            ExprKind::Query(query)
                if query.of.is_none() && !self.bound.contains(&query.name.text) && depth > 0 =>
            {
                let Meaning::Define(define) = self.symbols.get(&query.name.text)?.meaning else {
                    return None;
                };
                let define = &self.defines.list[define];
                let mut clauses = define.clauses.iter();
                match clauses.any(|(mode, _)| *mode == ClauseMode::Include) {
                    true => None,
                    false => self.emptiness(&define.bases.first()?.value, depth - 1),
                }
            }
            ExprKind::Group(inner) | ExprKind::Where { set: inner, .. } => self.emptiness(inner, depth),
            ExprKind::Narrow(items) => {
                let empty = items.iter().find_map(|item| self.emptiness(item, depth));
                empty.or_else(|| self.apart(items))
            }
            ExprKind::Binary(BinaryOp::Plus | BinaryOp::Else, left, right) => {
                self.emptiness(left, depth).and(self.emptiness(right, depth))
            }
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                let same = self.text(left) == self.text(right);
                let why = || format!("`without` takes all of `{}` away again", self.text(left));
                self.emptiness(left, depth).or_else(|| same.then(why))
            }
            _ => None,
        }
    }

    /// Two words side by side that nobody can be at once.
    fn apart(&self, items: &[Expr]) -> Option<String> {
        let names: Vec<&str> = items.iter().filter_map(|item| self.plain_name(item)).collect();
        names.iter().enumerate().find_map(|(at, a)| {
            let b = names[at + 1..].iter().find(|b| self.are_apart(a, b))?;
            Some(format!("nobody is both `{a}` and `{b}`"))
        })
    }

    fn plain_name<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        match &*expr.kind {
            ExprKind::Query(query) if query.of.is_none() && !self.bound.contains(&query.name.text) => {
                Some(&query.name.text)
            }
            ExprKind::Group(inner) => self.plain_name(inner),
            _ => None,
        }
    }

    fn are_apart(&self, a: &str, b: &str) -> bool {
        if matches!((a, b), ("me", "others") | ("others", "me")) {
            return true;
        }
        let (Some(one), Some(two)) = (self.rules.group_named(a), self.rules.group_named(b)) else {
            return false;
        };
        let kind = |g: GroupId| self.rules.groups[g.index()].kind;
        let outside = |role: GroupId, team| self.rules.roles[role.index()].team != Some(team);
        match (kind(one), kind(two)) {
            (GroupKind::Role, GroupKind::Role) | (GroupKind::Team, GroupKind::Team) => one != two,
            (GroupKind::Role, GroupKind::Team) => outside(one, two),
            (GroupKind::Team, GroupKind::Role) => outside(two, one),
            _ => false,
        }
    }
}

/// A set as it stands behind `of`: several words in brackets.
fn bracketed(set: &str) -> String {
    match set.contains(' ') && !set.starts_with('(') {
        true => format!("({set})"),
        false => set.to_owned(),
    }
}

mistakes! {
    fn several_asked(who: &str, span: Span) = warning "several-asked" ("M0713", span):
        format!("`{who}` may be several, and nothing says how they answer"), "may be more than one player",
        help match who {
            "me" => {
                "write `ask me together` if they agree on one answer, or `at most 1` in the role's first line".to_owned()
            }
            who => {
                format!("write `ask {who} together` if they agree on one answer, `ask each {who}` for an answer of each")
            }
        };

    fn several_are([who, whose]: &[String; 2], span: Span, (op, is_one): (CompareOp, bool), [right, what]: &[String; 2]) = warning "several-are" ("M0714", span):
        format!("`{who}` may be several, and `is` speaks of one"), "may be more than one player",
        help match op {
            CompareOp::IsNot if is_one => format!("write `{right} is not {who}` to ask whether `{right}` is none of them; `every {who} is not {right}` asks it of all of them"),
            _ if is_one => format!("write `{right} is {who}` to ask whether `{right}` is one of them; `every {who} is {right}` asks it of all of them"),
            CompareOp::IsNot => format!("write `every {who} is not {right}` if it must hold of all, `some ({whose} without {what})` if of one"),
            _ => format!("write `every {who} is {right}` if it must hold of all, `some {whose} {what}` if of one"),
        };

    fn no_test_of_numbers(span: Span, why: &str, written: &str) = warning "several-are" ("M0714", span):
        format!("{why}, so this says nothing of how many they are"), "who they are is compared",
        help format!("write `{written}` to compare how many they are");

    fn role_of_a_hand(who: &str, is: &str, card: &str, span: Span) = warning "several-are" ("M0714", span):
        format!("`role of {who}` is of all cards that `{who}` holds, and `{is}` speaks of all of them"), "more than one card is dealt",
        help format!("write `{who} {is} {card}` to ask of any of them"), writes format!("{who} {is} {card}");

    fn choice_of_nobody(set: &str, span: Span, why: &str) = warning "empty-choice" ("M0715", span):
        format!("there is never anybody in `{set}`"), why,
        help "words side by side are those who are all of it; for these and those together, write `plus`";

    fn range_of_nothing([from, to]: [i64; 2], span: Span) = warning "empty-choice" ("M0715", span):
        format!("there is never a number in `{from}..{to}`"), format!("{from} is more than {to}"),
        help format!("write the smaller one first: `{to}..{from}`");

    fn perhaps_by_nobody(who: &str, span: Span) = warning "by-nobody" ("M0725", span):
        format!("if nobody is `{who}`, it happens all the same, through nobody"), "nobody, perhaps",
        help format!("put it under `if some ({who}) {{ … }}`");

    fn value_of_several(name: &str, of: &str, span: Span) = warning "value-of-several" ("M0728", span):
        format!("`{name} of {of}` is the `{name}` of one of them only, the first"), "may be more than one player",
        help format!("for each in turn write `for each p of {of} {{ … {name} of p … }}`; if all of them together, `sum of {name} among ({of})`; if the first is meant, `{name} of first of {whole}`"),
        where whole = bracketed(of);

    fn end_of_several(end: &str, [name, of]: [&str; 2], span: Span) = warning "value-of-several" ("M0728", span):
        format!("`{name} of {of}` is one number, of the first of them; `{end}` looks at the numbers of all"), "may be more than one player",
        help format!("write `{end} of {name} among ({of})`"),
        writes format!("{end} of {name} among ({of})");

    fn end_is_counted(end: &str, of: &str, span: Span) = warning "value-of-several" ("M0728", span):
        format!("`{end}` is whoever has it: here it is counted how many they are"), "how many players",
        help format!("what they have is `{of} of ({end})`; if they are to be counted, `number of {end}`");

    fn told_of_all(name: &str, who: &str, span: Span) = warning "value-of-several" ("M0728", span):
        format!("everybody in `{who}` hears the {name} of all of them"), "of all, to all",
        help format!("for each his own write `for each p of {who} {{ … {name} of p … }}`; if all are to know, `say` it");

    fn one_of_them(name: &str, of: &str, span: Span) = warning "settled-by-seats" ("M0753", span):
        format!("`{of}` may be several, and `{name}` is of one: it takes the one by his seat, and nobody is told"), "by the order of the seats",
        help format!("say which of them is meant: `first of {whole}`, or `draw` one"),
        where whole = bracketed(of);

    fn place_of_several(zone: &str, of: &str, span: Span) = warning "settled-by-seats" ("M0753", span):
        format!("`{zone} of {of}` are the places of several, and cards go to one: the first by his seat"), "by the order of the seats",
        help format!("for each in turn write `for each p of {of} {{ … {zone} of p }}`; a card to each is dealt: `deal … to {zone} of {of}`");

    fn turned_into_several(roles: &str, span: Span) = warning "value-of-several" ("M0728", span):
        format!("`{roles}` are several roles, and nobody becomes more than one: nothing happens"), "more than one role",
        help format!("name one of them, or draw it: `draw r from roles ({roles})`, and then `… into r`");

    fn denied_twice(set: &str, test: Span) = warning "of-whom" ("M0726", test):
        format!("this holds as soon as there is somebody who is `{set}`"), "are all of them meant?",
        help format!("say which: `some {set}`, or `every players is {set}`");

    fn narrowed_nobody(rest: &str, set: Span) = warning "nobody-is-both" ("M0745", set):
        "of nobody nobody is left", "always nobody",
        help format!("that there is none of them is `no {rest}`");

    fn of_whom(word: &str, [name, of, right]: [&str; 3], span: Span) = warning "of-whom" ("M0726", span):
        format!("`{word} {right}` speaks of what `{name} of {of}` gives, and may be meant of `{of}`"), "which of the two?",
        help format!("put brackets: `({name} of {of}) {word} {right}`, or `{name} of ({of} {word} {right})`");

    fn of_whom_among(word: &str, [whole, set, right]: [&str; 3], span: Span) = warning "of-whom" ("M0726", span):
        format!("`{word} {right}` speaks of what `{whole}` gives, and may be meant of `{set}`"), "which of the two?",
        help format!("put brackets: `({whole}) {word} {right}`, or `{head}({set} {word} {right})`"),
        where head = whole.strip_suffix(set).unwrap_or(whole);

    fn of_the_one([name, one, rest]: [&str; 3], span: Span) = warning "of-whom" ("M0726", span):
        format!("`{rest}` speaks of `{one}`, and may be meant of what `{name} of {one}` gives"), "which of the two?",
        help format!("put brackets: `({name} of {one}) {rest}`, or `{name} of ({one} {rest})`");

    fn of_the_sum(sum: &str, [last, right]: [&str; 2], span: Span) = warning "of-whom" ("M0726", span):
        format!("`when` speaks of the whole of `{sum}`, and may be meant of `{last}`"), "which of the two?",
        help format!("put brackets: `({sum}) when {right}`; if `{last}` alone is meant, give it a name before: `let some-more = {last} when {right}`");

    fn of_the_test([whole, head, rest, inner]: [&str; 4], span: Span) = warning "of-whom" ("M0726", span):
        format!("`{rest}` is read as part of the test, and may be meant of all of `{whole}`"), "which of the two?",
        help format!("put brackets: `({whole}) {rest}`, or `{head} ({inner})`");

    fn of_both(word: &str, [sign, one, two, right]: [&str; 4], span: Span) = warning "of-whom" ("M0726", span):
        format!("`{word} {right}` speaks of `{one} {sign} {two}`, and may be meant of `{two}`"), "which of the two?",
        help format!("put brackets: `({one} {sign} {two}) {word} {right}`, or `{one} {sign} ({two} {word} {right})`");
}
