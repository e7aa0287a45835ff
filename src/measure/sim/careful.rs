//! A player for any rules, who believes what he has seen and looks ahead.
//!
//! Of the games that fit what has reached its seat it draws some, tries each answer in each of them, and plays them to
//! the end by chance: the answer by which its seat wins most often is given. It talks to nobody and reads nothing into
//! what others do beyond what they are told to do: by the policies that are followed at the table, and else by chance.

use super::guest::{Guest, Invited};
use anyhow::Result;
use omerta_engine::{Asked, Choice, Game, Log, OpenOffer, Outcome, Pending, Silence, Thing};
use omerta_play::{
    chance::Chance,
    chances::Players,
    policy, ways,
    words::Words,
    worlds::{Belief, Effort, World, one_of, picked, with_card},
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// So many worlds a seat keeps in mind.
const WORLDS: usize = 96;
/// So many answers are tried from each before worlds are drawn instead.
const STEPS: usize = 24;
/// A game that takes more answers than this is not played on.
const LONGEST: u64 = 2_000;
/// So many are given before it is looked whether somebody has had enough.
const AT_ONCE: u64 = 20;
/// All answers are tried with a part of the games, the better half of them with another, and the best with the rest.
const PARTS: [u32; 3] = [4, 4, 2];

/// Which seats it plays, in a game as it stands.
pub type Seats = Arc<dyn Fn(&Game) -> u64 + Send + Sync>;

/// A player who believes and looks ahead, for some seats.
#[derive(Clone)]
pub struct Careful {
    /// Its seats.
    pub seats: Seats,
    /// What people at the table are called.
    pub names: Vec<String>,
    /// What it thinks the others do.
    pub players: Players,
    /// So many games it plays on for an answer, at most.
    pub thought: u32,
    /// What its chance hangs on.
    pub seed: u64,
    /// Once this is set it thinks no further.
    pub stop: Arc<AtomicBool>,
}

impl Invited for Careful {
    fn seats_in(&self, game: &Game) -> u64 {
        (self.seats)(game)
    }

    fn start(&self) -> Result<Box<dyn Guest>> {
        Ok(Box::new(Thinker {
            who: self.clone(),
            beginning: None,
            chance: Chance::of_seed(self.seed),
            beliefs: Vec::new(),
            heard: 0,
            considered: Vec::new(),
        }))
    }
}

struct Thinker {
    who: Careful,
    beginning: Option<(Game, Log)>,
    chance: Chance,
    beliefs: Vec<Belief>,
    /// How much of the log the seats have heard of, if they were meant to.
    heard: usize,
    /// How much had reached each seat when it last thought about offers.
    considered: Vec<Option<usize>>,
}

/// What may be done: an answer, an offer that is taken up, or to leave all offers alone.
type Deed = Option<Choice>;

impl Guest for Thinker {
    fn seats_in(&self, game: &Game) -> u64 {
        (self.who.seats)(game)
    }

    fn begin(&mut self, number: u64, (game, log): (&Game, &Log)) {
        // Not the chance of the game itself: nobody knows what will be drawn.
        self.chance = Chance::of_game(!self.who.seed, number);
        let seats = game.look().seats();
        self.beliefs = (0..seats).map(Belief::new).collect();
        self.considered = vec![None; usize::from(seats)];
        self.heard = 0;
        self.beginning = Some((game.clone(), log.clone()));
    }

    fn hear(&mut self, game: &Game, log: &Log, answered: Option<Choice>) {
        let words = Words {
            rules: game.rules(),
            names: &self.who.names,
        };
        let new = &log.events[self.heard..];
        for belief in &mut self.beliefs {
            belief.hear(game, &words, answered, new);
        }
        self.heard = log.events.len();
    }

    fn answer(&mut self, game: &mut Game, _: &Log, asked: &Asked, seat: u8) -> Result<Choice> {
        let answers = ways::answers(game).into_iter();
        let deeds: Vec<Deed> = answers
            .filter(|answer| *answer != Choice::TimeUp)
            .map(Some)
            .collect();
        let best = match deeds[..] {
            [only] => only,
            _ => self.best(game, seat, &deeds),
        };
        Ok(best.unwrap_or_else(|| policy::answer(game, asked, &mut self.chance)))
    }

    fn take_up(
        &mut self,
        game: &mut Game,
        _: &Log,
        offers: &[OpenOffer],
        seat: u8,
    ) -> Result<Option<Choice>> {
        // As long as nothing new has come to its ears it does not change its mind.
        let heard = Some(self.beliefs[usize::from(seat)].heard());
        let mine = offers.iter().any(|open| open.by == Some(seat));
        if self.who.stop.load(Ordering::Relaxed) || !mine || self.considered[usize::from(seat)] == heard {
            return Ok(None);
        }
        self.considered[usize::from(seat)] = heard;
        let own = |choice: &Choice| matches!(choice, Choice::Offer { by: Some(by), .. } if *by == seat);
        let offers = ways::offers(game).into_iter().filter(own).map(Some);
        let deeds: Vec<Deed> = [None].into_iter().chain(offers).collect();
        Ok(self.best(game, seat, &deeds))
    }

    fn end(&mut self, _: &Game, _: &Log, _: Option<Outcome>) -> Result<()> {
        Ok(())
    }
}

impl Thinker {
    /// The deed by which the seat wins most often in the worlds it believes in; nothing where it believes in none.
    fn best(&mut self, game: &Game, seat: u8, deeds: &[Deed]) -> Deed {
        let (fresh, log) = self.beginning.as_ref()?;
        let stop = self.who.stop.clone();
        let enough = || stop.load(Ordering::Relaxed);
        let effort = Effort {
            players: &self.who.players,
            alike: None,
            most: WORLDS,
            steps: WORLDS * STEPS,
            traced: false,
            seed: Some(self.chance.bits()),
            stop: &|_| enough(),
            recall: None,
            threads: 1,
        };
        let words = Words {
            rules: game.rules(),
            names: &self.who.names,
        };
        let worlds = self.beliefs[usize::from(seat)].worlds(words, (fresh, log), &effort);
        let whole: u128 = worlds.iter().map(|world| world.weight).sum();
        if whole == 0 {
            return None;
        }
        let mut tried: Vec<(Deed, u32)> = deeds.iter().map(|deed| (*deed, 0)).collect();
        for part in PARTS {
            for _ in 0..(self.who.thought / part).max(1) {
                // Each deed is tried in the same world, with the same luck.
                let world = one_of(worlds, whole, &mut self.chance);
                let luck = self.chance.bits();
                for (deed, won) in &mut tried {
                    if enough() {
                        return None;
                    }
                    *won += u32::from(wins(
                        (&self.who.players, &enough),
                        (game, world),
                        *deed,
                        luck,
                        seat,
                    ));
                }
            }
            tried.sort_by_key(|(_, won)| std::cmp::Reverse(*won));
            tried.truncate(tried.len().div_ceil(2));
        }
        let (_, most) = tried[0];
        let level = tried.iter().take_while(|(_, won)| *won == most).count();
        let nothing = tried[..level].iter().find(|(deed, _)| deed.is_none());
        let chosen = nothing
            .copied()
            .unwrap_or_else(|| tried[self.chance.below(level as u64) as usize]);
        chosen.0
    }
}

/// Whether a seat wins a world that is played on by chance from a deed of its own.
fn wins(
    (players, enough): (&Players, &dyn Fn() -> bool),
    (game, world): (&Game, &World),
    deed: Deed,
    luck: u64,
    seat: u8,
) -> bool {
    let mut then = world.game.clone();
    if let Some(deed) = deed {
        let Some(same) = in_world(game, &then, deed) else {
            return false;
        };
        if then.apply(same, &mut Silence).is_err() {
            return false;
        }
    }
    let chance = &mut Chance::of_seed(luck);
    for _ in 0..LONGEST / AT_ONCE {
        let given = { players.policy }.play_by(&players.strategy, &mut then, chance, &mut Silence, AT_ONCE);
        if given < AT_ONCE || enough() {
            break;
        }
    }
    matches!(then.pending(), Pending::Over(outcome) if outcome.winners >> seat & 1 == 1)
}

/// The same deed in another world. A card that is picked by its back is the one that lies there in its place; one that is
/// seen is itself, or else another of its kind.
fn in_world(game: &Game, world: &Game, deed: Choice) -> Option<Choice> {
    let Some((card, unseen)) = picked(game, deed) else {
        return world.may(deed).is_ok().then_some(deed);
    };
    if !unseen && world.may(deed).is_ok() {
        return Some(deed);
    }
    let (here, there) = (game.look(), world.look());
    let group = |things: &[Thing], card: usize| things.get(card).map(|thing| thing.group);
    let same = |other: &usize| match unseen {
        true => there.place(*other) == here.place(card),
        false => group(there.things(), *other) == group(here.things(), card),
    };
    let cards = (0..there.things().len()).filter(same);
    cards
        .map(|card| with_card(deed, card as u8))
        .find(|deed| world.may(*deed).is_ok())
}
