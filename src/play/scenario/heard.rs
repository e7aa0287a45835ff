//! What was said, told, shown and asked: the log through the eyes of an expectation.

use super::{
    drive::Driver,
    notes::{Draw, Edges, Prompt, Window, fits},
};
use omerta_core::{
    rules::{FactId, SayKind, ZoneId},
    source::Span,
};
use omerta_engine::{Audience, Happened, Viewer, What};
use omerta_syntax::play_tree::{Way, Wording};
use std::ops::Range;

/// Something that comes to people.
#[derive(Clone, Copy)]
enum Heard<'a> {
    Question(&'a Prompt),
    /// In the words of somebody who heard.
    Event(&'a Happened, Viewer),
}

impl Driver<'_> {
    /// Where the section's scene ended, if it did.
    pub(super) fn ended_at(&self, window: Window) -> Option<usize> {
        let (scene, _) = window.scene?;
        let mut edges = Edges::of(scene, self.rules());
        let events = self.session.log().events.iter().enumerate();
        events
            .skip(window.start + 1)
            .find(|(_, happened)| edges.closes(&happened.what))
            .map(|(at, _)| at)
    }

    /// The places of the log that an expectation looks at; all up to there for `never`.
    pub(super) fn range(&self, whole: bool) -> Range<usize> {
        let start = if whole { 0 } else { self.view.start };
        start..self.view.end.unwrap_or(self.session.log().events.len())
    }

    pub(super) fn events(&self, whole: bool) -> &[Happened] {
        &self.session.log().events[self.range(whole)]
    }

    /// The questions put in that part of the game, the open one included.
    pub(super) fn prompts_in(&self, whole: bool) -> impl Iterator<Item = &Prompt> {
        let pauses = self.pauses_in(whole);
        self.prompts
            .iter()
            .filter(move |prompt| pauses.contains(&prompt.at))
    }

    /// The draws made in that part of the game.
    pub(super) fn draws_in(&self, whole: bool) -> impl Iterator<Item = &Draw> {
        let pauses = self.pauses_in(whole);
        self.draws.iter().filter(move |draw| pauses.contains(&draw.at))
    }

    /// How long the log is at the pauses of that part of the game.
    fn pauses_in(&self, whole: bool) -> Range<usize> {
        self.range(whole).start..self.view.end.unwrap_or(usize::MAX)
    }

    /// The words of an event with their name, when it went out in that way.
    pub(super) fn spoken(&self, happened: &Happened, way: SayKind) -> Option<(String, Option<&str>)> {
        let What::Said { site, values } = &happened.what else {
            return None;
        };
        if self.words().is_silent(&happened.what) {
            return None;
        }
        let rules = self.rules();
        let say = &rules.says[site.index()];
        let word = say.word.map(|word| rules.words[word.index()].as_str());
        (say.kind == way).then(|| (self.words().said(*site, values), word))
    }

    /// Who learnt of words of these kinds, one after the other, in that part of the game; and the last event
    /// that taught somebody.
    pub(super) fn learnt(&self, way: Way, wordings: &[Wording], whole: bool) -> (u64, Option<usize>) {
        let seats = self.game().look().players();
        // Who has learnt the first of them, the first two, and so on.
        let mut learnt = vec![0; wordings.len()];
        let mut taught = None;
        // The last first: what is learnt once counts for one of them.
        let mut hear = |at: usize, to: u64, is_it: &dyn Fn(&Wording) -> bool| {
            for (number, wording) in wordings.iter().enumerate().rev() {
                let ready = number.checked_sub(1).map_or(seats, |before| learnt[before]);
                if ready & to & !learnt[number] != 0 && is_it(wording) {
                    learnt[number] |= ready & to;
                    taught = Some(at);
                }
            }
        };
        self.each_heard(way, whole, &mut |at, to, heard| {
            hear(at, to, &|wording| self.fits_heard(heard, way, wording));
        });
        (learnt.last().copied().unwrap_or(0), taught)
    }

    /// Everything of that kind that came to a seat, one after the other: which of the wordings each of them fits.
    pub(super) fn heard_by(&self, seat: u8, way: Way, wordings: &[Wording]) -> Vec<Vec<bool>> {
        let is_one = |heard: Heard<'_>| match (heard, way) {
            (Heard::Question(_), _) => true,
            (Heard::Event(happened, _), Way::Told) => self.spoken(happened, SayKind::Tell).is_some(),
            (Heard::Event(happened, _), Way::Shown) => self.spoken(happened, SayKind::Show).is_some(),
            (Heard::Event(happened, eyes), Way::Sees) => self.words().event(happened, eyes).is_some(),
        };
        let mut all = Vec::new();
        self.each_heard(way, false, &mut |_, to, heard| {
            if to.checked_shr(u32::from(seat)).unwrap_or(0) & 1 == 1 && is_one(heard) {
                let fits = wordings
                    .iter()
                    .map(|wording| self.fits_heard(heard, way, wording));
                all.push(fits.collect());
            }
        });
        all
    }

    /// What there was to hear in that part of the game, questions where they are seen: the event, to whom, what.
    fn each_heard(&self, way: Way, whole: bool, hear: &mut dyn FnMut(usize, u64, Heard<'_>)) {
        let seats = self.game().look().players();
        let ask = |prompt: &Prompt, hear: &mut dyn FnMut(usize, u64, Heard<'_>)| {
            hear(
                prompt.at.saturating_sub(1),
                prompt.asked.who,
                Heard::Question(prompt),
            );
        };
        let mut questions = self.prompts_in(whole).filter(|_| way == Way::Sees).peekable();
        for at in self.range(whole) {
            while let Some(prompt) = questions.next_if(|prompt| prompt.at <= at) {
                ask(prompt, hear);
            }
            let happened = &self.session.log().events[at];
            let to = audience(happened.audience, seats);
            // Whoever did not see where cards lay is told other words than the host.
            let whence = match happened.what {
                What::Moved { left: Some(left), .. }
                | What::Backs {
                    left: Some(left),
                    came: Some(_),
                    ..
                } => audience(left.seen_by, seats),
                _ => to,
            };
            // Of backs whoever is shown which cards they are is told nothing, nor is the host.
            let (to, eyes) = match happened.what {
                What::Backs { shown, .. } => {
                    let to = to & !audience(shown, seats);
                    (to, one_of(to & whence))
                }
                _ => (to, Viewer::Host),
            };
            hear(at, to & whence, Heard::Event(happened, eyes));
            let others = to & !whence;
            if others != 0 {
                hear(at, others, Heard::Event(happened, one_of(others)));
            }
        }
        questions.for_each(|prompt| ask(prompt, hear));
    }

    fn fits_heard(&self, heard: Heard<'_>, way: Way, wording: &Wording) -> bool {
        match heard {
            Heard::Question(prompt) => fits(wording, &prompt.text, None, self.names()),
            Heard::Event(happened, eyes) => self.fits_event((happened, eyes), way, wording),
        }
    }

    fn fits_event(&self, (happened, eyes): (&Happened, Viewer), way: Way, wording: &Wording) -> bool {
        let kind = match way {
            Way::Told => SayKind::Tell,
            Way::Shown => SayKind::Show,
            Way::Sees => return self.fits_view(happened, eyes, wording),
        };
        self.spoken(happened, kind)
            .is_some_and(|(words, word)| fits(wording, &words, word, self.names()))
    }

    fn fits_view(&self, happened: &Happened, eyes: Viewer, wording: &Wording) -> bool {
        let said = [SayKind::Say, SayKind::Tell, SayKind::Show]
            .iter()
            .find_map(|kind| self.spoken(happened, *kind));
        match said {
            Some((words, word)) => fits(wording, &words, word, self.names()),
            None => self
                .words()
                .event(happened, eyes)
                .is_some_and(|line| fits(wording, &line, None, self.names())),
        }
    }
}

/// What a condition names: seats, what is remembered, where cards lie.
#[derive(Default)]
pub(super) struct Meant {
    pub(super) seats: u64,
    pub(super) facts: Vec<FactId>,
    pub(super) zones: Vec<ZoneId>,
}

impl Driver<'_> {
    /// What happened last to what is remembered under some names, or to the cards of some zones, in words, with the rule
    /// that made it; where that is nothing, the rule that came in place of an event, or the plan for them that was called off. Where
    /// people alone are named it is the last thing that happened to them.
    pub(super) fn made_by(&self, meant: &Meant) -> Option<(Span, String)> {
        let log = self.session.log();
        let range = self.range(false);
        let happenings = || range.clone().rev().filter(|at| is_deed(&log.events[*at].what));
        let who = meant.seats;
        let is_of_it = |what: &What| {
            let of_fact = fact_of(what).is_some_and(|fact| meant.facts.contains(&fact));
            of_fact && (who == 0 || seats_of(what) & who != 0)
        };
        let of_it = happenings().find(|at| match &log.events[*at].what {
            What::Moved { .. } if !meant.zones.is_empty() => self.moves_cards_of(*at, meant),
            what => is_of_it(what),
        });
        let names_things = !meant.facts.is_empty() || !meant.zones.is_empty();
        if of_it.is_some() || !meant.zones.is_empty() || who == 0 {
            return self.made(of_it?);
        }
        let is_to_them = |what: &What| seats_of(what) & who != 0;
        // What else is remembered of them has nothing to do with it; a rule in place of an event may have kept it from them.
        let may_be_why = |what: &What| match what {
            What::RuleApplied { rule } => {
                let mut events = self.rules().events.iter();
                events.any(|event| event.instead.iter().any(|instead| instead.rule == *rule))
            }
            What::Cancelled { .. } => is_to_them(what),
            _ => false,
        };
        let is_why: &dyn Fn(&What) -> bool = if names_things { &may_be_why } else { &is_to_them };
        let found = happenings().find(|at| is_why(&log.events[*at].what));
        self.made(found?)
    }

    /// Whether an event brought cards into one of the zones that are meant, or took some that had been brought there.
    fn moves_cards_of(&self, at: usize, meant: &Meant) -> bool {
        let events = &self.session.log().events;
        let is_there = |zone: &ZoneId, seat: &Option<u8>| {
            let is_theirs = |seat: u8| 1_u64.checked_shl(u32::from(seat)).unwrap_or(0) & meant.seats != 0;
            meant.zones.contains(zone) && (meant.seats == 0 || seat.is_none_or(is_theirs))
        };
        let What::Moved {
            cards, zone, seat, ..
        } = &events[at].what
        else {
            return false;
        };
        let lay_there = |card: &u8| {
            let brought = events[..at].iter().rev().find_map(|event| match &event.what {
                What::Moved {
                    cards, zone, seat, ..
                } if cards.iter().any(|(moved, _)| moved == card) => Some(is_there(zone, seat)),
                _ => None,
            });
            brought == Some(true)
        };
        is_there(zone, seat) || cards.iter().any(|(card, _)| lay_there(card))
    }

    /// An event in words, with the rule that made it.
    pub(super) fn made(&self, event: usize) -> Option<(Span, String)> {
        let happened = self.session.log().events.get(event)?;
        let place = self.rules().origins.get(happened.at as usize).copied()?;
        Some((
            place,
            self.words().event(happened, Viewer::Host).unwrap_or_default(),
        ))
    }
}

/// Whether something changed, rather than began, was asked or was answered.
fn is_deed(what: &What) -> bool {
    !matches!(
        what,
        What::SceneBegan { .. }
            | What::SceneEnded { .. }
            | What::SceneNears { .. }
            | What::ScenePassed { .. }
            | What::Asked { .. }
            | What::Cleared { .. }
    )
}

/// What of what is remembered it changed.
fn fact_of(what: &What) -> Option<FactId> {
    match what {
        What::Marked { fact, .. }
        | What::Unmarked { fact, .. }
        | What::Linked { fact, .. }
        | What::Unlinked { fact, .. }
        | What::Counted { fact, .. }
        | What::Kept { fact, .. } => Some(*fact),
        _ => None,
    }
}

/// To whom it happened.
fn seats_of(what: &What) -> u64 {
    match what {
        What::Occurred { of, .. } | What::Planned { of, .. } | What::Cancelled { of, .. } => *of,
        What::Marked { seats, .. } | What::Unmarked { seats, .. } | What::Counted { seats, .. } => *seats,
        What::Linked { from, to, .. } | What::Unlinked { from, to, .. } => from | to,
        What::Reseated { moved, .. } => *moved,
        What::Turned { seat, .. } => 1_u64.checked_shl(u32::from(*seat)).unwrap_or(0),
        _ => 0,
    }
}

/// The eyes of one of the seats.
fn one_of(seats: u64) -> Viewer {
    match seats {
        0 => Viewer::Public,
        seats => Viewer::Seat(seats.trailing_zeros() as u8),
    }
}

fn audience(audience: Audience, seats: u64) -> u64 {
    match audience {
        Audience::All => seats,
        Audience::Seats(some) => some & seats,
        Audience::Host => 0,
    }
}
