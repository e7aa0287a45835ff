//! The named generator behind every roll a face makes for the table.
//!
//! The engine draws nothing: it states the outcomes and their weights, and a face that plays dice
//! picks one with this. All of it is written out here, seed expansion and drawing included, because
//! the crates promise only the raw stream: what a seed gives today it gives for ever. The scheme and
//! its pinned vectors are in `docs/notes/randomness.md`.

use omerta_engine::{BITS_IN_BYTE, seats_in};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

/// What is thrown where an answer is left open. Chance throws it; whoever wants to know every way in which it
/// may fall takes one after the other.
pub trait Dice {
    /// A number from 0 to `n - 1`, each as likely as any other; `n` is not zero.
    fn below(&mut self, n: u64) -> u64;

    /// One of the set bits of a mask, each as likely as any other; the mask is not empty.
    fn pick_bit(&mut self, mask: u64) -> u32;

    /// What comes in so many of a thousand cases.
    #[inline]
    fn comes(&mut self, per_thousand: u32) -> bool {
        per_thousand > 0 && self.below(1000) < u64::from(per_thousand)
    }
}

impl Dice for Chance {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        Chance::below(self, n)
    }

    #[inline]
    fn pick_bit(&mut self, mask: u64) -> u32 {
        Chance::pick_bit(self, mask)
    }
}

/// A stream of chance: one per game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "ChanceState", try_from = "ChanceState")]
pub struct Chance {
    generator: Pcg64Mcg,
}

impl Chance {
    /// The stream of one seed.
    pub fn of_seed(seed: u64) -> Self {
        let mut words = SplitMix64(seed);
        let (high, low) = (words.next(), words.next());
        Self::from_words(high, low)
    }

    /// The stream of one game in a run of many. It hangs on the seed and the number alone, so a run
    /// gives the same games however it is split over threads.
    pub fn of_game(seed: u64, number: u64) -> Self {
        let mut words = SplitMix64(seed);
        let (run, salt) = (words.next(), words.next());
        // For one seed all numbers start at different places, and `SplitMix64` never maps two places
        // to one word: no two games of a run share a state. The salt keeps runs apart.
        let mut words = SplitMix64(run ^ number);
        let (high, low) = (words.next(), words.next() ^ salt);
        Self::from_words(high, low)
    }

    /// What a save file keeps.
    pub fn state(&self) -> ChanceState {
        ChanceState(self.generator.state())
    }

    /// The stream at a kept state.
    pub fn restore(state: ChanceState) -> Self {
        Chance {
            generator: Pcg64Mcg::new(state.0),
        }
    }

    /// The next 64 raw bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number from 0 to `n - 1`, each as likely as any other; `n` is not zero.
    ///
    /// The draw is the upper half of `bits * n`. The few products whose lower half falls below
    /// `2^64 mod n` would make some numbers likelier and are drawn again.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "somebody must be there to be drawn");
        let product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let drawn;
            (self.generator, drawn) = below_surplus(self.generator.clone(), product, n);
            return drawn;
        }
        (product >> 64) as u64
    }

    /// One of the set bits of a mask, each as likely as any other; the mask is not empty.
    #[inline]
    pub fn pick_bit(&mut self, mask: u64) -> u32 {
        // Most tables are small: two looks into tables are less work than all eight bytes at once.
        match u16::try_from(mask) {
            Ok(mask) => self.pick_of_two_bytes(mask),
            Err(_) => self.pick_of_eight_bytes(mask),
        }
    }

    #[inline(never)]
    fn pick_of_eight_bytes(&mut self, mask: u64) -> u32 {
        let prefix = bits_up_to_each_byte(mask);
        let rank = self.below(prefix >> 56);
        select(mask, prefix, rank)
    }

    #[inline(never)]
    fn picked_of_eight_bytes(mut self, mask: u64) -> (Self, u32) {
        let bit = self.pick_of_eight_bytes(mask);
        (self, bit)
    }

    #[inline(always)]
    fn pick_of_two_bytes(&mut self, mask: u16) -> u32 {
        let [low, high] = mask.to_le_bytes();
        let in_low = u64::from(BITS_IN_BYTE[usize::from(low)]);
        let rank = self.below(in_low + u64::from(BITS_IN_BYTE[usize::from(high)]));
        let (byte, start, rank) = if rank < in_low {
            (low, 0, rank)
        } else {
            (high, 8, rank - in_low)
        };
        start + u32::from(SELECT_IN_BYTE[rank as usize % 8][usize::from(byte)])
    }

    /// For each of some seats, the lowest first, one of the set bits of a mask as [`Chance::pick_bit`] would
    /// draw it; where they name `others`, nobody's own. Nobody is left without one. Says for how many there
    /// was room.
    pub fn pick_round(&mut self, seats: u64, mask: u64, others: bool, picks: &mut [u8]) -> usize {
        let mut order = [0; 64];
        let count = seats_in(mask)
            .zip(&mut order)
            .map(|(bit, place)| *place = bit as u8)
            .count();
        // Its own copy, so that the stream stays in the machine's registers.
        let mut chance = self.clone();
        let drawn = if others && seats == mask {
            // Mostly those who are asked are those who may be named: one's own place is one's turn.
            let left = count.saturating_sub(1) as u64;
            let turns = (0..count).zip(&mut *picks).map(|(own, pick)| {
                let rank = chance.below(left) as usize;
                *pick = order[(rank + usize::from(rank >= own)) % 64];
            });
            turns.count()
        } else {
            // How many of the mask lie below the seat whose turn it is.
            let mut below = 0;
            let turns = seats_in(seats).zip(&mut *picks).map(|(seat, pick)| {
                while below < count && usize::from(order[below]) < seat {
                    below += 1;
                }
                let own = others && below < count && usize::from(order[below]) == seat;
                let rank = chance.below((count - usize::from(own)) as u64) as usize;
                *pick = order[(rank + usize::from(own && rank >= below)) % 64];
            });
            turns.count()
        };
        *self = chance;
        drawn
    }

    /// One set bit of a mask after the other, none twice, as [`Chance::pick_bit`] would draw each; there are
    /// as many as there is room for.
    pub fn pick_each(&mut self, mut mask: u64, picks: &mut [u8]) {
        let mut chance = self.clone();
        for pick in picks {
            let bit = match u16::try_from(mask) {
                Ok(mask) => chance.pick_of_two_bytes(mask),
                Err(_) => {
                    let bit;
                    (chance, bit) = chance.picked_of_eight_bytes(mask);
                    bit
                }
            };
            mask &= !(1 << bit);
            *pick = bit as u8;
        }
        *self = chance;
    }

    /// The index of one weight, each as likely as its weight says; the weights are not all zero.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total = weights.iter().map(|&w| u64::from(w)).sum();
        let mut rest = self.below(total);
        for (index, &weight) in weights.iter().enumerate() {
            match rest.checked_sub(u64::from(weight)) {
                Some(left) => rest = left,
                None => return index,
            }
        }
        unreachable!("the draw was below the sum of the weights")
    }

    /// Puts a list in a random order, each order as likely as any other: from the last place down,
    /// each place swaps with one at or before it.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            list.swap(last, other);
        }
    }

    fn from_words(high: u64, low: u64) -> Self {
        Chance {
            generator: Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)),
        }
    }
}

/// What is drawn of `n` where the first draw made some numbers likelier.
#[cold]
fn below_surplus(mut generator: Pcg64Mcg, mut product: u128, n: u64) -> (Pcg64Mcg, u64) {
    let surplus = n.wrapping_neg() % n;
    while (product as u64) < surplus {
        product = u128::from(generator.next_u64()) * u128::from(n);
    }
    (generator, (product >> 64) as u64)
}

/// Where a stream stands; written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ChanceState(u128);

impl From<ChanceState> for String {
    fn from(state: ChanceState) -> String {
        format!("{:032x}", state.0)
    }
}

impl TryFrom<String> for ChanceState {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        match u128::from_str_radix(&text, 16) {
            Ok(state) if digits && state % 2 == 1 => Ok(ChanceState(state)),
            _ => Err("the state of chance is 32 hexadecimal digits and odd".to_string()),
        }
    }
}

impl From<Chance> for ChanceState {
    fn from(chance: Chance) -> ChanceState {
        chance.state()
    }
}

impl From<ChanceState> for Chance {
    fn from(state: ChanceState) -> Chance {
        Chance::restore(state)
    }
}

/// Steele, Lea and Flood's SplitMix64: spreads the bits of a seed over as many words as are asked for.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

const ONE_IN_EACH_BYTE: u64 = 0x0101_0101_0101_0101;
const TOP_OF_EACH_BYTE: u64 = 0x8080_8080_8080_8080;

/// Byte `i` counts the bits set in bytes `0..=i`, so the last counts them all.
#[inline]
fn bits_up_to_each_byte(mask: u64) -> u64 {
    let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(ONE_IN_EACH_BYTE)
}

/// The place of the set bit that has `rank` set bits below it: first its byte, by comparing all
/// eight counts at once, then its place there from a table.
#[inline]
fn select(mask: u64, prefix: u64, rank: u64) -> u32 {
    // A byte keeps its top bit when its count is not above the rank: all its bits are before ours.
    let passed = ((rank * ONE_IN_EACH_BYTE) | TOP_OF_EACH_BYTE) - prefix;
    let bytes = ((passed & TOP_OF_EACH_BYTE) >> 7).wrapping_mul(ONE_IN_EACH_BYTE) >> 56;
    let start = (bytes * 8) as u32;
    let rank_in_byte = rank - ((prefix << 8) >> start & 0xff);
    start + u32::from(SELECT_IN_BYTE[rank_in_byte as usize][(mask >> start & 0xff) as usize])
}

/// For a rank and a byte, the place of that set bit.
static SELECT_IN_BYTE: [[u8; 256]; 8] = select_in_byte();

const fn select_in_byte() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[rank][byte] = place;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
}
