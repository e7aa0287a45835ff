//! The steps that a game takes while nobody listens. All else holds without them, only slower: so what
//! each stands for is read here, and one that is no longer made is missed.

use crate::properties::tables::tables;
use omerta_check::{Request, check_ruleset};
use omerta_core::{
    rules::{Act, FactId, PlannedCast, ProcId, Ruleset},
    source::{Loaded, Loader, Sources, Span},
};
use omerta_engine::{
    Choice, Domain, Game, Log, NOBODY, NoHooks, Open, Pause, Reflex, Round, Silence, seats_in,
};
use omerta_play::deal;
use omerta_workbench::bundle::Shelf;
use std::{collections::BTreeSet, fmt::Write, sync::Arc};

/// Games that take a step of every kind between them.
const GAMES: [(&str, &str); 3] = [
    ("ten", include_str!("../benches/ten_seats.mafia")),
    ("steps", include_str!("steps/steps.mafia")),
    ("calls", include_str!("steps/calls.mafia")),
];

/// A text, and what the program brings along.
struct Text(&'static str);

impl Loader for Text {
    fn load(&self, path: &str) -> Option<Loaded> {
        let text = || Loaded {
            name: "text.mafia".to_owned(),
            text: self.0.to_owned(),
        };
        (path == "text")
            .then(text)
            .or_else(|| Shelf::default().load(path))
    }

    fn names(&self) -> Vec<String> {
        Shelf::default().names()
    }
}

fn rules(text: &'static str) -> Ruleset {
    let request = Request {
        root: "text",
        overlays: &[],
        options: &[],
    };
    let checked = check_ruleset(&mut Sources::default(), &Text(text), &request);
    checked.rules.expect("a game that can be played")
}

/// `IfOne { to: Low(13), from: Low(0) }` as `IfOne to 13, from 0`.
fn plain(shown: &str) -> String {
    let mut plain = String::new();
    for word in shown
        .split_whitespace()
        .filter(|word| !matches!(*word, "{" | "}"))
    {
        let (value, end) = word.strip_suffix(',').map_or((word, ""), |word| (word, ","));
        let value = value.trim_end_matches([')', ':']);
        let value = value.rsplit_once('(').map_or(value, |(_, inner)| inner);
        write!(plain, "{value}{end} ").unwrap();
    }
    plain.trim_end().to_owned()
}

/// A step a line: its number, what it does, where it may go on instead of at the next, and the instruction that it
/// begins at. Those without an instruction are of calls that are taken without a frame. Last, the procedures that never
/// need one.
fn listing(rules: &Ruleset) -> String {
    let mut page = String::new();
    let line = &rules.fast().line;
    for (number, (step, &at)) in line.steps.iter().zip(&line.places).enumerate() {
        let next = match step.act {
            Act::Enter { .. } | Act::EnterScene { .. } | Act::GoIn { .. } | Act::Call => step.next,
            _ => 0,
        };
        let [next, other] = [(">", next), ("or", step.other)].map(|(word, to)| match to {
            0 => String::new(),
            to => format!(" {word} {to}"),
        });
        let act = plain(&format!("{:?}", step.act));
        let begins = { rules.code.get(at as usize) }.map(|op| plain(&format!("{at} {op:?}")));
        let step = format!("{number:3} {act}{next}{other}");
        let step = format!("{step:68} {}", begins.unwrap_or_default());
        writeln!(page, "{}", step.trim_end()).unwrap();
    }
    let procs = (0..).zip(&rules.procs);
    let brief = procs.filter(|(number, _)| rules.fast().is_brief(ProcId(*number)));
    for (number, proc) in brief {
        writeln!(page, "brief: proc {number}, {:?}", proc.role).unwrap();
    }
    page
}

/// The kinds of steps that rules have.
fn kinds(rules: &Ruleset) -> BTreeSet<String> {
    let acts = rules
        .fast()
        .line
        .steps
        .iter()
        .map(|step| format!("{:?}", step.act));
    acts.map(|act| act.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn each_step_stands_for_the_instructions_beside_it() {
    for (name, text) in GAMES {
        insta::assert_snapshot!(name, listing(&rules(text)));
    }
}

#[test]
fn no_game_takes_a_step_of_a_kind_that_is_not_shown() {
    let shown: BTreeSet<String> = GAMES.iter().flat_map(|(_, text)| kinds(&rules(text))).collect();
    for table in tables() {
        let taken = kinds(&table.rules);
        let unseen: Vec<&String> = taken.difference(&shown).collect();
        assert!(unseen.is_empty(), "{}: {unseen:?}", table.name);
    }
}

/// Answers as is nearest at hand, up to so many times.
struct Lowest {
    given: usize,
    most: usize,
    /// Whether a round is answered in one go.
    rounds: bool,
}

impl Reflex for Lowest {
    fn answer(&mut self, pause: &Pause<'_>) -> Option<Choice> {
        let choice = lowest(pause.domain(), self.given)?;
        let more = self.given < self.most;
        self.given += usize::from(more);
        more.then_some(choice)
    }

    fn answer_round(&mut self, round: Round<'_>, answers: &mut [u8]) -> usize {
        if !self.rounds {
            return 0;
        }
        let before = self.given;
        for (seat, answer) in seats_in(round.asked).zip(answers).take(self.most - before) {
            let domain = match round.among {
                None => Domain::YesNo,
                Some(_) => Domain::Seats {
                    among: round.among(1 << seat),
                    pass: round.pass,
                },
            };
            *answer = match lowest(domain, self.given) {
                Some(Choice::Seat(seat)) => seat,
                Some(Choice::Yes) => 1,
                Some(Choice::No) => 0,
                _ => NOBODY,
            };
            self.given += 1;
        }
        self.given - before
    }
}

/// The lowest of those who may be named; yes and nobody as every third answer, where that may be said.
fn lowest(domain: Domain, given: usize) -> Option<Choice> {
    match domain {
        Domain::YesNo if given.is_multiple_of(3) => Some(Choice::Yes),
        Domain::YesNo => Some(Choice::No),
        Domain::Go => Some(Choice::Go),
        Domain::Seats { pass: true, .. } if given.is_multiple_of(3) => Some(Choice::Pass),
        Domain::Seats { among, .. } if among != 0 => Some(Choice::Seat(among.trailing_zeros() as u8)),
        Domain::Cards {
            among, pass: false, ..
        } => Some(Choice::Card(among.trailing_zeros() as u8)),
        _ => None,
    }
}

/// What is asked, and all that the rules remember.
fn stands(game: &Game) -> (Open, Vec<u64>, Vec<u64>) {
    let look = game.look();
    let facts = (0..game.rules().facts.len()).map(|fact| FactId(fact as u16));
    let of_each = facts
        .clone()
        .flat_map(|fact| (0..look.seats()).map(move |seat| look.fact_of(fact, seat)));
    (
        game.open(),
        facts.map(|fact| look.fact(fact)).collect(),
        of_each.collect(),
    )
}

/// Whoever has only single answers ready gives a round of questions or of draws as many of them as he has, as whoever
/// answers a round in one go; and it is all one whether anybody listens.
#[test]
fn single_answers_that_are_ready_fill_a_round_as_far_as_they_go() {
    for (name, seats, least) in [("ten", 10, 20), ("steps", 5, 30)] {
        let text = GAMES.iter().find(|(known, _)| *known == name).unwrap().1;
        let rules = Arc::new(rules(text));
        let cast: PlannedCast = deal::from_table(&rules, None, seats, Span::default()).unwrap();
        let start =
            || Game::start(rules.clone(), Arc::new(NoHooks), seats as u8, &cast, &mut Silence).unwrap();
        let (mut waited, mut heard) = (start(), start());
        let mut given = 0;
        loop {
            for rounds in [false, true] {
                let (mut ready, most) = (start(), given);
                let mut answers = Lowest {
                    given: 0,
                    most,
                    rounds,
                };
                ready.react(&mut answers, &mut Silence);
                assert_eq!(
                    ready.state(),
                    waited.state(),
                    "{name} after {given} answers, {rounds}"
                );
            }
            assert_eq!(
                stands(&heard),
                stands(&waited),
                "{name} after {given} answers that are heard"
            );
            let Some(choice) = waited.pause().and_then(|pause| lowest(pause.domain(), given)) else {
                break;
            };
            waited.apply(choice, &mut Silence).unwrap();
            heard.apply(choice, &mut Log::default()).unwrap();
            given += 1;
        }
        assert!(given > least, "{name}: cards, nights and days: {given}");
    }
}
