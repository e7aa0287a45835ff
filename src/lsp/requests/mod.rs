//! What may be asked for, and who answers.

mod colours;
mod completing;
mod hints;
mod layout;
mod lenses;
mod mending;
mod names;
mod outline;
mod place;
mod shaping;
mod telling;

use crate::{
    server::{Refusal, Server},
    wire::Encoding,
};
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProvider, CodeLensOptions, CompletionOptions,
    DefinitionProvider, DocumentFormattingProvider, DocumentHighlightProvider, DocumentLinkOptions,
    DocumentRangeFormattingProvider, DocumentSymbolProvider, ExecuteCommandOptions, FoldingRangeProvider,
    HoverProvider, InitializeResult, InlayHintProvider, ReferencesProvider, RenameOptions, RenameProvider,
    SelectionRangeProvider, SemanticTokensOptions, SemanticTokensProvider, ServerCapabilities, ServerInfo,
    SignatureHelpOptions, TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions, WorkspaceSymbolProvider,
};
use lsp_server::ErrorCode;
use serde_json::{Value, json};

/// What comes of a request.
trait Answer<T> {
    fn given(self) -> Result<T, Refusal>;
}

impl<T> Answer<T> for Result<T, Refusal> {
    fn given(self) -> Result<T, Refusal> {
        self
    }
}

/// Some are never refused, and there may be nothing to tell.
impl<T> Answer<Option<T>> for Option<T> {
    fn given(self) -> Result<Option<T>, Refusal> {
        Ok(self)
    }
}

/// Who answers which request.
macro_rules! answered {
    ($server:ident, $method:ident, $params:ident: $($request:ident => $answer:path;)*) => {
        match $method {
            $(method if method == <gen_lsp_types::$request as gen_lsp_types::Request>::METHOD.as_str() => {
                let params = serde_json::from_value($params).map_err(misread)?;
                let result: <gen_lsp_types::$request as gen_lsp_types::Request>::Result = $answer($server, params).given()?;
                serde_json::to_value(result).map_err(misread)
            })*
            _ => Err(Refusal::because(
                ErrorCode::MethodNotFound,
                format!("`{}` is not answered here", $method),
            )),
        }
    };
}

fn misread(error: serde_json::Error) -> Refusal {
    Refusal::because(ErrorCode::InvalidParams, error.to_string())
}

/// Answers a request.
pub fn answer(server: &mut Server, method: &str, params: Value) -> Result<Value, Refusal> {
    answered! { server, method, params:
        DefinitionRequest => names::definition;
        ReferencesRequest => names::references;
        DocumentHighlightRequest => names::highlight;
        PrepareRenameRequest => names::prepare_rename;
        RenameRequest => names::rename;
        HoverRequest => telling::hover;
        DocumentSymbolRequest => outline::symbols;
        FoldingRangeRequest => outline::folding;
        SelectionRangeRequest => outline::selection;
        DocumentLinkRequest => outline::links;
        WorkspaceSymbolRequest => outline::workspace_symbols;
        DocumentFormattingRequest => layout::whole;
        DocumentRangeFormattingRequest => layout::part;
        SemanticTokensRequest => colours::tokens;
        CompletionRequest => completing::completion;
        CodeActionRequest => mending::actions;
        SignatureHelpRequest => shaping::shapes;
        InlayHintRequest => hints::hints;
        CodeLensRequest => lenses::lenses;
        ExecuteCommandRequest => lenses::execute;
    }
}

/// What the server can.
pub fn abilities(encoding: Encoding) -> InitializeResult {
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProvider::Bool(true)),
        code_lens_provider: Some(CodeLensOptions::default()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: lenses::COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![" ".to_owned(), "{".to_owned(), "[".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QuickFix,
                CodeActionKind::SourceFixAll,
                CodeActionKind::RefactorExtract,
                CodeActionKind::RefactorRewrite,
            ]),
            ..CodeActionOptions::default()
        })),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec![" ".to_owned()]),
            ..SignatureHelpOptions::default()
        }),
        inlay_hint_provider: Some(InlayHintProvider::Bool(true)),
        definition_provider: Some(DefinitionProvider::Bool(true)),
        references_provider: Some(ReferencesProvider::Bool(true)),
        document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
        document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
        workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
        folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
        selection_range_provider: Some(SelectionRangeProvider::Bool(true)),
        document_link_provider: Some(DocumentLinkOptions::default()),
        document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
        document_range_formatting_provider: Some(DocumentRangeFormattingProvider::Bool(true)),
        rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
            prepare_provider: Some(true),
            ..RenameOptions::default()
        })),
        semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: colours::legend(),
                full: Some(gen_lsp_types::Full::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(gen_lsp_types::ChangeNotifications::Bool(true)),
            }),
            ..WorkspaceOptions::default()
        }),
        ..ServerCapabilities::default()
    };
    InitializeResult {
        capabilities,
        server_info: Some(ServerInfo {
            name: "omerta".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

/// Which files a client is asked to watch.
pub fn watched() -> Value {
    let watchers = [json!({ "globPattern": "**/*.{mafia,play}" })];
    json!({ "registrations": [{
        "id": "files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": { "watchers": watchers },
    }] })
}
