//! The syntax tree of `.mafia` files, with a span on everything.
//!
//! A tree promises only that the text had the right shape: no name in it has been looked up, no
//! kind is known, a role may be missing. `check` does the rest.

mod expressions;
mod items;
mod names;
mod statements;
mod texts;

pub use expressions::{BinaryOp, CompareOp, Expr, ExprKind, Of, Query};
pub use items::{
    Allow, CastCell, CastRow, CastRows, Clause, ClauseMode, Company, CompanyKind, Ending, EndingOrder, Face,
    File, Happening, Item, ItemKind, Kept, Life, MarkShape, Moment, OptionValue, OptionValues, Param, Part,
    Pattern, Policy, PolicyLine, Role, Rule, RuleOrder, Script, Side, SideWhen, Verdict,
};
pub use names::{Int, Name, Range};
pub use statements::{
    Amount, Ask, AskMode, Block, Branch, Domain, Happen, InOrder, Limit, OrNobody, Pick, Place, Question,
    Reseat, Shown, Statement, StatementKind,
};
pub use texts::{Text, TextPiece};
