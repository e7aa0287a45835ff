//! What the words in registers mean before each instruction: a set of seats or of cards, or neither; and
//! whether a set can hold more than one.
//!
//! Goes forward through the program, procedures by way of those who run them, until nothing changes.

use crate::calls::Calls;
use omerta_core::rules::does::{Does, PAD, in_thunk};
use omerta_core::rules::{
    AskFrame, AskKind, DrawFrame, DrawKind, FactShape, GroupId, Kind, Op, ProcId, ProcRole, Reg, Ruleset,
    Slot,
};

/// What a word means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Word {
    /// Nothing was written: it is 0, which any other word may be.
    #[default]
    Nothing,
    /// A number, a truth, some titles.
    Plain,
    /// A number that is known.
    Number(i16),
    /// How many there are in a register.
    Size(Reg),
    /// Whether there is just one in a register.
    IsOne(Reg),
    /// All seats.
    Everybody,
    /// Seats; one at the most, or more.
    Seats { one: bool },
    /// Cards; one at the most, or more.
    Cards { one: bool },
    /// Now this, now that.
    Mixed,
}

impl Word {
    /// A word that is one of two.
    pub fn or(self, other: Word) -> Word {
        match (self, other) {
            (a, b) if a == b => a,
            (Word::Nothing, other) | (other, Word::Nothing) => other,
            (Word::Seats { one: a }, Word::Seats { one: b }) => Word::Seats { one: a && b },
            (Word::Cards { one: a }, Word::Cards { one: b }) => Word::Cards { one: a && b },
            (Word::Everybody, Word::Number(0) | Word::Seats { .. })
            | (Word::Number(0) | Word::Seats { .. }, Word::Everybody) => Word::Seats { one: false },
            (Word::Number(0), set @ (Word::Seats { .. } | Word::Cards { .. }))
            | (set @ (Word::Seats { .. } | Word::Cards { .. }), Word::Number(0)) => set,
            (a, b) if a.is_plain() && b.is_plain() => Word::Plain,
            _ => Word::Mixed,
        }
    }

    fn is_plain(self) -> bool {
        matches!(
            self,
            Word::Plain | Word::Number(_) | Word::Size(_) | Word::IsOne(_)
        )
    }

    /// Whether it holds one at the most.
    pub fn is_one(self) -> bool {
        matches!(
            self,
            Word::Nothing | Word::Number(0) | Word::Seats { one: true } | Word::Cards { one: true }
        )
    }

    fn with_one(self, one: bool) -> Word {
        match self {
            Word::Seats { .. } | Word::Everybody => Word::Seats { one },
            Word::Cards { .. } => Word::Cards { one },
            other => other,
        }
    }
}

/// What a word of that kind means.
pub fn word(kind: Kind, one: bool) -> Word {
    match kind {
        Kind::Players => Word::Seats { one },
        Kind::Cards => Word::Cards { one },
        Kind::Titles | Kind::Number | Kind::Truth | Kind::Word | Kind::Text => Word::Plain,
    }
}

/// What a word of a fact means, by its slot.
pub fn of_slot(rules: &Ruleset, slot: Slot) -> Word {
    let fact = rules.facts.iter().find(|fact| fact.slot == slot);
    fact.map_or(Word::Plain, |fact| match fact.shape {
        FactShape::Mark | FactShape::MarkInOrder { .. } => Word::Seats { one: false },
        FactShape::MarkOne => Word::Seats { one: true },
        FactShape::Link { one, to } => word(to, one),
        FactShape::Flag | FactShape::Count | FactShape::CountOfEach => Word::Plain,
    })
}

type Words = Vec<Word>;

/// What the words in registers mean before each instruction.
pub struct Kinds<'a> {
    calls: &'a Calls<'a>,
    before: Vec<Option<Words>>,
    left: Vec<usize>,
}

impl<'a> Kinds<'a> {
    /// Of some rules.
    pub fn of(calls: &'a Calls<'a>) -> Kinds<'a> {
        let rules = calls.rules;
        let mut kinds = Kinds {
            calls,
            before: vec![None; rules.code.len()],
            left: Vec::new(),
        };
        kinds.arrive_at_proc(rules.start, &[]);
        while let Some(at) = kinds.left.pop() {
            kinds.step(at);
        }
        kinds
    }

    /// What a register means before an instruction.
    pub fn before(&self, at: usize, reg: Reg) -> Word {
        let words = self.before[at].as_deref().unwrap_or_default();
        words.get(reg.index()).copied().unwrap_or_default()
    }

    /// Whether cards are ever taken in the order of their numbers, or linked to: then they are not put in order.
    pub fn order_cards(&self) -> bool {
        let rules = self.calls.rules;
        let linked = rules
            .facts
            .iter()
            .any(|fact| fact.shape.links_to() == Some(Kind::Cards));
        let taken = rules.code.iter().enumerate().any(|(at, op)| match *op {
            Op::Pop { set: of, .. }
            | Op::PopFrom { set: of, .. }
            | Op::First { of, .. }
            | Op::Last { of, .. } => {
                matches!(self.before(at, of), Word::Cards { one: false } | Word::Mixed)
            }
            _ => false,
        });
        let within = |op: usize| {
            matches!(
                rules.code[op],
                Op::Pop { .. } | Op::PopFrom { .. } | Op::First { .. } | Op::Last { .. }
            )
        };
        let owned = (0..rules.code.len()).filter(|at| self.calls.owner[*at].is_some());
        let thunks = owned.flat_map(|at| self.calls.thunks_at(at));
        let in_values = thunks.flat_map(|thunk| in_thunk(rules, thunk)).any(within);
        linked || taken || in_values
    }

    fn arrive_at_proc(&mut self, proc: ProcId, arguments: &[Word]) {
        let size = usize::from(self.calls.rules.procs[proc.index()].registers);
        let mut words = vec![Word::Nothing; size.max(arguments.len())];
        words[..arguments.len()].copy_from_slice(arguments);
        self.arrive(self.calls.entry(proc), &words);
    }

    fn arrive(&mut self, at: usize, words: &[Word]) {
        let Some(known) = &mut self.before[at] else {
            self.before[at] = Some(words.to_vec());
            self.left.push(at);
            return;
        };
        let mut changed = false;
        for (mine, theirs) in known.iter_mut().zip(words) {
            let joined = mine.or(*theirs);
            changed |= joined != *mine;
            *mine = joined;
        }
        if changed {
            self.left.push(at);
        }
    }

    fn step(&mut self, at: usize) {
        let Some(mut words) = self.before[at].clone() else {
            return;
        };
        let op = self.calls.rules.code[at];
        self.run(at, &op, &words);
        let refined = match op {
            Op::JumpUnless { test, .. } => match words.get(test.index()) {
                Some(Word::IsOne(reg)) => Some(*reg),
                _ => None,
            },
            _ => None,
        };
        transfer((self.calls.rules, self.calls.lone), &op, &mut words);
        for to in self.calls.next[at].clone() {
            let mut words = words.clone();
            if let (Some(reg), true) = (refined, to == at + 1) {
                let word = &mut words[reg.index()];
                *word = word.with_one(true);
            }
            self.arrive(to, &words);
        }
    }

    /// What the procedures find that an instruction runs.
    fn run(&mut self, at: usize, op: &Op, words: &[Word]) {
        let rules = self.calls.rules;
        let found = |base: Reg, proc: ProcId| -> Words {
            let size = usize::from(rules.procs[proc.index()].registers);
            let from = words.get(base.index()..).unwrap_or_default();
            from[..from.len().min(size)]
                .iter()
                .map(|word| settled(*word))
                .collect()
        };
        match *op {
            Op::Enter { proc, base } => self.arrive_at_proc(proc, &found(base, proc)),
            Op::Perform { base } => {
                for part in &rules.parts {
                    self.arrive_at_proc(part.proc, &found(base, part.proc));
                }
            }
            _ => {
                for proc in self.calls.ran[at].clone() {
                    let arguments = arguments(rules, proc);
                    self.arrive_at_proc(proc, &arguments);
                }
            }
        }
    }
}

/// A word as another frame finds it: what it says of registers of this one means nothing there.
fn settled(word: Word) -> Word {
    match word {
        Word::Size(_) | Word::IsOne(_) => Word::Plain,
        word => word,
    }
}

/// What the procedures of events and offers find in their registers.
fn arguments(rules: &Ruleset, proc: ProcId) -> Words {
    let of_event = |event: &omerta_core::rules::Event| {
        let procs = event.before.into_iter().chain(event.after).chain([event.body]);
        procs
            .chain(event.instead.iter().map(|rule| rule.proc))
            .any(|own| own == proc)
    };
    if let Some(event) = rules.events.iter().find(|event| of_event(event)) {
        let of = if event.of {
            Word::Seats { one: true }
        } else {
            Word::Nothing
        };
        let with = event.with.iter().map(|kind| word(*kind, false));
        return [of, Word::Seats { one: false }].into_iter().chain(with).collect();
    }
    let offer = rules.offers.iter().find(|offer| offer.body == proc);
    let picked = offer
        .and_then(|offer| offer.target)
        .map_or(Word::Nothing, |target| word(target.kind, true));
    match rules.procs[proc.index()].role {
        ProcRole::Offer(_) => vec![Word::Seats { one: true }, picked],
        _ => Vec::new(),
    }
}

/// Whether a title is one of these.
pub fn is_lone(lone: u64, group: GroupId) -> bool {
    lone.checked_shr(group.index() as u32).unwrap_or(0) & 1 == 1
}

/// What registers mean behind an instruction.
fn transfer((rules, lone): (&Ruleset, u64), op: &Op, words: &mut Words) {
    let get = |reg: Reg| words.get(reg.index()).copied().unwrap_or_default();
    let one_of = |reg: Reg| get(reg).is_one();
    let (to, word) = match *op {
        Op::Small { to, value } => (to, Word::Number(value)),
        Op::Copy { to, from } => (to, get(from)),
        Op::Players { to } => (to, Word::Everybody),
        Op::Outside { to, .. }
        | Op::OutsideBut { to, .. }
        | Op::GroupOutside { to, .. }
        | Op::Others { to, .. }
        | Op::Holders { to, .. }
        | Op::BackLink { to, .. }
        | Op::Linked { to, .. }
        | Op::Planned { to, .. }
        | Op::Winners { to }
        | Op::SeatsOf { to, .. }
        | Op::TallyRead { to, .. }
        | Op::Placed { to, .. }
        | Op::Seated { to, .. } => (to, Word::Seats { one: false }),
        Op::Group { to, group } => (
            to,
            Word::Seats {
                one: is_lone(lone, group),
            },
        ),
        Op::And { to, a, b } => (to, get(a).or(get(b)).with_one(one_of(a) || one_of(b))),
        Op::Or { to, a, b } => (to, get(a).or(get(b)).with_one(false)),
        Op::Without { to, a, b } => (to, get(a).or(get(b)).with_one(one_of(a))),
        Op::Else { to, a, b } => (to, get(a).or(get(b))),
        Op::Size { to, of } => (to, Word::Size(of)),
        Op::Equal { to, a, b } => (
            to,
            match (get(a), get(b)) {
                (Word::Size(of), Word::Number(1)) | (Word::Number(1), Word::Size(of)) => Word::IsOne(of),
                _ => Word::Plain,
            },
        ),
        Op::First { to, of } | Op::Last { to, of } => (to, get(of).with_one(true)),
        Op::FirstBy { to, .. }
        | Op::LastBy { to, .. }
        | Op::LeftOf { to, .. }
        | Op::RightOf { to, .. }
        | Op::AtOrLeftOf { to, .. }
        | Op::SeatNumber { to, .. } => (to, Word::Seats { one: true }),
        Op::Load { to, slot } => (to, of_slot(rules, slot)),
        Op::LinkOf { to, row, of } => {
            let word = of_slot(rules, row);
            (to, word.with_one(word.is_one() && one_of(of)))
        }
        Op::CardsIn { to, .. }
        | Op::TopOf { to, .. }
        | Op::Topmost { to, .. }
        | Op::CardsOf { to, .. }
        | Op::RoleCards { to, .. } => (to, Word::Cards { one: false }),
        Op::Pop { to, set } | Op::PopFrom { to, set, .. } | Op::PopBy { to, set, .. } => {
            (to, get(set).with_one(true))
        }
        Op::Ask { site, base } => {
            let (frame, ask) = (AskFrame(base), &rules.asks[site.index()]);
            if let AskKind::Menu(branches) = &ask.kind {
                let picks = branches.iter().filter_map(|branch| branch.pick);
                let picked = picks.fold(Word::Nothing, |sum, kind| sum.or(self::word(kind, true)));
                put(words, frame.picked(), picked);
            }
            let answer = match ask.kind {
                AskKind::Seats => Word::Seats { one: true },
                AskKind::Cards => Word::Cards { one: true },
                _ => Word::Plain,
            };
            (frame.answer(), answer)
        }
        Op::Draw { site, base } => {
            let word = match rules.draws[site.index()].kind {
                DrawKind::Seats => Word::Seats { one: true },
                DrawKind::Cards => Word::Cards { one: true },
                _ => Word::Plain,
            };
            (DrawFrame(base).outcome(), word)
        }
        ref op => match Does::of(rules, op).writes.first() {
            Some(to) if *to != PAD => (*to, Word::Plain),
            _ => return,
        },
    };
    if let Op::Pop { set, .. } | Op::PopFrom { set, .. } | Op::PopBy { set, .. } = *op {
        let rest = words.get(set.index()).copied().unwrap_or_default();
        put(words, set, rest.with_one(rest.is_one()));
    }
    put(words, to, word);
}

/// Writes a register; what was known of another by way of it is known no longer.
fn put(words: &mut Words, to: Reg, word: Word) {
    for known in words.iter_mut() {
        if matches!(known, Word::Size(of) | Word::IsOne(of) if *of == to) {
            *known = Word::Plain;
        }
    }
    // A size or a test may speak of the very register that it is written to.
    let word = match word {
        Word::Size(of) | Word::IsOne(of) if of == to => Word::Plain,
        word => word,
    };
    if let Some(place) = words.get_mut(to.index()) {
        *place = word;
    }
}
