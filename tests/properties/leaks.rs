//! What a seat may not know is nowhere in its view, not even in what it is asked, or when.
//!
//! What that means stands in `omerta::play::leak`; here it is tried on all rules, and shown that it can fail.

use super::{
    facts::Play,
    game::holds,
    tables::{Table, cast, chosen, lay, start, tables},
};
use omerta::faces::{
    console::Console,
    render::Style,
    repl::{self, Desk},
    sim::{Bot, BotWanted, House, Lines, Silence},
};
use omerta_core::{
    rules::PlannedCast,
    source::{Loaded, Loader},
};
use omerta_engine::{Asked, Choice, Domain, Game, Log, OpenBranch, Pending, Target, Viewer, What};
use omerta_measure::sim::Guest;
use omerta_play::{
    chance::Chance,
    hosted::Hosted,
    leak::{leak, twins},
    session::{self, Session},
    words::Words,
};
use omerta_workbench::{RulesetRequest, Workbench, bundle::Shelf};
use std::sync::{Arc, Mutex};

/// How many pairs are made of each game.
const PAIRS: usize = 12;

/// The leak that pairs of one game show, if they show one.
fn found(play: &Play<'_>) -> Result<(), String> {
    let table = play.session_table();
    for &number in play.numbers.iter().rev().take(PAIRS) {
        let seat = (number % u32::from(play.cast.0)) as u8;
        let mut numbers = play.numbers.iter();
        let next = |game: &Game| chosen(game, *numbers.next()?);
        if let Some(leak) = leak(&table, seat, number / 64, next) {
            return Err(format!(
                "seat {seat} can tell two games apart: {}\nafter {:?}",
                leak.why, leak.known
            ));
        }
    }
    Ok(())
}

#[test]
fn two_games_that_differ_only_in_what_a_seat_may_not_know_ask_it_the_same() {
    holds(2, found);
}

// ---- every channel

/// What a seat can get hold of where a game stands, from everybody that talks to seats: its log and that of the public, as
/// they are listed, its view with the table as it has seen it, what the library shows of it, and the lines a program hears.
fn channels(table: &session::Table, answers: &[Choice], texts: &[String], seat: u8) -> Result<Shown, String> {
    let (session, stopped) =
        Session::replay(table.clone(), answers, texts).map_err(|_| "it does not begin".to_owned())?;
    if let Some(stopped) = stopped {
        return Err(format!("only {} of {} answers fit", stopped.at, stopped.of));
    }
    let (game, log) = (session.game().clone(), session.log().clone());
    let cards = cards_seen(&log, seat);
    let mut all = heard_by_a_program(game, &log, table, seat);
    let console = Console {
        out: Style::PLAIN,
        err: Style::PLAIN,
    };
    let outfit = repl::outfit(console, true, |_, _| Ok(None));
    let (bench, wanted) = (Workbench::new(Shelf::default()), RulesetRequest::default());
    let mut desk = Desk::of(bench, wanted, Hosted::of(session), outfit);
    let place = seat + 1;
    for line in [
        format!("log {place}"),
        format!("log {place} all"),
        "log public".to_owned(),
        "log public all".to_owned(),
        format!("view {place}"),
    ] {
        let refused = desk.take(&line).err().unwrap_or_default();
        let is_asked = asked_now(desk.game(), seat).is_some();
        let shown = std::mem::take(&mut desk.out);
        let shown = shown
            .lines()
            .filter(|line| is_asked || !line.starts_with("  May: "));
        all.push(format!(
            "{line}\n{}{refused}",
            shown.collect::<Vec<_>>().join("\n")
        ));
    }
    Ok((cards, all))
}

/// Which of the cards that somebody sees is which of those seen before, and what he is shown.
type Shown = (Vec<usize>, Vec<String>);

/// The cards in the order in which a seat sees them, each by the place at which it was seen first: a card that is seen
/// again is known again, though no words say so.
fn cards_seen(log: &Log, seat: u8) -> Vec<usize> {
    let mut known = Vec::new();
    let mut seen = Vec::new();
    for (_, happened) in log.view(Viewer::Seat(seat)) {
        let (What::Moved { cards, .. } | What::Looked { cards }) = &happened.what else {
            continue;
        };
        for (card, _) in cards {
            let place = known.iter().position(|other| other == card);
            seen.push(place.unwrap_or_else(|| {
                known.push(*card);
                known.len() - 1
            }));
        }
    }
    seen
}

/// Keeps the lines to a program and never answers.
struct Heard(Arc<Mutex<Vec<String>>>);

impl Lines for Heard {
    fn begin(&mut self) {}

    fn send(&mut self, line: String) -> Result<(), Silence> {
        self.0.lock().unwrap().push(line);
        Ok(())
    }

    fn receive(&mut self) -> Result<String, Silence> {
        Err(Silence::Gone)
    }
}

fn asked_now(game: &Game, seat: u8) -> Option<Asked> {
    match game.pending() {
        Pending::Ask(asked) if asked.who >> seat & 1 == 1 => Some(asked),
        _ => None,
    }
}

fn heard_by_a_program(mut game: Game, log: &Log, table: &session::Table, seat: u8) -> Vec<String> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let wanted = BotWanted::read("all=x", game.rules(), &table.names).unwrap();
    let house = House::of(&table.names, 1);
    let mut bot = Bot::over(Box::new(Heard(heard.clone())), wanted, house);
    bot.begin(7, (&game, log));
    // When an offer is open is the rules' doing, and `leak` looks at it where the seat is asked something.
    let asked = asked_now(&game, seat);
    let offers = asked.map_or_else(Vec::new, |_| game.offers());
    let _ = bot.take_up(&mut game, log, &offers, seat);
    if let Some(asked) = asked {
        let _ = bot.answer(&mut game, log, &asked, seat);
    }
    heard.lock().unwrap().clone()
}

/// How many pairs of one game differ in secrets, and what they show of them, if they do.
fn alike(play: &Play<'_>) -> Result<usize, String> {
    let table = play.session_table();
    let mut pairs = 0;
    for &number in play.numbers.iter().rev().take(PAIRS) {
        let seat = (number % u32::from(play.cast.0)) as u8;
        let mut numbers = play.numbers.iter();
        let next = |game: &Game| chosen(game, *numbers.next()?);
        let Some([one, other]) = twins(&table, seat, number / 64, next) else {
            continue;
        };
        let [first, second] = [&one, &other].map(|answers| channels(&table, answers, &[], seat));
        let (Ok(first), Ok(second)) = (&first, &second) else {
            return Err(format!("a game does not come again: {first:?} {second:?}"));
        };
        if first.0 != second.0 {
            continue;
        }
        pairs += 1;
        let (first, second) = (&first.1, &second.1);
        if let Some((first, second)) = first.iter().zip(second).find(|(first, second)| first != second) {
            return Err(format!(
                "seat {seat} is shown\n{first}\nor\n{second}\nin\n{one:?}\nor\n{other:?}"
            ));
        }
        if first.len() != second.len() {
            return Err(format!(
                "seat {seat} hears more in\n{one:?}\nthan in\n{other:?}, or less"
            ));
        }
    }
    Ok(pairs)
}

/// Over all rulesets, overlays and modes; `OMERTA_PAIRS=100000` tries so many pairs and prints how many it were, and
/// `OMERTA_SEED` takes others.
#[test]
fn nothing_that_is_shown_to_a_seat_tells_two_games_apart_that_are_alike_to_it() {
    let named = |name: &str| std::env::var(name).ok()?.parse().ok();
    let wanted = named("OMERTA_PAIRS").unwrap_or(2_000);
    let (mut pairs, mut failures) = (0, Vec::new());
    let mut chance = Chance::of_seed(named("OMERTA_SEED").unwrap_or(11));
    while pairs < wanted && failures.is_empty() {
        for table in tables() {
            let seed = chance.bits();
            let Some(cast) = cast(table, seed) else { continue };
            let length = 1 + chance.below(60);
            let numbers: Vec<u32> = (0..length).map(|_| chance.bits() as u32).collect();
            let play = Play {
                table,
                cast,
                numbers: &numbers,
            };
            match alike(&play) {
                Ok(more) => pairs += more as u64,
                Err(why) => failures.push(format!("{}: {why}", table.name)),
            }
        }
    }
    println!("{pairs} pairs at {} tables", tables().len());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

// ---- the definition can fail

const BASE: &str = r#"
ruleset herd "A herd and two wolves"
use std.table
players 5..8
cast { Wolf 2; Goat 1; Sheep rest }
team Flock; team Pack
role Sheep of Flock
role Goat of Flock
role Wolf of Pack
win Flock when no living Pack
win Pack when living Pack is at least half of living
script { play Deal; repeat { play Night; play Day; judge } }
scene Day {
  wait "The day."
  do departure of first of living
}
"#;

struct One(String);

impl Loader for One {
    fn load(&self, path: &str) -> Option<Loaded> {
        if path == "herd" {
            return Some(Loaded {
                name: path.to_owned(),
                text: self.0.clone(),
            });
        }
        omerta_workbench::bundle::bundled(path)
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn herd(night: &str) -> Table {
    lay(&One(format!("{BASE}{night}")), "herd", &[], &[]).unwrap_or_else(|| panic!("{night} is not sound"))
}

/// How many of some games show a leak.
fn leaks(night: &str) -> usize {
    let table = herd(night);
    let shows = |seed: &u64| {
        let mut chance = Chance::of_seed(*seed);
        let numbers: Vec<u32> = (0..60).map(|_| chance.bits() as u32).collect();
        let cast = cast(&table, *seed).expect("there is a cast");
        let play = Play {
            table: &table,
            cast,
            numbers: &numbers,
        };
        found(&play).is_err()
    };
    (0..120).filter(shows).count()
}

#[test]
fn answers_that_give_away_who_is_who_are_a_leak() {
    let leaking = "scene Night { ask each living Sheep for friend from living without Pack }";
    assert!(leaks(leaking) > 0);
    let told =
        "scene Night { show Pack to living\n ask each living Sheep for friend from living without Pack }";
    assert_eq!(leaks(told), 0);
}

#[test]
fn a_question_that_comes_only_when_something_secret_happened_is_a_leak() {
    let night = |words: &str| {
        format!(
            "scene Night {{
               ask living Goat for meadow from living
               if meadow is Pack {{ {words} ask each living Sheep whether afraid }}
               say \"The night is over.\"
             }}"
        )
    };
    assert!(leaks(&night("")) > 0);
    assert_eq!(leaks(&night("say \"Wolves were seen.\";")), 0);
}

#[test]
fn whether_words_are_a_sign_hangs_on_who_hears_them_and_not_on_the_words() {
    let night = |words: &str| {
        format!(
            "scene Night {{
               if seat 1 is Pack {{ ask seat 2 whether afraid }}
               {words}
             }}"
        )
    };
    let plain = leaks(&night("say \"The moon rises.\""));
    assert!(plain > 0);
    for words in ["Shown to you: the moon.", "This goes to you: sleep."] {
        assert_eq!(leaks(&night(&format!("say \"{words}\""))), plain, "{words}");
    }
    assert_eq!(leaks(&night("tell seat 2 \"The moon rises.\"")), 0);
}

#[test]
fn an_offer_that_stands_open_only_when_something_secret_happened_is_a_leak() {
    let night = |seen: &str| {
        format!(
            "flag seen
             scene Night {{
               ask living Goat for meadow from living
               if meadow is Pack {{ set seen to yes }}
               {seen}
               ask each living Sheep whether afraid
               set seen to no
             }}
             allow living Sheep to bleat when seen {{ nothing }}"
        )
    };
    assert!(leaks(&night("")) > 0);
    assert_eq!(leaks(&night("if seen { say \"Wolves were seen.\" }")), 0);
}

#[test]
fn what_others_do_meanwhile_in_secret_is_no_question_put_again() {
    let night = "count graze of each
                 scene Night { ask each living Sheep for friend from living }
                 allow host to feed p from living { add 1 to graze of p }
                 allow living Wolf to lurk when graze of me is less than 3 { add 1 to graze of me }";
    assert_eq!(leaks(night), 0);
}

/// Which card lies where, or in which branch, whoever chooses among them sees: two games in which they lie otherwise
/// are not alike to him.
#[test]
fn where_cards_lie_is_seen_by_who_chooses_among_them() {
    let text = BASE.replace("players 5..8", "players 5..8\nspare 2");
    for question in [
        "shuffle aside
         ask seat 1 {
           one a from top of aside { nothing }
           other b from aside without top of aside { nothing }
         }",
        "ask seat 1 { peek c from hand of players { nothing }; pass { nothing } }",
        "ask seat 1 for c from hand of players",
    ] {
        let rules = format!("{text}scene Night {{ {question} }}");
        let table = lay(&One(rules), "herd", &[], &[]).expect("sound rules");
        let mut pairs = 0;
        for seed in 0..60 {
            let mut chance = Chance::of_seed(seed);
            let numbers: Vec<u32> = (0..40).map(|_| chance.bits() as u32).collect();
            let play = Play {
                table: &table,
                cast: cast(&table, seed).expect("there is a cast"),
                numbers: &numbers,
            };
            pairs += alike(&play).unwrap();
        }
        assert!(pairs > 20, "{question}: {pairs}");
    }
}

/// What the first seat of a game knows when it has chosen the topmost of two cards; `dealt` are the
/// cards that the seats get.
fn view_of_the_first(question: &str, dealt: [u8; 3]) -> Vec<String> {
    let text = BASE
        .replace("players 5..8", "players 3\nspare 2")
        .replace("play Deal; ", &format!("play Deal; {question}; "));
    let loader = One(format!("{text}scene Night {{ nothing }}"));
    let table = lay(&loader, "herd", &[], &[]).unwrap_or_else(|| panic!("{question} is not sound"));
    let card = |name: &&str| table.rules.group_named(name).expect("the rules have the role");
    let cards = ["Wolf", "Wolf", "Goat", "Sheep", "Sheep"]
        .iter()
        .map(card)
        .collect();
    let mut log = Log::default();
    let mut game = start(&table, &(3, PlannedCast { cards }), &mut log);
    for card in dealt {
        game.apply(Choice::Card(card), &mut log)
            .expect("the card is there");
    }
    let names: Vec<String> = ["Ann", "Bea", "Cal"].map(str::to_owned).into();
    let words = Words {
        rules: &table.rules,
        names: &names,
    };
    let Pending::Ask(asked) = game.pending() else {
        panic!("a question is pending");
    };
    let mut view = vec![words.options(&game, &asked)];
    let open: Vec<OpenBranch> = game.branches().collect();
    let among = match open[..] {
        [
            OpenBranch {
                among: Some(Domain::Cards { among, .. }),
                ..
            },
        ] => among,
        _ => match asked.domain {
            Domain::Cards { among, .. } => among,
            _ => 0,
        },
    };
    let is_topmost = |card: &u8| {
        game.look()
            .place(usize::from(*card))
            .is_some_and(|place| place.from_top == 1)
    };
    let card = (0..64)
        .filter(|card| among >> card & 1 == 1)
        .find(is_topmost)
        .expect("one lies on top");
    let choice = match open[..] {
        [] => Choice::Card(card),
        _ => Choice::Branch {
            branch: 0,
            target: Target::Card(card),
        },
    };
    game.apply(choice, &mut log).expect("it may be chosen");
    let viewer = Viewer::Seat(0);
    let heard = log
        .events
        .iter()
        .filter(|happened| happened.audience.includes(viewer));
    view.extend(heard.filter_map(|happened| words.event(happened, viewer)));
    view
}

#[test]
fn a_card_chosen_unseen_tells_nothing_but_its_place() {
    // Two wolves, a goat and two sheep: the first is a sheep in both, aside lie others.
    let (one, other) = ([3, 4, 2], [3, 0, 1]);
    let unseen = "ask seat 1 for taken from aside unseen; move taken to hand of seat 2";
    assert_eq!(view_of_the_first(unseen, one), view_of_the_first(unseen, other));
    let seen = "ask seat 1 for taken from aside; move taken to hand of seat 2";
    assert_ne!(view_of_the_first(seen, one), view_of_the_first(seen, other));
    let menu = "ask seat 1 { take taken from aside unseen { move taken to hand of seat 2 } }";
    assert_eq!(view_of_the_first(menu, one), view_of_the_first(menu, other));
    let menu = "ask seat 1 { take taken from aside { move taken to hand of seat 2 } }";
    assert_ne!(view_of_the_first(menu, one), view_of_the_first(menu, other));
}
