//! Who gets to know what: every statement that lets something out, played and compared with the page
//! `tests/audiences.txt`, where what comes out of it stands below it, each line with who hears it.

use crate::errors::check;
use omerta::faces::render::{Format, Style, render};
use omerta_core::source::Span;
use omerta_engine::{Choice, Domain, Happened, NoHooks, Pending, Viewer, What};
use omerta_play::{
    by_hand,
    chance::Chance,
    deal,
    options::{self, Answer},
    policy,
    session::{Session, Table},
    words::Words,
};
use std::fs;
use std::sync::Arc;

const SEATS: [&str; 4] = ["Ann", "Bob", "Cid", "Dee"];

/// The game that stands at the head of the page, with a statement in the place kept for it.
fn game(page: &str, statement: &str) -> String {
    let (head, _) = page.split_once("\n# ").unwrap();
    let (_, game) = head.split_once("\n\n").unwrap();
    game.replace('…', &statement.replace(" ; ", "\n  "))
}

/// Plays it to its end, or to where the host is asked to go on; always by the same chance.
fn play_out(session: &mut Session, to_a_wait: bool) {
    let mut chance = Chance::of_seed(1);
    loop {
        let choice = match session.game().pending() {
            Pending::Ask(asked) if to_a_wait && asked.domain == Domain::Go => return,
            Pending::Ask(asked) => policy::answer(session.game(), &asked, &mut chance),
            Pending::Chance(drawn) => policy::outcome(session.game(), &drawn, &mut chance),
            Pending::Over(_) => return,
            Pending::Broken(fault) => panic!("{fault:?}"),
        };
        session.apply(choice).unwrap();
    }
}

/// What is taken up while the host waits: `by hand mark Ann as lit`, `Ann does whisper Bob`.
fn taken_up<'l>(session: &Session, line: &'l str) -> (Choice, Option<&'l str>) {
    if let Some(deed) = line.strip_prefix("by hand ") {
        let (deed, text) = by_hand::deed(session.table(), deed).unwrap();
        return (Choice::ByHand(deed), text);
    }
    let (game, words) = (session.game(), words_of(session));
    let open = game.offers();
    let mut answers = open.iter().flat_map(|open| options::offered(game, &words, open));
    let written =
        |answer: &Answer| options::written_in(answer, line).map(|(choice, text)| (choice, Some(text)));
    let meant = answers.find_map(|answer| {
        let chosen = (answer.words == line).then_some((answer.choice, None));
        written(&answer).or(chosen)
    });
    meant.unwrap_or_else(|| panic!("`{line}` is not open"))
}

fn words_of(session: &Session) -> Words<'_> {
    Words {
        rules: &session.table().rules,
        names: &session.table().names,
    }
}

/// The lines that come out of a statement, or of what is taken up.
fn played(page: &str, statement: &str) -> Vec<String> {
    let is_taken_up = statement.starts_with("by hand ") || statement.contains(" does ");
    let text = game(page, if is_taken_up { "wait" } else { statement });
    let (sources, checked) = check(&text);
    if checked.rules.is_none() {
        let page = render(&sources, &checked.diagnostics, Format::Human, Style::PLAIN);
        return page.lines().map(str::to_owned).collect();
    }
    let rules = Arc::new(checked.rules.unwrap());
    let cast = deal::from_table(&rules, None, SEATS.len(), Span::default()).unwrap();
    let table = Table {
        rules,
        hooks: Arc::new(NoHooks),
        names: SEATS.map(str::to_owned).to_vec(),
        cast,
        seed: None,
    };
    let mut session = Session::start(table).unwrap();
    play_out(&mut session, is_taken_up);
    if is_taken_up {
        let (choice, text) = taken_up(&session, statement);
        let choice = session.write(choice, text).unwrap();
        session.apply(choice).unwrap();
        return lines(&session, session.latest()).collect();
    }
    let lines = lines(&session, &session.log().events);
    let from_it = lines.skip_while(|line| !line.ends_with("FROM HERE")).skip(1);
    from_it.take_while(|line| !line.ends_with("UP TO HERE")).collect()
}

/// Events in words, each behind who hears it.
fn lines<'s>(session: &'s Session, events: &'s [Happened]) -> impl Iterator<Item = String> + 's {
    events.iter().flat_map(|event| hearers(session, event))
}

/// An event as it is told to those who hear of it, a line for each wording. The host always hears.
fn hearers(session: &Session, event: &Happened) -> Vec<String> {
    let told = |viewer| words_of(session).event(event, viewer);
    // Of backs those are told who are not shown which cards they are, and the host is.
    let is_shown =
        |seat: u8| matches!(event.what, What::Backs { shown, .. } if shown.includes(Viewer::Seat(seat)));
    let is_of_backs = matches!(event.what, What::Backs { .. });
    let Some(to_host) = told(Viewer::Host).or(is_of_backs.then(String::new)) else {
        return Vec::new();
    };
    let hears = |seat: &usize| event.audience.includes(Viewer::Seat(*seat as u8));
    let is_public = event.audience.includes(Viewer::Public);
    let mut seats: Vec<usize> = (0..SEATS.len()).filter(hears).collect();
    assert!(
        !is_public || seats.len() == SEATS.len(),
        "what the public hears every seat does"
    );
    seats.retain(|seat| !is_shown(*seat as u8));
    let is_all = seats.len() == SEATS.len();
    // What is said is told to the host with whom it is said to.
    let wording = |seat: usize| match event.what {
        What::Said { .. } => to_host.clone(),
        _ => told(Viewer::Seat(seat as u8)).expect("whoever hears is told"),
    };
    let mut wordings: Vec<(String, Vec<&str>)> = Vec::new();
    for seat in seats {
        let words = wording(seat);
        match wordings.iter_mut().find(|(one, _)| *one == words) {
            Some((_, names)) => names.push(SEATS[seat]),
            None => wordings.push((words, vec![SEATS[seat]])),
        }
    }
    if wordings.is_empty() {
        return vec![format!("{:<20}{to_host}", "host alone")];
    }
    let is_one = wordings.len() == 1;
    let line = |(words, mut names): (String, Vec<&str>)| match is_public && is_one {
        true if is_all => format!("{:<20}{words}", "everybody"),
        public => {
            names.extend(public.then_some("table"));
            format!("{:<19} {words}", names.join(", "))
        }
    };
    wordings.into_iter().map(line).collect()
}

#[test]
fn each_statement_reaches_those_who_stand_beside_it_and_nobody_else() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/audiences.txt")).unwrap();
    let mut faults = Vec::new();
    for part in page.split("\n> ").skip(1) {
        let (statement, lines) = part.split_once('\n').unwrap_or((part, ""));
        let lines: Vec<&str> = lines
            .lines()
            .take_while(|line| !line.starts_with('#'))
            .filter(|line| !line.trim().is_empty())
            .collect();
        let found = played(&page, statement);
        if found != lines {
            faults.push(format!("> {statement}\n{}\n", found.join("\n")));
        }
    }
    assert!(faults.is_empty(), "what is played:\n\n{}", faults.join("\n"));
}
