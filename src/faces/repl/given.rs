//! What may stand behind a command: words, seats, numbers, names.

pub use omerta_play::names::{known, unknown, unknown_of_many};

/// The first word of a line, and what comes after it.
pub fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// A number that stands behind a command; 1 where none does.
pub fn times(given: &str) -> Result<usize, String> {
    match given {
        "" => Ok(1),
        given => given.parse().map_err(|_| format!("`{given}` is no number")),
    }
}
