//! Tables that say of each form what it comes to: usual case and denial, one, several and nobody, the first
//! and the last. What comes out otherwise is named line by line.

use crate::properties::facts::without_registers;
use omerta_check::{Readings, Request, check_one_of_many};
use omerta_core::{
    diagnostic::{Diagnostic, Repair, Severity},
    rules::{FactId, Kind},
    source::{Loaded, Loader, Sources, Span},
};
use omerta_engine::{Choice, Pending, Silence, Viewer, What};
use omerta_play::{
    chance::Chance,
    deal, policy,
    scenario::Report,
    session::{Session, Table},
    words::Words,
};
use omerta_syntax::parse_expr;
use omerta_workbench::{
    RulesetRequest, Workbench,
    bundle::Shelf,
    runner::{Ran, run_each},
};
use std::{collections::BTreeSet, path::PathBuf, rc::Rc, sync::Arc};

thread_local! {
    /// What texts were read as: in most of them little is new, and the libraries are the same in all.
    pub static READ: Readings = Readings::default();
}

pub fn run(shelf: Shelf, name: &str, text: &str) -> Ran {
    READ.with(|read| run_each((shelf, read), (name, text), |_| true, &mut |_, _| {}))
}

fn place(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables")).join(name)
}

/// A part of a table: its heading, the lines before its rows, and the rows with their numbers.
struct Part {
    heading: String,
    lines: Vec<String>,
    rows: Vec<(usize, String, String)>,
}

/// The parts of a table; what stands above the first heading is a part without one.
fn parts(name: &str) -> Vec<Part> {
    let text = std::fs::read_to_string(place(name)).unwrap();
    let part = |heading: &str| Part {
        heading: heading.to_owned(),
        lines: Vec::new(),
        rows: Vec::new(),
    };
    let mut parts = vec![part("")];
    for (number, line) in (1..).zip(text.lines()) {
        let last = parts.last_mut().unwrap();
        if line.trim_start().starts_with("//") {
            continue;
        }
        if let Some(heading) = line.strip_prefix("== ") {
            parts.push(part(heading));
        } else if let Some((left, right)) = line.split_once('|') {
            let row = (number, left.trim().to_owned(), right.trim().to_owned());
            last.rows.push(row);
        } else {
            last.lines.push(line.to_owned());
        }
    }
    parts
}

/// Names the rows that came out otherwise, all at once.
#[track_caller]
fn as_they_should(table: &str, rows: usize, otherwise: &[String]) {
    assert!(rows > 0, "{table} has no rows");
    assert!(
        otherwise.is_empty(),
        "{} of {rows} rows of {table} come out otherwise:\n{}",
        otherwise.len(),
        otherwise.join("\n")
    );
}

// ---- Expectations

/// The scenario that plays up to a row, and whether that holds.
fn scenario(part: &Part, line: &str) -> String {
    let heading = &part.heading;
    let has_place = part.lines.iter().any(|line| line.contains("HERE"));
    let lines = part.lines.join("\n").replace("HERE", line);
    let behind = if has_place { "" } else { line };
    format!("play \"{heading}\"\n{lines}\n{behind}\n")
}

/// What a row comes to: it holds, it fails, or it is a mistake with that code. Where it says `met` or `in vain`, it holds,
/// and there was something that it could have met, or nothing.
fn verdict(codes: &[&str], wanted: &str, is_idle: bool) -> String {
    match codes {
        [] if is_idle && ["met", "in vain"].contains(&wanted) => "in vain".to_owned(),
        [] if wanted == "met" => "met".to_owned(),
        [] => "holds".to_owned(),
        ["M0929" | "M0935"] => "fails".to_owned(),
        codes => codes.join(", "),
    }
}

#[test]
fn every_form_of_expectation_holds_where_it_should_and_fails_where_it_should() {
    const TABLE: &str = "expectations.txt";
    let mut parts = parts(TABLE);
    let head = parts.remove(0).lines.join("\n");
    let rows: Vec<_> = parts
        .iter()
        .flat_map(|part| part.rows.iter().map(move |row| (part, row)))
        .collect();
    let plays: Vec<String> = rows.iter().map(|(part, row)| scenario(part, &row.2)).collect();
    let text = format!("{head}\n{}", plays.join("\n"));
    let ran = run(Shelf::beside(&place(TABLE)), TABLE, &text);
    assert_eq!(ran.problems, []);
    assert_eq!(ran.reports.len(), rows.len());
    let otherwise = rows.iter().zip(&ran.reports).filter_map(|((part, row), report)| {
        let (number, wanted, line) = row;
        let (wanted, words) = match wanted.split_once(": ") {
            Some((wanted, words)) => (wanted, Some(words)),
            None => (wanted.as_str(), None),
        };
        let codes: Vec<&str> = report.diagnostics.iter().map(|found| found.code.0).collect();
        let found = verdict(&codes, wanted, !report.idle.is_empty());
        let instead = report
            .diagnostics
            .first()
            .map(|found| found.labels[0].text.as_str());
        let is_told_so = words.is_none_or(|words| Some(words) == instead);
        (found != wanted || !is_told_so).then(|| {
            let instead = instead.map_or_else(String::new, |instead| format!(" ({instead})"));
            format!(
                "line {number}, {}: `{line}`: {found}, not {wanted}{instead}",
                part.heading
            )
        })
    });
    as_they_should(TABLE, rows.len(), &otherwise.collect::<Vec<_>>());
}

/// The scenarios of the tables of expectations and of lines, each part as a text of its own, and where its rules lie.
pub fn scenario_texts() -> (PathBuf, Vec<(String, String)>) {
    const TABLE: &str = "expectations.txt";
    let mut texts = Vec::new();
    let mut all = parts(TABLE);
    let head = all.remove(0).lines.join("\n");
    for part in &all {
        let plays = part.rows.iter().map(|(_, _, line)| scenario(part, line));
        texts.push((
            part.heading.clone(),
            format!("{head}\n{}", plays.collect::<String>()),
        ));
    }
    let text = std::fs::read_to_string(place("scenarios.txt")).unwrap();
    let (head, parts) = text.split_once("\n== ").unwrap();
    for part in parts.split("\n== ") {
        let lines: Vec<&str> = part
            .lines()
            .filter(|line| !line.trim_start().starts_with('!'))
            .collect();
        let (heading, lines) = (lines[0], lines[1..].join("\n"));
        texts.push((
            heading.to_owned(),
            format!("{head}\nplay \"{heading}\"\n{lines}\n"),
        ));
    }
    (place(TABLE), texts)
}

/// What plays up to the place where a line stands, and the line.
pub type Played = (Box<dyn Fn(&str) -> String>, String);

/// The head of the table of expectations, and each row with what plays up to the place where a line stands.
pub fn rows_of_expectations() -> (String, Vec<Played>) {
    let mut all = parts("expectations.txt");
    let head = all.remove(0).lines.join("\n");
    let rows = all.into_iter().flat_map(|part| {
        let part = Rc::new(part);
        let lines: Vec<String> = part.rows.iter().map(|row| row.2.clone()).collect();
        lines.into_iter().map(move |line| -> Played {
            let part = part.clone();
            (Box::new(move |line: &str| scenario(&part, line)), line)
        })
    });
    (head, rows.collect())
}

// ---- Scenarios

/// A place in words: the line it is in, with its text where that is another than the scenario's.
fn whereabouts(sources: &Sources, span: Span) -> (String, usize, String) {
    let source = sources.get(span.source);
    let line = source.place(span.start as usize).line;
    let words = source.text[source.line_range(line)].trim().to_owned();
    (source.name.clone(), line, words)
}

/// What is told of a scenario: the line of the table, and the words; with what helps, where the part shows that.
fn told_of(report: &Report, (heading, part): (&str, &str), sources: &Sources) -> Vec<(usize, String)> {
    let with_help = part.contains("\n!   ? ");
    let case = report.name.strip_prefix(heading).unwrap_or(&report.name).trim();
    let one = |found: &Diagnostic| {
        let (_, line, _) = whereabouts(sources, found.span());
        let case = if case.is_empty() {
            String::new()
        } else {
            format!("{case} ")
        };
        let mut words = format!(
            "! {case}{} {}: {}",
            found.code.0, found.message, found.labels[0].text
        );
        for label in &found.labels[1..] {
            let (_, _, at) = whereabouts(sources, label.span);
            words += &format!("\n!   {} <- `{at}`", label.text);
        }
        if let Some(help) = found.help.as_ref().filter(|_| with_help) {
            words += &format!("\n!   ? {help}");
        }
        (line, words)
    };
    report.diagnostics.iter().map(one).collect()
}

/// Which of two answers, cards, pins or draws is meant, what is refused and why, and what is told of it: under
/// the line that it is about. What nothing is told of holds.
#[test]
fn every_scenario_of_the_table_is_told_what_stands_under_its_lines() {
    const TABLE: &str = "scenarios.txt";
    let text = std::fs::read_to_string(place(TABLE)).unwrap();
    let is_told = |line: &str| line.trim_start().starts_with('!');
    let (head, parts) = text.split_once("\n== ").unwrap();
    let parts: Vec<(&str, &str)> = parts
        .split("\n== ")
        .map(|part| part.split_once('\n').unwrap())
        .collect();
    let (mut played, mut lines) = (format!("{head}\n"), Vec::new());
    for (heading, part) in &parts {
        let first = played.lines().count() + 1;
        played += &format!("play \"{heading}\"\n");
        played.extend(
            part.lines()
                .filter(|line| !is_told(line))
                .flat_map(|line| [line, "\n"]),
        );
        lines.push(first..played.lines().count() + 1);
    }
    let ran = run(Shelf::beside(&place(TABLE)), TABLE, &played);
    assert_eq!(ran.problems, []);
    let wrong = parts.iter().zip(lines).filter_map(|((heading, part), lines)| {
        let mut told: Vec<(usize, String)> = ran.bench.with_sources(|sources| {
            let is_mine = |report: &&Report| lines.contains(&whereabouts(sources, report.span).1);
            let reports = ran.reports.iter().filter(is_mine);
            reports
                .flat_map(|report| told_of(report, (heading, part), sources))
                .collect()
        });
        let mut page = String::new();
        for line in lines {
            let words = played.lines().nth(line - 1).unwrap();
            if !words.starts_with("play \"") {
                page += &format!("{words}\n");
            }
            for (_, words) in told.extract_if(.., |(at, _)| *at == line) {
                page += &format!("{words}\n");
            }
        }
        // What is told of lines above all scenarios stands below.
        page.extend(told.into_iter().map(|(_, words)| words + "\n"));
        (page.trim_end() != part.trim_end()).then(|| format!("== {heading}\n{page}"))
    });
    let wrong: Vec<String> = wrong.collect();
    as_they_should(TABLE, parts.len(), &wrong);
}

// ---- Values

/// The value of an expression in words, or what is wrong with it.
fn value(bench: &Workbench, session: &Session, text: &str) -> Result<String, String> {
    let table = session.table();
    let id = bench.add("what was typed", text);
    let expr = parse_expr(id, text, 0).map_err(|problem| problem.message)?;
    let seats: Vec<_> = table
        .names
        .iter()
        .map(|name| (name.clone(), Kind::Players))
        .collect();
    let program = bench
        .compile(&table.rules, &expr, &seats)
        .map_err(|problems| problems[0].message.clone())?;
    let args: Vec<u64> = (0..seats.len()).map(|seat| 1 << seat).collect();
    let word = session
        .game()
        .try_evaluate(&program, &args)
        .map_err(|fault| format!("{fault:?}"))?;
    let value = session
        .game()
        .look()
        .value(program.kind.unwrap_or(Kind::Truth), word);
    Ok(words(session).value(&value))
}

/// A game of some rules, before its first answer; what is wrong with them where it cannot begin.
pub fn game_on(bench: &Workbench, base: &str, names: &[&str]) -> Result<Session, Vec<Diagnostic>> {
    let wanted = RulesetRequest {
        base: base.to_owned(),
        ..RulesetRequest::default()
    };
    let rules = bench.lay(&wanted)?.bench;
    let cast = deal::from_table(&rules.rules, None, names.len(), Span::default()).map_err(|why| vec![why])?;
    let session = Session::start(Table {
        rules: rules.rules,
        hooks: rules.hooks,
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        cast,
        seed: None,
    });
    Ok(session.expect("the table fits the rules"))
}

fn words(session: &Session) -> Words<'_> {
    Words {
        rules: &session.table().rules,
        names: &session.table().names,
    }
}

#[test]
fn every_query_and_condition_has_its_value_at_a_known_moment() {
    const TABLE: &str = "values.txt";
    let bench = Workbench::new(Shelf::default());
    let base = place("moment.mafia").display().to_string();
    let mut session = game_on(&bench, &base, &["Ann", "Bob", "Cid", "Dee", "Eve"]).unwrap();
    let mut quiet = session.table().begin(&mut Silence).unwrap();
    let (mut all, mut otherwise) = (0, Vec::new());
    for part in &parts(TABLE)[1..] {
        let (waits, _) = part.heading.split_once(':').unwrap();
        while session.cursor() < waits.parse().unwrap() {
            session.apply(Choice::Go).unwrap();
            quiet.apply(Choice::Go, &mut Silence).unwrap();
        }
        // Steps leave other words in registers that nothing reads any more.
        assert_eq!(
            without_registers(&quiet),
            without_registers(session.game()),
            "{}: nobody listening makes no difference",
            part.heading
        );
        for (number, expression, wanted) in &part.rows {
            all += 1;
            let found = value(&bench, &session, expression).unwrap_or_else(|why| why);
            if found != *wanted {
                otherwise.push(format!("line {number}: {expression}: {found}, not {wanted}"));
            }
        }
    }
    as_they_should(TABLE, all, &otherwise);
}

// ---- Statements

/// The bundled libraries, and one text as the ruleset `deed`.
pub struct With(pub String);

impl Loader for With {
    fn load(&self, path: &str) -> Option<Loaded> {
        match path {
            "deed" => Some(Loaded {
                name: "deed.mafia".to_owned(),
                text: self.0.clone(),
            }),
            path => Shelf::default().load(path),
        }
    }

    fn names(&self) -> Vec<String> {
        Shelf::default().names()
    }
}

/// What the host hears of statements in the scene that is played between two waits, line by line.
fn heard(rules: &str, statements: &str) -> String {
    const PLACE: &str = "  nothing\n}\n";
    let body = rules.strip_suffix(PLACE).expect("the scene is the last");
    let text = format!("{body}  {statements}\n}}\n");
    let bench = Workbench::reading(Arc::new(With(text)));
    let Ok(mut session) = game_on(&bench, "deed", &["Ann", "Bob", "Cid"]) else {
        return "no rules".to_owned();
    };
    session.apply(Choice::Go).unwrap();
    while let Pending::Chance(drawn) = session.game().pending() {
        let outcome = policy::outcome(session.game(), &drawn, &mut Chance::of_seed(1));
        session.apply(outcome).unwrap();
    }
    let words = words(&session);
    let events = session.log().events.iter();
    let lines: Vec<String> = events
        .skip_while(|event| !matches!(event.what, What::SceneBegan { .. }))
        .skip(1)
        .take_while(|event| !matches!(event.what, What::SceneEnded { .. }))
        .filter_map(|event| words.event(event, Viewer::Host))
        .collect();
    match lines.is_empty() {
        true => "nothing".to_owned(),
        false => lines.join("; "),
    }
}

#[test]
fn every_statement_is_told_to_the_host_once_and_in_vain_not_at_all() {
    const TABLE: &str = "effects.txt";
    let rules = std::fs::read_to_string(place("effects.mafia")).unwrap();
    let rows = parts(TABLE).remove(0).rows;
    let otherwise = rows.iter().filter_map(|(number, statements, wanted)| {
        let found = heard(&rules, statements);
        (found != *wanted).then(|| format!("line {number}: {statements}: {found}, not {wanted}"))
    });
    as_they_should(TABLE, rows.len(), &otherwise.collect::<Vec<_>>());
}

/// Of a text with choices the one is taken that fits how many there are: of cards, of titles, of a number, of a yes.
#[test]
fn which_choice_of_a_text_is_taken_goes_by_how_many_there_are() {
    let rules = std::fs::read_to_string(place("effects.mafia")).unwrap();
    for (statements, wanted) in [
        ("say \"{hand of nobody: None. | One. | Many.}\"", "None."),
        ("say \"{hand of seat 1: None. | One. | Many.}\"", "One."),
        ("say \"{hand of players: None. | One. | Many.}\"", "Many."),
        ("say \"{role of nobody: None. | One. | Many.}\"", "None."),
        ("say \"{role of seat 1: None. | One. | Many.}\"", "One."),
        ("say \"{seat 1 is hurt: None. | One. | Many.}\"", "None."),
        (
            "mark seat 1 as hurt; say \"{seat 1 is hurt: None. | One. | Many.}\"",
            "hurt: Ann; One.",
        ),
        ("say \"{0 - 2: None. | One. | Many.}\"", "None."),
        ("say \"{number of nobody: None. | One. | Many.}\"", "None."),
        ("say \"{number of seat 1: None. | One. | Many.}\"", "One."),
        ("say \"{number of players: None. | One. | Many.}\"", "Many."),
        ("say \"{rumour: None. | One. | Many.}\"", "None."),
        (
            "set rumour to \"so\"; say \"{rumour: None. | One. | Many.}\"",
            "the rumour: so; One.",
        ),
    ] {
        assert_eq!(heard(&rules, statements), wanted, "{statements}");
    }
}

/// For books: rules with a scene for each row of the tables of values and of statements, and what stands in each, once.
pub fn scenes_of_rows() -> Vec<(&'static str, String, Vec<String>)> {
    const SEATS: [&str; 5] = ["Ann", "Bob", "Cid", "Dee", "Eve"];
    let rows = |table: &str| -> Vec<(usize, String, String)> {
        parts(table).into_iter().flat_map(|part| part.rows).collect()
    };
    let value = |(_, expression, comes_to): (usize, String, String)| {
        // Rules know nobody by name.
        let spoken = (1..).zip(SEATS).fold(expression, |text, (number, name)| {
            text.replace(name, &format!("seat {number}"))
        });
        match comes_to.as_str() {
            "yes" | "no" => format!("if {spoken} {{ nothing }}"),
            _ => format!("let x = {spoken}"),
        }
    };
    let values: Vec<String> = rows("values.txt").into_iter().map(value).collect();
    let statements: Vec<String> = rows("effects.txt").into_iter().map(|row| row.1).collect();
    let of = |name, rules: &str, place: &str, rows: Vec<String>| {
        let mut known = BTreeSet::new();
        let rows: Vec<String> = rows.into_iter().filter(|row| known.insert(row.clone())).collect();
        let plays: String = (0..rows.len()).map(|row| format!("  play Row{row}\n")).collect();
        let scene = |(number, row): (usize, &String)| format!("scene Row{number} {{\n  {row}\n}}\n");
        let scenes: String = rows.iter().enumerate().map(scene).collect();
        let text = std::fs::read_to_string(self::place(rules)).unwrap();
        let (script, rest) = text.split_once(place).expect("a place in the script");
        (name, format!("{script}{plays}{rest}{scenes}"), rows)
    };
    vec![
        of("values", "moment.mafia", "  wait \"It is over.\"\n", values),
        of("statements", "effects.mafia", "  wait \"Done.\"\n", statements),
    ]
}

// ---- Ballots

/// A vote of everybody, with whom it named most, by more than half, and all alike.
const BALLOT: &str = r#"ruleset deed "A ballot"
use std.table
// allow-file never-read
players 3..64
cast {
  players 3..64
  Sheep   rest
}
team Flock
role Sheep of Flock
link vote one
mark ahead
mark ahead-of-few
mark chosen
mark unanimous
count there
define few = seat 1 plus seat 2 plus seat 3
script {
  put cast in deck
  ask each players for vote from players or nobody "Whom?"
  mark most of vote as ahead
  mark most of vote among (few) as ahead-of-few
  mark majority of vote as chosen
  mark common of vote as unanimous
  set there to number of players
  wait
}
"#;

/// Whom so many name, by a rule of the ballots: who has the seat votes for that seat, or for nobody.
type Ballots = fn(usize, usize) -> Option<usize>;

const BALLOTS: [(&str, Ballots); 8] = [
    ("one leads at once, another in the end", |seat, _| {
        Some(usize::from(seat > 0))
    }),
    ("the first keeps the lead", |seat, of| {
        Some(usize::from(seat > of / 2))
    }),
    ("two are level", |seat, _| Some(seat % 2)),
    ("everybody names himself", |seat, _| Some(seat)),
    ("everybody names the last", |_, of| Some(of - 1)),
    ("nobody is named", |_, _| None),
    ("half name nobody", |seat, _| (seat % 2 == 0).then_some(2)),
    ("the lead goes from one to the next", |seat, of| {
        Some((seat * seat + seat) % of)
    }),
];

/// Those with the most votes of some seats; nobody where none has any.
fn most_of(votes: &[usize], among: std::ops::Range<usize>) -> u64 {
    let best = among.clone().map(|seat| votes[seat]).max().unwrap_or(0);
    among
        .filter(|seat| best > 0 && votes[*seat] == best)
        .fold(0, |set, seat| set | 1 << seat)
}

#[test]
fn a_vote_is_counted_alike_at_tables_of_every_size_whoever_listens() {
    let bench = Workbench::reading(Arc::new(With(BALLOT.to_owned())));
    for seats in [3, 14, 15, 16, 17, 31, 33, 64] {
        let names: Vec<String> = (1..=seats).map(|seat| format!("P{seat}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let begun = game_on(&bench, "deed", &names).unwrap();
        for (what, ballots) in BALLOTS {
            let mut told = begun.clone();
            let mut silent = begun.table().begin(&mut Silence).unwrap();
            let mut votes = vec![0; seats];
            for seat in 0..seats {
                let vote = ballots(seat, seats);
                vote.into_iter().for_each(|seat| votes[seat] += 1);
                let choice = vote.map_or(Choice::Pass, |seat| Choice::Seat(seat as u8));
                told.apply(choice).unwrap();
                silent.apply(choice, &mut Silence).unwrap();
            }
            let of = |name: &str| {
                let at = told.table().rules.facts.iter().position(|fact| fact.name == name);
                let fact = FactId(at.unwrap() as u16);
                (told.game().look().fact(fact), silent.look().fact(fact))
            };
            let only = |test: &dyn Fn(usize) -> bool| {
                (0..seats)
                    .filter(|seat| test(votes[*seat]))
                    .fold(0, |set, seat| set | 1 << seat)
            };
            let wanted = [
                ("ahead", most_of(&votes, 0..seats)),
                ("ahead-of-few", most_of(&votes, 0..3)),
                ("chosen", only(&|count| count * 2 > seats)),
                ("unanimous", only(&|count| count == seats)),
                ("there", seats as u64),
            ];
            for (name, set) in wanted {
                assert_eq!(of(name), (set, set), "{seats} seats, {what}: {name}");
            }
        }
    }
}

// ---- Slips

/// What is found in a text that is a whole ruleset, or an overlay of a bundled one.
fn found_in(text: &str) -> Vec<Diagnostic> {
    let overlays = ["deed".to_owned()];
    let (root, overlays) = match text.starts_with("overlay") {
        true => ("city", &overlays[..]),
        false => ("deed", &[][..]),
    };
    let request = Request {
        root,
        overlays,
        options: &[],
    };
    let loader = With(text.to_owned());
    READ.with(|read| check_one_of_many((&mut Sources::default(), read), &loader, &request))
        .diagnostics
}

/// What a slip is told: the place, the words and the repair of each message, a line each.
fn told(text: &str, slip_at: std::ops::Range<usize>) -> (Vec<String>, bool) {
    let found = found_in(text);
    let is_there = found.iter().all(|message| {
        let span = message.span();
        slip_at.contains(&(span.start as usize)) && span.source == found[0].span().source
    });
    let lines = found.iter().map(|message| {
        let words: Vec<&str> = message.help.iter().map(String::as_str).collect();
        let label = &message.labels[0].text;
        format!(
            "{} {}: {label}; {}",
            message.code.0,
            message.message,
            words.join("; ")
        )
    });
    (lines.collect(), is_there)
}

/// The texts with a slip each, of rulesets and of scenarios that are played by the first of them without any.
pub fn slipped_texts() -> (String, Vec<String>, Vec<String>) {
    let village = std::fs::read_to_string(place("village.mafia")).unwrap();
    let mut rules = Vec::new();
    for (_, left, slip) in parts("slips.txt").into_iter().flat_map(|part| part.rows) {
        let at = left.split(' ').next().unwrap();
        if at != "overlay" {
            rules.push(laid_in(&village, at, &slip).0);
        }
    }
    let in_part = |part: &Part| -> Vec<String> {
        let slips = part.rows.iter().map(|(_, slip, _)| slip);
        slips.map(|slip| in_scenario(part, slip)).collect()
    };
    let scenarios = parts("play-slips.txt").iter().flat_map(in_part).collect();
    (village, rules, scenarios)
}

/// A scenario with a line: some begin as their part of the table does.
fn in_scenario(part: &Part, line: &str) -> String {
    match part.heading.as_str() {
        "told in a game" => part.lines.join("\n") + "\n" + line,
        _ => format!("ruleset village\nseats Ann, Bob, Cid\n\nplay \"x\"\nNight 1 {{ }}\n{line}\n"),
    }
}

/// Each gets one message, and one more for each further slip in it, in the lines of the slip itself.
#[test]
fn every_slip_is_told_once_where_it_stands() {
    const TABLE: &str = "slips.txt";
    let village = std::fs::read_to_string(place("village.mafia")).unwrap();
    let (mut page, mut otherwise, mut all) = (String::new(), Vec::new(), 0);
    for part in &parts(TABLE)[1..] {
        page += &format!("== {}\n", part.heading);
        for (number, left, slip) in &part.rows {
            all += 1;
            let (at, wanted) = left.split_once(' ').unwrap_or((left, "1"));
            let (text, slip_at) = laid_in(&village, at, slip);
            let (lines, is_there) = told(&text, slip_at);
            if lines.len().to_string() != wanted || !is_there {
                otherwise.push(format!("line {number}: {slip}: {}", lines.join(" | ")));
            }
            page += &format!("{slip}\n  {}\n", lines.join("\n  "));
            // What is to be written can be read, and is of the kind that belongs there; a name may have to be declared.
            if let Some(next) = told_next(&text).filter(|_| wanted == "1") {
                page += &format!("  then {} {}\n", next.code.0, next.message);
                // What is a mark, and where players are wanted, the line alone does not show.
                let is_other = [
                    "set dying = Wolf",
                    "if !dying { say \"x\" }",
                    "dying += seat 1",
                    "policy p { vote: most of vote or living }",
                ]
                .contains(&slip.as_str());
                if (next.code.is_about_shape() || next.code.is_about_kinds()) && !is_other {
                    otherwise.push(format!("line {number}: {slip}: then {}", next.message));
                }
            }
        }
    }
    as_they_should(TABLE, all, &otherwise);
    insta::assert_snapshot!(page);
}

/// A text with a slip at its place, and where that is.
fn laid_in(village: &str, at: &str, slip: &str) -> (String, std::ops::Range<usize>) {
    let written = slip.replace(" ↵ ", "\n");
    let place = format!("// {at}");
    let (before, after) = match at {
        "overlay" => ("overlay deed on city {\n", "\n}\n"),
        _ => village.split_once(&place).unwrap(),
    };
    let slip_at = before.len()..before.len() + written.len() + 1;
    (format!("{before}{written}{after}"), slip_at)
}

/// What is told next where somebody writes what the first message says, if anything is.
fn told_next(text: &str) -> Option<Diagnostic> {
    let found = found_in(text);
    let Some(Repair::Instead { span, was, text: new }) = found.first()?.repairs().first() else {
        return None;
    };
    let place = span.start as usize..span.end as usize;
    let written = match was {
        Some(was) => text[place.clone()].replacen(was.as_str(), new, 1),
        None => new.clone(),
    };
    let mut mended = text.to_owned();
    mended.replace_range(place, &written);
    let is_error = |told: &Diagnostic| told.severity == Severity::Error;
    found_in(&mended).into_iter().find(is_error)
}

/// A line of a scenario by the ear is refused once, and told as it should be.
#[test]
fn every_slip_of_a_scenario_is_told_its_repair() {
    const TABLE: &str = "play-slips.txt";
    let (mut otherwise, mut all) = (Vec::new(), 0);
    for part in &parts(TABLE)[1..] {
        for (number, slip, repair) in &part.rows {
            all += 1;
            let text = in_scenario(part, slip);
            let ran = run(Shelf::default(), "slips.play", &text);
            let told = ran.reports.into_iter().flat_map(|report| report.diagnostics);
            let found: Vec<Diagnostic> = ran.problems.into_iter().chain(told).collect();
            let helps: Vec<&str> = found
                .iter()
                .filter_map(|message| message.help.as_deref())
                .collect();
            if helps != [format!("write `{repair}`")] {
                otherwise.push(format!("line {number}: {slip}: {}", helps.join(" | ")));
            }
        }
    }
    as_they_should(TABLE, all, &otherwise);
}
