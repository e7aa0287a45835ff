//! Sessions of `omerta play` from a pipe: what a line is answered with.

use crate::program::{AT_TABLE, TINY, folder_with, omerta_in, played};

#[test]
fn go_is_told_from_goto() {
    let done = played("go on\ngo on\ngo\ngo night 2\n");
    assert!(done.out.contains("options> go on"), "{}", done.out);
    for why in [
        "line 2: here it is the host",
        "line 3: here it is the host",
        "`goto night 2`",
    ] {
        assert!(done.err.contains(why), "{}", done.err);
    }
}

#[test]
fn a_line_with_a_gap_in_it_answers_nothing() {
    for (line, missing) in [
        ("go,", "nothing stands behind the last comma"),
        (", go", "nothing stands before the first comma"),
        ("-> Bob", "who answers is missing before `->`"),
        ("Ann ->", "the answer is missing behind `->`"),
        ("go,, Bob", "nothing stands between two commas"),
        ("Ann,", "nothing stands behind the last comma"),
    ] {
        let done = played(&format!("{line}\nwho\n"));
        assert!(done.err.contains(missing), "{line}: {}", done.err);
        assert!(done.out.contains("Night 1, go> who"), "{line}: {}", done.out);
    }
}

/// Several picks, cards by their places, offers of which all may name all, titles beside a name, and waits without end.
#[test]
fn what_may_be_picked_is_counted_named_and_told_once() {
    let rules = "ruleset market \"A market\"\nuse std.table\nplayers 4\ncast {\n  players 4\n  Clerk 1\n  Guest 3\n}\n\
                 role Clerk\nrole Guest\ntoken Coin \"a coin\" several \"coins\" 4\nzone pouch \"the pouch\" of each\n\
                 mark friends \"those who are friends\"\nmark tired \"who is tired\"\n\
                 allow players to nod p from players { say \"{me} nods at {p}.\" }\n\
                 script {\n  play Deal\n  put Coin in pouch of seat 1\n  mark seat 2 as tired\n  \
                 move 2 from pouch of seat 1 to pouch of seat 2\n  \
                 ask seat 1 for up to 9 friends from living others \"Friends?\"\n  mark friends as tired\n  \
                 ask seat 2 for coin from pouch of players or nobody \"Which coin?\"\n  say \"It was {holder of coin}'s.\"\n  \
                 ask seat 2 { take c from pouch of players { say \"Taken from {holder of c}.\" } }\n  \
                 ask seat 2 for other from pouch of players or nobody \"And another?\"\n  repeat { wait }\n}\n\
                 ending over: draw when no living\n";
    let rules = rules.replace("mark friends \"those who are friends\"\n", "");
    let folder = folder_with(&rules, "");
    let lines = "offers\nCid\nno more\ntable\npouch Bob 1\ntake pouch Ann 2\ndone\nrandom end\n";
    let at_table = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "3"];
    let done = omerta_in(folder.path(), &at_table, lines.as_bytes());
    for told in [
        "Friends? (1 of 3)",
        "    Ann, Bob, Cid or Dee: any of these\n",
        "Friends? (2 of 3)\n  1 Bob       2 Dee       3 no more",
        "  Ann: no more\n",
        "tired",
        "It was Bob's.",
        "Taken from Ann.",
        "  Bob: nothing\n",
    ] {
        assert!(done.out.contains(told), "{told}: {}{}", done.out, done.err);
    }
    assert!(!done.out.contains("who is tired"), "{}", done.out);
    let why = "the game only waits here, however often the host goes on, until somebody takes up `nod`";
    assert!(done.err.contains(why), "{}", done.err);
}

#[test]
fn input_may_go_on_in_the_next_line_and_one_that_breaks_off_is_told() {
    let done = played("go\nBob\nprint number of (players\nwithout bitten)\n");
    assert!(
        done.out
            .ends_with("> print number of (players without bitten)\n  3\n"),
        "{}",
        done.out
    );
    let done = played("print number of (players\n");
    assert_eq!(done.code, Some(1));
    assert!(
        done.err.contains("in the middle of `print number of (players`"),
        "{}",
        done.err
    );
}

/// Nothing is guessed in the place of what is no letter: the line is not taken, the next one is.
#[test]
fn a_line_with_what_is_no_letter_is_refused_and_not_mended() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("letters.mafia"),
        include_str!("lang/writing.mafia"),
    )
    .unwrap();
    let play = ["play", "letters.mafia", "--names", "Ann,Bob", "--seed", "1"];
    let typed = b"\xef\xbb\xbfan\x1b[2Jswer\nsave a\x1bb.game\nan \xff answer\na soft\xc2\xadhyphen\n";
    let done = omerta_in(folder.path(), &play, typed);
    assert_eq!(done.code, Some(1));
    let no_letter = "line 3: byte 4 is no letter: the input has to be plain text in UTF-8";
    for told in [
        "line 1: sign 3 of the line cannot be seen (U+001B): write the line without it",
        "line 2: sign 7 of the line cannot be seen (U+001B)",
        no_letter,
        "line 4: sign 7 of the line cannot be seen (U+00AD)",
    ] {
        assert!(done.err.contains(told), "{}", done.err);
    }
    assert!(!done.told().contains('\u{1b}'), "{}", done.told());
    assert!(!done.out.contains("Ann: "), "{}", done.out);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A text may be as long as the rules let it be, whatever letters it is of.
#[test]
fn a_thousand_letters_of_any_script_are_taken() {
    let rules = TINY.replace(
        "  play Deal\n",
        "  play Deal\n  ask host to write novel up to 1000 letters openly\n",
    );
    let folder = folder_with(&rules, "");
    let play = ["play", "tiny.mafia", "--players", "5", "--seed", "1"];
    for (letter, number, code) in [
        ("字", 1_000, 0),
        ("😀", 1_000, 0),
        ("字", 1_001, 1),
        ("a", 1_001, 1),
    ] {
        let done = omerta_in(
            folder.path(),
            &play,
            format!("{}\n", letter.repeat(number)).as_bytes(),
        );
        assert_eq!(done.code, Some(code), "{}", done.err);
    }
}

/// A condition that held when a walk began, ceased and came back is one that comes.
#[test]
fn a_walk_stops_each_time_that_a_condition_comes() {
    let toggled = "scene Night {\n  if moon {\n    set moon to no\n  } else {\n    set moon to yes\n  }\n";
    let rules = TINY.replace("scene Night {\n", toggled) + "\nflag moon\n";
    let folder = folder_with(&rules, "");
    let done = omerta_in(folder.path(), &AT_TABLE, b"rest random\nbreak if moon\nend\n");
    assert!(
        done.out.contains("-- Night 3 --\n  stopped: if moon (1)"),
        "{}",
        done.told()
    );
}

/// A draw that waits for a hand is made when the seed takes over, and so is each behind it.
#[test]
fn who_hands_the_dice_over_to_the_seed_has_what_waits_rolled() {
    let rules = TINY.replace(
        "scene Night {\n",
        "scene Night {\n  wait \"Look up.\"\n  draw sky from living\n  draw wind from living\n  say \"{sky} looks up, and {wind}.\"\n",
    );
    let folder = folder_with(&rules, "");
    let play = |lines: &str| omerta_in(folder.path(), &AT_TABLE, lines.as_bytes()).out;
    let by_hand = play("roll by-hand\ngo\nlog\n");
    assert!(!by_hand.contains("looks up, and"), "{by_hand}");
    let handed_over = play("roll by-hand\ngo\nroll by-seed\n");
    assert!(handed_over.contains("looks up, and"), "{handed_over}");
    let once = play("roll by-hand\ngo\nroll\n");
    assert!(!once.contains("looks up, and"), "one roll is one draw: {once}");
    // Who has taken the dice keeps them, wherever he goes.
    for gone in [
        "reload",
        "branch other\nswitch main",
        "branch other\nleave",
        "save a.game\nload a.game",
    ] {
        let kept = play(&format!("roll by-hand\n{gone}\ngo\nlog\n"));
        assert!(
            kept.contains("Chance, sky") && !kept.contains("looks up, and"),
            "{gone}: {kept}"
        );
    }
}

#[test]
fn branches_are_kept_with_the_game() {
    let folder = crate::program::folder();
    let play = |lines: &str| {
        let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
        crate::program::omerta_in(folder.path(), &args, lines.as_bytes())
    };
    let kept = play("go\nBob\nbranch other\nundo\nCid\nsave a.game\n");
    assert_eq!(kept.code, Some(0), "{}", kept.err);
    let loaded = play("load a.game\nbranches\n");
    assert!(
        loaded
            .out
            .contains("other: 6 answers, from `main` after 5 (here)"),
        "{}",
        loaded.out
    );
}

/// Up to three by their names, more by their number; and who or what it is that the game waits for.
#[test]
fn the_prompt_says_who_is_asked_and_how_many_answers_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"ruleset fair
use std.table
players 4
cast { players 4; Sheep rest }
team Flock "the flock"
role Sheep "a sheep" of Flock
count broken
script { play Deal; play Fair; play Fair; set broken to 1 / broken rounded down }
scene Fair {
  ask seat 1 for one from seat 2 "Who?"
  ask players without seat 3 without seat 4 together for two from others "Two?"
  ask players without seat 4 together for three from players without seat 1 "Three?"
  ask players together for four from players "Four?"
  ask host for five from 1..100 "How many?"
  ask host for six from 1..3 "How few?"
  ask seat 2 to write seven up to 9 letters "What?"
  draw coin from 1 head, 1 tail
  wait "A rest."
}
"#;
    std::fs::write(folder.path().join("fair.mafia"), rules).unwrap();
    let args = ["play", "fair.mafia", "--names", "Ann,Bob,Cid,Dee"];
    let day = "Bob\nCid\nBob\nDee\n7\n2\nhello\nhead\ngo\n";
    let done = crate::program::omerta_in(
        folder.path(),
        &args,
        format!("roll by-hand\n{day}{day}seats\n").as_bytes(),
    );
    let prompts = done.out.lines().filter_map(|line| line.split_once("> "));
    let prompts: Vec<&str> = prompts.map(|(prompt, _)| prompt).skip(1).collect();
    let of_the_day = |day: u32| {
        [
            "Ann, 1 option",
            "Ann and Bob, 2 options",
            "Ann, Bob and Cid, 3 options",
            "4 together, 4 options",
            "host, a number",
            "host, 3 options",
            "Bob, a text",
            "chance, 2 options",
            "go",
        ]
        .map(|asked| format!("Fair {day}, {asked}"))
    };
    let wanted = [&of_the_day(1)[..], &of_the_day(2)[..], &["broken".to_owned()]].concat();
    assert_eq!(prompts, wanted, "{}", done.told());
}

// ---- Why not

/// Rules with a question of every sort.
const CHOICES: &str = include_str!("prompt/choices.mafia");

/// A session with those rules.
fn choices(lines: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("choices.mafia"), CHOICES).unwrap();
    let args = [
        "play",
        "choices.mafia",
        "--names",
        "Ann,Bob,Cid,Dee",
        "--seed",
        "3",
    ];
    let done = crate::program::omerta_in(folder.path(), &args, lines.as_bytes());
    format!("{}\n==\n{}", done.out, done.err)
}

#[test]
fn why_not_reads_what_an_overlay_has_put_in_the_place_of_a_scene_or_a_call() {
    let rules = r#"ruleset tiny "A tiny game"
use std.table, std.night
players 3..6
cast {
  players 3..6
  Wolf 1
  Sheep rest
}
publish Dusk, bitten
team Pack "the pack"
team Flock "the flock"
role Wolf "a wolf" of Pack {
  when called {
    ask me together for prey from living "Whom?"
  }
}
role Sheep "a sheep" of Flock
mark bitten
script {
  play Deal
  play Dusk
}
scene Dusk {
  wait "Dusk."
  call Wolf
}
overlay other "Other" on tiny {
  replace scene Dusk {
    ask host for first from living without seat 2 "Who begins?"
    mark first as bitten
    call Wolf
  }
  replace call Wolf {
    ask me together for prey from living without bitten "Whom but those?"
  }
}
"#;
    let folder = folder_with(rules, "ruleset tiny\n");
    let args = [
        "play",
        "tiny.mafia",
        "--with",
        "other",
        "--names",
        "Ann,Bob,Cid",
        "--seed",
        "4",
    ];
    let lines = "why not Bob\nCid\nwhy not Cid\nwhy not Ann\n";
    let done = omerta_in(folder.path(), &args, lines.as_bytes());
    insta::assert_snapshot!(format!("{}\n==\n{}", done.out, done.err));
}

#[test]
fn a_full_name_is_meant_before_those_that_it_begins() {
    let howls = "    howler when no players { nothing }\n    howl \"Howl";
    let rules = CHOICES.replace("    howl \"Howl", howls);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("choices.mafia"), rules).unwrap();
    let args = [
        "play",
        "choices.mafia",
        "--names",
        "Ann,Bob,Cid,Dee",
        "--seed",
        "3",
    ];
    let why_not = |what: &str| {
        let line = format!("why not {what}\n");
        let done = crate::program::omerta_in(folder.path(), &args, line.as_bytes());
        done.out + done.err.as_str()
    };
    let (howl, howler) = ("number of wounded is at least 1", "no players");
    // As an answer is written, of the one who is asked.
    let answers = ["Ann", "Bob", "Cid", "Dee"].map(|who| why_not(&format!("{who} -> howl")));
    let by_whom = answers.iter().filter(|shown| shown.contains(howl)).count();
    assert_eq!(by_whom, 1, "{}", answers.concat());
    for (what, told) in [
        ("howl", Some(howl)),
        ("HOWL", Some(howl)),
        ("howler", Some(howler)),
        ("howle", Some(howler)),
        ("how", None),
    ] {
        let shown = why_not(what);
        for why in [howl, howler] {
            assert_eq!(shown.contains(why), told == Some(why), "{what}: {shown}");
        }
    }
}

#[test]
fn titles_stand_at_the_prompt() {
    let shown = choices("offers\n");
    for title in [
        "  Sink the teeth in:\n",
        "  4 Nothing at all (pass)\n",
        "open besides: `bid` (Make a bid)",
        "  bid: Make a bid\n",
    ] {
        assert!(shown.contains(title), "{title}: {shown}");
    }
}

// ---- By hand

#[test]
fn what_was_done_by_hand_is_kept_and_written_into_the_scenario() {
    let folder = crate::program::folder();
    let play = |lines: &str| {
        let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
        crate::program::omerta_in(folder.path(), &args, lines.as_bytes())
    };
    let deeds =
        "go\nby hand do departure of Bob\nby hand mark Cid as bitten\nDee\nby hand turn Ann into Wolf\n";
    let kept = play(&format!("{deeds}go\nsave a.game\n"));
    assert_eq!(kept.code, Some(0), "{}", kept.err);
    let loaded = play("load a.game\nlog\nexport a.play\n");
    assert!(
        loaded.out.contains("By hand: do departure of Bob"),
        "{}",
        loaded.out
    );
    assert_eq!(loaded.code, Some(0), "{}", loaded.err);
    let text = std::fs::read_to_string(folder.path().join("a.play")).unwrap();
    insta::assert_snapshot!(text);
    let test = |file: &str| crate::program::omerta_in(folder.path(), &["test", file], b"").code;
    assert_eq!(test("a.play"), Some(0));
    // The deed is what the test hangs on.
    let without = text.replace("by hand do departure of Bob", "expect goes on");
    std::fs::write(folder.path().join("b.play"), without).unwrap();
    assert_eq!(test("b.play"), Some(1));
}

// ---- Other rules

#[test]
fn changed_rules_get_the_same_answers_and_the_first_difference_is_shown() {
    use crate::program::{folder, omerta_in};
    let folder = folder();
    let path = folder.path().join("tiny.mafia");
    let rules = std::fs::read_to_string(&path).unwrap();
    // `reload` reads what lies there now: the game is kept under the first rules, and loaded under others.
    let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
    let kept = omerta_in(folder.path(), &args, b"go\nBob\ngo\nCid\nsave a.game\nreload\n");
    assert!(
        kept.out.contains("nothing in the game has changed"),
        "{}",
        kept.out
    );
    let wrong = rules.replace("say \"{prey} was licked.\"", "say nonsense");
    std::fs::write(&path, wrong).unwrap();
    let done = omerta_in(folder.path(), &args, b"reload\n");
    assert_eq!(done.code, Some(1), "{}", done.out);
}

#[test]
fn who_is_left_to_himself_may_go_by_a_policy() {
    let folder = crate::program::folder();
    let args = ["play", "city", "--names", "Ann,Bob,Cid,Dee,Eve", "--seed", "4"];
    let lines =
        "rest crowd\nrest\nrest crowdd\nstep 4\nopen village --players 6\nrest\nstep\nrest random\nstep\n";
    let done = crate::program::omerta_in(folder.path(), &args, lines.as_bytes());
    assert_eq!(
        done.out.matches("players left to themselves go by crowd").count(),
        2,
        "{}",
        done.out
    );
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("did you mean `crowd`?"), "{}", done.err);
    assert_eq!(
        done.err
            .matches("there is no policy `crowd`: the rules declare none")
            .count(),
        2,
        "{}",
        done.err
    );
}

#[test]
fn rules_that_broke_are_told_at_the_end_of_a_pipe() {
    let breaks = "mark bitten \"bitten\"\nhook odd gives players \"it names a seat that is not there\" \"\"\" 99 \"\"\"\n";
    let rules = TINY
        .replace("mark bitten \"bitten\"\n", breaks)
        .replace("mark prey as bitten", "mark prey plus odd as bitten");
    let folder = crate::program::folder_with(&rules, "");
    let play =
        |lines: &str| crate::program::omerta_in(folder.path(), &crate::program::AT_TABLE, lines.as_bytes());
    assert_eq!(play("go\n").code, Some(0), "it has not come to that");
    let done = play("go\nBob\n");
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.told().contains("M0803"), "{}", done.told());
    assert_eq!(play("go\nBob\nundo\n").code, Some(0), "it was taken back");
    // What else can be asked then, and what not.
    for (line, words) in [
        ("go", "the rules went wrong; `undo` goes back"),
        ("Ann", "the rules went wrong; `undo` goes back"),
        ("who", "nobody is asked any more"),
        ("step", "nothing is asked any more"),
        ("narrate", "nothing comes any more"),
        ("offers", "nothing is open any more: the rules went wrong"),
        ("odds", "the rules went wrong: nothing is left to chance"),
        ("undo", "taken back: the host: Bob"),
    ] {
        let told = play(&format!("go\nBob\n{line}\n")).told();
        assert!(told.contains(words), "{line}: {told}");
    }
}

// ---- Scenarios and scripts

#[test]
fn a_session_is_written_as_a_scenario_that_holds() {
    use crate::program::{folder, omerta_in};
    let folder = folder();
    let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
    let lines = "Bob does growl-at Ann\ngo\nDee\ngo\nexport bug.play a growl\nexport bug.play\nexport bug\nrandom end\nexport whole.play\n";
    let done = omerta_in(folder.path(), &args, lines.as_bytes());
    assert!(done.err.contains("is there already"), "{}", done.err);
    assert!(
        done.out.contains("written to `bug.play`, with its snapshot"),
        "{}\n{}",
        done.out,
        done.err
    );
    let ran = omerta_in(folder.path(), &["test", "bug.play", "whole.play"], b"");
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    insta::assert_snapshot!(format!("{}\n{}", text("bug.play"), text("whole.play")));
    // It is a test: other rules do not pass it.
    let rules = text("tiny.mafia").replace("was bitten", "was nibbled");
    std::fs::write(folder.path().join("tiny.mafia"), rules).unwrap();
    let ran = omerta_in(folder.path(), &["test", "bug.play"], b"");
    assert_eq!(ran.code, Some(1), "{}", ran.out);
}

#[test]
fn what_is_said_twice_in_a_scene_is_expected_once() {
    use crate::program::{folder, omerta_in};
    let folder = folder();
    let lines =
        "Bob does growl-at Ann\nBob does growl-at Ann\nCid does growl-at Ann\ngo\nexport twice.play\n";
    let done = omerta_in(folder.path(), &crate::program::AT_TABLE, lines.as_bytes());
    assert_eq!(done.code, Some(0), "{}\n{}", done.out, done.err);
    assert_eq!(done.out.matches("Bob growls at Ann.").count(), 2, "{}", done.out);
    let text = std::fs::read_to_string(folder.path().join("twice.play")).unwrap();
    for who in ["Bob", "Cid"] {
        let said = format!("expect said \"{who} growls at Ann.\"");
        assert_eq!(text.matches(&said).count(), 1, "{text}");
    }
    let ran = omerta_in(folder.path(), &["test", "twice.play"], b"");
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
}

#[test]
fn every_bundled_game_can_be_written_as_a_scenario() {
    use crate::program::{folder, omerta_in};
    let folder = folder();
    let mut refused = Vec::new();
    let rulesets = ["city", "town", "village", "sport", "blitz", "vendetta"];
    // Before anybody has answered, and later.
    let moments = ["", "step 12\n"].into_iter().enumerate();
    let all = moments.flat_map(|moment| rulesets.map(|ruleset| (moment, ruleset)));
    for ((number, first), ruleset) in all {
        let file = format!("{ruleset}-{number}.play");
        let lines = format!("{first}export {file}\n");
        let done = omerta_in(folder.path(), &["play", ruleset, "--seed", "5"], lines.as_bytes());
        if done.code != Some(0) {
            refused.push(format!("{ruleset}: {}", done.err));
            continue;
        }
        let ran = omerta_in(folder.path(), &["test", &file], b"");
        assert_eq!(ran.code, Some(0), "{ruleset}: {}\n{}", ran.out, ran.err);
    }
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
fn the_script_for_what_comes_next_holds_nothing_that_hangs_on_a_secret() {
    let done = played("narrate\ngo\nnarrate\nrandom end\nnarrate\n");
    insta::assert_snapshot!(format!("{}\n==\n{}", done.out, done.err));
}

#[test]
fn the_script_for_what_comes_next_holds_no_answer_that_nobody_has_heard() {
    let told = |game: &[&str], lines: &str| {
        let args = [&["play"], game].concat();
        let done = crate::program::omerta_in(crate::program::folder().path(), &args, lines.as_bytes());
        let script = done
            .out
            .rsplit_once("> narrate")
            .unwrap_or_else(|| panic!("{}", done.err))
            .1;
        script.to_owned()
    };
    let ballot = "to meeting 1\nAnn does nominate Bob\nCid does second\ngo\nAnn -> yes\nnarrate\n";
    let fists = "to night 1\nrandom 29\nnarrate\n";
    // Whoever is killed lies there already, and so does his card.
    let killed = "rest random\nto night 2\nrandom 2\nundo\nnarrate\n";
    for (game, lines) in [
        (&["village", "--players", "5", "--seed", "4"], ballot),
        (&["sport", "--players", "10", "--seed", "3"], fists),
        (&["vendetta", "--players", "8", "--seed", "3"], killed),
    ] {
        let script = told(game, lines);
        let names = ["Ann", "Bob", "Cid", "Fay", "Ida", "Jan"];
        assert!(
            names.iter().all(|name| !script.contains(name)),
            "{game:?}: {script}"
        );
    }
}

#[test]
fn a_card_that_no_rule_knows_of_is_told_when_it_is_made_by_hand() {
    let told = |given: &str| {
        let args = ["play", "city", "--seed", "4"];
        crate::program::omerta_in(crate::program::folder().path(), &args, given.as_bytes()).out
    };
    let none = "no card of the doctor was put into this game";
    assert!(told("by hand turn Ann into Doctor\n").contains(none));
    assert!(!told("by hand turn Ann into Mafioso\n").contains("was put into this game"));
    assert!(!told("by hand turn Zed into Doctor\n").contains("was put into this game"));
}

#[test]
fn an_offer_that_picks_is_open_though_nothing_is_named_with_it() {
    let args = ["play", "city", "--seed", "5"];
    let lines = b"to day 1\nwhy not Ann does suspect-of\nwhy not Ann does suspect-of Bob\nwhy not host does suspect-of\n";
    let told = crate::program::omerta_in(crate::program::folder().path(), &args, lines).out;
    for line in [
        "`Ann does suspect-of` is open, and something is named with it: `Ann does suspect-of Ann`",
        "`Ann does suspect-of Bob` is open\n",
        "it is for `living` (city.mafia:169), and not for the host",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
}

/// A blank is a blank, be it one of a tab.
#[test]
fn a_tab_between_words_is_a_blank() {
    let folder = crate::program::folder();
    let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
    let told = omerta_in(folder.path(), &args, b"print\tnumber of\tplayers\n");
    assert!(told.out.contains("\n  4\n"), "{}{}", told.out, told.err);
}

/// What is asked by a rule behind a scene belongs to the scene, in a scenario as in the game.
#[test]
fn games_in_which_rules_around_scenes_ask_can_be_written_as_scenarios() {
    for seed in ["1", "2", "3"] {
        let folder = crate::program::folder();
        let args = [
            "play",
            "city",
            "--with",
            "no-leader",
            "--players",
            "8",
            "--seed",
            seed,
        ];
        let written = omerta_in(folder.path(), &args, b"random end\nexport whole.play\n");
        assert!(
            written.out.contains("written to `whole.play`"),
            "{seed}: {}",
            written.err
        );
        let held = omerta_in(folder.path(), &["test", "whole.play"], b"");
        assert_eq!(held.code, Some(0), "{seed}: {}{}", held.out, held.err);
    }
}

#[test]
fn what_was_taken_back_is_kept_with_the_game() {
    let folder = crate::program::folder();
    let play = |lines: &str| {
        let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
        crate::program::omerta_in(folder.path(), &args, lines.as_bytes())
    };
    let kept = play("go\nBob\ngo\nundo 2\nsave a.game\n");
    assert_eq!(kept.code, Some(0), "{}", kept.err);
    let loaded = play("load a.game\nredo\n");
    assert_eq!(loaded.code, Some(0), "{}", loaded.err);
    assert!(loaded.out.contains("Bob was bitten."), "{}", loaded.out);
}

#[test]
fn a_reader_who_goes_away_is_no_mistake() {
    use std::process::Stdio;
    let folder = crate::program::folder();
    let mut child = crate::program::omerta(folder.path())
        .args(["play", "--seed", "7"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut lines = child.stdin.take().unwrap();
    // It may be gone before it has read all of this.
    let _ = std::io::Write::write_all(&mut lines, "log all\n".repeat(2_000).as_bytes());
    drop(lines);
    let done = child.wait_with_output().unwrap();
    let talk = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{:?}: {talk}", done.status);
    assert_eq!(talk, "");
}

#[test]
fn another_game_is_opened_from_inside() {
    let done =
        played("open tiny.mafia --players 3 --seed 9\nopen --no-such-word\nopen nothing-of-that-name\ngo\n");
    assert!(
        done.out.contains("A tiny game, 3 players, seed 9"),
        "{}",
        done.out
    );
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("--no-such-word"), "{}", done.err);
}

#[test]
fn scenes_behind_a_draw_of_the_script_have_their_headings() {
    let rules = TINY.replace(
        "  play Deal\n",
        "  play Deal\n  draw first-up from players openly\n",
    );
    assert_ne!(rules, TINY);
    let folder = folder_with(&rules, "");
    let told = omerta_in(folder.path(), &AT_TABLE, b"go\nBob\nCid\nquit\n").told();
    assert!(
        told.contains("-- Night 1 --") && told.contains("-- Night 2 --"),
        "{told}"
    );
}

#[test]
fn the_numbers_of_one_line_are_those_that_were_listed() {
    let rules = TINY.replace(
        "  wait \"Everybody sleeps.\"",
        "  ask host for 2 crew from living \"Who goes?\"\n  say \"{crew} go.\"",
    );
    assert_ne!(rules, TINY);
    let folder = folder_with(&rules, "");
    let told = omerta_in(folder.path(), &AT_TABLE, b"1,2\nquit\n").told();
    assert!(told.contains("Ann and Bob go."), "{told}");
    let told = omerta_in(folder.path(), &AT_TABLE, b"1\n2\nquit\n").told();
    assert!(
        told.contains("Ann and Cid go."),
        "line by line the list is the one that is shown then\n{told}"
    );
    let told = omerta_in(folder.path(), &AT_TABLE, b"2,2\nquit\n").told();
    assert!(told.contains("nothing was answered"), "{told}");
    // The question behind the last pick is another: its numbers are those of its own list.
    let others = rules.replace("prey from living", "prey from living without crew");
    let folder = folder_with(&others, "");
    for (line, bitten) in [
        ("1,2,1", "Cid was bitten."),
        ("2,3,1", "Ann was bitten."),
        ("1,2,2", "Dee was bitten."),
    ] {
        let told = omerta_in(folder.path(), &AT_TABLE, format!("{line}\nquit\n").as_bytes()).told();
        assert!(told.contains(bitten), "{line}: {told}");
    }
    let told = omerta_in(folder.path(), &AT_TABLE, b"1,2,3\nquit\n").told();
    assert!(told.contains("nothing was answered"), "{told}");
}

// ---- Cards and zones

/// A ballot is told behind what was asked, and never behind a question of an earlier day: nobody looks for it beyond the scene,
/// so that a game of many thousand days is told in time.
#[test]
fn a_ballot_for_which_nobody_was_asked_is_told_by_its_name() {
    let lines = b"rest pass\nto day 1\nAnn does suspect-of Bob\ngo\nliving -> pass\nto night 2\n";
    let args = ["play", "city", "--players", "5", "--seed", "3"];
    let folder = tempfile::tempdir().unwrap();
    let shown = crate::program::omerta_in(folder.path(), &args, lines).out;
    let first = "\u{bb} Whom do you vote for? nobody by Ann, Bob, Cid, Dee and Eve\n";
    let second = "-- Day 2 --\n  \u{bb} vote: nobody by Ann, Bob, Cid, Dee and Eve\n";
    assert!(shown.contains(first) && shown.contains(second), "{shown}");
}

/// What a question was hears only who is asked: whoever hears the answers alone is told them by the name of the question, of a
/// later ballot in the same scene too, of which he was asked before.
#[test]
fn whoever_was_not_asked_does_not_hear_what_a_ballot_was_about() {
    let ballots = "scene Night {\n  for each s of seat 1 plus seat 2 {\n    ask each living without s whether raised openly \"Who is for {s}?\"\n  }\n";
    let rules = TINY.replace("scene Night {\n", ballots);
    let folder = folder_with(&rules, "");
    let lines = b"yes\nno\nyes\nyes\nno\nyes\nlog Ann\nlog Bob\nlog Cid\nlog public\n";
    let shown = omerta_in(folder.path(), &AT_TABLE[..4], lines).out;
    let heard = |name: &str| {
        let (_, rest) = shown
            .split_once(&format!("> log {name}\n"))
            .unwrap_or_else(|| panic!("{shown}"));
        let lines = rest.lines().take_while(|line| !line.contains("> log"));
        let told = lines.filter(|line| line.contains(" by "));
        told.map(str::trim).collect::<Vec<_>>().join(" | ")
    };
    let (first, second) = ("yes by Bob and Dee; no by Cid", "yes by Ann and Dee; no by Cid");
    assert_eq!(
        heard("Ann"),
        format!("raised: {first} | Who is for Bob? {second}")
    );
    assert_eq!(
        heard("Bob"),
        format!("Who is for Ann? {first} | raised: {second}")
    );
    assert_eq!(
        heard("Cid"),
        format!("Who is for Ann? {first} | Who is for Bob? {second}")
    );
    assert_eq!(heard("public"), format!("raised: {first} | raised: {second}"));
}

/// A session in a game of laws that lie in a pile and come to a player.
fn laws(lines: &str) -> String {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/repl/laws.mafia");
    let args = ["play", rules, "--players", "6", "--seed", "4"];
    let folder = tempfile::tempdir().unwrap();
    crate::program::omerta_in(folder.path(), &args, lines.as_bytes()).told()
}

#[test]
fn cards_are_offered_by_their_titles_and_like_ones_once() {
    let shown = laws("a reform\n");
    assert!(shown.contains("  1 a reform      2 a decree ×2\n"), "{shown}");
    assert!(shown.contains("> a reform\n  Ann: a reform\n"), "{shown}");
    assert!(shown.contains("  1 a decree ×2\n"), "{shown}");
    // By its name, as ever.
    assert!(laws("Decree Ann\n").contains("  Ann: a decree\n"));
}

#[test]
fn a_branch_that_picks_nobody_is_its_title() {
    let shown = laws("1\n1\nfail the mission\n");
    assert!(
        shown.contains("   1 Success                    2 Fail the mission (fail)\n   3 shoot Bob"),
        "{shown}"
    );
    assert!(shown.contains("  Look at a card:\n   8 look-at Bob"), "{shown}");
    assert!(
        shown.contains("> fail the mission\n  Ann: Fail the mission\n"),
        "{shown}"
    );
    // Who is named alone might be meant with either branch.
    let shown = laws("1\n1\nbob\n");
    assert!(
        shown.contains("`bob` could be `shoot Bob` or `look-at Bob`"),
        "{shown}"
    );
}

#[test]
fn zones_are_told_whole_and_what_a_seat_has_seen_is_counted() {
    let shown = laws("1\n1\nseats\nview\nview 2\nview Ann\n");
    assert!(
        shown.contains("  the pile of laws: 2 decrees, a reform, a decree, a reform"),
        "{shown}"
    );
    assert!(
        shown.contains("  the laws thrown away: a reform, a decree\n  the papers of Ann: a decree\n"),
        "{shown}"
    );
    assert!(shown.contains("whose? `view Ann`"), "{shown}");
    assert!(
        shown.contains("What Bob has seen lie on the table:\n  2 Bob  a whig\n"),
        "{shown}"
    );
    assert!(
        shown.contains("What Ann has seen lie on the table:\n  1 Ann  a tory\n"),
        "{shown}"
    );
}

/// A session in the classic game, Ann and Gus being the mafia.
fn city(lines: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    crate::program::omerta_in(folder.path(), &["play", "--seed", "7"], lines.as_bytes()).told()
}

#[test]
fn an_answer_typed_too_early_is_no_answer_to_something_else() {
    let shown = city("living -> Bob\nMafia -> Bob\nto night\nMafia -> Bob\n");
    let too_early = "none of them is asked before Day 1; go there first; nothing was answered";
    assert_eq!(shown.matches(too_early).count(), 2, "{shown}");
    assert!(shown.contains("> Mafia -> Bob\n  Ann and Gus: Bob\n"), "{shown}");
}

#[test]
fn what_nearly_meant_something_is_told_what() {
    let shown =
        city("print foo\nAnn dos suspect-of Bob\nAnn does suspect Bob\nAnn does suspect-of Bob\nview 9\n");
    for words in [
        "there is no `foo`\n",
        "means nothing here; did you mean `Ann does suspect-of Bob`?",
        "`Ann does suspect Bob` is not open; did you mean `Ann does suspect-of Bob`?",
        "is not open: it is open only during Discussion",
        "nobody here is called `9`",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
}

#[test]
fn names_that_mean_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let play = |names: &str| {
        let args = ["play", "city", "--names", names, "--seed", "1"];
        crate::program::omerta_in(folder.path(), &args, b"seats\n")
    };
    for name in [
        "Doctor", "mafia", "suspect", "host", "Me", "aside", "living", "public", "a->b", "Ann:x", "(Ann)",
        "say\"x",
    ] {
        let refused = play(&format!("Ann,Bob,Cid,Dee,{name}"));
        assert_eq!(refused.code, Some(2), "{name}: {}", refused.told());
        assert!(refused.err.contains("cannot be a name"), "{}", refused.err);
    }
    let joined = play("Ann, Bob ,Cid,Dee, Anna  Maria ");
    assert!(
        joined.out.contains(" 2 Bob  ") && joined.out.contains(" 5 Anna-Maria  "),
        "{}",
        joined.out
    );
}

#[test]
fn a_game_is_exported_with_the_path_as_seen_from_its_file() {
    let folder = crate::program::folder();
    std::fs::create_dir_all(folder.path().join("ex/am")).unwrap();
    let lines = b"go\nDee\nexport ex/am/m.play\n";
    let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
    let done = crate::program::omerta_in(folder.path(), &args, lines);
    let text = std::fs::read_to_string(folder.path().join("ex/am/m.play")).unwrap();
    assert!(
        text.starts_with("ruleset \"../../tiny.mafia\"\n"),
        "{text}\n{}",
        done.told()
    );
    let tested = crate::program::omerta_in(&folder.path().join("ex"), &["test"], b"");
    assert_eq!(tested.code, Some(0), "{}", tested.told());
}

#[test]
fn so_are_overlays_and_what_goes_by_a_name_stays() {
    let folder = crate::program::folder();
    let here = folder.path();
    std::fs::create_dir_all(here.join("ex/am")).unwrap();
    for (file, name) in [("house.mafia", "house"), ("loud.mafia", "loud")] {
        let text = format!("overlay {name} \"The {name}\" on tiny {{\n}}\n");
        crate::program::write(here, file, &text);
    }
    let args = "play tiny.mafia --with ./house.mafia,loud --names Ann,Bob,Cid,Dee --seed 4";
    let args: Vec<&str> = args.split(' ').collect();
    let done = crate::program::omerta_in(here, &args, b"go\nDee\nexport ex/am/m.play\n");
    let text = std::fs::read_to_string(here.join("ex/am/m.play")).unwrap();
    let first = "ruleset \"../../tiny.mafia\" with \"../../house.mafia\", loud\n";
    assert!(text.starts_with(first), "{text}\n{}", done.told());
    let tested = crate::program::omerta_in(&here.join("ex"), &["test"], b"");
    assert_eq!(tested.code, Some(0), "{}", tested.told());
}

#[test]
fn the_time_of_a_wait_may_be_over_and_only_of_one_with_a_limit() {
    let rules = TINY.replacen(
        "wait \"Everybody sleeps.\"",
        "wait 60 seconds \"Everybody sleeps.\"",
        1,
    );
    assert_ne!(rules, TINY);
    let typed = |rules: &str| omerta_in(folder_with(rules, "").path(), &AT_TABLE, b"time-up\n");
    let limited = typed(&rules);
    assert!(
        limited.err.is_empty() && limited.out.contains("Who is bitten?"),
        "{}{}",
        limited.out,
        limited.err
    );
    let unlimited = typed(TINY);
    assert!(
        unlimited.err.contains("`time-up` does nothing here"),
        "{}{}",
        unlimited.out,
        unlimited.err
    );
}

/// Whichever stands first in the rules, and with the time of it behind the title or without.
#[test]
fn of_scenes_whose_titles_begin_alike_the_longest_that_stands_there_is_meant() {
    let scenes = [
        "scene Night \"the night\" { wait \"A night.\" }",
        "scene Watch \"the night watch\" { wait \"A watch.\" }",
    ];
    for order in [[0, 1], [1, 0]] {
        let rules = format!(
            "ruleset tiny \"Watches\"\nplayers 3\nrole Any \"anybody\"\ncast {{\n  players 3\n  Any rest\n}}\nscript {{\n  repeat {{\n    \
             play Night\n    play Watch\n  }}\n}}\n{}\n{}\n",
            scenes[order[0]], scenes[order[1]]
        );
        let folder = folder_with(&rules, "");
        let args = ["play", "tiny.mafia", "--seed", "1", "--names", "Ann,Bob,Cid"];
        for (line, comes) in [
            ("to the night watch", "-- The night watch 1 --"),
            ("to the night watch 2", "-- The night watch 2 --"),
            ("to the night 2", "-- The night 2 --"),
            ("to watch", "-- The night watch 1 --"),
        ] {
            let done = omerta_in(folder.path(), &args, format!("{line}\n").as_bytes());
            let last = done.out.lines().rfind(|line| line.starts_with("--"));
            assert_eq!((last, &*done.err), (Some(comes), ""), "{line}: {}", done.out);
        }
    }
}

/// What players toss who are left to themselves hangs on the answers that were given, and on no line that gave none.
#[test]
fn a_line_that_answers_nothing_leaves_what_is_tossed_next() {
    let rules = "ruleset tiny \"Tosses\"\nplayers 3\nrole Any \"anybody\"\ncast {\n  players 3\n  Any rest\n}\nscript {\n  repeat {\n    \
                 draw roll from 1..1000 openly\n    ask seat 1 for toss from 1..1000 openly\n  }\n}\n";
    let folder = folder_with(rules, "");
    let log = |between: &str| {
        let lines = format!("step 2\n{between}\nstep 3\nlog public all\n");
        let args = ["play", "tiny.mafia", "--seed", "1", "--names", "Ann,Bob,Cid"];
        let done = omerta_in(folder.path(), &args, lines.as_bytes());
        done.out.rsplit("log public all").next().unwrap().to_owned()
    };
    let straight = log("");
    assert!(straight.matches("Ann: ").count() >= 5, "{straight}");
    for line in [
        "redo",
        "1001",
        "nonsense",
        "goto nowhere",
        "load none.game",
        "switch none",
        "leave",
        "who",
        "print 1 + 1",
        "what if 7",
        "view Ann",
        "narrate",
        "why not 1001",
        "save kept.game",
        "export kept.play",
        "watch number of living",
    ] {
        assert_eq!(log(line), straight, "{line}");
    }
}

/// No game takes another's place, nor an earlier stand that of a later one.
#[test]
fn a_file_keeps_what_only_it_has() {
    let folder = folder_with(TINY, "");
    let at_prompt = |args: &[&str], lines: &str| {
        let args = [&["play", "tiny.mafia", "--seed", "7"], args].concat();
        omerta_in(folder.path(), &args, lines.as_bytes()).told()
    };
    let kept = |told: &str| told.contains("kept in `a.game`");
    let begun = at_prompt(&[], "save a.game\n");
    assert!(kept(&begun), "{begun}");
    let further = at_prompt(&[], "go\nsave a.game\nundo\nsave a.game\ngo\nsave a.game\n");
    assert_eq!(further.matches("kept in `a.game`").count(), 3, "{further}");
    for (args, lines, why) in [
        (
            &[][..],
            "save a.game\n",
            "holds this game as it went on otherwise",
        ),
        (&["--players", "5"], "save a.game\n", "holds another game"),
        (&["--set", "fierce=no"], "go\nsave a.game\n", "holds another game"),
    ] {
        let told = at_prompt(args, lines);
        assert!(!kept(&told) && told.contains(why), "{args:?}: {told}");
    }
    let loaded = at_prompt(&["--players", "5"], "load a.game\nundo\nsave a.game\n");
    assert!(kept(&loaded), "{loaded}");
}

/// Whoever goes back and forth, and stands where he stood, meets the rolls that he would have met.
#[test]
fn rolls_are_the_same_however_one_came_there() {
    let rules = r#"ruleset tiny "Dice"
players 3
role Any "anybody"
zone hand of each is role seen by owner
cast {
  players 3
  Any     rest
}
script {
  repeat {
    draw roll from 1..1000 openly
    wait "On?"
    say "A {roll}."
    ask seat 1 whether sure
  }
}
"#;
    let folder = folder_with(rules, "");
    let rolls = |ways: &str| {
        let lines = format!("{}\ngo\nyes\ngo\nyes\nlog public all\n", ways.replace("; ", "\n"));
        let args = ["play", "tiny.mafia", "--seed", "1", "--names", "Ann,Bob,Cid"];
        let done = omerta_in(folder.path(), &args, lines.as_bytes());
        assert!(done.err.is_empty(), "{ways}: {}", done.err);
        let log = done.out.rsplit("log public all").next().unwrap().to_owned();
        log.lines()
            .filter(|line| line.contains("roll"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let straight = rolls("go; yes; go; yes");
    assert!(straight.len() >= 4, "{straight:?}");
    for ways in [
        "go; yes; go; yes; undo; redo",
        "go; yes; go; yes; undo 3; redo 3",
        "go; yes; go; yes; undo; undo; redo; redo",
        "go; yes; go; yes; goto start; goto end",
        "go; yes; goto start; goto end; go; yes",
        "go; yes; go; undo; go; yes",
        "go; yes; branch other; go; no; switch main; go; yes",
        "go; yes; go; yes; save a.game; undo 3; load a.game",
        "go; yes; what if go; go; yes",
    ] {
        assert_eq!(rolls(ways), straight, "{ways}");
    }
}

#[test]
fn the_source_of_words_is_found_by_their_name() {
    let shown = city("source deed\n");
    assert!(
        shown.contains("say \"The mafia has done its deed.\" as deed"),
        "{shown}"
    );
}

#[test]
fn a_card_that_was_taken_from_among_open_ones_is_named_when_that_is_taken_back() {
    let market = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/market.mafia");
    let args = ["play", market, "--names", "Ann,Bob,Cid", "--seed", "4"];
    let done = omerta_in(
        crate::program::folder().path(),
        &args,
        b"sell Pear\nundo 9\nquit\n",
    );
    assert!(
        done.told().contains("taken back: Ann: sell Pear"),
        "{}",
        done.told()
    );
}

// ---- The second operand, the last one, nothing

#[test]
fn the_log_shows_its_last_thirty_events_or_all() {
    let shown = |typed: &str| -> Vec<String> {
        let out = played(&format!("random end\n{typed}\n")).out;
        let (_, log) = out.split_once(&format!("> {typed}\n")).unwrap();
        let numbered = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        log.lines().filter(numbered).map(str::to_owned).collect()
    };
    let (log, all) = (shown("log"), shown("log all"));
    assert!(all.len() > 30, "{all:?}");
    assert_eq!(log, all[all.len() - 30..]);
    assert_eq!(shown("log everybody"), shown("log public"));
}

#[test]
fn a_kept_game_under_other_rules_says_how_many_answers_fit() {
    let folder = folder_with(TINY, "");
    let play = |lines: &str| omerta_in(folder.path(), &AT_TABLE, lines.as_bytes());
    play("go\nBob\ngo\nsave a.game\n");
    let whole = play("load a.game\n").out;
    assert!(!whole.contains("note:"), "{whole}");
    let others = TINY.replace("from living \"Who", "from living Wolf \"Who");
    std::fs::write(folder.path().join("tiny.mafia"), others).unwrap();
    let told = play("load a.game\n").out;
    assert!(
        told.contains("note: the rules have changed since this game was kept"),
        "{told}"
    );
    assert!(told.contains("note: of its 7 answers only 5 fit"), "{told}");
}

/// Its own rules come with a kept game: what was watched and where it stops is found again in them, or said to be lost.
#[test]
fn what_is_watched_and_stopped_at_goes_by_the_rules_of_the_game_that_is_loaded() {
    let folder = folder_with(&format!("{TINY}define brave = living\n"), "");
    let other =
        format!("{TINY}define brave = living Wolf\nmark meek\n").replace("ruleset tiny", "ruleset other");
    std::fs::write(folder.path().join("other.mafia"), other).unwrap();
    let play = |rules: &str, lines: &str| {
        let words = ["play", rules, "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
        omerta_in(folder.path(), &words, lines.as_bytes())
    };
    play("tiny.mafia", "go\nsave a.game\n");
    let lines = "watch number of brave\nwatch number of meek\nbreak Night\nload a.game\nwatch\nbreak\n";
    let told = play("other.mafia", lines).out;
    let (before, behind) = told.split_once("> load a.game").unwrap();
    assert!(
        before.contains("number of brave: 1") && before.contains("number of meek: 0"),
        "{told}"
    );
    let (_, watched) = behind.split_once("> watch").unwrap();
    assert!(
        watched.contains("number of brave: 4") && watched.contains("Night"),
        "{told}"
    );
    assert!(!watched.contains("meek"), "{told}");
    assert!(behind.contains("watch number of meek"), "{told}");
}

/// A name that cannot stand in a scenario is written as the nearest that can, and everything that is said with it.
#[test]
fn a_game_with_names_of_other_signs_is_exported() {
    let folder = folder_with(TINY, "");
    let seats = [
        "play",
        "tiny.mafia",
        "--names",
        "O'NEIL,and,O-Neil,'3,!",
        "--seed",
        "1",
    ];
    let done = omerta_in(folder.path(), &seats, b"go\n2\nexport a.play\n");
    let text =
        std::fs::read_to_string(folder.path().join("a.play")).unwrap_or_else(|_| panic!("{}", done.told()));
    let seats = text.lines().find(|line| line.starts_with("seats ")).unwrap();
    let names: Vec<&str> = { seats["seats ".len()..].split(", ") }
        .map(|seat| seat.split(':').next().unwrap())
        .collect();
    assert_eq!(
        names,
        ["O-NEIL2", "`and`", "O-Neil", "Player-3", "Player"],
        "{text}"
    );
    assert!(!text.contains("O'NEIL"), "{text}");
    let renamed = "  `O'NEIL` sits there as `O-NEIL2`: a scenario cannot write the other name\n";
    assert!(done.out.contains(renamed), "{}", done.told());
    assert!(!done.out.contains("`and` sits"), "{}", done.told());
    let done = omerta_in(folder.path(), &["test", "a.play"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
}

/// One of several like cards is written by its place, where only backs were seen.
#[test]
fn a_card_that_was_chosen_by_its_back_is_exported_by_its_place() {
    let rules = "ruleset un \"Un\"\nuse std.table\nplayers 3\ncast { players 3\n  Wolf rest }\nteam Pack \"the pack\"\n\
                 role Wolf \"a wolf\" of Pack\ntoken Coin \"a coin\" 6\nzone bank\nzone box\n\
                 script {\n  play Deal\n  put Coin in bank\n  ask seat 1 for coin from bank unseen \"Coin?\"\n  move coin to box\n  \
                 ask seat 2 for deed { take \"Take\" other from bank unseen { move other to box } }\n  \
                 ask host whether fine \"Fine?\"\n}\nending over: draw when no players";
    let folder = folder_with(rules, "");
    let seats = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid", "--seed", "2"];
    let done = omerta_in(folder.path(), &seats, b"bank 2\ntake bank 3\nexport a.play\n");
    let text =
        std::fs::read_to_string(folder.path().join("a.play")).unwrap_or_else(|_| panic!("{}", done.told()));
    assert!(
        text.contains("Ann [coin] -> bank 2") && text.contains("Bob [deed] -> take bank 3"),
        "{text}"
    );
    let done = omerta_in(folder.path(), &["test", "a.play"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
}

/// Letters that come in two parts are put together, as those of rules and scenarios are.
#[test]
fn what_somebody_writes_has_its_letters_put_together() {
    let rules = "ruleset un \"Un\"\nuse std.table\nplayers 2\ncast { players 2\n  Wolf rest }\nrole Wolf \"a wolf\"\nscript {\n  ask seat 1 to write claim up to 2 letters \"What?\"\n  \
                 if claim is \"\u{e9}\u{e9}\" { say \"Accents.\" } else { say \"None.\" }\n  wait\n}\n";
    let folder = folder_with(rules, "");
    let done = omerta_in(
        folder.path(),
        &["play", "tiny.mafia", "--players", "2"],
        "e\u{301}e\u{301}\nlog public\n".as_bytes(),
    );
    assert!(done.out.contains("Accents."), "{}", done.told());
}

#[test]
fn a_game_with_names_that_are_words_of_scenarios_is_exported() {
    let words = [
        "then,does,told,shown,sees,include",
        "refused,seats,covers,otherwise,cast,never",
        "common,from,by,to,at,when",
        "e\u{301},Ann,Bob",
    ];
    for names in words {
        let folder = folder_with(TINY, "");
        let seats = ["play", "tiny.mafia", "--names", names, "--seed", "1"];
        let done = omerta_in(folder.path(), &seats, b"go\n2\nexport a.play\n");
        let text = std::fs::read_to_string(folder.path().join("a.play"));
        let text = text.unwrap_or_else(|_| panic!("{}", done.told()));
        assert!(
            !names.split(',').any(|name| text.contains(&format!("{name}2")))
                && !done.out.contains("sits there as"),
            "{text}"
        );
        let done = omerta_in(folder.path(), &["test", "a.play"], b"");
        assert_eq!(done.code, Some(0), "{}", done.told());
    }
}

#[test]
fn texts_are_the_same_however_their_letters_are_put_together() {
    let rules = TINY.replace("was bitten.", "was bitte\u{301}n.");
    let scenario = crate::program::SCENARIOS.replace(
        "expect winners",
        "expect said \"Ann was bitt\u{e9}n.\"\nexpect winners",
    );
    for (rules, scenario) in [
        (rules.clone(), scenario.clone()),
        (
            rules.replace("e\u{301}", "\u{e9}"),
            scenario.replace('\u{e9}', "e\u{301}"),
        ),
    ] {
        let folder = folder_with(&rules, &scenario);
        let done = omerta_in(folder.path(), &["test", "tiny.play"], b"");
        assert_eq!(done.code, Some(0), "{}", done.told());
    }
}

#[test]
fn a_title_with_backslashes_is_exported_as_it_is() {
    for title in [r"back\", r"a\b"] {
        let folder = folder_with(TINY, "");
        let typed = format!("go\nBob\nexport a.play {title}\n");
        omerta_in(folder.path(), &AT_TABLE, typed.as_bytes());
        let done = omerta_in(folder.path(), &["test", "a.play", "--format", "json"], b"");
        assert_eq!(done.code, Some(0), "{}", done.told());
        let named = format!("{:?}", title);
        assert!(done.out.contains(&named), "{}", done.out);
    }
}

#[test]
fn a_player_may_be_called_like_a_command() {
    let rules = TINY.replace("ask host for prey", "ask first of players for prey");
    let folder = folder_with(&rules, "");
    let play = [
        "play",
        "tiny.mafia",
        "--names",
        "save,undo,log,Dee",
        "--seed",
        "4",
    ];
    let typed = b"go\nundo does growl-at save\nlog does growl-at undo\n:undo\nsave -> Dee\nundo\n";
    let done = omerta_in(folder.path(), &play, typed);
    for told in [
        "undo growls at save.",
        "log growls at undo.",
        "save: Dee",
        "Dee was bitten.",
    ] {
        assert!(done.out.contains(told), "{told}: {}", done.told());
    }
    assert_eq!(done.out.matches("taken back: ").count(), 2, "{}", done.told());
    assert_eq!((done.code, &*done.err), (Some(0), ""));
    assert!(!folder.path().join("-> Dee").exists());
}

#[test]
fn a_walk_stops_at_conditions_and_at_nothing_else() {
    let folder = folder_with(TINY, "");
    let typed = b"break if living\nbreak if number of living\nbreak if 1\nbreak if Bob\nbreak if some bitten\nbreak\n";
    let done = omerta_in(folder.path(), &AT_TABLE, typed);
    for (line, given) in [(1, "living"), (2, "number of living"), (3, "1"), (4, "Bob")] {
        let told = format!("line {line}: `{given}` is no condition");
        assert!(done.err.contains(&told), "{}", done.err);
    }
    assert!(
        done.out.contains("\n  1 if some bitten\n") && !done.out.contains("  2 if"),
        "{}",
        done.out
    );
}

#[test]
fn what_of_a_log_is_left_out_is_told_with_how_it_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let typed = b"random end\nlog\nlog public\nlog Ann\n";
    let done = omerta_in(folder.path(), &["play", "city", "--seed", "7"], typed);
    for whole in ["`log all`", "`log public all`", "`log Ann all`"] {
        assert!(
            done.out.contains(&format!(" before; {whole} has them)")),
            "{whole}: {}",
            done.out
        );
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_with_brackets_in_it_too() {
    let folder = folder_with(TINY, "");
    let typed = format!("go\nprint {}1{}\nBob\n", "(".repeat(70_000), ")".repeat(70_000));
    let done = omerta_in(folder.path(), &AT_TABLE, typed.as_bytes());
    let told = "line 2: a line of 65536 bytes is longer than anything that could be meant";
    assert!(
        done.err.contains(told),
        "{}",
        &done.err[..done.err.len().min(300)]
    );
    assert!(done.out.contains("Bob was bitten."), "{}", done.out);
}

#[test]
fn a_title_with_quotes_is_exported_as_one_that_holds() {
    let folder = folder_with(TINY, "");
    let typed = b"go\nBob\nexport a.play who said \"no\"?\n";
    omerta_in(folder.path(), &AT_TABLE, typed);
    let text = std::fs::read_to_string(folder.path().join("a.play")).unwrap();
    assert!(text.contains("play \"who said 'no'?\""), "{text}");
    let done = omerta_in(folder.path(), &["test", "a.play"], b"");
    assert_eq!(done.code, Some(0), "{}", done.told());
}

#[test]
fn words_that_no_scenario_can_quote_are_left_out_of_an_export() {
    for words in [
        r#"{prey} said \"no\"."#,
        r"{prey} \\ {prey}",
        r"{prey}\nwas bitten.",
    ] {
        let folder = folder_with(&TINY.replace("{prey} was bitten.", words), "");
        let done = omerta_in(folder.path(), &AT_TABLE, b"go\nBob\nexport a.play\n");
        let text = std::fs::read_to_string(folder.path().join("a.play"));
        let text = text.unwrap_or_else(|_| panic!("{}", done.told()));
        assert!(!text.contains("expect said"), "{text}");
        let done = omerta_in(folder.path(), &["test", "a.play"], b"");
        assert_eq!(done.code, Some(0), "{}", done.told());
    }
}

#[test]
fn the_script_for_what_comes_next_says_where_it_hangs_on_an_answer() {
    let rules = TINY
        .replace(
            "  ask host for prey",
            "  say \"All eyes are closed.\"\n  ask host for prey",
        )
        .replace("during Night {", "when no players {");
    let folder = folder_with(&rules, "");
    let told = omerta_in(folder.path(), &AT_TABLE, b"narrate\ngo\nnarrate\n").out;
    let known =
        "whatever is answered:\n    All eyes are closed.\n  What comes after that depends on the answer.\n";
    assert!(told.contains(known), "{told}");
    assert!(
        told.contains("> narrate\n  nothing to read aloud yet: what is said next depends on an answer\n"),
        "{told}"
    );
}

#[test]
fn what_was_taken_back_stays_taken_back_when_the_rules_are_read_anew() {
    let folder = folder_with(TINY, "");
    let play = |lines: &str| omerta_in(folder.path(), &AT_TABLE, lines.as_bytes());
    let told = play("go\nBob\nundo\nreload\nredo\nredo\n");
    assert!(
        told.out.contains("reloaded: 6 answers given again"),
        "{}",
        told.told()
    );
    assert_eq!(told.out.matches("The host: Bob\n").count(), 2, "{}", told.told());
    assert!(
        told.err.contains("line 6: nothing was taken back"),
        "{}",
        told.told()
    );
}

#[test]
fn files_are_watched_until_that_is_over() {
    let folder = folder_with(TINY, "");
    let told = omerta_in(
        folder.path(),
        &AT_TABLE,
        b"watch file\nwatch file off\nwatch file on\n",
    );
    assert!(told.out.contains("  watching `tiny.mafia`"), "{}", told.told());
    assert!(told.out.contains("  no file is watched"), "{}", told.told());
    assert!(
        told.err
            .contains("line 3: the files that the rules were read from are watched"),
        "{}",
        told.told()
    );
    let bundled = omerta_in(
        folder.path(),
        &["play", "city", "--players", "6"],
        b"watch file\n",
    );
    assert!(
        bundled.err.contains("there is no file to watch"),
        "{}",
        bundled.told()
    );
}

/// A question that comes again at once is not the one that was answered.
#[test]
fn an_answer_for_somebody_is_given_once_however_often_he_is_asked() {
    for (asked, line, answers) in [
        ("seat 1", "Ann -> Cid", 1),
        ("seat 1", "Ann -> Cid, Ann -> Cid", 2),
        ("seat 1 plus seat 2", "Ann -> Cid", 1),
        ("seat 1 plus seat 2", "Ann, Bob -> Cid", 2),
        ("seat 1 plus seat 2", "Bob, Ann -> Cid", 2),
        ("seat 1 plus seat 2", "Ann, Bob -> Cid, Ann -> Cid", 3),
    ] {
        let ask = format!(
            "  for each n of players {{ for each p of {asked} {{ ask p for friend from others \"Whom?\" }} }}\n"
        );
        let rules = TINY.replacen("  wait \"Everybody sleeps.\"\n", &ask, 1);
        let folder = folder_with(&rules, "");
        let done = omerta_in(folder.path(), &AT_TABLE, format!("{line}\n").as_bytes());
        let told = { done.out.lines() }.filter(|told| told.ends_with(": Cid") || told.ends_with("? Cid"));
        let given = told.filter_map(|told| Some(told.split_once(": ")?.0.split(" and ").count()));
        assert_eq!(given.sum::<usize>(), answers, "{line}: {}{}", done.out, done.err);
    }
}

/// A game in which only an offer leads on says so, and is not filled with waits.
#[test]
fn a_walk_through_nothing_but_waits_says_which_offer_leads_on() {
    let lines = b"end\nto end\nlog\nAnn does accuse\n";
    let done = crate::program::omerta_in(
        crate::program::folder().path(),
        &["play", "two-player", "--seed", "3"],
        lines,
    );
    let why = "until somebody takes up `accuse` or `hole-card`: type `Ann does hole-card`";
    assert_eq!(done.err.matches(why).count(), 2, "{}", done.err);
    assert_eq!(done.out.matches("The host waits").count(), 1, "{}", done.out);
    assert!(done.out.contains("The game is over"), "{}", done.out);
}

/// The whole name of somebody is nobody else's beginning, in an answer as in an offer.
#[test]
fn a_whole_name_is_not_the_beginning_of_another() {
    let folder = crate::program::folder();
    let play = |names: &str, lines: &str| {
        let line = [
            "play",
            "city",
            "--names",
            names,
            "--cast",
            "Mafioso, Civilian rest",
            "--seed",
            "2",
            "--plain",
        ];
        omerta_in(folder.path(), &line, lines.as_bytes())
    };
    // Ann is out by then.
    let table = "Ann,Anna,Cid,Dee,Eve,Fay";
    let done = play(table, "to night\nAnn\nto night\nAnn\nAn\n");
    let refused = "line 4: `Ann` may not be chosen here";
    assert!(done.err.contains(refused), "{}", done.told());
    assert_eq!(done.out.matches("Fay: Anna\n").count(), 1, "{}", done.told());
    let done = play(
        table,
        "to night\nAnn\nto day\nCid does suspect-of Ann\nCid does suspect-of an\n",
    );
    let refused = "line 4: `Cid does suspect-of Ann` is not open";
    assert!(done.err.contains(refused), "{}", done.told());
    assert!(done.out.contains("Cid suspects Anna."), "{}", done.told());
}

/// What is loaded is taken back answer by answer, and what is answered behind it by its line.
#[test]
fn a_game_that_is_loaded_is_taken_back_by_the_answer() {
    let folder = crate::program::folder();
    let play = |words: &[&str], lines: &str| omerta_in(folder.path(), words, lines.as_bytes());
    play(
        &["play", "city", "--seed", "7", "--plain"],
        "go\ngo\nBob\ngo\nsave kept.game\nquit\n",
    );
    let done = play(&["play", "--plain"], "load kept.game\nundo\nundo\nredo\n");
    let back: Vec<&str> = { done.out.lines() }
        .filter(|line| line.contains("taken back: "))
        .collect();
    assert_eq!(back.len(), 2, "{}", done.told());
    assert!(!done.out.contains("and 3 more"), "{}", done.told());
}

/// A line for several is not taken for those of them who happen to be asked in another scene.
#[test]
fn a_ballot_waits_for_no_scene_in_which_some_of_them_are_asked() {
    let folder = crate::program::folder();
    let line = ["play", "city", "--seed", "7", "--plain"];
    let done = omerta_in(folder.path(), &line, b"go\nliving -> Bob\nto night\n");
    assert!(
        done.err.contains("in this scene none of them is asked"),
        "{}",
        done.told()
    );
    assert!(
        !done.out.contains("kill? Bob") && !done.out.contains(": Bob\n"),
        "{}",
        done.told()
    );
}
