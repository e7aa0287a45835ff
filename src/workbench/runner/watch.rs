//! Waits until a file changes that a run may hang on: rules and scenarios in the folders that were
//! named. It looks again and again; no system of notices is the same on all platforms.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "looks at files and waits by the clock"
)]

use crate::files;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

/// How long it waits before it looks again.
const PAUSE: Duration = Duration::from_millis(250);

/// Files with when they were written and how long they are.
#[derive(PartialEq, Eq, Debug)]
pub struct Seen(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl Seen {
    /// The rules and scenarios in some folders, and in those of some files.
    pub fn of(paths: &[PathBuf]) -> Seen {
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here } else { paths };
        let mut seen = BTreeMap::new();
        for path in paths {
            let folder = match files::is_folder(path) {
                true => path.clone(),
                false => path.parent().unwrap_or(Path::new("")).to_path_buf(),
            };
            let folder = if folder.as_os_str().is_empty() {
                here[0].clone()
            } else {
                folder
            };
            for ending in ["play", "mafia"] {
                for file in files::below(&folder, ending) {
                    let stamp = files::stamp(&file);
                    seen.insert(file, stamp);
                }
            }
        }
        Seen(seen)
    }

    /// Waits until something is another than it was seen; one of the files that are.
    pub fn wait(&self, paths: &[PathBuf]) -> PathBuf {
        loop {
            thread::sleep(PAUSE);
            let now = Seen::of(paths);
            let other = |(file, stamp): &(&PathBuf, &Option<_>)| self.0.get(*file) != Some(stamp);
            let gone = || self.0.keys().find(|file| !now.0.contains_key(*file));
            if let Some(file) = now.0.iter().find(other).map(|(file, _)| file).or_else(gone) {
                return file.clone();
            }
        }
    }
}
