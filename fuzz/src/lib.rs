//! What is tried with any bytes whatever, and what must hold of them: no panic, no end of memory, no endless loop, and
//! the facts that are asserted here. `cargo fuzz` drives it by what an input reaches; `tests/fuzz.rs` drives the
//! same functions by the inputs that were ever found and by slips of the texts of the project.

use omerta::faces::{
    open_line,
    render::{Format, Style, render},
    repl::Desk,
    sim::{Bot, BotWanted, House, Lines, Silence},
};
use omerta_book::{book, html::html, markdown::markdown, subject::Subject};
use omerta_core::{
    diagnostic::Diagnostic,
    source::{Loaded, Loader, SourceId, Sources},
};
use omerta_engine::{Fault, Game, Log, Viewer};
use omerta_measure::sim::{Guest, Invited, Limits, Simulator};
use omerta_play::{chance::Chance, policy::Policy, save::Save, session::Table, words::Words};
use omerta_syntax::{format, format_play, is_unfinished, parse_expr, parse_play, same_words};
use omerta_workbench::{
    ReadyRules, RulesetRequest, Workbench,
    bundle::{Shelf, bundled},
    people::{People, some_names, usual_number},
    runner::run_text,
};
use std::sync::{Arc, Mutex, OnceLock};

/// What is tried, by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All that is tried.
pub const TARGETS: [Target; 7] = [
    ("rules", rules),
    ("scenarios", scenarios),
    ("saves", saves),
    ("prompt", prompt),
    ("protocol", protocol),
    ("expressions", expressions),
    ("layout", layout),
];

/// No longer inputs are tried: the bounds of sizes have tests of their own.
const LONGEST: usize = 1 << 14;
/// So many answers a game is given.
const ANSWERS: u64 = 120;

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(&data[..data.len().min(LONGEST)]).into_owned()
}

/// Whether each place that a mistake speaks of can be shown, in every form.
fn can_be_shown(sources: &Sources, diagnostics: &[Diagnostic]) {
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let source = &sources.get(label.span.source).text;
        let span = label.span.start as usize..label.span.end as usize;
        assert!(source.get(span).is_some(), "{label:?} is no place in {source:?}");
    }
    for format in [Format::Human, Format::Short, Format::Json] {
        is_harmless(&render(sources, diagnostics, format, Style::PLAIN));
    }
}

/// Whether nothing in a text would be obeyed by a terminal.
fn is_harmless(text: &str) {
    let obeyed = |letter: char| {
        let turns =
            matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        turns || letter.is_control() && !matches!(letter, '\n' | '\t' | '\r')
    };
    assert!(!text.contains(obeyed), "{text:?}");
}

// ---- Rules

/// A text that stands beside the bundled ones.
struct Beside(String);

impl Loader for Beside {
    fn load(&self, path: &str) -> Option<Loaded> {
        match path {
            "tried" => Some(Loaded {
                name: "tried".to_owned(),
                text: self.0.clone(),
            }),
            path => bundled(path),
        }
    }

    fn names(&self) -> Vec<String> {
        vec!["tried".to_owned()]
    }
}

/// Rules are refused with mistakes that can be shown, or they can be played, told and shown.
pub fn rules(data: &[u8]) {
    let bench = Workbench::reading(Arc::new(Beside(text(data))));
    let wanted = RulesetRequest {
        base: "tried".to_owned(),
        ..RulesetRequest::default()
    };
    match bench.lay(&wanted) {
        Err(mistakes) => bench.with_sources(|sources| can_be_shown(sources, &mistakes)),
        Ok(laid) => {
            bench.with_sources(|sources| can_be_shown(sources, &laid.warnings));
            bench.with_sources(|sources| {
                let page = book(Subject::of(&laid, sources));
                is_harmless(&markdown(&page));
                is_harmless(&html(&page));
            });
            play(&bench, &laid);
        }
    }
}

/// Plays a while, and tells it to everybody.
fn play(bench: &Workbench, laid: &ReadyRules) {
    let rules = &laid.bench.rules;
    let players = usual_number(rules, 5);
    let Ok((cast, _)) = People::default().check_cast(bench, laid, (usize::from(players), 1)) else {
        return;
    };
    let table = Table {
        rules: rules.clone(),
        hooks: laid.bench.hooks.clone(),
        names: some_names(players),
        cast,
        seed: Some(1),
    };
    let mut log = Log::default();
    let Ok(mut game) = table.begin(&mut log) else {
        return;
    };
    Policy::default().play(&mut game, &mut Chance::of_seed(1), &mut log, ANSWERS);
    let words = table.words();
    for viewer in [Viewer::Seat(0), Viewer::Public, Viewer::Host] {
        for (_, happened) in log.view(viewer) {
            is_harmless(&words.event(happened, viewer).unwrap_or_default());
        }
    }
}

// ---- Scenarios

/// Scenarios are refused with mistakes that can be shown, or run.
pub fn scenarios(data: &[u8]) {
    let ran = run_text(Shelf::default(), "tried.play", &text(data), |_| true);
    let reports = ran.reports.iter().flat_map(|report| report.diagnostics.clone());
    let all: Vec<Diagnostic> = ran.problems.iter().cloned().chain(reports).collect();
    ran.bench.with_sources(|sources| can_be_shown(sources, &all));
}

// ---- Kept games

/// A kept game is refused, or it is played again, and what is kept of it is the same again.
pub fn saves(data: &[u8]) {
    let Ok(save) = Save::from_text(&text(data)) else {
        return;
    };
    let again = Save::from_text(&save.to_text()).expect("what was written can be read");
    assert_eq!(again.answers, save.answers);
    let laid = game();
    if let Ok(loaded) = save.load(laid.bench.rules.clone(), laid.bench.hooks.clone()) {
        let kept = Save::of(&loaded.session);
        let twice = kept.load(laid.bench.rules.clone(), laid.bench.hooks.clone());
        let twice = twice.expect("what was kept can be played again");
        assert_eq!(twice.session.answers(), loaded.session.answers());
    }
}

/// A bundled game, laid once.
fn game() -> &'static ReadyRules {
    static LAID: OnceLock<ReadyRules> = OnceLock::new();
    LAID.get_or_init(|| {
        bench()
            .lay(&city())
            .unwrap_or_else(|_| panic!("the bundled rules are sound"))
    })
}

fn bench() -> &'static Workbench {
    static BENCH: OnceLock<Workbench> = OnceLock::new();
    BENCH.get_or_init(|| Workbench::new(Shelf::default()))
}

fn city() -> RulesetRequest {
    RulesetRequest {
        base: omerta_workbench::bundle::default_game().0.to_owned(),
        ..RulesetRequest::default()
    }
}

// ---- The prompt

/// What touches files or asks for other rules is left out: a folder is no place for what nobody wrote.
const OUTSIDE: [&str; 6] = ["export", "load", "open", "reload", "save", "watch file"];

/// Lines at the prompt are carried out or refused in words, and bring down neither the game nor the terminal.
pub fn prompt(data: &[u8]) {
    let opened = open_line(
        "--players 6 --seed 7",
        omerta::faces::console::Console::of_program(),
    );
    let Ok(Some((mut desk, _))) = opened else {
        panic!("the bundled game opens");
    };
    for line in text(data).lines().take(40) {
        let short: String = line.chars().take(300).collect();
        if is_inside(&desk, &short) && !desk.done {
            is_harmless(&desk.take(&short).err().unwrap_or_default());
            is_harmless(&std::mem::take(&mut desk.out));
        }
    }
}

fn is_inside(desk: &Desk, line: &str) -> bool {
    let line = line.trim().trim_start_matches(':').to_lowercase();
    let first = line.split_whitespace().next().unwrap_or_default().to_owned();
    let is_begun = |name: &&str| first.len() > 1 && name.starts_with(&first) || name.starts_with(&line);
    !OUTSIDE.iter().any(is_begun) && !line.contains(';') && desk.out.len() < 1 << 20
}

// ---- Programs at the table

/// A program that says what the input says: a line that begins with `=` is an answer by its place among the options
/// to the question that was put, everything else is said as it is.
struct Scripted {
    lines: std::vec::IntoIter<String>,
    asked: String,
}

impl Lines for Scripted {
    fn begin(&mut self) {}

    fn send(&mut self, line: String) -> Result<(), Silence> {
        is_harmless(&line);
        if line.contains("\"kind\":\"ask\"") {
            self.asked = line;
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<String, Silence> {
        let line = self.lines.next().ok_or(Silence::Gone)?;
        let Some(place) = line.strip_prefix('=') else {
            return Ok(line);
        };
        let between = |from: &str, to: &str| {
            let (_, rest) = self.asked.split_once(from)?;
            Some(rest.split_once(to)?.0.to_owned())
        };
        let id = between("\"id\":", ",").unwrap_or_default();
        let options = between("\"options\":[", "]").unwrap_or_default();
        let options: Vec<&str> = options.split(',').collect();
        let place = place.trim().parse().unwrap_or(0_usize) % options.len();
        Ok(format!("{{\"id\":{id},\"answer\":{}}}", options[place]))
    }
}

struct Said(Mutex<Vec<String>>);

impl Invited for Said {
    fn seats_in(&self, _: &Game) -> u64 {
        u64::MAX
    }

    fn start(&self) -> anyhow::Result<Box<dyn Guest>> {
        let lines = Scripted {
            lines: self.0.lock().expect("nobody else has it").clone().into_iter(),
            asked: String::new(),
        };
        let names = some_names(6);
        let wanted = BotWanted::read("all=scripted", &game().bench.rules, &names)?;
        Ok(Box::new(Bot::over(Box::new(lines), wanted, House::of(&names, 1))))
    }
}

/// A program says anything: the game goes on, or ends with words that a terminal can take.
pub fn protocol(data: &[u8]) {
    let laid = game();
    let Ok((cast, _)) = People::default().check_cast(bench(), laid, (6, 1)) else {
        panic!("the bundled game has a cast for six");
    };
    let (rules, hooks) = (laid.bench.rules.clone(), laid.bench.hooks.clone());
    let simulator = Simulator::new(rules, hooks, 6, &cast, 1, None, Limits::USUAL);
    let lines = text(data).lines().map(str::to_owned).collect();
    let Ok(simulator) = simulator else {
        panic!("the bundled game begins");
    };
    let mut simulator = simulator.inviting(vec![Arc::new(Said(Mutex::new(lines)))]);
    if let Err(why) = simulator.play(1) {
        is_harmless(&format!("{why:#}"));
    }
}

// ---- Expressions

/// An expression is refused with a mistake that can be shown, or it has a value.
pub fn expressions(data: &[u8]) {
    let (text, bench) = (text(data), Workbench::new(Shelf::default()));
    let Ok(laid) = bench.lay(&city()) else {
        panic!("the bundled rules are sound");
    };
    let source = bench.add("tried", &text);
    let compiled = parse_expr(source, &text, 0)
        .map_err(|mistake| vec![mistake])
        .and_then(|expr| bench.compile(&laid.bench.rules, &expr, &[]));
    match compiled {
        Err(mistakes) => bench.with_sources(|sources| can_be_shown(sources, &mistakes)),
        Ok(program) => {
            let names = some_names(6);
            let words = Words {
                rules: &laid.bench.rules,
                names: &names,
            };
            is_harmless(&evaluated(&laid, &program, &words));
        }
    }
}

fn evaluated(laid: &ReadyRules, program: &omerta_core::rules::Program, words: &Words<'_>) -> String {
    let bench = bench();
    let Ok((cast, _)) = People::default().check_cast(bench, laid, (6, 1)) else {
        panic!("the bundled game has a cast for six");
    };
    let mut log = Log::default();
    let started = Game::start(
        laid.bench.rules.clone(),
        laid.bench.hooks.clone(),
        6,
        &cast,
        &mut log,
    );
    let Ok(game) = started else {
        panic!("the bundled game begins");
    };
    match game.try_evaluate(program, &[]) {
        Ok(value) => value.to_string(),
        Err(kind) => words.fault(&Fault { at: 0, kind }),
    }
}

// ---- The layout

/// What can be laid out is laid out once for all, and stays the same words; whether a line goes on can be said of any.
pub fn layout(data: &[u8]) {
    let text = text(data);
    let source = SourceId(0);
    is_unfinished(&text);
    for lay in [format, format_play] {
        if let Ok(once) = lay(source, &text) {
            assert!(same_words(&text, &once), "{text:?}\n{once:?}");
            assert_eq!(lay(source, &once).as_deref(), Ok(once.as_str()));
        }
    }
    let _ = parse_play(source, &text);
}
