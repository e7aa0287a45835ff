//! Lines that cannot fail, and lines that had nothing to look at: a scenario may be green because of them.
//!
//! The first is a static look: words that are denied, held against every text of the rules with the names at the
//! table in its slots. The second is asked of a line that holds, where it is looked at.

use super::{
    blame,
    drive::Driver,
    expand::{Test, claims, is_setup},
    rules::{RulesSource, RulesWithScripts},
    setup,
};
use crate::words::with_a_capital;
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{AskKind, DrawKind, Kind, Op, Phrase, PhrasePiece, Ruleset, SayKind},
    source::Span,
};
use omerta_engine::{Domain, What};
use omerta_syntax::{
    play_tree::{AskedFact, Audience, Deed, Denial, Fact, Line, LineKind, Person, Way, Wording},
    tree::Name,
};
use std::collections::BTreeSet;

impl Test {
    /// Its lines that say what must come of it, with those in sections; what is said of all cases together is said
    /// by the test of them alone.
    pub fn claims(&self) -> Vec<&Line> {
        let is_across = |line: &Line| matches!(&line.kind, LineKind::Expect(fact) if fact.is_across());
        let mut claims = self.all_claims();
        claims.retain(|line| is_across(line) != self.cases.is_empty());
        claims
    }

    pub(super) fn all_claims(&self) -> Vec<&Line> {
        claims(&self.lines)
    }
}

/// The lines that expect what is so in every game.
pub(super) fn always_so(test: &Test) -> Vec<Diagnostic> {
    test.settled.iter().map(|line| blame::always_so(*line)).collect()
}

// ---- Words that nothing says, events that nothing makes happen

/// The lines that deny words which no text of these rules has, at this table, or an event that nothing makes happen; not
/// what the same rules have without their overlays, or with another value of an option.
pub(super) fn hollow(
    test: &Test,
    source: &dyn RulesSource,
    rules: &Ruleset,
    names: &[String],
) -> Vec<Diagnostic> {
    let (mut vocabulary, mut others) = (None, None);
    let mut hollow = Vec::new();
    if test.lines.iter().all(|line| is_setup(&line.kind)) {
        hollow.push(blame::says_nothing(test.span));
    }
    for line in test.claims() {
        let LineKind::Expect(fact) = &line.kind else {
            continue;
        };
        if let Some(event) = denied_event(fact)
            && !may_happen(rules, event)
            && !is_led_by_hand(&test.lines)
        {
            let others = others.get_or_insert_with(|| setup::other_rules(test, source, rules));
            if !others.iter().any(|rules| may_happen(&rules.rules, event)) {
                hollow.push(blame::never_made_happen(line.span, event));
            }
        }
        let Some((ways, wordings)) = denied_words(fact) else {
            continue;
        };
        let vocabulary = vocabulary.get_or_insert_with(|| Vocabulary::of(rules, names));
        let silent = |wording: &&Wording| !vocabulary.can_be(ways, wording);
        let Some(wording) = wordings.iter().find(silent) else {
            continue;
        };
        let others = others.get_or_insert_with(|| setup::other_rules(test, source, rules));
        let has_it = |rules: &RulesWithScripts| Vocabulary::of(&rules.rules, names).can_be(ways, wording);
        if !others.iter().any(has_it) {
            hollow.push(blame::never_in_words(
                line.span,
                place_of(wording),
                ways.in_words(),
            ));
        }
    }
    hollow
}

/// The event that a line denies.
fn denied_event(fact: &Fact) -> Option<&Name> {
    match fact {
        Fact::Happened {
            denial: Some(denial),
            event,
            ..
        } if denial.is_not() => Some(event),
        _ => None,
    }
}

/// Whether anything in the rules makes an event happen, wherever it stands.
fn may_happen(rules: &Ruleset, event: &Name) -> bool {
    let Some(named) = rules.events.iter().position(|known| known.name == event.text) else {
        return true;
    };
    let makes =
        |op: &Op| matches!(op, Op::Do { event, .. } | Op::Plan { event, .. } if event.index() == named);
    rules.code.iter().any(makes)
}

/// Whether the host does something by hand, which may be anything.
fn is_led_by_hand(lines: &[Line]) -> bool {
    lines.iter().any(|line| match &line.kind {
        LineKind::Deed(Deed::ByHand { .. }) => true,
        LineKind::Section(section) => is_led_by_hand(&section.lines),
        _ => false,
    })
}

/// In which way words go out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// To some ears, by the rules.
    Spoken(SayKind),
    /// As a question, or as what a wait says.
    Asked,
    /// However it comes to somebody.
    Seen,
}

impl Ways {
    fn in_words(self) -> &'static str {
        match self {
            Ways::Spoken(SayKind::Say) => "said to all",
            Ways::Spoken(SayKind::Tell) => "told to some",
            Ways::Spoken(SayKind::Show) => "shown to some",
            Ways::Asked => "asked",
            Ways::Seen => "said, shown or asked",
        }
    }
}

/// The words that a line denies; it fails only where all of them come.
fn denied_words(fact: &Fact) -> Option<(Ways, &[Wording])> {
    match fact {
        Fact::Said {
            denial: Some(denial),
            wordings,
        } if denial.is_not() => Some((Ways::Spoken(SayKind::Say), wordings)),
        Fact::Told {
            who,
            denial,
            how,
            wordings,
        } if denial.is_some_and(Denial::is_not) || denial.is_none() && matches!(who, Audience::Nobody(_)) => {
            let ways = match how {
                Way::Told => Ways::Spoken(SayKind::Tell),
                Way::Shown => Ways::Spoken(SayKind::Show),
                Way::Sees => Ways::Seen,
            };
            Some((ways, wordings))
        }
        Fact::Asked(AskedFact {
            denial: Some(denial),
            words,
            ..
        }) if denial.is_not() => Some((Ways::Asked, words.as_slice())),
        _ => None,
    }
}

fn place_of(wording: &Wording) -> Span {
    match wording {
        Wording::Exactly(text) | Wording::Containing(text) => text.span,
        Wording::Named { name, .. } => name.span,
        Wording::Anything(span) => *span,
    }
}

/// Words of the program's own that stand in the lines of a view.
const OF_THE_PROGRAM: &str = "begins is over Rule applies Planned Called off of by By hand turn into mark unmark as link unlink to set \
    do does The host waits asked are together for goes on when table ready Chance To be seen A token is turned becomes No longer nobody \
    any more game over Nobody wins win Lost yes no and or nothing among go pass outcome branch card one all you Shown , from";

/// What values may be in words.
struct Vocabulary<'r> {
    rules: &'r Ruleset,
    people: Vec<String>,
    things: Vec<String>,
}

/// What stands in every slot: numbers, and what joins several.
const JOINTS: &str = "0 1 2 3 4 5 6 7 8 9 - nobody Nobody yes Yes no No nothing Nothing";

impl<'r> Vocabulary<'r> {
    fn of(rules: &'r Ruleset, names: &[String]) -> Vocabulary<'r> {
        let joints = || JOINTS.split(' ').chain([", ", " and "]).map(str::to_owned);
        let titles = { rules.groups.iter() }.flat_map(|group| {
            [Some(&group.title), group.several.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
        });
        let zones = rules.zones.iter().map(|zone| zone.title.clone());
        let places = ["card ".to_owned(), with_a_capital("card "), " of ".to_owned()];
        let things = titles
            .chain(zones)
            .flat_map(|title| [with_a_capital(&title), title]);
        Vocabulary {
            rules,
            people: names.iter().cloned().chain(joints()).collect(),
            things: { things.chain(places) }
                .chain(names.iter().cloned())
                .chain(joints())
                .collect(),
        }
    }

    /// Whether words can ever go out in these ways.
    fn can_be(&self, ways: Ways, wording: &Wording) -> bool {
        let says = self.rules.says.iter();
        let known = |name: &Name| self.rules.words.contains(&name.text);
        match wording {
            // That nothing at all is said is no matter of words, and a name that nothing has is a mistake of its own.
            Wording::Anything(_) => return true,
            Wording::Named { name, .. } if !known(name) => return true,
            _ => {}
        }
        let said = |kind: Option<SayKind>| {
            says.clone()
                .filter(move |say| kind.is_none_or(|kind| say.kind == kind))
                .any(|say| match wording {
                    Wording::Anything(_) => true,
                    Wording::Exactly(text) => self.reads(&say.phrase, &text.text, true),
                    Wording::Containing(text) => self.reads(&say.phrase, &text.text, false),
                    Wording::Named { name, containing } => {
                        let named = say.word.map(|word| &self.rules.words[word.index()]);
                        let words = containing.as_ref();
                        named == Some(&name.text)
                            && words.is_none_or(|text| self.reads(&say.phrase, &text.text, false))
                    }
                })
        };
        match ways {
            Ways::Spoken(kind) => said(Some(kind)),
            Ways::Asked => self.can_be_asked(wording, true),
            Ways::Seen => said(None) || self.can_be_asked(wording, false) || self.can_be_a_line(wording),
        }
    }

    fn can_be_asked(&self, wording: &Wording, whole: bool) -> bool {
        let (text, whole) = match wording {
            Wording::Exactly(text) => (text, whole),
            Wording::Containing(text) => (text, false),
            Wording::Named { .. } => return false,
            Wording::Anything(_) => return true,
        };
        self.rules.asks.iter().any(|ask| match &ask.text {
            Some(phrase) => self.reads(phrase, &text.text, whole),
            None if whole => ask.name == text.text,
            None => ask.name.contains(&text.text),
        })
    }

    /// Whether a line of a view that is not words of the rules may have these words: each of them stands
    /// somewhere among the names of the rules and of the seats.
    fn can_be_a_line(&self, wording: &Wording) -> bool {
        let (Wording::Exactly(text) | Wording::Containing(text)) = wording else {
            return matches!(wording, Wording::Anything(_));
        };
        let rules = self.rules;
        if rules.lets_write() {
            return true;
        }
        let branches = rules.asks.iter().flat_map(|ask| match &ask.kind {
            AskKind::Menu(branches) => branches.as_slice(),
            _ => &[],
        });
        let drawn = rules.draws.iter().flat_map(|draw| match &draw.kind {
            DrawKind::Weighted(words) => words.as_slice(),
            _ => &[],
        });
        let drawn = drawn.map(|(word, _)| word);
        let titles = rules.endings.iter().filter_map(|ending| ending.title.as_ref());
        let names = { self.people.iter().chain(&self.things).chain(titles) }
            .chain(rules.scenes.iter().flat_map(|scene| [&scene.name, &scene.title]))
            .chain(rules.groups.iter().map(|group| &group.name))
            .chain(rules.events.iter().map(|event| &event.name))
            .chain(rules.rules.iter().map(|(name, _)| name))
            .chain(rules.facts.iter().flat_map(|fact| [&fact.name, &fact.title]))
            .chain({ rules.facts.iter() }.flat_map(|fact| fact.words.iter().flat_map(|(a, b)| [a, b])))
            .chain(rules.offers.iter().map(|offer| &offer.name))
            .chain(rules.asks.iter().map(|ask| &ask.name))
            .chain(rules.draws.iter().map(|draw| &draw.name))
            .chain(drawn)
            .chain(branches.map(|branch| &branch.name));
        let names: Vec<&str> = names.map(String::as_str).chain([OF_THE_PROGRAM]).collect();
        let is_letter = |c: char| c.is_alphanumeric();
        let mut words = text.text.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
        words.all(|word| {
            let number = word.chars().all(|c| c.is_ascii_digit());
            number || names.iter().any(|name| name.contains(word))
        })
    }

    /// Whether a text can be what comes of a phrase, or, where it is not the whole of it, can stand in it.
    fn reads(&self, phrase: &Phrase, text: &str, whole: bool) -> bool {
        let mut reading = Reading {
            text,
            whole,
            ends: BTreeSet::from([0]),
            inside: false,
        };
        self.read(&phrase.pieces, &mut reading);
        reading.inside || reading.ends.contains(&text.len())
    }

    fn read(&self, pieces: &[PhrasePiece], reading: &mut Reading<'_>) {
        for piece in pieces {
            if reading.inside || reading.ends.is_empty() {
                return;
            }
            match piece {
                PhrasePiece::Words(words) => reading.ends = reading.after(words),
                PhrasePiece::Slot { kind: Kind::Text, .. } => reading.anything(),
                PhrasePiece::Slot { kind, words, .. } => {
                    let values = match kind {
                        Kind::Players => &self.people,
                        _ => &self.things,
                    };
                    reading.slot(values, words);
                }
                PhrasePiece::Choice { none, one, many, .. } => {
                    let before = reading.ends.clone();
                    let mut after = BTreeSet::new();
                    for pieces in [none, one, many] {
                        reading.ends.clone_from(&before);
                        self.read(pieces, reading);
                        after.append(&mut reading.ends);
                    }
                    reading.ends = after;
                }
            }
        }
    }
}

/// How far a text has been found in a phrase that is gone through.
struct Reading<'t> {
    text: &'t str,
    /// Whether the text must be all of the phrase.
    whole: bool,
    /// Up to where the text may have been read here.
    ends: BTreeSet<usize>,
    /// Whether all of it was found before the phrase has ended.
    inside: bool,
}

impl Reading<'_> {
    /// Up to where the text may have been read behind these words.
    fn after(&mut self, words: &str) -> BTreeSet<usize> {
        let mut after = BTreeSet::new();
        for &at in &self.ends {
            let left = &self.text[at..];
            if left.starts_with(words) {
                after.insert(at + words.len());
            }
            self.inside |= !self.whole && words.starts_with(left);
        }
        if !self.whole {
            // The text may begin anywhere in them, and behind them.
            self.inside |= words.contains(self.text);
            let starts = words.char_indices().map(|(at, _)| &words[at..]);
            after.extend(starts.filter(|end| self.text.starts_with(end)).map(str::len));
            after.insert(0);
        }
        after
    }

    /// People write whatever they like.
    fn anything(&mut self) {
        let first = self.ends.first().copied().unwrap_or(0);
        let ends = (first..=self.text.len()).filter(|at| self.text.is_char_boundary(*at));
        self.ends.extend(ends);
        self.inside |= !self.whole;
    }

    /// Any number of values stand in a slot, one behind the other.
    fn slot(&mut self, values: &[String], words: &[String]) {
        loop {
            let before = self.ends.len();
            for value in values.iter().chain(words) {
                let after = self.after(value);
                self.ends.extend(after);
            }
            if self.inside || self.ends.len() == before {
                return;
            }
        }
    }
}

// ---- Lines that had nothing to look at

impl Driver<'_> {
    /// Whether there was anything that a line which holds could have met. What must come has met it.
    pub(super) fn has_compared(&self, fact: &Fact) -> bool {
        let has_spoken = |whole: bool, kind: SayKind| {
            let mut events = self.events(whole).iter();
            events.any(|event| self.spoken(event, kind).is_some())
        };
        let whole = super::moment::sees_all(fact);
        match fact {
            Fact::Said {
                denial: Some(denial), ..
            } if denial.is_not() => has_spoken(whole, SayKind::Say),
            Fact::Told { who, denial, how, .. } if denial.is_some() || matches!(who, Audience::Nobody(_)) => {
                let somebody = match who {
                    Audience::Each(people) | Audience::Only(people) => people
                        .iter()
                        .any(|person| !matches!(self.by(person), Ok(Some(0)))),
                    Audience::Nobody(_) => true,
                };
                let heard = match how {
                    Way::Told => has_spoken(whole, SayKind::Tell),
                    Way::Shown => has_spoken(whole, SayKind::Show),
                    Way::Sees => !self.events(whole).is_empty(),
                };
                somebody && heard
            }
            Fact::Asked(AskedFact {
                denial: Some(_), who, ..
            }) => {
                let host = who.iter().any(|who| matches!(who, Person::Host(_)));
                let is_such = |domain: Domain| host || domain != Domain::Go;
                self.prompts_in(whole).any(|prompt| is_such(prompt.asked.domain))
            }
            Fact::Drawn { denial: Some(_), .. } => self.draws_in(whole).next().is_some(),
            Fact::Happened { denial: Some(_), .. } => {
                let mut events = self.events(whole).iter();
                events.any(|event| matches!(event.what, What::Occurred { .. }))
            }
            Fact::Applied { denial: Some(_), .. } => {
                let mut events = self.events(whole).iter();
                events.any(|event| matches!(event.what, What::RuleApplied { .. }))
            }
            _ => true,
        }
    }
}
