//! What is certain: fractions that are worked out a second way, positions that are merged and those that are
//! not, and another program that judges the chain.

use crate::program::{folder, omerta_in, write};
use omerta_core::{
    rules::{FactId, GroupId, PlannedCast, Ruleset},
    source::Span,
};
use omerta_engine::{
    Choice, Domain, Game, Log, NoHooks, Open, OpenBranch, Pending, Silence, Target, Viewer, What, seats_in,
};
use omerta_exact::{
    Bounds, Certain, Company, Effort, Failure, Players, answers,
    chain::{Chain, End, Step, Steps, To, Toll},
    exactly, export,
    export::Form,
};
use omerta_play::{
    chance::Chance,
    chances::times,
    deal,
    policy::Policy,
    session::{Session, Table},
    strategy::Strategy,
    words::Words,
    worlds::{self, Inquiry, Worlds, fitting},
};
use omerta_workbench::{RulesetRequest, Workbench, bundle::Shelf};
use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Small games without circles: their whole tree is a few thousand answers. Behind `=` stands what their first ending
/// comes to on paper for four, where that is easily said; behind the name how many play, where not three and four.
const GAMES: &str = include_str!("exact/games.txt");

/// Small games such as are reckoned in books and papers, each with what the town's chance comes to. Each value comes of a
/// few lines written for it alone, which know how many are left of each team and try all ballots, and nothing of rules.
const TABLES: &str = include_str!("exact/tables.txt");

/// What they have in common.
const HEAD: &str = "cast { Wolf 1; Sheep rest }
team Pack; team Flock; role Wolf of Pack; role Sheep of Flock
win Flock when no living Wolf
";

/// A game of the file.
struct Small {
    name: &'static str,
    seats: &'static [usize],
    on_paper: Option<&'static str>,
    rules: Arc<Ruleset>,
}

fn games() -> Vec<Small> {
    let read = |text: &'static str| {
        let (name, mut rest) = text.split_once('\n').unwrap();
        let three = rest.strip_prefix("(3)\n");
        rest = three.unwrap_or(rest);
        let told = rest.strip_prefix("= ").map(|rest| rest.split_once('\n').unwrap());
        Small {
            name,
            seats: if three.is_some() { &[3] } else { &[3, 4] },
            on_paper: told.map(|(value, _)| value),
            rules: small(&format!(
                "players 3..4; {HEAD}{}",
                told.map_or(rest, |(_, rest)| rest)
            )),
        }
    };
    GAMES.split("# ").skip(1).map(read).collect()
}

fn workbench(rules: &str) -> (Workbench, RulesetRequest) {
    let text = format!("ruleset small \"Small\"\nuse std.table\n{rules}\n");
    let folder = folder();
    write(folder.path(), "small.mafia", &text);
    let path = folder.path().join("small.mafia");
    let asked = Workbench::asked(path.to_str().unwrap(), &[], &[]).unwrap();
    // Read before the folder is gone.
    asked.0.lay(&asked.1).unwrap();
    asked
}

fn small(rules: &str) -> Arc<Ruleset> {
    let (bench, wanted) = workbench(rules);
    bench.lay(&wanted).unwrap().bench.rules.clone()
}

fn bundled(base: &str) -> Arc<Ruleset> {
    let wanted = RulesetRequest {
        base: base.to_owned(),
        ..RulesetRequest::default()
    };
    Workbench::new(Shelf::default())
        .lay(&wanted)
        .unwrap()
        .bench
        .rules
        .clone()
}

/// Who is removed may bring others with him, who are removed by the same event: what it finds is no more each time.
#[test]
fn what_leads_to_itself_is_seen_through_to_an_end() {
    let names = "Ann,Bob,Cid,Dee,Eve,Fay,Gus,Hal,Ida,Jon";
    let line = [
        "play", "sport", "--with", "pro", "--names", names, "--seed", "3", "--plain",
    ];
    let told = omerta_in(folder().path(), &line, b"worlds Ann\n");
    assert!(told.out.contains("1512 games fit"), "{}", told.told());
}

fn ten() -> Arc<Ruleset> {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/ten_seats.mafia")).unwrap();
    let body = text.split_once("use std.table").unwrap().1;
    small(&body.replace("players 10", "players 3..10"))
}

fn cast(rules: &Ruleset, seats: usize) -> PlannedCast {
    deal::from_table(rules, None, seats, Span::default()).unwrap()
}

fn begun(rules: &Arc<Ruleset>, seats: usize) -> Game {
    let cast = cast(rules, seats);
    Game::start(rules.clone(), Arc::new(NoHooks), seats as u8, &cast, &mut Silence).unwrap()
}

fn at_random(offers: u32) -> (Players, Company) {
    let players = Players {
        policy: Policy {
            offers_per_thousand: offers,
            calls_per_thousand: 0,
        },
        strategy: Strategy::NONE,
    };
    let company = Company {
        offers: (offers > 0, false),
        policies: Vec::new(),
        hears: false,
    };
    (players, company)
}

fn walked(rules: &Arc<Ruleset>, seats: usize, offers: u32, bounds: Bounds) -> Certain {
    let (players, company) = at_random(offers);
    exactly(&begun(rules, seats), &players, company, bounds, &|_| true).unwrap()
}

/// All fractions of a walk, as they are written.
fn fractions(certain: &Certain) -> Vec<String> {
    let answers = &certain.answers;
    let records = answers
        .teams
        .iter()
        .chain(answers.roles.iter().flatten())
        .chain(&answers.seats);
    let records = records.flat_map(|record| [&record.held, &record.won, &record.lost, &record.share]);
    let all = answers
        .endings
        .iter()
        .chain(records)
        .chain([&answers.nobody, &answers.broken]);
    let all = all
        .chain(answers.answers.iter())
        .chain(answers.scenes.iter().flatten());
    all.map(|value| value.fraction.as_ref().expect("a fraction").to_string())
        .collect()
}

// ---- A second way: the tree of a game, without memory, in fractions of machine words
type Share = (i128, i128);

fn plus((a, b): Share, (c, d): Share) -> Share {
    lowest((a * d + c * b, b * d))
}

fn lowest((over, under): Share) -> Share {
    let (mut a, mut b) = (over, under);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (over / a.max(1), under / a.max(1))
}

/// The ways of a menu: each branch as likely as the other, and within it whatever may be picked.
fn by_branches(game: &Game) -> Vec<(Choice, i128)> {
    let ways = |open: &OpenBranch| -> Vec<Choice> {
        let branch = open.branch;
        let with = |target| Choice::Branch { branch, target };
        match open.among {
            None => vec![with(Target::Nothing)],
            Some(Domain::Numbers { low, high, .. }) => (low..=high)
                .map(|number| with(Target::Number(number as i32)))
                .collect(),
            Some(domain) => {
                let all = seats_in(domain.set().unwrap());
                all.map(|one| with(domain.target(one as u32))).collect()
            }
        }
    };
    let branches: Vec<Vec<Choice>> = game
        .branches()
        .map(|open| ways(&open))
        .filter(|ways| !ways.is_empty())
        .collect();
    let common: usize = branches.iter().map(Vec::len).product();
    let weighed = |ways: Vec<Choice>| {
        let weight = (common / ways.len()) as i128;
        ways.into_iter().map(move |way| (way, weight))
    };
    branches.into_iter().flat_map(weighed).collect()
}

/// How likely the first ending comes true, how many answers are given on average, and how often each seat wins, and loses.
fn by_hand(game: &Game) -> Vec<Share> {
    let seats = usize::from(game.look().seats());
    let (asked, domain) = match game.open() {
        Open::Ask(domain) => (1, domain),
        Open::Chance(domain) => (0, domain),
        Open::Nothing => {
            let outcome = game.ended().unwrap().unwrap();
            let first = outcome.ending.is_some_and(|ending| ending.0 == 0);
            let of_each = [outcome.winners, outcome.losers].into_iter();
            let of_each = of_each.flat_map(|set| (0..seats).map(move |seat| i128::from(set >> seat & 1)));
            return [i128::from(first), 0]
                .into_iter()
                .chain(of_each)
                .map(|one| (one, 1))
                .collect();
        }
    };
    let pass = domain.pass().unwrap_or(false).then_some((Choice::Pass, 1));
    let choices: Vec<(Choice, i128)> = match domain {
        Domain::Menu => by_branches(game),
        Domain::YesNo => vec![(Choice::Yes, 1), (Choice::No, 1)],
        Domain::Numbers { low, high, .. } => (low..=high).map(|number| (Choice::Number(number), 1)).collect(),
        Domain::Go => vec![(Choice::Go, 1)],
        Domain::Words { .. } => {
            let weights = game.weights().iter().enumerate();
            weights
                .map(|(word, (_, weight))| (Choice::Word(word as u16), i128::from(*weight)))
                .collect()
        }
        domain => {
            let all = seats_in(domain.set().unwrap());
            all.map(|one| (domain.target(one as u32).choice(), 1))
                .chain(pass)
                .collect()
        }
    };
    let total: i128 = choices.iter().map(|(_, weight)| weight).sum();
    let mut sum = vec![(0, 1); 2 + 2 * seats];
    sum[1] = (asked, 1);
    for (choice, weight) in choices {
        let mut next = game.clone();
        next.apply(choice, &mut Silence).unwrap();
        for (sum, (over, under)) in sum.iter_mut().zip(by_hand(&next)) {
            *sum = plus(*sum, (over * weight, under * total));
        }
    }
    sum
}

#[test]
fn the_tree_of_small_games_comes_to_the_same_fractions() {
    let written = |(over, under): Share| match under {
        1 => over.to_string(),
        _ => format!("{over}/{under}"),
    };
    let found = |value: &omerta_exact::Value| value.fraction.clone().unwrap().to_string();
    let plain = Bounds {
        rename: false,
        ..Bounds::USUAL
    };
    for game in games() {
        for &seats in game.seats {
            let by_hand = by_hand(&begun(&game.rules, seats));
            let certain = walked(&game.rules, seats, 0, Bounds::USUAL);
            let first = found(&certain.answers.endings[0]);
            assert_eq!(first, written(by_hand[0]), "{}, {seats}", game.name);
            let length = certain.answers.answers.as_ref().map(found);
            assert_eq!(length, Some(written(by_hand[1])), "{}, {seats}", game.name);
            let apart = walked(&game.rules, seats, 0, plain);
            let records = apart.answers.seats.iter();
            let won = records.clone().map(|record| found(&record.won));
            let of_each = won.chain(records.map(|record| found(&record.lost)));
            let expected: Vec<String> = by_hand[2..].iter().map(|share| written(*share)).collect();
            assert_eq!(of_each.collect::<Vec<_>>(), expected, "{}, {seats}", game.name);
            if let (Some(on_paper), 4) = (game.on_paper, seats) {
                assert_eq!(first, on_paper, "{}", game.name);
            }
        }
    }
}

#[test]
fn small_games_of_the_books_come_to_their_values() {
    for table in TABLES.split("# ").skip(1) {
        let (name, rest) = table.split_once('\n').unwrap();
        let (value, text) = rest.strip_prefix("= ").unwrap().split_once('\n').unwrap();
        let rules = small(text);
        let certain = walked(&rules, usize::from(rules.seats.0), 0, Bounds::USUAL);
        let town = &certain.answers.endings[0];
        assert_eq!(town.fraction.as_ref().unwrap().to_string(), value, "{name}");
    }
}

#[test]
fn one_of_the_mafia_among_an_odd_number_wins_by_two_double_factorials() {
    // Day first and lots: one of 2k + 1 gets through with (2k)!! in (2k + 1)!!.
    let table = TABLES.split("# ").nth(1).unwrap();
    let text = table
        .splitn(3, '\n')
        .nth(2)
        .unwrap()
        .replace("players 5", "players 3..15");
    let rules = small(&text);
    let mut through = (1, 1);
    for seats in (3..=15).step_by(2) {
        through = lowest((through.0 * (seats - 1), through.1 * seats));
        let certain = walked(&rules, seats as usize, 0, Bounds::USUAL);
        let town = certain.answers.endings[0].fraction.clone().unwrap().to_string();
        assert_eq!(
            town,
            format!("{}/{}", through.1 - through.0, through.1),
            "{seats}"
        );
    }
}

#[test]
fn a_round_of_ballots_is_one_position() {
    let certain = walked(&ten(), 10, 0, Bounds::USUAL);
    assert!(certain.chain.positions() < 1_000, "{}", certain.chain.positions());
    // Where somebody's own ballot is read, each voter is a position of his own.
    let asks = |between: &str| {
        let rules = small(&format!(
            "players 5; {HEAD}win Pack when times Day is 1\nscript {{ play Deal; play Day; judge }}\n\
             scene Day {{\n  ask each living for vote from living others\n{between}\n}}"
        ));
        walked(&rules, 5, 0, Bounds::USUAL).chain.positions()
    };
    let sums = "  let top = most of vote\n  if number of top is 1 { do departure of top }";
    let whose = "  do departure of vote of Wolf";
    assert!(asks(sums) < 10 && asks(whose) > 10);
}

#[test]
fn merging_changes_no_value() {
    let plain = Bounds {
        rename: false,
        ..Bounds::USUAL
    };
    // Counts of a player's own in a loop, and the count of one who has the only card of his role.
    let counts = small(&format!(
        "players 4; {HEAD}mark hit; count n of each
win Pack when n of Wolf is 2
win Pack when times Day is 3
script {{ play Deal; repeat {{ play Day; judge }} }}
scene Day {{
  ask each living for vote from living others
  for each p of most of vote {{
    add 1 to n of p
    if n of p is 2 and p is Sheep {{ set n of p to 0; mark p as hit }}
  }}
  do departure of hit
  clear hit
  let near = living where (n of Wolf is 1 and n of it is 1)
  draw doom from 1..3
  if doom is 1 {{ do departure of near without Sheep }}
}}"
    ));
    let games = [
        ("counts", counts, 4, 0),
        ("town", bundled("town"), 3, 0),
        ("ten", ten(), 5, 0),
        ("city", bundled("city"), 3, 500),
    ];
    for (name, rules, seats, offers) in games {
        let (merged, apart) = (
            walked(&rules, seats, offers, Bounds::USUAL),
            walked(&rules, seats, offers, plain),
        );
        assert!(merged.renames && !apart.renames, "{name}");
        assert!(merged.chain.positions() * 2 < apart.chain.positions(), "{name}");
        assert_eq!(fractions(&merged), fractions(&apart), "{name}");
    }
    let mut renamed = 0;
    for game in self::games() {
        for &seats in game.seats {
            let offers = if game.rules.offers.is_empty() { 0 } else { 300 };
            let merged = walked(&game.rules, seats, offers, Bounds::USUAL);
            let apart = walked(&game.rules, seats, offers, plain);
            assert_eq!(fractions(&merged), fractions(&apart), "{}, {seats}", game.name);
            renamed += usize::from(merged.renames);
        }
    }
    assert!(renamed > 20, "{renamed}");
}

/// A chance that is no fraction is written with both its limits, and in whole per cent with their middle.
#[test]
fn a_chance_within_limits_has_a_lower_and_an_upper_one() {
    for (low, high, told, whole) in [
        (0.25, 0.5, "25.00 to 50.00 %", "38 %"),
        (0.0, 1.0, "0.00 to 100.00 %", "50 %"),
        (0.125, 0.125, "12.50 to 12.50 %", "12 %"),
        (0.9, 1.0, "90.00 to 100.00 %", "95 %"),
    ] {
        let value = omerta_exact::Value {
            fraction: None,
            between: omerta_exact::Between { low, high },
        };
        assert_eq!(omerta::faces::exact::percent(&value, 2), told);
        assert_eq!(omerta::faces::exact::whole_percent(&value), whole);
    }
}

#[test]
fn the_ten_seat_game_is_a_fraction_of_102_digits_over_104() {
    let certain = walked(
        &ten(),
        10,
        0,
        Bounds {
            threads: 2,
            ..Bounds::USUAL
        },
    );
    let town = &certain.answers.endings[0];
    let fraction = town.fraction.as_ref().unwrap();
    assert_eq!(fraction.decimal(12), "0.042402500077");
    assert_eq!(fraction.to_string().len(), 207);
    assert!(certain.chain.positions() < 1_000, "{}", certain.chain.positions());
    let sum = certain.answers.endings[1].fraction.as_ref().unwrap();
    assert_eq!(sum.decimal(12), "0.957597499923");
}

#[test]
fn any_number_of_threads_comes_to_the_same_chain() {
    let rules = bundled("city");
    let one = walked(&rules, 5, 500, Bounds::USUAL);
    for threads in [2, 3, 8] {
        let other = walked(
            &rules,
            5,
            500,
            Bounds {
                threads,
                ..Bounds::USUAL
            },
        );
        assert_eq!(
            (&one.chain.steps, &one.chain.sorts),
            (&other.chain.steps, &other.chain.sorts)
        );
        assert_eq!(fractions(&one), fractions(&other));
    }
}

/// Whoever has had enough is asked no more than once by each thread, and told bounds; and he is asked often.
#[test]
fn a_walk_that_shall_stop_at_any_moment_stops_and_tells_what_is_known() {
    let rules = bundled("city");
    let whole = walked(&rules, 6, 500, Bounds::USUAL);
    let values = fractions(&whole);
    let (players, company) = at_random(500);
    let game = begun(&rules, 6);
    let bounds = Bounds {
        threads: 2,
        ..Bounds::USUAL
    };
    let until = |enough: usize| {
        let asked = AtomicUsize::new(0);
        let certain = exactly(&game, &players, company.clone(), bounds, &|_| {
            asked.fetch_add(1, Ordering::Relaxed) < enough
        });
        (certain.unwrap(), asked.into_inner())
    };
    let (certain, often) = until(usize::MAX);
    assert_eq!(fractions(&certain), values);
    assert!(often > certain.chain.walked / 64 + 30, "{often}");
    let mut chance = Chance::of_seed(5);
    for _ in 0..40 {
        let enough = chance.below(often as u64) as usize;
        let (certain, asked) = until(enough);
        assert!(!certain.answers.exact && asked <= enough + 6, "{enough}: {asked}");
        for (ending, value) in certain.answers.endings.iter().zip(&whole.answers.endings) {
            let (part, value) = (ending.between, value.between);
            assert!(part.low <= value.high && value.low <= part.high, "{enough}");
        }
    }
}

/// A row of positions, from each of which a game ends in one of 65,536 cases: by hand, of so many that are reckoned with
/// 1 - (65535/65536)^n end.
#[test]
fn of_many_positions_the_first_are_reckoned_with_where_nobody_waits_for_more() {
    const MANY: u32 = 200_000;
    let mut steps = Steps::default();
    for position in 1..=MANY {
        let step = |to, cases| Step { to, toll: 0, cases };
        steps.push(0, &[step(To::Position(position), 65_535), step(To::End(0), 1)]);
    }
    let chain = Chain {
        steps,
        sorts: vec![65_536],
        ends: vec![End {
            ending: Some(0),
            ..End::default()
        }],
        tolls: vec![Toll::default()],
        start: Some(Step {
            to: To::Position(0),
            toll: 0,
            cases: 1,
        }),
        walked: MANY as usize,
        known: MANY as usize + 1,
    };
    let (rules, effort) = (
        bundled("city"),
        Effort {
            primes: 1,
            threads: 1,
        },
    );
    // Enough at the first question, in the middle, never: of how many it is told, and how likely the end is at least.
    for (enough, walked, percent) in [(0, 131_072, 86), (60, 131_072, 86), (usize::MAX, 200_000, 95)] {
        let (mut chain, asked) = (chain.clone(), AtomicUsize::new(0));
        let go_on = || asked.fetch_add(1, Ordering::Relaxed) < enough;
        let told = answers(&mut chain, &rules, 3, effort, (&go_on, &|| true));
        let end = told.endings[0].between;
        assert_eq!(
            (chain.walked, (end.low * 100.0) as u32),
            (walked, percent),
            "{enough}"
        );
        assert!(end.high > 0.999_999, "{end:?}");
        let often = asked.into_inner();
        assert!(
            if enough == usize::MAX {
                often > 150
            } else {
                often == enough + 1
            },
            "{often}"
        );
    }
}

#[test]
fn what_is_known_of_a_part_holds_the_value_of_the_whole() {
    let rules = bundled("city");
    let whole = walked(&rules, 5, 500, Bounds::USUAL);
    let mut width = 2.0;
    let all = whole.chain.positions();
    for most in [1, all / 8, all / 4, all / 2, all * 3 / 4] {
        let part = walked(
            &rules,
            5,
            500,
            Bounds {
                most,
                ..Bounds::USUAL
            },
        );
        assert!(!part.answers.exact && part.chain.walked <= most);
        let pairs = part.answers.endings.iter().zip(&whole.answers.endings);
        for (known, value) in pairs {
            let (low, high) = (known.between.low, known.between.high);
            assert!(low <= value.between.high && value.between.low <= high, "{most}");
        }
        let now = part.answers.endings[1].between;
        assert!(now.high - now.low <= width, "{most}: more positions say no less");
        width = now.high - now.low;
    }
    assert!(width < 1.0, "most of the game says something");
}

#[test]
fn floats_and_fractions_agree() {
    // Of sixteen ballots among fifteen there are more cases than a float has places.
    let many = small(&format!(
        "players 16; {HEAD}win Pack when times Day is 1\nscript {{ play Deal; play Day; judge }}\n\
         scene Day {{\n  ask each living for vote from living others\n  do departure of most of vote\n}}"
    ));
    let games = [
        (bundled("city"), 5, 500),
        (ten(), 7, 0),
        (bundled("town"), 3, 0),
        (many, 16, 0),
    ];
    for (rules, seats, offers) in games {
        let certain = walked(&rules, seats, offers, Bounds::USUAL);
        for value in &certain.answers.endings {
            let near: f64 = value.fraction.as_ref().unwrap().decimal(15).parse().unwrap();
            let reach = 1e-14;
            assert!(
                value.between.low - reach <= near && near <= value.between.high + reach,
                "{value:?}"
            );
            assert!(value.between.high - value.between.low < 1e-9, "{value:?}");
        }
    }
}

#[test]
fn constructs_that_hang_on_seats_are_named() {
    let hangs = |text: &str| -> Vec<&'static str> {
        let certain = walked(&small(text), 3, 0, Bounds::USUAL);
        assert_eq!(certain.renames, certain.hangs.is_empty());
        certain.hangs.iter().map(|hang| hang.what).collect()
    };
    let around = |scene: &str| {
        format!(
            "players 3; {HEAD}mark hit; mark struck one; count n of each; count total
event bite of p {{ mark p as hit }}
event fall of p {{ add number of hit to n of Wolf; mark p as hit }}
event toll of p {{ add 1 to total; mark p as hit }}
rule paid: instead of toll of players when total is 2 {{ nothing }}
event dear-toll of p {{ add 1 to total; mark p as hit }}
rule dearly-paid: instead of each dear-toll of players when total is 2 {{ nothing }}
event spared of p {{ mark p as hit }}
rule mercy: instead of spared of players when n of Wolf is 1 {{ nothing }}
event spared-by-many of p {{ mark p as hit }}
rule pity: instead of spared-by-many of players when n of Sheep is 1 {{ nothing }}
win Pack when times Day is 1
script {{ play Deal; play Day; judge }}
scene Day {{
{scene}
}}"
        )
    };
    let rows = [
        (
            "ask each living for vote from living\ndo departure of most of vote",
            "",
        ),
        ("do departure of first of living", "the first of several"),
        ("ask Wolf for prey from living\ndo departure of first of prey", ""),
        ("do departure of left of Wolf", "the neighbour to the left"),
        (
            "mark living as struck\ndo departure of struck",
            "a mark for the first of several",
        ),
        (
            "for each p of living {\n  if no hit { mark p as hit }\n}\ndo departure of hit",
            "a loop in which the order of players matters",
        ),
        ("for each p of living { mark p as hit }\ndo departure of hit", ""),
        // Of the wolf there is one card.
        (
            "add 1 to n of Wolf\nif n of Wolf is 1 { do departure of Wolf }",
            "",
        ),
        (
            "let near = living where n of Wolf is 0\ndo departure of near without Sheep",
            "",
        ),
        (
            "if n of Sheep is 0 { do departure of Wolf }",
            "the count of the first of several",
        ),
        (
            "for each p of living {\n  add 1 to n of p\n  if n of p is 1 { set n of p to 0 }\n}\nif n of Wolf is 0 { do departure of Wolf }",
            "",
        ),
        (
            "for each p of living {\n  set n of p to 0\n  add 1 to n of Wolf\n}\nif n of Wolf is 1 { do departure of Wolf }",
            "a loop in which the order of players matters",
        ),
        ("shuffle seats", "lots for seats"),
        (
            "for each p of living { swap seats of p and Wolf }",
            "a loop in which the order of players matters",
        ),
        (
            "for each p of living {\n  if n of Wolf is at least number of hit { mark p as hit }\n}\ndo departure of hit",
            "a loop in which the order of players matters",
        ),
        // One number for all, or for each his own.
        (
            "for each p of living { set total to 2 }\nif total is 2 { do departure of Wolf }",
            "",
        ),
        (
            "for each p of living { set total to number of p Wolf }\nif total is 0 { do departure of Wolf }",
            "a loop in which the order of players matters",
        ),
        (
            "for each p of living { plan bite of p }\nsettle bite\ndo departure of hit",
            "",
        ),
        (
            "for each p of living {\n  if no planned bite { plan bite of p }\n}\nsettle bite\ndo departure of hit",
            "a loop in which the order of players matters",
        ),
        (
            "for each p of living { plan fall of p }\nsettle fall\nif n of Wolf is 2 { do departure of hit }",
            "an event for several in which their order matters",
        ),
        // One, and not several.
        (
            "mark (hit without Wolf) as struck\ndo departure of struck",
            "a mark for the first of several",
        ),
        ("mark (Wolf without hit) as struck\ndo departure of struck", ""),
        (
            "mark (living without Wolf) as struck\ndo departure of struck",
            "a mark for the first of several",
        ),
        (
            "mark (Wolf plus hit) as struck\ndo departure of struck",
            "a mark for the first of several",
        ),
        ("mark (hit Wolf) as struck\ndo departure of struck", ""),
        (
            "mark (Wolf else living) as struck\ndo departure of struck",
            "a mark for the first of several",
        ),
        // Who has become one of them makes it several.
        (
            "ask Wolf for friend from living\nturn friend into Wolf\nmark Wolf as struck\ndo departure of struck",
            "a mark for the first of several",
        ),
        // A rule in the place of one may look at what the one before has left.
        ("do toll of living\ndo departure of hit", ""),
        (
            "do dear-toll of living\ndo departure of hit",
            "an event for several in which their order matters",
        ),
        // Only a rule in its place looks at whom it has hit.
        ("do spared of living\ndo departure of hit", ""),
        (
            "do spared-by-many of living\ndo departure of hit",
            "the count of the first of several",
        ),
    ];
    for (scene, what) in rows {
        let found = hangs(&around(scene));
        let is_so = match what {
            "" => found.is_empty(),
            what => found.contains(&what),
        };
        assert!(is_so, "{scene}: {found:?}, not {what}");
    }
}

#[test]
fn a_game_that_never_ends_is_told_so() {
    let rules = small(&format!(
        "players 3; {HEAD}script {{
  play Deal
  draw toss from 1 heads, 1 tails
  if toss is heads {{
    do departure of Wolf
    judge
  }}
  repeat {{ play Wake }}
}}
scene Wake {{ ask Wolf for friend from living others }}"
    ));
    let certain = walked(&rules, 3, 0, Bounds::USUAL);
    let told = |value: &omerta_exact::Value| value.fraction.clone().unwrap().to_string();
    assert_eq!(told(&certain.answers.endings[0]), "1/2");
    assert_eq!(told(&certain.answers.endless), "1/2");
    assert!(certain.answers.answers.is_none(), "such games have no mean");
}

#[test]
fn nights_that_are_only_asked_whether_they_are_the_first_are_one_from_the_second_on() {
    let rules = small(&format!(
        "players 3; {HEAD}win Pack when number of living is at most 2
script {{ play Deal; repeat {{ play Night; judge }} }}
scene Night {{
  ask Wolf for prey from living others or nobody
  if times Night is 1 {{
    do departure of prey
  }} else {{
    draw roll from 1..6
    if roll is 6 {{ do departure of Wolf }}
  }}
}}"
    ));
    let certain = walked(&rules, 3, 0, Bounds::USUAL);
    assert_eq!(
        certain.answers.endings[0].fraction.as_ref().unwrap().to_string(),
        "1/3"
    );
    assert!(certain.chain.positions() < 40, "{}", certain.chain.positions());
}

/// Of the numbers with which nights are compared the largest says from where on they are one, wherever it stands.
#[test]
fn nights_that_are_compared_with_several_numbers_are_one_behind_the_largest() {
    let third = "if times Night is 3 {
    if roll is 1 { do departure of Wolf } else { do departure of Sheep }
  }";
    let first = "if times Night is 1 { say \"It is the first.\" }";
    for [one, other] in [[first, third], [third, first]] {
        let rules = small(&format!(
            "players 3; {HEAD}win Pack when number of living is 1
script {{ play Deal; repeat {{ play Night; judge }} }}
scene Night {{
  draw roll from 1..2
  {one}
  {other}
}}"
        ));
        let certain = walked(&rules, 3, 0, Bounds::USUAL);
        let told = |value: &omerta_exact::Value| value.fraction.clone().unwrap().to_string();
        assert_eq!(told(&certain.answers.endings[0]), "1/2", "{one} {other}");
    }
}

#[test]
fn rules_that_ask_scripts_are_not_walked() {
    let hook = "hook pick of p gives players \"it is tried\" \"\"\" p \"\"\"";
    let asking = |from: &str, policy: &str| {
        small(&format!(
            "players 3; {HEAD}{hook}\npolicy own \"own\" {{ vote: {policy} }}
win Pack when times Day is 1
script {{ play Deal; play Day; judge }}
scene Day {{
  ask each living for vote from living
  do departure of {from}
}}"
        ))
    };
    let rows = [
        (asking("pick of Wolf", "Wolf"), Vec::new(), true),
        (asking("Wolf", "pick of me"), vec![0], true),
        // A script that nobody asks does no harm.
        (asking("Wolf", "pick of me"), Vec::new(), false),
    ];
    for (rules, policies, refused) in rows {
        let (players, company) = at_random(0);
        let company = Company { policies, ..company };
        let failure = exactly(&begun(&rules, 3), &players, company, Bounds::USUAL, &|_| true).err();
        assert_eq!(failure, refused.then_some(Failure::Scripts));
    }
}

/// A question or a draw of very many answers is told so at once, and not gone through for hours.
#[test]
fn rows_that_nobody_could_go_through_are_not_walked() {
    for row in [
        "ask host for n from 1..4000000000",
        "draw n from 1..4000000",
        "ask host {\nbet n from 0..200000 { nothing }\nrest { nothing }\n}",
    ] {
        let rules = small(&format!(
            "players 3; {HEAD}
win Pack when times Day is 1
script {{ play Deal; play Day; judge }}
scene Day {{ {row} }}"
        ));
        let (players, company) = at_random(0);
        let failure = exactly(&begun(&rules, 3), &players, company, Bounds::USUAL, &|_| true).err();
        assert_eq!(failure, Some(Failure::Uncountable), "{row}");
    }
}

/// The program that judges, where it is installed.
const JUDGE: &str = "
import sys, stormpy
model = stormpy.build_model_from_drn[stormpy.Rational](sys.argv[1])
for line in sys.argv[2:]:
    formula = stormpy.parse_properties(line)[0]
    print(stormpy.model_checking(model, formula).get_value(model.initial_states[0]))
";

#[test]
fn storm_comes_to_the_same_fractions_where_it_is_installed() {
    let installed = Command::new("python3").args(["-c", "import stormpy"]).output();
    if !installed.is_ok_and(|done| done.status.success()) {
        println!("Storm is not installed: its judgement was left out");
        return;
    }
    for (rules, seats, offers, ending) in [
        (ten(), 6, 0, 1),
        (bundled("town"), 3, 0, 2),
        (bundled("city"), 4, 500, 1),
    ] {
        let certain = walked(&rules, seats, offers, Bounds::USUAL);
        let names: Vec<String> = rules.endings.iter().map(|ending| ending.name.clone()).collect();
        let folder = folder();
        write(
            folder.path(),
            "chain.drn",
            &export::export(&certain.chain, &names, Form::Drn),
        );
        let plain: String = names[ending]
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let asked = [
            format!("P=? [F \"end_{plain}\"]"),
            "R{\"answers\"}=? [C]".to_owned(),
        ];
        let done = Command::new("python3")
            .args(["-c", JUDGE])
            .arg(folder.path().join("chain.drn"))
            .args(&asked)
            .output()
            .unwrap();
        let judged = String::from_utf8(done.stdout).unwrap();
        let mut judged = judged.lines();
        let own = certain.answers.endings[ending]
            .fraction
            .as_ref()
            .unwrap()
            .to_string();
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(judged.next(), Some(&*own), "{told}");
        let length = certain
            .answers
            .answers
            .as_ref()
            .unwrap()
            .fraction
            .as_ref()
            .unwrap()
            .to_string();
        assert_eq!(judged.next(), Some(&*length), "{told}");
    }
}

// ---- The command
fn told(args: &[&str]) -> (i32, String, String) {
    let done = omerta_in(folder().path(), args, b"");
    (done.code.unwrap(), done.out, done.err)
}

#[test]
fn the_command_prints_what_is_certain() {
    let (code, out, err) = told(&["exact", "town", "--players", "3"]);
    assert_eq!((code, &*err), (0, ""), "{out}");
    for words in [
        "3 players, exactly",
        "0.343403193809 = 17483/50911",
        "those that differ by who sits where are one",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn bundled_games_are_fractions_at_their_smallest_tables() {
    // Of sport, which has one table only, nothing can be said.
    let tables = [
        ("city", "3", "Mafioso, Civilian 2", "2104641360/5841402071"),
        ("town", "3", "Mafioso, Civilian 2", "17483/50911"),
        (
            "village",
            "4",
            "Mafioso, Officer, Villager 2",
            "114895901925175/1950175397631168",
        ),
        ("vendetta", "3", "Thug, Bystander 2", "787/2835"),
    ];
    for (name, players, cast, value) in tables {
        let (code, out, err) = told(&["exact", name, "--players", players, "--cast", cast, "--csv"]);
        assert_eq!(code, 0, "{name}: {err}");
        assert!(out.lines().any(|line| line.ends_with(value)), "{name}: {out}");
    }
}

#[test]
fn the_same_is_printed_as_data() {
    let (code, out, _) = told(&["exact", "town", "--players", "3", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let ending = { value["counted"].as_array().unwrap().iter() }
        .find(|row| row["name"] == "town-wins")
        .unwrap();
    assert_eq!((code, &ending["value"]["fraction"]), (0, &"17483/50911".into()));
    assert_eq!(
        (&value["omerta_exact"], &value["renames"]),
        (&1.into(), &true.into())
    );
    let (code, out, _) = told(&["exact", "town", "--sweep", "players=2..3", "--csv"]);
    assert_eq!(code, 0, "{out}");
    let rows: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("town-wins") || line.contains("none"))
        .collect();
    assert!(
        rows[0].starts_with("2,none,") && rows[1].starts_with("3,ending,town-wins,0.343403193808"),
        "{rows:?}"
    );
}

#[test]
fn a_simulation_beside_agrees() {
    let (code, out, err) = told(&["exact", "town", "--players", "3", "--simulated", "20000"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("simulated 0.3") && !out.contains("cannot be"),
        "{out}"
    );
}

/// A hundred times as many games leave the share about a tenth as open.
#[test]
fn so_many_games_are_simulated_beside_as_are_asked_for() {
    let width = |games: &str| {
        let args = ["exact", "town", "--players", "3", "--simulated", games, "--json"];
        let (code, out, err) = told(&args);
        assert_eq!(code, 0, "{out}{err}");
        let told: serde_json::Value = serde_json::from_str(&out).unwrap();
        let beside = told["counted"][0]["simulated"].clone();
        assert_eq!(beside["agrees"], true, "{beside}");
        beside["high"].as_f64().unwrap() - beside["low"].as_f64().unwrap()
    };
    let narrower = width("200") / width("20000");
    assert!((8.0..12.0).contains(&narrower), "{narrower}");
}

#[test]
fn what_was_not_looked_at_is_told() {
    let (code, out, err) = told(&["exact", "city", "--players", "5", "--most-positions", "60"]);
    assert_eq!(code, 1);
    assert!(out.contains("not looked at") && out.contains(" to 0."), "{out}");
    assert!(err.contains("`--most-positions`"), "{err}");
}

#[test]
fn memory_is_bounded_and_what_is_known_by_then_holds() {
    let args = [
        "exact",
        "vendetta",
        "--players",
        "5",
        "--cast",
        "Thug, Detective, Bystander 3",
    ];
    let bound = ["--memory", "2", "--csv"];
    let (code, out, err) = told(&[&args[..], &bound].concat());
    assert_eq!(code, 1, "{err}");
    // Far fewer than the usual bound of positions.
    let told = err.split_once("only ").unwrap().1.split_once(' ').unwrap().0;
    let looked_at = told.replace(',', "");
    assert!(looked_at.parse::<u32>().unwrap() < 100_000, "{err}");
    let open = out.lines().find(|line| line.starts_with("open")).unwrap();
    let low: f64 = open.split(',').nth(3).unwrap().parse().unwrap();
    assert!(low > 0.0 && low < 1.0, "{open}");
}

#[test]
fn a_sweep_comes_to_the_same_on_any_number_of_threads() {
    let args = ["exact", "city", "--sweep", "players=2..6", "--csv"];
    let one = told(&[&args[..], &["--threads", "1"]].concat());
    let many = told(&[&args[..], &["--threads", "3"]].concat());
    assert_eq!(one.0, 0, "{}", one.2);
    assert!(one.2.contains("left out `players=2`"), "{}", one.2);
    assert_eq!(one, many);
}

#[test]
fn a_chain_is_written_for_model_checkers() {
    let (code, out, _) = told(&["exact", "town", "--players", "3", "--export", "drn"]);
    assert!(
        code == 0 && out.starts_with("@type: DTMC\n@value_type: rational\n"),
        "{code}"
    );
    assert!(
        out.contains("end_town_wins\n\taction 0 [0]\n"),
        "ends have labels"
    );
    let (code, out, _) = told(&["exact", "town", "--players", "3", "--export", "prism"]);
    assert!(
        code == 0 && out.starts_with("dtmc\n") && out.contains("label \"end_town_wins\" = s="),
        "{code}"
    );
}

/// What was not looked at, what broke and what ended without an ending has a label of its own, and so has each ending,
/// whatever its letters.
#[test]
fn ends_without_a_name_have_labels_too() {
    let export = |form: &str| {
        let args = [
            "exact",
            "city",
            "--players",
            "5",
            "--most-positions",
            "60",
            "--export",
            form,
        ];
        told(&args).1
    };
    let (prism, drn) = (export("prism"), export("drn"));
    let open = { prism.lines() }
        .find(|line| line.starts_with("label \"open\" = "))
        .unwrap();
    let states: Vec<&str> = open
        .split("s=")
        .skip(1)
        .map(|state| state.trim_end_matches([' ', ';', '|']))
        .collect();
    assert_eq!(states.len(), drn.matches("] open\n").count());
    for state in states {
        assert!(
            prism.contains(&format!("  [] s={state} -> 1:(s'={state});\n")),
            "{state}"
        );
        let stays = format!("state {state} [0] open\n\taction 0 [0]\n\t\t{state} : 1\n");
        assert!(drn.contains(&stays), "{state}");
    }

    let folder = folder();
    let rules = "ruleset lots \"Lots\"\nuse std.table\nplayers 2\ncast {\n  Sheep rest\n}\nteam Flock\nrole Sheep of Flock\ncount shares = 3\n\
                 script {\n  play Deal\n  draw side from 1..6\n  if side is 1 { set shares to shares / (shares - 3) rounded up }\n  \
                 if side is at least 5 { win Flock }\n  if side is 2 { end }\n  set shares to side\n  judge\n}\n\
                 ending мир: draw when shares is 3\nending мор: lose players when shares is 4\n";
    write(folder.path(), "lots.mafia", rules);
    let told = omerta_in(folder.path(), &["exact", "lots.mafia", "--export", "prism"], b"");
    for label in [
        "broken\" = s=2;",
        "no_ending\" = s=3 | s=6;",
        "43c438440\" = s=4;",
        "43c43e440\" = s=5;",
    ] {
        assert!(
            told.out.contains(&format!("label \"end_{label}\n")),
            "{label}: {}",
            told.out
        );
    }
    assert!(!told.out.contains("open"), "{}", told.out);
}

/// Won by one or by both: the ends of one name stand under one label.
#[test]
fn ends_of_one_name_have_one_label_together() {
    let folder = folder();
    let rules = "ruleset lots \"Lots\"\nuse std.table\nplayers 2\ncast {\n  Sheep rest\n}\nteam Flock\nrole Sheep of Flock\nmark lucky\n\
                 script {\n  play Deal\n  mark seat 1 as lucky\n  draw side from 1..2\n  if side is 1 { mark seat 2 as lucky }\n  judge\n}\n\
                 ending over: win lucky when some lucky\n";
    write(folder.path(), "lots.mafia", rules);
    let told = omerta_in(folder.path(), &["exact", "lots.mafia", "--export", "prism"], b"");
    assert!(
        told.out.contains("label \"end_over\" = s=2 | s=3;\n"),
        "{}",
        told.out
    );
}

#[test]
fn a_slip_is_told_in_a_word() {
    let rows: [(&[&str], i32, &str); 8] = [
        (&["exact", "nowhere"], 1, "nowhere"),
        (
            &["exact", "city", "--players", "40"],
            1,
            "the table has no cast for 40 players",
        ),
        (
            &["exact", "city", "--policy", "careful"],
            2,
            "plays in `omerta sim` alone",
        ),
        (&["exact", "city", "--memory", "0"], 2, "a whole number above 0"),
        (&["exact", "city", "--players", "2"], 1, ""),
        (&["exact", "city", "--policy", "crwd"], 2, "did you mean `crowd`?"),
        (
            &["exact", "city", "--most-positions", "0"],
            2,
            "a whole number above 0",
        ),
        (
            &["exact", "city", "--export", "drn", "--json"],
            2,
            "cannot stand together",
        ),
    ];
    for (args, code, words) in rows {
        let (found, out, err) = told(args);
        assert_eq!(found, code, "{args:?}: {out}{err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
}

// ---- What somebody can know, by playing every game from its beginning

/// The cards of all seats, in so many of a million games.
type Hands = (Vec<u64>, u128);

/// A game as one seat hears it, for the tree of all games.
struct Ear<'a> {
    words: Words<'a>,
    seat: u8,
    players: &'a Players,
    heard: Vec<String>,
    own: Vec<Choice>,
    /// So many answers were given since that the seat did not hear of.
    silent: usize,
    /// Whether chance decides now.
    draws: bool,
    /// The cards of the games that fit, with their weights.
    fit: std::collections::BTreeMap<Vec<u64>, u128>,
}

impl Ear<'_> {
    fn is_asked(&self, game: &Game) -> bool {
        matches!(game.pending(), Pending::Ask(asked) if asked.who >> self.seat & 1 == 1)
    }

    /// The game that is played has come so far.
    fn hear(&mut self, game: &Game, log: &Log, scene: &mut (u16, u32)) {
        let news = self.news(game, log, scene);
        if !news.is_empty() {
            self.silent = 0;
        }
        self.heard.extend(news);
    }

    /// What of the news reaches the seat, each with the scene in which it came.
    fn news(&self, game: &Game, log: &Log, scene: &mut (u16, u32)) -> Vec<String> {
        let viewer = Viewer::Seat(self.seat);
        let mut news = Vec::new();
        for event in &log.events {
            if let What::SceneBegan { scene: now, nth } = event.what {
                *scene = (now.0, nth);
            }
            let told = match (&event.what, game.pending()) {
                _ if !event.audience.includes(viewer) => None,
                (What::Asked { .. }, Pending::Ask(asked)) => Some(self.words.question(game, &asked)),
                _ => self.words.event(event, viewer),
            };
            news.extend(told.map(|told| format!("{scene:?} {told}")));
        }
        news
    }

    /// Goes on from a game that has told so much; `weight` of all games come there.
    fn listen(
        &mut self,
        game: &Game,
        (heard, own, silent, mut scene): (usize, usize, usize, (u16, u32)),
        log: &Log,
        weight: (u128, u128),
    ) {
        let news = self.news(game, log, &mut scene);
        let Some(next) = self.heard.get(heard..heard + news.len()) else {
            return;
        };
        if next != news {
            return;
        }
        let (heard, silent) = match news.len() {
            0 => (heard, silent),
            more => (heard + more, 0),
        };
        let rests = !matches!(game.pending(), Pending::Chance(_));
        if heard == self.heard.len() && silent == self.silent && (rests || self.draws) {
            let seats = 0..game.look().seats();
            let cards = seats.map(|seat| game.look().roles_of(1 << seat)).collect();
            *self.fit.entry(cards).or_default() += (weight.0 << 80) / weight.1;
            return;
        }
        let mut ways = Vec::new();
        let mine = self.is_asked(game);
        match (mine, self.own.get(own)) {
            (true, Some(choice)) => ways.push((*choice, (1, 1))),
            (true, None) => return,
            (false, _) => self.players.ways(game, &mut ways).unwrap(),
        }
        for (choice, share) in ways {
            let (mut then, mut log) = (game.clone(), Log::default());
            if then.apply(choice, &mut log).is_ok() {
                self.listen(
                    &then,
                    (heard, own + usize::from(mine), silent + usize::from(rests), scene),
                    &log,
                    times(weight, share),
                );
            }
        }
    }
}

/// The cards of all games that fit what a seat has heard, in millionths.
fn by_the_tree(session: &Session, seat: u8, players: &Players) -> Vec<Hands> {
    let mut ear = Ear {
        words: session.table().words(),
        seat,
        players,
        heard: Vec::new(),
        own: Vec::new(),
        silent: 0,
        draws: matches!(session.game().pending(), Pending::Chance(_)),
        fit: Default::default(),
    };
    let mut log = Log::default();
    let mut game = session.table().begin(&mut log).unwrap();
    let mut scene = (0, 0);
    for choice in session.answers() {
        ear.hear(&game, &log, &mut scene);
        ear.silent += usize::from(matches!(game.pending(), Pending::Ask(_)));
        if ear.is_asked(&game) {
            ear.own.push(*choice);
        }
        log = Log::default();
        game.apply(*choice, &mut log).unwrap();
    }
    ear.hear(&game, &log, &mut scene);
    let mut log = Log::default();
    let game = session.table().begin(&mut log).unwrap();
    ear.listen(&game, (0, 0, 0, (0, 0)), &log, (1, 1));
    shares(ear.fit)
}

fn shares(fit: std::collections::BTreeMap<Vec<u64>, u128>) -> Vec<Hands> {
    let all: u128 = fit.values().sum();
    let share = |(cards, weight): (Vec<u64>, u128)| (cards, (weight >> 20) * 1_000_000 / (all >> 20));
    fit.into_iter().map(share).collect()
}

/// The game of `lang/knows.mafia` without a head of its own.
fn rules_of_secrets() -> Arc<Ruleset> {
    let (_, uses) = include_str!("lang/knows.mafia")
        .split_once("use std.table")
        .unwrap();
    let (_, rest) = uses.split_once(", std.reveal").unwrap();
    small(&format!("use std.night, std.reveal{rest}"))
}

#[test]
fn what_a_seat_can_know_is_what_the_tree_of_all_games_says() {
    let (players, _) = at_random(0);
    let knows = rules_of_secrets();
    let mut told_apart = 0;
    let all = games()
        .into_iter()
        .map(|game| (game.name, game.rules, 3))
        .chain([("who knows", knows, 4)]);
    for (name, rules, seats) in all {
        for seed in 0..4 {
            let table = Table {
                rules: rules.clone(),
                hooks: Arc::new(NoHooks),
                names: ["Ann", "Bob", "Cid", "Dee"][..seats]
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect(),
                cast: cast(&rules, seats),
                seed: None,
            };
            let mut session = Session::start(table).unwrap();
            let mut chance = Chance::of_seed(seed);
            while let Some(choice) = players.policy.choose(session.game(), &mut chance) {
                session.apply(choice).unwrap();
                let seat = (session.cursor() % seats) as u8;
                let found = fitting(&session, Viewer::Seat(seat)).unwrap();
                assert!(!found.sampled);
                let mut fit = std::collections::BTreeMap::new();
                for world in &found.worlds {
                    let cards = (0..seats)
                        .map(|seat| world.game.look().roles_of(1 << seat))
                        .collect::<Vec<u64>>();
                    *fit.entry(cards).or_default() += world.weight;
                }
                told_apart += usize::from(fit.len() > 1);
                let (mine, tree) = (shares(fit), by_the_tree(&session, seat, &players));
                let near =
                    |(mine, other): (&Hands, &Hands)| mine.0 == other.0 && mine.1.abs_diff(other.1) <= 1;
                assert!(
                    mine.len() == tree.len() && mine.iter().zip(&tree).all(near),
                    "{name}, game {seed}, seat {seat} after {} answers: {mine:?}, and by the tree {tree:?}",
                    session.cursor()
                );
                if session.cursor() > 12 {
                    break;
                }
            }
        }
    }
    assert!(told_apart > 50, "{told_apart}");
}

/// Drawn worlds have the weights of those that were not drawn, on average.
#[test]
fn shares_of_games_that_were_drawn_are_right_on_average() {
    let rules = rules_of_secrets();
    let (players, _) = at_random(0);
    let table = |seed| Table {
        rules: rules.clone(),
        hooks: Arc::new(NoHooks),
        names: ["Ann", "Bob", "Cid", "Dee", "Eve"].map(str::to_owned).to_vec(),
        cast: cast(&rules, 5),
        seed: Some(seed),
    };
    let mut chance = Chance::of_seed(3);
    let mut played = Session::start(table(0)).unwrap();
    while let Some(choice) = players.policy.choose(played.game(), &mut chance) {
        played.apply(choice).unwrap();
    }
    let wolf = 1u64
        << rules
            .groups
            .iter()
            .position(|group| group.name == "Wolf")
            .unwrap();
    let millionths = |found: &Worlds, seat: u8| {
        let (some, all) = found.share(|game| game.look().roles_of(1 << seat) == wolf);
        (some / (all / 1_000_000)) as i64
    };
    let seats: Vec<u8> = (1..5).collect();
    let whole = omerta_exact::worlds(
        &played,
        Viewer::Seat(0),
        &players,
        (20_000, 1),
        (&|_| false, None),
    )
    .unwrap();
    assert!(!whole.sampled);
    let mut sums = vec![0; seats.len()];
    let mut drawn = 0;
    for seed in 0..400 {
        let (again, _) = Session::replay(table(seed), played.answers(), &[]).unwrap();
        let Ok(found) = omerta_exact::worlds(&again, Viewer::Seat(0), &players, (4, 1), (&|_| false, None))
        else {
            continue;
        };
        assert!(found.sampled);
        drawn += 1;
        for (sum, seat) in sums.iter_mut().zip(&seats) {
            *sum += millionths(&found, *seat);
        }
    }
    assert!(drawn > 300, "{drawn}");
    for (sum, seat) in sums.iter().zip(&seats) {
        let (mean, exact) = (sum / drawn, millionths(&whole, *seat));
        assert!(
            (mean - exact).abs() < 50_000,
            "seat {seat}: {mean} is not {exact}"
        );
    }
}

/// The worlds of a viewer, of which so many are kept, by so many threads.
fn worlds_by(session: &Session, viewer: Viewer, (most, threads): (usize, usize), seed: u64) -> Worlds {
    let (players, _) = at_random(500);
    let search = worlds::Effort {
        players: &players,
        alike: None,
        most,
        steps: 32 * most,
        traced: true,
        seed: Some(seed),
        stop: &|_| false,
        recall: None,
        threads,
    };
    Inquiry {
        session,
        viewer,
        search,
    }
    .worlds()
    .unwrap()
}

fn fact(rules: &Ruleset, name: &str) -> FactId {
    let place = rules.facts.iter().position(|fact| fact.name == name);
    FactId(place.unwrap() as u16)
}

/// A game of three in which all has been drawn, and nothing told, before the first question.
fn in_the_dark(rules: &Arc<Ruleset>) -> Session {
    let table = Table {
        rules: rules.clone(),
        hooks: Arc::new(NoHooks),
        names: ["Ann", "Bob", "Cid"].map(str::to_owned).to_vec(),
        cast: cast(rules, 3),
        seed: None,
    };
    let (players, _) = at_random(0);
    let mut session = Session::start(table).unwrap();
    let mut chance = Chance::of_seed(1);
    while let Pending::Chance(_) = session.game().pending() {
        let choice = players.policy.choose(session.game(), &mut chance).unwrap();
        session.apply(choice).unwrap();
    }
    session
}

/// Nobody but the host hears of a wait: those who had one are as likely as those who had none, whether its time may be over or
/// not.
#[test]
fn a_wait_of_a_limited_time_makes_nothing_likelier() {
    for wait in ["wait 60 seconds", "wait"] {
        let rules = small(&format!(
            "players 3; {HEAD}mark blessed\nwin Pack when times Night is 9\n\
             script {{ play Deal; repeat {{ play Night }} }}\n\
             scene Night {{ draw luck from 1 good, 1 bad\n  \
             if luck is good {{ mark players as blessed; {wait} \"All are blessed.\" }}\n  \
             say \"It is dark.\"\n  wait \"It is dark.\" }}"
        ));
        let blessed = fact(&rules, "blessed");
        let mut session = in_the_dark(&rules);
        if session.game().look().fact(blessed) != 0 {
            session.apply(Choice::Go).unwrap();
        }
        for viewer in [Viewer::Public, Viewer::Seat(1)] {
            let found = worlds_by(&session, viewer, (1000, 1), 1);
            assert!(!found.sampled);
            let (some, all) = found.share(|game| game.look().fact(blessed) != 0);
            assert_eq!(2 * some, all, "{wait}, {viewer:?}");
        }
    }
}

/// Half of all luck is good, and the other half is bad in as many ways as good weighs. With room for few, of which good luck is
/// one, it keeps its weight: whether the ways are drawn from (where there are more than may be tried) or the worlds.
#[test]
fn what_is_likely_keeps_its_weight_where_some_are_drawn() {
    const MOST: usize = 8;
    for bad in [20, 60] {
        let all: Vec<String> = (0..bad).map(|number| format!("1 bad{number}")).collect();
        let rules = small(&format!(
            "players 3; {HEAD}mark blessed\nwin Pack when times Night is 9\n\
             script {{ play Deal; repeat {{ play Night }} }}\n\
             scene Night {{ draw luck from {bad} good, {}\n  if luck is good {{ mark players as blessed }}\n  \
             draw hidden from 1..3\n  draw hidden from 1..3\n  wait \"It is dark.\" }}",
            all.join(", ")
        ));
        let blessed = fact(&rules, "blessed");
        let session = in_the_dark(&rules);
        for seed in 0..8 {
            let found = worlds_by(&session, Viewer::Public, (MOST, 1), seed);
            assert!(found.sampled);
            let (some, all) = found.share(|game| game.look().fact(blessed) != 0);
            let percent = 100 * some / all;
            // One step up or down of so many.
            let step = 100 / MOST as u128 + 1;
            assert!(
                (50 - step..=50 + step).contains(&percent),
                "{percent} of a hundred of {bad}, {seed}"
            );
        }
    }
}

#[test]
fn worlds_are_the_same_on_any_number_of_threads() {
    let rules = bundled("village");
    let table = Table {
        rules: rules.clone(),
        hooks: Arc::new(NoHooks),
        names: ["Ann", "Bob", "Cid", "Dee", "Eve"].map(str::to_owned).to_vec(),
        cast: cast(&rules, 5),
        seed: None,
    };
    let (players, _) = at_random(0);
    let mut chance = Chance::of_seed(2);
    let mut session = Session::start(table).unwrap();
    let mut sampled = [0; 2];
    for step in 1..=40 {
        let Some(choice) = players.policy.choose(session.game(), &mut chance) else {
            break;
        };
        session.apply(choice).unwrap();
        if step % 4 > 0 {
            continue;
        }
        for most in [60, 2_000] {
            let by = |threads| {
                let found = worlds_by(&session, Viewer::Seat(0), (most, threads), 7);
                let worlds = found.worlds.into_iter();
                let worlds: Vec<_> = worlds.map(|world| (world.weight, world.answers)).collect();
                (found.sampled, found.ruled_out, worlds)
            };
            let one = by(1);
            sampled[usize::from(one.0)] += 1;
            assert!(one == by(2) && one == by(5), "after {step} answers, of {most}");
        }
    }
    assert!(sampled.iter().all(|some| *some > 1), "{sampled:?}");
}

/// Two throws of sixty sides: 119 sums, of which 61 comes in sixty ways and 2 in one. Worlds with one sum come of many others,
/// which several threads have looked at. Where no more are kept than there are sums, none is drawn all the same, however many ways
/// lead there.
#[test]
fn worlds_that_have_become_alike_are_one_whichever_thread_has_found_them() {
    let rules = small(&format!(
        "players 3; {HEAD}count luck\nwin Pack when luck is 1000\nscript {{ play Deal; play Night; judge }}\n\
         scene Night {{ draw roll from 1..60\n  add roll to luck\n  draw again from 1..60\n  add again to luck\n  \
         wait \"It is dark.\" }}"
    ));
    let session = in_the_dark(&rules);
    let luck = fact(&rules, "luck");
    let (players, _) = at_random(0);
    for asked in [(20_000, 1), (20_000, 2), (20_000, 3), (20_000, 7), (400, 1)] {
        let found =
            omerta_exact::worlds(&session, Viewer::Public, &players, asked, (&|_| false, None)).unwrap();
        assert!(!found.sampled);
        let of = |sum: u64| found.share(|game| game.look().fact(luck) == sum);
        let thousandths = |sum| (1000 * 3600 * of(sum).0 + of(sum).1 / 2) / of(sum).1;
        assert_eq!(
            [2, 61, 120, 121].map(thousandths),
            [1000, 60_000, 1000, 0],
            "{asked:?}"
        );
    }
}

/// The title of a role.
fn title(rules: &Ruleset, name: &str) -> u64 {
    1 << rules.groups.iter().position(|group| group.name == name).unwrap()
}

/// A game in which some sheep are drawn by lot; a wolf, a seer and a guard are in it, and all is dealt.
fn drawn_by_lot(sheep: &str) -> Session {
    let rules = small(&format!(
        "use std.table\nplayers 3\ncast {{ Wolf 1; {sheep} }}\nteam Pack \"the pack\"\nteam Flock \"the flock\"\n\
         class Sly \"the sly\"\nrole Wolf \"a wolf\" of Pack\nrole Seer \"a seer\" of Flock is Sly\n\
         role Guard \"a guard\" of Flock is Sly\nrole Nun \"a nun\" of Flock\nscript {{ play Deal; play Night }}\n\
         scene Night {{ wait \"It is dark.\" }}\nending over: draw when times Night is 9 \"it is late\""
    ));
    let named = |name: &str| GroupId(title(&rules, name).trailing_zeros() as u16);
    let table = Table {
        rules: rules.clone(),
        hooks: Arc::new(NoHooks),
        names: ["Ann", "Bob", "Cid"].map(str::to_owned).to_vec(),
        cast: PlannedCast {
            cards: vec![named("Wolf"), named("Seer"), named("Guard")],
        },
        seed: None,
    };
    let mut session = Session::start(table).unwrap();
    let (players, _) = at_random(0);
    let mut chance = Chance::of_seed(0);
    while matches!(session.game().pending(), Pending::Chance(_)) {
        let choice = players.policy.choose(session.game(), &mut chance).unwrap();
        session.apply(choice).unwrap();
    }
    session
}

/// Two of three sorts of sheep are drawn by lot, and nobody is told which. By hand: of the six hands at whose first seat a Seer
/// lies (with Guard or with Nun, and the wolf at either of the others) four are possible, all alike.
#[test]
fn nobody_knows_which_cards_were_drawn_by_lot() {
    let session = drawn_by_lot("Flock 2");
    let role = |name: &str| title(&session.table().rules, name);
    let look = session.game().look();
    let seer = (0..3)
        .find(|seat| look.roles_of(1 << seat) == role("Seer"))
        .unwrap();
    let found = fitting(&session, Viewer::Seat(seer)).unwrap();
    assert!(!found.sampled);
    for other in (0..3).filter(|seat| *seat != seer) {
        for (name, quarters) in [("Wolf", 2), ("Guard", 1), ("Nun", 1), ("Seer", 0)] {
            let (some, all) = found.share(|game| game.look().roles_of(1 << other) == role(name));
            assert_eq!((some * 400 + all / 2) / all, quarters * 100, "{name} at {other}");
        }
    }
    let wolf = (0..3)
        .find(|seat| look.roles_of(1 << seat) == role("Wolf"))
        .unwrap();
    let found = fitting(&session, Viewer::Seat(wolf)).unwrap();
    let (some, all) = found.share(|game| game.look().holders(role("Nun")) == 0);
    assert_eq!(
        (some * 300 + all / 2) / all,
        100,
        "of three pairs one is without the nun"
    );
}

/// One of the sly and one of all sheep: a seer and a guard come of it in either order, a nun with each of them in one.
#[test]
fn cards_that_lots_give_in_two_ways_are_as_likely_as_both() {
    let session = drawn_by_lot("Sly 1; Flock 1");
    let role = |name: &str| title(&session.table().rules, name);
    let mut seats = 0..3;
    let look = session.game().look();
    let wolf = seats
        .find(|seat| look.roles_of(1 << seat) == role("Wolf"))
        .unwrap();
    let found = fitting(&session, Viewer::Seat(wolf)).unwrap();
    assert!(!found.sampled);
    for (absent, quarters) in [("Nun", 2), ("Guard", 1), ("Seer", 1), ("Wolf", 0)] {
        let (some, all) = found.share(|game| game.look().holders(role(absent)) == 0);
        assert_eq!((some * 400 + all / 2) / all, quarters * 100, "{absent}");
    }
}

#[test]
fn odds_of_a_game_that_goes_on_are_those_of_all_its_games() {
    let (players, _) = at_random(0);
    for small in games() {
        let game = begun(&small.rules, 3);
        let certain = walked(&small.rules, 3, 0, Bounds::USUAL);
        let odds = omerta_exact::odds(&game, &players, (100_000, 0), 1, &|| false).unwrap();
        assert_eq!(odds.played, None);
        for (team, same) in odds.answers.teams.iter().zip(&certain.answers.teams) {
            assert_eq!(team.won.fraction, same.won.fraction, "{}", small.name);
        }
        // Where nothing may be walked, games are played on: so many come close.
        let played = omerta_exact::odds(&game, &players, (0, 4_000), 1, &|| false).unwrap();
        assert_eq!(played.played, Some(4_000));
        for (team, same) in played.answers.teams.iter().zip(&certain.answers.teams) {
            let (near, is) = (team.won.between.middle(), same.won.between.middle());
            assert!((near - is).abs() < 0.04, "{}: {near} is not {is}", small.name);
        }
        assert!(omerta_exact::odds(&game, &players, (0, 0), 1, &|| false).is_none());
    }
}

// ---- The command `worlds`

/// The command on some games of a file.
fn worlds_of(args: &[&str]) -> (i32, String, String) {
    let folder = folder();
    let rules = include_str!("lang/knows.mafia").replace(
        "    show team of suspect to me\n",
        "    show team of suspect to me\n    say \"So | so.\"\n",
    );
    write(folder.path(), "knows.mafia", &rules);
    let scenario = |title: &str, seats: &str, look: &str| {
        format!("play \"{title}\"\nseats {seats}\nNight 1 {{\n  {look} -> Bob\n  Bob -> nobody\n}}\n")
    };
    let text = format!(
        "ruleset knows\n{}{}",
        scenario("Ann looks", "Ann: Seer, Bob: Wolf, Cid: Sheep, Dee: Sheep", "Ann"),
        scenario("Eve looks", "Eve: Seer, Bob: Wolf, Cid: Sheep, Dee: Sheep", "Eve"),
    );
    write(folder.path(), "knows.play", &text);
    let done = omerta_in(folder.path(), &[&["worlds"], args].concat(), b"");
    (done.code.unwrap(), done.out, done.err)
}

#[test]
fn worlds_of_some_scenarios_are_told() {
    let (code, out, err) = worlds_of(&["knows.play", "--seat", "Bob"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("Ann looks\n") && out.contains("Eve looks\n"),
        "{out}"
    );
    let (code, out, err) = worlds_of(&["knows.play", "--seat", "Bob", "--filter", "EVE"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        !out.contains("Ann looks\n") && out.contains("Eve looks\n"),
        "{out}"
    );
    // By the name of the file all of them are meant, in big letters or small ones.
    let (code, out, err) = worlds_of(&["knows.play", "--seat", "Bob", "--filter", "Knows.PLAY"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("Ann looks\n") && out.contains("Eve looks\n"),
        "{out}"
    );
    // What is told is told whole, whatever stands in it.
    let (code, out, err) = worlds_of(&["knows.play", "--seat", "Ann", "--filter", "Ann"]);
    assert!(code == 0 && out.contains("“So | so.”"), "{out}{err}");
    // Somebody who sits in one of them only.
    let (code, out, err) = worlds_of(&["knows.play", "--seat", "Ann"]);
    assert!(
        code == 0 && out.contains("nobody here is called `Ann`"),
        "{out}{err}"
    );
    let rows: [(&[&str], &str); 4] = [
        (
            &["knows.play", "--seat", "Bob", "--filter", "nothing"],
            "no scenario has `nothing` in its name",
        ),
        (&["knows.play", "--seat", "Zoe"], "nobody here is called `Zoe`"),
        (&["knows.play", "--seat", "9"], "nobody here is called `9`"),
        (
            &["knows.play", "--seat", "Bob", "--seconds", "0"],
            "a whole number above 0",
        ),
    ];
    for (args, words) in rows {
        let (code, out, err) = worlds_of(args);
        assert!(code == 2 && err.contains(words), "{args:?}: {code} {out}{err}");
    }
}

/// Where one spy of two agents is asked at once whether he fails it, an answer brings two lines to those who look on, and a game is ruled
/// out by the second. Of a scenario that goes another way from there on it follows nothing.
#[test]
fn worlds_of_a_scenario_are_those_it_has_by_itself_whichever_comes_before() {
    let folder = folder();
    write(
        folder.path(),
        "mission.mafia",
        include_str!("exact/mission.mafia"),
    );
    let scenario = |title: &str, fails: &str| {
        format!("play \"{title}\"\nMission 1 {{\n  Ann -> yes\n  Bob -> {fails}\n}}\n")
    };
    let head = "ruleset \"mission.mafia\"\nseats Ann: Agent, Bob: Spy, Cid: Agent\n";
    let told = |scenarios: &[(&str, &str)]| {
        let all = scenarios.iter().map(|(title, fails)| scenario(title, fails));
        write(
            folder.path(),
            "mission.play",
            &format!("{head}{}", all.collect::<String>()),
        );
        omerta_in(folder.path(), &["worlds", "mission.play", "--seat", "Ann"], b"").out
    };
    let [one, none] = [("one fails", "yes"), ("none fails", "no")];
    let alone = [one, none].map(|scenario| told(&[scenario]));
    assert!(
        alone[0].contains("one game fits") && alone[0].contains("because of “The sun rises.”, “1 fails.”"),
        "{}",
        alone[0]
    );
    assert!(alone[1].contains("2 games fit"), "{}", alone[1]);
    assert_eq!(told(&[one, none]), alone.concat());
    assert_eq!(told(&[none, one]), format!("{}{}", alone[1], alone[0]));
}

/// Chance for a deal of eight roles, and then for a coin: the coin is even in the games that are drawn as well, wherever it lies in the order
/// of those that were drawn before.
#[test]
fn what_is_drawn_from_many_that_are_as_likely_is_no_one_choice_of_all_of_them() {
    let folder = folder();
    let roles = ["Ant", "Bee", "Cat", "Dog", "Elk", "Fox", "Gnu", "Hen"];
    let cast: String = roles.map(|role| format!("  {role} 1\n")).concat();
    let each: String = roles.map(|role| format!("role {role} \"the {role}\"\n")).concat();
    let rules = format!(
        "ruleset coin \"Coin\"\nuse std.table\nplayers 8\ncast {{\n{cast}  Rat 0\n}}\n{each}role Rat \"the rat\"\nscript {{\n  play Deal\n  \
         ask host \"Heads?\" {{\n    heads {{ turn seat 1 into Rat }}\n    tails {{ }}\n  }}\n  ask host \"Dark?\" {{\n    dark {{ }}\n    \
         bright {{ }}\n  }}\n  say \"Ready.\"\n  wait\n}}\n"
    );
    write(folder.path(), "coin.mafia", &rules);
    let play = "ruleset \"coin.mafia\"\nplay \"x\"\nseats Ann, Bob, Cid, Dee, Eve, Fay, Gus, Hal\nhost -> heads\nhost -> dark\n";
    write(folder.path(), "coin.play", play);
    for most in ["150", "200", "250", "500"] {
        let args = ["worlds", "coin.play", "--seat", "public", "--most", most];
        let told = omerta_in(folder.path(), &args, b"").told();
        let (_, line) = told
            .split_once("Ann  the rat ")
            .unwrap_or_else(|| panic!("{told}"));
        let share: i32 = line.split_once('.').unwrap().0.parse().unwrap();
        let (_, off) = told.split_once("a share may be ").unwrap();
        let off: i32 = off.split_once(' ').unwrap().0.parse().unwrap();
        assert!((share - 50).abs() <= off && off < 20, "{told}");
    }
}

/// What the rules read for words alone is known to whoever heard the words, with another question in between: two games that tell him something
/// else are never one. By hand: "hit" says nothing of who was meant; a clue that is the prey in three of four cases, and anybody of the
/// living in the fourth, makes it 1/16 for whom it names and 5/16 for each other.
#[test]
fn games_that_will_say_something_else_are_not_one() {
    let head = "use std.table\nteam Pack\nteam Flock\nrole Wolf \"a wolf\" of Pack\nrole Sheep \"a sheep\" of Flock\nending over: win Flock when no Pack\n";
    let hit = "ruleset hit\nplayers 3\ncast {\n  Wolf 1\n  Sheep 2\n}\nflag hit\nscript {\n  play Deal\n  ask host for look from players\n  \
               if look is Wolf { set hit to yes }\n  ask host whether a\n  say \"hit: {hit}\"\n  ask host whether b\n  if a and b { say \"z\" }\n}\n";
    let clue = "ruleset clue\nplayers 4\ncast {\n  Wolf 1\n  Sheep 3\n}\nscript {\n  play Deal\n  ask Wolf for prey from living without Wolf\n  \
                draw luck from 3 clear, 1 foggy\n  if luck is clear {\n    say \"clue: {prey}\"\n  } else {\n    draw some-one from living\n    \
                say \"clue: {some-one}\"\n  }\n  wait\n}\n";
    let rows = [
        (
            hit,
            "seats Ann: Sheep, Bob: Wolf, Cid: Sheep\nplay \"x\"\nhost [look] -> Bob\nhost [a] -> no\n",
            "public",
            "Ann, Bob and Cid: each a sheep 66.7 %, a wolf 33.3 %",
        ),
        (
            hit,
            "seats Ann: Sheep, Bob: Wolf, Cid: Sheep\nplay \"x\"\nhost [look] -> Bob\nhost [a] -> no\n",
            "Cid",
            "Ann and Bob: each a wolf 50.0 %, a sheep 50.0 %",
        ),
        (
            clue,
            "seats Ann: Sheep, Bob: Wolf, Cid: Sheep, Dee: Sheep\nplay \"x\"\nBob -> Cid\ndraw luck -> clear\nrun to wait\n",
            "public",
            "Cid  a sheep 93.8 %, a wolf 6.2 %",
        ),
        (
            clue,
            "seats Ann: Sheep, Bob: Wolf, Cid: Sheep, Dee: Sheep\nplay \"x\"\nBob -> Cid\ndraw luck -> clear\nrun to wait\n",
            "Ann",
            "Bob and Dee: each a sheep 54.5 %, a wolf 45.5 %",
        ),
    ];
    for (rules, play, seat, line) in rows {
        let folder = folder();
        let (first, rest) = rules.split_once('\n').unwrap();
        write(folder.path(), "x.mafia", &format!("{first}\n{head}{rest}"));
        write(folder.path(), "x.play", &format!("ruleset \"x.mafia\"\n{play}"));
        let told = omerta_in(folder.path(), &["worlds", "x.play", "--seat", seat], b"").told();
        assert!(told.contains(line), "{seat}: {line}\n{told}");
    }
}

/// One game in six is lost, and two win: a simulation that leaves the lost ones out says two of five.
#[test]
fn games_that_a_simulation_loses_are_compared_with_no_walk() {
    let folder = folder();
    let rules = "ruleset trap\nuse std.table\nplayers 3\ncast {\n  Sheep 3\n}\nteam Flock\nrole Sheep of Flock\ncount n\nscript {\n  play Deal\n  \
                 draw coin from 1 crash, 2 head, 3 tail\n  if coin is crash { set n to 1 / n rounded down }\n  if coin is head { win Flock }\n  wait\n}\n\
                 ending over: draw when n is 3\n";
    write(folder.path(), "trap.mafia", rules);
    let args = ["exact", "trap.mafia", "--players", "3", "--simulated", "300"];
    let told = omerta_in(folder.path(), &args, b"").told();
    assert!(!told.contains("which cannot be"), "{told}");
    assert!(told.contains("broke or did not end"), "{told}");
    assert!(told.contains("Flock  ") && told.contains("= 1/3"), "{told}");
}

/// For people as a sheet, side by side and as a page, for programs as lines and as data; with a name that two things of
/// different sorts have, a team that never wins, an ending that never comes, and numbers of players without a cast.
#[test]
fn what_is_certain_is_shown_in_every_form() {
    let folder = folder();
    write(folder.path(), "mill.mafia", include_str!("exact/mill.mafia"));
    let mut out = String::new();
    let mut shown = |words: &str, told: &dyn Fn(&str) -> String| {
        let args = ["exact", "mill.mafia", "--threads", "1"].into_iter();
        let args: Vec<&str> = args.chain(words.split_whitespace()).collect();
        let done = omerta_in(folder.path(), &args, b"");
        out.push_str(&format!("> {words}\n{}\n\n", told(&done.out).trim_end()));
    };
    let whole = |out: &str| out.to_owned();
    shown("--set pace=quick --policy open-always --calls 100", &whole);
    shown("--simulated 40 --seed 3", &whole);
    shown("--sweep pace=slow,quick", &whole);
    shown("--sweep players=2..3 --csv", &whole);
    shown("--simulated 40 --seed 3 --json", &|out| {
        let value: serde_json::Value = serde_json::from_str(out).unwrap();
        let rows = value["counted"].as_array().unwrap().iter();
        rows.map(|row| {
            let shares = ["value", "held", "won", "lost"].map(|part| row[part]["fraction"].to_string());
            let (kind, name) = (row["kind"].as_str().unwrap(), row["name"].as_str().unwrap());
            format!("{kind} {name}: {} {}\n", shares.join(" "), row["simulated"])
        })
        .collect()
    });
    shown("--sweep players=2..3 --html page.html", &|_| {
        let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        let (title, body) = page.split_once("<style>").unwrap();
        let title = title.split_once("<title>").unwrap().1;
        format!("{title}\n{}", body.split_once("<body>").unwrap().1)
    });
    insta::assert_snapshot!(out);
}

/// Votes that all give at once and hear of afterwards, and cards that were turned up long after the deal: worlds are drawn in which they are so.
#[test]
fn worlds_are_found_late_in_games_in_which_much_is_told() {
    let folder = folder();
    for (game, seed, answers) in [("town", "3", 40), ("town", "3", 80), ("vendetta", "2", 40)] {
        let line = ["play", game, "--players", "8", "--seed", seed];
        let typed = format!("random {answers}\nworlds public\nquit\n");
        let told = omerta_in(folder.path(), &line, typed.as_bytes()).told();
        let found =
            told.contains("What everybody can know (") && told.contains(" drawn by chance: a share may be ");
        assert!(found, "{game} {answers}: {told}");
    }
}

/// By hand: where Cid is a sheep and Dee lay as the fool, the seer and the wolf are two of four, in twelve ways. Of games that were
/// drawn nothing is sure, and nothing follows from anything.
#[test]
fn what_is_sure_is_told_as_sure_and_of_games_that_were_drawn_nothing_is() {
    let folder = folder();
    write(folder.path(), "knows.mafia", include_str!("lang/knows.mafia"));
    let night = "Night 1 {\n  Ann -> Cid\n  Bob -> Dee\n}\n";
    let seats = "seats Ann: Seer, Bob: Wolf, Cid: Sheep, Dee: Fool, Eve: Sheep, Fay: Sheep";
    let text = format!("ruleset knows\nplay \"x\"\n{seats}\n{night}");
    write(folder.path(), "knows.play", &text);
    let told = |seat: &str, most: &str| {
        let done = omerta_in(
            folder.path(),
            &["worlds", "knows.play", "--seat", seat, "--most", most],
            b"",
        );
        done.told()
    };
    let all = told("Cid", "200");
    for words in [
        "What Cid can know (12 games fit, each by its chance when all choose at random):",
        "Ann, Bob, Eve and Fay: each a sheep 50.0 %, a seer 25.0 %, a wolf 25.0 %; the flock 75.0 %, the pack 25.0 %\n",
        "Dee  surely a fool\n",
        "What it follows from:",
        "Dee is not a sheep, a seer or a wolf; Eve is not a fool; ",
        ", because of “Wolves, go to sleep.”, “Dee shows a card: a fool.”, ",
    ] {
        assert!(all.contains(words), "{words}: {all}");
    }
    assert!(!all.contains("Cid is not") && !all.contains("Cid  "), "{all}");
    let some = told("Cid", "5");
    assert!(
        some.contains(" games that fit, drawn by chance: a share may be "),
        "{some}"
    );
    assert!(some.contains("Dee  a fool in all of them\n"), "{some}");
    let one = told("Cid", "3");
    assert!(
        one.contains("(one game that fits was found by chance: the shares are a guess):"),
        "{one}"
    );
    assert!(
        one.contains("Dee  perhaps a fool\n") && !one.contains('%'),
        "{one}"
    );
    for drawn in [some, one] {
        assert!(
            !drawn.contains("surely") && !drawn.contains("What it follows from"),
            "{drawn}"
        );
    }
}

/// A chance that is nearly nothing or nearly all is never told as nothing or all.
#[test]
fn what_is_hardly_ever_so_is_not_never_so() {
    for (weights, told) in [
        ("1 rain, 1 sun", "a wolf 50.0 %, a sheep 50.0 %"),
        ("1 rain, 2 sun", "a sheep 66.7 %, a wolf 33.3 %"),
        ("2 rain, 1 sun", "a wolf 66.7 %, a sheep 33.3 %"),
        ("1 rain, 999 sun", "a sheep 99.9 %, a wolf 0.1 %"),
        ("1 rain, 2999 sun", "a sheep over 99.9 %, a wolf under 0.1 %"),
        ("2999 rain, 1 sun", "a wolf over 99.9 %, a sheep under 0.1 %"),
    ] {
        let folder = folder();
        let rules = format!(
            "ruleset lot \"A lot\"\nuse std.table\nplayers 3\ncast {{\n  players 3\n  Wolf 1\n  Sheep 2\n}}
team Pack \"the pack\"\nteam Flock \"the flock\"\nrole Wolf \"a wolf\" of Pack\nrole Sheep \"a sheep\" of Flock
script {{ play Deal; play Luck }}
scene Luck {{
  draw luck from {weights}
  for each p of players {{ say \"{{p}} is {{role of p}}.\" }}
  if luck is rain {{ turn seat 2 into Wolf }}
  wait \"Done.\"
}}
ending over: win Flock when no players\n"
        );
        write(folder.path(), "lot.mafia", &rules);
        let play = "ruleset lot\nseats Ann: Sheep, Bob: Sheep, Cid: Wolf\nplay \"x\"\nrun to wait\notherwise random with seed 1\n";
        write(folder.path(), "lot.play", play);
        let done = omerta_in(folder.path(), &["worlds", "lot.play", "--seat", "Ann"], b"");
        let line = format!("\n    Bob  {told}; the ");
        assert!(done.out.contains(&line), "{weights}: {}", done.told());
        assert!(done.out.contains("\n    Cid  surely a wolf\n"), "{}", done.told());
    }
}

#[test]
fn worlds_come_to_an_end_when_the_time_is_over() {
    let folder = folder();
    let line = ["play", "town", "--players", "10", "--seed", "1"];
    omerta_in(folder.path(), &line, b"to day 3\nsave long.game\n");
    let asked = [
        "worlds",
        "long.game",
        "--seat",
        "1",
        "--most",
        "1000000",
        "--seconds",
        "1",
    ];
    let begun = std::time::Instant::now();
    let done = omerta_in(folder.path(), &asked, b"");
    assert!(begun.elapsed().as_secs() < 20, "{}", done.told());
    // A few games that were drawn, or a word that these are not enough.
    let few = done.out.contains(" by chance") && done.code == Some(0);
    assert!(
        few || done.err.contains("there are ") && done.code == Some(1),
        "{}",
        done.told()
    );
    let picked = omerta_in(
        folder.path(),
        &["worlds", "long.game", "--seat", "1", "--filter", "x"],
        b"",
    );
    assert!(picked.err.contains("this is one game"), "{}", picked.told());
}

#[test]
fn rules_that_break_are_told() {
    let folder = folder();
    let rules = format!(
        "ruleset endless \"Endless\"\nuse std.table\nplayers 3\n{HEAD}count c
script {{ play Deal; repeat {{ play Day }} }}
scene Day {{ add 1 to c }}
"
    );
    write(folder.path(), "endless.mafia", &rules);
    let done = omerta_in(folder.path(), &["exact", "endless.mafia"], b"");
    assert_eq!(done.code, Some(1), "{}", done.told());
    assert!(
        done.err.contains("the rules break in some of these games"),
        "{}",
        done.told()
    );
    assert!(
        done.out.contains("the rules break  1.000000000000 = 1"),
        "{}",
        done.told()
    );
}
