//! The program as a person starts it at a terminal of his own, and the tiny game that most tests of it play.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// A game in a folder: whoever is bitten leaves.
pub const TINY: &str = r#"ruleset tiny "A tiny game"
use std.table
players 3..6
cast {
  players 3..6
  Wolf 1
  Sheep rest
}
team Pack "the pack"
team Flock "the flock"
role Wolf "a wolf" of Pack
role Sheep "a sheep" of Flock
mark bitten "bitten"
option fierce: yes | no = yes "whether wolves bite"
allow living to growl-at "Growl" s from living others during Night {
  say "{me} growls at {s}."
}
script {
  play Deal
  repeat { play Night }
}
scene Night {
  wait "Everybody sleeps."
  ask host for prey from living "Who is bitten?"
  mark prey as bitten
  do departure of prey
  if fierce is yes {
    say "{prey} was bitten."
  } else {
    say "{prey} was licked."
  }
  judge
}
ending wolf-gone: win Flock when no living Wolf "the wolf is gone"
ending flock-gone: win Pack when number of (players without bitten) is 1 "one is left"
"#;

pub const SCENARIOS: &str = r#"ruleset tiny
seats Ann: Wolf, Bob: Sheep, Cid: Sheep

play "a wolf that is bitten loses"
Night 1 { host -> Ann }
expect winners Bob, Cid
"#;

/// The answers of [`played`] and its like come from these seats.
pub const AT_TABLE: [&str; 6] = ["play", "tiny.mafia", "--names", "Ann,Bob,Cid,Dee", "--seed", "4"];

/// What of the environment that the tests run in would change what the program prints or writes.
pub const FROM_OUTSIDE: [&str; 5] = ["CI", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NO_COLOR"];

/// What the program did.
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Done {
    /// Both streams, one after the other.
    pub fn told(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// A command that runs in a folder and sees nothing of the environment that would change what is printed.
pub fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    for name in FROM_OUTSIDE {
        command.env_remove(name);
    }
    command
}

/// Runs the program with some input.
pub fn omerta_in(folder: &Path, args: &[&str], input: &[u8]) -> Done {
    run(omerta(folder).args(args), input)
}

/// The program, to be given words and more.
pub fn omerta(folder: &Path) -> Command {
    command(env!("CARGO_BIN_EXE_omerta"), folder)
}

/// Runs a command to its end; what it says of itself is never a panic.
pub fn run(command: &mut Command, input: &[u8]) -> Done {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Beside reading what is printed, for either pipe may be full; and the program may have left
    // before it has read everything.
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is text");
    let done = Done {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(
        !done.err.contains("panicked") && !done.err.contains("a mistake in omerta"),
        "{command:?}: {}",
        done.err
    );
    done
}

pub fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// A folder with a ruleset `tiny` and scenarios for it.
pub fn folder_with(rules: &str, scenarios: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "tiny.mafia", rules);
    write(folder.path(), "tiny.play", scenarios);
    folder
}

/// A folder with the tiny game and its scenario.
pub fn folder() -> TempDir {
    folder_with(TINY, SCENARIOS)
}

/// The tiny game with lines typed at its prompt.
pub fn played(lines: &str) -> Done {
    omerta_in(folder().path(), &AT_TABLE, lines.as_bytes())
}
