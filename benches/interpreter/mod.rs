//! The ten-seat game as a ruleset, played by the interpreter.

use std::{cell::RefCell, sync::Arc};

use omerta::{
    check::{Request, check_ruleset},
    engine::{Game, NoHooks, Pending, Silence},
    faces::bundle::Shelf,
    play::{chance::Chance, deal, policy::Policy},
    source::{Loaded, Loader, Sources, Span},
};

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
    let fresh = Game::start(rules, Arc::new(NoHooks), 10, &cast, &mut Silence).expect("ten seats");
    Table {
        game: fresh.clone(),
        fresh,
        town: town as u16,
    }
}

/// One game with random answers and random chance.
pub fn play(chance: &mut Chance) -> Winner {
    TABLE.with_borrow_mut(|table| {
        let Table { fresh, game, town } = table;
        game.clone_from(fresh);
        let policy = Policy::default();
        while let Some(choice) = policy.choose(game, chance) {
            game.apply(choice, &mut Silence)
                .expect("the policy answers within the rules");
        }
        match game.pending() {
            Pending::Over(outcome) if outcome.ending.is_some_and(|e| e.0 == *town) => Winner::Town,
            Pending::Over(_) => Winner::Mafia,
            other => panic!("the game stopped at {other:?}"),
        }
    })
}
