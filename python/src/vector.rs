//! Many games at once: one call answers in all of them, on several threads where that is wanted.

use crate::{
    arena::turn,
    errors,
    rules::{Rules, table},
};
use pyo3::{buffer::PyBuffer, exceptions::PyValueError, prelude::*};
use std::sync::{Mutex, PoisonError};
use std::thread;

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
    mask: Vec<i8>,
    seat: i32,
    rewards: Vec<i8>,
    done: i8,
    illegal: bool,
}

impl One {
    /// Gives an answer, or one by chance where the number is negative.
    fn step(&mut self, number: i32) {
        self.told.rewards.fill(0);
        self.told.done = 0;
        let given = match u32::try_from(number) {
            Ok(number) => self.arena.step(number).is_ok(),
            Err(_) => self.arena.step_at_random().is_some(),
        };
        self.told.illegal = !given;
        if given {
            self.look();
        }
    }

    fn look(&mut self) {
        let mut seat = turn(&self.arena);
        if seat < 0 || self.arena.answered() >= self.limit {
            self.finish(seat < 0);
            seat = turn(&self.arena);
        }
        self.told.seat = seat;
        self.arena.mask(&mut self.told.mask);
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
    fn each(&mut self, actions: &[i32]) {
        let threads = self.threads.clamp(1, self.games.len().max(1));
        let part = self.games.len().div_ceil(threads).max(1);
        let run = |games: &mut [One], actions: &[i32]| {
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
        if count == 0 || limit == 0 {
            return Err(PyValueError::new_err(
                "at least one game is played, and at least one answer given in each",
            ));
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
            let told = Told {
                mask: vec![0; actions],
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
    fn step(&self, py: Python<'_>, actions: PyBuffer<i32>, into: Arrays<'_>) -> PyResult<()> {
        let actions = actions.to_vec(py)?;
        if actions.len() != self.count {
            return Err(PyValueError::new_err(format!(
                "{} answers for {} games: one each",
                actions.len(),
                self.count
            )));
        }
        py.detach(|| {
            self.inner
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .each(&actions)
        });
        self.tell(py, into)
    }

    /// Tells how the games stand.
    fn tell(&self, py: Python<'_>, into: Arrays<'_>) -> PyResult<()> {
        let (known, mask, seats, rewards, done) = into;
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = inner.games.iter().position(|game| game.told.illegal) {
            return Err(PyValueError::new_err(format!(
                "the answer for game {at} is not legal there; look at its mask"
            )));
        }
        let games = || inner.games.iter();
        let row = |game: &One| u8::try_from(game.told.seat).ok();
        write(
            py,
            &known,
            games().flat_map(|game| row(game).map_or(&[][..], |seat| game.arena.known(seat))),
            self.count * self.width,
        )?;
        write(
            py,
            &mask,
            games().flat_map(|game| &game.told.mask),
            self.count * self.actions,
        )?;
        write(
            py,
            &rewards,
            games().flat_map(|game| &game.told.rewards),
            self.count * self.seats,
        )?;
        write(py, &done, games().map(|game| &game.told.done), self.count)?;
        write(py, &seats, games().map(|game| &game.told.seat), self.count)
    }

    fn __repr__(&self) -> String {
        format!("<Arenas: {} games of {} seats>", self.count, self.seats)
    }
}

/// Writes numbers into an array of just so many.
fn write<'a, T: pyo3::buffer::Element + Copy + 'a>(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    numbers: impl Iterator<Item = &'a T>,
    count: usize,
) -> PyResult<()> {
    let buffer = PyBuffer::<T>::get(array)?;
    let no = || {
        PyValueError::new_err(format!(
            "an array of {count} numbers that lie together is wanted, which may be written to"
        ))
    };
    if buffer.readonly() || !buffer.is_c_contiguous() || buffer.item_count() != count {
        return Err(no());
    }
    let numbers: Vec<T> = numbers.copied().collect();
    buffer.copy_from_slice(py, &numbers)
}
