//! What is told of rules and scenarios in which a word stands for a cousin of its own, and how their games go: `at most`
//! for `at least`, a mark for another mark, `plus` for `without`, a line lost; and what is told of a case that has beside
//! it what the next one has.
//!
//! A look into rules knows excuses that nobody has thought of to write a case for; the cases of the tables stand close by.

use super::{
    Net,
    slips::{Slipped, path, ran, told, words},
};
use crate::{
    properties::{
        facts::{Fact, Play, heard_or_unheard, ready_or_waited_for, same},
        tables::{cast, lay},
    },
    tables::{rows_of_expectations, scenario_texts},
    tells,
};
use omerta_core::{
    digest::Digest,
    source::{SourceId, Span},
};
use omerta_play::{chance::Chance, mutate::changes, session::Session, story::story};
use omerta_syntax::{
    parse_file,
    tree::{ExprKind, StatementKind},
    walk::{Part, for_each_expr, for_each_statement, holds},
};
use omerta_workbench::{bundle::Shelf, files};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    ops::Range,
    path::Path,
};

/// So often a case is turned, a scenario of a table, and a ruleset that is played.
const TURNS: usize = 6;
const OTHERWISE: usize = 2;
const PLAY_TURNS: usize = 2;
const PLAYED: usize = 3;
const SAID: usize = 8;
/// So many answers a game is given at the most.
const ANSWERS: usize = 40;
/// So many cases, or rows of expectations, are one line of the page.
const TOGETHER: usize = 20;

/// What may stand for each other in rules.
const COUSINS: &[&[&str]] = &[
    &["at least", "at most", "more than", "less than", "exactly"],
    &["is not", "is"],
    &["before", "instead of", "after"],
    &["some", "no", "every"],
    &["plus", "without"],
    &["and", "or"],
    &["me", "others", "players", "nobody"],
    &["first", "last"],
    &["left", "right", "neighbours"],
    &["highest", "lowest", "sum"],
    &["include", "exclude"],
    &["stop", "leave", "end", "nothing", "judge"],
    &["mark", "unmark", "clear"],
    &["until end of", "until"],
    &["do", "plan"],
    &["win", "lose"],
    &["set", "add"],
    &["tell", "say", "show"],
    &["yes", "no"],
    &["top", "bottom"],
    &["or nobody", "together", "openly", ""],
    &["0", "1", "2", "3", "4"],
];

/// And in scenarios.
const PLAY_COUSINS: &[&[&str]] = &[
    &["Ann", "Bob", "Cid", "Dee"],
    &["told", "shown", "sees"],
    &["not yet", "never", "only", "not"],
    &["then", "plus", ","],
    &["of", "by"],
    &["is not", "is"],
    &["for", "among"],
    &["winners", "losers"],
    &["error", "warning"],
    &["0", "1", "2", "3", "4"],
    &["at least", "at most", "more than", "less than"],
];

/// What is declared by a word has cousins of the same sort.
const SORTS: &[&[&str]] = &[
    &["mark", "flag"],
    &["role", "team", "token"],
    &["scene"],
    &["event"],
    &["count"],
    &["link"],
    &["zone"],
];

/// Words in front of other names that are declared.
const NAMED: &[&str] = &["rule", "ending", "define", "face", "draw"];

/// A text with something turned, and what that is.
type Turn = (String, String);

fn in_quotes(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    let slots = before.matches('{').count() > before.matches('}').count() && before.contains("\"");
    before.matches('"').count() % 2 == 1 && !slots
}

/// The names that a text declares, by their sorts.
fn declared(text: &str) -> BTreeMap<&str, usize> {
    let mut names = BTreeMap::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let Some((word, rest)) = line.trim_start().split_once(' ') else {
            continue;
        };
        let Some(sort) = SORTS.iter().position(|sort| sort.contains(&word)) else {
            continue;
        };
        for name in rest.split(',') {
            let name = name
                .trim_start()
                .split(|c: char| !c.is_alphanumeric() && c != '-')
                .next();
            names.extend(name.filter(|name| !name.is_empty()).map(|name| (name, sort)));
        }
    }
    names
}

/// All turns of words in a part of a text: each for the next of its cousins, and for the one before.
fn of_words(text: &str, within: &Range<usize>, cousins: &[&[&str]]) -> Vec<Turn> {
    let names = declared(text);
    let mut turns = Vec::new();
    let words = words(text);
    for word in words
        .iter()
        .filter(|word| word.start >= within.start && word.end <= within.end)
    {
        if in_quotes(text, word.start) {
            continue;
        }
        let rest = &text[word.start..within.end];
        let this = &text[word.clone()];
        let mut put = |old: &str, new: &str| {
            let slipped = format!("{}{new}{}", &text[..word.start], &text[word.start + old.len()..]);
            turns.push((format!("`{new}` for `{old}` at {}", word.start), slipped));
        };
        let is_whole = |phrase: &str| {
            let behind = rest[phrase.len()..].chars().next();
            behind.is_none_or(|c| !c.is_alphanumeric() && c != '-')
        };
        let of = |sort: &&&[&str]| {
            sort.iter()
                .position(|one| !one.is_empty() && rest.starts_with(one) && is_whole(one))
        };
        for sort in cousins.iter().filter(|sort| of(sort).is_some()) {
            let at = of(&sort).unwrap();
            let others = [at + 1, at + sort.len() - 1].map(|other| sort[other % sort.len()]);
            let others: BTreeSet<&str> = others.into();
            others.into_iter().for_each(|other| put(sort[at], other));
        }
        if let Some(sort) = names.get(this) {
            let alike: Vec<&str> = { names.iter() }
                .filter(|(_, of)| *of == sort)
                .map(|(name, _)| *name)
                .collect();
            let at = alike.iter().position(|name| *name == this).unwrap();
            if alike.len() > 1 {
                put(this, alike[(at + 1) % alike.len()]);
            }
        }
    }
    turns
}

/// The slips of the program's own.
fn of_statements(text: &str, within: &Range<usize>) -> Vec<Turn> {
    let (file, problems) = parse_file(SourceId(0), text);
    if !problems.is_empty() {
        return Vec::new();
    }
    let changes = changes(&file, text, None);
    let inside = changes
        .into_iter()
        .filter(|change| change.at.0 as usize >= within.start && change.at.1 as usize <= within.end);
    inside
        .map(|change| (format!("{} at {}", change.what, change.at.0), change.apply(text)))
        .collect()
}

/// The same said otherwise: a set joined with itself or without nobody, a condition denied twice or joined with itself,
/// a number and nothing, a statement that is gone through once.
fn otherwise(text: &str, within: &Range<usize>) -> Vec<Turn> {
    let (file, problems) = parse_file(SourceId(0), text);
    let mut turns = Vec::new();
    if !problems.is_empty() {
        return turns;
    }
    let mut put = |span: Span, ways: &[(&str, &str, &str)]| {
        let (start, end) = (span.start as usize, span.end as usize);
        if start < within.start || end > within.end || in_quotes(text, start) {
            return;
        }
        let (this, line) = (
            &text[start..end],
            text[..start].rfind('\n').map_or(0, |end| end + 1),
        );
        // What is shown is told with the words that stand there; an order is lost where sets are joined.
        let is_told_by_its_words = text[line..start].trim_start().starts_with("show ");
        let may_keep_an_order = text.contains("in order") && !this.contains(' ');
        if is_told_by_its_words || may_keep_an_order {
            return;
        }
        for (before, between, behind) in ways {
            let again = if between.is_empty() { "" } else { this };
            let new = format!("{before}{this}{between}{again}{behind}");
            let said = format!("{}{new}{}", &text[..start], &text[end..]);
            turns.push((format!("`{new}` at {start}"), said));
        }
    };
    for item in &file.items {
        for_each_expr(Part::Item(&item.kind), &mut |expr| {
            let ways: &[(&str, &str, &str)] = match &*expr.kind {
                ExprKind::Int(_) | ExprKind::NumberOf(_) | ExprKind::Times(_) => {
                    &[("(0 + ", "", ")"), ("(", "", " - 0)")]
                }
                ExprKind::Query(_) | ExprKind::Narrow(_) | ExprKind::Where { .. } => &[
                    ("(", " plus ", ")"),
                    ("(", " else ", ")"),
                    ("(", "", " without nobody)"),
                ],
                ExprKind::No(_)
                | ExprKind::Some(_)
                | ExprKind::Every { .. }
                | ExprKind::Compare { .. }
                | ExprKind::During(_)
                | ExprKind::Planned(_) => &[
                    ("((", ") and (", "))"),
                    ("((", ") or (", "))"),
                    ("(not (not (", "", ")))"),
                ],
                _ => &[],
            };
            put(expr.span, ways);
        });
        for_each_statement(Part::Item(&item.kind), &mut |statement| {
            // Both are about the loop that they stand in.
            if !holds(Part::Statement(statement), &|kind| {
                matches!(kind, StatementKind::Stop | StatementKind::Let { .. })
            }) {
                put(statement.span, &[("repeat 1 times {\n", "", "\n}")]);
            }
        });
    }
    turns
}

/// A case with its own lines once more, in which all that they declare has other names.
fn twice(text: &str, within: &Range<usize>) -> String {
    let own = &text[within.clone()];
    let mut names: BTreeSet<&str> = declared(own).into_keys().collect();
    let heads = own.lines().filter_map(|line| line.trim_start().split_once(' '));
    let heads = heads.filter(|(word, _)| NAMED.contains(word));
    names.extend(heads.filter_map(|(_, rest)| rest.split([' ', ':', '=']).next()));
    let (mut again, mut last) = (String::new(), 0);
    for word in words(own) {
        again += &own[last..word.start];
        last = word.end;
        let this = &own[word];
        again += this;
        if names.contains(this) {
            again += "-too";
        }
    }
    format!(
        "{}\n{again}{}",
        &text[..within.end],
        &text[within.end - (own.len() - last)..]
    )
}

/// Some of the turns, by a seed of their own.
fn some(mut turns: Vec<Turn>, name: &str, count: usize) -> Vec<Turn> {
    Chance::of_seed(Digest::of(name)).shuffle(&mut turns);
    turns.truncate(count);
    turns
}

/// The declarations of a case that another does not have by that name.
fn besides(lines: &str, other: &str) -> String {
    let head = |line: &str| {
        line.split([':', '{', '='])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let known: BTreeSet<String> = other.lines().map(head).collect();
    let (mut out, mut takes) = (String::new(), false);
    for line in lines.lines() {
        if !line.starts_with([' ', '}']) {
            takes = !known.contains(&head(line)) && !line.starts_with("script");
        }
        if takes {
            writeln!(out, "{line}").unwrap();
        }
    }
    out
}

#[test]
fn rules_with_words_for_their_cousins_are_told_as_before() {
    let mut net = Net::new("turned");
    let cases = tells::framed();
    for (number, (text, within)) in cases.iter().enumerate() {
        let name = format!("cases {}", number / TOGETHER);
        let seed = format!("case {number}");
        let mut turns = of_words(text, within, COUSINS);
        turns.extend(of_statements(text, within));
        let mut turns = some(turns, &seed, TURNS);
        if let Some((next, of_next)) = cases.get(number + 1)
            && next[..of_next.start] == text[..within.start]
        {
            let more = besides(&next[of_next.clone()], &text[within.clone()]);
            let joined = format!("{}\n{more}{}", &text[..within.end], &text[within.end..]);
            turns.push(("what the next has".to_owned(), joined));
        }
        for (what, slipped) in turns {
            let told = told("deed", &slipped, &Shelf::default());
            net.add(&name, "told", &format!("== {number}: {what}\n{told}"));
        }
        let mut same = some(otherwise(text, within), &seed, OTHERWISE);
        same.push(("twice".to_owned(), twice(text, within)));
        for (what, said) in same {
            let told = told("deed", &said, &Shelf::default());
            net.add(&name, "same", &format!("== {number}: {what}\n{told}"));
        }
    }
    net.holds();
}

#[test]
fn scenarios_with_words_for_their_cousins_come_out_as_before() {
    let mut net = Net::new("turned-scenarios");
    let (beside, texts) = scenario_texts();
    let (head, rows) = rows_of_expectations();
    for (number, chunk) in rows.chunks(TOGETHER).enumerate() {
        let mut text = head.clone();
        for (at, (play, line)) in chunk.iter().enumerate() {
            let turns = of_words(line, &(0..line.len()), PLAY_COUSINS);
            for (what, turned) in some(turns, &format!("row {number} {at}"), 1) {
                writeln!(
                    text,
                    "\n{}",
                    play(&turned).replacen(
                        "play \"",
                        &format!("play \"{at} {} ", what.replace(['`', '"'], "'")),
                        1
                    )
                )
                .unwrap();
            }
        }
        net.add(
            &format!("rows {number}"),
            "ran",
            &ran(Shelf::beside(&beside), &text),
        );
    }
    for (heading, text) in texts
        .iter()
        .filter(|(_, text)| text.matches("\nplay \"").count() == 1)
    {
        let within = text.find("\nplay \"").unwrap() + 1..text.len();
        for (what, turned) in some(of_words(text, &within.clone(), PLAY_COUSINS), heading, PLAY_TURNS) {
            let ran = ran(Shelf::beside(&beside), &turned);
            net.add(heading, "ran", &format!("== {what}\n{ran}"));
        }
        let again = text[within].replacen("play \"", "play \"again ", 1);
        net.add(
            heading,
            "twice",
            &ran(Shelf::beside(&beside), &format!("{text}\n{again}")),
        );
    }
    net.holds();
}

#[test]
fn games_of_rules_that_say_the_same_otherwise_are_the_same() {
    let mut failures = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in files::below(&here.join("tests/lang"), "mafia") {
        let (name, text) = (path(&file), files::read(&file).unwrap());
        let (shelf, root) = (Shelf::beside(&file), file.file_stem().unwrap().to_str().unwrap());
        let Some((game, _)) = played_as(root, &text, &shelf) else {
            continue;
        };
        for (what, said) in some(otherwise(&text, &(0..text.len())), &name, SAID) {
            if let Some((other, is_same)) = played_as(root, &said, &shelf) {
                let is_same = is_same.and_then(|()| same("the games", &game, &other));
                failures.extend(is_same.err().map(|why| format!("{name}, {what}: {why}")));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn games_of_rules_with_words_for_their_cousins_go_as_before() {
    let (mut net, mut failures) = (Net::new("turned-games"), Vec::new());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in files::below(&root.join("tests/lang"), "mafia") {
        let (name, text) = (path(&file), files::read(&file).unwrap());
        let mut turns = of_words(&text, &(0..text.len()), COUSINS);
        turns.extend(of_statements(&text, &(0..text.len())));
        let shelf = Shelf::beside(&file);
        let root = file.file_stem().unwrap().to_str().unwrap();
        let mut played = 0;
        for (what, slipped) in some(turns, &name, PLAYED * 3) {
            if played == PLAYED {
                break;
            }
            if let Some((game, is_same)) = played_as(root, &slipped, &shelf) {
                net.add(&name, "story", &format!("== {what}\n{game}"));
                failures.extend(is_same.err());
                played += 1;
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    net.holds();
}

/// A game of some rules by random answers: what it comes to, and whether it is the same whoever listens.
fn played_as(root: &str, text: &str, shelf: &Shelf) -> Option<(String, Fact)> {
    let slipped = Slipped {
        name: root,
        text,
        shelf: shelf.clone(),
    };
    let table = lay(&slipped, root, &[], &[])?;
    let mut chance = Chance::of_seed(1);
    let numbers: Vec<u32> = (0..ANSWERS).map(|_| chance.bits() as u32).collect();
    let play = Play {
        table: &table,
        cast: cast(&table, 1)?,
        numbers: &numbers,
    };
    let Ok(mut session) = Session::start(play.session_table()) else {
        return Some(("it does not begin\n".to_owned(), Ok(())));
    };
    for choice in play.answers() {
        session.apply(choice).ok()?;
    }
    let is_same = ready_or_waited_for(&play).and_then(|()| heard_or_unheard(&play));
    Some((story(&session), is_same.map_err(|why| play.told(&why))))
}
