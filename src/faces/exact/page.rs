//! What is certain of a game as one page for a browser: no script, no other file, drawings in SVG.
#![expect(clippy::float_arithmetic, reason = "an interval is told in floats")]

use super::{
    rows::{Case, Kind, Row, Study, rows},
    text::{facts, words},
};
use crate::faces::sim::{PAGE_STYLE, name_of, team_colour};
use omerta_book::markup::escaped;
use omerta_core::plural::so_many;
use omerta_measure::sim;
use std::fmt::Write as _;

/// Adds words to a text.
macro_rules! add {
    ($out:expr, $($words:tt)*) => {
        write!($out, $($words)*).expect("a text takes everything")
    };
}

/// The page.
pub fn page(study: &Study) -> String {
    let first = study.iter().find_map(|(_, case)| case.as_ref());
    let title = escaped(first.map_or("", |case| &case.labels.title));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{PAGE_STYLE}</style></head><body>\n<h1>{title}, exactly</h1>\n"
    );
    for (cell, case) in study {
        if !cell.is_empty() {
            add!(out, "<h1>{}</h1>\n", escaped(&name_of(cell)));
        }
        match case {
            Some(case) => add_case(&mut out, case),
            None => out.push_str("<p class=\"note\">no cast</p>\n"),
        }
    }
    out.push_str("</body></html>\n");
    out
}

fn add_case(out: &mut String, case: &Case) {
    let head = &case.head;
    add!(
        out,
        "<p class=\"note\">{}, {}, rules {}</p>\n",
        escaped(&head.ruleset),
        so_many(head.players, "player"),
        escaped(&head.identity)
    );
    for line in facts(case) {
        add!(out, "<p class=\"note\">{}</p>\n", escaped(&line));
    }
    let all = rows(case);
    let team = |name: &str| case.labels.teams.iter().position(|known| known == name);
    let role = |name: &str| {
        let place = case.labels.roles.iter().position(|known| known == name)?;
        case.labels.team_of[place]
    };
    let colour = |row: &Row| match row.kind {
        Kind::Counted(sim::Kind::Team) => team(&row.name),
        Kind::Counted(sim::Kind::Role) => role(&row.name),
        _ => None,
    };
    let parts: [(&str, &[Kind]); 5] = [
        (
            "Who wins",
            &[Kind::Counted(sim::Kind::Team), Kind::Counted(sim::Kind::Nobody)],
        ),
        (
            "How it ends",
            &[
                Kind::Counted(sim::Kind::Ending),
                Kind::Broken,
                Kind::Endless,
                Kind::Open,
            ],
        ),
        ("Wins by role at the end", &[Kind::Counted(sim::Kind::Role)]),
        ("Wins by seat", &[Kind::Counted(sim::Kind::Seat)]),
        ("How long it takes, on average", &[Kind::Answers, Kind::Scene]),
    ];
    for (title, kinds) in parts {
        let some = all.iter().filter(|row| kinds.contains(&row.kind));
        add_bars(out, title, some, |row| {
            colour(row).map_or("var(--bar)", team_colour)
        });
    }
}

/// A bar for each value that is a share, with its words beside it.
fn add_bars<'a>(
    out: &mut String,
    title: &str,
    all: impl Iterator<Item = &'a Row>,
    colour: impl Fn(&Row) -> &'static str,
) {
    let mut bars = String::new();
    for row in all.filter(|row| row.value.between.high > 0.0) {
        let is_share = !matches!(row.kind, Kind::Answers | Kind::Scene);
        let width = if is_share {
            row.value.between.middle().clamp(0.0, 1.0) * 100.0
        } else {
            0.0
        };
        let simulated = row.simulated.map_or_else(String::new, |interval| {
            format!(
                "simulated {:.4} ({:.4} to {:.4})",
                interval.share, interval.low, interval.high
            )
        });
        add!(
            bars,
            "<div class=\"row\"><span>{}</span><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\">\
             <rect width=\"{width:.4}\" height=\"10\" fill=\"{}\"/></svg><span class=\"n\">{}</span>\
             <span class=\"n soft\">{simulated}</span></div>\n",
            escaped(&row.name),
            colour(row),
            words(&row.value)
        );
    }
    if !bars.is_empty() {
        add!(
            out,
            "<h2>{}</h2>\n<div class=\"bars\">\n{bars}</div>\n",
            escaped(title)
        );
    }
}
