//! What the games written by hand share: sets of seats, the deal, and the draws of random players.

use omerta_play::chance::Chance;

/// A set of seats.
pub type Seats = u16;

/// Deals a deck, so many cards of each sort; gives who holds which.
pub fn deal<const SORTS: usize>(cast: &[(&str, usize); SORTS], chance: &mut Chance) -> [Seats; SORTS] {
    let cards: usize = cast.iter().map(|(_, count)| count).sum();
    let mut deck: u64 = (1 << cards) - 1;
    let mut holders = [0; SORTS];
    for seat in 0..cards {
        let card = chance.pick_bit(deck);
        deck &= !(1 << card);
        holders[sort_of(cast, card as usize)] |= 1 << seat;
    }
    holders
}

/// The place in the cast of a card of the deck.
fn sort_of(cast: &[(&str, usize)], mut card: usize) -> usize {
    for (sort, (_, count)) in cast.iter().enumerate() {
        match card.checked_sub(*count) {
            Some(rest) => card = rest,
            None => return sort,
        }
    }
    unreachable!("the deck has no more cards than the cast")
}

/// One of a set that is not empty.
pub fn one_of(among: Seats, chance: &mut Chance) -> Seats {
    1 << chance.pick_bit(u64::from(among))
}

/// One of a set or nobody, each as likely as any other.
pub fn one_or_nobody(among: Seats, chance: &mut Chance) -> Seats {
    let count = u64::from(among.count_ones());
    match chance.below(count + 1) == count {
        true => 0,
        false => one_of(among, chance),
    }
}

/// The seats of a set, from the first on.
pub fn each(mut set: Seats) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let seat = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (seat < Seats::BITS as usize).then_some(seat)
    })
}
