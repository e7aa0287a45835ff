//! The steps that a game takes while nobody listens. All else holds without them, only slower: so what
//! each stands for is read here, and one that is no longer made is missed.

use crate::properties::tables::tables;
use omerta_check::{Request, check_ruleset};
use omerta_core::{
    rules::{Act, FactId, Fast, GroupId, PlannedCast, ProcId, Ruleset},
    source::{Loaded, Loader, Sources, Span},
};
use omerta_engine::{
    Choice, Deed, Domain, Game, Listener, Log, NOBODY, NoHooks, Open, Pause, Reflex, Reply, Round, Silence,
    seats_in,
};
use omerta_play::{chance::Chance, deal, policy::Policy};
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
        let other = match step.act {
            Act::Plain | Act::Quiet => 0,
            _ => step.other,
        };
        let [next, other] = [(">", next), ("or", other)].map(|(word, to)| match to {
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
    fn answer(&mut self, pause: &Pause<'_>) -> Reply {
        match lowest(pause.domain(), self.given) {
            Some(choice) if self.given < self.most => {
                self.given += 1;
                Reply::Choice(choice)
            }
            _ => Reply::Nothing,
        }
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

/// Roles that no card has at the beginning, and one that rules turn a card into.
const CAST: &str = include_str!("steps/cast.mafia");

fn cast(rules: &Ruleset, seats: usize) -> PlannedCast {
    deal::from_table(rules, None, seats, Span::default()).unwrap()
}

/// Whether any step looks at who has a role.
fn looks_at(fast: &Fast, role: GroupId) -> bool {
    fast.line.steps.iter().any(|step| match step.act {
        Act::Group { group, .. }
        | Act::GroupOutside { group, .. }
        | Act::IfNoneOutside { group, .. }
        | Act::IfWithinGroup { group, .. } => group == role,
        _ => false,
    })
}

#[test]
fn steps_for_known_cards_leave_out_what_none_of_them_can_come_to() {
    let rules = rules(CAST);
    let known = rules.fast_for(rules.deck(&cast(&rules, 5)));
    let role = |name| rules.role_named(name).unwrap();
    for (name, may_be) in [("Moth", true), ("Bat", true), ("Fox", false)] {
        assert!(looks_at(rules.fast(), role(name)), "{name} in any game");
        assert_eq!(looks_at(known, role(name)), may_be, "{name} with these cards");
    }
}

#[test]
fn the_first_casts_have_steps_of_their_own_in_whatever_order_their_cards_are_named() {
    let rules = rules(CAST);
    let decks = [4, 5, 6, 4, 5].map(|seats| {
        let mut cast = cast(&rules, seats);
        let place = format!("{:?}", rules.deck(&cast));
        cast.cards.reverse();
        assert_eq!(format!("{:?}", rules.deck(&cast)), place);
        place
    });
    assert_eq!(decks.iter().collect::<BTreeSet<_>>().len(), 3, "{decks:?}");
    let of_ants = |count: usize| PlannedCast {
        cards: vec![rules.role_named("Ant").unwrap(); count],
    };
    assert!(rules.deck(&of_ants(4)).is_some());
    assert!(rules.deck(&of_ants(5)).is_none());
}

/// The game of a number after so many answers, then with a card turned by hand into what no card was, and played on.
fn played(rules: &Arc<Ruleset>, (number, given): (u64, u64), listener: &mut dyn Listener) -> Game {
    let seats = 4 + number as usize % 3;
    let cast = cast(rules, seats);
    let mut game = Game::start(rules.clone(), Arc::new(NoHooks), seats as u8, &cast, listener).unwrap();
    let (policy, mut chance) = (Policy::default(), Chance::of_game(5, number));
    policy.play(&mut game, &mut chance, listener, given);
    let role = rules
        .role_named(if number.is_multiple_of(2) { "Owl" } else { "Fox" })
        .unwrap();
    let deed = Deed::Turn {
        seat: number as u8 % 4,
        role,
    };
    if number % 4 > 1 && game.apply(Choice::ByHand(deed), listener).is_ok() {
        policy.play(&mut game, &mut chance, listener, 12);
    }
    game
}

#[test]
fn steps_for_known_cards_come_to_the_same_whatever_cards_are_turned() {
    let rules = Arc::new(rules(CAST));
    let mut ends = BTreeSet::new();
    for number in 0..24 {
        for given in 0..40 {
            let unheard = played(&rules, (number, given), &mut Silence);
            let heard = played(&rules, (number, given), &mut Log::default());
            let told = format!("game {number} after {given} answers");
            assert_eq!(stands(&unheard), stands(&heard), "{told}");
            assert_eq!(unheard.pending(), heard.pending(), "{told}");
            ends.insert(format!("{:?}", stands(&unheard).1));
        }
    }
    // Rules that name the roles of no card come in where one is turned.
    assert!(ends.len() > 150, "{}", ends.len());
}
