//! What is said of all cases of a scenario together, lines that are written once and stand often, lists, and cards in order.

use super::moments::{CITY, come_out};
use omerta_workbench::{bundle::Shelf, runner::run_text};

/// Three nights that differ in whom the mafia picks.
const VICTIMS: &str = "for each case of victim { Ann; Dee; Eve }\nNight 1 { Bob -> victim }\n";
const TWO: &str = "for each case of victim { Dee; Eve }\n";

#[test]
fn in_some_case_in_none_or_in_so_many() {
    let held = [
        "in some case Dee is out",
        "in 1 case Dee is out",
        "in 2 cases Dee is living",
        "in 3 cases goes on",
        "in no case Bob is out",
        "in no case winner Mafia",
        "in some case said \"The mafia killed Dee.\"",
    ];
    let failed = [
        "in some case Bob is out",
        "in 2 cases Dee is out",
        "in 0 cases Dee is out",
        "in 3 cases Dee is living",
        "in no case Dee is out",
        "in no case goes on",
        "in some case winner Mafia",
        "in some case said containing \"Bob\"",
    ];
    for line in held {
        come_out(&[(CITY, &format!("{VICTIMS}Dawn 1 {{ expect {line} }}"), &[])]);
    }
    for line in failed {
        let wanted = format!("M0929 Dawn 1 {{ expect {line} }}");
        come_out(&[(CITY, &format!("{VICTIMS}Dawn 1 {{ expect {line} }}"), &[&wanted])]);
    }
}

#[test]
fn whether_somebody_can_tell_the_cases_apart() {
    let rows: &[(&str, &[&str])] = &[
        (
            "Night 1 {\n  Bob -> victim\n  expect Ann sees the same in every case\n}\nDawn 1 {\n  expect Ann sees some difference between cases\n}",
            &[],
        ),
        (
            "Night 1 {\n  Bob -> victim\n  expect Ann sees some difference between cases\n}",
            &["M0929 expect Ann sees some difference between cases"],
        ),
        (
            "Night 1 { Bob -> victim }\nDawn 1 {\n  expect Ann sees the same in every case\n}",
            &["M0929 expect Ann sees the same in every case"],
        ),
        (
            "Night 1 {\n  Bob -> victim\n  expect Ann, Bob see the same in every case\n}",
            &["M0929 expect Ann, Bob see the same in every case"],
        ),
        // The difference came before.
        (
            "Night 1 { Bob -> victim }\nDiscussion 2 {\n  expect Ann sees some difference between cases\n}",
            &["M0929 expect Ann sees some difference between cases"],
        ),
        // Up to the next answer, not up to the end of the scene.
        (
            "Night 1 {\n  expect Bob sees the same in every case\n  Bob -> victim\n  expect Bob sees some difference between cases\n}",
            &[],
        ),
    ];
    for (lines, wanted) in rows {
        come_out(&[(CITY, &format!("{TWO}{lines}"), wanted)]);
    }
    // What she is asked counts as well as what she is told: here among whom.
    come_out(&[(
        CITY,
        "for each case of patient { Dee; Eve }\nNight 1 { Ann -> patient }\nNight 2 {\n  expect Ann sees the same in every case\n}",
        &["M0929 expect Ann sees the same in every case"],
    )]);
}

#[test]
fn cases_are_compared_where_there_are_some() {
    come_out(&[
        (
            CITY,
            "expect in some case goes on",
            &["M0962 expect in some case goes on"],
        ),
        (
            CITY,
            "expect Ann sees the same in every case",
            &["M0962 expect Ann sees the same in every case"],
        ),
        (
            CITY,
            "for each case of victim { Dee; Eve }\nNight 1 {\n  Bob -> victim\n  expect in some case Zoe is out\n}",
            &[
                "M0921 expect in some case Zoe is out",
                "M0921 expect in some case Zoe is out",
                "M0921 expect in some case Zoe is out",
            ],
        ),
    ]);
}

#[test]
fn a_range_makes_a_row_of_each_number() {
    let seeds = "otherwise random with seed luck\nfor each case of luck { 1..40 }\nNight 1 { }\n";
    let dealt = "ruleset city\nseats Ann, Bob, Cid, Dee, Eve\n";
    come_out(&[
        (
            dealt,
            &format!("{seeds}expect in some case Ann is Civilian\nexpect in some case Ann is Mafioso"),
            &[],
        ),
        (
            dealt,
            &format!("{seeds}expect in 40 cases number of Mafioso is 1"),
            &[],
        ),
        (
            dealt,
            &format!("{seeds}expect in 39 cases number of Mafioso is 1"),
            &["M0929 expect in 39 cases number of Mafioso is 1"],
        ),
        (
            CITY,
            "for each case of luck { 1..1001 }\notherwise random with seed luck\n",
            &["M0950 for each case of luck { 1..1001 }"],
        ),
        (
            CITY,
            "for each case of luck { 3..2 }\notherwise random with seed luck\nexpect nobody wins",
            &["M0922 for each case of luck { 3..2 }"],
        ),
    ]);
}

#[test]
fn lines_are_included_with_what_they_want_and_as_often_as_is_said() {
    let common = "\ncommon night of whom, words {\n  Night { Bob -> whom }\n  Dawn { expect said \"{words}\"; expect whom is out }\n}\n";
    let rows: &[(&str, &[&str])] = &[
        ("include night of Dee, \"The mafia killed Dee.\"", &[]),
        (
            "include night of Dee, \"The mafia killed Eve.\"",
            &["M0929 Dawn { expect said \"{words}\"; expect whom is out }"],
        ),
        ("include night of Dee", &["M0922 include night of Dee"]),
        ("include night", &["M0922 include night"]),
        (
            "include night of 1..2, \"x\"",
            &["M0922 include night of 1..2, \"x\""],
        ),
        (
            "repeat 2 times { Night { Bob -> pass } }\nexpect times Night is 2",
            &[],
        ),
        (
            "repeat 3 times {\n  Night { Bob -> pass }\n}\nexpect times Night is 2",
            &["M0929 expect times Night is 2"],
        ),
        (
            "repeat 0 times { Night { Bob -> pass } }\nexpect times Night is 0",
            &["M0900 repeat 0 times { Night { Bob -> pass } }"],
        ),
        (
            "repeat 200 times { repeat 200 times { expect goes on } }",
            &["M0939 repeat 200 times { repeat 200 times { expect goes on } }"],
        ),
    ];
    for (lines, wanted) in rows {
        let with = if lines.contains("include") { common } else { "\n" };
        come_out(&[(CITY, &format!("{lines}{with}"), wanted)]);
    }
}

#[test]
fn several_stand_with_commas_wherever_one_may() {
    let night = "Night 1 { Bob -> Dee }\nDawn 1 { }\n";
    let held = [
        "living is exactly Ann, Bob, Cid, Eve",
        "Ann, Bob is living",
        "Dee is not living, Doctor",
        "not (Ann is out)",
    ];
    let failed = [
        "living is exactly Ann, Bob, Cid",
        "Ann, Dee is living",
        "out is exactly Dee, Eve",
    ];
    for line in held {
        come_out(&[(CITY, &format!("{night}expect {line}"), &[])]);
    }
    for line in failed {
        let wanted = format!("M0929 expect {line}");
        come_out(&[(CITY, &format!("{night}expect {line}"), &[&wanted])]);
    }
}

#[test]
fn what_is_done_by_hand_may_be_refused_with_a_reason() {
    come_out(&[(
        CITY,
        "run to Dawn 1\nrefused by hand turn Dee into Doctor containing \"Doctor\"",
        &["M0930 refused by hand turn Dee into Doctor containing \"Doctor\""],
    )]);
}

#[test]
fn cards_are_expected_in_the_order_in_which_they_lie() {
    let omens = "ruleset \"tests/lang/chance.mafia\"\nseats Ann: Guest, Bob: Guest\npile omens: Storm, Storm, Feast, Feast, Thief\nRound 1 { draw luck -> wet, wet; draw die -> 1, 1; expect ";
    let rows: &[(&str, &str, &str)] = &[
        (omens, "cards in omens are Storm, Feast, Feast, Thief", ""),
        (omens, "cards in omens are Feast, Storm, Feast, Thief", "M0929"),
        (omens, "cards in omens are Storm, Feast, Feast", "M0929"),
        (omens, "card in spent is Storm", ""),
        (omens, "card in spent is Feast", "M0929"),
        (CITY, "card in hand Ann is Doctor", ""),
        (CITY, "card in hand Bob is Doctor", "M0929"),
        (CITY, "card in hand is Doctor", "M0921"),
        (CITY, "card in hand Zoe is Doctor", "M0921"),
        (CITY, "cards in deck Ann are Doctor", "M0921"),
        (CITY, "cards in cellar are Doctor", "M0921"),
        (CITY, "cards in deck are Doctor", "M0929"),
    ];
    for (table, line, code) in rows {
        let (table, line) = match table.rsplit_once('\n') {
            Some((table, open)) if !open.is_empty() => (format!("{table}\n"), format!("{open}{line} }}")),
            _ => ((*table).to_owned(), format!("expect {line}")),
        };
        let wanted = format!("{code} {line}");
        let wanted: &[&str] = if code.is_empty() { &[] } else { &[&wanted] };
        come_out(&[(&table, &line, wanted)]);
    }
}

#[test]
fn an_offer_that_stands_open_tells_whoever_it_stands_open_to() {
    let cat = "ruleset \"tests/play/cat.mafia\"\nseats Ann: Cat, Bob: Mouse, Cid: Mouse, Dee: Mouse\notherwise pass\nfor each case of prey { Bob; Cid }\n";
    let rest = "  (living without Ann) [guess] -> Ann\n  Ann -> prey\n";
    let night = "Night 1 {\n  expect Ann sees the same in every case\n  Cat -> prey\n  expect Ann sees some difference between cases\n  expect Bob, Cid, Dee see the same in every case\n}\n";
    let day = format!(
        "{night}Day 1 {{\n  expect Bob, Cid see some difference between cases\n  expect Dee sees the same in every case\n  expect in 1 case open hide for Bob\n  expect in no case open hide for Dee\n{rest}}}"
    );
    let betrayed = format!("{night}Day 1 {{\n  expect Bob sees the same in every case\n{rest}}}");
    let hidden = format!(
        "{night}Day 1 {{\n  prey does hide\n  expect Dee sees the same in every case\n{rest}  expect Dee sees some difference between cases\n  expect in 2 cases said \"Somebody hides.\"\n  expect in 1 case said \"Bob comes out.\"\n}}"
    );
    come_out(&[
        (cat, &day, &[]),
        (cat, &betrayed, &["M0929 expect Bob sees the same in every case"]),
        (cat, &hidden, &[]),
    ]);
}

/// Of how many picks a question is one, and how long there is for it, stand behind it.
#[test]
fn how_many_may_be_picked_and_in_how_much_time_is_seen() {
    let table = |tells: &str| {
        format!(
            "ruleset \"tests/play/terms.mafia\"\nset tells = {tells}\nfor each case of bob, cid {{ Wolf, Sheep; Sheep, Wolf }}\n\
             seats Ann: Sheep, Bob: bob, Cid: cid, Dee: Sheep\n"
        )
    };
    let told = "Meeting {\n  expect Ann sees some difference between cases\n  expect Ann knows Bob is bob\n  expect Dee sees the same in every case\n  Ann -> Ann\n}";
    let silent = "Meeting {\n  expect Ann sees the same in every case\n  expect Ann cannot know Bob is bob\n  Ann -> Ann\n}";
    come_out(&[
        (&table("picks"), told, &[]),
        (&table("time"), told, &[]),
        (&table("nothing"), silent, &[]),
    ]);
}

#[test]
fn the_cards_are_dealt_before_the_first_line_looks() {
    come_out(&[
        (
            CITY,
            "expect Ann is Doctor\nexpect number of deck is 0",
            &["M0752 expect Ann is Doctor"],
        ),
        (CITY, "expect Ann is Mafioso", &["M0929 expect Ann is Mafioso"]),
    ]);
}

#[test]
fn what_is_half_said_is_no_condition() {
    for line in [
        "in cases Dee is out",
        "in any case Dee is out",
        "cards in deck",
        "Ann sees the same",
        "Ann, Bob see nothing new",
    ] {
        let ran = run_text(
            Shelf::default(),
            "x.play",
            &format!("play \"x\"\n{CITY}expect {line}"),
            |_| true,
        );
        let codes: Vec<&str> = ran.problems.iter().map(|problem| problem.code.0).collect();
        assert_eq!(codes, ["M0900"], "{line}");
    }
    come_out(&[
        (
            CITY,
            "for each case of victim { Dee; Eve }\nNight 1 {\n  Bob -> victim\n  expect (Ann Bob) sees the same in every case\n}",
            &["M0938 expect (Ann Bob) sees the same in every case"; 3],
        ),
        (
            CITY,
            "Night 1 { Bob -> Dee, ... }",
            &["M0925 Night 1 { Bob -> Dee, ... }"],
        ),
    ]);
}
