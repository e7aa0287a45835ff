//! What is wrong with a text that is no scenario: one function a mistake.

use super::{
    grammar::{self, Rule},
    split::{self, DEPTH_LIMIT},
};
use crate::{
    mistakes,
    rewrite::{self, Lines},
    token,
    tree::Name,
    words,
};
use omerta_core::mistakes;
use omerta_core::{
    codes,
    diagnostic::{Diagnostic, close_name},
    source::{SourceId, Span},
};
use pest::error::{Error, ErrorVariant, InputLocation};
use std::ops::Range;

mistakes! {
    /// Lines of a game in a file without a scenario.
    pub(super) fn of_no_scenario(span: Span) = error("M0920", span):
        "no scenario begins in this file, and nothing of it is played", "belongs to none",
        help "write a line `play \"what it shows\"` above it";

    /// Other lines under a name that some have already.
    pub(super) fn common_twice(name: &Name, first: Span) = error("M0204", name.span):
        format!("`{}` is declared twice", name.text), "again here",
        also first, "first here",
        help "give one of them another name: where it is included nobody knows which is meant";

    /// Lines with a name that nothing includes.
    pub(super) fn never_included(name: &Name) = warning "never-included" ("M0945", name.span):
        format!("no scenario includes `{}`", name.text), "its lines are never looked at",
        help "include it in the scenarios for which it is, or take it out";

    /// Brackets too deep in each other.
    pub(super) fn deep_nesting(span: Span) = error("M0002", span):
        format!("this is nested more than {DEPTH_LIMIT} levels deep"), "too deep",
        help "say it in several lines";

    /// A number that fits into no machine word.
    pub(super) fn large_number(span: Span) = error("M0004", span):
        "the number is too large", "too large",
        help "write a smaller number: the largest is 4,294,967,295";

    /// `not said "…" 2 times`, which says two things.
    pub(super) fn times_and_denial(span: Span) = error("M0900", span):
        "a line says how often, or that it is not so, or that there is nothing else", "how often",
        help "write two lines, or take this out: `not` says that it never comes";

    /// `Ann is out, Bob is out`, which says two things.
    pub(super) fn two_conditions(span: Span) = error("M0900", span):
        "a comma stands between players and things, and here it parts two conditions", "two conditions",
        help "write two lines, or join them: `Ann is out and Bob is out`, `Ann, Bob is out`";

    /// `cast Smuggler many, Baker rest`
    fn column_in_cast(span: Span, name: &str) = error("M0900", span):
        format!("`cast` takes no number from the column `{name}`"), "a number in digits belongs here",
        help "write a scenario for each cast, or give the casts names in the rules, and a column their names: `for each case of deck { small; large }`, `cast deck`";

    /// `Ann, Bob does suspect-of Cid`
    fn several_take_up(span: Span) = error("M0900", span):
        "an offer is taken up by one or by a set", "expected `->`",
        help "write a line for each, or name a set: `(Ann plus Bob) does …`";
}

/// Whatever the grammar did not expect.
pub(super) fn unexpected(source: SourceId, offset: usize, text: &str, error: &Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    if let Some((fact, start)) = expectation_at(text, at)
        && let Some(problem) = nobody_learns(source, fact, offset + start)
    {
        let line = line_around(text, at);
        let names_somebody = fact.split_whitespace().nth(1) != Some("containing");
        return match repaired(&text[line.clone()]).filter(|_| names_somebody) {
            Some(written) => as_a_line(problem, &written, (source, offset), line),
            None => problem,
        };
    }
    let found = word_at(text, at);
    // What is missing at the end of a line is told there, and not where the next line begins.
    let place = match found {
        "" | "\n" => text[..at].trim_end().len(),
        _ => at,
    };
    let span = Span::new(source, offset + place, offset + place + found.trim().len());
    if let Some(problem) = brace_or_remark(source, offset, (text, at), found) {
        return problem;
    }
    if let Some(problem) = open_scene(source, offset, (text, at), error) {
        return problem;
    }
    if let Some(problem) = column(source, offset, (text, at), found) {
        return problem;
    }
    if found == "does"
        && text[..at]
            .rsplit(['\n', ';', '{'])
            .next()
            .is_some_and(|who| who.contains(','))
    {
        return several_take_up(span);
    }
    let expected = expected(error);
    let missing = missing_at(text, at, found);
    let message = match (missing, found) {
        (Some(missing), _) => missing.to_owned(),
        (None, "" | "\n") => "the line ends too early".to_string(),
        (None, word) => format!("`{word}` does not fit here"),
    };
    let told = Diagnostic::error("M0900", message, span, format!("expected {expected}"));
    let told = told.help(help_for(error, text, at));
    match written(text, at) {
        Some((place, text)) => {
            told.writes_in(Span::new(source, offset + place.start, offset + place.end), text)
        }
        None => told,
    }
}

/// `Night 2`, and what happens there on the lines below it.
fn open_scene(
    source: SourceId,
    offset: usize,
    (text, at): (&str, usize),
    error: &Error<Rule>,
) -> Option<Diagnostic> {
    let head = text[..at].trim_end();
    let line = line_around(text, head.len());
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return None;
    };
    // What stands further in on the lines below it is for it.
    let between = &text[head.len()..at];
    let is_below = between.contains('\n') && between.ends_with([' ', '\t']) && !text[at..].trim().is_empty();
    let is_scene = text[line.clone()].starts_with(char::is_uppercase);
    let is_open = is_below && is_scene && positives.iter().all(|rule| *rule == Rule::brace_open);
    is_open.then(|| {
        let span = Span::new(source, offset + head.len(), offset + head.len());
        let told = Diagnostic::error(
            codes::MISSING_BLOCK,
            "a block is missing",
            span,
            "a `{` belongs here",
        );
        let written = format!("{} {{", &text[line.clone()]);
        let told = told.help(format!(
            "write `{written}`, and `}}` on a line of its own behind what happens there"
        ));
        told.writes_in(Span::new(source, offset + line.start, offset + line.end), written)
    })
}

/// A column where no line can say it, or none is read.
fn column(source: SourceId, offset: usize, (text, at): (&str, usize), found: &str) -> Option<Diagnostic> {
    // The words behind which a phrase ends have been read where one was wanted.
    let so_far = text[..at].trim_end();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    let last = &so_far[so_far.trim_end_matches(is_word).len()..];
    let (word, start) = match found {
        "" | "\n" => (last, so_far.len() - last.len()),
        word => (word, at),
    };
    if !is_column(text, word) {
        return None;
    }
    let span = Span::new(source, offset + start, offset + start + word.len());
    let is_kept = words::find(word).is_some_and(|word| word.joins) || ends_phrase(word);
    match (is_kept, text[line_around(text, at)].starts_with("cast ")) {
        (true, _) => Some(mistakes::reserved_name(span, word)),
        (false, true) => Some(column_in_cast(span, word)),
        (false, false) => None,
    }
}

/// Whether a word heads a column of cases, or stands for what common lines are handed: no line could say it.
fn is_column(text: &str, word: &str) -> bool {
    let heads = text.lines().map(str::trim_start);
    let heads = heads.filter(|line| line.starts_with("for each case of ") || line.starts_with("common "));
    let names = heads.filter_map(|line| line.split_once(" of ")?.1.split('{').next());
    names
        .flat_map(|names| names.split(','))
        .any(|name| name.trim() == word)
}

/// What is missing beside a comma or an arrow of the line that ends or goes wrong at a place.
fn missing_at(text: &str, at: usize, found: &str) -> Option<&'static str> {
    match found {
        "-" | "," => rewrite::missing_in(&text[line_around(text, at)]),
        // What is wanted may have been looked for on the next line.
        "}" | "" | "\n" => rewrite::missing_in(text[..at].trim_end().rsplit(['\n', ';', '{']).next()?.trim()),
        _ => None,
    }
}

/// Braces that do not fit each other, and remarks of other languages.
fn brace_or_remark(
    source: SourceId,
    offset: usize,
    (text, at): (&str, usize),
    found: &str,
) -> Option<Diagnostic> {
    let span = |from: usize, to: usize| Span::new(source, offset + from, offset + to);
    let place = || span(at, at + found.len());
    match found {
        "#" => Some(mistakes::hash_comment(place())),
        "}" if split::left_open(&text[..at]).is_none() => Some(mistakes::stray_brace(place())),
        _ if text[at..].trim().is_empty() => {
            let open = split::left_open(text)?;
            Some(mistakes::open_brace(span(open, open + 1)))
        }
        _ => None,
    }
}

/// Whether a word is one of scenarios, behind which a phrase ends.
fn ends_phrase(word: &str) -> bool {
    grammar::read(Rule::phrase, word).is_err()
}

/// What is expected in the line in which a byte stands, with where it begins.
fn expectation_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let at = at.min(text.len());
    let start = text[..at].rfind(['\n', ';', '{']).map_or(0, |i| i + 1);
    let line = text[start..].split(['\n', ';']).next()?;
    let fact = line.trim_start().strip_prefix("expect ")?;
    Some((fact, start + line.len() - fact.len()))
}

/// The word or sign that stands at a byte.
fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at.min(text.len())..];
    let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    &rest[..length.max(first)]
}

/// What could have stood there, in at most four words.
fn expected(error: &Error<Rule>) -> String {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return "something else".to_string();
    };
    let mut words: Vec<String> = positives.iter().filter_map(|rule| words_for(*rule)).collect();
    words.sort();
    words.dedup();
    if words.is_empty() {
        return "a line of a scenario".to_string();
    }
    let cut = words.len() > 4;
    words.truncate(4);
    let list = words.join(", ");
    if cut {
        format!("{list} or the like")
    } else {
        list.replace(", ", " or ")
    }
}

/// How a reader calls what a rule reads; `None` for what says nothing to him.
fn words_for(rule: Rule) -> Option<String> {
    let words = match rule {
        Rule::terminator | Rule::EOI => "the end of the line",
        Rule::brace_open => "`{`",
        Rule::brace_close => "`}`",
        Rule::paren_close => "`)`",
        Rule::bracket_close => "`]`",
        Rule::arrow => "`->`",
        Rule::colon => "`:`",
        Rule::equals => "`=`",
        Rule::name => "a name",
        Rule::int => "a number",
        Rule::more => "`...`",
        Rule::dots => "`..`",
        Rule::text | Rule::texts | Rule::row_texts | Rule::words | Rule::wording => "a text in quotes",
        Rule::phrase
        | Rule::done_to
        | Rule::phrases
        | Rule::written
        | Rule::all_replies
        | Rule::person
        | Rule::people
        | Rule::replies
        | Rule::condition
        | Rule::clause => "a name or other words",
        Rule::line => "a line of a scenario",
        Rule::code => "the number of a rule",
        _ => return keyword(rule),
    };
    Some(words.to_string())
}

/// A keyword in backticks: every keyword has a rule of its own, named after it.
fn keyword(rule: Rule) -> Option<String> {
    format!("{rule:?}")
        .strip_prefix("kw_")
        .map(|word| format!("`{word}`"))
}

/// A line that goes by the ear, as it should be.
pub(super) fn repaired(line: &str) -> Option<String> {
    let tokens = token::scan(line).tokens;
    let end = tokens.iter().find(|token| token.ends_line(line));
    let line = line[..end.map_or(line.len(), |end| end.start)].trim_end();
    rewrite::rewritten(Lines::Scenarios, line, &|_| true)
}

/// What is told of a phrase that is none, where its line goes by the ear.
pub(super) fn by_ear(problem: &mut Diagnostic, offset: usize, text: &str) {
    let span = problem.span();
    let line = line_around(text, span.start as usize - offset);
    let is_new = problem.code == codes::MISFIT && problem.repairs().is_empty();
    if is_new
        && text[line.clone()].starts_with("expect ")
        && let Some(written) = repaired(&text[line.clone()])
    {
        *problem = as_a_line(problem.clone(), &written, (span.source, offset), line);
    }
}

/// What is told, with a line that should stand in the place of another.
fn as_a_line(
    told: Diagnostic,
    written: &str,
    (source, offset): (SourceId, usize),
    line: Range<usize>,
) -> Diagnostic {
    let told = told.help(format!("write {}", rewrite::marked(written)));
    match rewrite::in_its_place(written, "") {
        Some(text) => told.writes_in(Span::new(source, offset + line.start, offset + line.end), text),
        None => told,
    }
}

/// The line around a place, from its first word to its last.
fn line_around(text: &str, at: usize) -> Range<usize> {
    // What is wanted may be looked for on the next line, too.
    let at = match text[at.min(text.len())..].trim().is_empty() {
        true => text.trim_end().len(),
        false => at,
    };
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let start = start + last_part(&text[start..at], &[';', '{']);
    let start = start + text[start..].len() - text[start..].trim_start().len();
    let line = &text[start..];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let line = &line[..first_out_of_words(line, &[';', '}']).unwrap_or(line.len())];
    start..start + line.trim_end().len()
}

/// Behind the last of these signs, those within quotes aside.
fn last_part(line: &str, signs: &[char]) -> usize {
    let mut from = 0;
    while let Some(at) = first_out_of_words(&line[from..], signs) {
        from += at + 1;
    }
    from
}

/// Where the first of these signs stands that is not within quotes; a quote that nothing ends keeps nothing in.
fn first_out_of_words(line: &str, signs: &[char]) -> Option<usize> {
    let (mut at, mut left) = (0, line);
    loop {
        let next = left.find(|sign| sign == '"' || signs.contains(&sign))?;
        let ends = left[next + 1..]
            .find('"')
            .filter(|_| left[next..].starts_with('"'));
        match ends {
            Some(length) => {
                let behind = next + 1 + length + 1;
                (at, left) = (at + behind, &left[behind..]);
            }
            None if left[next..].starts_with('"') => {
                return left[next..].find(signs).map(|sign| at + next + sign);
            }
            None => return Some(at + next),
        }
    }
}

/// What can be written around a place, where that is known: the line, or its first word.
fn written(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let line = line_around(text, at);
    if let Some(repair) = repaired(&text[line.clone()]) {
        // What comes behind a quote is said of it.
        let repair = repair.split('`').next().unwrap_or_default();
        return Some((line, rewrite::in_its_place(repair, "")?));
    }
    let first = word_at(text, line.start);
    let is_known = EXAMPLES.iter().any(|(word, _)| *word == first);
    let (word, _) = meant(first).filter(|_| !is_known)?;
    Some((line.start..line.start + first.len(), (*word).to_owned()))
}

/// How the line that went wrong is written, by its first word.
fn help_for(error: &Error<Rule>, text: &str, at: usize) -> String {
    let line = line_around(text, at);
    if let Some(line) = repaired(&text[line.clone()]) {
        return format!("write `{line}`");
    }
    let first = word_at(text, line.start);
    let known = EXAMPLES.iter().find(|(word, _)| *word == first);
    match (known, meant(first)) {
        (Some((_, example)), _) => format!("it is written like this: `{example}`"),
        (None, Some((word, example))) => {
            format!("did you mean `{word}`? it is written like this: `{example}`")
        }
        (None, None) if matches!(error.variant, ErrorVariant::ParsingError { .. }) => {
            "an answer is written like this: `Healer -> Bob`".to_string()
        }
        (None, None) => "look at the line again".to_string(),
    }
}

/// A special fact that was begun, and not said as it is said: it would be read as a condition.
pub(super) fn half_said(fact: &str, span: Span) -> Option<Diagnostic> {
    let words: Vec<&str> = fact.split_whitespace().collect();
    let (message, help) = match words.as_slice() {
        ["in", ..] => (
            "this does not say in how many cases",
            "write `in some case …`, `in no case …` or `in 3 cases …`, with what is expected behind it",
        ),
        ["card" | "cards", "in", ..] => (
            "this does not say which cards lie where",
            "write `cards in deck are Healer, Baker`, or of a player `card in hand Ann is Healer`",
        ),
        [_, rest @ ..] if rest.iter().any(|word| ["sees", "see"].contains(word)) => (
            "this does not say what is seen",
            "write `Ann sees containing \"…\"`, `Ann sees the same in every case` or `Ann sees some difference between cases`",
        ),
        _ => return None,
    };
    Some(Diagnostic::error("M0900", message, span, "not a whole expectation").help(help))
}

/// What is wrong with `not told containing "…"`, where it is missing who was told; `fact` begins at a byte.
pub(super) fn nobody_learns(source: SourceId, fact: &str, at: usize) -> Option<Diagnostic> {
    let mut words = fact.split_whitespace();
    let mut verb = words.next()?;
    if fact.starts_with("not goes on") {
        let start = at;
        let span = Span::new(source, start, start + "not goes on".len());
        let help = "write by what it is over: `expect ended by …`, `expect winner …`, `expect nobody wins` or `expect draw`";
        return Some(
            Diagnostic::error(
                "M0900",
                "nothing says that a game does not go on",
                span,
                "over how?",
            )
            .help(help),
        );
    }
    let denied = ["not", "never"].contains(&verb);
    while ["not", "never", "yet"].contains(&verb) {
        verb = words.next()?;
    }
    let help = match (verb, denied) {
        ("told", true) => {
            "write `expect nobody told containing \"…\"` or `expect Ann not told containing \"…\"`"
        }
        ("told", false) => "write `expect Ann told \"…\"`; what everybody hears is `said`",
        ("shown", true) => {
            "write `expect nobody shown containing \"…\"` or `expect Ann not shown containing \"…\"`"
        }
        ("shown", false) => "write `expect Ann shown containing \"…\"`",
        ("sees" | "see", true) => "write `expect Ann not sees containing \"…\"`",
        ("sees" | "see", false) => "write `expect Ann sees containing \"…\"`",
        _ => return None,
    };
    words.next()?;
    let start = at + fact.find(verb)?;
    let span = Span::new(source, start, start + verb.len());
    Some(Diagnostic::error("M0900", format!("`{verb}` does not say who"), span, "who?").help(help))
}

/// The first word of a line that was nearly written.
fn meant(first: &str) -> Option<&'static (&'static str, &'static str)> {
    let word = close_name(first, EXAMPLES.iter().map(|(word, _)| *word))?;
    EXAMPLES.iter().find(|(known, _)| *known == word)
}

/// What a line for all scenarios behind a block of common lines is told.
pub(super) const LATE_HEAD: &str = "lines that hold for every scenario stand above the first `common`";

/// First words of lines, each with an example.
const EXAMPLES: &[(&str, &str)] = &[
    ("play", r#"play "the doctor saves a mafioso""#),
    ("common", "common table { … }"),
    ("ruleset", "ruleset city with mayor, blind"),
    ("set", "set tied-vote = nobody"),
    ("covers", "covers CITY-010, CITY-Q07"),
    ("seats", "seats Ann: Healer, Bob: Smuggler, Cid"),
    ("cast", "cast Smuggler 2, Healer 1, Baker rest"),
    ("aside", "aside Smuggler"),
    ("pile", "pile deck: Smuggler, Healer"),
    ("otherwise", "otherwise random with seed 7"),
    (
        "for",
        r#"for each case of victim, ending { Bob, "He is saved." }"#,
    ),
    ("include", "include table"),
    ("repeat", "repeat 3 times { … }"),
    ("run", "run to Sunrise 2"),
    ("snapshot", r#"snapshot "after the vote""#),
    ("refused", r#"refused Healer -> Ann containing "himself""#),
    ("draw", "draw luck -> holds"),
    ("expect", r#"expect said "Dusk falls.""#),
];
