//! The shapes that a line may take which somebody is writing, out of the reference, and how far it has come.

use crate::{
    project::FileKind,
    reference::{self, Written},
};
use omerta_syntax::{Sort, runs, words};
use std::{ops::Range, path::Path};

/// A shape of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// An example of it.
    pub text: String,
    /// What the reference says of it.
    pub told: String,
    /// The bytes of what is to be filled in.
    pub parts: Vec<Range<usize>>,
    /// Which of them is written next.
    pub next: Option<usize>,
}

/// The shapes that the line around a byte may still take.
pub fn shapes_at(path: &Path, text: &str, offset: usize) -> Option<Vec<Shape>> {
    let written = written(text.get(..offset)?);
    let (first, rest) = written.split_first()?;
    let place = match FileKind::of(path) {
        Some(FileKind::Play) => Written::InScenarios,
        _ => Written::First,
    };
    let examples = [reference::examples(first, place), own(first, place)].concat();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let shapes: Vec<(Shape, usize)> = { examples.into_iter() }
        .map(|(text, told)| shape(text, told, &rest))
        .collect();
    let likeliest = shapes.iter().map(|(_, likeness)| *likeness).max()?;
    let fit = shapes.into_iter().filter(|(_, likeness)| *likeness == likeliest);
    Some(fit.map(|(shape, _)| shape).collect())
}

/// The examples of the language's own table, where the reference has no row.
fn own(word: &str, place: Written) -> Vec<(String, String)> {
    let is_told = place == Written::InScenarios || !reference::examples(word, place).is_empty();
    let known = words::find(word).filter(|_| !is_told);
    let examples = known.map(|word| [word.statement, word.declaration, word.answer]);
    let examples = examples.into_iter().flatten().flatten();
    examples
        .map(|example| (example.to_owned(), String::new()))
        .collect()
}

/// The words of the statement or the declaration that a text ends in, as far as they stand on its last line.
fn written(before: &str) -> Vec<String> {
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let line = &before[line..];
    let mut written = Vec::new();
    for (range, sort) in runs(line) {
        match (&line[range.clone()], sort) {
            ("{" | "}", Sort::Sign) => written.clear(),
            (_, Sort::Comment) => return Vec::new(),
            // What ends at the cursor is still being written.
            (word, sort) if range.end < line.len() || sort == Sort::Sign || written.is_empty() => {
                written.push(word.to_owned());
            }
            _ => {}
        }
    }
    // A lone word is one that is to be completed.
    match line.ends_with(' ') || written.len() > 1 {
        true => written,
        false => Vec::new(),
    }
}

/// A shape, and how much like it a line looks that goes on with those words.
fn shape(text: String, told: String, written: &[&str]) -> (Shape, usize) {
    let (mut parts, mut likeness) = (Vec::new(), 0);
    let mut left = written;
    let mut next = None;
    for (range, sort) in runs(&text).into_iter().skip(1) {
        let word = &text[range.clone()];
        let is_fixed = match sort {
            Sort::Keyword | Sort::Sign => word != "…",
            Sort::Word => words::is_of_a_grammar(word),
            _ => false,
        };
        match left.iter().position(|written| *written == word) {
            Some(at) if is_fixed => {
                left = &left[at + 1..];
                likeness += 1;
                next = None;
            }
            _ if is_fixed => {}
            _ => {
                next = next.or(Some(parts.len()));
                parts.push(range);
            }
        }
    }
    // What was written behind the last of its words has filled some in.
    let next = next.map(|first| (first + left.len()).min(parts.len() - 1));
    let shape = Shape {
        text,
        told,
        parts,
        next,
    };
    (shape, likeness)
}
