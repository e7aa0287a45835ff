//! The compiled rules: ids, tables, and the flat program the engine runs.
//!
//! Plain data. Knows no text of a ruleset, no parser and no script engine; every instruction keeps
//! the place it came from.

pub mod does;
mod frame;
mod id;
mod op;
mod quick;
pub mod reach;
mod supply;
mod table;
mod thunks;

pub use frame::{AskFrame, DrawFrame};
pub use id::{
    AskId, DrawId, EndingId, EventId, FactId, GroupId, HookId, OfferId, OptionId, ProcId, Reg, RuleId, SayId,
    SceneId, Slot, WordId, ZoneId,
};
pub use op::{Access, MOST_REGISTERS, NO_CALL, Op, Seating, TallyVerdict, packed, rounded_down, unpacked};
pub use quick::{Act, Keep, Line, Low, MOST_WITHOUT_FRAME, Quick, Range, RoundSite};
pub use table::{
    AnsweredBy, AskKind, AskSite, Branch, Cast, CastCheck, CastColumn, DeckId, Draw, DrawKind, Ending, Event,
    Fact, FactShape, Fast, Group, GroupKind, Hook, InsteadRule, Kind, MOST_CARDS, MOST_HANDED, Matter,
    OPERANDS, Offer, OfferTarget, OfferTimes, OptionSetting, Origin, Part, Pass, Phrase, PhrasePiece,
    PlannedCast, Policy, PolicyLine, Proc, ProcRole, Program, Replacement, Role, Ruleset, SayKind, SaySite,
    Scene, SeenBy, Shuffle, Silent, Thunk, Token, VerdictKind, Zone,
};
