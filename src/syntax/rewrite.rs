//! Lines that people write who have read a page and go by their ear, and the line that they mean.
//!
//! In a shape `$x` stands for one name or number, `$n` for a number, `"$t` for a text, `$X` for one or more of anything, `a|b` for
//! either, which is `$1`, the second such `$2`, and `…` for all that follows. Only lines that the grammar refused
//! are looked at.

use crate::{
    token::{self, Token, TokenKind},
    words,
};

/// A line as it is written, and as it should be.
type Lines = &'static [(&'static str, &'static str)];

/// Lines of rules.
pub(super) const OF_RULES: Lines = &[
    // Questions.
    ("ask $A : who|whom|which|what $X", "ask $A for answer from living"),
    ("ask $A to choose|pick|select|name $x …", "ask $A for $x …"),
    ("ask for $x from $S", "ask me for $x from $S"),
    ("ask $A \"$t yes or no", "ask $A whether answer $t"),
    ("ask $A yes or no …", "ask $A whether answer …"),
    ("ask $A whether to $x …", "ask $A whether $x …"),
    ("ask $A openly or nobody …", "ask $A or nobody openly …"),
    ("ask $A \"$t or nobody", "ask $A or nobody $t"),
    ("ask $A from $x to|- $y …", "ask $A from $x..$y …"),
    ("ask each for $x from $S", "ask each living for $x from $S"),
    ("ask each of $A for …", "ask each $A for …"),
    (
        "ask each $A who|whom|which|what $X",
        "ask each $A for answer from living",
    ),
    ("ask each $A to $x", "ask each $A for $x from living"),
    ("ask each $x", "ask each $x for answer from living"),
    ("ask $A who|whom|which $X", "ask $A for answer from living"),
    (
        "ask living|players|everybody|everyone to $x",
        "ask each living for $x from living",
    ),
    ("ask $A to $x", "ask $A for $x from living"),
    ("ask $A within $N $x \"$t", "ask $A $t within $N $x"),
    // Words.
    ("say|tell \"$t to $A", "tell $A $t"),
    ("show \"$t $A", "show $t to $A"),
    ("whisper|message|inform|notify \"$t to $A", "tell $A $t"),
    ("whisper|message|inform|notify $A \"$t", "tell $A $t"),
    ("say \"$t and say|tell|mark|do|play|call|judge …", "say $t; $1 …"),
    ("say ( \"$t )", "say $t"),
    // Courses.
    (
        "if $C then|: say|tell|mark|do|play|call|win|show|add|set …",
        "if $C { $2 … }",
    ),
    ("if $C then|: judge|end|stop|leave|wait|nothing", "if $C { $2 }"),
    (
        "if $C say|tell|mark|do|play|call|win|show|add|set …",
        "if $C { $1 … }",
    ),
    ("if $C judge|end|stop|leave|wait|nothing", "if $C { $1 }"),
    ("if $C : {", "if $C { … }"),
    ("repeat forever|always {", "repeat { … }"),
    ("repeat for $n times {", "repeat $n times { … }"),
    ("play $x and|, play $y", "play $x; play $y"),
    ("play $x and|, $y", "play $x; play $y"),
    ("each $S votes|vote", "ask each $S for vote from living"),
    ("discuss|talk|debate for $n seconds|minutes", "wait $n $2"),
    ("repeat until $C {", "repeat { if $C { stop } … }"),
    ("repeat while $C {", "repeat { if not ($C) { stop } … }"),
    ("do this $n times {", "repeat $n times { … }"),
    ("for all|every|any $x of|in $S {", "for each $x of $S { … }"),
    ("for all|every|any $S {", "for each p of $S { … }"),
    ("play $x twice", "repeat 2 times { play $x }"),
    ("play $x $n times", "repeat $n times { play $x }"),
    ("call $x and|, $y", "call $x; call $y"),
    ("play $x of $A from|to|with $B", "play $x of $A and $B"),
    (
        "swap seat $a and|with seat $b",
        "swap seats of seat $a and seat $b",
    ),
    ("swap seats of $A ,|with $B", "swap seats of $A and $B"),
    ("swap seats $A ,|and|with $B", "swap seats of $A and $B"),
    ("swap $A ,|with|for $B", "swap $A and $B"),
    ("end|stop|judge|leave the|this $x", "$1"),
    ("end $x", "leave $x"),
    ("wait for $n seconds|minutes", "wait $n $1"),
    ("wait for $A", "wait \"For $A.\""),
    (
        "mark $A as $x until $X",
        "mark $A as $x`, and where it is declared `mark $x until $X",
    ),
    ("set $x = $V", "set $x to $V"),
    ("show $x ' s role|card|team to $A", "show $1 of $x to $A"),
    ("win|lose for $S", "$1 $S"),
    // Values and sets.
    ("draw one of $S", "draw x from $S"),
    ("choose|pick randomly|random from $S", "draw x from $S"),
    ("let $x = pick|choose from $S", "draw $x from $S"),
    ("let $x be $V", "let $x = $V"),
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
    (
        "say|tell|ask|mark|do|play|call|win|show|move|judge|wait|add $X when $C else $Y",
        "if $C { $1 $X } else { $1 … }",
    ),
    (
        "judge|end|stop|leave|wait when $C else $Y",
        "if $C { $1 } else { $Y }",
    ),
    // Conditions.
    ("if there is|are no $S {", "if no $S { … }"),
    ("if no one is $S {", "if no $S { … }"),
    ("if at least|most $n $S {", "if number of $S is at $1 $n { … }"),
    ("if exactly $n $S {", "if number of $S is $n { … }"),
    ("if $A is in $B {", "if $A is $B { … }"),
    ("if $A in $B {", "if $A is $B { … }"),
    // Declarations.
    (
        "ending $x : everybody|everyone loses|lose when $C",
        "ending $x: draw when $C",
    ),
    ("ending $x : nobody wins when $C", "ending $x: draw when $C"),
    (
        "ending $x : win|lose $A after $n $y",
        "ending $x: $1 $A when times SCENE is at least $n",
    ),
    ("team $x wins when $C", "ending NAME: win $x when $C"),
    ("start|setup|main|begin {", "script { … }"),
    ("at the end of $x {", "rule NAME: after $x { … }"),
    ("at the beginning|start of $x {", "rule NAME: before $x { … }"),
    (
        "rule $x : if|when|after|before $A dies {",
        "rule $x: after EVENT of $A { … }`, with the event by which somebody dies, as in `after kill of $A { … }",
    ),
    (
        "rule $x : $A cannot be $y",
        "rule $x: instead of EVENT of $A { nothing }`, with the event that does it, as in `instead of kill of $A { nothing }",
    ),
    (
        "rule $x : never $y of $A",
        "rule $x: instead of $y of $A { nothing }",
    ),
    ("event $x of $A : $X", "event $x of $A { $X }"),
    ("event $x ( $p ) {", "event $x of $p { … }"),
    ("event $x $p {", "event $x of $p { … }"),
    ("event $x $p by $k {", "event $x of $p by $k { … }"),
    ("scene $x ( $p ) {", "scene $x of $p { … }"),
    (
        "scene $x after|before $y {",
        "scene $x { … }`, and in the script, $1 `play $y`, a line `play $x",
    ),
    (
        "scene $x happens|comes after|before $y {",
        "scene $x { … }`, and in the script, $2 `play $y`, a line `play $x",
    ),
    (
        "role $x \"$t of $y , at most|least $n",
        "role $x $t of $y at $1 $n",
    ),
    (
        "role $x \"$t of $y $n",
        "role $x $t of $y`, and among the cards of `cast` the line `$x $n",
    ),
    ("role called|named $x of $y …", "role $x of $y …"),
    ("$x is a|the role of $y", "role $x of $y"),
    ("$x : say|tell|ask|call|play|do …", "scene $x { $1 … }"),
    ("players from $a to $b", "players $a..$b"),
    ("players at least $n", "players $n..12"),
    ("players $n +", "players $n..12"),
    ("option $x : true or false", "option $x: yes | no = yes"),
    ("option $x : $a or $b", "option $x: $a | $b = $a"),
    ("option $x yes|no", "option $x: yes | no = $1"),
    ("mark $x lasts until $y", "mark $x until end of $y"),
    ("count $x is $n", "count $x = $n"),
    ("ending : $X", "ending over: $X"),
    ("ending when $C {", "ending NAME: win TEAM when $C"),
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
    ("class $x of $y", "role $x of $y"),
    ("class $x \"$t of $y", "role $x $t of $y"),
    ("role $x = \"$t", "role $x $t"),
    ("role $x = \"$t of $y …", "role $x $t of $y …"),
    ("include std $X", "use std$X"),
    (
        "mark|flag $A for one|a|the|this $y",
        "$1 $A until end of SCENE`, with the scene at whose end it is over, as in `$1 $A until end of Dusk",
    ),
    ("role $x in $y …", "role $x of $y …"),
    ("role $x \"$t in $y …", "role $x $t of $y …"),
    (
        "role $x \"$t of $y : $Z",
        "role $x $t of $y { when called { … } }",
    ),
    (
        "role $x \"$t of $y ability|night|action|power {",
        "role $x $t of $y { when called { … } }",
    ),
    (
        "role $A once $Z",
        "role $A { … }`, and for once in a game a mark, `mark done`, with `if me is not done { …; mark me as done }",
    ),
    ("scene $x of $A \"$t {", "scene $x $t of $A { … }"),
    ("scene \"$t {", "scene NAME $t { … }"),
    ("players = $n", "players $n"),
    ("min players $n", "players $n..12"),
    ("max players $n", "players 4..$n"),
    ("mark $x \"$t for each|all|everybody", "mark $x $t"),
    ("mark $x for each|all|everybody …", "mark $x"),
    ("mark $x for $y", "mark $x until end of $y"),
    ("team $x of $y …", "team $x …"),
    (
        "flag $x =|:|is no|false|off",
        "flag $x`: it begins as no, until `set $x to yes",
    ),
    (
        "flag $x =|:|is yes|true|on",
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
    (
        "scene $x of $y from|to|with|by $z {",
        "scene $x of $y and $z { … }",
    ),
    ("scene $x ( ) {", "scene $x { … }"),
    ("scene $x :", "scene $x { … }"),
    ("scene $x when $C {", "if $C { play $x }"),
    ("define $x", "define $x = …"),
    ("define $x : $V", "define $x = $V"),
    ("link $x of each …", "link $x …"),
];

/// Lines of rules that can be read, with a word in them that everybody speaks and nobody has declared.
pub(super) const OF_SPEECH: Lines = &[
    (
        "if $n players|people|persons are $S {",
        "if number of $S is $n { … }",
    ),
    ("if $C is|are $N or more {", "if $C is at least $N { … }"),
    ("if $C is|are $N or less|fewer {", "if $C is at most $N { … }"),
    ("if somebody|someone|anybody|anyone is $S {", "if some $S { … }"),
    (
        "if everybody|everyone|all is|are $S {",
        "if every living is $S { … }",
    ),
    ("if there are|is $n $S {", "if number of $S is $n { … }"),
    (
        "if there are more|less than $n $S {",
        "if number of $S is $1 than $n { … }",
    ),
    (
        "if there are fewer than $n $S {",
        "if number of $S is less than $n { … }",
    ),
    ("if $A is not alive {", "if $A is not living { … }"),
    ("if $A is not dead {", "if $A is living { … }"),
    ("if there is|are no $S {", "if no $S { … }"),
    ("if there is|are a|an|any|some $S {", "if some $S { … }"),
    ("if $A has $S {", "if $A is $S { … }"),
    ("if $A includes|contains $S {", "if $S is $A { … }"),
    ("if $A was|were $S {", "if $A is $S { … }"),
    ("if the $A is|are dead {", "if no living $A { … }"),
    ("if $A are dead {", "if no living $A { … }"),
    ("if $A is dead {", "if $A is not living { … }"),
    ("if $A is alive {", "if $A is living { … }"),
    ("if $A are alive {", "if some living $A { … }"),
    ("if $C then {", "if $C { … }"),
    (
        "ending $x : win|lose|draw $A when all $S are dead",
        "ending $x: $1 $A when no living $S",
    ),
    (
        "ending $x : win|lose|draw $A when the $S is|are dead",
        "ending $x: $1 $A when no living $S",
    ),
    (
        "ending $x : win|lose|draw $A when $S are|is dead",
        "ending $x: $1 $A when no living $S",
    ),
    ("ask everyone|everybody|all for $x …", "ask each living for $x …"),
    ("ask $A for $x from all|every $S", "ask $A for $x from $S"),
    (
        "ask $A for $x from dead",
        "ask $A for $x from players without living",
    ),
    (
        "ask $A for $x from $S other than $B",
        "ask $A for $x from $S without $B",
    ),
    (
        "ask $A for $x from $S except|but $B",
        "ask $A for $x from $S without $B",
    ),
    (
        "show the role|card|team of $A to everyone|everybody|all",
        "show $1 of $A to players",
    ),
    ("show $X to everyone|everybody|all", "show $X to players"),
    ("let $x = random $S", "draw $x from $S"),
    ("let $x = $V mod|modulo $z", "let $x = remainder of $V / $z"),
];

/// Lines of scenarios.
pub(super) const OF_SCENARIOS: Lines = &[
    // What is expected.
    ("assert|check|verify|should|expects $X", "expect $X"),
    ("$x is dead|out", "expect $x is not living"),
    ("$x dies|died", "expect $x is not living"),
    ("$x is $X", "expect $x is $X"),
    ("expect that $X", "expect $X"),
    ("expect \"$t is|was said", "expect said $t"),
    ("expect \"$t said", "expect said $t"),
    ("expect say|says \"$t", "expect said $t"),
    ("expect $W to be $X", "expect $W is $X"),
    ("expect $W = = $X", "expect $W is $X"),
    ("expect $W not $X", "expect $W is not $X"),
    (
        "expect everyone|everybody|all hears|hear|heard \"$t",
        "expect said $t",
    ),
    (
        "expect $W hears|hear|heard|gets|receives \"$t",
        "expect $W told $t",
    ),
    ("expect $W < = $X", "expect $W is at most $X"),
    ("expect $W > = $X", "expect $W is at least $X"),
    ("expect $W = $X", "expect $W is $X"),
    ("expect $W < $X", "expect $W is less than $X"),
    ("expect $W > $X", "expect $W is more than $X"),
    ("expect message|text|line|announcement \"$t", "expect said $t"),
    // Answers.
    ("$W - > $x , $Y - > $Z", "$W -> $x; $Y -> $Z"),
    ("everyone|everybody|all votes|vote for $X", "players -> $X"),
    ("$x and $y vote|point for|at $X", "$x, $y -> $X"),
    ("$W passes|abstains|skips|waits", "$W -> nobody"),
    ("$W shoots|aims at $X", "$W -> $X"),
    (
        "$W protects|saves|heals|checks|visits|attacks|guards|investigates|accuses|marks $X",
        "$W -> $X",
    ),
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
    ("seed $n", "otherwise random with seed $n"),
    ("roll|dice $n", "draw NAME -> $n"),
    ("next $x", "run to $x"),
];

/// A line is looked at up to so many words.
const LONGEST: usize = 60;

/// A part of a shape.
enum Piece {
    /// `…`: whatever is left.
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
            Some(name) if name.ends_with(char::is_uppercase) => Piece::Many,
            Some("n") => Piece::Number,
            Some(_) => Piece::One,
            None if shape == "…" => Piece::Rest,
            None if shape.starts_with('"') => Piece::Text,
            None if shape.contains('|') => Piece::Either,
            None => Piece::Word,
        }
    }

    fn fits(&self, shape: &str, word: &str) -> bool {
        match self {
            Piece::Rest | Piece::Many => true,
            Piece::Number => word.starts_with(|sign: char| sign.is_ascii_digit()),
            Piece::One => {
                word.starts_with(|sign: char| sign.is_alphanumeric() || sign == '`') && !words::joins(word)
            }
            Piece::Text => word.starts_with('"'),
            Piece::Either => shape.split('|').any(|one| one == word),
            Piece::Word => shape == word,
        }
    }
}

/// What the parts of a shape stand for in a line.
#[derive(Clone, Default)]
struct Bound<'t>(Vec<(&'static str, &'t str)>);

impl<'t> Bound<'t> {
    fn with(&self, name: &'static str, words: &'t str) -> Bound<'t> {
        let mut more = self.clone();
        more.0.push((name, words));
        more
    }

    /// `$1` is the first of several words that fits, `$2` the second.
    fn next_either(&self) -> &'static str {
        match self.0.iter().any(|(name, _)| *name == "$1") {
            true => "$2",
            false => "$1",
        }
    }

    fn fill(&self, repair: &str) -> String {
        let filled = |line: String, (name, words): &(&str, &str)| line.replace(name, words);
        let line = self.0.iter().rev().fold(repair.to_owned(), filled);
        line.trim_end().to_owned()
    }
}

/// Whether a line can be written as it is: nothing in it is left to whoever writes.
fn is_whole(line: &str) -> bool {
    let is_left = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_uppercase());
    let mut words = line.split(|sign: char| !sign.is_alphanumeric());
    !line.contains('…') && !words.any(is_left)
}

/// What can be written in the place of a line, where the repair is all of it; of one that opens a block, which stays
/// as it is, up to its brace.
pub(super) fn to_write(repair: &str, opens: bool) -> Option<String> {
    let written = repair.strip_suffix(" … }").filter(|_| opens).unwrap_or(repair);
    // What comes behind a quote is said of it.
    let written = written.split('`').next().unwrap_or(written);
    is_whole(written).then(|| written.to_owned())
}

/// What a refused line should be, where it has one of the shapes.
pub(super) fn rewritten(lines: Lines, text: &str, line: &[Token]) -> Option<String> {
    if line.len() > LONGEST {
        return None;
    }
    lines.iter().find_map(|(shape, repair)| {
        let shape: Vec<&'static str> = shape.split(' ').collect();
        let bound = bind(&shape, text, line, &Bound::default())?;
        Some(bound.fill(repair))
    })
}

/// The line of a text around a place, and what it should be: one that can be read, with a word in it that nobody
/// has declared.
pub(super) fn meant(text: &str, at: usize) -> Option<(std::ops::Range<usize>, String)> {
    let tokens = token::scan(text).tokens;
    let here = tokens.iter().position(|token| token.end > at)?;
    let begins =
        |token: &Token| token.kind == TokenKind::Newline || matches!(token.text(text), ";" | "{" | "}");
    let from = tokens[..here]
        .iter()
        .rposition(begins)
        .map_or(0, |start| start + 1);
    let behind = tokens[from..].iter();
    let mut line: Vec<Token> = behind
        .copied()
        .take_while(|token| !token.ends_line(text))
        .collect();
    if let Some(open) = line.iter().position(|token| token.kind == TokenKind::Open) {
        line.truncate(open + 1);
    }
    let repair = rewritten(OF_SPEECH, text, &line)?;
    Some((line.first()?.start..line.last()?.end, repair))
}

/// What the shape stands for in the line, where it is of that shape.
fn bind<'t>(shape: &[&'static str], text: &'t str, line: &[Token], bound: &Bound<'t>) -> Option<Bound<'t>> {
    let Some((first, rest)) = shape.split_first() else {
        return line.is_empty().then(|| bound.clone());
    };
    let slice = |tokens: &[Token]| match (tokens.first(), tokens.last()) {
        (Some(from), Some(to)) => &text[from.start..to.end],
        _ => "",
    };
    let piece = Piece::of(first);
    if let Piece::Rest = piece {
        return Some(bound.with(first, slice(line)));
    }
    let (token, behind) = line.split_first()?;
    let word = token.text(text);
    if !piece.fits(first, word) {
        return None;
    }
    match piece {
        Piece::Many => {
            let mut lengths = 1..=line.len();
            lengths.find_map(|many| {
                let (taken, behind) = line.split_at(many);
                bind(rest, text, behind, &bound.with(first, slice(taken)))
            })
        }
        Piece::Word => bind(rest, text, behind, bound),
        Piece::Either => bind(rest, text, behind, &bound.with(bound.next_either(), word)),
        _ => bind(
            rest,
            text,
            behind,
            &bound.with(first.trim_start_matches('"'), word),
        ),
    }
}
