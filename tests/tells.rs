//! What the check tells, and what it keeps silent about: small cases in the pages of `tests/tells/`.
//!
//! A case is a title after `==` and some lines, which stand in place of the `…` of the last frame. A line of
//! which something is told ends with `// CODE` and, if one likes, words of the message. Nothing else may be
//! told. A line with `// also CODE` and words is one that such a message shows beside its own. Cases stand below the code that they are about, `# CODE …`: some tell it, and some do not.

use crate::errors::{check, files};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Bounds that take hundreds of lines to reach; their pages in the book hold both sides.
const TOO_LONG: [&str; 2] = ["M0402", "M0409"];

struct Case {
    /// The code that it is about.
    about: String,
    title: String,
    text: String,
    /// Where its own lines stand in the text.
    own: Range<usize>,
}

/// The cases of all pages.
fn all_cases() -> Vec<Case> {
    let pages = files("tests/tells", ".txt");
    pages.iter().flat_map(|(_, page)| cases(page)).collect()
}

/// The texts of all cases.
pub fn texts() -> Vec<String> {
    all_cases().into_iter().map(|case| case.text).collect()
}

/// The same, each with the place of its own lines in the frame.
pub fn framed() -> Vec<(String, Range<usize>)> {
    all_cases()
        .into_iter()
        .map(|case| (case.text, case.own))
        .collect()
}

/// The cases of a page.
fn cases(page: &str) -> Vec<Case> {
    let (mut found, mut frame, mut about) = (Vec::<Case>::new(), String::new(), String::new());
    for part in page.split("\n== ").skip(1) {
        let (title, lines) = part.split_once('\n').unwrap();
        let (lines, heading) = lines.split_once("\n# ").unwrap_or((lines, ""));
        let lines = lines.trim_end();
        if title == "frame" {
            lines.clone_into(&mut frame);
        } else {
            let start = frame.find('…').unwrap_or(frame.len());
            found.push(Case {
                about: about.clone(),
                title: title.to_owned(),
                text: frame.replace('…', lines) + "\n",
                own: start..start + lines.len(),
            });
        }
        if let Some(code) = heading.split_whitespace().next() {
            code.clone_into(&mut about);
        }
    }
    found
}

/// What a line says is told of it: codes, each with words of its message.
fn told_of(line: &str) -> Vec<(&str, &str)> {
    let remarks = line
        .split(" // ")
        .skip(1)
        .filter(|remark| remark.starts_with('M'));
    remarks
        .map(|remark| remark.split_once(' ').unwrap_or((remark, "")))
        .collect()
}

/// The lines that messages show beside their own: each with the code, and words of what is said there.
fn also_shown(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let remarks = line.split(" // ").skip(1);
    remarks.filter_map(|remark| remark.strip_prefix("also ")?.split_once(' '))
}

/// What is wrong with a case, or nothing.
fn fault(case: &Case) -> Option<String> {
    let (sources, checked) = check(&case.text);
    let mut told: Vec<(usize, &str, &str)> = checked
        .diagnostics
        .iter()
        .map(|d| {
            let span = d.labels[0].span;
            let line = sources.get(span.source).place(span.start as usize).line;
            (line, d.code.0, d.message.as_str())
        })
        .collect();
    let mut missing = Vec::new();
    for (number, line) in case.text.lines().enumerate() {
        for (code, words) in told_of(line) {
            let is_it = |(at, has, message): &(usize, &str, &str)| {
                *at == number + 1 && *has == code && message.contains(words)
            };
            match told.iter().position(is_it) {
                Some(place) => drop(told.remove(place)),
                None => missing.push(format!("  not told: {} {code} {words}", number + 1)),
            }
        }
        for (code, words) in also_shown(line) {
            let of_code = checked.diagnostics.iter().filter(|d| d.code.0 == code);
            let is_shown = of_code.flat_map(|d| &d.labels[1..]).any(|label| {
                let place = sources.get(label.span.source).place(label.span.start as usize);
                place.line == number + 1 && label.text.contains(words)
            });
            if !is_shown {
                missing.push(format!("  not shown beside: {} {code} {words}", number + 1));
            }
        }
    }
    let besides = told
        .iter()
        .map(|(line, code, message)| format!("  told: {line} {code} {message}"));
    let faults: Vec<String> = missing.into_iter().chain(besides).collect();
    let title = format!("{}: {}", case.about, case.title);
    (!faults.is_empty()).then(|| format!("{title}\n{}\n{}", faults.join("\n"), case.text))
}

#[test]
fn each_case_is_told_what_stands_at_its_lines_and_nothing_else() {
    let faults: Vec<String> = all_cases().iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn each_code_has_a_case_that_tells_it_and_one_that_does_not() {
    let mut sides: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    for case in all_cases() {
        let tells = case
            .text
            .lines()
            .flat_map(told_of)
            .any(|(code, _)| code == case.about);
        sides.entry(case.about).or_default().insert(tells);
    }
    for (code, sides) in &sides {
        assert_eq!(sides.len(), 2, "{code} has one side only");
    }
    let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/errors")).unwrap();
    for page in pages {
        let name = page.unwrap().file_name().into_string().unwrap();
        let code = name.trim_end_matches(".md");
        let is_ours = ["M04", "M06", "M07"]
            .iter()
            .any(|family| code.starts_with(family));
        assert!(
            !is_ours || sides.contains_key(code) || TOO_LONG.contains(&code),
            "{code} has no cases"
        );
    }
}
