//! Writes the steps of calls that are taken without a frame ([`crate::rules::Quick`]).
//!
//! A procedure that can neither pause nor go wrong leaves nothing behind but what it did, so its steps may
//! as well stand in the caller's: the same registers, counted from another place. What it does on some
//! ways only (the game ends, several players are meant, a rule takes an event's place) leads back to the
//! call, which is then made as all calls are; up to there it must have changed nothing that lasts. Where a
//! procedure comes to what needs a frame, it is given one there and goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::known::{Deck, word};
use crate::lean::{Registers, bit, result};
use crate::quicken::{event_at, onward, settled_at, step};
use crate::shorter::Steps;
use omerta_core::rules::{
    Access, Act, EventId, GroupId, Low, MOST_REGISTERS, MOST_WITHOUT_FRAME, NO_CALL, Op, Part, ProcId,
    ProcRole, Quick, Reg, Ruleset, Slot,
};

/// How many places of the program are looked at for one call. What is longer is seldom taken whole.
const MOST_PLACES: usize = 192;
/// A procedure with more registers is not gone into.
const MOST_GONE_IN: u16 = 128;
/// How many registers an event is handed: of whom, by whom, with what.
pub(super) const OPERANDS: u16 = 3;
/// As how many calls a frame counts that carries an event out: when it is put, and when nothing more is to be done.
pub(super) const DRIVEN: u8 = 2;

/// Adds the steps of all calls that can be taken without a frame, and leads the calls there.
pub(super) fn unfold(
    (rules, deck): (&Ruleset, Option<&Deck>),
    wanted: &[Registers],
    mut steps: Vec<Quick>,
) -> Vec<Quick> {
    let registers = rules.procs.iter().map(|proc| proc.registers);
    let above = registers.max().unwrap_or(0).max(OPERANDS);
    let landings = landings(rules);
    for call in 0..rules.code.len() {
        let (event, settled) = (event_at(rules, call), settled_at(rules, call));
        let enters = matches!(steps[call].act, Act::Enter { .. });
        let is_told = matches!(steps[call].act, Act::Told { .. });
        if is_told || !enters && event.is_none() && settled.is_none() {
            continue;
        }
        let known = handed(rules, call, &landings);
        let naming = Naming::of(rules, wanted, (call, &known));
        let (start, end) = naming.map_or((call, call), |naming| (naming.start, call + 1));
        let outside = wanted[start..=end + 1].iter().fold(0, |set, more| set | more);
        let mut unfolding = Unfolding {
            rules,
            deck,
            wanted,
            call,
            again: match steps[call].act {
                Act::Enter { .. } => steps[call],
                _ => Quick::new(Act::Call, call as u32, 0),
            },
            naming,
            steps: Steps::new(steps.len() as u32, outside),
            places: BTreeMap::new(),
            looked: 0,
            bodies: 0,
            back: None,
            goes_in: false,
            returns: false,
            in_scene: is_in_scene(rules, call),
        };
        let after = onward(&rules.code, end + 1);
        let frame = Rc::new(Body {
            number: 0,
            depth: 0,
            base: 0,
            top: above,
            kind: Kind::Frame,
        });
        let way = Way {
            known,
            ..Way::default()
        };
        let entry = match (event, settled, steps[call].act) {
            (Some(event), _, _) => unfolding.happen(&frame, event, after, way),
            (_, Some(event), _) => unfolding.settle(&frame, event, after, way),
            (_, _, Act::Enter { proc, base, .. }) => unfolding.enter(&frame, (proc, base), after, way),
            _ => None,
        };
        let Some(entry) = entry.filter(|_| unfolding.returns) else {
            continue;
        };
        if unfolding.is_sound(entry, above) {
            steps[start] = unfolding.steps[entry];
            steps.extend(unfolding.steps.into_all());
        }
    }
    steps
}

/// Where the program goes on from elsewhere.
fn landings(rules: &Ruleset) -> BTreeSet<u32> {
    let jumped = rules.code.iter().filter_map(|op| match *op {
        Op::Jump { at } | Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => Some(at),
        _ => None,
    });
    jumped.chain(rules.asks.iter().map(|ask| ask.again)).collect()
}

/// What is known of the register in which a call is handed its argument: the constant written there just before.
fn handed(rules: &Ruleset, call: usize, landings: &BTreeSet<u32>) -> Known {
    let Op::Enter { base, .. } = rules.code[call] else {
        return Known::default();
    };
    let names = |at: usize| matches!(rules.code.get(at), Some(Op::Call { title, .. }) if *title == base);
    let at = call
        .checked_sub(1)
        .map_or(call, |before| if names(before) { before } else { call });
    let word = at.checked_sub(1).and_then(|at| match rules.code[at] {
        Op::Small { to, value } if to == base => Some(i64::from(value) as u64),
        Op::Const { to, index } if to == base => Some(rules.constants[usize::from(index)]),
        _ => None,
    });
    let straight = { at..=call }.all(|at| !landings.contains(&(at as u32)));
    { word }
        .filter(|_| straight)
        .map(|word| (base.0, word))
        .into_iter()
        .collect()
}

/// A call of a title that is known, as it is named before and no more behind: where it is made without a frame, nobody
/// can ask for its name.
#[derive(Clone, Copy)]
struct Naming {
    /// The instruction that hands it the title.
    start: usize,
    title: Low,
    word: u64,
    purpose: u16,
}

impl Naming {
    fn of(rules: &Ruleset, wanted: &[Registers], (call, known): (usize, &Known)) -> Option<Naming> {
        let start = call.checked_sub(2)?;
        let [
            _,
            Op::Call { title, purpose },
            Op::Enter { .. },
            Op::Call { purpose: NO_CALL, .. },
            ..,
        ] = rules.code[start..]
        else {
            return None;
        };
        let word = *known.get(&title.0)?;
        let title = Low::of(title).filter(|_| wanted[call + 2] & bit(title) == 0)?;
        Some(Naming {
            start,
            title,
            word,
            purpose,
        })
    }
}

/// Whether an instruction stands in the body of a scene: then no other scene that begins there is the outermost.
fn is_in_scene(rules: &Ruleset, at: usize) -> bool {
    let around = rules.procs.iter().filter(|proc| proc.entry as usize <= at);
    let nearest = around.max_by_key(|proc| proc.entry);
    nearest.is_some_and(|proc| matches!(proc.role, ProcRole::Scene(_)))
}

/// Registers of which it is known what they would hold. It is written there only where something reads it.
type Known = BTreeMap<u16, u64>;

/// Code that is on its way, with its registers in the frame of the caller.
pub(super) struct Body {
    /// No other has this number.
    pub(super) number: u32,
    pub(super) depth: usize,
    /// Its first register.
    pub(super) base: u16,
    /// One above its last.
    pub(super) top: u16,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// The caller's own: it goes on at its next step.
    Frame,
    /// A procedure, which goes back into other code at an instruction.
    Proc {
        proc: ProcId,
        caller: Rc<Body>,
        at: u32,
        /// What comes behind it of an event that it is part of.
        then: Option<Then>,
    },
    /// What says in a register which rule takes the place of an event.
    Decision {
        result: Reg,
        event: EventId,
        caller: Rc<Body>,
        at: u32,
    },
}

/// What comes behind a part of an event, which leaves its operands as they are.
#[derive(Clone, Copy)]
pub(super) enum Then {
    /// It is decided which rule takes its place.
    Decide(EventId),
    /// The rules behind it come in.
    Behind(EventId),
}

/// What was done on the way to a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Way {
    /// Something that lasts was written.
    pub(super) wrote: bool,
    /// So many calls were made.
    pub(super) calls: u8,
    /// The word that counts a scene which has begun. It is counted at the end: up to there the call may be made after
    /// all.
    pub(super) begun: Option<Slot>,
    /// The step that goes on from where it was last known how to, other than by the call. Nothing that lasts was written
    /// since.
    pub(super) resume: Option<u32>,
    pub(super) known: Known,
}

impl Way {
    fn wrote(self) -> Way {
        Way { wrote: true, ..self }
    }

    /// The same where a register is known to hold a word, or no longer known.
    fn with(&self, reg: u16, word: Option<u64>) -> Way {
        let mut way = self.clone();
        match word {
            Some(word) => way.known.insert(reg, word),
            None => way.known.remove(&reg),
        };
        way
    }

    /// The same in code whose registers above one begin empty.
    pub(super) fn below(mut self, top: u16) -> Way {
        self.known.retain(|reg, _| *reg < top);
        self
    }

    /// The same with a frame that carries an event out.
    pub(super) fn driven(self) -> Way {
        let calls = self.calls.saturating_add(DRIVEN);
        Way { calls, ..self }
    }

    pub(super) fn called(self) -> Way {
        // No more places than these are looked at for one call.
        const { assert!(MOST_PLACES < 256) };
        let calls = self.calls.saturating_add(1);
        Way { calls, ..self }
    }
}

/// What an instruction comes to without being carried out as it stands.
enum Settled {
    /// Nothing: the code goes on elsewhere.
    On(u32, Way),
    /// An act, in the frame of the caller.
    By(Act, Way),
}

/// A call that is being unfolded.
pub(super) struct Unfolding<'a> {
    pub(super) rules: &'a Ruleset,
    /// The cards of the games it is for, where they are known.
    deck: Option<&'a Deck>,
    /// Which registers are still read before each instruction.
    pub(super) wanted: &'a [Registers],
    /// The instruction that makes it.
    pub(super) call: usize,
    /// The step that makes the call after all.
    again: Quick,
    /// What is left out around it as long as it needs no frame.
    naming: Option<Naming>,
    pub(super) steps: Steps,
    /// The step at which an instruction of a body begins, by the way there.
    places: BTreeMap<(u32, u32, Way), u32>,
    looked: usize,
    pub(super) bodies: u32,
    /// The step back to the call.
    back: Option<u32>,
    /// Whether it goes on in a frame somewhere, or back to the call where there is no room for one.
    goes_in: bool,
    /// Whether it ever comes to its end without that.
    returns: bool,
    /// Whether the call stands in a scene.
    in_scene: bool,
}

impl Unfolding<'_> {
    /// The step at which a body goes on from an instruction. None where it cannot be done without a frame.
    pub(super) fn at(&mut self, body: &Rc<Body>, at: u32, way: Way) -> Option<u32> {
        let place = (body.number, at, way.clone());
        if let Some(&known) = self.places.get(&place) {
            return Some(known);
        }
        self.looked += 1;
        if self.looked > MOST_PLACES {
            return None;
        }
        let found = self.step_of(body, at, way)?;
        self.places.insert(place, found);
        Some(found)
    }

    fn step_of(&mut self, body: &Rc<Body>, at: u32, way: Way) -> Option<u32> {
        let Quick { act, next, other } = step(self.rules, at as usize);
        let counts = self.rules.code.get(at as usize).and_then(Op::fact_read);
        match (act, &body.kind) {
            // What was not counted yet is looked at.
            _ if counts.is_some() && counts == way.begun => self.lead_back(&way),
            (_, Kind::Frame) => {
                self.returns = true;
                let end = self.push(Act::Called { calls: way.calls }, at, 0)?;
                match way.begun {
                    Some(slot) => self.push(Act::Count { slot }, end, 0),
                    None => Some(end),
                }
            }
            (Act::Return, Kind::Proc { caller, at, then, .. }) => match *then {
                None => self.at(caller, *at, way),
                Some(Then::Decide(event)) => self.decide(caller, event, (body.base, *at), way),
                Some(Then::Behind(event)) => self.behind(body, (caller, *at), event, way),
            },
            (Act::Plain, &Kind::Decision { result, .. }) if self.is_done(at) => {
                let test = body.low(result.0)?;
                let (none, some) = (self.decided(body, 0, way.clone())?, self.lead_back(&way)?);
                self.push(Act::Unless { test }, none, some)
            }
            (Act::Small { to, value }, &Kind::Decision { result, .. })
                if Reg::from(to) == result && self.is_done(next) =>
            {
                self.decided(body, value, way)
            }
            (Act::Enter { proc, base, .. }, _) => {
                let after = onward(&self.rules.code, at as usize + 1);
                self.enter(body, (proc, base), after, way)
            }
            (Act::Happen { event, base, .. }, _) => self.happen(body, (event, base), next, way),
            (Act::Plain | Act::Told { .. }, _) if let Some(event) = event_at(self.rules, at as usize) => {
                let after = onward(&self.rules.code, at as usize + 1);
                let happens = self.happen(body, event, after, way.clone());
                happens.or_else(|| self.leave(body, at, &way))
            }
            (Act::IfNotRunning { proc, .. }, _) if body.is_within(proc) => self.lead_back(&way),
            (Act::Began { slot, .. }, _) if self.in_scene && way.begun.is_none() => self.at(
                body,
                next,
                Way {
                    begun: Some(slot),
                    ..way
                },
            ),
            _ => match self.settled(body, at, &way) {
                Some(Settled::On(next, way)) => self.at(body, next, way),
                Some(Settled::By(act, way)) => {
                    let next = onward(&self.rules.code, at as usize + 1);
                    self.go_on(body, act, (next, 0), way)
                }
                None => match body.take_in(act)? {
                    None => self.leave(body, at, &way),
                    Some(act) => self.go_on(body, act, (next, other), way),
                },
            },
        }
    }

    /// An act in the caller's frame, and what comes after.
    fn go_on(&mut self, body: &Rc<Body>, mut act: Act, (next, other): (u32, u32), way: Way) -> Option<u32> {
        let mut after = way.clone();
        act.each_register(|reg, access| {
            if access == Access::Written {
                after.known.remove(&u16::from(reg.0));
            }
        });
        let writes_first = act.writes_the_board() && !way.wrote;
        if writes_first {
            after = after.wrote();
        }
        let next = match self.at(body, next, after.clone()) {
            None if writes_first => return self.lead_back(&way),
            next => next?,
        };
        let other = if act.tests() {
            self.at(body, other, after)?
        } else {
            0
        };
        self.push_reading(act, (next, other), &way)
    }

    /// An act, and before it what is known of the registers that it reads.
    pub(super) fn push_reading(&mut self, mut act: Act, (next, other): (u32, u32), way: &Way) -> Option<u32> {
        let mut wanted = BTreeMap::new();
        act.each_register(|reg, access| {
            let reg = u16::from(reg.0);
            if access == Access::Read {
                wanted.extend(way.known.get(&reg).map(|word| (reg, *word)));
            }
        });
        let first = self.push(act, next, other)?;
        wanted
            .into_iter()
            .try_fold(first, |next, (reg, word)| self.put_known(reg, word, next))
    }

    /// Writes what is known of a register into it.
    fn put_known(&mut self, reg: u16, word: u64, next: u32) -> Option<u32> {
        let to = Low::of(Reg(reg))?;
        let act = match i16::try_from(word as i64) {
            Ok(value) => Act::Small { to, value },
            Err(_) => {
                let index = self.rules.constants.iter().position(|known| *known == word)?;
                Act::Const {
                    to,
                    index: u16::try_from(index).ok()?,
                }
            }
        };
        self.push(act, next, 0)
    }

    /// What an instruction comes to where what it reads is known.
    fn settled(&self, body: &Body, at: u32, way: &Way) -> Option<Settled> {
        let op = self.rules.code[at as usize];
        let known = |reg: Reg| way.known.get(&(body.base + reg.0)).copied();
        let on = |to: Reg, word: u64| {
            let next = onward(&self.rules.code, at as usize + 1);
            body.to(to)
                .map(|to| Settled::On(next, way.with(u16::from(to.0), Some(word))))
        };
        let jump = |jumps: bool, to: u32| {
            let next = if jumps { to as usize } else { at as usize + 1 };
            (to > at).then(|| Settled::On(onward(&self.rules.code, next), way.clone()))
        };
        let title = |titles: Reg| {
            let titles = known(titles).filter(|titles| titles.is_power_of_two())?;
            Some(GroupId(titles.trailing_zeros() as u16))
        };
        let by = |to: Reg, act: &dyn Fn(Low) -> Act| {
            let to = body.to(to)?;
            Some(Settled::By(act(to), way.clone()))
        };
        if let Some(word) = word((self.rules, self.deck), &op, &known) {
            return on(result(&op)?, word);
        }
        match op {
            Op::JumpIf { test, at: to } => jump(known(test)? != 0, to),
            Op::JumpUnless { test, at: to } => jump(known(test)? == 0, to),
            Op::Holders { to, titles } => {
                let group = title(titles)?;
                by(to, &|to| Act::Group { to, group })
            }
            Op::Copies { to, titles } => {
                let group = title(titles)?;
                by(to, &|to| Act::Copies { to, group })
            }
            _ => None,
        }
    }

    fn is_done(&self, at: u32) -> bool {
        self.rules.code[at as usize] == Op::Done
    }

    /// A procedure that is entered; its registers begin at one of the caller's.
    fn enter(&mut self, caller: &Rc<Body>, (proc, base): (ProcId, Reg), at: u32, way: Way) -> Option<u32> {
        // What the event's other parts find in its registers stays.
        if base.0 < caller.kept() {
            return None;
        }
        let way = way.below(caller.top);
        let entry = self.rules.procs[proc.index()].entry;
        let (depth, base) = (caller.depth + 1, caller.base + base.0);
        let caller = caller.clone();
        let kind = Kind::Proc {
            proc,
            caller,
            at,
            then: None,
        };
        let body = self.body(kind, depth, base)?;
        self.at(&body, entry, way.called())
    }

    /// Code that is gone into, with its first register.
    pub(super) fn body(&mut self, kind: Kind, depth: usize, base: u16) -> Option<Rc<Body>> {
        let registers = match &kind {
            Kind::Proc { proc, .. } => self.rules.procs[proc.index()].registers,
            Kind::Frame | Kind::Decision { .. } => 0,
        };
        if depth > MOST_WITHOUT_FRAME {
            return None;
        }
        self.bodies += 1;
        Some(Rc::new(Body {
            number: self.bodies,
            depth,
            base,
            top: room(base, registers)?,
            kind,
        }))
    }

    pub(super) fn push(&mut self, act: Act, next: u32, other: u32) -> Option<u32> {
        Some(self.steps.push(Quick { act, next, other }))
    }

    /// Out of these steps: into a frame for what is called, or back.
    fn leave(&mut self, body: &Body, at: u32, way: &Way) -> Option<u32> {
        match self.go_in(body, at, way) {
            None => self.lead_back(way),
            inside => inside,
        }
    }

    /// Back to the call, or to where the rules behind an event came in, as long as nothing that lasts was done since.
    pub(super) fn lead_back(&mut self, way: &Way) -> Option<u32> {
        if way.wrote || way.resume.is_some() {
            return way.resume.filter(|_| !way.wrote);
        }
        if self.back.is_none() {
            let Quick { act, next, other } = self.again;
            let again = self.push(act, next, other)?;
            self.back = self.named(again);
        }
        self.back
    }

    /// What was left out to name the call, where a frame is needed after all.
    fn named(&mut self, next: u32) -> Option<u32> {
        let Some(naming) = self.naming else {
            return Some(next);
        };
        let next = self.name(naming, next);
        self.put_known(naming.title.0.into(), naming.word, next)
    }

    fn name(&mut self, Naming { title, purpose, .. }: Naming, next: u32) -> u32 {
        let act = Act::Name { title, purpose };
        let other = 0;
        self.steps
            .put_reading(Quick { act, next, other }, bit(title.into()))
    }

    /// The called procedure gets its frame, with all that is in its registers already, and goes on from an instruction.
    fn go_in(&mut self, body: &Body, at: u32, way: &Way) -> Option<u32> {
        let (Kind::Proc { proc, .. }, Act::Enter { base, registers, .. }) = (&body.kind, self.again.act)
        else {
            return None;
        };
        let (proc, found) = (*proc, self.wanted[self.rules.procs[proc.index()].entry as usize]);
        // What the procedure would find empty it may not find full.
        let top = self.caller_registers().checked_sub(base.0)?;
        let finds_all = (found >> top.min(127)) == 0 && registers <= MOST_GONE_IN;
        // What the call is handed must lie there still.
        let keeps = |naming: Naming| way.known.get(&naming.title.0.into()) == Some(&naming.word);
        let lasts = way.wrote || way.resume.is_some();
        if lasts || body.depth != 1 || !finds_all || !self.naming.is_none_or(keeps) {
            return None;
        }
        let mut next = self.part_entered(body, at, way)?;
        if let Some(slot) = way.begun {
            next = self.push(Act::Count { slot }, next, 0)?;
        }
        // Its own is counted where it gets its frame.
        if let Some(calls @ 1..) = way.calls.checked_sub(1) {
            next = self.push(Act::Called { calls }, next, 0)?;
        }
        let (call, act) = (
            self.call as u32,
            Act::GoIn {
                proc,
                base,
                registers,
            },
        );
        let found = self.wanted[at as usize];
        let found_here = found.checked_shl(u32::from(body.base)).unwrap_or(0);
        let first = self.steps.put_reading(Quick::new(act, next, call), found_here);
        self.goes_in = true;
        let wants = |reg: &u16| {
            let own = reg.checked_sub(body.base).map_or(0, |own| bit(Reg(own)));
            own & found != 0
        };
        let known: Vec<(u16, u64)> = { way.known.iter() }
            .filter(|(reg, _)| wants(reg))
            .map(|(reg, word)| (*reg, *word))
            .collect();
        // Where the title is filled in anyway, it is named behind that.
        let is_filled = |naming: Naming| known.iter().any(|(reg, _)| *reg == naming.title.0.into());
        let named = self.naming.filter(|naming| is_filled(*naming));
        let first = named.map_or(first, |naming| self.name(naming, first));
        let filled = known
            .into_iter()
            .try_fold(first, |next, (reg, word)| self.put_known(reg, word, next))?;
        match named {
            Some(_) => Some(filled),
            None => self.named(filled),
        }
    }

    /// Where the called procedure goes on in its frame from an instruction: in the part that it runs, where the title is
    /// known.
    fn part_entered(&mut self, body: &Body, at: u32, way: &Way) -> Option<u32> {
        let Op::Perform { base } = self.rules.code[at as usize] else {
            return Some(at);
        };
        let title = way.known.get(&(body.base + base.0 + 1)).copied();
        let purpose = self.naming.map(|naming| naming.purpose);
        let hangs = |part: &&Part| title == Some(1 << part.title.index()) && purpose == Some(part.purpose);
        let Some(Part { proc, .. }) = self.rules.parts.iter().find(hangs) else {
            return Some(at);
        };
        let part = &self.rules.procs[proc.index()];
        let act = Act::Enter {
            proc: *proc,
            base,
            registers: part.registers,
        };
        self.push(act, onward(&self.rules.code, part.entry as usize), at)
    }

    /// How many registers the procedure has that makes the call.
    fn caller_registers(&self) -> u16 {
        let around = self
            .rules
            .procs
            .iter()
            .filter(|proc| proc.entry as usize <= self.call);
        around
            .max_by_key(|proc| proc.entry)
            .map_or(0, |proc| proc.registers)
    }

    /// Whether the steps read nothing that they would have found empty in a frame of their own, and leave
    /// as it was what the call reads when it is made after all.
    fn is_sound(&self, first: u32, above: u16) -> bool {
        let mut written = BTreeSet::new();
        let mut found = BTreeSet::new();
        // What is written on all ways to a step. Each step leads to those before it.
        let mut before = BTreeMap::from([(first, BTreeSet::new())]);
        while let Some((number, mut sure)) = before.pop_last() {
            let Some(&Quick { mut act, next, other }) = self.steps.get(number) else {
                continue;
            };
            act.each_register(|reg, access| match access {
                Access::Read if !sure.contains(&u16::from(reg.0)) => {
                    found.insert(u16::from(reg.0));
                }
                Access::Read => {}
                Access::Written => {
                    written.insert(u16::from(reg.0));
                    sure.insert(u16::from(reg.0));
                }
            });
            if let Act::TakePlan { base, .. } = act {
                sure.extend((0..OPERANDS).map(|place| u16::from(base.0) + place));
            }
            let other = act.tests().then_some(other);
            for to in [Some(next), other].into_iter().flatten() {
                before
                    .entry(to)
                    .and_modify(|known| known.retain(|reg| sure.contains(reg)))
                    .or_insert_with(|| sure.clone());
            }
        }
        let empty = found.iter().any(|&reg| reg >= above);
        let spoilt = (self.back.is_some() || self.goes_in) && !found.is_disjoint(&written);
        !empty && !spoilt
    }
}

impl Body {
    /// An act with its registers in the caller's frame; inner `None` where it needs a frame, outer where its
    /// registers do not fit.
    fn take_in(&self, mut act: Act) -> Option<Option<Act>> {
        let mut fits = true;
        let without_frame = act.each_register(|reg, access| {
            let kept = access == Access::Written && u16::from(reg.0) < self.kept();
            match self.low(u16::from(reg.0)) {
                Some(moved) if !kept => *reg = moved,
                _ => fits = false,
            }
        });
        fits.then_some(without_frame.then_some(act))
    }

    /// So many of its first registers stay as they are: the operands of an event, for its body and the rules behind it.
    fn kept(&self) -> u16 {
        match self.kind {
            Kind::Decision { .. } | Kind::Proc { then: Some(_), .. } => OPERANDS,
            Kind::Frame | Kind::Proc { .. } => 0,
        }
    }

    /// One of its registers that may be written, in the caller's frame.
    fn to(&self, reg: Reg) -> Option<Low> {
        self.low(reg.0).filter(|_| reg.0 >= self.kept())
    }

    /// One of its registers, in the caller's frame.
    fn low(&self, number: u16) -> Option<Low> {
        Low::of(Reg(self.base + number)).filter(|low| u16::from(low.0) < self.top)
    }

    /// Whether a procedure is on its way in it.
    fn is_within(&self, wanted: ProcId) -> bool {
        match &self.kind {
            Kind::Frame => false,
            Kind::Proc { proc, caller, .. } => *proc == wanted || caller.is_within(wanted),
            Kind::Decision { caller, .. } => caller.is_within(wanted),
        }
    }
}

/// Where registers end that begin at one; none where there are too many.
pub(super) fn room(base: u16, registers: u16) -> Option<u16> {
    let top = base.checked_add(registers.max(OPERANDS))?;
    (top <= MOST_REGISTERS).then_some(top)
}
