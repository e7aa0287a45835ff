//! Events, questions and answers in words, from the rules and the names of the seats: pure functions
//! that every face uses, so that a thing has one wording everywhere.
//!
//! Decides nothing about who may know what: whether a viewer hears of an event is in its audience.

use omerta_core::gather;
use omerta_core::plural::so_many;
use omerta_core::rules::{
    AskId, AskKind, Branch, DrawKind, EventId, Fact, FactId, FactShape, Group, GroupId, Kind, Phrase,
    PhrasePiece, ProcRole, Program, Ruleset, SayId, SayKind, SceneId, ZoneId,
};
use omerta_core::written::{MOST_TEXTS, Unwritable};
use omerta_engine::{
    Asked, Audience, Choice, Deed, Domain, Drawn, Fault, FaultKind, Game, Happened, Illegal, Log, Look,
    Pending, Place, Target, Value, Viewer, What, seats_in,
};

/// What is answered when no answer comes in time.
pub const TIME_UP: &str = "time-up";

/// `90 seconds`, `2 minutes`
pub fn time(seconds: u32) -> String {
    match (seconds, seconds % 60) {
        (1, _) => "1 second".to_owned(),
        (60, _) => "1 minute".to_owned(),
        (120.., 0) => format!("{} minutes", seconds / 60),
        _ => format!("{seconds} seconds"),
    }
}

/// The rules and the names that words are made of.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The names of the seats, in order.
    pub names: &'a [String],
}

/// The seats or cards of a set, lowest first.
pub fn members(set: u64) -> impl Iterator<Item = u8> {
    seats_in(set).map(|member| member as u8)
}

/// `Ann`, `Ann and Bob`, `Ann, Bob and Cid`; the second word joins the last two.
pub fn listed(mut words: Vec<String>, joined_by: &str) -> String {
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} {joined_by} {last}", words.join(", ")),
    }
}

// ---- Names and values
impl Words<'_> {
    /// Who sits there.
    pub fn seat(&self, seat: u8) -> String {
        self.names
            .get(usize::from(seat))
            .cloned()
            .unwrap_or_else(|| format!("{}", usize::from(seat) + 1))
    }

    /// `Ann, Bob and Cid`; `nobody` for none.
    pub fn seats(&self, set: u64) -> String {
        if set == 0 {
            return "nobody".to_string();
        }
        listed(members(set).map(|seat| self.seat(seat)).collect(), "and")
    }

    /// What people see of a role, team, token or face.
    pub fn group(&self, group: GroupId) -> String {
        self.rules
            .groups
            .get(group.index())
            .map_or_else(|| "?".to_string(), |group| group.title.clone())
    }

    /// `the doctor and the mafioso`; `nothing` for none.
    pub fn titles(&self, set: u64) -> String {
        self.groups(members(set).map(|title| GroupId(u16::from(title))))
    }

    /// What people see of a scene, as it stands in a heading.
    pub fn scene(&self, scene: SceneId) -> String {
        let scene = &self.rules.scenes[scene.index()];
        match scene.title == scene.name {
            true => scene.name.replace('-', " "),
            false => with_a_capital(&scene.title),
        }
    }

    /// So many of what has this title: `2 wolves`, `the doctor ×2` where nobody knows its title for several.
    pub fn counted(&self, title: &str, number: usize) -> String {
        if number == 1 {
            return title.to_owned();
        }
        let group = { self.rules.groups.iter() }.find(|group| group.title == title);
        match group.and_then(Group::for_several) {
            Some(several) => format!("{number} {several}"),
            None => format!("{title} ×{number}"),
        }
    }

    /// Several of one sort are counted.
    fn groups(&self, groups: impl Iterator<Item = GroupId>) -> String {
        let mut counted: Vec<(String, usize)> = Vec::new();
        for title in groups.map(|group| self.group(group)) {
            *gather::under(&mut counted, title) += 1;
        }
        let counted = counted.into_iter();
        let words: Vec<String> = counted
            .map(|(title, number)| self.counted(&title, number))
            .collect();
        match words.is_empty() {
            true => "nothing".to_string(),
            false => listed(words, "and"),
        }
    }

    /// `card 2 of the centre`, `card 1 of the hand of Ann`
    pub fn place(&self, place: Place) -> String {
        format!("card {} of {}", place.from_top, self.zone(place.zone, place.seat))
    }

    /// A value as it stands in a sentence.
    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::Nobody => "nobody".to_string(),
            Value::TimeUp => "the time is up".to_string(),
            Value::Players(set) => self.seats(*set),
            Value::Cards(cards) => self.groups(cards.iter().map(|(_, group)| *group)),
            Value::Places(places) => listed(places.iter().map(|place| self.place(*place)).collect(), "and"),
            Value::Titles(set) => self.titles(*set),
            Value::Number(number) => number.to_string(),
            Value::Truth(true) => "yes".to_string(),
            Value::Truth(false) => "no".to_string(),
            Value::Branch { branch, .. } => format!("{}", u16::from(*branch) + 1),
            Value::Word(word) => format!("{}", word + 1),
            Value::Text(text) if text.is_empty() => "nothing".to_string(),
            Value::Text(text) => text.clone(),
        }
    }

    /// Words with their slots filled; the values stand in the order in which the engine gives them. A
    /// title at the beginning of a sentence gets a capital letter; a value by itself is no sentence.
    pub fn phrase(&self, phrase: &Phrase, values: &[Value]) -> String {
        if let ([PhrasePiece::Slot { words, .. }], [value]) = (phrase.pieces.as_slice(), values) {
            return self.slot(value, words);
        }
        let mut text = String::new();
        each_piece(&phrase.pieces, &mut values.iter(), &mut |piece| match piece {
            Piece::Words(words) => text.push_str(words),
            Piece::Value(value, words) => self.add_value(value, words, &mut text),
        });
        text
    }

    /// A value, or, where it is one of some words, that word; "nothing" where it is none of them.
    /// What an expression came to, a word of the rules by what people see.
    pub fn worked_out(&self, program: &Program, look: Look<'_>, word: u64) -> Option<String> {
        let of_words = usize::try_from(word)
            .ok()
            .and_then(|word| program.words.get(word));
        match of_words {
            Some(word) => Some(word.clone()),
            None => Some(self.value(&look.value(program.kind?, word))),
        }
    }

    fn slot(&self, value: &Value, words: &[String]) -> String {
        match value {
            Value::Titles(set) if *set != 0 && !words.is_empty() => {
                let titles = members(*set).filter_map(|title| words.get(usize::from(title)).cloned());
                listed(titles.collect(), "and")
            }
            Value::Word(word) if !words.is_empty() => words
                .get(usize::from(*word))
                .map_or_else(|| "nothing".to_string(), Clone::clone),
            value => self.value(value),
        }
    }

    /// Names of people stay as they wrote them.
    fn add_value(&self, value: &Value, words: &[String], text: &mut String) {
        let words = self.slot(value, words);
        let are_names = match value {
            Value::Players(set) => *set != 0,
            Value::Text(text) => !text.is_empty(),
            _ => false,
        };
        if !are_names && begins_a_sentence(text) {
            text.push_str(&with_a_capital(&words));
        } else {
            text.push_str(&words);
        }
    }
}

/// What comes of words: some that stand in the rules, or a value.
enum Piece<'p, 'v> {
    Words(&'p str),
    Value(&'v Value, &'p [String]),
}

/// Goes through what comes of words, in the wordings that their values choose.
fn each_piece<'p, 'v>(
    pieces: &'p [PhrasePiece],
    values: &mut dyn Iterator<Item = &'v Value>,
    see: &mut dyn FnMut(Piece<'p, 'v>),
) {
    for piece in pieces {
        match piece {
            PhrasePiece::Words(words) => see(Piece::Words(words)),
            PhrasePiece::Slot { words, .. } => {
                values
                    .next()
                    .into_iter()
                    .for_each(|value| see(Piece::Value(value, words)));
            }
            PhrasePiece::Choice { none, one, many, .. } => {
                let chosen = match values.next().map_or(0, how_many) {
                    0 => none,
                    1 => one,
                    _ => many,
                };
                each_piece(chosen, values, see);
            }
        }
    }
}

/// The values that stand in words, without those that only say which wording.
pub(crate) fn values_in<'v>(phrase: &Phrase, values: &'v [Value]) -> Vec<&'v Value> {
    let mut stand = Vec::new();
    each_piece(&phrase.pieces, &mut values.iter(), &mut |piece| match piece {
        Piece::Value(value, _) => stand.push(value),
        Piece::Words(_) => {}
    });
    stand
}

/// A text as a scenario has it.
pub fn quoted(text: &str) -> String {
    let signs = text.chars().flat_map(|sign| {
        let before = match sign {
            '"' | '\\' => Some('\\'),
            '{' | '}' => Some(sign),
            _ => None,
        };
        before.into_iter().chain([sign])
    });
    format!("\"{}\"", signs.collect::<String>())
}

/// Cards that a log does not name: which they are depends on when one looks.
fn number_of_cards(set: u64) -> String {
    match set.count_ones() {
        0 => "nothing".to_owned(),
        more => so_many(more, "card"),
    }
}

/// `2 cards face down`.
pub fn face_down(count: usize) -> String {
    match count {
        1 => "a card face down".to_owned(),
        more => format!("{more} cards face down"),
    }
}

/// Why somebody may not write that.
fn unwritable(why: Unwritable) -> String {
    match why {
        Unwritable::Empty => "nothing is written there".to_owned(),
        Unwritable::TooLong { letters, most } => {
            format!("that is {letters} letters long, and at most {most} may be written")
        }
        Unwritable::Unseen => "a text stands on one line, and each sign of it can be seen".to_owned(),
        Unwritable::TooMany => format!("a game keeps {MOST_TEXTS} texts, and that would be one more"),
    }
}

/// A value of a fact as it is typed.
fn written(fact: &Fact, value: i32) -> String {
    let at = usize::try_from(value).ok();
    match (fact.shape, at.and_then(|at| fact.words.get(at))) {
        (FactShape::Flag, _) => (if value == 0 { "no" } else { "yes" }).to_owned(),
        (_, Some((name, _))) => name.clone(),
        _ => value.to_string(),
    }
}

/// ` (2 of 3)`: which of how many picks a question is for, as many as there can be; nothing of one alone.
pub fn which_pick(asked: &Asked) -> String {
    let (given, of) = asked.pick;
    let left = asked.domain.set().map_or(u32::MAX, u64::count_ones);
    match of {
        0 | 1 => String::new(),
        of => format!(
            " ({} of {})",
            given + 1,
            u32::from(of).min(left.saturating_add(given.into()))
        ),
    }
}

/// What stands behind a question besides what it is among: which of how many picks it is for, and how much time there is.
pub fn terms(asked: &Asked) -> String {
    let within = asked.limit.map(|limit| format!(" ({})", time(limit)));
    which_pick(asked) + &within.unwrap_or_default()
}

/// What it is called that none is chosen.
fn none_of(domain: Domain) -> &'static str {
    match domain {
        Domain::Text { .. } | Domain::Cards { .. } | Domain::Titles { .. } => "nothing",
        _ => "nobody",
    }
}

/// Whether what comes next begins a sentence: nothing stands before it, or the end of another one.
fn begins_a_sentence(text: &str) -> bool {
    let before = text.trim_end();
    let ended = || {
        before
            .trim_end_matches(['"', '\'', ')'])
            .ends_with(['.', '!', '?', '…'])
    };
    before.is_empty() || before.len() < text.len() && ended()
}

/// What has happened, and who is told of it.
pub type Heard<'a> = (&'a Log, Viewer);

/// Whether an event neither begins nor ends a scene: what is asked in one is answered in it.
pub fn is_within_a_scene(event: &Happened) -> bool {
    !matches!(event.what, What::SceneBegan { .. } | What::SceneEnded { .. })
}

/// Whether a title says no more than a name.
pub fn same_words(title: &str, name: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('-', " ");
    plain(title) == plain(name)
}

/// `the doctor` as it begins a sentence.
pub fn with_a_capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// How many a value stands for: the members of a set, or the number itself.
fn how_many(value: &Value) -> u64 {
    match value {
        Value::Nobody | Value::TimeUp => 0,
        Value::Players(set) | Value::Titles(set) => u64::from(set.count_ones()),
        Value::Cards(cards) => cards.len() as u64,
        Value::Places(places) => places.len() as u64,
        Value::Number(number) => u64::try_from(*number).unwrap_or(0),
        Value::Truth(truth) => u64::from(*truth),
        Value::Branch { .. } => 1,
        Value::Word(word) => u64::from(*word),
        Value::Text(text) => u64::from(!text.is_empty()),
    }
}

// ---- Questions and answers
impl Words<'_> {
    /// `Ann is asked: Whom do you treat? (among Bob and Cid; or nobody)`
    pub fn question(&self, game: &Game, asked: &Asked) -> String {
        let put = self.put(game, asked);
        let who = self.asked_who(asked.who, asked.host);
        match (asked.domain, put.is_empty()) {
            (Domain::Go, true) => "The host goes on when the table is ready".to_string(),
            (Domain::Go, false) => put,
            _ => format!("{who}: {put} ({})", self.options(game, asked)),
        }
    }

    /// How a question is put, without to whom and among what: `Whom do you treat?`
    pub fn put(&self, game: &Game, asked: &Asked) -> String {
        let site = self.rules.ask(asked.site);
        match &site.text {
            Some(phrase) => self.phrase(phrase, &game.phrase_values(phrase)),
            None => site.name.clone(),
        }
    }

    /// How a question was put; nothing where the rules give it no words.
    pub fn was_put(&self, site: AskId, values: &[Value]) -> Option<String> {
        let text = self.rules.ask(site).text.as_ref()?;
        Some(self.phrase(text, values))
    }

    /// What may be answered: `among Bob and Cid; or nobody`.
    pub fn options(&self, game: &Game, asked: &Asked) -> String {
        self.of_pick(game, asked.site, asked.domain)
    }

    /// What may be answered to a question; behind the first of several picks nobody is no more of them.
    fn of_pick(&self, game: &Game, site: AskId, domain: Domain) -> String {
        let site = self.rules.ask(site);
        let none = match site.pick.0 > 1 {
            true => "no more",
            false => none_of(domain),
        };
        self.domain_or(game, &site.kind, domain, none)
    }

    /// What an offer may be taken up with, or a branch with.
    pub fn among(&self, game: &Game, domain: Domain) -> String {
        self.domain(game, &AskKind::Wait, domain)
    }

    fn who_answers(&self, who: u64, host: bool) -> String {
        match host {
            true => "The host".to_owned(),
            false => self.seats(who),
        }
    }

    fn asked_who(&self, who: u64, host: bool) -> String {
        match who.count_ones() {
            _ if host => "The host is asked".to_string(),
            0 | 1 => format!("{} is asked", self.seats(who)),
            _ => format!("{} are asked together", self.seats(who)),
        }
    }

    /// `roll: 1 to 6`, `deal: a card for Ann, among …`
    pub fn chance(&self, game: &Game, drawn: &Drawn) -> String {
        let draw = &self.rules.draws[drawn.site.index()];
        let to = self.one("for", drawn.seat);
        format!("{}{to}: {}", draw.name, self.outcomes(game, drawn))
    }

    /// What chance decides among.
    fn outcomes(&self, game: &Game, drawn: &Drawn) -> String {
        match &self.rules.draws[drawn.site.index()].kind {
            DrawKind::Weighted(words) => {
                let possible = words.iter().filter(|(_, weight)| *weight > 0);
                let words = possible.map(|(word, weight)| format!("{weight} {word}"));
                listed(words.collect(), "or")
            }
            _ => self.domain(game, &AskKind::Wait, drawn.domain),
        }
    }

    /// `among Bob and Cid; or nobody`, `yes or no`, `1 to 6`
    fn domain(&self, game: &Game, kind: &AskKind, domain: Domain) -> String {
        self.domain_or(game, kind, domain, none_of(domain))
    }

    /// The same where that is what it is called to choose none.
    fn domain_or(&self, game: &Game, kind: &AskKind, domain: Domain, none: &str) -> String {
        let among = match domain {
            Domain::Seats { among, .. } => format!("among {}", self.seats(among)),
            Domain::Cards {
                among, unseen: true, ..
            } => format!("among {}", self.places(game, among)),
            Domain::Cards { among, .. } => format!("among {}", self.cards(game, among)),
            Domain::Titles { among, .. } => format!("among {}", self.titles(among)),
            Domain::Numbers { low, high, .. } => format!("{low} to {high}"),
            Domain::Text { most, .. } => format!("a text of up to {most} letters"),
            Domain::YesNo => "yes or no".to_string(),
            Domain::Go => "to go on".to_string(),
            Domain::Menu => self.menu(game, kind),
            Domain::Words { count } => format!("one of {count}"),
        };
        match domain.pass() {
            Some(true) => format!("{among}; or {none}"),
            _ => among,
        }
    }

    /// Cards by where they lie.
    fn places(&self, game: &Game, set: u64) -> String {
        self.value(&Value::Places(game.look().places(set)))
    }

    /// What a link leads to.
    pub fn linked(&self, game: &Game, to: Kind, word: u64, viewer: Viewer) -> String {
        match to {
            Kind::Cards if viewer != Viewer::Host => number_of_cards(word),
            Kind::Titles => self.titles(word),
            Kind::Cards => self.cards(game, word),
            _ => self.seats(word),
        }
    }

    fn cards(&self, game: &Game, set: u64) -> String {
        let things = game.look();
        let shown = members(set).filter_map(|card| things.things().get(usize::from(card)));
        self.groups(shown.map(|thing| thing.shown()))
    }

    /// `shoot among Bob and Cid, or pass`
    fn menu(&self, game: &Game, kind: &AskKind) -> String {
        let open = game.branches().filter_map(|open| {
            let branch = kind.branches().get(usize::from(open.branch))?;
            let among = open
                .among
                .map(|domain| format!(" {}", self.domain(game, kind, domain)));
            Some(format!("{}{}", branch.name, among.unwrap_or_default()))
        });
        listed(open.collect(), "or")
    }

    /// An answer in the words in which a scenario gives it.
    pub fn choice(&self, game: &Game, site: Option<AskId>, choice: Choice) -> String {
        match choice {
            Choice::Pass => "pass".to_string(),
            Choice::Seat(seat) => self.seat(seat),
            Choice::Card(card) if site.is_some_and(|site| self.rules.ask(site).unseen) => {
                self.places(game, 1 << card)
            }
            Choice::Card(card) => self.cards(game, 1 << card),
            Choice::Title(title) => self.group(GroupId(title)),
            Choice::Number(number) => number.to_string(),
            Choice::Text(number) => quoted(game.look().written(number).unwrap_or("…")),
            Choice::Yes => "yes".to_string(),
            Choice::No => "no".to_string(),
            Choice::Go => "go on".to_string(),
            Choice::TimeUp => TIME_UP.to_string(),
            Choice::Word(word) => format!("outcome {}", word + 1),
            Choice::Branch { branch, target } => self.branch(game, site, branch, target),
            Choice::ByHand(deed) => {
                let text = choice
                    .text()
                    .map(|number| game.look().written(number).unwrap_or("…"));
                format!("by hand {}", self.deed(deed, text))
            }
            Choice::Offer { offer, by, target } => {
                let who = by.map_or_else(|| "host".to_string(), |seat| self.seat(seat));
                let offer = &self.rules.offers[offer.index()].name;
                format!("{who} does {offer}{}", self.target(game, target))
            }
        }
    }

    /// A card as a line of a scenario names it of which only the back is seen: `hand Ann 1`.
    pub fn lying(&self, game: &Game, card: u8) -> String {
        let Some(place) = game.look().place(card.into()) else {
            return "pass".to_owned();
        };
        let zone = &self.rules.zones[place.zone.index()].name;
        let whose = place
            .seat
            .map_or(String::new(), |seat| format!(" {}", self.seat(seat)));
        format!("{zone}{whose} {}", place.from_top)
    }

    /// An answer by the name that the rules have for it.
    pub fn thing(&self, game: &Game, choice: Choice) -> String {
        match choice {
            Choice::Card(card) => {
                let thing = game.look().things().get(usize::from(card));
                thing.map_or_else(String::new, |thing| self.name(thing.shown()).to_owned())
            }
            Choice::Title(title) => self.name(GroupId(title)).to_owned(),
            other => self.choice(game, None, other),
        }
    }

    /// The name that the rules have for a role, team, token or face.
    fn name(&self, group: GroupId) -> &str {
        { self.rules.groups.get(group.index()) }.map_or("?", |group| &group.name)
    }

    /// What somebody does by hand, in the words in which he does it.
    pub fn deed(&self, deed: Deed, text: Option<&str>) -> String {
        let fact = |fact: FactId| { self.rules.facts.get(fact.index()) }.map_or("?", |fact| &fact.name);
        match deed {
            Deed::Turn { seat, role } => format!("turn {} into {}", self.seat(seat), self.name(role)),
            Deed::Mark { fact: id, seat } => format!("mark {} as {}", self.seat(seat), fact(id)),
            Deed::Unmark { fact: id, seat } => format!("unmark {} as {}", self.seat(seat), fact(id)),
            Deed::Link {
                fact: id,
                from,
                to: Some(to),
            } => format!("link {} to {} as {}", self.seat(from), self.seat(to), fact(id)),
            Deed::Link { fact: id, from, .. } => format!("unlink {} as {}", self.seat(from), fact(id)),
            Deed::Count {
                fact: id,
                seat,
                value,
            } => {
                let fact_of = self.rules.facts.get(id.index());
                let value = fact_of.map_or_else(|| value.to_string(), |fact| written(fact, value));
                format!("set {}{} to {value}", fact(id), self.one("of", seat))
            }
            Deed::Write { fact: id, seat, .. } => {
                let text = quoted(text.unwrap_or_default());
                format!("set {}{} to {text}", fact(id), self.one("of", seat))
            }
            Deed::Happen { event, of, by } => {
                let name = { self.rules.events.get(event.index()) }.map_or("?", |event| &event.name);
                format!("do {name}{}{}", self.one("of", of), self.one("by", by))
            }
        }
    }

    fn branch(&self, game: &Game, site: Option<AskId>, branch: u8, target: Target) -> String {
        let known = site.and_then(|site| self.rules.ask(site).kind.branches().get(usize::from(branch)));
        let name = known.map_or_else(|| format!("branch {}", branch + 1), |known| known.name.clone());
        let target = match target {
            Target::Card(card) if known.is_some_and(|known| known.unseen) => {
                format!(" {}", self.places(game, 1 << card))
            }
            target => self.target(game, target),
        };
        format!("{name}{target}")
    }

    fn target(&self, game: &Game, target: Target) -> String {
        match target {
            Target::Nothing => String::new(),
            Target::Seat(seat) => format!(" {}", self.seat(seat)),
            Target::Card(card) => format!(" {}", self.cards(game, 1 << card)),
            Target::Title(title) => format!(" {}", self.group(GroupId(title))),
            Target::Number(number) => format!(" {number}"),
            Target::Text(number) => format!(" {}", quoted(game.look().written(number).unwrap_or("…"))),
        }
    }

    /// Why an answer was refused.
    pub fn refusal(&self, game: &Game, illegal: &Illegal) -> String {
        let (why, wanted) = match *illegal {
            Illegal::Over => return "the game is over".to_string(),
            Illegal::NoDeed => return "that cannot be done by hand, or not now".to_string(),
            Illegal::Full => {
                return "so much has happened in this game that nothing more of it can be kept".to_string();
            }
            Illegal::NoOffer { offer } => {
                let name = &self.rules.offers[offer.index()].name;
                return format!("`{name}` is not open to them now");
            }
            Illegal::Unwritable(why) => return unwritable(why),
            Illegal::WrongKind { wanted } => ("another kind of answer is wanted", wanted),
            Illegal::NotAmong { wanted } => ("not among what may be answered", wanted),
            Illegal::Closed { .. } => ("that is not open", Domain::Menu),
        };
        let among = match game.pending() {
            Pending::Ask(asked) => self.of_pick(game, asked.site, wanted),
            Pending::Chance(drawn) => self.outcomes(game, &drawn),
            _ => self.domain(game, &AskKind::Wait, wanted),
        };
        format!("{why}: {among}")
    }

    /// What went wrong in the rules.
    pub fn fault(&self, fault: &Fault) -> String {
        match &fault.kind {
            FaultKind::Endless => "the rules go on and on without a pause".to_string(),
            FaultKind::TooDeep(ring) => {
                let what = "scenes or events start one another without end".to_string();
                let mut names: Vec<String> = ring.iter().map(|role| self.proc(*role)).collect();
                match names.first().cloned() {
                    Some(first) => {
                        names.push(first);
                        format!("{what}: {} again", names.join(" leads to "))
                    }
                    None => what,
                }
            }
            FaultKind::DividedByNothing => "a number is divided by 0".to_string(),
            FaultKind::TooLarge => "a number is larger than can be counted".to_string(),
            FaultKind::TooManyPlans => "more plans were made than can be kept".to_string(),
            FaultKind::Hook { message, .. } => format!("a script failed: {message}"),
        }
    }
}

impl Words<'_> {
    /// Code by what it is the code of.
    fn proc(&self, role: ProcRole) -> String {
        let rules = self.rules;
        let name = match role {
            ProcRole::Script => return "the script".to_string(),
            ProcRole::Judgement => return "the endings".to_string(),
            ProcRole::Scene(id) => &rules.scenes[id.index()].name,
            ProcRole::Part(id) => return format!("the part of `{}`", rules.groups[id.index()].name),
            ProcRole::Event(id) => &rules.events[id.index()].name,
            ProcRole::Rule(id) => &rules.rules[id.index()].0,
            ProcRole::Offer(id) => &rules.offers[id.index()].name,
        };
        format!("`{name}`")
    }
}

/// So many events, at the most, are the questions and answers of one ballot: those of 64 seats, some of them asked anew.
const LONGEST_BALLOT: usize = 512;

// ---- Events
impl Words<'_> {
    /// What a viewer learns of an event; nothing when he is not in its audience.
    pub fn event(&self, happened: &Happened, viewer: Viewer) -> Option<String> {
        let is_known = matches!(&happened.what, What::Backs { shown, .. } if viewer != Viewer::Public && shown.includes(viewer));
        let hears = happened.audience.includes(viewer) && !is_known && !self.is_silent(&happened.what);
        hears.then(|| match &happened.what {
            What::Said { site, values } => self.spoken(*site, values, happened.audience, viewer),
            // Whence cards come is told to whoever saw them lie there; to the host alone it would be no news.
            What::Moved { left: Some(left), .. }
            | What::Backs {
                left: Some(left),
                came: Some(_),
                ..
            } if left.seen_by != Audience::Host && left.seen_by.includes(viewer) => {
                let from = self.zone(left.zone, left.seat);
                format!("{}, from {from}", self.what(&happened.what))
            }
            what => self.what(what),
        })
    }

    /// The same for somebody at a table, who is to see no names of the rules: a question as it was put, an answer by its
    /// title. Scenarios look for the names.
    pub fn told(&self, happened: &Happened, viewer: Viewer) -> Option<String> {
        let text = self.event(happened, viewer)?;
        Some(match &happened.what {
            What::Asked {
                site,
                who,
                host,
                values,
            } if !self.is_wait(*site) => match self.was_put(*site, values) {
                Some(put) => format!("{}: {put}", self.asked_who(*who, *host)),
                None => text,
            },
            What::Answered {
                site,
                who,
                host,
                answer,
            } if !self.is_wait(*site) => {
                format!(
                    "{}: {}",
                    self.who_answers(*who, *host),
                    self.answer_told(*site, answer)
                )
            }
            _ => text,
        })
    }

    /// Whether nobody learns anything of it: a place in the rules that is passed, words that come out empty.
    pub fn is_silent(&self, what: &What) -> bool {
        match what {
            What::SceneNears { .. } | What::ScenePassed { .. } => true,
            What::Said { site, values } => self.said(*site, values).trim().is_empty(),
            _ => false,
        }
    }

    /// The words said, told or shown, without to whom.
    pub fn said(&self, site: SayId, values: &[Value]) -> String {
        self.phrase(&self.rules.says[site.index()].phrase, values)
    }

    /// How many of these events are questions and answers that the ballot right behind them tells of once more.
    pub fn told_by_ballot(&self, log: Heard<'_>, events: &[(usize, &Happened)], unread: usize) -> usize {
        let question = |(_, event): &(usize, &Happened)| match &event.what {
            What::Asked {
                site, host: false, ..
            }
            | What::Answered {
                site, host: false, ..
            } => Some(&self.rules.asks[site.index()].name),
            What::Linked { fact, .. } => Some(&self.rules.facts[fact.index()].name),
            _ => None,
        };
        let Some(name) = events.first().and_then(question) else {
            return 0;
        };
        let of_it = events.iter().take_while(|event| question(event) == Some(name));
        let count = of_it.take(LONGEST_BALLOT).count();
        let behind = &events[count..];
        let is_of_it = behind.first().is_some_and(|(_, event)| match &event.what {
            What::Said { site, .. } => self.rules.says[site.index()].question.as_ref() == Some(name),
            _ => false,
        });
        match is_of_it && self.ballot(log, behind, unread).is_some() {
            true => count,
            false => 0,
        }
    }

    /// The question of a name that an event puts, with what is filled into its words.
    fn put_by<'e>(&self, event: &'e Happened, name: Option<&str>) -> Option<(AskId, &'e [Value])> {
        match &event.what {
            What::Asked { site, values, .. } if name == Some(&*self.rules.ask(*site).name) => {
                Some((*site, values))
            }
            _ => None,
        }
    }

    /// Answers that were told of one by one, from the first of some events on: how many there are, and all of them
    /// in one line, as `Whom do you vote for? Bob by Ann and Cid; nobody by Dee`. One by itself is none, unless what was
    /// asked has not been read, as of a question from the event `unread` on. Whoever was not asked has not heard of what
    /// the question was.
    pub fn ballot(
        &self,
        (log, viewer): Heard<'_>,
        events: &[(usize, &Happened)],
        unread: usize,
    ) -> Option<(usize, String)> {
        let of = |event: &Happened| match &event.what {
            What::Said { site, values } => {
                let name = self.rules.says[site.index()].question.clone()?;
                let [who @ Value::Players(_), ..] = values.as_slice() else {
                    return None;
                };
                Some((
                    *site,
                    event.audience,
                    name.replace('-', " "),
                    self.value(who),
                    self.said(*site, values),
                ))
            }
            _ => None,
        };
        let (number, first) = *events.first()?;
        let (site, audience, name, ..) = of(first)?;
        let question = self.rules.says[site.index()].question.as_deref();
        let was_told = |event: &Happened| match &event.what {
            What::Said { site, .. } => self.rules.says[site.index()].question.as_deref() == question,
            _ => false,
        };
        // What was asked for it stands behind the ballot before.
        let before = log.events[..number].iter().rev();
        let begun = number
            - before
                .take_while(|event| is_within_a_scene(event) && !was_told(event))
                .count();
        let mut about =
            { log.events[begun..number].iter().rev() }.find_map(|event| self.put_by(event, question));
        let mut by_answer: Vec<(String, Vec<String>)> = Vec::new();
        let (mut count, mut from) = (0, number);
        for (at, event) in events {
            let Some((.., who, said)) = of(event).filter(|told| (told.0, told.1) == (site, audience)) else {
                break;
            };
            // Whoever is asked something else begins the next ballot.
            let mut anew = { log.events[from..*at].iter() }.filter_map(|event| self.put_by(event, question));
            if anew.any(|words| *about.get_or_insert(words) != words) {
                break;
            }
            from = *at;
            // Who answers once more is asked anew: that is the next ballot.
            if by_answer.iter().any(|(_, by)| by.contains(&who)) {
                break;
            }
            count += 1;
            let answer = said.strip_prefix(&format!("{who}, {name}: "))?.to_owned();
            gather::under(&mut by_answer, answer).push(who);
        }
        let told = by_answer.into_iter();
        let told: Vec<String> = told
            .map(|(answer, by)| format!("{answer} by {}", listed(by, "and")))
            .collect();
        let put = |at: usize| {
            let event = &log.events[at];
            let (site, values) = self.put_by(event, question)?;
            // Words in which nothing is filled in stand in the rules, for everybody to read.
            let heard = values.is_empty() || event.audience.includes(viewer);
            Some((at, self.was_put(site, values).filter(|_| heard)?))
        };
        let put = { (begun..number).rev() }.chain(number..=from).find_map(put);
        let (at, head) = put.unwrap_or((0, format!("{name}:")));
        (count > 1 || at > unread).then(|| (count, format!("{head} {}", told.join("; "))))
    }

    /// Words, told or shown, without to whom; what was shown is said to be.
    pub fn spoken_plainly(&self, site: SayId, values: &[Value]) -> String {
        let words = self.said(site, values);
        match self.rules.says[site.index()].kind {
            SayKind::Say | SayKind::Tell => words,
            SayKind::Show => format!("Shown: {words}"),
        }
    }

    fn spoken(&self, site: SayId, values: &[Value], audience: Audience, viewer: Viewer) -> String {
        let words = self.said(site, values);
        let to = match (audience, viewer) {
            (Audience::Seats(seats), Viewer::Host) => self.seats(seats),
            (_, Viewer::Seat(_)) => "you".to_string(),
            _ => "all".to_string(),
        };
        match self.rules.says[site.index()].kind {
            SayKind::Say => words,
            SayKind::Tell => format!("To {to}: {words}"),
            SayKind::Show => format!("Shown to {to}: {words}"),
        }
    }

    fn what(&self, what: &What) -> String {
        match what {
            What::SceneNears { .. } | What::ScenePassed { .. } => String::new(),
            What::SceneBegan { scene, nth } => {
                format!("{} {nth} begins", self.scene(*scene))
            }
            What::SceneEnded { scene } => format!("{} is over", self.scene(*scene)),
            What::Performed { title, who } => format!("{}: {}", self.group(*title), self.seats(*who)),
            What::RuleApplied { rule } => format!("Rule `{}` applies", self.rules.rules[rule.index()].0),
            What::Planned { event, of, by } => format!("Planned: {}", self.occurrence(*event, *of, *by)),
            What::Cancelled { event, of, by } => format!("Called off: {}", self.occurrence(*event, *of, *by)),
            What::Occurred { event, of, by } => self.occurrence(*event, *of, *by),
            What::ByHand { deed, text } => format!("By hand: {}", self.deed(*deed, text.as_deref())),
            What::Asked { .. } | What::Answered { .. } | What::OfferTaken { .. } | What::Drew { .. } => {
                self.answer(what)
            }
            What::Moved { .. }
            | What::Backs { .. }
            | What::Looked { .. }
            | What::Flipped { .. }
            | What::Turned { .. } => self.card_event(what),
            What::Said { site, values } => self.said(*site, values),
            What::Ended {
                ending,
                winners,
                losers,
            } => {
                let ending = ending.and_then(|id| self.rules.ending(id).title.clone());
                self.over(ending, *winners, *losers)
            }
            _ => self.fact_event(what),
        }
    }

    /// Whether a question is none, but a wait.
    pub fn is_wait(&self, site: AskId) -> bool {
        matches!(self.rules.ask(site).kind, AskKind::Wait)
    }

    fn occurrence(&self, event: EventId, of: u64, by: u64) -> String {
        let name = &self.rules.events[event.index()].name;
        format!("{name}{}{}", self.with("of", of), self.with("by", by))
    }

    /// A zone, with whose it is.
    pub fn zone(&self, zone: ZoneId, seat: Option<u8>) -> String {
        let title = { self.rules.zones.get(zone.index()) }.map_or("?", |zone| zone.title.as_str());
        format!("{title}{}", self.one("of", seat))
    }

    /// ` of Ann`; nothing for nobody.
    fn one(&self, word: &str, seat: Option<u8>) -> String {
        seat.map_or_else(String::new, |seat| format!(" {word} {}", self.seat(seat)))
    }

    /// ` of Ann and Bob`; nothing for nobody.
    fn with(&self, word: &str, seats: u64) -> String {
        match seats {
            0 => String::new(),
            seats => format!(" {word} {}", self.seats(seats)),
        }
    }

    fn answer(&self, what: &What) -> String {
        match what {
            What::Asked { site, .. } if self.is_wait(*site) => match &*self.rules.ask(*site).name {
                "wait" => "The host waits".to_owned(),
                name => format!("The host waits for {name}"),
            },
            What::Answered { site, .. } if self.is_wait(*site) => "The host goes on".to_owned(),
            What::Asked { site, who, host, .. } => {
                let who = self.asked_who(*who, *host);
                format!("{who} for {}", self.rules.ask(*site).name)
            }
            What::Answered {
                site,
                who,
                host,
                answer,
            } => {
                format!(
                    "{}: {}",
                    self.who_answers(*who, *host),
                    self.answer_value(*site, answer)
                )
            }
            What::OfferTaken { offer, by, target } => {
                let who = by.map_or_else(|| "The host".to_string(), |seat| self.seat(seat));
                let name = &self.rules.offers[offer.index()].name;
                format!("{who} does {name}{}", self.behind(target.as_ref()))
            }
            What::Drew { site, outcome } => {
                let draw = &self.rules.draws[site.index()];
                format!("Chance, {}: {}", draw.name, self.drawn_value(&draw.kind, outcome))
            }
            _ => String::new(),
        }
    }

    /// An answer by itself, as it is typed.
    pub fn answer_value(&self, site: AskId, answer: &Value) -> String {
        let question = self.rules.ask(site);
        let Value::Branch { target, .. } = answer else {
            return match (answer, &question.kind) {
                (Value::Nobody, _) if question.pick.0 > 1 => "no more".to_owned(),
                (Value::Nobody, AskKind::Cards | AskKind::Titles | AskKind::Text) => "nothing".to_owned(),
                _ => self.value(answer),
            };
        };
        let name = self.branch_of(site, answer).map_or("", |branch| &branch.name);
        format!("{name}{}", self.behind(target.as_deref()))
    }

    /// The same as it is told to people: a branch by its title, where that says more than its name.
    pub fn answer_told(&self, site: AskId, answer: &Value) -> String {
        let branch = self.branch_of(site, answer);
        let title = branch.and_then(|branch| Some((branch.title.as_ref()?, &branch.name)));
        let title = title.filter(|(title, name)| !same_words(title, name));
        match (title, answer) {
            (Some((title, _)), Value::Branch { target: None, .. }) => title.clone(),
            (Some((title, _)), Value::Branch { target, .. }) => {
                format!("{title}:{}", self.behind(target.as_deref()))
            }
            _ => self.answer_value(site, answer),
        }
    }

    /// The branch of a menu that an answer takes.
    fn branch_of(&self, site: AskId, answer: &Value) -> Option<&Branch> {
        match answer {
            Value::Branch { branch, .. } => self.rules.ask(site).kind.branches().get(usize::from(*branch)),
            _ => None,
        }
    }

    /// What is picked or written behind the name of a branch or an offer.
    fn behind(&self, target: Option<&Value>) -> String {
        match target {
            None => String::new(),
            Some(Value::Text(text)) => format!(" {}", quoted(text)),
            Some(value) => format!(" {}", self.value(value)),
        }
    }

    fn drawn_value(&self, kind: &DrawKind, outcome: &Value) -> String {
        match (kind, outcome) {
            (DrawKind::Weighted(words), Value::Word(word)) => words
                .get(usize::from(*word))
                .map_or_else(String::new, |(word, _)| word.clone()),
            _ => self.value(outcome),
        }
    }

    fn card_event(&self, what: &What) -> String {
        let groups = |cards: &[(u8, GroupId)]| self.groups(cards.iter().map(|(_, group)| *group));
        match what {
            What::Moved {
                cards, zone, seat, ..
            } => {
                format!("{} to {}", groups(cards), self.zone(*zone, *seat))
            }
            What::Backs {
                count, left, came, ..
            } => {
                let cards = face_down((*count).into());
                match (came, left) {
                    (Some((zone, seat)), _) => format!("{cards} to {}", self.zone(*zone, *seat)),
                    (None, Some(left)) => format!("{cards} away from {}", self.zone(left.zone, left.seat)),
                    (None, None) => cards,
                }
            }
            What::Looked { cards } => format!("To be seen: {}", groups(cards)),
            What::Flipped { face, .. } => format!("A token is turned to {}", self.group(*face)),
            What::Turned { seat, role } => format!("{} becomes {}", self.seat(*seat), self.group(*role)),
            _ => String::new(),
        }
    }

    fn fact_event(&self, what: &What) -> String {
        let name = |fact: &omerta_core::rules::FactId| self.rules.facts[fact.index()].shown();
        match what {
            What::Marked { fact, seats } => format!("{}: {}", name(fact), self.seats(*seats)),
            What::Unmarked { fact, seats } => format!("No longer {}: {}", name(fact), self.seats(*seats)),
            What::Linked { fact, from, to } | What::Unlinked { fact, from, to } => {
                let to = match self.rules.facts[fact.index()].shape.links_to() {
                    Some(Kind::Titles) => self.titles(*to),
                    Some(Kind::Cards) => number_of_cards(*to),
                    _ => self.seats(*to),
                };
                let no_longer = match what {
                    What::Unlinked { .. } => "no longer ",
                    _ => "",
                };
                format!("{} of {}: {no_longer}{to}", name(fact), self.seats(*from))
            }
            What::Counted { fact, seats, value } => {
                let value = self.rules.facts[fact.index()].number(*value);
                format!("{}{}: {value}", name(fact), self.with("of", *seats))
            }
            What::Kept { fact, seats, text } => {
                let value = self.value(&Value::Text(text.clone()));
                format!("{}{}: {value}", name(fact), self.with("of", *seats))
            }
            What::Cleared { fact } if self.rules.facts[fact.index()].text => {
                format!("{}: nothing any more", name(fact))
            }
            What::Cleared { fact } => {
                let cleared = &self.rules.facts[fact.index()];
                match cleared.shape {
                    FactShape::Flag | FactShape::Count | FactShape::CountOfEach => {
                        format!("{}: {}", name(fact), cleared.number(cleared.start))
                    }
                    _ => format!("{}: nobody any more", name(fact)),
                }
            }
            What::Reseated { moved, .. } if moved.count_ones() == 2 => {
                format!("{} swap seats", self.seats(*moved))
            }
            What::Reseated { seats, .. } => {
                let names: Vec<String> = seats.iter().map(|seat| self.seat(*seat)).collect();
                format!("Now they sit like this: {}", names.join(", "))
            }
            _ => String::new(),
        }
    }

    /// `The game is over: nobody is left. Ann and Cid win.`
    pub fn over(&self, ending: Option<String>, winners: u64, losers: u64) -> String {
        let verb = if winners.count_ones() > 1 { "win" } else { "wins" };
        let won = match winners {
            0 => "Nobody wins.".to_string(),
            winners => format!("{} {verb}.", self.seats(winners)),
        };
        let lost = match losers {
            0 => String::new(),
            losers => format!(" Lost: {}.", self.seats(losers)),
        };
        let ending = ending.map_or_else(String::new, |words| format!(": {}", words.trim_end_matches('.')));
        format!("The game is over{ending}. {won}{lost}")
    }

    /// What a fact that is no set holds: a number, a word, what somebody wrote.
    pub fn held(&self, game: &Game, fact: &Fact, word: u64) -> String {
        match fact.text {
            true => format!("\"{}\"", game.look().text(word)),
            false => fact.number(word as i64),
        }
    }
}
