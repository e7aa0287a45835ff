//! What can be done about what is wrong at a place, and what else can be made of it.

use super::{lenses, names::workspace_edit};
use crate::{server::Server, wire::Lines};
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, Diagnostic};
use omerta_workbench::{
    findings::Finding,
    lookup::Edit,
    refactor::{self, Sort},
    repairs::Fix,
};
use std::{ops::Range, path::Path};

/// Repairs of what is wrong in a range, all of the sure ones at once, and changes that leave the game as it is.
pub fn actions(server: &mut Server, params: CodeActionParams) -> Option<Vec<CodeActionResponse>> {
    let path = server.path(&params.text_document.uri);
    let text = server.project.text(&path)?;
    let wanted = |kind: CodeActionKind| {
        let name = serde_json::to_value(&kind).unwrap_or_default();
        let name = name.as_str().unwrap_or_default().to_owned();
        params.context.only.as_ref().is_none_or(|only| {
            only.iter().any(|asked| {
                let asked = serde_json::to_value(asked).unwrap_or_default();
                name.starts_with(asked.as_str().unwrap_or_default())
            })
        })
    };
    let range = Lines::of(&text, server.encoding).bytes(params.range);
    let all = current(server, &path);
    let mut actions = Vec::new();
    if wanted(CodeActionKind::QuickFix) {
        for finding in all.iter().filter(|finding| touches(&finding.at.range, &range)) {
            let told = server.tell(|telling| telling.diagnostic(finding));
            for fix in server.project.fixes(&path, finding) {
                actions.push(action(server, fix, CodeActionKind::QuickFix, Some(told.clone())));
            }
        }
        actions.extend(
            lenses::snapshot_at(server, &path, &range).map(|command| CodeAction {
                title: command.title.clone(),
                kind: Some(CodeActionKind::QuickFix),
                command: Some(command),
                ..CodeAction::default()
            }),
        );
    }
    if wanted(CodeActionKind::SourceFixAll)
        && let Some(fix) = server.project.fix_all(&path, &all)
    {
        actions.push(action(server, fix, CodeActionKind::SourceFixAll, None));
    }
    let (extract, rewrite) = (CodeActionKind::RefactorExtract, CodeActionKind::RefactorRewrite);
    if wanted(extract.clone()) || wanted(rewrite.clone()) {
        for (sort, fix) in refactor::refactorings(&server.project, &path, &range) {
            let kind = match sort {
                Sort::Extract => extract.clone(),
                Sort::Rewrite => rewrite.clone(),
            };
            if wanted(kind.clone()) {
                actions.push(action(server, fix, kind, None));
            }
        }
    }
    if wanted(rewrite.clone()) {
        actions.extend(
            lenses::scenario_for(server, &path, &range).map(|command| CodeAction {
                title: command.title.clone(),
                kind: Some(rewrite),
                command: Some(command),
                ..CodeAction::default()
            }),
        );
    }
    Some(actions.into_iter().map(CodeActionResponse::CodeAction).collect())
}

/// What is wrong with a file as it is now.
fn current(server: &mut Server, path: &Path) -> Vec<Finding> {
    let name = server.project.name_of(path);
    let check = server.project.check(path);
    let of_runs = server.notices.ran_at(path);
    { check.findings.iter().chain(of_runs) }
        .filter(|finding| finding.at.source.name == name)
        .cloned()
        .collect()
}

fn touches(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn action(server: &Server, fix: Fix, kind: CodeActionKind, diagnostic: Option<Diagnostic>) -> CodeAction {
    let mut edits: Vec<Edit> = fix.edits;
    edits.sort_by_key(|edit| edit.at.range.start);
    CodeAction {
        title: fix.title,
        is_preferred: (fix.sure && diagnostic.is_some()).then_some(true),
        diagnostics: diagnostic.map(|diagnostic| vec![diagnostic]),
        kind: Some(kind),
        edit: Some(workspace_edit(server, &edits)),
        ..CodeAction::default()
    }
}
