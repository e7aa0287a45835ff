//! Rulesets that nobody wrote: small sound games with every word of the language in odd company, at
//! tables of three to sixty-four. Every fact of `facts.rs` must hold of each, and the tools must agree
//! about its text. A case that fails is made as small as it can be and printed whole.
//!
//! The language stands in `generated/*.grammar`. `OMERTA_GENERATED=20000 cargo test generated` tries so
//! many games instead of the usual few; with `OMERTA_GENERATED_SEED=2` other ones.

mod grammar;
mod growth;

use self::{
    grammar::Grammar,
    growth::{Grown, Seed, grow},
};
use super::{
    facts::{FACTS, Fact, Play, same},
    tables::{Table, chosen, lay},
};
use omerta::faces::render::{Format, Renders, Style};
use omerta_book::{diff::difference, subject::Subject};
use omerta_core::{
    rules::PlannedCast,
    source::{Loaded, Loader, SourceId},
};
use omerta_engine::{Pending, Silence};
use omerta_play::{casting, chance::Chance, session::Session};
use omerta_syntax::format;
use omerta_workbench::{
    RulesetRequest, SharedLoader, Workbench,
    bundle::bundled,
    written::{Tail, Written},
};
use proptest::{
    collection::vec,
    prelude::{Strategy, any},
    sample::select,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    sync::Arc,
};

/// Why a game is not written, and whether that is so.
type Excluded = (&'static str, fn(&Play<'_>, &Grown) -> bool);

/// How many games are tried unless somebody wants more.
const GAMES: u32 = 150;
/// At how many seats: a few, a table, around half a word's bytes, and all.
const SEATS: [u8; 6] = [3, 5, 15, 16, 17, 64];
/// How many answers a game is given at the most, beside a card for each seat.
const ANSWERS: usize = 70;
/// How many games are written as scenarios.
const EXPORTED: u32 = 60;
/// Games that cannot be written as scenarios yet, by the reason.
const NOT_WRITTEN: [Excluded; 1] = [(
    "where some cards are spare, which of the equal ones shows in the order in which they are moved",
    |play, _| {
        let (seats, cast) = &play.cast;
        cast.cards.len() > usize::from(*seats)
    },
)];
/// Of a hundred texts so many must be sound.
const SOUND: usize = 90;

/// A text that grew, as a place to find it in.
#[derive(Clone)]
struct Nursery(Grown);

impl Loader for Nursery {
    fn load(&self, path: &str) -> Option<Loaded> {
        let text = match path {
            "grown" => &self.0.base,
            "more" => &self.0.overlay,
            other => return bundled(other),
        };
        Some(Loaded {
            name: path.to_owned(),
            text: text.clone(),
        })
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn wanted(grown: &Grown) -> RulesetRequest {
    let overlay = (!grown.overlay.is_empty()).then(|| "more".to_owned());
    RulesetRequest {
        base: "grown".to_owned(),
        overlays: overlay.into_iter().collect(),
        options: Vec::new(),
    }
}

fn laid(grown: &Grown) -> Option<Table> {
    lay(&Nursery(grown.clone()), "grown", &wanted(grown).overlays, &[])
}

fn bench(grown: &Grown) -> Workbench {
    Workbench::reading(Arc::new(Nursery(grown.clone())))
}

/// What the checker has against a text, with the lines that it blames.
fn complaint(grown: &Grown) -> String {
    let bench = bench(grown);
    let wrong = bench.lay(&wanted(grown)).err().unwrap_or_default();
    bench.render(&wrong, Format::Human, Style::PLAIN)
}

fn seeds() -> impl Strategy<Value = Seed> {
    let tapes = |most, longest| vec(vec(any::<u8>(), 0..longest), 0..most);
    (
        select(&SEATS[..]),
        vec(any::<u8>(), 0..80),
        tapes(6, 40),
        tapes(4, 30),
        tapes(3, 24),
        any::<u8>(),
    )
        .prop_map(|(seats, shapes, statements, items, overlay, is_laid)| Seed {
            seats,
            shapes,
            statements,
            items,
            // Most games stand alone.
            overlay: if is_laid % 4 == 1 { overlay } else { Vec::new() },
        })
}

/// A number that somebody may set from outside.
fn wish(name: &str, usual: u32) -> u32 {
    std::env::var(name).map_or(usual, |word| word.parse().expect("a number"))
}

/// What was tried on the whole.
#[derive(Default)]
struct Count {
    grown: usize,
    sound: usize,
    played: usize,
    /// The ways of the grammar that came into a sound ruleset.
    ways: BTreeSet<&'static str>,
    refused: Vec<Grown>,
}

fn try_all(games: u32, fact: impl Fn(&Play<'_>, &Grown) -> Fact) -> (Count, Option<String>) {
    let grammar = Grammar::read();
    let count = RefCell::new(Count::default());
    let config = Config {
        cases: games,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let seed = wish("OMERTA_GENERATED_SEED", 1);
    let stream = TestRng::from_seed(RngAlgorithm::ChaCha, &seed.to_le_bytes().repeat(8));
    let numbers = vec(any::<u32>(), 1..ANSWERS + 64);
    let tried = TestRunner::new_with_rng(config, stream).run(&(seeds(), numbers), |(seed, numbers)| {
        let grown = grow(&grammar, &seed);
        let mut count = count.borrow_mut();
        count.grown += 1;
        let Some(table) = laid(&grown) else {
            count.refused.push(grown);
            return Ok(());
        };
        count.sound += 1;
        count.ways.extend(&grown.ways);
        let mut chance = Chance::of_seed(table.rules.identity);
        let Some(cards) = casting::random_for(&table.rules, &table.hooks, seed.seats, &mut chance) else {
            return Ok(());
        };
        count.played += 1;
        drop(count);
        let play = Play {
            table: &table,
            cast: (seed.seats, cards),
            numbers: &numbers[..numbers.len().min(ANSWERS + usize::from(seed.seats))],
        };
        fact(&play, &grown).map_err(|why| TestCaseError::fail(told(&play, &grown, &why)))
    });
    let failed = match tried {
        Ok(()) => None,
        Err(TestError::Fail(why, _)) => Some(why.message().to_owned()),
        Err(TestError::Abort(why)) => Some(why.to_string()),
    };
    (count.into_inner(), failed)
}

/// The case in the one layout, if it has one.
fn told(play: &Play<'_>, grown: &Grown, why: &str) -> String {
    let laid_out = |text: &String| format(SourceId(0), text).unwrap_or_else(|_| text.clone());
    let [base, overlay] = [&grown.base, &grown.overlay].map(laid_out);
    format!("{}\n{base}{overlay}", play.told(why))
}

#[test]
fn nearly_all_that_grows_is_sound_and_every_way_to_write_a_thing_is_gone() {
    // So many show every way.
    let (count, _) = try_all(wish("OMERTA_GENERATED", GAMES).max(600), |_, _| Ok(()));
    let share = count.sound * 100 / count.grown;
    let complaints: Vec<String> = count.refused.iter().map(complaint).collect();
    assert!(
        share >= SOUND,
        "{share} of a hundred are sound\n{}",
        complaints.join("\n")
    );
    let grammar = Grammar::read();
    let missing: Vec<&str> = grammar
        .all()
        .map(|way| way.line)
        .filter(|line| !count.ways.contains(line))
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn every_fact_holds_of_rules_that_nobody_wrote() {
    let (count, failed) = try_all(wish("OMERTA_GENERATED", GAMES), |play, _| {
        let fact =
            |(name, fact): &(&str, fn(&Play<'_>) -> Fact)| fact(play).map_err(|why| format!("{name}: {why}"));
        FACTS.iter().try_for_each(fact)
    });
    no_failure(failed);
    assert!(count.played > 0);
}

#[test]
fn every_tool_reads_rules_that_nobody_wrote_alike() {
    let (_, failed) = try_all(wish("OMERTA_GENERATED", GAMES), |play, grown| {
        let again = laid(grown).ok_or("the second time it is not sound")?;
        same(
            "two checks",
            &format!("{:?}", play.table.rules),
            &format!("{:?}", again.rules),
        )?;
        let tidy = tidied(grown)?;
        let once = [&tidy.base, &tidy.overlay];
        let twice = tidied(&tidy)?;
        same(
            "the layout and the layout of it",
            &once,
            &[&twice.base, &twice.overlay],
        )?;
        same("a ruleset and itself", &differences(grown, grown), &Vec::new())?;
        same(
            "a ruleset and the same laid out",
            &differences(grown, &tidy),
            &Vec::new(),
        )?;
        let table = laid(&tidy).ok_or("laid out it is not sound")?;
        let other = Play {
            table: &table,
            cast: play.cast.clone(),
            ..*play
        };
        same("the answers", &play.answers(), &other.answers())?;
        same("the states", play.played().state(), other.played().state())
    });
    no_failure(failed);
}

#[test]
fn a_game_of_rules_that_nobody_wrote_can_be_written_as_a_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let (written, left_out) = (Cell::new(0), Cell::new([0; NOT_WRITTEN.len()]));
    let (_, failed) = try_all(wish("OMERTA_GENERATED", EXPORTED), |play, grown| {
        if let Some(reason) = NOT_WRITTEN.iter().position(|(_, is_so)| is_so(play, grown)) {
            let mut counts = left_out.get();
            counts[reason] += 1;
            left_out.set(counts);
            return Ok(());
        }
        for (name, text) in [("grown.mafia", &grown.base), ("more.mafia", &grown.overlay)] {
            std::fs::write(folder.path().join(name), text).map_err(|why| why.to_string())?;
        }
        let wanted = wanted(grown);
        // A scenario never rests where chance is asked.
        let (mut game, mut answers) = (play.played(), play.answers());
        while let Pending::Chance(_) = game.pending() {
            let choice = chosen(&game, answers.len() as u32).ok_or("chance can give nothing")?;
            game.apply(choice, &mut Silence)
                .map_err(|why| format!("{why:?}"))?;
            answers.push(choice);
        }
        let session = Session::replay(play.session_table(), &answers, &[]);
        let (session, _) = session.map_err(|why| format!("{why:?}"))?;
        let export = Written {
            session: &session,
            wanted: &wanted,
            title: "grown",
            table: "",
            tail: Tail::Snapshot,
        };
        written.set(written.get() + 1);
        export.text(&folder.path().join("grown.play")).map(drop)
    });
    no_failure(failed);
    let left_out = left_out.get();
    let told: Vec<String> = NOT_WRITTEN
        .iter()
        .zip(left_out)
        .map(|((reason, _), count)| format!("{count}: {reason}"))
        .collect();
    assert!(
        left_out.iter().sum::<u32>() < written.get(),
        "{} games are written, and not\n{}",
        written.get(),
        told.join("\n")
    );
}

/// Some of the rulesets that grow, each with seats and cards, as far as they are sound.
pub fn grown(count: u32) -> Vec<(Table, (u8, PlannedCast))> {
    let found = RefCell::new(Vec::new());
    let (_, failed) = try_all(count, |play, grown| {
        let table = laid(grown).ok_or("the second time it is not sound")?;
        let loader: SharedLoader = Arc::new(Nursery(grown.clone()));
        let table = Table {
            loader: Some(loader),
            ..table
        };
        found.borrow_mut().push((table, play.cast.clone()));
        Ok(())
    });
    no_failure(failed);
    found.into_inner()
}

#[track_caller]
fn no_failure(failed: Option<String>) {
    if let Some(why) = failed {
        panic!("{why}");
    }
}

/// A ruleset in the one layout.
fn tidied(grown: &Grown) -> Result<Grown, String> {
    let tidy =
        |text: &String| format(SourceId(0), text).map_err(|why| format!("it cannot be laid out: {why:?}"));
    Ok(Grown {
        base: tidy(&grown.base)?,
        overlay: tidy(&grown.overlay)?,
        ways: BTreeSet::new(),
    })
}

/// In what two texts differ by what they mean.
fn differences(one: &Grown, other: &Grown) -> Vec<String> {
    let [(one, first), (other, second)] = [one, other].map(|grown| {
        let bench = bench(grown);
        let laid = bench.lay(&wanted(grown));
        (bench, laid.expect("it was laid before"))
    });
    let parts = one.with_sources(|sources| {
        let first = Subject {
            rules: &first.bench.rules,
            items: &first.items,
            heads: &first.heads,
            sources,
        };
        other.with_sources(|sources| {
            let second = Subject {
                rules: &second.bench.rules,
                items: &second.items,
                heads: &second.heads,
                sources,
            };
            difference(first, second)
        })
    });
    parts.into_iter().flat_map(|part| part.lines).collect()
}
