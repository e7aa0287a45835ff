//! What people write as an answer: how long it may be, what may not stand in it, and when two say the same.

/// How many letters it may have where the rules say nothing.
pub const MOST_LETTERS: u32 = 200;
/// How many the rules may allow.
pub const LONGEST: u32 = 1000;
/// How many different ones a game may keep.
pub const MOST_TEXTS: usize = 4096;

/// Why something is no text that somebody may write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// Nothing but blanks.
    Empty,
    /// It has more letters than are allowed.
    TooLong {
        /// How many it has.
        letters: usize,
        /// How many it may have.
        most: u32,
    },
    /// A line break, or a sign that nobody sees and that changes how the rest is shown.
    Unseen,
    /// The game keeps as many as it can.
    TooMany,
}

/// A text as it is kept: without blanks around it.
pub fn cleaned(text: &str, most: u32) -> Result<&str, Unwritable> {
    let text = text.trim();
    let letters = text.chars().count();
    match () {
        () if text.chars().any(is_unseen) => Err(Unwritable::Unseen),
        () if text.is_empty() => Err(Unwritable::Empty),
        () if letters > most as usize => Err(Unwritable::TooLong { letters, most }),
        () => Ok(text),
    }
}

/// Two texts say the same where these are equal: neither capital letters nor how many blanks there are matter.
pub fn folded(text: &str) -> String {
    folded_letters(text).collect()
}

/// Whether two texts say the same.
pub fn say_the_same(one: &str, other: &str) -> bool {
    folded_letters(one).eq(folded_letters(other))
}

fn folded_letters(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace().enumerate();
    let letters = words.flat_map(|(nth, word)| {
        let blank = (nth > 0).then_some(' ');
        blank.into_iter().chain(word.chars().flat_map(char::to_lowercase))
    });
    // The one letter that is another at the end of a word.
    letters.map(|letter| if letter == 'ς' { 'σ' } else { letter })
}

/// Whether a sign is not seen itself, and may change how the rest is shown.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{34f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text of somebody else's with `?` for whatever nobody sees.
pub fn harmless(text: &str) -> String {
    let seen = |letter: char| if is_unseen(letter) { '?' } else { letter };
    text.chars().map(seen).collect()
}

/// The number of the first text of the rules; below it stand those that people wrote, from 1.
pub const OF_RULES: u32 = 1 << 31;

/// The number of a text as a word: which one it is, and above it the first that says the same. None is 0.
pub fn word(number: u32, same: u32) -> u64 {
    u64::from(same) << 32 | u64::from(number)
}
