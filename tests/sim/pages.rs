//! The pages of made-up runs, whole: a run of few seats in all three forms, and several side by side. The
//! numbers are such that a person can add them up.

use super::head;
use omerta::faces::{
    render::Style,
    sim::{Look, compared, page, sheet},
};
use omerta_measure::sim::{Cell, Labels, Moment, Record, RunFile, Shard, Tally, Together, csv, json};

const LOOK: Look = Look {
    colour: Style::PLAIN.colour,
    width: 80,
};

fn record(held: u64, won: u64, lost: u64) -> Record {
    Record { held, won, lost }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// 200 games of three seats: the wolf wins so many, the flock the rest but ten that nobody wins.
fn run(wolf: u64) -> RunFile {
    let flock = 190 - wolf;
    let labels = Labels {
        title: "Sheep & wolves".to_owned(),
        teams: names(&["Flock", "Pack", "Crows"]),
        roles: names(&[
            "Sheep",
            "A wolf whose name is longer than a table is",
            "Crow",
            "Shepherd",
        ]),
        team_of: vec![Some(0), Some(1), Some(2), None],
        endings: names(&["wolf-gone", "flock-gone", "dusk", "flood"]),
        scenes: names(&["Night", "Day", "Dusk"]),
    };
    let moment = |games, present, held: [u64; 3], by_role: [u64; 3]| Moment {
        games,
        present,
        held: [&held[..], &[0]].concat(),
        by_role: [&by_role[..], &[0]].concat(),
    };
    let tally = Tally {
        games: 203,
        broken: 2,
        endless: 1,
        wrong: vec![4, 17, 90],
        endings: vec![flock, wolf, 10, 0, 0],
        without_winner: 10,
        teams: vec![record(200, flock, 0), record(200, wolf, 20), record(0, 0, 0)],
        roles: vec![
            record(400, 2 * flock, 0),
            record(200, wolf, 20),
            record(0, 0, 0),
            record(0, 0, 0),
        ],
        together: vec![
            Together {
                games: 200,
                held_squared: 800,
                won_times_held: 4 * flock,
                won_squared: 4 * flock,
            },
            Together {
                games: 200,
                held_squared: 200,
                won_times_held: wolf,
                won_squared: wolf,
            },
            Together::default(),
            Together::default(),
        ],
        seats: vec![
            record(200, 120, 0),
            record(200, 100, 20),
            record(200, 2 * flock + wolf - 220, 0),
        ],
        pairs: vec![60, 50, 40],
        answers: 2_000,
        answers_squared: 20_800,
        fewest: 6,
        most: 14,
        lengths: vec![vec![0, 40, 159, 1], vec![100, 100], vec![200]],
        moments: vec![
            vec![
                moment(200, 600, [400, 200, 0], [400, 200, 0]),
                moment(160, 320, [320, 160, 0], [200, 120, 0]),
                moment(1, 2, [2, 1, 0], [1, 1, 0]),
            ],
            vec![moment(100, 250, [200, 100, 0], [150, 100, 0])],
            vec![],
        ],
    };
    let mut head = head(3);
    head.cast = names(&["Sheep", "Sheep", "Wolf"]);
    head.overlays = names(&["rain", "fog"]);
    head.options = vec![("fierce".to_owned(), "yes".to_owned())];
    head.policies = vec![("shy".to_owned(), String::new())];
    head.offers_per_thousand = 500;
    RunFile::new(head, labels, Shard::WHOLE, tally)
}

/// A run in which nothing was played.
fn none() -> RunFile {
    let mut none = run(60);
    none.head.identity.clear();
    none.tally = Tally::default();
    none
}

fn cell(axes: &[(&str, &str)]) -> Cell {
    axes.iter()
        .map(|(axis, value)| ((*axis).to_owned(), (*value).to_owned()))
        .collect()
}

/// A page without what stands on each: its head, and the look of it.
fn body(page: &str) -> &str {
    let (head, body) = page.split_once("</style></head>").unwrap();
    assert!(head.starts_with("<!doctype html>") && head.contains("<title>Sheep &amp; wolves</title>"));
    body
}

#[test]
fn a_run_is_told_on_a_sheet() {
    insta::assert_snapshot!(sheet(&run(60), LOOK));
}

#[test]
fn a_run_is_told_on_a_page() {
    insta::assert_snapshot!(body(&page(&[(Vec::new(), run(60))])));
}

#[test]
fn a_run_is_told_to_programs() {
    let study = [(Vec::new(), run(60))];
    let data = json(&study[0].1, None);
    let parts = data.as_object().unwrap().iter();
    // What was counted is in the table.
    let parts = parts.filter(|(name, _)| *name != "counted");
    let parts: String = parts.map(|(name, part)| format!("{name}: {part}\n")).collect();
    insta::assert_snapshot!(format!("{}\n{parts}", csv(&study)));
}

#[test]
fn runs_side_by_side_are_told_in_all_forms() {
    let study = [
        (cell(&[("players", "3"), ("with", "none")]), run(60)),
        (cell(&[("players", "3"), ("with", "rain")]), run(62)),
        (cell(&[("players", "4"), ("with", "none")]), run(120)),
        (cell(&[("players", "4"), ("with", "rain")]), none()),
    ];
    insta::assert_snapshot!("side_by_side_in_words", compared(&study, LOOK));
    insta::assert_snapshot!("side_by_side_on_a_page", body(&page(&study)));
    insta::assert_snapshot!("side_by_side_for_tables", csv(&study));
    let changed = json(&study[2].1, Some(&study[0].1));
    let rows = changed["counted"].as_array().unwrap().iter();
    let rows: String = rows.map(|row| format!("{row}\n")).collect();
    insta::assert_snapshot!(
        "side_by_side_for_programs",
        format!("{rows}{}", changed["answers"])
    );
}

/// What is told of runs of which one was not played, one had no game that ended, and one has other teams.
#[test]
fn runs_with_little_in_common_are_told_to_programs() {
    let mut endless = run(60);
    (endless.tally.games, endless.tally.endless) = (3, 1);
    endless.tally.fewest = u64::MAX;
    let mut others = run(100);
    // The team of the first has the name of an ending of the other, and one team is not there.
    others.labels.teams = names(&["dusk", "Pack", "Herd"]);
    others.tally.teams[1] = record(0, 0, 0);
    others.labels.scenes = names(&["Day", "Dusk", "Night"]);
    let alone = [(cell(&[("with", "none")]), none())];
    let study = [
        (cell(&[("with", "none")]), none()),
        (cell(&[("with", "a")]), run(60)),
        (cell(&[("with", "b")]), others),
    ];
    let data = json(&endless, None);
    let changed = json(&study[2].1, Some(&study[1].1));
    let rows = changed["counted"].as_array().unwrap().iter();
    let rows: String = rows.map(|row| format!("{row}\n")).collect();
    insta::assert_snapshot!(format!(
        "{}\n{}\n{}\n{}\n{rows}{}\n",
        csv(&alone),
        csv(&study),
        compared(&study, LOOK),
        data["answers"],
        changed["scenes"],
    ));
}
