//! What must hold in every game of a ruleset, as its ledger or its author says.
//!
//! A file `tests/laws/NAME.laws` is found by itself and holds one line each of
//!
//! ```text
//! // a comment
//! ruleset city                      the rules: a name, beside `rulesets/` or `tests/lang/`
//! overlays blind, mayor             laid on them (not needed)
//! options rounds=2, tie=nobody      set (not needed)
//! games 10000                       how many random games are played on the whole
//! offers 100                        in how many of a thousand pauses somebody takes up an offer
//! ABC-900 always EXPRESSION         holds at every pause and when the game is over
//! ABC-901 at a pause EXPRESSION     holds as long as the game goes on
//! ABC-902 at the end EXPRESSION     holds when the game is over
//! ```
//!
//! The expressions are conditions of the language. Every game also has to end, and by an ending of
//! the rules. Casts are random, as the rules allow them. `cargo test` plays a few games of each
//! file; `OMERTA_LAWS=whole cargo test --release laws` plays them all.

use super::tables::{Table, cast, lay, start};
use omerta::faces::render::{Format, Style, render};
use omerta_check::compile_expr;
use omerta_core::{
    rules::{Kind, Program},
    source::Sources,
};
use omerta_engine::{Game, Pending, Silence};
use omerta_play::{chance::Chance, policy::Policy, words::Words};
use omerta_syntax::parse_expr;
use omerta_workbench::{bundle::Shelf, files};
use std::path::Path;

/// How many games of each file are played when not all are.
const A_FEW: u64 = 25;
/// How many answers a game may take.
const ENDLESS: usize = 20_000;
/// What the games hang on.
const SEED: u64 = 900;

/// A file of laws.
#[derive(Default)]
struct Book {
    base: String,
    overlays: Vec<String>,
    options: Vec<(String, String)>,
    games: u64,
    offers: u32,
    laws: Vec<Law>,
}

/// Something that must hold.
struct Law {
    id: String,
    when: When,
    text: String,
}

/// When a law holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Pause,
    End,
}

/// The words of a file for it.
const WHENS: &[(&str, When)] = &[
    ("always ", When::Always),
    ("at a pause ", When::Pause),
    ("at the end ", When::End),
];

/// A law with its program.
struct Compiled<'a> {
    law: &'a Law,
    program: Program,
}

fn book(text: &str) -> Book {
    let mut book = Book {
        games: 1000,
        ..Book::default()
    };
    let list = |words: &str| {
        words
            .split(',')
            .map(|word| word.trim().to_owned())
            .collect::<Vec<_>>()
    };
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "ruleset" => book.base = rest.to_owned(),
            "overlays" => book.overlays = list(rest),
            "options" => {
                let pair = |word: String| {
                    word.split_once('=')
                        .map(|(name, value)| (name.to_owned(), value.to_owned()))
                };
                book.options = list(rest).into_iter().filter_map(pair).collect();
            }
            "games" => book.games = rest.parse().expect("a number of games"),
            "offers" => book.offers = rest.parse().expect("so many of a thousand"),
            id => {
                let said = WHENS
                    .iter()
                    .find_map(|(word, when)| Some((*when, rest.strip_prefix(word)?)));
                let (when, text) = said.unwrap_or_else(|| panic!("`{line}` does not say when it holds"));
                let (id, text) = (id.to_owned(), text.to_owned());
                book.laws.push(Law { id, when, text });
            }
        }
    }
    book
}

fn compile<'a>(table: &Table, laws: &'a [Law]) -> Vec<Compiled<'a>> {
    let program = |law: &'a Law| {
        let mut sources = Sources::default();
        let id = sources.add(&law.id, law.text.clone());
        let parsed = parse_expr(id, &law.text, 0).map_err(|wrong| vec![wrong]);
        let program = parsed.and_then(|expr| compile_expr(&table.rules, &table.names, &sources, &expr, &[]));
        let program = program
            .unwrap_or_else(|wrong| panic!("{}", render(&sources, &wrong, Format::Human, Style::PLAIN)));
        assert_eq!(
            program.kind,
            Some(Kind::Truth),
            "{}: {} is no condition",
            law.id,
            law.text
        );
        Compiled { law, program }
    };
    laws.iter().map(program).collect()
}

/// Plays games; what breaks a law, or does not end.
fn broken(table: &Table, book: &Book, games: u64) -> Vec<String> {
    let laws = compile(table, &book.laws);
    let mut failures = Vec::new();
    for number in 0..games {
        let Some(cast) = cast(table, SEED.wrapping_add(number)) else {
            failures.push(format!("{}: no cast for game {number}", table.name));
            continue;
        };
        let mut game = start(table, &cast, &mut Silence);
        if let Some(why) = breaks(&mut game, number, book.offers, &laws) {
            failures.push(format!(
                "{}, game {number} of {} seats: {why}",
                table.name, cast.0
            ));
        }
        if failures.len() >= 5 {
            break;
        }
    }
    failures
}

fn breaks(game: &mut Game, number: u64, offers: u32, laws: &[Compiled<'_>]) -> Option<String> {
    let mut chance = Chance::of_game(SEED, number);
    let policy = Policy {
        offers_per_thousand: offers,
        calls_per_thousand: offers,
    };
    let fails = |game: &Game, now: When| {
        let mut wanted = laws
            .iter()
            .filter(|law| law.law.when == When::Always || law.law.when == now);
        let law = wanted.find(|law| game.evaluate(&law.program, &[]) == 0)?;
        Some(format!("{} does not hold: {}", law.law.id, law.law.text))
    };
    for given in 0..ENDLESS {
        let Some(choice) = policy.choose(game, &mut chance) else {
            return match game.pending() {
                Pending::Over(outcome) if outcome.ending.is_none() => Some("no ending ended it".to_owned()),
                Pending::Over(_) => fails(game, When::End),
                Pending::Broken(fault) => {
                    let rules = game.rules();
                    Some(Words { rules, names: &[] }.fault(&fault))
                }
                pending => Some(format!("nothing can be answered: {pending:?}")),
            };
        };
        if let Some(why) = fails(game, When::Pause) {
            return Some(format!("after {given} answers {why}"));
        }
        if let Err(why) = game.apply(choice, &mut Silence) {
            return Some(format!("{choice:?} is refused: {why:?}"));
        }
    }
    Some("it does not end".to_owned())
}

fn shelf(base: &str) -> Shelf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = ["rulesets", "tests/lang"]
        .map(|folder| files::below(&root.join(folder), "mafia"))
        .concat();
    let found = here
        .iter()
        .find(|path| path.file_stem().is_some_and(|stem| stem == base));
    found.map_or_else(Shelf::default, |path| Shelf::beside(path))
}

#[test]
fn laws_hold_in_random_games() {
    let whole = std::env::var("OMERTA_LAWS").is_ok_and(|word| word == "whole");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let mut failures = Vec::new();
    for path in files::below(&root, "laws") {
        let book = book(&files::read(&path).unwrap());
        let Some(table) = lay(&shelf(&book.base), &book.base, &book.overlays, &book.options) else {
            failures.push(format!("{}: its rules are wrong", path.display()));
            continue;
        };
        let games = if whole { book.games } else { book.games.min(A_FEW) };
        let found = broken(&table, &book, games);
        if whole {
            println!("{}: {games} games, {} laws", table.name, book.laws.len());
        }
        failures.extend(found);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_law_that_does_not_hold_is_found() {
    let text = "ruleset city\nX-1 always number of living is at least 4\nX-2 at the end some winner";
    let book = book(text);
    let table = lay(&Shelf::default(), "city", &[], &[]).expect("sound rules");
    let found = broken(&table, &book, A_FEW);
    assert!(found.iter().any(|why| why.contains("X-1")), "{found:?}");
}
