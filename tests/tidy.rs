//! What Clippy cannot see: the walls between the rooms, no game in `src/`, codes with their pages.
//!
//! Each list of exceptions may only get shorter: an entry that is no longer needed fails as well.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, each a crate of its own, with what it may stand on: rooms first, then crates of others. The
/// compiler holds a room to its manifest, and this table the manifests. `faces` stands on all of them.
const ROOMS: &[(&str, &[&str], &[&str])] = &[
    ("core", &[], &["serde", "strsim"]),
    (
        "syntax",
        &["core"],
        &["pest", "pest_derive", "serde", "unicode-normalization"],
    ),
    ("engine", &["core"], &["serde"]),
    ("check", &["core", "syntax"], &[]),
    ("hooks", &["core", "engine"], &["rhai"]),
    (
        "play",
        &["core", "syntax", "engine"],
        &["rand_core", "rand_pcg", "serde", "serde_json"],
    ),
    ("exact", &["core", "engine", "play"], &["num-bigint"]),
    (
        "workbench",
        &["core", "syntax", "engine", "check", "hooks", "play"],
        &["anyhow", "include_dir", "serde_json"],
    ),
    (
        "measure",
        &["core", "syntax", "engine", "check", "hooks", "play", "workbench"],
        &["anyhow", "serde", "serde_json"],
    ),
    (
        "book",
        &["core", "syntax", "engine", "check", "play", "workbench"],
        &["similar"],
    ),
    (
        "lsp",
        &["core", "syntax", "check", "play", "workbench", "book", "measure"],
        &["gen-lsp-types", "lsp-server", "serde", "serde_json", "similar"],
    ),
];

/// What only faces may name: terminals, arguments, processes.
const ONLY_FACES: &[&str] = &[
    "clap",
    "clap_complete",
    "indicatif",
    "miette",
    "rand",
    "rustyline",
    "signal-hook",
    "terminal_size",
    "textwrap",
];

/// Files below faces that may lift a wall, each for the reason it gives.
const MAY_LIFT: &[&str] = &[
    // Texts are read from files, and written.
    "src/workbench/bundle.rs",
    "src/workbench/files.rs",
    "src/workbench/runner/watch.rs",
    // A limit of time is the host's.
    "src/measure/deep/mod.rs",
    "src/measure/sim/run.rs",
    // An interval is proven by rounding outward.
    "src/exact/number.rs",
    // An estimate is no part of a game.
    "src/measure/sim/counted.rs",
    "src/measure/sim/data.rs",
    "src/measure/sim/share.rs",
    "src/api/simulate.rs",
];

/// Names of a ruleset that are also words of the implementation, with the reason. Only shrinks.
const NAMES_THAT_MAY_STAND: &[(&str, &str)] = &[
    // The definition by which rules say who acts in a call; libraries bring one along.
    ("circle", "a word of the language"),
];

/// Codes that neither a page nor a file in `tests/errors/` shows, with what tests them. Only shrinks.
const CODES_WITHOUT_FIXTURE: &[&str] = &[
    // A file of more than a mebibyte is made in `tests/syntax.rs`.
    "M0001", // A scenario's unknown card is M0921 before it comes to this.
    "M0913", // A warning, which fails no scenario; `tests/play/deal.rs` looks for it.
    "M0919",
];

/// Codes that no text on a page can show. Only shrinks.
///
/// Those of M0001 and M0003 are too long, M0913 is M0921 in a scenario, M0919 is a warning and fails no scenario.
const NOT_ON_A_PAGE: &[&str] = &["M0001", "M0003", "M0913", "M0919"];

/// Grammar rules without a word about them. Only shrinks.
const UNDOCUMENTED_RULES: &[&str] = &[
    "item",
    "block",
    "statement",
    "if_else",
    "else_part",
    "mark",
    "unmark",
];

/// What a file uses although it is used by that in turn, by way of others or not, with the reason. Only shrinks.
const CIRCLES: &[(&str, &str)] = &[];

/// Lints that stand for a wall: lifted only at the head of a file in `src/faces/` or of one in `MAY_LIFT`.
const WALLS: &[&str] = &[
    "disallowed_methods",
    "disallowed_types",
    "float_arithmetic",
    "iter_over_hash_type",
    "print_stderr",
    "print_stdout",
    "unwrap_used",
    "wildcard_imports",
];

#[test]
fn rooms_stand_on_what_the_table_allows() {
    let mut faults = Vec::new();
    for (room, rooms, crates) in ROOMS {
        let named = dependencies(&format!("src/{room}/Cargo.toml"));
        let allowed = rooms.iter().map(|room| format!("omerta-{room}"));
        let allowed: BTreeSet<String> = allowed
            .chain(crates.iter().map(|name| (*name).to_owned()))
            .collect();
        for name in named.symmetric_difference(&allowed) {
            faults.push(format!(
                "src/{room}/Cargo.toml: `{name}` stands either there or in ROOMS; both say what the room stands on"
            ));
        }
        for name in crates.iter().filter(|name| ONLY_FACES.contains(name)) {
            faults.push(format!(
                "tests/tidy.rs: `{name}` belongs to faces, not to `{room}`"
            ));
        }
    }
    let all = ROOMS.iter().flat_map(|(_, _, crates)| *crates).chain(ONLY_FACES);
    let known: BTreeSet<&str> = all.copied().collect();
    for name in dependencies("Cargo.toml") {
        let room = name.strip_prefix("omerta-");
        if !known.contains(&*name) && room.is_none_or(|room| ROOMS.iter().all(|(known, ..)| *known != room)) {
            faults.push(format!(
                "Cargo.toml: say in ROOMS or ONLY_FACES who may name `{name}`"
            ));
        }
    }
    for file in rust_files("src") {
        let room = room_of(&file.name);
        if room.is_some_and(|room| {
            room != "faces" && room != "api" && ROOMS.iter().all(|(known, ..)| *known != room)
        }) {
            faults.push(format!("{}: it lies in no room of ROOMS", file.name));
        }
    }
    assert_no_faults(&faults);
}

/// The package for Python has lints of its own, for numbers of Python are no whole ones; of the language's it has ours.
#[test]
fn the_package_for_python_forbids_what_the_program_forbids() {
    let rust = |manifest: &str, table: &str| section(&read(manifest), table).trim().to_owned();
    assert_eq!(
        rust("python/Cargo.toml", "\n[lints.rust]"),
        rust("Cargo.toml", "\n[workspace.lints.rust]"),
        "python/Cargo.toml: [lints.rust] is the workspace's"
    );
}

/// What a manifest names under `[dependencies]`.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let text = read(manifest);
    let lines = section(&text, "\n[dependencies]").lines();
    let lines = lines.filter(|line| line.contains('=') && !line.starts_with('#'));
    let name = |line: &str| line.split(['=', '.', ' ']).next().unwrap().to_owned();
    lines.map(name).collect()
}

#[test]
fn files_of_a_room_use_one_another_one_way() {
    let is_room = |file: &File| {
        ROOMS
            .iter()
            .any(|(room, ..)| room_of(&file.name).as_deref() == Some(*room))
    };
    let (_, outermost): (Vec<File>, Vec<File>) = rust_files("src").into_iter().partition(is_room);
    let mut uses = uses_of(outermost, "src/");
    for (room, ..) in ROOMS {
        let folder = format!("src/{room}/");
        uses.append(&mut uses_of(rust_files(&folder), &folder));
    }
    let allowed: BTreeSet<Use> = { CIRCLES.iter() }
        .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
        .collect();
    let mut faults: Vec<String> = in_circles(&uses - &allowed)
        .into_iter()
        .map(|(from, to)| format!("{from}: it uses {to}, which uses it in turn; cut the circle"))
        .collect();
    for one in &allowed {
        let others: BTreeSet<Use> = allowed.iter().filter(|other| *other != one).cloned().collect();
        if !uses.contains(one) || in_circles(&uses - &others).is_empty() {
            faults.push(format!("tests/tidy.rs: strike {one:?} from CIRCLES"));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn circles_are_found_by_any_way_of_naming_a_file() {
    let files = [
        ("lib.rs", "mod a; mod b; pub use b::{Deep, deep as low};"),
        ("a/mod.rs", "mod c; fn f() { c::g() }"),
        (
            "a/c.rs",
            "use crate::{Deep, low}; use super::super::b::{self, deep,};",
        ),
        ("b.rs", "// use crate::a;\nfn deep() -> &str { \"crate::a\" }"),
    ];
    let file = |(name, text): (&str, &str)| File {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let found = uses_of(files.map(file).into(), "");
    let plain = [("a/mod.rs", "a/c.rs"), ("a/c.rs", "b.rs"), ("lib.rs", "b.rs")];
    let owned = |(from, to): (&str, &str)| (from.to_owned(), to.to_owned());
    assert_eq!(found, plain.map(owned).into());
    assert!(in_circles(found.clone()).is_empty());
    let back = ("b.rs", "a/mod.rs");
    assert_eq!(
        in_circles(&found | &[owned(back)].into()),
        [plain[0], plain[1], back].map(owned).into()
    );
}

/// A file and one that it uses.
type Use = (String, String);

/// What files of one crate use of one another; their modules are counted from `root`.
fn uses_of(files: Vec<File>, root: &str) -> BTreeSet<Use> {
    let module = |file: &File| {
        let name = file.name.strip_prefix(root).unwrap().trim_end_matches(".rs");
        let mut path: Vec<String> = name.split('/').map(str::to_owned).collect();
        path.pop_if(|last| *last == "mod" || *last == "lib");
        path
    };
    let read: BTreeMap<Vec<String>, (String, Vec<Named>)> = files
        .iter()
        .map(|file| (module(file), (file.name.clone(), named_paths(&file.text))))
        .collect();
    let mut found = BTreeSet::new();
    for (at, (name, paths)) in &read {
        for path in paths {
            let mut target = absolute(at, &path.path, &read);
            // What a file only hands on is used where it comes from.
            while let Some((file, rest)) = target.take() {
                let exports = |named: &&Named| named.exported && Some(&named.name) == rest.first();
                let handed = read[&file].1.iter().find(exports);
                let further = handed.and_then(|named| absolute(&file, &named.path, &read));
                match further.filter(|(further, _)| *further != file && file != *at) {
                    Some(further) => target = Some(further),
                    None if file != *at => drop(found.insert((name.clone(), read[&file].0.clone()))),
                    None => {}
                }
            }
        }
    }
    found
}

/// A path as it stands in a file.
struct Named {
    path: Vec<String>,
    /// The name it goes by there.
    name: String,
    exported: bool,
}

/// The module that a path of another leads to, and what comes behind it; nothing for one of another crate.
fn absolute<T>(
    at: &[String],
    path: &[String],
    read: &BTreeMap<Vec<String>, T>,
) -> Option<(Vec<String>, Vec<String>)> {
    let supers = path.iter().take_while(|word| *word == "super").count();
    let mut whole = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => at.to_vec(),
        "super" => at[..at.len().checked_sub(supers)?].to_vec(),
        child => Some(at.to_vec()).filter(|_| read.contains_key(&[at, &[child.to_owned()]].concat()))?,
    };
    whole.extend(
        path.iter()
            .skip(supers)
            .filter(|word| *word != "crate" && *word != "self")
            .cloned(),
    );
    let length = (0..=whole.len())
        .rev()
        .find(|length| read.contains_key(&whole[..*length]))?;
    let rest = whole.split_off(length);
    Some((whole, rest))
}

/// Uses each of which is part of a circle, or leads from one to another.
fn in_circles(mut uses: BTreeSet<Use>) -> BTreeSet<Use> {
    loop {
        let before = uses.len();
        let (using, used): (BTreeSet<_>, BTreeSet<_>) = uses.iter().cloned().unzip();
        uses.retain(|(from, to)| used.contains(from) && using.contains(to));
        if uses.len() == before {
            return uses;
        }
    }
}

/// All paths of a text, those of `use` written out.
fn named_paths(text: &str) -> Vec<Named> {
    let code = without_comments_and_texts(text).replace("::", "§");
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let apart = |c: char| if part(c) { vec![c] } else { vec![' ', c, ' '] };
    let spaced: String = code.chars().flat_map(apart).collect();
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let (mut named, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let exported = at > 0 && matches!(tokens[at - 1], "pub" | ")");
        at += 1;
        if tokens[at - 1] == "use" && tokens.get(at) != Some(&"<") {
            add_tree(&tokens, &mut at, Vec::new(), exported, &mut named);
        } else if tokens[at - 1].starts_with(part) && tokens.get(at) == Some(&"§") {
            let pieces = tokens[at - 1..].chunks(2);
            let pieces = pieces.take_while(|piece| piece[0].starts_with(part));
            let length = 1 + { pieces.clone() }
                .take_while(|piece| piece.get(1) == Some(&"§"))
                .count();
            let path: Vec<String> = pieces.take(length).map(|piece| piece[0].to_owned()).collect();
            at += 2 * path.len() - 1;
            named.push(Named {
                name: String::new(),
                path,
                exported: false,
            });
        }
    }
    named
}

/// The paths of a tree behind `use`, up to where it ends.
fn add_tree(tokens: &[&str], at: &mut usize, mut path: Vec<String>, exported: bool, named: &mut Vec<Named>) {
    while !matches!(tokens[*at], "}" | "," | ";") {
        match tokens[*at] {
            "{" => {
                while tokens[*at] != "}" {
                    *at += 1;
                    if tokens[*at] != "}" {
                        add_tree(tokens, at, path.clone(), exported, named);
                    }
                }
                *at += 1;
                return;
            }
            "as" => break,
            "§" | "self" if !path.is_empty() => {}
            word => path.push(word.to_owned()),
        }
        *at += 1;
    }
    let alias = tokens[*at] == "as";
    *at += if alias { 2 } else { 0 };
    if let Some(last) = path.last() {
        let name = if alias {
            tokens[*at - 1].to_owned()
        } else {
            last.clone()
        };
        named.push(Named { path, name, exported });
    }
}

/// The library and the program are built without tests of their own (see `Cargo.toml`).
#[test]
fn all_tests_stand_in_tests() {
    let with_tests = |file: &File| file.text.contains("#[test]") || file.text.contains("cfg(test)");
    let faults: Vec<String> = rust_files("src")
        .into_iter()
        .filter(with_tests)
        .map(|file| file.name)
        .collect();
    assert!(
        faults.is_empty(),
        "nobody runs the tests in {}; move them to tests/",
        faults.join(", ")
    );
}

#[test]
fn only_faces_lift_walls_and_only_at_the_head_of_a_file() {
    let mut faults = Vec::new();
    for file in rust_files("src") {
        let code = without_comments_and_texts(&file.text);
        let head = code
            .lines()
            .position(is_code_after_the_head)
            .unwrap_or(usize::MAX);
        for (index, line) in code.lines().enumerate() {
            let Some(wall) = WALLS
                .iter()
                .find(|wall| line.contains(&format!("clippy::{wall}")))
            else {
                continue;
            };
            let place = format!("{}:{}", file.name, index + 1);
            if !file.name.starts_with("src/faces/") && !MAY_LIFT.contains(&file.name.as_str()) {
                faults.push(format!(
                    "{place}: `{wall}` may be lifted in src/faces/ and MAY_LIFT only; move the code there"
                ));
            } else if index >= head {
                faults.push(format!(
                    "{place}: lift `{wall}` with `#![expect(…, reason = …)]` under the `//!` lines"
                ));
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn the_engine_knows_no_game() {
    let (mut names, mut scenes) = (BTreeSet::new(), BTreeSet::new());
    // What `omerta new` begins with is a ruleset, too.
    let holds_rules = |name: &str| name.ends_with(".mafia") || name.ends_with(".mafia.in");
    for file in files("rulesets").iter().filter(|file| holds_rules(&file.name)) {
        names.extend(declared_names(&file.text));
        scenes.extend(declared_scenes(&file.text));
    }
    let mut faults = Vec::new();
    let mut standing = BTreeSet::new();
    for file in rust_files("src") {
        let texts = only_texts(&file.text);
        // What the library shows to programmers names a ruleset they can try.
        let shown = |line: &str| {
            file.name.starts_with("src/api/") || file.name == "src/lib.rs" && line.starts_with("//!")
        };
        for (index, (line, text)) in file.text.lines().zip(texts.lines()).enumerate() {
            if shown(line) && line.starts_with("//") {
                continue;
            }
            let named = standing_in(line, &names);
            for name in named.chain(standing_in(text, &scenes)) {
                standing.insert(name.as_str());
                if NAMES_THAT_MAY_STAND.iter().all(|(known, _)| known != name) {
                    let place = format!("{}:{}", file.name, index + 1);
                    faults.push(format!(
                        "{place}: `{name}` is a ruleset's name; say it in the language, not in src/"
                    ));
                }
            }
        }
    }
    if !names.is_empty() {
        for (name, _) in NAMES_THAT_MAY_STAND
            .iter()
            .filter(|(name, _)| !standing.contains(name))
        {
            faults.push(format!(
                "tests/tidy.rs: strike `{name}` from NAMES_THAT_MAY_STAND, it stands nowhere"
            ));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn names_are_read_out_of_rulesets() {
    let text = "scene Dusk {\nruleset city \"City\"\n  role Doctor of Town\nteam Mafia \"the Mafia\"\n// role Ghost\n\
                scene night-fall {\n  play Vote\n}\noverlay mayor on city {\nrole Ревизор\n";
    let names = declared_names(text);
    assert_eq!(
        names,
        ["Doctor", "Mafia", "city", "mayor", "Ревизор"]
            .map(String::from)
            .into()
    );
    assert_eq!(declared_scenes(text), ["Dusk".to_string()].into());
    assert_eq!(
        only_texts("say(Dusk, \"Dusk\", '\"'); // Dusk\nr#\"Dusk\"#"),
        "          \"Dusk\"               \nr#\"Dusk\"#"
    );
    let stands_in = |line, name: &str| standing_in(line, &BTreeSet::from([name.to_owned()])).count() > 0;
    assert!(stands_in("/// such as Doctor.", "Doctor") && stands_in("Role::Mafia", "Mafia"));
    assert!(!stands_in("DoctorId", "Doctor") && !stands_in("a_Doctor", "Doctor"));
    assert!(stands_in("load(\"city\")", "city") && !stands_in("a city of many", "city"));
}

/// What depends on a code reads its name or its class.
#[test]
fn no_code_is_looked_for_by_its_letters() {
    let compares = ["==", "!=", "matches!", "match ", "starts_with", "contains"];
    let mut faults = Vec::new();
    for file in rust_files("src") {
        let lines = file.text.lines().filter(|line| line.contains(".code.0"));
        let found = lines.filter(|line| compares.iter().any(|sign| line.contains(sign)));
        faults.extend(found.map(|line| format!("{}: {}", file.name, line.trim())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_code_has_a_page_and_a_fixture() {
    let used: BTreeSet<String> = rust_files("src")
        .iter()
        .flat_map(|file| codes_in_quotes(&file.text))
        .collect();
    let pages = files("docs/errors");
    let paged: BTreeSet<String> = pages.iter().filter_map(|file| leading_code(&file.name)).collect();
    // A file in `tests/errors/`, or the wrong text of a page: `tests/syntax.rs`, `tests/errors.rs` and
    // `tests/docs.rs` see to it that each raises its code.
    let fixed: BTreeSet<String> = files("tests/errors")
        .iter()
        .filter(|file| file.name.ends_with(".mafia") || file.name.ends_with(".play"))
        .chain(pages.iter().filter(|page| wrong_text(&page.text).is_some()))
        .filter_map(|file| leading_code(&file.name))
        .collect();
    let mut faults = Vec::new();
    for code in used.difference(&paged) {
        faults.push(format!("src uses {code}: write its page docs/errors/{code}.md"));
    }
    for code in paged.difference(&used) {
        faults.push(format!(
            "docs/errors/{code}.md: nothing in src raises {code}; remove the page"
        ));
    }
    for code in fixed.difference(&used) {
        faults.push(format!(
            "tests/errors/{code}*: nothing in src raises {code}; remove the fixture"
        ));
    }
    for code in used
        .difference(&fixed)
        .filter(|code| !CODES_WITHOUT_FIXTURE.contains(&code.as_str()))
    {
        faults.push(format!(
            "src uses {code}: write a fixture tests/errors/{code}-FACT.mafia (or .play)"
        ));
    }
    for code in CODES_WITHOUT_FIXTURE
        .iter()
        .filter(|code| !used.contains(**code) || fixed.contains(**code))
    {
        faults.push(format!("tests/tidy.rs: strike {code} from CODES_WITHOUT_FIXTURE"));
    }
    for file in pages.iter().filter(|file| leading_code(&file.name).is_some()) {
        let code = leading_code(&file.name).unwrap();
        if !file.text.starts_with(&format!("# {code}: ")) {
            faults.push(format!(
                "{}: the first line is `# {code}: ` and a title",
                file.name
            ));
        }
        let (wrong, right) = (wrong_text(&file.text), right_text(&file.text));
        let hidden = NOT_ON_A_PAGE.contains(&code.as_str());
        if hidden && wrong.is_some() {
            faults.push(format!("tests/tidy.rs: strike {code} from NOT_ON_A_PAGE"));
        }
        if right.is_none() || !hidden && (wrong.is_none() || wrong > right) {
            faults.push(format!(
                "{}: show a wrong text (`mafia-error`), then the right one (`mafia`)",
                file.name
            ));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn each_source_file_says_what_it_is() {
    let mut faults = Vec::new();
    for file in rust_files("src")
        .into_iter()
        .chain(rust_files("tests"))
        .chain(rust_files("benches"))
    {
        if !file.text.starts_with("//! ") {
            faults.push(format!("{}: begin with `//!` and what the file owns", file.name));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn nothing_is_left_for_later() {
    // Cut in two, so that this file passes its own test.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("db", "g!("),
    ];
    let mut faults = Vec::new();
    for folder in ["src", "tests", "benches", "grammar", "rulesets", "docs"] {
        for file in files(folder) {
            for (index, line) in file.text.lines().enumerate() {
                if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                    faults.push(format!("{}:{}: `{word}`: do it or drop it", file.name, index + 1));
                }
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn no_file_names_a_machine() {
    let paths = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
    ];
    let mut faults = Vec::new();
    for file in files(".") {
        for (index, line) in file.text.lines().enumerate() {
            for path in paths {
                let at = line.find(path);
                let alone =
                    |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/~".contains(c));
                if at.is_some_and(alone) {
                    faults.push(format!(
                        "{}:{}: `{path}` is a place on one machine",
                        file.name,
                        index + 1
                    ));
                }
            }
        }
    }
    assert_no_faults(&faults);
}

/// The page about the language lists every warning of the check by the name that silences it.
#[test]
fn every_warning_has_its_row() {
    let page = read("docs/reference/language.md");
    let mut faults = Vec::new();
    for file in rust_files("src") {
        for (_, rest) in
            { file.text.match_indices("= warning \"") }.map(|(at, head)| file.text[at..].split_at(head.len()))
        {
            let Some((name, rest)) = rest.split_once('"') else {
                continue;
            };
            let code = rest
                .trim_start()
                .trim_start_matches("(\"")
                .get(..5)
                .unwrap_or_default();
            // Those of M09 are told by scenarios and deep checks, which have pages of their own.
            if !code.starts_with("M09") && !page.contains(&format!("| `{name}` | {code} |")) {
                faults.push(format!(
                    "docs/reference/language.md: `{name}`, {code}, has no row among the warnings"
                ));
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn every_grammar_rule_is_documented() {
    let mut faults = Vec::new();
    let mut silent = BTreeSet::new();
    for file in files("grammar")
        .iter()
        .filter(|file| file.name.ends_with(".pest"))
    {
        // A comment speaks for the rules below it up to a blank line; a heading for its whole part,
        // if the part is one of words or signs, which speak for themselves.
        let (mut spoken, mut plain) = (false, false);
        for (index, line) in file.text.lines().enumerate() {
            if line.starts_with("// --") {
                plain = ["Signs", "Words", "Keywords"]
                    .iter()
                    .any(|title| line.contains(title));
            } else if line.starts_with("//") && !line.starts_with("//!") {
                spoken = true;
            } else if line.trim().is_empty() {
                spoken = false;
            } else if let Some(name) = grammar_rule(line).filter(|_| !spoken && !plain) {
                silent.insert(name.to_string());
                if !UNDOCUMENTED_RULES.contains(&name) {
                    let place = format!("{}:{}", file.name, index + 1);
                    faults.push(format!(
                        "{place}: put a `///` line with an example above the rule `{name}`"
                    ));
                }
            }
        }
    }
    for name in UNDOCUMENTED_RULES.iter().filter(|name| !silent.contains(**name)) {
        faults.push(format!("tests/tidy.rs: strike `{name}` from UNDOCUMENTED_RULES"));
    }
    assert_no_faults(&faults);
}

// ---- Reading ------------------------------------------------------------------------------------

/// A file of the repository, by its name from the root.
#[test]
fn every_bundled_role_tells_its_player_what_it_is() {
    let mut faults = Vec::new();
    let rules = files("rulesets");
    for file in rules.iter().filter(|file| file.name.ends_with(".mafia")) {
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            let told = index > 0 && lines[index - 1].starts_with("/// ");
            if line.starts_with("role ") && !told {
                faults.push(format!(
                    "{}:{}: put a `///` sentence for the player above the role",
                    file.name,
                    index + 1
                ));
            }
        }
    }
    assert_no_faults(&faults);
}

struct File {
    name: String,
    text: String,
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn rust_files(folder: &str) -> Vec<File> {
    files(folder)
        .into_iter()
        .filter(|file| file.name.ends_with(".rs"))
        .collect()
}

/// All text files under a folder in the order of their names; none when there is no such folder.
fn files(folder: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let built = path.file_name().is_some_and(|name| {
                matches!(name.to_str(), Some("target" | ".git" | "node_modules" | "dist"))
            });
            if path.is_dir() && !built {
                folders.push(path);
            } else if let Some(text) = fs::read_to_string(&path).ok().filter(|_| !built) {
                found.push(File {
                    name: relative(&path, root),
                    text,
                });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn relative(path: &Path, root: &Path) -> String {
    let path: PathBuf = path.strip_prefix(root).unwrap().components().collect();
    path.to_string_lossy()
        .replace('\\', "/")
        .trim_start_matches("./")
        .to_string()
}

#[track_caller]
fn assert_no_faults(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// `syntax` for `src/syntax/tree.rs`; nothing for the two files that only list rooms or call one.
fn room_of(name: &str) -> Option<String> {
    let room = name
        .strip_prefix("src/")?
        .split('/')
        .next()?
        .trim_end_matches(".rs");
    (room != "lib" && room != "main").then(|| room.to_string())
}

/// The part of a manifest from a heading to the next.
fn section<'a>(manifest: &'a str, heading: &str) -> &'a str {
    let body = &manifest[manifest.find(heading).unwrap() + heading.len()..];
    body.find("\n[").map_or(body, |end| &body[..end])
}

/// A line that ends a file's head: neither blank nor part of an inner attribute.
fn is_code_after_the_head(line: &str) -> bool {
    line.starts_with("use ")
        || line.starts_with("pub ")
        || line.starts_with("mod ")
        || line.starts_with("fn ")
}

/// The text with comments and the insides of quoted texts blanked, line for line.
fn without_comments_and_texts(text: &str) -> String {
    blanked(text, |_| true, false)
}

/// The text with all but the quoted texts blanked, line for line.
fn only_texts(text: &str) -> String {
    blanked(text, |piece| piece.starts_with(['/', '\'']), true)
}

/// Blanks the comments, texts and quoted letters that `hides` picks, and the code on demand.
fn blanked(text: &str, hides: impl Fn(&str) -> bool, code: bool) -> String {
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest).unwrap_or(0);
        let (piece, after) = rest.split_at(length.max(first.len_utf8()));
        if if length == 0 { code } else { hides(piece) } {
            out.extend(piece.chars().map(blank));
        } else {
            out.push_str(piece);
        }
        rest = after;
    }
    out
}

/// How long the comment, text or quoted letter is that begins here.
fn skipped(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    if let Some(raw) = rest.strip_prefix("r").filter(|raw| raw.starts_with(['#', '"'])) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(
            body.find(&end)
                .map_or(rest.len(), |at| 1 + hashes + 1 + at + end.len()),
        );
    }
    let quote = rest.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let mut escaped = false;
    let body = rest.char_indices().skip(1);
    for (at, letter) in body {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return Some(at + 1),
            // `'a` is a lifetime, not a letter.
            _ if quote == '\'' && at > 1 && !rest.starts_with("'\\") => return None,
            _ => {}
        }
    }
    None
}

fn leading_word(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

/// Scenes a ruleset declares. `Deal` and `Verdict` are words of the implementation as well, so they
/// must not stand in the program's texts only.
fn declared_scenes(text: &str) -> BTreeSet<String> {
    let scene = |line: &str| Some(leading_word(line.trim_start().strip_prefix("scene ")?).to_string());
    let scenes = text.lines().filter_map(scene);
    scenes
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect()
}

/// Names a ruleset declares that must not stand in the program: names with a capital of roles,
/// teams, classes and tokens, names of files, and what a library defines.
fn declared_names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let is_library = text.lines().any(|line| line.starts_with("library "));
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(keyword), Some(name)) = (words.next(), words.next()) else {
            continue;
        };
        let end = name
            .find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
            .unwrap_or(name.len());
        let name = &name[..end];
        let capital = name.starts_with(char::is_uppercase);
        match keyword {
            "role" | "team" | "class" | "token" if capital => names.insert(name.to_string()),
            "ruleset" | "overlay" if !name.is_empty() => names.insert(name.to_string()),
            "define" if is_library => names.insert(name.to_string()),
            _ => false,
        };
    }
    names
}

/// The names that stand in a line as words; one without a capital only as a quoted text, for otherwise it is an
/// English word.
fn standing_in<'n>(line: &str, names: &'n BTreeSet<String>) -> impl Iterator<Item = &'n String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words = line.split(move |letter| !is_part(letter));
    let words = words.filter(|word| word.starts_with(char::is_uppercase));
    let in_parts = { names.iter() }.filter(|name| name.contains('-') && line.contains(name.as_str()));
    let whole = words.chain(line.split('"')).filter_map(|word| names.get(word));
    let mut found: Vec<&String> = whole.chain(in_parts).collect();
    found.retain(|name| name.starts_with(char::is_uppercase) || line.contains(&format!("\"{name}\"")));
    found.sort();
    found.dedup();
    found.into_iter()
}

/// Codes that stand as a text of their own, as they do where they are raised.
fn codes_in_quotes(text: &str) -> Vec<String> {
    let quoted = text
        .match_indices("\"M")
        .filter(|(at, _)| text.get(at + 6..).is_some_and(|rest| rest.starts_with('"')));
    quoted
        .filter_map(|(at, _)| leading_code(&text[at + 1..at + 6]))
        .collect()
}

/// `M0203` for `docs/errors/M0203.md` and `tests/errors/M0203-unknown-role.mafia`.
fn leading_code(name: &str) -> Option<String> {
    let code = name.rsplit('/').next()?.get(..5)?;
    let digits = code.strip_prefix('M')?;
    digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| code.to_string())
}

/// Where the wrong text of a page stands.
fn wrong_text(page: &str) -> Option<usize> {
    page.find("```mafia-error").or_else(|| page.find("```play-error"))
}

/// Where the right text stands: a scenario, if the wrong one is a scenario.
fn right_text(page: &str) -> Option<usize> {
    let of_a_scenario = page.contains("```play-error");
    page.find(if of_a_scenario { "```play\n" } else { "```mafia\n" })
}

/// The name of the grammar rule that begins on this line.
fn grammar_rule(line: &str) -> Option<&str> {
    let name = leading_word(line);
    let defines = line[name.len()..].trim_start().starts_with('=');
    (defines && !name.is_empty()).then_some(name)
}
