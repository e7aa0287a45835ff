//! What an instruction reads and writes: registers, the words of facts, the scratch pad of tallies.
//!
//! One place for all who ask what is still of use, and whether the order of seats matters.

use super::{
    Access, AskFrame, AskKind, DrawFrame, DrawKind, Event, FactId, FactShape, NO_CALL, Op, Pass, Reg,
    Ruleset, Shuffle, Slot, Thunk,
};

/// The register that stands for the scratch pad of tallies.
pub const PAD: Reg = Reg(u16::MAX);

/// What an instruction does.
#[derive(Clone, Debug, Default)]
pub struct Does {
    /// The registers it reads.
    pub reads: Vec<Reg>,
    /// The registers it writes.
    pub writes: Vec<Reg>,
    /// The words of facts that it reads.
    pub loads: Vec<Slot>,
    /// The words of facts of which nothing is left afterwards.
    pub kills: Vec<Slot>,
    /// The words of facts that it changes in part, and does nothing else besides.
    pub changes: Vec<Slot>,
    /// Whether it does nothing but write its registers.
    pub pure: bool,
}

impl Does {
    fn value(to: Reg, reads: &[Reg], loads: &[Slot]) -> Does {
        Does {
            reads: reads.to_vec(),
            writes: vec![to],
            loads: loads.to_vec(),
            pure: true,
            ..Does::default()
        }
    }

    fn act(reads: &[Reg]) -> Does {
        Does {
            reads: reads.to_vec(),
            ..Does::default()
        }
    }

    fn change(rules: &Ruleset, fact: FactId, reads: &[Reg]) -> Does {
        Does {
            changes: slots(rules, fact),
            ..Does::act(reads)
        }
    }

    /// Of an instruction. What a procedure reads that it enters is not among it.
    pub fn of(rules: &Ruleset, op: &Op) -> Does {
        let mut does = Does {
            loads: op.fact_read().into_iter().collect(),
            ..Does::default()
        };
        let works_out = op.each_register(|reg, access| match access {
            Access::Read => does.reads.push(reg),
            Access::Written => does.writes.push(reg),
        });
        if !works_out {
            return Does::of_others(rules, op);
        }
        // Some can go wrong, whoever wants what they give.
        does.pure = !does.writes.is_empty() && !matches!(op, Op::Times { .. } | Op::Divide { .. });
        does
    }

    /// Of an instruction that does more than work a value out.
    fn of_others(rules: &Ruleset, op: &Op) -> Does {
        match *op {
            Op::TallyClear => Does::value(PAD, &[], &[]),
            Op::TallyAdd { votes, weight } => Does::value(PAD, &[PAD, votes, weight], &[]),
            Op::TallyRow { row, voters } => Does::value(PAD, &[PAD, voters], &[row]),
            Op::TallyRead { to, among, .. } => Does::value(to, &[PAD, among], &[]),
            Op::TallyOf { to, of } => Does::value(to, &[PAD, of], &[]),
            Op::Mark { fact, set } | Op::Unmark { fact, set } => Does::change(rules, fact, &[set]),
            Op::Link { fact, from, to_set } | Op::Unlink { fact, from, to_set } => {
                Does::change(rules, fact, &[from, to_set])
            }
            Op::SetOf { fact, of, value } | Op::AddOf { fact, of, value } => {
                Does::change(rules, fact, &[of, value])
            }
            Op::Add { fact, value } => Does::change(rules, fact, &[value]),
            Op::Set { fact, value } => Does {
                kills: slots(rules, fact),
                ..Does::change(rules, fact, &[value])
            },
            Op::Clear { fact } => Does {
                kills: slots(rules, fact),
                ..Does::change(rules, fact, &[])
            },
            Op::SeatInOrder { who, order, .. } => Does {
                loads: vec![order],
                ..Does::act(&[who])
            },
            Op::Move {
                cards: a, seat: b, ..
            }
            | Op::Reseat { who: a, to: b, .. }
            | Op::TurnInto { set: a, titles: b } => Does::act(&[a, b]),
            Op::PutCast { seat: of, .. }
            | Op::Put { seat: of, .. }
            | Op::Flip { cards: of, .. }
            | Op::Turn { set: of, .. }
            | Op::Win { set: of }
            | Op::Lose { set: of } => Does::act(&[of]),
            Op::Call { title, purpose } if purpose != NO_CALL => Does::act(&[title]),
            Op::Swap { base, .. } | Op::Cancel { base, .. } | Op::Perform { base } => {
                Does::act(&[base, Reg(base.0 + 1)])
            }
            Op::Do { event, base } | Op::Plan { event, base } => {
                Does::act(&operands(&rules.events[event.index()], base))
            }
            Op::Ask { site, base } => asks(rules, site.index(), base),
            Op::Draw { site, base } => draws(rules, site.index(), base),
            Op::Hook { base, .. } => Does {
                writes: vec![Reg(base.0 + 1)],
                ..Does::act(&[base])
            },
            _ => Does::default(),
        }
    }
}

/// The words of a fact.
pub fn slots(rules: &Ruleset, fact: FactId) -> Vec<Slot> {
    let fact = &rules.facts[fact.index()];
    match fact.shape {
        FactShape::MarkInOrder { order } => vec![fact.slot, order],
        _ => vec![fact.slot],
    }
}

fn operands(event: &Event, base: Reg) -> Vec<Reg> {
    let with = (0..event.with.len()).map(|place| (true, 2 + place as u16));
    let all = [(event.of, 0), (event.by, 1)].into_iter().chain(with);
    all.filter(|(taken, _)| *taken)
        .map(|(_, place)| Reg(base.0 + place))
        .collect()
}

fn asks(rules: &Ruleset, site: usize, base: Reg) -> Does {
    let (ask, frame) = (&rules.asks[site], AskFrame(base));
    let mut reads = Vec::new();
    let mut writes = vec![frame.answer()];
    reads.extend((!ask.host).then_some(frame.who()));
    match &ask.kind {
        AskKind::Seats | AskKind::Cards | AskKind::Titles | AskKind::Text => reads.push(frame.among()),
        AskKind::Numbers => {
            writes.push(frame.named());
            reads.extend([frame.among(), frame.highest()]);
        }
        AskKind::YesNo | AskKind::Wait => {}
        AskKind::Menu(branches) => {
            writes.push(frame.picked());
            for (branch, number) in branches.iter().zip(0..) {
                let (open, among) = frame.branch(number);
                reads.extend([Some(open), branch.pick.and(Some(among))].into_iter().flatten());
            }
        }
    }
    reads.extend((ask.pass == Pass::When).then_some(frame.pass()));
    if ask.pick.1 > 1 {
        reads.extend([frame.wanted(), frame.given()]);
    }
    Does {
        reads,
        writes,
        ..Does::default()
    }
}

fn draws(rules: &Ruleset, site: usize, base: Reg) -> Does {
    let (draw, frame) = (&rules.draws[site], DrawFrame(base));
    let mut reads = vec![frame.among()];
    let dealt = matches!(draw.shuffle, Some(Shuffle::Deal(_)));
    reads.extend((matches!(draw.kind, DrawKind::Numbers) || dealt).then_some(frame.highest()));
    Does {
        reads,
        writes: vec![frame.outcome()],
        ..Does::default()
    }
}

/// The instructions of code that only works a value out.
pub fn in_thunk(rules: &Ruleset, thunk: Thunk) -> Vec<usize> {
    let (mut seen, mut left) = (Vec::new(), vec![thunk.at as usize]);
    while let Some(at) = left.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        match rules.code[at] {
            Op::Done => {}
            Op::Jump { at: to } => left.push(to as usize),
            Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => left.extend([to as usize, at + 1]),
            _ => left.push(at + 1),
        }
    }
    seen.sort_unstable();
    seen
}

/// The registers that code which works a value out reads, with the one in which it leaves it.
pub fn reads_of(rules: &Ruleset, thunk: Thunk) -> Vec<Reg> {
    let ops = in_thunk(rules, thunk).into_iter();
    let read = ops.flat_map(|at| Does::of(rules, &rules.code[at]).reads);
    read.chain([thunk.result]).collect()
}

/// The words of facts that code which works a value out reads.
pub fn loads_of(rules: &Ruleset, thunk: Thunk) -> Vec<Slot> {
    let ops = in_thunk(rules, thunk).into_iter();
    ops.flat_map(|at| Does::of(rules, &rules.code[at]).loads)
        .collect()
}
