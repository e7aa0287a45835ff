//! What reaches a viewer, one thing after the other, in a form in which two games can be compared: what is told, what is
//! asked of it and among which answers, and what it answered itself.

use crate::{options::of_domain, words::Words};
use omerta_core::rules::OfferId;
use omerta_engine::{Audience, Domain, Game, Happened, OpenBranch, OpenOffer, Pending, Viewer, What};
use std::iter;

/// The scene that began last, and for which time: the same words another day are other words.
pub(crate) type When = (u16, u32);

/// Something that reaches a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// A sign meant for it, and not for all at the table, may stand in the place of a question: it says that none
    /// comes.
    Told {
        when: When,
        words: String,
        /// The cards to choose among, in a question, as they are named to whoever chooses.
        cards: Vec<String>,
        sign: bool,
    },
    Asked(Question),
    /// Its own answer, which tells it nothing. It is another when the cards in its hand are.
    Answered(String),
}

impl Item {
    /// What is told in it, without the cards of a question.
    pub fn told(&self) -> Option<&str> {
        match self {
            Item::Told { words, .. } => Some(words),
            Item::Asked(_) | Item::Answered(_) => None,
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Item::Told { words, cards, .. } => {
                let all = iter::once(words).chain(cards);
                all.map(String::as_str).collect::<Vec<_>>().join(" | ")
            }
            Item::Asked(question) => question.name.clone(),
            Item::Answered(words) => words.clone(),
        }
    }
}

/// What is asked, and among which answers. Which cards they are stands in what is told with it, for in another game those
/// that look alike may be others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Question {
    name: String,
    among: Domain,
    pick: (u8, u8),
    limit: Option<u32>,
    branches: Vec<(u8, Option<Domain>)>,
    offers: Vec<(OfferId, Option<Domain>)>,
}

/// Whose eyes look on, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    viewer: Viewer,
    when: When,
}

impl Sight {
    pub fn of(viewer: Viewer) -> Sight {
        Sight { viewer, when: (0, 0) }
    }

    /// The scene that began last.
    pub fn when(&self) -> When {
        self.when
    }

    /// Whose eyes.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// What of an event reaches the viewer; the game stands where the event led.
    pub fn reached(&mut self, game: &Game, words: &Words<'_>, happened: &Happened) -> Vec<Item> {
        if let What::SceneBegan { scene, nth } = happened.what {
            self.when = (scene.0, nth);
        }
        if !happened.audience.includes(self.viewer) {
            return Vec::new();
        }
        let when = self.when;
        let one = match (&happened.what, self.viewer) {
            (What::Asked { .. }, Viewer::Seat(seat)) => return question(game, words, seat, when),
            (What::Answered { who, .. }, Viewer::Seat(seat)) if who >> seat & 1 == 1 => {
                words.event(happened, self.viewer).map(Item::Answered)
            }
            _ => {
                let sign = matches!(
                    (&happened.what, happened.audience),
                    (What::Said { .. }, Audience::Seats(_))
                );
                words.event(happened, self.viewer).map(|told| Item::Told {
                    when,
                    words: told,
                    cards: Vec::new(),
                    sign,
                })
            }
        };
        one.into_iter().collect()
    }
}

/// What is pending, as it reaches a seat that is asked: its words tell whatever stands in them, and
/// whoever is asked together with others learns who they are.
fn question(game: &Game, words: &Words<'_>, seat: u8, when: When) -> Vec<Item> {
    let Pending::Ask(asked) = game.pending() else {
        return Vec::new();
    };
    let site = words.rules.ask(asked.site);
    let values = site
        .text
        .as_ref()
        .map(|text| game.phrase_values(text))
        .unwrap_or_default();
    let branches: Vec<OpenBranch> = game.branches().collect();
    let offers: Vec<OpenOffer> = game.offers();
    let offers: Vec<&OpenOffer> = offers.iter().filter(|open| open.by == Some(seat)).collect();
    // Cards to choose among are seen by who chooses, by themselves or in the branch or the offer that picks them, and
    // where they lie, for so they are named; of those that show their backs the places alone.
    let of_branches = branches.iter().map(|open| open.among);
    let of_offers = offers.iter().map(|open| open.among);
    let is_cards = |domain: &Domain| matches!(domain, Domain::Cards { .. });
    let domains = iter::once(Some(asked.domain)).chain(of_branches).chain(of_offers);
    let picked = domains.flatten().filter(is_cards);
    let seen: Vec<String> = picked.map(|domain| named(game, words, domain)).collect();
    let told = (!seen.is_empty() || !values.is_empty() || asked.who.count_ones() > 1).then(|| Item::Told {
        when,
        words: words.question(game, &asked),
        cards: seen,
        sign: false,
    });
    let plain = |domain: Domain| match domain {
        Domain::Cards { pass, .. } => Domain::Cards {
            among: 0,
            pass,
            unseen: false,
        },
        domain => domain,
    };
    let branch = |open: &OpenBranch| (open.branch, open.among.map(plain));
    let offer = |open: &&OpenOffer| (open.offer, open.among.map(plain));
    let asked = Question {
        name: site.name.clone(),
        among: plain(asked.domain),
        pick: asked.pick,
        limit: asked.limit,
        branches: branches.iter().map(branch).collect(),
        offers: offers.iter().map(offer).collect(),
    };
    told.into_iter().chain([Item::Asked(asked)]).collect()
}

/// What may be chosen, as it is named to whoever chooses.
fn named(game: &Game, words: &Words<'_>, domain: Domain) -> String {
    let answers = of_domain(game, words, domain);
    let named: Vec<&str> = answers.iter().map(|answer| answer.words.as_str()).collect();
    named.join(", ")
}
