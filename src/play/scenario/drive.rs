//! Brings a game forward: answers what lines answer, fills what they leave open, and stops where
//! somebody wants it to.

use super::{
    blame::{self, fault_code},
    moment::{Moment, Stand, View},
    notes::{Draw, DrawPin, Edges, Pin, Prompt, Refusal, Who, Window},
    rules::RulesSource,
    setup::{Begun, Standing},
};
use crate::{
    chance::Chance,
    policy,
    session::Session,
    words::{Words, members},
};
use omerta_core::{
    codes,
    diagnostic::{Diagnostic, Repair},
    rules::{AskKind, GroupId, Kind, OfferId, Program, Ruleset, SceneId, Shuffle, ZoneId},
    source::Span,
    written::OF_RULES,
};
use omerta_engine::{Asked, Choice, Domain, Drawn, Fault, Game, Illegal, Pending, What};
use omerta_syntax::{
    play_tree::{Otherwise, Person},
    tree::{Expr, ExprKind},
};
use std::{cell::RefCell, collections::VecDeque};

/// The number of the first text of a scenario that the game has not been given.
const SAID: u32 = OF_RULES | OF_RULES >> 1;

/// What fills what no line answers.
pub(super) enum Filler {
    Nothing,
    Pass,
    Random(Chance),
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// The scene begins, for that time or for the next behind a place of the log; also where a rule on its
    /// beginning asks something.
    Begins {
        scene: SceneId,
        nth: Option<u32>,
        from: usize,
    },
    /// The section's scene is over.
    SceneOver,
    /// One of the lines that wait together is wanted; `draws` were written down before them.
    Wanted { draws: usize },
    /// All answers that wait have been given, and the game pauses again.
    Answered,
    /// Somebody is asked, or the host waits.
    Asked,
    /// The host waits.
    Waits,
    /// The offer stands open.
    Open { offer: OfferId, by: Option<u64> },
    /// Somebody is asked in a scene in which the offer may be made.
    Made(OfferId),
    /// The end.
    Over,
}

/// A game that is being brought forward.
pub(super) struct Driver<'t> {
    source: &'t dyn RulesSource,
    pub(super) session: Session,
    /// The texts that stand in answers.
    said: RefCell<Vec<String>>,
    hands: Vec<VecDeque<(GroupId, Span)>>,
    /// Who has been dealt cards.
    dealt_to: u64,
    piles: Vec<(ZoneId, VecDeque<(GroupId, Span)>)>,
    /// How the zones lie whose piles are written down, from the top: a deal goes by it.
    laid: Vec<(ZoneId, Vec<u8>)>,
    aside: Vec<(GroupId, Span)>,
    filler: Filler,
    standing: Vec<Standing<'t>>,
    pub(super) pins: Vec<Pin<'t>>,
    pub(super) draw_pins: Vec<DrawPin<'t>>,
    pub(super) refusals: Vec<Refusal<'t>>,
    /// How many lines have waited, and how many of them had before those that stand together now.
    pub(super) waited: usize,
    pub(super) group: usize,
    /// What is wrong with a refusal that was judged: its place in the text, and the mistake.
    pub(super) misjudged: Vec<Diagnostic>,
    pub(super) prompts: Vec<Prompt>,
    /// Whether it is noted which offers stand open at each question.
    pub(super) notes_offers: bool,
    pub(super) draws: Vec<Draw>,
    /// Which of the prompts `otherwise` has answered.
    pub(super) filled: Vec<usize>,
    pub(super) window: Option<Window>,
    /// The place in the log from which the next scene is looked for.
    pub(super) passed: usize,
    /// Where the game stands for whoever looks at it, while the section's scene goes on.
    pub(super) stand: Stand,
    /// What the line sees that is looked at.
    pub(super) view: View,
    /// The game between two pauses that was looked at last.
    kept: Option<(usize, Game)>,
    /// For each answer that was given the line that it came from.
    pub(super) lines: Vec<Span>,
    /// The line in which the answer stands that is given next, if it is one.
    from: Option<Span>,
}

// ---- What it knows
impl<'t> Driver<'t> {
    pub(super) fn new(source: &'t dyn RulesSource, begun: Begun<'t>) -> Self {
        let filler = match begun.otherwise {
            None => Filler::Nothing,
            Some(Otherwise::Pass) => Filler::Pass,
            Some(Otherwise::Random(seed)) => Filler::Random(Chance::of_seed(seed.value as u64)),
            // A seed that is still a name has been blamed, and such a scenario is not played.
            Some(Otherwise::RandomOf(_)) => Filler::Nothing,
        };
        let laid = begun.piles.iter().map(|(zone, _)| (*zone, Vec::new()));
        let mut driver = Driver {
            source,
            laid: laid.collect(),
            session: begun.session,
            said: RefCell::default(),
            hands: begun.hands,
            dealt_to: 0,
            piles: begun.piles,
            aside: begun.aside,
            filler,
            standing: begun.standing,
            pins: Vec::new(),
            draw_pins: Vec::new(),
            refusals: Vec::new(),
            waited: 0,
            group: 0,
            misjudged: Vec::new(),
            prompts: Vec::new(),
            notes_offers: false,
            draws: Vec::new(),
            filled: Vec::new(),
            window: None,
            passed: 0,
            stand: Stand::AtRest,
            view: View::default(),
            kept: None,
            lines: Vec::new(),
            from: None,
        };
        driver.note_prompt();
        driver
    }

    /// Whether a scenario that stops is looked at once more where it stopped.
    pub(super) fn looks_on(&self) -> bool {
        self.source.looks_on()
    }

    pub(super) fn rules(&self) -> &Ruleset {
        &self.session.table().rules
    }

    pub(super) fn names(&self) -> &[String] {
        &self.session.table().names
    }

    pub(super) fn words(&self) -> Words<'_> {
        Words {
            rules: self.rules(),
            names: self.names(),
        }
    }

    /// The game as the line that is looked at sees it.
    pub(super) fn game(&self) -> &Game {
        let still = self.view.still.as_ref().map(|(_, game)| game);
        still.unwrap_or(self.session.game())
    }

    /// Where the game stands: where the section's scene ends, if it has come so far.
    pub(super) fn stands(&self) -> Stand {
        let ended = || self.window.and_then(|window| self.ended_at(window));
        match self.stand {
            Stand::AtRest => ended().map_or(Stand::AtRest, Stand::Ends),
            begins => begins,
        }
    }

    /// Turns to what a line sees that is looked at now.
    pub(super) fn turn_to(&mut self, moment: Moment) {
        let stand = moment.from(self.stands());
        let still = match stand {
            Stand::Begins(at) | Stand::Ends(at) => self.still(at),
            Stand::AtRest => None,
        };
        self.view = View {
            start: self.window.map_or(0, |window| window.start),
            end: stand.heard(),
            still,
        };
    }

    /// The game before an event of the log; where a scene begins with that, it counts already.
    fn still(&mut self, at: usize) -> Option<(usize, Game)> {
        if let Some(kept) = self.kept.take_if(|(kept, _)| *kept == at) {
            return Some(kept);
        }
        let still = self.session.still(at)?;
        let still = match self.session.log().events[at].what {
            What::SceneNears { scene, nth } | What::SceneBegan { scene, nth } => {
                still.begun(self.rules(), scene, nth)
            }
            _ => still,
        };
        Some((at, self.session.game().still(still)))
    }

    /// Turns back to the game where it rests.
    pub(super) fn turn_back(&mut self) {
        let end = self.window.and_then(|_| self.stands().heard());
        let start = self.window.map_or(0, |window| window.start);
        self.kept = self.view.still.take().or(self.kept.take());
        self.view = View {
            start,
            end,
            still: None,
        };
    }

    pub(super) fn compile(&self, expr: &Expr) -> Result<Program, Diagnostic> {
        // Argument i is the set of seat i alone.
        let seats = self.names().iter().map(|seat| (seat.clone(), Kind::Players));
        let seats: Vec<_> = seats.collect();
        self.source
            .compile(self.rules(), expr, &seats)
            .map_err(|problem| self.at_the_table(problem, expr))
    }

    /// In a scenario a name that nothing has may as well be a player's.
    fn at_the_table(&self, problem: Diagnostic, expr: &Expr) -> Diagnostic {
        let span = problem.span();
        let mut unknown = None;
        super::substitute::each_name(expr, &mut |name| {
            if name.span == span {
                unknown = Some(name.text.clone());
            }
        });
        match unknown.filter(|_| problem.code == codes::UNKNOWN_NAME) {
            Some(name) => {
                let groups = self.rules().groups.iter().map(|group| group.name.as_str());
                let facts = self.rules().facts.iter().filter(|fact| !fact.hidden);
                let facts = facts.map(|fact| fact.name.as_str());
                // What the rules only define, whoever has read them knows.
                let meant = problem.repairs().iter().filter_map(|repair| match repair {
                    Repair::Instead {
                        was: Some(was), text, ..
                    } if *was == name => Some(text.as_str()),
                    _ => None,
                });
                let is_zone = |meant: &&str| self.rules().zones.iter().any(|zone| zone.name == *meant);
                let known = groups.chain(facts).chain(meant.filter(|meant| !is_zone(meant)));
                blame::nobody_called(&name, span, self.names(), (known, self.given_name(&name)))
            }
            None => problem,
        }
    }

    /// How the answer or the outcome is given that goes by this name in the rules.
    fn given_name(&self, name: &str) -> Option<String> {
        let rules = self.rules();
        if name == "chance" || rules.draws.iter().any(|draw| draw.name == name) {
            let name = if name == "chance" { "NAME" } else { name };
            return Some(format!("what chance decides is given with `draw {name} -> …`"));
        }
        let outcome = match name {
            "win" | "wins" | "won" => "who has won is `expect winner TEAM`, or `expect ended by NAME`",
            "lose" | "loses" | "lost" | "loser" | "losers" => "who has lost is `expect loser TEAM`",
            "dead" | "dies" | "died" => {
                "who is out is told by what the rules say of him, as in `expect Ann is not living`"
            }
            "alive" => "write `living`",
            "said" => "what is said stands in quotes: `expect said \"…\"`",
            "setup" => {
                "that the table is not refused needs no line: the scenario fails where it is; `expect no setup warning` says \
                 that it is not warned about either"
            }
            "was" => {
                "write `expect asked Ann`, `expect Ann told \"…\"`, or `expect Ann is …` for what he is now"
            }
            "the" | "a" | "an" | "that" => "leave it out",
            "game" => {
                "whether it is over is `expect winner TEAM`, `expect ended by NAME` or `expect goes on`"
            }
            _ => "",
        };
        if !outcome.is_empty() {
            return Some(outcome.to_owned());
        }
        // `Ann kills Bob`
        let does = |event: &&omerta_core::rules::Event| {
            let behind = name.strip_prefix(event.name.as_str());
            matches!(behind, Some("" | "s" | "es" | "ed" | "d"))
        };
        if let Some(event) = rules.events.iter().find(does) {
            return Some(format!(
                "what has happened is `expect happened {} of …`",
                event.name
            ));
        }
        let is_asked = rules.asks.iter().any(|ask| ask.name == name);
        is_asked.then(|| format!("only the rules know it; its answer is given with `WHO [{name}] -> …`"))
    }

    /// The value of an expression; 0 where a script in it fails.
    pub(super) fn evaluate(&self, program: &Program) -> u64 {
        self.game().evaluate(program, &self.each_seat())
    }

    /// The value of an expression that stands there; a script in it may fail.
    pub(super) fn worked_out(&self, program: &Program, at: Span) -> Result<u64, Diagnostic> {
        let value = self.game().try_evaluate(program, &self.each_seat());
        value.map_err(|kind| {
            let code = fault_code(&kind);
            blame::not_worked_out(code, &self.words().fault(&Fault { kind, at: 0 }), at)
        })
    }

    pub(super) fn each_seat(&self) -> Vec<u64> {
        (0..self.names().len().min(64)).map(|seat| 1 << seat).collect()
    }

    /// The seats of an expression.
    pub(super) fn seats(&self, expr: &Expr) -> Result<u64, Diagnostic> {
        match &*expr.kind {
            // A bare number would be read as one; as somebody it is the seat of that number.
            ExprKind::Int(number) => Ok(usize::try_from(number - 1)
                .ok()
                .filter(|seat| *seat < self.names().len())
                .map_or(0, |seat| 1 << seat)),
            _ => {
                let program = self.compile(expr)?;
                let set = self.worked_out(&program, expr.span)?;
                match program.kind {
                    Some(Kind::Truth | Kind::Number | Kind::Word | Kind::Text | Kind::Cards) => {
                        Err(blame::not_one("something else", "one player", expr.span))
                    }
                    // `team of Ann` as people: all who are of it.
                    Some(Kind::Titles) => Ok(self.game().look().holders(set)),
                    _ => Ok(set),
                }
            }
        }
    }

    fn note_prompt(&mut self) {
        let game = self.session.game();
        let at = self.session.log().events.len();
        let asked = match game.pending() {
            Pending::Ask(asked) => asked,
            Pending::Chance(drawn) => {
                let (weights, text) = (game.weights().to_vec(), self.words().chance(game, &drawn));
                self.draws.push(Draw {
                    at,
                    drawn,
                    weights,
                    text,
                });
                return;
            }
            Pending::Over(_) | Pending::Broken(_) => return,
        };
        let branches = match &self.rules().ask(asked.site).kind {
            AskKind::Menu(branches) => game
                .branches()
                .map(|open| branches[usize::from(open.branch)].name.clone())
                .collect(),
            _ => Vec::new(),
        };
        let text = self.words().question(game, &asked);
        let put = self.words().put(game, &asked);
        self.prompts.push(Prompt {
            at,
            asked,
            branches,
            put,
            text,
            open: Vec::new(),
        });
        self.note_open();
    }

    /// Notes which offers stand open at the question that was put last.
    pub(super) fn note_open(&mut self) {
        if !self.notes_offers {
            return;
        }
        let name = |offer: OfferId| &self.rules().offers[offer.index()].name;
        let offers = self.session.game().offers().into_iter();
        let open = offers.filter_map(|open| {
            let among = open.among.map(|domain| self.words().among(self.game(), domain));
            let among = among.map_or_else(String::new, |among| format!(" {among}"));
            Some((open.by?, format!("{}{among}", name(open.offer))))
        });
        let open = open.collect();
        if let Some(prompt) = self.prompts.last_mut() {
            prompt.open = open;
        }
    }
}

// ---- Going on
impl Until {
    /// What to do where it is never so.
    fn help(self) -> &'static str {
        match self {
            Until::Begins { .. } => {
                "a scene that has already begun is not reached again: `run to SCENE 2` names which time is meant; \
                 or let the scenario answer more of it itself: `otherwise` takes up no offers"
            }
            Until::SceneOver => {
                "the scene of this section does not end by itself: end it in the section, by an answer or an offer, \
                 for `otherwise` takes up none"
            }
            Until::Over => {
                "run to a scene instead of the end, or let the scenario answer more of it itself: \
                 `otherwise` takes up no offers"
            }
            _ => "let the scenario answer more of it itself: `otherwise` takes up no offers",
        }
    }
}

impl Driver<'_> {
    /// Goes on until something is so, the game is over, or it broke. `line` is what wants it.
    pub(super) fn advance(&mut self, until: Until, line: Span) -> Result<(), Diagnostic> {
        let mut seek = Seek::new(self, until);
        loop {
            let limit = self.source.answer_limit();
            if self.session.cursor() > limit {
                return Err(blame::endless(limit, line, until.help()));
            }
            let pending = self.session.game().pending();
            if let Pending::Ask(asked) = &pending
                && matches!(until, Until::Answered)
                && !self.refusals.is_empty()
                && !seek.is_met(self)
            {
                self.judge(asked)?;
            }
            match pending {
                Pending::Over(_) | Pending::Broken(_) => return Ok(()),
                _ if self.reached(until, &mut seek) => return Ok(()),
                Pending::Chance(drawn) => match self.outcome(&drawn, line) {
                    Ok(choice) => self.give(choice, line)?,
                    // All is given, and what comes next may say how it falls.
                    Err(problem) if problem.code == codes::UNDECIDED_CHANCE && self.is_done(until) => {
                        return Ok(());
                    }
                    Err(problem) => return Err(problem),
                },
                Pending::Ask(asked) => {
                    if !self.answer(&asked, until, line)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn reached(&self, until: Until, seek: &mut Seek) -> bool {
        match until {
            Until::Begins { .. } | Until::SceneOver => seek.is_met(self),
            Until::Wanted { draws } => seek.is_met(self) || self.is_wanted(draws),
            Until::Answered => seek.is_met(self) || self.all_given() && self.is_asking(),
            Until::Asked => seek.is_met(self) || self.is_asking(),
            Until::Waits => seek.is_met(self) || self.is_waiting(),
            Until::Open { offer, by } => seek.is_met(self) || self.open_offer(offer, by).is_some(),
            Until::Made(offer) => seek.is_met(self) || self.is_asking() && self.is_made(offer),
            Until::Over => false,
        }
    }

    /// Deals and shuffles on to where the game waits: cards that are laid down decide it, and no line can.
    pub(super) fn deal_on(&mut self) {
        while let Pending::Chance(drawn) = self.session.game().pending()
            && self.rules().draws[drawn.site.index()].shuffle.is_some()
            && !self.has_outcome(&drawn)
        {
            let place = Span::default();
            let dealt = self.outcome(&drawn, place);
            if dealt.and_then(|card| self.give(card, place)).is_err() {
                return;
            }
        }
    }

    /// Whether the game stands at a question or a draw for which one of the lines that stand together waits.
    fn is_wanted(&self, draws: usize) -> bool {
        match self.session.game().pending() {
            Pending::Ask(asked) => {
                let answers = self.pins.iter().filter(|pin| !pin.spent);
                let refusals = self.refusals.iter().map(|refusal| &refusal.pin);
                let mut pins = answers.chain(refusals).filter(|pin| pin.order >= self.group);
                pins.any(|pin| self.is_put_to(&asked, pin))
            }
            Pending::Chance(drawn) => {
                let name = &self.rules().draws[drawn.site.index()].name;
                self.draw_pins[draws..].iter().any(|pin| pin.name == name)
            }
            Pending::Over(_) | Pending::Broken(_) => false,
        }
    }

    /// Whether the host waits.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.session.game().pending(), Pending::Ask(asked) if asked.domain == Domain::Go)
    }

    /// Whether a scene is running in which the offer may be made.
    pub(super) fn is_made(&self, offer: OfferId) -> bool {
        let during = &self.rules().offers[offer.index()].during;
        let look = self.session.game().look();
        during.is_empty() || during.iter().any(|scene| look.during(*scene))
    }

    /// Whether it is made in every scene.
    pub(super) fn always_made(&self, offer: OfferId) -> bool {
        self.rules().offers[offer.index()].during.is_empty()
    }

    pub(super) fn is_asking(&self) -> bool {
        matches!(self.session.game().pending(), Pending::Ask(_))
    }

    fn all_given(&self) -> bool {
        self.pins.iter().all(|pin| pin.spent)
            && self.refusals.iter().all(|refusal| refusal.pin.met)
            && self.draw_pins.iter().all(|pin| pin.next >= pin.outcomes.len())
    }

    /// Whether nothing more is wanted than that the answers that are written down be given, and they are.
    fn is_done(&self, until: Until) -> bool {
        matches!(until, Until::Answered) && self.all_met()
    }

    fn all_met(&self) -> bool {
        self.pins.iter().all(|pin| pin.met)
            && self.refusals.iter().all(|refusal| refusal.pin.met)
            && self.draw_pins.iter().all(|pin| pin.next >= pin.outcomes.len())
    }

    /// Where a scene began: for that time, or for the first behind a place of the log.
    pub(super) fn began_at(&self, wanted: SceneId, time: Option<u32>, from: usize) -> Option<usize> {
        let from = if time.is_some() { 0 } else { from };
        let is_wanted = |&(_, nth): &(usize, u32)| time.is_none_or(|time| time == nth);
        let mut edges = Edges::of(wanted, self.rules());
        for (at, happened) in self.session.log().events.iter().enumerate().skip(from) {
            let begun = edges.opens(at, &happened.what).filter(is_wanted);
            if let Some((at, _)) = begun {
                return Some(at);
            }
        }
        edges.near().filter(is_wanted).map(|(at, _)| at)
    }

    /// For which time a scene is running where the log has come to a place.
    pub(super) fn runs_at(&self, scene: SceneId, place: usize) -> Option<u32> {
        let edges = Edges::of(scene, self.rules());
        let mut running = Vec::new();
        for happened in &self.session.log().events[..place] {
            match edges.edge(&happened.what) {
                Some(Some(nth)) => running.push(nth),
                Some(None) => drop(running.pop()),
                None => {}
            }
        }
        running.pop()
    }

    /// The open offer of that name to somebody of that set; `None` for the host.
    pub(super) fn open_offer(&self, offer: OfferId, by: Option<u64>) -> Option<omerta_engine::OpenOffer> {
        let offers = self.session.game().offers();
        offers
            .into_iter()
            .find(|open| open.offer == offer && is_by(open.by, by))
    }

    /// Answers a question; `false` when it is left open because the answers of the run are given.
    fn answer(&mut self, asked: &Asked, until: Until, line: Span) -> Result<bool, Diagnostic> {
        if let Some(matching) = self.matching(asked) {
            let (index, choice) = matching?;
            let pin = &mut self.pins[index];
            pin.from.get_or_insert(asked.pick.0);
            let is_cut = pin.is_cut_at(asked.pick.0);
            pin.met = true;
            self.from = Some(pin.span);
            self.give(choice, line)?;
            if is_cut && !self.asks_another_pick(asked) {
                return Err(blame::no_more_picks(self.pins[index].span));
            }
            if is_cut || !self.asks_another_pick(asked) {
                self.use_pin(index, asked);
            }
            return Ok(true);
        }
        if asked.domain == Domain::Go {
            self.give(Choice::Go, line)?;
            return Ok(true);
        }
        if self.is_done(until) {
            return Ok(false);
        }
        let standing = self.standing(asked)?;
        let filled = match &mut self.filler {
            _ if standing.is_some() => standing,
            Filler::Nothing => None,
            Filler::Pass => policy::least(self.session.game(), asked),
            Filler::Random(chance) => Some(policy::answer(self.session.game(), asked, chance)),
        };
        let Some(choice) = filled else {
            let question = self.words().question(self.session.game(), asked);
            let example = self.example(asked);
            let is_menu = asked.domain == Domain::Menu;
            if let Some(pin) = self.pins.iter().find(|pin| !pin.met && self.is_for_nobody(pin)) {
                return Err(blame::held_by_nobody(&question, pin.span));
            }
            let name = &self.rules().ask(asked.site).name;
            let is_of_some = |pin: &&Pin<'_>| {
                let is_meant = pin.choice.is_none_or(|choice| choice == name);
                is_meant && !pin.met && self.open_seats(pin) & asked.who != 0 && !self.are_all(pin, asked)
            };
            if asked.who.count_ones() > 1
                && let Some(pin) = { self.refusals.iter().map(|refusal| &refusal.pin) }
                    .chain(&self.pins)
                    .find(is_of_some)
            {
                let all = self.together_words(asked);
                return Err(blame::asked_together(&question, &all, pin.span));
            }
            let told = match self.filler {
                Filler::Pass => blame::no_pass(&question, is_menu, &example, line),
                Filler::Nothing | Filler::Random(_) => blame::unanswered(&question, &example, line),
            };
            // A line without a name in brackets may have been meant for this one.
            let taken = self.pins.iter().rev().find_map(|pin| {
                let may_be_meant = pin.choice.is_none() && pin.used & asked.who != 0;
                let took = pin.took.filter(|took| may_be_meant && *took != asked.site)?;
                Some((pin.span, &self.rules().ask(took).name))
            });
            return Err(match taken {
                Some((taken, by)) => blame::taken_before(told, (taken, by), name),
                None => told,
            });
        };
        self.filled.extend(self.prompts.len().checked_sub(1));
        self.give(choice, line)?;
        Ok(true)
    }

    /// Whether nobody is among those for whom an answer is.
    fn is_for_nobody(&self, pin: &Pin<'_>) -> bool {
        matches!(&pin.who, Who::Seats(program) if self.evaluate(program) == 0)
    }

    /// What the scenario answers this question with wherever no line answers it: the last such line counts,
    /// if its answer may be given.
    fn standing(&self, asked: &Asked) -> Result<Option<Choice>, Diagnostic> {
        for (who, choice, answer) in self.standing.iter().rev() {
            if self.rules().ask(asked.site).name != choice.text || !self.is_put_to_these(asked, who)? {
                continue;
            }
            match self.choice(asked, answer) {
                Ok(choice) if self.refusal(choice).is_none() => return Ok(Some(choice)),
                // What is not there now may not be given either.
                Err(problem) if problem.code != codes::REFUSED_ANSWER => return Err(problem),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Whether all who are asked are among these; anybody is where nobody is named.
    pub(super) fn is_put_to_these(&self, asked: &Asked, people: &[Person]) -> Result<bool, Diagnostic> {
        let named = people.iter().map(|person| self.by(person));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        let seats = named.iter().flatten().fold(0, |all, some| all | some);
        Ok(named.is_empty()
            || match asked.host {
                true => named.contains(&None),
                false => asked.who & !seats == 0,
            })
    }

    /// A line that would answer a question: `Ann -> Bob`, `host -> suspected Ann`.
    fn example(&self, asked: &Asked) -> String {
        let who: Vec<&str> = members(asked.who).map(|seat| self.name_of(seat)).collect();
        let who = if asked.host {
            "host".to_owned()
        } else {
            who.join(", ")
        };
        let branch = self.session.game().branches().next();
        let answer = match (&self.rules().ask(asked.site).kind, branch) {
            (AskKind::Menu(branches), Some(open)) => {
                let name = &branches[usize::from(open.branch)].name;
                match open.among {
                    Some(among) => format!("{name} {}", self.first_of(among)),
                    None => name.clone(),
                }
            }
            _ => self.first_of(asked.domain),
        };
        format!("{who} -> {answer}")
    }

    /// The first answer of those that may be given.
    fn first_of(&self, domain: Domain) -> String {
        let first = members(domain.set().unwrap_or(0)).next();
        let named = |number: u8| {
            let choice = domain.target(u32::from(number)).choice();
            self.words().thing(self.session.game(), choice)
        };
        match domain {
            Domain::Cards { unseen: true, .. } => first.map_or_else(
                || "pass".to_owned(),
                |card| self.words().lying(self.session.game(), card),
            ),
            Domain::Numbers { low, .. } => low.to_string(),
            Domain::YesNo => "yes".to_owned(),
            Domain::Text { .. } => "\"…\"".to_owned(),
            Domain::Go | Domain::Menu | Domain::Words { .. } => "go".to_owned(),
            _ => first.map_or_else(|| "pass".to_owned(), named),
        }
    }

    fn name_of(&self, seat: u8) -> &str {
        &self.names()[usize::from(seat)]
    }

    /// Whether another pick of a question is asked for, after one was given.
    fn asks_another_pick(&self, asked: &Asked) -> bool {
        let Pending::Ask(next) = self.session.game().pending() else {
            return false;
        };
        next.who == asked.who && next.host == asked.host && next.pick.0 == asked.pick.0 + 1
    }

    /// An answer with what is written in it, where something is. The game gets it when it is given.
    pub(super) fn with_text(&self, answer: Choice, text: Option<&str>) -> Choice {
        let Some(text) = text else { return answer };
        let mut said = self.said.borrow_mut();
        let at = said.iter().position(|known| known == text).unwrap_or(said.len());
        if at == said.len() {
            said.push(text.to_owned());
        }
        answer.with_text(SAID + at as u32)
    }

    /// The text that an answer of the scenario is.
    pub(super) fn text_of(&self, choice: Choice) -> Option<String> {
        let number = choice.text()?.checked_sub(SAID)?;
        self.said.borrow().get(number as usize).cloned()
    }

    /// Whether the game takes an answer.
    pub(super) fn would_take(&self, choice: Choice) -> Result<(), Illegal> {
        match self.text_of(choice) {
            Some(text) => self.game().may_write(choice, &text),
            None => self.game().may(choice),
        }
    }

    /// Hands an answer to the game.
    pub(super) fn give(&mut self, choice: Choice, line: Span) -> Result<(), Diagnostic> {
        let given = self.session.write(choice, self.text_of(choice).as_deref());
        match given.and_then(|choice| self.session.apply(choice)) {
            Ok(()) => {
                self.lines.push(self.from.take().unwrap_or(line));
                self.note_prompt();
                Ok(())
            }
            Err(illegal) => Err(blame::refused(
                &self.words().refusal(self.session.game(), &illegal),
                self.from.take().unwrap_or(line),
            )),
        }
    }
}

/// Whether a seat is of a set; `None` is the host.
pub(super) fn is_by(seat: Option<u8>, by: Option<u64>) -> bool {
    match (seat, by) {
        (None, None) => true,
        (Some(seat), Some(set)) => set >> seat & 1 == 1,
        _ => false,
    }
}

/// Looks for a scene that begins or ends, each event once: a long game is not read again at every
/// pause.
struct Seek {
    /// The scene, and what is wanted of it.
    wanted: Option<(Edges, Wanted)>,
    /// The first event that was not looked at yet.
    from: usize,
    met: bool,
}

/// What is wanted of a scene.
#[derive(Clone, Copy)]
enum Wanted {
    Begins { nth: Option<u32> },
    Ends,
}

impl Seek {
    fn new(driver: &Driver<'_>, until: Until) -> Seek {
        let (wanted, from) = match until {
            Until::Begins { scene, nth, from } => {
                let from = if nth.is_some() { 0 } else { from };
                (Some((scene, Wanted::Begins { nth })), from)
            }
            Until::SceneOver
            | Until::Wanted { .. }
            | Until::Answered
            | Until::Asked
            | Until::Waits
            | Until::Open { .. }
            | Until::Made(_) => {
                let window = driver.window.unwrap_or_default();
                let scene = window.scene.map(|(scene, _)| (scene, Wanted::Ends));
                (scene, window.start + 1)
            }
            Until::Over => (None, 0),
        };
        Seek {
            wanted: wanted.map(|(scene, wanted)| (Edges::of(scene, driver.rules()), wanted)),
            from,
            met: false,
        }
    }

    fn is_met(&mut self, driver: &Driver<'_>) -> bool {
        let Some((edges, wanted)) = &mut self.wanted else {
            return false;
        };
        let events = &driver.session.log().events;
        let is_wanted = |nth: u32, time: Option<u32>| time.is_none_or(|time| time == nth);
        while !self.met && self.from < events.len() {
            let what = &events[self.from].what;
            self.met = match *wanted {
                Wanted::Begins { nth: time } => edges
                    .opens(self.from, what)
                    .is_some_and(|(_, nth)| is_wanted(nth, time)),
                Wanted::Ends => edges.closes(what),
            };
            self.from += 1;
        }
        // A rule on its beginning asks something.
        let waits = match *wanted {
            Wanted::Begins { nth: time } => edges.near().is_some_and(|(_, nth)| is_wanted(nth, time)),
            Wanted::Ends => false,
        };
        self.met || waits
    }
}

// ---- Chance
impl Driver<'_> {
    fn outcome(&mut self, drawn: &Drawn, line: Span) -> Result<Choice, Diagnostic> {
        let choice = self.decided(drawn, line)?;
        if let (Some(Shuffle::Pile(zone)), Choice::Card(card)) =
            (self.rules().draws[drawn.site.index()].shuffle, choice)
            && let Some((_, laid)) = self.laid.iter_mut().find(|(known, _)| *known == zone)
        {
            // A card that is shuffled again lies where the last shuffle has put it.
            laid.retain(|known| *known != card);
            laid.push(card);
        }
        Ok(choice)
    }

    fn decided(&mut self, drawn: &Drawn, line: Span) -> Result<Choice, Diagnostic> {
        if let Some(choice) = self.pinned_outcome(drawn)? {
            return Ok(choice);
        }
        let shuffle = self.rules().draws[drawn.site.index()].shuffle;
        let laid = match (shuffle, drawn.seat, drawn.domain) {
            (Some(Shuffle::Deal(zone)), Some(seat), Domain::Cards { among, .. }) => {
                self.dealt(zone, seat, among)?
            }
            (Some(Shuffle::Pile(zone)), _, Domain::Cards { among, .. }) => self.piled(zone, among)?,
            _ => None,
        };
        if let Some(card) = laid {
            return Ok(Choice::Card(card));
        }
        if let Filler::Random(chance) = &mut self.filler {
            return Ok(policy::outcome(self.session.game(), drawn, chance));
        }
        let mut possible = self.session.game().possible_words();
        let only_word = match (possible.next(), possible.next()) {
            (Some((word, ..)), None) => Some(Choice::Word(word)),
            _ => None,
        };
        only_word
            .or_else(|| only_outcome(drawn.domain))
            .ok_or_else(|| blame::undecided(&self.words().chance(self.session.game(), drawn), line))
    }

    /// Whether a line says how a draw falls.
    fn has_outcome(&self, drawn: &Drawn) -> bool {
        let name = &self.rules().draws[drawn.site.index()].name;
        self.draw_pins.iter().any(|pin| pin.waits_for(name))
    }

    fn pinned_outcome(&mut self, drawn: &Drawn) -> Result<Option<Choice>, Diagnostic> {
        let name = &self.rules().draws[drawn.site.index()].name;
        let Some(index) = self.draw_pins.iter().position(|pin| pin.waits_for(name)) else {
            return Ok(None);
        };
        let pin = &self.draw_pins[index];
        let choice = self.plain(drawn.domain, &pin.outcomes[pin.next])?;
        self.draw_pins[index].next += 1;
        self.from = Some(self.draw_pins[index].span);
        Ok(Some(choice))
    }

    /// The first of the cards named at seats, where somebody has been asked and nobody was dealt one.
    pub(super) fn never_dealt(&self) -> Option<Span> {
        let named = self.hands.iter().flatten().map(|(_, span)| *span).next();
        named.filter(|_| self.dealt_to == 0 && !self.prompts.is_empty())
    }

    /// The first of the cards that are named at a seat which was dealt others and not this one.
    pub(super) fn left_undealt(&self) -> Option<Diagnostic> {
        let dealt = |(seat, _): &(u8, _)| self.dealt_to >> seat & 1 == 1 && !self.prompts.is_empty();
        let (seat, (card, span)) = { (0_u8..).zip(&self.hands) }
            .filter(dealt)
            .find_map(|(seat, hand)| Some((seat, *hand.front()?)))?;
        let (card, to) = (self.words().group(card), self.words().seat(seat));
        Some(blame::not_dealt_so_far(&card, &to, span))
    }

    /// The card a seat is dealt: the one written down for it, or one that nobody else is to have; the
    /// topmost, where the pile it comes from is written down and was shuffled.
    fn dealt(&mut self, zone: ZoneId, seat: u8, among: u64) -> Result<Option<u8>, Diagnostic> {
        self.dealt_to |= 1 << seat;
        if let Some((group, span)) = self
            .hands
            .get_mut(usize::from(seat))
            .and_then(VecDeque::pop_front)
        {
            // What a pile is said to begin with stays there as long as another such card is in it.
            let mut last = self.laid_in(zone, among).rev();
            let found = last.find_map(|card| self.card_of(1 << card, group));
            let found = found.or_else(|| self.card_of(among, group));
            let to = self.words().seat(seat);
            return found
                .map(Some)
                .ok_or_else(|| blame::cannot_deal(&self.words().group(group), &to, span));
        }
        let unclaimed = self.without(among, self.hands.iter().flatten());
        let free = self.without(unclaimed, &self.aside);
        if let (true, Some((group, span))) = (free == 0 && unclaimed != 0, self.aside.first()) {
            let (card, to) = (self.words().group(*group), self.words().seat(seat));
            return Err(blame::must_be_dealt(&card, &to, *span));
        }
        let top = self.laid_in(zone, free).next();
        if top.is_some() {
            return Ok(top);
        }
        // What is dealt without a shuffle lies as its pile is written down, too.
        if let Some((group, span)) = self.next_of_pile(zone) {
            let found = self.card_of(free, group);
            let to = self.words().seat(seat);
            return found
                .map(Some)
                .ok_or_else(|| blame::cannot_deal(&self.words().group(group), &to, span));
        }
        match &mut self.filler {
            Filler::Random(chance) if free != 0 => Ok(Some(chance.pick_bit(free) as u8)),
            _ => Ok(members(free).next()),
        }
    }

    /// The cards of a set that lie in a zone as its pile is written down, from the top.
    fn laid_in(&self, zone: ZoneId, among: u64) -> impl DoubleEndedIterator<Item = u8> {
        let laid = self.laid.iter().filter(move |(known, _)| *known == zone);
        let cards = laid.flat_map(|(_, cards)| cards).copied();
        cards.filter(move |card| among >> card & 1 == 1)
    }

    /// The cards of a set without one for each that is kept for somebody, or for nobody.
    fn without<'a>(&self, among: u64, kept: impl IntoIterator<Item = &'a (GroupId, Span)>) -> u64 {
        let mut free = among;
        for (group, _) in kept {
            if let Some(card) = self.card_of(free, *group) {
                free &= !(1 << card);
            }
        }
        free
    }

    /// The next card that is written down for a pile.
    fn next_of_pile(&mut self, zone: ZoneId) -> Option<(GroupId, Span)> {
        let (_, pile) = self.piles.iter_mut().find(|(known, _)| *known == zone)?;
        pile.pop_front()
    }

    /// The next card of a pile that is being shuffled. Where all that are left are alike, any is it.
    fn piled(&mut self, zone: ZoneId, among: u64) -> Result<Option<u8>, Diagnostic> {
        if let Some((group, span)) = self.next_of_pile(zone) {
            let found = self.card_of(among, group);
            let to = self.rules().zones[zone.index()].title.clone();
            return found
                .map(Some)
                .ok_or_else(|| blame::cannot_deal(&self.words().group(group), &to, span));
        }
        let things = self.session.game().look().things();
        let mut shown = members(among).map(|card| things[usize::from(card)].shown());
        let first = shown.next();
        Ok(if shown.all(|other| Some(other) == first) {
            members(among).next()
        } else {
            None
        })
    }
}

/// The outcome, where there is but one.
fn only_outcome(domain: Domain) -> Option<Choice> {
    match domain {
        Domain::Seats { among, .. } if among.count_ones() == 1 => {
            Some(Choice::Seat(among.trailing_zeros() as u8))
        }
        Domain::Cards { among, .. } if among.count_ones() == 1 => {
            Some(Choice::Card(among.trailing_zeros() as u8))
        }
        Domain::Numbers { low, high, .. } if low == high => Some(Choice::Number(low)),
        _ => None,
    }
}
