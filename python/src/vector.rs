//! Many games at once: one call answers in all of them, on several threads where that is wanted.

use crate::{
    arena::{OVER, turn},
    errors,
    rules::{Count, Rules, Seats, Seed, table},
};
use pyo3::{
    buffer::{Element, PyBuffer},
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
};
use std::sync::{Mutex, MutexGuard, TryLockError};
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
    told: Told,
    threads: usize,
}

/// A game among the many.
struct One {
    arena: omerta::Arena,
    seed: u64,
    /// How far apart the seeds of this game are.
    stride: u64,
    limit: usize,
    /// Who is asked.
    seat: i32,
}

/// What is told of the games after each step: a row for each.
struct Told {
    known: Vec<i8>,
    masks: Vec<i8>,
    seats: Vec<i32>,
    rewards: Vec<i8>,
    dones: Vec<i8>,
}

/// What is told of one of them.
struct Row<'a> {
    known: &'a mut [i8],
    mask: &'a mut [i8],
    seat: &'a mut i32,
    rewards: &'a mut [i8],
    done: &'a mut i8,
}

/// Some of the games, with where they are told.
struct Part<'a> {
    games: &'a mut [One],
    known: &'a mut [i8],
    masks: &'a mut [i8],
    seats: &'a mut [i32],
    rewards: &'a mut [i8],
    dones: &'a mut [i8],
}

impl Part<'_> {
    /// Goes through the games, each with its row.
    fn each(self, mut visit: impl FnMut(&mut One, Row<'_>)) {
        let count = self.games.len().max(1);
        let [known, mask, rewards] =
            [self.known.len(), self.masks.len(), self.rewards.len()].map(|all| (all / count).max(1));
        let rows = self.known.chunks_mut(known).zip(self.masks.chunks_mut(mask));
        let rows = rows
            .zip(self.rewards.chunks_mut(rewards))
            .zip(self.seats)
            .zip(self.dones);
        for (one, ((((known, mask), rewards), seat), done)) in self.games.iter_mut().zip(rows) {
            visit(
                one,
                Row {
                    known,
                    mask,
                    seat,
                    rewards,
                    done,
                },
            );
        }
    }
}

impl One {
    /// Whether a number may be given: a legal one, or a negative one, which stands for chance.
    fn takes(&self, number: i64) -> bool {
        number < 0 || self.seat < 0 || u32::try_from(number).is_ok_and(|number| self.arena.is_legal(number))
    }

    /// Gives an answer, or one by chance where the number is negative. A game in which nobody is asked goes on to the
    /// next.
    fn step(&mut self, number: i64, row: Row<'_>) {
        // What is not legal was refused before.
        let _ = match u32::try_from(number) {
            Ok(number) => self.arena.step(number).ok().map(|()| number),
            Err(_) => self.arena.step_at_random(),
        };
        self.look(row);
    }

    /// Tells how the game stands, or the next one, where it is over.
    fn look(&mut self, row: Row<'_>) {
        row.rewards.fill(0);
        *row.done = 0;
        self.seat = turn(&self.arena);
        if self.seat < 0 || self.arena.answered() >= self.limit {
            *row.done = if self.seat < 0 { 1 } else { 2 };
            self.finish(row.rewards);
            self.seat = turn(&self.arena);
        }
        *row.seat = self.seat;
        self.arena.mask(row.mask);
        match u8::try_from(self.seat) {
            Ok(seat) => row.known.copy_from_slice(self.arena.known(seat)),
            Err(_) => row.known.fill(0),
        }
    }

    /// 1 for whoever has won, -1 for all others; a game that was cut off rewards nobody.
    fn finish(&mut self, rewards: &mut [i8]) {
        if let Some(outcome) = self.arena.outcome() {
            rewards.fill(-1);
            for seat in outcome.winners {
                rewards[usize::from(seat)] = 1;
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

    /// Answers in all of them, on as many threads as are wanted and there are cores for.
    fn answer(&mut self, actions: &[i64]) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let wanted = if self.threads == 0 {
            cores
        } else {
            self.threads.min(cores)
        };
        let threads = wanted.clamp(1, self.games.len().max(1));
        let size = self.games.len().div_ceil(threads).max(1);
        let run = |part: Part<'_>, actions: &[i64]| {
            let mut actions = actions.iter().copied();
            part.each(|one, row| {
                if let Some(action) = actions.next() {
                    one.step(action, row);
                }
            });
        };
        if threads == 1 {
            return self.parts(size).for_each(|part| run(part, actions));
        }
        thread::scope(|scope| {
            for (part, actions) in self.parts(size).zip(actions.chunks(size)) {
                scope.spawn(move || run(part, actions));
            }
        });
    }

    /// The games in parts of a size.
    fn parts(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let count = self.games.len().max(1);
        let told = &mut self.told;
        let [known, masks, rewards] =
            [told.known.len(), told.masks.len(), told.rewards.len()].map(|all| (all / count * size).max(1));
        let rows = told.known.chunks_mut(known).zip(told.masks.chunks_mut(masks));
        let rows = rows.zip(told.rewards.chunks_mut(rewards));
        let rows = rows
            .zip(told.seats.chunks_mut(size))
            .zip(told.dones.chunks_mut(size));
        let parts = self.games.chunks_mut(size).zip(rows);
        parts.map(|(games, ((((known, masks), rewards), seats), dones))| Part {
            games,
            known,
            masks,
            seats,
            rewards,
            dones,
        })
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
    #[pyo3(
        signature = (rules, count, *, players=None, cast=None, seed=Seed(0), offers=false, limit=Count(20_000), threads=Count(1)),
        text_signature = "(rules, count, *, players=None, cast=None, seed=0, offers=false, limit=20000, threads=1)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        rules: &Bound<'_, Rules>,
        count: Count,
        players: Option<Seats>,
        cast: Option<String>,
        seed: Seed,
        offers: bool,
        limit: Count,
        threads: Count,
    ) -> PyResult<Arenas> {
        let [count, limit, threads] =
            [count, limit, threads].map(|one| usize::try_from(one.0).unwrap_or(usize::MAX));
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
            if number.is_multiple_of(1024) {
                py.check_signals()?;
            }
            let seed = seed.0.wrapping_add(number as u64);
            let mut arena = arena.clone();
            arena
                .begin_again(seed)
                .map_err(|error| errors::game(py, error, Vec::new()))?;
            Ok(One {
                arena,
                seed,
                stride: count as u64,
                limit,
                seat: OVER,
            })
        };
        let games = (0..count).map(one).collect::<PyResult<Vec<One>>>()?;
        let told = Told {
            known: vec![0; count * width],
            masks: vec![0; count * actions],
            seats: vec![0; count],
            rewards: vec![0; count * seats],
            dones: vec![0; count],
        };
        let mut inner = Inner { games, told, threads };
        inner.parts(count).for_each(|part| part.each(One::look));
        Ok(Arenas {
            inner: Mutex::new(inner),
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
        let (actions, into) = (actions.to_vec(py)?, self.wanted(into)?);
        if actions.len() != self.count {
            return Err(PyValueError::new_err(format!(
                "{} answers for {} games: one each",
                actions.len(),
                self.count
            )));
        }
        py.detach(|| {
            let mut inner = self.look()?;
            inner.refuse(&actions).map(|()| inner.answer(&actions))
        })?;
        self.write(py, &into)
    }

    /// Tells how the games stand.
    fn tell(&self, py: Python<'_>, into: Arrays<'_>) -> PyResult<()> {
        let into = self.wanted(into)?;
        self.write(py, &into)
    }

    fn __repr__(&self) -> String {
        format!("<Arenas: {} games of {} seats>", self.count, self.seats)
    }
}

/// The arrays that are written to, which have the wanted sizes.
struct Into {
    known: PyBuffer<i8>,
    masks: PyBuffer<i8>,
    seats: PyBuffer<i32>,
    rewards: PyBuffer<i8>,
    dones: PyBuffer<i8>,
}

impl Arenas {
    /// Looks at the arrays before anything happens. They may be Python's own making, which may let go of its lock:
    /// ours is not taken meanwhile.
    fn wanted(&self, (known, masks, seats, rewards, dones): Arrays<'_>) -> PyResult<Into> {
        let count = self.count;
        Ok(Into {
            known: sized(&known, count * self.width)?,
            masks: sized(&masks, count * self.actions)?,
            seats: sized(&seats, count)?,
            rewards: sized(&rewards, count * self.seats)?,
            dones: sized(&dones, count)?,
        })
    }

    /// The games, unless somebody answers in them. Nobody waits: the other may be a thread that this process lost in a
    /// fork.
    fn look(&self) -> PyResult<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            Err(TryLockError::Poisoned(inner)) => Ok(inner.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "another thread answers in these games, or did when this process was forked; make a Vector for each \
                 thread and for each process",
            )),
        }
    }

    fn write(&self, py: Python<'_>, into: &Into) -> PyResult<()> {
        let inner = self.look()?;
        let told = &inner.told;
        into.known.copy_from_slice(py, &told.known)?;
        into.masks.copy_from_slice(py, &told.masks)?;
        into.seats.copy_from_slice(py, &told.seats)?;
        into.rewards.copy_from_slice(py, &told.rewards)?;
        into.dones.copy_from_slice(py, &told.dones)
    }
}

fn sized<T: Element>(array: &Bound<'_, PyAny>, wanted: usize) -> PyResult<PyBuffer<T>> {
    let buffer = PyBuffer::get(array)?;
    if buffer.readonly() || buffer.item_count() != wanted {
        return Err(PyValueError::new_err(format!(
            "an array of {wanted} numbers is wanted, which may be written to"
        )));
    }
    Ok(buffer)
}
