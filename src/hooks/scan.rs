//! What can be seen of a script without running it: that there is nothing in it, that it calls a function that there
//! is not, that it divides by a plain 0.

use crate::{
    answer::wrong_kind,
    errors::{Failure, no_such_function},
    words::is_known,
};
use omerta_core::rules::Kind;
use omerta_engine::HookFault;
use rhai::{Dynamic, Position};

/// What stands before a bracket and calls nothing, and what Rhai itself takes as a call.
const NO_NAMES: &str = "if else while until loop do for in return throw switch let const fn private try catch true false \
    this Fn call curry type_of is_shared is_def_var is_def_fn";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'s> {
    Word(&'s str),
    Number(&'s str),
    Sign(char),
    Text,
}

/// Why a script can never work, if that can be seen.
pub(super) fn never_works(script: &str, gives: Kind) -> Option<Failure> {
    let tokens = tokens(script);
    if tokens
        .iter()
        .all(|(token, _)| matches!(token, Token::Sign('{' | '}' | ';')))
    {
        let mut wrong = wrong_kind(gives, &Dynamic::UNIT);
        wrong.message.insert_str(0, "it is empty: ");
        return Some(crate::errors::wrong_answer(wrong));
    }
    // What stands in a text between backquotes is not looked into, and may name anything.
    let is_called = |at: usize| {
        matches!(tokens.get(at + 1), Some((Token::Sign('('), _)))
            && !matches!(
                at.checked_sub(1).map(|before| tokens[before].0),
                Some(Token::Word("fn"))
            )
    };
    let is_named = |name: &str| {
        let mut words = tokens.iter().enumerate();
        script.contains('`') || words.any(|(at, (token, _))| *token == Token::Word(name) && !is_called(at))
    };
    tokens
        .iter()
        .enumerate()
        .find_map(|(at, (token, place))| match *token {
            Token::Word(name)
                if is_called(at)
                    && !NO_NAMES.split(' ').any(|word| word == name)
                    && !is_known(name)
                    && !is_named(name) =>
            {
                Some(Failure::new(
                    HookFault::Unreadable,
                    no_such_function(name),
                    *place,
                ))
            }
            Token::Sign('/' | '%') if divides_by_nothing(&tokens[at + 1..]) => Some(Failure::new(
                HookFault::Failed,
                "it divides by 0".to_owned(),
                *place,
            )),
            _ => None,
        })
}

/// Behind the sign of a division: a 0, or `= 0`, and not the beginning of a range.
fn divides_by_nothing(behind: &[(Token<'_>, Position)]) -> bool {
    let behind = match behind {
        [(Token::Sign('='), _), rest @ ..] => rest,
        rest => rest,
    };
    let digits = |number: &str| number.bytes().all(|digit| digit == b'0' || digit == b'_');
    match behind {
        [(Token::Number(_), _), (Token::Sign('.'), _), ..] => false,
        [(Token::Number(number), _), ..] => digits(number),
        _ => false,
    }
}

/// The words and signs of a script, each with its place; remarks are left out.
fn tokens(script: &str) -> Vec<(Token<'_>, Position)> {
    let mut tokens = Vec::new();
    let (mut rest, mut line, mut column) = (script, 1, 1);
    while let Some(first) = rest.chars().next() {
        let place = Position::new(line, column);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (length, token) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (remark(rest), None)
        } else if let Some(raw) = rest.strip_prefix("#\"") {
            let end = raw.find("\"#").map_or(rest.len(), |end| end + 4);
            (end, Some(Token::Text))
        } else if matches!(first, '"' | '`' | '\'') {
            (text(rest, first), Some(Token::Text))
        } else if is_part(first) {
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            let token = if first.is_numeric() {
                Token::Number(word)
            } else {
                Token::Word(word)
            };
            (length, Some(token))
        } else {
            let token = (!first.is_whitespace()).then_some(Token::Sign(first));
            (first.len_utf8(), token)
        };
        tokens.extend(token.map(|token| (token, place)));
        for passed in rest[..length].chars() {
            (line, column) = if passed == '\n' {
                (line.saturating_add(1), 1)
            } else {
                (line, column.saturating_add(1))
            };
        }
        rest = &rest[length..];
    }
    tokens
}

/// How long a text is, with its quotes.
fn text(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// How long a remark is that may hold others.
fn remark(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let (step, deeper) = match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (2, 1),
            [b'*', b'/', ..] => (2, -1),
            _ => (1, 0),
        };
        depth += deeper;
        at += step;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}
