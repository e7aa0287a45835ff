//! What the host does by hand: a few plain sentences, read into deeds of the engine.

use crate::{
    names::{known, seat_in, unknown},
    session::Table,
};
use omerta_core::rules::{EventId, FactId, FactShape, GroupId, Kind};
use omerta_engine::Deed;

/// The sentences: words with capitals stand for what is named.
const FORMS: &[(&str, Reader)] = &[
    ("turn SEAT into ROLE", turn),
    ("mark SEAT as MARK", mark),
    ("unmark SEAT as MARK", unmark),
    ("link SEAT to SEAT as LINK", link),
    ("unlink SEAT as LINK", unlink),
    ("set NAME to VALUE", set),
    ("set NAME of SEAT to VALUE", set_of),
    ("do EVENT", happen),
    ("do EVENT of SEAT", happen),
    ("do EVENT of SEAT by SEAT", happen),
];

/// The words that such sentences begin with.
pub fn beginnings() -> impl Iterator<Item = &'static str> {
    let first = |at: usize| FORMS[at].0.split(' ').next().unwrap_or_default();
    let is_new = move |at: &usize| *at == 0 || first(at - 1) != first(*at);
    (0..FORMS.len()).filter(is_new).map(first)
}

/// Makes a deed of the words that stand in the places of a sentence.
type Reader = fn(&Table, &[&str]) -> Result<Deed, String>;

/// What a sentence means at a table, and what is written in it: that stands in quotation marks, at the end.
pub fn deed<'g>(table: &Table, given: &'g str) -> Result<(Deed, Option<&'g str>), String> {
    let given = given.trim();
    let at = given
        .find('"')
        .filter(|_| given.ends_with('"'))
        .unwrap_or(given.len());
    let (words, text) = given.split_at(at);
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.extend((!text.is_empty()).then_some(text));
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    // The longer forms first: `of Ann by Bob` is not somebody called "Ann by Bob".
    for (form, reader) in FORMS.iter().rev() {
        if let Some(named) = fits(form, &words) {
            let named: Vec<&str> = named.iter().map(String::as_str).collect();
            return Ok((reader(table, &named)?, text));
        }
    }
    let forms: Vec<String> = FORMS.iter().map(|(form, _)| format!("`{form}`")).collect();
    Err(format!("what is done by hand is one of {}", forms.join(", ")))
}

/// What stands for the capitals of a form, where the other words are the same. A seat may be of several words.
fn fits(form: &str, words: &[&str]) -> Option<Vec<String>> {
    let pattern: Vec<&str> = form.split(' ').collect();
    let (mut rest, mut named) = (words, Vec::new());
    for (at, part) in pattern.iter().enumerate() {
        let long = match pattern.get(at + 1) {
            _ if *part != "SEAT" => 1,
            Some(next) => rest.iter().position(|word| word.eq_ignore_ascii_case(next))?,
            None => rest.len(),
        };
        let (own, more) = rest.split_at_checked(long).filter(|(own, _)| !own.is_empty())?;
        match part.starts_with(char::is_uppercase) {
            true => named.push(own.join(" ")),
            false if part.eq_ignore_ascii_case(own[0]) => {}
            false => return None,
        }
        rest = more;
    }
    rest.is_empty().then_some(named)
}

// ---- The places of a sentence
/// The place of one of those that fit, by its name; where none has it, what is said of that.
fn place<'n>(
    (sort, word): (&str, &str),
    places: impl Iterator<Item = usize> + Clone,
    name: impl Fn(usize) -> &'n String,
) -> Result<u16, String> {
    let exact = places.clone().find(|place| name(*place) == word);
    let found = exact.or_else(|| {
        places
            .clone()
            .find(|place| name(*place).eq_ignore_ascii_case(word))
    });
    let known = || -> Vec<String> { places.map(|place| name(place).clone()).collect() };
    found
        .map(|place| place as u16)
        .ok_or_else(|| unknown(sort, word, &known()))
}

fn role(table: &Table, word: &str) -> Result<GroupId, String> {
    let rules = &table.rules;
    let roles = rules.role_ids().map(GroupId::index);
    place(("role", word), roles, |place| &rules.groups[place].name).map(GroupId)
}

fn fact(table: &Table, word: &str, sort: &str, is: fn(FactShape) -> bool) -> Result<FactId, String> {
    let facts = &table.rules.facts;
    let fits = |place: &usize| !facts[*place].hidden && is(facts[*place].shape);
    let places = (0..facts.len()).filter(fits);
    place((sort, word), places, |place| &facts[place].name).map(FactId)
}

fn a_mark(table: &Table, word: &str) -> Result<FactId, String> {
    fact(table, word, "mark", FactShape::is_mark)
}

fn a_link(table: &Table, word: &str) -> Result<FactId, String> {
    fact(table, word, "link", |shape| {
        shape.links_to() == Some(Kind::Players)
    })
}

/// What a fact is set to: a number, `yes` or `no`, or one of its words.
fn value(table: &Table, fact: FactId, word: &str) -> Result<i32, String> {
    let fact = &table.rules.facts[fact.index()];
    let words = known(&fact.words, |(name, _)| name);
    let number = match word {
        "yes" if fact.shape == FactShape::Flag => Some(1),
        "no" if fact.shape == FactShape::Flag => Some(0),
        word => word.parse().ok(),
    };
    let word_of = words.iter().position(|name| name.eq_ignore_ascii_case(word));
    let found = word_of.map(|value| value as i32).or(number);
    found
        .filter(|value| fact.may_be(*value))
        .ok_or_else(|| match fact.shape {
            _ if !words.is_empty() => unknown("word", word, &words),
            FactShape::Flag => format!("`{word}` is neither `yes` nor `no`"),
            _ => format!("`{word}` is no number"),
        })
}

fn event(table: &Table, word: &str) -> Result<EventId, String> {
    let events = &table.rules.events;
    place(("event", word), 0..events.len(), |place| &events[place].name).map(EventId)
}

// ---- The sentences
fn turn(table: &Table, named: &[&str]) -> Result<Deed, String> {
    Ok(Deed::Turn {
        seat: seat_in(&table.names, named[0])?,
        role: role(table, named[1])?,
    })
}

fn mark(table: &Table, named: &[&str]) -> Result<Deed, String> {
    Ok(Deed::Mark {
        seat: seat_in(&table.names, named[0])?,
        fact: a_mark(table, named[1])?,
    })
}

fn unmark(table: &Table, named: &[&str]) -> Result<Deed, String> {
    Ok(Deed::Unmark {
        seat: seat_in(&table.names, named[0])?,
        fact: a_mark(table, named[1])?,
    })
}

fn link(table: &Table, named: &[&str]) -> Result<Deed, String> {
    Ok(Deed::Link {
        from: seat_in(&table.names, named[0])?,
        to: Some(seat_in(&table.names, named[1])?),
        fact: a_link(table, named[2])?,
    })
}

fn unlink(table: &Table, named: &[&str]) -> Result<Deed, String> {
    Ok(Deed::Link {
        from: seat_in(&table.names, named[0])?,
        to: None,
        fact: a_link(table, named[1])?,
    })
}

fn set(table: &Table, named: &[&str]) -> Result<Deed, String> {
    let fact = fact(table, named[0], "flag or count", |shape| {
        matches!(shape, FactShape::Flag | FactShape::Count)
    })?;
    set_to(table, (fact, None), named[1])
}

fn set_of(table: &Table, named: &[&str]) -> Result<Deed, String> {
    let fact = fact(table, named[0], "count of each", |shape| {
        shape == FactShape::CountOfEach
    })?;
    let seat = seat_in(&table.names, named[1])?;
    set_to(table, (fact, Some(seat)), named[2])
}

fn set_to(table: &Table, (fact, seat): (FactId, Option<u8>), word: &str) -> Result<Deed, String> {
    let known = &table.rules.facts[fact.index()];
    match (known.text, word.len() > 1 && word.starts_with('"')) {
        (true, true) => Ok(Deed::Write { fact, seat, text: 0 }),
        (true, false) => Err(format!(
            "`{}` is a text: what it is set to stands in quotation marks",
            known.name
        )),
        (false, _) => Ok(Deed::Count {
            fact,
            seat,
            value: value(table, fact, word)?,
        }),
    }
}

fn happen(table: &Table, named: &[&str]) -> Result<Deed, String> {
    let seat = |place: usize| {
        named
            .get(place)
            .map(|word| seat_in(&table.names, word))
            .transpose()
    };
    Ok(Deed::Happen {
        event: event(table, named[0])?,
        of: seat(1)?,
        by: seat(2)?,
    })
}
