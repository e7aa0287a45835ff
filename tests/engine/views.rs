//! What a viewer knows is what the events with him in their audience say.

use super::assembler::{Assembler, Played, ask, nowhere, r, small};
use omerta_core::rules::{
    AskKind, FactShape, GroupId, Kind, Op, Part, Phrase, PhrasePiece, ProcRole, SayId, SayKind, SaySite,
    SceneId,
};
use omerta_engine::{Choice, Value, Viewer, What};

fn words(asm: &mut Assembler, kind: SayKind, phrase: Phrase) -> SayId {
    asm.rules.says.push(SaySite {
        kind,
        word: None,
        question: None,
        phrase,
        origin: nowhere(),
    });
    SayId(asm.rules.says.len() as u16 - 1)
}

fn seen(game: &Played, viewer: Viewer) -> Vec<&What> {
    game.log.view(viewer).map(|(_, event)| &event.what).collect()
}

#[test]
fn words_reach_those_they_are_meant_for() {
    let mut asm = Assembler::new();
    let all = words(&mut asm, SayKind::Say, Phrase::default());
    let some = words(&mut asm, SayKind::Tell, Phrase::default());
    let say = |site| Op::Say { site, who: r(0) };
    let game = asm.play(
        3,
        &[],
        vec![
            small(0, 0b10),
            say(all),
            say(some),
            small(0, 0),
            say(some),
            Op::Return,
        ],
    );
    assert_eq!(seen(&game, Viewer::Seat(0)).len(), 2);
    assert_eq!(seen(&game, Viewer::Seat(1)).len(), 3);
    assert_eq!(seen(&game, Viewer::Public).len(), 2);
    assert_eq!(seen(&game, Viewer::Host).len(), 3);
}

#[test]
fn a_secret_question_is_known_to_those_asked_alone() {
    let mut asm = Assembler::new();
    let (secret, open) = (asm.ask(AskKind::YesNo), asm.ask(AskKind::YesNo));
    asm.rules.asks[open.index()].openly = true;
    let game = asm.play(
        3,
        &[],
        vec![small(0, 0b11), ask(secret, 0), ask(open, 0), Op::Return],
    );
    let game = game.answer(Choice::Yes).answer(Choice::No);
    let answers = |viewer| {
        seen(&game, viewer)
            .into_iter()
            .filter(|what| matches!(what, What::Answered { .. }))
            .count()
    };
    assert_eq!([0, 1, 2].map(|seat| answers(Viewer::Seat(seat))), [2, 2, 1]);
    assert_eq!(answers(Viewer::Public), 1);
}

#[test]
fn marks_are_known_to_the_host_alone() {
    let mut asm = Assembler::new();
    let fact = asm.word(FactShape::Mark);
    let game = asm.play(
        3,
        &[],
        vec![
            small(0, 1),
            Op::Mark { fact, set: r(0) },
            Op::Mark { fact, set: r(0) },
            Op::Return,
        ],
    );
    assert_eq!(seen(&game, Viewer::Host)[0], &What::Marked { fact, seats: 1 });
    assert_eq!(seen(&game, Viewer::Host).len(), 2);
    assert_eq!(seen(&game, Viewer::Seat(0)).len(), 1);
}

#[test]
fn words_carry_the_values_of_their_slots() {
    let mut asm = Assembler::new();
    let value = asm.thunk(0, Vec::new());
    let double = asm.thunk(
        9,
        vec![Op::Plus {
            to: r(9),
            a: r(1),
            b: r(1),
        }],
    );
    let slot = |value, kind| PhrasePiece::Slot {
        value,
        kind,
        words: Vec::new(),
    };
    let many = vec![slot(double, Kind::Number)];
    let choice = PhrasePiece::Choice {
        value,
        kind: Kind::Players,
        none: Vec::new(),
        one: Vec::new(),
        many,
    };
    let pieces = vec![
        PhrasePiece::Words("out: ".into()),
        slot(value, Kind::Players),
        choice,
    ];
    let site = words(&mut asm, SayKind::Say, Phrase { pieces });
    let game = asm.play(
        3,
        &[],
        vec![
            small(0, 0b11),
            small(1, 4),
            Op::Say { site, who: r(0) },
            Op::Return,
        ],
    );
    let values = vec![Value::Players(0b11), Value::Players(0b11), Value::Number(8)];
    assert_eq!(seen(&game, Viewer::Public)[0], &What::Said { site, values });
}

#[test]
fn a_call_performs_the_part_that_hangs_on_the_title() {
    let mut asm = Assembler::new();
    let (done, title) = (asm.word(FactShape::Mark), asm.role());
    let part = vec![
        Op::Performs { title, who: r(0) },
        Op::Called { to: r(1) },
        Op::Equal {
            to: r(1),
            a: r(1),
            b: r(2),
        },
    ];
    let part = [
        vec![small(2, 1)],
        part,
        vec![
            Op::Mark {
                fact: done,
                set: r(1),
            },
            Op::Return,
        ],
    ]
    .concat();
    let proc = asm.proc(ProcRole::Part(title), part);
    asm.rules.parts.push(Part {
        title,
        purpose: 1,
        proc,
    });
    let call = |purpose| {
        vec![
            small(0, 0b110),
            small(1, 1),
            Op::Call { title: r(1), purpose },
            Op::Perform { base: r(0) },
        ]
    };
    let game = asm
        .play(3, &[], [call(0), call(1), vec![Op::Return]].concat())
        .expect_fact(done, 1);
    assert!(seen(&game, Viewer::Host).contains(&&What::Performed {
        title: GroupId(0),
        who: 0b110
    }));
}

#[test]
fn scenes_are_counted_and_told() {
    let mut asm = Assembler::new();
    let scene = asm.scene(0, |scene| {
        vec![Op::Began { scene }, Op::Ended { scene }, Op::Return]
    });
    let twice = vec![asm.enter(scene, 0), asm.enter(scene, 0), Op::Return];
    let game = asm.play(3, &[], twice);
    let began = |nth| What::SceneBegan {
        scene: SceneId(0),
        nth,
    };
    let told = seen(&game, Viewer::Host);
    assert_eq!((told[0], told[2], told.len()), (&began(1), &began(2), 5));
    // A scene may be one that only a few live through: the table learns of it by what is said.
    assert_eq!(seen(&game, Viewer::Public).len(), 1);
}
