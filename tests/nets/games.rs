//! Games of all rulesets: what is heard by whom, what is asked of whom with which answers, what is refused with which
//! words, what is kept of them.

use super::{
    Net,
    subjects::{Subject, subjects},
};
use crate::properties::tables::chosen;
use omerta_engine::{Choice, Pending, Target, Viewer};
use omerta_play::{
    chance::Chance,
    events::about,
    knowledge::{Knowledge, Layout},
    moves::Moves,
    options,
    policy::{Policy, least},
    save::Save,
    session::{Session, Table},
    story::story,
    strategy::Strategy,
    words::Words,
};
use omerta_workbench::written::{Tail, Written};
use std::{
    fmt::{self, Write},
    path::Path,
    sync::Arc,
};

/// How many answers a game is given at the most.
const ANSWERS: usize = 70;
/// At every so manieth pause it is tried what is refused.
const REFUSALS: usize = 5;

#[test]
fn games_are_heard_asked_and_kept_as_before() {
    let mut net = Net::new("games");
    for subject in subjects() {
        for (number, cast) in subject.casts.iter().enumerate() {
            let table = subject.session_table(cast, number as u64);
            play(&mut net, subject, table, number as u64);
        }
    }
    net.holds();
}

/// A game by random answers.
fn play(net: &mut Net, subject: &Subject, table: Table, seed: u64) {
    let Ok(mut session) = Session::start(table) else {
        net.add(&subject.name, "told", "it does not begin\n");
        return;
    };
    let (mut asked, mut refused) = (String::new(), String::new());
    let mut chance = Chance::of_seed(seed);
    for pause in 0..ANSWERS {
        ask(&mut asked, &session).unwrap();
        if pause % REFUSALS == 0 {
            refuse(&mut refused, &session).unwrap();
        }
        let Some(choice) = chosen(session.game(), chance.bits() as u32) else {
            break;
        };
        session.apply(choice).unwrap();
    }
    let (host, seats) = heard(&session).unwrap();
    let mut add = |channel: &str, text: &str| net.add(&subject.name, channel, text);
    add("asked", &asked);
    add("refused", &refused);
    add("host", &host);
    add("seats", &seats);
    add("learnt", &learnt(&session));
    add("story", &story(&session));
    add("kept", &Save::of(&session).to_text());
    add("written", &written(subject, &session));
}

/// All that may be answered where a game stands.
fn ask(out: &mut String, session: &Session) -> fmt::Result {
    let (game, words) = (session.game(), session.table().words());
    match game.pending() {
        Pending::Ask(asked) => {
            writeln!(out, "? {}", words.question(game, &asked))?;
            writeln!(
                out,
                "  {} / {}",
                words.put(game, &asked),
                words.options(game, &asked)
            )?;
            let least = least(game, &asked).map(|choice| words.choice(game, Some(asked.site), choice));
            writeln!(out, "  least {least:?}, limit {:?}", options::limit(game))?;
            let policies = Strategy::of_all(&session.table().rules);
            let by_policy = Policy::default().choose_by(&policies, game, &mut Chance::of_seed(3));
            let site = Some(asked.site);
            writeln!(
                out,
                "  by policy {:?}",
                by_policy.map(|choice| words.choice(game, site, choice))
            )?;
        }
        Pending::Chance(drawn) => {
            writeln!(out, "% {} {:?}", words.chance(game, &drawn), game.weights())?;
        }
        Pending::Over(_) => writeln!(out, "over")?,
        Pending::Broken(fault) => writeln!(out, "broken {}", words.fault(&fault))?,
    }
    let answers = options::answers(game, &words);
    let answers: Vec<&str> = answers.iter().map(|answer| answer.words.as_str()).collect();
    writeln!(out, "  {}", answers.join(", "))?;
    for offer in game.offers() {
        let lines = options::offered(game, &words, &offer);
        let lines: Vec<&str> = lines.iter().map(|answer| answer.words.as_str()).collect();
        writeln!(out, "  + {}", lines.join(", "))?;
    }
    let moves = Moves::new(session.table().rules.clone(), session.table().names.len() as u8);
    let mut numbers = Vec::new();
    moves.legal(game, |legal| numbers.push((legal.number, legal.weight)));
    for seat in 0..session.table().names.len() as u8 {
        moves.offers(game, seat, |legal| numbers.push((legal.number, legal.weight)));
    }
    writeln!(out, "  {} {numbers:?}", moves.count())
}

/// What is said of answers that may not be given.
fn refuse(out: &mut String, session: &Session) -> fmt::Result {
    let (game, words) = (session.game(), session.table().words());
    let mut attempts = vec![Choice::Pass, Choice::Yes, Choice::Go, Choice::TimeUp];
    attempts.extend([0, 1, 3, 60].map(Choice::Seat));
    attempts.extend([0, 2, 63].map(Choice::Card));
    attempts.extend([-1, 0, 1, 2, 9, 1000].map(Choice::Number));
    attempts.extend([0, 1, 2, 900].map(Choice::Title));
    attempts.extend([0, 1, 7].map(Choice::Word));
    for choice in attempts {
        if let Err(illegal) = game.may(choice) {
            writeln!(out, "{choice:?}: {}", words.refusal(game, &illegal))?;
        }
    }
    let seats = [None, Some(0), Some(1), Some(2)];
    for (offer, by) in game
        .made_offers()
        .iter()
        .flat_map(|open| seats.map(|by| (open.offer, by)))
    {
        let target = Target::Text(0);
        let written = Choice::Offer { offer, by, target };
        if let Err(illegal) = game.may_write(written, "words of mine") {
            writeln!(out, "{written:?}: {}", words.refusal(game, &illegal))?;
        }
    }
    let all = match game.pending() {
        Pending::Ask(asked) => options::everything(game, &words, asked.domain),
        _ => Vec::new(),
    };
    let all: Vec<&str> = all.iter().map(|answer| answer.words.as_str()).collect();
    writeln!(out, "{}", all.join(", "))
}

/// What the host hears, with what it is to programs; and what the public and each seat hear.
fn heard(session: &Session) -> Result<(String, String), fmt::Error> {
    let words: Words<'_> = session.table().words();
    let (mut host, mut seats) = (String::new(), String::new());
    for happened in &session.log().events {
        let told = words.event(happened, Viewer::Host).unwrap_or_default();
        let (kind, data) = about(&happened.what, &words, Viewer::Host);
        writeln!(
            host,
            "{:?} {kind} {data} {:?}: {told}",
            happened.cause, happened.audience
        )?;
    }
    let names = session.table().names.iter().enumerate();
    let viewers = names.map(|(seat, name)| (name.as_str(), Viewer::Seat(seat as u8)));
    for (name, viewer) in [("public", Viewer::Public)].into_iter().chain(viewers) {
        writeln!(seats, "{name}")?;
        for (number, happened) in session.log().view(viewer) {
            if let Some(told) = words.event(happened, viewer) {
                writeln!(seats, "  {number} {told}")?;
            }
        }
    }
    Ok((host, seats))
}

/// What each seat's row of numbers has come to, where it is not nought.
fn learnt(session: &Session) -> String {
    let table = session.table();
    let layout = Arc::new(Layout::new(&table.rules, table.names.len() as u8));
    let mut knowledge = Knowledge::new(layout);
    session.retrace(&mut knowledge);
    let mut out = String::new();
    for seat in 0..table.names.len() as u8 {
        let row = knowledge.row(seat).iter().enumerate();
        let told: Vec<String> = row
            .filter(|(_, value)| **value != 0)
            .map(|(at, value)| format!("{at}:{value}"))
            .collect();
        writeln!(out, "{seat} {}", told.join(" ")).unwrap();
    }
    out
}

/// The game as a scenario, where it is one of a file.
fn written(subject: &Subject, session: &Session) -> String {
    let Some(_) = subject
        .file
        .then_some(())
        .filter(|()| !matches!(session.game().pending(), Pending::Chance(_)))
    else {
        return String::new();
    };
    let export = Written {
        session,
        wanted: &subject.table.wanted,
        title: "a game",
        table: "",
        tail: Tail::Snapshot,
    };
    let text = export.text(Path::new("game.play"));
    text.unwrap_or_else(|why| why) + "\n"
}
