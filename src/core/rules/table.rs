//! The tables around the program.

use super::{
    AskId, EndingId, EventId, FactId, GroupId, HookId, Line, OfferId, Op, ProcId, Reg, RoundSite, RuleId,
    SceneId, Slot, WordId, ZoneId,
};
use crate::{plural, source::Span};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Where something came from.
pub type Origin = Span;

/// A whole ruleset, compiled for one choice of overlays and options.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ruleset {
    /// The name of the base.
    pub name: String,
    /// What people see.
    pub title: String,
    /// The overlays laid on it, sorted by name.
    pub overlays: Vec<String>,
    /// A digest of everything that could change a game.
    pub identity: u64,
    /// The fewest and the most players.
    pub seats: (u8, u8),
    /// Whether chance decides who sits where, before the game begins.
    #[serde(default)]
    pub by_lot: bool,
    /// The options with the values they have here.
    pub options: Vec<OptionSetting>,
    /// Roles, then teams, then classes, tokens and faces.
    pub groups: Vec<Group>,
    /// What is particular about roles, by [`GroupId`] (roles come first).
    pub roles: Vec<Role>,
    /// How many of the groups are roles or teams.
    pub titles: u16,
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The zones.
    pub zones: Vec<Zone>,
    /// The zone whose card is a seat's role.
    pub role_zone: Option<ZoneId>,
    /// The casts that can be dealt.
    pub casts: Vec<Cast>,
    /// How many cards more than players a cast has.
    pub spare: u8,
    /// Whether it may have more than that: all that are not dealt are left over.
    #[serde(default)]
    pub spare_rest: bool,
    /// What a cast must and should fulfil.
    pub cast_checks: Vec<CastCheck>,
    /// Marks, flags, counts and links; a fact's place in the words follows from their order: first
    /// one word for each mark, flag and count of the game, then one word a seat for each row.
    pub facts: Vec<Fact>,
    /// How many one-word slots there are; rows start behind them.
    pub scalars: u16,
    /// How many rows of one word a seat there are.
    pub rows: u16,
    /// The row with the place of each seat, from 1; only where seats move.
    #[serde(default)]
    pub places: Option<Slot>,
    /// The scenes.
    pub scenes: Vec<Scene>,
    /// The events.
    pub events: Vec<Event>,
    /// The rules' names, for the log.
    pub rules: Vec<(String, Origin)>,
    /// The procedures.
    pub procs: Vec<Proc>,
    /// The procedure in which the game begins.
    pub start: ProcId,
    /// Parts that hang on roles and teams.
    pub parts: Vec<Part>,
    /// Purposes of calls; number 0 is "no purpose".
    pub purposes: Vec<String>,
    /// Questions.
    pub asks: Vec<AskSite>,
    /// Draws.
    pub draws: Vec<Draw>,
    /// Words said.
    pub says: Vec<SaySite>,
    /// The names that words carry.
    pub words: Vec<String>,
    /// Standing offers.
    pub offers: Vec<Offer>,
    /// Endings, in the order in which they are tested.
    pub endings: Vec<Ending>,
    /// How simulated players may answer.
    pub policies: Vec<Policy>,
    /// Whether it may take long to work out which offers stand open.
    #[serde(default)]
    pub weighty_offers: bool,
    /// Hooks.
    pub hooks: Vec<Hook>,
    /// Lists of events for `settle` and `cancel`.
    pub lists: Vec<Vec<EventId>>,
    /// The program.
    pub code: Vec<Op>,
    /// How the program is made that is for games to which nobody listens.
    #[serde(skip)]
    pub silent: Silent,
    /// Where each instruction came from.
    pub origins: Vec<Origin>,
    /// Words too large for an instruction.
    pub constants: Vec<u64>,
    /// The texts that the rules compare with what people write, no two the same, and behind them one more.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Where they first compare what somebody wrote: whoever writes by chance has no words of his own.
    #[serde(default)]
    pub compares_texts: Option<Span>,
}

/// Of so many casts the games have a program of their own. Where chance draws the cards of each game, as many more would be
/// made as there are casts, and take longer than they save.
const MOST_DECKS: usize = 4;

/// How the program is made for games to which nobody listens, by the cards that are in them, where those are known.
type Make = fn(&Ruleset, Option<&PlannedCast>) -> Fast;

/// The programs for games to which nobody listens: each is made when the first such game is played, for most who read rules
/// play none.
#[derive(Debug, Default)]
pub struct Silent {
    make: Option<Make>,
    /// That of games with whatever cards.
    made: OnceLock<Fast>,
    /// Those of games with the cards of the first casts that began.
    decks: [(OnceLock<PlannedCast>, OnceLock<Fast>); MOST_DECKS],
}

/// Whose games have a program of their own: the place of their cast among those that do.
#[derive(Clone, Copy, Debug)]
pub struct DeckId(usize);

/// The program as games to which nobody listens carry it out.
#[derive(Debug, Default)]
pub struct Fast {
    /// The steps, or none at all.
    pub line: Line,
    /// The program that those steps stand for: it leaves out what nobody wants.
    pub lean: Vec<Op>,
    /// The questions that go round in it.
    pub rounds: Vec<RoundSite>,
    /// By procedure: whether it is brief ([`Fast::is_brief`]).
    pub brief: Vec<bool>,
    /// When offers stand open; nothing where there are none, or too many to keep in a word.
    pub offers: Option<OfferTimes>,
}

/// When offers stand open, a bit an offer.
#[derive(Debug, Default)]
pub struct OfferTimes {
    /// By procedure: those that are made for its scene.
    pub while_runs: Vec<u64>,
    /// Those that are made for any time.
    pub always: u64,
    /// Those that are made to players; the others are made to the host.
    pub to_players: u64,
}

impl Fast {
    /// Whether a procedure does nothing but work values out and write the board, leads ahead up to its end, can
    /// not go wrong and asks nothing about what runs: then it needs no frame.
    pub fn is_brief(&self, proc: ProcId) -> bool {
        self.brief.get(proc.index()).is_some_and(|brief| *brief)
    }
}

impl Silent {
    /// Made so, once it is wanted.
    pub fn by(make: Make) -> Self {
        Silent {
            make: Some(make),
            ..Silent::default()
        }
    }
}

/// A copy of rules may become others, and so makes its own.
impl Clone for Silent {
    fn clone(&self) -> Self {
        Silent {
            make: self.make,
            ..Silent::default()
        }
    }
}

impl Ruleset {
    /// The program for games to which nobody listens, with whatever cards.
    pub fn fast(&self) -> &Fast {
        self.silent.made.get_or_init(|| self.made_for(None))
    }

    /// The same for games with the cards of a cast, if it is one of those that have their own.
    pub fn fast_for(&self, deck: Option<DeckId>) -> &Fast {
        match deck.map(|deck| &self.silent.decks[deck.0]) {
            Some((cast, made)) => made.get_or_init(|| self.made_for(cast.get())),
            None => self.fast(),
        }
    }

    /// The place of a cast among those whose games have a program of their own; it takes one if there is one left.
    pub fn deck(&self, cast: &PlannedCast) -> Option<DeckId> {
        let mut cards = cast.cards.clone();
        cards.sort();
        let cast = PlannedCast { cards };
        let is_it = |(known, _): &(OnceLock<_>, _)| *known.get_or_init(|| cast.clone()) == cast;
        self.silent.decks.iter().position(is_it).map(DeckId)
    }

    fn made_for(&self, cast: Option<&PlannedCast>) -> Fast {
        self.silent
            .make
            .map_or_else(Fast::default, |make| make(self, cast))
    }
}

/// An option and the value it has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptionSetting {
    /// Its name.
    pub name: String,
    /// The value chosen, as written.
    pub value: String,
    /// The values it could have; a range stands as `1..5`.
    pub values: Vec<String>,
    /// The value it has when nobody chooses.
    pub default: String,
    /// What it decides.
    pub sentence: String,
}

/// What has a set of seats.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Group {
    /// The name rules use.
    pub name: String,
    /// What people see.
    pub title: String,
    /// What people see of more than one of them.
    pub several: Option<String>,
    /// What it is.
    pub kind: GroupKind,
    /// Where it was declared.
    pub origin: Origin,
}

impl Group {
    /// The title for more than one of them: its own, or the plural of a title with `a` or `an`.
    pub fn for_several(&self) -> Option<String> {
        let regular = || plural::one_of_many(&self.title).map(plural::several);
        self.several.clone().or_else(regular)
    }
}

/// What a group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GroupKind {
    /// A role.
    Role,
    /// A team.
    Team,
    /// A class.
    Class,
    /// A token.
    Token,
    /// A face of a token.
    Face,
}

/// What is particular about a role.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Role {
    /// Its team.
    pub team: Option<GroupId>,
    /// Every group a seat with this card is in: the role itself, its team, the classes of both.
    pub groups: Vec<GroupId>,
    /// At most so many cards of it.
    pub limit: Option<u8>,
    /// What the first card of it may stand in for in a cast table, the second, and so on; the last
    /// list is for all further ones.
    pub replaces: Vec<Vec<GroupId>>,
    /// What must be in the cast with it.
    pub needs: Vec<GroupId>,
    /// What must not be in the cast with it.
    pub refuses: Vec<GroupId>,
}

/// How many cards and tokens there may be: a set of them is one word.
pub const MOST_CARDS: usize = 64;

/// A kind of token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Token {
    /// Its group.
    pub group: GroupId,
    /// How many there are of each face, or in all where it has none.
    pub copies: u8,
    /// Its faces; a new token without a choice shows the first.
    pub faces: Vec<GroupId>,
}

impl Token {
    /// How many there are, of all faces.
    pub fn pieces(&self) -> usize {
        usize::from(self.copies) * self.faces.len().max(1)
    }
}

/// A place for cards and tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Zone {
    /// The name rules use.
    pub name: String,
    /// What people see.
    pub title: String,
    /// One for each seat, or one for the table.
    pub of_each: bool,
    /// Who sees what lies there.
    pub seen_by: SeenBy,
    /// Who sees how many lie there.
    #[serde(default)]
    pub backs: SeenBy,
    /// Where it was declared.
    pub origin: Origin,
}

/// Who sees the cards of a zone, or what is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum SeenBy {
    /// The host alone.
    #[default]
    Nobody,
    /// The seat it lies at, or that it is remembered of.
    Owner,
    /// Everybody.
    Everybody,
    /// The seats a thunk gives.
    Seats(Thunk),
}

/// A piece of code that only works a value out: it starts at `at`, ends at [`Op::Done`], and leaves
/// the value in `result`. It may read the registers of the frame it stands in (or, for those of
/// offers, endings, zones and cast checks, only its arguments from register 0 on).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Thunk {
    /// The first instruction.
    pub at: u32,
    /// Where the value stands afterwards.
    pub result: Reg,
    /// One above the highest register it touches.
    pub registers: u16,
}

/// What a register's word means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// A set of seats.
    Players,
    /// A set of cards.
    Cards,
    /// A set of titles: roles and teams.
    Titles,
    /// A whole number.
    Number,
    /// Yes or no.
    Truth,
    /// A word: which of some alternatives, by number.
    Word,
    /// What somebody wrote: see [`crate::written::word`].
    Text,
}

/// A cast table, or one cast by name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cast {
    /// Whether no cast may be played but what comes of this table by putting cards in for others.
    pub only: bool,
    /// Its name; the nameless one is the default.
    pub name: Option<String>,
    /// What people see.
    pub title: String,
    /// Where it was declared.
    pub origin: Origin,
    /// Its columns.
    pub columns: Vec<CastColumn>,
}

/// A column of a cast table: the cards for some numbers of players.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CastColumn {
    /// From so many players.
    pub from: u8,
    /// To so many players.
    pub to: u8,
    /// How many cards of each role; or how many different roles of a team or a class, which are drawn.
    pub cards: Vec<(GroupId, u8)>,
    /// The role (or team, or class) that fills the rest.
    pub rest: Option<GroupId>,
}

/// A cast for one table, role by role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedCast {
    /// One role a card.
    pub cards: Vec<GroupId>,
}

/// `require` and `warn`: a test over the cards of a cast. In it, a set of players is a set of cards:
/// the card with number i stands for seat i.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CastCheck {
    /// Its name.
    pub name: String,
    /// Whether it only warns.
    pub warning: bool,
    /// The test; true is well.
    pub test: Thunk,
    /// What is said when it fails.
    pub message: String,
    /// Where it was declared.
    pub origin: Origin,
}

/// For each card that replaces, what it may replace; matched one to one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Replacement {
    /// The card put in.
    pub card: GroupId,
    /// The card taken out.
    pub instead_of: GroupId,
}

/// What the game remembers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// The name rules use.
    pub name: String,
    /// What people see.
    pub title: String,
    /// How it is kept.
    pub shape: FactShape,
    /// Its first word: below `scalars` for one word, else `scalars + k` for row k.
    pub slot: Slot,
    /// Its value at the start.
    pub start: i64,
    /// Where it was declared.
    pub origin: Origin,
    /// Whether authors see it; hidden ones belong to the compiler.
    pub hidden: bool,
    /// Of a number that stands for one of some words: these, as rules write them and as people see them.
    #[serde(default)]
    pub words: Vec<(String, String)>,
    /// Whether it is what somebody wrote.
    #[serde(default)]
    pub text: bool,
    /// Who is told when it changes.
    #[serde(default)]
    pub seen_by: SeenBy,
}

impl Fact {
    /// What people read of it: its title, or its name without hyphens.
    pub fn shown(&self) -> String {
        match self.title == self.name {
            true => self.name.replace('-', " "),
            false => self.title.clone(),
        }
    }

    /// What people see of a number that it holds.
    pub fn number(&self, value: i64) -> String {
        if self.shape == FactShape::Flag {
            return if value == 0 { "no" } else { "yes" }.to_owned();
        }
        let word = usize::try_from(value)
            .ok()
            .and_then(|value| self.words.get(value));
        word.map_or_else(|| value.to_string(), |(_, title)| title.clone())
    }

    /// Whether it may have a value: a flag is up or not, and of some words it is one.
    pub fn may_be(&self, value: i32) -> bool {
        let values = match self.shape {
            FactShape::Flag => 2,
            _ if self.text => return false,
            _ if self.words.is_empty() => return true,
            _ => self.words.len(),
        };
        usize::try_from(value).is_ok_and(|value| value < values)
    }
}

/// How a fact is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FactShape {
    /// A set of seats.
    Mark,
    /// A set of one seat at the most.
    MarkOne,
    /// A set of seats with the order of marking in the row `order`.
    MarkInOrder { order: Slot },
    /// Yes or no.
    Flag,
    /// A number of the game.
    Count,
    /// A number a seat.
    CountOfEach,
    /// A set of seats, titles or cards a seat; `one` of them at the most.
    Link { one: bool, to: Kind },
}

impl FactShape {
    /// Links of players to players; one to each at the most, or to as many as there are.
    pub const LINK_ONE: FactShape = FactShape::Link {
        one: true,
        to: Kind::Players,
    };
    /// See [`FactShape::LINK_ONE`].
    pub const LINK: FactShape = FactShape::Link {
        one: false,
        to: Kind::Players,
    };

    /// Whether each seat has its own.
    pub fn is_of_each(self) -> bool {
        !matches!(self, FactShape::Flag | FactShape::Count)
    }

    /// Whether it is a mark, however it is kept.
    pub fn is_mark(self) -> bool {
        matches!(
            self,
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. }
        )
    }

    /// Whether it is of one at the most: a mark that one carries, a link to one.
    pub fn is_of_one(self) -> bool {
        matches!(self, FactShape::MarkOne | FactShape::Link { one: true, .. })
    }

    /// What a link leads to; nothing for what is no link.
    pub fn links_to(self) -> Option<Kind> {
        match self {
            FactShape::Link { to, .. } => Some(to),
            _ => None,
        }
    }
}

/// A scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// What people see.
    pub title: String,
    /// Its procedure.
    pub proc: ProcId,
    /// The word that counts how often it has begun.
    pub times: Slot,
    /// Whether rules hang on its beginning or its end, so that it says when these come in.
    pub hung: bool,
    /// How many things it is handed.
    #[serde(default)]
    pub handed: u16,
    /// Where it was declared.
    pub origin: Origin,
}

/// How many things a scene or an event is handed at most, besides whom it is of and by.
pub const MOST_HANDED: usize = 4;
/// How many registers the procedures of an event find filled at most: whom it is of, by whom, with what.
pub const OPERANDS: usize = 2 + MOST_HANDED;

/// An event. An occurrence is carried out in steps, each for all occurrences of a batch before the
/// next: before-rules; the decision which rule, if any, takes its place; the body or that rule's;
/// after-rules, only where the body ran. All procedures take registers 0: the seat (nobody where the
/// event has none), 1: by whom, 2: with what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Whether it happens to somebody.
    pub of: bool,
    /// Whether it knows by whom.
    pub by: bool,
    /// What it is handed besides.
    pub with: Vec<Kind>,
    /// The before-rules, if any.
    pub before: Option<ProcId>,
    /// Gives 0 for the body, or n for `instead[n - 1]`.
    pub decide: Option<Thunk>,
    /// The rules that may take its place.
    pub instead: Vec<InsteadRule>,
    /// What it does.
    pub body: ProcId,
    /// The after-rules, if any.
    pub after: Option<ProcId>,
    /// Where it was declared.
    pub origin: Origin,
}

impl Event {
    /// How many registers its procedures find filled.
    #[inline]
    pub fn operands(&self) -> usize {
        2 + self.with.len().max(1)
    }
}

/// A rule that takes an event's place.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct InsteadRule {
    /// Which rule.
    pub rule: RuleId,
    /// What it does.
    pub proc: ProcId,
    /// Whether of several at once each is decided when its turn comes.
    pub each: bool,
}

/// A run of code with a frame of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proc {
    /// What it is, for the log and for `leave`.
    pub role: ProcRole,
    /// The first instruction.
    pub entry: u32,
    /// Where `leave` goes on: the after-rules of a scene, then its clears.
    pub exit: u32,
    /// One above the highest register it uses.
    pub registers: u16,
    /// Facts to clear when it is cut short from further out.
    pub clears: Vec<FactId>,
}

/// What a procedure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ProcRole {
    /// The script.
    Script,
    /// A scene.
    Scene(SceneId),
    /// A part of a role or team.
    Part(GroupId),
    /// The before-rules, body or after-rules of an event.
    Event(EventId),
    /// The body of a rule.
    Rule(RuleId),
    /// The body of an offer.
    Offer(OfferId),
    /// The tests of the endings.
    Judgement,
}

/// What hangs on a role or a team for a call. The circle comes in register 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The role or team.
    pub title: GroupId,
    /// The purpose; 0 is none.
    pub purpose: u16,
    /// What happens.
    pub proc: ProcId,
}

/// A question; its words lie in an [`super::AskFrame`]. The compiler makes sure that somebody is asked and that something
/// can be answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskSite {
    /// What is chosen: the name in the rules.
    pub name: String,
    /// What kind of answer.
    pub kind: AskKind,
    /// Whether the host is asked, and nobody else.
    pub host: bool,
    /// Whether nobody may be the answer.
    pub pass: Pass,
    /// Whether everybody sees the answer.
    pub openly: bool,
    /// Whether cards are chosen by their backs.
    pub unseen: bool,
    /// How it is put.
    pub text: Option<Phrase>,
    /// Where to go on to ask anew after somebody took up an offer in between.
    pub again: u32,
    /// `(0, 1)` for one pick, `(1, 2)` for the first of several, `(2, 2)` for each further one.
    pub pick: (u8, u8),
    /// How many seconds there are to answer. Whose time is up the host or a face says; nobody here has a clock.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Where it is written down that the time is up, if anything hangs on that.
    #[serde(default)]
    pub late: Option<Reg>,
    /// Where it stands.
    pub origin: Origin,
}

impl AskSite {
    /// The name of a wait that the rules give none.
    pub const WAIT: &str = "wait";
    /// The most seconds that a question or a wait may take: a day.
    pub const LONGEST: u32 = 86_400;
}

/// Whether nobody may be the answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Pass {
    /// Never.
    Never,
    /// Always.
    Always,
    /// While [`super::AskFrame::pass`] is not 0.
    When,
}

/// What kind of answer a question wants. Which it is stands in a byte of its own, for it is read of each question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum AskKind {
    /// A seat.
    Seats,
    /// A card.
    Cards,
    /// A role or a team.
    Titles,
    /// A number.
    Numbers,
    /// What somebody writes; how many letters it may have stands among what.
    Text,
    /// Yes or no.
    YesNo,
    /// The host goes on.
    Wait,
    /// One of several branches.
    Menu(Vec<Branch>),
}

impl AskKind {
    /// The branches of a menu; of another question none.
    #[inline]
    pub fn branches(&self) -> &[Branch] {
        match self {
            AskKind::Menu(branches) => branches,
            _ => &[],
        }
    }
}

/// A branch of a menu.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// How it is put.
    pub title: Option<String>,
    /// What it picks, if anything.
    pub pick: Option<Kind>,
    /// Whether it picks cards by their backs.
    pub unseen: bool,
}

/// A draw; its words lie in a [`super::DrawFrame`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Draw {
    /// The name in the rules; `shuffle` and `deal` name their zone, or `seats`.
    pub name: String,
    /// What is drawn.
    pub kind: DrawKind,
    /// Part of a shuffle or a deal, and of which zone, or of the seats.
    pub shuffle: Option<Shuffle>,
    /// Whether everybody sees it.
    pub openly: bool,
    /// Where it stands.
    pub origin: Origin,
}

/// What a draw belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Shuffle {
    /// The next card from the top of a pile being shuffled.
    Pile(ZoneId),
    /// A card dealt to [`super::DrawFrame::seat`].
    Deal(ZoneId),
    /// Who sits on the next place.
    Seats,
}

/// What is drawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DrawKind {
    /// A seat.
    Seats,
    /// A card.
    Cards,
    /// A role or a team.
    Titles,
    /// A number.
    Numbers,
    /// A word by weight.
    Weighted(Vec<(String, u32)>),
}

/// Words said, told or shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SaySite {
    /// Said, told, shown.
    pub kind: SayKind,
    /// The name it carries.
    pub word: Option<WordId>,
    /// The question that it reads an answer to out: who answered and what are its values.
    #[serde(default)]
    pub question: Option<String>,
    /// What is said.
    pub phrase: Phrase,
    /// Where it stands.
    pub origin: Origin,
}

/// How words go out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SayKind {
    /// To everybody.
    Say,
    /// To some, in words.
    Tell,
    /// To some, as a sign or a value; the phrase's last slot is the value shown, if any.
    Show,
}

/// Words with slots.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Phrase {
    /// The pieces in order.
    pub pieces: Vec<PhrasePiece>,
}

/// A piece of a phrase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PhrasePiece {
    /// Words.
    Words(String),
    /// A value; of one of some words, what people see of each.
    Slot {
        value: Thunk,
        kind: Kind,
        words: Vec<String>,
    },
    /// A wording by how many there are (or by the number).
    Choice {
        value: Thunk,
        kind: Kind,
        none: Vec<PhrasePiece>,
        one: Vec<PhrasePiece>,
        many: Vec<PhrasePiece>,
    },
}

/// A standing offer. Thunks get `me`, who would take it up, in register 0 (nobody for the host).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// How it is put.
    pub title: Option<String>,
    /// Who may take it up; `None` is the host.
    pub who: Option<Thunk>,
    /// What is picked, and among what.
    pub target: Option<OfferTarget>,
    /// Only while one of these scenes runs; empty is always.
    pub during: Vec<SceneId>,
    /// And only if this holds.
    pub when: Option<Thunk>,
    /// Whether it stands open to all alike: neither of the two asks who takes it up.
    #[serde(default)]
    pub alike: bool,
    /// What it does: register 0 is `me`, register 1 what was picked.
    pub body: ProcId,
    /// Where it was declared.
    pub origin: Origin,
}

impl Offer {
    /// Where it is worked out whether it stands open.
    pub fn condition(&self) -> u32 {
        let condition = self.when.or(self.who).or(self.target.map(|target| target.among));
        condition.map_or(0, |thunk| thunk.at)
    }
}

/// How simulated players answer. No rule of the game: nothing of it is ever carried out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Policy {
    /// Its name.
    pub name: String,
    /// What people are told.
    pub title: Option<String>,
    /// The first line that has an answer gives it.
    pub lines: Vec<PolicyLine>,
    /// A digest of its text.
    pub identity: u64,
    /// Where it was declared.
    pub origin: Origin,
}

/// What is answered to some questions. Thunks get `me`, who is asked or takes up an offer, in register 0
/// (nobody for the host).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PolicyLine {
    /// What it is about.
    pub matters: Vec<Matter>,
    /// Whose answers.
    pub by: AnsweredBy,
    /// Only if this holds.
    pub when: Option<Thunk>,
    /// What is wished, the first that can be had; `None` is nobody.
    pub wishes: Vec<Option<Thunk>>,
    /// Where it stands.
    pub origin: Origin,
}

/// What somebody may have to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Matter {
    /// The answer to a question.
    Question(AskId),
    /// A branch of a menu.
    Branch(AskId, u8),
    /// A standing offer.
    Offer(OfferId),
}

/// Whose answers a policy gives.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum AnsweredBy {
    /// Everybody's, the host's too.
    Anybody,
    /// The host's alone.
    Host,
    /// Those of these seats.
    Seats(Thunk),
}

/// What an offer picks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OfferTarget {
    /// Seats, cards or titles.
    pub kind: Kind,
    /// Among what.
    pub among: Thunk,
}

/// An ending.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Its name, or words made from its test.
    pub name: String,
    /// What people are told.
    pub title: Option<String>,
    /// What it says.
    pub verdict: VerdictKind,
    /// The team named in `win`, for counting.
    pub team: Option<GroupId>,
    /// Whether its place among the endings is said in words: `before …`, `after …`.
    #[serde(default)]
    pub placed: bool,
    /// Where it was declared.
    pub origin: Origin,
}

/// What an ending says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum VerdictKind {
    /// Some win.
    Win,
    /// Some lose.
    Lose,
    /// Nobody wins and nobody loses.
    Draw,
    /// Judged one by one.
    Judged,
}

/// A hook.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hook {
    /// Its name.
    pub name: String,
    /// The name of its argument and what it is.
    pub param: Option<(String, Kind)>,
    /// What it gives.
    pub gives: Kind,
    /// Why the language cannot say it.
    pub why: String,
    /// The script.
    pub script: String,
    /// Where the script stands.
    pub origin: Origin,
}

/// An expression compiled by itself against a ruleset: for scenarios and the REPL.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// Its instructions, ending in [`Op::Done`].
    pub code: Vec<Op>,
    /// Its constants.
    pub constants: Vec<u64>,
    /// Where the value stands.
    pub result: Reg,
    /// One above the highest register.
    pub registers: u16,
    /// What the value is.
    pub kind: Option<Kind>,
    /// Of a value that is one of some words: these, as people see them.
    #[serde(default)]
    pub words: Vec<String>,
    /// The texts in it that the rules do not know, each by the constant that stands for it.
    #[serde(default)]
    pub texts: Vec<(u64, String)>,
}

impl Draw {
    /// Whether the outcome is one out of a set.
    pub fn picks_one(&self) -> bool {
        matches!(self.kind, DrawKind::Seats | DrawKind::Cards | DrawKind::Titles)
    }
}

impl Ruleset {
    /// Whether anybody may write a text of his own.
    pub fn lets_write(&self) -> bool {
        let asked = self.asks.iter().any(|ask| match &ask.kind {
            AskKind::Text => true,
            AskKind::Menu(branches) => branches.iter().any(|branch| branch.pick == Some(Kind::Text)),
            _ => false,
        });
        let offered = |offer: &Offer| offer.target.is_some_and(|target| target.kind == Kind::Text);
        asked || self.offers.iter().any(offered)
    }

    /// How many cards a cast for so many players has, or, where any number is left over, has at least.
    pub fn cards_for(&self, players: usize) -> usize {
        players + usize::from(self.spare)
    }

    /// Whether so many cards are a cast for so many players.
    pub fn is_enough(&self, cards: usize, players: usize) -> bool {
        match self.spare_rest {
            true => cards >= self.cards_for(players),
            false => cards == self.cards_for(players),
        }
    }

    /// The ask behind an id.
    #[inline]
    pub fn ask(&self, id: AskId) -> &AskSite {
        &self.asks[id.index()]
    }

    /// The ending behind an id.
    pub fn ending(&self, id: EndingId) -> &Ending {
        &self.endings[id.index()]
    }

    /// Whether each question has to be put, though its answer may be at hand: scripts belong to it, or it may take long
    /// to see which offers stand beside it.
    #[inline]
    pub fn puts_each_question(&self) -> bool {
        self.weighty_offers || !self.hooks.is_empty()
    }

    /// The hook behind an id.
    pub fn hook(&self, id: HookId) -> &Hook {
        &self.hooks[id.index()]
    }

    /// A role, team, class, token or face by name.
    pub fn group_named(&self, name: &str) -> Option<GroupId> {
        self.groups
            .iter()
            .position(|g| g.name == name)
            .map(|i| GroupId(i as u16))
    }

    /// All roles.
    pub fn role_ids(&self) -> impl Iterator<Item = GroupId> + Clone + use<> {
        (0..self.roles.len() as u16).map(GroupId)
    }

    /// The roles of a team or a class.
    pub fn roles_of(&self, group: GroupId) -> impl Iterator<Item = GroupId> {
        self.role_ids()
            .filter(move |role| self.roles[role.index()].groups.contains(&group))
    }

    /// What is remembered, by name.
    pub fn fact_named(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.name == name)
    }

    /// A role by name.
    pub fn role_named(&self, name: &str) -> Option<GroupId> {
        self.group_named(name)
            .filter(|group| group.index() < self.roles.len())
    }

    /// A policy by name.
    pub fn policy_named(&self, name: &str) -> Option<&Policy> {
        self.policies.iter().find(|policy| policy.name == name)
    }

    /// Its identity as files and people write it.
    pub fn identity_text(&self) -> String {
        format!("{:016x}", self.identity)
    }

    /// Its options with their values, by name.
    pub fn settings(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.options
            .iter()
            .map(|option| (option.name.clone(), option.value.clone()))
    }
}
