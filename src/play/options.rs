//! What may be answered, by name: every legal answer as words, and which of them somebody meant.
//!
//! What is legal the engine says; here it only gets its names.

use crate::words::{TIME_UP, Words, members};
use omerta_core::{
    diagnostic::close_name,
    rules::{AskKind, GroupId},
};
use omerta_engine::{Asked, Choice, Domain, Game, OpenOffer, Pending, Place, Target};

/// More options than this are not listed one by one.
const LISTED: usize = 64;

/// An answer with the words that give it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// `Ann`, `put-up Cid`, `pass`
    pub words: String,
    /// What it is to the game.
    pub choice: Choice,
}

impl Answer {
    fn new(words: impl Into<String>, choice: Choice) -> Answer {
        let words = words.into();
        Answer { words, choice }
    }
}

/// What somebody's words came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meant {
    /// One answer, given in full or by its number.
    Surely(Choice),
    /// One answer that begins so.
    Begun(Choice),
    /// Several begin so.
    Either(Vec<String>),
    /// None; the answer that is spelt almost so.
    Nothing { close: Option<String> },
}

/// Every answer to what is pending, in the order of their numbers; a long range of numbers is left
/// out, and [`number`] reads it.
pub fn answers(game: &Game, words: &Words<'_>) -> Vec<Answer> {
    let mut all = in_time(game, words);
    // A long range lists nothing, and where the host waits he goes on.
    let lists = all
        .first()
        .map_or(most_letters(game).is_some(), |first| first.choice != Choice::Go);
    if limit(game).is_some() && lists {
        all.push(Answer::new(TIME_UP, Choice::TimeUp));
    }
    all
}

/// How many seconds there are to answer, where there is a limit.
pub fn limit(game: &Game) -> Option<u32> {
    game.asked()?.limit
}

/// How many letters may be written, where somebody is to write.
pub fn most_letters(game: &Game) -> Option<u32> {
    match game.pending() {
        Pending::Ask(Asked {
            domain: Domain::Text { most, .. },
            ..
        }) => Some(most),
        _ => None,
    }
}

/// What else says that nobody is named, as rules and scenarios say it, or that no more are.
const PASSES: [&str; 4] = ["nobody", "nothing", "no more", "done"];

/// What stands behind the name of a branch or an offer in which something is written.
const TO_BE_WRITTEN: &str = " \"…\"";

/// What a line says where somebody is to write.
pub enum Line<'l> {
    /// One of the answers that are words of the program.
    Choice(Choice),
    /// A text, and the answer in which it is written: what stands in quotation marks, or else all of it.
    Text(Choice, &'l str),
}

/// What a line says where somebody is to write: the line, or what stands behind the name of a branch or an offer.
/// Nothing where nobody writes.
pub fn to_write<'l>(game: &Game, open: &[Answer], line: &'l str) -> Option<Line<'l>> {
    if let Some((answer, text)) = open.iter().find_map(|answer| written_in(answer, line)) {
        return Some(Line::Text(answer, text));
    }
    most_letters(game)?;
    let given = open.iter().find(|answer| same(&answer.words, line));
    Some(match given {
        Some(answer) => Line::Choice(answer.choice),
        None => Line::Text(Choice::TO_WRITE, unquoted(line.trim())),
    })
}

/// A branch or an offer with what a line writes in it.
pub fn written_in<'l>(answer: &Answer, line: &'l str) -> Option<(Choice, &'l str)> {
    answer.choice.text()?;
    let text = behind(line.trim(), answer.words.strip_suffix(TO_BE_WRITTEN)?)?;
    Some((answer.choice, unquoted(text)))
}

/// What stands in a line behind a name.
fn behind<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (head, text) = line.split_at_checked(name.len())?;
    let parted = text.starts_with(char::is_whitespace) && head.eq_ignore_ascii_case(name);
    Some(text.trim()).filter(|text| parted && !text.is_empty())
}

fn unquoted(line: &str) -> &str {
    let inside = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    inside.unwrap_or(line)
}

/// Every answer but that the time is up.
pub fn in_time(game: &Game, words: &Words<'_>) -> Vec<Answer> {
    match game.pending() {
        Pending::Ask(asked) => match (&words.rules.ask(asked.site).kind, asked.domain) {
            (AskKind::Menu(branches), Domain::Menu) => game
                .branches()
                .flat_map(|open| {
                    let name = branches[usize::from(open.branch)].name.as_str();
                    let answer = |(words, target)| Answer {
                        words,
                        choice: Choice::Branch {
                            branch: open.branch,
                            target,
                        },
                    };
                    targets(game, words, name, open.among)
                        .into_iter()
                        .map(answer)
                        .collect::<Vec<_>>()
                })
                .collect(),
            (_, domain) => of_domain(game, words, domain),
        },
        Pending::Chance(drawn) => of_domain(game, words, drawn.domain),
        Pending::Over(_) | Pending::Broken(_) => Vec::new(),
    }
}

/// `name` alone, or with everything it may pick.
fn targets(game: &Game, words: &Words<'_>, name: &str, among: Option<Domain>) -> Vec<(String, Target)> {
    let Some(among) = among else {
        return vec![(name.to_owned(), Target::Nothing)];
    };
    if matches!(among, Domain::Text { .. }) {
        return vec![(format!("{name}{TO_BE_WRITTEN}"), Target::Text(0))];
    }
    let target = |answer: Answer| (format!("{name} {}", answer.words), answer.choice.target());
    let mut all = of_domain(game, words, among);
    if let (true, Domain::Numbers { low, high, .. }) = (all.is_empty(), among) {
        // Of a long range the ends say what may be picked; [`number`] reads the others.
        all.extend([low, high].map(|end| Answer {
            words: end.to_string(),
            choice: Choice::Number(end),
        }));
    }
    all.into_iter().map(target).collect()
}

pub(crate) fn of_domain(game: &Game, words: &Words<'_>, domain: Domain) -> Vec<Answer> {
    let answer = |words: String, choice| Answer { words, choice };
    let mut all: Vec<Answer> = match domain {
        Domain::Seats { among, .. } => members(among)
            .map(|seat| answer(words.seat(seat), Choice::Seat(seat)))
            .collect(),
        Domain::Cards {
            among, unseen: true, ..
        } => backs(game, words, among),
        Domain::Cards { among, .. } => cards(game, words, among),
        Domain::Titles { among, .. } => {
            let titles = members(among).map(|title| Choice::Title(u16::from(title)));
            titles
                .map(|title| answer(words.thing(game, title), title))
                .collect()
        }
        Domain::Numbers { low, high, .. } => {
            let short = high.saturating_sub(low) < LISTED as i64;
            let numbers = (low..=high).take(if short { LISTED } else { 0 });
            numbers
                .map(|number| answer(number.to_string(), Choice::Number(number)))
                .collect()
        }
        Domain::YesNo => [("yes", Choice::Yes), ("no", Choice::No)]
            .map(|(word, choice)| answer(word.to_owned(), choice))
            .into(),
        Domain::Go => vec![answer("go".to_owned(), Choice::Go)],
        Domain::Words { .. } => {
            let word = |(number, word, _): (u16, &str, u32)| answer(word.to_owned(), Choice::Word(number));
            game.possible_words().map(word).collect()
        }
        // What somebody writes is nowhere listed: not even what the rules compare it with.
        Domain::Text { .. } | Domain::Menu => Vec::new(),
    };
    // A long range lists nothing: its numbers are the answers, and no option has a number of its own.
    if domain.pass() == Some(true) && !(all.is_empty() && matches!(domain, Domain::Numbers { .. })) {
        all.push(answer("pass".to_owned(), Choice::Pass));
    }
    all
}

/// Everything of the kind that is asked for, legal or not.
pub fn everything(game: &Game, words: &Words<'_>, asked_for: Domain) -> Vec<Answer> {
    let first = |count: usize| 1_u64.checked_shl(count as u32).unwrap_or(0).wrapping_sub(1);
    let pass = false;
    let all = match asked_for {
        Domain::Seats { .. } => Domain::Seats {
            among: game.look().players(),
            pass,
        },
        Domain::Cards { unseen, .. } => Domain::Cards {
            among: first(game.look().things().len()),
            pass,
            unseen,
        },
        Domain::Titles { .. } => Domain::Titles {
            among: first(usize::from(words.rules.titles)),
            pass,
        },
        other => other,
    };
    of_domain(game, words, all)
}

/// Cards by what they show, for those who may see them all.
pub fn cards_named(game: &Game, words: &Words<'_>, among: u64) -> Vec<String> {
    let cards = cards(game, words, among).into_iter();
    cards.map(|answer| answer.words).collect()
}

/// The same by where they lie.
pub fn cards_placed(game: &Game, words: &Words<'_>, among: u64) -> Vec<String> {
    let cards = backs(game, words, among).into_iter();
    cards.map(|answer| answer.words).collect()
}

/// Cards by what they show; of those that show the same each with its seat or a number.
fn cards(game: &Game, words: &Words<'_>, among: u64) -> Vec<Answer> {
    let things = game.look().things();
    let name = |group: GroupId| words.rules.groups[group.index()].name.clone();
    let mut seen: Vec<String> = Vec::new();
    let one = |card: u8| {
        let thing = things[usize::from(card)];
        let shown = match thing.seat {
            Some(seat) => format!("{} {}", name(thing.shown()), words.seat(seat)),
            None => name(thing.shown()),
        };
        let before = seen.iter().filter(|other| **other == shown).count();
        seen.push(shown.clone());
        let words = match before {
            0 => shown,
            before => format!("{shown} {}", before + 1),
        };
        Answer::new(words, Choice::Card(card))
    };
    members(among).map(one).collect()
}

/// Cards by where they lie, in the order of their places: neither a name nor an order tells what they are.
fn backs(game: &Game, words: &Words<'_>, among: u64) -> Vec<Answer> {
    let look = game.look();
    let cards = members(among);
    let mut all: Vec<_> = cards
        .filter_map(|card| Some((look.place(usize::from(card))?, card)))
        .collect();
    all.sort_unstable();
    let one = |(place, card): (Place, u8)| {
        let zone = words.rules.zones[place.zone.index()].name.clone();
        let seat = place.seat.map(|seat| words.seat(seat));
        let parts = [Some(zone), seat, Some(place.from_top.to_string())];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Answer::new(parts.join(" "), Choice::Card(card))
    };
    all.into_iter().map(one).collect()
}

/// A number that is too far out to be listed, by itself or as what a branch or an offer picks.
pub fn number(game: &Game, words: &Words<'_>, text: &str) -> Option<Choice> {
    if let Some((head, number)) = text.rsplit_once(' ') {
        let target = Choice::Number(number.parse().ok()?).target();
        let offers = game.offers();
        let offered = offers
            .iter()
            .flat_map(|open| [offered(game, words, open), offered_to_its_own(game, words, open)]);
        let mut listed = answers(game, words).into_iter().chain(offered.flatten());
        let same_head = |answer: &Answer| {
            let listed = answer.words.rsplit_once(' ');
            listed.is_some_and(|(listed, _)| same(listed, head.trim()))
        };
        let listed = listed.find(|answer| picks_number(answer.choice) && same_head(answer))?;
        return Some(match listed.choice {
            Choice::Branch { branch, .. } => Choice::Branch { branch, target },
            Choice::Offer { offer, by, .. } => Choice::Offer { offer, by, target },
            other => other,
        });
    }
    let domain = match game.pending() {
        Pending::Ask(asked) => asked.domain,
        Pending::Chance(drawn) => drawn.domain,
        _ => return None,
    };
    let Domain::Numbers { pass, .. } = domain else {
        return None;
    };
    match text {
        TIME_UP if limit(game).is_some() => Some(Choice::TimeUp),
        "pass" if pass => Some(Choice::Pass),
        _ => text.parse().ok().map(Choice::Number),
    }
}

/// An offer as it may be taken up: `Ann does suspect Bob`.
pub fn offered(game: &Game, words: &Words<'_>, open: &OpenOffer) -> Vec<Answer> {
    let who = open.by.map_or_else(|| "host".to_owned(), |seat| words.seat(seat));
    offered_behind(&format!("{who} does "), game, words, open)
}

/// The same for whoever knows whose it is: `suspect Bob`.
pub fn offered_to_its_own(game: &Game, words: &Words<'_>, open: &OpenOffer) -> Vec<Answer> {
    offered_behind("", game, words, open)
}

fn offered_behind(whose: &str, game: &Game, words: &Words<'_>, open: &OpenOffer) -> Vec<Answer> {
    let name = format!("{whose}{}", words.rules.offers[open.offer.index()].name);
    let (offer, by) = (open.offer, open.by);
    let answer = |(words, target): (String, _)| Answer::new(words, Choice::Offer { offer, by, target });
    let targets = targets(game, words, &name, open.among).into_iter();
    targets.map(answer).collect()
}

/// The card that lies where a text says, of those that may be chosen now, by itself or with a branch: `hand Ann 1`.
pub fn placed(game: &Game, words: &Words<'_>, text: &str) -> Option<Choice> {
    let asked = game.asked()?;
    let lies_at = |domain: Option<Domain>, text: &str| match domain {
        Some(Domain::Cards { among, .. }) => { backs(game, words, among).into_iter() }
            .find(|answer| same(&answer.words, text))
            .map(|answer| answer.choice),
        _ => None,
    };
    let AskKind::Menu(branches) = &words.rules.ask(asked.site).kind else {
        return lies_at(Some(asked.domain), text);
    };
    game.branches().find_map(|open| {
        let text = behind(text, &branches[usize::from(open.branch)].name)?;
        let card = lies_at(open.among, text)?;
        Some(Choice::Branch {
            branch: open.branch,
            target: card.target(),
        })
    })
}

/// What each answer picks with a branch, by itself, where no two branches pick; nothing for the others.
pub fn without_branches(answers: &[Answer]) -> Vec<Option<&str>> {
    let mut all = answers
        .iter()
        .filter_map(|answer| picked(answer).map(|(branch, _)| branch));
    let first = all.next();
    let one_picks = all.all(|branch| Some(branch) == first);
    let bare = |answer| picked(answer).map(|(_, bare)| bare).filter(|_| one_picks);
    answers.iter().map(bare).collect()
}

/// The branch of an answer, and what is picked with it.
fn picked(answer: &Answer) -> Option<(u8, &str)> {
    match answer.choice {
        Choice::Branch {
            target: Target::Nothing | Target::Text(_),
            ..
        } => None,
        Choice::Branch { branch, .. } => Some((branch, answer.words.split_once(' ')?.1)),
        _ => None,
    }
}

/// Which of some answers somebody means: by its words, by its number, or by how it begins. The whole name of somebody at
/// the table is nobody else's beginning.
pub fn meant(answers: &[Answer], given: &str, names: &[String]) -> Meant {
    let exact = answers.iter().find(|answer| same(&answer.words, given));
    // As rules and scenarios say it.
    let nobody = || {
        let pass = answers.iter().find(|answer| answer.choice == Choice::Pass);
        pass.filter(|_| PASSES.iter().any(|word| same(word, given)))
    };
    if let Some(answer) = exact.or_else(|| by_number(answers, given)).or_else(nobody) {
        return Meant::Surely(answer.choice);
    }
    // A number is given in full: 5 is not the beginning of 500.
    let in_full = given.ends_with(|last: char| last.is_ascii_digit());
    let begun: Vec<&Answer> = answers
        .iter()
        .filter(|answer| begins(&answer.words, given, names) && !(in_full && picks_number(answer.choice)))
        .collect();
    // Who is named alone is meant with the branch that picks him.
    let begun = match begun.is_empty() {
        true => { answers.iter() }
            .filter(|answer| picked(answer).is_some_and(|(_, bare)| same(bare, given)))
            .collect(),
        false => begun,
    };
    match begun[..] {
        [] => {
            let known = answers.iter().map(|answer| answer.words.as_str());
            let close = close_name(given, known).filter(|_| !names.iter().any(|name| same(name, given)));
            Meant::Nothing {
                close: close.map(str::to_owned),
            }
        }
        [only] => Meant::Begun(only.choice),
        _ => Meant::Either(begun.iter().map(|answer| answer.words.clone()).collect()),
    }
}

fn picks_number(choice: Choice) -> bool {
    let (Choice::Branch { target, .. } | Choice::Offer { target, .. }) = choice else {
        return false;
    };
    matches!(target, Target::Number(_))
}

/// An option by its number. Where numbers are asked for, a number is the answer itself.
fn by_number<'a>(answers: &'a [Answer], given: &str) -> Option<&'a Answer> {
    let mut choices = answers.iter().map(|answer| answer.choice);
    let place: usize = given.parse().ok()?;
    match choices.any(|choice| matches!(choice, Choice::Number(_))) {
        true => None,
        false => answers.get(place.checked_sub(1)?),
    }
}

fn same(words: &str, given: &str) -> bool {
    words
        .to_lowercase()
        .split_whitespace()
        .eq(given.to_lowercase().split_whitespace())
}

/// Whether each word that was given begins a word of the answer, one after the other, and a name is that of the same.
fn begins(words: &str, given: &str, names: &[String]) -> bool {
    let (words, given) = (words.to_lowercase(), given.to_lowercase());
    let (mut words, mut given) = (words.split_whitespace(), given.split_whitespace());
    let is_name = |word: &str| names.iter().any(|name| name.to_lowercase() == word);
    given.all(|given| {
        let word = words.next().filter(|word| word.starts_with(given));
        word.is_some_and(|word| word == given || !is_name(given))
    })
}
