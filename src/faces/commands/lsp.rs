//! `omerta lsp`: what editors talk to.
#![expect(
    clippy::disallowed_methods,
    reason = "where texts may be laid for reading is said by the surroundings"
)]

use anyhow::Result;
use lsp_server::{Connection, Message};
use omerta_core::written::harmless;
use omerta_lsp::{Surroundings, serve};
use serde_json::json;
use std::{
    env,
    io::{self, BufRead, Read, Write},
    path::PathBuf,
    process::{self, ExitCode},
    thread,
    time::Duration,
};

/// No message is longer: nobody has so much text.
const LONGEST: usize = 1 << 28;
/// No line at the head of a message is longer.
const LONGEST_LINE: u64 = 1 << 12;
/// How long what is under way may go on when the editor has left.
const PATIENCE: Duration = Duration::from_secs(10);
/// What the protocol calls a message that cannot be read.
const PARSE_ERROR: i32 = -32700;

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
An editor starts this by itself and talks to it on standard input and output; there is nothing to see. \
The page `docs/reference/editors.md` says how each editor is told of it.

Exit: 0 the editor said goodbye, 1 it went without.")]
pub struct Words {
    /// Talk on standard input and output, as it always does; some editors pass this
    #[arg(long)]
    stdio: bool,
}

/// Runs the command.
pub fn lsp(_words: &Words) -> Result<ExitCode> {
    let (ours, theirs) = Connection::memory();
    let Connection { sender, receiver } = theirs;
    let says = thread::spawn(move || {
        let say = |message: Message| message.write(&mut io::stdout().lock());
        receiver.into_iter().try_for_each(say)
    });
    thread::spawn(move || {
        let left = hear(move |message| sender.send(message).is_ok());
        // Whatever is being done by then, nobody waits for it any more.
        thread::sleep(PATIENCE);
        process::exit(i32::from(!left));
    });
    let well = serve(
        ours,
        Surroundings {
            folder: Some(folder()),
            listens: None,
        },
    );
    // Whether an editor that has gone has read all of it is no matter.
    if let Ok(said) = says.join()
        && well
    {
        said?;
    }
    Ok(ExitCode::from(u8::from(!well)))
}

/// Hands on what the editor says until it leaves; says whether it took its leave as it should.
fn hear(say: impl Fn(Message) -> bool) -> bool {
    let mut input = io::stdin().lock();
    let mut ends = false;
    loop {
        match read(&mut input) {
            Ok(Some(Ok(message))) => {
                let is_last = matches!(&message, Message::Notification(said) if said.method == "exit");
                ends |= matches!(&message, Message::Request(asked) if asked.method == "shutdown");
                if !say(message) || is_last {
                    return ends && is_last;
                }
            }
            Ok(Some(Err(why))) => {
                let error = json!({ "code": PARSE_ERROR, "message": why });
                let answer = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
                let mut out = io::stdout().lock();
                let _ = write!(out, "Content-Length: {}\r\n\r\n{answer}", answer.len());
                let _ = out.flush();
            }
            Ok(None) => return false,
            Err(why) => {
                let _ = writeln!(io::stderr(), "error: the editor cannot be understood: {why}");
                return false;
            }
        }
    }
}

/// The next message, or why what stands in its place is none; an error where nobody can tell any more where the next
/// one begins, and nothing at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, String>>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        let long = input.by_ref().take(LONGEST_LINE).read_line(&mut line)?;
        let line = match line.strip_suffix('\n') {
            Some(line) => line.trim_end(),
            None if long == 0 => return Ok(None),
            None => {
                return Err(io::Error::other(
                    "the head of a message is cut short, or too long",
                ));
            }
        };
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            let value = harmless(value.trim());
            let no_length =
                |_| io::Error::other(format!("`Content-Length: {value}` is no length of a message"));
            length = Some(value.parse().map_err(no_length)?);
        }
    }
    let length: usize =
        length.ok_or_else(|| io::Error::other("no `Content-Length` says how long a message is"))?;
    if length > LONGEST {
        return Err(io::Error::other(format!(
            "a message of {length} bytes is longer than any can be"
        )));
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length as u64).read_to_end(&mut bytes)? < length {
        return Ok(None);
    }
    let message = serde_json::from_slice(&bytes);
    Ok(Some(message.map_err(|why| format!("this is no message: {why}"))))
}

/// Where bundled texts are laid for reading: a folder of this version, among what can be made anew.
fn folder() -> PathBuf {
    let named = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = || named("HOME").map(|home| home.join(".cache"));
    let cache = named("XDG_CACHE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(home);
    let cache = cache
        .filter(|folder| folder.is_absolute())
        .unwrap_or_else(env::temp_dir);
    cache.join("omerta").join(env!("CARGO_PKG_VERSION"))
}
