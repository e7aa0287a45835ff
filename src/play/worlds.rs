//! What somebody can know: the games that fit what has reached a viewer, and nothing else of the game that is played.
//!
//! Every deal and every choice the viewer did not make is tried, by its chance; a world is left out as soon as it would
//! have told the viewer something else, or asked him something else. His own answers are given, and weigh nothing. From
//! one thing that reaches the viewer to the next all ways are gone; where there are too many, some are drawn by their
//! chances, which is told.

use crate::{
    casting,
    chance::Chance,
    chances::{Players, Share, Way},
    policy::Policy,
    session::{Session, Table},
    sight::{Item, Sight},
    strategy::Strategy,
    ways,
    words::{Words, members},
};
use omerta_core::rules::{Op, PlannedCast, Ruleset};
use omerta_engine::{
    Asked, Choice, Domain, Game, Happened, Log, Pending, Place, Position, Target, Thing, Value, Viewer, What,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, btree_map::Entry},
    fmt,
};

/// So many pauses in a row at which nothing reaches the viewer, and no more.
const MOST_SILENT: usize = 2_000;
/// After so many steps it is asked whether somebody waits no longer.
const SOON: usize = 64;
/// What all worlds of a level weigh together, at least about so much.
const WEIGHT: u128 = 1 << 90;
/// Of so many sets of cards that there may be each is looked at; of more as many are drawn.
const MOST_LOTS: usize = 1_000;
/// Where none of the games drawn fits, so many times as many are drawn.
const MORE: usize = 8;

/// Words by which two games go on alike: those that share them may be one.
pub type Alike<'a> = &'a dyn Fn(&Game) -> Vec<u64>;

/// What is asked.
pub struct Inquiry<'a> {
    /// The game as it is played, up to where it stands.
    pub session: &'a Session,
    /// Who would know.
    pub viewer: Viewer,
    /// What is looked for, and for how long.
    pub search: Effort<'a>,
}

/// How worlds are looked for.
pub struct Effort<'a> {
    /// How those choose whom the viewer does not see.
    pub players: &'a Players,
    /// Which games may be one; where nothing is said, those of which all is the same.
    pub alike: Option<Alike<'a>>,
    /// So many worlds are kept at a time, and so many are drawn where they are too many.
    pub most: usize,
    /// So many answers are tried between two things that reach the viewer before worlds are drawn instead.
    pub steps: usize,
    /// What drawing hangs on; nothing where worlds are counted, or not at all.
    pub seed: Option<u64>,
    /// Whether there is no more time.
    pub stop: &'a dyn Fn() -> bool,
}

/// Why nothing can be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWorlds {
    /// The host did something by hand, which no chance tells of.
    ByHand,
    /// None of the worlds that were drawn fits.
    NoneFits,
    /// There are more than may be counted, and none were to be drawn.
    TooMany,
    /// There was no more time.
    Stopped,
}

/// A game that may be the one that is played.
#[derive(Clone)]
pub struct World {
    /// The game where it stands.
    pub game: Game,
    /// How likely it is, beside the others.
    pub weight: u128,
    /// The answers that led there, or those of one of the games that are one here.
    pub answers: Vec<Choice>,
    /// With which of the cards that there may be it is played.
    lot: u32,
    /// How much of what reached the viewer has come.
    heard: usize,
    /// How many of his own answers have been given.
    own: usize,
    /// How many answers were given since that did not reach him.
    silent: usize,
    sight: Sight,
}

/// That nobody with these titles sits somewhere, from some moment on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuledOut {
    /// Where.
    pub seat: u8,
    /// The roles that the card there cannot be any more.
    pub roles: u64,
    /// What had been told since it still was possible; nothing where what was asked, or was not, rules it out.
    pub by: Vec<String>,
}

/// All that may be.
pub struct Worlds {
    /// The worlds, none of them without weight.
    pub worlds: Vec<World>,
    /// Whether some were drawn out of too many: what none of them shows may be so all the same.
    pub sampled: bool,
    /// What was ruled out while all were looked at, and by what, in order.
    pub ruled_out: Vec<RuledOut>,
}

/// Twice the spread of the share of something that is so in every second game, in hundredths, of one game that is drawn.
const SPREAD: u128 = 98;

impl Worlds {
    /// The weight of the worlds of which something holds, and of all.
    pub fn share(&self, holds: impl Fn(&Game) -> bool) -> (u128, u128) {
        self.worlds.iter().fold((0, 0), |(some, all), world| {
            let own = if holds(&world.game) { world.weight } else { 0 };
            (some + own, all + world.weight)
        })
    }

    /// How far a share of those that were drawn may be from the true one, in hundredths: as of so many games of like weight as
    /// tell as much as these.
    pub fn within(&self) -> u128 {
        let heaviest = { self.worlds.iter() }
            .map(|world| world.weight)
            .max()
            .unwrap_or(1);
        // Weights as thousandths of the heaviest, so that their squares can be added.
        let weights =
            || { self.worlds.iter() }.map(|world| (part(world.weight, (1000, 1)) / heaviest.max(1)).max(1));
        let (all, squares) = weights().fold((0, 0), |(all, squares), weight| {
            (all + weight, squares + weight * weight)
        });
        (SPREAD * SPREAD * squares / (all * all).max(1)).isqrt().min(100)
    }

    /// The roles that may lie at a seat.
    pub fn roles(&self, seat: u8) -> u64 {
        roles(&self.worlds, seat)
    }
}

fn roles(worlds: &[World], seat: u8) -> u64 {
    let roles = { worlds.iter() }.map(|world| world.game.look().roles_of(1 << seat));
    roles.fold(0, |all, roles| all | roles)
}

/// The worlds in which only games of which all is the same are put together, so that whatever may be asked of them is
/// there, when all choose at random.
pub fn fitting(session: &Session, viewer: Viewer) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (20_000, 300_000, None))
}

/// So many of them, drawn where there are more.
pub fn some_fitting(session: &Session, viewer: Viewer, most: usize) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (most, 50 * most, Some(0)))
}

/// All of them, where there are no more than so many and no more than so many answers between two things that reach the
/// viewer.
pub fn all_fitting(
    session: &Session,
    viewer: Viewer,
    (most, steps): (usize, usize),
) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (most, steps, None))
}

fn fitting_within(
    session: &Session,
    viewer: Viewer,
    (most, steps, seed): (usize, usize, Option<u64>),
) -> Result<Worlds, NoWorlds> {
    let players = Players {
        policy: Policy {
            offers_per_thousand: 500,
            calls_per_thousand: 500,
        },
        strategy: Strategy::NONE,
    };
    let search = Effort {
        players: &players,
        alike: None,
        most,
        steps,
        seed,
        stop: &|| false,
    };
    let inquiry = Inquiry {
        session,
        viewer,
        search,
    };
    inquiry.worlds()
}

impl fmt::Display for NoWorlds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoWorlds::ByHand => {
                "something was done by hand, and no chance tells what else the host might have done"
            }
            NoWorlds::NoneFits => "there are so many games that none of those drawn fits what was seen",
            NoWorlds::TooMany => "there are too many games to look at all of them",
            NoWorlds::Stopped => "there are too many games to look at in that time",
        })
    }
}

impl Inquiry<'_> {
    /// The worlds that fit.
    pub fn worlds(&self) -> Result<Worlds, NoWorlds> {
        let (lots, some) = self.lots()?;
        let story = match lots.len() {
            1 => Story::of(self.session, self.viewer)?,
            _ => Story::with(self.session, self.viewer, Own::of_any_cards)?,
        };
        let search = Search {
            effort: &self.search,
            story: &story,
            words: self.session.table().words(),
            texts: self.session.texts().len() as u32,
            piles: knows_piles(&self.session.table().rules),
            desk: RefCell::default(),
        };
        let mut levels = Levels::default();
        for (lot, (cast, share)) in lots.iter().enumerate() {
            let mut log = Log::default();
            // Rules may refuse some cards only where they begin.
            if let Ok(game) = self.session.beginning_with(cast, &mut log) {
                search.begin_one(game, &log, (lot as u32, *share), &mut levels);
            }
        }
        let mut found = search.run(levels)?;
        if some {
            found.sampled = true;
            found.ruled_out.clear();
        }
        Ok(found)
    }

    /// The cards that there may be: where a table leaves some to chance nobody is told which were drawn. Also whether these
    /// are but some of them.
    fn lots(&self) -> Result<(Vec<(PlannedCast, Share)>, bool), NoWorlds> {
        let Table {
            rules,
            hooks,
            names,
            cast,
            ..
        } = self.session.table();
        let most = self.search.most.min(MOST_LOTS);
        if let Some(lots) = casting::lots(rules, hooks, cast, names.len(), most) {
            return Ok((lots, false));
        }
        let mut chance = Chance::of_game(self.search.seed.ok_or(NoWorlds::TooMany)?, u64::MAX);
        let drawn = (0..most).filter_map(|_| casting::lot(rules, hooks, cast, names.len(), &mut chance));
        Ok((drawn.map(|cast| (cast, (1, most as u128))).collect(), true))
    }
}

/// What has reached a viewer, and what he answered when how much had.
#[derive(Debug)]
struct Story {
    sight: Sight,
    items: Vec<Item>,
    /// His own answers.
    own: Vec<(usize, Own)>,
    /// How many answers were given since that did not reach him.
    silent: usize,
    /// Whether the game waits for nobody but chance.
    draws: bool,
    /// Answers of others that he has heard of since, where worlds need not be counted: only those are looked at in
    /// which they are given.
    heard_of: Option<Vec<HeardOf>>,
}

/// How the viewer knows an answer of his own, which may be another one in another world.
#[derive(Clone, Copy, Debug)]
enum Own {
    /// As it was given.
    Is(Choice),
    /// It picks a card of which he saw only where it lay.
    Lies(Choice, Place),
    /// By nothing but what reached him since.
    Unknown,
}

impl Own {
    fn of(game: &Game, choice: Choice) -> Own {
        let unseen = picked(game, choice).filter(|(_, unseen)| *unseen);
        let place = unseen.and_then(|(card, _)| game.look().place(card));
        place.map_or(Own::Is(choice), |place| Own::Lies(choice, place))
    }

    /// The same where the cards are not known: one that he saw has other numbers in other worlds, and the same words.
    fn of_any_cards(game: &Game, choice: Choice) -> Own {
        match Own::of(game, choice) {
            Own::Is(choice) if picks_a_card(choice) => Own::Unknown,
            own => own,
        }
    }

    /// What it is in a world, where it is known; a card that nobody has where none lies there.
    fn here(self, game: &Game) -> Option<Choice> {
        match self {
            Own::Is(choice) => Some(choice),
            Own::Unknown => None,
            Own::Lies(choice, place) => {
                let look = game.look();
                let there = (0..look.things().len()).find(|card| look.place(*card) == Some(place));
                Some(with_card(choice, there.map_or(u8::MAX, |card| card as u8)))
            }
        }
    }
}

/// The card that is picked with a deed, if one is, and whether only by where it lies.
pub fn picked(game: &Game, deed: Choice) -> Option<(usize, bool)> {
    let (card, among) = match (deed, game.pending()) {
        (Choice::Card(card), Pending::Ask(asked)) => (card, Some(asked.domain)),
        (
            Choice::Branch {
                branch,
                target: Target::Card(card),
            },
            _,
        ) => {
            let open = game.branches().find(|open| open.branch == branch);
            (card, open.and_then(|open| open.among))
        }
        (
            Choice::Offer {
                target: Target::Card(card),
                ..
            },
            _,
        ) => (card, None),
        _ => return None,
    };
    let unseen = matches!(among, Some(Domain::Cards { unseen: true, .. }));
    Some((usize::from(card), unseen))
}

/// The same deed with another card.
pub fn with_card(deed: Choice, card: u8) -> Choice {
    let target = Target::Card(card);
    match deed {
        Choice::Branch { branch, .. } => Choice::Branch { branch, target },
        Choice::Offer { offer, by, .. } => Choice::Offer { offer, by, target },
        _ => Choice::Card(card),
    }
}

/// An answer that is known when so much has been heard.
#[derive(Debug)]
struct HeardOf {
    at: usize,
    question: String,
    seat: u8,
    answer: Value,
}

impl HeardOf {
    /// What is heard of answers in an event.
    fn of(at: usize, words: &Words<'_>, event: &Happened) -> Vec<HeardOf> {
        let (question, who, answer) = match &event.what {
            What::Answered {
                site, who, answer, ..
            } => (Some(&words.rules.ask(*site).name), *who, Some(answer)),
            What::Said { site, values } => match &values[..] {
                [Value::Players(who), answer] => (
                    words.rules.says[site.index()].question.as_ref(),
                    *who,
                    Some(answer),
                ),
                _ => (None, 0, None),
            },
            _ => (None, 0, None),
        };
        let (Some(question), Some(answer)) = (question, answer) else {
            return Vec::new();
        };
        let of = |seat| HeardOf {
            at,
            question: question.clone(),
            seat,
            answer: answer.clone(),
        };
        members(who).map(of).collect()
    }

    /// Whether a choice may be the answer.
    fn fits(&self, choice: Choice) -> bool {
        match (choice, &self.answer) {
            (Choice::Seat(seat), Value::Players(seats)) => seats >> seat & 1 == 1,
            (Choice::Seat(_) | Choice::Number(_) | Choice::Title(_), Value::Nobody) => false,
            (Choice::Pass, answer) => matches!(answer, Value::Nobody | Value::Players(0)),
            (Choice::Number(number), Value::Number(heard)) => number == *heard,
            (Choice::Title(title), Value::Titles(titles)) => {
                titles.checked_shr(title.into()).unwrap_or(0) & 1 == 1
            }
            (Choice::Yes, Value::Truth(yes)) => *yes,
            (Choice::No, Value::Truth(yes)) => !yes,
            _ => true,
        }
    }
}

impl Story {
    fn new(viewer: Viewer) -> Story {
        Story {
            sight: Sight::of(viewer),
            items: Vec::new(),
            own: Vec::new(),
            silent: 0,
            draws: false,
            heard_of: None,
        }
    }

    fn of(session: &Session, viewer: Viewer) -> Result<Story, NoWorlds> {
        Story::with(session, viewer, Own::of)
    }

    /// How the viewer knows his own answers is said by `own`.
    fn with(
        session: &Session,
        viewer: Viewer,
        own: impl Fn(&Game, Choice) -> Own,
    ) -> Result<Story, NoWorlds> {
        let (mut story, words) = (Story::new(viewer), session.table().words());
        let mut log = Log::default();
        let mut game = session.beginning(&mut log);
        for choice in session.answers().iter().map(Some).chain([None]) {
            story.hear(&game, &words, &log.events);
            let Some(&choice) = choice else { break };
            if let Choice::ByHand(_) = choice {
                return Err(NoWorlds::ByHand);
            }
            if is_own(viewer, asks(&game, viewer), choice) {
                story.own.push((story.items.len(), own(&game, choice)));
            }
            log = Log::default();
            story.silent += usize::from(is_answered(&game));
            game.apply(choice, &mut log)
                .expect("a replay gives the same game");
        }
        story.draws = matches!(game.pending(), Pending::Chance(_));
        Ok(story)
    }

    /// What happened up to where the game stands now.
    fn hear(&mut self, game: &Game, words: &Words<'_>, events: &[Happened]) {
        let before = self.items.len();
        for event in events {
            if let Some(heard_of) = &mut self.heard_of
                && event.audience.includes(self.sight.viewer())
            {
                heard_of.extend(HeardOf::of(self.items.len(), words, event));
            }
            self.items.extend(self.sight.reached(game, words, event));
        }
        if self.items.len() > before {
            self.silent = 0;
        }
    }
}

/// Whether an answer is the viewer's own, who is asked or not.
fn is_own(viewer: Viewer, asked: bool, choice: Choice) -> bool {
    match choice {
        Choice::Offer { by, .. } => by.is_some_and(|by| viewer == Viewer::Seat(by)),
        _ => asked,
    }
}

// ---- What somebody believes while he plays
/// What a seat has heard so far, and some of the worlds that fit it: it goes on from those it knew.
pub struct Belief {
    viewer: Viewer,
    story: Story,
    worlds: Vec<World>,
    /// Whether he is asked where the game stood last, and how many texts had been written.
    asked: bool,
    texts: u32,
}

impl Belief {
    /// What a seat knows before a game begins.
    pub fn new(seat: u8) -> Belief {
        let viewer = Viewer::Seat(seat);
        Belief {
            viewer,
            story: Story {
                heard_of: Some(Vec::new()),
                ..Story::new(viewer)
            },
            worlds: Vec::new(),
            asked: false,
            texts: 0,
        }
    }

    /// The game has come to the next question: what was answered to the last one, and what happened since.
    pub fn hear(&mut self, game: &Game, words: &Words<'_>, answered: Option<Choice>, events: &[Happened]) {
        if let Some(choice) = answered {
            if is_own(self.viewer, self.asked, choice) {
                // In another world the card has another number, and the same words.
                let own = match picks_a_card(choice) {
                    true => Own::Unknown,
                    false => Own::Is(choice),
                };
                self.story.own.push((self.story.items.len(), own));
            }
            self.story.silent += 1;
        }
        self.story.hear(game, words, events);
        self.asked = asks(game, self.viewer);
        self.texts = game.texts().len() as u32;
    }

    /// How much has reached the seat.
    pub fn heard(&self) -> usize {
        self.story.items.len()
    }

    /// Some worlds that fit, from a game as it begins; none where none was found.
    pub fn worlds(&mut self, words: Words<'_>, beginning: (&Game, &Log), effort: &Effort<'_>) -> &[World] {
        let piles = knows_piles(words.rules);
        for again in [false, true] {
            let search = Search {
                effort,
                story: &self.story,
                words,
                texts: self.texts,
                piles,
                desk: RefCell::default(),
            };
            let known = std::mem::take(&mut self.worlds);
            let levels = match known.is_empty() || again {
                true => search.begin(beginning.0.clone(), beginning.1),
                false => {
                    let mut levels = Levels::default();
                    known
                        .into_iter()
                        .for_each(|world| levels.add(world, effort.alike));
                    levels
                }
            };
            if let Ok(found) = search.run(levels) {
                self.worlds = found.worlds;
                break;
            }
        }
        self.worlds.iter_mut().for_each(|world| world.answers.clear());
        &self.worlds
    }
}

/// Whether an answer has the number of a card in it.
fn picks_a_card(choice: Choice) -> bool {
    match choice {
        Choice::Card(_) => true,
        Choice::Branch { target, .. } | Choice::Offer { target, .. } => matches!(target, Target::Card(_)),
        _ => false,
    }
}

/// Whether somebody answers, and not chance.
fn is_answered(game: &Game) -> bool {
    matches!(game.pending(), Pending::Ask(_))
}

/// Whether the viewer has to answer.
fn asks(game: &Game, viewer: Viewer) -> bool {
    match (game.pending(), viewer) {
        (Pending::Ask(Asked { who, host, .. }), Viewer::Seat(seat)) => !host && who >> seat & 1 == 1,
        _ => false,
    }
}

/// Whether the rules ever look at what lies on top: then two cards of a pile are never one, however alike they look.
fn knows_piles(rules: &Ruleset) -> bool {
    { rules.code.iter() }.any(|op| matches!(op, Op::TopOf { .. } | Op::Topmost { .. }))
}

/// Where an answer led.
enum Led {
    /// The viewer would have heard something else.
    Nowhere,
    /// Nothing more has reached him.
    On(Box<World>),
    /// Something has.
    Further(Box<World>),
}

struct Search<'a> {
    effort: &'a Effort<'a>,
    story: &'a Story,
    words: Words<'a>,
    /// How many texts have been written.
    texts: u32,
    piles: bool,
    /// The game in which answers are tried.
    desk: RefCell<Option<Game>>,
}

impl Search<'_> {
    fn run(&self, mut levels: Levels) -> Result<Worlds, NoWorlds> {
        let goal = self.story.items.len();
        let mut found = Worlds {
            worlds: Vec::new(),
            sampled: false,
            ruled_out: Vec::new(),
        };
        let mut known = Known::default();
        while let Some((heard, mut worlds)) = levels.next() {
            if (self.effort.stop)() {
                return Err(NoWorlds::Stopped);
            }
            // Between levels only what all worlds have in common can be told: where some are further, not yet.
            // Of some that were drawn it follows nothing.
            if levels.is_empty() && !found.sampled {
                self.rule_out(&mut known, &worlds, heard, &mut found.ruled_out);
            }
            level_out(&mut worlds);
            if heard == goal {
                // What comes in silence has come as far as in the game that is played.
                let (there, under_way): (Vec<_>, Vec<_>) =
                    worlds.into_iter().partition(|world| self.is_there(world));
                if under_way.is_empty() {
                    found.worlds = there;
                    return Ok(found);
                }
                self.add_all(there.into_iter(), &mut levels)?;
                worlds = under_way;
            }
            if worlds.len() > self.effort.most || !self.go_on(&worlds, &mut levels)? {
                let seed = self.effort.seed.ok_or(NoWorlds::TooMany)?;
                found.sampled = true;
                self.draw(&worlds, heard, seed, &mut levels)?;
            }
        }
        Err(NoWorlds::NoneFits)
    }

    /// Whether a world stands where the game stands that is played, for all that the viewer can tell.
    fn is_there(&self, world: &World) -> bool {
        world.heard == self.story.items.len()
            && world.silent == self.story.silent
            && (self.story.draws || !matches!(world.game.pending(), Pending::Chance(_)))
    }

    fn begin(&self, game: Game, log: &Log) -> Levels {
        let mut levels = Levels::default();
        self.begin_one(game, log, (0, (1, 1)), &mut levels);
        levels
    }

    /// A game that may be the one, with the number of its cards and their chance.
    fn begin_one(&self, game: Game, log: &Log, (lot, share): (u32, Share), levels: &mut Levels) {
        let Some((heard, sight)) = self.hear(&game, log, (0, Sight::of(self.viewer()))) else {
            return;
        };
        let world = World {
            game,
            lot,
            weight: part(WEIGHT, share).max(1),
            answers: Vec::new(),
            heard,
            own: 0,
            silent: 0,
            sight,
        };
        levels.add(world, self.effort.alike);
    }

    fn viewer(&self) -> Viewer {
        self.story.sight.viewer()
    }

    /// Goes from each of these worlds all ways to where something reaches the viewer; `false` where there are too many.
    fn go_on(&self, worlds: &[World], levels: &mut Levels) -> Result<bool, NoWorlds> {
        let (mut steps, mut reached) = (0, Levels::default());
        for world in worlds {
            let mut open = vec![(world.clone(), 0)];
            while let Some((world, silent)) = open.pop() {
                for (choice, share) in self.ways(&world) {
                    steps += 1;
                    if steps % SOON == 0 && (self.effort.stop)() {
                        return Err(NoWorlds::Stopped);
                    }
                    if steps > self.effort.steps || reached.known > 2 * self.effort.most {
                        return Ok(false);
                    }
                    match self.give(&world, choice, share) {
                        Led::Further(world) => reached.add(*world, self.effort.alike),
                        Led::On(world) if silent < MOST_SILENT => open.push((*world, silent + 1)),
                        Led::On(_) | Led::Nowhere => {}
                    }
                }
            }
        }
        self.add_all(
            reached.levels.into_values().flat_map(|level| level.worlds),
            levels,
        )?;
        Ok(true)
    }

    fn add_all(&self, worlds: impl Iterator<Item = World>, levels: &mut Levels) -> Result<(), NoWorlds> {
        for (number, world) in worlds.enumerate() {
            if number % SOON == 0 && (self.effort.stop)() {
                return Err(NoWorlds::Stopped);
            }
            levels.add(world, self.effort.alike);
        }
        Ok(())
    }

    /// Draws worlds by their weights, and goes on from each by chance, until enough have come to the next thing that
    /// reaches the viewer.
    fn draw(&self, worlds: &[World], heard: usize, seed: u64, levels: &mut Levels) -> Result<(), NoWorlds> {
        let mut chance = Chance::of_game(seed, heard as u64);
        let whole: u128 = worlds.iter().map(|world| world.weight).sum();
        let wanted = self.effort.most.max(1);
        let mut reached = 0;
        for drawn in 0..wanted * MORE {
            if drawn >= wanted && reached * MORE > wanted || reached >= wanted {
                break;
            }
            let mut world = one_of(worlds, whole, &mut chance).clone();
            world.weight = WEIGHT / (wanted * MORE) as u128;
            for silent in 0..MOST_SILENT {
                if silent % SOON == 0 && (self.effort.stop)() {
                    return Err(NoWorlds::Stopped);
                }
                let ways = self.ways(&world);
                let Some(choice) = drawn_of(&ways, &mut chance) else {
                    break;
                };
                match self.give(&world, choice, (1, 1)) {
                    Led::Further(world) => {
                        reached += 1;
                        levels.add(*world, self.effort.alike);
                        break;
                    }
                    Led::On(next) => world = *next,
                    Led::Nowhere => break,
                }
            }
        }
        Ok(())
    }

    /// What may be answered in a world: by the viewer what he did answer, by others all they could.
    fn ways(&self, world: &World) -> Vec<Way> {
        let own = self.own(world);
        let asked = asks(&world.game, self.viewer());
        match own {
            Some(Some(choice))
                if world.game.may(choice).is_ok() && (asked || matches!(choice, Choice::Offer { .. })) =>
            {
                return vec![(choice, (1, 1))];
            }
            Some(None) if asked => {
                let all = ways::answers(&world.game).into_iter();
                return all.map(|choice| (choice, (1, 1))).collect();
            }
            _ if asked => return Vec::new(),
            _ => {}
        }
        let mut ways = Vec::new();
        self.effort.players.ways(&world.game, &mut ways);
        ways.retain(|(choice, _)| !is_own(self.viewer(), false, *choice));
        match world.game.pending() {
            Pending::Chance(drawn) => self.merge(&world.game, &mut ways, drawn.domain),
            Pending::Ask(asked) => {
                self.more(&asked, &mut ways);
                self.heard_of(world, &asked, &mut ways);
            }
            Pending::Over(_) | Pending::Broken(_) => {}
        }
        ways
    }

    /// Leaves the ways by which somebody answers what the viewer hears of later.
    fn heard_of(&self, world: &World, asked: &Asked, ways: &mut Vec<Way>) {
        let Some(heard_of) = &self.story.heard_of else {
            return;
        };
        let question = &self.words.rules.ask(asked.site).name;
        let next = heard_of.partition_point(|heard| heard.at < world.heard);
        let is_it = |heard: &&HeardOf| asked.who >> heard.seat & 1 == 1 && heard.question == *question;
        if let Some(heard) = heard_of[next..].iter().find(is_it) {
            ways.retain(|(choice, _)| matches!(choice, Choice::Offer { .. }) || heard.fits(*choice));
        }
    }

    /// The viewer's own answer that comes next, if it is its turn; in it nothing where it is not known.
    fn own(&self, world: &World) -> Option<Option<Choice>> {
        let next = self.story.own.get(world.own);
        next.filter(|(when, _)| *when == world.heard)
            .map(|(_, own)| own.here(&world.game))
    }

    /// Of cards that look alike and lie in one place one is drawn for all.
    fn merge(&self, game: &Game, ways: &mut Vec<Way>, domain: Domain) {
        if self.piles || !matches!(domain, Domain::Cards { .. }) {
            return;
        }
        let things = game.look().things();
        let sort = |choice: Choice| match choice {
            Choice::Card(card) => things
                .get(usize::from(card))
                .map(|thing| Thing { height: 0, ..*thing }),
            _ => None,
        };
        let mut merged: Vec<Way> = Vec::new();
        for &(choice, share) in ways.iter() {
            let same = |(other, _): &&mut Way| sort(choice).is_some() && sort(*other) == sort(choice);
            match merged.iter_mut().find(same) {
                // Each of these is as likely as the other.
                Some((_, (over, _))) => *over += share.0,
                None => merged.push((choice, share)),
            }
        }
        *ways = merged;
    }

    /// What nobody answers at random: that the time was over, and what was written.
    fn more(&self, asked: &Asked, ways: &mut Vec<Way>) {
        let share = (1, 1 + ways.len() as u128);
        if asked.limit.is_some() && asked.domain != Domain::Go {
            ways.push((Choice::TimeUp, share));
        }
        if let Domain::Text { .. } = asked.domain {
            let texts = 1..=self.texts;
            ways.extend(texts.map(|text| (Choice::TO_WRITE.with_text(text), share)));
        }
    }

    fn give(&self, world: &World, choice: Choice, share: Share) -> Led {
        let own = self.own(world).is_some_and(|own| {
            own.is_none_or(|own| own == choice)
                && is_own(self.viewer(), asks(&world.game, self.viewer()), choice)
        });
        let mut desk = self.desk.borrow_mut();
        let game = match &mut *desk {
            Some(game) => {
                game.clone_from(&world.game);
                game
            }
            none => none.insert(world.game.clone()),
        };
        let mut log = Log::default();
        if game.apply(choice, &mut log).is_err() {
            return Led::Nowhere;
        }
        let Some((heard, sight)) = self.hear(game, &log, (world.heard, world.sight)) else {
            return Led::Nowhere;
        };
        let answers = world.answers.iter().copied().chain([choice]);
        let further = heard > world.heard;
        let next = World {
            game: game.folded(),
            lot: world.lot,
            weight: part(world.weight, share).max(1),
            answers: answers.collect(),
            heard,
            own: world.own + usize::from(own),
            silent: match further {
                true => 0,
                false => world.silent + usize::from(is_answered(&world.game)),
            },
            sight,
        };
        self.led(next, further)
    }

    /// How much has come when this has happened; nothing where what reaches the viewer is not what reached him.
    fn hear(&self, game: &Game, log: &Log, (mut heard, mut sight): (usize, Sight)) -> Option<(usize, Sight)> {
        for event in &log.events {
            for item in sight.reached(game, &self.words, event) {
                if self.story.items.get(heard) != Some(&item) {
                    return None;
                }
                heard += 1;
            }
        }
        Some((heard, sight))
    }

    fn led(&self, world: World, further: bool) -> Led {
        match further || self.is_there(&world) {
            true => Led::Further(Box::new(world)),
            false => Led::On(Box::new(world)),
        }
    }

    /// Notes what no card can be any more.
    fn rule_out(&self, known: &mut Known, worlds: &[World], heard: usize, out: &mut Vec<RuledOut>) {
        let seats = self.words.names.len() as u8;
        let now: Vec<u64> = (0..seats).map(|seat| roles(worlds, seat)).collect();
        let told = self.story.items[known.heard..heard].iter().filter_map(Item::told);
        // Behind the bar stand the cards of a question by their names, which compare and are not for people.
        let plain = told.map(|told| told.split(" | ").next().unwrap_or_default().to_owned());
        let by: Vec<String> = plain.collect();
        for (seat, (before, now)) in known.possible.iter().zip(&now).enumerate() {
            if before & !now != 0 {
                out.push(RuledOut {
                    seat: seat as u8,
                    roles: before & !now,
                    by: by.clone(),
                });
            }
        }
        *known = Known { heard, possible: now };
    }
}

/// Which roles may have lain at each seat when so much had been heard.
#[derive(Default)]
struct Known {
    heard: usize,
    possible: Vec<u64>,
}

/// Worlds by how much of what reached the viewer has come, those that are alike as one.
#[derive(Default)]
struct Levels {
    levels: BTreeMap<usize, Level>,
    /// How many worlds were ever added and are not one with another.
    known: usize,
}

#[derive(Default)]
struct Level {
    worlds: Vec<World>,
    known: BTreeMap<(usize, u32, Key), usize>,
}

/// By what worlds are put together.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Alike(Vec<u64>),
    /// All that is so of the game.
    Whole(Position),
}

impl Levels {
    fn add(&mut self, world: World, alike: Option<Alike<'_>>) {
        let level = self.levels.entry(world.heard).or_default();
        let mut whole = Position::default();
        let key = match alike {
            Some(alike) => Key::Alike(alike(&world.game)),
            None if world.game.stand(&mut whole) => Key::Whole(whole),
            // A game that is over stands nowhere.
            None => {
                self.known += 1;
                return level.worlds.push(world);
            }
        };
        match level.known.entry((world.own, world.lot, key)) {
            Entry::Occupied(same) => level.worlds[*same.get()].weight += world.weight,
            Entry::Vacant(new) => {
                new.insert(level.worlds.len());
                level.worlds.push(world);
                self.known += 1;
            }
        }
    }

    fn next(&mut self) -> Option<(usize, Vec<World>)> {
        self.levels
            .pop_first()
            .map(|(heard, level)| (heard, level.worlds))
    }

    fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

/// A part of a weight, so many of so many.
fn part(weight: u128, (over, under): Share) -> u128 {
    let (whole, rest) = (weight / under, weight % under);
    whole.saturating_mul(over) + rest.saturating_mul(over) / under
}

/// Weights that grow small are made large again, all alike.
fn level_out(worlds: &mut [World]) {
    let most = worlds.iter().map(|world| world.weight).max().unwrap_or(WEIGHT);
    let more = most.leading_zeros().saturating_sub(WEIGHT.leading_zeros());
    worlds.iter_mut().for_each(|world| world.weight <<= more);
}

/// One of some worlds, each by its weight; they are some, and weigh so much together.
pub fn one_of<'w>(worlds: &'w [World], whole: u128, chance: &mut Chance) -> &'w World {
    let mut left = scaled(whole, chance);
    let found = worlds.iter().find(|world| {
        let here = left < world.weight;
        left = left.saturating_sub(world.weight);
        here
    });
    found.unwrap_or(&worlds[worlds.len() - 1])
}

/// A number below a whole, by chance.
fn scaled(whole: u128, chance: &mut Chance) -> u128 {
    let bits = u128::from(chance.bits());
    (whole >> 64) * bits + (((whole & u128::from(u64::MAX)) * bits) >> 64)
}

fn drawn_of(ways: &[Way], chance: &mut Chance) -> Option<Choice> {
    let weights = ways.iter().map(|(_, share)| part(WEIGHT, *share));
    let mut left = scaled(weights.clone().sum(), chance);
    let found = ways.iter().zip(weights).find(|(_, weight)| {
        let here = left < *weight;
        left = left.saturating_sub(*weight);
        here
    });
    found
        .map(|(way, _)| way)
        .or(ways.last())
        .map(|(choice, _)| *choice)
}
