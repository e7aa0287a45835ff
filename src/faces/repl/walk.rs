//! Going on: answers that nobody gives by hand, how far to go, where to stop, and what to watch.

use super::desk::{Desk, Done, On, Rest, Stop, Watch};
use super::{given, halt::halted};
use omerta_core::plural::so_many;
use omerta_core::rules::{EventId, Kind, Op, ProcRole, RuleId, SceneId};
use omerta_engine::{Choice, Happened, OpenOffer, Pending, What};
use omerta_play::{policy, story::is_outermost, strategy::Strategy, words::listed};
use omerta_workbench::policies;
use std::collections::BTreeSet;

/// After so many answers in a row something is amiss.
const MOST_AT_ONCE: usize = 100_000;

/// So many waits behind each other, between which nothing happens, lead nowhere.
const MOST_WAITS: usize = 100;

/// How far to go.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// So many answers.
    Answers(usize),
    /// The next scene of the script.
    Scene,
    /// That scene begins, for that time or the next.
    Begins(SceneId, Option<u32>),
    /// One of these is asked.
    Asked(u64),
    /// The end.
    End,
}

/// How often the host has gone on and nothing came of it, and how many answers were given before.
pub struct Waiting {
    times: usize,
    before: usize,
}

// ---- Going
impl Desk {
    fn walk(&mut self, goal: Goal) -> Result<(), String> {
        if self.hosted.is_over() {
            return Err("nothing is asked any more".to_owned());
        }
        self.look_at_stops();
        let mut waiting = self.waiting();
        for given in 1..=MOST_AT_ONCE {
            let from = self.log().events.len();
            let choice = self.left_to_itself()?;
            self.give(choice)
                .map_err(|illegal| self.words().refusal(self.game(), &illegal))?;
            if let Some(stopped) = self.stopped(from) {
                self.tell_news();
                self.line(format!("  stopped: {stopped}"));
                return Ok(());
            }
            if self.hosted.is_over() || self.reached(goal, given, from) {
                return Ok(());
            }
            if halted() {
                return Err(format!(
                    "stopped after {}; `undo` takes back what was answered",
                    so_many(given, "answer")
                ));
            }
            if !matches!(goal, Goal::Answers(_)) {
                self.goes_on_in_vain(&mut waiting, choice, from)?;
            }
        }
        Err(format!(
            "{MOST_AT_ONCE} answers have not led there; answer yourself, or take up what `offers` lists"
        ))
    }

    fn answers_given(&self) -> usize {
        self.hosted.session.cursor()
    }

    /// Nothing has been gone on from in vain yet.
    pub fn waiting(&self) -> Waiting {
        Waiting {
            times: 0,
            before: self.answers_given(),
        }
    }

    /// Whether going on leads nowhere: then all of it is taken back, and it is said why.
    pub fn goes_on_in_vain(
        &mut self,
        waiting: &mut Waiting,
        choice: Choice,
        from: usize,
    ) -> Result<(), String> {
        if choice != Choice::Go || !self.has_only_waited(from) {
            *waiting = self.waiting();
            return Ok(());
        }
        waiting.times += 1;
        if waiting.times < MOST_WAITS {
            return Ok(());
        }
        self.go_to(waiting.before);
        let here = self.hosted.session.branch();
        self.hosted.take_up(here);
        Err(self.waits_for_ever())
    }

    /// Whether nothing has come since but that the host went on and waits again.
    fn has_only_waited(&self, from: usize) -> bool {
        let mut news = self.log().events.iter().skip(from);
        news.all(|event| matches!(event.what, What::Answered { .. } | What::Asked { .. }))
    }

    /// Why going on leads nowhere.
    fn waits_for_ever(&self) -> String {
        let offers = self.game().offers();
        let name = |offer: &OpenOffer| self.rules().offers[offer.offer.index()].name.as_str();
        let names: BTreeSet<String> = { offers.iter() }
            .map(|offer| format!("`{}`", name(offer)))
            .collect();
        let waits = "the game only waits here, however often the host goes on";
        match offers.first() {
            None => format!("{waits}: the rules have no way out"),
            Some(first) => {
                let who = first.by.map_or("host".to_owned(), |seat| self.words().seat(seat));
                format!(
                    "{waits}, until somebody takes up {}: type `{who} does {}`",
                    listed(names.into_iter().collect(), "or"),
                    name(first)
                )
            }
        }
    }

    fn reached(&self, goal: Goal, given: usize, from: usize) -> bool {
        let news = &self.log().events[from.min(self.log().events.len())..];
        let begins = |happened: &Happened| match (goal, &happened.what) {
            (Goal::Scene, What::SceneBegan { .. }) => is_outermost(self.log(), happened),
            (Goal::Begins(wanted, time), What::SceneBegan { scene, nth }) => {
                *scene == wanted && time.is_none_or(|time| time == *nth)
            }
            _ => false,
        };
        match (goal, self.game().pending()) {
            (Goal::Answers(wanted), _) => given == wanted,
            (Goal::Asked(seats), Pending::Ask(asked)) => asked.who & seats != 0,
            _ => news.iter().any(begins),
        }
    }

    /// The policies that those follow who are left to themselves, by the rules as they are now.
    pub fn strategy(&self) -> Result<Strategy, String> {
        match &self.rest {
            Rest::By(names) => policies::strategy(self.rules(), names)
                .map(|(strategy, _)| strategy)
                .map_err(|error| error.to_string()),
            Rest::Random | Rest::Pass => Ok(Strategy::NONE),
        }
    }

    /// The answer of those who are left to themselves.
    fn left_to_itself(&mut self) -> Result<Choice, String> {
        let asked = match self.game().pending() {
            Pending::Ask(asked) if self.rest == Rest::Pass => asked,
            _ => {
                let strategy = self.strategy()?;
                let choice = self.hosted.by_themselves(&strategy);
                return choice.ok_or_else(|| "nothing is asked any more".to_owned());
            }
        };
        policy::least(self.game(), &asked)
            .ok_or_else(|| "here somebody must be named: answer, or say `rest random`".to_owned())
    }
}

/// `step`, `step 5`
pub fn step(desk: &mut Desk, given: &str) -> Done {
    let answers = given::times(given)?;
    if answers == 0 {
        Ok(())
    } else {
        desk.walk(Goal::Answers(answers))
    }
}

/// `next`
pub fn next(desk: &mut Desk, _: &str) -> Done {
    desk.walk(Goal::Scene)
}

/// `end`
pub fn end(desk: &mut Desk, _: &str) -> Done {
    desk.walk(Goal::End)
}

/// `to dusk`, `to dusk 3`, `to Ann`, `to end`
pub fn to(desk: &mut Desk, given: &str) -> Done {
    let (word, _) = given::split(given);
    if word.is_empty() {
        return Err("say where to: a scene, a seat or the `end`".to_owned());
    }
    if let Some((scene, time)) = scene(desk, given)? {
        let look = desk.game().look();
        let (begun, runs) = (look.times(scene), look.during(scene));
        if let Some(time) = time.filter(|time| u64::from(*time) <= begun) {
            let place = format!("{} {time}", desk.words().scene(scene));
            return Err(match time {
                0 => "scenes are counted from 1".to_owned(),
                _ if runs && u64::from(time) == begun => format!("{place} is running already"),
                _ => format!("{place} is over; `goto {}` goes back to it", place.to_lowercase()),
            });
        }
        return desk.walk(Goal::Begins(scene, time));
    }
    if word == "end" {
        return desk.walk(Goal::End);
    }
    match desk.seat(given) {
        Ok(seat) => desk.walk(Goal::Asked(1 << seat)),
        Err(_) => Err(given::unknown("scene or seat", given, &places(desk))),
    }
}

/// A scene by its name, with the time it is meant; nothing where the word is no scene.
pub fn scene(desk: &Desk, given: &str) -> Result<Option<(SceneId, Option<u32>)>, String> {
    let scenes = desk.rules().scenes.iter().enumerate();
    let named = scenes.flat_map(|(index, scene)| [(index, &scene.name), (index, &scene.title)]);
    let behind = named.filter_map(|(index, name)| Some((index, name.len(), behind_name(given, name)?)));
    // A title may begin with another.
    let Some((index, _, time)) = behind.max_by_key(|(_, length, _)| *length) else {
        return Ok(None);
    };
    let time = match time {
        "" => None,
        time => Some(
            time.parse()
                .map_err(|_| format!("`{time}` is no number of times"))?,
        ),
    };
    Ok(Some((SceneId(index as u16), time)))
}

/// What stands behind a name that a line begins with, in whatever letters.
fn behind_name<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let mut rest = line.chars();
    let same = |letter: char| {
        rest.next()
            .is_some_and(|other| other.to_lowercase().eq(letter.to_lowercase()))
    };
    let begins = name.chars().all(same);
    let rest = rest.as_str();
    (begins && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then(|| rest.trim())
}

/// A scene to give an example with: the last that the script itself plays.
pub fn some_scene(desk: &Desk) -> String {
    let rules = desk.rules();
    let script = rules.procs[rules.start.index()].entry as usize;
    let scene = |op: &Op| match op {
        Op::Enter { proc, .. } => match rules.procs[proc.index()].role {
            ProcRole::Scene(scene) => Some(&rules.scenes[scene.index()]),
            _ => None,
        },
        _ => None,
    };
    let last = rules.code[script..].iter().rev().find_map(scene);
    last.or(rules.scenes.last())
        .map_or_else(|| "SCENE".to_owned(), |scene| scene.name.to_lowercase())
}

/// Where `to` and `goto` can lead.
pub fn places(desk: &Desk) -> Vec<String> {
    let table = desk.hosted.session.table();
    let scenes = given::known(&table.rules.scenes, |scene| &scene.name);
    scenes
        .into_iter()
        .chain(table.names.iter().cloned())
        .chain(["end".to_owned()])
        .collect()
}

/// `rest`, `rest pass`
pub fn rest(desk: &mut Desk, given: &str) -> Done {
    let wanted = match given {
        "" => desk.rest.clone(),
        "random" => Rest::Random,
        "pass" => Rest::Pass,
        names => Rest::By(names.split(',').map(|name| name.trim().to_owned()).collect()),
    };
    let before = std::mem::replace(&mut desk.rest, wanted);
    if let Err(why) = desk.strategy() {
        desk.rest = before;
        return Err(format!("{why}; or say `rest random` or `rest pass`"));
    }
    desk.line(match &desk.rest {
        Rest::Random => "  players left to themselves toss coins".to_owned(),
        Rest::Pass => "  players left to themselves do as little as they may".to_owned(),
        Rest::By(names) => format!(
            "  players left to themselves go by {}",
            listed(names.clone(), "and then")
        ),
    });
    Ok(())
}

// ---- Stopping
impl Desk {
    /// What of the places to stop has come up since a place in the log.
    fn stopped(&mut self, from: usize) -> Option<String> {
        let mut found = Vec::new();
        for index in 0..self.stops.len() {
            let (comes, holds) = (
                self.comes_up(&self.stops[index], from),
                self.holds(&self.stops[index]),
            );
            let stop = &mut self.stops[index];
            if comes || holds && !stop.held {
                found.push(format!("{} ({})", stop.text, index + 1));
            }
            stop.held = holds;
        }
        (!found.is_empty()).then(|| found.join(", "))
    }

    /// Conditions that hold already stop nothing until they hold again.
    fn look_at_stops(&mut self) {
        for index in 0..self.stops.len() {
            let holds = self.holds(&self.stops[index]);
            self.stops[index].held = holds;
        }
    }

    fn comes_up(&self, stop: &Stop, from: usize) -> bool {
        let log = &self.log().events;
        let any = |is: &dyn Fn(&What) -> bool| log[from.min(log.len())..].iter().any(|news| is(&news.what));
        match (&stop.on, self.game().pending()) {
            (On::Event(event), _) => {
                any(&|what| matches!(what, What::Occurred { event: it, .. } if it == event))
            }
            (On::Rule(rule), _) => any(&|what| matches!(what, What::RuleApplied { rule: it } if it == rule)),
            (On::Scene(scene), _) => {
                any(&|what| matches!(what, What::SceneBegan { scene: it, .. } if it == scene))
            }
            (On::Asked(seat), Pending::Ask(asked)) => asked.who >> seat & 1 == 1,
            _ => false,
        }
    }

    fn holds(&self, stop: &Stop) -> bool {
        matches!(&stop.on, On::Holds(program) if self.evaluate(program) != 0)
    }

    fn stop_at(&self, given: &str) -> Result<Stop, String> {
        let rules = self.rules();
        let stop = |on, text: String| Stop {
            text,
            on,
            held: false,
        };
        let (word, rest) = given::split(given);
        if word == "if" {
            let program = self.program(rest)?;
            if program.kind != Some(Kind::Truth) {
                return Err(format!(
                    "`{rest}` is no condition: it is neither so nor not so, as `number of living is 3` is"
                ));
            }
            return Ok(stop(On::Holds(program), format!("if {rest}")));
        }
        let is = |name: &str| name.eq_ignore_ascii_case(given);
        if let Some(seat) = self.names().iter().position(|name| is(name)) {
            return Ok(stop(On::Asked(seat as u8), self.words().seat(seat as u8)));
        }
        if let Some(event) = rules.events.iter().position(|event| is(&event.name)) {
            return Ok(stop(
                On::Event(EventId(event as u16)),
                rules.events[event].name.clone(),
            ));
        }
        if let Some(rule) = rules.rules.iter().position(|(name, _)| is(name)) {
            return Ok(stop(On::Rule(RuleId(rule as u16)), rules.rules[rule].0.clone()));
        }
        if let Some(scene) = rules.scenes.iter().position(|scene| is(&scene.name)) {
            return Ok(stop(
                On::Scene(SceneId(scene as u16)),
                rules.scenes[scene].name.clone(),
            ));
        }
        if let Ok(seat) = self.seat(given) {
            return Ok(stop(On::Asked(seat), self.words().seat(seat)));
        }
        Err(
            given::unknown("event, rule, scene or seat", given, &stops_known(self))
                + "; a condition is `break if EXPR`",
        )
    }

    /// Places to stop and watched expressions, found again under other rules; those that are lost.
    pub fn renew_stops(&mut self) -> Vec<String> {
        let mut lost = Vec::new();
        for stop in std::mem::take(&mut self.stops) {
            match self.stop_at(&stop.text) {
                Ok(found) => self.stops.push(found),
                Err(_) => lost.push(format!("break {}", stop.text)),
            }
        }
        for watch in std::mem::take(&mut self.watches) {
            match self.program(&watch.text) {
                Ok(program) => self.watches.push(Watch { program, ..watch }),
                Err(_) => lost.push(format!("watch {}", watch.text)),
            }
        }
        lost
    }
}

/// What `break` may be given.
pub fn stops_known(desk: &Desk) -> Vec<String> {
    let table = desk.hosted.session.table();
    let mut known = table.names.clone();
    known.extend(given::known(&table.rules.events, |event| &event.name));
    known.extend(given::known(&table.rules.rules, |rule| &rule.0));
    known.extend(given::known(&table.rules.scenes, |scene| &scene.name));
    known.extend(["if".to_owned(), "off".to_owned()]);
    known
}

/// `break kill`, `break if number of living is 3`, `break off 1`, `break`
pub fn stop(desk: &mut Desk, given: &str) -> Done {
    let (word, rest) = given::split(given);
    if word == "off" {
        remove(&mut desk.stops, rest)?;
    } else if !given.is_empty() {
        let stop = desk.stop_at(given)?;
        desk.stops.push(stop);
    }
    let lines: Vec<String> = (desk.stops.iter().enumerate())
        .map(|(index, stop)| format!("  {} {}", index + 1, stop.text))
        .collect();
    desk.list(
        &lines,
        "nothing stops a walk; `break` and the name of an event or a seat would",
    );
    Ok(())
}

fn remove<T>(list: &mut Vec<T>, given: &str) -> Done {
    if given.is_empty() {
        list.clear();
        return Ok(());
    }
    let place = given
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    match place.filter(|place| *place < list.len()) {
        Some(place) => {
            list.remove(place);
            Ok(())
        }
        None => Err(format!("there is no number {given} in the list")),
    }
}

// ---- Watching
impl Desk {
    /// Tells which watched values are others than they were.
    pub fn tell_watches(&mut self) {
        for index in 0..self.watches.len() {
            let now = self.value_of(&self.watches[index].program);
            let watch = &mut self.watches[index];
            let before = std::mem::replace(&mut watch.last, now.clone());
            if before != now {
                let text = format!("  {}: {before} -> {now}", watch.text);
                self.line(text);
            }
        }
    }
}

/// `watch number of living`, `watch off 1`, `watch`
pub fn watch(desk: &mut Desk, given: &str) -> Done {
    let (word, rest) = given::split(given);
    if word == "off" {
        remove(&mut desk.watches, rest)?;
    } else if !given.is_empty() {
        let program = desk.program(given)?;
        let last = desk.value_of(&program);
        desk.watches.push(Watch {
            text: given.to_owned(),
            program,
            last,
        });
    }
    let lines: Vec<String> = (desk.watches.iter().enumerate())
        .map(|(index, watch)| format!("  {} {}: {}", index + 1, watch.text, watch.last))
        .collect();
    desk.list(&lines, "nothing is watched; `watch number of players` would be");
    Ok(())
}
