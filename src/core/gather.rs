//! Lists in which things are gathered by what they have in common, in the order in which they came.

/// What is gathered under a key; nothing yet, where it is new.
pub fn under<K: PartialEq, V: Default>(list: &mut Vec<(K, V)>, key: K) -> &mut V {
    let at = list.iter().position(|(known, _)| *known == key);
    let at = at.unwrap_or_else(|| {
        list.push((key, V::default()));
        list.len() - 1
    });
    &mut list[at].1
}
