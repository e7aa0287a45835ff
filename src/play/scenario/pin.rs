//! Answers that are written down and wait for their questions.

use super::{
    blame,
    drive::Driver,
    notes::{DrawPin, Pin, Refusal, Who, has},
};
use crate::words::TIME_UP;
use omerta_core::{codes, diagnostic::Diagnostic, rules::SceneId, source::Span};
use omerta_engine::{Asked, Choice, Domain, Happened, Pending, What};
use omerta_syntax::{
    play_tree::{Deed, Person, Quoted},
    tree::{Expr, ExprKind, Name},
};

impl<'t> Driver<'t> {
    /// Lets answers and draws wait for their questions.
    pub(super) fn pin(&mut self, deed: &'t Deed, span: Span) -> Result<(), Diagnostic> {
        match deed {
            Deed::Answer {
                who: people,
                choice,
                answers,
                more,
            } => {
                let pins = self.pins_of((people, choice.as_ref(), answers, *more), span)?;
                self.pins.extend(pins);
            }
            Deed::Draw { name, outcomes } => {
                let known = self.rules().draws.iter().map(|draw| draw.name.as_str());
                if !known.clone().any(|known| known == name.text) {
                    return Err(blame::unknown("draw", &name.text, name.span, known));
                }
                self.draw_pins.push(DrawPin {
                    name: &name.text,
                    outcomes,
                    next: 0,
                    span,
                });
            }
            Deed::Offer { .. } | Deed::ByHand { .. } => {}
        }
        Ok(())
    }

    /// Lets an answer wait for its question that must be refused then.
    pub(super) fn bar(
        &mut self,
        deed: &'t Deed,
        reason: Option<&'t Quoted>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if let Deed::Answer {
            who,
            choice,
            answers,
            more,
        } = deed
        {
            let pins = self.pins_of((who, choice.as_ref(), answers, *more), span)?;
            self.refusals.extend(pins.into_iter().map(|pin| Refusal {
                pin,
                reason,
                within: None,
            }));
        }
        Ok(())
    }

    /// One for each of those who stand in a line.
    fn pins_of(
        &mut self,
        (people, choice, answers, more): (&'t [Person], Option<&'t Name>, &'t [Expr], bool),
        span: Span,
    ) -> Result<Vec<Pin<'t>>, Diagnostic> {
        if let Some(choice) = choice {
            self.check_choice(&choice.text, span)?;
        }
        self.waited += 1;
        let pin = |person| {
            Ok(Pin {
                who: self.who(person)?,
                choice: choice.map(|name| name.text.as_str()),
                answers,
                line: people,
                span,
                order: self.waited,
                more,
                from: None,
                used: 0,
                times: 0,
                took: None,
                spent: false,
                met: false,
            })
        };
        people.iter().map(pin).collect()
    }

    pub(super) fn check_choice(&self, choice: &str, span: Span) -> Result<(), Diagnostic> {
        let known = self.rules().asks.iter().map(|ask| ask.name.as_str());
        let found = known.clone().any(|known| known == choice);
        if found {
            Ok(())
        } else {
            Err(blame::unknown("choice", choice, span, known))
        }
    }

    pub(super) fn who(&self, person: &Person) -> Result<Who, Diagnostic> {
        match person {
            Person::Host(_) => Ok(Who::Host),
            Person::Seats(expr) if matches!(&*expr.kind, ExprKind::Int(_)) => {
                Ok(Who::Seat(self.seats(expr)?))
            }
            Person::Seats(expr) => Ok(Who::Seats(self.compile(expr)?)),
        }
    }

    /// The seats a pin may still be used for.
    pub(super) fn open_seats(&self, pin: &Pin<'_>) -> u64 {
        match &pin.who {
            Who::Host => 0,
            Who::Seat(seat) => seat & !pin.used,
            Who::Seats(program) => self.evaluate(program) & !pin.used,
        }
    }

    /// Whether a question is put to somebody.
    pub(super) fn is_put_to(&self, asked: &Asked, pin: &Pin<'_>) -> bool {
        if pin
            .choice
            .is_some_and(|choice| self.rules().ask(asked.site).name != choice)
        {
            return false;
        }
        match pin.who {
            // A wait goes on by itself: it takes no answer that is meant for a question.
            Who::Host => {
                asked.host && (asked.domain != Domain::Go || goes_on(pin) && !self.answers_what_follows(pin))
            }
            Who::Seat(_) | Who::Seats(_) => {
                let open = self.open_seats(pin);
                let alone = asked.who & !open == 0;
                !asked.host && asked.who != 0 && (alone || asked.who & open != 0 && self.are_all(pin, asked))
            }
        }
    }

    /// Whether a `yes` at a wait is for the question that the host is put behind it: nothing else answers that.
    fn answers_what_follows(&self, pin: &Pin<'_>) -> bool {
        let is_yes = |answer: &Expr| matches!(&*answer.kind, ExprKind::Truth(true));
        let of_host = self
            .pins
            .iter()
            .filter(|pin| !pin.spent && matches!(pin.who, Who::Host));
        if !pin.answers.iter().all(is_yes) || of_host.count() > 1 {
            return false;
        }
        let mut game = self.session.game().clone();
        let gone = game.apply(Choice::Go, &mut omerta_engine::Silence);
        let scene = self.window.and_then(|window| window.scene);
        gone.is_ok()
            && scene.is_none_or(|(scene, _)| game.look().during(scene))
            && matches!(game.pending(), Pending::Ask(next) if next.host && next.domain == Domain::YesNo)
    }

    /// Whether all who are asked together stand in the line of an answer: `Ann, Bob -> Cid`.
    pub(super) fn are_all(&self, pin: &Pin<'_>, asked: &Asked) -> bool {
        let named = pin.line.iter().map(|person| self.by(person).ok().flatten());
        asked.who & !named.flatten().fold(0, |set, seats| set | seats) == 0
    }

    /// The answer that waits for this question: the first that may be given; where none may, why the
    /// first may not.
    pub(super) fn matching(&self, asked: &Asked) -> Option<Result<(usize, Choice), Diagnostic>> {
        let fitting = self
            .pins
            .iter()
            .enumerate()
            .filter(|(_, pin)| !pin.spent && self.is_put_to(asked, pin) && !self.is_barred(asked, pin));
        let mut refused = None;
        let mut held_up: Vec<u64> = Vec::new();
        for (index, pin) in fitting {
            // The answers of one person are given in their order: what the game refuses holds up those below.
            if held_up.contains(&self.open_seats(pin)) {
                continue;
            }
            match self
                .answer_of(asked, pin)
                .and_then(|choice| self.may(choice, asked, pin))
            {
                Ok(choice) => return Some(Ok((index, choice))),
                Err(diagnostic) if refused.is_none() => {
                    if diagnostic.code == codes::REFUSED_ANSWER {
                        held_up.push(self.open_seats(pin));
                    }
                    refused = Some(
                        match diagnostic.code == codes::UNKNOWN_IN_SCENARIO
                            && self.is_branch_elsewhere(asked, pin)
                        {
                            true => blame::another_question(
                                &self.words().question(self.session.game(), asked),
                                pin.span,
                            ),
                            false if diagnostic.code == codes::NOT_ONE && pin.choice.is_none() => {
                                let question = self.words().question(self.session.game(), asked);
                                blame::came_to(diagnostic, &question, &self.rules().ask(asked.site).name)
                            }
                            false => diagnostic,
                        },
                    );
                }
                Err(_) => {}
            }
        }
        refused.map(Err)
    }

    /// Whether the same people have something to be refused before they give an answer.
    fn is_barred(&self, asked: &Asked, pin: &Pin<'_>) -> bool {
        let mut before = self
            .refusals
            .iter()
            .filter(|refusal| refusal.pin.order < pin.order);
        before.any(|refusal| self.bars(asked, &refusal.pin))
    }

    /// Whether a refusal holds up what stands below it: one that names another question, or a branch of one, waits for that.
    fn bars(&self, asked: &Asked, refusal: &Pin<'_>) -> bool {
        let is_of_another = |choice: &str| self.rules().ask(asked.site).name != choice;
        let waits = refusal.choice.is_some_and(is_of_another)
            || refusal.met && self.is_branch_elsewhere(asked, refusal);
        self.is_open_to(asked, refusal) && !waits
    }

    /// Whether a line still waits for somebody who is asked.
    fn is_open_to(&self, asked: &Asked, pin: &Pin<'_>) -> bool {
        !pin.spent
            && match pin.who {
                Who::Host => asked.host,
                Who::Seat(_) | Who::Seats(_) => self.open_seats(pin) & asked.who != 0,
            }
    }

    /// Whether a refusal is due at a question: it is put to them, and they have given what stands above it.
    fn is_due(&self, asked: &Asked, pin: &Pin<'_>) -> bool {
        let given = self
            .pins
            .iter()
            .filter(|given| (self.group..pin.order).contains(&given.order));
        let refused = self.refusals.iter().map(|refusal| &refusal.pin);
        let mut refused = refused.filter(|refused| refused.order < pin.order);
        let mut given = given.filter(|given| self.is_open_to(asked, given));
        let is_next = given.next().is_none() && !refused.any(|above| self.bars(asked, above));
        let has_been = pin.met && self.is_branch_elsewhere(asked, pin);
        !pin.spent && self.is_put_to(asked, pin) && is_next && !has_been
    }

    /// Judges the refusals that wait for this question.
    pub(super) fn judge(&mut self, asked: &Asked) -> Result<(), Diagnostic> {
        for at in 0..self.refusals.len() {
            let within = self.refusals[at].within;
            self.refusals[at].pin.spent |=
                within.is_some_and(|(scene, times)| self.ended_times(scene) > times);
        }
        while let Some(at) = (0..self.refusals.len()).find(|at| self.is_due(asked, &self.refusals[*at].pin)) {
            let Refusal { pin, reason, within } = self.refusals[at].clone();
            if self.is_branch_elsewhere(asked, &pin) && reason.is_none() {
                // Here it is refused; where the question comes that has the branch, it has to be refused there.
                let innermost = self.session.game().look().scenes().last();
                self.refusals[at].pin.met = true;
                self.refusals[at].within = innermost.map(|scene| (scene, self.ended_times(scene)));
                continue;
            }
            let Some(why) = self.refused_picks(*asked, &pin)? else {
                let question = within.map(|_| self.words().question(self.session.game(), asked));
                return Err(blame::accepted(question, pin.span));
            };
            if let Some(reason) = reason.filter(|reason| !has(&why, &reason.text, self.names())) {
                let instead = format!("refused because: {why}");
                self.misjudged.push(blame::not_so(&instead, None, reason.span));
            }
            let together = asked.who.count_ones() > 1;
            for other in 0..self.refusals.len() {
                let refusal = &self.refusals[other].pin;
                let is_same = together && refusal.order == pin.order && self.is_open_to(asked, refusal);
                if other == at || is_same {
                    let refusal = &mut self.refusals[other].pin;
                    refusal.met = true;
                    refusal.used |= asked.who;
                    self.refusals[other].pin.spent =
                        matches!(pin.who, Who::Host) || self.open_seats(&self.refusals[other].pin) == 0;
                }
            }
        }
        Ok(())
    }

    /// How often a scene has ended.
    fn ended_times(&self, wanted: SceneId) -> usize {
        let ends = |event: &&Happened| matches!(event.what, What::SceneEnded { scene } if scene == wanted);
        self.session.log().events.iter().filter(ends).count()
    }

    /// The choice a pin makes; of several picks the one that is asked for now.
    pub(super) fn answer_of(&self, asked: &Asked, pin: &Pin<'_>) -> Result<Choice, Diagnostic> {
        let (pick, wanted) = asked.pick;
        let from = pin.from.unwrap_or(pick);
        if pin.answers.len() > usize::from(wanted.saturating_sub(from)) {
            let given = pin.answers.len() + usize::from(from);
            return Err(blame::picks_too_many(given, wanted, pin.span));
        }
        match pin.answer_at(pick) {
            Some(answer) => self.choice(asked, answer),
            None => Ok(Choice::Pass),
        }
    }

    /// Whether the game takes it.
    fn may(&self, choice: Choice, asked: &Asked, pin: &Pin<'_>) -> Result<Choice, Diagnostic> {
        match self.would_take(choice) {
            Ok(()) => Ok(choice),
            Err(illegal) => {
                let why = self.words().refusal(self.session.game(), &illegal);
                let (pick, wanted) = asked.pick;
                Err(match pin.answer_at(pick) {
                    Some(answer) if wanted > 1 => blame::pick_refused(usize::from(pick), &why, answer.span),
                    Some(_) => blame::may_be_refused(&why, pin.span),
                    None => blame::pick_missing(usize::from(pick), &why, pin.span),
                })
            }
        }
    }

    /// A pin has answered a question, with all its picks, and so have others of its line who were asked
    /// together with it.
    pub(super) fn use_pin(&mut self, index: usize, asked: &Asked) {
        let line = self.pins[index].order;
        for other in 0..self.pins.len() {
            let pin = &self.pins[other];
            let together = asked.who.count_ones() > 1 && pin.order == line;
            if other != index && !(together && self.open_seats(pin) & asked.who != 0) {
                continue;
            }
            let pin = &mut self.pins[other];
            pin.met = true;
            pin.used |= asked.who;
            pin.from = None;
            pin.times += 1;
            pin.took = Some(asked.site);
            let spent = matches!(pin.who, Who::Host) || self.open_seats(&self.pins[other]) == 0;
            self.pins[other].spent = spent;
        }
    }
}

/// `host -> yes`, `host -> go`: to go on after a wait.
fn goes_on(pin: &Pin<'_>) -> bool {
    pin.answers.iter().all(|answer| {
        let is_yes = matches!(&*answer.kind, ExprKind::Truth(true));
        is_yes
            || answer
                .bare_name()
                .is_some_and(|name| matches!(name.text.as_str(), "go" | TIME_UP))
    })
}
