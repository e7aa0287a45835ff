//! Lays the steps of a program in the order in which they are taken ([`omerta_core::rules::Line`]): had each step to be asked
//! where to go on, it would wait for the one before.

use omerta_core::rules::{Act, Line, Quick};

/// It stands nowhere yet.
const NOWHERE: u32 = u32::MAX;

/// All steps in a line, those of instructions and those of calls without a frame.
pub(super) fn in_line(steps: &[Quick]) -> Line {
    let mut line = Line {
        entries: vec![NOWHERE; steps.len()],
        ..Line::default()
    };
    for first in 0..steps.len() {
        let mut left = vec![first];
        while let Some(at) = left.pop() {
            lay(&mut line, steps, at, &mut left);
        }
    }
    for step in &mut line.steps {
        let to = match step.act {
            Act::Enter { .. } | Act::EnterScene { .. } | Act::GoIn { .. } => &mut step.next,
            act if act.tests() || act.takes() || matches!(act, Act::Back | Act::Go) => &mut step.other,
            _ => continue,
        };
        *to = line.entries.get(*to as usize).copied().unwrap_or_default();
    }
    line
}

/// Lays a step that does not stand in the line yet, and those that it leads on to, up to one that does; puts down where
/// else one may go on.
fn lay(line: &mut Line, steps: &[Quick], mut at: usize, left: &mut Vec<usize>) {
    if line.entries.get(at).is_none_or(|entry| *entry != NOWHERE) {
        return;
    }
    // Nothing leads on behind the last.
    while let Some(&step) = steps.get(at) {
        let stands = line.entries[at] != NOWHERE;
        line.places.push(at as u32);
        if stands && step.act.leads_on() {
            line.steps.push(Quick::new(Act::Go, 0, at as u32));
            return;
        }
        if !stands {
            line.entries[at] = line.steps.len() as u32;
        }
        // A step that leads nowhere on may as well stand here once more.
        line.steps.push(match step.act {
            Act::Plain | Act::Quiet => Quick {
                other: at as u32,
                ..step
            },
            _ => step,
        });
        if !step.act.leads_on() {
            return;
        }
        if step.act.tests() || step.act.takes() {
            left.push(step.other as usize);
        }
        at = step.next as usize;
    }
}
