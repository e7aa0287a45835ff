//! Every game can be gone through, repeated, kept, copied and taken back; and whoever is shown
//! something is shown it by a word of the rules.

use super::{
    facts::{
        Fact, Play, audiences, copied, gone_back_by_any_way, heard_or_unheard, kept_and_read,
        ready_or_waited_for, refused, saved_and_loaded, taken_back,
    },
    tables::{Table, cast, lay, start, tables},
};
use crate::tables::With;
use omerta_engine::{Choice, Pending, Silence};
use omerta_play::{chance::Chance, policy::Policy, ways::answers};
use proptest::{
    collection::vec,
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

/// How many answers a game is given at the most where a fact is tried at every pause.
const ANSWERS: usize = 90;
/// How many answers a random game may take before it counts as endless.
const ENDLESS: usize = 100_000;

/// Tries a fact on games at every table; a failing game is made as short as it can be.
#[track_caller]
pub fn holds(games: u32, fact: impl Fn(&Play<'_>) -> Fact) {
    holds_at(tables(), games, fact);
}

/// The same at some tables.
#[track_caller]
fn holds_at(tables: &[Table], games: u32, fact: impl Fn(&Play<'_>) -> Fact) {
    let mut failures = Vec::new();
    for table in tables {
        let config = Config {
            cases: games,
            failure_persistence: None,
            ..Config::default()
        };
        let stream = TestRng::from_seed(
            RngAlgorithm::ChaCha,
            &table.rules.identity.to_le_bytes().repeat(4),
        );
        let mut runner = TestRunner::new_with_rng(config, stream);
        let tried = runner.run(
            &(any::<u64>(), vec(any::<u32>(), 1..ANSWERS)),
            |(seed, numbers)| {
                let Some(cast) = cast(table, seed) else {
                    return Ok(());
                };
                let play = Play {
                    table,
                    cast,
                    numbers: &numbers,
                };
                fact(&play).map_err(|why| TestCaseError::fail(play.told(&why)))
            },
        );
        match tried {
            Ok(()) => {}
            Err(TestError::Fail(why, _)) => failures.push(why.message().to_owned()),
            Err(TestError::Abort(why)) => failures.push(format!("{}: {why}", table.name)),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn rules_of_all_folders_and_pages_are_tried() {
    let laid = |name: &str| tables().iter().filter(|table| table.name.contains(name)).count();
    assert!(laid("") > 60, "{} tables", laid(""));
    let overlaid = tables()
        .iter()
        .filter(|table| !table.rules.overlays.is_empty())
        .count();
    assert!(overlaid > 5, "{overlaid} tables with overlays");
    let set = tables().iter().filter(|table| table.name.contains('=')).count();
    assert!(set > 5, "{set} tables with options set");
}

#[test]
fn something_can_always_be_answered_and_every_game_ends() {
    let mut failures = Vec::new();
    for table in tables() {
        for number in 0..3 {
            let Some(cast) = cast(table, number) else {
                continue;
            };
            let mut chance = Chance::of_game(7, number);
            // Where only offers move a game on, nobody taking any up is a host who never ends the talk.
            let policy = Policy {
                offers_per_thousand: 40 + 60 * number as u32,
                calls_per_thousand: 40 + 60 * number as u32,
            };
            let mut game = start(table, &cast, &mut Silence);
            let mut given = 0;
            while let Some(choice) = policy.choose(&game, &mut chance) {
                let ways = answers(&game);
                let offered = matches!(choice, Choice::Offer { .. });
                let legal = game.apply(choice, &mut Silence);
                given += 1;
                if legal.is_err() || ways.is_empty() || given > ENDLESS {
                    let why = (choice, legal, ways.len(), given, offered);
                    failures.push(format!("{} game {number}: {why:?}", table.name));
                    break;
                }
            }
            if !matches!(game.pending(), Pending::Over(_)) {
                failures.push(format!(
                    "{} game {number} stops at {:?}",
                    table.name,
                    game.pending()
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn answers_that_are_ready_give_the_same_game_as_answers_that_are_waited_for() {
    holds(2, ready_or_waited_for);
}

#[test]
fn the_same_answers_give_the_same_game_whether_anybody_listens_or_not() {
    holds(2, heard_or_unheard);
}

/// What was read before a change, on one of two ways, or before a question that is put anew, is read anew behind it.
#[test]
fn what_has_changed_is_read_anew_whether_anybody_listens_or_not() {
    let text = include_str!("anew.mafia").replace("ruleset anew", "ruleset deed");
    let table = lay(&With(text), "deed", &[], &[]).expect("rules without a mistake");
    holds_at(&[table], 20, heard_or_unheard);
}

#[test]
fn a_game_that_is_kept_and_read_again_goes_on_as_before() {
    holds(2, kept_and_read);
}

#[test]
fn a_save_file_gives_the_game_again() {
    holds(1, saved_and_loaded);
}

#[test]
fn what_is_taken_back_was_never_answered() {
    holds(2, taken_back);
}

#[test]
fn wherever_one_goes_back_to_the_game_is_the_one_of_its_answers() {
    holds(1, gone_back_by_any_way);
}

#[test]
fn a_copy_goes_its_own_way() {
    holds(2, copied);
}

#[test]
fn a_refused_answer_changes_nothing_and_says_what_would_be_legal() {
    holds(1, refused);
}

#[test]
fn whoever_learns_of_something_learns_it_by_a_word_of_the_rules() {
    holds(2, audiences);
}
