//! `omerta list`: what is bundled.

use crate::faces::{
    console::{Console, paint},
    render::Colour,
};
use anyhow::Result;
use omerta_workbench::catalogue::{Entry, Sort, bundled};
use serde_json::{Value, json};
use std::process::ExitCode;

/// The words of the command.
#[derive(clap::Args, Debug, Default)]
pub struct Words {
    /// Tell it as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn list(words: &Words, console: Console) -> Result<ExitCode> {
    let entries = bundled();
    if words.json {
        let entries: Vec<Value> = entries.iter().map(data).collect();
        console.say(&format!("{}\n", Value::from(entries)))?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = entries
        .iter()
        .map(|entry| entry.name.chars().count())
        .max()
        .unwrap_or(0);
    let part = |head: &str, is_of: fn(&Sort) -> bool| {
        let lines: String = entries
            .iter()
            .filter(|entry| is_of(&entry.sort))
            .map(|entry| line(entry, width, console.out.colour))
            .collect();
        match lines.is_empty() {
            true => String::new(),
            false => format!("{}\n{lines}\n", paint(console.out.colour, "1", head)),
        }
    };
    let rulesets = part("Rulesets (omerta play NAME)", |sort| {
        matches!(sort, Sort::Ruleset { .. })
    });
    let overlays = part("Overlays (omerta play RULESET --with NAME)", |sort| {
        matches!(sort, Sort::Overlay { .. })
    });
    let libraries = part("Libraries (use NAME)", |sort| matches!(sort, Sort::Library));
    let text = format!("{rulesets}{overlays}{libraries}");
    console.say(&format!("{}\n", text.trim_end()))?;
    Ok(ExitCode::SUCCESS)
}

/// What programs are told of an entry.
fn data(entry: &Entry) -> Value {
    let (sort, players, bases) = match &entry.sort {
        Sort::Ruleset { players } => ("ruleset", *players, &[][..]),
        Sort::Overlay { bases } => ("overlay", None, &bases[..]),
        Sort::Library => ("library", None, &[][..]),
    };
    let players = players.map(|(from, to)| json!({ "from": from, "to": to }));
    json!({ "name": entry.name, "title": entry.title, "sort": sort, "players": players, "on": bases })
}

fn line(entry: &Entry, width: usize, colour: Colour) -> String {
    let more = match &entry.sort {
        Sort::Ruleset {
            players: Some((from, to)),
        } => format!(" ({from} to {to} players)"),
        Sort::Overlay { bases } => format!(" (on {})", bases.join(", ")),
        _ => String::new(),
    };
    let name = paint(colour, "36", &format!("{:width$}", entry.name));
    format!("  {name}  {}{more}\n", entry.title)
}
