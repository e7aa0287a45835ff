//! The words of the language, a row each: what a word begins, joins or stands for, with an example.
//!
//! What the parser recovers at, the checker keeps for the language, the prompt colours and messages show
//! comes from here; tests hold the grammar and the reference to it.

use std::{collections::BTreeSet, sync::LazyLock};

/// A word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// An example of the declaration that it begins.
    pub declaration: Option<&'static str>,
    /// An example of the statement that it begins.
    pub statement: Option<&'static str>,
    /// An example of the definition in which the rules answer what the language asks them.
    pub answer: Option<&'static str>,
    /// What it stands for by itself, or before an `of`.
    pub value: Option<Value>,
    /// Whether it stands between the parts of an expression, and so cannot be a name.
    pub joins: bool,
    /// Whether a name stands behind it in its declaration.
    pub names: bool,
    /// Whether that name may be followed by a title.
    pub(crate) titled: bool,
    /// Whether its statement names sets.
    pub(crate) sets: bool,
}

/// What a word stands for where a value may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Something by itself; no name of any sort can be this word.
    ByItself,
    /// Nothing by itself; no name can be this word all the same.
    Kept,
    /// Something before an `of`; an answer may be called so, a declaration not.
    BeforeOf,
}

/// What may be said of a word in its row, each with what it sets.
macro_rules! words {
    (@declares $word:ident $example:literal) => { $word.declaration = Some($example) };
    (@does $word:ident $example:literal) => { $word.statement = Some($example) };
    (@answers $word:ident $example:literal) => { $word.answer = Some($example) };
    (@a_name $word:ident) => { $word.names = true };
    (@titled $word:ident) => { $word.titled = true };
    (@with_sets $word:ident) => { $word.sets = true };
    (@joins $word:ident) => { $word.joins = true };
    (@stands_alone $word:ident) => { $word.value = Some(Value::ByItself) };
    (@kept $word:ident) => { $word.value = Some(Value::Kept) };
    (@before_of $word:ident) => { $word.value = Some(Value::BeforeOf) };
    ($($name:literal: $($what:ident $($example:literal)?),*;)*) => {
        &[$({
            let mut word = NOTHING_YET;
            word.name = $name;
            $(words!(@$what word $($example)?);)*
            word
        }),*]
    };
}

const NOTHING_YET: Word = Word {
    name: "",
    declaration: None,
    statement: None,
    answer: None,
    value: None,
    joins: false,
    names: false,
    titled: false,
    sets: false,
};

/// All of them, by the alphabet.
pub const WORDS: &[Word] = words! {
    "ability": kept;
    "add": declares "add 1 to weight of p when p is Healer", does "add 1 to fouls of p";
    "all": kept;
    "allow": declares "allow host to foul p from living { add 1 to fouls of p }", a_name;
    "among": joins;
    "and": joins;
    "as": joins;
    "ask": does "ask me for victim from living or nobody", with_sets;
    "at": joins;
    "by": joins;
    "call": does "call Guild to meet";
    "called": stands_alone;
    "cancel": does "cancel kill of p by me";
    "card": before_of;
    "cast": declares "cast { … }", kept;
    "choice": kept;
    "choose": declares "choose empty-calls = pretend";
    "circle": answers "define circle of role c = living c";
    "class": declares r#"class Healer "healers""#, a_name, titled;
    "clear": does "clear vote, jailed";
    "common": before_of;
    "copies": before_of;
    "count": declares "count fouls of each = 0", a_name, titled;
    "deal": does "deal deck to hand of players";
    "define": declares "define weight of p = 1", a_name;
    "do": does "do kill of victim by me", with_sets;
    "draw": declares "draw when no living players", does "draw n from 1..6";
    "during": joins;
    "else": joins;
    "end": does "end";
    "ending": declares "ending last before all: draw when no living players", a_name;
    "event": declares "event kill of p by k { mark p as dying }", a_name;
    "every": joins;
    "exclude": declares "exclude silenced from electorate";
    "first": before_of;
    "flag": declares "flag vote-off until Dusk", a_name, titled;
    "flip": does "flip Bet to red";
    "for": does "for each p of living { … }", joins;
    "from": joins;
    "highest": before_of;
    "holder": before_of;
    "hook": declares r#"hook odd-one of p gives players "why" """…""""#, a_name;
    "host": stands_alone;
    "if": does "if some dying { … } else { … }";
    "in": joins;
    "include": declares "include addict in circle of Guild";
    "into": joins;
    "is": joins;
    "it": stands_alone;
    "judge": does "judge";
    "last": before_of;
    "leave": does "leave Poll";
    "left": before_of;
    "let": does "let top = most of vote";
    "library": declares r#"library vote "Ballots""#, titled;
    "link": declares "link vote one back voters until Dusk", a_name, does "link p to c as vote", with_sets;
    "lose": declares "lose players when no living Hamlet", does "lose players", with_sets;
    "lower": declares "lower weight of p to 1 when p is Smuggler";
    "lowest": before_of;
    "majority": before_of;
    "mark": declares "mark treated, hunted until end of Sunrise", a_name, titled,
        does "mark p as treated", with_sets;
    "me": stands_alone;
    "most": before_of;
    "move": does "move 2 from deck to hand of p";
    "needs": declares "needs extra-hand";
    "neighbours": before_of;
    "next": before_of;
    "no": joins, stands_alone;
    "nobody": stands_alone;
    "not": joins;
    "nothing": does "nothing";
    "number": kept;
    "of": joins;
    "on": declares "on city { choose tied-vote = nobody }", joins;
    "openly": joins;
    "option": declares r#"option tied-vote: run-off | nobody = run-off "what a level vote leads to""#, a_name;
    "or": joins;
    "others": stands_alone;
    "overlay": declares r#"overlay mayor "The mayor" on city { … }"#, a_name, titled;
    "perform": does "perform c";
    "place": before_of;
    "plan": does "plan kill of victim by me", with_sets;
    "planned": joins;
    "play": does "play Count of level";
    "players": declares "players 4..18", stands_alone;
    "plus": joins;
    "policy": declares "policy crowd { vote: most of vote }", a_name;
    "publish": declares "publish hunted, treated";
    "put": does "put cast in deck";
    "raise": declares "raise weight of p to 2 when p is Healer";
    "refuses": declares "refuses blind, renegade";
    "remove": declares "remove two-mafiosi";
    "repeat": does "repeat { … }";
    "replace": declares "replace scene Trial { … }";
    "require": declares r#"require some-guild: some Guild "somebody must be in the guild""#;
    "right": before_of;
    "role": declares r#"role Healer "the healer" of Hamlet at most 1 { … }"#, a_name, titled, before_of;
    "roles": before_of;
    "rule": declares "rule cure: instead of kill of treated { nothing }", a_name;
    "ruleset": declares r#"ruleset city "City Games""#, titled;
    "say": does r#"say "Dusk falls.""#;
    "scene": declares "scene Dusk { call Guild }", a_name, titled;
    "script": declares "script { play Dusk }";
    "seat": does "seat guest to left of me", before_of;
    "set": does "set fouls of p to 0";
    "settle": does "settle treat, kill";
    "show": does "show card of p to me", with_sets;
    "shuffle": does "shuffle deck";
    "some": joins;
    "spare": declares "spare 1";
    "stop": does "stop";
    "subtract": does "subtract 1 from fouls of p";
    "sum": before_of;
    "swap": does "swap hand of me and centre";
    "tally": before_of;
    "team": declares r#"team Guild "the guild""#, a_name, titled, before_of;
    "tell": does r#"tell coma "You are in a coma.""#, with_sets;
    "text": declares "text will of each", a_name, titled;
    "that": stands_alone;
    "times": joins;
    "to": joins;
    "together": joins;
    "token": declares r#"token Package "the package" 2 is bullet | ring"#, a_name, titled;
    "top": before_of;
    "turn": does "turn addict into Smuggler", with_sets;
    "under": joins;
    "unlink": does "unlink p as vote", with_sets;
    "unmark": does "unmark p as treated", with_sets;
    "unseen": joins;
    "until": joins;
    "use": declares "use std.table, std.vote";
    "wait": does r#"wait "Everybody discusses.""#;
    "warn": declares r#"warn no-healer: some Healer "a game without a healer is short""#;
    "weighing": joins;
    "when": joins;
    "where": joins;
    "whether": joins;
    "win": declares "win Hamlet when no living Guild", does "win Hamlet when no living Guild", with_sets;
    "winner": stands_alone;
    "with": joins;
    "within": joins;
    "without": joins;
    "word": declares "word room of each: deck | galley | hold = deck", a_name;
    "words": before_of;
    "yes": stands_alone;
    "zone": declares "zone hand of each is role seen by owner with backs seen by players", a_name, titled;
};

/// A word of the language by its letters.
pub fn find(name: &str) -> Option<&'static Word> {
    let at = WORDS.binary_search_by(|word| word.name.cmp(name)).ok()?;
    Some(&WORDS[at])
}

/// The grammars, for the words that stand in them and in no row.
pub(super) const GRAMMARS: [&str; 2] = [
    include_str!("../../grammar/mafia.pest"),
    include_str!("../../grammar/play.pest"),
];

/// The words that a grammar reads as themselves: `{ "word" ~ !name_tail }`.
static OF_GRAMMARS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let words = GRAMMARS.iter().flat_map(|grammar| grammar.split("{ \""));
    words
        .filter_map(|rest| rest.split_once("\" ~ !name_tail }").map(|(word, _)| word))
        .collect()
});

/// Whether a word means something in the language, by itself or in one of its sentences.
pub fn is_of_the_language(word: &str) -> bool {
    find(word).is_some() || is_of_a_grammar(word)
}

/// Whether a grammar reads this word as itself somewhere; elsewhere it may be a name.
pub fn is_of_a_grammar(word: &str) -> bool {
    OF_GRAMMARS.contains(word)
}

/// The word of the language with which a text begins; nothing if it begins with none.
pub(super) fn first(text: &str) -> &'static str {
    let end = text
        .find(|letter: char| !letter.is_alphabetic())
        .unwrap_or(text.len());
    find(&text[..end]).map_or("", |word| word.name)
}

/// Whether a word is one of some.
pub fn is(name: &str, wanted: impl Fn(&Word) -> bool) -> bool {
    find(name).is_some_and(wanted)
}

/// Whether a word begins a declaration with a name behind it.
pub fn names_something(word: &str) -> bool {
    is(word, |word| word.names)
}

/// Whether no name at all can be this word: it stands for something by itself.
pub fn stands_alone(name: &str) -> bool {
    is(name, |word| {
        matches!(word.value, Some(Value::ByItself | Value::Kept))
    })
}

/// Whether a word begins a declaration.
pub(super) fn begins_declaration(name: &str) -> bool {
    is(name, |word| word.declaration.is_some())
}

/// Whether a word begins a statement.
pub(super) fn begins_statement(name: &str) -> bool {
    is(name, |word| word.statement.is_some())
}

/// Whether a word stands between the parts of an expression.
pub fn joins(name: &str) -> bool {
    is(name, |word| word.joins)
}
