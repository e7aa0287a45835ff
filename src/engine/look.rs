//! A read-only look at a game, by id: what scripts and faces may see of a state.

use crate::cards::{Thing, teams_of};
use crate::choice::{FaultKind, HookFault};
use crate::event::{Place, Value};
use crate::facts::seats_in;
use crate::state::{Board, Occurrence, Still};
use omerta_core::rules::{FactId, FactShape, GroupId, HookId, Kind, ProcRole, Ruleset, SceneId, ZoneId};
use omerta_core::written::{OF_RULES, say_the_same, word};
use std::sync::{Arc, atomic::AtomicBool};

/// Where hooks come from. An answer is data; the engine applies it like any value of the rules.
pub trait Hooks: Send + Sync {
    /// What the script of a hook says about an argument, within so many steps. Whatever it takes of them is
    /// taken off: so it is bounded with all others that are asked between two questions.
    fn answer(&self, hook: HookId, argument: u64, look: &Look<'_>, steps: &mut u32)
    -> Result<u64, FaultKind>;

    /// From now on scripts end once this is set. Whoever sets it throws away the games that are being played: what a
    /// script comes to that is ended so means nothing.
    fn heed(&self, _stop: &Arc<AtomicBool>) {}
}

/// No hooks: whoever asks one is told so.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {
    fn answer(&self, hook: HookId, _: u64, _: &Look<'_>, _: &mut u32) -> Result<u64, FaultKind> {
        let message = "no scripts are at hand".to_owned();
        Err(FaultKind::Hook {
            hook,
            cause: HookFault::Absent,
            message,
            line: None,
            column: None,
        })
    }
}

/// A snapshot of a game.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub(super) rules: &'a Ruleset,
    pub(super) board: &'a Board,
}

impl<'a> Look<'a> {
    #[inline]
    pub(super) fn of(rules: &'a Ruleset, board: &'a Board) -> Self {
        Look { rules, board }
    }

    /// A copy of the game as it stands.
    pub fn still(&self) -> Still {
        Still(self.board.clone())
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &'a Ruleset {
        self.rules
    }

    /// How many seats there are.
    pub fn seats(&self) -> u8 {
        self.board.facts.seats()
    }

    /// All seats.
    #[inline]
    pub fn players(&self) -> u64 {
        self.board.facts.players()
    }

    /// All seats by who sits where, beginning with the first place.
    pub fn by_place(&self) -> Vec<u8> {
        self.board.facts.by_place()
    }

    /// The seats of a role, team, class, token or face.
    pub fn group(&self, group: GroupId) -> u64 {
        self.board.cards.group(group)
    }

    /// The seats of all titles of a set.
    pub fn holders(&self, titles: u64) -> u64 {
        self.board.cards.holders(titles)
    }

    /// The roles of the cards in the role zones of some seats, as titles.
    pub fn roles_of(&self, seats: u64) -> u64 {
        self.board.cards.titles(self.board.cards.role_cards(seats))
    }

    /// The role of each seat that has one; of several the first.
    pub fn first_roles(&self) -> impl Iterator<Item = (u8, GroupId)> {
        self.board.cards.first_roles()
    }

    /// The teams of those roles, as titles.
    pub fn teams_of(&self, seats: u64) -> u64 {
        teams_of(self.rules, self.roles_of(seats))
    }

    /// The word of a mark, a flag or a count of the game; 0 for facts kept a seat.
    pub fn fact(&self, fact: FactId) -> u64 {
        let slot = self.rules.facts[fact.index()].slot;
        if slot.0 < self.rules.scalars {
            self.board.facts.word(slot)
        } else {
            0
        }
    }

    /// The word a fact has for a seat: whether it stands under the mark, its number, its links; the
    /// flag or the count where there is one of the game.
    pub fn fact_of(&self, fact: FactId, seat: u8) -> u64 {
        let fact = &self.rules.facts[fact.index()];
        let facts = &self.board.facts;
        match fact.shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => {
                facts.word(fact.slot).checked_shr(u32::from(seat)).unwrap_or(0) & 1
            }
            FactShape::Flag | FactShape::Count => facts.word(fact.slot),
            FactShape::CountOfEach | FactShape::Link { .. } => {
                facts.row(fact.slot).get(usize::from(seat)).copied().unwrap_or(0)
            }
        }
    }

    /// The seats under a mark in the order of marking (or of seats, where it keeps none).
    pub fn in_order(&self, fact: FactId) -> Vec<u8> {
        let fact = &self.rules.facts[fact.index()];
        let set = self.board.facts.word(fact.slot);
        let mut seats: Vec<u8> = seats_in(set).map(|seat| seat as u8).collect();
        if let FactShape::MarkInOrder { order } = fact.shape {
            seats.sort_by_key(|&seat| self.board.facts.row(order)[usize::from(seat)]);
        }
        seats
    }

    /// Where the cards of a set lie, first those of the first zones and, in a pile, from the top.
    pub fn places(&self, cards: u64) -> Vec<Place> {
        let mut places: Vec<Place> = seats_in(cards).filter_map(|card| self.place(card)).collect();
        places.sort_unstable();
        places
    }

    /// Where a card lies, counted from the top of its pile; nothing for one that lies nowhere.
    pub fn place(&self, card: usize) -> Option<Place> {
        let thing = self.things().get(card)?;
        let zone = thing.zone?;
        let above = |other: &&Thing| {
            (other.zone, other.seat) == (thing.zone, thing.seat) && other.height > thing.height
        };
        let above = self.things().iter().filter(above).count();
        Some(Place {
            zone,
            seat: thing.seat,
            from_top: above as u8 + 1,
        })
    }

    /// All cards and tokens; the index is the number of the card.
    pub fn things(&self) -> &'a [Thing] {
        self.board.cards.things()
    }

    /// The cards in a zone, the lowest of the pile first; of an `of each` zone those at one seat.
    pub fn pile(&self, zone: ZoneId, seat: Option<u8>) -> Vec<u8> {
        let lies_here = |card: &u8| {
            let thing = self.things()[usize::from(*card)];
            thing.zone == Some(zone) && thing.seat == seat
        };
        let mut pile: Vec<u8> = (0..self.things().len() as u8).filter(lies_here).collect();
        pile.sort_by_key(|&card| self.things()[usize::from(card)].height);
        pile
    }

    /// How many cards of the titles were put into the game.
    pub fn copies(&self, titles: u64) -> u64 {
        self.board.cards.copies(self.rules, titles)
    }

    /// How often a scene has begun.
    #[inline]
    pub fn times(&self, scene: SceneId) -> u64 {
        self.board.facts.word(self.rules.scenes[scene.index()].times)
    }

    /// Whether a scene is running.
    pub fn during(&self, scene: SceneId) -> bool {
        self.board.during(self.rules, scene)
    }

    /// The scenes that are running, the outermost first.
    pub fn scenes(&self) -> impl Iterator<Item = SceneId> + 'a {
        let rules = self.rules;
        self.board
            .frames
            .iter()
            .filter_map(move |frame| match frame.role(rules) {
                Some(ProcRole::Scene(scene)) => Some(scene),
                _ => None,
            })
    }

    /// The plans that are not settled yet, in the order in which they were made.
    pub fn plans(&self) -> &'a [Occurrence] {
        &self.board.plans
    }

    /// The seats that have won so far and not lost.
    pub fn winners(&self) -> u64 {
        self.board.won & !self.board.lost
    }

    /// A register's word as a value.
    pub fn value(&self, kind: Kind, word: u64) -> Value {
        match kind {
            Kind::Players => Value::Players(word),
            Kind::Cards => Value::Cards(self.board.cards.listed(word)),
            Kind::Titles => Value::Titles(word),
            Kind::Number => Value::Number(word as i64),
            Kind::Truth => Value::Truth(word != 0),
            Kind::Word => Value::Word(word as u16),
            Kind::Text => Value::Text(self.text(word).to_owned()),
        }
    }

    /// What somebody wrote, by its word; empty for none.
    pub fn text(&self, word: u64) -> &'a str {
        self.written(word as u32).unwrap_or_default()
    }

    /// A text of the game by its number: one that people wrote, or one of the rules.
    pub fn written(&self, number: u32) -> Option<&'a str> {
        let text = match number.checked_sub(OF_RULES) {
            Some(at) => self.rules.texts.get(at as usize),
            None => self.board.texts.get((number as usize).checked_sub(1)?),
        };
        text.map(String::as_str)
    }

    /// The word of a text by its number.
    pub(super) fn text_word(&self, number: u32) -> u64 {
        let text = self.written(number).unwrap_or_default();
        word(number, self.same_text(text).unwrap_or(number))
    }

    /// The first text that says the same.
    pub(super) fn same_text(&self, text: &str) -> Option<u32> {
        let of_rules = (OF_RULES..).zip(&self.rules.texts);
        let mut all = of_rules.chain((1..).zip(&self.board.texts));
        all.find(|(_, known)| say_the_same(known, text))
            .map(|(number, _)| number)
    }

    /// The seats that have lost.
    pub fn losers(&self) -> u64 {
        self.board.lost
    }
}
