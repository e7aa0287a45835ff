//! When each line of a scenario is looked at: rows of lines, and what of them does not hold.

use omerta_workbench::{bundle::Shelf, runner::run_text};

pub(super) const CITY: &str = "ruleset city\nseats Ann: Doctor, Bob: Mafioso, Cid: Commissioner, Dee: Civilian, Eve: Civilian\notherwise pass\n";
const TOWN: &str = "ruleset town\nseats A: Mafioso, B: Mafioso, C: Civilian, D: Civilian, E: Civilian, F: Civilian\notherwise pass\n";
const SPORT: &str = "ruleset sport\nseats P1: Don, P2: Mafioso, P3: Mafioso, P4: Sheriff, P5: Citizen, P6: Citizen, P7: Citizen, P8: Citizen, P9: Citizen, P10: Citizen\notherwise pass\n";
const VENDETTA: &str = "ruleset vendetta\nseats Ann: Detective, Bob: Bystander, Cid: Bystander, Dee: Bystander, Eva: Thug\nNight 1 { Ann -> pass }\n";

/// A table, lines, and what of them does not hold: codes with the lines they are about.
pub(super) type Row<'a> = (&'a str, &'a str, &'a [&'a str]);

#[track_caller]
pub(super) fn come_out(rows: &[Row<'_>]) {
    for (table, lines, wanted) in rows {
        let text = format!("play \"x\"\n{table}{lines}");
        let ran = run_text(Shelf::default(), "x.play", &text, |_| true);
        assert_eq!(ran.problems, [], "{lines}");
        let found = ran.reports.iter().flat_map(|report| &report.diagnostics);
        let line_of = |at: u32| {
            let start = text[..at as usize].rfind('\n').map_or(0, |start| start + 1);
            text[start..].lines().next().unwrap_or_default().trim()
        };
        let found = found.map(|problem| format!("{} {}", problem.code.0, line_of(problem.span().start)));
        assert_eq!(found.collect::<Vec<_>>(), *wanted, "\n{lines}");
    }
}

#[test]
fn what_does_not_come_is_looked_for_in_all_of_the_scene() {
    come_out(&[
        (
            CITY,
            "Discussion 1 { Ann does suspect-of Bob }\nSentence 1 {\n  expect not said \"Bob is executed.\"\n  Cid [vote] -> Bob\n}",
            &["M0929 expect not said \"Bob is executed.\""],
        ),
        (
            CITY,
            "Night 1 {\n  expect not asked Ann for patient\n  Bob -> Dee\n}",
            &["M0929 expect not asked Ann for patient"],
        ),
        (
            CITY,
            "Night 1 {\n  expect nobody told anything\n  expect nobody but Ann sees containing \"treat\"\n  expect not yet asked Ann\n  Bob -> Dee\n}",
            &["M0960 expect nobody told anything"],
        ),
        (
            CITY,
            "Night 1 { Bob -> Dee }\nDawn 1 {\n  expect never said \"Bob is executed.\"\n  expect not said nightfall\n}",
            &["M0960 expect not said nightfall"],
        ),
        (
            CITY,
            "Night 1 {\n  expect never said nightfall\n  Bob -> Dee\n}",
            &["M0929 expect never said nightfall"],
        ),
    ]);
}

#[test]
fn what_is_so_is_looked_at_where_the_line_stands() {
    come_out(&[
        (
            CITY,
            "Night 1 {\n  Mafia -> Dee\n  Cid -> pass\n  expect Dee is living\n}\nexpect Dee is out",
            &[],
        ),
        (
            CITY,
            "Night 1 {\n  Mafia -> Dee\n  expect Dee is out\n}",
            &["M0929 expect Dee is out"],
        ),
        (
            CITY,
            "Night 1 { Mafia -> Dee }\nrun to Dawn 1\nexpect Dee is living\nexpect times Dawn is 1\nexpect during Dawn",
            &["M0752 expect times Dawn is 1", "M0752 expect during Dawn"],
        ),
        (
            CITY,
            "Night 1 { Mafia -> Dee }\nrun to Dawn 1\nexpect Dee is out",
            &["M0929 expect Dee is out"],
        ),
        (
            CITY,
            "Discussion 1 { Ann does suspect-of Bob }\nSentence 1 {\n  living -> Bob\n  expect tally of vote is 5 for Bob\n}\nexpect winner Town",
            &[],
        ),
        (
            CITY,
            "Discussion 1 { Ann does suspect-of Bob }\nSentence 1 {\n  living -> Bob\n  expect tally of vote is 4 for Bob\n}",
            &["M0929 expect tally of vote is 4 for Bob"],
        ),
        // The first of two ballots, when the second is asked for.
        (
            CITY,
            "Discussion 1 {\n  Ann does suspect-of Bob\n  Bob does suspect-of Dee\n}\nSentence 1 {\n  Ann, Cid -> Bob\n  Bob, Dee -> Dee\n  Eve -> pass\n  expect tally of vote is 2 for Bob, 2 for Dee\n  Ann, Cid, Eve -> Bob\n  Bob, Dee -> Dee\n  expect tally of vote is 3 for Bob, 2 for Dee\n}",
            &[],
        ),
    ]);
}

#[test]
fn a_wait_can_be_stood_at() {
    come_out(&[
        (
            TOWN,
            "Night 1 {\n  A, B -> C\n  run to wait\n  expect asked host containing \"Tell the night\"\n  expect C is living\n}\nrun to Day 2\nexpect C is out",
            &[],
        ),
        (
            TOWN,
            "Night 1 {\n  A, B -> C\n  run to wait 2\n}",
            &["M0926 run to wait 2"],
        ),
    ]);
}

#[test]
fn answers_and_refusals_wait_together() {
    come_out(&[
        (
            TOWN,
            "Night 1 {\n  refused A -> A\n  refused B -> A\n  A, B -> C\n}",
            &[],
        ),
        // Who are asked together refuse together.
        (TOWN, "Night 1 {\n  refused A, B -> A\n  A, B -> C\n}", &[]),
        (
            TOWN,
            "Night 1 {\n  refused A, B -> C\n  A, B -> C\n}",
            &["M0930 refused A, B -> C"],
        ),
        (
            TOWN,
            "Night 1 {\n  refused B -> A\n  A, B -> C\n  refused A -> A\n}",
            &["M0924 refused A -> A"],
        ),
        (
            CITY,
            "Night 1 {\n  Doctor -> Dee\n  refused Mafia -> Bob\n  Mafia -> Dee\n}",
            &[],
        ),
        (
            CITY,
            "Night 1 {\n  refused Mafia -> Eve\n  Mafia -> Dee\n}",
            &["M0930 refused Mafia -> Eve"],
        ),
        (
            VENDETTA,
            "Day 1 {\n  refused host -> vote-now\n  host -> suspected Cid\n  refused host -> vote-now\n  host -> suspected Dee\n  host -> vote-now\n  Ann, Bob, Cid, Dee, Eva -> no\n  Ann, Bob, Cid, Dee, Eva -> no\n}",
            &[],
        ),
    ]);
}

#[test]
fn a_refusal_is_judged_for_what_the_rules_forbid() {
    come_out(&[
        (
            SPORT,
            "Turn 1 {\n  P1 -> put-up P5\n  refused P1 -> take-back P5\n}",
            &["M0948 refused P1 -> take-back P5"],
        ),
        (
            SPORT,
            "Turn 1 {\n  refused P1 -> put-up\n  P1 -> put-up P5\n}",
            &["M0948 refused P1 -> put-up"],
        ),
        (
            SPORT,
            "Turn 1 {\n  refused P1 -> put-upp P5\n  P1 -> put-up P5\n}",
            &["M0921 refused P1 -> put-upp P5"],
        ),
        (
            CITY,
            "Night 1 {\n  refused Dee -> Ann\n}",
            &["M0924 refused Dee -> Ann"],
        ),
        (
            CITY,
            "Night 1 {\n  refused Ann does suspect-of Bob\n}",
            &["M0928 refused Ann does suspect-of Bob"],
        ),
        (
            CITY,
            "Discussion 1 {\n  Ann does suspect-of Bob\n  Bob does suspect-of Dee\n  refused Cid does suspect-of Dee\n}",
            &[],
        ),
        (
            CITY,
            "Discussion 1 {\n  refused Ann does suspect-of\n}",
            &["M0948 refused Ann does suspect-of"],
        ),
        (
            CITY,
            "Night 1 {\n  expect never asked Dee\n  expect not open suspect-of for Ann\n  Mafia -> Dee\n}",
            &[],
        ),
    ]);
}

#[test]
fn a_scene_that_runs_is_not_come_to_again() {
    come_out(&[
        (
            CITY,
            "run to Discussion\nDiscussion {\n  Ann does suspect-of Bob\n}",
            &[],
        ),
        (
            CITY,
            "run to Discussion\nAnn does suspect-of Bob\nDiscussion {\n}",
            &["M0949 Discussion {"],
        ),
        (
            CITY,
            "run to Discussion\nAnn does suspect-of Bob\nDiscussion 1 {\n  expect said \"Ann suspects Bob.\"\n}",
            &[],
        ),
        (CITY, "run to Night\nrun to Night\nexpect times Night is 2", &[]),
    ]);
}

#[test]
fn a_question_that_is_answered_further_down_says_so() {
    come_out(&[(
        "ruleset city\nseats Ann: Doctor, Bob: Mafioso, Cid: Commissioner, Dee: Civilian, Eve: Civilian\n",
        "Night 1 {\n  Doctor -> Dee\n  expect goes on\n  Mafia -> Dee\n}",
        &["M0923 Doctor -> Dee"],
    )]);
}
