//! `omerta book`: what the book says of small rulesets, and that every bundled one makes a page that is
//! well-formed and needs nothing else.

use crate::{
    program::{Done, TINY, folder_with, omerta_in},
    tables::scenes_of_rows,
};
use omerta_book::{
    book as whole, cards, diff::difference, graph, markdown::markdown, subject::Subject, summary,
};
use omerta_core::plural::several;
use omerta_syntax::{
    tree::{ExprKind, ItemKind, StatementKind},
    walk::for_each_statement,
};
use omerta_workbench::{RulesetRequest, Workbench, bundle::Shelf};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use tempfile::TempDir;

const RULES: &str = r#"
// A henhouse & a fox. HEN-001, Q3
//
// Written for the tests.
ruleset henhouse "The <hen> & the fox"
use std.table, std.night
publish bite, Night, bark, whine
players 3..6
// As many as lie in the straw (HEN-002).
cast {
  players 3..4 5..6
  Fox     1    2
  Dog     0    1
  Hen     rest rest
}
cast spare-hens "Hens to spare" at 5 with Rooster for Hen
require some-fox: some Fox "there must be a fox"

team Coop "the coop"
team Wild "the wild" {
  when called {
    play Raid of Wild
  }
}
/// Lays an *egg* a night.
// This is for authors.
role Hen "a hen" of Coop
role Rooster "the rooster" of Coop at most 1 replaces Hen {
  when called {
    ask me for seen from living others or nobody "Whom do you look at?"
    ask host whether truly "Is the rooster right about {seen}?"
    if truly {
      show "a nod" to me
    }
    if loud is yes {
      say "The rooster crows."
    } else {
      tell me "You saw {seen}."
    }
  }
}
// HEN-003: barks in the night.
role Dog "the dog" of Coop at most 1
role Fox "a fox" of Wild
rule bark: instead of bite of Dog when loud is yes {
  say "A bark."
}
rule whine after bark: instead of bite of Dog when loud is no {
  nothing
}
add 1 to weight of p when p is Dog
define weight of p = 1
mark bitten until end of Dawn "bitten"

// Q7: how loud it is.
option loud: yes | no = yes "whether the rooster crows"
option hosts: one | two = one "how many lead"  // allow option-unread

event bite of p by k {
  mark p as bitten
}

allow living to cackle "Cackle" h from living others during Dawn {
  say "{me} cackles at {h}."
}
allow host to hush "The host's secret sign" during Dawn {
  say "Hush."
}

script {
  play Deal
  wait "The host looks at every card."
  repeat {
    play Night
    play Dawn
  }
}
scene Night {
  say "Night. \"Sleep\" now." as nightfall
  call Wild
  call Rooster
}
scene Raid of role pack {
  ask living pack together for prey from living without pack or nobody "Whom does {pack} bite?"
  plan bite of prey by living pack
}
// What is left in the morning.
scene Dawn {
  settle bite
  say "{bitten: All cackle. | {bitten} is gone. | {bitten} are gone.}"
  do departure of bitten where weight of it is at least 1
  judge
}
ending coop: win Coop when no living Wild "no fox is left"
ending wild: win Wild when living Wild is at least half of living "the foxes rule"
"#;

const OVERLAY: &str = r#"
// Nobody bites in the first night.
overlay calm "Calm nights" on henhouse {
  choose loud = no
  rule calm-night before bark before whine: instead of bite of players when times Night is 1 and loud is no {
    nothing
  }
}
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("henhouse.mafia"), RULES).unwrap();
    fs::write(folder.path().join("calm.mafia"), OVERLAY).unwrap();
    folder
}

#[track_caller]
fn book(args: &[&str]) -> String {
    let args: Vec<&str> = ["book", "henhouse.mafia"].iter().chain(args).copied().collect();
    let done = omerta_in(folder().path(), &args, b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    done.out
}

#[test]
fn a_book_tells_everything_that_the_rules_say() {
    insta::assert_snapshot!(book(&[]));
}

#[test]
fn options_and_overlays_in_force_change_the_book() {
    let plain = book(&[]);
    let calm = book(&["--with", "calm"]);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let new: Vec<String> = calm
        .lines()
        .filter(|line| !lines(&plain).contains(*line))
        .map(str::to_owned)
        .collect();
    insta::assert_snapshot!(new.join("\n"));
    // What an option leaves out is not told.
    assert!(plain.contains("A bark") && !plain.contains("You saw"));
    assert!(calm.contains("You saw") && !calm.contains("A bark"));
    assert!(book(&["--set", "loud=no"]).contains("You saw"));
}

#[test]
fn the_page_for_players_keeps_the_host_s_secrets() {
    let page = book(&["--summary"]);
    insta::assert_snapshot!(page);
    for secret in [
        "secret sign",
        "Is the rooster right",
        "looks at every card",
        "Night. ",
        "require",
        "| Fox",
    ] {
        assert!(!page.contains(secret), "{secret}");
    }
}

#[test]
fn a_page_is_well_formed_and_means_no_mark_up_of_the_author_s() {
    let page = book(&["--format", "html"]);
    is_well_formed(&page);
    is_self_contained(&page);
    assert!(page.contains("The &lt;hen&gt; &amp; the fox"));
    assert!(page.contains("<q>Night. &quot;Sleep&quot; now.</q>"));
    assert!(!page.contains("<hen>"));
    assert!(book(&[]).contains("# The \\<hen\\> \\& the fox"));
    assert!(book(&[]).contains("Lays an \\*egg\\* a night."));
}

#[test]
fn cards_are_drawn_one_for_each_role_or_for_each_player() {
    let home = folder();
    let cards = |args: &[&str]| {
        let words = ["book", "henhouse.mafia", "--cards", "cards.svg"];
        let args: Vec<&str> = words.iter().chain(args).copied().collect();
        let done = omerta_in(home.path(), &args, b"");
        assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
        fs::read_to_string(home.path().join("cards.svg")).unwrap()
    };
    let titles = |svg: &str| svg.matches("font-weight=\"bold\"").count();
    let all = cards(&[]);
    insta::assert_snapshot!(all);
    assert_eq!(titles(&all), 4);
    let five = cards(&["--players", "5"]);
    assert_eq!(titles(&five), 5);
    assert_eq!(five.matches(">A hen<").count(), 2);
    let done = omerta_in(
        home.path(),
        &["book", "henhouse.mafia", "--cards", "x.svg", "--players", "9"],
        b"",
    );
    assert!(
        done.code == Some(2) && done.err.contains("no cast"),
        "{}",
        done.err
    );
}

#[test]
fn cards_are_printed_a_sheet_a_page_with_backs_that_meet_them() {
    let home = folder();
    let cards = |args: &[&str]| {
        let args: Vec<&str> = ["book", "henhouse.mafia"].iter().chain(args).copied().collect();
        omerta_in(home.path(), &args, b"")
    };
    let done = cards(&["--cards", "cards.html", "--paper", "letter", "--backs"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let page = fs::read_to_string(home.path().join("cards.html")).unwrap();
    is_self_contained(&page);
    assert!(page.contains("@page{size:215.9mm 279.4mm;margin:0}"), "{page}");
    let sheets: Vec<&str> = page.split("<svg").skip(1).collect();
    assert_eq!(sheets.len(), 2, "one sheet of four cards, and its backs");
    // The fourth card is the first of the second row; its back lies where the sheet, turned over, has it.
    let places = |sheet: &str| -> Vec<String> {
        let places = sheet.split("translate(").skip(1);
        places
            .map(|place| place.split(')').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        places(sheets[0]),
        ["13.4 7.7", "76.4 7.7", "139.4 7.7", "13.4 95.7"]
    );
    assert_eq!(
        places(sheets[1]),
        ["139.4 7.7", "76.4 7.7", "13.4 7.7", "139.4 95.7"]
    );
    assert_eq!(sheets[1].matches("&lt;hen&gt;").count(), 4);
    // A drawing is of one size and has no backs.
    let done = cards(&["--cards", "cards.svg", "--backs"]);
    assert!(
        done.code == Some(2) && done.err.contains("cards.html"),
        "{}",
        done.err
    );
}

#[test]
fn a_ruleset_with_a_mistake_makes_no_book() {
    let home = folder();
    fs::write(
        home.path().join("henhouse.mafia"),
        RULES.replace("mark p as bitten", "mark p as biten"),
    )
    .unwrap();
    let done = omerta_in(home.path(), &["book", "henhouse.mafia", "--html", "x.html"], b"");
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("M0201") && !home.path().join("x.html").exists());
    let done = omerta_in(home.path(), &["book", "nothing"], b"");
    assert_eq!(done.code, Some(1), "{}", done.err);
}

const RING: &str = r#"ruleset ring "A ring"
use std.table, std.night
players 3..4
cast {
  players 3..4
  Ping 1
  Pong 1
  Plain rest
}
role Plain
role Ping {
  when called {
    play Round
    call Pong
  }
}
role Pong {
  when called {
    call Ping
  }
}
scene Round {
  if times Round is 9 {
    play Round
  }
}
script {
  play Deal
  call Ping
}
ending never: draw when times Deal is 2 "never"
"#;

#[test]
fn calls_that_go_round_in_a_ring_are_told_once() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("ring.mafia"), RING).unwrap();
    for command in ["book", "graph", "show"] {
        let done = omerta_in(home.path(), &[command, "ring.mafia"], b"");
        assert_eq!(done.code, Some(0), "{command}: {}", done.err);
    }
    let book = omerta_in(home.path(), &["book", "ring.mafia"], b"").out;
    let calls = "| 1 | | Ping | |\n| 2 | | Pong | |\n| 3 | | Ping | |\n";
    let tight = |text: &str| text.replace(' ', "");
    assert!(tight(&book).contains(&tight(calls)), "{book}");
}

/// Calls that hang on the call of another card, words of several, and whom a loop goes through.
const AROUND: &str = r#"ruleset around "Calls around a call"
use std.table, std.night
players 4..8
cast { Fox 2; Owl 1; Hen rest }
team Wild "the wild" { when called { show "a nod" to Wild } }
team Coop "the coop"
role Fox "a fox" of Wild
role Owl "the owl" of Coop {
  when called {
    ask me for 2 pair from living others "Which two?"
    let sides = team of pair
    if number of sides is 1 { show "a nod" to me }
  }
}
role Hen "a hen" of Coop
link elected one
link aim one
define heard = living
include living in heard
include Owl in heard
mark lost "who got lost"
mark tired "out of breath"
rule owl-follows: after Calling of Wild when during Dusk and not during Dawn { call Owl }
script { play Deal; play Dawn; play Dusk }
scene Dawn { call Wild }
define late = times Dusk is at least 2
scene Dusk { call Wild; if late { call Owl } else { call Hen }; play Count of living; do fall of lost }
scene Count of candidates {
  ask each living for elected from candidates "Whom?"
  for each p of elected of players { say "{p} is named." }
  mark most of elected as lost, tired
}
rule told: after Count of players as candidates { mark candidates as tired }
event fall of p { say "{p} falls." as thud }
rule hush: after thud { say "Silence." }
ending over: draw when late
"#;

#[test]
fn a_book_tells_calls_where_they_are_made_and_people_by_what_they_are() {
    let home = folder_with(AROUND, "");
    let book = omerta_in(home.path(), &["book", "tiny.mafia"], b"");
    for line in [
        "| 1 | Dawn | The wild |  |  |",
        "| 2 | Dusk | The wild |  |  |",
        "| 3 | Dusk | The owl |  | Which two? |",
        "| 4 | Dusk | The owl | If this is Dusk number 2 or a later one | Which two? |",
        "| 5 | Dusk | The hens | If this comes before Dusk number 2 |  |",
        "Let “sides” be the teams of the pair.",
        "For each of those who are the *elected* of anybody:",
        "Say: “‹this player› is named.”",
        "Mark those named most often as *elected* as *lost* and *out of breath*.",
        "**After Count** of the candidates:",
        "**After the words “‹the player› falls.”**:",
        "- **heard**: the *living*.\n  - Also counted as *heard*: the owl.\n",
        "Nobody wins, when *late* holds.",
    ] {
        assert!(book.out.contains(line), "{line}\n{}{}", book.out, book.err);
    }
    // Players have no list of words.
    let page = omerta_in(home.path(), &["book", "tiny.mafia", "--summary"], b"").out;
    assert!(page.contains("Nobody wins, when "), "{page}");
    assert!(!page.contains("*late*"), "{page}");
}

/// Cards and roles, which are no players, and a role that goes by the name of its team.
const THINGS: &str = r#"ruleset things "Things"
use std.table
players 3
cast { Fox 1; Owl 1; Hen rest }
team Coop "the hens"
team Wild "the foxes"
role Hen "a hen" of Coop
role Fox "a fox" of Wild
role Owl "the owl" of Wild
token Nut "a nut" several "nuts" 3
token Egg "an egg" several "eggs" 3
zone bag
zone nest seen by players
link kept to cards
script {
  play Deal
  put Nut in bag
  shuffle bag
  show Wild to Wild
  show Wild to Fox
  let found = top of bag
  if found is Nut { move found to nest }
  play Look of top of bag
  ask seat 1 for guess from roles (Fox plus Hen) "Who?"
  ask seat 1 for other from roles Wild where copies of it is at least 2 "Who else?"
  ask seat 1 for taken from (bag) where (it is Nut or it is Egg) "Which?"
  link seat 1 to taken as kept
  if some (kept of seat 1 where it is Egg) { win seat 1 }
  judge
}
scene Look of card seen { if seen is not Egg { move seen to nest } }
ending over: draw when some nest
"#;

#[test]
fn a_book_speaks_of_cards_and_roles_as_of_things() {
    let home = folder_with(THINGS, "");
    let book = omerta_in(home.path(), &["book", "tiny.mafia"], b"");
    for line in [
        "Show the foxes who is one of the foxes.",
        "Show the players with a fox card who is one of the foxes.",
        "If the found is a nut:",
        "Answer: one of these roles: a fox, a hen (the guess).",
        "for which the number of its cards is at least 2 (other).",
        "Answer: one of the bag for which it is a nut or it is an egg (the taken).",
        "If there is a card among the *kept* of seat 1 that show an egg:",
        "If the seen is not an egg:",
    ] {
        assert!(book.out.contains(line), "{line}\n{}{}", book.out, book.err);
    }
}

// ---- The bundled rulesets -------------------------------------------------------------------------

/// Rulesets with the overlays that are laid on each, as `omerta list` names them.
pub fn bundled() -> Vec<(String, Vec<String>)> {
    let list = omerta_in(Path::new("."), &["list"], b"").out;
    let mut games: Vec<(String, Vec<String>)> = Vec::new();
    let mut part = "";
    for line in list.lines() {
        match line.strip_prefix("  ") {
            None => part = line.split_whitespace().next().unwrap_or(""),
            Some(row) => {
                let name = row.split_whitespace().next().unwrap().to_owned();
                let bases = row
                    .rsplit_once("(on ")
                    .map(|(_, bases)| bases.trim_end_matches(')'));
                match (part, bases) {
                    ("Rulesets", _) => games.push((name, Vec::new())),
                    ("Overlays", Some(bases)) => {
                        let of =
                            |game: &&mut (String, Vec<String>)| bases.split(", ").any(|base| base == game.0);
                        games
                            .iter_mut()
                            .filter(of)
                            .for_each(|game| game.1.push(name.clone()));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(games.len() > 4 && games.iter().any(|(_, overlays)| overlays.len() > 5));
    games
}

#[test]
fn every_bundled_ruleset_makes_a_page_and_cards_that_need_nothing_else() {
    let mut seen = BTreeSet::new();
    for (game, overlays) in bundled() {
        assert!(is_well_made(&game, &[]));
        // Each overlay once, on the first of its bases; one that needs another cannot be laid on alone.
        for overlay in overlays.iter().filter(|overlay| seen.insert((*overlay).clone())) {
            is_well_made(&game, &["--with", overlay]);
        }
    }
}

/// Whether the rules could be laid at all; then all is well with the pages.
fn is_well_made(game: &str, with: &[&str]) -> bool {
    let home = tempfile::tempdir().unwrap();
    let words = ["book", game, "--html", "page.html", "--cards", "cards.svg"];
    let args: Vec<&str> = words.iter().chain(with).copied().collect();
    let done: Done = omerta_in(home.path(), &args, b"");
    if done.code == Some(1) && done.err.contains("M0603") {
        return false;
    }
    assert_eq!(done.code, Some(0), "{args:?}: {}", done.err);
    for file in ["page.html", "cards.svg"] {
        let text = fs::read_to_string(home.path().join(file)).unwrap();
        is_well_formed(&text);
        is_self_contained(&text);
    }
    let page = fs::read_to_string(home.path().join("page.html")).unwrap();
    for part in ["roles", "course", "script", "victory"] {
        assert!(page.contains(&format!("<h2 id=\"{part}\"")), "{args:?}: {part}");
    }
    // Nothing that only the program knows the meaning of.
    for slip in ["{}", "ItemKind", "Span", "<q></q>", "<li></li>"] {
        assert!(!page.contains(slip), "{args:?}: {slip}");
    }
    true
}

/// Every tag is closed in its order, no two anchors are the same, and every link within leads somewhere.
#[track_caller]
pub fn is_well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let (mut anchors, mut links) = (BTreeSet::new(), Vec::new());
    let mut rest = text.strip_prefix("<!DOCTYPE html>").unwrap_or(text);
    while let Some(start) = rest.find('<') {
        assert!(
            !rest[..start].contains('>') || open.last() == Some(&"style"),
            "{}",
            &rest[..start]
        );
        if open.last() == Some(&"style") && !rest[start..].starts_with("</style") {
            panic!("a `<` stands in the style");
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        for (name, value) in attributes(tag) {
            match name {
                "id" => assert!(anchors.insert(value.to_owned()), "two are called {value}"),
                "href" => links.extend(value.strip_prefix('#').map(str::to_owned)),
                _ => {}
            }
        }
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{}", &rest[..end]),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap()),
        }
        rest = &rest[end + 1..];
    }
    assert_eq!(open, Vec::<&str>::new());
    for link in links {
        assert!(anchors.contains(&link), "nothing is at {link}");
    }
}

fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts: Vec<&str> = tag.split('"').collect();
    let pairs: Vec<(&str, &str)> = parts
        .chunks(2)
        .filter_map(|pair| match pair {
            [name, value] => Some((name.trim().trim_end_matches('=').rsplit(' ').next()?, *value)),
            _ => None,
        })
        .collect();
    pairs.into_iter()
}

/// Nothing is fetched: no script, no picture, no style, no font from elsewhere.
#[track_caller]
pub fn is_self_contained(text: &str) {
    // A link within the page is none to elsewhere.
    let text = text
        .replace("url(#", "")
        .replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for sign in [
        "<script",
        "<link",
        "<img",
        "<iframe",
        "src=",
        "@import",
        "url(",
        "http:",
        "https:",
        "javascript:",
    ] {
        assert!(!text.contains(sign), "{sign}");
    }
}

#[test]
fn a_role_that_a_scene_speaks_of_is_not_said_to_be_powerless() {
    let powerless = |rules: &str| {
        let folder = folder_with(rules, "");
        let told = omerta_in(folder.path(), &["book", "tiny.mafia"], b"").told();
        assert!(told.contains("#### A sheep"), "{told}");
        told.matches("Has no call and no power of its own.").count()
    };
    assert_eq!(powerless(TINY), 1);
    let told = TINY.replace(
        "  wait \"Everybody sleeps.\"",
        "  tell Sheep \"You dream of grass.\"",
    );
    assert_eq!(powerless(&told), 0);
}

// ---- A fair, where there is something of everything

const FAIR: &str = include_str!("rulebook/fair.mafia");

/// What is told of rules, with some options chosen.
fn of_rules<T>(text: &str, options: &[(&str, &str)], tell: impl FnOnce(Subject<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fair.mafia");
    fs::write(&path, text).unwrap();
    let option = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let wanted = RulesetRequest {
        base: path.to_string_lossy().into_owned(),
        options: options.iter().map(option).collect(),
        ..RulesetRequest::default()
    };
    let bench = Workbench::new(Shelf::default());
    let laid = bench.lay(&wanted).unwrap();
    bench.with_sources(|sources| tell(Subject::of(&laid, sources)))
}

#[test]
fn a_fair_is_told_with_all_that_it_declares() {
    insta::assert_snapshot!(of_rules(FAIR, &[], |subject| markdown(&whole(subject))));
}

/// What the fair has not: no teams, several things of a sort, sums, limits, orders, and what is known beforehand.
#[test]
fn odd_rules_are_told_under_either_option() {
    let odd = include_str!("rulebook/odd.mafia");
    let pages = [&[][..], &[("storms", "yes")]].map(|options| {
        of_rules(odd, options, |subject| {
            let roles = cards::roles_of(subject, None).unwrap();
            format!(
                "{}\n--------\n{}\n--------\n{}",
                markdown(&whole(subject)),
                markdown(&summary(subject)),
                words_of(&cards::cards(subject, &roles))
            )
        })
    });
    // Of the second page only what the option changes.
    let known: Vec<&str> = pages[0].lines().collect();
    let changed = pages[1].lines().filter(|line| !known.contains(line));
    let changed: String = changed.map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(format!("{}\n--------\n{changed}", pages[0]));
}

/// What a book says of each row of the tables of values and of statements: the row, and below it the lines of a scene in
/// which nothing else stands.
#[test]
fn a_book_has_words_for_every_value_condition_and_statement_of_the_tables() {
    for (name, rules, rows) in scenes_of_rows() {
        let page = of_rules(&rules, &[], |subject| markdown(&whole(subject)));
        let mut told = String::new();
        for (number, row) in rows.iter().enumerate() {
            let (_, scene) = page.split_once(&format!("\n### Row{number}\n")).expect(row);
            let (scene, _) = scene.split_once("\n#").expect("more stands behind the scenes");
            told += &format!("{row}\n");
            let lines = scene.lines().filter(|line| !line.is_empty());
            told.extend(lines.flat_map(|line| ["  ", line.strip_prefix("1. ").unwrap_or(line), "\n"]));
        }
        insta::assert_snapshot!(format!("book_of_{name}"), told);
    }
}

/// Each row of `rulebook/differences.txt`: a fact, what stands in the rules (`<`), what stands there instead (`>`),
/// and the difference as it is told.
#[test]
fn a_difference_is_told_in_the_part_it_belongs_to() {
    let mut wrong = Vec::new();
    for row in include_str!("rulebook/differences.txt")
        .trim_end()
        .split("\n\n# ")
    {
        let lines = |sign: &str| {
            let own = row.lines().filter_map(|line| line.strip_prefix(sign));
            own.collect::<Vec<_>>().join("\n")
        };
        let (old, new) = (lines("< "), lines("> "));
        // A line that is left out takes its end with it.
        let old = if new.is_empty() { old + "\n" } else { old };
        assert_eq!(FAIR.matches(&old).count(), 1, "{row}");
        let other = FAIR.replace(&old, &new);
        let parts = of_rules(FAIR, &[], |one| {
            of_rules(&other, &[], |other| difference(one, other))
        });
        let part = |part: &omerta_book::diff::Part| {
            let lines: String = part.lines.iter().map(|line| format!("  {line}\n")).collect();
            format!("{}\n{lines}", part.head)
        };
        let told = parts.iter().map(part).collect::<Vec<_>>().join("\n");
        if !row.ends_with(told.trim_end()) || told.is_empty() {
            wrong.push(format!("# {row}\n--- and is told as\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

/// The words of a drawing or a sheet of cards, a line each.
fn words_of(svg: &str) -> String {
    let rest = svg.split("</text>").filter_map(|part| part.rsplit_once("<text"));
    let words = rest.filter_map(|(_, text)| text.split_once('>').map(|(_, words)| words));
    words.map(|words| format!("{words}\n")).collect()
}

#[test]
fn a_fair_is_told_to_its_guests_on_cards_and_as_a_course() {
    let pages = of_rules(FAIR, &[], |subject| {
        let roles = |players| {
            words_of(&cards::cards(
                subject,
                &cards::roles_of(subject, players).unwrap(),
            ))
        };
        assert!(cards::roles_of(subject, Some(7)).is_none());
        [
            markdown(&summary(subject)),
            graph::text::text("The fair", &graph::steps(subject)),
            roles(None),
            roles(Some(4)),
        ]
    });
    insta::assert_snapshot!(pages.join("\n--------\n"));
}

#[test]
fn what_is_chosen_is_told_and_what_it_rules_out_is_not() {
    // A line by its words: what is left out moves the numbers of all behind it.
    let lines = |options: &[(&str, &str)]| -> Vec<String> {
        let page = of_rules(FAIR, options, |subject| markdown(&whole(subject)));
        let words = |line: &str| {
            line.split_once(". ")
                .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
                .map_or(line.to_owned(), |(_, words)| words.to_owned())
        };
        page.lines().map(words).collect()
    };
    let plain = lines(&[]);
    let told = [
        &[("stew", "no"), ("watches", "3")][..],
        &[("empty-calls", "pretend")],
    ]
    .map(|options| {
        let other = lines(options);
        let gone = plain.iter().filter(|line| !other.contains(line));
        let new = other.iter().filter(|line| !plain.contains(line));
        let gone = gone.map(|line| format!("- {line}\n"));
        gone.chain(new.map(|line| format!("+ {line}\n")))
            .collect::<String>()
    });
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn short_remarks_stay_and_what_the_options_leave_out_does_not() {
    let rules = r#"// The wolves hunt. Doctor protects. Everybody votes by day.
ruleset tiny "Short"
use std.table
players 3..5
cast {
  players  3..5
  Wolf     1
  Sheep    rest
}
team Pack "the pack"
role Wolf "a wolf" of Pack
/// Is it you? Run!
role Sheep "a sheep" of Pack
option noise: soft | hard = soft "how the day sounds"
require guarded: noise is soft or some Wolf "A loud day needs a wolf."
warn alone: noise is hard or number of Wolf is less than 2 "A soft day is hard on two wolves."
script {
  play Deal
  play Day
}
/// Talk until noon.
scene Day {
  if noise is hard {
    play Din
  } else {
    play Hush
  }
}
// TINY-7 Left over.
scene Din { say "Bang." }
// TINY-8 and TINY-9 Three are kept. TINY-7 Two go.
scene Hush { say "Sh." }
// allow never-happens
event yawn of p { say "{p} yawns." }
rule loud: after Day when noise is hard { play Din }
ending over: draw when times Day is 1 "Over."
"#;
    let folder = folder_with(rules, "");
    let told = |more: &[&str]| {
        let words = [&["book", "tiny.mafia"], more].concat();
        omerta_in(folder.path(), &words, b"").out
    };
    let book = told(&[]);
    for kept in [
        "The wolves hunt. Doctor protects. Everybody votes by day.",
        "### Hush",
        "**Over:** nobody wins, when this is *Day* number 1.",
        // One's own events are told, though nothing does them.
        "### Yawn of a player",
        "A soft day is hard on two wolves",
        // Of a sentence behind numbers more than two words.
        "Three are kept.",
    ] {
        assert!(book.contains(kept), "{kept}:\n{book}");
    }
    for gone in [
        "Din",
        "Bang",
        "### Reveal",
        "circle of",
        "A loud day needs a wolf",
        "TINY",
        "Two go",
    ] {
        assert!(!book.contains(gone), "{gone}:\n{book}");
    }
    let loud = told(&["--set", "noise=hard"]);
    assert!(!loud.contains("Left over"), "{loud}");
    assert!(loud.contains("### Din") && !loud.contains("### Hush"), "{loud}");
    assert!(
        loud.contains("A loud day needs a wolf") && !loud.contains("A soft day is hard"),
        "{loud}"
    );
    let players = told(&["--summary"]);
    assert!(players.contains("**Day**. Talk until noon."), "{players}");
    assert!(players.contains("Is it you? Run!\n"), "{players}");
}

/// The order in which endings are tested is told, wherever they stand: in the book and on the page for players, of the
/// rules and of what an overlay adds.
#[test]
fn endings_are_told_in_the_order_of_their_tests() {
    let rules = r#"ruleset tiny "Order"
use std.table
players 3
cast {
  players  3
  Sheep    rest
}
team Flock "the flock"
role Sheep "a sheep" of Flock
publish second
script {
  play Deal
  wait
  judge
}
ending second: draw when no living Sheep "Nobody is left."
ending third: win Flock when number of living is 1 "One is left."
ending first before all: draw when number of living is 2 "Two are left."
"#;
    let folder = folder_with(rules, "");
    let overlay = "overlay early \"Early\" on tiny {\n  ending fourth before third: draw when some out \"One is out.\"\n}\n";
    fs::write(folder.path().join("early.mafia"), overlay).unwrap();
    let told = |more: &[&str]| omerta_in(folder.path(), &[&["book", "tiny.mafia"], more].concat(), b"").out;
    let in_order = |book: String, titles: &[&str]| {
        let at = book
            .find("\n## Victory")
            .or_else(|| book.find("\n## How it ends"))
            .unwrap();
        let book = &book[at..];
        let at = titles
            .iter()
            .map(|title| book.find(title).unwrap_or_else(|| panic!("{title}: {book}")));
        let at: Vec<usize> = at.collect();
        assert!(at.is_sorted(), "{book}");
    };
    let own = ["Two are left", "Nobody is left", "One is left"];
    let all = ["Two are left", "Nobody is left", "One is out", "One is left"];
    in_order(told(&[]), &own);
    in_order(told(&["--summary"]), &own);
    in_order(told(&["--with", "early"]), &all);
    in_order(told(&["--with", "early", "--summary"]), &all);
    let moved = rules.replace(" before all", "");
    fs::write(folder.path().join("moved.mafia"), moved).unwrap();
    let differs = omerta_in(folder.path(), &["diff", "moved.mafia", "tiny.mafia"], b"").out;
    assert!(differs.contains("first: 3. → 1."), "{differs}");
}

#[test]
fn what_is_written_inside_blocks_and_above_choices_is_told_and_plumbing_is_not() {
    let rules = r#"ruleset tiny "Short"
use std.table, std.night, std.vote, std.reveal
publish bitten, Hush
players 3..5
cast {
  players  3..5
  Wolf     1
  Sheep    rest
}
// Or nobody is hunted.
require a-wolf: number of Wolf is more than hidden-wolves "there must be a wolf."
team Pack "the pack" {
  when called {
    // Only by a nod.
    ask each living Pack for aim from living or nobody "Whom?"
    mark common of aim of living Pack as bitten
  }
}
define hidden-wolves = 0
mark bitten until Day
role Wolf "a wolf" of Pack
role Sheep "a sheep" of Pack
// Nobody hears who has left.
choose empty-calls = pretend
script {
  play Deal
  repeat {
    call Pack
    play Day
  }
}
scene Day {
  // Who was bitten has no word.
  if some bitten {
    // At once.
    do departure of bitten
  }
  play Plurality of living
  judge
}
// Told once.
scene Hush { say "Sh." }
ending over: draw when times Day is 1 "Over."
"#;
    let overlay = r#"overlay loud "Loud" on tiny {
  // Once is enough.
  choose tied-vote = nobody
  rule hush: instead of Calling when some bitten { play Hush }
}
"#;
    let folder = folder_with(rules, "");
    fs::write(folder.path().join("loud.mafia"), overlay).unwrap();
    let told = |more: &[&str]| {
        let words = [&["book", "tiny.mafia"], more].concat();
        omerta_in(folder.path(), &words, b"").out
    };
    let book = told(&[]);
    for kept in [
        "- “There must be a wolf” (Or nobody is hunted)",
        "(Only by a nod)",
        "   - Who was bitten has no word.\n",
        "the *departure* of the *bitten*. (At once)",
        "The call of a card that no living player holds (Nobody hears who has left)",
        "that all of the *living* members of the pack have in common",
        "After the departure** of anybody",
    ] {
        assert!(book.contains(kept), "{kept}:\n{book}");
    }
    for gone in [
        "unless the",
        "Calling",
        "hidden wolves",
        "face down",
        "weight",
        "covered",
        "what is common",
    ] {
        assert!(!book.contains(gone), "{gone}:\n{book}");
    }
    // What hangs on the making of a call is told where that is.
    let loud = told(&["--with", "loud"]);
    assert!(
        loud.contains("### Calling of a card") && loud.contains("*Hush*"),
        "{loud}"
    );
    assert!(
        loud.contains("What a level vote leads to (Once is enough)"),
        "{loud}"
    );
    assert!(!loud.contains("face down"), "{loud}");
}

/// Rules that stand as remarks in bundled games and are told by no declaration of the book, each with its reason.
const NOT_TOLD: &[(&str, &str, &str)] = &[
    (
        "vendetta/vendetta.mafia",
        "a team wins with its dead",
        "above no declaration; endings say it",
    ),
    (
        "vendetta/vendetta.mafia",
        "twenty roles, sixteen of them here",
        "above no declaration; the table of roles says it",
    ),
    (
        "vendetta/vendetta.mafia",
        "The loners and the Yakuza come",
        "above no declaration; for whoever reads the file",
    ),
    (
        "mods/renegade.mafia",
        "To which of the two a boss belongs",
        "above a section; the role says it",
    ),
];

/// What is written above the declarations of a game and of each overlay on it is in its book, sentence by sentence; so are
/// the numbers that counts begin with, how many tokens there are, and the limits of time.
#[test]
fn every_remark_of_a_bundled_game_stands_in_its_book() {
    let mut sentences = BTreeMap::new();
    for (game, overlays) in bundled() {
        look_for_all(&game, &[], &mut sentences).unwrap();
        for overlay in overlays {
            if let Err(needs) = look_for_all(&game, std::slice::from_ref(&overlay), &mut sentences) {
                let with: Vec<String> = [overlay].into_iter().chain(needs).collect();
                look_for_all(&game, &with, &mut sentences).unwrap_or_else(|_| panic!("{with:?}"));
            }
        }
    }
    assert!(sentences.len() > 300, "{}", sentences.len());
    let lost = sentences.iter().filter(|(_, told)| !**told);
    let lost: Vec<&str> = lost.map(|(sentence, _)| sentence.as_str()).collect();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// Notes of each sentence of a game, or of the first of the overlays that are laid on it, whether it stands in this book or
/// in another; where the overlay needs others, those are given back.
fn look_for_all(
    game: &str,
    with: &[String],
    sentences: &mut BTreeMap<String, bool>,
) -> Result<(), Vec<String>> {
    let plain = |text: &str| -> String {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        format!(" {} ", words.join(" "))
    };
    let wanted = RulesetRequest {
        base: game.to_owned(),
        overlays: with.to_vec(),
        ..RulesetRequest::default()
    };
    let bench = Workbench::new(Shelf::default());
    let laid = match bench.lay(&wanted) {
        Ok(laid) => laid,
        Err(_) => return Err(needed_by(with)),
    };
    bench.with_sources(|sources| {
        let book = plain(&markdown(&whole(Subject::of(&laid, sources))));
        for (_, source) in sources
            .iter()
            .filter(|(_, source)| !source.name.starts_with("std/"))
            // What an overlay replaces is not told any more.
            .filter(|(_, source)| {
                with.first()
                    .is_none_or(|overlay| source.name.ends_with(&format!("/{overlay}.mafia")))
            })
        {
            for sentence in remarks_of(&source.text) {
                if sentence.split_whitespace().any(is_number) {
                    continue;
                }
                let is_known = |(file, start, _): &(&str, &str, &str)| {
                    source.name.ends_with(file) && sentence.starts_with(start)
                };
                let is_told = book.contains(plain(&sentence).trim()) || NOT_TOLD.iter().any(is_known);
                *sentences
                    .entry(format!("{}: {sentence}", source.name))
                    .or_default() |= is_told;
            }
        }
        for fact in laid.items.iter() {
            if let ItemKind::Count {
                names,
                start: Some(start),
                ..
            } = &fact.item.kind
            {
                let number = plain(&format!("{} at the beginning", start.value));
                assert!(book.contains(&number), "{}: {number}", names[0].text);
            }
            for number in numbers_in(&fact.item.kind) {
                assert!(book.contains(&plain(&number)), "{game} {with:?}: {number}");
            }
        }
    });
    Ok(())
}

/// What overlays say that they need.
fn needed_by(overlays: &[String]) -> Vec<String> {
    let needs = |overlay: &String| {
        let text = fs::read_to_string(format!("rulesets/mods/{overlay}.mafia")).unwrap();
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("needs "));
        lines
            .flat_map(|line| line.split(", ").map(str::to_owned))
            .collect::<Vec<String>>()
    };
    overlays.iter().flat_map(needs).collect()
}

/// The numbers of tokens, and of limits of time, as a book has them.
fn numbers_in(kind: &ItemKind) -> Vec<String> {
    let mut numbers = Vec::new();
    if let ItemKind::Token {
        copies: Some(copies),
        title: Some(title),
        ..
    } = kind
    {
        numbers.push(format!("{} {}", title.plain(), copies.value));
    }
    for_each_statement(kind, &mut |statement| {
        let limit = match &statement.kind {
            StatementKind::Wait { limit, .. } => limit.as_ref(),
            StatementKind::Ask(ask) => ask.limit.as_ref(),
            _ => None,
        };
        if let Some(limit) = limit
            && let ExprKind::Int(count) = &*limit.count.kind
        {
            let unit = if limit.minutes { "minutes" } else { "seconds" };
            numbers.push(format!("{count} {unit}"));
        }
    });
    numbers
}

/// The plural of a title is that of its noun.
#[test]
fn several_of_a_kind_have_their_english_name() {
    for (one, many) in [
        ("wolf", "wolves"),
        ("chief", "chiefs"),
        ("thief", "thieves"),
        ("man of the law", "men of the law"),
        ("human", "humans"),
        ("child with a lamp", "children with a lamp"),
        ("spy", "spies"),
        ("boy", "boys"),
        ("fox", "foxes"),
        ("witch", "witches"),
        ("hero", "heroes"),
        ("sheep", "sheep"),
        ("knife", "knives"),
        ("police officer", "police officers"),
        ("German", "Germans"),
        ("Norman of the north", "Normans of the north"),
        ("Frenchman", "Frenchmen"),
        ("Human", "Humans"),
        ("serf", "serfs"),
        ("dwarf", "dwarves"),
        ("elf", "elves"),
        ("ox", "oxen"),
        ("Japanese", "Japanese"),
        ("passer-by", "passers-by"),
        ("mother-in-law", "mothers-in-law"),
        ("man-at-arms", "men-at-arms"),
    ] {
        assert_eq!(several(one), many);
    }
}

/// One or another is told with `or`, and what belongs together stands in brackets.
#[test]
fn what_is_joined_is_told_as_it_is_meant() {
    let book = of_rules(include_str!("rulebook/joined.mafia"), &[], |subject| {
        markdown(&whole(subject))
    });
    for told in [
        "**After the bite** of a wolf or a cub:",
        "when it is not so that (somebody is marked *lit* or this is *Night* number 2):",
        "is one whose *gold* is 0 or (there is no wolf and there is no cub).",
    ] {
        assert!(book.contains(told), "{told}\n\n{book}");
    }
}

/// Rules as people write them who have read the pages: calls of cards that many have, odd numbers of picks, lists of cases,
/// one who is marked, those who sit beside somebody, words drawn, endings and scenes that rules come instead of.
#[test]
fn what_one_says_aloud_has_its_articles_plurals_and_verbs() {
    let book = of_rules(include_str!("rulebook/aloud.mafia"), &[], |subject| {
        markdown(&whole(subject))
    });
    for told in [
        "Call **the smugglers**:",
        "Say: “Smugglers, wake up.”",
        "If the number of smugglers is 1:",
        "Answer: a card of the middle, by its back (the peek), or none.",
        "Show the smugglers: those whose *dealt* is a smuggler.",
        "Answer: as many players as the *size* of (*round* + 1) (the riders), for all to see.",
        "Ask each player, all at the same time: “Shall ‹party› ride?”",
        "Answer: any player except the smugglers (the victim), or nobody.",
        "and *tough* does not hold for *round*:",
        "If the *stabbed* is a smuggler:",
        "For each *living* player whose *bruises* are at least 2:",
        "### Alms of p and q",
        "### Begging of a player",
        "For each player who has nothing in his purse:",
        "Mark this player as *asleep*.",
        "Say: “‹the player› begs of ‹those who have something in their purse›.”",
        "Move the cards in the purse of the player that show silk to the middle.",
        "If *moon* is no moon at all and the smugglers are in the game:",
        "Set *moon* to no moon at all.",
        "Ask the player: “Which moon?” Answer: a full moon or no moon at all (the goal).",
        "Set *moon* to the goal.",
        "For each card in the purse of the player:",
        "Move this card to the middle.",
        "“And who else?” Answer: one of the *living* except those who are *asleep*.",
        "Mark that player as *asleep*.",
        "**moon** (the moon): one of a full moon and no moon at all; a full moon at the beginning.",
        "Carry out the *luck* of the *living* except those who are *asleep* by the player.",
        "### Luck of a player by somebody",
        "Say: “‹the player› has luck through ‹whoever is behind it›.”",
        "- **Before the luck** of an *asleep* player by a smuggler, when *moon* is a full moon:",
        "Mark whoever is behind it as *party*.",
        "Victory for whoever does it.",
        "Draw by lot: low or high (the water).",
        "Wait 5 seconds.",
        "Wait, and ask: “Has everybody seen his card?”",
        "Move 2 cards from the middle to the hand of this player.",
        "If the left neighbour of the *stabbed* is not *stabbed*:",
        "If somebody among the neighbours of the *stabbed* is *living*:",
        "Put silk (2 of the crates) in the middle.",
        "Let “top” be those with the most *votes*.",
        "- **After the words “A storm.”**",
        "- **Instead of the ending “All is over”**",
        "- **lucky of a player**: all of these together (Who has luck):",
        "**Somebody was stabbed:** when somebody is *stabbed*, these steps decide:",
    ] {
        assert!(book.contains(told), "{told}:\n{book}");
    }
    let card = of_rules(include_str!("rulebook/aloud.mafia"), &[], |subject| {
        let smuggler = subject.rules.group_named("Smuggler").unwrap();
        words_of(&cards::cards(subject, &[smuggler]))
    });
    assert!(
        card.replace('\n', " ").contains("Victory for whoever does it."),
        "{card}"
    );
    for gone in [
        "### Pause\n\n1. **Instead of Pause**:\n   - Nothing happens.\n2.",
        "### Nap",
        "among a smuggler",
        "who is whose",
    ] {
        assert!(!book.contains(gone), "{gone}:\n{book}");
    }
}

/// A role that does nothing when it is called, calls under a test, and names that fill a gap in what is said.
#[test]
fn calls_say_when_they_are_made_and_gaps_say_whose_name_fills_them() {
    let rules = "ruleset clock\nuse std.table, std.night\nplayers 3\n// allow-file empty-call\n\
        cast { players 3; Demon 1; Heir 1; Monk 1 }\nteam Good \"the good\"\nteam Evil \"the evil\"\n\
        role Demon \"the demon\" of Evil at most 1 { when called { say \"{Demon} rises before {others}.\" } }\n\
        role Heir \"the heir\" of Evil at most 1\nrole Monk \"a monk\" of Good\n\
        script { play Deal; repeat { play Night; judge } }\n\
        scene Night { if times Night is 1 { call Heir } else { call Demon }; call Monk }\n\
        scene Watch { ask seat 1 \"Well?\" { rest { leave }; go-on { nothing } } }\n\
        rule watch: after Night { play Watch }\n\
        ending good: win Good when no living Demon\nending evil: win Evil when times Night is 4\n";
    let book = of_rules(rules, &[], |subject| markdown(&whole(subject)));
    for told in [
        "| No. | In | Called | When | Asked |",
        "| 1 | Night | The heir | If this is Night number 1 |  |",
        "| 2 | Night | The demon | If this is not Night number 1 |  |",
        "| 3 | Night | The monks |  |  |",
        "- Is called in *Night*, if this is Night number 1.",
        "“‹who is the demon› rises before ‹the others›.”",
        "How it ends: Victory for the good",
        "- This scene ends here.",
    ] {
        assert!(book.contains(told), "{told}:\n{book}");
    }
}

/// What decides outside of all endings is told, wherever it stands; so is what rules always put in the place of words, a power
/// by a class, and all tokens of a kind.
#[test]
fn what_the_script_and_rules_decide_is_told_and_words_that_nobody_says_are_not() {
    let rules = "ruleset powers\nuse std.table, std.night\nplayers 4..6\ncast { players 4..6; Demon 1; Heir 1; Monk rest }\n\
        class Noble \"the nobles\"\nteam Good \"the good\"\nteam Evil \"the evil\"\nrole Demon \"the demon\" of Evil\n\
        role Heir \"the heir\" of Good is Noble\nrole Monk \"a monk\" of Good\n\
        token Mask \"a mask\" 2 is smile | frown \"a frowning mask\"\nzone wall seen by players\n\
        rule immune: instead of departure of Noble { nothing }\nrule over: before departure of Demon { end }\n\
        rule r1: instead of dusk { say \"Dusk falls.\" }\nrule r2: before talk { say \"Ring.\" }\n\
        script { play Deal; put smile in wall; repeat { play Night; if times Night is 4 { end } } }\n\
        scene Night { say \"Night.\" as dusk; wait \"Talk.\" as talk; flip Mask to frown; do departure of seat 1; judge }\n\
        ending good: win Good when no living Demon\n";
    let (book, page) = of_rules(rules, &[], |subject| {
        (markdown(&whole(subject)), markdown(&summary(subject)))
    });
    let script = book.split("## The host's script").nth(1).unwrap();
    let script = script.split("\n## ").next().unwrap();
    for (page, told, is_told) in [
        (
            &*page,
            "- In *the course of the game*:\n  - If this is *Night* number 4:\n    - The game ends here.",
            true,
        ),
        (
            &page,
            "- **Before the departure** of the demon:\n  - The game ends here.",
            true,
        ),
        (script, "Say: “Dusk falls.”", true),
        (script, "Say: “Night.”", false),
        (script, "Say: “Ring.”\n3. Wait until this is done: Talk.", true),
        (script, "Flip the masks to a frowning mask.", true),
        (
            &book,
            "Counted among: the nobles.\n\n- **Instead of the departure** of one of the nobles:",
            true,
        ),
    ] {
        assert_eq!(page.contains(told), is_told, "{told}:\n{page}");
    }
}

/// What is written above a call that an overlay puts in the place of another is what readers are told of the role.
#[test]
fn what_stands_above_another_call_is_told_of_the_role() {
    let overlay = "overlay careful \"Careful\" on town {\n  mark once-treated\n  /// Nobody is saved a second time.\n  \
        replace call Doctor {\n    ask me for patient from living without once-treated or nobody \"Whom do you save?\"\n    \
        mark patient as treated, once-treated\n  }\n}\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("careful.mafia"), overlay).unwrap();
    for page in [&[][..], &["--summary"]] {
        let words = [&["book", "town", "--with", "careful.mafia"], page].concat();
        let told = omerta_in(folder.path(), &words, b"").told();
        assert!(
            told.contains("Nobody is saved a second time.") && !told.contains("Each night you may save"),
            "{told}"
        );
    }
}

/// Whatever stands in the scene that makes the calls is told with each call, as it is for the card that is called.
#[test]
fn a_call_is_told_with_all_that_its_scene_does_for_the_card() {
    let rules = include_str!("rulebook/calls.mafia");
    let [book, players] = of_rules(rules, &[], |subject| {
        [whole(subject), summary(subject)].map(|page| markdown(&page))
    });
    let (_, night) = book.split_once("### Night\n").unwrap();
    let (night, _) = night.split_once("\n#").unwrap();
    insta::assert_snapshot!(night);
    assert!(!book.contains("### Waking"), "{book}");
    assert!(
        book.contains("- **When called, each by himself:**\n  - Ask this player: “Whom do you heal?”"),
        "{book}"
    );
    assert!(
        book.contains("- **When called:**\n  - Ask the gang for one answer together"),
        "{book}"
    );
    // Who is put into a circle is asked what that is asked.
    let guard = "**The guard**. “Whose door do you watch?” “Whom do you rob?”";
    assert!(players.contains(guard), "{players}");
    // What comes in at every call is told where the calls are made.
    let every = format!("{rules}rule thrice: before Waking when times Night is 3 {{ say \"Once more.\" }}\n");
    let book = of_rules(&every, &[], |subject| markdown(&whole(subject)));
    let (_, waking) = book.split_once("### Waking of a card\n").expect(&book);
    assert!(
        waking.contains("2. **Before Waking**, when this is *Night* number 3:"),
        "{book}"
    );
}

/// What stands in small rules, what the book says of it, and what it does not say.
#[test]
fn what_is_done_is_told_as_it_is() {
    let rows = [
        (
            "",
            "wait 1 minute \"Talk.\"",
            "Wait 1 minute at the most until this is done: Talk.",
            "1 minutes",
        ),
        (
            "",
            "ask seat 1 for gone from players \"Who?\" within 1 second",
            ", within 1 second.",
            "1 seconds",
        ),
        (
            "link copied one to roles",
            "if some copied of seat 1 { wait }",
            "If there is something that is the *copied* of seat 1:",
            "somebody in the",
        ),
        (
            "link once one",
            "if some once of seat 1 { wait }",
            "If there is a *once* of seat 1:",
            "an *once*",
        ),
        (
            "zone pile",
            "let left = (pile) Hen\nif no (pile) Fox { move left to pile }",
            "Let “left” be the hens in the pile.",
            "(if ",
        ),
        (
            "zone pile",
            "if no (pile) Fox { shuffle pile }",
            "If there are no foxes in the pile:",
            "there is nobody",
        ),
        (
            "define worth of role c { players 3..5\n Fox Hen\n Hen Owl\n Owl Fox }\nzone pile",
            "if worth of role of seat 1 is Fox { wait }",
            "| a fox | a hen |",
            "| Fox |",
        ),
        (
            "event tax of p with number n { say \"{p} pays {n}.\" }\n\
          rule haggle: instead of tax of Owl with n when n is more than 1 { do same with n - 1 }",
            "do tax of players with 3",
            "  - For what is done here, this line does not come in again.",
            "",
        ),
        (
            "rule long: instead of Deal when times Deal is 2 { wait \"More.\"; play Deal }",
            "wait",
            "  - For what is done here, this line does not come in again.",
            "",
        ),
        (
            "event tax of p { say \"{p} pays.\" }\nrule free: instead of tax of Owl { wait \"Free.\" }",
            "do tax of players",
            "**Instead of the tax** of the owl:",
            "For what is done here",
        ),
        (
            "mark lit",
            "mark Owl as lit",
            "Mark the owl as *lit*.",
            "#### The owl\n\nHas no call",
        ),
        (
            "rule dream: after Deal { tell Owl \"You dream.\" }",
            "wait",
            "Tell the owl alone: “You dream.”",
            "#### The owl\n\nHas no call",
        ),
        (
            "mark lit\nevent fall of p { say \"{p} falls.\" }\n\
          rule dent: instead of each fall of Owl without lit as p { mark p as lit }",
            "do fall of players",
            "  - Mark the owl as *lit*.",
            "Mark the owl (if",
        ),
        (
            "",
            "ask each electorate for pointing from living \"Who?\"",
            "*electorate*",
            "level vote",
        ),
        ("", "play Plurality of living", "What a level vote leads to", ""),
    ];
    for (declared, script, told, gone) in rows {
        let rules = format!(
            "ruleset small\nuse std.table, std.vote\nplayers 3..5\ncast {{ players 3..5; Fox 1; Owl 1; Hen rest }}\n\
             role Fox \"a fox\"\nrole Hen \"a hen\"\nrole Owl \"the owl\" at most 1\n{declared}\n\
             script {{\nplay Deal\n{script}\njudge\n}}\nending over: win Fox when no living Hen\n"
        );
        let book = of_rules(&rules, &[], |subject| markdown(&whole(subject)));
        assert!(book.contains(told), "{told}\n{book}");
        assert!(gone.is_empty() || !book.contains(gone), "{gone}\n{book}");
    }
}

/// The page for players says what the words mean that the rules define, where it speaks of them.
#[test]
fn the_page_for_players_explains_its_words() {
    let rules = "ruleset small\nuse std.table\nplayers 3..5\ncast { players 3..5; Fox 1; Owl 1; Hen rest }\n\
        role Fox \"a fox\"\nrole Hen \"a hen\"\nrole Owl \"an owl\"\n\
        define hunters = Fox plus Owl\ndefine singers = Hen\nscript { play Deal; do departure of singers; judge }\n\
        ending over: win Hen when no living hunters\n";
    let page = of_rules(rules, &[], |subject| markdown(&summary(subject)));
    assert!(
        page.contains("## Words of these rules\n\n- **hunters**: the foxes and the owls.\n"),
        "{page}"
    );
    assert!(!page.contains("singers"), "{page}");
}

/// The sentences of the remarks in a text: of each the first paragraph, or what is written for readers.
fn remarks_of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim).peekable();
    while lines.peek().is_some() {
        let mut above = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("//")) {
            above.push(line);
        }
        lines.next();
        let for_readers: Vec<&str> = above.iter().filter_map(|line| line.strip_prefix("///")).collect();
        let plain = above.iter().filter_map(|line| line.strip_prefix("//"));
        let plain = plain.map(str::trim).take_while(|line| !line.is_empty());
        let is_ruler = |line: &&str| line.contains("----") || line.contains("====");
        let kept: Vec<&str> = match for_readers.is_empty() {
            true => plain
                .filter(|line| !is_ruler(line) && !line.starts_with("allow"))
                .collect(),
            false => for_readers,
        };
        let text = kept.join(" ");
        for sentence in text
            .split(". ")
            .map(str::trim)
            .filter(|sentence| !sentence.is_empty())
        {
            // What follows a ledger's number and a colon is a sentence of its own.
            let told = match sentence.split_once(": ") {
                Some((numbers, told)) if numbers.split_whitespace().any(is_number) => told,
                _ => sentence,
            };
            found.push(told.to_owned());
        }
    }
    found
}

/// `VEND-012,`, `-013`, `Q45`
fn is_number(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    word.starts_with(|first: char| first.is_ascii_uppercase() || first.is_ascii_digit())
        && word.ends_with(|last: char| last.is_ascii_digit())
}
