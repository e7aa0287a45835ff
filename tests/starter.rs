//! `omerta new`: every template, through the real program, under every sort of name.

use crate::program::{Done, omerta, omerta_in, run};
use std::{fs, path::Path};

const TEMPLATES: [&str; 4] = ["house-rule", "role", "overlay", "game"];

fn new(folder: &Path, name: &str, template: &str) -> Done {
    omerta_in(folder, &["new", name, "--template", template], b"")
}

/// The files of a folder, folders inside left out.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[track_caller]
fn passes(folder: &Path, args: &[&str]) -> Done {
    let done = omerta_in(folder, args, b"");
    assert_eq!(done.code, Some(0), "{args:?}\n{}\n{}", done.out, done.err);
    done
}

/// Checks without a word, one layout, scenarios and snapshots that hold.
#[track_caller]
fn is_well(folder: &Path) {
    let names = names_in(folder);
    let rules = names.iter().find(|name| name.ends_with(".mafia")).unwrap();
    let play = names.iter().find(|name| name.ends_with(".play")).unwrap();
    let check = passes(folder, &["check", rules, play]);
    assert_eq!(check.err, "2 files, nothing to mend\n");
    passes(folder, &["fmt", "--check", rules, play]);
    let test = passes(folder, &["test"]);
    assert!(test.out.contains("scenarios hold"), "{}", test.out);
    assert_eq!(names_in(&folder.join("snapshots")).len(), 1);
}

#[test]
fn every_template_is_checked_laid_out_and_tested() {
    let home = tempfile::tempdir().unwrap();
    for template in TEMPLATES {
        let done = new(home.path(), template, template);
        assert_eq!(done.code, Some(0), "{}", done.err);
        is_well(&home.path().join(template));
    }
}

/// What each README says one can type, one can type.
#[test]
fn the_lines_of_every_readme_run() {
    let home = tempfile::tempdir().unwrap();
    for template in TEMPLATES {
        let name = format!("my-{template}");
        new(home.path(), &name, template);
        let folder = home.path().join(&name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        let lines = readme.lines().filter_map(|line| line.strip_prefix("omerta "));
        let mut ran = 0;
        for line in lines {
            let words: Vec<&str> = line.split('#').next().unwrap().split_whitespace().collect();
            let done = omerta_in(&folder, &words, b"");
            let differs = words[0] == "diff" && done.code == Some(1);
            assert!(
                done.code == Some(0) || differs,
                "{line}\n{}\n{}",
                done.out,
                done.err
            );
            ran += 1;
        }
        assert!(ran >= 4, "{readme}");
    }
}

#[test]
fn a_new_folder_is_as_the_program_tells() {
    let home = tempfile::tempdir().unwrap();
    let done = new(home.path(), "quiet nights", "house-rule");
    let folder = home.path().join("quiet nights");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    insta::assert_snapshot!(format!(
        "{}{}\n{}\n{}\n{}",
        done.out,
        done.err,
        read("quiet-nights.mafia"),
        read("quiet-nights.play"),
        read("README.md")
    ));
}

#[test]
fn any_name_makes_rules_that_hold() {
    let names = [
        ("Friday's \"House\"!", "friday-s-house"),
        ("Дом у реки", "дом-у-реки"),
        ("cafe\u{301}", "cafe"),
        ("2 knives {x}", "house-2-knives-x"),
        // Words of the language, and names that a bundled text has taken.
        ("with", "my-with"),
        ("players", "players"),
        ("mayor", "my-mayor"),
        ("---", "my-rules"),
        ("a\nb|c", "a-b-c"),
        // Signs that nobody sees, and bytes that are no text.
        ("z\u{200b}", "z"),
        ("\u{202e}q\u{feff}", "q"),
    ];
    let home = tempfile::tempdir().unwrap();
    for (folder, name) in names {
        let folder = home.path().join(folder);
        let done = new(
            home.path(),
            &format!("./{}", folder.file_name().unwrap().to_str().unwrap()),
            "game",
        );
        assert_eq!(done.code, Some(0), "{}", done.err);
        let rules = format!("{name}.mafia");
        assert!(names_in(&folder).contains(&rules), "{:?}", names_in(&folder));
        is_well(&folder);
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_makes_rules_that_hold() {
    use std::os::unix::ffi::OsStrExt;
    let home = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"r\xff");
    for template in TEMPLATES {
        let folder = home.path().join(template);
        fs::create_dir(&folder).unwrap();
        let mut command = omerta(&folder);
        let done = run(command.arg("new").arg(name).args(["--template", template]), b"");
        assert_eq!(done.code, Some(0), "{}", done.err);
        is_well(&folder.join(name));
    }
}

/// What is told to be typed next leads into the folder, whatever a shell makes of its name.
#[test]
fn the_next_step_leads_into_the_folder() {
    for name in [
        "house",
        "quiet nights",
        "Friday's \"House\"!",
        "$HOME",
        "a;b",
        "Дом",
        "-x",
        "--template",
        "a/b",
        "- 'y'",
    ] {
        let home = tempfile::tempdir().unwrap();
        let done = omerta_in(home.path(), &["new", "--", name], b"");
        assert_eq!(done.code, Some(0), "{name}: {}", done.told());
        let line = done.err.lines().find(|line| line.starts_with("  cd ")).unwrap();
        let shell = format!("{line} && ls");
        let seen = std::process::Command::new("sh")
            .args(["-c", &shell])
            .current_dir(home.path())
            .output()
            .unwrap();
        let listed = String::from_utf8_lossy(&seen.stdout);
        assert!(
            seen.status.success() && listed.contains("README.md"),
            "{line}: {listed}"
        );
    }
    // Whoever is there already goes nowhere.
    let home = tempfile::tempdir().unwrap();
    let done = omerta_in(home.path(), &["new", "."], b"");
    assert!(
        done.code == Some(0) && !done.err.contains("cd "),
        "{}",
        done.told()
    );
}

/// A game in a file of its own, one with a folder to itself whose parts are called by it, and an overlay.
#[test]
fn a_copy_of_a_bundled_game_stands_on_its_own() {
    let home = tempfile::tempdir().unwrap();
    for (name, rules) in [
        ("village", "village.mafia"),
        ("blitz", "blitz/factions.mafia"),
        ("mayor", "mayor.mafia"),
    ] {
        let folder = home.path().join(format!("our-{name}"));
        passes(home.path(), &["new", folder.to_str().unwrap(), "--copy", name]);
        let check = passes(&folder, &["check", "."]);
        assert!(check.err.ends_with("nothing to mend\n"), "{}", check.err);
        assert!(passes(&folder, &["test"]).out.contains("scenarios hold"));
        // It is the copy that is played: what is broken there, breaks.
        fs::write(folder.join(rules), "nothing").unwrap();
        assert_ne!(omerta_in(&folder, &["test"], b"").code, Some(0), "{name}");
    }
    for (name, word) in [
        ("vilage", "did you mean `village`?"),
        ("std.night", "`omerta list`"),
        ("../x", "`omerta list`"),
    ] {
        let done = omerta_in(home.path(), &["new", "none", "--copy", name], b"");
        assert_eq!(done.code, Some(2));
        assert!(done.err.contains(word), "{}", done.err);
        assert!(!home.path().join("none").exists());
    }
}

/// Programs read the list; each name in it that is played can be copied.
#[test]
fn every_game_of_the_list_can_be_copied() {
    let list = passes(Path::new("."), &["list", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    let home = tempfile::tempdir().unwrap();
    for entry in list.as_array().unwrap() {
        let (name, sort) = (entry["name"].as_str().unwrap(), entry["sort"].as_str().unwrap());
        let done = omerta_in(home.path(), &["new", name, "--copy", name], b"");
        assert_eq!(done.code == Some(0), sort != "library", "{name}: {}", done.err);
        assert_eq!(
            done.out.contains(".play\n"),
            sort != "library",
            "{name}: {}",
            done.out
        );
    }
}

#[test]
fn an_empty_folder_is_used_and_a_full_one_is_not() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("empty/.git")).unwrap();
    let empty = home.path().join("empty");
    let done = omerta_in(&empty, &["new", "."], b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(names_in(&empty).contains(&"empty.mafia".to_owned()));
    is_well(&empty);
    fs::write(empty.join("empty.mafia"), "mine").unwrap();
    for (folder, name) in [(&*empty, "."), (home.path(), "empty")] {
        let done = omerta_in(folder, &["new", name], b"");
        assert_eq!(done.code, Some(2));
        assert!(done.err.contains("is not empty"), "{}", done.err);
    }
    assert_eq!(fs::read_to_string(empty.join("empty.mafia")).unwrap(), "mine");
    fs::write(home.path().join("file"), "").unwrap();
    let done = omerta_in(home.path(), &["new", "file"], b"");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("is a file"), "{}", done.err);
    let done = omerta_in(home.path(), &["new", "x", "--template", "y"], b"");
    assert!(done.err.contains("house-rule"), "{}", done.err);
}
