//! Lines that people write who have read a page and go by their ear, and the line that they mean.
//!
//! The shapes of such lines stand in `rewrite.txt`, a row each. Only lines are looked at that were refused, or in which
//! a word stands that nobody has declared.

use crate::{
    token::{self, Token, TokenKind},
    words,
};
use std::{ops::Range, sync::LazyLock};

/// A line as it is written, and as it should be.
struct Row {
    shape: Vec<Part>,
    repair: &'static str,
}

/// A part of a shape as it stands in the table, and of which sort it is.
struct Part {
    text: &'static str,
    piece: Piece,
}

/// Which lines are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Lines of rules that were refused.
    Rules,
    /// Rows of a cast that were refused.
    Casts,
    /// Lines of scenarios that were refused.
    Scenarios,
    /// Lines of scenarios that can be read, with words in them that nothing has.
    Told,
}

/// The parts of the table, in its order.
struct Table {
    rules: Vec<Row>,
    cast: Vec<Row>,
    speech: Vec<Row>,
    words: Vec<Row>,
    scenarios: Vec<Row>,
    told: Vec<Row>,
    /// The parts of a line, in their order.
    order: Vec<Row>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let part_of = |text| Part {
        text,
        piece: Piece::of(text),
    };
    let part = |name: &str| -> Vec<Row> {
        let page = include_str!("rewrite.txt");
        let mut parts = page.split("\n== ").skip(1);
        let part = parts.find(|part| part.starts_with(name)).unwrap_or_default();
        let rows = part.lines().filter_map(|line| line.split_once("  =>  "));
        let row = |(shape, repair): (&'static str, &'static str)| Row {
            shape: shape.split(' ').map(part_of).collect(),
            repair,
        };
        rows.map(row).collect()
    };
    Table {
        rules: part("rules"),
        cast: part("cast"),
        speech: part("speech"),
        words: part("words"),
        scenarios: part("scenarios"),
        told: part("told"),
        order: part("order"),
    }
});

/// A line is looked at up to so many words.
const LONGEST: usize = 60;
/// So often a line is written anew.
const ROUNDS: usize = 12;

/// Words that say no more than that something comes next.
const LEADS: &[&str] = &[
    "after that, ",
    "after that ",
    "and then ",
    "then, ",
    "then ",
    "next, ",
    "finally, ",
    "finally ",
    "afterwards, ",
    "afterwards ",
];

/// What a part of a shape is.
enum Piece {
    /// `$*`: whatever is left.
    Rest,
    /// `$A`: one or more of anything.
    Many,
    /// `$n`: a number.
    Number,
    /// `$x`: a name or a number.
    One,
    /// `"$t`: a text.
    Text,
    /// `on|when`: one of these words.
    Either,
    /// A word as it stands.
    Word,
}

impl Piece {
    fn of(shape: &str) -> Piece {
        match shape.strip_prefix('$') {
            Some("*") => Piece::Rest,
            Some(name) if name.ends_with(char::is_uppercase) => Piece::Many,
            Some("n" | "k") => Piece::Number,
            Some(_) => Piece::One,
            None if shape.starts_with('"') => Piece::Text,
            None if shape.len() > 1 && shape.contains('|') => Piece::Either,
            None => Piece::Word,
        }
    }

    fn fits(&self, shape: &str, word: &str) -> bool {
        match self {
            Piece::Rest | Piece::Many => true,
            Piece::Number => word.bytes().all(|sign| sign.is_ascii_digit()),
            Piece::One => {
                let is_value = matches!(shape, "$a" | "$b" | "$c") && word == "no";
                word.starts_with(|sign: char| sign.is_alphanumeric() || sign == '`')
                    && (is_value || !words::joins(word))
            }
            Piece::Text => word.starts_with('"'),
            Piece::Either => shape.split('|').any(|one| one == word),
            Piece::Word => shape == word,
        }
    }
}

/// What the parts of a shape stand for in a line.
#[derive(Clone, Default)]
struct Bound<'t> {
    words: Vec<(String, &'t str)>,
    /// How many of them are one of several words.
    either: usize,
}

impl<'t> Bound<'t> {
    fn with(&self, name: &str, words: &'t str) -> Bound<'t> {
        let mut more = self.clone();
        more.words.push((name.to_owned(), words));
        more
    }

    /// `$1` is the first of several words that fits, `$2` the second.
    fn with_either(&self, words: &'t str) -> Bound<'t> {
        let mut more = self.with(&format!("${}", self.either + 1), words);
        more.either += 1;
        more
    }

    fn fill(&self, repair: &str) -> String {
        let filled = |line: String, (name, words): &(String, &str)| {
            let line = match line.contains(&format!("^{name}")) {
                true => line.replace(&format!("^{name}"), &with_a_capital(words)),
                false => line,
            };
            line.replace(name.as_str(), words)
        };
        let line = self.words.iter().rev().fold(repair.to_owned(), filled);
        line.trim_end().to_owned()
    }
}

/// Words as a sentence begins.
fn with_a_capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Whether a line can be written as it is: nothing in it is left to whoever writes.
fn is_whole(line: &str) -> bool {
    let is_left = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_uppercase());
    let mut words = line.split(|sign: char| !sign.is_alphanumeric());
    !line.contains(['…', '`']) && !words.any(is_left)
}

/// What can be written in the place of a line up to its opening brace, where the repair is all of it: what follows the
/// brace stays. Behind ``: ` `` stands only why it is so.
pub(super) fn in_its_place(written: &str, line: &str) -> Option<String> {
    let written = written.split_once("`: ").map_or(written, |(text, _)| text);
    let head = written.strip_suffix(" … }").filter(|_| line.ends_with('{'));
    let text = head.unwrap_or(written);
    is_whole(text).then(|| text.to_owned())
}

/// Whether no comparison is in a line twice: `is is 1`, `is at least is 1`.
pub(super) fn is_said_once(line: &str) -> bool {
    let tokens = token::scan(line).tokens;
    let twice = |pair: &[Token]| {
        let [one, other] = [&pair[0], &pair[1]].map(|token| token.text(line).trim());
        other == "is" && ["is", "least", "most", "than", "exactly", "not"].contains(&one)
    };
    !tokens.windows(2).any(twice)
}

/// What a line should be, where it has one of the shapes; `reads` says whether a line can be read.
pub(super) fn rewritten(lines: Lines, line: &str, reads: &dyn Fn(&str) -> bool) -> Option<String> {
    // A sentence ends with a stop.
    let stopped = line.strip_suffix('.').filter(|line| !line.ends_with('.'));
    if let (Some(line), Lines::Scenarios) = (stopped, lines) {
        let written = rewritten(lines, line, reads).unwrap_or_else(|| line.to_owned());
        // Of what is said it is a part.
        let said = written.strip_suffix('"').filter(|_| !line.contains('"'));
        return Some(said.map_or_else(|| written.clone(), |said| format!("{said}.\"")));
    }
    let line = stopped.unwrap_or(line);
    let scan = token::scan(line).tokens;
    if scan.len() > LONGEST {
        return None;
    }
    if let Some(small) = begun_small(line, &scan) {
        return rewritten(lines, &small, reads);
    }
    // What comes next comes next by standing there.
    if let (Some(line), Lines::Rules) = (LEADS.iter().find_map(|lead| line.strip_prefix(lead)), lines) {
        return rewritten(lines, line, reads).or_else(|| reads(line).then(|| line.to_owned()));
    }
    let rows = match lines {
        Lines::Rules => &TABLE.rules,
        Lines::Casts => &TABLE.cast,
        Lines::Scenarios => &TABLE.scenarios,
        Lines::Told => &TABLE.told,
    };
    let word = scan.first()?.text(line);
    let is_keyword = match lines {
        // Whoever is named before an answer is not called so.
        Lines::Scenarios | Lines::Told => word == "expect",
        Lines::Rules | Lines::Casts => words::begins_statement(word) || words::begins_declaration(word),
    };
    let of_names = |row: &&Row| !is_keyword || !row.shape[0].text.starts_with('$');
    let written = rows.iter().filter(of_names).filter_map(|row| {
        let bound = bind(&row.shape, line, &scan, &Bound::default())?;
        let written = bound.fill(row.repair);
        Some(match lines {
            Lines::Scenarios | Lines::Told => written,
            _ => respoken_before(written),
        })
    });
    let written: Vec<String> = written.filter(|written| written != line).collect();
    let found = written.iter().find(|written| reads(written)).cloned();
    let spoken = respoken(line).filter(|_| matches!(lines, Lines::Rules | Lines::Casts));
    let mut others = written.iter().chain(&spoken);
    found.or_else(|| others.find_map(|line| once_more(rows, line, reads)))
}

/// What a line should be that was once written anew, and cannot be read yet.
fn once_more(rows: &[Row], line: &str, reads: &dyn Fn(&str) -> bool) -> Option<String> {
    let line = line.trim_end_matches(" … }");
    let tokens = token::scan(line).tokens;
    let first = tokens.first()?.text(line);
    let is_keyword = words::begins_statement(first) || words::begins_declaration(first);
    let of_names = |row: &&Row| !is_keyword || !row.shape[0].text.starts_with('$');
    let mut written = rows.iter().filter(of_names).filter_map(|row| {
        let written = bind(&row.shape, line, &tokens, &Bound::default())?.fill(row.repair);
        Some(respoken_before(written))
    });
    written.find(|written| reads(written))
}

/// `suspect.role`, as it is said here; a person is called by name wherever something is told of him.
pub(super) fn member_of(of: &str, what: &str) -> String {
    match what {
        "name" | "title" => of.to_owned(),
        "length" | "size" | "count" => format!("number of {of}"),
        what => format!("{what} of {of}"),
    }
}

/// The line respoken, and what is said about it as it stands.
fn respoken_before(written: String) -> String {
    let (line, about) = written.split_at(written.find('`').unwrap_or(written.len()));
    match respoken(line) {
        Some(line) => format!("{line}{about}"),
        None => written,
    }
}

/// A line to be written, between its marks; what is said about it may come last.
pub(super) fn marked(written: &str) -> String {
    match written.matches('`').count() % 2 {
        0 => format!("`{written}`"),
        _ => format!("`{written}"),
    }
}

/// A line with its first word in small letters, where that is a word of the language.
fn begun_small(line: &str, tokens: &[Token]) -> Option<String> {
    let first = tokens.first()?.text(line);
    let small = first.to_lowercase();
    let is_spoken = [
        "the", "a", "an", "every", "each", "once", "after", "before", "at", "nobody", "then", "next",
        "instead", "finally",
    ];
    let begins = words::begins_statement(&small)
        || words::begins_declaration(&small)
        || is_spoken.contains(&small.as_str());
    (small != first && begins).then(|| format!("{small}{}", &line[tokens[0].end..]))
}

/// The line with its parts in the order in which they stand, where it has them in another.
pub(super) fn put_in_order(line: &str) -> Option<String> {
    let tokens = token::scan(line).tokens;
    let first = tokens.first()?.text(line);
    let rows = TABLE
        .order
        .iter()
        .filter(|row| matches!(&row.shape[..], [one] if one.text == first));
    { rows }.find_map(|row| in_the_order_of(row.repair, line, &tokens))
}

fn in_the_order_of(order: &str, line: &str, tokens: &[Token]) -> Option<String> {
    let ranks = || order.split(", ").enumerate();
    let begins = |at: usize| {
        let fits = |(word, token): (&str, &Token)| Piece::of(word).fits(word, token.text(line));
        let length = |words: &str| {
            let behind = tokens.get(at..at + words.split(' ').count())?;
            let mut pairs = words.split(' ').zip(behind);
            pairs.all(fits).then_some(behind.len())
        };
        ranks().find_map(|(rank, part)| Some((rank + 1, part.split('|').find_map(length)?)))
    };
    let open = tokens.iter().position(|token| token.kind == TokenKind::Open);
    let end = open.unwrap_or(tokens.len());
    let (mut at, mut depth) = (1, 0_usize);
    let mut parts = vec![(0, tokens[0].start)];
    while at < end {
        let found = begins(at).filter(|_| depth == 0);
        match tokens[at].text(line) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        parts.extend(found.map(|(rank, _)| (rank, tokens[at].start)));
        at += found.map_or(1, |(_, length)| length);
    }
    let ends = parts.iter().skip(1).map(|(_, start)| *start);
    let ends: Vec<usize> = ends.chain([tokens[end - 1].end]).collect();
    let parts = parts.iter().zip(&ends);
    let mut parts: Vec<(usize, &str)> = parts
        .map(|((rank, start), end)| (*rank, line[*start..*end].trim_end()))
        .collect();
    let is_in_order = parts.is_sorted_by_key(|(rank, _)| *rank);
    parts.sort_by_key(|(rank, _)| *rank);
    // Which of two of a kind comes first, nobody knows.
    let is_clear = parts.is_sorted_by(|one, next| one.0 < next.0);
    let parts: Vec<&str> = parts.into_iter().map(|(_, part)| part).collect();
    let block = if open.is_some() { " { … }" } else { "" };
    (is_clear && !is_in_order).then(|| parts.join(" ").replace(" :", ":") + block)
}

/// What is missing beside a comma or an arrow of a line that answers.
pub fn missing_in(line: &str) -> Option<&'static str> {
    let parts: Vec<&str> = line.split(',').collect();
    { parts.iter().enumerate() }.find_map(|(at, part)| match part.split_once("->") {
        Some((who, _)) if who.trim().is_empty() => Some("who answers is missing before `->`"),
        Some((_, answer)) if answer.trim().is_empty() => Some("the answer is missing behind `->`"),
        None if part.trim().is_empty() => Some(match at {
            0 => "nothing stands before the first comma",
            _ if at + 1 == parts.len() => "nothing stands behind the last comma",
            _ => "nothing stands between two commas",
        }),
        _ => None,
    })
}

/// A line in the words of this language, where some in it are those that everybody speaks.
pub(super) fn respoken(line: &str) -> Option<String> {
    let mut now = line.to_owned();
    for _ in 0..ROUNDS {
        let Some(next) = in_a_shape(&now).or_else(|| with_a_word(&now)) else {
            break;
        };
        now = next;
    }
    (now != line).then_some(now)
}

/// The line up to its first brace, where it has one of the shapes of speech.
fn in_a_shape(line: &str) -> Option<String> {
    let tokens = token::scan(line).tokens;
    if tokens.len() > LONGEST {
        return None;
    }
    let open = tokens.iter().position(|token| token.kind == TokenKind::Open);
    let (head, rest) = tokens.split_at(open.map_or(tokens.len(), |open| open + 1));
    TABLE.speech.iter().find_map(|row| {
        let written = bind(&row.shape, line, head, &Bound::default())?.fill(row.repair);
        let written = match (head.last(), rest) {
            (Some(last), [_, ..]) => format!("{}{}", written.strip_suffix(" … }")?, &line[last.end..]),
            _ => written,
        };
        (written != line).then_some(written)
    })
}

/// The line with the first of its words said otherwise.
fn with_a_word(line: &str) -> Option<String> {
    let tokens = token::scan(line).tokens;
    if tokens.len() > LONGEST {
        return None;
    }
    let replaced = |from: usize, to: usize, words: &str| {
        let (before, behind) = (line[..from].trim_end(), line[to..].trim_start());
        let parts = [before, words, behind];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    };
    let first = tokens.first()?;
    if let Some(small) = begun_small(line, &tokens) {
        return Some(small);
    }
    // `suspect.role`
    let is_member = |token: &&Token| token.kind == TokenKind::Word;
    let member = tokens
        .iter()
        .skip(1)
        .filter(is_member)
        .find_map(|token| Some((token, token.text(line).split_once('.')?)));
    if let Some((token, (of, what))) = member
        && !matches!(first.text(line), "use" | "include" | "import")
    {
        return Some(replaced(token.start, token.end, &member_of(of, what)));
    }
    // `mark a`: a new name.
    let declares = |token: &Token| words::names_something(token.text(line));
    let declares: Vec<bool> = tokens.iter().map(declares).collect();
    TABLE.words.iter().find_map(|row| {
        let long = row.shape.len();
        (0..tokens.len().checked_sub(long)? + 1).find_map(|at| {
            let part = &tokens[at..at + long];
            if at.checked_sub(1).is_some_and(|before| declares[before]) {
                return None;
            }
            let written = bind(&row.shape, line, part, &Bound::default())?.fill(row.repair);
            let (from, to) = (part.first()?.start, part.last()?.end);
            (written != line[from..to]).then(|| replaced(from, to, &written))
        })
    })
}

/// The line of a text around a place up to its brace, and what it should be: one that can be read, with a word in it that nobody
/// has declared.
pub(super) fn meant(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let from = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let to = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let text = &text[..to];
    let tokens = token::scan(&text[from..]).tokens;
    let here = tokens.iter().position(|token| from + token.end > at)?;
    if tokens[here].kind == TokenKind::Text {
        return None;
    }
    let begins = |token: &Token| matches!(token.text(&text[from..]), ";" | "{" | "}" | "\n");
    let start = tokens[..here]
        .iter()
        .rposition(begins)
        .map_or(0, |start| start + 1);
    let behind = tokens[start..].iter();
    let mut line: Vec<&Token> = behind
        .take_while(|token| !token.ends_line(&text[from..]))
        .collect();
    if let Some(open) = line.iter().position(|token| token.kind == TokenKind::Open) {
        line.truncate(open + 1);
    }
    let range = from + line.first()?.start..from + line.last()?.end;
    let written = respoken(&text[range.clone()])?;
    let written = match text[range.clone()].ends_with('{') && written.ends_with('{') {
        true => format!("{written} … }}"),
        false => written,
    };
    Some((range, written))
}

/// A line with other names, where `spelt` knows how they are written; what it declares stays.
pub(super) fn respelt(line: &str, spelt: impl Fn(&str) -> Option<String>) -> String {
    let tokens = token::scan(line).tokens;
    let mut written = line.to_owned();
    for (at, token) in tokens.iter().enumerate().rev() {
        let declares = |before: usize| words::names_something(tokens[before].text(line));
        if token.kind != TokenKind::Word || at.checked_sub(1).is_some_and(declares) {
            continue;
        }
        if let Some(name) = spelt(token.text(line)) {
            written.replace_range(token.start..token.end, &name);
        }
    }
    written
}

/// What the shape stands for in the line, where it is of that shape.
fn bind<'t>(shape: &[Part], text: &'t str, line: &[Token], bound: &Bound<'t>) -> Option<Bound<'t>> {
    let Some((first, rest)) = shape.split_first() else {
        return line.is_empty().then(|| bound.clone());
    };
    let slice = |tokens: &[Token]| match (tokens.first(), tokens.last()) {
        (Some(from), Some(to)) => &text[from.start..to.end],
        _ => "",
    };
    let Part { text: name, piece } = first;
    if let Piece::Rest = piece {
        return Some(bound.with(name, slice(line)));
    }
    let (token, behind) = line.split_first()?;
    let word = token.text(text);
    if !piece.fits(name, word) {
        return None;
    }
    match piece {
        Piece::Many => {
            let mut lengths = 1..=line.len();
            lengths.find_map(|many| {
                let (taken, behind) = line.split_at(many);
                bind(rest, text, behind, &bound.with(name, slice(taken)))
            })
        }
        Piece::Word => bind(rest, text, behind, bound),
        Piece::Either => bind(rest, text, behind, &bound.with_either(word)),
        _ => bind(
            rest,
            text,
            behind,
            &bound.with(name.trim_start_matches('"'), word),
        ),
    }
}
