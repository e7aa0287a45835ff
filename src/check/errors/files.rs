//! What is wrong with files, heads and what they use.

use super::wording::list;
use omerta_core::codes;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::Name;

/// A library that is not there: of one that goes by a longer name, the shortest of these.
pub fn no_such_library(name: &str, span: Span, known: &[String]) -> Diagnostic {
    let ends_so = |known: &&String| known.rsplit('.').next() == Some(name);
    match known.iter().filter(ends_so).min_by_key(|known| known.len()) {
        Some(meant) => half_named_library(name, span, meant),
        None => unknown_library(name, span, known),
    }
}

mistakes! {
    /// A ruleset or an overlay that is not there.
    pub fn no_such_file(sort: &str, name: &str, span: Span, known: &[String]) = error(codes::NO_SUCH_FILE, span):
        format!("there is no {sort} or file `{name}`"), "looked for here",
        near name, known, else match known.iter().filter(|file| file.starts_with(&format!("{name}."))).collect::<Vec<_>>().as_slice() {
            [] => format!("there are {}", list(known)),
            parts => format!("`{name}` is a folder with {}: say which", list(parts)),
        };

    /// A library that is not there.
    fn unknown_library(name: &str, span: Span, known: &[String]) = error(codes::NO_SUCH_FILE, span):
        format!("there is no library `{name}`"), "looked for here",
        near name, known, else match known.iter().filter(|file| file.starts_with(&format!("{name}."))).collect::<Vec<_>>().as_slice() {
            [] => format!("there are {}, and the files beside this one", list(known)),
            parts => format!("`{name}` is a folder with {}: say which", list(parts)),
        };

    /// `use vote`
    fn half_named_library(name: &str, span: Span, meant: &str) = error(codes::NO_SUCH_FILE, span):
        format!("there is no library `{name}`"), "looked for here",
        help format!("write `use {meant}`: that is its whole name"),
        writes meant;

    /// A file that is meant to be a ruleset and does not say so.
    pub fn no_ruleset_head(span: Span) = error(codes::NO_HEAD, span):
        "the file does not say what it is", "should begin with its kind and name",
        help "begin with `ruleset my-game \"My game\"`, or `library` or `overlay`";

    /// The same where its lines end in a sign with which no line ends here.
    pub fn other_line_ends(span: Span) = error(codes::NO_HEAD, span):
        "the lines of this file end in `CR` alone, as on very old machines: all of it is one line", "nothing is read behind the first remark",
        help "save it with the line ends `LF` or `CRLF`; editors have a setting for it";

    /// A file that is an overlay, where rules to be played are wanted.
    pub fn only_an_overlay(overlay: &Name, called: &str, together: &str) = error(codes::NO_HEAD, overlay.span):
        "this is an overlay and no game by itself", "is laid on a ruleset",
        help format!("name the ruleset it is for, and lay it on with `--with {called}`; in a scenario: `ruleset {together}`");

    /// An overlay whose file stands in the way of its base.
    pub fn called_like_its_base(base: &Name) = error(codes::NO_HEAD, base.span):
        format!("the ruleset `{}` is looked for, and this file of the same name is found", base.text), "on itself",
        help format!("give the file of the overlay another name than `{}.mafia`", base.text);

    /// A declaration beside an overlay, in a file that is no ruleset.
    pub fn outside_overlay(stray: Span, overlay: Span) = error(codes::NO_HEAD, stray):
        "this stands outside the overlay", "belongs to nothing",
        also overlay, "the overlay, from `{` to `}`",
        help "put it before the `}` that closes the overlay; or begin the file with `ruleset` and a name";

    /// `ruleset` twice.
    pub fn two_heads(span: Span, first: Span) = error("M0103", span):
        "a file is one ruleset", "a second name",
        also first, "the first",
        help "remove one of them";

    /// `use` of a whole game.
    pub fn use_of_ruleset(span: Span, head: Span) = error(codes::USE_OF_A_RULESET, span):
        "only a library can be used", "this is a whole ruleset",
        also head, "it says `ruleset`",
        help "write your changes as an `overlay` on it, or move what both share into a `library`";

    /// A file that should hold an overlay.
    pub fn no_overlay_in(wanted: Option<&str>, span: Span, others: &[&str]) = error(codes::NO_SUCH_OVERLAY, span):
        match wanted {
            Some(wanted) => format!("the file holds no overlay `{wanted}`"),
            None => "the file holds no overlay".to_owned(),
        },
        "in this file",
        near name, others, else format!("an overlay begins with `overlay {name} on BASE {{`"),
        where name = wanted.unwrap_or("NAME");

    /// An overlay asked for by its name stands in several files.
    pub fn overlay_in_many(wanted: &str, span: Span, files: &[&str]) = error(codes::NO_SUCH_OVERLAY, span):
        format!("an overlay `{wanted}` stands in {}", list(files)), "which of them is meant?",
        help format!("name the file: `--with {first}`, or `with \"{first}\"` in a scenario"),
        where first = files.first().unwrap_or(&wanted);
}
