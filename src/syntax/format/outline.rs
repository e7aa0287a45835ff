//! The shape of a file for its layout: lines of words and blocks, with the author's remarks and
//! blank lines in their places.

use std::collections::BTreeSet;

use crate::token::{Token, TokenKind};

/// Lines in a row, as in a file or between braces.
#[derive(Debug, Default)]
pub(super) struct Lines<'t> {
    /// The lines.
    pub lines: Vec<Line<'t>>,
    /// Remarks after the last line.
    pub closing: Vec<Remark<'t>>,
}

/// A remark on a line of its own.
#[derive(Debug)]
pub(super) struct Remark<'t> {
    /// The remark with its `//`.
    pub text: &'t str,
    /// Whether a blank line stands above it.
    pub blank_above: bool,
}

/// One declaration, statement, part, row or branch.
#[derive(Debug, Default)]
pub(super) struct Line<'t> {
    /// Remarks on lines of their own above it.
    pub remarks: Vec<Remark<'t>>,
    /// Whether a blank line stands above it, below its remarks.
    pub blank_above: bool,
    /// Its words and blocks.
    pub pieces: Vec<Piece<'t>>,
    /// The remark at its end.
    pub remark: Option<&'t str>,
}

/// A piece of a line.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// A word, a sign or a text.
    Word(&'t str),
    /// The line goes on below.
    Break,
    /// A remark after which the line goes on below.
    Remark(&'t str),
    /// `{ … }`
    Block(Block<'t>),
}

/// What stands between braces.
#[derive(Debug)]
pub(super) struct Block<'t> {
    /// The remark after the opening brace.
    pub remark: Option<&'t str>,
    /// What stands in it.
    pub body: Lines<'t>,
    /// Whether the author wrote it on one line.
    pub on_one_line: bool,
}

/// Finds the shape; `beginnings` are the bytes at which lines begin.
pub(super) fn outline<'t>(text: &'t str, tokens: &[Token], beginnings: &BTreeSet<usize>) -> Lines<'t> {
    Outliner {
        text,
        tokens,
        beginnings,
        at: 0,
        behind: None,
        carried: Vec::new(),
    }
    .lines()
}

struct Outliner<'t, 'a> {
    text: &'t str,
    tokens: &'a [Token],
    beginnings: &'a BTreeSet<usize>,
    at: usize,
    /// The remark at the end of a line before a `{` or an `else` that come up to it: it stands behind the `{` then.
    behind: Option<&'t str>,
    /// Remarks on lines of their own before a `{` or an `else`, which go into the block instead.
    carried: Vec<Remark<'t>>,
}

impl<'t> Outliner<'t, '_> {
    fn token(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn kind(&self) -> Option<TokenKind> {
        self.token().map(|token| token.kind)
    }

    fn text_at(&self, index: usize) -> &'t str {
        self.tokens
            .get(index)
            .map_or("", |token| token.text(self.text).trim_end())
    }

    /// Takes the token and gives its letters.
    fn take(&mut self) -> &'t str {
        self.at += 1;
        self.text_at(self.at - 1)
    }

    /// The next token that is neither a line end nor a remark.
    fn next_solid(&self) -> usize {
        let ahead = self.tokens[self.at..].iter().position(Token::is_solid);
        ahead.map_or(self.tokens.len(), |steps| self.at + steps)
    }

    /// How many line ends follow.
    fn take_newlines(&mut self) -> usize {
        let from = self.at;
        while self.kind() == Some(TokenKind::Newline) {
            self.at += 1;
        }
        self.at - from
    }

    /// Everything up to the brace that closes the block, or to the end.
    fn lines(&mut self) -> Lines<'t> {
        let mut found = Lines {
            lines: Vec::new(),
            closing: std::mem::take(&mut self.carried),
        };
        loop {
            let line_ends = self.take_newlines();
            let is_first = found.lines.is_empty() && found.closing.is_empty();
            let blank_above = line_ends > 1 && !is_first;
            match self.kind() {
                None | Some(TokenKind::Close) => return found,
                Some(TokenKind::Comment) => {
                    let text = self.take();
                    found.closing.push(Remark { text, blank_above });
                }
                Some(TokenKind::Sign) if self.text_at(self.at) == ";" => self.at += 1,
                Some(_) => {
                    let remarks = std::mem::take(&mut found.closing);
                    let line = self.line(Line {
                        remarks,
                        blank_above,
                        ..Line::default()
                    });
                    found.lines.push(line);
                }
            }
        }
    }

    fn line(&mut self, mut line: Line<'t>) -> Line<'t> {
        loop {
            match self.kind() {
                None | Some(TokenKind::Close) => return line,
                Some(TokenKind::Newline | TokenKind::Comment) => {
                    if !self.goes_on_below(&mut line) {
                        return line;
                    }
                }
                Some(TokenKind::Open) => {
                    let block = self.block();
                    line.pieces.push(Piece::Block(block));
                }
                Some(TokenKind::Sign) if self.text_at(self.at) == ";" => {
                    self.at += 1;
                    line.remark = self.accept_remark();
                    return line;
                }
                Some(_) => {
                    let word = self.take();
                    line.pieces.push(Piece::Word(word));
                }
            }
        }
    }

    /// A remark on the same line.
    fn accept_remark(&mut self) -> Option<&'t str> {
        (self.kind() == Some(TokenKind::Comment)).then(|| self.take())
    }

    /// At a line end or a remark: finds out whether the line goes on, and keeps the remarks.
    fn goes_on_below(&mut self, line: &mut Line<'t>) -> bool {
        let next = self.next_solid();
        let ends = self.tokens.get(next).is_none_or(|token| {
            token.kind == TokenKind::Close
                || token.text(self.text) == ";"
                || self.beginnings.contains(&token.start)
        });
        if ends {
            line.remark = self.accept_remark();
            return false;
        }
        let mut at_end = self.kind() == Some(TokenKind::Comment);
        let stays = || match self.text_at(next) {
            "{" => self
                .tokens
                .get(next + 1)
                .is_some_and(|token| token.kind == TokenKind::Comment),
            _ => matches!(line.pieces.last(), Some(Piece::Block(block)) if block.on_one_line),
        };
        let joins = self.text_at(next) == "{" || self.text_at(next) == "else" && ends_with_block(line);
        // What is remarked at the end of a line is about that line.
        let joins = joins && !(at_end && stays());
        while self.at < next {
            match self.kind() {
                Some(TokenKind::Comment) => {
                    let text = self.take();
                    let is_first = std::mem::take(&mut at_end);
                    if joins && is_first && self.behind.is_none() {
                        self.behind = Some(text);
                    } else if joins {
                        self.carried.push(Remark {
                            text,
                            blank_above: false,
                        });
                    } else {
                        line.pieces.push(Piece::Remark(text));
                    }
                }
                _ => self.at += 1,
            }
        }
        if !joins {
            line.pieces.push(Piece::Break);
        }
        true
    }

    fn block(&mut self) -> Block<'t> {
        let opening = self.at;
        self.at += 1;
        let carries = !self.carried.is_empty() || self.behind.is_some();
        let own = self.accept_remark();
        let behind = self.behind.take();
        if let (Some(text), Some(_)) = (behind, own) {
            let blank_above = false;
            self.carried.insert(0, Remark { text, blank_above });
        }
        let remark = own.or(behind);
        let body = self.lines();
        let inside = &self.tokens[opening + 1..self.at];
        let on_one_line = inside.iter().all(Token::is_solid) && !carries;
        self.at += 1;
        Block {
            remark,
            body,
            on_one_line,
        }
    }
}

fn ends_with_block(line: &Line<'_>) -> bool {
    matches!(line.pieces.last(), Some(Piece::Block(_)))
}
