/**
 * The tree-sitter grammar of `.mafia` files, for editors.
 *
 * `grammar/mafia.pest` is the truth; a rule here that does the same work has the same name, and
 * `tests/editors` holds the two together. A line end that ends nothing is a token of its own, named after
 * what follows it: `src/scanner.c` looks ahead, so that one token of lookahead is enough.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const LETTER = '\\p{L}';
const TAIL = '[\\p{L}\\p{M}\\p{N}_]';
const NAME = `[${LETTER}_]${TAIL}*(-[\\p{L}\\p{N}]${TAIL}*)*`;

/** A fraction; two of them in a row begin a remark. */
const SLASH = token(prec(-2, '/'));

/** One or more, with a comma between. */
const listed = ($, rule) => seq(rule, repeat(seq(',', optional($._on), rule)));
/** What stands between braces, each on a line of its own. */
const lines = ($, rule) =>
  seq('{', optional($._ends), optional(seq(rule, repeat(seq($._ends, rule)), optional($._ends))), '}');
/** `of role c` */
const ofParam = ($) => optional(seq('of', $.param));

module.exports = grammar({
  name: 'mafia',

  word: ($) => $._word,

  extras: ($) => [/[ \t\r\uFEFF\u00A0\u202F\u3000]/, $.comment],

  externals: ($) => [
    $._end, // ends a statement or a declaration
    $._after, // behind a comma or another sign that something must follow
    $._before_or, // the next line begins with `or`
    $._before_and,
    $._before_joint, // with `plus`, `without`, `else`, `where`
    $._before_sign, // with `+`, `-`, `*`
    $._before_bracket, // with `)`
    $._before_when, // with `when` or `during`
    $._before_then,
    $._before_limit, // with `replaces`, `needs`, `refuses`
    $._before_text,
    $._before_script,
    $._before_brace,
    $._never, // valid nowhere but where an editor's text is broken
  ],

  reserved: {
    global: () => [
      'among', 'and', 'as', 'at', 'by', 'during', 'else', 'every', 'for', 'from', 'in', 'into', 'is', 'no', 'not',
      'of', 'on', 'openly', 'or', 'planned', 'plus', 'some', 'times', 'to', 'together', 'under', 'unseen', 'until',
      'weighing', 'when', 'where', 'whether', 'with', 'within', 'without',
    ],
  },

  supertypes: ($) => [$.item, $.statement],

  conflicts: ($) => [[$.weight, $._near_part], [$.sum_op, $._else_written]],

  rules: {
    file: ($) =>
      seq(
        optional($._ends),
        optional(seq(choice($.item, $.overlay), repeat(seq($._ends, choice($.item, $.overlay))), optional($._ends))),
      ),

    comment: () => token(prec(-1, /\/\/[^\n]*/)),
    _ends: ($) => repeat1(choice(';', $._end)),

    // Line ends that end nothing.
    _on: ($) => repeat1($._after),
    _to_or: ($) => repeat1($._before_or),
    _to_and: ($) => repeat1($._before_and),
    _to_joint: ($) => repeat1($._before_joint),
    _to_sign: ($) => repeat1($._before_sign),
    _to_bracket: ($) => repeat1($._before_bracket),
    _to_when: ($) => repeat1($._before_when),
    _to_then: ($) => repeat1($._before_then),
    _to_limit: ($) => repeat1($._before_limit),
    _to_text: ($) => repeat1($._before_text),
    _to_script: ($) => repeat1($._before_script),
    _to_brace: ($) => repeat1($._before_brace),

    // ---- Words

    name: ($) => choice($._word, $._quoted_word),
    _word: () => new RustRegex(NAME),
    _quoted_word: () => new RustRegex('`' + NAME + '`'),
    _dotted_word: () => new RustRegex(`${NAME}(\\.${NAME})+`),
    path: ($) => choice($._word, $._dotted_word),
    int: () => /[0-9]+/,
    names: ($) => listed($, $.name),

    texts: ($) => seq($.text, repeat(seq(optional($._to_text), $.text))),
    text: ($) => seq('"', repeat(choice($.words, $.escape, $.slot)), token.immediate('"')),
    words: () => token.immediate(prec(1, /[^"{}\\\n]+/)),
    escape: () => token.immediate(prec(1, choice(/\\["\\n]/, '{{', '}}'))),
    slot: ($) => seq(token.immediate('{'), optional('several'), $._value, optional($.wordings), '}'),
    wordings: ($) => seq(':', optional($.wording), '|', optional($.wording), '|', optional($.wording)),
    wording: ($) => repeat1(choice(alias($._wording_words, $.words), alias($._wording_escape, $.escape), $.slot)),
    _wording_words: () => token.immediate(prec(1, /[^"{}|\\\n]+/)),
    _wording_escape: () => token.immediate(prec(1, /\\["\\n]/)),

    script_text: ($) => seq('"""', optional($.script_body), '"""'),
    script_body: () => token(prec(1, /([^"]|"[^"]|""[^"])+/)),

    // ---- Declarations

    item: ($) =>
      choice(
        $.ruleset_item, $.library_item, $.use_item, $.publish_item, $.players_item, $.cast_item, $.require_item,
        $.warn_item, $.class_item, $.team_item, $.role_item, $.token_item, $.zone_item, $.mark_item, $.flag_item,
        $.count_item, $.word_item, $.text_item, $.link_item, $.define_item, $.include_item, $.exclude_item, $.add_item, $.raise_item, $.lower_item, $.event_item,
        $.rule_item, $.scene_item, $.script_item, $.allow_item, $.ending_item, $.option_item, $.hook_item,
        $.needs_item, $.refuses_item, $.replace_item, $.remove_item, $.choose_item, $.spare_item, $.policy_item,
      ),

    overlay: ($) =>
      seq(
        'overlay', field('name', $.name), optional($.texts), 'on', $.names, optional($._to_brace),
        lines($, choice($.item, $.section)),
      ),
    section: ($) => seq('on', $.names, optional($._to_brace), lines($, $.item)),

    ruleset_item: ($) => seq('ruleset', field('name', $.name), optional($.texts)),
    library_item: ($) => seq('library', field('name', $.name), optional($.texts)),
    use_item: ($) => seq('use', listed($, choice($.text, $.path))),
    publish_item: ($) => seq('publish', $.names),
    players_item: ($) => seq('players', $.range, optional($.seated)),
    seated: () => seq('seated', 'by', 'lot'),

    cast_item: ($) =>
      seq(
        'cast', optional('only'), optional(field('name', $.name)), optional($.texts),
        choice(seq(optional($._to_brace), lines($, $.cast_row)), $.cast_swaps),
      ),
    cast_swaps: ($) => seq('at', $.int, 'with', listed($, $.cast_swap)),
    cast_swap: ($) => seq($.name, 'for', $.name),
    cast_row: ($) => seq($.name, repeat1(choice($.range, 'rest'))),
    range: ($) => seq($.int, optional(seq('..', $.int))),

    require_item: ($) =>
      seq('require', field('name', $.name), ':', optional($._on), $._expr, optional($._to_text), $.texts),
    warn_item: ($) =>
      seq('warn', field('name', $.name), ':', optional($._on), $._expr, optional($._to_text), $.texts),

    class_item: ($) => seq('class', field('name', $.name), optional($.texts)),
    team_item: ($) => seq('team', field('name', $.name), optional($.texts), optional($.is_classes), optional($.parts)),
    is_classes: ($) => seq('is', $.names),
    role_item: ($) =>
      seq(
        'role', field('name', $.name), optional($.texts), optional($.several), optional($.role_team), optional($.is_classes),
        repeat($.side_else), optional($.role_limit), repeat(choice($.role_replaces, $.role_needs, $.role_refuses)),
        optional($.parts),
      ),
    side_else: ($) =>
      seq(
        optional($._to_when), 'when', $.name, 'is', $.option_value, optional($._to_joint), 'else',
        optional($.role_team), optional($.is_classes),
      ),
    role_team: ($) => seq('of', $.name),
    role_limit: ($) => seq('at', 'most', $.int),
    role_replaces: ($) =>
      seq(optional($._to_limit), 'replaces', $.names, repeat(seq(optional($._to_then), 'then', $.names)), optional($.where_option)),
    role_needs: ($) => seq(optional($._to_limit), 'needs', $.names, optional($.where_option)),
    role_refuses: ($) => seq(optional($._to_limit), 'refuses', $.names, optional($.where_option)),
    where_option: ($) => seq(optional($._to_when), 'when', $.name, 'is', $.option_value),
    parts: ($) => seq(optional($._to_brace), lines($, $.part)),
    part: ($) => seq('when', 'called', optional(seq('to', $.name)), $.block),

    several: ($) => seq('several', $.texts),
    token_item: ($) =>
      seq(
        'token', field('name', $.name), optional($.texts), optional($.several), optional($.int),
        optional(seq('is', $.face, repeat(seq('|', optional($._on), $.face)))),
      ),
    face: ($) => seq(field('name', $.name), optional($.texts)),
    zone_item: ($) =>
      seq(
        'zone', field('name', $.name), optional($.texts), optional(seq('of', 'each')), optional(seq('is', 'role')),
        optional($.seen_by), optional(seq('with', 'backs', $.seen_by)),
      ),

    mark_item: ($) =>
      seq('mark', $.names, optional(choice('one', seq('in', 'order'))), optional($._kept), optional($.texts)),
    flag_item: ($) => seq('flag', $.names, optional($._kept), optional($.texts)),
    count_item: ($) =>
      seq(
        'count', $.names, optional(seq('of', 'each')), optional($.count_start), optional($._kept),
        optional($.texts),
      ),
    count_start: ($) => seq('=', optional('-'), $.int),
    word_item: ($) =>
      seq(
        'word', $.names, optional($.texts), optional(seq('of', 'each')), ':', optional($._on), $.word_value,
        repeat1(seq('|', optional($._on), $.word_value)), optional($.word_start), optional($._kept),
      ),
    text_item: ($) =>
      seq('text', $.names, optional($.texts), optional(seq('of', 'each')), optional($._kept)),
    word_value: ($) => seq(field('name', $.name), optional($.texts)),
    word_start: ($) => seq('=', $.name),
    link_item: ($) =>
      seq(
        'link', $.names, optional('one'), optional(seq('back', $.name)), optional(seq('to', choice('roles', 'cards'))),
        optional($._kept), optional($.texts),
      ),
    _kept: ($) => choice(seq($.seen_by, optional($.life)), seq($.life, optional($.seen_by))),
    seen_by: ($) => seq('seen', 'by', $._sum),
    life: ($) => seq('until', optional(seq('end', 'of')), $.name),

    define_item: ($) =>
      seq(
        'define', field('name', $.name),
        choice(seq('of', $.param, $.value_table), seq(ofParam($), '=', optional($._on), $._value)),
      ),
    value_table: ($) => seq(optional($._to_brace), lines($, $.table_row)),
    table_row: ($) => seq(choice($.name, $.range), repeat1($._table_cell)),
    _table_cell: ($) => choice($.range, seq('-', $.int), $.name, 'yes', 'no'),
    include_item: ($) => seq('include', $._sum, 'in', $.name, ofParam($), optional($.when)),
    exclude_item: ($) => seq('exclude', $._sum, 'from', $.name, ofParam($), optional($.when)),
    add_item: ($) => seq('add', $._sum, 'to', $.name, ofParam($), optional($.when)),
    param: ($) =>
      choice(seq(optional(choice('role', 'card', 'number')), $.name), alias(choice('role', 'card', 'number'), $.name)),
    raise_item: ($) => seq('raise', $.name, ofParam($), 'to', $._sum, optional($.when)),
    lower_item: ($) => seq('lower', $.name, ofParam($), 'to', $._sum, optional($.when)),
    _params: ($) => seq($.param, repeat(seq('and', $.param))),
    when: ($) => seq(optional($._to_when), 'when', optional($._on), $._expr),

    event_item: ($) =>
      seq('event', field('name', $.name), choice(seq('is', $.names), seq(optional($.event_params), $.block))),
    event_params: ($) =>
      choice(
        seq('of', $.param, optional(seq('by', $.name)), optional(seq('with', $._params))),
        seq('by', $.name, optional(seq('with', $._params))),
        seq('with', $._params),
      ),

    rule_item: ($) =>
      seq(
        'rule', field('name', $.name), repeat($.rule_order), ':', optional($._on), $.moment, $.happening,
        optional($.when), $.block,
      ),
    rule_order: ($) => seq(choice('before', 'after'), $.name),
    moment: () => choice('before', seq('instead', 'of', optional('each')), 'after'),
    happening: ($) =>
      seq(
        $.names, optional(seq($.of_pattern, repeat($.and_pattern))), optional($.by_pattern), optional($.with_pattern),
      ),
    of_pattern: ($) => seq('of', $._sum, optional(seq('as', $.name))),
    and_pattern: ($) => seq('and', $._sum, optional(seq('as', $.name))),
    by_pattern: ($) => seq('by', $._sum, optional(seq('as', $.name))),
    with_pattern: ($) => seq('with', $.name, repeat(seq('and', $.name))),

    scene_item: ($) => seq('scene', field('name', $.name), optional($.texts), optional(seq('of', $._params)), $.block),
    script_item: ($) => seq('script', $.block),

    allow_item: ($) =>
      seq(
        'allow', $._sum, 'to', field('name', $.name), optional($.texts), optional($.pick),
        optional($.during_names), optional($.when), $.block,
      ),
    pick: ($) =>
      choice(
        seq('to', 'write', field('name', $.name), optional($.most_letters)),
        seq(field('name', $.name), 'from', $.domain),
      ),
    during_names: ($) => seq(optional($._to_when), 'during', $.names),

    ending_item: ($) => choice($.ending_named, $.ending_plain),
    ending_named: ($) =>
      seq(
        'ending', field('name', $.name), optional($.ending_order),
        choice(seq(':', optional($._on), $.ending_plain), seq($.when, optional($.texts), $.block)),
      ),
    ending_order: ($) => choice(seq('before', choice('all', $.name)), seq('after', $.name)),
    ending_plain: ($) =>
      seq(
        choice(seq(choice('win', 'lose'), $._sum), 'draw'), $.when,
        optional(seq(optional($._to_text), $.texts)),
      ),

    option_item: ($) =>
      seq(
        'option', field('name', $.name), ':', $.option_values, '=', $.option_value, optional($._to_text), $.texts,
      ),
    option_values: ($) =>
      choice(seq($.option_value, repeat1(seq('|', optional($._on), $.option_value))), $.range),
    option_value: ($) => choice($.int, 'yes', 'no', $.name),

    hook_item: ($) =>
      seq(
        'hook', field('name', $.name), ofParam($), 'gives', choice('players', 'number', 'yes-or-no'),
        optional($._to_text), $.texts, optional($._to_script), $.script_text,
      ),

    needs_item: ($) => seq('needs', $.names),
    refuses_item: ($) => seq('refuses', $.names),
    replace_item: ($) => seq('replace', choice($.replace_call, $.item)),
    replace_call: ($) => seq('call', $.name, optional(seq('to', $.name)), $.block),
    remove_item: ($) => seq('remove', $.names),
    choose_item: ($) => seq('choose', $.name, '=', $.option_value),
    policy_item: ($) =>
      seq('policy', field('name', $.name), optional($.texts), optional($._to_brace), lines($, $.policy_line)),
    policy_line: ($) =>
      seq($.names, optional(seq('by', $._sum)), optional($.when), ':', optional($._on), listed($, $._expr)),
    spare_item: ($) => seq('spare', choice($.int, 'rest')),

    // ---- Statements

    block: ($) => seq(optional($._to_brace), lines($, $.statement)),

    statement: ($) =>
      choice(
        $.say, $.tell, $.show, $.wait, $.ask, $.draw, $.if_else, $.for_each, $.repeat, $.stop, $.leave, $.play,
        $.call, $.perform, $.do_event, $.plan, $.settle, $.cancel, $.judge, $.win_now, $.lose_now, $.end_game,
        $.mark, $.unmark, $.link, $.unlink, $.clear, $.let_name, $.set_fact, $.add_fact, $.subtract_fact, $.turn, $.deal, $.shuffle,
        $.put, $.swap, $.sit_down, $.move_cards, $.flip, $.nothing,
      ),

    say: ($) => seq('say', $.texts, optional($.named)),
    tell: ($) => seq('tell', $._sum, $.texts, optional($.named)),
    show: ($) => seq('show', choice($.texts, $._expr), 'to', $._sum, optional($.named)),
    named: ($) => seq('as', $.name),
    wait: ($) => seq('wait', optional($.limit), optional($.texts), optional($.named)),
    limit: ($) => seq(choice($.int, $.group, $.name), optional($.unit)),
    unit: () => choice('second', 'seconds', 'minute', 'minutes'),
    within: ($) => seq('within', $.limit, optional($.late)),
    late: ($) => seq(optional($._to_joint), 'else', $.block),

    ask: ($) =>
      seq(
        'ask', optional('each'), $._sum, optional($.ask_order), optional('together'),
        choice($.ask_for, $.ask_write, $.ask_whether, $._menu_texts), optional($.openly), optional($.texts), optional($.within),
      ),
    _menu_texts: ($) =>
      seq(
        optional($.menu_name),
        optional(choice(seq($.openly, optional($.texts)), seq($.texts, optional($.openly)))), $.menu,
      ),
    menu_name: ($) => seq('for', field('name', $.name)),
    ask_order: ($) => seq('in', 'order', optional(seq('from', $._sum))),
    ask_for: ($) =>
      seq('for', optional($.amount), field('name', $.name), 'from', $.domain, optional($.or_nobody)),
    amount: ($) => seq(optional(seq('up', 'to')), choice($.int, $.group)),
    or_nobody: ($) => seq('or', 'nobody', optional($.when)),
    domain: ($) => choice($.int_range, seq($._sum, optional('unseen'))),
    int_range: ($) => seq($._sum, '..', $._sum),
    ask_write: ($) =>
      seq('to', 'write', field('name', $.name), optional($.most_letters), optional($.or_nobody)),
    most_letters: ($) => seq('up', 'to', $.int, choice('letters', 'letter')),
    ask_whether: ($) => seq('whether', field('name', $.name)),
    openly: ($) => seq('openly', optional(seq('to', $._sum))),
    menu: ($) => seq(optional($._to_brace), lines($, $.menu_branch)),
    menu_branch: ($) =>
      seq(field('name', $.name), optional($.texts), optional($.pick), optional($.when), $.block),

    draw: ($) =>
      seq(
        'draw', optional($.draw_count), field('name', $.name), 'from', choice($.weighted, $.domain),
        optional($.openly),
      ),
    draw_count: ($) => choice($.int, $.group),
    weighted: ($) => seq($.weight, repeat1(seq(',', optional($._on), $.weight))),
    weight: ($) => seq($.int, $.name),

    if_else: ($) => seq('if', $._expr, $.block, optional($.else_part)),
    else_part: ($) => seq(optional($._to_joint), 'else', choice($.if_else, $.block)),
    for_each: ($) =>
      seq(
        'for', 'each', field('name', $.name), 'of', $.domain, optional($.by_order), optional(seq('from', $._sum)),
        $.block,
      ),
    by_order: ($) => seq('in', choice(seq('random', 'order'), seq('order', 'of', $.name))),
    repeat: ($) => seq('repeat', optional(seq($._sum, 'times')), $.block),
    stop: () => 'stop',
    leave: ($) => seq('leave', optional($.name)),
    play: ($) => seq('play', $.name, optional(seq('of', $._handed))),
    _handed: ($) => seq($._sum, repeat(seq('and', $._sum))),
    call: ($) => seq('call', $._sum, optional(seq('to', $.name))),
    perform: ($) => seq('perform', $._sum, optional(seq(optional(seq('to', $.name)), 'by', $._sum))),
    do_event: ($) => seq('do', $.happen),
    plan: ($) => seq('plan', $.happen),
    happen: ($) =>
      seq($.name, optional(seq('of', $._sum)), optional(seq('by', $._sum)), optional(seq('with', $._handed))),
    settle: ($) => seq('settle', $.names),
    cancel: ($) => seq('cancel', $.names, optional(seq('of', $._sum)), optional(seq('by', $._sum))),
    judge: () => 'judge',
    win_now: ($) => seq('win', $._sum, optional($.when)),
    lose_now: ($) => seq('lose', $._sum, optional($.when)),
    end_game: () => 'end',
    mark: ($) => seq('mark', $._sum, 'as', $.names),
    unmark: ($) => seq('unmark', $._sum, 'as', $.names),
    link: ($) => seq('link', $._sum, 'to', $._sum, 'as', $.name),
    unlink: ($) => seq('unlink', $._sum, optional(seq('to', $._sum)), 'as', $.name),
    clear: ($) => seq('clear', $.names),
    let_name: ($) => seq('let', field('name', $.name), '=', optional($._on), $._value),
    set_fact: ($) => seq('set', $.name, optional(seq('of', $.near)), 'to', $._value),
    add_fact: ($) => seq('add', $._sum, 'to', $.name, optional(seq('of', $.near))),
    subtract_fact: ($) => seq('subtract', $._sum, 'from', $.name, optional(seq('of', $.near))),
    turn: ($) => seq('turn', $._sum, 'into', $._sum),
    deal: ($) => seq('deal', $.place, 'to', $.place),
    shuffle: ($) => seq('shuffle', choice($.shuffle_seats, $.place)),
    shuffle_seats: ($) => seq('seats', optional(seq('of', $._sum))),
    put: ($) => seq('put', choice('cast', $.name), 'in', $.place),
    swap: ($) => seq('swap', choice($.swap_seats, seq($.place, 'and', $.place))),
    swap_seats: ($) => seq('seats', 'of', $._sum, 'and', $._sum),
    sit_down: ($) => seq('seat', $._sum, choice(seq('to', $.side, 'of', $._sum), seq('in', 'order'))),
    side: () => choice('left', 'right'),
    move_cards: ($) => seq('move', optional(seq($.move_count, 'from')), $._sum, choice('to', 'under'), $.place),
    move_count: ($) => choice($.int, $.group),
    flip: ($) => seq('flip', $._sum, 'to', $.name),
    place: ($) => seq($.name, optional(seq('of', $.near))),
    nothing: () => 'nothing',

    // ---- Expressions

    _value: ($) => choice($.value, $.text, $._expr),
    value: ($) => seq(choice($.text, $._expr), repeat1(seq(optional($._to_when), 'when', optional($._on), $._expr))),
    _expr: ($) => choice($.expr, $._and_expr),
    expr: ($) => seq($._and_expr, repeat1(seq(optional($._to_or), 'or', optional($._on), $._and_expr))),
    _and_expr: ($) => choice($.and_expr, $._not_expr),
    and_expr: ($) => seq($._not_expr, repeat1(seq(optional($._to_and), 'and', optional($._on), $._not_expr))),
    _not_expr: ($) => choice($.not_expr, $._relation),
    not_expr: ($) => seq('not', $._not_expr),
    _relation: ($) => prec.right(choice($.no_some, $.every, $.comparison, $._sum)),
    no_some: ($) => seq(choice('no', 'some'), $._sum),
    every: ($) => seq('every', $._sum, 'is', optional('not'), $._sum),
    comparison: ($) => seq($._sum, $.is_op, optional($.half_of), choice($.text, $._sum)),
    is_op: () =>
      seq('is', optional(choice(seq('at', choice('least', 'most')), seq(choice('more', 'less'), 'than'), 'exactly', 'not'))),
    half_of: () => prec(1, seq('half', 'of')),

    _sum: ($) => prec.right(choice($.sum, $.near)),
    sum: ($) =>
      prec.right(
        choice(
          seq(
            $.near,
            repeat1(
              choice(
                seq(optional(choice($._to_joint, $._to_sign)), $.sum_op, optional($._on), $.near, optional($.rounded)),
                seq(optional($._to_joint), $._else_written),
              ),
            ),
            optional($._where),
          ),
          seq($.near, $._where),
        ),
      ),
    _else_written: ($) => seq('else', optional($._on), $.text),
    _where: ($) => prec.right(seq(optional($._to_joint), 'where', $._relation)),
    sum_op: () => choice('plus', 'without', 'else', '+', '-', '*', SLASH),
    rounded: () => prec(1, seq('rounded', choice('up', 'down'))),
    near: ($) =>
      prec.right(choice($.during, $.times, seq('-', $.int), repeat1($._near_part), seq(repeat($._near_part), alias('no', $.yes_no)))),
    _near_part: ($) =>
      choice(
        $.number_of, $.remainder, $.planned, alias('yes', $.yes_no), $.query,
        prec.right(seq($.group, optional($.of_part))), $.int,
      ),
    number_of: ($) => prec.right(1, seq('number', 'of', $._set_sum)),
    _set_sum: ($) => prec.right(choice(alias($.set_sum, $.sum), $.near)),
    set_sum: ($) =>
      prec.right(
        choice(
          seq(
            $.near,
            repeat1(seq(optional($._to_joint), alias($.set_op, $.sum_op), optional($._on), $.near)),
            optional($._where),
          ),
          seq($.near, $._where),
        ),
      ),
    set_op: () => choice('plus', 'without', 'else'),
    remainder: ($) => prec.right(1, seq('remainder', 'of', $.near, optional($._to_sign), SLASH, optional($._on), $.near)),
    during: ($) => seq('during', $.name),
    times: ($) => seq('times', $.name),
    planned: ($) => seq('planned', $.name),
    query: ($) =>
      prec.right(seq($._query_name, optional($.int), optional($.of_part), optional($.among), optional($.weighing))),
    _query_name: ($) => choice($.name, alias(choice('number', 'half', 'remainder'), $.name)),
    of_part: ($) => prec.right(seq('of', alias($.of_near, $.near))),
    of_near: ($) =>
      prec.right(choice($.during, $.times, repeat1($._of_part), seq(repeat($._of_part), alias('no', $.yes_no)))),
    _of_part: ($) =>
      choice(
        $.number_of, $.remainder, $.planned, alias('yes', $.yes_no), alias($.of_query, $.query),
        prec.right(seq($.group, optional($.of_part))), $.int,
      ),
    of_query: ($) => prec.right(seq($._query_name, optional($.int), optional($.of_part))),
    among: ($) => seq('among', choice($.group, $.name)),
    weighing: ($) => seq('weighing', $.name),
    group: ($) => seq('(', optional($._on), $._value, optional($._to_bracket), ')'),
  },
});
