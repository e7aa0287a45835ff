//! The layout of `.play` files: the same outline and printer, with the lines of scenarios.

use std::collections::BTreeSet;

use super::{outline, printer};
use crate::{
    play_parse::{parse_play, parts},
    play_tree::{Line, LineKind, Section},
    token::{self, Token, TokenKind},
};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    source::SourceId,
};

/// Lays a file of scenarios out; one with a mistake in its shape is left alone.
pub fn format_play(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (file, problems) = parse_play(source, text);
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return Err(problems);
    }
    let tokens = joined(text, &token::scan(text).tokens);
    let mut beginnings = BTreeSet::new();
    for part in parts(text) {
        let first = tokens
            .iter()
            .find(|token| token.start >= part && token.is_solid());
        beginnings.extend(first.map(|token| token.start));
    }
    add(&file.preamble, &mut beginnings);
    file.commons
        .iter()
        .for_each(|common| add(&common.lines, &mut beginnings));
    file.plays
        .iter()
        .for_each(|play| add(&play.lines, &mut beginnings));
    let outline = outline::outline(text, &tokens, &beginnings);
    Ok(printer::print_scenarios(&outline))
}

/// Where lines begin, those in scenes and the rows of tables among them.
fn add(lines: &[Line], beginnings: &mut BTreeSet<usize>) {
    for line in lines {
        beginnings.insert(line.span.start as usize);
        match &line.kind {
            LineKind::Section(Section { lines, .. }) | LineKind::Repeat { lines, .. } => {
                add(lines, beginnings)
            }
            LineKind::Cases(cases) => beginnings.extend(cases.rows.iter().map(|row| row.span.start as usize)),
            _ => {}
        }
    }
}

/// The tokens with those joined that are one thing in a scenario: `->`, `CITY-Q07`, `12-A`.
fn joined(text: &str, tokens: &[Token]) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).filter(|next| next.start == token.end);
        let is_arrow = |first: &Token, second: &Token| first.text(text) == "-" && second.text(text) == ">";
        match joined.last_mut() {
            Some(last) if last.end == token.start => {
                let grows = is_arrow(last, token)
                    || last.text(text) == ".." && token.text(text) == "."
                    || is_word(last) && is_word(token)
                    || is_word(last) && token.text(text) == "-" && next.is_some_and(is_word)
                    || last.text(text).ends_with('-') && last.end > last.start + 1 && is_word(token);
                if grows {
                    last.end = token.end;
                } else {
                    joined.push(*token);
                }
            }
            _ => joined.push(*token),
        }
    }
    joined
}

fn is_word(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Number)
}
