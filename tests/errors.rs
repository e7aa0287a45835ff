//! Every code that a check can raise: its fixture raises it and nothing else, its page shows a text
//! that raises it and one that is clean.

use omerta::faces::render::{Format, Style, render};
use omerta_check::{Checked, Request, check_ruleset};
use omerta_core::diagnostic::Severity;
use omerta_core::source::{Loaded, Loader, SourceId, Sources};
use omerta_syntax::parse_file;
use omerta_syntax::tree::ItemKind;
use omerta_workbench::bundle::{self, Shelf};
use omerta_workbench::runner::run_text;
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use std::fs;
use std::path::{Path, PathBuf};

/// The text at hand, under whatever name it is asked for, before the bundled ones.
struct OneText<'a> {
    text: &'a str,
    names: Vec<String>,
}

impl Loader for OneText<'_> {
    fn load(&self, path: &str) -> Option<Loaded> {
        if self.names.iter().any(|name| name == path) {
            return Some(Loaded {
                name: "text.mafia".to_owned(),
                text: self.text.to_owned(),
            });
        }
        Shelf::default().load(path)
    }

    fn names(&self) -> Vec<String> {
        Shelf::default().names()
    }
}

/// The overlays in a text; `// with: NAME` in its first line asks for others.
pub(crate) fn overlays_in(text: &str) -> Vec<String> {
    if let Some(names) = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// with: "))
    {
        return names.split(", ").map(str::to_owned).collect();
    }
    let (file, _) = parse_file(SourceId(0), text);
    let overlays = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Overlay { name, .. } => Some(name.text.clone()),
        _ => None,
    });
    overlays.collect()
}

/// Checks a text as a ruleset, with the overlays that stand in it laid on.
pub(crate) fn check(text: &str) -> (Sources, Checked) {
    let overlays = overlays_in(text);
    let names = overlays.iter().cloned().chain(["text".to_owned()]).collect();
    let mut sources = Sources::default();
    let request = Request {
        root: "text",
        overlays: &overlays,
        options: &[],
    };
    let checked = check_ruleset(&mut sources, &OneText { text, names }, &request);
    (sources, checked)
}

fn shown(sources: &Sources, checked: &Checked) -> String {
    render(sources, &checked.diagnostics, Format::Human, Style::PLAIN)
}

fn codes(checked: &Checked) -> Vec<&'static str> {
    let mut codes: Vec<&str> = checked.diagnostics.iter().map(|d| d.code.0).collect();
    codes.dedup();
    codes
}

pub(crate) fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let wanted = paths.into_iter().filter(|path| named(path).ends_with(ending));
    wanted
        .map(|path| (named(&path), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// Whether a code belongs to the check: names, kinds, tables, order, overlays, warnings.
fn is_of_the_check(name: &str) -> bool {
    ("M0100".."M0800").contains(&&name[..5]) && name.starts_with('M')
}

#[test]
fn every_fixture_raises_its_own_code_and_nothing_else() {
    let mut faults = Vec::new();
    for (name, text) in files("tests/errors", ".mafia")
        .iter()
        .filter(|(name, _)| is_of_the_check(name) || name.starts_with("M00"))
    {
        let (sources, checked) = check(text);
        let page = shown(&sources, &checked);
        if codes(&checked) != [&name[..5]] {
            faults.push(format!("{name} raises {:?}\n{page}", codes(&checked)));
        }
        insta::with_settings!({ snapshot_path => "snapshots/errors", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name.trim_end_matches(".mafia"), format!("{text}----\n{page}"));
        });
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n\n"));
}

#[test]
fn every_page_shows_the_mistake_and_its_repair() {
    let mut faults = Vec::new();
    for (name, page) in files("docs/errors", ".md")
        .iter()
        .filter(|(name, _)| is_of_the_check(name))
    {
        for text in blocks(page, "mafia-error") {
            let (sources, checked) = check(text);
            if codes(&checked) != [&name[..5]] {
                faults.push(format!(
                    "{name} raises {:?}\n{}",
                    codes(&checked),
                    shown(&sources, &checked)
                ));
            }
        }
        for text in blocks(page, "mafia") {
            let (sources, checked) = check(text);
            if !checked.diagnostics.is_empty() {
                faults.push(format!("{name}: the mended text\n{}", shown(&sources, &checked)));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n\n"));
}

#[test]
fn every_scenario_among_the_fixtures_makes_its_own_mistake() {
    let mut faults = Vec::new();
    for (name, text) in files("tests/errors", ".play") {
        let ran = run_text(Shelf::default(), &name, &text, |_| true);
        let of_reports = ran.reports.iter().flat_map(|report| &report.diagnostics);
        let mut found: Vec<&str> = ran.problems.iter().chain(of_reports).map(|d| d.code.0).collect();
        found.dedup();
        if found != [&name[..5]] {
            faults.push(format!("{name} raises {found:?}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The blocks of a page that carry a mark.
fn blocks<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let fence = format!("```{mark}\n");
    let starts: Vec<usize> = page
        .match_indices(&fence)
        .map(|(at, _)| at + fence.len())
        .collect();
    starts
        .into_iter()
        .map(|at| &page[at..at + page[at..].find("```").unwrap()])
        .collect()
}

/// A cascade: one root cause, one message.
#[track_caller]
fn one_message(code: &str, text: &str) {
    let (sources, checked) = check(text);
    let count = checked.diagnostics.len();
    assert!(
        count == 1 && checked.diagnostics[0].code.0 == code,
        "{text}\n{}",
        shown(&sources, &checked)
    );
}

fn script(body: &str) -> String {
    format!(
        "ruleset example\nteam Town\nteam Mafia\nmark out\ndefine living = players without out\nscript {{\n{body}\n}}\n"
    )
}

#[test]
fn an_unknown_name_is_no_kind_error_too() {
    one_message("M0201", &script("let n = livign + 1\nif n is 2 { wait }"));
    one_message(
        "M0201",
        &script("let n = livign\nif n { wait }\nif n is at least n { wait }"),
    );
    one_message(
        "M0201",
        &script("for each p of livign where it is out { tell p \"x\" }"),
    );
    one_message("M0201", &script("ask seat 1 for p from livign\ntell p \"x\""));
    one_message(
        "M0201",
        "ruleset example\ndefine few = number of playrs\nscript {\n  if few { wait }\n  if few is 2 { wait }\n}\n",
    );
}

/// What is not understood under a name in one place says nothing of that name elsewhere.
#[test]
fn a_name_for_what_is_unknown_hides_no_mistake_in_another_scene() {
    let text = "ruleset example\nscript {\n  play Dusk\n  play Dawn\n}\nscene Dusk {\n  let n = livign\n  if n { wait }\n}\n\
                scene Dawn {\n  let n = players\n  if n { wait }\n}\n";
    let (sources, checked) = check(text);
    assert_eq!(
        codes(&checked),
        ["M0201", "M0301"],
        "{}",
        shown(&sources, &checked)
    );
}

#[test]
fn a_broken_declaration_is_one_mistake() {
    let broken = |line: &str, uses: &str| format!("ruleset example\n{line}\nscript {{\n{uses}\n}}\n");
    for text in [
        broken("mark hunted,,", "mark players as hunted\ntell hunted \"x\""),
        broken("define few = = 2", "if few is 2 { wait }"),
        broken("scene Night {\n  say say\n}", "play Night"),
        broken("event kill of of p {\n}", "do kill of players"),
    ] {
        let (sources, checked) = check(&text);
        let page = shown(&sources, &checked);
        assert!(
            checked.diagnostics.iter().all(|d| d.code.0 < "M0100"),
            "{text}\n{page}"
        );
    }
    one_message(
        "M0101",
        "ruleset example\nuse std.tabel\nscript {\n  play Deal\n  tell living \"x\"\n}\n",
    );
}

#[test]
fn sets_joined_by_and_or_or_get_a_repair_that_works() {
    for (wrong, right) in [
        ("seat 1 is Town or Mafia", "seat 1 is (Town plus Mafia)"),
        ("seat 1 is Town and out", "seat 1 is Town out"),
        ("seat 1 is not Town or Mafia", "seat 1 is not (Town plus Mafia)"),
        ("living and Mafia", "some living Mafia"),
        ("living or Mafia", "some (living plus Mafia)"),
        ("no living Mafia or Town", "no living (Mafia plus Town)"),
        ("no Mafia and Town", "no (Mafia plus Town)"),
        (
            "no living Mafia or living Town",
            "no (living Mafia plus living Town)",
        ),
        ("some living Mafia or Town", "some living (Mafia plus Town)"),
        (
            "some living Mafia and Town",
            "some living Mafia and some living Town",
        ),
    ] {
        let (sources, checked) = check(&script(&format!("mark seat 1 as out\nif {wrong} {{ wait }}")));
        let page = shown(&sources, &checked);
        assert_eq!(codes(&checked), ["M0302"], "{page}");
        assert_eq!(checked.diagnostics.len(), 1, "{page}");
        assert!(page.contains(&format!("`{right}`")), "{right}\n{page}");
        let (sources, checked) = check(&script(&format!("mark seat 1 as out\nif {right} {{ wait }}")));
        assert!(checked.diagnostics.is_empty(), "{}", shown(&sources, &checked));
    }
}

/// What people write who know other languages, or this one for an hour: the message names the repair.
#[test]
fn slips_are_told_their_repair() {
    for (statement, code, words) in [
        ("kill players", "M0015", "an event is done: `do kill of players`"),
        ("Night", "M0015", "a scene is played: `play Night`"),
        ("Town", "M0015", "a role or a team is called: `call Town`"),
        ("judge when some out", "M0019", "write `if some out { judge }`"),
        (
            "say \"x\" when no out",
            "M0019",
            "write `if no out { say \"x\" }`",
        ),
        (
            "unless some out { judge }",
            "M0015",
            "write `if not (some out) { … }`",
        ),
        (
            "while some out { judge }",
            "M0015",
            "write `repeat { if not (some out) { stop }; … }`",
        ),
        ("break", "M0015", "write `stop`, which leaves"),
        ("print \"x\"", "M0015", "write `say \"x\"`"),
        ("lynch players", "M0015", "write `do kill of p`"),
        ("for n in 1..3 { judge }", "M0019", "`for each n of 1..3 { … }`"),
        (
            "for each p in living { judge }",
            "M0019",
            "`for each p of living { … }`",
        ),
        ("for n from 1..3 { judge }", "M0019", "`for each n of 1..3 { … }`"),
        (
            "for each p from living in order { judge }",
            "M0019",
            "write `for each p of living { … }`",
        ),
        ("repeat 3 { judge }", "M0019", "write `repeat 3 times { … }`"),
        ("repeat 2 time { judge }", "M0019", "write `repeat 2 times { … }`"),
        (
            "say \"{remainder of 7}\"",
            "M0019",
            "write `remainder of number of living / 2`",
        ),
        (
            "seat seat 1 left of seat 2",
            "M0019",
            "write `seat p to left of q`",
        ),
        (
            "seat seat 1 beside seat 2",
            "M0019",
            "write `seat p to left of q`",
        ),
        ("seat seat 1", "M0019", "write `seat p to left of q`"),
        (
            "swap seats seat 1 and seat 2",
            "M0019",
            "`swap seats of seat 1 and seat 2`",
        ),
        ("shuffle players", "M0203", "`shuffle seats`"),
        ("say \"{7 % 2}\"", "M0011", "`remainder of … / …`"),
        ("say \"{8 ÷ 2}\"", "M0011", "write `/`"),
        (
            "choose prey from living",
            "M0015",
            "write `ask me for prey from …`",
        ),
        ("say \"{times Night + } nights\"", "M0019", "this ends too early"),
        (
            "let x = living where it is Town and it is out",
            "M0302",
            "`living where (it is Town and it is out)`",
        ),
        (
            "ask host for p from living where it is Town and it is out or nobody",
            "M0019",
            "put brackets around all of it",
        ),
        ("jud\u{200B}ge", "M0011", "nobody can see (U+200B)"),
        ("\u{2060}judge", "M0011", "nobody can see (U+2060)"),
        (
            "plan murder of players",
            "M0201",
            "declare it: `event murder of p { … }`",
        ),
        ("play Dusk", "M0201", "declare it: `scene Dusk { … }`"),
        ("put cast in pile", "M0201", "declare it: `zone pile`"),
        ("add 1 to rounds", "M0201", "declare it: `count rounds`"),
        (
            "if during Dusk { wait }",
            "M0201",
            "declare it: `scene Dusk { … }` or `event Dusk { … }`",
        ),
        ("leave kill", "M0203", "an event is not left"),
        (
            "put top in chest",
            "M0203",
            "a card that is there is moved: `move top to …`",
        ),
        ("do note of seat 1 with number top", "M0307", "write `top`"),
    ] {
        let text = script(&format!("let top = 3\n{statement}")).replace(
            "script {",
            "ending over: win Town when no Mafia\nscene Night {\n  wait\n}\nevent kill of p {\n  mark p as out\n}\nzone chest\ncount noted of each\n\
             event note of p with number n {\n  set noted of p to n\n}\nscript {",
        );
        let (sources, checked) = check(&text);
        let page = shown(&sources, &checked).replace("\n        ", " ");
        let found: Vec<&str> = checked.diagnostics.iter().map(|d| d.code.0).collect();
        assert_eq!(found, [code], "{page}");
        assert!(page.contains(words), "{words}\n{page}");
    }
}

#[test]
fn slips_of_declarations_are_told_their_repair() {
    for (line, code, words) in [
        (
            "count rounds played",
            "M0017",
            "write `rounds-played \"rounds played\"`",
        ),
        (
            "mark leader one, deputy one",
            "M0019",
            "`mark leader, deputy one`",
        ),
        (
            "link likes one, hates one",
            "M0019",
            "say `one` once, behind the last name",
        ),
        ("ending over: Hamlet loses", "M0019", "write `lose Hamlet when …`"),
        ("ending over: Hamlet lose", "M0019", "write `lose Hamlet when …`"),
        (
            "ending over: Hamlet wins",
            "M0019",
            "write `ending over: win Hamlet when CONDITION`",
        ),
        (
            "mark asleep until Dusk",
            "M0511",
            "declare `scene Dusk { … }`, or",
        ),
        (
            "cast {\n  Wolf 1 2\n}\nrole Wolf",
            "M0407",
            "`players 4..6 7..10`",
        ),
    ] {
        let (sources, checked) = check(&format!("ruleset example\n{line}\nscript {{\n  wait\n}}\n"));
        let page = shown(&sources, &checked).replace("\n        ", " ");
        assert_eq!(codes(&checked), [code], "{page}");
        assert!(page.contains(words), "{words}\n{page}");
    }
}

/// What only follows from a head without its brace, or from a misspelt word, is no mistake of its own.
#[test]
fn a_broken_head_is_one_mistake() {
    let game = |head: &str| {
        format!(
            "ruleset example\nuse std.table\nplayers 3\ncast {{\n  players 3\n  Wolf 3\n}}\n{head}\n  \
             say \"Night falls.\"\n  if some out {{\n    judge\n  }}\n}}\nscript {{\n  play Deal\n  play Night\n}}\n"
        )
    };
    one_message("M0016", &game("role Wolf\nscene Night"));
    one_message("M0019", &game("role Wolf\nscene Night:"));
    one_message("M0014", &game("rolle Wolf\nscene Night {"));
    // Another one further down is a mistake of its own.
    let (_, checked) = check(&(game("role Wolf\nscene Night") + "mark gone\nsay \"x\"\n"));
    assert_eq!(codes(&checked), ["M0016", "M0028"]);
}

/// A minus without spaces is a part of a name; where what stands before it is known, that is told, and what to write.
#[test]
fn a_minus_that_makes_a_name_is_told_as_one() {
    for (value, told) in [
        ("days-1", Some("`days - 1`")),
        ("days-late-days", Some("`days - late-days`")),
        ("late-days-12", Some("`late-days - 12`")),
        ("days-of-rest", None),
        ("dys-1", None),
        ("1 + days-1", Some("`days - 1`")),
    ] {
        let text = format!(
            "ruleset x\ncount days\ncount late-days\nscript {{\n  set days to {value}\n  wait \"{{days}} {{late-days}}\"\n}}\n"
        );
        let (_, checked) = check(&text);
        let help = checked.diagnostics[0].help.clone().unwrap_or_default();
        match told {
            Some(told) => assert!(
                codes(&checked)[0] == "M0025" && help.contains(told),
                "{value}: {help}"
            ),
            None => assert_eq!(codes(&checked)[0], "M0201", "{value}: {help}"),
        }
    }
}

/// All pairs at once, and none of rules for players who cannot be the same.
#[test]
fn rules_in_no_order_are_told_in_pairs() {
    let pairs = |rules: &str| {
        let text = format!(
            "ruleset example\nteam Town\nteam Mafia\nrole Guard of Town\nrole Fiend of Mafia\nmark safe, tough, hurt, out\n\
             flag dark\ncount hits\ncount lives of each\nword sky: clear | dim\ntext note\nlink hates back haters\nlink loves one\nzone pot\ntoken Coin\n\
             event kill of p {{\n  mark p as out\n}}\n{rules}script {{\n  \
             mark seat 1 as safe, tough\n  do kill of seat 1\n  wait \"{{hurt}} {{out}} {{hits}} {{loves of seat 1}}\"\n}}\n"
        );
        let (sources, checked) = check(&text);
        let page = shown(&sources, &checked);
        assert!(codes(&checked).iter().all(|code| *code >= "M0700"), "{page}");
        checked.diagnostics.iter().filter(|d| d.code.0 == "M0701").count()
    };
    let replace = |name: &str, set: &str| {
        format!("rule {name}: instead of kill of {set} {{\n  mark seat 2 as hurt\n}}\n")
    };
    let three = replace("a", "safe") + &replace("b", "tough")[..] + &replace("c", "Guard")[..];
    assert_eq!(pairs(&three), 3);
    assert_eq!(pairs(&(replace("a", "Guard") + &replace("b", "Fiend")[..])), 0);
    assert_eq!(pairs(&(replace("a", "Town") + &replace("b", "Guard")[..])), 1);
    // Both write the same in the same manner: then it is all the same who does so first.
    let after = |name: &str, body: &str| format!("rule {name}: after kill of players {{\n  {body}\n}}\n");
    for (one, two, found) in [
        ("set dark to yes", "set dark to yes", 0),
        ("set dark to yes", "set dark to no", 1),
        ("mark seat 1 as hurt", "mark seat 2 as hurt", 0),
        ("mark seat 1 as hurt", "unmark seat 2 as hurt", 1),
        ("add 1 to hits", "add 2 to hits", 0),
        ("add 1 to hits", "set hits to 3", 1),
        ("add 1 to hits", "if hits is 1 { mark seat 1 as hurt }", 1),
        ("clear hurt", "clear hurt", 0),
        ("clear hurt", "mark seat 1 as hurt", 1),
        // Links to any number only grow; one to one is another's then.
        (
            "link seat 1 to seat 2 as hates",
            "link seat 2 to seat 1 as hates",
            0,
        ),
        (
            "link seat 1 to seat 2 as loves",
            "link seat 2 to seat 1 as loves",
            1,
        ),
        ("unlink seat 1 as hates", "unlink seat 2 as hates", 0),
        ("unlink seat 1 as hates", "link seat 2 to seat 1 as hates", 1),
        ("clear hates", "link seat 2 to seat 1 as hates", 1),
        // Where the game may be over, the other may never have its turn.
        ("judge", "mark seat 1 as hurt", 1),
        ("mark seat 1 as hurt", "judge", 1),
        ("judge", "judge", 0),
    ] {
        assert_eq!(
            pairs(&(after("a", one) + &after("b", two)[..])),
            found,
            "{one} | {two}"
        );
    }
    // Whatever can be remembered, read as well as written, whichever comes first.
    for (written, read, found) in [
        ("clear hates", "some hates of seat 1", 1),
        ("clear hates", "some haters of seat 1", 1),
        ("clear hurt", "some haters of seat 1", 0),
        ("set sky to dim", "sky is dim", 1),
        ("set note to \"x\"", "some note", 1),
        ("set lives of seat 1 to 2", "lives of seat 2 is 2", 1),
        ("put Coin in pot", "some pot", 1),
        ("put Coin in pot", "number of players is 3", 0),
    ] {
        let read = format!("if {read} {{ add 1 to hits }}");
        for [one, two] in [[written, &read], [&read, written]] {
            let rules = after("a", one) + &after("b", two)[..];
            assert_eq!(pairs(&rules), found, "{one} | {two}");
        }
    }
}

#[test]
fn a_game_that_can_end_is_no_game_without_an_end() {
    let game = |body: &str, more: &str| {
        let text = format!("script {{\n  repeat {{\n    wait\n{body}\n  }}\n}}\n{more}");
        let (_, checked) = check(&format!(
            "ruleset example\nplayers 3\ncast {{\n  Guest 3\n}}\nteam Town\nrole Guest of Town\n{text}"
        ));
        codes(&checked).concat()
    };
    assert_eq!(game("", ""), "M0721");
    for (body, more) in [
        ("stop", ""),
        ("end", ""),
        ("win Town", ""),
        ("judge", "ending all: win Town when number of Guest is 2\n"),
        ("", "allow host to close {\n  end\n}\n"),
    ] {
        assert_eq!(game(body, more), "", "{body} {more}");
    }
}

#[test]
fn a_name_that_is_nearly_right_is_suggested() {
    for (text, name) in [
        ("play Nihgt", "Night"),
        ("do kil of seat 1", "kill"),
        ("call Towm", "Town"),
        ("mark players as outt", "out"),
        ("put cast in dek", "deck"),
        ("tell livng \"x\"", "living"),
        ("if during Nigt { wait }", "Night"),
    ] {
        let more = "zone deck\nscene Night {\n  wait\n}\nevent kill of p {\n  mark p as out\n}\n";
        let text = format!("use std.night\n{text}");
        let (library, statement) = text.split_once('\n').unwrap();
        let whole = format!(
            "ruleset example\n{}team Town\nteam Mafia\n{}scene Perform of role r {{\n  perform r\n}}\n{more}script {{\n{statement}\n}}\n",
            if library.is_empty() { "use std.night\n" } else { "" },
            "mark out\ndefine living = players without out\n",
        );
        let (sources, checked) = check(&whole);
        let page = shown(&sources, &checked);
        assert!(
            page.contains(&format!("did you mean `{name}`?")),
            "{statement}\n{page}"
        );
    }
}

/// A ruleset whose scene says the words it publishes, with an overlay that says `body`.
fn with_overlay(body: &str) -> String {
    format!(
        "ruleset example\npublish Day, greeting\nmark calm\nscene Day {{\n  say \"Good day.\" as greeting\n}}\n\
         scene Noon {{\n  if some calm {{ wait }}\n  mark players as calm\n}}\n\
         role Baker {{\n  when called {{ tell me \"Bake.\" }}\n}}\nscene Waking of role c {{\n  perform c\n}}\n\
         script {{\n  play Day\n  play Noon\n  call Baker\n}}\n\
         overlay quiet on example, other {{\n{body}\n}}\n"
    )
}

#[test]
fn what_is_published_may_go_with_what_an_overlay_replaces() {
    let (sources, checked) = check(&with_overlay("  replace scene Day {\n    nothing\n  }"));
    assert!(checked.diagnostics.is_empty(), "{}", shown(&sources, &checked));
    let (_, checked) = check("ruleset example\npublish greeting\nscript {\n  say \"Good day.\"\n}\n");
    assert_eq!(
        codes(&checked),
        ["M0201"],
        "the base by itself is still looked over"
    );
}

#[test]
fn an_overlay_is_told_which_base_does_not_have_what_it_changes() {
    for (code, body, words) in [
        (
            "M0607",
            "replace scene Evening { nothing }",
            "no scene `Evening` to replace in `example`",
        ),
        (
            "M0608",
            "remove evening-prayer",
            "no `evening-prayer` to remove in `example`",
        ),
        (
            "M0609",
            "replace call Carpenter { nothing }",
            "no role or team `Carpenter` in `example`",
        ),
        (
            "M0610",
            "replace call Baker to rise { nothing }",
            "`Baker` has no part `when called to rise` in `example`",
        ),
        (
            "M0612",
            "rule hush: before Noon { nothing }",
            "`example` does not publish `Noon`",
        ),
    ] {
        let help = "what is only for `other` goes into `on other { … }`";
        let (sources, checked) = check(&with_overlay(body));
        let page = shown(&sources, &checked).replace("\n        ", " ");
        assert_eq!(codes(&checked), [code], "{page}");
        assert!(page.contains(words) && page.contains(help), "{page}");
        let (sources, checked) = check(&with_overlay(&format!("on example {{\n{body}\n}}")));
        let page = shown(&sources, &checked);
        assert_eq!(codes(&checked), [code], "{page}");
        assert!(page.contains(words) && !page.contains("goes into"), "{page}");
    }
}

#[test]
fn what_happens_on_another_base_alone_is_no_riddle() {
    let (sources, checked) = check(&with_overlay("rule also: after Deprivation { nothing }"));
    let page = shown(&sources, &checked);
    assert!(
        page.contains("nothing that happens in `example` is called `Deprivation`"),
        "{page}"
    );
    assert!(
        page.contains("what is only for `other` goes into `on other { … }`"),
        "{page}"
    );
}

#[test]
fn an_overlay_on_a_base_it_is_not_for_is_one_mistake() {
    one_message(
        "M0601",
        "ruleset example\nscript {\n  wait\n}\n\
         overlay quiet on other {\n  replace scene Day { nothing }\n  rule hush: before Noon { nothing }\n}\n",
    );
}

#[test]
fn a_ruleset_is_told_that_its_libraries_do_not_have_what_it_replaces() {
    let (sources, checked) =
        check("ruleset example\nreplace scene Evening { nothing }\nscript {\n  wait\n}\n");
    let page = shown(&sources, &checked);
    assert!(
        page.contains("no scene `Evening` to replace in what this ruleset uses"),
        "{page}"
    );
}

#[test]
fn bundled_rulesets_are_clean() {
    for file in bundle::all() {
        let path = file.path().to_string_lossy().into_owned();
        let text = file.contents_utf8().unwrap();
        let mut overlays: Vec<String> = overlays_in(text);
        // What an overlay needs is laid on with it, on each of its bases.
        let needed = text.lines().filter_map(|l| l.strip_prefix("  needs "));
        overlays.extend(needed.flat_map(|names| names.split(", ")).map(str::to_owned));
        let bases = text.lines().find_map(|l| l.strip_prefix("overlay "));
        let bases = bases.and_then(|l| Some(l.split_once(" on ")?.1.trim_end_matches('{')));
        for root in bases.map_or(vec![path.as_str()], |names| {
            names.split(", ").map(str::trim).collect()
        }) {
            let mut sources = Sources::default();
            let request = Request {
                root,
                overlays: &overlays,
                options: &[],
            };
            let checked = check_ruleset(&mut sources, &Shelf::default(), &request);
            assert!(
                checked.diagnostics.is_empty(),
                "{path}\n{}",
                shown(&sources, &checked)
            );
        }
    }
}

// ---- garbage ------------------------------------------------------------------------------------

/// How many messages one text may give, so that nobody drowns in them.
const MOST_MESSAGES: usize = 2_000;

/// One change to a text: a piece taken out, doubled, moved or overwritten.
#[derive(Clone, Debug)]
enum Change {
    Cut(usize, usize),
    Double(usize, usize),
    Insert(usize, String),
    Swap(usize, usize),
    Rename(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let words = prop_oneof![
        Just("{"),
        Just("}"),
        Just("("),
        Just(")"),
        Just("of "),
        Just("me "),
        Just("players "),
        Just("without "),
        Just("every "),
        Just("is "),
        Just("\n"),
        Just("replace "),
        Just("role "),
        Just("999999999"),
        Just("0 "),
        Just("nobody "),
        Just("\""),
        Just("perform c\n"),
        Just("repeat {"),
        Just("define living = living\n"),
    ];
    prop_oneof![
        (any::<usize>(), 1usize..60).prop_map(|(at, len)| Change::Cut(at, len)),
        (any::<usize>(), 1usize..200).prop_map(|(at, len)| Change::Double(at, len)),
        (any::<usize>(), words).prop_map(|(at, word)| Change::Insert(at, word.to_owned())),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Change::Swap(a, b)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Change::Rename(a, b)),
    ]
}

fn place(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = letter.is_alphanumeric() || letter == '-';
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn apply(text: &str, change: &Change) -> String {
    let words = words(text);
    match change {
        Change::Cut(at, len) => {
            let from = place(text, *at);
            let to = place(text, (from + len).min(text.len()));
            format!("{}{}", &text[..from], &text[to.max(from)..])
        }
        Change::Double(at, len) => {
            let from = place(text, *at);
            let to = place(text, (from + len).min(text.len())).max(from);
            format!("{}{}{}", &text[..to], &text[from..to], &text[to..])
        }
        Change::Insert(at, word) => {
            let from = place(text, *at);
            format!("{}{word}{}", &text[..from], &text[from..])
        }
        Change::Swap(a, b) | Change::Rename(a, b) if !words.is_empty() => {
            let (a, b) = (words[a % words.len()], words[b % words.len()]);
            let (first, second) = if a.0 <= b.0 { (a, b) } else { (b, a) };
            if first.0 == second.0 {
                return text.to_owned();
            }
            let one = if matches!(change, Change::Swap(..)) {
                &text[second.0..second.1]
            } else {
                &text[first.0..first.1]
            };
            format!(
                "{}{one}{}{}{}",
                &text[..first.0],
                &text[first.1..second.0],
                &text[first.0..first.1],
                &text[second.1..]
            )
        }
        _ => text.to_owned(),
    }
}

/// Every bundled ruleset with its libraries in one text, so that a change may hit any of them.
fn whole_texts() -> Vec<String> {
    let text_of = |name: &str| bundle::bundled(name).map_or(String::new(), |loaded| loaded.text);
    let of_one_game = |text: &str| {
        let mut whole = String::new();
        for line in text.lines() {
            match line.strip_prefix("use ") {
                Some(names) => names.split(", ").for_each(|name| {
                    let library = text_of(name);
                    let lines = library
                        .lines()
                        .filter(|l| !l.starts_with("library ") && !l.starts_with("use "));
                    lines.for_each(|l| whole.extend([l, "\n"]));
                }),
                None => whole.extend([line, "\n"]),
            }
        }
        whole
    };
    bundle::all()
        .filter_map(|file| file.contents_utf8())
        .map(of_one_game)
        .collect()
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn garbage_ends_in_messages(which in any::<usize>(), changes in prop::collection::vec(change(), 1..6)) {
        let texts = whole_texts();
        let mut text = texts[which % texts.len()].clone();
        for change in &changes {
            text = apply(&text, change);
        }
        let (sources, checked) = check(&text);
        assert!(checked.diagnostics.len() < MOST_MESSAGES, "{} messages", checked.diagnostics.len());
        assert!(checked.rules.is_some() || !checked.diagnostics.is_empty());
        shown(&sources, &checked);
    }
}

// ---- warnings, and where they are not due --------------------------------------------------------

/// The trees are walked in one place: what is warned of is found wherever an expression can stand.
#[test]
fn the_head_of_a_declaration_and_every_clause_of_a_question_are_looked_through() {
    for (declared, asked) in [
        ("define few = number of (players where players is Town)", ""),
        ("zone pile seen by (players where players is Town)", ""),
        ("", "openly to (players where players is Town)"),
        ("", "or nobody when players is Town"),
    ] {
        let text = script(&format!(
            "ask seat 1 for p from players {asked} \"Whom?\"\ntell p \"x\""
        ));
        let text = text.replace("script {", &format!("{declared}\nscript {{"));
        let (sources, checked) = check(&text);
        let found = checked.diagnostics.iter().filter(|d| d.code.0 == "M0714").count();
        assert_eq!(found, 1, "{text}\n{}", shown(&sources, &checked));
    }
}

const TEAMS: &str =
    "team Town\nteam Mafia\nrole Guard of Town at most 1\nrole Civilian of Town\nrole Mafioso of Mafia\n";

#[track_caller]
fn warns(text: &str, wanted: &[&str]) {
    let (sources, checked) = check(&format!("ruleset example\n{TEAMS}{text}"));
    assert_eq!(codes(&checked), wanted, "{text}\n{}", shown(&sources, &checked));
}

#[test]
fn only_who_is_plainly_several_must_say_how_they_agree() {
    let ask = |who: &str| format!("script {{\n  ask {who} for p from players\n  tell p \"x\"\n}}\n");
    warns(&ask("Mafia"), &["M0713"]);
    warns(&ask("Civilian"), &["M0713"]);
    warns(&ask("players without Guard"), &["M0713"]);
    warns(&ask("Guard"), &[]);
    warns(&ask("Town Guard"), &[]);
    warns(&ask("seat 1"), &[]);
    warns(&ask("host"), &[]);
    warns(&ask("Mafia together"), &[]);
    let table = |cell: &str| format!("cast {{\n  players 4..8\n  Mafioso {cell}\n  Civilian rest\n}}\n");
    warns(&format!("{}{}", table("1"), ask("Mafioso")), &[]);
    warns(&format!("{}{}", table("2"), ask("Mafioso")), &["M0713"]);
}

/// A test that leaves one at the most makes a question of several one of one, behind `if` or behind `else`; any other does
/// not, whatever the comparison.
#[test]
fn a_count_that_leaves_one_at_the_most_lets_them_be_asked_as_one() {
    for (test, then, otherwise) in [
        ("is 1", true, false),
        ("is 0", true, false),
        ("is 2", false, false),
        ("is exactly 1", true, false),
        ("is exactly 2", false, false),
        ("is not 0", false, true),
        ("is not 1", false, true),
        ("is not 2", false, false),
        ("is at most 1", true, false),
        ("is at most 2", false, false),
        ("is less than 2", true, false),
        ("is less than 3", false, false),
        ("is at least 1", false, true),
        ("is at least 2", false, true),
        ("is at least 3", false, false),
        ("is more than 0", false, true),
        ("is more than 1", false, true),
        ("is more than 2", false, false),
    ] {
        let ask = "{ ask Mafia for p from players; tell p \"x\" }";
        for (block, is_one) in [
            (format!("if number of Mafia {test} {ask}"), then),
            (
                format!("if number of Mafia {test} {{ wait }} else {ask}"),
                otherwise,
            ),
        ] {
            let told = if is_one { &[][..] } else { &["M0713"] };
            warns(&format!("script {{\n  {block}\n}}\n"), told);
        }
    }
}

#[test]
fn a_part_of_several_asks_together() {
    let part = |limit: &str, ask: &str| {
        format!(
            "use std.night\nrole Seer of Town{limit} {{\n  when called {{\n    ask {ask} for p from players\n    tell p \"x\"\n  }}\n}}\nscript {{\n  call Seer\n}}\n"
        )
    };
    warns(&part("", "me"), &["M0713"]);
    warns(&part("", "me together"), &[]);
    warns(&part(" at most 1", "me"), &[]);
}

#[test]
fn choices_that_are_empty_by_the_words_alone() {
    let from = |set: &str| format!("script {{\n  ask seat 1 for p from {set}\n  tell p \"x\"\n}}\n");
    for set in [
        "nobody",
        "Mafia without Mafia",
        "Guard Mafia",
        "Town Mafia",
        "others me",
        "Guard Civilian plus nobody",
    ] {
        warns(&from(set), &["M0715"]);
    }
    for set in [
        "Town Guard",
        "Mafia plus Guard",
        "players without Mafia",
        "others",
    ] {
        warns(&from(set), &[]);
    }
    warns(
        "script {\n  ask seat 1 for n from 5..2\n  say \"{n}\"\n}\n",
        &["M0715"],
    );
}

#[test]
fn a_shield_for_the_next_night_is_in_time() {
    let game = |life: &str, first: &str, second: &str| {
        format!(
            "mark safe{life}\nmark dying\nevent kill of p {{\n  mark p as dying\n}}\nrule shield: instead of kill of safe {{\n  nothing\n}}\nscene Night {{\n  {first}\n  {second}\n  wait \"{{dying}}\"\n}}\nscript {{\n  repeat {{\n    play Night\n  }}\n}}\n"
        )
    };
    warns(
        &game(" until end of Night", "do kill of seat 1", "mark seat 1 as safe"),
        &["M0716"],
    );
    warns(
        &game(" until end of Night", "mark seat 1 as safe", "do kill of seat 1"),
        &[],
    );
    warns(&game("", "do kill of seat 1", "mark seat 1 as safe"), &[]);
    // Wherever in the course of the night it happens.
    for kill in [
        "for each p of players { do kill of p }",
        "if some dying { do kill of seat 1 }",
        "if some dying { wait } else { do kill of seat 1 }",
        "repeat { do kill of seat 1; stop }",
        "ask host { shoot p from players { do kill of p } }",
        "play Noon",
    ] {
        let game = game(" until end of Night", kill, "mark seat 1 as safe");
        warns(
            &(game + "scene Noon { do kill of seat 1 }\n"),
            match kill {
                "play Noon" => &["M0716"],
                _ => &["M0716", "M0718"],
            },
        );
    }
}

#[test]
fn a_loop_may_pause_in_a_scene() {
    warns(
        "script {\n  repeat {\n    play Day\n  }\n}\nscene Day {\n  wait\n}\n",
        &[],
    );
    warns(
        "script {\n  repeat {\n    play Day\n  }\n}\nscene Day {\n  say \"x\"\n}\n",
        &["M0720"],
    );
    warns(
        "script {\n  repeat {\n    if some seat 5 {\n      stop\n    }\n    swap seats of seat 1 and seat 2\n  }\n}\n",
        &[],
    );
    // Nothing in it could make the test come out otherwise the next time.
    warns(
        "script {\n  repeat {\n    if some seat 5 {\n      stop\n    }\n  }\n}\n",
        &["M0720"],
    );
}

#[test]
fn a_name_of_a_role_is_no_parameter() {
    warns(
        "scene Talk of role Guard {\n  say \"{Guard}\"\n}\nscript {\n  play Talk of Guard\n}\n",
        &["M0206"],
    );
    warns(
        "allow players to greet \"Greet\" Guard from others {\n  say \"{Guard}\"\n}\nscript {\n  wait\n}\n",
        &["M0206"],
    );
    warns(
        "define circle of Guard = players\nscript {\n  tell (circle of Guard) \"x\"\n}\n",
        &[],
    );
}

#[test]
fn what_nobody_reads_is_checked_all_the_same() {
    warns("define few = number of playrs\nscript {\n  wait\n}\n", &["M0201"]);
    warns("publish nothin\nscript {\n  wait\n}\n", &["M0201"]);
}

#[test]
fn a_game_is_over_at_once_by_what_its_table_deals_for_sure() {
    let game = |head: &str, cards: &str, holds: &str| {
        format!(
            "players 4\n{head}cast {{\n  players 4\n  Civilian 3\n  Mafioso {cards}\n}}\nending mafia: win Mafia when {holds}\n\
             ending town: win Town when no Mafia\nscript {{\n  put cast in deck\n  deal deck to hand of players\n  wait\n  judge\n}}\n\
             zone deck\nzone hand of each is role\n"
        )
    };
    for (holds, told) in [
        ("number of players is at most 4", &["M0717"][..]),
        ("number of players is less than 4", &[]),
        ("number of (players without Mafioso) is 3", &["M0717"]),
        ("number of (players without Mafioso) is 4", &[]),
    ] {
        warns(&game("", "1", holds), told);
    }
    // Which of six cards four players have is known to nobody.
    warns(&game("spare 2\n", "3", "number of Mafia is at least 3"), &[]);
}

#[test]
fn a_rule_sets_itself_off_for_ever_where_nothing_it_asks_for_can_change() {
    for (when, told) in [
        ("", &["M0514"][..]),
        (" when wild is yes", &["M0514"]),
        (" when times Day is less than 3", &["M0514"]),
        (" when times Night is less than 3", &[]),
        (" when rounds is less than 3", &[]),
        (" when some hurt and wild is yes", &[]),
        (" when wild is yes and some hurt", &[]),
    ] {
        let rule = format!(
            "rule again: after Night{when} {{\n  add 1 to rounds\n  unmark players as hurt\n  play Night\n}}\n"
        );
        let game = "mark hurt\ncount rounds\noption wild: yes | no = yes \"wild\"\nscene Day {\n  wait\n}\n\
                    scene Night {\n  mark seat 1 as hurt\n  wait\n}\n\
                    script {\n  play Day\n  play Night\n  if wild is yes {\n    wait \"{hurt} {rounds}\"\n  }\n}\n";
        warns(&(rule + game), told);
    }
}

/// `CASE` is a condition about which something is to be told, `SET` is a set and `NUMBER` a number that
/// have it inside them.
#[test]
fn what_is_told_of_a_value_is_told_wherever_it_stands() {
    let statements = [
        "let x = CASE; if x { wait }",
        "let n = 2 when CASE else 3; if n is 2 { wait }",
        "if CASE { wait }",
        "if (CASE) { wait }",
        "if not (CASE) { wait }",
        "if some SET { wait }",
        "if no SET { wait }",
        "if NUMBER is 2 { wait }",
        "if dark and CASE { wait }",
        "if dark or CASE { wait }",
        "say \"{NUMBER}\"",
        "tell SET \"x\"",
        "wait \"{SET}\"",
        "show SET to seat 1",
        "mark SET as hurt",
        "unmark SET as hurt",
        "add NUMBER to hits",
        "set hits to NUMBER",
        "set dark to CASE",
        "set fouls of SET to 1",
        "link seat 1 to SET as near",
        "unlink SET as near",
        "do kill of SET",
        "plan kill of SET",
        "cancel kill of SET",
        "ask seat 1 for p from SET",
        "ask SET together for p from players",
        "draw p from SET",
        "draw n from 1..NUMBER",
        "for each p of SET { wait }",
        "win SET",
        "lose SET",
        "win Town when CASE",
        "play Noon of SET",
    ];
    for statement in statements {
        let body = statement
            .replace("NUMBER", "number of SET")
            .replace("SET", "(players where CASE)")
            .replace("CASE", "players is Town");
        let text = format!(
            "ruleset example\n{TEAMS}mark hurt\ncount hits\ncount fouls of each\nlink near\nflag dark\n\
             event kill of p {{\n  mark p as hurt\n}}\nscene Noon of ones {{\n  say \"{{ones}}\"\n}}\nscript {{\n  {body}\n}}\n"
        );
        let (sources, checked) = check(&text);
        let told = checked.diagnostics.iter().filter(|d| d.code.0 == "M0714").count();
        assert_eq!(told, 1, "{statement}\n{}", shown(&sources, &checked));
    }
}

#[test]
fn only_a_link_as_it_is_can_be_counted_out() {
    for (counted, told) in [
        ("vote", &[][..]),
        ("vote of (seat 1)", &[]),
        ("vote 2", &["M0314"]),
        ("players", &["M0314"]),
    ] {
        let script = format!(
            "script {{\n  link seat 1 to seat 2 as vote\n  tell (most of {counted}) \"x\"\n  wait\n}}\n"
        );
        warns(&("link vote\n".to_owned() + &script[..]), told);
    }
}

#[test]
fn a_word_that_is_about_something_needs_it() {
    for word in [
        "left",
        "right",
        "next",
        "first",
        "last",
        "neighbours",
        "highest",
        "lowest",
        "sum",
        "card",
        "roles",
        "words",
        "role",
        "team",
        "holder",
        "top",
        "most",
        "majority",
        "common",
        "tally",
        "copies",
    ] {
        warns(
            &format!("script {{\n  tell {word} \"x\"\n  wait\n}}\n"),
            &["M0307"],
        );
    }
}

#[test]
fn a_word_for_another_is_told_apart_from_what_is_no_word() {
    for (value, code) in [
        ("fogy", "M0304"),
        ("(fogy)", "M0304"),
        ("3", "M0305"),
        ("(number of players)", "M0305"),
    ] {
        let script = format!("script {{\n  set sky to {value}\n  wait \"{{sky}}\"\n}}\n");
        warns(
            &("word sky: clear | foggy = clear\n".to_owned() + &script[..]),
            &[code],
        );
    }
}

#[test]
fn of_words_none_is_more_than_another() {
    for (test, codes) in [
        ("sky is foggy", &[][..]),
        ("sky is not foggy", &[]),
        ("sky is exactly foggy", &[]),
        ("sky is at least foggy", &["M0301"]),
        ("sky is less than foggy", &["M0301"]),
        ("sky is half of foggy", &["M0301"]),
        ("tie is nobody", &[]),
        ("tie is more than nobody", &["M0306"]),
        ("lives is at least 2", &[]),
    ] {
        let text = format!(
            "word sky: clear | foggy = clear\noption tie: run-off | nobody = nobody \"a tie\"\noption lives: 1 | 2 = 1 \"lives\"\n\
             script {{\n  set sky to foggy\n  if tie is run-off {{ wait }}\n  if lives is 2 {{ wait }}\n  if {test} {{ wait }}\n  say \"{{sky}}\"\n}}\n"
        );
        warns(&text, codes);
    }
}

/// Every place of the language that wants a name of some sort, each with a name of every sort and with none that is
/// declared: what is told of it, and what to write instead.
#[test]
fn a_name_in_a_place_for_another_sort_is_told_what_it_is() {
    const DECLARED: &str = "ruleset sorts\nteam Hall\nclass Sly\nrole Guest of Hall\nmark hurt\nmark first-one one\ncount rounds\n\
        count fouls of each\nflag late\nlink knows\nlink loves one back loved\nlink dealt to roles\nword sky: clear | dark\n\
        text news\noption strict: yes | no = no \"strict\"\nzone box\nzone purse of each\ntoken Coin\ntoken Lamp is lit | dim\n\
        define rich = players\ndefine worth of p = 3\ndefine tired = no\nevent kill of p { nothing }\nevent bell { nothing }\n\
        hook wiser of p gives number \"why\" \"\"\"1\"\"\"\nscene Night { nothing }\nscene Trial of p { nothing }\nscene Round of role c { perform c }\n";
    const NAMES: [&str; 26] = [
        "Hall",
        "Sly",
        "Guest",
        "hurt",
        "first-one",
        "rounds",
        "fouls",
        "late",
        "knows",
        "loved",
        "dealt",
        "sky",
        "news",
        "strict",
        "box",
        "purse",
        "Coin",
        "lit",
        "rich",
        "worth",
        "tired",
        "kill",
        "bell",
        "wiser",
        "Night",
        "zebra",
    ];
    // What cards and those who hold them are, so that what is told of all of them stands together.
    const CARDS: [(&str, &str); 5] = [
        ("Hall", "a team"),
        ("Sly", "a class"),
        ("Guest", "a role"),
        ("Coin", "a token"),
        ("lit", "a face of a token"),
    ];
    const PLACES: [&str; 33] = [
        "play NAME",
        "do NAME of seat 1",
        "plan NAME of seat 1",
        "cancel NAME",
        "settle NAME",
        "call NAME",
        "perform NAME by seat 1",
        "leave NAME",
        "if during NAME { nothing }",
        "if times NAME is 1 { nothing }",
        "mark seat 1 as NAME",
        "unmark seat 1 as NAME",
        "link seat 1 to seat 2 as NAME",
        "unlink seat 1 as NAME",
        "set NAME to 3",
        "set NAME of seat 1 to 3",
        "set NAME to yes",
        "set NAME to \"x\"",
        "add 1 to NAME",
        "clear NAME",
        "put NAME in box",
        "move box to NAME",
        "move NAME to box",
        "flip Lamp to NAME",
        "turn seat 1 into NAME",
        "win NAME",
        "if NAME { nothing }",
        "if seat 1 is NAME { nothing }",
        "if some NAME { nothing }",
        "tell NAME \"x\"",
        "let x = NAME + 1",
        "let x = number of NAME of seat 1",
        "ask seat 1 for x from words of NAME",
    ];
    let mut page = String::new();
    for place in PLACES {
        // Names of which the same is told stand together.
        let mut told: Vec<(String, Vec<&str>)> = Vec::new();
        for name in NAMES {
            let statement = place.replace("NAME", name);
            let (_, checked) = check(&format!("{DECLARED}script {{\n  {statement}\n}}\n"));
            let errors = checked
                .diagnostics
                .iter()
                .filter(|found| found.severity == Severity::Error);
            let words = errors.map(|found| {
                let help = found.help.as_deref().unwrap_or_default();
                format!("\n    {} {}; {help}", found.code.0, found.message)
            });
            let words = words.collect::<String>().replace(&format!("`{name}"), "`NAME");
            let words = words
                .replace(&format!(" {name}`"), " NAME`")
                .replace(&format!(" {name} "), " NAME ");
            let sort = CARDS.iter().find(|(card, _)| *card == name);
            let words = sort.map_or(words.clone(), |(_, sort)| {
                words.replace(&format!("is {sort}, not"), "is CARD, not")
            });
            match told.iter_mut().find(|(known, _)| *known == words) {
                Some((_, names)) => names.push(name),
                None => told.push((words, vec![name])),
            }
        }
        page += &format!("{place}\n");
        for (words, names) in told {
            let words = if words.is_empty() {
                " may stand there"
            } else {
                &words
            };
            page += &format!("  {}:{words}\n", names.join(", "));
        }
    }
    insta::assert_snapshot!(page);
}

/// A word that stands for something by itself can be the name of no answer, lot, value or whoever a loop is about; one that
/// wants an `of` behind it can.
#[test]
fn a_word_that_means_something_by_itself_names_nothing_else() {
    const NONE: [&str; 16] = [
        "ability", "all", "called", "cast", "choice", "host", "it", "me", "nobody", "number", "others",
        "players", "that", "winner", "yes", "no",
    ];
    const SOME: [&str; 22] = [
        "card",
        "common",
        "copies",
        "first",
        "highest",
        "holder",
        "last",
        "left",
        "lowest",
        "majority",
        "most",
        "neighbours",
        "next",
        "place",
        "right",
        "role",
        "roles",
        "seat",
        "sum",
        "tally",
        "team",
        "top",
    ];
    for (words, allowed) in [(&NONE[..], false), (&SOME[..], true)] {
        for word in words {
            for statement in [
                format!("let {word} = seat 1; tell {word} \"x\""),
                format!("ask seat 1 for {word} from players; tell {word} \"x\""),
                format!("draw {word} from players; tell {word} \"x\""),
            ] {
                let (_, checked) = check(&format!("ruleset example\nscript {{ {statement} }}\n"));
                let first = checked.diagnostics.first().map(|found| found.code.0);
                let wanted = match *word {
                    _ if allowed => None,
                    "no" => Some("M0013"),
                    _ => Some("M0205"),
                };
                assert_eq!(first, wanted, "{statement}");
            }
            // What somebody is called who is handed over goes by the same rule.
            for declared in [
                format!("event hit of {word} {{ nothing }}\nscript {{ do hit of seat 1 }}\n"),
                format!("scene Trial of {word} {{ nothing }}\nscript {{ play Trial of seat 1 }}\n"),
                format!(
                    "event hit of p {{ nothing }}\nrule r: after hit of players as {word} {{ nothing }}\nscript {{ do hit of seat 1 }}\n"
                ),
            ] {
                let (_, checked) = check(&format!("ruleset example\n{declared}"));
                let is_told = codes(&checked)
                    .iter()
                    .any(|code| ["M0205", "M0013", "M0019"].contains(code));
                assert_eq!(is_told, !allowed, "{declared}: {:?}", codes(&checked));
            }
        }
    }
}

/// A clause of a definition knows whom it is about by its own name, and by that of no other clause.
#[test]
fn each_clause_of_a_definition_has_a_name_of_its_own() {
    let told = |clauses: &str, wanted: &[&str]| {
        let read = "script {\n  if worth of seat 1 is 3 { wait }\n  for each c of role of players { if rank of c is 3 { wait } }\n}\n";
        let both = format!("define worth of p = 3\ndefine rank of role c = 3\n{clauses}\n{read}");
        warns(&both, wanted);
    };
    told("add 1 to worth of p when p is Guard", &[]);
    told("add 1 to worth of q when q is Guard", &[]);
    told("add 1 to worth of q when p is Guard", &["M0201"]);
    told(
        "add 1 to worth of q when q is Guard\nraise worth of r to 2 when q is Guard",
        &["M0201"],
    );
    told("lower worth of q to place of p", &["M0201"]);
    told("add copies of d to rank of role d", &[]);
    told("add copies of c to rank of role d", &["M0201"]);
    told("define rank of Guard = copies of Guard", &[]);
    told("define rank of Guard = copies of c", &["M0201"]);
    told(
        "define rank of Guard = 2\nadd copies of c to rank of role d",
        &["M0201"],
    );
}

/// Behind a misspelt name of something of somebody, what can be read of somebody is meant, or what somebody may be; and
/// nothing else that is called nearly so.
#[test]
fn of_somebody_that_is_meant_which_can_be_read_of_somebody() {
    let read = |name: &str| format!("did you mean `{name}`?");
    let borne = |name: &str| {
        format!(
            "did you mean `{name}`? whether somebody is one of them is asked with `is`: `seat 1 is {name}`"
        )
    };
    let declare = |name: &str| {
        format!(
            "declare it, for instance with `link {name}`, `count {name} of each` or `define {name} of p = …`"
        )
    };
    for (name, told) in [
        ("knowss", read("knows")),
        ("votess", read("votes")),
        ("voterz", read("voters")),
        ("fouls1", read("fouls")),
        ("roomm", read("room")),
        ("wills", read("will")),
        ("worthy", read("worth")),
        ("wisser", read("wiser")),
        ("pursed", read("purse")),
        ("points", read("point")),
        ("bidss", read("bids")),
        ("plaze", read("place")),
        ("numbre", read("number")),
        ("hurtt", borne("hurt")),
        ("Gueste", borne("Guest")),
        ("Halls", borne("Hall")),
        ("chosenn", borne("chosen")),
        // What is there once, for all.
        ("roundz", declare("roundz")),
        ("laate", declare("laate")),
        ("skyy", declare("skyy")),
        ("newz", declare("newz")),
        ("richh", declare("richh")),
        ("boxx", declare("boxx")),
        ("luckyy", declare("luckyy")),
        ("Gamee", declare("Gamee")),
    ] {
        let text = format!(
            "ruleset example\nteam Hall\nrole Guest of Hall\nmark hurt\ncount fouls of each\ncount rounds\nflag late\n\
             link knows\nlink votes one back voters\nword room of each: inside | outside\nword sky: clear | dark\n\
             text will of each\ntext news\nzone purse of each\nzone box\ndefine rich = players\ndefine worth of p = 3\n\
             hook wiser of p gives number \"why\" \"\"\"1\"\"\"\nhook lucky gives number \"why\" \"\"\"1\"\"\"\nscript {{ play Game }}\nscene Game {{\n  \
             ask each players for point from players\n  ask each players for bids from 1..3\n  \
             ask host for chosen from players\n  draw coin from 1..2\n  say \"{{{name} of seat 1}}\"\n}}\n"
        );
        let (_, checked) = check(&text);
        let found = checked.diagnostics.first();
        let help = found.and_then(|found| found.help.clone());
        assert_eq!(
            help.as_deref(),
            Some(told.as_str()),
            "{name}: {:?}",
            codes(&checked)
        );
    }
}

#[test]
fn doubling_defines_and_rules_come_to_an_end() {
    let mut text = String::from("ruleset example\n");
    for i in 0..40 {
        text += &format!("define d{i} = d{} plus d{}\n", i + 1, i + 1);
    }
    text += "define d40 = players\nscript {\n  tell d0 \"x\"\n}\n";
    assert_eq!(codes(&check(&text).1), ["M0513"]);
    let mut text = String::from("ruleset example\n");
    for i in 0..40 {
        let next = format!("  say \"x\" as w{0}\n  say \"x\" as w{0}\n", i + 1);
        text += &format!("rule r{i}: after w{i} {{\n{next}}}\n");
    }
    text += "script {\n  say \"x\" as w0\n}\n";
    assert!(codes(&check(&text).1).contains(&"M0513"));
}
