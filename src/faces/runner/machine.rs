//! Results for programs: a line each, one JSON document, TAP, and JUnit's XML. The JSON form is stable
//! and versioned: `docs/reference/json.md`.

use super::human::{Total, difference};
use crate::faces::render::{Colour, Format, Renders, Style};
use omerta_book::markup::escaped;
use omerta_core::source::Span;
use omerta_play::{events, scenario::Report, session::Table};
use omerta_workbench::runner::{Ran, snapshots::Held};
use serde_json::{Value as Json, json};

/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// `path:line:column: error[CODE]: message`, a line for each thing that does not hold.
pub fn short(rans: &[Ran]) -> String {
    let mut text = String::new();
    for ran in rans {
        text += &ran.bench.render(&ran.problems, Format::Short, Style::PLAIN);
        for (number, report) in ran.reports.iter().enumerate() {
            text += &ran.bench.render(&report.diagnostics, Format::Short, Style::PLAIN);
            for held in changed(ran, number) {
                text += &format!(
                    "{}: error: {}\n",
                    place(ran, held.span),
                    snapshot_words(ran, held)
                );
            }
        }
        for orphan in &ran.orphans {
            text += &format!(
                "{}: warning: no scenario makes this snapshot\n",
                ran.path_of(orphan).display()
            );
        }
    }
    text += &Total::of(rans).words();
    text.push('\n');
    text
}

fn changed(ran: &Ran, number: usize) -> impl Iterator<Item = &Held> {
    let mine = move |held: &&Held| held.report == number && !held.is_same();
    ran.held.iter().filter(mine)
}

fn snapshot_words(ran: &Ran, held: &Held) -> String {
    format!(
        "the snapshot `{}` {}",
        ran.path_of(&held.file).display(),
        held.why()
    )
}

fn place(ran: &Ran, span: Span) -> String {
    ran.bench.with_sources(|sources| {
        let source = sources.get(span.source);
        let place = source.place(span.start as usize);
        format!("{}:{}:{}", source.name, place.line, place.column)
    })
}

/// Everything that does not hold of a scenario, in plain words.
fn failure(ran: &Ran, number: usize) -> String {
    let report = &ran.reports[number];
    let mut text = ran.bench.render(&report.diagnostics, Format::Human, Style::PLAIN);
    for held in changed(ran, number) {
        text += &format!(
            "{}: {}\n{}",
            place(ran, held.span),
            snapshot_words(ran, held),
            difference(held, Colour::Off)
        );
    }
    text
}

// ---- JSON

/// One document.
pub fn json(rans: &[Ran]) -> String {
    let total = Total::of(rans);
    let document = json!({
        "version": VERSION,
        "passed": total.failed == 0,
        "held": total.ok,
        "failed": total.failed,
        "files": rans.iter().map(file).collect::<Vec<_>>(),
    });
    format!("{document}\n")
}

fn file(ran: &Ran) -> Json {
    let problems = |problems: &[_]| {
        ran.bench
            .with_sources(|sources| events::problems(problems, sources))
    };
    let scenarios = ran.reports.iter().enumerate().map(|(number, report)| {
        let held = ran.held.iter().filter(|held| held.report == number);
        json!({
            "name": report.name,
            "place": ran.bench.with_sources(|sources| events::place_of(sources, report.span)),
            "passed": ran.holds(number),
            "covers": report.covers,
            "table": table(report),
            "problems": problems(&report.diagnostics),
            "snapshots": held.map(|held| snapshot(ran, held)).collect::<Vec<_>>(),
        })
    });
    json!({
        "file": ran.name,
        "problems": problems(&ran.problems),
        "scenarios": scenarios.collect::<Vec<_>>(),
        "orphans": ran.orphans.iter().map(|file| ran.path_of(file).display().to_string()).collect::<Vec<_>>(),
    })
}

/// What was played, with the identity of its rules; nothing where the game could not begin.
fn table(report: &Report) -> Json {
    report.table.as_ref().map_or(Json::Null, events::about_table)
}

fn snapshot(ran: &Ran, held: &Held) -> Json {
    let state = match &held.old {
        None => "new",
        Some(_) if held.is_same() => "same",
        Some(_) => "changed",
    };
    let shown = (!held.is_same()).then(|| difference(held, Colour::Off));
    json!({
        "file": ran.path_of(&held.file).display().to_string(),
        "state": state,
        "identity": held.new.identity,
        "kept_identity": held.old.as_ref().map(|old| old.identity.clone()),
        "difference": shown,
    })
}

// ---- TAP

/// The Test Anything Protocol, version 14.
pub fn tap(rans: &[Ran]) -> String {
    let mut points = Vec::new();
    for ran in rans {
        if ran.reports.is_empty() && !ran.passed() {
            let words = ran.bench.render(&ran.problems, Format::Human, Style::PLAIN);
            points.push((false, ran.name.clone(), words));
        }
        for (number, report) in ran.reports.iter().enumerate() {
            let name = format!("{}: {}", ran.name, report.name);
            match ran.holds(number) {
                true => points.push((true, name, String::new())),
                false => points.push((false, name, failure(ran, number))),
            }
        }
    }
    let mut text = format!("TAP version 14\n1..{}\n", points.len());
    for (number, (ok, name, words)) in points.iter().enumerate() {
        let word = if *ok { "ok" } else { "not ok" };
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        text += &format!("{word} {} - {name}\n", number + 1);
        if !words.is_empty() {
            text += "  ---\n  message: |\n";
            for line in words.lines() {
                text += format!("    {line}").trim_end();
                text.push('\n');
            }
            text += "  ...\n";
        }
    }
    text
}

// ---- JUnit

/// JUnit's XML: a suite a file, a case a scenario.
pub fn junit(rans: &[Ran]) -> String {
    let mut cases = 0;
    let suites: String = rans
        .iter()
        .map(|ran| {
            cases += ran.reports.len();
            suite(ran)
        })
        .collect();
    let failed = Total::of(rans).failed;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"omerta\" tests=\"{cases}\" failures=\"{failed}\" errors=\"0\">\n{suites}</testsuites>\n"
    )
}

fn suite(ran: &Ran) -> String {
    let mut cases: String = (0..ran.reports.len()).map(|number| case(ran, number)).collect();
    let mut count = ran.reports.len();
    if ran.reports.is_empty() && !ran.passed() {
        let words = ran.bench.render(&ran.problems, Format::Human, Style::PLAIN);
        let failure = failed_element("the file has mistakes", &words);
        cases = format!(
            "    <testcase name={0} classname={0}>\n{failure}    </testcase>\n",
            xml(&ran.name)
        );
        count = 1;
    }
    let (_, failed) = ran.count();
    format!(
        "  <testsuite name={} tests=\"{count}\" failures=\"{failed}\" errors=\"0\">\n{cases}  </testsuite>\n",
        xml(&ran.name)
    )
}

fn case(ran: &Ran, number: usize) -> String {
    let report = &ran.reports[number];
    let mut properties = Vec::new();
    if let Some(Table { rules, .. }) = &report.table {
        properties.push(("ruleset", rules.name.clone()));
        properties.push(("identity", rules.identity_text()));
    }
    if !report.covers.is_empty() {
        properties.push(("covers", report.covers.join(" ")));
    }
    let mut inner = String::new();
    if !properties.is_empty() {
        inner += "      <properties>\n";
        for (name, value) in properties {
            inner += &format!("        <property name={} value={}/>\n", xml(name), xml(&value));
        }
        inner += "      </properties>\n";
    }
    if !ran.holds(number) {
        inner += &failed_element(&first_words(ran, number), &failure(ran, number));
    }
    let (name, file) = (xml(&report.name), xml(&ran.name));
    format!("    <testcase name={name} classname={file}>\n{inner}    </testcase>\n")
}

fn failed_element(message: &str, words: &str) -> String {
    let words = escaped(words);
    format!(
        "      <failure message={} type=\"failure\">{words}</failure>\n",
        xml(message)
    )
}

/// A text as a value in quotes.
fn xml(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('\n', "&#10;"))
}

fn first_words(ran: &Ran, number: usize) -> String {
    let report = &ran.reports[number];
    let problem = report.diagnostics.first().map(|problem| problem.message.clone());
    let changed = || changed(ran, number).next().map(|held| snapshot_words(ran, held));
    problem.or_else(changed).unwrap_or_default()
}
