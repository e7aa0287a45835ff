//! A game for programs that learn: answers are numbers, and what a seat knows is a row of small numbers.

use crate::{
    data::{Feature, Outcome, outcome},
    errors,
    game::Game,
    rules::{Rules, Seats, Seed},
};
use omerta::{GameError, Turn};
use pyo3::{prelude::*, types::PyByteArray};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Nobody answers any more.
pub const OVER: i32 = -1;
/// Chance is asked.
pub const CHANCE: i32 = -2;

/// A game for programs that learn; a clone is a game of its own.
#[pyclass(frozen, module = "omerta")]
pub struct Arena {
    inner: Mutex<Inner>,
}

#[derive(Clone)]
struct Inner {
    arena: omerta::Arena,
    /// The numbers that were given since it began.
    given: Vec<u32>,
    laid: Arc<Laid>,
}

impl Inner {
    /// Gives the answer with a number and says who is next, or why not, with those that could be given.
    fn answer(&mut self, given: i64) -> Result<i32, (GameError, Vec<String>)> {
        let number = u32::try_from(given).unwrap_or(u32::MAX);
        if self.arena.step(number).is_err() {
            let error = GameError::Illegal(match self.arena.turn() {
                Turn::Over => format!(
                    "the game is over, and {given} answers nothing; begin_again(seed) begins the next"
                ),
                _ => format!("{given} is no legal answer"),
            });
            let words = self.arena.action_words();
            let legal = self.arena.legal().into_iter();
            let legal = legal.map(|number| format!("{number} ({})", words[number as usize]));
            return Err((error, legal.collect()));
        }
        self.given.push(number);
        Ok(turn(&self.arena))
    }

    fn begin_again(&mut self, seed: u64) -> Result<(), GameError> {
        self.given.clear();
        self.arena.begin_again(seed)
    }
}

/// What a table was laid with, so that it can be laid again elsewhere.
#[derive(Default)]
pub struct Laid {
    pub players: Option<u8>,
    pub names: Option<Vec<String>>,
    pub cast: Option<String>,
    pub by_hand: bool,
    pub offers: bool,
}

pub fn turn(arena: &omerta::Arena) -> i32 {
    match arena.turn() {
        Turn::Seat(seat) => seat.into(),
        Turn::Chance => CHANCE,
        _ => OVER,
    }
}

/// Numbers from -128 to 127 as the bytes that hold them.
pub fn bytes(numbers: &[i8]) -> Vec<u8> {
    numbers.iter().map(|number| number.cast_unsigned()).collect()
}

impl Arena {
    pub fn of(arena: omerta::Arena, laid: Laid) -> Arena {
        let (given, laid) = (Vec::new(), Arc::new(laid));
        Arena {
            inner: Mutex::new(Inner { arena, given, laid }),
        }
    }

    fn look(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Arena {
    /// The rules it is played by.
    #[getter]
    fn rules(&self) -> Rules {
        Rules::of(self.look().arena.rules())
    }

    /// Who sits there, in the order of the seats.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.look().arena.names().to_vec()
    }

    /// The seed of this game.
    #[getter]
    fn seed(&self) -> u64 {
        self.look().arena.seed()
    }

    /// How many numbers answers have; 0 is what whoever is not asked answers.
    #[getter]
    fn actions(&self) -> usize {
        self.look().arena.actions()
    }

    /// What each of these numbers says.
    #[getter]
    fn action_words(&self) -> Vec<String> {
        self.look().arena.action_words()
    }

    /// How many numbers there are in what a seat knows.
    #[getter]
    fn width(&self) -> usize {
        self.look().arena.width()
    }

    /// What these numbers tell, part by part.
    #[getter]
    fn features(&self) -> Vec<Feature> {
        let feature = |feature: omerta::Feature| Feature {
            name: feature.name.to_owned(),
            start: feature.numbers.start,
            end: feature.numbers.end,
        };
        self.look().arena.features().into_iter().map(feature).collect()
    }

    /// The seat that answers next; -1 when nobody does any more, -2 where chance is asked.
    #[getter]
    fn turn(&self) -> i32 {
        turn(&self.look().arena)
    }

    /// How many answers have been given, the host's included.
    #[getter]
    fn answered(&self) -> usize {
        self.look().arena.answered()
    }

    /// The numbers that were given since the game began.
    #[getter]
    fn given(&self) -> Vec<u32> {
        self.look().given.clone()
    }

    /// The numbers of all legal answers, from the lowest.
    fn legal(&self) -> Vec<u32> {
        self.look().arena.legal()
    }

    /// What may come out where chance is asked, each with its share, from the lowest number.
    fn chances(&self) -> Vec<(u32, f64)> {
        let all = self.look().arena.chances();
        let total: u64 = all.iter().map(|(_, weight)| u64::from(*weight)).sum();
        all.into_iter()
            .map(|(number, weight)| (number, f64::from(weight) / total.max(1) as f64))
            .collect()
    }

    /// A byte for each answer: 1 where it is legal, 0 for all others.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let inner = self.look();
        let mut mask = vec![0; inner.arena.actions()];
        inner.arena.mask(&mut mask);
        PyByteArray::new(py, &bytes(&mask))
    }

    /// What a seat knows, a signed byte for each number.
    fn known<'py>(&self, py: Python<'py>, seat: Seats) -> PyResult<Bound<'py, PyByteArray>> {
        let inner = self.look();
        let seat = seat.among(inner.arena.names().len())?;
        Ok(PyByteArray::new(py, &bytes(inner.arena.known(seat))))
    }

    /// Gives the answer with a number, and says who answers next. One that is not legal changes nothing.
    fn step(&self, py: Python<'_>, number: i64) -> PyResult<i32> {
        // An exception is made by Python, which may let others go on meanwhile: nobody holds the game by then.
        let refused = self.look().answer(number);
        refused.map_err(|(error, legal)| errors::game(py, error, legal))
    }

    /// Gives a legal answer by a coin of its own, and says which.
    fn step_at_random(&self) -> Option<u32> {
        let mut inner = self.look();
        let number = inner.arena.step_at_random()?;
        inner.given.push(number);
        Some(number)
    }

    /// Begins a new game at the same table.
    fn begin_again(&self, py: Python<'_>, seed: Seed) -> PyResult<()> {
        let begun = self.look().begin_again(seed.0);
        begun.map_err(|error| errors::game(py, error, Vec::new()))
    }

    /// How it ended; `None` while it goes on.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.look().arena.outcome().map(outcome)
    }

    /// The same game with words, views and a log.
    fn game(&self, py: Python<'_>) -> PyResult<Game> {
        let game = self.look().arena.game();
        Ok(Game::of(
            game.map_err(|error| errors::game(py, error, Vec::new()))?,
        ))
    }

    /// A game of its own that stands where this one does.
    fn clone(&self) -> Arena {
        Arena {
            inner: Mutex::new(self.look().clone()),
        }
    }

    /// Everything that a seat was told, in words, a line each.
    fn told(&self, py: Python<'_>, seat: Seats) -> PyResult<String> {
        let game = self.look().arena.game();
        let game = game.map_err(|error| errors::game(py, error, Vec::new()))?;
        let told = game.view(omerta::Eyes::Seat(seat.among(game.names().len())?));
        let told: Vec<String> = told.into_iter().map(|event| event.words).collect();
        Ok(told.join("\n"))
    }

    #[allow(clippy::type_complexity, reason = "what pickling asks for")]
    fn __reduce__(
        &self,
        py: Python<'_>,
    ) -> PyResult<(
        Py<PyAny>,
        (
            Rules,
            Option<u8>,
            Option<Vec<String>>,
            Option<String>,
            u64,
            bool,
            bool,
            Vec<u32>,
        ),
    )> {
        let again = py.import("omerta")?.getattr("_arena_again")?.unbind();
        let inner = self.look();
        let laid = &inner.laid;
        let parts = (
            Rules::of(inner.arena.rules()),
            laid.players,
            laid.names.clone(),
            laid.cast.clone(),
            inner.arena.seed(),
            laid.by_hand,
            laid.offers,
            inner.given.clone(),
        );
        Ok((again, parts))
    }

    fn __copy__(&self) -> Arena {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Arena {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Arena>() else {
            return false;
        };
        let other = other.get().look().arena.clone();
        self.look().arena.is_same(&other)
    }

    fn __repr__(&self) -> String {
        let inner = self.look();
        let (name, seats) = (inner.arena.rules().title().name, inner.arena.names().len());
        format!(
            "<Arena of {name}, {seats} seats, {} answers given>",
            inner.arena.answered()
        )
    }
}
