//! The log, as everybody, the host or a seat knows it.

use super::super::desk::{Desk, Done};
use omerta_engine::Viewer;

/// How many events `log` shows.
const LATEST: usize = 30;

/// Whose log there is.
pub fn viewers(desk: &Desk) -> Vec<String> {
    let names = desk.names().iter().cloned();
    names
        .chain(["public", "host", "all"].map(str::to_owned))
        .collect()
}

/// `log`, `log Ann`, `log public all`
pub fn log(desk: &mut Desk, given: &str) -> Done {
    let mut viewer = None;
    let mut most = LATEST;
    for word in given.split_whitespace() {
        let named = match word.to_lowercase().as_str() {
            "all" => {
                most = usize::MAX;
                continue;
            }
            "host" => Viewer::Host,
            "public" | "everybody" => Viewer::Public,
            _ => Viewer::Seat(desk.seat(word)?),
        };
        if viewer.replace(named).is_some() {
            return Err(format!("`{word}` is one too many: a log is that of one"));
        }
    }
    let text = desk.log_text(viewer.unwrap_or(Viewer::Host), most);
    desk.out.push_str(if text.is_empty() {
        "      nothing yet\n"
    } else {
        &text
    });
    Ok(())
}
