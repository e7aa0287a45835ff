//! What the library shows to other programs of rules and of games, with chance by seed and by hand.

use super::Net;
use omerta::{Eyes, Game, Load, Rules, Simulation, Table};
use omerta_workbench::files;
use std::{
    fmt::{self, Write},
    path::Path,
    sync::atomic::AtomicBool,
};

/// Of the bundle.
const BUNDLED: [&str; 7] = [
    "city",
    "town",
    "village",
    "blitz",
    "two-player",
    "sport",
    "vendetta",
];
/// How many answers a game is given at the most.
const ANSWERS: usize = 40;

#[test]
fn the_library_shows_rules_and_games_as_before() {
    let mut net = Net::new("library");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["tests/lang", "tests/sim", "tests/prompt", "tests/rulebook"];
    let files = files
        .map(|folder| files::below(&root.join(folder), "mafia"))
        .concat();
    let paths = files.iter().map(|path| path.display().to_string());
    for name in BUNDLED.map(str::to_owned).into_iter().chain(paths) {
        let subject = name.trim_start_matches(&root.display().to_string()).to_owned();
        match Load::named(&name).load() {
            Err(why) => net.add(&subject, "rules", &format!("{why:?}\n")),
            Ok(rules) => {
                let mut add = |channel: &str, told: Result<String, fmt::Error>| {
                    net.add(&subject, channel, &told.unwrap())
                };
                add("rules", shown(&rules));
                add(
                    "game",
                    played(&rules, &Table::new().players(*rules.players().end()).seed(3)),
                );
                add("by-hand", played(&rules, &Table::new().seed(4).chance_by_hand()));
                add("arena", learnt(&rules));
                let simulation = Simulation::new(Table::new().seed(5), 12).threads(1);
                let numbers = simulation.run(&rules, &|_| {}, &AtomicBool::new(false));
                // A ruleset of a file goes by its path there, and the digest at the end hangs on that.
                let numbers = format!("{numbers:?}\n").replace(&root.display().to_string(), "");
                let counted = numbers
                    .split_once("\\\"digest")
                    .map_or(&numbers[..], |(counted, _)| counted);
                add("numbers", Ok(counted.to_owned()));
            }
        }
    }
    net.holds();
}

fn shown(rules: &Rules) -> Result<String, fmt::Error> {
    let mut out = String::new();
    writeln!(
        out,
        "{:?} {:?} {:?}",
        rules.title(),
        rules.players(),
        rules.overlays()
    )?;
    writeln!(
        out,
        "{:?}\n{:?}\n{:?}",
        rules.options(),
        rules.roles(),
        rules.teams()
    )?;
    writeln!(out, "{:?}", rules.warnings())?;
    Ok(out)
}

fn played(rules: &Rules, table: &Table) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let mut game = match rules.begin(table) {
        Ok(game) => game,
        Err(why) => return Ok(format!("{why:?}\n")),
    };
    for number in 0..ANSWERS {
        writeln!(out, "{:?}\n{:?}\n{:?}", game.asked(), game.legal(), game.offers())?;
        writeln!(
            out,
            "{:?} {:?}",
            game.chances(),
            game.answer("nobody at all").err()
        )?;
        if number % 7 == 6 {
            writeln!(out, "{} {}", game.undo(), game.redo())?;
        }
        if number % 10 == 9 {
            looked(&mut out, &game)?;
            let saved = rules.restore(&game.save());
            writeln!(out, "{}", saved.is_ok_and(|saved| saved.asked() == game.asked()))?;
        }
        // Answers in turn: the last offer, the first and the last that is legal, one at random.
        let (legal, offers) = (game.legal(), game.offers());
        let answer = match number % 4 {
            0 => legal.first(),
            1 => offers.last(),
            2 => legal.last(),
            _ => None,
        };
        match answer.cloned() {
            Some(answer) => writeln!(out, "> {answer:?} {:?}", game.apply(&answer).err())?,
            None => writeln!(out, "> {:?}", game.random_answer())?,
        }
    }
    looked(&mut out, &game)?;
    Ok(out)
}

fn looked(out: &mut String, game: &Game) -> fmt::Result {
    writeln!(out, "{:?} {:?}", game.outcome(), game.fault())?;
    writeln!(out, "{:?}", game.view(Eyes::Host))?;
    for seat in 1..=game.names().len() as u8 {
        writeln!(
            out,
            "{seat} {:?} {:?}",
            game.roles_of(seat),
            game.view(Eyes::Seat(seat))
        )?;
    }
    Ok(())
}

fn learnt(rules: &Rules) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let mut arena = match rules.arena(&Table::new().seed(6)) {
        Ok(arena) => arena,
        Err(why) => return Ok(format!("{why:?}\n")),
    };
    writeln!(
        out,
        "{:?} {} {:?}",
        arena.action_words(),
        arena.width(),
        arena.features()
    )?;
    for _ in 0..ANSWERS {
        writeln!(
            out,
            "{:?} {:?} {:?}",
            arena.turn(),
            arena.legal(),
            arena.chances()
        )?;
        let seats = arena.names().len() as u8;
        for seat in [0, seats - 1] {
            let known = arena.known(seat).iter().enumerate();
            let known: Vec<String> = known
                .filter(|(_, value)| **value != 0)
                .map(|(at, value)| format!("{at}:{value}"))
                .collect();
            writeln!(out, "  {seat} {}", known.join(" "))?;
        }
        writeln!(out, "{:?}", arena.step_at_random())?;
    }
    writeln!(out, "{:?}", arena.outcome())?;
    Ok(out)
}
