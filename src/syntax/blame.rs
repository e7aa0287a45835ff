//! Turns the place at which the grammar gave up into a message for people.
//!
//! First come the mistakes that people bring along from elsewhere, each recognised by a function
//! of its own; what none of them knows is reported with what was expected.

use pest::error::{ErrorVariant, InputLocation};

use crate::{
    elsewhere, expected,
    grammar::{Chunk, Refusal, Rule, run},
    mistakes,
    rewrite::{self, Lines},
    token::{self, Token, TokenKind},
    words,
};
use omerta_core::{
    diagnostic::{Diagnostic, Repair, is_a_letter_off},
    source::Span,
};
use std::ops::Range;

/// Where the grammar gave up, with what stands around it.
struct Place<'t> {
    chunk: Chunk<'t>,
    tokens: Vec<Token>,
    /// The first token at or after the place that is no comment.
    index: usize,
    /// The first byte of that token, or the end of the chunk.
    at: usize,
    expected: Vec<Rule>,
    /// Whether the chunk is a declaration, and no words within a line.
    is_of_lines: bool,
}

/// Signs that nobody sees, and that a copied text may bring along.
const UNSEEN: [char; 6] = [
    '\u{200B}', '\u{200C}', '\u{200D}', '\u{2060}', '\u{FEFF}', '\u{AD}',
];

const RECOGNISERS: &[fn(&Place<'_>) -> Option<Diagnostic>] = &[
    unseen_sign,
    in_another_order,
    rewritten,
    respoken,
    asked_for_what,
    answer_without_name,
    whose_ending,
    stray_sign,
    in_own_words,
    plain_english,
    foreign_sign,
    member,
    else_if,
    for_each_of,
    repeat_times,
    remainder_of_one,
    who_sits_where,
    misspelt,
    when_for_if,
    one_of_several,
    and_behind_where,
    count_without_brackets,
    seat_without_brackets,
    sets_without_plus,
    handed_without_and,
    equals_for_is,
    if_for_when,
    glued_minus,
    digit_name,
    reserved_name,
    spaced_name,
    first_word_of_declaration,
    missing_end,
    first_word_of_statement,
    missing_brace,
];

/// The byte of a chunk at which the grammar gave up.
pub(super) fn place_of(error: &Refusal) -> usize {
    match error.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((at, _)) => at,
    }
}

/// Whether the grammar gave up at a place where only what stands before could have gone on.
pub(super) fn wants_more(error: &Refusal) -> bool {
    matches!(&error.variant, ErrorVariant::ParsingError { positives, .. } if expected::only_goes_on(positives))
}

/// What to tell people about a chunk that the grammar refused.
pub(super) fn blame(chunk: Chunk<'_>, error: &Refusal) -> Diagnostic {
    blame_within(chunk, error, true)
}

/// The same of words that are no lines: the slot of a text, or what was typed at the prompt.
pub(super) fn blame_words(chunk: Chunk<'_>, error: &Refusal) -> Diagnostic {
    blame_within(chunk, error, false)
}

fn blame_within(chunk: Chunk<'_>, error: &Refusal, is_of_lines: bool) -> Diagnostic {
    let at = place_of(error);
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return mistakes::deep_nesting(chunk.span(at, (at + 1).min(chunk.text.len())));
    };
    let place = Place {
        is_of_lines,
        ..Place::new(chunk, at, positives.clone())
    };
    RECOGNISERS
        .iter()
        .find_map(|recognise| recognise(&place))
        .unwrap_or_else(|| unexpected(&place))
}

impl<'t> Place<'t> {
    fn new(chunk: Chunk<'t>, at: usize, expected: Vec<Rule>) -> Self {
        let tokens = token::scan(chunk.text).tokens;
        let is_here = |token: &Token| token.end > at && token.kind != TokenKind::Comment;
        let index = tokens.iter().position(is_here).unwrap_or(tokens.len());
        let at = tokens
            .get(index)
            .map_or(chunk.text.len(), |token| token.start.max(at));
        Place {
            chunk,
            tokens,
            index,
            at,
            expected,
            is_of_lines: true,
        }
    }

    fn token(&self) -> Option<&Token> {
        self.tokens.get(self.index)
    }

    /// The token, or nothing at the end of the chunk.
    fn found(&self) -> &'t str {
        self.token()
            .map_or("", |token| &self.chunk.text[self.at..token.end])
    }

    fn kind(&self) -> Option<TokenKind> {
        self.token().map(|token| token.kind)
    }

    fn span(&self) -> Span {
        match self.kind() {
            Some(TokenKind::Newline) | None => self.after_last_solid(),
            Some(_) => self.chunk.span(self.at, self.at + self.found().len()),
        }
    }

    /// The empty place after the last word before the line end.
    fn after_last_solid(&self) -> Span {
        let at = self.last_solid().map_or(self.at, |last| self.tokens[last].end);
        self.chunk.span(at, at)
    }

    /// The last word before the place, whichever line it is on.
    fn last_solid(&self) -> Option<usize> {
        self.tokens[..self.index].iter().rposition(Token::is_solid)
    }

    fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    fn expects_any(&self, rules: &[Rule]) -> bool {
        rules.iter().any(|rule| self.expects(*rule))
    }

    /// The token before the place on the same line.
    fn before(&self, steps: usize) -> Option<&Token> {
        self.index
            .checked_sub(steps)
            .map(|index| &self.tokens[index])
            .filter(|token| token.is_solid())
    }

    fn text_before(&self, steps: usize) -> &'t str {
        self.before(steps).map_or("", |token| token.text(self.chunk.text))
    }

    /// The token behind that at the place.
    fn text_behind(&self, steps: usize) -> &'t str {
        let token = self.tokens.get(self.index + steps);
        token.map_or("", |token| token.text(self.chunk.text))
    }

    /// In how many blocks the place lies.
    fn depth(&self) -> usize {
        let count = |kind| {
            let before = self.tokens[..self.index].iter();
            before.filter(|token| token.kind == kind).count()
        };
        count(TokenKind::Open).saturating_sub(count(TokenKind::Close))
    }

    /// Whether the place lies inside a block.
    fn is_in_block(&self) -> bool {
        self.depth() > 0
    }

    /// Whether this is between the braces of a role or a team, where only its parts stand.
    fn is_among_parts(&self) -> bool {
        let first = self.tokens.iter().find(|token| token.is_solid());
        let first = first.map_or("", |token| token.text(self.chunk.text));
        matches!(first, "role" | "team") && self.depth() == 1
    }

    fn misfit(&self) -> String {
        match self.kind() {
            None | Some(TokenKind::Newline) if self.is_of_lines => {
                "the end of the line does not fit here".to_owned()
            }
            None | Some(TokenKind::Newline) => "this ends too early".to_owned(),
            Some(_) => format!("`{}` does not fit here", shorten(self.found())),
        }
    }

    /// Whether the line or the block ends here.
    fn has_ended(&self) -> bool {
        matches!(self.kind(), Some(TokenKind::Newline | TokenKind::Close) | None)
    }

    /// Whether a statement or a declaration begins here.
    fn is_at_start(&self) -> bool {
        let begins = |token: &Token| {
            let text = token.text(self.chunk.text);
            matches!(text, ";" | "{" | "}" | "\n")
        };
        self.index == 0 || begins(&self.tokens[self.index - 1])
    }

    /// Whether this is a row of a cast.
    fn is_in_cast(&self) -> bool {
        let first = self.tokens.iter().find(|token| token.is_solid());
        self.depth() == 1 && first.is_some_and(|first| first.text(self.chunk.text) == "cast")
    }

    /// The first word of the statement or the declaration that the place is in.
    fn leading_word(&self) -> &'t str {
        self.leading().map_or("", |(word, _)| word)
    }

    /// The same, and where it begins.
    fn leading(&self) -> Option<(&'t str, usize)> {
        self.leading_of(self.index)
    }

    /// The same for another place than this.
    fn leading_of(&self, index: usize) -> Option<(&'t str, usize)> {
        let before = &self.tokens[..index];
        let start = before
            .iter()
            .rposition(|token| matches!(token.text(self.chunk.text), ";" | "{" | "}" | "\n"));
        let from = start.map_or(0, |start| start + 1);
        before
            .get(from)
            .map(|token| (token.text(self.chunk.text), token.start))
    }
}

/// In the word at the place, right before it or right behind it.
fn unseen_sign(place: &Place<'_>) -> Option<Diagnostic> {
    let text = place.chunk.text;
    let from = text[..place.at].rfind(|sign: char| !UNSEEN.contains(&sign));
    let from = from.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let to = place.at + place.found().len();
    let to = to + text[to..].chars().next().map_or(0, char::len_utf8);
    let at = from + text[from..to].find(UNSEEN)?;
    let sign = text[at..].chars().next()?;
    let span = place.chunk.span(at, at + sign.len_utf8());
    Some(mistakes::unseen_sign(span, sign))
}

/// `ask Guild x from living`, `ask Guild for x`
fn asked_for_what(place: &Place<'_>) -> Option<Diagnostic> {
    if place.found() == "from" && place.expects(Rule::kw_for) {
        return (place.leading_word() == "ask").then(|| mistakes::asked_for_what(place.span(), "for"));
    }
    // What is wanted may be looked for on the next line, too.
    let so_far = place.chunk.text[..place.at].trim_end();
    let statement = so_far.rsplit(['\n', ';', '{', '}']).next()?.trim_start();
    let mut words = statement.split_whitespace().rev();
    let ends_with_name = words.next().is_some() && words.next() == Some("for");
    let ended = matches!(place.kind(), Some(TokenKind::Newline | TokenKind::Close) | None)
        || place.chunk.text[so_far.len()..place.at].contains('\n');
    (ended && ends_with_name && words::first(statement) == "ask")
        .then(|| mistakes::asked_for_what(place.after_last_solid(), "from"))
}

/// The line that went wrong, up to its first brace.
struct Line<'t> {
    text: &'t str,
    span: Span,
    /// Whether nothing of it stands before the place.
    is_first: bool,
    /// Whether all of it stands before the place.
    is_behind: bool,
}

impl<'t> Line<'t> {
    fn around(place: &Place<'t>) -> Option<Line<'t>> {
        // A block that is missing may be looked for on the next line, too.
        let wants_block =
            place.expects_any(&[Rule::brace_open, Rule::block]) && !place.expects(Rule::statement);
        let is_behind = wants_block
            && place
                .token()
                .is_none_or(|token| token.leads || token.ends_line(place.chunk.text));
        let is_first = place.is_at_start() && !is_behind;
        let start = match (is_first, is_behind) {
            (true, _) => place.at,
            (_, true) => place.leading_of(place.last_solid()? + 1)?.1,
            _ => place.leading()?.1,
        };
        let line = place.tokens.iter().skip_while(|token| token.start < start);
        let mut line: Vec<&Token> = line
            .take_while(|token| !token.ends_line(place.chunk.text))
            .collect();
        if let Some(open) = line.iter().position(|token| token.kind == TokenKind::Open) {
            line.truncate(open + 1);
        }
        let (from, to) = (line.first()?.start, line.last()?.end);
        Some(Line {
            text: &place.chunk.text[from..to],
            span: place.chunk.span(from, to),
            is_first,
            is_behind,
        })
    }

    /// What is told of the line, as it should be written.
    fn told(&self, place: &Place<'_>, written: &str) -> Option<Diagnostic> {
        let repair = rewrite::marked(written);
        let (span, found) = (place.span(), place.found());
        let told = match (self.is_behind, self.is_first, place.is_in_block()) {
            (true, ..) if self.text.starts_with("if ") => {
                mistakes::block_of_one_line(place.after_last_solid(), &repair)
            }
            (true, ..) => mistakes::plain_english(
                place.after_last_solid(),
                "the end of the line does not fit here",
                "too early",
                &format!("write {repair}"),
            ),
            (_, true, true) => mistakes::foreign_word(span, found, &repair),
            // It is in the wrong place before it is written in the wrong way.
            (_, true, false) if words::begins_statement(found) && !words::begins_declaration(written) => {
                match words::begins_declaration(found) || words::begins_declaration(words::first(written)) {
                    true => mistakes::foreign_declaration(span, found, &repair),
                    false => return None,
                }
            }
            (_, true, false) => mistakes::foreign_declaration(span, found, &repair),
            _ => misfit(place, &format!("write {repair}")),
        };
        Some(match rewrite::in_its_place(written, self.text) {
            Some(text) => told.writes_in(self.span, text),
            None => told,
        })
    }
}

/// Other words in the place of some bytes of the chunk.
fn instead(place: &Place<'_>, (start, end): (usize, usize), text: impl Into<String>) -> Repair {
    Repair::instead(place.chunk.span(start, end), text)
}

/// Whether a line could stand at the place.
fn reads(place: &Place<'_>, line: &str) -> bool {
    // What stands beside the line is said about it.
    let line = line.split_once('`').map_or(line, |(line, _)| line);
    let line = line.replace("{ … }", "{ nothing }").replace("; … }", " }");
    let mut line = line.replace("{ …; ", "{ ");
    if line.contains('…') {
        // What is left to the author cannot be read.
        return true;
    }
    if line.ends_with('{') {
        line += " nothing }";
    }
    let first = place.tokens.iter().find(|token| token.is_solid());
    let first = first.map_or("", |token| token.text(place.chunk.text));
    let around = match (place.depth(), first) {
        (0, _) => [("", ""), ("", "")],
        (1, "cast") => [("cast {\n", "\n}"); 2],
        (1, "role" | "team") => [("team x {\n", "\n}"); 2],
        (1, "define") => [("define x of p {\n", "\n}"); 2],
        (1, "policy") => [("policy x {\n", "\n}"); 2],
        _ => [("script {\n", "\n}"), ("script { ask x {\n", "\n} }")],
    };
    around.iter().any(|(before, behind)| {
        let text = format!("{before}{line}{behind}");
        let chunk = Chunk {
            text: &text,
            ..place.chunk
        };
        run(chunk, Rule::one_item).is_ok()
    })
}

/// `ask me for victim openly from living`
fn in_another_order(place: &Place<'_>) -> Option<Diagnostic> {
    let line = Line::around(place)?;
    let written = rewrite::put_in_order(line.text)?;
    let about = format!("{written}`: its parts stand in this order");
    reads(place, &written).then(|| line.told(place, &about))?
}

/// `some hunted o no dying`: a word of the language that lacks a letter, or has another.
fn misspelt(place: &Place<'_>) -> Option<Diagnostic> {
    let line = Line::around(place)?;
    let text = place.chunk.text;
    let from = line.span.start as usize - place.chunk.offset;
    let near = [place.index.checked_sub(1), Some(place.index)];
    near.into_iter().flatten().find_map(|index| {
        let token = place.tokens.get(index)?;
        let (word, start) = (token.text(text), token.start.checked_sub(from)?);
        let is_word = token.kind == TokenKind::Word && words::find(word).is_none();
        let (before, behind) = (line.text.get(..start)?, line.text.get(start + word.len()..)?);
        let expected = expected::words_of(&place.expected);
        let joining = words::WORDS
            .iter()
            .filter(|word| word.joins)
            .map(|word| word.name);
        let known = expected.iter().map(String::as_str).chain(joining);
        let mut meant = known.filter(|known| is_word && is_a_letter_off(word, known));
        let block = if behind.ends_with('{') { " … }" } else { "" };
        let meant = meant.find(|meant| reads(place, &format!("{before}{meant}{behind}{block}")))?;
        let told = mistakes::misspelt(place.chunk.span(token.start, token.end), word, meant);
        Some(told.writes(meant))
    })
}

/// A whole line of a shape that has another in this language.
fn rewritten(place: &Place<'_>) -> Option<Diagnostic> {
    let line = Line::around(place)?;
    let lines = match place.is_in_cast() {
        true => Lines::Casts,
        false => Lines::Rules,
    };
    let written = rewrite::rewritten(lines, line.text, &|written| reads(place, written))?;
    line.told(place, &written)
}

/// A line with words in it that everybody speaks and that are said otherwise here.
fn respoken(place: &Place<'_>) -> Option<Diagnostic> {
    if foreign_sign(place).is_some() {
        return None;
    }
    let line = Line::around(place)?;
    let written = rewrite::respoken(line.text)?;
    let written = match written.strip_suffix('{') {
        Some(head) => format!("{head}{{ … }}"),
        None => written,
    };
    reads(place, &written).then(|| line.told(place, &written))?
}

/// `suspect.role`
fn member(place: &Place<'_>) -> Option<Diagnostic> {
    let token = place.token().filter(|token| token.kind == TokenKind::Word)?;
    let (of, what) = token.text(place.chunk.text).split_once('.')?;
    let is_member = !of.is_empty() && place.at > token.start;
    is_member.then(|| match rewrite::member_of(of, what) {
        alone if alone == of => misfit(place, &format!("`{of}` alone is told by name")),
        written => misfit(place, &format!("write `{written}`")),
    })
}

/// `ask Guild for from living`
fn answer_without_name(place: &Place<'_>) -> Option<Diagnostic> {
    let is_meant = place.leading_word() == "ask" && place.found() == "from" && place.text_before(1) == "for";
    is_meant.then(|| mistakes::answer_without_name(place.span()))
}

/// `ending e: Guild wins when …`
fn whose_ending(place: &Place<'_>) -> Option<Diagnostic> {
    let next = place.tokens.get(place.index + 1)?.text(place.chunk.text);
    let verdict = match next {
        "win" | "wins" => "win",
        "lose" | "loses" => "lose",
        _ => return None,
    };
    let end = place.tokens[place.index + 1].end;
    let written = instead(place, (place.at, end), format!("{verdict} {}", place.found()));
    (place.leading_word() == "ending" && place.kind() == Some(TokenKind::Word))
        .then(|| mistakes::whose_ending(place.span(), verdict, place.found()).mend(written))
}

/// `team guild: "the guild"`, `scene Dusk: {`
fn stray_sign(place: &Place<'_>) -> Option<Diagnostic> {
    let next = place.tokens.get(place.index + 1).map(|token| token.kind);
    let opens = place.expects_any(&[Rule::texts, Rule::block, Rule::brace_open]);
    let is_stray = opens && matches!(next, Some(TokenKind::Text | TokenKind::Open));
    (place.found() == ":" && is_stray).then(|| mistakes::stray_sign(place.span(), ":"))
}

/// What goes by the ear, where a message can say what is written instead.
fn plain_english(place: &Place<'_>) -> Option<Diagnostic> {
    let is_empty = matches!(place.kind(), Some(TokenKind::Newline) | None);
    let line = place.chunk.text[place.at..]
        .split(['\n', '{'])
        .next()
        .unwrap_or_default();
    let ends = [
        "dies", "die", "dead", "killed", "dying", "leaves", "lynched", "executed",
    ];
    let is_of_end = line.split_whitespace().any(|word| ends.contains(&word));
    let in_text = "put what is worked out into the text, between braces: `say \"Dead: {dying}\"`";
    let help = match (place.leading_word(), place.found()) {
        (_, "otherwise") if place.text_before(1) == "}" => "write `else { … }`",
        (_, found) if place.text_before(1) == "else" && found != "{" && place.is_in_block() => {
            "behind `else` stands `{ … }`, or `if` with a further condition: `else if some dying { … }`"
        }
        (_, "{") if place.text_before(1) == "if" => "say what must hold: `if some dying { … }`",
        (_, "[" | "(") if place.expects_any(&[Rule::block, Rule::brace_open]) => {
            "what is to happen stands between `{` and `}`"
        }
        (_, "{") if place.expects(Rule::statement) => {
            "leave it out: a block belongs to what stands before it"
        }
        (_, ",") if place.text_before(1) == "}" => "leave it out, and begin a new line",
        ("say" | "tell" | "show", "{") => {
            "a value stands between braces in a text: `say \"It was {role of dying}.\"`"
        }
        ("word", found) if found.starts_with('"') && matches!(place.text_before(1), ":" | "|") => {
            "the words stand without quotes; what people see may stand behind each of them"
        }
        (_, found) if found.starts_with('"') && place.expects(Rule::cast_row) => "names stand without quotes",
        (_, found) if found.starts_with('"') && place.leading_word() == "draw" => {
            "words stand without quotes, each with its weight: `draw luck from 1 rain, 2 sun`"
        }
        (_, word)
            if place.is_among_parts()
                && !matches!(word, "when" | "}")
                && place.is_at_start()
                && !words::begins_statement(word) =>
        {
            "between these braces stands what happens when it is called, `when called { … }`; of which team a role \
             is, the role says itself: `role Healer \"the healer\" of Hamlet`"
        }
        (_, found) if place.expects(Rule::table_cell) && found.starts_with('"') => {
            "the rows of a table hold numbers, `yes`, `no` and words without quotes, such as `north`"
        }
        (_, ":" | "=" | "," | "|") if place.expects(Rule::table_cell) => {
            "leave it out: the values of a row stand side by side, behind its name"
        }
        ("if", _) if is_empty => return None,
        ("if", ":") => "write `{` instead, and `}` behind what is to happen",
        ("if", found) if found.starts_with('"') && place.expects_any(&[Rule::brace_open, Rule::block]) => {
            match place.text_before(1) {
                "then" => "put what is to happen between `{` and `}`, and write no `then`",
                _ => "put what is to happen between `{` and `}`",
            }
        }
        ("say" | "tell", "+" | "%") if !place.expects(Rule::text) || place.text_before(1).ends_with('"') => {
            in_text
        }
        ("say" | "tell", "," | ".") if place.text_before(1).ends_with('"') => {
            "leave it out: a line needs no sign at its end, and what is worked out stands in the text, \
             between braces: `say \"Dead: {dying}\"`"
        }
        ("say", "'") => "a text stands between double quotes: `say \"Dusk falls.\"`",
        ("say", ":") => "leave the `:` out: `say \"Dusk falls.\"`",
        ("say", _) if place.kind() == Some(TokenKind::Word) && place.text_before(1) == "say" => {
            "put what is said between quotes: `say \"Dusk falls.\"`, and what is worked out between \
             braces in it: `say \"Dead: {dying}\"`"
        }
        ("draw", "%") => {
            "chances in a hundred are drawn so: `draw luck from 1..100`, then `if luck is at most 50 { … }`"
        }
        ("ending", _) if place.expects(Rule::ending_verdict) && !is_empty => {
            "say first who wins, and then when: `win Guild when no living Hamlet`"
        }
        ("role", "max" | "maximum" | "up") => "write `at most 1`",
        ("role", "least") => {
            "how many there are stands in the cast; `at most 1` says that this card is there once"
        }
        ("when", _) if place.expects(Rule::kw_called) && is_of_end => {
            "a part is for when somebody is called; what follows his end is a rule outside of the role: `rule wail: after kill of Healer as p { … }`"
        }
        ("when", _) if place.expects(Rule::kw_called) => {
            "write `when called { … }`; a scene says when that is, with `call Healer`"
        }
        ("", word)
            if words::begins_statement(word)
                && place.is_among_parts()
                && place
                    .last_solid()
                    .is_none_or(|last| place.tokens[last].text(place.chunk.text) != "called") =>
        {
            "put what a role or a team does into `when called { … }`"
        }
        ("overlay" | "on", found) if found.starts_with('"') && place.text_before(1) == "on" => {
            "a ruleset goes by its name, whatever its file is called: write `on city`"
        }
        ("rule", "instead") if place.expects(Rule::colon) => {
            "put `:` behind the name: `rule cure: instead of kill of treated { nothing }`"
        }
        ("mark", "=") if !place.is_in_block() => {
            "write `mark tired` by itself: nobody bears it until `mark p as tired`"
        }
        ("players", "to" | "-") => "two dots stand between the fewest and the most, as in `players 5..8`",
        ("players", found) if found.contains('-') => {
            "two dots stand between the fewest and the most, as in `players 5..8`"
        }
        ("players", _)
            if place.kind() == Some(TokenKind::Word) && place.expects_any(&[Rule::int, Rule::range]) =>
        {
            "write the number in digits: `players 5..8`"
        }
        ("when", "when") | ("", "when") if !place.is_in_block() => {
            "what happens when something else does is a rule: `rule wail: after kill of p { … }`"
        }
        _ => return None,
    };
    let told = misfit(place, help);
    Some(match plain_words(place) {
        Some(written) => told.mend(written),
        None => told,
    })
}

/// What can be written for what goes by the ear, where the words around it say all of it.
fn plain_words(place: &Place<'_>) -> Option<Repair> {
    let here = place.token()?;
    let next = place.tokens.get(place.index + 1);
    match (place.leading_word(), place.found()) {
        (_, "otherwise") => Some(instead(place, (here.start, here.end), "else")),
        ("players", found) if found.contains('-') && found.len() > 1 => {
            Some(instead(place, (here.start, here.end), found.replace('-', "..")))
        }
        ("role", "max" | "maximum") => {
            let next = next.filter(|next| next.kind == TokenKind::Number)?;
            let written = format!("at most {}", next.text(place.chunk.text));
            Some(instead(place, (here.start, next.end), written))
        }
        ("overlay" | "on", found) if found.starts_with('"') => {
            let name = found.trim_matches('"').trim_end_matches(".mafia");
            Some(instead(place, (here.start, here.end), name))
        }
        ("mark", "=") => {
            let line = &place.chunk.text[place.at..];
            let end = place.at + line.find(['\n', ';']).unwrap_or(line.len());
            Some(instead(
                place,
                (place.last_solid().map(|at| place.tokens[at].end)?, end),
                "",
            ))
        }
        ("players", "to" | "-") => {
            let (from, to) = (place.before(1)?, next?);
            let written = format!("{}..{}", from.text(place.chunk.text), to.text(place.chunk.text));
            Some(instead(place, (from.start, to.end), written))
        }
        ("players", found) => {
            let (from, to) = found.split_once('-')?;
            Some(instead(place, (here.start, here.end), format!("{from}..{to}")))
        }
        _ => None,
    }
}

/// What does not fit at the place, with what to write. A long list of what else could stand there is noise beside
/// that.
fn misfit(place: &Place<'_>, help: &str) -> Diagnostic {
    let expected = match expected::phrase(&place.expected) {
        phrase if phrase.contains(", ") || phrase == "`write`" => "not understood".to_owned(),
        phrase => format!("expected {phrase}"),
    };
    mistakes::plain_english(place.span(), &place.misfit(), &expected, help)
}

/// The same, where what to write can be said in the words that stand there.
fn in_own_words(place: &Place<'_>) -> Option<Diagnostic> {
    let (before, behind) = (place.text_before(1), place.text_behind(1));
    let (_, start) = place.leading()?;
    let so_far = place.chunk.text[start..place.at].trim_end();
    let ends = place.expects_any(&[Rule::terminator, Rule::EOI]);
    let rest = &place.chunk.text[place.at + place.found().len()..];
    let rest = rest[..rest.find(['\n', ';', '"', '}']).unwrap_or(rest.len())].trim();
    let is_name = |text: &str| text.starts_with(char::is_alphabetic) && !words::joins(text);
    // What can be written from some byte to the place.
    let mut written = None;
    let help = match (place.leading_word(), place.found()) {
        ("mark" | "unmark", _) if place.is_in_block() && place.expects(Rule::kw_as) && place.has_ended() => {
            let (verb, said) = so_far.split_once(' ')?;
            format!("say with what: `{verb} {said} as …`, with the name of a mark")
        }
        (_, aim) if before == "to" && behind == "from" && place.expects(Rule::kw_write) => {
            format!("leave the `to` out: `{aim} from …`")
        }
        ("ending", "and" | ",") if place.expects(Rule::kw_when) && is_name(behind) => {
            let (_, verdict) = so_far.split_once(": ")?;
            format!("join those who win by `plus`: `{verdict} plus {behind} when …`")
        }
        ("ending", "no") if ends => format!("begin with it: `when no {rest}`"),
        ("role" | "team", ",") if is_name(behind) && place.index == 2 => {
            format!(
                "each has a line of its own: `{so_far} …` and `{} {behind} …`",
                place.leading_word()
            )
        }
        ("ending", "is" | "are") if ends && is_name(behind) => {
            format!("put the words side by side: `{behind} {before}`")
        }
        ("mark" | "flag" | "count", "ends") if !place.is_in_block() => {
            let until = format!("until end of {before}");
            let help = format!("write `{until}`");
            let end = place.at + place.found().len();
            written = Some(instead(place, (place.before(2)?.start, end), until));
            help
        }
        _ => return None,
    };
    let told = misfit(place, &help);
    Some(match written {
        Some(written) => told.mend(written),
        None => told,
    })
}

/// `judge when rounds is 2`
fn when_for_if(place: &Place<'_>) -> Option<Diagnostic> {
    let ends = place.expects_any(&[Rule::terminator, Rule::EOI]);
    let (first, start) = place.leading()?;
    let is_statement = place.is_in_block() && words::begins_statement(first);
    if place.found() != "when" || !ends || !is_statement {
        return None;
    }
    let text = place.chunk.text;
    let rest = &text[place.at + "when".len()..];
    let whole = rest[..end_of_statement(rest)].trim();
    let end = place.at + "when".len() + rest.find(whole)? + whole.len();
    let (condition, words) = words_behind(whole);
    let statement = format!("{} {words}", text[start..place.at].trim());
    let statement = statement.trim_end();
    let written = format!("if {condition} {{ {statement} }}");
    let told = mistakes::when_for_if(place.span(), statement, condition);
    Some(told.mend(instead(place, (start, end), written)))
}

/// Where a statement ends; braces and semicolons within its words are part of it.
fn end_of_statement(text: &str) -> usize {
    let mut is_in_words = false;
    let ends = |sign: char| {
        is_in_words ^= sign == '"';
        sign == '\n' || !is_in_words && matches!(sign, ';' | '{' | '}')
    };
    text.find(ends).unwrap_or(text.len())
}

/// `it is rich "Do you pay?"`: a condition, and the words of the statement in front of it, which are no part of it.
fn words_behind(text: &str) -> (&str, &str) {
    let Some((condition, _)) = text.split_once('"') else {
        return (text, "");
    };
    let before = condition.trim_end();
    let is_compared = [" is", " not", " exactly"]
        .iter()
        .any(|word| before.ends_with(word));
    match text.ends_with('"') && !is_compared {
        true => (before, &text[condition.len()..]),
        false => (text, ""),
    }
}

/// `mark leader one, deputy one`
fn one_of_several(place: &Place<'_>) -> Option<Diagnostic> {
    let declares = matches!(place.leading_word(), "mark" | "link");
    (declares && place.found() == "," && place.text_before(1) == "one")
        .then(|| mistakes::one_of_several(place.span()))
}

/// `ask me for p from living where it is A and it is B`
fn and_behind_where(place: &Place<'_>) -> Option<Diagnostic> {
    let joins = matches!(place.found(), "and" | "or");
    if !joins || !expected::is_behind_expression(&place.expected) || place.expects(Rule::kw_and) {
        return None;
    }
    let (_, start) = place.leading()?;
    let clause = &place.chunk.text[start..place.at];
    let (_, test) = clause.rsplit_once(" where ")?;
    (!test.contains('(')).then(|| mistakes::and_behind_where(place.span(), test.trim(), place.found()))
}

/// `isn't`, around its sign.
fn is_not(text: &str, sign: usize) -> Option<(Range<usize>, String)> {
    let behind = text[sign..].strip_prefix("'t")?;
    let before = text[..sign].trim_end_matches(char::is_alphabetic).len();
    let is_whole = !behind.starts_with(char::is_alphanumeric);
    let is_known = ["isn", "aren", "wasn", "weren"].contains(&&text[before..sign]);
    (is_whole && is_known).then(|| (before..sign + 2, "is not".to_owned()))
}

/// Looks at the signs around the place: the first sign of `==` may have been a good `=`.
fn foreign_sign(place: &Place<'_>) -> Option<Diagnostic> {
    let text = place.chunk.text;
    let starts = [
        place.at.checked_sub(1).filter(|at| text.is_char_boundary(*at)),
        Some(place.at),
    ];
    for start in starts.into_iter().flatten() {
        let here = elsewhere::signs().find(|(sign, _)| text[start..].starts_with(sign));
        if let Some((sign, words)) = here.filter(|(sign, _)| start + sign.len() > place.at) {
            let before = &text[..start];
            let figures = before.trim_end_matches(|sign: char| sign.is_ascii_digit()).len();
            if sign == "%" && figures < start {
                let span = place.chunk.span(figures, start + sign.len());
                return Some(mistakes::percent(span, &before[figures..]));
            }
            if sign == "'"
                && let Some((owned, written)) = owned(text, start).or_else(|| is_not(text, start))
            {
                let told = mistakes::owned(place.chunk.span(owned.start, owned.end), &written);
                return Some(told.writes(written));
            }
            return Some(mistakes::foreign_sign(
                place.chunk.span(start, start + sign.len()),
                sign,
                words,
            ));
        }
    }
    None
}

/// `p's role` around a sign, and `role of p`.
fn owned(text: &str, sign: usize) -> Option<(Range<usize>, String)> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let before = &text[..sign];
    let mut from = before.trim_end_matches(is_of_name).len();
    if before[..from].ends_with("seat ") {
        from -= "seat ".len();
    }
    let behind = text[sign..].strip_prefix("'s ")?;
    let length = behind.find(|letter| !is_of_name(letter)).unwrap_or(behind.len());
    let (who, what) = (&before[from..], &behind[..length]);
    let is_whole = !who.is_empty() && !what.is_empty() && !words::joins(what);
    let what = if what == "seat" { "place" } else { what };
    is_whole.then(|| (from..sign + "'s ".len() + length, format!("{what} of {who}")))
}

fn else_if(place: &Place<'_>) -> Option<Diagnostic> {
    let found = place.found();
    let is_meant = matches!(found, "elif" | "elsif" | "elseif") && place.text_before(1) == "}";
    is_meant.then(|| mistakes::else_if(place.span(), found))
}

/// `for n in 1..3 {`, `for each p in living {`
fn for_each_of(place: &Place<'_>) -> Option<Diagnostic> {
    let found = place.found();
    let begins = place.leading_word() == "for" && place.is_in_block();
    let lacks_of = place.expects(Rule::kw_of) && matches!(found, "in" | "from");
    let told = (begins && (place.expects(Rule::kw_each) || lacks_of))
        .then(|| mistakes::for_each_of(place.span(), found))?;
    Some(match lacks_of {
        true => told.writes("of"),
        false => told,
    })
}

/// `repeat 3 {`, `repeat 3 time {`
fn repeat_times(place: &Place<'_>) -> Option<Diagnostic> {
    let (first, start) = place.leading()?;
    let found = place.found();
    let is_meant = first == "repeat" && place.is_in_block() && matches!(found, "{" | "time" | "x");
    let count = place.chunk.text[start..place.at]
        .trim_start_matches("repeat")
        .trim()
        .trim_end_matches(" x")
        .trim_end_matches(" times")
        .trim_end_matches(" time")
        .to_owned();
    let count = Some(count.as_str()).filter(|count| !count.is_empty() && *count != "times");
    let told = is_meant.then(|| mistakes::repeat_times(place.span(), found, count.unwrap_or("3")))?;
    let written = match found {
        "{" => "times {",
        _ => "times",
    };
    // What is nearly the word, and was taken for a name behind the number, goes with it.
    let nearly = place
        .before(1)
        .filter(|_| found == "{" && matches!(place.text_before(1), "time" | "x"));
    Some(match (count, nearly) {
        (Some(_), Some(nearly)) => told.mend(instead(place, (nearly.start, place.at + 1), written)),
        (Some(_), None) => told.writes(written),
        (None, _) => told,
    })
}

/// `remainder of coins`
fn remainder_of_one(place: &Place<'_>) -> Option<Diagnostic> {
    let divides = place.expects(Rule::over_sign) && !place.expects(Rule::sum_op);
    divides.then(|| mistakes::remainder_of_one(place.after_last_solid()))
}

/// `seat p beside q`, `seat p left of q`, `swap seats p and q`
fn who_sits_where(place: &Place<'_>) -> Option<Diagnostic> {
    // What is wanted may be looked for on the next line, too.
    let so_far = place.chunk.text[..place.at].trim_end();
    let so_far = so_far.rsplit(['\n', ';', '{', '}']).next()?.trim_start();
    let is_meant = match words::first(so_far) {
        "seat" => !so_far.contains(" to ") && !so_far.ends_with("order"),
        "swap" => so_far.ends_with(" seats") && place.expects(Rule::kw_of),
        _ => false,
    };
    (is_meant && place.is_in_block()).then(|| mistakes::who_sits_where(place.after_last_solid()))
}

/// `for n hostages from`, `up to n hostages from`, `move n from`: a count that is no number in digits
/// was taken for a name.
fn count_without_brackets(place: &Place<'_>) -> Option<Diagnostic> {
    let count = place.before(1).filter(|token| token.kind == TokenKind::Word)?;
    let word = count.text(place.chunk.text);
    let span = place.chunk.span(count.start, count.end);
    let names_answer = place.kind() == Some(TokenKind::Word) && !words::joins(place.found());
    let example = match (place.leading_word(), place.text_before(2)) {
        ("ask", "for" | "to") if place.expects(Rule::kw_from) && names_answer => {
            format!("({word}) {} from …", place.found())
        }
        ("move", "move") if place.found() == "from" => format!("move ({word}) from …"),
        _ => return None,
    };
    Some(mistakes::count_without_brackets(span, word, &example))
}

/// `tell seat times Noon + 1 "…"`
fn seat_without_brackets(place: &Place<'_>) -> Option<Diagnostic> {
    let is_meant = place.text_before(1) == "seat" && place.found() == "times";
    let number = format!("times {}", place.text_behind(1));
    is_meant.then(|| mistakes::seat_without_brackets(place.span(), &number))
}

/// `tell Smuggler, Healer "…"`
fn sets_without_plus(place: &Place<'_>) -> Option<Diagnostic> {
    let names_sets = words::is(place.leading_word(), |word| word.sets);
    let joins =
        place.expects_any(&[Rule::sum_op, Rule::kw_plus]) && !place.expects_any(&[Rule::comma, Rule::kw_and]);
    let found = place.found();
    let taken_out = |before| place.text_before(before) == "without";
    let [one, other] = [place.text_before(1), place.text_behind(1)];
    let after_or = one == "or" && place.expects(Rule::kw_nobody) && place.kind() == Some(TokenKind::Word);
    if names_sets && after_or && taken_out(3) {
        return Some(mistakes::each_without(
            place.span(),
            "or",
            [place.text_before(2), found],
        ));
    }
    (names_sets && joins && matches!(found, "," | "and" | "or")).then(|| match (taken_out(2), other) {
        (true, _) => mistakes::each_without(place.span(), found, [one, other]),
        (false, "not") => mistakes::and_not_for_without(place.span(), found, one, place.text_behind(2)),
        (false, _) => mistakes::sets_without_plus(place.span(), found, [one, other]),
    })
}

/// `play Duel of seat 1, seat 2`
fn handed_without_and(place: &Place<'_>) -> Option<Diagnostic> {
    let hands_over = ["do", "plan", "play", "scene", "event", "rule"].contains(&place.leading_word());
    (hands_over && place.found() == "," && place.expects(Rule::kw_and))
        .then(|| mistakes::handed_without_and(place.span()))
}

fn equals_for_is(place: &Place<'_>) -> Option<Diagnostic> {
    let compares = place.expects_any(&[Rule::is_op, Rule::kw_is, Rule::sum_op, Rule::of_part]);
    let leads = place.leading_word();
    let names = matches!(leads, "choose" | "option" | "count")
        || !place.is_in_block() && words::is(leads, |word| word.titled);
    (place.found() == "=" && compares && !names).then(|| mistakes::equals_for_is(place.span()))
}

/// `win Hamlet if over`: the `if` was taken for a name.
fn if_for_when(place: &Place<'_>) -> Option<Diagnostic> {
    // What follows it may have been read on: `win Hamlet if number of`, and then `is`.
    let far = if place.leading_word() == "ending" { 12 } else { 1 };
    let mut words = (1..=far).map_while(|back| place.before(back));
    let word = words.find(|token| token.text(place.chunk.text) == "if")?;
    let wants_when = place.expects_any(&[Rule::when, Rule::kw_when]);
    wants_when.then(|| mistakes::if_for_when(place.chunk.span(word.start, word.end)))
}

fn glued_minus(place: &Place<'_>) -> Option<Diagnostic> {
    let found = place.found();
    let is_glued = place.kind() == Some(TokenKind::Number)
        && found
            .split_once('-')
            .is_some_and(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()));
    let wants_name = place.expected == [Rule::name];
    let is_range =
        place.text_before(1) == "from" || matches!(place.leading_word(), "option" | "players" | "for");
    (is_glued && !wants_name).then(|| match place.is_in_cast() && !is_range {
        true => mistakes::range_in_cell(place.span(), found),
        false => mistakes::glued_minus(place.span(), found, is_range),
    })
}

fn digit_name(place: &Place<'_>) -> Option<Diagnostic> {
    let wants_name = place.expects_any(&[Rule::name, Rule::names]) && !place.expects(Rule::int);
    (place.kind() == Some(TokenKind::Number) && wants_name)
        .then(|| mistakes::digit_name(place.span(), place.found()))
}

fn reserved_name(place: &Place<'_>) -> Option<Diagnostic> {
    let begins_words = place.index == 0 && !place.is_of_lines;
    let wants_name =
        begins_words || place.expects_any(&[Rule::name, Rule::names, Rule::place, Rule::option_value]);
    let is_reserved = words::joins(place.found()) && !expected::is_behind_expression(&place.expected);
    // `draw 2 from living`: a name is missing before it.
    let next = place.tokens.get(place.index + 1);
    let goes_on = next.is_some_and(|next| match next.kind {
        TokenKind::Word => !words::joins(next.text(place.chunk.text)),
        kind => kind == TokenKind::Number,
    });
    (wants_name && is_reserved && !goes_on).then(|| mistakes::reserved_name(place.span(), place.found()))
}

/// `role Serial Killer of Hamlet`: a word after the name where a title could stand.
fn spaced_name(place: &Place<'_>) -> Option<Diagnostic> {
    let (name, keyword) = (place.before(1)?, place.before(2)?);
    let is_titled =
        words::is(keyword.text(place.chunk.text), |word| word.titled) && name.kind == TokenKind::Word;
    let found = place.found();
    let is_name = place.kind() == Some(TokenKind::Word) && !words::joins(found);
    let is_body = words::begins_statement(found) && place.expects_any(&[Rule::block, Rule::brace_open]);
    if is_body || !is_titled || !is_name || matches!(found, "replaces" | "needs" | "refuses" | "seen" | "one")
    {
        return None;
    }
    let is_more = |token: &&Token| {
        let word = token.text(place.chunk.text);
        token.kind == TokenKind::Word && !words::joins(word)
    };
    let rest: Vec<&str> = place.tokens[place.index..]
        .iter()
        .take_while(is_more)
        .map(|token| token.text(place.chunk.text))
        .collect();
    let words: Vec<&str> = std::iter::once(name.text(place.chunk.text)).chain(rest).collect();
    let last = &place.tokens[place.index + words.len() - 2];
    let next = place
        .tokens
        .get(place.index + words.len() - 1)
        .map_or("", |token| token.text(place.chunk.text));
    let is_other_mistake = matches!(
        (keyword.text(place.chunk.text), next),
        ("overlay", "{") | ("token", "|")
    );
    if is_other_mistake {
        return None;
    }
    let span = place.chunk.span(name.start, last.end);
    if words[0] == keyword.text(place.chunk.text) {
        let rest = words[1..].join(" ");
        return Some(mistakes::twice_over(span, words[0]).writes(rest));
    }
    Some(mistakes::spaced_name(span, &words, next.starts_with('"')))
}

fn first_word_of_declaration(place: &Place<'_>) -> Option<Diagnostic> {
    let is_whole = place.token().is_some_and(|token| token.start == place.at);
    let is_first = place.index == 0 && is_whole || place.expects(Rule::item);
    if !is_first || place.is_in_block() || place.kind() != Some(TokenKind::Word) || !place.is_of_lines {
        return None;
    }
    let word = place.found();
    if let Some(instead) = elsewhere::declaration(word) {
        return Some(mistakes::foreign_declaration(place.span(), word, instead));
    }
    if words::begins_statement(word) && !words::begins_declaration(word) {
        return Some(mistakes::statement_outside(place.span(), word));
    }
    let known = words::WORDS.iter().filter(|word| word.declaration.is_some());
    Some(mistakes::unknown_declaration(
        place.span(),
        word,
        known.map(|word| word.name),
    ))
}

/// A word that begins something where the line should have ended.
fn missing_end(place: &Place<'_>) -> Option<Diagnostic> {
    let ends = place.expects_any(&[Rule::terminator, Rule::EOI]);
    let word = place.found();
    let begins = if place.is_in_block() {
        words::begins_statement(word)
    } else {
        words::begins_declaration(word)
    };
    if word == "replace" && place.leading_word() == "role" {
        return Some(mistakes::replaces(place.span()));
    }
    let after_block = place.text_before(1) == "}" && place.kind() == Some(TokenKind::Word) && word != "else";
    if after_block && place.text_behind(1) == "{" && is_a_letter_off(word, "else") {
        return Some(mistakes::misspelt(place.span(), word, "else").writes("else"));
    }
    (ends && (begins || after_block)).then(|| mistakes::missing_end(place.span(), word))
}

/// What the first word of a statement and those behind it are in this language, what is said of that, and the line that
/// is meant, where it is one.
fn said_here(place: &Place<'_>) -> Option<(String, Option<Repair>)> {
    let text = place.chunk.text;
    let line = &text[place.at..];
    let line = line[..line.find(['\n', ';', '}', '{']).unwrap_or(line.len())].trim();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_name = !rest.is_empty() && !rest.contains(' ') && rest.starts_with(char::is_alphabetic);
    let name = place.found();
    let mut aside = "";
    let written = match (word, place.text_behind(1)) {
        ("wake", _) if is_name => format!("call {rest}"),
        ("start" | "begin", "again" | "over") => {
            return Some((
                "`repeat { … }` around what comes again and again".to_owned(),
                None,
            ));
        }
        ("go" | "goto" | "start" | "begin" | "run", _) if !rest.is_empty() => {
            let scene = rest.strip_prefix("to ").unwrap_or(rest);
            (!scene.contains(' ') && scene.starts_with(char::is_uppercase))
                .then(|| format!("play {scene}"))?
        }
        ("remove", _) => {
            let (what, of) = match rest.split_once(" from ") {
                Some((what, of)) => (what, Some(of)),
                None => (rest, None),
            };
            let leaves = of.is_none_or(|of| {
                let of = of.strip_prefix("the ").unwrap_or(of);
                ["game", "table", "play", "players"].contains(&of)
            });
            match of {
                _ if what.is_empty() || what.contains(' ') => return None,
                Some(count) if what.bytes().all(|sign| sign.is_ascii_digit()) => {
                    format!("subtract {what} from {count}")
                }
                Some(_) if leaves => format!("do departure of {what}"),
                Some(bearers) => {
                    aside = ", where that is a mark";
                    format!("unmark {bearers} as {what}")
                }
                None => {
                    let either = format!(
                        "`do departure of {what}` for who leaves the game; a mark is taken from all with `clear {what}`"
                    );
                    return Some((either, None));
                }
            }
        }
        (_, "=") if let Some(truth @ ("yes" | "no")) = line.split('=').nth(1).map(str::trim) => {
            format!("set {name} to {truth}")
        }
        (_, "=") => {
            let (_, value) = line.split_once('=')?;
            let either = format!(
                "`let {name} = {0}`, which holds to the end of the block; a count or a flag is changed by `set {name} to {0}`, a mark given by `mark {0} as {name}`",
                value.trim()
            );
            return Some((either, None));
        }
        (_, "+") if line.ends_with("++") => format!("add 1 to {name}"),
        (_, "-") if line.ends_with("--") => format!("subtract 1 from {name}"),
        (_, "+") => format!("add {} to {name}", line.split_once('=')?.1.trim()),
        (_, "-") => format!("subtract {} from {name}", line.split_once('=')?.1.trim()),
        _ => return None,
    };
    let said = format!("`{written}`{aside}");
    Some((
        said,
        Some(instead(place, (place.at, place.at + line.len()), written)),
    ))
}

fn first_word_of_statement(place: &Place<'_>) -> Option<Diagnostic> {
    let word = place.found();
    let wants_statement = place.expects(Rule::statement);
    if !wants_statement || place.kind() != Some(TokenKind::Word) || !place.is_at_start() {
        return None;
    }
    if let Some((said, written)) = said_here(place) {
        let told = mistakes::foreign_word(place.span(), word, &said);
        return Some(match written {
            Some(written) => told.mend(written),
            None => told,
        });
    }
    if matches!(word, "choose" | "pick" | "select") && place.text_behind(2) == "from" {
        return Some(mistakes::choose_for_ask(place.span(), word, place.text_behind(1)));
    }
    if let Some(instead) = elsewhere::statement(word) {
        return Some(mistakes::foreign_word(place.span(), word, instead));
    }
    if words::begins_declaration(word) && !words::begins_statement(word) {
        return Some(mistakes::declaration_in_block(place.span(), word));
    }
    let known = words::WORDS.iter().filter(|word| word.statement.is_some());
    Some(mistakes::unknown_statement(
        place.span(),
        word,
        known.map(|word| word.name),
    ))
}

fn missing_brace(place: &Place<'_>) -> Option<Diagnostic> {
    let wants_block = place.expects_any(&[Rule::brace_open, Rule::block]);
    let optional = place.expects_any(&[Rule::terminator, Rule::EOI]);
    let ended = matches!(place.kind(), Some(TokenKind::Newline | TokenKind::Close) | None);
    let begins = words::begins_statement(place.found());
    let leads = place.token().is_some_and(|token| token.leads);
    let span = if leads {
        place.after_last_solid()
    } else {
        place.span()
    };
    if !wants_block || optional || !(ended || leads || begins) {
        return None;
    }
    let (_, start) = place.leading_of(place.last_solid()? + 1)?;
    let head = place.chunk.text[start..place.at].trim_end();
    let head = head.lines().next().filter(|line| *line == head).unwrap_or("…");
    let inside = place.chunk.text[place.at..].trim_start();
    let inside = inside[..inside.find(['\n', ';', '{', '}']).unwrap_or(inside.len())].trim_end();
    let is_whole = words::begins_statement(words::first(inside));
    let told = match words::first(head) {
        "overlay" | "on" => mistakes::overlay_without_brace(span, head),
        _ => mistakes::missing_brace(span, head, if is_whole { inside } else { "…" }),
    };
    Some(told)
}

fn unexpected(place: &Place<'_>) -> Diagnostic {
    let found = place.misfit();
    let leading = place.leading_word();
    let first = place
        .tokens
        .first()
        .map_or("", |token| token.text(place.chunk.text));
    let statement = words::find(leading).filter(|_| place.is_in_block());
    let example = statement.and_then(|word| word.statement);
    let expected = expected::phrase(&place.expected);
    // Inside of a block the one word that is missing says more than how the whole of it is written.
    let is_one_word = expected.starts_with('`') && !expected.contains(' ');
    let of_all = || words::find(first)?.declaration;
    let example = example.or_else(|| of_all().filter(|_| !(place.is_in_block() && is_one_word)));
    let example = match place.is_in_cast() {
        true => Some("Smuggler 2"),
        false => example,
    };
    let lacks_else = place.found() == "{" && place.text_before(1) == "}" && place.expects(Rule::kw_else);
    let missing = match lacks_else {
        true => Some("`else`"),
        false => Some(expected.as_str()).filter(|_| is_one_word && example.is_none() && !place.has_ended()),
    };
    match missing {
        Some(word) => {
            let written = format!("{} {}", word.trim_matches('`'), place.found());
            mistakes::unexpected(place.span(), &found, word, None).writes(written)
        }
        None => mistakes::unexpected(place.span(), &found, &expected, example),
    }
}

fn shorten(found: &str) -> String {
    let mut short: String = found.chars().take(30).collect();
    if short.len() < found.len() {
        short.push('…');
    }
    short.replace('\n', " ")
}
