//! Rounds of ballots in which it is all one whose ballot is whose, whatever role he has: a loop that asks one
//! after the other, into a row of which nothing is read but the sum of all.

use crate::{
    calls::{Calls, loop_around},
    kinds::{Kinds, Word},
    live::{Liveness, Use},
};
use omerta_core::rules::{AskFrame, AskKind, FactId, Op, Reg, Slot};

/// The question of such a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The row of ballots.
    pub row: Slot,
    /// Who has been asked, whoever is asked now among them.
    pub asked: Reg,
    /// Who is asked now.
    pub who: Reg,
    /// Where no turn hangs on what was answered in another: the registers that a turn writes, of which nothing is
    /// left behind the round but who was asked.
    pub turn: Option<Vec<Reg>>,
}

/// The round that an instruction asks in.
pub fn round_at(calls: &Calls<'_>, live: &Liveness<'_>, kinds: &Kinds<'_>, at: usize) -> Option<Round> {
    let code = &calls.rules.code;
    let Op::Ask { site, base } = code[at] else {
        return None;
    };
    let (ask, frame) = (calls.rules.ask(site), AskFrame(base));
    let (head, back) = loop_around(calls, at)?;
    let within = || code[head..=back].iter();
    let popped = within().any(|op| matches!(op, Op::Pop { to, .. } if *to == frame.who()));
    let asked = within().find_map(|op| match *op {
        Op::Or { to, a, b } if to == a && b == frame.who() => Some(to),
        _ => None,
    })?;
    let fact = within().find_map(|op| match *op {
        Op::Link { fact, from, to_set } if from == frame.who() && to_set == frame.answer() => Some(fact),
        _ => None,
    })?;
    let row = calls.rules.facts[fact.index()].slot;
    let counted = live.before(at).slots.get(row.index()) == Some(&Use::Counted);
    let sound = popped && counted && is_written_here_alone(calls, fact) && is_summed(calls, live, kinds, row);
    sound.then_some(Round {
        row,
        asked,
        who: frame.who(),
        turn: turn(calls, live, (head, back), (at, &ask.kind, frame), (row, asked)),
    })
}

/// The registers that a turn of a round writes, where whoever comes later is asked the same whatever was answered
/// before: nothing in the loop reads an answer or the row, nothing is done in it but to fill the row, and nothing
/// of a turn is read behind it but who was asked.
fn turn(
    calls: &Calls<'_>,
    live: &Liveness<'_>,
    (head, back): (usize, usize),
    (at, kind, frame): (usize, &AskKind, AskFrame),
    (row, asked): (Slot, Reg),
) -> Option<Vec<Reg>> {
    let code = &calls.rules.code;
    let answers = [frame.answer(), frame.named()];
    let single = matches!(kind, AskKind::Seats) && calls.ran[at].is_empty();
    let turns = || (head..=back).filter(|op| calls.owner[*op].is_some());
    let alike = |op: usize| {
        let does = &calls.does[op];
        let reads_none = !does.reads.iter().any(|reg| answers.contains(reg));
        match code[op] {
            Op::Ask { .. } => op == at,
            Op::Link { .. } => true,
            Op::Jump { .. } | Op::JumpIf { .. } | Op::JumpUnless { .. } => reads_none,
            _ => does.pure && reads_none && !does.loads.contains(&row),
        }
    };
    let mut turn: Vec<Reg> = turns()
        .flat_map(|op| calls.does[op].writes.iter().copied())
        .collect();
    turn.sort_unstable();
    turn.dedup();
    let leaves_nothing = |op: usize| {
        let empty = match code[op] {
            Op::JumpUnless { test, .. } => Some(test),
            _ => None,
        };
        let mut out = calls.next[op].iter().filter(|to| !(head..=back).contains(*to));
        out.all(|to| {
            let behind = &live.before(*to).registers;
            let left = |reg: &&Reg| **reg != asked && Some(**reg) != empty && behind.contains(*reg);
            !turn.iter().any(|reg| left(&reg))
        })
    };
    (single && turns().all(|op| alike(op) && leaves_nothing(op))).then_some(turn)
}

/// Whether nothing else fills the row.
fn is_written_here_alone(calls: &Calls<'_>, fact: FactId) -> bool {
    let writes = |at: &usize| {
        let of = match calls.rules.code[*at] {
            Op::Link { fact, .. } | Op::Unlink { fact, .. } => fact,
            _ => return false,
        };
        calls.owner[*at].is_some() && of == fact
    };
    (0..calls.rules.code.len()).filter(writes).count() == 1
}

/// Whether whatever reads the row adds up the ballots of all, each of one weight.
fn is_summed(calls: &Calls<'_>, live: &Liveness<'_>, kinds: &Kinds<'_>, row: Slot) -> bool {
    let code = &calls.rules.code;
    (0..code.len()).filter(|at| calls.owner[*at].is_some()).all(|at| {
        if calls.loads[at].contains(&row) {
            return false;
        }
        let does = &calls.does[at];
        let after = live.after(at);
        let idle = does.pure && !does.writes.iter().any(|reg| after.registers.contains(reg));
        if !does.loads.contains(&row) || idle {
            return true;
        }
        match code[at] {
            Op::TallyRow { voters, .. } => kinds.before(at, voters) == Word::Everybody,
            Op::LinkOf { of, .. } => is_even_loop(calls, live, kinds, at, of),
            _ => false,
        }
    })
}

/// Whether a loop goes through everybody and gives each ballot one weight.
fn is_even_loop(calls: &Calls<'_>, live: &Liveness<'_>, kinds: &Kinds<'_>, at: usize, voter: Reg) -> bool {
    let code = &calls.rules.code;
    let Some((head, back)) = loop_around(calls, at).filter(|_| live.counts_one_by_one(at)) else {
        return false;
    };
    let set = code[head..=back].iter().find_map(|op| match *op {
        Op::Pop { to, set } if to == voter => Some(set),
        _ => None,
    });
    let everybody = set.is_some_and(|set| head > 0 && kinds.before(head - 1, set) == Word::Everybody);
    let even = (head..=back).all(|op| match code[op] {
        Op::TallyAdd { weight, .. } => matches!(kinds.before(op, weight), Word::Number(_)),
        _ => true,
    });
    everybody && even
}
