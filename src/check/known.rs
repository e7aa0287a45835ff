//! What an instruction gives, where that is known before a game is played: by what it reads, and by the cards that are in
//! the game. A game knows its cards when it begins, and most rules name roles that no card of it has.

use omerta_core::rules::{GroupId, Op, PlannedCast, Reg, Ruleset};

/// What is known of the cards of a game, whatever happens in it.
pub(super) struct Deck {
    /// By group: whether anybody may ever be in it.
    groups: Vec<bool>,
    /// The titles of each card as it was put in: its role, and the team of that.
    titles: Vec<u64>,
}

impl Deck {
    /// The cards of a cast, those that rules may turn them into, and all tokens.
    pub(super) fn of(rules: &Ruleset, cast: &PlannedCast) -> Deck {
        let mut groups = vec![false; rules.groups.len()];
        let turned = { rules.code.iter() }.flat_map(|op| match *op {
            Op::Turn { role, .. } => role.index()..role.index() + 1,
            Op::TurnInto { .. } => 0..rules.roles.len(),
            _ => 0..0,
        });
        let roles = cast.cards.iter().map(|card| card.index()).chain(turned);
        let of_roles = roles.flat_map(|role| &rules.roles[role].groups);
        let of_tokens = { rules.tokens.iter() }.flat_map(|token| token.faces.iter().chain([&token.group]));
        for group in of_roles.chain(of_tokens) {
            groups[group.index()] = true;
        }
        let titles = |card: &GroupId| bit(*card) | rules.roles[card.index()].team.map_or(0, bit);
        let titles = cast.cards.iter().map(titles).collect();
        Deck { groups, titles }
    }

    /// Whether nobody is ever in a group.
    fn lacks(&self, group: GroupId) -> bool {
        self.groups.get(group.index()) == Some(&false)
    }

    /// How many cards of some titles were put in.
    fn copies(&self, titles: u64) -> u64 {
        self.titles.iter().filter(|card| *card & titles != 0).count() as u64
    }
}

fn bit(title: GroupId) -> u64 {
    1_u64.checked_shl(u32::from(title.0)).unwrap_or(0)
}

/// The word that an instruction gives, by the words that are known of the registers that it reads.
pub(super) fn word(
    (rules, deck): (&Ruleset, Option<&Deck>),
    op: &Op,
    known: &impl Fn(Reg) -> Option<u64>,
) -> Option<u64> {
    let is_none = |reg: Reg| known(reg) == Some(0);
    let lacks = |group: GroupId| deck.is_some_and(|deck| deck.lacks(group));
    let lacks_all = |titles: u64| (0..64).all(|title| titles >> title & 1 == 0 || lacks(GroupId(title)));
    Some(match *op {
        Op::Small { value, .. } => i64::from(value) as u64,
        Op::Const { index, .. } => rules.constants[usize::from(index)],
        Op::Copy { from, .. } => known(from)?,
        Op::Equal { a, b, .. } => u64::from(known(a)? == known(b)?),
        Op::Less { a, b, .. } => u64::from((known(a)? as i64) < known(b)? as i64),
        Op::Some { of, .. } => u64::from(known(of)? != 0),
        Op::Empty { of, .. } | Op::Not { a: of, .. } => u64::from(known(of)? == 0),
        Op::And { a, b, .. } | Op::Within { a, b, .. } if is_none(a) || is_none(b) => 0,
        Op::Without { a: of, .. }
        | Op::Size { of, .. }
        | Op::LinkOf { of, .. }
        | Op::BackLink { of, .. }
        | Op::SeatsOf { cards: of, .. }
            if is_none(of) =>
        {
            0
        }
        Op::Group { group, .. } | Op::GroupOutside { group, .. } | Op::CardsOf { group, .. }
            if lacks(group) =>
        {
            0
        }
        Op::Holders { titles, .. } if lacks_all(known(titles)?) => 0,
        Op::Copies { titles, .. } => deck?.copies(known(titles)?),
        _ => return None,
    })
}
