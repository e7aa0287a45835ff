//! The program, called with the words of Python's `sys.argv`.

use pyo3::prelude::*;
use std::{ffi::OsString, process::ExitCode};

/// Runs the program and says how it ended: 0 for a success, as a shell sees it.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    let code = py.detach(|| omerta::program(&words));
    number(code)
}

/// The number in a code; the standard library shows it to nobody.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX)
        .find(|number| ExitCode::from(*number) == code)
        .unwrap_or(1)
}
