//! What nobody needs so large: it is refused at once, and what may grow does so in proportion.

use crate::{
    errors::check,
    program::{TINY, folder_with, omerta_in, write},
    rulebook,
};
use allocation_counter::measure;
use omerta_core::{
    diagnostic::Severity,
    rules::{PlannedCast, RuleId},
    source::{Sources, Span},
};
use omerta_engine::{Audience, Choice, FaultKind, Illegal, Listener, Log, MOST_KEPT, Pending, Silence, What};
use omerta_hooks::check_scripts;
use omerta_play::{
    chance::Chance,
    deal,
    hosted::Hosted,
    policy::Policy,
    scenario::{RulesWithScripts, run, tests_of},
    session::{MOST_HAPPENED, Session, Table},
};
use omerta_syntax::parse_play;
use omerta_workbench::{RulesetRequest, Workbench, bundle::Shelf};
use std::fmt::Write;

/// The longest file that is read.
const LONGEST: usize = 1 << 19;
/// What a check of one may take at a time.
const ROOM: u64 = 200 << 20;

/// A head, as many lines as fit into a file, and a tail.
fn full(head: &str, line: impl Fn(usize) -> String, tail: &str) -> String {
    let mut text = head.to_owned();
    for number in 0.. {
        let next = line(number);
        if text.len() + next.len() + tail.len() > LONGEST {
            break;
        }
        text.push_str(&next);
    }
    text + tail
}

#[test]
fn a_file_of_whatever_shape_is_refused_or_checked_in_little_room() {
    let scene = |line: fn(usize) -> String| full(&format!("{TINY}count c\nscene Big {{\n"), line, "}\n");
    let rules = |line: fn(usize) -> String| full(TINY, line, "");
    let script = |line: fn(usize) -> String| {
        full(
            &format!("{TINY}hook h gives number \"x\" \"\"\"\n"),
            line,
            "1 \"\"\"\n",
        )
    };
    let files = [
        ("no declarations", rules(|_| "x\n".to_owned())),
        ("braces", rules(|_| "}".to_owned())),
        ("marks", rules(|n| format!("mark m{n}\n"))),
        ("twins", rules(|_| "mark same\n".to_owned())),
        (
            "roles in a cast",
            full("ruleset a\nplayers 3\ncast {\n", |n| format!("  R{n} 0\n"), "}\n"),
        ),
        (
            "unknown events",
            rules(|n| format!("event e{n} of p {{ do bitte{n} of p }}\n")),
        ),
        ("unknown marks", scene(|n| format!("  mark livng{n} as bitten\n"))),
        (
            "unknown rules",
            rules(|n| format!("rule r{n} after nope{n}: after departure of players {{ say \"x\" }}\n")),
        ),
        ("no statements", scene(|_| "  mrk living as gone\n".to_owned())),
        ("tests", scene(|n| format!("  if c is {n} {{ add 1 to c }}\n"))),
        (
            "questions",
            scene(|n| format!("  ask host for x{n} from living\n")),
        ),
        (
            "definitions",
            full(
                &format!("{TINY}define d0 = living\n"),
                |n| format!("define d{} = d{n} plus d{n}\n", n + 1),
                "",
            ),
        ),
        (
            "overlays",
            rules(|n| format!("overlay o{n} on tiny {{ mark m{n} }}\n")),
        ),
        ("a long script", script(|n| format!("let a{n} = {n};\n"))),
        (
            "long scripts",
            full(
                TINY,
                |n| format!("hook h{n} gives number \"x\" \"\"\" loop {{}} \"\"\"\n"),
                "",
            ),
        ),
    ];
    for (name, text) in files {
        assert!(text.len() > LONGEST - 200, "{name}");
        let (mut refused, mut told) = (false, 0);
        let memory = measure(|| {
            let (_, checked) = check(&text);
            refused = checked
                .diagnostics
                .iter()
                .any(|found| found.severity == Severity::Error);
            told = checked.diagnostics.len();
            let scripts = checked.rules.map_or_else(Vec::new, |rules| check_scripts(&rules));
            refused |= !scripts.is_empty();
        });
        assert!(refused, "{name}");
        assert!(memory.bytes_max < ROOM, "{name}: {} bytes", memory.bytes_max);
        assert!(told <= 4_000, "{name}: {told} mistakes");
    }
}

/// What includes and cases of a scenario come to is bounded, whatever they are made of.
#[test]
fn what_a_scenario_is_written_out_to_takes_little_room() {
    let levels = |line: &str, more: &str, first: &str| {
        let mut text = format!("ruleset city\nseats 7\ncommon c0 of w {{ {line} }}\n");
        for level in 1..40 {
            text += &format!("common c{level} of w {{ include c{} of {more} }}\n", level - 1);
        }
        text + format!("play \"x\"\ninclude c39 of {first}\n").as_str()
    };
    let cases = |line: &str| {
        format!(
            "ruleset city\nseats 7\nplay \"x\"\nfor each case of luck {{ 1..900 }}\n{}",
            line.repeat(3_000)
        )
    };
    for text in [
        levels("expect not said \"{w}\"", "\"{w}{w}{w}{w}\"", "\"aaaaaaaaaaaa\""),
        levels("expect w", "(w or w or w)", "(Ann is living)"),
        levels("expect some w", "(w plus w)", "(Ann plus Bob)"),
        cases("expect in no case winner Town\n"),
        cases("expect number of players is luck\n"),
    ] {
        let mut codes = Vec::new();
        let memory = measure(|| {
            let mut sources = Sources::default();
            let id = sources.add("x.play", text.clone());
            let (file, diagnostics) = parse_play(id, &text);
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
            codes.extend(
                tests_of(&file)
                    .iter()
                    .flat_map(|test| &test.problems)
                    .map(|told| told.code.0),
            );
        });
        assert!(codes.contains(&"M0939"), "{codes:?}: {}", &text[..200]);
        assert!(memory.bytes_max < ROOM, "{} bytes", memory.bytes_max);
    }
}

/// Each of sixty scenes plays the one before twice: whoever went in as often as it is played would never come out.
#[test]
fn scenes_that_play_each_other_are_gone_through_once() {
    type Body = fn(usize) -> String;
    let shapes: [(&str, Body); 5] = [
        ("played", |n| format!("play S{n}\nplay S{n}\n")),
        ("tested", |n| {
            format!("if some bitten {{ play S{n} }} else {{ play S{n} }}\n")
        }),
        ("asked", |n| {
            format!("play S{n}\nask host whether ok{n}\nplay S{n}\n")
        }),
        ("marked", |n| {
            format!("mark players as bitten\nplay S{n}\nunmark bitten\nplay S{n}\n")
        }),
        ("left", |n| {
            format!("play S{n}\nif some bitten {{ leave S{n} }}\nplay S{n}\n")
        }),
    ];
    for (shape, body) in shapes {
        let mut text = TINY.replace("repeat { play Night }", "repeat { play Night\nplay S59 }");
        text += "scene S0 { judge }\n";
        for scene in 1..60 {
            write!(text, "scene S{scene} {{\n{}}}\n", body(scene - 1)).unwrap();
        }
        let folder = folder_with(&text, "");
        for args in [
            &["check"][..],
            &["book"],
            &["book", "--summary"],
            &["book", "--standing"],
            &["graph"],
            &["show"],
            &["sim", "--games", "1", "--threads", "1"],
            &["diff", "city"],
        ] {
            let done = omerta_in(folder.path(), &[args, &["tiny.mafia"]].concat(), b"");
            assert!(done.code.is_some(), "{shape}, {args:?}: {}", done.err);
        }
    }
}

/// A long chain of scenes, each of which surely plays the next.
#[test]
fn a_long_chain_of_scenes_is_checked_in_a_moment() {
    let mut text = TINY.replace("repeat { play Night }", "repeat { play Night\nplay S0 }");
    let last = 2_000;
    for scene in 0..last {
        writeln!(
            text,
            "scene S{scene} {{ play S{next}; play S{next} }}",
            next = scene + 1
        )
        .unwrap();
    }
    writeln!(text, "scene S{last} {{ judge }}").unwrap();
    let folder = folder_with(&text, "");
    let begun = std::time::Instant::now();
    let done = omerta_in(folder.path(), &["check", "tiny.mafia"], b"");
    assert!(done.code.is_some(), "{}", done.err);
    assert!(
        begun.elapsed() < std::time::Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
}

/// Of the games of all cases no more are kept than are told of together.
#[test]
fn cases_that_are_compared_take_the_room_of_a_few() {
    let room = |cases: usize| {
        let text = format!(
            "ruleset city\nseats Ann: Doctor, Bob: Mafioso, Cid: Commissioner, Dee: Civilian, Eve: Civilian\n\
             otherwise pass\nplay \"x\"\nfor each case of a {{ 1..{cases} }}\nNight 60 {{ }}\n\
             expect in some case number of players is a\n"
        );
        let mut sources = Sources::default();
        let id = sources.add("x.play", text.clone());
        let (file, diagnostics) = parse_play(id, &text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let bench = Workbench::new(Shelf::default());
        let tests = tests_of(&file);
        let together = tests.last().unwrap();
        run(together, &bench);
        measure(|| {
            let report = run(together, &bench);
            assert!(
                report.passed() && report.session.is_some(),
                "{:?}",
                report.diagnostics
            );
        })
        .bytes_max
    };
    let (few, many) = (room(6), room(30));
    assert!(many < 2 * few, "{few} and {many} bytes");
}

/// Between two questions there is an end to what rules can do, however long the way is that they go again and again: in
/// loops, in scenes and events that are played and done, in words.
#[test]
fn long_ways_are_stopped_like_many_short_ones() {
    let long = "  set a to b + 1\n  set b to a * 1\n".repeat(4_000);
    let words = "{players}".repeat(400);
    let rules = |more: &str, script: &str| {
        format!(
            "ruleset x \"X\"\nplayers 4\ncast {{\n  Wolf 4\n}}\nrole Wolf\ncount a\ncount b\n{more}script {{\n  {script}\n  ask host for z from players\n}}\n"
        )
    };
    for (name, text) in [
        (
            "a loop",
            rules("", &format!("repeat 80000 times {{\n  set b to 0\n{long}  }}")),
        ),
        (
            "a scene",
            rules(
                &format!("scene Long {{\n  set b to 0\n{long}}}\n"),
                "repeat 80000 times { play Long }",
            ),
        ),
        (
            "an event",
            rules(
                &format!("event long {{\n  set b to 0\n{long}}}\n"),
                "repeat 80000 times { do long }",
            ),
        ),
        (
            "words",
            rules("", &format!("repeat 80000 times {{ say \"{words}\" }}")),
        ),
        (
            "ballots",
            rules(
                "link v\n",
                &format!(
                    "repeat 300000 times {{\n{}  }}",
                    "  if number of common of v of players is 2 { add 1 to a }\n".repeat(8)
                ),
            ),
        ),
        (
            "cards",
            rules(
                "zone heap\ntoken Coin 60\n",
                "put Coin in heap\n  repeat 140000 times {\n  move heap to heap\n  }",
            ),
        ),
    ] {
        let begun = table(&ready(&text)).begin(&mut Silence).unwrap();
        let Pending::Broken(fault) = begun.pending() else {
            panic!("{name}: {:?}", begun.pending())
        };
        assert_eq!(fault.kind, FaultKind::Endless, "{name}");
    }
}

/// To see which offers stand open takes no longer either: the rules go wrong at the offer, whoever asks and however many
/// each is made to. What is quick enough is not stopped.
#[test]
fn offers_are_seen_through_in_a_bounded_time() {
    let rules = |offers: usize, depth: usize| {
        let mut text = "ruleset x \"X\"\nplayers 64\ncast {\n  Wolf 64\n}\nrole Wolf\n".to_owned();
        text.push_str("define in1 of p = players where it is not p\n");
        for depth in 2..=depth {
            let below = depth - 1;
            writeln!(
                text,
                "define in{depth} of p = players where number of (in{below} of it) is not {below}"
            )
            .unwrap();
        }
        for offer in 0..offers {
            writeln!(
                text,
                "allow players to go{offer} when number of (in{depth} of me) is {offer} {{ nothing }}"
            )
            .unwrap();
        }
        text + "script {\n  ask host for z from players\n}\n"
    };
    let begun = |offers, depth| {
        let rules = ready(&rules(offers, depth));
        (table(&rules).begin(&mut Silence).unwrap(), rules.rules)
    };
    for (offers, depth, last) in [(1, 4, "go0"), (300, 2, "go240"), (4, 3, "go3")] {
        let (game, rules) = begun(offers, depth);
        let Pending::Broken(fault) = game.pending() else {
            panic!("{offers} of {depth}: {:?}", game.pending())
        };
        assert_eq!(fault.kind, FaultKind::Endless);
        let offer = rules
            .offers
            .iter()
            .find(|offer| offer.origin == rules.origins[fault.at as usize]);
        assert_eq!(offer.unwrap().name, last);
    }
    // Whoever has his answers ready meets the same bound.
    let (offers, depth) = (300, 2);
    let rules = ready(&rules(offers, depth));
    let mut game = table(&rules).begin(&mut Silence).unwrap();
    Policy::default().play(&mut game, &mut Chance::of_seed(5), &mut Silence, 10);
    assert!(
        matches!(game.pending(), Pending::Broken(_)),
        "{:?}",
        game.pending()
    );
    for (offers, depth) in [(10, 2), (100, 1)] {
        let (game, rules) = begun(offers, depth);
        assert!(matches!(game.pending(), Pending::Ask(_)), "{offers} of {depth}");
        assert!(rules.weighty_offers);
    }
    // Nor looked at, where nothing could take long: bundled games are none the slower.
    assert!(!begun(3, 1).1.weighty_offers);
    for (base, _) in rulebook::bundled() {
        assert!(!bundled(&base).rules.weighty_offers, "{base}");
    }
}

/// What happens in one go is kept up to a bound; of what comes behind, nothing is.
#[test]
fn a_log_is_full_in_the_end() {
    let (mut log, host) = (Log::default(), Audience::Host);
    for at in 0..MOST_KEPT as u32 + 10 {
        log.hear(What::RuleApplied { rule: RuleId(0) }, host, at, 0, false);
    }
    assert_eq!(log.events.len(), MOST_KEPT);
    assert_eq!(log.events.last().unwrap().at, MOST_KEPT as u32 - 1);
}

/// Rules are compared by their names and their places, and not each with each.
#[test]
fn many_rules_are_compared_in_a_moment() {
    let text = |from: usize| {
        let rule =
            |number: usize| format!("rule r{number}: after departure of players {{ say \"{number}.\" }}\n");
        format!(
            "{TINY}{}",
            (from..3_900).chain(0..from).map(rule).collect::<String>()
        )
    };
    let folder = folder_with(&text(0), "");
    write(folder.path(), "other.mafia", &text(3_899));
    let done = omerta_in(folder.path(), &["diff", "tiny.mafia", "tiny.mafia"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
    let done = omerta_in(folder.path(), &["diff", "tiny.mafia", "other.mafia"], b"");
    assert!(
        done.out.contains("~ order: [r0 before r3899 → r3899 before r0]"),
        "{}",
        done.told()
    );
}

/// What is told over and over is counted.
#[test]
fn of_one_mistake_a_thousand_are_told_and_then_how_many_more() {
    for (mistakes, told, more) in [
        (999, 999, false),
        (1_000, 1_000, false),
        (1_001, 1_000, true),
        (1_500, 1_000, true),
    ] {
        let marks: String = (0..mistakes).map(|_| "  unmark livng as bitten\n").collect();
        let (_, checked) = check(&format!("{TINY}scene Big {{\n{marks}}}\n"));
        let mut unknown = checked.diagnostics.iter().filter(|found| found.code.0 == "M0201");
        assert_eq!(unknown.clone().count(), told);
        let help = unknown
            .next_back()
            .and_then(|last| last.help.clone())
            .unwrap_or_default();
        let words = format!("there are {} more of this kind", mistakes - told);
        assert_eq!(help.ends_with(&words), more, "{help}");
    }
}

// ---- Menus

/// The number of a branch is a byte.
#[test]
fn a_menu_has_255_branches_and_not_one_more() {
    let with = |branches: usize| {
        let menu = (0..branches).fold(String::new(), |mut menu, branch| {
            writeln!(menu, "    b{branch} {{ add {branch} to c }}").unwrap();
            menu
        });
        let text = TINY.replace(
            "  judge\n",
            &format!("  ask host for deed {{\n{menu}  }}\n  judge\n"),
        );
        format!("{text}count c\nwin Pack when c is 3\n")
    };
    for (branches, fits) in [
        (254, true),
        (255, true),
        (256, false),
        (300, false),
        (10_000, false),
    ] {
        let (_, checked) = check(&with(branches));
        let told = checked.diagnostics.iter().any(|found| found.code.0 == "M0515");
        assert_eq!(
            (checked.rules.is_some(), told),
            (fits, !fits),
            "{branches}: {:?}",
            checked.diagnostics.first()
        );
    }
    let folder = folder_with(&with(255), "");
    let played = omerta_in(
        folder.path(),
        &["play", "tiny.mafia", "--players", "5", "--seed", "1"],
        b"go\nseat 1\nb254\nprint c\n",
    );
    assert!(played.out.contains("254"), "{}", played.told());
}

// ---- Sessions

fn ready(text: &str) -> RulesWithScripts {
    let folder = folder_with(text, "");
    let base = folder.path().join("tiny.mafia");
    let wanted = RulesetRequest {
        base: base.display().to_string(),
        ..RulesetRequest::default()
    };
    Workbench::new(Shelf::beside(&base)).lay(&wanted).unwrap().bench
}

fn bundled(base: &str) -> RulesWithScripts {
    let wanted = RulesetRequest {
        base: base.to_owned(),
        ..RulesetRequest::default()
    };
    Workbench::new(Shelf::default()).lay(&wanted).unwrap().bench
}

fn table(rules: &RulesWithScripts) -> Table {
    let names: Vec<String> = (1..=rules.rules.seats.0.max(4))
        .map(|seat| format!("P{seat}"))
        .collect();
    let cast: PlannedCast = deal::from_table(&rules.rules, None, names.len(), Span::default()).unwrap();
    Table {
        rules: rules.rules.clone(),
        hooks: rules.hooks.clone(),
        names,
        cast,
        seed: Some(3),
    }
}

/// A game that goes on for ever, with so many words at each turn.
fn talkative(words: usize) -> String {
    let says = "  say \"Well.\"\n".repeat(words);
    TINY.replace("scene Night {\n", &format!("scene Night {{\n{says}"))
        .replace("  do departure of prey\n", "")
        .replace(
            "win Pack when number of (players without bitten) is 1 \"one is left\"",
            "win Pack when no living",
        )
}

/// The answers of a host who always says the same.
fn host(session: &Session) -> Choice {
    match session.game().pending() {
        Pending::Ask(asked)
            if asked.pick.1 > 0 && matches!(asked.domain, omerta_engine::Domain::Seats { .. }) =>
        {
            Choice::Seat(0)
        }
        _ => Choice::Go,
    }
}

fn begun(text: &str) -> Session {
    let mut hosted = Hosted::start(table(&ready(text))).unwrap();
    hosted.go_to(hosted.session.cursor());
    hosted.session
}

#[test]
fn a_session_takes_room_by_the_answer_and_little_of_it() {
    let mut session = begun(&talkative(1));
    let mut go_on = |answers: usize| {
        let mut room = 0;
        let memory = measure(|| {
            for _ in 0..answers {
                let answer = host(&session);
                session.apply(answer).unwrap();
            }
        });
        room += memory.bytes_current;
        room
    };
    let (first, second, third) = (go_on(4_000), go_on(4_000), go_on(8_000));
    // What happened is kept in a row that doubles; the copies for going back are few.
    assert!(second < 4_000 * 2_000, "{first} {second} {third}");
    assert!(third < 8_000 * 2_000, "{first} {second} {third}");
}

#[test]
fn a_long_game_is_gone_back_in_as_in_a_short_one() {
    let rules = bundled("city");
    let mut hosted = Hosted::start(table(&rules)).unwrap();
    let (policy, mut chance) = (Policy::default(), Chance::of_seed(5));
    // What nobody answers goes on and on.
    while hosted.session.cursor() < 3_000 {
        let Pending::Ask(asked) = hosted.session.game().pending() else {
            break;
        };
        let least = omerta_play::policy::least(hosted.session.game(), &asked);
        let answer = least
            .or_else(|| policy.choose(hosted.session.game(), &mut chance))
            .unwrap();
        hosted.give(answer).unwrap();
    }
    let whole = hosted.session.clone();
    assert!(whole.cursor() >= 3_000, "{}", whole.cursor());
    for place in [0, 1, 17, 255, 256, 257, 1_000, 2_047, 2_048, 2_900, 2_999] {
        let mut gone = whole.clone();
        assert!(gone.go_to(place));
        let (again, stopped) =
            Session::replay(whole.table().clone(), &whole.answers()[..place], &[]).unwrap();
        assert_eq!(stopped, None);
        assert_eq!(gone.log(), again.log(), "{place}");
        assert_eq!(gone.game().state(), again.game().state(), "{place}");
        assert!(gone.go_to(whole.cursor()));
        assert_eq!(gone.log(), whole.log(), "{place}");
        assert_eq!(gone.game().state(), whole.game().state(), "{place}");
    }
}

#[test]
fn a_session_is_full_in_the_end_and_says_so() {
    let mut session = begun(&talkative(1_500));
    let stopped = loop {
        let answer = host(&session);
        if let Err(why) = session.apply(answer) {
            break why;
        }
    };
    assert_eq!(stopped, Illegal::Full);
    let happened = session.log().events.len();
    assert!(
        (MOST_HAPPENED..MOST_HAPPENED + 10_000).contains(&happened),
        "{happened}"
    );
    let words = session.table().words().refusal(session.game(), &stopped);
    assert!(words.contains("nothing more of it can be kept"), "{words}");
    // It can be gone back in, and on to where it was.
    let cursor = session.cursor();
    assert!(session.go_to(cursor - 20) && session.go_to(cursor));
    assert_eq!(session.log().events.len(), happened);
    // So much is read of a kept game that would be longer.
    let mut answers = session.answers().to_vec();
    answers.extend_from_within(answers.len() - 2..);
    let (again, stopped) = Session::replay(session.table().clone(), &answers, &[]).unwrap();
    assert_eq!(
        stopped.map(|stopped| (stopped.at, stopped.why)),
        Some((cursor, Illegal::Full))
    );
    assert_eq!(again.cursor(), cursor);
}

#[test]
fn a_game_has_a_hundred_branches() {
    let folder = folder_with(TINY, "");
    let at_table = ["play", "tiny.mafia", "--players", "4", "--seed", "1"];
    let branches: String = (0..99).map(|number| format!("branch b{number}\n")).collect();
    let done = omerta_in(
        folder.path(),
        &at_table,
        format!("{branches}save a.game\n").as_bytes(),
    );
    assert_eq!(done.code, Some(0), "{}", done.told());
    let done = omerta_in(
        folder.path(),
        &at_table,
        format!("{branches}branch more\n").as_bytes(),
    );
    assert!(
        done.told().contains("as many branches as can be kept"),
        "{}",
        done.told()
    );
    // A kept game with more of them loses those behind.
    let text = std::fs::read_to_string(folder.path().join("a.game")).unwrap();
    let mut save: serde_json::Value = serde_json::from_str(&text).unwrap();
    save.as_object_mut().unwrap().remove("digest");
    let kept = save["branches"].as_array_mut().unwrap();
    let last = kept.last().unwrap().clone();
    for number in 0..20 {
        let mut more = last.clone();
        more[0] = serde_json::json!(format!("more-{number}"));
        kept.push(more);
    }
    write(folder.path(), "b.game", &save.to_string());
    let done = omerta_in(folder.path(), &at_table, b"load b.game\nbranches\n");
    assert!(
        done.out.contains("more branches than can be kept"),
        "{}",
        done.told()
    );
    assert!(
        done.out.contains("b97") && !done.out.contains("more-19"),
        "{}",
        done.told()
    );
}

/// `undo` takes back what a line brought about, however much that was.
#[test]
fn a_long_way_is_taken_back_at_once() {
    let folder = folder_with(&talkative(1), "");
    let at_table = ["play", "tiny.mafia", "--players", "4", "--seed", "1"];
    let done = omerta_in(
        folder.path(),
        &at_table,
        b"go\nstep 3000\nundo\nprint times Night\nredo\nprint times Night\nundo\nundo\nprint times Night\n",
    );
    let shown: Vec<&str> = done
        .out
        .lines()
        .filter(|line| line.trim().parse::<u32>().is_ok())
        .map(str::trim)
        .collect();
    assert_eq!(shown.len(), 3, "{}", done.told());
    assert_eq!((shown[0], shown[2]), ("1", "1"), "{}", done.told());
    assert!(shown[1].parse::<u32>().unwrap() > 1_000, "{}", done.told());
}

// ---- Stopping

/// Whatever runs long hears one Ctrl-C; how soon it answers is measured, not tested: see `docs/notes/safety.md`.
#[cfg(unix)]
#[test]
fn one_signal_ends_whatever_runs_long() {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::{Duration, Instant},
    };
    let script = TINY.replace(
        "script {\n",
        "hook h gives number \"x\" \"\"\" if times(\"Deal\") > 0 { loop { } } 1 \"\"\"\ncount c\nscript {\n  add h to c\n",
    );
    let folder = folder_with(
        &script.replace("  play Deal\n", "  play Deal\n  add h to c\n"),
        "",
    );
    write(folder.path(), "plain.mafia", TINY);
    let games = ["--games", "100000000"];
    let runs = [
        [&["sim", "city"][..], &games].concat(),
        [&["sim", "tiny.mafia", "--threads", "1"][..], &games].concat(),
        [&["sim", "city", "--sweep", "players=6..12"][..], &games].concat(),
        ["exact", "town", "--players", "8"].to_vec(),
        ["check", "--deep", "--games", "10000000", "plain.mafia"].to_vec(),
        ["worlds", "long.game", "--seat", "1", "--most", "1000000"].to_vec(),
        [
            &[
                "sim",
                "offers.mafia",
                "--policy",
                "careful",
                "--thought",
                "9",
                "--threads",
                "1",
            ][..],
            &games,
        ]
        .concat(),
    ];
    let offers: String = (0..300)
        .map(|at| format!("allow players to of{at} p from players {{ nothing }}\n"))
        .collect();
    write(folder.path(), "offers.mafia", &format!("{TINY}\n{offers}"));
    let long = b"to day 3\nsave long.game\n";
    let played = omerta_in(
        folder.path(),
        &["play", "town", "--players", "10", "--seed", "1"],
        long,
    );
    assert_eq!(played.code, Some(0), "{}", played.told());
    for args in runs {
        let mut command = Command::new(env!("CARGO_BIN_EXE_omerta"));
        command.args(&args).current_dir(folder.path());
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(400));
        assert!(child.try_wait().unwrap().is_none(), "{args:?}");
        let asked = Instant::now();
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        while child.try_wait().unwrap().is_none() {
            if asked.elapsed() > Duration::from_secs(20) {
                child.kill().unwrap();
                panic!("{args:?} goes on");
            }
            sleep(Duration::from_millis(10));
        }
    }
}
