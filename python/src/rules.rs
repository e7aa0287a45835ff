//! Rules: loaded, looked at, begun.

use crate::{
    arena::{Arena, Laid},
    data::{Mistake, Setting, Title, mistakes, title},
    errors,
    game::Game,
};
use omerta::{Load, Table};
use pyo3::{
    Borrowed,
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
};

/// Loads rules: a bundled name, a path, or texts in memory of which one has the name.
#[pyfunction]
#[pyo3(signature = (source, overlays, options, texts))]

pub fn load(
    py: Python<'_>,
    source: String,
    overlays: Vec<String>,
    options: Vec<(String, String)>,
    texts: Vec<(String, String)>,
) -> PyResult<Rules> {
    let load = Load::named(source);
    let load = overlays.iter().fold(load, Load::overlay);
    let load = options
        .iter()
        .fold(load, |load, (name, value)| load.option(name, value));
    let load = texts
        .into_iter()
        .fold(load, |load, (name, text)| load.beside(name, text));
    let loaded = py.detach(|| load.load());
    let inner = loaded.map_err(|error| errors::load(py, error))?;
    Ok(Rules {
        inner,
        overlays,
        options,
    })
}

/// Rules ready to play.
#[pyclass(frozen, module = "omerta")]
pub struct Rules {
    pub inner: omerta::Rules,
    overlays: Vec<String>,
    options: Vec<(String, String)>,
}

impl Rules {
    pub fn of(inner: &omerta::Rules) -> Rules {
        let options = inner
            .options()
            .into_iter()
            .map(|option| (option.name, option.value));
        Rules {
            inner: inner.clone(),
            overlays: inner.overlays().to_vec(),
            options: options.collect(),
        }
    }
}

/// A number of seats, or that of one.
#[derive(Clone, Copy)]
pub struct Seats(pub u8);

impl Seats {
    /// The number of one of so many seats.
    pub fn among(self, seats: usize) -> PyResult<u8> {
        match usize::from(self.0) < seats {
            true => Ok(self.0),
            false => Err(PyValueError::new_err(format!(
                "there is no seat {}; they go from 0 to {}",
                self.0,
                seats.saturating_sub(1)
            ))),
        }
    }
}

/// What chance hangs on.
#[derive(Clone, Copy)]
pub struct Seed(pub u64);

/// How many of something.
#[derive(Clone, Copy)]
pub struct Count(pub u64);

impl<'py> FromPyObject<'_, 'py> for Seats {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Seats> {
        let no = |given: &Bound<'_, PyAny>| {
            format!("a table has at most 64 seats, and {given} is no number of a seat or of seats")
        };
        number(given, no).map(Seats)
    }
}

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Seed> {
        number(given, |given| {
            format!("a seed goes from 0 to {}, and {given} does not", u64::MAX)
        })
        .map(Seed)
    }
}

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Count> {
        number(given, |given| {
            format!("how many is a whole number from 0 on, and {given} is none")
        })
        .map(Count)
    }
}

/// A whole number that is neither too small nor too large, or why not.
fn number<'a, 'py, T>(
    given: Borrowed<'a, 'py, PyAny>,
    no: impl Fn(&Bound<'_, PyAny>) -> String,
) -> PyResult<T>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    let py = given.py();
    given
        .extract::<T>()
        .map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
            true => PyValueError::new_err(no(&given)),
            false => error,
        })
}

/// Who plays, with which cards, and what chance hangs on.
pub fn table(
    players: Option<Seats>,
    names: Option<Vec<String>>,
    cast: Option<String>,
    Seed(seed): Seed,
    by_hand: bool,
) -> Table {
    let mut table = Table::new().seed(seed);
    if let Some(Seats(players)) = players {
        table = table.players(players);
    }
    if let Some(names) = names {
        table = table.names(names);
    }
    if let Some(cast) = cast {
        table = table.cast(cast);
    }
    match by_hand {
        true => table.chance_by_hand(),
        false => table,
    }
}

#[pymethods]
impl Rules {
    /// The name of the ruleset.
    #[getter]
    fn name(&self) -> String {
        self.inner.title().name
    }

    /// What people see.
    #[getter]
    fn title(&self) -> String {
        self.inner.title().title
    }

    /// What was asked for to load them: a name or a path.
    #[getter]
    fn source(&self) -> &str {
        self.inner.source()
    }

    /// The overlays that lie on it.
    #[getter]
    fn overlays(&self) -> Vec<String> {
        self.inner.overlays().to_vec()
    }

    /// All options with their values.
    #[getter]
    fn options(&self) -> Vec<Setting> {
        let setting = |setting: omerta::Setting| Setting {
            name: setting.name,
            value: setting.value,
            values: setting.values,
        };
        self.inner.options().into_iter().map(setting).collect()
    }

    /// The fewest and the most players.
    #[getter]
    fn players(&self) -> (u8, u8) {
        let players = self.inner.players();
        (*players.start(), *players.end())
    }

    /// All roles.
    #[getter]
    fn roles(&self) -> Vec<Title> {
        self.inner.roles().into_iter().map(title).collect()
    }

    /// All teams.
    #[getter]
    fn teams(&self) -> Vec<Title> {
        self.inner.teams().into_iter().map(title).collect()
    }

    /// What is to be warned of.
    #[getter]
    fn warnings(&self) -> Vec<Mistake> {
        mistakes(&self.inner.warnings())
    }

    /// A digest of what the rules do: equal rules play equal games.
    #[getter]
    fn identity(&self) -> String {
        self.inner.identity()
    }

    /// The texts they were read from that do not travel inside the package, by their names.
    #[getter]
    fn texts(&self) -> Vec<(String, String)> {
        self.inner.texts()
    }

    /// Begins a game and deals.
    #[pyo3(
        signature = (*, players=None, names=None, cast=None, seed=Seed(0), chance_by_hand=false),
        text_signature = "($self, *, players=None, names=None, cast=None, seed=0, chance_by_hand=false)"
    )]
    fn begin(
        &self,
        py: Python<'_>,
        players: Option<Seats>,
        names: Option<Vec<String>>,
        cast: Option<String>,
        seed: Seed,
        chance_by_hand: bool,
    ) -> PyResult<Game> {
        let table = table(players, names, cast, seed, chance_by_hand);
        let game = self.inner.begin(&table);
        Ok(Game::of(
            game.map_err(|error| errors::game(py, error, Vec::new()))?,
        ))
    }

    /// Goes on with a game that was kept under these rules.
    #[pyo3(signature = (text, *, chance_by_hand=false))]

    fn restore(&self, py: Python<'_>, text: &str, chance_by_hand: bool) -> PyResult<Game> {
        let game = self.inner.restore(text);
        let game = game.map_err(|error| errors::game(py, error, Vec::new()))?;
        Ok(Game::of(if chance_by_hand {
            game.chance_by_hand()
        } else {
            game
        }))
    }

    /// Begins a game for programs that learn.
    #[pyo3(
        signature = (*, players=None, names=None, cast=None, seed=Seed(0), chance_by_hand=false, offers=false),
        text_signature = "($self, *, players=None, names=None, cast=None, seed=0, chance_by_hand=false, offers=false)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keywords")]
    fn arena(
        &self,
        py: Python<'_>,
        players: Option<Seats>,
        names: Option<Vec<String>>,
        cast: Option<String>,
        seed: Seed,
        chance_by_hand: bool,
        offers: bool,
    ) -> PyResult<Arena> {
        let table = table(players, names.clone(), cast.clone(), seed, chance_by_hand);
        let arena = self.inner.arena(&table);
        let arena = arena.map_err(|error| errors::game(py, error, Vec::new()))?;
        let laid = Laid {
            players: players.map(|players| players.0),
            names,
            cast,
            by_hand: chance_by_hand,
            offers,
        };
        let arena = if offers { arena.with_offers() } else { Ok(arena) };
        Ok(Arena::of(
            arena.map_err(|error| errors::game(py, error, Vec::new()))?,
            laid,
        ))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Rules>();
        other.is_ok_and(|other| other.get().inner.identity() == self.inner.identity())
    }

    fn __hash__(&self) -> u64 {
        let digits = self.inner.identity();
        u64::from_str_radix(digits.trim_start_matches("0x"), 16).unwrap_or(0)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    #[allow(clippy::type_complexity, reason = "what pickling asks for")]
    fn __reduce__(
        &self,
        py: Python<'_>,
    ) -> PyResult<(
        Py<PyAny>,
        (
            String,
            Vec<String>,
            Vec<(String, String)>,
            Vec<(String, String)>,
            String,
        ),
    )> {
        let again = py.import("omerta")?.getattr("_load_again")?.unbind();
        let parts = (
            self.inner.source().to_owned(),
            self.overlays.clone(),
            self.options.clone(),
            self.inner.texts(),
            self.inner.identity(),
        );
        Ok((again, parts))
    }

    fn __repr__(&self) -> String {
        let overlays = self.inner.overlays();
        let with = if overlays.is_empty() {
            String::new()
        } else {
            format!(" with {}", overlays.join(", "))
        };
        format!("<Rules {}{with}>", self.inner.title().name)
    }
}
