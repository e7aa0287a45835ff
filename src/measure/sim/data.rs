//! The numbers of a run for programs: CSV with a line for each thing that was counted, and JSON.
//! Both forms are described in `docs/reference/json.md`.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::{
    counted::{Counted, Kind, answers, counted, seats_by_chance},
    file::{Cell, RunFile},
    share::{Interval, difference},
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
    out.push_str("kind,name,games,held,won,lost,share,low,high");
    out.push_str(match study.len() {
        0 | 1 => "\n",
        _ => ",change,change_low,change_high\n",
    });
    let first = study.iter().position(|(_, run)| !run.is_none());
    let base = first.map(|first| counted(&study[first].1)).unwrap_or_default();
    for (place, (cell, run)) in study.iter().enumerate() {
        let values: String = cell
            .iter()
            .map(|(_, value)| format!("{},", quoted(value)))
            .collect();
        let games = run.tally.ended();
        if run.is_none() {
            let empty = ",".repeat(if study.len() > 1 { 9 } else { 6 });
            out.push_str(&format!("{values}none,,0{empty}\n"));
            continue;
        }
        for one in counted(run) {
            let Interval { share, low, high } = one.share;
            let Record { held, won, lost } = one.record;
            let (kind, name) = (one.kind.word(), quoted(&one.name));
            let change = match (study.len(), change(&base, &one).filter(|_| Some(place) != first)) {
                (0 | 1, _) => String::new(),
                (_, None) => ",,,".to_owned(),
                (_, Some(by)) => format!(",{:.6},{:.6},{:.6}", by.share, by.low, by.high),
            };
            out.push_str(&format!(
                "{values}{kind},{name},{games},{held},{won},{lost},{share:.6},{low:.6},{high:.6}{change}\n"
            ));
        }
    }
    out
}

/// How far it is from what the first run has under that name.
fn change(first: &[Counted], one: &Counted) -> Option<Interval> {
    let alike = |other: &&Counted| other.kind == one.kind && other.name == one.name;
    let base = first.iter().find(alike)?;
    let there = |one: &Counted| one.kind != Kind::Team || one.record.held > 0;
    (there(base) && there(one)).then(|| difference(base.share, one.share))
}

/// A cell of CSV.
pub fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// What was played and what it came to; beside a first run, how far each number is from its.
pub fn json(run: &RunFile, first: Option<&RunFile>) -> Json {
    if run.is_none() {
        return json!({ "omerta_sim": run.omerta_sim, "games": 0, "counted": [] });
    }
    let tally = &run.tally;
    let base = first.map(counted);
    let row = |one: Counted| {
        let Record { held, won, lost } = one.record;
        let mut row = json!({
            "kind": one.kind.word(), "name": one.name,
            "held": held, "won": won, "lost": lost,
            "share": rounded(one.share),
        });
        if let Some(by) = base.as_ref().and_then(|base| change(base, &one)) {
            row["change"] = rounded(by);
        }
        row
    };
    let rows: Vec<Json> = counted(run).into_iter().map(row).collect();
    let length = answers(run);
    let mut lengths = json!({
        "mean": round(length.share),
        "low": round(length.low),
        "high": round(length.high),
        "fewest": if tally.ended() == 0 { 0 } else { tally.fewest },
        "most": tally.most,
    });
    if let Some(first) = first {
        lengths["change"] = rounded(difference(answers(first), length));
    }
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
        "answers": lengths,
        "seats_by_chance": round(seats_by_chance(run)),
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
