//! Games for programs that learn: the same games, and nothing in a row that its seat was not told.

use crate::rulebook::bundled;
use omerta::{Arena, GameError, Load, Rules, Table, Turn};
use omerta_engine::{Happened, Listener, Viewer};
use omerta_play::{
    knowledge::{Knowledge, Layout},
    save::Save,
    session::Session,
};
use omerta_workbench::Workbench;
use std::sync::Arc;

/// A game at its end, with the seed that gave it.
fn played(rules: &Rules, seed: u64) -> Arena {
    let mut arena = rules.arena(&Table::new().seed(seed)).unwrap();
    for _ in 0..3000 {
        if arena.step_at_random().is_none() {
            break;
        }
    }
    arena
}

/// The same game as the engine tells of it.
fn session(name: &str, arena: &Arena) -> Session {
    let (bench, wanted) = Workbench::asked(name, &[], &[]).unwrap();
    let laid = bench.lay(&wanted).unwrap();
    let save = Save::from_text(&arena.game().unwrap().save()).unwrap();
    save.load(laid.bench.rules.clone(), laid.bench.hooks.clone())
        .unwrap()
        .session
}

#[test]
fn whatever_is_played_there_is_the_same_game_with_words() {
    for (name, _) in bundled() {
        let rules = Load::named(&name).load().unwrap();
        for seed in 0..4 {
            let arena = played(&rules, seed);
            let game = arena.game().unwrap();
            assert_eq!(game.outcome(), arena.outcome(), "{name} {seed}");
            let ended = arena.turn() == Turn::Over && arena.answered() < 20_000;
            assert_eq!(game.asked().is_none(), ended, "{name} {seed}");
            assert_eq!(arena.action_words().len(), arena.actions(), "{name}");
        }
    }
}

/// What a seat's row holds is what comes of the events that its view shows, and of no others.
#[test]
fn nothing_is_in_a_row_that_its_seat_was_not_told() {
    let mut told = 0;
    for (name, _) in bundled() {
        let rules = Load::named(&name).load().unwrap();
        for seed in 0..4 {
            let arena = played(&rules, seed);
            let session = session(&name, &arena);
            let seats = arena.names().len() as u8;
            let layout = Arc::new(Layout::new(&session.table().rules, seats));
            assert_eq!(layout.width(), arena.width());
            for seat in 0..seats {
                let mut knowledge = Knowledge::new(layout.clone());
                let heard: Vec<&Happened> = { session.log().view(Viewer::Seat(seat)) }
                    .map(|(_, heard)| heard)
                    .collect();
                told += heard.len();
                for one in heard {
                    knowledge.hear(one.what.clone(), one.audience, 0, 0, false);
                }
                assert_eq!(
                    knowledge.row(seat),
                    arena.known(seat),
                    "{name}, seed {seed}, seat {seat}"
                );
            }
        }
    }
    assert!(told > 10_000, "only {told} events were looked at");
}

#[test]
fn a_number_that_is_not_legal_changes_nothing_and_names_those_that_are() {
    let rules = Load::named("city").load().unwrap();
    let mut arena = rules.arena(&Table::new().players(8).seed(1)).unwrap();
    let before = arena.clone();
    let (legal, mut mask) = (arena.legal(), vec![0; arena.actions()]);
    arena.mask(&mut mask);
    for (number, legal_there) in (0..).zip(&mask) {
        assert_eq!(*legal_there == 1, legal.contains(&number));
    }
    let Err(GameError::Illegal(why)) = arena.step(0) else {
        panic!("nobody but who is not asked answers 0")
    };
    assert!(why.contains(&legal[0].to_string()), "{why}");
    assert!(arena.is_same(&before));
    arena.step(legal[0]).unwrap();
    assert!(!arena.is_same(&before));
    assert!(arena.step(u32::MAX).is_err());
}

#[test]
fn chance_by_hand_deals_a_card_of_a_kind_with_as_many_weights() {
    let rules = Load::named("city").load().unwrap();
    let table = Table::new().players(8).chance_by_hand();
    let mut arena = rules.arena(&table).unwrap();
    assert_eq!(arena.turn(), Turn::Chance);
    let words = arena.action_words();
    let chances = arena.chances();
    let weights: Vec<(&str, u32)> = { chances.iter() }
        .map(|(number, weight)| (words[*number as usize].as_str(), *weight))
        .collect();
    assert_eq!(weights.iter().map(|(_, weight)| weight).sum::<u32>(), 8);
    assert!(
        weights.len() < 8 && weights.iter().any(|(_, weight)| *weight > 1),
        "{weights:?}"
    );
    for _ in 0..8 {
        let first = arena.chances()[0].0;
        arena.step(first).unwrap();
    }
    let game = arena.game().unwrap();
    assert!(game.is_chance_by_hand());
    assert!(game.roles_of(0).len() == 1);
}

#[test]
fn a_game_that_begins_again_with_a_seed_is_the_game_of_that_seed() {
    let rules = Load::named("village").load().unwrap();
    let mut again = played(&rules, 3);
    again.begin_again(5).unwrap();
    while again.step_at_random().is_some() {}
    assert!(again.is_same(&played(&rules, 5)));
    assert_eq!(again.seed(), 5);
    assert!(!again.is_same(&played(&rules, 3)));
}

/// Whoever picks by the backs picks a place, whatever the cards are that others pick by their titles.
#[test]
fn a_card_of_which_only_the_back_shows_is_picked_by_its_place() {
    let rules = Load::text(include_str!("lang/backs.mafia")).load().unwrap();
    let arena = rules.arena(&Table::new().players(3)).unwrap();
    let words = arena.action_words();
    // The deal draws cards by their titles.
    assert!(words.contains(&"Wolf".to_owned()), "{words:?}");
    let legal = arena.legal().into_iter();
    let mut open: Vec<&str> = legal.map(|number| &*words[number as usize]).collect();
    open.sort_unstable();
    assert_eq!(open, ["card 1", "card 2", "card 3", "pass"]);
}

/// A game of offers alone: who asks nobody anything is played by them all the same.
#[test]
fn offers_are_questions_with_a_pass_and_each_seat_is_asked_once() {
    let rules = Load::named("two-player").load().unwrap();
    assert_eq!(rules.arena(&Table::new()).unwrap().turn(), Turn::Over);
    let mut arena = rules.arena(&Table::new()).unwrap().with_offers().unwrap();
    let words = arena.action_words();
    let open = |arena: &Arena| -> Vec<String> {
        let legal = arena.legal().into_iter();
        legal.map(|number| words[number as usize].clone()).collect()
    };
    assert_eq!(arena.turn(), Turn::Seat(0));
    assert_eq!(open(&arena), ["pass", "hole-card", "accuse"]);
    arena.step(1).unwrap();
    assert_eq!(arena.turn(), Turn::Seat(1));
    let accuse = *arena.legal().last().unwrap();
    arena.step(accuse).unwrap();
    assert_eq!(arena.turn(), Turn::Over);
    assert!(arena.outcome().is_some());
    assert_eq!(arena.game().unwrap().outcome(), arena.outcome());
}

/// Of each seat the last answer alone is known: a pass no longer once it names somebody, and nobody any more once it passes.
#[test]
fn a_name_takes_the_place_of_a_pass_and_a_pass_that_of_a_name() {
    const VOTES: &str = "ruleset votes \"Votes\"\nuse std.table\nplayers 3\ncast {\n  Guest 3\n}\n\
        team House \"the house\"\nrole Guest \"a guest\" of House\n\
        script {\n  play Deal\n  repeat {\n    ask seat 1 for vote from others or nobody\n    judge\n  }\n}\n\
        ending over: win House when no players\n";
    let rules = Load::text(VOTES).load().unwrap();
    let mut arena = rules.arena(&Table::new()).unwrap();
    let features = arena.features();
    let numbers = |name: &str| {
        features
            .iter()
            .find(|one| one.name == name)
            .unwrap()
            .numbers
            .clone()
    };
    let (passed, answers) = (numbers("passed"), numbers("answers"));
    let words = arena.action_words();
    let [second, third] = [1, 2].map(|seat| arena.names()[seat].clone());
    for (word, whom) in [
        ("pass", [0, 0]),
        (&second, [1, 0]),
        (&third, [0, 1]),
        ("pass", [0, 0]),
        (&second, [1, 0]),
    ] {
        let legal = arena.legal().into_iter();
        let number = { legal }.find(|number| words[*number as usize] == word).unwrap();
        arena.step(number).unwrap();
        let row = arena.known(0);
        assert_eq!(row[passed.start], i8::from(word == "pass"), "{word}");
        assert_eq!(row[answers.start + 1..][..2], whom, "{word}");
    }
}

/// Cards that the table leaves to chance are drawn by the seed, whenever a game begins.
#[test]
fn cards_by_lot_are_drawn_anew_with_each_seed() {
    const OPEN: &str = "ruleset lots \"Lots\"\nuse std.table\nplayers 3\ncast {\n  Wolf 1\n  Flock 2\n}\n\
        team Flock \"the flock\"\nteam Pack \"the pack\"\nrole Sheep \"a sheep\" of Flock\n\
        role Goat \"a goat\" of Flock\nrole Ewe \"an ewe\" of Flock\nrole Wolf \"a wolf\" of Pack\n\
        script {\n  play Deal\n  ask seat 1 for guess from others\n  judge\n}\n\
        ending over: win Flock when some players\n";
    let rules = Load::text(OPEN).load().unwrap();
    let mut arena = rules.arena(&Table::new()).unwrap();
    let mut casts = std::collections::BTreeSet::new();
    for seed in 0..20 {
        arena.begin_again(seed).unwrap();
        let (game, alone) = (
            arena.game().unwrap(),
            rules.begin(&Table::new().seed(seed)).unwrap(),
        );
        assert!(game == alone, "{seed}");
        let mut held: Vec<String> = (0..3).map(|seat| game.roles_of(seat)[0].name.clone()).collect();
        held.sort();
        casts.insert(held);
    }
    assert!(casts.len() > 1, "{casts:?}");
}
