//! Cast tables: their columns, their sums, the player counts they miss.

use crate::diagnostic::{Diagnostic, close_name};
use crate::rules::{Cast, CastColumn, GroupId, GroupKind, Ruleset};
use crate::source::Span;
use crate::syntax::tree::{CastCell, CastRow, Item, ItemKind};

/// Makes the tables and reports what is off about them.
///
/// Where the rules do not say how many play, the tables do; without either, any number may.
pub fn casts(rules: &mut Ruleset, items: &[Item], players_said: bool, diagnostics: &mut Vec<Diagnostic>) {
    if !players_said {
        rules.seats = (1, 64);
    }
    for item in items {
        let ItemKind::Cast { name, title, rows } = &item.kind else {
            continue;
        };
        let Some(columns) = columns(rules, rows, diagnostics) else {
            continue;
        };
        let cast = Cast {
            name: name.as_ref().map(|n| n.text.clone()),
            title: title.as_ref().map_or_else(String::new, super::plain_text),
            origin: item.span,
            columns,
        };
        check_sums(rules, &cast, rows, diagnostics);
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
            columns.into_iter().collect::<Option<_>>()?
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

fn head_cell(cell: &CastCell, diagnostics: &mut Vec<Diagnostic>) -> Option<CastColumn> {
    match cell {
        CastCell::Range(range) => {
            let (from, to) = (range.from.value, range.to.value);
            if from < 1 || to > 64 || from > to {
                diagnostics.push(super::errors::bad_players(range.from.span.to(range.to.span)));
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
    let role = rules
        .groups
        .iter()
        .position(|g| g.name == row.head.text && g.kind == GroupKind::Role);
    let Some(role) = role.map(|i| GroupId(i as u16)) else {
        let known: Vec<&str> = rules
            .groups
            .iter()
            .filter(|g| g.kind == GroupKind::Role)
            .map(|g| g.name.as_str())
            .collect();
        diagnostics.push(unknown_role(&row.head.text, row.head.span, &known));
        return;
    };
    // One cell for all columns, or one each.
    let spread = row.cells.len() == 1 && columns.len() > 1;
    if row.cells.len() != columns.len() && !spread {
        diagnostics.push(wrong_cells(row.span, row.cells.len(), columns.len()));
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

fn check_sums(rules: &Ruleset, cast: &Cast, rows: &[CastRow], diagnostics: &mut Vec<Diagnostic>) {
    for column in &cast.columns {
        let sum: usize = column.cards.iter().map(|(_, n)| *n as usize).sum();
        let span = rows
            .iter()
            .find(|r| r.head.text == "players")
            .map_or(cast.origin, |r| r.span);
        let spare = rules.spare as usize;
        let (from, to) = (column.from as usize + spare, column.to as usize + spare);
        if column.rest.is_some() {
            if sum > from {
                diagnostics.push(sum_off(span, column.from, sum, from));
            }
        } else if sum != from || from != to {
            diagnostics.push(sum_off(span, column.from, sum, from));
        }
    }
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

fn rest_in_head(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0405",
        "a column needs its number of players",
        span,
        "not a number",
    )
    .help("write `8` or `8..10`")
}

fn unknown_role(name: &str, span: Span, known: &[&str]) -> Diagnostic {
    let base = Diagnostic::error(
        "M0406",
        format!("there is no role `{name}`"),
        span,
        "in the cast table",
    );
    match close_name(name, known.iter().copied()) {
        Some(close) => base.help(format!("did you mean `{close}`?")),
        None => base.help(format!("declare it with `role {name} of …`")),
    }
}

fn wrong_cells(span: Span, cells: usize, columns: usize) -> Diagnostic {
    Diagnostic::error(
        "M0407",
        format!("this row has {cells} numbers, the table has {columns} columns"),
        span,
        "does not fit",
    )
    .help("write one number for each column, or a single one for all")
}

fn cell_is_one_number(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0410",
        "a column has one number of each card",
        span,
        "from one number to another",
    )
    .help("write one number; a column of its own for each case")
}

fn two_rests(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0408",
        "only one role can be the rest",
        span,
        "a second `rest` in this column",
    )
    .help("give one of them a number")
}

fn sum_off(span: Span, players: u8, sum: usize, wanted: usize) -> Diagnostic {
    let message = format!("the column for {players} players holds {sum} cards instead of {wanted}");
    Diagnostic::warning("M0702", "cast-sum", message, span, "in this table")
        .help("change a number, or let one role be `rest`")
}

fn count_missing(span: Span, missing: &[String]) -> Diagnostic {
    let message = format!("the cast table says nothing about {} players", missing.join(", "));
    Diagnostic::warning("M0703", "cast-gap", message, span, "no column for them")
        .help("add a column, or narrow `players`")
}
