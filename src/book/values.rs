//! Values in words: whom they mean, and how many.

use crate::{
    english::{self, answer},
    nouns::{Noun, either_of, said_of_several, side_by_side},
    page::Inline,
    phrases::{Teller, plain, words},
    subject::spoken,
};
use omerta_core::rules::{FactShape, GroupKind, Kind};
use omerta_play::words::listed;
use omerta_syntax::tree::{BinaryOp, CompareOp, Domain, Expr, ExprKind, Name, Query};

/// What each of several has one of: of all of them one asks for the *roles*.
const HELD: &[&str] = &["place", "role", "seat", "team"];
/// What `it` is called in a test of each of several.
const HE: &str = "he";
/// What stands for a card, or a role.
const IT: &str = "it";

impl Teller<'_> {
    /// Whom or what an expression means.
    pub fn expr(&self, expr: &Expr) -> Vec<Inline> {
        if let Some(cards) = self.cards_in(expr) {
            return words!["the ", cards];
        }
        // `roles (Fox plus Sheep)`
        if let ExprKind::Narrow(items) = &*expr.kind
            && let [kind, cards] = &items[..]
            && kind.is_name("roles")
        {
            return match self.roles_in(cards) {
                Some(roles) => words!["these roles: ", roles],
                None => words!["the roles of ", self.expr(cards)],
            };
        }
        if let Some(roles) = self.roles_by_name(expr) {
            return words!["these roles: ", roles];
        }
        if let Some(noun) = self.noun(expr) {
            return noun.all();
        }
        match &*expr.kind {
            ExprKind::Int(number) => words![number.to_string().replace('-', "−")],
            ExprKind::Truth(truth) => words![if *truth { "yes" } else { "no" }],
            ExprKind::Text(text) => words![format!("“{text}”")],
            ExprKind::Query(query) => self.query(query),
            ExprKind::Group(inner) => match &*inner.kind {
                ExprKind::Binary(..) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Cases { .. } => {
                    words!["(", self.expr(inner), ")"]
                }
                _ => self.expr(inner),
            },
            ExprKind::Narrow(items) => self.narrow(items),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Where { set, test } => match self.noun(set) {
                // Somebody by a name: the test is about that one.
                Some(noun) => match self.looking_at(&plain(&noun.all())).test(test.inside()) {
                    Ok(test) => words![noun.all(), " if ", test],
                    Err(true) => noun.all(),
                    Err(false) => words!["nobody"],
                },
                None if self.shows(test).is_some() => {
                    let within = if self.is_zone(set.inside()) {
                        "the cards in "
                    } else {
                        ""
                    };
                    words![
                        within,
                        self.expr(set.inside()),
                        self.shows(test).unwrap_or_default()
                    ]
                }
                None => match self
                    .looking_at(if self.are_things(set) { IT } else { HE })
                    .test(test.inside())
                {
                    Ok(told) if !self.speaks_of_it(test) => words![self.expr(set), ", if ", told],
                    Ok(test) => words![self.expr(set), " for which ", test],
                    Err(true) => self.expr(set),
                    Err(false) => words!["nobody"],
                },
            },
            ExprKind::NumberOf(set) if let Some(cards) = self.cards_in(set) => {
                words!["the number of ", cards]
            }
            ExprKind::NumberOf(set) if self.is_zone(set) => words!["the number of cards in ", self.expr(set)],
            ExprKind::NumberOf(set) => self.number_of(set),
            ExprKind::Times(scene) => words!["the number of times ", self.name(scene), " has come"],
            ExprKind::Planned(event) => words!["whoever ", self.name(event), " is planned for"],
            ExprKind::Cases { cases, otherwise } => self.cases(cases, otherwise.as_ref()),
            _ => self.truth(expr),
        }
    }

    /// `red cards in the board`: of the cards of a place those of a kind.
    pub fn cards_in(&self, set: &Expr) -> Option<Vec<Inline>> {
        let ExprKind::Narrow(items) = &*set.inside().kind else {
            return None;
        };
        let (place, kinds) = items.split_first()?;
        let kinds: Option<Vec<&Name>> = kinds.iter().map(Expr::bare_name).collect();
        let [kind] = kinds?[..] else { return None };
        let group = self.subject.rules.group_named(&kind.text)?;
        let group = &self.subject.rules.groups[group.index()];
        let cards = match group.kind {
            GroupKind::Token | GroupKind::Face => self.tokens(kind).trim_start_matches("the ").to_owned(),
            GroupKind::Role => {
                { group.for_several() }.unwrap_or_else(|| english::several(english::noun(&group.title)))
            }
            _ => format!("cards of {}", group.title),
        };
        (self.is_zone(place.inside())).then(|| words![cards, " in ", self.expr(place.inside())])
    }

    /// ` that show the doctor`: what each of some cards is to be.
    fn shows(&self, test: &Expr) -> Option<Vec<Inline>> {
        let Some((left, op @ (CompareOp::Is | CompareOp::IsNot), right)) = test.inside().comparison() else {
            return None;
        };
        let group = self.titles_in(right)?;
        let is_it = left.is_name("it");
        let joint = if op == CompareOp::Is {
            " that show "
        } else {
            " that do not show "
        };
        is_it.then(|| words![joint, group])
    }

    /// Whether a test looks at each of several.
    fn speaks_of_it(&self, test: &Expr) -> bool {
        let text = self.subject.sources.slice(test.span);
        text.split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word == "it")
    }

    /// How many a set has.
    pub fn number_of(&self, set: &Expr) -> Vec<Inline> {
        if let Some(number) = self.number_among(set) {
            return number;
        }
        match self.noun(set) {
            Some(noun) => noun.number(),
            None => words!["the number of ", self.expr(set)],
        }
    }

    /// `the number of wolves among the near`: of several who go by one name, who may be one.
    pub fn number_among(&self, set: &Expr) -> Option<Vec<Inline>> {
        let is_name = |set: &Expr| {
            let is_one = |noun: Noun| noun.is_a_name();
            let name = set.bare_name().map(|name| name.text.as_str());
            name.is_some_and(|name| !["role", "seat"].contains(&name))
                && !self.are_things(set)
                && self.noun(set).is_none_or(is_one)
        };
        match &*set.inside().kind {
            ExprKind::Narrow(items) => {
                let (first, rest) = items.split_first().filter(|(first, _)| is_name(first))?;
                let noun = self.noun_of_several(rest).filter(|_| !rest.is_empty())?;
                Some(words![noun.number(), " among ", self.expr(first)])
            }
            ExprKind::Where { set, test } if is_name(set) => {
                let test = self.looking_at(HE).test(test.inside()).ok()?;
                Some(words![
                    "the number of those among ",
                    self.expr(set),
                    " for whom ",
                    test
                ])
            }
            _ => None,
        }
    }

    /// Whoever, or whatever, may be picked.
    pub fn one_of(&self, set: &Expr) -> Vec<Inline> {
        match self.noun(set) {
            Some(noun) => noun.one_of(),
            None if self.is_zone(set) => words!["a card of ", self.expr(set)],
            None => match self.words_among(set) {
                Some(names) => words![listed(names, "or")],
                None => {
                    let sides = either_of(set);
                    match sides.iter().any(|side| self.is_open(side)) && sides.len() > 1 {
                        true => words![
                            "one of these: ",
                            side_by_side(sides.iter().map(|side| self.expr(side)), "; ")
                        ],
                        false => words!["one of ", self.expr(set)],
                    }
                }
            },
        }
    }

    /// Whether what follows its words would be taken for a part of them: `the living except the dying`.
    pub fn is_open(&self, set: &Expr) -> bool {
        match (self.noun(set), &*set.kind) {
            (Some(noun), _) => noun.is_open(),
            (None, ExprKind::Binary(BinaryOp::Without, ..) | ExprKind::Where { .. }) => true,
            (None, ExprKind::Binary(BinaryOp::Plus, left, right)) => {
                self.is_open(left) || self.is_open(right)
            }
            _ => false,
        }
    }

    /// The words that something remembered may be.
    fn words_among(&self, set: &Expr) -> Option<Vec<String>> {
        let (name, of) = set.inside().read_of()?;
        let of = of.bare_name().filter(|_| name.text == "words")?;
        let fact = self.subject.rules.fact_named(&of.text)?;
        Some(fact.words.iter().map(|(_, title)| title.clone()).collect())
    }

    /// What is said of somebody, behind `is`.
    pub fn said_of(&self, expr: &Expr) -> Vec<Inline> {
        if self.are_named(expr) && !self.are_things(expr) {
            return words!["among ", self.expr(expr)];
        }
        if let Some(noun) = self.noun(expr) {
            return noun.said();
        }
        match &*expr.kind {
            ExprKind::Group(inner) => self.said_of(inner),
            ExprKind::Binary(BinaryOp::Plus, left, right) => {
                let or = match self.is_open(left) || self.is_open(right) {
                    true => ", or else ",
                    false => " or ",
                };
                words![self.said_of(left), or, self.said_of(right)]
            }
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                let (left, sides) = (self.said_of(left), either_of(left));
                let mut told = left;
                for side in either_of(right) {
                    let but = if sides.len() > 1 {
                        ", but not "
                    } else {
                        " and not "
                    };
                    told = words![told, but, self.said_of(side)];
                }
                told
            }
            ExprKind::Query(query) if query.name.text == "roles" && query.of.is_some() => {
                words!["one of ", self.expr(expr)]
            }
            _ => self.expr(expr),
        }
    }

    /// A set that hangs on a condition, as its condition and who is meant: `target guilty` is the target, if he is
    /// guilty.
    pub fn provided<'e>(&self, expr: &'e Expr) -> Option<(Vec<Inline>, &'e Expr)> {
        match &*expr.kind {
            ExprKind::Group(inner) => self.provided(inner),
            ExprKind::Narrow(items) => {
                let (first, rest) = items.split_first()?;
                let name = { self.noun(first) }.filter(|noun| noun.is_a_name() && !self.are_named(first))?;
                let test = words![name.all(), " is ", self.all_of(rest)];
                Some((test, first))
            }
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                let (test, whom) = self.provided(left)?;
                Some((words![test, " and not ", self.said_of(right)], whom))
            }
            _ => None,
        }
    }

    /// Whether tokens are meant, or sides of them, by their names.
    pub fn is_a_thing(&self, expr: &Expr) -> bool {
        let is_one = |expr: &Expr| {
            let name = expr.bare_name();
            let group = name.and_then(|name| self.subject.rules.group_named(&name.text));
            let kind = group.map(|group| self.subject.rules.groups[group.index()].kind);
            matches!(kind, Some(GroupKind::Token | GroupKind::Face))
        };
        either_of(expr).into_iter().all(is_one)
    }

    /// A card or a token, as a thing: not those who hold it.
    pub fn thing(&self, expr: &Expr) -> Vec<Inline> {
        match self.titles_in(expr).filter(|_| self.is_a_thing(expr)) {
            Some(titles) => words![titles],
            None => self.expr(expr),
        }
    }

    /// `a scope or a horse`: cards by their titles.
    fn titles_in(&self, cards: &Expr) -> Option<String> {
        let title = |card: &Expr| self.subject.title_of(&card.bare_name()?.text).map(str::to_owned);
        let titles: Option<Vec<String>> = either_of(cards).into_iter().map(title).collect();
        Some(listed(titles?, "or"))
    }

    /// Whether cards are meant, or roles: whatever is no player.
    pub fn are_things(&self, set: &Expr) -> bool {
        match &*set.inside().kind {
            ExprKind::Query(query) => {
                query.name.text == "roles"
                    || self
                        .bound
                        .get(query.name.text.as_str())
                        .is_some_and(|it| it == IT)
                    || self.subject.is_card(&query.name.text)
                    || self.subject.are_cards(set)
            }
            ExprKind::Narrow(items) => items.first().is_some_and(|first| self.are_things(first)),
            _ => self.subject.are_cards(set),
        }
    }

    /// `role Smuggler plus Baker`, which means no players.
    fn roles_by_name(&self, set: &Expr) -> Option<Vec<Inline>> {
        let sides = either_of(set);
        let is_role = |side: &&&Expr| role_in(side).is_some();
        let roles = sides.iter().find(is_role).filter(|_| sides.len() > 1);
        roles.and_then(|_| self.roles_in(set))
    }

    /// `Smuggler plus Baker`: by their titles.
    fn roles_in(&self, set: &Expr) -> Option<Vec<Inline>> {
        match &*set.inside().kind {
            ExprKind::Binary(BinaryOp::Plus, left, right) => {
                Some(words![self.roles_in(left)?, ", ", self.roles_in(right)?])
            }
            _ => {
                let name = role_in(set).unwrap_or(set).bare_name()?;
                let group = self.subject.rules.group_named(&name.text)?;
                let is_role = group.index() < self.subject.rules.roles.len();
                is_role.then(|| words![self.subject.rules.groups[group.index()].title.clone()])
            }
        }
    }

    fn narrow(&self, items: &[Expr]) -> Vec<Inline> {
        match items {
            // `role Smuggler` is that card.
            [kind, role] if kind.is_name("role") => match self.noun(role) {
                Some(noun) => noun.any(),
                None => self.expr(role),
            },
            [kind, number] if kind.is_name("seat") => {
                words!["the seat whose number is ", self.expr(number)]
            }
            // Of all who have answered yes, some.
            [first, rest @ ..] if self.are_named(first) => {
                words![
                    "those among ",
                    self.expr(first),
                    " who are ",
                    said_of_several(self.all_of(rest))
                ]
            }
            [first, rest @ ..] => words![self.expr(first), " (if ", self.all_of(rest), ")"],
            [] => Vec::new(),
        }
    }

    pub fn all_of(&self, items: &[Expr]) -> Vec<Inline> {
        let mut told = Vec::new();
        for item in items {
            let before = if told.is_empty() { "" } else { " and " };
            told = words![told, before, self.said_of(item)];
        }
        told
    }

    pub fn is_zone(&self, expr: &Expr) -> bool {
        matches!(&*expr.kind, ExprKind::Query(query) if self.subject.zone(&query.name.text).is_some())
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Vec<Inline> {
        let half = matches!(*right.kind, ExprKind::Int(2));
        let part = |part: &Expr| match &*part.kind {
            // What is said behind a comma ends before the next sign.
            ExprKind::Binary(BinaryOp::DivideUp | BinaryOp::DivideDown | BinaryOp::Remainder, ..)
                if op.counts() =>
            {
                words!["(", self.expr(part), ")"]
            }
            _ => self.expr(part),
        };
        let (one, other) = (part(left), part(right));
        match op {
            BinaryOp::Plus if self.is_open(left) || self.is_open(right) => words![one, ", and also ", other],
            BinaryOp::Plus if self.noun(left).is_some() => words![one, " and ", other],
            BinaryOp::Plus => words![one, ", and ", other],
            BinaryOp::Without if self.subject.is_nobody(right) => one,
            BinaryOp::Without if matches!(*left.inside().kind, ExprKind::Binary(BinaryOp::Plus, ..)) => {
                words![self.expr(left.inside()), ", but not ", other]
            }
            BinaryOp::Without => words![one, " except ", other],
            BinaryOp::Else => words![one, ", or if there is none, ", other],
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

    fn query(&self, query: &Query) -> Vec<Inline> {
        if let Some(told) = self.votes(query).or_else(|| self.named_by(query)) {
            return told;
        }
        let among = query.among.as_ref();
        let among = among.map(|among| words![" among ", self.expr(among)]);
        let count = match (&query.number, &query.count) {
            (Some(number), _) => words![format!(" {}", number.value)],
            (None, Some(count)) => words![" ", self.expr(count)],
            (None, None) => Vec::new(),
        };
        let told = match &query.of {
            Some(of) => self.query_of(&query.name, count, of),
            None if count.is_empty() => self.bare(&query.name),
            None => words![spoken(&query.name.text), count],
        };
        words![told, among.unwrap_or_default(), self.weighing(query)]
    }

    /// `those of the candidates with the most votes`: what is counted of a link.
    fn votes(&self, query: &Query) -> Option<Vec<Inline>> {
        let votes = query
            .of
            .as_ref()?
            .bare_name()
            .filter(|name| self.is_link(&name.text))?;
        let among = query.among.as_ref();
        let of = |joint: &'static str| match among.map(|among| self.expr(among)) {
            Some(among) if plain(&among) == HE => words![joint, "him"],
            Some(among) => words![joint, among],
            None => Vec::new(),
        };
        let weighing = self.weighing(query);
        let (it, votes) = (self.name(votes), self.several_of(&Some(votes.clone())));
        // Who was `elected` is no thing of which there are many.
        let is_said_of_people = english::is_said_of_people(&plain(&it));
        match query.name.text.as_str() {
            "most" if is_said_of_people => {
                Some(words!["those named most often as ", it, of(" among "), weighing])
            }
            "most" => Some(words!["those with the most ", votes, of(" among "), weighing]),
            "majority" => Some(words![
                "whoever",
                of(" of "),
                " has more than half of the ",
                votes,
                weighing
            ]),
            "tally" => Some(words!["the number of ", votes, of(" for "), weighing]),
            _ => None,
        }
    }

    /// `those who are most often the suspect of the living`: what is counted of a link of some.
    fn named_by(&self, query: &Query) -> Option<Vec<Inline>> {
        let ExprKind::Query(Query {
            name: link,
            of: Some(givers),
            number: None,
            count: None,
            among: None,
            ..
        }) = &*query.of.as_ref()?.inside().kind
        else {
            return None;
        };
        if !self.is_link(&link.text) {
            return None;
        }
        let among = query.among.as_ref().map(|among| self.expr(among));
        let whom = match &among {
            Some(among) => words!["those among ", among.clone(), " who are "],
            None => words!["those who are "],
        };
        let among = among.map_or_else(Vec::new, |among| words![" of ", among]);
        let (link, weighing) = (
            words!["the ", self.name(link), self.joint_of(link)],
            self.weighing(query),
        );
        let givers = self.expr(givers);
        match query.name.text.as_str() {
            "most" => Some(words![whom, "most often ", link, givers, weighing]),
            "majority" => Some(words![
                "whoever",
                among,
                " has the majority in ",
                link,
                givers,
                weighing
            ]),
            _ => None,
        }
    }

    /// ` of `, unless the name says that itself: `suspect of`.
    pub fn joint_of(&self, name: &Name) -> &'static str {
        match spoken(&name.text).ends_with(" of") {
            true => " ",
            false => " of ",
        }
    }

    fn weighing(&self, query: &Query) -> Vec<Inline> {
        // Where each counts one, nothing is weighed.
        let counts_one = |weight: &&Name| {
            let value = self.subject.constant(&weight.text);
            value.is_some_and(|value| matches!(*value.kind, ExprKind::Int(1)))
        };
        let weight = query.weighing.as_ref().filter(|weight| !counts_one(weight));
        weight.map_or_else(Vec::new, |weight| {
            words![
                " (each counted with the ",
                self.name(weight),
                " of whoever gives it)"
            ]
        })
    }

    fn is_link(&self, name: &str) -> bool {
        matches!(self.shape(name), Some(FactShape::Link { .. }))
    }

    /// `the aim that all of the crew have in common`
    fn in_common(&self, of: &Expr) -> Option<Vec<Inline>> {
        let (name, whose) = of.inside().read_of()?;
        let is_answer = self.is_link(&name.text) || self.subject.is_local(&name.text);
        is_answer.then(|| {
            words![
                "the ",
                self.name(name),
                " that all of ",
                self.expr(whose),
                " have in common"
            ]
        })
    }

    fn query_of(&self, name: &Name, count: Vec<Inline>, of: &Expr) -> Vec<Inline> {
        if name.text == "common"
            && let Some(told) = self.in_common(of)
        {
            return told;
        }
        // Of all players it is whoever somebody's is.
        if self.is_link(&name.text) && of.is_name("players") {
            return words![
                "those who are the ",
                self.name(name),
                count,
                self.joint_of(name),
                "anybody"
            ];
        }
        let (whose, is_many) = (of, self.are_many(of));
        let of = match self.expr(of).as_slice() {
            [Inline::Words(he)] if he == HE => {
                let own = self.own_zone(name);
                return words![
                    "his ",
                    own.map_or_else(|| self.name(name), |zone| words![zone]),
                    count
                ];
            }
            of => of.to_vec(),
        };
        if HELD.contains(&name.text.as_str()) && self.is_zone(whose) {
            return words!["the ", spoken(&name.text), count, " of the card in ", of];
        }
        if self.subject.term(&name.text).is_some() || self.bound.contains_key(&name.text) {
            return words!["the ", self.name(name), count, self.joint_of(name), of];
        }
        match name.text.as_str() {
            "most" => words!["those who are most often ", of],
            "least" => words!["those who are least often ", of],
            "majority" => words!["whoever has the majority in ", of],
            "holder" => words!["the holder of ", self.thing(whose)],
            "left" => words!["the left neighbour of ", of],
            "right" => words!["the right neighbour of ", of],
            "neighbours" => words!["the neighbours of ", of],
            "common" => words!["what is common to ", of],
            "copies" if plain(&of) == IT => words!["the number of its cards"],
            "copies" => words!["the number of cards of ", of],
            "tally" => words!["the number of ", of],
            "seat" if !count.is_empty() => words!["seat", count, " of ", of],
            "highest" | "lowest" => words!["whoever has the ", spoken(&name.text), " of ", of],
            "sum" => words!["the sum of ", of],
            "top" if count.is_empty() => words!["the topmost card of ", of],
            "top" => words!["the topmost", count, " cards of ", of],
            other => match self.subject.zone(other) {
                Some(zone) => words![zone, count, " of ", of],
                // The roles of several, the role of one.
                None if is_many && HELD.contains(&other) => {
                    words!["the ", english::several(&spoken(other)), count, " of ", of]
                }
                None => words!["the ", spoken(other), count, " of ", of],
            },
        }
    }

    /// Whether its words are those for several things: `fouls`, the roles of all.
    pub fn tells_several(&self, expr: &Expr) -> bool {
        match &*expr.inside().kind {
            ExprKind::Query(query)
                if (query.of.is_some() || self.subject.is_local(&query.name.text))
                    && query.name.text != "copies"
                    && english::is_several(&spoken(&query.name.text)) =>
            {
                true
            }
            _ => { expr.inside().read_of() }
                .is_some_and(|(name, of)| HELD.contains(&name.text.as_str()) && self.are_many(of)),
        }
    }

    /// Whether several players are meant: by a noun, or because so many were named.
    fn are_many(&self, of: &Expr) -> bool {
        self.noun(of).is_some_and(|noun| noun.is_many()) || self.are_named(of)
    }

    /// Whether so many were named.
    pub fn are_named(&self, of: &Expr) -> bool {
        let names_several = |name: &Name| self.subject.names_several(&name.text);
        of.bare_name().is_some_and(names_several)
    }

    /// Whether those whom one goes through are players.
    pub fn are_players(&self, among: &Domain) -> bool {
        match among {
            Domain::Set(set) => match &*set.inside().kind {
                ExprKind::Query(query) => match self.shape(&query.name.text) {
                    Some(shape) => shape.links_to().is_none_or(|kind| kind == Kind::Players),
                    None => self.subject.is_set(&query.name.text) && !self.are_things(set),
                },
                _ => self.noun(set).is_some(),
            },
            _ => false,
        }
    }

    /// A name by itself that stands for no players.
    pub fn bare(&self, name: &Name) -> Vec<Inline> {
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
        if let Some(title) = self.subject.title_of(word) {
            return words![title];
        }
        match (word, self.subject.term(word)) {
            ("host", _) => words!["the host"],
            (_, Some(term)) => words![term],
            _ if self.subject.is_local(word) => words![answer(&spoken(word))],
            _ => words![
                self.subject
                    .word(word)
                    .map_or_else(|| spoken(word), str::to_owned)
            ],
        }
    }

    /// An expression as plain words, in a text: no article before a name.
    pub fn plain(&self, expr: &Expr) -> String {
        let name = expr.bare_name();
        let group = name.and_then(|name| self.subject.rules.group_named(&name.text));
        let group = group.map(|group| &self.subject.rules.groups[group.index()]);
        match (name, group) {
            (_, Some(group)) if group.kind == GroupKind::Role => english::noun(&group.title).to_owned(),
            (_, Some(group)) => group.title.clone(),
            (Some(name), None) => self
                .bound
                .get(&name.text)
                .cloned()
                .unwrap_or_else(|| spoken(&name.text)),
            (None, None) => plain(&self.expr(expr)),
        }
    }
}

/// `role Smuggler`: the card.
fn role_in(set: &Expr) -> Option<&Expr> {
    match &*set.inside().kind {
        ExprKind::Narrow(items) => match &items[..] {
            [kind, card] if kind.is_name("role") => Some(card),
            _ => None,
        },
        _ => None,
    }
}
