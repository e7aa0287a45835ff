//! What is likely, and what somebody can know, in the middle of games of all rulesets; and that it is the same whether
//! games that go on alike are taken for one or not.

use super::{
    Net,
    subjects::{Subject, subjects},
};
use crate::properties::tables::chosen;
use omerta_engine::{Game, Pending, Viewer};
use omerta_exact::{Answers, Players, Record, Value, odds, worlds};
use omerta_play::{
    chance::Chance,
    policy::Policy,
    session::Session,
    strategy::Strategy,
    worlds::{Effort, Inquiry, NoWorlds, Worlds},
};
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Of every so manieth ruleset.
const EVERY: usize = 3;
/// After so many answers it is asked.
const AFTER: [usize; 3] = [0, 5, 14];
/// So many positions are walked, and so many games played where they are not enough.
const WORTH: (usize, u64) = (60, 3);
/// So many worlds are kept.
const WORLDS: usize = 8;
/// So many answers are tried for each world before some are drawn.
const STEPS: usize = 32;
/// So often it is asked whether to go on, and no more.
const PATIENCE: usize = 60;

/// Players at random, who take up offers; the host calls now and then.
fn players() -> Players {
    Players {
        policy: Policy {
            offers_per_thousand: 300,
            calls_per_thousand: 200,
        },
        strategy: Strategy::NONE,
    }
}

/// Whether it is enough: counted, for no clock has a say.
fn enough(asked: &AtomicUsize) -> bool {
    asked.fetch_add(1, Ordering::Relaxed) >= PATIENCE
}

/// What a viewer can know, each game for itself.
fn apart(session: &Session, viewer: Viewer) -> Result<Worlds, NoWorlds> {
    let asked = AtomicUsize::new(0);
    let search = Effort {
        players: &players(),
        alike: None,
        most: WORLDS,
        steps: WORLDS * STEPS,
        traced: false,
        seed: None,
        stop: &|_| enough(&asked),
        recall: None,
        threads: 1,
    };
    Inquiry {
        session,
        viewer,
        search,
    }
    .worlds()
}

/// The cards at each seat, each with its part of all that may be.
fn parts(worlds: &Worlds) -> BTreeMap<Vec<u64>, f64> {
    let (mut parts, mut whole) = (BTreeMap::new(), 0.0);
    for world in &worlds.worlds {
        let look = world.game.look();
        let seats = (0..look.seats()).map(|seat| look.roles_of(1 << seat));
        let weight = world.weight as f64;
        *parts.entry(seats.collect()).or_insert(0.0) += weight;
        whole += weight;
    }
    parts.values_mut().for_each(|part| *part /= whole);
    parts
}

fn told(out: &mut String, found: &Result<Worlds, NoWorlds>) -> fmt::Result {
    match found {
        Err(why) => writeln!(out, "  {why:?}"),
        Ok(worlds) => {
            let drawn = if worlds.sampled { "drawn" } else { "all" };
            writeln!(out, "  {drawn}, ruled out {:?}", worlds.ruled_out)?;
            for (roles, part) in parts(worlds) {
                writeln!(out, "    {roles:?} {part:.4}")?;
            }
            Ok(())
        }
    }
}

fn share(value: &Value) -> String {
    match &value.fraction {
        Some(fraction) => fraction.decimal(5),
        None => format!("about {:.4}", value.between.middle()),
    }
}

fn chances(out: &mut String, answers: &Answers) -> fmt::Result {
    let list = |values: Vec<&Value>| values.into_iter().map(share).collect::<Vec<_>>().join(" ");
    let won = |of: Vec<&Record>| {
        list(
            of.into_iter()
                .flat_map(|one| [&one.held, &one.won, &one.lost])
                .collect(),
        )
    };
    writeln!(out, "  endings {}", list(answers.endings.iter().collect()))?;
    writeln!(out, "  teams {}", won(answers.teams.iter().collect()))?;
    writeln!(out, "  roles {}", won(answers.roles.iter().flatten().collect()))?;
    writeln!(out, "  seats {}", won(answers.seats.iter().collect()))?;
    let rest = [&answers.nobody, &answers.broken, &answers.endless, &answers.open];
    writeln!(out, "  else {}", list(rest.to_vec()))?;
    writeln!(out, "  answers {}", list(answers.answers.iter().collect()))?;
    writeln!(
        out,
        "  scenes {}",
        list(answers.scenes.iter().flatten().collect())
    )
}

/// What is likely from here on.
fn likely(out: &mut String, game: &Game) -> fmt::Result {
    if !matches!(game.pending(), Pending::Ask(_) | Pending::Chance(_)) {
        return Ok(());
    }
    let asked = AtomicUsize::new(0);
    match odds(game, &players(), WORTH, 4, &|| enough(&asked)) {
        None => writeln!(out, "  nothing"),
        Some(odds) => {
            writeln!(out, "  played {:?}", odds.played)?;
            chances(out, &odds.answers)
        }
    }
}

/// A game by random answers, asked of now and then.
fn asked(net: &mut Net, subject: &Subject, otherwise: &mut Vec<String>) -> Option<()> {
    let table = subject.session_table(subject.casts.first()?, 6);
    let seats = table.names.len() as u8;
    let is_open = table.rules.hooks.is_empty();
    let mut session = Session::start(table).ok()?;
    let (mut likely_then, mut possible) = (String::new(), String::new());
    let mut chance = Chance::of_seed(9);
    for given in 0..=AFTER[AFTER.len() - 1] {
        if AFTER.contains(&given) {
            writeln!(likely_then, "after {given}").unwrap();
            likely(&mut likely_then, session.game()).unwrap();
            let viewer = [Viewer::Public, Viewer::Seat(0), Viewer::Seat(seats - 1)][given % 3];
            writeln!(possible, "after {given}, {viewer:?}").unwrap();
            let counted = AtomicUsize::new(0);
            let found = worlds(
                &session,
                viewer,
                &players(),
                (WORLDS, 1),
                (&|_| enough(&counted), None),
            );
            told(&mut possible, &found).unwrap();
            if is_open
                && let Ok(found) = &found
                && !found.sampled
                && let Ok(alone) = apart(&session, viewer)
                && !same(&parts(found), &parts(&alone))
            {
                otherwise.push(format!("{} after {given}, {viewer:?}", subject.name));
            }
        }
        let Some(choice) = chosen(session.game(), chance.bits() as u32) else {
            break;
        };
        session.apply(choice).unwrap();
    }
    net.add(&subject.name, "odds", &likely_then);
    net.add(&subject.name, "worlds", &possible);
    Some(())
}

fn same(one: &BTreeMap<Vec<u64>, f64>, other: &BTreeMap<Vec<u64>, f64>) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((cards, part), (like, of))| cards == like && (part - of).abs() < 1e-9)
}

#[test]
fn what_is_likely_and_what_can_be_known_is_as_before() {
    let mut net = Net::new("chances");
    let mut otherwise = Vec::new();
    for subject in subjects().iter().skip(1).step_by(EVERY) {
        asked(&mut net, subject, &mut otherwise);
    }
    assert_eq!(
        otherwise,
        Vec::<String>::new(),
        "another share where games that go on alike are one"
    );
    net.holds();
}
