//! Values: sets round the table, marks in order, links, tallies, and code compiled by itself.

use super::assembler::{Assembler, r, seats, small};
use omerta_core::rules::{FactShape, Hook, HookId, Kind, Op, PlannedCast, ProcRole, Program, TallyVerdict};
use omerta_engine::NoHooks;
use omerta_engine::{FaultKind, Game, Hooks, Look, Pending, Silence};
use std::sync::Arc;

/// What an expression is worth at a table of eight.
#[track_caller]
fn check(mut asm: Assembler, script: Vec<Op>, mut code: Vec<Op>, args: &[u64], expected: u64) {
    code.push(Op::Done);
    let constants = std::mem::take(&mut asm.rules.constants);
    let game = asm.play(8, &[], [script, vec![Op::Return]].concat()).game;
    let program = Program {
        code,
        constants,
        result: r(9),
        registers: 12,
        kind: None,
        words: Vec::new(),
        texts: Vec::new(),
    };
    assert_eq!(game.evaluate(&program, args), expected);
}

#[track_caller]
fn check_op(op: Op, args: &[u64], expected: u64) {
    check(Assembler::new(), Vec::new(), vec![op], args, expected);
}

#[test]
fn neighbours_wrap_round_the_table() {
    let (to, of, among) = (r(9), r(0), r(1));
    check_op(
        Op::LeftOf { to, of, among },
        &[seats(&[7]), seats(&[2, 7])],
        seats(&[2]),
    );
    check_op(
        Op::RightOf { to, of, among },
        &[seats(&[2]), seats(&[2, 5, 7])],
        seats(&[7]),
    );
    check_op(
        Op::LeftOf { to, of, among },
        &[seats(&[3]), seats(&[3])],
        seats(&[3]),
    );
    check_op(Op::LeftOf { to, of, among }, &[0, seats(&[3])], 0);
    check_op(
        Op::AtOrLeftOf { to, of, among },
        &[seats(&[3]), seats(&[3, 4])],
        seats(&[3]),
    );
    check_op(
        Op::AtOrLeftOf { to, of, among },
        &[seats(&[3]), seats(&[0, 2])],
        seats(&[0]),
    );
}

#[test]
fn seats_have_numbers_from_one() {
    check_op(
        Op::SeatNumber {
            to: r(9),
            number: r(0),
        },
        &[9],
        seats(&[0]),
    );
    check_op(
        Op::SeatNumber {
            to: r(9),
            number: r(0),
        },
        &[0],
        0,
    );
    check_op(Op::PlaceOf { to: r(9), of: r(0) }, &[seats(&[4])], 5);
}

#[test]
fn a_loop_takes_seats_out_one_by_one() {
    check_op(Op::Pop { to: r(9), set: r(0) }, &[seats(&[3, 5])], seats(&[3]));
    check_op(
        Op::PopFrom {
            to: r(9),
            set: r(0),
            from: r(1),
        },
        &[seats(&[3, 5]), seats(&[4])],
        seats(&[5]),
    );
}

#[test]
fn marks_in_order_remember_who_came_first() {
    let mut asm = Assembler::new();
    let fact = asm.word(FactShape::Mark);
    let order = asm.row_slot();
    asm.rules.facts[fact.index()].shape = FactShape::MarkInOrder { order };
    let put = |seat: i16| [small(0, seat), Op::Mark { fact, set: r(0) }];
    let script = [put(0b100), put(0b001), put(0b100), put(0b010)].concat();
    let both = vec![
        Op::FirstBy {
            to: r(1),
            of: r(0),
            order,
        },
        Op::LastBy {
            to: r(2),
            of: r(0),
            order,
        },
        small(3, 8),
        Op::Times {
            to: r(1),
            a: r(1),
            b: r(3),
        },
        Op::Plus {
            to: r(9),
            a: r(1),
            b: r(2),
        },
    ];
    check(asm, script, both, &[0b111], 0b100 * 8 + 0b010);
}

#[test]
fn links_are_read_from_both_ends() {
    let mut asm = Assembler::new();
    let vote = asm.row(FactShape::LINK_ONE);
    let row = asm.slot(vote);
    let link = |from, to| {
        [
            small(0, from),
            small(1, to),
            Op::Link {
                fact: vote,
                from: r(0),
                to_set: r(1),
            },
        ]
    };
    let script = [link(0b011, 0b100), link(0b100, 0b001), link(0b001, 0b010)].concat();
    let both = vec![
        Op::LinkOf {
            to: r(1),
            row,
            of: r(0),
        },
        Op::BackLink {
            to: r(2),
            row,
            of: r(0),
        },
        Op::Or {
            to: r(9),
            a: r(1),
            b: r(2),
        },
    ];
    check(asm, script, both, &[0b100], 0b011);
}

#[test]
fn counts_of_each_add_up() {
    let mut asm = Assembler::new();
    let fouls = asm.row(FactShape::CountOfEach);
    let row = asm.slot(fouls);
    let add = vec![
        small(0, 0b101),
        small(1, 2),
        Op::AddOf {
            fact: fouls,
            of: r(0),
            value: r(1),
        },
    ];
    check(
        asm,
        [add.clone(), add].concat(),
        vec![Op::CountOf {
            to: r(9),
            row,
            of: r(0),
        }],
        &[0b100],
        4,
    );
}

/// Three vote for seat 4, two for seat 5; what does the verdict give?
#[track_caller]
fn check_tally(ballots: &[(u64, u64)], verdict: TallyVerdict, expected: u64) {
    let mut code = vec![Op::TallyClear, Op::Players { to: r(8) }];
    let mut args = Vec::new();
    for &(votes, weight) in ballots {
        let at = args.len() as u16;
        args.extend([votes, weight]);
        code.push(Op::TallyAdd {
            votes: r(at),
            weight: r(at + 1),
        });
    }
    code.push(Op::TallyRead {
        to: r(9),
        among: r(8),
        verdict,
    });
    check(Assembler::new(), Vec::new(), code, &args, expected);
}

#[test]
fn a_tally_gives_the_most_the_majority_and_the_common() {
    let (four, five) = (seats(&[4]), seats(&[5]));
    check_tally(&[(four, 2), (five, 2)], TallyVerdict::Most, four | five);
    check_tally(&[(0, 1)], TallyVerdict::Most, 0);
    check_tally(&[(four, 3), (five, 2)], TallyVerdict::Majority, four);
    check_tally(&[(four, 3), (five, 2), (0, 1)], TallyVerdict::Majority, 0);
    check_tally(&[(four, 1), (four, 2)], TallyVerdict::Common, four);
    check_tally(&[(four, 1), (0, 1)], TallyVerdict::Common, 0);
}

#[test]
fn a_row_of_ballots_is_counted_at_once() {
    let mut asm = Assembler::new();
    let vote = asm.row(FactShape::LINK_ONE);
    let row = asm.slot(vote);
    let script = vec![
        small(0, 0b0111),
        small(1, 0b1000),
        Op::Link {
            fact: vote,
            from: r(0),
            to_set: r(1),
        },
    ];
    check(
        asm,
        script,
        vec![
            Op::TallyClear,
            Op::TallyRow { row, voters: r(0) },
            Op::TallyOf { to: r(9), of: r(1) },
        ],
        &[0b0011, 0b1000],
        2,
    );
}

#[test]
fn clearing_brings_a_count_back_to_its_start() {
    let mut asm = Assembler::new();
    let lives = asm.word(FactShape::Count);
    asm.rules.facts[lives.index()].start = 3;
    let script = vec![
        small(0, 1),
        Op::Set {
            fact: lives,
            value: r(0),
        },
        Op::Clear { fact: lives },
        Op::Return,
    ];
    asm.play(3, &[], script).expect_fact(lives, 3);
}

/// Answers with the argument and one seat more than the table has.
struct Echo;

impl Hooks for Echo {
    fn answer(&self, _: HookId, argument: u64, look: &Look<'_>, _: &mut u32) -> Result<u64, FaultKind> {
        Ok(argument | 1 << look.seats())
    }
}

fn ask_a_script(hooks: Arc<dyn Hooks>) -> Game {
    let mut asm = Assembler::new();
    let param = Some(("who".into(), Kind::Players));
    let (name, why, script) = ("echo".into(), String::new(), String::new());
    asm.rules.hooks.push(Hook {
        name,
        param,
        gives: Kind::Players,
        why,
        script,
        origin: super::assembler::nowhere(),
    });
    let code = vec![
        small(0, 0b10),
        Op::Hook {
            hook: HookId(0),
            base: r(0),
        },
        Op::Win { set: r(1) },
        Op::Return,
    ];
    asm.rules.start = asm.proc(ProcRole::Script, code);
    Game::start(
        Arc::new(asm.rules),
        hooks,
        3,
        &PlannedCast::default(),
        &mut Silence,
    )
    .expect("three may play")
}

#[test]
fn a_script_cannot_name_a_seat_that_is_not_there() {
    assert_eq!(ask_a_script(Arc::new(Echo)).look().winners(), 0b10);
}

#[test]
fn a_script_that_fails_breaks_the_game_where_it_was_asked() {
    let Pending::Broken(fault) = ask_a_script(Arc::new(NoHooks)).pending() else {
        panic!("it did not break")
    };
    assert!(matches!((fault.kind, fault.at), (FaultKind::Hook { .. }, 1)));
}
