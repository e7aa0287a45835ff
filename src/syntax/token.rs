//! Cuts a text into words, signs, texts and comments, and notes what is broken about them.
//!
//! The splitter, the error messages and the formatter look at a text through this; what a sentence
//! of the language is, only the grammar knows.

use std::collections::BTreeSet;

// The letters of the grammar, so that both cut a text into the same words.
use pest::unicode::{LETTER, MARK, NUMBER};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// `Healer`, `role`, `` `from` ``, `std.vote`
    Word,
    /// `12`
    Number,
    /// `"words"`
    Text,
    /// `"""a script"""`
    Script,
    /// `// a remark`
    Comment,
    /// The end of a line.
    Newline,
    /// `{`
    Open,
    /// `}`
    Close,
    /// `(`
    ParenOpen,
    /// `)`
    ParenClose,
    /// Any other sign; `..` is one.
    Sign,
}

/// Words that a value follows, beside those that join values.
const BEFORE_VALUES: [&str; 6] = ["add", "exactly", "least", "most", "subtract", "than"];

/// A run of bytes that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// How far the first token of its line is indented, in bytes.
    pub indent: usize,
    /// Whether it is the first token of its line.
    pub leads: bool,
}

impl Token {
    /// The letters of the token.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    /// Whether a statement or a declaration of one line ends before it.
    pub fn ends_line(&self, text: &str) -> bool {
        matches!(
            self.kind,
            TokenKind::Newline | TokenKind::Comment | TokenKind::Close
        ) || self.text(text) == ";"
    }

    /// Whether the token is neither a line end nor a comment.
    pub fn is_solid(&self) -> bool {
        !matches!(self.kind, TokenKind::Newline | TokenKind::Comment)
    }
}

/// Something that is broken before any grammar looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FlawKind {
    /// `"words` and no quote before the line ends.
    OpenText,
    /// `"""` and nothing that closes it.
    OpenScript,
    /// `“words”`
    CurlyQuotes,
    /// `"the {role of "x"}"`
    QuotesInSlot,
    /// `# a remark`
    HashComment,
    /// A text beyond the bound.
    LongText,
}

/// A broken place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flaw {
    /// What is broken.
    pub kind: FlawKind,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// How many bytes a text may have.
pub(super) const TEXT_LIMIT: usize = 4_000;

/// The tokens of a text with what is broken about them.
pub(super) struct Scan {
    /// All tokens in order.
    pub tokens: Vec<Token>,
    /// All broken places in order.
    pub flaws: Vec<Flaw>,
}

/// Cuts a text into tokens.
pub(super) fn scan(text: &str) -> Scan {
    let mut scanner = Scanner {
        text,
        at: 0,
        line_start: 0,
        line_end: 0,
        indent: None,
        tokens: Vec::new(),
        flaws: Vec::new(),
    };
    while let Some(c) = scanner.peek() {
        scanner.take_token(c);
    }
    Scan {
        tokens: scanner.tokens,
        flaws: scanner.flaws,
    }
}

impl Scan {
    /// The text with every broken text and comment overwritten by something harmless of the same
    /// length, so that what follows can still be read.
    pub fn patch(&self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for flaw in &self.flaws {
            let fill = match flaw.kind {
                FlawKind::LongText | FlawKind::OpenScript => continue,
                FlawKind::HashComment => b' ',
                FlawKind::OpenText | FlawKind::CurlyQuotes | FlawKind::QuotesInSlot => b'-',
            };
            let broken = &mut bytes[flaw.start..flaw.end];
            broken.fill(fill);
            if fill == b'-' && broken.len() > 1 {
                broken[0] = b'"';
                broken[flaw.end - flaw.start - 1] = b'"';
            }
        }
        String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
    }

    /// The lines, counted from 0, on which something is broken.
    pub fn flawed_lines(&self, lines: &[usize]) -> BTreeSet<usize> {
        self.flaws.iter().map(|flaw| line_of(lines, flaw.start)).collect()
    }
}

/// The first byte of every line.
pub(super) fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect()
}

/// The line a byte stands on, counted from 0.
pub(super) fn line_of(lines: &[usize], at: usize) -> usize {
    lines.partition_point(|start| *start <= at) - 1
}

/// Whether a letter may begin a name.
pub(super) fn starts_name(c: char) -> bool {
    LETTER(c) || c == '_'
}

fn continues_name(c: char) -> bool {
    LETTER(c) || MARK(c) || NUMBER(c) || c == '_'
}

fn opens_curly(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '«' | '»')
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line_start: usize,
    /// The end of the last line that was asked for, so that no line is searched twice.
    line_end: usize,
    indent: Option<usize>,
    tokens: Vec<Token>,
    flaws: Vec<Flaw>,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_token(&mut self, c: char) {
        match c {
            '\n' => self.take_newline(),
            '"' => self.take_quoted(),
            '{' => self.push(TokenKind::Open, 1),
            '}' => self.push(TokenKind::Close, 1),
            '(' => self.push(TokenKind::ParenOpen, 1),
            ')' => self.push(TokenKind::ParenClose, 1),
            '#' => self.take_hash(),
            '/' if self.rest().starts_with("//") => {
                let length = self.line_length();
                self.push(TokenKind::Comment, length);
            }
            '.' if self.rest().starts_with("..") => self.push(TokenKind::Sign, 2),
            '`' => self.take_backticks(),
            _ if opens_curly(c) => self.take_curly(c),
            _ if starts_name(c) => self.push(TokenKind::Word, self.word_length()),
            _ if NUMBER(c) => self.push(TokenKind::Number, self.word_length()),
            _ if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
            '-' if self.is_below_zero() => {
                self.at += 1;
                let length = self.word_length();
                self.at -= 1;
                self.push(TokenKind::Number, 1 + length);
            }
            _ => self.push(TokenKind::Sign, c.len_utf8()),
        }
    }

    /// Whether the sign here belongs to the number behind it: `= -9`, `add -1`; behind a value it takes away.
    fn is_below_zero(&self) -> bool {
        let wants_value = self.tokens.last().is_some_and(|before| {
            let text = before.text(self.text);
            match before.kind {
                TokenKind::Sign | TokenKind::ParenOpen => true,
                TokenKind::Word => crate::words::joins(text) || BEFORE_VALUES.contains(&text),
                _ => false,
            }
        });
        wants_value && self.rest()[1..].starts_with(NUMBER)
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let leads = self.indent.is_none();
        let indent = *self.indent.get_or_insert(self.at - self.line_start);
        self.tokens.push(Token {
            kind,
            start: self.at,
            end: self.at + length,
            indent,
            leads,
        });
        self.at += length;
    }

    fn take_newline(&mut self) {
        let indent = self.indent.unwrap_or(0);
        self.tokens.push(Token {
            kind: TokenKind::Newline,
            start: self.at,
            end: self.at + 1,
            indent,
            leads: false,
        });
        self.at += 1;
        self.line_start = self.at;
        self.indent = None;
    }

    fn flaw(&mut self, kind: FlawKind, length: usize) {
        self.flaws.push(Flaw {
            kind,
            start: self.at,
            end: self.at + length,
        });
    }

    /// The bytes up to the line end, blanks at the end left out.
    fn line_length(&mut self) -> usize {
        if self.line_end <= self.at {
            let line = self.rest().lines().next().unwrap_or("").trim_end();
            self.line_end = self.at + line.len();
        }
        self.line_end - self.at
    }

    /// The bytes of a word, a `-` or `.` between letters included.
    fn word_length(&self) -> usize {
        let mut chars = self.rest().char_indices().peekable();
        let mut length = 0;
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let joins = c == '-' && next.is_some_and(|c| LETTER(c) || NUMBER(c))
                || c == '.' && next.is_some_and(starts_name);
            if !continues_name(c) && !joins {
                break;
            }
            length = at + c.len_utf8();
        }
        length
    }

    fn take_backticks(&mut self) {
        let line = self.line_length().max(1);
        let length = self.rest()[1..line].find('`').map(|at| at + 2);
        match length {
            Some(length) => self.push(TokenKind::Word, length),
            None => self.push(TokenKind::Sign, 1),
        }
    }

    fn take_hash(&mut self) {
        let length = self.line_length();
        self.flaw(FlawKind::HashComment, length);
        self.push(TokenKind::Comment, length);
    }

    fn take_curly(&mut self, opening: char) {
        let from = opening.len_utf8();
        let length = self.line_length();
        let line = &self.rest()[..length];
        let closing = line[from..]
            .char_indices()
            .find(|(_, c)| opens_curly(*c) || *c == '"');
        let length = closing.map_or(line.len(), |(at, c)| from + at + c.len_utf8());
        self.flaw(FlawKind::CurlyQuotes, length);
        self.push(TokenKind::Text, length);
    }

    fn take_quoted(&mut self) {
        if self.rest().starts_with("\"\"\"") {
            self.take_script();
        } else {
            self.take_text();
        }
    }

    fn take_text(&mut self) {
        let mut escaped = false;
        let closing = self.rest()[1..]
            .bytes()
            .take_while(|b| *b != b'\n')
            .position(|b| {
                let closes = b == b'"' && !escaped;
                escaped = b == b'\\' && !escaped;
                closes
            });
        let length = closing.map_or_else(|| self.open_text_length(), |at| at + 2);
        if let Some(length) = closing.and_then(|_| self.with_quotes_in_slot(length)) {
            self.flaw(FlawKind::QuotesInSlot, length);
            return self.push(TokenKind::Text, length);
        }
        match closing {
            None => self.flaw(FlawKind::OpenText, length),
            Some(inner) if inner > TEXT_LIMIT => self.flaw(FlawKind::LongText, length),
            Some(_) => {}
        }
        self.push(TokenKind::Text, length);
    }

    /// The length of the whole text, where a quote between the braces of a slot has ended it before.
    fn with_quotes_in_slot(&mut self, length: usize) -> Option<usize> {
        let line = self.line_length();
        let (text, behind) = self.rest()[..line].split_at_checked(length)?;
        let open = |text: &str| text.matches('{').count() > text.matches('}').count();
        let opens_again = text[..length - 1].ends_with([' ', ':', '|', '{', '('])
            && behind.starts_with(|letter: char| letter.is_alphanumeric());
        if !opens_again || !open(&text.replace("{{", "")) {
            return None;
        }
        let closed = |(at, _): &(usize, char)| !open(&self.rest()[..length + at + 1]);
        let (brace, _) = behind
            .char_indices()
            .filter(|(_, sign)| *sign == '}')
            .find(closed)?;
        let quote = behind[brace..].find('"')?;
        Some(length + brace + quote + 1)
    }

    /// An open text ends with its line, but closing braces at the end that close no slot of it are
    /// not its own.
    fn open_text_length(&mut self) -> usize {
        let length = self.line_length();
        let mut text = &self.rest()[..length];
        let mut surplus = text
            .matches('}')
            .count()
            .saturating_sub(text.matches('{').count());
        while surplus > 0 && text.ends_with('}') {
            text = text[..text.len() - 1].trim_end();
            surplus -= 1;
        }
        text.len().max(1)
    }

    fn take_script(&mut self) {
        match self.rest()[3..].find("\"\"\"") {
            Some(at) => self.take_lines(at + 6),
            None => {
                let length = self.rest().trim_end().len();
                self.flaw(FlawKind::OpenScript, length);
                self.take_lines(length);
            }
        }
    }

    fn take_lines(&mut self, length: usize) {
        let start = self.at;
        self.push(TokenKind::Script, length);
        if let Some(last) = self.text[start..self.at].rfind('\n') {
            self.line_start = start + last + 1;
        }
    }
}

/// Where the brace is closed with which the text begins.
pub(super) fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The lines of a part that some bytes are in, each with where it begins.
pub(super) fn lines_around<'t>(
    part: &'t str,
    offset: usize,
    around: &std::ops::Range<usize>,
) -> impl Iterator<Item = (usize, &'t str)> {
    let mut at = offset;
    let all = part.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    });
    let around = around.clone();
    all.filter(move |(at, line)| *at <= around.end && around.start <= at + line.len())
}

/// A text with each letter and its marks as one sign, as names are: what looks alike is the same.
pub fn composed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfc().collect()
}
