//! Moves the code that only works values out behind the program.

use omerta_core::rules::{Op, Ruleset};
use omerta_core::source::Span;

/// A mark on an address: it counts from the start of the side code, which is moved behind the
/// program at the end.
pub const AUX: u32 = 1 << 31;

/// Appends the side code to the program and mends every address that points into it.
pub fn relocate(rules: &mut Ruleset, aux: Vec<Op>, origins: Vec<Span>) {
    let base = rules.code.len() as u32;
    rules.code.extend(aux);
    rules.origins.extend(origins);
    for op in &mut rules.code {
        if let Op::Jump { at } | Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } = op {
            mend(at, base);
        }
    }
    rules.for_each_thunk_mut(&mut |thunk| mend(&mut thunk.at, base));
}

fn mend(at: &mut u32, base: u32) {
    if *at & AUX != 0 && *at != u32::MAX {
        *at = (*at & !AUX) + base;
    }
}
