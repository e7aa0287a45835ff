//! What the program itself prints, command by command, over the rulesets of the bundle and those of tests.

use super::{Net, subjects::strangers};
use crate::program::{SCENARIOS, TINY, omerta, omerta_in, run, write};
use omerta_workbench::files;
use std::path::Path;

/// Run on each ruleset of `tests/lang` and its like, in the place of `F`.
const OF_EACH: [(&str, &str); 3] = [
    ("shown", "show F"),
    ("sim", "sim F --games 40 --seed 5 --threads 1"),
    (
        "data",
        "sim F --games 30 --seed 6 --threads 1 --offers 200 --calls 100 --json",
    ),
];
/// Rulesets of tests that are shown and simulated.
const FOLDERS: [&str; 5] = [
    "tests/lang",
    "tests/sim",
    "tests/prompt",
    "tests/rulebook",
    "tests/deep",
];
/// Those that are walked through whole, or far enough.
const WALKED: &str = "sim/plain sim/asked sim/unasked sim/market lang/company lang/clock lang/titled lang/aside lang/rooms \
    lang/drawn lang/backs lang/copying lang/edges lang/empty lang/plans lang/casting lang/deck lang/moods lang/limits \
    lang/menus lang/supply lang/moving lang/tokens lang/again lang/picks lang/podium lang/turned lang/handed lang/two-asks";
/// Run on what strangers wrote, as the lot fell; `N` is the next of them.
const OF_STRANGERS: [[(&str, &str); 3]; 3] = [
    [
        ("shown", "show F"),
        ("graph", "graph F"),
        ("told", "check F --format json"),
    ],
    [
        ("sim", "sim F --games 20 --seed 5 --threads 1"),
        (
            "data",
            "sim F --games 12 --seed 6 --threads 1 --offers 200 --calls 100 --json",
        ),
        ("layout", "fmt --check F"),
    ],
    [
        ("difference", "diff F N"),
        ("exact", "exact F --most-positions 300 --threads 1 --json"),
        ("summary", "book F --summary"),
    ],
];
/// And on their scenarios.
const OF_THEIR_SCENARIOS: [(&str, &str); 3] = [
    ("run", "run F --json"),
    ("tested", "test F --threads 1 --format json"),
    ("touched", "test F --threads 1 --coverage"),
];
/// Run as they stand.
const WHOLE: &str = include_str!("commands.list");

#[test]
fn each_ruleset_is_shown_and_counted_as_before() {
    let mut net = Net::new("counted");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in FOLDERS
        .map(|folder| files::below(&root.join(folder), "mafia"))
        .concat()
    {
        let file = file.strip_prefix(root).unwrap().display().to_string();
        for (channel, words) in OF_EACH {
            ran(&mut net, &file, channel, &words.replace('F', &file));
        }
    }
    for name in WALKED.split_whitespace() {
        let file = format!("tests/{name}.mafia");
        let words = format!("exact {file} --most-positions 1500 --threads 1 --offers 100");
        ran(&mut net, &file, "exact", &words);
        ran(&mut net, &file, "exact-data", &format!("{words} --json"));
    }
    net.holds();
}

#[test]
fn what_strangers_wrote_is_shown_and_counted_as_before() {
    let mut net = Net::new("strangers");
    let all = strangers("mafia");
    for ((file, _, lot), (next, ..)) in all.iter().zip(all.iter().cycle().skip(1)) {
        for (channel, words) in OF_STRANGERS[*lot as usize] {
            let words = words.replace('F', file).replace('N', next);
            ran(&mut net, file, channel, &words);
        }
    }
    for (file, _, lot) in strangers("play") {
        let (channel, words) = OF_THEIR_SCENARIOS[lot as usize];
        ran(&mut net, &file, channel, &words.replace('F', &file));
    }
    net.holds();
}

/// What is printed, in the root folder.
fn ran(net: &mut Net, subject: &str, channel: &str, words: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = split(words);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = omerta_in(root, &words, b"");
    let told = format!("$ {words:?} {:?}\n{}--\n{}", done.code, done.out, done.err);
    net.add(subject, channel, &told);
}

/// `~` stands for a blank inside a word.
fn split(line: &str) -> Vec<String> {
    line.split(' ').map(|word| word.replace('~', " ")).collect()
}

#[test]
fn commands_print_as_before() {
    let mut net = Net::new("commands");
    for line in WHOLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        ran(&mut net, line, "printed", line);
    }
    net.holds();
}

/// A folder of one's own, in which commands write what later ones read; lines that are typed stand behind `<`.
const AT_HOME: &str = include_str!("home.list");

#[test]
fn what_commands_write_is_read_as_before() {
    let mut net = Net::new("home");
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().canonicalize().unwrap();
    write(
        &here,
        "tiny.mafia",
        &TINY.replace("mark bitten", "publish Night\nmark bitten"),
    );
    write(&here, "tiny.play", SCENARIOS);
    write(&here, "fair.mafia", include_str!("../rulebook/fair.mafia"));
    write(&here, "wrong.play", include_str!("wrong.play"));
    for (name, needs) in [
        ("first", ""),
        ("second", "needs first"),
        ("third", "needs second"),
    ] {
        let rule = format!("before Night {{ say \"This is {name}.\" }}");
        let overlay =
            format!("overlay {name} \"The {name}\" on tiny {{\n  {needs}\n  rule {name}: {rule}\n}}\n");
        write(&here, &format!("{name}.mafia"), &overlay);
    }
    let third = SCENARIOS.replace("ruleset tiny", "ruleset tiny with third");
    write(&here, "third.play", &third);
    for line in AT_HOME
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (words, typed) = line.split_once(" < ").unwrap_or((line, ""));
        let mut command = omerta(&here);
        command.env("XDG_DATA_HOME", &here).env("HOME", &here);
        let typed = typed.replace("; ", "\n") + "\n";
        let done = run(command.args(split(words)), typed.as_bytes());
        let told = format!("{:?}\n{}--\n{}", done.code, done.out, done.err);
        net.add(line, "printed", &told.replace(&here.display().to_string(), "…"));
    }
    for ending in ["play", "json", "html", "svg", "game", "info", "snap"] {
        for file in files::below(&here, ending) {
            let name = file.strip_prefix(&here).unwrap().display().to_string();
            net.add(&name, "written", &files::read(&file).unwrap());
        }
    }
    net.holds();
}
