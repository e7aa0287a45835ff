//! A session as a scenario: who sits where with which cards, every answer under the scene in which it
//! was given, what everybody heard, and how it stands. What is written is played before it is given
//! out: a scenario that plays another game is no test.

use crate::{RulesetRequest, bundle::Shelf, runner};
use omerta_check::Readings;
use omerta_core::{
    rules::{GroupId, Ruleset, SayKind, SceneId, Shuffle, ZoneId},
    source::Span,
};
use omerta_engine::{Asked, Audience, Choice, Domain, Drawn, Game, Log, Pending, Target, Viewer, What};
use omerta_play::{
    deal,
    events::about,
    scenario::fault_code,
    session::{Session, Table},
    story::is_outermost,
    words::{Words, members},
};
use omerta_syntax::{composed, words};
use serde_json::Value as Json;
use std::{collections::BTreeMap, path::Path};

/// A game that shall be written.
pub struct Written<'a> {
    /// The game, where it stands.
    pub session: &'a Session,
    /// Its rules, as a scenario asks for them.
    pub wanted: &'a RulesetRequest,
    /// What it shows.
    pub title: &'a str,
    /// Lines that lay the table, behind the usual ones.
    pub table: &'a str,
    /// What comes behind the last answer.
    pub tail: Tail<'a>,
}

/// What comes behind the last answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail<'a> {
    /// How it stands, and a snapshot.
    Snapshot,
    /// How it stands.
    Outcome,
    /// These lines.
    Lines(&'a str),
}

impl Written<'_> {
    /// The text, as it would stand in the file; or why the game cannot be written so.
    pub fn text(&self, path: &Path) -> Result<String, String> {
        self.text_on((&Shelf::beside(path), &Readings::default()))
    }

    /// The same, by the rules of a shelf, with what they were read as.
    pub fn text_on(&self, shelf: (&Shelf, &Readings)) -> Result<String, String> {
        let renamed = renamed(self.session)?;
        let written = Written {
            session: renamed.as_ref().unwrap_or(self.session),
            ..*self
        };
        let mut why = String::new();
        for deal in [Deal::Pinned, Deal::BySeed] {
            let text = scenario(&written, deal);
            match plays_the_same(written.session, shelf, &text) {
                Ok(()) => return Ok(text),
                Err(problem) => why = problem,
            }
        }
        // What chance has begun to lay down no scenario can leave half done.
        let rules = &self.session.table().rules;
        let deals = |drawn: Drawn| rules.draws[drawn.site.index()].shuffle.is_some();
        match self.session.game().pending() {
            Pending::Chance(drawn) if deals(drawn) => {
                Err("the cards are half dealt: deal all of them first".to_owned())
            }
            _ => Err(why),
        }
    }
}

/// What people are called in a scenario: `O'Neil`, who cannot stand there, sits as `O-Neil`.
fn written_names(names: &[String]) -> Vec<String> {
    let mut written = names.to_vec();
    for (at, name) in names.iter().enumerate().filter(|(_, name)| !can_stand(name)) {
        written[at] = match composed(name) {
            name if can_stand(&name) => name,
            _ => writable(name, &written),
        };
    }
    written
}

/// The same game with these names at the table, where it has others.
fn renamed(session: &Session) -> Result<Option<Session>, String> {
    let mut table = session.table().clone();
    table.names = written_names(&table.names);
    if table.names == session.table().names {
        return Ok(None);
    }
    let again = Session::replay(table, session.answers(), session.texts());
    let (session, _) = again.map_err(|error| format!("{error:?}"))?;
    Ok(Some(session))
}

/// Whoever is called otherwise in a scenario than at the table, with how.
pub fn called_otherwise(names: &[String]) -> Vec<(String, String)> {
    let pairs = names.iter().cloned().zip(written_names(names));
    pairs
        .filter(|(name, written)| composed(name) != *written)
        .collect()
}

fn can_stand(name: &str) -> bool {
    omerta_syntax::is_name(name) && composed(name) == name
}

/// A name as a scenario has it: one that is a word of the language stands between backticks.
fn in_ticks(name: &str) -> String {
    match words::is_of_the_language(name) {
        true => format!("`{name}`"),
        false => name.to_owned(),
    }
}

/// What comes nearest to a name and can be one in a scenario, unlike all those that are taken.
fn writable(name: &str, taken: &[String]) -> String {
    let parts: Vec<&str> = { name.split(|c: char| !c.is_alphanumeric() && c != '_') }
        .filter(|part| !part.is_empty())
        .collect();
    let near = match parts.join("-") {
        none if none.is_empty() => "Player".to_owned(),
        digit if !can_stand(&format!("{digit}2")) => format!("Player-{digit}"),
        near => near,
    };
    let is_free =
        |one: &String| can_stand(one) && !taken.iter().any(|name| name.to_lowercase() == one.to_lowercase());
    let mut tries = (2..).map(|again: usize| format!("{near}{again}"));
    let next = || tries.find(is_free).expect("there are more numbers than names");
    Some(near.clone()).filter(is_free).unwrap_or_else(next)
}

/// How the cards come where they lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deal {
    /// Each seat names its card, and each roll its outcome.
    Pinned,
    /// The seed decides all chance.
    BySeed,
}

/// Whether a scenario holds and plays the game of a session.
fn plays_the_same(
    session: &Session,
    (shelf, readings): (&Shelf, &Readings),
    text: &str,
) -> Result<(), String> {
    let by = (shelf.clone(), readings);
    let ran = runner::run_each(by, ("export.play", text), |_| true, &mut |_, _| {});
    let reports = ran.reports.iter().flat_map(|report| &report.diagnostics);
    if let Some(problem) = ran.problems.iter().chain(reports).next() {
        let at = problem.span().start as usize;
        let line = text.get(..at).map_or(0, |before| before.matches('\n').count());
        let line = text.lines().nth(line).unwrap_or_default().trim();
        return Err(format!("{} at `{line}`", problem.message));
    }
    let played = ran.reports.first().and_then(|report| report.session.as_ref());
    let Some(played) = played else {
        return Err("it did not begin".to_owned());
    };
    // Cards that are alike have no names: what two games are about says whether they are the same.
    match happened(played).starts_with(&happened(session)) {
        true => Ok(()),
        false => Err("it plays another game".to_owned()),
    }
}

fn happened(session: &Session) -> Vec<impl PartialEq> {
    let words = session.table().words();
    let events = session.log().events.iter();
    let about = events.map(|event| (about(&event.what, &words, Viewer::Host), event.audience));
    let mut happened: Vec<_> = about.collect();
    // Which of two that are alike goes first when all go at once is told by nothing.
    let alike = |((a, one), _): &(_, _), ((b, other), _): &(_, _)| a == b && unplaced(one) == unplaced(other);
    for moved in happened.chunk_by_mut(alike) {
        moved.sort_by_key(|((_, what), _)| what["from"].to_string());
    }
    happened
}

/// What went where, without where it comes from.
fn unplaced(what: &Json) -> Option<(&Json, &Json, &Json)> {
    let (name, to, value) = (&what["name"], &what["seats"], &what["value"]);
    (!what["from"].is_null()).then_some((name, to, value))
}

// ---- Writing
/// A section under way: the lines of a scene of the script, or of the script itself between two scenes.
#[derive(Default)]
struct Section {
    /// Nothing for the script itself.
    scene: Option<(SceneId, u32)>,
    answers: Vec<Given>,
    said: Vec<String>,
    over: bool,
}

/// A line that gives an answer.
struct Given {
    text: String,
    /// Whether it goes on from a wait: a scene that is played to its end needs no such line.
    is_wait: bool,
    /// One more pick of the answer before.
    more: Option<String>,
    /// Whether it answers a question.
    is_answer: bool,
    /// Whether it is done by hand, at the very question that it stands behind.
    by_hand: bool,
}

impl Given {
    fn plain(text: String) -> Given {
        Given {
            text,
            is_wait: false,
            more: None,
            is_answer: false,
            by_hand: false,
        }
    }
}

impl Section {
    /// Adds lines; another pick joins the one before it, or goes on behind what was done in between.
    fn add(&mut self, lines: Vec<Given>) {
        for line in lines {
            match (&line.more, self.answers.last_mut()) {
                (Some(more), Some(last)) if last.is_answer => last.text.push_str(&format!(", {more}")),
                (Some(_), _) => {
                    self.leave_open();
                    self.answers.push(line);
                }
                (None, _) => self.answers.push(line),
            }
        }
    }

    /// Says of the last answer that the other picks of its question come later.
    fn leave_open(&mut self) {
        if let Some(last) = self.answers.iter_mut().rev().find(|given| given.is_answer) {
            last.text.push_str(", ...");
        }
    }

    /// The lines to be written.
    fn lines(&self, indent: &str) -> String {
        // What is done by hand is done at the next question: the waits before it must be said.
        let said = self.answers.iter().rposition(|given| given.by_hand).unwrap_or(0);
        // A scene's own section is played to its end; lines outside of any are all there is.
        let to_its_end = self.over && self.scene.is_some();
        let needed = self
            .answers
            .iter()
            .enumerate()
            .filter(|(at, given)| !given.is_wait || !to_its_end || *at < said)
            .map(|(_, given)| given);
        needed.map(|given| format!("{indent}{}\n", given.text)).collect()
    }

    /// The section with what was said in it; `waits`, where the host waits in it and nobody has answered anything.
    fn text(&self, rules: &Ruleset, tail: Tail<'_>, waits: bool) -> String {
        // A game that is to be kept keeps its words; one that shows a thing shows that.
        let said = self.said.iter().filter(|_| tail == Tail::Snapshot);
        let said: String = said.map(|line| format!("expect said \"{line}\"\n")).collect();
        let Some((scene, nth)) = self.scene else {
            return self.lines("");
        };
        let scene = format!("{} {nth}", rules.scenes[scene.index()].name);
        match self.over {
            // The cards may be dealt behind its beginning.
            false if waits && self.lines("").is_empty() => format!("run to {scene}\nrun to wait\n{said}"),
            false => format!("run to {scene}\n{}{said}", self.lines("")),
            true if self.lines("").is_empty() && said.is_empty() => String::new(),
            true if self.lines("").is_empty() => format!("{scene} {{ }}\n{said}"),
            true => format!("{scene} {{\n{}}}\n{said}", self.lines("  ")),
        }
    }
}

fn scenario(written: &Written<'_>, deal: Deal) -> String {
    let table = written.session.table();
    let names: Vec<String> = table.names.iter().map(|name| in_ticks(name)).collect();
    let words = Words {
        names: &names,
        ..table.words()
    };
    let (sections, game) = sections(written.session, &words, deal);
    let title = format!("play \"{}\"\n", written.title.replace('\\', "\\\\"));
    let head = head(written, &names, deal);
    // A game that is kept has a file for itself; others may stand below one another.
    let mut text = match written.tail {
        Tail::Snapshot => format!("{head}{}\n{title}", written.table),
        Tail::Outcome | Tail::Lines(_) => format!("{title}{head}{}", written.table),
    };
    let waits = matches!(game.pending(), Pending::Ask(asked) if asked.domain == Domain::Go);
    let text_of = |section: &Section| section.text(words.rules, written.tail, waits);
    let body: String = sections.iter().map(text_of).collect();
    let is_over = matches!(game.pending(), Pending::Over(_) | Pending::Broken(_));
    text.push_str(match body.is_empty() && is_over {
        true => "run to end\n",
        false => &body,
    });
    // A game that rests behind a scene in which nobody was asked must be brought there.
    if let Some(
        last @ Section {
            scene: Some((scene, nth)),
            over: true,
            ..
        },
    ) = sections.last()
        && !is_over
        && text_of(last).is_empty()
    {
        text.push_str(&format!(
            "{} {nth} {{ }}\n",
            words.rules.scenes[scene.index()].name
        ));
    }
    match written.tail {
        Tail::Snapshot => format!("{text}{}snapshot\n", outcome(&words, &game)),
        Tail::Outcome => format!("{text}{}", outcome(&words, &game)),
        Tail::Lines(lines) => format!("{text}{lines}"),
    }
}

fn head(written: &Written<'_>, names: &[String], deal: Deal) -> String {
    let (session, wanted) = (written.session, written.wanted);
    let table = session.table();
    let name = |name: &String| match name.contains(['/', '\\', '.']) {
        true => format!("\"{name}\""),
        false => name.clone(),
    };
    let mut head = format!("ruleset {}", name(&wanted.base));
    if !wanted.overlays.is_empty() {
        let overlays: Vec<String> = wanted.overlays.iter().map(name).collect();
        head.push_str(&format!(" with {}", overlays.join(", ")));
    }
    head.push('\n');
    for (option, value) in &wanted.options {
        head.push_str(&format!("set {option} = {value}\n"));
    }
    let role = |group: GroupId| table.rules.groups[group.index()].name.clone();
    match deal {
        Deal::Pinned => {
            let laid = laid(session);
            let seat = |(seat, name): (usize, &String)| {
                let cards: Vec<String> = laid.hands[seat].iter().map(|group| role(*group)).collect();
                match cards.is_empty() {
                    true => name.clone(),
                    false => format!("{name}: {}", cards.join(" plus ")),
                }
            };
            let seats: Vec<String> = names.iter().enumerate().map(seat).collect();
            head.push_str(&format!("seats {}\n", seats.join(", ")));
            for (zone, cards) in &laid.piles {
                let cards: Vec<String> = cards.iter().map(|group| role(*group)).collect();
                let zone = &table.rules.zones[zone.index()].name;
                head.push_str(&format!("pile {zone}: {}\n", cards.join(", ")));
            }
            // Without a word about it the cards are those of the seats, in their order.
            let is_role = |group: &GroupId| group.index() < table.rules.roles.len();
            let in_order: Vec<GroupId> = laid.hands.into_iter().flatten().filter(is_role).collect();
            if in_order != table.cast.cards {
                head.push_str(&cast_line(table));
            }
        }
        Deal::BySeed => {
            head.push_str(&format!("seats {}\n{}", names.join(", "), cast(session)));
            let seed = table.seed.unwrap_or_default();
            head.push_str(&format!("otherwise random with seed {seed}\n"));
        }
    }
    head
}

/// The cards that are in the game, in their order; nothing where they are those of the rules' table.
fn cast(session: &Session) -> String {
    let table = session.table();
    let usual = deal::from_table(&table.rules, None, table.names.len(), Span::default());
    match usual {
        Ok(usual) if usual == table.cast => String::new(),
        _ => cast_line(table),
    }
}

/// `cast Smuggler 2, Healer 1`
fn cast_line(table: &Table) -> String {
    let mut runs: Vec<(GroupId, usize)> = Vec::new();
    for card in &table.cast.cards {
        match runs.last_mut().filter(|(group, _)| group == card) {
            Some((_, count)) => *count += 1,
            None => runs.push((*card, 1)),
        }
    }
    let role =
        |(group, count): &(GroupId, usize)| format!("{} {count}", table.rules.groups[group.index()].name);
    let roles: Vec<String> = runs.iter().map(role).collect();
    format!("cast {}\n", roles.join(", "))
}

/// What chance has laid down in a game, in order.
struct Laid {
    /// The cards and tokens that each seat was dealt.
    hands: Vec<Vec<GroupId>>,
    /// How the shuffles let the cards of each zone lie, one behind the other.
    piles: BTreeMap<ZoneId, Vec<GroupId>>,
}

fn laid(session: &Session) -> Laid {
    let mut game = session.beginning(&mut Log::default());
    let mut laid = Laid {
        hands: vec![Vec::new(); session.table().names.len()],
        piles: BTreeMap::new(),
    };
    for answer in session.answers() {
        if let (Pending::Chance(drawn), Choice::Card(card)) = (game.pending(), *answer) {
            let shown = game.look().things()[usize::from(card)].shown();
            match (game.rules().draws[drawn.site.index()].shuffle, drawn.seat) {
                (Some(Shuffle::Deal(_)), Some(seat)) => laid.hands[usize::from(seat)].push(shown),
                (Some(Shuffle::Pile(zone)), _) => laid.piles.entry(zone).or_default().push(shown),
                _ => {}
            }
        }
        if game.apply(*answer, &mut Log::default()).is_err() {
            break;
        }
    }
    laid
}

/// The answers under the scenes of the script, and the game where the session stands.
fn sections(session: &Session, words: &Words<'_>, deal: Deal) -> (Vec<Section>, Game) {
    let mut log = Log::default();
    let mut game = session.beginning(&mut log);
    let mut sections: Vec<Section> = Vec::new();
    // What is said has the names without backticks.
    let plain = session.table().words();
    let mut told = 0;
    for answer in session.answers() {
        hear(&log, &mut told, &plain, &mut sections);
        let lines = lines_of(&game, words, *answer, deal);
        if !lines.is_empty() && sections.last().is_none_or(|section| section.over) {
            sections.push(Section::default());
        }
        if let Some(section) = sections.last_mut() {
            section.add(lines);
        }
        if game.apply(*answer, &mut log).is_err() {
            break;
        }
    }
    hear(&log, &mut told, &plain, &mut sections);
    if let (Pending::Ask(asked), Some(last)) = (game.pending(), sections.last_mut())
        && asked.pick.0 > 0
    {
        last.leave_open();
    }
    (sections, game)
}

/// Takes in what has happened: scenes that begin and end, and what everybody hears.
fn hear(log: &Log, told: &mut usize, words: &Words<'_>, sections: &mut Vec<Section>) {
    // A scene on which rules hang begins and ends with those.
    let hung = |scene: &SceneId| words.rules.scenes[scene.index()].hung;
    for happened in &log.events[*told..] {
        match &happened.what {
            What::SceneBegan { scene, .. } | What::SceneEnded { scene } if hung(scene) => {}
            What::SceneNears { scene, nth } | What::SceneBegan { scene, nth }
                if is_outermost(log, happened) =>
            {
                sections.push(Section {
                    scene: Some((*scene, *nth)),
                    ..Section::default()
                });
            }
            What::SceneEnded { scene } | What::ScenePassed { scene } => {
                let is = |section: &&mut Section| section.scene.is_some_and(|(of, _)| of == *scene);
                if let Some(section) = sections.last_mut().filter(is) {
                    section.over = true;
                }
            }
            What::Said { site, values } if happened.audience == Audience::All => {
                let text = words.said(*site, values);
                let plain = !text.contains(['"', '{', '}', '\\', '\n']) && !text.is_empty();
                // What is told to each of them is known to all, and not said.
                let is_say = words.rules.says[site.index()].kind == SayKind::Say;
                if let Some(section) = sections.last_mut().filter(|_| plain && is_say)
                    && !section.said.contains(&text)
                {
                    section.said.push(text);
                }
            }
            What::Ended { .. } => {
                if let Some(section) = sections.last_mut() {
                    section.over = true;
                }
            }
            _ => {}
        }
    }
    *told = log.events.len();
}

/// The lines that give an answer; none for the deal.
fn lines_of(game: &Game, words: &Words<'_>, answer: Choice, deal: Deal) -> Vec<Given> {
    match (game.pending(), answer) {
        (Pending::Ask(asked), Choice::Offer { .. }) => {
            // An offer is taken up as soon as it stands open: what was answered before must be over.
            let put = match asked.domain {
                Domain::Go => "expect goes on".to_owned(),
                _ => format!("expect asked {}", listed(words, &asked, " plus ")),
            };
            let taken = offer(game, words, answer);
            let mut after = game.clone();
            let goes_on = after.apply(answer, &mut Log::default()).is_ok()
                && matches!(after.pending(), Pending::Ask(_) | Pending::Chance(_));
            let goes_on = goes_on.then(|| "expect goes on".to_owned());
            [put, taken]
                .into_iter()
                .chain(goes_on)
                .map(Given::plain)
                .collect()
        }
        (Pending::Ask(asked), Choice::ByHand(_)) => vec![Given {
            by_hand: true,
            ..Given::plain(words.choice(game, Some(asked.site), answer))
        }],
        (Pending::Ask(asked), _) => {
            let name = &words.rules.ask(asked.site).name;
            let given = answer_words(game, words, &asked, answer);
            vec![Given {
                text: format!("{} [{name}] -> {given}", listed(words, &asked, " plus ")),
                is_wait: asked.domain == Domain::Go,
                more: (asked.pick.0 > 0).then_some(given),
                is_answer: true,
                by_hand: false,
            }]
        }
        (Pending::Chance(drawn), _) if deal == Deal::Pinned => draw(game, words, &drawn, answer)
            .map(Given::plain)
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// Who is asked, joined by a sign or a word.
fn listed(words: &Words<'_>, asked: &Asked, joined_by: &str) -> String {
    let seats: Vec<String> = members(asked.who).map(|seat| words.seat(seat)).collect();
    match asked.host {
        true => "host".to_owned(),
        false => seats.join(joined_by),
    }
}

fn draw(game: &Game, words: &Words<'_>, drawn: &Drawn, outcome: Choice) -> Option<String> {
    let site = &words.rules.draws[drawn.site.index()];
    let outcome = match outcome {
        Choice::Word(word) => game.weights().get(usize::from(word))?.0.clone(),
        other => thing_words(game, words, other),
    };
    let of_cards = matches!(site.shuffle, Some(Shuffle::Pile(_) | Shuffle::Deal(_)));
    (!of_cards).then(|| format!("draw {} -> {outcome}", site.name))
}

fn answer_words(game: &Game, words: &Words<'_>, asked: &Asked, answer: Choice) -> String {
    let site = words.rules.ask(asked.site);
    let (branch, target) = match answer {
        Choice::Branch { branch, target } => (branch, target),
        Choice::Card(card) if site.unseen => return words.lying(game, card),
        _ => return thing_words(game, words, answer),
    };
    let Some(branch) = site.kind.branches().get(usize::from(branch)) else {
        return "pass".to_owned();
    };
    match target {
        Target::Card(card) if branch.unseen => format!("{} {}", branch.name, words.lying(game, card)),
        _ => format!("{}{}", branch.name, target_words(game, words, target)),
    }
}

fn target_words(game: &Game, words: &Words<'_>, target: Target) -> String {
    match target {
        Target::Nothing => String::new(),
        target => format!(" {}", thing_words(game, words, target.choice())),
    }
}

/// A thing by the name that rules have for it.
fn thing_words(game: &Game, words: &Words<'_>, choice: Choice) -> String {
    match choice {
        // The wait is gone on from, whatever stands here.
        Choice::Go => "yes".to_owned(),
        other => words.thing(game, other),
    }
}

fn offer(game: &Game, words: &Words<'_>, taken: Choice) -> String {
    let Choice::Offer { offer, by, target } = taken else {
        return String::new();
    };
    let who = by.map_or_else(|| "host".to_owned(), |seat| words.seat(seat));
    let name = &words.rules.offers[offer.index()].name;
    format!("{who} does {name}{}", target_words(game, words, target))
}

/// How it ended, or who is asked now.
fn outcome(words: &Words<'_>, game: &Game) -> String {
    match game.pending() {
        Pending::Over(outcome) => {
            let ending = outcome
                .ending
                .map(|ending| words.rules.ending(ending).name.clone());
            let named = ending.filter(|name| !name.contains([' ', '"']) && !name.is_empty());
            let ended = named.map_or_else(String::new, |name| format!("expect ended by {name}\n"));
            let winners: Vec<String> = members(outcome.winners).map(|seat| words.seat(seat)).collect();
            match winners.is_empty() {
                true => format!("{ended}expect nobody wins\n"),
                false => format!("{ended}expect winners {}\n", winners.join(", ")),
            }
        }
        Pending::Ask(asked) if asked.domain != Domain::Go => {
            let name = &words.rules.ask(asked.site).name;
            format!(
                "expect asked {} for {name}\nexpect goes on\n",
                listed(words, &asked, " plus ")
            )
        }
        Pending::Broken(fault) => format!("expect fault {}\n", fault_code(&fault.kind)),
        Pending::Ask(_) | Pending::Chance(_) => "expect goes on\n".to_owned(),
    }
}

/// The lines of a scenario that give an answer to what is pending, one for each answer that is legal; waits and
/// what takes several lines are left out.
pub fn lines_that_answer(game: &Game, words: &Words<'_>) -> Vec<String> {
    let answers = omerta_play::options::answers(game, words).into_iter();
    let lines = answers.map(|answer| lines_of(game, words, answer.choice, Deal::Pinned));
    let one = lines.filter_map(|mut lines| match lines.len() {
        1 => lines.pop().filter(|line| !line.is_wait),
        _ => None,
    });
    one.map(|line| line.text).collect()
}
