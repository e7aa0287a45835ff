//! Scripts of hooks: what they read and give, what stops them, and where their mistakes are shown.

use omerta_check::{Request, check_ruleset};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::Ruleset,
    source::{Loaded, Loader, Sources, Span},
};
use omerta_engine::{FaultKind, Game, Hooks, Log, Pending, Silence};
use omerta_hooks::{Scripts, check_scripts, diagnose};
use omerta_play::{chance::Chance, deal, policy::Policy};
use std::{collections::BTreeMap, sync::Arc};

/// Texts by name: the one under test and the library.
struct Shelf(BTreeMap<String, String>);

impl Shelf {
    fn with(text: &str) -> Self {
        let table = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/std/table.mafia"));
        Shelf(
            [
                ("test".to_owned(), text.to_owned()),
                ("std.table".to_owned(), table.unwrap()),
            ]
            .into(),
        )
    }
}

impl Loader for Shelf {
    fn load(&self, path: &str) -> Option<Loaded> {
        let text = self.0.get(path)?.clone();
        Some(Loaded {
            name: format!("{path}.mafia"),
            text,
        })
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// The rules of a text that is sound but for its scripts.
#[track_caller]
fn rules(text: &str) -> (Sources, Ruleset) {
    let mut sources = Sources::default();
    let request = Request {
        root: "test",
        overlays: &[],
        options: &[],
    };
    let checked = check_ruleset(&mut sources, &Shelf::with(text), &request);
    assert!(checked.diagnostics.is_empty(), "{:#?}", checked.diagnostics);
    (sources, checked.rules.expect("sound rules"))
}

/// A game of four with every sort of fact, in which a hook `asked` is read after one day.
fn game_with(head: &str, script: &str) -> String {
    let uses = if head.contains("yes-or-no") {
        "if asked { say \"yes\" } else { say \"no\" }"
    } else if head.contains("gives number") {
        "set result to asked"
    } else {
        "mark asked as found"
    };
    let uses = if let Some((_, rest)) = head.split_once("of ") {
        let kind = rest.split(" gives").next().unwrap();
        let handed = match kind.split(' ').next().unwrap() {
            "number" => "asked of 7",
            "role" => "asked of Herder",
            "card" => "asked of (hand of seat 2)",
            _ => "asked of (seat 2)",
        };
        uses.replace("asked", handed)
    } else {
        uses.to_owned()
    };
    format!(
        "ruleset test \"Test\"
use std.table
publish fouls, quiet, asleep, named, off, likes, fond, result, found, motto, will, empty
players 4..6
cast {{
  players 4..6
  Herder 1
  Sheep rest
}}
team Meadow \"the meadow\"
role Herder \"the herder\" of Meadow
role Sheep \"a sheep\" of Meadow
mark asleep
mark named in order
mark found
flag off
count fouls of each = 2
count quiet = 5
count result
link likes
link fond to roles

hook asked {head} \"why\" \"\"\"{script}\"\"\"

script {{
  play Deal
  play Day
  judge
}}

scene Day {{
  mark seat 3 plus seat 1 as asleep
  mark seat 4 as named
  mark seat 2 as named
  set off to yes
  add 3 to fouls of seat 2
  link seat 1 to seat 2 plus seat 3 as likes
  link seat 1 to Sheep as fond
  set motto to \"All for one\"
  set will of seat 2 to \"mine\"
  link seat 2 to role Sheep plus Herder as fond
  {uses}
  wait
}}

ending over: draw when times Day is 1
text motto
text will of each
text empty
"
    )
}

/// A game of four after its first pauses: all cards dealt, the hook read.
fn played(text: &str, seats: u8, seed: u64) -> Game {
    let (_, rules) = rules(text);
    let scripts = Scripts::compile(&rules).expect("scripts that can be read");
    played_with(rules, scripts, seats, seed)
}

fn played_with(rules: Ruleset, scripts: Scripts, seats: u8, seed: u64) -> Game {
    let rules = Arc::new(rules);
    let cast = deal::from_table(&rules, None, usize::from(seats), Span::default()).expect("a cast");
    let mut game = Game::start(rules, Arc::new(scripts), seats, &cast, &mut Silence).expect("a game");
    let mut chance = Chance::of_seed(seed);
    for _ in 0..1_000 {
        let Some(choice) = Policy::default().choose(&game, &mut chance) else {
            break;
        };
        game.apply(choice, &mut Silence).expect("a legal answer");
    }
    game
}

fn seats_in(set: u64) -> Vec<u32> {
    (0..64)
        .filter(|seat| set >> seat & 1 == 1)
        .map(|seat| seat + 1)
        .collect()
}

fn fact(game: &Game, name: &str) -> u64 {
    let at = game
        .rules()
        .facts
        .iter()
        .position(|fact| fact.name == name)
        .expect("a fact");
    game.look().fact(omerta_core::rules::FactId(at as u16))
}

/// What a script gives for `gives players`.
#[track_caller]
fn gives(script: &str, expected: &[u32]) {
    let game = played(&game_with("gives players", script), 4, 1);
    assert!(matches!(game.pending(), Pending::Over(_)), "{:?}", game.pending());
    assert_eq!(seats_in(fact(&game, "found")), expected);
}

/// What a script gives for `gives number`.
#[track_caller]
fn counts(head: &str, script: &str, expected: i64) {
    let game = played(&game_with(head, script), 4, 1);
    assert!(matches!(game.pending(), Pending::Over(_)), "{:?}", game.pending());
    assert_eq!(fact(&game, "result") as i64, expected);
}

fn shown(sources: &Sources, found: &Diagnostic) -> String {
    let span = found.span();
    let place = sources.get(span.source).place(span.start as usize);
    format!(
        "{} {}:{} `{}` {}",
        found.code.0,
        place.line,
        place.column,
        sources.slice(span),
        found.message
    )
}

/// What `check_scripts` says of a script.
fn checked(head: &str, script: &str) -> Vec<String> {
    let (sources, rules) = rules(&game_with(head, script));
    check_scripts(&rules)
        .iter()
        .map(|found| shown(&sources, found))
        .collect()
}

/// What is said of a script by the check, or else in play; where nothing is, what came of it.
pub fn told(head: &str, script: &str) -> String {
    let text = game_with(head, &format!("{script} "));
    let (_, rules) = rules(&text);
    let words = |found: &Diagnostic| format!("{} {}", found.code.0, found.message);
    let said = match check_scripts(&rules).first() {
        Some(found) => words(found),
        None => {
            let game = played(&text, 4, 1);
            match game.pending() {
                Pending::Broken(fault) => words(&diagnose(&rules, &fault.kind).unwrap()),
                _ => {
                    let (found, result) = (fact(&game, "found"), fact(&game, "result"));
                    format!("found {:?}, result {result}", seats_in(found))
                }
            }
        }
    };
    let said = said.replace("the script of `asked` ", "it ");
    format!("{head}: {script}\n  {said}\n")
}

#[track_caller]
fn check_says(script: &str, expected: &str) {
    assert_eq!(checked("gives players", script), [expected]);
}

/// What play says of a script that check finds nothing wrong with.
#[track_caller]
fn play_says(head: &str, script: &str, expected: &str) {
    let text = game_with(head, script);
    let (sources, rules) = rules(&text);
    assert!(check_scripts(&rules).is_empty(), "{:?}", checked(head, script));
    let Pending::Broken(fault) = played(&text, 4, 1).pending() else {
        panic!("it went on")
    };
    let found = diagnose(&rules, &fault.kind).expect("a mistake of a script");
    assert_eq!(shown(&sources, &found), expected);
}

// ---- What a script reads and gives

#[test]
fn players_are_an_array_a_number_or_nobody() {
    gives("[4, 1, 4]", &[1, 4]);
    gives(" 3 ", &[3]);
    gives("()", &[]);
    gives("[]", &[]);
    gives("players()", &[1, 2, 3, 4]);
}

#[test]
fn every_sort_of_fact_can_be_read() {
    gives("members(\"asleep\")", &[1, 3]);
    gives("members(\"named\")[0]", &[4]);
    gives("members(\"Herder\").len() + members(\"Sheep\").len()", &[4]);
    gives("linked(\"likes\", 1)", &[2, 3]);
    gives("if linked(\"fond\", 1) == [\"Sheep\"] { 1 }", &[1]);
    gives("if linked(\"fond\", 2).len() == 2 { 1 }", &[1]);
    gives(
        "if \"Sheep\" in linked(\"fond\", 2) && \"Herder\" in linked(\"fond\", 2) { 2 }",
        &[2],
    );
    gives("if flag(\"off\") { 2 }", &[2]);
    gives(
        "players().filter(|seat| role(seat) == \"Herder\") == members(\"Herder\"); 1",
        &[1],
    );
    gives("players().filter(|seat| team(seat) == \"Meadow\")", &[1, 2, 3, 4]);
    gives("if during(\"Day\") { 4 }", &[4]);
    gives("if text(\"motto\") == \"All for one\" { 3 }", &[3]);
    gives(
        "if text(\"will\", 2) == \"mine\" && text(\"will\", 1) == () { 2 }",
        &[2],
    );
    gives("if text(\"empty\") == () { 1 }", &[1]);
    counts(
        "gives number",
        "number(\"fouls\", 2) * 10 + number(\"fouls\", 1)",
        52,
    );
    counts("gives number", "number(\"quiet\") + times(\"Day\") + seats()", 10);
    counts("gives number", "-3", -3);
}

/// Of somebody before whom two cards lie a script is told the role that is declared first, whichever he was dealt.
#[test]
fn of_two_cards_the_first_declared_is_the_role() {
    let of = |herder: u8| {
        let script = "if role(2) == \"Herder\" && members(\"Sheep\").contains(2) { 2 }";
        let text = game_with("gives players", script);
        let given = format!(
            "  move hand of Herder to hand of seat 2\n  move hand of seat {herder} to hand of seat 2\n"
        );
        let moved = text.replace("  set off to yes\n", &given);
        assert_ne!(moved, text);
        seats_in(fact(&played(&moved, 4, 1), "found"))
    };
    assert_eq!([1, 3, 4].map(of), [[2], [2], [2]]);
}

/// What a script gives when it is asked in the scene, and again when that is over.
#[test]
fn a_scene_runs_until_it_is_over() {
    let script = "(if during(\"Day\") { 10 } else { 0 }) + times(\"Day\")";
    let text = game_with("gives number", script);
    counts("gives number", script, 11);
    let later = text.replace(
        "  play Day\n  judge",
        "  play Day\n  set result to asked\n  judge",
    );
    assert_ne!(later, text);
    assert_eq!(fact(&played(&later, 4, 1), "result"), 1);
    let before = text
        .replace("  {uses}", "")
        .replace("  play Day\n  judge", "  set quiet to asked\n  play Day\n  judge");
    assert_eq!(fact(&played(&before, 4, 1), "quiet"), 0);
}

#[test]
fn an_argument_has_its_name() {
    counts("of the-seat gives number", "the_seat[0]", 2);
    counts("of number n gives number", "n * n", 49);
    counts("of role c gives number", "if c == \"Herder\" { 1 } else { 0 }", 1);
}

#[test]
fn a_script_that_gives_yes_or_no_decides_a_condition() {
    let game = game_with("gives yes-or-no", "number(\"quiet\") == 5");
    assert!(matches!(played(&game, 4, 1).pending(), Pending::Over(_)));
}

#[test]
fn a_fact_that_only_a_script_reads_is_not_reported() {
    let text = game_with("gives players", "members(\"asleep\")").replace("asleep, named", "named");
    rules(&text);
}

/// Whether a game in which these lines stand breaks by its script, and only with that.
#[track_caller]
fn breaks(head: &str, lines: &str) {
    let text = |script: &str| {
        format!(
            "ruleset test \"Test\"
use std.table
players 4
cast {{
  players 4
  Sheep   4
}}
team Meadow \"the meadow\"
role Sheep \"a sheep\" of Meadow
hook asked gives yes-or-no \"why\" \"\"\"{script}\"\"\"
{head}
script {{
  play Deal
  play Day
  judge
}}
scene Day {{
  {lines}
  wait
}}
ending over: draw when times Day is 1
"
        )
    };
    let sound = played(&text("true"), 4, 1);
    assert!(
        matches!(sound.pending(), Pending::Over(_)),
        "{:?}",
        sound.pending()
    );
    let Pending::Broken(fault) = played(&text("throw \"no\";"), 4, 1).pending() else {
        panic!("it went on in silence")
    };
    assert!(matches!(fault.kind, FaultKind::Hook { .. }), "{fault:?}");
}

/// What a script is asked once more has to be asked where things move or are turned: it fails from `set off to yes` on. With what is
/// done then, and what stands before; whether it breaks there.
#[test]
fn who_sees_it_is_asked_where_cards_come_from_and_go_to_and_where_they_are_turned() {
    const SEEN: &str = "token Coin is heads | tails // allow not-dealt\ntoken Pen // allow not-dealt\nzone box seen by living where asked\nzone shelf seen by players\nzone rack seen by nobody";
    let rows = [
        ("put heads in box", "flip Coin to tails", true),
        ("put heads in shelf", "flip Coin to tails", false),
        (
            "put heads in box; flip Coin to tails",
            "flip Coin to tails",
            false,
        ),
        ("put heads in box", "move 1 from box to shelf", true),
        ("put heads in shelf", "move 1 from shelf to box", true),
        ("put heads in shelf", "move 1 from box to shelf", false),
        ("put heads in shelf; put Pen in box", "swap shelf and box", true),
        ("put heads in shelf; put Pen in box", "swap box and shelf", true),
        ("put heads in shelf", "swap shelf and box", true),
        ("put heads in shelf", "swap box and shelf", true),
        ("put heads in box", "swap shelf and box", true),
        ("put heads in box", "swap box and shelf", true),
        ("put heads in shelf; put Pen in box", "swap shelf and rack", false),
        ("put Pen in rack", "swap shelf and box", false),
        ("put heads in box", "swap box and box", false),
    ];
    let mut otherwise = Vec::new();
    for (before, deed, breaks) in rows {
        let text = game_with("gives yes-or-no", "if flag(\"off\") { throw \"no\"; } true")
            .replace("if asked { say \"yes\" } else { say \"no\" }", "")
            .replace(
                "set off to yes",
                &format!("{}\n  set off to yes\n  {deed}", before.replace("; ", "\n  ")),
            )
            .replace("flag off", &format!("flag off\n{SEEN}"))
            .replace(
                "publish ",
                "// allow-file never-read\n// allow-file zone-unused\npublish ",
            );
        let broke = matches!(played(&text, 4, 1).pending(), Pending::Broken(_));
        if broke != breaks {
            otherwise.push((before, deed, broke));
        }
    }
    assert!(otherwise.is_empty(), "{otherwise:#?}");
}

/// The same of a card that is turned into another where it lies before somebody, of one of several, and of nobody's.
#[test]
fn who_sees_a_card_is_asked_where_it_becomes_another() {
    let table = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/std/table.mafia"));
    let (_, table) = table
        .unwrap()
        .split_once("publish")
        .map(|(_, rest)| ((), rest.to_owned()))
        .unwrap();
    let (_, table) = table.split_once('\n').unwrap();
    for (seen, deed, breaks) in [
        ("living where asked", "turn seat 2 into Sheep", true),
        ("living where asked", "turn seat 1 plus seat 4 into Herder", true),
        ("living where asked", "turn nobody into Sheep", false),
        ("owner", "turn seat 2 into Sheep", false),
    ] {
        let text = game_with("gives yes-or-no", "if flag(\"off\") { throw \"no\"; } true")
            .replace("use std.table\n", "")
            .replace("if asked { say \"yes\" } else { say \"no\" }", "")
            .replace("set off to yes", &format!("set off to yes\n  {deed}"))
            .replace(
                "publish ",
                "// allow-file never-read\n// allow-file unused\npublish asked, Deal, departure, reveal, ",
            )
            + table
                .replace("seen by owner", &format!("seen by {seen}"))
                .as_str();
        let broke = matches!(played(&text, 4, 1).pending(), Pending::Broken(_));
        assert_eq!(broke, breaks, "{seen}: {deed}");
    }
}

/// All who stand under a mark that keeps its order, in that order: the last marked too.
#[test]
fn three_in_order_are_read_in_order() {
    let script = "let m = members(\"named\"); if m == [4, 1, 2] { m }";
    let text = game_with("gives players", script);
    let marked = text.replace(
        "  mark seat 2 as named",
        "  mark seat 1 as named\n  mark seat 2 as named",
    );
    assert_ne!(marked, text);
    assert_eq!(seats_in(fact(&played(&marked, 4, 1), "found")), [1, 2, 4]);
}

#[test]
fn a_script_that_fails_where_people_look_breaks_the_game_too() {
    let shout = "{ say \"Oh!\" }";
    breaks(&format!("allow living to shout when asked {shout}"), "");
    breaks(&format!("allow host to shout when asked {shout}"), "");
    breaks(&format!("allow living where asked to shout {shout}"), "");
    breaks(
        &format!("allow living to shout p from living where asked {shout}"),
        "",
    );
    let zone = "zone box seen by living where asked";
    breaks(zone, "move hand of seat 1 to box");
    breaks(
        zone,
        "swap hand of seat 1 and hand of seat 2\n  move hand of seat 1 to box",
    );
    breaks("", "say \"{living where asked}\"");
    breaks("", "wait \"{living where asked}\"");
}

#[test]
fn a_cast_that_a_script_fails_on_is_refused_for_that() {
    let text = game_with("gives yes-or-no", "throw \"no\";") + "require good: asked \"a good table\"\n";
    let (_, rules) = rules(&text);
    let scripts: Arc<dyn Hooks> = Arc::new(Scripts::compile(&rules).expect("scripts that can be read"));
    let cast = deal::from_table(&rules, None, 4, Span::default()).expect("a cast");
    let found = deal::check(&rules, &scripts, &cast, 4, Span::default());
    let [problem] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(problem.code.0, "M0943");
    assert!(problem.message.contains("gave up with `no`"), "{problem:?}");
}

// ---- Scripts that cannot be read

#[test]
fn a_script_that_cannot_be_read_is_shown_at_its_own_line() {
    check_says(
        "\n  let a = 1;\n  let b = (a;\n  b\n",
        "M0801 25:13 `;` the script of `asked` cannot be read: a `)` is missing",
    );
    check_says(
        "\n  // Ж in front\n  /* Ж */ nobody\n",
        "M0801 25:11 `nobody` the script of `asked` cannot be read: no variable is called `nobody`",
    );
    let found = checked("of seat-of gives number", " seat_fo[0]");
    assert_eq!(
        found,
        [
            "M0801 23:46 `seat_fo` the script of `asked` cannot be read: no variable is called `seat_fo`; did you mean `seat_of`?"
        ]
    );
}

#[test]
fn an_argument_needs_a_name_that_a_script_can_write() {
    let found = checked("of місце gives number", "1");
    assert!(found[0].starts_with("M0801 "), "{found:?}");
    let found = checked("of fn gives number", "1");
    assert!(found[0].starts_with("M0801 "), "{found:?}");
}

#[test]
fn a_script_reaches_no_file_clock_or_chance() {
    for script in [
        "eval(\"1\")",
        "import \"a\" as b; 1",
        "print(1)",
        "debug(1)",
        "export 1",
    ] {
        let found = checked("gives players", script);
        assert!(
            found.len() == 1 && found[0].starts_with("M0801 "),
            "{script}: {found:?}"
        );
    }
    for script in [
        "sleep(5)",
        "timestamp()",
        "rand()",
        "open_file(\"a\")",
        "exit()",
        "parse_json(\"1\")",
    ] {
        let text = game_with("gives players", script);
        let (_, rules) = rules(&text);
        let Pending::Broken(fault) = played(&text, 4, 1).pending() else {
            panic!("{script} is there")
        };
        let found = diagnose(&rules, &fault.kind).expect("a mistake");
        assert!(
            found.message.contains("no function is called"),
            "{script}: {}",
            found.message
        );
    }
    for script in ["let a = 1.5; 1", "1 / 2.0", "1e3"] {
        let found = checked("gives players", script);
        assert!(
            found.len() == 1 && found[0].starts_with("M0801 "),
            "{script}: {found:?}"
        );
    }
}

// ---- Scripts that go wrong

/// A face of a token is nobody's: it is not proposed where members are meant.
#[test]
fn faces_are_not_proposed_as_members() {
    let text = game_with("gives players", "members(\"glem\")");
    let text = text.replace(
        "team Meadow",
        "token Lamp is gleam | dim // allow not-dealt\nteam Meadow",
    );
    let (_, rules) = rules(&text);
    let told: Vec<String> = check_scripts(&rules)
        .into_iter()
        .map(|found| found.message)
        .collect();
    let why = "no mark, role, team, class or token is called `glem`; what a `define` gives, a script is handed as its argument";
    assert_eq!(told, [format!("the script of `asked` failed: {why}")]);
}

#[test]
fn an_unknown_name_is_found_by_the_check() {
    check_says(
        "\n  members(\"aslep\")\n",
        "M0802 24:3 `members` the script of `asked` failed: no mark, role, team, class or token is called `aslep`; did you mean `asleep`?",
    );
    check_says(
        "members(\"living\")",
        "M0802 23:35 `members` the script of `asked` failed: no mark, role, team, class or token is called `living`; \
         what a `define` gives, a script is handed as its argument",
    );
    check_says(
        "number(\"asleep\", 1)",
        "M0802 23:35 `number` the script of `asked` failed: `asleep` is a mark: read it as `members(\"asleep\")`",
    );
    check_says(
        "times(\"day\")",
        "M0802 23:35 `times` the script of `asked` failed: no scene is called `day`; did you mean `Day`?",
    );
    check_says(
        "fn far(s) {\n  memers(\"asleep\")\n}\nfar(1)",
        "M0802 24:3 `memers` the script of `asked` failed: no function is called `memers`; did you mean `members`?",
    );
}

#[test]
fn a_script_is_tried_at_a_table_with_somebody_of_each_role_and_team() {
    for (name, somebody) in [
        ("Herder", true),
        ("Sheep", true),
        ("Meadow", true),
        ("asleep", false),
    ] {
        let slip = format!("if !members(\"{name}\").is_empty() {{ members(\"nowhere\") }}");
        assert_eq!(!checked("gives players", &slip).is_empty(), somebody, "{name}");
    }
}

#[test]
fn a_script_is_tried_with_every_number_as_it_starts() {
    for (number, starts) in [
        ("number(\"quiet\")", 5),
        ("number(\"fouls\", 4)", 2),
        ("number(\"result\")", 0),
    ] {
        for value in 0..7 {
            let slip = format!("if {number} == {value} {{ members(\"nowhere\") }}; 1");
            assert_eq!(
                !checked("gives number", &slip).is_empty(),
                value == starts,
                "{number} {value}"
            );
        }
    }
}

/// What no table can mend is seen in the text, also where no run comes by.
#[test]
fn a_script_that_can_never_work_is_told_by_its_text() {
    let unread = |rest: &str| format!("M0801 24:{rest}");
    let divided = |rest: &str| format!("M0802 24:{rest}");
    let aside = "\nif times(\"Day\") > 9 { return 3; } ";
    let rows = [
        (
            format!("{aside}if times(\"Day\") > 3 {{ memers(\"out\") }} 1"),
            unread(
                "57 `memers` the script of `asked` cannot be read: no function is called `memers`; did you mean `members`?",
            ),
        ),
        // A backslash before a backslash does not keep a text open.
        (
            format!("{aside}let t = \"\\\\\"; if times(\"Day\") > 3 {{ memers(t) }} 1"),
            unread(
                "71 `memers` the script of `asked` cannot be read: no function is called `memers`; did you mean `members`?",
            ),
        ),
        (
            format!("{aside}if times(\"Day\") > 3 {{ frobnicate(1) }} 1"),
            unread(
                "57 `frobnicate` the script of `asked` cannot be read: no function is called `frobnicate`",
            ),
        ),
        (
            format!("{aside}if times(\"Day\") > 3 {{ players().shufle() }} 1"),
            unread("67 `shufle` the script of `asked` cannot be read: no function is called `shufle`"),
        ),
        (
            format!("{aside}if times(\"Day\") > 3 {{ 1 / 0 }} 1"),
            divided("59 `/` the script of `asked` failed: it divides by 0"),
        ),
        (
            format!("{aside}let a = 1; if times(\"Day\") > 3 {{ a %= 00 }} 1"),
            divided("70 `%` the script of `asked` failed: it divides by 0"),
        ),
    ];
    for (script, told) in rows {
        assert_eq!(checked("gives players", &script), [told], "{script}");
    }
    for script in [" ", "\n  // nothing\n", "/* a /* b */ c */", "{ ; }"] {
        for (head, wanted) in [
            (
                "gives players",
                "an array of seat numbers, one number, or `()` for nobody",
            ),
            ("gives number", "a whole number"),
            ("gives yes-or-no", "`true` or `false`"),
        ] {
            let told = checked(head, script);
            let words = format!("gave the wrong thing: it is empty: it gave nothing, and must give {wanted}");
            assert!(
                told.len() == 1 && told[0].starts_with("M0803 ") && told[0].ends_with(&words),
                "{told:?}"
            );
        }
    }
}

#[test]
fn what_may_work_is_not_told_of_by_its_text() {
    for script in [
        "fn far(s) { s + 1 } far(1)",
        "let near = |s| s + 1; near.call(1)",
        "let m = #{far: |s| s}; if times(\"Day\") > 9 { m.far(1) } 1",
        "let text = \"memers(1) / 0\"; // memers(1) / 0\n text.len() / 20",
        "let text = \"\\\" memers(1) / 0\"; text.len() / 20",
        "let c = '\\''; let text = \" memers(1) / 0\"; text.len() / 20",
        "let text = #\"\" memers(1) / 0\"#; text.len() / 20",
        "/* memers(1) / 0 */ 10 / 5",
        "let zero = 0; if zero != 0 { 1 / zero } else { 1 % 10 }",
        "for s in 0..3 { if (s) > 5 { return (s); } } 1",
        "let n = 0; while (n) < 3 { n += 1; } n / 01",
        "let a = [3, 1]; a.sort(); a.reduce(|sum, x| sum + x, 0)",
        "let t = `memers(1)`; t.len() / 100 + 1",
        "switch (2) { 2 => 1, _ => 2 }",
        "let c = 'x'; if c.to_upper() == 'X' { 1 } else { 2 }",
        "type_of(1) == \"i64\"; is_def_fn(\"far\", 1); 1",
    ] {
        let told = checked("gives number", script);
        assert!(told.is_empty(), "{script}: {told:?}");
    }
}

/// However many there are and however long they take.
#[test]
fn many_long_scripts_are_tried_in_bounded_steps() {
    let long = game_with("gives number", " loop { } ");
    let more: String = (0..60)
        .map(|n| format!("hook more{n} gives number \"why\" \"\"\" loop {{ }} \"\"\"\n"))
        .collect();
    let (_, rules) = rules(&long.replace(
        "\nscript {",
        &format!(
                "\n{more}\nscript {{\n  set result to {}",
                (0..60)
                    .map(|n| format!("more{n}"))
                    .collect::<Vec<_>>()
                    .join(" + ")
            ),
    ));
    let told = check_scripts(&rules);
    assert!((2..10).contains(&told.len()), "{}", told.len());
    let longest = format!("{}1", " ".repeat((1 << 14) - 1));
    assert!(checked("gives number", &longest).is_empty());
    let told = checked("gives number", &format!(" {longest}"));
    assert!(
        told.len() == 1 && told[0].contains("it is longer than 16384 bytes"),
        "{told:?}"
    );
}

/// What holds much is read in more steps than what holds little.
#[test]
fn steps_are_counted_by_what_is_read() {
    let script = |members: usize| {
        format!("let a = []; a.pad({members}, 0); for i in 0..4000 {{ a; a; a; a; }} a.len()")
    };
    assert!(checked("gives number", &script(8)).is_empty());
    let told = checked("gives number", &script(250));
    assert!(told.len() == 1 && told[0].contains("100000 steps"), "{told:?}");
    let text = |doubled: usize| {
        format!(
            "let t = \"x\"; for i in 0..{doubled} {{ t += t; }} for i in 0..4000 {{ t; t; t; t; }} t.len()"
        )
    };
    assert!(checked("gives number", &text(4)).is_empty());
    let told = checked("gives number", &text(12));
    assert!(told.len() == 1 && told[0].contains("100000 steps"), "{told:?}");
}

/// What a function is given beforehand is held as well, and counted where it is held within itself.
#[test]
fn what_a_function_is_given_beforehand_has_its_bounds() {
    let script = |given: &str, times: usize| {
        format!("let a = []; a.pad(200, 0); let c = |x| x; for i in 0..{times} {{ c = c.curry({given}); }} 1")
    };
    for given in ["a", "c", "i"] {
        assert!(checked("gives number", &script(given, 4)).is_empty(), "{given}");
        let told = checked("gives number", &script(given, 4_000));
        assert!(
            told.len() == 1 && told[0].contains("a list grew too large"),
            "{given}: {told:?}"
        );
    }
}

/// Nothing a script does is waited for: a closure in the way of its own variable fails at once, caught or not.
#[test]
fn a_script_in_its_own_way_fails_at_once() {
    let script = "let a = [0]; let b = |x| a.len(); let n = 0; \
                  while n < 2000 { n += 1; try { a.map(b); } catch { } } n";
    let begun = std::time::Instant::now();
    counts("gives number", script, 2_000);
    // A list that holds itself has no end.
    let told = checked(
        "gives number",
        "let a = [0]; let b = || a; a[0] = b; try { a[0].call(); } catch { } 1",
    );
    assert!(
        told.len() == 1 && told[0].contains("a list grew too large"),
        "{told:?}"
    );
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// What says of two members which stands first need not be an order: it is no mistake of the program then.
#[test]
fn lists_are_sorted_by_whatever_says_which_comes_first() {
    for (script, sorted) in [
        ("[3, 1, 2, 5, 4].order(|x, y| x - y)", 12345),
        ("[3, 1, 2, 5, 4].order_by(|x, y| x > y)", 54321),
        (
            "let a = [3, 1, 2, 5, 4]; a.sort(|x, y| if x % 2 != y % 2 { x % 2 - y % 2 } else { x - y }); a",
            24135,
        ),
        (
            "let a = [31, 12, 22, 11, 32]; a.sort_by(|x, y| x % 10 - y % 10); a.map(|n| n / 10)",
            31123,
        ),
        ("let a = []; a.sort(|x, y| x - y); a", 0),
    ] {
        counts(
            "gives number",
            &format!("let l = {{ {script} }}; let n = 0; for d in l {{ n = n * 10 + d; }} n"),
            sorted,
        );
    }
    let endless = "let a = []; for i in 0..200 { a.push(i); } let k = 0; \
                   a.sort(|x, y| { k += 1; if k % 3 == 0 { 1 } else { -1 } }); a.len()";
    counts("gives number", endless, 200);
    assert_eq!(
        told("gives number", "[2, 1].order(|x, y| \"first\").len()")
            .lines()
            .nth(1),
        Some("  M0802 it failed: to sort takes a number or yes-or-no for two members")
    );
}

/// Once a run is stopped no script goes on.
#[test]
fn a_script_ends_where_the_run_is_stopped() {
    let text = game_with("gives number", "if times(\"Day\") > 0 { loop { } } 1");
    let (_, rules) = rules(&text);
    let scripts = Scripts::compile(&rules).unwrap();
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
    scripts.heed(&stop);
    let game = played_with(rules, scripts, 4, 1);
    assert!(
        matches!(game.pending(), Pending::Broken(_)),
        "{:?}",
        game.pending()
    );
}

#[test]
fn what_hangs_on_the_table_fails_in_play_at_its_line() {
    let grown = "if members(\"asleep\").is_empty() { return 1; }";
    play_says(
        "gives players",
        &format!("\n{grown}\nplayers()[9]\n"),
        "M0802 25:11 `9` the script of `asked` failed: there is no member 9 in an array of 4; members count from 0",
    );
    play_says(
        "gives players",
        &format!("{grown}\n role(5)"),
        "M0802 24:2 `role` the script of `asked` failed: there is no seat 5; the seats of this table are 1 to 4",
    );
    play_says(
        "gives players",
        &format!("{grown}\n throw \"lost\\nhere\";"),
        "M0802 24:2 `throw` the script of `asked` failed: it gave up with `lost here`",
    );
    play_says(
        "gives number",
        "\n number(\"quiet\") / (number(\"quiet\") - 5)\n",
        "M0802 24:18 `/` the script of `asked` failed: division by zero: 5 / 0",
    );
}

#[test]
fn an_answer_of_the_wrong_kind_is_refused() {
    check_says(
        "\n  let a = 1;\n  \"Ann\"\n",
        "M0803 25:3 `\"Ann\"` the script of `asked` gave the wrong thing: it gave a text, and must give an array of seat \
         numbers, one number, or `()` for nobody",
    );
    check_says(
        "[1, true]",
        "M0803 23:35 `[1, true]` the script of `asked` gave the wrong thing: it gave an array with `true` in it, where \
         only numbers of seats may be",
    );
    assert!(checked("gives number", "true")[0].starts_with("M0803 "));
    assert!(checked("gives yes-or-no", "1")[0].starts_with("M0803 "));
    play_says(
        "gives players",
        "[5]",
        "M0803 23:35 `[5]` the script of `asked` gave the wrong thing: it gave seat 5, and the seats of this table are 1 to 4",
    );
}

/// Each by the check, or else in play; what is wrong is told in words of the rules.
#[test]
fn every_slip_of_a_script_has_its_words() {
    let scripts: &[(&str, &str)] = &[
        ("gives players", "number(\"asleep\")"),
        ("gives players", "number(\"off\")"),
        ("gives players", "number(\"likes\")"),
        ("gives players", "number(\"fouls\")"),
        ("gives players", "number(\"quiet\", 1)"),
        ("gives players", "number(\"quite\")"),
        ("gives players", "number(\"foul\", 1)"),
        ("gives players", "flag(\"quiet\")"),
        ("gives players", "flag(\"of\")"),
        ("gives players", "linked(\"named\", 1)"),
        ("gives players", "linked(\"like\", 1)"),
        ("gives players", "linked(\"fouls\", 1)"),
        ("gives players", "members(\"off\")"),
        ("gives players", "text(\"mottos\")"),
        ("gives players", "text(\"motto\", 1)"),
        ("gives players", "text(\"will\")"),
        ("gives players", "text(\"will\", 5)"),
        ("gives players", "text(\"fouls\")"),
        ("gives players", "number(\"motto\")"),
        ("gives players", "flag(\"will\")"),
        ("gives players", "role(0)"),
        ("gives players", "role(-1)"),
        ("gives players", "()"),
        ("gives players", "0"),
        ("gives players", "4"),
        ("gives players", "[1, ()]"),
        ("gives players", "[\"Ann\"]"),
        ("gives players", "'a'"),
        ("gives players", "#{a: 1}"),
        ("gives players", "1..3"),
        ("gives players", "1..=3"),
        ("gives players", "|n| n"),
        ("gives players", "[][0]"),
        ("gives players", "[1][-2]"),
        ("gives players", "for n in 5 { } 1"),
        ("gives players", "if 1 { 2 } else { 3 }"),
        ("gives players", "let a = 1; a.len()"),
        ("gives players", "let a = 1; a.size"),
        ("gives players", "1 + \"a\".len"),
        ("gives players", "players() + true"),
        ("gives players", "unknown"),
        ("of n gives players", "nn"),
        ("gives players", "throw 5"),
        ("gives players", "throw"),
        ("gives players", "1.5"),
        ("gives players", "let x ="),
        ("gives players", "(1"),
        ("gives players", "eval(\"1\")"),
        ("gives players", "import \"a\" as a; 1"),
        ("gives number", "\"one\""),
        ("gives number", "()"),
        ("gives number", "[1]"),
        ("gives yes-or-no", "players()"),
        ("gives yes-or-no", "()"),
        ("of number n gives number", "n + 1"),
        ("of role c gives number", "if c == \"Herder\" { 1 } else { 0 }"),
        ("of p gives number", "p[0]"),
        ("of card c gives number", "c.len()"),
        ("gives players", "let match = 1; match"),
        ("gives players", "spawn(1)"),
        ("gives players", "let all = players(); if all { 1 } else { 2 }"),
        ("gives players", "let n = players().len(); for one in n { } 1"),
        ("gives players", "let m = #{a: 1}; m.a.b"),
        ("gives players", "fn again(n) { again(n) } again(1)"),
        ("gives players", "loop { }"),
        ("gives players", "let a = []; a[0]"),
        ("gives players", "players()[9]"),
        ("gives players", "-players()"),
        ("gives players", "return"),
        ("gives players", "break"),
        ("gives players", "let a = 1; let a = 2; a()"),
    ];
    insta::assert_snapshot!(
        scripts
            .iter()
            .map(|(head, script)| told(head, script))
            .collect::<String>()
    );
}

// ---- Limits

#[test]
fn every_limit_stops_a_hostile_script() {
    let hostile = [
        ("\nloop { }", "100000 steps"),
        ("\nwhile true { let a = 1; }", "100000 steps"),
        ("\nfor i in 0..9000000000 { }\n1", "100000 steps"),
        ("\nfn deep(n) { deep(n + 1) } deep(0)", "too deeply"),
        ("\nlet s = \"aaaa\"; loop { s += s; }", "too large"),
        ("\nlet a = [1]; loop { a = [a, a]; }", "too large"),
        ("\nlet a = [1]; loop { a += a; }", "too large"),
        ("\nlet a = []; a.pad(1000000000, 0); a", "too large"),
        ("\nlet s = \"\"; s.pad(1000000000, 'a'); 1", "too large"),
        (
            "\nlet m = #{}; let i = 0; loop { m[i.to_string()] = i; i += 1; }",
            "too large",
        ),
        (
            "\nlet m = #{a: #{}}; let i = 0; loop { m.a[i.to_string()] = i; i += 1; }",
            "too large",
        ),
        (
            "\nlet a = []; for i in 0..250 { a.push(i); } loop { a.map(|x| x); }",
            "100000 steps",
        ),
        (
            "\nlet s = \"a\"; s.pad(4000, 'a'); s.replace(\"a\", s); 1",
            "too large",
        ),
        ("\ntry { loop { } } catch { } 1", "100000 steps"),
        ("\nlet f = |g| g.call(g); f.call(f)", "too deeply"),
        (
            "\nlet m = #{a: 1}; let i = 0; loop { m[`k${i}`] = m; i += 1; }",
            "too large",
        ),
        ("\nlet m = #{a: 1}; loop { m.a = m; m.b = m; }", "too large"),
        ("\nlet a = [0, 0]; loop { a[0] = a; a[1] = a; }", "too large"),
        ("\nlet a = [0]; loop { a.push(a); }", "too large"),
        ("\nlet a = [0]; loop { a.insert(0, a); }", "too large"),
        (
            "\nlet m = #{a: 1}; loop { let n = m; m.set(\"b\", n); m.set(\"a\", n); }",
            "too large",
        ),
        ("\nlet m = #{a: 1}; loop { m = #{a: m, b: m}; }", "too large"),
        ("\nlet s = \"a\"; loop { s = `${s}${s}`; }", "too large"),
        (
            "\nlet a = [0, 0]; for i in 0..60 { for x in 0..2 { a[x] = a; } } 1",
            "too large",
        ),
    ];
    for (script, why) in hostile {
        let found = checked("gives players", script);
        assert!(
            found.len() == 1 && found[0].starts_with("M0804 24:"),
            "{script}: {found:?}"
        );
        assert!(found[0].contains(why), "{script}: {found:?}");
    }
}

#[test]
fn what_is_too_much_to_read_is_refused_at_once() {
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    let many: String = (0..17).map(|n| format!("fn f{n}() {{ 1 }}\n")).collect();
    let long = format!("\"{}\" ", "a".repeat(5_000));
    let blocks = format!("{}1{}", "{".repeat(5_000), "}".repeat(5_000));
    for script in [deep, many, long, blocks] {
        let found = checked("gives players", &script);
        assert!(found.len() == 1 && found[0].starts_with("M0804 "), "{found:?}");
    }
    let variables: String = (0..70).map(|n| format!("let v{n} = {n};\n")).collect();
    let found = checked("gives players", &format!("{variables} 1"));
    assert!(
        found.len() == 1 && found[0].contains("too many variables"),
        "{found:?}"
    );
}

#[test]
fn rules_that_ask_a_script_over_and_over_are_stopped() {
    let text = game_with("gives number", "1").replace(
        "set result to asked",
        "// allow endless-loop\n  repeat { add asked to result }",
    );
    let Pending::Broken(fault) = played(&text, 4, 1).pending() else {
        panic!("it went on")
    };
    assert_eq!(fault.kind, FaultKind::Endless);
}

/// Some long scripts are as endless as many short ones: each is within its own bound.
#[test]
fn long_scripts_are_bounded_together() {
    let script = "for i in 0..20000 { } 1";
    let asked = |times: usize| {
        let often = vec!["set result to asked"; times].join("\n  ");
        let text = game_with("gives number", script).replace("set result to asked", &often);
        played(&text, 4, 1).pending()
    };
    assert!(!matches!(asked(2), Pending::Broken(_)));
    let Pending::Broken(fault) = asked(12) else {
        panic!("it went on")
    };
    assert_eq!(fault.kind, FaultKind::Endless);
}

#[test]
fn a_number_too_large_is_a_failure_and_not_another_number() {
    for script in ["9223372036854775807 + number(\"quiet\")", "2 ** 64", "1 / 0"] {
        let text = game_with("gives number", script);
        let Pending::Broken(fault) = played(&text, 4, 1).pending() else {
            panic!("{script} went on")
        };
        assert!(matches!(fault.kind, FaultKind::Hook { .. }));
    }
}

// ---- The same answers, the same game

#[test]
fn scripts_can_be_shared_between_threads_and_always_say_the_same() {
    fn shared<T: Send + Sync>(_: &T) {}
    let (_, rules) = rules(&game_with("gives players", "let m = #{b: 3, a: 1}; m.values()"));
    let scripts = Scripts::compile(&rules).unwrap();
    shared(&scripts);
    let scripts: Arc<dyn Hooks> = Arc::new(scripts);
    let rules = Arc::new(rules);
    let play = || {
        let cast = deal::from_table(&rules, None, 5, Span::default()).unwrap();
        let mut log = Log::default();
        let mut game = Game::start(rules.clone(), scripts.clone(), 5, &cast, &mut log).unwrap();
        let mut chance = Chance::of_seed(9);
        while let Some(choice) = Policy::default().choose(&game, &mut chance) {
            game.apply(choice, &mut log).unwrap();
        }
        (log.events, game.state().clone())
    };
    let first = play();
    let others: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(play)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        others
            .into_iter()
            .all(|other| other.0 == first.0 && other.1 == first.1)
    );
}

// ---- The pages

/// The blocks of a page between fences of this kind.
fn fenced(page: &str, kind: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{}/docs/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let opening = format!("```{kind}\n");
    text.split(opening.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or("").to_owned())
        .collect()
}

#[test]
fn the_examples_of_the_book_pass_the_check_and_play() {
    let examples = fenced("book/hooks.md", "mafia");
    assert_eq!(examples.len(), 3);
    for text in examples {
        let (_, rules) = rules(&text);
        assert_eq!(check_scripts(&rules), []);
        for seats in rules.seats.0..=rules.seats.1 {
            for seed in 0..5 {
                let game = played(&text, seats, seed);
                assert!(
                    matches!(game.pending(), Pending::Over(_)),
                    "{}: {:?}",
                    rules.name,
                    game.pending()
                );
            }
        }
    }
}

#[test]
fn a_script_finds_whose_number_is_nearest() {
    let text = &fenced("book/hooks.md", "mafia")[0];
    let game = played(text, 5, 3);
    let guess = game
        .rules()
        .facts
        .iter()
        .position(|fact| fact.name == "guess")
        .unwrap();
    let of = |seat| {
        game.look()
            .fact_of(omerta_core::rules::FactId(guess as u16), seat) as i64
    };
    let sum: i64 = (0..5).map(of).sum();
    let distance = |seat| (15 * of(seat) - 2 * sum).abs();
    let least = (0..5).map(distance).min().unwrap();
    let Pending::Over(outcome) = game.pending() else {
        panic!("it goes on")
    };
    let expected: u64 = (0..5)
        .filter(|seat| distance(*seat) == least)
        .map(|seat| 1 << seat)
        .sum();
    assert_eq!(outcome.winners, expected);
}

#[test]
fn every_page_and_fixture_shows_its_mistake() {
    for code in ["M0801", "M0802", "M0803", "M0804"] {
        let page = format!("errors/{code}.md");
        let mut wrong = fenced(&page, "mafia-error");
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errors")).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with(code) {
                wrong.push(std::fs::read_to_string(path).unwrap());
            }
        }
        assert_eq!(wrong.len(), 2, "{code}");
        for text in wrong {
            let found: Vec<_> = check_scripts(&rules(&text).1)
                .iter()
                .map(|found| found.code.0)
                .collect();
            assert_eq!(found, [code]);
        }
        for text in fenced(&page, "mafia") {
            assert_eq!(check_scripts(&rules(&text).1), []);
        }
    }
}
