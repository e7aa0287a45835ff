//! Players who follow policies of the rules.
//!
//! A policy is advice: whatever it wishes, only what the engine lets be answered is answered.

use crate::chance::Dice;
use crate::ways;
use omerta_core::rules::{AnsweredBy, AskId, Matter, PolicyLine, Ruleset, Thunk};
use omerta_engine::{Choice, Domain, Game, OpenOffer, Pending, Target};

/// Some policies, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    /// By question, in the order in which they have a say.
    questions: Vec<Vec<Advice>>,
    /// By offer.
    offers: Vec<Vec<Advice>>,
}

/// A line of a policy that has a say.
#[derive(Clone, Copy, Debug)]
struct Advice {
    policy: usize,
    line: usize,
    /// The answer of the menu that is meant.
    branch: Option<u8>,
}

/// Who decides.
#[derive(Clone, Copy, Debug)]
struct Decider {
    who: u64,
    host: bool,
}

/// Whether an offer is taken up, if that is anybody's to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// No policy has a say: with what it is taken up is left to chance.
    Free,
    /// It is taken up with this.
    With(Target),
    /// None of the wishes can be had.
    Not,
}

impl Strategy {
    /// Players who follow nothing.
    pub const NONE: Strategy = Strategy {
        questions: Vec::new(),
        offers: Vec::new(),
    };

    /// The policies of those names, the first with a say first; or the name that no policy has.
    pub fn of<'a>(rules: &Ruleset, names: &'a [String]) -> Result<Strategy, &'a str> {
        if names.is_empty() {
            return Ok(Strategy::NONE);
        }
        let mut out = Strategy {
            questions: vec![Vec::new(); rules.asks.len()],
            offers: vec![Vec::new(); rules.offers.len()],
        };
        for name in names {
            let named = rules.policies.iter().position(|policy| policy.name == *name);
            let policy = named.ok_or(name.as_str())?;
            for (line, said) in rules.policies[policy].lines.iter().enumerate() {
                for &matter in &said.matters {
                    let (about, branch) = match matter {
                        Matter::Question(ask) => (&mut out.questions[ask.index()], None),
                        Matter::Branch(ask, branch) => (&mut out.questions[ask.index()], Some(branch)),
                        Matter::Offer(offer) => (&mut out.offers[offer.index()], None),
                    };
                    about.push(Advice { policy, line, branch });
                }
            }
        }
        Ok(out)
    }

    /// All policies of some rules.
    pub fn of_all(rules: &Ruleset) -> Strategy {
        let names: Vec<String> = rules.policies.iter().map(|policy| policy.name.clone()).collect();
        Strategy::of(rules, &names).unwrap_or(Strategy::NONE)
    }

    /// The lines about somebody who is asked or may take something up just now, whatever their conditions
    /// say: the numbers of their policies and of the lines in them.
    pub fn lines_for(&self, game: &Game) -> Vec<(usize, usize)> {
        if self.questions.is_empty() {
            return Vec::new();
        }
        let asked = match game.pending() {
            Pending::Ask(asked) => Some((
                self.questions.get(asked.site.index()),
                Decider {
                    who: asked.who,
                    host: asked.host,
                },
            )),
            _ => None,
        };
        let offered = game.offers().into_iter().map(|offer| {
            let decider = Decider {
                who: offer.by.map_or(0, |seat| 1 << seat),
                host: offer.by.is_none(),
            };
            (self.offers.get(offer.offer.index()), decider)
        });
        let about = asked.into_iter().chain(offered);
        let lines = about.flat_map(|(advice, decider)| {
            let advice = advice.into_iter().flatten();
            advice.filter(move |advice| is_by(game, line_of(game, advice), decider))
        });
        lines.map(|advice| (advice.policy, advice.line)).collect()
    }

    /// Whether there is no policy at all.
    pub fn is_silent(&self) -> bool {
        self.questions.is_empty()
    }

    /// Whether a policy may have a say about a question.
    #[inline]
    pub fn speaks_of(&self, site: AskId) -> bool {
        self.questions
            .get(site.index())
            .is_some_and(|advice| !advice.is_empty())
    }

    /// Whether a policy may have a say about an offer.
    pub fn speaks_of_offers(&self) -> bool {
        self.offers.iter().any(|advice| !advice.is_empty())
    }

    /// What the policies answer; nothing where they have no say or cannot have what they wish.
    #[inline]
    pub fn answer(&self, game: &Game, chance: &mut impl Dice) -> Option<Choice> {
        if self.questions.is_empty() {
            return None;
        }
        self.advised(game, chance)
    }

    #[inline(never)]
    fn advised(&self, game: &Game, chance: &mut impl Dice) -> Option<Choice> {
        let asked = game.asked()?;
        let decider = Decider {
            who: asked.who,
            host: asked.host,
        };
        let said = said(game, self.questions.get(asked.site.index())?, decider);
        said.flat_map(|(advice, line)| line.wishes.iter().map(move |wish| (advice.branch, wish)))
            .find_map(|(branch, wish)| {
                let wish = wish.map(|wish| game.value(wish, &[asked.who]));
                match branch {
                    Some(branch) => in_menu(game, branch, wish?, chance),
                    None => plain(asked.domain, wish, chance),
                }
            })
    }

    /// What the policies say to an offer that may be taken up.
    pub fn taken(&self, game: &Game, offer: &OpenOffer, chance: &mut impl Dice) -> Taken {
        let decider = Decider {
            who: offer.by.map_or(0, |seat| 1 << seat),
            host: offer.by.is_none(),
        };
        let advice = self
            .offers
            .get(offer.offer.index())
            .map_or(&[][..], Vec::as_slice);
        let said = said(game, advice, decider);
        said.flat_map(|(_, line)| &line.wishes)
            .find_map(|wish| match wish {
                Some(wish) if matches!(offer.among, Some(Domain::Text { .. })) => {
                    let wished = game.value(*wish, &[decider.who]) != 0;
                    Some(if wished { Taken::Free } else { Taken::Not })
                }
                Some(wish) => match picked(offer.among, game.value(*wish, &[decider.who]), chance) {
                    Some(target) => Some(Taken::With(target)),
                    // A condition says no; a set of nobody says nothing.
                    None => offer.among.is_none().then_some(Taken::Not),
                },
                None => Some(Taken::Not),
            })
            .unwrap_or(Taken::Free)
    }
}

/// The lines that have a say just now.
fn said<'a>(
    game: &'a Game,
    advice: &'a [Advice],
    decider: Decider,
) -> impl Iterator<Item = (&'a Advice, &'a PolicyLine)> {
    let lines = advice.iter().map(|advice| (advice, line_of(game, advice)));
    lines.filter(move |(_, line)| {
        let holds = |when: Thunk| game.value(when, &[decider.who]) != 0;
        is_by(game, line, decider) && line.when.is_none_or(holds)
    })
}

fn line_of<'a>(game: &'a Game, advice: &Advice) -> &'a PolicyLine {
    &game.rules().policies[advice.policy].lines[advice.line]
}

/// Whether a line is about this one's answers.
fn is_by(game: &Game, line: &PolicyLine, Decider { who, host }: Decider) -> bool {
    match line.by {
        AnsweredBy::Anybody => true,
        AnsweredBy::Host => host,
        AnsweredBy::Seats(seats) => !host && who & !game.value(seats, &[who]) == 0,
    }
}

/// An answer that is no menu's; `None` as a wish is nobody.
fn plain(domain: Domain, wish: Option<u64>, chance: &mut impl Dice) -> Option<Choice> {
    match domain {
        _ if wish.is_none() && domain.pass() == Some(true) => Some(Choice::Pass),
        Domain::Numbers { low, high, .. } => {
            let number = wish? as i64;
            (low..=high).contains(&number).then_some(Choice::Number(number))
        }
        Domain::YesNo => Some(if wish? != 0 { Choice::Yes } else { Choice::No }),
        Domain::Go | Domain::Menu | Domain::Words { .. } | Domain::Text { .. } => None,
        Domain::Seats { .. } | Domain::Cards { .. } | Domain::Titles { .. } => {
            Some(picked(Some(domain), wish?, chance)?.choice())
        }
    }
}

fn in_menu(game: &Game, branch: u8, wish: u64, chance: &mut impl Dice) -> Option<Choice> {
    let open = game.branches().find(|open| open.branch == branch)?;
    if let Some(Domain::Text { most, .. }) = open.among {
        let answer = Choice::Branch {
            branch,
            target: Target::Text(0),
        };
        let texts = ways::texts(game.rules(), most, answer);
        let drawn = chance.below(texts.len().max(1) as u64) as usize;
        return texts.get(drawn).copied().filter(|_| wish != 0);
    }
    let target = picked(open.among, wish, chance)?;
    Some(Choice::Branch { branch, target })
}

/// Somebody or something of what is wished that may be picked; where nothing is picked, whether that is
/// wished.
fn picked(among: Option<Domain>, wish: u64, chance: &mut impl Dice) -> Option<Target> {
    let Some(domain) = among else {
        return (wish != 0).then_some(Target::Nothing);
    };
    if let Domain::Numbers { low, high, .. } = domain {
        let meant = Choice::Number(wish as i64).target();
        return (low..=high).contains(&(wish as i64)).then_some(meant);
    }
    match domain.set()? & wish {
        0 => None,
        both => Some(domain.target(chance.pick_bit(both))),
    }
}
