//! A game under way: who is asked what, the legal answers, what each seat knows.

use super::{
    load::{Rules, Title, title_of},
    mistakes::{Mistake, mistakes},
};
use omerta_core::rules::GroupId;
use omerta_engine::{Choice, Domain, Illegal, Pending, StartError, Viewer};
use omerta_play::{
    deal, events,
    hosted::{Hosted, Rolling},
    options::{self, Line, Meant},
    save::Save,
    scenario, session,
    strategy::Strategy,
    words::{Words, members},
    worlds,
};
use omerta_workbench::people::{People, usual_number};
use std::fmt;

/// Who plays, with which cards, and what chance hangs on.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) people: People,
    pub(super) seed: u64,
    by_hand: bool,
}

impl Table {
    /// A table for as many as is usual, with the cards the rules have for them, and the seed 0.
    pub fn new() -> Table {
        Table::default()
    }

    /// So many play, under names of ours.
    pub fn players(mut self, players: u8) -> Table {
        self.people.players = Some(players);
        self
    }

    /// These play, in the order of the seats.
    pub fn names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Table {
        self.people.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// The cards: a cast of the rules by name, or roles as `Healer, Smuggler 2, Baker rest`.
    pub fn cast(mut self, cast: impl Into<String>) -> Table {
        self.people.cast = Some(cast.into());
        self
    }

    /// What chance hangs on: the same seed and the same answers give the same game.
    pub fn seed(mut self, seed: u64) -> Table {
        self.seed = seed;
        self
    }

    /// What chance gives is answered like everything else.
    pub fn chance_by_hand(mut self) -> Table {
        self.by_hand = true;
        self
    }

    pub(super) fn is_by_hand(&self) -> bool {
        self.by_hand
    }
}

/// Why something cannot be done with a game. A game is as it was then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameError {
    /// The cards do not fit the rules.
    Cast(Vec<Mistake>),
    /// So many cannot play, or not under these names: a sentence.
    Table(String),
    /// The answer is not legal: a sentence.
    Illegal(String),
    /// The text is no kept game, or none of these rules: a sentence.
    Save(String),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Cast(mistakes) => {
                let lines: Vec<String> = mistakes.iter().map(Mistake::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            GameError::Table(why) | GameError::Illegal(why) | GameError::Save(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for GameError {}

/// Through whose eyes one looks; seats are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// The host sees everything.
    Host,
    /// What everybody knows.
    Everybody,
    /// A seat, from 0. One that there is not sees what everybody knows.
    Seat(u8),
}

/// What a game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Question {
    /// What the rules call it.
    pub name: String,
    /// How it is put.
    pub words: String,
    /// The seats that are asked; several answer as one.
    pub seats: Vec<u8>,
    /// Who answers.
    pub asked: Asked,
    /// The numbers among which one is named, where they are too many to be listed.
    pub numbers: Option<(i64, i64)>,
    /// How many letters may be written, where the answer is a text: [`Game::answer`] takes it as it is, or in
    /// quotation marks.
    pub letters: Option<u32>,
    /// How many seconds there are to answer, where there is a limit; `time-up` is the answer when they are over.
    pub seconds: Option<u32>,
}

/// Who answers a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Seats.
    Seats,
    /// The host.
    Host,
    /// Chance, where it is answered by hand.
    Chance,
}

/// A legal answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The words that give it: `Ann`, `put-up Cid`, `pass`.
    pub words: String,
    choice: Choice,
}

/// Something that happened, as somebody got to know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What sort of thing, as in the lines for programs: `said`, `told`, `asked`.
    pub kind: &'static str,
    /// In words.
    pub words: String,
}

/// What somebody can know of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Worlds {
    /// So many games fit, those from which all goes on alike counted as one.
    pub games: usize,
    /// Whether they were drawn out of too many; the chances are near then, and what is not among them may be so.
    pub sampled: bool,
    /// For each seat the roles that may lie there.
    pub seats: Vec<Vec<Held>>,
}

/// A card that may lie at a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Held {
    /// Its role, by its name in the rules.
    pub role: String,
    /// In how many of a million games.
    pub millionths: u32,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The ending by its name; nothing where the script simply came to its end.
    pub ending: Option<String>,
    /// The seats that have won.
    pub winners: Vec<u8>,
    /// The seats that have lost.
    pub losers: Vec<u8>,
}

/// A game under way. A clone is a game of its own.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    hosted: Hosted,
}

impl Rules {
    /// Begins a game and deals.
    pub fn begin(&self, table: &Table) -> Result<Game, GameError> {
        let rolling = match table.by_hand {
            true => Rolling::ByHand,
            false => Rolling::BySeed,
        };
        let hosted = Hosted::start_rolling(self.table_of(table)?, rolling);
        Ok(Game {
            rules: self.clone(),
            hosted: hosted.map_err(|error| no_start(&error))?,
        })
    }

    /// A table as it is laid for a game: everybody has a name, and the cards are known.
    pub(super) fn table_of(&self, table: &Table) -> Result<session::Table, GameError> {
        let rules = self.rules();
        let usual = usual_number(rules, 8);
        let names = table.people.names(&self.laid, usual);
        let mut names = names.map_err(|error| GameError::Table(error.to_string()))?;
        let checked = table
            .people
            .check_cast(&self.bench, &self.laid, (names.len(), table.seed));
        let (cast, _) = checked.map_err(|problems| GameError::Cast(mistakes(&self.bench, &problems)))?;
        if rules.by_lot {
            deal::seat_by_lot(&mut names, table.seed);
        }
        Ok(session::Table {
            rules: rules.clone(),
            hooks: self.laid.bench.hooks.clone(),
            names,
            cast,
            seed: Some(table.seed),
        })
    }

    /// Goes on with a game that was kept under these rules.
    pub fn restore(&self, text: &str) -> Result<Game, GameError> {
        let no = |why: String| GameError::Save(why);
        let save = Save::from_text(text).map_err(|error| no(format!("the text {error}")))?;
        let (rules, hooks) = (self.rules().clone(), self.laid.bench.hooks.clone());
        let loaded = save
            .load(rules, hooks)
            .map_err(|error| no(format!("the text {error}")))?;
        if loaded.other_rules || loaded.stopped.is_some() {
            return Err(no("it was kept under other rules".to_owned()));
        }
        Ok(Game {
            rules: self.clone(),
            hosted: Hosted::of(loaded.session),
        })
    }
}

pub(super) fn no_start(error: &StartError) -> GameError {
    GameError::Table(scenario::no_start(error, "the game"))
}

impl Game {
    fn words(&self) -> Words<'_> {
        self.hosted.session.table().words()
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who sits there, in the order of the seats.
    pub fn names(&self) -> &[String] {
        &self.hosted.session.table().names
    }

    /// What the game waits for; nothing when it is over.
    pub fn asked(&self) -> Option<Question> {
        let (game, words) = (self.hosted.session.game(), self.words());
        match game.pending() {
            Pending::Ask(asked) => Some(Question {
                name: words.rules.ask(asked.site).name.clone(),
                words: words.put(game, &asked),
                seats: members(asked.who).collect(),
                asked: if asked.host { Asked::Host } else { Asked::Seats },
                numbers: self.numbers(asked.domain),
                letters: options::most_letters(game),
                seconds: asked.limit,
            }),
            Pending::Chance(drawn) => Some(Question {
                name: words.rules.draws[drawn.site.index()].name.clone(),
                words: words.chance(game, &drawn),
                seats: drawn.seat.into_iter().collect(),
                asked: Asked::Chance,
                numbers: self.numbers(drawn.domain),
                letters: None,
                seconds: None,
            }),
            Pending::Over(_) | Pending::Broken(_) => None,
        }
    }

    fn numbers(&self, domain: Domain) -> Option<(i64, i64)> {
        match domain {
            Domain::Numbers { low, high, .. } if self.legal().is_empty() => Some((low, high)),
            _ => None,
        }
    }

    /// All legal answers; of texts, and of a range of numbers too long to be listed none, and [`Game::answer`] reads them.
    pub fn legal(&self) -> Vec<Answer> {
        let answers = options::answers(self.hosted.session.game(), &self.words());
        answers.into_iter().map(answer).collect()
    }

    /// What stands open besides the question: `Ann does put-up Bob`.
    pub fn offers(&self) -> Vec<Answer> {
        let (game, words) = (self.hosted.session.game(), self.words());
        let open = game.offers();
        let offered = open.iter().flat_map(|open| options::offered(game, &words, open));
        offered.map(answer).collect()
    }

    /// Gives an answer; chance decides what follows from it, unless it is answered by hand.
    pub fn apply(&mut self, answer: &Answer) -> Result<(), GameError> {
        self.give(answer.choice)
    }

    pub(super) fn give(&mut self, choice: Choice) -> Result<(), GameError> {
        let given = self.hosted.give(choice);
        given.map_err(|why| self.illegal(&why))
    }

    fn illegal(&self, why: &Illegal) -> GameError {
        let game = self.hosted.session.game();
        GameError::Illegal(self.words().refusal(game, why))
    }

    /// Gives an answer by its words, or as much of them as is clear.
    pub fn answer(&mut self, words: &str) -> Result<(), GameError> {
        let plain = |Answer { words, choice }: Answer| options::Answer { words, choice };
        let legal: Vec<options::Answer> = self.legal().into_iter().chain(self.offers()).map(plain).collect();
        let line = options::to_write(self.hosted.session.game(), &legal, words);
        if let Some(Line::Text(answer, text)) = line {
            let written =
                { self.hosted.write(answer, Some(text)) }.and_then(|choice| self.hosted.give(choice));
            return written.map_err(|why| self.illegal(&why));
        }
        let choice = match options::meant(&legal, words, &self.hosted.session.table().names) {
            Meant::Surely(choice) | Meant::Begun(choice) => Some(choice),
            Meant::Either(_) | Meant::Nothing { .. } => {
                options::number(self.hosted.session.game(), &self.words(), words)
            }
        };
        let no_answer = || GameError::Illegal(format!("`{words}` is no answer to what is asked"));
        let choice = choice.ok_or_else(no_answer)?;
        self.apply(&Answer {
            words: words.to_owned(),
            choice,
        })
    }

    /// What a player answers who tosses coins; nothing when the game is over.
    pub fn random_answer(&mut self) -> Option<Answer> {
        let choice = self.hosted.by_themselves(&Strategy::NONE)?;
        let listed = self.legal().into_iter().chain(self.offers());
        let listed = { listed }.find(|answer| answer.choice == choice);
        Some(listed.unwrap_or_else(|| self.unlisted(choice)))
    }

    /// An answer that no list has: a text, or one of a long range of numbers.
    fn unlisted(&self, choice: Choice) -> Answer {
        let (game, words) = (self.hosted.session.game(), self.words());
        let site = game.asked().map(|asked| asked.site);
        Answer {
            words: words.choice(game, site, choice),
            choice,
        }
    }

    /// Takes the last answer back, with what chance made of it; `false` where there is none.
    pub fn undo(&mut self) -> bool {
        self.hosted.undo()
    }

    /// Gives again what was taken back last; `false` where nothing was.
    pub fn redo(&mut self) -> bool {
        self.hosted.redo()
    }

    /// From now on what chance gives is answered like everything else, as with [`Table::chance_by_hand`]: what a
    /// kept game does not say.
    pub fn chance_by_hand(mut self) -> Game {
        self.hosted.rolling = Rolling::ByHand;
        self
    }

    /// Whether what chance gives is answered like everything else.
    pub fn is_chance_by_hand(&self) -> bool {
        self.hosted.rolling == Rolling::ByHand
    }

    /// What may come out where chance is asked, each with its weight among the others; nothing elsewhere.
    pub fn chances(&self) -> Vec<(Answer, u32)> {
        let game = self.hosted.session.game();
        let Pending::Chance(drawn) = game.pending() else {
            return Vec::new();
        };
        let weight = |choice| match (choice, drawn.domain) {
            (Choice::Word(word), Domain::Words { .. }) => {
                let weights = game.weights();
                weights.get(usize::from(word)).map_or(0, |(_, weight)| *weight)
            }
            _ => 1,
        };
        let legal = self.legal().into_iter();
        legal
            .map(|answer| {
                let weight = weight(answer.choice);
                (answer, weight)
            })
            .collect()
    }

    /// The same game at its beginning, with everything that was answered ready to be given again by
    /// [`Game::redo`].
    pub fn replay(&self) -> Game {
        let mut again = self.clone();
        while again.undo() {}
        again
    }

    /// Everything that somebody knows, in the order in which it came.
    pub fn view(&self, eyes: Eyes) -> Vec<Event> {
        let viewer = match eyes {
            Eyes::Host => Viewer::Host,
            Eyes::Everybody => Viewer::Public,
            Eyes::Seat(seat) => Viewer::Seat(seat),
        };
        let words = self.words();
        let event = |happened: &omerta_engine::Happened| {
            Some(Event {
                kind: events::about(&happened.what, &words, viewer).0,
                words: words.event(happened, viewer)?,
            })
        };
        let seen = self.hosted.session.log().view(viewer);
        seen.filter_map(|(_, happened)| event(happened)).collect()
    }

    /// The roles a seat holds now, which only the host may see.
    pub fn roles_of(&self, seat: u8) -> Vec<Title> {
        let game = self.hosted.session.game();
        let roles = game.look().roles_of(1 << seat);
        members(roles)
            .map(|role| title_of(game.rules(), GroupId(u16::from(role))))
            .collect()
    }

    /// How it ended; nothing while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        outcome_of(self.hosted.session.game())
    }

    /// What somebody can know: the chance of every card at every seat, by all games that fit what has reached him,
    /// when everybody chooses at random.
    pub fn worlds(&self, eyes: Eyes) -> Result<Worlds, GameError> {
        let viewer = match eyes {
            Eyes::Host => Viewer::Host,
            Eyes::Everybody => Viewer::Public,
            Eyes::Seat(seat) => Viewer::Seat(seat),
        };
        let found = worlds::some_fitting(&self.hosted.session, viewer, 20_000);
        let found = found.map_err(|why| GameError::Illegal(why.to_string()))?;
        let rules = self.hosted.session.table().rules.clone();
        let roles = |seat: u8| {
            let roles = members(found.roles(seat));
            let chance = |role: u8| {
                let (some, all) = found.share(|game| game.look().roles_of(1 << seat) >> role & 1 == 1);
                Held {
                    role: rules.groups[usize::from(role)].name.clone(),
                    millionths: (some / (all / 1_000_000).max(1)).min(1_000_000) as u32,
                }
            };
            roles.map(chance).collect()
        };
        Ok(Worlds {
            games: found.worlds.len(),
            sampled: found.sampled,
            seats: (0..self.names().len() as u8).map(roles).collect(),
        })
    }

    /// By what the rules went wrong, if they did: a sentence. Nothing can be answered then.
    pub fn fault(&self) -> Option<String> {
        match self.hosted.session.game().pending() {
            Pending::Broken(fault) => Some(self.words().fault(&fault)),
            _ => None,
        }
    }

    /// The game as text: its rules' digest, its table, its answers.
    pub fn save(&self) -> String {
        let mut save = Save::of(&self.hosted.session);
        save.ruleset.clone_from(&self.rules.wanted.base);
        save.to_text()
    }
}

/// How a game ended; nothing while it goes on.
pub(super) fn outcome_of(game: &omerta_engine::Game) -> Option<Outcome> {
    let Pending::Over(outcome) = game.pending() else {
        return None;
    };
    Some(Outcome {
        ending: outcome
            .ending
            .map(|ending| game.rules().endings[ending.index()].name.clone()),
        winners: members(outcome.winners).collect(),
        losers: members(outcome.losers).collect(),
    })
}

fn answer(options::Answer { words, choice }: options::Answer) -> Answer {
    Answer { words, choice }
}

/// Games are equal that stand at the same place with the same answers behind them, at the same table under equal
/// rules. What was taken back does not count.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        let (mine, theirs) = (&self.hosted.session, &other.hosted.session);
        let table = |session: &session::Session| {
            let table = session.table();
            (table.rules.identity, table.names.clone(), table.seed)
        };
        table(mine) == table(theirs)
            && mine.table().cast.cards == theirs.table().cast.cards
            && self.hosted.rolling == other.hosted.rolling
            && mine.game().state() == theirs.game().state()
            && mine.answers() == theirs.answers()
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Game");
        out.field("rules", &self.rules).field("names", &self.names());
        out.field("answers", &self.hosted.session.cursor())
            .finish_non_exhaustive()
    }
}
