//! Every game can be gone through, repeated, kept, copied and taken back; and whoever is shown
//! something is shown it by a word of the rules.

use super::tables::{Table, cast, chosen, start, tables};
use omerta_core::rules::{OfferId, PlannedCast, SayKind, SeenBy};
use omerta_engine::{
    Audience, Choice, Domain, Game, Illegal, Log, Pending, Silence, State, Target, Viewer, What,
};
use omerta_play::{
    chance::Chance,
    policy::Policy,
    save::Save,
    session,
    ways::{answers, offers},
};
use proptest::{
    collection::vec,
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

/// How many answers a game is given at the most where a fact is tried at every pause.
const ANSWERS: usize = 90;
/// How many answers a random game may take before it counts as endless.
const ENDLESS: usize = 100_000;

/// What is tried of a game: its table, its cast, and the numbers that stand for its answers.
pub struct Play<'a> {
    pub table: &'a Table,
    pub cast: (u8, PlannedCast),
    pub numbers: &'a [u32],
}

type Fact = Result<(), String>;

/// Tries a fact on games at every table; a failing game is made as short as it can be.
#[track_caller]
pub fn holds(games: u32, fact: impl Fn(&Play<'_>) -> Fact) {
    let mut failures = Vec::new();
    for table in tables() {
        let config = Config {
            cases: games,
            failure_persistence: None,
            ..Config::default()
        };
        let stream = TestRng::from_seed(
            RngAlgorithm::ChaCha,
            &table.rules.identity.to_le_bytes().repeat(4),
        );
        let mut runner = TestRunner::new_with_rng(config, stream);
        let tried = runner.run(
            &(any::<u64>(), vec(any::<u32>(), 1..ANSWERS)),
            |(seed, numbers)| {
                let Some(cast) = cast(table, seed) else {
                    return Ok(());
                };
                let play = Play {
                    table,
                    cast,
                    numbers: &numbers,
                };
                fact(&play).map_err(|why| TestCaseError::fail(told(&play, &why)))
            },
        );
        match tried {
            Ok(()) => {}
            Err(TestError::Fail(why, _)) => failures.push(why.message().to_owned()),
            Err(TestError::Abort(why)) => failures.push(format!("{}: {why}", table.name)),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn told(play: &Play<'_>, why: &str) -> String {
    let (seats, cards) = &play.cast;
    let groups = &play.table.rules.groups;
    let cards: Vec<&str> = cards
        .cards
        .iter()
        .map(|card| &*groups[card.index()].name)
        .collect();
    let answers = play.answers();
    format!(
        "{}: {why}\n{seats} seats, {cards:?}\n{answers:?}",
        play.table.name
    )
}

impl Play<'_> {
    fn begin(&self, log: &mut Log) -> Game {
        start(self.table, &self.cast, log)
    }

    /// The answers that the numbers stand for.
    pub fn answers(&self) -> Vec<Choice> {
        let mut game = start(self.table, &self.cast, &mut Silence);
        let answer = |&number: &u32| {
            let choice = chosen(&game, number)?;
            game.apply(choice, &mut Silence).ok()?;
            Some(choice)
        };
        self.numbers.iter().map_while(answer).collect()
    }

    /// What a session begins with.
    pub fn session_table(&self) -> session::Table {
        session::Table {
            rules: self.table.rules.clone(),
            hooks: self.table.hooks.clone(),
            names: (1..=self.cast.0).map(|seat| format!("P{seat}")).collect(),
            cast: self.cast.1.clone(),
            seed: None,
        }
    }

    fn session(&self) -> session::Session {
        session::Session::start(self.session_table()).expect("the game can begin")
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Fact {
    if a == b {
        return Ok(());
    }
    let (a, b) = (format!("{a:?}"), format!("{b:?}"));
    let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let cut = |text: &str| {
        text.chars()
            .skip(at.saturating_sub(80))
            .take(240)
            .collect::<String>()
    };
    Err(format!("{what} differ:\n  …{}\n  …{}", cut(&a), cut(&b)))
}

/// Applies an answer that was found to be legal.
fn give(game: &mut Game, choice: Choice, log: &mut Log) -> Fact {
    let refused = |why: Illegal| format!("{choice:?} is among the answers and is refused: {why:?}");
    game.apply(choice, log).map_err(refused)
}

#[test]
fn rules_of_all_folders_and_pages_are_tried() {
    let laid = |name: &str| tables().iter().filter(|table| table.name.contains(name)).count();
    assert!(laid("") > 60, "{} tables", laid(""));
    let overlaid = tables()
        .iter()
        .filter(|table| !table.rules.overlays.is_empty())
        .count();
    assert!(overlaid > 5, "{overlaid} tables with overlays");
    let set = tables().iter().filter(|table| table.name.contains('=')).count();
    assert!(set > 5, "{set} tables with options set");
}

#[test]
fn something_can_always_be_answered_and_every_game_ends() {
    let mut failures = Vec::new();
    for table in tables() {
        for number in 0..3 {
            let Some(cast) = cast(table, number) else { continue };
            let mut chance = Chance::of_game(7, number);
            // Where only offers move a game on, nobody taking any up is a host who never ends the talk.
            let policy = Policy {
                offers_per_thousand: 40 + 60 * number as u32,
                calls_per_thousand: 40 + 60 * number as u32,
            };
            let mut game = start(table, &cast, &mut Silence);
            let mut given = 0;
            while let Some(choice) = policy.choose(&game, &mut chance) {
                let ways = answers(&game);
                let offered = matches!(choice, Choice::Offer { .. });
                let legal = game.apply(choice, &mut Silence);
                given += 1;
                if legal.is_err() || ways.is_empty() || given > ENDLESS {
                    let why = (choice, legal, ways.len(), given, offered);
                    failures.push(format!("{} game {number}: {why:?}", table.name));
                    break;
                }
            }
            if !matches!(game.pending(), Pending::Over(_)) {
                failures.push(format!(
                    "{} game {number} stops at {:?}",
                    table.name,
                    game.pending()
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn answers_that_are_ready_give_the_same_game_as_answers_that_are_waited_for() {
    let mut failures = Vec::new();
    for (table, number) in tables()
        .iter()
        .zip(0..)
        .flat_map(|(t, n)| [(t, 2 * n), (t, 2 * n + 1)])
    {
        let Some(cast) = cast(table, number) else { continue };
        let policy = Policy {
            offers_per_thousand: 100 * (number % 2) as u32,
            ..Policy::default()
        };
        let (mut heard, mut told) = (Log::default(), Log::default());
        let mut waited = (start(table, &cast, &mut heard), Chance::of_game(9, number));
        let mut ready = (start(table, &cast, &mut Silence), waited.1.clone());
        let mut aloud = (start(table, &cast, &mut told), waited.1.clone());
        for answers in [1, 2, 7, 40, 400] {
            let given = policy.play(&mut ready.0, &mut ready.1, &mut Silence, answers);
            policy.play(&mut aloud.0, &mut aloud.1, &mut told, answers);
            let mut left = given;
            while left > 0 || given < answers {
                let asked = matches!(waited.0.pending(), Pending::Ask(_));
                let Some(choice) = policy.choose(&waited.0, &mut waited.1) else {
                    break;
                };
                let legal = waited.0.apply(choice, &mut heard);
                legal.expect("the policy answers within the rules");
                left -= u64::from(asked);
            }
            let same = waited.0.state() == ready.0.state() && waited.0.state() == aloud.0.state();
            let same_chance = waited.1 == ready.1 && waited.1 == aloud.1;
            if left > 0 || !same || !same_chance || heard != told {
                failures.push(format!("{} game {number}, after {answers} answers", table.name));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_same_answers_give_the_same_game_whether_anybody_listens_or_not() {
    holds(2, |play| {
        let (mut first, mut again, mut still) = (Log::default(), Log::default(), Silence);
        let mut game = play.begin(&mut first);
        let mut quiet = start(play.table, &play.cast, &mut still);
        let given = play.answers();
        for &choice in &given {
            give(&mut game, choice, &mut first)?;
            quiet
                .apply(choice, &mut still)
                .map_err(|why| format!("{why:?}"))?;
            same("a game heard and one unheard", game.state(), quiet.state())?;
        }
        let mut replayed = play.begin(&mut again);
        for &choice in &given {
            give(&mut replayed, choice, &mut again)?;
        }
        same("the states", game.state(), replayed.state())?;
        same("the events", &first, &again)
    });
}

#[test]
fn a_game_that_is_kept_and_read_again_goes_on_as_before() {
    holds(2, |play| {
        let (mut log, mut other) = (Log::default(), Log::default());
        let mut game = play.begin(&mut log);
        let mut read = play.begin(&mut other);
        for (place, choice) in play.answers().into_iter().enumerate() {
            let kept = serde_json::to_string(game.state()).map_err(|why| why.to_string())?;
            let state: State = serde_json::from_str(&kept).map_err(|why| why.to_string())?;
            same("a state and what was read of it", game.state(), &state)?;
            read = Game::restore(play.table.rules.clone(), play.table.hooks.clone(), state);
            // A log grows long, and is the same sort of thing all along.
            if place.is_multiple_of(25) {
                let kept = serde_json::to_string(&log).map_err(|why| why.to_string())?;
                other = serde_json::from_str(&kept).map_err(|why| why.to_string())?;
                same("events and what was read of them", &log, &other)?;
            }
            same("what is pending", &game.pending(), &read.pending())?;
            give(&mut game, choice, &mut log)?;
            give(&mut read, choice, &mut other)?;
        }
        same("the states", game.state(), read.state())?;
        same("the events", &log, &other)
    });
}

#[test]
fn a_save_file_gives_the_game_again() {
    holds(1, |play| {
        let mut session = play.session();
        for choice in play.answers() {
            session.apply(choice).map_err(|why| format!("{why:?}"))?;
        }
        let save = Save::from_text(&Save::of(&session).to_text()).map_err(|why| format!("{why:?}"))?;
        let loaded = save.load(play.table.rules.clone(), play.table.hooks.clone());
        let loaded = loaded.map_err(|why| format!("{why:?}"))?;
        same("the stop", &loaded.stopped, &None)?;
        same(
            "the states",
            session.game().state(),
            loaded.session.game().state(),
        )?;
        same("the events", session.log(), loaded.session.log())
    });
}

#[test]
fn what_is_taken_back_was_never_answered() {
    holds(2, |play| {
        let mut session = play.session();
        for choice in play.answers() {
            let (state, log) = (session.game().state().clone(), session.log().clone());
            session.apply(choice).map_err(|why| format!("{why:?}"))?;
            let after = (session.game().state().clone(), session.log().clone());
            session.undo();
            same("the state after an undo", session.game().state(), &state)?;
            same("the events after an undo", session.log(), &log)?;
            session.redo();
            same("the state after a redo", session.game().state(), &after.0)?;
            same("the events after a redo", session.log(), &after.1)?;
        }
        Ok(())
    });
}

#[test]
fn a_copy_goes_its_own_way() {
    holds(2, |play| {
        let mut log = Log::default();
        let mut game = play.begin(&mut log);
        let mut copy = game.clone();
        for (choice, &number) in play.answers().into_iter().zip(play.numbers) {
            copy.clone_from(&game);
            let fresh = game.clone();
            same("a copy and another", fresh.state(), copy.state())?;
            if let Some(other) = chosen(&copy, number.rotate_left(16)) {
                give(&mut copy, other, &mut Log::default())?;
            }
            same("the state after its copy went on", game.state(), fresh.state())?;
            give(&mut game, choice, &mut log)?;
        }
        Ok(())
    });
}

// ---- refusals

/// Answers of every kind, most of them illegal at any given pause.
fn attempts() -> Vec<Choice> {
    let mut all = vec![Choice::Pass, Choice::Yes, Choice::No, Choice::Go];
    for number in [0, 1, 2, 5, 9, 17, 63, 64, 255] {
        all.extend([
            Choice::Seat(number),
            Choice::Card(number),
            Choice::Title(u16::from(number)),
            Choice::Number(i64::from(number)),
            Choice::Word(u16::from(number)),
        ]);
        for target in [
            Target::Nothing,
            Target::Seat(number),
            Target::Card(1),
            Target::Title(2),
        ] {
            all.push(Choice::Branch {
                branch: number % 7,
                target,
            });
            for by in [None, Some(number)] {
                all.push(Choice::Offer {
                    offer: OfferId(u16::from(number % 8)),
                    by,
                    target,
                });
            }
        }
    }
    all.extend([i64::MIN, -1, i64::MAX].map(Choice::Number));
    all
}

fn domain(pending: &Pending) -> Option<Domain> {
    match pending {
        Pending::Ask(asked) => Some(asked.domain),
        Pending::Chance(drawn) => Some(drawn.domain),
        Pending::Over(_) | Pending::Broken(_) => None,
    }
}

/// Whether a refusal says what would have been legal.
fn names_what_is_legal(why: &Illegal, choice: Choice, pending: &Pending) -> bool {
    let whole = domain(pending);
    match (why, choice) {
        (Illegal::Over, _) => whole.is_none(),
        (Illegal::NoOffer { offer }, Choice::Offer { offer: wanted, .. }) => *offer == wanted,
        (Illegal::Closed { branch }, Choice::Branch { branch: wanted, .. }) => *branch == wanted,
        // Of a branch or an offer, what it picks among.
        (
            Illegal::WrongKind { .. } | Illegal::NotAmong { .. },
            Choice::Branch { .. } | Choice::Offer { .. },
        ) => true,
        (Illegal::WrongKind { wanted } | Illegal::NotAmong { wanted }, _) => Some(*wanted) == whole,
        (Illegal::NoDeed, choice) => matches!(choice, Choice::ByHand(_)),
        (Illegal::NoOffer { .. } | Illegal::Closed { .. }, _) => false,
    }
}

#[test]
fn a_refused_answer_changes_nothing_and_says_what_would_be_legal() {
    let attempts = attempts();
    holds(1, |play| {
        let mut log = Log::default();
        let mut game = play.begin(&mut log);
        for choice in play.answers() {
            let (state, heard, pending) = (game.state().clone(), log.clone(), game.pending());
            let legal = [answers(&game), offers(&game)].concat();
            let mut copy = game.clone();
            for &attempt in &attempts {
                // Of a long row of numbers not all are listed.
                let listed = legal.contains(&attempt) || matches!(attempt, Choice::Number(_));
                match copy.apply(attempt, &mut log) {
                    Ok(()) if listed => {
                        copy.clone_from(&game);
                        log.clone_from(&heard);
                    }
                    Ok(()) => return Err(format!("{attempt:?} is taken at {pending:?}")),
                    Err(why) if legal.contains(&attempt) => {
                        return Err(format!("{attempt:?} is refused at {pending:?}: {why:?}"));
                    }
                    Err(why) if !names_what_is_legal(&why, attempt, &pending) => {
                        return Err(format!("{attempt:?} at {pending:?} is refused with {why:?}"));
                    }
                    Err(_) => {
                        same("the state after a refusal", copy.state(), &state)?;
                        same("the events after a refusal", &log, &heard)?;
                    }
                }
            }
            give(&mut game, choice, &mut log)?;
        }
        Ok(())
    });
}

// ---- audiences

/// Why an event should not be known to a seat, judged by the rules alone; `None` when it may be.
fn unfounded(play: &Play<'_>, what: &What, seat: u8) -> Option<&'static str> {
    let rules = &play.table.rules;
    let is_in = |set: u64| set >> seat & 1 == 1;
    let sees = |zone: omerta_core::rules::ZoneId, at: Option<u8>| match rules.zones[zone.index()].seen_by {
        SeenBy::Nobody => false,
        SeenBy::Owner => at == Some(seat),
        SeenBy::Everybody => true,
        // What a ruleset works out by itself; `leaks` compares it.
        SeenBy::Seats(_) => true,
    };
    let any_zone_seen =
        || (0..rules.zones.len()).any(|zone| sees(omerta_core::rules::ZoneId(zone as u8), Some(seat)));
    match what {
        What::Asked { who, host, .. } if !is_in(*who) || *host => Some("a question to others"),
        What::Answered { site, who, .. } if !rules.ask(*site).openly && !is_in(*who) => {
            Some("an answer of others")
        }
        What::Drew { site, .. } if !rules.draws[site.index()].openly => Some("hidden chance"),
        What::OfferTaken { by, .. } if *by != Some(seat) => Some("what another took up"),
        // Where it comes from is not in the event: it may have been seen there.
        What::Moved { zone, seat: at, .. } if !sees(*zone, *at) && !any_zone_seen() => {
            Some("cards that come from and go to where nobody looks")
        }
        What::SceneBegan { .. }
        | What::SceneEnded { .. }
        | What::SceneNears { .. }
        | What::ScenePassed { .. }
        | What::Performed { .. }
        | What::Occurred { .. }
        | What::Planned { .. }
        | What::Cancelled { .. }
        | What::RuleApplied { .. }
        | What::Marked { .. }
        | What::Unmarked { .. }
        | What::Linked { .. }
        | What::Counted { .. }
        | What::Cleared { .. } => Some("what only the host knows"),
        _ => None,
    }
}

#[test]
fn whoever_learns_of_something_learns_it_by_a_word_of_the_rules() {
    holds(2, |play| {
        let mut log = Log::default();
        let mut game = play.begin(&mut log);
        for choice in play.answers() {
            give(&mut game, choice, &mut log)?;
        }
        for (_, happened) in (0..play.cast.0).flat_map(|seat| log.view(Viewer::Seat(seat))) {
            let What::Said { site, .. } = &happened.what else {
                continue;
            };
            let to_all = play.table.rules.says[site.index()].kind == SayKind::Say;
            if to_all != (happened.audience == Audience::All) {
                return Err(format!("{happened:?} goes to others than its word says"));
            }
        }
        for seat in 0..play.cast.0 {
            for (_, happened) in log.view(Viewer::Seat(seat)) {
                if let Some(why) = unfounded(play, &happened.what, seat) {
                    return Err(format!("seat {seat} learns {why}: {happened:?}"));
                }
            }
        }
        Ok(())
    });
}
