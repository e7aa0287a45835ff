; What later patterns say goes before what earlier ones say.

(name) @variable
((name) @type
  (#match? @type "^[A-Z]"))
((condition (name) @keyword.operator)
  (#any-of? @keyword.operator
    "among" "and" "at" "during" "every" "exactly" "is" "least" "less" "more" "most" "no" "not" "number" "of" "or" "plus"
    "some" "than" "times" "where" "without"))

[
  "anything" "applied" "are" "aside" "asked" "between" "cannot" "card" "cards" "case" "cases" "cast" "containing" "covers" "does" "draw" "drawn" "difference"
  "each" "every" "end" "ended" "error" "expect" "fault" "goes" "hand" "happened" "include" "know" "knows" "loser" "losers" "lot" "minute" "minutes"
  "never" "only" "open" "otherwise" "pile" "random" "refused" "repeat" "rest" "ruleset" "run" "said" "same" "seats" "see"
  "second" "seconds" "seed" "sees" "set" "setup" "shown" "snapshot" "some" "tally" "the" "told" "warning" "winner" "winners" "wins"
] @keyword
(is_draw) @keyword
(times ["time" "times"] @keyword)
(repeated ["time" "times"] @keyword)

[
  "among" "but" "by" "for" "in" "is" "no" "not" "of" "on" "or" "plus" "then" "to" "with" "within" "yet"
] @keyword.operator
["play" "common"] @keyword.type
["host" "nobody" "pass"] @constant.builtin

(section name: (name) @function)
(common name: (name) @function)
(seat name: (name) @variable.parameter)
(code) @constant
(int) @number
(hand_number) @number
(text) @string
(escape) @string.escape
(slot) @variable.parameter
(comment) @comment

["{" "}" "(" ")" "[" "]"] @punctuation.bracket
["," ":" ";"] @punctuation.delimiter
["=" "->" ".."] @operator
(more) @operator
(sign) @operator
