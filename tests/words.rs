//! The words of the language stand in one table; the grammar and the reference are held to it.

use omerta_core::source::SourceId;
use omerta_syntax::{
    Sort,
    names::names_of,
    parse_file, parse_play,
    play_names::names_of_play,
    runs,
    senses::{self, Language},
    words::{self, Value, WORDS, Word},
};
use omerta_workbench::{bundle, reference};
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

/// The ways that stand beside each other in some lines of the grammar, without what is looked for ahead of them.
fn ways(lines: &'static str) -> Vec<&'static str> {
    let mut depth = 0;
    let ways = lines.split(|sign: char| {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        sign == '|' && depth == 0
    });
    let behind = |way: &'static str| match way.trim().strip_prefix("&(") {
        Some(ahead) => {
            let (_, several) = ahead.split_once(") ~ (").unwrap();
            several.trim_end().strip_suffix(')').unwrap().split('|').collect()
        }
        None => vec![way],
    };
    ways.flat_map(behind).collect()
}

/// The words with which what a rule takes can begin.
fn first_words(rule: &'static str, found: &mut Names<'static>) {
    for way in ways(body(rule)) {
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

/// What the rules of a grammar read as words of the language, each word with its rule; what a rule only looks ahead at is none.
fn keywords(grammar: &str) -> BTreeSet<(String, String)> {
    let lines = grammar
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let plain = lines.collect::<Vec<_>>().join("\n");
    let mut found = BTreeSet::new();
    for rule in plain.split("\n}").flat_map(|part| part.split("}\n")) {
        let Some((name, body)) = rule
            .split_once(" = {")
            .or_else(|| rule.split_once(" = @{"))
            .or_else(|| rule.split_once(" = !{"))
        else {
            continue;
        };
        let name = name.trim().to_owned();
        if name.starts_with("kw_") || plain.contains(&format!("!{name} ")) {
            continue;
        }
        let mut body = body.to_owned();
        while let Some(at) = body.find(['!', '&']) {
            let mut depth = 0;
            let end = body[at + 1..].find(|sign: char| {
                depth += i32::from(sign == '(') - i32::from(sign == ')');
                depth == 0 && !sign.is_alphanumeric() && sign != '_'
            });
            let end = end.map_or(body.len(), |end| at + 1 + end);
            body.replace_range(at..end, "");
        }
        let words = body.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let words = words.filter_map(|word| word.strip_prefix("kw_"));
        found.extend(words.map(|word| (word.to_owned(), name.clone())));
    }
    found
}

#[test]
fn every_word_has_a_meaning_wherever_the_grammar_reads_it() {
    let grammars = [
        (Language::Rules, GRAMMAR),
        (Language::Scenarios, include_str!("../grammar/play.pest")),
    ];
    for (language, grammar) in grammars {
        let read = keywords(grammar);
        assert!(read.len() > 100, "{read:?}");
        let told: Vec<(String, String)> = { senses::table(language) }
            .map(|(word, rule)| (word.to_owned(), rule.to_owned()))
            .collect();
        let silent: Vec<_> = read.iter().filter(|one| !told.contains(one)).collect();
        assert!(silent.is_empty(), "{language:?}: nothing is told of {silent:?}");
        let is_keyword = |word: &str| grammar.contains(&format!("\nkw_{word} ="));
        // A word may also be read as a name that means something there.
        let takes_names = |rule: &str| grammar.contains(&format!("\n{rule} = {{ name"));
        let is_query = |rule: &str| rule == "query";
        let stale: Vec<_> = { told.iter() }
            .filter(|(word, rule)| is_keyword(word) && !takes_names(rule) && !is_query(rule))
            .filter(|one| !read.contains(*one))
            .collect();
        assert!(
            stale.is_empty(),
            "{language:?}: the grammar reads nowhere {stale:?}"
        );
        let all: BTreeSet<_> = told.iter().collect();
        assert_eq!(
            all.len(),
            told.len(),
            "{language:?}: a word has two meanings at one place"
        );
    }
}

#[test]
fn no_word_of_the_language_is_silent_in_what_is_bundled() {
    for file in bundle::all().chain(bundle::scenarios()) {
        let (path, text) = (file.path().display().to_string(), file.contents_utf8().unwrap());
        let language = match path.ends_with(".play") {
            true => Language::Scenarios,
            false => Language::Rules,
        };
        let id = SourceId::default();
        let names: Vec<_> = match language {
            Language::Rules => {
                let (file, _) = parse_file(id, text);
                let items = file.items.iter();
                items.flat_map(|item| names_of(item)).collect()
            }
            Language::Scenarios => names_of_play(&parse_play(id, text).0, text).uses,
        };
        let standing = senses::standing(text, language, &(0..text.len()));
        for (range, sort) in runs(text) {
            let word = &text[range.clone()];
            let is_word = matches!(sort, Sort::Word | Sort::Keyword) && words::is_of_a_grammar(word);
            let here = standing.iter().find(|standing| standing.range == range);
            let name = names
                .iter()
                .find(|used| used.name.span.start as usize == range.start);
            let is_told = match (here, name) {
                (Some(here), _) => here.told.is_some(),
                (None, Some(_)) if words::find(word).is_some_and(|word| word.value.is_some()) => {
                    reference::about(word).is_some() || senses::usually(language, word).is_some()
                }
                (None, name) => name.is_some(),
            };
            let line = text[..range.start].matches('\n').count() + 1;
            assert!(!is_word || is_told, "{path}:{line}: nothing is told of `{word}`");
        }
    }
}

/// One of what is counted is called by its one word, and what is no whole number of minutes is told in seconds.
#[test]
fn a_time_is_told_in_minutes_where_it_is_whole_ones() {
    for (seconds, told) in [
        (0, "0 seconds"),
        (1, "1 second"),
        (2, "2 seconds"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (61, "61 seconds"),
        (90, "90 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (121, "121 seconds"),
        (180, "3 minutes"),
    ] {
        assert_eq!(omerta_play::words::time(seconds), told);
    }
}

/// A text stands in quotation marks as a line of a scenario would have to hold it.
#[test]
fn signs_that_mean_something_in_a_text_are_written_twice_or_behind_a_stroke() {
    for (text, told) in [
        ("plain", r#""plain""#),
        (r#"say "no""#, r#""say \"no\"""#),
        (r"back\slash", r#""back\\slash""#),
        ("{Ann}", r#""{{Ann}}""#),
        ("", r#""""#),
    ] {
        assert_eq!(omerta_play::words::quoted(text), told);
    }
}
