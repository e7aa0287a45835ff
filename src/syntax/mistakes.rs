//! The mistakes this room finds, one function each. The pages about them stand in `docs/errors/`.

use crate::{split::DEPTH_LIMIT, token::TEXT_LIMIT};
use omerta_core::mistakes;
use omerta_core::{
    codes,
    diagnostic::Diagnostic,
    source::{SourceId, Span},
    written::is_unseen,
};

/// How many bytes a file may have.
const FILE_LIMIT: usize = 1 << 19;

/// What keeps a file from being read at all: it is beyond the bound, or no text.
pub(super) fn unreadable(source: SourceId, text: &str) -> Option<Diagnostic> {
    if text.len() > FILE_LIMIT {
        return Some(long_file(Span::new(source, FILE_LIMIT, FILE_LIMIT)));
    }
    // Bytes that are no text have become these on the way here.
    let no_letter = |letter: char| matches!(letter, '\0' | '\u{FFFD}');
    let span = |(at, letter): (usize, char)| Span::new(source, at, at + letter.len_utf8());
    if let Some(place) = text.char_indices().find(|(_, letter)| no_letter(*letter)) {
        return Some(no_text(span(place)));
    }
    // A mark of the order of bytes may stand at the very beginning.
    let is_hidden = |(at, letter): &(usize, char)| {
        is_unseen(*letter) && !matches!(letter, '\n' | '\r' | '\t') && (*at > 0 || *letter != '\u{FEFF}')
    };
    let place = text.char_indices().find(is_hidden)?;
    Some(unseen_sign(span(place), place.1))
}

mistakes! {
    /// A file that holds something else than text.
    fn no_text(span: Span) = error("M0032", span):
        "the file is not plain text", "this is not a letter",
        help "save it as plain text in UTF-8; if it is another file, name the right one";

    /// A file beyond the bound.
    fn long_file(span: Span) = error("M0001", span):
        format!("the file is longer than {FILE_LIMIT} bytes"), "this much is read and no more",
        help "split it: scenarios into several files, rules into libraries and `use` them";

    /// More than is read.
    pub(super) fn too_many(span: Span, most: usize, what: &str) = error(codes::TOO_MANY_NAMES, span):
        format!("a file has at most {most} {what}"), "one too many",
        help "leave out what no rule needs";

    /// Brackets, `of`, `not` or `else if` too deep in each other.
    pub(super) fn deep_nesting(span: Span) = error("M0002", span):
        format!("this is nested more than {DEPTH_LIMIT} levels deep"), "too deep",
        help "give the inner part a name with `define`, or make it a scene of its own";

    /// A text beyond the bound.
    pub(super) fn long_text(span: Span) = error("M0003", span):
        format!("the text is longer than {TEXT_LIMIT} bytes"), "too long",
        help "say it in several statements";

    /// A number that fits into no machine word.
    pub(super) fn large_number(span: Span, digits: &str) = error("M0004", span):
        format!("the number `{shown}` is too large"), "too large",
        help "write a smaller number: the largest is 4,294,967,295",
        where shown = digits.chars().take(20).collect::<String>();

    /// `"words` and the line ends.
    pub(super) fn open_text(span: Span) = error("M0005", span):
        "the text is not closed on its line", "begins here",
        help "put a `\"` at its end; a long text may go on as a second text in quotes on the next line";

    /// `"""` and the file ends.
    pub(super) fn open_script(span: Span) = error("M0006", span):
        "the script is never closed", "begins here",
        help "put `\"\"\"` on a line of its own after it";

    /// `"""` in a scenario.
    pub(super) fn no_script_here(span: Span) = error("M0006", span):
        "three quotes begin a script, and scenarios have none", "begins here",
        help "write one `\"` at either end of a text";

    /// A brace that nothing closes.
    pub(super) fn open_brace(span: Span) = error("M0007", span):
        "this `{` is never closed", "opened here",
        help "put a `}` where the block ends";

    /// A closing brace that closes nothing.
    pub(super) fn stray_brace(span: Span) = error(codes::STRAY_BRACE, span):
        "this `}` closes nothing", "no block is open here",
        help "remove it, or look for a `{` that is missing above",
        writes "";

    /// The same below a declaration that looks as if it had a block.
    pub(super) fn brace_of(span: Span, head: &str, line: usize) = error(codes::STRAY_BRACE, span):
        "this `}` closes nothing", "no block is open here",
        help format!("if it closes what stands under line {line}, write there `{head} {{`; else remove it");

    /// `“words”`
    pub(super) fn curly_quotes(span: Span) = error("M0009", span):
        "a text stands between straight quotes", "these quotes are curly",
        help "write `\"…\"`; word processors make quotes curly by themselves";

    /// `# a remark`
    pub(super) fn hash_comment(span: Span) = error("M0010", span):
        "`#` does not begin a remark", "not read as a remark",
        help "write `//` before the remark";

    /// A sign that other languages have.
    pub(super) fn foreign_sign(span: Span, sign: &str, words: &str) = error("M0011", span):
        format!("`{sign}` is not a sign of this language"), format!("say `{words}`"),
        help format!("write `{words}` instead of `{sign}`"),
        writes format!("{words}{}", if sign == "!" { " " } else { "" });

    /// `p's role`
    pub(super) fn owned(span: Span, written: &str) = error("M0011", span):
        "`'` is not a sign of this language", format!("say `{written}`"),
        help format!("write `{written}`");

    /// `=` where `is` belongs.
    pub(super) fn equals_for_is(span: Span) = error("M0012", span):
        "`=` gives a name to something and compares nothing", "say `is`",
        help "write `is` to compare, as in `number of living is 3`",
        writes "is";

    /// A reserved word where a name belongs.
    pub(super) fn reserved_name(span: Span, word: &str) = error("M0013", span):
        format!("`{word}` is a word of the language and cannot be a name by itself"), "a name belongs here",
        help format!("put it between backticks, `` `{word}` ``, or choose another name"),
        writes format!("`{word}`");

    /// A declaration that begins with a word that begins none.
    pub(super) fn unknown_declaration(span: Span, word: &str, known: impl Iterator<Item = &'static str>) = error(codes::UNKNOWN_DECLARATION, span):
        format!("no declaration begins with `{word}`"), "unknown here",
        near word, known, else "a declaration begins with a word such as `role`, `team`, `rule`, `scene` or `option`";

    /// A statement that begins with a word that begins none.
    pub(super) fn unknown_statement(span: Span, word: &str, known: impl Iterator<Item = &'static str>) = error(codes::UNKNOWN_STATEMENT, span):
        format!("no statement begins with `{word}`"), "unknown here",
        near word, known, else "a statement begins with a word such as `say`, `ask`, `mark`, `do`, `if` or `play`";

    /// `choose patient from living`
    pub(super) fn choose_for_ask(span: Span, word: &str, name: &str) = error(codes::UNKNOWN_STATEMENT, span):
        format!("`{word}` asks nobody"), "who is asked?",
        help format!("write `ask me for {name} from …`, or `ask host for {name} from …`");

    /// `unless tough { … }`, `while coins is less than 3 { … }`
    pub(super) fn foreign_word(span: Span, word: &str, instead: &str) = error(codes::UNKNOWN_STATEMENT, span):
        format!("no statement begins with `{word}`"), "unknown here",
        help format!("write {instead}");

    /// `ask Guild x from living`
    pub(super) fn asked_for_what(span: Span, word: &str) = error(codes::MISFIT, span):
        format!("`{word}` is missing in this question"), format!("`{word}` belongs here"),
        help "the name of the answer stands between `for` and `from`: `ask me for victim from living`";

    /// `ask Guild for from living`
    pub(super) fn answer_without_name(span: Span) = error(codes::MISFIT, span):
        "the answer has no name", "a name belongs here",
        help "it stands between `for` and `from`: `ask me for victim from living`";

    /// `ending e: Guild wins when …`
    pub(super) fn whose_ending(span: Span, verdict: &str, who: &str) = error(codes::MISFIT, span):
        "an ending begins with `win`, `lose` or `draw`", "who it is comes behind",
        help format!("write `{verdict} {who} when …`");

    /// `team guild: "the guild"`
    pub(super) fn stray_sign(span: Span, sign: &str) = error(codes::MISFIT, span):
        format!("`{sign}` does not fit here"), "no sign belongs here",
        help format!("leave the `{sign}` out"),
        writes "";

    /// `import std.vote`
    pub(super) fn foreign_declaration(span: Span, word: &str, instead: &str) = error(codes::UNKNOWN_DECLARATION, span):
        format!("no declaration begins with `{word}`"), "unknown here",
        help format!("write {instead}");

    /// `role Healer max 1`
    pub(super) fn plain_english(span: Span, misfit: &str, expected: &str, help: &str) = error(codes::MISFIT, span):
        misfit, expected.to_owned(),
        help help.to_owned();

    /// `for n in 1..3 { … }`
    pub(super) fn for_each_of(span: Span, found: &str) = error(codes::MISFIT, span):
        format!("`{found}` does not fit here"), "`for each … of …` goes through all of them",
        help "write `for each p of living { … }`, or `for each n of 1..3 { … }`";

    /// `repeat 3 { … }`
    pub(super) fn repeat_times(span: Span, found: &str, count: &str) = error(codes::MISFIT, span):
        format!("`{found}` does not fit here"), "how many times?",
        help format!("write `repeat {count} times {{ … }}`, or `repeat {{ … }}` for what goes on until it comes to `stop`");

    /// `remainder of coins`
    pub(super) fn remainder_of_one(span: Span) = error(codes::MISFIT, span):
        "a remainder is left over by a division", "divided by what?",
        help "write `remainder of number of living / 2`";

    /// `seat p beside q`
    pub(super) fn who_sits_where(span: Span) = error(codes::MISFIT, span):
        "this does not say who sits where", "where?",
        help "write `seat p to left of q`, `seat p to right of q`, `seat arrived in order` or `swap seats of p and q`";

    /// A block without its opening brace.
    pub(super) fn missing_brace(span: Span, head: &str, inside: &str) = error(codes::MISSING_BLOCK, span):
        "a block is missing", "a `{` belongs here",
        help match inside {
            "…" => format!("put what is to happen between `{{` and `}}`: `{head} {{ … }}`; `{{ nothing }}` is a block, too"),
            _ => format!("put what is to happen between `{{` and `}}`, on as many lines as you like: `{head} {{ {inside} }}`"),
        };

    /// `overlay mayor on city`, and the next line goes on.
    pub(super) fn overlay_without_brace(span: Span, head: &str) = error(codes::MISSING_BLOCK, span):
        "an overlay holds what it changes between `{` and `}`", "a `{` belongs here",
        help format!("write `{head} {{` here, and `}}` on a line of its own behind all that it changes");

    /// `some hunted o no dying`
    pub(super) fn misspelt(span: Span, word: &str, meant: &str) = error(codes::MISFIT, span):
        format!("`{word}` does not fit here"), "a letter off?",
        help format!("did you mean `{meant}`?");

    /// `if some dying then judge`
    pub(super) fn block_of_one_line(span: Span, repair: &str) = error(codes::MISSING_BLOCK, span):
        "a block is missing", "a `{` belongs before what is to happen",
        help format!("write {repair}");

    /// `mark mark jailed`
    pub(super) fn twice_over(span: Span, word: &str) = error("M0017", span):
        format!("`{word}` stands here twice"), "once more",
        help format!("leave one `{word}` out");

    /// `role Serial Killer of Hamlet`
    pub(super) fn spaced_name(span: Span, words: &[&str], is_titled: bool) = error("M0017", span):
        "a name has no spaces in it", format!("{} words", words.len()),
        help match words {
            _ if is_titled => format!("write `{written}`, with a hyphen: what people see is the text behind it"),
            [_, "the" | "a" | "an", ..] => format!("what people see stands in quotes: `{written}`"),
            _ => format!("write `{written}`: the name with a hyphen, then what people see"),
        },
        writes written,
        where written = match words {
            _ if is_titled => words.join("-"),
            [name, "the" | "a" | "an", ..] => format!("{name} \"{}\"", words[1..].join(" ")),
            _ => format!("{} \"{}\"", words.join("-"), words.join(" ")),
        };

    /// `50% of living`
    pub(super) fn percent(span: Span, number: &str) = error("M0011", span):
        "`%` is not a sign of this language", "a share of what?",
        help match number {
            "50" => "half of them is `half of living`".to_owned(),
            _ => format!("a share is worked out: `number of living * {number} / 100`"),
        };

    /// `role Smuggler of Hamlet replace Fool`
    pub(super) fn replaces(span: Span) = error("M0018", span):
        "`replace` changes what is declared elsewhere", "`replaces` is meant",
        help "write `replaces`",
        writes "replaces";

    /// Two statements or declarations on one line.
    pub(super) fn missing_end(span: Span, word: &str) = error("M0018", span):
        format!("`{word}` begins something new, but the line has not ended"), "a new start",
        help format!("put `;` before `{word}`, or begin a new line with it");

    /// Anything else that the grammar did not expect.
    pub(super) fn unexpected(span: Span, misfit: &str, expected: &str, example: Option<&str>) = error(codes::MISFIT, span):
        misfit, format!("expected {expected}"),
        help match example {
            Some(example) => format!("it is written like this: `{example}`"),
            None => format!("write {expected} here"),
        };

    /// A sign without width, from a page or a word processor.
    pub(super) fn unseen_sign(span: Span, sign: char) = error("M0011", span):
        format!("a sign stands here that nobody can see (U+{:04X})", u32::from(sign)), "here",
        help "delete it: a copied text brings such signs along",
        writes "";

    /// `judge when rounds is 2`
    pub(super) fn when_for_if(span: Span, statement: &str, condition: &str) = error(codes::MISFIT, span):
        "a statement takes no `when`", "conditions stand before it",
        help format!("write `if {condition} {{ {statement} }}`");

    /// `mark leader one, deputy one`
    pub(super) fn one_of_several(span: Span) = error(codes::MISFIT, span):
        "several names in one line are declared alike", "does not fit here",
        help "say `one` once, behind the last name: `mark leader, deputy one`; or give each name a line";

    /// `from living where it is A and it is B`
    pub(super) fn and_behind_where(span: Span, test: &str, joins: &str) = error(codes::MISFIT, span):
        format!("`where` takes one comparison, and `{joins}` stands outside of it"), "does not fit here",
        help format!("put brackets around all of it: `where ({test} {joins} …)`");

    /// `living (Guild) of p`
    pub(super) fn of_behind_brackets(span: Span) = error(codes::MISFIT, span):
        "`of` does not fit here", "behind brackets",
        help "brackets before `of` say how many: `top (2 + 1) of deck`; otherwise put the words with `of` in brackets";

    /// `ask me for n friends from …`, `move n from deck`
    pub(super) fn count_without_brackets(span: Span, word: &str, example: &str) = error(codes::MISFIT, span):
        format!("`{word}` does not say how many here"), "a number that is worked out",
        help format!("a number that is not written in digits stands in brackets: `{example}`");

    /// `elif p is dead {`
    pub(super) fn else_if(span: Span, word: &str) = error(codes::MISFIT, span):
        format!("`{word}` does not fit here"), "two words here",
        help "write `else if`",
        writes "else if";

    /// `tell Smuggler, Healer "…"`
    pub(super) fn sets_without_plus(span: Span, found: &str, [one, other]: [&str; 2]) = error(codes::MISFIT, span):
        format!("`{found}` does not join sets"), "one set is named here",
        help match one == "host" || other == "host" {
            true => "the host is asked by himself, with a line of his own: `ask host …`".to_owned(),
            false => format!("these and those together are joined by `plus`, as in `{one} plus {other}`"),
        },
        where (one, other) = match [one, other].iter().all(|word| word.starts_with(char::is_alphabetic)) {
            true => (one, other),
            false => ("Smuggler", "Healer"),
        };

    /// `living without Smuggler and Healer`
    pub(super) fn each_without(span: Span, found: &str, [one, other]: [&str; 2]) = error(codes::MISFIT, span):
        format!("`{found}` does not join sets"), "one set is named here",
        help format!("each is taken out by itself: `without {one} without {other}`");

    /// `living and not Guild`
    pub(super) fn and_not_for_without(span: Span, found: &str, one: &str, other: &str) = error(codes::MISFIT, span):
        format!("`{found}` does not join sets"), "one set is named here",
        help format!("those without these are `{one} without {other}`");

    /// `play Duel of seat 1, seat 2`
    pub(super) fn handed_without_and(span: Span) = error(codes::MISFIT, span):
        "a comma does not go from one thing that is handed over to the next", "`and` belongs here",
        help "as in `play Duel of p and q and 3`; several people as one thing are joined by `plus`";

    /// `"the {target"`
    pub(super) fn open_slot(span: Span) = error("M0020", span):
        "this `{` in a text is never closed", "opened here",
        help "put `}` after the value; to say a brace, write `{{`";

    /// `"the {role of "x"}"`
    pub(super) fn quotes_in_slot(span: Span) = error("M0020", span):
        "there are quotes between the braces of this text", "a quote ends a text",
        help "leave the inner quotes out: names stand there as they are, as in `{role of target}`, and so do words, as in `{dying: nobody | one | several}`; a text by cases gets a name, `let sky = \"light\" when … else \"dark\"`, and is said as `{sky}`";

    /// `tell seat times Noon "…"`
    pub(super) fn seat_without_brackets(span: Span, number: &str) = error(codes::MISFIT, span):
        format!("`{number}` is worked out"), "which seat?",
        help format!("a number that is worked out stands in brackets: `seat ({number})`, `seat ({number} + 1)`");

    /// `"the target}"`
    pub(super) fn stray_slot_end(span: Span) = error("M0021", span):
        "this `}` in a text closes nothing", "no `{` before it",
        help "put `{` before the value; to say a brace, write `}}`";

    /// `"{dying: one | many}"`
    pub(super) fn wording_count(span: Span, count: usize) = error("M0022", span):
        match count {
            1 => "a choice of words needs three wordings, and this has one".to_owned(),
            count => format!("a choice of words needs three wordings, and this has {count}"),
        },
        "for none, for one, for many",
        help "write `{dying: nobody died | one died | several died}`";

    /// `"{dying nobody died | one died | several died}"`
    pub(super) fn wordings_of_what(span: Span) = error("M0022", span):
        "a choice of words has a `:` behind what decides", "no `:` in it",
        help "write `:` before the first wording, as in `{dying: nobody died | one died | several died}`";

    /// `"{}"`
    pub(super) fn empty_slot(span: Span) = error("M0023", span):
        "there is nothing between these braces", "a value belongs here",
        help "write what is to be said, as in `{target}`; to say a brace, write `{{`";

    /// `"\q"`
    pub(super) fn unknown_escape(span: Span, escape: &str) = error("M0024", span):
        format!("`{escape}` means nothing in a text"), "unknown",
        help r#"`\"` is a quote, `\\` a backslash and `\n` a new line"#;

    /// `3-1`
    pub(super) fn glued_minus(span: Span, found: &str, is_range: bool) = error("M0025", span):
        format!("`{found}` is neither a number nor a name"), "a minus without spaces",
        help match is_range {
            true => format!("from one to the other is `{}`", found.replacen('-', "..", 1)),
            false => format!("put spaces around the sign: `{}`", found.replacen('-', " - ", 1)),
        };

    /// `Smuggler 1-2` in a cast
    pub(super) fn range_in_cell(span: Span, found: &str) = error("M0025", span):
        format!("`{found}` is neither a number nor `rest`"), "how many of them?",
        help "in a cast stands one number for so many players; where it is another, make a column more";

    /// `role 3rd-man`
    pub(super) fn digit_name(span: Span, found: &str) = error("M0026", span):
        format!("`{found}` cannot be a name"), "begins with a digit",
        help "begin the name with a letter";

    /// A declaration where a statement belongs.
    pub(super) fn declaration_in_block(span: Span, word: &str) = error("M0027", span):
        format!("`{word}` begins a declaration and cannot stand inside a block"), "inside a block",
        help "close the block above it with `}`, or move it out";

    /// A statement where a declaration belongs.
    pub(super) fn statement_outside(span: Span, word: &str) = error(codes::STATEMENT_OUTSIDE, span):
        format!("`{word}` begins a statement, and statements stand inside a block"), "outside of any block",
        help match word {
            "set" => "move it into `script { … }`, a scene, a rule or a part of a role; the value of an option is chosen with `choose tied-vote = nobody`",
            _ => "move it into `script { … }`, a scene, a rule or a part of a role",
        };

    /// `if` where `when` belongs.
    pub(super) fn if_for_when(span: Span) = error("M0030", span):
        "`if` begins a statement and gives no condition here", "say `when`",
        help "write `when` before a condition that stands at the end",
        writes "when";

    /// `on city { … }` anywhere but between the braces of an overlay.
    pub(super) fn misplaced_section(span: Span) = error("M0031", span):
        "a section `on …` can only stand in an overlay itself",
        "not in an overlay, or inside another section",
        help "move it between the braces of the overlay, beside the other sections; what happens at a scene or an event is a rule: `rule howl: before Dusk { … }`";

    /// `3 when tough` with nothing for when it is not.
    pub(super) fn case_without_else(span: Span) = error("M0033", span):
        "a value by cases must say what it is otherwise", "no `else` behind this condition",
        help "add `else` and a value; an `else` that belongs to the condition, and a value that is a condition, go into brackets";

    /// `number of living / 2`
    pub(super) fn not_rounded(sign: Span, all: &str, is_one: bool) = error("M0035", sign):
        "a division must say how it is rounded", "rounded up, or down?",
        help match is_one {
            true => format!("write `{all} rounded up`, or `rounded down`; `remainder of {all}` is what is left over"),
            false => format!("write `{all} rounded up`, or `rounded down`"),
        };

    /// `a + b rounded up`
    pub(super) fn rounds_no_division(rounded: Span) = error("M0035", rounded):
        "only a division is rounded", "nothing is divided here",
        help "leave it out, or write `number of living / 2 rounded up`";

    /// `claim is "I am {role}"`
    pub(super) fn slot_in_written(span: Span) = error("M0036", span):
        "what somebody wrote is compared with words that stand there", "a slot",
        help "write the words in full; `{{` is a brace";

    /// `role Smuggler "a smuggler beside {seat 1}"`
    pub(super) fn slot_in_title(span: Span) = error("M0037", span):
        "what something is called is the same in all games", "a slot",
        help "write the words in full, and what hangs on the game in a `say` or `tell`; `{{` is a brace";

    /// `ask each living together`
    pub(super) fn each_together(span: Span) = error(codes::MISFIT, span):
        "each answers for himself, or all together give one answer", "one of the two is meant",
        help "leave out `together` for an answer of each, and `each` for one answer of all";

    /// `claim is ""`
    pub(super) fn nobody_writes(span: Span) = error("M0036", span):
        "nobody can write this", "nothing, or more than may be written",
        help "whether nothing was written is `no claim`";

    /// `ask me to write will up to 5000 letters`
    pub(super) fn letters_out_of_bounds(span: Span, longest: u32) = error("M0036", span):
        format!("a text has 1 to {longest} letters"), "not as many",
        help "leave it out, and 200 letters may be written";

    /// A table of values whose first row begins with no name.
    pub(super) fn table_without_head(span: Span) = error("M0034", span):
        "the first row of a table says what its columns are", "no name",
        help "begin it with `players`, or with the name of a number, and go on with the numbers of each column";

    /// A column that is headed by something else than numbers.
    pub(super) fn column_is_a_number(span: Span) = error("M0034", span):
        "a column of a table is headed by a number", "not a number",
        help "begin with a row that heads the columns, as in `players 5..7 8`, and put the values into the rows below it";

    /// A column or a row for what an earlier one is for.
    pub(super) fn headed_twice(span: Span, first: Span, what: &str) = error("M0034", span):
        format!("two {what}s of this table are for the same value"), "never used for it",
        also first, "this one comes first",
        help format!("leave one of them out, or let their ranges not overlap: a {what} for each value");

    /// `3..1` at the head of a row or a column.
    pub(super) fn headed_backwards(span: Span, (low, high): (i64, i64)) = error("M0034", span):
        "this range holds no number", "the lower number comes first",
        help format!("write `{low}..{high}`"),
        writes format!("{low}..{high}");

    /// A row that is longer or shorter than the first.
    pub(super) fn cells_of_no_column(span: Span, cells: usize, columns: usize) = error("M0034", span):
        format!("this row has {cells} values, the table has {columns} columns"), "does not fit",
        help "write one value for each column, or a single one for all";

    /// An overlay in an overlay.
    pub(super) fn nested_overlay(span: Span) = error("M0029", span):
        "an overlay cannot stand inside another overlay", "inside an overlay",
        help "close the overlay above it with `}`, or move this one out";
}
