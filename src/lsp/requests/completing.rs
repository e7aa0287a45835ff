//! What could be written at the cursor, as the client lists it.

use super::place::place_of;
use crate::{server::Server, wire::Lines};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, CompletionParams,
    CompletionResponse, Documentation, InsertTextFormat, InsertTextMode, MarkupContent, MarkupKind, Range,
    TextEdit,
};
use omerta_syntax::{Sort, is_name, runs, words};
use omerta_workbench::complete::Offer;

/// What could be written at a place.
pub fn completion(server: &mut Server, params: CompletionParams) -> Option<CompletionResponse> {
    let (path, offset) = place_of(server, &params.text_document_position_params)?;
    let offers = server.project.offers(&path, offset)?;
    let text = server.project.text(&path).unwrap_or_default();
    let range = Lines::of(&text, server.encoding).range(&offers.word);
    let snippets = server.abilities.snippets;
    let numbered = offers.all.iter().enumerate();
    // What is only to be filled in is no beginning of what may stand there.
    let letters = text.get(offers.word.clone()).unwrap_or_default();
    let filter = offers.is_place.then(|| letters.to_owned());
    let items = numbered.map(|(number, offer)| CompletionItem {
        filter_text: filter.clone(),
        ..item(offer, number, range, snippets)
    });
    Some(CompletionResponse::CompletionList(CompletionList {
        is_incomplete: false,
        items: items.collect(),
        ..CompletionList::default()
    }))
}

fn item(offer: &Offer, number: usize, range: Range, snippets: bool) -> CompletionItem {
    let is_example = offer.sort == "whole";
    let (new_text, format) = match (is_example, snippets) {
        (true, true) => (snippet(&offer.text), InsertTextFormat::Snippet),
        // Without places to fill in, an example would have to be taken out again.
        (true, false) => (offer.label.clone(), InsertTextFormat::PlainText),
        (false, _) => (offer.text.clone(), InsertTextFormat::PlainText),
    };
    CompletionItem {
        label: offer.label.clone(),
        kind: Some(kind(offer.sort)),
        detail: Some(match &offer.detail {
            Some(detail) if is_example || offer.sort == "word" => detail.clone(),
            None if is_example => offer.text.clone(),
            Some(detail) => format!("{} “{detail}”", offer.sort),
            None => offer.sort.to_owned(),
        }),
        // What it writes, where that is more than it says.
        documentation: is_example
            .then(|| format!("```mafia\n{}\n```", offer.text))
            .map(|value| {
                Documentation::MarkupContent(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value,
                })
            }),
        sort_text: Some(format!("{number:04}")),
        insert_text_format: Some(format),
        insert_text_mode: is_example.then_some(InsertTextMode::AdjustIndentation),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text })),
        ..CompletionItem::default()
    }
}

fn kind(sort: &str) -> CompletionItemKind {
    match sort {
        "whole" => CompletionItemKind::Snippet,
        "word" => CompletionItemKind::Keyword,
        "role" | "team" | "class" | "token" => CompletionItemKind::Class,
        "event" => CompletionItemKind::Event,
        "scene" => CompletionItemKind::Method,
        "define" | "hook" => CompletionItemKind::Function,
        "option" => CompletionItemKind::Enum,
        "value" => CompletionItemKind::EnumMember,
        "ruleset" | "overlay" | "library" => CompletionItemKind::Module,
        "rule" | "allow" | "policy" => CompletionItemKind::Operator,
        "answer" => CompletionItemKind::Value,
        "player" => CompletionItemKind::Constant,
        "question" | "wording" | "purpose" => CompletionItemKind::Property,
        _ => CompletionItemKind::Variable,
    }
}

/// An example with the places that are to be filled in: names, numbers and texts. Its blocks stand on lines of their own.
fn snippet(example: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    let (mut out, mut done, mut places) = (String::new(), 0, 0);
    let mut add = |out: &mut String, done: &mut usize, (from, to): (usize, usize), inside: &str| {
        out.push_str(&escaped(&example[*done..from]));
        places += 1;
        out.push_str(&format!("${{{places}:{}}}", escaped(inside)));
        *done = to;
    };
    for (range, sort) in runs(example) {
        let letters = &example[range.clone()];
        match sort {
            // Its first word says what it is.
            Sort::Word
                if range.start > 0
                    && is_name(letters)
                    && words::find(letters).is_none()
                    && !words::is_of_a_grammar(letters) =>
            {
                add(&mut out, &mut done, (range.start, range.end), letters);
            }
            Sort::Number => add(&mut out, &mut done, (range.start, range.end), letters),
            Sort::Text if letters.len() > 1 && !letters.starts_with("\"\"\"") => {
                add(
                    &mut out,
                    &mut done,
                    (range.start + 1, range.end - 1),
                    &letters[1..letters.len() - 1],
                );
            }
            Sort::Sign if letters == "…" => add(&mut out, &mut done, (range.start, range.end), ""),
            Sort::Sign if letters == "{" => {
                out.push_str(&escaped(&example[done..range.end]));
                out.push_str("\n  ");
                done = range.end + usize::from(example[range.end..].starts_with(' '));
            }
            Sort::Sign if letters == "}" => {
                out.push_str(escaped(&example[done..range.start]).trim_end());
                out.push('\n');
                done = range.start;
            }
            _ => {}
        }
    }
    out.push_str(&escaped(&example[done..]));
    out
}
