//! Casts, tables and what is dealt.

use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::Name;

mistakes! {
    /// `players` a second time.
    pub fn players_twice(span: Span, first: Span) = error("M0401", span):
        "how many play is said twice", "again here",
        also first, "first here",
        help "leave one of them out; what may be this or that is one range: `players 5..12`";

    /// `players` out of bounds.
    pub fn bad_players(span: Span, from: i64, to: i64) = error("M0401", span):
        match turned {
            true => "from how many to how many is said with the smaller number first",
            false => "a game is for 1 to 64 players",
        }, "cannot be played",
        help match turned {
            true => format!("the smaller number comes first: `players {to}..{from}`"),
            false => "write `players 5..12`".to_owned(),
        },
        where turned = from > to && (1..=64).contains(&to) && from <= 64;

    /// More roles and teams than fit.
    pub fn too_many_titles(span: Span) = error("M0402", span):
        "a ruleset has at most 64 roles and teams together", "one too many",
        help "put roles that are rarely used into an overlay";

    /// The zone of roles is wrong.
    pub fn bad_role_zone(name: &Name) = error("M0403", name.span):
        "one zone, of each seat, holds the cards that are roles", "not this one too",
        help "write `zone hand of each is role`, once";
}
