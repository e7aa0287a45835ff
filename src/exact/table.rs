//! Which positions are known: by 128 bits of what they are. Two positions of a thousand million share them by
//! chance less often than once in 10^20 walks.

use crate::key::mix;

/// What stands for a position.
pub type Print = (u64, u64);

/// The print of some words.
pub fn print(words: &[u64]) -> Print {
    let start = (0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344_u64);
    let print = words.iter().fold(start, |(a, b), &word| {
        let a = mix(a ^ word).wrapping_add(b.rotate_left(17));
        (
            a,
            mix(b.wrapping_add(word).wrapping_mul(0x9fb2_1c65_1e98_df25) ^ a.rotate_left(31)),
        )
    });
    (mix(print.0 ^ words.len() as u64), mix(print.1 ^ print.0) | 1)
}

/// A table from prints to numbers.
#[derive(Debug)]
pub struct Table {
    /// Open addressing; a print whose second half is 0 is no print.
    places: Vec<(u64, u64, u32)>,
    count: usize,
}

impl Table {
    /// An empty one.
    pub fn new() -> Table {
        Table {
            places: vec![(0, 0, 0); 1 << 10],
            count: 0,
        }
    }

    /// The number of a print: the one it has, or this new one.
    pub fn number(&mut self, print: Print, new: u32) -> u32 {
        if self.count * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let at = self.place(print);
        if self.places[at].1 == 0 {
            self.places[at] = (print.0, print.1, new);
            self.count += 1;
        }
        self.places[at].2
    }

    fn place(&self, print: Print) -> usize {
        let mask = self.places.len() - 1;
        let mut at = print.0 as usize & mask;
        while self.places[at].1 != 0 && (self.places[at].0, self.places[at].1) != print {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let more = vec![(0, 0, 0); self.places.len() * 2];
        for known in std::mem::replace(&mut self.places, more) {
            if known.1 != 0 {
                let at = self.place((known.0, known.1));
                self.places[at] = known;
            }
        }
    }
}
