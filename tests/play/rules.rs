//! A small game for the tests of this folder, and a compiler that knows just enough for it.

use crate::engine::assembler::{Assembler, ask, mark, nowhere, r, small};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{
        AskKind, Branch, DrawKind, Ending, EndingId, FactId, FactShape, GroupId, GroupKind, Kind, Offer,
        OfferId, OfferTarget, Op, Phrase, PhrasePiece, PlannedCast, ProcRole, Program, Role, Ruleset, SayId,
        SayKind, SaySite, SeenBy, Shuffle, Slot, VerdictKind, WordId,
    },
};
use omerta_engine::NoHooks;
use omerta_play::{
    scenario::{RulesSource, RulesWithScripts},
    session::{Session, Table},
};
use omerta_syntax::tree::{CompareOp, Expr, ExprKind, Name};
use std::sync::Arc;

pub const DOCTOR: GroupId = GroupId(0);
pub const MAFIOSO: GroupId = GroupId(1);
pub const CIVILIAN: GroupId = GroupId(2);

fn slot(value: omerta_core::rules::Thunk, kind: Kind) -> PhrasePiece {
    PhrasePiece::Slot {
        value,
        kind,
        words: Vec::new(),
    }
}

fn text(words: &str) -> PhrasePiece {
    PhrasePiece::Words(words.into())
}

/// Deal; twice: Night (the doctor treats, the mafioso shoots, a die is thrown), Dawn (who was hit is
/// told, it is said, a menu for the host); then the mafioso has won.
pub fn rules() -> Ruleset {
    let mut asm = Assembler::new();
    asm.rules.name = "toy".into();
    for (name, title) in [
        ("Doctor", "the doctor"),
        ("Mafioso", "the mafioso"),
        ("Civilian", "a civilian"),
    ] {
        let id = asm.role();
        asm.rules.groups[id.index()].name = name.into();
        asm.rules.groups[id.index()].title = title.into();
    }
    let deck = asm.zone(false, SeenBy::Nobody);
    let hand = asm.zone(true, SeenBy::Owner);
    asm.rules.role_zone = Some(hand);
    let treated = named(&mut asm, "treated", FactShape::MarkOne);
    let shot = named(&mut asm, "shot", FactShape::MarkOne);
    let fouled = named(&mut asm, "fouled", FactShape::Mark);

    let treat = question(&mut asm, "patient", AskKind::Seats);
    asm.rules.asks[treat.index()].pass = omerta_core::rules::Pass::Always;
    let words = Phrase {
        pieces: vec![text("Whom do you treat?")],
    };
    asm.rules.asks[treat.index()].text = Some(words);
    let shoot = question(&mut asm, "victim", AskKind::Seats);
    // Where each question works its operands out, counted from the beginning of the scene.
    (
        asm.rules.asks[treat.index()].again,
        asm.rules.asks[shoot.index()].again,
    ) = (1, 5);
    let branch = |name: &str, pick| Branch {
        name: name.into(),
        title: None,
        pick,
        unseen: false,
    };
    let menu = question(
        &mut asm,
        "verdict",
        AskKind::Menu(vec![
            branch("accuse", Some(Kind::Players)),
            branch("thanks", None),
        ]),
    );
    let die = asm.draw(DrawKind::Numbers);
    asm.rules.draws[die.index()].name = "die".into();
    let dealing = asm.draw(DrawKind::Cards);
    asm.rules.draws[dealing.index()].shuffle = Some(Shuffle::Deal(deck));

    let shot_slot = asm.slot(shot);
    let hit = asm.thunk(
        14,
        vec![Op::Load {
            to: r(14),
            slot: shot_slot,
        }],
    );
    let all_told = Phrase {
        pieces: vec![PhrasePiece::Choice {
            value: hit,
            kind: Kind::Players,
            none: vec![text("Nobody was hit.")],
            one: vec![slot(hit, Kind::Players), text(" was hit.")],
            many: vec![text("Many were hit.")],
        }],
    };
    let you_told = Phrase {
        pieces: vec![text("You were hit.")],
    };
    asm.rules.words = vec!["bulletin".into()];
    asm.rules.says = vec![
        SaySite {
            kind: SayKind::Say,
            word: Some(WordId(0)),
            question: None,
            phrase: all_told,
            origin: nowhere(),
        },
        SaySite {
            kind: SayKind::Tell,
            word: None,
            question: None,
            phrase: you_told,
            origin: nowhere(),
        },
    ];

    let night = asm.scene(0, |scene| {
        vec![
            Op::Began { scene },
            Op::Group {
                to: r(0),
                group: DOCTOR,
            },
            Op::Players { to: r(1) },
            ask(treat, 0),
            mark(treated, 3),
            Op::Group {
                to: r(0),
                group: MAFIOSO,
            },
            Op::Players { to: r(1) },
            Op::Without {
                to: r(1),
                a: r(1),
                b: r(0),
            },
            ask(shoot, 0),
            mark(shot, 3),
            small(0, 1),
            small(1, 6),
            Op::Draw {
                site: die,
                base: r(0),
            },
            Op::Load {
                to: r(4),
                slot: Slot(0),
            },
            Op::Unmark {
                fact: shot,
                set: r(4),
            },
            Op::Ended { scene },
            Op::Return,
        ]
    });
    asm.rules.scenes[night.index()].name = "Night".into();
    let dawn = asm.scene(0, |scene| {
        vec![
            Op::Began { scene },
            Op::Load {
                to: r(4),
                slot: shot_slot,
            },
            Op::Say {
                site: SayId(1),
                who: r(4),
            },
            Op::Say {
                site: SayId(0),
                who: r(4),
            },
            Op::Group {
                to: r(0),
                group: CIVILIAN,
            },
            small(5, 1),
            Op::Players { to: r(6) },
            small(7, 1),
            ask(menu, 0),
            Op::Ended { scene },
            Op::Return,
        ]
    });
    asm.rules.scenes[dawn.index()].name = "Dawn".into();

    let all = asm.thunk(14, vec![Op::Players { to: r(14) }]);
    let body = asm.proc(ProcRole::Offer(OfferId(0)), vec![mark(fouled, 1), Op::Return]);
    asm.rules.offers.push(Offer {
        name: "foul".into(),
        title: None,
        who: None,
        target: Some(OfferTarget {
            kind: Kind::Players,
            among: all,
        }),
        during: vec![night],
        when: None,
        alike: false,
        body,
        origin: nowhere(),
    });
    asm.rules.endings.push(Ending {
        name: "mafia-wins".into(),
        title: Some("The city sleeps.".into()),
        verdict: VerdictKind::Win,
        team: None,
        placed: false,
        origin: nowhere(),
    });

    let mut script = vec![Op::PutCast {
        zone: deck,
        seat: r(0),
    }];
    for seat in [1, 2, 4] {
        script.extend([
            Op::CardsIn {
                to: r(0),
                zone: deck,
                of: r(9),
            },
            small(1, seat),
            Op::Draw {
                site: dealing,
                base: r(0),
            },
            Op::Move {
                cards: r(2),
                zone: hand,
                seat: r(1),
                under: false,
            },
        ]);
    }
    script.extend([
        asm.enter(night, 8),
        asm.enter(dawn, 8),
        asm.enter(night, 8),
        asm.enter(dawn, 8),
    ]);
    script.extend([
        Op::Group {
            to: r(0),
            group: MAFIOSO,
        },
        Op::Win { set: r(0) },
        Op::End { ending: EndingId(0) },
    ]);
    asm.rules.start = asm.proc(ProcRole::Script, script);
    asm.rules
}

fn named(asm: &mut Assembler, name: &str, shape: FactShape) -> FactId {
    let id = asm.word(shape);
    asm.rules.facts[id.index()].name = name.into();
    asm.rules.facts[id.index()].title = name.into();
    id
}

fn question(asm: &mut Assembler, name: &str, kind: AskKind) -> omerta_core::rules::AskId {
    let id = asm.ask(kind);
    asm.rules.asks[id.index()].name = name.into();
    id
}

/// A role that may be put into casts; for tests of casts alone.
pub fn add_role(rules: &mut Ruleset, name: &str, change: impl FnOnce(&mut Role)) -> GroupId {
    let id = GroupId(rules.roles.len() as u16);
    let mut role = Role {
        groups: vec![id],
        ..Role::default()
    };
    change(&mut role);
    rules.roles.push(role);
    let group = omerta_core::rules::Group {
        name: name.into(),
        title: name.into(),
        several: None,
        kind: GroupKind::Role,
        origin: nowhere(),
    };
    rules.groups.insert(id.index(), group);
    id
}

pub fn table() -> Table {
    Table {
        rules: Arc::new(rules()),
        hooks: Arc::new(NoHooks),
        names: ["Ann", "Bob", "Cid"].map(String::from).to_vec(),
        cast: PlannedCast {
            cards: vec![DOCTOR, MAFIOSO, CIVILIAN],
        },
        seed: Some(7),
    }
}

#[track_caller]
pub fn session() -> Session {
    Session::start(table()).expect("the table fits")
}

/// Compiles seat names, marks, roles, and `is` between them.
pub struct Toy;

impl RulesSource for Toy {
    fn rules(
        &self,
        base: &Name,
        _: &[Name],
        _: &[(Name, Name)],
    ) -> Result<RulesWithScripts, Vec<Diagnostic>> {
        assert_eq!(base.text, "toy");
        Ok(RulesWithScripts {
            rules: Arc::new(rules()),
            hooks: Arc::new(NoHooks),
        })
    }

    fn compile(
        &self,
        rules: &Ruleset,
        expr: &Expr,
        params: &[(String, Kind)],
    ) -> Result<Program, Diagnostic> {
        let mut toy = Compiler {
            rules,
            seats: params,
            code: Vec::new(),
            next: 64,
        };
        let (result, kind) = toy.expr(expr)?;
        toy.code.push(Op::Done);
        Ok(Program {
            code: toy.code,
            constants: Vec::new(),
            result: r(result),
            registers: toy.next,
            kind: Some(kind),
            words: Vec::new(),
            texts: Vec::new(),
        })
    }
}

struct Compiler<'a> {
    rules: &'a Ruleset,
    seats: &'a [(String, Kind)],
    code: Vec<Op>,
    next: u16,
}

impl Compiler<'_> {
    fn fresh(&mut self) -> u16 {
        self.next += 1;
        self.next - 1
    }

    fn expr(&mut self, expr: &Expr) -> Result<(u16, Kind), Diagnostic> {
        match &*expr.kind {
            ExprKind::Query(query) => self.name(&query.name),
            ExprKind::Group(inner) => self.expr(inner),
            ExprKind::Compare(left, CompareOp::Is, _, right) => {
                let ((a, _), (b, _)) = (self.expr(left)?, self.expr(right)?);
                let to = self.fresh();
                self.code.push(Op::Within {
                    to: r(to),
                    a: r(a),
                    b: r(b),
                });
                Ok((to, Kind::Truth))
            }
            other => panic!("the toy does not know {other:?}"),
        }
    }

    fn name(&mut self, name: &Name) -> Result<(u16, Kind), Diagnostic> {
        if let Some(seat) = self.seats.iter().position(|(seat, _)| *seat == name.text) {
            return Ok((seat as u16, Kind::Players));
        }
        let to = self.fresh();
        let op = match self.rules.facts.iter().find(|fact| fact.name == name.text) {
            Some(fact) => Op::Load {
                to: r(to),
                slot: fact.slot,
            },
            None => match self.rules.group_named(&name.text) {
                Some(group) => Op::Group { to: r(to), group },
                None => {
                    return Err(Diagnostic::error(
                        "M0200",
                        format!("no `{}`", name.text),
                        name.span,
                        "unknown",
                    ));
                }
            },
        };
        self.code.push(op);
        Ok((to, Kind::Players))
    }
}
