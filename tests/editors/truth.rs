//! What the grammars of the program find in a text, word by word.

use super::{Language, well_formed};
use omerta_core::source::Sources;
use omerta_syntax::{
    parse_file,
    tree::{Item, ItemKind},
};
use pest::{Parser, iterators::Pairs};

mod mafia {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/mafia.pest"]
    pub(super) struct Grammar;
}

mod play {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/play.pest"]
    pub(super) struct Grammar;
}

/// A run of a text that a rule of a grammar has found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) rule: String,
}

impl Found {
    /// A word that the grammar asks for.
    pub(super) fn is_keyword(&self) -> bool {
        self.rule.starts_with("kw_") || self.rule == "no_alone"
    }
}

/// All that the grammar of the language finds in a text that has the right shape.
pub(super) fn found(language: Language, text: &str) -> Vec<Found> {
    let mut out = Vec::new();
    match language {
        Language::Mafia => {
            let mut sources = Sources::default();
            let id = sources.add("text", text);
            for item in &parse_file(id, text).0.items {
                declaration(item, text, &mut out);
            }
        }
        Language::Play => {
            for (rule, at, chunk) in chunks(text) {
                let pairs = play::Grammar::parse(rule, chunk).unwrap_or_else(|e| panic!("{e}"));
                take(pairs, at, chunk, &mut out);
            }
        }
    }
    out.sort();
    out
}

/// The same for an expression that stands by itself.
pub(super) fn found_in_expression(text: &str) -> Option<Vec<Found>> {
    let mut out = Vec::new();
    take(
        mafia::Grammar::parse(mafia::Rule::one_expr, text).ok()?,
        0,
        text,
        &mut out,
    );
    Some(out)
}

fn declaration(item: &Item, text: &str, out: &mut Vec<Found>) {
    let (rule, inner) = match &item.kind {
        ItemKind::Overlay { items, .. } => (mafia::Rule::overlay_head, Some(items)),
        ItemKind::Section { items, .. } => (mafia::Rule::section_head, Some(items)),
        _ => (mafia::Rule::item, None),
    };
    let start = item.span.start as usize;
    let chunk = &text[start..item.span.end as usize];
    let pairs = mafia::Grammar::parse(rule, chunk).unwrap_or_else(|e| panic!("{e}"));
    take(pairs, start, chunk, out);
    for item in inner.into_iter().flatten() {
        declaration(item, text, out);
    }
}

fn take<R: pest::RuleType>(pairs: Pairs<'_, R>, at: usize, chunk: &str, out: &mut Vec<Found>) {
    for pair in pairs.flatten() {
        let span = pair.as_span();
        // Spaces that were skipped in search of something that may be left out belong to nobody.
        let (start, end) = without_blanks(chunk, span.start(), span.end());
        if start == end {
            continue;
        }
        out.push(Found {
            start: at + start,
            end: at + end,
            rule: name_of(pair.as_rule()),
        });
    }
}

/// The name of a rule. A query behind `of` is a query, and what may stand in `number of` is a sign as well.
fn name_of<R: pest::RuleType>(rule: R) -> String {
    match format!("{rule:?}").as_str() {
        "of_query" => "query".to_owned(),
        "set_op" => "sum_op".to_owned(),
        name => name.to_owned(),
    }
}

/// A run without spaces, line ends and comments on either side.
pub(super) fn without_blanks(text: &str, start: usize, end: usize) -> (usize, usize) {
    let mut start = end - text[start..end].trim_start().len();
    while text[start..end].starts_with("//") {
        start += text[start..end].find('\n').unwrap_or(end - start);
        start = end - text[start..end].trim_start().len();
    }
    let mut solid = start;
    let mut line_start = start;
    for line in text[start..end].split_inclusive('\n') {
        let code = without_comment(line).trim_end();
        if !code.trim_start().is_empty() {
            solid = line_start + code.len();
        }
        line_start += line.len();
    }
    (start, solid)
}

/// A line up to its comment; two strokes in a text begin none.
fn without_comment(line: &str) -> &str {
    let mut strokes = line.match_indices("//").map(|(at, _)| &line[..at]);
    let before = strokes.find(|before| before.replace("\\\"", "").matches('"').count() % 2 == 0);
    before.unwrap_or(line)
}

/// A scenario file cut into pieces, with what each must be.
fn chunks(text: &str) -> Vec<(play::Rule, usize, &str)> {
    let begins = |line: &str| match line.trim_start() {
        line if line
            .strip_prefix("play")
            .is_some_and(|rest| rest.trim_start().starts_with('"')) =>
        {
            Some(play::Rule::one_play)
        }
        line if line.starts_with("common ") => Some(play::Rule::one_common),
        _ => None,
    };
    let mut cuts = vec![(play::Rule::one_preamble, 0)];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        cuts.extend(begins(line).map(|rule| (rule, at)));
        at += line.len();
    }
    let ends = cuts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    let pieces = cuts.iter().zip(ends);
    pieces
        .map(|((rule, start), end)| (*rule, *start, &text[*start..end]))
        .collect()
}

#[test]
fn the_truth_is_found_in_every_text() {
    for text in well_formed() {
        let words = text.found.iter().filter(|found| found.is_keyword()).count();
        assert!(
            words > 0 || text.text.trim().is_empty(),
            "{}: no keyword at all",
            text.name
        );
    }
}

#[test]
fn blanks_on_either_side_are_left_out() {
    let text = "  // one\n say \"a // b\" // two\n\n";
    let (start, end) = without_blanks(text, 0, text.len());
    assert_eq!(&text[start..end], "say \"a // b\"");
}
