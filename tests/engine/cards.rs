//! Cards and tokens: piles, groups, dealing, and who sees what.

use super::assembler::{Assembler, Played, mark, r, seats, small};
use omerta_core::rules::{DrawKind, FactShape, GroupId, GroupKind, Op, SeenBy, Shuffle, Token, ZoneId};
use omerta_engine::{Choice, Viewer, What};

/// Two roles in one team, a third alone; a deck nobody sees and hands only their owners see.
struct Table {
    asm: Assembler,
    roles: [GroupId; 3],
    team: GroupId,
    deck: ZoneId,
    hand: ZoneId,
}

fn table() -> Table {
    let mut asm = Assembler::new();
    let roles = [asm.role(), asm.role(), asm.role()];
    let team = asm.team_of(&roles[..2]);
    let (deck, hand) = (asm.zone(false, SeenBy::Nobody), asm.zone(true, SeenBy::Owner));
    asm.rules.role_zone = Some(hand);
    Table {
        asm,
        roles,
        team,
        deck,
        hand,
    }
}

/// Gives the top card of the deck to each seat in turn.
fn hand_out(table: &Table, count: u8) -> Vec<Op> {
    let mut code = vec![Op::PutCast {
        zone: table.deck,
        seat: r(0),
    }];
    for seat in 0..count {
        code.push(small(0, 1 << seat));
        code.push(small(3, 1));
        code.push(Op::TopOf {
            to: r(1),
            zone: table.deck,
            of: r(0),
            count: r(3),
        });
        code.push(Op::Move {
            cards: r(1),
            zone: table.hand,
            seat: r(0),
            under: false,
        });
    }
    code
}

fn play_with(table: Table, more: Vec<Op>) -> Played {
    let (cast, code) = (table.roles, hand_out(&table, 3));
    table.asm.play(3, &cast, [code, more, vec![Op::Return]].concat())
}

#[test]
fn the_top_of_the_deck_goes_to_the_first() {
    let table = table();
    let (roles, team) = (table.roles, table.team);
    let game = play_with(table, Vec::new());
    let look = game.game.look();
    assert_eq!(roles.map(|role| look.group(role)), [0b100, 0b010, 0b001]);
    assert_eq!((look.group(team), look.teams_of(0b011)), (0b110, 1 << team.0));
    assert_eq!(look.roles_of(0b101), 1 << roles[0].0 | 1 << roles[2].0);
    assert_eq!(look.copies(1 << team.0), 2);
}

#[test]
fn swapped_hands_swap_groups() {
    let table = table();
    let (roles, hand) = (table.roles, table.hand);
    let swap = vec![
        small(0, 0b1),
        small(1, 0b100),
        Op::Swap {
            a: hand,
            b: hand,
            base: r(0),
        },
    ];
    let game = play_with(table, swap);
    assert_eq!(
        roles.map(|role| game.game.look().group(role)),
        [0b001, 0b010, 0b100]
    );
}

#[test]
fn a_second_card_keeps_a_seat_in_the_team() {
    let table = table();
    let (roles, team, hand, deck) = (table.roles, table.team, table.hand, table.deck);
    let gather = vec![
        Op::CardsOf {
            to: r(1),
            group: team,
        },
        small(0, 1),
        Op::Move {
            cards: r(1),
            zone: hand,
            seat: r(0),
            under: false,
        },
    ];
    let give_back = vec![
        Op::CardsOf {
            to: r(1),
            group: roles[0],
        },
        Op::Move {
            cards: r(1),
            zone: deck,
            seat: r(0),
            under: false,
        },
    ];
    let game = play_with(table, [gather, give_back].concat());
    assert_eq!(
        (game.game.look().group(team), game.game.look().group(roles[0])),
        (0b001, 0)
    );
}

#[test]
fn a_turned_card_changes_its_groups_and_not_what_was_cast() {
    let table = table();
    let (roles, team) = (table.roles, table.team);
    let game = play_with(
        table,
        vec![
            small(0, 0b1),
            Op::Turn {
                set: r(0),
                role: roles[0],
            },
        ],
    );
    let look = game.game.look();
    assert_eq!(
        (
            look.group(team),
            look.group(roles[2]),
            look.copies(1 << roles[0].0)
        ),
        (0b111, 0, 1)
    );
}

#[test]
fn moved_cards_keep_their_order() {
    let mut table = table();
    let aside = table.asm.zone(false, SeenBy::Nobody);
    let all = vec![
        Op::PutCast {
            zone: table.deck,
            seat: r(0),
        },
        small(3, 2),
        Op::TopOf {
            to: r(1),
            zone: table.deck,
            of: r(0),
            count: r(3),
        },
    ];
    let one = vec![
        Op::CardsIn {
            to: r(2),
            zone: table.deck,
            of: r(0),
        },
        Op::Without {
            to: r(2),
            a: r(2),
            b: r(1),
        },
    ];
    let on = |cards, under| Op::Move {
        cards: r(cards),
        zone: aside,
        seat: r(0),
        under,
    };
    let cast = table.roles;
    let under = table.asm.play(
        3,
        &cast,
        [all, one, vec![on(2, false), on(1, true), Op::Return]].concat(),
    );
    assert_eq!(under.game.look().pile(aside, None), [1, 2, 0]);
}

#[test]
fn only_those_who_see_a_pile_learn_what_moves() {
    let table = table();
    let hand = table.hand;
    let pass_on = vec![
        small(0, 1),
        Op::RoleCards { to: r(1), of: r(0) },
        small(0, 2),
        Op::Move {
            cards: r(1),
            zone: hand,
            seat: r(0),
            under: false,
        },
    ];
    let log = play_with(table, pass_on).log;
    let seen = |viewer| {
        log.view(viewer)
            .filter(|(_, event)| matches!(event.what, What::Moved { .. }))
            .count()
    };
    assert_eq!(seen(Viewer::Host), 5);
    assert_eq!([0, 1, 2].map(|seat| seen(Viewer::Seat(seat))), [2, 2, 1]);
    assert_eq!(seen(Viewer::Public), 0);
}

#[test]
fn cards_from_two_hands_are_told_apart() {
    let mut table = table();
    let (hand, aside) = (table.hand, table.asm.zone(false, SeenBy::Nobody));
    let gather = vec![
        small(0, 0b11),
        Op::CardsIn {
            to: r(1),
            zone: hand,
            of: r(0),
        },
        Op::Move {
            cards: r(1),
            zone: aside,
            seat: r(0),
            under: false,
        },
    ];
    let log = play_with(table, gather).log;
    let of_seat = |seat| {
        log.view(Viewer::Seat(seat))
            .filter_map(|(_, event)| match &event.what {
                What::Moved { cards, .. } => Some(cards.iter().map(|card| card.0).collect::<Vec<_>>()),
                _ => None,
            })
    };
    assert_eq!(of_seat(0).collect::<Vec<_>>(), [[2], [2]]);
    assert_eq!(of_seat(1).collect::<Vec<_>>(), [[1], [1]]);
}

#[test]
fn a_deal_says_to_whom_the_card_goes() {
    let mut table = table();
    let site = table.asm.draw(DrawKind::Cards);
    table.asm.rules.draws[site.index()].shuffle = Some(Shuffle::Deal(table.deck));
    let put = vec![
        Op::PutCast {
            zone: table.deck,
            seat: r(0),
        },
        Op::CardsIn {
            to: r(0),
            zone: table.deck,
            of: r(1),
        },
        small(1, 0b10),
    ];
    let deal = vec![
        Op::Draw { site, base: r(0) },
        Op::Move {
            cards: r(2),
            zone: table.hand,
            seat: r(1),
            under: false,
        },
        Op::Return,
    ];
    let (roles, hand) = (table.roles, table.hand);
    let game = table.asm.play(3, &roles, [put, deal].concat());
    let omerta_engine::Pending::Chance(drawn) = game.game.pending() else {
        panic!("nothing is dealt")
    };
    assert_eq!(drawn.seat, Some(1));
    assert_eq!(game.answer(Choice::Card(0)).game.look().pile(hand, Some(1)), [0]);
}

#[test]
fn a_token_puts_its_seat_into_its_groups() {
    let mut table = table();
    let faces = [table.asm.group(GroupKind::Face), table.asm.group(GroupKind::Face)];
    let group = table.asm.group(GroupKind::Token);
    table.asm.rules.tokens.push(Token {
        group,
        copies: 1,
        faces: vec![faces[0]],
    });
    let (front, lies) = (
        table.asm.zone(true, SeenBy::Everybody),
        table.asm.word(FactShape::Mark),
    );
    let put = vec![
        small(0, 0b100),
        Op::Put {
            group,
            zone: front,
            seat: r(0),
        },
        Op::Group { to: r(1), group },
        mark(lies, 1),
    ];
    let flip = vec![
        Op::CardsOf {
            to: r(1),
            group: faces[0],
        },
        Op::Flip {
            cards: r(1),
            face: faces[1],
        },
    ];
    let game = play_with(table, [put, flip].concat()).expect_fact(lies, seats(&[2]));
    assert_eq!(faces.map(|face| game.game.look().group(face)), [0, seats(&[2])]);
    assert!(
        game.log
            .view(Viewer::Public)
            .any(|(_, event)| matches!(event.what, What::Flipped { .. }))
    );
}
