//! Scenarios run: what holds passes, and what does not is shown with what was there instead.

use super::rules::Toy;
use omerta_core::source::Sources;
use omerta_play::scenario::{Report, run, tests_of};
use omerta_syntax::parse_play;

const TABLE: &str = "ruleset toy\nseats Ann: Doctor, Bob: Mafioso, Cid: Civilian\n";

#[track_caller]
fn reports(text: &str) -> (Sources, Vec<Report>) {
    let mut sources = Sources::default();
    let id = sources.add("test.play", text);
    let (file, diagnostics) = parse_play(id, text);
    assert_eq!(diagnostics, Vec::new());
    let reports = tests_of(&file).iter().map(|test| run(test, &Toy)).collect();
    (sources, reports)
}

/// The codes and marked places of what fails in one scenario with these lines.
#[track_caller]
fn failures(lines: &str) -> Vec<(String, String, String)> {
    let (sources, reports) = reports(&format!("{TABLE}play \"x\"\n{lines}\n"));
    let show = |d: &omerta_core::diagnostic::Diagnostic| {
        (
            d.code.0.to_string(),
            sources.slice(d.span()).to_string(),
            d.labels[0].text.clone(),
        )
    };
    reports[0].diagnostics.iter().map(show).collect()
}

#[track_caller]
fn holds(lines: &str) {
    assert_eq!(failures(lines), []);
}

#[track_caller]
fn fails(lines: &str, code: &str, place: &str, instead: &str) {
    assert_eq!(
        failures(lines),
        [(code.to_string(), place.to_string(), instead.to_string())]
    );
}

const FIRST_NIGHT: &str = "Night 1 { Mafioso -> Cid; Doctor -> pass; draw die -> 3 }\n";

#[test]
fn a_whole_game_is_played_and_looked_at() {
    holds(
        r#"
covers TOY-001
Night 1 {
  expect asked Ann for patient among Ann, Bob, Cid or pass
  expect open foul
  host does foul Ann
  expect Ann is fouled
  Mafioso -> Cid
  Doctor -> Bob
  draw die -> 3
}
Dawn 1 {
  expect said "Cid was hit."
  expect said bulletin containing "hit"
  expect not said "Nobody was hit."
  expect Cid told "You were hit."
  expect nobody but Cid told anything
  expect Ann not told anything
  expect not asked Doctor
  expect asked Cid for verdict among accuse, thanks
  Civilian -> accuse Bob
}
expect goes on
Night { Doctor -> Cid; Mafioso -> Cid; draw die -> 6 }
Dawn { expect said bulletin; expect never asked host; Cid -> thanks }
expect winner Mafioso
expect ended by mafia-wins
expect said "Cid was hit." then "Nobody was hit."
snapshot "the end"
"#,
    );
}

#[test]
fn answers_come_in_any_order_and_gaps_are_filled() {
    holds(
        "otherwise random with seed 7\nNight 2 { Bob -> Cid }\nDawn 2 { expect asked Cid }\nrun to end\nexpect winners Bob",
    );
    fails(
        "otherwise pass\nrun to end",
        "M0923",
        "run to end",
        "on the way from here: Bob is asked: victim (among Ann and Cid)",
    );
}

#[test]
fn what_nobody_answers_is_shown() {
    let instead =
        "on the way from here: Ann is asked: Whom do you treat? (among Ann, Bob and Cid; or nobody)";
    fails(
        "Night 1 {\n  Mafioso -> Cid\n}",
        "M0923",
        "Mafioso -> Cid",
        instead,
    );
}

#[test]
fn chance_that_nobody_decides_is_shown() {
    let lines = "Night 1 {\n  Mafioso -> Cid\n  Doctor -> pass\n}";
    fails(
        lines,
        "M0927",
        "Doctor -> pass",
        "on the way from here: die: 1 to 6",
    );
}

#[test]
fn what_is_never_asked_is_shown() {
    let lines = format!("{FIRST_NIGHT}Dawn 1 {{ Doctor -> Bob }}");
    let failures = failures(&lines);
    assert_eq!(
        (failures[0].0.as_str(), failures[0].1.as_str()),
        ("M0923", "Doctor -> Bob")
    );
    let lines = "otherwise pass\nNight 1 { Mafioso -> Cid; draw die -> 3; Civilian -> Bob }";
    let failures = self::failures(lines);
    assert_eq!(
        (failures[0].0.as_str(), failures[0].1.as_str()),
        ("M0924", "Civilian -> Bob")
    );
}

#[test]
fn an_illegal_answer_is_shown_and_may_be_expected() {
    holds(
        "otherwise pass\nNight 1 { refused Mafioso -> Bob containing \"among Ann and Cid\"; Bob -> Cid; draw die -> 1 }",
    );
    fails(
        "otherwise pass\nNight 1 { Mafioso -> Bob }",
        "M0925",
        "Mafioso -> Bob",
        "not among what may be answered: among Ann and Cid",
    );
    fails(
        "otherwise pass\nNight 1 { refused Mafioso -> Cid }",
        "M0930",
        "refused Mafioso -> Cid",
        "it was accepted",
    );
}

#[test]
fn an_expectation_that_does_not_hold_says_what_was_there() {
    let lines =
        format!("{FIRST_NIGHT}Dawn 1 {{ expect said \"Ann was hit.\"; expect Ann is shot; Cid -> thanks }}");
    let failures = failures(&lines);
    let expected = [
        ("M0929", "expect said \"Ann was hit.\"", "said was `Cid was hit.`"),
        ("M0929", "expect Ann is shot", "it is Cid, and not Ann"),
    ];
    let found: Vec<_> = failures
        .iter()
        .map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn scenes_names_and_offers_that_do_not_exist_are_shown() {
    assert_eq!(failures("Nigth 1 { }")[0].0, "M0921");
    assert_eq!(
        failures("otherwise random with seed 1\nrun to Night 3")[0].0,
        "M0926"
    );
    assert_eq!(
        failures(&format!("{FIRST_NIGHT}Dawn 1 {{ host does foul Ann }}"))[0].0,
        "M0923"
    );
    holds(&format!(
        "{FIRST_NIGHT}Dawn 1 {{ expect not open foul; Cid -> thanks }}"
    ));
    fails(
        &format!("{FIRST_NIGHT}Dawn 1 {{ refused host does foul Ann; Cid -> thanks }}"),
        "M0928",
        "refused host does foul Ann",
        "there is nothing to refuse here",
    );
}

#[test]
fn a_setup_may_be_expected_to_fail() {
    let (_, reports) =
        reports("ruleset toy\nplay \"x\"\nseats Ann: Doctor, Bob\nexpect setup error containing \"table\"\n");
    assert_eq!(reports[0].diagnostics, Vec::new());
    assert_eq!(failures("expect setup error")[0].0, "M0935");
    let (_, reports) = self::reports("play \"x\"\nrun to end\n");
    assert_eq!(reports[0].diagnostics[0].code.0, "M0920");
}

#[test]
fn each_case_is_a_test_of_its_own() {
    let text = format!(
        "{TABLE}play \"a shot at a victim\"\nfor each case of victim, bulletin-text {{\n  Cid, \"Cid was hit.\"\n  Ann, \"Ann was hit.\"\n}}\n\
         Night 1 {{ Bob -> victim; Ann -> pass; draw die -> 1 }}\n\
         Dawn 1 {{ expect said bulletin-text; expect said \"{{victim}} was hit.\"; Cid -> thanks }}\n"
    );
    let (_, reports) = reports(&text);
    let names: Vec<_> = reports
        .iter()
        .map(|report| (report.name.as_str(), report.diagnostics.len()))
        .collect();
    assert_eq!(
        names,
        [
            ("a shot at a victim (Cid, Cid was hit.)", 0),
            ("a shot at a victim (Ann, Ann was hit.)", 0)
        ]
    );
}

#[test]
fn what_is_shared_is_included() {
    let text = "common table {\n  ruleset toy\n  seats Ann: Doctor, Bob: Mafioso, Cid: Civilian\n}\ncommon night { Bob -> Cid; Ann -> pass; draw die -> 1 }\n\
                common ring { include ring }\n\
                play \"a\"\ninclude table\nNight 1 { include night }\nexpect Cid is shot\n\nplay \"b\"\ninclude ring\ninclude tabel\n";
    let (_, reports) = reports(text);
    assert_eq!(reports[0].diagnostics, Vec::new());
    let codes: Vec<_> = reports[1]
        .diagnostics
        .iter()
        .map(|problem| problem.code.0)
        .collect();
    assert_eq!(codes, ["M0936", "M0921"]);
}

#[test]
fn a_snapshot_holds_what_each_viewer_saw() {
    let (_, reports) = reports(&format!("{TABLE}play \"x\"\n{FIRST_NIGHT}snapshot\n"));
    let text = &reports[0].snapshots[0].text;
    assert!(text.contains("\n== Night 1 ==\n"), "{text}");
    assert!(text.contains("  [Cid] You were hit.\n"), "{text}");
}

#[test]
fn a_cell_may_be_a_branch_with_its_pick() {
    let text = format!(
        "{TABLE}play \"x\"\nfor each case of deed {{ accuse Bob; thanks }}\n{FIRST_NIGHT}Dawn 1 {{ Cid -> deed }}\n"
    );
    let (_, reports) = reports(&text);
    assert_eq!(reports.len(), 2);
    assert!(reports.iter().all(Report::passed), "{:?}", reports[0].diagnostics);
}

#[test]
fn a_name_that_nothing_has_is_no_refusal() {
    let dawn = |line: &str| failures(&format!("{FIRST_NIGHT}Dawn 1 {{ {line}; Cid -> thanks }}"));
    assert_eq!(dawn("refused Cid -> acuse Bob")[0].0, "M0921");
    assert_eq!(dawn("refused Cid -> thank")[0].0, "M0921");
    assert_eq!(dawn("refused Cid -> pass"), []);
}

#[test]
fn how_a_question_is_put_and_what_is_drawn_may_be_expected() {
    holds(
        "Night 1 { expect asked Ann \"Whom do you treat?\"; expect asked Ann containing \"treat\" among Ann, Bob, Cid or pass\n\
         Mafioso -> Cid; Doctor -> pass; draw die -> 3; expect drawn die among 1, 2, 3, 4, 5, 6 }",
    );
    fails(
        &format!("{FIRST_NIGHT}expect drawn die among 1, 2, 3; expect never drawn die")
            .replace("; expect never drawn die", ""),
        "M0929",
        "expect drawn die among 1, 2, 3",
        "die: 1 to 6",
    );
    assert_eq!(
        failures(&format!("{FIRST_NIGHT}expect never drawn die"))[0].0,
        "M0929"
    );
    assert_eq!(failures("expect drawn dice")[0].0, "M0921");
}

#[test]
fn columns_and_slots_fit_each_other() {
    let case = |rest: &str| {
        let text = format!(
            "{TABLE}play \"x\"\nfor each case of who {{ Bob; Cid }}\notherwise random with seed 1\n{rest}\n"
        );
        let (_, reports) = reports(&text);
        let codes = |report: &Report| report.diagnostics.iter().map(|d| d.code.0).collect::<Vec<_>>();
        reports.iter().map(codes).collect::<Vec<_>>()
    };
    assert_eq!(case("run to Dawn 1"), [vec!["M0945"], vec![]]);
    assert_eq!(
        case("Night 1 { Bob -> Cid; expect asked who; expect not said \"{woh}\" }"),
        [["M0921"], ["M0921"]]
    );
}

#[test]
fn what_must_not_be_is_said_of_names_that_are_there() {
    let fails = |line: &str| {
        let failures = failures(&format!("{FIRST_NIGHT}{line}"));
        assert_eq!(failures.len(), 1, "{line}");
        (failures[0].0.clone(), failures[0].1.clone())
    };
    let unknown = |name: &str| ("M0921".to_string(), name.to_string());
    for line in [
        "expect not said buletin",
        "expect never said buletin",
        "expect nobody told buletin",
        "expect nobody but Cid told buletin",
        "expect Ann not sees buletin",
        "expect never asked Ann for buletin",
    ] {
        assert_eq!(fails(line), unknown("buletin"), "{line}");
    }
    assert_eq!(fails("expect ended by mafia-win"), unknown("mafia-win"));
    let (_, reports) = reports(&format!(
        "{TABLE}play \"x\"\n{FIRST_NIGHT}expect not said buletin\n"
    ));
    assert_eq!(
        reports[0].diagnostics[0].help.as_deref(),
        Some("did you mean `bulletin`?")
    );
    holds(&format!(
        "{FIRST_NIGHT}expect never said bulletin containing \"Ann\""
    ));
}

#[test]
fn an_offer_is_taken_up_in_its_scene_or_is_a_mistake() {
    holds("otherwise random with seed 1\nNight 1 { host does foul Ann }");
    let instead = "nobody is asked anything here, so nobody can take it up, and the scene is over";
    fails(
        "otherwise random with seed 1\nDawn 1 { host does foul Ann }",
        "M0928",
        "host does foul Ann",
        instead,
    );
    let lines = format!("{FIRST_NIGHT}Dawn 1 {{ Cid -> thanks; host does foul Ann }}");
    let never = "behind the answers above it is open no more, if it was, and the scene is over";
    fails(&lines, "M0928", "host does foul Ann", never);
}

#[test]
fn a_scene_that_is_over_does_not_begin_again() {
    let over = |lines: &str| {
        failures(lines)
            .into_iter()
            .map(|(code, place, _)| (code, place))
            .collect::<Vec<_>>()
    };
    let expected = |place: &str| vec![("M0926".to_string(), place.to_string())];
    let pass = "otherwise random with seed 1\n";
    assert_eq!(
        over(&format!(
            "{pass}run to Night 2\nNight 1 {{ expect said bulletin }}"
        )),
        expected("Night")
    );
    assert_eq!(
        over(&format!("{pass}run to Night 2\nDawn 1 {{ }}")),
        expected("Dawn")
    );
    assert_eq!(
        over(&format!("{pass}Night 1 {{ }}\nrun to Night 1")),
        expected("Night")
    );
    // One that has been run through to its end by the way is looked at where it comes.
    holds(&format!(
        "{FIRST_NIGHT}Dawn 1 {{ expect said bulletin; Cid -> thanks }}"
    ));
    holds(&format!("{pass}run to Night 1\nNight 1 {{ expect asked Ann }}"));
}

#[test]
fn an_answer_that_otherwise_has_given_is_named() {
    let night = "otherwise random with seed 1\nNight 1 { Bob -> Cid";
    let failures = failures(&format!("{night}; expect asked Bob; Ann -> pass }}"));
    assert_eq!(
        failures,
        [(
            "M0924".to_string(),
            "Ann -> pass".to_string(),
            "already answered by `otherwise`: Ann is asked: Whom do you treat? (among Ann, Bob and Cid; or nobody)"
                .to_string()
        )]
    );
}

#[test]
fn each_seat_has_a_name_of_its_own() {
    let (sources, reports) =
        reports("ruleset toy\nplay \"x\"\nseats Ann: Doctor, Ann: Mafioso, Cid: Civilian\nrun to Night 1\n");
    let problem = &reports[0].diagnostics[0];
    assert_eq!((problem.code.0, sources.slice(problem.span())), ("M0933", "Ann"));
    assert_eq!(problem.labels.len(), 2);
}

#[test]
fn where_nobody_may_be_answered_pass_is_no_advice() {
    let help = |otherwise: &str| {
        let text = format!("{TABLE}play \"x\"\n{otherwise}Night 1 {{ Ann -> pass }}\n");
        reports(&text).1[0].diagnostics[0]
            .help
            .clone()
            .unwrap_or_default()
    };
    assert!(help("otherwise pass\n").starts_with("nobody cannot be answered here"));
    assert!(help("").ends_with("let `otherwise pass` answer what is left open"));
}

/// A column that the title alone has makes rows of one and the same game; beside one that the lines have it may call them.
#[test]
fn a_column_of_the_title_alone_is_a_column_for_nothing() {
    let told = |title: &str, names: &str, lines: &str| {
        let head =
            "ruleset toy\nseats Ann: Doctor, Bob: Mafioso, Cid: Civilian\notherwise random with seed 1\n";
        let text = format!("{head}play \"{title}\"\nfor each case of {names}\n{lines}");
        let (sources, reports) = reports(&text);
        let told = reports.iter().flat_map(|report| &report.diagnostics);
        let told = told.map(|told| (told.code.0, sources.slice(told.span()).to_owned()));
        told.collect::<Vec<_>>()
    };
    let unused = |name: &str| vec![("M0945", name.to_owned())];
    let night = "Night 1 { Bob -> Cid }";
    assert_eq!(told("of {who}", "who { Ann; Cid }", night), unused("who"));
    assert_eq!(
        told("of {who}", "who { Ann; Cid }", "Night 1 { Bob -> who }"),
        vec![]
    );
    let two = "who, words { Ann, \"one\"; Cid, \"two\" }";
    assert_eq!(told("{words}", two, "Night 1 { Bob -> who }"), vec![]);
    assert_eq!(told("x", two, "Night 1 { Bob -> who }"), unused("words"));
}
