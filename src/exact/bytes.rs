//! Words as bytes, as few as each needs: of what there are millions of, most are small.

/// Adds a word: a byte for each seven of its bits.
pub fn put(bytes: &mut Vec<u8>, word: u64) {
    let mut left = word;
    while left > 0x7f {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
}

/// Reads the word that begins at a place, and goes behind it.
pub fn take(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut word, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        word |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return word;
        }
        shift += 7;
    }
}
