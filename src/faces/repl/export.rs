//! A session as a scenario: who sits where with which cards, every answer under the scene in which it
//! was given, what everybody heard, how it stands, and a snapshot. What is written is played before it
//! is kept: a scenario that plays another game is no test.

use super::{command, desk::Desk};
use crate::{
    engine::{Asked, Audience, Choice, Domain, Drawn, Game, Log, Pending, Target, Viewer, What},
    faces::{
        bundle::Shelf,
        files,
        runner::{self, Plan, snapshots},
    },
    play::{
        deal,
        session::Session,
        words::{Words, members},
    },
    rules::{AskKind, GroupId, SayKind},
    source::Span,
};
use std::path::Path;

/// `export bug.play`, `export bug.play the doctor is asked twice`
pub fn export(desk: &mut Desk, given: &str) -> command::Done {
    let (file, title) = command::split(given);
    if file.is_empty() {
        return Err("name a file: `export bug.play`".to_owned());
    }
    if !file.ends_with(".play") {
        return Err(format!("a scenario's file ends in `.play`: `export {file}.play`"));
    }
    let path = Path::new(file);
    if files::is_there(path) {
        return Err(format!("`{file}` is there already; choose another name"));
    }
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let title = if title.is_empty() {
        stem
    } else {
        title.replace('"', "'")
    };
    let mut why = String::new();
    let written = [Deal::Pinned, Deal::BySeed].iter().find_map(|deal| {
        let text = scenario(desk, &title, *deal);
        match plays_the_same(&desk.session, path, &text) {
            Ok(()) => Some(text),
            Err(problem) => {
                why = problem;
                None
            }
        }
    });
    let Some(text) = written else {
        return Err(format!("this game cannot be written as a scenario: {why}"));
    };
    files::write(path, &text).map_err(|error| format!("{error:#}"))?;
    let snapshots = keep_snapshots(path).map_err(|error| format!("{error:#}"))?;
    desk.line(format!(
        "  written to `{file}`, with {snapshots}; `omerta test {file}` plays it"
    ));
    Ok(())
}

/// How the cards come where they lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deal {
    /// Each seat names its card, and each roll its outcome.
    Pinned,
    /// The seed decides all chance.
    BySeed,
}

fn keep_snapshots(path: &Path) -> anyhow::Result<String> {
    let texts = [runner::read(path)?];
    let mut kept = 0;
    for ran in runner::run_suite(&texts, &Plan::default()) {
        for held in &ran.held {
            snapshots::keep(&ran, held)?;
            kept += 1;
        }
    }
    Ok(match kept {
        1 => "its snapshot".to_owned(),
        kept => format!("{kept} snapshots"),
    })
}

/// Whether a scenario holds and plays the game of a session.
fn plays_the_same(session: &Session, path: &Path, text: &str) -> Result<(), String> {
    let ran = runner::run_text(Shelf::beside(path), "export.play", text, |_| true);
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
    // Cards that are alike have no names: what is told of two games says whether they are the same.
    match told(played).starts_with(&told(session)) {
        true => Ok(()),
        false => Err("it plays another game".to_owned()),
    }
}

fn told(session: &Session) -> Vec<String> {
    let table = session.table();
    let words = Words {
        rules: &table.rules,
        names: &table.names,
    };
    let host = |happened| words.event(happened, Viewer::Host).unwrap_or_default();
    session.log().events.iter().map(host).collect()
}

// ---- Writing
/// A section under way: the lines of a scene of the script.
struct Section {
    scene: String,
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
    /// Whether it is done by hand, at the very question that it stands behind.
    by_hand: bool,
}

impl Given {
    fn plain(text: String) -> Given {
        Given {
            text,
            is_wait: false,
            more: None,
            by_hand: false,
        }
    }
}

impl Section {
    /// Adds lines; another pick joins the one before it.
    fn add(&mut self, lines: Vec<Given>) {
        for line in lines {
            match (&line.more, self.answers.last_mut()) {
                (Some(more), Some(last)) => last.text.push_str(&format!(", {more}")),
                _ => self.answers.push(line),
            }
        }
    }

    /// The lines to be written.
    fn lines(&self) -> Vec<&str> {
        // What is done by hand is done at the next question: the waits before it must be said.
        let said = self.answers.iter().rposition(|given| given.by_hand).unwrap_or(0);
        let needed = self
            .answers
            .iter()
            .enumerate()
            .filter(|(at, given)| !given.is_wait || !self.over || *at < said)
            .map(|(_, given)| given);
        needed.map(|given| given.text.as_str()).collect()
    }
}

fn scenario(desk: &Desk, title: &str, deal: Deal) -> String {
    let session = &desk.session;
    let words = desk.words();
    let (sections, game) = sections(session, &words, deal);
    let mut text = format!("{}\nplay \"{title}\"\n", head(desk, deal));
    for section in &sections {
        let (scene, lines) = (&section.scene, section.lines());
        let indented = |indent: &str| {
            lines
                .iter()
                .map(|line| format!("{indent}{line}\n"))
                .collect::<String>()
        };
        match (section.over, lines.is_empty()) {
            (true, true) if section.said.is_empty() => continue,
            (true, true) => text.push_str(&format!("{scene} {{ }}\n")),
            (true, false) => text.push_str(&format!("{scene} {{\n{}}}\n", indented("  "))),
            (false, _) => text.push_str(&format!("run to {scene}\n{}", indented(""))),
        }
        section
            .said
            .iter()
            .for_each(|line| text.push_str(&format!("expect said \"{line}\"\n")));
    }
    text.push_str(&outcome(&words, &game));
    text.push_str("snapshot\n");
    text
}

fn head(desk: &Desk, deal: Deal) -> String {
    let (table, words) = (desk.session.table(), desk.words());
    let name = |name: &String| match name.contains(['/', '\\', '.']) {
        true => format!("\"{name}\""),
        false => name.clone(),
    };
    let mut head = format!("ruleset {}", name(&desk.wanted.base));
    if !desk.wanted.overlays.is_empty() {
        let overlays: Vec<String> = desk.wanted.overlays.iter().map(name).collect();
        head.push_str(&format!(" with {}", overlays.join(", ")));
    }
    head.push('\n');
    for (option, value) in &desk.wanted.options {
        head.push_str(&format!("set {option} = {value}\n"));
    }
    let role = |group: GroupId| words.rules.groups[group.index()].name.clone();
    match deal {
        Deal::Pinned => {
            let dealt = dealt(&desk.session);
            let seat = |(seat, name): (usize, &String)| {
                let cards: Vec<String> = dealt[seat].iter().map(|group| role(*group)).collect();
                match cards.is_empty() {
                    true => name.clone(),
                    false => format!("{name}: {}", cards.join(" plus ")),
                }
            };
            let seats: Vec<String> = table.names.iter().enumerate().map(seat).collect();
            head.push_str(&format!("seats {}\n", seats.join(", ")));
            if table.names.len() < table.cast.cards.len() {
                head.push_str(&cast(desk));
            }
        }
        Deal::BySeed => {
            head.push_str(&format!("seats {}\n{}", table.names.join(", "), cast(desk)));
            let seed = table.seed.unwrap_or_default();
            head.push_str(&format!("otherwise random with seed {seed}\n"));
        }
    }
    head
}

/// The cards that are in the game, in their order; nothing where they are those of the rules' table.
fn cast(desk: &Desk) -> String {
    let (table, words) = (desk.session.table(), desk.words());
    let usual = deal::from_table(&table.rules, None, table.names.len(), Span::default());
    if usual.is_ok_and(|usual| usual == table.cast) {
        return String::new();
    }
    let mut runs: Vec<(GroupId, usize)> = Vec::new();
    for card in &table.cast.cards {
        match runs.last_mut().filter(|(group, _)| group == card) {
            Some((_, count)) => *count += 1,
            None => runs.push((*card, 1)),
        }
    }
    let role =
        |(group, count): &(GroupId, usize)| format!("{} {count}", words.rules.groups[group.index()].name);
    let roles: Vec<String> = runs.iter().map(role).collect();
    format!("cast {}\n", roles.join(", "))
}

/// The cards that lay before each seat when the first question was put, in order.
fn dealt(session: &Session) -> Vec<Vec<GroupId>> {
    let mut game = begin(session, &mut Log::default());
    for answer in session.answers() {
        let is_deal = matches!(game.pending(), Pending::Chance(_));
        if !is_deal || game.apply(*answer, &mut Log::default()).is_err() {
            break;
        }
    }
    let look = game.look();
    let cards = |seat: u8| {
        let zone = session.table().rules.role_zone;
        let pile = zone.map_or_else(Vec::new, |zone| look.pile(zone, Some(seat)));
        let card = |card: u8| look.things()[usize::from(card)].group;
        pile.into_iter().map(card).collect()
    };
    (0..look.seats()).map(cards).collect()
}

fn begin(session: &Session, log: &mut Log) -> Game {
    session
        .table()
        .begin(log)
        .expect("a game that began can begin again")
}

/// The answers under the scenes of the script, and the game where the session stands.
fn sections(session: &Session, words: &Words<'_>, deal: Deal) -> (Vec<Section>, Game) {
    let mut log = Log::default();
    let mut game = begin(session, &mut log);
    let mut sections: Vec<Section> = Vec::new();
    let mut told = 0;
    for answer in session.answers() {
        hear(&log, &mut told, words, &mut sections);
        let lines = lines_of(&game, words, *answer, deal);
        if let Some(section) = sections.last_mut() {
            section.add(lines);
        }
        if game.apply(*answer, &mut log).is_err() {
            break;
        }
    }
    hear(&log, &mut told, words, &mut sections);
    (sections, game)
}

/// Takes in what has happened: scenes that begin and end, and what everybody hears.
fn hear(log: &Log, told: &mut usize, words: &Words<'_>, sections: &mut Vec<Section>) {
    for happened in &log.events[*told..] {
        match &happened.what {
            What::SceneBegan { scene, nth } if happened.cause.is_none() => sections.push(Section {
                scene: format!("{} {nth}", words.rules.scenes[scene.index()].name),
                answers: Vec::new(),
                said: Vec::new(),
                over: false,
            }),
            What::SceneEnded { scene } => {
                let name = &words.rules.scenes[scene.index()].name;
                let is = |section: &&mut Section| section.scene.split(' ').next() == Some(name);
                if let Some(section) = sections.last_mut().filter(is) {
                    section.over = true;
                }
            }
            What::Said { site, values } if happened.audience == Audience::All => {
                let text = words.said(*site, values);
                let plain = !text.contains(['"', '{', '}', '\\', '\n']) && !text.is_empty();
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
            [put, taken, "expect goes on".to_owned()].map(Given::plain).into()
        }
        (Pending::Ask(_), Choice::ByHand(deed)) => vec![Given {
            by_hand: true,
            ..Given::plain(format!("by hand {}", words.deed(deed)))
        }],
        (Pending::Ask(asked), _) => {
            let name = &words.rules.ask(asked.site).name;
            let given = answer_words(game, words, &asked, answer);
            vec![Given {
                text: format!("{} [{name}] -> {given}", listed(words, &asked, " plus ")),
                is_wait: asked.domain == Domain::Go,
                more: (asked.pick.0 > 0).then_some(given),
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
    site.shuffle
        .is_none()
        .then(|| format!("draw {} -> {outcome}", site.name))
}

fn answer_words(game: &Game, words: &Words<'_>, asked: &Asked, answer: Choice) -> String {
    let Choice::Branch { branch, target } = answer else {
        return thing_words(game, words, answer);
    };
    let AskKind::Menu(branches) = &words.rules.ask(asked.site).kind else {
        return "pass".to_owned();
    };
    let name = branches
        .get(usize::from(branch))
        .map_or("pass", |branch| branch.name.as_str());
    format!("{name}{}", target_words(game, words, target))
}

fn target_words(game: &Game, words: &Words<'_>, target: Target) -> String {
    match target {
        Target::Nothing => String::new(),
        Target::Seat(seat) => format!(" {}", thing_words(game, words, Choice::Seat(seat))),
        Target::Card(card) => format!(" {}", thing_words(game, words, Choice::Card(card))),
        Target::Title(title) => format!(" {}", thing_words(game, words, Choice::Title(title))),
    }
}

/// A thing by the name that rules have for it.
fn thing_words(game: &Game, words: &Words<'_>, choice: Choice) -> String {
    let group = |index: usize| {
        words
            .rules
            .groups
            .get(index)
            .map_or("?", |group| group.name.as_str())
            .to_owned()
    };
    match choice {
        Choice::Card(card) => {
            let thing = game.look().things().get(usize::from(card));
            thing.map_or_else(String::new, |thing| group(thing.shown().index()))
        }
        Choice::Title(title) => group(usize::from(title)),
        // The wait is gone on from, whatever stands here.
        Choice::Go => "yes".to_owned(),
        other => words.choice(game, None, other),
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
            let winners: Vec<String> = members(outcome.winners & !outcome.losers)
                .map(|seat| words.seat(seat))
                .collect();
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
        _ => "expect goes on\n".to_owned(),
    }
}
