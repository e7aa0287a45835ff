//! Which games of a seat's possible worlds may be one: those from which all goes on alike, and in which the same
//! cards lie at the same seats.

use crate::{
    calls::{Calls, Company},
    key::{Form, Keys, pack},
    table::print,
};
use omerta_core::rules::Ruleset;
use omerta_engine::{Game, Position, Viewer};
use omerta_play::{
    chances::Players,
    session::Session,
    worlds::{Alike, Effort, Far, Inquiry, NoWorlds, Recall, Worlds},
};
use std::cell::RefCell;

/// So many answers are tried for each world that may be kept.
const STEPS: usize = 32;

/// Words that two games share from which all goes on alike and whose cards lie alike. Nothing where the rules ask
/// scripts: nobody knows what these read.
pub fn alike(rules: &Ruleset, seats: u8, company: Company) -> Option<impl Fn(&Game) -> Vec<u64> + use<>> {
    if !rules.hooks.is_empty() {
        return None;
    }
    let keys = Keys::of(&Calls::of(rules, company), usize::from(seats), false);
    let desk = RefCell::new((Position::default(), Form::default()));
    Some(move |game: &Game| {
        let (position, form) = &mut *desk.borrow_mut();
        let mut words: Vec<u64> = { 0..seats }.map(|seat| game.look().roles_of(1 << seat)).collect();
        if game.stand(position) {
            keys.canonical(position, form);
            pack(position, &mut words);
        }
        let (one, other) = print(&words);
        vec![one, other]
    })
}

/// What a viewer can know of a game: the worlds that fit, of which no more than so many are kept at a time. `stop` hears how
/// far it is and says that it is enough; what was found of another game is used where there is something.
pub fn worlds(
    session: &Session,
    viewer: Viewer,
    players: &Players,
    most: usize,
    (stop, recall): (&dyn Fn(Far) -> bool, Option<&Recall>),
) -> Result<Worlds, NoWorlds> {
    let (rules, seats) = (&session.table().rules, session.game().look().seats());
    let company = Company {
        offers: (true, true),
        policies: (0..rules.policies.len()).collect(),
    };
    let alike = alike(rules, seats, company);
    let search = Effort {
        players,
        alike: alike.as_ref().map(|alike| alike as Alike<'_>),
        most,
        steps: most.saturating_mul(STEPS),
        traced: false,
        seed: Some(session.table().seed.unwrap_or_default()),
        stop,
        recall,
    };
    let inquiry = Inquiry {
        session,
        viewer,
        search,
    };
    inquiry.worlds()
}
