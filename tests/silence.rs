//! A game that nobody listens to, played by players who have answers ready, asks for no memory: not for offers, menus
//! or waits, nor for calls, links and rules that take an event's place.

use crate::properties::tables::{cast, start, tables};
use omerta_engine::Silence;
use omerta_play::{chance::Chance, policy::Policy};

/// How many games of each table are played.
const GAMES: u64 = 3;
/// How many answers a game is given at the most.
const ANSWERS: u64 = 2_000;

#[test]
fn a_silent_game_asks_for_no_memory_once_it_has_begun() {
    let policy = Policy {
        offers_per_thousand: 400,
        calls_per_thousand: 200,
    };
    // Scripts make values of their own, and what people write is kept.
    let plain = tables()
        .iter()
        .filter(|table| table.rules.hooks.is_empty() && !table.rules.lets_write());
    let (mut failures, mut played) = (Vec::new(), 0);
    for (table, number) in plain.flat_map(|table| (0..GAMES).map(move |number| (table, number))) {
        let Some(cast) = cast(table, number) else { continue };
        let mut game = start(table, &cast, &mut Silence);
        let mut chance = Chance::of_game(13, number);
        let mut given = 0;
        let asked = allocation_counter::measure(|| {
            given = policy.play(&mut game, &mut chance, &mut Silence, ANSWERS);
        });
        played += given;
        if asked.count_total > 0 {
            failures.push(format!(
                "{} game {number}: {} times in {given} answers",
                table.name, asked.count_total
            ));
        }
    }
    assert!(played > 1_000, "only {played} answers were given");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
