//! What is said to be written can be had by one click, and whatever is offered mends what it is offered for.

use crate::{errors::files, tables::slipped_texts, tells};
use omerta_workbench::{
    findings::Finding,
    lookup::Edit,
    project::{FileCheck, Project},
    repairs::apply,
};
use std::path::{Path, PathBuf};

/// Helps that say what to write and have no edit, by a part of their words, each with its reason.
const BY_HAND: &[(&str, &str)] = &[];

/// A folder with texts in which something is wrong, the path of one after the other, and what is offered.
struct Desk {
    _held: tempfile::TempDir,
    home: PathBuf,
    project: Project,
}

impl Desk {
    fn new() -> Desk {
        let held = tempfile::tempdir().unwrap();
        let home = held.path().canonicalize().unwrap();
        std::fs::write(home.join("village.mafia"), slipped_texts().0).unwrap();
        Desk {
            _held: held,
            project: Project::new(vec![home.clone()], None),
            home,
        }
    }

    /// What is wrong with a text in itself.
    fn findings(&mut self, path: &Path, text: &str) -> Vec<Finding> {
        self.project.set(path, text.to_owned());
        let name = path.display().to_string();
        let check = self.project.check(path);
        let here = { check.findings.iter() }.filter(|finding| finding.at.source.name == name);
        here.cloned().collect()
    }
}

/// All texts in which something is wrong that the tables and the fixtures have, with the ending of their files.
fn wrong_texts() -> Vec<(String, &'static str)> {
    let (_, rules, scenarios) = slipped_texts();
    let fixtures = files("tests/errors", ".mafia").into_iter().map(|(_, text)| text);
    let of_rules = fixtures.chain(rules).chain(tells::texts());
    let of_rules = of_rules.map(|text| (text, "mafia"));
    of_rules.chain(scenarios.into_iter().map(|text| (text, "play"))).collect()
}

fn times(check: &FileCheck, wanted: &Finding) -> usize {
    let is_it = |found: &&Finding| {
        found.diagnostic.code == wanted.diagnostic.code && found.diagnostic.message == wanted.diagnostic.message
    };
    check.findings.iter().filter(is_it).count()
}

/// Every help that says what to write comes with an edit, and every edit takes away what it is offered for.
#[test]
fn what_is_said_to_be_written_is_one_click_and_mends() {
    let mut desk = Desk::new();
    let (mut offered, mut bare, mut idle) = (0, Vec::new(), Vec::new());
    for (number, (text, ending)) in wrong_texts().iter().enumerate() {
        let path = desk.home.join(format!("case.{ending}"));
        for finding in desk.findings(&path, text) {
            let fixes = desk.project.fixes(&path, &finding);
            let written = fixes.iter().filter(|fix| !fix.title.starts_with("Allow it here"));
            let help = finding.diagnostic.help.clone().unwrap_or_default();
            if written.count() == 0 && says_what_to_write(&help) {
                bare.push(help);
            }
            let before = desk.project.check(&path);
            // Of the same sort of repair, each tenth case is laid down in a fresh project and looked at by itself.
            for fix in fixes.iter().filter(|_| number % 10 == 0) {
                offered += 1;
                let edits: Vec<&Edit> = fix.edits.iter().collect();
                let after = apply(text, &edits).expect("edits of one text that do not touch");
                let mut other = Project::new(vec![desk.home.clone()], None);
                other.set(&path, after.clone());
                if times(&other.check(&path), &finding) >= times(&before, &finding) {
                    idle.push(format!("`{}` mends nothing:\n{after}", fix.title));
                }
            }
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n\n"));
    assert!(offered > 60, "only {offered} repairs were offered");
    bare.sort();
    bare.dedup();
    let unused = BY_HAND.iter().filter(|(words, _)| !bare.iter().any(|help| help.contains(words)));
    let unused: Vec<&str> = unused.map(|(words, _)| *words).collect();
    assert!(unused.is_empty(), "these have an edit by now: {}", unused.join(" | "));
    bare.retain(|help| !BY_HAND.iter().any(|(words, _)| help.contains(words)));
    assert!(bare.is_empty(), "{} without an edit:\n{}", bare.len(), bare.join("\n"));
}

/// Whether a help says what to write: all of it, with nothing left open that only its author knows.
fn says_what_to_write(help: &str) -> bool {
    let quoted = |at: &str| help.split_once(at).and_then(|(_, rest)| rest.split('`').next());
    let told = ["write `", "did you mean `"].into_iter().find_map(quoted);
    told.is_some_and(|words| !words.contains('…'))
}

/// Nothing is offered that would be told a mistake where it stands.
#[test]
fn what_is_offered_to_be_written_is_no_mistake_there() {
    const HOLES: [&str; 14] = [
        "mark prey as |",
        "play |",
        "do |",
        "do departure of |",
        "ask |",
        "ask host for x from |",
        "if | { judge }",
        "if some | { judge }",
        "if fierce is | { judge }",
        "clear |",
        "show role of | to players",
        "call |",
        "let n = number of |",
        "for each q of | { judge }",
    ];
    let folder = super::folder();
    let path = folder.path.join("tiny.mafia");
    let rules = std::fs::read_to_string(&path).unwrap();
    let mut wrong = Vec::new();
    for hole in HOLES {
        let (before, after) = hole.split_once('|').unwrap();
        let (head, tail) = rules.split_once("  judge\n").unwrap();
        let text = |word: &str| format!("{head}  {before}{word}{after}\n  judge\n{tail}");
        let place = head.len() + 2 + before.len();
        let mut project = Project::new(vec![folder.path.clone()], None);
        project.set(&path, text(""));
        let offers = project.offers(&path, place).unwrap();
        assert!(!offers.all.is_empty(), "{hole}");
        for offer in offers.all.iter().filter(|offer| offer.sort != "whole") {
            let texts = [(path.clone(), text(&offer.text))].into_iter().collect();
            let found = project.check_with(&path, &texts).findings;
            let stands = place..place + offer.text.len();
            let is_there = |finding: &&Finding| {
                finding.at.range.start == stands.start && finding.at.range.end == stands.end && finding.is_error()
            };
            let told = found.iter().filter(is_there).find(|finding| !finding.is_about_shape());
            wrong.extend(told.map(|told| format!("{hole}: {} {}: {}", offer.sort, offer.label, told.diagnostic.message)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
