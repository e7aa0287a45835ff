//! Where a name is declared and used, and how it is called otherwise.

use super::place::place_of;
use crate::{
    server::{Refusal, Server},
    wire::{Lines, range_of},
};
use gen_lsp_types::{
    CreateFile, Definition, DefinitionParams, DefinitionResponse, DocumentChange, DocumentHighlight,
    DocumentHighlightKind, DocumentHighlightParams, Edit as DocumentEdit, Location,
    OptionalVersionedTextDocumentIdentifier, PrepareRenameParams, PrepareRenamePlaceholder,
    PrepareRenameResult, ReferenceParams, RenameParams, TextDocumentEdit, TextDocumentIdentifier,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use omerta_check::index::Access;
use omerta_workbench::{
    findings::At,
    lookup::{Edit, Named, What},
};
use std::{collections::BTreeMap, path::PathBuf};

/// The name at a place, and its file.
fn name_at(server: &mut Server, at: &TextDocumentPositionParams) -> Option<(PathBuf, Named)> {
    let (path, offset) = place_of(server, at)?;
    let named = server.project.name_at(&path, offset)?;
    Some((path, named))
}

/// Where the name at a place is declared.
pub fn definition(server: &mut Server, params: DefinitionParams) -> Option<DefinitionResponse> {
    let (path, named) = name_at(server, &params.text_document_position_params)?;
    let declared = server.project.declarations(&path, &named);
    let places: Vec<Location> = declared.iter().filter_map(|at| location(server, at)).collect();
    (!places.is_empty()).then_some(DefinitionResponse::Definition(Definition::LocationList(places)))
}

/// A place as the client finds it.
pub fn location(server: &Server, at: &At) -> Option<Location> {
    Some(Location {
        uri: server.uri_of_text(&at.source.name)?,
        range: range_of(at, server.encoding),
    })
}

/// All places that speak of the name at a place.
pub fn references(server: &mut Server, params: ReferenceParams) -> Option<Vec<Location>> {
    let (path, named) = name_at(server, &params.text_document_position_params)?;
    let all = server.project.places(&path, &named);
    let wanted = all
        .iter()
        .filter(|place| params.context.include_declaration || place.access != Access::Declares);
    Some(wanted.filter_map(|place| location(server, &place.at)).collect())
}

/// Those in the same text.
pub fn highlight(
    server: &mut Server,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Refusal> {
    let Some((path, named)) = name_at(server, &params.text_document_position_params) else {
        return Ok(None);
    };
    let here = server.project.name_of(&path);
    let encoding = server.encoding;
    let all = server.project.places(&path, &named).into_iter();
    let shown = all
        .filter(|place| place.at.source.name == here)
        .map(|place| DocumentHighlight {
            range: range_of(&place.at, encoding),
            kind: Some(match place.access {
                Access::Reads => DocumentHighlightKind::Read,
                Access::Declares | Access::Replaces | Access::Writes => DocumentHighlightKind::Write,
            }),
        });
    Ok(Some(shown.collect()))
}

/// Whether the name at a place can be another.
pub fn prepare_rename(
    server: &mut Server,
    params: PrepareRenameParams,
) -> Result<Option<PrepareRenameResult>, Refusal> {
    let Some((path, named)) = name_at(server, &params.text_document_position_params) else {
        return Ok(None);
    };
    server.project.may_rename(&path, &named)?;
    let text = server.project.text(&path).unwrap_or_default();
    let range = Lines::of(&text, server.encoding).range(&named.range);
    Ok(Some(PrepareRenameResult::PrepareRenamePlaceholder(
        PrepareRenamePlaceholder {
            range,
            placeholder: named.text,
        },
    )))
}

/// Calls something otherwise, wherever it is spoken of.
pub fn rename(server: &mut Server, params: RenameParams) -> Result<Option<WorkspaceEdit>, Refusal> {
    let at = &params.text_document_position_params;
    let Some((path, offset)) = place_of(server, at) else {
        return Ok(None);
    };
    let Some(named) = server.project.name_at(&path, offset) else {
        return Err("there is no name here".to_owned().into());
    };
    if named.what == What::Nothing {
        server.project.may_rename(&path, &named)?;
    }
    let edits = server.project.rename(&path, &named, &params.new_name)?;
    Ok(Some(workspace_edit(server, &edits)))
}

/// Edits of several texts, in the way the client takes them.
pub fn workspace_edit(server: &Server, edits: &[Edit]) -> WorkspaceEdit {
    let mut by_text: BTreeMap<&str, Vec<TextEdit>> = BTreeMap::new();
    for edit in edits {
        by_text.entry(&edit.at.source.name).or_default().push(TextEdit {
            range: range_of(&edit.at, server.encoding),
            new_text: edit.text.clone(),
        });
    }
    let texts = by_text
        .into_iter()
        .filter_map(|(name, edits)| Some((server.uri_of_text(name)?, edits)));
    if !server.abilities.document_changes {
        return WorkspaceEdit {
            changes: Some(texts.collect()),
            ..WorkspaceEdit::default()
        };
    }
    let changes = texts.flat_map(|(uri, edits)| {
        let is_new = server.project.text(&server.path(&uri)).is_none();
        let made = is_new.then(|| {
            DocumentChange::CreateFile(CreateFile {
                uri: uri.clone(),
                options: None,
                annotation_id: None,
            })
        });
        let edit = DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                version: version(server, &uri),
                text_document_identifier: TextDocumentIdentifier { uri },
            },
            edits: edits.into_iter().map(DocumentEdit::TextEdit).collect(),
        });
        made.into_iter().chain([edit])
    });
    WorkspaceEdit {
        document_changes: Some(changes.collect()),
        ..WorkspaceEdit::default()
    }
}

fn version(server: &Server, uri: &Uri) -> Option<i32> {
    let document = server.documents.values().find(|document| document.uri == *uri);
    document.map(|document| document.version)
}
