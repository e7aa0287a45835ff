//! Ctrl-C while a command runs at a terminal: the first ends the command, which goes back to the prompt; a second one
//! ends the program. While a line is being typed the terminal keeps it.

use signal_hook::{consts::SIGINT, flag};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// The code of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// What is said of a command that was ended, and has changed nothing.
pub const STOPPED: &str = "stopped: all is as it was";

/// Whether nothing runs, and whether somebody has had enough of what does.
#[derive(Default)]
struct Halt {
    idle: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

static HALT: OnceLock<Halt> = OnceLock::new();

/// Terminals on which no line can be edited: they keep no Ctrl-C back, it only throws away what was typed.
const WITHOUT_EDITING: [&str; 3] = ["dumb", "cons25", "emacs"];

/// From here on Ctrl-C is heard.
pub fn listen() {
    let halt = HALT.get_or_init(Halt::default);
    halt.idle.store(true, Ordering::Relaxed);
    let term = std::env::var("TERM").unwrap_or_default().to_lowercase();
    // Where signals cannot be heard they end the program as they always did.
    if !WITHOUT_EDITING.contains(&&*term) {
        let _ = flag::register_conditional_default(SIGINT, halt.idle.clone());
    }
    let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, halt.stop.clone());
    let _ = flag::register(SIGINT, halt.stop.clone());
}

/// Does something that may take long.
pub fn running<T>(what: impl FnOnce() -> T) -> T {
    let idle = |now: bool| {
        if let Some(halt) = HALT.get() {
            halt.stop.store(false, Ordering::Relaxed);
            halt.idle.store(now, Ordering::Relaxed);
        }
    };
    idle(false);
    let done = what();
    idle(true);
    done
}

/// Whether what runs shall come to its end.
pub fn halted() -> bool {
    HALT.get().is_some_and(|halt| halt.stop.load(Ordering::Relaxed))
}
