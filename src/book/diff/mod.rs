//! Two rulesets compared by what they mean, as a short list.

mod meaning;
mod tables;

use crate::subject::Subject;
use meaning::{SORTS, Thing};
use similar::{DiffTag, capture_diff_slices};
use std::collections::BTreeMap;

/// How many changes of one thing are shown; more are only counted.
const SHOWN: usize = 3;
/// How many words of one change are shown.
const WORDS: usize = 14;

/// A heading and the lines below it.
pub struct Part {
    /// What sort of things.
    pub head: &'static str,
    /// One line for each difference.
    pub lines: Vec<String>,
}

/// Everything in which the second differs from the first; nothing where they mean the same.
pub fn difference(first: Subject<'_>, second: Subject<'_>) -> Vec<Part> {
    let (before, after) = (things(first), things(second));
    let mut parts: Vec<Part> = SORTS
        .iter()
        .map(|sort| Part {
            head: sort,
            lines: compare(&of(sort, &before), &of(sort, &after)),
        })
        .collect();
    let in_order = |head: &str, before: Vec<String>, after: Vec<String>, parts: &mut Vec<Part>| {
        let lines = order(&before, &after);
        if let Some(part) = parts.iter_mut().find(|part| part.head == head) {
            // What only one of them has is told with its place.
            let is_placed = |line: &String| {
                let (sign, name) = line.split_at(2);
                before.iter().chain(&after).any(|placed| placed == name) && matches!(sign, "+ " | "- ")
            };
            part.lines.retain(|line| !is_placed(line));
            part.lines.splice(0..0, lines);
        }
    };
    in_order(
        "When called",
        tables::calls(first),
        tables::calls(second),
        &mut parts,
    );
    in_order(
        "Endings",
        tables::endings(first),
        tables::endings(second),
        &mut parts,
    );
    if let Some(part) = parts.iter_mut().find(|part| part.head == "Rules") {
        part.lines.extend(meaning::turned_round(first, second));
    }
    parts.retain(|part| !part.lines.is_empty());
    parts
}

fn things(subject: Subject<'_>) -> Vec<Thing> {
    let mut all = tables::things(subject);
    all.extend(meaning::things(subject));
    all
}

fn of<'t>(sort: &str, things: &'t [Thing]) -> Vec<&'t Thing> {
    things.iter().filter(|thing| thing.sort == sort).collect()
}

/// What is only in one of them, and what is another thing under the same name.
fn compare(before: &[&Thing], after: &[&Thing]) -> Vec<String> {
    let by_name = |things: &[&Thing]| -> BTreeMap<String, usize> {
        let places = things.iter().enumerate().rev();
        places.map(|(at, thing)| (thing.name.clone(), at)).collect()
    };
    let (earlier, later) = (by_name(before), by_name(after));
    let mut lines = Vec::new();
    for thing in before.iter().filter(|thing| !later.contains_key(&thing.name)) {
        lines.push(format!("- {}", thing.label));
    }
    for thing in after.iter().filter(|thing| !earlier.contains_key(&thing.name)) {
        lines.push(format!("+ {}", thing.label));
    }
    for thing in after {
        let other = earlier.get(&thing.name).map(|at| before[*at]);
        if let Some(other) = other.filter(|other| other.words != thing.words) {
            lines.push(format!("~ {}: {}", thing.name, change(&other.words, thing)));
        }
    }
    lines
}

/// A word with letters for the names that are known only inside: `#1` of the normal form is shown as `p`.
fn with_names(word: &str) -> String {
    let mut shown = word.to_owned();
    for (number, letter) in (1..).zip('p'..='z') {
        let name = format!("#{number}");
        if word == name {
            return letter.to_string();
        }
        shown = shown.replace(&format!("{{{name}}}"), &format!("{{{letter}}}"));
    }
    shown
}

/// `at most 1 → at most 2`, or how many words differ where that would be long.
fn change(before: &[String], thing: &Thing) -> String {
    let after = &thing.words[..];
    let ops = capture_diff_slices(similar::Algorithm::Myers, before, after);
    let mut shown = Vec::new();
    let (mut less, mut more) = (0, 0);
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (old, new) = (op.old_range(), op.new_range());
        less += old.len();
        more += new.len();
        // A word before what differs says where it stands.
        let start = |at: usize, most: usize| at.saturating_sub(most);
        let around = if thing.joint == " " { 2 } else { 0 };
        let told = |words: &[String], from: usize, to: usize| match from == to {
            true => "nothing".to_owned(),
            false => { words[from..to].iter() }
                .map(|word| with_names(word))
                .collect::<Vec<_>>()
                .join(thing.joint),
        };
        let place: Vec<String> = { before[start(old.start, around)..old.start].iter() }
            .map(|word| with_names(word))
            .collect();
        let place = place.join(" ");
        let place = match place.is_empty() {
            true => String::new(),
            false => format!("{place} "),
        };
        let (old, new) = (told(before, old.start, old.end), told(after, new.start, new.end));
        shown.push(format!("{place}[{old} → {new}]"));
    }
    let long = shown
        .iter()
        .any(|words| words.split_whitespace().count() > WORDS + 6);
    match shown.len() > SHOWN || long {
        true => format!(
            "{less} {} gone, {more} new",
            if less == 1 { "word" } else { "words" }
        ),
        false => shown.join("; "),
    }
}

/// Two orders: what came, what went, and whether what is left stands in another order.
fn order(before: &[String], after: &[String]) -> Vec<String> {
    let ops = capture_diff_slices(similar::Algorithm::Myers, before, after);
    let mut lines = Vec::new();
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        for old in op.old_range() {
            let moved =
                after.contains(&before[old]) && count(before, &before[old]) == count(after, &before[old]);
            if !moved {
                lines.push(format!("- {}. {}", old + 1, before[old]));
            }
        }
        for new in op.new_range() {
            let moved = count(before, &after[new]) == count(after, &after[new]);
            lines.push(match moved {
                false => format!("+ {}. {}", new + 1, after[new]),
                true => {
                    let old = before.iter().position(|other| *other == after[new]).unwrap_or(0);
                    format!("~ {}: {}. → {}.", after[new], old + 1, new + 1)
                }
            });
        }
    }
    lines
}

fn count(all: &[String], one: &str) -> usize {
    all.iter().filter(|other| *other == one).count()
}
