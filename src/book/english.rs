//! What English asks of words, whatever the rules are: articles, several of one kind, which words describe somebody. It
//! knows no ruleset.

use crate::page::Inline;
use omerta_core::plural::end_of_noun;
pub use omerta_core::plural::several;

/// Participles that end in neither `-ed` nor `-ing`, and a few words that stand before a noun like one.
const DESCRIBING: &[&str] = &[
    "absent", "alive", "asleep", "awake", "bought", "bound", "caught", "dead", "drawn", "drunk", "found",
    "guilty", "healthy", "hurt", "idle", "innocent", "known", "led", "lost", "lucky", "met", "mute",
    "present", "safe", "sent", "shot", "shown", "sick", "silent", "slain", "struck", "sworn", "torn",
    "unseen", "wild",
];
/// Words that begin something said of somebody behind the noun: `in reach`, `out of the game`.
const BEFORE_A_PLACE: &[&str] = &[
    "at", "away", "by", "for", "from", "in", "not", "of", "off", "on", "out", "to", "under", "who", "with",
    "without",
];
/// Names of answers that take no article.
const PRONOUNS: &[&str] = &[
    "each", "else", "her", "him", "me", "other", "others", "she", "someone", "them", "they", "this", "those",
    "whom", "who", "you",
];
/// Nouns that mean several and do not show it.
const MANY: &[&str] = &["children", "folk", "men", "mice", "people", "police", "women"];

/// How a name is said of somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Describes {
    /// Before a noun: `the living players`.
    Before,
    /// Behind it: `players in reach`.
    Behind,
    /// Not by itself: `players marked suspect`.
    No,
}

/// How a name of several words or one is said of somebody.
pub fn describes(name: &str) -> Describes {
    let words: Vec<&str> = name.split(' ').collect();
    match words.as_slice() {
        [first, _, ..] if BEFORE_A_PLACE.contains(first) => Describes::Behind,
        [first, second, ..] if is_describing(first) && BEFORE_A_PLACE.contains(second) => Describes::Behind,
        [.., last] if is_describing(last) => Describes::Before,
        _ => Describes::No,
    }
}

fn is_describing(word: &str) -> bool {
    let ends = |end: &str, least: usize| word.len() >= least && word.ends_with(end);
    let participle = ends("ed", 4) && !word.ends_with("eed");
    // beaten, written, broken, taken, chosen, stolen, given, hidden, fallen, frozen
    let irregular = [
        "aten", "tten", "oken", "aken", "osen", "olen", "iven", "dden", "llen", "ozen",
    ];
    participle
        || irregular.iter().any(|end| ends(end, 5))
        || ends("ing", 5)
        || ends("able", 6)
        || ends("ible", 6)
        || DESCRIBING.contains(&word)
}

/// `a wolf` without its article: `wolf`.
pub fn noun(title: &str) -> &str {
    let articles = ["the ", "The ", "a ", "A ", "an ", "An "];
    let mut found = articles.iter().filter_map(|article| title.strip_prefix(article));
    found.next().unwrap_or(title)
}

/// Whether there is one of it: `the doctor`.
pub fn is_the_only(title: &str) -> bool {
    title.starts_with("the ") || title.starts_with("The ")
}

/// Whether a title without its article means several: `civilians`, `people of the road`.
pub fn is_several(title: &str) -> bool {
    let noun = &title[..end_of_noun(title)];
    let last = noun.rsplit([' ', '-']).next().unwrap_or(noun);
    (last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us")) || MANY.contains(&last)
}

/// Whether a name says what has become of somebody: `elected`, and not `vote`.
pub fn is_said_of_people(name: &str) -> bool {
    name.ends_with("ed")
}

/// The name of an answer as one speaks of it: `the partner`, and `p` as it stands.
pub fn answer(name: &str) -> String {
    match name.chars().count() < 3
        || PRONOUNS.contains(&name)
        || name.ends_with(|last: char| last.is_ascii_digit())
    {
        true => name.to_owned(),
        false => format!("the {name}"),
    }
}

/// `a ` or `an `, by what follows.
pub fn article(next: &[Inline]) -> &'static str {
    let words = next.iter().map(|part| match part {
        Inline::Words(words) | Inline::Strong(words) | Inline::Said(words) | Inline::Term(words, _) => words,
    });
    let word = words
        .flat_map(|words| words.split(' '))
        .find(|word| !word.is_empty());
    let word = word.unwrap_or_default();
    // `once` begins as `won` does.
    match word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U'])
        && !["one", "once"].contains(&word)
    {
        true => "an ",
        false => "a ",
    }
}

/// A line that goes on in the middle of a sentence.
pub fn in_the_middle(mut line: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Words(words)) = line.first_mut() {
        let mut letters = words.chars();
        let first = letters.next().map(char::to_lowercase);
        *words = first.into_iter().flatten().chain(letters).collect();
    }
    line
}

/// Words with the stop of a sentence, unless they have one.
pub fn sentence(words: &str) -> String {
    match words.ends_with(['?', '!']) {
        true => words.to_owned(),
        false => format!("{}.", words.trim_end_matches('.')),
    }
}

/// Whether a title is that of a single person by its end: `the loner`, `the lone gunman`.
pub fn is_somebody(title: &str) -> bool {
    let noun = noun(title);
    ["er", "or", "ist", "man", "woman"]
        .iter()
        .any(|end| noun.ends_with(end))
}
