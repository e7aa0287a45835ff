//! Places in a game by name, and its branches: going there, listing, comparing.

use super::desk::Done;
use super::given;
use super::{
    desk::Desk,
    halt::{STOPPED, halted},
    walk,
};
use crate::faces::console::paint;
use omerta_core::plural::so_many;
use omerta_engine::{Choice, Game, Pending, Silence, What};
use omerta_play::{
    branches::{MOST_BRANCHES, Twig},
    session::{MOST_HAPPENED, Session, written},
};
use std::borrow::Cow;

/// How many differences `compare` shows.
const MOST_SHOWN: usize = 12;

// ---- Places
/// `goto night 2`, `goto start`, `goto end`, `goto event 120`, `goto 17`
pub fn goto(desk: &mut Desk, given: &str) -> Done {
    let place = place_of(desk, given)?;
    if !desk.go_to(place) {
        if halted() {
            let words = desk.where_it_stands();
            return Err(format!("stopped on the way; no answer is lost\n{words}"));
        }
        let all = desk.hosted.session.answers().len() + desk.hosted.session.undone().len();
        return Err(format!(
            "the game has {}; {given} is beyond that",
            so_many(all, "answer")
        ));
    }
    let words = desk.where_it_stands();
    desk.line(words);
    Ok(())
}

fn place_of(desk: &Desk, given: &str) -> Result<usize, String> {
    let (word, rest) = given::split(given);
    let all = desk.hosted.session.answers().len() + desk.hosted.session.undone().len();
    match word {
        "" => {
            return Err(format!(
                "say where to: a scene as in `goto {} 2`, `start`, `end`, `event 12`",
                walk::some_scene(desk)
            ));
        }
        "start" => return Ok(first_question(&desk.hosted.session)),
        "end" => return Ok(all),
        "event" => {
            let event = rest
                .parse::<usize>()
                .map_err(|_| "name an event by its number in `log`".to_owned())?;
            let whole = at_its_end(&desk.hosted.session)?;
            let found = format!("no event has the number {rest}");
            return (0..=all)
                .find(|place| whole.events_of(*place).contains(&event))
                .ok_or(found);
        }
        _ => {}
    }
    if let Ok(answers) = word.parse() {
        return Ok(answers);
    }
    let Some((scene, time)) = walk::scene(desk, given)? else {
        if let Ok(seat) = desk.seat(given) {
            let name = desk.words().seat(seat);
            return Err(format!(
                "`goto` goes to a scene, `start`, `end` or `event NUMBER`; `to {name}` plays on until {name} is asked"
            ));
        }
        return Err(given::unknown("place", word, &known_places(desk)));
    };
    let whole = at_its_end(&desk.hosted.session)?;
    let began = |what: &What| matches!(what, What::SceneBegan { scene: it, nth } if *it == scene && time.is_none_or(|time| time == *nth));
    // Without a number it is the last time.
    let event = whole
        .log()
        .events
        .iter()
        .rposition(|happened| began(&happened.what));
    let event = event
        .ok_or_else(|| format!("there is no `{given}` in this game so far; `to {given}` plays on to it"))?;
    Ok((0..=all)
        .find(|place| whole.events_of(*place).contains(&event))
        .unwrap_or(all))
}

/// Where `goto` can lead.
pub fn known_places(desk: &Desk) -> Vec<String> {
    let scenes = given::known(&desk.rules().scenes, |scene| &scene.name);
    let others = ["start", "end"].map(str::to_owned);
    scenes.into_iter().chain(others).collect()
}

/// Where the first question stands: before it there is only the deal.
pub fn first_question(session: &Session) -> usize {
    let mut game = session
        .table()
        .begin(&mut Silence)
        .expect("a game that began can begin again");
    for (place, answer) in session.answers().iter().enumerate() {
        if matches!(game.pending(), Pending::Ask(_)) {
            return place;
        }
        game.apply(*answer, &mut Silence)
            .expect("a replay gives the same game");
    }
    session.cursor()
}

/// The same game with everything given again that was taken back.
fn at_its_end(session: &Session) -> Result<Cow<'_, Session>, String> {
    if session.undone().is_empty() {
        return Ok(Cow::Borrowed(session));
    }
    let mut whole = session.clone();
    let there = whole.go_to_until(&halted, session.answers().len() + session.undone().len());
    there
        .then_some(Cow::Owned(whole))
        .ok_or_else(|| STOPPED.to_owned())
}

impl Desk {
    /// `Night 2, after 14 answers; 6 more can be given again`
    fn where_it_stands(&self) -> String {
        let (given, more) = (self.hosted.session.cursor(), self.hosted.session.undone().len());
        let more = match more {
            0 => String::new(),
            more => format!("; {more} more can be given again"),
        };
        paint(
            self.manners.colour,
            "2",
            &format!("  after {}{more}", so_many(given, "answer")),
        )
    }

    /// An answer with who gave it: `Ann, vote: Bob`.
    pub fn answer_line(&self, game: &Game, choice: Choice) -> String {
        let words = self.words();
        match (game.pending(), choice) {
            (_, Choice::Offer { .. }) => words.choice(game, None, choice),
            (Pending::Ask(asked), _) => {
                let who = if asked.host {
                    "host".to_owned()
                } else {
                    words.seats(asked.who)
                };
                let name = &words.rules.ask(asked.site).name;
                format!("{who}, {name}: {}", words.choice(game, Some(asked.site), choice))
            }
            (Pending::Chance(drawn), Choice::Word(word)) => {
                let name = &words.rules.draws[drawn.site.index()].name;
                let outcome = game.weights().get(usize::from(word)).map_or("", |(word, _)| word);
                format!("chance, {name}: {outcome}")
            }
            (Pending::Chance(drawn), _) => {
                let name = &words.rules.draws[drawn.site.index()].name;
                format!("chance, {name}: {}", words.choice(game, None, choice))
            }
            _ => words.choice(game, None, choice),
        }
    }

    /// Where in the script a game stands: `Night 2`.
    pub fn scene_of(&self, game: &Game) -> String {
        let look = game.look();
        let scene = look.scenes().next();
        scene.map_or_else(String::new, |scene| {
            format!("{} {}", self.words().scene(scene), look.times(scene))
        })
    }
}

// ---- Branches
/// `branch NAME`
pub fn branch(desk: &mut Desk, given: &str) -> Done {
    let name = match given {
        "" => (2..)
            .map(|number| format!("branch-{number}"))
            .find(|name| !desk.branches.names().contains(name)),
        name => Some(name.to_owned()),
    };
    let name = name.unwrap_or_default();
    if name.contains(char::is_whitespace) {
        return Err("a branch has a name of one word".to_owned());
    }
    let session = &desk.hosted.session;
    let all = desk.branches.happened() + 2 * session.log().events.len();
    if desk.branches.names().len() >= MOST_BRANCHES || all > 2 * MOST_HAPPENED {
        return Err("these are as many branches as can be kept; `leave` drops one".to_owned());
    }
    let old = desk.branches.here.clone();
    if !desk.branches.fork(&name, &desk.hosted.session) {
        return Err(format!(
            "there is a branch `{name}` already; `switch {name}` goes there"
        ));
    }
    desk.hosted.session = desk.hosted.session.branch();
    desk.line(format!("  this is now `{name}`; `{old}` waits where it stood"));
    Ok(())
}

/// `switch NAME`
pub fn switch(desk: &mut Desk, name: &str) -> Done {
    if name == desk.branches.here {
        return Err(format!("this is `{name}`"));
    }
    let Some(session) = desk.branches.switch(name, &desk.hosted.session) else {
        return Err(given::unknown("branch", name, desk.branches.names()));
    };
    desk.take_up(session);
    let words = desk.where_it_stands();
    desk.line(format!("  this is `{name}`"));
    desk.line(words);
    Ok(())
}

/// `leave`
pub fn leave(desk: &mut Desk, _: &str) -> Done {
    let left = desk.branches.here.clone();
    let Some(session) = desk.branches.leave(&desk.hosted.session) else {
        return Err(format!(
            "`{left}` grew out of no other branch; `switch` goes to another, `quit` leaves the game"
        ));
    };
    desk.take_up(session);
    desk.line(format!("  `{left}` is gone; this is `{}`", desk.branches.here));
    Ok(())
}

/// `branches`
pub fn branches(desk: &mut Desk, _: &str) -> Done {
    let tree = desk.branches.tree(&desk.hosted.session);
    let lines = drawn(desk, &tree, None, &desk.branches.here);
    desk.list(&lines, "");
    Ok(())
}

fn drawn(desk: &Desk, tree: &[Twig], parent: Option<usize>, here: &str) -> Vec<String> {
    let children = (0..tree.len()).filter(|place| tree[*place].parent == parent);
    let children: Vec<usize> = children.collect();
    let mut lines = Vec::new();
    for (index, place) in children.iter().enumerate() {
        let twig = &tree[*place];
        let last = index + 1 == children.len();
        let (knot, bar) = match (parent, desk.manners.drawn, last) {
            (None, ..) => ("  ", "  "),
            (_, false, _) => ("    ", "    "),
            (_, true, true) => ("  └─ ", "     "),
            (_, true, false) => ("  ├─ ", "  │  "),
        };
        let grew = match twig.parent {
            Some(parent) => format!(", from `{}` after {}", tree[parent].name, twig.shared),
            None => String::new(),
        };
        let here_it_is = if twig.name == here { " (here)" } else { "" };
        lines.push(format!(
            "{knot}{}: {}{grew}{here_it_is}",
            twig.name,
            so_many(twig.length, "answer")
        ));
        let inside = drawn(desk, tree, Some(*place), here);
        lines.extend(inside.iter().map(|line| format!("{bar}{line}")));
    }
    lines
}

/// `compare A B`, `compare A`
pub fn compare(desk: &mut Desk, given: &str) -> Done {
    let names: Vec<&str> = given.split_whitespace().collect();
    let (a, b) = match names[..] {
        [a, b] => (a, b),
        [b] => (desk.branches.here.as_str(), b),
        _ => return Err("name two branches: `compare main other`".to_owned()),
    };
    if a == b {
        return Err(format!(
            "`{a}` is compared with itself; `branches` lists the others"
        ));
    }
    let session = |name: &str| {
        let found = desk.branches.get(name, &desk.hosted.session);
        found
            .cloned()
            .ok_or_else(|| given::unknown("branch", name, desk.branches.names()))
    };
    let lines = difference(desk, (a, &session(a)?), (b, &session(b)?));
    desk.list(&lines, "");
    Ok(())
}

fn difference(desk: &Desk, (a, one): (&str, &Session), (b, other): (&str, &Session)) -> Vec<String> {
    let alike = one
        .answers()
        .iter()
        .zip(other.answers())
        .take_while(|(a, b)| a == b && written(**a, one.texts()) == written(**b, other.texts()))
        .count();
    // Each by its own game: what was written in the one is not known to the other.
    let game = |session: &Session| {
        let mut game = session.beginning(&mut Silence);
        for answer in &session.answers()[..alike] {
            game.apply(*answer, &mut Silence)
                .expect("a replay gives the same game");
        }
        game
    };
    let scene = desk.scene_of(&game(one));
    let next = |session: &Session| match session.answers().get(alike) {
        Some(choice) => desk.answer_line(&game(session), *choice),
        None => "nothing more".to_owned(),
    };
    if one.answers().len() == alike && other.answers().len() == alike {
        return vec![format!(
            "  `{a}` and `{b}` are alike: {}",
            so_many(alike, "answer")
        )];
    }
    let up_to = match scene.is_empty() {
        true => String::new(),
        false => format!(", up to {scene}"),
    };
    let mut lines = vec![
        format!("  alike for {}{up_to}; then", so_many(alike, "answer")),
        format!("    `{a}`: {}", next(one)),
        format!("    `{b}`: {}", next(other)),
    ];
    let (rows_a, rows_b) = (desk.rows_of(one.game()), desk.rows_of(other.game()));
    let others = rows_a.iter().zip(&rows_b).filter(|(x, y)| x != y);
    let shown: Vec<String> = others
        .map(|(x, y)| (x.trim_start(), y.trim_start()))
        .flat_map(|(x, y)| [format!("    `{a}`: {x}"), format!("    `{b}`: {y}")])
        .take(2 * MOST_SHOWN)
        .collect();
    if shown.is_empty() {
        lines.push("  where they stand now, the table is the same".to_owned());
    } else {
        lines.push("  where they stand now:".to_owned());
        lines.extend(shown);
    }
    lines
}
