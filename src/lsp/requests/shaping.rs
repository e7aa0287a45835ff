//! How the line may go on that is being written.

use super::place::place_of;
use crate::{server::Server, wire::Encoding};
use gen_lsp_types::{
    ActiveParameter, Documentation, MarkupContent, MarkupKind, ParameterInformation,
    ParameterInformationLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
};
use omerta_workbench::shapes::{Shape, shapes_at};

/// The shapes that the reference shows of it, as far as they fit what is written.
pub fn shapes(server: &mut Server, params: SignatureHelpParams) -> Option<SignatureHelp> {
    let (path, offset) = place_of(server, &params.text_document_position_params)?;
    let text = server.project.text(&path).unwrap_or_default();
    shapes_at(&path, &text, offset).map(|all| SignatureHelp {
        active_signature: Some(0),
        active_parameter: None,
        signatures: all.into_iter().map(signature).collect(),
    })
}

fn signature(shape: Shape) -> SignatureInformation {
    // In labels every client counts half-words.
    let units = |end: usize| Encoding::Utf16.length(&shape.text[..end]);
    let parts = shape.parts.iter().map(|part| ParameterInformation {
        label: ParameterInformationLabel::Tuple((units(part.start), units(part.end))),
        documentation: None,
    });
    SignatureInformation {
        parameters: Some(parts.collect()),
        documentation: (!shape.told.is_empty()).then(|| {
            Documentation::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: shape.told.clone(),
            })
        }),
        active_parameter: shape.next.map(|part| ActiveParameter::Int(part as u32)),
        label: shape.text,
    }
}
