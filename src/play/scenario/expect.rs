//! Whether what is expected holds, and what was there instead.

use super::{
    blame::{self, fault_code},
    drive::{Driver, is_by},
    notes::{Draw, fits},
};
use crate::words::members;
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{FactId, SayKind},
    source::Span,
};
use omerta_engine::{Domain, Game, Happened, Outcome, Pending, Viewer, What};
use omerta_syntax::{
    play_tree::{AskedFact, Audience, Denial, Fact, Person, Quoted, Way, Wording},
    tree::{Expr, ExprKind, Int, Name},
};
use std::collections::BTreeSet;

/// Of how many who did not learn something it is said what they learnt.
const NAMED: usize = 3;

/// Holds, or does not: what was there instead.
type Verdict = Result<Option<String>, Diagnostic>;

impl Driver<'_> {
    /// Whether a fact holds; the mistake where it does not.
    pub(super) fn expect(&self, fact: &Fact, line: Span) -> Result<(), Diagnostic> {
        let instead = match fact {
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
            Fact::Setup { .. } => None,
            ending => self.ending(ending)?,
        };
        match instead {
            None => Ok(()),
            Some(instead) => {
                let made = self.made_by(self.meant(fact));
                Err(blame::not_so(&instead, made, line))
            }
        }
    }

    /// The seats that a condition names.
    fn meant(&self, fact: &Fact) -> u64 {
        let Fact::Holds(expr) = fact else { return 0 };
        let mut seats = 0;
        super::substitute::each_name(expr, &mut |name| {
            let at = self.names().iter().position(|known| *known == name.text);
            seats |= at.and_then(|at| 1_u64.checked_shl(at as u32)).unwrap_or(0);
        });
        seats
    }

    fn holds(&self, expr: &Expr) -> Verdict {
        let program = self.compile(expr)?;
        if self.worked_out(&program, expr.span)? != 0 {
            return Ok(None);
        }
        let ExprKind::Compare { left, right, .. } = &*expr.kind else {
            return Ok(Some("it is not so".to_string()));
        };
        let sides = [left, right].map(|side| self.value_words(side));
        Ok(Some(match sides {
            [Some(left), Some(right)] => format!("on the left: {left}; on the right: {right}"),
            _ => "it is not so".to_string(),
        }))
    }

    /// The value of an expression in words, where it can stand by itself.
    fn value_words(&self, expr: &Expr) -> Option<String> {
        let program = self.compile(expr).ok()?;
        let word = self.evaluate(&program);
        let value = self.game().look().value(program.kind?, word);
        Some(self.words().value(&value))
    }

    // ---- Words

    fn said(&self, denial: Option<Denial>, wordings: &[Wording]) -> Verdict {
        self.check_words(wordings)?;
        let whole = denial == Some(Denial::Never);
        let said: Vec<_> = self
            .events(whole)
            .iter()
            .filter_map(|event| self.spoken(event, SayKind::Say))
            .collect();
        let mut left = wordings.iter().peekable();
        for (words, word) in &said {
            if left.peek().is_some_and(|wording| fits(wording, words, *word)) {
                left.next();
            }
        }
        let all = left.peek().is_none();
        let list = said
            .iter()
            .map(|(words, _)| format!("`{words}`"))
            .collect::<Vec<_>>()
            .join(", ");
        Ok(match (all, denial.is_some()) {
            (true, false) | (false, true) => None,
            (true, true) => Some(format!("it was said: {list}")),
            (false, false) if list.is_empty() => Some("nothing was said".to_string()),
            (false, false) => Some(format!("said was {list}")),
        })
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
        let whole = denial == Some(Denial::Never);
        let learnt = self.learnt(how, wordings, whole);
        let mut missing = 0;
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
            let told = format!("{verb}: {}", self.words().seats(learnt));
            [told].into_iter().chain(others).collect::<Vec<_>>().join("; ")
        };
        Ok((!holds).then(instead))
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
            false => words.join(", "),
        };
        format!("{} {verb} {list}", self.words().seat(seat))
    }

    fn people(&self, people: &[Person]) -> Result<u64, Diagnostic> {
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
        let whole = denial == Some(Denial::Never);
        let of = of.map(|of| self.seats(of)).transpose()?;
        let by = by.map(|by| self.seats(by)).transpose()?;
        let mut met = 0;
        let mut found = false;
        let mut there = Vec::new();
        for happened in self.events(whole) {
            let What::Occurred { event, of, by: doer } = &happened.what else {
                continue;
            };
            if event.index() != id {
                continue;
            }
            there.extend(self.words().event(happened, Viewer::Host));
            if by.is_none_or(|by| doer & by != 0) {
                found = true;
                met |= of;
            }
        }
        let holds = match (of, denial) {
            (None, _) => found,
            (Some(of), None) => of != 0 && of & !met == 0,
            (Some(of), Some(_)) => of & met != 0,
        };
        let instead = match there.is_empty() {
            true => "it did not happen".to_string(),
            false => there.join("; "),
        };
        Ok((holds == denial.is_some()).then_some(instead))
    }

    fn applied(&self, denial: Option<Denial>, rule: &Name) -> Verdict {
        let rules = &self.rules().rules;
        let known = rules.iter().map(|(name, _)| name.as_str());
        if !known.clone().any(|known| known == rule.text) {
            return Err(blame::unknown("rule", &rule.text, rule.span, known));
        }
        let name_of = |happened: &Happened| match happened.what {
            What::RuleApplied { rule } => Some(rules[rule.index()].0.clone()),
            _ => None,
        };
        let whole = denial == Some(Denial::Never);
        let there: Vec<String> = self.events(whole).iter().filter_map(name_of).collect();
        let found = there.contains(&rule.text);
        let instead = match there.is_empty() {
            true => "no rule applied".to_string(),
            false => format!("applied: {}", there.join(", ")),
        };
        Ok((found == denial.is_some()).then_some(instead))
    }

    // ---- Questions and offers

    fn asked(&self, fact: &AskedFact) -> Verdict {
        let whole = fact.denial == Some(Denial::Never);
        let by = self.by(&fact.who)?;
        if let Some(name) = &fact.choice {
            self.check_choice(&name.text, name.span)?;
        }
        self.check_words(fact.words.as_slice())?;
        let mut found = false;
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
                .is_none_or(|wording| fits(wording, &prompt.put, None));
            found |= to_them && for_it && put_so && self.among(fact, asked.domain, &prompt.branches)?;
        }
        if found != fact.denial.is_some() {
            return Ok(None);
        }
        let list: Vec<_> = self.prompts_in(whole).map(|prompt| prompt.text.clone()).collect();
        Ok(Some(if list.is_empty() {
            "nobody was asked".to_string()
        } else {
            list.join("; ")
        }))
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
            Domain::YesNo | Domain::Go | Domain::Words { .. } => Ok(false),
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
        let by = by.map(|person| self.by(person)).transpose()?;
        let offers = match &self.view.still {
            Some(still) => still.made_offers(),
            None => self.session.game().offers(),
        };
        let open = offers
            .iter()
            .any(|open| open.offer == id && by.is_none_or(|by| is_by(open.by, by)));
        let instead = if open {
            "it stands open"
        } else {
            "it does not stand open"
        };
        Ok((open == denied).then(|| instead.to_string()))
    }

    /// Whether a draw was made, from these outcomes with these weights and no others.
    fn drawn(&self, denial: Option<Denial>, name: &Name, rows: &[(Option<Int>, Expr)]) -> Verdict {
        let known = self.rules().draws.iter().map(|draw| draw.name.as_str());
        if !known.clone().any(|known| known == name.text) {
            return Err(blame::unknown("draw", &name.text, name.span, known));
        }
        let whole = denial == Some(Denial::Never);
        let of_name = |draw: &&Draw| self.rules().draws[draw.drawn.site.index()].name == name.text;
        let draws: Vec<&Draw> = self.draws_in(whole).filter(of_name).collect();
        let mut found = false;
        for draw in &draws {
            found |= rows.is_empty() || self.drawn_from(draw, rows)?;
        }
        let instead = if draws.is_empty() {
            "it was not drawn".to_string()
        } else {
            draws
                .iter()
                .map(|draw| draw.text.clone())
                .collect::<Vec<_>>()
                .join("; ")
        };
        Ok((found == denial.is_some()).then_some(instead))
    }

    fn drawn_from(&self, draw: &Draw, rows: &[(Option<Int>, Expr)]) -> Result<bool, Diagnostic> {
        if let Domain::Words { .. } = draw.drawn.domain {
            let weight = |weight: &Option<Int>| weight.map_or(1, |weight| weight.value);
            let mut wanted: Vec<_> = rows
                .iter()
                .map(|(one, outcome)| (super::substitute::expr_words(outcome), weight(one)))
                .collect();
            let mut there: Vec<_> = draw
                .weights
                .iter()
                .map(|(word, weight)| (word.clone(), i64::from(*weight)))
                .collect();
            wanted.sort();
            there.sort();
            return Ok(wanted == there);
        }
        // All else is drawn with equal weights.
        let even = rows.iter().all(|(weight, _)| weight.is_none());
        let outcomes: Vec<Expr> = rows.iter().map(|(_, outcome)| outcome.clone()).collect();
        Ok(even && self.is_among(&outcomes, draw.drawn.domain, &[])?)
    }

    fn tally(&self, link: &Name, rows: &[(Int, Expr)]) -> Verdict {
        let facts = &self.rules().facts;
        let found = facts
            .iter()
            .position(|fact| fact.name == link.text && !fact.hidden);
        let known = facts
            .iter()
            .filter(|fact| !fact.hidden)
            .map(|fact| fact.name.as_str());
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
        Ok((votes != wanted).then_some(instead))
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
            return Ok(self.fault(code.as_ref(), &pending));
        }
        // Names are looked up before: while the game goes on, a name of nobody is no less a mistake.
        let wanted = match fact {
            Fact::Winners(wanted) | Fact::Losers(wanted) => self.all(wanted)?,
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
            return Ok((!goes_on).then(|| format!("the game goes on: {}", self.state_words())));
        };
        let holds = match fact {
            Fact::Winners(_) => wanted == outcome.winners,
            Fact::Losers(_) => wanted == self.losers(&outcome),
            Fact::NobodyWins | Fact::Draw => outcome.winners == 0,
            Fact::EndedBy(name) => self.ended_by(&outcome, name),
            _ => false,
        };
        Ok((!holds).then(|| self.over_words(&outcome)))
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

    fn fault(&self, code: Option<&Name>, pending: &Pending) -> Option<String> {
        let Pending::Broken(fault) = pending else {
            return Some("the rules did not break".to_string());
        };
        let found = fault_code(&fault.kind);
        code.is_some_and(|code| code.text != found)
            .then(|| format!("it is {found}"))
    }
}
