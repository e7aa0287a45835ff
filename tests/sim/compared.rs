//! What is said of runs whose numbers are made up, so that a person can add them up: what is compared with
//! what, which of several comes first, and the first and last of everything that is listed.

use super::{head, laid};
use omerta::faces::{
    render::Style,
    sim::{Look, compared, sheet},
};
use omerta_core::rules::{EndingId, GroupId};
use omerta_measure::sim::{
    Goal, Group, Head, Held, Kind, Labels, MOST_MOMENTS, Moment, Record, RunFile, Seen, Shape, Shard, Tally,
    counted, csv, difference, groups, is_sure,
};

const TEAMS: [&str; 4] = ["Town", "Mafia", "Maniac", "Judge"];
const LOOK: Look = Look {
    colour: Style::PLAIN.colour,
    width: 120,
};

/// A run of so many games of two seats; of each team the games in which somebody of it won, or nothing
/// where no card of it was in the game.
fn run(games: u64, won: [Option<u64>; 4]) -> RunFile {
    let record = |won: Option<u64>| Record {
        held: won.map_or(0, |_| games),
        won: won.unwrap_or(0),
        lost: 0,
    };
    let seat = record(Some(games / 2));
    let labels = Labels {
        title: "Made up".to_owned(),
        teams: TEAMS.map(str::to_owned).into(),
        endings: vec!["dawn".to_owned(), "dusk".to_owned()],
        ..Labels::default()
    };
    let tally = Tally {
        games,
        endings: vec![games, 0, 0],
        teams: won.map(record).into(),
        seats: vec![seat, seat],
        pairs: vec![0],
        answers: 4 * games,
        answers_squared: 16 * games,
        fewest: 4,
        most: 4,
        ..Tally::default()
    };
    RunFile::new(head(2), labels, Shard::WHOLE, tally)
}

/// Runs side by side, each by its number.
fn study<const N: usize>(runs: [RunFile; N]) -> Vec<(Vec<(String, String)>, RunFile)> {
    let name = |number: usize| vec![("run".to_owned(), (number + 1).to_string())];
    let runs = runs.into_iter().enumerate();
    runs.map(|(number, run)| (name(number), run)).collect()
}

#[track_caller]
fn group<'g>(groups: &'g [Group], name: &str) -> &'g Group {
    let found = groups.iter().find(|group| group.name == name);
    found.unwrap_or_else(|| panic!("{name} is not compared"))
}

/// Town is in all three, the Mafia in all but the first, the maniac in the last alone, the judge in none.
#[test]
fn each_run_is_compared_with_the_first_that_has_it() {
    let study = study([
        run(100, [Some(20), None, None, None]),
        run(100, [Some(50), Some(10), None, None]),
        run(100, [Some(90), Some(60), Some(30), None]),
    ]);
    let share = |run: usize, team: usize| counted(&study[run].1)[team].share;
    let groups = groups(&study);
    let changes = |name| {
        group(&groups, name)
            .places
            .iter()
            .map(|place| place.change)
            .collect::<Vec<_>>()
    };
    let from = |first: usize, run: usize, team| Some(difference(share(first, team), share(run, team)));
    assert_eq!(changes("Town"), [None, from(0, 1, 0), from(0, 2, 0)]);
    assert_eq!(changes("Mafia"), [None, None, from(1, 2, 1)]);
    assert_eq!(changes("Maniac"), [None; 3]);
    assert!(groups.iter().all(|group| group.name != "Judge"));
    let is_there = |name| {
        group(&groups, name)
            .places
            .iter()
            .map(|place| place.is.is_some())
            .collect::<Vec<_>>()
    };
    assert_eq!(is_there("Mafia"), [false, true, true]);
    assert_eq!(is_there("Maniac"), [false, false, true]);
    // For programs a change is one from the first run alone.
    let table = csv(&study);
    let row = |run: &str, name: &str| {
        let head = format!("{run},team,{name},");
        let line = table.lines().find(|line| line.starts_with(&head)).unwrap();
        line.ends_with(",,,")
    };
    assert_eq!(["1", "2", "3"].map(|run| row(run, "Town")), [true, false, false]);
    assert_eq!(["1", "2", "3"].map(|run| row(run, "Mafia")), [true, true, true]);
}

#[test]
fn what_came_true_in_no_run_is_not_compared_and_what_did_in_one_is() {
    let with_dusk = |dusk| {
        let mut run = run(100, [Some(50), None, None, None]);
        (run.tally.endings[0], run.tally.endings[1]) = (100 - dusk, dusk);
        run.tally.without_winner = dusk;
        run
    };
    let names = |runs| {
        let groups = groups(&study(runs));
        groups.into_iter().map(|group| group.name).collect::<Vec<_>>()
    };
    assert_eq!(names([with_dusk(0), with_dusk(0)]), ["Town", "dawn", "answers"]);
    let once = ["Town", "nobody", "dawn", "dusk", "answers"];
    assert_eq!(names([with_dusk(0), with_dusk(1)]), once);
}

#[test]
fn what_all_runs_have_in_common_stands_at_their_head_alone() {
    let with = |seed, players| {
        let mut run = run(100, [Some(50), None, None, None]);
        (run.head.seed, run.head.players) = (seed, players);
        run
    };
    let head_of = |runs| compared(&study(runs), LOOK).lines().next().unwrap().to_owned();
    let all = "Made up, 2 players, 100 games each, seed 7";
    assert_eq!(head_of([with(7, 2), with(7, 2), with(7, 2)]), all);
    let last_of_another_seed = "Made up, 2 players, 100 games each";
    assert_eq!(
        head_of([with(7, 2), with(7, 2), with(8, 2)]),
        last_of_another_seed
    );
    assert_eq!(
        head_of([with(7, 2), with(7, 3), with(7, 2)]),
        "Made up, 100 games each, seed 7"
    );
}

/// Two axes make a field; one makes a list, and so do three.
#[test]
fn two_axes_alone_are_laid_out_as_a_field() {
    for (axes, is_field) in [(1, false), (2, true), (3, false)] {
        let cell = |value: &str| -> Vec<(String, String)> {
            (0..axes)
                .map(|axis| (format!("axis-{axis}"), value.to_owned()))
                .collect()
        };
        let runs = [
            (cell("a"), run(100, [Some(20), None, None, None])),
            (cell("b"), run(100, [Some(30), None, None, None])),
        ];
        let text = compared(&runs, LOOK);
        assert_eq!(
            text.contains("axis-0 down, axis-1 across"),
            is_field,
            "{axes} axes\n{text}"
        );
    }
}

#[test]
fn the_sheet_tells_what_was_played_otherwise_than_usual() {
    let told = |change: fn(&mut RunFile)| {
        let mut run = run(100, [Some(20), None, None, Some(0)]);
        (run.head.offers_per_thousand, run.head.calls_per_thousand) = (500, 0);
        change(&mut run);
        sheet(&run, LOOK)
    };
    let usual = told(|_| {});
    assert!(
        !usual.contains("in 1,000 pauses") && !usual.contains("still in the game"),
        "{usual}"
    );
    type Otherwise = fn(&mut RunFile);
    let rows: [(Otherwise, &str); 6] = [
        (
            |run| run.head.offers_per_thousand = 0,
            "in 1,000 pauses: offers 0\n",
        ),
        (
            |run| run.head.calls_per_thousand = 9,
            "in 1,000 pauses: calls 9\n",
        ),
        (
            |run| (run.head.offers_per_thousand, run.head.calls_per_thousand) = (499, 1),
            "in 1,000 pauses: offers 499, calls 1\n",
        ),
        (
            |run| run.head.present = "awake".to_owned(),
            "still in the game: awake\n",
        ),
        (|_| {}, "not in this game: Mafia and Maniac\n"),
        (|run| run.tally.teams[2].held = 100, "not in this game: Mafia\n"),
    ];
    for (change, words) in rows {
        let text = told(change);
        assert!(text.contains(words), "`{words}` is not in\n{text}");
    }
}

/// Of ten seats with the role three won, and two lost by a word of the rules.
#[test]
fn what_a_role_lost_is_a_share_of_all_who_held_it() {
    let mut run = run(10, [Some(3), None, None, None]);
    run.labels.roles = vec!["Thief".to_owned(), "Guest".to_owned()];
    let role = |lost| Record {
        held: 10,
        won: 3,
        lost,
    };
    run.tally.roles = vec![role(2), role(0)];
    run.tally.together = vec![Default::default(); 2];
    let text = sheet(&run, LOOK);
    let line = |name: &str| {
        text.lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap()
    };
    assert!(line("Thief").ends_with("  lost 20 %"), "{text}");
    assert!(!line("Guest").contains("lost"), "{text}");
}

/// How often a scene came: a tail of one is itself, and the last that is told apart stands for all behind it.
#[test]
fn counts_of_a_scene_end_with_what_is_behind_them() {
    let told = |lengths: &[u64]| {
        let mut run = run(lengths.iter().sum(), [Some(1), None, None, None]);
        run.labels.scenes = vec!["Night".to_owned()];
        run.tally.lengths = vec![lengths.to_vec()];
        run.tally.moments = vec![vec![Moment::default()]];
        let text = sheet(&run, LOOK).replace("\n    ", " ");
        let line = text.lines().find(|line| line.trim_start().starts_with("Night: "));
        line.unwrap().split_once("; ").unwrap().1.to_owned()
    };
    assert_eq!(told(&[0, 500, 500]), "1: 50 %, 2: 50 %");
    assert_eq!(told(&[0, 500, 498, 2]), "1: 50 %, 2: 50 %, 3: 0.2 %");
    assert_eq!(told(&[0, 500, 497, 2, 1]), "1: 50 %, 2: 50 %, 3 and more: 0.3 %");
    let mut long = vec![0; MOST_MOMENTS + 1];
    (long[1], long[MOST_MOMENTS]) = (500, 500);
    assert_eq!(told(&long), "1: 50 %, 60 and more: 50 %");
}

#[test]
fn a_name_is_one_field_of_a_table_whatever_stands_in_it() {
    let line = |title: &str| {
        let mut run = run(10, [Some(3), None, None, None]);
        run.labels.teams[0] = title.to_owned();
        csv(&study([run]))
            .split_once(",team,")
            .map_or(String::new(), |(_, rest)| rest.to_owned())
            + "|"
    };
    let rows = [
        ("Town", "Town,10,"),
        ("Town, old", "\"Town, old\",10,"),
        ("\"Town\"", "\"\"\"Town\"\"\",10,"),
        ("Town\nhall", "\"Town\nhall\",10,"),
    ];
    for (title, begins) in rows {
        assert!(line(title).starts_with(begins), "{}", line(title));
    }
}

#[test]
fn a_run_is_sure_when_every_team_is() {
    let goal = Goal {
        games: 1_000,
        within: Some(0.05),
    };
    // One that always wins is known well after 100 games, one that wins half of them is not.
    let sure = |won: [Option<u64>; 4]| is_sure(&run(100, won).tally, goal);
    assert!(sure([Some(100), Some(100), Some(100), Some(100)]));
    assert!(!sure([Some(100), Some(50), Some(100), Some(100)]));
    assert!(!sure([Some(50), Some(100), Some(100), Some(100)]));
    assert!(!sure([Some(100), Some(100), Some(100), Some(50)]));
    assert!(!is_sure(
        &run(100, [Some(100); 4]).tally,
        Goal { within: None, ..goal }
    ));
}

// ---- Sums

fn shape() -> Shape {
    Shape::of(&laid("city").bench.rules, 2)
}

/// A game of so many answers, in which the first scene began as often as it says, at its outermost.
fn game(number: u64, answers: u64, begun: usize) -> Seen {
    let scenes = laid("city").bench.rules.scenes.len();
    let mut times = vec![0; scenes];
    times[0] = begun;
    Seen {
        number,
        ending: Some(EndingId(0)),
        winners: 1,
        roles: vec![Held {
            role: GroupId(0),
            seats: 1,
            count: 1,
        }],
        answers,
        times,
        moments: (1..=begun).map(|nth| (0, nth, 0b11)).collect(),
        ..Seen::default()
    }
}

/// Of a team it is counted in how many games somebody of it was there, won and lost: some of a role, or those of another.
#[test]
fn a_team_wins_and_loses_with_any_of_its_own() {
    let shape = shape();
    let team_of = |team| shape.team_of.iter().position(|of| *of == Some(team)).unwrap();
    let (mine, other) = (team_of(0), team_of(1));
    let held = |role: usize, seats: u64| Held {
        role: GroupId(role as u16),
        seats,
        count: u64::from(seats.count_ones()),
    };
    for (winners, losers, told) in [
        (0b0000, 0b0000, [(1, 0, 0), (1, 0, 0)]),
        (0b0001, 0b0010, [(1, 1, 1), (1, 0, 0)]),
        (0b0011, 0b1000, [(1, 1, 0), (1, 0, 1)]),
        (0b0100, 0b0011, [(1, 0, 1), (1, 1, 0)]),
        (0b1111, 0b0000, [(1, 1, 0), (1, 1, 0)]),
    ] {
        let mut tally = Shape::of(&laid("city").bench.rules, 4).empty();
        let seen = Seen {
            winners,
            losers,
            roles: vec![held(mine, 0b0011), held(other, 0b1100)],
            ..game(0, 1, 1)
        };
        tally.add(&shape, &seen);
        let record = |team: usize| {
            let Record { held, won, lost } = tally.teams[team];
            (held, won, lost)
        };
        assert_eq!([0, 1].map(record), told, "{winners:b} {losers:b}");
        assert!(tally.teams[2..].iter().all(|record| *record == Record::default()));
    }
}

/// Whichever half holds the longest game, the shortest, or one that broke.
#[test]
fn halves_come_to_the_whole_in_either_order() {
    let shape = shape();
    let sum = |games: &[Seen]| {
        let mut tally = shape.empty();
        games.iter().for_each(|game| tally.add(&shape, game));
        tally
    };
    let games: Vec<Seen> = [3, 9, 1, 5]
        .iter()
        .zip(0..)
        .map(|(answers, number)| game(number, *answers, number as usize))
        .collect();
    let whole = sum(&games);
    assert_eq!(
        (whole.fewest, whole.most, whole.answers, whole.answers_squared),
        (1, 9, 18, 116)
    );
    for cut in 0..=games.len() {
        let (one, other) = (sum(&games[..cut]), sum(&games[cut..]));
        for (mut first, second) in [(one.clone(), &other), (other.clone(), &one)] {
            first.merge(second);
            assert_eq!(first, whole, "cut behind {cut}");
        }
    }
}

#[test]
fn sixty_beginnings_of_a_scene_are_told_apart_and_no_more() {
    let shape = shape();
    for (begun, told) in [
        (MOST_MOMENTS - 1, MOST_MOMENTS - 1),
        (MOST_MOMENTS, MOST_MOMENTS),
        (MOST_MOMENTS + 1, MOST_MOMENTS),
    ] {
        let mut tally = shape.empty();
        tally.add(&shape, &game(0, 3, begun));
        assert_eq!((tally.moments[0].len(), tally.lengths[0].len()), (told, told + 1));
    }
}

#[test]
fn the_scene_that_tells_how_long_a_game_was_began_most_often_and_of_equals_is_the_first() {
    let longest = |begun: [u64; 3]| {
        let length = |times: u64| {
            let mut lengths = vec![0; times as usize + 1];
            lengths[times as usize] = 1;
            lengths
        };
        let tally = Tally {
            lengths: begun.map(length).into(),
            moments: begun.map(|times| vec![Moment::default(); times as usize]).into(),
            ..Tally::default()
        };
        tally.longest_scene()
    };
    assert_eq!(longest([1, 3, 2]), Some(1));
    assert_eq!(longest([1, 2, 3]), Some(2));
    assert_eq!(longest([0, 2, 2]), Some(1));
    assert_eq!(longest([0, 0, 0]), None);
}

// ---- What was played

/// A game of a run is opened under the rules and policies that it was played by, or not at all.
#[test]
fn a_run_under_other_rules_or_policies_opens_no_game() {
    let laid = laid("city");
    let rules = &laid.bench.rules;
    let cast = &rules.casts[0].column(6).unwrap().cards(6);
    let crowd = rules.policy_named("crowd").unwrap();
    let known = Head {
        identity: rules.identity_text(),
        cast: cast
            .iter()
            .map(|role| rules.groups[role.index()].name.clone())
            .collect(),
        policies: vec![("crowd".to_owned(), format!("{:016x}", crowd.identity))],
        ..head(6)
    };
    let why = |head: &Head| head.table(&laid).err().map(|error| error.to_string());
    assert_eq!(why(&known), None);
    let policies = vec![("crowd".to_owned(), "0".repeat(16))];
    let other = Head {
        policies,
        ..known.clone()
    };
    assert!(
        why(&other)
            .unwrap()
            .contains("the policies of the run have changed")
    );
    let other = Head {
        identity: "0".repeat(16),
        ..known.clone()
    };
    assert!(why(&other).unwrap().contains("the rules of the run have changed"));
    let other = Head {
        cast: vec!["Zed".to_owned()],
        ..known
    };
    assert!(why(&other).unwrap().contains("cards that the rules do not have"));
}

/// A part of a run says which games it has: none, all, or every so many.
#[test]
fn a_part_says_which_games_it_has() {
    let numbers = |shard, games| {
        let mut run = run(games, [Some(0), None, None, None]);
        run.shard = shard;
        run.numbers()
    };
    assert_eq!(numbers(Shard::WHOLE, 0), "no games");
    assert_eq!(numbers(Shard::WHOLE, 9), "games 0 to 8");
    let part = Shard { index: 1, of: 3 };
    assert_eq!(numbers(part, 4), "games 1, 4 and so on up to 10, being part 2/3");
    let kinds = counted(&run(10, [Some(3), None, None, None]));
    assert_eq!(kinds.iter().filter(|one| one.kind == Kind::Team).count(), 4);
}
