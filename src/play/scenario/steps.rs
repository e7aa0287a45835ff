//! Takes the lines of a scenario one after the other.

use super::{
    answer::head_and_rest,
    blame,
    drive::{Driver, Until},
    expand::Test,
    moment::{Moment, Stand, moment},
    notes::{Pin, Prompt, Who, Window, has},
    report::{Report, Snapshot},
    rules::RulesSource,
    setup::Begun,
    substitute::expr_words,
};
use crate::{by_hand, story::story, words::members};
use omerta_core::{
    codes,
    diagnostic::Diagnostic,
    rules::{AskKind, AskSite, OfferId, SceneId},
    source::Span,
};
use omerta_engine::{Asked, Choice, Domain, Happened, Illegal, OpenOffer, Pending, What};
use omerta_syntax::{
    play_tree::{Deed, Fact, Goal, Line, LineKind, Person, Quoted, Section},
    tree::{Expr, Int, Name},
};
use std::collections::{BTreeMap, BTreeSet};

/// Plays a scenario; what fails stands in the report.
pub(super) fn play(test: &Test, open: usize, source: &dyn RulesSource, begun: Begun, report: &mut Report) {
    let mut driver = Driver::new(source, begun);
    driver.notes_offers = test.all_claims().iter().any(|line| is_alike(line));
    driver.note_open();
    let mut player = Player {
        driver: &mut driver,
        report,
        here: Vec::new(),
        over: Vec::new(),
        failed: Vec::new(),
        noted: 0,
        in_vain: BTreeMap::new(),
        has_run: false,
        at_wait: None,
        below: &[],
        expects_fault: expects_fault(&test.lines),
        open,
        at_end: true,
    };
    let done = player.lines(&test.lines).and_then(|()| {
        player.look_here();
        player.check_fault(test.span)
    });
    player.failed.sort_by_key(|(noted, _)| *noted);
    player.report.across.sort_by_key(|(_, noted, _)| *noted);
    let in_vain = player.in_vain.iter().filter(|(_, in_vain)| **in_vain);
    let in_vain = in_vain.map(|(line, _)| blame::denied_of_nobody(*line));
    player.report.hollow.extend(in_vain);
    let failed = player.failed.into_iter().map(|(_, problem)| problem);
    report.diagnostics.extend(failed);
    report.diagnostics.extend(done.err().map(|problem| *problem));
    if let (Some(card), Some(problem)) = (driver.never_dealt(), report.diagnostics.first_mut()) {
        *problem = blame::never_dealt(problem.clone(), card);
    }
    report.diagnostics.extend(driver.left_undealt());
    driver.session.lay_down();
    report.lines = std::mem::take(&mut driver.lines);
    report.session = Some(driver.session);
}

/// Whether a scenario wants the rules to break.
fn expects_fault(lines: &[Line]) -> bool {
    lines.iter().any(|line| match &line.kind {
        LineKind::Expect(fact) => matches!(fact.of_one_game(), Fact::Fault(_)),
        LineKind::Section(section) => expects_fault(&section.lines),
        _ => false,
    })
}

/// Whether a line compares what somebody sees in all cases.
fn is_alike(line: &Line) -> bool {
    matches!(line.kind, LineKind::Expect(Fact::Alike { .. }))
}

/// What ends a scenario before its time; in a box, for it is seldom and large.
type Stop = Box<Diagnostic>;

/// A fact that is to be looked at, its line, and its place among all that were met.
type Noted<'t> = (&'t Fact, Span, usize);

struct Player<'p, 't> {
    driver: &'p mut Driver<'t>,
    report: &'p mut Report,
    /// What is looked at where the next answer is asked for, or where the scene ends.
    here: Vec<Noted<'t>>,
    /// What is looked at when the scene is over.
    over: Vec<Noted<'t>>,
    /// What does not hold, with its place among the facts.
    failed: Vec<(usize, Diagnostic)>,
    noted: usize,
    /// Of each line that was looked at, whether it denies something of nobody.
    in_vain: BTreeMap<Span, bool>,
    /// Whether the line above was a `run to`: the game stands there, and what follows is looked at there.
    has_run: bool,
    /// How many answers had been given at the wait that was run to last.
    at_wait: Option<usize>,
    /// The lines below those that are being taken.
    below: &'t [Line],
    expects_fault: bool,
    /// How many of the last sections nobody has closed yet.
    open: usize,
    /// Whether no line comes behind those that are being taken.
    at_end: bool,
}

impl<'t> Player<'_, 't> {
    fn lines(&mut self, lines: &'t [Line]) -> Result<(), Stop> {
        let mut rest = lines;
        while let Some((line, after)) = rest.split_first() {
            let group = rest.iter().take_while(|line| waits(&line.kind)).count();
            self.below = if group > 0 { &rest[group..] } else { after };
            let below = self.below;
            let done = match &line.kind {
                _ if group > 0 => self.together(&rest[..group]),
                LineKind::Expect(fact) => {
                    self.note(fact, line.span);
                    Ok(())
                }
                _ => self.line(line),
            };
            if let Err(stop) = done {
                self.look_on(below);
                return Err(stop);
            }
            rest = below;
        }
        Ok(())
    }

    /// Looks from where the scenario has stopped at what was to be looked at next, where somebody wants to know
    /// which lines can fail.
    fn look_on(&mut self, below: &'t [Line]) {
        if !self.driver.looks_on() {
            return;
        }
        self.driver.stand_at_rest();
        self.look_here();
        self.look_over();
        for line in below {
            let LineKind::Expect(fact) = &line.kind else {
                return;
            };
            self.noted += 1;
            if moment(fact) != Moment::Before {
                self.look((fact, line.span, self.noted));
            }
        }
    }

    fn line(&mut self, line: &'t Line) -> Result<(), Stop> {
        let span = line.span;
        match &line.kind {
            LineKind::Section(section) => self.section(section, span),
            LineKind::RunTo(goal) => {
                self.look_here();
                self.run_to(goal, span)?;
                self.has_run = true;
                Ok(())
            }
            LineKind::Snapshot(name) => {
                self.snapshot(name.as_ref(), span);
                Ok(())
            }
            LineKind::Deed(Deed::Offer { by, offer, target }) => {
                self.take_offer((by, offer, target.as_ref()), span)
            }
            LineKind::Deed(Deed::ByHand { words }) => self.by_hand(words, span),
            LineKind::Refused { deed, reason } => self.refused(deed, reason.as_ref(), span),
            _ => Ok(()),
        }
    }

    fn advance(&mut self, until: Until, line: Span) -> Result<(), Stop> {
        let gone = self.driver.advance(until, line);
        self.noted += 1;
        let misjudged = self
            .driver
            .misjudged
            .drain(..)
            .map(|problem| (self.noted, problem));
        self.failed.extend(misjudged);
        gone.map_err(|problem| self.with_answer_below(problem))?;
        self.check_fault(line)
    }

    /// A question that no line answered: one further down would.
    fn with_answer_below(&self, problem: Diagnostic) -> Diagnostic {
        let Pending::Ask(asked) = self.driver.session.game().pending() else {
            return problem;
        };
        if problem.code != codes::UNANSWERED {
            return problem;
        }
        let answer = self
            .below
            .iter()
            .find(|line| self.driver.would_answer(&asked, line));
        match answer {
            Some(line) => blame::answered_below(&problem, line.span),
            None => problem,
        }
    }

    // ---- What is expected

    /// Lets a fact wait for its moment.
    fn note(&mut self, fact: &'t Fact, span: Span) {
        self.noted += 1;
        let noted = (fact, span, self.noted);
        match moment(fact) {
            Moment::Before => {}
            // Behind the last answer `so far` is as far as that has led.
            Moment::SoFar
                if (self.has_run || self.driver.stand == Stand::AtRest)
                    && !self.below.iter().any(|line| moves(&line.kind)) =>
            {
                self.look(noted);
            }
            Moment::WhenOver if self.driver.window.is_some() => self.over.push(noted),
            Moment::Here | Moment::Offered | Moment::AtRest if self.has_run => self.look(noted),
            _ => self.here.push(noted),
        }
    }

    fn look_here(&mut self) {
        if !self.here.is_empty() && self.driver.stand == Stand::AtRest {
            self.driver.deal_on();
        }
        let here = std::mem::take(&mut self.here);
        here.into_iter().for_each(|noted| self.look(noted));
        self.has_run = false;
    }

    fn look_over(&mut self) {
        let over = std::mem::take(&mut self.over);
        over.into_iter().for_each(|noted| self.look(noted));
    }

    /// Looks at a fact; one that does not hold is no reason not to look at the next.
    fn look(&mut self, (fact, span, noted): Noted<'t>) {
        self.driver.turn_to(moment(fact));
        if let Fact::Open {
            denied: true, offer, ..
        } = fact
            && let Ok(offer) = self.driver.offer(offer)
        {
            self.note_closed(offer, span);
        }
        let failed = match fact.is_across() {
            true => {
                let seen = self.driver.seen(fact, span);
                seen.map(|seen| self.report.across.push((span, noted, seen)))
            }
            false => self.driver.expect(fact, span),
        }
        .err();
        // One that looks several times must mean nobody each time.
        let in_vain = failed.is_none() && self.driver.denies_of_nobody(fact);
        { self.in_vain.entry(span) }
            .and_modify(|all| *all &= in_vain)
            .or_insert(in_vain);
        if let (None, Some(who)) = (&failed, self.driver.left_by_then(fact)) {
            self.report.hollow.push(blame::left_by_then(span, &who));
        }
        if failed.is_none() && self.driver.denies_of_some(fact) {
            self.report.hollow.push(blame::denied_of_some(span));
        }
        if let (None, Some(number)) = (&failed, self.driver.number_of_several(fact)) {
            self.report
                .hollow
                .push(blame::number_of_several(&expr_words(number), number.span));
        }
        if failed.is_none() && !self.driver.has_compared(fact) {
            self.report.idle.push(span);
        }
        self.failed.extend(failed.map(|problem| (noted, problem)));
        self.driver.turn_back();
    }

    /// Goes on to where something is to be done, and looks at what had to be so by then.
    fn come_to(&mut self, until: Until, line: Span) -> Result<(), Stop> {
        self.advance(until, line)?;
        self.driver.stand_at_rest();
        self.look_here();
        Ok(())
    }

    /// Rules that broke end the scenario, unless it is about that.
    fn check_fault(&self, line: Span) -> Result<(), Stop> {
        let Pending::Broken(fault) = self.driver.session.game().pending() else {
            return Ok(());
        };
        if self.expects_fault {
            return Ok(());
        }
        let rule = self
            .driver
            .rules()
            .origins
            .get(fault.at as usize)
            .copied()
            .unwrap_or(line);
        let why = self.driver.words().fault(&fault);
        Err(blame::broken(&fault.kind, &why, rule, line).into())
    }

    // ---- Scenes

    fn run_to(&mut self, goal: &'t Goal, span: Span) -> Result<(), Stop> {
        match goal {
            Goal::End => {
                self.advance(Until::Over, span)?;
                self.driver.stand_at_rest();
                Ok(())
            }
            Goal::Scene { scene, nth } => self.reach(scene, *nth, false).map(|_| ()),
            Goal::Wait(times) => {
                for _ in 0..times.map_or(1, |times| times.value) {
                    self.run_to_wait(span)?;
                }
                Ok(())
            }
        }
    }

    fn run_to_wait(&mut self, span: Span) -> Result<(), Stop> {
        if self.at_wait == Some(self.driver.session.cursor()) {
            self.driver.give(Choice::Go, span)?;
        }
        self.advance(Until::Waits, span)?;
        self.driver.stand_at_rest();
        self.at_wait = Some(self.driver.session.cursor());
        match self.driver.is_waiting() && self.driver.ended().is_none() {
            true => Ok(()),
            false => Err(blame::never_waits(&self.driver.state_words(), span).into()),
        }
    }

    fn reach(&mut self, scene: &Name, nth: Option<Int>, is_section: bool) -> Result<Window, Stop> {
        let id = self.scene(scene)?;
        if let Some(nth) = nth.filter(|nth| nth.value == 0) {
            return Err(blame::counted_from_one(&scene.text, nth.span).into());
        }
        let name = nth.map_or_else(
            || scene.text.clone(),
            |nth| format!("{} {}", scene.text, nth.value),
        );
        let nth = nth.map(|nth| u32::try_from(nth.value).unwrap_or(u32::MAX));
        let span = scene.span;
        let from = match self.driver.stand {
            // Who stands at its beginning goes on to the next.
            Stand::Begins(at) if !is_section => at + 1,
            _ => self.driver.passed,
        };
        let running = self
            .driver
            .runs_at(id, from)
            .filter(|_| is_section && nth.is_none());
        if let Some(running) = running {
            return Err(blame::runs_already(&scene.text, running, span).into());
        }
        let before = self.driver.session.log().events.len();
        self.advance(Until::Begins { scene: id, nth, from }, span)?;
        let Some(start) = self.driver.began_at(id, nth, from) else {
            let begun =
                |event: &&Happened| matches!(event.what, What::SceneBegan { scene, .. } if scene == id);
            let log = self.driver.session.log().events.iter();
            let before = if nth.is_none() {
                log.filter(begun).count()
            } else {
                0
            };
            return Err(blame::never_begins(&name, before, &self.driver.state_words(), span).into());
        };
        let window = Window {
            scene: Some((id, nth.unwrap_or(0))),
            start,
        };
        let ended = self.driver.ended_at(window);
        // Answers outside of sections may have left it behind as well.
        let is_left = |end: usize| {
            let mut since = self.driver.session.log().events.iter().take(before).skip(end);
            since.any(|event| matches!(event.what, What::Answered { .. } | What::OfferTaken { .. }))
        };
        let is_over = |end: usize| end < self.driver.passed && nth.is_some() || is_section && is_left(end);
        if ended.is_some_and(is_over) {
            return Err(blame::scene_over(&name, &self.driver.state_words(), span).into());
        }
        if start >= self.driver.passed {
            self.driver.stand = Stand::Begins(start);
            self.driver.passed = start + usize::from(is_section);
        }
        Ok(window)
    }

    fn scene(&self, name: &Name) -> Result<SceneId, Stop> {
        let scenes = &self.driver.rules().scenes;
        let found = scenes.iter().position(|scene| scene.name == name.text);
        let known = scenes.iter().map(|scene| scene.name.as_str());
        let found = found.ok_or_else(|| blame::unknown("scene", &name.text, name.span, known))?;
        Ok(SceneId(found as u16))
    }

    fn section(&mut self, section: &'t Section, span: Span) -> Result<(), Stop> {
        self.look_here();
        let at_end = self.at_end;
        self.at_end &= self.below.is_empty();
        let is_open = self.at_end && self.open > 0;
        self.open -= usize::from(is_open);
        let window = self.reach(&section.scene, section.nth, true)?;
        let around = self.driver.window.and_then(|around| self.driver.ended_at(around));
        if around.is_some_and(|ended| ended < window.start) {
            return Err(blame::begins_later(&section.scene.text, section.scene.span).into());
        }
        if is_open {
            // The game stands where its lines have led.
            self.driver.window.replace(window);
            self.driver.turn_back();
            return self.lines(&section.lines);
        }
        let outer = self.driver.window.replace(window);
        let outer_over = std::mem::take(&mut self.over);
        self.driver.turn_back();
        let done = self.in_section(section, span);
        if done.is_err() && self.driver.looks_on() {
            self.look_here();
            self.look_over();
        }
        self.over = outer_over;
        self.at_end = at_end;
        if done.is_ok() {
            let ended = self.driver.ended_at(window);
            let events = self.driver.session.log().events.len();
            // A scene in which the game has ended is over with all that was played in it.
            let is_over = matches!(self.driver.session.game().pending(), Pending::Over(_));
            let over = is_over.then_some(events);
            self.driver.passed = ended.map(|end| end + 1).or(over).unwrap_or(self.driver.passed);
            self.driver.stand = Stand::AtRest;
        }
        self.driver.window = outer;
        self.driver.turn_back();
        done
    }

    fn in_section(&mut self, section: &'t Section, span: Span) -> Result<(), Stop> {
        self.lines(&section.lines)?;
        self.below = &[];
        let last = section.lines.iter().rev().find(|line| moves(&line.kind));
        let last = last.filter(|line| !matches!(line.kind, LineKind::Section(_)));
        self.advance(Until::SceneOver, last.map_or(span, |line| line.span))?;
        self.driver.stand_at_rest();
        self.look_here();
        self.look_over();
        let half = self.half_given();
        self.driver.pins.clear();
        self.driver.draw_pins.clear();
        half
    }

    /// An answer of several was given more than once, so each of them was to give it; somebody did not.
    fn half_given(&self) -> Result<(), Stop> {
        let left = |pin: &&Pin<'_>| !pin.spent && pin.times > 1 && self.driver.open_seats(pin) != 0;
        match self.driver.pins.iter().find(left) {
            Some(pin) => {
                let who = self.driver.words().seats(self.driver.open_seats(pin));
                Err(blame::half_given(&who, pin.span).into())
            }
            None => Ok(()),
        }
    }

    // ---- Deeds

    /// Neighbouring answers, and what must be refused: each waits for its question, in whatever order they
    /// come.
    fn together(&mut self, lines: &'t [Line]) -> Result<(), Stop> {
        let draws = self.driver.draw_pins.len();
        self.driver.group = self.driver.waited + 1;
        for line in lines {
            match &line.kind {
                LineKind::Deed(deed) => self.driver.pin(deed, line.span)?,
                LineKind::Refused { deed, reason } => self.driver.bar(deed, reason.as_ref(), line.span)?,
                _ => {}
            }
        }
        let last = lines.last().map_or(lines[0].span, |line| line.span);
        if !self.here.is_empty() {
            self.come_to(Until::Wanted { draws }, last)?;
        }
        self.advance(Until::Answered, last)?;
        self.driver.stand_at_rest();
        self.has_run = false;
        self.check_given()
    }

    fn check_given(&mut self) -> Result<(), Stop> {
        self.driver.turn_back();
        let refusals = std::mem::take(&mut self.driver.refusals);
        if let Some(refusal) = refusals.iter().find(|refusal| !refusal.pin.met) {
            return Err(self.driver.never_asked(&refusal.pin).into());
        }
        if let Some(pin) = self.driver.pins.iter().find(|pin| !pin.met) {
            return Err(match self.names_nobody(pin.line) {
                true => blame::answers_for_nobody(pin.span),
                false => self.driver.never_asked(pin),
            }
            .into());
        }
        let draws = &self.driver.draw_pins;
        let draw = draws.iter().find(|pin| pin.next < pin.outcomes.len());
        match draw {
            Some(draw) => Err(blame::undrawn(draw.name, draw.span).into()),
            None => Ok(()),
        }
    }

    fn names_nobody(&self, people: &[Person]) -> bool {
        people
            .iter()
            .all(|person| matches!(self.driver.by(person), Ok(Some(0))))
    }

    fn take_offer(
        &mut self,
        (by, name, target): (&Person, &Name, Option<&Expr>),
        span: Span,
    ) -> Result<(), Stop> {
        let offer = self.driver.offer(name)?;
        let by = self.driver.by(by)?;
        self.come_to(Until::Open { offer, by }, span)?;
        if self.driver.ended().is_some() {
            let why = match self.driver.prompts_in(false).next() {
                Some(_) => "behind the answers above it is open no more, if it was, and the scene is over",
                None => "nobody is asked anything here, so nobody can take it up, and the scene is over",
            };
            return Err(blame::never_open(&name.text, why, span).into());
        }
        let Some(open) = self.driver.open_offer(offer, by) else {
            self.note_closed(offer, span);
            return Err(blame::never_open(&name.text, &self.driver.state_words(), span).into());
        };
        // Of a set each to whom it stands open takes it up, in the order of the seats, as long as it does.
        let is_open = |steps: &Self, seat: u8| steps.driver.open_offer(offer, Some(1 << seat));
        let others = members(by.unwrap_or(0)).filter(|seat| Some(*seat) != open.by);
        let others: Vec<u8> = others.filter(|seat| is_open(self, *seat).is_some()).collect();
        self.give_offer(offer, open, target, span)?;
        for seat in others {
            if let Some(open) = is_open(self, seat) {
                self.give_offer(offer, open, target, span)?;
            }
        }
        self.check_fault(span)
    }

    fn give_offer(
        &mut self,
        offer: OfferId,
        open: OpenOffer,
        target: Option<&Expr>,
        span: Span,
    ) -> Result<(), Stop> {
        let (by, target) = (open.by, self.driver.target(open.among, target)?);
        Ok(self.driver.give(Choice::Offer { offer, by, target }, span)?)
    }

    /// What the host does by hand, as soon as somebody is asked.
    fn by_hand(&mut self, words: &[Name], span: Span) -> Result<(), Stop> {
        let choice = self.deed(words, span)?;
        self.come_to(Until::Asked, span)?;
        if self.driver.ended().is_some() {
            return Err(blame::not_by_hand("the scene is over by then", span).into());
        }
        if let Some(why) = self.driver.refusal(choice) {
            return Err(blame::not_by_hand(&why, span).into());
        }
        self.driver.give(choice, span)?;
        self.check_fault(span)
    }

    fn deed(&self, words: &[Name], span: Span) -> Result<Choice, Stop> {
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let words = words.join(" ");
        let deed = by_hand::deed(self.driver.session.table(), &words);
        let (deed, text) = deed.map_err(|why| blame::not_by_hand(&why, span))?;
        Ok(self.driver.with_text(Choice::ByHand(deed), text))
    }

    /// What must be refused at the next question, other than an answer to it.
    fn refused(&mut self, deed: &'t Deed, reason: Option<&Quoted>, span: Span) -> Result<(), Stop> {
        let refusal = match deed {
            Deed::Offer { by, offer, target } => self.refused_offer((by, offer, target.as_ref()), span)?,
            Deed::ByHand { words } => {
                let deed = self.deed(words, span)?;
                self.come_to(Until::Asked, span)?;
                if matches!(self.driver.session.game().pending(), Pending::Over(_)) {
                    return Err(blame::not_by_hand("the game is over by then", span).into());
                }
                self.driver.refusal(deed)
            }
            Deed::Draw { name, .. } => return Err(blame::chance_refuses(&name.text, span).into()),
            Deed::Answer { .. } => None,
        };
        match (refusal, reason) {
            (None, _) => Err(blame::accepted(None, span).into()),
            (Some(why), Some(reason)) if !has(&why, &reason.text, self.driver.names()) => {
                self.noted += 1;
                let problem = blame::not_so(&format!("refused because: {why}"), None, reason.span);
                self.failed.push((self.noted, problem));
                Ok(())
            }
            (Some(_), _) => Ok(()),
        }
    }

    /// Why an offer is refused where somebody is asked in one of its scenes; nothing when it is not.
    fn refused_offer(
        &mut self,
        (by, name, target): (&Person, &Name, Option<&Expr>),
        span: Span,
    ) -> Result<Option<String>, Stop> {
        let offer = self.driver.offer(name)?;
        let by = self.driver.somebody(by, name.span)?;
        self.driver.check_target(offer, name, target)?;
        self.come_to(Until::Made(offer), span)
            .map_err(|stop| match stop.code {
                codes::UNANSWERED => {
                    blame::never_made(&name.text, self.driver.always_made(offer), span).into()
                }
                _ => stop,
            })?;
        if !self.driver.is_made(offer) || self.driver.ended().is_some() || !self.driver.is_asking() {
            return Err(blame::never_made(&name.text, self.driver.always_made(offer), span).into());
        }
        let Some(open) = self.driver.open_offer(offer, by) else {
            self.note_closed(offer, span);
            return Ok(Some(format!("`{}` is not open to them now", name.text)));
        };
        let taken = Choice::Offer {
            offer,
            by: open.by,
            target: self.driver.target(open.among, target)?,
        };
        match self.driver.would_take(taken) {
            Err(Illegal::WrongKind { .. }) => {
                Err(blame::misshapen(&format!("`{}` picks something else", name.text), span).into())
            }
            _ => Ok(self.driver.refusal(taken)),
        }
    }

    /// An offer that no rule has closed: another one is dealt with.
    fn note_closed(&mut self, offer: OfferId, span: Span) {
        if self.driver.is_made(offer) && self.driver.session.game().deals_with_an_offer() {
            self.report.hollow.push(blame::closed_meanwhile(span));
        }
    }

    // ---- Snapshots

    fn snapshot(&mut self, name: Option<&Quoted>, span: Span) {
        self.report.snapshots.push(Snapshot {
            name: name.map(|name| name.text.clone()),
            span,
            text: story(&self.driver.session),
            rules: self.driver.session.table().rules.clone(),
        });
    }
}

impl Driver<'_> {
    pub(super) fn offer(&self, name: &Name) -> Result<OfferId, Diagnostic> {
        let offers = &self.rules().offers;
        let found = offers.iter().position(|offer| offer.name == name.text);
        let known = offers.iter().map(|offer| offer.name.as_str());
        let found = found.ok_or_else(|| blame::unknown("offer", &name.text, name.span, known))?;
        Ok(OfferId(found as u16))
    }

    /// Who does something: the host, or somebody of a set.
    pub(super) fn by(&self, person: &Person) -> Result<Option<u64>, Diagnostic> {
        match person {
            Person::Host(_) => Ok(None),
            Person::Seats(expr) => self.seats(expr).map(Some),
        }
    }

    /// Who does something, where it would be true of nobody whatever the rules say.
    pub(super) fn somebody(&self, person: &Person, at: Span) -> Result<Option<u64>, Diagnostic> {
        match self.by(person)? {
            Some(0) => Err(blame::nobody_meant("does it", at)),
            by => Ok(by),
        }
    }

    /// Why one of the picks of an answer is refused; nothing when all of them are taken. A name that
    /// nothing has is no refusal but a mistake.
    pub(super) fn refused_picks(
        &self,
        mut asked: Asked,
        pin: &Pin<'_>,
    ) -> Result<Option<String>, Diagnostic> {
        let mut game = self.session.game().clone();
        let from = asked.pick.0;
        let pin = &Pin {
            from: Some(from),
            ..pin.clone()
        };
        loop {
            self.check_branch(&asked, pin)?;
            let choice = match self.answer_of(&asked, pin) {
                Ok(choice) => choice,
                Err(refused) if refused.code == codes::REFUSED_ANSWER => {
                    return Ok(Some(refused.labels[0].text.clone()));
                }
                Err(_) if self.is_branch_elsewhere(&asked, pin) => {
                    return Ok(Some("no such branch is asked for here".to_string()));
                }
                Err(mistake) => return Err(mistake),
            };
            let given = game.write(choice, self.text_of(choice).as_deref());
            match given.and_then(|choice| game.apply(choice, &mut omerta_engine::Silence)) {
                Ok(()) => {}
                Err(Illegal::WrongKind { .. }) if choice != Choice::Pass => {
                    let asked = self.words().options(&game, &asked);
                    return Err(blame::misshapen(&format!("asked is: {asked}"), pin.span));
                }
                Err(illegal) => return Ok(Some(self.words().refusal(&game, &illegal))),
            }
            match game.pending() {
                Pending::Ask(next) if next.pick.0 > asked.pick.0 && !pin.is_cut_at(asked.pick.0) => {
                    asked = next
                }
                _ => return Ok(None),
            }
        }
    }

    /// A branch picks what the rules say it picks, whether it stands open or not.
    fn check_branch(&self, asked: &Asked, pin: &Pin<'_>) -> Result<(), Diagnostic> {
        let AskKind::Menu(branches) = &self.rules().ask(asked.site).kind else {
            return Ok(());
        };
        let answer = pin.answer_at(asked.pick.0).and_then(head_and_rest);
        let Some((name, pick)) = answer else { return Ok(()) };
        let Some(branch) = branches.iter().find(|branch| branch.name == name.text) else {
            return Ok(());
        };
        match (branch.pick, pick.is_some()) {
            (None, true) => Err(blame::misshapen(
                &format!("`{}` picks nothing", branch.name),
                pin.span,
            )),
            (Some(_), false) => Err(blame::misshapen(
                &format!("`{}` picks something", branch.name),
                pin.span,
            )),
            _ => Ok(()),
        }
    }

    /// An offer picks what the rules say it picks, whether it stands open or not.
    fn check_target(&self, offer: OfferId, name: &Name, target: Option<&Expr>) -> Result<(), Diagnostic> {
        match (self.rules().offers[offer.index()].target.is_some(), target) {
            (false, Some(target)) => Err(blame::misshapen(
                &format!("`{}` picks nothing", name.text),
                target.span,
            )),
            (true, None) => Err(blame::misshapen(
                &format!("`{}` picks something", name.text),
                name.span,
            )),
            _ => Ok(()),
        }
    }

    /// Whether an answer begins with a branch of some other question of the rules.
    pub(super) fn is_branch_elsewhere(&self, asked: &Asked, pin: &Pin<'_>) -> bool {
        let answer = pin.answers.get(usize::from(asked.pick.0));
        // Whoever declines has an answer to every question that may be declined, whatever a branch is called.
        if asked.domain != Domain::Menu && answer.is_some_and(|answer| self.is_pass(answer)) {
            return false;
        }
        let Some((name, _)) = answer.and_then(head_and_rest) else {
            return false;
        };
        let has_it = |ask: &AskSite| ask.kind.branches().iter().any(|branch| branch.name == name.text);
        !has_it(self.rules().ask(asked.site)) && self.rules().asks.iter().any(has_it)
    }

    /// Why the game refuses an answer; nothing when it does not. The game is not changed.
    pub(super) fn refusal(&self, choice: Choice) -> Option<String> {
        let refused = self.would_take(choice).err();
        refused.map(|illegal| self.words().refusal(self.session.game(), &illegal))
    }

    /// Where the game stands, in words.
    pub(super) fn state_words(&self) -> String {
        let game = self.session.game();
        match game.pending() {
            Pending::Over(outcome) => self.words().over(None, outcome.winners, outcome.losers),
            Pending::Broken(fault) => self.words().fault(&fault),
            Pending::Ask(asked) => self.words().question(game, &asked),
            Pending::Chance(drawn) => self.words().chance(game, &drawn),
        }
    }

    /// Where the section's scene has ended, if it has.
    fn ended(&self) -> Option<usize> {
        self.window.and_then(|window| self.ended_at(window))
    }

    /// Something has been done: who stood at the beginning of a scene stands at a question now.
    fn stand_at_rest(&mut self) {
        if let Stand::Begins(at) = self.stand {
            self.passed = self.passed.max(at + 1);
        }
        self.stand = Stand::AtRest;
    }

    /// Whether a line further down answers a question.
    fn would_answer(&self, asked: &Asked, line: &Line) -> bool {
        let LineKind::Deed(Deed::Answer { who, choice, .. }) = &line.kind else {
            return false;
        };
        let is_for_it = choice
            .as_ref()
            .is_none_or(|choice| choice.text == self.rules().ask(asked.site).name);
        is_for_it && self.is_put_to_these(asked, who).unwrap_or(false)
    }

    /// Why a line was never asked for: `otherwise` has answered its question, or who was asked instead.
    fn never_asked(&self, pin: &Pin<'_>) -> Diagnostic {
        let range = self.range(false);
        let mut filled = self.filled.iter().rev().map(|at| &self.prompts[*at]);
        let filled = filled.find(|prompt| range.contains(&prompt.at) && self.is_put_to(&prompt.asked, pin));
        if let Some(prompt) = filled {
            return blame::filled_before(&prompt.text, pin.span);
        }
        let meant = pin
            .line
            .iter()
            .filter_map(|person| self.by(person).ok().flatten());
        let meant = meant.fold(0, |set, seats| set | seats);
        let is_meant = |prompt: &&Prompt| {
            let name = &self.rules().ask(prompt.asked.site).name;
            prompt.asked.who & meant != 0 && pin.choice.is_none_or(|choice| choice == name)
        };
        let mut theirs = self.prompts_in(false).filter(is_meant).peekable();
        let first = theirs.peek().copied();
        let always_with_others = theirs.all(|prompt| prompt.asked.who & !meant != 0);
        match first.filter(|_| always_with_others) {
            Some(prompt) => {
                blame::asked_together(&prompt.text, &self.together_words(&prompt.asked), pin.span)
            }
            None => {
                let told = blame::unasked(&self.asked_instead(pin), pin.span);
                match self.offer_answered(pin) {
                    Some(offer) => told.help(format!(
                        "`{offer}` is an offer, and those are taken up with `does`: `NAME does {offer} …`"
                    )),
                    None => told,
                }
            }
        }
    }

    /// `Ann -> raise Bob`, where that is an offer.
    fn offer_answered(&self, pin: &Pin<'_>) -> Option<&str> {
        let answer = pin.answers.first()?;
        let mut named = None;
        super::substitute::each_name(answer, &mut |name| {
            named.get_or_insert_with(|| name.text.clone());
        });
        let mut offers = self.rules().offers.iter().map(|offer| offer.name.as_str());
        let named = named?;
        offers.find(|offer| *offer == named)
    }

    /// All who are asked as one, as a line names them: `Bob, Fay`.
    pub(super) fn together_words(&self, asked: &Asked) -> String {
        let names = members(asked.who).map(|seat| self.words().seat(seat));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Who was asked in this part of the game in the stead of those a line is for, in few words.
    fn asked_instead(&self, pin: &Pin<'_>) -> String {
        let name_of = |prompt: &Prompt| self.rules().ask(prompt.asked.site).name.clone();
        let seats = match &pin.who {
            Who::Host => None,
            Who::Seat(seats) => Some(*seats),
            Who::Seats(program) => Some(self.evaluate(program)),
        };
        let people = seats.map_or("the host".to_owned(), |seats| self.words().seats(seats));
        let were = if seats.is_some_and(|seats| seats.count_ones() > 1) {
            "were"
        } else {
            "was"
        };
        let is_theirs = |prompt: &&Prompt| match seats {
            None => prompt.asked.host,
            Some(seats) => prompt.asked.who & seats != 0,
        };
        let is_question = |prompt: &&Prompt| prompt.asked.domain != Domain::Go;
        let here: Vec<&Prompt> = self.prompts_in(false).filter(is_question).collect();
        let named = |prompt: &&Prompt| pin.choice.is_none_or(|choice| name_of(prompt) == choice);
        let theirs = here.iter().copied().filter(is_theirs).filter(named);
        let (given, withdrawn): (Vec<&Prompt>, Vec<&Prompt>) =
            theirs.partition(|prompt| self.is_answered(prompt, seats));
        let names = |prompts: Vec<&Prompt>| {
            let names: BTreeSet<String> = { prompts.into_iter() }.map(name_of).collect();
            let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
            quoted.join(", ")
        };
        match (names(given), names(withdrawn), pin.choice) {
            (given, withdrawn, _) if !withdrawn.is_empty() => {
                let before = match given.is_empty() {
                    true => String::new(),
                    false => format!("{people} {were} asked for {given} and answered; "),
                };
                return format!(
                    "{before}{people} {were} asked for {withdrawn}, but what was answered before took the question back"
                );
            }
            (given, _, Some(_)) if !given.is_empty() => {
                return format!("{people} {were} asked for {given}, and a line above has answered");
            }
            (given, ..) if !given.is_empty() => {
                return format!("{people} {were} asked only for {given}, and other lines have answered");
            }
            _ => {}
        }
        if let Some(choice) = pin.choice
            && here.iter().any(named)
        {
            let others = here
                .iter()
                .filter(|prompt| named(prompt))
                .map(|prompt| self.whom(prompt));
            let others: Vec<_> = others.collect::<BTreeSet<_>>().into_iter().collect();
            return format!(
                "`{choice}` was asked of {}, and not of {people}",
                others.join(", ")
            );
        }
        let others: BTreeSet<String> = here
            .iter()
            .map(|prompt| format!("{} for `{}`", self.whom(prompt), name_of(prompt)))
            .collect();
        let count = others.len();
        let named: Vec<String> = others.into_iter().take(MOST_NAMED).collect();
        let more = match count.saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        match count {
            0 => "nobody was asked anything here".to_owned(),
            _ => format!(
                "{people} {were} asked nothing here; who was asked: {}{more}",
                named.join(", ")
            ),
        }
    }

    /// Whether one of these, or the host, has answered a question that was put.
    fn is_answered(&self, prompt: &Prompt, seats: Option<u64>) -> bool {
        let events = self.session.log().events.iter().skip(prompt.at);
        let mut events = events.map(|event| &event.what);
        events.any(|what| match what {
            What::Answered { site, who, host, .. } => {
                *site == prompt.asked.site && seats.map_or(*host, |seats| who & seats != 0)
            }
            _ => false,
        })
    }

    fn whom(&self, prompt: &Prompt) -> String {
        match prompt.asked.host {
            true => "the host".to_owned(),
            false => self.words().seats(prompt.asked.who),
        }
    }
}

/// Of how many who were asked instead it is said so.
const MOST_NAMED: usize = 3;

/// Whether a line moves the game.
fn moves(line: &LineKind) -> bool {
    matches!(
        line,
        LineKind::Deed(_) | LineKind::Refused { .. } | LineKind::RunTo(_) | LineKind::Section(_)
    )
}

/// Whether a line waits for its question, together with those beside it.
fn waits(line: &LineKind) -> bool {
    match line {
        LineKind::Deed(deed) => matches!(deed, Deed::Answer { .. } | Deed::Draw { .. }),
        LineKind::Refused { deed, .. } => matches!(deed, Deed::Answer { .. }),
        _ => false,
    }
}
