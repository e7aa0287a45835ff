//! Several of one kind in English: `wolves`, `men of the law`. Of titles that it cannot know authors give their own.

/// Nouns whose plural no rule makes, by how they end.
const IRREGULAR: &[(&str, &str)] = &[
    ("human", "humans"),
    ("shaman", "shamans"),
    ("german", "germans"),
    ("norman", "normans"),
    ("roman", "romans"),
    ("ottoman", "ottomans"),
    ("talisman", "talismans"),
    ("man", "men"),
    ("child", "children"),
    ("person", "people"),
    ("wife", "wives"),
    ("knife", "knives"),
    ("life", "lives"),
    ("leaf", "leaves"),
    ("hero", "heroes"),
    ("mouse", "mice"),
    ("goose", "geese"),
    ("sheep", "sheep"),
    ("deer", "deer"),
    ("fish", "fish"),
    ("nese", "nese"),
    ("guese", "guese"),
    ("swiss", "swiss"),
];

/// What hangs on the noun that has the plural: `passers-by`.
const TAILS: &[&str] = &["-in-law", "-in-chief", "-in-waiting", "-at-arms", "-of-arms"];
/// The same behind who does something.
const DOERS_TAILS: &[&str] = &["er-by", "er-on", "er-up"];

/// What a title with an article for one of many means several of: `wolf` for `a wolf`.
pub fn one_of_many(title: &str) -> Option<&str> {
    let articles = ["a ", "A ", "an ", "An "];
    let mut found = articles.iter().filter_map(|article| title.strip_prefix(article));
    found.next()
}

/// Where the noun of a title ends: at the first word that leads on to another, `people` in `people of the road`.
pub fn end_of_noun(title: &str) -> usize {
    let joints = [" of ", " in ", " with ", " from ", " who ", " that ", ": ", ", "];
    let ends = joints.iter().filter_map(|joint| title.find(joint));
    ends.min().unwrap_or(title.len())
}

/// So many of one kind: `1 player`, `2 players`.
pub fn so_many(number: impl std::fmt::Display, one: &str) -> String {
    match number.to_string() {
        number if number == "1" => format!("1 {one}"),
        number => format!("{number} {}", several(one)),
    }
}

/// Several of what goes by a title without its article.
pub fn several(title: &str) -> String {
    let (noun, rest) = title.split_at(end_of_noun(title));
    let tail = TAILS
        .iter()
        .find(|tail| noun.ends_with(*tail))
        .map(|tail| tail.len());
    let doers = DOERS_TAILS.iter().any(|tail| noun.ends_with(tail));
    if let Some(tail) = tail.or(doers.then_some("-by".len())) {
        let (noun, tail) = noun.split_at(noun.len() - tail);
        return format!("{}{tail}{rest}", several(noun));
    }
    let small = noun.to_lowercase();
    let irregular = IRREGULAR.iter().find(|(one, _)| small.ends_with(one));
    // `ox`, and not `fox`
    let irregular = irregular.or_else(|| {
        let is_ox = small
            .strip_suffix("ox")
            .is_some_and(|before| before.is_empty() || before.ends_with([' ', '-']));
        is_ox.then_some(&("x", "xen"))
    });
    if let Some((one, many)) = irregular.filter(|_| small.len() == noun.len()) {
        // A capital letter stays.
        let alike = one
            .bytes()
            .zip(many.bytes())
            .take_while(|(one, many)| one == many)
            .count();
        let kept = &noun[..noun.len() - one.len() + alike];
        return format!("{kept}{}{rest}", &many[alike..]);
    }
    let vowel = |letter: Option<char>| letter.is_some_and(|letter| "aeiou".contains(letter));
    let mut backwards = noun.chars().rev();
    let (last, before) = (backwards.next(), backwards.next());
    let without = |letters: usize| &noun[..noun.len() - letters];
    let many = match last {
        Some('y') if !vowel(before) => format!("{}ies", without(1)),
        Some('f')
            if ["alf", "elf", "olf", "arf", "ief"]
                .iter()
                .any(|end| noun.ends_with(end))
                && !noun.ends_with("chief") =>
        {
            format!("{}ves", without(1))
        }
        Some('s' | 'x' | 'z') => format!("{noun}es"),
        Some('h') if matches!(before, Some('c' | 's')) => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    format!("{many}{rest}")
}
