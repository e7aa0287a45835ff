//! Ids: one small type for each kind of thing the program names.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// The id as an index into its table.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A register of the running frame.
    Reg(u16);
    /// A word of the facts, in the order of [`super::Ruleset::facts`]; a row has one word a seat.
    Slot(u16);
    /// What has a cached set of seats: a role, a team, a class, a token, a face of a token. Roles come
    /// first, then teams; those two together are the *titles* and fit a 64-bit mask.
    GroupId(u16);
    /// A mark, flag, count or link.
    FactId(u16);
    /// A zone in which cards and tokens lie.
    ZoneId(u8);
    /// A run of code with a frame of its own.
    ProcId(u16);
    /// A scene.
    SceneId(u16);
    /// An event.
    EventId(u16);
    /// A rule.
    RuleId(u16);
    /// A question that is asked somewhere in the program.
    AskId(u16);
    /// A draw somewhere in the program.
    DrawId(u16);
    /// Words said, told or shown somewhere in the program.
    SayId(u16);
    /// A name that words carry: `say "…" as deed`.
    WordId(u16);
    /// A standing offer: `allow host to foul …`.
    OfferId(u16);
    /// An ending.
    EndingId(u16);
    /// An option.
    OptionId(u16);
    /// A hook.
    HookId(u16);
}
