//! More than one mistake in one declaration: blanks a broken statement out and tries again.

use crate::{
    blame,
    grammar::{Chunk, Refusal, Rule, run},
    token::{self, Token, TokenKind},
};
use omerta_core::{codes, diagnostic::Diagnostic};

/// How many mistakes are looked for in one declaration.
const MISTAKES: usize = 10;
/// In one longer than so many bytes no second one is looked for, which takes reading all of it anew.
const LONG: usize = 1 << 16;

/// All mistakes of a refused declaration, one a statement.
pub(super) fn all_mistakes(chunk: Chunk<'_>, error: Refusal) -> Vec<Diagnostic> {
    let mut found = vec![blamed(chunk, &error)];
    let mut text = chunk.text.to_string();
    let place_in = |diagnostic: &Diagnostic| diagnostic.span().start as usize - chunk.offset;
    let mut at = place_in(&found[0]);
    // Without its braces nobody knows what is in a block, and what behind it.
    let is_open = found[0].code == codes::MISSING_BLOCK;
    while found.len() < MISTAKES && text.len() <= LONG && !is_open {
        let Some((blanked, end)) = without_statement(&text, at) else {
            break;
        };
        text = blanked;
        let patched = Chunk { text: &text, ..chunk };
        let Err(next) = run(patched, Rule::one_item) else {
            break;
        };
        let place = blame::place_of(&next);
        let follows_from_blanking =
            place < end || text[place..].starts_with('}') || text[place..].starts_with("else");
        if follows_from_blanking {
            break;
        }
        let diagnostic = blamed(patched, &next);
        at = place_in(&diagnostic);
        // The rows of a table are all written alike.
        let is_told =
            chunk.text.starts_with("define") && found.iter().any(|other| other.help == diagnostic.help);
        if !is_told {
            found.push(diagnostic);
        }
    }
    found
}

/// What is missing at the end of a line is told there, although an expression might go on in the next one.
fn blamed(chunk: Chunk<'_>, error: &Refusal) -> Diagnostic {
    let at = blame::place_of(error);
    let text = chunk.text[..at].trim_end();
    if chunk.text[text.len()..at].contains('\n') && blame::wants_more(error) {
        let line = Chunk { text, ..chunk };
        if let Err(shorter) = run(line, Rule::one_item) {
            return blame::blame(line, &shorter);
        }
    }
    blame::blame(chunk, error)
}

/// The text with the statement around `at` overwritten by blanks, and where that statement ends.
fn without_statement(text: &str, at: usize) -> Option<(String, usize)> {
    let tokens = token::scan(text).tokens;
    let start = statement_start(text, &tokens, at)?;
    let end = statement_end(text, &tokens, start).max(start + 1);
    let from = tokens[start].start;
    let block = tokens[start..end]
        .iter()
        .find(|token| token.kind == TokenKind::Open);
    let keeps_block = matches!(tokens[start].text(text), "if" | "for" | "repeat");
    let (to, head) = match block.filter(|block| keeps_block && block.start > at) {
        Some(block) => (block.start, "if x"),
        None => (tokens[end - 1].end, ""),
    };
    let mut bytes = text.as_bytes().to_vec();
    let blanked = &mut bytes[from..to];
    for byte in blanked.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
    let head = head.as_bytes();
    if blanked.len() > head.len() {
        blanked[..head.len()].copy_from_slice(head);
    }
    Some((String::from_utf8(bytes).ok()?, to))
}

/// The first token of the statement in the innermost block around `at`.
fn statement_start(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let mut starts: Vec<usize> = Vec::new();
    for (index, token) in tokens
        .iter()
        .enumerate()
        .take_while(|(_, token)| token.start < at)
    {
        match token.kind {
            TokenKind::Open => starts.push(index + 1),
            TokenKind::Close => {
                starts.pop();
            }
            TokenKind::Newline if !goes_on(text, tokens, index) => set_last(&mut starts, index + 1),
            TokenKind::Sign if token.text(text) == ";" => set_last(&mut starts, index + 1),
            _ => {}
        }
    }
    let from = *starts.last()?;
    let start =
        (from..tokens.len()).find(|index| tokens[*index].is_solid() && tokens[*index].text(text) != ";")?;
    (tokens[start].start <= at && tokens[start].kind != TokenKind::Close).then_some(start)
}

fn set_last(starts: &mut [usize], index: usize) {
    if let Some(last) = starts.last_mut() {
        *last = index;
    }
}

/// Whether the statement goes on after a line end.
fn goes_on(text: &str, tokens: &[Token], newline: usize) -> bool {
    let next = tokens[newline..].iter().find(|token| token.is_solid());
    next.is_some_and(|next| {
        matches!(next.kind, TokenKind::Open | TokenKind::Text) || matches!(next.text(text), "else" | "when")
    })
}

/// One past the last token of the statement that begins at `start`.
fn statement_end(text: &str, tokens: &[Token], start: usize) -> usize {
    let (mut depth, mut brackets) = (0usize, 0usize);
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            TokenKind::ParenOpen => brackets += 1,
            TokenKind::ParenClose => brackets = brackets.saturating_sub(1),
            TokenKind::Newline => brackets = 0,
            _ => {}
        }
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => return index,
            TokenKind::Close => depth -= 1,
            TokenKind::Newline if depth == 0 && !goes_on(text, tokens, index) => return index,
            TokenKind::Sign if depth + brackets == 0 && token.text(text) == ";" => return index,
            _ => {}
        }
    }
    tokens.len()
}
