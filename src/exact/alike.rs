//! Which games of a seat's possible worlds may be one: those from which all goes on alike, and in which the same
//! cards lie at the same seats.

use crate::{
    calls::{Calls, Company},
    key::{Form, Keys, pack},
    table::{Print, print},
};
use omerta_core::rules::Ruleset;
use omerta_engine::{Game, Position, Viewer};
use omerta_play::{
    chances::Players,
    session::Session,
    worlds::{Effort, Inquiry, NoWorlds, Recall, Stop, Worlds},
};
use std::sync::{Mutex, PoisonError};

/// So many answers are tried for each world that may be kept.
const STEPS: usize = 32;

/// The print that two games share from which all goes on alike and whose cards lie alike. Nothing where the rules ask
/// scripts: nobody knows what these read.
pub fn alike(rules: &Ruleset, seats: u8, company: Company) -> Option<impl Fn(&Game) -> Print + Sync + use<>> {
    if !rules.hooks.is_empty() {
        return None;
    }
    let keys = Keys::of(&Calls::of(rules, company), usize::from(seats), false);
    // One for each thread that asks at the same time.
    let desks: Mutex<Vec<(Position, Form, Vec<u64>)>> = Mutex::default();
    Some(move |game: &Game| {
        let free = || desks.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = free().pop();
        let (mut position, mut form, mut words) = taken.unwrap_or_default();
        words.clear();
        words.extend((0..seats).map(|seat| game.look().roles_of(1 << seat)));
        if game.stand(&mut position) {
            keys.canonical(&mut position, &mut form);
            pack(&position, &mut words);
        }
        let print = print(&words);
        free().push((position, form, words));
        print
    })
}

/// What a viewer can know of a game: the worlds that fit, of which no more than so many are kept at a time, found by so
/// many threads. `stop` hears how far it is and says that it is enough; what was found of another game is used where
/// there is something.
pub fn worlds(
    session: &Session,
    viewer: Viewer,
    players: &Players,
    (most, threads): (usize, usize),
    (stop, recall): (Stop<'_>, Option<&Recall>),
) -> Result<Worlds, NoWorlds> {
    let (rules, seats) = (&session.table().rules, session.game().look().seats());
    let company = Company {
        offers: (true, true),
        policies: (0..rules.policies.len()).collect(),
        hears: true,
    };
    let alike = alike(rules, seats, company);
    let search = Effort {
        players,
        alike: alike.as_ref().map(|alike| alike as _),
        most,
        steps: most.saturating_mul(STEPS),
        traced: false,
        seed: Some(session.table().seed.unwrap_or_default()),
        stop,
        recall,
        threads,
    };
    let inquiry = Inquiry {
        session,
        viewer,
        search,
    };
    inquiry.worlds()
}
