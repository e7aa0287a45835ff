//! Cast tables: their columns, their sums, the player counts they miss.

use omerta_core::codes;
use omerta_core::diagnostic::{Diagnostic, Severity};
use omerta_core::gather;
use omerta_core::mistakes;
use omerta_core::plural::so_many;
use omerta_core::rules::{Cast, CastColumn, Group, GroupId, GroupKind, MOST_CARDS, Ruleset, Token};
use omerta_core::source::Span;
use omerta_syntax::tree::{CastCell, CastRow, CastRows, Int, Item, ItemKind, Name, Text};

/// Makes the tables and reports what is off about them.
///
/// Where the rules do not say how many play, the tables do; without either, any number may.
pub fn casts(
    rules: &mut Ruleset,
    items: &[Item],
    (players_said, is_library): (bool, bool),
    diagnostics: &mut Vec<Diagnostic>,
) {
    if !players_said {
        rules.seats = (1, 64);
    }
    let mut off = Vec::new();
    for item in items {
        let ItemKind::Cast {
            only,
            name,
            title,
            rows,
        } = &item.kind
        else {
            continue;
        };
        let CastRows::Table(rows) = rows else {
            continue;
        };
        let mistakes = diagnostics.len();
        let Some(columns) = columns(rules, rows, diagnostics) else {
            continue;
        };
        let is_sound = diagnostics.len() == mistakes;
        let cast = Cast {
            only: *only,
            name: name.as_ref().map(|n| n.text.clone()),
            title: title.as_ref().map_or_else(String::new, Text::plain),
            origin: item.span,
            columns,
        };
        // Rows that are wrong leave sums of which nothing follows.
        if is_sound {
            off.extend(sums_off(rules, &cast, rows));
        }
        if cast.name.is_none() && players_said {
            check_counts(rules, &cast, item.span, diagnostics);
        }
        rules.casts.push(cast);
    }
    let columns = || {
        rules
            .casts
            .iter()
            .filter(|c| c.name.is_none())
            .flat_map(|c| &c.columns)
    };
    if let (false, Some(from), Some(to)) = (
        players_said,
        columns().map(|c| c.from).min(),
        columns().map(|c| c.to).max(),
    ) {
        rules.seats = (from, to);
    }
    for item in items {
        if let ItemKind::Cast {
            name,
            title,
            rows: CastRows::Swaps { players, swaps },
            ..
        } = &item.kind
            && let Some(column) = swapped(rules, players, swaps, diagnostics)
        {
            rules.casts.push(Cast {
                only: false,
                name: name.as_ref().map(|n| n.text.clone()),
                title: title.as_ref().map_or_else(String::new, Text::plain),
                origin: item.span,
                columns: vec![column],
            });
        }
    }
    check_only(rules, diagnostics);
    check_things(rules, diagnostics);
    check_drawn(rules, diagnostics);
    check_limits(rules, diagnostics);
    let nobody_plays = !is_library && !off.is_empty() && !can_be_played(rules);
    diagnostics.extend(off.iter().map(|off| sum_off(rules, off, nobody_plays)));
}

/// Looks for numbers of players with which more lies on the table than there may be.
fn check_things(rules: &Ruleset, diagnostics: &mut Vec<Diagnostic>) {
    let tokens: usize = rules.tokens.iter().map(Token::pieces).sum();
    for cast in &rules.casts {
        let mut dealt = dealt(rules, cast).filter(|(players, _)| may_play(rules, *players));
        if let Some((players, cards)) = dealt.find(|(_, cards)| cards.len() + tokens > MOST_CARDS) {
            diagnostics.push(too_many_things(cast.origin, players, cards.len(), tokens));
        }
    }
}

/// For each number of players that a cast has a column for, its cards.
fn dealt<'r>(rules: &'r Ruleset, cast: &'r Cast) -> impl Iterator<Item = (u8, Vec<GroupId>)> + 'r {
    let counts = { cast.columns.iter() }.flat_map(|c| (c.from..=c.to).map(move |players| (c, players)));
    counts.map(|(column, players)| (players, column.cards(rules.cards_for(usize::from(players)))))
}

fn may_play(rules: &Ruleset, players: u8) -> bool {
    (rules.seats.0..=rules.seats.1).contains(&players)
}

/// Looks for rows that want more different roles of a team or a class than there are.
fn check_drawn(rules: &Ruleset, diagnostics: &mut Vec<Diagnostic>) {
    for cast in &rules.casts {
        if let Some((players, cards)) = dealt(rules, cast).find(|(_, cards)| !rules.can_be_drawn(cards)) {
            diagnostics.extend(too_few_roles(rules, cast, players, &cards));
        }
    }
}

/// Looks for numbers of players for whom there are more cards of a role than it may have.
fn check_limits(rules: &Ruleset, diagnostics: &mut Vec<Diagnostic>) {
    // Of rows that were not understood nothing follows.
    if diagnostics.iter().any(|told| told.severity == Severity::Error) {
        return;
    }
    for cast in &rules.casts {
        let dealt = dealt(rules, cast).filter(|(players, _)| may_play(rules, *players));
        let mut beyond = dealt.filter_map(|(players, cards)| {
            let copies = |role: usize| cards.iter().filter(|card| card.index() == role).count();
            let limits = rules.roles.iter().enumerate();
            let mut limits = limits.filter_map(|(role, about)| Some((role, copies(role), about.limit?)));
            let (role, copies, limit) = limits.find(|(_, copies, limit)| *copies > usize::from(*limit))?;
            Some((players, role, copies, limit))
        });
        if let Some((players, role, copies, limit)) = beyond.next() {
            let group = &rules.groups[role];
            diagnostics.push(too_many_copies(
                cast.origin,
                (players, copies, limit),
                &group.name,
                group.origin,
            ));
        }
    }
}

fn too_few_roles(rules: &Ruleset, cast: &Cast, players: u8, cards: &[GroupId]) -> Option<Diagnostic> {
    let copies = |card: GroupId| cards.iter().filter(|other| **other == card).count();
    let is_short = |card: &GroupId| {
        !rules.can_be_drawn(
            &{ cards.iter() }
                .copied()
                .filter(|other| !rules.is_open(*other) || other == card)
                .collect::<Vec<_>>(),
        )
    };
    let mut open = { cards.iter() }.filter(|card| rules.is_open(**card));
    let card = open.clone().find(|card| is_short(card)).or(open.next_back())?;
    let group = &rules.groups[card.index()];
    Some(not_so_many(
        cast.origin,
        (players, copies(*card)),
        &group.name,
        group.origin,
    ))
}

/// Whether a table has a cast for any number of players that may play.
fn can_be_played(rules: &Ruleset) -> bool {
    let columns = || rules.casts.iter().flat_map(|cast| &cast.columns);
    (rules.seats.0..=rules.seats.1).any(|players| {
        let mut here = columns().filter(|c| (c.from..=c.to).contains(&players));
        let players = usize::from(players);
        here.any(|c| rules.is_enough(c.cards(rules.cards_for(players)).len(), players))
    })
}

/// In a library without a table, casts that are made of one wait for the ruleset that has it.
pub fn leave_to_the_table(casts: &mut Vec<Item>) {
    let is_table = |item: &Item| {
        matches!(
            &item.kind,
            ItemKind::Cast {
                name: None,
                rows: CastRows::Table(_),
                ..
            }
        )
    };
    let is_swap = |item: &Item| {
        matches!(
            &item.kind,
            ItemKind::Cast {
                rows: CastRows::Swaps { .. },
                ..
            }
        )
    };
    if !casts.iter().any(is_table) {
        casts.retain(|item| !is_swap(item));
    }
}

/// The table's column for so many players with cards put in, each for one that it replaces.
fn swapped(
    rules: &Ruleset,
    players: &Int,
    swaps: &[(Name, Name)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CastColumn> {
    let count = usize::try_from(players.value).unwrap_or(0);
    let table = rules.casts.iter().find(|cast| cast.name.is_none());
    let Some(column) = table.and_then(|table| table.column(count)) else {
        diagnostics.push(no_such_column(players));
        return None;
    };
    let mut cards = column.cards(rules.cards_for(count));
    let mut put_in = Vec::new();
    for (other, card) in swaps {
        let known = |name: &Name, diagnostics: &mut Vec<Diagnostic>| {
            let found = role_named(rules, &name.text);
            if found.is_none() {
                diagnostics.push(unknown_role(&name.text, name.span, &roles(rules, diagnostics)));
            }
            found
        };
        let (Some(new), Some(old)) = (known(other, diagnostics), known(card, diagnostics)) else {
            return None;
        };
        let Some(place) = cards.iter().position(|c| *c == old) else {
            diagnostics.push(no_such_card(card, players));
            return None;
        };
        cards.remove(place);
        put_in.push(new);
        if !rules.may_replace(&put_in, put_in.len() - 1, old) {
            diagnostics.push(replaces_not(other, card, rules.groups[new.index()].origin));
        }
    }
    cards.extend(put_in);
    let mut counted: Vec<(GroupId, u8)> = Vec::new();
    for card in cards {
        *gather::under(&mut counted, card) += 1;
    }
    Some(CastColumn {
        from: count as u8,
        to: count as u8,
        cards: counted,
        rest: None,
    })
}

/// Where the table is all there is, casts with a name must come of it, too.
fn check_only(rules: &Ruleset, diagnostics: &mut Vec<Diagnostic>) {
    let Some(table) = rules.casts.iter().find(|c| c.only && c.name.is_none()) else {
        return;
    };
    for cast in rules.casts.iter().filter(|c| c.name.is_some()) {
        for players in cast
            .columns
            .iter()
            .flat_map(|c| usize::from(c.from)..=usize::from(c.to))
        {
            let cards = |cast: &Cast| {
                let column = cast.column(players)?;
                Some(column.cards(rules.cards_for(players)))
            };
            let (Some(here), Some(there)) = (cards(cast), cards(table)) else {
                continue;
            };
            if let Err(stray) = rules.comes_of(&there, &here) {
                let name = &rules.groups[stray.index()].name;
                diagnostics.push(not_of_the_table(cast, name, players, table.origin));
            }
        }
    }
}

fn role_named(rules: &Ruleset, name: &str) -> Option<GroupId> {
    let is_it = |g: &Group| g.name == name && g.kind == GroupKind::Role;
    rules.groups.iter().position(is_it).map(|i| GroupId(i as u16))
}

/// What a row is about: a role, or a team or a class of whose roles so many are drawn.
fn row_named(rules: &Ruleset, name: &str) -> Option<GroupId> {
    let may_head = |group: &GroupId| {
        matches!(
            rules.groups[group.index()].kind,
            GroupKind::Role | GroupKind::Team | GroupKind::Class
        )
    };
    rules.group_named(name).filter(may_head)
}

fn roles<'r>(rules: &'r Ruleset, diagnostics: &[Diagnostic]) -> Vec<&'r str> {
    rules
        .groups
        .iter()
        .filter(|g| g.kind == GroupKind::Role)
        .map(|g| g.name.as_str())
        .take(crate::errors::guesses(diagnostics.len()))
        .collect()
}

fn columns(rules: &Ruleset, rows: &[CastRow], diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<CastColumn>> {
    let head = rows.iter().find(|r| r.head.text == "players");
    let mut columns: Vec<CastColumn> = match head {
        Some(row) => {
            // A head that is wrong says nothing about the rows below it.
            let columns: Vec<_> = row
                .cells
                .iter()
                .map(|cell| head_cell(cell, diagnostics))
                .collect();
            let columns = columns.into_iter().collect::<Option<Vec<_>>>()?;
            diagnostics.extend(two_columns(row, &columns));
            columns
        }
        // A cast without a head is for every number of players the ruleset allows.
        None => vec![CastColumn {
            from: rules.seats.0,
            to: rules.seats.1,
            cards: Vec::new(),
            rest: None,
        }],
    };
    for row in rows.iter().filter(|r| r.head.text != "players") {
        add_row(rules, row, &mut columns, diagnostics);
    }
    Some(columns)
}

/// A number of players that two columns are for.
fn two_columns(head: &CastRow, columns: &[CastColumn]) -> Option<Diagnostic> {
    let spans = head.cells.iter().filter_map(|cell| match cell {
        CastCell::Range(range) => Some(range.from.span.to(range.to.span)),
        CastCell::Rest(_) => None,
    });
    let columns: Vec<_> = columns.iter().zip(spans).collect();
    columns.iter().enumerate().find_map(|(at, (column, span))| {
        let meets = |(other, _): &&(&CastColumn, Span)| other.from <= column.to && column.from <= other.to;
        let (other, first) = columns[..at].iter().find(meets)?;
        Some(for_twice(*span, other.from.max(column.from), *first))
    })
}

fn head_cell(cell: &CastCell, diagnostics: &mut Vec<Diagnostic>) -> Option<CastColumn> {
    match cell {
        CastCell::Range(range) => {
            let (from, to) = (range.from.value, range.to.value);
            if from < 1 || to > 64 || from > to {
                diagnostics.push(crate::errors::bad_players(
                    range.from.span.to(range.to.span),
                    from,
                    to,
                ));
                return None;
            }
            Some(CastColumn {
                from: from as u8,
                to: to as u8,
                cards: Vec::new(),
                rest: None,
            })
        }
        CastCell::Rest(span) => {
            diagnostics.push(rest_in_head(*span));
            None
        }
    }
}

fn add_row(rules: &Ruleset, row: &CastRow, columns: &mut [CastColumn], diagnostics: &mut Vec<Diagnostic>) {
    let Some(role) = row_named(rules, &row.head.text) else {
        diagnostics.push(unknown_role(
            &row.head.text,
            row.head.span,
            &roles(rules, diagnostics),
        ));
        return;
    };
    // One cell for all columns, or one each.
    let spread = row.cells.len() == 1 && columns.len() > 1;
    if row.cells.len() != columns.len() && !spread {
        let problem = wrong_cells(row.span, row.cells.len(), columns.len());
        diagnostics.push(match columns.len() {
            1 => problem
                .help("a row at the head says for how many players each column is: `players 4..6 7..10`"),
            _ => problem,
        });
        return;
    }
    for (i, column) in columns.iter_mut().enumerate() {
        match &row.cells[if spread { 0 } else { i }] {
            CastCell::Rest(span) => {
                if column.rest.is_some() {
                    diagnostics.push(two_rests(*span));
                }
                column.rest = Some(role);
            }
            CastCell::Range(range) => {
                if range.from.value != range.to.value {
                    diagnostics.push(cell_is_one_number(range.from.span.to(range.to.span)));
                }
                column.cards.push((role, range.from.value.clamp(0, 64) as u8));
            }
        }
    }
}

/// A column with too many or too few cards.
struct SumOff {
    span: Span,
    players: u8,
    sum: usize,
}

fn sums_off(rules: &Ruleset, cast: &Cast, rows: &[CastRow]) -> Vec<SumOff> {
    let span = rows
        .iter()
        .find(|r| r.head.text == "players")
        .map_or(cast.origin, |r| r.span);
    let is_off = |column: &CastColumn, players: u8| {
        let (sum, wanted) = (sum_of(column), rules.cards_for(usize::from(players)));
        match (rules.spare_rest, column.rest) {
            (true, None) => sum < wanted,
            (true, Some(_)) => false,
            (false, Some(_)) => sum > wanted,
            (false, None) => sum != wanted,
        }
    };
    let off = |column: &CastColumn| {
        let players = (column.from..=column.to).find(|players| is_off(column, *players))?;
        Some(SumOff {
            span,
            players,
            sum: sum_of(column),
        })
    };
    cast.columns.iter().filter_map(off).collect()
}

fn sum_of(column: &CastColumn) -> usize {
    column.cards.iter().map(|(_, n)| usize::from(*n)).sum()
}

fn check_counts(rules: &Ruleset, cast: &Cast, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let missing: Vec<String> = (rules.seats.0..=rules.seats.1)
        .filter(|n| !cast.columns.iter().any(|c| (c.from..=c.to).contains(n)))
        .map(|n| n.to_string())
        .collect();
    if !missing.is_empty() && rules.seats.1 > 0 {
        diagnostics.push(count_missing(span, &missing));
    }
}

mistakes! {
    fn no_such_column(players: &Int) = error("M0412", players.span):
        format!("the table has no cast for {}", so_many(players.value, "player")), "no column of the table",
        help "name a number of players that the cast without a name has a column for";

    fn no_such_card(card: &Name, players: &Int) = error("M0413", card.span):
        format!("the table's cast for {} has no `{}` left", so_many(players.value, "player"), card.text),
        "to be taken out",
        help "put the card in for one that is there";

    fn replaces_not(other: &Name, card: &Name, origin: Span) = error("M0414", other.span):
        format!("`{}` does not replace `{}`", other.text, card.text), "to be put in",
        also origin, "declared here",
        help format!("put it in for a card it replaces, or add `{}` behind its `replaces`", card.text);

    fn not_of_the_table(cast: &Cast, role: &str, players: usize, table: Span) = error("M0415", cast.origin):
        format!("the table has no room for `{role}` in the cast `{name}` for {}", so_many(players, "player")), "this cast",
        also table, "only what comes of this table may be played",
        help "take out a card that it replaces, or drop the `only` of the table",
        where name = cast.name.as_deref().unwrap_or_default();

    fn too_many_things(cast: Span, players: u8, cards: usize, tokens: usize) = error("M0416", cast):
        format!(
            "{} have {} and {}, and at most {MOST_CARDS} may be on the table",
            so_many(players, "player"), so_many(cards, "card"), so_many(tokens, "token"),
        ),
        "this cast",
        help "take fewer tokens, or fewer players; what is only counted may be a `count` instead of tokens";

    fn too_many_copies(cast: Span, (players, copies, limit): (u8, usize, u8), role: &str, origin: Span) = error("M0418", cast):
        format!("for {} there are {copies} cards of `{role}`, and at most {limit} may be in the game", so_many(players, "player")),
        "this cast",
        also origin, "declared here",
        help format!("deal fewer of `{role}`, or take `at most {limit}` out of its declaration");

    fn not_so_many(cast: Span, (players, wanted): (u8, usize), group: &str, origin: Span) = error("M0417", cast):
        format!("for {} there are not {wanted} different roles of `{group}` to draw", so_many(players, "player")), "this cast",
        also origin, "declared here",
        help "a row of a team or a class is that many different roles of it, none that has a row of its own; take fewer, or add a role";

    fn for_twice(column: Span, players: u8, first: Span) = error("M0419", column):
        format!("two columns are for {}", so_many(players, "player")), "and so is this",
        also first, "one of them",
        help "let one of them begin behind the other's last number";

    fn rest_in_head(span: Span) = error("M0405", span):
        "a column needs its number of players", "not a number",
        help "write `8` or `8..10`";

    fn unknown_role(name: &str, span: Span, known: &[&str]) = error(codes::UNKNOWN_ROW, span):
        format!("there is no role `{name}`"), "in the cast table",
        near name, known, else format!("declare it with `role {name} of …`");
}

/// `1 column`, `2 columns`
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

mistakes! {
    fn wrong_cells(span: Span, cells: usize, columns: usize) = error("M0407", span):
        format!("this row has {}, the table has {}", count(cells, "number"), count(columns, "column")),
        "does not fit",
        help "write one number for each column, or a single one for all";

    fn cell_is_one_number(span: Span) = error("M0410", span):
        "a column has one number of each card", "from one number to another",
        help "write one number; a column of its own for each case";

    fn two_rests(span: Span) = error("M0408", span):
        "only one role can be the rest", "a second `rest` in this column",
        help "give one of them a number";
}

fn sum_off(rules: &Ruleset, off: &SumOff, nobody_plays: bool) -> Diagnostic {
    let SumOff { span, players, sum } = *off;
    let wanted = rules.cards_for(usize::from(players));
    let at_least = if rules.spare_rest { "at least " } else { "" };
    let message = format!(
        "the column for {} holds {} instead of {at_least}{wanted}",
        so_many(players, "player"),
        so_many(sum, "card"),
    );
    let label = "in this table";
    let base = match nobody_plays {
        true => Diagnostic::error("M0702", message, span, label),
        false => Diagnostic::warning("M0702", "cast-sum", message, span, label),
    };
    let help = "change a number, or let one role be `rest`".to_owned();
    let help = match sum.checked_sub(players.into()) {
        Some(0) => format!("{help}; where no card is left over, leave `spare` out"),
        Some(over) => format!(
            "{help}; where cards are left over, write `spare {over}`, or `spare rest` for as many as there are"
        ),
        None => help,
    };
    base.help(match nobody_plays {
        true => format!("{help}; as it is, no number of players can be dealt"),
        false => help,
    })
}

mistakes! {
    fn count_missing(span: Span, missing: &[String]) = warning "cast-gap" ("M0703", span):
        format!("the cast table says nothing about {}", so_many(missing.join(", "), "player")), "no column for them",
        help "add a column, or narrow `players`";
}
