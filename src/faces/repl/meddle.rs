//! `by hand`: what no rule makes, and what may be typed behind it.

use super::desk::{Desk, Done};
use omerta_core::rules::{Fact, FactShape, GroupId, GroupKind, Kind, Op};
use omerta_engine::{Choice, Deed};
use omerta_play::by_hand::deed;

/// `by hand mark Ann as bitten`
pub fn by_hand(desk: &mut Desk, given: &str) -> Done {
    let (deed, text) = deed(desk.hosted.session.table(), given)?;
    if let Some(text) = text {
        return desk.write(Choice::ByHand(deed), text);
    }
    let unknown = match deed {
        Deed::Turn { role, .. } => undealt(desk, role),
        _ => None,
    };
    let done = desk.give(Choice::ByHand(deed));
    if let (Ok(()), Some(unknown)) = (&done, unknown) {
        desk.tell_news();
        desk.line(unknown);
    }
    done.map_err(|_| match desk.hosted.is_asking() {
        true => format!("`{given}` cannot be done by hand under these rules"),
        false => "by hand something can be done while somebody is asked, and nobody is".to_owned(),
    })
}

/// What there is to know of a card that is made of another, where rules go by the cards that were put into the game.
fn undealt(desk: &Desk, role: GroupId) -> Option<String> {
    let game = desk.game();
    let rules = game.rules();
    let is_counted = rules.code.iter().any(|op| matches!(op, Op::Copies { .. }));
    let unknown = is_counted && game.look().copies(1 << role.0) == 0;
    unknown.then(|| {
        let title = &rules.groups[role.index()].title;
        format!("  no card of {title} was put into this game: a rule that asks for `copies of` one, as before a call, knows of none")
    })
}

/// Sentences for completion; by whom something happens is left to be typed.
pub fn sentences(desk: &Desk) -> Vec<String> {
    let table = desk.hosted.session.table();
    let (rules, seats) = (&table.rules, &table.names);
    let set = |name: String, fact: &Fact| -> Vec<String> {
        let values: Vec<&str> = match fact.shape {
            FactShape::Flag => vec!["yes", "no"],
            _ => fact.words.iter().map(|(word, _)| word.as_str()).collect(),
        };
        match values.is_empty() {
            true => vec![format!("set {name} to")],
            false => values
                .iter()
                .map(|value| format!("set {name} to {value}"))
                .collect(),
        }
    };
    let mut all = Vec::new();
    for seat in seats {
        let roles = rules.groups.iter().filter(|group| group.kind == GroupKind::Role);
        all.extend(roles.map(|role| format!("turn {seat} into {}", role.name)));
        for fact in rules.facts.iter().filter(|fact| !fact.hidden) {
            match fact.shape {
                FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => {
                    all.push(format!("mark {seat} as {}", fact.name));
                    all.push(format!("unmark {seat} as {}", fact.name));
                }
                FactShape::CountOfEach => all.extend(set(format!("{} of {seat}", fact.name), fact)),
                FactShape::Link {
                    to: Kind::Players, ..
                } => {
                    let link = |other: &String| format!("link {seat} to {other} as {}", fact.name);
                    all.extend(seats.iter().map(link));
                    all.push(format!("unlink {seat} as {}", fact.name));
                }
                _ => {}
            }
        }
        let events = rules.events.iter().filter(|event| event.of);
        all.extend(events.map(|event| format!("do {} of {seat}", event.name)));
    }
    let of_the_game = |shape| matches!(shape, FactShape::Flag | FactShape::Count);
    let facts = rules
        .facts
        .iter()
        .filter(|fact| !fact.hidden && of_the_game(fact.shape));
    all.extend(facts.flat_map(|fact| set(fact.name.clone(), fact)));
    all
}
