//! Whom a set means, in the parts that English makes its phrases of: what stands before the noun, the noun for one and
//! for several, what follows it. The phrases are made of these parts alone.

use crate::{
    english::{self, Describes, answer, article},
    page::Inline,
    phrases::{STAND_INS, THAT_CARD, Teller, plain, words},
    subject::spoken,
};
use omerta_core::rules::{FactShape, GroupId, GroupKind, Ruleset};
use omerta_syntax::tree::{BinaryOp, CompareOp, Expr, ExprKind, Name, Of};

/// Before a word that is said of them.
const THOSE_WHO_ARE: &str = "those who are ";

/// Whom a set means.
#[derive(Clone)]
pub struct Noun {
    /// `other`: what the noun cannot do without.
    other: bool,
    /// Whether one player at the most is so marked.
    single: bool,
    /// `living`, `treated`: each may also stand for those who are it.
    before: Vec<Vec<Inline>>,
    head: Head,
    /// `marked suspect`, `in reach`: what is said of somebody behind the noun.
    marked: Vec<Vec<Inline>>,
    /// `the dying`: who is not meant all the same.
    except: Vec<Vec<Inline>>,
}

/// The noun itself.
#[derive(Clone)]
enum Head {
    /// All who play.
    Players,
    /// `wolf`, `wolves`; whether there is one at the most.
    Common {
        one: Vec<Inline>,
        many: Vec<Inline>,
        only: bool,
    },
    /// `Old Tom`: the title, without an article, of a card that one player has at the most.
    Proper(Vec<Inline>),
    /// `the mafia`: many who are told as one.
    Body(String),
    /// `civilians`: what has no word for one.
    Many(Vec<Inline>),
    /// `electorate`: a word of the rules for some of the players.
    Sort(Vec<Inline>),
    /// `accuser`: a mark that one player has at the most.
    Marked(Vec<Inline>),
    /// `the target`, `p`: somebody by a name.
    Named(Vec<Inline>),
}

impl Noun {
    fn of(head: Head) -> Noun {
        Noun {
            other: false,
            single: false,
            before: Vec::new(),
            head,
            marked: Vec::new(),
            except: Vec::new(),
        }
    }

    /// Players that a word is said of.
    fn described(words: Vec<Inline>, how: Describes) -> Noun {
        let mut noun = Noun::of(Head::Players);
        match how {
            Describes::Before => noun.before.push(words),
            Describes::Behind => noun.marked.push(words),
            Describes::No => noun.marked.push(words!["marked ", words]),
        }
        noun
    }

    /// Whether it is somebody by a name and nothing else.
    pub fn is_a_name(&self) -> bool {
        matches!(self.head, Head::Named(_)) && self.is_plain()
    }

    /// Whether one person at the most goes by it.
    pub fn is_the_only(&self) -> bool {
        matches!(
            self.head,
            Head::Marked(_) | Head::Proper(_) | Head::Common { only: true, .. }
        )
    }

    /// Whether its phrase takes `are`.
    pub fn is_many(&self) -> bool {
        match self.head {
            Head::Named(_) => false,
            _ if self.single => false,
            Head::Body(_) | Head::Sort(_) => !self.is_plain(),
            _ => !self.is_the_only(),
        }
    }

    /// Whether all players are meant.
    pub fn is_everybody(&self) -> bool {
        matches!(self.head, Head::Players) && self.is_plain() && self.except.is_empty()
    }

    /// Whether a word that stands before a noun says who is meant: `dying`.
    fn is_one_word(&self) -> bool {
        matches!(self.head, Head::Players)
            && !self.other
            && self.before.len() == 1
            && self.marked.is_empty()
            && self.except.is_empty()
    }

    /// Whether there is nothing but the noun, and perhaps who is not meant.
    fn is_plain(&self) -> bool {
        !self.other && self.before.is_empty() && self.marked.is_empty()
    }

    /// Words one behind the other, the first behind one joint, all others behind another.
    fn joined_by(parts: &[Vec<Inline>], first: &'static str, others: &'static str) -> Vec<Inline> {
        let mut told = Vec::new();
        let is_place = |part: &[Inline]| matches!(part.first(), Some(Inline::Words(words)) if words.starts_with("among "));
        for (at, part) in parts.iter().enumerate() {
            // `among the wolves whose debts are 3`
            let joint = match at {
                0 => first,
                _ if is_place(&parts[at - 1]) && is_clause(part) => " ",
                _ => others,
            };
            told = words![told, joint, part.clone()];
        }
        told
    }

    /// ` except the dying`, ` other than the dying`
    fn excepted(&self, word: &'static str) -> Vec<Inline> {
        // Behind a clause it would be taken for a part of that.
        let word = if self.is_told_by_a_clause() {
            ", but not "
        } else {
            word
        };
        Noun::joined_by(&self.except, word, " and ")
    }

    /// Whether what follows its phrase would be taken for a part of it: `the living except the dying`.
    pub fn is_open(&self) -> bool {
        !self.except.is_empty() || self.is_told_by_a_clause()
    }

    /// The noun with what stands before and behind it: `other living wolves in reach`.
    fn around(&self, head: Vec<Inline>) -> Vec<Inline> {
        let other = if self.other { "other " } else { "" };
        let mut told = words![other];
        for word in &self.before {
            told = words![told, word.clone(), " "];
        }
        words![told, head, Noun::joined_by(&self.marked, " ", " and ")]
    }

    /// `living wolf`
    fn one(&self) -> Vec<Inline> {
        let mut one = self.clone();
        one.marked.iter_mut().for_each(|marked| said_of_one(marked));
        one.around(match &self.head {
            Head::Players => words!["player"],
            Head::Common { one, .. } | Head::Marked(one) | Head::Proper(one) => one.clone(),
            Head::Body(title) => words!["member of ", title.clone()],
            Head::Many(many) => words!["one of the ", many.clone()],
            Head::Sort(sort) => words!["player counted as ", sort.clone()],
            Head::Named(name) => words![english::noun(&plain(name)).to_owned()],
        })
    }

    /// `living wolves`
    fn many(&self) -> Vec<Inline> {
        self.around(match &self.head {
            Head::Players => words!["players"],
            Head::Common { many, .. } | Head::Many(many) | Head::Marked(many) | Head::Proper(many) => {
                many.clone()
            }
            Head::Body(title) => words!["members of ", title.clone()],
            Head::Sort(sort) => words!["players counted as ", sort.clone()],
            Head::Named(name) => words![english::noun(&plain(name)).to_owned()],
        })
    }

    /// All of them: `the living`, `the other living players`, `the mafia`.
    pub fn all(&self) -> Vec<Inline> {
        let whom = match &self.head {
            Head::Named(name) if self.is_plain() => name.clone(),
            Head::Body(title) if self.is_plain() => words![title.clone()],
            Head::Proper(title) if self.is_plain() => title.clone(),
            Head::Sort(sort) if self.is_plain() => words!["the ", sort.clone()],
            Head::Players if self.is_plain() => words!["all players"],
            Head::Players if self.before.is_empty() && !self.other => self.around(words!["those"]),
            // One word is enough to say who: `the dying`.
            Head::Players if !self.other && self.before.len() == 1 && self.marked.is_empty() => {
                words!["the ", self.before[0].clone()]
            }
            _ if self.is_the_only() => words!["the ", self.one()],
            _ => words!["the ", self.many()],
        };
        // `the healer (if not dying)`
        match self.is_the_only() && !self.except.is_empty() && self.except.iter().all(|whom| is_said(whom)) {
            true => words![
                whom,
                " (if not ",
                Noun::joined_by(&self.all_said(), "", " or "),
                ")"
            ],
            false => words![whom, self.excepted(" except ")],
        }
    }

    /// Who is not meant, as it is said of somebody: `dying`.
    fn all_said(&self) -> Vec<Vec<Inline>> {
        let mut except = self.except.clone();
        for whom in &mut except {
            if let Some(Inline::Words(words)) = whom.first_mut()
                && let Some(word) = words.strip_prefix(THOSE_WHO_ARE)
            {
                *words = word.to_owned();
            }
        }
        except
    }

    /// The noun by itself, once it is known who is meant.
    pub fn alone(&self) -> Noun {
        Noun {
            single: self.single,
            ..Noun::of(self.head.clone())
        }
    }

    /// Whoever is picked among them: `one of the living`, `another player`.
    pub fn one_of(&self) -> Vec<Inline> {
        let is_everybody =
            matches!(self.head, Head::Players) && self.before.is_empty() && self.marked.is_empty();
        match is_everybody {
            true if self.other => words!["another player", self.excepted(" except ")],
            true => words!["any player", self.excepted(" except ")],
            false if self.is_the_only() => self.all(),
            // A card that is called, and one of several by turns, are one player.
            false if self.single && self.is_a_name() => self.all(),
            false => words!["one of ", self.all()],
        }
    }

    /// Any of them: `a treated player`, `anybody`.
    pub fn any(&self) -> Vec<Inline> {
        match &self.head {
            Head::Named(_) => self.all(),
            _ if self.is_the_only() => self.all(),
            Head::Players if self.is_plain() => words!["anybody", self.excepted(" except ")],
            Head::Body(_) | Head::Many(_) | Head::Sort(_) => words!["one of ", self.all()],
            _ => {
                let one = self.one();
                let first = if self.other { "an" } else { article(&one) };
                words![first, one, self.excepted(" other than ")]
            }
        }
    }

    /// How many they are: `the number of living wolves`.
    pub fn number(&self) -> Vec<Inline> {
        match &self.head {
            Head::Named(_) => words!["the number of players among ", self.all()],
            Head::Sort(_) if self.is_plain() => words!["the number of players in ", self.all()],
            _ => words!["the number of ", self.many(), self.excepted(" except ")],
        }
    }

    /// `every living wolf`, `no living wolf`
    pub fn each(&self, every: &str) -> Vec<Inline> {
        match (&self.head, every) {
            (Head::Many(_) | Head::Named(_) | Head::Sort(_), "every ") => words!["every one of ", self.all()],
            (Head::Many(_) | Head::Named(_) | Head::Sort(_), _) => words!["none of ", self.all()],
            _ => words![every, self.one(), self.excepted(" other than ")],
        }
    }

    /// Each in turn, behind `for`: `each living player`, `the doctor`, `each of the mafia`.
    pub fn for_each(&self) -> Vec<Inline> {
        match &self.head {
            _ if self.is_the_only() => self.all(),
            Head::Many(_) | Head::Named(_) | Head::Sort(_) | Head::Body(_) => words!["each of ", self.all()],
            _ => words!["each ", self.one(), self.excepted(" except ")],
        }
    }

    /// That there is none: `nobody is dying`, `there is no living wolf`.
    pub fn none(&self) -> Vec<Inline> {
        match &self.head {
            _ if self.can_be_said() => words!["nobody is ", self.said()],
            Head::Many(_) => words!["there are no ", self.many(), self.excepted(" except ")],
            Head::Named(_) => words!["there is nobody among ", self.all()],
            _ => words!["there is no ", self.one(), self.excepted(" other than ")],
        }
    }

    /// That there is somebody.
    pub fn some(&self) -> Vec<Inline> {
        match &self.head {
            _ if self.can_be_said() => words!["somebody is ", self.said()],
            Head::Many(_) => words!["there are ", self.many(), self.excepted(" except ")],
            Head::Named(_) => words!["there is somebody among ", self.all()],
            _ => {
                let one = self.one();
                words!["there is ", article(&one), one, self.excepted(" other than ")]
            }
        }
    }

    /// Whether all of it can be said of somebody behind `is`.
    fn can_be_said(&self) -> bool {
        match self.head {
            Head::Players => {
                !self.other && self.except.is_empty() && !self.is_plain() && !self.is_told_by_a_clause()
            }
            Head::Sort(_) => self.is_plain() && self.except.is_empty(),
            _ => false,
        }
    }

    /// Whether a clause says who is meant: `those whose card is red`.
    pub fn is_told_by_a_clause(&self) -> bool {
        self.marked.iter().any(|marked| is_clause(marked))
    }

    /// Behind `is`: `living and treated`, `a wolf`, `one of the mafia`.
    pub fn said(&self) -> Vec<Inline> {
        let and_not = Noun::joined_by(&self.all_said(), " and not ", " and not ");
        match &self.head {
            Head::Players if !self.other && !self.is_plain() => {
                let words: Vec<Vec<Inline>> = self.before.iter().chain(&self.marked).cloned().collect();
                // `whose coins are 0` is said of somebody.
                let one = match words.first() {
                    Some(first) if plain(first).starts_with("whose ") => "one ",
                    _ => "",
                };
                words![one, Noun::joined_by(&words, "", " and "), and_not]
            }
            Head::Players if self.is_plain() => words!["a player", self.excepted(" other than ")],
            // `the going` are some of the players, `the target` is one.
            Head::Named(name) if english::describes(english::noun(&plain(name))) != Describes::No => {
                words!["among ", self.all()]
            }
            Head::Body(title) if self.is_plain() => words!["one of ", title.clone(), and_not],
            Head::Sort(sort) if self.is_plain() => words!["counted as ", sort.clone(), and_not],
            Head::Marked(mark) if self.is_plain() => words!["marked ", mark.clone(), and_not],
            _ => self.any(),
        }
    }
}

impl Teller<'_> {
    /// A name as one says it of several: `votes`.
    pub fn several_of(&self, name: &Option<Name>) -> Vec<Inline> {
        let told = name.as_ref().map_or_else(Vec::new, |name| self.name(name));
        let many = |word: String| match english::is_several(&word) {
            true => word,
            false => english::several(&word),
        };
        let several = |part: Inline| match part {
            Inline::Term(word, anchor) => Inline::Term(many(word), anchor),
            Inline::Words(word) => Inline::Words(many(word)),
            other => other,
        };
        told.into_iter().map(several).collect()
    }

    /// Whom a set means; nothing where that is no set of players told by words.
    pub fn noun(&self, expr: &Expr) -> Option<Noun> {
        match &*expr.kind {
            ExprKind::Group(inner) => self.noun(inner),
            ExprKind::Query(query) if expr.bare_name().is_some() => self.noun_of_name(&query.name),
            ExprKind::Narrow(_) if self.are_things(expr) => None,
            ExprKind::Narrow(items) => self.noun_of_several(items),
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                let mut noun = self.noun(left)?;
                if self.subject.is_nobody(right) {
                    return Some(noun);
                }
                match right.is_name("me") && noun.except.is_empty() {
                    true => noun.other = true,
                    false => noun.except.extend(self.all_not_meant(right)),
                }
                Some(noun)
            }
            ExprKind::Where { set, test } => {
                let mut noun = self.noun(set).filter(|noun| !noun.is_a_name())?;
                // A test that the options in force have settled is none.
                if self.test(test) != Err(true) {
                    noun.marked.push(self.relative(test));
                }
                Some(noun)
            }
            _ => None,
        }
    }

    /// Those who are not meant, side by side.
    fn all_not_meant(&self, whom: &Expr) -> Vec<Vec<Inline>> {
        let sides = either_of(whom);
        match sides.iter().any(|side| self.is_open(side)) {
            true => vec![self.not_meant(whom)],
            false => sides.into_iter().map(|side| self.not_meant(side)).collect(),
        }
    }

    /// Who is not meant: `the target`, `those who are dying`.
    fn not_meant(&self, whom: &Expr) -> Vec<Inline> {
        match self.noun(whom) {
            Some(noun) if plain(&noun.all()) == THAT_CARD => words!["those who have ", noun.all()],
            Some(noun) if noun.is_one_word() => words![THOSE_WHO_ARE, noun.said()],
            _ => self.expr(whom),
        }
    }

    fn noun_of_name(&self, name: &Name) -> Option<Noun> {
        let word = name.text.as_str();
        if let Some(words) = self.bound.get(word) {
            let one = english::noun(words);
            let is_many = word == "me" && english::is_several(one);
            return Some(Noun {
                single: !is_many,
                ..Noun::of(match is_many {
                    true => Head::Many(words![one.to_owned()]),
                    false => Head::Named(words![words.clone()]),
                })
            });
        }
        if let Some(group) = self.subject.rules.group_named(word) {
            return noun_of_group(self.subject.rules, group);
        }
        if self.subject.is_number(word) {
            return None;
        }
        match word {
            "players" => return Some(Noun::of(Head::Players)),
            "others" => {
                return Some(Noun {
                    other: true,
                    ..Noun::of(Head::Players)
                });
            }
            "winner" => {
                return Some(Noun::of(Head::Common {
                    one: words!["winner"],
                    many: words!["winners"],
                    only: false,
                }));
            }
            "called" => return Some(Noun::described(words!["called"], Describes::Before)),
            _ => {}
        }
        match self.shape(word) {
            Some(shape) => self.noun_of_mark(name, shape),
            None if self.subject.is_set(word) => Some(self.noun_of_word(name)),
            None if self.subject.is_local(word) => Some(Noun::of(Head::Named(words![answer(&spoken(word))]))),
            None => None,
        }
    }

    /// How what has that name is remembered.
    pub fn shape(&self, name: &str) -> Option<FactShape> {
        self.subject.rules.fact_named(name).map(|fact| fact.shape)
    }

    fn noun_of_mark(&self, name: &Name, shape: FactShape) -> Option<Noun> {
        let mut facts = self.subject.rules.facts.iter();
        let title = facts
            .find(|fact| fact.name == name.text)
            .map(|fact| fact.title.as_str());
        // What people see of it says better of somebody that he is marked: `in a coma` for `coma`.
        let own = spoken(&name.text);
        let title = title.filter(|title| {
            (english::describes(&own), english::describes(title)) == (Describes::No, Describes::Behind)
        });
        let (mut words, how) = (self.name(name), english::describes(title.unwrap_or(&own)));
        if let (Some(title), [Inline::Term(word, _)]) = (title, &mut words[..]) {
            *word = title.to_owned();
        }
        match (shape, how) {
            (FactShape::MarkOne, Describes::No) => Some(Noun::of(Head::Marked(words))),
            (FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. }, how) => Some(Noun {
                single: shape == FactShape::MarkOne,
                ..Noun::described(words, how)
            }),
            _ => None,
        }
    }

    /// A word that is defined to mean some of the players.
    fn noun_of_word(&self, name: &Name) -> Noun {
        let (words, spoken) = (self.name(name), spoken(&name.text));
        match english::describes(&spoken) {
            Describes::No if english::is_several(&spoken) => Noun::of(Head::Many(words)),
            Describes::No => Noun::of(Head::Sort(words)),
            how => Noun::described(words, how),
        }
    }

    /// Words side by side: those who are all of it.
    pub fn noun_of_several(&self, items: &[Expr]) -> Option<Noun> {
        // `role Smuggler` is that card, `seat n` a seat.
        let is_thing = |name: &Name| ["role", "seat"].contains(&name.text.as_str());
        if items.first().and_then(Expr::bare_name).is_some_and(is_thing) {
            return None;
        }
        let mut noun = Noun::of(Head::Players);
        for (at, item) in items.iter().enumerate() {
            let Some(next) = self.noun(item) else {
                noun.marked.push(words!["among ", self.expr(item.inside())]);
                continue;
            };
            // Somebody by a name who is to be something is no phrase but a condition.
            if at == 0 && next.is_a_name() {
                return None;
            }
            noun.other |= next.other;
            noun.single |= next.single;
            noun.before.extend(next.before.clone());
            // `the living players who are c`: a letter makes no noun.
            if let (true, Head::Named(name)) = (at > 0, &next.head)
                && (plain(name).chars().count() < 3 || STAND_INS.contains(&plain(name).as_str()))
            {
                let verb = if plain(name) == THAT_CARD {
                    "who have "
                } else {
                    "who are "
                };
                noun.marked.push(words![verb, name.clone()]);
                continue;
            }
            match (&noun.head, &next.head) {
                (_, Head::Players) => {}
                (Head::Players, head) => noun.head = head.clone(),
                _ => {
                    let before = Vec::new();
                    let said = Noun {
                        before,
                        ..next.clone()
                    }
                    .said();
                    noun.marked.push(words!["who are ", said_of_several(said)]);
                }
            }
            noun.marked.extend(next.marked);
            noun.except.extend(next.except);
        }
        Some(noun)
    }

    /// The zone of that name as one speaks of somebody's own: `purse`.
    pub fn own_zone(&self, name: &Name) -> Option<String> {
        let title = self.subject.zone(&name.text)?;
        Some(english::noun(&title).to_owned())
    }

    /// `whose weight is at least 1`: a test of each of several, behind their noun.
    fn relative(&self, test: &Expr) -> Vec<Inline> {
        let is_it = |expr: &Expr| expr.is_name("it");
        let of_it = |expr: &Expr| {
            let (name, of) = expr.read_of()?;
            is_it(of).then(|| name.clone())
        };
        let number_of_it = |expr: &Expr| match &*expr.kind {
            ExprKind::NumberOf(set) => of_it(set),
            _ => None,
        };
        let told = self.looking_at("he");
        match &*test.kind {
            ExprKind::Group(inner) => self.relative(inner),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let or = matches!(*test.kind, ExprKind::Or(_));
                let mut all = Vec::new();
                // What the options in force have settled is left out.
                for part in parts.iter().filter(|part| self.test(part) != Err(!or)) {
                    let joint = if or { " or " } else { " and " };
                    all = words![
                        all.clone(),
                        if all.is_empty() { "" } else { joint },
                        self.relative(part)
                    ];
                }
                all
            }
            ExprKind::No(set) | ExprKind::Some(set) => {
                let some = matches!(*test.kind, ExprKind::Some(_));
                let thing = if some { "something" } else { "nothing" };
                match of_it(set).map(|name| (self.own_zone(&name), self.name(&name))) {
                    Some((Some(zone), _)) => words![format!("who have {thing} in their {zone}")],
                    Some((None, name)) if some => words!["who have ", article(&name), name],
                    Some((None, name)) => words!["who have no ", name],
                    None => words!["for whom ", told.truth(test)],
                }
            }
            ExprKind::Compare(left, op, of, right) => match of_it(left) {
                Some(name) => {
                    let many = english::is_several(&spoken(&name.text));
                    let left = words!["whose ", self.name(&name)];
                    told.compared(left, many, *op, *of == Of::Half, right)
                }
                None if number_of_it(left).is_some() => {
                    let name = number_of_it(left);
                    let zone = name.as_ref().and_then(|name| self.subject.zone(&name.text));
                    let left = match zone {
                        Some(zone) => words!["whose number of cards in ", zone],
                        None => words!["whose number of ", self.several_of(&name)],
                    };
                    told.compared(left, false, *op, *of == Of::Half, right)
                }
                None if is_it(left) && *op == CompareOp::Is => words!["who are ", told.said_of(right)],
                None if is_it(left) && *op == CompareOp::IsNot => words!["who are not ", told.said_of(right)],
                None => words!["for whom ", told.truth(test)],
            },
            _ => words!["for whom ", told.truth(test)],
        }
    }
}

/// `who has no vote` for `who have no vote`.
fn said_of_one(marked: &mut [Inline]) {
    for part in marked {
        if let Inline::Words(words) = part {
            for (many, one) in [
                ("in their ", "in his "),
                ("who have ", "who has "),
                ("who are ", "who is "),
            ] {
                *words = words.replace(many, one);
            }
        }
    }
}

/// Whether they are those of whom a word is said.
fn is_said(whom: &[Inline]) -> bool {
    matches!(whom.first(), Some(Inline::Words(words)) if words.starts_with(THOSE_WHO_ARE))
}

/// Whether words are a clause about whoever is named before: `whose card is red`.
fn is_clause(marked: &[Inline]) -> bool {
    match marked.first() {
        Some(Inline::Words(words)) => words.starts_with("who") || words.starts_with("for whom"),
        _ => false,
    }
}

/// `one of the mafia`, said of several: `of the mafia`.
pub fn said_of_several(mut said: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Words(words)) = said.first_mut()
        && let Some(whom) = words.strip_prefix("one of ")
    {
        *words = format!("of {whom}");
    }
    said
}

/// Several, each by its words, with a joint between them.
pub fn side_by_side(parts: impl Iterator<Item = Vec<Inline>>, joint: &str) -> Vec<Inline> {
    parts
        .enumerate()
        .flat_map(|(at, part)| words![if at == 0 { "" } else { joint }, part])
        .collect()
}

/// What is joined by `plus`, each by itself.
pub fn either_of(set: &Expr) -> Vec<&Expr> {
    match &*set.inside().kind {
        ExprKind::Binary(BinaryOp::Plus, left, right) => [either_of(left), either_of(right)].concat(),
        _ => vec![set],
    }
}

/// Whether those with a card go by the name of their team, of which others are, too.
fn is_named_like_its_team(rules: &Ruleset, role: GroupId) -> bool {
    let group = &rules.groups[role.index()];
    let many = group.for_several();
    let many = many.unwrap_or_else(|| english::several(english::noun(&group.title)));
    let roles = || rules.role_ids();
    let is_like = |team: &GroupId| {
        let other = &rules.groups[team.index()];
        other.kind == GroupKind::Team && rules.is_of(role, *team) && english::noun(&other.title) == many
    };
    let mut teams = (0..rules.groups.len()).map(|group| GroupId(group as u16));
    teams
        .find(is_like)
        .is_some_and(|team| roles().any(|other| other != role && rules.is_of(other, team)))
}

/// Whether no cast of the table has two cards of a team.
fn has_one_card(rules: &Ruleset, team: GroupId) -> bool {
    let casts = rules.casts.iter().filter(|cast| cast.name.is_none());
    let columns = casts.flat_map(|cast| &cast.columns);
    { columns }.all(|column| {
        let cards = column.cards(rules.cards_for(usize::from(column.to)));
        cards.iter().filter(|card| rules.is_of(**card, team)).count() < 2
    })
}

fn noun_of_group(rules: &Ruleset, id: GroupId) -> Option<Noun> {
    let group = &rules.groups[id.index()];
    let title = english::noun(&group.title);
    let common = |one: &str| {
        let many = group.for_several().unwrap_or_else(|| english::several(one));
        Head::Common {
            one: words![one.to_owned()],
            many: words![many],
            only: english::is_the_only(&group.title),
        }
    };
    let head = match group.kind {
        GroupKind::Role if title.len() == group.title.len() && rules.roles[id.index()].limit == Some(1) => {
            Head::Proper(words![title.to_owned()])
        }
        GroupKind::Role => match common(title) {
            // `the wolves` are all of their team, of whom some have another card.
            Head::Common { one, only, .. } if is_named_like_its_team(rules, id) => Head::Common {
                many: words!["players with a ", one.clone(), " card"],
                one,
                only,
            },
            head => head,
        },
        GroupKind::Team | GroupKind::Class if english::is_several(title) => {
            Head::Many(words![title.to_owned()])
        }
        // `the loner` is no crew.
        GroupKind::Team
            if english::is_the_only(&group.title)
                && english::is_somebody(title)
                && has_one_card(rules, id) =>
        {
            common(title)
        }
        GroupKind::Team => Head::Body(group.title.clone()),
        GroupKind::Class => match english::describes(title) {
            Describes::Behind => return Some(Noun::described(words![title.to_owned()], Describes::Behind)),
            _ if title.len() == group.title.len() => Head::Sort(words![title.to_owned()]),
            _ => common(title),
        },
        GroupKind::Face if title.len() == group.title.len() => {
            let mut tokens = rules.tokens.iter();
            let token = tokens.find(|token| token.faces.contains(&id))?;
            let token = english::noun(&rules.groups[token.group.index()].title);
            let shows = |whose: &str| words![format!("{whose} whose {token} shows {title}")];
            Head::Common {
                one: shows("player"),
                many: shows("players"),
                only: false,
            }
        }
        // Before whom it lies, or who holds it.
        GroupKind::Token | GroupKind::Face => Head::Common {
            one: words!["player with ", group.title.clone()],
            many: words!["players with ", group.title.clone()],
            only: false,
        },
    };
    Some(Noun::of(head))
}
