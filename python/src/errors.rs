//! What goes wrong, as the exceptions of `omerta._errors`.

use crate::data::mistakes;
use omerta::{GameError, LoadError, Mistake};
use pyo3::prelude::*;

/// An exception of the package by its name. The class is written in Python, where people look for it.
fn raise<'py, T>(py: Python<'py>, name: &str, with: T) -> PyErr
where
    T: pyo3::call::PyCallArgs<'py>,
{
    let made = || -> PyResult<Bound<'py, PyAny>> {
        let class = py.import("omerta._errors")?.getattr(name)?;
        class.call1(with)
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

fn rules(py: Python<'_>, found: &[Mistake]) -> PyErr {
    let drawn: Vec<&str> = found.iter().map(Mistake::drawn).collect();
    raise(py, "RulesError", (drawn.join("\n"), mistakes(found)))
}

pub fn load(py: Python<'_>, error: LoadError) -> PyErr {
    match error {
        LoadError::Wrong(found) => rules(py, &found),
        other => raise(
            py,
            "RulesError",
            (other.to_string(), Vec::<crate::data::Mistake>::new()),
        ),
    }
}

/// Why something cannot be done with a game; `legal` are the answers that could be given.
pub fn game(py: Python<'_>, error: GameError, legal: Vec<String>) -> PyErr {
    match error {
        GameError::Cast(found) => rules(py, &found),
        GameError::Illegal(why) => raise(py, "IllegalAnswer", (why, legal)),
        GameError::Save(why) => raise(py, "SaveError", (why,)),
        other => raise(py, "TableError", (other.to_string(),)),
    }
}
