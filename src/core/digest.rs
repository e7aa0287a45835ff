//! A digest of texts, by which rules, states and kept games are known again: FNV-1a, the same on every machine.

use std::hash::Hasher;

/// A digest of what it has eaten so far.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// The digest of one text.
    pub fn of(text: &str) -> u64 {
        let mut digest = Digest::default();
        digest.mix(text.as_bytes());
        digest.number()
    }

    /// Takes in one piece of several, so that pieces cut otherwise are other pieces.
    pub fn eat(&mut self, piece: &[u8]) {
        self.mix(piece);
        self.mix(&[0]);
    }

    /// Takes in a text however its words are laid out.
    pub fn eat_words(&mut self, text: &str) {
        self.eat(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes());
    }

    /// What it comes to.
    pub fn number(self) -> u64 {
        self.0
    }

    fn mix(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |digest, byte| {
            (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    }
}

/// Of values that stay on the machine.
impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        self.mix(bytes);
    }

    fn finish(&self) -> u64 {
        self.number()
    }
}
