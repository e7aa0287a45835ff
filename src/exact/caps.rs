//! Counts of scenes of which nothing is asked but whether they are some small number: beyond the largest such
//! number they are all one.

use crate::{calls::Calls, live::Liveness};
use omerta_core::rules::{Op, Reg, Slot};
use std::collections::BTreeMap;

/// By the word that counts a scene: the number from which on all are one.
pub fn caps(calls: &Calls<'_>, live: &Liveness<'_>) -> BTreeMap<Slot, u64> {
    let rules = calls.rules;
    let counts_down = rules.code.iter().any(|op| matches!(op, Op::Replaced { .. }));
    let scenes = rules.scenes.iter().filter(|_| !counts_down);
    let cap = |slot: Slot| {
        let mut most = 0;
        for at in 0..rules.code.len() {
            if calls.does[at].loads.contains(&slot) {
                most = most.max(compared(calls, live, at)?);
            }
        }
        Some(most + 1)
    };
    scenes
        .filter_map(|scene| Some((scene.times, cap(scene.times)?)))
        .collect()
}

/// With which number a word is compared that is loaded here, where nothing else is done with it.
fn compared(calls: &Calls<'_>, live: &Liveness<'_>, at: usize) -> Option<u64> {
    let code = &calls.rules.code;
    let Op::Load { to, .. } = code[at] else {
        return None;
    };
    code.get(at + 3)?;
    let (&Op::Small { to: other, value }, test) = (code.get(at + 1)?, code.get(at + 2)?) else {
        return None;
    };
    let both = |a: Reg, b: Reg| (a, b) == (to, other) || (a, b) == (other, to);
    let is_test = match *test {
        Op::Equal { a, b, .. } | Op::Less { a, b, .. } => both(a, b),
        _ => false,
    };
    let kept = match calls.owner[at] {
        Some(_) => live.before(at + 3).registers.contains(&to),
        // Code that works a value out: nothing behind the test may read it.
        None => { code[at + 3..].iter().zip(&calls.does[at + 3..]) }
            .take_while(|(op, _)| !matches!(op, Op::Done))
            .any(|(_, does)| does.reads.contains(&to)),
    };
    (is_test && !kept && to != other).then_some(u64::try_from(value).ok()?)
}
