//! What is true of every game, whatever its rules: a fact is tried on one game of one table.
//!
//! `game.rs` tries the facts at all tables that can be found, `generated.rs` at tables that nobody laid.

use super::tables::{Table, chosen, start};
use omerta_core::rules::{OfferId, PlannedCast, SayKind, SeenBy};
use omerta_engine::{
    Audience, Choice, Domain, Game, Illegal, Log, Pending, Silence, State, Target, Viewer, What,
};
use omerta_play::{
    chance::Chance,
    policy::Policy,
    save::Save,
    session,
    ways::{answers, offers},
};

/// What is tried of a game: its table, its cast, and the numbers that stand for its answers.
pub struct Play<'a> {
    pub table: &'a Table,
    pub cast: (u8, PlannedCast),
    pub numbers: &'a [u32],
}

/// How many answers games are played on whose registers differ.
const AHEAD: u64 = 60;

pub type Fact = Result<(), String>;

/// A fact with its name.
pub type Named = (&'static str, fn(&Play<'_>) -> Fact);

/// The facts by name.
pub const FACTS: [Named; 9] = [
    ("ready answers", ready_or_waited_for),
    ("heard or unheard", heard_or_unheard),
    ("kept and read", kept_and_read),
    ("saved and loaded", saved_and_loaded),
    ("taken back", taken_back),
    ("gone back by any way", gone_back_by_any_way),
    ("copied", copied),
    ("refused", refused),
    ("audiences", audiences),
];

impl Play<'_> {
    fn begin(&self, log: &mut Log) -> Game {
        start(self.table, &self.cast, log)
    }

    /// Steps leave other words than instructions in registers that nothing reads any more. So registers are compared
    /// by what later instructions make of them, and all else as it stands.
    fn same_state(&self, what: &str, a: &Game, b: &Game) -> Fact {
        if a.state() == b.state() {
            return Ok(());
        }
        same(what, &without_registers(a), &without_registers(b))?;
        let [a, b] = [a, b].map(|game| {
            let (mut game, mut log) = (game.clone(), Log::default());
            let mut chance = Chance::of_game(11, self.numbers.len() as u64);
            Policy::default().play(&mut game, &mut chance, &mut log, AHEAD);
            (without_registers(&game), format!("{:?}", heard(&log)))
        });
        same(&format!("{what}, played on,"), &a, &b)
    }

    /// The answers that the numbers stand for.
    pub fn answers(&self) -> Vec<Choice> {
        let mut game = start(self.table, &self.cast, &mut Silence);
        let answer = |&number: &u32| {
            let choice = chosen(&game, number)?;
            game.apply(choice, &mut Silence).ok()?;
            Some(choice)
        };
        self.numbers.iter().map_while(answer).collect()
    }

    /// The game as people read it.
    pub fn told(&self, why: &str) -> String {
        let (seats, cards) = &self.cast;
        let groups = &self.table.rules.groups;
        let cards: Vec<&str> = cards
            .cards
            .iter()
            .map(|card| &*groups[card.index()].name)
            .collect();
        let answers = self.answers();
        format!(
            "{}: {why}\n{seats} seats, {cards:?}\n{answers:?}",
            self.table.name
        )
    }

    /// The game where those leave it.
    pub fn played(&self) -> Game {
        self.after(usize::MAX)
    }

    /// The game after so many answers.
    pub fn after(&self, given: usize) -> Game {
        let mut game = start(self.table, &self.cast, &mut Silence);
        for choice in self.answers().into_iter().take(given) {
            game.apply(choice, &mut Silence)
                .expect("it was among the answers");
        }
        game
    }

    /// What a session begins with.
    pub fn session_table(&self) -> session::Table {
        session::Table {
            rules: self.table.rules.clone(),
            hooks: self.table.hooks.clone(),
            names: (1..=self.cast.0).map(|seat| format!("P{seat}")).collect(),
            cast: self.cast.1.clone(),
            seed: None,
        }
    }

    fn session(&self) -> session::Session {
        session::Session::start(self.session_table()).expect("the game can begin")
    }
}

/// All of a state but its registers and what only a listener has any use for, and what is pending.
pub fn without_registers(game: &Game) -> (serde_json::Value, Pending) {
    let mut state = serde_json::to_value(game.state()).expect("a state can be kept");
    state["stack"].take();
    for frame in state["board"]["frames"].as_array_mut().expect("there are frames") {
        frame["question"].take();
    }
    (state, game.pending())
}

/// What was heard but for the questions: whoever begins to listen while an offer is dealt with hears the one again
/// that waits below it.
fn heard(log: &Log) -> Vec<(&What, &Audience)> {
    let events = log.events.iter().map(|event| (&event.what, &event.audience));
    events
        .filter(|(what, _)| !matches!(what, What::Asked { .. } | What::Looked { .. }))
        .collect()
}

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Fact {
    if a == b {
        return Ok(());
    }
    let (a, b) = (format!("{a:?}"), format!("{b:?}"));
    let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let cut = |text: &str| {
        text.chars()
            .skip(at.saturating_sub(80))
            .take(240)
            .collect::<String>()
    };
    Err(format!("{what} differ:\n  …{}\n  …{}", cut(&a), cut(&b)))
}

/// Applies an answer that was found to be legal.
fn give(game: &mut Game, choice: Choice, log: &mut Log) -> Fact {
    let refused = |why: Illegal| format!("{choice:?} is among the answers and is refused: {why:?}");
    game.apply(choice, log).map_err(refused)
}

/// Answers that are ready, and answers that are waited for, with offers and without.
pub fn ready_or_waited_for(play: &Play<'_>) -> Fact {
    let number = play.numbers.len() as u64;
    let policy = Policy {
        offers_per_thousand: 100 * (number % 2) as u32,
        ..Policy::default()
    };
    let (mut heard, mut told) = (Log::default(), Log::default());
    let mut waited = (play.begin(&mut heard), Chance::of_game(9, number));
    let mut ready = (start(play.table, &play.cast, &mut Silence), waited.1.clone());
    let mut aloud = (play.begin(&mut told), waited.1.clone());
    for answers in [1, 2, 7, 40, 400] {
        let given = policy.play(&mut ready.0, &mut ready.1, &mut Silence, answers);
        policy.play(&mut aloud.0, &mut aloud.1, &mut told, answers);
        let mut left = given;
        while left > 0 || given < answers {
            let asked = matches!(waited.0.pending(), Pending::Ask(_));
            let Some(choice) = policy.choose(&waited.0, &mut waited.1) else {
                break;
            };
            give(&mut waited.0, choice, &mut heard)?;
            left -= u64::from(asked);
        }
        same("the answers that are left over", &left, &0)?;
        play.same_state("answers waited for and ready", &waited.0, &ready.0)?;
        play.same_state("answers ready and told", &ready.0, &aloud.0)?;
        same("what chance has given", &waited.1, &ready.1)?;
        same("what chance has given aloud", &waited.1, &aloud.1)?;
        same("the events", &heard, &told)?;
    }
    Ok(())
}

/// The same answers give the same game, whether anybody listens or not.
pub fn heard_or_unheard(play: &Play<'_>) -> Fact {
    let (mut first, mut again, mut still) = (Log::default(), Log::default(), Silence);
    let mut game = play.begin(&mut first);
    let mut quiet = start(play.table, &play.cast, &mut still);
    let given = play.answers();
    for &choice in &given {
        give(&mut game, choice, &mut first)?;
        quiet
            .apply(choice, &mut still)
            .map_err(|why| format!("{why:?}"))?;
        play.same_state("a game heard and one unheard", &game, &quiet)?;
    }
    let mut replayed = play.begin(&mut again);
    for &choice in &given {
        give(&mut replayed, choice, &mut again)?;
    }
    same("the states", game.state(), replayed.state())?;
    same("the events", &first, &again)
}

/// A game that is kept and read again at every pause goes on as before.
pub fn kept_and_read(play: &Play<'_>) -> Fact {
    let (mut log, mut other) = (Log::default(), Log::default());
    let mut game = play.begin(&mut log);
    let mut read = play.begin(&mut other);
    for (place, choice) in play.answers().into_iter().enumerate() {
        let kept = serde_json::to_string(game.state()).map_err(|why| why.to_string())?;
        let state: State = serde_json::from_str(&kept).map_err(|why| why.to_string())?;
        same("a state and what was read of it", game.state(), &state)?;
        read = Game::restore(play.table.rules.clone(), play.table.hooks.clone(), state);
        // A log grows long, and is the same sort of thing all along.
        if place.is_multiple_of(25) {
            let kept = serde_json::to_string(&log).map_err(|why| why.to_string())?;
            other = serde_json::from_str(&kept).map_err(|why| why.to_string())?;
            same("events and what was read of them", &log, &other)?;
        }
        same("what is pending", &game.pending(), &read.pending())?;
        give(&mut game, choice, &mut log)?;
        give(&mut read, choice, &mut other)?;
    }
    same("the states", game.state(), read.state())?;
    same("the events", &log, &other)
}

/// A save file gives the game again.
pub fn saved_and_loaded(play: &Play<'_>) -> Fact {
    let mut session = play.session();
    for choice in play.answers() {
        session.apply(choice).map_err(|why| format!("{why:?}"))?;
    }
    let save = Save::from_text(&Save::of(&session).to_text()).map_err(|why| format!("{why:?}"))?;
    let loaded = save.load(play.table.rules.clone(), play.table.hooks.clone());
    let loaded = loaded.map_err(|why| format!("{why:?}"))?;
    same("the stop", &loaded.stopped, &None)?;
    same(
        "the states",
        session.game().state(),
        loaded.session.game().state(),
    )?;
    same("the events", session.log(), loaded.session.log())
}

/// What is taken back was never answered.
pub fn taken_back(play: &Play<'_>) -> Fact {
    let mut session = play.session();
    for choice in play.answers() {
        let (state, log) = (session.game().state().clone(), session.log().clone());
        session.apply(choice).map_err(|why| format!("{why:?}"))?;
        let after = (session.game().state().clone(), session.log().clone());
        session.undo();
        same("the state after an undo", session.game().state(), &state)?;
        same("the events after an undo", session.log(), &log)?;
        session.redo();
        same("the state after a redo", session.game().state(), &after.0)?;
        same("the events after a redo", session.log(), &after.1)?;
    }
    Ok(())
}

/// A copy goes its own way.
pub fn copied(play: &Play<'_>) -> Fact {
    let mut log = Log::default();
    let mut game = play.begin(&mut log);
    let mut copy = game.clone();
    for (choice, &number) in play.answers().into_iter().zip(play.numbers) {
        copy.clone_from(&game);
        let fresh = game.clone();
        same("a copy and another", fresh.state(), copy.state())?;
        if let Some(other) = chosen(&copy, number.rotate_left(16)) {
            give(&mut copy, other, &mut Log::default())?;
        }
        same("the state after its copy went on", game.state(), fresh.state())?;
        give(&mut game, choice, &mut log)?;
    }
    Ok(())
}

/// Wherever one goes back to, and whatever is answered there, the game is the one of its answers.
pub fn gone_back_by_any_way(play: &Play<'_>) -> Fact {
    let mut session = play.session();
    let mut aside = Vec::new();
    for &number in play.numbers {
        let far = (number / 64) as usize;
        let branch = session.branch();
        match number % 8 {
            // Back over a few answers, or over many, or by one, and forth.
            0 => drop(session.go_to(session.cursor().saturating_sub(1 + far % 20))),
            1 => drop(session.go_to(session.cursor().saturating_sub(16 + far % 20))),
            2 => drop(session.undo()),
            3 => drop(session.redo()),
            4 => drop(session.go_to(session.cursor() + far % (session.undone().len() + 1))),
            5 if far.is_multiple_of(2) => aside.push(std::mem::replace(&mut session, branch)),
            5 if !aside.is_empty() => session = aside.swap_remove(far % aside.len()),
            _ => {
                if let Some(choice) = chosen(session.game(), number / 8) {
                    session.apply(choice).map_err(|why| format!("{why:?}"))?;
                }
                continue;
            }
        }
        as_replayed(play, &session)?;
    }
    as_replayed(play, &session)?;
    aside.iter().try_for_each(|session| as_replayed(play, session))
}

fn as_replayed(play: &Play<'_>, session: &session::Session) -> Fact {
    let replayed = session::Session::replay(play.session_table(), session.answers(), session.texts());
    let (replayed, stopped) = replayed.map_err(|why| format!("{why:?}"))?;
    same("the stop", &stopped, &None)?;
    same("the states", session.game().state(), replayed.game().state())?;
    same("the events", session.log(), replayed.log())?;
    let events = |session: &session::Session| {
        let places = 0..=session.cursor();
        places.map(|place| session.events_of(place)).collect::<Vec<_>>()
    };
    same("the events of each answer", &events(session), &events(&replayed))
}

// ---- refusals

/// Answers of every kind, most of them illegal at any given pause.
fn attempts() -> Vec<Choice> {
    let mut all = vec![Choice::Pass, Choice::Yes, Choice::No, Choice::Go];
    for number in [0, 1, 2, 5, 9, 17, 63, 64, 255] {
        all.extend([
            Choice::Seat(number),
            Choice::Card(number),
            Choice::Title(u16::from(number)),
            Choice::Number(i64::from(number)),
            Choice::Word(u16::from(number)),
        ]);
        for target in [
            Target::Nothing,
            Target::Seat(number),
            Target::Card(1),
            Target::Title(2),
        ] {
            all.push(Choice::Branch {
                branch: number % 7,
                target,
            });
            for by in [None, Some(number)] {
                all.push(Choice::Offer {
                    offer: OfferId(u16::from(number % 8)),
                    by,
                    target,
                });
            }
        }
    }
    all.extend([i64::MIN, -1, i64::MAX].map(Choice::Number));
    all.extend([0, 4096, 1 << 31, u32::MAX].map(Choice::Text));
    all
}

fn domain(pending: &Pending) -> Option<Domain> {
    match pending {
        Pending::Ask(asked) => Some(asked.domain),
        Pending::Chance(drawn) => Some(drawn.domain),
        Pending::Over(_) | Pending::Broken(_) => None,
    }
}

/// Whether a refusal says what would have been legal.
fn names_what_is_legal(why: &Illegal, choice: Choice, pending: &Pending) -> bool {
    let whole = domain(pending);
    match (why, choice) {
        (Illegal::Over, _) => whole.is_none(),
        (Illegal::NoOffer { offer }, Choice::Offer { offer: wanted, .. }) => *offer == wanted,
        (Illegal::Closed { branch }, Choice::Branch { branch: wanted, .. }) => *branch == wanted,
        // Of a branch or an offer, what it picks among.
        (
            Illegal::WrongKind { .. } | Illegal::NotAmong { .. },
            Choice::Branch { .. } | Choice::Offer { .. },
        ) => true,
        (Illegal::WrongKind { wanted } | Illegal::NotAmong { wanted }, _) => Some(*wanted) == whole,
        (Illegal::Unwritable(_), choice) => matches!(choice, Choice::Text(_)),
        (Illegal::NoDeed, choice) => matches!(choice, Choice::ByHand(_)),
        (Illegal::NoOffer { .. } | Illegal::Closed { .. } | Illegal::Full, _) => false,
    }
}

/// A refused answer changes nothing and says what would be legal.
pub fn refused(play: &Play<'_>) -> Fact {
    let attempts = attempts();
    let mut log = Log::default();
    let mut game = play.begin(&mut log);
    for choice in play.answers() {
        let (state, heard, pending) = (game.state().clone(), log.clone(), game.pending());
        let legal = [answers(&game), offers(&game)].concat();
        let mut copy = game.clone();
        for &attempt in &attempts {
            // Of a long row of numbers not all are listed.
            let listed = legal.contains(&attempt) || matches!(attempt, Choice::Number(_));
            match copy.apply(attempt, &mut log) {
                Ok(()) if listed => {
                    copy.clone_from(&game);
                    log.clone_from(&heard);
                }
                Ok(()) => return Err(format!("{attempt:?} is taken at {pending:?}")),
                Err(why) if legal.contains(&attempt) => {
                    return Err(format!("{attempt:?} is refused at {pending:?}: {why:?}"));
                }
                Err(why) if !names_what_is_legal(&why, attempt, &pending) => {
                    return Err(format!("{attempt:?} at {pending:?} is refused with {why:?}"));
                }
                Err(_) => {
                    same("the state after a refusal", copy.state(), &state)?;
                    same("the events after a refusal", &log, &heard)?;
                }
            }
        }
        give(&mut game, choice, &mut log)?;
    }
    Ok(())
}

// ---- audiences

/// Why an event should not be known to a seat, judged by the rules alone; `None` when it may be.
fn unfounded(play: &Play<'_>, what: &What, seat: u8) -> Option<&'static str> {
    let rules = &play.table.rules;
    let is_in = |set: u64| set >> seat & 1 == 1;
    let is_seen = |seen_by: SeenBy, is_own: bool| match seen_by {
        SeenBy::Nobody => false,
        SeenBy::Owner => is_own,
        SeenBy::Everybody => true,
        // What a ruleset works out by itself; `leaks` compares it.
        SeenBy::Seats(_) => true,
    };
    let sees = |zone: omerta_core::rules::ZoneId, at: Option<u8>| {
        is_seen(rules.zones[zone.index()].seen_by, at == Some(seat))
    };
    let any_zone_seen =
        || (0..rules.zones.len()).any(|zone| sees(omerta_core::rules::ZoneId(zone as u8), Some(seat)));
    match what {
        What::Asked { who, host, .. } if !is_in(*who) || *host => Some("a question to others"),
        What::Answered { site, who, .. } if !rules.ask(*site).openly && !is_in(*who) => {
            Some("an answer of others")
        }
        What::Drew { site, .. } if !rules.draws[site.index()].openly => Some("hidden chance"),
        What::OfferTaken { by, .. } if *by != Some(seat) => Some("what another took up"),
        // Where it comes from is not in the event: it may have been seen there.
        What::Moved { zone, seat: at, .. } if !sees(*zone, *at) && !any_zone_seen() => {
            Some("cards that come from and go to where nobody looks")
        }
        What::SceneBegan { .. }
        | What::SceneEnded { .. }
        | What::SceneNears { .. }
        | What::ScenePassed { .. }
        | What::Performed { .. }
        | What::Occurred { .. }
        | What::Planned { .. }
        | What::Cancelled { .. }
        | What::RuleApplied { .. } => Some("what only the host knows"),
        What::Marked { fact, seats: of }
        | What::Unmarked { fact, seats: of }
        | What::Linked { fact, from: of, .. }
        | What::Unlinked { fact, from: of, .. }
        | What::Counted { fact, seats: of, .. }
        | What::Kept { fact, seats: of, .. }
            if !is_seen(rules.facts[fact.index()].seen_by, *of == 1 << seat) =>
        {
            Some("what is remembered of others")
        }
        What::Cleared { fact } if !is_seen(rules.facts[fact.index()].seen_by, true) => {
            Some("what only the host remembers")
        }
        _ => None,
    }
}

/// Whoever learns of something learns it by a word of the rules.
pub fn audiences(play: &Play<'_>) -> Fact {
    let mut log = Log::default();
    let mut game = play.begin(&mut log);
    for choice in play.answers() {
        give(&mut game, choice, &mut log)?;
    }
    for (_, happened) in (0..play.cast.0).flat_map(|seat| log.view(Viewer::Seat(seat))) {
        let What::Said { site, .. } = &happened.what else {
            continue;
        };
        let to_all = play.table.rules.says[site.index()].kind == SayKind::Say;
        // What is told to each of them is told to all.
        let is_whole = matches!(happened.audience, Audience::Seats(seats) if seats.count_ones() == u32::from(play.cast.0));
        if is_whole || to_all && happened.audience != Audience::All {
            return Err(format!("{happened:?} goes to others than its word says"));
        }
    }
    for seat in 0..play.cast.0 {
        for (_, happened) in log.view(Viewer::Seat(seat)) {
            if let Some(why) = unfounded(play, &happened.what, seat) {
                return Err(format!("seat {seat} learns {why}: {happened:?}"));
            }
        }
    }
    Ok(())
}
