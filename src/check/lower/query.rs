//! Names and queries: `living`, `vote of p`, `left of p among (ring)`, `top 2 of deck`.
//!
//! What the language itself offers is a row of [`BUILT_IN`]; everything else is declared somewhere.

use super::{Compiler, Local, Meaning, Val, errors};
use crate::effects::Touch;
use omerta_core::diagnostic::{Diagnostic, Repair, close_name};
use omerta_core::rules::{FactId, FactShape, GroupId, GroupKind, Kind, Op, Reg, TallyVerdict, ZoneId};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, ExprKind, Name, Query};
use omerta_syntax::words;

type Lower = fn(&mut Compiler<'_>, &Query, Span) -> Val;

/// What stands behind a name and its `of`.
#[derive(Clone, Copy)]
struct Parts {
    number: bool,
    among: bool,
    weighing: bool,
}

const NOTHING: Parts = Parts {
    number: false,
    among: false,
    weighing: false,
};
const NUMBER: Parts = Parts {
    number: true,
    ..NOTHING
};
const AMONG: Parts = Parts {
    among: true,
    ..NOTHING
};
const VOTES: Parts = Parts {
    weighing: true,
    ..AMONG
};

/// Whether the language itself offers something of that name.
pub(super) fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|(known, ..)| *known == name)
}

/// The queries of the language, each with what it may have beside its `of`, and the function that lowers it.
const BUILT_IN: &[(&str, Parts, Lower)] = &[
    ("seat", NUMBER, |c, q, s| c.seat_number(q, s)),
    ("place", NOTHING, |c, q, s| c.place_of(q, s)),
    ("first", AMONG, |c, q, s| c.first_of(q, s)),
    ("last", AMONG, |c, q, s| c.last_of(q, s)),
    ("left", AMONG, |c, q, s| c.left_of(q, s)),
    ("right", AMONG, |c, q, s| c.right_of(q, s)),
    ("next", AMONG, |c, q, s| c.next_of(q, s)),
    ("neighbours", AMONG, |c, q, s| c.neighbours_of(q, s)),
    ("highest", AMONG, |c, q, _| c.extreme_of(q, true)),
    ("lowest", AMONG, |c, q, _| c.extreme_of(q, false)),
    ("sum", AMONG, |c, q, _| c.sum_of(q)),
    ("card", NOTHING, |c, q, s| c.card_of(q, s)),
    ("roles", NOTHING, |c, q, _| c.roles_named(q)),
    ("words", NOTHING, |c, q, s| c.words_alone(q, s)),
    ("role", NOTHING, |c, q, s| c.role_of(q, s)),
    ("team", NOTHING, |c, q, s| c.team_of(q, s)),
    ("holder", NOTHING, |c, q, s| c.holder_of(q, s)),
    ("top", NUMBER, |c, q, s| c.top_of(q, s)),
    ("most", VOTES, |c, q, _| c.tally(q, TallyVerdict::Most)),
    ("majority", VOTES, |c, q, _| c.tally(q, TallyVerdict::Majority)),
    ("common", VOTES, |c, q, _| c.tally(q, TallyVerdict::Common)),
    ("tally", VOTES, |c, q, s| c.tally_of(q, s)),
    ("copies", NOTHING, |c, q, s| c.copies_of(q, s)),
];

impl Compiler<'_> {
    pub(super) fn query(&mut self, query: &Query, span: Span, want: Option<Kind>) -> Val {
        let name = query.name.text.as_str();
        let built_in = BUILT_IN.iter().find(|(n, ..)| *n == name);
        let is_answer = matches!(self.scope.get(name), Some(Local::Value(_))) && query.of.is_none();
        let parts = built_in.filter(|_| !is_answer).map(|(_, parts, _)| *parts);
        if let Some(told) = self.surplus(query, parts) {
            return self.stand_in(told, want.unwrap_or(Kind::Players));
        }
        match self.scope.get(name).cloned() {
            // `top of deck` stays what it is where an answer is called `top`.
            Some(Local::Value(_)) if query.of.is_some() && built_in.is_some() => {}
            Some(local) => return self.local(&local, query),
            None => {}
        }
        if query.of.is_none() && query.number.is_none() {
            if let Some(val) = self.plain_word(query, want) {
                return val;
            }
        } else if let Some((.., lower)) = built_in {
            return lower(self, query, span);
        }
        match self.resolve(&query.name) {
            Some(meaning) => {
                self.symbols.read.insert(name.to_owned());
                self.meaning(meaning, query, want)
            }
            // `number of` is a form of its own, and `number` by itself is as unfinished as the others.
            None if built_in.is_some() || name == "number" => {
                self.stand_in(errors::needs_of(&query.name), want.unwrap_or(Kind::Players))
            }
            None => match self.lone_word(query, want) {
                Some(word) => word,
                None => {
                    match &query.of {
                        Some(of) => self.unknown_of_somebody(&query.name, of),
                        None => self.unknown(&query.name),
                    }
                    Val::Const(0, want.unwrap_or(Kind::Players))
                }
            },
        }
    }

    /// What is told of a part that means nothing where it stands: `living 2`, `seat 2 of living`, `hunted among (living)`.
    /// Of a name that is no value, or that lacks its `of`, that is told.
    fn surplus(&self, query: &Query, built_in: Option<Parts>) -> Option<Diagnostic> {
        let name = query.name.text.as_str();
        let has_value = match (self.scope.get(name), self.symbols.meaning(name)) {
            (Some(_), _) => true,
            (None, Some(meaning)) => !matches!(
                meaning,
                Meaning::Scene(_) | Meaning::Event(_) | Meaning::Events(_)
            ),
            (None, None) => built_in.is_some() || words::stands_alone(name),
        };
        let wants_of = built_in.is_some() && name != "seat" || self.may_have_of(name);
        if !has_value || wants_of && query.of.is_none() {
            return None;
        }
        let takes = built_in.unwrap_or(NOTHING);
        let told = |part: &str, span: Span| Some(errors::no_part_here(&query.name, part, span));
        match (query.number, &query.of, &query.among, &query.weighing) {
            (Some(number), ..) if !takes.number => told("number", number.span),
            (Some(_), Some(of), ..) if name == "seat" => told("`of` behind its number", of.span),
            (.., Some(among), _) if !takes.among => told("`among`", among.span),
            (.., Some(weighing)) if !takes.weighing => told("`weighing`", weighing.span),
            _ => None,
        }
    }

    /// A word by itself, `calm`: of the words that are declared it is one of one sort only.
    fn lone_word(&mut self, query: &Query, want: Option<Kind>) -> Option<Val> {
        let name = &query.name;
        if query.of.is_some() {
            return None;
        }
        let facts = 0..self.out.facts.len() as u16;
        let has = |fact: &FactId| {
            let words = &self.out.facts[fact.index()].words;
            words.iter().any(|(word, _)| *word == name.text)
        };
        let sorts: Vec<FactId> = facts.map(FactId).filter(has).collect();
        let names = |fact: FactId| self.out.facts[fact.index()].words.iter().map(|(word, _)| word);
        let (first, others) = sorts.split_first()?;
        if let Some(other) = others.iter().find(|other| !names(**other).eq(names(*first))) {
            let [one, two] = [first, other].map(|fact| self.out.facts[fact.index()].name.clone());
            let mistake = errors::word_of_two(name, &one, &two);
            if let Some(want) = want.filter(|want| *want != Kind::Word) {
                return Some(self.stand_in(mistake, want));
            }
            self.report(mistake);
        }
        let words = self.words_of(*first)?;
        let sort = self.out.facts[first.index()].name.clone();
        self.symbols.offered.insert(sort);
        let at = self.alternatives[words]
            .0
            .iter()
            .position(|(word, _)| *word == name.text)?;
        let to = self.temp();
        self.load_const(to, at as u64);
        Some(Val::Word(to, words))
    }

    fn local(&mut self, local: &Local, query: &Query) -> Val {
        match (local, &query.of) {
            (Local::Value(val), None) => {
                if self.scope.is_unclear(&query.name.text) {
                    self.poison.push(query.name.span);
                }
                *val
            }
            (Local::Link(fact), Some(of)) => {
                let kind = self.out.facts[fact.index()].shape.links_to();
                self.link_of(*fact, of, kind.unwrap_or(Kind::Players))
            }
            (Local::Numbers(numbers), Some(of)) => self.count_of(numbers.row, of),
            (Local::Value(_), Some(of)) => {
                let told = self.takes_no_of(&query.name, of);
                self.stand_in(told, Kind::Players)
            }
            (Local::Link(_) | Local::Numbers(_), None) => {
                self.stand_in(errors::needs_of(&query.name), Kind::Players)
            }
            (Local::Same(..), _) => self.stand_in(
                errors::not_a_value(&query.name, "the event of a rule"),
                Kind::Players,
            ),
        }
    }

    /// The words that stand by themselves.
    fn plain_word(&mut self, query: &Query, want: Option<Kind>) -> Option<Val> {
        let to = self.next;
        Some(match query.name.text.as_str() {
            "players" => self.fresh_val(Kind::Players, |to| Op::Players { to }),
            "nobody" => Val::Const(0, want.filter(|k| *k == Kind::Cards).unwrap_or(Kind::Players)),
            "others" => {
                let me = self.me(query.name.span);
                self.fresh_val(Kind::Players, |to| Op::Others { to, of: me })
            }
            "me" => Val::Reg(self.me(query.name.span), Kind::Players),
            "called" => self.fresh_val(Kind::Titles, |to| Op::Called { to }),
            "winner" => self.fresh_val(Kind::Players, |to| Op::Winners { to }),
            "it" => self.stand_in(errors::it_outside(query.name.span), Kind::Players),
            "that" => self.stand_in(errors::that_outside(query.name.span), Kind::Players),
            "host" => self.stand_in(errors::host_is_no_player(query.name.span), Kind::Players),
            "all" => self.stand_in(errors::all_is_players(query.name.span), Kind::Players),
            _ => {
                self.next = to;
                return None;
            }
        })
    }

    /// The register of `me`.
    pub(super) fn me(&mut self, span: Span) -> Reg {
        match self.local_value("me") {
            Some(val) => self.reg(val),
            None => {
                self.report(errors::me_outside(span));
                self.temp()
            }
        }
    }

    /// What a declared name is worth.
    fn meaning(&mut self, meaning: Meaning, query: &Query, want: Option<Kind>) -> Val {
        match (meaning, &query.of) {
            (Meaning::Group(group), None) => self.group_value(group, want),
            (Meaning::Fact(fact), _) => self.fact_value(fact, query),
            (Meaning::Back(fact), Some(of)) => {
                self.effects.read(Touch::Fact(fact));
                let row = self.out.facts[fact.index()].slot;
                let of = self.players(of);
                self.fresh_val(Kind::Players, |to| Op::BackLink { to, row, of })
            }
            (Meaning::Back(_), None) => self.lacks_of(query, Kind::Players),
            (Meaning::Zone(zone), of) => self.zone_cards(zone, of.as_ref(), query),
            (Meaning::Define(define), of) => self.inline_define(define, of.as_ref(), query, want),
            (Meaning::Hook(hook), of) => self.ask_hook(hook, of.as_ref(), query),
            (Meaning::Option(option), None) => self.option_value(option, query),
            (Meaning::Scene(_) | Meaning::Event(_) | Meaning::Events(_), _) => self.stand_in(
                errors::not_a_value(&query.name, self.sort(meaning)),
                want.unwrap_or(Kind::Players),
            ),
            (Meaning::Group(_) | Meaning::Option(_), Some(of)) => {
                let told = self.takes_no_of(&query.name, of);
                self.stand_in(told, want.unwrap_or(Kind::Players))
            }
        }
    }

    /// What is told of an `of` behind a name that takes none.
    fn takes_no_of(&self, name: &Name, of: &Expr) -> Diagnostic {
        match self.is_borne(&name.text) {
            true => errors::borne_by_none(name, of.span, self.sources.slice(of.span)),
            false => errors::no_of_here(name, of.span),
        }
    }

    /// Whether a name is one for players who have or bear something.
    pub(super) fn is_borne(&self, name: &str) -> bool {
        let marks = |fact: FactId| self.out.facts[fact.index()].shape.is_mark();
        match (self.local_value(name), self.symbols.meaning(name)) {
            (Some(val), _) => val.kind() == Kind::Players,
            (None, Some(Meaning::Fact(fact))) => marks(fact),
            (None, meaning) => matches!(meaning, Some(Meaning::Group(_))),
        }
    }

    /// Whether a name may be read with an `of`.
    fn may_have_of(&self, name: &str) -> bool {
        let is_of_each = |fact: FactId| {
            let shape = self.out.facts[fact.index()].shape;
            matches!(shape, FactShape::CountOfEach | FactShape::Link { .. })
        };
        match (self.scope.get(name), self.symbols.meaning(name)) {
            (Some(local), _) => matches!(local, Local::Link(_) | Local::Numbers(_)),
            (None, Some(Meaning::Fact(fact))) => is_of_each(fact),
            (None, Some(Meaning::Define(define))) => self.defines.list[define].param.is_some(),
            (None, Some(Meaning::Hook(hook))) => self.out.hooks[hook.index()].param.is_some(),
            (None, Some(Meaning::Zone(zone))) => self.out.zones[zone.index()].of_each,
            (None, meaning) => matches!(meaning, Some(Meaning::Back(_))),
        }
    }

    /// Something read of somebody that nobody declared: what may be so read is meant, or what somebody is.
    fn unknown_of_somebody(&mut self, name: &Name, of: &Expr) {
        if self.is_difference(name) {
            return;
        }
        let guesses = errors::guesses(self.diagnostics.len());
        let known: Vec<&str> = self
            .scope
            .names()
            .chain(self.symbols.names())
            .take(guesses)
            .collect();
        let mut fitting: Vec<&str> = BUILT_IN
            .iter()
            .map(|(query, ..)| *query)
            .chain(["number"])
            .collect();
        fitting.extend(known.iter().copied().filter(|known| self.may_have_of(known)));
        if let Some(link) = known
            .iter()
            .find(|known| self.is_from_the_other_end(known, &name.text))
        {
            let otherwise = format!(
                "to go the link `{link}` the other way round give that end its name where it is declared: `link {link} … back {}`",
                name.text
            );
            return self.report(errors::unknown_where(name, [""; 0], otherwise));
        }
        let borne = known.into_iter().filter(|known| self.is_borne(known));
        let whose = self.sources.slice(of.span);
        let otherwise = match close_name(&name.text, borne) {
            Some(borne) => format!(
                "did you mean `{borne}`? whether somebody is one of them is asked with `is`: `{whose} is {borne}`"
            ),
            None => format!(
                "declare it, for instance with `link {0}`, `count {0} of each` or `define {0} of p = …`",
                name.text
            ),
        };
        let told = errors::unknown_where(name, fitting, otherwise);
        self.report(told.mend(Repair::Declare(format!("link {}", name.text))));
    }

    /// Whether somebody speaks of the other end of a link: of `voters` where it is called `vote`.
    fn is_from_the_other_end(&self, link: &str, said: &str) -> bool {
        let Some(Meaning::Fact(fact)) = self.symbols.meaning(link) else {
            return false;
        };
        let shape = self.out.facts[fact.index()].shape;
        let stem = link.trim_end_matches('s').trim_end_matches('e');
        let end = said.strip_prefix(stem).unwrap_or("");
        let is_link = matches!(
            shape,
            FactShape::Link {
                to: Kind::Players,
                ..
            }
        );
        is_link && matches!(end, "er" | "ers" | "or" | "ors")
    }

    /// `team (dying)`, `team dying`, `role (dying)`: a word that wants an `of`, beside that of which it is meant.
    pub(super) fn without_of(&mut self, word: &Expr, whom: &Expr) -> Option<Val> {
        let name = word.bare_name()?;
        if self.scope.get(&name.text).is_some() {
            return None;
        }
        let inner = whom.inside();
        let meaning = |name: &str| self.symbols.meaning(name);
        let is_marked = || {
            let inner = inner.bare_name().and_then(|inner| meaning(&inner.text));
            matches!(inner, Some(Meaning::Fact(_)))
        };
        let is_called = matches!(&*whom.kind, ExprKind::Group(_));
        let wants_of = match (name.text.as_str(), meaning(&name.text)) {
            ("seat" | "roles" | "top", _) => false,
            ("role", _) => is_marked(),
            ("number", None) => is_called,
            (_, Some(Meaning::Fact(fact))) => matches!(
                self.out.facts[fact.index()].shape,
                FactShape::CountOfEach | FactShape::Link { .. }
            ),
            (_, Some(Meaning::Back(_))) => true,
            (word, None) => is_built_in(word),
            _ => false,
        };
        wants_of.then(|| {
            let of = match (name.text.as_str(), &*whom.kind) {
                (
                    "highest" | "lowest" | "sum",
                    ExprKind::Query(Query {
                        name, of: Some(set), ..
                    }),
                ) => {
                    format!("{} among ({})", name.text, self.sources.slice(set.span))
                }
                _ if inner.bare_name().is_some() => self.sources.slice(inner.span).to_owned(),
                _ => self.sources.slice(whom.span).to_owned(),
            };
            let told = errors::called_without_of(name, &of, word.span.to(whom.span));
            self.stand_in(told, Kind::Players)
        })
    }

    pub(super) fn lacks_of(&mut self, query: &Query, kind: Kind) -> Val {
        self.stand_in(errors::needs_of(&query.name), kind)
    }

    fn group_value(&mut self, group: GroupId, want: Option<Kind>) -> Val {
        let kind = self.group(group).kind;
        if want == Some(Kind::Titles) && matches!(kind, GroupKind::Role | GroupKind::Team) {
            return Val::Const(title_bit(group), Kind::Titles);
        }
        self.effects.read(Touch::Cards);
        let to = self.temp();
        if want == Some(Kind::Cards) {
            self.emit(Op::CardsOf { to, group });
            return Val::Reg(to, Kind::Cards);
        }
        self.emit(Op::Group { to, group });
        Val::Reg(to, Kind::Players)
    }

    fn fact_value(&mut self, fact: FactId, query: &Query) -> Val {
        self.effects.read(Touch::Fact(fact));
        let (shape, slot) = {
            let f = &self.out.facts[fact.index()];
            (f.shape, f.slot)
        };
        let kind = match shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => Kind::Players,
            FactShape::Flag => Kind::Truth,
            FactShape::Count => self.kind_of_each(fact),
            FactShape::CountOfEach => {
                let Some(of) = &query.of else {
                    return self.lacks_of(query, Kind::Number);
                };
                return self.count_of(fact, of);
            }
            FactShape::Link { to, .. } => {
                let Some(of) = &query.of else {
                    return self.lacks_of(query, to);
                };
                return self.link_of(fact, of, to);
            }
        };
        if let Some(of) = &query.of {
            self.report(self.takes_no_of(&query.name, of));
        }
        let to = self.fresh(|to| Op::Load { to, slot });
        match self.words_of(fact) {
            Some(words) => Val::Word(to, words),
            None => Val::Reg(to, kind),
        }
    }

    /// The words that a fact is one of, where it is.
    pub(super) fn words_of(&mut self, fact: FactId) -> Option<usize> {
        let words = self.out.facts[fact.index()].words.clone();
        if words.is_empty() {
            return None;
        }
        let known = self.alternatives.iter().position(|known| known.0 == words);
        Some(known.unwrap_or_else(|| self.add_words(super::Words(words))))
    }

    /// `words of room`: all words that the room can be.
    pub(super) fn all_words(&mut self, expr: &Expr) -> Option<usize> {
        use omerta_syntax::tree::ExprKind;
        let ExprKind::Query(Query {
            name, of: Some(of), ..
        }) = &*expr.kind
        else {
            return None;
        };
        let of = of.bare_name()?;
        if name.text != "words" || self.scope.get("words").is_some() {
            return None;
        }
        let Meaning::Fact(fact) = self.symbols.get(&of.text)?.meaning else {
            return None;
        };
        let words = self.words_of(fact)?;
        self.resolve(of);
        self.symbols.offered.insert(of.text.clone());
        Some(words)
    }

    /// `words of room without hold without room of me`: the words, and those that are left out.
    pub(super) fn words_but<'e>(&mut self, expr: &'e Expr) -> Option<(usize, Vec<&'e Expr>)> {
        use omerta_syntax::tree::{BinaryOp, ExprKind};
        match &*expr.kind {
            ExprKind::Group(inner) => self.words_but(inner),
            ExprKind::Binary(BinaryOp::Without, left, right) => {
                let (words, mut but) = self.words_but(left)?;
                let mut rest = right.inside();
                while let ExprKind::Binary(BinaryOp::Plus, left, right) = &*rest.kind {
                    but.push(right);
                    rest = left;
                }
                but.push(rest);
                Some((words, but))
            }
            _ => Some((self.all_words(expr)?, Vec::new())),
        }
    }

    fn words_alone(&mut self, query: &Query, span: Span) -> Val {
        if query.of.is_none() {
            return self.lacks_of(query, Kind::Players);
        }
        self.stand_in(errors::words_are_asked_for(span), Kind::Players)
    }

    fn link_of(&mut self, fact: FactId, of: &Expr, kind: Kind) -> Val {
        let row = self.out.facts[fact.index()].slot;
        let of = self.players(of);
        self.fresh_val(kind, |to| Op::LinkOf { to, row, of })
    }

    fn count_of(&mut self, fact: FactId, of: &Expr) -> Val {
        let row = self.out.facts[fact.index()].slot;
        let of = self.players(of);
        let to = self.fresh(|to| Op::CountOf { to, row, of });
        self.worded(fact, to)
    }

    /// What a row holds: a number, a text, or one of its words.
    pub(super) fn worded(&mut self, fact: FactId, value: Reg) -> Val {
        match self.words_of(fact) {
            Some(words) => Val::Word(value, words),
            None => Val::Reg(value, self.kind_of_each(fact)),
        }
    }

    /// What a fact that is no set holds.
    pub(super) fn kind_of_each(&self, fact: FactId) -> Kind {
        match self.out.facts[fact.index()].text {
            true => Kind::Text,
            false => Kind::Number,
        }
    }

    fn zone_cards(&mut self, zone: ZoneId, of: Option<&Expr>, query: &Query) -> Val {
        self.effects.read(Touch::Cards);
        let of_each = self.out.zones[zone.index()].of_each;
        let seats = match of {
            Some(of) if of_each => self.players(of),
            Some(of) => {
                self.report(errors::no_of_here(&query.name, of.span));
                self.temp()
            }
            None => self.fresh(|to| Op::Players { to }),
        };
        self.fresh_val(Kind::Cards, |to| Op::CardsIn { to, zone, of: seats })
    }

    fn option_value(&mut self, option: omerta_core::rules::OptionId, query: &Query) -> Val {
        let setting = &self.out.options[option.index()];
        match setting.value.as_str() {
            "yes" => Val::Const(1, Kind::Truth),
            "no" => Val::Const(0, Kind::Truth),
            value => match value.parse::<i64>() {
                Ok(number) => Val::Const(number as u64, Kind::Number),
                Err(_) => {
                    let words = setting.values.clone();
                    self.stand_in(errors::option_needs_is(&query.name, &words), Kind::Truth)
                }
            },
        }
    }

    pub(super) fn during(&mut self, name: &Name) -> Val {
        let to = self.temp();
        match self.resolve(name) {
            Some(Meaning::Scene(scene)) => self.emit(Op::During { to, scene }),
            Some(Meaning::Event(event)) => self.emit(Op::DuringEvent { to, event }),
            Some(other) => {
                return self.stand_in(
                    errors::wrong_sort(name, "a scene or an event", self.sort(other)),
                    Kind::Truth,
                );
            }
            None => {
                let is = |m: Meaning| matches!(m, Meaning::Scene(_) | Meaning::Event(_));
                self.unknown_of(name, is, "scene NAME { … } or event NAME { … }");
                return Val::Const(0, Kind::Truth);
            }
        };
        Val::Reg(to, Kind::Truth)
    }

    pub(super) fn times(&mut self, name: &Name) -> Val {
        match self.resolve(name) {
            Some(Meaning::Scene(scene)) => {
                let slot = self.out.scenes[scene.index()].times;
                self.fresh_val(Kind::Number, |to| Op::Load { to, slot })
            }
            Some(other) => self.stand_in(
                errors::wrong_sort(name, "a scene", self.sort(other)),
                Kind::Number,
            ),
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Scene(_)), "scene NAME { … }");
                Val::Const(0, Kind::Number)
            }
        }
    }

    pub(super) fn planned(&mut self, name: &Name) -> Val {
        match self.resolve(name) {
            Some(Meaning::Event(event)) => {
                self.effects.read(Touch::Plans(event));
                self.fresh_val(Kind::Players, |to| Op::Planned { to, event })
            }
            Some(Meaning::Events(group)) => {
                let events = self.symbols.event_groups[group].clone();
                let all = self.temp();
                self.load_const(all, 0);
                for event in events {
                    self.effects.read(Touch::Plans(event));
                    self.scratch(|c| {
                        let planned = c.fresh(|to| Op::Planned { to, event });
                        c.join(all, planned);
                    });
                }
                Val::Reg(all, Kind::Players)
            }
            Some(other) => self.stand_in(
                errors::wrong_sort(name, "an event", self.sort(other)),
                Kind::Players,
            ),
            None => {
                self.unknown_of(name, |m| matches!(m, Meaning::Event(_)), "event NAME of p { … }");
                Val::Const(0, Kind::Players)
            }
        }
    }

    // ---- the queries of the language

    pub(super) fn of_players(&mut self, query: &Query) -> Reg {
        match &query.of {
            Some(of) => self.players(of),
            None => {
                self.report(errors::needs_of(&query.name));
                self.temp()
            }
        }
    }

    pub(super) fn among(&mut self, query: &Query) -> Reg {
        match &query.among {
            Some(among) => self.players(among),
            None => self.fresh(|to| Op::Players { to }),
        }
    }
}

/// The bit of a role or a team in a set of them; none for one too many, which is reported elsewhere.
pub(super) fn title_bit(group: GroupId) -> u64 {
    1u64.checked_shl(u32::from(group.0)).unwrap_or(0)
}
