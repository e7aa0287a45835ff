; What later patterns say goes before what earlier ones say.

(name) @variable
(path) @string.special.path
((name) @type
  (#match? @type "^[A-Z]"))

[
  "add" "after" "all" "allow" "as" "ask" "back" "backs" "before" "by" "call" "called" "cancel" "card" "cards" "cast"
  "choose" "clear" "deal" "do" "down" "draw" "each" "end" "ending" "exclude" "flip" "from" "gives" "in"
  "include" "instead" "into" "leave" "left" "let" "letter" "letters" "lose" "lot" "lower" "move" "needs" "number"
  "on" "one" "only" "openly" "order" "perform" "plan" "play" "players" "publish" "put" "raise" "random" "refuses"
  "remainder" "remove" "replace" "replaces" "require" "rest" "right" "roles" "rounded" "say" "seat" "seated" "seats" "seen" "set" "settle" "several" "show"
  "shuffle" "spare" "subtract" "swap" "tell" "then" "to" "together" "turn" "under" "unlink" "unmark"
  "unseen" "up" "use" "wait" "warn" "whether" "win" "with" "within" "write" "yes-or-no"
] @keyword
(unit) @keyword
(stop) @keyword.control
(judge) @keyword
(end_game) @keyword.control
(nothing) @keyword

[
  "else" "for" "if" "repeat" "until" "when"
] @keyword.control
[
  "among" "and" "at" "during" "every" "exactly" "half" "is" "least" "less" "more" "most" "not" "of"
  "or" "planned" "plus" "some" "than" "times" "weighing" "where" "without"
] @keyword.operator
[
  "class" "count" "define" "event" "flag" "hook" "library" "link" "mark" "option" "overlay" "policy" "role"
  "rule" "ruleset" "scene" "script" "team" "text" "token" "word" "zone"
] @keyword.type
[
  "yes" "no" "nobody"
] @constant.builtin
(yes_no) @constant.builtin
(no_some "no" @keyword.operator)

((name) @variable.builtin
  (#any-of? @variable.builtin "me" "it" "that" "host" "players" "living" "others"))

(class_item name: (name) @type.definition)
(team_item name: (name) @type.definition)
(role_item name: (name) @type.definition)
(token_item name: (name) @type.definition)
(scene_item name: (name) @function)
(event_item name: (name) @function)
(rule_item name: (name) @function)
(policy_item name: (name) @function)
(hook_item name: (name) @function)
(allow_item name: (name) @function)
(ending_named name: (name) @function)
(option_item name: (name) @property)
(ask_for name: (name) @variable.parameter)
(pick name: (name) @variable.parameter)
(let_name name: (name) @variable.parameter)
(for_each name: (name) @variable.parameter)
(param (name) @variable.parameter)

(int) @number
(text) @string
(script_text) @string.special
(escape) @string.escape
(slot ["{" "}"] @punctuation.special)
(comment) @comment

["{" "}" "(" ")"] @punctuation.bracket
["," ":" ";"] @punctuation.delimiter
["=" ".." "|" "+" "-" "*"] @operator
