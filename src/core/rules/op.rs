//! The instructions of the flat program.
//!
//! Every register holds one 64-bit word: a set of seats, a set of cards, a set of titles (roles and
//! teams), a whole number (two's complement), or a truth (0 or 1). A single player is a set of one;
//! nobody is the empty set, and doing anything to nobody does nothing. `to` is always the register
//! written.

use super::{
    AskId, DrawId, EndingId, EventId, FactId, GroupId, HookId, ProcId, Reg, RuleId, SayId, SceneId, Slot,
    ZoneId,
};
use serde::{Deserialize, Serialize};

/// How many registers one frame may have.
pub const MOST_REGISTERS: u16 = 1024;

/// How a tally is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TallyVerdict {
    /// Everybody level at the top; nobody when no vote was counted.
    Most,
    /// The one above half of the weight that could have been cast.
    Majority,
    /// The one all voters named.
    Common,
}

/// Where somebody sits down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Seating {
    /// Where the other sat, who goes where this one was.
    Swap,
    /// Next to the left of the other.
    Left,
    /// Next to the right of the other.
    Right,
}

/// The purpose of no call at all.
pub const NO_CALL: u16 = u16::MAX;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Op {
    // ---- constants and copies
    /// `to = constants[index]`
    Const { to: Reg, index: u16 },
    /// `to = value`
    Small { to: Reg, value: i16 },
    /// `to = from`
    Copy { to: Reg, from: Reg },
    /// All seats of the table.
    Players { to: Reg },

    // ---- sets
    /// All seats that are not in the word of a fact: `players without out`.
    Outside { to: Reg, slot: Slot },
    /// All seats neither in the word of a fact nor among `but`: `others` without those who are out.
    OutsideBut { to: Reg, slot: Slot, but: Reg },
    /// Those of a group that are not in the word of a fact: what is left of a team.
    GroupOutside { to: Reg, group: GroupId, slot: Slot },
    /// All seats but those of `of`: `others`.
    Others { to: Reg, of: Reg },
    /// `to = a & b`
    And { to: Reg, a: Reg, b: Reg },
    /// `to = a | b`
    Or { to: Reg, a: Reg, b: Reg },
    /// `to = a & !b`
    Without { to: Reg, a: Reg, b: Reg },
    /// `to = a`, or `b` where `a` is empty.
    Else { to: Reg, a: Reg, b: Reg },
    /// How many are in the set.
    Size { to: Reg, of: Reg },
    /// The seats where a card or token of the group lies (cached).
    Group { to: Reg, group: GroupId },
    /// The seats of all titles in the set `titles`.
    Holders { to: Reg, titles: Reg },
    /// The roles of the cards in the role zones of `of`, as titles.
    RolesOf { to: Reg, of: Reg },
    /// The teams of the roles among the titles; a team is its own.
    TeamsOf { to: Reg, titles: Reg },
    /// The roles among the titles, and all roles of the teams among them, whoever holds them.
    RolesUnder { to: Reg, titles: Reg },
    /// How many cards of the titles were put into the game (a team counts all its roles).
    Copies { to: Reg, titles: Reg },
    /// The first seat (lowest number) of a set.
    First { to: Reg, of: Reg },
    /// The last seat of a set.
    Last { to: Reg, of: Reg },
    /// The seat of `of` that was marked first, by the sequence numbers in the row `order`.
    FirstBy { to: Reg, of: Reg, order: Slot },
    /// The seat of `of` that was marked last.
    LastBy { to: Reg, of: Reg, order: Slot },
    /// The next seat of `among` to the left of `of` (rising numbers, wrapping), never `of` itself
    /// unless it is the only one; nobody for nobody.
    LeftOf { to: Reg, of: Reg, among: Reg },
    /// The same to the right (falling numbers).
    RightOf { to: Reg, of: Reg, among: Reg },
    /// `of` itself if it is in `among`, else the next to its left: "that seat or the next one up".
    AtOrLeftOf { to: Reg, of: Reg, among: Reg },
    /// The seat with that number (from 1; wraps round the table); nobody for numbers below 1.
    SeatNumber { to: Reg, number: Reg },
    /// The number of a seat, from 1; 0 for nobody.
    PlaceOf { to: Reg, of: Reg },
    /// Where the seats of a set are now, by the places in the row: what goes by who sits where is worked out
    /// among places, and comes back by [`Op::Seated`]. Only in rulesets in which seats move.
    Placed { to: Reg, of: Reg, row: Slot },
    /// The seats that are now at some places.
    Seated { to: Reg, of: Reg, row: Slot },

    // ---- facts
    /// `to = facts[slot]`: a mark, a flag, a count of the game.
    Load { to: Reg, slot: Slot },
    /// The union of the rows of `of` (links).
    LinkOf { to: Reg, row: Slot, of: Reg },
    /// The number of the first seat of `of`; 0 for nobody (counts of each).
    CountOf { to: Reg, row: Slot, of: Reg },
    /// The seats whose row meets `of`.
    BackLink { to: Reg, row: Slot, of: Reg },
    /// The seats whose row is not empty.
    Linked { to: Reg, row: Slot },
    /// Puts seats under a mark (a `one` mark drops the others; an `in order` mark numbers the new ones).
    Mark { fact: FactId, set: Reg },
    /// Takes seats from a mark.
    Unmark { fact: FactId, set: Reg },
    /// Each seat of `from` is linked to `to_set` (a `one` link forgets the one before, and linking to
    /// nobody empties it).
    Link { fact: FactId, from: Reg, to_set: Reg },
    /// `to_set` goes out of the rows of the seats; they are emptied where that is everything.
    Unlink { fact: FactId, from: Reg, to_set: Reg },
    /// Sets a flag or a count of the game.
    Set { fact: FactId, value: Reg },
    /// Sets the count of each seat in `of`.
    SetOf { fact: FactId, of: Reg, value: Reg },
    /// Adds to a count of the game.
    Add { fact: FactId, value: Reg },
    /// Adds to the count of each seat in `of`.
    AddOf { fact: FactId, of: Reg, value: Reg },
    /// Empties a fact: what a lifetime or `clear` does.
    Clear { fact: FactId },

    // ---- numbers and truths
    /// `to = a + b`
    Plus { to: Reg, a: Reg, b: Reg },
    /// `to = a - b`
    Minus { to: Reg, a: Reg, b: Reg },
    /// `to = a * b`
    Times { to: Reg, a: Reg, b: Reg },
    /// `to = a / b`, rounded down
    Divide { to: Reg, a: Reg, b: Reg },
    /// All numbers from one to another, as [`packed`] has them.
    Between { to: Reg, low: Reg, high: Reg },
    /// 1 when the words are equal.
    Equal { to: Reg, a: Reg, b: Reg },
    /// 1 when `a < b` as numbers.
    Less { to: Reg, a: Reg, b: Reg },
    /// 1 when `a` is not empty and lies within `b`.
    Within { to: Reg, a: Reg, b: Reg },
    /// 1 when the set is empty (or the number is 0).
    Empty { to: Reg, of: Reg },
    /// 1 when the set is not empty.
    Some { to: Reg, of: Reg },
    /// `to = 1 - a` for a truth.
    Not { to: Reg, a: Reg },
    /// 1 while the scene is running.
    During { to: Reg, scene: SceneId },
    /// 1 while an occurrence of the event is being carried out.
    DuringEvent { to: Reg, event: EventId },
    /// 1 while the procedure is on the stack: what keeps a rule from meeting its own substitute.
    Running { to: Reg, proc: ProcId },
    /// The seats an event is planned for and not yet settled.
    Planned { to: Reg, event: EventId },
    /// The title (role or team) whose call is running; nothing outside of a call.
    Called { to: Reg },
    /// The seats that have won so far and not lost.
    Winners { to: Reg },

    // ---- tallies: a scratch pad of one number a seat; no pause stands between its instructions
    /// Empties the scratch pad.
    TallyClear,
    /// Each seat of `votes` gets `weight`; `weight` also joins what could have been cast.
    TallyAdd { votes: Reg, weight: Reg },
    /// Every voter's row counts one.
    TallyRow { row: Slot, voters: Reg },
    /// Reads the pad, looking only at seats of `among`.
    TallyRead {
        to: Reg,
        among: Reg,
        verdict: TallyVerdict,
    },
    /// The number that the first seat of `of` has on the pad.
    TallyOf { to: Reg, of: Reg },

    // ---- cards
    /// The cards in a zone; of an `of each` zone those at the seats `of`.
    CardsIn { to: Reg, zone: ZoneId, of: Reg },
    /// The topmost `count` cards of a zone.
    TopOf {
        to: Reg,
        zone: ZoneId,
        of: Reg,
        count: Reg,
    },
    /// The topmost `count` cards of a set; of several piles, those that were laid there last.
    Topmost { to: Reg, of: Reg, count: Reg },
    /// All cards and tokens of a group, wherever they lie.
    CardsOf { to: Reg, group: GroupId },
    /// The cards in the role zones of the seats.
    RoleCards { to: Reg, of: Reg },
    /// The seats at which the cards lie.
    SeatsOf { to: Reg, cards: Reg },
    /// The roles of the cards, as titles.
    TitlesOf { to: Reg, cards: Reg },
    /// Moves cards, keeping their order, onto a zone or under it. Who sees them there or saw them
    /// before learns of it.
    Move {
        cards: Reg,
        zone: ZoneId,
        seat: Reg,
        under: bool,
    },
    /// Lays the cards of the cast into a zone.
    PutCast { zone: ZoneId, seat: Reg },
    /// Lays all copies of a token into a zone.
    Put { group: GroupId, zone: ZoneId, seat: Reg },
    /// Exchanges two zones' cards: operands at `base`: the seat of a, the seat of b.
    Swap { a: ZoneId, b: ZoneId, base: Reg },
    /// Turns tokens to a face.
    Flip { cards: Reg, face: GroupId },
    /// The role cards of the seats become cards of another role.
    Turn { set: Reg, role: GroupId },
    /// The same with the one role among these titles; where there is none, or more than one, nothing.
    TurnInto { set: Reg, titles: Reg },

    // ---- who sits where
    /// Somebody sits down elsewhere: with regard to the one in `to`.
    Reseat { how: Seating, who: Reg, to: Reg },
    /// Those of a set sit on the places they have among them by the sequence numbers in the row `order`. Where
    /// lots were drawn for it, everybody sees how they fell, though nobody has moved.
    SeatInOrder { who: Reg, order: Slot, lots: bool },

    // ---- control
    /// Goes on at `at`.
    Jump { at: u32 },
    /// Goes on at `at` when the register is not 0.
    JumpIf { test: Reg, at: u32 },
    /// Goes on at `at` when the register is 0.
    JumpUnless { test: Reg, at: u32 },
    /// Takes the lowest seat out of `set` into `to`.
    Pop { to: Reg, set: Reg },
    /// Takes out the first seat of `set` at or to the left of `from`.
    PopFrom { to: Reg, set: Reg, from: Reg },
    /// Takes out the seat of `set` that was marked first.
    PopBy { to: Reg, set: Reg, order: Slot },
    /// Runs a procedure; its registers start at `base` of this frame, arguments first.
    Enter { proc: ProcId, base: Reg },
    /// Leaves a procedure.
    Return,
    /// Leaves the innermost running scene of that name (all that runs inside it is cut short, its
    /// facts that would end are cleared), going on at the scene's exit.
    Leave { scene: SceneId },
    /// The end of a [`super::Thunk`].
    Done,

    // ---- events
    /// The event happens at once. Operands at `base`: of whom, by whom, with what.
    Do { event: EventId, base: Reg },
    /// The event is planned: one plan a seat, or one for nobody in particular.
    Plan { event: EventId, base: Reg },
    /// The plans of the events in `lists[list]` happen: all of the first, then all of the second, …,
    /// again until none is left; what they plan of these events joins.
    Settle { list: u16 },
    /// Takes `by` from behind the plans for `of` of the events in `lists[list]`; a plan with nobody
    /// left behind it is gone. Operands at `base`: of, by.
    Cancel { list: u16, base: Reg },
    /// A rule comes into force here (tells the log; nothing else).
    Applied { rule: RuleId },
    /// A scene begins (counts it, tells the log).
    Began { scene: SceneId },
    /// A scene is over (tells the log).
    Ended { scene: SceneId },
    /// What hangs on the beginning of a scene comes in: it is about to begin, and counted from here on
    /// (tells the log).
    Nears { scene: SceneId },
    /// What hangs on the end of a scene is over as well (tells the log).
    Passed { scene: SceneId },
    /// A rule takes the place of a scene that was about to begin: it is not counted (tells the log).
    Replaced { scene: SceneId },
    /// The part that hangs on a role or team is performed by `who`: tells the log.
    Performs { title: GroupId, who: Reg },
    /// Runs the part of the title for the purpose of the running call, for the seats at `base`
    /// (`base`: the circle; `base + 1`: the title). Nothing when no part hangs there.
    Perform { base: Reg },
    /// Begins a call of a title: remembered until the procedure it stands in returns. `purpose` 0 is none;
    /// with [`NO_CALL`] the call made here is over.
    Call { title: Reg, purpose: u16 },

    // ---- pauses
    /// Asks. Operands and answers at `base`; see [`super::AskFrame`].
    Ask { site: AskId, base: Reg },
    /// Leaves to chance. Operands and outcome at `base`; see [`super::DrawFrame`].
    Draw { site: DrawId, base: Reg },

    // ---- words
    /// Says, tells or shows; `who` is the audience of `tell` and `show`.
    Say { site: SayId, who: Reg },

    // ---- the end
    /// Seats that win, unless they also lose.
    Win { set: Reg },
    /// Seats that lose, whatever else holds.
    Lose { set: Reg },
    /// The game is over.
    End { ending: EndingId },

    /// So many steps more are counted, for the long way that begins here.
    Tire { steps: u32 },

    // ---- hooks
    /// Asks a script. The argument at `base`, the answer at `base + 1`.
    Hook { hook: HookId, base: Reg },
}

/// What an instruction does with a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it.
    Written,
}

impl Op {
    /// What is remembered that it sets or changes.
    pub fn sets(&self) -> Option<FactId> {
        match *self {
            Op::Mark { fact, .. }
            | Op::Unmark { fact, .. }
            | Op::Link { fact, .. }
            | Op::Unlink { fact, .. }
            | Op::Set { fact, .. }
            | Op::SetOf { fact, .. }
            | Op::Add { fact, .. }
            | Op::AddOf { fact, .. }
            | Op::Clear { fact } => Some(fact),
            _ => None,
        }
    }

    /// Shows each register of an instruction that works a value out, tests or jumps, and does nothing else: those it
    /// reads come first. Says whether it is such an instruction.
    pub fn each_register(&self, mut see: impl FnMut(Reg, Access)) -> bool {
        let mut op = *self;
        op.change_registers(|reg, access| see(*reg, access))
    }

    /// The same, and each may become another.
    pub fn change_registers(&mut self, mut see: impl FnMut(&mut Reg, Access)) -> bool {
        let mut reads_and_writes = |read: &mut [&mut Reg], written: &mut [&mut Reg]| {
            read.iter_mut().for_each(|reg| see(reg, Access::Read));
            written.iter_mut().for_each(|reg| see(reg, Access::Written));
        };
        match self {
            Op::Jump { .. } | Op::Done => {}
            Op::JumpIf { test, .. } | Op::JumpUnless { test, .. } => reads_and_writes(&mut [test], &mut []),
            Op::Const { to, .. }
            | Op::Small { to, .. }
            | Op::Players { to }
            | Op::Outside { to, .. }
            | Op::GroupOutside { to, .. }
            | Op::Group { to, .. }
            | Op::Load { to, .. }
            | Op::Linked { to, .. }
            | Op::During { to, .. }
            | Op::DuringEvent { to, .. }
            | Op::Running { to, .. }
            | Op::Planned { to, .. }
            | Op::Called { to }
            | Op::Winners { to }
            | Op::CardsOf { to, .. } => reads_and_writes(&mut [], &mut [to]),
            Op::Copy { to, from: of }
            | Op::OutsideBut { to, but: of, .. }
            | Op::Others { to, of }
            | Op::Size { to, of }
            | Op::Holders { to, titles: of }
            | Op::RolesOf { to, of }
            | Op::TeamsOf { to, titles: of }
            | Op::RolesUnder { to, titles: of }
            | Op::Copies { to, titles: of }
            | Op::First { to, of }
            | Op::Last { to, of }
            | Op::FirstBy { to, of, .. }
            | Op::LastBy { to, of, .. }
            | Op::SeatNumber { to, number: of }
            | Op::PlaceOf { to, of }
            | Op::Placed { to, of, .. }
            | Op::Seated { to, of, .. }
            | Op::LinkOf { to, of, .. }
            | Op::CountOf { to, of, .. }
            | Op::BackLink { to, of, .. }
            | Op::Empty { to, of }
            | Op::Some { to, of }
            | Op::Not { to, a: of }
            | Op::CardsIn { to, of, .. }
            | Op::RoleCards { to, of }
            | Op::SeatsOf { to, cards: of }
            | Op::TitlesOf { to, cards: of } => reads_and_writes(&mut [of], &mut [to]),
            Op::And { to, a, b }
            | Op::Or { to, a, b }
            | Op::Without { to, a, b }
            | Op::Else { to, a, b }
            | Op::LeftOf { to, of: a, among: b }
            | Op::RightOf { to, of: a, among: b }
            | Op::AtOrLeftOf { to, of: a, among: b }
            | Op::Plus { to, a, b }
            | Op::Minus { to, a, b }
            | Op::Times { to, a, b }
            | Op::Divide { to, a, b }
            | Op::Between { to, low: a, high: b }
            | Op::Equal { to, a, b }
            | Op::Less { to, a, b }
            | Op::Within { to, a, b }
            | Op::TopOf {
                to, of: a, count: b, ..
            }
            | Op::Topmost { to, of: a, count: b } => reads_and_writes(&mut [a, b], &mut [to]),
            Op::Pop { to, set } | Op::PopBy { to, set, .. } => {
                reads_and_writes(&mut [&mut *set], &mut []);
                reads_and_writes(&mut [], &mut [set, to]);
            }
            Op::PopFrom { to, set, from } => {
                reads_and_writes(&mut [&mut *set, from], &mut []);
                reads_and_writes(&mut [], &mut [set, to]);
            }
            _ => return false,
        }
        true
    }

    /// The word or the row of the game's memory that it reads, if it works a value out of one.
    pub fn fact_read(&self) -> Option<Slot> {
        match *self {
            Op::Load { slot, .. }
            | Op::Outside { slot, .. }
            | Op::OutsideBut { slot, .. }
            | Op::GroupOutside { slot, .. }
            | Op::LinkOf { row: slot, .. }
            | Op::CountOf { row: slot, .. }
            | Op::BackLink { row: slot, .. }
            | Op::Linked { row: slot, .. }
            | Op::FirstBy { order: slot, .. }
            | Op::LastBy { order: slot, .. }
            | Op::PopBy { order: slot, .. }
            | Op::Placed { row: slot, .. }
            | Op::Seated { row: slot, .. } => Some(slot),
            _ => None,
        }
    }

    /// The register that an instruction writes which works one value out and does nothing else, for those
    /// that make what other instructions want at once.
    pub fn written(&mut self) -> Option<&mut Reg> {
        match self {
            Op::Copy { to, .. }
            | Op::Players { to }
            | Op::Outside { to, .. }
            | Op::OutsideBut { to, .. }
            | Op::GroupOutside { to, .. }
            | Op::Others { to, .. }
            | Op::And { to, .. }
            | Op::Or { to, .. }
            | Op::Without { to, .. }
            | Op::Else { to, .. }
            | Op::Size { to, .. }
            | Op::Group { to, .. }
            | Op::Holders { to, .. }
            | Op::Load { to, .. }
            | Op::LinkOf { to, .. }
            | Op::Linked { to, .. }
            | Op::CountOf { to, .. }
            | Op::CardsIn { to, .. }
            | Op::Plus { to, .. }
            | Op::Minus { to, .. }
            | Op::Equal { to, .. }
            | Op::Less { to, .. }
            | Op::Within { to, .. }
            | Op::Not { to, .. }
            | Op::Some { to, .. }
            | Op::Empty { to, .. }
            | Op::TallyRead { to, .. } => Some(to),
            _ => None,
        }
    }
}

/// The lowest and the highest of a range of numbers in one word; 0 where there is none. Beyond 31 bits it ends.
pub fn packed(low: i64, high: i64) -> u64 {
    let bounded = |number: i64| number.clamp(i64::from(-i32::MAX), i64::from(i32::MAX)) as u32;
    match low <= high {
        true => u64::from(bounded(low) ^ PACKED) << 32 | u64::from(bounded(high)),
        false => 0,
    }
}

/// The range in a word.
pub fn unpacked(range: u64) -> (i64, i64) {
    match range {
        0 => (1, 0),
        _ => (
            i64::from(((range >> 32) as u32 ^ PACKED) as i32),
            i64::from(range as u32 as i32),
        ),
    }
}

/// What no lowest number is, so that no range is 0.
const PACKED: u32 = i32::MIN as u32;

/// One number divided by another; nothing where that is no number, or none that can be counted.
pub fn rounded_down(a: i64, b: i64) -> Option<i64> {
    let towards_zero = a.checked_div(b)?;
    let over = a.checked_rem(b)?;
    Some(towards_zero - i64::from(over != 0 && (over < 0) != (b < 0)))
}

// INVARIANT: an instruction is one machine word.
const _: () = assert!(size_of::<Op>() == 8);
