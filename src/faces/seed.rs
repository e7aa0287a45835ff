//! Seeds that nobody can guess, for whoever names none.

use anyhow::{Context, Result};
use rand::{TryRng, rngs::SysRng};

/// So many bits of a fresh seed are by chance: it can be typed, and no signed number is too short for it.
const BITS: u32 = 62;

/// A seed from the entropy of the system. Nobody who sees some cards, or a name that was made of it, finds it by
/// trying all there are.
pub fn fresh() -> Result<u64> {
    let bits = SysRng
        .try_next_u64()
        .context("the system gives no chance; name a `--seed`")?;
    Ok(bits >> (u64::BITS - BITS))
}
