//! What the game is, and how the table is set: players, casts, what a cast must have.

use crate::{
    english::{noun, several},
    page::{Inline, Line, Page},
    phrases::{Teller, words},
    subject::{Subject, spoken},
};
use omerta_core::{
    rules::{Cast, CastColumn, GroupId, GroupKind},
    source::Span,
};
use omerta_play::words::{listed, with_a_capital};
use omerta_syntax::tree::{Face, ItemKind};

/// `4 to 18 players`
pub fn players(subject: Subject<'_>) -> String {
    range(subject.rules.seats)
}

fn range((from, to): (u8, u8)) -> String {
    match from == to {
        true => format!("{from} players"),
        false => format!("{from} to {to} players"),
    }
}

/// Adds what the game is.
pub fn add_head(page: &mut Page, subject: Subject<'_>) {
    let rules = subject.rules;
    let lot = if rules.by_lot { ", seated by lot" } else { "" };
    let spare = match rules.spare {
        _ if rules.spare_rest => ", and all cards that are not dealt are left over".to_owned(),
        0 => String::new(),
        1 => ", and one card more than players".to_owned(),
        spare => format!(", and {spare} cards more than players"),
    };
    let heads = rules.overlays.iter().filter_map(|name| subject.head(name, true));
    let laid_on = match rules.overlays.is_empty() {
        true => String::new(),
        false => format!(
            " With: {}.",
            listed(heads.map(|head| head.title).collect(), "and")
        ),
    };
    page.plain(&format!("{}{lot}{spare}.{laid_on}", players(subject)));
    page.plain(
        &subject
            .head(&rules.name, false)
            .map_or_else(String::new, |head| head.remark),
    );
    let counted = |kind: &ItemKind| matches!(kind, ItemKind::Players { .. } | ItemKind::Spare(_));
    for (_, span) in subject.kinds().filter(|(kind, _)| counted(kind)) {
        page.plain(&subject.remark(span));
    }
}

/// Adds the casts and what they must have.
pub fn add_casts(page: &mut Page, teller: &Teller<'_>) {
    let subject = teller.subject;
    let rules = subject.rules;
    if rules.casts.is_empty() && rules.cast_checks.is_empty() {
        return;
    }
    page.heading(2, "Setting up", "setup");
    for cast in rules
        .casts
        .iter()
        .filter(|cast| cast.columns.len() > 1 || cast.name.is_none())
    {
        if let Some(name) = &cast.name {
            let title = if cast.title.is_empty() { name } else { &cast.title };
            page.heading(3, title, &format!("cast-{name}"));
        }
        page.plain(&subject.remark(cast.origin));
        add_table(page, subject, cast);
        if cast.only {
            let replaces = rules.roles.iter().any(|role| !role.replaces.is_empty());
            page.plain(match replaces {
                true => "Only these casts are played, with cards put in for those that they may replace.",
                false => "Only these casts are played.",
            });
        }
    }
    let single = rules
        .casts
        .iter()
        .filter(|cast| cast.columns.len() == 1 && cast.name.is_some());
    for cast in single.clone() {
        page.plain(&subject.remark(cast.origin));
    }
    let row = |cast: &Cast| {
        let name = cast.name.clone().unwrap_or_default();
        let title = if cast.title.is_empty() { &name } else { &cast.title };
        let column = &cast.columns[0];
        vec![
            with_a_capital(title),
            range((column.from, column.to)),
            cards(subject, column),
        ]
    };
    page.table(&["Cast", "For", "Cards"], single.map(row).collect());
    let things = subject.kinds().flat_map(|(kind, _)| things(teller, kind));
    page.table(&["Besides the cards", "How many"], things.collect());
    let refused = match rules.casts.iter().any(|cast| cast.only) {
        true => "Of these, too, some are refused, with these words:",
        false => "Other cards may be played, too. Some are refused, with these words:",
    };
    for (head, warns) in [(refused, false), ("Others come with a warning:", true)] {
        let lines: Vec<Line> = subject
            .kinds()
            .filter_map(|declared| check(teller, declared, warns))
            .collect();
        if !lines.is_empty() {
            page.plain(head);
            page.list(false, lines);
        }
    }
}

/// The tokens of a declaration, a row each: those with faces by their faces.
fn things(teller: &Teller<'_>, kind: &ItemKind) -> Vec<Vec<String>> {
    let ItemKind::Token {
        name,
        title,
        copies,
        faces,
        ..
    } = kind
    else {
        return Vec::new();
    };
    let count = copies.as_ref().map_or(1, |copies| copies.value).to_string();
    let title = title
        .as_ref()
        .map_or_else(|| spoken(&name.text), |title| teller.shown(title));
    if faces.is_empty() {
        return vec![vec![with_a_capital(&title), count]];
    }
    let face = |face: &Face| {
        let shown = face
            .title
            .as_ref()
            .map_or_else(|| spoken(&face.name.text), |title| teller.shown(title));
        vec![format!("{}: {shown}", with_a_capital(&title)), count.clone()]
    };
    faces.iter().map(face).collect()
}

/// What a cast must or should fulfil, and what is said when it does not.
fn check(teller: &Teller<'_>, (kind, span): (&ItemKind, Span), warns: bool) -> Option<Line> {
    let (test, message) = match kind {
        ItemKind::Require { test, message, .. } if !warns => (test, message),
        ItemKind::Warn { test, message, .. } if warns => (test, message),
        _ => return None,
    };
    // The message says it; what the options in force have settled is not tested.
    teller.test(test).ok()?;
    let message = teller.shown(message);
    let message = Inline::Said(with_a_capital(message.trim_end_matches('.')));
    Some(Line::of(words![message, teller.remarked(span)]))
}

/// `healer, 2 smugglers, otherwise bakers`
fn cards(subject: Subject<'_>, column: &CastColumn) -> String {
    let counted = column.cards.iter().filter(|(_, count)| *count > 0);
    let title = |role: GroupId, many: bool| {
        let group = &subject.rules.groups[role.index()];
        let one = noun(&group.title);
        match many {
            true => group.for_several().unwrap_or_else(|| several(one)),
            false => one.to_owned(),
        }
    };
    let mut cards: Vec<String> = counted
        .map(|(role, count)| match count {
            1 => title(*role, false),
            count => format!("{count} {}", title(*role, true)),
        })
        .collect();
    cards.extend(column.rest.map(|rest| format!("otherwise {}", title(rest, true))));
    cards.join(", ")
}

/// Roles down, players across.
fn add_table(page: &mut Page, subject: Subject<'_>, cast: &Cast) {
    let dealt = |group: &usize| {
        let id = GroupId(*group as u16);
        let in_column = |column: &CastColumn| {
            column.rest == Some(id) || column.cards.iter().any(|(card, count)| *card == id && *count > 0)
        };
        cast.columns.iter().any(in_column)
    };
    let groups = &subject.rules.groups;
    // Roles by their titles; of a team or a class so many of its roles.
    let title = |group: usize| match groups[group].kind {
        GroupKind::Role => with_a_capital(&groups[group].title),
        _ => format!(
            "Any of {}",
            listed(names_of(subject, cast, GroupId(group as u16)), "or")
        ),
    };
    let row = |group: usize| {
        let cells = cast
            .columns
            .iter()
            .map(|column| cell(subject, column, GroupId(group as u16)));
        [title(group)].into_iter().chain(cells).collect()
    };
    let mut head = vec!["Players".to_owned()];
    head.extend(cast.columns.iter().map(|column| match (column.from, column.to) {
        (from, to) if from == to => from.to_string(),
        (from, to) => format!("{from}–{to}"),
    }));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    page.table(&head, (0..groups.len()).filter(dealt).map(row).collect());
    let is_open = |column: &CastColumn| column.cards.iter().any(|(card, _)| subject.rules.is_open(*card));
    if cast.columns.iter().any(is_open) {
        page.plain(
            "Where any of several may be in the game, chance says which: each of them once at the most.",
        );
    }
}

/// The roles that a row of a team or a class may become: those of it that have no row of their own.
fn names_of(subject: Subject<'_>, cast: &Cast, group: GroupId) -> Vec<String> {
    let rules = subject.rules;
    let is_in = |card: GroupId, column: &CastColumn| {
        column.rest == Some(card)
            || column
                .cards
                .iter()
                .any(|(other, count)| *other == card && *count > 0)
    };
    let has_row = |role: GroupId| {
        let mut columns = cast.columns.iter().filter(|column| is_in(group, column));
        columns.all(|column| is_in(role, column))
    };
    let roles = rules.role_ids();
    { roles }
        .filter(|role| rules.is_of(*role, group) && !has_row(*role))
        .map(|role| rules.groups[role.index()].title.clone())
        .collect()
}

fn cell(subject: Subject<'_>, column: &CastColumn, role: GroupId) -> String {
    let counted: u32 = column
        .cards
        .iter()
        .filter(|(card, _)| *card == role)
        .map(|(_, count)| u32::from(*count))
        .sum();
    if column.rest != Some(role) {
        return if counted == 0 {
            "–".to_owned()
        } else {
            counted.to_string()
        };
    }
    let all: u32 = column.cards.iter().map(|(_, count)| u32::from(*count)).sum();
    let all_cards = |players: u8| subject.rules.cards_for(usize::from(players)) as u32;
    let rest = |players: u8| all_cards(players).saturating_sub(all) + counted;
    match (rest(column.from), rest(column.to)) {
        (from, to) if from == to => from.to_string(),
        (from, to) => format!("{from}–{to}"),
    }
}
