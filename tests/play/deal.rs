//! Casts: from tables, by hand, with cards put in others' stead; and what speaks against them.

use super::rules::{CIVILIAN, DOCTOR, MAFIOSO, add_role, rules};
use crate::engine::assembler::nowhere;
use omerta_core::rules::{
    Cast, CastCheck, CastColumn, Group, GroupId, GroupKind, Op, PlannedCast, Reg, Ruleset, Thunk,
};
use omerta_engine::{Game, NoHooks, Silence, StartError};
use omerta_play::deal::{self, Wanted};
use std::sync::Arc;

fn with_table() -> Ruleset {
    let mut rules = rules();
    rules.casts.push(Cast {
        only: false,
        name: None,
        title: String::new(),
        origin: nowhere(),
        columns: vec![CastColumn {
            from: 3,
            to: 5,
            cards: vec![(DOCTOR, 1), (MAFIOSO, 1)],
            rest: Some(CIVILIAN),
        }],
    });
    rules
}

fn problems(rules: Ruleset, cards: &[GroupId]) -> Vec<(&'static str, String)> {
    problems_for(rules, cards, 3)
}

fn problems_for(rules: Ruleset, cards: &[GroupId], players: usize) -> Vec<(&'static str, String)> {
    let cast = PlannedCast {
        cards: cards.to_vec(),
    };
    let found = deal::check(
        &rules,
        &(Arc::new(NoHooks) as Arc<dyn omerta_engine::Hooks>),
        &cast,
        players,
        nowhere(),
    );
    found
        .into_iter()
        .map(|problem| (problem.code.0, problem.message))
        .collect()
}

#[test]
fn a_table_fills_the_rest() {
    let cast = deal::from_table(&with_table(), None, 5, nowhere()).unwrap();
    assert_eq!(cast.cards, [DOCTOR, MAFIOSO, CIVILIAN, CIVILIAN, CIVILIAN]);
    let error = deal::from_table(&with_table(), None, 6, nowhere()).unwrap_err();
    assert_eq!(
        (error.code.0, error.message.as_str()),
        ("M0911", "the table has no cast for 6 players")
    );
    assert_eq!(
        deal::from_table(&with_table(), Some("grand"), 5, nowhere())
            .unwrap_err()
            .code
            .0,
        "M0910"
    );
}

#[test]
fn which_of_several_it_is_must_be_drawn() {
    let mut rules = with_table();
    let healers = GroupId(rules.groups.len() as u16);
    rules.groups.push(Group {
        kind: GroupKind::Class,
        name: "Healer".into(),
        ..rules.groups[DOCTOR.index()].clone()
    });
    rules.roles[DOCTOR.index()].groups.push(healers);
    rules.casts[0].columns[0].cards[0].0 = healers;
    let cast = deal::from_table(&rules, None, 3, nowhere()).unwrap();
    assert_eq!(cast.cards, [healers, MAFIOSO, CIVILIAN]);
    let [(code, message)] = &problems(rules.clone(), &cast.cards)[..] else {
        panic!("one thing is wrong with it");
    };
    assert_eq!(*code, "M0913");
    assert_eq!(message, "which role of `Healer` is in the game is not said");
    // Wherever it lies among the others.
    let (rules, mut cast) = (Arc::new(rules), cast);
    for _ in 0..3 {
        cast.cards.rotate_left(1);
        let game = Game::start(rules.clone(), Arc::new(NoHooks), 3, &cast, &mut Silence);
        assert_eq!(game.err(), Some(StartError::NoRole { card: healers }));
    }
}

#[test]
fn a_cast_may_be_counted_out() {
    let wanted = Wanted {
        cards: vec![(MAFIOSO, 2)],
        rest: Some(CIVILIAN),
    };
    assert_eq!(
        deal::explicit(&wanted, 4).cards,
        [MAFIOSO, MAFIOSO, CIVILIAN, CIVILIAN]
    );
}

#[test]
fn replacements_are_matched_one_to_one() {
    let mut rules = with_table();
    let either = add_role(&mut rules, "Either", |role| {
        role.replaces = vec![vec![DOCTOR, MAFIOSO]]
    });
    let only = add_role(&mut rules, "Only", |role| role.replaces = vec![vec![DOCTOR]]);
    let table = deal::from_table(&rules, None, 3, nowhere()).unwrap();
    let cast = deal::put_in(&rules, &table, &[either, only], nowhere()).unwrap();
    assert_eq!(cast.cards, [only, either, CIVILIAN]);
    let error = deal::put_in(&rules, &table, &[only, only], nowhere()).unwrap_err();
    assert_eq!(error.message, "no card is left that `Only` could replace");
}

#[test]
fn where_no_card_can_be_replaced_it_is_said_which_could() {
    for (replaces, help) in [
        (&[][..], "`Odd` replaces nothing; put it into the cast by hand"),
        (&[&[DOCTOR][..]], "it replaces `Doctor`, one card for one"),
        (
            &[&[DOCTOR, MAFIOSO]],
            "it replaces `Doctor` or `Mafioso`, one card for one",
        ),
        (
            &[&[DOCTOR], &[MAFIOSO]],
            "the first card of it replaces `Doctor`; the next `Mafioso`",
        ),
    ] {
        let mut rules = with_table();
        let odd = add_role(&mut rules, "Odd", |role| {
            role.replaces = replaces.iter().map(|list| list.to_vec()).collect();
        });
        let table = deal::from_table(&rules, None, 3, nowhere()).unwrap();
        let error = deal::put_in(&rules, &table, &[odd; 3], nowhere()).unwrap_err();
        assert_eq!(error.help.as_deref(), Some(help));
    }
}

#[test]
fn limits_needs_and_refusals_name_their_role() {
    let mut rules = rules();
    rules.roles[DOCTOR.index()].limit = Some(1);
    rules.roles[MAFIOSO.index()].needs = vec![CIVILIAN];
    rules.roles[MAFIOSO.index()].refuses = vec![DOCTOR];
    let found = problems(rules, &[DOCTOR, DOCTOR, MAFIOSO]);
    assert_eq!(
        found
            .iter()
            .map(|(code, message)| (*code, message.as_str()))
            .collect::<Vec<_>>(),
        [
            (
                "M0914",
                "2 cards of `Doctor` are in the game, and at most 1 may be"
            ),
            ("M0915", "`Mafioso` needs `Civilian`, which is not in the game"),
            ("M0916", "`Mafioso` refuses `Doctor`, and both are in the game"),
        ]
    );
    assert_eq!(problems(super::rules::rules(), &[DOCTOR])[0].0, "M0912");
    // A second card of the role is neither what it needs nor what it refuses.
    let mut rules = super::rules::rules();
    rules.roles[MAFIOSO.index()].needs = vec![MAFIOSO];
    rules.roles[DOCTOR.index()].refuses = vec![DOCTOR];
    let two_of_each = problems(rules, &[MAFIOSO, MAFIOSO, DOCTOR, DOCTOR]);
    let codes: Vec<&str> = two_of_each.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["M0912", "M0915"]);
}

#[test]
fn a_cast_is_tested_by_the_rules() {
    let require = |warning| {
        let mut rules = rules();
        let at = rules.code.len() as u32;
        rules.code.extend([
            Op::Group {
                to: Reg(0),
                group: MAFIOSO,
            },
            Op::Some {
                to: Reg(0),
                of: Reg(0),
            },
            Op::Done,
        ]);
        rules.origins.extend([nowhere(), nowhere(), nowhere()]);
        let test = Thunk {
            at,
            result: Reg(0),
            registers: 1,
        };
        let message = "somebody must be in the Mafia".to_string();
        rules.cast_checks.push(CastCheck {
            name: "some-mafia".into(),
            warning,
            test,
            message,
            origin: nowhere(),
        });
        rules
    };
    assert_eq!(problems(require(false), &[DOCTOR, MAFIOSO, CIVILIAN]), []);
    let unmet = |warning| problems(require(warning), &[DOCTOR, CIVILIAN, CIVILIAN]);
    assert_eq!(
        unmet(false),
        [("M0918", "somebody must be in the Mafia".to_string())]
    );
    assert_eq!(
        unmet(true),
        [("M0919", "somebody must be in the Mafia".to_string())]
    );
    // The first card of the largest cast and the last are looked at like the others.
    for one in [0, 31, 63] {
        let mut cards = [CIVILIAN; 64];
        assert_eq!(problems_for(require(false), &cards, 64), unmet(false));
        cards[one] = MAFIOSO;
        assert_eq!(problems_for(require(false), &cards, 64), [], "{one}");
    }
}
