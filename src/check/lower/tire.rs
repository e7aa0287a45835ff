//! Long ways count as many steps. The engine counts jumps back and calls, and stops what makes too many of them without
//! a question; what is carried out from one to the next is bounded by what is written here.

use omerta_core::rules::{Op, Phrase, PhrasePiece, Proc, ProcRole, Ruleset, Thunk};

/// Whatever weighs no more than this from one jump back or call to the next counts as that one step.
const LONG: u64 = 1_024;
/// So much of what is longer is a step.
const STEP: u64 = 256;
/// How long the way gets by a place in a text, and what it weighs, beside what it is worked out by: it is kept with what
/// happened, and names stand for it wherever it is told.
const SLOT: u64 = 16;
const SLOT_IN_WORDS: u64 = 256;
/// So many may be gone through in one loop.
const TURNS: u64 = 64;
/// Whatever works one value out weighs no more: it is bounded by itself.
const MOST: u64 = 1 << 24;

/// Makes a detour of the way into every long loop and procedure, and counts its steps there.
pub fn tire(rules: &mut Ruleset) {
    let weights = |slot: u64| {
        let mut before = vec![0];
        let mut all = 0_u64;
        for op in &rules.code {
            all += weight(rules, op, slot);
            before.push(all);
        }
        before
    };
    let (lengths, weights) = (weights(SLOT), weights(SLOT_IN_WORDS));
    let between = |from: u32, to: usize| {
        let from = from as usize;
        (lengths[to] - lengths[from], weights[to] - weights[from])
    };
    for at in 0..rules.code.len() {
        if let Op::Jump { at: to } = rules.code[at]
            && to as usize <= at
        {
            let by = detour(rules, to, between(to, at));
            rules.code[at] = Op::Jump { at: by };
        }
    }
    for index in 0..rules.procs.len() {
        let Proc {
            role, entry, exit, ..
        } = rules.procs[index];
        // Endings are looked through where they stand; whoever judges carries their weight.
        if role != ProcRole::Judgement {
            let end = { rules.code[exit as usize..].iter() }.position(|op| *op == Op::Return);
            let end = exit as usize + end.unwrap_or(0);
            rules.procs[index].entry = detour(rules, entry, between(entry, end));
        }
    }
}

/// Where whoever goes to a place has to go, if it is a long way from there.
fn detour(rules: &mut Ruleset, to: u32, (length, weight): (u64, u64)) -> u32 {
    if length <= LONG {
        return to;
    }
    let (by, origin) = (rules.code.len() as u32, rules.origins[to as usize]);
    let steps = u32::try_from(weight / STEP).unwrap_or(u32::MAX);
    rules.code.extend([Op::Tire { steps }, Op::Jump { at: to }]);
    rules.origins.extend([origin, origin]);
    by
}

fn weight(rules: &Ruleset, op: &Op, slot: u64) -> u64 {
    match *op {
        Op::Say { site, .. } => 1 + of_words(rules, slot, &rules.says[site.index()].phrase),
        // Each of several may be decided by itself.
        Op::Do { event, .. } => {
            let decide = rules.events[event.index()].decide;
            1 + decide.map_or(0, |decide| of_value(rules, decide).saturating_sub(TURNS) * TURNS)
        }
        Op::Enter { proc, .. } => match rules.procs[proc.index()] {
            Proc {
                role: ProcRole::Judgement,
                entry,
                exit,
                ..
            } => u64::from(exit - entry),
            _ => 1,
        },
        _ => 1,
    }
}

fn of_words(rules: &Ruleset, slot: u64, phrase: &Phrase) -> u64 {
    let of_pieces = |pieces: &[PhrasePiece]| pieces.iter().map(|piece| of_piece(rules, slot, piece)).sum();
    of_pieces(&phrase.pieces)
}

fn of_piece(rules: &Ruleset, slot: u64, piece: &PhrasePiece) -> u64 {
    match piece {
        PhrasePiece::Words(_) => 0,
        PhrasePiece::Slot { value, .. } => slot + of_value(rules, *value),
        PhrasePiece::Choice {
            value,
            none,
            one,
            many,
            ..
        } => {
            let further = [none, one, many].into_iter().flatten();
            let further: u64 = further.map(|piece| of_piece(rules, slot, piece)).sum();
            slot + of_value(rules, *value) + further
        }
    }
}

/// What a value is worked out by, as often as the loops in it may go round.
fn of_value(rules: &Ruleset, thunk: Thunk) -> u64 {
    let start = thunk.at as usize;
    let code = rules.code[start..].iter();
    let code: Vec<&Op> = code.take_while(|op| **op != Op::Done).collect();
    // How many loops begin and end at each instruction.
    let mut begun = vec![0_u32; code.len() + 1];
    let mut ended = vec![0_u32; code.len() + 1];
    for (at, op) in code.iter().enumerate() {
        if let Op::Jump { at: to } = op
            && let Some(to) = (*to as usize).checked_sub(start).filter(|to| *to <= at)
        {
            begun[to] += 1;
            ended[at + 1] += 1;
        }
    }
    let (mut depth, mut all) = (0, 0_u64);
    for at in 0..code.len() {
        depth = depth + begun[at] - ended[at];
        all = all.saturating_add(TURNS.saturating_pow(depth));
    }
    all.min(MOST)
}
