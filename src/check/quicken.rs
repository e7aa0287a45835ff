//! The step that stands for the instructions from one place on ([`omerta_core::rules::Quick`]).

use omerta_core::rules::{
    Access, Act, DrawFrame, Event, EventId, FactShape, Low, Op, Quick, Reg, Ruleset, Thunk,
};

/// The step that begins at an instruction.
pub(super) fn step(rules: &Ruleset, at: usize) -> Quick {
    let (code, places, count) = in_a_row(rules, at);
    let code = &code[..count];
    let or = |act: Act, length: usize, other: u32| Quick::new(act, places[length], other);
    let step = |act: Act, length: usize| or(act, length, 0);
    if is_deal(rules, at) || is_shuffle(rules, at) {
        return Quick::new(Act::Deal, onward(&rules.code, at + 8), 0);
    }
    // Only jumps ahead: those back are counted where all instructions are.
    if let Some((act, length, to)) = tested(rules, code, at)
        && to > places[length - 1]
    {
        let other = onward(&rules.code, to as usize);
        return or(act, length, other);
    }
    if let Some((act, length, other)) = several(code) {
        return or(act, length, other);
    }
    // Both ways lead on: the jump that hangs on it is a step of its own, which is stepped past where it is known.
    if let Some((act, length)) = truth(code) {
        let on = step(act, length);
        return Quick { other: on.next, ..on };
    }
    match *code {
        [Op::Jump { at: to }, ..] if to as usize <= at => or(Act::Back, 1, to),
        [Op::Jump { .. }, ..] => Quick::new(Act::Skip, onward(&rules.code, at), 0),
        [Op::Enter { proc, base }, ..] => {
            let code = &rules.procs[proc.index()];
            let registers = code.registers;
            let act = Act::Enter {
                proc,
                base,
                registers,
            };
            Quick::new(act, onward(&rules.code, code.entry as usize), at as u32)
        }
        [op, ..] => step(alone(rules, op).unwrap_or(Act::Plain), 1),
        [] => step(Act::Skip, 0),
    }
}

/// So many instructions stand for one step at the most.
const MOST_IN_A_ROW: usize = 3;

/// The instructions that are carried out from one on, the place of each and of the one behind them, and how many they are.
fn in_a_row(rules: &Ruleset, at: usize) -> ([Op; MOST_IN_A_ROW], [u32; MOST_IN_A_ROW + 1], usize) {
    let (mut code, mut places) = ([Op::Done; MOST_IN_A_ROW], [at as u32; MOST_IN_A_ROW + 1]);
    for count in 0..MOST_IN_A_ROW {
        let Some(op) = rules.code.get(places[count] as usize) else {
            return (code, places, count);
        };
        code[count] = *op;
        places[count + 1] = onward(&rules.code, places[count] as usize + 1);
    }
    (code, places, MOST_IN_A_ROW)
}

/// A jump that hangs on a register, and what is done with it on the way: what it does, over how many instructions, and
/// where it goes otherwise.
fn tested(rules: &Ruleset, code: &[Op], here: usize) -> Option<(Act, usize, u32)> {
    let (act, length, to) = match *code {
        [
            Op::JumpUnless { test, at },
            Op::Pop { to, set },
            Op::Or { to: into, a, b },
            ..,
        ] if test == set && into == a && b == to => (
            Act::TakeInto {
                to: Low::of(to)?,
                set: Low::of(set)?,
                into: Low::of(into)?,
            },
            3,
            at,
        ),
        [Op::JumpUnless { test, at }, Op::Pop { to, set }, ..] if test == set => {
            let (one, left) = (Low::of(to)?, Low::of(set)?);
            let act = match last_will_do(&rules.code[here + 2..], (to, set), here) {
                true => Act::TakeLast { to: one, set: left },
                false => Act::Take { to: one, set: left },
            };
            (act, 2, at)
        }
        [Op::JumpUnless { test, at }, ..] => (Act::If { test: Low::of(test)? }, 1, at),
        [Op::JumpIf { test, at }, ..] => (Act::Unless { test: Low::of(test)? }, 1, at),
        _ => return None,
    };
    Some((act, length, to))
}

/// A truth that is worked out, and over how many instructions.
fn truth(code: &[Op]) -> Option<(Act, usize)> {
    Some(match *code {
        [Op::Small { to: b, value }, Op::Equal { to, a, b: other }, ..] if b == other => (
            Act::IfEquals {
                value: i8::try_from(value).ok()?,
                to: Low::of(to)?,
                a: Low::of(a)?,
                b: Low::of(b)?,
            },
            2,
        ),
        [Op::Less { to, a, b }, Op::Not { to: denied, a: not }, ..] if to == not && to == denied => (
            Act::IfNotLess {
                to: Low::of(to)?,
                a: Low::of(a)?,
                b: Low::of(b)?,
            },
            2,
        ),
        [Op::Some { to, of }, ..] => (
            Act::IfSome {
                to: Low::of(to)?,
                of: Low::of(of)?,
            },
            1,
        ),
        [Op::Empty { to, of } | Op::Not { to, a: of }, ..] => (
            Act::IfEmpty {
                to: Low::of(to)?,
                of: Low::of(of)?,
            },
            1,
        ),
        [Op::Equal { to, a, b }, ..] => (
            Act::IfEqual {
                to: Low::of(to)?,
                a: Low::of(a)?,
                b: Low::of(b)?,
            },
            1,
        ),
        [Op::Less { to, a, b }, ..] => (
            Act::IfLess {
                to: Low::of(to)?,
                a: Low::of(a)?,
                b: Low::of(b)?,
            },
            1,
        ),
        [Op::Within { to, a, b }, ..] => (
            Act::IfWithin {
                to: Low::of(to)?,
                a: Low::of(a)?,
                b: Low::of(b)?,
            },
            1,
        ),
        [Op::Running { to, proc }, ..] => (
            Act::IfNotRunning {
                to: Low::of(to)?,
                proc,
            },
            1,
        ),
        _ => return None,
    })
}

/// Whether the body of a loop over a set does nothing that lasts but with the last of them: what it works out for the
/// others is told and then forgotten.
fn last_will_do(body: &[Op], (one, set): (Reg, Reg), head: usize) -> bool {
    let (mut written, mut found) = (vec![one], Vec::new());
    for (at, op) in (head + 2..).zip(body) {
        match op {
            Op::Jump { at: to } if *to as usize == at + 1 => continue,
            Op::Jump { at } => {
                let carried = |reg: &Reg| *reg == set || written.contains(reg);
                return *at as usize == head && !written.contains(&set) && !found.iter().any(carried);
            }
            op if is_told(op) => continue,
            // These may go wrong.
            Op::Plus { .. } | Op::Minus { .. } | Op::Times { .. } | Op::Divide { .. } => return false,
            Op::JumpIf { .. } | Op::JumpUnless { .. } => return false,
            _ => {}
        }
        let works_out = op.each_register(|reg, access| match access {
            Access::Read if written.contains(&reg) => {}
            Access::Read => found.push(reg),
            Access::Written => written.push(reg),
        });
        if !works_out {
            return false;
        }
    }
    false
}

/// What instructions in a row do that are no test: over how many of them, and the one thing more.
fn several(code: &[Op]) -> Option<(Act, usize, u32)> {
    Some(match *code {
        [Op::TallyClear, Op::TallyRow { row, voters }, ..] => {
            let voters = Low::of(voters)?;
            (Act::Ballots { row, voters }, 2, 0)
        }
        _ => return None,
    })
}

/// What an instruction does by itself, of those that have an act of their own.
pub(super) fn alone(rules: &Ruleset, op: Op) -> Option<Act> {
    Some(match op {
        _ if is_told(&op) => Act::Skip,
        Op::Mark { fact, set } => match rules.facts[fact.index()].shape {
            FactShape::Mark => Act::Mark {
                slot: rules.facts[fact.index()].slot,
                set: Low::of(set)?,
            },
            _ => Act::Quiet,
        },
        Op::Set { fact, value } => Act::Store {
            slot: rules.facts[fact.index()].slot,
            value: Low::of(value)?,
        },
        Op::Clear { fact } => {
            let fact = &rules.facts[fact.index()];
            let slot = fact.slot;
            match fact.shape {
                FactShape::Mark | FactShape::MarkOne => Act::Wipe { slot },
                FactShape::Flag | FactShape::Count if fact.start == 0 => Act::Wipe { slot },
                FactShape::Link { .. } => Act::WipeRow { slot },
                FactShape::CountOfEach if fact.start == 0 => Act::WipeRow { slot },
                _ => Act::Quiet,
            }
        }
        Op::Link { fact, from, to_set } => {
            let fact = &rules.facts[fact.index()];
            let (row, to) = (fact.slot, to_set);
            match fact.shape {
                FactShape::LINK_ONE => Act::LinkOne {
                    row,
                    from: Low::of(from)?,
                    to: Low::of(to)?,
                },
                FactShape::Link { one: true, .. } => Act::Plain,
                _ => Act::Link {
                    row,
                    from: Low::of(from)?,
                    to: Low::of(to)?,
                },
            }
        }
        // What rules hang on was counted when it came near.
        Op::Began { scene } if rules.scenes[scene.index()].hung => return None,
        Op::Began { scene } => Act::Began {
            scene,
            slot: rules.scenes[scene.index()].times,
        },
        Op::Win { set } => Act::Win { set: Low::of(set)? },
        Op::Unmark { .. } | Op::Unlink { .. } | Op::Lose { .. } | Op::Nears { .. } | Op::Replaced { .. } => {
            Act::Quiet
        }
        Op::Move {
            cards,
            zone,
            seat,
            under,
        } => Act::Lay {
            zone,
            under,
            cards: Low::of(cards)?,
            // A zone of the table is nobody's, whoever is named.
            seat: Low::of(if rules.zones[zone.index()].of_each {
                seat
            } else {
                cards
            })?,
        },
        Op::CardsIn { to, zone, .. } if !rules.zones[zone.index()].of_each => Act::Zone {
            to: Low::of(to)?,
            zone,
        },
        Op::Return => Act::Return,
        Op::Call { title, purpose } => Act::Name {
            title: Low::of(title)?,
            purpose,
        },
        Op::Const { to, index } => Act::Const {
            to: Low::of(to)?,
            index,
        },
        Op::Do { event, base } => {
            let happens = &rules.events[event.index()];
            let body = happens.body;
            if is_only_told(rules, happens) {
                let of = if happens.of { Some(Low::of(base)?) } else { None };
                Act::Told { of }
            } else if may_be_written_out(rules, event) && happens.before.is_none() && happens.after.is_none()
            {
                Act::Happen { event, base, body }
            } else {
                Act::Plain
            }
        }
        Op::TallyRead { to, among, verdict } => Act::Verdict {
            verdict,
            to: Low::of(to)?,
            among: Low::of(among)?,
        },
        Op::Ask { site, base } => Act::Ask { site, base },
        Op::Draw { site, base } => Act::Draw { site, base },
        Op::Small { to, value } => Act::Small {
            to: Low::of(to)?,
            value,
        },
        Op::Copy { to, from } => Act::Copy {
            to: Low::of(to)?,
            from: Low::of(from)?,
        },
        Op::Players { to } => Act::Players { to: Low::of(to)? },
        Op::Load { to, slot } => Act::Load {
            to: Low::of(to)?,
            slot,
        },
        Op::Group { to, group } => Act::Group {
            to: Low::of(to)?,
            group,
        },
        Op::Outside { to, slot } => Act::Outside {
            to: Low::of(to)?,
            slot,
        },
        Op::OutsideBut { to, slot, but } => Act::OutsideBut {
            to: Low::of(to)?,
            slot,
            but: Low::of(but)?,
        },
        Op::GroupOutside { to, group, slot } => Act::GroupOutside {
            to: Low::of(to)?,
            group,
            slot,
        },
        Op::LinkOf { to, row, of } => Act::LinkOf {
            to: Low::of(to)?,
            row,
            of: Low::of(of)?,
        },
        Op::Holders { to, titles } => Act::Holders {
            to: Low::of(to)?,
            titles: Low::of(titles)?,
        },
        Op::And { to, a, b } => Act::And {
            to: Low::of(to)?,
            a: Low::of(a)?,
            b: Low::of(b)?,
        },
        Op::Or { to, a, b } => Act::Or {
            to: Low::of(to)?,
            a: Low::of(a)?,
            b: Low::of(b)?,
        },
        Op::Without { to, a, b } => Act::Without {
            to: Low::of(to)?,
            a: Low::of(a)?,
            b: Low::of(b)?,
        },
        Op::Size { to, of } => Act::Size {
            to: Low::of(to)?,
            of: Low::of(of)?,
        },
        Op::Plus { to, a, b } => Act::Plus {
            to: Low::of(to)?,
            a: Low::of(a)?,
            b: Low::of(b)?,
        },
        _ => return None,
    })
}

/// Where to go on instead of at an instruction: past what is only told, and where jumps ahead lead.
pub(super) fn onward(code: &[Op], mut at: usize) -> u32 {
    loop {
        at = match code.get(at) {
            Some(&Op::Jump { at: to }) if to as usize > at => to as usize,
            Some(op) if is_told(op) => at + 1,
            _ => return at as u32,
        };
    }
}

/// Whether an instruction does nothing but tell whoever listens.
pub(super) fn is_told(op: &Op) -> bool {
    matches!(
        op,
        Op::Ended { .. } | Op::Passed { .. } | Op::Applied { .. } | Op::Performs { .. } | Op::Say { .. }
    )
}

/// Whether an event is nothing but words, and no rule waits for it.
fn is_only_told(rules: &Ruleset, event: &Event) -> bool {
    let Event {
        before,
        decide,
        after,
        ..
    } = event;
    let entry = rules.procs[event.body.index()].entry as usize;
    let is_done = rules.code.get(onward(&rules.code, entry) as usize) == Some(&Op::Return);
    is_done && before.is_none() && decide.is_none() && after.is_none()
}

/// The event that happens at an instruction, if it may be written out, and where its operands stand.
pub(super) fn event_at(rules: &Ruleset, at: usize) -> Option<(EventId, Reg)> {
    match *rules.code.get(at)? {
        Op::Do { event, base } if may_be_written_out(rules, event) => Some((event, base)),
        _ => None,
    }
}

/// The event of which plans are settled at an instruction, if it may be written out.
pub(super) fn settled_at(rules: &Ruleset, at: usize) -> Option<EventId> {
    match *rules.code.get(at)? {
        Op::Settle { list } => match *rules.lists[usize::from(list)] {
            [event] if may_be_written_out(rules, event) => Some(event),
            _ => None,
        },
        _ => None,
    }
}

/// Whether what decides which rule takes the place of an event does not ask what is just happening.
fn may_be_written_out(rules: &Ruleset, event: EventId) -> bool {
    let event = &rules.events[event.index()];
    let asks = |thunk| !asks_nothing_of_events(rules, thunk);
    event.with.len() <= 1 && !event.decide.is_some_and(asks)
}

/// Whether code does not ask what is just happening.
fn asks_nothing_of_events(rules: &Ruleset, thunk: Thunk) -> bool {
    let code = &rules.code[thunk.at as usize..];
    let mut code = code.iter().take_while(|op| **op != Op::Done);
    code.all(|op| !matches!(op, Op::DuringEvent { .. }))
}

/// Whether a loop begins here that gives everybody who is left a card of the one pile of a zone: `deal`.
fn is_deal(rules: &Ruleset, at: usize) -> bool {
    let [
        Op::JumpUnless { test, at: end },
        Op::Pop { to: who, set },
        Op::CardsIn {
            to: among,
            zone: pile,
            ..
        },
        Op::JumpUnless { test: any, at: none },
        Op::Copy { to: whose, from },
        Op::Draw { site, base },
        Op::Move {
            cards,
            zone: hands,
            seat,
            under: false,
        },
        Op::Jump { at: back },
        ..,
    ] = rules.code[at..]
    else {
        return false;
    };
    let is_loop = end as usize > at && back as usize == at && none as usize == at;
    let takes = test == set && any == among;
    let draws =
        base == among && whose.0 == base.0 + 1 && from == who && rules.draws[site.index()].picks_one();
    let zones = !rules.zones[pile.index()].of_each && rules.zones[hands.index()].of_each;
    is_loop && takes && zones && draws && cards.0 == base.0 + 2 && seat == who
}

/// Whether a loop begins here that lays what is left of the one pile of a zone under it, one drawn after the other: `shuffle`.
fn is_shuffle(rules: &Ruleset, at: usize) -> bool {
    let [
        Op::JumpUnless { test, at: end },
        Op::Copy { to: among, from },
        Op::Draw { site, base },
        Op::Move {
            cards,
            zone,
            under: true,
            ..
        },
        Op::Without { to: rest, a, b },
        Op::Jump { at: back },
        ..,
    ] = rules.code[at..]
    else {
        return false;
    };
    let is_loop = end as usize > at && back as usize == at;
    let takes = [from, rest, a] == [test; 3] && b == cards;
    let draws = base == among && cards == DrawFrame(base).outcome() && rules.draws[site.index()].picks_one();
    is_loop && takes && draws && !rules.zones[zone.index()].of_each
}
