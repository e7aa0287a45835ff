//! The steps of a call without a frame, written from its end to its beginning: so it is known of each register whether
//! anything behind still wants it, and a step is only written where it is not done by the next ones already.

use crate::lean::{Registers, bit};
use omerta_core::rules::{Access, Act, Low, Quick, Reg};
use std::ops::Index;

/// Steps, each behind those it leads to.
pub(super) struct Steps {
    /// The number of the first.
    from: u32,
    steps: Vec<Quick>,
    /// Which registers are wanted from each on.
    wanted: Vec<Registers>,
    /// Which are wanted wherever they lead.
    outside: Registers,
}

impl Steps {
    /// None yet.
    pub(super) fn new(from: u32, outside: Registers) -> Steps {
        Steps {
            from,
            steps: Vec::new(),
            wanted: Vec::new(),
            outside,
        }
    }

    /// All of them.
    pub(super) fn into_all(self) -> Vec<Quick> {
        self.steps
    }

    /// A step of these by its number.
    pub(super) fn get(&self, number: u32) -> Option<&Quick> {
        self.steps.get(number.checked_sub(self.from)? as usize)
    }

    /// The number of a step that does the same and leads to the same.
    pub(super) fn push(&mut self, step: Quick) -> u32 {
        if self.is_idle(step) {
            return step.next;
        }
        match self.as_one(step) {
            Some(shorter) => self.push(shorter),
            None => self.put_reading(step, 0),
        }
    }

    /// Writes a step as it stands, which finds more in registers than its act tells.
    pub(super) fn put_reading(&mut self, step: Quick, found: Registers) -> u32 {
        let (mut read, mut written) = (found, 0);
        let mut act = step.act;
        act.each_register(|reg, access| match access {
            Access::Read => read |= bit(Reg::from(*reg)),
            Access::Written => written |= bit(Reg::from(*reg)),
        });
        self.wanted.push(self.wanted_behind(step) & !written | read);
        self.steps.push(step);
        self.from + self.steps.len() as u32 - 1
    }

    fn wanted_from(&self, number: u32) -> Registers {
        let own = number.checked_sub(self.from);
        own.map_or(self.outside, |own| self.wanted[own as usize])
    }

    fn wanted_behind(&self, step: Quick) -> Registers {
        let other = if step.act.tests() {
            self.wanted_from(step.other)
        } else {
            0
        };
        self.wanted_from(step.next) | other
    }

    /// Whether nothing behind a step wants what a register holds before it.
    fn forgets(&self, step: Quick, reg: Low) -> bool {
        let one = bit(reg.into());
        writes(step.act, reg) || one != 0 && one & self.wanted_behind(step) == 0
    }

    /// Whether a step works out what nobody wants.
    fn is_idle(&self, mut step: Quick) -> bool {
        let behind = self.wanted_behind(step);
        let mut wanted = false;
        let works_out = step.act.each_register(|reg, access| {
            let one = bit(Reg::from(*reg));
            wanted |= access == Access::Written && (one == 0 || one & behind != 0);
        });
        let lasts = step.act.writes_the_board()
            || matches!(
                step.act,
                Act::Plus { .. } | Act::Ballots { .. } | Act::Verdict { .. }
            );
        works_out && !wanted && !lasts && (!step.act.tests() || step.next == step.other)
    }

    /// A step that does what another does and what comes next, where that is one.
    fn as_one(&self, first: Quick) -> Option<Quick> {
        let then = *self.get(first.next)?;
        let act = match (first.act, then.act) {
            (Act::Copy { to, from }, act) if self.forgets(then, to) && !writes(act, from) => {
                renamed(act, Access::Read, to, from)?
            }
            (act, Act::Copy { to, from }) if !act.tests() && self.forgets(then, from) => {
                renamed(act, Access::Written, from, to)?
            }
            (Act::Small { to, value }, Act::IfEqual { to: truth, a, b }) if (a == to) != (b == to) => {
                let of = if a == to { b } else { a };
                match i8::try_from(value).ok()? {
                    0 if self.forgets(then, to) => Act::IfEmpty { to: truth, of },
                    value => Act::IfEquals {
                        value,
                        to: truth,
                        a: of,
                        b: to,
                    },
                }
            }
            (Act::Outside { to, slot }, Act::Group { to: held, group })
            | (Act::Group { to: held, group }, Act::Outside { to, slot }) => {
                let last = *self.get(then.next)?;
                let Act::And { to: both, a, b } = last.act else {
                    return None;
                };
                let takes = (a, b) == (to, held) || (b, a) == (to, held);
                let alone = to != held && self.forgets(last, to) && self.forgets(last, held);
                let act = Act::GroupOutside {
                    to: both,
                    group,
                    slot,
                };
                return (takes && alone).then_some(Quick { act, ..last });
            }
            _ => return None,
        };
        Some(Quick { act, ..then })
    }
}

impl Index<u32> for Steps {
    type Output = Quick;

    fn index(&self, number: u32) -> &Quick {
        &self.steps[(number - self.from) as usize]
    }
}

fn writes(mut act: Act, reg: Low) -> bool {
    let mut writes = false;
    act.each_register(|other, access| writes |= access == Access::Written && *other == reg);
    writes
}

/// An act with another register in the place of one that it reads or writes; nothing where it does not.
fn renamed(mut act: Act, wanted: Access, old: Low, new: Low) -> Option<Act> {
    let mut found = false;
    let works_out = act.each_register(|reg, access| {
        if access == wanted && *reg == old {
            (*reg, found) = (new, true);
        }
    });
    (works_out && found).then_some(act)
}
