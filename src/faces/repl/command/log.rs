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

/// `log`, `log Ann`, `log seat 1`, `log public all`
pub fn log(desk: &mut Desk, given: &str) -> Done {
    let all = |word: &&str| word.eq_ignore_ascii_case("all");
    let (whole, named): (Vec<&str>, Vec<&str>) = given.split_whitespace().partition(all);
    let most = if whole.is_empty() { LATEST } else { usize::MAX };
    let named = named.join(" ");
    let viewer = match named.to_lowercase().as_str() {
        "" | "host" => Viewer::Host,
        "public" | "everybody" => Viewer::Public,
        _ => Viewer::Seat(desk.seat(&named)?),
    };
    let text = desk.log_text(viewer, most);
    desk.out.push_str(if text.is_empty() {
        "      nothing yet\n"
    } else {
        &text
    });
    Ok(())
}
