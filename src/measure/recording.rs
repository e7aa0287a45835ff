//! Finds, among many random games, the few that together touch the most, and writes them down as
//! scenarios with snapshots.
//!
//! A game is a scenario from the beginning: what is found is what `omerta test` will play.

use crate::coverage::{Coverage, values_of};
use omerta_core::{
    plural::so_many,
    rules::Ruleset,
    source::{SourceId, Sources, Span},
};
use omerta_engine::{Value, What};
use omerta_play::{
    chance::Chance,
    deal,
    scenario::{Report, run, tests_of},
    session::Session,
};
use omerta_syntax::parse_play;
use omerta_workbench::{Workbench, runner::parallel_map};
use std::collections::BTreeSet;

/// A shorter game is taken for a longer one that touches a tenth more.
const NEARLY: (usize, usize) = (9, 10);

/// So many cards are put in at most; more would seldom be allowed.
const MOST_PUT_IN: usize = 4;

/// What a game shows: a text, a place in it, and what was done or happened there.
type Touched = BTreeSet<(String, u32, String)>;

/// What random games are played.
pub struct Wish {
    /// What stands behind `ruleset`.
    pub base: String,
    /// Only with so many players.
    pub players: Option<u8>,
    /// How many games are looked at.
    pub games: u64,
    /// How many are kept at most.
    pub keep: usize,
    /// On so many threads.
    pub threads: usize,
}

/// A random game as a scenario.
#[derive(Clone)]
struct Draft {
    players: u8,
    option: Option<(String, String)>,
    cards: Cards,
    seed: u64,
}

/// Which cards it is played with.
#[derive(Clone)]
enum Cards {
    /// Those of the table.
    Table,
    /// Those of a table with a name.
    Named(String),
    /// Those of the table, some put in for what they replace.
    PutIn(Vec<String>),
    /// Others in the stead of the commonest cards of the table: all, and which are new.
    Mixed(String, Vec<String>),
}

/// A game that was played to its end.
struct Played {
    draft: Draft,
    answers: usize,
    ending: Option<String>,
    touched: Touched,
}

/// What was found.
pub struct Found {
    /// The file of scenarios.
    pub text: String,
    /// The games kept: each with its name, and how much it touches that those before do not.
    pub games: Vec<(String, usize)>,
    /// How many games came to an end.
    pub played: usize,
    /// How much all of them touch together.
    pub all: usize,
}

/// Plays games and picks the telling ones; `None` where none came to an end.
pub fn find(bench: &Workbench, rules: &Ruleset, wish: &Wish) -> Option<Found> {
    let drafts = drafts(rules, wish);
    let played = parallel_map(drafts.len(), wish.threads, |index| {
        play(bench, &drafts[index], wish)
    });
    let played: Vec<Played> = played.into_iter().flatten().collect();
    let all: Touched = played
        .iter()
        .flat_map(|game| game.touched.iter().cloned())
        .collect();
    let kept = pick(&played, wish.keep);
    let texts = kept.iter().map(|(game, new)| game.scenario(*new));
    (!kept.is_empty()).then(|| Found {
        text: format!("{}{}", wish.head(), texts.collect::<String>()),
        games: kept.iter().map(|(game, new)| (game.draft.name(), *new)).collect(),
        played: played.len(),
        all: all.len(),
    })
}

/// The games that are tried: every number of players in turn, options and cards at random.
fn drafts(rules: &Ruleset, wish: &Wish) -> Vec<Draft> {
    let options: Vec<(String, String)> = rules
        .options
        .iter()
        .flat_map(|option| {
            let others = values_of(option)
                .into_iter()
                .filter(|value| *value != option.value);
            others.map(|value| (option.name.clone(), value))
        })
        .collect();
    let (from, to) = rules.seats;
    let counts = u64::from(to.saturating_sub(from)) + 1;
    let draft = |seed: u64| {
        let mut chance = Chance::of_seed(seed);
        let other = !options.is_empty() && chance.below(2) == 1;
        let players = wish.players.unwrap_or(from.saturating_add((seed % counts) as u8));
        Draft {
            players,
            option: other.then(|| options[chance.below(options.len() as u64) as usize].clone()),
            cards: cards(rules, players, &mut chance),
            seed,
        }
    };
    (1..=wish.games).map(draft).collect()
}

/// Cards to play with; the rules say whether they may be.
fn cards(rules: &Ruleset, players: u8, chance: &mut Chance) -> Cards {
    let name = |role: usize| rules.groups[role].name.clone();
    let place = Span::new(SourceId(0), 0, 0);
    let table = deal::from_table(rules, None, usize::from(players), place);
    let mut counts = vec![0_usize; rules.roles.len()];
    for card in table
        .iter()
        .flat_map(|cast| &cast.cards)
        .filter(|card| !rules.is_open(**card))
    {
        counts[card.index()] += 1;
    }
    let mut absent: Vec<usize> = (0..counts.len()).filter(|role| counts[*role] == 0).collect();
    chance.shuffle(&mut absent);
    absent.truncate(1 + chance.below(u64::from(players)) as usize);
    let named: Vec<&String> = rules.casts.iter().filter_map(|cast| cast.name.as_ref()).collect();
    match chance.below(4) {
        0 if !named.is_empty() => Cards::Named(named[chance.below(named.len() as u64) as usize].clone()),
        1 => {
            absent.retain(|role| !rules.roles[*role].replaces.is_empty());
            absent.truncate(MOST_PUT_IN);
            Cards::PutIn(absent.into_iter().map(name).collect())
        }
        2 if table.is_ok() => {
            let mut new = Vec::new();
            for role in absent {
                let commonest = (0..counts.len()).max_by_key(|role| counts[*role]).unwrap_or(0);
                if counts[commonest] > 1 {
                    counts[commonest] -= 1;
                    counts[role] += 1;
                    new.push(name(role));
                }
            }
            let dealt = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            let all: Vec<String> = dealt
                .map(|(role, count)| format!("{} {count}", name(role)))
                .collect();
            Cards::Mixed(all.join(", "), new)
        }
        _ => Cards::Table,
    }
}

/// Plays a game; nothing comes of one that the rules refuse or that does not end.
fn play(bench: &Workbench, draft: &Draft, wish: &Wish) -> Option<Played> {
    let text = format!("{}{}", wish.head(), draft.lines(None));
    let id = bench.add("recorded.play", &text);
    let (tree, _) = parse_play(id, &text);
    let Report {
        session: Some(session),
        diagnostics,
        ..
    } = run(tests_of(&tree).first()?, bench)
    else {
        return None;
    };
    if !diagnostics.is_empty() {
        return None;
    }
    let mut coverage = Coverage::default();
    bench.with_sources(|sources| coverage.add(&session, sources));
    let mut touched = coverage.touched();
    touched.extend(bench.with_sources(|sources| moments(&session, sources)));
    Some(Played {
        draft: draft.clone(),
        answers: session.cursor(),
        ending: ending(&session),
        touched,
    })
}

/// What a thing that happens is worth depends on when: each counts by itself and behind each other
/// of the same scene. So a tie, a rescue or the call of somebody who has gone stand out.
fn moments(session: &Session, sources: &Sources) -> Touched {
    let origins = &session.table().rules.origins;
    let mut before = None;
    let mut moments = Touched::new();
    for happened in &session.log().events {
        if let What::SceneBegan { .. } = happened.what {
            before = None;
        }
        let Some(deed) = deed(&happened.what) else {
            continue;
        };
        let Some(place) = origins.get(happened.at as usize) else {
            continue;
        };
        let text = &sources.get(place.source).name;
        moments.insert((text.clone(), place.start, deed.clone()));
        if let Some(before) = before {
            moments.insert((text.clone(), place.start, format!("{deed} after {before}")));
        }
        before = Some(format!("{text}:{} {deed}", place.start));
    }
    moments
}

/// What happened, whoever it was that did it; only whether it was anybody.
fn deed(what: &What) -> Option<String> {
    let some = |who: u64| if who == 0 { "nobody" } else { "somebody" };
    Some(match what {
        What::Performed { who, .. } => format!("call of {}", some(*who)),
        What::Occurred { of, .. } => format!("event of {}", some(*of)),
        What::Cancelled { of, .. } => format!("cancelled for {}", some(*of)),
        What::RuleApplied { .. } => "rule".to_owned(),
        What::Answered { answer, .. } => format!("answer {}", sort(answer)),
        What::Drew { outcome, .. } => format!("draw {}", sort(outcome)),
        What::Turned { .. } => "turned".to_owned(),
        What::Reseated { .. } => "seated".to_owned(),
        What::Ended { winners, .. } => format!("ended for {}", some(*winners)),
        _ => return None,
    })
}

/// Of people and cards how many, of all else which.
fn sort(value: &Value) -> String {
    match value {
        Value::Nobody => "nobody".to_owned(),
        Value::TimeUp => "time-up".to_owned(),
        Value::Players(set) => so_many(set.count_ones(), "player"),
        Value::Cards(cards) => so_many(cards.len(), "card"),
        Value::Places(places) => so_many(places.len(), "card"),
        Value::Branch { branch, target } => {
            let target = target.as_deref().map_or_else(String::new, sort);
            format!("branch {branch} {target}")
        }
        Value::Titles(_) | Value::Number(_) => String::new(),
        Value::Text(text) => if text.is_empty() { "nothing" } else { "text" }.to_owned(),
        Value::Truth(truth) => truth.to_string(),
        Value::Word(word) => word.to_string(),
    }
}

fn ending(session: &Session) -> Option<String> {
    let rules = &session.table().rules;
    let mut events = session.log().events.iter().rev();
    events.find_map(|happened| match happened.what {
        What::Ended { ending, .. } => Some(ending.map(|ending| rules.endings[ending.index()].name.clone())),
        _ => None,
    })?
}

/// The games that touch the most, one after the other, each with how much it touches that those
/// before it do not.
fn pick(played: &[Played], keep: usize) -> Vec<(&Played, usize)> {
    let mut known: BTreeSet<&(String, u32, String)> = BTreeSet::new();
    let mut kept = Vec::new();
    while kept.len() < keep {
        let news: Vec<usize> = played
            .iter()
            .map(|game| game.touched.iter().filter(|what| !known.contains(what)).count())
            .collect();
        let most = news.iter().copied().max().unwrap_or(0);
        let enough = |new: usize| new > 0 && new * NEARLY.1 >= most * NEARLY.0;
        let games = played.iter().zip(news).filter(|(_, new)| enough(*new));
        let Some((game, new)) = games.min_by_key(|(game, new)| (game.answers, usize::MAX - new)) else {
            break;
        };
        known.extend(&game.touched);
        kept.push((game, new));
    }
    kept
}

impl Wish {
    /// What stands above all games.
    fn head(&self) -> String {
        format!("ruleset {}\n", self.base)
    }
}

impl Draft {
    fn name(&self) -> String {
        let option = self.option.as_ref();
        let option = option.map_or_else(String::new, |(name, value)| format!(", {name} = {value}"));
        let cards = match &self.cards {
            Cards::Table => String::new(),
            Cards::Named(cast) => format!(", {cast}"),
            Cards::PutIn(cards) | Cards::Mixed(_, cards) if cards.is_empty() => String::new(),
            Cards::PutIn(cards) | Cards::Mixed(_, cards) => format!(", with {}", cards.join(", ")),
        };
        let players = so_many(self.players, "player");
        format!("{players}, seed {}{option}{cards}", self.seed)
    }

    fn lines(&self, ending: Option<&str>) -> String {
        let option = self.option.as_ref();
        let set = option.map_or_else(String::new, |(name, value)| format!("set {name} = {value}\n"));
        let ended = ending.map_or_else(String::new, |ending| format!("expect ended by {ending}\n"));
        let (seats, cast) = match &self.cards {
            Cards::Table => (String::new(), String::new()),
            Cards::Named(cast) => (String::new(), format!("cast {cast}\n")),
            Cards::Mixed(cards, _) => (String::new(), format!("cast {cards}\n")),
            Cards::PutIn(cards) if cards.is_empty() => (String::new(), String::new()),
            Cards::PutIn(cards) => (format!(": {}", cards.join(", ")), String::new()),
        };
        format!(
            "\nplay \"{}\"\n{set}seats {}{seats}\n{cast}otherwise random with seed {}\nrun to end\n{ended}",
            self.name(),
            self.players,
            self.seed
        )
    }
}

impl Played {
    fn scenario(&self, new: usize) -> String {
        let answers = self.answers;
        format!(
            "\n// {answers} answers; shows {new} things that no game above does.{}snapshot\n",
            self.draft.lines(self.ending.as_deref())
        )
    }
}
