//! What simulated players do at the table, and which games a run has.

use super::{head, laid, limited, plain, play, simulator};
use omerta_engine::{Choice, Target};
use omerta_measure::sim::{Labels, Limits, RunFile, Shard, Tally};
use std::collections::BTreeSet;

fn here(name: &str) -> omerta_workbench::ReadyRules {
    laid(&format!("{}/tests/sim/{name}", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn an_offer_may_come_before_the_first_answer_whoever_makes_it() {
    let laid = here("asked.mafia");
    for (offers_per_thousand, calls_per_thousand) in [(900, 0), (0, 900), (900, 900), (100, 900)] {
        let rates = Limits {
            answers: 100,
            offers_per_thousand,
            calls_per_thousand,
        };
        let mut field = limited(&laid, 3, rates);
        let mut begins_with_an_offer = |game| {
            let answers = field.answers(game).unwrap();
            let mut said = answers.iter().filter(|choice| !matches!(choice, Choice::Card(_)));
            matches!(said.next(), Some(Choice::Offer { .. }))
        };
        let offered = (0..50).filter(|game| begins_with_an_offer(*game)).count();
        assert!(offered > 0, "{offers_per_thousand} and {calls_per_thousand}");
    }
}

/// What sort of thing is named.
fn sort_of(target: Target) -> &'static str {
    match target {
        Target::Seat(_) => "player",
        Target::Card(_) => "card",
        Target::Title(_) => "role",
        Target::Number(_) => "number",
        Target::Text(_) => "text",
        Target::Nothing => "nothing",
    }
}

#[test]
fn chance_names_a_player_a_card_or_a_role_as_it_is_wanted() {
    let mut field = simulator(&here("market.mafia"), 3, 100);
    let mut taken = BTreeSet::new();
    for game in 0..100 {
        assert!(field.fault(game).unwrap().is_none());
        let answers = field.answers(game).unwrap();
        let at = answers.iter().position(|choice| match *choice {
            Choice::Branch { branch, target } => {
                taken.insert((branch, sort_of(target)));
                true
            }
            _ => false,
        });
        let mut drawn: Vec<&str> = answers[at.unwrap() + 1..]
            .iter()
            .map(|choice| match *choice {
                Choice::Seat(seat) => sort_of(Target::Seat(seat)),
                Choice::Card(card) => sort_of(Target::Card(card)),
                Choice::Title(title) => sort_of(Target::Title(title)),
                _ => sort_of(Target::Nothing),
            })
            .collect();
        drawn.dedup();
        assert_eq!(drawn, ["card", "role", "player"]);
    }
    let branches = ["player", "card", "role", "nothing"];
    assert_eq!(
        taken.into_iter().collect::<Vec<_>>(),
        (0..).zip(branches).collect::<Vec<_>>()
    );
}

#[test]
fn a_part_has_its_own_games_and_no_more_than_it_has_played() {
    let tally = Tally {
        games: 4,
        ..Tally::default()
    };
    let run = RunFile::new(head(8), Labels::default(), Shard { index: 1, of: 3 }, tally);
    let has: Vec<u64> = (0..40).filter(|number| run.has(*number)).collect();
    assert_eq!(has, [1, 4, 7, 10]);
}

#[test]
fn the_games_of_two_teams_are_won_by_one_of_them_each() {
    let laid = plain();
    let tally = play(&simulator(&laid, 7, 1000), 500, Shard::WHOLE, 1);
    let [first, second] = tally.teams[..] else {
        panic!("two teams: {:?}", tally.teams)
    };
    assert_eq!((first.held, second.held), (500, 500));
    assert!(first.won > 0 && second.won > 0, "{first:?} and {second:?}");
    assert_eq!(first.won + second.won, 500);
}

#[test]
fn each_two_seats_have_one_place_among_the_pairs() {
    for (seats, pairs) in [(3, 3), (8, 28), (12, 66)] {
        assert_eq!(simulator(&plain(), seats, 100).shape().empty().pairs.len(), pairs);
    }
}
