//! The words that begin declarations and statements, each with an example for messages.

/// A first word with an example of what it begins.
pub(super) type Example = (&'static str, &'static str);

/// The first words of declarations.
pub(super) const DECLARATIONS: &[Example] = &[
    ("ruleset", r#"ruleset city "City Games""#),
    ("library", r#"library vote "Ballots""#),
    ("overlay", r#"overlay mayor "The mayor" on city { … }"#),
    ("on", "on city { choose tied-vote = nobody }"),
    ("use", "use std.table, std.vote"),
    ("publish", "publish hunted, treated"),
    ("players", "players 4..18"),
    ("cast", "cast { … }"),
    (
        "require",
        r#"require some-guild: some Guild "somebody must be in the guild""#,
    ),
    (
        "warn",
        r#"warn no-healer: some Healer "a game without a healer is short""#,
    ),
    ("class", r#"class Healer "healers""#),
    ("team", r#"team Guild "the guild""#),
    ("role", r#"role Healer "the healer" of Hamlet at most 1 { … }"#),
    ("token", r#"token Package "the package" 2 is bullet | ring"#),
    ("zone", "zone hand of each is role seen by owner"),
    ("mark", "mark treated, hunted until end of Sunrise"),
    ("flag", "flag vote-off until Dusk"),
    ("count", "count fouls of each = 0"),
    ("word", "word room of each: deck | galley | hold = deck"),
    ("link", "link vote one back voters until Dusk"),
    ("define", "define weight of p = 1"),
    ("include", "include addict in circle of Guild"),
    ("exclude", "exclude silenced from electorate"),
    ("add", "add 1 to weight of p when p is Healer"),
    ("event", "event kill of p by k { mark p as dying }"),
    ("rule", "rule cure: instead of kill of treated { nothing }"),
    ("scene", "scene Dusk { call Guild }"),
    ("script", "script { play Dusk }"),
    (
        "allow",
        "allow host to foul p from living { add 1 to fouls of p }",
    ),
    ("win", "win Hamlet when no living Guild"),
    ("lose", "lose players when no living Hamlet"),
    ("draw", "draw when no living players"),
    ("ending", "ending last before all: draw when no living players"),
    (
        "option",
        r#"option tied-vote: run-off | nobody = run-off "what a level vote leads to""#,
    ),
    ("hook", r#"hook odd-one of p gives players "why" """…""""#),
    ("policy", "policy crowd { vote: most of vote }"),
    ("needs", "needs extra-hand"),
    ("refuses", "refuses blind, renegade"),
    ("replace", "replace scene Trial { … }"),
    ("remove", "remove two-mafiosi"),
    ("choose", "choose empty-calls = pretend"),
];

/// The first words of statements.
pub(super) const STATEMENTS: &[Example] = &[
    ("say", r#"say "Dusk falls.""#),
    ("tell", r#"tell coma "You are in a coma.""#),
    ("show", "show card of p to me"),
    ("wait", r#"wait "Everybody discusses.""#),
    ("ask", "ask me for victim from living or nobody"),
    ("draw", "draw n from 1..6"),
    ("if", "if some dying { … } else { … }"),
    ("for", "for each p of living { … }"),
    ("repeat", "repeat { … }"),
    ("stop", "stop"),
    ("leave", "leave Poll"),
    ("play", "play Count of level"),
    ("call", "call Guild to meet"),
    ("perform", "perform c"),
    ("do", "do kill of victim by me"),
    ("plan", "plan kill of victim by me"),
    ("settle", "settle treat, kill"),
    ("cancel", "cancel kill of p by me"),
    ("judge", "judge"),
    ("win", "win Hamlet when no living Guild"),
    ("lose", "lose players"),
    ("end", "end"),
    ("mark", "mark p as treated"),
    ("unmark", "unmark p as treated"),
    ("link", "link p to c as vote"),
    ("unlink", "unlink p as vote"),
    ("clear", "clear vote, jailed"),
    ("let", "let top = most of vote"),
    ("set", "set fouls of p to 0"),
    ("add", "add 1 to fouls of p"),
    ("turn", "turn addict into Smuggler"),
    ("deal", "deal deck to hand of players"),
    ("shuffle", "shuffle deck"),
    ("put", "put cast in deck"),
    ("swap", "swap hand of me and centre"),
    ("move", "move 2 from deck to hand of p"),
    ("flip", "flip Bet to red"),
    ("nothing", "nothing"),
];

/// Words that stand between the parts of an expression and so cannot be names; the same list as
/// `reserved` in the grammar.
pub(super) const RESERVED: &[&str] = &[
    "among", "and", "as", "at", "by", "during", "else", "every", "unseen", "for", "from", "in", "into", "is",
    "no", "not", "of", "on", "openly", "or", "planned", "plus", "some", "times", "to", "together", "under",
    "until", "weighing", "when", "where", "whether", "with", "without",
];

/// The example for a first word, if it is one.
pub(super) fn example_of(list: &[Example], word: &str) -> Option<&'static str> {
    list.iter()
        .find(|(first, _)| *first == word)
        .map(|(_, example)| *example)
}

/// Whether a word begins a declaration.
pub(super) fn begins_declaration(word: &str) -> bool {
    example_of(DECLARATIONS, word).is_some()
}

/// Whether a word begins a statement.
pub(super) fn begins_statement(word: &str) -> bool {
    example_of(STATEMENTS, word).is_some()
}
