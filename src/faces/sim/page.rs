//! The numbers of a run as one page for a browser: no script, no other file, drawings in SVG.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::text::{
    about, change_in_words, facts, games, grouped, how_alike, name_of, title_of, uneven_seats, values,
};
use omerta_book::markup::escaped;
use omerta_measure::sim::{
    Cell, Counted, Group, Interval, Kind, Moment, Place, RunFile, answers, counted, groups,
};
use std::fmt::Write as _;

/// One run, or those of a sweep.
pub type Study = [(Cell, RunFile)];

/// Colours that are told apart by most eyes, on white and on black.
const COLOURS: [&str; 8] = [
    "#3b6fb6", "#c8553d", "#3f8f5f", "#8a5fb0", "#b98a1d", "#2d9aa0", "#b0507f", "#6b7280",
];

/// How such a page looks.
pub const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--soft:#6b7280;--line:#d9dde3;--bar:#3b6fb6;--band:#e8edf5}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--paper:#14181f;--soft:#9aa3b0;--line:#333a46;--band:#232a36}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p.note{color:var(--soft);margin:.2rem 0}
.bars{display:grid;grid-template-columns:minmax(6rem,auto) minmax(6rem,1fr) auto auto;gap:.3rem .7rem;align-items:center}
.bars svg{height:1.15rem;background:var(--band)}.bars .n{text-align:right;font-variant-numeric:tabular-nums}.bars .soft{color:var(--soft)}
.row{display:contents}@media(max-width:40rem){.bars{display:block}.row{display:grid;grid-template-columns:1fr auto auto;column-gap:.7rem;margin-bottom:.5rem}.row svg{grid-column:1/-1;grid-row:2}}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}.wide svg{min-width:36rem}svg{width:100%;height:auto;display:block}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .soft{fill:var(--soft)}svg .line{stroke:var(--line)}
.heat{width:auto;margin-bottom:1rem}.heat td{text-align:center;color:#1d2430}.heat td.none{color:var(--soft)}td.bar{min-width:6rem;width:40%}.wide td.bar svg{min-width:0;height:1rem;background:var(--band)}td.n{white-space:nowrap}.heat th:not(:first-child){text-align:center}.bad{color:#c8553d;font-weight:600}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}table,svg{break-inside:avoid}}";

/// Adds words to a text.
macro_rules! add {
    ($out:expr, $($words:tt)*) => {
        write!($out, $($words)*).expect("a text takes everything")
    };
}

/// The page.
pub fn page(study: &Study) -> String {
    let Some((_, first)) = study.iter().find(|(_, run)| !run.is_none()) else {
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

/// What was played.
fn add_facts(out: &mut String, run: &RunFile) {
    let (first, more) = facts(run);
    let (ruleset, rules) = (escaped(&run.head.ruleset), escaped(&run.head.identity));
    add!(
        out,
        "<p class=\"note\">{ruleset}{}, rules {rules}</p>\n",
        escaped(&first)
    );
    for line in more {
        add!(out, "<p class=\"note\">{}</p>\n", escaped(&line));
    }
}

fn add_run(out: &mut String, run: &RunFile) {
    add_facts(out, run);
    let tally = &run.tally;
    if tally.broken + tally.endless > 0 {
        add!(
            out,
            "<p class=\"bad\">{} broke the rules' own bounds, {} did not end; the first: {:?}</p>\n",
            games(tally.broken),
            games(tally.endless),
            tally.wrong
        );
    }
    if tally.ended() == 0 {
        return;
    }
    let all = counted(run);
    let colour_of = |role: &str| {
        let place = run.labels.roles.iter().position(|known| known == role);
        place
            .and_then(|place| run.labels.team_of[place])
            .map_or(PLAIN, team_colour)
    };
    let team = |name: &str| run.labels.teams.iter().position(|known| known == name);
    let of = |kind: Kind| all.iter().filter(move |one| one.kind == kind);
    let teams = of(Kind::Team).filter(|team| team.record.held > 0);
    let nobody = of(Kind::Nobody).filter(|nobody| nobody.record.won > 0);
    add_bars(out, "Who wins", teams.chain(nobody), |name| {
        team(name).map_or(PLAIN, team_colour)
    });
    out.push_str("<p class=\"note\">The thin line is the 95 % interval; the last number, how often it was counted.</p>\n");
    let came_true = |one: &&Counted| one.record.won > 0 || one.name != "no ending";
    add_bars(out, "How it ends", of(Kind::Ending).filter(came_true), |_| PLAIN);
    add_bars(out, "Wins by role at the end", of(Kind::Role), colour_of);
    add_bars(out, "Wins by seat", of(Kind::Seat), |_| PLAIN);
    add!(
        out,
        "<p class=\"note\">Whether seats win alike: {}.</p>\n",
        escaped(&how_alike(run))
    );
    add_length(out, run);
    add_survival(out, run);
}

/// What has no team has this colour.
const PLAIN: &str = "var(--bar)";

/// The colour of a team.
pub fn team_colour(team: usize) -> &'static str {
    COLOURS[team % COLOURS.len()]
}

/// A bar for each, with its numbers beside it; on a narrow screen below them.
fn add_bars<'a>(
    out: &mut String,
    title: &str,
    all: impl Iterator<Item = &'a Counted>,
    colour: impl Fn(&str) -> &'static str,
) {
    let mut rows = String::new();
    for one in all {
        add!(
            rows,
            "<div class=\"row\"><span>{}</span>{}<span class=\"n\">{:.2} % ({:.2} to {:.2})</span><span class=\"n soft\">{}</span></div>\n",
            escaped(&one.name),
            bar(&one.name, one.share, colour(&one.name)),
            one.share.share * 100.0,
            one.share.low * 100.0,
            one.share.high * 100.0,
            grouped(one.record.won)
        );
    }
    if !rows.is_empty() {
        add!(out, "<h2>{title}</h2>\n<div class=\"bars\">\n{rows}</div>\n");
    }
}

/// A share of the whole width, with its interval.
fn bar(what: &str, is: Interval, colour: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">\
         <rect width=\"{:.2}\" height=\"10\" fill=\"{colour}\"/>\
         <line x1=\"{:.2}\" x2=\"{:.2}\" y1=\"5\" y2=\"5\" stroke=\"currentColor\" stroke-width=\"2\" \
         vector-effect=\"non-scaling-stroke\"/></svg>",
        escaped(what),
        is.share * 100.0,
        is.low * 100.0,
        is.high * 100.0
    )
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
    add!(
        out,
        "<h2>How long it takes</h2>\n<p class=\"note\">{} answers on average, from {} to {}. How often {} begins:</p>\n",
        about(answers(run)),
        tally.fewest,
        tally.most,
        escaped(&run.labels.scenes[scene])
    );
    let lengths = &tally.lengths[scene];
    let most = lengths.iter().copied().max().unwrap_or(1).max(1) as f64;
    let wide = 800.0 / lengths.len() as f64;
    out.push_str(&svg("How long it takes", 190));
    for (times, &games) in lengths.iter().enumerate() {
        let (left, tall) = (30.0 + times as f64 * wide, games as f64 / most * 140.0);
        let middle = left + wide / 2.0;
        let share = games as f64 / ended * 100.0;
        add!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"var(--bar)\"/>\
                 <text text-anchor=\"middle\" x=\"{middle:.1}\" y=\"182\">{times}</text>",
            left + 2.0,
            165.0 - tall,
            (wide - 4.0).max(1.0)
        );
        if share >= 0.5 {
            add!(
                out,
                "<text class=\"soft\" text-anchor=\"middle\" x=\"{middle:.1}\" y=\"{:.1}\">{share:.0} %</text>",
                160.0 - tall
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
    let told = |moment: &&Moment| moment.games * 200 >= tally.ended();
    let moments: Vec<_> = tally.moments[scene].iter().take_while(told).collect();
    if moments.len() < 2 {
        return;
    }
    add!(
        out,
        "<h2>Still in the game when {} begins</h2>\n<p class=\"note\">Of those who hold the role, in the games that come so far.</p>\n",
        escaped(&run.labels.scenes[scene])
    );
    let step = 600.0 / (moments.len() - 1) as f64;
    out.push_str(&svg("Who is still in the game", 300));
    for quarter in 0..=4 {
        let at = 260.0 - f64::from(quarter) * 60.0;
        add!(
            out,
            "<line class=\"line\" x1=\"40\" x2=\"640\" y1=\"{at}\" y2=\"{at}\"/>\
                 <text class=\"soft\" text-anchor=\"end\" x=\"34\" y=\"{}\">{}</text>",
            at + 4.0,
            quarter * 25
        );
    }
    for nth in 0..moments.len() {
        add!(
            out,
            "<text text-anchor=\"middle\" x=\"{:.1}\" y=\"280\">{}</text>",
            40.0 + nth as f64 * step,
            nth + 1
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
        let point = |(nth, moment): (usize, &&Moment)| {
            let share = moment.by_role[role] as f64 / moment.held[role].max(1) as f64;
            format!("{:.1},{:.1}", 40.0 + nth as f64 * step, 260.0 - share * 240.0)
        };
        let points: Vec<String> = moments.iter().enumerate().map(point).collect();
        let top = 20 + line * 17;
        add!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash} points=\"{}\"/>\
                 <line x1=\"660\" x2=\"684\" y1=\"{top}\" y2=\"{top}\" stroke=\"{colour}\" stroke-width=\"3\"{dash}/>\
                 <text x=\"692\" y=\"{}\">{}</text>",
            points.join(" "),
            top + 4,
            escaped(&cut(&run.labels.roles[role]))
        );
    }
    out.push_str("</svg></div>\n");
}

fn add_sweep(out: &mut String, study: &Study) {
    let first_cell = &study[0].0;
    if let Some((_, first)) = study.iter().find(|(_, run)| !run.is_none()) {
        add_facts(out, first);
    }
    out.push_str(
        "<p class=\"note\">The facts above are those of the first row that was played; the others differ in what their row says. \
         A change is bold where chance does not explain it.</p>\n",
    );
    for group in groups(study) {
        add!(out, "<h2>{}</h2>\n", escaped(&title_of(&group)));
        if first_cell.len() == 2 && matches!(group.kind, Some(Kind::Team | Kind::Role)) {
            out.push_str(&heat(study, &group));
        }
        out.push_str("<div class=\"wide\"><table><tr>");
        for (axis, _) in first_cell {
            add!(out, "<th>{}</th>", escaped(axis));
        }
        out.push_str("<th class=\"n\">games</th><th></th><th class=\"n\">95 % interval</th><th class=\"n\">against the first row</th></tr>\n");
        for ((cell, run), place) in study.iter().zip(&group.places) {
            out.push_str("<tr>");
            for (_, value) in cell {
                add!(out, "<td>{}</td>", escaped(value));
            }
            add!(out, "<td class=\"n\">{}</td>", grouped(run.tally.games));
            add_place(out, &group, *place);
            out.push_str("</tr>\n");
        }
        out.push_str("</table></div>\n");
    }
    out.push_str("<h2>Seats</h2>\n<ul>\n");
    for (cell, run) in study.iter().filter(|(_, run)| run.tally.ended() > 0) {
        if let Some(words) = uneven_seats(run) {
            let line = format!("{}: {words}", name_of(cell));
            add!(out, "<li>{}</li>\n", escaped(&line));
        }
    }
    out.push_str("</ul>\n");
}

fn add_place(out: &mut String, group: &Group, place: Place) {
    let Place {
        is: Some(is), change, ..
    } = place
    else {
        let none = place.why_not();
        add!(out, "<td></td><td class=\"n\">{none}</td><td></td>");
        return;
    };
    let times = match group.kind {
        Some(_) => {
            add!(
                out,
                "<td class=\"bar\">{}</td><td class=\"n\">{:.2} % ({:.2} to {:.2})</td>",
                bar(&group.name, is, PLAIN),
                is.share * 100.0,
                is.low * 100.0,
                is.high * 100.0
            );
            100.0
        }
        None => {
            add!(out, "<td></td><td class=\"n\">{}</td>", about(is));
            1.0
        }
    };
    let words = match change {
        None => String::new(),
        Some(by) if by.holds(0.0) => change_in_words(by, times),
        Some(by) => format!("<strong>{}</strong>", change_in_words(by, times)),
    };
    add!(out, "<td class=\"n\">{words}</td>");
}

/// The first axis down, the second across.
fn heat(study: &Study, group: &Group) -> String {
    let axes = &study[0].0;
    let mut out = format!(
        "<div class=\"wide\"><table class=\"heat\"><tr><th>{} \\ {}</th>",
        escaped(&axes[0].0),
        escaped(&axes[1].0)
    );
    let across = values(study, 1);
    for value in &across {
        add!(out, "<th>{}</th>", escaped(value));
    }
    out.push_str("</tr>\n");
    for row in values(study, 0) {
        add!(out, "<tr><th>{}</th>", escaped(row));
        for column in &across {
            let found = study
                .iter()
                .position(|(cell, _)| cell[0].1 == row && cell[1].1 == *column);
            match found.and_then(|place| group.places[place].is) {
                Some(is) => add!(
                    out,
                    "<td style=\"background:{}\">{:.1} %</td>",
                    shade(is.share),
                    is.share * 100.0
                ),
                None => out.push_str("<td class=\"none\">-</td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    let scale: String = (0..=4)
        .map(|quarter| {
            let share = f64::from(quarter) / 4.0;
            format!(
                "<span style=\"background:{};color:#1d2430;padding:0 .5rem\">{} %</span>",
                shade(share),
                quarter * 25
            )
        })
        .collect();
    out + "</table></div>\n<p class=\"note\">Blue is little, white half, red much: " + &scale[..] + "</p>\n"
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
