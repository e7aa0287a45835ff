//! What a deep check says of what it has found: one function a finding.

use super::things::Sort;
use omerta_core::mistakes;
use omerta_core::{diagnostic::Diagnostic, source::Span};

mistakes! {
    /// The rules broke in a game.
    pub fn broken(code: &'static str, why: &str, place: Span) = error(code, place):
        format!("in a game, {why}"), "it broke here",
        help "`omerta explain` with this code tells what may be done";

    pub(super) fn endless(answers: usize, place: Span) = warning "never-ends" ("M0951", place):
        "a game does not end, whatever is answered", format!("still here after {answers} answers"),
        help "add an ending that must come true one day, or a `judge` that tests for it";
}

pub(super) fn unseen(sort: &Sort, name: &str, (could, games): (u64, u64), place: Span) -> Diagnostic {
    let in_games = format!("in {could} games");
    match sort {
        Sort::Ending => never_ended(name, games, place),
        Sort::Team => never_won(name, could, place),
        _ if could == 0 => no_effect(format!("`{name}` was in no game of {games}"), place)
            .help("put the card into a cast table, or say what it replaces"),
        Sort::Part => no_effect(
            format!("{in_games} the part of `{name}` was never performed"),
            place,
        )
        .help("call it where its moment comes, or remove the part"),
        Sort::Rule => no_effect(format!("{in_games} the rule `{name}` never took effect"), place)
            .help("look at what it waits for and at its `if`, or remove it"),
        Sort::Line => no_effect(
            format!("{in_games} nobody was asked whom this line of `{name}` is about"),
            place,
        )
        .help("look at its `by`, or remove the line"),
        Sort::Offer => no_effect(format!("{in_games} nobody could take up `{name}`"), place)
            .help("look at `during` and `when`, or remove it"),
    }
}

mistakes! {
    fn never_ended(name: &str, games: u64, place: Span) = warning "ending-unseen" ("M0952", place):
        format!("no game of {games} ended by `{name}`"), "never the first that holds",
        help "say when it should hold, or remove it; an ending that stands before it may always be first";

    fn never_won(name: &str, games: u64, place: Span) = warning "never-wins" ("M0954", place):
        format!("in {games} games `{name}` never won"), "plays and never wins",
        help "say when it wins, or give it more cards or abilities";

    fn no_effect(message: String, place: Span) = warning "no-effect" ("M0953", place):
        message, "not once in these games";

    pub(super) fn together([first, second]: [&str; 2], places: [Span; 2]) = warning "endings-together" ("M0955", places[0]):
        format!("`{first}` and `{second}` hold at the same moment, and others win by each"),
        "this one ends the game, because it stands first",
        also places[1], "holds as well",
        help format!("say which comes first (`before {second}`, `before all`), or let one exclude the other");

    pub(super) fn betrays(name: &str, asked: &[Option<String>; 2], place: Span) = warning "betrays" ("M0956", place):
        format!("the question for `{name}` gives a secret away: {how}"),
        "until here both games are the same to the player who is asked",
        help "ask the same of everybody whatever is true in secret, or tell him first",
        where how = match asked {
            [Some(one), Some(other)] if one != other => format!("in one game it is put {one}, in another {other}"),
            [Some(_), Some(_)] => "in one game it is put otherwise than in another".to_owned(),
            _ => "in one game it is put, and in another it is not".to_owned(),
        };

    pub(super) fn overheard(call: &str, heard: &[Option<String>; 2], place: Span) = warning "overheard" ("M0958", place):
        format!("the call of `{call}` tells whether somebody is there: {heard}"),
        "heard in one of two games that are alike to a player",
        help "say the same words when nobody is there, as `choose empty-calls = pretend` of `std.night` does",
        where heard = match heard {
            [Some(one), Some(other)] => format!("once \"{one}\" is heard, once \"{other}\""),
            [one, other] => format!("once \"{}\" is heard, once not", one.as_ref().or(other.as_ref()).map_or("", String::as_str)),
        };

    pub(super) fn opens(name: &str, open: &[Option<String>; 2], place: Span) = warning "unspoken" ("M0959", place):
        format!("a player can tell by `{name}` what nobody told him: while others are waited for, once {} is open to him and once {}",
            open[0].as_deref().unwrap_or_default(), open[1].as_deref().unwrap_or_default()),
        "open otherwise, or longer, in two games that are alike to a player",
        help "offer the same whatever is true in secret, or tell him first; where it closes late, let the host `wait` before";

    pub(super) fn decided(who: &str, cards: &str, (games, alike): (u64, usize), place: Span) =
        warning "decided" ("M0957", place):
        format!("with {cards} {who} in all {games} games, whatever is answered"),
        match alike {
            0 => "decided before it begins".to_owned(),
            1 => "decided before it begins; so is another cast".to_owned(),
            alike => format!("decided before it begins; so are {alike} other casts"),
        },
        help "change the cards, or when somebody wins";

    pub(super) fn unasked(cards: &str, place: Span) = warning "decided" ("M0957", place):
        format!("with {cards} a game is over before anybody has chosen"), "holds from the beginning",
        help "change the cards, or test for this later";
}
