//! Cuts the tokens of a file into declarations, so that a mistake in one does not hide the next.
//!
//! Knows braces, lines and first words, and no grammar: what a declaration says is the parser's.

use std::ops::Range;

use crate::{
    token::{Token, TokenKind},
    words,
};

/// How deep brackets may lie in each other; it guards the native stack as well.
pub(super) const DEPTH_LIMIT: usize = 64;

/// Which brace closes which, and what is wrong about them. Indices are those of the tokens.
pub(super) struct Braces {
    /// For every opening brace the brace that closes it.
    closing: Vec<Option<usize>>,
    /// Opening braces that nothing closes, in order.
    pub open: Vec<usize>,
    /// Closing braces that close nothing, in order.
    pub stray: Vec<usize>,
    /// Brackets that lie too deep, in order.
    pub deep: Vec<usize>,
}

impl Braces {
    /// The brace that closes the one at `index`.
    pub fn closing(&self, index: usize) -> Option<usize> {
        self.closing[index]
    }

    /// The first bracket in a run of tokens that lies too deep.
    pub fn deep_in(&self, range: &Range<usize>) -> Option<usize> {
        let first = self.deep.partition_point(|index| *index < range.start);
        self.deep.get(first).copied().filter(|index| *index < range.end)
    }
}

/// Finds out which brace closes which.
///
/// Where braces are missing, indentation says which ones: a closing brace that leads its line
/// closes the block whose line is indented alike.
pub(super) fn match_braces(tokens: &[Token]) -> Braces {
    let count = |kind| tokens.iter().filter(|token| token.kind == kind).count();
    let missing = count(TokenKind::Open).saturating_sub(count(TokenKind::Close));
    let braces = Braces {
        closing: vec![None; tokens.len()],
        open: Vec::new(),
        stray: Vec::new(),
        deep: Vec::new(),
    };
    let mut matcher = Matcher {
        tokens,
        stack: Vec::new(),
        missing,
        braces,
    };
    for index in 0..tokens.len() {
        matcher.take(index);
    }
    matcher.finish()
}

struct Matcher<'t> {
    tokens: &'t [Token],
    stack: Vec<usize>,
    missing: usize,
    braces: Braces,
}

impl Matcher<'_> {
    fn take(&mut self, index: usize) {
        match self.tokens[index].kind {
            TokenKind::Open | TokenKind::ParenOpen => self.open(index),
            TokenKind::ParenClose if self.top_is(TokenKind::ParenOpen) => {
                self.stack.pop();
            }
            TokenKind::Close => self.close(index),
            _ => {}
        }
    }

    fn top_is(&self, kind: TokenKind) -> bool {
        self.stack
            .last()
            .is_some_and(|top| self.tokens[*top].kind == kind)
    }

    fn open(&mut self, index: usize) {
        self.stack.push(index);
        if self.stack.len() > DEPTH_LIMIT {
            self.braces.deep.push(index);
        }
    }

    fn close(&mut self, index: usize) {
        while self.top_is(TokenKind::ParenOpen) {
            self.stack.pop();
        }
        while self.missing > 0 && self.closes_further_out(index) {
            self.missing -= 1;
            self.braces.open.extend(self.stack.pop());
            while self.top_is(TokenKind::ParenOpen) {
                self.stack.pop();
            }
        }
        match self.stack.pop() {
            Some(opening) => self.braces.closing[opening] = Some(index),
            None => self.braces.stray.push(index),
        }
    }

    fn closes_further_out(&self, index: usize) -> bool {
        let close = &self.tokens[index];
        let Some((top, below)) = self.stack.split_last() else {
            return false;
        };
        let is_home = |opening: &usize| {
            let token = &self.tokens[*opening];
            token.kind == TokenKind::Open && token.indent == close.indent
        };
        close.leads
            && self.tokens[*top].indent > close.indent
            && below.iter().rev().take(DEPTH_LIMIT).any(is_home)
    }

    fn finish(mut self) -> Braces {
        let left = self
            .stack
            .iter()
            .copied()
            .filter(|index| self.tokens[*index].kind == TokenKind::Open);
        self.braces.open.extend(left);
        self.braces.open.sort_unstable();
        self.braces
    }
}

/// Looks at the tokens of a text and says where declarations end.
pub(super) struct Splitter<'t> {
    /// The text.
    pub text: &'t str,
    /// Its tokens.
    pub tokens: &'t [Token],
    /// Its braces.
    pub braces: &'t Braces,
}

impl Splitter<'_> {
    /// The declarations in a run of tokens, each as a run of tokens of its own.
    pub fn declarations(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut index = range.start;
        while index < range.end {
            if self.separates(index) {
                index += 1;
                continue;
            }
            let end = self.declaration_end(index, range.end);
            found.push(index..self.trim(index, end));
            index = end;
        }
        found
    }

    /// The first word of a run of tokens.
    pub fn first_word(&self, range: &Range<usize>) -> &str {
        self.tokens[range.clone()]
            .first()
            .map_or("", |token| token.text(self.text))
    }

    fn separates(&self, index: usize) -> bool {
        let token = &self.tokens[index];
        !token.is_solid() || token.kind == TokenKind::Close || token.text(self.text) == ";"
    }

    fn trim(&self, start: usize, end: usize) -> usize {
        let solid = self.tokens[start..end].iter().rposition(Token::is_solid);
        solid.map_or(end, |last| start + last + 1)
    }

    fn declaration_end(&self, start: usize, limit: usize) -> usize {
        let mut index = start;
        let mut parens = 0usize;
        while index < limit {
            let token = &self.tokens[index];
            match token.kind {
                TokenKind::Close => return index,
                TokenKind::Sign if parens == 0 && token.text(self.text) == ";" => return index,
                TokenKind::Open => match self.braces.closing(index) {
                    Some(closing) => index = closing,
                    None => return self.next_declaration(start, index, limit),
                },
                TokenKind::ParenOpen => parens += 1,
                TokenKind::ParenClose => parens = parens.saturating_sub(1),
                TokenKind::Newline => match self.continuation(start, index, limit, parens > 0) {
                    Some(next) => index = next - 1,
                    None => return index,
                },
                _ => {}
            }
            index += 1;
        }
        limit
    }

    /// Where the declaration after a broken one begins: at a line that is indented no further and
    /// begins with a word that begins declarations and no statements.
    fn next_declaration(&self, start: usize, from: usize, limit: usize) -> usize {
        let indent = self.tokens[start].indent;
        let begins = |index: &usize| {
            let token = &self.tokens[*index];
            let word = token.text(self.text);
            token.leads
                && token.indent <= indent
                && words::begins_declaration(word)
                && !words::begins_statement(word)
        };
        (from..limit).find(begins).unwrap_or(limit)
    }

    /// The token after a line end, if the declaration goes on there.
    fn continuation(&self, start: usize, newline: usize, limit: usize, in_parens: bool) -> Option<usize> {
        let next = (newline..limit).find(|index| self.tokens[*index].is_solid())?;
        let last = (start..newline)
            .rev()
            .find(|index| self.tokens[*index].is_solid())?;
        let first_word = self.tokens[start].text(self.text);
        let token = &self.tokens[next];
        let word = token.text(self.text);
        let goes_on = match token.kind {
            TokenKind::Open | TokenKind::Text | TokenKind::Script => true,
            _ if matches!(word, "when" | "during" | "replaces" | "then" | "else") => true,
            _ if matches!(
                word,
                "and" | "or" | "plus" | "without" | "where" | "+" | "-" | "*"
            ) =>
            {
                true
            }
            _ if matches!(word, "needs" | "refuses") => {
                matches!(first_word, "role" | "replace") && token.indent > self.tokens[start].indent
            }
            _ => {
                let begins = words::begins_declaration(word) && token.indent <= self.tokens[start].indent;
                (in_parens || leads_on(self.tokens[last].text(self.text))) && !begins
            }
        };
        goes_on.then_some(next)
    }
}

/// Whether something must follow after this word or sign, be it on the next line.
pub(super) fn leads_on(word: &str) -> bool {
    let words = ["and", "or", "plus", "without", "else", "when"];
    matches!(word, "," | ":" | "=" | "(" | "+" | "-" | "*" | "|") || words.contains(&word)
}
