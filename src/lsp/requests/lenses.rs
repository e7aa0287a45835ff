//! What stands above scenarios and rulesets to be chosen, and what comes of it: answered by what is told of a text,
//! so that any editor can show it.

use super::{
    names::workspace_edit,
    outline::{Entry, entries},
};
use crate::{
    events::Waiting,
    server::{Rate, Refusal, Server, Stepped},
    wire::Lines,
};
use gen_lsp_types::{
    CodeLens, CodeLensParams, Command, Diagnostic, DiagnosticSeverity, ExecuteCommandParams, Message, Uri,
};
use omerta_core::source::{Sources, Span};
use omerta_workbench::{
    findings::At,
    lookup::Edit,
    moments::{Moment, moment_at, moment_in, scenario_for as scenario_for_rule},
    project::FileKind,
    runner,
};
use serde_json::{Value, json};
use std::{ops::Range, path::Path, sync::Arc};

/// Goes one line further in the scenario around a line.
pub const STEP: &str = "omerta.step";
/// Ends that.
pub const LEAVE: &str = "omerta.endStepping";
/// Runs the scenarios of a file again.
pub const RUN: &str = "omerta.runScenarios";
/// Keeps the snapshots of the scenario around a line as they are now.
pub const ACCEPT: &str = "omerta.acceptSnapshot";
/// Plays a game by chance to the scene around a line; chosen again, one answer further.
pub const PLAY: &str = "omerta.playFrom";
/// Plays games by chance and tells who won how often; chosen again meanwhile, it stops.
pub const RATE: &str = "omerta.winRates";
/// Names the scenarios that come to what is declared on a line.
pub const COVERING: &str = "omerta.coveringScenarios";
/// Writes a scenario in which the rule around a line comes in.
pub const WRITE: &str = "omerta.writeScenario";
/// All of them.
pub const COMMANDS: [&str; 8] = [STEP, LEAVE, RUN, ACCEPT, PLAY, RATE, COVERING, WRITE];

/// What stands above the scenarios of a file, or above a ruleset.
pub fn lenses(server: &mut Server, params: CodeLensParams) -> Option<Vec<CodeLens>> {
    let uri = params.text_document.uri;
    let path = server.path(&uri);
    let text = server.project.text(&path)?;
    let mut found = Vec::new();
    let lines = Lines::of(&text, server.encoding);
    let lens = |range: gen_lsp_types::Range, title: String, command: &str| CodeLens {
        range,
        command: Some(chosen(title, command, &uri, range.start.line)),
        data: None,
    };
    // Whoever steps need not go back to where it began, and whoever has seen a snapshot need not look for its scenario.
    if let Some(stepped) = server.stepped.as_ref().filter(|stepped| stepped.path == path) {
        if FileKind::of(&path) == Some(FileKind::Play) {
            found.push(lens(stepped.told.range, "step".to_owned(), STEP));
        }
        found.push(lens(stepped.told.range, "stop stepping".to_owned(), LEAVE));
    }
    for waiting in server.snapshots.get(&path).into_iter().flatten() {
        let range = lines.range(&waiting.at.range);
        found.push(lens(range, "accept snapshot".to_owned(), ACCEPT));
    }
    for entry in entries(&server.project, &path, &text) {
        let range = lines.range(&entry.head);
        let mut add = |title: String, command: &str| found.push(lens(range, title, command));
        match entry.word {
            "play" => {
                add(standing(server, &path, &entry.whole), RUN);
                add("step".to_owned(), STEP);
            }
            "ruleset" => {
                let (covering, broken) = covering(server, &path);
                if covering > 0 {
                    let covered = scenarios(covering, "covers this", "cover this");
                    add(format!("{covered}{}", broken_words(broken)), RUN);
                }
                add(rate(server, &path), RATE);
            }
            word => {
                if word == "scene" {
                    add("play from here".to_owned(), PLAY);
                }
                if let Some(all) = coming_to(server, &path, &entry) {
                    add(scenarios(all.len(), "comes to this", "come to this"), COVERING);
                }
            }
        }
    }
    Some(found)
}

/// What can be chosen on a line of a text.
fn chosen(title: String, command: &str, uri: &Uri, line: u32) -> Command {
    Command {
        title,
        tooltip: None,
        command: command.to_owned(),
        arguments: Some(vec![json!(uri), json!(line)]),
    }
}

fn scenarios(count: usize, one: &str, many: &str) -> String {
    match count {
        0 => format!("no scenario {one}"),
        1 => format!("1 scenario {one}"),
        _ => format!("{count} scenarios {many}"),
    }
}

/// The snapshots of a scenario that wait for a verdict.
fn waiting<'s>(
    server: &'s Server,
    path: &Path,
    whole: &'s Range<usize>,
) -> impl Iterator<Item = &'s Waiting> {
    let all = server.snapshots.get(path).into_iter().flatten();
    all.filter(|waiting| whole.contains(&waiting.at.range.start))
}

/// Who wins, as far as that was asked.
fn rate(server: &Server, path: &Path) -> String {
    match server.rates.get(path) {
        None => "win rates".to_owned(),
        Some(Rate::Going) => "playing … (stop)".to_owned(),
        Some(Rate::Known(words)) => words.clone(),
    }
}

/// The scenarios that come to something declared; nothing of what nobody comes to, or before any was run.
fn coming_to(server: &Server, path: &Path, entry: &Entry) -> Option<Vec<Arc<str>>> {
    if !matches!(entry.word, "rule" | "scene" | "event" | "role") {
        return None;
    }
    let thing = (server.project.name_of(path), entry.word, entry.name.clone());
    let dependants = server.dependants(path);
    let ran: Vec<_> = { dependants.iter() }
        .filter_map(|other| server.came.get(other))
        .collect();
    let all = ran.iter().filter_map(|came| came.get(&thing)).flatten();
    (!ran.is_empty()).then(|| all.cloned().collect())
}

/// Whether a scenario holds, as far as it was run.
fn standing(server: &Server, path: &Path, whole: &std::ops::Range<usize>) -> String {
    let name = server.project.name_of(path);
    let broken = server.notices.ran_in(&name, whole);
    if server.stuck.contains(path) {
        return "not run: there are mistakes".to_owned();
    }
    match (server.counts.contains_key(path), broken) {
        (false, _) => "run".to_owned(),
        (true, 0) if waiting(server, path, whole).next().is_some() => "another snapshot".to_owned(),
        (true, 0) => "holds".to_owned(),
        (true, 1) => "1 line does not hold".to_owned(),
        (true, many) => format!("{many} lines do not hold"),
    }
}

/// How many scenarios are played by the rules of a file, and of how many of them lines do not hold.
fn covering(server: &mut Server, path: &Path) -> (usize, usize) {
    let (mut all, mut broken) = (0, 0);
    for other in server.dependants(path) {
        if FileKind::of(&other) == Some(FileKind::Play) {
            let text = server.project.text(&other).unwrap_or_default();
            let name = server.project.name_of(&other);
            let entries = entries(&server.project, &other, &text);
            for entry in entries.iter().filter(|entry| entry.word == "play") {
                all += 1;
                broken += usize::from(server.notices.ran_in(&name, &entry.whole) > 0);
            }
        }
    }
    (all, broken)
}

fn broken_words(broken: usize) -> String {
    match broken {
        0 => String::new(),
        1 => ", 1 does not hold".to_owned(),
        _ => format!(", {broken} do not hold"),
    }
}

/// Does what was chosen.
pub fn execute(server: &mut Server, params: ExecuteCommandParams) -> Result<Option<Value>, Refusal> {
    let words = params.arguments.unwrap_or_default();
    let uri: Option<Uri> = words
        .first()
        .and_then(|uri| serde_json::from_value(uri.clone()).ok());
    let line = words.get(1).and_then(Value::as_u64).unwrap_or_default() as usize;
    let path = uri
        .map(|uri| server.path(&uri))
        .ok_or_else(|| Refusal::from("name a file".to_owned()))?;
    match params.command.as_str() {
        STEP => step(server, &path, line)?,
        LEAVE => server.stepped = None,
        RUN => server.run_again(&path),
        ACCEPT => accept(server, &path, line)?,
        PLAY => play(server, &path, line)?,
        RATE => server.rate(&path)?,
        WRITE => write_scenario(server, &path, line)?,
        COVERING => {
            let titles = covered(server, &path, line)?;
            server.show(titles.clone());
            return Ok(Some(titles.into()));
        }
        other => return Err(format!("`{other}` is no command").into()),
    }
    server.publish();
    if matches!(params.command.as_str(), STEP | LEAVE | PLAY) {
        server.refresh_lenses();
    }
    // Whoever can go there by himself is told where the game stands now; all others see it at its line.
    let stands = matches!(params.command.as_str(), STEP | PLAY).then_some(server.stepped.as_ref());
    Ok(stands.flatten().map(|stepped| json!(stepped.told.range)))
}

/// What of a text begins on a line or above it, of those that begin with some word.
fn around(server: &Server, path: &Path, line: usize, wanted: impl Fn(&str) -> bool) -> Option<Entry> {
    let text = server.project.text(path)?;
    let at = Lines::of(&text, server.encoding).offset(gen_lsp_types::Position {
        line: line as u32,
        character: u32::MAX,
    });
    let mut open = entries(&server.project, path, &text);
    let mut found: Option<Entry> = None;
    while let Some(mut entry) = open.pop() {
        open.append(&mut entry.inside);
        let is_nearer = found
            .as_ref()
            .is_none_or(|found| found.head.start < entry.head.start);
        if entry.head.start <= at && is_nearer && wanted(entry.word) {
            found = Some(entry);
        }
    }
    found
}

/// The offer to write a scenario for the rule at whose first line a range stands.
pub fn scenario_for(server: &Server, path: &Path, range: &Range<usize>) -> Option<Command> {
    let text = server.project.text(path)?;
    let lines = Lines::of(&text, server.encoding);
    let line = lines.position(range.start).line;
    // A rule that cannot be read comes in nowhere.
    let is_read = server.project.reading(path, &text).problems.is_empty();
    let entry = around(server, path, line as usize, |word| word == "rule").filter(|_| is_read)?;
    let is_here = lines.position(entry.head.start).line == line;
    let title = format!("Write a scenario in which `{}` comes in", entry.name);
    is_here.then(|| chosen(title, WRITE, &server.uri(path), line))
}

/// The offer to keep a snapshot of a range as it is now.
pub fn snapshot_at(server: &Server, path: &Path, range: &Range<usize>) -> Option<Command> {
    let mut all = server.snapshots.get(path)?.iter();
    let waiting = all.find(|one| one.at.range.start <= range.end && range.start <= one.at.range.end)?;
    let text = server.project.text(path)?;
    let lines = Lines::of(&text, server.encoding);
    let line = lines.position(waiting.at.range.start).line;
    let title = "Accept the snapshot as it is now".to_owned();
    Some(chosen(title, ACCEPT, &server.uri(path), line))
}

/// Has the client write a scenario for a rule, below those that the file beside it has.
fn write_scenario(server: &mut Server, path: &Path, line: usize) -> Result<(), Refusal> {
    let entry = around(server, path, line, |word| word == "rule")
        .ok_or_else(|| Refusal::from("there is no rule on this line".to_owned()))?;
    let check = server.project.check(path);
    let (asked, bench) = { check.benches.iter() }
        .find(|(asked, _)| asked.playable)
        .ok_or_else(|| Refusal::from("mend the mistakes first".to_owned()))?;
    let text = scenario_for_rule(&server.project, path, (asked, bench), &entry.name)?;
    let beside = path.with_extension("play");
    let before = server.project.text(&beside);
    if before.is_none() && !server.abilities.makes_files {
        let name = beside.file_name().unwrap_or_default().display();
        return Err(
            format!("this editor lets nobody make files: make `{name}` and choose this again").into(),
        );
    }
    let before = before.unwrap_or_default();
    let gap = match before.trim().is_empty() {
        true => "",
        false if before.ends_with('\n') => "\n",
        false => "\n\n",
    };
    let mut sources = Sources::default();
    let end = before.len();
    let id = sources.add(beside.display().to_string(), before);
    let at = At::of(&sources, Span::new(id, end, end));
    let text = format!("{gap}{text}");
    let edit = workspace_edit(server, &[Edit { at, text }]);
    server.ask(
        "workspace/applyEdit",
        &json!({ "label": "a scenario", "edit": edit }),
    );
    Ok(())
}

fn accept(server: &mut Server, path: &Path, line: usize) -> Result<(), Refusal> {
    let nothing = || Refusal::from("there is no snapshot to accept on this line".to_owned());
    let entry = around(server, path, line, |word| word == "play").ok_or_else(nothing)?;
    let all = server.snapshots.get_mut(path).ok_or_else(nothing)?;
    let (mine, others): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(all)
        .into_iter()
        .partition(|one| entry.whole.contains(&one.at.range.start));
    *all = others;
    if mine.is_empty() {
        return Err(nothing());
    }
    for one in mine {
        runner::keep_at(&one.file, &one.new).map_err(|error| Refusal::from(error.to_string()))?;
    }
    server.refresh();
    Ok(())
}

fn play(server: &mut Server, path: &Path, line: usize) -> Result<(), Refusal> {
    let nothing = || Refusal::from("there is no scene on this line".to_owned());
    let entry = around(server, path, line, |word| word == "scene").ok_or_else(nothing)?;
    let check = server.project.check(path);
    let laid = check
        .benches
        .first()
        .and_then(|(asked, bench)| Some((bench, bench.lay(&asked.wanted).ok()?)));
    let (bench, laid) = laid.ok_or_else(|| Refusal::from("mend the mistakes first".to_owned()))?;
    let going = { server.stepped.as_ref() }
        .filter(|stepped| stepped.path == path && stepped.start == entry.head.start);
    let further = going.map_or(0, |stepped| stepped.done + 1);
    let moment = moment_in(bench, &laid, &entry.name, further);
    if moment.is_none() && further == 0 {
        return Err(format!("chance plays no game that comes to `{}`", entry.name).into());
    }
    let text = server.project.text(path).unwrap_or_default();
    let lines = Lines::of(&text, server.encoding);
    server.stepped = moment.map(|moment| Stepped {
        path: path.to_path_buf(),
        start: entry.head.start,
        done: further,
        told: told(lines.range(&entry.head), Message::String(words(&moment))),
    });
    Ok(())
}

/// The titles of the scenarios that come to what is declared on a line.
fn covered(server: &Server, path: &Path, line: usize) -> Result<String, Refusal> {
    let nothing = || Refusal::from("no scenarios were run that could come to this".to_owned());
    let entry = around(server, path, line, |word| word != "play").ok_or_else(nothing)?;
    let titles = coming_to(server, path, &entry).ok_or_else(nothing)?;
    Ok(match titles.is_empty() {
        true => format!("no scenario comes to `{}`", entry.name),
        false => format!("scenarios that come to `{}`: {}", entry.name, titles.join("; ")),
    })
}

fn told(range: gen_lsp_types::Range, message: Message) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::Information),
        source: Some("omerta".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

fn step(server: &mut Server, path: &Path, line: usize) -> Result<(), Refusal> {
    let text = server.project.text(path).unwrap_or_default();
    let lines = Lines::of(&text, server.encoding);
    let at = lines.offset(gen_lsp_types::Position {
        line: line as u32,
        character: u32::MAX,
    });
    let all = entries(&server.project, path, &text);
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
    let found = next(server, path, (&text, from, end), before.as_ref());
    server.stepped = found.map(|(done, words)| Stepped {
        path: path.to_path_buf(),
        start: entry.head.start,
        done,
        told: told(lines.range(&line_before(&text, done)), words),
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
