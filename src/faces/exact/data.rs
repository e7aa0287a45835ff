//! What is certain of a game for programs: CSV with a line for each value, and JSON. Both forms are described in
//! `docs/reference/exact.md`.

use super::rows::{Case, Study, rows};
use omerta_exact::Value;
use omerta_measure::sim::quoted;
use serde_json::{Value as Json, json};

/// The version of the form.
const FORMAT: u32 = 1;

/// A line for every value; of a sweep the values of its axes stand before it.
pub fn csv(study: &Study) -> String {
    let axes = study.first().map_or(&[][..], |(cell, _)| &cell[..]);
    let mut out: String = axes
        .iter()
        .map(|(axis, _)| format!("{},", quoted(axis)))
        .collect();
    out.push_str("kind,name,value,low,high,fraction\n");
    for (cell, case) in study {
        let values: String = cell
            .iter()
            .map(|(_, value)| format!("{},", quoted(value)))
            .collect();
        let Some(case) = case else {
            out.push_str(&format!("{values}none,,,,,\n"));
            continue;
        };
        for row in rows(case) {
            let (low, high) = (row.value.between.low, row.value.between.high);
            let fraction = row.value.fraction.as_ref();
            let decimal = fraction.map(|fraction| fraction.decimal(15)).unwrap_or_default();
            let fraction = fraction.map(ToString::to_string).unwrap_or_default();
            let (kind, name) = (row.kind.word(), quoted(&row.name));
            out.push_str(&format!(
                "{values}{kind},{name},{decimal},{low},{high},{fraction}\n"
            ));
        }
    }
    out
}

/// What was walked and what came of it.
pub fn json(case: &Case) -> Json {
    let (chain, certain) = (&case.certain.chain, &case.certain);
    let counted = rows(case).into_iter().map(|row| {
        let mut out = json!({ "kind": row.kind.word(), "name": row.name, "value": value(&row.value) });
        if let Some(record) = &row.record {
            out["held"] = value(&record.held);
            out["won"] = value(&record.won);
            out["lost"] = value(&record.lost);
        }
        if let Some(interval) = row.simulated {
            out["simulated"] = json!({
                "is": interval.share, "low": interval.low, "high": interval.high, "agrees": !row.disagrees(),
            });
        }
        out
    });
    json!({
        "omerta_exact": FORMAT,
        "played": case.head,
        "positions": chain.positions(),
        "looked_at": chain.walked,
        "steps": chain.steps.count(),
        "renames": certain.renames,
        "hangs": case.hangs,
        "fractions": certain.answers.exact,
        "counted": counted.collect::<Vec<_>>(),
    })
}

/// A value with its bounds, and with its fraction where there is one.
fn value(value: &Value) -> Json {
    let high = value.between.high;
    let mut out = json!({ "low": value.between.low, "high": high.is_finite().then_some(high) });
    if let Some(fraction) = &value.fraction {
        out["fraction"] = fraction.to_string().into();
        out["decimal"] = fraction.decimal(15).into();
    }
    out
}
