//! What English asks of words, whatever the rules are: articles, several of one kind, which words describe somebody. It
//! knows no ruleset.

use crate::page::Inline;

/// Participles that end in neither `-ed` nor `-ing`, and a few words that stand before a noun like one.
const DESCRIBING: &[&str] = &[
    "absent", "alive", "asleep", "awake", "bought", "bound", "caught", "dead", "drawn", "drunk", "found",
    "guilty", "healthy", "hurt", "innocent", "known", "led", "lost", "lucky", "met", "mute", "safe", "sent",
    "shot", "shown", "sick", "silent", "slain", "struck", "sworn", "torn", "unseen",
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

/// Where the noun of a title ends: at the first word that leads on to another, `people` in `people of the road`.
fn end_of_noun(title: &str) -> usize {
    let joints = [" of ", " in ", " with ", " from ", " who "];
    let ends = joints.iter().filter_map(|joint| title.find(joint));
    ends.min().unwrap_or(title.len())
}

/// Whether a title without its article means several: `civilians`, `people of the road`.
pub fn is_several(title: &str) -> bool {
    let noun = &title[..end_of_noun(title)];
    let last = noun.rsplit([' ', '-']).next().unwrap_or(noun);
    (last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us")) || MANY.contains(&last)
}

/// Several of what goes by a title: `wolves`, `men of the law`.
pub fn several(title: &str) -> String {
    let (noun, rest) = title.split_at(end_of_noun(title));
    let irregular = [
        ("wife", "wives"),
        ("man", "men"),
        ("child", "children"),
        ("person", "people"),
    ];
    if let Some((one, many)) = irregular.iter().find(|(one, _)| noun.ends_with(one)) {
        return format!("{}{many}{rest}", &noun[..noun.len() - one.len()]);
    }
    let vowel = |letter: Option<char>| letter.is_some_and(|letter| "aeiou".contains(letter));
    let mut backwards = noun.chars().rev();
    let (last, before) = (backwards.next(), backwards.next());
    let without = |letters: usize| &noun[..noun.len() - letters];
    let many = match last {
        Some('y') if !vowel(before) => format!("{}ies", without(1)),
        Some('f')
            if ["lf", "rf", "ief"].iter().any(|end| noun.ends_with(end)) && !noun.ends_with("chief") =>
        {
            format!("{}ves", without(1))
        }
        Some('s' | 'x' | 'z') => format!("{noun}es"),
        Some('h') if matches!(before, Some('c' | 's')) => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    format!("{many}{rest}")
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
    let first = next.iter().find_map(|part| match part {
        Inline::Words(words) | Inline::Strong(words) | Inline::Said(words) | Inline::Term(words, _) => {
            words.chars().next()
        }
    });
    match first.is_some_and(|letter| "aeiouAEIOU".contains(letter)) {
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
