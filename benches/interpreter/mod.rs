//! The ten-seat game as a ruleset, played by the interpreter.

use std::{cell::RefCell, sync::Arc};

use omerta_check::{Request, check_ruleset};
use omerta_core::source::{Loaded, Loader, Sources, Span};
use omerta_engine::{Game, Listener, Log, LogMark, NoHooks, Pending, Silence};
use omerta_play::{chance::Chance, deal, policy::Policy};
use omerta_workbench::bundle::Shelf;

use crate::by_hand::Winner;

const RULES: &str = include_str!("../ten_seats.mafia");

struct Here;

impl Loader for Here {
    fn load(&self, path: &str) -> Option<Loaded> {
        if path == "ten" {
            return Some(Loaded {
                name: "ten_seats.mafia".to_owned(),
                text: RULES.to_owned(),
            });
        }
        Shelf::default().load(path)
    }

    fn names(&self) -> Vec<String> {
        vec!["ten".to_owned()]
    }
}

/// A game at its first pause, and one to play on.
struct Table {
    fresh: Game,
    game: Game,
    /// What happened before the first pause, and then in the game.
    log: Log,
    begun: LogMark,
    /// The ending that says the town has won.
    town: u16,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::new(table());
}

fn table() -> Table {
    let mut sources = Sources::default();
    let request = Request {
        root: "ten",
        overlays: &[],
        options: &[],
    };
    let checked = check_ruleset(&mut sources, &Here, &request);
    let rules = Arc::new(checked.rules.expect("the game is sound"));
    let cast = deal::from_table(&rules, None, 10, Span::default()).expect("a cast for ten");
    let town = rules
        .endings
        .iter()
        .position(|e| e.name == "no living Mafia")
        .expect("the town can win");
    let mut log = Log::default();
    let fresh = Game::start(rules, Arc::new(NoHooks), 10, &cast, &mut log).expect("ten seats");
    Table {
        game: fresh.clone(),
        fresh,
        begun: log.mark(),
        log,
        town: town as u16,
    }
}

/// One game with random answers and random chance.
pub fn play(chance: &mut Chance) -> Winner {
    TABLE.with_borrow_mut(|table| play_heard(&table.fresh, &mut table.game, table.town, &mut Silence, chance))
}

/// The same with everything that happens written down: events with their audiences and causes.
pub fn play_with_log(chance: &mut Chance) -> Winner {
    TABLE.with_borrow_mut(|table| {
        table.log.back_to(&table.begun);
        play_heard(&table.fresh, &mut table.game, table.town, &mut table.log, chance)
    })
}

fn play_heard(
    fresh: &Game,
    game: &mut Game,
    town: u16,
    listener: &mut impl Listener,
    chance: &mut Chance,
) -> Winner {
    game.clone_from(fresh);
    let policy = Policy::default();
    policy.play(game, chance, listener, u64::MAX);
    match game.pending() {
        Pending::Over(outcome) if outcome.ending.is_some_and(|e| e.0 == town) => Winner::Town,
        Pending::Over(_) => Winner::Mafia,
        other => panic!("the game stopped at {other:?}"),
    }
}
