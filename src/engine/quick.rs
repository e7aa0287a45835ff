//! The loop for games that nobody listens to: it takes the steps of [`Ruleset::quick`].
//!
//! Whatever it does not do itself it leaves to [`Machine::run`], at the very instruction. Few things
//! live across its steps, so that the machine's registers hold them all.

use crate::ask::{Answer, can_be_answered, can_come_out, given_branch, given_word, no_answer};
use crate::choice::Reply;
use crate::compute::{
    EvalError, MOST_STEPS, PureEval, RESERVE, STEPS_OF_A_DRAW, Step, THINGS_OF_A_STEP, burn, compute,
};
use crate::effects::{end, pile, quietly};
use crate::event::Listener;
use crate::facts::{first, how_many_in, last};
use crate::look::Look;
use crate::machine::{Flow, Machine};
use crate::pause::{Fixed, Legal, Pause, Site};
use crate::reflex::{Reflex, ready};
use crate::registers::{Bank, MOST_REGISTERS, Registers, WINDOW, Window};
use crate::rounds::{MOST_SEATS, go_round};
use crate::state::{Board, Frame, FrameKind, MOST_FRAMES, MOST_PLANS, Occurrence};
use omerta_core::rules::{
    Act, AskFrame, AskId, AskKind, AskSite, DrawFrame, DrawId, Event, EventId, GroupId, Low,
    MOST_WITHOUT_FRAME, ProcId, Reg, Ruleset, SceneId, Slot, ZoneId,
};

/// Does something and goes on with the next step.
macro_rules! then {
    ($behind:ident, $does:expr) => {{
        $does;
        $behind
    }};
}

/// Does what stands outside of the loop, and goes on with the step where that leads; whoever runs the loop sees whether
/// there is room for more steps.
macro_rules! aside {
    ($game:ident, $board:ident, $stack:ident, $regs:ident, $line:ident, $pc:expr, $does:expr) => {{
        $game.pc = $pc;
        let flow = $does?;
        let to = match flow {
            Flow::Next => $game.pc + 1,
            Flow::At(to) => to,
            Flow::Pause => return Ok(Some(flow)),
        };
        if $game.fuel < RESERVE || !may_take_steps(&$game.state.board, $game.base) {
            return Ok(Some(Flow::At(to)));
        }
        ($board, $stack) = $game.state.parts();
        $regs = $stack.window($game.base);
        $line.from(to)
    }};
}

impl<L: Listener, R: Reflex + ?Sized> Machine<'_, L, R> {
    /// Takes steps up to the first instruction that they do not do; gives what came of it where it is done already.
    #[inline(never)]
    pub(super) fn quick(&mut self) -> Result<Option<Flow>, EvalError> {
        let rules = self.rules;
        let fast = self.fast();
        let line = &fast.line;
        let fixed = Fixed {
            rules,
            hooks: self.hooks,
            times: fast.offers.as_ref(),
        };
        let (mut board, mut stack) = self.state.parts();
        let mut regs = stack.window(self.base);
        let mut ahead = line.from(self.pc);
        self.pc = loop {
            let [step, behind @ ..] = ahead else {
                unreachable!("each line of steps leads somewhere");
            };
            // Where to go on, by whether a test held.
            let on = |holds: bool| {
                if holds {
                    behind
                } else {
                    &line.steps[step.other as usize..]
                }
            };
            ahead = match step.act {
                Act::Small { to, value } => then!(behind, regs.put(to, i64::from(value) as u64)),
                Act::SmallBoth {
                    one,
                    value,
                    other,
                    also,
                } => {
                    regs.put(one, i64::from(value) as u64);
                    then!(behind, regs.put(other, i64::from(also) as u64))
                }
                Act::Const { to, index } => then!(behind, regs.put(to, rules.constants[usize::from(index)])),
                Act::Copies { to, group } => then!(behind, regs.put(to, board.cards.copies_of(group))),
                Act::Copy { to, from } => then!(behind, regs.put(to, regs.get(from))),
                Act::Players { to } => then!(behind, regs.put(to, board.facts.players())),
                Act::Load { to, slot } => then!(behind, regs.put(to, board.facts.word(slot))),
                Act::Group { to, group } => then!(behind, regs.put(to, board.cards.group(group))),
                Act::Zone { to, zone } => then!(behind, regs.put(to, board.cards.zone(zone))),
                Act::Outside { to, slot } => then!(behind, regs.put(to, board.facts.outside(slot))),
                Act::OutsideBut { to, slot, but } => {
                    then!(behind, regs.put(to, board.facts.outside(slot) & !regs.get(but)))
                }
                Act::GroupOutside { to, group, slot } => {
                    then!(behind, regs.put(to, group_outside(board, group, slot)))
                }
                Act::LinkOf { to, row, of } => {
                    then!(behind, regs.put(to, board.facts.linked_from(row, regs.get(of))))
                }
                Act::Holders { to, titles } => {
                    then!(behind, regs.put(to, board.cards.holders(regs.get(titles))))
                }
                Act::And { to, a, b } => then!(behind, regs.put(to, regs.get(a) & regs.get(b))),
                Act::Or { to, a, b } => then!(behind, regs.put(to, regs.get(a) | regs.get(b))),
                Act::Without { to, a, b } => then!(behind, regs.put(to, regs.get(a) & !regs.get(b))),
                Act::Size { to, of } => then!(behind, regs.put(to, how_many_in(regs.get(of)))),

                Act::Plus { to, a, b } => match (regs.get(a) as i64).checked_add(regs.get(b) as i64) {
                    Some(sum) => then!(behind, regs.put(to, sum as u64)),
                    None => break line.place(ahead),
                },

                Act::If { test } => on(regs.get(test) != 0),
                Act::Unless { test } => on(regs.get(test) == 0),
                Act::IfSome { to, of } => on(put_truth(regs, to, regs.get(of) != 0)),
                Act::IfEmpty { to, of } => on(put_truth(regs, to, regs.get(of) == 0)),
                Act::IfEqual { to, a, b } => on(put_truth(regs, to, regs.get(a) == regs.get(b))),
                Act::IfEquals { value, to, a, b } => {
                    let value = i64::from(value) as u64;
                    regs.put(b, value);
                    on(put_truth(regs, to, regs.get(a) == value))
                }
                Act::IfLess { to, a, b } => on(put_truth(regs, to, is_less(regs, a, b))),
                Act::IfNotLess { to, a, b } => on(put_truth(regs, to, !is_less(regs, a, b))),
                Act::IfWithin { to, a, b } => {
                    let (inner, outer) = (regs.get(a), regs.get(b));
                    on(put_truth(regs, to, is_within(inner, outer)))
                }

                Act::IfNoCopies { to, truth, group } => {
                    let copies = board.cards.copies_of(group);
                    regs.put(to, copies);
                    on(put_truth(regs, truth, copies == 0))
                }
                Act::IfNoneOutside {
                    to,
                    truth,
                    group,
                    slot,
                } => {
                    let set = group_outside(board, group, slot);
                    regs.put(to, set);
                    on(put_truth(regs, truth, set == 0))
                }
                Act::IfWithinFact { to, truth, a, slot } => {
                    let (inner, outer) = (regs.get(a), board.facts.word(slot));
                    regs.put(to, outer);
                    on(put_truth(regs, truth, is_within(inner, outer)))
                }
                Act::IfWithinGroup { to, truth, a, group } => {
                    let (inner, outer) = (regs.get(a), board.cards.group(group));
                    regs.put(to, outer);
                    on(put_truth(regs, truth, is_within(inner, outer)))
                }
                Act::IfNotRunning { to, proc } => on(!put_truth(regs, to, board.running(proc))),

                Act::Take { to, set } => on(take(regs, set, to) != 0),
                Act::TakeLast { .. } if self.fuel < RESERVE => break line.place(ahead),
                Act::TakeLast { to, set } => on(take_last(regs, set, to, &mut self.fuel)),
                Act::TakeInto { to, set, into } => on(take_into(regs, set, (to, into))),
                Act::TakeBut { to, set, into, from } => {
                    regs.put(set, regs.get(from) & !regs.get(into));
                    on(take_into(regs, set, (to, into)))
                }
                Act::TakeOutside { to, set, into, slot } => {
                    regs.put(set, board.facts.outside(slot) & !regs.get(into));
                    on(take_into(regs, set, (to, into)))
                }

                Act::Mark { slot, set } => {
                    then!(
                        behind,
                        board.facts.set(slot, board.facts.word(slot) | regs.get(set))
                    )
                }
                Act::Store { slot, value } => then!(behind, board.facts.set(slot, regs.get(value))),
                Act::Wipe { slot } => then!(behind, board.facts.set(slot, 0)),
                Act::WipeRow { slot } => then!(behind, board.facts.row_mut(slot).fill(0)),
                Act::Began { scene, slot } => then!(behind, begin(self.reflex, rules, board, (scene, slot))),
                Act::Count { slot } => then!(behind, count(board, slot)),
                Act::WipeBegan { wiped, scene, slot } => {
                    board.facts.set(wiped, 0);
                    begin(self.reflex, rules, board, (scene, slot));
                    behind
                }
                Act::WipeBoth { one, other } => {
                    board.facts.set(one, 0);
                    then!(behind, board.facts.set(other, 0))
                }
                Act::LinkOne { row, from, to } => {
                    let to = board.facts.first_of(regs.get(to));
                    then!(behind, board.facts.link_one(row, regs.get(from), to))
                }
                Act::Link { row, from, to } => {
                    let to = regs.get(to);
                    board.facts.change_each(row, regs.get(from), |word| word | to);
                    behind
                }
                Act::Win { set } => then!(behind, board.won |= regs.get(set)),
                Act::Lay { .. } if self.fuel < RESERVE => break line.place(ahead),
                Act::Lay {
                    zone,
                    under,
                    cards,
                    seat,
                } => {
                    let (cards, seat) = (regs.get(cards), regs.get(seat));
                    then!(
                        behind,
                        self.fuel -= lay(rules, board, (zone, under), (cards, seat))
                    )
                }

                Act::Ballots { row, voters } => {
                    let voters = regs.get(voters) & board.facts.players();
                    then!(behind, self.tally.ballots(row, board.facts.row(row), voters))
                }
                Act::Verdict { verdict, to, among } => {
                    then!(behind, regs.put(to, self.tally.read(regs.get(among), verdict)))
                }

                Act::Ask { site, base } => {
                    if !is_answered(
                        self.reflex,
                        (site, base),
                        &fixed,
                        board,
                        regs,
                        (&mut self.fuel, &mut self.given),
                    ) {
                        break line.place(ahead);
                    }
                    behind
                }
                Act::Draw { site, base } => {
                    if self.fuel < RESERVE
                        || !comes_out(self.reflex, (site, base), &fixed, board, regs, &mut self.fuel)
                    {
                        break line.place(ahead);
                    }
                    behind
                }
                Act::Round { round } => {
                    let round = &fast.rounds[usize::from(round)];
                    let (left, base) = (round.left, Reg::from(round.who));
                    if go_round(self.reflex, round, (&fixed, board), regs) {
                        // The last answer begins anew; the way back is one step.
                        self.fuel = MOST_STEPS - 1;
                        match regs.get(left) {
                            0 => line.from(round.head),
                            _ => line.from(round.turn),
                        }
                    } else if is_answered(
                        self.reflex,
                        (round.ask, base),
                        &fixed,
                        board,
                        regs,
                        (&mut self.fuel, &mut self.given),
                    ) {
                        behind
                    } else {
                        break line.place(ahead);
                    }
                }

                Act::Back | Act::Deal | Act::Happen { .. } if self.fuel < RESERVE => break line.place(ahead),
                Act::Back => {
                    self.fuel -= 1;
                    &line.steps[step.other as usize..]
                }
                Act::Go => &line.steps[step.other as usize..],
                Act::Enter {
                    proc,
                    base,
                    registers,
                } => {
                    let above = self.base + base.index();
                    if !enter(board, stack, &mut self.fuel, (proc, step.other, above), registers) {
                        break step.other;
                    }
                    self.base = above;
                    regs = stack.window(above);
                    &line.steps[step.next as usize..]
                }
                Act::EnterScene {
                    base,
                    proc,
                    registers,
                    slot,
                } => {
                    let above = self.base + usize::from(base.0);
                    if !enter(board, stack, &mut self.fuel, (proc, step.other, above), registers) {
                        break step.other;
                    }
                    self.base = above;
                    regs = stack.window(above);
                    count(board, slot);
                    &line.steps[step.next as usize..]
                }
                Act::GoIn {
                    proc,
                    base,
                    registers,
                } => {
                    let above = self.base + base.index();
                    if self.fuel < RESERVE || !has_room(&board.frames, above) {
                        break step.other;
                    }
                    self.fuel -= 1;
                    put_frame(board, (proc, step.other, above));
                    stack.keep(above + usize::from(registers));
                    self.base = above;
                    regs = stack.window(above);
                    &line.steps[step.next as usize..]
                }
                Act::Happen { event, base, body } => {
                    let event = &rules.events[event.index()];
                    let Some(operands) = only_one(event, base, board, regs) else {
                        break line.place(ahead);
                    };
                    let (above, before) = (stack.len(), self.fuel);
                    if let Some(thunk) = event.decide {
                        self.pc = line.place(ahead);
                        let eval = PureEval::of_rules(rules, self.hooks, board);
                        let free = stack.window(above);
                        let decision = eval.decide(thunk, &operands, free, self.tally, &mut self.fuel)?;
                        if decision != 0 {
                            self.fuel = before;
                            break line.place(ahead);
                        }
                    }
                    let code = &rules.procs[body.index()];
                    let registers = code.registers.max(operands.len() as u16);
                    if !enter(
                        board,
                        stack,
                        &mut self.fuel,
                        (body, line.place(ahead), above),
                        registers,
                    ) {
                        self.fuel = before;
                        break line.place(ahead);
                    }
                    self.base = above;
                    regs = stack.window(above);
                    regs[..operands.len()].copy_from_slice(&operands);
                    line.from(code.entry)
                }
                Act::Told { .. } if self.fuel < RESERVE || !has_room_for_all(board) => {
                    break line.place(ahead);
                }
                Act::Told { of } => {
                    let players = of.map(|of| regs.get(of) & board.facts.players());
                    then!(behind, self.fuel -= calls_of(players))
                }
                Act::IfOne { to, from } => {
                    let players = regs.get(from) & board.facts.players();
                    regs.put(to, players);
                    on(players.is_power_of_two())
                }
                Act::Call => {
                    let at = step.next;
                    aside!(
                        self,
                        board,
                        stack,
                        regs,
                        line,
                        at,
                        self.effect(&rules.code[at as usize])
                    )
                }
                Act::Behind { event, base } => {
                    aside!(
                        self,
                        board,
                        stack,
                        regs,
                        line,
                        step.other,
                        self.go_on_behind(event, base.into())
                    )
                }
                Act::TakePlan { event, base } => on(take_plan(board, event, regs, base)),
                Act::PutBack { event, base } => then!(behind, put_back(board, event, regs, base)),
                Act::Called { calls } | Act::CountCalled { calls, .. } if self.fuel < u32::from(calls) => {
                    self.pc = line.place(ahead);
                    burn(&mut self.fuel, u32::from(calls))?;
                    behind
                }
                Act::Called { calls } => then!(behind, self.fuel -= u32::from(calls)),
                Act::CountCalled { slot, calls } => {
                    self.fuel -= u32::from(calls);
                    then!(behind, count(board, slot))
                }
                Act::Deal => {
                    self.pc = line.place(ahead);
                    if !self.deal() {
                        return Ok(None);
                    }
                    (board, stack) = self.state.parts();
                    regs = stack.window(self.base);
                    line.from(self.pc)
                }
                Act::Name { title, purpose } => {
                    let title = regs.get(title);
                    then!(behind, board.name_call(title, purpose))
                }
                Act::Return => {
                    let [.., below, top] = board.frames.as_slice() else {
                        break if step.other == 0 {
                            line.place(ahead)
                        } else {
                            step.other
                        };
                    };
                    if (top.kind, below.kind) != (FrameKind::Code, FrameKind::Code) {
                        let pc = line.place(ahead);
                        ahead = aside!(self, board, stack, regs, line, pc, self.leave_frame());
                        continue;
                    }
                    // What is known of the frames stays known as long as nothing is written.
                    let (waits, base) = (below.pc, below.base as usize);
                    let registers = rules.procs[below.proc.index()].registers;
                    board.frames.pop();
                    self.base = base;
                    stack.resize(base + usize::from(registers));
                    regs = stack.window(base);
                    line.from(waits + 1)
                }

                Act::Skip => behind,
                Act::Quiet => then!(
                    behind,
                    quietly(&fast.lean[step.other as usize], rules, board, regs)
                ),
                Act::Plain => {
                    let (look, pc) = (Look { rules, board }, step.other);
                    match compute(&fast.lean[pc as usize], look, &rules.constants, regs, self.tally) {
                        Step::Next => behind,
                        Step::At(to) => {
                            if to <= pc {
                                self.pc = pc;
                                burn(&mut self.fuel, 1)?;
                            }
                            line.from(to)
                        }
                        Step::Quiet | Step::Other => {
                            aside!(
                                self,
                                board,
                                stack,
                                regs,
                                line,
                                pc,
                                self.effect(&rules.code[pc as usize])
                            )
                        }
                    }
                }
            };
        };
        Ok(None)
    }
}

/// Puts a frame on top; says whether there was room for it, and time. Where there is none, it is told where all
/// instructions are.
#[inline(always)]
fn enter(
    board: &mut Board,
    stack: &mut Registers,
    fuel: &mut u32,
    (proc, from, base): (ProcId, u32, usize),
    registers: u16,
) -> bool {
    let room = *fuel >= RESERVE && has_room(&board.frames, base);
    if room {
        *fuel -= 1;
        stack.resize(base + usize::from(registers));
        put_frame(board, (proc, from, base));
    }
    room
}

/// Puts a frame on top, for which there is room, of a procedure that the topmost calls at an instruction.
#[inline(always)]
fn put_frame(board: &mut Board, (proc, from, base): (ProcId, u32, usize)) {
    if let [.., below] = board.frames.as_mut_slice() {
        below.pc = from;
    }
    board.frames.push(Frame::new(proc, base as u32, FrameKind::Code));
}

/// Whether there is room above for all that calls without a frame would take if they had one; where it
/// runs out, instructions are carried out one by one.
#[inline(always)]
fn has_room(frames: &[Frame], base: usize) -> bool {
    frames.len() < MOST_FRAMES - MOST_WITHOUT_FRAME && base <= MOST_REGISTERS - WINDOW
}

/// The same, and whether the events that happen in such calls may be on their way at once.
#[inline(always)]
pub(super) fn may_take_steps(board: &Board, base: usize) -> bool {
    has_room(&board.frames, base) && board.happening.len() < MOST_PLANS - MOST_WITHOUT_FRAME
}

/// Whether an event may be on its way to everybody at once.
#[inline]
fn has_room_for_all(board: &Board) -> bool {
    board.happening.len() + MOST_SEATS <= MOST_PLANS
}

/// As how many calls an event counts that happens to some players: each of them, and two more where it is driven.
#[inline]
fn calls_of(players: Option<u64>) -> u32 {
    let times = players.map_or(1, u64::count_ones);
    if times > 1 { times + 2 } else { times }
}

/// Of whom, by whom and with what an event happens, where it happens once.
#[inline]
fn only_one(event: &Event, base: Reg, board: &Board, regs: &Window) -> Option<[u64; 3]> {
    let operand = |place: u16, taken: bool| if taken { regs.get(Reg(base.0 + place)) } else { 0 };
    let of = operand(0, event.of) & board.facts.players();
    let once = !event.of || of.is_power_of_two();
    once.then(|| [of, operand(1, event.by), operand(2, !event.with.is_empty())])
}

/// Takes the only plan of an event, and puts down of whom, by whom and with what it is; says whether there was one.
#[inline(never)]
fn take_plan(board: &mut Board, event: EventId, regs: &mut Window, base: Low) -> bool {
    let mut planned = board
        .plans
        .iter()
        .enumerate()
        .filter(|(_, plan)| plan.event == event);
    let (Some((at, plan)), None) = (planned.next(), planned.next()) else {
        return false;
    };
    let first = usize::from(base.0);
    regs[first..first + 3].copy_from_slice(&[plan.of, plan.by, plan.with[0]]);
    board.plans.remove(at);
    true
}

/// Puts it back.
#[inline(never)]
fn put_back(board: &mut Board, event: EventId, regs: &Window, base: Low) {
    let first = usize::from(base.0);
    let plan = Occurrence::of_one(event, [regs[first], regs[first + 1], regs[first + 2]]);
    board.plans.push(plan);
}

/// A scene has begun once more.
#[inline(always)]
fn count(board: &mut Board, slot: Slot) {
    board.facts.set(slot, board.facts.word(slot) + 1);
}

/// A scene begins.
#[inline(always)]
fn begin<R: Reflex + ?Sized>(
    reflex: &mut R,
    rules: &Ruleset,
    board: &mut Board,
    (scene, slot): (SceneId, Slot),
) {
    count(board, slot);
    if reflex.watches() && board.is_outermost(rules) {
        reflex.begun(scene, Look { rules, board });
    }
}

/// Puts a question. Says whether there is nothing to wait for: then it is answered, or there is nothing to answer.
#[inline(never)]
fn is_answered<R: Reflex + ?Sized>(
    reflex: &mut R,
    (site, base): (AskId, Reg),
    fixed: &Fixed<'_>,
    board: &Board,
    regs: &mut Window,
    (fuel, kept): (&mut u32, &mut Option<Legal>),
) -> bool {
    let (question, frame, own) = (fixed.rules.ask(site), AskFrame(base), &regs[base.index()..]);
    if !can_be_answered(question, own) {
        pass_over(regs, (question, frame));
        return true;
    }
    let pause = Pause::new(Site::Ask(site), fixed, board, own);
    let reply = if reflex.answers() {
        reflex.answer(&pause)
    } else {
        Reply::Nothing
    };
    // Each sort of reply by itself: what is known of its answer need not be asked again.
    match reply {
        Reply::Word(word) => {
            let answer = given_word(question, own, word);
            put_given(regs, fuel, (question, frame), answer)
        }
        Reply::Branch(branch, picked) => {
            let answer = given_branch(question, own, (branch, picked));
            put_given(regs, fuel, (question, frame), answer)
        }
        Reply::Choice(choice) => match pause.legal(choice) {
            Ok(Legal::Answer(answer)) => put_given(regs, fuel, (question, frame), Some(answer)),
            other => {
                *kept = other.ok();
                false
            }
        },
        Reply::Nothing => false,
    }
}

/// Writes an answer, if there is one, and begins to count anew how long the next may take.
#[inline(always)]
fn put_given(regs: &mut Window, fuel: &mut u32, asked: (&AskSite, AskFrame), answer: Option<Answer>) -> bool {
    if let Some(answer) = answer {
        *fuel = MOST_STEPS;
        put_answer(regs, asked, answer);
    }
    answer.is_some()
}

/// Lays cards on a pile of a zone, or under it; says how long that takes.
#[inline(never)]
fn lay(rules: &Ruleset, board: &mut Board, (zone, under): (ZoneId, bool), (cards, seat): (u64, u64)) -> u32 {
    let cards = cards & board.cards.all();
    match pile(rules, board, zone, seat) {
        Some(to) if cards != 0 => {
            board.cards.lay(rules, cards, to, end(under));
            how_many_in(cards) as u32 / THINGS_OF_A_STEP
        }
        _ => 0,
    }
}

/// Nobody is there to answer, or there is no answer.
#[inline(never)]
fn pass_over(regs: &mut Window, asked: (&AskSite, AskFrame)) {
    put_answer(regs, asked, no_answer(asked.0));
}

/// Writes an answer to where the question wants it.
#[inline(always)]
fn put_answer(regs: &mut Window, (question, frame): (&AskSite, AskFrame), answer: Answer) {
    match question.kind {
        AskKind::Menu(_) => regs.put(frame.picked(), answer.picked),
        AskKind::Numbers => regs.put(frame.named(), answer.names()),
        _ => {}
    }
    regs.put(frame.answer(), answer.word);
}

/// Lets chance decide. Says whether there is nothing to wait for.
#[inline(never)]
fn comes_out<R: Reflex + ?Sized>(
    reflex: &mut R,
    (site, base): (DrawId, Reg),
    fixed: &Fixed<'_>,
    board: &Board,
    regs: &mut Window,
    fuel: &mut u32,
) -> bool {
    let (frame, own) = (DrawFrame(base), &regs[base.index()..]);
    let draw = &fixed.rules.draws[site.index()];
    if !can_come_out(&draw.kind, own) {
        regs.put(frame.outcome(), 0);
        return true;
    }
    let pause = Pause::new(Site::Draw(site), fixed, board, own);
    let Some(Legal::Outcome(outcome)) = ready(reflex, &pause) else {
        return false;
    };
    *fuel -= STEPS_OF_A_DRAW;
    regs.put(frame.outcome(), outcome);
    true
}

/// Moves the last of a set to another register and forgets the others; says whether there was one.
#[inline(never)]
fn take_last(regs: &mut Window, set: Low, to: Low, fuel: &mut u32) -> bool {
    let left = regs.get(set);
    if left != 0 {
        regs.put(to, last(left));
        regs.put(set, 0);
        // The way back from each of the others.
        *fuel -= left.count_ones() - 1;
    }
    left != 0
}

#[inline(always)]
fn group_outside(board: &Board, group: GroupId, slot: Slot) -> u64 {
    board.cards.group(group) & board.facts.outside(slot)
}

#[inline(always)]
fn is_within(inner: u64, outer: u64) -> bool {
    inner != 0 && inner & !outer == 0
}

/// Moves the first of a set to another register; gives it.
#[inline(always)]
fn take(regs: &mut Window, set: Low, to: Low) -> u64 {
    let left = regs.get(set);
    let taken = first(left);
    if taken != 0 {
        regs.put(set, left & !taken);
        regs.put(to, taken);
    }
    taken
}

/// The same, and puts it to others that were taken; says whether there was one.
#[inline(always)]
fn take_into(regs: &mut Window, set: Low, (to, into): (Low, Low)) -> bool {
    let taken = take(regs, set, to);
    regs.put(into, regs.get(into) | taken);
    taken != 0
}

#[inline(always)]
fn is_less(regs: &Window, a: Low, b: Low) -> bool {
    (regs.get(a) as i64) < regs.get(b) as i64
}

/// Writes a truth and gives it back.
#[inline(always)]
fn put_truth(regs: &mut Window, to: Low, truth: bool) -> bool {
    regs.put(to, u64::from(truth));
    truth
}
