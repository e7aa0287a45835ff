//! From text to trees and back: the grammar, the formatter, "is this input unfinished?".
//!
//! Looks no name up and hands out no type of the parser generator.

pub mod names;
pub mod play_names;
pub mod play_tree;
pub mod tree;
pub mod walk;
pub mod words;

mod blame;
pub mod elsewhere;
mod expected;
mod format;
mod grammar;
mod mistakes;
pub mod moved;
mod parse;
pub mod place;
mod play_parse;
mod recover;
mod rewrite;
pub mod senses;
pub mod settled;
mod split;
mod token;

pub use format::{format, format_play};

use crate::{
    rewrite::Lines,
    token::{FlawKind, TokenKind},
};
use omerta_core::{diagnostic::Diagnostic, source::SourceId};

pub use parse::{Known, parse_expr};
pub use play_parse::{parse_play, parse_scenarios};
pub use rewrite::missing_in;
pub use token::composed;

/// Reads a file: the declarations that have the right shape, and everything that is wrong with
/// the others, in the order of their places.
pub fn parse_file(source: SourceId, text: &str) -> (tree::File, Vec<Diagnostic>) {
    parse_version(source, text, &Known::default())
}

/// The same of another version of a text that is known: what stands in it unchanged is not read anew.
pub fn parse_version(source: SourceId, text: &str, known: &Known<'_>) -> (tree::File, Vec<Diagnostic>) {
    if let Some(problem) = mistakes::unreadable(source, text) {
        return (tree::File::default(), vec![problem]);
    }
    let parsed = parse::parse(source, text, known);
    (parsed.file, parsed.diagnostics)
}

/// What is meant by a line in which words of plain English stand for what this language says otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meant {
    /// Where the line is, up to its opening brace.
    pub line: std::ops::Range<usize>,
    /// The line as it should be.
    pub written: String,
    /// The same as what stands there instead, where nothing is left to the author.
    pub in_its_place: Option<String>,
    /// The names of the line that are gone.
    pub gone: Vec<String>,
    /// Those that are left.
    pub left: Vec<String>,
}

/// What is meant by the line around a place, `spelt` being what names should be that are not there.
pub fn meant(text: &str, at: usize, spelt: impl Fn(&str) -> Option<String>) -> Option<Meant> {
    let (line, written) = rewrite::meant(text, at)?;
    let names = |text: &str| -> Vec<String> {
        let tokens = token::scan(text).tokens;
        let names = tokens.iter().filter(|token| token.kind == TokenKind::Word);
        let names = names.map(|token| token.text(text).to_owned());
        let names = names.filter(|name| words::find(name).is_none());
        names.filter(|name| !words::is_of_a_grammar(name)).collect()
    };
    let mut gone = names(&text[line.clone()]);
    gone.retain({
        let left = names(&written);
        move |name| !left.contains(name)
    });
    let written = rewrite::respelt(&written, spelt);
    let left = names(&written);
    let in_its_place = rewrite::in_its_place(&written, &text[line.clone()]);
    Some(Meant {
        line,
        written,
        in_its_place,
        gone,
        left,
    })
}

/// What is meant by a line of a scenario that can be read, with words in it that nothing has; and what can be written in
/// its place, where that is all of it.
pub fn meant_in_play(line: &str) -> Option<(String, Option<String>)> {
    let anew = |line: &str| {
        let written = rewrite::rewritten(Lines::Told, line, &rewrite::is_said_once);
        written.filter(|written| written != line)
    };
    let once = anew(line)?;
    // `expect the wolves won` loses its article first.
    let again = (once.len() < line.len()).then(|| anew(&once)).flatten();
    let written = again.unwrap_or(once);
    let in_its_place = rewrite::in_its_place(&written, line);
    Some((written, in_its_place))
}

/// A line with other names, where `spelt` knows how they are written.
pub fn respelt(line: &str, spelt: impl Fn(&str) -> Option<String>) -> String {
    rewrite::respelt(line, spelt)
}

/// Whether two texts are the same words and signs, however they are laid out and remarked on.
pub fn same_words(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let tokens = token::scan(text).tokens;
        let solid = tokens.iter().filter(|token| token.is_solid());
        let words = solid.map(|token| token.text(text).to_owned());
        words.filter(|word| word != ";").collect()
    };
    words(a) == words(b)
}

/// Whether some letters are one name and nothing else.
pub fn is_name(text: &str) -> bool {
    let tokens = token::scan(text).tokens;
    matches!(tokens[..], [one] if one.kind == TokenKind::Word && one.start == 0 && one.end == text.len())
        && !text.contains(['`', '.'])
}

/// What a declaration begins with, be it such that it can be read or not.
pub struct Head {
    /// The word.
    pub word: &'static str,
    /// The name behind it.
    pub name: std::ops::Range<usize>,
    /// All of the declaration.
    pub whole: std::ops::Range<usize>,
}

/// The declarations of a text that have a name right behind their word, those in overlays too.
pub fn heads(text: &str) -> Vec<Head> {
    let tokens = token::scan(text).tokens;
    let braces = split::match_braces(&tokens);
    let splitter = split::Splitter {
        text,
        tokens: &tokens,
        braces: &braces,
    };
    let mut found = Vec::new();
    let whole = 0..tokens.len();
    let mut open = vec![whole];
    while let Some(range) = open.pop() {
        for range in splitter.declarations(range) {
            let first = splitter.first_word(&range);
            if matches!(first, "overlay" | "on") {
                let brace = range.clone().find(|index| tokens[*index].kind == TokenKind::Open);
                open.extend(brace.map(|brace| brace + 1..braces.closing(brace).unwrap_or(range.end)));
                continue;
            }
            let word = words::WORDS.iter().find(|word| word.name == first && word.names);
            let [first, name, ..] = &tokens[range.clone()] else {
                continue;
            };
            let name = Some(name).filter(|name| name.kind == TokenKind::Word);
            found.extend(word.zip(name).map(|(word, name)| Head {
                word: word.name,
                name: name.start..name.end,
                whole: first.start..tokens[range.end - 1].end,
            }));
        }
    }
    found
}

/// What a run of letters is, for whoever colours a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The word that begins a declaration or a statement.
    Keyword,
    /// Any other word.
    Word,
    /// A number.
    Number,
    /// Words in quotes, or a script.
    Text,
    /// A remark.
    Comment,
    /// A sign.
    Sign,
}

/// A text cut into runs, each with what it is; spaces and line ends are between them.
pub fn runs(text: &str) -> Vec<(std::ops::Range<usize>, Sort)> {
    let sort = |token: &token::Token| match token.kind {
        TokenKind::Word if is_keyword(token, text) => Some(Sort::Keyword),
        TokenKind::Word => Some(Sort::Word),
        TokenKind::Number => Some(Sort::Number),
        TokenKind::Text | TokenKind::Script => Some(Sort::Text),
        TokenKind::Comment => Some(Sort::Comment),
        TokenKind::Newline => None,
        _ => Some(Sort::Sign),
    };
    let tokens = token::scan(text).tokens;
    let run = |token: &token::Token| Some((token.start..token.end, sort(token)?));
    tokens.iter().filter_map(run).collect()
}

/// Whether a word joins parts of a sentence, or begins one where it stands.
fn is_keyword(token: &token::Token, text: &str) -> bool {
    let word = token.text(text);
    let begins = words::begins_declaration(word) || words::begins_statement(word);
    token.leads && begins || words::joins(word)
}

/// Whether more lines must follow before the text can mean anything: a brace, a bracket, a quote
/// or a script is still open.
pub fn is_unfinished(text: &str) -> bool {
    let scan = token::scan(text);
    let last_line = text.rfind('\n').map_or(0, |at| at + 1);
    let breaks_off = |flaw: &token::Flaw| match flaw.kind {
        FlawKind::OpenScript => true,
        FlawKind::OpenText => flaw.start >= last_line,
        _ => false,
    };
    let count = |kind| scan.tokens.iter().filter(|token| token.kind == kind).count();
    scan.flaws.iter().any(breaks_off)
        || count(TokenKind::Open) > count(TokenKind::Close)
        || count(TokenKind::ParenOpen) > count(TokenKind::ParenClose)
}
