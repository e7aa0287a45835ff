//! What a host does by hand: the same effects as those of rules, told, kept, taken back, and refused
//! where it names something that there is not.

use super::rules::{session, table};
use omerta_core::rules::{EventId, FactId, GroupId};
use omerta_engine::{Choice, Deed, Game, Illegal, Pending, Silence, What};
use omerta_play::{chance::Chance, policy::Policy, save::Save, session::Session};

/// Every deed that could be meant, and some that nobody could mean.
fn deeds(game: &Game) -> Vec<Deed> {
    let rules = game.rules();
    let seats = 0..=game.look().seats();
    let mut all = Vec::new();
    for seat in seats {
        let roles = (0..=rules.groups.len()).map(|role| Deed::Turn {
            seat,
            role: GroupId(role as u16),
        });
        all.extend(roles);
        for fact in (0..=rules.facts.len()).map(|fact| FactId(fact as u16)) {
            let to = Some((seat + 1) % game.look().seats());
            all.extend([
                Deed::Mark { fact, seat },
                Deed::Unmark { fact, seat },
                Deed::Link { fact, from: seat, to },
                Deed::Link {
                    fact,
                    from: seat,
                    to: None,
                },
                Deed::Count {
                    fact,
                    seat: Some(seat),
                    value: 2,
                },
                Deed::Count {
                    fact,
                    seat: None,
                    value: 1,
                },
                Deed::Write {
                    fact,
                    seat: Some(seat),
                    text: omerta_core::written::OF_RULES,
                },
                Deed::Write {
                    fact,
                    seat: None,
                    text: omerta_core::written::OF_RULES,
                },
            ]);
        }
        for event in (0..=rules.events.len()).map(|event| EventId(event as u16)) {
            let (of, by) = (Some(seat), Some(seat));
            all.extend([
                Deed::Happen { event, of, by },
                Deed::Happen { event, of, by: None },
                Deed::Happen {
                    event,
                    of: None,
                    by: None,
                },
            ]);
        }
    }
    all
}

/// A game by chance with deeds in it, never broken; and how many there were.
fn played(seed: u64) -> (Session, usize) {
    let (mut coins, mut session, mut done) = (Chance::of_seed(seed), session(), 0);
    for _ in 0..400 {
        for _ in 0..4 {
            let all = deeds(session.game());
            let deed = all[coins.below(all.len() as u64) as usize];
            let before = session.game().state().clone();
            match session.apply(Choice::ByHand(deed)) {
                Ok(()) => done += 1,
                Err(why) => {
                    assert!(
                        matches!(why, Illegal::NoDeed | Illegal::Over),
                        "{deed:?}: {why:?}"
                    );
                    assert_eq!(
                        session.game().state(),
                        &before,
                        "{deed:?} was refused and changed something"
                    );
                }
            }
        }
        let Some(choice) = Policy::default().choose(session.game(), &mut coins) else {
            break;
        };
        session.apply(choice).expect("a policy answers legally");
    }
    assert!(
        !matches!(session.game().pending(), Pending::Broken(_)),
        "seed {seed}"
    );
    (session, done)
}

#[test]
fn a_game_with_deeds_is_replayed_kept_and_taken_back() {
    let mut all = 0;
    for seed in 0..60 {
        let (mut session, done) = played(seed);
        all += done;
        let state = session.game().state().clone();
        let mut quiet = table().begin(&mut Silence).unwrap();
        for answer in session.answers() {
            quiet.apply(*answer, &mut Silence).unwrap();
        }
        assert_eq!(
            quiet.state(),
            &state,
            "seed {seed}: nobody listening makes no difference"
        );
        let kept = Save::from_text(&Save::of(&session).to_text()).unwrap();
        let table = table();
        let loaded = kept.load(table.rules.clone(), table.hooks.clone()).unwrap();
        assert_eq!(loaded.session.game().state(), &state, "seed {seed}");
        while session.undo() {}
        while session.redo() {}
        assert_eq!(session.game().state(), &state, "seed {seed}");
    }
    assert!(all > 60, "only {all} deeds were done");
}

#[test]
fn only_the_host_learns_of_a_deed_and_the_question_is_not_put_twice() {
    let mut session = session();
    let mut coins = Chance::of_seed(1);
    while !matches!(session.game().pending(), Pending::Ask(asked) if asked.who != 0) {
        let choice = Policy::default().choose(session.game(), &mut coins).unwrap();
        session.apply(choice).unwrap();
    }
    let before = session.game().pending();
    // A deed that changes nothing that is asked for.
    let deed = deeds(session.game())
        .into_iter()
        .filter(|deed| matches!(deed, Deed::Count { .. } | Deed::Mark { .. }))
        .find(|deed| {
            let mut tried = session.clone();
            tried.apply(Choice::ByHand(*deed)).is_ok() && tried.game().pending() == before
        })
        .expect("the rules count or mark something that no question hangs on");
    let place = session.log().events.len();
    session.apply(Choice::ByHand(deed)).unwrap();
    let news = &session.log().events[place..];
    assert!(matches!(news[0].what, What::ByHand { .. }), "{news:?}");
    assert!(
        !news.iter().any(|news| matches!(news.what, What::Asked { .. })),
        "{news:?}"
    );
    for seat in 0..session.game().look().seats() {
        let learns =
            |news: &&omerta_engine::Happened| news.audience.includes(omerta_engine::Viewer::Seat(seat));
        assert_eq!(news.iter().find(learns), None);
    }
}
