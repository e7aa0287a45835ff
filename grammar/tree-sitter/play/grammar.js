/**
 * The tree-sitter grammar of `.play` files, for editors.
 *
 * `grammar/play.pest` is the truth; a rule here that does the same work has the same name, and
 * `tests/editors` holds the two together. Who answers and what is expected are expressions of the other
 * grammar; here they are words side by side.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const TAIL = '[\\p{L}\\p{M}\\p{N}_]';
const NAME = `[\\p{L}_]${TAIL}*(-[\\p{L}\\p{N}]${TAIL}*)*`;

/** One or more, with a comma between. */
const listed = ($, rule) => seq(rule, repeat(seq(',', optional($._on), rule)));
/** What stands between braces, each on a line of its own. */
const lines = ($, rule) =>
  seq('{', optional($._ends), optional(seq(rule, repeat(seq($._ends, rule)), optional($._ends))), '}');

/** Words that begin a fact of their own, and a condition as well. */
const FACT_WORDS = [
  'no', 'setup', 'fault', 'goes', 'ended', 'draw', 'nobody', 'not', 'never', 'said', 'asked', 'open', 'tally',
  'drawn', 'happened', 'applied', 'in', 'card', 'cards',
];
const WINNER_WORDS = ['winners', 'winner', 'losers', 'loser'];

module.exports = grammar({
  name: 'play',

  word: ($) => $._word,

  extras: ($) => [/[ \t\r\uFEFF\u00A0\u202F\u3000]/, $.comment],

  externals: ($) => [
    $._end, // ends a line
    $._after, // behind a comma or another sign that something must follow
    $._before_text,
    $._before_brace,
    $._never, // valid nowhere but where an editor's text is broken
  ],

  supertypes: ($) => [$.line],

  conflicts: ($) => [
      [$._word_of_phrase, $.section],
      [$._condition_word, $._is_text],
      [$.is_draw, $._first_word],
      [$.fault_fact, $._first_word],
      [$.winners, $._winner_word],
      [$.losers, $._winner_word],
      [$.told_who, $._first_word],
      [$.said, $._first_word],
      [$.asked, $._first_word],
      [$.open_offer, $._first_word],
      [$.happened, $._first_word],
      [$.applied, $._first_word],
      [$.drawn, $._first_word],
      [$.phrase, $._first_word],
      [$._word_of_phrase, $.drawn_row],
      [$.alike, $.told_who],
      [$.in_cases, $._first_word],
      [$.done_to],
    ],

  rules: {
    file: ($) =>
      seq(
        optional($._ends),
        repeat(seq(choice($.line, $.common), $._ends)),
        optional(
          choice(
            $.line,
            $.common,
            seq($.play, repeat(choice($.play, seq($.common, $._ends))), optional($.common)),
          ),
        ),
      ),

    comment: () => token(prec(-1, /\/\/[^\n]*/)),
    _ends: ($) => repeat1(choice(';', $._end)),
    // Line ends that end nothing.
    _on: ($) => repeat1($._after),
    _to_text: ($) => repeat1($._before_text),
    _to_brace: ($) => repeat1($._before_brace),

    // ---- Words

    name: ($) => choice($._word, $._quoted_word),
    _word: () => new RustRegex(NAME),
    _quoted_word: () => new RustRegex('`' + NAME + '`'),
    base: ($) => choice($.text, $.name),
    int: () => /[0-9]+/,
    code: () => /[A-Za-z0-9-]+/,
    texts: ($) => seq($.text, repeat(seq(optional($._to_text), $.text))),
    text: ($) => seq('"', repeat(choice(alias($._said, $.words), $.escape, $.slot)), token.immediate('"')),
    _said: () => token.immediate(prec(1, /([^"{\\\n]|\{)+/)),
    escape: () => token.immediate(prec(1, /\\[^\n]/)),
    slot: () => token.immediate(prec(2, new RustRegex(`\\{${NAME}\\}`))),
    names: ($) => listed($, $.name),
    words: ($) => choice($.texts, $.name),

    // ---- Phrases

    phrase: ($) => prec.right(repeat1($._word_of_phrase)),
    _word_of_phrase: ($) => choice($._in_brackets, $.name, $.int, $.sign),
    _reply: ($) => choice($.text, $.worded, $.phrase),
    worded: ($) => seq($.name, $.text),
    sign: () => choice('+', '-', '*'),
    condition: ($) =>
      prec.dynamic(
        -1,
        seq(
          choice(seq($._first_word, repeat($._condition_word)), seq($._winner_word, repeat($._condition_word))),
          repeat(seq(',', optional($._on), $._clause)),
        ),
      ),
    _is_text: ($) => seq(alias('is', $.name), optional(alias('not', $.name)), $.text),
    _clause: ($) => repeat1($._condition_word),
    _in_brackets: ($) =>
      seq('(', optional($._on), repeat(seq(choice($._in_brackets, $.name, $.int, $.sign, $.text), optional($._on))), ')'),

    // ---- Files

    common: ($) => seq('common', field('name', $.name), optional(seq('of', $.names)), optional($._to_brace), lines($, $.line)),
    play: ($) =>
      seq('play', field('title', $.texts), optional(seq($._ends, repeat(seq($.line, $._ends)), optional($.line)))),

    line: ($) =>
      choice(
        $.ruleset, $.set, $.covers, $.seats_by_lot, $.seats, $.cast, $.aside, $.pile, $.otherwise, $.cases,
        $.section, $.include, $.repeated, $.run_to, $.snapshot, $.refused, $.expect, $.draw, $.by_hand, $.offer,
        $.answer,
      ),

    ruleset: ($) => seq('ruleset', $.base, optional(seq('with', listed($, $.base)))),
    set: ($) => seq('set', $.name, '=', choice($.int, $.name)),
    covers: ($) => seq('covers', $.code, repeat(seq(optional(','), $.code))),
    seats: ($) => seq('seats', choice($.numbered_seats, listed($, $.seat))),
    seats_by_lot: ($) => seq('seats', 'by', 'lot', listed($, $.seat)),
    seat: ($) => seq(field('name', $.name), optional(seq(':', optional($._on), $.hand))),
    hand: ($) => seq($.name, repeat(seq('plus', $.name))),
    numbered_seats: ($) => seq($.int, optional(seq(':', optional($._on), listed($, $.hand)))),
    cast: ($) => seq('cast', listed($, $.cast_entry)),
    cast_entry: ($) => seq($.name, optional(choice($.int, 'rest'))),
    aside: ($) => seq('aside', $.names),
    pile: ($) => seq('pile', $.name, ':', optional($._on), $.names),
    otherwise: ($) => seq('otherwise', choice('pass', $.random, $.standing)),
    standing: ($) => seq(optional($.people), $.choice, '->', $._reply),
    random: ($) => seq('random', 'with', 'seed', choice($.int, $.name)),
    cases: ($) => seq('for', 'each', 'case', 'of', $.names, optional($._to_brace), lines($, $.case)),
    case: ($) => listed($, $.cell),
    cell: ($) => choice($.row_texts, $.cell_range, $.phrase),
    row_texts: ($) => prec.right(repeat1($.text)),
    cell_range: ($) => seq($.int, '..', $.int),
    section: ($) => seq(field('name', $.name), optional($.int), optional($._to_brace), lines($, $.line)),

    // ---- Steps

    include: ($) => seq('include', $.name, optional(seq('of', listed($, $.cell)))),
    repeated: ($) => seq('repeat', $.int, choice('times', 'time'), optional($._to_brace), lines($, $.line)),
    run_to: ($) => seq('run', 'to', choice('end', seq($.name, optional($.int)))),
    snapshot: ($) => seq('snapshot', optional($.texts)),
    refused: ($) => seq('refused', choice($.draw, $.by_hand, $.offer, $.answer), optional(seq('containing', $.words))),

    draw: ($) => seq('draw', $.name, '->', listed($, $.phrase)),
    by_hand: ($) => prec.right(seq('by', 'hand', repeat1($.hand_word))),
    hand_word: ($) => choice($.name, $.hand_number, $.text),
    hand_number: () => token(/-?[0-9]+/),
    offer: ($) => seq($.person, 'does', $.name, optional(choice($.text, $.phrase))),
    answer: ($) => seq($.people, optional($.choice), '->', $.replies),
    choice: ($) => seq('[', $.name, ']'),
    people: ($) => listed($, $.person),
    person: ($) => choice('host', $.phrase),
    replies: ($) => seq(listed($, $._reply), optional(seq(',', $.more))),
    more: () => choice('...', '…'),

    // ---- What is expected

    expect: ($) =>
      seq(
        'expect',
        choice(
          $.setup_fact, $.in_cases, $.alike, $._of_game,
        ),
      ),
    _of_game: ($) =>
      choice(
        $.fault_fact, $.goes_on, $.ended_by, $.is_draw, $.winners, $.losers, $.nobody_wins, $.said,
        $.asked, $.open_offer, $.tally, $.cards_in, $.drawn, $.happened, $.applied, $.knows, $.told, $.condition,
      ),
    in_cases: ($) =>
      seq('in', choice(seq(choice('some', 'no'), 'case'), seq($.int, choice('cases', 'case'))), $._of_game),
    alike: ($) =>
      seq($.people, choice('sees', 'see'), choice(seq('the', 'same', 'in', 'every', 'case'), $.differs)),
    differs: () => seq('some', 'difference', 'between', 'cases'),
    cards_in: ($) =>
      seq(choice('cards', 'card'), 'in', $.name, optional(choice($.name, $.int)), choice('are', 'is'), listed($, $.phrase)),
    setup_fact: ($) =>
      choice(
        seq(choice(seq('no', 'setup', 'warning'), seq('setup', choice('error', 'warning'))), optional($.wording)),
        seq('only', 'setup', choice('error', 'warning'), $.wording, repeat(seq('then', optional($._on), $.wording))),
      ),
    fault_fact: ($) => seq('fault', optional(alias($.name, $.code))),
    goes_on: () => seq('goes', 'on'),
    ended_by: ($) => seq('ended', 'by', choice($.texts, $.name)),
    is_draw: () => 'draw',
    winners: ($) => seq(choice('winners', 'winner'), listed($, $.phrase)),
    losers: ($) => seq(choice('losers', 'loser'), listed($, $.phrase)),
    nobody_wins: () => seq('nobody', 'wins'),

    denial: () => choice(seq('not', optional('yet')), 'never'),
    wording: ($) =>
      choice($.texts, seq('containing', $.words), 'anything', seq($.name, optional(seq('containing', $.words)))),
    times: ($) => seq($.int, choice('times', 'time')),
    said: ($) =>
      seq(
        optional(choice($.denial, 'only')), 'said', $.wording, repeat(seq('then', optional($._on), $.wording)),
        optional($.times),
      ),
    told: ($) => seq(
      $.told_who, optional(choice($.denial, 'only')), $.told_how, $.wording,
      repeat(seq('then', optional($._on), $.wording)), optional($.times),
    ),
    knows: ($) => seq($.people, optional('cannot'), choice('knows', 'know'), $.condition),
    told_who: ($) => choice(seq('nobody', 'but', $.people), 'nobody', $.people),
    told_how: () => choice('told', 'shown', 'sees', 'see'),
    asked: ($) =>
      seq(
        optional($.denial), 'asked', $.people, optional($.asked_for), optional($.asked_words),
        optional($.asked_within), optional($.asked_among), optional($.or_pass), optional($.times),
      ),
    asked_words: ($) => choice(seq(optional('containing'), $.texts), seq('containing', $.name)),
    asked_within: ($) => seq('within', $.int, optional(choice('second', 'seconds', 'minute', 'minutes'))),
    asked_for: ($) => seq('for', $.name),
    asked_among: ($) => seq('among', listed($, $.phrase)),
    or_pass: () => seq('or', choice('pass', 'nobody')),
    open_offer: ($) => seq(optional('not'), 'open', $.name, optional(seq('for', $.person))),
    tally: ($) => seq('tally', 'of', $.name, 'is', listed($, $.tally_row)),
    tally_row: ($) => seq($.int, 'for', $.phrase),
    happened: ($) =>
      seq(
        optional($.denial), 'happened', $.name, optional(seq('of', $.done_to)), optional(seq('by', $.phrase)),
        optional($.times),
      ),
    done_to: ($) => repeat1($._word_of_phrase),
    applied: ($) => seq(optional($.denial), 'applied', $.name, optional($.times)),
    drawn: ($) =>
      seq(optional($.denial), 'drawn', $.name, optional(seq('among', listed($, $.drawn_row))), optional($.times)),
    drawn_row: ($) => choice(prec.dynamic(1, seq($.int, $.phrase)), $.phrase),

    _first_word: ($) => choice($._word_of_phrase, alias(choice(...FACT_WORDS), $.name)),
    _winner_word: ($) => alias(choice(...WINNER_WORDS), $.name),
    _condition_word: ($) => choice($._word_of_phrase, alias(choice('not', 'never', 'is'), $.name), $._is_text),
  },
});
