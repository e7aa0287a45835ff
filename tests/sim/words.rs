//! What `omerta sim` says: what was not reached, what it refuses, what it compares, and on how many columns.

use crate::program::{Done, omerta, omerta_in, run, write};
use std::path::Path;
use tempfile::TempDir;

fn said(folder: &Path, args: &[&str]) -> Done {
    omerta_in(folder, args, b"")
}

#[track_caller]
fn holds(text: &str, words: &str) {
    assert!(text.contains(words), "`{words}` is not in\n{text}");
}

fn empty() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn what_was_wished_and_not_reached_is_said() {
    let folder = empty();
    let wish = [
        "sim",
        "city",
        "--players",
        "6",
        "--games",
        "200",
        "--until-within",
    ];
    let far = said(folder.path(), &[&wish[..], &["0.01%"]].concat());
    holds(
        &far.err,
        "after 200 games the shares are not known to within 0.01%",
    );
    let near = said(folder.path(), &[&wish[..], &["20%"]].concat());
    assert!(!near.err.contains("not known"), "{}", near.err);
    let part = said(folder.path(), &[&wish[..], &["20%", "--shard", "1/2"]].concat());
    assert_eq!(part.code, Some(2), "{}", part.err);
}

/// What keeps parts from being put together is told with the file that it is, whichever comes first.
#[test]
fn parts_that_cannot_be_put_together_are_named_by_their_files() {
    let folder = empty();
    for (file, shard, games, seed) in [
        ("one.json", "1/3", "40", "1"),
        ("two.json", "2/3", "40", "1"),
        ("three.json", "3/3", "40", "1"),
        ("again.json", "2/3", "40", "1"),
        ("less.json", "3/3", "20", "1"),
        ("luck.json", "3/3", "40", "2"),
    ] {
        let words = ["sim", "city", "--players", "6", "--out", file, "--shard", shard];
        let words = [&words[..], &["--games", games, "--seed", seed]].concat();
        assert_eq!(said(folder.path(), &words).code, Some(0));
    }
    for (files, told) in [
        (
            "one.json two.json again.json three.json",
            "part 2/3 is there twice, once as `again.json`",
        ),
        (
            "again.json one.json two.json three.json",
            "part 2/3 is there twice, once as `two.json`",
        ),
        ("one.json three.json", "part 2/3 is missing"),
        ("three.json two.json", "part 1/3 is missing"),
        ("one.json two.json", "part 3/3 is missing"),
        (
            "one.json luck.json two.json",
            "`one.json` and `luck.json` are not parts of one run: they differ in the seed",
        ),
        (
            "luck.json one.json two.json",
            "`luck.json` and `one.json` are not parts of one run: they differ in the seed",
        ),
        (
            "one.json less.json two.json",
            "`less.json` holds 6 games, and beside the other parts it should hold 13",
        ),
    ] {
        let words: Vec<&str> = ["sim", "merge"].into_iter().chain(files.split(' ')).collect();
        let done = said(folder.path(), &words);
        assert_eq!(done.code, Some(2), "{files}: {}", done.told());
        holds(&done.err, told);
    }
    let all = ["sim", "merge", "three.json", "one.json", "two.json", "--csv"];
    assert_eq!(said(folder.path(), &all).code, Some(0));
}

/// Each with the last that is taken, which leads on to another mistake, and the first that is not.
#[test]
fn numbers_shares_and_ranges_are_read_up_to_their_bounds() {
    let folder = empty();
    let told = |words: &[&str]| {
        said(
            folder.path(),
            &[&["sim", "city", "--cast", "nothing"], words].concat(),
        )
        .err
    };
    let (whole, share) = ("write a whole number above 0", "between 0 and 50%");
    let range = "is no range of up to 1,000 values";
    for (name, why, taken, refused) in [
        (
            "--games",
            whole,
            "1, 1k, 2K, 3m, 1_000, 5e2, 1E0, 18446744073709551615",
            "0, -5, 0k, k, 1.5, 1e, e3, 1e20, 18446744073709551616, 1kk",
        ),
        ("--limit", whole, "1", "0, -1, many"),
        (
            "--until-within",
            share,
            "49.9%, 0.499, 0.001%, 0.5 %",
            "50%, 0.5, 0, 0%, -1%, 51%, half",
        ),
        (
            "--sweep",
            range,
            "players=1..1000, players=-1..-1, players=3..=4",
            "players=1..1001, players=2..1",
        ),
        (
            "--sweep",
            "write it as AXIS=VALUES",
            "players=3, players=a=b",
            "players, =3, players=, players=3.., players=a..b",
        ),
    ] {
        for value in taken.split(", ") {
            let told = told(&[name, value]);
            assert!(!told.is_empty() && !told.contains(why), "{name} {value}: {told}");
        }
        for value in refused.split(", ") {
            holds(&told(&[name, value]), why);
        }
    }
}

#[test]
fn a_run_opens_the_games_it_has_and_goes_on_in_its_file() {
    let folder = empty();
    let sim = |more: &[&str]| {
        let words = ["sim", "city", "--players", "6", "--games", "40"];
        said(folder.path(), &[&words[..], more].concat())
    };
    assert_eq!(sim(&["--out", "run.json"]).code, Some(0));
    assert_eq!(sim(&["--out", "part.json", "--shard", "2/3"]).code, Some(0));
    let replay = |game: &str| said(folder.path(), &["play", "--replay", game]);
    holds(&replay("run.json:40").err, "has no game 40: it has games 0 to 39");
    holds(
        &replay("part.json:0").err,
        "has no game 0: it has games 1, 4 and so on up to 37, being part 2/3",
    );
    holds(&replay("run.json:39").told(), "City Mafia, game 39 of the run");
    assert_eq!(sim(&["--out", "run.json", "--resume", "run.json"]).code, Some(0));
    holds(
        &sim(&["--out", "other.json", "--resume", "run.json"]).err,
        "goes on in its own file",
    );
    let anew = sim(&["--out", "run.json"]);
    holds(
        &anew.err,
        "`run.json` held a run of 40 games, which is written over",
    );
}

/// All by which a run was played otherwise than usual stands above each of its games, the one behind the other.
#[test]
fn a_game_is_opened_with_all_by_which_it_was_played() {
    let folder = empty();
    let kept = |more: &[&str]| {
        let words = [
            "sim",
            "city",
            "--players",
            "7",
            "--games",
            "4",
            "--out",
            "run.json",
        ];
        assert_eq!(said(folder.path(), &[&words[..], more].concat()).code, Some(0));
        said(folder.path(), &["play", "--replay", "run.json:3"]).told()
    };
    let careful = ["--bot", "1=careful 1"];
    for (more, with) in [
        (&[][..], ""),
        (&["--policy", "crowd"], " with policy crowd"),
        (
            &["--policy", "crowd,sharp"],
            " with policy crowd and policy sharp",
        ),
        (
            &["--policy", "sharp,crowd"],
            " with policy sharp and policy crowd",
        ),
        (
            &["--with", "mayor", "--policy", "crowd,sharp"],
            " with mayor, policy crowd and policy sharp",
        ),
        (&careful, " with careful players (1)"),
        (
            &[&["--policy", "crowd"], &careful[..]].concat()[..],
            " with policy crowd and careful players (1)",
        ),
    ] {
        holds(&kept(more), &format!("City Mafia{with}, game 3 of the run, "));
    }
}

#[test]
fn a_game_in_which_a_program_played_can_be_opened() {
    let folder = empty();
    let bot = r#"2=while read -r line; do case "$line" in *'"kind":"ask"'*) one=${line#*'"options":["'}; id=${line#*'"id":'}; echo "{\"id\":${id%%,*},\"answer\":\"${one%%\"*}\"}";; esac; done"#;
    let words = [
        "sim",
        "city",
        "--names",
        "Uma,Vic,Wes,Xan,Yam,Zed",
        "--games",
        "5",
        "--bot",
        bot,
    ];
    let done = said(folder.path(), &[&words[..], &["--out", "run.json"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    holds(&done.out, "programs: 2=while read");
    let opened = omerta_in(folder.path(), &["play", "--replay", "run.json:3"], b"redo\nwho\n");
    holds(&opened.told(), "with the program 2=while read");
    holds(&opened.told(), "Vic");
}

/// No cast of the overlay is for nine: the rest is played, and the empty place says so everywhere.
#[test]
fn a_place_of_a_sweep_without_a_cast_is_left_out() {
    let folder = empty();
    let words = [
        "sim",
        "vendetta",
        "--games",
        "20",
        "--sweep",
        "players=9..10",
        "--sweep",
        "with=none,loner",
    ];
    let text = said(folder.path(), &[&words[..], &["--html", "page.html"]].concat());
    assert_eq!(text.code, Some(0), "{}", text.err);
    holds(
        &text.err,
        "left out `players=9, with=loner`: there is no cast for it",
    );
    holds(&text.out, "no cast");
    holds(
        &std::fs::read_to_string(folder.path().join("page.html")).unwrap(),
        "no cast",
    );
    let csv = said(folder.path(), &[&words[..], &["--csv"]].concat()).out;
    holds(&csv, "9,loner,none,,0,,,,,,,,,\n");
    let columns = |line: &str| line.matches(',').count();
    assert!(
        csv.lines()
            .all(|line| columns(line) == columns(csv.lines().next().unwrap())),
        "{csv}"
    );
    let json = said(folder.path(), &[&words[..], &["--json"]].concat()).out;
    let lines: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((&lines[1]["games"], lines.len()), (&serde_json::json!(0), 4));
    assert!(
        lines[0]["counted"][0]["change"].is_null() && lines[2]["counted"][0]["change"]["low"].is_number()
    );
    assert!(lines[2]["answers"]["change"]["high"].is_number());
}

#[test]
fn changes_that_chance_does_not_explain_are_bold_on_the_page() {
    let folder = empty();
    let words = [
        "sim",
        "city",
        "--players",
        "8",
        "--games",
        "300",
        "--sweep",
        "with=none,renegade",
        "--html",
    ];
    let text = said(folder.path(), &[&words[..], &["page.html"]].concat());
    holds(&text.out, "City Mafia, 8 players, 300 games each, seed 1\n");
    holds(
        &text.out,
        "Wins: Rival mafia\n  with=none      not in this game\n",
    );
    holds(&text.out, "\nNobody wins\n");
    holds(&text.out, "\nAnswers in a game\n");
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    holds(&page, "<strong>");
    holds(&page, "<h2>Wins: Rival mafia</h2>");
}

#[test]
fn an_axis_is_swept_once_and_has_no_value_beside() {
    let folder = empty();
    let sweep = |more: &[&str]| {
        let words = ["sim", "city", "--games", "5", "--sweep", "players=6..7"];
        said(folder.path(), &[&words[..], more].concat()).err
    };
    holds(&sweep(&["--sweep", "players=8..9"]), "`players` is swept twice");
    holds(
        &sweep(&["--players", "8"]),
        "`players` is given a value and swept as well",
    );
    let set = ["--set", "tied-vote=nobody", "--sweep", "tied-vote=nobody,run-off"];
    holds(&sweep(&set), "`tied-vote` is given a value and swept as well");
}

/// Around each sign of an axis there may be room.
#[test]
fn an_axis_is_read_with_room_between_its_parts() {
    let folder = empty();
    let sweep = |axis: &str| {
        let done = said(folder.path(), &["sim", "city", "--games", "5", "--sweep", axis]);
        assert_eq!(done.err, "", "{axis}");
        done.out
    };
    for (plain, roomy) in [
        ("players=6..7", " players = 6 .. 7 "),
        ("players=6..7", "players =6, 7"),
        ("tied-vote=nobody,run-off", "tied-vote= nobody , run-off"),
    ] {
        assert_eq!(sweep(roomy), sweep(plain), "{roomy}");
    }
}

/// Nothing to compare is no reason to print nothing.
#[test]
fn rules_without_teams_are_compared_by_role() {
    let folder = empty();
    let one = said(folder.path(), &["sim", "blitz", "--games", "20"]).out;
    assert!(!one.contains("Who wins"), "{one}");
    let words = ["sim", "blitz", "--games", "20", "--sweep", "players=6,7"];
    holds(&said(folder.path(), &words).out, "Wins: Vigilante");
    // Two axes make a square of each that is compared: of roles as well as of teams, and of nothing else.
    for (ruleset, policies) in [("blitz", "policy=none,careful"), ("city", "policy=none,crowd")] {
        for (axes, is_square) in [
            (&["--sweep", "players=6,7"][..], false),
            (&["--sweep", "players=6,7", "--sweep", policies], true),
        ] {
            let words = [
                "sim",
                ruleset,
                "--games",
                "20",
                "--thought",
                "1",
                "--html",
                "page.html",
            ];
            let done = said(folder.path(), &[&words[..], axes].concat());
            assert_eq!(done.code, Some(0), "{}", done.told());
            let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
            for part in page.split("<h2>").skip(1) {
                let wins = is_square && part.starts_with("Wins");
                assert_eq!(
                    part.contains("class=\"heat\""),
                    wins,
                    "{ruleset} {axes:?}: {part}"
                );
            }
            holds(&page, "<h2>Wins");
        }
    }
}

#[test]
fn lines_are_as_wide_as_the_screen() {
    let folder = empty();
    write(folder.path(), "plain.mafia", include_str!("plain.mafia"));
    for columns in [60, 80, 130] {
        for more in [&[][..], &["--sweep", "players=5..7"]] {
            let mut command = omerta(folder.path());
            command.args(["sim", "plain.mafia", "--games", "100"]).args(more);
            command.env("COLUMNS", columns.to_string());
            let out = run(&mut command, b"").out;
            let widest = out.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns, "{widest} of {columns}\n{out}");
            assert!(
                columns > 100 || widest + 8 >= columns,
                "{widest} of {columns}\n{out}"
            );
        }
    }
}

/// A team without a card is said not to be in the game, and has no share of nothing.
#[test]
fn the_head_and_the_teams_say_what_was_played() {
    let folder = empty();
    let out = said(folder.path(), &["sim", "town", "--games", "20", "--offers", "0"]).out;
    holds(&out, "not in this game: Maniac's side\n");
    holds(&out, "  in 1,000 pauses: offers 0\n");
    holds(&out, "  cards: Mafioso");
}

#[test]
fn what_is_wrong_with_cards_is_shown_in_the_words_that_were_typed() {
    let folder = empty();
    let put_in = said(folder.path(), &["sim", "city", "--put-in", "Zed"]);
    holds(&put_in.err, "1 │ --put-in Zed\n   ·          ─┬─");
    let cast = said(
        folder.path(),
        &["play", "city", "--cast", "Mafiso 2, Civilian rest"],
    );
    holds(
        &cast.err,
        "1 │ --cast Mafiso 2, Civilian rest\n   ·        ───┬──",
    );
}

#[test]
fn a_word_too_many_is_told_as_one() {
    let folder = empty();
    holds(
        &said(folder.path(), &["sim", "city", "extra"]).err,
        "`extra` is a word too many",
    );
    holds(
        &said(folder.path(), &["sim", "mrege", "a.json"]).err,
        "did you mean `sim merge`?",
    );
    let alone = said(folder.path(), &["sim", "mrege"]);
    holds(&alone.err, "did you mean `omerta sim merge`?");
    assert_eq!(alone.code, Some(1));
}

#[test]
fn seats_are_compared_between_runs() {
    let folder = empty();
    let words = ["sim", "city", "--games", "300", "--sweep", "players=5..6"];
    let done = said(folder.path(), &[&words[..], &["--html", "page.html"]].concat());
    holds(&done.out, "\nSeats\n  players=5: seat ");
    holds(&done.out, "\n  players=6: seat ");
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    holds(&page, "<h2>Seats</h2>\n<ul>\n<li>players=5: seat ");
}

#[test]
fn a_policy_of_an_overlay_names_questions_that_are_there() {
    let folder = empty();
    let policy = |name: &str| {
        let text =
            format!("overlay mine \"Mine\" on city {{\n  policy mine {{ {name}: most of vote }}\n}}\n");
        write(folder.path(), "mine.mafia", &text);
        said(folder.path(), &["check", "mine.mafia"])
    };
    assert_eq!(policy("vote").code, Some(0));
    let wrong = policy("votes");
    assert_eq!(wrong.code, Some(1));
    holds(&wrong.told(), "M0516");
    holds(&wrong.told(), "did you mean `vote`?");
}

/// A run goes on as it was begun: whatever is asked for otherwise is named.
#[test]
fn a_run_that_was_kept_otherwise_says_in_what() {
    let folder = empty();
    let sim = |game: &str, more: &[&str]| {
        let words = ["sim", game, "--games", "20", "--offers", "100", "--seed", "3"];
        said(folder.path(), &[&words[..], more].concat())
    };
    write(folder.path(), "plain.mafia", include_str!("plain.mafia"));
    let kept = sim("plain.mafia", &["--players", "6", "--out", "run.json"]);
    assert_eq!(kept.code, Some(0), "{}", kept.err);
    let rows: &[(&str, &[&str])] = &[
        ("plain.mafia", &["--players", "6"]),
        ("plain.mafia", &["--players", "7"]),
        ("plain.mafia", &["--players", "6", "--seed", "4"]),
        ("plain.mafia", &["--players", "6", "--offers", "99"]),
        ("plain.mafia", &["--players", "6", "--calls", "1"]),
        ("plain.mafia", &["--players", "6", "--limit", "999"]),
        ("plain.mafia", &["--players", "6", "--present", "players"]),
        ("plain.mafia", &["--names", "Ann,Bob,Cid,Dee,Eve,Fay"]),
        ("city", &["--players", "6"]),
        (
            "city",
            &["--players", "7", "--policy", "crowd", "--limit", "5000"],
        ),
    ];
    let told = |(game, more): &(&str, &[&str])| {
        let args: Vec<&str> = more.iter().copied().chain(["--resume", "run.json"]).collect();
        // What is said twice has its last value.
        let args = match more.contains(&"--seed") || more.contains(&"--offers") {
            true => [&["sim", game, "--games", "20"][..], &args].concat(),
            false => {
                let usual = ["sim", game, "--games", "20", "--offers", "100", "--seed", "3"];
                [&usual[..], &args].concat()
            }
        };
        let done = said(folder.path(), &args);
        format!("{game} {}: {:?}\n{}", more.join(" "), done.code, done.err)
    };
    insta::assert_snapshot!(rows.iter().map(told).collect::<String>());
}

#[test]
fn every_axis_of_a_sweep_changes_what_is_played() {
    let folder = empty();
    let rows: &[&[&str]] = &[
        &["city", "--sweep", "policy=none,crowd,crowd+sharp"],
        &[
            "city",
            "--sweep",
            "tied-vote=nobody,run-off",
            "--set",
            "cards-of-the-voted=hidden",
        ],
        &["city", "--sweep", "players=0,6"],
        &["city", "--sweep", "players=65"],
        &["city", "--sweep", "players=6", "--names", "Ann,Bob"],
        &["city", "--sweep", "cast=4x", "--cast", "4"],
        &["city", "--sweep", "players=6", "--out", "run.json"],
        &["city", "--sweep", "players=6", "--shard", "1/2"],
        &["city", "--sweep", "players=3,6"],
        &["city", "--sweep", "players=2,3"],
        &["city", "--sweep", "colour=red"],
        &["city", "--sweep", "players"],
        &[
            "city",
            "--sweep",
            "players=1..64",
            "--sweep",
            "with=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p",
        ],
    ];
    let told = |more: &&[&str]| {
        let done = said(
            folder.path(),
            &[&["sim"][..], more, &["--games", "4", "--csv"]].concat(),
        );
        let kept = done
            .out
            .lines()
            .filter(|line| line.contains(",team,") || line.contains(",none,,"));
        let out: String = kept.map(|line| format!("  {line}\n")).collect();
        format!("{}: {:?}\n{out}{}", more.join(" "), done.code, done.err)
    };
    insta::assert_snapshot!(rows.iter().map(told).collect::<String>());
}

#[test]
fn numbers_are_written_as_people_write_them() {
    let folder = empty();
    let told = |games: &str| {
        let done = said(folder.path(), &["sim", "plain.mafia", "--games", games, "--json"]);
        let first = done.err.lines().next().unwrap_or("").to_owned();
        let games =
            |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["games"].to_string();
        match done.code {
            Some(0) => games(&done.out),
            _ => first,
        }
    };
    write(folder.path(), "plain.mafia", include_str!("plain.mafia"));
    let wrong =
        "error: `--games N` cannot be `?`: write a whole number above 0, such as 100000, 1_000_000 or 2M";
    for (written, is) in [
        ("20", "20"),
        ("1_0", "10"),
        ("1,2", "12"),
        ("3e1", "30"),
        ("2E2", "200"),
        ("1k", "1000"),
        ("1K", "1000"),
        ("0", wrong),
        ("M", wrong),
        ("1e", wrong),
        ("e2", wrong),
        ("1.5", wrong),
        ("9e99", wrong),
        ("99999999999999999999", wrong),
        ("99999999999999999M", wrong),
    ] {
        assert_eq!(
            told(written),
            is.replace('N', if is == wrong { "N" } else { "" })
                .replacen("`?`", &format!("`{written}`"), 1),
            "{written}"
        );
    }
}

/// Two of three helpers, by lot.
const OPEN: &str = "ruleset open \"Open\"
use std.table
players 4
cast {
  players 4
  Thief   1
  Helper  2
  Guest   rest
}
class Helper
team House
team Street
role Guest \"the guest\" of House
role Thief \"the thief\" of Street
role Nurse \"the nurse\" of House is Helper
role Guard \"the guard\" of House is Helper
role Judge \"the judge\" of House is Helper
script {
  play Deal
  ask players together for suspect from players
  judge
}
mark accused
rule named: after choice of players as p {
  mark p as accused
}
ending caught: win House when accused is Thief
ending missed: win Street when accused is not Thief
";

#[test]
fn each_game_of_a_run_draws_the_cards_that_are_left_to_chance() {
    let folder = empty();
    write(folder.path(), "open.mafia", OPEN);
    let sim = |more: &[&str]| {
        let words = ["sim", "open.mafia", "--games", "60", "--seed", "5"];
        said(folder.path(), &[&words[..], more].concat())
    };
    let one = sim(&["--threads", "1", "--out", "run.json"]).out;
    holds(&one, "cards: Thief, Helper 2, Guest");
    for role in ["Nurse", "Guard", "Judge"] {
        holds(&one, role);
    }
    assert_eq!(one, sim(&["--threads", "3"]).out);
    // A game that is opened has the cards it was played with.
    let dealt = |game: usize| {
        let game = format!("run.json:{game}");
        let args = ["play", "--replay", &game, "--plain"];
        let shown = omerta_in(folder.path(), &args, b"print role of players\n").told();
        let helpers = ["nurse", "guard", "judge"].map(|role| shown.contains(role));
        assert_eq!(helpers.iter().filter(|is| **is).count(), 2, "{shown}");
        helpers
    };
    let all: Vec<_> = (0..12).map(dealt).collect();
    assert!(all.iter().any(|one| *one != all[0]), "{all:?}");
}

#[test]
fn only_known_cards_are_solved_exactly() {
    let folder = empty();
    write(folder.path(), "open.mafia", OPEN);
    let exact = |more: &[&str]| said(folder.path(), &[&["exact", "open.mafia"], more].concat());
    let open = exact(&[]);
    holds(&open.err, "name them with `--cast`");
    assert_ne!(open.code, Some(0), "{}", open.err);
    let known = exact(&["--cast", "Thief, Nurse, Guard, Guest"]);
    assert_eq!(known.code, Some(0), "{}", known.err);
}
