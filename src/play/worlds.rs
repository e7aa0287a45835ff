//! What somebody can know: the games that fit what has reached a viewer, and nothing else of the game that is played.
//!
//! Every deal and every choice the viewer did not make is tried, by its chance; a world is left out as soon as it would
//! have told the viewer something else, or asked him something else. His own answers are given, and weigh nothing. From
//! one thing that reaches the viewer to the next all ways are gone; where there are too many, some are drawn by their
//! chances, which is told.

use crate::{
    casting,
    chance::Chance,
    chances::{Players, Share, TooMany, Way},
    policy::Policy,
    session::{Session, Table},
    sight::{Item, Sight, When},
    strategy::Strategy,
    ways,
    words::{Words, members},
};
use omerta_core::rules::{Op, PlannedCast, Ruleset};
use omerta_engine::{
    Asked, Choice, Domain, Game, Happened, Log, Pending, Place, Position, Target, Thing, Value, Viewer, What,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fmt,
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// So many pauses in a row at which nothing reaches the viewer, and no more.
const MOST_SILENT: usize = 2_000;
/// After so many worlds it is asked whether somebody waits no longer; and after so small a part of the answers that may be
/// tried, whether they will be enough.
const SOON: usize = 64;
/// How worlds are drawn, one time after the other until some fit, and enough to tell a share within [`NEAR`].
const TRIES: [Guided; 4] = [Guided::Nothing, Guided::Answers, Guided::Cards, Guided::Cards];
/// So many points a share may be off.
const NEAR: u128 = 20;
/// So many worlds are taken further at a time.
const AT_A_TIME: usize = 512;
/// What all worlds of a level weigh together, at least about so much.
const WEIGHT: u128 = 1 << 90;
/// Of so many sets of cards that there may be each is looked at; of more as many are drawn.
const MOST_LOTS: usize = 1_000;
/// So many times halved, a weight is none beside others that are drawn from.
const HARDLY: u32 = 20;
/// So many times halved, a weight changes no share beside others that are counted.
const NEVER: u32 = 40;
/// So many worlds that were come to in silence are known again.
const MOST_KNOWN: usize = 4_000;
/// So many worlds are looked at where nobody waits for it with a clock in his hand.
const MOST_PATIENCE: usize = 30_000;
/// So many times as many answers as worlds are kept are tried in one go where some are drawn.
const MORE: usize = 4;
/// So many worlds are worth a thread.
const SHARE: usize = 16;

/// What two games have in common that go on alike: those that share it may be one.
pub type Print = (u64, u64);
/// The print of a game.
pub type Alike<'a> = &'a (dyn Fn(&Game) -> Print + Sync);
/// Hears how far it is; says whether there is no more time.
pub type Stop<'a> = &'a (dyn Fn(Far) -> bool + Sync);

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
    /// Whether it is kept which answers lead to each world.
    pub traced: bool,
    /// What drawing hangs on; nothing where worlds are counted, or not at all.
    pub seed: Option<u64>,
    /// Hears how far it is; says whether there is no more time.
    pub stop: Stop<'a>,
    /// What was found of other games, asked in the same way.
    pub recall: Option<&'a Recall>,
    /// By how many threads; what is found is the same on any number.
    pub threads: usize,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Far {
    /// How much of what reached the viewer has come in the worlds that are looked at.
    pub heard: usize,
    /// Of how much.
    pub of: usize,
    /// How many worlds there are at the moment.
    pub worlds: usize,
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
pub struct World {
    /// The game where it stands.
    pub game: Game,
    /// How likely it is, beside the others.
    pub weight: u128,
    /// The answers that led there, or those of one of the games that are one here, where they are kept.
    pub answers: Vec<Choice>,
    stage: Stage,
}

/// How far a world has come, and by what it may be one with another.
#[derive(Clone)]
struct Stage {
    /// How much of what reached the viewer has come.
    heard: usize,
    /// How many of his own answers have been given.
    own: usize,
    /// With which of the cards that there may be it is played.
    lot: u32,
    /// How many answers were given since that did not reach him.
    silent: usize,
    /// By what its weight is to be lowered once more has reached the viewer: for answers that he hears of later. Those that
    /// have given such answers already are beside others that will.
    owed: Share,
    /// From which of those that were drawn first it comes, a bit for some of them each; nothing where none was drawn yet.
    lines: u128,
    sight: Sight,
    key: Key,
}

/// A world before it is made: an answer in one of those that are at hand.
struct Bud {
    of: usize,
    choice: Choice,
    weight: u128,
    stage: Stage,
}

/// What has a weight beside its like.
trait Weighs {
    fn weight(&mut self) -> &mut u128;

    /// How far it has come, where it is more than a way.
    fn stage(&mut self) -> Option<&mut Stage> {
        None
    }
}

impl Weighs for World {
    fn weight(&mut self) -> &mut u128 {
        &mut self.weight
    }

    fn stage(&mut self) -> Option<&mut Stage> {
        Some(&mut self.stage)
    }
}

impl Weighs for Bud {
    fn weight(&mut self) -> &mut u128 {
        &mut self.weight
    }

    fn stage(&mut self) -> Option<&mut Stage> {
        Some(&mut self.stage)
    }
}

impl Weighs for Way {
    fn weight(&mut self) -> &mut u128 {
        &mut self.1.0
    }
}

/// A copy is kept beside many others: it takes no more room than the game fills.
impl Clone for World {
    fn clone(&self) -> World {
        World {
            game: self.game.folded(),
            weight: self.weight,
            answers: self.answers.clone(),
            stage: self.stage.clone(),
        }
    }
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

/// Where the lines that worlds come of leave no more spread than this, there are too many of them to be told apart.
const FEW_LINES: u128 = 12;

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
        let alone = spread(self.worlds.iter().map(|world| world.weight));
        let mut lines = [0; u128::BITS as usize];
        for World { weight, stage, .. } in &self.worlds {
            let of = (0..lines.len()).filter(|line| stage.lines >> line & 1 == 1);
            of.for_each(|line| lines[line] += weight / u128::from(stage.lines.count_ones()));
        }
        // Many that all come of a few tell no more than these; where they come of many, a bit stands for several.
        let few = spread(lines.into_iter().filter(|weight| *weight > 0));
        match few > FEW_LINES {
            true => alone.max(few),
            false => alone,
        }
    }

    /// The roles that may lie at a seat.
    pub fn roles(&self, seat: u8) -> u64 {
        roles(&self.worlds, seat)
    }
}

/// The spread of a share among some with these weights.
fn spread(weights: impl Iterator<Item = u128> + Clone) -> u128 {
    let heaviest = weights.clone().max().unwrap_or(1).max(1);
    // Weights as thousandths of the heaviest, so that their squares can be added.
    let weights = weights.map(|weight| (part(weight, (1000, 1)) / heaviest).max(1));
    let (all, squares) = weights.fold((0, 0), |(all, squares), weight| {
        (all + weight, squares + weight * weight)
    });
    (SPREAD * SPREAD * squares / (all * all).max(1)).isqrt().min(100)
}

fn roles(worlds: &[World], seat: u8) -> u64 {
    let roles = { worlds.iter() }.map(|world| world.game.look().roles_of(1 << seat));
    roles.fold(0, |all, roles| all | roles)
}

/// The worlds in which only games of which all is the same are put together, so that whatever may be asked of them is
/// there, when all choose at random.
pub fn fitting(session: &Session, viewer: Viewer) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (20_000, 300_000, None), &patience(), &is_near)
}

/// So many of them, drawn where there are more.
pub fn some_fitting(session: &Session, viewer: Viewer, most: usize) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (most, 50 * most, Some(0)), &patience(), &is_near)
}

/// So many of them at the most, drawn in one way after the other until they are enough.
pub fn enough_fitting(
    session: &Session,
    viewer: Viewer,
    most: usize,
    enough: impl Fn(&Worlds) -> bool,
) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (most, 50 * most, Some(0)), &patience(), &enough)
}

/// All of them, where there are no more than so many and no more than so many answers between two things that reach the
/// viewer, and there is time.
pub fn all_fitting(
    session: &Session,
    viewer: Viewer,
    (most, steps): (usize, usize),
    stop: Stop<'_>,
) -> Result<Worlds, NoWorlds> {
    fitting_within(session, viewer, (most, steps, None), stop, &is_near)
}

/// An end of all patience that comes with the work and not with the clock, so that it is the same on each machine.
fn patience() -> impl Fn(Far) -> bool + Sync {
    let left = AtomicUsize::new(MOST_PATIENCE);
    move |_| left.fetch_sub(1, Ordering::Relaxed) <= 1
}

/// Whether a share among those that were drawn is as good as the true one.
fn is_near(found: &Worlds) -> bool {
    found.within() <= NEAR
}

fn fitting_within(
    session: &Session,
    viewer: Viewer,
    (most, steps, seed): (usize, usize, Option<u64>),
    stop: Stop<'_>,
    enough: &dyn Fn(&Worlds) -> bool,
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
        traced: true,
        seed,
        stop,
        recall: None,
        threads: 1,
    };
    let inquiry = Inquiry {
        session,
        viewer,
        search,
    };
    inquiry.worlds_until(enough)
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
        self.worlds_until(&is_near)
    }

    fn worlds_until(&self, enough: &dyn Fn(&Worlds) -> bool) -> Result<Worlds, NoWorlds> {
        let (lots, some) = self.lots()?;
        let story = match lots.len() {
            1 => Story::of(self.session, self.viewer)?,
            _ => Story::with(self.session, self.viewer, Own::of_any_cards)?,
        };
        let mut search = Search {
            effort: &self.search,
            story: &story,
            words: self.session.table().words(),
            texts: self.session.texts().len() as u32,
            guided: Guided::Nothing,
            piles: knows_piles(&self.session.table().rules),
            looked: AtomicUsize::default(),
            desks: Mutex::default(),
        };
        let recall = self.search.recall.map(|recall| &recall.0);
        let mut kept = recall.map(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(kept) = &mut kept {
            kept.turn_to(self.session, &story);
        }
        let mut levels = Levels::default();
        for (lot, (cast, share)) in lots.iter().enumerate() {
            let mut log = Log::default();
            // Rules may refuse some cards only where they begin.
            if let Ok(game) = self.session.beginning_with(cast, &mut log) {
                search.begin_one(game, &log, (lot as u32, *share), &mut levels);
            }
        }
        let mut found = search.again_and_again(&levels, kept.as_deref_mut(), enough)?;
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
    /// Answers of others that he has heard of since.
    heard_of: Vec<HeardOf>,
    /// The roles that were first dealt to seats of which he has heard since.
    dealt: BTreeMap<u8, u64>,
}

/// How the viewer knows an answer of his own, which may be another one in another world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
            heard_of: Vec::new(),
            dealt: BTreeMap::new(),
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
        let mut dealt = BTreeMap::new();
        for choice in session.answers().iter().map(Some).chain([None]) {
            story.hear(&game, &words, &log.events);
            for seat in 0..words.names.len() as u8 {
                let roles = game.look().roles_of(1 << seat);
                if roles != 0 && *dealt.entry(seat).or_insert(roles) == roles {
                    let told = log
                        .events
                        .iter()
                        .any(|event| is_turned_up(event, viewer, seat, roles));
                    told.then(|| story.dealt.insert(seat, roles));
                }
            }
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
            if event.audience.includes(self.sight.viewer()) {
                self.heard_of.extend(HeardOf::of(self.items.len(), words, event));
            }
            self.items.extend(self.sight.reached(game, words, event));
        }
        if self.items.len() > before {
            self.silent = 0;
        }
    }
}

/// Whether the viewer is told by an event that somebody has these roles.
fn is_turned_up(event: &Happened, viewer: Viewer, seat: u8, roles: u64) -> bool {
    let is_so = |values: &[Value]| {
        values.contains(&Value::Players(1 << seat)) && values.contains(&Value::Titles(roles))
    };
    matches!(&event.what, What::Said { values, .. } if is_so(values)) && event.audience.includes(viewer)
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
            story: Story::new(viewer),
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
                guided: Guided::Answers,
                piles,
                looked: AtomicUsize::default(),
                desks: Mutex::default(),
            };
            let known = std::mem::take(&mut self.worlds);
            let levels = match known.is_empty() || again {
                true => search.begin(beginning.0.clone(), beginning.1),
                false => {
                    let mut levels = Levels::default();
                    known.into_iter().for_each(|world| levels.add(world));
                    levels
                }
            };
            if let Ok(found) = search.run(levels, None, 0) {
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

/// By what that the viewer hears later worlds are left out early. Each may be so in other worlds than those that come to
/// what he hears, so where worlds are counted it is nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Guided {
    Nothing,
    /// By the answers: he may hear of one that was given to the same question at another time.
    Answers,
    /// By the cards that are turned up, too, as those that were dealt: they may have come there since.
    Cards,
}

struct Search<'a> {
    effort: &'a Effort<'a>,
    story: &'a Story,
    words: Words<'a>,
    /// How many texts have been written.
    texts: u32,
    guided: Guided,
    piles: bool,
    /// Up to where the story was looked at to tell which worlds fit: one answer may bring more than one thing.
    looked: AtomicUsize,
    /// Games in which answers are tried, each by one thread at a time.
    desks: Mutex<Vec<Game>>,
}

/// What comes of answers in worlds of one level.
struct Found<T> {
    /// Where nothing more has reached the viewer.
    on: Level<T>,
    further: Levels,
    /// How many answers were tried.
    tried: usize,
}

/// By hand: it can be made of anything.
impl<T> Default for Found<T> {
    fn default() -> Found<T> {
        Found {
            on: Level::default(),
            further: Levels::default(),
            tried: 0,
        }
    }
}

impl Search<'_> {
    /// Where none of those that were drawn fits, or they are not enough, others are drawn, some times.
    fn again_and_again(
        &mut self,
        levels: &Levels,
        mut kept: Option<&mut Kept>,
        enough: &dyn Fn(&Worlds) -> bool,
    ) -> Result<Worlds, NoWorlds> {
        let mut best: Option<Worlds> = None;
        for (again, guided) in (0..).zip(TRIES) {
            self.guided = guided;
            match self.run(levels.clone(), kept.as_deref_mut(), again) {
                Err(NoWorlds::NoneFits) => {}
                Err(why) => return best.ok_or(why),
                Ok(found) if !found.sampled || enough(&found) => return Ok(found),
                Ok(found) => best = best.into_iter().chain([found]).min_by_key(Worlds::within),
            }
        }
        best.ok_or(NoWorlds::NoneFits)
    }

    /// Goes on from where the worlds are; from further on where it is known what comes of them. What is drawn hangs on how
    /// often it was tried.
    fn run(&self, mut levels: Levels, mut kept: Option<&mut Kept>, again: u64) -> Result<Worlds, NoWorlds> {
        let goal = self.story.items.len();
        let mut found = Worlds {
            worlds: Vec::new(),
            sampled: false,
            ruled_out: Vec::new(),
        };
        let mut known = Known::default();
        let mut lots = Lots::of(self.effort.seed, again);
        // Where some are left out, those that are looked at are but some, too.
        lots.drawn = self.guided != Guided::Nothing;
        self.looked.store(0, Ordering::Relaxed);
        if let Some(moment) = kept.as_ref().and_then(|kept| kept.moments.last()) {
            self.looked.store(moment.looked, Ordering::Relaxed);
            levels = moment.levels.clone();
            known = moment.known.clone();
            found.ruled_out.clone_from(&moment.ruled_out);
        }
        loop {
            if let (Some(kept), false) = (&mut kept, lots.drawn) {
                let looked = self.looked.load(Ordering::Relaxed);
                kept.keep(&levels, looked, &known, &found.ruled_out);
            }
            let Some((heard, mut worlds)) = levels.next() else {
                return Err(NoWorlds::NoneFits);
            };
            self.heed(heard, worlds.len())?;
            // Between levels only what all worlds have in common can be told: where some are further, not yet.
            // Of some that were drawn it follows nothing. Where something later has left some out, it is told by that.
            let is_settled = heard == goal || self.looked.load(Ordering::Relaxed) <= heard;
            if levels.is_empty() && !lots.drawn && is_settled {
                self.rule_out(&mut known, &worlds, heard, &mut found.ruled_out);
            }
            levels.level_out(&mut worlds);
            if heard == goal {
                // What comes in silence has come as far as in the game that is played.
                let is_there = |world: &World| self.is_there(&world.game, &world.stage);
                let (there, under_way): (Vec<_>, Vec<_>) = worlds.into_iter().partition(is_there);
                if under_way.is_empty() {
                    found.worlds = there;
                    found.sampled = lots.drawn;
                    return Ok(found);
                }
                there.into_iter().for_each(|world| levels.add(world));
                worlds = under_way;
            }
            self.go_on(worlds, &mut levels, &mut lots)?;
        }
    }

    /// Whether a world stands where the game stands that is played, for all that the viewer can tell.
    fn is_there(&self, game: &Game, stage: &Stage) -> bool {
        stage.heard == self.story.items.len()
            && stage.silent == self.story.silent
            && (self.story.draws || !matches!(game.pending(), Pending::Chance(_)))
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
        let stage = Stage {
            heard,
            own: 0,
            lot,
            silent: 0,
            owed: (1, 1),
            lines: 0,
            sight,
            key: self.key(&game),
        };
        levels.add(World {
            game,
            weight: part(WEIGHT, share).max(1),
            answers: Vec::new(),
            stage,
        });
    }

    fn viewer(&self) -> Viewer {
        self.story.sight.viewer()
    }

    /// Goes from each of these worlds to where something reaches the viewer: all ways, or where those are too many, some.
    fn go_on(&self, worlds: Vec<World>, levels: &mut Levels, lots: &mut Lots) -> Result<(), NoWorlds> {
        let reached = match self.all_ways(&worlds)? {
            Some(reached) => reached,
            None => self.some_ways(worlds, lots)?,
        };
        levels.absorb(reached);
        Ok(())
    }

    /// Goes all ways, with some worlds at a time: those of them that have become alike on the way are one. Nothing where
    /// there are too many, or clearly will be.
    fn all_ways(&self, worlds: &[World]) -> Result<Option<Levels>, NoWorlds> {
        let Effort {
            most, steps: room, ..
        } = *self.effort;
        if worlds.len() > most {
            return Ok(None);
        }
        let weight = |worlds: &[World]| worlds.iter().map(|world| world.weight).sum::<u128>();
        let first = worlds
            .chunks(AT_A_TIME)
            .rev()
            .map(|some| (Cow::Borrowed(some), 0));
        let mut open: Vec<(Cow<'_, [World]>, usize)> = first.collect();
        let more_comes = { worlds.iter() }.all(|world| world.stage.heard < self.story.items.len());
        let whole = weight(worlds);
        let (mut found, mut left, mut silence) = (Found::default(), whole, Silence::default());
        while let Some((some, silent)) = open.pop() {
            let taken = weight(&some);
            let make = |game: &Game, (of, choice): (usize, Choice), weight, stage| {
                self.made(game, (&some[of], choice), weight, stage)
            };
            self.give_all(&some, None, make, &mut found)?;
            let mut next = std::mem::take(&mut found.on).all;
            left = left.saturating_sub(taken);
            let is_level = open.is_empty() && next.len() <= AT_A_TIME;
            let is_endless = more_comes && silence.is_endless(is_level.then_some(&next), &found.further);
            if silent < MOST_SILENT && !is_endless {
                left += weight(&next);
                while let Some(last) = next.len().checked_sub(1) {
                    let some = next.split_off(last - last % AT_A_TIME);
                    open.push((Cow::Owned(some), silent + 1));
                }
            }
            // As many again for what is left as there were for what is done.
            let (done, steps) = (((whole.saturating_sub(left)) >> 32).max(1), found.tried);
            let foreseen = (whole >> 32).saturating_mul(steps as u128) / done;
            let hopeless = steps > room / SOON && foreseen > 2 * room as u128;
            if hopeless || steps > room || found.further.known > 2 * most {
                return Ok(None);
            }
        }
        Ok(Some(found.further))
    }

    /// Goes on from some of the worlds, in some of the ways, both drawn by their chances where they are too many.
    fn some_ways(&self, worlds: Vec<World>, lots: &mut Lots) -> Result<Levels, NoWorlds> {
        let Effort {
            most, steps: room, ..
        } = *self.effort;
        let (mut layer, mut found) = (worlds, Found::default());
        lots.thin(&mut layer, most)?;
        for _ in 0..MOST_SILENT {
            let each = MORE * most / layer.len().max(1);
            for (number, some) in layer.chunks(AT_A_TIME).enumerate() {
                let mut ways = self.ways_of(some)?;
                for ways in &mut ways {
                    lots.thin_ways(ways, each)?;
                }
                let bud = |_: &Game, (of, choice), weight, stage| Bud {
                    of: number * AT_A_TIME + of,
                    choice,
                    weight,
                    stage,
                };
                self.give_all(some, Some(&ways), bud, &mut found)?;
            }
            let mut next = std::mem::take(&mut found.on).all;
            // Some may go on in silence for ever, at ever smaller chances: those would hardly be drawn beside the others.
            let rest: u128 = next.iter().map(|bud| bud.weight).sum();
            if rest <= found.further.weight() >> HARDLY {
                break;
            }
            let halved = u32::try_from(found.tried / room.max(1)).unwrap_or(u32::MAX);
            // Most of them are not kept: those are never made.
            lots.thin(&mut next, most.checked_shr(halved).unwrap_or(0))?;
            layer = self.grown(&layer, &next)?;
        }
        Ok(found.further)
    }

    /// Makes worlds of what was found in others.
    fn grown(&self, layer: &[World], buds: &[Bud]) -> Result<Vec<World>, NoWorlds> {
        self.each(buds.len(), |desk, number| {
            let bud = &buds[number];
            let of = &layer[bud.of];
            self.heed(of.stage.heard, buds.len())?;
            let game = put(desk, &of.game);
            game.apply(bud.choice, &mut Log::default())
                .expect("the same answer is as legal again");
            Ok(self.made(game, (of, bud.choice), bud.weight, bud.stage.clone()))
        })
    }

    /// The world in which an answer in another one has led to a game.
    fn made(&self, game: &Game, (of, choice): (&World, Choice), weight: u128, stage: Stage) -> World {
        let traced = of.answers.iter().copied().chain([choice]);
        World {
            game: game.folded(),
            weight,
            answers: match self.effort.traced {
                true => traced.collect(),
                false => Vec::new(),
            },
            stage,
        }
    }

    /// What may be answered in each of some worlds.
    fn ways_of(&self, worlds: &[World]) -> Result<Vec<Vec<Way>>, NoWorlds> {
        self.each(worlds.len(), |_, number| {
            self.heed(worlds[number].stage.heard, worlds.len())?;
            self.ways(&worlds[number])
        })
    }

    /// Gives answers in each of some worlds of one level, some in each, or where nothing is said all there are. What is made
    /// where nothing more reaches the viewer is said by `make`: of where the game stands then, which answer was given in
    /// which of them, and how far it has come.
    fn give_all<T: Weighs + Send>(
        &self,
        worlds: &[World],
        ways: Option<&[Vec<Way>]>,
        make: impl Fn(&Game, (usize, Choice), u128, Stage) -> T + Sync,
        found: &mut Found<T>,
    ) -> Result<(), NoWorlds> {
        let known = found.further.known + found.on.all.len();
        let parts = self.shared(worlds.len(), |desk, numbers| {
            let mut part = Found::default();
            for number in numbers {
                let world = &worlds[number];
                self.heed(world.stage.heard, known + part.further.known + part.on.all.len())?;
                let all = match ways {
                    None => Cow::Owned(self.ways(world)?),
                    Some(ways) => Cow::Borrowed(&ways[number][..]),
                };
                part.tried += all.len();
                let is_heard_of = self.heard_of(world).is_some();
                for &(choice, share) in all.iter() {
                    let game = put(desk, &world.game);
                    let Some(mut stage) = self.led(game, world, choice) else {
                        continue;
                    };
                    let later = is_heard_of && !matches!(choice, Choice::Offer { .. });
                    let later = later.then(|| times(stage.owed, share)).flatten();
                    let mut weight = match later {
                        Some(_) => world.weight,
                        None => self::part(world.weight, share).max(1),
                    };
                    stage.owed = later.unwrap_or(stage.owed);
                    if stage.heard > world.stage.heard || self.is_there(game, &stage) {
                        weight = self::part(weight, std::mem::replace(&mut stage.owed, (1, 1))).max(1);
                        let made = |stage| self.made(game, (world, choice), weight, stage);
                        part.further.add_or_make(stage, weight, made);
                    } else {
                        let made = |stage| make(game, (number, choice), weight, stage);
                        part.on.add_or_make(stage, weight, made);
                    }
                }
            }
            Ok(part)
        });
        for part in parts {
            let part = part?;
            found.tried += part.tried;
            found.on.absorb(part.on);
            found.further.absorb(part.further);
        }
        Ok(())
    }

    /// Does a work for each of so many things by all threads.
    fn each<T: Send>(
        &self,
        many: usize,
        work: impl Fn(&mut Option<Game>, usize) -> Result<T, NoWorlds> + Sync,
    ) -> Result<Vec<T>, NoWorlds> {
        let parts = self.shared(many, |desk, numbers| {
            let mut done = Vec::with_capacity(numbers.len());
            for number in numbers {
                done.push(work(desk, number)?);
            }
            Ok(done)
        });
        let mut all = Vec::with_capacity(many);
        for part in parts {
            all.append(&mut part?);
        }
        Ok(all)
    }

    /// Does a work for so many things by all threads, each of which takes some that lie beside each other; what comes of
    /// it is in their order.
    fn shared<T: Send>(
        &self,
        many: usize,
        work: impl Fn(&mut Option<Game>, Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let threads = self.effort.threads.clamp(1, many.div_ceil(SHARE).max(1));
        let share = many.div_ceil(threads).max(1);
        let work = |thread: usize| {
            let desks = || self.desks.lock().unwrap_or_else(PoisonError::into_inner);
            let mut desk = desks().pop();
            let done = work(
                &mut desk,
                (thread * share).min(many)..((thread + 1) * share).min(many),
            );
            desks().extend(desk);
            done
        };
        if threads == 1 {
            return vec![work(0)];
        }
        thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || work(thread)))
                .collect();
            let join = |worker: thread::ScopedJoinHandle<'_, T>| {
                worker
                    .join()
                    .expect("a thread that looks for worlds does not panic")
            };
            workers.into_iter().map(join).collect()
        })
    }

    /// Tells how far it is, and that there is no more time.
    fn heed(&self, heard: usize, worlds: usize) -> Result<(), NoWorlds> {
        let of = self.story.items.len();
        match (self.effort.stop)(Far { heard, of, worlds }) {
            true => Err(NoWorlds::Stopped),
            false => Ok(()),
        }
    }

    /// What may be answered in a world: by the viewer what he did answer, by others all they could.
    fn ways(&self, world: &World) -> Result<Vec<Way>, NoWorlds> {
        let own = self.own(world);
        let asked = asks(&world.game, self.viewer());
        match own {
            Some(Some(choice))
                if world.game.may(choice).is_ok() && (asked || matches!(choice, Choice::Offer { .. })) =>
            {
                return Ok(vec![(choice, (1, 1))]);
            }
            Some(None) if asked => {
                let all = ways::answers(&world.game).into_iter();
                return Ok(all.map(|choice| (choice, (1, 1))).collect());
            }
            _ if asked => return Ok(Vec::new()),
            _ => {}
        }
        let mut ways = Vec::new();
        let all = self.effort.players.ways(&world.game, &mut ways);
        all.map_err(|TooMany| NoWorlds::TooMany)?;
        match world.game.pending() {
            Pending::Chance(drawn) => self.merge(&world.game, &mut ways, drawn.domain),
            Pending::Ask(asked) => {
                self.more(&world.game, &asked, &mut ways);
                ways.retain(|(choice, _)| !is_own(self.viewer(), false, *choice));
                if let Some(heard) = self.heard_of(world) {
                    ways.retain(|(choice, _)| matches!(choice, Choice::Offer { .. }) || heard.fits(*choice));
                }
            }
            Pending::Over(_) | Pending::Broken(_) => {}
        }
        Ok(ways)
    }

    /// What somebody answers of which the viewer hears later, where worlds are left out by that.
    fn heard_of(&self, world: &World) -> Option<&HeardOf> {
        let asked = world.game.asked()?;
        if self.guided == Guided::Nothing {
            return None;
        }
        let heard_of = &self.story.heard_of;
        let question = &self.words.rules.ask(asked.site).name;
        let next = heard_of.partition_point(|heard| heard.at < world.stage.heard);
        let is_it = |heard: &&HeardOf| asked.who >> heard.seat & 1 == 1 && heard.question == *question;
        heard_of[next..].iter().find(is_it)
    }

    /// The viewer's own answer that comes next, if it is its turn; in it nothing where it is not known.
    fn own(&self, world: &World) -> Option<Option<Choice>> {
        let next = self.story.own.get(world.stage.own);
        next.filter(|(when, _)| *when == world.stage.heard)
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
    fn more(&self, game: &Game, asked: &Asked, ways: &mut Vec<Way>) {
        let share = (1, 1 + ways.len() as u128);
        if asked.limit.is_some() && asked.domain != Domain::Go {
            ways.push((Choice::TimeUp, share));
        }
        if self.texts > 0 && self.words.rules.lets_write() {
            let written = |answer: Choice| (1..=self.texts).map(move |text| (answer.with_text(text), share));
            ways.extend(ways::to_write(game).into_iter().flat_map(written));
        }
    }

    /// Gives an answer in a game that stands where a world does, and says how far that has come; nothing where the viewer
    /// would have heard something else.
    fn led(&self, game: &mut Game, world: &World, choice: Choice) -> Option<Stage> {
        let before = &world.stage;
        let own = self.own(world).is_some_and(|own| {
            own.is_none_or(|own| own == choice)
                && is_own(self.viewer(), asks(&world.game, self.viewer()), choice)
        });
        let mut log = Log::default();
        game.apply(choice, &mut log).ok()?;
        if self.guided == Guided::Cards && !self.is_dealt_so(&world.game, game) {
            return None;
        }
        let (heard, sight) = self.hear(game, &log, (before.heard, before.sight))?;
        let silent = match heard > before.heard {
            true => 0,
            false => before.silent + usize::from(is_answered(&world.game)),
        };
        // Where all has been heard, whoever is past the game that is played never comes back to it.
        let is_past = heard == self.story.items.len() && silent > self.story.silent;
        (!is_past).then(|| Stage {
            heard,
            own: before.own + usize::from(own),
            lot: before.lot,
            silent,
            owed: before.owed,
            lines: before.lines,
            sight,
            key: self.key(game),
        })
    }

    /// Whether whoever has got his first card got the one that the viewer hears of.
    fn is_dealt_so(&self, before: &Game, after: &Game) -> bool {
        self.story.dealt.iter().all(|(seat, roles)| {
            let of = |game: &Game| game.look().roles_of(1 << seat);
            of(before) != 0 || [0, *roles].contains(&of(after))
        })
    }

    /// By what a game may be one with another.
    fn key(&self, game: &Game) -> Key {
        let mut whole = Position::default();
        match self.effort.alike {
            Some(alike) => Key::Alike(alike(game)),
            None if game.stand(&mut whole) => Key::Whole(Arc::new(whole)),
            None => Key::Over,
        }
    }

    /// How much has come when this has happened; nothing where what reaches the viewer is not what reached him.
    fn hear(&self, game: &Game, log: &Log, (mut heard, mut sight): (usize, Sight)) -> Option<(usize, Sight)> {
        for event in &log.events {
            for item in sight.reached(game, &self.words, event) {
                if self.story.items.get(heard) != Some(&item) {
                    self.looked.fetch_max(heard + 1, Ordering::Relaxed);
                    return None;
                }
                heard += 1;
            }
        }
        Some((heard, sight))
    }

    /// Notes what no card can be any more.
    fn rule_out(&self, known: &mut Known, worlds: &[World], heard: usize, out: &mut Vec<RuledOut>) {
        let seats = self.words.names.len() as u8;
        let now: Vec<u64> = (0..seats).map(|seat| roles(worlds, seat)).collect();
        let told = self.story.items[known.heard..heard].iter().filter_map(Item::told);
        let by: Vec<String> = told.map(str::to_owned).collect();
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
#[derive(Clone, Default)]
struct Known {
    heard: usize,
    possible: Vec<u64>,
}

/// Worlds by how much of what reached the viewer has come, those that are alike as one.
#[derive(Clone, Default)]
struct Levels {
    levels: BTreeMap<usize, Level<World>>,
    /// How many worlds were ever added and are not one with another.
    known: usize,
}

/// Adds a weight that is to be lowered later to one that is to be lowered by something else.
fn join<T: Weighs>(to: &mut T, (weight, (times, over), lines): (u128, Share, u128)) {
    let (by, of) = match to.stage() {
        Some(stage) => {
            stage.lines |= lines;
            stage.owed
        }
        None => (1, 1),
    };
    *to.weight() += match (times, over) == (by, of) {
        true => weight,
        false => {
            let (mut share, mut under) = (times * of, over * by);
            while share.max(under) >> 36 > 0 {
                (share, under) = (share >> 1, under >> 1);
            }
            part(weight, (share.max(1), under.max(1))).max(1)
        }
    };
}

/// One share of another, where it can be told exactly enough.
fn times((one, of): Share, (other, over): Share) -> Option<Share> {
    const MOST: u128 = 1 << 60;
    let (mut share, mut under) = (one.checked_mul(other)?, of.checked_mul(over)?);
    let (mut by, mut rest) = (share, under);
    while rest > 0 {
        (by, rest) = (rest, by % rest);
    }
    (share, under) = (share / by.max(1), under / by.max(1));
    (share <= MOST && under <= MOST).then_some((share, under))
}

/// Such as are not alike.
#[derive(Clone)]
struct Level<T> {
    all: Vec<T>,
    known: BTreeMap<Mark, usize>,
}

impl<T> Default for Level<T> {
    fn default() -> Level<T> {
        Level {
            all: Vec::new(),
            known: BTreeMap::new(),
        }
    }
}

/// By what a game may be one with another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Alike(Print),
    /// All that is so of the game.
    Whole(Arc<Position>),
    /// A game that is over stands nowhere, and is one with none.
    Over,
}

/// All that worlds of a level have in common that are put together.
type Mark = (Key, usize, u32, usize, When);

/// What has been come to while nothing reached the viewer.
#[derive(Default)]
struct Silence {
    known: BTreeSet<(Key, usize, u32, When)>,
    /// What those weigh together whom more has reached, and for how many levels nothing was added to them.
    further: u128,
    since: usize,
}

impl Silence {
    /// Whether more can reach the viewer in none of these worlds, which are all of a level, if it is at hand: none of those
    /// that more has reached came of them, and nothing new, for longer than there are others to come to on the way.
    fn is_endless(&mut self, level: Option<&Vec<World>>, further: &Levels) -> bool {
        let known = self.known.len();
        let Some(level) = level.filter(|_| known <= MOST_KNOWN) else {
            self.since = 0;
            return false;
        };
        self.known.extend(
            level
                .iter()
                .map(|World { stage, .. }| (stage.key.clone(), stage.own, stage.lot, stage.sight.when())),
        );
        let weight = further.weight();
        let more = weight - self.further > weight >> NEVER;
        self.further = weight;
        self.since = match more || self.known.len() > known {
            true => 0,
            false => self.since + 1,
        };
        self.since > known
    }
}

impl<T: Weighs> Level<T> {
    /// Adds to the weight of one that is known, or else one that is made.
    fn add_or_make(&mut self, stage: Stage, weight: u128, make: impl FnOnce(Stage) -> T) {
        if let Key::Alike(_) | Key::Whole(_) = stage.key {
            let key = stage.key.clone();
            let mark = (key, stage.own, stage.lot, stage.silent, stage.sight.when());
            match self.known.entry(mark) {
                Entry::Occupied(same) => {
                    join(&mut self.all[*same.get()], (weight, stage.owed, stage.lines));
                    return;
                }
                Entry::Vacant(new) => {
                    new.insert(self.all.len());
                }
            }
        }
        self.all.push(make(stage));
    }

    /// Adds all of another one.
    fn absorb(&mut self, other: Level<T>) {
        if self.all.is_empty() {
            *self = other;
            return;
        }
        let mut marks: Vec<Option<Mark>> = vec![None; other.all.len()];
        for (mark, place) in other.known {
            marks[place] = Some(mark);
        }
        for (mut one, mark) in other.all.into_iter().zip(marks) {
            match mark.map(|mark| self.known.entry(mark)) {
                Some(Entry::Occupied(same)) => {
                    let (owed, lines) = one.stage().map_or(((1, 1), 0), |stage| (stage.owed, stage.lines));
                    join(&mut self.all[*same.get()], (*one.weight(), owed, lines));
                }
                Some(Entry::Vacant(new)) => {
                    new.insert(self.all.len());
                    self.all.push(one);
                }
                None => self.all.push(one),
            }
        }
    }
}

impl Levels {
    fn add(&mut self, world: World) {
        let (stage, weight) = (world.stage.clone(), world.weight);
        self.add_or_make(stage, weight, |_| world);
    }

    /// See [`Level::add_or_make`].
    fn add_or_make(&mut self, stage: Stage, weight: u128, make: impl FnOnce(Stage) -> World) {
        let level = self.levels.entry(stage.heard).or_default();
        let before = level.all.len();
        level.add_or_make(stage, weight, make);
        self.known += level.all.len() - before;
    }

    /// Adds all of others.
    fn absorb(&mut self, others: Levels) {
        for (heard, other) in others.levels {
            let level = self.levels.entry(heard).or_default();
            let before = level.all.len();
            level.absorb(other);
            self.known += level.all.len() - before;
        }
    }

    /// How much has come in the furthest of them.
    fn reach(&self) -> usize {
        self.levels.last_key_value().map_or(0, |(heard, _)| *heard)
    }

    /// What all of them weigh.
    fn weight(&self) -> u128 {
        let all = self.levels.values().flat_map(|level| &level.all);
        all.map(|world| world.weight).sum()
    }

    /// How many worlds there are.
    fn count(&self) -> usize {
        self.levels.values().map(|level| level.all.len()).sum()
    }

    fn next(&mut self) -> Option<(usize, Vec<World>)> {
        self.levels.pop_first().map(|(heard, level)| (heard, level.all))
    }

    fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Weights that grow small are made large again, all alike: those of some worlds, and of all that are further.
    fn level_out(&mut self, worlds: &mut [World]) {
        let further = self.levels.values_mut().flat_map(|level| &mut level.all);
        let mut all: Vec<&mut World> = worlds.iter_mut().chain(further).collect();
        let most = all.iter().map(|world| world.weight).max().unwrap_or(WEIGHT);
        let more = most.leading_zeros().saturating_sub(WEIGHT.leading_zeros());
        all.iter_mut().for_each(|world| world.weight <<= more);
    }
}

// ---- Games that begin alike

/// What was found of a game, for another of the same table that begins alike for the same viewer.
#[derive(Default)]
pub struct Recall(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// The digest of the rules, the names, the cards.
    table: Option<(u64, Vec<String>, PlannedCast)>,
    viewer: Option<Viewer>,
    texts: Vec<String>,
    items: Vec<Item>,
    own: Vec<(usize, Own)>,
    /// The moments of the search, up to where no worlds were drawn.
    moments: Vec<Moment>,
    /// How many worlds they have together.
    worlds: usize,
}

/// A moment of a search.
struct Moment {
    levels: Levels,
    /// Up to where the story was looked at for them.
    looked: usize,
    known: Known,
    ruled_out: Vec<RuledOut>,
}

impl Kept {
    /// So many worlds are kept.
    const MOST: usize = 50_000;

    /// Forgets what is not so of another game.
    fn turn_to(&mut self, session: &Session, story: &Story) {
        let (table, viewer, texts) = (session.table(), Some(story.sight.viewer()), session.texts());
        let is_same = self.table.as_ref().is_some_and(|(rules, names, cast)| {
            *rules == table.rules.identity && *names == table.names && *cast == table.cast
        });
        let alike = self
            .items
            .iter()
            .zip(&story.items)
            .take_while(|(one, other)| one == other);
        let common = alike.count();
        if !is_same || (self.viewer, &self.texts[..]) != (viewer, texts) {
            self.moments.clear();
        }
        let ends = self.items.len().min(story.items.len());
        let before = |own: &[(usize, Own)], reach: usize| own.partition_point(|(when, _)| *when < reach);
        let holds = |moment: &Moment| {
            let reach = moment.levels.reach();
            let [mine, theirs] = [&self.own, &story.own].map(|own| &own[..before(own, reach)]);
            reach.max(moment.looked) <= common && reach < ends && mine == theirs
        };
        let left = self.moments.iter().take_while(|moment| holds(moment)).count();
        self.moments.truncate(left);
        self.worlds = self.moments.iter().map(|moment| moment.levels.count()).sum();
        self.table = Some((table.rules.identity, table.names.clone(), table.cast.clone()));
        self.viewer = viewer;
        self.texts = texts.to_vec();
        self.items.clone_from(&story.items);
        self.own.clone_from(&story.own);
    }

    /// Keeps a moment that is further than those that are kept.
    fn keep(&mut self, levels: &Levels, looked: usize, known: &Known, ruled_out: &[RuledOut]) {
        let further = |moment: &Moment| moment.levels.reach() < levels.reach();
        let count = levels.count();
        if self.worlds + count <= Kept::MOST && self.moments.last().is_none_or(further) {
            self.worlds += count;
            self.moments.push(Moment {
                levels: levels.clone(),
                looked,
                known: known.clone(),
                ruled_out: ruled_out.to_vec(),
            });
        }
    }
}

/// By what worlds are drawn where there are too many.
struct Lots {
    /// Nothing where none are to be drawn.
    chance: Option<Chance>,
    /// Whether some were.
    drawn: bool,
}

impl Lots {
    fn of(seed: Option<u64>, again: u64) -> Lots {
        Lots {
            chance: seed.map(|seed| Chance::of_game(seed, again)),
            drawn: false,
        }
    }

    /// Leaves about so many of some, one at the least: those at which a step comes down, one anywhere in each of so many
    /// stretches of like weight. So each keeps its weight on average. The steps are not even: worlds that lie in one order
    /// with their weights, as those do that come of many alike, would be met at the same place of each.
    fn thin<T: Weighs>(&mut self, all: &mut Vec<T>, room: usize) -> Result<(), NoWorlds> {
        let room = room.max(1);
        if all.len() <= room {
            return Ok(());
        }
        let chance = self.chance.as_mut().ok_or(NoWorlds::TooMany)?;
        self.drawn = true;
        let whole: u128 = all.iter_mut().map(|one| *one.weight()).sum();
        let step = (whole / room as u128).max(1);
        let (mut stretch, mut behind, mut kept) = (0, 0, 0_u32);
        let mut next = scaled(step, chance);
        all.retain_mut(|one| {
            let own = one.weight();
            behind += *own;
            let mut times = 0;
            while next < behind {
                times += 1;
                stretch += step;
                next = stretch + scaled(step, chance);
            }
            *own = times * step;
            if times > 0 {
                kept += 1;
                if let Some(stage) = one.stage().filter(|stage| stage.lines == 0) {
                    stage.lines = 1 << (kept % u128::BITS);
                }
            }
            times > 0
        });
        Ok(())
    }

    /// The same of ways, by their chances.
    fn thin_ways(&mut self, ways: &mut Vec<Way>, room: usize) -> Result<(), NoWorlds> {
        const WHOLE: u128 = 1 << 36;
        if ways.len() <= room {
            return Ok(());
        }
        for (_, share) in ways.iter_mut() {
            *share = (part(WHOLE, *share), WHOLE);
        }
        self.thin(ways, room)
    }
}

/// The desk, with a game on it that stands where another one does.
fn put<'d>(desk: &'d mut Option<Game>, game: &Game) -> &'d mut Game {
    match desk {
        Some(desk) => {
            desk.clone_from(game);
            desk
        }
        none => none.insert(game.clone()),
    }
}

/// A part of a weight, so many of so many.
fn part(weight: u128, (over, under): Share) -> u128 {
    let (whole, rest) = (weight / under, weight % under);
    whole.saturating_mul(over) + rest.saturating_mul(over) / under
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
