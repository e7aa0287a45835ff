//! The time that a question may take, counted above the line that is being typed. It ends nothing: that the
//! time is up the host says.

use super::editor::Printer;
use omerta_play::words::{TIME_UP, time};
use std::{
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

/// When so many seconds are left, it is told.
const TOLD: [u32; 6] = [300, 120, 60, 30, 10, 0];

/// A clock that runs until it is dropped.
pub struct Clock(#[expect(dead_code, reason = "when it is gone the other end stops")] Sender<()>);

impl Clock {
    /// Begins to count. A host who only waits says `go`, whoever is asked is out of time.
    pub fn start(seconds: u32, waits: bool, mut printer: Printer) -> Clock {
        let (held, dropped) = channel::<()>();
        thread::spawn(move || {
            let mut now = seconds;
            for left in TOLD.into_iter().filter(|left| *left < seconds) {
                let gap = Duration::from_secs(u64::from(now - left));
                if dropped.recv_timeout(gap) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                now = left;
                let text = match (left, waits) {
                    (0, true) => "  the time is up: `go`\n".to_owned(),
                    (0, false) => format!("  the time is up: `{TIME_UP}`, or an answer all the same\n"),
                    _ => format!("  {} left\n", time(left)),
                };
                if printer.print(text).is_err() {
                    return;
                }
            }
        });
        Clock(held)
    }
}
