//! What a seat knows by a clue that nobody told it: of all games that fit what it was told, those that show the same clue.

use super::{game::Seated, plan::Plan};
use omerta_core::rules::{GroupId, GroupKind};
use omerta_engine::{Choice, Viewer};
use omerta_play::{
    leak::{Leak, shown},
    session::Session,
    words::listed,
    worlds::{World, all_fitting},
};

/// More games than this, and more answers between two tellings, are not looked at: then nothing is said of them.
const MOST: (usize, usize) = (3_000, 30_000);
/// So much is said of what is known.
const FACTS: usize = 2;

/// What becomes known in each of the games of a leak, in words; nothing where nothing does for certain, or the time is up.
pub fn known(plan: &Plan, seated: &Seated, leak: &Leak) -> [Option<String>; 2] {
    let heard = leak.known.len();
    let shows = |answers: &[Choice]| shown(&seated.table, leak.seat, answers, heard);
    let fitting = |game: usize| {
        let (session, _) = Session::replay(seated.table.clone(), &leak.games[game], &[]).ok()?;
        Some(
            all_fitting(&session, Viewer::Seat(leak.seat), MOST, &|_| plan.is_late())
                .ok()?
                .worlds,
        )
    };
    let [Some(one), Some(other)] = [0, 1].map(fitting) else {
        return [None, None];
    };
    let told: Vec<&World> = one.iter().chain(&other).collect();
    [(0, &one), (1, &other)].map(|(game, fit)| {
        let clue = shows(&leak.games[game]);
        let left: Vec<&World> = { fit.iter() }
            .filter(|world| shows(&world.answers) == clue)
            .collect();
        let facts = facts(seated, leak.seat, [&told, &left]);
        (!facts.is_empty()).then(|| listed(facts, "and"))
    })
}

/// What holds in all games that are left, and not in all that fit what was told.
fn facts(seated: &Seated, own: u8, [told, left]: [&[&World]; 2]) -> Vec<String> {
    let rules = &seated.table.rules;
    let words = seated.table.words();
    let titles = rules.groups.iter().enumerate();
    let titles = titles.filter(|(_, group)| group.kind == GroupKind::Role);
    let titles: Vec<(GroupId, &str)> = { titles }
        .map(|(index, group)| (GroupId(index as u16), group.name.as_str()))
        .collect();
    let always = |holds: &dyn Fn(&World) -> bool| {
        left.iter().all(|world| holds(world)) && !told.iter().all(|world| holds(world))
    };
    let mut facts = Vec::new();
    for &(title, name) in &titles {
        let held = |world: &World| world.game.look().group(title) != 0;
        if always(&|world| !held(world)) {
            facts.push(format!("that nobody holds {name}"));
        } else if always(&held) {
            facts.push(format!("that somebody holds {name}"));
        }
    }
    for seat in (0..words.names.len() as u8).filter(|seat| *seat != own) {
        let holds = |title: GroupId| move |world: &World| world.game.look().group(title) >> seat & 1 == 1;
        let name = words.seat(seat);
        match titles.iter().find(|(title, _)| always(&holds(*title))) {
            Some((_, role)) => facts.push(format!("that {name} is {role}")),
            None => {
                let never = titles
                    .iter()
                    .filter(|(title, _)| always(&|world| !holds(*title)(world)));
                facts.extend(never.map(|(_, role)| format!("that {name} is not {role}")));
            }
        }
    }
    facts.truncate(FACTS);
    facts
}
