//! What happens the second time round: answers taken back and given otherwise, forks of one place, deeds by
//! hand and offers while a question waits, and kept games that do not fit.

use crate::program::{omerta_in, write};
use crate::tables::{With, game_on};
use omerta_core::rules::{EventId, FactId, GroupId};
use omerta_engine::{Choice, Deed, Happened, Illegal, NoHooks, Pending, Target, What};
use omerta_play::{
    branches::Branches,
    by_hand,
    chance::Chance,
    policy::Policy,
    save::{Save, SaveError},
    session::Session,
};
use omerta_workbench::Workbench;
use std::sync::Arc;

/// Everybody is asked for a friend, day after day; the host may have somebody asked out of turn.
const TALK: &str = r#"ruleset deed "Talk"
use std.table
// allow-file never-read
// allow-file never-set
// allow-file never-happens
// allow-file never-dealt
players 3
cast {
  players 3
  Sheep   3
}
team Flock
role Sheep of Flock
role Goat of Flock
mark star one
link likes
count rounds
count gold of each
event ring {
  say "It rings."
}
event poke of p by k {
  mark p as star
}
allow host to poll "Poll" q from living during Talk {
  play Query of q
}
allow living to wave "Wave" during Talk {
  say "{me} waves."
}
script {
  put cast in deck
  for each p of players {
    move top of deck to hand of p
  }
  repeat {
    play Talk
    add 1 to rounds
    if rounds is 30 {
      stop
    }
  }
}
scene Talk {
  for each p of living {
    play Query of p
  }
}
scene Query of p {
  ask p for friend from living "Whom do you like?"
  link p to friend as likes
  say "{p} likes {friend}."
}
"#;

fn talk() -> Session {
    let bench = Workbench::reading(Arc::new(With(TALK.to_owned())));
    game_on(&bench, "deed", &["Ann", "Bob", "Cid"]).unwrap()
}

/// The game after some answers, each a seat.
#[track_caller]
fn after(seats: &[u8]) -> Session {
    let mut session = talk();
    for seat in seats {
        session.apply(Choice::Seat(*seat)).unwrap();
    }
    session
}

// ---- Back and forth

#[test]
fn whatever_is_taken_back_and_answered_otherwise_the_game_is_that_of_its_answers() {
    for seed in 0..8 {
        let writing = include_str!("lang/writing.mafia");
        let bench = Workbench::reading(Arc::new(With(writing.to_owned())));
        let begin = || game_on(&bench, "deed", &["Ann", "Bob", "Cid"]).unwrap();
        let (mut chance, mut session) = (
            Chance::of_seed(seed),
            if seed % 2 == 0 { talk() } else { begin() },
        );
        for step in 0..60 {
            match chance.below(3) {
                0 => {
                    let place = session.cursor().saturating_sub(chance.below(24) as usize);
                    assert!(session.go_to(place));
                }
                1 => {
                    let more = chance.below(1 + session.undone().len() as u64) as usize;
                    assert!(session.go_to(session.cursor() + more));
                }
                _ => {
                    for _ in 0..chance.below(20) {
                        let choice = Policy::default().choose(session.game(), &mut chance);
                        choice
                            .into_iter()
                            .for_each(|choice| session.apply(choice).unwrap());
                    }
                }
            }
            let (again, stopped) =
                Session::replay(session.table().clone(), session.answers(), session.texts()).unwrap();
            assert_eq!(stopped, None);
            assert!(
                session.game().state() == again.game().state(),
                "seed {seed}, step {step}: the state"
            );
            assert!(session.log() == again.log(), "seed {seed}, step {step}: the log");
            assert_eq!(again.texts(), session.game().texts(), "seed {seed}, step {step}");
        }
    }
}

#[test]
fn a_new_branch_has_nothing_to_give_again() {
    let mut session = after(&[1, 2, 0]);
    session.undo();
    let mut branch = session.branch();
    assert_eq!(branch.undone(), []);
    assert!(!branch.redo());
    assert_eq!(session.undone(), [Choice::Seat(0)]);
    assert!(session.redo());
}

#[test]
fn branches_that_part_at_one_place_grow_out_of_the_first() {
    let (mut session, mut branches) = (after(&[1, 2, 0]), Branches::default());
    for (name, friend) in [("second", 1), ("third", 2)] {
        assert!(branches.fork(name, &session));
        session.undo();
        session.apply(Choice::Seat(friend)).unwrap();
    }
    assert!(!branches.fork("second", &session), "the name is taken");
    let tree = branches.tree(&session);
    let twigs: Vec<_> = tree
        .iter()
        .map(|twig| (twig.name.as_str(), twig.parent, twig.shared, twig.length))
        .collect();
    assert_eq!(
        twigs,
        [
            ("main", None, 0, 3),
            ("second", Some(0), 2, 3),
            ("third", Some(0), 2, 3)
        ]
    );
    // One that goes on from another grows out of that one.
    assert!(branches.fork("fourth", &session));
    session.apply(Choice::Seat(0)).unwrap();
    let fourth = branches.tree(&session).pop().unwrap();
    assert_eq!((fourth.parent, fourth.shared), (Some(2), 3));
    let left = branches.leave(&session).unwrap();
    assert_eq!((branches.here.as_str(), left.cursor()), ("third", 3));
}

// ---- By hand

#[test]
fn a_deed_of_any_sort_is_told_and_the_question_that_waits_is_not_put_again() {
    for sentence in [
        "turn Ann into Goat",
        "mark Bob as star",
        "unmark Bob as star",
        "link Cid to Bob as likes",
        "unlink Ann as likes",
        "set rounds to 2",
        "set gold of Cid to 3",
        "do ring",
        "do poke of Bob",
        "do poke of Bob by Cid",
    ] {
        let mut session = after(&[1]);
        let (deed, text) = by_hand::deed(session.table(), sentence).unwrap();
        let question = session.game().pending();
        for time in ["once", "twice"] {
            let before = session.log().events.len();
            let deed = session.write(Choice::ByHand(deed), text).unwrap();
            session.apply(deed).unwrap();
            let news = &session.log().events[before..];
            assert!(
                matches!(news[0].what, What::ByHand { .. }),
                "{sentence}, {time}: {news:?}"
            );
            let asked = news.iter().find(|news| matches!(news.what, What::Asked { .. }));
            assert_eq!(asked, None, "{sentence}, {time}");
            assert_eq!(session.game().pending(), question, "{sentence}, {time}");
        }
    }
}

/// Deeds that each name one thing that is not there, or not of that sort.
fn impossible(session: &Session) -> Vec<Deed> {
    let rules = &session.table().rules;
    let fact = |name: &str| FactId(rules.facts.iter().position(|fact| fact.name == name).unwrap() as u16);
    let event =
        |name: &str| EventId(rules.events.iter().position(|event| event.name == name).unwrap() as u16);
    let group =
        |name: &str| GroupId(rules.groups.iter().position(|group| group.name == name).unwrap() as u16);
    let (star, likes, rounds, gold) = (fact("star"), fact("likes"), fact("rounds"), fact("gold"));
    let (ring, poke) = (event("ring"), event("poke"));
    let nowhere = 3;
    let happen = |event, of, by| Deed::Happen { event, of, by };
    let count = |fact, seat| Deed::Count { fact, seat, value: 1 };
    vec![
        Deed::Turn {
            seat: nowhere,
            role: group("Goat"),
        },
        Deed::Turn {
            seat: 0,
            role: group("Flock"),
        },
        Deed::Turn {
            seat: 0,
            role: GroupId(99),
        },
        Deed::Mark {
            fact: star,
            seat: nowhere,
        },
        Deed::Mark { fact: likes, seat: 0 },
        Deed::Unmark {
            fact: star,
            seat: nowhere,
        },
        Deed::Unmark {
            fact: rounds,
            seat: 0,
        },
        Deed::Link {
            fact: likes,
            from: nowhere,
            to: Some(0),
        },
        Deed::Link {
            fact: likes,
            from: 0,
            to: Some(nowhere),
        },
        Deed::Link {
            fact: likes,
            from: 0,
            to: Some(64),
        },
        Deed::Link {
            fact: likes,
            from: nowhere,
            to: None,
        },
        Deed::Link {
            fact: star,
            from: 0,
            to: Some(1),
        },
        count(rounds, Some(0)),
        count(gold, None),
        count(gold, Some(nowhere)),
        count(FactId(99), None),
        happen(ring, Some(0), None),
        happen(ring, None, Some(0)),
        happen(poke, None, Some(0)),
        happen(poke, Some(nowhere), None),
        happen(poke, Some(0), Some(nowhere)),
        happen(EventId(99), None, None),
    ]
}

#[test]
fn a_deed_that_names_what_is_not_there_is_refused_in_play_and_in_a_kept_game() {
    let session = after(&[1, 2]);
    for deed in impossible(&session) {
        let mut tried = session.clone();
        assert_eq!(
            tried.apply(Choice::ByHand(deed)),
            Err(Illegal::NoDeed),
            "{deed:?}"
        );
        assert_eq!(tried.game().state(), session.game().state(), "{deed:?}");
        let mut save = Save::of(&session);
        save.answers.insert(1, Choice::ByHand(deed));
        let read = Save::from_text(&save.to_text()).unwrap();
        let rules = session.table().rules.clone();
        let Ok(loaded) = read.load(rules, Arc::new(NoHooks)) else {
            panic!("{deed:?}: the game can begin")
        };
        let stopped = loaded.stopped.unwrap_or_else(|| panic!("{deed:?} was taken"));
        assert_eq!(
            (stopped.at, stopped.of, loaded.session.cursor()),
            (1, 3, 1),
            "{deed:?}"
        );
    }
}

// ---- Offers

#[test]
fn what_follows_a_question_that_waited_meanwhile_is_not_caused_by_the_offer() {
    let mut session = after(&[]);
    let offer = session
        .game()
        .offers()
        .iter()
        .find(|open| open.by.is_none())
        .unwrap()
        .offer;
    let bob = Target::Seat(1);
    session
        .apply(Choice::Offer {
            offer,
            by: None,
            target: bob,
        })
        .unwrap();
    let asked = |session: &Session| match session.game().pending() {
        Pending::Ask(asked) => asked.who,
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(&session), 0b10, "the same question is put to somebody else");
    session.apply(Choice::Seat(2)).unwrap();
    assert_eq!(asked(&session), 0b1, "the one that waited is back");
    session.apply(Choice::Seat(1)).unwrap();
    let log = session.log();
    let said = |event: &Happened| matches!(event.what, What::Said { .. });
    let says: Vec<usize> = (0..log.events.len())
        .filter(|at| said(&log.events[*at]))
        .collect();
    let by_offer = |at: usize| {
        let causes = log.causes(at);
        causes
            .iter()
            .any(|at| matches!(log.events[*at].what, What::OfferTaken { .. }))
    };
    let found: Vec<bool> = says.into_iter().map(by_offer).collect();
    assert_eq!(
        found,
        [true, false],
        "what Bob answers is, what Ann answers is not"
    );
}

#[test]
fn offers_to_players_and_to_the_host_are_taken_up_each_at_its_own_rate() {
    for (offers_per_thousand, calls_per_thousand) in [(0, 0), (400, 0), (0, 400), (400, 400)] {
        let policy = Policy {
            offers_per_thousand,
            calls_per_thousand,
        };
        let (mut chance, mut session) = (Chance::of_seed(5), talk());
        for _ in 0..60 {
            let choice = policy.choose(session.game(), &mut chance).unwrap();
            session.apply(choice).unwrap();
        }
        let taken = |by_host: bool| {
            let is = |choice: &&Choice| matches!(choice, Choice::Offer { by, .. } if by.is_none() == by_host);
            session.answers().iter().filter(is).count()
        };
        assert_eq!(
            (taken(false) > 5, taken(true) > 5),
            (offers_per_thousand > 0, calls_per_thousand > 0),
            "{policy:?}"
        );
        assert!(offers_per_thousand > 0 || taken(false) == 0, "{policy:?}");
        assert!(calls_per_thousand > 0 || taken(true) == 0, "{policy:?}");
    }
}

// ---- Kept games

#[test]
fn a_kept_game_is_read_up_to_the_limit_and_not_beyond() {
    const MOST: usize = 16 << 20;
    let mut text = Save::of(&after(&[1])).to_text();
    text.push_str(&" ".repeat(MOST - text.len()));
    assert!(Save::from_text(&text).is_ok());
    text.push(' ');
    assert_eq!(
        Save::from_text(&text),
        Err(SaveError::TooLong { bytes: MOST + 1 })
    );
}

/// What each answers into what is declared.
const ANSWERED: &str = r#"ruleset answered "Answered"
use std.table
players 3..4

cast {
  players  3..4
  Sheep    rest
}

team Flock "the flock"
role Sheep "a sheep" of Flock
count bid of each = 2
mark ayes
text note of each

script {
  play Deal
  repeat 2 times { play Poll }
  play After
}

scene Poll {
  ask each players for bid from 0..5 or nobody "How much?"
  say "First bids {bid of seat 1}."
  ask each living whether ayes "Yes?"
  say "{number of ayes} say yes."
  ask each first of players to write note
}

scene After {
  add 1 to bid of seat 2
  if note of seat 1 is "two" { say "Two." }
  wait "done" as done
}
"#;
const ANSWERS: &str = r#"ruleset "answered.mafia"
seats Ann: Sheep, Bob: Sheep, Cid: Sheep

play "numbers, marks and texts of each are those of the last answer"
Poll 1 {
  Ann, Bob [bid] -> 4
  Cid [bid] -> nobody
  Ann, Bob [ayes] -> yes
  Cid [ayes] -> no
  Ann [note] -> "one"
  expect said "First bids 4." then "2 say yes."
}
expect bid of Ann is 4
expect bid of Cid is 0
Poll 2 {
  Ann [bid] -> 0
  Bob [bid] -> 5
  Cid [bid] -> 3
  Ann [ayes] -> no
  Bob, Cid [ayes] -> yes
  Ann [note] -> "two"
  expect said "First bids 0." then "2 say yes."
}
run to end
expect bid of Ann is 0
expect bid of Bob is 6
expect bid of Cid is 3
expect Ann is not ayes
expect Cid is ayes
expect said "Two."
"#;

#[test]
fn what_each_answers_anew_takes_the_place_of_what_was_there() {
    let folder = crate::program::folder();
    write(folder.path(), "answered.mafia", ANSWERED);
    write(folder.path(), "answered.play", ANSWERS);
    for words in [&["check", "answered.mafia"][..], &["test", "answered.play"]] {
        let done = omerta_in(folder.path(), words, b"");
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        assert!(!done.err.contains("warning"), "{}", done.err);
    }
}
