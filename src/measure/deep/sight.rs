//! What the games of a check showed, put together: the order in which they were played changes nothing.

use super::{
    game::{End, LIMIT, Run, Seated, play},
    mishap::{self, Mishap, PAIR_ANSWERS},
    people::{Aim, People},
    plan::{Plan, Way},
    things::{Key, Thing, winners},
};
use crate::coverage::Trace;
use omerta_core::{
    rules::{GroupId, PlannedCast},
    source::{Sources, Span},
};
use omerta_play::leak::{Clue, Leak};
use std::collections::{BTreeMap, BTreeSet};

/// What one game showed.
pub struct Shown {
    /// The number of its way.
    pub way: usize,
    /// Of the things of its way, by their places: whether they could come into effect, and did.
    things: Vec<(bool, bool)>,
    mishaps: Vec<(Mishap, Span, Option<Span>)>,
    winners: Option<u64>,
    example: Example,
}

/// A game by which something can be shown; small ones are better.
#[derive(Clone)]
pub struct Example {
    /// How many play, how many answers it takes, and its number.
    pub size: (usize, usize, u64),
    /// The table.
    pub seated: Seated,
    /// What people answered.
    pub run: Run,
}

/// Everything that games showed.
#[derive(Default)]
pub struct Sight {
    /// How many games were played.
    pub games: u64,
    /// In how many the rules broke.
    pub broken: u64,
    /// The numbers of players there were.
    pub players: BTreeSet<usize>,
    /// Everything that should come into effect.
    pub things: BTreeMap<Key, Tally>,
    /// What went wrong, by its sort and its places.
    pub mishaps: BTreeMap<(u8, Place, Option<Place>), Met>,
    /// Who won with which cards, by the way the rules were laid.
    pub casts: BTreeMap<(usize, Vec<GroupId>), Dealt>,
}

/// A place by the name of its text.
pub type Place = (String, u32, u32);

/// How a thing fared.
pub struct Tally {
    /// The thing, in the first way that has it, and the number of that way.
    pub thing: Thing,
    /// That way.
    pub way: usize,
    /// In how many games it could have come into effect.
    pub could: u64,
    /// In how many it did.
    pub came: u64,
    /// The smallest game in which it could have.
    pub example: Option<Example>,
}

/// Something that went wrong, at its places.
pub struct Met {
    /// What.
    pub mishap: Mishap,
    /// The way in which the rules were laid.
    pub way: usize,
    /// Where.
    pub places: (Span, Option<Span>),
    /// The smallest game that shows it.
    pub example: Example,
}

/// What came of some cards.
pub struct Dealt {
    /// In how many games they were played.
    pub games: u64,
    /// Whose the wins were, in all of them.
    pub winners: BTreeSet<Option<u64>>,
    /// The smallest of the games.
    pub example: Example,
}

/// Plays one of the games of a plan.
pub fn look(plan: &Plan, number: u64) -> Option<Shown> {
    let way = plan.way_of(number);
    look_at(plan, (way, Aim::Anything), plan.seated(number)?, number)
}

/// Plays a game at a table.
pub fn look_at(
    plan: &Plan,
    (number_of_way, aim): (usize, Aim),
    seated: Seated,
    number: u64,
) -> Option<Shown> {
    if plan.is_late() {
        return None;
    }
    let way: &Way = &plan.ways[number_of_way];
    let (rules, table) = (way.rules(), &seated.table);
    let mut trace = Trace::new(rules.code.len());
    let (mut people, mut lines) = (People::of_game(plan.seed(), number, aim), BTreeSet::new());
    let run = play(table, &mut trace, LIMIT, |game| {
        lines.extend(way.advice.lines_for(game));
        people.choose(game).filter(|_| !plan.is_late())
    })?;
    if plan.is_late() {
        return None;
    }
    trace.lines = lines;
    let thing = |thing: &Thing| {
        let came = thing.came(rules, &trace, &run);
        (came || thing.could(rules, &table.cast), came)
    };
    let mishaps = mishap::of_run(way, table, &run);
    // Rules that break tell no seat anything; and where they go round and round, they would tell it for ever.
    let breaks = matches!(run.end(), End::Broken(_));
    let leaks =
        (!breaks).then(|| mishap::leaks(plan.seed(), table, number, PAIR_ANSWERS, &|| plan.is_late()));
    // A call may tell who is there where an option says so: the option is there for that.
    let is_chosen = |leak: &Leak| matches!(leak.clue, Clue::Heard { .. }) && !plan.is_as_chosen(way);
    let leaks = leaks.into_iter().flatten().filter(|leak| !is_chosen(leak));
    let leaks = leaks.map(Mishap::Leak);
    let placed = |mishap: Mishap| {
        let (place, second) = (mishap.place(rules, &run), mishap.second_place(rules));
        (mishap, place, second)
    };
    Some(Shown {
        way: number_of_way,
        things: way.things.iter().map(thing).collect(),
        mishaps: mishaps.into_iter().chain(leaks).map(placed).collect(),
        winners: winners(&run),
        example: Example {
            size: (table.names.len(), run.given.len(), number),
            seated,
            run,
        },
    })
}

impl Sight {
    /// Takes in what a game showed.
    pub fn add(&mut self, plan: &Plan, sources: &Sources, shown: Shown) {
        self.games += 1;
        self.players.insert(shown.example.size.0);
        for (thing, (could, came)) in plan.ways[shown.way].things.iter().zip(&shown.things) {
            let tally = self.things.entry(thing.key.clone()).or_insert_with(|| Tally {
                thing: thing.clone(),
                way: shown.way,
                could: 0,
                came: 0,
                example: None,
            });
            tally.could += u64::from(*could);
            tally.came += u64::from(*came);
            if *could && tally.came == 0 {
                keep(&mut tally.example, &shown.example);
            }
            if tally.came > 0 {
                tally.example = None;
            }
        }
        let place = |span: Span| (sources.get(span.source).name.clone(), span.start, span.end);
        for (mishap, first, second) in shown.mishaps {
            self.broken += u64::from(matches!(mishap, Mishap::Broken(_)));
            let key = (mishap.sort(), place(first), second.map(place));
            let met = || Met {
                mishap: mishap.clone(),
                way: shown.way,
                places: (first, second),
                example: shown.example.clone(),
            };
            let known = self.mishaps.entry(key).or_insert_with(met);
            if shown.example.size < known.example.size {
                *known = met();
            }
        }
        self.deal(shown.way, shown.winners, shown.example);
    }

    fn deal(&mut self, way: usize, winners: Option<u64>, example: Example) {
        let PlannedCast { mut cards } = example.seated.table.cast.clone();
        cards.sort_unstable();
        let fresh = || Dealt {
            games: 0,
            winners: BTreeSet::new(),
            example: example.clone(),
        };
        let dealt = self.casts.entry((way, cards)).or_insert_with(fresh);
        dealt.games += 1;
        dealt.winners.insert(winners);
        if example.size < dealt.example.size {
            dealt.example = example;
        }
    }
}

/// Keeps the smaller example.
fn keep(known: &mut Option<Example>, other: &Example) {
    if known.as_ref().is_none_or(|known| other.size < known.size) {
        *known = Some(other.clone());
    }
}
