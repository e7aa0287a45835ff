//! Cards and tokens: where they lie, in what order, and which seats they put into which group.

use crate::choice::StartError;
use crate::facts::seats_in;
use omerta_core::rules::{GroupId, MOST_CARDS, PlannedCast, Ruleset, ZoneId};
use serde::{Deserialize, Serialize};

/// A card or a token. Its number in [`super::Look::things`] never changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Thing {
    /// Its role, or its kind of token.
    pub group: GroupId,
    /// The role it had when it was put into the game.
    pub cast_as: GroupId,
    /// The face a token shows.
    pub face: Option<GroupId>,
    /// The zone it lies in, if it lies anywhere.
    pub zone: Option<ZoneId>,
    /// The seat it lies at, in an `of each` zone.
    pub seat: Option<u8>,
    /// What lies higher in a pile has the higher one; they have no other meaning.
    pub height: i32,
}

impl Thing {
    /// What one sees of it: the face, or the role or token where it has none.
    pub fn shown(&self) -> GroupId {
        self.face.unwrap_or(self.group)
    }
}

/// A pile: a zone, and in an `of each` zone the seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pile {
    pub(super) zone: ZoneId,
    pub(super) seat: Option<u8>,
}

/// What was dealt: to whom, which cards, and how many.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Dealt {
    pub(super) to: u64,
    pub(super) cards: u64,
    pub(super) count: usize,
}

/// Which end of a pile cards go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Top,
    Bottom,
}

/// All cards and tokens. All but `things` could be worked out anew; it is kept for speed.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Cards {
    things: Vec<Thing>,
    /// The seats of each group.
    groups: Vec<u64>,
    /// The cards in each zone.
    zones: Vec<u64>,
    /// The cards at each seat, in whatever zone.
    at: Vec<u64>,
    role_zone: Option<ZoneId>,
    /// How many of the things, from the first, are cards of the cast.
    cast: u8,
    /// How many cards of each title were put into the game; a team counts all its roles.
    copies: Vec<u8>,
    /// The heights of what was last laid on top of a pile, and under one.
    heights: (i32, i32),
}

impl Clone for Cards {
    fn clone(&self) -> Self {
        Cards {
            things: self.things.clone(),
            groups: self.groups.clone(),
            zones: self.zones.clone(),
            at: self.at.clone(),
            copies: self.copies.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.things.clone_from(&other.things);
        self.groups.clone_from(&other.groups);
        self.zones.clone_from(&other.zones);
        self.at.clone_from(&other.at);
        self.copies.clone_from(&other.copies);
        (self.role_zone, self.cast, self.heights) = (other.role_zone, other.cast, other.heights);
    }
}

impl Cards {
    /// The cards of a cast and all tokens, lying nowhere yet.
    pub(super) fn new(rules: &Ruleset, seats: u8, cast: &PlannedCast) -> Result<Self, StartError> {
        if let Some(&card) = cast.cards.iter().find(|card| rules.is_open(**card)) {
            return Err(StartError::NoRole { card });
        }
        let things = cast
            .cards
            .iter()
            .map(|&role| new_thing(role, None))
            .chain(tokens(rules));
        let things: Vec<Thing> = things.collect();
        if things.len() > MOST_CARDS {
            return Err(StartError::TooManyCards { given: things.len() });
        }
        let mut copies = vec![0; usize::from(rules.titles)];
        for &role in &cast.cards {
            for title in [Some(role), rules.roles[role.index()].team].into_iter().flatten() {
                if let Some(count) = copies.get_mut(title.index()) {
                    *count += 1;
                }
            }
        }
        Ok(Cards {
            copies,
            things,
            groups: vec![0; rules.groups.len()],
            zones: vec![0; rules.zones.len()],
            at: vec![0; usize::from(seats)],
            role_zone: rules.role_zone,
            cast: cast.cards.len() as u8,
            heights: (0, 0),
        })
    }

    pub(super) fn things(&self) -> &[Thing] {
        &self.things
    }

    /// All cards that came from the cast.
    #[inline]
    pub(super) fn cast(&self) -> u64 {
        u64::MAX.checked_shr(64 - u32::from(self.cast)).unwrap_or(0)
    }

    /// All cards and tokens.
    #[inline]
    pub(super) fn all(&self) -> u64 {
        u64::MAX.checked_shr(64 - self.things.len() as u32).unwrap_or(0)
    }

    /// The seats of a group.
    #[inline]
    pub(super) fn group(&self, group: GroupId) -> u64 {
        self.groups[group.index()]
    }

    /// The cards in a zone, at whatever seat.
    #[inline]
    pub(super) fn zone(&self, zone: ZoneId) -> u64 {
        self.zones[zone.index()]
    }

    /// The seats of all titles of a set.
    #[inline(never)]
    pub(super) fn holders(&self, titles: u64) -> u64 {
        seats_in(titles).fold(0, |set, title| set | self.groups.get(title).copied().unwrap_or(0))
    }

    /// All cards at some seats.
    #[inline(never)]
    fn at(&self, seats: u64) -> u64 {
        seats_in(seats).fold(0, |set, seat| set | self.at.get(seat).copied().unwrap_or(0))
    }

    /// The cards in a zone; of an `of each` zone those at the seats.
    #[inline]
    pub(super) fn in_zone(&self, rules: &Ruleset, zone: ZoneId, seats: u64) -> u64 {
        let cards = self.zones[zone.index()];
        if rules.zones[zone.index()].of_each {
            cards & self.at(seats)
        } else {
            cards
        }
    }

    /// The cards in the role zones of the seats.
    #[inline(never)]
    pub(super) fn role_cards(&self, seats: u64) -> u64 {
        self.role_zone
            .map_or(0, |zone| self.zones[zone.index()] & self.at(seats) & self.cast())
    }

    /// The role of each seat that has one; of several the first.
    pub(super) fn first_roles(&self) -> impl Iterator<Item = (u8, GroupId)> {
        let cards = self
            .role_zone
            .map_or(0, |zone| self.zones[zone.index()] & self.cast());
        let group = |card: usize| self.things.get(card).map(|thing| thing.group);
        let first = move |cards: u64| seats_in(cards).filter_map(group).min();
        let seats = (0..).zip(&self.at);
        seats.filter_map(move |(seat, at)| Some((seat, first(cards & at)?)))
    }

    /// The topmost cards of each pile.
    #[inline(never)]
    pub(super) fn top_of(&self, rules: &Ruleset, zone: ZoneId, seats: u64, count: u8) -> u64 {
        let cards = self.zones[zone.index()];
        if !rules.zones[zone.index()].of_each {
            return self.topmost(cards, count);
        }
        seats_in(seats).fold(0, |set, seat| {
            set | self.topmost(cards & self.at(1 << seat), count)
        })
    }

    /// The topmost cards of a set.
    #[inline(never)]
    pub(super) fn topmost(&self, pile: u64, count: u8) -> u64 {
        let (mut top, mut left) = (0, pile & self.all());
        if left.is_power_of_two() && count > 0 {
            return left;
        }
        for _ in 0..count {
            let Some(highest) = seats_in(left).max_by_key(|&card| self.things[card].height) else {
                break;
            };
            top |= 1 << highest;
            left &= !(1 << highest);
        }
        top
    }

    /// The cards and tokens of a group that lie somewhere.
    #[inline(never)]
    pub(super) fn of_group(&self, rules: &Ruleset, group: GroupId) -> u64 {
        let belongs = |card: &usize| {
            let thing = &self.things[*card];
            thing.zone.is_some() && self.is_in(rules, thing, group)
        };
        (0..self.things.len())
            .filter(belongs)
            .fold(0, |set, card| set | 1 << card)
    }

    fn is_in(&self, rules: &Ruleset, thing: &Thing, group: GroupId) -> bool {
        thing.group == group
            || thing.face == Some(group)
            || rules
                .roles
                .get(thing.group.index())
                .is_some_and(|role| role.groups.contains(&group))
    }

    /// Lays all cards and tokens as those of another game of the same table lay.
    pub(super) fn put_things(&mut self, rules: &Ruleset, things: &[Thing]) {
        self.things.copy_from_slice(things);
        [&mut self.groups, &mut self.zones, &mut self.at]
            .into_iter()
            .for_each(|sets| sets.fill(0));
        self.heights = (0, 0);
        for card in 0..self.things.len() {
            let Thing {
                zone, seat, height, ..
            } = self.things[card];
            let (top, bottom) = &mut self.heights;
            (*top, *bottom) = ((*top).max(height), (*bottom).min(height));
            if let Some(zone) = zone {
                self.zones[zone.index()] |= 1 << card;
            }
            if let Some(seat) = seat {
                self.at[usize::from(seat)] |= 1 << card;
                self.join_groups(rules, card);
            }
        }
    }

    /// The seats at which the cards lie.
    #[inline(never)]
    pub(super) fn seats_of(&self, cards: u64) -> u64 {
        let seat = |card: usize| self.things.get(card).and_then(|thing| thing.seat);
        seats_in(cards)
            .filter_map(seat)
            .fold(0, |set, seat| set | 1 << seat)
    }

    /// The roles of the cards, as titles.
    #[inline(never)]
    pub(super) fn titles(&self, cards: u64) -> u64 {
        seats_in(cards & self.cast()).fold(0, |set, card| set | title_bit(self.things[card].group))
    }

    /// How many cards of a title were put into the game.
    #[inline]
    pub(super) fn copies_of(&self, title: GroupId) -> u64 {
        self.copies.get(title.index()).copied().map_or(0, u64::from)
    }

    /// How many cards of the titles were put into the game; a team counts all its roles.
    #[inline(never)]
    pub(super) fn copies(&self, rules: &Ruleset, titles: u64) -> u64 {
        if titles.is_power_of_two() {
            return self.copies_of(GroupId(titles.trailing_zeros() as u16));
        }
        let counted =
            |thing: &&Thing| (title_bit(thing.cast_as) | team_bit(rules, thing.cast_as)) & titles != 0;
        self.things[..usize::from(self.cast)]
            .iter()
            .filter(counted)
            .count() as u64
    }

    /// The cards of a set, each with what one sees of it.
    pub(super) fn listed(&self, cards: u64) -> Vec<(u8, GroupId)> {
        seats_in(cards & self.all())
            .map(|card| (card as u8, self.things[card].shown()))
            .collect()
    }

    /// The lowest-numbered card of a set with all others of the set that lie in the same pile.
    pub(super) fn lying_together(&self, cards: u64) -> (Option<Pile>, u64) {
        let pile = |card: usize| {
            self.things[card].zone.map(|zone| Pile {
                zone,
                seat: self.things[card].seat,
            })
        };
        let from = seats_in(cards).next().and_then(pile);
        (
            from,
            seats_in(cards)
                .filter(|&card| pile(card) == from)
                .fold(0, |set, card| set | 1 << card),
        )
    }

    /// Moves cards to one end of a pile. Their order among themselves stays.
    #[inline]
    pub(super) fn lay(&mut self, rules: &Ruleset, cards: u64, to: Pile, end: End) {
        let left = cards & self.all();
        match left.is_power_of_two() {
            true => self.lay_one(rules, left.trailing_zeros() as usize, to, end),
            false => self.lay_several(rules, left, to, end),
        }
    }

    #[inline(never)]
    fn lay_several(&mut self, rules: &Ruleset, mut left: u64, to: Pile, end: End) {
        while left != 0 {
            let next = match end {
                End::Top => seats_in(left).min_by_key(|&card| self.place_of(card)),
                End::Bottom => seats_in(left).max_by_key(|&card| self.place_of(card)),
            };
            let Some(card) = next else { break };
            left &= !(1 << card);
            self.lay_one(rules, card, to, end);
        }
    }

    /// Lays cards of the one pile of a zone before seats, the lowest seat first, up to one that is not among
    /// those that lie there or a seat that is not there.
    pub(super) fn deal(
        &mut self,
        rules: &Ruleset,
        (mut seats, mut among): (u64, u64),
        cards: &[u8],
        (from, to): (ZoneId, ZoneId),
    ) -> Dealt {
        let (things, groups, at) = (&mut self.things[..], &mut self.groups[..], &mut self.at[..]);
        let (cast, in_role_zone) = (self.cast, self.role_zone == Some(to));
        let (all_seats, all_among, mut height) = (seats, among, self.heights.0);
        for &card in cards {
            let seat = seats.trailing_zeros() as u8;
            let bit = 1u64.wrapping_shl(u32::from(card));
            let (Some(thing), Some(at)) = (things.get_mut(usize::from(card)), at.get_mut(usize::from(seat)))
            else {
                break;
            };
            if among & bit == 0 {
                break;
            }
            among &= !bit;
            height += 1;
            (thing.zone, thing.seat, thing.height) = (Some(to), Some(seat), height);
            *at |= bit;
            join(groups, rules, thing, (card < cast, in_role_zone), seat);
            seats &= seats - 1;
        }
        let dealt = Dealt {
            to: all_seats & !seats,
            cards: all_among & !among,
            count: (height - self.heights.0) as usize,
        };
        self.heights.0 = height;
        self.zones[from.index()] &= !dealt.cards;
        self.zones[to.index()] |= dealt.cards;
        dealt
    }

    /// Cards of one pile by their place in it; piles among one another by zone and seat.
    fn place_of(&self, card: usize) -> (Option<ZoneId>, Option<u8>, i32) {
        let thing = &self.things[card];
        (thing.zone, thing.seat, thing.height)
    }

    #[inline(never)]
    fn lay_one(&mut self, rules: &Ruleset, card: usize, to: Pile, end: End) {
        let (top, bottom) = &mut self.heights;
        let height = match end {
            End::Top => {
                *top += 1;
                *top
            }
            End::Bottom => {
                *bottom -= 1;
                *bottom
            }
        };
        let thing = &mut self.things[card];
        let was = (thing.zone, thing.seat);
        (thing.zone, thing.seat, thing.height) = (Some(to.zone), to.seat, height);
        if let (Some(zone), seat) = was {
            self.zones[zone.index()] &= !(1 << card);
            if let Some(seat) = seat {
                self.at[usize::from(seat)] &= !(1 << card);
                // Elsewhere a card of the cast stands for nothing.
                if card >= usize::from(self.cast) || self.role_zone == Some(zone) {
                    self.leave_groups(rules, card, seat);
                }
            }
        }
        self.zones[to.zone.index()] |= 1 << card;
        if let Some(seat) = to.seat {
            self.at[usize::from(seat)] |= 1 << card;
            let kind = (card < usize::from(self.cast), self.role_zone == Some(to.zone));
            join(&mut self.groups, rules, &self.things[card], kind, seat);
        }
    }

    #[inline]
    pub(super) fn pile(&self, pile: Pile) -> u64 {
        let cards = self.zones[pile.zone.index()];
        pile.seat.map_or(cards, |seat| cards & self.at[usize::from(seat)])
    }

    /// Turns tokens to a face; gives those that turned.
    pub(super) fn flip(&mut self, rules: &Ruleset, cards: u64, face: GroupId) -> u64 {
        let turns = |card: &usize| self.things[*card].face.is_some_and(|shown| shown != face);
        let turned = seats_in(cards & self.all())
            .filter(turns)
            .fold(0, |set, card| set | 1 << card);
        seats_in(turned).for_each(|card| self.change(rules, card, |thing| thing.face = Some(face)));
        turned
    }

    /// Makes the role cards of a seat cards of another role.
    pub(super) fn turn(&mut self, rules: &Ruleset, cards: u64, role: GroupId) {
        seats_in(cards).for_each(|card| self.change(rules, card, |thing| thing.group = role));
    }

    fn change(&mut self, rules: &Ruleset, card: usize, change: impl Fn(&mut Thing)) {
        let seat = self.things[card].seat;
        if let Some(seat) = seat {
            self.at[usize::from(seat)] &= !(1 << card);
            self.leave_groups(rules, card, seat);
        }
        change(&mut self.things[card]);
        if let Some(seat) = seat {
            self.at[usize::from(seat)] |= 1 << card;
            self.join_groups(rules, card);
        }
    }

    /// A card that came to lie at a seat puts the seat into its groups.
    fn join_groups(&mut self, rules: &Ruleset, card: usize) {
        let thing = &self.things[card];
        let Some(seat) = thing.seat else { return };
        let kind = (card < usize::from(self.cast), thing.zone == self.role_zone);
        join(&mut self.groups, rules, thing, kind, seat);
    }

    /// A card that left a seat takes the seat out of its groups, unless another one there keeps it in.
    fn leave_groups(&mut self, rules: &Ruleset, card: usize, seat: u8) {
        let thing = self.things[card];
        if card < usize::from(self.cast) {
            let groups = &rules.roles[thing.group.index()].groups;
            groups
                .iter()
                .for_each(|group| self.groups[group.index()] &= !(1 << seat));
        } else {
            let groups = [Some(thing.group), thing.face];
            groups
                .into_iter()
                .flatten()
                .for_each(|group| self.groups[group.index()] &= !(1 << seat));
        }
        seats_in(self.at[usize::from(seat)]).for_each(|other| self.join_groups(rules, other));
    }
}

/// Puts a seat into the groups of what lies there; cards of the cast count in role zones alone.
#[inline(always)]
fn join(groups: &mut [u64], rules: &Ruleset, thing: &Thing, (of_cast, in_role_zone): (bool, bool), seat: u8) {
    let seat = 1 << seat;
    if !of_cast {
        for group in [Some(thing.group), thing.face].into_iter().flatten() {
            groups[group.index()] |= seat;
        }
    } else if in_role_zone {
        for group in &rules.roles[thing.group.index()].groups {
            groups[group.index()] |= seat;
        }
    }
}

fn new_thing(group: GroupId, face: Option<GroupId>) -> Thing {
    Thing {
        group,
        cast_as: group,
        face,
        zone: None,
        seat: None,
        height: 0,
    }
}

/// All copies of all tokens.
fn tokens(rules: &Ruleset) -> impl Iterator<Item = Thing> {
    rules.tokens.iter().flat_map(|token| {
        let faces = token
            .faces
            .iter()
            .map(|&face| Some(face))
            .chain(token.faces.is_empty().then_some(None));
        faces.flat_map(move |face| (0..token.copies).map(move |_| new_thing(token.group, face)))
    })
}

/// A role or team as a set of one title.
#[inline]
pub(super) fn title_bit(title: GroupId) -> u64 {
    1u64.checked_shl(u32::from(title.0)).unwrap_or(0)
}

/// The teams of the roles of a set of titles; a team is its own.
#[inline(never)]
pub(super) fn teams_of(rules: &Ruleset, titles: u64) -> u64 {
    let team = |title: usize| match title < rules.roles.len() {
        true => team_bit(rules, GroupId(title as u16)),
        false => 1 << title,
    };
    seats_in(titles).fold(0, |set, title| set | team(title))
}

/// The roles among the titles, and all roles of the teams among them.
#[inline(never)]
pub(super) fn roles_under(rules: &Ruleset, titles: u64) -> u64 {
    let is_under = |role: &usize| (1 << role | team_bit(rules, GroupId(*role as u16))) & titles != 0;
    (0..rules.roles.len())
        .filter(is_under)
        .fold(0, |set, role| set | 1 << role)
}

#[inline]
fn team_bit(rules: &Ruleset, role: GroupId) -> u64 {
    rules.roles[role.index()].team.map_or(0, title_bit)
}
