//! What is kept of each text: its places, its names, and how many scenarios came to them.

use omerta_core::source::Source;
use std::collections::BTreeMap;

/// What scenarios touched, text by text.
#[derive(Default)]
pub struct Coverage {
    pub(super) texts: BTreeMap<String, Text>,
}

/// What of one text was touched.
pub(super) struct Text {
    pub(super) source: Source,
    /// Statements and tests by their bytes, and how many scenarios came there.
    pub(super) places: BTreeMap<(u32, u32), usize>,
    /// Of statements with two ways on: how many scenarios went the first, and how many the other.
    pub(super) branches: BTreeMap<(u32, u32), (usize, usize)>,
    /// Everything with a name, by its place, and how many scenarios had to do with it.
    pub(super) named: BTreeMap<(u32, Sort, String), usize>,
    /// Overlays that stand in the text, by place and name.
    pub(super) overlays: BTreeMap<(u32, String), usize>,
    /// Where options are declared.
    pub(super) options: BTreeMap<String, u32>,
}

/// What has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sort {
    Role,
    Call,
    Rule,
    Offer,
    Ending,
    Option,
    Hook,
}
