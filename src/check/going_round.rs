//! Questions that go round ([`omerta_core::rules::RoundSite`]): loops of instructions that ask one after the other
//! the same, each by himself, where nothing that one answers changes what the next is asked.

use std::collections::BTreeSet;

use omerta_core::rules::{
    Access, Act, AskFrame, AskKind, FactShape, Keep, Low, Op, Quick, Range, Reg, RoundSite, Ruleset, Slot,
};

/// What a piece of code that only works values out finds and leaves.
#[derive(Default)]
struct Touched {
    /// The registers that it reads and has not written itself before.
    found: BTreeSet<Reg>,
    written: BTreeSet<Reg>,
    facts: BTreeSet<Slot>,
}

impl Touched {
    /// None where the code does more.
    fn by(code: &[Op]) -> Option<Touched> {
        let mut touched = Touched::default();
        for op in code {
            let works_out = op.each_register(|reg, access| match access {
                Access::Read if touched.written.contains(&reg) => {}
                Access::Read => drop(touched.found.insert(reg)),
                Access::Written => drop(touched.written.insert(reg)),
            });
            touched.facts.extend(op.fact_read());
            if !works_out {
                return None;
            }
        }
        Some(touched)
    }
}

/// Makes the questions that go round steps of their own; gives the rounds.
pub(super) fn put_rounds(rules: &Ruleset, steps: &mut [Quick]) -> Vec<RoundSite> {
    let mut rounds = Vec::new();
    for (at, step) in steps.iter_mut().enumerate().take(rules.code.len()) {
        if let (Some(site), Ok(round)) = (round(rules, at), u16::try_from(rounds.len())) {
            step.act = Act::Round { round };
            rounds.push(site);
        }
    }
    rounds
}

/// The round whose question stands there.
fn round(rules: &Ruleset, at: usize) -> Option<RoundSite> {
    let Op::Ask { site: ask, base: who } = rules.code[at] else {
        return None;
    };
    let frame = AskFrame(who);
    let turn = turn_before(rules, at, who)?;
    let (Op::JumpUnless { test: left, .. }, Op::Or { to: asked, .. }) =
        (rules.code[turn], rules.code[turn + 2])
    else {
        return None;
    };
    let (keep, length) = kept(rules, at + 1, frame)?;
    let back = past_words(rules, at + 1 + length);
    let Op::Jump { at: head } = rules.code[back] else {
        return None;
    };
    let head_code = rules.code.get(head as usize..turn)?;
    let before = &rules.code[turn + 3..at];
    let (among, others) = match rules.ask(ask).kind {
        AskKind::YesNo => (None, false),
        AskKind::Seats => {
            let (range, others) = range(before, frame)?;
            (Some(range), others)
        }
        _ => return None,
    };
    let own = Touched::by(before)?;
    let head_touches = Touched::by(head_code)?;
    let changes = |reg: &Reg| {
        let by_loop = [left, who, asked, frame.answer()].contains(reg) || own.written.contains(reg);
        by_loop || matches!(keep, Keep::Yes(to) if Reg::from(to) == *reg)
    };
    // Whoever is left is worked out of what stays as it is, and of who was asked.
    let less_by = match *head_code.last()? {
        Op::Without { to, b, a } if to == left && a != asked => b,
        Op::OutsideBut { to, but, .. } if to == left => but,
        _ => return None,
    };
    let steady_head = head_touches
        .found
        .iter()
        .all(|reg| *reg == asked || !changes(reg));
    let asked_once = less_by == asked
        && Touched::by(&head_code[..head_code.len() - 1])?
            .found
            .iter()
            .all(|reg| *reg != asked);
    let steady_turn = own.found.iter().all(|reg| !changes(reg) || others && *reg == who);
    let written = match keep {
        Keep::Row(slot) => Some(slot),
        Keep::Nothing | Keep::Yes(_) => None,
    };
    let steady_facts =
        written.is_none_or(|slot| !own.facts.contains(&slot) && !head_touches.facts.contains(&slot));
    let stays = jumps_stay(rules, (head as usize, turn), turn) && jumps_stay(rules, (turn + 3, at), at + 1);
    (steady_head && asked_once && steady_turn && steady_facts && stays).then_some(RoundSite {
        ask,
        left: Low::of(left)?,
        who: Low::of(who)?,
        asked: Low::of(asked)?,
        among,
        others,
        keep,
        turn: turn as u32,
        head,
    })
}

/// The beginning of a turn before a question: whether anybody is left, who is next, and that he was asked.
fn turn_before(rules: &Ruleset, at: usize, who: Reg) -> Option<usize> {
    let is_turn = |turn: &usize| match rules.code[*turn..*turn + 3] {
        [
            Op::JumpUnless { test, .. },
            Op::Pop { to, set },
            Op::Or { to: asked, a, b },
        ] => test == set && to == who && asked == a && b == who,
        _ => false,
    };
    let nearest = at.saturating_sub(MOST_BETWEEN);
    (nearest..at.saturating_sub(2)).rev().find(is_turn)
}

/// So many instructions may work out what somebody is asked.
const MOST_BETWEEN: usize = 48;

/// Where the answer goes, and over how many instructions.
fn kept(rules: &Ruleset, at: usize, frame: AskFrame) -> Option<(Keep, usize)> {
    let (who, answer) = (frame.who(), frame.answer());
    Some(match rules.code[at..] {
        [Op::Link { fact, from, to_set }, ..] if from == who && to_set == answer => {
            let fact = &rules.facts[fact.index()];
            match fact.shape {
                FactShape::LINK_ONE => (Keep::Row(fact.slot), 1),
                _ => return None,
            }
        }
        [Op::JumpUnless { test, at: over }, Op::Or { to, a, b }, ..]
            if test == answer && over as usize == at + 2 && to == a && b == who =>
        {
            (Keep::Yes(Low::of(to)?), 2)
        }
        _ => (Keep::Nothing, 0),
    })
}

/// Among whom each is asked, and whether nobody may name himself.
fn range(before: &[Op], frame: AskFrame) -> Option<(Range, bool)> {
    let who = frame.who();
    let asks_who = |op: &Op| {
        let mut asks = false;
        op.each_register(|reg, access| asks |= reg == who && access == Access::Read);
        asks
    };
    let mut asking = before.iter().filter(|op| asks_who(op));
    let (first, more) = (asking.next(), asking.next().is_some());
    match first {
        None => Some((Range::Asked, false)),
        Some(_) if more => None,
        Some(&Op::OutsideBut { to, slot, .. }) if to == frame.among() => Some((Range::Outside(slot), true)),
        Some(&Op::Others { to, .. }) if to == frame.among() => Some((Range::Players, true)),
        Some(&Op::Without { to, a, b }) if to == frame.among() && b == who && a != to => {
            Some((Range::Held(Low::of(a)?), true))
        }
        _ => None,
    }
}

/// Whether jumps of a piece of code stay in it, or lead to where it ends or to one place behind it.
fn jumps_stay(rules: &Ruleset, (from, to): (usize, usize), behind: usize) -> bool {
    rules.code[from..to].iter().all(|op| match *op {
        Op::Jump { at } | Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => {
            (from..=to).contains(&(at as usize)) || at as usize == behind
        }
        _ => true,
    })
}

/// The first instruction from one on that does more than tell.
fn past_words(rules: &Ruleset, mut at: usize) -> usize {
    while rules.code.get(at).is_some_and(super::quicken::is_told) {
        at += 1;
    }
    at
}
