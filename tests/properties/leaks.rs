//! What a seat may not know is nowhere in its view, not even in what it is asked, or when.
//!
//! Two games are played that are alike but for one thing a seat may not know: two cards dealt to
//! others are exchanged, chance or somebody else answers otherwise in secret, or an offer is left
//! alone. From there on everybody answers in the one as in the other, as far as that is possible.
//!
//! What the rules **tell** a seat may differ: words, cards that it sees, answers given openly, the
//! end. That is how it learns. What it is **asked** may not: as long as two games have told a seat
//! the same, they have asked it the same, in the same order between the same tellings, among the same
//! answers, and with the same offers open to it. So a question whose answers, or whose mere coming,
//! give something away that nobody told is found.

use super::{
    game::{Play, holds},
    tables::{Table, answers, cast, chosen, lay, start},
};
use omerta::{
    engine::{Choice, Domain, Game, Log, OpenBranch, Pending, Target, Viewer, What},
    play::{chance::Chance, words::Words},
    rules::{AskId, DrawId, PlannedCast},
    source::{Loaded, Loader},
};
use std::collections::{BTreeMap, VecDeque};

/// How many pairs are made of each game.
const PAIRS: usize = 12;

/// Who gives an answer, and to what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Giver {
    Chance(u16),
    Host(u16),
    Seats(u64, u16),
}

impl Giver {
    fn of(game: &Game) -> Option<Giver> {
        match game.pending() {
            Pending::Ask(asked) if asked.host => Some(Giver::Host(asked.site.0)),
            Pending::Ask(asked) => Some(Giver::Seats(asked.who, asked.site.0)),
            Pending::Chance(drawn) => Some(Giver::Chance(drawn.site.0)),
            Pending::Over(_) | Pending::Broken(_) => None,
        }
    }

    /// Whether a seat does not get to know the answer from the engine.
    fn is_hidden_from(self, seat: u8, game: &Game) -> bool {
        match self {
            Giver::Chance(site) => !game.rules().draws[DrawId(site).index()].openly,
            Giver::Host(site) => !game.rules().ask(AskId(site)).openly,
            Giver::Seats(who, site) => who >> seat & 1 == 0 && !game.rules().ask(AskId(site)).openly,
        }
    }
}

/// An answer of the first game, with the offers taken up before it.
#[derive(Clone, Debug)]
struct Given {
    giver: Giver,
    offers: Vec<Choice>,
    choice: Choice,
    /// What else could have been answered.
    others: Vec<Choice>,
    hidden: bool,
    /// How much had reached the seat before the offers.
    before: usize,
}

/// Something that reaches a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    Told(String),
    Asked(String),
    /// Its own answer, which tells it nothing. It is another when the cards in its hand are.
    Answered(String),
}

/// A game as one seat sees it.
struct Seen<'a> {
    play: &'a Play<'a>,
    names: Vec<String>,
    seat: u8,
    game: Game,
    log: Log,
    heard: usize,
    /// The scene that began last, and for which time: the same words another day are other words.
    when: (u16, u32),
    items: Vec<Item>,
}

impl<'a> Seen<'a> {
    fn begin(play: &'a Play<'a>, seat: u8) -> Self {
        let mut log = Log::default();
        let game = start(play.table, &play.cast, &mut log);
        let names = (1..=play.cast.0).map(|seat| format!("P{seat}")).collect();
        let (heard, when, items) = (0, (0, 0), Vec::new());
        let mut seen = Seen {
            play,
            names,
            seat,
            game,
            log,
            heard,
            when,
            items,
        };
        seen.look();
        seen
    }

    fn give(&mut self, choice: Choice) -> bool {
        let legal = self.game.apply(choice, &mut self.log).is_ok();
        self.look();
        legal
    }

    /// Takes in what has happened since.
    fn look(&mut self) {
        let words = Words {
            rules: &self.play.table.rules,
            names: &self.names,
        };
        let viewer = Viewer::Seat(self.seat);
        for happened in &self.log.events[self.heard..] {
            if let What::SceneBegan { scene, nth } = happened.what {
                self.when = (scene.0, nth);
            }
            if !happened.audience.includes(viewer) {
                continue;
            }
            match &happened.what {
                What::Asked { .. } => {
                    let asked = question(&self.game, &words, self.seat, self.when);
                    self.items.extend(asked);
                }
                What::Answered { who, .. } if who >> self.seat & 1 == 1 => {
                    let answered = words.event(happened, viewer);
                    self.items.extend(answered.map(Item::Answered));
                }
                _ => {
                    let told = words.event(happened, viewer);
                    let when = self.when;
                    self.items
                        .extend(told.map(|told| Item::Told(format!("{when:?} {told}"))));
                }
            }
        }
        self.heard = self.log.events.len();
    }
}

/// What is pending, as it reaches a seat that is asked: its words tell whatever stands in them, and
/// whoever is asked together with others learns who they are.
fn question(game: &Game, words: &Words<'_>, seat: u8, when: (u16, u32)) -> Vec<Item> {
    let Pending::Ask(asked) = game.pending() else {
        return Vec::new();
    };
    let site = words.rules.ask(asked.site);
    let values = site
        .text
        .as_ref()
        .map(|text| game.phrase_values(text))
        .unwrap_or_default();
    // Cards to choose among are seen by who chooses.
    let cards = matches!(asked.domain, Domain::Cards { .. });
    let told = (cards || !values.is_empty() || asked.who.count_ones() > 1).then(|| {
        let (question, seen) = (words.question(game, &asked), words.options(game, &asked));
        let seen = if cards { seen } else { String::new() };
        Item::Told(format!("{when:?} {} {question} {seen}", words.seats(asked.who)))
    });
    let plain = |domain: Domain| match domain {
        Domain::Cards { pass, .. } => format!("cards {pass}"),
        domain => format!("{domain:?}"),
    };
    let branch = |open: OpenBranch| format!("{} {:?}", open.branch, open.among.map(plain));
    let branches: Vec<String> = game.branches().map(branch).collect();
    let offers: Vec<String> = game
        .offers()
        .into_iter()
        .filter(|open| open.by == Some(seat))
        .map(|open| format!("{:?} {:?}", open.offer, open.among.map(plain)))
        .collect();
    let among = plain(asked.domain);
    let asked = format!("{} {among} {:?} {branches:?} {offers:?}", site.name, asked.pick);
    told.into_iter().chain([Item::Asked(asked)]).collect()
}

/// The first game: what everybody answered, as far as the numbers reach. The seat itself takes up no
/// offers, so that it does the same in both games.
fn first_game<'a>(play: &'a Play<'a>, seat: u8) -> (Seen<'a>, Vec<Given>) {
    let mut seen = Seen::begin(play, seat);
    let (mut given, mut offers) = (Vec::new(), Vec::new());
    let mut before = seen.items.len();
    for &number in play.numbers {
        let Some(choice) = chosen(&seen.game, number) else {
            break;
        };
        if let Choice::Offer { by, .. } = choice {
            if by != Some(seat) {
                offers.push(choice);
                seen.give(choice);
            }
            continue;
        }
        let giver = Giver::of(&seen.game).expect("something is pending");
        let others = answers(&seen.game)
            .into_iter()
            .filter(|other| *other != choice)
            .collect();
        given.push(Given {
            giver,
            offers: std::mem::take(&mut offers),
            choice,
            others,
            hidden: giver.is_hidden_from(seat, &seen.game),
            before,
        });
        seen.give(choice);
        before = seen.items.len();
    }
    (seen, given)
}

/// Changes one thing the seat may not know, and says which; `None` when there is nothing to change.
fn change(given: &mut [Given], number: u32) -> Option<usize> {
    let hidden: Vec<usize> = (0..given.len())
        .filter(|&at| given[at].hidden && !given[at].others.is_empty() || !given[at].offers.is_empty())
        .collect();
    let at = *hidden.get(number as usize % hidden.len().max(1))?;
    if !given[at].offers.is_empty() {
        given[at].offers.clear();
        return Some(at);
    }
    // Of two draws of cards from one pile, each gets the other's: nobody else's card changes.
    let twin = |other: &usize| {
        matches!(given[at].choice, Choice::Card(_))
            && given[*other].giver == given[at].giver
            && given[*other].hidden
    };
    let later: Vec<usize> = (at + 1..given.len()).filter(twin).collect();
    if let Some(&other) = later.get(number as usize / 7 % later.len().max(1)) {
        (given[at].choice, given[other].choice) = (given[other].choice, given[at].choice);
    } else {
        let others = &given[at].others;
        given[at].choice = others[number as usize / 7 % others.len()];
    }
    Some(at)
}

/// The second game: each answers as in the first, and where that cannot be, somehow. Also how much
/// had reached the seat when the first offer after a place was taken up: from there on it is somebody's
/// own doing when things happen.
fn second_game<'a>(play: &'a Play<'a>, seat: u8, given: Vec<Given>, changed: usize) -> (Seen<'a>, usize) {
    let mut until = usize::MAX;
    let mut seen = Seen::begin(play, seat);
    let mut chance = Chance::of_seed(u64::from(play.numbers[0]));
    let mut left = given.len() + 20;
    let mut queues: BTreeMap<Giver, VecDeque<Given>> = BTreeMap::new();
    for (place, entry) in given.into_iter().enumerate() {
        if place <= changed {
            entry.offers.into_iter().chain([entry.choice]).for_each(|choice| {
                seen.give(choice);
            });
        } else {
            queues.entry(entry.giver).or_default().push_back(entry);
        }
    }
    while let Some(giver) = Giver::of(&seen.game) {
        let next = queues.get_mut(&giver).and_then(VecDeque::pop_front);
        if let Some(mut entry) = next {
            let offers = std::mem::take(&mut entry.offers);
            if !offers.is_empty() {
                until = until.min(seen.items.len());
            }
            let taken = offers.into_iter().filter(|offer| seen.give(*offer)).count();
            // An offer may have changed what is asked.
            if taken > 0 && Giver::of(&seen.game) != Some(giver) {
                queues.entry(giver).or_default().push_front(entry);
                continue;
            }
            if seen.give(entry.choice) {
                continue;
            }
        }
        left = left.saturating_sub(1);
        let ways = answers(&seen.game);
        if left == 0 || ways.is_empty() {
            break;
        }
        seen.give(ways[chance.below(ways.len() as u64) as usize]);
    }
    (seen, until)
}

/// The items cut at the tellings: what was asked before each, and the telling.
fn cut(items: &[Item]) -> Vec<(Vec<&Item>, Option<&str>)> {
    let mut cut = vec![(Vec::new(), None)];
    for item in items {
        let last = cut.last_mut().expect("there is one from the beginning");
        match item {
            Item::Asked(_) | Item::Answered(_) => last.0.push(item),
            Item::Told(words) => {
                last.1 = Some(words.as_str());
                cut.push((Vec::new(), None));
            }
        }
    }
    cut
}

/// What a seat was asked differently in two games that had told it the same.
fn leak(one: &[Item], other: &[Item]) -> Option<String> {
    for ((asked, told), (asked_too, told_too)) in cut(one).into_iter().zip(cut(other)) {
        let differs = asked.iter().zip(&asked_too).find(|(one, other)| one != other);
        if let Some((Item::Answered(_), Item::Answered(_))) = differs {
            return None;
        }
        if let Some((one, other)) = differs {
            return Some(format!("it is asked\n  {one:?}\nor\n  {other:?}"));
        }
        if told != told_too || told.is_none() {
            return None;
        }
        // A sign for this seat alone may stand in the place of a question: it says that none comes.
        let in_its_place = told.is_some_and(|told| told.to_lowercase().contains("to you: "));
        if asked.len() != asked_too.len() && !in_its_place {
            return Some(format!(
                "before it is told `{}`, it is asked\n  {asked:?}\nor\n  {asked_too:?}",
                told?
            ));
        }
    }
    None
}

/// The leak that pairs of one game show, if they show one.
fn found(play: &Play<'_>) -> Result<(), String> {
    for &number in play.numbers.iter().rev().take(PAIRS) {
        let seat = (number % u32::from(play.cast.0)) as u8;
        let (one, mut given) = first_game(play, seat);
        let Some(changed) = change(&mut given, number / 64) else {
            continue;
        };
        let later = given.iter().skip(changed + 1);
        let until = later
            .filter(|entry| !entry.offers.is_empty())
            .map(|entry| entry.before)
            .next();
        let (other, until_too) = second_game(play, seat, given, changed);
        let until = until.unwrap_or(one.items.len()).min(one.items.len());
        let until_too = until_too.min(other.items.len());
        if let Some(leak) = leak(&one.items[..until], &other.items[..until_too]) {
            return Err(format!(
                "seat {seat} can tell two games apart: {leak}\nafter {:?}",
                one.items
                    .iter()
                    .zip(&other.items)
                    .take_while(|(one, other)| one == other)
                    .map(|(one, _)| one)
                    .collect::<Vec<_>>()
            ));
        }
    }
    Ok(())
}

#[test]
fn two_games_that_differ_only_in_what_a_seat_may_not_know_ask_it_the_same() {
    holds(2, found);
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
        omerta::faces::bundle::bundled(path)
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
