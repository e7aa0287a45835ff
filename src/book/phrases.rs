//! Texts and expressions in words: the author's own, with names as one says them, and without what the
//! options in force have settled.

use crate::{
    english,
    page::Inline,
    subject::{Subject, spoken},
};
use omerta_core::rules::{GroupId, GroupKind};
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{Domain, Expr, ExprKind, Name, OrNobody, Text, TextPiece};
use omerta_syntax::walk::for_each_expr;
use std::collections::{BTreeMap, BTreeSet};

/// `words!["Ask ", expr, "."]`: plain words and parts side by side.
macro_rules! words {
    ($($part:expr),* $(,)?) => {{
        let mut all: Vec<Inline> = Vec::new();
        $(all.extend(crate::phrases::Part::from($part).0);)*
        crate::phrases::joined(all)
    }};
}
pub(super) use words;

/// One of several by turns.
pub const THIS_ONE: &str = "this player";
/// Somebody who was picked, or of whom something is worked out.
pub const THAT_ONE: &str = "that player";
/// To whom something happens.
pub const THE_ONE: &str = "the player";
/// Through whom.
pub const BEHIND_IT: &str = "whoever is behind it";
/// A role or a team that is handed over.
pub const THAT_CARD: &str = "that card";
/// One of several cards by turns.
pub const THIS_CARD: &str = "this card";
/// What letters stand for.
pub const STAND_INS: [&str; 6] = [THIS_ONE, THAT_ONE, THE_ONE, BEHIND_IT, THAT_CARD, THIS_CARD];

/// What can stand in a line.
pub struct Part(pub Vec<Inline>);

impl From<&str> for Part {
    fn from(words: &str) -> Self {
        Part(vec![Inline::Words(words.to_owned())])
    }
}

impl From<String> for Part {
    fn from(words: String) -> Self {
        Part(vec![Inline::Words(words)])
    }
}

impl From<Inline> for Part {
    fn from(part: Inline) -> Self {
        Part(vec![part])
    }
}

impl From<Vec<Inline>> for Part {
    fn from(parts: Vec<Inline>) -> Self {
        Part(parts)
    }
}

/// A call of a card, if it is known which, and what for.
#[derive(Clone)]
pub struct Made {
    /// The role or team.
    pub card: Option<Name>,
    /// What for.
    pub purpose: Option<Name>,
}

/// Tells in words, with some names standing for others: `me` for the doctor.
#[derive(Clone)]
pub struct Teller<'a> {
    /// What is told about.
    pub subject: Subject<'a>,
    /// What names stand for here.
    pub bound: BTreeMap<String, String>,
    /// Which of them are cards, whose titles are said; and which card, where it is that and no other.
    pub cards: BTreeMap<String, Option<GroupId>>,
    /// The calls that are being told, one in the other.
    pub calls: Vec<String>,
    /// The call that is made, where the scene is told that makes it.
    pub made: Option<Made>,
    /// Whether tests are told by what they ask, and not by their names: where no list of words is at hand.
    pub spells_tests: bool,
}

impl<'a> Teller<'a> {
    /// With no name standing for another.
    pub fn of(subject: Subject<'a>) -> Self {
        Teller {
            subject,
            bound: BTreeMap::new(),
            cards: BTreeMap::new(),
            calls: Vec::new(),
            made: None,
            spells_tests: false,
        }
    }

    /// For a reader who has no list of words.
    pub fn spelling(&self) -> Self {
        Teller {
            spells_tests: true,
            ..self.clone()
        }
    }

    /// With a name standing for something.
    pub fn with(&self, name: &str, words: &str) -> Self {
        let mut other = self.clone();
        other.bound.insert(name.to_owned(), words.to_owned());
        other.cards.remove(name);
        other
    }

    /// With a name standing for a card.
    pub fn with_card(&self, name: &str, title: &str, which: Option<GroupId>) -> Self {
        let mut other = self.with(name, title);
        other.cards.insert(name.to_owned(), which);
        other
    }

    /// Where other words stand, of which none of those here is known.
    pub fn elsewhere(&self) -> Self {
        Teller {
            bound: BTreeMap::new(),
            cards: BTreeMap::new(),
            made: None,
            ..self.clone()
        }
    }

    /// With a letter standing for whom it is; the letter itself where that is spoken of already. A longer name says who is
    /// meant by itself: what is told of it stands behind it in brackets.
    pub fn naming(&self, name: &Name, whom: &str) -> (Self, String) {
        let said = spoken(&name.text);
        match english::answer(&said) == said && said.chars().count() < 3 && !self.speaks_of(whom) {
            true => (self.with(&name.text, whom), String::new()),
            false => (self.clone(), format!(" ({said})")),
        }
    }

    /// Whether some name stands for that already.
    pub fn speaks_of(&self, whom: &str) -> bool {
        self.bound.values().any(|words| words == whom)
    }

    /// The same where each of several is looked at; in a test within another, that one is spoken of as well.
    pub fn looking_at(&self, it: &str) -> Self {
        match self.bound.contains_key("it") {
            true => self.with("that", "that one").with("it", it),
            false => self.with("it", it),
        }
    }

    // ---- Texts

    /// A text with its slots as they would be filled.
    pub fn text(&self, text: &Text) -> String {
        with_a_capital(self.pieces(&text.pieces).trim())
    }

    /// What is shown, which is no sentence.
    pub fn shown(&self, text: &Text) -> String {
        self.pieces(&text.pieces).trim().to_owned()
    }

    fn pieces(&self, pieces: &[TextPiece]) -> String {
        let piece = |piece: &TextPiece| match piece {
            TextPiece::Words(words) => words.clone(),
            TextPiece::Slot(value) => self.slot(value),
            TextPiece::Several(titles) => self.title_for_several(titles),
            TextPiece::Choice { none, one, many, .. } => {
                let ways = [none, one, many].map(|way| self.pieces(way).trim().to_owned());
                let mut told: Vec<String> = Vec::new();
                for way in ways {
                    if !way.is_empty() && !told.contains(&way) {
                        told.push(way);
                    }
                }
                told.join(" / ")
            }
        };
        pieces.iter().map(piece).collect()
    }

    /// What decides between the wordings of a text that does not name it: `by the number of guards`.
    pub fn decided(&self, text: &Text) -> Vec<Inline> {
        let mut by = Vec::new();
        for piece in &text.pieces {
            if let TextPiece::Choice {
                value,
                none,
                one,
                many,
            } = piece
            {
                let ways = [none, one, many].map(|way| self.pieces(way).trim().to_owned());
                let are_alike = ways.iter().all(|way| *way == ways[0]);
                let names = names_in(value);
                let is_named = [none, one, many]
                    .into_iter()
                    .any(|way| speaks_of_any(way, &names));
                if !are_alike && !is_named {
                    by.extend(words![
                        if by.is_empty() { ", by " } else { " and by " },
                        self.number_among(value).unwrap_or_else(|| self.expr(value))
                    ]);
                }
            }
        }
        by
    }

    fn slot(&self, value: &Expr) -> String {
        let name = value.bare_name().map(|name| name.text.as_str());
        match name.and_then(|name| self.bound.get(name)) {
            // A person and not the card.
            Some(title) if name == Some("me") => match self.is_of_several(title) {
                true => "‹names›".to_owned(),
                false => "‹name›".to_owned(),
            },
            Some(title) if name.is_some_and(|name| self.cards.contains_key(name)) => title.clone(),
            Some(words) => format!("‹{words}›"),
            None => match name.and_then(|name| self.who_goes_by(name)) {
                Some(who) => format!("‹{who}›"),
                None => format!("‹{}›", self.plain(value)),
            },
        }
    }

    /// Players who go by the name of a card, in a text that is filled in: their names, and not the card's.
    fn who_goes_by(&self, name: &str) -> Option<String> {
        if name == "others" {
            return Some("the others".to_owned());
        }
        let group = &self.subject.rules.groups[self.subject.rules.group_named(name)?.index()];
        let title = &group.title;
        Some(match group.kind {
            GroupKind::Role => format!("who is {title}"),
            GroupKind::Team => format!("who is of {title}"),
            GroupKind::Token | GroupKind::Face => format!("who has {title}"),
            _ => return None,
        })
    }

    /// Whether several go by a title: that of a team, or one for several.
    fn is_of_several(&self, title: &str) -> bool {
        let mut groups = self.subject.rules.groups.iter();
        english::is_several(english::noun(title))
            || groups.any(|group| group.kind == GroupKind::Team && group.title == title)
    }

    /// The title for several of a role that is named; of one that is worked out it is not known yet.
    fn title_for_several(&self, titles: &Expr) -> String {
        let name = titles.bare_name();
        let groups = &self.subject.rules.groups;
        let group = match name.and_then(|name| self.bound.get(&name.text)) {
            Some(words) => groups
                .iter()
                .find(|group| self.subject.called(&group.name) == *words),
            None => groups
                .iter()
                .find(|group| name.is_some_and(|name| name.text == group.name)),
        };
        let several = group.and_then(|group| group.for_several().or_else(|| Some(group.title.clone())));
        several.unwrap_or_else(|| self.slot(titles))
    }

    // ---- Domains

    /// Among what one picks.
    pub fn domain(&self, domain: &Domain) -> Vec<Inline> {
        match domain {
            Domain::Set(set) => self.expr(set),
            Domain::Unseen(set) => words![self.expr(set), ", by their backs"],
            Domain::Numbers(from, to) => words![self.expr(from), " to ", self.expr(to)],
            Domain::Written { most } => {
                vec![Inline::Words(format!("a text of up to {} letters", most.value))]
            }
            Domain::Weighted(ways) => {
                let all: i64 = ways.iter().map(|(weight, _)| weight.value).sum();
                let way = |(weight, name): &(omerta_syntax::tree::Int, omerta_syntax::tree::Name)| {
                    format!("{} ({} in {all})", spoken(&name.text), weight.value)
                };
                let ways: Vec<String> = ways.iter().map(way).collect();
                vec![Inline::Words(ways.join(", "))]
            }
        }
    }

    /// What one pick among them is: `one of the living`, `a number from 1 to 6`.
    pub fn choice(&self, domain: &Domain) -> Vec<Inline> {
        match domain {
            Domain::Set(set) => self.one_of(set),
            Domain::Unseen(set) => words![self.one_of(set), ", by its back"],
            Domain::Numbers(..) => words!["a number from ", self.domain(domain)],
            Domain::Written { .. } | Domain::Weighted(_) => self.domain(domain),
        }
    }

    /// So many of them.
    pub fn so_many(&self, up_to: &str, count: &Expr, domain: &Domain) -> Vec<Inline> {
        let whom = match domain {
            Domain::Set(set) => self
                .noun(set)
                .filter(|noun| noun.is_everybody())
                .map(|_| words!["players"]),
            _ => None,
        };
        match (&*count.inside().kind, whom) {
            (ExprKind::Int(_), Some(players)) => words![up_to, self.expr(count), " ", players],
            (ExprKind::Int(_), None) => words![up_to, self.expr(count), " of ", self.domain(domain)],
            (_, whom) => words![
                up_to,
                "as many ",
                whom.unwrap_or_else(|| words!["of ", self.domain(domain)]),
                " as ",
                self.expr(count.inside())
            ],
        }
    }

    /// What one picks who picks none of them.
    pub fn nothing_of(&self, domain: &Domain) -> &'static str {
        match domain {
            Domain::Written { .. } => "nothing",
            Domain::Set(set) if !self.is_zone(set) => "nobody",
            _ => "none",
        }
    }

    /// `, or nobody`
    pub fn or_nobody(&self, or_nobody: &OrNobody, nobody: &str) -> Vec<Inline> {
        match or_nobody {
            OrNobody::Never => Vec::new(),
            OrNobody::Always => words![", or ", nobody],
            OrNobody::When(test) => match self.test(test) {
                Err(false) => Vec::new(),
                Err(true) => words![", or ", nobody],
                Ok(test) => words![", or ", nobody, " when ", test],
            },
        }
    }
}

/// Plain words side by side as one.
pub fn joined(parts: Vec<Inline>) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    for part in parts {
        match (out.last_mut(), part) {
            (Some(Inline::Words(before)), Inline::Words(words)) => before.push_str(&words),
            (_, part) => out.push(part),
        }
    }
    out
}

/// A line without any of its marks.
pub fn plain(parts: &[Inline]) -> String {
    let words = |part: &Inline| match part {
        Inline::Words(words) | Inline::Strong(words) | Inline::Term(words, _) => words.clone(),
        Inline::Said(words) => format!("“{words}”"),
    };
    parts.iter().map(words).collect()
}

/// The names that a value is worked out by.
fn names_in(value: &Expr) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for_each_expr(value, &mut |part| {
        if let ExprKind::Query(query) = &*part.kind {
            names.insert(query.name.text.as_str());
        }
    });
    names
}

/// Whether some words are filled with a value of one of these names.
fn speaks_of_any(pieces: &[TextPiece], names: &BTreeSet<&str>) -> bool {
    pieces.iter().any(|piece| match piece {
        TextPiece::Words(_) => false,
        TextPiece::Slot(value) | TextPiece::Several(value) => !names_in(value).is_disjoint(names),
        TextPiece::Choice { none, one, many, .. } => {
            [none, one, many].into_iter().any(|way| speaks_of_any(way, names))
        }
    })
}
