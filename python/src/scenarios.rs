//! Scenarios: their names, and what came of each.

use crate::{
    data::{Mistake, mistakes},
    errors,
};
use omerta::Scenarios;
use pyo3::prelude::*;

/// What came of a scenario.
#[pyclass(frozen, get_all, module = "omerta")]
pub struct Tried {
    name: String,
    passed: bool,
    mistakes: Vec<Mistake>,
    snapshots: Vec<String>,
}

#[pymethods]
impl Tried {
    fn __repr__(&self) -> String {
        let word = if self.passed { "ok" } else { "FAILED" };
        format!("<Tried {:?}: {word}>", self.name)
    }
}

/// Runs the scenarios of a file or of a text, those with these letters in their name.
#[pyfunction]
#[pyo3(signature = (name, text=None, filter=String::new()))]
pub fn scenarios(py: Python<'_>, name: String, text: Option<String>, filter: String) -> PyResult<Vec<Tried>> {
    let suite = match text {
        Some(text) => Scenarios::text(name, text),
        None => Scenarios::read(&name).map_err(|error| errors::load(py, error))?,
    };
    let tried = py.detach(|| suite.run(&filter));
    let one = |tried: omerta::Tried| Tried {
        name: tried.name,
        passed: tried.passed,
        mistakes: mistakes(&tried.mistakes),
        snapshots: tried.snapshots,
    };
    Ok(tried.into_iter().map(one).collect())
}
