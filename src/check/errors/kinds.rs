//! Values of a kind where another is wanted.

use super::wording::{kind_name, list, shape_name};
use omerta_core::codes;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::{FactShape, Kind, MOST_HANDED};
use omerta_core::source::Span;
use omerta_syntax::tree::{Expr, Name};

/// `players, players and a number`
fn kinds_in_turn(kinds: &[Kind]) -> String {
    let mut names: Vec<&str> = kinds.iter().map(|kind| kind_name(*kind)).collect();
    let last = names.pop().unwrap_or_default();
    format!("{} and {last}", names.join(", "))
}

fn number_given(number: usize) -> String {
    match number {
        1 => "one is".to_owned(),
        more => format!("{more} are"),
    }
}

/// Whether a kind is one thing or several.
fn was(kind: Kind) -> &'static str {
    match kind {
        Kind::Players | Kind::Cards | Kind::Titles => "were",
        _ => "was",
    }
}

fn these_are(kind: Kind) -> String {
    match was(kind) {
        "were" => format!("these are {}", kind_name(kind)),
        _ => format!("this is {}", kind_name(kind)),
    }
}

/// A value of another kind than wanted, with what gives the kind that is.
pub fn wrong_kind(text: &str, span: Span, want: Kind, have: Kind) -> Diagnostic {
    let told = of_wrong_kind(text, span, want, have);
    let written = match (want, have) {
        (Kind::Truth, Kind::Players) if text.starts_with(NOBODY) => text.replacen(NOBODY, "no ", 1),
        (Kind::Truth, Kind::Players | Kind::Cards) => format!("some {text}"),
        (Kind::Number, Kind::Players | Kind::Cards) => format!("number of {text}"),
        (Kind::Players, Kind::Number) if text.chars().all(char::is_alphanumeric) => format!("seat {text}"),
        (Kind::Players, Kind::Number) => format!("seat ({text})"),
        (Kind::Players, Kind::Cards) => format!("holder of {text}"),
        (Kind::Cards, Kind::Players) => format!("card of {text}"),
        (Kind::Titles, Kind::Players) => format!("role of {text}"),
        _ => return told,
    };
    told.writes(written)
}

/// `not treated`: with the whole of it as it should be, where that can be one thing only.
pub fn denied_set(text: &str, span: Span, who: Option<&str>) -> Diagnostic {
    let told = denied(text, span, who);
    match who {
        Some(_) => told,
        None => told.writes(format!("no {text}")),
    }
}

/// Of what `highest of bid among …` is the highest.
fn end_of(text: &str) -> Option<&str> {
    let ends = ["highest of ", "lowest of "];
    let rest = ends.iter().find_map(|end| text.strip_prefix(end))?;
    Some(rest.split(' ').next().unwrap_or(rest))
}

/// Before what people say of nobody.
const NOBODY: &str = "nobody ";

mistakes! {
    /// A value of another kind than wanted.
    fn of_wrong_kind(text: &str, span: Span, want: Kind, have: Kind) = error(codes::WRONG_KIND, span):
        format!("`{text}` is {have_name}, but {want_name} {} expected", was(want)), these_are(have),
        help match (want, have) {
            (Kind::Truth, Kind::Players) if text.starts_with(NOBODY) => {
                format!("that there are none is `{}`", text.replacen(NOBODY, "no ", 1))
            }
            (Kind::Truth, Kind::Number) if text.chars().all(|sign| sign.is_ascii_digit()) => {
                format!("a number alone is no condition: say again what it is compared with, as in `gold is 2 or gold is {text}`")
            }
            (Kind::Truth, Kind::Number) => format!("compare it with a number: `{text} is at least 1`"),
            (Kind::Truth, Kind::Word) => format!("say which word it is to be: `{text} is …`"),
            (Kind::Truth, Kind::Players | Kind::Cards) => {
                format!("ask whether there are any: `some {text}` or `no {text}`")
            }
            (Kind::Number, Kind::Players) if let Some(what) = end_of(text) => {
                format!("what they have is `{what} of ({text})`; how many they are, `number of {text}`")
            }
            (Kind::Number, Kind::Players | Kind::Cards) => format!("count them: `number of {text}`"),
            (Kind::Players, Kind::Number) if text.chars().all(char::is_alphanumeric) => {
                format!("who sits there is `seat {text}`")
            }
            (Kind::Players, Kind::Number) => format!("who sits there is `seat ({text})`"),
            (Kind::Players, Kind::Cards) => format!("for who has them, write `holder of {text}`"),
            (Kind::Cards, Kind::Titles) => format!("name those cards and ask for their role: `… where role of it is {text}`"),
            (Kind::Cards, Kind::Players) => format!("for their cards, write `card of {text}`"),
            (Kind::Titles, Kind::Players) => format!("for their roles, write `role of {text}`"),
            _ => format!("write something here that gives {want_name}"),
        },
        where (want_name, have_name) = (kind_name(want), kind_name(have));

    /// `add 1 to weight of p when rich`: of whom it is meant, or of anybody.
    pub fn players_as_a_test(text: &str, span: Span, who: &str) = error(codes::WRONG_KIND, span):
        format!("`{text}` is players, but a yes or no was expected"), "these are players",
        help format!("whether there are any at all is `some {text}`; whether `{who}` is one of them, `{who} is {text}`");

    /// `not treated`, where nobody has a name of whom it could be meant, and where somebody has.
    fn denied(text: &str, span: Span, who: Option<&str>) = error(codes::WRONG_KIND, span):
        format!("`{text}` is players, but a yes or no was expected"), "these are players",
        help match who {
            Some(who) => format!("that there are none at all is `no {text}`; that `{who}` is none of them, `{who} is not {text}`"),
            None => format!("that there are none is `no {text}`"),
        };

    /// `p is not lit and not gone`
    pub fn denied_of(text: &str, span: Span, who: &str) = error(codes::WRONG_KIND, span):
        format!("`{text}` is players, but a yes or no was expected"), "these are players",
        help format!("write `{who} is not {text}`; that there are none at all is `no {text}`"),
        writes format!("{who} is not {text}");

    /// `instead of kill when treated`
    pub fn whom_behind_when(text: &str, event: &Name, span: Span) = error(codes::WRONG_KIND, span):
        format!("`{text}` is players, but a yes or no was expected"), "these are players",
        help format!("to whom it happens stands behind `of`: `{} of {text}`; whether there are any at all is `some {text}`", event.text);

    /// Some of a team where the team is called.
    pub fn narrowed_title(text: &str, name: &str, span: Span) = error(codes::WRONG_KIND, span):
        format!("`{text}` is players, but roles were expected"), "some of them",
        help format!("write `{name}` alone: who of them acts is said where it does what it does"),
        writes name.to_owned();

    /// `seat rounds + 1`
    pub fn seat_without_brackets(text: &str, span: Span, repair: &str) = error(codes::WRONG_KIND, span):
        format!("`{text}` adds to whoever sits there, and nothing can be added to players"), "players and a number",
        help format!("a number that is worked out stands in brackets: `{repair}`");

    /// `living - wounded`
    pub fn minus_between_sets(left: &str, right: &str, span: Span) = error(codes::WRONG_KIND, span):
        format!("`{left}` is players, and a minus stands between numbers"), "no numbers",
        help format!("those without these are `{left} without {right}`"),
        writes format!("{left} without {right}");

    /// `living Guild is 0`
    pub fn set_is_number(text: &str, span: Span, number: i64) = error(codes::WRONG_KIND, span):
        format!("`{text}` is a set, and `{number}` is a number"), "compared with a number",
        help match number {
            _ if let Some(what) = end_of(text) => format!("what they have is `{what} of ({text})`; how many they are, {count}"),
            0 => format!("write `no {text}`, or count them: {count}"),
            _ => format!("count them: {count}"),
        },
        where count = format!("`number of {text} is {number}`");

    /// `vote of p is 3`, where `vote` is a link: how many have it to p is another number than to how many p has it.
    pub fn links_are_number(text: &str, span: Span, number: i64, link: &str, of: &str) = error(codes::WRONG_KIND, span):
        format!("`{text}` is a set, and `{number}` is a number"), "compared with a number",
        help format!("how many have one to `{of}` is counted by `tally of {link} among ({of}) is {number}`; to how many `{of}` has one, by `number of {text} is {number}`");

    /// `p is A or B`: `repair` is the whole of it, written as it should be.
    pub fn and_or_between_sets(text: &str, span: Span, repair: &str) = error("M0302", span):
        format!("`and` and `or` join conditions, and `{text}` is a set"), "not a condition",
        help format!("write `{repair}`: `plus` is for these and those together, words side by side are for those who are both");

    /// `p is not A and B`: neither, or the one and not the other.
    pub fn denied_and(text: &str, span: Span, neither: &str, but: &str) = error("M0302", span):
        format!("`and` and `or` join conditions, and `{text}` is a set"), "not a condition",
        help format!("write `{neither}` for neither of them; where only the first is denied, `and {but}`");

    /// `let x = A or B`
    pub fn sets_for_one(text: &str, span: Span, together: &str, other: Option<&(&str, String)>) = error("M0302", span):
        format!("`and` and `or` join conditions, and `{text}` is a set"), "not a condition",
        help match other {
            Some((what, other)) => format!("these and those together are `{together}`; {what} `{other}`"),
            None => format!("these and those together are `{together}`"),
        };

    /// `dark and rich`, where somebody has a name.
    pub fn set_of_whom(text: &str, span: Span, who: &str) = error("M0302", span):
        format!("`and` and `or` join conditions, and `{text}` is a set"), "not a condition",
        help format!("whether there are any at all is `some {text}`; whether `{who}` is one of them, `{who} is {text}`");

    /// `living where it is A and it is B`: what was meant stands behind `where`, written as it should be.
    pub fn and_or_behind_where(span: Span, repair: &str) = error("M0302", span):
        "`where` takes one comparison, and the second stands outside of it", "a set, and no condition",
        help format!("put brackets around what stands behind `where`: `{repair}`");

    /// A number or a truth where a set was expected.
    pub fn sets_only(text: &str, span: Span, have: Kind) = error("M0303", span):
        format!("`{text}` is {}, but players, cards or roles were expected", kind_name(have)),
        these_are(have),
        help match have {
            Kind::Number if text == "0" => "no seat and no number is named like this; whether there are none is `no …`".to_owned(),
            Kind::Number if text.bytes().all(|sign| sign.is_ascii_digit()) => {
                format!("numbers are named from the first to the last: `1..{text}`; who sits there is `seat {text}`")
            }
            _ => "only sets can be counted, joined, narrowed or gone through".to_owned(),
        };

    /// `for each n of 3 { … }`
    pub fn each_of_a_number(name: &str, number: i64, span: Span) = error("M0303", span):
        format!("`for each` goes through players, cards, roles, words or numbers, and `{number}` is one number"), "from where to where?",
        help format!("write `for each {name} of 1..{number} {{ … }}`, or `repeat {number} times {{ … }}`");

    /// `publish` of a name that is not there.
    pub fn publishes_nothing(name: &Name, known: impl IntoIterator<Item = impl AsRef<str>>) =
        error(codes::UNKNOWN_NAME, name.span):
        format!("there is no `{}` to publish", name.text), "not declared anywhere",
        near &name.text, known, else "remove it from the list";

    /// A word that an option or a draw does not have.
    pub fn no_such_word(given: &str, span: Span, words: &[String]) = error("M0304", span):
        format!("`{given}` is not one of the values"), "no such value",
        near given, words, else format!("write one of {}", list(words));

    /// A word by itself that is one of two sorts.
    pub fn word_of_two(word: &Name, one: &str, two: &str) = error("M0330", word.span):
        format!("`{}` is a word of `{one}` and of `{two}`", word.text), "which of them?",
        help "give it another name in one of them; people see the title, the text behind it";

    /// A word was wanted.
    pub fn not_a_word(span: Span, words: &[String]) = error("M0305", span):
        "one of the words was expected", "not a word of it",
        help format!("write one of {}", list(words));

    /// A word option read without `is`.
    pub fn option_needs_is(name: &Name, words: &[String]) = error("M0306", name.span):
        format!("`{}` has words for values", name.text), "not a condition by itself",
        help format!("write `{} is {first}`", name.text),
        writes format!("{} is {first}", name.text),
        where first = words.first().map_or("…", String::as_str);

    /// A name that needs `of`.
    pub fn needs_of(name: &Name) = error("M0307", name.span):
        format!("`{}` needs an `of`", name.text), "of whom or what?",
        help format!("write `{} of …`", name.text);

    /// `next of p`
    pub fn next_among_all(of: &str, span: Span) = error("M0307", span):
        format!("`next of {of}` is {of}: it looks for the first from there on, and all sit there"), "among whom?",
        help format!("whoever sits behind is `left of {of} among (living)`; with `next of {of} among (…)` it is `{of}`, or who is next of those");

    /// `team (dying)`
    pub fn called_without_of(name: &Name, of: &str, span: Span) = error("M0307", span):
        format!("`{}` needs an `of`", name.text), "of whom or what?",
        help format!("write `{} of {of}`", name.text),
        writes format!("{} of {of}", name.text);

    /// `do unveiling of q with card turned`: the event has said the kind.
    pub fn kind_said_again(span: Span, kind: &str, rest: &str) = error("M0307", span):
        format!("the declaration says `{kind}` already"),
        "only what is handed over belongs here",
        help format!("write `{rest}`"),
        writes rest;

    /// `top n of deck`
    pub fn count_without_brackets(span: Span, count: &str, of: &str) = error("M0307", span):
        format!("`{count}` does not say how many here"), "a number that is worked out",
        help format!("a number that is not written in digits stands in brackets: `top ({count}) of {of}`");

    /// `living where fouls of it is 0 without Guild`
    pub fn joined_to_a_test(set: &str, rest: &str, span: Span) = error("M0303", span):
        format!("`{rest}` is read as part of the test behind `where`, and a test cannot be joined with it"),
        "where does the test end?",
        help format!("write `({set}) {rest}`: brackets end the test"), writes format!("({set}) {rest}");

    /// `living where slighted`
    pub fn where_without_test(text: &str, span: Span, have: Kind) = error(codes::WRONG_KIND, span):
        format!("behind `where` stands a test, and `{text}` is {}", kind_name(have)), these_are(have),
        help match repair.starts_with("it") {
            true => format!("write `{repair}`: `it` is each who is looked at"),
            false if have == Kind::Cards => format!("write `{repair}` for those who have any"),
            false => format!("write `{repair}` for those who have any, or who is looked for, as in `p is {text}`"),
        },
        writes repair.clone(),
        where repair = match text.split(|sign: char| !sign.is_alphanumeric()).any(|word| word == "it") {
            true => format!("some {text}"),
            // Whose zone it is was left out.
            false if have == Kind::Cards => format!("some {text} of it"),
            false => format!("it is {text}"),
        };

    /// `slighted of p`, where `slighted` is a mark, a role or the like; `whose` is `p`.
    pub fn borne_by_none(name: &Name, of: Span, whose: &str) = error("M0308", of):
        format!("`{}` takes no `of`", name.text), "not of anybody",
        also name.span, "this",
        help format!("whether somebody is one of them is asked with `is`: `{whose} is {}`; for those who are in both, put the words side by side", name.text);

    /// A name that takes no `of`.
    pub fn no_of_here(name: &Name, of: Span) = error("M0308", of):
        format!("`{}` takes no `of`", name.text), "not of anybody",
        also name.span, "this",
        help "remove the `of` and what follows it; for those who are in both, put the words side by side";

    /// A number, an `among` or a `weighing` behind a name of which none is read.
    pub fn no_part_here(name: &Name, part: &str, span: Span) = error("M0308", span):
        format!("`{}` takes no {part}", name.text), "means nothing here",
        also name.span, "this",
        help match part {
            "number" if name.text == "number" => "a number stands by itself: leave the word `number` out, or write what is counted, `number of …`",
            "number" => "remove it; numbers stand behind `seat` and `top` alone",
            "`weighing`" => "remove it; only what counts votes, such as `most of vote`, weighs them",
            _ => "remove it; for those who are in both, put the words side by side",
        };

    /// A scene that must be handed something.
    pub fn scene_needs_of(name: &Name) = error("M0309", name.span):
        format!("the scene `{}` must be handed something", name.text), "of whom or what?",
        help format!("write `play {} of …`", name.text);

    /// Another number of things than a scene or an event is handed.
    pub fn handed_otherwise(name: &Name, wanted: &[Kind], given: &[Expr], span: Span) = error("M0309", span):
        match wanted.len() {
            1 => format!("`{}` is handed one thing, and here are {}", name.text, given.len()),
            n => format!("`{}` is handed {n} things, and {} given here", name.text, number_given(given.len())),
        },
        match given.len() < wanted.len() {
            true => "too few",
            false => "too many",
        },
        also name.span, "this",
        help match wanted.len() {
            1 => "with `plus` between them they are one set; for several things declare it with `and` between their names".to_owned(),
            _ => format!("its declaration names {}: give each of them, with `and` between them", kinds_in_turn(wanted)),
        };

    /// More than a scene or an event can be handed.
    pub fn too_much_handed(name: &Name) = error("M0309", name.span):
        format!("at most {MOST_HANDED} things are handed over"), "one too many",
        help "keep what is left in a mark, a count or a word before";

    /// An event that lacks a place.
    pub fn event_needs(event: &Name, word: &str) = error("M0310", event.span):
        format!("the event `{}` needs `{word} …`", event.text), format!("`{word}` is missing"),
        help format!("write `{} {word} …`", event.text);

    /// An event that has no such place.
    pub fn event_has_no(event: &Name, word: &str, span: Span) = error("M0311", span):
        format!("the event `{}` has no `{word}`", event.text), "it takes nothing here",
        help format!("remove it, or declare the event with `{word} …`");

    /// A fact of another shape than the statement needs.
    pub fn wrong_shape(name: &Name, wanted: &str, shape: FactShape) = error("M0312", name.span):
        format!("`{}` is {}, not {wanted}", name.text, shape_name(shape)), format!("should be {wanted}"),
        help match shape {
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => format!("write `mark p as {0}`; `unmark p as {0}` takes it from somebody, `clear {0}` from all", name.text),
            FactShape::Link { .. } => format!("write `link p to q as {0}`; `clear {0}` empties it", name.text),
            FactShape::Flag => format!("write `set {} to yes`", name.text),
            _ => format!("write `set {0} to …` or `add 1 to {0}`", name.text),
        };

    /// An order by something that keeps none.
    pub fn not_in_order(name: &Name, is_mark: bool) = error("M0313", name.span):
        format!("`{}` keeps no order", name.text), "not a mark in order",
        help match is_mark {
            true => format!("declare it with `mark {} in order`", name.text),
            false => "people are gone through in the order in which they were marked, by a mark that is declared with `in order`".to_owned(),
        };

    /// Players who sit in an order that they have not.
    pub fn set_in_no_order(text: &str, span: Span) = error("M0313", span):
        format!("`{text}` keeps no order"), "not a mark in order",
        help "name a mark that was declared with `in order`: they sit as they were marked";

    /// `wait 0 seconds`, `within 999999 seconds`
    pub fn limit_out_of_bounds(span: Span) = error("M0329", span):
        "a limit is one second at the least and one day at the most", "too short or too long",
        help "write from 1 to 86400 seconds, or up to 1440 minutes; where nobody needs to hurry, leave the limit out";

    /// `wait number of living seconds`
    pub fn limit_worked_out(span: Span) = error("M0329", span):
        "a limit must be known before the game begins", "worked out at play",
        help "write a number of seconds or minutes, or the name of an option with a range";

    /// A tally of something that is no link.
    pub fn needs_a_link(span: Span) = error("M0314", span):
        "only a link to players, or players who are the answers of an `ask each`, can be counted", "not such a link",
        help "write `most of vote` where `vote` is a link, or `most of vote of living` for the votes of some";

    /// `link bet one back betters to roles`
    pub fn back_of_no_players(back: &Name, to: Kind) = error("M0314", back.span):
        format!("only a link to players has another end, and this one leads to {}", kind_name(to)), "nobody can be asked for it",
        help format!("leave `back {}` out; who leads to one is `players where NAME of it is …`", back.text);

    /// `most of bid`
    pub fn needs_highest(name: &Name) = error("M0314", name.span):
        "only the answers of an `ask each`, or a link, can be counted", "a number of each",
        help format!("those who have most of it are `highest of {}`", name.text);

    /// `highest of …` of what is no number of each player.
    pub fn not_a_number_of_each(name: &Name) = error("M0327", name.span):
        format!("`{}` is no number that each player has", name.text), "no number of each",
        help "name a `count … of each`, or a definition of a player; who has most votes is `most of vote`";

    /// `words of room` anywhere but in a question or a draw.
    pub fn words_are_asked_for(span: Span) = error("M0328", span):
        "all words of a `word` can only be asked for, drawn from or gone through", "these are words, and no set",
        help "write `ask me for goal from words of room`, or `draw goal from words of room` or `for each goal of words of room { … }`, with the name of a `word`; a question leaves out what it likes, as in `words of room without room of me`, chance only words that stand there, as in `without hold`";

    /// `n / 0`
    pub fn divided_by_nothing(span: Span) = error("M0961", span):
        "nothing can be divided by 0", "this is 0",
        help "divide by a number that is never 0, or test it before";

    /// `add 1 to room of p`
    pub fn nothing_added_to_words(name: &Name, text: bool) = error("M0312", name.span):
        format!("`{}` is a {}, and nothing can be added to it", name.text, if text { "text" } else { "word" }), "no number",
        help format!("write `set {} to …` with {}", name.text, if text { "a text" } else { "one of its words" });

    /// `add 1 to weight of Healer`, where `weight` is asked about players.
    pub fn asked_about_others(name: &Name, param: &Name, asked: Kind, is_title: bool) = error("M0301", param.span):
        format!("`{}` is asked about {}", name.text, kind_name(asked)),
        if is_title { "this is a role or a team" } else { "not about this" },
        help match is_title && asked == Kind::Players {
            true => format!("name them, and say whom it is for behind `when`: `of p when p is {}`", param.text),
            false => "name it as the definition does".to_owned(),
        };

    /// `include 1 in weight of p`, `add 1 to electorate`.
    pub fn clause_of_other_kind(name: &str, value: Span, kind: Kind, of_numbers: bool) = error("M0312", value):
        format!("`{name}` is {}, and {} are changed like this", kind_name(kind), if of_numbers { "only numbers" } else { "only sets" }),
        "this does not go into it",
        help match (kind, of_numbers) {
            (Kind::Number, _) => "a number is changed with `add … to`, `raise … to` or `lower … to`",
            (Kind::Players | Kind::Cards | Kind::Titles, _) => "a set is changed with `include … in` and `exclude … from`",
            _ => "write it by cases where it is defined: `… when … else …`",
        };

    /// `say ""`
    pub fn says_nothing(span: Span) = warning "says-nothing" ("M0727", span):
        "these words say nothing", "an empty text",
        help "write what is to be heard, or leave the line out";

    /// A weight that is none.
    pub fn not_a_weight(name: &Name) = error("M0315", name.span):
        format!("`{}` cannot weigh votes", name.text), "not a number of each player",
        help "name a `define … of p = 1` or a `count … of each`";

    /// A zone was wanted.
    pub fn needs_a_zone(span: Span) = error("M0316", span):
        "a zone was expected", "cards are taken from the top of a zone",
        help "write `top 2 of deck`; of any other cards, `first of …`";

    /// A zone of each seat without saying whose.
    pub fn zone_needs_of(name: &Name) = error("M0317", name.span):
        format!("every seat has a `{}`", name.text), "whose?",
        help format!("write `{} of p`", name.text);

    /// A draw in which nothing can come out.
    pub fn weights_all_zero(span: Span) = error("M0319", span):
        "nothing can come out of this draw", "every weight is 0",
        help "give at least one outcome a weight of 1 or more";

    /// `for pair from 2 living`
    pub fn number_before_set(span: Span, many: &str, rest: &str) = error("M0301", span):
        format!("`{many}` is a number, but players were expected"), "how many are picked stands before the name",
        help format!("write `{many} NAME from {rest}`");

    /// Several numbers or words drawn at once.
    pub fn several_of_no_set(span: Span) = error("M0320", span):
        "only players, cards and roles are drawn or picked several at a time", "several numbers or words make no set",
        help "give each of them a question, or a draw, and a name of its own";

    /// `in random order from p`.
    pub fn random_from_somebody(span: Span) = error("M0326", span):
        "a random order begins with nobody in particular", "this says who comes first",
        help "leave `from …` out, or leave `in random order` out";

    /// `for each n of 1..3 in random order`
    pub fn one_order_only(span: Span) = error("M0326", span):
        "numbers and words are gone through from the first to the last", "this wants another order",
        help "leave `from …` and `in … order` out";

    /// `for each p of living unseen`
    pub fn no_backs_of_words(span: Span) = error("M0326", span):
        "`unseen` is for cards that somebody chooses by their backs", "nothing is chosen here",
        help "leave `unseen` out";

    /// Several picks by each into a link of one.
    pub fn each_picks_one(span: Span) = error("M0322", span):
        "what each answers here has room for one", "more than one",
        help "declare the link without `one`, or ask for a name that is not declared; numbers are answered one each";

    /// An event of something that is no player.
    pub fn events_happen_to_players(span: Span) = error(codes::EVENT_OF_PLAYERS, span):
        "an event happens to players", "not players",
        help "hand it over after `with`: `event discard of p with card c`";
}
