//! Names that somebody typed: what they stand for, or what was meant.

use crate::words::{TIME_UP, listed};
use omerta_core::diagnostic::close_name;
use omerta_syntax::words::{self, Value};

/// So many names are told where none of them is like the one that was given.
const MOST_TOLD: usize = 12;

/// Whether a word means somebody, something or an answer at every table, so that nobody can be called that.
pub fn is_taken(word: &str) -> bool {
    matches!(word, "all" | "pass" | "go" | "public" | TIME_UP)
        || words::is(word, |word| word.value == Some(Value::ByItself))
}

/// A seat by its name or the beginning of it, or by its number, `3` or `seat 3`, among the names of a table.
pub fn seat_in(names: &[String], word: &str) -> Result<u8, String> {
    let number = word.strip_prefix("seat ").unwrap_or(word).trim();
    let seat = number
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    if let Some(seat) = seat.filter(|seat| *seat < names.len()) {
        return Ok(seat as u8);
    }
    // Names of several words are kept with hyphens.
    let lower = word
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("-");
    let exact = names.iter().position(|name| name.to_lowercase() == lower);
    let begun: Vec<usize> = (0..names.len())
        .filter(|seat| !lower.is_empty() && names[*seat].to_lowercase().starts_with(&lower))
        .collect();
    match (exact, &begun[..]) {
        (Some(seat), _) | (None, &[seat]) => Ok(seat as u8),
        (None, [_, ..]) => {
            let all = begun.iter().map(|seat| format!("`{}`", names[*seat])).collect();
            Err(format!("`{word}` could be {}", listed(all, "or")))
        }
        (None, []) => Err(format!("nobody here is called `{word}`{}", hint(word, names))),
    }
}

/// The names of a list, for "did you mean" and completion.
pub fn known<'a, T>(list: &'a [T], name: impl Fn(&'a T) -> &'a str) -> Vec<String> {
    list.iter().map(|one| name(one).to_owned()).collect()
}

/// `; did you mean …?`, or what there is.
pub fn unknown(sort: &str, given: &str, known: &[String]) -> String {
    let more = known.len().saturating_sub(MOST_TOLD);
    let some = known.iter().take(MOST_TOLD).map(|name| format!("`{name}`"));
    let all = some.chain((more > 0).then(|| format!("{more} more"))).collect();
    let there_is = match hint(given, known).is_empty() && !known.is_empty() {
        true => format!("; there is {}", listed(all, "and")),
        false => String::new(),
    };
    unknown_of_many(sort, given, known) + &there_is
}

/// The same where there are too many to tell what there is.
pub fn unknown_of_many(sort: &str, given: &str, known: &[String]) -> String {
    format!("there is no {sort} `{given}`{}", hint(given, known))
}

fn hint(given: &str, known: &[String]) -> String {
    // What is known is no other name for itself: it may not stand there.
    let others = known.iter().map(String::as_str).filter(|name| *name != given);
    let close = close_name(given, others);
    close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"))
}
