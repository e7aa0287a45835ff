//! The program once more, for games that nobody listens to: a step in the place of each instruction,
//! which may do at once what several instructions in a row do. What is only told is passed over.
//!
//! A step leaves the same words in the same places as the instructions it stands for, so a game may go
//! on by either at any instruction. Behind the steps that stand for instructions lie those of calls that
//! are taken without a frame: nothing in them pauses or goes wrong, and what they leave above the frame
//! of the caller is nobody's.

#[cfg(doc)]
use super::Op;
use super::{Access, AskId, DrawId, EventId, GroupId, ProcId, Reg, SceneId, Slot, TallyVerdict, ZoneId};

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quick {
    /// What it does.
    pub act: Act,
    /// Where to go on. In a [`Line`] that is the step behind, and this is read of calls alone.
    pub next: u32,
    /// Where to go on if a test fails or nobody is left; for a few acts one thing more. In a [`Line`] it is the place of an
    /// instruction that is carried out as it stands.
    pub other: u32,
}

impl Quick {
    /// What is done, and where it leads.
    pub fn new(act: Act, next: u32, other: u32) -> Quick {
        Quick { act, next, other }
    }
}

/// The steps in the order in which they are taken: what goes on with the one behind it need not be asked where, so the
/// machine that carries steps out looks ahead as far as it likes.
#[derive(Default, Debug)]
pub struct Line {
    /// The steps. Where else they may go on is told by places in the line.
    pub steps: Vec<Quick>,
    /// By step: the instruction that it stands for.
    pub places: Vec<u32>,
    /// By instruction: where the step stands that stands for it.
    pub entries: Vec<u32>,
}

impl Line {
    /// What is left of the line from the step on that stands for an instruction.
    #[inline(always)]
    pub fn from(&self, at: u32) -> &[Quick] {
        &self.steps[self.entries[at as usize] as usize..]
    }

    /// The instruction that the first step of what is left stands for.
    #[inline(always)]
    pub fn place(&self, left: &[Quick]) -> u32 {
        self.places[self.steps.len() - left.len()]
    }
}

/// A register with a small number, as nearly all have: it needs no check. What uses another takes no
/// step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Low(pub u8);

impl Low {
    /// The register, if its number is small.
    pub fn of(reg: Reg) -> Option<Low> {
        u8::try_from(reg.0).ok().map(Low)
    }
}

impl From<Low> for Reg {
    fn from(low: Low) -> Reg {
        Reg(u16::from(low.0))
    }
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
    /// Goes on at `other`, for it stands elsewhere in the [`Line`].
    Go,

    // ---- values that are wanted most: the instructions of those names
    Small {
        to: Low,
        value: i16,
    },
    /// Two of them.
    SmallBoth {
        one: Low,
        value: i16,
        other: Low,
        also: i16,
    },
    Const {
        to: Low,
        index: u16,
    },
    Copy {
        to: Low,
        from: Low,
    },
    /// [`Op::Copies`] of one title.
    Copies {
        to: Low,
        group: GroupId,
    },
    Players {
        to: Low,
    },
    Load {
        to: Low,
        slot: Slot,
    },
    Group {
        to: Low,
        group: GroupId,
    },
    /// [`Op::CardsIn`] a zone of the table.
    Zone {
        to: Low,
        zone: ZoneId,
    },
    Outside {
        to: Low,
        slot: Slot,
    },
    OutsideBut {
        to: Low,
        slot: Slot,
        but: Low,
    },
    GroupOutside {
        to: Low,
        group: GroupId,
        slot: Slot,
    },
    LinkOf {
        to: Low,
        row: Slot,
        of: Low,
    },
    Holders {
        to: Low,
        titles: Low,
    },
    And {
        to: Low,
        a: Low,
        b: Low,
    },
    Or {
        to: Low,
        a: Low,
        b: Low,
    },
    Without {
        to: Low,
        a: Low,
        b: Low,
    },
    Size {
        to: Low,
        of: Low,
    },
    Plus {
        to: Low,
        a: Low,
        b: Low,
    },

    // ---- tests: on at `other` where they fail
    /// The register is not 0.
    If {
        test: Low,
    },
    /// The register is 0.
    Unless {
        test: Low,
    },
    /// [`Op::Some`], tested.
    IfSome {
        to: Low,
        of: Low,
    },
    /// [`Op::Empty`], tested.
    IfEmpty {
        to: Low,
        of: Low,
    },
    /// [`Op::Equal`], tested.
    IfEqual {
        to: Low,
        a: Low,
        b: Low,
    },
    /// [`Op::Small`] into `b`, then [`Op::Equal`], tested.
    IfEquals {
        value: i8,
        to: Low,
        a: Low,
        b: Low,
    },
    /// [`Op::Less`], tested.
    IfLess {
        to: Low,
        a: Low,
        b: Low,
    },
    /// [`Op::Less`], denied and tested.
    IfNotLess {
        to: Low,
        a: Low,
        b: Low,
    },
    /// [`Op::Within`], tested.
    IfWithin {
        to: Low,
        a: Low,
        b: Low,
    },
    /// [`Act::Copies`], then [`Act::IfEmpty`] of that.
    IfNoCopies {
        to: Low,
        truth: Low,
        group: GroupId,
    },
    /// [`Op::GroupOutside`] into `to`, then [`Op::Empty`], tested.
    IfNoneOutside {
        to: Low,
        truth: Low,
        group: GroupId,
        slot: Slot,
    },
    /// [`Op::Load`] into `to`, then [`Op::Within`], tested.
    IfWithinFact {
        to: Low,
        truth: Low,
        a: Low,
        slot: Slot,
    },
    /// [`Act::Group`], then [`Act::IfWithin`] it.
    IfWithinGroup {
        to: Low,
        truth: Low,
        a: Low,
        group: GroupId,
    },
    /// [`Op::Running`], denied by the test.
    IfNotRunning {
        to: Low,
        proc: ProcId,
    },

    // ---- the heads of loops: on at `other` where nobody is left
    /// [`Op::Pop`] where somebody is left.
    Take {
        to: Low,
        set: Low,
    },
    /// The same with the last who is left: what is done with the others before is told, and nothing else.
    TakeLast {
        to: Low,
        set: Low,
    },
    /// The same, and who was taken joins `into`.
    TakeInto {
        to: Low,
        set: Low,
        into: Low,
    },
    /// [`Op::Without`] of those that `into` has, then [`Act::TakeInto`].
    TakeBut {
        to: Low,
        set: Low,
        into: Low,
        from: Low,
    },
    /// [`Act::OutsideBut`] those that `into` has, then [`Act::TakeInto`].
    TakeOutside {
        to: Low,
        set: Low,
        into: Low,
        slot: Slot,
    },

    // ---- the board
    /// [`super::FactShape::Mark`]: seats come under a mark.
    Mark {
        slot: Slot,
        set: Low,
    },
    /// A word of the board becomes a register's.
    Store {
        slot: Slot,
        value: Low,
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
    /// A scene begins that is never the outermost: the word that counts its times grows by one.
    Count {
        slot: Slot,
    },
    /// The same, and so many calls were taken without a frame.
    CountCalled {
        slot: Slot,
        calls: u8,
    },
    /// Two words become 0.
    WipeBoth {
        one: Slot,
        other: Slot,
    },
    /// A word becomes 0, then a scene begins.
    WipeBegan {
        wiped: Slot,
        scene: SceneId,
        slot: Slot,
    },
    /// [`super::FactShape::LINK_ONE`]: each seat of `from` has the first of `to`.
    LinkOne {
        row: Slot,
        from: Low,
        to: Low,
    },
    /// Each seat of `from` has those of `to`, too.
    Link {
        row: Slot,
        from: Low,
        to: Low,
    },
    /// Seats that win.
    Win {
        set: Low,
    },
    /// Cards are laid onto a zone, or under what lies there.
    Lay {
        zone: ZoneId,
        under: bool,
        cards: Low,
        seat: Low,
    },

    // ---- votes
    /// [`Op::TallyClear`], then [`Op::TallyRow`].
    Ballots {
        row: Slot,
        voters: Low,
    },
    /// [`Op::TallyRead`].
    Verdict {
        verdict: TallyVerdict,
        to: Low,
        among: Low,
    },

    // ---- other code
    /// [`Op::Enter`], which stands at `other`, into the procedure's first instruction.
    Enter {
        proc: ProcId,
        base: Reg,
        registers: u16,
    },
    /// The same into a scene that is never the outermost, and behind its beginning.
    EnterScene {
        base: Low,
        proc: ProcId,
        registers: u16,
        slot: Slot,
    },
    /// [`Act::Enter`] where all registers of the procedure are filled as far as it has come: on at `next` in it.
    GoIn {
        proc: ProcId,
        base: Reg,
        registers: u16,
    },
    /// [`Op::Call`].
    Name {
        title: Low,
        purpose: u16,
    },
    /// [`Op::Return`], which stands at `other` where that is not 0.
    Return,
    /// [`Op::Do`] of an event that no rule waits for but those that may take its place: its body, where
    /// none does.
    Happen {
        event: EventId,
        base: Reg,
        body: ProcId,
    },
    /// The same of an event that is nothing but words: to each of some players, or to nobody in particular.
    Told {
        of: Option<Low>,
    },

    // ---- calls without a frame
    /// The players of `from`, if that is one player.
    IfOne {
        to: Low,
        from: Low,
    },
    /// Back to the event at `next`, or to the plans that are settled there: it happens as all do.
    Call,
    /// The event of the instruction at `other` has happened, and the rules behind it come in as all do. Its operands stand
    /// in the registers from `base` on.
    Behind {
        event: EventId,
        base: Low,
    },
    /// The only plan of the event is taken, and its operands come into the registers from `base` on. At `other` where
    /// there is none, or more.
    TakePlan {
        event: EventId,
        base: Low,
    },
    /// That plan is put back.
    PutBack {
        event: EventId,
        base: Low,
    },
    /// So many calls were taken without a frame.
    Called {
        calls: u8,
    },

    // ---- whole loops
    /// A question that goes round, put to everybody who is left: the round of that number. Then on at the head of
    /// its loop, or, where somebody has to be waited for, at his turn.
    Round {
        round: u16,
    },
    /// Everybody who is left is dealt one card of a zone by chance, or what is left of a pile goes under it in a new order;
    /// read from the instructions.
    Deal,

    // ---- pauses, which are none where the answer is ready
    /// [`Op::Ask`].
    Ask {
        site: AskId,
        base: Reg,
    },
    /// [`Op::Draw`].
    Draw {
        site: DrawId,
        base: Reg,
    },
}

/// A question that goes round: what a loop of instructions asks, and what it does with the answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundSite {
    /// The question.
    pub ask: AskId,
    /// Who is still to be asked.
    pub left: Low,
    /// The first register of the question: who is asked.
    pub who: Low,
    /// Who was asked.
    pub asked: Low,
    /// Among whom; nothing where it is a yes or a no.
    pub among: Option<Range>,
    /// Whether nobody may name himself.
    pub others: bool,
    /// Where the answer goes.
    pub keep: Keep,
    /// The instruction at which the turn of the next begins.
    pub turn: u32,
    /// The one before it that works out who is left.
    pub head: u32,
}

/// A set that stays what it is while a question goes round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// Those among whom the first is asked.
    Asked,
    /// Everybody.
    Players,
    /// A register.
    Held(Low),
    /// Everybody who is not in a word of the game's memory.
    Outside(Slot),
}

/// Where each answer of a round goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Nowhere.
    Nothing,
    /// Into the row, in the place of what was there.
    Row(Slot),
    /// Whoever says yes, into a register.
    Yes(Low),
}

/// How deep calls without a frame may stand in one another.
pub const MOST_WITHOUT_FRAME: usize = 6;

impl Act {
    /// Shows each register of an act that needs no frame of its own and always goes on: one that works a
    /// value out, tests, or writes the board. Those it reads come first. Says whether it is such an act.
    pub fn each_register(&mut self, mut see: impl FnMut(&mut Low, Access)) -> bool {
        match self {
            Act::Skip | Act::Wipe { .. } | Act::WipeRow { .. } | Act::Count { .. } => {}
            Act::Small { to, .. }
            | Act::Const { to, .. }
            | Act::Copies { to, .. }
            | Act::Players { to }
            | Act::Load { to, .. }
            | Act::Group { to, .. }
            | Act::Zone { to, .. }
            | Act::Outside { to, .. }
            | Act::GroupOutside { to, .. }
            | Act::IfNotRunning { to, .. } => see(to, Access::Written),
            Act::Copy { to, from: of }
            | Act::OutsideBut { to, but: of, .. }
            | Act::LinkOf { to, of, .. }
            | Act::Holders { to, titles: of }
            | Act::Size { to, of }
            | Act::IfSome { to, of }
            | Act::IfEmpty { to, of }
            | Act::IfOne { to, from: of } => {
                see(of, Access::Read);
                see(to, Access::Written);
            }
            Act::And { to, a, b }
            | Act::Or { to, a, b }
            | Act::Without { to, a, b }
            | Act::Plus { to, a, b }
            | Act::IfEqual { to, a, b }
            | Act::IfLess { to, a, b }
            | Act::IfNotLess { to, a, b }
            | Act::IfWithin { to, a, b } => {
                see(a, Access::Read);
                see(b, Access::Read);
                see(to, Access::Written);
            }
            Act::IfEquals { to, a, b, .. } => {
                see(a, Access::Read);
                see(b, Access::Written);
                see(to, Access::Written);
            }
            Act::If { test: set }
            | Act::Unless { test: set }
            | Act::Mark { set, .. }
            | Act::Store { value: set, .. }
            | Act::Win { set } => see(set, Access::Read),
            Act::LinkOne { from: a, to: b, .. }
            | Act::Link { from: a, to: b, .. }
            | Act::Lay {
                cards: a, seat: b, ..
            } => {
                see(a, Access::Read);
                see(b, Access::Read);
            }
            Act::Ballots { voters, .. } => see(voters, Access::Read),
            Act::Verdict { to, among, .. } => {
                see(among, Access::Read);
                see(to, Access::Written);
            }
            Act::Plain
            | Act::Quiet
            | Act::Back
            | Act::Go
            | Act::Take { .. }
            | Act::TakeInto { .. }
            | Act::TakeLast { .. }
            | Act::Name { .. }
            | Act::Began { .. }
            | Act::Enter { .. }
            | Act::EnterScene { .. }
            | Act::GoIn { .. }
            | Act::Return
            | Act::Happen { .. }
            | Act::Told { .. }
            | Act::Call
            | Act::Behind { .. }
            | Act::TakePlan { .. }
            | Act::PutBack { .. }
            | Act::Called { .. }
            | Act::Round { .. }
            | Act::Deal
            | Act::Ask { .. }
            | Act::Draw { .. } => return false,
            // Two steps as one come about when all is written.
            Act::WipeBegan { .. }
            | Act::SmallBoth { .. }
            | Act::TakeBut { .. }
            | Act::TakeOutside { .. }
            | Act::IfWithinGroup { .. }
            | Act::WipeBoth { .. }
            | Act::CountCalled { .. }
            | Act::IfNoCopies { .. }
            | Act::IfNoneOutside { .. }
            | Act::IfWithinFact { .. } => return false,
        }
        true
    }

    /// Whether it changes the board.
    pub fn writes_the_board(&self) -> bool {
        matches!(
            self,
            Act::Mark { .. }
                | Act::Store { .. }
                | Act::Wipe { .. }
                | Act::WipeRow { .. }
                | Act::Count { .. }
                | Act::LinkOne { .. }
                | Act::Link { .. }
                | Act::Win { .. }
                | Act::Lay { .. }
        )
    }

    /// The register that tells afterwards how a test came out, and whether it holds something where the test held.
    pub fn truth(&self) -> Option<(Low, bool)> {
        match *self {
            Act::If { test: to }
            | Act::IfSome { to, .. }
            | Act::IfEmpty { to, .. }
            | Act::IfEqual { to, .. }
            | Act::IfEquals { to, .. }
            | Act::IfLess { to, .. }
            | Act::IfNotLess { to, .. }
            | Act::IfWithin { to, .. }
            | Act::IfNoCopies { truth: to, .. }
            | Act::IfNoneOutside { truth: to, .. }
            | Act::IfWithinGroup { truth: to, .. }
            | Act::IfWithinFact { truth: to, .. } => Some((to, true)),
            Act::Unless { test: to } | Act::IfNotRunning { to, .. } => Some((to, false)),
            _ => None,
        }
    }

    /// Whether it may lead on to the step behind it.
    pub fn leads_on(&self) -> bool {
        !matches!(
            self,
            Act::Back
                | Act::Go
                | Act::Enter { .. }
                | Act::EnterScene { .. }
                | Act::GoIn { .. }
                | Act::Return
                | Act::Happen { .. }
                | Act::Call
                | Act::Behind { .. }
                | Act::Deal
        )
    }

    /// Whether it is the head of a loop, which goes on at two places.
    pub fn takes(&self) -> bool {
        matches!(
            self,
            Act::Take { .. }
                | Act::TakeLast { .. }
                | Act::TakeInto { .. }
                | Act::TakeBut { .. }
                | Act::TakeOutside { .. }
        )
    }

    /// Whether it goes on at two places.
    pub fn tests(&self) -> bool {
        matches!(
            self,
            Act::If { .. }
                | Act::Unless { .. }
                | Act::IfSome { .. }
                | Act::IfEmpty { .. }
                | Act::IfEqual { .. }
                | Act::IfEquals { .. }
                | Act::IfLess { .. }
                | Act::IfNotLess { .. }
                | Act::IfWithin { .. }
                | Act::IfNotRunning { .. }
                | Act::IfNoCopies { .. }
                | Act::IfNoneOutside { .. }
                | Act::IfWithinGroup { .. }
                | Act::IfWithinFact { .. }
                | Act::IfOne { .. }
                | Act::TakePlan { .. }
        )
    }
}

// INVARIANT: a step is two machine words.
const _: () = assert!(size_of::<Quick>() == 16);
