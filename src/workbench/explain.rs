//! What a code means: the pages of `docs/errors/`, which travel inside the binary.

use include_dir::{Dir, include_dir};

use omerta_core::diagnostic::close_name;

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/errors");

/// The page about a code, however it was typed: `M0203`, `m203`, `203`.
pub fn explain(code: &str) -> Result<&'static str, UnknownCode> {
    let wanted = canonical(code);
    let page = pages().find(|(code, _)| *code == wanted);
    page.map(|(_, text)| text).ok_or_else(|| UnknownCode {
        given: code.to_string(),
        meant: close_name(&wanted, pages().map(|(code, _)| code)),
    })
}

/// All codes with their titles, a line each.
pub fn list() -> String {
    pages()
        .map(|(code, text)| format!("{code}  {}\n", title(text)))
        .collect()
}

/// A code that has no page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCode {
    /// What was asked for.
    pub given: String,
    /// A code that was perhaps meant.
    pub meant: Option<&'static str>,
}

impl std::fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no error `{}`", self.given.escape_debug())?;
        match self.meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => write!(f, "; `omerta explain` lists all of them"),
        }
    }
}

impl std::error::Error for UnknownCode {}

/// Codes and texts in the order of the codes.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut pages: Vec<_> = PAGES
        .files()
        .filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)))
        .filter(|(code, _)| is_code(code))
        .collect();
    pages.sort_unstable();
    pages.into_iter()
}

fn is_code(name: &str) -> bool {
    name.len() == 5 && name.starts_with('M') && name[1..].bytes().all(|b| b.is_ascii_digit())
}

/// `m203` and `203` are `M0203`; anything else stays as it is, in capitals.
fn canonical(code: &str) -> String {
    let code = code.trim().to_uppercase();
    match code.strip_prefix('M').unwrap_or(&code).parse::<u16>() {
        Ok(number) => format!("M{number:04}"),
        Err(_) => code,
    }
}

/// What stands behind `# M0203: ` on a page's first line.
fn title(text: &str) -> &str {
    let first = text.lines().next().unwrap_or_default();
    first.split_once(": ").map_or(first, |(_, title)| title)
}
