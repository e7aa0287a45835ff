//! What each name is, for editors that colour by more than letters.

use crate::{server::Server, wire::Lines};
use gen_lsp_types::{SemanticToken, SemanticTokens, SemanticTokensLegend, SemanticTokensParams};
use omerta_check::index::{Access, Pot, Target};
use omerta_syntax::{
    Sort,
    names::{NameUse, Role},
    walk::Space,
    words::is_of_a_grammar,
};
use omerta_workbench::project::{Context, FileKind};
use std::{collections::BTreeMap, ops::Range, path::Path};

const TYPES: [&str; 14] = [
    "class",
    "namespace",
    "variable",
    "function",
    "event",
    "method",
    "parameter",
    "enumMember",
    "property",
    "keyword",
    "string",
    "number",
    "comment",
    "decorator",
];

const MODIFIERS: [&str; 3] = ["declaration", "modification", "defaultLibrary"];

/// The sorts of colours that are told.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.map(str::to_owned).to_vec(),
        token_modifiers: MODIFIERS.map(str::to_owned).to_vec(),
    }
}

fn number(name: &str) -> u32 {
    TYPES.iter().position(|known| *known == name).unwrap_or(2) as u32
}

/// All names of a document, and what its other words are.
pub fn tokens(server: &mut Server, params: SemanticTokensParams) -> Option<SemanticTokens> {
    let path = server.path(&params.text_document.uri);
    let text = server.project.text(&path)?;
    let mut found: BTreeMap<usize, (Range<usize>, u32, u32)> = BTreeMap::new();
    for (range, sort) in omerta_syntax::runs(&text) {
        let sort = match sort {
            Sort::Keyword => "keyword",
            Sort::Number => "number",
            Sort::Comment => "comment",
            // A word that stands for itself somewhere, unless it turns out to be a name here.
            Sort::Word if is_of_a_grammar(&text[range.clone()]) => "keyword",
            Sort::Word | Sort::Text | Sort::Sign => continue,
        };
        found.insert(range.start, (range, number(sort), 0));
    }
    for (range, sort, modifiers) in names(server, &path) {
        found.insert(range.start, (range, sort, modifiers));
    }
    let lines = Lines::of(&text, server.encoding);
    Some(SemanticTokens {
        result_id: None,
        data: encoded(found.into_values(), &lines),
    })
}

/// The names that stand for something, each with its sort and what is done with it.
fn names(server: &mut Server, path: &Path) -> Vec<(Range<usize>, u32, u32)> {
    let names = server.project.names(path);
    let contexts = server.project.all_contexts(path);
    let contexts: Vec<&Context> = contexts.iter().flat_map(|all| all.iter()).collect();
    let is_play = FileKind::of(path) == Some(FileKind::Play);
    let mut found = Vec::new();
    for (_, used) in &names.uses {
        let declares = matches!(
            used.role,
            Role::Declares { .. } | Role::Binds { .. } | Role::Uses(Space::Beside | Space::Head)
        );
        let changes = matches!(used.role, Role::Uses(Space::Changed));
        let modifiers = u32::from(declares) | u32::from(changes) << 1;
        let sort = match (
            used.local.is_some() && (is_play || !is_kept(&contexts, used)),
            used.role,
        ) {
            (true, _) => Some("parameter"),
            (_, Role::Uses(Space::Head | Space::Base | Space::Overlay | Space::File)) => Some("namespace"),
            _ => { contexts.iter() }.find_map(|context| sort_of(context, used)),
        };
        if let Some(sort) = sort {
            let range = used.name.span.start as usize..used.name.span.end as usize;
            found.push((range, number(sort), modifiers));
        }
    }
    found
}

fn is_kept(contexts: &[&Context], used: &NameUse) -> bool {
    contexts.iter().any(|context| {
        let same = |other: &&omerta_check::index::Use| {
            other.span.start == used.name.span.start && other.text == used.name.text
        };
        { context.index.uses.iter() }
            .find(same)
            .is_some_and(|other| matches!(other.target, Target::Global(_)) && other.access == Access::Writes)
    })
}

/// The sort of a name by where it is declared.
fn sort_of(context: &Context, used: &NameUse) -> Option<&'static str> {
    let pot = context.index.resolve(used.role, &used.name.text)?;
    let declared = context.index.declarations(pot, &used.name.text);
    let word = declared
        .first()
        .map_or("", |declared| context.index.item_of(declared).word);
    Some(match (pot, word) {
        (Pot::Word, _) => "enumMember",
        (Pot::Wording, _) => "property",
        (Pot::Purpose | Pot::Question, _) => "property",
        (_, "role" | "team" | "class" | "token") => "class",
        (_, "event") => "event",
        (_, "scene") => "method",
        (_, "define" | "hook") => "function",
        (_, "rule" | "allow" | "policy") => "decorator",
        (_, "option") => "enumMember",
        _ => "variable",
    })
}

/// As the protocol has it: each token by how far it is from the one before. One over several lines is left out.
fn encoded(tokens: impl Iterator<Item = (Range<usize>, u32, u32)>, lines: &Lines<'_>) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let mut data = Vec::new();
    let mut end = 0;
    for (range, token_type, token_modifiers_bitset) in tokens {
        let at = lines.range(&range);
        if at.start.line != at.end.line || range.start < end {
            continue;
        }
        end = range.end;
        let delta_line = at.start.line - line;
        data.push(SemanticToken {
            delta_line,
            delta_start: if delta_line == 0 {
                at.start.character - column
            } else {
                at.start.character
            },
            length: at.end.character - at.start.character,
            token_type,
            token_modifiers_bitset,
        });
        (line, column) = (at.start.line, at.start.character);
    }
    data
}
