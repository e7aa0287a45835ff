//! Sets of what has small numbers.

/// A set of what has small numbers, a bit each: a thousand rules are compared with a thousand others in a few steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// Puts a number in; whether it was not in it.
    pub fn insert(&mut self, number: usize) -> bool {
        let is_new = !self.has(number);
        let at = number / 64;
        self.0.resize(self.0.len().max(at + 1), 0);
        self.0[at] |= 1 << (number % 64);
        is_new
    }

    /// Takes a number out; whether it was in it.
    pub fn remove(&mut self, number: usize) -> bool {
        let was_in = self.has(number);
        if was_in {
            self.0[number / 64] &= !(1 << (number % 64));
            self.trim();
        }
        was_in
    }

    /// Sets of the same numbers are equal, whatever was in them before.
    fn trim(&mut self) {
        let kept = self.0.iter().rposition(|word| *word != 0);
        self.0.truncate(kept.map_or(0, |last| last + 1));
    }

    /// Whether a number is in it.
    pub fn has(&self, number: usize) -> bool {
        let word = self.0.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Puts in all of another; whether any was not in it.
    pub fn join(&mut self, other: &BitSet) -> bool {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        let mut is_new = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            is_new |= *more & !*word != 0;
            *word |= more;
        }
        is_new
    }

    /// Those that are in another, too.
    pub fn and(mut self, other: &BitSet) -> BitSet {
        self.0.truncate(other.0.len());
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, more)| *word &= more);
        self.trim();
        self
    }

    /// Those that are not in another.
    pub fn without(mut self, other: &BitSet) -> BitSet {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, less)| *word &= !less);
        self.trim();
        self
    }

    /// Whether any is in both.
    pub fn meets(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).any(|(one, two)| one & two != 0)
    }

    /// The numbers from the lowest.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| at * 64 + bit)
        })
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut out = BitSet::default();
        for number in numbers {
            out.insert(number);
        }
        out
    }
}
