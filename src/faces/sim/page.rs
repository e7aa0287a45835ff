//! The numbers of a run as one page for a browser: no script, no other file, drawings in SVG.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::{
    file::{Cell, RunFile},
    share::{Interval, difference, wilson},
    tally::Record,
    text::grouped,
};
use crate::faces::markup::escaped;
use std::fmt::Write as _;

/// One run, or those of a sweep.
pub type Study = [(Cell, RunFile)];

/// Colours that are told apart by most eyes, on white and on black.
const COLOURS: [&str; 8] = [
    "#3b6fb6", "#c8553d", "#3f8f5f", "#8a5fb0", "#b98a1d", "#2d9aa0", "#b0507f", "#6b7280",
];

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--soft:#6b7280;--line:#d9dde3;--bar:#3b6fb6;--band:#e8edf5}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--paper:#14181f;--soft:#9aa3b0;--line:#333a46;--band:#232a36}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p.note{color:var(--soft);margin:.2rem 0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}.wide svg{min-width:36rem}svg{width:100%;height:auto;display:block}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .soft{fill:var(--soft)}svg .line{stroke:var(--line)}
.heat{width:auto;margin-bottom:1rem}.heat td{text-align:center;color:#1d2430}.heat th:not(:first-child){text-align:center}.bad{color:#c8553d;font-weight:600}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}table,svg{break-inside:avoid}}";

/// The page.
pub fn page(study: &Study) -> String {
    let Some((_, first)) = study.first() else {
        return String::new();
    };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(&first.labels.title)
    );
    if let [(_, run)] = study {
        add_run(&mut out, run);
    } else {
        add_sweep(&mut out, study);
    }
    out.push_str("</body></html>\n");
    out
}

fn add(out: &mut String, words: std::fmt::Arguments<'_>) {
    out.write_fmt(words).expect("a text takes everything");
}

/// What was played, in a line.
fn facts(run: &RunFile) -> String {
    let head = &run.head;
    let with = match head.overlays.is_empty() {
        true => String::new(),
        false => format!(" with {}", head.overlays.join(", ")),
    };
    format!(
        "<p class=\"note\">{}{with}, {} players, {} games, seed {}, rules {}</p>\n",
        escaped(&head.ruleset),
        head.players,
        grouped(run.tally.games),
        head.seed,
        escaped(&head.identity)
    )
}

fn add_run(out: &mut String, run: &RunFile) {
    out.push_str(&facts(run));
    let tally = &run.tally;
    if tally.broken + tally.endless > 0 {
        add(
            out,
            format_args!(
                "<p class=\"bad\">{} games broke the rules' own bounds, {} did not end; the first: {:?}</p>\n",
                tally.broken, tally.endless, tally.wrong
            ),
        );
    }
    if tally.ended() == 0 {
        return;
    }
    out.push_str("<h2>Who wins</h2>\n");
    let ended = tally.ended();
    let mut rows: Vec<Row<'_>> = named(&run.labels.teams, &tally.teams)
        .map(|(name, record)| (name, wilson(record.won, ended), record.won))
        .collect();
    if tally.without_winner > 0 {
        rows.push((
            "nobody",
            wilson(tally.without_winner, ended),
            tally.without_winner,
        ));
    }
    out.push_str(&bars("Who wins", &rows));
    out.push_str("<p class=\"note\">The thin line is the 95 % interval.</p>\n<h2>How it ends</h2>\n");
    let names = run.labels.endings.iter().map(String::as_str).chain(["no ending"]);
    let rows: Vec<Row<'_>> = names
        .zip(&tally.endings)
        .filter(|(name, count)| **count > 0 || *name != "no ending")
        .map(|(name, &count)| (name, wilson(count, ended), count))
        .collect();
    out.push_str(&bars("How it ends", &rows));
    out.push_str("<h2>Wins by role at the end</h2>\n");
    let rows: Vec<Row<'_>> = named(&run.labels.roles, &tally.roles)
        .filter(|(_, record)| record.held > 0)
        .map(|(name, record)| (name, wilson(record.won, record.held), record.won))
        .collect();
    out.push_str(&bars("Wins by role at the end", &rows));
    out.push_str("<h2>Wins by seat</h2>\n");
    let numbers: Vec<String> = (1..=tally.seats.len()).map(|seat| seat.to_string()).collect();
    let rows: Vec<Row<'_>> = named(&numbers, &tally.seats)
        .map(|(name, record)| (name, wilson(record.won, record.held), record.won))
        .collect();
    out.push_str(&bars("Wins by seat", &rows));
    add_length(out, run);
    add_survival(out, run);
}

fn named<'a>(names: &'a [String], records: &'a [Record]) -> impl Iterator<Item = (&'a str, &'a Record)> {
    names.iter().map(String::as_str).zip(records)
}

/// A bar: its name, its share, and how often it was counted.
type Row<'a> = (&'a str, Interval, u64);

fn bars(what: &str, rows: &[Row<'_>]) -> String {
    let height = rows.len() * 26 + 24;
    let mut out = svg(what, height);
    let x = |share: f64| 240.0 + share * 420.0;
    for tenth in 0..=4 {
        let (at, bottom) = (x(f64::from(tenth) / 4.0), height - 20);
        add(
            &mut out,
            format_args!(
                "<line class=\"line\" x1=\"{at}\" x2=\"{at}\" y1=\"0\" y2=\"{bottom}\"/>\
                 <text class=\"soft\" text-anchor=\"middle\" x=\"{at}\" y=\"{}\">{} %</text>",
                height - 6,
                tenth * 25
            ),
        );
    }
    for (place, (name, interval, count)) in rows.iter().enumerate() {
        let top = place * 26 + 4;
        let middle = top + 9;
        let colour = COLOURS[place % COLOURS.len()];
        let (low, high, wide) = (x(interval.low), x(interval.high), interval.share * 420.0);
        add(
            &mut out,
            format_args!(
                "<text text-anchor=\"end\" x=\"230\" y=\"{0}\">{1}</text>\
                 <rect x=\"240\" y=\"{top}\" width=\"{wide:.2}\" height=\"18\" fill=\"{colour}\"/>\
                 <line x1=\"{low:.2}\" x2=\"{high:.2}\" y1=\"{middle}\" y2=\"{middle}\" stroke=\"currentColor\"/>\
                 <text x=\"672\" y=\"{0}\">{2:.2} % ± {3:.2}</text>\
                 <text class=\"soft\" text-anchor=\"end\" x=\"856\" y=\"{0}\">{4}</text>",
                top + 14,
                escaped(&cut(name)),
                interval.share * 100.0,
                interval.half_width() * 100.0,
                grouped(*count)
            ),
        );
    }
    out + "</svg></div>\n"
}

/// The beginning of a drawing that says what it shows; one that is too wide is moved sideways.
fn svg(what: &str, height: usize) -> String {
    format!(
        "<div class=\"wide\"><svg viewBox=\"0 0 860 {height}\" role=\"img\" aria-label=\"{}\">",
        escaped(what)
    )
}

fn add_length(out: &mut String, run: &RunFile) {
    let tally = &run.tally;
    let Some(scene) = tally.longest_scene() else {
        return;
    };
    let ended = tally.ended() as f64;
    add(
        out,
        format_args!(
            "<h2>How long it takes</h2>\n<p class=\"note\">{:.1} answers on average, from {} to {}. How often {} begins:</p>\n",
            tally.answers as f64 / ended,
            tally.fewest,
            tally.most,
            escaped(&run.labels.scenes[scene])
        ),
    );
    let lengths = &tally.lengths[scene];
    let most = lengths.iter().copied().max().unwrap_or(1).max(1) as f64;
    let wide = 800.0 / lengths.len() as f64;
    out.push_str(&svg("How long it takes", 190));
    for (times, &games) in lengths.iter().enumerate() {
        let (left, tall) = (30.0 + times as f64 * wide, games as f64 / most * 140.0);
        let middle = left + wide / 2.0;
        let share = games as f64 / ended * 100.0;
        add(
            out,
            format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"var(--bar)\"/>\
                 <text text-anchor=\"middle\" x=\"{middle:.1}\" y=\"182\">{times}</text>",
                left + 2.0,
                165.0 - tall,
                (wide - 4.0).max(1.0)
            ),
        );
        if share >= 0.5 {
            add(
                out,
                format_args!(
                    "<text class=\"soft\" text-anchor=\"middle\" x=\"{middle:.1}\" y=\"{:.1}\">{share:.0} %</text>",
                    160.0 - tall
                ),
            );
        }
    }
    out.push_str("</svg></div>\n");
}

fn add_survival(out: &mut String, run: &RunFile) {
    let tally = &run.tally;
    let Some(scene) = tally
        .longest_scene()
        .filter(|scene| tally.moments[*scene].len() > 1)
    else {
        return;
    };
    // A point that hardly any game comes to says nothing.
    let told = |moment: &&super::tally::Moment| moment.games * 200 >= tally.ended();
    let moments: Vec<_> = tally.moments[scene].iter().take_while(told).collect();
    if moments.len() < 2 {
        return;
    }
    add(
        out,
        format_args!(
            "<h2>Still in the game when {} begins</h2>\n<p class=\"note\">Of those who hold the role, in the games that come so far.</p>\n",
            escaped(&run.labels.scenes[scene])
        ),
    );
    let step = 600.0 / (moments.len() - 1) as f64;
    out.push_str(&svg("Who is still in the game", 300));
    for quarter in 0..=4 {
        let at = 260.0 - f64::from(quarter) * 60.0;
        add(
            out,
            format_args!(
                "<line class=\"line\" x1=\"40\" x2=\"640\" y1=\"{at}\" y2=\"{at}\"/>\
                 <text class=\"soft\" text-anchor=\"end\" x=\"34\" y=\"{}\">{}</text>",
                at + 4.0,
                quarter * 25
            ),
        );
    }
    for nth in 0..moments.len() {
        add(
            out,
            format_args!(
                "<text text-anchor=\"middle\" x=\"{:.1}\" y=\"280\">{}</text>",
                40.0 + nth as f64 * step,
                nth + 1
            ),
        );
    }
    let held = |role: &usize| tally.roles[*role].held > 0;
    for (line, role) in (0..tally.roles.len()).filter(held).enumerate() {
        let colour = COLOURS[line % COLOURS.len()];
        let dash = match line / COLOURS.len() {
            0 => "",
            1 => " stroke-dasharray=\"6 3\"",
            _ => " stroke-dasharray=\"2 3\"",
        };
        let point = |(nth, moment): (usize, &&super::tally::Moment)| {
            let share = moment.by_role[role] as f64 / moment.held[role].max(1) as f64;
            format!("{:.1},{:.1}", 40.0 + nth as f64 * step, 260.0 - share * 240.0)
        };
        let points: Vec<String> = moments.iter().enumerate().map(point).collect();
        let top = 20 + line * 17;
        add(
            out,
            format_args!(
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash} points=\"{}\"/>\
                 <line x1=\"660\" x2=\"684\" y1=\"{top}\" y2=\"{top}\" stroke=\"{colour}\" stroke-width=\"3\"{dash}/>\
                 <text x=\"692\" y=\"{}\">{}</text>",
                points.join(" "),
                top + 4,
                escaped(&cut(&run.labels.roles[role]))
            ),
        );
    }
    out.push_str("</svg></div>\n");
}

fn add_sweep(out: &mut String, study: &Study) {
    let (first_cell, first) = &study[0];
    out.push_str(&facts(first));
    out.push_str("<p class=\"note\">The facts above are those of the first row; the others differ in what their row says.</p>\n");
    for (team, title) in first.labels.teams.iter().enumerate() {
        add(out, format_args!("<h2>{} wins</h2>\n", escaped(title)));
        if first_cell.len() == 2 {
            out.push_str(&heat(study, team));
        }
        out.push_str("<table><tr>");
        for (axis, _) in first_cell {
            add(out, format_args!("<th>{}</th>", escaped(axis)));
        }
        out.push_str("<th class=\"n\">games</th><th class=\"n\">share</th><th class=\"n\">95 % interval</th><th class=\"n\">against the first row</th></tr>\n");
        let mut base = None;
        for (cell, run) in study {
            let Some(record) = run.tally.teams.get(team) else {
                continue;
            };
            let interval = wilson(record.won, run.tally.ended());
            out.push_str("<tr>");
            for (_, value) in cell {
                add(out, format_args!("<td>{}</td>", escaped(value)));
            }
            let change = base.map_or_else(String::new, |base| {
                let by = difference(base, interval);
                format!(
                    "{:+.2} ({:+.2} to {:+.2})",
                    by.share * 100.0,
                    by.low * 100.0,
                    by.high * 100.0
                )
            });
            base = base.or(Some(interval));
            add(
                out,
                format_args!(
                    "<td class=\"n\">{}</td><td class=\"n\">{:.2} %</td><td class=\"n\">{:.2} to {:.2}</td><td class=\"n\">{change}</td></tr>\n",
                    grouped(run.tally.games),
                    interval.share * 100.0,
                    interval.low * 100.0,
                    interval.high * 100.0
                ),
            );
        }
        out.push_str("</table>\n");
    }
}

/// The first axis down, the second across.
fn heat(study: &Study, team: usize) -> String {
    let values = |axis: usize| {
        let mut values: Vec<&str> = Vec::new();
        for (cell, _) in study {
            if !values.contains(&cell[axis].1.as_str()) {
                values.push(&cell[axis].1);
            }
        }
        values
    };
    let axes = &study[0].0;
    let mut out = format!(
        "<table class=\"heat\"><tr><th>{} \\ {}</th>",
        escaped(&axes[0].0),
        escaped(&axes[1].0)
    );
    let across = values(1);
    for value in &across {
        add(&mut out, format_args!("<th>{}</th>", escaped(value)));
    }
    out.push_str("</tr>\n");
    for row in values(0) {
        add(&mut out, format_args!("<tr><th>{}</th>", escaped(row)));
        for column in &across {
            let found = study
                .iter()
                .find(|(cell, _)| cell[0].1 == row && cell[1].1 == *column);
            let share = found.and_then(|(_, run)| {
                let won = run.tally.teams.get(team)?.won as f64;
                Some(won / run.tally.ended().max(1) as f64)
            });
            match share {
                Some(share) => add(
                    &mut out,
                    format_args!(
                        "<td style=\"background:{}\">{:.1} %</td>",
                        shade(share),
                        share * 100.0
                    ),
                ),
                None => out.push_str("<td>-</td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    out + "</table>\n"
}

/// Blue for none, white for half, red for all.
fn shade(share: f64) -> String {
    let away = (share - 0.5).abs() * 2.0;
    let faded = (255.0 - away * 140.0) as u8;
    let green = (255.0 - away * 120.0) as u8;
    match share < 0.5 {
        true => format!("rgb({faded},{green},255)"),
        false => format!("rgb(255,{green},{faded})"),
    }
}

fn cut(name: &str) -> String {
    match name.chars().count() > 32 {
        true => name.chars().take(31).chain(['…']).collect(),
        false => name.to_owned(),
    }
}
