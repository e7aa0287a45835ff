//! What authors get wrong (`tests/tables/authors.txt`): each slip is told where a look at the text can see it.

use crate::program::{folder_with, omerta_in, write};
use std::fs;

/// The rules with some of their lines written otherwise.
fn with_slip(rules: &[&str], slip: &[&str]) -> String {
    let mut lines: Vec<Option<&str>> = rules.iter().copied().map(Some).collect();
    let mut written: Vec<Vec<&str>> = vec![Vec::new(); rules.len() + 1];
    let mut at = 0;
    for line in slip {
        let place = line.split_once('-');
        match place.and_then(|(from, to)| Some((from.parse::<usize>().ok()?, to.parse().ok()?))) {
            Some((from, to)) => {
                lines[from - 1..to].fill(None);
                at = from - 1;
            }
            None => written[at].push(line),
        }
    }
    let mut text = String::new();
    for (at, new) in written.iter().enumerate() {
        for line in new.iter().copied().chain(lines.get(at).copied().flatten()) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

#[test]
fn what_authors_get_wrong_is_told() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables/authors.txt")).unwrap();
    let mut parts = page.split("\n== ");
    let rules: Vec<&str> = parts
        .next()
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with("//"))
        .collect();
    let folder = folder_with(&(rules.join("\n") + "\n"), "");
    let told = |args: &[&str]| {
        let out = omerta_in(folder.path(), args, b"").out;
        let mut codes: Vec<String> = out
            .split("\"code\":")
            .skip(1)
            .filter_map(|code| Some(code.split('"').nth(1)?.to_owned()))
            .collect();
        codes.sort();
        codes.dedup();
        codes
    };
    let check = ["check", "tiny.mafia", "--format", "json"];
    assert!(told(&check).is_empty());
    let (mut otherwise, mut slips) = (Vec::new(), 0);
    for part in parts {
        let mut lines = part.lines();
        let (name, wanted) = lines.next().unwrap().split_once(" | ").unwrap();
        let slip: Vec<&str> = lines.collect();
        write(folder.path(), "tiny.mafia", &with_slip(&rules, &slip));
        let (deep, wanted) = match wanted.strip_prefix("deep ") {
            Some(wanted) => (true, wanted),
            None => (false, wanted),
        };
        let mut found = told(&check);
        if deep {
            assert!(found.is_empty(), "{name} is told without a deep check: {found:?}");
            found = told(&[
                "check",
                "--deep",
                "--games",
                "400",
                "tiny.mafia",
                "--format",
                "json",
            ]);
        }
        let wanted: Vec<&str> = wanted.split(' ').filter(|code| *code != "nothing").collect();
        slips += 1;
        if found != wanted {
            otherwise.push(format!("{name}: {found:?} instead of {wanted:?}"));
        }
    }
    assert!(slips > 50, "{slips}");
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
}
