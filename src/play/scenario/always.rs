//! Whether a test holds whatever the game does: it is worked out for all that the marks and the cards may be which it
//! reads.
//!
//! A test that reads anything else, or too much of it, is not looked at.

use omerta_core::rules::{FactShape, GroupId, Op, Program, Ruleset, Slot};
use omerta_engine::Game;

/// In so many ways things are thought to stand, at most.
const MOST_WAYS: usize = 1 << 14;
/// For so many seats every set of them is tried, at most.
const MOST_SEATS: u8 = 14;

/// Something that a test reads and that is one thing now and another later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thing {
    /// A mark or a flag.
    Word(Slot),
    /// Who holds a card of a role, or of a team.
    Holders(GroupId),
}

/// An instruction that reads such things, and the constant that stands for what it comes to.
struct Gap {
    constant: usize,
    holders: Option<usize>,
    word: Option<usize>,
    outside: bool,
}

impl Gap {
    fn value(&self, values: &[u64], players: u64) -> u64 {
        let word = self.word.map(|word| values[word]);
        let word = match self.outside {
            true => word.map(|word| players & !word),
            false => word,
        };
        let holders = self.holders.map(|holders| values[holders]);
        holders.unwrap_or(u64::MAX) & word.unwrap_or(u64::MAX)
    }
}

/// A test with gaps for what it reads.
struct Blank {
    program: Program,
    things: Vec<Thing>,
    gaps: Vec<Gap>,
}

impl Blank {
    /// The test, if it reads nothing but marks, flags and the cards of players.
    fn of(rules: &Ruleset, program: &Program) -> Option<Blank> {
        let mut blank = Blank {
            program: program.clone(),
            things: Vec::new(),
            gaps: Vec::new(),
        };
        if !program.texts.is_empty() {
            return None;
        }
        for at in 0..program.code.len() {
            let (to, holders, word, outside) = match program.code[at] {
                Op::Load { to, slot } => (to, None, Some(slot), false),
                Op::Outside { to, slot } => (to, None, Some(slot), true),
                Op::GroupOutside { to, group, slot } => (to, Some(group), Some(slot), true),
                Op::Group { to, group } => (to, Some(group), None, false),
                op if is_sure(&op) => continue,
                _ => return None,
            };
            if holders.is_some_and(|group| group.index() >= usize::from(rules.titles)) {
                return None;
            }
            let index = u16::try_from(blank.program.constants.len()).ok()?;
            let holders = holders.map(|group| blank.thing(Thing::Holders(group)));
            let word = word.map(|slot| blank.thing(Thing::Word(slot)));
            blank.program.code[at] = Op::Const { to, index };
            blank.program.constants.push(0);
            blank.gaps.push(Gap {
                constant: usize::from(index),
                holders,
                word,
                outside,
            });
        }
        Some(blank)
    }

    fn thing(&mut self, thing: Thing) -> usize {
        let known = self.things.iter().position(|known| *known == thing);
        known.unwrap_or_else(|| {
            self.things.push(thing);
            self.things.len() - 1
        })
    }

    /// Whether it holds where things stand so.
    fn holds(&mut self, game: &Game, seats: &[u64], values: &[u64]) -> bool {
        let players = game.look().players();
        for gap in &self.gaps {
            self.program.constants[gap.constant] = gap.value(values, players);
        }
        game.evaluate(&self.program, seats) != 0
    }
}

/// Whether an instruction comes to the same whenever it is carried out, its registers being the same.
fn is_sure(op: &Op) -> bool {
    matches!(
        op,
        Op::Const { .. }
            | Op::Small { .. }
            | Op::Copy { .. }
            | Op::Players { .. }
            | Op::Others { .. }
            | Op::And { .. }
            | Op::Or { .. }
            | Op::Without { .. }
            | Op::Else { .. }
            | Op::Size { .. }
            | Op::TeamsOf { .. }
            | Op::RolesUnder { .. }
            | Op::First { .. }
            | Op::Last { .. }
            | Op::Plus { .. }
            | Op::Minus { .. }
            | Op::Times { .. }
            | Op::Divide { .. }
            | Op::SeatNumber { .. }
            | Op::Equal { .. }
            | Op::Less { .. }
            | Op::Within { .. }
            | Op::Empty { .. }
            | Op::Some { .. }
            | Op::Not { .. }
            | Op::Jump { .. }
            | Op::JumpIf { .. }
            | Op::JumpUnless { .. }
            | Op::Done
    )
}

/// Whether a test reads who holds the card of which role; nothing where it reads anything else that changes.
pub(super) fn reads_roles(rules: &Ruleset, program: &Program) -> Option<bool> {
    let mut roles = false;
    let is_known = |op: &Op| match op {
        Op::Group { group, .. } => group.index() < usize::from(rules.titles),
        Op::Holders { .. } | Op::RolesOf { .. } => true,
        op => is_sure(op),
    };
    for op in &program.code {
        if !is_known(op) {
            return None;
        }
        roles |= !is_sure(op);
    }
    program.texts.is_empty().then_some(roles)
}

/// All that something may be in a game.
fn may_be(game: &Game, thing: Thing, over: &[Slot]) -> Option<Vec<u64>> {
    let look = game.look();
    let seats = look.seats();
    let every_set = || (seats <= MOST_SEATS).then(|| (0..1_u64 << seats).collect());
    match thing {
        Thing::Word(slot) if over.contains(&slot) => Some(vec![0]),
        Thing::Word(slot) => {
            let fact = game.rules().facts.iter().find(|fact| fact.slot == slot)?;
            match fact.shape {
                FactShape::Mark | FactShape::MarkInOrder { .. } => every_set(),
                FactShape::MarkOne => Some([0].into_iter().chain((0..seats).map(|seat| 1 << seat)).collect()),
                FactShape::Flag => Some(vec![0, 1]),
                FactShape::Count if !fact.words.is_empty() => Some((0..fact.words.len() as u64).collect()),
                _ => None,
            }
        }
        Thing::Holders(_) => every_set(),
    }
}

/// Whether a test holds whatever the marks and flags are that it reads, and whoever holds which card. `seats` are its
/// arguments; nobody carries the marks that are `over`.
pub(super) fn always_holds(game: &Game, program: &Program, seats: &[u64], over: &[Slot]) -> bool {
    let Some(mut blank) = Blank::of(game.rules(), program) else {
        return false;
    };
    let all = blank.things.iter().map(|thing| may_be(game, *thing, over));
    let Some(all) = all.collect::<Option<Vec<_>>>() else {
        return false;
    };
    let ways = { all.iter() }.try_fold(1_usize, |ways, one| ways.checked_mul(one.len()));
    let Some(ways) = ways.filter(|ways| *ways <= MOST_WAYS) else {
        return false;
    };
    (0..ways).all(|way| {
        let mut left = way;
        let values = all.iter().map(|one| {
            let value = one[left % one.len()];
            left /= one.len();
            value
        });
        let values: Vec<u64> = values.collect();
        blank.holds(game, seats, &values)
    })
}
