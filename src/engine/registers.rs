//! The registers of all frames in one row, the topmost frame's last, and the two ways in which code
//! reaches those of one frame.
//!
//! The room behind them never moves while a game runs, so that the loop can take a window of fixed
//! size at any frame and needs no check for each access. A game that only stands may give it back.

use omerta_core::rules::{Low, MOST_REGISTERS as MOST_REGISTERS_OF_A_FRAME, Reg};
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// How many registers one frame may have.
pub(super) const WINDOW: usize = MOST_REGISTERS_OF_A_FRAME as usize;
/// How many registers may be in use at once.
pub(super) const MOST_REGISTERS: usize = 7 * 1024;

/// So many are emptied at once.
const BLOCK: usize = 16;

/// The registers of one frame.
pub(super) type Window = [u64; WINDOW];

/// The registers of all frames. As a slice it is those that are in use.
#[derive(Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub(super) struct Registers {
    /// INVARIANT: a window is left above all that may be in use, unless the room was given back.
    words: Vec<u64>,
    /// How many are in use; what stands above is nobody's and is not part of the value.
    used: usize,
}

impl Registers {
    pub(super) fn new() -> Self {
        Vec::new().into()
    }

    /// A copy of those that are in use, without the room above them until that is wanted.
    pub(super) fn folded(&self) -> Registers {
        Registers {
            words: self.to_vec(),
            used: self.used,
        }
    }

    /// Takes the room for all that may ever be in use.
    #[inline]
    pub(super) fn make_room(&mut self) {
        if self.words.len() < MOST_REGISTERS {
            *self = self.clone();
        }
    }

    /// Makes so many be in use; new ones hold 0.
    #[inline]
    pub(super) fn resize(&mut self, used: usize) {
        let mut from = self.used;
        self.used = used;
        // Mostly there are few, and a call to empty them would cost more than they do. What stands above
        // is nobody's.
        while from < used {
            self.words[from..]
                .first_chunk_mut::<BLOCK>()
                .expect("a window is left above all frames")
                .fill(0);
            from += BLOCK;
        }
    }

    /// Makes so many be in use; new ones hold what was written there.
    #[inline]
    pub(super) fn keep(&mut self, used: usize) {
        self.used = used;
    }

    /// The registers of a frame that begins there.
    #[inline]
    pub(super) fn window(&mut self, base: usize) -> &mut Window {
        self.words[base..]
            .first_chunk_mut()
            .expect("a window is left above all frames")
    }

    /// The register at an absolute place.
    #[inline]
    pub(super) fn at(&self, place: usize) -> u64 {
        self.words[place]
    }

    #[inline]
    pub(super) fn put_at(&mut self, place: usize, word: u64) {
        self.words[place] = word;
    }

    /// The registers from a place on that are in use.
    #[inline]
    pub(super) fn from(&self, place: usize) -> &[u64] {
        &self[place..]
    }
}

impl Deref for Registers {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.words[..self.used]
    }
}

impl DerefMut for Registers {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[..self.used]
    }
}

impl From<Vec<u64>> for Registers {
    fn from(mut words: Vec<u64>) -> Self {
        let used = words.len();
        words.resize(used.max(MOST_REGISTERS) + WINDOW, 0);
        Registers { words, used }
    }
}

impl From<Registers> for Vec<u64> {
    fn from(registers: Registers) -> Self {
        registers.to_vec()
    }
}

impl Clone for Registers {
    fn clone(&self) -> Self {
        self.to_vec().into()
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.make_room();
        self.words[..other.used].copy_from_slice(other);
        self.used = other.used;
    }
}

impl PartialEq for Registers {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Registers {}

impl std::fmt::Debug for Registers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

/// Registers by name.
pub(super) trait Bank {
    fn get(&self, name: impl Name) -> u64;
    fn put(&mut self, name: impl Name, word: u64);
}

/// What names a register.
pub(super) trait Name: Copy {
    fn number(self) -> usize;
}

impl Name for Reg {
    #[inline(always)]
    fn number(self) -> usize {
        self.index()
    }
}

impl Name for Low {
    #[inline(always)]
    fn number(self) -> usize {
        usize::from(self.0)
    }
}

/// The rest of the division changes nothing, for the code has no more registers; it spares the check, and costs
/// nothing where the name is small.
impl<const COUNT: usize> Bank for [u64; COUNT] {
    #[inline(always)]
    fn get(&self, name: impl Name) -> u64 {
        self[name.number() % COUNT]
    }

    #[inline(always)]
    fn put(&mut self, name: impl Name, word: u64) {
        self[name.number() % COUNT] = word;
    }
}

impl Bank for [u64] {
    #[inline(always)]
    fn get(&self, name: impl Name) -> u64 {
        self[name.number()]
    }

    #[inline(always)]
    fn put(&mut self, name: impl Name, word: u64) {
        self[name.number()] = word;
    }
}
