//! Many games at once: one call answers in all of them, on several threads where that is wanted.

use crate::{
    arena::turn,
    errors,
    rules::{Rules, table},
};
use pyo3::{
    buffer::{Element, PyBuffer},
    exceptions::PyValueError,
    prelude::*,
};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many games there may be at once: each takes some ten thousand bytes.
const MOST_GAMES: usize = 1_000_000;

/// Many games of the same rules at the same table. A game that is over begins anew at once, with another seed.
#[pyclass(frozen, module = "omerta")]
pub struct Arenas {
    inner: Mutex<Inner>,
    count: usize,
    seats: usize,
    width: usize,
    actions: usize,
}

struct Inner {
    games: Vec<One>,
    threads: usize,
}

/// A game with what is told of it after each step.
struct One {
    arena: omerta::Arena,
    seed: u64,
    /// How far apart the seeds of this game are.
    stride: u64,
    limit: usize,
    told: Told,
}

#[derive(Default)]
struct Told {
    seat: i32,
    rewards: Vec<i8>,
    done: i8,
}

impl One {
    /// Whether a number may be given: a legal one, or a negative one, which stands for chance.
    fn takes(&self, number: i64) -> bool {
        number < 0
            || self.told.seat < 0
            || u32::try_from(number).is_ok_and(|number| self.arena.is_legal(number))
    }

    /// Gives an answer, or one by chance where the number is negative. A game in which nobody is asked goes on to the
    /// next.
    fn step(&mut self, number: i64) {
        self.told.rewards.fill(0);
        self.told.done = 0;
        // What is not legal was refused before.
        let _ = match u32::try_from(number) {
            Ok(number) => self.arena.step(number).ok().map(|()| number),
            Err(_) => self.arena.step_at_random(),
        };
        self.look();
    }

    fn look(&mut self) {
        let mut seat = turn(&self.arena);
        if seat < 0 || self.arena.answered() >= self.limit {
            self.finish(seat < 0);
            seat = turn(&self.arena);
        }
        self.told.seat = seat;
    }

    /// 1 for whoever has won, -1 for all others; a game that was cut off is 2 and rewards nobody.
    fn finish(&mut self, ended: bool) {
        self.told.done = if ended { 1 } else { 2 };
        if let Some(outcome) = self.arena.outcome() {
            self.told.rewards.fill(-1);
            for seat in outcome.winners {
                self.told.rewards[usize::from(seat)] = 1;
            }
        }
        self.seed = self.seed.wrapping_add(self.stride);
        // The table was laid before: it can be laid again.
        let _ = self.arena.begin_again(self.seed);
    }
}

impl Inner {
    /// Nothing is answered where one of the answers is not legal.
    fn refuse(&self, actions: &[i64]) -> PyResult<()> {
        let mut each = self.games.iter().zip(actions).enumerate();
        let Some((at, (game, action))) = each.find(|(_, (game, action))| !game.takes(**action)) else {
            return Ok(());
        };
        let legal = game
            .arena
            .legal_numbers()
            .take(20)
            .map(|number| number.to_string())
            .collect::<Vec<_>>();
        Err(PyValueError::new_err(format!(
            "the answer {action} for game {at} is not legal there: its mask shows {}; no game was answered",
            legal.join(", ")
        )))
    }

    fn each(&mut self, actions: &[i64]) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let wanted = if self.threads == 0 {
            cores
        } else {
            self.threads.min(cores)
        };
        let threads = wanted.clamp(1, self.games.len().max(1));
        let part = self.games.len().div_ceil(threads).max(1);
        let run = |games: &mut [One], actions: &[i64]| {
            games
                .iter_mut()
                .zip(actions)
                .for_each(|(game, action)| game.step(*action));
        };
        if threads == 1 {
            return run(&mut self.games, actions);
        }
        thread::scope(|scope| {
            for (games, actions) in self.games.chunks_mut(part).zip(actions.chunks(part)) {
                scope.spawn(move || run(games, actions));
            }
        });
    }
}

/// What a step is told into: arrays of the caller's.
type Arrays<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
);

#[pymethods]
impl Arenas {
    #[new]
    #[pyo3(signature = (rules, count, *, players=None, cast=None, seed=0, offers=false, limit=20_000, threads=1))]
    #[allow(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        rules: &Bound<'_, Rules>,
        count: usize,
        players: Option<u8>,
        cast: Option<String>,
        seed: u64,
        offers: bool,
        limit: usize,
        threads: usize,
    ) -> PyResult<Arenas> {
        if !(1..=MOST_GAMES).contains(&count) || limit == 0 {
            return Err(PyValueError::new_err(format!(
                "from 1 to {MOST_GAMES} games are played at once, and at least one answer is given in each"
            )));
        }
        let table = table(players, None, cast, seed, false);
        let arena = rules
            .get()
            .inner
            .arena(&table)
            .map_err(|error| errors::game(py, error, Vec::new()))?;
        let arena = if offers { arena.with_offers() } else { Ok(arena) };
        let arena = arena.map_err(|error| errors::game(py, error, Vec::new()))?;
        let (seats, width, actions) = (arena.names().len(), arena.width(), arena.actions());
        let one = |number: usize| {
            if number % 1024 == 0 {
                py.check_signals()?;
            }
            let told = Told {
                rewards: vec![0; seats],
                ..Told::default()
            };
            let seed = seed.wrapping_add(number as u64);
            let mut arena = arena.clone();
            arena
                .begin_again(seed)
                .map_err(|error| errors::game(py, error, Vec::new()))?;
            let mut one = One {
                arena,
                seed,
                stride: count as u64,
                limit,
                told,
            };
            one.look();
            Ok(one)
        };
        let games = (0..count).map(one).collect::<PyResult<Vec<One>>>()?;
        Ok(Arenas {
            inner: Mutex::new(Inner { games, threads }),
            count,
            seats,
            width,
            actions,
        })
    }

    /// How many games.
    #[getter]
    fn count(&self) -> usize {
        self.count
    }

    /// How many seats each has.
    #[getter]
    fn seats(&self) -> usize {
        self.seats
    }

    /// How many numbers there are in what a seat knows.
    #[getter]
    fn width(&self) -> usize {
        self.width
    }

    /// How many numbers answers have.
    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    /// Answers in every game (a negative number: by chance) and tells what comes of it.
    fn step(&self, py: Python<'_>, actions: PyBuffer<i64>, into: Arrays<'_>) -> PyResult<()> {
        let actions = actions.to_vec(py)?;
        if actions.len() != self.count {
            return Err(PyValueError::new_err(format!(
                "{} answers for {} games: one each",
                actions.len(),
                self.count
            )));
        }
        py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.refuse(&actions).map(|()| inner.each(&actions))
        })?;
        self.tell(py, into)
    }

    /// Tells how the games stand.
    fn tell(&self, py: Python<'_>, into: Arrays<'_>) -> PyResult<()> {
        let (known, mask, seats, rewards, done) = into;
        let known = Rows::<i8>::of(py, &known, self.count, self.width)?;
        let mask = Rows::<i8>::of(py, &mask, self.count, self.actions)?;
        let rewards = Rows::<i8>::of(py, &rewards, self.count, self.seats)?;
        let (seats, done) = (
            Rows::<i32>::of(py, &seats, self.count, 1)?,
            Rows::<i8>::of(py, &done, self.count, 1)?,
        );
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, game) in inner.games.iter().enumerate() {
            let told = &game.told;
            let row = u8::try_from(told.seat).map_or(&[][..], |seat| game.arena.known(seat));
            known.write(py, at, row);
            mask.mark(py, at, game.arena.legal_numbers());
            rewards.write(py, at, &told.rewards);
            done.write(py, at, &[told.done]);
            seats.write(py, at, &[told.seat]);
        }
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<Arenas: {} games of {} seats>", self.count, self.seats)
    }
}

/// An array of the caller's that is written to, a row for each game.
struct Rows<T: Element> {
    buffer: PyBuffer<T>,
    width: usize,
}

impl<T: Element + Copy + Default> Rows<T> {
    fn of(py: Python<'_>, array: &Bound<'_, PyAny>, count: usize, width: usize) -> PyResult<Rows<T>> {
        let buffer = PyBuffer::<T>::get(array)?;
        let wanted = count * width;
        if buffer.item_count() != wanted || buffer.as_mut_slice(py).is_none() {
            return Err(PyValueError::new_err(format!(
                "an array of {wanted} numbers that lie together is wanted, which may be written to"
            )));
        }
        Ok(Rows { buffer, width })
    }

    fn row<'a>(&'a self, py: Python<'a>, at: usize) -> &'a [Cell<T>] {
        let cells = self.buffer.as_mut_slice(py).unwrap_or(&[]);
        cells.get(at * self.width..(at + 1) * self.width).unwrap_or(&[])
    }

    /// Writes a row; one that is not there is all 0.
    fn write(&self, py: Python<'_>, at: usize, numbers: &[T]) {
        let row = self.row(py, at);
        if numbers.is_empty() {
            row.iter().for_each(|cell| cell.set(T::default()));
        }
        row.iter()
            .zip(numbers)
            .for_each(|(cell, number)| cell.set(*number));
    }
}

impl Rows<i8> {
    /// Writes 1 at some places of a row, and 0 at all others.
    fn mark(&self, py: Python<'_>, at: usize, places: impl Iterator<Item = u32>) {
        let row = self.row(py, at);
        row.iter().for_each(|cell| cell.set(0));
        places
            .filter_map(|place| row.get(place as usize))
            .for_each(|cell| cell.set(1));
    }
}
