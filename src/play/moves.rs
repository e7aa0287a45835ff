//! Answers as numbers, for programs that learn: one catalogue for all questions of a table, fixed by the rules,
//! the cards and the number of seats.
//!
//! Which answers are legal the engine says. Cards that look alike are one answer, and of cards of which only the
//! backs show the number tells the place alone; a long range of numbers is offered in even steps.

use omerta_core::rules::{AskKind, DrawKind, Kind, MOST_CARDS, Ruleset};
use omerta_engine::{Choice, Domain, Game, OpenOffer, Pending, Place, Target, seats_in};
use std::sync::Arc;

/// How many numbers a range may have to be offered one by one, counted from 0.
const NUMBERS: u32 = 64;
/// The answers that are the same in all games, in their order; the first is nobody's.
const PLAIN: [(&str, Choice); 4] = [
    ("pass", Choice::Pass),
    ("yes", Choice::Yes),
    ("no", Choice::No),
    ("go", Choice::Go),
];
/// What whoever is not asked answers.
pub const NOTHING: u32 = 0;

/// A legal answer with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Its number in the catalogue.
    pub number: u32,
    /// What it is to the game.
    pub choice: Choice,
    /// Of what chance draws: its weight among the others.
    pub weight: u32,
}

/// What is picked, and so how many numbers it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    One,
    Seats,
    Titles,
    Backs,
    Numbers,
}

/// What may be picked by itself, in the order of the catalogue.
const SORTS: [Sort; 4] = [Sort::Seats, Sort::Titles, Sort::Backs, Sort::Numbers];

impl Sort {
    fn of(kind: Option<Kind>, unseen: bool) -> Sort {
        match kind {
            Some(Kind::Players) => Sort::Seats,
            Some(Kind::Cards) if unseen => Sort::Backs,
            Some(Kind::Cards | Kind::Titles) => Sort::Titles,
            Some(Kind::Number) => Sort::Numbers,
            Some(Kind::Truth | Kind::Word | Kind::Text) | None => Sort::One,
        }
    }
}

/// The catalogue of a table.
#[derive(Clone, Debug)]
pub struct Moves {
    rules: Arc<Ruleset>,
    seats: u8,
    /// Where the numbers begin of what is picked by itself.
    seats_at: u32,
    titles_at: u32,
    backs_at: u32,
    numbers_at: u32,
    words_at: u32,
    /// Where those of each branch begin, question by question.
    branches_at: Vec<Vec<u32>>,
    offers_at: Vec<u32>,
    count: u32,
}

impl Moves {
    /// To name nobody, or to take up nothing.
    pub const PASS: Move = Move {
        number: 1,
        choice: Choice::Pass,
        weight: 1,
    };

    /// The catalogue for so many seats.
    pub fn new(rules: Arc<Ruleset>, seats: u8) -> Moves {
        let mut next = 1 + PLAIN.len() as u32;
        let mut take = |count: u32| {
            next += count;
            next - count
        };
        let size = |sort| match sort {
            Sort::One => 1,
            Sort::Seats => u32::from(seats),
            Sort::Titles => rules.groups.len() as u32,
            Sort::Backs => MOST_CARDS as u32,
            Sort::Numbers => NUMBERS,
        };
        let size_alone = |sort| if is_used(&rules, sort) { size(sort) } else { 0 };
        let [seats_at, titles_at, backs_at, numbers_at] = SORTS.map(|sort| take(size_alone(sort)));
        let words_at = take(most_words(&rules));
        let branches = rules.asks.iter().map(|ask| ask.kind.branches());
        let branches_at = branches.map(|branches| {
            let sorts = { branches.iter() }.map(|branch| Sort::of(branch.pick, branch.unseen));
            sorts.map(|sort| take(size(sort))).collect()
        });
        let branches_at = branches_at.collect();
        let offers = { rules.offers.iter() }.map(|offer| offer.target.as_ref().map(|target| target.kind));
        let offers_at = { offers }.map(|kind| take(size(Sort::of(kind, false)))).collect();
        Moves {
            seats,
            seats_at,
            titles_at,
            backs_at,
            numbers_at,
            words_at,
            branches_at,
            offers_at,
            count: next,
            rules,
        }
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// What each number says, in order, with the names of the seats.
    pub fn words(&self, names: &[String]) -> Vec<String> {
        let mut all = vec!["-".to_owned()];
        all.extend(PLAIN.map(|(word, _)| word.to_owned()));
        let picked = |sort| self.picked(sort, names);
        for sort in SORTS.into_iter().filter(|sort| is_used(&self.rules, *sort)) {
            all.extend(picked(sort));
        }
        all.extend((0..self.branches_start() - self.words_at).map(|word| format!("word {word}")));
        let mut behind = |name: &str, sort| {
            let words = picked(sort);
            all.extend(
                words
                    .iter()
                    .map(|word| format!("{name} {word}").trim_end().to_owned()),
            );
        };
        for ask in &self.rules.asks {
            for branch in ask.kind.branches() {
                behind(&branch.name, Sort::of(branch.pick, branch.unseen));
            }
        }
        for offer in &self.rules.offers {
            let kind = offer.target.as_ref().map(|target| target.kind);
            behind(&offer.name, Sort::of(kind, false));
        }
        all
    }

    fn branches_start(&self) -> u32 {
        self.words_at + most_words(&self.rules)
    }

    fn picked(&self, sort: Sort, names: &[String]) -> Vec<String> {
        match sort {
            Sort::One => vec![String::new()],
            Sort::Seats => names.iter().take(self.seats.into()).cloned().collect(),
            Sort::Titles => { self.rules.groups.iter() }
                .map(|group| group.name.clone())
                .collect(),
            Sort::Backs => (1..=MOST_CARDS).map(|back| format!("card {back}")).collect(),
            Sort::Numbers => (0..NUMBERS).map(|number| number.to_string()).collect(),
        }
    }

    /// Goes through the legal answers, each number once. Of texts there are none.
    pub fn legal(&self, game: &Game, mut visit: impl FnMut(Move)) {
        match game.pending() {
            Pending::Ask(asked) => match asked.domain {
                Domain::Menu => self.branches(game, asked.site.index(), &mut visit),
                domain => self.plain(game, domain, &mut visit),
            },
            Pending::Chance(drawn) => match drawn.domain {
                Domain::Words { .. } => self.drawn_words(game, &mut visit),
                domain => self.plain(game, domain, &mut visit),
            },
            Pending::Over(_) | Pending::Broken(_) => {}
        }
    }

    /// Goes through the standing offers that a seat may take up.
    pub fn offers(&self, game: &Game, seat: u8, mut visit: impl FnMut(Move)) {
        if !game.has_offers() {
            return;
        }
        for OpenOffer { offer, by, among } in game.offers() {
            if by != Some(seat) {
                continue;
            }
            let taken = |target| Choice::Offer { offer, by, target };
            picks(game, self.offers_at[offer.index()], among, &taken, &mut visit);
        }
    }

    fn plain(&self, game: &Game, domain: Domain, visit: &mut impl FnMut(Move)) {
        let one = |number: u32| Move {
            number,
            choice: PLAIN[number as usize - 1].1,
            weight: 1,
        };
        match domain {
            Domain::YesNo => [2, 3].map(one).into_iter().for_each(&mut *visit),
            Domain::Go => visit(one(4)),
            _ => {}
        }
        let start = match domain {
            Domain::Seats { .. } => self.seats_at,
            Domain::Cards { unseen: true, .. } => self.backs_at,
            Domain::Cards { .. } | Domain::Titles { .. } => self.titles_at,
            _ => self.numbers_at,
        };
        if domain.set().is_some() || matches!(domain, Domain::Numbers { .. }) {
            picks(game, start, Some(domain), &Target::choice, visit);
        }
        if domain.pass() == Some(true) {
            visit(Moves::PASS);
        }
    }

    fn branches(&self, game: &Game, ask: usize, visit: &mut impl FnMut(Move)) {
        for open in game.branches() {
            let branch = open.branch;
            let start = self.branches_at[ask][usize::from(branch)];
            let taken = |target| Choice::Branch { branch, target };
            picks(game, start, open.among, &taken, visit);
        }
    }

    fn drawn_words(&self, game: &Game, visit: &mut impl FnMut(Move)) {
        for (word, _, weight) in game.possible_words() {
            visit(Move {
                number: self.words_at + u32::from(word),
                choice: Choice::Word(word),
                weight,
            });
        }
    }
}

/// Whether a question or a draw of the rules picks such a thing by itself.
fn is_used(rules: &Ruleset, sort: Sort) -> bool {
    let asks = rules.asks.iter().map(|ask| match ask.kind {
        AskKind::Seats => Sort::Seats,
        AskKind::Cards if ask.unseen => Sort::Backs,
        AskKind::Cards | AskKind::Titles => Sort::Titles,
        AskKind::Numbers => Sort::Numbers,
        AskKind::Text | AskKind::YesNo | AskKind::Wait | AskKind::Menu(_) => Sort::One,
    });
    let draws = rules.draws.iter().map(|draw| match draw.kind {
        DrawKind::Seats => Sort::Seats,
        DrawKind::Cards | DrawKind::Titles => Sort::Titles,
        DrawKind::Numbers => Sort::Numbers,
        DrawKind::Weighted(_) => Sort::One,
    });
    asks.chain(draws).any(|used| used == sort)
}

fn most_words(rules: &Ruleset) -> u32 {
    let words = rules.draws.iter().map(|draw| match &draw.kind {
        DrawKind::Weighted(words) => words.len() as u32,
        _ => 0,
    });
    words.max().unwrap_or(0)
}

/// Goes through what may be picked among something.
fn picks(
    game: &Game,
    start: u32,
    among: Option<Domain>,
    with: &dyn Fn(Target) -> Choice,
    visit: &mut impl FnMut(Move),
) {
    let mut one = |offset: u32, target, weight| {
        visit(Move {
            number: start + offset,
            choice: with(target),
            weight,
        });
    };
    match among {
        None => one(0, Target::Nothing, 1),
        Some(Domain::Cards { among, unseen, .. }) => {
            let cards = if unseen {
                backs(game, among)
            } else {
                faces(game, among)
            };
            cards
                .into_iter()
                .for_each(|(offset, card, weight)| one(offset, Target::Card(card), weight));
        }
        Some(Domain::Numbers { low, high, .. }) => {
            for (offset, number) in numbers(low, high) {
                if let target @ Target::Number(_) = Choice::Number(number).target() {
                    one(offset, target, 1);
                }
            }
        }
        Some(domain) => {
            for member in seats_in(domain.set().unwrap_or(0)) {
                one(member as u32, domain.target(member as u32), 1);
            }
        }
    }
}

/// Cards by what they show: the first of each, and how many there are.
fn faces(game: &Game, among: u64) -> Vec<(u32, u8, u32)> {
    let things = game.look().things();
    let mut faces: Vec<(u32, u8, u32)> = Vec::new();
    for card in seats_in(among) {
        let face = u32::from(things[card].shown().0);
        match faces.iter_mut().find(|(known, ..)| *known == face) {
            Some((_, _, count)) => *count += 1,
            None => faces.push((face, card as u8, 1)),
        }
    }
    faces
}

/// Cards by their places, which tell nothing of what they are.
fn backs(game: &Game, among: u64) -> Vec<(u32, u8, u32)> {
    let look = game.look();
    let mut lying: Vec<(Option<Place>, u8)> = seats_in(among)
        .map(|card| (look.place(card), card as u8))
        .collect();
    lying.sort_unstable();
    let numbered = lying.into_iter().enumerate();
    numbered
        .map(|(offset, (_, card))| (offset as u32, card, 1))
        .collect()
}

/// The numbers of a range that are offered: all of a short one, else even steps from its lowest to its highest.
fn numbers(low: i64, high: i64) -> impl Iterator<Item = (u32, i64)> {
    let steps = i128::from(NUMBERS - 1);
    let width = i128::from(high) - i128::from(low);
    let by_value = low >= 0 && high < i64::from(NUMBERS);
    let short = width < i128::from(NUMBERS);
    (0..NUMBERS).filter_map(move |offset| {
        let number = match (by_value, short) {
            (true, _) => i64::from(offset),
            (false, true) => low.checked_add(i64::from(offset))?,
            (false, false) => i64::try_from(i128::from(low) + width * i128::from(offset) / steps).ok()?,
        };
        (low..=high).contains(&number).then_some((offset, number))
    })
}
