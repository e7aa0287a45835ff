//! What stands between the words though nobody has written it.

use crate::{server::Server, wire::Lines};
use gen_lsp_types::{InlayHint, InlayHintParams, Label, MarkupContent, MarkupKind, Tooltip};
use omerta_workbench::{hints::Hint, project::FileKind};

/// The hints of a part of a document. While it is wrong, those stay that were told before.
pub fn hints(server: &mut Server, params: InlayHintParams) -> Option<Vec<InlayHint>> {
    let path = server.path(&params.text_document.uri);
    let text = server.project.text(&path)?;
    if FileKind::of(&path) == Some(FileKind::Rules)
        && let Some(new) = server.project.hints(&path)
    {
        server.hints.insert(path.clone(), new);
    }
    let lines = Lines::of(&text, server.encoding);
    let wanted = lines.bytes(params.range);
    let told = server.hints.get(&path).into_iter().flatten();
    let told = told.filter(|hint| wanted.start <= hint.at.range.end && hint.at.range.end <= wanted.end);
    Some(told.map(|hint| shown(hint, &lines)).collect())
}

fn shown(hint: &Hint, lines: &Lines<'_>) -> InlayHint {
    InlayHint {
        position: lines.position(hint.at.range.end),
        label: Label::String(hint.short.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(Tooltip::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: hint.long.clone(),
        })),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
