//! A game as a story: every event with who got to know of it, every question with what might have
//! been answered, and where things stand at the end. What a scenario's snapshot keeps.
//!
//! A line without brackets reached everybody; `[Ann and Bob]` says who alone saw it (the host sees
//! all). What is not printed of a state goes into a digest, one for each scene of the script, so that
//! a wrong state shows in the scene in which it went wrong and not in all that follow.

use crate::{
    session::Session,
    words::{Words, listed, members, which_pick},
};
use omerta_core::digest::Digest;
use omerta_core::plural::so_many;
use omerta_core::rules::{Fact, FactId, FactShape, Kind, ZoneId};
use omerta_engine::{Audience, Choice, Domain, Drawn, Game, Happened, Log, Pending, Viewer, What};
use std::collections::BTreeMap;

/// Whether an event happened in no scene: a scene of the script begins so, be it after a draw.
pub fn is_outermost(log: &Log, happened: &Happened) -> bool {
    let mut next = happened.cause;
    while let Some(cause) = next.and_then(|cause| log.events.get(cause as usize)) {
        if matches!(cause.what, What::SceneBegan { .. }) {
            return false;
        }
        next = cause.cause;
    }
    true
}

/// The whole game up to where the session stands.
pub fn story(session: &Session) -> String {
    let table = session.table();
    let words = table.words();
    let mut log = Log::default();
    let mut game = session.beginning(&mut log);
    let mut teller = Teller {
        words,
        text: format!("{}\n", head(session)),
        depth: 0,
        told: 0,
        offers: String::new(),
        states: States::default(),
    };
    teller.pause(&game, &log, None);
    for answer in session.answers() {
        let given = given(words, &game, *answer);
        game.apply(*answer, &mut log)
            .expect("a replay gives the same game");
        teller.pause(&game, &log, Some(&given));
    }
    teller.finish(&game);
    teller.text
}

/// `City, 5 players: Ann, Bob, Cid, Dee and Eve`, and what was laid on it and chosen.
fn head(session: &Session) -> String {
    let table = session.table();
    let rules = &*table.rules;
    let mut head = format!(
        "{}, {}: {}\n",
        rules.title,
        so_many(table.names.len(), "player"),
        listed(table.names.clone(), "and")
    );
    if !rules.overlays.is_empty() {
        head += &format!("with {}\n", listed(rules.overlays.clone(), "and"));
    }
    let chosen = rules
        .options
        .iter()
        .filter(|option| option.value != option.default);
    for option in chosen {
        head += &format!("set {} = {}\n", option.name, option.value);
    }
    head
}

/// An answer or an outcome in words.
fn given(words: Words<'_>, game: &Game, answer: Choice) -> String {
    match (game.pending(), answer) {
        (Pending::Ask(asked), answer) => words.choice(game, Some(asked.site), answer),
        (Pending::Chance(_), Choice::Word(word)) => game
            .weights()
            .get(usize::from(word))
            .map_or_else(String::new, |(word, _)| word.clone()),
        (_, answer) => words.choice(game, None, answer),
    }
}

/// Tells a game from pause to pause.
struct Teller<'a> {
    words: Words<'a>,
    text: String,
    /// How many scenes are open.
    depth: usize,
    /// How many events have been told.
    told: usize,
    /// The standing offers, as they were told last.
    offers: String,
    /// The states since the last digest that was printed.
    states: States,
}

impl Teller<'_> {
    fn line(&mut self, audience: Audience, text: &str) {
        let to = match audience {
            Audience::All => String::new(),
            Audience::Host => "[host] ".to_string(),
            Audience::Seats(seats) => format!("[{}] ", self.words.seats(seats)),
        };
        let indent = "  ".repeat(self.depth);
        // A text with line ends in it stays one thing, its later lines under the first.
        for (number, line) in text.lines().enumerate() {
            let to = if number == 0 { to.as_str() } else { "  " };
            self.text += format!("{indent}{to}{line}").trim_end();
            self.text.push('\n');
        }
    }

    /// What happened since the last pause, and what the game waits for now.
    fn pause(&mut self, game: &Game, log: &Log, given: Option<&str>) {
        let new = &log.events[self.told.min(log.events.len())..];
        if let Some(given) = given.filter(|_| !tells_answer(new)) {
            self.line(Audience::Host, &format!("> {given}"));
        }
        let (open, before) = match new.split_last() {
            Some((last, before)) if is_put(last, &game.pending()) => (Some(last), before),
            _ => (None, new),
        };
        for happened in before {
            self.event(happened);
        }
        self.told = log.events.len();
        self.states.eat_state(self.words, game);
        self.pending(game, open);
    }

    fn event(&mut self, happened: &Happened) {
        match &happened.what {
            What::SceneBegan { scene, nth } => {
                let name = self.words.rules.scenes[scene.index()].name.as_str();
                // An inner scene's number counts all of the game: one more call in the first night
                // would change every later heading.
                let heading = match self.depth {
                    0 => format!("\n== {name} {nth} =="),
                    depth => format!("{}-- {name}", "  ".repeat(depth)),
                };
                self.text += &heading;
                self.text.push('\n');
                self.depth += 1;
            }
            What::SceneEnded { .. } => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.state();
                }
            }
            what if self.words.is_silent(what) => {}
            What::Backs { shown, .. } => self.backs(happened, *shown),
            _ => {
                let words = self.words.event(happened, Viewer::Host).unwrap_or_default();
                let words = match &happened.what {
                    // To whom stands in the brackets already.
                    What::Said { site, values } => self.words.spoken_plainly(*site, values),
                    _ => words,
                };
                self.line(happened.audience, &words);
            }
        }
    }

    /// Cards that came or went face down, for those who are not told which they are; who saw them lie is told whence.
    fn backs(&mut self, happened: &Happened, shown: Audience) {
        let all = u64::MAX >> (64 - self.words.names.len());
        let mut heard: BTreeMap<String, u64> = BTreeMap::new();
        let seats = match happened.audience.without(shown, all) {
            None | Some(Audience::Host) => 0,
            Some(Audience::Seats(seats)) => seats,
            Some(Audience::All) => all,
        };
        for seat in members(seats) {
            let words = self.words.event(happened, Viewer::Seat(seat));
            *heard.entry(words.unwrap_or_default()).or_default() |= 1 << seat;
        }
        for (words, seats) in heard {
            let audience = if seats == all {
                Audience::All
            } else {
                Audience::Seats(seats)
            };
            self.line(audience, &words);
        }
    }

    /// The digest of the states since the last one.
    fn state(&mut self) {
        let digest = std::mem::take(&mut self.states);
        if let Some(short) = digest.short() {
            self.text += &format!("({short})\n");
        }
    }

    /// The open question with everything that may be answered; `open` is the event that put it.
    fn pending(&mut self, game: &Game, open: Option<&Happened>) {
        let Pending::Ask(asked) = game.pending() else {
            if let Pending::Chance(drawn) = game.pending() {
                self.chance(game, &drawn);
            }
            return;
        };
        self.offers(game);
        let audience = match open {
            Some(happened) => happened.audience,
            None if asked.host => Audience::Host,
            None => Audience::seats(asked.who),
        };
        let site = self.words.rules.ask(asked.site);
        let put = self.words.put(game, &asked);
        let text = match asked.domain {
            Domain::Go if put == site.name => "… ".to_string(),
            Domain::Go => format!("… {put}"),
            _ => {
                let put = match put == site.name {
                    true => String::new(),
                    false => format!(" {put}"),
                };
                let pick = which_pick(&asked);
                let who = match asked.host {
                    true => "host".to_string(),
                    false => self.words.seats(asked.who),
                };
                let options = self.words.options(game, &asked);
                format!("? {who}, {}{pick}:{put} {options}", site.name)
            }
        };
        self.line(audience, &text);
    }

    /// What chance may bring, where that is not plain from the table.
    fn chance(&mut self, game: &Game, drawn: &Drawn) {
        if !matches!(drawn.domain, Domain::Cards { .. }) {
            let words = self.words.chance(game, drawn);
            self.line(Audience::Host, &format!("~ {words}"));
        }
    }

    /// The standing offers, where they are others than before.
    fn offers(&mut self, game: &Game) {
        if !game.has_offers() {
            return;
        }
        let open = game.offers();
        let mut lines: Vec<(String, u64, bool)> = Vec::new();
        for offer in &open {
            let name = &self.words.rules.offers[offer.offer.index()].name;
            let who = offer.by.map_or(0, |seat| 1 << seat);
            match lines.iter_mut().find(|(known, _, _)| known == name) {
                Some((_, seats, host)) => (*seats, *host) = (*seats | who, *host || offer.by.is_none()),
                None => lines.push((name.clone(), who, offer.by.is_none())),
            }
        }
        let words = lines.iter().map(|(name, seats, host)| match host {
            true => format!("{name} for the host"),
            false => format!("{name} for {}", self.words.seats(*seats)),
        });
        let words = words.collect::<Vec<_>>().join("; ");
        if words != self.offers {
            let shown = if words.is_empty() { "nothing" } else { &words };
            self.line(Audience::Host, &format!("open: {shown}"));
            self.offers = words;
        }
    }

    /// Where things stand.
    fn finish(&mut self, game: &Game) {
        self.depth = 0;
        self.state();
        self.text += "\n== Where things stand ==\n";
        for line in stands(self.words, game) {
            self.text += &line;
            self.text.push('\n');
        }
    }
}

/// Whether the first event after an answer tells the answer.
fn tells_answer(new: &[Happened]) -> bool {
    let told = |happened: &Happened| {
        matches!(
            happened.what,
            What::Answered { .. } | What::OfferTaken { .. } | What::Drew { .. }
        )
    };
    new.first().is_some_and(told)
}

/// Whether an event put the question that is open.
fn is_put(happened: &Happened, pending: &Pending) -> bool {
    match (&happened.what, pending) {
        (What::Asked { site, .. }, Pending::Ask(asked)) => *site == asked.site,
        _ => false,
    }
}

/// Each seat with its cards, marks, numbers and links; then what belongs to the table; then the end.
fn stands(words: Words<'_>, game: &Game) -> Vec<String> {
    let look = game.look();
    let mut lines: Vec<String> = (0..look.seats())
        .map(|seat| {
            let mut facts = cards_of(words, game, seat);
            facts.extend(facts_of(words, game, seat));
            format!("{}: {}", words.seat(seat), facts.join("; "))
                .trim_end()
                .to_string()
        })
        .collect();
    lines.extend(on_the_table(words, game));
    lines.push(match game.pending() {
        Pending::Over(outcome) => {
            let ending = outcome.ending.map(|id| words.rules.ending(id));
            let title = ending.map(|ending| ending.title.clone().unwrap_or_else(|| ending.name.clone()));
            words.over(title, outcome.winners, outcome.losers)
        }
        Pending::Broken(fault) => format!("The rules broke: {}.", words.fault(&fault)),
        Pending::Ask(_) | Pending::Chance(_) => "The game goes on.".to_string(),
    });
    lines
}

fn cards_of(words: Words<'_>, game: &Game, seat: u8) -> Vec<String> {
    let look = game.look();
    let zones = words
        .rules
        .zones
        .iter()
        .enumerate()
        .filter(|(_, zone)| zone.of_each);
    let pile = zones.map(|(number, zone)| (zone, look.pile(ZoneId(number as u8), Some(seat))));
    pile.filter(|(_, pile)| !pile.is_empty())
        .map(|(zone, pile)| format!("{} {}", zone.title, shown(words, game, &pile)))
        .collect()
}

fn shown(words: Words<'_>, game: &Game, pile: &[u8]) -> String {
    let things = game.look().things();
    let names = pile
        .iter()
        .map(|card| words.group(things[usize::from(*card)].shown()));
    listed(names.collect(), "and")
}

/// What the rules remember of a seat.
fn facts_of(words: Words<'_>, game: &Game, seat: u8) -> Vec<String> {
    let look = game.look();
    let facts = words
        .rules
        .facts
        .iter()
        .enumerate()
        .filter(|(_, fact)| !fact.hidden);
    facts
        .filter_map(|(number, fact)| {
            let word = look.fact_of(FactId(number as u16), seat);
            match fact.shape {
                FactShape::Flag | FactShape::Count => None,
                FactShape::CountOfEach => (word as i64 != fact.start)
                    .then(|| format!("{} {}", fact.shown(), words.held(game, fact, word))),
                _ if word == 0 => None,
                FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => Some(fact.shown()),
                FactShape::Link { to, .. } => Some(format!(
                    "{} {}",
                    fact.shown(),
                    words.linked(game, to, word, Viewer::Host)
                )),
            }
        })
        .collect()
}

/// Flags and numbers of the game, piles that are nobody's, plans that wait.
fn on_the_table(words: Words<'_>, game: &Game) -> Vec<String> {
    let look = game.look();
    let mut lines = Vec::new();
    for (number, fact) in words.rules.facts.iter().enumerate() {
        let word = look.fact(FactId(number as u16)) as i64;
        let value = match fact.shape {
            FactShape::Flag => if word == 0 { "no" } else { "yes" }.to_string(),
            FactShape::Count => words.held(game, fact, word as u64),
            _ => continue,
        };
        if !fact.hidden && word != fact.start {
            lines.push(format!("{}: {value}", fact.shown()));
        }
    }
    for (number, zone) in words
        .rules
        .zones
        .iter()
        .enumerate()
        .filter(|(_, zone)| !zone.of_each)
    {
        let pile = look.pile(ZoneId(number as u8), None);
        if !pile.is_empty() {
            lines.push(format!("{}: {}", zone.title, shown(words, game, &pile)));
        }
    }
    for plan in look.plans() {
        let event = &words.rules.events[plan.event.index()].name;
        let by = if plan.by == 0 {
            String::new()
        } else {
            format!(" by {}", words.seats(plan.by))
        };
        lines.push(format!("planned: {event} of {}{by}", words.seats(plan.of)));
    }
    lines
}

/// The word a fact has for a seat when the game begins.
fn at_start(fact: &Fact, seat: u8) -> u64 {
    match fact.shape {
        FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => {
            (fact.start as u64).checked_shr(u32::from(seat)).unwrap_or(0) & 1
        }
        FactShape::Flag | FactShape::Count | FactShape::CountOfEach => fact.start as u64,
        FactShape::Link { .. } => 0,
    }
}

/// A digest of states by the names and values in them: rules that are written otherwise and mean the
/// same give the same digest.
#[derive(Clone, Copy, Debug, Default)]
struct States {
    digest: Digest,
    count: u32,
}

impl States {
    fn eat(&mut self, bytes: &[u8]) {
        self.digest.eat(bytes);
    }

    fn eat_number(&mut self, number: u64) {
        self.eat(&number.to_le_bytes());
    }

    /// Everything the rules remember that they can read by name, but for what stands at its start:
    /// a mark that is added to the rules and never used changes no digest.
    fn eat_state(&mut self, words: Words<'_>, game: &Game) {
        self.count += 1;
        let (rules, look) = (words.rules, game.look());
        for (number, fact) in rules.facts.iter().enumerate().filter(|(_, fact)| !fact.hidden) {
            let id = FactId(number as u16);
            let whole = matches!(fact.shape, FactShape::Flag | FactShape::Count);
            let seats = if whole { 1 } else { look.seats() };
            for seat in 0..seats {
                let word = look.fact_of(id, seat);
                if word != at_start(fact, seat) {
                    self.eat(fact.name.as_bytes());
                    self.eat(&[seat]);
                    match fact.shape {
                        FactShape::Link { to: Kind::Titles, .. } => members(word).for_each(|title| {
                            self.eat(rules.groups[usize::from(title)].name.as_bytes());
                        }),
                        _ if fact.text => self.eat(look.text(word).as_bytes()),
                        _ => self.eat_number(word),
                    }
                }
            }
            if matches!(fact.shape, FactShape::MarkInOrder { .. }) {
                self.eat(&look.in_order(id));
            }
        }
        self.eat_things(words, game);
    }

    fn eat_things(&mut self, words: Words<'_>, game: &Game) {
        let (rules, look) = (words.rules, game.look());
        for (card, thing) in look.things().iter().enumerate() {
            self.eat(rules.groups[thing.group.index()].name.as_bytes());
            self.eat(rules.groups[thing.shown().index()].name.as_bytes());
            if let Some(place) = look.place(card) {
                self.eat(rules.zones[place.zone.index()].name.as_bytes());
                let height = look.pile(place.zone, place.seat).len() as u8;
                self.eat(&[place.seat.unwrap_or(u8::MAX), height - place.from_top]);
            }
        }
        for plan in look.plans() {
            self.eat(rules.events[plan.event.index()].name.as_bytes());
            [plan.of, plan.by]
                .into_iter()
                .for_each(|set| self.eat_number(set));
        }
        [look.winners(), look.losers()]
            .into_iter()
            .for_each(|set| self.eat_number(set));
        if !game.has_offers() {
            return;
        }
        for open in game.offers() {
            self.eat(rules.offers[open.offer.index()].name.as_bytes());
            self.eat(&[open.by.unwrap_or(u8::MAX)]);
            match open.among {
                Some(Domain::Seats { among, .. } | Domain::Cards { among, .. }) => self.eat_number(among),
                Some(Domain::Numbers { low, high, .. }) => {
                    [low, high]
                        .into_iter()
                        .for_each(|end| self.eat_number(end as u64));
                }
                Some(Domain::Titles { among, .. }) => members(among).for_each(|title| {
                    self.eat(rules.groups[usize::from(title)].name.as_bytes());
                }),
                _ => {}
            }
        }
    }

    /// Eight digits; nothing where no state was seen.
    fn short(self) -> Option<String> {
        let hash = self.digest.number();
        (self.count > 0).then(|| format!("{:08x}", (hash ^ hash >> 32) as u32))
    }
}
