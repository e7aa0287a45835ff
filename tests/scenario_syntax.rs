//! Scenarios are read as they are written, and mistakes in them are shown where they stand.

use omerta_core::{
    diagnostic::{Diagnostic, Repair},
    source::{SourceId, Sources},
};
use omerta_syntax::{
    names::Role,
    parse_play,
    play_names::{PlayNames, names_of_play},
    play_tree::{
        AskedFact, Audience, CastCount, Cell, Deed, Denial, Fact, Goal, LineKind, Otherwise, Person,
        PlayFile, SetupVerdict, Way, Wording,
    },
    tree::Expr,
};

struct Read {
    sources: Sources,
    file: PlayFile,
    diagnostics: Vec<Diagnostic>,
}

fn read(text: &str) -> Read {
    let mut sources = Sources::default();
    let id = sources.add("test.play", text);
    let (file, diagnostics) = parse_play(id, text);
    Read {
        sources,
        file,
        diagnostics,
    }
}

#[track_caller]
fn read_well(text: &str) -> Read {
    let read = read(text);
    assert_eq!(read.diagnostics, Vec::new());
    read
}

/// The one line of a scenario that says nothing else.
#[track_caller]
fn line(text: &str) -> (Sources, LineKind) {
    let mut read = read_well(&format!("play \"x\"\n{text}\n"));
    assert_eq!(read.file.plays[0].lines.len(), 1, "one line");
    (read.sources, read.file.plays[0].lines.remove(0).kind)
}

#[track_caller]
fn fact(text: &str) -> (Sources, Fact) {
    match line(&format!("expect {text}")) {
        (sources, LineKind::Expect(fact)) => (sources, fact),
        other => panic!("not an expectation: {other:?}"),
    }
}

fn words<'s>(sources: &'s Sources, exprs: &[Expr]) -> Vec<&'s str> {
    exprs.iter().map(|e| sources.slice(e.span)).collect()
}

fn who(sources: &Sources, people: &[Person]) -> Vec<String> {
    let text = |person: &Person| match person {
        Person::Host(_) => "host".to_string(),
        Person::Seats(expr) => sources.slice(expr.span).to_string(),
    };
    people.iter().map(text).collect()
}

#[test]
fn a_whole_scenario_is_read() {
    let read = read_well(
        r#"
// for all of them
ruleset city with mayor, blind
covers CITY-010, CITY-Q07

common table {
  seats Ann: Doctor, Bob: Mafioso, Cid
  otherwise pass
}

play "the doctor saves a mafioso from the commissioner"
include table
set tied-vote = nobody

Night 1 { Mafia -> Cid; Doctor -> Bob }
Dawn 1 {
  expect said shot containing "the doctor saved"   // aloud
  expect Bob is living
}
expect goes on
snapshot

play "another" ; include table ; run to end
"#,
    );
    assert_eq!(read.file.preamble.len(), 2);
    assert_eq!(read.file.commons[0].lines.len(), 2);
    let titles: Vec<_> = read
        .file
        .plays
        .iter()
        .map(|p| (p.title.text.as_str(), p.lines.len()))
        .collect();
    assert_eq!(
        titles,
        [
            ("the doctor saves a mafioso from the commissioner", 6),
            ("another", 2)
        ]
    );
}

#[test]
fn a_ruleset_may_have_overlays_or_be_a_path() {
    let (_, LineKind::Ruleset { base, overlays }) = line("ruleset \"my/house.mafia\" with mayor, blind")
    else {
        panic!()
    };
    assert_eq!(base.text, "my/house.mafia");
    assert_eq!(
        overlays.iter().map(|n| n.text.as_str()).collect::<Vec<_>>(),
        ["mayor", "blind"]
    );
}

#[test]
fn seats_have_names_and_cards() {
    let (_, LineKind::Seats(seats)) = line("seats Ann: Stranger plus Rat,\n  Bob: Mafioso, Cid") else {
        panic!()
    };
    let cards: Vec<_> = seats.iter().map(|s| s.cards.len()).collect();
    assert_eq!(cards, [2, 1, 0]);
    assert_eq!(seats[2].name.as_ref().map(|n| n.text.as_str()), Some("Cid"));
}

#[test]
fn seats_may_go_by_number() {
    let (_, LineKind::Seats(seats)) = line("seats 4: Don, Black") else {
        panic!()
    };
    assert_eq!(seats.len(), 4);
    assert!(seats.iter().all(|s| s.name.is_none()));
    assert_eq!(seats[1].cards[0].text, "Black");
}

#[test]
fn a_cast_counts_its_cards() {
    let (_, LineKind::Cast(cast)) = line("cast Mafioso 2, Doctor, Civilian rest") else {
        panic!()
    };
    assert!(matches!(cast[0].count, Some(CastCount::Cards(int)) if int.value == 2));
    assert!(cast[1].count.is_none());
    assert!(matches!(cast[2].count, Some(CastCount::Rest(_))));
}

#[test]
fn cards_lie_aside_or_in_a_pile() {
    assert!(matches!(line("aside Mafioso, Rat").1, LineKind::Aside(cards) if cards.len() == 2));
    assert!(
        matches!(line("pile deck: Stranger, Rat").1, LineKind::Pile { zone, cards } if zone.text == "deck" && cards.len() == 2)
    );
}

#[test]
fn what_is_not_pinned_is_filled() {
    assert!(matches!(
        line("otherwise pass").1,
        LineKind::Otherwise(Otherwise::Pass)
    ));
    let (_, LineKind::Otherwise(Otherwise::Random(seed))) = line("otherwise random with seed 7") else {
        panic!()
    };
    assert_eq!(seed.value, 7);
}

/// Three quotes would keep all that follows from being read as it stands: a layout could not keep its words.
#[test]
fn three_quotes_in_a_row_are_no_text() {
    let read = |text: &str| {
        parse_play(SourceId(0), text)
            .1
            .into_iter()
            .map(|told| told.code.0)
            .collect::<Vec<_>>()
    };
    let with = |cell: &str| {
        format!("ruleset x\nplay \"a\"\nfor each case of one, two {{\n  2,{cell}\n}}\nexpect over\n")
    };
    assert_eq!(read(&with("\"\"\"e\"")), ["M0006"]);
    assert_eq!(read(&with("\"\"")), [""; 0]);
    assert_eq!(read(&with("\"\"\"e\"\"\"")), [""; 0]);
}

#[test]
fn a_table_of_cases_has_texts_and_expressions() {
    let (sources, LineKind::Cases(cases)) = line(
        "for each case of victim, ending {\n  Bob, \"He is saved.\"\n  living without Ann, \"{victim}\"\n}",
    ) else {
        panic!()
    };
    assert_eq!(cases.names.len(), 2);
    assert!(matches!(&cases.rows[0].cells[1], Cell::Text(text) if text.text == "He is saved."));
    let Cell::Expr(expr) = &cases.rows[1].cells[0] else {
        panic!()
    };
    assert_eq!(sources.slice(expr.span), "living without Ann");
}

#[test]
fn answers_name_who_and_what() {
    let (
        sources,
        LineKind::Deed(Deed::Answer {
            who: people,
            choice,
            answers,
            more: false,
        }),
    ) = line("Ann, living without Ann, host [vote] -> put-up Cid, seat 3")
    else {
        panic!()
    };
    assert_eq!(who(&sources, &people), ["Ann", "living without Ann", "host"]);
    assert_eq!(choice.map(|c| c.text), Some("vote".to_string()));
    assert_eq!(words(&sources, &answers), ["put-up Cid", "seat 3"]);
}

#[test]
fn the_other_picks_may_come_further_down() {
    for text in ["Ann -> Bob, ...", "Ann -> Bob, …"] {
        let (_, LineKind::Deed(Deed::Answer { answers, more, .. })) = line(text) else {
            panic!()
        };
        assert_eq!((answers.len(), more), (1, true));
    }
}

#[test]
fn brackets_may_hold_any_expression() {
    let (sources, LineKind::Deed(Deed::Answer { who: people, .. })) =
        line("(left of Bob among (living)) -> yes")
    else {
        panic!()
    };
    assert_eq!(who(&sources, &people), ["(left of Bob among (living))"]);
}

#[test]
fn draws_and_offers_are_deeds() {
    let (_, LineKind::Deed(Deed::Draw { name, outcomes })) = line("draw n -> 4, 2") else {
        panic!()
    };
    assert_eq!((name.text.as_str(), outcomes.len()), ("n", 2));
    let (
        _,
        LineKind::Deed(Deed::Offer {
            by: Person::Host(_),
            offer,
            target: Some(_),
        }),
    ) = line("host does foul Bob")
    else {
        panic!()
    };
    assert_eq!(offer.text, "foul");
}

#[test]
fn a_deed_may_be_refused_for_a_reason() {
    let (
        _,
        LineKind::Refused {
            deed: Deed::Answer { .. },
            reason,
        },
    ) = line("refused Doctor -> Ann containing \"himself\"")
    else {
        panic!()
    };
    assert_eq!(reason.map(|r| r.text), Some("himself".to_string()));
    assert!(matches!(
        line("refused Cid does put-up Bob").1,
        LineKind::Refused {
            deed: Deed::Offer { .. },
            ..
        }
    ));
}

#[test]
fn a_section_waits_for_its_scene() {
    let (_, LineKind::Section(section)) = line("Night 2\n{\n  Mafia -> Ann\n\n  expect Ann is living }")
    else {
        panic!()
    };
    assert_eq!(
        (section.scene.text.as_str(), section.nth.map(|n| n.value)),
        ("Night", Some(2))
    );
    assert_eq!(section.lines.len(), 2);
    assert!(matches!(line("Day { }").1, LineKind::Section(section) if section.nth.is_none()));
}

#[test]
fn one_may_run_to_a_scene_or_the_end() {
    assert!(matches!(line("run to end").1, LineKind::RunTo(Goal::End)));
    let (_, LineKind::RunTo(Goal::Scene { scene, nth })) = line("run to Dawn 2") else {
        panic!()
    };
    assert_eq!((scene.text.as_str(), nth.map(|n| n.value)), ("Dawn", Some(2)));
}

#[test]
fn snapshots_may_have_names() {
    assert!(matches!(line("snapshot").1, LineKind::Snapshot(None)));
    assert!(matches!(
        line("snapshot \"after the vote\"").1,
        LineKind::Snapshot(Some(_))
    ));
}

#[test]
fn a_condition_is_an_expression_to_the_end_of_the_line() {
    for text in [
        "Bob is living",
        "number of living is 3",
        "not during Vote",
        "fouls of Bob is at least 2",
        "(a or b)\n",
    ] {
        let (sources, Fact::Holds(expr)) = fact(text) else {
            panic!("{text}")
        };
        assert_eq!(sources.slice(expr.span), text.trim_end());
    }
}

#[test]
fn words_said_are_given_exactly_in_part_or_by_name() {
    let (
        _,
        Fact::Said {
            denial: None,
            wordings,
        },
    ) = fact("said \"a\" then containing \"b\" then deed containing \"c\"")
    else {
        panic!()
    };
    assert!(matches!(&wordings[0], Wording::Exactly(q) if q.text == "a"));
    assert!(matches!(&wordings[1], Wording::Containing(q) if q.text == "b"));
    assert!(
        matches!(&wordings[2], Wording::Named { name, containing: Some(q) } if name.text == "deed" && q.text == "c")
    );
    assert!(matches!(
        fact("never said deed").1,
        Fact::Said {
            denial: Some(Denial::Never),
            ..
        }
    ));
}

#[test]
fn people_are_told_shown_or_see() {
    let (
        _,
        Fact::Told {
            who: Audience::Each(people),
            how: Way::Told,
            ..
        },
    ) = fact("Ann, Bob told \"yes\"")
    else {
        panic!()
    };
    assert_eq!(people.len(), 2);
    assert!(matches!(
        fact("nobody told anything").1,
        Fact::Told {
            who: Audience::Nobody(_),
            wordings,
            ..
        } if matches!(wordings[..], [Wording::Anything(_)])
    ));
    assert!(matches!(
        fact("Ann shown \"one\" then \"two\"").1,
        Fact::Told {
            how: Way::Shown,
            wordings,
            ..
        } if matches!(&wordings[..], [Wording::Exactly(one), Wording::Exactly(two)] if one.text == "one" && two.text == "two")
    ));
    assert!(matches!(
        fact("nobody but Ann shown card").1,
        Fact::Told {
            who: Audience::Only(_),
            how: Way::Shown,
            ..
        }
    ));
    let seen = fact("Ann not sees containing \"Mafia\"").1;
    assert!(matches!(
        seen,
        Fact::Told {
            denial: Some(Denial::Not),
            how: Way::Sees,
            ..
        }
    ));
}

#[test]
fn who_was_asked_for_what_among_whom() {
    let (
        sources,
        Fact::Asked(AskedFact {
            denial: None,
            who,
            choice: Some(choice),
            words: None,
            among,
            within: None,
            or_pass: true,
        }),
    ) = fact("asked Ann for victim among Bob, Cid or pass")
    else {
        panic!()
    };
    assert_eq!(choice.text, "victim");
    assert!(matches!(&who[..], [Person::Seats(_)]));
    assert_eq!(words(&sources, &among), ["Bob", "Cid"]);
    assert!(matches!(
        fact("never asked Doctor").1,
        Fact::Asked(AskedFact {
            denial: Some(Denial::Never),
            ..
        })
    ));
    assert!(matches!(
        fact("asked host").1,
        Fact::Asked(AskedFact { who, .. }) if matches!(&who[..], [Person::Host(_)])
    ));
}

#[test]
fn offers_stand_open_or_not() {
    assert!(matches!(
        fact("open foul").1,
        Fact::Open {
            denied: false,
            by: None,
            ..
        }
    ));
    assert!(matches!(
        fact("not open put-up for Ann").1,
        Fact::Open {
            denied: true,
            by: Some(_),
            ..
        }
    ));
}

#[test]
fn a_tally_names_everybody_with_votes() {
    let (sources, Fact::Tally { link, rows }) = fact("tally of vote is 3 for Bob, 1 for seat 4") else {
        panic!()
    };
    assert_eq!(link.text, "vote");
    let rows: Vec<_> = rows
        .iter()
        .map(|(n, of)| (n.value, sources.slice(of.span)))
        .collect();
    assert_eq!(rows, [(3, "Bob"), (1, "seat 4")]);
}

#[test]
fn endings_are_facts() {
    assert!(matches!(fact("winners Ann, Bob").1, Fact::Winners(people) if people.len() == 2));
    assert!(matches!(fact("winner Town").1, Fact::Winners(_)));
    assert!(matches!(fact("losers Cid").1, Fact::Losers(_)));
    assert!(matches!(fact("nobody wins").1, Fact::NobodyWins));
    assert!(matches!(fact("draw").1, Fact::Draw));
    assert!(matches!(fact("ended by last-mafioso").1, Fact::EndedBy(q) if q.text == "last-mafioso"));
    assert!(matches!(fact("goes on").1, Fact::GoesOn));
    assert!(matches!(fact("fault M0910").1, Fact::Fault(Some(_))));
    assert!(matches!(
        fact("setup error containing \"too many\"").1,
        Fact::Setup {
            verdict: SetupVerdict::Error,
            wordings,
            only: false
        } if wordings.len() == 1
    ));
    assert!(matches!(
        fact("no setup warning").1,
        Fact::Setup {
            verdict: SetupVerdict::NoWarning,
            wordings,
            only: false
        } if wordings.is_empty()
    ));
    assert!(matches!(fact("winners is Ann").1, Fact::Holds(_)));
}

#[test]
fn a_line_says_how_often_or_that_it_is_not_so() {
    let lines = "expect not said \"a\" 2 times\nexpect only said \"a\" 1 time\nexpect said \"a\" 2 times\n";
    let read = read(&format!("play \"a\"\n{lines}"));
    let codes: Vec<_> = read.diagnostics.iter().map(|problem| problem.code.0).collect();
    assert_eq!(codes, ["M0900", "M0900"]);
    assert!(read.diagnostics[0].message.starts_with("a line says how often"));
}

/// Words that no line can say at the head of a column, a column where no column is read, and gaps beside commas and arrows.
#[test]
fn what_stands_in_a_column_or_is_missing_is_told_for_what_it_is() {
    let cases = |name: &str, line: &str| {
        format!("play \"a\"\nfor each case of {name}, words {{\n  Bob, \"x\"\n}}\n{line}\n")
    };
    for (text, code, message) in [
        (
            cases("from", "Wolf -> from"),
            "M0013",
            "`from` is a word of the language",
        ),
        (
            cases("then", "Wolf -> then"),
            "M0013",
            "`then` is a word of the language",
        ),
        (
            cases("many", "cast Wolf many, Sheep rest"),
            "M0900",
            "`cast` takes no number from the column `many`",
        ),
        (
            "play \"a\"\nWolf ->\n".to_owned(),
            "M0900",
            "the answer is missing behind `->`",
        ),
        (
            "play \"a\"\nNight 1 {\n  -> Bob\n}\n".to_owned(),
            "M0900",
            "who answers is missing before `->`",
        ),
        (
            "play \"a\"\nNight 1 {\n  Wolf -> Bob,\n}\n".to_owned(),
            "M0900",
            "nothing stands behind the last comma",
        ),
        (
            "play \"a\"\nNight 1 {\n  , Ann -> Bob\n}\n".to_owned(),
            "M0900",
            "nothing stands before the first comma",
        ),
    ] {
        let read = read(&text);
        let first = read
            .diagnostics
            .first()
            .unwrap_or_else(|| panic!("nothing is told of {text}"));
        assert_eq!(first.code.0, code, "{text}{}", first.message);
        assert!(first.message.starts_with(message), "{text}{}", first.message);
    }
    // In a text such a word may stand.
    assert_eq!(
        read(&cases("where", "expect said \"{where}\"")).diagnostics.len(),
        0
    );
}

#[test]
fn a_mistake_in_one_scenario_leaves_the_next_readable() {
    let read = read("play \"a\"\nseats Ann Bob\n\nplay \"b\"\nDoctor > Bob\n\nplay \"c\"\nexpect goes on\n");
    let at: Vec<_> = read
        .diagnostics
        .iter()
        .map(|d| {
            (
                read.sources
                    .get(d.span().source)
                    .place(d.span().start as usize)
                    .line,
                d.code.0,
            )
        })
        .collect();
    assert_eq!(at, [(2, "M0900"), (5, "M0900")]);
    assert_eq!(read.file.plays.len(), 1);
    assert_eq!(read.diagnostics[0].message, "`Bob` does not fit here");
    assert_eq!(
        read.diagnostics[0].help.as_deref(),
        Some("write `seats Ann: Bob, …`, where `Bob` is a card; where it is a player `seats Ann, Bob, …`")
    );
}

/// A repair is for the place where it is to be written, also in a scenario behind others.
#[test]
fn a_line_that_was_meant_otherwise_is_mended_where_it_stands() {
    let read = read("play \"a\"\nexpect goes on\n\nplay \"b\"\nexpct Bob is living\n");
    let repairs = read.diagnostics[0]
        .repairs
        .as_ref()
        .expect("it is known what was meant");
    let [Repair::Instead { span, text, .. }] = &repairs.0[..] else {
        panic!("{repairs:?}")
    };
    assert_eq!((read.sources.slice(*span), text.as_str()), ("expct", "expect"));
}

#[test]
fn what_a_line_was_meant_to_be_is_said() {
    let help = |text: &str| read(text).diagnostics[0].help.clone().unwrap_or_default();
    assert_eq!(
        help("play \"a\"\nexpct Bob is living\n"),
        "did you mean `expect`? it is written like this: `expect said \"Dusk falls.\"`"
    );
    let late = "lines that hold for every scenario stand above the first `common`";
    assert_eq!(
        help("common a { expect goes on }\npile deck: Thief\nplay \"b\"\n"),
        late
    );
    assert_ne!(help("common a { pile Thief }\nplay \"b\"\n"), late);
}

/// A line that says two things, half a thing or nothing, beside one that says it as it should be.
#[test]
fn a_line_that_says_two_things_or_half_a_thing_is_told_so() {
    const LINES: [&str; 58] = [
        "expect said \"Dusk.\" 2 times",
        "expect not said \"Dusk.\" 2 times",
        "expect never said \"Dusk.\" 2 times",
        "expect only said \"Dusk.\" 2 times",
        "expect not only said \"Dusk.\"",
        "expect in some case Ann is out",
        "expect in some case",
        "expect in no case",
        "expect in 3 cases",
        "expect in 3 Ann is out",
        "expect in every case Ann is out",
        "expect cards in deck are Healer, Baker",
        "expect cards in deck",
        "expect card in hand Ann is Healer",
        "expect card in hand Ann",
        "expect card in hand of Ann Healer",
        "expect Ann sees containing \"x\"",
        "expect Ann sees the same in every case",
        "expect Ann sees some difference between cases",
        "expect Ann sees",
        "expect Ann sees \"x\"",
        "expect Ann see the same",
        "expect sees containing \"x\"",
        "expect not sees containing \"x\"",
        "expect Ann not sees containing \"x\"",
        "expect told \"x\"",
        "expect not told containing \"x\"",
        "expect never told containing \"x\"",
        "expect not yet told containing \"x\"",
        "expect nobody told containing \"x\"",
        "expect shown card",
        "expect not shown card",
        "expect nobody shown card",
        "expect goes on",
        "expect not goes on",
        "expect never goes on",
        "expect Ann, Bob is out",
        "expect Ann is out and Bob is out",
        "expect Ann is out, Bob is out",
        "expect",
        "expect not",
        "cast Smuggler 2, Baker rest",
        "cast Smuggler many, Baker rest",
        "cast",
        "Ann does suspect-of Cid",
        "(Ann plus Bob) does suspect-of Cid",
        "Ann, Bob does suspect-of Cid",
        "Ann does",
        "Ann ->",
        "-> Ann",
        "Ann -> Bob,",
        "xyz",
        "pile deck Healer",
        "run to",
        "set loud",
        "draw die",
        "by hand",
        "otherwise",
    ];
    let mut page = String::new();
    for line in LINES {
        page += &format!("{line}\n");
        for found in read(&format!("play \"a\"\n{line}\n")).diagnostics {
            let help = found.help.as_deref().unwrap_or("no help");
            page += &format!(
                "  {} {}: {}; {help}\n",
                found.code.0, found.message, found.labels[0].text
            );
        }
    }
    insta::assert_snapshot!(page);
}

#[test]
fn deep_brackets_and_huge_numbers_are_refused() {
    // In a text they are none, nor behind a quote that belongs to it.
    let told = format!("play \"a\"\nexpect said \"\\\"{}\"\n", "(".repeat(100));
    assert!(
        read(&told).diagnostics.is_empty(),
        "{:?}",
        read(&told).diagnostics
    );
    let deep = format!("play \"a\"\nexpect {}Bob\n", "(".repeat(100_000));
    assert_eq!(read(&deep).diagnostics[0].code.0, "M0002");
    assert_eq!(
        read("otherwise random with seed 99999999999999999999").diagnostics[0]
            .code
            .0,
        "M0004"
    );
}

/// Every scenario on the pages about mistakes of scenarios can be read, but for those of M0900.
#[test]
fn the_pages_about_mistakes_have_the_right_shape() {
    for page in std::fs::read_dir("docs/errors").unwrap() {
        let path = page.unwrap().path();
        let code = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        for block in text.split("```play").skip(1).filter(|_| code.starts_with("M09")) {
            let (mark, rest) = block.split_once('\n').unwrap();
            let found = read(rest.split("```").next().unwrap()).diagnostics;
            let codes: Vec<_> = found.iter().map(|d| d.code.0).collect();
            let expected: &[_] = if mark == "-error" && code == "M0900" {
                &["M0900"]
            } else {
                &[]
            };
            assert_eq!(codes, expected, "{code}");
        }
    }
}

#[test]
fn hard_blanks_of_a_copied_page_are_blanks() {
    let read = read_well(
        "\u{a0}play \"x\"\nNight\u{a0}1 {\n\u{a0}\u{3000}Ann\u{202f}-> Bob\n}\n\u{a0}play\u{a0}\"y\"\n",
    );
    assert_eq!(read.file.plays.len(), 2);
    assert_eq!(read.file.plays[0].lines.len(), 1);
}

#[test]
fn braces_and_remarks_are_told_as_in_rules() {
    let first = |text: &str| {
        let read = read(text);
        let problem = &read.diagnostics[0];
        let place = read
            .sources
            .get(problem.span().source)
            .place(problem.span().start as usize);
        (problem.code.0, place.line, place.column)
    };
    // The one that is left open, and not the end of the file.
    let open =
        "play \"a\"\nNight 1 {\n  Mafia -> Bob\nDay 1 {\n  expect goes on\n}\n\nplay \"b\"\nexpect goes on\n";
    assert_eq!(first(open), ("M0007", 2, 9));
    assert_eq!(
        first("play \"a\"\nNight 1 {\n  Day 1 {\n    Mafia -> Bob\n}\n"),
        ("M0007", 2, 9)
    );
    assert_eq!(
        first("play \"a\"\nNight 1 {\n  Mafia -> Bob\n}\n}\n"),
        ("M0008", 5, 1)
    );
    assert_eq!(
        first("play \"a\"\n# what is this\nexpect goes on\n"),
        ("M0010", 2, 1)
    );
    assert_eq!(
        first("play \"a\"\nNight 1 {\n  Mafia -> Bob # dies\n}\n"),
        ("M0010", 3, 16)
    );
}

#[test]
fn what_stands_before_does_and_behind_not_is_told() {
    let help = |text: &str| read(text).diagnostics[0].help.clone().unwrap_or_default();
    assert!(help("play \"a\"\nAnn, Bob does accuse Cid\n").contains("`(Ann plus Bob) does …`"));
    assert!(help("play \"a\"\nexpect not goes on\n").contains("`expect ended by …`"));
}

/// Each name in each sort of line, with what it is there and the number of what is known in the file by its letters.
/// What is not named here is neither found, nor called otherwise with the rest, nor coloured.
#[test]
fn every_name_of_a_scenario_is_known_for_what_it_is() {
    let text = include_str!("syntax/every_line.play");
    let read = read(text);
    assert_eq!(read.diagnostics, Vec::new());
    let PlayNames { uses, texts } = names_of_play(&read.file, text);
    let mut page = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line_of = |start: u32| text[..start as usize].matches('\n').count() + 1;
        let names = uses.iter().filter(|used| line_of(used.name.span.start) == number);
        let told = names.map(|used| {
            let local = used.local.map_or_else(String::new, |local| format!(" #{local}"));
            let role = match used.role {
                Role::Uses(space) => format!("{space:?}"),
                Role::Binds { .. } => "Binds".to_owned(),
                role => format!("{role:?}"),
            };
            format!("{} {role}{local}", used.name.text)
        });
        let quoted = texts.iter().filter(|(span, _)| line_of(span.start) == number);
        let quoted = quoted.map(|(span, _)| text[span.start as usize..span.end as usize].to_owned());
        let told: Vec<String> = told.chain(quoted).collect();
        page += &format!("{}\n", line.trim());
        if !told.is_empty() {
            page += &format!("      {}\n", told.join(", "));
        }
    }
    insta::assert_snapshot!(page);
}
