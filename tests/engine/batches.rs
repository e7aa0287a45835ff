//! Events: phases of a batch, rules in their place, plans.

use super::assembler::{Assembler, ask, mark, r, small};
use omerta_core::rules::{EventId, FactShape, InsteadRule, Op, ProcRole, RuleId};
use omerta_engine::{Choice, What};

fn do_to(event: EventId, of: i16) -> Vec<Op> {
    vec![
        small(0, of),
        small(1, 0),
        small(2, 0),
        Op::Do { event, base: r(0) },
    ]
}

fn plan_for(event: EventId, of: i16, by: i16) -> Vec<Op> {
    vec![
        small(0, of),
        small(1, by),
        small(2, 0),
        Op::Plan { event, base: r(0) },
    ]
}

#[test]
fn a_batch_goes_phase_by_phase() {
    let mut asm = Assembler::new();
    let order = asm.word(FactShape::Count);
    let hit = asm.event(asm.trace(order, 2));
    let (before, after) = (asm.trace(order, 1), asm.trace(order, 3));
    let before = asm.proc(ProcRole::Event(hit), before);
    let after = asm.proc(ProcRole::Event(hit), after);
    (asm.event_mut(hit).before, asm.event_mut(hit).after) = (Some(before), Some(after));
    asm.play(3, &[], [do_to(hit, 0b101), vec![Op::Return]].concat())
        .expect_fact(order, 112_233)
        .expect_over();
}

#[test]
fn an_event_to_nobody_does_not_happen() {
    let mut asm = Assembler::new();
    let order = asm.word(FactShape::Count);
    let hit = asm.event(asm.trace(order, 2));
    asm.play(3, &[], [do_to(hit, 0), vec![Op::Return]].concat())
        .expect_fact(order, 0)
        .expect_over();
}

#[test]
fn rules_decide_against_the_state_before_any_body() {
    let mut asm = Assembler::new();
    let (shielded, order) = (asm.word(FactShape::Mark), asm.word(FactShape::Count));
    let slot = asm.slot(shielded);
    let body = [
        vec![Op::Players { to: r(5) }, mark(shielded, 5)],
        asm.trace(order, 2),
    ]
    .concat();
    let hit = asm.event(body);
    let instead = asm.trace(order, 7);
    let proc = asm.proc(ProcRole::Rule(RuleId(0)), instead);
    let decide = asm.thunk(
        3,
        vec![
            Op::Load { to: r(3), slot },
            Op::Within {
                to: r(3),
                a: r(0),
                b: r(3),
            },
        ],
    );
    asm.event_mut(hit).instead.push(InsteadRule {
        rule: RuleId(0),
        proc,
        each: false,
    });
    asm.event_mut(hit).decide = Some(decide);
    let script = [do_to(hit, 0b011), do_to(hit, 0b100), vec![Op::Return]].concat();
    asm.play(3, &[], script).expect_fact(order, 227);
}

#[test]
fn a_redirection_does_not_meet_itself() {
    let mut asm = Assembler::new();
    let dead = asm.word(FactShape::Mark);
    let hit = asm.event(vec![mark(dead, 0), Op::Return]);
    let guard = asm.proc(
        ProcRole::Rule(RuleId(0)),
        [do_to(hit, 0b1), vec![Op::Return]].concat(),
    );
    let decide = asm.thunk(
        4,
        vec![
            Op::Running {
                to: r(3),
                proc: guard,
            },
            Op::Not { to: r(4), a: r(3) },
        ],
    );
    asm.event_mut(hit).instead.push(InsteadRule {
        rule: RuleId(0),
        proc: guard,
        each: false,
    });
    asm.event_mut(hit).decide = Some(decide);
    asm.play(3, &[], [do_to(hit, 0b100), vec![Op::Return]].concat())
        .expect_fact(dead, 0b1)
        .expect_over();
}

#[test]
fn after_rules_follow_only_where_the_body_ran() {
    let mut asm = Assembler::new();
    let order = asm.word(FactShape::Count);
    let hit = asm.event(asm.trace(order, 2));
    let (instead, after) = (asm.trace(order, 7), asm.trace(order, 3));
    let proc = asm.proc(ProcRole::Rule(RuleId(0)), instead);
    let after = asm.proc(ProcRole::Event(hit), after);
    let decide = asm.thunk(
        3,
        vec![
            small(3, 1),
            Op::Equal {
                to: r(3),
                a: r(0),
                b: r(3),
            },
        ],
    );
    asm.event_mut(hit).instead.push(InsteadRule {
        rule: RuleId(0),
        proc,
        each: false,
    });
    (asm.event_mut(hit).decide, asm.event_mut(hit).after) = (Some(decide), Some(after));
    asm.play(3, &[], [do_to(hit, 0b11), vec![Op::Return]].concat())
        .expect_fact(order, 723);
}

#[test]
fn a_body_may_ask_and_its_event_is_under_way_meanwhile() {
    let mut asm = Assembler::new();
    let (under_way, wait) = (asm.word(FactShape::Flag), asm.wait());
    let body = vec![
        ask(wait, 4),
        Op::DuringEvent {
            to: r(5),
            event: EventId(0),
        },
        Op::Set {
            fact: under_way,
            value: r(5),
        },
    ];
    let hit = asm.event([body, vec![Op::Return]].concat());
    let game = asm.play(3, &[], [do_to(hit, 0b11), vec![Op::Return]].concat());
    game.answer(Choice::Go)
        .answer(Choice::Go)
        .expect_fact(under_way, 1)
        .expect_over();
}

#[test]
fn settling_takes_one_event_after_the_other_and_what_joins() {
    let mut asm = Assembler::new();
    let order = asm.word(FactShape::Count);
    let second = asm.event(asm.trace(order, 2));
    let body = [plan_for(second, 0b1, 0), asm.trace(order, 1)].concat();
    let first = asm.event(body);
    asm.rules.lists.push(vec![first, second]);
    let plans = [plan_for(second, 0b10, 0), plan_for(first, 0b1, 0)].concat();
    asm.play(3, &[], [plans, vec![Op::Settle { list: 0 }, Op::Return]].concat())
        .expect_fact(order, 122)
        .expect_over();
}

#[test]
fn what_is_planned_for_an_earlier_event_is_settled_in_another_round() {
    let mut asm = Assembler::new();
    let order = asm.word(FactShape::Count);
    let first = asm.event(asm.trace(order, 1));
    let body = [plan_for(first, 0b1, 0), asm.trace(order, 2)].concat();
    let second = asm.event(body);
    asm.rules.lists.push(vec![first, second]);
    asm.play(
        3,
        &[],
        [plan_for(second, 1, 0), vec![Op::Settle { list: 0 }, Op::Return]].concat(),
    )
    .expect_fact(order, 21);
}

#[test]
fn a_plan_is_gone_when_nobody_is_left_behind_it() {
    let mut asm = Assembler::new();
    let (dead, planned) = (asm.word(FactShape::Mark), asm.word(FactShape::Mark));
    let hit = asm.event(vec![mark(dead, 0), Op::Return]);
    asm.rules.lists.push(vec![hit]);
    let plans = [
        plan_for(hit, 0b001, 0b11),
        plan_for(hit, 0b010, 0b10),
        plan_for(hit, 0b100, 0),
    ]
    .concat();
    let cancel = vec![
        Op::Players { to: r(0) },
        small(1, 0b10),
        Op::Cancel { list: 0, base: r(0) },
    ];
    let look = vec![
        Op::Planned { to: r(0), event: hit },
        mark(planned, 0),
        Op::Settle { list: 0 },
        Op::Return,
    ];
    let game = asm.play(3, &[], [plans, cancel, look].concat());
    game.expect_fact(planned, 0b101).expect_fact(dead, 0b101);
}

#[test]
fn what_an_event_leads_to_names_it_as_its_cause() {
    let mut asm = Assembler::new();
    let dead = asm.word(FactShape::Mark);
    let hit = asm.event(vec![mark(dead, 0), Op::Return]);
    let after = asm.proc(
        ProcRole::Event(hit),
        vec![Op::Applied { rule: RuleId(0) }, Op::Return],
    );
    asm.event_mut(hit).after = Some(after);
    let log = asm
        .play(3, &[], [do_to(hit, 0b11), vec![Op::Return]].concat())
        .log;
    let cause_of = |index: usize| {
        log.events[index]
            .cause
            .map(|cause| log.events[cause as usize].what.clone())
    };
    let occurred = |of| {
        Some(What::Occurred {
            event: hit,
            of,
            by: 0,
        })
    };
    let causes: Vec<_> = (0..log.events.len()).map(cause_of).collect();
    assert_eq!(
        causes,
        [
            None,
            occurred(1),
            None,
            occurred(2),
            occurred(1),
            occurred(2),
            None
        ]
    );
}
