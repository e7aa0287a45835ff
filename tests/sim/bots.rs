//! Programs at the table: what they are asked, and that none outlives its run.

use super::{laid, limited, players};
use omerta::faces::sim::{BotWanted, House};
use omerta_engine::{Choice, Target};
use omerta_measure::sim::{Limits, Simulator};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Takes the first option that is no `pass` of an offer, and of a question the first there is.
const TAKES: &str = r#"while read -r line; do case "$line" in *'"name":"offer"'*) one=${line#*'"options":["pass","'}; id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}";; *'"kind":"ask"'*) one=${line#*'"options":["'}; id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}";; esac; done"#;
/// Takes the first option, whatever is asked.
const FIRST: &str = r#"while read -r line; do case "$line" in *'"kind":"ask"'*) one=${line#*'"options":["'}; id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}";; esac; done"#;

fn table(bot: &str, offers_per_thousand: u32) -> Simulator {
    let laid = laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/asked.mafia"));
    let names: Vec<String> = ["Ann", "Bob", "Cid"].map(str::to_owned).into();
    let rates = Limits {
        answers: 100,
        offers_per_thousand,
        calls_per_thousand: 0,
    };
    let bot = BotWanted::read(bot, &laid.bench.rules, &names).unwrap();
    limited(&laid, 3, rates).inviting(vec![bot.invited(&House::of(&names, 1), &players())])
}

/// Who took up an offer, and with whom, in each of so many games.
fn taken(simulator: &mut Simulator, games: u64) -> Vec<Vec<(u8, Target)>> {
    let of_game = |game| {
        let taken = |choice| match choice {
            Choice::Offer {
                by: Some(by), target, ..
            } => Some((by, target)),
            _ => None,
        };
        simulator
            .answers(game)
            .unwrap()
            .into_iter()
            .filter_map(taken)
            .collect()
    };
    (0..games).map(of_game).collect()
}

#[test]
fn a_program_takes_up_offers_itself() {
    let games = taken(&mut table(&format!("Bob={TAKES}"), 0), 20);
    for game in games {
        // It is asked at each pause; three may speak, and nobody else does.
        assert_eq!(game, vec![(1, Target::Seat(0)); 3]);
    }
}

#[test]
fn nobody_takes_up_an_offer_in_the_name_of_a_program() {
    let games = taken(&mut table(&format!("Bob={FIRST}"), 900), 40);
    let all: Vec<u8> = games.into_iter().flatten().map(|(by, _)| by).collect();
    assert!(
        all.contains(&0) && all.contains(&2) && !all.contains(&1),
        "{all:?}"
    );
}

/// Two who take up whatever they can are asked once each in a pause: the game goes on.
#[test]
fn a_seat_is_asked_for_offers_once_in_a_pause() {
    let mut simulator = table(&format!("Ann+Bob={TAKES}"), 0);
    for game in taken(&mut simulator, 10) {
        assert_eq!(game[..2], [(0, Target::Seat(1)), (1, Target::Seat(0))]);
    }
}

/// Roles, teams and seats may be joined.
#[test]
fn a_program_plays_roles_and_seats_together() {
    let mut simulator = table(&format!("Judge+Crowd={FIRST}"), 900);
    assert!(taken(&mut simulator, 20).into_iter().all(|game| game.is_empty()));
    let mut some = table(&format!("Judge={FIRST}"), 900);
    assert!(taken(&mut some, 20).into_iter().any(|game| !game.is_empty()));
}

/// A number out of a long range is asked for by its bounds.
#[test]
fn a_long_range_is_told_by_its_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "ruleset long \"A long range\"\nplayers 1\ncast {\n  Guest 1\n}\nrole Guest\n\
                 count score = 0\nscript {\n  ask seat 1 for m from 7..500000\n  add m to score\n}\n";
    fs::write(folder.path().join("long.mafia"), rules).unwrap();
    let bot = r#"1=while read -r line; do case "$line" in *'"from":7,'*'"to":500000'*) id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"4711\"}";; *'"kind":"ask"'*) echo nothing;; esac; done"#;
    let words = ["sim", "long.mafia", "--games", "3", "--bot", bot];
    let done = crate::program::omerta_in(folder.path(), &words, b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
}

// ---- What they may not do

/// Why a run of the city stops at once for a program, and how long that took.
fn stopped_by(bot: &str) -> (String, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let words = [
        "sim",
        "city",
        "--players",
        "7",
        "--games",
        "1e6",
        "--threads",
        "1",
        "--patience",
        "1",
        "--bot",
        bot,
    ];
    let done = crate::program::omerta_in(folder.path(), &words, b"");
    assert_eq!(done.code, Some(2), "{bot}: {}", done.told());
    (done.told(), begun.elapsed())
}

#[test]
fn a_surplus_line_answers_no_other_question() {
    let twice = FIRST.replace(
        r#"echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}""#,
        r#"echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}"; echo "{\"id\":${id%%,*},\"answer\":\"pass\"}""#,
    );
    assert_ne!(twice, FIRST);
    let (told, _) = stopped_by(&format!("all={twice}"));
    assert!(
        told.contains("answered question 1 when 2 was put in game 0"),
        "{told}"
    );
    let without = FIRST.replace(r#"\"id\":${id%%,*},"#, "");
    let (told, _) = stopped_by(&format!("all={without}"));
    assert!(
        told.contains("says not which question it answers: write {\"id\": 1,"),
        "{told}"
    );
}

/// Neither who writes without reading nor who reads without writing, nor one who does each a little too slowly.
#[test]
fn a_program_that_does_not_play_is_left_within_its_patience() {
    let rows = [
        (
            "all=while :; do echo '{\"id\":1,\"answer\":\"pass\"}'; done",
            "answered question 1 when 2",
        ),
        ("all=sleep 60", "has not answered for 1 seconds"),
        (
            "all=while read -r line; do :; done; sleep 60",
            "has not answered for 1 seconds",
        ),
        ("all=exec 0<&-; sleep 60", ""),
    ];
    std::thread::scope(|scope| {
        for (bot, why) in rows {
            scope.spawn(move || {
                let (told, took) = stopped_by(bot);
                assert!(told.contains(why) && told.contains("in game 0"), "{bot}: {told}");
                assert!(took < Duration::from_secs(15), "{bot}: {took:?}");
            });
        }
    });
}

#[test]
fn all_answers_of_a_game_share_one_bound() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("long.mafia"), LONG).unwrap();
    let slow = FIRST.replace("one=${line", "sleep 0.7; one=${line");
    let bot = format!("1={slow}");
    let words = [
        "sim",
        "long.mafia",
        "--games",
        "1",
        "--patience",
        "1",
        "--bot",
        &bot,
    ];
    let done = crate::program::omerta_in(folder.path(), &words, b"");
    assert_eq!(done.code, Some(2), "{}", done.told());
    let why = "has taken more than 10 seconds for its answers of a game, in game 0";
    assert!(done.err.contains(why), "{}", done.err);
}

/// A game of many answers.
const LONG: &str = "ruleset long \"Long\"\nplayers 1\ncast {\n  Guest 1\n}\nrole Guest\ncount score = 0\n\
                    script {\n  repeat 40 times {\n    ask seat 1 for m from 1..3\n    add m to score\n  }\n}\n";

#[test]
fn no_sign_of_a_program_reaches_the_terminal_as_it_is() {
    let red = r#"all=printf '\033[31mred\033[2J\n' >&2; read -r line; read -r line; read -r line; printf '{"id":1,"answer":"\033[31mblue\\u001b[2J\\u202e"}\n'; sleep 1"#;
    let (told, _) = stopped_by(red);
    assert!(told.contains("?[31mred?[2J"), "{told}");
    assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told:?}");
    let (told, _) = stopped_by("all=head -c 1000000 /dev/zero | tr '\\0' x >&2; sleep 60");
    assert!(
        told.contains("says more than is passed on"),
        "{}",
        &told[..200.min(told.len())]
    );
    assert!(told.len() < 80_000, "{}", told.len());
}

#[test]
fn what_comes_of_words_that_nobody_thought_up_is_said_to_be_no_measure() {
    let folder = tempfile::tempdir().unwrap();
    let rules = |test: &str| {
        let text = format!(
            "ruleset secret \"Secret\"\nplayers 2\ncast {{\n  Guest 2\n}}\nrole Guest\nscript {{\n  ask seat 1 to write secret\n  \
             ask seat 2 to write guess openly\n  if {test} {{ win seat 2 }}\n}}\n"
        );
        std::fs::write(folder.path().join("secret.mafia"), text).unwrap();
    };
    for (test, told) in [
        ("guess is secret", true),
        ("guess is not \"owl\"", true),
        ("some guess", false),
    ] {
        rules(test);
        for command in ["sim", "exact"] {
            let games: &[&str] = if command == "sim" { &["--games", "20"] } else { &[] };
            let words = [&[command, "secret.mafia"], games].concat();
            let done = crate::program::omerta_in(folder.path(), &words, b"");
            let says = done
                .err
                .contains("these rules compare what somebody writes (secret.mafia:10)");
            assert_eq!((done.code, says), (Some(0), told), "{test}: {}", done.err);
        }
    }
}

#[test]
fn a_program_is_told_nothing_from_which_the_deal_could_be_worked_out() {
    let begin = |more: &[&str]| heard(VOTE, more)[0].clone();
    let name = |line: &serde_json::Value| line["game"].as_str().unwrap().to_owned();
    // The same run has the same names, another has others, and by itself no run has the same seed as the next.
    let (one, again, other) = (
        begin(&["--seed", "7"]),
        begin(&["--seed", "7"]),
        begin(&["--seed", "8"]),
    );
    assert_eq!(one, again);
    assert_ne!(name(&one), name(&other));
    assert_ne!(name(&begin(&[])), name(&begin(&[])));
    let house = House::of(&[], 7);
    assert_eq!(name(&one), house.name_of(0));
    let names: std::collections::BTreeSet<String> = (0..1_000).map(|game| house.name_of(game)).collect();
    assert_eq!(names.len(), 1_000);
    let keys: Vec<&String> = one.as_object().unwrap().keys().collect();
    let known = [
        "game", "kind", "options", "overlays", "ruleset", "seat", "seats", "version",
    ];
    assert_eq!(keys, known);
}

#[test]
fn parts_of_a_run_with_programs_want_a_seed() {
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("1={FIRST}");
    let words = ["sim", "city", "--games", "4", "--shard", "1/2", "--bot", &bot];
    let done = crate::program::omerta_in(folder.path(), &words, b"");
    assert_eq!(done.code, Some(2), "{}", done.err);
    assert!(done.err.contains("name it with `--seed`"), "{}", done.err);
    let named = [&words[..], &["--seed", "3"]].concat();
    assert_eq!(
        crate::program::omerta_in(folder.path(), &named, b"").code,
        Some(0)
    );
}

// ---- How they end

/// Does something in the background for ever, in a process of its own, and stays when it should end.
fn lingering(heart: &Path, answers: &str) -> String {
    let heart = heart.display();
    format!("(while :; do echo x >> '{heart}'; sleep 0.1; done) & {answers}; sleep 100")
}

/// Whether somebody still writes there: six beats are waited for, and the first one says so.
fn beats(heart: &Path) -> bool {
    let size = || fs::metadata(heart).map_or(0, |file| file.len());
    let before = size();
    (0..12).any(|_| {
        sleep(Duration::from_millis(50));
        size() != before
    })
}

/// Whether it falls silent, though not at once.
fn ends(heart: &Path) -> bool {
    let begun = Instant::now();
    while beats(heart) {
        if begun.elapsed() > Duration::from_secs(8) {
            return false;
        }
    }
    true
}

#[test]
fn a_program_and_its_children_end_with_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let heart = folder.path().join("heart");
    let mut simulator = table(&format!("all={}", lingering(&heart, FIRST)), 0);
    simulator.play(0).unwrap();
    assert!(beats(&heart));
    drop(simulator);
    assert!(!beats(&heart));
}

#[test]
fn a_program_and_its_children_end_with_a_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let heart = folder.path().join("heart");
    let wrong = lingering(&heart, "sleep 0.5; read -r line; echo nonsense");
    let refused = table(&format!("all={wrong}"), 0).play(0).unwrap_err().to_string();
    assert!(refused.contains("not JSON"), "{refused}");
    assert!(heart.exists() && !beats(&heart));
}

#[test]
fn a_program_and_its_children_end_when_the_run_is_stopped() {
    let stopped_by = |signal: &str| {
        let folder = tempfile::tempdir().unwrap();
        let heart = folder.path().join("heart");
        let bot = format!("2={}", lingering(&heart, FIRST));
        let mut run = Command::new(env!("CARGO_BIN_EXE_omerta"))
            .args(["sim", "city", "--players", "6", "--games", "1e9", "--bot", &bot])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while !heart.exists() && begun.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(50));
        }
        assert!(beats(&heart));
        let id = run.id().to_string();
        let killed = Command::new("sh")
            .args(["-c", "kill -s $0 $1", signal, &id])
            .status();
        assert!(killed.unwrap().success());
        assert!(!run.wait().unwrap().success());
        assert!(ends(&heart), "{signal}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| stopped_by("INT"));
        stopped_by("KILL");
    });
}

// ---- What it is told

/// The lines a program hears in a run of some rules, which takes the first option and keeps them.
fn heard(rules: &str, more: &[&str]) -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("told.mafia"), rules).unwrap();
    let bot = format!(
        "1={}",
        FIRST.replace("read -r line; do", "read -r line; do echo \"$line\" >> heard;")
    );
    let words = [&["sim", "told.mafia", "--games", "1", "--bot", &bot][..], more].concat();
    let done = crate::program::omerta_in(folder.path(), &words, b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let heard = fs::read_to_string(folder.path().join("heard")).unwrap();
    heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const VOTE: &str = "ruleset told \"Told\"\nplayers 2\ncast {\n  players 2\n  Guest 1\n  Host 1\n}\nrole Guest\nrole Host\n\
                    script {\n  ask each players for vote from players openly\n  \
                    ask seat 1 for 2 pals from players\n}\n";

#[test]
fn an_answer_that_is_read_out_carries_the_name_of_its_question() {
    let lines = heard(VOTE, &[]);
    let votes: Vec<_> = lines
        .iter()
        .filter(|line| line["about"]["question"] == "vote")
        .map(|line| &line["about"]["values"][0][0])
        .collect();
    assert_eq!(votes, ["Ann", "Bob"]);
}

/// From the first to the last, what comes straight behind a question as well: each is told him once, before he is asked the next.
#[test]
fn a_program_is_told_all_that_its_seat_sees_once_and_in_order() {
    let rules = VOTE.replace(
        "  ask each players for vote",
        "  say \"One.\"\n  ask seat 1 whether sure\n  say \"Two.\"\n  tell seat 2 \"Hidden.\"\n  say \"Three.\"\n  ask each players for vote",
    );
    let lines = heard(&rules, &["--seed", "1"]);
    let told = lines.iter().map(|line| match &line["text"] {
        serde_json::Value::String(text) => text.clone(),
        _ => format!("{} {}", line["kind"], line["name"]).replace('"', ""),
    });
    let all = "begin null; One.; Ann is asked for sure; ask sure; Ann: yes; Two.; Three.; Ann is asked for vote; ask vote; \
               Ann: Ann; Ann, vote: Ann; Bob, vote: Bob; Ann is asked for pals; ask pals; Ann: Ann; Ann is asked for pals; \
               ask pals; Ann: Bob; The game is over. Nobody wins.; end null";
    let all: Vec<&str> = all.split("; ").collect();
    assert_eq!(told.collect::<Vec<_>>(), all);
}

/// Whether others are asked something in secret is not to be read off how often one is asked about one's own offers.
#[test]
fn offers_tell_nothing_of_what_others_are_asked() {
    let rules = |secret: &str| {
        format!(
            "ruleset told \"Told\"\nuse std.table\nplayers 2\ncast {{\n  players 2\n  Guest 1\n  Host 1\n}}\nrole Guest\nrole Host\n\
             count n\nallow seat 1 to shout \"Shout\" {{\n  say \"A shout.\"\n}}\n\
             scene Secret {{\n  add 1 to n\n  ask seat 2 whether more\n  wait \"hm\"\n}}\n\
             script {{\n  say \"Night.\"\n  ask seat 2 whether ready\n{secret}  say \"Morning.\"\n  ask seat 1 whether ok\n}}\n"
        )
    };
    let names = |secret: &str| -> Vec<String> {
        let lines = heard(&rules(secret), &[]);
        let asked = lines.iter().filter(|line| line["kind"] == "ask");
        asked
            .map(|line| line["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(""), ["offer", "offer", "ok"]);
    for secret in [
        "  ask seat 2 whether more\n",
        "  play Secret\n",
        "  repeat 3 times { play Secret }\n",
    ] {
        assert_eq!(names(secret), names(""), "{secret}");
    }
}

/// What somebody else takes up, and everybody hears of, may be a reason to take up something oneself.
#[test]
fn a_program_is_asked_again_when_somebody_else_has_taken_up_an_offer() {
    let rules = "ruleset told \"Told\"\nuse std.table\nplayers 2\ncast {\n  players 2\n  Guest 1\n  Host 1\n}\nrole Guest\nrole Host\n\
                 count pot\nallow players to pay \"Pay\" during Talk when pot is less than 9 {\n  add 1 to pot\n  say \"{me} pays.\"\n}\n\
                 scene Talk { ask seat 2 whether ready }\nscript { play Deal; play Talk }\n";
    let mut paid = 0;
    for seed in ["1", "2", "3"] {
        let lines = heard(rules, &["--seed", seed, "--offers", "600"]);
        let count = |field: &str, value: &str| lines.iter().filter(|line| line[field] == value).count();
        let (asked, pays) = (count("name", "offer"), count("text", "Bob pays."));
        assert_eq!(asked, pays + 1, "seed {seed}: {lines:?}");
        paid += pays;
    }
    assert!(paid > 1);
}

#[test]
fn a_question_for_several_tells_which_pick_it_is() {
    let lines = heard(VOTE, &[]);
    let picks = lines.iter().filter(|line| line["name"] == "pals");
    let picks: Vec<_> = picks
        .map(|line| (line["pick"].clone(), line["picks"].clone()))
        .collect();
    assert_eq!(picks, [(1.into(), 2.into()), (2.into(), 2.into())]);
    let vote = lines.iter().find(|line| line["name"] == "vote").unwrap();
    assert!(vote.get("pick").is_none());
}

#[test]
fn a_program_is_told_how_many_seconds_there_are_and_is_never_late() {
    let rules = VOTE.replace("for 2 pals from players", "for pal from players within 2 minutes");
    let lines = heard(&rules, &[]);
    let asked = |name: &str| lines.iter().find(|line| line["name"] == name).unwrap();
    assert_eq!(asked("pal")["seconds"], 120);
    assert_eq!(asked("pal")["options"], serde_json::json!(["Ann", "Bob"]));
    assert!(asked("vote").get("seconds").is_none());
}

#[test]
fn the_cast_is_told_where_it_shall_be() {
    let begin = |more: &[&str]| heard(VOTE, more)[0].clone();
    assert!(begin(&[]).get("cast").is_none());
    assert_eq!(
        begin(&["--tell-cast"])["cast"],
        serde_json::json!({ "Guest": 1, "Host": 1 })
    );
}

/// As the tables of numbers print it, too, and with a word about what may have been meant.
#[test]
fn a_program_plays_a_role_by_its_title() {
    let laid = laid("city");
    let names: Vec<String> = (1..=8).map(|seat| format!("P{seat}")).collect();
    let read = |who: &str| BotWanted::read(&format!("{who}=x"), &laid.bench.rules, &names);
    assert_eq!(read("Civilians").unwrap(), read("Town").unwrap());
    assert_eq!(read("the doctor").unwrap(), read("Doctor").unwrap());
    let refused = read("Docter").unwrap_err().to_string();
    assert!(refused.contains("did you mean `Doctor`?"), "{refused}");
    // A token plays nobody, however near its name is.
    let blitz = super::laid("blitz");
    let refused = BotWanted::read("VerdictCrad=x", &blitz.bench.rules, &names).unwrap_err();
    assert!(blitz.bench.rules.group_named("VerdictCard").is_some());
    assert!(!refused.to_string().contains("did you mean"), "{refused}");
}
