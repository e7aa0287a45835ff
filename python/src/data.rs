//! Plain values: what was asked, answered, heard and found wrong. They are compared by what they hold.

use pyo3::{IntoPyObjectExt, prelude::*};

/// A value of the library as a frozen class with these attributes, compared and shown by them.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[pyclass(frozen, eq, get_all, module = "omerta")]
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind),* }

        #[pymethods]
        impl $name {
            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let mut shown: Vec<String> = Vec::new();
                $(
                    let value = self.$field.clone()
                .into_bound_py_any(py)?;
                    shown.push(format!("{}={}", stringify!($field), value.repr()?));
                )*
                Ok(format!("{}({})", stringify!($name), shown.join(", ")))
            }

            fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
                let class = py.get_type::<$name>().into_any().unbind();
                let parts = ($(self.$field.clone(),)*)
                .into_bound_py_any(py)?;
                Ok((class, parts.unbind()))
            }

            #[new]
            #[allow(clippy::too_many_arguments, reason = "one for each attribute")]
            fn new($($field: $kind),*) -> $name {
                $name { $($field),* }
            }
        }
    )*};
}

values! {
    /// What a game waits for.
    Question {
        name: String,
        words: String,
        seats: Vec<u32>,
        asked: String,
        numbers: Option<(i64, i64)>,
        letters: Option<u32>,
        seconds: Option<u32>,
    }
    /// A legal answer, by the words that give it.
    Answer { words: String }
    /// Something that happened, as somebody got to know of it.
    Event { kind: String, words: String }
    /// How a game ended.
    Outcome { ending: Option<String>, winners: Vec<u32>, losers: Vec<u32> }
    /// A role or a team by its name and what people see.
    Title { name: String, title: String }
    /// An option of the rules with its value.
    Setting { name: String, value: String, values: Vec<String> }
    /// A place in a text.
    Place { text: String, start: usize, end: usize, line: usize, column: usize, label: String }
    /// A mistake or a warning.
    Mistake { code: String, is_warning: bool, message: String, places: Vec<Place>, help: Option<String>, drawn: String }
    /// Something that was counted over many games.
    Counts { kind: String, name: String, held: u64, won: u64, share: f64, low: f64, high: f64 }
    /// A part of what a seat knows, as numbers.
    Feature { name: String, start: usize, end: usize }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Place {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Place> {
        Ok(object.cast::<Place>()?.get().clone())
    }
}

pub fn seats(seats: &[u8]) -> Vec<u32> {
    seats.iter().copied().map(u32::from).collect()
}

pub fn title(title: omerta::Title) -> Title {
    Title {
        name: title.name,
        title: title.title,
    }
}

pub fn outcome(outcome: omerta::Outcome) -> Outcome {
    Outcome {
        ending: outcome.ending,
        winners: seats(&outcome.winners),
        losers: seats(&outcome.losers),
    }
}

pub fn mistake(mistake: &omerta::Mistake) -> Mistake {
    let place = |place: &omerta::Place| Place {
        text: place.text.clone(),
        start: place.bytes.start,
        end: place.bytes.end,
        line: place.line,
        column: place.column,
        label: place.label.clone(),
    };
    Mistake {
        code: mistake.code.to_owned(),
        is_warning: mistake.is_warning,
        message: mistake.message.clone(),
        places: mistake.places.iter().map(place).collect(),
        help: mistake.help.clone(),
        drawn: mistake.drawn().to_owned(),
    }
}

pub fn mistakes(all: &[omerta::Mistake]) -> Vec<Mistake> {
    all.iter().map(mistake).collect()
}
