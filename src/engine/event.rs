//! Everything that happens, told to whoever listens: typed, caused, placed, and with an audience.

use crate::choice::Deed;
use omerta_core::rules::{
    AskId, DrawId, EndingId, EventId, FactId, GroupId, OfferId, RuleId, SayId, SceneId, ZoneId,
};
use serde::{Deserialize, Serialize};

/// Who gets to know of an event. The host always does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// The host alone.
    Host,
    /// Some seats.
    Seats(u64),
    /// Everybody.
    All,
}

/// Whose eyes one looks through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// The host: sees all.
    Host,
    /// What everybody knows.
    Public,
    /// A seat.
    Seat(u8),
}

impl Audience {
    /// Some seats; the host alone where there are none.
    pub fn seats(seats: u64) -> Self {
        if seats == 0 {
            Audience::Host
        } else {
            Audience::Seats(seats)
        }
    }

    /// Whoever is in the one or in the other.
    pub fn or(self, other: Audience) -> Self {
        match (self, other) {
            (Audience::All, _) | (_, Audience::All) => Audience::All,
            (Audience::Host, audience) | (audience, Audience::Host) => audience,
            (Audience::Seats(a), Audience::Seats(b)) => Audience::Seats(a | b),
        }
    }

    /// Whoever of the seats is in the one and not in the other; nothing where that is nobody.
    pub fn without(self, other: Audience, all: u64) -> Option<Self> {
        let seats = |audience| match audience {
            Audience::Host => 0,
            Audience::Seats(seats) => seats,
            Audience::All => all,
        };
        match (self, other, seats(self) & !seats(other)) {
            (_, _, 0) => None,
            (_, Audience::Host, _) => Some(self),
            (_, _, left) => Some(Audience::Seats(left)),
        }
    }

    /// Whether a viewer is among them.
    pub fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (_, Viewer::Host) | (Audience::All, _) => true,
            (Audience::Seats(seats), Viewer::Seat(seat)) => {
                seats.checked_shr(u32::from(seat)).unwrap_or(0) & 1 == 1
            }
            (Audience::Host | Audience::Seats(_), _) => false,
        }
    }
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Happened {
    /// What.
    pub what: What,
    /// Who gets to know.
    pub audience: Audience,
    /// The event before it that led to it.
    pub cause: Option<u32>,
    /// The instruction that made it; its place stands in `rules.origins`.
    pub at: u32,
}

/// What can happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A scene begins, for the nth time.
    SceneBegan { scene: SceneId, nth: u32 },
    /// A scene is over.
    SceneEnded { scene: SceneId },
    /// Rules hang on a scene, and those on its beginning come in: it is about to begin for the nth time.
    SceneNears { scene: SceneId, nth: u32 },
    /// The rules on the end of such a scene are over, too; or one took its place.
    ScenePassed { scene: SceneId },
    /// A role or team is called and performs its part.
    Performed { title: GroupId, who: u64 },
    /// An event happens.
    Occurred { event: EventId, of: u64, by: u64 },
    /// An event was planned.
    Planned { event: EventId, of: u64, by: u64 },
    /// People were taken from behind plans for the event.
    Cancelled { event: EventId, of: u64, by: u64 },
    /// A rule came into force.
    RuleApplied { rule: RuleId },
    /// A question was put.
    Asked {
        site: AskId,
        who: u64,
        host: bool,
        /// What stood in the slots of its words.
        values: Vec<Value>,
    },
    /// An answer was given.
    Answered {
        site: AskId,
        who: u64,
        host: bool,
        answer: Value,
    },
    /// Somebody took up an offer.
    OfferTaken {
        offer: OfferId,
        by: Option<u8>,
        target: Option<Value>,
    },
    /// The host did something by hand, which no rule made.
    ByHand {
        deed: Deed,
        /// What he writes.
        text: Option<String>,
    },
    /// Chance decided.
    Drew { site: DrawId, outcome: Value },
    /// Words went out; the slots' values stand in order.
    Said { site: SayId, values: Vec<Value> },
    /// Cards came to lie somewhere; whoever is in the audience sees which.
    Moved {
        cards: Vec<(u8, GroupId)>,
        /// Where they lay before, if it was elsewhere.
        left: Option<Left>,
        zone: ZoneId,
        seat: Option<u8>,
    },
    /// Backs of cards were seen to come or to go, by those who are not told which they are.
    Backs {
        count: u8,
        left: Option<Left>,
        /// Where they came to, by whoever sees that.
        came: Option<(ZoneId, Option<u8>)>,
        /// Who is told which they are, and so need not be told of backs.
        shown: Audience,
    },
    /// Somebody looks at cards he may choose among.
    Looked { cards: Vec<(u8, GroupId)> },
    /// A token was turned.
    Flipped { card: u8, face: GroupId },
    /// A card became another role.
    Turned { seat: u8, role: GroupId },
    /// Some sat down elsewhere; all seats by their places.
    Reseated { moved: u64, seats: Vec<u8> },
    /// Seats came under a mark.
    Marked { fact: FactId, seats: u64 },
    /// Seats went from under a mark.
    Unmarked { fact: FactId, seats: u64 },
    /// A link was laid.
    Linked { fact: FactId, from: u64, to: u64 },
    /// Some, and no others, are no longer linked from seats.
    Unlinked { fact: FactId, from: u64, to: u64 },
    /// A number or a flag was set.
    Counted { fact: FactId, seats: u64, value: i64 },
    /// What somebody wrote is kept.
    Kept { fact: FactId, seats: u64, text: String },
    /// A fact was emptied.
    Cleared { fact: FactId },
    /// The game is over.
    Ended {
        ending: Option<EndingId>,
        winners: u64,
        losers: u64,
    },
}

/// Where cards lay that were moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Left {
    /// The zone.
    pub zone: ZoneId,
    /// At whose seat, in a zone of each.
    pub seat: Option<u8>,
    /// Who saw them lie there, and so learns whence they come.
    pub seen_by: Audience,
}

/// A value as it was when words carried it out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Nothing was picked.
    Nobody,
    /// Seats.
    Players(u64),
    /// Cards, each with its role or token (and, for a token with faces, the face).
    Cards(Vec<(u8, GroupId)>),
    /// Cards of which only the places are told.
    Places(Vec<Place>),
    /// Titles.
    Titles(u64),
    /// A number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
    /// A branch of a menu and what was picked with it.
    Branch { branch: u8, target: Option<Box<Value>> },
    /// A word, by its number.
    Word(u16),
    /// What somebody wrote; nothing where it is empty.
    Text(String),
    /// No answer came in time.
    TimeUp,
}

/// Where a card lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The zone.
    pub zone: ZoneId,
    /// At whose seat, in a zone of each.
    pub seat: Option<u8>,
    /// The topmost of its pile is 1.
    pub from_top: u8,
}

/// Who wants to hear what happens. Stepping a game with [`Silence`] builds no event at all.
pub trait Listener {
    /// Whether anybody listens; `false` lets the engine skip all work for events.
    fn listens(&self) -> bool {
        true
    }

    /// Whether it wants what only the host gets to know.
    fn hears_host(&self) -> bool {
        true
    }

    /// Whether it wants to know of every instruction, too. For those who ask what was never reached.
    fn traces(&self) -> bool {
        false
    }

    /// An instruction is about to be carried out; not those of code that only works a value out aside.
    fn step(&mut self, _at: u32) {}

    /// Something happened. `depth` says how deep it stands: what deeper frames do lies deeper, and
    /// within a frame a rule, a question and its answer each lie deeper than the one before. `opens`
    /// says that what follows as deep or deeper is caused by it.
    fn hear(&mut self, what: What, audience: Audience, at: u32, depth: usize, opens: bool);

    /// What follows at this depth is no longer caused by what was heard there.
    fn close(&mut self, _depth: usize) {}

    /// What follows at this depth is caused by the latest occurrence of the event, heard before.
    fn reopen(&mut self, _event: EventId, _of: u64, _by: u64, _depth: usize) {}

    /// What follows at this depth is caused by the latest question of the site, which stands as it was
    /// heard before.
    fn resume(&mut self, _site: AskId, _who: u64, _depth: usize) {}
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence;

impl Listener for Silence {
    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }

    fn hears_host(&self) -> bool {
        false
    }

    fn hear(&mut self, _: What, _: Audience, _: u32, _: usize, _: bool) {}
}

/// Whoever listens: one machine tells them all.
pub(super) struct Heard<'a> {
    listener: &'a mut dyn Listener,
    traces: bool,
    hears_host: bool,
}

impl<'a> Heard<'a> {
    /// By somebody who does listen.
    pub(super) fn by(listener: &'a mut dyn Listener) -> Self {
        let (traces, hears_host) = (listener.traces(), listener.hears_host());
        Heard {
            listener,
            traces,
            hears_host,
        }
    }
}

impl Listener for Heard<'_> {
    #[inline(always)]
    fn listens(&self) -> bool {
        true
    }

    fn hears_host(&self) -> bool {
        self.hears_host
    }

    #[inline(always)]
    fn traces(&self) -> bool {
        self.traces
    }

    fn step(&mut self, at: u32) {
        self.listener.step(at);
    }

    fn hear(&mut self, what: What, audience: Audience, at: u32, depth: usize, opens: bool) {
        self.listener.hear(what, audience, at, depth, opens);
    }

    fn close(&mut self, depth: usize) {
        self.listener.close(depth);
    }

    fn reopen(&mut self, event: EventId, of: u64, by: u64, depth: usize) {
        self.listener.reopen(event, of, by, depth);
    }

    fn resume(&mut self, site: AskId, who: u64, depth: usize) {
        self.listener.resume(site, who, depth);
    }
}

/// So much is kept; of rules that make more happen, the rest is heard by nobody.
pub const MOST_KEPT: usize = 2_000_000;

/// Keeps everything that happened, with its causes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Log {
    /// The events in order.
    pub events: Vec<Happened>,
    open: Vec<(u32, u32)>,
}

/// A place in a log, to which it can be taken back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogMark {
    length: usize,
    open: Vec<(u32, u32)>,
}

impl Log {
    /// The place up to which it has come.
    pub fn mark(&self) -> LogMark {
        LogMark {
            length: self.events.len(),
            open: self.open.clone(),
        }
    }

    /// Forgets what was heard after a place it has come to before.
    pub fn back_to(&mut self, mark: &LogMark) {
        self.events.truncate(mark.length);
        self.open.clone_from(&mark.open);
    }

    /// What a viewer knows: the events whose audience he is in.
    pub fn view(&self, viewer: Viewer) -> impl Iterator<Item = (usize, &Happened)> {
        self.events
            .iter()
            .enumerate()
            .filter(move |(_, e)| e.audience.includes(viewer))
    }

    /// The chain of causes of an event, the nearest first.
    pub fn causes(&self, index: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut next = self.events.get(index).and_then(|e| e.cause);
        while let Some(cause) = next {
            chain.push(cause as usize);
            next = self.events[cause as usize].cause;
        }
        chain
    }
}

impl Log {
    fn open_again(&mut self, depth: usize, is_meant: impl Fn(&What) -> bool) {
        if let Some(id) = self.events.iter().rposition(|happened| is_meant(&happened.what)) {
            self.open.push((depth as u32, id as u32));
        }
    }
}

impl Listener for Log {
    fn hear(&mut self, what: What, audience: Audience, at: u32, depth: usize, opens: bool) {
        if self.events.len() >= MOST_KEPT {
            return;
        }
        let depth = depth as u32;
        while self
            .open
            .last()
            .is_some_and(|&(d, _)| if opens { d >= depth } else { d > depth })
        {
            self.open.pop();
        }
        let cause = self.open.last().map(|&(_, id)| id);
        if opens {
            self.open.push((depth, self.events.len() as u32));
        }
        self.events.push(Happened {
            what,
            audience,
            cause,
            at,
        });
    }

    fn close(&mut self, depth: usize) {
        while self.open.last().is_some_and(|&(d, _)| d >= depth as u32) {
            self.open.pop();
        }
    }

    fn reopen(&mut self, event: EventId, of: u64, by: u64, depth: usize) {
        self.close(depth);
        let heard = What::Occurred { event, of, by };
        self.open_again(depth, |what| *what == heard);
    }

    fn resume(&mut self, site: AskId, who: u64, depth: usize) {
        self.close(depth);
        self.open_again(depth, |what| {
            matches!(what, What::Asked { site: heard, who: asked, .. } if (*heard, *asked) == (site, who))
        });
    }
}
