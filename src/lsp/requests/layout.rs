//! Lays a text out, by as little change as it takes: the cursor stays where it is.

use crate::{
    server::{Refusal, Server},
    wire::Lines,
};
use gen_lsp_types::{DocumentFormattingParams, DocumentRangeFormattingParams, Range, TextEdit, Uri};
use omerta_core::source::Sources;
use omerta_syntax::{format, format_play};
use omerta_workbench::project::FileKind;
use similar::{DiffOp, DiffTag, TextDiff};
use std::ops;

/// The whole text.
pub fn whole(
    server: &mut Server,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Refusal> {
    lay_out(server, &params.text_document.uri, None)
}

/// Those lines of it that are chosen.
pub fn part(
    server: &mut Server,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Refusal> {
    lay_out(server, &params.text_document.uri, Some(params.range))
}

fn lay_out(server: &Server, uri: &Uri, only: Option<Range>) -> Result<Option<Vec<TextEdit>>, Refusal> {
    let path = server.path(uri);
    let Some(text) = server.project.text(&path) else {
        return Ok(None);
    };
    let id = Sources::default().add(path.display().to_string(), "");
    let done = match FileKind::of(&path) {
        Some(FileKind::Play) => format_play(id, &text),
        _ => format(id, &text),
    };
    let laid_out = done.map_err(|problems| {
        let first = problems.first().map_or("", |problem| &problem.message);
        Refusal::from(format!(
            "it cannot be laid out before its mistakes are mended: {first}"
        ))
    })?;
    let lines = Lines::of(&text, server.encoding);
    let mut edits = changed_lines(&text, &laid_out, &lines);
    if let Some(only) = only {
        // The end of an edit is the beginning of a line that it leaves alone.
        let begins_by = |edit: &TextEdit| edit.range.start.line <= only.end.line;
        let reaches = |edit: &TextEdit| {
            edit.range.start.line.max(edit.range.end.line.saturating_sub(1)) >= only.start.line
        };
        edits.retain(|edit| begins_by(edit) && reaches(edit));
    }
    Ok(Some(edits))
}

/// The edits that make one text of another, by lines.
fn changed_lines(old: &str, new: &str, lines: &Lines<'_>) -> Vec<TextEdit> {
    let (was, is): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    let start = |at: usize| was[..at].iter().map(|line| line.len()).sum::<usize>();
    let edit = |old: ops::Range<usize>, new: ops::Range<usize>| TextEdit {
        range: lines.range(&(start(old.start)..start(old.end))),
        new_text: is[new].concat(),
    };
    let diff = TextDiff::from_slices(&was, &is);
    let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let each = |op: &DiffOp| -> Vec<TextEdit> {
        let (old, new) = (op.old_range(), op.new_range());
        match old.len() == new.len() {
            // Line by line, so that of a part of them no other is touched.
            true => old
                .zip(new)
                .map(|(old, new)| edit(old..old + 1, new..new + 1))
                .collect(),
            false => vec![edit(old, new)],
        }
    };
    changed.flat_map(each).collect()
}
