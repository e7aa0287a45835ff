//! `omerta diff`: what is a difference between two rulesets, and what is none.

use crate::{
    program::{Done, omerta_in},
    rulebook::bundled,
};
use std::{fs, path::Path};

const BEFORE: &str = r#"ruleset barn "The barn"
use std.table, std.night
publish bite
players 3..6
cast {
  players 3..4 5..6
  Fox     1    2
  Hen     rest rest
}
team Coop "the coop"
team Wild "the wild" {
  when called {
    ask me together for prey from living without Wild or nobody "Whom?"
    plan bite of prey by me
  }
}
role Hen "a hen" of Coop
role Fox "a fox" of Wild
role Owl "the owl" of Coop at most 1 replaces Hen {
  when called {
    ask me for seen from living others or nobody "Whom do you look at?"
    show card of seen to me
  }
}
mark bitten until end of Dawn
count bites = 0
option mercy: yes | no = no "whether the first night is quiet"
event bite of p by k {
  mark p as bitten
  add 1 to bites
}
rule quiet: instead of bite of players as p when mercy is yes and times Night is 1 {
  tell p "You heard steps, {p}."
}
script {
  play Deal
  repeat {
    play Night
    play Dawn
  }
}
scene Night {
  call Wild
  call Owl
}
scene Dawn {
  settle bite
  say "Bitten: {bitten}. In all: {bites}."
  do departure of bitten
  judge
}
ending coop: win Coop when no living Wild "no fox is left"
ending wild: win Wild when living Wild is at least half of living "the foxes rule"
"#;

/// The same rules in another dress.
const REWORDED: &[(&str, &str)] = &[
    (
        "players 3..6\ncast {\n  players 3..4 5..6\n  Fox     1    2\n  Hen     rest rest\n}",
        "// Chickens.\ncast {\n  players 3 4 5..6\n  Hen rest rest rest\n  Fox 1 1 2\n}\nplayers 3..6",
    ),
    (
        "event bite of p by k {\n  mark p as bitten\n",
        "event bite of victim by biter {\n  // It hurts.\n  mark victim as bitten; ",
    ),
    ("as p when mercy", "as hen when mercy"),
    (
        "tell p \"You heard steps, {p}.\"",
        "tell hen \"You heard \"\n    \"steps, {hen}.\"",
    ),
    ("for prey from", "for dinner from"),
    ("plan bite of prey by me", "plan bite of dinner by me"),
    (
        "mark bitten until end of Dawn\ncount bites = 0\n",
        "count bites = 0\n\n\nmark   bitten until end of Dawn\n",
    ),
];

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BEFORE.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    })
}

fn diff(after: &str) -> Done {
    diff_of(BEFORE, after)
}

fn diff_of(before: &str, after: &str) -> Done {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("a.mafia"), before).unwrap();
    fs::write(home.path().join("b+c.mafia"), after).unwrap();
    omerta_in(home.path(), &["diff", "a.mafia", "b+c.mafia"], b"")
}

#[track_caller]
fn differs(changes: &[(&str, &str)], told: &str) {
    let done = diff(&changed(changes));
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert_eq!(done.out, told);
}

#[test]
fn layout_remarks_order_and_inner_names_are_no_difference() {
    let done = diff(&changed(REWORDED));
    assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
}

#[test]
fn a_difference_tells_which_roles_teams_and_casts_are_others() {
    differs(
        &[
            ("at most 1 replaces Hen", "at most 2 replaces Hen"),
            ("Fox     1    2", "Fox     1    3"),
            ("\"the coop\"", "\"the hens\""),
        ],
        "Teams\n\
         \x20 ~ Coop: [the coop → the hens]\n\
         \n\
         Roles\n\
         \x20 ~ Owl: [at most 1 → at most 2]\n\
         \n\
         Casts\n\
         \x20 ~ 5 players: [Fox 2 → Fox 3]\n\
         \x20 ~ 6 players: [Fox 2 → Fox 3]\n",
    );
}

#[test]
fn a_difference_tells_calls_in_another_order() {
    differs(
        &[("call Wild\n  call Owl", "call Owl\n  call Wild")],
        "When called\n\
         \x20 ~ Owl (Night): 2. → 1.\n\
         \n\
         Script and scenes\n\
         \x20 ~ Night: { call [nothing → Owl call]; call Wild [call Owl → nothing]\n",
    );
}

#[test]
fn the_order_of_rules_that_no_words_give() {
    let two = "rule loud: after bite {\n  add 1 to bites\n}\nrule soft: after bite {\n  set bites to 0\n}\n";
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, rules: &str| {
        fs::write(
            home.path().join(name),
            changed(&[("script {", &format!("{rules}script {{"))]),
        )
        .unwrap();
    };
    let (loud, soft) = two.split_at(two.find("rule soft").unwrap());
    write("a.mafia", two);
    write("b.mafia", &format!("{soft}{loud}"));
    let diff = || omerta_in(home.path(), &["diff", "a.mafia", "b.mafia"], b"");
    assert_eq!(
        diff().out,
        "Rules\n  ~ order: [loud before soft → soft before loud]\n"
    );
    // Where words give it, the place in the file means nothing.
    let loud = loud.replace("loud:", "loud before soft:");
    write("a.mafia", &format!("{loud}{soft}"));
    write("b.mafia", &format!("{soft}{loud}"));
    assert_eq!(diff().out, "");
}

#[test]
fn a_difference_tells_endings_and_options_that_are_others() {
    differs(
        &[
            ("= no \"whether", "= yes \"whether"),
            ("at least half", "more than half"),
            (
                "ending coop: win Coop when no living Wild \"no fox is left\"\n",
                "",
            ),
            (
                "the foxes rule\"\n",
                "the foxes rule\"\nending coop: win Coop when no living Wild \"no fox is left\"\nending dawn: draw when times Dawn is 9 \"it gets too long\"\n",
            ),
        ],
        "Endings\n\
         \x20 ~ wild: 2. → 1.\n\
         \x20 + 3. dawn\n\
         \x20 ~ wild: Wild is [at least → more than]\n\
         \n\
         Options\n\
         \x20 ~ mercy: [no → yes]\n",
    );
}

#[test]
fn a_difference_tells_numbers_words_and_deeds_that_are_others() {
    differs(
        &[
            ("players 3..6", "players 3..5"),
            ("players 3..4 5..6", "players 3..4 5"),
            ("add 1 to bites", "add 2 to bites"),
            ("show card of seen to me", "show team of seen to me"),
            ("mark bitten until end of Dawn", "mark bitten until Night"),
            ("rule quiet: instead of bite", "rule silent: instead of bite"),
        ],
        "Table\n\
         \x20 ~ players: [3 to 6 → 3 to 5]\n\
         \n\
         When called\n\
         \x20 ~ what Owl does when called: \"Whom do you look at?\" show [card → team]\n\
         \n\
         Casts\n\
         \x20 - 6 players: Fox 2, Hen for the rest\n\
         \n\
         Events\n\
         \x20 ~ bite: bitten add [1 → 2]\n\
         \n\
         Rules\n\
         \x20 - quiet\n\
         \x20 + silent\n\
         \n\
         What is remembered\n\
         \x20 ~ bitten: mark until [end of Dawn → Night]\n",
    );
}

#[test]
fn a_definition_for_one_team_stands_beside_the_one_for_all() {
    // The one for all stands in the library of nights.
    let with = |special: &str| format!("{BEFORE}define circle of Wild = {special}\n");
    let done = diff_of(&with("living Fox"), &with("living Fox"));
    assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
    let done = diff_of(&with("living Fox"), &with("living Owl"));
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert_eq!(
        done.out,
        "Definitions\n\x20 ~ circle of Wild: = living [Fox → Owl]\n"
    );
}

#[test]
fn a_difference_tells_another_first_value_of_what_is_remembered() {
    let with = |word: &str| format!("{BEFORE}{word}\n");
    let done = diff_of(
        &with("word sky: clear | foggy = clear"),
        &with("word sky: clear | foggy = foggy"),
    );
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert_eq!(
        done.out,
        "What is remembered\n\x20 ~ sky: foggy = [clear → foggy]\n"
    );
}

#[test]
fn mistakes_are_no_difference() {
    let done = diff(&BEFORE.replace("mark p as bitten", "mark p as biten"));
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    assert!(done.err.contains("M0201"), "{}", done.err);
    let done = omerta_in(Path::new("."), &["diff", "nothing.mafia", "nowhere.mafia"], b"");
    assert_eq!(done.code, Some(2), "{}", done.err);
}

#[test]
fn a_bundled_ruleset_is_itself_and_with_an_overlay_it_is_not() {
    let mut seen = std::collections::BTreeSet::new();
    for (game, overlays) in bundled() {
        let done = omerta_in(Path::new("."), &["diff", &game, &game], b"");
        assert_eq!(
            (done.code, done.out.as_str()),
            (Some(0), ""),
            "{game}: {}",
            done.err
        );
        for overlay in overlays.iter().filter(|overlay| seen.insert((*overlay).clone())) {
            let laid = format!("{game}+{overlay}");
            let done = omerta_in(Path::new("."), &["diff", &game, &laid], b"");
            // One that needs another cannot be laid on alone.
            let needs = done.code == Some(2) && done.err.contains("M0603");
            assert!(
                needs || done.code == Some(1) && done.out.contains("  "),
                "{laid}: {}{}",
                done.out,
                done.err
            );
        }
    }
}
