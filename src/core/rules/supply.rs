//! Which cards may stand in for which: whether cards can be put into a cast, each for one that it
//! replaces, whether a cast comes of a table in that way, and which roles come of a row for several.

use super::{Cast, CastColumn, GroupId, Ruleset};

impl Cast {
    /// The column for so many players.
    pub fn column(&self, players: usize) -> Option<&CastColumn> {
        let fits =
            |column: &&CastColumn| (usize::from(column.from)..=usize::from(column.to)).contains(&players);
        self.columns.iter().find(fits)
    }
}

impl CastColumn {
    /// Its cards, role by role: the counted ones, then the rest up to so many cards in all.
    pub fn cards(&self, total: usize) -> Vec<GroupId> {
        let counted = self
            .cards
            .iter()
            .flat_map(|(role, count)| std::iter::repeat_n(*role, usize::from(*count)));
        let mut cards: Vec<GroupId> = counted.collect();
        if let Some(rest) = self.rest {
            let missing = total.saturating_sub(cards.len());
            cards.extend(std::iter::repeat_n(rest, missing));
        }
        cards
    }
}

impl Ruleset {
    /// Whether a card of a table may be any role of a team or a class, and which one is still to be drawn.
    pub fn is_open(&self, card: GroupId) -> bool {
        card.index() >= self.roles.len()
    }

    /// Draws a role for each open card, none that is there already; `pick` gives a number below another.
    /// `None` where there are too few.
    pub fn drawn(&self, cast: &[GroupId], mut pick: impl FnMut(usize) -> usize) -> Option<Vec<GroupId>> {
        let mut cards = cast.to_vec();
        for at in (0..cards.len()).filter(|at| self.is_open(cast[*at])) {
            let with = |role: GroupId| {
                let mut cards = cards.clone();
                cards[at] = role;
                cards
            };
            let roles = self.role_ids();
            let fits = |role: &GroupId| {
                self.is_of(*role, cards[at]) && !cards.contains(role) && self.can_be_drawn(&with(*role))
            };
            let roles: Vec<GroupId> = roles.filter(fits).collect();
            cards[at] = *roles.get(pick(roles.len().max(1)))?;
        }
        Some(cards)
    }

    /// Whether there are roles enough for the open cards of a cast.
    pub fn can_be_drawn(&self, cast: &[GroupId]) -> bool {
        let open: Vec<GroupId> = { cast.iter() }
            .copied()
            .filter(|card| self.is_open(*card))
            .collect();
        let may = |card: usize, role: usize| {
            let role = GroupId(role as u16);
            self.is_of(role, open[card]) && !cast.contains(&role)
        };
        matched(open.len(), self.roles.len(), &may).is_ok()
    }

    /// Whether a cast is that of a table, with roles drawn for its open cards.
    pub fn is_drawn_from(&self, table: &[GroupId], cast: &[GroupId]) -> bool {
        let may = |card: usize, place: usize| self.is_of(cast[card], table[place]);
        cast.len() == table.len() && matched(cast.len(), table.len(), &may).is_ok()
    }

    /// Puts cards into a cast, each for one that it may stand in for: one for one, so that all of them
    /// find a place whenever that is possible at all. Otherwise one that finds none.
    pub fn put_in(&self, cast: &[GroupId], others: &[GroupId]) -> Result<Vec<GroupId>, GroupId> {
        let may = |other: usize, card: usize| self.may_replace(others, other, cast[card]);
        let taken = matched(others.len(), cast.len(), &may).map_err(|other| others[other])?;
        let card = |(taken, card): (&Option<usize>, &GroupId)| taken.map_or(*card, |other| others[other]);
        Ok(taken.iter().zip(cast).map(card).collect())
    }

    /// Whether a cast is that of a table with cards put in, each for one that it may stand in for; if
    /// not, a card for which the table has no room.
    pub fn comes_of(&self, table: &[GroupId], cast: &[GroupId]) -> Result<(), GroupId> {
        // Cards that the table has, too, look for their places first: so what finds none was put in.
        let mut left = table.to_vec();
        let (mut kept, mut others) = (Vec::new(), Vec::new());
        for card in cast {
            match left.iter().position(|other| other == card) {
                Some(at) => {
                    left.swap_remove(at);
                    kept.push(*card);
                }
                None => others.push(*card),
            }
        }
        let all: Vec<GroupId> = kept.into_iter().chain(others).collect();
        let may = |card: usize, place: usize| {
            self.is_of(all[card], table[place])
                || self.may_come_in(&all, card, table) && self.may_replace(&all, card, table[place])
        };
        matched(all.len(), table.len(), &may)
            .map(|_| ())
            .map_err(|card| all[card])
    }

    /// Whether one of several cards may be one that was put in: of a role with a limit there are only so
    /// many to put in as the table leaves over, and a card that was taken out is out.
    fn may_come_in(&self, cards: &[GroupId], card: usize, table: &[GroupId]) -> bool {
        let role = cards[card];
        let count = |cards: &[GroupId]| cards.iter().filter(|other| **other == role).count();
        let limit = self.roles.get(role.index()).and_then(|role| role.limit);
        limit.is_none_or(|limit| {
            let left_over = usize::from(limit).saturating_sub(count(table));
            count(&cards[..card]) + left_over >= count(cards)
        })
    }

    /// Whether one of several cards may stand in for another: for that role, its team or one of its
    /// classes, as the list for so many cards of the one says.
    pub fn may_replace(&self, others: &[GroupId], other: usize, card: GroupId) -> bool {
        let role = others[other];
        let lists = self
            .roles
            .get(role.index())
            .map_or(&[][..], |role| &role.replaces[..]);
        let copy = others[..other].iter().filter(|before| **before == role).count();
        let list = lists.get(copy).or(lists.last());
        list.is_some_and(|list| list.iter().any(|group| self.is_of(card, *group)))
    }

    /// Whether a role is that role, or of that team or class.
    pub fn is_of(&self, role: GroupId, group: GroupId) -> bool {
        let groups = self
            .roles
            .get(role.index())
            .map_or(&[][..], |role| &role.groups[..]);
        role == group || groups.contains(&group)
    }
}

/// For each place which of the others has taken it; or one of the others that finds none.
fn matched(
    others: usize,
    places: usize,
    may: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<Option<usize>>, usize> {
    let mut matching = Matching {
        may,
        taken: vec![None; places],
    };
    for other in 0..others {
        if !matching.place(other, &mut vec![false; places]) {
            return Err(other);
        }
    }
    Ok(matching.taken)
}

/// A matching that grows by one path at a time.
struct Matching<'a> {
    may: &'a dyn Fn(usize, usize) -> bool,
    /// Which of the others has taken a place.
    taken: Vec<Option<usize>>,
}

impl Matching<'_> {
    /// Finds a place, moving those that have one where that helps. The depth is bounded by the places.
    fn place(&mut self, other: usize, seen: &mut [bool]) -> bool {
        for place in 0..self.taken.len() {
            if seen[place] || !(self.may)(other, place) {
                continue;
            }
            seen[place] = true;
            let free = match self.taken[place] {
                None => true,
                Some(rival) => self.place(rival, seen),
            };
            if free {
                self.taken[place] = Some(other);
                return true;
            }
        }
        false
    }
}
