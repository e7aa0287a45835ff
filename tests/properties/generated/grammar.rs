//! A grammar of texts: each kind of thing with the ways in which it may be written.
//!
//! A file has a kind at the beginning of a line and below it, two spaces in, one way a line. In angle
//! brackets stand `<kind>`, grown in its place; `<new kind>`, a new name of that kind, known from there
//! on; `<inner kind>`, one that is known in the next `{ … }` alone; `<local kind>`, a name that is known;
//! `<with flag kind>`, grown where ways behind `[flag]` stand open and those behind `[-flag]` do not;
//! `<newline>` and `<the body>`. `~` is no text.

use omerta_workbench::files;
use std::{collections::BTreeMap, path::Path};

const FILES: [&str; 3] = ["values", "statements", "declarations"];

/// The ways by kind.
pub struct Grammar(BTreeMap<&'static str, Vec<Way>>);

/// One way to write a thing.
pub struct Way {
    /// The line in its file.
    pub line: &'static str,
    /// Flags that must be up, and flags that must not.
    pub flags: Vec<(&'static str, bool)>,
    /// Kinds of which a name must be known.
    pub locals: Vec<&'static str>,
    pub parts: Vec<Part>,
}

/// A piece of a way.
pub enum Part {
    Words(&'static str),
    Kind(Vec<&'static str>, &'static str),
    New(&'static str),
    Inside(&'static str),
    Local(&'static str),
    Body,
}

impl Grammar {
    pub fn read() -> Grammar {
        let mut ways: BTreeMap<_, Vec<Way>> = BTreeMap::new();
        for file in FILES {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/properties/generated");
            // Read once, and held as long as the tests run.
            let file: &'static str = files::read(&folder.join(file).with_extension("grammar"))
                .unwrap()
                .leak();
            let mut kind = "";
            for line in file.lines().filter(|line| !line.starts_with("//")) {
                match line.strip_prefix("  ") {
                    Some(way) => ways.entry(kind).or_default().push(Way::read(way)),
                    None => kind = line,
                }
            }
        }
        Grammar(ways)
    }

    pub fn ways(&self, kind: &str) -> &[Way] {
        let ways = self.0.get(kind);
        ways.unwrap_or_else(|| panic!("the grammar has no `{kind}`"))
    }

    /// The names behind `declare`, in order.
    pub fn declared(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let name = |kind: &&'static str| Some((kind.strip_prefix("declare ")?, *kind));
        self.0.keys().filter_map(name)
    }

    /// All ways there are.
    pub fn all(&self) -> impl Iterator<Item = &Way> {
        self.0.values().flatten()
    }
}

impl Way {
    fn read(line: &'static str) -> Way {
        let (mut flags, mut locals, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = line;
        while let Some((flag, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            let down = flag.strip_prefix('-');
            flags.push((down.unwrap_or(flag), down.is_none()));
            rest = behind;
        }
        let mut made = Vec::new();
        while let Some((words, behind)) = rest.split_once('<') {
            let (hole, behind) = behind.split_once('>').expect("`<` is closed");
            parts.push(Part::Words(words));
            let words: Vec<&'static str> = hole.split(' ').collect();
            parts.push(match words[..] {
                ["newline"] => Part::Words("\n"),
                ["the", "body"] => Part::Body,
                ["new", kind] => Part::New(kind),
                ["inner", kind] => {
                    made.push(kind);
                    Part::Inside(kind)
                }
                ["local", kind] => {
                    if !made.contains(&kind) {
                        locals.push(kind);
                    }
                    Part::Local(kind)
                }
                ["with", ref flags @ .., kind] => Part::Kind(flags.to_vec(), kind),
                [kind] => Part::Kind(Vec::new(), kind),
                _ => panic!("`<{hole}>` is nothing"),
            });
            rest = behind;
        }
        parts.push(Part::Words(if rest == "~" { "" } else { rest }));
        Way {
            line,
            flags,
            locals,
            parts,
        }
    }
}
