//! The words by which a script reads the table. Each only reads; an unknown name is a mistake that
//! says which name was perhaps meant.

use crate::{
    mistake::{Mistake, Outcome},
    snapshot::{Names, SceneState, Snapshot},
};
use omerta_core::rules::{FactShape, GroupKind, Kind};
use omerta_engine::seats_in;
use rhai::{Array, Dynamic, EvalAltResult, FnPtr, FuncRegistration, INT, Module, NativeCallContext};
use std::sync::Arc;

/// The words.
const WORDS: &[&str] = &[
    "players", "seats", "members", "number", "flag", "linked", "text", "role", "team", "times", "during",
];

/// What Rhai's packages have besides, those of the room a script runs in.
const BORROWED: &str = "abs all append bits bytes chars chop clear contains crop dedup drain end ends_with extract fill_with \
    filter find find_map for_each get index_of insert is_anonymous is_empty is_even is_exclusive \
    is_inclusive is_odd is_zero keys len make_lower make_upper map max min mixin name order order_by \
    order_desc pad pop push range reduce reduce_rev remove replace retain reverse set shift sign some \
    sort sort_by sort_desc splice split split_rev start starts_with sub_string to_binary to_blob \
    to_chars to_debug to_hex to_int to_json to_lower to_octal to_string to_upper trim truncate values \
    zip";

/// All functions that a script may call, for "did you mean".
pub(super) fn all_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().copied().chain(BORROWED.split(' '))
}

/// Whether there is a function of that name, whatever it takes.
pub(super) fn is_known(name: &str) -> bool {
    all_words().any(|word| word == name)
}

/// All words in one module.
pub(super) fn module() -> Module {
    let mut module = Module::new();
    let word = |name: &str| FuncRegistration::new(name).with_volatility(true);
    word("players").set_into_module(&mut module, players);
    word("seats").set_into_module(&mut module, seats);
    word("members").set_into_module(&mut module, members);
    word("number").set_into_module(&mut module, number);
    word("number").set_into_module(&mut module, number_of);
    word("flag").set_into_module(&mut module, flag);
    word("linked").set_into_module(&mut module, linked);
    word("text").set_into_module(&mut module, text);
    word("text").set_into_module(&mut module, text_of);
    word("role").set_into_module(&mut module, role);
    word("team").set_into_module(&mut module, team);
    word("times").set_into_module(&mut module, times);
    word("during").set_into_module(&mut module, during);
    for name in ["sort", "sort_by"] {
        word(name).set_into_module(&mut module, sort_by);
    }
    for name in ["order", "order_by"] {
        word(name).set_into_module(
            &mut module,
            |ctx: NativeCallContext<'_>, list: &mut Array, before: FnPtr| {
                let mut list = list.clone();
                sort_by(ctx, &mut list, before)?;
                Ok::<Array, Box<EvalAltResult>>(list)
            },
        );
    }
    module
}

/// Seats as scripts see them: numbers from 1.
pub(super) fn seat_numbers(set: u64) -> Array {
    seats_in(set)
        .map(|seat| Dynamic::from_int(seat as INT + 1))
        .collect()
}

/// A name, or `()` where there is none.
pub(super) fn named(name: Option<&str>) -> Dynamic {
    name.map_or(Dynamic::UNIT, |name| Dynamic::from(name.to_owned()))
}

/// Sorts by what a function says of two members: a number, below 0 where the first stands first, or whether it does.
/// Rhai's own panics where that is no order at all, and swallows what goes wrong in it.
fn sort_by(ctx: NativeCallContext<'_>, list: &mut Array, before: FnPtr) -> Outcome<()> {
    let stands_behind = |one: &Dynamic, other: &Dynamic| -> Outcome<bool> {
        let said: Dynamic = before.call_within_context(&ctx, (one.clone(), other.clone()))?;
        match (said.as_int(), said.as_bool()) {
            (Ok(number), _) => Ok(number > 0),
            (_, Ok(first)) => Ok(!first),
            _ => {
                let what = "to sort takes a number or yes-or-no for two members".to_owned();
                Err(Mistake::plain(what))
            }
        }
    };
    let mut width = 1;
    while width < list.len() {
        let mut sorted = Array::with_capacity(list.len());
        for run in list.chunks(2 * width) {
            let (mut one, mut other) = run.split_at(width.min(run.len()));
            while let ([first, left @ ..], [second, right @ ..]) = (one, other) {
                match stands_behind(first, second)? {
                    true => (sorted.push(second.clone()), other = right),
                    false => (sorted.push(first.clone()), one = left),
                };
            }
            sorted.extend(one.iter().chain(other).cloned());
        }
        *list = sorted;
        width *= 2;
    }
    Ok(())
}

fn players(ctx: NativeCallContext<'_>) -> Outcome<Array> {
    let table = table(&ctx)?;
    Ok((1..=INT::from(table.seats)).map(Dynamic::from_int).collect())
}

fn seats(ctx: NativeCallContext<'_>) -> Outcome<INT> {
    Ok(INT::from(table(&ctx)?.seats))
}

fn members(ctx: NativeCallContext<'_>, name: &str) -> Outcome<Array> {
    let table = table(&ctx)?;
    if let Some(group) = table.names.group(name) {
        return Ok(seat_numbers(table.groups[group]));
    }
    match table.names.fact(name) {
        Some((at, FactShape::Mark | FactShape::MarkOne)) => Ok(seat_numbers(table.words[at])),
        Some((at, FactShape::MarkInOrder { .. })) => Ok(table.rows[at]
            .iter()
            .map(|seat| Dynamic::from_int(*seat as INT + 1))
            .collect()),
        Some((_, shape)) => Err(wrong_word(name, shape)),
        None => Err(unknown_members(&table.names, name)),
    }
}

fn number(ctx: NativeCallContext<'_>, name: &str) -> Outcome<INT> {
    let table = table(&ctx)?;
    match table.names.fact(name) {
        Some((at, FactShape::Count)) => Ok(table.words[at] as INT),
        Some((_, shape)) => Err(wrong_word(name, shape)),
        None => Err(unknown_fact(&table.names, name, "number", is_count)),
    }
}

fn number_of(ctx: NativeCallContext<'_>, name: &str, seat: INT) -> Outcome<INT> {
    let table = table(&ctx)?;
    match table.names.fact(name) {
        Some((at, FactShape::CountOfEach)) => Ok(table.rows[at][index(&table, seat)?] as INT),
        Some((_, shape)) => Err(wrong_word(name, shape)),
        None => Err(unknown_fact(&table.names, name, "number", is_count)),
    }
}

fn text(ctx: NativeCallContext<'_>, name: &str) -> Outcome<Dynamic> {
    let table = table(&ctx)?;
    match table.names.text(name) {
        Some((at, false)) => Ok(written(&table.texts[at][0])),
        Some((_, true)) => Err(wrong_text(name, true)),
        None => Err(unknown_text(&table.names, name)),
    }
}

fn text_of(ctx: NativeCallContext<'_>, name: &str, seat: INT) -> Outcome<Dynamic> {
    let table = table(&ctx)?;
    match table.names.text(name) {
        Some((at, true)) => Ok(written(&table.texts[at][index(&table, seat)?])),
        Some((_, false)) => Err(wrong_text(name, false)),
        None => Err(unknown_text(&table.names, name)),
    }
}

fn written(text: &str) -> Dynamic {
    named(Some(text).filter(|text| !text.is_empty()))
}

fn flag(ctx: NativeCallContext<'_>, name: &str) -> Outcome<bool> {
    let table = table(&ctx)?;
    match table.names.fact(name) {
        Some((at, FactShape::Flag)) => Ok(table.words[at] != 0),
        Some((_, shape)) => Err(wrong_word(name, shape)),
        None => Err(unknown_fact(&table.names, name, "flag", |shape| {
            matches!(shape, FactShape::Flag)
        })),
    }
}

fn linked(ctx: NativeCallContext<'_>, name: &str, seat: INT) -> Outcome<Array> {
    let table = table(&ctx)?;
    match table.names.fact(name) {
        Some((
            at,
            FactShape::Link {
                to: Kind::Players, ..
            },
        )) => Ok(seat_numbers(table.rows[at][index(&table, seat)?])),
        Some((at, FactShape::Link { to: Kind::Titles, .. })) => {
            let titles = table.rows[at][index(&table, seat)?];
            Ok(table.titles(titles).map(|title| named(Some(title))).collect())
        }
        Some((_, shape)) => Err(wrong_word(name, shape)),
        None => Err(unknown_fact(&table.names, name, "link", is_link)),
    }
}

fn role(ctx: NativeCallContext<'_>, seat: INT) -> Outcome<Dynamic> {
    let table = table(&ctx)?;
    let roles = table.roles.get(index(&table, seat)?).copied().unwrap_or(0);
    Ok(named(table.title(roles)))
}

fn team(ctx: NativeCallContext<'_>, seat: INT) -> Outcome<Dynamic> {
    let table = table(&ctx)?;
    let teams = table.teams.get(index(&table, seat)?).copied().unwrap_or(0);
    Ok(named(table.title(teams)))
}

fn times(ctx: NativeCallContext<'_>, name: &str) -> Outcome<INT> {
    Ok(scene(&ctx, name)?.times as INT)
}

fn during(ctx: NativeCallContext<'_>, name: &str) -> Outcome<bool> {
    Ok(scene(&ctx, name)?.during)
}

// ---- What they share

/// The table that came with this call.
fn table(ctx: &NativeCallContext<'_>) -> Outcome<Arc<Snapshot>> {
    let tag = ctx
        .tag()
        .and_then(|tag| tag.read_lock::<Arc<Snapshot>>().map(|table| Arc::clone(&table)));
    tag.ok_or_else(|| Mistake::plain("there is no table to read".to_owned()))
}

fn scene(ctx: &NativeCallContext<'_>, name: &str) -> Outcome<SceneState> {
    let table = table(ctx)?;
    match table.names.scene(name) {
        Some(at) => Ok(table.scenes[at]),
        None => Err(Mistake::unknown(
            "scene",
            name,
            table.names.scenes.iter().map(String::as_str),
            "",
        )),
    }
}

/// A seat's number as an index.
fn index(table: &Snapshot, seat: INT) -> Outcome<usize> {
    let last = table.seats;
    match usize::try_from(seat) {
        Ok(seat) if (1..=usize::from(last)).contains(&seat) => Ok(seat - 1),
        _ => Err(Mistake::plain(format!(
            "there is no seat {seat}; the seats of this table are 1 to {last}"
        ))),
    }
}

fn is_count(shape: FactShape) -> bool {
    matches!(shape, FactShape::Count | FactShape::CountOfEach)
}

fn is_link(shape: FactShape) -> bool {
    matches!(
        shape,
        FactShape::Link {
            to: Kind::Players | Kind::Titles,
            ..
        }
    )
}

// ---- Mistakes in names

/// A fact read by the word for another sort of fact.
fn wrong_word(name: &str, shape: FactShape) -> Box<rhai::EvalAltResult> {
    let (sort, word) = match shape {
        shape if shape.is_mark() => ("a mark", format!("members(\"{name}\")")),
        FactShape::Flag => ("a flag", format!("flag(\"{name}\")")),
        FactShape::Count => ("a number of the whole game", format!("number(\"{name}\")")),
        FactShape::CountOfEach => ("a number of each player", format!("number(\"{name}\", seat)")),
        _ => ("a link", format!("linked(\"{name}\", seat)")),
    };
    Mistake::name(format!("`{name}` is {sort}: read it as `{word}`"))
}

/// A text read by the word for another sort of fact, or for one person where it is of the game.
fn wrong_text(name: &str, each: bool) -> Box<rhai::EvalAltResult> {
    let (sort, seat) = match each {
        true => ("a text of each player", ", seat"),
        false => ("a text of the whole game", ""),
    };
    Mistake::name(format!("`{name}` is {sort}: read it as `text(\"{name}\"{seat})`"))
}

fn unknown_text(names: &Names, name: &str) -> Box<rhai::EvalAltResult> {
    if let Some((_, shape)) = names.fact(name) {
        return wrong_word(name, shape);
    }
    let known = names.texts.iter().map(|(name, ..)| name.as_str());
    Mistake::unknown("text", name, known, "")
}

fn unknown_fact(
    names: &Names,
    name: &str,
    sort: &str,
    fits: fn(FactShape) -> bool,
) -> Box<rhai::EvalAltResult> {
    if let Some((_, each)) = names.text(name) {
        return wrong_text(name, each);
    }
    let known = names
        .facts
        .iter()
        .filter(|(_, shape)| fits(*shape))
        .filter_map(|(name, _)| name.as_deref());
    Mistake::unknown(sort, name, known, "")
}

fn unknown_members(names: &Names, name: &str) -> Box<rhai::EvalAltResult> {
    let marks = names
        .facts
        .iter()
        .filter(|(_, shape)| shape.is_mark())
        .filter_map(|(name, _)| name.as_deref());
    let groups = names
        .groups
        .iter()
        .filter(|(_, kind)| *kind != GroupKind::Face)
        .map(|(name, _)| name.as_str());
    let aside = "; what a `define` gives, a script is handed as its argument";
    Mistake::unknown(
        "mark, role, team, class or token",
        name,
        marks.chain(groups),
        aside,
    )
}
