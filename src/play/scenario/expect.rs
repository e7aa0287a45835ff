//! Whether what is expected holds, and what was there instead.

use super::{
    blame::{self, fault_code},
    drive::{Driver, is_by},
    heard::Meant,
    moment::Stand,
    notes::{Draw, fits},
    substitute::expr_words,
};
use crate::{
    words::members,
    worlds::{self, NoWorlds, World, Worlds},
};
use omerta_core::{
    diagnostic::{Diagnostic, close_sentence},
    rules::{
        DrawKind, FactId, FactShape, Kind, Program, SayKind, Slot, ZoneId,
        does::{Does, slots},
    },
    source::Span,
};
use omerta_engine::{Domain, Game, Happened, Outcome, Pending, Viewer, What};
use omerta_syntax::{
    play_tree::{AskedFact, Audience, Denial, Fact, Person, Quoted, Way, Wording},
    tree::{CompareOp, Expr, ExprKind, Int, Name, Of, Query},
};
use std::collections::BTreeSet;

/// Of how many things it is said that they were there instead.
const NAMED: usize = 3;
/// So many games are drawn, one time after the other, until two are among them that differ.
const FEW: [usize; 2] = [32, 200];

/// What was there instead, and the event that made it so, where it is known.
pub(super) struct Instead {
    words: String,
    event: Option<usize>,
}

impl From<String> for Instead {
    fn from(words: String) -> Instead {
        Instead { words, event: None }
    }
}

/// Holds, or does not: what was there instead.
pub(super) type Verdict = Result<Option<Instead>, Diagnostic>;

/// Whether what was to come came so often.
fn is_so(times: usize, denial: Option<Denial>) -> bool {
    match denial {
        None => times > 0,
        Some(Denial::Times(wanted)) => i64::try_from(times) == Ok(wanted.value),
        Some(_) => times == 0,
    }
}

/// The last few of what was there, each once.
fn few(there: &[String]) -> String {
    let mut once: Vec<(&str, usize)> = Vec::new();
    for words in there.iter().rev() {
        match once.iter_mut().find(|(known, _)| known == words) {
            Some((_, times)) => *times += 1,
            None => once.push((words, 1)),
        }
    }
    let words = |(words, times): &(&str, usize)| match times {
        1 => (*words).to_owned(),
        times => format!("{words} ({times} times)"),
    };
    let there: Vec<String> = once.iter().rev().map(words).collect();
    let more = there.len().saturating_sub(NAMED);
    let quoted = there.iter().all(|words| words.starts_with('`'));
    let last = there[more..].join(if quoted { ", " } else { "; " });
    match more {
        0 => last,
        more => format!("{last}; and {more} before"),
    }
}

impl Driver<'_> {
    /// What there is instead of a fact.
    pub(super) fn verdict(&self, fact: &Fact, line: Span) -> Verdict {
        Ok(match fact {
            Fact::Holds(expr) => self.holds(expr)?,
            Fact::Said { denial, wordings } => self.said(*denial, wordings)?,
            Fact::Told {
                who,
                denial,
                how,
                wordings,
            } => self.told(who, *denial, *how, wordings)?,
            Fact::Asked(asked) => self.asked(asked)?,
            Fact::Open { denied, offer, by } => self.open(*denied, offer, by.as_ref())?,
            Fact::Tally { link, rows } => self.tally(link, rows)?,
            Fact::Drawn { denial, name, rows } => self.drawn(*denial, name, rows)?,
            Fact::Happened {
                denial,
                event,
                of,
                by,
            } => self.happened(*denial, event, (of.as_ref(), by.as_ref()))?,
            Fact::Applied { denial, rule } => self.applied(*denial, rule)?,
            Fact::Knows { who, denied, what } => self.knows(who, *denied, what, line)?,
            Fact::CardsIn { zone, of, cards } => self.cards_in(zone, of.as_ref(), cards)?,
            Fact::Setup { .. } => None,
            ending => self.ending(ending)?,
        })
    }

    /// Whether a fact holds; the mistake where it does not.
    pub(super) fn expect(&self, fact: &Fact, line: Span) -> Result<(), Diagnostic> {
        match self.verdict(fact, line)? {
            None => Ok(()),
            Some(instead) => {
                let made = match instead.event {
                    Some(event) => self.made(event),
                    None if matches!(fact, Fact::Holds(_)) => self.made_by(&self.meant(fact)),
                    None => None,
                };
                let told = blame::not_so(&instead.words, made, line);
                Err(match self.holds_now(fact, line) {
                    Some((span, text)) => told.writes_in(span, text),
                    None => told,
                })
            }
        }
    }

    /// What a condition names.
    fn meant(&self, fact: &Fact) -> Meant {
        let mut meant = Meant::default();
        let Fact::Holds(expr) = fact else {
            return meant;
        };
        let rules = self.rules();
        super::substitute::each_name(expr, &mut |name| {
            let at = self.names().iter().position(|known| *known == name.text);
            meant.seats |= at.and_then(|at| 1_u64.checked_shl(at as u32)).unwrap_or(0);
            let known = rules.facts.iter().position(|fact| fact.name == name.text);
            meant.facts.extend(known.map(|fact| FactId(fact as u16)));
            let known = rules.zones.iter().position(|zone| zone.name == name.text);
            meant.zones.extend(known.map(|zone| ZoneId(zone as u8)));
        });
        // Of two sets that are not the same those count by whom they differ.
        if let Some((left, CompareOp::Exactly, right)) = expr.inside().comparison() {
            let apart = self
                .if_players(left)
                .zip(self.if_players(right))
                .map(|(left, right)| left ^ right);
            meant.seats = apart.filter(|apart| *apart != 0).unwrap_or(meant.seats);
        }
        // `living` is worked out of who is out: what stands behind the names counts like what is named.
        let program = self.compile(expr).ok();
        let ops = program.iter().flat_map(|program| &program.code);
        let loads: Vec<Slot> = ops.flat_map(|op| Does::of(rules, op).loads).collect();
        let behind = (0..rules.facts.len()).map(|fact| FactId(fact as u16));
        let is_read = |fact: &FactId| slots(rules, *fact).iter().any(|slot| loads.contains(slot));
        meant.facts.extend(behind.filter(is_read));
        meant
    }

    /// The players that an expression is, if it is any.
    fn if_players(&self, expr: &Expr) -> Option<u64> {
        let program = self.compile(expr).ok()?;
        (program.kind == Some(Kind::Players)).then(|| self.evaluate(&program))
    }

    /// Whether a line denies of several people what is so of some of them: that holds because it is not so of all.
    pub(super) fn denies_of_some(&self, fact: &Fact) -> bool {
        let Fact::Holds(expr) = fact else {
            return false;
        };
        let Some((left, CompareOp::IsNot, right)) = expr.inside().comparison() else {
            return false;
        };
        match (self.if_players(left), self.if_players(right)) {
            (Some(left), Some(right)) => left.count_ones() > 1 && left & right != 0,
            _ => false,
        }
    }

    /// What is compared though it is of several: that of the first of them.
    pub(super) fn number_of_several<'e>(&self, fact: &'e Fact) -> Option<&'e Expr> {
        let Fact::Holds(expr) = fact else { return None };
        let ExprKind::Compare(left, _, _, right) = &*expr.inside().kind else {
            return None;
        };
        let is_of_several = |side: &&Expr| {
            let ExprKind::Query(Query {
                name,
                of: Some(of),
                among: None,
                ..
            }) = &*side.inside().kind
            else {
                return false;
            };
            let count = self.rules().fact_named(&name.text);
            count.is_some_and(|count| count.shape == FactShape::CountOfEach)
                && self.if_players(of).is_some_and(|seats| seats.count_ones() > 1)
        };
        [left, right].into_iter().find(is_of_several)
    }

    fn holds(&self, expr: &Expr) -> Verdict {
        let program = self.compile(expr)?;
        if let Some(kind) = program.kind.filter(|kind| *kind != Kind::Truth) {
            return Err(blame::no_condition(kind, expr.span));
        }
        if self.worked_out(&program, expr.span)? != 0 {
            return Ok(None);
        }
        let (left, right, op, half) = match &*expr.kind {
            ExprKind::Compare(left, op, of, right) => (left, right, op, *of == Of::Half),
            ExprKind::No(set) => {
                let there = self.value_words(set).map(|there| format!("it is {there}"));
                return Ok(Some(
                    there.unwrap_or_else(|| "there is somebody".to_string()).into(),
                ));
            }
            ExprKind::Some(_) => return Ok(Some("there is none".to_string().into())),
            _ => return Ok(Some("it is not so".to_string().into())),
        };
        // `Ann is shot` asks who is shot, and `number of living is 3` how many live.
        let (there, wanted) = match self.only_names_players(left) {
            true => (right, left),
            false => (left, right),
        };
        // Beside cards a role stands for its cards, and by itself for those who have it.
        let kind = |expr: &Expr| self.compile(expr).ok().and_then(|program| program.kind);
        let wanted_words = match (kind(there), kind(wanted)) {
            (Some(Kind::Cards), Some(Kind::Players)) => match op {
                CompareOp::Exactly => Some(format!(
                    "all cards of `{}` in the game: which lie there is `cards in ZONE are …`",
                    expr_words(wanted)
                )),
                _ => Some(format!("`{}`", expr_words(wanted))),
            },
            _ => self.value_words(wanted),
        };
        let words = match (op, self.value_words(there), wanted_words) {
            (CompareOp::Is | CompareOp::Exactly, Some(there), Some(wanted)) => {
                format!("it is {there}, and not {wanted}")
            }
            (CompareOp::IsNot, Some(there), Some(_)) => format!("it is {there}"),
            (op, Some(there), Some(wanted)) => {
                let than = match op {
                    CompareOp::AtLeast => "at least",
                    CompareOp::AtMost => "at most",
                    CompareOp::MoreThan => "more than",
                    _ => "less than",
                };
                format!(
                    "it is {there}, and not {than} {}{wanted}",
                    if half { "half of " } else { "" }
                )
            }
            _ => "it is not so".to_string(),
        };
        Ok(Some(words.into()))
    }

    /// Whether an expression is players by their names, and nothing else.
    fn only_names_players(&self, expr: &Expr) -> bool {
        let (mut any, mut only) = (false, true);
        super::substitute::each_name(expr, &mut |name| {
            any = true;
            only &= self.names().contains(&name.text);
        });
        any && only
    }

    /// The value of an expression in words, where it can stand by itself.
    pub(super) fn value_words(&self, expr: &Expr) -> Option<String> {
        let program = self.compile(expr).ok()?;
        let word = self.evaluate(&program);
        self.words().worked_out(&program, self.game().look(), word)
    }

    // ---- What somebody can know

    /// Whether something is the same in all games that fit what has reached each of these.
    fn knows(&self, who: &[Person], denied: bool, what: &Expr, line: Span) -> Verdict {
        let program = self.compile(what)?;
        let now = self.worked_out(&program, what.span)?;
        let seats = self.people(who)?;
        if seats == 0 {
            return Err(blame::nobody_meant("may know it", what.span));
        }
        if let Some(then) = self.where_it_ended(&program).filter(|then| *then != now) {
            return Err(self.known_too_late(&program, (then, now), what.span));
        }
        for seat in members(seats) {
            let told = self.knows_not(seat, denied, &program);
            if let Some(words) = told.map_err(|why| blame::not_so(&why, None, line))? {
                return Ok(Some(words.into()));
            }
        }
        Ok(None)
    }

    /// What it came to where the section's scene ended; who knows what is looked at where the game rests, which is later.
    fn where_it_ended(&self, program: &Program) -> Option<u64> {
        let Stand::Ends(at) = self.stands() else {
            return None;
        };
        let still = self.session.game().still(self.session.still(at)?);
        still.try_evaluate(program, &self.each_seat()).ok()
    }

    fn known_too_late(&self, program: &Program, (then, now): (u64, u64), at: Span) -> Diagnostic {
        let [then, now] = [then, now].map(|word| self.told_as(program, self.game(), word));
        blame::known_too_late(&then, &now, at)
    }

    /// What somebody knows, in words.
    fn told_as(&self, program: &Program, game: &Game, word: u64) -> String {
        let words = match program.kind {
            Some(Kind::Truth) => Some((if word == 0 { "not so" } else { "so" }).to_owned()),
            _ => self.words().worked_out(program, game.look(), word),
        };
        words.unwrap_or_default()
    }

    /// What is there instead of somebody's knowing it, or of her not knowing it; or why nobody can say.
    fn knows_not(&self, seat: u8, denied: bool, program: &Program) -> Result<Option<String>, String> {
        let name = self.words().seat(seat);
        let seats = self.each_seat();
        // What the line compares with may have been written as well.
        let session = &self
            .session
            .with_texts(program.texts.iter().map(|(_, text)| text));
        let value = |game: &Game| game.evaluate(program, &seats);
        let differ = |found: &Worlds| {
            let mut values = found.worlds.iter().map(|world| value(&world.game));
            values
                .next()
                .is_some_and(|first| values.any(|other| other != first))
        };
        // Two that differ are often found soon; that there are none is known when all have been looked at.
        let some = |most: usize| worlds::enough_fitting(session, Viewer::Seat(seat), most, differ);
        let mut two = FEW.iter().map(|few| some(*few));
        let found = match two.find_map(|found| found.ok().filter(differ)) {
            Some(two) => Ok(two),
            None => match worlds::fitting(session, Viewer::Seat(seat)) {
                Err(NoWorlds::TooMany) => some(1_000),
                found => found,
            },
        };
        let found = match found {
            Ok(found) => found,
            Err(why) => return Err(format!("nobody can say what {name} knows: {why}")),
        };
        let known = |world: &World| self.told_as(program, &world.game, value(&world.game));
        let told = |world: &World| format!("{} ({})", known(world), self.cards_of(&world.game, seat));
        let Some((first, others)) = found.worlds.split_first() else {
            return Ok(None);
        };
        let other = others
            .iter()
            .find(|other| value(&other.game) != value(&first.game));
        let is_no = program.kind == Some(Kind::Truth) && value(&first.game) == 0;
        let number = found.worlds.len();
        Ok(match (other, denied) {
            (Some(_), true) => None,
            (Some(other), false) => Some(format!(
                "{name} cannot know it: of the games that fit what has reached that seat, in one it is {}, in another {}",
                told(first),
                told(other)
            )),
            (None, _) if found.sampled => {
                let drawn = match number {
                    1 => "one was".to_owned(),
                    number => format!("{number} were"),
                };
                return Err(format!(
                    "too many games fit to look at all of them; {drawn} drawn, and none of them is otherwise: with fewer players all may be looked at"
                ));
            }
            (None, false) if is_no => Some(format!("{name} knows that it is not so")),
            (None, false) => None,
            (None, true) => Some(format!(
                "{name} knows it: in every game that fits it is {}",
                known(first)
            )),
        })
    }

    /// Which cards lie before the others in a game that might be.
    fn cards_of(&self, game: &Game, but: u8) -> String {
        let others = members(game.look().players() & !(1 << but));
        let one = |seat: u8| {
            let roles = game.look().roles_of(1 << seat);
            format!("{}: {}", self.words().seat(seat), self.words().titles(roles))
        };
        others.map(one).collect::<Vec<_>>().join(", ")
    }

    // ---- Words

    fn said(&self, denial: Option<Denial>, wordings: &[Wording]) -> Verdict {
        self.check_words(wordings)?;
        let whole = denial == Some(Denial::Never);
        let start = self.range(whole).start;
        let events = self.events(whole).iter().zip(start..);
        let said = events.filter_map(|(event, at)| Some((self.spoken(event, SayKind::Say)?, at)));
        let said: Vec<_> = said.collect();
        let mut left = wordings.iter().peekable();
        let (mut last, mut times) = (None, 0);
        for ((words, word), at) in &said {
            if left
                .peek()
                .is_some_and(|wording| fits(wording, words, *word, self.names()))
            {
                left.next();
                last = Some((words, *at));
                if left.peek().is_none() {
                    times += 1;
                    left = wordings.iter().peekable();
                }
            }
        }
        let holds = match denial {
            None => times > 0,
            Some(Denial::Only) => {
                let pairs = said.iter().zip(wordings);
                let same = |(((words, word), _), wording): (&((String, _), _), _)| {
                    fits(wording, words, *word, self.names())
                };
                said.len() == wordings.len() && { pairs }.all(same)
            }
            Some(Denial::Times(wanted)) => times == wanted.value,
            Some(_) => times == 0,
        };
        if holds {
            return Ok(None);
        }
        if denial == Some(Denial::Only) && !said.is_empty() {
            let fits = |at: usize| {
                let ((words, word), _) = &said[at];
                { wordings.get(at) }.is_some_and(|wording| fits(wording, words, *word, self.names()))
            };
            let words = match (0..said.len()).find(|at| !fits(*at)) {
                Some(at) => format!("in its place ({}) said was `{}`", at + 1, said[at].0.0),
                None => format!("nothing was said behind `{}`", said[said.len() - 1].0.0),
            };
            return Ok(Some(words.into()));
        }
        if let Some((words, at)) = last.filter(|_| times > 0 && denial != Some(Denial::Only)) {
            let words = match times {
                1 => format!("it was said: `{words}`"),
                times => format!("it was said {times} times: `{words}`"),
            };
            return Ok(Some(Instead {
                words,
                event: Some(at),
            }));
        }
        let put = self.prompts_in(whole).find(|prompt| {
            { left.peek() }.is_some_and(|wording| fits(wording, &prompt.put, None, self.names()))
        });
        if let Some(prompt) = put {
            let (to, whom) = match (prompt.asked.host, prompt.asked.domain) {
                (true, Domain::Go) => ("the host reads where the game waits", "host"),
                (true, _) => ("the host is asked", "host"),
                (false, _) => ("players are asked", "NAME"),
            };
            let words = format!("with these words {to}: `expect asked {whom} \"…\"`");
            return Ok(Some(words.into()));
        }
        let texts = said.iter().map(|((words, _), _)| words.as_str());
        let wanted = left.peek().and_then(|wording| match wording {
            Wording::Exactly(text) => close_sentence(&text.text, texts.clone()),
            _ => None,
        });
        let list: Vec<String> = match wanted {
            Some(close) => vec![format!("`{close}`")],
            None => texts.map(|words| format!("`{words}`")).collect(),
        };
        let was_there = match list.is_empty() {
            true => "nothing was said".to_owned(),
            false => format!("said was {}", few(&list)),
        };
        // What comes behind a scene is none of it, though no answer lies between.
        let all = self.session.log().events.iter();
        let mut all = all.filter_map(|event| self.spoken(event, SayKind::Say));
        let is_wanted = |(words, word): (String, _)| {
            { left.peek() }.is_some_and(|wording| fits(wording, &words, word, self.names()))
        };
        Ok(Some(match all.any(is_wanted) {
            true => format!("{was_there}; what is looked for was said at another time").into(),
            false => was_there.into(),
        }))
    }

    /// Words that nothing in the rules has: what is never said under a name that is not there says
    /// nothing.
    fn check_words(&self, wordings: &[Wording]) -> Result<(), Diagnostic> {
        let known = self.rules().words.iter().map(String::as_str);
        for wording in wordings {
            if let Wording::Named { name, .. } = wording
                && !known.clone().any(|known| known == name.text)
            {
                return Err(blame::unknown("words", &name.text, name.span, known));
            }
        }
        Ok(())
    }

    fn told(&self, who: &Audience, denial: Option<Denial>, how: Way, wordings: &[Wording]) -> Verdict {
        self.check_words(wordings)?;
        if let Some(denial @ (Denial::Only | Denial::Times(_))) = denial {
            return self.told_exactly(who, denial, how, wordings);
        }
        let whole = denial == Some(Denial::Never);
        let (learnt, taught) = self.learnt(how, wordings, whole);
        let (mut missing, mut is_of_none) = (0, false);
        let holds = match who {
            Audience::Nobody(_) => learnt == 0,
            Audience::Only(people) => {
                let wanted = self.people(people)?;
                missing = wanted & !learnt;
                learnt == wanted
            }
            Audience::Each(people) => {
                let wanted = self.people(people)?;
                if denial.is_some() {
                    learnt & wanted == 0
                } else {
                    missing = wanted & !learnt;
                    is_of_none = wanted == 0;
                    wanted != 0 && missing == 0
                }
            }
        };
        let verb = match how {
            Way::Told => "told that",
            Way::Shown => "shown that",
            Way::Sees => "seeing that",
        };
        let instead = || {
            let others = members(missing)
                .take(NAMED)
                .map(|seat| self.learnt_by(seat, how, whole));
            let told = match is_of_none {
                true => format!("nobody is meant here; {verb}: {}", self.words().seats(learnt)),
                false => format!("{verb}: {}", self.words().seats(learnt)),
            };
            let words = [told].into_iter().chain(others).collect::<Vec<_>>().join("; ");
            let event = taught.filter(|_| missing == 0 && !is_of_none);
            Instead { words, event }
        };
        Ok((!holds).then(instead))
    }

    /// Whether each of these was told just so often, or nothing else.
    fn told_exactly(&self, who: &Audience, denial: Denial, how: Way, wordings: &[Wording]) -> Verdict {
        let seats = self.game().look().players();
        let is_so = |seat: u8| {
            let heard = self.heard_by(seat, how, wordings);
            match denial {
                Denial::Times(wanted) => {
                    let met = heard
                        .iter()
                        .fold(0, |met, fits| met + usize::from(fits[met % wordings.len()]));
                    i64::try_from(met / wordings.len()) == Ok(wanted.value)
                }
                _ => {
                    let same = |(fits, at): (&Vec<bool>, usize)| fits[at];
                    heard.len() == wordings.len() && heard.iter().zip(0..).all(same)
                }
            }
        };
        let so = members(seats)
            .filter(|seat| is_so(*seat))
            .fold(0, |all, seat| all | 1 << seat);
        let (holds, wanted) = match who {
            Audience::Nobody(_) => (so == 0, 0),
            Audience::Each(people) => {
                let wanted = self.people(people)?;
                (wanted != 0 && wanted & !so == 0, wanted)
            }
            Audience::Only(people) => {
                let wanted = self.people(people)?;
                (so == wanted, wanted)
            }
        };
        let others = || {
            let wrong = members(wanted & !so).chain(members(so & !wanted));
            let others = wrong.take(NAMED).map(|seat| self.learnt_by(seat, how, false));
            others.collect::<Vec<_>>().join("; ").into()
        };
        Ok((!holds).then(others))
    }

    /// What somebody was told or shown instead.
    fn learnt_by(&self, seat: u8, how: Way, whole: bool) -> String {
        let (verb, kind) = match how {
            Way::Told => ("was told", SayKind::Tell),
            Way::Shown => ("was shown", SayKind::Show),
            Way::Sees => return format!("{} does not", self.words().seat(seat)),
        };
        let heard = |event: &&Happened| event.audience.includes(Viewer::Seat(seat));
        let events = self.events(whole).iter().filter(heard);
        let words = events.filter_map(|event| self.spoken(event, kind));
        let words: Vec<String> = words.map(|(words, _)| format!("`{words}`")).collect();
        let list = match words.is_empty() {
            true => "nothing".to_owned(),
            false => few(&words),
        };
        format!("{} {verb} {list}", self.words().seat(seat))
    }

    pub(super) fn people(&self, people: &[Person]) -> Result<u64, Diagnostic> {
        people
            .iter()
            .try_fold(0, |set, person| Ok(set | self.by(person)?.unwrap_or(0)))
    }

    // ---- Events and rules

    /// Whether an event happened to all of these, each at some time, by some of those.
    fn happened(
        &self,
        denial: Option<Denial>,
        event: &Name,
        (of, by): (Option<&Expr>, Option<&Expr>),
    ) -> Verdict {
        let events = &self.rules().events;
        let known = events.iter().map(|event| event.name.as_str());
        let id = events.iter().position(|known| known.name == event.text);
        let id = id.ok_or_else(|| blame::unknown("event", &event.text, event.span, known))?;
        let declared = &self.rules().events[id];
        for (is_taken, word, given) in [(declared.of, "of", of), (declared.by, "by", by)] {
            if let Some(given) = given.filter(|_| !is_taken) {
                return Err(blame::event_has_no(&event.text, word, given.span));
            }
        }
        let whole = denial == Some(Denial::Never);
        let wanted = of.map(|of| self.seats(of)).transpose()?;
        let by = by.map(|by| self.seats(by)).transpose()?;
        let (mut met, mut times) = (0, 0);
        let mut found = false;
        let mut there = Vec::new();
        let mut last = None;
        for (happened, at) in self.events(whole).iter().zip(self.range(whole).start..) {
            let What::Occurred { event, of, by: doer } = &happened.what else {
                continue;
            };
            if event.index() != id {
                continue;
            }
            there.extend(self.words().event(happened, Viewer::Host));
            if by.is_none_or(|by| doer & by != 0) {
                let is_theirs = wanted.is_none_or(|wanted| of & wanted != 0);
                times += i64::from(is_theirs);
                found = true;
                met |= of;
                last = if is_theirs { Some(at) } else { last };
            }
        }
        let holds = match (wanted, denial) {
            (_, Some(Denial::Times(wanted))) => times != wanted.value,
            (None, _) => found,
            (Some(of), None) => of != 0 && of & !met == 0,
            (Some(of), Some(_)) => of & met != 0,
        };
        let words = match there.is_empty() {
            true => "it did not happen".to_string(),
            false => few(&there),
        };
        let event = last.filter(|_| holds);
        Ok((holds == denial.is_some()).then_some(Instead { words, event }))
    }

    fn applied(&self, denial: Option<Denial>, rule: &Name) -> Verdict {
        let rules = &self.rules().rules;
        let known = rules.iter().map(|(name, _)| name.as_str());
        if !known.clone().any(|known| known == rule.text) {
            return Err(blame::unknown("rule", &rule.text, rule.span, known));
        }
        let whole = denial == Some(Denial::Never);
        let events = self.events(whole).iter().zip(self.range(whole).start..);
        let applied = events.filter_map(|(happened, at)| match happened.what {
            What::RuleApplied { rule } => Some((rules[rule.index()].0.as_str(), at)),
            _ => None,
        });
        let there: Vec<(&str, usize)> = applied.collect();
        let last = there.iter().rev().find(|(name, _)| *name == rule.text);
        let names: BTreeSet<String> = there.iter().map(|(name, _)| format!("`{name}`")).collect();
        let names: Vec<String> = names.into_iter().collect();
        let words = match (last, names.is_empty()) {
            (Some(_), _) => "it applied".to_string(),
            (None, true) => "no rule applied".to_string(),
            (None, false) => format!("applied: {}", few(&names)),
        };
        let event = last.map(|(_, at)| *at);
        let times = there.iter().filter(|(name, _)| *name == rule.text).count();
        Ok((!is_so(times, denial)).then_some(Instead { words, event }))
    }

    // ---- Questions and offers

    fn asked(&self, fact: &AskedFact) -> Verdict {
        if let Some(name) = &fact.choice {
            self.check_choice(&name.text, name.span)?;
        }
        self.check_words(fact.words.as_slice())?;
        let branches = self.rules().asks.iter().flat_map(|ask| ask.kind.branches());
        self.check_outcomes(fact.among.iter(), branches.map(|branch| &branch.name))?;
        for person in &fact.who {
            if let Some(instead) = self.asked_of(fact, self.by(person)?)? {
                return Ok(Some(instead));
            }
        }
        Ok(None)
    }

    fn asked_of(&self, fact: &AskedFact, by: Option<u64>) -> Verdict {
        let whole = fact.denial == Some(Denial::Never);
        let (mut found, mut times) = (None, 0);
        let mut theirs = Vec::new();
        for prompt in self.prompts_in(whole) {
            let asked = &prompt.asked;
            let to_them = match by {
                None => asked.host,
                Some(set) => {
                    !asked.host
                        && asked.who != 0
                        && (asked.who & !set == 0 || set != 0 && set & !asked.who == 0)
                }
            };
            let choice = &self.rules().ask(asked.site).name;
            let for_it = fact.choice.as_ref().is_none_or(|name| name.text == *choice);
            let put_so = fact
                .words
                .as_ref()
                .is_none_or(|wording| fits(wording, &prompt.put, None, self.names()));
            if to_them {
                theirs.push(prompt.text.clone());
            }
            let in_time = fact.within.is_none_or(|within| asked.limit == Some(within));
            if to_them && for_it && put_so && in_time && self.among(fact, asked.domain, &prompt.branches)? {
                (found, times) = (Some(prompt), times + 1);
            }
        }
        if is_so(times, fact.denial) {
            return Ok(None);
        }
        if let Some(prompt) = found {
            // The question is the last that was heard before the game paused.
            let event = prompt.at.checked_sub(1);
            let words = match times {
                1 => prompt.text.clone(),
                times => format!("{times} times: {}", prompt.text),
            };
            return Ok(Some(Instead { words, event }));
        }
        let others: Vec<_> = self.prompts_in(whole).map(|prompt| prompt.text.clone()).collect();
        Ok(Some(match (theirs.is_empty(), others.is_empty()) {
            (false, _) => few(&theirs).into(),
            (true, false) => format!("they were asked nothing; {}", few(&others)).into(),
            (true, true) => "nobody was asked".to_string().into(),
        }))
    }

    /// A name that nothing has, where it is said what may be chosen or drawn: it would be denied of everything.
    fn check_outcomes<'n>(
        &self,
        wanted: impl Iterator<Item = &'n Expr>,
        words: impl Iterator<Item = &'n String> + Clone,
    ) -> Result<(), Diagnostic> {
        for expr in wanted {
            if let Some(name) = expr.bare_name()
                && self.rules().group_named(&name.text).is_none()
                && !words.clone().any(|word| *word == name.text)
            {
                self.compile(expr)?;
            }
        }
        Ok(())
    }

    /// Whether these, and no others, may be answered.
    fn among(&self, fact: &AskedFact, domain: Domain, branches: &[String]) -> Result<bool, Diagnostic> {
        if fact.among.is_empty() {
            return Ok(!fact.or_pass || domain.pass() == Some(true));
        }
        if (domain.pass() == Some(true)) != fact.or_pass {
            return Ok(false);
        }
        self.is_among(&fact.among, domain, branches)
    }

    /// Whether these are all there is to choose from.
    fn is_among(&self, wanted: &[Expr], domain: Domain, branches: &[String]) -> Result<bool, Diagnostic> {
        match domain {
            Domain::Seats { among, .. } => {
                let wanted = wanted
                    .iter()
                    .try_fold(0, |set, expr| Ok(set | self.seats(expr)?))?;
                Ok(wanted == among)
            }
            Domain::Titles { among, .. } => {
                let wanted = wanted.iter().try_fold(0_u64, |set, expr| {
                    Ok(set | 1_u64.checked_shl(u32::from(self.one_title(expr)?.0)).unwrap_or(0))
                })?;
                Ok(wanted == among)
            }
            Domain::Cards { among, .. } => self.same_cards(wanted, among),
            Domain::Numbers { low, high, .. } => {
                let wanted = wanted
                    .iter()
                    .map(|expr| self.number(expr))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(wanted.iter().copied().eq(low..=high))
            }
            Domain::Menu => {
                let wanted: BTreeSet<_> = wanted.iter().map(super::substitute::expr_words).collect();
                Ok(wanted.iter().eq(branches.iter().collect::<BTreeSet<_>>()))
            }
            Domain::Text { .. } | Domain::YesNo | Domain::Go | Domain::Words { .. } => Ok(false),
        }
    }

    fn same_cards(&self, wanted: &[Expr], among: u64) -> Result<bool, Diagnostic> {
        let mut left = among;
        for expr in wanted {
            match self.card_named(left, expr)? {
                Some(card) => left &= !(1 << card),
                None => return Ok(false),
            }
        }
        Ok(left == 0)
    }

    fn open(&self, denied: bool, offer: &Name, by: Option<&Person>) -> Verdict {
        let id = self.offer(offer)?;
        let by = by.map(|person| self.somebody(person, offer.span)).transpose()?;
        let offers = match &self.view.still {
            Some((_, still)) => still.made_offers(),
            None => self.session.game().offers(),
        };
        let open = offers
            .iter()
            .any(|open| open.offer == id && by.is_none_or(|by| is_by(open.by, by)));
        let instead = if open { "it is open" } else { "it is not open" };
        Ok((open == denied).then(|| instead.to_string().into()))
    }

    /// Whether a draw was made, from these outcomes with these weights and no others.
    fn drawn(&self, denial: Option<Denial>, name: &Name, rows: &[(Option<Int>, Expr)]) -> Verdict {
        let known = self.rules().draws.iter().map(|draw| draw.name.as_str());
        if !known.clone().any(|known| known == name.text) {
            return Err(blame::unknown("draw", &name.text, name.span, known));
        }
        let draws = self.rules().draws.iter().filter(|draw| draw.name == name.text);
        let outcomes = draws.flat_map(|draw| match &draw.kind {
            DrawKind::Weighted(outcomes) => &outcomes[..],
            _ => &[],
        });
        self.check_outcomes(rows.iter().map(|(_, row)| row), outcomes.map(|(word, _)| word))?;
        let whole = denial == Some(Denial::Never);
        let of_name = |draw: &&Draw| self.rules().draws[draw.drawn.site.index()].name == name.text;
        let draws: Vec<&Draw> = self.draws_in(whole).filter(of_name).collect();
        let mut times = 0;
        for draw in &draws {
            times += usize::from(rows.is_empty() || self.drawn_from(draw, rows)?);
        }
        let there: Vec<String> = draws.iter().map(|draw| draw.text.clone()).collect();
        let instead = match there.is_empty() {
            true => "it was not drawn".to_string(),
            false => few(&there),
        };
        Ok((!is_so(times, denial)).then(|| instead.into()))
    }

    fn drawn_from(&self, draw: &Draw, rows: &[(Option<Int>, Expr)]) -> Result<bool, Diagnostic> {
        if let Domain::Words { .. } = draw.drawn.domain {
            return Ok(are_outcomes(rows, &draw.weights));
        }
        // All else is drawn with equal weights.
        let even = rows.iter().all(|(weight, _)| weight.is_none());
        let outcomes: Vec<Expr> = rows.iter().map(|(_, outcome)| outcome.clone()).collect();
        Ok(even && self.is_among(&outcomes, draw.drawn.domain, &[])?)
    }

    /// Whether these cards lie there, from the top.
    fn cards_in(&self, zone: &Name, of: Option<&Name>, cards: &[Expr]) -> Verdict {
        let zones = &self.rules().zones;
        let id = zones.iter().position(|known| known.name == zone.text);
        let id = id.ok_or_else(|| {
            let known = zones.iter().map(|zone| zone.name.as_str());
            blame::unknown("zone", &zone.text, zone.span, known)
        })?;
        let seat_of = |name: &Name| {
            let named = self.names().iter().position(|known| *known == name.text);
            named.ok_or_else(|| {
                let known = self.names().iter().map(String::as_str);
                blame::unknown("player", &name.text, name.span, known)
            })
        };
        let seat = of.map(seat_of).transpose()?.map(|seat| seat as u8);
        let of_each = zones[id].of_each;
        if of_each != seat.is_some() {
            return Err(blame::whose_cards(&zone.text, of_each, zone.span));
        }
        let look = self.game().look();
        let shown = |card: u8| look.things()[usize::from(card)].shown();
        let there: Vec<_> = look
            .pile(ZoneId(id as u8), seat)
            .into_iter()
            .rev()
            .map(shown)
            .collect();
        // `cards in hand Ann are nobody`: none lies there.
        let wanted = match cards {
            [none] if self.is_word(none, &["nobody"]) => Vec::new(),
            cards => { cards.iter().map(|card| self.one_title(card)) }.collect::<Result<Vec<_>, _>>()?,
        };
        let titles: Vec<String> = there.iter().map(|group| self.words().group(*group)).collect();
        let words = match titles.is_empty() {
            true => "no card lies there".to_owned(),
            false => format!("from the top: {}", titles.join(", ")),
        };
        Ok((there != wanted).then(|| words.into()))
    }

    fn tally(&self, link: &Name, rows: &[(Int, Expr)]) -> Verdict {
        let facts = &self.rules().facts;
        let is_counted =
            |fact: &&omerta_core::rules::Fact| !fact.hidden && fact.shape.links_to() == Some(Kind::Players);
        let found = { facts.iter() }.position(|fact| fact.name == link.text && is_counted(&fact));
        let known = facts.iter().filter(is_counted).map(|fact| fact.name.as_str());
        let found = found.ok_or_else(|| blame::unknown("link", &link.text, link.span, known))?;
        let mut votes = self.votes(self.game(), FactId(found as u16));
        let mut wanted = vec![0; votes.len()];
        for (count, of) in rows {
            members(self.seats(of)?)
                .filter(|seat| usize::from(*seat) < votes.len())
                .for_each(|seat| {
                    wanted[usize::from(seat)] = count.value;
                });
        }
        let is_empty = |votes: &[i64]| votes.iter().all(|count| *count == 0);
        if is_empty(&votes) && !is_empty(&wanted) {
            votes = self.last_votes(FactId(found as u16)).unwrap_or(votes);
        }
        let list = votes.iter().zip(0..).filter(|(count, _)| **count > 0);
        let list: Vec<_> = list
            .map(|(count, seat)| format!("{count} for {}", self.words().seat(seat)))
            .collect();
        let instead = if list.is_empty() {
            "nobody has any".to_string()
        } else {
            list.join(", ")
        };
        Ok((votes != wanted).then(|| instead.into()))
    }

    /// How many are linked to each seat.
    fn votes(&self, game: &Game, link: FactId) -> Vec<i64> {
        let look = game.look();
        let mut votes = vec![0; usize::from(look.seats())];
        for seat in 0..look.seats() {
            for voted in members(look.fact_of(link, seat) & look.players()) {
                votes[usize::from(voted)] += 1;
            }
        }
        votes
    }

    /// The same before the rules emptied it in this scene: a ballot that is over can still be counted.
    fn last_votes(&self, link: FactId) -> Option<Vec<i64>> {
        self.window?;
        let range = self.range(false);
        let emptied = What::Cleared { fact: link };
        let at = range
            .rev()
            .find(|at| self.session.log().events[*at].what == emptied)?;
        let still = self.session.game().still(self.session.still(at)?);
        Some(self.votes(&still, link))
    }

    // ---- The end

    fn ending(&self, fact: &Fact) -> Verdict {
        let pending = self.session.game().pending();
        if let Fact::Fault(code) = fact {
            return self.fault(code.as_ref(), &pending);
        }
        // Names are looked up before: while the game goes on, a name of nobody is no less a mistake.
        let wanted = match fact {
            Fact::Winners(wanted) | Fact::Losers(wanted) => {
                let groups = self.rules().groups.iter().map(|group| group.name.as_str());
                let known: Vec<&str> = groups.collect();
                let players: Vec<&str> = self.names().iter().map(String::as_str).collect();
                self.all(wanted)
                    .map_err(|told| blame::nobody_wins_so(told, &known, &players))?
            }
            _ => 0,
        };
        if let Fact::EndedBy(name) = fact {
            self.check_ending(name)?;
        }
        let Pending::Over(outcome) = pending else {
            let goes_on = matches!(
                (fact, &pending),
                (Fact::GoesOn, Pending::Ask(_) | Pending::Chance(_))
            );
            let so_far = match self.session.game().look().winners() {
                0 => String::new(),
                won => {
                    let names = self.words().seats(won);
                    format!("; so far {names} won: `expect winner is exactly {names}`")
                }
            };
            return Ok((!goes_on).then(|| format!("the game goes on: {}{so_far}", self.state_words()).into()));
        };
        let holds = match fact {
            Fact::Winners(_) => wanted == outcome.winners,
            Fact::Losers(_) => wanted == self.losers(&outcome),
            Fact::NobodyWins | Fact::Draw => outcome.winners == 0,
            Fact::EndedBy(name) => self.ended_by(&outcome, name),
            _ => false,
        };
        Ok((!holds).then(|| self.over_words(&outcome).into()))
    }

    /// Who has lost: whom the rules call so, or else, where somebody has won, everybody who has not.
    fn losers(&self, outcome: &Outcome) -> u64 {
        match outcome.losers {
            0 if outcome.winners != 0 => self.session.game().look().players() & !outcome.winners,
            losers => losers,
        }
    }

    fn all(&self, exprs: &[Expr]) -> Result<u64, Diagnostic> {
        exprs.iter().try_fold(0, |set, expr| Ok(set | self.seats(expr)?))
    }

    fn check_ending(&self, name: &Quoted) -> Result<(), Diagnostic> {
        let endings = || self.rules().endings.iter();
        let names = endings().map(|ending| ending.name.as_str());
        let titles = endings().filter_map(|ending| ending.title.as_deref());
        let known = names.chain(titles);
        match known.clone().any(|known| known == name.text) {
            true => Ok(()),
            false => Err(blame::unknown("ending", &name.text, name.span, known)),
        }
    }

    fn ended_by(&self, outcome: &Outcome, name: &Quoted) -> bool {
        let ending = outcome.ending.map(|id| self.rules().ending(id));
        ending.is_some_and(|ending| ending.name == name.text || ending.title.as_ref() == Some(&name.text))
    }

    fn over_words(&self, outcome: &Outcome) -> String {
        let ending = outcome.ending.map(|id| {
            let ending = self.rules().ending(id);
            ending
                .title
                .clone()
                .unwrap_or_else(|| format!("({})", ending.name))
        });
        self.words().over(ending, outcome.winners, outcome.losers)
    }

    fn fault(&self, code: Option<&Name>, pending: &Pending) -> Verdict {
        let known = blame::FAULTS.iter().copied();
        if let Some(code) = code.filter(|code| !known.clone().any(|known| known == code.text)) {
            return Err(blame::unknown("fault of rules", &code.text, code.span, known));
        }
        let Pending::Broken(fault) = pending else {
            return Ok(Some("the rules did not break".to_string().into()));
        };
        let found = fault_code(&fault.kind);
        let is_other = code.is_some_and(|code| code.text != found);
        Ok(is_other.then(|| format!("it is {found}").into()))
    }
}

/// Whether a line names these words with these weights and no others.
pub(super) fn are_outcomes(rows: &[(Option<Int>, Expr)], outcomes: &[(String, u32)]) -> bool {
    let weight = |weight: &Option<Int>| weight.map_or(1, |weight| weight.value);
    let wanted = { rows.iter() }.map(|(one, outcome)| (super::substitute::expr_words(outcome), weight(one)));
    let there = { outcomes.iter() }.filter(|(_, weight)| *weight > 0);
    let there = there.map(|(word, weight)| (word.clone(), i64::from(*weight)));
    let (mut wanted, mut there): (Vec<_>, Vec<_>) = (wanted.collect(), there.collect());
    wanted.sort();
    there.sort();
    wanted == there
}
