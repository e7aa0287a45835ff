//! Who runs whom: the procedures that an instruction may run, and what may be running around it.

use omerta_core::rules::does::{Does, in_thunk, loads_of, reads_of};
use omerta_core::rules::{
    AnsweredBy, AskId, EventId, GroupId, GroupKind, Matter, Op, ProcId, ProcRole, Reg, Ruleset, SceneId,
    Slot, Thunk,
};
use omerta_engine::{Game, Thing};
use std::collections::BTreeSet;

/// What else than the rules may be run and read while a game waits.
#[derive(Clone, Debug, Default)]
pub struct Company {
    /// Whether players take up offers, and whether the host does.
    pub offers: (bool, bool),
    /// The policies by number that players follow.
    pub policies: Vec<usize>,
    /// Whether it matters what is heard: then what is read for words alone is read.
    pub hears: bool,
}

/// How the instructions of some rules hang together.
pub struct Calls<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// What each instruction reads and writes.
    pub does: Vec<Does>,
    /// The procedure that each instruction stands in; none for one that no game comes to, and for code that only
    /// works a value out.
    pub owner: Vec<Option<ProcId>>,
    /// Where each may go on, within its procedure.
    pub next: Vec<Vec<usize>>,
    /// The procedures that each may run.
    pub ran: Vec<Vec<ProcId>>,
    /// The words of facts that are read at each besides what it reads itself.
    pub loads: Vec<Vec<Slot>>,
    /// The registers that are read at each for what is heard, and for nothing else.
    pub heard: Vec<Vec<Reg>>,
    /// The titles of which there is one card in the game at the most, for good: at more than one seat it lies never.
    pub lone: u64,
    bodies: Vec<Vec<usize>>,
    company: Company,
    /// The scenes that may be running while a procedure is: where no offer is being dealt with, and within the
    /// offer where one is; nothing where it never runs so.
    around: Vec<[Option<BTreeSet<SceneId>>; 2]>,
    /// The scenes that are left from further in.
    left: BTreeSet<SceneId>,
}

impl<'a> Calls<'a> {
    /// Of some rules in some company.
    pub fn of(rules: &'a Ruleset, company: Company) -> Calls<'a> {
        let mut calls = Calls {
            rules,
            does: rules.code.iter().map(|op| Does::of(rules, op)).collect(),
            owner: vec![None; rules.code.len()],
            next: vec![Vec::new(); rules.code.len()],
            ran: vec![Vec::new(); rules.code.len()],
            loads: vec![Vec::new(); rules.code.len()],
            heard: vec![Vec::new(); rules.code.len()],
            lone: 0,
            bodies: vec![Vec::new(); rules.procs.len()],
            company,
            around: vec![[None, None]; rules.procs.len()],
            left: BTreeSet::new(),
        };
        // Which scenes may be running decides which offers stand open, which decides what is reached.
        loop {
            let before = (calls.around.clone(), calls.left.clone());
            calls.reach();
            if (&calls.around, &calls.left) == (&before.0, &before.1) {
                break;
            }
        }
        for at in 0..rules.code.len() {
            if let Some(owner) = calls.owner[at] {
                calls.bodies[owner.index()].push(at);
                calls.next[at] = calls.onward(at, owner);
                calls.ran[at] = calls.runs(at);
                calls.loads[at] = calls.loads_at(at);
                calls.heard[at] = calls.heard_at(at);
            }
        }
        calls
    }

    /// The same where the cards are known.
    pub fn of_game(game: &'a Game, company: Company) -> Calls<'a> {
        let rules = game.rules();
        let mut calls = Calls::of(rules, company);
        let turns = |op: &Op| matches!(op, Op::Turn { .. } | Op::TurnInto { .. });
        if rules.code.iter().any(turns) {
            return calls;
        }
        let look = game.look();
        let is_of = |thing: &Thing, group: GroupId| {
            let role = rules.roles.get(thing.group.index());
            thing.group == group || role.is_some_and(|role| role.groups.contains(&group))
        };
        for group in 0..rules.groups.len().min(64) as u16 {
            let shown = rules.groups[usize::from(group)].kind == GroupKind::Face;
            let cards = look.things().iter().filter(|thing| is_of(thing, GroupId(group)));
            calls.lone |= u64::from(!shown && cards.count() <= 1) << group;
        }
        calls
    }

    /// Whether a script is asked anywhere that a game may come to.
    pub fn ask_scripts(&self) -> bool {
        let code = &self.rules.code;
        let asks = |at: usize| matches!(code[at], Op::Hook { .. });
        let owned = (0..code.len()).filter(|at| self.owner[*at].is_some());
        let within = |at: usize| {
            let thunks = self.thunks_at(at).into_iter();
            thunks.flat_map(|thunk| in_thunk(self.rules, thunk)).any(asks)
        };
        { owned }.any(|at| asks(at) || within(at))
    }

    fn reach(&mut self) {
        self.around[self.rules.start.index()][0].get_or_insert_default();
        let mut left: Vec<(usize, ProcId)> = vec![(self.entry(self.rules.start), self.rules.start)];
        let mut seen = BTreeSet::new();
        while let Some((at, owner)) = left.pop() {
            if !seen.insert(at) {
                continue;
            }
            self.owner[at] = Some(owner);
            left.extend(self.onward(at, owner).into_iter().map(|to| (to, owner)));
            if let Op::Leave { scene } = self.rules.code[at]
                && self.rules.scenes[scene.index()].proc != owner
            {
                self.left.insert(scene);
            }
            let around = self.around_in(owner);
            for proc in self.runs(at) {
                let own = &mut self.around[proc.index()];
                if matches!(self.rules.code[at], Op::Ask { .. }) {
                    own[1].get_or_insert_default();
                } else {
                    for (own, around) in own.iter_mut().zip(&around) {
                        if let Some(around) = around {
                            own.get_or_insert_default().extend(around.iter().copied());
                        }
                    }
                }
                left.push((self.entry(proc), proc));
            }
        }
    }

    /// The scenes that may be running where a procedure is, its own among them.
    fn around_in(&self, proc: ProcId) -> [Option<BTreeSet<SceneId>>; 2] {
        let mut around = self.around[proc.index()].clone();
        if let ProcRole::Scene(scene) = self.rules.procs[proc.index()].role {
            around.iter_mut().flatten().for_each(|around| {
                around.insert(scene);
            });
        }
        around
    }

    /// The first instruction of a procedure.
    pub fn entry(&self, proc: ProcId) -> usize {
        self.rules.procs[proc.index()].entry as usize
    }

    /// Where a procedure may go on behind an instruction, within itself.
    fn onward(&self, at: usize, owner: ProcId) -> Vec<usize> {
        let exit = self.rules.procs[owner.index()].exit as usize;
        let own = |scene: SceneId| self.rules.scenes[scene.index()].proc == owner;
        let mut next = match self.rules.code[at] {
            Op::Jump { at } => vec![at as usize],
            Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => vec![at + 1, to as usize],
            Op::Return | Op::End { .. } | Op::Done => Vec::new(),
            Op::Leave { scene } if own(scene) => vec![exit],
            // Where the scene is not running, it goes on.
            _ => vec![at + 1],
        };
        let role = self.rules.procs[owner.index()].role;
        if matches!(role, ProcRole::Scene(scene) if self.left.contains(&scene)) && self.may_run(at) {
            next.push(exit);
        }
        if let Op::Ask { site, .. } = self.rules.code[at]
            && !self.offers_at(at).is_empty()
        {
            next.push(self.rules.ask(site).again as usize);
        }
        next
    }

    fn may_run(&self, at: usize) -> bool {
        let op = &self.rules.code[at];
        matches!(
            op,
            Op::Enter { .. } | Op::Perform { .. } | Op::Do { .. } | Op::Settle { .. } | Op::Ask { .. }
        )
    }

    /// The procedures that an instruction may run.
    fn runs(&self, at: usize) -> Vec<ProcId> {
        match &self.rules.code[at] {
            Op::Enter { proc, .. } => vec![*proc],
            Op::Perform { .. } => self.rules.parts.iter().map(|part| part.proc).collect(),
            Op::Do { event, .. } => self.procs_of(*event),
            Op::Settle { list } => {
                let events = self.rules.lists[usize::from(*list)].iter();
                events.flat_map(|event| self.procs_of(*event)).collect()
            }
            Op::Ask { .. } => {
                let offers = self.offers_at(at).into_iter();
                offers.map(|offer| self.rules.offers[offer].body).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The procedures of an event, each phase's together.
    pub fn phases(&self, event: EventId) -> [Vec<ProcId>; 3] {
        let event = &self.rules.events[event.index()];
        let instead = event.instead.iter().map(|rule| rule.proc);
        [
            event.before.into_iter().collect(),
            [event.body].into_iter().chain(instead).collect(),
            event.after.into_iter().collect(),
        ]
    }

    fn procs_of(&self, event: EventId) -> Vec<ProcId> {
        self.phases(event).concat()
    }

    /// The offers that may stand open at a question, by number.
    pub fn offers_at(&self, at: usize) -> Vec<usize> {
        let Some(owner) = self.owner[at] else {
            return Vec::new();
        };
        let around = self.around_in(owner);
        let offers = self.rules.offers.iter().enumerate();
        let open = offers.filter(|(_, offer)| {
            let taken = match offer.who {
                Some(_) => self.company.offers.0,
                None => self.company.offers.1,
            };
            let [free, within] = &around;
            let runs = |around: &BTreeSet<SceneId>| offer.during.iter().any(|scene| around.contains(scene));
            let free = free
                .as_ref()
                .is_some_and(|free| offer.during.is_empty() || runs(free));
            taken && (free || within.as_ref().is_some_and(runs))
        });
        open.map(|(number, _)| number).collect()
    }

    /// The thunks that are worked out at an instruction besides it, with what they find in their registers.
    pub fn thunks_at(&self, at: usize) -> Vec<Thunk> {
        match &self.rules.code[at] {
            Op::Do { event, .. } => self.rules.events[event.index()].decide.into_iter().collect(),
            Op::Settle { list } => {
                let events = self.rules.lists[usize::from(*list)].iter();
                { events }
                    .filter_map(|event| self.rules.events[event.index()].decide)
                    .collect()
            }
            Op::Ask { site, .. } => {
                let mut all = self.thunks_of_answers(at, *site);
                all.extend(self.thunks_of_words(at));
                all
            }
            _ => self.thunks_of_words(at),
        }
    }

    /// What is worked out for words that somebody hears.
    fn thunks_of_words(&self, at: usize) -> Vec<Thunk> {
        let phrase = match &self.rules.code[at] {
            _ if !self.company.hears => None,
            Op::Say { site, .. } => Some(&self.rules.says[site.index()].phrase),
            Op::Ask { site, .. } => self.rules.ask(*site).text.as_ref(),
            _ => None,
        };
        let mut all = Vec::new();
        phrase
            .into_iter()
            .for_each(|phrase| phrase.each_value(&mut |value| all.push(value)));
        all
    }

    /// The registers that words read, and those that say who hears them.
    fn heard_at(&self, at: usize) -> Vec<Reg> {
        let thunks = self.thunks_of_words(at).into_iter();
        let mut all: Vec<Reg> = thunks.flat_map(|thunk| reads_of(self.rules, thunk)).collect();
        match self.rules.code[at] {
            Op::Say { who, .. } | Op::Performs { who, .. } if self.company.hears => all.push(who),
            _ => {}
        }
        all
    }

    fn thunks_of_answers(&self, at: usize, site: AskId) -> Vec<Thunk> {
        let offers = self.offers_at(at);
        let mut all = Vec::new();
        for offer in offers.iter().map(|offer| &self.rules.offers[*offer]) {
            all.extend(offer.who.into_iter().chain(offer.when));
            all.extend(offer.target.map(|target| target.among));
        }
        let meant = |matter: &Matter| match matter {
            Matter::Question(ask) | Matter::Branch(ask, _) => *ask == site,
            Matter::Offer(offer) => offers.contains(&offer.index()),
        };
        let policies = self
            .company
            .policies
            .iter()
            .map(|policy| &self.rules.policies[*policy]);
        for line in policies.flat_map(|policy| &policy.lines) {
            if line.matters.iter().any(meant) {
                all.extend(line.when.into_iter().chain(line.wishes.iter().flatten().copied()));
                if let AnsweredBy::Seats(by) = line.by {
                    all.push(by);
                }
            }
        }
        all
    }

    fn loads_at(&self, at: usize) -> Vec<Slot> {
        let thunks = self.thunks_at(at).into_iter();
        thunks.flat_map(|thunk| loads_of(self.rules, thunk)).collect()
    }

    /// The procedure and all it may run in turn.
    pub fn closure(&self, procs: &[ProcId]) -> BTreeSet<ProcId> {
        let (mut seen, mut left) = (BTreeSet::new(), procs.to_vec());
        while let Some(proc) = left.pop() {
            if seen.insert(proc) {
                left.extend(
                    self.of_proc(proc)
                        .iter()
                        .flat_map(|at| self.ran[*at].iter().copied()),
                );
            }
        }
        seen
    }

    /// The instructions of a procedure that can be reached.
    pub fn of_proc(&self, proc: ProcId) -> &[usize] {
        &self.bodies[proc.index()]
    }
}

/// The innermost loop around an instruction: its first instruction, and the jump back.
pub fn loop_around(calls: &Calls<'_>, at: usize) -> Option<(usize, usize)> {
    let owner = calls.owner[at]?;
    let back = calls.of_proc(owner).iter().copied().filter(|back| *back > at);
    let jump = |back: usize| match calls.rules.code[back] {
        Op::Jump { at: head } if head as usize <= at => Some((head as usize, back)),
        _ => None,
    };
    back.filter_map(jump).next()
}
