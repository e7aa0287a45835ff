//! Writes the steps that a game takes while nobody listens ([`omerta_core::rules::Quick`]).

use crate::{going_round, in_line::in_line, known::Deck, lean::lean, quicken::step, unfold};
use omerta_core::rules::does::Does;
use omerta_core::rules::{
    Act, Fast, Low, MOST_REGISTERS, Offer, OfferTimes, Op, PlannedCast, Proc, ProcRole, Quick, Ruleset,
    SceneId,
};

/// A step for each instruction; none where there are scripts, which are asked whether anybody listens or
/// not, nor where a frame would be too large, which is told where it is entered. Where the cards of the games are known
/// for which it is, what only concerns roles that none of them has is left out.
pub(super) fn fast_program(rules: &Ruleset, cast: Option<&PlannedCast>) -> Fast {
    let too_large = |proc: &Proc| proc.registers > MOST_REGISTERS;
    if rules.puts_each_question() || rules.procs.iter().any(too_large) {
        return Fast::default();
    }
    let brief = rules.procs.iter().map(|proc| is_brief(rules, proc)).collect();
    let deck = cast.map(|cast| Deck::of(rules, cast));
    let deck = deck.as_ref();
    let (program, wanted) = lean(rules, deck);
    let rules = &Ruleset {
        code: program,
        ..rules.clone()
    };
    let mut steps: Vec<Quick> = (0..rules.code.len()).map(|at| step(rules, at)).collect();
    let rounds = going_round::put_rounds(rules, &mut steps);
    let steps = fused_steps(&with_scenes_within(
        rules,
        unfold::unfold((rules, deck), &wanted, steps),
    ));
    Fast {
        line: in_line(&steps),
        lean: rules.code.clone(),
        rounds,
        brief,
        offers: offer_times(rules),
    }
}

/// When offers stand open, if there are any and no more than a word has bits.
fn offer_times(rules: &Ruleset) -> Option<OfferTimes> {
    let those = |are: &dyn Fn(&Offer) -> bool| {
        let them = rules.offers.iter().rev();
        them.fold(0, |set, offer| set << 1 | u64::from(are(offer)))
    };
    let is_of = |proc: usize, scene: SceneId| rules.scenes[scene.index()].proc.index() == proc;
    let while_runs = |proc| those(&|offer| offer.during.iter().any(|&scene| is_of(proc, scene)));
    (1..=u64::BITS as usize)
        .contains(&rules.offers.len())
        .then(|| OfferTimes {
            while_runs: (0..rules.procs.len()).map(while_runs).collect(),
            always: those(&|offer| offer.during.is_empty()),
            to_players: those(&|offer| offer.who.is_some()),
        })
}

/// See [`Fast::is_brief`].
fn is_brief(rules: &Ruleset, proc: &Proc) -> bool {
    let is_end = |at: &usize| rules.code.get(*at).is_none_or(|op| *op == Op::Return);
    let end = (proc.exit as usize..).find(is_end).unwrap_or_default();
    let needs_no_frame = |at: usize| match rules.code[at] {
        Op::Jump { at: to } | Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => {
            (at + 1..=end).contains(&(to as usize))
        }
        Op::Mark { .. } | Op::Unmark { .. } | Op::Link { .. } | Op::Unlink { .. } => true,
        Op::Set { .. } | Op::Clear { .. } | Op::Win { .. } | Op::Lose { .. } => true,
        Op::Say { .. } | Op::Applied { .. } | Op::Performs { .. } => true,
        // A number may grow too large.
        Op::Plus { .. } | Op::Minus { .. } => false,
        Op::During { .. } | Op::DuringEvent { .. } | Op::Running { .. } | Op::Called { .. } => false,
        op => Does::of(rules, &op).pure,
    };
    { proc.entry as usize..end }.all(needs_no_frame)
}

/// The beginnings of scenes that are never the outermost are only counted; those that rules hang on were.
fn with_scenes_within(rules: &Ruleset, mut steps: Vec<Quick>) -> Vec<Quick> {
    for (at, step) in steps.iter_mut().enumerate() {
        let (scene, act) = match (step.act, rules.code.get(at)) {
            (Act::Began { scene, slot }, _) => (scene, Act::Count { slot }),
            (Act::Plain, Some(&Op::Began { scene })) => (scene, Act::Skip),
            _ => continue,
        };
        if begins_within(rules, scene) {
            step.act = act;
        }
    }
    steps
}

/// Whether a scene begins in other scenes alone.
fn begins_within(rules: &Ruleset, scene: SceneId) -> bool {
    let begins = |op: &Op| matches!(*op, Op::Enter { proc, .. } if proc == rules.scenes[scene.index()].proc);
    let around = |at: usize| {
        let procs = rules.procs.iter().filter(|proc| proc.entry as usize <= at);
        procs.max_by_key(|proc| proc.entry)
    };
    let is_scene = |proc: &Proc| matches!(proc.role, ProcRole::Scene(_));
    let mut begun = { rules.code.iter().enumerate() }
        .filter(|(_, op)| begins(op))
        .peekable();
    begun.peek().is_some() && begun.all(|(at, _)| around(at).is_some_and(is_scene))
}

fn fused_steps(steps: &[Quick]) -> Vec<Quick> {
    let fused = |at: usize| {
        let step = fused(steps, at).unwrap_or(steps[at]);
        // An event that is to happen as all do is not stepped past.
        if step.act == Act::Call {
            return step;
        }
        let known = |held: bool| match step.act {
            Act::Small { to, value }
            | Act::SmallBoth {
                other: to,
                also: value,
                ..
            } => Some((to, value != 0)),
            act => act.truth().map(|(reg, where_held)| (reg, held == where_held)),
        };
        Quick {
            next: past(steps, step.next, known(true)),
            other: match step.act {
                Act::Back => past(steps, step.other, None),
                act if act.tests() => past(steps, step.other, known(false)),
                _ => step.other,
            },
            ..step
        }
    };
    (0..steps.len()).map(fused).collect()
}

/// Where to go on instead of at a step: past those that do nothing, and tests that are known to hold or not to, or after
/// which it is all the same.
fn past(steps: &[Quick], mut at: u32, known: Option<(Low, bool)>) -> u32 {
    while let Some(step) = steps.get(at as usize) {
        match (step.act, known) {
            (Act::Skip, _) => at = step.next,
            (Act::If { test }, Some((reg, holds))) if test == reg => {
                at = if holds { step.next } else { step.other };
            }
            (Act::Unless { test }, Some((reg, holds))) if test == reg => {
                at = if holds { step.other } else { step.next };
            }
            (Act::If { .. } | Act::Unless { .. }, _) if step.next == step.other => at = step.next,
            _ => break,
        }
    }
    at
}

/// A step and the one it leads to as one step.
fn fused(steps: &[Quick], at: usize) -> Option<Quick> {
    let first = steps[at];
    let then = steps.get(first.next as usize)?;
    let act = match (first.act, then.act) {
        (Act::GroupOutside { to, group, slot }, Act::IfEmpty { to: truth, of }) if of == to => {
            Act::IfNoneOutside {
                to,
                truth,
                group,
                slot,
            }
        }
        (Act::Wipe { slot: wiped }, Act::Began { scene, slot }) => Act::WipeBegan { wiped, scene, slot },
        (
            Act::Small { to: one, value },
            Act::Small {
                to: other,
                value: also,
            },
        ) => Act::SmallBoth {
            one,
            value,
            other,
            also,
        },
        (Act::Without { to: left, a: from, b }, Act::TakeInto { to, set, into })
            if (left, b) == (set, into) && from != set =>
        {
            Act::TakeBut { to, set, into, from }
        }
        (Act::OutsideBut { to: left, slot, but }, Act::TakeInto { to, set, into })
            if (left, but) == (set, into) =>
        {
            Act::TakeOutside { to, set, into, slot }
        }
        (Act::Group { to, group }, Act::IfWithin { to: truth, a, b }) if b == to && a != to => {
            Act::IfWithinGroup { to, truth, a, group }
        }
        (Act::Wipe { slot: one }, Act::Wipe { slot: other }) => Act::WipeBoth { one, other },
        (Act::Count { slot }, Act::Called { calls }) => Act::CountCalled { slot, calls },
        (Act::Skip, Act::Return) => {
            let (act, other) = (Act::Return, first.next);
            return Some(Quick { act, other, ..*then });
        }
        (
            Act::Enter {
                proc,
                base,
                registers,
            },
            Act::Count { slot },
        ) => {
            let base = Low::of(base)?;
            let act = Act::EnterScene {
                base,
                proc,
                registers,
                slot,
            };
            let next = then.next;
            return Some(Quick { act, next, ..first });
        }
        (Act::Copies { to, group }, Act::IfEmpty { to: truth, of }) if of == to => {
            Act::IfNoCopies { to, truth, group }
        }
        (Act::Load { to, slot }, Act::IfWithin { to: truth, a, b }) if b == to && a != to => {
            Act::IfWithinFact { to, truth, a, slot }
        }
        _ => return None,
    };
    Some(Quick { act, ..*then })
}
