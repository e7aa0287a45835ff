//! Two games that one seat can tell apart and should not: what it may not know shows in what it is
//! asked, or when.
//!
//! The two are alike but for one thing the seat may not know: two cards dealt to others are exchanged,
//! chance or somebody else answers otherwise in secret, or an offer is left alone. From there on
//! everybody answers in the one as in the other, as far as that is possible.
//!
//! What the rules **tell** a seat may differ: words, cards that it sees, answers given openly, the
//! end. That is how it learns. What it is **asked** may not: as long as two games have told a seat
//! the same, they have asked it the same, in the same order between the same tellings, among the same
//! answers, and with the same offers open to it. So a question whose answers, or whose mere coming,
//! give something away that nobody told is found.
//!
//! Nor may what everybody hears while a card is **called** tell who is there: of two games that differ in the cards
//! alone and have told a seat the same, a call is found whose words go out otherwise when it has somebody and when it
//! has nobody.
//!
//! Nor may what is open to a seat while others are waited for, or when it no longer is: an offer that closes with the first
//! question of the night closes late where a call has nobody to ask.

use crate::{
    chance::Chance,
    pauses::{self, Open, Pause, in_words},
    session::Table,
    sight::{Item, Sight},
    ways::answers,
    words::Words,
};
use omerta_core::rules::{AskId, DrawId, GroupId, OfferId, SayId, SceneId};
use omerta_engine::{Audience, Choice, Game, Log, Pending, Value, Viewer, What};
use std::collections::{BTreeMap, VecDeque};

/// So many answers more than the first game took the second may take.
const LONGER: usize = 20;

/// What a seat can tell two games apart by.
#[derive(Clone, Debug)]
pub struct Leak {
    /// The seat.
    pub seat: u8,
    /// What is otherwise in the other, or not there.
    pub clue: Clue,
    /// What differs.
    pub why: String,
    /// Among what it is asked, or what it hears, in each; nothing where that does not come.
    pub met: [Option<String>; 2],
    /// What had reached the seat before, in both.
    pub known: Vec<String>,
    /// The answers of the two games, up to there.
    pub games: [Vec<Choice>; 2],
}

/// By what two games can be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clue {
    /// A question.
    Asked(AskId),
    /// Words that everybody hears while a card is called.
    Heard { call: GroupId, words: SayId },
    /// An offer that is open to it while others are waited for.
    Open(OfferId),
}

/// Two games that are alike but for one thing a seat may not know.
pub struct Pair<'a> {
    games: [Seen<'a>; 2],
    /// Up to where each is compared.
    until: [usize; 2],
    /// Whether they differ in the cards alone: what else is drawn, such as a die, may decide what is called.
    in_cards: bool,
    /// Whether they differ in what the host answered: whom he asks then, he asks on purpose.
    in_host: bool,
    /// Whether they differ in what somebody took up, who chose the moment himself.
    in_offers: bool,
}

/// Plays a game with the answers that `next` gives, and another in which one thing is otherwise;
/// `number` picks which. `None` where there is nothing to change or the seat cannot tell.
pub fn leak(table: &Table, seat: u8, number: u32, next: impl FnMut(&Game) -> Option<Choice>) -> Option<Leak> {
    Pair::play(table, seat, number, next)?.leak()
}

impl<'a> Pair<'a> {
    /// Plays both, as [`leak`] does.
    pub fn play(
        table: &'a Table,
        seat: u8,
        number: u32,
        next: impl FnMut(&Game) -> Option<Choice>,
    ) -> Option<Self> {
        let (one, mut given) = first_game(table, seat, next)?;
        let changed = change(&mut given, number)?;
        let first = &given[changed.at];
        let in_cards = matches!((first.giver, first.choice), (Giver::Chance(_), Choice::Card(_)));
        let in_offers = changed.offers;
        let in_host = matches!(first.giver, Giver::Host(_)) && !in_offers;
        let later = given.iter().skip(changed.at + 1);
        let until = later
            .filter(|entry| !entry.offers.is_empty())
            .map(|entry| entry.before)
            .next();
        let (other, until_too) = second_game(table, seat, given, (changed.at, number))?;
        let until = until.unwrap_or(one.items.len()).min(one.items.len());
        let until_too = until_too.min(other.items.len());
        Some(Pair {
            games: [one, other],
            until: [until, until_too],
            in_cards,
            in_host,
            in_offers,
        })
    }

    fn items(&self, game: usize) -> &[Reached] {
        &self.games[game].items[..self.until[game]]
    }

    /// The question by which the seat can tell them apart.
    pub fn leak(&self) -> Option<Leak> {
        let found = difference(self.items(0), self.items(1)).filter(|_| !self.in_host)?;
        let met = [0, 1].map(|game| self.games[game].among(found.ends[game]));
        Some(self.told_apart(Clue::Asked(found.site), found.why, met, found.ends))
    }

    /// The call by which it can.
    pub fn overheard(&self) -> Option<Leak> {
        // The same words are the same to whoever hears them, whatever they came of.
        let sounds_alike = |at: usize| {
            let [one, other] = [0, 1].map(|game| self.games[game].heard(at));
            one.is_some() && one == other
        };
        let mut pairs = self.items(0).iter().zip(self.items(1)).enumerate();
        let apart = pairs.find(|(at, (one, other))| one.item != other.item && !sounds_alike(*at));
        let (at, _) = apart?;
        let ends = [at, at];
        let found = [0, 1].into_iter().find_map(|game| {
            let (words, call) = self.games[game].call_at(at)?;
            let is_there = self.games[1 - game].has_call(call.title, at);
            let has_come = self.games[game].call_would_be_in(&self.games[1 - game], at);
            let is_told = self.games[game].names_at(at) & call.who != 0;
            (call.who != 0 && !is_there && has_come && !is_told).then_some((words, call.title))
        });
        let (words, call) = found.filter(|_| self.in_cards)?;
        let met = [0, 1].map(|game| self.games[game].heard(at));
        Some(self.told_apart(
            Clue::Heard { call, words },
            format!("it hears {met:?}"),
            met,
            ends,
        ))
    }

    /// What is open to it while others are waited for, by which it can.
    pub fn opened(&self) -> Option<Leak> {
        if self.in_offers {
            return None;
        }
        let pairs = self.items(0).iter().zip(self.items(1));
        let same = pairs.take_while(|(one, other)| one.item == other.item).count();
        let found = pauses::apart([0, 1].map(|game| &self.games[game].pauses[..]), same)?;
        let words = self.games[0].table.words();
        let met = found.open.map(|open| Some(in_words(&open, &words)));
        let why = format!("{met:?} is open to it");
        Some(self.told_apart(Clue::Open(found.offer), why, met, [found.heard; 2]))
    }

    fn told_apart(&self, clue: Clue, why: String, met: [Option<String>; 2], ends: [usize; 2]) -> Leak {
        let [one, other] = &self.games;
        let known = one.items.iter().zip(&other.items);
        let known = known.take_while(|(one, other)| one.item == other.item);
        Leak {
            seat: one.seat,
            clue,
            why,
            met,
            known: known.map(|(one, _)| format!("{:?}", one.item)).collect(),
            games: [one.up_to(ends[0]), other.up_to(ends[1])],
        }
    }
}

/// What is open to a seat while others are waited for, in a game of these answers, until one thing more than so many has
/// reached it.
pub fn shown(table: &Table, seat: u8, answers: &[Choice], heard: usize) -> Vec<(usize, Open)> {
    let Some(mut seen) = Seen::begin(table, seat) else {
        return Vec::new();
    };
    answers.iter().for_each(|choice| {
        seen.give(*choice);
    });
    let pauses = seen.pauses.into_iter().take_while(|pause| pause.heard <= heard);
    let mut shown: Vec<_> = pauses.map(|pause| (pause.heard, pause.open)).collect();
    shown.dedup_by(|next, last| next.1 == last.1);
    shown
}

/// The answers of two games of which a seat has got to know the same, and which differ in what it may not know: all
/// that it is shown must be the same in both. `None` where there is nothing to change, or where all that is alike
/// lies before what was changed.
pub fn twins(
    table: &Table,
    seat: u8,
    number: u32,
    next: impl FnMut(&Game) -> Option<Choice>,
) -> Option<[Vec<Choice>; 2]> {
    let (one, mut given) = first_game(table, seat, next)?;
    let changed = change(&mut given, number)?;
    let mut later = given.iter().skip(changed.at + 1);
    let until = later
        .find(|entry| !entry.offers.is_empty())
        .map(|entry| entry.before);
    let (other, until_too) = second_game(table, seat, given, (changed.at, number))?;
    // Behind the first offer it is somebody's own doing when things happen.
    let until = until.unwrap_or(usize::MAX).min(until_too);
    let pairs = one.items.iter().zip(&other.items).take(until);
    let alike = pairs.take_while(|(one, other)| one.item == other.item).count();
    let ends = (0..=alike)
        .rev()
        .find_map(|known| Some([one.knowing(known)?, other.knowing(known)?]))?;
    let games = [one.answers[..ends[0]].to_vec(), other.answers[..ends[1]].to_vec()];
    (games[0] != games[1]).then_some(games)
}

/// Who gives an answer, and to what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Giver {
    Chance(u16),
    Host(u16),
    Seats(u64, u16),
}

impl Giver {
    fn of(game: &Game) -> Option<Giver> {
        match game.pending() {
            Pending::Ask(asked) if asked.host => Some(Giver::Host(asked.site.0)),
            Pending::Ask(asked) => Some(Giver::Seats(asked.who, asked.site.0)),
            Pending::Chance(drawn) => Some(Giver::Chance(drawn.site.0)),
            Pending::Over(_) | Pending::Broken(_) => None,
        }
    }

    /// Whether a seat does not get to know the answer from the engine.
    fn is_hidden_from(self, seat: u8, game: &Game) -> bool {
        match self {
            Giver::Chance(site) => !game.rules().draws[DrawId(site).index()].openly,
            Giver::Host(site) => !game.rules().ask(AskId(site)).openly,
            Giver::Seats(who, site) => who >> seat & 1 == 0 && !game.rules().ask(AskId(site)).openly,
        }
    }
}

/// An answer of the first game, with the offers taken up before it.
#[derive(Clone, Debug)]
struct Given {
    giver: Giver,
    offers: Vec<Choice>,
    choice: Choice,
    /// What else could have been answered.
    others: Vec<Choice>,
    hidden: bool,
    /// How much had reached the seat before the offers.
    before: usize,
}

/// An item with the question it is about and the answers that had been given before.
#[derive(Clone, Debug)]
struct Reached {
    item: Item,
    site: Option<AskId>,
    /// Among what, in words, where something is asked.
    among: Option<String>,
    /// What everybody hears, with the scenes that are running, the innermost first.
    aloud: Option<(SayId, String, Vec<usize>)>,
    /// Whom those words name.
    named: u64,
    after: usize,
}

/// A scene that began, and the call that is performed in it.
#[derive(Clone, Copy, Debug, Default)]
struct Scene {
    which: Option<SceneId>,
    call: Option<Call>,
    /// How much had reached the seat when it began, and when it was over.
    from: usize,
    to: Option<usize>,
}

/// A card that is called, and those who have it then.
#[derive(Clone, Copy, Debug)]
struct Call {
    title: GroupId,
    who: u64,
}

// ---- Playing

/// A game as one seat sees it.
struct Seen<'a> {
    table: &'a Table,
    seat: u8,
    game: Game,
    log: Log,
    heard: usize,
    sight: Sight,
    items: Vec<Reached>,
    answers: Vec<Choice>,
    /// Where others were waited for.
    pauses: Vec<Pause>,
    /// All scenes that began, and which of them are running.
    scenes: Vec<Scene>,
    running: Vec<usize>,
}

impl<'a> Seen<'a> {
    /// `None` for a table at which nothing can begin.
    fn begin(table: &'a Table, seat: u8) -> Option<Self> {
        let mut log = Log::default();
        let game = table.begin(&mut log).ok()?;
        let mut seen = Seen {
            table,
            seat,
            game,
            log,
            heard: 0,
            sight: Sight::of(Viewer::Seat(seat)),
            items: Vec::new(),
            answers: Vec::new(),
            pauses: Vec::new(),
            scenes: Vec::new(),
            running: Vec::new(),
        };
        seen.look();
        Some(seen)
    }

    fn give(&mut self, choice: Choice) -> bool {
        let legal = self.game.apply(choice, &mut self.log).is_ok();
        self.answers.extend(legal.then_some(choice));
        self.look();
        legal
    }

    /// The answers given before an item, or all.
    fn up_to(&self, item: usize) -> Vec<Choice> {
        let after = self.items.get(item).map_or(self.answers.len(), |item| item.after);
        self.answers[..after].to_vec()
    }

    /// After how many answers, at the latest, just so many items have reached the seat.
    fn knowing(&self, items: usize) -> Option<usize> {
        let next = self
            .items
            .get(items)
            .map_or(self.answers.len() + 1, |next| next.after);
        let last = items.checked_sub(1).map_or(0, |last| self.items[last].after);
        (last < next).then(|| next - 1)
    }

    /// Among what an item asks.
    fn among(&self, item: usize) -> Option<String> {
        self.items.get(item)?.among.clone()
    }

    /// What is heard at an item.
    fn heard(&self, item: usize) -> Option<String> {
        Some(self.items.get(item)?.aloud.as_ref()?.1.clone())
    }

    /// Whom the words name that are heard at an item: what names who is called tells it on purpose.
    fn names_at(&self, item: usize) -> u64 {
        self.items.get(item).map_or(0, |item| item.named)
    }

    /// The call in which an item is heard.
    fn call_at(&self, item: usize) -> Option<(SayId, Call)> {
        let (words, _, scenes) = self.items.get(item)?.aloud.as_ref()?;
        let call = scenes.iter().find_map(|scene| self.scenes[*scene].call)?;
        Some((*words, call))
    }

    /// Whether the scenes in which this one calls at an item have come as often in another game: the call is not still to come.
    fn call_would_be_in(&self, other: &Seen<'_>, item: usize) -> bool {
        let running = self.items.get(item).and_then(|item| item.aloud.as_ref());
        let running = running.map_or(&[][..], |(_, _, scenes)| scenes);
        let call = running
            .iter()
            .position(|scene| self.scenes[*scene].call.is_some());
        let around = &running[call.map_or(0, |call| call + 1)..];
        let times = |seen: &Seen<'_>, which| {
            let begun = seen
                .scenes
                .iter()
                .filter(|scene| scene.from <= item && scene.which == which);
            begun.count()
        };
        let mut around = around.iter().map(|scene| self.scenes[*scene].which);
        around.all(|which| times(other, which) >= times(self, which))
    }

    /// Whether a card is called that somebody has, where an item is heard or would be.
    fn has_call(&self, title: GroupId, item: usize) -> bool {
        self.scenes.iter().any(|scene| {
            let is_it = scene
                .call
                .is_some_and(|call| call.title == title && call.who != 0);
            is_it && scene.from <= item && scene.to.is_none_or(|to| item <= to)
        })
    }

    /// Follows which scenes are running, and what is called in them.
    fn follow(&mut self, what: &What) {
        match *what {
            What::SceneBegan { scene, .. } => {
                self.running.push(self.scenes.len());
                self.scenes.push(Scene {
                    which: Some(scene),
                    from: self.items.len(),
                    ..Scene::default()
                });
            }
            What::SceneEnded { .. } => {
                let over = self.running.pop();
                over.into_iter()
                    .for_each(|scene| self.scenes[scene].to = Some(self.items.len()));
            }
            What::Performed { title, who } => {
                // What is performed within a part is no call of its own.
                if let Some(&scene) = self.running.last() {
                    self.scenes[scene].call.get_or_insert(Call { title, who });
                }
            }
            _ => {}
        }
    }

    /// Takes in what has happened since.
    fn look(&mut self) {
        let words = self.table.words();
        let viewer = Viewer::Seat(self.seat);
        let after = self.answers.len();
        for at in self.heard..self.log.events.len() {
            let happened = self.log.events[at].clone();
            let happened = &happened;
            self.follow(&happened.what);
            let items = self.sight.reached(&self.game, &words, happened);
            let site = match &happened.what {
                What::Asked { site, .. } => Some(*site),
                What::Answered { site, who, .. } if who >> self.seat & 1 == 1 => Some(*site),
                _ => None,
            };
            let aloud = match (&happened.what, happened.audience) {
                (What::Said { site, .. }, Audience::All) => words
                    .event(happened, viewer)
                    .map(|heard| (*site, heard, self.running.iter().rev().copied().collect())),
                _ => None,
            };
            let named = match &happened.what {
                What::Said { values, .. } => values.iter().fold(0, |named, value| match value {
                    Value::Players(players) => named | players,
                    _ => named,
                }),
                _ => 0,
            };
            let reached = |item| Reached {
                among: among(&self.game, &words).filter(|_| matches!(item, Item::Asked(_))),
                item,
                site,
                aloud: aloud.clone(),
                named,
                after,
            };
            let items: Vec<Reached> = items.into_iter().map(reached).collect();
            self.items.extend(items);
        }
        self.heard = self.log.events.len();
        let pause = Pause::of(&self.game, &words, self.seat, self.items.len());
        self.pauses.extend(pause);
    }
}

/// Among what may be chosen, in words.
fn among(game: &Game, words: &Words<'_>) -> Option<String> {
    match game.pending() {
        Pending::Ask(asked) => Some(words.options(game, &asked)),
        Pending::Chance(_) | Pending::Over(_) | Pending::Broken(_) => None,
    }
}

/// The first game: what everybody answered. The seat itself takes up no offers, so that it does the
/// same in both games.
fn first_game(
    table: &Table,
    seat: u8,
    mut next: impl FnMut(&Game) -> Option<Choice>,
) -> Option<(Seen<'_>, Vec<Given>)> {
    let mut seen = Seen::begin(table, seat)?;
    let (mut given, mut offers) = (Vec::new(), Vec::new());
    let mut before = seen.items.len();
    while let Some(choice) = next(&seen.game) {
        if let Choice::Offer { by, .. } = choice {
            if by != Some(seat) {
                offers.push(choice);
                seen.give(choice);
            }
            continue;
        }
        let Some(giver) = Giver::of(&seen.game) else {
            break;
        };
        let others = answers(&seen.game)
            .into_iter()
            .filter(|other| *other != choice)
            .collect();
        given.push(Given {
            giver,
            offers: std::mem::take(&mut offers),
            choice,
            others,
            hidden: giver.is_hidden_from(seat, &seen.game),
            before,
        });
        seen.give(choice);
        before = seen.items.len();
    }
    Some((seen, given))
}

/// Which answer was changed, and whether it is the offers before it that were left alone.
struct Changed {
    at: usize,
    offers: bool,
}

/// Changes one thing the seat may not know, and says which; `None` when there is nothing to change.
fn change(given: &mut [Given], number: u32) -> Option<Changed> {
    let hidden: Vec<usize> = (0..given.len())
        .filter(|&at| given[at].hidden && !given[at].others.is_empty() || !given[at].offers.is_empty())
        .collect();
    let at = *hidden.get(number as usize % hidden.len().max(1))?;
    if !given[at].offers.is_empty() {
        given[at].offers.clear();
        return Some(Changed { at, offers: true });
    }
    // Of two draws of cards from one pile, each gets the other's: nobody else's card changes.
    let twin = |other: &usize| {
        matches!(given[at].choice, Choice::Card(_))
            && given[*other].giver == given[at].giver
            && given[*other].hidden
    };
    let later: Vec<usize> = (at + 1..given.len()).filter(twin).collect();
    if let Some(&other) = later.get(number as usize / 7 % later.len().max(1)) {
        (given[at].choice, given[other].choice) = (given[other].choice, given[at].choice);
    } else {
        let others = &given[at].others;
        given[at].choice = others[number as usize / 7 % others.len()];
    }
    Some(Changed { at, offers: false })
}

/// The second game: each answers as in the first, and where that cannot be, somehow. Also how much
/// had reached the seat when the first offer after a place was taken up: from there on it is somebody's
/// own doing when things happen.
fn second_game(
    table: &Table,
    seat: u8,
    given: Vec<Given>,
    (changed, number): (usize, u32),
) -> Option<(Seen<'_>, usize)> {
    let mut until = usize::MAX;
    let mut seen = Seen::begin(table, seat)?;
    let mut chance = Chance::of_seed(u64::from(number));
    let mut left = given.len() + LONGER;
    let mut queues: BTreeMap<Giver, VecDeque<Given>> = BTreeMap::new();
    for (place, entry) in given.into_iter().enumerate() {
        if place <= changed {
            entry.offers.into_iter().chain([entry.choice]).for_each(|choice| {
                seen.give(choice);
            });
        } else {
            queues.entry(entry.giver).or_default().push_back(entry);
        }
    }
    while let Some(giver) = Giver::of(&seen.game) {
        let next = queues.get_mut(&giver).and_then(VecDeque::pop_front);
        if let Some(mut entry) = next {
            let offers = std::mem::take(&mut entry.offers);
            if !offers.is_empty() {
                until = until.min(seen.items.len());
            }
            let taken = offers.into_iter().filter(|offer| seen.give(*offer)).count();
            // An offer may have changed what is asked.
            if taken > 0 && Giver::of(&seen.game) != Some(giver) {
                queues.entry(giver).or_default().push_front(entry);
                continue;
            }
            if seen.give(entry.choice) {
                continue;
            }
        }
        left = left.saturating_sub(1);
        let ways = answers(&seen.game);
        if left == 0 || ways.is_empty() {
            break;
        }
        seen.give(ways[chance.below(ways.len() as u64) as usize]);
    }
    Some((seen, until))
}

// ---- Comparing

/// What differs, and where in the two games.
struct Difference {
    site: AskId,
    why: String,
    ends: [usize; 2],
}

/// What reaches a seat up to a telling: the questions before it, and where each stands.
struct Stretch<'a> {
    asked: Vec<(usize, &'a Reached)>,
    told: Option<&'a Item>,
    end: usize,
}

/// The items cut at the tellings.
fn cut(items: &[Reached]) -> Vec<Stretch<'_>> {
    let empty = || Stretch {
        asked: Vec::new(),
        told: None,
        end: items.len(),
    };
    let mut cut = vec![empty()];
    for (at, reached) in items.iter().enumerate() {
        let last = cut.last_mut().expect("there is one from the beginning");
        match &reached.item {
            Item::Asked(_) | Item::Answered(_) => last.asked.push((at, reached)),
            told @ Item::Told { .. } => {
                (last.told, last.end) = (Some(told), at);
                cut.push(empty());
            }
        }
    }
    cut
}

/// What a seat was asked differently in two games that had told it the same.
fn difference(one: &[Reached], other: &[Reached]) -> Option<Difference> {
    for (one, other) in cut(one).into_iter().zip(cut(other)) {
        let pairs = one.asked.iter().zip(&other.asked);
        let mut differing = pairs.filter(|((_, one), (_, other))| one.item != other.item);
        if let Some(((at, first), (at_too, second))) = differing.next() {
            if let (Item::Answered(_), Item::Answered(_)) = (&first.item, &second.item) {
                return None;
            }
            return Some(Difference {
                site: first.site.or(second.site)?,
                why: format!("it is asked\n  {:?}\nor\n  {:?}", first.item, second.item),
                ends: [*at, *at_too],
            });
        }
        let told = one.told.filter(|_| one.told == other.told)?;
        let sign = matches!(told, Item::Told { sign: true, .. });
        let (asked, asked_too) = (one.asked.len(), other.asked.len());
        if asked != asked_too && !sign {
            let both = asked.min(asked_too);
            let more = one.asked.get(both).or(other.asked.get(both))?;
            let end = |stretch: &Stretch<'_>| stretch.asked.get(both).map_or(stretch.end, |(at, _)| *at);
            return Some(Difference {
                site: more.1.site?,
                why: format!(
                    "before it is told `{}`, it is asked\n  {:?}\nor not",
                    told.words(),
                    more.1.item
                ),
                ends: [end(&one), end(&other)],
            });
        }
    }
    None
}
