//! Many games, with progress and a way to stop them; other threads of Python go on meanwhile.

use crate::{
    data::Counts,
    errors,
    rules::{Count, Rules, Seats, Seed, table},
};
use omerta::Simulation;
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// How often one looks for Ctrl-C and tells how far it is.
const LOOK_EVERY: Duration = Duration::from_millis(80);

/// What many games came to.
#[pyclass(frozen, module = "omerta")]
pub struct Numbers {
    inner: omerta::Numbers,
}

#[pymethods]
impl Numbers {
    /// How many games were played.
    #[getter]
    fn games(&self) -> u64 {
        self.inner.games
    }

    /// How many went wrong: their rules broke, or they did not end.
    #[getter]
    fn wrong(&self) -> u64 {
        self.inner.wrong
    }

    /// How many questions were answered in all.
    #[getter]
    fn answers(&self) -> u64 {
        self.inner.answers
    }

    /// The run as `omerta sim` keeps it.
    #[getter]
    fn run(&self) -> &str {
        &self.inner.run
    }

    /// Everything that was counted.
    #[getter]
    fn counts(&self) -> Vec<Counts> {
        let counts = |counts: &omerta::Counts| Counts {
            kind: counts.kind.to_owned(),
            name: counts.name.clone(),
            held: counts.held,
            won: counts.won,
            share: counts.share,
            low: counts.low,
            high: counts.high,
        };
        self.inner.counts.iter().map(counts).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Numbers>()
            .is_ok_and(|other| other.get().inner.run == self.inner.run)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (Vec<String>,))> {
        // A whole run is one part of one; a part stays what it is.
        let again = py.import("omerta._core")?.getattr("merge")?.unbind();
        Ok((again, (vec![self.inner.run.clone()],)))
    }

    fn __repr__(&self) -> String {
        let teams = self.inner.counts.iter().filter(|counts| counts.kind == "team");
        let teams = teams.map(|team| format!(", {} {:.1} %", team.name, team.share * 100.0));
        format!(
            "<Numbers of {} games{}>",
            self.inner.games,
            teams.collect::<String>()
        )
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        slf.py()
            .import("omerta._display")?
            .call_method1("numbers", (slf,))?
            .extract()
    }
}

/// Plays many games.
#[pyfunction]
#[pyo3(
        signature = (rules, games, *, players=None, names=None, cast=None, seed=Seed(1), threads=Count(0), policies=Vec::new(), shard=None, progress=None),
        text_signature = "(rules, games, *, players=None, names=None, cast=None, seed=1, threads=0, policies=..., shard=None, progress=None)"
    )]
#[allow(clippy::too_many_arguments, reason = "keywords")]
pub fn simulate(
    py: Python<'_>,
    rules: &Bound<'_, Rules>,
    games: Count,
    players: Option<Seats>,
    names: Option<Vec<String>>,
    cast: Option<String>,
    seed: Seed,
    threads: Count,
    policies: Vec<String>,
    shard: Option<(u64, u64)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Numbers> {
    let table = table(players, names, cast, seed, false);
    let simulation =
        Simulation::new(table, games.0).threads(usize::try_from(threads.0).unwrap_or(usize::MAX));
    let simulation = policies.into_iter().fold(simulation, Simulation::policy);
    let simulation = match shard {
        Some((number, of)) if (1..=of).contains(&number) => simulation.shard(number, of),
        Some((number, of)) => {
            return Err(PyValueError::new_err(format!(
                "there is no part {number} of {of}: parts are counted from 1, shard=(1, {})",
                of.max(1)
            )));
        }
        None => simulation,
    };
    let rules = rules.get().inner.clone();
    let watched = py.detach(|| watch(&simulation, &rules, progress.as_ref()));
    let inner = watched?.map_err(|error| errors::game(py, error, Vec::new()))?;
    Ok(Numbers { inner })
}

type Played = Result<omerta::Numbers, omerta::GameError>;

/// Plays on another thread, and looks meanwhile whether somebody wants to stop or to hear how far it is.
fn watch(simulation: &Simulation, rules: &omerta::Rules, progress: Option<&Py<PyAny>>) -> PyResult<Played> {
    let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    let (done, wait) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let count = |more| {
                played.fetch_add(more, Ordering::Relaxed);
            };
            // Nobody waits any more where the other side was interrupted.
            let _ = done.send(simulation.run(rules, &count, &stop));
        });
        let mut looked = Ok(());
        loop {
            match wait.recv_timeout(LOOK_EVERY) {
                Ok(numbers) => return looked.map(|()| numbers),
                Err(RecvTimeoutError::Disconnected) => {
                    let why = omerta::GameError::Table("the games were not played to their end".to_owned());
                    return looked.map(|()| Err(why));
                }
                Err(RecvTimeoutError::Timeout) if looked.is_ok() => {
                    looked = look(progress, played.load(Ordering::Relaxed));
                    stop.store(looked.is_err(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}

fn look(progress: Option<&Py<PyAny>>, played: u64) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        match progress {
            Some(progress) => progress.call1(py, (played,)).map(|_| ()),
            None => Ok(()),
        }
    })
}

/// Puts the runs of all parts together.
#[pyfunction]
pub fn merge(py: Python<'_>, runs: Vec<String>) -> PyResult<Numbers> {
    let merged = match runs.as_slice() {
        [one] => omerta::Numbers::read(one),
        all => omerta::Numbers::merge(all),
    };
    let inner = merged.map_err(|error| errors::game(py, error, Vec::new()))?;
    Ok(Numbers { inner })
}
