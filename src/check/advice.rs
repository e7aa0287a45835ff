//! Better advice about names that are not there: one that a library of the shelf declares, one that is
//! a word of plain English.
//!
//! Looks only at what has been found wrong already; it finds nothing wrong itself.

use crate::errors::list;
use crate::load::Readings;
use crate::symbol::{Meaning, Symbols};
use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::{Diagnostic, Repair, close_name, is_a_letter_off, same_name};
use omerta_core::source::{Loaded, Loader, Sources, Span};
use omerta_syntax::elsewhere::plain_word;
use omerta_syntax::parse_file;
use omerta_syntax::tree::{Item, StatementKind};
use omerta_syntax::walk::{declared_in, holds};
use omerta_syntax::words;
use std::cell::LazyCell;
use std::collections::BTreeSet;

/// Where libraries are looked for, with what their texts were read as.
type Shelf<'a> = (&'a dyn Loader, &'a Readings);

/// Parts of a whole that have no word here.
const FRACTIONS: &[&str] = &["third", "thirds", "quarter", "quarters", "fifth", "fifths"];
/// For so many missing names it is looked where they can be had.
const MOST_ADVISED: usize = 100;

/// Whether a name that is not declared is such a word.
pub(super) fn is_plain_word(name: &str) -> bool {
    plain_word(name).is_some()
}

/// Says of each missing name where it can be had.
pub(super) fn advise(
    sources: &Sources,
    shelf: Shelf<'_>,
    symbols: &Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let names = diagnostics.iter().filter(|d| d.code.is(Class::Missing));
    let names = names.map(|d| sources.slice(d.span()).trim_matches('`').to_owned());
    let missing: BTreeSet<String> = names.collect();
    // The lines that are to be written anew, and the word at which that is told.
    let mut lines: Vec<(Span, Span)> = Vec::new();
    // What libraries declare that are not used, each told once.
    let mut unused: Vec<(Span, String, Vec<String>)> = Vec::new();
    let mut told_already = BTreeSet::new();
    let place = |span: Span| (span.source, span.start, span.end);
    let is_of_kinds = |d: &&mut Diagnostic| {
        d.code.is_about_kinds() || [codes::IT_OUTSIDE, codes::NO_VALUE].contains(&d.code)
    };
    for diagnostic in diagnostics.iter_mut().filter(is_of_kinds).take(MOST_ADVISED) {
        let span = diagnostic.span();
        if lines.iter().any(|(line, _)| within(span, *line)) {
        } else if let Some((line, advised)) = plain_line(sources, diagnostic, symbols, &missing) {
            lines.push((line, span));
            *diagnostic = advised;
        }
    }
    let not_there = diagnostics.iter_mut().filter(|d| d.code.is(Class::Missing));
    for diagnostic in not_there.take(MOST_ADVISED) {
        let span = diagnostic.span();
        let name = sources.slice(span).trim_matches('`').to_owned();
        if lines.iter().any(|(line, _)| within(span, *line)) {
        } else if let Some((line, advised)) = plain_line(sources, diagnostic, symbols, &missing) {
            lines.push((line, span));
            *diagnostic = advised;
        } else if let Some(advised) = behind_another(sources, diagnostic, &name) {
            *diagnostic = advised;
        } else if let Some((block, advised)) = nobody_said_who(sources, diagnostic, &name) {
            lines.extend(block.map(|block| (block, span)));
            *diagnostic = advised;
        } else if let Some(advised) = outcome_alone(sources, diagnostic, &name) {
            *diagnostic = advised;
        } else if let Some((help, instead)) = plain_word(&name) {
            let told = diagnostic.without_repairs().help(help.replace("{}", &name));
            let out = symbols.get("out").filter(|_| name == "dead");
            *diagnostic = match instead {
                _ if out.is_some() => told.help("write `out`").writes("out"),
                Some(word) => told.writes(word),
                None => told,
            };
        } else if let Some((rest, advised)) = misspelt(sources, diagnostic, &name) {
            lines.push((rest, span));
            *diagnostic = advised;
        } else if let Some(library) =
            library_that_declares(shelf, &name).filter(|_| symbols.get(&name).is_none())
        {
            match unused.iter_mut().find(|(_, other, _)| *other == library) {
                None => unused.push((span, library, vec![name])),
                Some((first, _, names)) => {
                    let later = match place(span) < place(*first) {
                        true => std::mem::replace(first, span),
                        false => span,
                    };
                    told_already.insert(place(later));
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
        }
    }
    for (span, library, names) in unused {
        let (all, are) = match names.as_slice() {
            [one] => (format!("`{one}`"), "is"),
            several => (list(several), "are"),
        };
        let help = format!(
            "{all} {are} declared by `{library}`: write `use {library}`, or add it to the `use` line"
        );
        let is_it = |d: &&mut Diagnostic| d.code.is(Class::Missing) && d.span() == span;
        for diagnostic in diagnostics.iter_mut().filter(is_it) {
            let told = diagnostic.without_repairs().help(help.as_str());
            *diagnostic = told.mend(Repair::Use(library.clone()));
        }
    }
    diagnostics.retain(|d| !d.code.is(Class::Missing) || !told_already.contains(&place(d.span())));
    let seconds = second_words(sources, diagnostics);
    let is_told = |at: Span| lines.iter().any(|(line, _)| within(at, *line));
    let seconds: Vec<(Span, Span)> = seconds.into_iter().filter(|(_, at)| !is_told(*at)).collect();
    lines.extend(seconds);
    diagnostics.retain(|d| {
        let is_told = |(line, at): &(Span, Span)| within(d.span(), *line) && d.span() != *at;
        !lines.iter().any(is_told)
    });
    // What the libraries of a line declare that could not be read is there once that is.
    let uses = |d: &Diagnostic| {
        let text = &sources.get(d.span().source).text[..d.span().start as usize];
        let line = text.rsplit('\n').next().unwrap_or_default();
        d.code.is_about_shape() && line.starts_with("use ")
    };
    if diagnostics.iter().any(uses) {
        let is_elsewhere = |d: &Diagnostic| matches!(d.repairs(), [Repair::Use(_)]);
        diagnostics.retain(|d| !is_elsewhere(d));
    }
    // What comes of a draw that is written anew is no name of its own.
    let drawn: Vec<(Span, Span)> = { lines.iter().copied() }
        .filter(|(line, _)| sources.slice(*line).starts_with("draw "))
        .collect();
    diagnostics.retain(|d| {
        let name = sources.slice(d.span());
        let comes_of = |line: &Span| sources.slice(*line).split(' ').any(|word| word == name);
        let elsewhere = drawn.iter().all(|(_, at)| d.span() != *at);
        !(d.code.is(Class::Missing) && elsewhere && drawn.iter().any(|(line, _)| comes_of(line)))
    });
    let performs = |item: &Item| holds(&item.kind, &StatementKind::performs);
    let library = LazyCell::new(|| library_with(shelf, "perform", performs));
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code == codes::NO_PERFORMER) {
        if let Some(library) = &*library {
            let help = format!("write `use {library}`, or a scene of a role with `perform` in it");
            *diagnostic = diagnostic.clone().help(help).mend(Repair::Use(library.clone()));
        }
    }
}

/// The lines in which several words of plain English stand, with the first of them: one is told.
fn second_words(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<(Span, Span)> {
    let plain = diagnostics.iter().filter(|d| {
        let name = sources.slice(d.span()).trim_matches('`');
        d.code.is(Class::Missing) && is_plain_word(name)
    });
    let line = |d: &Diagnostic| {
        let (span, text) = (d.span(), &sources.get(d.span().source).text);
        let end = text[span.end as usize..].find(['\n', '{', ';']);
        let end = end.map_or(text.len(), |end| span.end as usize + end);
        (Span::new(span.source, span.start as usize, end), span)
    };
    plain.map(line).collect()
}

/// Whether a place lies within another.
pub(super) fn within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

/// What is told of a whole line of plain English, and where that line is; `missing` are all names that are not
/// there.
fn plain_line(
    sources: &Sources,
    diagnostic: &Diagnostic,
    symbols: &Symbols,
    missing: &BTreeSet<String>,
) -> Option<(Span, Diagnostic)> {
    let span = diagnostic.span();
    let name = sources.slice(span).trim_matches('`');
    let is_missing = diagnostic.code.is(Class::Missing);
    let text = &sources.get(span.source).text;
    let spelt = |name: &str| {
        let is_meant = |meaning| matches!(meaning, Meaning::Group(_) | Meaning::Scene(_));
        let found = match missing.contains(name) {
            true => close_name(name, symbols.declared()),
            false if symbols.get(name).is_none() && words::find(name).is_none() => {
                same_name(name, symbols.of_sort(is_meant))
            }
            false => None,
        };
        found.map(str::to_owned)
    };
    let meant = omerta_syntax::meant(text, span.start as usize, spelt)?;
    let line = Span::new(span.source, meant.line.start, meant.line.end);
    let is_word = |sign: char| !(sign.is_alphanumeric() || sign == '-');
    let is_part = |word: &str| FRACTIONS.contains(&word) && symbols.get(word).is_none();
    if is_missing && sources.slice(line).split(is_word).any(is_part) {
        let told = diagnostic.without_repairs();
        let help = plain_word(FRACTIONS[0]).map_or("", |(help, _)| help);
        return Some((line, told.help(help)));
    }
    let may_go = |name: &String| symbols.get(name).is_none();
    // `half` is a word of the language, and nothing by itself.
    let is_gone = || words::is_of_a_grammar(name) || !meant.left.iter().any(|left| left == name);
    let is_left = |name: &String| is_plain_word(name) && (missing.contains(name) || !is_missing);
    if is_missing && !is_gone() || !meant.gone.iter().all(may_go) || meant.left.iter().any(is_left) {
        return None;
    }
    let advised = diagnostic
        .without_repairs()
        .help(format!("write `{}`", meant.written));
    let is_written = |text: String| advised.clone().writes_in(line, text);
    let written = meant.in_its_place.map(is_written);
    Some((line, written.unwrap_or(advised)))
}

/// What is told of a name that is a word of the language but for a letter: `no hunted o failed`; what follows on its line
/// is no mistake of its own.
fn misspelt(sources: &Sources, diagnostic: &Diagnostic, name: &str) -> Option<(Span, Diagnostic)> {
    let span = diagnostic.span();
    let text = &sources.get(span.source).text;
    let mistakes = |text: &str| parse_file(span.source, text).1.len();
    let (before, behind) = (&text[..span.start as usize], &text[span.end as usize..]);
    let joining = words::WORDS.iter().filter(|word| word.joins);
    let meant = joining.filter(|word| is_a_letter_off(name, word.name));
    let mut meant = { meant }
        .filter(|word| mistakes(&format!("{before}{}{behind}", word.name)) <= mistakes(text))
        .map(|word| word.name);
    let (first, others) = (meant.next()?, meant);
    let advised = diagnostic.without_repairs();
    let rest = behind.find(['\n', '{', ';']).unwrap_or(behind.len());
    let rest = Span::new(span.source, span.start as usize, span.end as usize + rest);
    // Of several the last is tried first: `or` before `of`.
    let several: Vec<&str> = std::iter::once(first).chain(others).collect();
    let repairs = several.iter().rev().map(|word| Repair::respelt(span, name, word));
    let told = advised.help(format!("did you mean {}?", either(&several)));
    Some((rest, repairs.fold(told, Diagnostic::mend)))
}

/// `or` or `of`, between their marks.
fn either(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().rev().map(|word| format!("`{word}`")).collect();
    words.join(" or ")
}

fn library_that_declares(shelf: Shelf<'_>, name: &str) -> Option<String> {
    let declares = |item: &Item| declared_in(&item.kind).iter().any(|it| it.text == name);
    let is_long = name.len() > 1;
    is_long.then(|| library_with(shelf, name, declares)).flatten()
}

/// In a line that is to be written anew, names are written as they are declared.
pub(super) fn respell(sources: &Sources, symbols: &Symbols, diagnostics: &mut [Diagnostic]) {
    let spelt = |name: &str| {
        let is_new = symbols.get(name).is_none() && words::find(name).is_none();
        let is_meant = |meaning| matches!(meaning, Meaning::Group(_) | Meaning::Scene(_));
        let known = is_new.then(|| symbols.of_sort(is_meant));
        same_name(name, known?).map(str::to_owned)
    };
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code.is_about_shape()) {
        let Some(Repair::Instead {
            span,
            was: None,
            text,
        }) = diagnostic.repairs().first().cloned()
        else {
            continue;
        };
        let respelt = omerta_syntax::respelt(&text, spelt);
        let before = &sources.get(span.source).text[..span.start as usize];
        if let Some(help) = of_a_team(symbols, &respelt) {
            let told = diagnostic.without_repairs();
            *diagnostic = told.help(help);
            continue;
        }
        let meant = drawn_sets(symbols, &respelt)
            .or_else(|| turned_round(symbols, &respelt, before))
            .or_else(|| count_behind(symbols, &respelt));
        let respelt = meant.unwrap_or(respelt);
        if respelt == text {
            continue;
        }
        let help = diagnostic.help.as_deref().unwrap_or_default();
        let help = help.replacen(&text, &respelt, 1);
        *diagnostic = diagnostic.without_repairs().help(help).writes_in(span, respelt);
    }
}

/// Says of each statement that begins with a declared name how such a thing is done.
pub(super) fn advise_statements(sources: &Sources, symbols: &Symbols, diagnostics: &mut [Diagnostic]) {
    for diagnostic in { diagnostics.iter_mut() }.filter(|d| d.code == codes::UNKNOWN_STATEMENT) {
        let span = diagnostic.span();
        let word = sources.slice(span);
        let is_rewritten = |repair: &Repair| matches!(repair, Repair::Instead { was: None, .. });
        if diagnostic.repairs().iter().any(is_rewritten) {
            continue;
        }
        let text = &sources.get(span.source).text[span.start as usize..];
        let line = text[..text.find(['\n', ';', '}']).unwrap_or(text.len())].trim();
        let rest = line.strip_prefix(word).unwrap_or("").trim();
        let done = |rest: &str| match rest {
            "" => word.to_owned(),
            rest if rest.starts_with("of ") => format!("{word} {rest}"),
            rest => format!("{word} of {rest}"),
        };
        let repair = match symbols.meaning(word) {
            Some(Meaning::Event(_)) => format!("an event is done: `do {}`", done(rest)),
            Some(Meaning::Scene(_)) => format!("a scene is played: `play {}`", done(rest)),
            Some(Meaning::Group(_)) if asks(rest) => {
                format!("somebody is asked: `ask {word} for x from living`, with a name for the answer")
            }
            Some(Meaning::Group(_))
                if { diagnostic.help.as_ref() }.is_some_and(|help| help.starts_with("write `")) =>
            {
                continue;
            }
            Some(Meaning::Group(_)) => format!("a role or a team is called: `call {word}`"),
            _ => continue,
        };
        *diagnostic = diagnostic.without_repairs().help(repair);
    }
}

/// `draw x from 1 Guild, 1 lit`, from `draw x from Guild or lit`: people, and no words.
fn drawn_sets(symbols: &Symbols, text: &str) -> Option<String> {
    let (head, words) = text.strip_prefix("draw ")?.split_once(" from 1 ")?;
    let (one, other) = words.split_once(", 1 ")?;
    let is_set = |name: &str| {
        use Meaning::{Back, Define, Fact, Group};
        let meaning = symbols.meaning(name);
        matches!(meaning, Some(Group(_) | Fact(_) | Back(_) | Define(_)))
    };
    (is_set(one) || is_set(other)).then(|| format!("draw {head} from {one} plus {other}"))
}

/// `include Healer in Guild`, where that is a team: who is of it each role says itself.
fn of_a_team(symbols: &Symbols, text: &str) -> Option<String> {
    let (role, team) = text.strip_prefix("include ")?.split_once(" in ")?;
    let is_group = |name: &str| matches!(symbols.meaning(name), Some(Meaning::Group(_)));
    (is_group(team) && is_group(role)).then(|| {
        format!("of which team a role is, its own line says: `role {role} of {team}`; `include` adds to a definition")
    })
}

/// `add 1 to fouls of p`, from `add 1 to p of fouls`.
fn count_behind(symbols: &Symbols, text: &str) -> Option<String> {
    let (head, count) = text.rsplit_once(" of ")?;
    let (verb, who) = head.rsplit_once(' ')?;
    let is_adding = verb.starts_with("add ") || verb.starts_with("subtract ");
    let is_count = matches!(symbols.get(count)?.meaning, Meaning::Fact(_));
    (is_adding && is_count && symbols.get(who).is_none()).then(|| format!("{verb} {count} of {who}"))
}

/// `mark prey as hunted`, from `mark hunted as prey`, where somebody was called `prey` before: whom it is about stands first.
fn turned_round(symbols: &Symbols, text: &str, before: &str) -> Option<String> {
    let (mark, who) = text.strip_prefix("mark ")?.split_once(" as ")?;
    let is_mark = matches!(symbols.get(mark)?.meaning, Meaning::Fact(_));
    let mut gives = ["for", "each", "draw", "let"].into_iter();
    let is_given = who == "me" || gives.any(|word| before.contains(&format!("{word} {who} ")));
    (is_mark && is_given && symbols.get(who).is_none()).then(|| format!("mark {who} as {mark}"))
}

/// `win Guild end`: a statement of one word behind another on its line.
fn behind_another(sources: &Sources, diagnostic: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let span = diagnostic.span();
    let text = &sources.get(span.source).text;
    let (before, behind) = (&text[..span.start as usize], &text[span.end as usize..]);
    let last = before
        .trim_end_matches(' ')
        .rsplit(|sign: char| !sign.is_alphanumeric())
        .next()?;
    let begins = |name: &str| words::find(name).is_some_and(|word| word.statement.is_some());
    let is_behind = before.ends_with(' ') && !last.is_empty() && !words::joins(last) && !begins(last);
    let ends = behind.trim_start_matches(' ').starts_with(['\n', '}', ';']);
    let told = diagnostic.without_repairs();
    let told = told.help(format!("`{name}` begins something of its own: put `;` before it"));
    (begins(name) && is_behind && ends).then(|| told.writes(format!("; {name}")))
}

/// `after kill of Guild p {`, `add 1 to weight when p is Guild`, `for each q of living where weight of p is 2`: a letter for
/// somebody of whom the line does not say that he goes by it; and the block, if any, in which he does then.
fn nobody_said_who(
    sources: &Sources,
    diagnostic: &Diagnostic,
    name: &str,
) -> Option<(Option<Span>, Diagnostic)> {
    if name.len() != 1 {
        return None;
    }
    let span = diagnostic.span();
    let text = &sources.get(span.source).text;
    let (before, behind) = (&text[..span.start as usize], &text[span.end as usize..]);
    let from = before.rfind('\n').map_or(0, |end| end + 1);
    let line = &before[from..];
    let told = diagnostic.without_repairs();
    // `where fouls of p`: each of them is `it`.
    if let Some((head, clause)) = line.rsplit_once(" where ")
        && head.contains(&format!("for each {name} of "))
        && !clause.contains(['{', ';'])
    {
        let told = told.help("write `it`: behind `where` that is each of the set");
        return Some((None, told.writes("it")));
    }
    // `of Guild p {`
    let (last, behind) = (line.trim_end(), behind.trim_start());
    let is_set = last.rsplit(' ').next().is_some_and(|word| {
        word.chars()
            .all(|letter| letter.is_alphanumeric() || letter == '-')
            && !words::joins(word)
    });
    if line.trim_start().starts_with("rule ")
        && is_set
        && [" of ", " by "].iter().any(|word| last.contains(word))
        && !last.contains(" when ")
        && ["when ", "{", "by "].iter().any(|word| behind.starts_with(word))
    {
        let block = behind
            .find("\n}")
            .map_or(text.len(), |end| text.len() - behind.len() + end);
        let block = Span::new(span.source, span.start as usize, block);
        let told = told.help(format!("write `as {name}`: so the rule calls who it happens to"));
        return Some((Some(block), told.writes(format!("as {name}"))));
    }
    // `add 1 to weight when p is Guild`
    let (head, _) = line.split_once(" when ")?;
    let mut words = head.split(' ');
    let is_adding = matches!(
        words.next(),
        Some("add" | "subtract" | "raise" | "lower" | "multiply")
    );
    let what = words
        .next_back()
        .filter(|_| is_adding && !head.contains(" of "))?;
    let at = from + head.len() - what.len();
    let written = format!("{what} of {name}");
    let told = told.help(format!("write `{written}`: so it is said whose it is"));
    let told = told.writes_in(Span::new(span.source, at, at + what.len()), written);
    Some((None, told))
}

/// `if rain {`, where `draw weather from 3 sun, 1 rain` or `word weather: sun | rain` has it: what it is that is so.
fn outcome_alone(sources: &Sources, diagnostic: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let span = diagnostic.span();
    let text = &sources.get(span.source).text;
    let before = text[..span.start as usize].trim_end();
    let is_test = ["if", "and", "or", "when"].iter().any(|word| {
        before
            .strip_suffix(word)
            .is_some_and(|before| before.ends_with([' ', '\n']))
    });
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let mut lines = text.lines().filter(|_| is_test);
    let drawn = lines.find_map(|line| {
        let words: Vec<&str> = line
            .split(|letter| !is_of_name(letter))
            .filter(|word| !word.is_empty())
            .collect();
        let at = words.iter().skip(2).position(|word| *word == name)? + 2;
        let is_weight = |word: &str| word.bytes().all(|sign| sign.is_ascii_digit());
        match words[..] {
            ["draw", drawn, "from", ..] if is_weight(words[at - 1]) => Some(drawn),
            ["word", declared, ..] if line.contains(':') => Some(declared),
            _ => None,
        }
    })?;
    let told = diagnostic.without_repairs();
    let written = format!("{drawn} is {name}");
    Some(told.help(format!("write `{written}`")).writes(written))
}

/// `chooses somebody`
fn asks(rest: &str) -> bool {
    let verb = rest.split(' ').next().unwrap_or_default();
    matches!(
        verb,
        "chooses" | "picks" | "selects" | "names" | "votes" | "points"
    )
}

/// The library on the shelf that has something by that name.
fn library_with((loader, readings): Shelf<'_>, name: &str, has: impl Fn(&Item) -> bool) -> Option<String> {
    let is_meant = |path: &String| {
        let Some(Loaded { name: file, text }) = loader.load(path) else {
            return false;
        };
        let is_library = text.lines().any(|line| line.starts_with("library "));
        if !is_library || !text.contains(name) {
            return false;
        }
        let mut alone = Sources::default();
        let id = alone.add(file, text);
        readings.of(&alone, id).items.iter().any(|item| has(item))
    };
    let libraries = loader.names().into_iter().filter(|path| path.contains('.'));
    { libraries }.find(is_meant)
}
