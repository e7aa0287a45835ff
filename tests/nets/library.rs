//! What the library shows to other programs of rules and of games, with chance by seed and by hand.

use super::Net;
use omerta::{Counts, Eyes, Game, Load, Numbers, Rules, Scenarios, Simulation, Table};
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
                add("arena", learnt(&rules, false));
                add("arena with offers", learnt(&rules, true));
                add("refused", refused(&rules));
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
        match answer.cloned().or_else(|| game.random_answer()) {
            Some(answer) => writeln!(out, "> {answer:?} {:?}", game.apply(&answer).err())?,
            None => writeln!(out, "> nothing")?,
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

/// Tables at which nothing can be played, or only just, and answers that are none.
fn refused(rules: &Rules) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let (least, most) = rules.players().into_inner();
    let few = |number: u8| Table::new().players(number);
    let role = rules
        .roles()
        .first()
        .map_or(String::new(), |role| role.name.clone());
    let tables = [
        few(0),
        few(least.saturating_sub(1)),
        few(least),
        few(most),
        few(most.saturating_add(1)),
        few(200),
        few(least).cast("Dragon rest"),
        few(least).cast(format!("{role} {most}")),
        few(least).cast(format!("{role} rest")),
        few(least).cast(format!("{role} 300, {role} rest")),
        few(least.saturating_sub(1)).cast(format!("{role} rest")),
        few(most.saturating_add(1)).cast(format!("{role} rest")),
        few(least).cast(""),
        Table::new().names(["Ann"]),
        Table::new().names(["Ann", "", "Bob", "Ann", "Cid"]),
        Table::new().names(["a b", "host", "nobody", "1", "Ann,Bob"]),
    ];
    for table in tables {
        let by_hand = table.clone().chance_by_hand();
        let begun = rules.begin(&by_hand).map(|game| game.names().join(", "));
        let learns = rules.arena(&table).map(|arena| arena.names().len());
        let stop = AtomicBool::new(false);
        let counted = Simulation::new(table, 2).threads(1).run(rules, &|_| {}, &stop);
        let counted = counted.map(|numbers| (numbers.games, numbers.wrong));
        for told in [
            format!("{begun:?}"),
            format!("{learns:?}"),
            format!("{counted:?}"),
        ] {
            writeln!(out, "{told}")?;
        }
    }
    let policy = Simulation::new(few(least), 2).policy("nobody-s").threads(1);
    let counted = policy.run(rules, &|_| {}, &AtomicBool::new(false));
    writeln!(out, "{:?}", counted.err())?;
    for text in ["", "nothing of the kind", "omerta game 1\n"] {
        writeln!(out, "{:?}", rules.restore(text).err())?;
    }
    if let Ok(game) = rules.begin(&few(least)) {
        let kept = game.save();
        // By lines, for a path in it may be longer elsewhere.
        let lines: Vec<&str> = kept.lines().collect();
        for cut in [lines.len() / 3, lines.len() / 2, lines.len() - 1] {
            writeln!(out, "{:?}", rules.restore(&lines[..cut].join("\n")).err())?;
        }
    }
    Ok(out)
}

fn learnt(rules: &Rules, with_offers: bool) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let mut arena = match rules.arena(&Table::new().seed(6)) {
        Ok(arena) => arena,
        Err(why) => return Ok(format!("{why:?}\n")),
    };
    if with_offers {
        arena = arena.with_offers().unwrap();
    }
    let first = arena.legal();
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
    let mut mask = vec![0; arena.actions()];
    arena.mask(&mut mask);
    let marked = (0..arena.actions() as u32).filter(|number| mask[*number as usize] == 1);
    writeln!(out, "{:?} {}", marked.collect::<Vec<_>>(), arena.answered())?;
    for number in [0, 1, u32::MAX] {
        writeln!(
            out,
            "{} {:?}",
            arena.is_legal(number),
            arena.clone().step(number).err()
        )?;
    }
    let again = arena.game().map(|game| (game.asked(), game.outcome()));
    writeln!(out, "{again:?}")?;
    let stands = arena.clone();
    arena.begin_again(6).unwrap();
    writeln!(
        out,
        "{} {} {}",
        arena.is_same(&stands),
        arena.legal() == first,
        arena.seed()
    )?;
    Ok(out)
}

/// Scenarios that hold and that do not, of files, of texts and of those that are no scenarios; runs put together.
#[test]
fn the_library_runs_scenarios_and_puts_runs_together_as_before() {
    let mut net = Net::new("suites");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in [
        "nets/herd/herd.play",
        "lang/seats.play",
        "errors/M0929.play",
        "errors/M0900.play",
        "nowhere.play",
    ] {
        let told = match Scenarios::read(root.join("tests").join(file)) {
            Err(why) => format!("{why:?}\n{why}\n"),
            Ok(suite) => {
                let some = suite.names().first().cloned().unwrap_or_default();
                format!(
                    "{:?}\n{:?}\n{:?}\n{}",
                    suite.names(),
                    suite.run(""),
                    suite.run(&some),
                    suite.run("§").len()
                )
            }
        };
        net.add(file, "tried", &told);
    }
    for (name, text) in [
        ("nothing", ""),
        ("no such rules", "ruleset nobody-s\n\nplay \"x\"\nrun to end\n"),
        (
            "a slip",
            "ruleset city\n\nplay \"x\"\n  seats 8\n  expct number of living is 8\n",
        ),
        (
            "it fails",
            "ruleset city\n\nplay \"x\"\n  seats 8\n  expect number of living is 7\nplay \"y\"\n  seats 8\n  expect number of living is 8\n",
        ),
    ] {
        let suite = Scenarios::text(format!("{name}.play"), text);
        net.add(
            name,
            "tried",
            &format!("{} {:?}\n{:?}", suite.file(), suite.names(), suite.run("")),
        );
    }
    let rules = Load::named("city").load().unwrap();
    let part = |seed: u64, games: u64, number: u64| {
        let simulation = Simulation::new(Table::new().seed(seed), games)
            .threads(1)
            .shard(number, 3);
        simulation
            .run(&rules, &|_| {}, &AtomicBool::new(false))
            .unwrap()
            .run
    };
    let (one, two, three) = (part(1, 9, 1), part(1, 9, 2), part(1, 9, 3));
    let cases = [
        ("all parts", vec![one.clone(), two.clone(), three.clone()]),
        ("in another order", vec![three.clone(), one.clone(), two.clone()]),
        ("one is missing", vec![one.clone(), three.clone()]),
        ("one is there twice", vec![one.clone(), two.clone(), two.clone()]),
        ("another seed", vec![one.clone(), part(2, 9, 2), three.clone()]),
        ("other games", vec![one.clone(), two.clone(), part(1, 12, 3)]),
        (
            "a part that there is not is the last",
            vec![one.clone(), two.clone(), part(1, 9, 7)],
        ),
        ("nothing", Vec::new()),
        ("no run", vec![one[..one.len() / 2].to_owned()]),
    ];
    for (name, runs) in cases {
        let told = match Numbers::merge(runs) {
            Err(why) => format!("{why:?}"),
            Ok(numbers) => {
                let line = |one: &Counts| {
                    let shares = [one.low, one.share, one.high].map(|share| format!("{share:.6}"));
                    format!(
                        "{} {}: {} of {}, {}",
                        one.kind,
                        one.name,
                        one.won,
                        one.held,
                        shares.join(" ")
                    )
                };
                let lines: Vec<String> = numbers.counts.iter().map(line).collect();
                format!(
                    "{} {} {}\n{}",
                    numbers.games,
                    numbers.wrong,
                    numbers.answers,
                    lines.join("\n")
                )
            }
        };
        net.add(name, "merged", &told);
    }
    net.holds();
}
