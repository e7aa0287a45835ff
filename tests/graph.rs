//! `omerta graph`: the course of small games and of every bundled one.

use crate::{
    program::omerta_in,
    rulebook::{bundled, is_self_contained, is_well_formed},
};
use std::{fs, path::Path};

const RULES: &str = r#"ruleset inn "The <inn>"
use std.table, std.night
publish Night, fog
players 3..6
cast {
  Guest rest
  Thief 1
}
option late: yes | no = no "whether there is a supper"
team House "the house"
team Gang "the gang" {
  when called {
    ask me together for purse from living without Gang "Whose purse?"
  }
}
role Guest "a guest" of House
role Thief "the thief" of Gang {
  when called to look {
    ask me whether bold "Are you bold?"
    ask me whether sly "Are you sly?"
  }
}
flag fog
script {
  play Deal
  play Arrival
  repeat {
    play Night
    repeat {
      wait "Everybody sleeps."
      stop
    }
    play Arrival
    judge
  }
}
scene Arrival {
  say "Welcome."
}
scene Night {
  if late is yes {
    play Supper
  } else {
    call Gang
  }
  if fog {
    say "Nothing is seen."
    set fog to no
  } else {
    call Thief to look
    set fog to yes
  }
}
scene Supper {
  say "Soup."
}
ending over: draw when times Night is 3 "three nights are enough"
"#;

const OVERLAY: &str = "overlay watch on inn {
  rule watchful: before Night when times Night is at least 2 {
    call Thief to look
  }
  rule idle: before Night when fog {
    set fog to no
  }
}
";

fn graph(args: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("inn.mafia"), RULES).unwrap();
    fs::write(home.path().join("watch.mafia"), OVERLAY).unwrap();
    let args: Vec<&str> = ["graph", "inn.mafia"].iter().chain(args).copied().collect();
    let done = omerta_in(home.path(), &args, b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    match fs::read_to_string(home.path().join("inn.svg")) {
        Ok(svg) => svg,
        Err(_) => done.out,
    }
}

#[test]
fn scenes_lie_in_one_another_and_calls_are_numbered() {
    insta::assert_snapshot!(graph(&[]), @r#"
    The <inn>
      Deal
      Arrival
      again and again:
        Night
          1. The gang “Whose purse?”
          unless fog is yes:
            2. The thief, to look “Are you bold?” “Are you sly?”
        Arrival
        is the game over?
    "#);
}

#[test]
fn options_close_ways_and_overlays_add_steps() {
    insta::assert_snapshot!(graph(&["--set", "late=yes", "--with", "watch"]), @r#"
    The <inn>
      Deal
      Arrival
      again and again:
        Night
          when this is Night number 2 or a later one:
            1. The thief, to look “Are you bold?” “Are you sly?”
          Supper
          unless fog is yes:
            2. The thief, to look “Are you bold?” “Are you sly?”
        Arrival
        is the game over?
    "#);
}

#[test]
fn a_drawing_says_in_words_what_it_shows() {
    let svg = graph(&["--svg", "inn.svg"]);
    is_well_formed(&svg);
    is_self_contained(&svg);
    assert!(svg.contains("<title id=\"title\">The &lt;inn&gt;: the course of the game</title>"));
    let told = svg
        .split("<desc id=\"desc\">")
        .nth(1)
        .unwrap()
        .split("</desc>")
        .next()
        .unwrap();
    assert_eq!(told.replace("&lt;", "<").replace("&gt;", ">"), graph(&[]));
    insta::assert_snapshot!(svg);
}

/// What is played so often, for each of some, what decides without an ending, and calls of what the game will name.
#[test]
fn repeats_and_verdicts_are_steps() {
    let home = tempfile::tempdir().unwrap();
    let script = "script {\n  play Deal\n  repeat 3 times { play Night }\n  for each p of living { play Arrival }\n  \
        call role of players\n  if some living Thief { win Thief } else { end }\n}\n";
    let (before, rest) = RULES.split_once("script {").unwrap();
    let rest = &rest[rest.find("scene Arrival").unwrap()..];
    fs::write(home.path().join("inn.mafia"), format!("{before}{script}{rest}")).unwrap();
    let done = omerta_in(home.path(), &["graph", "inn.mafia"], b"");
    insta::assert_snapshot!(done.out, @r#"
    The <inn>
      Deal
      do this 3 times:
        Night
          1. The gang “Whose purse?”
          unless fog is yes:
            2. The thief, to look “Are you bold?” “Are you sly?”
      for each living player:
        Arrival
      3. The roles of all players
      if there is a living thief:
        victory for the thief
      otherwise:
        the game ends here
    "#);
}

#[test]
fn every_bundled_ruleset_is_drawn() {
    for (game, _) in bundled() {
        let home = tempfile::tempdir().unwrap();
        let done = omerta_in(home.path(), &["graph", &game, "--svg", "x.svg"], b"");
        assert_eq!(done.code, Some(0), "{}", done.err);
        let svg = fs::read_to_string(home.path().join("x.svg")).unwrap();
        is_well_formed(&svg);
        is_self_contained(&svg);
        let text = omerta_in(Path::new("."), &["graph", &game], b"").out;
        assert!(text.lines().count() > 3, "{text}");
        // A drawing has a box for every line of the text but its title.
        let steps = svg.matches("<rect class=").count() + svg.matches("class=\"way\"").count();
        let is_verdict = |line: &&str| {
            let heads = [
                "is the game over?",
                "the game ends here",
                "victory for ",
                "defeat for ",
            ];
            heads.iter().any(|head| line.trim_start().starts_with(head))
        };
        let judged = text.lines().filter(is_verdict).count();
        assert_eq!(steps + judged, text.lines().count() - 1, "{game}");
    }
}
