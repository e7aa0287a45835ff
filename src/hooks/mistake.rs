//! Mistakes that the words of scripts report themselves, on their way through Rhai.

use omerta_core::diagnostic::close_name;
use rhai::{Dynamic, EvalAltResult, Position};

/// What a word of a script gives.
pub(super) type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// A sentence that is fit for people already.
#[derive(Clone)]
pub(super) struct Mistake {
    /// The sentence.
    pub(super) message: String,
    /// Whether it is about a name, and so holds whatever stands on the table.
    pub(super) always: bool,
}

impl Mistake {
    /// A mistake that hangs on what stands on the table.
    pub(super) fn plain(message: String) -> Box<EvalAltResult> {
        Mistake {
            message,
            always: false,
        }
        .raise()
    }

    /// A mistake in a name.
    pub(super) fn name(message: String) -> Box<EvalAltResult> {
        Mistake {
            message,
            always: true,
        }
        .raise()
    }

    /// A name that nothing has; `aside` is said where no other name is close.
    pub(super) fn unknown<'a>(
        sort: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        aside: &str,
    ) -> Box<EvalAltResult> {
        let meant = close_name(name, known);
        let repair = meant.map_or(aside.to_owned(), |meant| format!("; did you mean `{meant}`?"));
        Mistake::name(format!("no {sort} is called `{name}`{repair}"))
    }

    fn raise(self) -> Box<EvalAltResult> {
        EvalAltResult::ErrorRuntime(Dynamic::from(self), Position::NONE).into()
    }
}
