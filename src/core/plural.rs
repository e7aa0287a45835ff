//! Several of one kind in English: `wolves`, `men of the law`. Of titles that it cannot know authors give their own.

/// Nouns whose plural no rule makes, by how they end.
const IRREGULAR: &[(&str, &str)] = &[
    ("human", "humans"),
    ("shaman", "shamans"),
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
];

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
    if let Some((one, many)) = IRREGULAR.iter().find(|(one, _)| noun.ends_with(one)) {
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
