//! A program that plays seats: a line of JSON to it for each thing its seats get to know and for each
//! question, a line of JSON from it for each answer. `docs/reference/bots.md` describes the lines.
//!
//! It hears what the seat's view says and nothing else: not even which game of the run is played, from which
//! whoever guesses the seed could work out all hands.

use super::process::{Lines, Patience, Process, Silence};
use crate::faces::render::visible;
use anyhow::{Context, Error, Result, anyhow, bail};
use omerta_core::{
    diagnostic::close_name,
    rules::{GroupId, GroupKind, PlannedCast, Ruleset},
};
use omerta_engine::{Asked, Choice, Domain, Game, Log, OpenOffer, Outcome, Viewer};
use omerta_measure::sim::{Careful, Guest, Invited, capital};
use omerta_play::{
    chances::Players,
    events,
    options::{self, Answer, Line, Meant},
    words::{Words, members},
};
use omerta_workbench::policies::CAREFUL;
use rand::{Rng, SeedableRng, rngs::ChaCha20Rng};
use serde_json::{Value as Json, json};
use std::{collections::BTreeMap, sync::Arc};

/// The version of the lines.
const VERSION: u32 = 3;
/// So many games he plays on for an answer, where nobody says how many.
pub const USUAL_THOUGHT: u32 = 200;
/// No more than so many.
pub const MOST_THOUGHT: u32 = 100_000;
/// Of a line that is no answer, so many letters are shown.
const SHOWN: usize = 200;

/// Which seats a program plays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seats {
    /// These.
    set: u64,
    /// And whoever has one of these roles or is of one of these teams when the question comes.
    groups: Vec<GroupId>,
}

/// A program and the seats it shall play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Its seats.
    pub seats: Seats,
    /// The program with its arguments, as a shell would take it.
    pub command: String,
}

impl Wanted {
    /// Its seats in a game as it stands.
    pub fn seats_in(&self, game: &Game) -> u64 {
        let of = |set, group: &GroupId| set | game.look().group(*group);
        self.seats.groups.iter().fold(self.seats.set, of)
    }

    /// Reads `all=./bot`, `1,3=./bot` or `ROLE=./bot` under some rules.
    pub fn read(text: &str, rules: &Ruleset, names: &[String]) -> Result<Wanted> {
        let Some((who, command)) = text
            .split_once('=')
            .filter(|(_, command)| !command.trim().is_empty())
        else {
            bail!("`{text}` names no program: write SEATS=COMMAND, such as `all=./bot` or `1+3=./bot`");
        };
        let wanted = Wanted {
            seats: Self::seats(who.trim(), rules, names)?,
            command: command.trim().to_owned(),
        };
        if let Some(Err(words)) = wanted.careful() {
            bail!(
                "`{words}` is no number of games to play on: write `careful {USUAL_THOUGHT}`, and for a program of that name `./careful`"
            );
        }
        Ok(wanted)
    }

    /// How many games the player of ours plays on for an answer, where it is he who plays and no program.
    pub fn careful(&self) -> Option<Result<u32, &str>> {
        let words = words_for_careful(&self.command)?;
        let games = words.parse().ok();
        Some(match words {
            "" => Ok(USUAL_THOUGHT),
            _ => games
                .filter(|games| (1..=MOST_THOUGHT).contains(games))
                .ok_or(words),
        })
    }

    /// Who plays then: a program, or the player of ours; what he thinks the others do.
    pub fn invited(self, house: &House, players: &Players) -> Arc<dyn Invited> {
        match self.careful() {
            None | Some(Err(_)) => Arc::new(Program {
                wanted: self,
                house: house.clone(),
            }),
            Some(Ok(thought)) => Arc::new(Careful {
                seats: Arc::new(move |game| self.seats_in(game)),
                names: house.names.clone(),
                players: players.clone(),
                thought,
                seed: house.seed,
                stop: house.patience.stop.clone(),
            }),
        }
    }

    fn seats(who: &str, rules: &Ruleset, names: &[String]) -> Result<Seats> {
        let mut seats = Seats::default();
        for word in who.split('+').map(str::trim) {
            let by_number = word
                .parse::<usize>()
                .ok()
                .and_then(|number| number.checked_sub(1));
            let seat = by_number.or_else(|| names.iter().position(|name| name == word));
            let may_be = |group: &GroupId| {
                let kind = rules.groups[group.index()].kind;
                matches!(kind, GroupKind::Role | GroupKind::Team)
            };
            let group = rules.group_named(word).filter(may_be);
            let group = group.or_else(|| titled(rules, word).filter(may_be));
            match (word, group, seat.filter(|seat| *seat < names.len())) {
                ("all", _, _) => seats.set = u64::MAX,
                (_, Some(group), _) => seats.groups.push(group),
                (_, _, Some(seat)) => seats.set |= 1 << seat,
                _ => bail!(
                    "`{word}` is no seat, role or team of this game{}",
                    meant(rules, names, word)
                ),
            }
        }
        Ok(seats)
    }
}

/// What is said besides, where a command is no program but the player of ours.
fn words_for_careful(command: &str) -> Option<&str> {
    let words = command.trim().strip_prefix(CAREFUL)?;
    (words.is_empty() || words.starts_with(char::is_whitespace)).then(|| words.trim())
}

/// Which seats the player of ours plays, and what is said besides; nothing where a program plays them.
pub fn careful(bot: &str) -> Option<(&str, &str)> {
    let (seats, command) = bot.split_once('=')?;
    Some((seats.trim(), words_for_careful(command)?))
}

/// The one group that tables of numbers call so, big or small letters and articles aside.
fn titled(rules: &Ruleset, word: &str) -> Option<GroupId> {
    let plain = |title: &str| capital(title).to_lowercase();
    let mut found = (0..rules.groups.len()).filter(|at| plain(&rules.groups[*at].title) == plain(word));
    let first = found.next()?;
    found.next().is_none().then_some(GroupId(first as u16))
}

/// What may have been meant by a word for seats.
fn meant(rules: &Ruleset, names: &[String], word: &str) -> String {
    let groups = rules.groups.iter();
    let groups = groups.filter(|group| matches!(group.kind, GroupKind::Role | GroupKind::Team));
    let known = groups.flat_map(|group| [group.name.as_str(), group.title.as_str()]);
    match close_name(word, known.chain(names.iter().map(String::as_str))) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    }
}

/// What the programs of a run have in common.
#[derive(Clone, Debug)]
pub struct House {
    /// What people at the table are called.
    pub names: Vec<String>,
    /// The seed of the run, from which the names of its games are made.
    pub seed: u64,
    /// How many of which cards are in the game, if the programs shall know.
    pub cast: Option<BTreeMap<String, usize>>,
    /// How long they are waited for.
    pub patience: Patience,
}

impl House {
    /// A table at which people have these names, and all else is as usual.
    pub fn of(names: &[String], seed: u64) -> House {
        House {
            names: names.to_vec(),
            seed,
            cast: None,
            patience: Patience::usual(),
        }
    }

    /// What programs call a game: the same at each run, and nothing that number or seed could be read from.
    pub fn name_of(&self, game: u64) -> String {
        let mut letters = ChaCha20Rng::seed_from_u64(self.seed);
        letters.set_stream(game);
        format!("{:016x}", letters.next_u64())
    }
}

/// A program that is started for each thread of a run.
struct Program {
    wanted: Wanted,
    house: House,
}

/// How many of which cards are in a game.
pub fn counted(rules: &Ruleset, cast: &PlannedCast) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for role in &cast.cards {
        let name = rules.groups[role.index()].name.clone();
        *counted.entry(name).or_insert(0) += 1;
    }
    counted
}

impl Invited for Program {
    fn seats_in(&self, game: &Game) -> u64 {
        self.wanted.seats_in(game)
    }

    fn start(&self) -> Result<Box<dyn Guest>> {
        let process = Process::start(&self.wanted.command, self.house.patience.clone())?;
        Ok(Box::new(Bot::over(
            Box::new(process),
            self.wanted.clone(),
            self.house.clone(),
        )))
    }
}

/// Somebody who answers by lines.
pub struct Bot {
    wanted: Wanted,
    lines: Box<dyn Lines>,
    house: House,
    game: u64,
    /// What it calls the game.
    alias: String,
    /// The number of the question that it was asked last.
    question: u64,
    /// How many events of the log each seat has been told of; `None` before its first question.
    told: Vec<Option<usize>>,
    /// What each seat may take up, as it was asked about it last; nothing once it has heard or answered something since.
    /// Whoever hears nothing between two pauses must not learn that there were two.
    offered: Vec<Option<Vec<String>>>,
    /// What it was asked last, for the words about what is wrong with its answer.
    asked: String,
}

impl Bot {
    /// An answer with a text in it, as the game takes it.
    fn write(&self, game: &mut Game, answer: Choice, text: &str) -> Result<Choice> {
        let words = Words {
            rules: &game.rules().clone(),
            names: &self.house.names,
        };
        let given = game.write(answer, Some(text));
        given.map_err(|why| anyhow!("{}: {}", self.no_answer(text), words.refusal(game, &why)))
    }
}

impl Guest for Bot {
    fn seats_in(&self, game: &Game) -> u64 {
        self.wanted.seats_in(game)
    }

    fn begin(&mut self, number: u64, _: (&Game, &Log)) {
        self.game = number;
        self.alias = self.house.name_of(number);
        self.told = vec![None; self.house.names.len()];
        self.offered = vec![None; self.house.names.len()];
        self.lines.begin();
    }

    fn answer(&mut self, game: &mut Game, log: &Log, asked: &Asked, seat: u8) -> Result<Choice> {
        let (names, rules) = (self.house.names.clone(), game.rules().clone());
        let words = Words {
            rules: &rules,
            names: &names,
        };
        self.tell(&rules, log, &words, seat)?;
        self.offered[usize::from(seat)] = None;
        let answers = options::in_time(game, &words);
        let name = &words.rules.ask(asked.site).name;
        let pick = Some(asked.pick).filter(|(_, of)| *of > 1);
        let range = match asked.domain {
            Domain::Numbers { low, high, .. } if answers.is_empty() => Some((low, high)),
            _ => None,
        };
        let mut line = json!({
            "name": name,
            "question": words.put(game, asked),
        });
        if let Some((low, high)) = range {
            (line["from"], line["to"]) = (json!(low), json!(high));
        }
        if let Domain::Text { most, .. } = asked.domain {
            line["letters"] = json!(most);
        }
        if let Some(seconds) = asked.limit {
            line["seconds"] = json!(seconds);
        }
        if let Some((nth, of)) = pick {
            (line["pick"], line["picks"]) = (json!(nth + 1), json!(of));
        }
        let read = self.ask(seat, line, &answers)?;
        if let Some(Line::Text(answer, text)) = options::to_write(game, &answers, &read) {
            return self.write(game, answer, text);
        }
        let choice = match options::meant(&answers, &read, &names) {
            Meant::Surely(choice) | Meant::Begun(choice) => Some(choice),
            Meant::Either(_) | Meant::Nothing { .. } => options::number(game, &words, &read),
        };
        choice.with_context(|| self.no_answer(&read))
    }

    fn take_up(
        &mut self,
        game: &mut Game,
        log: &Log,
        offers: &[OpenOffer],
        seat: u8,
    ) -> Result<Option<Choice>> {
        let (names, rules) = (self.house.names.clone(), game.rules().clone());
        let words = Words {
            rules: &rules,
            names: &names,
        };
        self.tell(&rules, log, &words, seat)?;
        // Nothing stands first: a program that always takes the first option interrupts nobody.
        let pass = Answer {
            words: "pass".to_owned(),
            choice: Choice::Pass,
        };
        let mine = offers.iter().filter(|offer| offer.by == Some(seat));
        let mut open = mine.flat_map(|offer| options::offered_to_its_own(game, &words, offer));
        let Some(first) = open.next() else {
            return Ok(None);
        };
        let answers: Vec<Answer> = [pass, first].into_iter().chain(open).collect();
        let offered = Some(answers.iter().map(|answer| answer.words.clone()).collect());
        if self.offered[usize::from(seat)] == offered {
            return Ok(None);
        }
        self.offered[usize::from(seat)] = offered;
        let line = json!({ "name": "offer", "question": "do you take up an offer?" });
        let read = self.ask(seat, line, &answers)?;
        let written = answers
            .iter()
            .find_map(|answer| options::written_in(answer, &read));
        if let Some((answer, text)) = written {
            return self.write(game, answer, text).map(Some);
        }
        match options::meant(&answers, &read, &names) {
            Meant::Surely(choice) | Meant::Begun(choice) => {
                Ok(Some(choice).filter(|choice| *choice != Choice::Pass))
            }
            Meant::Either(_) | Meant::Nothing { .. } => bail!(self.no_answer(&read)),
        }
    }

    // Each seat that was asked anything hears the rest, and who has won.
    fn end(&mut self, game: &Game, log: &Log, outcome: Option<Outcome>) -> Result<()> {
        let names = self.house.names.clone();
        let words = Words {
            rules: game.rules(),
            names: &names,
        };
        let winners: Vec<&String> = members(outcome.map_or(0, |outcome| outcome.winners))
            .map(|seat| &names[usize::from(seat)])
            .collect();
        for (seat, name) in names.iter().enumerate() {
            if self.told[seat].is_some() {
                self.tell(game.rules(), log, &words, seat as u8)?;
                self.send(&json!({
                    "kind": "end",
                    "game": self.alias,
                    "seat": name,
                    "winners": winners,
                }))?;
            }
        }
        Ok(())
    }
}

impl Bot {
    /// Somebody who hears and says these lines.
    pub fn over(lines: Box<dyn Lines>, wanted: Wanted, house: House) -> Bot {
        Bot {
            wanted,
            lines,
            house,
            game: 0,
            alias: String::new(),
            question: 0,
            told: Vec::new(),
            offered: Vec::new(),
            asked: String::new(),
        }
    }

    /// Puts a question and reads the words of the answer.
    fn ask(&mut self, seat: u8, mut line: Json, answers: &[Answer]) -> Result<String> {
        let given: Vec<&str> = answers.iter().map(|answer| answer.words.as_str()).collect();
        let who = self.house.names[usize::from(seat)].clone();
        self.asked = format!(
            "in game {}, {who} being asked for `{}` ({}{}{})",
            self.game,
            line["name"].as_str().unwrap_or_default(),
            line["question"],
            if given.is_empty() { "" } else { ": " },
            given.join(", ")
        );
        self.question += 1;
        line["kind"] = json!("ask");
        line["id"] = json!(self.question);
        line["game"] = json!(self.alias);
        line["seat"] = json!(who);
        line["options"] = json!(given);
        self.send(&line)?;
        let line = self
            .lines
            .receive()
            .map_err(|silence| self.unanswered(&silence))?;
        self.read(&line)
    }

    /// The words of an answer to the question that was put last: an answer that says it is another's, or does not
    /// say whose it is, is none.
    fn read(&self, line: &str) -> Result<String> {
        let (command, asked, id) = (&self.wanted.command, &self.asked, self.question);
        let shown = shown(line);
        let read: Json = serde_json::from_str(line)
            .map_err(|error| anyhow!("`{command}` answered `{shown}` {asked}, which is not JSON: {error}"))?;
        let answer = read.get("answer").and_then(Json::as_str);
        match (answer, read.get("id").and_then(Json::as_u64)) {
            (Some(words), Some(to)) if to == id => Ok(words.to_owned()),
            (Some(_), Some(to)) => {
                bail!(
                    "`{command}` answered question {to} when {id} was put {asked}: one line for each question"
                )
            }
            (Some(_), None) => bail!(
                "`{command}` answered `{shown}` {asked}, and says not which question it answers: \
                 write {{\"id\": {id}, \"answer\": \"…\"}}"
            ),
            (None, _) => {
                bail!("`{command}` answered `{shown}` {asked}; write {{\"id\": {id}, \"answer\": \"…\"}}")
            }
        }
    }

    fn no_answer(&self, read: &str) -> String {
        let (command, asked, read) = (&self.wanted.command, &self.asked, shown(read));
        format!("`{command}` answered `{read}`, which is no answer, {asked}")
    }

    /// What is wrong with one of whom nothing is heard.
    fn unanswered(&self, silence: &Silence) -> Error {
        let (command, asked) = (&self.wanted.command, &self.asked);
        match silence {
            Silence::Gone => anyhow!("`{command}` stopped without an answer {asked}"),
            Silence::Unheard(error) => anyhow!("`{command}` cannot be heard {asked}: {error}"),
            Silence::Late(bound) => {
                let seconds = bound.as_secs();
                anyhow!("`{command}` has not answered for {seconds} seconds {asked}")
            }
            Silence::Slow(bound) => {
                let seconds = bound.as_secs();
                anyhow!(
                    "`{command}` has taken more than {seconds} seconds for its answers of a game, {asked}"
                )
            }
            Silence::Stopped => anyhow!("the run was stopped {asked}"),
        }
    }

    /// Everything that the seat has got to know since it was asked last.
    fn tell(&mut self, rules: &Ruleset, log: &Log, words: &Words<'_>, seat: u8) -> Result<()> {
        let place = usize::from(seat);
        if self.told[place].is_none() {
            let options: Vec<_> = rules
                .options
                .iter()
                .map(|option| (option.name.clone(), json!(option.value)))
                .collect();
            let mut begin = json!({
                "kind": "begin",
                "version": VERSION,
                "game": self.alias,
                "seat": self.house.names[place],
                "seats": self.house.names,
                "ruleset": rules.name,
                "overlays": rules.overlays,
                "options": options.into_iter().collect::<serde_json::Map<_, _>>(),
            });
            if let Some(cast) = &self.house.cast {
                begin["cast"] = json!(cast);
            }
            self.send(&begin)?;
        }
        let viewer = Viewer::Seat(seat);
        let from = self.told[place].unwrap_or(0);
        for (_, happened) in log.view(viewer).filter(|(number, _)| *number >= from) {
            self.offered[place] = None;
            let (what, about) = events::about(&happened.what, words, viewer);
            self.send(&json!({
                "kind": "event",
                "game": self.alias,
                "seat": self.house.names[place],
                "what": what,
                "about": about,
                "text": words.event(happened, viewer),
            }))?;
        }
        self.told[place] = Some(log.events.len());
        Ok(())
    }

    fn send(&mut self, line: &Json) -> Result<()> {
        let command = &self.wanted.command;
        self.lines
            .send(line.to_string())
            .map_err(|silence| match silence {
                Silence::Late(_) | Silence::Slow(_) => {
                    anyhow!("`{command}` does not read what it is told in game {}", self.game)
                }
                Silence::Stopped => anyhow!("the run was stopped in game {}", self.game),
                Silence::Gone | Silence::Unheard(_) => {
                    anyhow!("`{command}` has stopped listening in game {}", self.game)
                }
            })
    }
}

/// Words of a program as they may stand in a message: nothing in them that a terminal would obey, and not too long.
fn shown(words: &str) -> String {
    let mut letters = words.chars();
    let begun: String = letters.by_ref().take(SHOWN).collect();
    let more = if letters.next().is_some() { "…" } else { "" };
    format!("{}{more}", visible(&begun).replace(['\n', '\r'], " "))
}
