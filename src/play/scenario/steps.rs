//! Takes the lines of a scenario one after the other.

use super::{
    answer::head_and_rest,
    blame::{self, fault_code},
    drive::{Driver, Until},
    expand::Test,
    notes::{Pin, Window},
    report::{Report, Snapshot},
    rules::RulesSource,
    setup::Begun,
};
use crate::{by_hand, story::story, words::members};
use omerta_core::{
    codes,
    diagnostic::Diagnostic,
    rules::{AskKind, OfferId, SceneId},
    source::Span,
};
use omerta_engine::{Asked, Choice, OpenOffer, Pending};
use omerta_syntax::{
    play_tree::{AskedFact, Audience, Deed, Denial, Fact, Goal, Line, LineKind, Person, Quoted, Section},
    tree::{Expr, Int, Name},
};

/// Plays a scenario; what fails stands in the report.
pub(super) fn play(test: &Test, source: &dyn RulesSource, begun: Begun, report: &mut Report) {
    let mut driver = Driver::new(source, begun);
    let mut player = Player {
        driver: &mut driver,
        report,
        awaited: Vec::new(),
        early: Vec::new(),
        expects_fault: expects_fault(&test.lines),
    };
    let done = player
        .lines(&test.lines)
        .and_then(|()| player.check_fault(test.span));
    if let Err(problem) = done {
        player.report.diagnostics.push(*problem);
    }
    if let (Some(card), Some(problem)) = (driver.never_dealt(), report.diagnostics.first_mut()) {
        *problem = blame::never_dealt(problem.clone(), card);
    }
    report.session = Some(driver.session);
}

/// Whether a scenario wants the rules to break.
fn expects_fault(lines: &[Line]) -> bool {
    lines.iter().any(|line| match &line.kind {
        LineKind::Expect(Fact::Fault(_)) => true,
        LineKind::Section(section) => expects_fault(&section.lines),
        _ => false,
    })
}

/// What ends a scenario before its time; in a box, for it is seldom and large.
type Stop = Box<Diagnostic>;

struct Player<'p, 't> {
    driver: &'p mut Driver<'t>,
    report: &'p mut Report,
    /// What must be said, told or done before the question of the next answer is put, with the number of
    /// mistakes above it.
    awaited: Vec<(&'t Line, usize)>,
    /// Answers that were let wait before their turn, beside a refused one that stands above them.
    early: Vec<&'t Line>,
    expects_fault: bool,
}

impl<'t> Player<'_, 't> {
    fn lines(&mut self, lines: &'t [Line]) -> Result<(), Stop> {
        let mut rest = lines;
        while let Some((line, after)) = rest.split_first() {
            let run = rest.iter().take_while(|line| is_pinned(&line.kind)).count();
            if run > 0 {
                self.run(&rest[..run])?;
                rest = &rest[run..];
                continue;
            }
            if let LineKind::Refused { deed, .. } = &line.kind {
                self.let_wait(deed, after);
            }
            match is_before_deed(after) && self.is_yet_to_come(&line.kind) {
                true => self.awaited.push((line, self.report.diagnostics.len())),
                false => self.line(line)?,
            }
            rest = after;
        }
        Ok(())
    }

    fn line(&mut self, line: &'t Line) -> Result<(), Stop> {
        match &line.kind {
            LineKind::Section(section) => self.section(section, line.span),
            LineKind::RunTo(Goal::End) => self.advance(Until::Over, line.span),
            LineKind::RunTo(Goal::Scene { scene, nth }) => self.reach(scene, *nth, false).map(|_| ()),
            LineKind::Snapshot(name) => {
                self.snapshot(name.as_ref(), line.span);
                Ok(())
            }
            LineKind::Deed(Deed::Offer { by, offer, target }) => {
                self.take_offer((by, offer, target.as_ref()), line.span)
            }
            LineKind::Deed(Deed::ByHand { words }) => self.by_hand(words, line.span),
            LineKind::Refused { deed, reason } => self.refused(deed, reason.as_ref(), line.span),
            LineKind::Expect(Fact::Setup { .. }) => Ok(()),
            LineKind::Expect(_) => {
                // An expectation that does not hold is no reason not to look at the next.
                self.report.diagnostics.extend(self.failed(line));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn advance(&mut self, until: Until<'_>, line: Span) -> Result<(), Stop> {
        self.driver.advance(until, line)?;
        self.check_fault(line)
    }

    /// Goes on to where something is to be done, and looks at what had to come before.
    fn come_to(&mut self, until: Until<'_>, line: Span) -> Result<(), Stop> {
        self.advance(until, line)?;
        let mut more = 0;
        for (line, above) in std::mem::take(&mut self.awaited) {
            if let Some(problem) = self.failed(line) {
                self.report.diagnostics.insert(above + more, problem);
                more += 1;
            }
        }
        Ok(())
    }

    /// What is wrong with an expectation that does not hold.
    fn failed(&self, line: &Line) -> Option<Diagnostic> {
        match &line.kind {
            LineKind::Expect(fact) => self.driver.expect(fact, line.span).err(),
            _ => None,
        }
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
        Err(blame::broken(fault_code(&fault.kind), &why, rule, line).into())
    }

    // ---- Scenes

    fn reach(&mut self, scene: &Name, nth: Option<Int>, near: bool) -> Result<Window, Stop> {
        let id = self.scene(scene)?;
        let nth = nth.map(|nth| u32::try_from(nth.value).unwrap_or(u32::MAX));
        let span = scene.span;
        self.advance(Until::Begins { scene: id, nth, near }, span)?;
        let Some(start) = self.driver.began_at(id, nth) else {
            let name = nth.map_or_else(|| scene.text.clone(), |nth| format!("{} {nth}", scene.text));
            return Err(blame::never_begins(&name, &self.driver.state_words(), span).into());
        };
        let window = Window {
            scene: Some((id, nth.unwrap_or(0))),
            start,
        };
        let ended = self.driver.ended_at(window);
        if let Some(nth) = nth.filter(|_| ended.is_some_and(|end| end <= self.driver.passed)) {
            let name = format!("{} {nth}", scene.text);
            return Err(blame::scene_over(&name, &self.driver.state_words(), span).into());
        }
        self.driver.passed = start + 1;
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
        let window = self.reach(&section.scene, section.nth, true)?;
        let outer = self.driver.window.replace(window);
        let (before, late) = section.lines.split_at(last_move(&section.lines));
        self.lines(before)?;
        let mut left = Vec::new();
        for line in late {
            match self.may_come(&line.kind) {
                true => left.push(line),
                false => self.line(line)?,
            }
        }
        let last = before
            .last()
            .filter(|line| !matches!(line.kind, LineKind::Section(_)));
        self.advance(Until::SceneOver, last.map_or(span, |line| line.span))?;
        for line in left {
            self.line(line)?;
        }
        let half = self.half_given();
        self.driver.pins.clear();
        self.driver.draw_pins.clear();
        half?;
        self.driver.passed = self.driver.ended_at(window).unwrap_or(self.driver.passed);
        self.driver.window = outer;
        Ok(())
    }

    /// Whether a line is about what may still come before the scene is over: what must not, and what
    /// must and has not yet.
    fn may_come(&self, line: &LineKind) -> bool {
        let LineKind::Expect(fact) = line else {
            return false;
        };
        matches!(tense(fact), Tense::All) || self.is_yet_to_come(line)
    }

    /// Whether a line is about what must be said or done at some time, and has not been yet.
    fn is_yet_to_come(&self, line: &LineKind) -> bool {
        let LineKind::Expect(fact) = line else {
            return false;
        };
        matches!(tense(fact), Tense::Ever) && self.driver.expect(fact, Span::default()).is_err()
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

    /// Lets the answers that stand beside a refused one wait with it, for they may be asked for first; not
    /// those of people who have something to be refused before.
    fn let_wait(&mut self, refused: &Deed, after: &'t [Line]) {
        let mut barred = self.driver.answering(refused);
        for line in after {
            let (LineKind::Deed(deed) | LineKind::Refused { deed, .. }) = &line.kind else {
                return;
            };
            let (Some(not_yet), Some(who)) = (barred, self.driver.answering(deed)) else {
                return;
            };
            if matches!(line.kind, LineKind::Refused { .. }) {
                barred = Some((not_yet.0 | who.0, not_yet.1 || who.1));
                continue;
            }
            let apart = who.0 & not_yet.0 == 0 && !(who.1 && not_yet.1);
            // What is wrong with it is said when it is its turn.
            if apart && !self.is_early(line) && self.driver.pin(deed, line.span).is_ok() {
                self.early.push(line);
            }
        }
    }

    fn is_early(&self, line: &Line) -> bool {
        self.early.iter().any(|early| std::ptr::eq(*early, line))
    }

    /// Neighbouring answers: each waits for its question, in whatever order they come.
    fn run(&mut self, lines: &'t [Line]) -> Result<(), Stop> {
        let before = (self.driver.pins.len(), self.driver.draw_pins.len());
        for line in lines {
            if let LineKind::Deed(deed) = &line.kind
                && !self.is_early(line)
            {
                self.driver.pin(deed, line.span)?;
            }
        }
        let last = lines.last().map_or(lines[0].span, |line| line.span);
        if !self.awaited.is_empty() {
            self.come_to(Until::Wanted { before }, last)?;
        }
        self.advance(Until::Answered, last)?;
        self.check_given()
    }

    fn check_given(&self) -> Result<(), Stop> {
        let answer = self.driver.pins.iter().find(|pin| !pin.met).map(|pin| pin.span);
        let draw = self
            .driver
            .draw_pins
            .iter()
            .find(|pin| pin.next < pin.outcomes.len())
            .map(|pin| pin.span);
        let Some(span) = answer.or(draw) else {
            return Ok(());
        };
        let unmet = self.driver.pins.iter().find(|pin| !pin.met);
        Err(match unmet.and_then(|pin| self.driver.filled_for(pin)) {
            Some(question) => blame::filled_before(question, span),
            None if unmet.is_some_and(|pin| self.names_nobody(pin.line)) => blame::answers_for_nobody(span),
            None => blame::unasked(&self.driver.asked_instead(), span),
        }
        .into())
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
        let over = self.driver.window.and_then(|window| self.driver.ended_at(window));
        if over.is_some() {
            return Err(blame::never_open_here(&name.text, span).into());
        }
        let Some(open) = self.driver.open_offer(offer, by) else {
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
        let deed = self.deed(words, span)?;
        self.come_to(Until::Asked, span)?;
        let choice = Choice::ByHand(deed);
        let over = self.driver.window.and_then(|window| self.driver.ended_at(window));
        if over.is_some() {
            return Err(blame::not_by_hand("the scene is over by then", span).into());
        }
        if let Some(why) = self.driver.refusal(choice) {
            return Err(blame::not_by_hand(&why, span).into());
        }
        self.driver.give(choice, span)?;
        self.check_fault(span)
    }

    fn deed(&self, words: &[Name], span: Span) -> Result<omerta_engine::Deed, Stop> {
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let deed = by_hand::deed(self.driver.session.table(), &words.join(" "));
        deed.map_err(|why| blame::not_by_hand(&why, span).into())
    }

    fn refused(&mut self, deed: &'t Deed, reason: Option<&Quoted>, span: Span) -> Result<(), Stop> {
        let refusal = match deed {
            Deed::Offer { by, offer, target } => self.refused_offer((by, offer, target.as_ref()))?,
            Deed::Answer { .. } => self.refused_answer(deed, span)?,
            Deed::ByHand { words } => {
                let deed = self.deed(words, span)?;
                self.come_to(Until::Asked, span)?;
                self.driver.refusal(Choice::ByHand(deed))
            }
            Deed::Draw { .. } => None,
        };
        match (refusal, reason) {
            (None, _) => Err(blame::accepted(span).into()),
            (Some(why), Some(reason)) if !why.contains(&reason.text) => {
                self.report.diagnostics.push(blame::not_so(
                    &format!("refused because: {why}"),
                    &[],
                    reason.span,
                ));
                Ok(())
            }
            (Some(_), _) => Ok(()),
        }
    }

    /// Why an offer is refused where the game stands; nothing when it is not.
    fn refused_offer(
        &mut self,
        (by, name, target): (&Person, &Name, Option<&Expr>),
    ) -> Result<Option<String>, Stop> {
        let offer = self.driver.offer(name)?;
        let by = self.driver.by(by)?;
        let Some(open) = self.driver.open_offer(offer, by) else {
            return Ok(Some(format!("`{}` does not stand open to them now", name.text)));
        };
        let target = self.driver.target(open.among, target)?;
        Ok(self.driver.refusal(Choice::Offer {
            offer,
            by: open.by,
            target,
        }))
    }

    /// Why an answer is refused when it is asked for; nothing when it is not.
    fn refused_answer(&mut self, deed: &'t Deed, span: Span) -> Result<Option<String>, Stop> {
        let before = self.driver.pins.len();
        self.driver.pin(deed, span)?;
        let pins: Vec<Pin<'t>> = self.driver.pins.split_off(before);
        let Some(pin) = pins.first() else { return Ok(None) };
        self.come_to(Until::Put(pin), span)?;
        let over = self.driver.window.and_then(|window| self.driver.ended_at(window));
        match self.driver.session.game().pending() {
            Pending::Ask(asked) if over.is_none() && self.driver.is_put_to(&asked, pin) => {
                Ok(self.driver.refused_picks(asked, pin)?)
            }
            _ => Err(match self.driver.filled_for(pin) {
                Some(question) => blame::filled_before(question, span),
                None => blame::unasked(&self.driver.asked_instead(), span),
            }
            .into()),
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

    /// Whom an answer is for: seats, and whether it is the host's; nothing where it names nobody.
    fn answering(&self, deed: &Deed) -> Option<(u64, bool)> {
        let Deed::Answer { who, .. } = deed else {
            return None;
        };
        who.iter().try_fold((0, false), |(seats, host), person| {
            Some(match self.by(person).ok()? {
                Some(more) => (seats | more, host),
                None => (seats, true),
            })
        })
    }

    /// Why one of the picks of an answer is refused; nothing when all of them are taken. A name that
    /// nothing has is no refusal but a mistake.
    fn refused_picks(&self, mut asked: Asked, pin: &Pin<'_>) -> Result<Option<String>, Diagnostic> {
        let mut game = self.session.game().clone();
        loop {
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
            if let Err(illegal) = game.apply(choice, &mut omerta_engine::Silence) {
                return Ok(Some(self.words().refusal(&game, &illegal)));
            }
            match game.pending() {
                Pending::Ask(next) if next.pick.0 > asked.pick.0 => asked = next,
                _ => return Ok(None),
            }
        }
    }

    /// Whether an answer begins with a branch of some other question of the rules.
    pub(super) fn is_branch_elsewhere(&self, asked: &Asked, pin: &Pin<'_>) -> bool {
        let answer = pin.answers.get(usize::from(asked.pick.0));
        let Some((name, _)) = answer.and_then(head_and_rest) else {
            return false;
        };
        let asks = self.rules().asks.iter();
        let mut branches = asks.flat_map(|ask| match &ask.kind {
            AskKind::Menu(branches) => branches.as_slice(),
            _ => &[],
        });
        branches.any(|branch| branch.name == name.text)
    }

    /// Why the game refuses an answer; nothing when it does not. The game is not changed.
    fn refusal(&self, choice: Choice) -> Option<String> {
        let mut copy = self.session.game().clone();
        let refused = copy.apply(choice, &mut omerta_engine::Silence).err();
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

    /// The question of this part of the game that an answer was for and that `otherwise` has answered.
    fn filled_for(&self, pin: &Pin<'_>) -> Option<&str> {
        let range = self.range(false);
        let prompts = self.filled.iter().rev().map(|at| &self.prompts[*at]);
        let mut here = prompts.filter(|prompt| range.contains(&prompt.at));
        here.find(|prompt| self.is_put_to(&prompt.asked, pin))
            .map(|prompt| prompt.text.as_str())
    }

    /// Who was asked in this part of the game, in words.
    fn asked_instead(&self) -> String {
        let asked: Vec<_> = self.prompts_in(false).map(|prompt| prompt.text.clone()).collect();
        match asked.len() {
            0 => "nobody was asked anything here".to_string(),
            count => format!("asked here: {}", asked[count.saturating_sub(6)..].join("; ")),
        }
    }
}

/// The place behind the last line that moves the game.
fn last_move(lines: &[Line]) -> usize {
    let moves = |line: &Line| {
        matches!(
            line.kind,
            LineKind::Deed(_) | LineKind::Refused { .. } | LineKind::RunTo(_) | LineKind::Section(_)
        )
    };
    lines.iter().rposition(moves).map_or(0, |last| last + 1)
}

/// Whether the next of these lines that moves the game is something done, and comes to its own question
/// or offer.
fn is_before_deed(lines: &[Line]) -> bool {
    let next = lines
        .iter()
        .find(|line| last_move(std::slice::from_ref(line)) > 0);
    next.is_some_and(|line| match &line.kind {
        LineKind::Deed(_) => true,
        // Whether an offer stands open is looked at where the game stands.
        LineKind::Refused { deed, .. } => !matches!(deed, Deed::Offer { .. }),
        _ => false,
    })
}

/// What of a scene a fact is about.
enum Tense {
    /// How things stand now.
    Now,
    /// That something is said, told, asked or done at some time of it.
    Ever,
    /// That it is not, in all of it.
    All,
}

fn tense(fact: &Fact) -> Tense {
    let denial = match fact {
        Fact::Told {
            who: Audience::Nobody(_) | Audience::Only(_),
            denial: None,
            ..
        } => return Tense::All,
        Fact::Said { denial, .. }
        | Fact::Asked(AskedFact { denial, .. })
        | Fact::Told { denial, .. }
        | Fact::Drawn { denial, .. }
        | Fact::Happened { denial, .. }
        | Fact::Applied { denial, .. } => *denial,
        _ => return Tense::Now,
    };
    match denial {
        None => Tense::Ever,
        Some(Denial::Not) => Tense::All,
        Some(Denial::NotYet | Denial::Never) => Tense::Now,
    }
}

/// Whether a line is an answer or a draw that waits for its question.
fn is_pinned(line: &LineKind) -> bool {
    matches!(line, LineKind::Deed(Deed::Answer { .. } | Deed::Draw { .. }))
}
