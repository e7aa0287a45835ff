//! Rules that go wrong are stopped, and say where.

use super::assembler::{Assembler, Played, ask, r, small};
use omerta_core::rules::{DrawKind, FactShape, Op, ProcId, ProcRole};
use omerta_engine::{Choice, Deed, FaultKind, Illegal, Pending, Silence};

#[track_caller]
fn expect_fault(game: Played, kind: FaultKind) -> u32 {
    let Pending::Broken(fault) = game.game.pending() else {
        panic!("{:?}", game.game.pending())
    };
    assert_eq!(fault.kind, kind);
    fault.at
}

#[test]
fn a_loop_without_a_pause_is_stopped_where_it_turns() {
    let asm = Assembler::new();
    let game = asm.play(3, &[], vec![small(0, 1), Op::Jump { at: 0 }]);
    assert_eq!(expect_fault(game, FaultKind::Endless), 1);
}

#[test]
fn a_broken_game_takes_no_answer() {
    let mut game = Assembler::new().play(3, &[], vec![Op::Jump { at: 0 }]);
    assert_eq!(game.game.apply(Choice::Go, &mut Silence), Err(Illegal::Over));
}

#[test]
fn an_instruction_that_stands_where_it_may_not_is_not_passed_over() {
    let play = || Assembler::new().play(3, &[], vec![Op::Done]);
    assert!(std::panic::catch_unwind(play).is_err());
}

#[test]
fn a_procedure_inside_itself_is_too_deep() {
    let mut asm = Assembler::new();
    let proc = asm.proc(
        ProcRole::Script,
        vec![
            Op::Enter {
                proc: ProcId(0),
                base: r(1),
            },
            Op::Return,
        ],
    );
    expect_fault(
        asm.play(3, &[], vec![Op::Enter { proc, base: r(0) }]),
        FaultKind::TooDeep(vec![ProcRole::Script]),
    );
}

#[test]
fn an_event_inside_itself_is_too_deep() {
    let mut asm = Assembler::new();
    let again = vec![
        Op::Do {
            event: omerta_core::rules::EventId(0),
            base: r(0),
        },
        Op::Return,
    ];
    let event = asm.event(again);
    expect_fault(
        asm.play(3, &[], vec![small(0, 1), Op::Do { event, base: r(0) }]),
        FaultKind::TooDeep(vec![ProcRole::Event(event)]),
    );
}

#[test]
fn plans_without_end_are_too_many() {
    let mut asm = Assembler::new();
    let event = asm.event(vec![Op::Return]);
    let script = vec![small(0, 1), Op::Plan { event, base: r(0) }, Op::Jump { at: 1 }];
    expect_fault(asm.play(3, &[], script), FaultKind::TooManyPlans);
}

#[test]
fn a_settlement_that_never_settles_is_endless() {
    let mut asm = Assembler::new();
    let plan = Op::Plan {
        event: omerta_core::rules::EventId(0),
        base: r(0),
    };
    let event = asm.event(vec![plan, Op::Return]);
    asm.rules.lists.push(vec![event]);
    expect_fault(
        asm.play(3, &[], vec![small(0, 1), plan, Op::Settle { list: 0 }]),
        FaultKind::Endless,
    );
}

#[test]
fn every_answer_has_its_own_measure_of_steps() {
    let mut asm = Assembler::new();
    let (count, wait) = (asm.word(FactShape::Count), asm.wait());
    let tick = vec![
        small(5, 1),
        Op::Add {
            fact: count,
            value: r(5),
        },
        ask(wait, 0),
        Op::Jump { at: 0 },
    ];
    let mut game = asm.play(3, &[], tick);
    for _ in 0..1000 {
        game = game.answer(Choice::Go);
    }
    game.expect_fact(count, 1001);
}

/// What comes out of a draw begins no new measure: chance alone goes on for ever nowhere.
#[test]
fn draws_without_a_question_between_them_come_to_an_end() {
    let mut asm = Assembler::new();
    let toss = asm.draw(DrawKind::Seats);
    let script = vec![
        small(0, 0b11),
        Op::Draw {
            site: toss,
            base: r(0),
        },
        Op::Jump { at: 0 },
    ];
    let mut game = asm.play(3, &[], script);
    let is_taken = |draw: &u32| {
        game.game
            .apply(Choice::Seat((draw % 2) as u8), &mut Silence)
            .is_ok()
    };
    assert!((0..1_000_000).take_while(is_taken).count() > 1_000);
    expect_fault(game, FaultKind::Endless);
}

/// A rule that would take an event's place is asked for by code that only works a value out: what goes wrong there stops
/// the game where it stands, whether the rules or a host did the deed.
#[test]
fn a_decision_that_goes_wrong_is_told_by_its_own_place() {
    let decided = || {
        let mut asm = Assembler::new();
        let wait = asm.wait();
        let event = asm.event(vec![Op::Return]);
        let decide = asm.thunk(
            3,
            vec![
                small(4, 3),
                small(5, 0),
                Op::Divide {
                    to: r(3),
                    a: r(4),
                    b: r(5),
                },
            ],
        );
        asm.event_mut(event).decide = Some(decide);
        (asm, wait, event)
    };
    let (asm, _, event) = decided();
    let by_rules = asm.play(
        3,
        &[],
        vec![small(0, 1), small(1, 0), Op::Do { event, base: r(0) }, Op::Return],
    );
    expect_fault(by_rules, FaultKind::DividedByNothing);
    let (asm, wait, event) = decided();
    let mut asked = asm.play(3, &[], vec![ask(wait, 0), Op::Return]);
    let deed = Deed::Happen {
        event,
        of: Some(1),
        by: None,
    };
    asked.game.apply(Choice::ByHand(deed), &mut asked.log).unwrap();
    expect_fault(asked, FaultKind::DividedByNothing);
}
