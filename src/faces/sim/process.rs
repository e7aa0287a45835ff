//! A program that runs beside: lines to it and from it, and for how long it is waited for.
//!
//! What the lines mean is not known here. Whatever the program does or leaves undone, nobody waits for it longer
//! than its bounds or past the moment at which the run is stopped: its lines are written and read on threads of their own.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "starts the program, listens to it and looks at the clock"
)]

use crate::faces::render::{self, visible};
use anyhow::{Context, Result, bail};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// No line of its is longer than this.
pub const LONGEST: u64 = 1 << 16;
/// So many lines may wait for a program that does not read them.
const WAITING: usize = 256;
/// Of what it says on its standard error, so many bytes are passed on.
const TALK: u64 = 1 << 16;
/// So many hundredths of a second a program may take to end.
const GRACE: u32 = 200;
/// So often it is looked whether the run was stopped.
const LOOK: Duration = Duration::from_millis(20);
/// All the answers of a game may take so many times as long as one.
const ANSWERS: u32 = 10;
/// Ends its own group of processes when it is told to, or two seconds after nobody is left to tell it.
const GUARD: &str = "read -r now || sleep 2; kill -s KILL 0";

/// How long programs are waited for.
#[derive(Clone, Debug)]
pub struct Patience {
    /// For one answer; ten times as long for all of a game.
    pub answer: Duration,
    /// Once this is set, no longer.
    pub stop: Arc<AtomicBool>,
}

impl Patience {
    /// What is usual, and nobody stops it.
    pub fn usual() -> Patience {
        Patience {
            answer: Duration::from_secs(30),
            stop: Arc::default(),
        }
    }
}

/// Why there is no line.
#[derive(Debug)]
pub enum Silence {
    /// It has gone, or closed its ends.
    Gone,
    /// It took too long for an answer.
    Late(Duration),
    /// Its answers of this game took too long together.
    Slow(Duration),
    /// The run is stopped.
    Stopped,
    /// It cannot be heard.
    Unheard(io::Error),
}

/// Lines to and from somebody who plays.
pub trait Lines: Send {
    /// A new game begins.
    fn begin(&mut self);
    /// Gives it a line.
    fn send(&mut self, line: String) -> Result<(), Silence>;
    /// Its next line.
    fn receive(&mut self) -> Result<String, Silence>;
}

/// A program that runs.
pub struct Process {
    child: Child,
    guard: Option<Child>,
    to: Option<SyncSender<String>>,
    from: Receiver<io::Result<Vec<u8>>>,
    /// Closes when nothing more comes from its standard error.
    talk: Receiver<()>,
    patience: Patience,
    /// How long its answers of this game have taken.
    spent: Duration,
}

impl Process {
    /// Starts a program, written as for a shell.
    pub fn start(words: &str, patience: Patience) -> Result<Process> {
        let mut command = Command::new("sh");
        command
            .args(["-c", words])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let started = command.spawn();
        let mut child = started.with_context(|| format!("`{words}` cannot be started"))?;
        let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(to), Some(from), Some(talk)) = ends else {
            bail!("`{words}` cannot be talked to");
        };
        let guard = guard_of(&child);
        Ok(Process {
            child,
            guard,
            to: Some(speak(to)),
            from: listen(from),
            talk: pass_on(talk),
            patience,
            spent: Duration::ZERO,
        })
    }

    /// Until when it is waited for, and what is wrong by then.
    fn until(&self) -> (Instant, Silence) {
        let left = (self.patience.answer * ANSWERS).saturating_sub(self.spent);
        let now = Instant::now();
        match left < self.patience.answer {
            true => (now + left, Silence::Slow(self.patience.answer * ANSWERS)),
            false => (now + self.patience.answer, Silence::Late(self.patience.answer)),
        }
    }

    fn is_stopped(&self) -> bool {
        self.patience.stop.load(Ordering::Relaxed)
    }
}

impl Lines for Process {
    fn begin(&mut self) {
        self.spent = Duration::ZERO;
    }

    fn send(&mut self, mut line: String) -> Result<(), Silence> {
        let Some(to) = &self.to else {
            return Err(Silence::Gone);
        };
        let (until, late) = self.until();
        loop {
            line = match to.try_send(line) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(_)) => return Err(Silence::Gone),
                Err(TrySendError::Full(line)) => line,
            };
            match Instant::now() {
                _ if self.is_stopped() => return Err(Silence::Stopped),
                now if now >= until => return Err(late),
                _ => thread::sleep(LOOK / 4),
            }
        }
    }

    fn receive(&mut self) -> Result<String, Silence> {
        let (until, late) = self.until();
        let began = Instant::now();
        let line = loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(LOOK.min(left)) {
                Ok(line) => break line.map_err(Silence::Unheard),
                Err(RecvTimeoutError::Disconnected) => break Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) if self.is_stopped() => break Err(Silence::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => break Err(late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        self.spent += began.elapsed();
        Ok(String::from_utf8_lossy(&line?).trim().to_owned())
    }
}

/// Someone in the same group of processes who ends it as a whole when this program does, however that
/// comes: the children of a program are no children of ours, and Ctrl-C does not reach its group.
#[cfg(unix)]
fn guard_of(child: &Child) -> Option<Child> {
    let group = i32::try_from(child.id()).ok()?;
    Command::new("sh")
        .args(["-c", GUARD])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(group)
        .spawn()
        .ok()
}

/// Where there are no groups of processes, the program alone is ended.
#[cfg(not(unix))]
fn guard_of(_: &Child) -> Option<Child> {
    None
}

/// Writes lines to it; once it listens no more, nobody takes them.
fn speak(mut to: ChildStdin) -> SyncSender<String> {
    let (send, receive) = sync_channel::<String>(WAITING);
    thread::spawn(move || {
        for mut line in receive {
            line.push('\n');
            if to.write_all(line.as_bytes()).and_then(|()| to.flush()).is_err() {
                return;
            }
        }
    });
    send
}

/// Hears its lines.
fn listen(from: ChildStdout) -> Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = sync_channel(1);
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let mut line = Vec::new();
            let read = (&mut from).take(LONGEST).read_until(b'\n', &mut line);
            let line = match read {
                Err(error) => Err(error),
                Ok(_) if line.ends_with(b"\n") => Ok(line),
                Ok(read) if read as u64 == LONGEST => {
                    let words = format!("a line of its is longer than {LONGEST} bytes");
                    Err(io::Error::other(words))
                }
                Ok(_) => return,
            };
            let last = line.is_err();
            if send.send(line).is_err() || last {
                return;
            }
        }
    });
    receive
}

/// Passes on what it says on its standard error, so that no sign of it moves the cursor or turns the colours of a
/// terminal; of one that says very much, the beginning.
fn pass_on(talk: ChildStderr) -> Receiver<()> {
    let (open, closes) = sync_channel(0);
    thread::spawn(move || {
        let _open: SyncSender<()> = open;
        let mut talk = BufReader::new(talk);
        let mut left = TALK;
        let mut line = Vec::new();
        while (&mut talk)
            .take(left)
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            left -= line.len() as u64;
            let _ = render::write(
                &mut io::stderr().lock(),
                &visible(&String::from_utf8_lossy(&line)),
            );
            line.clear();
        }
        if left == 0 {
            let more = "\na program at the table says more than is passed on\n";
            let _ = render::write(&mut io::stderr().lock(), more);
        }
        // It shall not have to wait for somebody who reads.
        let _ = io::copy(&mut talk, &mut io::sink());
    });
    closes
}

impl Drop for Process {
    /// It hears that there is no more to come, and has a while to end; then it is ended.
    fn drop(&mut self) {
        drop(self.to.take());
        let (grace, last_words) = match self.is_stopped() {
            true => (0, LOOK / 4),
            false => (GRACE, LOOK * 5),
        };
        for _ in 0..grace {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        // That it has just ended by itself is as well. What it has started and left goes with it.
        if let Some(mut guard) = self.guard.take() {
            if let Some(mut to) = guard.stdin.take() {
                let _ = writeln!(to, "now");
            }
            let _ = guard.wait();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Its last words; whoever has left its group may hold them open.
        let _ = self.talk.recv_timeout(last_words);
    }
}
