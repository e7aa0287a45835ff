//! Every bundled scenario and every scenario about the language holds.

use omerta::{
    faces::{
        bundle::Shelf,
        files,
        render::{Format, Style},
        runner::run_text,
    },
    play::scenario::Report,
};
use std::path::Path;

#[test]
fn every_scenario_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut failures = Vec::new();
    let mut held = 0;
    for folder in ["rulesets", "tests/lang"] {
        for path in files::below(&root.join(folder), "play") {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            let ran = run_text(Shelf::beside(&path), &name, &files::read(&path).unwrap(), |_| {
                true
            });
            let show = |problems: &_| ran.bench.render(problems, Format::Human, Style::PLAIN);
            if !ran.problems.is_empty() {
                failures.push(show(&ran.problems));
            }
            let failed: Vec<&Report> = ran.reports.iter().filter(|report| !report.passed()).collect();
            held += ran.reports.len() - failed.len();
            failures.extend(
                failed
                    .iter()
                    .map(|report| format!("{name}: {}\n{}", report.name, show(&report.diagnostics))),
            );
        }
    }
    assert!(
        failures.is_empty(),
        "{held} hold, {} do not:\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}
