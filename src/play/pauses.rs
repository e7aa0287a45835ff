//! What is open to a seat while others are waited for. Two games are compared by it between two things that reach the seat
//! in both.

use crate::words::{Words, listed};
use omerta_core::rules::OfferId;
use omerta_engine::{Domain, Game};

/// What is open to a seat, and among what.
pub type Open = Vec<(OfferId, String)>;

/// The game waits for somebody else.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    /// How much had reached the seat.
    pub heard: usize,
    pub open: Open,
}

impl Pause {
    /// The pause at which a game stands, if it does and the seat itself is not asked.
    pub fn of(game: &Game, words: &Words<'_>, seat: u8, heard: usize) -> Option<Pause> {
        let asked = game.asked()?;
        if !asked.host && asked.who >> seat & 1 == 1 {
            return None;
        }
        let own = { game.offers().into_iter() }.filter(|open| open.by == Some(seat));
        let open = own.map(|open| {
            let among = match open.among {
                // Which cards somebody holds is no secret to him.
                None | Some(Domain::Cards { .. }) => String::new(),
                Some(domain) => words.among(game, domain),
            };
            (open.offer, among)
        });
        Some(Pause {
            heard,
            open: open.collect(),
        })
    }
}

/// What is open, in words.
pub(crate) fn in_words(open: &Open, words: &Words<'_>) -> String {
    let one = |(offer, among): &(OfferId, String)| match &words.rules.offers[offer.index()].name {
        name if among.is_empty() => name.clone(),
        name => format!("{name} ({among})"),
    };
    match open.is_empty() {
        true => "nothing".to_owned(),
        false => listed(open.iter().map(one).collect(), "and"),
    }
}

/// Where two games differ to a seat, behind so much that had reached it.
pub(crate) struct Apart {
    pub heard: usize,
    /// What is open in each: where nothing changes, as before.
    pub open: [Open; 2],
    /// An offer that is open in one of them and not in the other, or not among the same.
    pub offer: OfferId,
}

/// The first change of what is open that comes in one game and not in the other before the next thing that reaches the
/// seat in both, of which so much is the same. That somebody is waited for while nothing changes is no sign: how long
/// it is quiet is in the hands of the host.
pub(crate) fn apart(pauses: [&[Pause]; 2], same: usize) -> Option<Apart> {
    let mut before = Open::new();
    (0..same).find_map(|heard| {
        let [one, other] = pauses.map(|pauses| shown(pauses, heard, &before));
        let at = { one.iter().zip(&other) }
            .take_while(|(one, other)| one == other)
            .count();
        let open = [&one, &other].map(|shown| shown.get(at).or(shown.last()).unwrap_or(&before).clone());
        before = one.last().cloned().unwrap_or_else(|| before.clone());
        let differ = at < one.len().max(other.len());
        let offer = differ.then(|| differing(&open)).flatten()?;
        Some(Apart { heard, open, offer })
    })
}

fn differing([one, other]: &[Open; 2]) -> Option<OfferId> {
    let alone = one.iter().find(|open| !other.contains(open));
    let alone = alone.or(other.iter().find(|open| !one.contains(open)));
    alone.map(|(offer, _)| *offer)
}

/// What comes to be open behind so much that has reached the seat, one after the other.
fn shown(pauses: &[Pause], heard: usize, before: &Open) -> Vec<Open> {
    let from = pauses.partition_point(|pause| pause.heard < heard);
    let mut shown: Vec<Open> = Vec::new();
    for pause in pauses[from..].iter().take_while(|pause| pause.heard == heard) {
        if shown.last().unwrap_or(before) != &pause.open {
            shown.push(pause.open.clone());
        }
    }
    shown
}
