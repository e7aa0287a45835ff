//! Working values out: the instructions that change nothing but registers, and the loop for code
//! that has no others (thunks, and expressions compiled by themselves).

use crate::cards::{roles_under, teams_of};
use crate::choice::FaultKind;
use crate::facts::{at_or_left_of, first, last, left_of, right_of};
use crate::look::{Hooks, Look};
use crate::registers::{Bank, Window};
use crate::state::Board;
pub(super) use crate::state::MOST_STEPS;
use crate::tally::{Pad, Tally};
use omerta_core::rules::{HookId, Kind, Op, Program, Reg, Ruleset, Thunk, packed, rounded_down};
use std::cell::Cell;

/// As how many of these a draw counts: ten thousand may come out without a question.
pub(super) const STEPS_OF_A_DRAW: u32 = 100;
/// So many things are moved or turned in the time of a step.
pub(super) const THINGS_OF_A_STEP: u32 = 8;

/// As how many of these a script counts, and each of its own steps: a thousand scripts may be asked without
/// a question, or fewer that take two hundred thousand steps in all.
const STEPS_OF_A_SCRIPT: u32 = 1_000;
const STEPS_OF_ITS_STEP: u32 = 5;

/// Where less is left, a game goes on instruction by instruction, so that it breaks at the same one
/// whichever way it came: more than any one quick step takes.
pub(super) const RESERVE: u32 = 64 * (STEPS_OF_A_DRAW + 2);

/// Most of what is worked out aside takes no more registers than these.
const FEW: usize = 16;

/// What went wrong; kept small, because nothing hardly ever does.
pub(super) type EvalError = Box<FaultKind>;

/// Where to go on after an instruction that only works a value out, or what other instruction it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Next,
    At(u32),
    /// It only writes the board, and nothing was done.
    Quiet,
    /// It does more, and nothing was done.
    Other,
}

/// Carries out an instruction that changes nothing but registers and the tally. It stands in both
/// loops, so that each has one table of instructions instead of two; whatever takes more than a few
/// machine instructions stays outside, so that the loops keep what they need in machine registers.
/// The instruction stays where it lies: taken as a value, it would be read whole and cut up by shifts.
#[inline(always)]
pub(super) fn compute<B: Bank + ?Sized, P: Pad>(
    op: &Op,
    look: Look<'_>,
    constants: &[u64],
    regs: &mut B,
    pad: &mut P,
) -> Step {
    let Board { facts, cards, .. } = look.board;
    let get = |reg: Reg| regs.get(reg);
    let (to, value) = match *op {
        Op::Jump { at } => return Step::At(at),
        Op::JumpIf { test, at } => return if get(test) != 0 { Step::At(at) } else { Step::Next },
        Op::JumpUnless { test, at } => return if get(test) == 0 { Step::At(at) } else { Step::Next },

        Op::Const { to, index } => (to, constants[usize::from(index)]),
        Op::Small { to, value } => (to, i64::from(value) as u64),
        Op::Copy { to, from } => (to, get(from)),
        Op::Players { to } => (to, facts.players()),
        Op::Outside { to, slot } => (to, facts.players() & !facts.word(slot)),
        Op::OutsideBut { to, slot, but } => (to, facts.players() & !(facts.word(slot) | get(but))),
        Op::GroupOutside { to, group, slot } => {
            (to, cards.group(group) & facts.players() & !facts.word(slot))
        }
        Op::Others { to, of } => (to, facts.players() & !get(of)),

        Op::And { to, a, b } => (to, get(a) & get(b)),
        Op::Or { to, a, b } => (to, get(a) | get(b)),
        Op::Without { to, a, b } => (to, get(a) & !get(b)),
        Op::Else { to, a, b } => (to, if get(a) == 0 { get(b) } else { get(a) }),
        Op::Size { to, of } => (to, u64::from(get(of).count_ones())),
        Op::Group { to, group } => (to, cards.group(group)),
        Op::Holders { to, titles } => (to, cards.holders(get(titles))),
        Op::RolesOf { to, of } => (to, look.roles_of(get(of))),
        Op::TeamsOf { to, titles } => (to, teams_of(look.rules, get(titles))),
        Op::RolesUnder { to, titles } => (to, roles_under(look.rules, get(titles))),
        Op::Copies { to, titles } => (to, cards.copies(look.rules, get(titles))),
        Op::First { to, of } => (to, first(get(of))),
        Op::Last { to, of } => (to, last(get(of))),
        Op::FirstBy { to, of, order } => (to, facts.first_by(get(of), order)),
        Op::LastBy { to, of, order } => (to, facts.last_by(get(of), order)),
        Op::LeftOf { to, of, among } => (to, left_of(get(of), get(among))),
        Op::RightOf { to, of, among } => (to, right_of(get(of), get(among))),
        Op::AtOrLeftOf { to, of, among } => (to, at_or_left_of(get(of), get(among))),
        Op::SeatNumber { to, number } => (to, seat_number(get(number) as i64, facts.seats())),
        Op::PlaceOf { to, of } => (to, place_of(get(of))),
        Op::Placed { to, of, row } => (to, facts.placed(get(of), row)),
        Op::Seated { to, of, row } => (to, facts.seated(get(of), row)),

        Op::Load { to, slot } => (to, facts.word(slot)),
        Op::LinkOf { to, row, of } => (to, facts.linked_from(row, get(of))),
        Op::CountOf { to, row, of } => (to, facts.count_of(row, get(of))),
        Op::BackLink { to, row, of } => (to, back_link(look, row, get(of))),
        Op::Linked { to, row } => (to, facts.seats_where(row, |word| word != 0)),

        Op::Plus { to, a, b } => match (get(a) as i64).checked_add(get(b) as i64) {
            Some(sum) => (to, sum as u64),
            None => return Step::Other,
        },
        Op::Minus { to, a, b } => match (get(a) as i64).checked_sub(get(b) as i64) {
            Some(rest) => (to, rest as u64),
            None => return Step::Other,
        },
        Op::Times { to, a, b } => match (get(a) as i64).checked_mul(get(b) as i64) {
            Some(product) => (to, product as u64),
            None => return Step::Other,
        },
        Op::Divide { to, a, b } => match rounded_down(get(a) as i64, get(b) as i64) {
            Some(quotient) => (to, quotient as u64),
            None => return Step::Other,
        },
        Op::Between { to, low, high } => (to, packed(get(low) as i64, get(high) as i64)),
        Op::Equal { to, a, b } => (to, u64::from(get(a) == get(b))),
        Op::Less { to, a, b } => (to, u64::from((get(a) as i64) < get(b) as i64)),
        Op::Within { to, a, b } => (to, u64::from(get(a) != 0 && get(a) & !get(b) == 0)),
        Op::Empty { to, of } => (to, u64::from(get(of) == 0)),
        Op::Some { to, of } => (to, u64::from(get(of) != 0)),
        Op::Not { to, a } => (to, u64::from(get(a) == 0)),
        Op::During { to, scene } => (to, u64::from(look.board.during(look.rules, scene))),
        Op::DuringEvent { to, event } => (to, u64::from(look.board.during_event(look.rules, event))),
        Op::Running { to, proc } => (to, u64::from(look.board.running(proc))),
        Op::Planned { to, event } => (to, look.board.planned(event)),
        Op::Called { to } => (to, look.board.called().0),
        Op::Winners { to } => (to, look.winners()),

        Op::TallyRead { to, among, verdict } => (to, pad.tally().read(get(among), verdict)),
        Op::TallyOf { to, of } => (to, pad.tally().of(get(of)) as u64),
        Op::TallyClear => {
            pad.tally().clear();
            return Step::Next;
        }
        Op::TallyAdd { votes, weight } => {
            pad.tally().add(get(votes), get(weight) as i64);
            return Step::Next;
        }
        Op::TallyRow { row, voters } => {
            tally_row(look, row, get(voters), pad.tally());
            return Step::Next;
        }

        Op::CardsIn { to, zone, of } => (to, cards.in_zone(look.rules, zone, get(of))),
        Op::TopOf { to, zone, of, count } => {
            (to, cards.top_of(look.rules, zone, get(of), how_many(get(count))))
        }
        Op::Topmost { to, of, count } => (to, cards.topmost(get(of), how_many(get(count)))),
        Op::CardsOf { to, group } => (to, cards.of_group(look.rules, group)),
        Op::RoleCards { to, of } => (to, cards.role_cards(get(of))),
        Op::SeatsOf { to, cards: of } => (to, cards.seats_of(get(of))),
        Op::TitlesOf { to, cards: of } => (to, cards.titles(get(of))),

        Op::Pop { to, set } => (to, pop(regs, set, first(get(set)))),
        Op::PopFrom { to, set, from } => (to, pop(regs, set, first_from(get(from), get(set)))),
        Op::PopBy { to, set, order } => (to, pop(regs, set, facts.first_by(get(set), order))),

        // Where words hang on a script, it is asked whether anybody listens or not.
        Op::Say { .. } if !look.rules.hooks.is_empty() => return Step::Other,
        Op::Mark { .. }
        | Op::Unmark { .. }
        | Op::Link { .. }
        | Op::Unlink { .. }
        | Op::Set { .. }
        | Op::Clear { .. }
        | Op::Began { .. }
        | Op::Ended { .. }
        | Op::Nears { .. }
        | Op::Passed { .. }
        | Op::Replaced { .. }
        | Op::Applied { .. }
        | Op::Performs { .. }
        | Op::Say { .. }
        | Op::Win { .. }
        | Op::Lose { .. } => return Step::Quiet,
        _ => return Step::Other,
    };
    regs.put(to, value);
    Step::Next
}

/// Why an instruction that reckons came to nothing; nothing of others.
pub(super) fn uncounted(op: &Op, get: impl Fn(Reg) -> u64) -> Option<FaultKind> {
    match *op {
        Op::Divide { b, .. } if get(b) == 0 => Some(FaultKind::DividedByNothing),
        Op::Plus { .. } | Op::Minus { .. } | Op::Times { .. } | Op::Divide { .. } => {
            Some(FaultKind::TooLarge)
        }
        _ => None,
    }
}

/// A number of cards; no zone holds more than 64.
fn how_many(number: u64) -> u8 {
    (number as i64).clamp(0, 64) as u8
}

#[inline(always)]
fn pop<B: Bank + ?Sized>(regs: &mut B, set: Reg, taken: u64) -> u64 {
    regs.put(set, regs.get(set) & !taken);
    taken
}

/// The first of a set at or to the left of a seat; the lowest where there is no such seat.
fn first_from(from: u64, set: u64) -> u64 {
    if from == 0 {
        first(set)
    } else {
        at_or_left_of(from, set)
    }
}

fn seat_number(number: i64, seats: u8) -> u64 {
    if number < 1 {
        0
    } else {
        1 << ((number - 1) % i64::from(seats))
    }
}

fn place_of(seats: u64) -> u64 {
    if seats == 0 {
        0
    } else {
        u64::from(seats.trailing_zeros()) + 1
    }
}

#[inline(never)]
fn back_link(look: Look<'_>, row: omerta_core::rules::Slot, of: u64) -> u64 {
    look.board.facts.seats_where(row, |word| word & of != 0)
}

#[inline(never)]
fn tally_row(look: Look<'_>, row: omerta_core::rules::Slot, voters: u64, tally: &mut Tally) {
    tally.add_row(row, look.board.facts.row(row), voters & look.players());
}

/// What code that only works a value out may read.
#[derive(Clone, Copy)]
pub(super) struct PureEval<'a> {
    pub(super) look: Look<'a>,
    pub(super) hooks: &'a dyn Hooks,
    pub(super) code: &'a [Op],
    pub(super) constants: &'a [u64],
    /// What several thunks may take together; each by itself where there is none.
    pub(super) within: Option<&'a Cell<u32>>,
}

impl<'a> PureEval<'a> {
    /// The same, with one bound for all that is worked out.
    pub(super) fn within(self, left: &'a Cell<u32>) -> Self {
        PureEval {
            within: Some(left),
            ..self
        }
    }

    /// Code of the rules themselves.
    #[inline]
    pub(super) fn of_rules(rules: &'a Ruleset, hooks: &'a dyn Hooks, board: &'a Board) -> Self {
        PureEval {
            look: Look { rules, board },
            hooks,
            code: &rules.code,
            constants: &rules.constants,
            within: None,
        }
    }

    /// Runs from an instruction to [`Op::Done`].
    pub(super) fn run<B: Bank + ?Sized, P: Pad>(
        &self,
        from: u32,
        regs: &mut B,
        pad: &mut P,
        fuel: &mut u32,
    ) -> Result<(), EvalError> {
        let mut pc = from;
        loop {
            let op = &self.code[pc as usize];
            match compute(op, self.look, self.constants, regs, pad) {
                Step::Next => pc += 1,
                Step::At(at) => {
                    if at <= pc {
                        burn(fuel, 1)?;
                    }
                    pc = at;
                }
                Step::Quiet | Step::Other => {
                    let (hook, base) = match *op {
                        Op::Done => return Ok(()),
                        Op::Tire { steps } => {
                            burn(fuel, steps)?;
                            pc += 1;
                            continue;
                        }
                        Op::Hook { hook, base } => (hook, base),
                        _ => match uncounted(op, |reg| regs.get(reg)) {
                            Some(fault) => return Err(Box::new(fault)),
                            None => {
                                unreachable!("{op:?} at {pc} stands in code that may only work a value out")
                            }
                        },
                    };
                    let answer = ask_hook(self.hooks, hook, regs.get(base), self.look, fuel)?;
                    regs.put(Reg(base.0 + 1), answer);
                    pc += 1;
                }
            }
        }
    }

    /// Which rule takes the place of an event, worked out in registers that are free.
    pub(super) fn decide(
        &self,
        thunk: Thunk,
        operands: &[u64],
        regs: &mut Window,
        tally: &mut Tally,
        fuel: &mut u32,
    ) -> Result<u16, EvalError> {
        let registers = usize::from(thunk.registers).max(operands.len());
        let Some(own) = regs.get_mut(..registers) else {
            return Err(Box::new(FaultKind::TooDeep(Vec::new())));
        };
        own.fill(0);
        own[..operands.len()].copy_from_slice(operands);
        self.run(thunk.at, regs, tally, fuel)?;
        Ok(regs.get(thunk.result) as u16)
    }

    /// The value of a thunk that reads only its arguments.
    #[inline]
    pub(super) fn value(&self, thunk: Thunk, args: &[u64]) -> Result<u64, EvalError> {
        let (code, board) = ((self.code, thunk.at, thunk.result), self.look.board);
        if let Some(value) = at_a_glance(code, board).or_else(|| at_two_glances(code, board)) {
            Ok(value)
        } else if usize::from(thunk.registers).max(args.len()) <= FEW {
            let mut few = [0; FEW];
            few.iter_mut().zip(args).for_each(|(to, arg)| *to = *arg);
            self.value_in(thunk, &mut few)
        } else {
            self.value_in_many(thunk, args)
        }
    }

    #[cold]
    fn value_in_many(&self, thunk: Thunk, args: &[u64]) -> Result<u64, EvalError> {
        let mut many = args.to_vec();
        many.resize(usize::from(thunk.registers).max(args.len()), 0);
        self.value_in(thunk, many.as_mut_slice())
    }

    /// The value of a thunk in registers that hold its arguments.
    fn value_in<B: Bank + ?Sized>(&self, thunk: Thunk, regs: &mut B) -> Result<u64, EvalError> {
        let mut left = self.within.map_or(MOST_STEPS, Cell::get);
        let ran = self.run(thunk.at, regs, &mut None::<Tally>, &mut left);
        if let Some(within) = self.within {
            within.set(left);
        }
        ran.map(|()| regs.get(thunk.result))
    }

    /// The value of an expression that was compiled by itself.
    pub(super) fn evaluate(self, program: &Program, args: &[u64]) -> Result<u64, EvalError> {
        let thunk = Thunk {
            at: 0,
            result: program.result,
            registers: program.registers,
        };
        PureEval {
            code: &program.code,
            constants: &program.constants,
            ..self
        }
        .value(thunk, args)
    }
}

/// The value of code that is one look at the board, as most is that only works a value out: who lives, who stands under
/// a mark. It needs no registers.
#[inline]
fn at_a_glance((code, at, result): (&[Op], u32, Reg), board: &Board) -> Option<u64> {
    let [op, Op::Done, ..] = code.get(at as usize..)? else {
        return None;
    };
    let (to, value) = look_at(op, board)?;
    (to == result).then_some(value)
}

/// The same where something is made of one look or of two: who lives and stands under no mark, whether anybody does.
fn at_two_glances((code, at, result): (&[Op], u32, Reg), board: &Board) -> Option<u64> {
    let (to, value) = match code.get(at as usize..)? {
        [op, test, Op::Done, ..] => {
            let (seen, set) = look_at(op, board)?;
            match *test {
                Op::Some { to, of } if of == seen => (to, u64::from(set != 0)),
                Op::Empty { to, of } | Op::Not { to, a: of } if of == seen => (to, u64::from(set == 0)),
                _ => return None,
            }
        }
        [op, other, both, Op::Done, ..] => {
            let ((one, set), (two, also)) = (look_at(op, board)?, look_at(other, board)?);
            let are_those = |a: Reg, b: Reg| one != two && (a, b) == (one, two);
            match *both {
                Op::And { to, a, b } if are_those(a, b) => (to, set & also),
                Op::Without { to, a, b } if are_those(a, b) => (to, set & !also),
                _ => return None,
            }
        }
        _ => return None,
    };
    (to == result).then_some(value)
}

/// What one look at the board gives, and the register that it is for.
#[inline(always)]
fn look_at(op: &Op, Board { facts, cards, .. }: &Board) -> Option<(Reg, u64)> {
    Some(match *op {
        Op::Players { to } => (to, facts.players()),
        Op::Load { to, slot } => (to, facts.word(slot)),
        Op::Outside { to, slot } => (to, facts.outside(slot)),
        Op::Group { to, group } => (to, cards.group(group)),
        _ => return None,
    })
}

impl Look<'_> {
    /// The value of an expression that was compiled by itself; 0 where a script fails.
    #[inline]
    pub fn evaluate(&self, program: &Program, hooks: &dyn Hooks) -> u64 {
        at_a_glance((&program.code, 0, program.result), self.board).unwrap_or_else(|| {
            let eval = PureEval::of_rules(self.rules, hooks, self.board);
            eval.evaluate(program, &[]).unwrap_or(0)
        })
    }
}

/// So many steps less to go.
#[inline]
pub(super) fn burn(fuel: &mut u32, steps: u32) -> Result<(), EvalError> {
    match fuel.checked_sub(steps) {
        Some(left) => *fuel = left,
        None => return Err(Box::new(FaultKind::Endless)),
    }
    Ok(())
}

/// Asks a script, and keeps of its answer only what its kind allows. A script takes far longer than a step;
/// rules that ask one over and over are stopped sooner.
pub(super) fn ask_hook(
    hooks: &dyn Hooks,
    hook: HookId,
    argument: u64,
    look: Look<'_>,
    fuel: &mut u32,
) -> Result<u64, EvalError> {
    burn(fuel, STEPS_OF_A_SCRIPT)?;
    let most = *fuel / STEPS_OF_ITS_STEP;
    let mut left = most;
    let answer = hooks.answer(hook, argument, &look, &mut left);
    *fuel -= (most - left) * STEPS_OF_ITS_STEP;
    let answer = answer.map_err(Box::new)?;
    Ok(match look.rules.hook(hook).gives {
        Kind::Players => answer & look.players(),
        Kind::Truth => u64::from(answer != 0),
        // Hooks give nothing else but numbers.
        _ => answer,
    })
}
