//! What is said to be written can be had by one click, and whatever is offered mends what it is offered for.

use crate::{errors::files, tables::slipped_texts, tells};
use omerta_workbench::{
    findings::Finding,
    lookup::Edit,
    project::{FileCheck, Project},
    repairs::apply,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Helps that say what to write and have no edit, by a part of their words, each with its reason.
const BY_HAND: &[(&str, &str)] = &[
    (
        "a role is of its team: write",
        "the word before the name goes as well",
    ),
    (
        "or `spare rest` for as many",
        "whether cards are left over is the author's to say",
    ),
    (
        "write `repeat` where the scene is played",
        "which of two things is meant",
    ),
    ("leave it out, or write", "which of two things is meant"),
    ("`, or, if they do", "which of two things is meant"),
    ("`, or, for two marks", "which of two things is meant"),
    ("before the first wording", "how long the value is"),
    ("to say a brace, write", "whether a value or a brace is meant"),
    (
        "; for these and those together, write `plus`",
        "which of two things is meant",
    ),
    ("write `8` or `8..10`", "an example"),
    (
        "where it comes to that, or leave this out",
        "where that is, the author must say",
    ),
    (
        "where it may be taken up, or name a scene that asks",
        "where that is, the author must say",
    ),
    ("before they are asked, `link", "which of three things is meant"),
    ("or `is at most`", "which of the two may be more"),
    (
        "such rules come in only where it did happen",
        "the rule may want another body behind the event",
    ),
    (
        "then they are decided one after the other",
        "whether that is wanted",
    ),
    ("if they agree on one answer", "which of two things is meant"),
    ("if it must hold of all", "which of two things is meant"),
    ("asks it of all of them", "which of two things is meant"),
    ("or who of them is meant", "which of two things is meant"),
    ("in the night, or remove", "where it belongs"),
    ("where it belongs", "where it belongs"),
    ("where the plans come true", "where it belongs"),
    ("behind it", "where it belongs"),
    ("before it", "where it belongs"),
    ("where the game may be decided", "where it belongs"),
    ("where it should end", "where it belongs"),
    ("and the name of the scene", "which scene is meant"),
    ("with the name of a `word`", "which word is meant"),
    (
        "write `during Night` or `times Night`",
        "which of two things is meant",
    ),
    ("which tells everybody its place", "whether that is wanted"),
    ("and then what becomes of", "what becomes of them"),
    (
        "which begins as no, and into the script",
        "what stands in another line",
    ),
    ("and where it is declared", "what stands in another line"),
    ("and among the cards of", "what stands in another line"),
    ("and into the script", "what stands in another line"),
    ("for rules know no player by name", "where it belongs"),
    ("`, which the host reads", "words of the host, or a scene"),
    (
        "`, for what is spoken at the table",
        "what is said, or a card that is shown",
    ),
    (
        "play Plurality of living; do departure of chosen`, with",
        "whether the library is in use",
    ),
    ("write `play Deal`, with", "whether the library is in use"),
    ("minutes`, or `seconds`", "which of two things is meant"),
    (
        "`, or with `for answer from living`",
        "which of two things is meant",
    ),
    ("`, and below it `if", "what stands in another line"),
    (
        "`, if that is to happen; to ask whether",
        "which of two things is meant",
    ),
    ("`, and beside it `", "what stands in another line"),
    (
        "`, and where one is used, `subtract",
        "what stands in another line",
    ),
    ("`, for what changes, or `define", "which of two things is meant"),
    ("`, for it is of one team; who joins both", "of which team it is"),
    (
        "mark last-one one`, and in the question of",
        "what stands in another line",
    ),
    ("and with each role of it", "which roles those are"),
    (
        "write `during Day` or `times Day`",
        "which of two things is meant",
    ),
    (
        "which holds to the end of the block; a count or a flag is changed by",
        "which of two things is meant",
    ),
    (
        "takes it from somebody, `clear dying` from all",
        "which of three things is meant",
    ),
    (
        "and a rule `instead of` what must not happen",
        "which rule is meant",
    ),
    ("write `no Wolf`, or count them", "which of two things is meant"),
    (
        "write `is more than` or `is less than`",
        "which of two things is meant",
    ),
    ("as in `number of living is number of Guild`", "an example"),
    ("as in `living without me`", "an example"),
    (
        "`seat p to right of q`, `seat arrived in order`",
        "who sits where",
    ),
    ("write `{dying: nobody died | one died", "an example"),
    ("or asked, `it` behind `where`", "who is meant"),
    ("to me`, or `tell me \"…\"`", "which of two things is meant"),
    ("of any other cards, `first of", "an example"),
    ("where `vote` is a link", "an example"),
    ("or `rounded down`", "which of two things is meant"),
    ("for a class is of no team", "of which team it is"),
    ("for neither of them; where only", "which of two things is meant"),
    ("for who leaves the game; a mark", "which of two things is meant"),
    ("whether anybody at all is a draw", "how likely it is"),
    ("and then what is left out", "who is left out"),
    ("write `hand of p`", "whose hand is meant"),
    ("write `of` and its team", "which of two things is meant"),
    ("write `players 5..12`", "how many may play"),
    ("write `zone hand of each is role`", "an example"),
];

/// What is written in the place of a word that begins nothing here: examples, of which the author makes his own.
const EXAMPLES: &[&str] = &[
    "a line begins with what is done",
    "write `ask each living for vote from living`",
    "write `call Guild`",
    "write `count n = ",
    "write `define n = 3`",
    "write `do kill of p`",
    "write `draw n from 1..6`",
    "write `let n = 3`",
    "write `leave`, which",
    "write `nothing`",
    "write `play Dusk`",
    "write `players 4..18`",
    "write `stop`, which",
    "write `wait \"Everybody discusses.\"`",
    "write `vote of std`",
    // A word of a library, which may not be in use.
    "write `living`",
    "write `mark p as blocked`",
    "write `move top of deck",
    "write `role Healer",
    "write `ruleset mine",
    "write `use std.vote`",
    "write `wait 60 seconds`",
];

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
    of_rules
        .chain(scenarios.into_iter().map(|text| (text, "play")))
        .collect()
}

fn times(check: &FileCheck, wanted: &Finding) -> usize {
    let is_it = |found: &&Finding| {
        found.diagnostic.code == wanted.diagnostic.code
            && found.diagnostic.message == wanted.diagnostic.message
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
            // An edit that was tried, and under which another mistake came to light, is offered to nobody.
            let is_data = !finding.diagnostic.repairs().is_empty();
            if written.count() == 0 && !is_data && says_what_to_write(&help) {
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
    assert!(offered > 40, "only {offered} repairs were offered");
    bare.sort();
    bare.dedup();
    let unused = BY_HAND
        .iter()
        .filter(|(words, _)| !bare.iter().any(|help| help.contains(words)));
    let unused: Vec<&str> = unused.map(|(words, _)| *words).collect();
    assert!(
        unused.is_empty(),
        "these have an edit by now: {}",
        unused.join(" | ")
    );
    let is_example = |help: &str| EXAMPLES.iter().any(|words| help.contains(words));
    bare.retain(|help| !is_example(help) && !BY_HAND.iter().any(|(words, _)| help.contains(words)));
    assert!(
        bare.is_empty(),
        "{} without an edit:\n{}",
        bare.len(),
        bare.join("\n")
    );
}

/// Whether a help says what to write: all of it, with nothing left open that only its author knows.
fn says_what_to_write(help: &str) -> bool {
    let quoted = |at: &str| help.split_once(at).and_then(|(_, rest)| rest.split('`').next());
    let told = ["write `", "did you mean `"].into_iter().find_map(quoted);
    let is_left = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_uppercase());
    told.is_some_and(|words| !words.contains('…') && !words.split([' ', ':']).any(is_left))
}

/// What is offered inside of a declaration that cannot be read is what is offered where it can.
#[test]
fn in_a_broken_declaration_the_same_is_offered_as_in_a_sound_one() {
    // What is broken, before or behind the place.
    const BROKEN: [(&str, &str); 10] = [
        ("  foo bar baz\n", ""),
        ("", "\n  foo bar baz"),
        ("  mark prey as\n", ""),
        ("", "\n  mark prey as"),
        ("  if some living {\n    judge\n", ""),
        ("", "\n  if some living {"),
        ("  say \"half a text\n", ""),
        ("", "\n  say \"half a text"),
        ("  ask host for from\n  do of living\n", ""),
        ("", " }\n }"),
    ];
    const HOLES: [&str; 13] = [
        "mark prey as |",
        "mark |",
        "play |",
        "do |",
        "do departure of |",
        "ask |",
        "ask host for x from |",
        "if some | { judge }",
        "if fierce is | { judge }",
        "clear |",
        "let n = number of |",
        "for each q of | { judge }",
        "|",
    ];
    let folder = super::folder();
    let path = folder.path.join("tiny.mafia");
    let rules = std::fs::read_to_string(&path).unwrap();
    let (head, tail) = rules.split_once("  judge\n").unwrap();
    let mut wrong = Vec::new();
    for hole in HOLES {
        let (before, after) = hole.split_once('|').unwrap();
        let offered = |broken: (&str, &str)| {
            let front = format!("{head}{}  {before}", broken.0);
            let mut project = Project::new(vec![folder.path.clone()], None);
            project.set(&path, format!("{front}{after}{}\n  judge\n{tail}", broken.1));
            let offers = project.offers(&path, front.len()).unwrap_or_default();
            { offers.all.into_iter() }
                .map(|offer| (offer.label, offer.sort))
                .collect::<BTreeSet<_>>()
        };
        let sound = offered(("", ""));
        assert!(!sound.is_empty(), "{hole}");
        for broken in BROKEN {
            let here = offered(broken);
            if here != sound {
                let (more, fewer): (Vec<_>, Vec<_>) = (
                    here.difference(&sound).collect(),
                    sound.difference(&here).collect(),
                );
                wrong.push(format!("{hole} with {broken:?}: more {more:?}, fewer {fewer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nothing is offered that would be a mistake where it stands, however the line goes on behind it.
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
    const GOES_ON: [&str; 16] = [
        "",
        " of living",
        " of prey",
        " of Wolf",
        " of deck",
        " of card of prey",
        " of fierce",
        " of seat 1",
        " 1",
        " 2 of deck",
        " is prey",
        " is 1",
        " is yes",
        " some living",
        " living",
        " prey",
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
            let told = |rest: &str| {
                let texts = [(path.clone(), text(&format!("{}{rest}", offer.text)))];
                let found = project.check_with(&path, &texts.into_iter().collect()).findings;
                let is_there = |finding: &&Finding| {
                    finding.is_error()
                        && finding.at.range.start <= place + offer.text.len()
                        && place <= finding.at.range.end
                };
                found
                    .iter()
                    .find(is_there)
                    .map(|told| told.diagnostic.message.clone())
            };
            let mut all = GOES_ON.iter().map(|rest| told(rest));
            if all.all(|told| told.is_some()) {
                let told = told("").unwrap_or_default();
                wrong.push(format!("{hole}: {} {}: {told}", offer.sort, offer.label));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whole declarations are offered where they may stand: what only an overlay says in overlays, one head and one script
/// to a file.
#[test]
fn declarations_are_offered_where_they_may_stand() {
    let folder = super::folder();
    let path = folder.path.join("tiny.mafia");
    let rules = std::fs::read_to_string(&path).unwrap();
    let overlay = "overlay house on tiny {\n  \n}\n".to_owned();
    let offered = |text: String, place: usize| -> Vec<String> {
        let mut project = Project::new(vec![folder.path.clone()], None);
        project.set(&path, text);
        let offers = project.offers(&path, place).unwrap();
        offers.all.iter().map(|offer| offer.label.clone()).collect()
    };
    let cases = [
        (
            String::new(),
            0,
            vec!["ruleset", "library", "overlay", "script"],
            vec!["needs", "on"],
        ),
        (
            rules.clone(),
            rules.len(),
            vec!["role", "overlay", "rule"],
            vec!["ruleset", "library", "script", "cast", "needs", "refuses", "on"],
        ),
        (
            overlay.clone(),
            overlay.find("  \n").unwrap() + 2,
            vec!["needs", "refuses", "on", "rule"],
            vec!["overlay", "ruleset", "library"],
        ),
    ];
    for (text, place, there, missing) in cases {
        let all = offered(text.clone(), place);
        let has = |word: &&str| all.iter().any(|label| label == word);
        assert!(there.iter().all(has), "{text}: {all:?}");
        assert!(!missing.iter().any(has), "{text}: {all:?}");
    }
}
