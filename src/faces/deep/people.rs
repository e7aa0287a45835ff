//! How the people of a game answer. Random answers alone seldom agree on anything: so some games are
//! played by people who all follow one another, by idle ones, by eager ones.

use crate::{
    engine::{Choice, Domain, Game, Open, Pending, Target},
    play::{
        chance::Chance,
        policy::{self, Policy},
    },
};

/// Of so many answers of a herd all but one are its favourite.
const HERD_OF: u64 = 12;
/// How often somebody eager thinks again before he passes.
const SECOND_THOUGHTS: usize = 6;

/// The people of one game.
pub struct People {
    temper: Temper,
    policy: Policy,
    chance: Chance,
    favourite: u64,
    scene: Option<(usize, u64)>,
}

/// How they answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Temper {
    /// Each answer as likely as any other.
    Random,
    /// As long as a scene of the script lasts, all name the same player wherever they can.
    Herd,
    /// As little as possible, half the time.
    Idle,
    /// Nobody passes if he need not, and all take up what is offered.
    Eager,
}

impl People {
    /// The people of a game of that number.
    pub fn of_game(seed: u64, number: u64) -> Self {
        let mut chance = Chance::of_game(seed, number);
        let (temper, offers, calls) = match chance.below(4) {
            0 => (Temper::Random, 50, 5),
            1 => (Temper::Herd, 20, 0),
            2 => (Temper::Idle, 0, 30),
            _ => (Temper::Eager, 400, 10),
        };
        People {
            temper,
            policy: Policy {
                offers_per_thousand: offers,
                calls_per_thousand: calls,
            },
            chance,
            favourite: 0,
            scene: None,
        }
    }

    /// What they answer to a question that is open; `None` where nothing can be answered.
    pub fn choose(&mut self, game: &Game) -> Option<Choice> {
        self.follow_scene(game);
        match self.temper {
            Temper::Herd if self.chance.below(HERD_OF) > 0 => {
                let favourite = self.follow(game);
                favourite.or_else(|| self.policy.choose(game, &mut self.chance))
            }
            Temper::Idle if self.chance.below(2) == 0 => {
                let least = match game.pending() {
                    Pending::Ask(asked) => policy::least(game, &asked),
                    _ => None,
                };
                least.or_else(|| self.policy.choose(game, &mut self.chance))
            }
            Temper::Eager => self.eagerly(game),
            Temper::Random | Temper::Herd | Temper::Idle => self.policy.choose(game, &mut self.chance),
        }
    }

    /// In another scene of the script there is another favourite.
    fn follow_scene(&mut self, game: &Game) {
        let look = game.look();
        let scene = look.scenes().next();
        let scene = scene.map(|scene| (scene.index(), look.times(scene)));
        if self.favourite == 0 || scene != self.scene {
            self.scene = scene;
            self.favourite = 1 << self.chance.below(u64::from(look.seats()).max(1));
        }
    }

    /// The answer that names the favourite, where there is one; one who cannot be named is given up.
    fn follow(&mut self, game: &Game) -> Option<Choice> {
        let favourite = self.favourite.trailing_zeros() as u8;
        let names = |among: u64| among & self.favourite != 0;
        let named = match game.open() {
            Open::Ask(Domain::Seats { among, .. }) if names(among) => {
                Some(Choice::Seat(favourite))
            }
            Open::Ask(Domain::Menu) => game.branches().find_map(|open| match open.among {
                Some(Domain::Seats { among, .. }) if names(among) => Some(Choice::Branch {
                    branch: open.branch,
                    target: Target::Seat(favourite),
                }),
                _ => None,
            }),
            _ => return None,
        };
        if named.is_none() {
            self.favourite = 0;
        }
        named
    }

    fn eagerly(&mut self, game: &Game) -> Option<Choice> {
        let mut choice = self.policy.choose(game, &mut self.chance)?;
        for _ in 0..SECOND_THOUGHTS {
            if choice != Choice::Pass {
                break;
            }
            choice = self.policy.choose(game, &mut self.chance)?;
        }
        Some(choice)
    }
}
