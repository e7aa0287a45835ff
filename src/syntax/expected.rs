//! What the grammar expected, in words for people. No rule's name is ever shown.

use crate::grammar::Rule;

/// How many expected things a message lists.
const LISTED: usize = 6;

/// Rules with which an expression begins or goes on.
const EXPRESSION_RULES: &[Rule] = &[
    Rule::value,
    Rule::expr,
    Rule::and_expr,
    Rule::not_expr,
    Rule::relation,
    Rule::no_some,
    Rule::comparison,
    Rule::is_value,
    Rule::sum,
    Rule::set_sum,
    Rule::near,
    Rule::of_near,
    Rule::domain,
    Rule::int_range,
    Rule::kw_number,
    Rule::kw_remainder,
    Rule::kw_during,
    Rule::kw_times,
    Rule::kw_planned,
    Rule::yes_no,
    Rule::kw_yes,
    Rule::no_alone,
    Rule::query,
    Rule::of_query,
    Rule::group,
    Rule::paren_open,
    Rule::name,
    Rule::int,
];

/// Rules with which an expression only goes on.
const EXPRESSION_TAILS: &[Rule] = &[
    Rule::sum_op,
    Rule::set_op,
    Rule::kw_plus,
    Rule::kw_without,
    Rule::kw_where,
    Rule::kw_is,
    Rule::kw_and,
    Rule::kw_or,
    Rule::kw_among,
    Rule::kw_weighing,
];

/// What a name in an expression may carry with it.
const NAME_TAILS: &[Rule] = &[Rule::kw_of, Rule::kw_else];

/// Whether the grammar stood behind a part of an expression, which might have gone on.
pub(super) fn is_behind_expression(rules: &[Rule]) -> bool {
    rules.iter().any(|rule| EXPRESSION_TAILS.contains(rule))
}

/// Whether nothing else than a longer expression could have stood at the place.
pub(super) fn only_goes_on(rules: &[Rule]) -> bool {
    let goes_on = |rule| EXPRESSION_TAILS.contains(rule) || NAME_TAILS.contains(rule);
    rules.iter().all(goes_on)
}

/// Whether any value could have begun there, and not only a name or a number.
pub(super) fn begins_value(rules: &[Rule]) -> bool {
    let only = [Rule::name, Rule::int, Rule::int_range];
    rules
        .iter()
        .any(|rule| EXPRESSION_RULES.contains(rule) && !only.contains(rule))
}

/// Whether a name could have stood there, new or known.
pub(super) fn is_name(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::name | Rule::use_path | Rule::path | Rule::option_value | Rule::option_values
    )
}

/// The words of the language that were expected, those that make an expression longer among them.
pub(super) fn words_of(rules: &[Rule]) -> Vec<String> {
    let all = rules.iter().flat_map(|rule| {
        let tail = match rule {
            Rule::sum_op | Rule::set_op => "`plus`, `without`, `else`".to_owned(),
            Rule::moment => "`before`, `instead of`, `after`".to_owned(),
            Rule::ending_verdict | Rule::ending_plain => "`win`, `lose`, `draw`".to_owned(),
            Rule::no_some => "`no`, `some`".to_owned(),
            Rule::statement | Rule::item | Rule::one_item => String::new(),
            rule => words_for(*rule),
        };
        let words = tail.split('`').skip(1).step_by(2).map(str::to_owned);
        words.collect::<Vec<_>>()
    });
    let mut found: Vec<String> = all.filter(|word| word.starts_with(char::is_alphabetic)).collect();
    found.sort();
    found.dedup();
    found
}

/// All that was expected, as one phrase. What could have made an expression longer is left out
/// where something else could have come as well.
pub(super) fn phrase(rules: &[Rule]) -> String {
    let behind = is_behind_expression(rules);
    let is_of_expression = |rule: &Rule| {
        EXPRESSION_RULES.contains(rule)
            || EXPRESSION_TAILS.contains(rule)
            || (behind && NAME_TAILS.contains(rule))
    };
    let other: Vec<Rule> = rules
        .iter()
        .filter(|rule| !is_of_expression(rule))
        .copied()
        .collect();
    if behind && !other.is_empty() {
        return list(&other);
    }
    let starts = rules
        .iter()
        .filter(|rule| EXPRESSION_RULES.contains(rule))
        .count();
    if starts > 2 {
        return if other.is_empty() {
            "a value".to_string()
        } else {
            format!("a value, {}", list(&other))
        };
    }
    list(rules)
}

fn list(rules: &[Rule]) -> String {
    let mut words: Vec<String> = Vec::new();
    for rule in rules {
        let word = words_for(*rule);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let more = words.len() > LISTED;
    words.truncate(LISTED);
    if more {
        words.push("something else of the kind".to_string());
    }
    match words.pop() {
        None => "something else".to_string(),
        Some(only) if words.is_empty() => only,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}

fn words_for(rule: Rule) -> String {
    let plain = sign(rule).or_else(|| thing(rule));
    match plain {
        Some(words) => words.to_string(),
        None => keyword(rule),
    }
}

/// `kw_from` is the word `from`; a statement is named by its first word.
fn keyword(rule: Rule) -> String {
    let name = format!("{rule:?}");
    match name.strip_prefix("kw_") {
        Some(word) => format!("`{word}`"),
        None => "something else".to_string(),
    }
}

fn sign(rule: Rule) -> Option<&'static str> {
    let sign = match rule {
        Rule::brace_open | Rule::block | Rule::parts | Rule::menu | Rule::value_table => "`{`",
        Rule::brace_close => "`}`",
        Rule::paren_open | Rule::group => "`(`",
        Rule::paren_close => "`)`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::equals | Rule::count_start | Rule::word_start => "`=`",
        Rule::bar => "`|`",
        Rule::dots => "`..`",
        Rule::minus_sign => "`-`",
        Rule::terminator | Rule::EOI => "the end of the line",
        _ => return None,
    };
    Some(sign)
}

/// A rule that begins in one way alone is never told as what was expected: that way is.
fn thing(rule: Rule) -> Option<&'static str> {
    let words = match rule {
        Rule::name | Rule::use_path | Rule::path | Rule::param => "a name",
        Rule::int | Rule::limit | Rule::amount | Rule::draw_count | Rule::move_count => "a number",
        Rule::cast_cell => "a number or a range such as `4..6`",
        Rule::text => "a text in quotes",
        Rule::script_text => "a script between `\"\"\"`",
        Rule::item | Rule::one_item => "a declaration",
        Rule::statement => "a statement",
        Rule::table_head => "a name, a number or a range such as `4..6`",
        Rule::table_cell => "a value",
        Rule::moment => "`before`, `instead of` or `after`",
        Rule::side => "`left` or `right`",
        Rule::ending_verdict | Rule::ending_plain => "`win`, `lose` or `draw`",
        Rule::rule_order | Rule::ending_order => "`before` or `after`",
        Rule::sum_op | Rule::set_op => "`plus`, `without`, `else`",
        Rule::yes_no | Rule::no_alone => "`yes` or `no`",
        Rule::option_value | Rule::option_values => "a value",
        Rule::hook_kind => "`players`, `number` or `yes-or-no`",
        Rule::mark_shape => "`one` or `in order`",
        Rule::menu_texts => "`{`",
        Rule::pick => "a name and `from`",
        Rule::value
        | Rule::one_expr
        | Rule::expr
        | Rule::and_expr
        | Rule::not_expr
        | Rule::relation
        | Rule::comparison
        | Rule::no_some => "a value",
        Rule::sum
        | Rule::set_sum
        | Rule::near
        | Rule::of_near
        | Rule::query
        | Rule::of_query
        | Rule::domain
        | Rule::int_range => "a value",
        Rule::is_value => "what it is compared with",
        _ => return None,
    };
    Some(words)
}
