//! What a request is about.

use crate::{server::Server, wire::Lines};
use gen_lsp_types::TextDocumentPositionParams;
use std::path::PathBuf;

/// The file and the byte that a request is about.
pub fn place_of(server: &Server, at: &TextDocumentPositionParams) -> Option<(PathBuf, usize)> {
    let path = server.path(&at.text_document.uri);
    let text = server.project.text(&path)?;
    let offset = Lines::of(&text, server.encoding).offset(at.position);
    Some((path, offset))
}
