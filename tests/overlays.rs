//! The modifications in force together: every allowed set of up to three, on both games they are for, is
//! played to its end a hundred times; what cannot be together is refused by name; no order changes anything.

use crate::tables::READ;
use omerta::faces::render::{Format, Style, render};
use omerta_check::{Checked, Request, check_one_of_many};
use omerta_core::{
    rules::{PlannedCast, Ruleset},
    source::{Loaded, Loader, SourceId, Sources, Span},
};
use omerta_engine::{Choice, Domain, Game, Hooks, NoHooks, Open, Pending, Silence};
use omerta_play::{chance::Chance, deal, policy::Policy};
use omerta_workbench::{bundle::Shelf, catalogue};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The games the modifications are for.
const BASES: &[&str] = &["city", "town"];

/// How often each set is played.
const GAMES: u64 = 100;

/// More than any game asks: one that does not end is a mistake.
const MOST_ANSWERS: usize = 200_000;

/// What cannot be played together, whatever else is in force.
const REFUSED: &[(&str, &str)] = &[
    ("blind", "no-leader"),
    ("blind", "simultaneous-shot"),
    ("blind", "unacquainted"),
    ("drug-addict", "blind"),
    ("drug-addict", "renegade"),
    ("drug-addict", "unacquainted"),
    ("extra-card", "no-leader"),
    ("simultaneous-shot", "no-leader"),
];

/// What cannot be played without others.
const NEEDED: &[(&str, &str)] = &[("drug-addict", "extra-hand"), ("drug-addict", "no-leader")];

#[test]
fn any_allowed_three_can_be_played_in_any_order_and_all_others_are_refused() {
    let sets: Vec<(&str, Vec<String>)> = BASES
        .iter()
        .flat_map(|base| sets_for(base).into_iter().map(move |set| (*base, set)))
        .collect();
    assert!(sets.len() > 500, "only {} sets", sets.len());
    // Whoever is free takes the next set.
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let faults: Vec<String> = std::thread::scope(|scope| {
        let worker = || {
            let mut faults = Vec::new();
            while let Some((base, set)) = sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                faults.extend(faults_of(base, set));
            }
            faults
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(20)].join("\n")
    );
}

#[test]
fn modes_that_refuse_each_other_are_told_so_and_no_more() {
    let modes = ["loner".to_owned(), "yakuza".to_owned()];
    let message = lay("vendetta", &modes).unwrap_err();
    assert_eq!(message.matches("error[").count(), 1, "{message}");
    assert!(message.contains("cannot be played together"), "{message}");
}

#[test]
fn each_modification_of_the_list_is_there_and_fits_both_games() {
    for base in BASES {
        assert_eq!(overlays_on(base).len(), 13, "{base}: {:?}", overlays_on(base));
    }
    let games = |entry: &catalogue::Entry| matches!(entry.sort, catalogue::Sort::Ruleset { .. });
    let names: BTreeSet<String> = catalogue::bundled()
        .into_iter()
        .filter(games)
        .map(|game| game.name)
        .collect();
    assert!(names.contains("two-player"), "{names:?}");
}

// ---- Sets ---------------------------------------------------------------------------------------

/// The names of the bundled overlays that fit a base.
fn overlays_on(base: &str) -> Vec<String> {
    let fits = |entry: &catalogue::Entry| match &entry.sort {
        catalogue::Sort::Overlay { bases } => bases.iter().any(|name| name == base),
        _ => false,
    };
    let mut names: Vec<String> = catalogue::bundled()
        .into_iter()
        .filter(fits)
        .map(|overlay| overlay.name)
        .collect();
    names.sort();
    names
}

/// All sets of one, two and three, but those of three with two in them that refuse each other.
fn sets_for(base: &str) -> Vec<Vec<String>> {
    let names = overlays_on(base);
    let mut sets = Vec::new();
    for (a, first) in names.iter().enumerate() {
        sets.push(vec![first.clone()]);
        for (b, second) in names.iter().enumerate().skip(a + 1) {
            sets.push(vec![first.clone(), second.clone()]);
            for third in names.iter().skip(b + 1) {
                let set = vec![first.clone(), second.clone(), third.clone()];
                // Whichever two cannot be together have been refused as a pair.
                if !holds_a_refused_pair(&set) {
                    sets.push(set);
                }
            }
        }
    }
    sets
}

fn has(set: &[String], name: &str) -> bool {
    set.iter().any(|overlay| overlay == name)
}

fn holds_a_refused_pair(set: &[String]) -> bool {
    REFUSED
        .iter()
        .any(|(one, other)| has(set, one) && has(set, other))
}

fn allowed(set: &[String]) -> bool {
    !holds_a_refused_pair(set)
        && NEEDED
            .iter()
            .all(|(one, other)| !has(set, one) || has(set, other))
}

// ---- One set ------------------------------------------------------------------------------------

fn faults_of(base: &str, set: &[String]) -> Vec<String> {
    let title = format!("{base} with {}", set.join(", "));
    // Named in another order than that of the alphabet.
    let named: Vec<String> = set.iter().rev().cloned().collect();
    let rules = match (lay(base, &named), allowed(set)) {
        (Ok(rules), true) => rules,
        (Ok(_), false) => return vec![format!("{title}: should be refused")],
        (Err(message), true) => return vec![format!("{title}:\n{message}")],
        (Err(message), false) => {
            let names_it = message.contains("cannot be played together") || message.contains("needs");
            // What would come of them together is not told.
            let together = ["both change", "comes first", "still uses"];
            let only_that = !holds_a_refused_pair(set) || !together.iter().any(|more| message.contains(more));
            let fault = (!(names_it && only_that))
                .then(|| format!("{title}: refused for another reason:\n{message}"));
            return fault.into_iter().collect();
        }
    };
    let mut faults = Vec::new();
    // They are laid in one order, however they were named; so any order of naming gives these rules.
    if rules.overlays != set {
        faults.push(format!("{title}: laid as {}", rules.overlays.join(", ")));
    }
    let rules = Arc::new(rules);
    let (cast, players) = cast_for(&rules);
    let hooks: Arc<dyn Hooks> = Arc::new(NoHooks);
    let wrong = deal::check(&rules, &hooks, &cast, players, Span::new(SourceId(0), 0, 0));
    faults.extend(wrong.iter().map(|wrong| format!("{title}: {}", wrong.message)));
    // Whatever two do to each other has been met in their own games.
    let games = if set.len() > 2 { GAMES / 4 } else { GAMES };
    let played: Vec<_> = (0..games)
        .map(|number| play(&rules, (&cast, players), number))
        .collect();
    let failed = played.iter().enumerate().find(|(_, played)| played.is_err());
    if let Some((number, Err(fault))) = failed {
        faults.push(format!("{title}, game {number}: {fault}"));
    }
    if let [one, other] = set {
        faults.extend(differs_the_other_way_round(base, [one, other], &rules, &played));
    }
    faults
}

/// How often a game answers, a digest of the answers, how it ends, who wins; or what breaks it.
type Played = Result<(usize, u64, String, u64), String>;

/// Named the other way round a pair gives the same rules, and truly laid the other way round, by names of
/// places that sort so, the same games.
fn differs_the_other_way_round(
    base: &str,
    [one, other]: [&String; 2],
    rules: &Arc<Ruleset>,
    played: &[Played],
) -> Vec<String> {
    let title = format!("{base} with {one}, {other}");
    let mut faults = Vec::new();
    if lay(base, &[one.clone(), other.clone()]).map(|again| again.identity) != Ok(rules.identity) {
        faults.push(format!("{title}: other rules when named the other way round"));
    }
    match lay(base, &[format!("0/{other}"), format!("1/{one}")]).map(Arc::new) {
        Ok(turned) => {
            let (cast, players) = cast_for(&turned);
            let differs = (0..GAMES)
                .step_by(10)
                .find(|&number| play(&turned, (&cast, players), number) != played[number as usize]);
            faults.extend(
                differs.map(|number| format!("{title}: game {number} differs when laid the other way round")),
            );
        }
        Err(message) => faults.push(format!("{title}, laid the other way round:\n{message}")),
    }
    faults
}

/// A loader to which `2/mayor` is `mayor`.
struct Numbered;

impl Loader for Numbered {
    fn load(&self, path: &str) -> Option<Loaded> {
        Shelf::default().load(path.split_once('/').map_or(path, |(_, name)| name))
    }

    fn names(&self) -> Vec<String> {
        Shelf::default().names()
    }
}

fn lay(base: &str, overlays: &[String]) -> Result<Ruleset, String> {
    let mut sources = Sources::default();
    let request = Request {
        root: base,
        overlays,
        options: &[],
    };
    let Checked {
        rules, diagnostics, ..
    } = READ.with(|read| check_one_of_many((&mut sources, read), &Numbered, &request));
    rules.ok_or_else(|| render(&sources, &diagnostics, Format::Human, Style::PLAIN))
}

// ---- One game -----------------------------------------------------------------------------------

/// Plays a game at random.
fn play(rules: &Arc<Ruleset>, (cast, players): (&PlannedCast, usize), number: u64) -> Played {
    let hooks: Arc<dyn Hooks> = Arc::new(NoHooks);
    let mut game = Game::start(rules.clone(), hooks, players as u8, cast, &mut Silence)
        .map_err(|error| format!("{error:?}"))?;
    let (mut chance, mut digest, mut answers) = (Chance::of_game(7, number), DefaultHasher::new(), 0);
    let policy = Policy {
        offers_per_thousand: 300,
        calls_per_thousand: 300,
    };
    while answers < MOST_ANSWERS {
        let choice = match game.open() {
            // Who is asked at every name does not say yes to half of them.
            Open::Ask(Domain::YesNo) if chance.below(4) > 0 => Some(Choice::No),
            _ => policy.choose(&game, &mut chance),
        };
        let Some(choice) = choice else { break };
        match choice {
            // The numbers of offers and roles go by the order of declarations.
            Choice::Offer { by, target, .. } => (by, target).hash(&mut digest),
            Choice::Title(_) => {}
            other => other.hash(&mut digest),
        }
        answers += 1;
        game.apply(choice, &mut Silence)
            .map_err(|illegal| format!("{choice:?} is illegal: {illegal:?}"))?;
    }
    match game.pending() {
        Pending::Over(outcome) => {
            let ending = outcome.ending.map(|ending| rules.ending(ending).name.clone());
            Ok((answers, digest.finish(), format!("{ending:?}"), outcome.winners))
        }
        Pending::Broken(fault) => Err(format!("{fault:?}")),
        _ => Err("it does not end".to_owned()),
    }
}

/// All cards that the rules have, with three of the mafia, so that two of them can lie hidden.
fn cast_for(rules: &Ruleset) -> (PlannedCast, usize) {
    let has = |name: &str| rules.overlays.iter().any(|overlay| overlay == name);
    let wanted: &[(&str, usize)] = if has("drug-addict") {
        &[
            ("Mafioso", 1),
            ("Doctor", 1),
            ("Commissioner", 1),
            ("Civilian", 5),
        ]
    } else {
        &[
            ("Boss", 1),
            ("Mafioso", if rules.group_named("Boss").is_some() { 2 } else { 3 }),
            ("Rival", 1),
            ("Renegade", 1),
            ("Doctor", 1),
            ("Commissioner", 1),
            ("Lover", 1),
            ("Mistress", 1),
            ("Maniac", 1),
            ("Civilian", 1),
        ]
    };
    let cards: Vec<_> = wanted
        .iter()
        .filter_map(|(name, count)| Some((rules.group_named(name)?, *count)))
        .flat_map(|(role, count)| std::iter::repeat_n(role, count))
        .collect();
    let players = cards.len() - usize::from(rules.spare);
    (PlannedCast { cards }, players)
}

/// Endings beside `a` and `b`, which are in no order, and the order in which all are tested.
#[test]
fn endings_are_tested_in_the_order_that_their_words_give() {
    for (beside, wanted) in [
        ("c", "a b c"),
        ("c before all", "c a b"),
        ("c before a", "c a b"),
        ("c before b", "a c b"),
        ("c after a", "a c b"),
        ("c after b", "a b c"),
        ("c after d; d", "a b d c"),
        ("c after d; d before all", "d c a b"),
        ("c before all; d before all", "c d a b"),
        ("c before b; d before b", "a c d b"),
        ("c after a; d after a", "a d c b"),
        ("c after a; d before c", "a d c b"),
        ("c before a; d after c", "c d a b"),
    ] {
        let more = beside
            .split("; ")
            .map(|head| format!("ending {head}: draw when number of players is 9\n"));
        let text = format!(
            "ruleset text\nuse std.table\nplayers 3\ncast {{ players 3; Guest 3 }}\nrole Guest \"a guest\"\nscript {{ play Deal; judge }}\nending a: draw when number of players is 8\nending b: draw when number of players is 7\n{}",
            more.collect::<String>()
        );
        let (_, checked) = crate::errors::check(&text);
        let rules = checked
            .rules
            .unwrap_or_else(|| panic!("{beside}: {:?}", checked.diagnostics));
        let names: Vec<&str> = rules.endings.iter().map(|ending| ending.name.as_str()).collect();
        assert_eq!(names.join(" "), wanted, "{beside}");
    }
}
