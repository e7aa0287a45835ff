//! A game under way. Whoever shares one between threads takes turns: each call is whole.

use crate::{
    data::{Answer, Event, Outcome, Question, Title, outcome, seats, title},
    errors,
    rules::{Rules, Seats},
};
use omerta::{Asked, Eyes};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A game under way; a clone is a game of its own.
#[pyclass(frozen, module = "omerta")]
pub struct Game {
    game: Mutex<omerta::Game>,
}

impl Game {
    pub fn of(game: omerta::Game) -> Game {
        Game {
            game: Mutex::new(game),
        }
    }

    fn look(&self) -> MutexGuard<'_, omerta::Game> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn same_as(&self, other: &Game) -> bool {
        // One after the other: whoever compares two games the other way round waits for neither.
        let other = other.look().clone();
        *self.look() == other
    }
}

fn plain(answers: Vec<omerta::Answer>) -> Vec<Answer> {
    answers
        .into_iter()
        .map(|answer| Answer { words: answer.words })
        .collect()
}

fn words(game: &omerta::Game) -> Vec<String> {
    let all = game.legal().into_iter().chain(game.offers());
    all.map(|answer| answer.words).collect()
}

/// A seat by its number or its name, `"host"`, or nothing for what everybody knows.
fn eyes(game: &omerta::Game, who: Option<&Bound<'_, PyAny>>) -> PyResult<Eyes> {
    let Some(who) = who else {
        return Ok(Eyes::Everybody);
    };
    let names = game.names();
    if let Ok(number) = who.extract::<i64>() {
        let seat = u8::try_from(number)
            .ok()
            .filter(|seat| usize::from(*seat) < names.len());
        let no = || {
            PyValueError::new_err(format!(
                "there is no seat {number}; they go from 0 to {}",
                names.len() - 1
            ))
        };
        return seat.map(Eyes::Seat).ok_or_else(no);
    }
    let Ok(name) = who.extract::<String>() else {
        return Err(PyTypeError::new_err(
            "a view is that of a seat (a number or a name), of \"host\", or None for everybody's",
        ));
    };
    match names.iter().position(|known| *known == name) {
        Some(seat) => Ok(Eyes::Seat(seat as u8)),
        None if name == "host" => Ok(Eyes::Host),
        None => Err(PyValueError::new_err(format!(
            "nobody is called `{name}`; {} play",
            names.join(", ")
        ))),
    }
}

#[pymethods]
impl Game {
    /// The rules it is played by.
    #[getter]
    fn rules(&self) -> Rules {
        Rules::of(self.look().rules())
    }

    /// Who sits there, in the order of the seats.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.look().names().to_vec()
    }

    /// What the game waits for; `None` when it is over.
    #[getter]
    fn asked(&self) -> Option<Question> {
        let asked = self.look().asked()?;
        Some(Question {
            name: asked.name,
            words: asked.words,
            seats: seats(&asked.seats),
            asked: match asked.asked {
                Asked::Seats => "seats",
                Asked::Host => "host",
                Asked::Chance => "chance",
            }
            .to_owned(),
            numbers: asked.numbers,
            letters: asked.letters,
            seconds: asked.seconds,
        })
    }

    /// All legal answers; of texts and of a long range of numbers none.
    fn legal(&self) -> Vec<Answer> {
        plain(self.look().legal())
    }

    /// What stands open besides the question.
    fn offers(&self) -> Vec<Answer> {
        plain(self.look().offers())
    }

    /// What may come out where chance is asked, each with its share.
    fn chances(&self) -> Vec<(Answer, f64)> {
        let all = self.look().chances();
        let total: u64 = all.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let share = |weight: u32| f64::from(weight) / total.max(1) as f64;
        all.into_iter()
            .map(|(answer, weight)| (Answer { words: answer.words }, share(weight)))
            .collect()
    }

    /// Gives an answer: one of those that are legal, or its words.
    fn apply(&self, py: Python<'_>, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = match answer.cast::<Answer>() {
            Ok(answer) => answer.get().words.clone(),
            Err(_) => answer.extract::<String>().map_err(|_| {
                PyTypeError::new_err("an answer is one of game.legal(), or its words as a text")
            })?,
        };
        // An exception is made by Python, which may let others go on meanwhile: nobody holds the game by then.
        let refused = {
            let mut game = self.look();
            game.answer(&given).map_err(|error| (error, words(&game)))
        };
        refused.map_err(|(error, legal)| errors::game(py, error, legal))
    }

    /// What a player answers who tosses coins; `None` when the game is over.
    fn random_answer(&self) -> Option<Answer> {
        let answer = self.look().random_answer()?;
        Some(Answer { words: answer.words })
    }

    /// Plays on with players who toss coins, to the end or for so many answers; says how many were given.
    #[pyo3(signature = (answers=None))]
    fn play_on(&self, answers: Option<u64>) -> u64 {
        let mut game = self.look();
        let mut given = 0;
        while given < answers.unwrap_or(MOST_ANSWERS) {
            let Some(answer) = game.random_answer() else { break };
            if game.apply(&answer).is_err() {
                break;
            }
            given += 1;
        }
        given
    }

    /// Takes the last answer back; `False` where there is none.
    fn undo(&self) -> bool {
        self.look().undo()
    }

    /// Gives again what was taken back last; `False` where nothing was.
    fn redo(&self) -> bool {
        self.look().redo()
    }

    /// A game of its own that stands where this one does.
    fn clone(&self) -> Game {
        Game::of(self.look().clone())
    }

    /// The same game at its beginning, with all its answers ready for `redo`.
    fn replay(&self) -> Game {
        Game::of(self.look().replay())
    }

    /// Everything that a seat knows (`"host"`: everything; `None`: what everybody knows).
    #[pyo3(signature = (who=None))]
    fn view(&self, who: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Event>> {
        let game = self.look();
        let eyes = eyes(&game, who)?;
        let event = |event: omerta::Event| Event {
            kind: event.kind.to_owned(),
            words: event.words,
        };
        Ok(game.view(eyes).into_iter().map(event).collect())
    }

    /// Everything that happened, as the host sees it.
    #[getter]
    fn log(&self) -> Vec<Event> {
        let event = |event: omerta::Event| Event {
            kind: event.kind.to_owned(),
            words: event.words,
        };
        self.look().view(Eyes::Host).into_iter().map(event).collect()
    }

    /// The roles that a seat holds now, which only the host may see.
    fn roles_of(&self, seat: Seats) -> PyResult<Vec<Title>> {
        let game = self.look();
        let seat = seat.among(game.names().len())?;
        Ok(game.roles_of(seat).into_iter().map(title).collect())
    }

    /// How it ended; `None` while it goes on.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.look().outcome().map(outcome)
    }

    /// Whether it is over.
    #[getter]
    fn over(&self) -> bool {
        self.look().asked().is_none()
    }

    /// The seats that have won; none while it goes on.
    #[getter]
    fn winners(&self) -> Vec<u32> {
        self.look()
            .outcome()
            .map_or_else(Vec::new, |outcome| seats(&outcome.winners))
    }

    /// By what the rules went wrong, if they did.
    #[getter]
    fn fault(&self) -> Option<String> {
        self.look().fault()
    }

    /// The game as text, which `rules.restore` and `omerta play` read.
    fn save(&self) -> String {
        self.look().save()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.same_as(other.get()))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (Rules, String, bool))> {
        let again = py.import("omerta")?.getattr("_restore_again")?.unbind();
        let game = self.look();
        Ok((
            again,
            (Rules::of(game.rules()), game.save(), game.is_chance_by_hand()),
        ))
    }

    fn __repr__(&self) -> String {
        let game = self.look();
        let name = game.rules().title().name;
        let stands = match (game.asked(), game.fault()) {
            (Some(asked), _) => format!("asks `{}`", asked.name),
            (None, Some(_)) => "its rules went wrong".to_owned(),
            (None, None) => "is over".to_owned(),
        };
        format!("<Game of {name}, {} seats, {stands}>", game.names().len())
    }

    fn _repr_svg_(slf: Bound<'_, Self>) -> PyResult<String> {
        let drawing = slf.py().import("omerta._display")?;
        drawing.call_method1("table", (slf,))?.extract()
    }
}

/// After so many answers a game counts as one that does not end.
const MOST_ANSWERS: u64 = 20_000;
