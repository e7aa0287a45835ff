//! A game goes forth and back, into branches, into a text and out of it.

use super::rules::{rules, session, table};
use omerta_engine::{Choice, NoHooks, Pending};
use omerta_play::{
    chance::Chance,
    hosted::{Hosted, Rolling},
    policy::Policy,
    save::{Save, SaveError},
    session::Session,
};
use std::{cell::Cell, sync::Arc};

/// A whole game by chance.
fn played(seed: u64) -> Session {
    let mut chance = Chance::of_seed(seed);
    let mut session = session();
    while let Some(choice) = (Policy {
        offers_per_thousand: 300,
        calls_per_thousand: 300,
    })
    .choose(session.game(), &mut chance)
    {
        session.apply(choice).expect("a policy answers legally");
    }
    session
}

#[test]
fn random_answers_are_legal_and_come_to_an_end() {
    for seed in 0..200 {
        assert!(matches!(played(seed).game().pending(), Pending::Over(_)));
    }
}

#[test]
fn going_back_and_forth_gives_the_same_game() {
    let mut session = played(3);
    let (end, log, answers) = (
        session.game().state().clone(),
        session.log().clone(),
        session.answers().to_vec(),
    );
    while session.undo() {}
    assert_eq!(session.cursor(), 0);
    assert_eq!(session.undone(), answers);
    while session.redo() {}
    assert_eq!((session.game().state(), session.log()), (&end, &log));
    for place in [5, 1, 8, 0, answers.len()] {
        assert!(session.go_to(place));
        let (again, stopped) = Session::replay(table(), &answers[..place], &[]).unwrap();
        assert_eq!(stopped, None);
        assert_eq!(
            (session.game().state(), session.log()),
            (again.game().state(), again.log())
        );
    }
    assert!(!session.go_to(answers.len() + 1));
}

#[test]
fn another_answer_forgets_what_was_undone_and_the_same_one_does_not() {
    let mut session = session();
    [Choice::Card(0), Choice::Card(1), Choice::Card(2), Choice::Pass]
        .into_iter()
        .for_each(|choice| session.apply(choice).unwrap());
    session.undo();
    session.undo();
    session.apply(Choice::Card(2)).unwrap();
    assert_eq!(session.undone(), [Choice::Pass]);
    session.undo();
    session.undo();
    session.apply(Choice::Card(2)).unwrap();
    assert_eq!(session.undone(), []);
}

#[test]
fn a_branch_leaves_the_game_it_came_from_alone() {
    let mut session = session();
    session.apply(Choice::Card(0)).unwrap();
    let mut branch = session.branch();
    branch.apply(Choice::Card(1)).unwrap();
    assert_eq!((session.cursor(), branch.cursor()), (1, 2));
}

#[test]
fn an_answer_knows_what_it_led_to() {
    let session = played(4);
    let lengths: usize = (0..=session.cursor())
        .map(|place| session.events_of(place).len())
        .sum();
    assert_eq!(lengths, session.log().events.len());
    assert_eq!(
        session.latest(),
        &session.log().events[session.events_of(session.cursor())]
    );
}

/// Whoever has had enough at any moment is asked once more and no more; no answer is lost, and a game that is not
/// played to its end is none.
#[test]
fn who_has_had_enough_on_the_way_loses_nothing() {
    let whole = Hosted::of(played(5));
    let (count, log) = (whole.session.cursor(), whole.session.log());
    assert!(count > 10, "{count}");
    for enough in 0..=count {
        let asked = Cell::new(0);
        let had_enough = || asked.replace(asked.get() + 1) == enough;
        let mut there = whole.clone();
        assert!(there.go_to(0));
        let begins = there.session.cursor();
        let whole_way = there.go_to_until(&had_enough, count);
        assert_eq!(whole_way, begins + enough >= count, "{enough}");
        assert!(asked.get() <= enough + 1 && (there.is_asking() || there.is_over()));
        let all = [there.session.answers(), there.session.undone()].concat();
        assert_eq!(all, whole.session.answers());
        assert!(there.go_to(count));
        assert_eq!(
            (there.session.log(), there.session.game().state()),
            (log, whole.session.game().state())
        );

        asked.set(0);
        let load = Save::of(&whole.session).load_until(&had_enough, Arc::new(rules()), Arc::new(NoHooks));
        assert_eq!(load.is_ok(), enough == count, "{enough}");
        assert_eq!(asked.get(), count.min(enough + 1));
        asked.set(0);
        let with = whole.with(&had_enough, whole.session.clone());
        assert_eq!(
            (with.is_some(), asked.get()),
            (enough == count, count.min(enough + 1))
        );
    }
}

#[test]
fn a_kept_game_is_the_same_game() {
    let session = played(5);
    let text = Save::of(&session).to_text();
    let save = Save::from_text(&text).unwrap();
    let loaded = save.load(Arc::new(rules()), Arc::new(NoHooks)).ok().unwrap();
    assert!(!loaded.other_rules);
    assert_eq!(loaded.stopped, None);
    assert_eq!(loaded.session.game().state(), session.game().state());
    assert_eq!(loaded.session.log(), session.log());
}

#[test]
fn under_other_rules_a_kept_game_goes_as_far_as_it_fits() {
    let save = Save::of(&played(6));
    let mut other = rules();
    other.identity = 99;
    other.offers.clear();
    other.asks[0].pass = omerta_core::rules::Pass::Never;
    let loaded = save.load(Arc::new(other), Arc::new(NoHooks)).ok().unwrap();
    assert!(loaded.other_rules);
    assert_eq!(
        loaded.stopped.map_or(save.answers.len(), |stopped| stopped.at),
        loaded.session.cursor()
    );
}

/// Who rolls by hand and gives what cannot come out leaves the dice as they lay.
#[test]
fn a_roll_that_is_refused_moves_no_dice() {
    let mut hosted = Hosted::start_rolling(table(), Rolling::ByHand).unwrap();
    let mut other = hosted.clone();
    assert!(hosted.give(Choice::Go).is_err());
    while other.roll() {
        assert!(hosted.roll());
    }
    assert_eq!(hosted.session.answers(), other.session.answers());
}

#[test]
fn what_is_no_save_file_is_refused() {
    assert!(matches!(Save::from_text("{"), Err(SaveError::Malformed { .. })));
    let text = Save::of(&session())
        .to_text()
        .replace("\"omerta_save\": 1", "\"omerta_save\": 9");
    assert_eq!(Save::from_text(&text), Err(SaveError::Version { found: 9 }));
    let text = Save::of(&session()).to_text();
    for (from, to) in [
        ("Mafioso", "Judge"),
        ("\"seed\": ", "\"seed\": 1"),
        ("\"digest\": \"", "\"digest\": \"0"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        assert_eq!(Save::from_text(&changed), Err(SaveError::Changed), "{from}");
    }
    let otherwise = text.replace('\n', " ");
    assert_eq!(
        Save::from_text(&otherwise),
        Save::from_text(&text),
        "laid out otherwise"
    );
    let (unsealed, _) = text.rsplit_once(",\n  \"digest\"").unwrap();
    // Without its seal it is taken as it stands, if its words are such as a game keeps.
    let names = session().table().names.clone();
    for (from, to) in [
        (names[0].as_str(), "A\\u001b[31mnn"),
        (&names[0], "A\\u202enn"),
        (&names[0], "A\\nnn"),
        (&names[0], ""),
        (&names[0], " "),
        (&names[0], &names[1]),
        (&names[0], &names[2]),
        ("\"ruleset\": \"", "\"ruleset\": \"\\u001b[2J"),
        ("\"overlays\": []", "\"overlays\": [\"\\u001b[2J\"]"),
        ("\"options\": []", "\"options\": [[\"a\", \"\\u200b\"]]"),
        ("\"seed\"", "\"texts\": [\"\\u202e\"],\n  \"seed\""),
    ] {
        let changed = format!("{unsealed}}}").replacen(from, to, 1);
        assert_ne!(changed, format!("{unsealed}}}"), "{from}");
        assert!(
            matches!(Save::from_text(&changed), Err(SaveError::Odd { .. })),
            "{to}"
        );
    }
    // What is no answer is told without its signs.
    let (head, tail) = unsealed.split_once("\"answers\": [").unwrap();
    let changed = format!("{head}\"answers\": [{{\"\\u001b[2JRED\": 0}}, {tail}}}");
    let why = Save::from_text(&changed).unwrap_err().to_string();
    assert!(why.contains("[2JRED") && !why.contains('\u{1b}'), "{why:?}");
    let text = format!("{unsealed}}}").replace("Mafioso", "Judge");
    let load = Save::from_text(&text)
        .unwrap()
        .load(Arc::new(rules()), Arc::new(NoHooks));
    assert!(matches!(load, Err(SaveError::NoSuchRole { name }) if name == "Judge"));
}
