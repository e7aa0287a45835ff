//! A small assembler: tables and code for one test. Jumps, `again` and `exit` count from the first
//! instruction of their procedure.

use omerta_core::rules::{
    AskId, AskKind, AskSite, Draw, DrawId, DrawKind, Event, EventId, Fact, FactId, FactShape, Group, GroupId,
    GroupKind, Op, Origin, PlannedCast, Proc, ProcId, ProcRole, Reg, Role, Ruleset, Scene, SceneId, SeenBy,
    Slot, Thunk, Zone, ZoneId,
};
use omerta_core::source::{SourceId, Span};
use omerta_engine::{Choice, Game, Log, NoHooks, Pending};
use std::sync::Arc;

/// Rules under construction.
pub struct Assembler {
    pub rules: Ruleset,
}

pub fn nowhere() -> Origin {
    Span::new(SourceId(0), 0, 0)
}

pub fn r(number: u16) -> Reg {
    Reg(number)
}

/// The seats with these numbers, from 0.
pub fn seats(numbers: &[u8]) -> u64 {
    numbers.iter().fold(0, |set, seat| set | 1 << seat)
}

pub fn small(to: u16, value: i16) -> Op {
    Op::Small { to: r(to), value }
}

pub fn mark(fact: FactId, set: u16) -> Op {
    Op::Mark { fact, set: r(set) }
}

pub fn ask(site: AskId, base: u16) -> Op {
    Op::Ask { site, base: r(base) }
}

impl Assembler {
    pub fn new() -> Self {
        Assembler {
            rules: Ruleset {
                seats: (1, 64),
                purposes: vec![String::new()],
                ..Ruleset::default()
            },
        }
    }

    /// A fact of one word. All of them come before the first row.
    pub fn word(&mut self, shape: FactShape) -> FactId {
        assert_eq!(self.rules.rows, 0, "words come before rows");
        self.rules.scalars += 1;
        self.fact(shape, self.rules.scalars - 1)
    }

    /// A fact of one word a seat.
    pub fn row(&mut self, shape: FactShape) -> FactId {
        let slot = self.row_slot();
        self.fact(shape, slot.0)
    }

    pub fn row_slot(&mut self) -> Slot {
        self.rules.rows += 1;
        Slot(self.rules.scalars + self.rules.rows - 1)
    }

    pub fn fact(&mut self, shape: FactShape, slot: u16) -> FactId {
        let name = format!("fact {}", self.rules.facts.len());
        let fact = Fact {
            title: name.clone(),
            name,
            shape,
            slot: Slot(slot),
            start: 0,
            origin: nowhere(),
            hidden: false,
            words: Vec::new(),
            text: false,
            seen_by: SeenBy::Nobody,
        };
        self.rules.facts.push(fact);
        FactId(self.rules.facts.len() as u16 - 1)
    }

    pub fn slot(&self, fact: FactId) -> Slot {
        self.rules.facts[fact.index()].slot
    }

    pub fn ask(&mut self, kind: AskKind) -> AskId {
        let site = AskSite {
            name: "question".into(),
            kind,
            host: false,
            pass: omerta_core::rules::Pass::Never,
            openly: false,
            unseen: false,
            text: None,
            again: 0,
            pick: (0, 1),
            limit: None,
            late: None,
            origin: nowhere(),
        };
        self.rules.asks.push(site);
        AskId(self.rules.asks.len() as u16 - 1)
    }

    /// A question to the host that only waits.
    pub fn wait(&mut self) -> AskId {
        let id = self.ask(AskKind::Wait);
        self.rules.asks[id.index()].host = true;
        id
    }

    pub fn draw(&mut self, kind: DrawKind) -> DrawId {
        let draw = Draw {
            name: "draw".into(),
            kind,
            shuffle: None,
            openly: false,
            origin: nowhere(),
        };
        self.rules.draws.push(draw);
        DrawId(self.rules.draws.len() as u16 - 1)
    }

    pub fn group(&mut self, kind: GroupKind) -> GroupId {
        let name = format!("group {}", self.rules.groups.len());
        self.rules.groups.push(Group {
            title: name.clone(),
            name,
            several: None,
            kind,
            origin: nowhere(),
        });
        GroupId(self.rules.groups.len() as u16 - 1)
    }

    pub fn role(&mut self) -> GroupId {
        let id = self.group(GroupKind::Role);
        self.rules.roles.push(Role {
            groups: vec![id],
            ..Role::default()
        });
        self.rules.titles += 1;
        id
    }

    pub fn team_of(&mut self, roles: &[GroupId]) -> GroupId {
        let id = self.group(GroupKind::Team);
        self.rules.titles += 1;
        for role in roles {
            self.rules.roles[role.index()].team = Some(id);
            self.rules.roles[role.index()].groups.push(id);
        }
        id
    }

    pub fn zone(&mut self, of_each: bool, seen_by: SeenBy) -> ZoneId {
        let name = format!("zone {}", self.rules.zones.len());
        self.rules.zones.push(Zone {
            title: name.clone(),
            name,
            of_each,
            seen_by,
            backs: SeenBy::Nobody,
            origin: nowhere(),
        });
        ZoneId(self.rules.zones.len() as u8 - 1)
    }

    pub fn proc(&mut self, role: ProcRole, code: Vec<Op>) -> ProcId {
        let entry = self.rules.code.len() as u32;
        self.add_code(code);
        let proc = Proc {
            role,
            entry,
            exit: entry,
            registers: 16,
            clears: Vec::new(),
        };
        self.rules.procs.push(proc);
        ProcId(self.rules.procs.len() as u16 - 1)
    }

    pub fn thunk(&mut self, result: u16, mut code: Vec<Op>) -> Thunk {
        let at = self.rules.code.len() as u32;
        code.push(Op::Done);
        self.add_code(code);
        Thunk {
            at,
            result: r(result),
            registers: 16,
        }
    }

    fn add_code(&mut self, code: Vec<Op>) {
        let entry = self.rules.code.len() as u32;
        for mut op in code {
            match &mut op {
                Op::Jump { at } | Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => *at += entry,
                Op::Ask { site, .. } => self.rules.asks[site.index()].again += entry,
                _ => {}
            }
            self.rules.code.push(op);
            self.rules.origins.push(nowhere());
        }
    }

    /// A scene; `exit` counts from its first instruction. The word that counts it comes first.
    pub fn scene(&mut self, exit: u32, code: impl FnOnce(SceneId) -> Vec<Op>) -> SceneId {
        let times = self.word(FactShape::Count);
        let scene = SceneId(self.rules.scenes.len() as u16);
        let proc = self.proc(ProcRole::Scene(scene), code(scene));
        self.rules.procs[proc.index()].exit += exit;
        let times = self.slot(times);
        self.rules.scenes.push(Scene {
            name: "scene".into(),
            title: "scene".into(),
            proc,
            times,
            hung: false,
            handed: 0,
            origin: nowhere(),
        });
        scene
    }

    pub fn enter(&self, scene: SceneId, base: u16) -> Op {
        Op::Enter {
            proc: self.rules.scenes[scene.index()].proc,
            base: r(base),
        }
    }

    /// An event that happens to somebody by somebody.
    pub fn event(&mut self, body: Vec<Op>) -> EventId {
        let id = EventId(self.rules.events.len() as u16);
        let body = self.proc(ProcRole::Event(id), body);
        self.rules.events.push(Event {
            name: "event".into(),
            of: true,
            by: true,
            with: Vec::new(),
            before: None,
            decide: None,
            instead: Vec::new(),
            body,
            after: None,
            origin: nowhere(),
        });
        id
    }

    pub fn event_mut(&mut self, event: EventId) -> &mut Event {
        &mut self.rules.events[event.index()]
    }

    /// `fact = fact * 10 + digit`, with registers 14 and 15: what ran, in order.
    pub fn trace(&self, fact: FactId, digit: i16) -> Vec<Op> {
        let slot = self.slot(fact);
        vec![
            Op::Load { to: r(14), slot },
            small(15, 10),
            Op::Times {
                to: r(14),
                a: r(14),
                b: r(15),
            },
            small(15, digit),
            Op::Plus {
                to: r(14),
                a: r(14),
                b: r(15),
            },
            Op::Set { fact, value: r(14) },
            Op::Return,
        ]
    }

    /// A game of these rules whose script is this code.
    #[track_caller]
    pub fn play(mut self, seats: u8, cast: &[GroupId], script: Vec<Op>) -> Played {
        self.rules.start = self.proc(ProcRole::Script, script);
        let (rules, mut log) = (Arc::new(self.rules), Log::default());
        let cast = PlannedCast { cards: cast.to_vec() };
        let game =
            Game::start(rules.clone(), Arc::new(NoHooks), seats, &cast, &mut log).expect("the table fits");
        Played {
            rules,
            cast,
            seats,
            game,
            log,
            answers: Vec::new(),
        }
    }
}

/// A game with its log and its answers.
pub struct Played {
    pub rules: Arc<Ruleset>,
    pub cast: PlannedCast,
    pub seats: u8,
    pub game: Game,
    pub log: Log,
    pub answers: Vec<Choice>,
}

impl Played {
    #[track_caller]
    pub fn answer(mut self, choice: Choice) -> Self {
        self.game
            .apply(choice, &mut self.log)
            .expect("the answer is legal");
        self.answers.push(choice);
        self
    }

    #[track_caller]
    pub fn expect_fact(self, fact: FactId, word: u64) -> Self {
        assert_eq!(self.game.look().fact(fact), word);
        self
    }

    #[track_caller]
    pub fn expect_over(self) -> Self {
        assert!(
            matches!(self.game.pending(), Pending::Over(_)),
            "{:?}",
            self.game.pending()
        );
        self
    }

    /// The domain of the question that waits.
    #[track_caller]
    pub fn domain(&self) -> omerta_engine::Domain {
        match self.game.pending() {
            Pending::Ask(asked) => asked.domain,
            Pending::Chance(drawn) => drawn.domain,
            other => panic!("nothing can be answered: {other:?}"),
        }
    }
}
