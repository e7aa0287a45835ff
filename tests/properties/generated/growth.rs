//! From numbers to a ruleset: each number picks one of the ways that stand open, 0 the simplest; where
//! they run out everything ends as soon as it can. So fewer and smaller numbers give a smaller text.

use super::grammar::{Grammar, Part, Way};
use std::{collections::BTreeSet, iter::repeat_n};

/// How deep kinds may stand in one another.
const DEEPEST: usize = 9;
/// As many ways as one that speaks of a known name stands for.
const WANTED: usize = 4;
/// How many numbers a declaration reads, from a place of its own on.
const SHAPE: usize = 24;
/// What an overlay must be told of before it may use it.
const PUBLISHED: [&str; 11] = [
    "mark ", "flag ", "count ", "word ", "link ", "define ", "event ", "scene ", "rule ", "hook ", "// from ",
];

/// What a ruleset grows from.
#[derive(Clone, Debug)]
pub struct Seed {
    pub seats: u8,
    /// The script, the cast, and what is declared because something speaks of it.
    pub shapes: Vec<u8>,
    /// The statements of the script.
    pub statements: Vec<Vec<u8>>,
    /// Rules, offers, endings and the like.
    pub items: Vec<Vec<u8>>,
    /// What stands in an overlay.
    pub overlay: Vec<Vec<u8>>,
}

/// A ruleset as text, and the ways it was written in.
#[derive(Clone, Debug)]
pub struct Grown {
    pub base: String,
    /// Empty where there is none.
    pub overlay: String,
    pub ways: BTreeSet<&'static str>,
}

struct Growth<'g> {
    grammar: &'g Grammar,
    tape: Vec<u8>,
    flags: Vec<&'static str>,
    /// Names that are known, by kind, and those that will be from the next brace on.
    known: Vec<(&'static str, String)>,
    coming: Vec<(&'static str, String)>,
    /// How many names were known outside of each open brace.
    braces: Vec<usize>,
    in_text: bool,
    named: usize,
    body: String,
    out: String,
    ways: BTreeSet<&'static str>,
}

pub fn grow(grammar: &Grammar, seed: &Seed) -> Grown {
    let mut growth = Growth {
        grammar,
        tape: Vec::new(),
        flags: Vec::new(),
        known: Vec::new(),
        coming: Vec::new(),
        braces: Vec::new(),
        in_text: false,
        named: 0,
        body: String::new(),
        out: String::new(),
        ways: BTreeSet::new(),
    };
    if seed.seats == 64 {
        // Cards and tokens are 64 at the most.
        growth.flags.push("crowd");
    }
    growth.flags.push("script");
    let statements = growth.list("statement", &seed.statements);
    growth.flags.pop();
    growth.known.clear();
    growth.body = statements.join("\n");
    let head = format!("ruleset grown\nuse std.table\nplayers {}\n", seed.seats);
    let script = growth.declare("script", &seed.shapes, 0);
    let cast = growth.declare("cast", &seed.shapes, 1);
    let items = growth.list("item", &seed.items).join("\n");
    growth.known.retain(|(kind, _)| *kind != "rule");
    let overlay = growth.list("overlay-item", &seed.overlay).join("\n");
    let (declared, published) = growth.declarations(
        &[script.as_str(), &cast, &items, &overlay].join("\n"),
        &overlay,
        &seed.shapes,
    );
    Grown {
        base: [&head, &published, &cast, &declared, &items, &script, ""].join("\n"),
        overlay: match overlay.is_empty() {
            true => overlay,
            false => format!("overlay more on grown {{\n{overlay}\n}}\n"),
        },
        ways: growth.ways,
    }
}

/// The words of a text that may be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
}

impl Growth<'_> {
    /// Things side by side, each from numbers of its own.
    fn list(&mut self, kind: &'static str, tapes: &[Vec<u8>]) -> Vec<String> {
        let one = |tape: &Vec<u8>| {
            self.tape = tape.iter().rev().copied().collect();
            self.grow(kind, 0);
            if kind != "statement" {
                // A name from inside an item is not known in the next; only items know one another.
                self.known.retain(|(kind, _)| ["rule", "ending"].contains(kind));
            }
            std::mem::take(&mut self.out)
        };
        tapes.iter().map(one).collect()
    }

    /// One thing from the numbers of a place.
    fn declare(&mut self, kind: &'static str, shapes: &[u8], place: usize) -> String {
        // Short tapes serve all alike; on long ones each has a place of its own.
        let from = place * 7 % (shapes.len() + 1);
        self.tape = shapes[from..].iter().take(SHAPE).rev().copied().collect();
        let known = std::mem::take(&mut self.known);
        self.grow(kind, 0);
        self.known = known;
        std::mem::take(&mut self.out)
    }

    /// All that a text speaks of, and what that speaks of; and what an overlay may use of it.
    fn declarations(&mut self, text: &str, overlay: &str, shapes: &[u8]) -> (String, String) {
        let all: Vec<(&str, &str)> = self.grammar.declared().collect();
        let mut named: BTreeSet<String> = words(text).map(str::to_owned).collect();
        let (mut declared, mut published) = (BTreeSet::new(), Vec::new());
        let mut lines = BTreeSet::new();
        while let Some(place) =
            (0..all.len()).find(|place| !declared.contains(place) && named.contains(all[*place].0))
        {
            declared.insert(place);
            let (name, kind) = all[place];
            let line = self.declare(kind, shapes, place);
            if PUBLISHED.iter().any(|sort| line.starts_with(sort)) && words(overlay).any(|word| word == name)
            {
                published.push(name);
            }
            named.extend(words(&line).map(str::to_owned));
            lines.insert(line);
        }
        let publish = match published.is_empty() {
            true => String::new(),
            false => format!("publish {}", published.join(", ")),
        };
        (lines.into_iter().collect::<Vec<_>>().join("\n"), publish)
    }

    fn is_open(&self, way: &Way) -> bool {
        let flags = way
            .flags
            .iter()
            .all(|(flag, up)| self.flags.contains(flag) == *up);
        let known = |kind: &&str| self.known.iter().any(|(known, _)| known == kind);
        flags && way.locals.iter().all(known)
    }

    fn grow(&mut self, kind: &'static str, depth: usize) {
        let open: Vec<&Way> = self
            .grammar
            .ways(kind)
            .iter()
            .filter(|way| self.is_open(way))
            // What speaks of a name is seldom open, and then it is wanted.
            .flat_map(|way| repeat_n(way, if way.locals.is_empty() { 1 } else { WANTED }))
            .collect();
        let number = self.tape.pop().filter(|_| depth < DEEPEST).unwrap_or(0);
        let way = open[usize::from(number) % open.len()];
        self.ways.insert(way.line);
        let mut later = Vec::new();
        for part in &way.parts {
            match part {
                Part::Words(words) => self.say(words),
                Part::Body => self.out.push_str(&self.body),
                Part::Kind(flags, kind) => {
                    let before = self.flags.len();
                    self.flags.extend(flags);
                    self.grow(kind, depth + 1);
                    self.flags.truncate(before);
                }
                Part::New(kind) => later.push((*kind, self.name(kind))),
                Part::Inside(kind) => {
                    let name = self.name(kind);
                    self.coming.push((kind, name));
                }
                Part::Local(kind) => {
                    let known: Vec<_> = self.known.iter().filter(|(known, _)| known == kind).collect();
                    let number = usize::from(self.tape.pop().unwrap_or(0)) % known.len();
                    self.out.push_str(&known[known.len() - 1 - number].1);
                }
            }
        }
        self.known.append(&mut later);
    }

    /// A name that nothing has yet.
    fn name(&mut self, kind: &str) -> String {
        self.named += 1;
        let name = format!("{}{}", &kind[..1], self.named);
        self.out.push_str(&name);
        name
    }

    /// Adds words; braces outside of texts open and close a place for names.
    fn say(&mut self, words: &str) {
        self.out.push_str(words);
        for sign in words.chars() {
            match sign {
                '"' => self.in_text = !self.in_text,
                '{' if !self.in_text => {
                    self.braces.push(self.known.len());
                    self.known.append(&mut self.coming);
                }
                '}' if !self.in_text => {
                    let outside = self.braces.pop().expect("braces are closed once");
                    self.known.truncate(outside);
                }
                _ => {}
            }
        }
    }
}
