//! What stands above scenarios and rulesets to be chosen, and what comes of it: answered by what is told of a text,
//! so that any editor can show it.

use super::outline::entries;
use crate::{
    server::{Refusal, Server, Stepped},
    wire::{Lines, path_of},
};
use gen_lsp_types::{
    CodeLens, CodeLensParams, Command, Diagnostic, DiagnosticSeverity, ExecuteCommandParams, Message, Uri,
};
use omerta_workbench::{
    moments::{Moment, moment_at},
    project::FileKind,
};
use serde_json::{Value, json};
use std::path::Path;

/// Goes one line further in the scenario around a line.
pub const STEP: &str = "omerta.step";
/// Ends that.
pub const LEAVE: &str = "omerta.endStepping";
/// Runs the scenarios of a file again.
pub const RUN: &str = "omerta.runScenarios";

/// What stands above the scenarios of a file, or above a ruleset.
pub fn lenses(server: &mut Server, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, Refusal> {
    let uri = params.text_document.uri;
    let path = path_of(&uri);
    let Some(text) = server.project.text(&path) else {
        return Ok(None);
    };
    let mut found = Vec::new();
    for entry in entries(&path, &text) {
        let range = Lines::of(&text, server.encoding).range(&entry.head);
        let mut add = |title: String, command: &str| {
            found.push(CodeLens {
                range,
                command: Some(Command {
                    title,
                    tooltip: None,
                    command: command.to_owned(),
                    arguments: Some(vec![json!(uri), json!(range.start.line)]),
                }),
                data: None,
            });
        };
        match entry.word {
            "play" => {
                add(standing(server, &path, &entry.whole), RUN);
                add("step".to_owned(), STEP);
            }
            "ruleset" => {
                let covering = covering(server, &path);
                if covering > 0 {
                    add(format!("{covering} scenarios are played by this"), RUN);
                }
            }
            _ => {}
        }
    }
    Ok(Some(found))
}

/// Whether a scenario holds, as far as it was run.
fn standing(server: &Server, path: &Path, whole: &std::ops::Range<usize>) -> String {
    let name = server.project.name_of(path);
    let broken = server.notices.ran_in(&name, whole);
    match (server.counts.contains_key(path), broken) {
        (false, _) => "run".to_owned(),
        (true, 0) => "holds".to_owned(),
        (true, 1) => "1 line does not hold".to_owned(),
        (true, many) => format!("{many} lines do not hold"),
    }
}

/// How many scenarios are played by the rules of a file.
fn covering(server: &mut Server, path: &Path) -> usize {
    let mut all = 0;
    for other in server.project.dependants(path) {
        if FileKind::of(&other) == Some(FileKind::Play) {
            let text = server.project.text(&other).unwrap_or_default();
            all += entries(&other, &text)
                .iter()
                .filter(|entry| entry.word == "play")
                .count();
        }
    }
    all
}

/// Does what was chosen.
pub fn execute(server: &mut Server, params: ExecuteCommandParams) -> Result<Option<Value>, Refusal> {
    let words = params.arguments.unwrap_or_default();
    let uri: Option<Uri> = words
        .first()
        .and_then(|uri| serde_json::from_value(uri.clone()).ok());
    let line = words.get(1).and_then(Value::as_u64).unwrap_or_default() as usize;
    let path = uri
        .map(|uri| path_of(&uri))
        .ok_or_else(|| Refusal::from("name a file".to_owned()))?;
    match params.command.as_str() {
        STEP => step(server, &path, line)?,
        LEAVE => server.stepped = None,
        RUN => server.run_again(&path),
        other => return Err(format!("`{other}` is no command").into()),
    }
    server.publish();
    Ok(None)
}

fn step(server: &mut Server, path: &Path, line: usize) -> Result<(), Refusal> {
    let text = server.project.text(path).unwrap_or_default();
    let lines = Lines::of(&text, server.encoding);
    let at = lines.offset(gen_lsp_types::Position {
        line: line as u32,
        character: u32::MAX,
    });
    let all = entries(path, &text);
    let behind = all.iter().find(|entry| entry.head.start > at);
    let end = behind.map_or(text.len(), |entry| line_before(&text, entry.head.start).start);
    let entry = all
        .iter()
        .rfind(|entry| entry.head.start <= at && entry.word == "play");
    let entry = entry.ok_or_else(|| Refusal::from("there is no scenario on this line".to_owned()))?;
    let going = server
        .stepped
        .as_ref()
        .filter(|stepped| stepped.path == path && stepped.start == entry.head.start);
    let from = going.map_or(entry.head.end, |stepped| stepped.done);
    let before = going.map(|stepped| stepped.told.message.clone());
    let told = next(server, path, (&text, from, end), before.as_ref());
    server.stepped = told.map(|(done, words)| Stepped {
        path: path.to_path_buf(),
        start: entry.head.start,
        done,
        told: Diagnostic {
            range: lines.range(&line_before(&text, done)),
            severity: Some(DiagnosticSeverity::Information),
            source: Some("omerta".to_owned()),
            message: words,
            ..Diagnostic::default()
        },
    });
    Ok(())
}

/// The bytes of the line that ends at one.
fn line_before(text: &str, end: usize) -> std::ops::Range<usize> {
    let start = text[..end].rfind('\n').map_or(0, |at| at + 1);
    start + text[start..end].len() - text[start..end].trim_start().len()..end
}

/// The next line behind which the game stands otherwise, with what is to be told of it; nothing at the end.
fn next(
    server: &Server,
    path: &Path,
    (text, from, end): (&str, usize, usize),
    before: Option<&Message>,
) -> Option<(usize, Message)> {
    let ends = text[from..end].match_indices('\n').map(|(at, _)| from + at);
    let last = (!text[..end].ends_with('\n')).then_some(end);
    for done in ends.chain(last).filter(|done| *done > from) {
        let line = text[line_before(text, done)].trim();
        if line.is_empty() || line.starts_with("//") || line == "}" {
            continue;
        }
        let Some(moment) = moment_at(&server.project, path, text, done) else {
            continue;
        };
        let words = Message::String(words(&moment));
        if before != Some(&words) {
            return Some((done, words));
        }
    }
    None
}

/// What has happened last, and what the game waits for.
fn words(moment: &Moment) -> String {
    let happened = moment.latest();
    let waits = format!("now: {}", moment.waits_for());
    [happened, vec![waits], moment.standing()].concat().join("\n")
}
