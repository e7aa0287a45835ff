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
    /// Open addressing: the numbers of prints, and one more; 0 is none.
    places: Vec<u32>,
    /// By number, in blocks: a list that grows would be there twice while it does.
    prints: Vec<Vec<Print>>,
    len: usize,
}

/// So many prints stand in a block.
const BLOCK: usize = 1 << 14;

impl Table {
    /// An empty one.
    pub fn new() -> Table {
        Table {
            places: vec![0; 1 << 8],
            prints: Vec::new(),
            len: 0,
        }
    }

    /// The number of a print, and whether it is a new one. They are counted from 0.
    pub fn number(&mut self, print: Print) -> (u32, bool) {
        if self.len * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let at = self.place(print);
        let new = self.places[at] == 0;
        if new {
            if self.len.is_multiple_of(BLOCK) {
                self.prints.push(Vec::new());
            }
            self.prints[self.len / BLOCK].push(print);
            self.len += 1;
            self.places[at] = self.len as u32;
        }
        (self.places[at] - 1, new)
    }

    /// How many prints there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many bytes it takes.
    pub fn room(&self) -> usize {
        self.len * size_of::<Print>() + self.places.len() * size_of::<u32>()
    }

    fn print(&self, number: usize) -> Print {
        self.prints[number / BLOCK][number % BLOCK]
    }

    fn place(&self, print: Print) -> usize {
        let mask = self.places.len() - 1;
        let mut at = print.0 as usize & mask;
        while self.places[at] != 0 && self.print(self.places[at] as usize - 1) != print {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let places = self.places.len() * 2;
        // The old ones go before the new ones come.
        self.places = Vec::new();
        self.places = vec![0; places];
        for number in 0..self.len {
            // All are different: the next free place will do.
            let mask = self.places.len() - 1;
            let mut at = self.print(number).0 as usize & mask;
            while self.places[at] != 0 {
                at = (at + 1) & mask;
            }
            self.places[at] = number as u32 + 1;
        }
    }
}
