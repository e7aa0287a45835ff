//! The pages of `docs/` are one book: every page is in it once, and links lead somewhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

/// The pages that are no page of the book.
const NOT_IN_THE_BOOK: &[&str] = &["docs/SUMMARY.md"];

/// Where links are looked at besides `docs/`.
const OTHER_PAGES: &[&str] = &["README.md", "CHANGELOG.md"];

/// A link as it is written: where, how it reads, where to.
struct Link {
    line: usize,
    reads: String,
    to: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

/// All pages, by their names from the root.
fn pages() -> BTreeSet<String> {
    let mut found: BTreeSet<String> = OTHER_PAGES.iter().map(|page| (*page).to_owned()).collect();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.insert(name_of(&path));
            }
        }
    }
    found
}

fn name_of(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap();
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// The lines of a page that are no block between fences.
fn prose(page: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (number, line) in read(page).lines().enumerate() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            lines.push((number + 1, line.to_owned()));
        }
    }
    lines
}

/// The links of a page; what stands between backticks is none.
fn links(page: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (line, text) in prose(page) {
        let mut rest = text.as_str();
        while let Some(at) = rest.find("](") {
            let before = &rest[..at];
            let after = &rest[at + 2..];
            let end = after.find(')').unwrap_or(after.len());
            let code = before.matches('`').count() % 2 == 1;
            if let Some(open) = before.rfind('[').filter(|_| !code) {
                found.push(Link {
                    line,
                    reads: before[open + 1..].to_owned(),
                    to: after[..end].to_owned(),
                });
            }
            rest = &after[end..];
        }
    }
    found
}

/// The marks that headings leave: `The order of rules` is `#the-order-of-rules`.
fn marks(page: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (_, line) in prose(page) {
        let Some((_, heading)) = line
            .split_once("# ")
            .filter(|(level, _)| level.chars().all(|c| c == '#'))
        else {
            continue;
        };
        let mark = mark(heading);
        let times = seen.entry(mark.clone()).or_default();
        found.insert(if *times == 0 {
            mark
        } else {
            format!("{mark}-{times}")
        });
        *times += 1;
    }
    found
}

fn mark(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() })
        .collect()
}

/// A link followed from its page: the file, from the root, and the mark in it.
fn follow(page: &str, to: &str) -> (String, Option<String>) {
    let (path, mark) = match to.split_once('#') {
        Some((path, mark)) => (path, Some(mark.to_owned())),
        None => (to, None),
    };
    if path.is_empty() {
        return (page.to_owned(), mark);
    }
    let mut whole = PathBuf::new();
    for part in Path::new(page).parent().unwrap().join(path).components() {
        match part {
            Component::ParentDir => assert!(whole.pop(), "{page}: `{to}` leads out of the project"),
            part => whole.push(part),
        }
    }
    (whole.to_string_lossy().replace('\\', "/"), mark)
}

#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let (mut faults, mut seen) = (Vec::new(), 0);
    let pages = pages();
    let marks: BTreeMap<&String, BTreeSet<String>> = pages.iter().map(|page| (page, marks(page))).collect();
    for page in &pages {
        for link in links(page).iter().filter(|link| !link.to.contains("://")) {
            seen += 1;
            let (file, mark) = follow(page, &link.to);
            let there = root().join(&file).exists();
            let marked = match (&mark, marks.get(&file)) {
                (Some(mark), Some(marks)) => marks.contains(mark),
                (Some(_), None) => false,
                (None, _) => true,
            };
            if !there || !marked {
                faults.push(format!("{page}:{}: `{}` leads nowhere", link.line, link.to));
            }
        }
    }
    none(&faults);
    assert!(seen > 100, "only {seen} links");
}

/// A page links only to what the book has, for a reader of the book has nothing else.
#[test]
fn the_book_has_every_page_once_and_nothing_else() {
    let mut faults = Vec::new();
    let mut listed = BTreeSet::new();
    for link in links("docs/SUMMARY.md") {
        let (page, _) = follow("docs/SUMMARY.md", &link.to);
        if !root().join(&page).is_file() {
            faults.push(format!("docs/SUMMARY.md:{}: there is no {page}", link.line));
            continue;
        }
        let heading = read(&page)
            .lines()
            .next()
            .unwrap_or("")
            .trim_start_matches("# ")
            .to_owned();
        if page.starts_with("docs/errors/M") && link.reads != heading {
            faults.push(format!(
                "docs/SUMMARY.md:{}: the page is called `{heading}`",
                link.line
            ));
        }
        if !listed.insert(page.clone()) {
            faults.push(format!("docs/SUMMARY.md:{}: {page} a second time", link.line));
        }
    }
    let ours = pages()
        .into_iter()
        .filter(|page| page.starts_with("docs/") && !NOT_IN_THE_BOOK.contains(&page.as_str()));
    for page in ours.filter(|page| !listed.contains(page)) {
        let heading = read(&page)
            .lines()
            .next()
            .unwrap_or("")
            .trim_start_matches("# ")
            .to_owned();
        let from = page.trim_start_matches("docs/");
        faults.push(format!(
            "docs/SUMMARY.md: add `- [{heading}]({from})` at its place"
        ));
    }
    none(&faults);
}

#[test]
fn codes_stand_in_their_order() {
    let codes: Vec<String> = links("docs/SUMMARY.md").into_iter().map(|link| link.to).collect();
    let codes: Vec<&String> = codes.iter().filter(|to| to.starts_with("errors/M")).collect();
    assert!(codes.is_sorted() && codes.len() > 100, "{codes:?}");
}

#[test]
fn links_and_marks_are_read_as_browsers_read_them() {
    assert_eq!(
        mark("`and` and `or` join conditions, never players"),
        "and-and-or-join-conditions-never-players"
    );
    assert_eq!(mark("`std.night`"), "stdnight");
    assert_eq!(
        follow("docs/book/play.md", "../tour.md#x"),
        ("docs/tour.md".to_owned(), Some("x".to_owned()))
    );
    assert_eq!(
        follow("docs/tour.md", "#x"),
        ("docs/tour.md".to_owned(), Some("x".to_owned()))
    );
}
