//! A digest of texts, by which rules are known again.

/// A digest of texts.
pub(crate) struct Digest(pub u64);

impl Digest {
    pub(crate) fn new() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn eat(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// A text however its words are laid out.
    pub(crate) fn eat_words(&mut self, text: &str) {
        self.eat(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}
