//! Many games come to what can be worked out on paper, to the same numbers however they are split,
//! and to a refusal where parts do not belong together.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "a share is compared with an exact one"
)]

mod bots;
mod careful;
mod compared;
mod pages;
mod stopped;
mod sure;
mod table;
mod words;

use omerta::faces::sim::{BotWanted, House};
use omerta_core::source::Span;
use omerta_engine::{Choice, Target};
use omerta_measure::sim::{
    End, Goal, Head, Interval, Labels, Limits, MergeError, Orders, RunFile, Shard, Simulator, Tally,
    difference, is_sure, merge, run, wilson,
};
use omerta_play::{chances::Players, deal, policy::Policy, strategy::Strategy};
use omerta_workbench::{ReadyRules, RulesetRequest, Workbench, bundle::Shelf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One in a million such games is further off than this many standard errors.
const FAR: f64 = 4.9;
const SEED: u64 = 7;

fn laid(base: &str) -> ReadyRules {
    let wanted = RulesetRequest {
        base: base.to_owned(),
        ..RulesetRequest::default()
    };
    Workbench::new(Shelf::default()).lay(&wanted).unwrap()
}

fn plain() -> ReadyRules {
    laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/plain.mafia"))
}

/// What programs at the table need not know.
fn players() -> Players {
    Players {
        policy: Policy::default(),
        strategy: Strategy::NONE,
    }
}

fn simulator(laid: &ReadyRules, players: u8, answers: u64) -> Simulator {
    let limits = Limits {
        answers,
        offers_per_thousand: 50,
        calls_per_thousand: 0,
    };
    limited(laid, players, limits)
}

fn limited(laid: &ReadyRules, players: u8, limits: Limits) -> Simulator {
    let rules = laid.bench.rules.clone();
    let cast = deal::from_table(&rules, None, usize::from(players), Span::default()).unwrap();
    Simulator::new(
        rules,
        laid.bench.hooks.clone(),
        players,
        &cast,
        SEED,
        None,
        limits,
    )
    .unwrap()
}

fn play(simulator: &Simulator, games: u64, shard: Shard, threads: usize) -> Tally {
    play_on(simulator, simulator.shape().empty(), games, shard, threads)
}

fn play_on(simulator: &Simulator, tally: Tally, games: u64, shard: Shard, threads: usize) -> Tally {
    let orders = Orders {
        goal: Goal { games, within: None },
        shard,
        threads,
        stop: &AtomicBool::new(false),
        played: &|_| {},
        batch: &mut |_| true,
    };
    run(simulator, tally, orders).tally
}

fn head(players: u8) -> Head {
    Head {
        ruleset: "plain".to_owned(),
        identity: "0".repeat(16),
        overlays: Vec::new(),
        options: Vec::new(),
        players,
        cast: Vec::new(),
        seed: SEED,
        offers_per_thousand: 50,
        calls_per_thousand: 0,
        limit: 1000,
        bots: Vec::new(),
        cast_told: false,
        policies: Vec::new(),
        names: Vec::new(),
        present: "living".to_owned(),
    }
}

fn team(laid: &ReadyRules, name: &str) -> usize {
    let labels = Labels::of(&laid.bench.rules);
    labels.teams.iter().position(|team| team == name).unwrap()
}

/// The town's share of wins by day, worked out move by move: nothing of the program is asked.
fn by_day(town: u32, mafia: u32) -> f64 {
    let leaves = |town: u32, mafia: u32| match (town, mafia) {
        (_, 0) => 1.0,
        (town, mafia) if mafia >= town => 0.0,
        // The night takes one of the town; then it is day again, or the mafia have won.
        (town, mafia) if mafia >= town - 1 => 0.0,
        (town, mafia) => by_day(town - 1, mafia),
    };
    let all = f64::from(town + mafia);
    f64::from(town) / all * leaves(town - 1, mafia) + f64::from(mafia) / all * leaves(town, mafia - 1)
}

#[test]
fn the_enumeration_knows_the_known_values() {
    assert!((by_day(4, 1) - 7.0 / 15.0).abs() < 1e-12);
    assert!((by_day(5, 2) - 8.0 / 35.0).abs() < 1e-12);
}

#[test]
fn plain_games_come_to_their_exact_values() {
    const GAMES: u64 = 20_000;
    let laid = plain();
    let town = team(&laid, "Town");
    for (players, mafia) in [(3, 1), (5, 1), (6, 1), (7, 2), (8, 2), (10, 2), (12, 3)] {
        let tally = play(&simulator(&laid, players, 1000), GAMES, Shard::WHOLE, 2);
        assert_eq!(
            (tally.games, tally.ended(), tally.without_winner),
            (GAMES, GAMES, 0)
        );
        let exact = by_day(u32::from(players) - mafia, mafia);
        let found = tally.teams[town].won as f64 / GAMES as f64;
        let error = (exact * (1.0 - exact) / GAMES as f64).sqrt();
        assert!(
            (found - exact).abs() <= FAR * error,
            "{players} players, {mafia} mafiosi: the town should win {exact:.4} and won {found:.4}"
        );
    }
}

/// The same test, told something wrong, fails: an interval that holds everything would test nothing.
#[test]
fn a_win_rate_that_is_not_the_known_one_is_noticed() {
    let laid = plain();
    let tally = play(&simulator(&laid, 5, 1000), 20_000, Shard::WHOLE, 2);
    let found = wilson(tally.teams[team(&laid, "Town")].won, tally.ended());
    assert!(found.holds(7.0 / 15.0));
    assert!(!found.holds(8.0 / 15.0) && !found.holds(0.45) && found.half_width() < 0.01);
}

/// Whoever stops early stops at the same game on every machine, and not far behind what is needed.
#[test]
fn a_run_that_knows_enough_stops() {
    let laid = plain();
    let simulator = simulator(&laid, 5, 1000);
    let until = |within| {
        let goal = Goal {
            games: 100_000,
            within: Some(within),
        };
        let orders = Orders {
            goal,
            shard: Shard::WHOLE,
            threads: 2,
            stop: &AtomicBool::new(false),
            played: &|_| {},
            batch: &mut |_| true,
        };
        let tally = run(&simulator, simulator.shape().empty(), orders).tally;
        assert!(is_sure(&tally, goal));
        tally.games
    };
    assert_eq!((until(0.04), until(0.03), until(0.02)), (1_000, 2_000, 5_000));
}

#[test]
fn threads_parts_and_pauses_change_no_number() {
    let laid = plain();
    let simulator = simulator(&laid, 9, 1000);
    let whole = play(&simulator, 3_001, Shard::WHOLE, 1);
    assert_eq!(whole, play(&simulator, 3_001, Shard::WHOLE, 3));
    let first = play(&simulator, 777, Shard::WHOLE, 2);
    assert_eq!(whole, play_on(&simulator, first, 3_001, Shard::WHOLE, 2));
    let labels = Labels::of(&laid.bench.rules);
    let part = |index| {
        let shard = Shard { index, of: 4 };
        RunFile::new(head(9), labels.clone(), shard, play(&simulator, 3_001, shard, 2))
    };
    let parts: Vec<RunFile> = [2, 0, 3, 1].map(part).into();
    let merged = merge(&parts).unwrap();
    assert_eq!(merged, RunFile::new(head(9), labels, Shard::WHOLE, whole));
    let read = RunFile::from_text(&merged.to_text()).unwrap();
    assert_eq!(read, merged);
    assert!(merged.has(3_000) && !merged.has(3_001));
    assert!(parts[3].has(1) && !parts[3].has(0) && !parts[3].has(3_001));
    // One digit more or less, wherever it stands.
    let text = merged.to_text();
    let digits = text.char_indices().filter(|(_, sign)| sign.is_ascii_digit());
    for (at, sign) in digits.step_by(7) {
        let other = if sign == '9' { "8" } else { "9" };
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        assert!(RunFile::from_text(&changed).is_err(), "{at}: {changed}");
    }
    let older = merged.to_text().replace(r#""omerta_sim":2"#, r#""omerta_sim":1"#);
    let refused = RunFile::from_text(&older).unwrap_err();
    assert!(refused.contains("an earlier omerta kept it"), "{refused}");
}

/// Whatever stops a run, it has the first so many games, and going on comes to the same numbers.
#[test]
fn a_run_that_is_stopped_has_its_first_games() {
    let laid = plain();
    let simulator = simulator(&laid, 9, 1000);
    let (stop, heard) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut kept = Vec::new();
    let orders = Orders {
        goal: Goal {
            games: 9_999,
            within: None,
        },
        shard: Shard::WHOLE,
        threads: 3,
        stop: &stop,
        played: &|games| {
            heard.fetch_add(games, Ordering::Relaxed);
        },
        batch: &mut |tally| {
            kept.push(tally.clone());
            // By what is kept, and not by what was heard of: a thread may be behind the others.
            stop.fetch_or(tally.games >= 1_500, Ordering::Relaxed);
            true
        },
    };
    let stopped = run(&simulator, simulator.shape().empty(), orders);
    assert!(matches!(stopped.end, End::Stopped));
    let games = stopped.tally.games;
    assert!((1_500..9_999).contains(&games), "{games}");
    assert!(heard.into_inner() >= games);
    assert_eq!(kept.last(), Some(&stopped.tally), "it can be kept");
    assert_eq!(stopped.tally, play(&simulator, games, Shard::WHOLE, 1));
    let whole = play(&simulator, 10_001, Shard::WHOLE, 1);
    assert_eq!(whole, play_on(&simulator, stopped.tally, 10_001, Shard::WHOLE, 2));
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let laid = plain();
    let simulator = simulator(&laid, 5, 1000);
    let labels = Labels::of(&laid.bench.rules);
    let part = |index, games, head: &Head| {
        let shard = Shard { index, of: 2 };
        RunFile::new(
            head.clone(),
            labels.clone(),
            shard,
            play(&simulator, games, shard, 1),
        )
    };
    let head = head(5);
    let other = Head {
        seed: 8,
        ..head.clone()
    };
    let why = |parts: &[RunFile]| merge(parts).unwrap_err();
    assert_eq!(why(&[]), MergeError::Nothing);
    assert_eq!(
        why(&[part(0, 100, &head), part(1, 100, &other)]),
        MergeError::Unlike {
            which: 1,
            what: "the seed"
        }
    );
    assert_eq!(
        why(&[part(0, 100, &head)]),
        MergeError::Missing {
            shard: Shard { index: 1, of: 2 }
        }
    );
    assert_eq!(
        why(&[part(0, 100, &head), part(0, 100, &head)]),
        MergeError::Twice {
            shard: Shard { index: 0, of: 2 },
            which: 1
        }
    );
    assert_eq!(
        why(&[part(0, 100, &head), part(1, 80, &head)]),
        MergeError::Uneven {
            which: 1,
            has: 40,
            wanted: 49
        }
    );
}

/// Parts of one run differ in nothing but which games they have; what else differs is named.
#[test]
fn whatever_parts_differ_in_is_named() {
    let part = |index| {
        RunFile::new(
            head(5),
            Labels::default(),
            Shard { index, of: 2 },
            Tally::default(),
        )
    };
    type Change = fn(&mut RunFile);
    let rows: [(&str, Change); 13] = [
        ("the ruleset", |run| run.head.ruleset.push('2')),
        ("the overlays", |run| run.head.overlays = vec!["rain".to_owned()]),
        ("the options", |run| {
            run.head.options = vec![("luck".to_owned(), "2".to_owned())]
        }),
        ("the text of the rules", |run| run.head.identity.push('2')),
        ("the cast", |run| run.head.players = 6),
        ("the cast", |run| run.head.cast = vec!["Wolf".to_owned()]),
        ("the seed", |run| run.head.seed += 1),
        ("who counts as still in the game", |run| {
            run.head.present = "players".to_owned()
        }),
        ("the names of the players", |run| {
            run.head.names = vec!["Ann".to_owned()]
        }),
        ("how the players behave", |run| run.head.calls_per_thousand = 3),
        ("how the players behave", |run| {
            run.head.bots = vec!["1: ./bot".to_owned()]
        }),
        ("the names", |run| run.labels.scenes = vec!["Night".to_owned()]),
        ("the number of parts", |run| run.shard.of = 3),
    ];
    for (named, change) in rows {
        let mut other = part(1);
        change(&mut other);
        let unlike = MergeError::Unlike {
            which: 1,
            what: named,
        };
        assert_eq!(merge(&[part(0), other]).unwrap_err(), unlike, "{named}");
    }
    assert!(merge(&[part(0), part(1)]).is_ok());
}

/// A part that has more games than belong to it is as wrong as one that has fewer.
#[test]
fn a_part_has_neither_too_few_games_nor_too_many() {
    let part = |index, games| {
        let tally = Tally {
            games,
            ..Tally::default()
        };
        RunFile::new(head(5), Labels::default(), Shard { index, of: 3 }, tally)
    };
    let uneven = |games: [u64; 3]| {
        let parts: Vec<RunFile> = (0..)
            .zip(games)
            .map(|(index, games)| part(index, games))
            .collect();
        merge(&parts).err()
    };
    let wrong = |which, has, wanted| Some(MergeError::Uneven { which, has, wanted });
    for games in [[4, 4, 4], [5, 4, 4], [5, 5, 4], [0, 0, 0], [1, 0, 0]] {
        assert_eq!(uneven(games), None, "{games:?}");
    }
    assert_eq!(uneven([4, 5, 4]), wrong(0, 4, 5));
    assert_eq!(uneven([6, 4, 4]), wrong(1, 4, 5));
    assert_eq!(uneven([4, 4, 5]), wrong(0, 4, 5));
    assert_eq!(uneven([5, 3, 4]), wrong(1, 3, 4));
}

/// `2/5`: parts are counted from 1 to the last, and no further.
#[test]
fn a_part_is_named_by_its_number_of_so_many() {
    let read = |text: &str| text.parse::<Shard>().map(|shard| shard.to_string());
    for text in ["1/1", "1/5", "5/5"] {
        assert_eq!(read(text), Ok(text.to_owned()));
    }
    for text in ["0/5", "6/5", "1/0"] {
        assert!(
            read(text).is_err_and(|why| why.contains("counted from 1")),
            "{text}"
        );
    }
    for text in ["", "1", "1/", "/5", "a/5", "1/b", "-1/5"] {
        assert!(read(text).is_err_and(|why| why.contains("K/N")), "{text}");
    }
    // A kept run says so, too: the second of two has the index 1, and there is no third.
    for (index, of, is_there) in [(0, 1, true), (1, 2, true), (2, 2, false), (0, 0, false)] {
        let shard = Shard { index, of };
        let run = RunFile::new(Head::default(), Labels::default(), shard, Tally::default());
        let why = RunFile::from_text(&run.to_text()).err();
        let is_refused = why.is_some_and(|why| why.contains("does not exist"));
        assert_eq!(is_refused, !is_there, "{index} of {of}");
    }
}

/// It ends where as many answers may be given as it takes, and does not with one fewer: whether that is in the first stretch that is
/// played without a look, or behind it.
#[test]
fn a_game_is_endless_from_one_answer_fewer_than_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    for nights in [2, 20, 63, 64, 65, 150] {
        let rules = format!(
            "ruleset long \"Long\"\nplayers 2\ncast {{\n  Guest 2\n}}\nrole Guest\n\
             script {{\n  repeat {{\n    play Night\n    judge\n  }}\n}}\n\
             scene Night {{\n  ask seat 1 whether sure \"Sure?\"\n}}\n\
             ending over: draw when times Night is {nights}\n"
        );
        crate::program::write(folder.path(), "long.mafia", &rules);
        let laid = laid(folder.path().join("long.mafia").to_str().unwrap());
        let of = |answers| play(&simulator(&laid, 2, answers), 10, Shard::WHOLE, 1);
        let whole = of(1_000);
        assert_eq!((whole.fewest, whole.most), (nights, nights));
        let ended = |answers| (of(answers).ended(), of(answers).endless);
        assert_eq!([ended(nights - 1), ended(nights)], [(0, 10), (10, 0)], "{nights}");
    }
}

#[test]
fn games_that_take_too_long_are_counted_and_named() {
    let city = laid("city");
    let tally = play(&simulator(&city, 8, 3), 40, Shard::WHOLE, 2);
    assert_eq!((tally.games, tally.endless, tally.ended()), (40, 40, 0));
    assert_eq!(tally.wrong, (0..10).collect::<Vec<u64>>());
}

/// Those that went wrong are named in their order, the first ten of all parts.
#[test]
fn games_that_went_wrong_are_named_alike_however_they_are_split() {
    let city = laid("city");
    let simulator = simulator(&city, 8, 3);
    let labels = Labels::of(&city.bench.rules);
    let whole = RunFile::new(
        head(8),
        labels.clone(),
        Shard::WHOLE,
        play(&simulator, 40, Shard::WHOLE, 1),
    );
    for of in [2, 3, 7] {
        let part = |index| {
            let shard = Shard { index, of };
            RunFile::new(head(8), labels.clone(), shard, play(&simulator, 40, shard, 1))
        };
        let parts: Vec<RunFile> = (0..of).rev().map(part).collect();
        assert_eq!(merge(&parts).unwrap(), whole, "of {of} parts");
    }
}

/// What was not sealed is no run, and no name of it brings a sign to the terminal that nobody sees.
#[test]
fn a_run_without_its_seal_or_with_unseen_signs_is_refused() {
    let laid = plain();
    let mut labels = Labels::of(&laid.bench.rules);
    let tally = play(&simulator(&laid, 5, 1000), 20, Shard::WHOLE, 1);
    let kept = |labels: &Labels| RunFile::new(head(5), labels.clone(), Shard::WHOLE, tally.clone()).to_text();
    assert!(RunFile::from_text(&kept(&labels)).is_ok());
    let mut open: serde_json::Value = serde_json::from_str(&kept(&labels)).unwrap();
    open.as_object_mut().unwrap().remove("digest").unwrap();
    let why = RunFile::from_text(&open.to_string()).unwrap_err();
    assert!(why.contains("its digest is missing"), "{why}");
    open["\u{1b}[31m"] = 1.into();
    let why = RunFile::from_text(&open.to_string()).unwrap_err();
    assert!(!why.contains('\u{1b}'), "{why:?}");
    for sign in ['\u{1b}', '\u{202e}', '\u{200b}', '\u{9b}'] {
        labels.title = format!("A{sign}game");
        let why = RunFile::from_text(&kept(&labels)).unwrap_err();
        assert!(why.contains("a sign that nobody sees"), "{why}");
    }
}

/// Every list of a run is as long as the names that stand for its places, or the run is no run.
#[test]
fn a_run_with_a_list_too_short_or_too_long_is_refused() {
    let laid = plain();
    let labels = Labels::of(&laid.bench.rules);
    let tally = play(&simulator(&laid, 5, 1000), 20, Shard::WHOLE, 1);
    let text = RunFile::new(head(5), labels, Shard::WHOLE, tally).to_text();
    let mut whole: serde_json::Value = serde_json::from_str(&text).unwrap();
    // With its seal any of these would be refused for that.
    whole.as_object_mut().unwrap().remove("digest").unwrap();
    let refused = |changed: &serde_json::Value, what: &str| {
        let why = RunFile::from_text(&changed.to_string()).expect_err(what);
        assert!(why.contains("do not fit each other"), "{what}: {why}");
    };
    let moments = whole["tally"]["moments"].as_array().unwrap();
    let scene = moments
        .iter()
        .position(|of_scene| of_scene[0].is_object())
        .unwrap();
    let of_moment = |list: &str| format!("/tally/moments/{scene}/0/{list}");
    let lists = [
        "teams", "roles", "together", "pairs", "seats", "endings", "lengths", "moments",
    ];
    let places = lists
        .iter()
        .map(|list| format!("/tally/{list}"))
        .chain(["teams", "roles", "team_of", "endings", "scenes"].map(|list| format!("/labels/{list}")))
        .chain(["held", "by_role"].map(of_moment));
    for place in places {
        let mut shorter = whole.clone();
        let list = shorter.pointer_mut(&place).and_then(|list| list.as_array_mut());
        let last = list
            .and_then(Vec::pop)
            .unwrap_or_else(|| panic!("{place} is a list with something in it"));
        refused(&shorter, &place);
        let mut longer = whole.clone();
        let list = longer.pointer_mut(&place).unwrap().as_array_mut().unwrap();
        list.push(last);
        refused(&longer, &place);
    }
    for (place, value) in [
        ("/head/players", 6),
        ("/head/players", 4),
        ("/labels/team_of/0", 99),
        (
            "/labels/team_of/0",
            whole["labels"]["teams"]
                .as_array()
                .unwrap()
                .len()
                .try_into()
                .unwrap(),
        ),
        ("/tally/broken", 21),
        ("/tally/endless", 21),
    ] {
        let mut other = whole.clone();
        *other.pointer_mut(place).unwrap() = value.into();
        refused(&other, place);
    }
}

/// Every seat is dealt every role as often as any other, so all win alike: a chi-square test over
/// the seats of the bundled game, with the bound that chance passes once in a million.
#[test]
fn a_scene_that_begins_is_looked_at_whether_anybody_is_asked_in_it_or_not() {
    let laid = laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/unasked.mafia"));
    let tally = play(&simulator(&laid, 4, 100), 500, Shard::WHOLE, 2);
    let day = laid
        .bench
        .rules
        .scenes
        .iter()
        .position(|scene| scene.name == "Day")
        .unwrap();
    let begun: Vec<u64> = tally.moments[day].iter().map(|moment| moment.games).collect();
    assert_eq!((begun, tally.lengths[day][2]), (vec![500, 500], 500));
}

#[test]
fn where_seats_are_alike_they_win_alike() {
    const GAMES: u64 = 6_000;
    let laid = plain();
    let tally = play(&simulator(&laid, 7, 1000), GAMES, Shard::WHOLE, 2);
    let won: Vec<f64> = tally.seats.iter().map(|seat| seat.won as f64).collect();
    let mean = won.iter().sum::<f64>() / won.len() as f64;
    // Wins of one game hang together, so the variance of a seat is that of its own draw alone.
    let share = mean / GAMES as f64;
    let variance = GAMES as f64 * share * (1.0 - share);
    let chi: f64 = won.iter().map(|won| (won - mean).powi(2) / variance).sum();
    assert!(chi < 41.0, "{won:?} is too uneven: {chi:.1}");
}

/// A program that takes the first option, in a shell: it hears of its seat alone, and its answers count.
#[test]
fn a_program_plays_its_seats() {
    let laid = laid(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/ten_seats.mafia"));
    let names: Vec<String> = (1..=10).map(|seat| format!("P{seat}")).collect();
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let script = format!(
        r#"while read -r line; do echo "$line" >> '{}'; case "$line" in *'"kind":"ask"'*) one=${{line#*'"options":["'}}; id=${{line#*'"id":'}}; echo "{{\"id\":${{id%%,*}},\"answer\":\"${{one%%\"*}}\"}}";; esac; done"#,
        heard.display()
    );
    let bot = BotWanted::read(&format!("P3={script}"), &laid.bench.rules, &names).unwrap();
    let mut simulator =
        simulator(&laid, 10, 100_000).inviting(vec![bot.invited(&House::of(&names, 1), &players())]);
    for number in 0..5 {
        let seen = simulator.play(number).unwrap();
        assert!(seen.wrong.is_none());
    }
    drop(simulator);
    let heard = std::fs::read_to_string(heard).unwrap();
    let lines: Vec<serde_json::Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        lines.iter().all(|line| line["seat"] == "P3"),
        "only its own seat's lines"
    );
    let count = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
    // Whoever dies in the first night is asked nothing in that game.
    assert!((3..=5).contains(&count("begin")) && count("end") == count("begin"));
    assert!(count("ask") > 5 && count("event") > count("ask"));
    // Nobody is shown another's card: of cards that were dealt it hears its own alone.
    let dealt = lines
        .iter()
        .filter(|line| line["what"] == "moved" && line["about"]["seats"] != serde_json::json!(["P3"]));
    assert!(
        dealt
            .filter(|line| line["about"]["value"] != serde_json::json!([]))
            .count()
            == 0
    );
}

#[test]
fn a_program_that_fails_ends_the_run_with_its_words() {
    let laid = laid("city");
    let names: Vec<String> = (1..=8).map(|seat| format!("P{seat}")).collect();
    let why = |command: &str| {
        let bot = BotWanted::read(command, &laid.bench.rules, &names).unwrap();
        let mut simulator =
            simulator(&laid, 8, 100_000).inviting(vec![bot.invited(&House::of(&names, 1), &players())]);
        simulator.play(0).unwrap_err().to_string()
    };
    assert!(why("all=read -r line").contains("in game 0"));
    let nonsense = why("all=while read -r line; do echo nonsense; done");
    assert!(
        nonsense.contains("not JSON") && nonsense.contains("in game 0, P1 being asked for `"),
        "{nonsense}"
    );
    let endless = why("all=read -r line; head -c 200000 /dev/zero; sleep 9");
    assert!(endless.contains("longer than 65536 bytes"), "{endless}");
    assert!(why(r#"all=while read -r line; do echo '{"id":1,"answer":"Zeus"}'; done"#).contains("`Zeus`"));
    let refused = |command: &str| {
        BotWanted::read(command, &laid.bench.rules, &names)
            .unwrap_err()
            .to_string()
    };
    assert!(refused("all").contains("names no program"));
    assert!(refused("P9=./bot").contains("`P9` is no seat"));
}

fn close(found: Interval, low: f64, high: f64) {
    let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
    assert!(near(found.low, low) && near(found.high, high), "{found:?}");
}

/// Worked by hand: 15 of 148, and the end points of the line.
#[test]
fn wilson_of_known_counts() {
    close(wilson(15, 148), 0.0624, 0.1605);
    close(wilson(0, 20), 0.0, 0.1611);
    close(wilson(20, 20), 0.8389, 1.0);
    close(wilson(0, 0), 0.0, 1.0);
}

/// The usual example of the method: 56 of 70 against 48 of 80.
#[test]
fn difference_of_known_counts() {
    close(difference(wilson(48, 80), wilson(56, 70)), 0.0524, 0.3339);
}

// ---- Policies

/// Every answer of a game of which policies decide, the judge being the seat of the first card.
fn answers_by(policies: &[&str], number: u64) -> Vec<Choice> {
    let laid = laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/asked.mafia"));
    let names: Vec<String> = policies.iter().map(|name| (*name).to_owned()).collect();
    let strategy = Strategy::of(&laid.bench.rules, &names).unwrap();
    let rates = Limits {
        answers: 100,
        offers_per_thousand: 0,
        calls_per_thousand: 0,
    };
    let mut simulator = limited(&laid, 3, rates).with_strategy(strategy);
    let answers = simulator.answers(number).unwrap();
    let asked = |choice: &Choice| !matches!(choice, Choice::Card(_));
    answers.into_iter().filter(asked).collect()
}

#[test]
fn the_first_wish_that_can_be_had_is_answered() {
    for game in 0..50 {
        let [first, second, third, points, late, menu] = answers_by(&["plain"], game)[..] else {
            panic!("six answers")
        };
        let passed = [first, second, third].contains(&Choice::Pass);
        assert!(passed, "the judge names nobody");
        assert_eq!(points, Choice::Number(5), "nine is no answer");
        assert_eq!(late, Choice::No, "it is the host who is asked");
        let Choice::Branch { branch: 0, target } = menu else {
            panic!("{menu:?}")
        };
        assert!(matches!(target, Target::Seat(1 | 2)), "not himself: {target:?}");
    }
}

#[test]
fn the_first_policy_has_its_say_first_and_chance_has_the_rest() {
    let mut slept = 0;
    let mut friends = std::collections::BTreeSet::new();
    for game in 0..200 {
        let answers = answers_by(&["tired", "plain"], game);
        assert_eq!(answers[3], Choice::Number(5));
        // Seat 2 may be the judge himself; then nobody is left to be pardoned by that policy.
        let sleeps = Choice::Branch {
            branch: 1,
            target: Target::Nothing,
        };
        slept += usize::from(answers[5] == sleeps);
        friends.extend(answers[..3].iter().map(|choice| format!("{choice:?}")));
    }
    assert_eq!(slept, 200, "the score is five each time");
    assert!(friends.contains("Seat(0)") && friends.len() > 1, "{friends:?}");
    let by_chance: std::collections::BTreeSet<_> = (0..50)
        .map(|game| format!("{:?}", answers_by(&["follow"], game)[3]))
        .collect();
    assert!(by_chance.len() > 3, "nobody says how many points: {by_chance:?}");
}

/// The first and the last number that may be answered can be had, and what is next to them cannot.
#[test]
fn a_number_is_wished_from_the_first_to_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ends.mafia");
    let rules = r#"ruleset ends "Ends"
use std.table
players 1
cast { Guest rest }
team Crowd
role Guest of Crowd
script {
  play Deal
  repeat 2 times {
    ask Guest for points from 2..6
    ask host for hour from 0 - 3..4
    ask Guest "What?" {
      bid n from 3..5 { say "{n}" }
      sleep { say "{points} {hour}" }
    }
  }
}
policy low { points: 1, 2, 3; hour: 0 - 4, 0 - 3; bid: 2, 3 }
policy high { points: 7, 6, 5; hour: 5, 4; bid: 6, 5 }
"#;
    std::fs::write(&file, rules.replace("; ", "\n  ")).unwrap();
    let laid = laid(file.to_str().unwrap());
    let given = |policy: &str| {
        let strategy = Strategy::of(&laid.bench.rules, &[policy.to_owned()]).unwrap();
        let answers = simulator(&laid, 1, 100)
            .with_strategy(strategy)
            .answers(0)
            .unwrap();
        let number = |choice: &Choice| match choice {
            Choice::Number(number) => Some(*number),
            Choice::Branch {
                target: Target::Number(number),
                ..
            } => Some(i64::from(*number)),
            _ => None,
        };
        answers.iter().filter_map(number).collect::<Vec<_>>()
    };
    assert_eq!(given("low"), [2, -3, 3, 2, -3, 3]);
    assert_eq!(given("high"), [6, 4, 5, 6, 4, 5]);
}

/// Of two who are asked as one a line by the one alone says nothing.
#[test]
fn a_line_by_somebody_is_about_those_who_are_all_among_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heads.mafia");
    let rules = r#"ruleset heads "Heads"
use std.table
players 2
cast {
  Judge 1
  Guest rest
}
team Bench
role Judge of Bench
role Guest of Bench
script {
  play Deal
  ask players together for points from 1..6
  say "{points}"
}
policy plain {
  points by Judge: 1
  points by players: 5
}
"#;
    std::fs::write(&file, rules).unwrap();
    let laid = laid(file.to_str().unwrap());
    let strategy = Strategy::of(&laid.bench.rules, &["plain".to_owned()]).unwrap();
    let answers = simulator(&laid, 2, 100)
        .with_strategy(strategy)
        .answers(0)
        .unwrap();
    assert_eq!(answers.last(), Some(&Choice::Number(5)));
}

#[test]
fn those_who_follow_the_crowd_name_whom_it_named() {
    let mut followed = 0;
    for game in 0..50 {
        let answers = answers_by(&["follow"], game);
        assert_eq!(answers[0], Choice::Pass, "nobody was named before");
        followed += usize::from(answers[..3].iter().all(|choice| *choice == Choice::Pass));
    }
    assert_eq!(followed, 50);
}

#[test]
fn an_offer_is_taken_up_with_what_is_wished_or_not() {
    let laid = laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/asked.mafia"));
    let rates = Limits {
        answers: 100,
        offers_per_thousand: 900,
        calls_per_thousand: 900,
    };
    let offers = |policies: &[String]| {
        let strategy = Strategy::of(&laid.bench.rules, policies).unwrap();
        let mut simulator = limited(&laid, 3, rates).with_strategy(strategy);
        let answers = (0..50).flat_map(|game| simulator.answers(game).unwrap());
        let taken = |choice| match choice {
            Choice::Offer { by, target, .. } => Some((by, target)),
            _ => None,
        };
        answers.filter_map(taken).collect::<Vec<_>>()
    };
    let by_chance = offers(&[]);
    assert!(by_chance.iter().any(|(by, _)| by.is_none()), "the host hushes");
    assert!(by_chance.iter().any(|(_, target)| *target == Target::Seat(0)));
    let loud = offers(&["loud".to_owned()]);
    assert!(loud.len() > 10, "{loud:?}");
    assert!(
        loud.iter()
            .all(|(by, target)| by.is_some() && *target == Target::Seat(2)),
        "{loud:?}"
    );
    let vain = offers(&["vain".to_owned()]);
    let named = |seat| vain.iter().any(|(_, target)| *target == Target::Seat(seat));
    assert!(
        (0..3).all(named) && vain.iter().all(|(by, _)| by.is_some()),
        "{vain:?}"
    );
}

#[test]
fn games_by_policy_are_the_same_however_they_are_split() {
    let laid = laid("city");
    let strategy = Strategy::of(&laid.bench.rules, &["crowd".to_owned()]).unwrap();
    let simulator = simulator(&laid, 8, 10_000).with_strategy(strategy.clone());
    let empty = || simulator.shape().empty();
    let one = play_on(&simulator, empty(), 400, Shard::WHOLE, 1);
    assert_eq!(one, play_on(&simulator, empty(), 400, Shard::WHOLE, 3));
    let random = self::simulator(&laid, 8, 10_000);
    assert_ne!(one, play_on(&random, empty(), 400, Shard::WHOLE, 1));
    assert_eq!(
        Strategy::of(&laid.bench.rules, &["crowdd".to_owned()]).unwrap_err(),
        "crowdd"
    );
}
