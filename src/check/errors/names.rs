//! Names: unknown, declared twice, of the wrong sort.

use super::wording::list;
use omerta_core::codes;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::Name;

/// `mark hunted as prey`; `mark` is the mark that stands in the place of somebody, with that place.
pub fn marked_with_somebody(name: &Name, mark: Option<(&str, Span)>) -> Diagnostic {
    let told = marked_with(name, mark.map_or("…", |(mark, _)| mark));
    let Some((mark, place)) = mark else {
        return told;
    };
    told.writes_in(place.to(name.span), format!("{} as {mark}", name.text))
}

mistakes! {
    /// `mark hunted as prey`
    fn marked_with(name: &Name, mark: &str) = error("M0203", name.span):
        format!("`{}` is what somebody was called here, not a mark", name.text), "should be a mark",
        help format!("whom it is about stands first, and what he is behind `as`: `mark {} as {mark}`", name.text);

    /// A name nobody declared, with what else may help.
    pub fn unknown_where(name: &Name, known: impl IntoIterator<Item = impl AsRef<str>>, otherwise: String) =
        error(codes::UNKNOWN_NAME, name.span):
        format!("there is no `{}`", name.text), "not declared anywhere",
        near &name.text, known, else otherwise;

    /// `if lit { draw omen from 1..3 } tell me "{omen}"`
    pub fn ended(name: &Name, given: Span) = error(codes::UNKNOWN_NAME, name.span):
        format!("there is no `{}` any more", name.text), "the block in which it was found is over",
        also given, "known up to the end of this block",
        help format!("use it in there, or find it out above the block: `let {} = … when … else …`", name.text);

    /// `flag dark seen by owner`
    pub fn owned_by_nobody(name: &Name) = error(codes::UNKNOWN_NAME, name.span):
        "there is no `owner` here", "it is nobody's",
        help "in `seen by` what is `of each`, a mark or a link is somebody's, and nothing else; write `players` if all may see it",
        writes "players";

    /// A name in which a minus stands between two that are known.
    pub fn glued_minus(name: &Name, written: &str) = error("M0025", name.span):
        format!("there is no `{}`", name.text), "a minus without spaces is a part of the name",
        help format!("put spaces around the sign: `{written}`");

    /// A name that must be a role, a team or the like.
    pub fn unknown_of_sort(name: &Name, sort: &str, (known, is_team): (&[&str], bool)) = error(codes::NOT_A_SIDE, name.span):
        format!("`{}` is not {sort}", name.text), format!("should be {sort}"),
        near &name.text, known, else match known {
            _ if is_team => format!("`{0}` is a team, and a role is of its team: write `of {0}`", name.text),
            [] => format!("declare it: `{} {}`", sort.rsplit(' ').next().unwrap_or(sort), name.text),
            known => format!("there are {}", list(known)),
        };

    /// `let sent = 2; set sent to 3`
    pub fn set_a_value(name: &Name, wanted: &str) = error("M0203", name.span):
        format!("`{}` is a value that was named here, not {wanted}", name.text), format!("should be {wanted}"),
        help "what `let`, an answer or a draw is called stays what it is: declare a `count`, a `word` or a `link` for what changes, or give the new value a name of its own";

    /// `swap p and q`, `move card of p to q`: people, where cards lie in zones.
    pub fn no_zone_but_people(name: &Name) = error("M0203", name.span):
        format!("`{}` is not a zone", name.text), "should be a zone",
        help "cards lie in a zone, such as `hand of p`; people change places with `swap seats of p and q`, or by lot with `shuffle seats`";

    /// A name of another sort than wanted.
    pub fn wrong_sort(name: &Name, wanted: &str, is: &str) = error("M0203", name.span):
        format!("`{}` is {is}, not {wanted}", name.text), format!("should be {wanted}"),
        help match (wanted, is) {
            ("a scene", "an event") => format!("an event is done: `do {}`", name.text),
            ("an event" | "a role or a team", "a scene") => format!("a scene is played: `play {}`", name.text),
            ("a token", "a name of this place") => {
                format!("`put` brings new ones in; a card that is there is moved: `move {} to …`", name.text)
            }
            _ => format!("name {wanted} here"),
        };

    /// An event cannot be left as scenes are.
    pub fn leaves_event(name: &Name) = error("M0203", name.span):
        format!("`{}` is an event, and an event is not left", name.text), "should be a scene",
        help "put what must not happen into `if … { … } else { … }`, or leave the scene: `leave SCENE`";

    /// A name declared twice.
    pub fn declared_twice(name: &Name, first: Span) = error("M0204", name.span):
        format!("`{}` is declared twice", name.text), "again here",
        also first, "first here",
        help match name.span.source == first.source {
            true => "give one of them another name",
            false => "give this one another name; where it shall stand in the place of the other, `replace` goes in front of it",
        };

    /// One name for two things that are handed over.
    pub fn named_twice(name: &Name, first: Span) = error("M0204", name.span):
        format!("`{}` is the name of two things here", name.text), "again here",
        also first, "first here",
        help "give each a name of its own";

    /// A name the language keeps for itself.
    pub fn built_in_name(name: &Name) = error(codes::BUILT_IN_NAME, name.span):
        format!("`{}` already means something in the language", name.text), "cannot be a name",
        help "choose another name";

    /// A local name that hides a declared one.
    pub fn shadows(name: &Name, declared: Span) = error("M0206", name.span):
        format!("`{}` already stands for something else", name.text), "a new name is needed here",
        also declared, "declared here",
        help "choose another name";

    /// An answer with the name of something else in a block around.
    pub fn hides(name: &Name, outer: Option<Span>) = error("M0206", name.span):
        format!("`{}` already stands for something else outside of this block", name.text), "a new name is needed here",
        also outer, "named here",
        help "behind the block the name would mean what it meant before; choose another name";

    /// `let` of a mark, flag or count.
    pub fn let_of_fact(name: &Name, is_mark: bool, declared: Span) = error("M0207", name.span):
        format!("`let` makes a new name, and `{}` is one already", name.text), "not new",
        also declared, "declared here",
        help match is_mark {
            true => format!("write `mark … as {}` to give it to somebody", name.text),
            false => format!("write `set {} to …` to change what the game remembers", name.text),
        };

    /// `me` where nobody in particular acts.
    pub fn me_outside(span: Span) = error("M0208", span):
        "there is no `me` here", "nobody in particular is acting",
        help "`me` is whoever is called, asked or takes up an offer; give the player a name with `as p` or `for each p of …`";

    /// `it` outside of `where`.
    pub fn it_outside(span: Span) = error(codes::IT_OUTSIDE, span):
        "`it` has a meaning only after `where`", "stands for nobody here",
        help "write `players where it is …`";

    /// `that` where no `where` stands within another.
    pub fn that_outside(span: Span) = error(codes::IT_OUTSIDE, span):
        "`that` has a meaning only in a `where` within another", "stands for nobody here",
        help "it is whom the `where` around looks at: `living where some (players where vote of it is that)`; one by itself says `it`";

    /// The host as a player.
    pub fn host_is_no_player(span: Span) = error("M0210", span):
        "the host is not one of the players", "a set of players was expected",
        help "`host` can be asked (`ask host …`) and allowed something (`allow host to …`); a note for the host is `wait \"…\"`";

    /// `all` for `players`.
    pub fn all_is_players(span: Span) = error("M0211", span):
        "`all` is not a set of players", "who is meant?",
        help "everybody at the table is `players`";

    /// A scene or event where a value was expected.
    pub fn not_a_value(name: &Name, sort: &str) = error(codes::NO_VALUE, name.span):
        format!("`{}` is {sort} and has no value", name.text), "cannot be read",
        help match sort {
            "an event" => format!("write `during {0}` or `planned {0}`", name.text),
            _ => format!("write `during {0}` or `times {0}`", name.text),
        };

    /// `stop` with nothing to stop.
    pub fn stop_outside(span: Span) = error("M0213", span):
        "`stop` stands in no `repeat` and no `for each`", "nothing to stop",
        help "to leave the scene, write `leave`",
        writes "leave";

    /// `leave` in a place that cannot be left.
    pub fn leave_outside(span: Span) = error("M0214", span):
        "`leave` by itself makes sense only in a scene or in a part of a role", "leave what?",
        help "write `leave` and the name of the scene";
}
