//! The module for Python: thin classes over the public library, and the program with its words handed in.
//!
//! Knows nothing of rules and of no room below the library; what Python does better is written in Python.

use pyo3::prelude::*;

mod arena;
mod command;
mod data;
mod errors;
mod game;
mod rules;
mod scenarios;
mod simulate;
mod vector;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::{
        arena::Arena,
        command::main,
        data::{Answer, Counts, Event, Feature, Mistake, Outcome, Place, Question, Setting, Title},
        game::Game,
        rules::{Rules, load},
        scenarios::{Tried, scenarios},
        simulate::{Numbers, merge, simulate},
        vector::Arenas,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
