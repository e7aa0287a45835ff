//! Arguments on their way into a script, answers on their way out.

use crate::{
    snapshot::Snapshot,
    words::{named, seat_numbers},
};
use omerta_core::rules::Kind;
use omerta_engine::seats_in;
use rhai::{Array, Dynamic, INT};

/// The variable an argument is: its name with `_` for `-`.
pub(super) fn variable(param: &str) -> String {
    param.replace('-', "_")
}

/// An argument as a script sees it.
pub(super) fn argument(kind: Kind, word: u64, table: &Snapshot) -> Dynamic {
    match kind {
        Kind::Players => seat_numbers(word).into(),
        Kind::Cards => seats_in(word)
            .filter_map(|card| table.cards.get(card))
            .filter_map(|group| table.names.groups.get(group.index()))
            .map(|(name, _)| Dynamic::from(name.clone()))
            .collect::<Array>()
            .into(),
        Kind::Titles => named(table.title(word)),
        Kind::Truth => Dynamic::from_bool(word != 0),
        Kind::Number | Kind::Word => Dynamic::from_int(word as INT),
        Kind::Text => Dynamic::UNIT,
    }
}

/// What is wrong with an answer.
pub(super) struct WrongAnswer {
    /// The sentence.
    pub(super) message: String,
    /// Whether the sort of thing is wrong, and so would be at any table but one where nothing is.
    pub(super) always: bool,
}

/// A script's value as the word of a register.
pub(super) fn word(gives: Kind, value: &Dynamic, seats: u8) -> Result<u64, WrongAnswer> {
    let found = match gives {
        Kind::Number => value.as_int().ok().map(|number| number as u64),
        Kind::Truth => value.as_bool().ok().map(u64::from),
        Kind::Players if value.is_unit() => Some(0),
        Kind::Players if value.is_int() => return seat_bit(value, seats),
        Kind::Players => return seat_set(value, seats),
        Kind::Cards | Kind::Titles | Kind::Word | Kind::Text => None,
    };
    found.ok_or_else(|| wrong_kind(gives, value))
}

fn seat_set(value: &Dynamic, seats: u8) -> Result<u64, WrongAnswer> {
    let Some(list) = value.read_lock::<Array>() else {
        return Err(wrong_kind(Kind::Players, value));
    };
    let mut set = 0;
    for seat in list.iter() {
        set |= seat_bit(seat, seats)?;
    }
    Ok(set)
}

fn seat_bit(value: &Dynamic, seats: u8) -> Result<u64, WrongAnswer> {
    let Ok(seat) = value.as_int() else {
        let message = format!(
            "it gave an array with {} in it, where only numbers of seats may be",
            thing(value)
        );
        return Err(WrongAnswer {
            message,
            always: !value.is_unit(),
        });
    };
    if (1..=INT::from(seats)).contains(&seat) {
        Ok(1 << (seat - 1))
    } else {
        let message = format!("it gave seat {seat}, and the seats of this table are 1 to {seats}");
        Err(WrongAnswer {
            message,
            always: false,
        })
    }
}

pub(super) fn wrong_kind(gives: Kind, value: &Dynamic) -> WrongAnswer {
    let wanted = match gives {
        Kind::Number => "a whole number",
        Kind::Truth => "`true` or `false`",
        _ => "an array of seat numbers, one number, or `()` for nobody",
    };
    let message = format!("it gave {}, and must give {wanted}", thing(value));
    WrongAnswer {
        message,
        always: !value.is_unit(),
    }
}

/// A value in words.
fn thing(value: &Dynamic) -> String {
    if let Ok(number) = value.as_int() {
        return format!("the number {number}");
    }
    match value.as_bool() {
        Ok(truth) => format!("`{truth}`"),
        Err(_) => sort(value.type_name()).to_owned(),
    }
}

/// A sort of value in words.
pub(super) fn sort(type_name: &str) -> &str {
    match type_name {
        "i64" => "a number",
        "bool" => "a yes or no",
        "string" | "&str" | "ImmutableString" => "a text",
        "char" => "a letter",
        "array" => "an array",
        "map" => "a map",
        "()" => "nothing",
        "Fn" => "a function",
        other if other.starts_with("range") || other.starts_with("core::ops::range") => "a range",
        other => other,
    }
}
