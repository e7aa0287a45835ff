//! What people bring along from other languages, other games and plain English, and what is written here.
//!
//! The rows stand in `elsewhere.txt`.

/// The rows of a part: what is brought along, and what stands for it.
fn rows(part: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (_, rows) = include_str!("elsewhere.txt")
        .split_once(part)
        .expect("the table has this part");
    let rows = rows.lines().take_while(|row| !row.is_empty());
    rows.filter_map(|row| row.split_once(" : "))
}

/// Signs of other languages with the words that stand for them here, longer signs first.
pub(super) fn signs() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows("== signs\n")
}

/// What is written instead of a word that others begin a declaration with.
pub(super) fn declaration(word: &str) -> Option<&'static str> {
    Some(rows("== declarations\n").find(|(known, _)| *known == word)?.1)
}

/// What is written instead of a word that others begin a statement with.
pub(super) fn statement(word: &str) -> Option<&'static str> {
    Some(rows("== statements\n").find(|(known, _)| *known == word)?.1)
}

/// What is told of a word of plain English that nobody declared, and what alone can be written in its place, if that can be
/// said; `{}` is the word.
pub fn plain_word(word: &str) -> Option<(&'static str, Option<&'static str>)> {
    let (_, told) = rows("== words\n").find(|(words, _)| words.split(' ').any(|known| known == word))?;
    Some(match told.split_once(" : ") {
        Some((told, instead)) => (told, Some(instead)),
        None => (told, None),
    })
}
