//! What each word of the language means where it stands, by the rule of the grammar that reads it there.
//!
//! The meanings are a table, `senses.txt`; no word is looked up that the rules of a game declare.

use crate::{
    grammar::{Chunk, Rule, run},
    play_parse,
    split::{self, Splitter},
    token::{self, TokenKind},
    words::GRAMMARS,
};
use omerta_core::source::SourceId;
use pest::{RuleType, iterators::Pair};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::LazyLock,
};

/// In which of the two languages something is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// That of `.mafia` files.
    Rules,
    /// That of `.play` files.
    Scenarios,
}

/// What a word begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begun {
    /// A declaration.
    Declaration,
    /// A statement.
    Statement,
}

/// A word or a sign of the language at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it begins, if it begins something.
    pub begins: Option<Begun>,
    /// What it means there; nothing if the table does not say.
    pub told: Option<&'static str>,
}

/// A row of the table.
struct Row {
    language: Language,
    words: Vec<&'static str>,
    rules: Vec<&'static str>,
    told: &'static str,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let (_, tables) = include_str!("senses.txt")
        .split_once("== rules\n")
        .expect("the table begins with rules");
    let (rules, scenarios) = tables
        .split_once("== scenarios\n")
        .expect("the table goes on with scenarios");
    let rows = |language, table: &'static str| {
        table.lines().filter_map(move |line| {
            let (words, rest) = line.split_once(" : ")?;
            let (rules, told) = rest.split_once(" : ")?;
            Some(Row {
                language,
                words: words.split(", ").collect(),
                rules: rules.split(' ').collect(),
                told,
            })
        })
    };
    rows(Language::Rules, rules)
        .chain(rows(Language::Scenarios, scenarios))
        .collect()
});

/// The words, each with a rule of the grammar in which it has a meaning.
pub fn table(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = ROWS.iter().filter(move |row| row.language == language);
    rows.flat_map(|row| {
        let rules = row.rules.iter();
        rules.flat_map(|rule| row.words.iter().map(|word| (*word, *rule)))
    })
}

/// The meanings of each word, with the rules of the grammar in which it has them, in the order of the table.
static BY_WORD: LazyLock<BTreeMap<&str, Vec<&Row>>> = LazyLock::new(|| {
    let mut words: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
    for row in ROWS.iter() {
        for word in &row.words {
            words.entry(*word).or_default().push(row);
        }
    }
    words
});

/// The meanings of a word, in the order of the table.
fn meanings(language: Language, word: &str) -> impl Iterator<Item = &'static Row> {
    let all = BY_WORD.get(word).map_or(&[][..], Vec::as_slice).iter();
    all.copied().filter(move |row| row.language == language)
}

/// What is told of a word where its line cannot be read.
pub fn usually(language: Language, word: &str) -> Option<&'static str> {
    meanings(language, word).next().map(|row| row.told)
}

/// What is told of a word that begins a declaration or a statement.
pub fn of_beginning(word: &str, begun: Begun) -> Option<&'static str> {
    static DECLARATIONS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| named_in("\nitem = {"));
    static STATEMENTS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| named_in("\nstatement = {"));
    let rules = match begun {
        Begun::Declaration => &*DECLARATIONS,
        Begun::Statement => &*STATEMENTS,
    };
    let found = meanings(Language::Rules, word).find(|row| row.rules.iter().any(|rule| rules.contains(rule)));
    found
        .map(|row| row.told)
        .or_else(|| usually(Language::Rules, word))
}

/// The rules that a rule of the grammar of rules names, which begins so.
fn named_in(head: &str) -> BTreeSet<&'static str> {
    let list = GRAMMARS[0]
        .split_once(head)
        .and_then(|(_, list)| list.split_once('}'));
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let names = { list.into_iter() }.flat_map(|(list, _)| list.split(move |letter| !is_of_name(letter)));
    names.collect()
}

/// What is told of a word in a rule of the grammar.
pub fn told(language: Language, word: &str, rule: &str) -> Option<&'static str> {
    let mut meanings = meanings(language, word);
    meanings.find(|row| row.rules.contains(&rule)).map(|row| row.told)
}

/// The words and signs of the language in the parts of a text that some bytes are in.
pub fn standing(text: &str, language: Language, around: &Range<usize>) -> Vec<Standing> {
    let mut found = Vec::new();
    match language {
        Language::Rules => of_rules(text, around, &mut found),
        Language::Scenarios => play_parse::each_part(text, around, &mut |pair, offset| {
            let mut reader = Reader {
                language,
                offset,
                found: &mut found,
            };
            reader.read(pair, "", None);
        }),
    }
    found
}

/// Declaration by declaration; of one that cannot be read, the statement on each of its lines.
fn of_rules(text: &str, around: &Range<usize>, found: &mut Vec<Standing>) {
    let tokens = token::scan(text).tokens;
    let braces = split::match_braces(&tokens);
    if !braces.deep.is_empty() {
        return;
    }
    let splitter = Splitter {
        text,
        tokens: &tokens,
        braces: &braces,
    };
    let whole = 0..tokens.len();
    let mut open = vec![whole];
    while let Some(range) = open.pop() {
        for range in splitter.declarations(range) {
            let (start, end) = (tokens[range.start].start, tokens[range.end - 1].end);
            if end < around.start || around.end < start {
                continue;
            }
            let brace = range.clone().find(|index| tokens[*index].kind == TokenKind::Open);
            let (rule, end) = match (splitter.first_word(&range), brace) {
                (word @ ("overlay" | "on"), Some(brace)) => {
                    open.push(brace + 1..braces.closing(brace).unwrap_or(range.end));
                    let rule = match word {
                        "on" => Rule::one_section_head,
                        _ => Rule::one_overlay_head,
                    };
                    (rule, tokens[brace].end)
                }
                _ => (Rule::one_item, end),
            };
            if !read(&text[start..end], start, rule, found) {
                for (at, line) in token::lines_around(&text[start..end], start, around) {
                    statement(line, at, found);
                }
            }
        }
    }
}

/// A line as a statement by itself.
fn statement(line: &str, offset: usize, found: &mut Vec<Standing>) {
    let head = "script {\n";
    let close = if line.trim_end().ends_with('{') {
        "\n}\n}"
    } else {
        "\n}"
    };
    let whole = format!("{head}{}{close}", line.trim_end());
    let mut of_line = Vec::new();
    if read(&whole, 0, Rule::one_item, &mut of_line) {
        of_line.retain(|standing| standing.range.start >= head.len());
        found.extend(of_line.into_iter().map(|mut standing| {
            let moved = |at: usize| at - head.len() + offset;
            standing.range = moved(standing.range.start)..moved(standing.range.end);
            standing
        }));
    }
}

/// Reads a piece of rules; says whether it could be read.
fn read(text: &str, offset: usize, rule: Rule, found: &mut Vec<Standing>) -> bool {
    let chunk = Chunk {
        source: SourceId::default(),
        text,
        offset,
    };
    let mut reader = Reader {
        language: Language::Rules,
        offset,
        found,
    };
    match run(chunk, rule) {
        Ok(pair) => {
            reader.read(pair, "", None);
            true
        }
        Err(_) => false,
    }
}

struct Reader<'f> {
    language: Language,
    offset: usize,
    found: &'f mut Vec<Standing>,
}

impl Reader<'_> {
    /// All words in what a rule took; `begun` is what was begun last, and where.
    fn read<R: RuleType>(&mut self, pair: Pair<'_, R>, around: &str, begun: Option<(Begun, usize)>) {
        let rule = format!("{:?}", pair.as_rule());
        let span = pair.as_span();
        let at = self.offset + span.start();
        let in_scenarios = self.language == Language::Scenarios;
        match rule.as_str() {
            // What is an expression in a scenario is read as rules are.
            "phrase" | "clause" | "done_to" if in_scenarios => {
                read(span.as_str(), at, Rule::one_expr, self.found);
                return;
            }
            "text" if !in_scenarios => return self.slots(span.as_str(), at),
            "by_hand" => {
                if let Some((_, deed)) = span.as_str().split_once("hand ") {
                    let from = at + span.as_str().len() - deed.len();
                    statement(deed, from, self.found);
                }
            }
            _ => {}
        }
        let begun = match rule.as_str() {
            "item" | "overlay_head" | "section_head" => Some((Begun::Declaration, span.start())),
            "statement" => Some((Begun::Statement, span.start())),
            _ => begun,
        };
        let keyword = rule.strip_prefix("kw_");
        let word = match keyword {
            Some(word) => word,
            None if rule == "name" => span.as_str(),
            None => &rule,
        };
        let told = told(self.language, word, around).filter(|_| around != "query");
        if keyword.is_some() || told.is_some() {
            let begins = begun.filter(|(_, start)| *start == span.start());
            self.found.push(Standing {
                range: at..at + span.as_str().trim_end().len(),
                begins: begins.map(|(begun, _)| begun),
                told,
            });
        }
        for inner in pair.into_inner() {
            self.read(inner, &rule, begun);
        }
    }

    /// The words in the slots of a text.
    fn slots(&mut self, text: &str, at: usize) {
        for (open, _) in text.match_indices('{') {
            let inside = &text[open + 1..];
            let end = inside.find(['{', '}', ':', '|']).unwrap_or_default();
            let value = inside[..end].trim_start();
            let value = value.strip_prefix("several ").unwrap_or(value);
            let from = at + open + 1 + end - value.len();
            read(value, from, Rule::one_expr, self.found);
        }
    }
}
