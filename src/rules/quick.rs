//! The program once more, for games that nobody listens to: a step in the place of each instruction,
//! which may do at once what several instructions in a row do. What is only told is passed over.
//!
//! A step leaves the same words in the same places as the instructions it stands for, so a game may go
//! on by either at any instruction.

#[cfg(doc)]
use super::Op;
use super::{AskId, DrawId, EventId, GroupId, ProcId, Reg, SceneId, Slot, TallyVerdict, ZoneId};

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quick {
    /// What it does.
    pub act: Act,
    /// The instruction to go on at.
    pub next: u32,
    /// The one to go on at where a test fails or nobody is left; for a few acts one thing more.
    pub other: u32,
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// The instruction as it is. One that does more than work a value out is carried out where all are.
    Plain,
    /// An instruction that only writes the board, of the kinds that have no act of their own.
    Quiet,
    /// Nothing.
    Skip,
    /// Goes on at `other`, which lies behind.
    Back,

    // ---- values that are wanted most: the instructions of those names
    Small {
        to: Reg,
        value: i16,
    },
    Copy {
        to: Reg,
        from: Reg,
    },
    Players {
        to: Reg,
    },
    Load {
        to: Reg,
        slot: Slot,
    },
    Group {
        to: Reg,
        group: GroupId,
    },
    Outside {
        to: Reg,
        slot: Slot,
    },
    OutsideBut {
        to: Reg,
        slot: Slot,
        but: Reg,
    },
    GroupOutside {
        to: Reg,
        group: GroupId,
        slot: Slot,
    },
    And {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Without {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Size {
        to: Reg,
        of: Reg,
    },
    Plus {
        to: Reg,
        a: Reg,
        b: Reg,
    },

    // ---- tests: on at `other` where they fail
    /// The register is not 0.
    If {
        test: Reg,
    },
    /// The register is 0.
    Unless {
        test: Reg,
    },
    /// [`Op::Some`], tested.
    IfSome {
        to: Reg,
        of: Reg,
    },
    /// [`Op::Empty`], tested.
    IfEmpty {
        to: Reg,
        of: Reg,
    },
    /// [`Op::Equal`], tested.
    IfEqual {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// [`Op::Small`] into `b`, then [`Op::Equal`], tested.
    IfEquals {
        value: i8,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// [`Op::Less`], tested.
    IfLess {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// [`Op::Less`], denied and tested.
    IfNotLess {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// [`Op::Within`], tested.
    IfWithin {
        to: Reg,
        a: Reg,
        b: Reg,
    },

    // ---- the heads of loops: on at `other` where nobody is left
    /// [`Op::Pop`] where somebody is left.
    Take {
        to: Reg,
        set: Reg,
    },
    /// The same, and who was taken joins `into`.
    TakeInto {
        to: Reg,
        set: Reg,
        into: Reg,
    },

    // ---- the board
    /// [`super::FactShape::Mark`]: seats come under a mark.
    Mark {
        slot: Slot,
        set: Reg,
    },
    /// A word of the board becomes a register's.
    Store {
        slot: Slot,
        value: Reg,
    },
    /// A word of the board becomes 0.
    Wipe {
        slot: Slot,
    },
    /// A row becomes 0.
    WipeRow {
        slot: Slot,
    },
    /// A scene begins, and the word that counts its times grows by one.
    Began {
        scene: SceneId,
        slot: Slot,
    },
    /// [`super::FactShape::LinkOne`]: each seat of `from` has the first of `to`.
    LinkOne {
        row: Slot,
        from: Reg,
        to: Reg,
    },
    /// Each seat of `from` has those of `to`, too.
    Link {
        row: Slot,
        from: Reg,
        to: Reg,
    },
    /// Seats that win.
    Win {
        set: Reg,
    },
    /// Cards are laid onto a zone.
    Lay {
        zone: ZoneId,
        cards: Reg,
        seat: Reg,
    },

    // ---- votes
    /// All seats into `voters`, then [`Op::TallyClear`] and [`Op::TallyRow`] of theirs.
    Ballots {
        row: Slot,
        voters: Reg,
    },
    /// All seats into `among`, then [`Op::TallyRead`].
    Verdict {
        verdict: TallyVerdict,
        to: Reg,
        among: Reg,
    },

    // ---- other code
    /// [`Op::Enter`].
    Enter {
        proc: ProcId,
        base: Reg,
    },
    /// [`Op::Return`].
    Return,
    /// [`Op::Do`] of an event that no rule waits for but those that may take its place: its body, where
    /// none does.
    Happen {
        event: EventId,
        base: Reg,
        body: ProcId,
    },

    // ---- whole loops, read from the instructions they consist of
    /// Everybody who is left is asked for one of a set, and the answers are kept.
    Poll,
    /// Everybody who is left is dealt one card of a zone, by chance.
    Deal,

    // ---- pauses, which are none where the answer is ready
    /// One of a set is asked for, who must not be passed over.
    Ask {
        site: AskId,
        base: Reg,
    },
    /// [`Op::OutsideBut`] into what is asked among, then the question of the number `other`.
    AskOutside {
        slot: Slot,
        but: Reg,
        base: Reg,
    },
    /// One of a set is drawn.
    Draw {
        site: DrawId,
        base: Reg,
    },
}

// INVARIANT: a step is two machine words.
const _: () = assert!(size_of::<Quick>() == 16);
