//! The words of the language stand in one table; the grammar and the reference are held to it.

use omerta_syntax::words::{Value, WORDS, Word};
use std::{collections::BTreeSet, fs};

const GRAMMAR: &str = include_str!("../grammar/mafia.pest");

type Names<'t> = BTreeSet<&'t str>;

fn those(wanted: impl Fn(&Word) -> bool) -> Names<'static> {
    WORDS
        .iter()
        .filter(|word| wanted(word))
        .map(|word| word.name)
        .collect()
}

/// What stands between the braces of a rule.
fn body(rule: &str) -> &str {
    let mut rules = GRAMMAR.lines().filter_map(|line| line.split_once('='));
    let head = rules.find(|(name, _)| name.trim() == rule).unwrap().0;
    let (_, rest) = GRAMMAR.split_once(&format!("\n{head}= {{")).unwrap();
    rest.split_once("}\n").unwrap().0
}

/// The words with which what a rule takes can begin.
fn first_words(rule: &'static str, found: &mut Names<'static>) {
    let mut depth = 0;
    let ways = body(rule).split(|sign: char| {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        sign == '|' && depth == 0
    });
    for way in ways {
        let first = way.split_whitespace().next().unwrap();
        match first.strip_prefix("kw_") {
            Some(word) => _ = found.insert(word),
            None => first_words(first, found),
        }
    }
}

fn begun_by(rules: &[&'static str]) -> Names<'static> {
    let mut found = BTreeSet::new();
    rules.iter().for_each(|rule| first_words(rule, &mut found));
    found
}

/// The words in backticks of the first column of a table of the reference.
fn column<'t>(page: &'t str, heading: &str) -> Names<'t> {
    let (_, part) = page.split_once(heading).unwrap();
    let rows = part.lines().skip_while(|line| !line.starts_with("|--")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    cells.map(|cell| cell.split(' ').next().unwrap()).collect()
}

#[test]
fn words_are_found_by_the_alphabet() {
    let mut sorted: Vec<&str> = WORDS.iter().map(|word| word.name).collect();
    sorted.sort_unstable();
    sorted.dedup();
    assert!(sorted.into_iter().eq(WORDS.iter().map(|word| word.name)));
}

#[test]
fn the_grammar_begins_what_the_words_begin() {
    let declarations = begun_by(&["item", "overlay_head", "section_head"]);
    assert_eq!(declarations, those(|word| word.declaration.is_some()));
    assert_eq!(begun_by(&["statement"]), those(|word| word.statement.is_some()));
}

#[test]
fn the_grammar_reserves_the_words_that_join() {
    let (_, list) = GRAMMAR.split_once("reserved = _{").unwrap();
    let list = list.split_once('}').unwrap().0;
    let reserved: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(reserved, those(|word| word.joins));
}

#[test]
fn the_reference_tells_each_word_that_is_no_name() {
    let page = fs::read_to_string("docs/reference/language.md").unwrap();
    let alone = those(|word| word.value == Some(Value::ByItself));
    assert_eq!(column(&page, "## Words that stand alone"), alone);
    let before_of = those(|word| word.value == Some(Value::BeforeOf));
    assert_eq!(column(&page, "## Words that stand before `of`"), before_of);
    let listed = |before: &str| {
        let (_, rest) = page.split_once(before).unwrap();
        rest.split('`')
            .nth(1)
            .unwrap()
            .split_whitespace()
            .collect::<Names<'_>>()
    };
    assert_eq!(listed("cannot be names:"), those(|word| word.joins));
    let taken = those(|word| matches!(word.value, Some(Value::ByItself | Value::Kept)));
    assert_eq!(listed("These are taken too, with or without backticks:"), taken);
}
