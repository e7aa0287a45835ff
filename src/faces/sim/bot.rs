//! A program that plays seats: a line of JSON to it for each thing its seats get to know and for each
//! question, a line of JSON from it for each answer. `docs/reference/bots.md` describes the lines.
//!
//! It hears what the seat's view says and nothing else.
#![expect(clippy::disallowed_methods, reason = "starts the program and listens to it")]

use anyhow::{Context, Result, anyhow, bail};
use omerta_core::{
    diagnostic::close_name,
    rules::{GroupId, GroupKind, PlannedCast, Ruleset},
};
use omerta_engine::{Asked, Choice, Domain, Game, Log, OpenOffer, Outcome, Viewer};
use omerta_measure::sim::{Guest, Invited, capital};
use omerta_play::{
    events,
    options::{self, Answer, Line, Meant},
    words::{Words, members},
};
use serde_json::{Value as Json, json};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

/// The version of the lines.
const VERSION: u32 = 2;
/// No answer is longer than this.
const LONGEST: u64 = 1 << 16;
/// So many hundredths of a second a program may take to end.
const GRACE: u32 = 200;
/// Whoever has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Ends its own group of processes when it is told to, or two seconds after nobody is left to tell it.
const GUARD: &str = "read -r now || sleep 2; kill -s KILL 0";

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
        Ok(Wanted {
            seats: Self::seats(who.trim(), rules, names)?,
            command: command.trim().to_owned(),
        })
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

/// A program that is started for each thread of a run.
pub struct Program {
    wanted: Wanted,
    names: Vec<String>,
    cast: Option<BTreeMap<String, usize>>,
}

impl Program {
    /// Programs for a table at which people have these names; `cast` are the cards, if they are told of them.
    pub fn all(
        wanted: Vec<Wanted>,
        names: &[String],
        cast: Option<(&Ruleset, &PlannedCast)>,
    ) -> Vec<Arc<dyn Invited>> {
        let cast = cast.map(|(rules, cast)| counted(rules, cast));
        let program = |wanted| Program {
            wanted,
            names: names.to_vec(),
            cast: cast.clone(),
        };
        let invited = |wanted| Arc::new(program(wanted)) as Arc<dyn Invited>;
        wanted.into_iter().map(invited).collect()
    }
}

/// How many of which cards are in a game.
fn counted(rules: &Ruleset, cast: &PlannedCast) -> BTreeMap<String, usize> {
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
        Ok(Box::new(Bot::start(
            self.wanted.clone(),
            &self.names,
            self.cast.clone(),
        )?))
    }
}

/// A program that runs.
struct Bot {
    wanted: Wanted,
    child: Child,
    guard: Option<Child>,
    to: Option<ChildStdin>,
    from: Receiver<io::Result<Vec<u8>>>,
    names: Vec<String>,
    /// How many of which cards are in the game, if it shall know.
    cast: Option<BTreeMap<String, usize>>,
    game: u64,
    /// How many events of the log each seat has been told of; `None` before its first question.
    told: Vec<Option<usize>>,
    /// What it was asked last, for the words about what is wrong with its answer.
    asked: String,
}

impl Bot {
    /// An answer with a text in it, as the game takes it.
    fn write(&self, game: &mut Game, answer: Choice, text: &str) -> Result<Choice> {
        let words = Words {
            rules: &game.rules().clone(),
            names: &self.names,
        };
        let given = game.write(answer, Some(text));
        given.map_err(|why| anyhow!("{}: {}", self.no_answer(text), words.refusal(game, &why)))
    }
}

impl Guest for Bot {
    fn seats_in(&self, game: &Game) -> u64 {
        self.wanted.seats_in(game)
    }

    fn begin(&mut self, number: u64) {
        self.game = number;
        self.told = vec![None; self.names.len()];
    }

    fn answer(&mut self, game: &mut Game, log: &Log, asked: &Asked, seat: u8) -> Result<Choice> {
        let (names, rules) = (self.names.clone(), game.rules().clone());
        let words = Words {
            rules: &rules,
            names: &names,
        };
        self.tell(&rules, log, &words, seat)?;
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
        let choice = match options::meant(&answers, &read) {
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
        let (names, rules) = (self.names.clone(), game.rules().clone());
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
        let line = json!({ "name": "offer", "question": "do you take up an offer?" });
        let read = self.ask(seat, line, &answers)?;
        let written = answers
            .iter()
            .find_map(|answer| options::written_in(answer, &read));
        if let Some((answer, text)) = written {
            return self.write(game, answer, text).map(Some);
        }
        match options::meant(&answers, &read) {
            Meant::Surely(choice) | Meant::Begun(choice) => {
                Ok(Some(choice).filter(|choice| *choice != Choice::Pass))
            }
            Meant::Either(_) | Meant::Nothing { .. } => bail!(self.no_answer(&read)),
        }
    }

    // Each seat that was asked anything hears the rest, and who has won.
    fn end(&mut self, game: &Game, log: &Log, outcome: Option<Outcome>) -> Result<()> {
        let names = self.names.clone();
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
                    "game": self.game,
                    "seat": name,
                    "winners": winners,
                }))?;
            }
        }
        Ok(())
    }
}

impl Bot {
    /// Starts the program; `cast` are the cards in the game, if it shall be told of them.
    fn start(wanted: Wanted, names: &[String], cast: Option<BTreeMap<String, usize>>) -> Result<Bot> {
        let mut command = Command::new("sh");
        command
            .args(["-c", &wanted.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let started = command.spawn();
        let mut child = started.with_context(|| format!("`{}` cannot be started", wanted.command))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("`{}` cannot be talked to", wanted.command);
        };
        let guard = guard_of(&child);
        Ok(Bot {
            wanted,
            child,
            guard,
            to: Some(to),
            from: listen(from),
            names: names.to_vec(),
            cast,
            game: 0,
            told: Vec::new(),
            asked: String::new(),
        })
    }

    /// Puts a question and reads the words of the answer.
    fn ask(&mut self, seat: u8, mut line: Json, answers: &[Answer]) -> Result<String> {
        let given: Vec<&str> = answers.iter().map(|answer| answer.words.as_str()).collect();
        let who = self.names[usize::from(seat)].clone();
        self.asked = format!(
            "in game {}, {who} being asked for `{}` ({}{}{})",
            self.game,
            line["name"].as_str().unwrap_or_default(),
            line["question"],
            if given.is_empty() { "" } else { ": " },
            given.join(", ")
        );
        line["kind"] = json!("ask");
        line["game"] = json!(self.game);
        line["seat"] = json!(who);
        line["options"] = json!(given);
        self.send(&line)?;
        let line = self.receive()?;
        let (command, asked) = (&self.wanted.command, &self.asked);
        let read: Json = serde_json::from_str(&line)
            .map_err(|error| anyhow!("`{command}` answered {line:?} {asked}, which is not JSON: {error}"))?;
        match read.get("answer").and_then(Json::as_str) {
            Some(words) => Ok(words.to_owned()),
            None => bail!("`{command}` answered {line:?} {asked}; write {{\"answer\": \"…\"}}"),
        }
    }

    fn no_answer(&self, read: &str) -> String {
        let (command, asked) = (&self.wanted.command, &self.asked);
        format!("`{command}` answered `{read}`, which is no answer, {asked}")
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
                "game": self.game,
                "seat": self.names[place],
                "seats": self.names,
                "ruleset": rules.name,
                "overlays": rules.overlays,
                "options": options.into_iter().collect::<serde_json::Map<_, _>>(),
            });
            if let Some(cast) = &self.cast {
                begin["cast"] = json!(cast);
            }
            self.send(&begin)?;
        }
        let viewer = Viewer::Seat(seat);
        let from = self.told[place].unwrap_or(0);
        for (_, happened) in log.view(viewer).filter(|(number, _)| *number >= from) {
            let (what, about) = events::about(&happened.what, words);
            self.send(&json!({
                "kind": "event",
                "game": self.game,
                "seat": self.names[place],
                "what": what,
                "about": about,
                "text": words.event(happened, viewer),
            }))?;
        }
        self.told[place] = Some(log.events.len());
        Ok(())
    }

    fn send(&mut self, line: &Json) -> Result<()> {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        let sent = self.to.as_mut().ok_or_else(closed).and_then(|to| {
            writeln!(to, "{line}")?;
            to.flush()
        });
        sent.with_context(|| {
            format!(
                "`{}` has stopped listening in game {}",
                self.wanted.command, self.game
            )
        })
    }

    fn receive(&mut self) -> Result<String> {
        let (command, asked) = (&self.wanted.command, &self.asked);
        match self.from.recv_timeout(PATIENCE) {
            Ok(Ok(line)) => Ok(String::from_utf8_lossy(&line).trim().to_owned()),
            Ok(Err(error)) => bail!("`{command}` cannot be heard {asked}: {error}"),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = PATIENCE.as_secs();
                bail!("`{command}` has not answered for {seconds} seconds {asked}")
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("`{command}` stopped without an answer {asked}")
            }
        }
    }
}

/// Someone in the same group of processes who ends it as a whole when this program does, however that
/// comes: the children of a program are no children of ours, and Ctrl-C does not reach its group.
#[cfg(unix)]
fn guard_of(child: &Child) -> Option<Child> {
    let group = i32::try_from(child.id()).ok()?;
    Command::new("sh")
        .args(["-c", GUARD])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(group)
        .spawn()
        .ok()
}

/// Where there are no groups of processes, the program alone is ended.
#[cfg(not(unix))]
fn guard_of(_: &Child) -> Option<Child> {
    None
}

/// Hears its lines on a thread of their own, so that one that never comes keeps nobody for ever.
fn listen(from: ChildStdout) -> Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = sync_channel(1);
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let mut line = Vec::new();
            let read = (&mut from).take(LONGEST).read_until(b'\n', &mut line);
            let line = match read {
                Err(error) => Err(error),
                Ok(_) if line.ends_with(b"\n") => Ok(line),
                Ok(read) if read as u64 == LONGEST => {
                    let words = format!("a line of its is longer than {LONGEST} bytes");
                    Err(io::Error::other(words))
                }
                Ok(_) => return,
            };
            let last = line.is_err();
            if send.send(line).is_err() || last {
                return;
            }
        }
    });
    receive
}

impl Drop for Bot {
    /// It hears that there is no more to come, and has a while to end; then it is ended.
    fn drop(&mut self) {
        drop(self.to.take());
        for _ in 0..GRACE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        // That it has just ended by itself is as well. What it has started and left goes with it.
        if let Some(mut guard) = self.guard.take() {
            if let Some(mut to) = guard.stdin.take() {
                let _ = writeln!(to, "now");
            }
            let _ = guard.wait();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
