//! How the people of a game answer. Random answers alone seldom agree on anything and hurt all sides
//! alike: so in some games all follow one another, in some they are idle or eager, and in some
//! everybody, whoever he is, plays for one side or against it.

use omerta_core::rules::{GroupId, OfferId};
use omerta_engine::{Choice, Domain, Game, Open, OpenBranch, Pending, Target};
use omerta_play::{
    chance::Chance,
    policy::{self, Policy},
    ways,
};

/// Of so many answers of people who agree all but one are what they agreed on.
const AGREE_IN: u64 = 12;
/// Once in so many pauses people of a side take up an offer that serves them.
const OFFERS_IN: u64 = 3;
/// How often somebody eager thinks again before he passes.
const SECOND_THOUGHTS: usize = 6;

/// The people of one game.
pub struct People {
    temper: Temper,
    policy: Policy,
    chance: Chance,
    wanted: Option<OfferId>,
    /// Whose side all are on or against: a seat, once it is known how many there are.
    drawn: u64,
    /// The seat that is named first, where several may be.
    favourite: u32,
    scene: Option<(usize, u64)>,
}

/// How they answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Temper {
    /// Each answer as likely as any other.
    Random,
    /// As long as a scene of the script lasts, all name the same player wherever they can.
    Herd,
    /// As little as possible, so many times of eight.
    Idle(u64),
    /// Nobody passes if he need not, and all take up what is offered.
    Eager,
    /// All name only those who hold the title of somebody who is drawn, or only the others.
    Sided { against: bool, by_team: bool },
    /// All name only those who are not of this team.
    For(GroupId),
}

/// What the people of a game should bring about, if they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Whatever comes.
    Anything,
    /// That this offer is taken up.
    Offer(OfferId),
    /// That this team wins.
    Team(GroupId),
    /// That much is offered and called for.
    Calls,
}

impl People {
    /// The people of a game of that number.
    pub fn of_game(seed: u64, number: u64, aim: Aim) -> Self {
        let mut chance = Chance::of_game(seed, number);
        let (temper, offers, calls) = match (chance.below(8), aim) {
            (0..4, Aim::Team(team)) => (Temper::For(team), 50, 5),
            (0..6, Aim::Calls) => (Temper::Random, 200, [10, 50, 250][chance.below(3) as usize]),
            (0, _) => (Temper::Random, 50, 5),
            (1, _) => (Temper::Herd, 20, 0),
            (2, _) => (Temper::Idle([4, 7, 8][chance.below(3) as usize]), 0, 40),
            (3, _) => (Temper::Eager, 400, 10),
            (draw, _) => {
                let (against, by_team) = (draw & 1 == 1, draw & 2 == 2);
                (Temper::Sided { against, by_team }, 50, 0)
            }
        };
        People {
            temper,
            policy: Policy {
                offers_per_thousand: offers,
                calls_per_thousand: calls,
            },
            wanted: match aim {
                Aim::Offer(offer) => Some(offer),
                Aim::Anything | Aim::Team(_) | Aim::Calls => None,
            },
            drawn: chance.bits(),
            chance,
            favourite: 0,
            scene: None,
        }
    }

    /// What they answer to a question that is open; `None` where nothing can be answered.
    pub fn choose(&mut self, game: &Game) -> Option<Choice> {
        self.follow_scene(game);
        let chosen = match self.temper {
            _ if self.wanted.is_some() && self.chance.below(2) == 0 => {
                let wanted = self.wanted;
                self.one_of_the_offers(
                    game,
                    |choice| matches!(choice, Choice::Offer { offer, .. } if Some(*offer) == wanted),
                )
            }
            Temper::Idle(idle) if self.chance.below(8) < idle => least(game),
            Temper::Eager => self.eagerly(game),
            Temper::Random | Temper::Idle(_) => None,
            Temper::Herd | Temper::Sided { .. } | Temper::For(_) if self.chance.below(AGREE_IN) == 0 => None,
            Temper::Herd => self.name(game, 1 << self.favourite),
            Temper::For(team) => self.go_for(game, !game.look().group(team)),
            Temper::Sided { against, by_team } => {
                let look = game.look();
                let drawn = 1 << (self.drawn % u64::from(look.seats().max(1)));
                let titles = match by_team {
                    true => look.teams_of(drawn),
                    false => look.roles_of(drawn),
                };
                let side = look.holders(titles);
                self.go_for(game, if against { side } else { !side })
            }
        };
        chosen.or_else(|| self.policy.choose(game, &mut self.chance))
    }

    /// In another scene of the script another player is named first.
    fn follow_scene(&mut self, game: &Game) {
        let look = game.look();
        let scene = look.scenes().next();
        let scene = scene.map(|scene| (scene.index(), look.times(scene)));
        if self.scene.is_none() || scene != self.scene {
            self.scene = scene;
            self.favourite = self.chance.below(u64::from(look.seats()).max(1)) as u32;
        }
    }

    /// Does to people of a set whatever can be done to somebody, and to no others: names them, takes up
    /// offers that pick one of them or nobody, and mostly says yes.
    fn go_for(&mut self, game: &Game, set: u64) -> Option<Choice> {
        if game.has_offers() && self.chance.below(OFFERS_IN) == 0 {
            let is_meant = |choice: &Choice| match choice {
                Choice::Offer {
                    by: Some(_), target, ..
                } => match target {
                    Target::Seat(seat) => set >> seat & 1 == 1,
                    Target::Nothing
                    | Target::Card(_)
                    | Target::Title(_)
                    | Target::Number(_)
                    | Target::Text(_) => true,
                },
                _ => false,
            };
            if let Some(taken) = self.one_of_the_offers(game, is_meant) {
                return Some(taken);
            }
        }
        match game.open() {
            Open::Ask(Domain::YesNo) if self.chance.below(4) > 0 => Some(Choice::Yes),
            Open::Ask(Domain::Seats { pass: true, .. }) => self.name(game, set).or(Some(Choice::Pass)),
            _ => self.name(game, set),
        }
    }

    /// Names somebody of a set, the favourite first.
    fn name(&self, game: &Game, set: u64) -> Option<Choice> {
        let first = |among: u64| {
            let of_set = among & set;
            let turned = of_set.rotate_right(self.favourite).trailing_zeros();
            (of_set != 0).then_some(((turned + self.favourite) % 64) as u8)
        };
        match game.open() {
            Open::Ask(Domain::Seats { among, .. }) => first(among).map(Choice::Seat),
            Open::Ask(Domain::Menu) => game.branches().find_map(|open: OpenBranch| match open.among {
                Some(Domain::Seats { among, .. }) => first(among).map(|seat| Choice::Branch {
                    branch: open.branch,
                    target: Target::Seat(seat),
                }),
                _ => None,
            }),
            _ => None,
        }
    }

    fn one_of_the_offers(&mut self, game: &Game, is_meant: impl Fn(&Choice) -> bool) -> Option<Choice> {
        let open: Vec<Choice> = ways::offers(game).into_iter().filter(is_meant).collect();
        let drawn = self.chance.below(open.len().max(1) as u64) as usize;
        open.get(drawn).copied()
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

fn least(game: &Game) -> Option<Choice> {
    match game.pending() {
        Pending::Ask(asked) => policy::least(game, &asked),
        Pending::Chance(_) | Pending::Over(_) | Pending::Broken(_) => None,
    }
}
