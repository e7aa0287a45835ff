//! What a cell of a table of casts says, in words.

use crate::project::Project;
use omerta_core::{plural::so_many, source::Span};
use omerta_syntax::tree::{CastCell, CastRow, CastRows, Item, ItemKind};
use std::{ops::Range, path::Path, sync::Arc};

impl Project {
    /// What the cell at a byte says, and where it stands.
    pub fn cell_at(&self, path: &Path, offset: usize) -> Option<(Range<usize>, String)> {
        let text = self.text(path)?;
        cell_in(&self.reading(path, &text).items, offset)
    }
}

fn cell_in(items: &[Arc<Item>], offset: usize) -> Option<(Range<usize>, String)> {
    items.iter().find_map(|item| match &item.kind {
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => cell_in(items, offset),
        ItemKind::Replace(inner) => cell_of(inner, offset),
        _ => cell_of(item, offset),
    })
}

fn cell_of(item: &Item, offset: usize) -> Option<(Range<usize>, String)> {
    let ItemKind::Cast {
        rows: CastRows::Table(rows),
        ..
    } = &item.kind
    else {
        return None;
    };
    let is_here = |cell: &CastCell| {
        let span = place(cell);
        (span.start as usize..=span.end as usize).contains(&offset)
    };
    let (row, at) = rows
        .iter()
        .find_map(|row| Some((row, row.cells.iter().position(is_here)?)))?;
    let span = place(&row.cells[at]);
    let range = span.start as usize..span.end as usize;
    Some((range, said(rows, row, at)))
}

fn said(rows: &[CastRow], row: &CastRow, at: usize) -> String {
    let is_head = |row: &&CastRow| row.head.text == "players";
    let head = rows.iter().find(is_head).and_then(|head| head.cells.get(at));
    let players = head.map(|cell| match cell {
        CastCell::Range(range) if range.from.value == range.to.value => so_many(range.from.value, "player"),
        CastCell::Range(range) => format!("{} to {} players", range.from.value, range.to.value),
        CastCell::Rest(_) => "all others".to_owned(),
    });
    let with = players
        .as_ref()
        .map_or("In the game".to_owned(), |players| format!("With {players}"));
    match (&row.cells[at], players) {
        (_, Some(players)) if row.head.text == "players" => {
            format!("This column says which cards are in the game with {players}.")
        }
        (CastCell::Range(range), _) => {
            let are = if range.to.value == 1 { "is" } else { "are" };
            let cards = so_many(range.to.value, "card");
            format!(
                "{with} there {are} {cards} of `{}`. Change the number to change that.",
                row.head.text
            )
        }
        (CastCell::Rest(_), _) => format!(
            "{with} all cards that the other rows leave open are `{}`: as many as it takes until there is one for each player.",
            row.head.text
        ),
    }
}

fn place(cell: &CastCell) -> Span {
    match cell {
        CastCell::Range(range) => range.from.span.to(range.to.span),
        CastCell::Rest(span) => *span,
    }
}
