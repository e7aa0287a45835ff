//! What Rhai says of a script, in our words, and at its place in the `.mafia` file.

use crate::{
    answer::{WrongAnswer, sort},
    mistake::Mistake,
    sandbox::{LONGEST_SCRIPT, MOST_STEPS},
    words::{all_words, is_known},
};
use omerta_core::mistakes;
use omerta_core::{
    diagnostic::{Diagnostic, close_name},
    rules::{Hook, HookId, Ruleset},
    source::Span,
};
use omerta_engine::{FaultKind, HookFault};
use rhai::{Dynamic, EvalAltResult, LexError, ParseError, ParseErrorType, Position};

/// What went wrong with a script.
pub(super) struct Failure {
    cause: HookFault,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    /// Whether it goes wrong so at any table.
    pub(super) always: bool,
}

impl Failure {
    pub(super) fn new(cause: HookFault, message: String, place: Position) -> Self {
        let (line, column) = (place.line(), place.position());
        let number = |n: Option<usize>| n.and_then(|n| u32::try_from(n).ok());
        Failure {
            cause,
            message,
            line: number(line),
            column: number(column),
            always: false,
        }
    }

    fn always(self, always: bool) -> Self {
        Failure { always, ..self }
    }

    /// The fault of a hook.
    pub(super) fn of(self, hook: HookId) -> FaultKind {
        let Failure {
            cause,
            message,
            line,
            column,
            ..
        } = self;
        FaultKind::Hook {
            hook,
            cause,
            message,
            line,
            column,
        }
    }
}

// ---- A script that cannot be read

pub(super) fn unusable_param(name: &str) -> Failure {
    let message = format!("`{name}` cannot be a name in a script: call the argument by Latin letters");
    Failure::new(HookFault::Unreadable, message, Position::NONE)
}

pub(super) fn too_long() -> Failure {
    let message = format!("it is longer than {LONGEST_SCRIPT} bytes");
    Failure::new(HookFault::Stopped, message, Position::NONE)
}

pub(super) fn unreadable(error: &ParseError, param: Option<&str>) -> Failure {
    let cause = match *error.0 {
        ParseErrorType::ExprTooDeep
        | ParseErrorType::TooManyFunctions
        | ParseErrorType::LiteralTooLarge(..) => HookFault::Stopped,
        _ => HookFault::Unreadable,
    };
    Failure::new(cause, parse_words(&error.0, param), error.1)
}

fn parse_words(error: &ParseErrorType, param: Option<&str>) -> String {
    match error {
        ParseErrorType::VariableUndefined(name) => unknown_variable(name, param),
        ParseErrorType::Reserved(word) => format!("`{word}` cannot be used in a script"),
        ParseErrorType::BadInput(LexError::ImproperSymbol(word, _))
            if word.starts_with(char::is_alphabetic) =>
        {
            format!("`{word}` cannot be used in a script")
        }
        ParseErrorType::UnexpectedEOF => "the script ends too early".to_owned(),
        ParseErrorType::MissingToken(token, _) => format!("a `{token}` is missing"),
        ParseErrorType::ExprTooDeep => "brackets or blocks stand inside one another too deeply".to_owned(),
        ParseErrorType::TooManyFunctions => "there are too many functions".to_owned(),
        ParseErrorType::PropertyExpected => {
            "a name is missing after the `.`; numbers are whole and have no fractions".to_owned()
        }
        other => lower_case(&other.to_string()),
    }
}

fn unknown_variable(name: &str, param: Option<&str>) -> String {
    let meant = close_name(name, param).map(|meant| format!("; did you mean `{meant}`?"));
    format!("no variable is called `{name}`{}", meant.unwrap_or_default())
}

// ---- A script that goes wrong

pub(super) fn wrong_answer(wrong: WrongAnswer) -> Failure {
    Failure::new(HookFault::WrongKind, wrong.message, Position::NONE).always(wrong.always)
}

/// What Rhai reports of a run.
pub(super) fn runtime(error: &EvalAltResult) -> Failure {
    let (inner, place) = innermost(error);
    if let Some(message) = stop_words(inner) {
        return Failure::new(HookFault::Stopped, message, place).always(true);
    }
    let (message, always) = match inner {
        EvalAltResult::ErrorRuntime(thrown, _) => thrown_words(thrown),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => no_function(signature),
        EvalAltResult::ErrorVariableNotFound(name, _) => (unknown_variable(name, None), true),
        other => (run_words(other), false),
    };
    Failure::new(HookFault::Failed, message, place).always(always)
}

/// The error itself, out of the calls it happened in, and the innermost place that is known.
fn innermost(error: &EvalAltResult) -> (&EvalAltResult, Position) {
    let (mut error, mut place) = (error, error.position());
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = error {
        error = inner;
        place = error.position().or_else(place);
    }
    (error, place)
}

/// What reached a limit.
fn stop_words(error: &EvalAltResult) -> Option<String> {
    let message = match error {
        EvalAltResult::ErrorTerminated(..) => format!("it had not finished after {MOST_STEPS} steps"),
        EvalAltResult::ErrorStackOverflow(_) => "functions call one another too deeply".to_owned(),
        EvalAltResult::ErrorTooManyVariables(_) => "there are too many variables at one time".to_owned(),
        EvalAltResult::ErrorDataTooLarge(what, _) => format!("{} grew too large", grown(what)),
        EvalAltResult::ErrorTooManyModules(_) => "it was stopped".to_owned(),
        _ => return None,
    };
    Some(message)
}

/// What grew too large, in the words of authors.
fn grown(what: &str) -> &'static str {
    match what {
        what if what.contains("rray") => "a list",
        what if what.contains("tring") => "a text",
        _ => "a value",
    }
}

fn thrown_words(thrown: &Dynamic) -> (String, bool) {
    match thrown.read_lock::<Mistake>() {
        Some(mistake) => (mistake.message.clone(), mistake.always),
        None if thrown.is_unit() => ("it gave up".to_owned(), false),
        None => (format!("it gave up with `{}`", shown(thrown)), false),
    }
}

/// A thrown value, in one line of bounded length.
fn shown(thrown: &Dynamic) -> String {
    thrown
        .to_string()
        .chars()
        .take(200)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// `pushh (array, i64)`: a word there is not, or not for such things. Only where another word is
/// close is it surely a mistake in the name.
fn no_function(signature: &str) -> (String, bool) {
    let (name, rest) = signature.split_once(" (").unwrap_or((signature, ")"));
    let list = rest.trim_end_matches(')');
    let things: Vec<&str> = list
        .split(", ")
        .filter(|thing| !thing.is_empty())
        .map(type_words)
        .collect();
    let things = if things.is_empty() {
        "nothing".to_owned()
    } else {
        things.join(" and ")
    };
    if is_known(name) || !name.starts_with(|c: char| c.is_alphabetic()) {
        return (format!("`{name}` cannot be used with {things}"), false);
    }
    match close_name(name, all_words()) {
        Some(_) => (no_such_function(name), true),
        None => (
            format!("no function is called `{name}` and takes {things}"),
            false,
        ),
    }
}

/// A function that there is not, and the one that was perhaps meant.
pub(super) fn no_such_function(name: &str) -> String {
    let meant = close_name(name, all_words()).map(|meant| format!("; did you mean `{meant}`?"));
    format!("no function is called `{name}`{}", meant.unwrap_or_default())
}

fn type_words(type_name: &str) -> &str {
    if type_name.starts_with("&str") {
        "a text"
    } else {
        sort(type_name)
    }
}

fn run_words(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorArrayBounds(0, index, _) => {
            format!("there is no member {index} in an empty array")
        }
        EvalAltResult::ErrorArrayBounds(size, index, _) => {
            format!("there is no member {index} in an array of {size}; members count from 0")
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => format!("nothing is called `{name}` here"),
        EvalAltResult::ErrorMismatchDataType(wanted, given, _) => {
            format!(
                "{} is needed here, and this is {}",
                type_words(wanted),
                type_words(given)
            )
        }
        EvalAltResult::ErrorDotExpr(text, _) if let Some((name, of)) = property(text) => {
            format!("{of} has no `{name}`")
        }
        EvalAltResult::ErrorFor(_) => "`for` goes through arrays and ranges only".to_owned(),
        other => {
            let whole = other.to_string();
            let place = format!(" ({})", other.position());
            lower_case(whole.strip_suffix(&place).unwrap_or(&whole))
        }
    }
}

/// The property that a value of some sort does not have, out of Rhai's `… 'size' … for type 'i64'`.
fn property(told: &str) -> Option<(&str, &str)> {
    let mut quoted = told.split('\'').skip(1).step_by(2);
    Some((quoted.next()?, type_words(quoted.next()?)))
}

fn lower_case(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

// ---- In the `.mafia` file

/// A fault of a hook as a mistake in the rules, at the script's own line; nothing for other faults.
pub fn diagnose(rules: &Ruleset, fault: &FaultKind) -> Option<Diagnostic> {
    let FaultKind::Hook {
        hook,
        cause,
        message,
        line,
        column,
    } = fault
    else {
        return None;
    };
    let hook = rules.hooks.get(hook.index())?;
    let span = line.map_or_else(
        || whole_line(hook, *cause),
        |line| token(hook, line, column.unwrap_or(1)),
    );
    let name = &hook.name;
    Some(match cause {
        HookFault::Unreadable => cannot_be_read(name, message, span),
        HookFault::Absent | HookFault::Failed => failed(name, message, span),
        HookFault::WrongKind => gave_the_wrong_thing(name, message, span),
        HookFault::Stopped => was_stopped(name, message, span),
    })
}

mistakes! {
    fn cannot_be_read(name: &str, message: &str, span: Span) = error("M0801", span):
        format!("the script of `{name}` cannot be read: {message}"), "here";

    fn failed(name: &str, message: &str, span: Span) = error("M0802", span):
        format!("the script of `{name}` failed: {message}"), "here";

    fn gave_the_wrong_thing(name: &str, message: &str, span: Span) = error("M0803", span):
        format!("the script of `{name}` gave the wrong thing: {message}"), "the value of the script",
        help "what a hook gives stands after `gives`";

    fn was_stopped(name: &str, message: &str, span: Span) = error("M0804", span):
        format!("the script of `{name}` was stopped: {message}"), "here",
        help "scripts answer at once: look for a loop without an end, or do less";
}

/// The word or sign at a line and a column of a script.
fn token(hook: &Hook, line: u32, column: u32) -> Span {
    let script = &hook.script;
    let skipped: usize = script
        .split_inclusive('\n')
        .take(line as usize - 1)
        .map(str::len)
        .sum();
    let rest = &script[skipped..];
    let before = rest
        .char_indices()
        .nth(column.saturating_sub(1) as usize)
        .map_or(rest.len(), |(at, _)| at);
    let rest = &rest[before..];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let sign = rest.chars().next().map_or(0, char::len_utf8);
    let start = hook.origin.start as usize + skipped + before;
    Span::new(hook.origin.source, start, start + word.max(sign))
}

/// The line of a script to show where none is known: the last for a value, else the first.
fn whole_line(hook: &Hook, cause: HookFault) -> Span {
    let mut at = hook.origin.start as usize;
    let mut lines = Vec::new();
    for line in hook.script.split_inclusive('\n') {
        if !line.trim().is_empty() {
            let start = at + line.len() - line.trim_start().len();
            lines.push(Span::new(hook.origin.source, start, start + line.trim().len()));
        }
        at += line.len();
    }
    let line = if cause == HookFault::WrongKind {
        lines.last()
    } else {
        lines.first()
    };
    line.copied().unwrap_or(hook.origin)
}
