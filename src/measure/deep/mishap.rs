//! What goes wrong in a game, seen from one that was just played.

use super::{
    game::{End, Run, play_on},
    people::{Aim, People},
    plan::Way,
    together,
};
use omerta_core::{
    rules::{EndingId, GroupId, GroupKind, Ruleset},
    source::Span,
};
use omerta_engine::{Choice, Fault, Game, Open, Pending, Silence};
use omerta_play::{
    chance::Chance,
    leak::{Clue, Leak, Pair},
    policy,
    session::Table,
};

/// From where a game did not end it is gone on so often, and so often from where a smaller one stands,
/// for so many answers each.
const OTHER_WAYS: u64 = 12;
pub const MORE_WAYS: u64 = 60;
const FURTHER: usize = 1_000;
/// How many pairs of games are made of one game, and how many answers those take.
const PAIRS: u64 = 3;
pub const PAIR_ANSWERS: usize = 120;

/// What went wrong.
#[derive(Clone, Debug)]
pub enum Mishap {
    /// The rules broke.
    Broken(Fault),
    /// It did not end, whatever was answered.
    Endless,
    /// It was over before anybody had chosen.
    Unasked,
    /// The ending by which it ended held together with another.
    Together([EndingId; 2]),
    /// A seat can tell what it may not know.
    Leak(Leak),
}

impl Mishap {
    /// Where it is in the rules.
    pub fn place(&self, rules: &Ruleset, run: &Run) -> Span {
        let head = rules
            .groups
            .first()
            .map_or_else(Span::default, |group| group.origin);
        let of_code = |at: u32| rules.origins.get(at as usize).copied();
        match self {
            Mishap::Broken(fault) => of_code(fault.at).unwrap_or(head),
            Mishap::Endless => {
                let scene = run.game.look().scenes().next();
                scene.map_or(head, |scene| rules.scenes[scene.index()].origin)
            }
            Mishap::Unasked => match run.end() {
                End::Over(outcome) => outcome.ending.map_or(head, |ending| rules.ending(ending).origin),
                _ => head,
            },
            Mishap::Together([first, _]) => rules.ending(*first).origin,
            Mishap::Leak(leak) => match leak.clue {
                Clue::Asked(site) => rules.ask(site).origin,
                // Not where the words stand, which a library may say of every card.
                Clue::Heard { call, .. } => rules.groups[call.index()].origin,
                Clue::Open(offer) => rules.offers[offer.index()].origin,
            },
        }
    }

    /// The other place, where there are two.
    pub fn second_place(&self, rules: &Ruleset) -> Option<Span> {
        match self {
            Mishap::Together([_, second]) => Some(rules.ending(*second).origin),
            _ => None,
        }
    }

    /// Its sort, as a number: mishaps of one sort at one place are the same.
    pub fn sort(&self) -> u8 {
        match self {
            Mishap::Broken(_) => 0,
            Mishap::Endless => 1,
            Mishap::Unasked => 2,
            Mishap::Together(_) => 3,
            Mishap::Leak(leak) => match leak.clue {
                Clue::Asked(_) => 4,
                Clue::Heard { .. } => 5,
                Clue::Open(_) => 6,
            },
        }
    }
}

/// What went wrong in a game that was played, leaks aside.
pub fn of_run(way: &Way, table: &Table, run: &Run) -> Option<Mishap> {
    match run.end() {
        End::Broken(fault) => Some(Mishap::Broken(fault)),
        End::GoesOn => never_ends(table, &run.game, OTHER_WAYS).then_some(Mishap::Endless),
        End::Over(_) if !run.asked => Some(Mishap::Unasked),
        End::Over(_) => {
            let first = together::ending_of(run)?;
            let second = together::second(table, run, way.without(first)?)?;
            let is_declared = together::is_declared(&table.rules, [first, second]);
            (!is_declared).then_some(Mishap::Together([first, second]))
        }
    }
}

/// Whether a game does not come to an end from where it stands, in several ways to go on.
pub fn never_ends(table: &Table, game: &Game, ways: u64) -> bool {
    let groups = table.rules.groups.iter().enumerate();
    let teams = groups.filter(|(_, group)| group.kind == GroupKind::Team);
    let teams: Vec<GroupId> = teams.map(|(index, _)| GroupId(index as u16)).collect();
    (0..ways).all(|way| {
        let seed = table.seed.unwrap_or_default();
        // Every side has its chance to bring it to an end.
        let team = teams.get(way as usize / 2 % teams.len().max(1));
        let aim = team
            .filter(|_| way % 2 == 0)
            .map_or(Aim::Anything, |team| Aim::Team(*team));
        let mut people = People::of_game(seed, way, aim);
        let chance = Chance::of_game(way, seed);
        let further = play_on(game.clone(), &mut Silence, (chance, FURTHER), |game| {
            people.choose(game)
        });
        further.end() == End::GoesOn
    })
}

/// What a seat can tell in a few pairs of games, each of so many answers at the most: by a question, by a call, and by what
/// is open to it.
pub fn leaks(seed: u64, table: &Table, number: u64, answers: usize, is_late: &dyn Fn() -> bool) -> Vec<Leak> {
    let mut pick = Chance::of_game(seed, !number);
    let (mut asked, mut heard, mut open) = (None, None, None);
    for _ in 0..PAIRS {
        let seat = pick.below(table.names.len().max(1) as u64) as u8;
        let changed = pick.bits() as u32;
        let mut people = People::of_game(seed, number, Aim::Anything);
        let mut left = answers;
        let pair = pair(table, (seat, changed), |game| {
            left = left.checked_sub(1).filter(|_| !is_late())?;
            people.choose(game)
        });
        if is_late() {
            break;
        }
        asked = asked.or_else(|| pair.as_ref()?.leak());
        heard = heard.or_else(|| pair.as_ref()?.overheard());
        open = open.or_else(|| pair.as_ref()?.opened());
    }
    asked.into_iter().chain(heard).chain(open).collect()
}

/// One pair, where people answer so; chance goes by the seed.
fn pair(
    table: &Table,
    (seat, changed): (u8, u32),
    mut people: impl FnMut(&Game) -> Option<Choice>,
) -> Option<Pair<'_>> {
    let mut chance = Chance::of_seed(table.seed.unwrap_or_default());
    Pair::play(table, seat, changed, |game| match (game.open(), game.pending()) {
        (Open::Ask(_), _) => people(game),
        (_, Pending::Chance(drawn)) => Some(policy::outcome(game, &drawn, &mut chance)),
        _ => None,
    })
}
