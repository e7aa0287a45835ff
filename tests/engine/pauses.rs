//! Questions, chance, offers, leaving, and the game as a value.

use super::assembler::{Assembler, Played, ask, mark, nowhere, r, seats, small};
use omerta_core::rules::{
    AskKind, Branch, DrawKind, EndingId, FactId, FactShape, Kind, Offer, OfferId, OfferTarget, Op,
    PlannedCast, ProcRole, Ruleset,
};
use omerta_core::written::{MOST_TEXTS, Unwritable};
use omerta_engine::{
    Choice, Deed, Domain, Game, Illegal, Log, NoHooks, Pending, Silence, StartError, State, Target, What,
};
use std::sync::Arc;

/// Asks seat 0 for a seat and marks it.
fn one_question(change: impl FnOnce(&mut Assembler)) -> (Played, FactId) {
    let mut asm = Assembler::new();
    let chosen = asm.word(FactShape::Mark);
    let site = asm.ask(AskKind::Seats);
    change(&mut asm);
    let script = vec![
        small(0, 1),
        small(1, 0b110),
        ask(site, 0),
        mark(chosen, 3),
        Op::Return,
    ];
    (asm.play(4, &[], script), chosen)
}

#[test]
fn a_question_waits_and_its_answer_goes_on() {
    let (game, chosen) = one_question(|_| {});
    assert_eq!(
        game.domain(),
        Domain::Seats {
            among: 0b110,
            pass: false
        }
    );
    game.answer(Choice::Seat(2))
        .expect_fact(chosen, seats(&[2]))
        .expect_over();
}

#[test]
fn an_illegal_answer_changes_nothing() {
    let (mut game, _) = one_question(|_| {});
    let before = game.game.state().clone();
    for choice in [
        Choice::Seat(0),
        Choice::Seat(64),
        Choice::Pass,
        Choice::Yes,
        Choice::Card(1),
        Choice::Word(0),
    ] {
        assert!(game.game.apply(choice, &mut game.log).is_err(), "{choice:?}");
    }
    let offer = Choice::Offer {
        offer: OfferId(0),
        by: None,
        target: Target::Nothing,
    };
    assert_eq!(
        game.game.apply(offer, &mut game.log),
        Err(Illegal::NoOffer { offer: OfferId(0) })
    );
    assert_eq!(*game.game.state(), before);
}

#[test]
fn an_optional_question_may_be_passed() {
    let (game, chosen) = one_question(|asm| asm.rules.asks[0].pass = omerta_core::rules::Pass::Always);
    game.answer(Choice::Pass).expect_fact(chosen, 0).expect_over();
}

#[test]
fn a_game_that_is_over_takes_no_answer() {
    let (game, _) = one_question(|_| {});
    let mut over = game.answer(Choice::Seat(1));
    assert_eq!(over.game.apply(Choice::Pass, &mut Silence), Err(Illegal::Over));
}

#[test]
fn a_question_that_nobody_can_answer_is_not_put() {
    let mut asm = Assembler::new();
    let site = asm.ask(AskKind::Seats);
    asm.play(3, &[], vec![small(0, 0), small(1, 7), ask(site, 0), Op::Return])
        .expect_over();
}

#[test]
fn numbers_and_yes_or_no_come_back_as_words() {
    let mut asm = Assembler::new();
    let (number, truth) = (asm.word(FactShape::Count), asm.word(FactShape::Flag));
    let (how_many, whether) = (asm.ask(AskKind::Numbers), asm.ask(AskKind::YesNo));
    let ask_both = vec![
        small(0, 1),
        small(1, -3),
        small(2, 3),
        ask(how_many, 0),
        Op::Set {
            fact: number,
            value: r(3),
        },
    ];
    let rest = vec![
        ask(whether, 0),
        Op::Set {
            fact: truth,
            value: r(3),
        },
        Op::Return,
    ];
    let game = asm.play(3, &[], [ask_both, rest].concat());
    assert_eq!(
        game.domain(),
        Domain::Numbers {
            low: -3,
            high: 3,
            pass: false
        }
    );
    game.answer(Choice::Number(-2))
        .answer(Choice::Yes)
        .expect_fact(number, -2i64 as u64)
        .expect_fact(truth, 1);
}

#[test]
fn a_menu_offers_only_its_open_branches() {
    let mut asm = Assembler::new();
    let picked = asm.word(FactShape::Mark);
    let branch = |pick| Branch {
        name: "branch".into(),
        title: None,
        pick,
        unseen: false,
    };
    let site = asm.ask(AskKind::Menu(vec![
        branch(None),
        branch(Some(Kind::Players)),
        branch(None),
    ]));
    let operands = vec![
        small(0, 1),
        small(5, 0),
        small(7, 1),
        small(8, 0b100),
        small(9, 1),
    ];
    let mut game = asm.play(
        3,
        &[],
        [operands, vec![ask(site, 0), mark(picked, 4), Op::Return]].concat(),
    );
    assert_eq!(
        game.game.branches().map(|open| open.branch).collect::<Vec<_>>(),
        [1, 2]
    );
    let closed = Choice::Branch {
        branch: 0,
        target: Target::Nothing,
    };
    assert_eq!(
        game.game.apply(closed, &mut Silence),
        Err(Illegal::Closed { branch: 0 })
    );
    assert!(
        game.game
            .apply(
                Choice::Branch {
                    branch: 1,
                    target: Target::Seat(1)
                },
                &mut Silence
            )
            .is_err()
    );
    game.answer(Choice::Branch {
        branch: 1,
        target: Target::Seat(2),
    })
    .expect_fact(picked, seats(&[2]));
}

#[test]
fn chance_gives_one_of_its_outcomes() {
    let mut asm = Assembler::new();
    let (chosen, word) = (asm.word(FactShape::Mark), asm.word(FactShape::Count));
    let seat = asm.draw(DrawKind::Seats);
    let weather = asm.draw(DrawKind::Weighted(vec![
        ("rain".into(), 3),
        ("never".into(), 0),
        ("sun".into(), 1),
    ]));
    let first = vec![
        small(0, 0b101),
        Op::Draw {
            site: seat,
            base: r(0),
        },
        mark(chosen, 2),
    ];
    let second = vec![
        Op::Draw {
            site: weather,
            base: r(0),
        },
        Op::Set {
            fact: word,
            value: r(2),
        },
        Op::Return,
    ];
    let mut game = asm.play(3, &[], [first, second].concat());
    assert!(game.game.apply(Choice::Seat(1), &mut Silence).is_err());
    game = game.answer(Choice::Seat(2)).expect_fact(chosen, seats(&[2]));
    assert_eq!(
        game.game
            .weights()
            .iter()
            .map(|(_, weight)| *weight)
            .collect::<Vec<_>>(),
        [3, 0, 1]
    );
    assert!(game.game.apply(Choice::Word(1), &mut Silence).is_err());
    game.answer(Choice::Word(2)).expect_fact(word, 2).expect_over();
}

/// Asks seat 0 among those not out; the host may put somebody out meanwhile.
fn open_to_the_host() -> (Played, FactId) {
    let mut asm = Assembler::new();
    let out = asm.word(FactShape::Mark);
    let slot = asm.slot(out);
    let site = asm.ask(AskKind::Seats);
    let among = asm.thunk(
        2,
        vec![
            Op::Players { to: r(1) },
            Op::Load { to: r(2), slot },
            Op::Without {
                to: r(2),
                a: r(1),
                b: r(2),
            },
        ],
    );
    let body = asm.proc(ProcRole::Offer(OfferId(0)), vec![mark(out, 1), Op::Return]);
    asm.rules.offers.push(Offer {
        name: "remove".into(),
        title: None,
        who: None,
        target: Some(OfferTarget {
            kind: Kind::Players,
            among,
        }),
        during: Vec::new(),
        when: None,
        alike: false,
        body,
        origin: nowhere(),
    });
    let work_out = vec![
        Op::Players { to: r(5) },
        Op::Load { to: r(6), slot },
        Op::Without {
            to: r(1),
            a: r(5),
            b: r(6),
        },
    ];
    let script = [
        work_out,
        vec![small(0, 1), ask(site, 0), mark(out, 3), Op::Return],
    ]
    .concat();
    (asm.play(4, &[], script), out)
}

fn removal(seat: u8) -> Choice {
    Choice::Offer {
        offer: OfferId(0),
        by: None,
        target: Target::Seat(seat),
    }
}

#[test]
fn an_offer_taken_up_puts_the_question_anew() {
    let (game, out) = open_to_the_host();
    assert_eq!(
        game.domain(),
        Domain::Seats {
            among: 0b1111,
            pass: false
        }
    );
    let game = game.answer(removal(2));
    assert_eq!(
        game.domain(),
        Domain::Seats {
            among: 0b1011,
            pass: false
        }
    );
    game.answer(Choice::Seat(0)).expect_fact(out, 0b101).expect_over();
}

#[test]
fn offers_list_who_may_and_among_what() {
    let (game, _) = open_to_the_host();
    let mut game = game.answer(removal(2));
    let offers = game.game.offers();
    assert_eq!(offers.len(), 1);
    assert_eq!(
        (offers[0].by, offers[0].among),
        (
            None,
            Some(Domain::Seats {
                among: 0b1011,
                pass: false
            })
        )
    );
    assert!(game.game.apply(removal(2), &mut Silence).is_err());
    let by_a_seat = Choice::Offer {
        offer: OfferId(0),
        by: Some(1),
        target: Target::Seat(1),
    };
    assert_eq!(
        game.game.apply(by_a_seat, &mut Silence),
        Err(Illegal::NoOffer { offer: OfferId(0) })
    );
}

#[test]
fn leaving_a_scene_cuts_short_what_runs_inside() {
    let mut asm = Assembler::new();
    let (inside, left, never) = (
        asm.word(FactShape::Mark),
        asm.word(FactShape::Flag),
        asm.word(FactShape::Flag),
    );
    let wait = asm.wait();
    let outer_id = omerta_core::rules::SceneId(1);
    let inner = asm.scene(0, |_| {
        vec![
            Op::Players { to: r(0) },
            mark(inside, 0),
            ask(wait, 1),
            Op::Leave { scene: outer_id },
            Op::Return,
        ]
    });
    let enter = asm.enter(inner, 4);
    let flag = |fact| Op::Set { fact, value: r(0) };
    let outer = asm.scene(4, |scene| {
        vec![
            small(0, 1),
            Op::Began { scene },
            enter,
            flag(never),
            flag(left),
            Op::Ended { scene },
            Op::Return,
        ]
    });
    asm.rules.procs[0].clears.push(inside);
    let script = vec![asm.enter(outer, 0), Op::Return];
    let game = asm.play(3, &[], script).expect_fact(inside, 0b111);
    assert!(game.game.look().during(outer) && game.game.look().during(inner));
    assert_eq!(game.game.look().times(outer), 1);
    game.answer(Choice::Go)
        .expect_fact(inside, 0)
        .expect_fact(left, 1)
        .expect_fact(never, 0)
        .expect_over();
}

#[test]
fn the_end_names_those_who_won_and_did_not_lose() {
    let asm = Assembler::new();
    let script = vec![
        small(0, 3),
        Op::Win { set: r(0) },
        small(0, 2),
        Op::Lose { set: r(0) },
        Op::End {
            ending: EndingId(u16::MAX),
        },
    ];
    let Pending::Over(outcome) = asm.play(3, &[], script).game.pending() else {
        panic!("the game goes on")
    };
    assert_eq!((outcome.ending, outcome.winners, outcome.losers), (None, 1, 2));
}

#[test]
fn a_table_must_fit_the_rules() {
    let rules = Arc::new(Ruleset {
        seats: (3, 5),
        ..Ruleset::default()
    });
    let start = Game::start(rules, Arc::new(NoHooks), 6, &PlannedCast::default(), &mut Silence);
    assert_eq!(
        start.err(),
        Some(StartError::Seats {
            given: 6,
            from: 3,
            to: 5
        })
    );
}

#[test]
fn a_game_kept_and_restored_goes_on_alike() {
    let (game, _) = open_to_the_host();
    let game = game.answer(removal(3));
    let text = serde_json::to_string(game.game.state()).expect("a state is plain data");
    let state: State = serde_json::from_str(&text).expect("it was written just now");
    assert_eq!(state, *game.game.state());
    let mut restored = Game::restore(game.rules.clone(), Arc::new(NoHooks), state);
    restored
        .apply(Choice::Seat(1), &mut Silence)
        .expect("the answer is legal");
    assert_eq!(restored.state(), game.answer(Choice::Seat(1)).game.state());
}

#[test]
fn a_clone_is_equal_and_goes_its_own_way() {
    let (game, _) = open_to_the_host();
    let mut twin = game.game.clone();
    assert_eq!(twin.state(), game.game.state());
    twin.apply(removal(1), &mut Silence).expect("the offer is open");
    assert_ne!(twin.state(), game.game.state());
    twin.clone_from(&game.game);
    assert_eq!(twin.state(), game.game.state());
    // A game of other rules becomes one of these.
    let mut asm = Assembler::new();
    let wait = asm.wait();
    let mut other = asm.play(5, &[], vec![ask(wait, 0), Op::Return]).game;
    other.clone_from(&game.game);
    assert_eq!(other.state(), game.game.state());
    other.apply(removal(1), &mut Silence).expect("the offer is open");
}

#[test]
fn replaying_the_answers_gives_the_same_game_whoever_listens() {
    let (game, _) = open_to_the_host();
    let game = game.answer(removal(1)).answer(removal(3)).answer(Choice::Seat(2));
    let (mut log, hooks) = (Log::default(), Arc::new(NoHooks));
    let mut told = Game::start(
        game.rules.clone(),
        hooks.clone(),
        game.seats,
        &game.cast,
        &mut log,
    )
    .expect("it fitted before");
    let mut silent = Game::start(game.rules.clone(), hooks, game.seats, &game.cast, &mut Silence)
        .expect("it fitted before");
    for &choice in &game.answers {
        told.apply(choice, &mut log).expect("it was legal before");
        silent.apply(choice, &mut Silence).expect("it was legal before");
    }
    assert_eq!(told.state(), game.game.state());
    assert_eq!(silent.state(), game.game.state());
    assert_eq!(log.events, game.log.events);
}

/// An event by hand has whom it takes, and nobody whom it does not; what is asked is not put a second time, unless the
/// event has changed it.
#[test]
fn an_event_by_hand_takes_its_place_above_the_question() {
    let mut asm = Assembler::new();
    let (hit, site) = (asm.word(FactShape::Mark), asm.ask(AskKind::Seats));
    let slot = asm.slot(hit);
    let of_and_by = asm.event(vec![mark(hit, 0), Op::Return]);
    let of_alone = asm.event(vec![Op::Return]);
    let of_nobody = asm.event(vec![Op::Return]);
    asm.event_mut(of_alone).by = false;
    (asm.event_mut(of_nobody).of, asm.event_mut(of_nobody).by) = (false, false);
    // The first is asked among those who are not hit.
    let script = vec![
        small(0, 1),
        Op::Outside { to: r(1), slot },
        ask(site, 0),
        Op::Return,
    ];
    asm.rules.asks[site.index()].again = 0;
    let game = asm.play(3, &[], script);
    let events = [
        (of_and_by, true, true),
        (of_alone, true, false),
        (of_nobody, false, false),
    ];
    for (event, takes_of, takes_by) in events {
        for (of, by) in [
            (None, None),
            (Some(1), None),
            (None, Some(2)),
            (Some(1), Some(2)),
            (Some(1), Some(3)),
        ] {
            let deed = Deed::Happen { event, of, by };
            let fits = of.is_some() == takes_of && (takes_by || by.is_none()) && by != Some(3);
            let expected = if fits { Ok(()) } else { Err(Illegal::NoDeed) };
            assert_eq!(game.game.may(Choice::ByHand(deed)), expected, "{deed:?}");
        }
    }
    let asked = |game: &Played| {
        { game.log.events.iter() }
            .filter(|news| matches!(news.what, What::Asked { .. }))
            .count()
    };
    let happens = |event, of| Choice::ByHand(Deed::Happen { event, of, by: None });
    assert_eq!(asked(&game), 1);
    let game = game
        .answer(happens(of_nobody, None))
        .answer(happens(of_alone, Some(1)));
    assert_eq!(asked(&game), 1);
    let game = game.answer(happens(of_and_by, Some(1)));
    assert_eq!(asked(&game), 2);
    assert_eq!(game.domain().set(), Some(seats(&[0, 2])));
}

/// A game keeps so many texts; one that it has may be written again, and keeps its number.
#[test]
fn texts_that_a_game_has_are_written_again_when_there_is_room_for_no_more() {
    let mut asm = Assembler::new();
    let site = asm.ask(AskKind::Text);
    let mut game = asm
        .play(3, &[], vec![small(0, 1), small(1, 80), ask(site, 0), Op::Return])
        .game;
    let first = game.write(Choice::TO_WRITE, Some(" text 1 ")).unwrap();
    assert_eq!(first, game.write(Choice::TO_WRITE, Some("text 1")).unwrap());
    for number in 2..=MOST_TEXTS {
        let text = format!("text {number}");
        assert_ne!(game.write(Choice::TO_WRITE, Some(&text)).unwrap(), first);
    }
    let more = Err(Illegal::Unwritable(Unwritable::TooMany));
    assert_eq!(game.write(Choice::TO_WRITE, Some("one more")), more);
    assert_eq!(game.write(Choice::TO_WRITE, Some("text 1")), Ok(first));
    assert_eq!(game.write(Choice::Pass, None), Ok(Choice::Pass));
}
