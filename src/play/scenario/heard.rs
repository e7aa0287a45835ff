//! What was said, told, shown and asked: the log through the eyes of an expectation.

use super::{
    drive::Driver,
    notes::{Draw, Edges, Prompt, Window, fits},
};
use omerta_core::{rules::SayKind, source::Span};
use omerta_engine::{Audience, Happened, Viewer, What};
use omerta_syntax::play_tree::{Way, Wording};
use std::ops::Range;

/// How many places in the rules stand beside something that does not hold.
const PLACES: usize = 3;

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

    /// The places of the log that an expectation looks at; all of it for `never`.
    pub(super) fn range(&self, whole: bool) -> Range<usize> {
        let end = self.session.log().events.len();
        match self.window {
            Some(window) if !whole => window.start..self.ended_at(window).map_or(end, |at| at + 1),
            _ => 0..end,
        }
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
        let Range { start, end } = self.range(whole);
        let over = self
            .window
            .is_some_and(|window| !whole && self.ended_at(window).is_some());
        start..if over { end } else { usize::MAX }
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

    /// Who learnt of words of these kinds, one after the other, in that part of the game.
    pub(super) fn learnt(&self, way: Way, wordings: &[Wording], whole: bool) -> u64 {
        let seats = self.session.game().look().players();
        // Who has learnt the first of them, the first two, and so on.
        let mut learnt = vec![0; wordings.len()];
        for happened in self.events(whole) {
            // The last first: what is learnt once counts for one of them.
            for (at, wording) in wordings.iter().enumerate().rev() {
                let ready = at.checked_sub(1).map_or(seats, |before| learnt[before]);
                if ready & !learnt[at] != 0 && self.fits_event(happened, way, wording) {
                    learnt[at] |= ready & audience(happened.audience, seats);
                }
            }
        }
        learnt.last().copied().unwrap_or(0)
    }

    fn fits_event(&self, happened: &Happened, way: Way, wording: &Wording) -> bool {
        let kind = match way {
            Way::Told => SayKind::Tell,
            Way::Shown => SayKind::Show,
            Way::Sees => return self.fits_view(happened, wording),
        };
        self.spoken(happened, kind)
            .is_some_and(|(words, word)| fits(wording, &words, word))
    }

    fn fits_view(&self, happened: &Happened, wording: &Wording) -> bool {
        let said = [SayKind::Say, SayKind::Tell, SayKind::Show]
            .iter()
            .find_map(|kind| self.spoken(happened, *kind));
        match said {
            Some((words, word)) => fits(wording, &words, word),
            None => self
                .words()
                .event(happened, Viewer::Host)
                .is_some_and(|line| fits(wording, &line, None)),
        }
    }

    /// The last lines of that part of the game, as the host sees them.
    pub(super) fn led_here(&self, whole: bool) -> Vec<String> {
        let events = self.events(whole);
        let lines: Vec<_> = events
            .iter()
            .filter_map(|event| self.words().event(event, Viewer::Host))
            .collect();
        lines[lines.len().saturating_sub(8)..]
            .iter()
            .map(|line| format!("  {line}"))
            .collect()
    }
}

impl Driver<'_> {
    /// The rules that made the last thing that happened to somebody, and what led to that: places with
    /// words, the nearest first. Where nothing happened to them, the last thing that happened at all.
    pub(super) fn made_by(&self, who: u64, whole: bool) -> Vec<(Span, String)> {
        let log = self.session.log();
        let range = self.range(whole);
        let happenings = || range.clone().rev().filter(|at| is_deed(&log.events[*at].what));
        let to_them = happenings().find(|at| seats_of(&log.events[*at].what) & who != 0);
        let Some(last) = to_them.or_else(|| happenings().next()) else {
            return Vec::new();
        };
        let causes = log
            .causes(last)
            .into_iter()
            .filter(|at| leads(&log.events[*at].what));
        let mut places: Vec<(Span, String)> = Vec::new();
        for at in [last].into_iter().chain(causes) {
            let happened = &log.events[at];
            let place = self.rules().origins.get(happened.at as usize).copied();
            let words = self.words().event(happened, Viewer::Host).unwrap_or_default();
            if let Some(place) = place.filter(|place| places.iter().all(|(known, _)| known != place)) {
                places.push((place, words));
            }
            if places.len() == PLACES {
                break;
            }
        }
        places
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

/// Whether something is a cause that says more than that it is that part of the game.
fn leads(what: &What) -> bool {
    matches!(
        what,
        What::Occurred { .. }
            | What::RuleApplied { .. }
            | What::Answered { .. }
            | What::OfferTaken { .. }
            | What::Drew { .. }
            | What::Performed { .. }
    )
}

/// To whom it happened.
fn seats_of(what: &What) -> u64 {
    match what {
        What::Occurred { of, .. } | What::Planned { of, .. } | What::Cancelled { of, .. } => *of,
        What::Marked { seats, .. } | What::Unmarked { seats, .. } | What::Counted { seats, .. } => *seats,
        What::Linked { from, to, .. } => from | to,
        What::Turned { seat, .. } => 1_u64.checked_shl(u32::from(*seat)).unwrap_or(0),
        _ => 0,
    }
}

fn audience(audience: Audience, seats: u64) -> u64 {
    match audience {
        Audience::All => seats,
        Audience::Seats(some) => some & seats,
        Audience::Host => 0,
    }
}
