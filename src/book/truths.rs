//! Tests in words, and what is left of them once the options in force are known.

use crate::{
    english::{self, Describes, article},
    nouns::{either_of, said_of_several},
    page::Inline,
    phrases::{Teller, words},
    subject::{Settled, spoken},
};
use omerta_core::rules::{FactShape, GroupId, Kind};
use omerta_syntax::settled;
use omerta_syntax::tree::{CompareOp, Expr, ExprKind, Name, Of, Query, Rule};

impl Teller<'_> {
    /// A test as it stands, whatever the options have settled.
    pub fn truth(&self, expr: &Expr) -> Vec<Inline> {
        match &*expr.kind {
            ExprKind::Group(inner) if joins(inner) => words!["(", self.truth(inner), ")"],
            ExprKind::Group(inner) => self.truth(inner),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                match self.several(parts, matches!(*expr.kind, ExprKind::Or(_))) {
                    Ok(told) => told,
                    Err(true) => words!["always"],
                    Err(false) => words!["never"],
                }
            }
            ExprKind::Not(inner) => self.untruth(inner),
            ExprKind::No(set) => self.there_is(set, false),
            ExprKind::Some(set) => self.there_is(set, true),
            ExprKind::Every { set, negated, is } => {
                let every = if *negated { "no " } else { "every " };
                let whom = match self.noun(set) {
                    Some(noun) => noun.each(every),
                    None if *negated => words!["none of ", self.expr(set)],
                    None => words!["every one of ", self.expr(set)],
                };
                // Who have answered yes are several.
                let is_of_an_answer = is
                    .bare_name()
                    .is_some_and(|name| self.subject.is_local(&name.text));
                match self.noun(is) {
                    Some(noun) if noun.is_a_name() && is_of_an_answer => {
                        words![whom, " is among ", self.expr(is)]
                    }
                    _ => words![whom, " is ", self.said_of(is)],
                }
            }
            ExprKind::During(scene) => words!["it is ", self.name(scene)],
            ExprKind::Compare(left, op, of, right) => self.comparison(left, *op, *of == Of::Half, right),
            ExprKind::Query(query) => self.said_to_hold(expr, query, true),
            _ => self.expr(expr),
        }
    }

    /// That a test does not hold.
    pub fn untruth(&self, expr: &Expr) -> Vec<Inline> {
        match &*expr.kind {
            ExprKind::Group(inner) => self.untruth(inner),
            ExprKind::Not(inner) => self.truth(inner),
            ExprKind::No(set) => self.there_is(set, true),
            ExprKind::Some(set) => self.there_is(set, false),
            ExprKind::During(scene) => words!["it is not ", self.name(scene)],
            ExprKind::Compare(left, op, of, right) => {
                let other = match op {
                    CompareOp::Is => CompareOp::IsNot,
                    CompareOp::IsNot => CompareOp::Is,
                    CompareOp::AtLeast => CompareOp::LessThan,
                    CompareOp::LessThan => CompareOp::AtLeast,
                    CompareOp::AtMost => CompareOp::MoreThan,
                    CompareOp::MoreThan => CompareOp::AtMost,
                    CompareOp::Exactly => return words!["it is not so that ", self.truth(expr)],
                };
                self.comparison(left, other, *of == Of::Half, right)
            }
            ExprKind::Query(query) => self.said_to_hold(expr, query, false),
            _ if joins(expr) => words!["it is not so that (", self.truth(expr), ")"],
            _ => words!["it is not so that ", self.truth(expr)],
        }
    }

    /// `called off is no`, `tough holds for the second quest`
    fn said_to_hold(&self, expr: &Expr, query: &Query, holds: bool) -> Vec<Inline> {
        let meant = self
            .subject
            .defined(&query.name.text)
            .filter(|_| self.spells_tests);
        if let Some(meant) = meant.filter(|_| expr.bare_name().is_some()) {
            return match holds {
                true => self.truth(meant),
                false => self.untruth(meant),
            };
        }
        let verb = self.holds(&query.name, holds);
        match &query.of {
            Some(of)
                if self.shape(&query.name.text).is_none() && !self.subject.is_local(&query.name.text) =>
            {
                words![self.name(&query.name), verb, " for ", self.expr(of.inside())]
            }
            _ => words![self.yes_or_no(expr, &query.name), verb],
        }
    }

    /// What a name that is a test is called in it: an answer without its article.
    fn yes_or_no(&self, expr: &Expr, name: &Name) -> Vec<Inline> {
        match expr.bare_name().is_some() && self.subject.is_local(&name.text) {
            true => words![format!("“{}”", spoken(&name.text))],
            false => self.expr(expr),
        }
    }

    /// ` is yes` of what is set to it, ` holds` of what is defined.
    fn holds(&self, name: &Name, holds: bool) -> &'static str {
        let is_set = self.shape(&name.text) == Some(FactShape::Flag) || self.subject.is_local(&name.text);
        match (is_set, holds) {
            (true, true) => " is yes",
            (true, false) => " is no",
            (false, true) => " holds",
            (false, false) => " does not hold",
        }
    }

    /// `nobody is dying`, `there is no living wolf`, `there is a target`
    fn there_is(&self, set: &Expr, some: bool) -> Vec<Inline> {
        if let Some((test, whom)) = self.provided(set) {
            let not = words!["it is not so that "];
            return words![
                if some { Vec::new() } else { not },
                self.there_is(whom, true),
                " and ",
                test
            ];
        }
        if let Some(cards) = self.cards_in(set) {
            return words![if some { "there are " } else { "there are no " }, cards];
        }
        if let ExprKind::Where { set: place, .. } = &*set.inside().kind
            && self.are_things(place)
        {
            let there_is = if some {
                "there is a card among "
            } else {
                "there is no card among "
            };
            return words![there_is, self.expr(set.inside())];
        }
        let who = if some { "somebody" } else { "nobody" };
        if let Some((whom, is_one, what)) = self.within(set) {
            return match (is_one, some) {
                (true, true) => words![whom, " is ", what],
                (true, false) => words![whom, " is not ", what],
                (false, _) => words![who, " among ", whom, " is ", what],
            };
        }
        let name = set.bare_name().map(|name| name.text.as_str());
        if let Some(name) = name
            && self.are_named(set)
            && !self.bound.contains_key(name)
        {
            let told = spoken(name);
            if self.subject.said_yes(name) {
                return words!["there is ", who, " among the ", told];
            }
            // `there are patients`
            if english::describes(&told) == Describes::No && english::is_several(&told) {
                return words![if some { "there are " } else { "there are no " }, told];
            }
        }
        match (self.noun(set), name) {
            (Some(_), Some("me")) if self.bound.contains_key("me") => words![who, " answers the call"],
            // `there is a target`, `there is a checked player`
            (Some(noun), Some(name)) if noun.is_a_name() => {
                let is_card = self.subject.is_card(name);
                let name = spoken(name);
                let thing = match english::describes(&name) {
                    Describes::No => "",
                    _ if is_card => " card",
                    _ => " player",
                };
                let a = article(&words![name.clone()]);
                words!["there is ", if some { a } else { "no " }, name, thing]
            }
            (Some(noun), _) if some => noun.some(),
            (Some(noun), _) => noun.none(),
            (None, _) => match &*set.kind {
                ExprKind::Query(Query {
                    name, of: Some(of), ..
                }) if self.subject.term(&name.text).is_some() => self.there_is_one_of(name, of, some),
                _ if self.is_zone(set) => words![
                    "there is ",
                    if some { "a" } else { "no" },
                    " card in ",
                    self.expr(set)
                ],
                ExprKind::Query(query) if self.is_a_value(&query.name) => {
                    let word = self.name(&query.name);
                    words!["there is ", if some { article(&word) } else { "no " }, word]
                }
                _ => words!["there is ", who, " among ", self.expr(set)],
            },
        }
    }

    /// Whether a number, a word or a text is remembered by a name, and nobody.
    fn is_a_value(&self, name: &Name) -> bool {
        matches!(
            self.shape(&name.text),
            Some(FactShape::Count | FactShape::CountOfEach)
        )
    }

    /// Those beside somebody, or several who were named, of whom something is said: whom, whether that is one, and what.
    fn within(&self, set: &Expr) -> Option<(Vec<Inline>, bool, Vec<Inline>)> {
        let ExprKind::Narrow(items) = &*set.inside().kind else {
            return None;
        };
        let beside = |item: &&Expr| match &*item.inside().kind {
            _ if self.are_named(item) => true,
            ExprKind::Query(query) => ["left", "right", "neighbours"].contains(&query.name.text.as_str()),
            _ => false,
        };
        let (whom, what): (Vec<&Expr>, Vec<&Expr>) = items.iter().partition(beside);
        let ([whom], false) = (&whom[..], what.is_empty()) else {
            return None;
        };
        let what = what.into_iter().cloned().collect::<Vec<Expr>>();
        let is_one = !self.are_named(whom)
            && !matches!(&*whom.inside().kind, ExprKind::Query(query) if query.name.text == "neighbours");
        Some((self.expr(whom.inside()), is_one, self.all_of(&what)))
    }

    /// `there is no submission of p`
    fn there_is_one_of(&self, name: &Name, of: &Expr, some: bool) -> Vec<Inline> {
        let (word, spoken) = (self.name(name), spoken(&name.text));
        let of = self.expr(of);
        let who = if some { "somebody" } else { "nobody" };
        let leads_to = { self.shape(&name.text) }.and_then(FactShape::links_to);
        if leads_to.is_some_and(|kind| kind != Kind::Players) {
            let what = if some { "something" } else { "nothing" };
            return words!["there is ", what, " that is the ", word, " of ", of];
        }
        if self.subject.is_set(&name.text) {
            return words!["there is ", who, " in the ", word, " of ", of];
        }
        let describes = match self.is_a_value(name) {
            true => Describes::No,
            false => english::describes(&spoken),
        };
        match (describes, some) {
            (Describes::No, false) => words!["there is no ", word, " of ", of],
            (Describes::No, true) if english::is_several(&spoken) => words!["there are ", word, " of ", of],
            (Describes::No, true) => words!["there is ", article(&word), word, " of ", of],
            _ => words!["there is ", who, " in the ", word, " of ", of],
        }
    }

    fn comparison(&self, left: &Expr, op: CompareOp, half: bool, right: &Expr) -> Vec<Inline> {
        // `nobody is not living`
        if left.inside().is_nobody()
            && !right.inside().is_nobody()
            && matches!(op, CompareOp::Is | CompareOp::IsNot)
        {
            return self.there_is(right, op == CompareOp::IsNot);
        }
        if let ExprKind::Times(scene) = &*left.kind {
            // Whether it has been at all is asked elsewhere, too.
            let at_all = match (op, settled::number(right)) {
                (CompareOp::Is | CompareOp::Exactly | CompareOp::AtMost, Some(0))
                | (CompareOp::LessThan, Some(1)) => Some(" has not come yet"),
                (CompareOp::IsNot | CompareOp::MoreThan, Some(0)) | (CompareOp::AtLeast, Some(1)) => {
                    Some(" has come")
                }
                _ => None,
            };
            if let Some(whether) = at_all {
                return words![self.name(scene), whether];
            }
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
        if let (Some(of), CompareOp::Is | CompareOp::IsNot) = (team_of(right), op) {
            let not = if op == CompareOp::IsNot { "not " } else { "" };
            match (team_of(left), self.noun(left)) {
                (Some(left), _) => {
                    return words![
                        "the team of ",
                        self.expr(left),
                        " is ",
                        not,
                        "that of ",
                        self.expr(of)
                    ];
                }
                (None, Some(noun)) => {
                    let is = if noun.is_many() { " are " } else { " is " };
                    return words![noun.all(), is, not, "of the team of ", self.expr(of)];
                }
                (None, None) => {}
            }
        }
        if let Some((card, some)) = self.in_the_game(left, op, right) {
            let is_many = self.noun(card).is_some_and(|noun| noun.is_many());
            let is = if is_many { " are" } else { " is" };
            let whether = if some { " in the game" } else { " not in the game" };
            return words![self.expr(card), is, whether];
        }
        let is_card = self.are_things(left);
        match (
            self.noun(left).filter(|_| !is_card || !self.is_a_thing(right)),
            op,
        ) {
            (Some(noun), CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly) => {
                self.compared(noun.all(), noun.is_many(), op, half, right)
            }
            // How many they are is compared.
            (Some(noun), _) => self.compared(noun.number(), false, op, half, right),
            // What a card is, or the side of a token.
            (None, CompareOp::Is | CompareOp::IsNot) if self.is_a_thing(right) => {
                let is = if op == CompareOp::Is { " is " } else { " is not " };
                words![self.expr(left), is, self.thing(right)]
            }
            (None, _) => self.compared(self.expr(left), self.tells_several(left), op, half, right),
        }
    }

    /// The same behind what is compared.
    pub fn compared(
        &self,
        left: Vec<Inline>,
        many: bool,
        op: CompareOp,
        half: bool,
        right: &Expr,
    ) -> Vec<Inline> {
        let is = if many { " are" } else { " is" };
        let how = match op {
            CompareOp::Is => " ",
            CompareOp::IsNot => " not ",
            CompareOp::Exactly => " exactly ",
            CompareOp::AtLeast => " at least ",
            CompareOp::AtMost => " at most ",
            CompareOp::MoreThan => " more than ",
            CompareOp::LessThan => " less than ",
        };
        let right = match op {
            CompareOp::Is | CompareOp::IsNot => self.said_of(right),
            CompareOp::Exactly => self.expr(right),
            _ => match self.noun(right).filter(|noun| !noun.is_a_name()) {
                Some(noun) => noun.number(),
                None => self.expr(right),
            },
        };
        let half = if half { "half of " } else { "" };
        // `the winners are of the guild`
        let right = if many { said_of_several(right) } else { right };
        words![left, is, how, half, right]
    }

    /// What is left of a test once the options in force are known.
    pub fn test(&self, expr: &Expr) -> Result<Vec<Inline>, bool> {
        match &*expr.kind {
            ExprKind::Group(inner) if joins(inner) && self.is_still_joined(inner) => {
                Ok(words!["(", self.test(inner)?, ")"])
            }
            ExprKind::Group(inner) => self.test(inner),
            ExprKind::And(parts) => self.several(parts, false),
            ExprKind::Or(parts) => self.several(parts, true),
            ExprKind::Cases { cases, otherwise } => match yes_when(cases, otherwise.as_ref()) {
                Some((test, true)) => self.test(test),
                Some((test, false)) => match self.test(test) {
                    Err(known) => Err(!known),
                    Ok(_) => Ok(self.untruth(test)),
                },
                None => Ok(words!["it is so: ", self.expr(expr)]),
            },
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

    /// Whether more than one part is left of what is joined, once the options in force are known.
    fn is_still_joined(&self, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.iter().filter(|part| self.test(part).is_ok()).count() > 1
            }
            _ => true,
        }
    }

    /// Parts joined by `and`, or by `or`: one that is settled is left out, or settles the whole.
    fn several(&self, parts: &[Expr], or: bool) -> Result<Vec<Inline>, bool> {
        let mut left: Vec<Inline> = Vec::new();
        for part in parts {
            match self.test(part) {
                Err(known) if known == or => return Err(or),
                Err(_) => {}
                Ok(words) => {
                    let words = match joins(part) && self.is_still_joined(part) {
                        true => words!["(", words, ")"],
                        false => words,
                    };
                    left = match left.is_empty() {
                        true => words,
                        false => words![left, if or { " or " } else { " and " }, words],
                    };
                }
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
            ExprKind::Compare(left, op @ (CompareOp::Is | CompareOp::IsNot), Of::All, right) => {
                let of_the_card = self.is_of_the_card(left, right);
                if let Some(is) = of_the_card.or_else(|| self.is_for_good(left, right)) {
                    return settled(is == (*op == CompareOp::Is));
                }
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

    /// Whether the card that is called is that, or of that team, where it is known which one that is.
    fn is_of_the_card(&self, left: &Expr, right: &Expr) -> Option<bool> {
        let rules = self.subject.rules;
        let card = (*self.cards.get(&left.bare_name()?.text)?)?;
        let group = |side: &Expr| rules.group_named(&side.bare_name()?.text);
        let groups: Option<Vec<GroupId>> = either_of(right).into_iter().map(group).collect();
        Some(groups?.into_iter().any(|group| rules.is_of(card, group)))
    }

    /// Whether a number that never changes is another: `hidden-cards is 0`.
    fn is_for_good(&self, left: &Expr, right: &Expr) -> Option<bool> {
        let ExprKind::Query(query) = &*left.inside().kind else {
            return None;
        };
        let value = self.subject.constant(&query.name.text);
        let value = value.filter(|_| !self.bound.contains_key(&query.name.text))?;
        match (&*value.kind, &*right.kind) {
            (ExprKind::Int(one), ExprKind::Int(other)) => Some(one == other),
            _ => None,
        }
    }

    /// Whether the options in force leave a rule in.
    pub fn comes_in(&self, rule: &Rule) -> bool {
        self.when(rule.when.as_ref()).is_some()
    }

    /// `, when TEST`; nothing where it surely holds, and no value where it surely does not.
    pub fn when(&self, when: Option<&Expr>) -> Option<Vec<Inline>> {
        let words = self.condition(when)?;
        match words.is_empty() {
            true => Some(words),
            false => Some(words![", when ", words]),
        }
    }

    /// The same without the words that join it to what stands before.
    pub fn condition(&self, when: Option<&Expr>) -> Option<Vec<Inline>> {
        match when.map(|when| self.test(when)) {
            None | Some(Err(true)) => Some(Vec::new()),
            Some(Err(false)) => None,
            Some(Ok(words)) => Some(words),
        }
    }
}

/// `yes when TEST else no`: the test, and whether it is to hold.
fn yes_when<'e>(cases: &'e [(Expr, Expr)], otherwise: Option<&Expr>) -> Option<(&'e Expr, bool)> {
    let truth = |value: &Expr| match *value.inside().kind {
        ExprKind::Truth(truth) => Some(truth),
        _ => None,
    };
    let [(value, test)] = cases else { return None };
    let value = truth(value)?;
    (truth(otherwise?)? != value).then_some((test, value))
}

/// Whose team is meant.
fn team_of(expr: &Expr) -> Option<&Expr> {
    let (name, of) = expr.inside().read_of()?;
    Some(of).filter(|_| name.text == "team")
}

/// Whether a test is of several parts, which brackets hold together.
fn joins(test: &Expr) -> bool {
    matches!(*test.kind, ExprKind::And(_) | ExprKind::Or(_))
}

impl Teller<'_> {
    /// `copies of Healer is more than 0`: the card, and whether it is to be among those that were dealt.
    fn in_the_game<'e>(&self, left: &'e Expr, op: CompareOp, right: &Expr) -> Option<(&'e Expr, bool)> {
        let (name, of) = left.inside().read_of()?;
        let card = Some(of).filter(|of| name.text == "copies" && of.bare_name().is_some())?;
        let ExprKind::Int(number) = *right.inside().kind else {
            return None;
        };
        let is_the_only = self.noun(card).is_some_and(|noun| noun.is_the_only());
        match (op, number) {
            (CompareOp::MoreThan | CompareOp::IsNot, 0) | (CompareOp::AtLeast, 1) => Some((card, true)),
            (CompareOp::Is, 1) if is_the_only => Some((card, true)),
            (CompareOp::Is | CompareOp::AtMost, 0) | (CompareOp::LessThan, 1) => Some((card, false)),
            _ => None,
        }
    }
}
