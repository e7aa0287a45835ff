//! Declarations, and the file they stand in.

use super::expressions::{Expr, ExprKind};
use super::names::{Int, Name, Range};
use super::statements::{Block, Pick};
use super::texts::Text;
use omerta_core::{rules::Kind, source::Span};
use std::sync::Arc;

/// One `.mafia` file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct File {
    /// The declarations in order, those with a syntax error left out.
    pub items: Vec<Arc<Item>>,
}

/// A declaration with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What it declares.
    pub kind: ItemKind,
    /// The word that it begins with.
    pub word: &'static str,
    /// All of it.
    pub span: Span,
}

/// The declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// `ruleset city "City Games"`
    Ruleset { name: Name, title: Option<Text> },
    /// `library vote "Ballots"`
    Library { name: Name, title: Option<Text> },
    /// `overlay mayor "Mayor" on city, town { … }`
    Overlay {
        name: Name,
        title: Option<Text>,
        bases: Vec<Name>,
        items: Vec<Arc<Item>>,
    },
    /// `use std.table`; the paths as written, dots and all, quotes removed.
    Use(Vec<Name>),
    /// `publish hunted, treated`
    Publish(Vec<Name>),
    /// `on town { … }`, inside an overlay: what it holds for those bases alone.
    Section { bases: Vec<Name>, items: Vec<Arc<Item>> },
    /// `players 4..18`, `players 10 seated by lot`
    Players { range: Range, by_lot: bool },
    /// `cast { players 4..5 6..8  Smuggler 1 2  Baker rest }`, `cast only { … }`
    Cast {
        only: bool,
        name: Option<Name>,
        title: Option<Text>,
        rows: CastRows,
    },
    /// `require some-guild: number of Guild is at least 1 "…"`
    Require { name: Name, test: Expr, message: Text },
    /// `warn no-healer: some Healer "…"`
    Warn { name: Name, test: Expr, message: Text },
    /// `class Healer "healers"`
    Class { name: Name, title: Option<Text> },
    /// `team Guild "the guild" is Criminals { when called { … } }`
    Team {
        name: Name,
        title: Option<Text>,
        classes: Vec<Name>,
        parts: Vec<Part>,
    },
    /// `role Healer "the healer" of Hamlet is Carer at most 1 { when called { … } }`
    Role(Box<Role>),
    /// `token Package "the package" 2 is bullet "the bullet" | ring`
    Token {
        name: Name,
        title: Option<Text>,
        several: Option<Text>,
        copies: Option<Int>,
        faces: Vec<Face>,
    },
    /// `zone hand of each is role seen by owner with backs seen by players`
    Zone {
        name: Name,
        title: Option<Text>,
        of_each: bool,
        is_role: bool,
        seen_by: Option<Expr>,
        backs: Option<Expr>,
    },
    /// `mark treated, hunted until end of Sunrise`
    Mark {
        names: Vec<Name>,
        shape: MarkShape,
        kept: Kept,
    },
    /// `flag vote-off until Dusk`
    Flag { names: Vec<Name>, kept: Kept },
    /// `count fouls of each = 0`; `word room of each: deck | galley | hold = deck`, which is a number that
    /// stands for one of some words; `text will of each`, which stands for what somebody wrote
    Count {
        names: Vec<Name>,
        of_each: bool,
        text: bool,
        words: Vec<Face>,
        start: Option<Int>,
        start_word: Option<Name>,
        kept: Kept,
    },
    /// `link vote one back voters until Dusk`
    Link {
        names: Vec<Name>,
        one: bool,
        back: Option<Name>,
        to: Kind,
        kept: Kept,
    },
    /// `define weight of p = 1`
    Define {
        name: Name,
        param: Option<Param>,
        value: Expr,
    },
    /// `include living addict in circle of Guild when …`
    Clause(Clause),
    /// `event visit is kill, watch, block`
    EventGroup { name: Name, events: Vec<Name> },
    /// `event kill of p by k { … }`
    Event {
        name: Name,
        of: Option<Param>,
        by: Option<Name>,
        with: Vec<Param>,
        body: Block,
    },
    /// `rule cure: instead of kill of treated { nothing }`
    Rule(Box<Rule>),
    /// `scene Count of candidates { … }`, `scene Auction "the auction" of lot and number price { … }`
    Scene {
        name: Name,
        title: Option<Text>,
        params: Vec<Param>,
        body: Block,
    },
    /// `script { … }`
    Script(Block),
    /// `allow host to foul p from living { … }`
    Allow(Box<Allow>),
    /// `win Hamlet when no living Guild`
    Ending(Box<Ending>),
    /// `option tied-vote: run-off | nobody = run-off "…"`
    Option {
        name: Name,
        values: OptionValues,
        default: OptionValue,
        sentence: Text,
    },
    /// `hook odd-one of p gives players "why" """ … """`
    Hook {
        name: Name,
        param: Option<Param>,
        gives: Kind,
        why: Text,
        script: Script,
    },
    /// `needs extra-hand`
    Needs(Vec<Name>),
    /// `refuses blind, renegade`
    Refuses(Vec<Name>),
    /// `replace scene Trial { … }`
    Replace(Box<Item>),
    /// `replace call Guild to kill { … }`
    ReplaceCall {
        card: Name,
        purpose: Option<Name>,
        body: Block,
    },
    /// `remove two-mafiosi`
    Remove(Vec<Name>),
    /// `choose empty-calls = pretend`
    Choose { name: Name, value: OptionValue },
    /// `spare 1`: so many cards more than players; `spare rest`, without a number: as many as there are.
    Spare(Option<Int>),
    /// `policy crowd { vote: most of vote }`
    Policy(Box<Policy>),
}

impl ItemKind {
    /// Of a role or a team its name, and what is done when it is called.
    pub fn called(&self) -> Option<(&Name, &[Part])> {
        match self {
            ItemKind::Role(role) => Some((&role.name, &role.parts)),
            ItemKind::Team { name, parts, .. } => Some((name, parts)),
            _ => None,
        }
    }

    /// `rule cure: …`
    pub fn rule(&self) -> Option<&Rule> {
        match self {
            ItemKind::Rule(rule) => Some(rule),
            _ => None,
        }
    }
}

/// What adds to a definition: `exclude silenced from electorate when …`, `add 1 to weight of p`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// What it does with its value.
    pub mode: ClauseMode,
    /// What is put in or left out.
    pub value: Expr,
    /// The definition.
    pub name: Name,
    /// What the definition is handed.
    pub param: Option<Param>,
    /// When it counts.
    pub when: Option<Expr>,
}

/// What a clause does to a definition.
///
/// They come in this order, whoever wrote them and wherever.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClauseMode {
    /// `add … to`
    Add,
    /// `raise … to`: no less than that
    Raise,
    /// `lower … to`: no more than that
    Lower,
    /// `include … in`
    Include,
    /// `exclude … from`
    Exclude,
}

impl ClauseMode {
    /// Whether it is about numbers; the others are about sets.
    pub fn of_numbers(self) -> bool {
        matches!(self, ClauseMode::Add | ClauseMode::Raise | ClauseMode::Lower)
    }
}

/// What a cast is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CastRows {
    /// `{ players 4..5 6..8  Smuggler 1 2 }`
    Table(Vec<CastRow>),
    /// `at 7 with Healer for Baker, Tailor for Fool`: the table's cast for so many, with cards put in.
    Swaps { players: Int, swaps: Vec<(Name, Name)> },
}

/// One row of a cast table: `Smuggler 1 2 3`; the row `players` heads the columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CastRow {
    /// The role, or `players`.
    pub head: Name,
    /// The cells from left to right.
    pub cells: Vec<CastCell>,
    /// The whole row.
    pub span: Span,
}

/// A cell of a cast table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CastCell {
    /// `3`, `6..8`
    Range(Range),
    /// `rest`
    Rest(Span),
}

/// `role Healer "the healer" of Hamlet is Carer at most 1 replaces Baker needs X refuses Y { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    /// Its name.
    pub name: Name,
    /// What people see; the name where it is missing.
    pub title: Option<Text>,
    /// `several "healers"`
    pub several: Option<Text>,
    /// `of Hamlet is Healer, Sentry`
    pub side: Side,
    /// `when turncoat is yes else of Guild`: what it is of and is where the options before it do not
    /// have these values.
    pub else_sides: Vec<(SideWhen, Side)>,
    /// `at most 1`
    pub limit: Option<Int>,
    /// `replaces Baker then Tailor, Fool`, `needs Smuggler`, `refuses Driver when roads is open`
    pub company: Vec<Company>,
    /// What it does when called.
    pub parts: Vec<Part>,
}

/// What a cast with a card must keep to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Company {
    /// Which of the three.
    pub kind: CompanyKind,
    /// Which cards. Of `replaces`, those for which the first card of it may stand in, the second, and so on; the
    /// last list is for all further ones.
    pub cards: Vec<Vec<Name>>,
    /// `when roads is open`: only where an option has this value.
    pub when: Option<SideWhen>,
    /// All of it.
    pub span: Span,
}

/// What is said of other cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompanyKind {
    /// They make room for it.
    Replaces,
    /// They must be there.
    Needs,
    /// They must not be there.
    Refuses,
}

/// `of Hamlet is Healer, Sentry`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// `of Hamlet`
    pub team: Option<Name>,
    /// `is Sentry, Healer`
    pub classes: Vec<Name>,
}

/// `when turncoat is yes`: an option and the value it must have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideWhen {
    /// The option.
    pub option: Name,
    /// The value.
    pub value: OptionValue,
}

/// `bullet "the bullet"`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Face {
    /// Its name.
    pub name: Name,
    /// What people see; the name where it is missing.
    pub title: Option<Text>,
}

/// `when called to meet { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// `meet`
    pub purpose: Option<Name>,
    /// What happens.
    pub body: Block,
    /// All of it.
    pub span: Span,
}

/// How a mark keeps its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkShape {
    /// Any number of players, in seat order.
    Many,
    /// `one`: marking another takes it from the one before.
    One,
    /// `in order`: kept in the order in which they were marked.
    InOrder,
}

/// What is written of everything that the game remembers: who sees it, how long it lasts, what people call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// `seen by players`
    pub seen_by: Option<Expr>,
    pub life: Option<Life>,
    pub title: Option<Text>,
}

/// `until Dusk`, `until end of Sunrise`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Life {
    /// Whether it lasts to the end of the scene and not only to its beginning.
    pub to_end: bool,
    /// The scene or event.
    pub name: Name,
    /// All of it.
    pub span: Span,
}

impl Life {
    /// Whether it is over as a scene ends.
    pub fn is_end_of(&self, scene: &str) -> bool {
        self.to_end && self.name.text == scene
    }
}

/// What is handed to a scene, an event or a define: `p`, `role c`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// `role`, `card`, `number`, or players, which have no word.
    pub kind: Kind,
    /// The name it has inside.
    pub name: Name,
}

/// `rule cure before sign: instead of kill of treated as p by Guild as k when … { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Name,
    /// `before sign`, `after sign`
    pub order: Vec<RuleOrder>,
    /// When it comes in.
    pub moment: Moment,
    /// The word `before`, `instead of` or `after`.
    pub moment_span: Span,
    /// `instead of each`: of several at once each is decided when its turn comes.
    pub each: bool,
    /// What it waits for.
    pub happening: Happening,
    /// `when …`
    pub when: Option<Expr>,
    /// What it does.
    pub body: Block,
}

impl Rule {
    /// Whether it waits for something of that name.
    pub fn waits_for(&self, name: &str) -> bool {
        self.happening.names.iter().any(|own| own.text == name)
    }
}

impl Happening {
    /// To whom it happens, and through whom.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.of.iter().chain(&self.by)
    }
}

/// `before other-rule`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleOrder {
    /// Whether this rule comes before the named one, or after it.
    pub before: bool,
    /// The other rule.
    pub name: Name,
}

/// When a rule comes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// `before`
    Before,
    /// `instead of`
    Instead,
    /// `after`
    After,
}

/// `kill, poison of treated as p by Guild as k with n`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happening {
    /// Events, scenes, words, endings; or `ability`, `choice`.
    pub names: Vec<Name>,
    /// `of treated as p`; of a scene that is handed several things also `and Guild as q`.
    pub of: Vec<Pattern>,
    /// `by Guild as k`
    pub by: Option<Pattern>,
    /// `with n and m`: fresh names for what the event was given.
    pub with: Vec<Name>,
}

/// `treated as p`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Who it must be.
    pub set: Expr,
    /// What it is called inside.
    pub name: Option<Name>,
}

/// `allow host to foul "Give a foul" p from living during Noon when … { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allow {
    /// Who may.
    pub who: Expr,
    /// The name of the offer.
    pub name: Name,
    /// `p from living`
    pub pick: Option<Pick>,
    /// `during Noon, Poll`
    pub during: Vec<Name>,
    /// `when …`
    pub when: Option<Expr>,
    /// How it is put to people.
    pub title: Option<Text>,
    /// What it does; `me` is who did it.
    pub body: Block,
}

/// An ending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// `ending addict-aim`; without one it is nameless.
    pub name: Option<Name>,
    /// `before all`, `before town-wins`
    pub order: Option<EndingOrder>,
    /// What happens when it holds.
    pub verdict: Verdict,
    /// The test.
    pub when: Expr,
    /// What people are told.
    pub title: Option<Text>,
}

impl Ending {
    /// `win Guild when yes`: how it ends when no other ending holds.
    pub fn is_for_all_else(&self) -> bool {
        matches!(&*self.when.inside().kind, ExprKind::Truth(true))
    }
}

/// How simulated players answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// `crowd`
    pub name: Name,
    /// What people are told.
    pub title: Option<Text>,
    /// What it says, question by question.
    pub lines: Vec<PolicyLine>,
}

/// `vote by living Guild when some accused: most of vote, nobody`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyLine {
    /// Names of questions and of answers in menus.
    pub questions: Vec<Name>,
    /// Whose answers.
    pub by: Option<Expr>,
    /// While what holds.
    pub when: Option<Expr>,
    /// The wishes; the first that can be had counts.
    pub wishes: Vec<Expr>,
}

/// Where an ending stands among the tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndingOrder {
    /// `before all`
    First,
    /// `before town-wins`
    Before(Name),
    /// `after town-wins`
    After(Name),
}

/// Who has won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// `win Hamlet`
    Win(Expr),
    /// `lose players`: the others neither win nor lose by it.
    Lose(Expr),
    /// `draw`
    Draw,
    /// A block that says `win` and `lose`, one by one.
    Judged(Block),
}

/// The values an option may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValues {
    /// `run-off | nobody`
    Words(Vec<OptionValue>),
    /// `1..5`
    Range(Range),
}

/// `run-off`, `3`, `yes`
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// A word; `yes` and `no` are words here.
    Word(Name),
    /// A number.
    Int(Int),
}

/// The text of a script, without its quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The letters between the quotes.
    pub text: String,
    /// Where they stand, quotes left out.
    pub span: Span,
}
