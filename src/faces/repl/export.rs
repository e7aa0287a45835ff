//! `export`: the session as a file of one scenario, with its snapshot.

use super::desk::{Desk, Done};
use super::given;
use omerta_workbench::{
    RulesetRequest, files,
    runner::{self, Plan},
    written::{Tail, Written, called_otherwise},
};
use std::path::Path;

/// `export bug.play`, `export bug.play the doctor is asked twice`
pub fn export(desk: &mut Desk, given: &str) -> Done {
    let (file, title) = given::split(given);
    if file.is_empty() {
        return Err("name a file: `export bug.play`".to_owned());
    }
    if !file.ends_with(".play") {
        return Err(format!("a scenario's file ends in `.play`: `export {file}.play`"));
    }
    let path = Path::new(file);
    if files::is_there(path) {
        return Err(format!("`{file}` is there already; choose another name"));
    }
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let title = if title.is_empty() {
        stem
    } else {
        title.replace('"', "'")
    };
    let wanted = seen_from(path, &desk.wanted);
    let written = Written {
        session: &desk.hosted.session,
        wanted: &wanted,
        title: &title,
        table: "",
        tail: Tail::Snapshot,
    };
    let text = written
        .text(path)
        .map_err(|why| format!("this game cannot be written as a scenario: {why}"))?;
    files::write(path, &text).map_err(|error| format!("{error:#}"))?;
    let snapshots = keep_snapshots(path).map_err(|error| format!("{error:#}"))?;
    desk.line(format!(
        "  written to `{file}`, with {snapshots}; `omerta test {file}` plays it"
    ));
    for (name, written) in called_otherwise(desk.names()) {
        desk.line(format!(
            "  `{name}` sits there as `{written}`: a scenario cannot write the other name"
        ));
    }
    Ok(())
}

/// What was asked for, with paths as they are written in a file of another folder.
fn seen_from(path: &Path, wanted: &RulesetRequest) -> RulesetRequest {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(folder) = folder else {
        return wanted.clone();
    };
    let seen = |name: &String| match name.contains(['/', '\\']) || name.ends_with(".mafia") {
        true => files::seen_from(folder, name),
        false => name.clone(),
    };
    RulesetRequest {
        base: seen(&wanted.base),
        overlays: wanted.overlays.iter().map(seen).collect(),
        options: wanted.options.clone(),
    }
}

fn keep_snapshots(path: &Path) -> anyhow::Result<String> {
    let texts = [runner::read(path)?];
    let mut kept = 0;
    for ran in runner::run_suite(&texts, &Plan::default()) {
        for held in &ran.held {
            ran.keep(held)?;
            kept += 1;
        }
    }
    Ok(match kept {
        1 => "its snapshot".to_owned(),
        kept => format!("{kept} snapshots"),
    })
}
