//! What is told of texts: of all rulesets and scenarios there are as they stand, and of slips that are made in them by a
//! seed of their own: a word lost, doubled, misspelt or put elsewhere, another number, a brace too many, a broken end.

use super::{Net, digest};
use crate::{
    docs::all_pages,
    tables::{READ, run, scenario_texts, slipped_texts},
    tells,
};
use omerta::faces::render::{Format, Style, render};
use omerta_check::{Request, check_one_of_many};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    source::{Loaded, Loader, SourceId, Sources},
};
use omerta_play::chance::Chance;
use omerta_syntax::{Known, format, format_play, parse_file, parse_play, parse_version};
use omerta_workbench::{bundle::Shelf, files};
use std::{
    fmt::Write,
    ops::Range,
    path::{Path, PathBuf},
};

/// How many slips are made in a text of rules, and in one of scenarios.
const SLIPS: usize = 12;
const PLAY_SLIPS: usize = 6;
/// Longer files of scenarios are only read, not run.
const LONGEST: usize = 7_000;

/// A text in place of a file, beside whatever lies in its folder.
pub(super) struct Slipped<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    pub(super) shelf: Shelf,
}

impl Loader for Slipped<'_> {
    fn load(&self, path: &str) -> Option<Loaded> {
        let here = path == self.name;
        let text = || Loaded {
            name: format!("{}.mafia", self.name),
            text: self.text.to_owned(),
        };
        here.then(text).or_else(|| self.shelf.load(path))
    }

    fn names(&self) -> Vec<String> {
        self.shelf.names()
    }
}

/// What is told of rules, drawn in its place.
pub(super) fn told(name: &str, text: &str, shelf: &Shelf) -> String {
    let mut sources = Sources::default();
    let loader = Slipped {
        name,
        text,
        shelf: shelf.clone(),
    };
    let request = Request {
        root: name,
        overlays: &[],
        options: &[],
    };
    let checked = READ.with(|read| check_one_of_many((&mut sources, read), &loader, &request));
    drawn(&sources, &checked.diagnostics)
}

fn drawn(sources: &Sources, told: &[Diagnostic]) -> String {
    render(sources, told, Format::Human, Style::PLAIN)
}

/// The words of a text outside of its remarks: what stands together of letters, and each sign by itself.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let is_letter = |c: char| c.is_alphanumeric() || c == '-';
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        if text[line..at].contains("//") || text[at..].starts_with("//") {
            continue;
        }
        match found.last_mut() {
            Some(word) if is_letter(c) && is_letter(last) => word.end = end,
            _ if c.is_whitespace() => {}
            _ => found.push(at..end),
        }
        last = c;
    }
    found
}

/// A text with one slip, and what it is.
fn slip(text: &str, words: &[Range<usize>], chance: &mut Chance) -> (String, String) {
    let at = chance.below(words.len() as u64 - 1) as usize;
    let (word, next) = (words[at].clone(), words[at + 1].clone());
    let [this, that] = [&text[word.clone()], &text[next.clone()]];
    let put = |range: Range<usize>, new: &str| format!("{}{new}{}", &text[..range.start], &text[range.end..]);
    let elsewhere = |chance: &mut Chance| &text[words[chance.below(words.len() as u64) as usize].clone()];
    let line = text[..word.start].rfind('\n').map_or(0, |end| end + 1);
    let line = line..text[word.end..]
        .find('\n')
        .map_or(text.len(), |end| word.end + end + 1);
    let (what, slipped) = match chance.below(14) {
        0 => ("lost", put(word.clone(), "")),
        1 => ("doubled", put(word.clone(), &format!("{this} {this}"))),
        2 => ("swapped", put(word.start..next.end, &format!("{that} {this}"))),
        3 | 4 => {
            let other = elsewhere(chance);
            ("another word", put(word.clone(), other))
        }
        5 => {
            let short: String = this.chars().skip(1).collect();
            ("misspelt", put(word.clone(), &format!("{short}x")))
        }
        6 => ("not", put(word.clone(), &format!("not {this}"))),
        7 => ("a line lost", put(line.clone(), "")),
        8 => {
            let twice = format!("{0}{0}", &text[line.clone()]);
            ("a line doubled", put(line.clone(), &twice))
        }
        9 => ("broken off", text[..word.start].to_owned()),
        10 => {
            let sign = ["{", "}", "(", ")", "\"", "..", ","][chance.below(7) as usize];
            ("a sign", put(word.clone(), &format!("{this} {sign}")))
        }
        11 | 12 => number(text, words, chance, put),
        _ => {
            let other = words[chance.below(words.len() as u64) as usize].start;
            let line = &text[line.clone()];
            (
                "a line elsewhere",
                format!("{}\n{line}{}", &text[..other], &text[other..]),
            )
        }
    };
    let place = text[..word.start].matches('\n').count() + 1;
    (format!("{what}, line {place}: {this} {that}"), slipped)
}

/// Another number, where there is one.
fn number(
    text: &str,
    words: &[Range<usize>],
    chance: &mut Chance,
    put: impl Fn(Range<usize>, &str) -> String,
) -> (&'static str, String) {
    let is_number = |word: &&Range<usize>| text[(*word).clone()].bytes().all(|byte| byte.is_ascii_digit());
    let numbers: Vec<&Range<usize>> = words.iter().filter(is_number).collect();
    if numbers.is_empty() {
        return ("nothing", text.to_owned());
    }
    let at = numbers[chance.below(numbers.len() as u64) as usize].clone();
    let old: u64 = text[at.clone()].parse().unwrap_or(0);
    let less = old.saturating_sub(1).to_string();
    let below = format!("-{}", old.max(1));
    let more = (old + 1).to_string();
    let new = [&more, &less, &below, "0", "64", "70", "99999"][chance.below(7) as usize];
    ("another number", put(at, new))
}

/// The slips of a text, each with its text.
fn slips(text: &str, name: &str, count: usize) -> Vec<(String, String)> {
    let words = words(text);
    let seed = name.bytes().fold(7_u64, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut chance = Chance::of_seed(seed);
    let count = if words.len() < 2 { 0 } else { count };
    (0..count).map(|_| slip(text, &words, &mut chance)).collect()
}

pub(super) fn path(path: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    path.strip_prefix(root).unwrap().display().to_string()
}

fn below(folders: &[&str], ending: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = folders
        .iter()
        .flat_map(|folder| files::below(&root.join(folder), ending));
    found.collect()
}

fn rules(net: &mut Net, name: &str, text: &str, shelf: &Shelf) {
    let root = name.rsplit('/').next().unwrap().trim_end_matches(".mafia");
    net.add(name, "told", &told(root, text, shelf));
    let laid_out =
        |text: &str| format(SourceId(0), text).unwrap_or_else(|why| format!("{} mistakes\n", why.len()));
    net.add(name, "layout", &laid_out(text));
    // What stands in a slipped text unchanged is not read anew, and only what can be laid out is.
    let (whole, problems) = parse_file(SourceId(0), text);
    let mut known = Known::default();
    known.add(text, &whole.items, &problems);
    for (what, slipped) in slips(text, name, SLIPS) {
        net.add(
            name,
            "slips",
            &format!("== {what}\n{}", told(root, &slipped, shelf)),
        );
        let (tree, problems) = parse_version(SourceId(0), &slipped, &known);
        let is_wrong = problems.iter().any(|problem| problem.severity == Severity::Error);
        let layout = if is_wrong {
            format!("{} mistakes\n", problems.len())
        } else {
            laid_out(&slipped)
        };
        let read = format!("{what}: {} declarations, {}\n", tree.items.len(), digest(&layout));
        net.add(name, "layout", &read);
    }
}

#[test]
fn rules_and_slips_in_them_are_told_as_before() {
    let mut net = Net::new("rules");
    let all = below(&["rulesets", "tests"], "mafia");
    for file in &all {
        rules(
            &mut net,
            &path(file),
            &files::read(file).unwrap(),
            &Shelf::beside(file),
        );
    }
    for (page, blocks) in all_pages() {
        for (number, block) in blocks.iter().enumerate().filter(|(_, block)| block.is("mafia")) {
            let name = format!("{} {number}", path(&page));
            net.add(&name, "told", &told("block", &block.text, &Shelf::default()));
            if block.is_whole() {
                rules(&mut net, &name, &block.text, &Shelf::default());
            }
        }
    }
    net.holds();
}

/// What comes of a file of scenarios.
pub(super) fn ran(shelf: Shelf, text: &str) -> String {
    let ran = run(shelf, "slipped.play", text);
    let mut out = ran.bench.with_sources(|sources| drawn(sources, &ran.problems));
    for report in &ran.reports {
        writeln!(out, "-- {}", report.name).unwrap();
        out += &ran
            .bench
            .with_sources(|sources| drawn(sources, &report.diagnostics));
        out += &ran.bench.with_sources(|sources| drawn(sources, &report.hollow));
    }
    out
}

#[test]
fn scenarios_and_slips_in_them_are_told_as_before() {
    let mut net = Net::new("scenarios");
    for file in below(&["rulesets", "tests"], "play") {
        let (name, text) = (path(&file), files::read(&file).unwrap());
        let runs = text.len() <= LONGEST;
        let laid_out = format_play(SourceId(0), &text).unwrap_or_default();
        net.add(&name, "layout", &laid_out);
        if runs {
            net.add(&name, "told", &ran(Shelf::beside(&file), &text));
        }
        for (what, slipped) in slips(&text, &name, PLAY_SLIPS) {
            let mut sources = Sources::default();
            let source = sources.add("slipped.play", slipped.clone());
            let (_, problems) = parse_play(source, &slipped);
            net.add(
                &name,
                "read",
                &format!("== {what}\n{}", drawn(&sources, &problems)),
            );
            if runs && problems.is_empty() {
                net.add(
                    &name,
                    "ran",
                    &format!("== {what}\n{}", ran(Shelf::beside(&file), &slipped)),
                );
            }
        }
    }
    net.holds();
}

/// The whole of what is told, with its repairs: the tables themselves say which line is told and in which words.
#[test]
fn the_rows_of_tables_are_told_as_before() {
    let mut net = Net::new("tables");
    let (beside, texts) = scenario_texts();
    for (heading, text) in texts {
        net.add(&heading, "ran", &ran(Shelf::beside(&beside), &text));
    }
    let (_, rules, scenarios) = slipped_texts();
    // A row of digests for some dozens of them: which it was stands in the text.
    for (which, texts) in [("slips of rules", rules), ("cases", tells::texts())] {
        for (number, chunk) in texts.chunks(40).enumerate() {
            for text in chunk {
                let name = format!("{which} {number}");
                net.add(&name, "told", &told("deed", text, &Shelf::default()));
            }
        }
    }
    for (number, chunk) in scenarios.chunks(20).enumerate() {
        for text in chunk {
            let name = format!("slips of scenarios {number}");
            net.add(&name, "ran", &ran(Shelf::default(), text));
        }
    }
    net.holds();
}
