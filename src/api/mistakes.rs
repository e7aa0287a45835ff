//! What is wrong with rules, as data.

use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    source::Sources,
};
use omerta_workbench::Workbench;
use std::fmt;

/// One mistake or warning: its code, the sentence, the places, the repair.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mistake {
    /// The code that finds the page about it, such as `M0201`.
    pub code: &'static str,
    /// Whether it is only a warning: the rules can be played.
    pub is_warning: bool,
    /// The sentence that states it.
    pub message: String,
    /// The places, the main one first.
    pub places: Vec<Place>,
    /// What to write instead, where that can be said.
    pub help: Option<String>,
    #[cfg(feature = "program")]
    drawn: String,
}

#[cfg(feature = "program")]
impl Mistake {
    /// The mistake as `omerta check` draws it: with the lines of the text, and marks under what is meant.
    pub fn drawn(&self) -> &str {
        &self.drawn
    }
}

/// A place in a text, with a few words about it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The name of the text: a path, or what it was given as.
    pub text: String,
    /// The bytes of the text that are meant.
    pub bytes: std::ops::Range<usize>,
    /// The line it begins on, from 1.
    pub line: usize,
    /// The column it begins at, in characters, from 1.
    pub column: usize,
    /// The words about it; may be empty.
    pub label: String,
}

/// Why there are no rules.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// They have mistakes; warnings stand among them.
    Wrong(Vec<Mistake>),
    /// What was asked for cannot be read, or means nothing: a sentence.
    Unusable(String),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.places.first() {
            write!(f, "{}:{}:{}: ", place.text, place.line, place.column)?;
        }
        let kind = if self.is_warning { "warning" } else { "error" };
        write!(f, "{kind}[{}]: {}", self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Unusable(why) => f.write_str(why),
            LoadError::Wrong(mistakes) => {
                let lines: Vec<String> = mistakes.iter().map(Mistake::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Diagnostics of a workbench as mistakes.
pub(super) fn mistakes(bench: &Workbench, diagnostics: &[Diagnostic]) -> Vec<Mistake> {
    bench.with_sources(|sources| diagnostics.iter().map(|found| mistake(sources, found)).collect())
}

fn mistake(sources: &Sources, diagnostic: &Diagnostic) -> Mistake {
    let places = diagnostic.labels.iter().map(|label| {
        let source = sources.get(label.span.source);
        let start = source.place(label.span.start as usize);
        Place {
            text: source.name.clone(),
            bytes: label.span.start as usize..label.span.end as usize,
            line: start.line,
            column: start.column,
            label: label.text.clone(),
        }
    });
    Mistake {
        code: diagnostic.code.0,
        is_warning: diagnostic.severity == Severity::Warning,
        message: diagnostic.message.clone(),
        places: places.collect(),
        help: diagnostic.help.clone(),
        #[cfg(feature = "program")]
        drawn: crate::faces::render::drawn(sources, diagnostic),
    }
}
