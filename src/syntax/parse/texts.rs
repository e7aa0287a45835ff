//! Builds texts: joins neighbours, resolves escapes, parses slots and choices of words.

use pest::iterators::Pair;

use crate::{
    grammar::{Chunk, Rule},
    mistakes,
    parse::{Builder, Cursor},
    token::closing_brace,
    tree::{Expr, Script, Text, TextPiece},
};
use omerta_core::{
    source::Span,
    written::{LONGEST, cleaned},
};

/// How deep slots may lie in the wordings of other slots.
const WORDING_DEPTH_LIMIT: usize = 8;

/// A run of bytes of a text with where it begins in the source.
#[derive(Clone, Copy)]
struct Run<'t> {
    text: &'t str,
    offset: usize,
    depth: usize,
}

impl<'t> Run<'t> {
    fn part(&self, from: usize, to: usize) -> Run<'t> {
        Run {
            text: &self.text[from..to],
            offset: self.offset + from,
            depth: self.depth,
        }
    }

    fn trim(&self) -> Run<'t> {
        let blanks = self.text.len() - self.text.trim_start().len();
        let trimmed = self.text.trim();
        self.part(blanks, blanks + trimmed.len())
    }
}

impl Builder {
    /// Texts side by side, made into one.
    pub(super) fn texts(&mut self, pair: Pair<'_, Rule>) -> Text {
        let span = self.span(&pair);
        let mut pieces = Vec::new();
        for literal in Cursor::into(pair).all(Rule::text) {
            for piece in self.literal(literal) {
                push_piece(&mut pieces, piece);
            }
        }
        Text { pieces, span }
    }

    pub(super) fn accept_texts(&mut self, cursor: &mut Cursor<'_>) -> Option<Text> {
        self.maybe(cursor, Rule::texts, Self::texts)
    }

    /// What something is called, which is the same in all games: it has no slots.
    pub(super) fn title(&mut self, pair: Pair<'_, Rule>) -> Text {
        let text = self.texts(pair);
        if has_slots(&text) {
            self.report(mistakes::slot_in_title(text.span));
        }
        text
    }

    /// A text that what somebody wrote is compared with: it has no slots.
    pub(super) fn written(&mut self, pair: Pair<'_, Rule>) -> String {
        let text = self.texts(pair);
        let plain = text.plain();
        if has_slots(&text) {
            self.report(mistakes::slot_in_written(text.span));
        } else if cleaned(&plain, LONGEST).is_err() {
            self.report(mistakes::nobody_writes(text.span));
        }
        plain
    }

    /// The words of a text that is a path and has no slots.
    pub(super) fn plain_text(&self, pair: &Pair<'_, Rule>) -> String {
        let text = pair.as_str();
        text[1..text.len() - 1]
            .replace("\\\"", "\"")
            .replace("\\\\", "\\")
    }

    /// The letters between triple quotes.
    pub(super) fn script_text(&self, pair: Pair<'_, Rule>) -> Script {
        let span = self.span(&pair);
        let text = pair.as_str();
        let inner = Span {
            start: span.start + 3,
            end: span.end - 3,
            ..span
        };
        Script {
            text: text[3..text.len() - 3].to_string(),
            span: inner,
        }
    }

    /// A text that is all of a chunk, looked at only for what is wrong with it.
    pub(super) fn literal_alone(&mut self, chunk: Chunk<'_>) {
        if let Some(text) = chunk
            .text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
        {
            self.pieces(Run {
                text,
                offset: chunk.offset + 1,
                depth: 0,
            });
        }
    }

    fn literal(&mut self, pair: Pair<'_, Rule>) -> Vec<TextPiece> {
        let text = pair.as_str();
        let offset = self.offset + pair.as_span().start() + 1;
        self.pieces(Run {
            text: &text[1..text.len() - 1],
            offset,
            depth: 0,
        })
    }

    fn pieces(&mut self, run: Run<'_>) -> Vec<TextPiece> {
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(c) = run.text[at..].chars().next() {
            let rest = &run.text[at..];
            let doubled = run.depth == 0 && (rest.starts_with("{{") || rest.starts_with("}}"));
            let (piece, length) = match c {
                '\\' => self.escape(run.part(at, run.text.len())),
                '{' | '}' if doubled => (Some(TextPiece::Words(c.to_string())), 2),
                '{' => self.slot_at(run.part(at, run.text.len())),
                '}' => {
                    self.report(mistakes::stray_slot_end(self.run_span(run.part(at, at + 1))));
                    (None, 1)
                }
                _ => (Some(TextPiece::Words(c.to_string())), c.len_utf8()),
            };
            if let Some(piece) = piece {
                push_piece(&mut pieces, piece);
            }
            at += length;
        }
        for piece in &mut pieces {
            if let TextPiece::Words(words) = piece {
                *words = crate::token::composed(words);
            }
        }
        pieces
    }

    fn run_span(&self, run: Run<'_>) -> Span {
        Span::new(self.source, run.offset, run.offset + run.text.len())
    }

    /// `\"`, `\\`, `\n`
    fn escape(&mut self, run: Run<'_>) -> (Option<TextPiece>, usize) {
        let escaped = run.text.chars().nth(1).unwrap_or('\\');
        let length = (1 + escaped.len_utf8()).min(run.text.len());
        let words = match escaped {
            '"' | '\\' => escaped.to_string(),
            'n' => "\n".to_string(),
            _ => {
                let sequence = run.part(0, length);
                self.report(mistakes::unknown_escape(self.run_span(sequence), sequence.text));
                return (None, length);
            }
        };
        (Some(TextPiece::Words(words)), length)
    }

    /// `{target}` or `{dying: none | one | many}` at the start of a run, and its length.
    fn slot_at(&mut self, run: Run<'_>) -> (Option<TextPiece>, usize) {
        let Some(close) = closing_brace(run.text) else {
            self.report(mistakes::open_slot(self.run_span(run.part(0, 1))));
            return (None, run.text.len());
        };
        let whole = run.part(0, close + 1);
        let inner = run.part(1, close);
        if run.depth >= WORDING_DEPTH_LIMIT {
            self.report(mistakes::deep_nesting(self.run_span(run.part(0, 1))));
            return (None, close + 1);
        }
        let piece = match inner.text.find(':') {
            Some(colon) => self.choice(
                whole,
                inner.part(0, colon),
                inner.part(colon + 1, inner.text.len()),
            ),
            None if wording_runs(inner).len() > 1 => {
                self.report(mistakes::wordings_of_what(self.run_span(whole)));
                None
            }
            None => match several(inner) {
                Some(titles) => self.slot_expr(whole, titles).map(TextPiece::Several),
                None => self.slot_expr(whole, inner).map(TextPiece::Slot),
            },
        };
        (piece, close + 1)
    }

    fn slot_expr(&mut self, whole: Run<'_>, inner: Run<'_>) -> Option<Expr> {
        if inner.text.trim().is_empty() {
            self.report(mistakes::empty_slot(self.run_span(whole)));
            return None;
        }
        if inner.text.contains("\\\"") {
            self.report(mistakes::quotes_in_slot(self.run_span(whole)));
            return None;
        }
        let chunk = Chunk {
            source: self.source,
            text: inner.text,
            offset: inner.offset,
        };
        match self.whole_expr(chunk) {
            Ok(expr) => Some(expr),
            Err(diagnostic) => {
                self.report(diagnostic);
                None
            }
        }
    }

    fn choice(&mut self, whole: Run<'_>, value: Run<'_>, wordings: Run<'_>) -> Option<TextPiece> {
        let runs = wording_runs(Run {
            depth: wordings.depth + 1,
            ..wordings
        });
        let [none, one, many] = runs.as_slice() else {
            self.report(mistakes::wording_count(self.run_span(whole), runs.len()));
            return None;
        };
        let value = self.slot_expr(whole, value)?;
        let (none, one, many) = (
            self.pieces(none.trim()),
            self.pieces(one.trim()),
            self.pieces(many.trim()),
        );
        Some(TextPiece::Choice {
            value,
            none,
            one,
            many,
        })
    }
}

/// What stands behind `several` in a slot.
fn several(inner: Run<'_>) -> Option<Run<'_>> {
    let inner = inner.trim();
    let behind = inner.text.strip_prefix("several")?;
    let blanks = behind.starts_with(char::is_whitespace);
    blanks.then(|| inner.part(inner.text.len() - behind.len(), inner.text.len()))
}

/// Words beside words are one piece.
fn push_piece(pieces: &mut Vec<TextPiece>, piece: TextPiece) {
    match (pieces.last_mut(), piece) {
        (Some(TextPiece::Words(before)), TextPiece::Words(words)) => before.push_str(&words),
        (_, piece) => pieces.push(piece),
    }
}

/// The wordings between bars, those inside inner slots left alone.
fn wording_runs(run: Run<'_>) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let (mut from, mut depth) = (0, 0usize);
    for (at, c) in run.text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                runs.push(run.part(from, at));
                from = at + 1;
            }
            _ => {}
        }
    }
    runs.push(run.part(from, run.text.len()));
    runs
}

fn has_slots(text: &Text) -> bool {
    text.pieces
        .iter()
        .any(|piece| !matches!(piece, TextPiece::Words(_)))
}
