//! The host's script for what comes next: the words that everybody will hear whatever is answered.
//!
//! Found by trying: the game is played on from here in many ways, and only what all of them say to
//! everybody stands in the script. Some of the ways set out before the last answers and give others, as long as
//! everybody hears the same up to now (in every other way one answer alone is another, and those behind it are as they were), and some with other cards: what hangs on an answer, a roll or a secret,
//! though it be given already, is left open, and so is the first line that names a card.

use super::desk::{Desk, Done};
use super::halt::halted;
use omerta_core::rules::{GroupId, SayKind};
use omerta_engine::{Audience, Choice, Deed, Game, Happened, Log, Value, What};
use omerta_play::{
    chance::Chance,
    policy::{self, Policy},
    session::Session,
};

/// In how many ways the game is played on as it stands, and in half as many from before each of the last answers.
const WAYS: usize = 16;
/// Through how many pauses each time.
const PAUSES: usize = 80;
/// In how many of a thousand pauses somebody takes up an offer, in every other way.
const OFFERS: u32 = 400;
/// How many lines of script there are at the most.
const LINES: usize = 40;

/// So many answers are taken back at the most, in one way or another.
const BACK: usize = 40;
/// These are the last of them.
const RECENT: usize = 13;
/// So often a way is tried until everybody hears the same up to now.
const TRIES: u64 = 4;

/// `narrate`
pub fn narrate(desk: &mut Desk, _: &str) -> Done {
    if desk.hosted.is_over() {
        return Err("nothing comes any more".to_owned());
    }
    let (pasts, hidden) = (
        pasts(&desk.hosted.session),
        hidden(desk.names().len(), desk.log()),
    );
    let way = |(way, depth): (u64, usize), most: usize| {
        let mut coins = Chance::of_game(way, 2);
        let swapped = if way % 3 == 2 { &hidden[..] } else { &[] };
        (0..TRIES).find_map(|_| heard(desk, &pasts[depth], swapped, (way, &mut coins, most)))
    };
    // The last answers more often than those before: of them all that everybody heard may have come the same.
    let depths = (0..pasts.len()).flat_map(|depth| {
        let often = match depth {
            0 => WAYS,
            1..RECENT => WAYS / 2,
            _ => WAYS / 8,
        };
        std::iter::repeat_n(depth, often)
    });
    let (mut ways, mut lines) = (Vec::new(), Vec::new());
    for at in (0..).zip(depths) {
        if halted() {
            return Err("stopped".to_owned());
        }
        // One line more than all have in common says that it goes on.
        let most = if ways.is_empty() { LINES } else { lines.len() + 1 };
        ways.extend(way(at, most));
        lines = common(&ways);
        if lines.is_empty() && !ways.is_empty() {
            break;
        }
    }
    let shown: Vec<String> = lines.iter().map(|line| format!("    {line}")).collect();
    if !shown.is_empty() {
        desk.line("  To be read aloud, whatever is answered:");
    }
    desk.list(
        &shown,
        "nothing to read aloud yet: what is said next depends on an answer",
    );
    let goes_on = ways.iter().any(|way| way.len() > lines.len());
    if !lines.is_empty() && goes_on && lines.len() < LINES {
        desk.line("  What comes after that depends on the answer.");
    }
    Ok(())
}

/// A game as it stood some answers ago, what was answered from there on, and what everybody has heard since.
struct Past<'s> {
    game: Game,
    answers: &'s [Choice],
    heard: Vec<What>,
}

/// The game as it stands, and as it stood before each of the last answers, the last first.
fn pasts(session: &Session) -> Vec<Past<'_>> {
    let here = session.cursor();
    let first = here.saturating_sub(BACK);
    let mut pasts = Vec::new();
    let mut place = 0;
    let mut keep = |place: usize, game: &Game| {
        let since = &session.log().events[session.events_of(place).end..];
        pasts.push(Past {
            game: game.clone(),
            answers: &session.answers()[place..here],
            heard: to_all(since).cloned().collect(),
        });
    };
    session.each_place(|game| {
        if place >= first {
            keep(place, game);
        }
        place += 1;
        true
    });
    keep(here, session.game());
    pasts.reverse();
    pasts
}

/// What everybody hears of some events.
fn to_all(events: &[Happened]) -> impl Iterator<Item = &What> {
    let all = events
        .iter()
        .filter(|happened| happened.audience == Audience::All);
    all.map(|happened| &happened.what)
}

/// The seats that some words name beside a card or a title; none where they name either by itself.
fn with_a_card(values: &[Value]) -> u64 {
    let seats = values.iter().map(|value| match value {
        Value::Players(seats) => *seats,
        _ => 0,
    });
    let is_card = |value: &Value| matches!(value, Value::Titles(_) | Value::Cards(_));
    match values.iter().any(is_card) {
        true => seats.fold(0, |all, seats| all | seats),
        false => 0,
    }
}

/// The seats of whose card everybody was told nothing yet.
fn hidden(seats: usize, log: &Log) -> Vec<u8> {
    let told = to_all(&log.events).map(|what| match what {
        What::Said { values, .. } => with_a_card(values),
        What::Turned { seat, .. } => 1 << seat,
        _ => 0,
    });
    let told = told.fold(0_u64, |all, seats| all | seats);
    let seats = 0..seats as u8;
    seats.filter(|seat| told >> seat & 1 == 0).collect()
}

/// The same with two cards in each other's place, where that makes two other roles.
fn swapped(game: &Game, hidden: &[u8], coins: &mut Chance) -> Option<Game> {
    let mut any = || Some(hidden[usize::try_from(coins.below(hidden.len() as u64)).ok()?]);
    let (one, other) = (any()?, any()?);
    let role = |seat: u8| {
        let roles = game.look().roles_of(1 << seat);
        (roles.count_ones() == 1).then(|| GroupId(roles.trailing_zeros() as u16))
    };
    let mut game = game.clone();
    for (seat, role) in [(one, role(other)?), (other, role(one)?)] {
        let deed = Choice::ByHand(Deed::Turn { seat, role });
        let mut log = Log::default();
        game.apply(deed, &mut log).ok()?;
        if to_all(&log.events).next().is_some() {
            return None;
        }
    }
    Some(game)
}

/// What everybody hears from now on in one way of playing on, if he has heard the same up to now.
fn heard(
    desk: &Desk,
    past: &Past<'_>,
    hidden: &[u8],
    (way, coins, most): (u64, &mut Chance, usize),
) -> Option<Vec<String>> {
    let words = desk.words();
    let is_said = |what: &&What| matches!(what, What::Said { site, .. } if words.rules.says[site.index()].kind == SayKind::Say);
    let text = |what: &What| match what {
        What::Said { site, values } if is_said(&what) => {
            let text = words.said(*site, values);
            // There the script ends: whose card it is hangs on the deal.
            let named = with_a_card(values) > 0;
            (!text.trim().is_empty()).then_some((!named).then_some(text))
        }
        _ => None,
    };
    let lines = |log: &Log| -> Vec<Option<String>> {
        let since = to_all(&log.events).skip(past.heard.len());
        since.filter_map(text).take(most).collect()
    };
    let other = if hidden.is_empty() {
        None
    } else {
        swapped(&past.game, hidden, coins)
    };
    let (mut game, mut log) = (other.unwrap_or_else(|| past.game.clone()), Log::default());
    // What players do of themselves changes what is said as much as what they answer.
    let policy = Policy {
        offers_per_thousand: OFFERS * (way % 2) as u32,
        calls_per_thousand: 0,
    };
    for at in 0..PAUSES + past.answers.len() {
        if !to_all(&log.events)
            .zip(&past.heard)
            .all(|(now, then)| now == then)
        {
            return None;
        }
        let asked = game.asked();
        // One way is that of people who do as little as they may.
        let least = asked
            .filter(|_| way == 0)
            .and_then(|asked| policy::least(&game, &asked));
        // One answer is another, and all behind it are as they were, as far as they may be.
        let as_before = past.answers.get(at).filter(|_| at > 0 && way % 2 == 0);
        if as_before.is_none_or(|choice| game.apply(*choice, &mut log).is_err()) {
            let choice = least.or_else(|| policy.choose(&game, coins));
            let Some(choice) = choice else { break };
            if game.apply(choice, &mut log).is_err() {
                break;
            }
        }
        let enough = || {
            let since = to_all(&log.events).skip(past.heard.len());
            since.filter(is_said).count() >= most && lines(&log).len() == most
        };
        if log.events.len() > PAUSES * LINES || enough() {
            break;
        }
    }
    let mut all = to_all(&log.events);
    if !past.heard.iter().all(|then| all.next() == Some(then)) {
        return None;
    }
    Some(lines(&log).into_iter().map_while(|line| line).collect())
}

/// The lines with which all ways begin.
fn common(ways: &[Vec<String>]) -> Vec<String> {
    let Some((first, others)) = ways.split_first() else {
        return Vec::new();
    };
    let alike = |at: &usize| others.iter().all(|way| way.get(*at) == first.get(*at));
    (0..first.len())
        .take_while(alike)
        .map(|at| first[at].clone())
        .collect()
}
