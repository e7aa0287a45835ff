//! What was touched, as data, and for tools that know LCOV.

use super::text::{Coverage, Sort, Text};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// What scenarios touched and did not, text by text.
#[derive(Serialize)]
pub struct Report<'a> {
    version: u32,
    /// Each text, by its name.
    pub files: Vec<FileReport<'a>>,
}

/// What was touched of one text.
#[derive(Serialize)]
pub struct FileReport<'a> {
    /// Its name.
    pub file: &'a str,
    /// How many places were touched.
    pub touched: usize,
    /// How many there are.
    pub places: usize,
    /// Those that were not.
    pub untouched: Vec<Untouched>,
}

/// A place that no scenario touched.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Untouched {
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// What never happened there.
    pub what: String,
}

impl Sort {
    /// What is said of one that no scenario touched.
    fn untouched(self, name: &str) -> String {
        match self {
            Sort::Role => format!("role `{name}` is never in a cast"),
            Sort::Call => format!("the call of `{name}` is never made"),
            Sort::Rule => format!("rule `{name}` never comes in"),
            Sort::Offer => format!("`{name}` is never done"),
            Sort::Ending => format!("no game ends by `{name}`"),
            Sort::Option => format!("option never `{name}`"),
            Sort::Hook => format!("hook `{name}` is never asked"),
        }
    }
}

impl Text {
    fn at(&self, offset: u32, what: String) -> Untouched {
        let place = self.source.place(offset as usize);
        Untouched {
            line: place.line,
            column: place.column,
            what,
        }
    }

    /// How many places were touched, and how many there are.
    fn count(&self) -> (usize, usize) {
        let ways = self.branches.values().flat_map(|(on, past)| [on, past]);
        let all = self
            .places
            .values()
            .chain(self.named.values())
            .chain(self.overlays.values())
            .chain(ways);
        all.fold((0, 0), |(touched, all), count| {
            (touched + usize::from(*count > 0), all + 1)
        })
    }

    /// What no scenario touched. Of what lies inside another untouched place nothing more is said.
    fn untouched(&self) -> Vec<Untouched> {
        let mut list = Vec::new();
        let mut behind = 0;
        for (&(start, end), &count) in &self.places {
            if count == 0 && start >= behind {
                let words = self
                    .source
                    .text
                    .get(start as usize..end as usize)
                    .unwrap_or_default();
                let first = words.lines().next().unwrap_or_default();
                list.push(self.at(start, format!("never done: {}", first.trim())));
                behind = end;
            }
        }
        for (&(start, _), &(on, past)) in &self.branches {
            match (on, past) {
                (0, 1..) => list.push(self.at(start, "its condition never holds".to_owned())),
                (1.., 0) => list.push(self.at(start, "its condition always holds".to_owned())),
                _ => {}
            }
        }
        for ((start, sort, name), count) in &self.named {
            if *count == 0 {
                list.push(self.at(*start, sort.untouched(name)));
            }
        }
        for ((start, name), count) in &self.overlays {
            if *count == 0 {
                list.push(self.at(*start, format!("overlay `{name}` is never laid on")));
            }
        }
        list.sort();
        list
    }

    /// How many scenarios came to each line on which something begins.
    fn lines(&self) -> BTreeMap<usize, usize> {
        let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
        for (&(start, _), &count) in &self.places {
            let line = lines.entry(self.source.place(start as usize).line).or_default();
            *line = count.max(*line);
        }
        lines
    }
}

impl Coverage {
    /// What was touched, and what was not.
    pub fn report(&self) -> Report<'_> {
        let file = |(name, text): (_, &Text)| {
            let (touched, places) = text.count();
            FileReport {
                file: name,
                touched,
                places,
                untouched: text.untouched(),
            }
        };
        let files = self.texts.iter().map(|(name, text)| file((name.as_str(), text)));
        Report {
            version: VERSION,
            files: files.collect(),
        }
    }
}

/// The tracefile that `genhtml` and editors read. Lines are those on which a statement begins,
/// functions are what has a name, branches the two ways on of a condition.
pub fn lcov(coverage: &Coverage) -> String {
    let mut out = String::new();
    for (name, text) in &coverage.texts {
        // Writing into a text cannot fail.
        let _ = text.lcov(name, &mut out);
    }
    out
}

impl Text {
    fn lcov(&self, name: &str, out: &mut String) -> std::fmt::Result {
        let line = |offset: u32| self.source.place(offset as usize).line;
        writeln!(out, "TN:\nSF:{name}")?;
        for (start, sort, name) in self.named.keys() {
            writeln!(out, "FN:{},{} {name}", line(*start), sort.word())?;
        }
        for ((_, sort, name), count) in &self.named {
            writeln!(out, "FNDA:{count},{} {name}", sort.word())?;
        }
        writeln!(out, "FNF:{}", self.named.len())?;
        writeln!(
            out,
            "FNH:{}",
            self.named.values().filter(|count| **count > 0).count()
        )?;
        for (block, (&(start, _), (on, past))) in self.branches.iter().enumerate() {
            writeln!(out, "BRDA:{},{block},0,{on}", line(start))?;
            writeln!(out, "BRDA:{},{block},1,{past}", line(start))?;
        }
        let ways = || self.branches.values().flat_map(|(on, past)| [on, past]);
        writeln!(
            out,
            "BRF:{}\nBRH:{}",
            ways().count(),
            ways().filter(|count| **count > 0).count()
        )?;
        let lines = self.lines();
        for (line, count) in &lines {
            writeln!(out, "DA:{line},{count}")?;
        }
        let hit = lines.values().filter(|count| **count > 0).count();
        writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len())
    }
}

impl Sort {
    pub(super) fn word(self) -> &'static str {
        match self {
            Sort::Role => "role",
            Sort::Call => "call",
            Sort::Rule => "rule",
            Sort::Offer => "offer",
            Sort::Ending => "ending",
            Sort::Option => "option",
            Sort::Hook => "hook",
        }
    }
}
