//! One small function for each thing that can be wrong with a ruleset.
//!
//! The sentence states the mistake, the labels show the places, the help says the repair.

use crate::effects::Quarrel;
use crate::grounds::Grounds;
use crate::layer::Layer;
use omerta_core::codes;
use omerta_core::diagnostic::{Diagnostic, close_name};
use omerta_core::rules::{FactShape, Kind};
use omerta_core::source::Span;
use omerta_syntax::tree::{Name, Rule};
use std::collections::BTreeSet;

/// What a host calls the values of a kind.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Players => "players",
        Kind::Cards => "cards",
        Kind::Titles => "roles",
        Kind::Number => "a number",
        Kind::Truth => "a yes or no",
        Kind::Word => "a word",
    }
}

fn shape_name(shape: FactShape) -> &'static str {
    match shape {
        FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => "a mark",
        FactShape::Flag => "a flag",
        FactShape::Count | FactShape::CountOfEach => "a count",
        FactShape::Link | FactShape::LinkOne | FactShape::LinkTitles => "a link",
    }
}

fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().take(12).map(|w| format!("`{w}`")).collect();
    let more = if words.len() > 12 { ", …" } else { "" };
    format!("{}{more}", quoted.join(", "))
}

fn suggest<'a>(
    diagnostic: Diagnostic,
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: String,
) -> Diagnostic {
    match close_name(given, known) {
        Some(name) => diagnostic.help(format!("did you mean `{name}`?")),
        None if otherwise.is_empty() => diagnostic,
        None => diagnostic.help(otherwise),
    }
}

// ---- files

/// A ruleset, library or overlay that is not there.
pub fn no_such_file(name: &str, span: Span, known: &[String]) -> Diagnostic {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let base = Diagnostic::error(
        codes::NO_SUCH_FILE,
        format!("there is no ruleset or file `{name}`"),
        span,
        "looked for here",
    );
    suggest(
        base,
        name,
        names.iter().copied(),
        format!("there are {}", list(&names)),
    )
}

/// A file that is meant to be a ruleset and does not say so.
pub fn no_ruleset_head(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NO_HEAD,
        "the file does not say what it is",
        span,
        "should begin with its kind and name",
    )
    .help("begin with `ruleset my-game \"My game\"`, or `library` or `overlay`")
}

/// A file that is an overlay, where rules to be played are wanted.
pub fn only_an_overlay(overlay: Span) -> Diagnostic {
    Diagnostic::error(codes::NO_HEAD, "this is an overlay and no game by itself", overlay, "is laid on a ruleset")
        .help("name the ruleset it is for, and lay it on with `--with` and this file; in a scenario: `ruleset city with \"my/overlay.mafia\"`")
}

/// A declaration beside an overlay, in a file that is no ruleset.
pub fn outside_overlay(stray: Span, overlay: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NO_HEAD,
        "this stands outside the overlay",
        stray,
        "belongs to nothing",
    )
    .also(overlay, "the overlay, from `{` to `}`")
    .help("put it before the `}` that closes the overlay; or begin the file with `ruleset` and a name")
}

/// `ruleset` twice.
pub fn two_heads(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("M0103", "a file is one ruleset", span, "a second name")
        .also(first, "the first")
        .help("remove one of them")
}

/// `use` of a whole game.
pub fn use_of_ruleset(span: Span, head: Span) -> Diagnostic {
    Diagnostic::error(
        codes::USE_OF_A_RULESET,
        "only a library can be used",
        span,
        "this is a whole ruleset",
    )
    .also(head, "it says `ruleset`")
    .help("write your changes as an `overlay` on it, or move what both share into a `library`")
}

/// A file that should hold an overlay.
pub fn no_overlay_in(wanted: Option<&str>, span: Span, others: &[&str]) -> Diagnostic {
    let message = match wanted {
        Some(wanted) => format!("the file holds no overlay `{wanted}`"),
        None => "the file holds no overlay".to_owned(),
    };
    let base = Diagnostic::error(codes::NO_SUCH_OVERLAY, message, span, "in this file");
    let name = wanted.unwrap_or("NAME");
    suggest(
        base,
        name,
        others.iter().copied(),
        format!("an overlay begins with `overlay {name} on BASE {{`"),
    )
}

/// An overlay asked for by its name stands in several files.
pub fn overlay_in_many(wanted: &str, span: Span, files: &[&str]) -> Diagnostic {
    let message = format!("an overlay `{wanted}` stands in {}", list(files));
    let help = format!(
        "name the file: `--with {first}`, or `with \"{first}\"` in a scenario",
        first = files.first().unwrap_or(&wanted)
    );
    Diagnostic::error(codes::NO_SUCH_OVERLAY, message, span, "which of them is meant?").help(help)
}

// ---- names

/// A name nobody declared.
pub fn unknown_name<'a>(name: &Name, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let otherwise = format!(
        "declare it, for instance with `mark {}` or `define {} = …`",
        name.text, name.text
    );
    unknown_where(name, known, otherwise)
}

/// The same where something of some sort is wanted, with what else may help.
pub fn unknown_where<'a>(
    name: &Name,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: String,
) -> Diagnostic {
    let message = format!("there is no `{}`", name.text);
    let base = Diagnostic::error(codes::UNKNOWN_NAME, message, name.span, "not declared anywhere");
    suggest(base, &name.text, known, otherwise)
}

/// A name that must be a role, a team or the like.
pub fn unknown_of_sort(name: &Name, sort: &str, known: &[&str]) -> Diagnostic {
    let base = Diagnostic::error(
        codes::NOT_A_SIDE,
        format!("`{}` is not {sort}", name.text),
        name.span,
        format!("should be {sort}"),
    );
    let otherwise = if known.is_empty() {
        format!("declare it as {sort}")
    } else {
        format!("there are {}", list(known))
    };
    suggest(base, &name.text, known.iter().copied(), otherwise)
}

/// A name of another sort than wanted.
pub fn wrong_sort(name: &Name, wanted: &str, is: &str) -> Diagnostic {
    Diagnostic::error(
        "M0203",
        format!("`{}` is {is}, not {wanted}", name.text),
        name.span,
        format!("should be {wanted}"),
    )
    .help(match (wanted, is) {
        ("a scene", "an event") => format!("an event is done: `do {}`", name.text),
        ("an event", "a scene") => format!("a scene is played: `play {}`", name.text),
        ("a role or a team", "a scene") => format!("a scene is played: `play {}`", name.text),
        _ => format!("name {wanted} here"),
    })
}

/// An event cannot be left as scenes are.
pub fn leaves_event(name: &Name) -> Diagnostic {
    let message = format!("`{}` is an event, and an event is not left", name.text);
    Diagnostic::error("M0203", message, name.span, "should be a scene")
        .help("put what shall not happen into `if … { … } else { … }`, or leave the scene: `leave SCENE`")
}

/// A name declared twice.
pub fn declared_twice(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(
        "M0204",
        format!("`{}` is declared twice", name.text),
        name.span,
        "again here",
    )
    .also(first, "first here")
    .help("give one of them another name; an overlay that means to change it says `replace`")
}

/// A name the language keeps for itself.
pub fn built_in_name(name: &Name) -> Diagnostic {
    Diagnostic::error(
        codes::BUILT_IN_NAME,
        format!("`{}` already means something in the language", name.text),
        name.span,
        "cannot be a name",
    )
    .help("choose another name")
}

/// A local name that hides a declared one.
pub fn shadows(name: &Name, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "M0206",
        format!("`{}` already stands for something else", name.text),
        name.span,
        "a new name is needed here",
    )
    .also(declared, "declared here")
    .help("choose another name")
}

/// `let` of a mark, flag or count.
pub fn let_of_fact(name: &Name, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "M0207",
        format!("`let` makes a new name, and `{}` is one already", name.text),
        name.span,
        "not new",
    )
    .also(declared, "declared here")
    .help(format!(
        "write `set {} to …` to change what the game remembers",
        name.text
    ))
}

/// `me` where nobody in particular acts.
pub fn me_outside(span: Span) -> Diagnostic {
    Diagnostic::error("M0208", "there is no `me` here", span, "nobody in particular is acting")
        .help("`me` is whoever is called, asked or takes up an offer; give the player a name with `as p` or `for each p of …`")
}

/// `it` outside of `where`.
pub fn it_outside(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0209",
        "`it` has a meaning only after `where`",
        span,
        "stands for nobody here",
    )
    .help("write `players where it is …`")
}

/// The host as a player.
pub fn host_is_no_player(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0210",
        "the host is not one of the players",
        span,
        "a set of players was expected",
    )
    .help("`host` can be asked (`ask host …`) and allowed something (`allow host to …`), no more")
}

/// `all` for `players`.
pub fn all_is_players(span: Span) -> Diagnostic {
    Diagnostic::error("M0211", "`all` is not a set of players", span, "who is meant?")
        .help("everybody at the table is `players`")
}

/// A scene or event where a value was expected.
pub fn not_a_value(name: &Name, sort: &str) -> Diagnostic {
    Diagnostic::error(
        "M0212",
        format!("`{}` is {sort} and has no value", name.text),
        name.span,
        "cannot be read",
    )
    .help(match sort {
        "an event" => format!("write `during {0}` or `planned {0}`", name.text),
        _ => format!("write `during {0}` or `times {0}`", name.text),
    })
}

/// `stop` with nothing to stop.
pub fn stop_outside(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0213",
        "`stop` stands in no `repeat` and no `for each`",
        span,
        "nothing to stop",
    )
    .help("to leave the scene, write `leave`")
}

/// `leave` in a place that cannot be left.
pub fn leave_outside(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0214",
        "`leave` by itself makes sense only in a scene or in a part of a role",
        span,
        "leave what?",
    )
    .help("write `leave` and the name of the scene")
}

// ---- kinds

/// A value of another kind than wanted.
pub fn wrong_kind(text: &str, span: Span, want: Kind, have: Kind) -> Diagnostic {
    let (want_name, have_name) = (kind_name(want), kind_name(have));
    let message = format!("`{text}` is {have_name}, but {want_name} was expected");
    let base = Diagnostic::error(codes::WRONG_KIND, message, span, format!("this is {have_name}"));
    match (want, have) {
        (Kind::Truth, Kind::Players | Kind::Cards) => {
            base.help(format!("ask whether there are any: `some {text}` or `no {text}`"))
        }
        (Kind::Number, Kind::Players | Kind::Cards) => base.help(format!("count them: `number of {text}`")),
        (Kind::Players, Kind::Cards) => base.help(format!("for who has them, write `holder of {text}`")),
        (Kind::Cards, Kind::Players) => base.help(format!("for their cards, write `card of {text}`")),
        (Kind::Titles, Kind::Players) => base.help(format!("for their roles, write `role of {text}`")),
        _ => base.help(format!("write something here that gives {want_name}")),
    }
}

/// `living Guild is 0`
pub fn set_is_number(text: &str, span: Span, number: i64) -> Diagnostic {
    let message = format!("`{text}` is a set, and `{number}` is a number");
    let count = format!("`number of {text} is {number}`");
    Diagnostic::error(codes::WRONG_KIND, message, span, "compared with a number").help(match number {
        0 => format!("write `no {text}`, or count them: {count}"),
        _ => format!("count them: {count}"),
    })
}

/// `p is A or B`: `repair` is the whole of it, written as it should be.
pub fn and_or_between_sets(text: &str, span: Span, repair: &str) -> Diagnostic {
    let message = format!("`and` and `or` join conditions, and `{text}` is a set");
    Diagnostic::error("M0302", message, span, "not a condition").help(format!(
        "write `{repair}`: `plus` is for these and those together, words side by side are for those who are both"
    ))
}

/// `living where it is A and it is B`: what was meant stands behind `where`, written as it should be.
pub fn and_or_behind_where(span: Span, repair: &str) -> Diagnostic {
    let message = "`where` takes one comparison, and the second stands outside of it";
    Diagnostic::error("M0302", message, span, "a set, and no condition").help(format!(
        "put brackets around what stands behind `where`: `{repair}`"
    ))
}

/// A number or a truth where a set was expected.
pub fn sets_only(text: &str, span: Span, have: Kind) -> Diagnostic {
    let message = format!(
        "`{text}` is {}, but players, cards or roles were expected",
        kind_name(have)
    );
    Diagnostic::error("M0303", message, span, format!("this is {}", kind_name(have)))
        .help("only sets can be counted, joined, narrowed or gone through")
}

/// `publish` of a name that is not there.
pub fn publishes_nothing<'a>(name: &Name, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let message = format!("there is no `{}` to publish", name.text);
    let base = Diagnostic::error(codes::UNKNOWN_NAME, message, name.span, "not declared anywhere");
    suggest(base, &name.text, known, "remove it from the list".to_owned())
}

/// A word that an option or a draw does not have.
pub fn no_such_word(given: &str, span: Span, words: &[String]) -> Diagnostic {
    let known: Vec<&str> = words.iter().map(String::as_str).collect();
    let base = Diagnostic::error(
        "M0304",
        format!("`{given}` is not one of the values"),
        span,
        "no such value",
    );
    suggest(
        base,
        given,
        known.iter().copied(),
        format!("it can be {}", list(&known)),
    )
}

/// A word was wanted.
pub fn not_a_word(span: Span, words: &[String]) -> Diagnostic {
    let known: Vec<&str> = words.iter().map(String::as_str).collect();
    Diagnostic::error("M0305", "one of the words was expected", span, "not a word of it")
        .help(format!("it can be {}", list(&known)))
}

/// A word option read without `is`.
pub fn option_needs_is(name: &Name, words: &[String]) -> Diagnostic {
    let first = words.first().map_or("…", String::as_str);
    Diagnostic::error(
        "M0306",
        format!("`{}` has words for values", name.text),
        name.span,
        "not a condition by itself",
    )
    .help(format!("write `{} is {first}`", name.text))
}

/// A name that needs `of`.
pub fn needs_of(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0307",
        format!("`{}` needs an `of`", name.text),
        name.span,
        "of whom or what?",
    )
    .help(format!("write `{} of …`", name.text))
}

/// `do unveiling of q with card turned`: the event has said the kind.
pub fn kind_said_again(span: Span, kind: &str, rest: &str) -> Diagnostic {
    let message = format!("`{kind}` says what the event is handed, and the event says so itself");
    Diagnostic::error("M0307", message, span, "only what it is handed belongs here")
        .help(format!("write `with {rest}`"))
}

/// `top n of deck`
pub fn count_without_brackets(span: Span, count: &str, of: &str) -> Diagnostic {
    let message = format!("`{count}` does not say how many here");
    Diagnostic::error("M0307", message, span, "a number that is worked out").help(format!(
        "a number that is not written in digits stands in brackets: `top ({count}) of {of}`"
    ))
}

/// A name that takes no `of`.
pub fn no_of_here(name: &Name, of: Span) -> Diagnostic {
    Diagnostic::error(
        "M0308",
        format!("`{}` takes no `of`", name.text),
        of,
        "not of anybody",
    )
    .also(name.span, "this")
    .help("remove the `of` and what follows it; for those who are in both, put the words side by side")
}

/// A scene that must be handed something.
pub fn scene_needs_of(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0309",
        format!("the scene `{}` must be handed something", name.text),
        name.span,
        "of whom or what?",
    )
    .help(format!("write `play {} of …`", name.text))
}

/// An event that lacks a place.
pub fn event_needs(event: &Name, word: &str) -> Diagnostic {
    Diagnostic::error(
        "M0310",
        format!("the event `{}` needs `{word} …`", event.text),
        event.span,
        format!("`{word}` is missing"),
    )
    .help(format!("write `{} {word} …`", event.text))
}

/// An event that has no such place.
pub fn event_has_no(event: &Name, word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0311",
        format!("the event `{}` has no `{word}`", event.text),
        span,
        "it takes nothing here",
    )
    .help(format!("remove it, or declare the event with `{word} …`"))
}

/// A fact of another shape than the statement needs.
pub fn wrong_shape(name: &Name, wanted: &str, shape: FactShape) -> Diagnostic {
    let is = shape_name(shape);
    Diagnostic::error("M0312", format!("`{}` is {is}, not {wanted}", name.text), name.span, format!("should be {wanted}"))
        .help("marks are set with `mark … as`, links with `link … to … as`, counts with `set` and `add`, flags with `set … to yes`")
}

/// An order by something that keeps none.
pub fn not_in_order(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0313",
        format!("`{}` keeps no order", name.text),
        name.span,
        "not a mark in order",
    )
    .help(format!("declare it with `mark {} in order`", name.text))
}

/// A tally of something that is no link.
pub fn needs_a_link(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0314",
        "only the answers of an `ask each`, or a link, can be counted",
        span,
        "not a link",
    )
    .help("write `most of vote` where `vote` is a link, or `most of vote of living` for the votes of some")
}

/// `highest of …` of what is no number of each player.
pub fn not_a_number_of_each(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0327",
        format!("`{}` is no number that each player has", name.text),
        name.span,
        "no number of each",
    )
    .help("name a `count … of each`, or a definition of a player; who has most votes is `most of vote`")
}

/// `words of room` anywhere but in a question or a draw.
pub fn words_are_asked_for(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0328",
        "all words of a `word` can only be asked for, or drawn from",
        span,
        "these are words, and no set",
    )
    .help("write `ask me for goal from words of room`, or `draw goal from words of room`, with the name of a `word`; `ask each` names none")
}

/// `add 1 to room of p`
pub fn nothing_added_to_words(name: &Name) -> Diagnostic {
    let message = format!("`{}` is a word, and nothing can be added to it", name.text);
    Diagnostic::error("M0312", message, name.span, "no number")
        .help(format!("write `set {} to …` with one of its words", name.text))
}

/// A weight that is none.
pub fn not_a_weight(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0315",
        format!("`{}` cannot weigh votes", name.text),
        name.span,
        "not a number of each player",
    )
    .help("name a `define … of p = 1` or a `count … of each`")
}

/// A zone was wanted.
pub fn needs_a_zone(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0316",
        "a zone was expected",
        span,
        "cards are taken from the top of a zone",
    )
    .help("write `top 2 of deck`; of any other cards, `first of …`")
}

/// A zone of each seat without saying whose.
pub fn zone_needs_of(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0317",
        format!("every seat has a `{}`", name.text),
        name.span,
        "whose?",
    )
    .help(format!("write `{} of p`", name.text))
}

/// A draw in which nothing can come out.
pub fn weights_all_zero(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0319",
        "nothing can come out of this draw",
        span,
        "every weight is 0",
    )
    .help("give at least one outcome a weight of 1 or more")
}

/// Several numbers or words drawn at once.
pub fn several_of_no_set(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0320",
        "only players, cards and roles are drawn several at a time",
        span,
        "so many numbers or words make no set",
    )
    .help("draw each of them with a name of its own")
}

/// `in random order from p`.
pub fn random_from_somebody(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0326",
        "a random order begins with nobody in particular",
        span,
        "this says who comes first",
    )
    .help("leave `from …` out, or leave `in random order` out")
}

/// A number to pick in a menu.
pub fn menus_pick_sets(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0321",
        "a branch or an offer picks among players, cards or roles",
        span,
        "picks something else",
    )
    .help("ask for the number in a question of its own")
}

/// Several picks by each.
pub fn each_picks_one(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0322",
        "in an `ask each` everybody picks one",
        span,
        "more than one",
    )
    .help("go round with `for each p of …` and ask each in turn")
}

/// An event of something that is no player.
pub fn events_happen_to_players(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::EVENT_OF_PLAYERS,
        "an event happens to players",
        span,
        "not players",
    )
    .help("hand it over after `with`: `event discard of p with card c`")
}

// ---- casts and tables

/// `players` out of bounds.
pub fn bad_players(span: Span, from: i64, to: i64) -> Diagnostic {
    let help = match from > to && (1..=64).contains(&to) && from <= 64 {
        true => format!("the smaller number comes first: `players {to}..{from}`"),
        false => "write `players 5..12`".to_owned(),
    };
    Diagnostic::error("M0401", "a game is for 1 to 64 players", span, "cannot be played").help(help)
}

/// More roles and teams than fit.
pub fn too_many_titles(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0402",
        "a ruleset has at most 64 roles and teams together",
        span,
        "one too many",
    )
    .help("put seldom used roles into an overlay")
}

/// The zone of roles is wrong.
pub fn bad_role_zone(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "M0403",
        "one zone, of each seat, holds the cards that are roles",
        name.span,
        "not this one too",
    )
    .help("write `zone hand of each is role`, once")
}

// ---- happenings and order

/// A rule that waits for something nobody declared.
pub fn unknown_happening(name: &Name, known: &[&str], on: On<'_>) -> Diagnostic {
    let place = match on.1 {
        Layer::Base => String::new(),
        Layer::Overlay(_) => format!(" in {}", on.0.name(on.1)),
    };
    let error = Diagnostic::error(
        codes::UNKNOWN_HAPPENING,
        format!("nothing that happens{place} is called `{}`", name.text),
        name.span,
        "no event, scene, words or ending of that name",
    );
    let help =
        "a rule waits for an event, a scene, words with `as NAME`, a named ending, `ability` or `choice`";
    missing(error, name, known, on, help.to_owned())
}

/// A pattern at a place the happening does not have.
pub fn pattern_without_place(span: Span, word: &str, names: &[Name]) -> Diagnostic {
    let names: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
    Diagnostic::error(
        "M0502",
        format!("{} has no `{word}`", list(&names)),
        span,
        "nothing to compare with",
    )
    .help("put the test after `when` instead")
}

/// A moment a happening does not have.
pub fn moment_not_possible(name: &Name, moment: Span, can: &str) -> Diagnostic {
    Diagnostic::error(
        "M0503",
        format!("a rule can come only {can} `{}`", name.text),
        moment,
        "not here",
    )
    .help(format!("write `{can}`"))
}

/// Rules that wait for each other.
pub fn rules_in_a_ring(names: &[&Name]) -> Diagnostic {
    let message = format!("the rule `{}` would have to come before itself", names[0].text);
    let label = "its `before` and `after` go round in a ring";
    let base = Diagnostic::error("M0504", message, names[0].span, label);
    let all = names[1..]
        .iter()
        .fold(base, |d, name| d.also(name.span, "and this one with it"));
    all.help("remove one of the words `before` or `after`")
}

/// `before` or `after` a rule that is not there.
pub fn unknown_rule(name: &Name, known: &[&str]) -> Diagnostic {
    let base = Diagnostic::error(
        codes::UNKNOWN_RULE,
        format!("there is no rule `{}`", name.text),
        name.span,
        "not declared",
    );
    suggest(
        base,
        &name.text,
        known.iter().copied(),
        format!("there are {}", list(known)),
    )
}

/// A define that needs itself.
pub fn define_needs_itself(name: &Name, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "M0506",
        format!("working out `{}` needs `{}` itself", name.text, name.text),
        name.span,
        "asked for here",
    )
    .also(declared, "while working this out")
    .help("say it without going round in a ring")
}

/// `call` without a scene that performs.
pub fn nothing_performs(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NO_PERFORMER,
        "nothing says how a call goes",
        span,
        "called here",
    )
    .help("write `use std.night`, or a scene of a role with `perform` in it")
}

/// Two rules whose order decides.
pub fn rules_in_no_order(
    one: &Rule,
    two: &Rule,
    quarrel: Quarrel,
    over: Option<&str>,
    overlays: bool,
) -> Diagnostic {
    let (a, b) = (&one.name.text, &two.name.text);
    let why = match quarrel {
        Quarrel::Over(_) => format!("both touch {}", over.unwrap_or("the same thing")),
        Quarrel::BothAsk => "both ask somebody, and the order of questions can be seen".to_owned(),
        Quarrel::OneMayEnd => "one may end the game before the other comes in".to_owned(),
        Quarrel::BothReplace => "both take the place of the same thing, and only the first does".to_owned(),
    };
    let message = format!("it matters which of the rules `{a}` and `{b}` comes first: {why}");
    let help = format!("write `rule {b} after {a}: …`, or `before`");
    if overlays {
        return Diagnostic::error(codes::OVERLAYS_IN_NO_ORDER, message, two.name.span, "this one")
            .also(one.name.span, "and this one")
            .help(format!(
                "leave one of the overlays out; or let the second say `needs` and `rule {b} after {a}: …`"
            ));
    }
    Diagnostic::warning(
        codes::RULES_IN_NO_ORDER,
        "unordered-rules",
        message,
        two.name.span,
        "this one",
    )
    .also(one.name.span, "and this one")
    .help(help)
}

/// An ending placed next to one that is not there.
pub fn unknown_ending(name: &Name, known: &[String]) -> Diagnostic {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let base = Diagnostic::error(
        codes::UNKNOWN_ENDING,
        format!("there is no ending `{}`", name.text),
        name.span,
        "not declared",
    );
    suggest(
        base,
        &name.text,
        known.iter().copied(),
        "give the ending a name: `ending NAME: win … when …`".to_owned(),
    )
}

/// A policy for a question that nobody asks.
pub fn no_such_question(name: &Name, known: &[String]) -> Diagnostic {
    let base = Diagnostic::error(
        "M0516",
        format!("nothing is asked for by the name of `{}`", name.text),
        name.span,
        "no question, no answer in a menu, no offer",
    );
    suggest(
        base,
        &name.text,
        known.iter().map(String::as_str),
        "name what stands behind `for` in `ask … for NAME from …`, an answer of a menu, or an offer (`allow … to NAME`)".to_owned(),
    )
}

/// Questions in one line of a policy that want different things.
pub fn unlike_questions((first, kind): (&Name, Kind), (other, another): (&Name, Kind)) -> Diagnostic {
    let message = format!(
        "`{}` is answered with {} and `{}` with {}",
        first.text,
        kind_name(kind),
        other.text,
        kind_name(another)
    );
    Diagnostic::error("M0517", message, other.span, "answered otherwise")
        .also(first.span, "the first question of the line")
        .help("write a line for each; the same name for two questions of different kinds needs another name in the rules")
}

/// The game has no beginning.
pub fn no_script(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NO_SCRIPT,
        "the ruleset has no `script`",
        span,
        "where does the game begin?",
    )
    .help("write `script { … }` with the scenes in the order they are played")
}

/// Two beginnings.
pub fn two_scripts(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("M0510", "the ruleset has two scripts", span, "again here")
        .also(first, "first here")
        .help("an overlay that means to change it says `replace`, or puts rules around the scenes")
}

/// A lifetime that names no scene.
pub fn life_needs_scene(name: &Name, scenes: &[&str]) -> Diagnostic {
    let label = "what is remembered lasts until a scene";
    let base = Diagnostic::error(
        codes::LIFE_WITHOUT_SCENE,
        format!("`{}` is not a scene", name.text),
        name.span,
        label,
    );
    let otherwise = match scenes.first() {
        Some(scene) => format!(
            "declare `scene {} {{ … }}`, or name a scene that is there: `until {scene}`, `until end of {scene}`",
            name.text
        ),
        None => format!("declare `scene {} {{ … }}`, or leave `until` out", name.text),
    };
    suggest(base, &name.text, scenes.iter().copied(), otherwise)
}

/// Defines that lead to defines, and rules that lead to rules, without an end.
pub fn too_much_to_work_out(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_MUCH_TO_WORK_OUT,
        "this leads to more than can be worked out",
        span,
        "goes on and on from here",
    )
    .help("let defines build on fewer others, and rules set off fewer rules")
}

/// A rule on words that says the same words.
pub fn rule_sets_itself_off(rule: &Name) -> Diagnostic {
    let message = format!("the rule `{}` would set itself off for ever", rule.text);
    Diagnostic::error("M0514", message, rule.span, "waits for what it does itself")
        .help("let it say the words without their `as` name, or ask in it without making a new choice")
}

/// A rule that plays or does what it waits for, whatever holds.
pub fn rule_begins_itself(rule: &Name) -> Diagnostic {
    let message = format!("the rule `{}` would set itself off for ever", rule.text);
    Diagnostic::error("M0514", message, rule.span, "begins what it waits for")
        .help("for twice instead of once put it under `if` with a flag that is set meanwhile; for again and again write `repeat` where the scene is played")
}

/// Two scenes that perform calls.
pub fn two_performers(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("M0512", "two scenes say how a call goes", span, "`perform` here")
        .also(first, "and here")
        .help("keep one of them, or `replace` it")
}

/// A procedure that needs more registers than a frame has.
pub fn body_too_large(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_MUCH_IN_MIND,
        "too many things are kept in mind at once",
        span,
        "from here on it is too much",
    )
    .help("move a part of it into a scene of its own: what is named there is forgotten at its end")
}

// ---- overlays and options

/// An overlay laid on a base it is not for.
pub fn overlay_not_for_base(overlay: &Name, bases: &[Name], base: &Name) -> Diagnostic {
    let known: Vec<&str> = bases.iter().map(|b| b.text.as_str()).collect();
    Diagnostic::error(
        codes::NOT_FOR_THIS_BASE,
        format!("the overlay `{}` is not for `{}`", overlay.text, base.text),
        overlay.span,
        format!("it is for {}", list(&known)),
    )
    .also(base.span, "this is the base")
    .help(format!(
        "lay it on {}, or add `{}` to its bases after `on`",
        list(&known),
        base.text
    ))
}

/// A section of an overlay for what is none of its bases.
pub fn section_for_no_base(base: &Name, overlay: &Name, bases: &[Name]) -> Diagnostic {
    let known: Vec<&str> = bases.iter().map(|b| b.text.as_str()).collect();
    Diagnostic::error(
        "M0615",
        format!("`{}` is not among the bases of `{}`", base.text, overlay.text),
        base.span,
        "a section for it never counts",
    )
    .also(overlay.span, format!("this overlay is for {}", list(&known)))
    .help(match close_name(&base.text, known) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("add `{}` to the bases behind the overlay's name", base.text),
    })
}

/// An overlay that refuses another.
pub fn overlay_refuses(overlay: &Name, refused: &Name, other: &Name) -> Diagnostic {
    Diagnostic::error(
        codes::REFUSED_OVERLAY,
        format!(
            "`{}` cannot be played together with `{}`",
            overlay.text, refused.text
        ),
        refused.span,
        "refused here",
    )
    .also(other.span, "but it is laid on too")
    .help("leave one of the two out")
}

/// An overlay that needs another.
pub fn overlay_needs(overlay: &Name, need: &Name) -> Diagnostic {
    Diagnostic::error(
        codes::NEEDED_OVERLAY,
        format!("`{}` needs `{}`", overlay.text, need.text),
        need.span,
        "needed here",
    )
    .help(format!(
        "lay on `{}` too: `--with {},{}`",
        need.text, overlay.text, need.text
    ))
}

/// Two overlays change one thing in different ways.
pub fn edited_twice(what: &str, span: Span, by: &str, first: Span, before: &str) -> Diagnostic {
    Diagnostic::error(
        "M0604",
        format!("`{before}` and `{by}` both change the {what}"),
        span,
        format!("changed by `{by}`"),
    )
    .also(first, format!("changed by `{before}`"))
    .help("leave one of the two out, or let one say `refuses`")
}

/// `replace` of something that cannot be replaced.
pub fn cannot_replace(span: Span) -> Diagnostic {
    Diagnostic::error("M0606", "this cannot be replaced", span, "it has no name")
        .help("only declarations with a name can be replaced")
}

/// `replace` of something the base lacks.
pub fn nothing_to_replace(sort: &str, name: &Name, known: &[&str], on: On<'_>) -> Diagnostic {
    let base = on.0.name(on.1);
    let message = format!("there is no {sort} `{}` to replace in {base}", name.text);
    let error = Diagnostic::error(codes::NOTHING_TO_REPLACE, message, name.span, "not there");
    let help = match known {
        [] => format!("declare it without `replace`; {base} has no {sort}"),
        known => format!("{base} has {}", list(known)),
    };
    missing(error, name, known, on, help)
}

/// What is changed, and by whom.
type On<'g> = (&'g Grounds, Layer);

/// Says which name was meant; where none is close, where to write what is for another base.
fn missing(
    error: Diagnostic,
    name: &Name,
    known: &[&str],
    (grounds, layer): On<'_>,
    help: String,
) -> Diagnostic {
    let help = grounds.elsewhere(layer, name.span).unwrap_or(help);
    suggest(error, &name.text, known.iter().copied(), help)
}

/// `remove` of something the base lacks.
pub fn nothing_to_remove(name: &Name, known: &[&str], on: On<'_>) -> Diagnostic {
    let base = on.0.name(on.1);
    let message = format!("there is no `{}` to remove in {base}", name.text);
    let error = Diagnostic::error(codes::NOTHING_TO_REMOVE, message, name.span, "not there");
    missing(
        error,
        name,
        known,
        on,
        format!("name something that stands in {base}"),
    )
}

/// `replace call` of an unknown card.
pub fn no_such_card(card: &Name, known: &[&str], on: On<'_>) -> Diagnostic {
    let message = format!("there is no role or team `{}` in {}", card.text, on.0.name(on.1));
    let error = Diagnostic::error(codes::NO_CALL_TO_REPLACE, message, card.span, "not there");
    missing(error, card, known, on, format!("there are {}", list(known)))
}

/// `replace call` of a part that is not there.
pub fn no_such_part(card: &Name, purpose: Option<&Name>, (grounds, layer): On<'_>) -> Diagnostic {
    let call = purpose.map_or_else(
        || "when called".to_owned(),
        |p| format!("when called to {}", p.text),
    );
    Diagnostic::error(
        codes::NO_PART_TO_REPLACE,
        format!("`{}` has no part `{call}` in {}", card.text, grounds.name(layer)),
        card.span,
        "nothing to replace",
    )
    .help(match grounds.elsewhere(layer, card.span) {
        Some(elsewhere) => elsewhere,
        None => "name a purpose it has, or none".to_owned(),
    })
}

/// What an overlay has taken out is still wanted.
pub fn removed_and_used(name: &str, overlay: &str, removed: Span, used: Span) -> Diagnostic {
    let message = format!("`{overlay}` removes `{name}`, which something still uses");
    Diagnostic::error("M0616", message, removed, "removed here")
        .also(used, "used here")
        .help(format!("replace `{name}` instead, or what uses it, too"))
}

/// Two overlays choose different values.
pub fn chosen_twice(name: &Name, value: &str, first: Span, other: &str) -> Diagnostic {
    Diagnostic::error(
        "M0611",
        format!("`{}` is chosen twice: `{other}` and `{value}`", name.text),
        name.span,
        "chosen here",
    )
    .also(first, "and here")
    .help("leave one of the overlays out")
}

/// A name of the base that is not published.
pub fn not_published(
    name: &Name,
    declared: Span,
    published: &BTreeSet<String>,
    (grounds, layer): On<'_>,
) -> Diagnostic {
    let published: Vec<&str> = published.iter().map(String::as_str).collect();
    let base = grounds.name(layer);
    let message = format!("{base} does not publish `{}`", name.text);
    let error = Diagnostic::error(
        "M0612",
        message,
        name.span,
        "overlays may use only what is published",
    )
    .also(declared, "declared here");
    let mut help = format!(
        "add `publish {}` to {base}; it publishes {}",
        name.text,
        list(&published)
    );
    if let Some(elsewhere) = grounds.elsewhere(layer, name.span) {
        help = format!("{help}; {elsewhere}");
    }
    suggest(error, &name.text, published.iter().copied(), help)
}

/// An option that is not there.
pub fn unknown_option(name: &str, span: Span, known: &[&str]) -> Diagnostic {
    let base = Diagnostic::error(
        codes::UNKNOWN_OPTION,
        format!("there is no option `{name}`"),
        span,
        "chosen here",
    );
    suggest(
        base,
        name,
        known.iter().copied(),
        if known.is_empty() {
            "this ruleset has no options".to_owned()
        } else {
            format!("there are {}", list(known))
        },
    )
}

/// A second table of casts.
pub fn two_casts(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("M0411", "there are two casts of that name", span, "again here")
        .also(first, "first here")
        .help("give one of them a name of its own: `cast big { … }`; an overlay that means to change it says `replace cast { … }`")
}

/// `needs` and `refuses` belong to overlays and roles.
pub fn only_overlays_need(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0614",
        "a ruleset lies on nothing, so it needs and refuses nothing",
        span,
        "only an overlay can say this",
    )
    .help("write it inside an `overlay … on … { … }`, or indent it further if it belongs to the role above")
}

/// `unseen` for what has no back.
pub fn only_cards_unseen(text: &str, span: Span, kind: Kind) -> Diagnostic {
    let message = format!(
        "`{text}` is {}, and only cards can be chosen `unseen`",
        kind_name(kind)
    );
    Diagnostic::error("M0325", message, span, "has no back").help("name a zone, or leave `unseen` out")
}

/// `openly to` some what was chosen by its back.
pub fn unseen_is_for_all(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0325",
        "what was chosen unseen cannot be told to some alone",
        span,
        "they would see the card",
    )
    .help("write `openly`, which tells everybody its place; or `show` it to them")
}

/// `unseen` where nobody chooses among what lies before him.
pub fn no_unseen_here(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0325",
        "only a question can be answered unseen",
        span,
        "chance and offers know no `unseen`",
    )
    .help("leave `unseen` out; for an offer, ask in its body")
}

/// Cards as answers of an `ask each`.
pub fn each_names_no_cards(span: Span) -> Diagnostic {
    Diagnostic::error(
        "M0324",
        "in an `ask each` the answers are players, numbers, or yes and no",
        span,
        "these are not players",
    )
    .help("go round with `for each p of … { ask p for … }`")
}
