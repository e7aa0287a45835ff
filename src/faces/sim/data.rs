//! The numbers of a run for programs: CSV with a line for each thing that was counted, and JSON.
//! Both forms are described in `docs/reference/json.md`.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::{
    file::{Cell, RunFile},
    share::{Interval, wilson},
    tally::Record,
};
use serde_json::{Value as Json, json};

/// A line for everything that was counted; of a sweep the values of its axes stand before it.
pub fn csv(study: &[(Cell, RunFile)]) -> String {
    let axes = study.first().map_or(&[][..], |(cell, _)| &cell[..]);
    let mut out: String = axes
        .iter()
        .map(|(axis, _)| format!("{},", quoted(axis)))
        .collect();
    out.push_str("kind,name,games,held,won,lost,share,low,high\n");
    for (cell, run) in study {
        let values: String = cell
            .iter()
            .map(|(_, value)| format!("{},", quoted(value)))
            .collect();
        let games = run.tally.ended();
        for (kind, name, record, of) in rows(run) {
            let Interval { share, low, high } = wilson(record.won, of);
            let Record { held, won, lost } = record;
            let name = quoted(&name);
            out.push_str(&format!(
                "{values}{kind},{name},{games},{held},{won},{lost},{share:.6},{low:.6},{high:.6}\n"
            ));
        }
    }
    out
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// What was counted: its kind, its name, the counts, and of how many its share is.
fn rows(run: &RunFile) -> Vec<(&'static str, String, Record, u64)> {
    let (tally, labels) = (&run.tally, &run.labels);
    let ended = tally.ended();
    let mut rows = Vec::new();
    for (name, record) in labels.teams.iter().zip(&tally.teams) {
        rows.push(("team", name.clone(), *record, ended));
    }
    for (name, record) in labels.roles.iter().zip(&tally.roles) {
        if record.held > 0 {
            rows.push(("role", name.clone(), *record, record.held));
        }
    }
    for (seat, record) in tally.seats.iter().enumerate() {
        rows.push(("seat", (seat + 1).to_string(), *record, record.held));
    }
    let names = labels.endings.iter().map(String::as_str).chain(["no ending"]);
    for (name, count) in names.zip(&tally.endings) {
        let record = Record {
            held: ended,
            won: *count,
            lost: 0,
        };
        rows.push(("ending", name.to_owned(), record, ended));
    }
    rows
}

/// What was played and what it came to.
pub fn json(run: &RunFile) -> Json {
    let tally = &run.tally;
    let row = |(kind, name, record, of): (&str, String, Record, u64)| {
        json!({
            "kind": kind, "name": name,
            "held": record.held, "won": record.won, "lost": record.lost,
            "share": rounded(wilson(record.won, of)),
        })
    };
    let rows: Vec<Json> = rows(run).into_iter().map(row).collect();
    let ended = tally.ended();
    let scene = |(scene, name): (usize, &String)| {
        let moments: Vec<Json> = tally.moments[scene]
            .iter()
            .map(|moment| json!({ "games": moment.games, "present": moment.present }))
            .collect();
        json!({ "name": name, "begun": tally.lengths[scene], "moments": moments })
    };
    let scenes = run.labels.scenes.iter().enumerate();
    json!({
        "omerta_sim": run.omerta_sim,
        "played": run.head,
        "shard": run.shard.to_string(),
        "games": tally.games,
        "broken": tally.broken,
        "endless": tally.endless,
        "wrong": tally.wrong,
        "without_winner": tally.without_winner,
        "answers": {
            "mean": round(tally.answers as f64 / (ended.max(1)) as f64),
            "fewest": if ended == 0 { 0 } else { tally.fewest },
            "most": tally.most,
        },
        "counted": rows,
        "scenes": scenes.filter(|(scene, _)| !tally.moments[*scene].is_empty()).map(scene).collect::<Vec<_>>(),
    })
}

fn rounded(interval: Interval) -> Json {
    json!({ "is": round(interval.share), "low": round(interval.low), "high": round(interval.high) })
}

/// Six digits are more than any run knows.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
