//! Lines that people write who have read a page and go by their ear, and the line that they mean.
//!
//! In a shape `$x` stands for one name or number, `$n` for a number, `"$t` for a text, `$X` for one or more of anything, `a|b` for
//! either, which is `$1`, the second such `$2`, and `…` for all that follows. Only lines that the grammar refused
//! are looked at.

use crate::{token::Token, words};

/// A line as it is written, and as it should be.
type Lines = &'static [(&'static str, &'static str)];

/// Lines of rules.
pub(super) const OF_RULES: Lines = &[
    // Questions.
    ("ask $A to choose|pick|select|name $x …", "ask $A for $x …"),
    ("ask for $x from $S", "ask me for $x from $S"),
    ("ask $A yes or no …", "ask $A whether answer …"),
    ("ask $A whether to $x …", "ask $A whether $x …"),
    ("ask $A openly or nobody …", "ask $A or nobody openly …"),
    ("ask $A \"$t or nobody", "ask $A or nobody $t"),
    ("ask $A from $x to|- $y …", "ask $A from $x..$y …"),
    ("ask $A to $x", "ask $A for $x from living"),
    // Words.
    ("say|tell \"$t to $A", "tell $A $t"),
    ("show \"$t $A", "show $t to $A"),
    // Courses.
    ("repeat until $C {", "repeat { if $C { stop } … }"),
    ("repeat while $C {", "repeat { if not ($C) { stop } … }"),
    ("play $x twice", "repeat 2 times { play $x }"),
    ("play $x $n times", "repeat $n times { play $x }"),
    ("call $x and|, $y", "call $x; call $y"),
    ("end|stop|judge|leave the|this $x", "$1"),
    ("end $x", "leave $x"),
    ("wait for $A", "wait \"For $A.\""),
    // Values and sets.
    ("draw $x among $S", "draw $x from $S"),
    ("draw a|one random $x", "draw $x from players"),
    ("draw $x from $a to|- $b", "draw $x from $a..$b"),
    ("let $x = number of $y , $z", "let $x = number of ($y plus $z)"),
    ("let $x = $y , $z", "let $x = $y plus $z"),
    ("add $n $x of $X", "add $n to $x of $X"),
    ("subtract $n $x of $X", "subtract $n from $x of $X"),
    ("do|plan $x $y", "$1 $x of $y"),
    ("do|plan $x $y by|with …", "$1 $x of $y $2 …"),
    (
        "add|subtract $N to|from $x of $X where $T",
        "$1 $N $2 $x of ($X where $T)",
    ),
    // Conditions.
    ("if no one is $S {", "if no $S { … }"),
    ("if $A is in $B {", "if $A is $B { … }"),
    ("if $A in $B {", "if $A is $B { … }"),
    // Declarations.
    ("ending : $X", "ending over: $X"),
    ("ending $x : win|lose when $X", "ending $x: $1 TEAM when $X"),
    ("ending $x : $y when $X", "ending $x: win $y when $X"),
    ("rule : $X {", "rule NAME: $X { … }"),
    ("rule $x before|after $X {", "rule $x: $1 $X { … }"),
    (
        "rule $x : on|when|at|during $X {",
        "rule $x: before $X { … }`, or `rule $x: after $X { … }",
    ),
    ("before|after $X {", "rule NAME: $1 $X { … }"),
    (
        "on $X {",
        "rule NAME: before $X { … }`, or `rule NAME: after $X { … }",
    ),
    ("role $x $A when called {", "role $x $A { when called { … } }"),
    ("role|team|class $x of|is the $y …", "$1 $x $2 $y …"),
    ("role $x \"$t of the $y …", "role $x $t of $y …"),
    ("role $x in $y …", "role $x of $y …"),
    ("role $x \"$t in $y …", "role $x $t of $y …"),
    ("team $x of $y …", "team $x …"),
    (
        "flag $x =|: no|false|off",
        "flag $x`: it begins as no, until `set $x to yes",
    ),
    (
        "flag $x =|: yes|true|on",
        "flag $x`: it begins as no, so put into the script, at its beginning, `set $x to yes",
    ),
    ("count $x of each $n", "count $x of each = $n"),
    ("count $x $n", "count $x = $n"),
    ("word $x =|: $y", "word $x: $y | … = $y"),
    ("word $x of each =|: $y , $z", "word $x of each: $y | $z = $y"),
    ("word $x =|: $y , $z", "word $x: $y | $z = $y"),
    ("mark|flag|count $A , until …", "$1 $A until …"),
    (
        "mark|flag|count|word|text|link $A until the end of $x …",
        "$1 $A until end of $x …",
    ),
    (
        "scene $x of {",
        "scene $x { … }`, or, if it is about somebody, `scene $x of p { … }",
    ),
    ("scene $x ( ) {", "scene $x { … }"),
    ("scene $x when $C {", "if $C { play $x }"),
    ("define $x", "define $x = …"),
    ("define $x : $V", "define $x = $V"),
    ("link $x of each …", "link $x …"),
];

/// Lines of scenarios.
pub(super) const OF_SCENARIOS: Lines = &[
    // What is expected.
    ("assert|check|verify|should|expects $X", "expect $X"),
    ("$x is dead|out", "expect $x is not living"),
    ("$x is $X", "expect $x is $X"),
    ("expect that $X", "expect $X"),
    ("expect \"$t is|was said", "expect said $t"),
    ("expect \"$t said", "expect said $t"),
    ("expect say|says \"$t", "expect said $t"),
    ("expect $W to be $X", "expect $W is $X"),
    ("expect $W = = $X", "expect $W is $X"),
    ("expect $W not $X", "expect $W is not $X"),
    ("expect $W hears|hear|heard \"$t", "expect $W told $t"),
    ("expect $W < = $X", "expect $W is at most $X"),
    ("expect $W > = $X", "expect $W is at least $X"),
    ("expect $W = $X", "expect $W is $X"),
    ("expect $W < $X", "expect $W is less than $X"),
    ("expect $W > $X", "expect $W is more than $X"),
    // Answers.
    (
        "$W chooses|picks|kills|names|shoots|takes|says|answers $X",
        "$W -> $X",
    ),
    ("$W votes|vote for $X", "$W -> $X"),
    ("$W votes $X", "$W -> $X"),
    ("$W points at|to $X", "$W -> $X"),
    ("$W :|= $X", "$W -> $X"),
    ("$W = > $X", "$W -> $X"),
    ("wait|go|continue|next", "host -> go"),
    // Going.
    ("skip|go|jump|run|until|goto to $x", "run to $x"),
    ("skip|go|jump|until|goto $x", "run to $x"),
    ("random", "otherwise random with seed 1"),
];

type Bound<'t> = Vec<(&'static str, &'t str)>;

/// What a refused line should be, where it has one of the shapes.
pub(super) fn rewritten(lines: Lines, text: &str, line: &[Token]) -> Option<String> {
    lines.iter().find_map(|(shape, repair)| {
        let shape: Vec<&'static str> = shape.split(' ').collect();
        let mut bound = Bound::new();
        bind(&shape, text, line, &mut bound).then(|| filled(repair, &bound))
    })
}

fn bind<'t>(shape: &[&'static str], text: &'t str, line: &[Token], bound: &mut Bound<'t>) -> bool {
    let Some((first, rest)) = shape.split_first() else {
        return line.is_empty();
    };
    let slice = |tokens: &[Token]| match (tokens.first(), tokens.last()) {
        (Some(from), Some(to)) => &text[from.start..to.end],
        _ => "",
    };
    if *first == "…" {
        bound.push((first, slice(line)));
        return true;
    }
    let Some((token, behind)) = line.split_first() else {
        return false;
    };
    let word = token.text(text);
    let before = bound.len();
    let is_many = first.starts_with('$') && first.ends_with(char::is_uppercase);
    if is_many {
        return (1..=line.len()).any(|many| {
            bound.truncate(before);
            bound.push((first, slice(&line[..many])));
            bind(rest, text, &line[many..], bound)
        });
    }
    let fits = match first.strip_prefix('"').or(first.strip_prefix('$')) {
        Some(_) if first.starts_with('"') => word.starts_with('"'),
        Some("n") => word.starts_with(|c: char| c.is_ascii_digit()),
        Some(_) => word.starts_with(|c: char| c.is_alphanumeric() || c == '`') && !words::joins(word),
        None => first.split('|').any(|one| one == word),
    };
    if fits && (first.starts_with(['$', '"']) || first.contains('|')) {
        let name = match (first.strip_prefix('"'), first.contains('|')) {
            (Some(name), _) => name,
            (None, true) => ["$1", "$2"][usize::from(bound.iter().any(|(name, _)| *name == "$1"))],
            (None, false) => first,
        };
        bound.push((name, word));
    }
    fits && bind(rest, text, behind, bound)
}

fn filled(repair: &str, bound: &Bound<'_>) -> String {
    let mut line = repair.to_owned();
    for (name, value) in bound.iter().rev() {
        line = line.replace(name, value);
    }
    line.trim_end().to_owned()
}
