//! Sessions of `omerta play` from a pipe: what a line is answered with.

use crate::command_line::played;

/// What a session printed, and what it refused; they hold no secrets from each other.
#[track_caller]
fn session(lines: &str) -> String {
    let done = played(lines);
    assert_eq!(
        done.code,
        Some(i32::from(!done.err.is_empty())),
        "a refused line ends in 1: {}",
        done.err
    );
    match done.err.is_empty() {
        true => done.out,
        false => format!("{}\n==\n{}", done.out, done.err),
    }
}

#[test]
fn several_answers_stand_in_one_line() {
    insta::assert_snapshot!(session(
        "Pack -> Bob\nundo\nZed -> Bob\ngo, Zed\nAnn, Zed -> Bob\ngo, 2, go\n"
    ));
}

#[test]
fn a_walk_goes_as_far_as_is_said() {
    insta::assert_snapshot!(session(
        "rest pass\nrest\nstep\nto night\nnext\nundo 2\nto Bob\nto Zed\nend\nend\n"
    ));
}

#[test]
fn a_walk_stops_where_it_shall() {
    let lines = "break\nbreak bite\nbreak if number of bitten is 2\nbreak zzz\nwatch number of bitten\nend\nend\nbreak off 1\nend\nbreak off\nbreak\nwatch\n";
    insta::assert_snapshot!(session(lines));
}

#[test]
fn any_place_of_a_game_can_be_gone_to() {
    insta::assert_snapshot!(session(
        "step 4\ngoto night 1\ngoto night 9\ngoto start\ngoto end\ngoto 2\ngoto nowhere\ngoto event 3\ngoto 99\n"
    ));
}

#[test]
fn branches_are_named_listed_compared_and_left() {
    insta::assert_snapshot!(session(
        "go\nBob\nbranch other\nundo\nCid\ngo\nbranch third\ngo\nbranches\ncompare main other\ncompare third third\n\
         switch mian\nswitch main\nswitch other\nleave\nleave\nbranch two words\nbranch third\nbranches\n"
    ));
}

#[test]
fn the_game_can_be_looked_at_from_all_sides() {
    insta::assert_snapshot!(session(
        "go\nwho\nview Ann\nwhat if Bob\nwhat if Zed\ntally\nBob\nview Bob\ntally\nevent 2\nevent 9\nwhy Bob\nwhy not Bob\n\
         print number of (players\nwithout bitten)\nprint Ann plus Bob\nprint numbr of players\nsource bite\nsource Pack\nsource zzz\n"
    ));
}

#[test]
fn input_that_breaks_off_is_told() {
    let done = played("print number of (players\n");
    assert_eq!(done.code, Some(1));
    assert!(
        done.err.contains("in the middle of `print number of (players`"),
        "{}",
        done.err
    );
}

#[test]
fn branches_are_kept_with_the_game() {
    let folder = crate::command_line::folder();
    let play = |lines: &str| {
        let args = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];
        crate::command_line::omerta_in(folder.path(), &args, lines.as_bytes())
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
