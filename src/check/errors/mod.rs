//! One small function for each thing that can be wrong with a ruleset.
//!
//! The sentence states the mistake, the labels show the places, the help says the repair.

mod casts;
mod files;
mod happenings;
mod kinds;
mod names;
mod overlays;
mod wording;

pub use casts::{bad_players, bad_role_zone, players_twice, too_many_titles};
pub use files::{
    called_like_its_base, no_overlay_in, no_ruleset_head, no_such_file, no_such_library, only_an_overlay,
    other_line_ends, outside_overlay, overlay_in_many, two_heads, use_of_ruleset,
};
pub use happenings::{
    and_more_in_no_order, begins_itself, body_too_large, define_needs_itself, each_of_no_event,
    handed_no_more, happening_is_a_rule, life_needs_scene, moment_not_possible, no_script, no_such_question,
    nothing_performs, pattern_without_place, rule_begins_itself, rule_sets_itself_off, rules_in_a_ring,
    rules_in_no_order, same_as_nothing, several_events, tested_at_once, too_much_to_work_out, two_performers,
    two_scripts, unknown_ending, unknown_happening, unknown_rule, unlike_questions, wins_too_early,
};
pub use kinds::{
    and_or_behind_where, and_or_between_sets, asked_about_others, back_of_no_players, borne_by_none,
    called_without_of, clause_of_other_kind, count_without_brackets, denied_and, denied_of, denied_set,
    divided_by_nothing, each_of_a_number, each_picks_one, event_has_no, event_needs,
    events_happen_to_players, handed_otherwise, joined_to_a_test, kind_said_again, limit_out_of_bounds,
    limit_worked_out, links_are_number, minus_between_sets, narrowed_title, needs_a_link, needs_a_zone,
    needs_highest, needs_of, next_among_all, no_backs_of_words, no_of_here, no_part_here, no_such_word,
    not_a_number_of_each, not_a_weight, not_a_word, not_in_order, nothing_added_to_words, number_before_set,
    one_order_only, option_needs_is, players_as_a_test, publishes_nothing, random_from_somebody,
    says_nothing, scene_needs_of, seat_without_brackets, set_in_no_order, set_is_number, set_of_whom,
    sets_for_one, sets_only, several_of_no_set, too_much_handed, weights_all_zero, where_without_test,
    whom_behind_when, word_of_two, words_are_asked_for, wrong_kind, wrong_shape, zone_needs_of,
};
pub use names::{
    all_is_players, built_in_name, declared_twice, ended, glued_minus, hides, host_is_no_player, it_outside,
    leave_outside, leaves_event, let_of_fact, marked_with_somebody, me_outside, named_twice,
    no_zone_but_people, not_a_value, owned_by_nobody, set_a_value, shadows, stop_outside, that_outside,
    unknown_of_sort, unknown_where, wrong_sort,
};
pub use wording::list;

pub use overlays::{
    cannot_replace, chosen_twice, edited_twice, kept_of_another_kind, no_such_card, no_such_part,
    no_unseen_here, not_published, nothing_to_remove, nothing_to_replace, only_cards_unseen,
    only_overlays_need, overlay_needs, overlay_not_for_base, overlay_refuses, removed_and_used,
    section_for_no_base, two_casts, unknown_option, unseen_is_for_all,
};
pub use wording::guesses;
