//! Every bundled scenario and every scenario about the language holds, with its snapshots.

use omerta::faces::{
    render::{Colour, Format, Renders, Style},
    runner::human,
};
use omerta_core::source::Sources;
use omerta_syntax::{format_play, parse_play};
use omerta_workbench::{
    files,
    runner::{Plan, Ran, Text, discover, run_suite},
};
use std::path::{Path, PathBuf};

fn texts() -> Vec<Text> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders: Vec<PathBuf> = ["rulesets", "tests/lang"]
        .iter()
        .map(|folder| root.join(folder))
        .collect();
    discover(&folders).unwrap()
}

/// What of a file does not hold.
fn failures(ran: &Ran) -> Vec<String> {
    let show = |problems: &_| ran.bench.render(problems, Format::Human, Style::PLAIN);
    let mut failures: Vec<String> = (!ran.problems.is_empty())
        .then(|| show(&ran.problems))
        .into_iter()
        .collect();
    let failed = ran.reports.iter().filter(|report| !report.passed());
    failures
        .extend(failed.map(|report| format!("{}: {}\n{}", ran.name, report.name, show(&report.diagnostics))));
    let changed = ran.held.iter().filter(|held| !held.is_same());
    failures.extend(changed.map(|held| {
        format!(
            "{}\n{}",
            human::headline(ran, held),
            human::difference(held, Colour::Off)
        )
    }));
    failures.extend(
        ran.orphans
            .iter()
            .map(|orphan| format!("{orphan}: no scenario makes this snapshot")),
    );
    failures
}

#[test]
fn every_scenario_holds() {
    let rans = run_suite(&texts(), &Plan::default());
    let failures: Vec<String> = rans.iter().flat_map(failures).collect();
    let held: usize = rans.iter().map(|ran| ran.count().0).sum();
    assert!(
        failures.is_empty(),
        "{held} hold, {} do not:\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn scenarios_laid_out_are_the_same_scenarios() {
    for path in [
        files::below(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").as_path(),
            "play",
        ),
        files::below(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").as_path(),
            "play",
        ),
    ]
    .concat()
    {
        let text = files::read(&path).unwrap();
        let id = Sources::default().add("x.play", "");
        let Ok(once) = format_play(id, &text) else {
            continue;
        };
        assert_eq!(
            format_play(id, &once).as_ref(),
            Ok(&once),
            "{}: laid out twice",
            path.display()
        );
        if path.components().any(|part| part.as_os_str() == "rulesets") {
            assert!(
                once == text,
                "{}: what comes with the program is laid out",
                path.display()
            );
        }
        let letters = |text: &str| text.split_whitespace().collect::<String>().replace(';', "");
        assert_eq!(
            letters(&once),
            letters(&text),
            "{}: a letter is another",
            path.display()
        );
        assert!(
            shape(&once) == shape(&text),
            "{}: it means something else",
            path.display()
        );
    }
}

/// The scenarios without their places.
fn shape(text: &str) -> String {
    let (file, problems) = parse_play(Sources::default().add("x.play", ""), text);
    assert_eq!(problems, Vec::new());
    let is_place = |word: &&str| {
        let mut digits = word.split([':', '.']).filter(|part| !part.is_empty());
        word.contains(':')
            && word.contains("..")
            && digits.all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let shown = format!("{file:?}");
    shown
        .split([' ', ',', '(', ')', '[', ']'])
        .filter(|word| !is_place(word))
        .collect::<Vec<_>>()
        .join(" ")
}
