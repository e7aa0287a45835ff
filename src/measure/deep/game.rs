//! One game from its beginning: chance goes by the table's seed, people by whoever is handed in.

use super::people::{Aim, People};
use omerta_engine::{Choice, Domain, Fault, Game, Listener, Open, Outcome, Pending, Silence};
use omerta_play::{chance::Chance, policy, session::Table, ways};
use omerta_workbench::RulesetRequest;

/// After so many answers a game has not ended; most rules need a hundredth of that.
pub const LIMIT: usize = 3_000;
/// So many draws of chance stand for one answer, where that is the bound; and so many there may be in any
/// game: more than the engine allows between two questions.
const DRAWS: usize = 16;
const MOST_DRAWS: usize = 20_000;

/// A table that was laid, with what it was asked for.
#[derive(Clone)]
pub struct Seated {
    /// The rules as a scenario asks for them.
    pub wanted: RulesetRequest,
    /// The rules, the cards, the players; the seed is that of chance.
    pub table: Table,
}

/// A game that was played.
#[derive(Clone)]
pub struct Run {
    /// Where it stands.
    pub game: Game,
    /// The game before its last answer.
    pub before: Option<Game>,
    /// What people answered.
    pub given: Vec<Choice>,
    /// The same with what chance decided.
    pub all: Vec<Choice>,
    /// Whether anybody could have done more than go on.
    pub asked: bool,
}

/// How a game stands when nobody goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// It is over.
    Over(Outcome),
    /// The rules broke.
    Broken(Fault),
    /// It goes on.
    GoesOn,
}

impl Run {
    /// How it stands.
    pub fn end(&self) -> End {
        match self.game.pending() {
            Pending::Over(outcome) => End::Over(outcome),
            Pending::Broken(fault) => End::Broken(fault),
            Pending::Ask(_) | Pending::Chance(_) => End::GoesOn,
        }
    }
}

/// Plays a game from its beginning; `None` for a table at which nothing can begin.
pub fn play(
    table: &Table,
    listener: &mut dyn Listener,
    limit: usize,
    people: impl FnMut(&Game) -> Option<Choice>,
) -> Option<Run> {
    let game = table.begin(listener).ok()?;
    let chance = Chance::of_seed(table.seed.unwrap_or_default());
    Some(play_on(game, listener, (chance, limit), people))
}

/// Plays on until nothing more is answered, within so many answers.
pub fn play_on(
    game: Game,
    listener: &mut dyn Listener,
    (mut chance, limit): (Chance, usize),
    mut people: impl FnMut(&Game) -> Option<Choice>,
) -> Run {
    let mut run = Run {
        game,
        before: None,
        given: Vec::new(),
        all: Vec::new(),
        asked: false,
    };
    let draws = limit.saturating_mul(DRAWS).max(MOST_DRAWS);
    while run.all.len() < draws {
        let (is_ask, choice) = match (run.game.open(), run.game.pending()) {
            (Open::Ask(domain), _) if run.given.len() < limit => {
                let Some(choice) = people(&run.game) else { break };
                run.asked = run.asked || domain != Domain::Go || !run.game.offers().is_empty();
                (true, choice)
            }
            (Open::Chance(_), Pending::Chance(drawn)) => {
                (false, policy::outcome(&run.game, &drawn, &mut chance))
            }
            _ => break,
        };
        match &mut run.before {
            Some(before) => before.clone_from(&run.game),
            None => run.before = Some(run.game.clone()),
        }
        let legal = run.game.apply(choice, listener);
        legal.expect("a question is only put where something can be answered, and people give legal answers");
        run.all.push(choice);
        if is_ask {
            run.given.push(choice);
        }
    }
    run
}

/// Plays a game of people who answer by that number.
pub fn by_people(
    table: &Table,
    listener: &mut dyn Listener,
    (seed, number): (u64, u64),
    aim: Aim,
) -> Option<Run> {
    let mut people = People::of_game(seed, number, aim);
    play(table, listener, LIMIT, |game| people.choose(game))
}

/// Plays the answers of a list, those that do not fit left out, and then as little as possible, for so
/// many answers more.
pub fn replay(table: &Table, given: &[Choice], more: usize) -> Option<Run> {
    let mut answers = given.iter().copied();
    play(table, &mut Silence, given.len() + more, |game| {
        let fits = |choice: &Choice| game.clone().apply(*choice, &mut Silence).is_ok();
        answers.find(fits).or_else(|| least(game))
    })
}

/// The answer that does the least; where somebody must be named, the first who can be.
fn least(game: &Game) -> Option<Choice> {
    let asked = game.asked()?;
    policy::least(game, &asked).or_else(|| ways::answers(game).first().copied())
}
