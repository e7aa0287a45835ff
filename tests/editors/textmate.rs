//! The TextMate grammars colour what the program takes for keywords, numbers, texts and comments.
//!
//! Editors bring an engine of their own; this is a small one that knows as much of the format as our two
//! grammars use, and refuses what it does not know.

use super::{Language, keywords, none, place, read, same_words, well_formed};
use fancy_regex::Regex;
use omerta_syntax::{Sort, runs};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    rc::Rc,
};

/// A rule of a grammar.
struct Rule {
    name: Option<String>,
    content_name: Option<String>,
    form: Form,
    patterns: Vec<Rc<Rule>>,
    /// What the parts of the match, or of the begin, are called.
    captures: BTreeMap<usize, String>,
    end_captures: BTreeMap<usize, String>,
}

enum Form {
    /// One match on one line.
    Match(Pattern),
    /// All between two matches.
    Between(Pattern, Pattern),
    /// Only other rules.
    Group,
    /// `#name`
    Include(String),
}

/// A regular expression with its number, for the places where it was found last.
struct Pattern(usize, Regex);

struct Grammar {
    patterns: Vec<Rc<Rule>>,
    repository: BTreeMap<String, Rc<Rule>>,
    count: usize,
}

impl Grammar {
    fn of(language: Language) -> Grammar {
        let json: Value = serde_json::from_str(&read(&file_of(language))).unwrap();
        let mut grammar = Grammar {
            patterns: Vec::new(),
            repository: BTreeMap::new(),
            count: 0,
        };
        grammar.patterns = grammar.rules(&json["patterns"]);
        for (name, rule) in json["repository"].as_object().unwrap() {
            let rule = grammar.rule(rule);
            grammar.repository.insert(name.clone(), rule);
        }
        grammar
    }

    fn rules(&mut self, list: &Value) -> Vec<Rc<Rule>> {
        let list = list.as_array().map_or(&[] as &[Value], Vec::as_slice);
        list.iter().map(|rule| self.rule(rule)).collect()
    }

    fn rule(&mut self, json: &Value) -> Rc<Rule> {
        const KNOWN: &[&str] = &[
            "name",
            "contentName",
            "match",
            "begin",
            "end",
            "patterns",
            "include",
            "captures",
            "beginCaptures",
            "endCaptures",
        ];
        for key in json.as_object().unwrap().keys() {
            assert!(
                KNOWN.contains(&key.as_str()),
                "the engine of the tests does not know `{key}`"
            );
        }
        let word = |key: &str| json[key].as_str().map(str::to_owned);
        let form = match (word("include"), word("match"), word("begin"), word("end")) {
            (Some(name), None, None, None) => Form::Include(name.strip_prefix('#').unwrap().to_owned()),
            (None, Some(text), None, None) => Form::Match(self.pattern(&text)),
            (None, None, Some(begin), Some(end)) => Form::Between(self.pattern(&begin), self.pattern(&end)),
            (None, None, None, None) => Form::Group,
            other => panic!("no rule: {other:?}"),
        };
        let begin = captures(&json["captures"])
            .into_iter()
            .chain(captures(&json["beginCaptures"]));
        Rc::new(Rule {
            name: word("name"),
            content_name: word("contentName"),
            form,
            patterns: self.rules(&json["patterns"]),
            captures: begin.collect(),
            end_captures: captures(&json["endCaptures"]),
        })
    }

    fn pattern(&mut self, text: &str) -> Pattern {
        self.count += 1;
        Pattern(
            self.count - 1,
            Regex::new(text).unwrap_or_else(|e| panic!("{text}: {e}")),
        )
    }

    /// The rules of a list that match by themselves, groups and includes laid open.
    fn open(&self, list: &[Rc<Rule>], out: &mut Vec<Rc<Rule>>) {
        for rule in list {
            match &rule.form {
                Form::Match(_) | Form::Between(..) => out.push(rule.clone()),
                Form::Group => self.open(&rule.patterns, out),
                Form::Include(name) => {
                    let rule = self
                        .repository
                        .get(name)
                        .unwrap_or_else(|| panic!("no rule `{name}`"));
                    self.open(std::slice::from_ref(rule), out);
                }
            }
        }
    }
}

fn captures(json: &Value) -> BTreeMap<usize, String> {
    let all = json.as_object().into_iter().flatten();
    all.map(|(number, capture)| {
        (
            number.parse().unwrap(),
            capture["name"].as_str().unwrap().to_owned(),
        )
    })
    .collect()
}

fn file_of(language: Language) -> String {
    format!("grammar/vscode/syntaxes/{}.tmLanguage.json", language.ending())
}

/// What a rule is open for: its rules, and the name of what it holds.
struct Open {
    rule: Option<Rc<Rule>>,
    inside: Rc<Vec<Rc<Rule>>>,
    scopes: Rc<Vec<String>>,
}

/// The scopes of every byte of a text.
struct Painted(Vec<Rc<Vec<String>>>);

impl Painted {
    fn has(&self, run: Range<usize>, wanted: &[&str]) -> bool {
        let is_wanted = |scope: &String| wanted.iter().any(|wanted| scope.starts_with(wanted));
        self.0[run].iter().all(|scopes| scopes.iter().any(is_wanted))
    }
}

/// Where each pattern comes next on a line.
type Places = Vec<Option<Option<Groups>>>;

/// What a match and its parts cover.
type Groups = Vec<Option<Range<usize>>>;

/// The next match of a pattern, remembered from the search before if it is still ahead.
fn next<'p>(
    pattern: &Pattern,
    line: &str,
    at: usize,
    places: &'p mut Places,
) -> Option<&'p [Option<Range<usize>>]> {
    let place = &mut places[pattern.0];
    let ahead = match place {
        Some(Some(groups)) => groups[0].as_ref().unwrap().start >= at,
        Some(None) => true,
        None => false,
    };
    if !ahead {
        let found = pattern.1.captures_from_pos(line, at).unwrap();
        *place = Some(found.map(|found| {
            found
                .iter()
                .map(|group| group.map(|group| group.range()))
                .collect()
        }));
    }
    place.as_ref().unwrap().as_deref()
}

/// Lines that begin and end with no rule open, each as it is painted: the same in all texts.
type Lines = HashMap<String, Vec<Rc<Vec<String>>>>;

fn paint(grammar: &Grammar, lines: &mut Lines, text: &str) -> Painted {
    let mut inside = Vec::new();
    grammar.open(&grammar.patterns, &mut inside);
    let bottom = Open {
        rule: None,
        inside: Rc::new(inside),
        scopes: Rc::default(),
    };
    let mut stack = vec![bottom];
    let mut painted = Painted(Vec::with_capacity(text.len()));
    for line in text.split_inclusive('\n') {
        let plain = line.trim_end_matches('\n');
        match lines.get(plain).filter(|_| stack.len() == 1) {
            Some(known) => painted.0.extend_from_slice(known),
            None => {
                let (from, closed) = (painted.0.len(), stack.len() == 1);
                paint_line(grammar, plain, &mut stack, &mut painted.0);
                if closed && stack.len() == 1 {
                    lines.insert(plain.to_owned(), painted.0[from..].to_vec());
                }
            }
        }
        let scopes = stack.last().unwrap().scopes.clone();
        painted
            .0
            .resize(painted.0.len() + usize::from(line.ends_with('\n')), scopes);
    }
    painted
}

fn paint_line(grammar: &Grammar, line: &str, stack: &mut Vec<Open>, out: &mut Vec<Rc<Vec<String>>>) {
    let from = out.len();
    let mut places: Places = vec![None; grammar.count];
    let mut at = 0;
    while at <= line.len() {
        let top = stack.last().unwrap();
        let end = top.rule.as_ref().and_then(|rule| match &rule.form {
            Form::Between(_, end) => Some((end, rule.clone(), true)),
            _ => None,
        });
        let inner = top.inside.iter().map(|rule| match &rule.form {
            Form::Match(pattern) | Form::Between(pattern, _) => (pattern, rule.clone(), false),
            Form::Group | Form::Include(_) => unreachable!("laid open before"),
        });
        // The first of those that come first; what ends the rule goes before what is inside.
        let mut best: Option<(Groups, Rc<Rule>, bool)> = None;
        for (pattern, rule, ends) in end.into_iter().chain(inner) {
            if let Some(found) = next(pattern, line, at, &mut places) {
                let start = found[0].as_ref().unwrap().start;
                if best
                    .as_ref()
                    .is_none_or(|(groups, ..)| start < groups[0].as_ref().unwrap().start)
                {
                    best = Some((found.to_vec(), rule, ends));
                }
            }
        }
        let scopes = top.scopes.clone();
        let Some((groups, rule, ends)) = best else { break };
        let whole = groups[0].clone().unwrap();
        out.resize(from + whole.start, scopes.clone());
        let named = match (&rule.name, ends) {
            _ if ends => with(&below(stack).scopes, rule.name.as_ref()),
            (name, _) => with(&scopes, name.as_ref()),
        };
        out.resize(from + whole.end, named.clone());
        let captures = if ends { &rule.end_captures } else { &rule.captures };
        for (number, name) in captures {
            if let Some(Some(group)) = groups.get(*number) {
                let named = with(&named, Some(name));
                out[from + group.start..from + group.end].fill(named);
            }
        }
        if ends {
            stack.pop();
        } else if matches!(rule.form, Form::Between(..)) {
            let mut inside = Vec::new();
            grammar.open(&rule.patterns, &mut inside);
            let scopes = with(&named, rule.content_name.as_ref());
            stack.push(Open {
                rule: Some(rule.clone()),
                inside: Rc::new(inside),
                scopes,
            });
            assert!(stack.len() < 100, "rules open without end: {line}");
        }
        let stuck = whole.end == at && !ends && matches!(rule.form, Form::Match(_));
        assert!(!stuck, "a rule matches nothing at {at} of: {line}");
        at = whole.end;
        if at == line.len() && whole.is_empty() && !ends {
            break;
        }
    }
    let rest = stack.last().unwrap().scopes.clone();
    out.resize(from + line.len(), rest);
}

fn below(stack: &[Open]) -> &Open {
    &stack[stack.len() - 2]
}

fn with(scopes: &Rc<Vec<String>>, name: Option<&String>) -> Rc<Vec<String>> {
    match name {
        None => scopes.clone(),
        Some(name) => Rc::new(scopes.iter().chain([name]).cloned().collect()),
    }
}

/// Scopes that stand for a word of the language.
const WORDS: &[&str] = &["keyword.", "storage.", "constant.language."];

/// Scopes of words that are no names.
const NOT_A_NAME: &[&str] = &["keyword.", "storage."];

#[test]
fn what_the_program_finds_has_its_colour() {
    let (mut faults, mut wrong) = (Vec::new(), Vec::new());
    let grammars = Language::ALL.map(Grammar::of);
    // In a scenario the words of an expression have their colour, although they are words of a phrase there.
    let of_both = Language::ALL
        .map(|language| keywords(&language.pest()))
        .into_iter()
        .flatten()
        .collect();
    let words = [BTreeSet::new(), of_both];
    let mut lines = [Lines::new(), Lines::new()];
    for text in well_formed() {
        let painted = paint(
            &grammars[text.language as usize],
            &mut lines[text.language as usize],
            &text.text,
        );
        let words = &words[text.language as usize];
        let mut look = |run: Range<usize>, what: &str, wanted: &[&str]| {
            if !painted.has(run.clone(), wanted) {
                let at = place(&text.text, run.start);
                let scopes = painted.0[run.start].join(" ");
                wrong.push(format!(
                    "{}:{at}: `{}` is {what}, not `{scopes}`",
                    text.name, &text.text[run]
                ));
            }
        };
        for found in &text.found {
            let run = found.start..found.end;
            match found.rule.as_str() {
                _ if found.is_keyword() => look(run, "a keyword", WORDS),
                "int" => look(run, "a number", &["constant.numeric."]),
                "text" => {
                    look(run.start..run.start + 1, "a text", &["string."]);
                    look(run.end - 1..run.end, "a text", &["string."]);
                }
                "name"
                    if painted.has(run.clone(), NOT_A_NAME) && !words.contains(&text.text[run.clone()]) =>
                {
                    let at = place(&text.text, run.start);
                    faults.push(format!("{}:{at}: `{}` is a name", text.name, &text.text[run]));
                }
                "script_text" => look(run, "a script", &["string.quoted.triple."]),
                _ => {}
            }
        }
        for (run, _) in runs(&text.text)
            .into_iter()
            .filter(|(_, sort)| *sort == Sort::Comment)
        {
            look(run, "a comment", &["comment."]);
        }
    }
    faults.extend(wrong);
    none(&faults);
}

/// The words that a TextMate grammar asks for, out of its regular expressions.
fn words_of(language: Language) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let json: Value = serde_json::from_str(&read(&file_of(language))).unwrap();
    let mut waiting = vec![&json["repository"]];
    while let Some(value) = waiting.pop() {
        for (key, inner) in value.as_object().into_iter().flatten() {
            match inner {
                Value::String(text) if ["match", "begin"].contains(&key.as_str()) => {
                    words.extend(plain_words(text))
                }
                Value::Object(_) if key != "rhai" => waiting.push(inner),
                Value::Array(list) => waiting.extend(list),
                _ => {}
            }
        }
    }
    words
}

/// The words of a regular expression: its letters without its escapes, classes and looks around.
fn plain_words(pattern: &str) -> Vec<String> {
    let escapes = Regex::new(r"\\[pP]\{\w+\}|\\.|\[[^\]]*\]").unwrap();
    let looks = Regex::new(r"\(\?(?:<=|<!|=|!)").unwrap();
    let pattern = escapes.replace_all(pattern, " ").into_owned();
    let pattern = looks.replace_all(&pattern, " ").into_owned();
    let words = pattern.split(|c: char| !c.is_alphabetic() && c != '-');
    words.filter(|word| word.len() > 1).map(str::to_owned).collect()
}

/// Words of the language that a scenario may use in a phrase.
#[test]
fn the_words_of_the_grammars_are_those_of_the_program() {
    let rules = keywords(&Language::Mafia.pest());
    same_words(&words_of(Language::Mafia), &rules);
    let scenarios = keywords(&Language::Play.pest());
    let ours = words_of(Language::Play);
    let missing: Vec<&String> = scenarios.difference(&ours).collect();
    assert!(missing.is_empty(), "not coloured in scenarios: {missing:?}");
    let strange: Vec<&String> = ours
        .iter()
        .filter(|word| !scenarios.contains(*word) && !rules.contains(*word))
        .collect();
    assert!(
        strange.is_empty(),
        "coloured in scenarios, and no words: {strange:?}"
    );
}
