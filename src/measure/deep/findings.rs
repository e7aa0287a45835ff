//! From what the games showed to what is said of it, each with the smallest game that shows it.

use super::{
    errors,
    exhibit::Exhibit,
    game::{End, Run, Seated, by_people},
    known::known,
    mishap::{self, MORE_WAYS, Mishap},
    people::Aim,
    plan::Plan,
    shrink::{To, shrink},
    sight::{Dealt, Example, Met, Sight, Tally},
    things::{Sort, winners},
};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{GroupId, Ruleset},
    source::Span,
};
use omerta_engine::Silence;
use omerta_play::{
    leak::{Clue, Leak},
    scenario::fault_code,
    session::Table,
    words::listed,
};
use omerta_workbench::{Workbench, people::People};

/// In fewer games than this nothing can be said of what did not happen.
const ENOUGH: u64 = 100;
/// So many games must all be won by the same before a cast counts as decided.
const SURELY: u64 = 300;
/// So often cards must have been played before that is looked at.
const SUSPECT: u64 = 3;
/// A leak is looked for in so many short games by each number of players, in so many together, and
/// short is so many answers and two more a player.
const SHORT_GAMES: u64 = 150;
const MOST_SHORT_GAMES: usize = 900;
const SHORT: usize = 16;

/// Something that was found.
pub struct Finding {
    /// What.
    pub diagnostic: Diagnostic,
    /// The games that show it.
    pub exhibits: Vec<Exhibit>,
}

impl Finding {
    fn shown(diagnostic: Diagnostic, exhibits: impl IntoIterator<Item = Exhibit>) -> Finding {
        let exhibits = exhibits.into_iter().collect();
        Finding { diagnostic, exhibits }
    }
}

/// What went wrong in some game.
pub fn mishaps(plan: &Plan, sight: &Sight) -> Vec<Finding> {
    sight.mishaps.values().map(|met| of_mishap(plan, met)).collect()
}

/// Why nobody could sit down to a game: what speaks against the cards, by as few players as the rules allow.
pub fn undealt(bench: &Workbench, plan: &Plan) -> Vec<Finding> {
    let way = &plan.ways[0];
    let players = way.players.first().map_or(0, |players| usize::from(*players));
    let people = People::default();
    let checked = people.check_cast(bench, &way.laid, (players, plan.seed()));
    let found = checked
        .err()
        .into_iter()
        .flatten()
        .map(|diagnostic| Finding::shown(diagnostic, []));
    found.collect()
}

/// What came into effect in none.
pub fn unseen(plan: &Plan, sight: &Sight) -> Vec<Finding> {
    let unseen = sight.things.values().filter(|tally| tally.came == 0);
    unseen.filter_map(|tally| of_unseen(plan, sight, tally)).collect()
}

fn of_mishap(plan: &Plan, met: &Met) -> Finding {
    let example = &met.example;
    let way = &plan.ways[met.way];
    let rules = way.rules();
    let words = example.seated.table.words();
    let (place, second) = met.places;
    // What is found in the smaller game must be the same thing at the same place.
    let same = |table: &Table, run: &Run| {
        mishap::of_run(way, table, run).is_some_and(|other| {
            other.sort() == met.mishap.sort()
                && other.place(rules, run) == place
                && other.second_place(rules) == second
        })
    };
    let smaller = |to| shrink(plan, way, example, to, &same);
    match &met.mishap {
        Mishap::Broken(fault) => {
            let diagnostic = errors::broken(fault_code(&fault.kind), &words.fault(fault), place);
            one(diagnostic, "the rules break", smaller(To::TheEnd))
        }
        Mishap::Endless => {
            let diagnostic = errors::endless(example.run.given.len(), place);
            let smaller = shrink(plan, way, example, To::LastAnswer, &|table, run| {
                run.end() == End::GoesOn && mishap::never_ends(table, &run.game, MORE_WAYS)
            });
            Finding::shown(
                diagnostic,
                [Exhibit::without_end("a game that does not end", &smaller)],
            )
        }
        Mishap::Unasked => {
            let cards = cards_of(rules, &example.seated.table);
            let told = errors::unasked(&cards, place);
            one(told, "over before anybody has chosen", smaller(To::TheEnd))
        }
        Mishap::Together([first, other]) => {
            let names = [first, other].map(|ending| rules.ending(*ending).name.as_str());
            let title = format!("{} and {} hold together", names[0], names[1]);
            let places = [place, second.unwrap_or(place)];
            one(errors::together(names, places), &title, smaller(To::TheEnd))
        }
        Mishap::Leak(leak) => of_leak(plan, met, leak),
    }
}

/// A finding with the one game that shows it.
fn one(diagnostic: Diagnostic, title: &str, example: Example) -> Finding {
    Finding::shown(diagnostic, [Exhibit::of_game(title, &example)])
}

fn of_leak(plan: &Plan, met: &Met, leak: &Leak) -> Finding {
    let (seated, leak) = shorter_leak(plan, met, leak);
    let words = seated.table.words();
    let games = [("in one game", 0), ("in another", 1)];
    let mut finding = of_clue(&seated, &leak, met.places.0, games);
    let seat = words.seat(leak.seat);
    let known = known(plan, &seated, &leak).into_iter().zip(games);
    let known = known.filter_map(|(known, (which, _))| Some(format!("{which} {seat} then knows {}", known?)));
    let known: Vec<String> = known.collect();
    if !known.is_empty() {
        let help = finding.diagnostic.help.take().unwrap_or_default();
        finding.diagnostic.help = Some(format!("{help}; {}", known.join(", ")));
    }
    finding
}

fn of_clue(seated: &Seated, leak: &Leak, place: Span, games: [(&str, usize); 2]) -> Finding {
    let words = seated.table.words();
    match leak.clue {
        Clue::Asked(site) => {
            let name = &words.rules.ask(site).name;
            let title = |which: &str| format!("{} is asked for {name}, {which}", words.seat(leak.seat));
            let exhibit = |(which, game): (&str, usize)| {
                Exhibit::up_to_a_question(&title(which), seated, &leak.games[game])
            };
            Finding::shown(errors::betrays(name, &leak.met, place), games.map(exhibit))
        }
        Clue::Heard { call, .. } => {
            let call = &words.rules.groups[call.index()].name;
            let exhibit = |(which, game): (&str, usize)| {
                let title = format!("{call} is called, {which}");
                Exhibit::of_words(&title, seated, (&leak.games[game], &leak.met[game]))
            };
            Finding::shown(errors::overheard(call, &leak.met, place), games.map(exhibit))
        }
        Clue::Open(offer) => {
            let seat = words.seat(leak.seat);
            let exhibit = |(which, game): (&str, usize)| {
                let open = leak.met[game].as_deref().unwrap_or_default();
                let title = format!("{open} is open to {seat}, {which}");
                Exhibit::of_words(&title, seated, (&leak.games[game], &None))
            };
            let name = &words.rules.offers[offer.index()].name;
            Finding::shown(errors::opens(name, &leak.met, place), games.map(exhibit))
        }
    }
}

/// The same in a short game, by as few players as possible, if one is soon found.
fn shorter_leak(plan: &Plan, met: &Met, leak: &Leak) -> (Seated, Leak) {
    let way = &plan.ways[met.way];
    let fewer = way
        .players
        .iter()
        .filter(|players| usize::from(**players) <= met.example.size.0);
    let tries = fewer.flat_map(|players| (0..SHORT_GAMES).map(move |number| (*players, number)));
    let mut tries = tries.take(MOST_SHORT_GAMES).take_while(|_| !plan.is_late());
    let found = tries.find_map(|(players, number)| {
        let seated = plan.seat(way, players, None, number)?;
        let answers = SHORT + usize::from(players) * 2;
        let found = mishap::leaks(plan.seed(), &seated.table, number, answers, &|| plan.is_late());
        let found = found.into_iter().find(|found| found.clue == leak.clue)?;
        Some((seated, found))
    });
    found.unwrap_or_else(|| (met.example.seated.clone(), leak.clone()))
}

fn of_unseen(plan: &Plan, sight: &Sight, tally: &Tally) -> Option<Finding> {
    let (sort, _, _, name) = &tally.thing.key;
    if tally.could < ENOUGH && (tally.could > 0 || *sort == Sort::Team) {
        return None;
    }
    let diagnostic = errors::unseen(sort, name, (tally.could, sight.games), tally.thing.origin);
    let way = &plan.ways[tally.way];
    let exhibit = tally
        .example
        .as_ref()
        .filter(|example| matches!(example.run.end(), End::Over(_)));
    let exhibit = exhibit.map(|example| {
        let could = |table: &Table, run: &Run| {
            matches!(run.end(), End::Over(_)) && tally.thing.could(way.rules(), &table.cast)
        };
        let smaller = shrink(plan, way, example, To::TheEnd, &could);
        Exhibit::of_game(&format!("a game without {name}"), &smaller)
    });
    Some(Finding::shown(diagnostic, exhibit))
}

// ---- Casts

/// Casts with which the same win in all games: one finding for all of them.
pub fn of_casts(plan: &Plan, sight: &Sight) -> Vec<Finding> {
    let suspect = |dealt: &Dealt| {
        let Example { seated, run, .. } = &dealt.example;
        let won = dealt
            .winners
            .iter()
            .any(|titles| titles.is_some_and(|titles| titles != 0));
        let is_sure = dealt.games >= SUSPECT && dealt.winners.len() == 1;
        is_sure && run.asked && is_of_a_table(&seated.table) && !(won && all_alike(&seated.table))
    };
    let suspects = sight.casts.iter().filter(|(_, dealt)| suspect(dealt));
    let mut decided: Vec<(usize, &Dealt)> = suspects
        .filter(|(_, dealt)| is_decided(plan, dealt))
        .map(|((way, _), dealt)| (*way, dealt))
        .collect();
    decided.sort_by_key(|(_, dealt)| dealt.example.size);
    let alike = decided.len().saturating_sub(1);
    let first = decided.first().into_iter();
    first
        .map(|(way, dealt)| of_decided(plan, *way, dealt, alike))
        .collect()
}

fn of_decided(plan: &Plan, way: usize, dealt: &Dealt, alike: usize) -> Finding {
    let table = &dealt.example.seated.table;
    let rules = &table.rules;
    let won = dealt.winners.first().copied().flatten();
    let who = match won {
        Some(titles) if titles != 0 => format!("{} won", table.words().titles(titles)),
        _ => "nobody won".to_owned(),
    };
    let players = table.names.len();
    let place = rules.casts.iter().find(|cast| cast.column(players).is_some());
    let place = place.map_or_else(Default::default, |cast| cast.origin);
    let games = dealt.games + SURELY;
    let diagnostic = errors::decided(&who, &cards_of(rules, table), (games, alike), place);
    let smaller = shrink(
        plan,
        &plan.ways[way],
        &dealt.example,
        To::TheEnd,
        &|other, run| other.cast == table.cast && winners(run) == won,
    );
    one(diagnostic, &format!("{who}, as always with these cards"), smaller)
}

/// Whether all have the same card: by that it is not said who won.
fn all_alike(table: &Table) -> bool {
    table.cast.cards.windows(2).all(|pair| pair[0] == pair[1])
}

/// Whether the cards are those of a table of the rules; others are anybody's own choice.
fn is_of_a_table(table: &Table) -> bool {
    let (rules, cards) = (&table.rules, &table.cast.cards);
    let columns = rules
        .casts
        .iter()
        .filter_map(|cast| cast.column(table.names.len()));
    { columns }.any(|column| rules.is_drawn_from(&column.cards(cards.len()), cards))
}

/// Whether the same win in many more games with the same cards.
fn is_decided(plan: &Plan, dealt: &Dealt) -> bool {
    let won = dealt.winners.first().copied().flatten();
    won.is_some()
        && (0..SURELY).all(|number| {
            if plan.is_late() {
                return false;
            }
            let mut table = dealt.example.seated.table.clone();
            table.seed = Some(number);
            let run = by_people(&table, &mut Silence, (plan.seed(), number), Aim::Anything);
            run.is_some_and(|run| winners(&run) == won)
        })
}

/// `2 Smuggler, 1 Healer, 3 Baker`
fn cards_of(rules: &Ruleset, table: &Table) -> String {
    let mut cards = table.cast.cards.clone();
    cards.sort_unstable();
    let mut kinds = cards.clone();
    kinds.dedup();
    let kind = |role: &GroupId| {
        let copies = cards.iter().filter(|card| *card == role).count();
        format!("{copies} {}", rules.groups[role.index()].name)
    };
    listed(kinds.iter().map(kind).collect(), "and")
}
