//! What went wrong, where, and how to mend it: plain data.
//!
//! Knows no parser, no script engine and no terminal; `faces` turn it into words on a screen.

use crate::source::Span;
use std::collections::BTreeMap;

/// A code such as `M0203`; its page stands in `docs/errors/`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
pub struct Code(pub &'static str);

impl From<&'static str> for Code {
    fn from(code: &'static str) -> Self {
        Code(code)
    }
}

impl Code {
    /// Whether it is about the shape of a text, so that what was declared there is not known.
    pub fn is_about_shape(self) -> bool {
        self.0.starts_with("M00")
    }

    /// Whether it is about a name: which then stands for nothing.
    pub fn is_about_names(self) -> bool {
        self.0.starts_with("M02")
    }

    /// Whether it is about the kind of a value.
    pub fn is_about_kinds(self) -> bool {
        self.0.starts_with("M03")
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing can be run.
    Error,
    /// It can be run and is surely not what was meant.
    Warning,
}

/// A place with a few words about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words under it; may be empty.
    pub text: String,
}

/// What to write so that something is mended, for whoever can write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Other words in the place of those that stand there.
    Instead {
        /// The place, or one in which they stand once.
        span: Span,
        /// The words that have to stand there, where that is not all of it.
        was: Option<String>,
        /// What is written.
        text: String,
    },
    /// A declaration more, before the one with the mistake.
    Declare(String),
    /// A name that the text with its declaration has to publish.
    Publish {
        /// The name.
        name: String,
        /// Its declaration.
        declared: Span,
    },
    /// A library that the text has to use.
    Use(String),
}

impl Repair {
    /// Other words in a place.
    pub fn instead(span: Span, text: impl Into<String>) -> Repair {
        let (was, text) = (None, text.into());
        Repair::Instead { span, was, text }
    }

    /// Another name for one that stands once in a place.
    pub fn respelt(span: Span, was: &str, text: &str) -> Repair {
        let (was, text) = (Some(was.to_owned()), text.to_owned());
        Repair::Instead { span, was, text }
    }
}

/// What can be written to mend something, the best first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repairs(pub Vec<Repair>);

/// One mistake: its code, the sentence, the places, the repair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The code that finds the page about it.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// The sentence that states the mistake: lower case, no full stop, user text in backticks.
    pub message: String,
    /// The places, the main one first.
    pub labels: Vec<Label>,
    /// The repair.
    pub help: Option<String>,
    /// The same as something that can be written, where it is known so well.
    pub repairs: Option<Box<Repairs>>,
    /// For warnings: the name by which `// allow NAME` silences it.
    pub lint: Option<&'static str>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(
        code: impl Into<Code>,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Diagnostic {
            code: code.into(),
            severity: Severity::Error,
            message: message.into(),
            labels: vec![Label {
                span,
                text: label.into(),
            }],
            help: None,
            repairs: None,
            lint: None,
        }
    }

    /// A warning at a place; `lint` is the name that silences it.
    pub fn warning(
        code: impl Into<Code>,
        lint: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            lint: Some(lint),
            ..Self::error(code, message, span, label)
        }
    }

    /// Adds another place, where there is one.
    #[must_use]
    pub fn also(mut self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        let label = |span| Label {
            span,
            text: text.into(),
        };
        self.labels.extend(span.into().map(label));
        self
    }

    /// Says the repair.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says how it can be written.
    #[must_use]
    pub fn mend(mut self, repair: Repair) -> Self {
        self.repairs.get_or_insert_default().0.push(repair);
        self
    }

    /// What can be written to mend it.
    pub fn repairs(&self) -> &[Repair] {
        self.repairs.as_ref().map_or(&[], |repairs| &repairs.0)
    }

    /// Says what can be written in the place of what stands there.
    #[must_use]
    pub fn writes(self, text: impl Into<String>) -> Self {
        let span = self.span();
        self.writes_in(span, text)
    }

    /// Says what can be written in another place.
    #[must_use]
    pub fn writes_in(self, span: Span, text: impl Into<String>) -> Self {
        self.mend(Repair::instead(span, text))
    }

    /// The same without what can be written to mend it.
    #[must_use]
    pub fn without_repairs(&self) -> Self {
        Diagnostic {
            repairs: None,
            ..self.clone()
        }
    }

    /// Says which of the known names was meant; where none is close, the repair, if there is one.
    #[must_use]
    pub fn near<N: AsRef<str>>(
        self,
        given: &str,
        known: impl IntoIterator<Item = N>,
        otherwise: impl Into<String>,
    ) -> Self {
        let known: Vec<N> = known.into_iter().collect();
        let otherwise = otherwise.into();
        match close_name(given, known.iter().map(AsRef::as_ref)) {
            Some(name) => {
                let repair = Repair::respelt(self.span(), given, name);
                self.help(format!("did you mean `{name}`?")).mend(repair)
            }
            None if otherwise.is_empty() => self,
            None => self.help(otherwise),
        }
    }

    /// The main place.
    pub fn span(&self) -> Span {
        self.labels[0].span
    }
}

/// Mistakes as rows: the code and the place, the sentence and the words under the place, other places, the
/// repair, and what it `writes` in that place; or the known name `near` to what was written, `else` the repair; last,
/// `where`, what stands for what in all of it. Each row is a function that gives the diagnostic.
#[macro_export]
macro_rules! mistakes {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident($($given:tt)*) =
        $sort:ident $($lint:literal)? ($code:expr, $span:expr):
        $message:expr, $label:expr $(, also $other:expr, $words:expr)* $(, help $help:expr)?
        $(, writes $writes:expr)? $(, near $near:expr, $known:expr, else $otherwise:expr)? $(, where $bound:pat = $value:expr)*;)*) => {
        $($(#[$doc])* $vis fn $name($($given)*) -> $crate::diagnostic::Diagnostic {
            $(let $bound = $value;)*
            $crate::diagnostic::Diagnostic::$sort($code, $($lint,)? $message, $span, $label)
                $(.also($other, $words))* $(.help($help))? $(.writes($writes))? $(.near($near, $known, $otherwise))?
        })*
    };
}

/// Of one kind so many are told, and then how many there are besides.
const MOST_ALIKE: usize = 1_000;

/// Leaves out what is told over and over: of each code the first thousand stay, and the last of these says how many
/// more there are.
pub fn told_in_groups(diagnostics: &mut Vec<Diagnostic>) {
    let mut told: BTreeMap<Code, usize> = BTreeMap::new();
    for diagnostic in diagnostics.iter() {
        *told.entry(diagnostic.code).or_default() += 1;
    }
    told.retain(|_, count| *count > MOST_ALIKE);
    let mut seen: BTreeMap<Code, usize> = BTreeMap::new();
    diagnostics.retain_mut(|diagnostic| {
        let Some(all) = told.get(&diagnostic.code) else {
            return true;
        };
        let nth = seen.entry(diagnostic.code).or_default();
        *nth += 1;
        if *nth == MOST_ALIKE {
            let more = format!("there are {} more of this kind", all - MOST_ALIKE);
            let help = diagnostic.help.take().map(|help| format!("{help}; {more}"));
            diagnostic.help = Some(help.unwrap_or(more));
        }
        *nth <= MOST_ALIKE
    });
}

/// The known name that is the same word, but for capital letters or as one of several.
pub fn same_name<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = given.to_lowercase();
    known.into_iter().find(|name| {
        let name = name.to_lowercase();
        name == lower || is_plural(&name, &lower) || is_plural(&lower, &name)
    })
}

/// Whether one word is the plural of another, as most are made: `wolves`, `witches`, `watchmen`.
fn is_plural(many: &str, one: &str) -> bool {
    const ENDS: [(&str, &str); 8] = [
        ("s", ""),
        ("es", ""),
        ("ies", "y"),
        ("ves", "f"),
        ("ves", "fe"),
        ("men", "man"),
        // `killing` is done by `kill`.
        ("ing", ""),
        ("ing", "e"),
    ];
    let mut ends = ENDS.iter();
    ends.any(|(end, instead)| {
        let stem = many.strip_suffix(end);
        stem.is_some_and(|stem| one.strip_suffix(instead) == Some(stem))
    })
}

/// Longer names are not looked for among others, nor are longer sentences.
const LONGEST_GUESSED: (usize, usize) = (64, 400);

/// Whether one word has more letters that are not in the other at all than may differ.
fn are_apart(one: &str, other: &str, limit: usize) -> bool {
    let set = |word: &str| {
        word.chars()
            .fold(0_u64, |set, letter| set | 1 << (u32::from(letter) % 64))
    };
    let (one, other) = (set(one), set(other));
    let missing = (one & !other).count_ones().max((other & !one).count_ones());
    missing as usize > limit
}

/// The name among `known` that a reader would take `given` for: the same but for case, or a few
/// letters away.
pub fn close_name<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(given, known, LONGEST_GUESSED.0)
}

/// Whether one word is another but for a letter: one more, one less, one for another, or two turned round.
pub fn is_a_letter_off(given: &str, known: &str) -> bool {
    // A letter by itself is a word that lacks one, and no other letter.
    let may_be = given.chars().nth(1).is_some() || known.len() > given.len();
    may_be && strsim::damerau_levenshtein(&given.to_lowercase(), known) == 1
}

/// Whether one word says the opposite of the other: `untreated`, `treated`.
fn is_denied(one: &str, other: &str) -> bool {
    let denies = |long: &str, short: &str| {
        ["un", "non-", "not-", "non"]
            .iter()
            .any(|no| long.strip_prefix(no) == Some(short))
    };
    denies(one, other) || denies(other, one)
}

/// The close name of what was said, which may be a sentence.
pub fn close_sentence<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(given, known, LONGEST_GUESSED.1)
}

fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>, longest: usize) -> Option<&'a str> {
    let lower = given.to_lowercase();
    let letters = lower.chars().count();
    // A letter is no misspelt word.
    let limit = match letters {
        1 => 0,
        letters => (letters / 3).max(1),
    };
    let distance = |name: &str| {
        // A plural may have three letters more, and nobody mistypes a name that is as long as a page.
        if name.chars().count().abs_diff(letters) > limit.max(3) || letters > longest && name != given {
            return usize::MAX;
        }
        let name = name.to_lowercase();
        if name == lower || is_plural(&name, &lower) || is_plural(&lower, &name) {
            0
        } else if are_apart(&lower, &name, limit) || is_denied(&lower, &name) {
            usize::MAX
        } else {
            strsim::damerau_levenshtein(&lower, &name)
        }
    };
    known
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, name)| name)
}
