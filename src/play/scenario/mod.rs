//! Runs scenarios: brings a game to its scenes, gives the answers that are written down, and says
//! of every expectation whether it holds.
//!
//! Reads no file and compiles nothing: rules and expressions come through the [`rules::RulesSource`] that a
//! face passes in. What may be answered and who has won the engine says.

mod across;
mod always;
mod answer;
mod blame;
mod drive;
mod expand;
mod expect;
mod heard;
mod hollow;
mod moment;
mod notes;
mod now;
mod pin;
mod report;
mod rules;
mod setup;
mod steps;
mod substitute;

use omerta_core::diagnostic::Diagnostic;
use omerta_syntax::play_tree::{Fact, Line, LineKind, SetupVerdict};

pub use blame::fault_code;
pub use expand::{Test, tests_of};
pub use report::{Report, Snapshot};
pub use rules::{ANSWER_LIMIT, RulesSource, RulesWithScripts};
pub use setup::{explicit as cast_of, no_start};

/// Runs one scenario.
pub fn run(test: &Test, source: &dyn RulesSource) -> Report {
    run_open(test, 0, source)
}

/// The same for one of which so many sections, the last ones, have lines that nobody has written yet: the game stands in
/// them and does not go on to the end of their scenes.
pub fn run_open(test: &Test, open: usize, source: &dyn RulesSource) -> Report {
    let mut report = Report {
        name: test.name.clone(),
        span: test.span,
        covers: test.covers.clone(),
        diagnostics: Vec::new(),
        hollow: Vec::new(),
        idle: Vec::new(),
        across: Vec::new(),
        table: None,
        session: None,
        lines: Vec::new(),
        snapshots: Vec::new(),
    };
    if !test.problems.is_empty() {
        report.diagnostics.clone_from(&test.problems);
        return report;
    }
    report.hollow = hollow::always_so(test);
    if !test.cases.is_empty() {
        let (mut reports, mut games) = (Vec::new(), across::Games::default());
        let (mut hollow, mut anyway) = (None, None);
        let has_claims = !test.claims().is_empty();
        for case in &test.cases {
            let mut report = run_open(case, open, source);
            if let Some(session) = report.session.take() {
                // What cannot come in any of the cases is denied of them together in vain.
                if has_claims {
                    let table = session.table();
                    let silent = hollow::hollow(case, true, source, &table.rules, &table.names);
                    keep_common(&mut hollow, silent);
                    keep_common(&mut anyway, hollow::held_anyway(test, source, &session));
                }
                games.add(session);
            }
            reports.push(Report {
                lines: Vec::new(),
                snapshots: Vec::new(),
                ..report
            });
        }
        report
            .hollow
            .extend({ [hollow, anyway].into_iter() }.flatten().flatten());
        let is_one = games.are_one();
        report.session = games.longest();
        report.table = report.session.as_ref().map(|game| game.table().clone());
        return across::together(test, (&reports, is_one), report);
    }
    let wanted = test.lines.iter().filter_map(|line| match &line.kind {
        LineKind::Expect(Fact::Setup {
            verdict,
            wordings,
            only,
        }) => Some((line.span, *verdict, &wordings[..], *only)),
        _ => None,
    });
    let wanted: Vec<_> = wanted.collect();
    match setup::begin(test, source) {
        Ok(begun) => {
            report
                .diagnostics
                .extend(setup::not_met(&wanted, &begun.warnings));
            let table = report.table.insert(begun.session.table().clone());
            let silent = hollow::hollow(test, false, source, &table.rules, &table.names);
            report.hollow.extend(silent);
            steps::play(test, open, source, begun, &mut report);
            if let (true, Some(session)) = (report.passed(), &report.session) {
                let anyway = hollow::held_anyway(test, source, session);
                report.hollow.extend(anyway);
            }
        }
        Err(problems)
            if wanted
                .iter()
                .any(|(_, verdict, ..)| *verdict == SetupVerdict::Error) =>
        {
            report.diagnostics.extend(setup::not_met(&wanted, &problems));
            // That nothing is warned of is said of a table that is played.
            let is_played = |line: &&Line| match &line.kind {
                LineKind::Expect(Fact::Setup { verdict, .. }) => *verdict == SetupVerdict::NoWarning,
                kind => !expand::is_setup(kind),
            };
            let played = test.lines.iter().find(is_played);
            report
                .diagnostics
                .extend(played.map(|line| blame::in_no_game(line.span)));
        }
        Err(problems) => report.diagnostics = problems,
    }
    report
}

/// Keeps what is told of all.
fn keep_common(all: &mut Option<Vec<Diagnostic>>, here: Vec<Diagnostic>) {
    match all {
        Some(all) => all.retain(|told| here.contains(told)),
        None => *all = Some(here),
    }
}
