//! Casts that nobody asked for: what a table of the rules gives, some cards put in for those they may
//! replace, as long as the rules have nothing against it.

use crate::{
    chance::{Chance, Dice},
    chances::{EveryWay, Share, plus},
    deal,
};
use omerta_core::{
    diagnostic::Severity,
    rules::{GroupId, PlannedCast, Ruleset},
    source::Span,
};
use omerta_engine::Hooks;
use std::{collections::BTreeMap, sync::Arc};

/// How often cards are drawn anew until the rules have nothing against them.
const TRIES: usize = 100;

/// Seats and cards; `None` where the tables give nothing that may be played.
pub fn random(rules: &Ruleset, hooks: &Arc<dyn Hooks>, chance: &mut Chance) -> Option<(u8, PlannedCast)> {
    let counts = player_counts(rules);
    (0..TRIES).find_map(|_| {
        let players = *pick(&counts, chance)?;
        Some((players, once(rules, hooks, players, chance)?))
    })
}

/// Cards for so many.
pub fn random_for(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    players: u8,
    chance: &mut Chance,
) -> Option<PlannedCast> {
    (0..TRIES).find_map(|_| once(rules, hooks, players, chance))
}

/// For how many players there is a column in some table.
pub fn player_counts(rules: &Ruleset) -> Vec<u8> {
    let columns = || rules.casts.iter().flat_map(|cast| &cast.columns);
    let has_column = |players: &u8| columns().any(|column| (column.from..=column.to).contains(players));
    (rules.seats.0..=rules.seats.1).filter(has_column).collect()
}

fn once(rules: &Ruleset, hooks: &Arc<dyn Hooks>, players: u8, chance: &mut Chance) -> Option<PlannedCast> {
    let seats = usize::from(players);
    let fits: Vec<_> = rules
        .casts
        .iter()
        .filter(|cast| cast.column(seats).is_some())
        .collect();
    let named = pick(&fits, chance)?.name.as_deref();
    let place = Span::default();
    let mut cards = deal::from_table(rules, named, seats, place).ok()?;
    if chance.below(2) == 0 {
        let joker = |role: &usize| !rules.roles[*role].replaces.is_empty();
        let mut others: Vec<usize> = (0..rules.roles.len()).filter(joker).collect();
        chance.shuffle(&mut others);
        others.truncate(chance.below(others.len() as u64 + 1) as usize);
        for role in others {
            // One that finds no place stays out.
            let put = deal::put_in(rules, &cards, &[GroupId(role as u16)], place);
            cards = put.unwrap_or(cards);
        }
    }
    let cards = draw_once(rules, &cards, chance)?;
    is_sound(rules, hooks, &cards, seats).then_some(cards)
}

/// A cast with a role for each card that the table leaves to chance, such that the rules have nothing against it; if
/// they always have, what they have will be said of it.
pub fn drawn(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    cast: PlannedCast,
    seats: usize,
    chance: &mut Chance,
) -> PlannedCast {
    if !cast.cards.iter().any(|card| rules.is_open(*card)) {
        return cast;
    }
    let sound = (0..TRIES).find_map(|_| {
        let drawn = draw_once(rules, &cast, chance)?;
        is_sound(rules, hooks, &drawn, seats).then_some(drawn)
    });
    sound.or_else(|| draw_once(rules, &cast, chance)).unwrap_or(cast)
}

/// All casts that a table may have come to which leaves cards to chance, each with its share, if this is one of them; just
/// this one where no card was left to chance, or a card was put in. Nothing where there are more than so many.
pub fn lots(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    cast: &PlannedCast,
    seats: usize,
    most: usize,
) -> Option<Vec<(PlannedCast, Share)>> {
    let Some(table) = open_table(rules, cast, seats) else {
        return Some(vec![(cast.clone(), (1, 1))]);
    };
    let mut lots: BTreeMap<Vec<GroupId>, Share> = BTreeMap::new();
    let mut known = BTreeMap::new();
    let mut dice = EveryWay::default();
    for tried in 0.. {
        if let Some(mut cards) = rules.drawn(&table, |roles| dice.below(roles as u64) as usize) {
            cards.sort_unstable();
            let sound = known.entry(cards.clone()).or_insert_with(|| {
                let cast = PlannedCast { cards: cards.clone() };
                is_sound(rules, hooks, &cast, seats)
            });
            if *sound {
                let share = dice.share();
                let all = lots.entry(cards).or_insert((0, 1));
                *all = plus(*all, share);
            }
        }
        if known.len() > most || tried > most * TRIES {
            return None;
        }
        if !dice.next() {
            break;
        }
    }
    let lot = |(cards, share)| (PlannedCast { cards }, share);
    Some(lots.into_iter().map(lot).collect())
}

/// One of these casts.
pub fn lot(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    cast: &PlannedCast,
    seats: usize,
    chance: &mut Chance,
) -> Option<PlannedCast> {
    let cards = open_table(rules, cast, seats)?;
    let drawn = draw_once(rules, &PlannedCast { cards }, chance)?;
    is_sound(rules, hooks, &drawn, seats).then_some(drawn)
}

/// The cards of a table that leaves some of them to chance, of which a cast may be drawn.
fn open_table(rules: &Ruleset, cast: &PlannedCast, seats: usize) -> Option<Vec<GroupId>> {
    let tables = rules.casts.iter().filter_map(|cast| cast.column(seats));
    let mut tables = tables.map(|column| column.cards(cast.cards.len()));
    tables.find(|table| {
        table.iter().any(|card| rules.is_open(*card)) && rules.is_drawn_from(table, &cast.cards)
    })
}

fn draw_once(rules: &Ruleset, cast: &PlannedCast, chance: &mut Chance) -> Option<PlannedCast> {
    let cards = rules.drawn(&cast.cards, |roles| chance.below(roles as u64) as usize)?;
    Some(PlannedCast { cards })
}

/// Whether the rules have nothing against a cast.
pub fn is_sound(rules: &Ruleset, hooks: &Arc<dyn Hooks>, cast: &PlannedCast, seats: usize) -> bool {
    let problems = deal::check(rules, hooks, cast, seats, Span::default());
    problems.iter().all(|problem| problem.severity != Severity::Error)
}

fn pick<'a, T>(list: &'a [T], chance: &mut Chance) -> Option<&'a T> {
    list.get(chance.below(list.len().max(1) as u64) as usize)
}

/// Cards for so many, some of them by hand as a host might: roles that no table has in the stead of the
/// commonest cards, as long as the rules have nothing against it.
pub fn mixed_for(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    players: u8,
    chance: &mut Chance,
) -> Option<PlannedCast> {
    let seats = usize::from(players);
    let mut cards = random_for(rules, hooks, players, chance)?;
    let is_absent = |role: &GroupId| !cards.cards.contains(role);
    let roles = rules.role_ids();
    let mut absent: Vec<GroupId> = roles.filter(is_absent).collect();
    chance.shuffle(&mut absent);
    absent.truncate(1 + chance.below(u64::from(players / 2) + 1) as usize);
    for role in absent {
        let other = instead_of_the_commonest(&cards, role);
        if is_sound(rules, hooks, &other, seats) {
            cards = other;
        }
    }
    Some(cards)
}

/// Cards for so many with a certain one among them: of the table, or put in for what it replaces, or in
/// the stead of the commonest. `None` where the rules do not want it.
pub fn random_with(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    players: u8,
    role: GroupId,
    chance: &mut Chance,
) -> Option<PlannedCast> {
    let seats = usize::from(players);
    let cards = random_for(rules, hooks, players, chance)?;
    if cards.cards.contains(&role) {
        return Some(cards);
    }
    let put = deal::put_in(rules, &cards, &[role], Span::default()).ok();
    put.into_iter()
        .chain([instead_of_the_commonest(&cards, role)])
        .find(|cards| is_sound(rules, hooks, cards, seats))
}

fn instead_of_the_commonest(cast: &PlannedCast, role: GroupId) -> PlannedCast {
    let mut cards = cast.cards.clone();
    let copies = |at: &usize| cards.iter().filter(|card| **card == cards[*at]).count();
    if let Some(at) = (0..cards.len()).max_by_key(copies) {
        cards[at] = role;
    }
    PlannedCast { cards }
}
