//! Events, questions and answers in words.

use super::rules::session;
use omerta_engine::{Choice, Pending, Viewer};
use omerta_play::{
    names::seat_in,
    session::Session,
    words::{Words, listed},
};

fn words(session: &Session) -> Words<'_> {
    Words {
        rules: &session.table().rules,
        names: &session.table().names,
    }
}

fn dealt() -> Session {
    let mut session = session();
    [0, 1, 2]
        .into_iter()
        .for_each(|card| session.apply(Choice::Card(card)).unwrap());
    session
}

#[track_caller]
fn question(session: &Session) -> String {
    match session.game().pending() {
        Pending::Ask(asked) => words(session).question(session.game(), &asked),
        Pending::Chance(drawn) => words(session).chance(session.game(), &drawn),
        other => panic!("{other:?}"),
    }
}

fn heard(session: &Session, viewer: Viewer) -> Vec<String> {
    session
        .latest()
        .iter()
        .filter_map(|event| words(session).event(event, viewer))
        .collect()
}

#[test]
fn lists_have_commas_and_a_last_and() {
    let list = |words: &[&str]| listed(words.iter().map(|w| (*w).to_string()).collect(), "and");
    assert_eq!(
        [list(&[]), list(&["a"]), list(&["a", "b"]), list(&["a", "b", "c"])],
        ["", "a", "a and b", "a, b and c"]
    );
}

#[test]
fn a_seat_is_named_in_full_or_by_a_beginning_that_is_its_own() {
    let names = ["Ann", "Anna", "Bob", "Cid-2", "Cid"].map(str::to_owned);
    for (word, seat) in [
        ("Ann", 0),
        ("ann", 0),
        ("Anna", 1),
        ("ANNA", 1),
        ("b", 2),
        ("Cid", 4),
        ("cid-", 3),
    ] {
        assert_eq!(seat_in(&names, word), Ok(seat), "{word}");
    }
    for (word, why) in [
        ("a", "`a` could be `Ann` or `Anna`"),
        ("An", "`An` could be `Ann` or `Anna`"),
        ("ci", "`ci` could be `Cid-2` or `Cid`"),
        ("Bobby", "nobody here is called `Bobby`"),
        ("ob", "nobody here is called `ob`; did you mean `Bob`?"),
        ("", "nobody here is called ``"),
    ] {
        assert_eq!(seat_in(&names, word), Err(why.to_owned()), "{word}");
    }
}

#[test]
fn questions_say_whose_they_are_and_what_may_be_answered() {
    let mut session = dealt();
    assert_eq!(
        question(&session),
        "Ann is asked: Whom do you treat? (among Ann, Bob and Cid; or nobody)"
    );
    session.apply(Choice::Pass).unwrap();
    assert_eq!(question(&session), "Bob is asked: victim (among Ann and Cid)");
    session.apply(Choice::Seat(2)).unwrap();
    assert_eq!(question(&session), "die: 1 to 6");
    session.apply(Choice::Number(3)).unwrap();
    assert_eq!(
        question(&session),
        "Cid is asked: verdict (accuse among Ann, Bob and Cid or thanks)"
    );
}

#[test]
fn words_said_have_their_slots_filled_and_reach_their_audience() {
    let mut session = dealt();
    [Choice::Pass, Choice::Seat(2), Choice::Number(3)]
        .into_iter()
        .for_each(|choice| session.apply(choice).unwrap());
    assert!(heard(&session, Viewer::Seat(2)).contains(&"To you: You were hit.".to_string()));
    assert!(heard(&session, Viewer::Host).contains(&"To Cid: You were hit.".to_string()));
    assert!(
        !heard(&session, Viewer::Seat(0))
            .iter()
            .any(|line| line.contains("You were hit"))
    );
    assert!(heard(&session, Viewer::Public).contains(&"Cid was hit.".to_string()));
}

#[test]
fn a_refusal_says_what_may_be_answered() {
    let mut session = dealt();
    session.apply(Choice::Pass).unwrap();
    let illegal = session.apply(Choice::Seat(1)).unwrap_err();
    let why = words(&session).refusal(session.game(), &illegal);
    assert_eq!(why, "not among what may be answered: among Ann and Cid");
}
