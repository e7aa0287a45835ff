//! Values and tests in words: whom they mean, how many, and whether it is so.

use crate::{
    deeds::words,
    page::Inline,
    phrases::{Teller, plain},
    subject::{Settled, spoken},
};
use omerta_core::rules::{FactShape, Group, GroupKind};
use omerta_syntax::tree::{BinaryOp, CompareOp, Expr, ExprKind, Name, Query};

/// What `it` is called in a test of each of several.
const HE: &str = "he";

/// Whether a word stands for those who are it, or says it of somebody.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    /// `the living`
    Those,
    /// `is living`
    Said,
}

/// `a wolf` without its article: `wolf`.
fn noun(title: &str) -> &str {
    let articles = ["the ", "The ", "a ", "A ", "an ", "An "];
    let mut found = articles.iter().filter_map(|article| title.strip_prefix(article));
    found.next().unwrap_or(title)
}

impl Teller<'_> {
    /// Whom or what an expression means.
    pub fn expr(&self, expr: &Expr) -> Vec<Inline> {
        self.value(expr, As::Those)
    }

    /// The same behind `is`, or beside other words that are said of somebody.
    fn said_of(&self, expr: &Expr) -> Vec<Inline> {
        self.value(expr, As::Said)
    }

    fn value(&self, expr: &Expr, as_: As) -> Vec<Inline> {
        match &*expr.kind {
            ExprKind::Int(number) => words![number.to_string()],
            ExprKind::Truth(truth) => words![if *truth { "yes" } else { "no" }],
            ExprKind::Text(text) => words![format!("“{text}”")],
            ExprKind::Query(query) => self.query(query, as_),
            ExprKind::Group(inner) => match &*inner.kind {
                ExprKind::Binary { .. } | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Cases { .. } => {
                    words!["(", self.value(inner, as_), ")"]
                }
                _ => self.value(inner, as_),
            },
            ExprKind::Narrow(items) => self.narrow(items, as_),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, as_),
            ExprKind::Where { set, test } => {
                let told = self.with("it", HE);
                words!["those of ", self.expr(set), " where ", told.truth(test)]
            }
            ExprKind::NumberOf(set) if self.is_zone(set) => words!["the number of cards in ", self.expr(set)],
            ExprKind::NumberOf(set) => words!["the number of ", self.those(set)],
            ExprKind::Times(scene) => words!["the number of times ", self.name(scene), " has come"],
            ExprKind::Planned(event) => words!["whoever ", self.name(event), " is planned for"],
            ExprKind::Cases { cases, otherwise } => self.cases(cases, otherwise.as_ref()),
            _ => self.truth(expr),
        }
    }

    /// The role, the team or the like that a name by itself stands for.
    fn group_of(&self, expr: &Expr) -> Option<&Group> {
        let name = expr
            .bare_name()
            .filter(|name| !self.bound.contains_key(&name.text))?;
        let group = self.subject.rules.group_named(&name.text)?;
        Some(&self.subject.rules.groups[group.index()])
    }

    /// Several, where a role by itself would be one.
    fn those(&self, set: &Expr) -> Vec<Inline> {
        match self.group_of(set) {
            Some(group) if group.kind == GroupKind::Role => match &group.several {
                Some(several) => words![several.clone()],
                None => words!["those who are ", group.title.clone()],
            },
            _ => self.expr(set),
        }
    }

    /// Words side by side: those who are all of it.
    fn narrow(&self, items: &[Expr], as_: As) -> Vec<Inline> {
        let is_somebody = |item: &Expr| {
            item.bare_name()
                .is_none_or(|name| self.has_no_article(&name.text))
        };
        match items {
            // `role Smuggler` is that card.
            [kind, role] if kind.bare_name().is_some_and(|name| name.text == "role") => self.expr(role),
            // Somebody by a name, who is to be something.
            [first, rest @ ..] if is_somebody(first) && !rest.iter().any(is_somebody) => {
                words![self.expr(first), ", if ", self.all_of(rest, " and ")]
            }
            [first, ..] if as_ == As::Those && !is_somebody(first) => words!["the ", self.all_of(items, " ")],
            _ if as_ == As::Those => self.all_of(items, " "),
            _ => self.all_of(items, " and "),
        }
    }

    fn all_of(&self, items: &[Expr], joint: &str) -> Vec<Inline> {
        let mut told = Vec::new();
        for item in items {
            let before = if told.is_empty() { "" } else { joint };
            told = words![told, before, self.said_of(item)];
        }
        told
    }

    fn is_zone(&self, expr: &Expr) -> bool {
        let name = match &*expr.kind {
            ExprKind::Query(query) => Some(&query.name),
            _ => None,
        };
        name.is_some_and(|name| self.subject.zone(&name.text).is_some())
    }

    /// Names that stand for somebody as they are: `me`, an answer, a seat.
    fn has_no_article(&self, name: &str) -> bool {
        let is_known = self.subject.rules.group_named(name).is_some() || self.subject.term(name).is_some();
        self.bound.contains_key(name) || !is_known
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, as_: As) -> Vec<Inline> {
        let half = matches!(*right.kind, ExprKind::Int(2));
        let (one, other) = (self.value(left, as_), self.value(right, as_));
        match op {
            BinaryOp::Plus => words![one, " and ", other],
            BinaryOp::Without => words![one, " except ", other],
            BinaryOp::Else => words![one, ", or else ", other],
            BinaryOp::Add => words![one, " + ", other],
            BinaryOp::Subtract => words![one, " − ", other],
            BinaryOp::Multiply => words![one, " × ", other],
            BinaryOp::DivideUp if half => words!["half of ", one, ", rounded up"],
            BinaryOp::DivideDown if half => words!["half of ", one, ", rounded down"],
            BinaryOp::DivideUp => words![one, " ÷ ", other, ", rounded up"],
            BinaryOp::DivideDown => words![one, " ÷ ", other, ", rounded down"],
            BinaryOp::Remainder => words!["what is left over of ", one, " ÷ ", other],
        }
    }

    fn cases(&self, cases: &[(Expr, Expr)], otherwise: Option<&Expr>) -> Vec<Inline> {
        let mut told = Vec::new();
        for (value, test) in cases {
            let value = self.expr(value);
            let joint = if told.is_empty() { "" } else { ", " };
            match self.test(test) {
                Err(false) => {}
                Err(true) => return words![told, joint, value],
                Ok(test) => told = words![told, joint, value, " when ", test],
            }
        }
        match otherwise {
            Some(value) if told.is_empty() => self.expr(value),
            Some(value) => words![told, ", otherwise ", self.expr(value)],
            None => told,
        }
    }

    // ---- Names

    fn query(&self, query: &Query, as_: As) -> Vec<Inline> {
        let among = query
            .among
            .as_ref()
            .map(|among| words![" among ", self.expr(among)]);
        let weighing = query
            .weighing
            .as_ref()
            .map(|weight| words![", each by his ", self.name(weight)]);
        let count = match (&query.number, &query.count) {
            (Some(number), _) => words![format!(" {}", number.value)],
            (None, Some(count)) => words![" ", self.expr(count)],
            (None, None) => Vec::new(),
        };
        let told = match &query.of {
            Some(of) => self.query_of(&query.name, count, of),
            None if count.is_empty() => self.bare(&query.name, as_),
            None => words![spoken(&query.name.text), count],
        };
        words![told, among.unwrap_or_default(), weighing.unwrap_or_default()]
    }

    fn query_of(&self, name: &Name, count: Vec<Inline>, of: &Expr) -> Vec<Inline> {
        let of = match self.expr(of).as_slice() {
            [Inline::Words(he)] if he == HE => {
                return words!["his ", self.name(name), count];
            }
            of => of.to_vec(),
        };
        if self.subject.term(&name.text).is_some() || self.bound.contains_key(&name.text) {
            return words!["the ", self.name(name), count, " of ", of];
        }
        match name.text.as_str() {
            "most" => words!["those with the most of ", of],
            "least" => words!["those with the least of ", of],
            "left" => words!["the left neighbour of ", of],
            "right" => words!["the right neighbour of ", of],
            "common" => words!["what is common to ", of],
            "top" if count.is_empty() => words!["the topmost card of ", of],
            "top" => words!["the topmost", count, " of ", of],
            other => match self.subject.zone(other) {
                Some(zone) => words![zone, count, " of ", of],
                None => words!["the ", spoken(other), count, " of ", of],
            },
        }
    }

    fn bare(&self, name: &Name, as_: As) -> Vec<Inline> {
        let word = name.text.as_str();
        if let Some(words) = self.bound.get(word) {
            return words![words.clone()];
        }
        if let Some(value) = self.subject.option(word) {
            return words![format!("{value} (the option {})", spoken(word))];
        }
        if let Some(zone) = self.subject.zone(word) {
            return words![zone];
        }
        if let Some(group) = self.subject.rules.group_named(word) {
            let group = &self.subject.rules.groups[group.index()];
            return match (as_, group.kind) {
                (As::Said, GroupKind::Role) => words![noun(&group.title)],
                (As::Said, _) => words!["of ", group.title.clone()],
                (As::Those, _) => words![group.title.clone()],
            };
        }
        match (word, self.subject.term(word)) {
            ("players", _) => words!["all players"],
            ("host", _) => words!["the host"],
            (_, Some(term)) if as_ == As::Those && !self.is_value(word) => words!["the ", term],
            (_, Some(term)) => words![term],
            _ => words![spoken(word)],
        }
    }

    // ---- Tests

    /// A test as it stands, whatever the options have settled.
    fn truth(&self, expr: &Expr) -> Vec<Inline> {
        match &*expr.kind {
            ExprKind::Group(inner) => words!["(", self.truth(inner), ")"],
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let joint = if matches!(*expr.kind, ExprKind::And(_)) {
                    " and "
                } else {
                    " or "
                };
                let mut told = Vec::new();
                for part in parts {
                    let before = if told.is_empty() { "" } else { joint };
                    told = words![told, before, self.truth(part)];
                }
                told
            }
            ExprKind::Not(inner) => self.untruth(inner),
            ExprKind::No(set) => self.there_is(set, "nobody", "no "),
            ExprKind::Some(set) => self.there_is(set, "somebody", "any "),
            ExprKind::Every { set, negated, is } => {
                let not = if *negated { " not" } else { "" };
                words!["every one of ", self.expr(set), " is", not, " ", self.said_of(is)]
            }
            ExprKind::During(scene) => words!["it is ", self.name(scene)],
            ExprKind::Compare {
                left,
                op,
                half,
                right,
            } => self.comparison(left, *op, *half, right),
            ExprKind::Query(query) if query.of.is_none() && self.is_flag(&query.name) => {
                words!["it is ", self.said_of(expr)]
            }
            ExprKind::Query(query) if self.subject.term(&query.name.text).is_some() => {
                words![self.said_of(expr), " holds"]
            }
            _ => self.expr(expr),
        }
    }

    /// That a test does not hold.
    fn untruth(&self, expr: &Expr) -> Vec<Inline> {
        match &*expr.kind {
            ExprKind::Group(inner) => self.untruth(inner),
            ExprKind::Not(inner) => self.truth(inner),
            ExprKind::No(set) => self.there_is(set, "somebody", "any "),
            ExprKind::Some(set) => self.there_is(set, "nobody", "no "),
            ExprKind::During(scene) => words!["it is not ", self.name(scene)],
            ExprKind::Compare {
                left,
                op,
                half,
                right,
            } => {
                let other = match op {
                    CompareOp::Is => CompareOp::IsNot,
                    CompareOp::IsNot => CompareOp::Is,
                    CompareOp::AtLeast => CompareOp::LessThan,
                    CompareOp::LessThan => CompareOp::AtLeast,
                    CompareOp::AtMost => CompareOp::MoreThan,
                    CompareOp::MoreThan => CompareOp::AtMost,
                    CompareOp::Exactly => return words!["not ", self.truth(expr)],
                };
                self.comparison(left, other, *half, right)
            }
            ExprKind::Query(query) if query.of.is_none() && self.is_flag(&query.name) => {
                words!["it is not ", self.said_of(expr)]
            }
            ExprKind::Query(query) if self.subject.term(&query.name.text).is_some() => {
                words![self.said_of(expr), " does not hold"]
            }
            _ => words!["not (", self.truth(expr), ")"],
        }
    }

    fn is_flag(&self, name: &Name) -> bool {
        self.has_shape(&name.text, |shape| shape == FactShape::Flag)
    }

    /// Whether it is a number, a word or the like, which takes no article.
    fn is_value(&self, name: &str) -> bool {
        self.has_shape(name, |shape| {
            matches!(shape, FactShape::Flag | FactShape::Count | FactShape::CountOfEach)
        })
    }

    fn has_shape(&self, name: &str, is: fn(FactShape) -> bool) -> bool {
        let mut facts = self.subject.rules.facts.iter();
        facts.any(|fact| fact.name == name && is(fact.shape))
    }

    /// `nobody is dying`, `there is no living wolf`
    fn there_is(&self, set: &Expr, who: &str, any: &str) -> Vec<Inline> {
        let is_of_group = |expr: &Expr| self.group_of(expr).is_some();
        match &*set.kind {
            ExprKind::Narrow(items) if items.last().is_some_and(is_of_group) => {
                let [adjectives @ .., group] = items.as_slice() else {
                    return self.expr(set);
                };
                let mut told = Vec::new();
                for adjective in adjectives {
                    told = words![told, self.said_of(adjective), " "];
                }
                words!["there is ", any, told, self.kind_of(group)]
            }
            ExprKind::Query(query) if query.of.is_none() => match is_of_group(set) {
                true => words!["there is ", any, self.kind_of(set)],
                false if self.subject.term(&query.name.text).is_some() => {
                    words![who, " is ", self.said_of(set)]
                }
                false => match who {
                    "nobody" => words![self.expr(set), " is nobody"],
                    _ => words![self.expr(set), " is somebody"],
                },
            },
            ExprKind::Narrow(items) if items.iter().all(|item| self.is_adjective(item)) => {
                words![who, " is ", self.all_of(items, " and ")]
            }
            _ => words!["there is ", who, " among ", self.expr(set)],
        }
    }

    /// What is said of somebody, as far as a word shows it: `hunted`, and not `criminals`.
    fn is_adjective(&self, expr: &Expr) -> bool {
        let name = expr.bare_name().map(|name| name.text.as_str());
        name.is_some_and(|name| self.subject.term(name).is_some() && !name.ends_with('s'))
    }

    /// `wolf`, `one of the mafia`
    fn kind_of(&self, expr: &Expr) -> Vec<Inline> {
        let Some(group) = self.group_of(expr) else {
            return self.expr(expr);
        };
        match group.kind {
            GroupKind::Role => words![noun(&group.title)],
            _ => words!["one of ", group.title.clone()],
        }
    }

    fn comparison(&self, left: &Expr, op: CompareOp, half: bool, right: &Expr) -> Vec<Inline> {
        let half = if half { "half of " } else { "" };
        if let ExprKind::Times(scene) = &*left.kind {
            let number = words![" number ", self.expr(right)];
            return match op {
                CompareOp::Is | CompareOp::Exactly => words!["this is ", self.name(scene), number],
                CompareOp::IsNot => words!["this is not ", self.name(scene), number],
                CompareOp::AtLeast => words!["this is ", self.name(scene), number, " or a later one"],
                CompareOp::AtMost => words!["this is ", self.name(scene), number, " or an earlier one"],
                CompareOp::MoreThan => words!["this comes after ", self.name(scene), number],
                CompareOp::LessThan => words!["this comes before ", self.name(scene), number],
            };
        }
        let verb = match op {
            CompareOp::Is => " is ",
            CompareOp::IsNot => " is not ",
            CompareOp::Exactly => " is exactly ",
            CompareOp::AtLeast => " is at least ",
            CompareOp::AtMost => " is at most ",
            CompareOp::MoreThan => " is more than ",
            CompareOp::LessThan => " is less than ",
        };
        let right = match op {
            CompareOp::Is | CompareOp::IsNot => self.is_what(right),
            _ => self.expr(right),
        };
        words![self.expr(left), verb, half, right]
    }

    /// Behind `is`: a role with its article, all else as it is said of somebody.
    fn is_what(&self, expr: &Expr) -> Vec<Inline> {
        match self.group_of(expr) {
            Some(group) if group.kind == GroupKind::Role => words![group.title.clone()],
            _ => self.said_of(expr),
        }
    }

    /// What is left of a test once the options in force are known.
    pub fn test(&self, expr: &Expr) -> Result<Vec<Inline>, bool> {
        match &*expr.kind {
            ExprKind::Group(inner) => Ok(words!["(", self.test(inner)?, ")"]),
            ExprKind::And(parts) => self.several(parts, false),
            ExprKind::Or(parts) => self.several(parts, true),
            ExprKind::Not(inner) => match self.test(inner) {
                Err(known) => Err(!known),
                Ok(_) => Ok(self.untruth(inner)),
            },
            _ => match self.settled(expr) {
                Settled::Yes => Err(true),
                Settled::No => Err(false),
                Settled::Open => Ok(self.truth(expr)),
            },
        }
    }

    /// Parts joined by `and`, or by `or`: one that is settled is left out, or settles the whole.
    fn several(&self, parts: &[Expr], or: bool) -> Result<Vec<Inline>, bool> {
        let mut left: Vec<Inline> = Vec::new();
        for part in parts {
            match self.test(part) {
                Err(known) if known == or => return Err(or),
                Err(_) => {}
                Ok(words) if left.is_empty() => left = words,
                Ok(words) => left = words![left, if or { " or " } else { " and " }, words],
            }
        }
        match left.is_empty() {
            true => Err(!or),
            false => Ok(left),
        }
    }

    fn settled(&self, expr: &Expr) -> Settled {
        let settled = |holds: bool| if holds { Settled::Yes } else { Settled::No };
        let value = |expr: &Expr| {
            expr.bare_name()
                .filter(|name| !self.bound.contains_key(&name.text))
                .and_then(|name| self.subject.option(&name.text))
        };
        match &*expr.kind {
            ExprKind::Truth(truth) => settled(*truth),
            ExprKind::Compare {
                left,
                op: op @ (CompareOp::Is | CompareOp::IsNot),
                half: false,
                right,
            } => {
                let Some(value) = value(left) else {
                    return Settled::Open;
                };
                let same = self.subject.sources.slice(right.span).trim_matches('`') == value;
                settled(same == (*op == CompareOp::Is))
            }
            _ => match value(expr) {
                Some("yes") => Settled::Yes,
                Some("no") => Settled::No,
                _ => Settled::Open,
            },
        }
    }

    /// `, when TEST`; nothing where it surely holds, and no value where it surely does not.
    pub fn when(&self, when: Option<&Expr>) -> Option<Vec<Inline>> {
        let Some(when) = when else {
            return Some(Vec::new());
        };
        match self.test(when) {
            Err(true) => Some(Vec::new()),
            Err(false) => None,
            Ok(words) => Some(words![", when ", words]),
        }
    }

    /// An expression as plain words.
    pub fn plain(&self, expr: &Expr) -> String {
        match expr.bare_name() {
            Some(name) => plain(&self.bare(name, As::Said)),
            None => plain(&self.expr(expr)),
        }
    }
}
