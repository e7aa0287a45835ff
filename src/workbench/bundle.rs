//! Where texts come from: the rulesets inside the program, and files.
//!
//! A name such as `city` or `std.table` is looked for beside the file that asks, then in its folder if that
//! is what the first part names, then in the bundle; a path with a slash or an ending is a file. An
//! overlay is also found by its own name, in whatever file of the folder it stands.
#![expect(clippy::disallowed_methods, reason = "reads the files people name")]

use include_dir::{Dir, File, include_dir};
use omerta_core::source::{Loaded, Loader};
use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
    sync::{Arc, LazyLock},
};

static RULESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../rulesets");

/// A file of the bundle.
type Bundled = &'static File<'static>;

/// The bundled rules by their paths: the folder itself looks through all that lies in it.
static BY_PATH: LazyLock<BTreeMap<String, Bundled>> =
    LazyLock::new(|| all().map(|file| (path_in(file), file)).collect());

/// The same by their short names, the first of each, without the libraries for all.
static BY_NAME: LazyLock<BTreeMap<String, Bundled>> = LazyLock::new(|| {
    let meant = all().filter(|file| !file.path().starts_with("std"));
    let mut found = BTreeMap::new();
    for (name, file) in meant.filter_map(|file| Some((short_name(file)?, file))) {
        found.entry(name).or_insert(file);
    }
    found
});

/// The names under which they are asked for: games, then libraries.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let is_library = |file: &File<'_>| {
        let text = file.contents_utf8().unwrap_or_default();
        text.lines().any(|line| line.starts_with("library "))
    };
    let name = |file: Bundled| match (file.path().parent(), is_library(file)) {
        (Some(folder), true) => Some(format!("{}.{}", folder.display(), short_name(file)?)),
        _ => short_name(file),
    };
    let (games, libraries): (Vec<_>, Vec<_>) = all().partition(|file| !is_library(file));
    games.into_iter().chain(libraries).filter_map(name).collect()
});

/// The largest file that is read at all.
const LARGEST: u64 = 4 << 20;

/// Finds texts by name: in a folder first, then among the bundled ones.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// The folder names are looked for in first.
    pub folder: Option<PathBuf>,
    /// Texts that stand for what the disk holds under their paths.
    pub unsaved: Unsaved,
}

/// Texts that somebody is writing, by the paths under which they will be kept.
pub type Unsaved = Arc<BTreeMap<PathBuf, String>>;

impl Shelf {
    /// A shelf beside a file.
    pub fn beside(path: &Path) -> Self {
        Shelf {
            folder: Some(path.parent().unwrap_or(Path::new("")).to_path_buf()),
            unsaved: Unsaved::default(),
        }
    }

    /// The same, on which texts that are not saved yet lie over those of the disk.
    #[must_use]
    pub fn with_unsaved(self, unsaved: &Unsaved) -> Self {
        Shelf {
            unsaved: unsaved.clone(),
            ..self
        }
    }

    fn file(&self, name: &str) -> Option<Loaded> {
        let beside = self
            .folder
            .as_ref()
            .and_then(|folder| self.in_folder(folder, name));
        beside.or_else(|| self.read(Path::new(name)).filter(|_| is_path(name)))
    }

    /// A text by its name or its path; among the bundled ones `bundled` knows it.
    fn found(&self, path: &str, bundled: fn(&str) -> Option<Loaded>) -> Option<Loaded> {
        let here = || {
            self.folder
                .is_none()
                .then(|| self.in_folder(Path::new(""), path))
                .flatten()
        };
        self.file(path).or_else(|| bundled(path)).or_else(here)
    }

    /// A text by its name or its path, as it is seen from a folder.
    fn in_folder(&self, folder: &Path, name: &str) -> Option<Loaded> {
        if is_path(name) {
            return self.read(&folder.join(name));
        }
        let inner = PathBuf::from(name.replace('.', "/")).with_extension("mafia");
        let sibling = || self.read(&folder.join(within(folder, &inner)?));
        self.read(&folder.join(&inner)).or_else(sibling)
    }

    /// The texts of a folder that hold an overlay of that name: the one in the file that is called
    /// so, or else all.
    fn overlays_in(&self, folder: &Path, name: &str) -> Vec<Loaded> {
        let own = self.read(&folder.join(name.replace('.', "/")).with_extension("mafia"));
        if let Some(own) = own.filter(|own| holds_overlay(&own.text, name)) {
            return vec![own];
        }
        let texts = self.rules_in(folder).into_iter();
        texts.filter(|text| holds_overlay(&text.text, name)).collect()
    }

    /// All texts of rules in a folder.
    fn rules_in(&self, folder: &Path) -> Vec<Loaded> {
        let inside = match folder.as_os_str().is_empty() {
            true => std::fs::read_dir("."),
            false => std::fs::read_dir(folder),
        };
        let written = inside
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(folder.join(entry.ok()?.file_name())));
        let unsaved = self.unsaved.keys().filter(|path| path.parent() == Some(folder));
        let mut paths: Vec<PathBuf> = written
            .chain(unsaved.cloned())
            .filter(|path| path.extension().is_some_and(|ending| ending == "mafia"))
            .collect();
        paths.sort();
        paths.dedup();
        paths.iter().filter_map(|path| self.read(path)).collect()
    }

    fn read(&self, path: &Path) -> Option<Loaded> {
        if self.unsaved.is_empty() {
            return read(path);
        }
        let straight = straight(path);
        match self.unsaved.get(&straight) {
            Some(text) => Some(Loaded {
                name: straight.display().to_string(),
                text: text.clone(),
            }),
            None => read(path),
        }
    }
}

/// The folder of a text on the disk; a bundled one lies in none.
fn folder_of(text: &str) -> Option<&Path> {
    let folder = Path::new(text).parent();
    folder.filter(|_| !BY_PATH.contains_key(text))
}

/// What of a name with dots is left inside a folder that its first part names: of `chess.board` in the
/// folder `chess` it is `board`.
fn within(folder: &Path, inner: &Path) -> Option<PathBuf> {
    let folder = match folder.file_name() {
        Some(name) => name.to_owned(),
        // The folder one stands in, or one above it.
        None => std::fs::canonicalize(if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        })
        .ok()?
        .file_name()?
        .to_owned(),
    };
    let rest = inner.strip_prefix(Path::new(&folder)).ok()?;
    (rest.components().count() > 0).then(|| rest.to_owned())
}

/// Whether somebody wrote a path and not a name.
fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".mafia")
}

/// Whether a line of the text begins that overlay.
pub fn holds_overlay(text: &str, name: &str) -> bool {
    let short = name.rsplit('.').next().unwrap_or(name);
    text.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some("overlay") && words.next().is_some_and(|word| word.trim_matches('`') == short)
    })
}

fn read(path: &Path) -> Option<Loaded> {
    let size = std::fs::metadata(path).ok()?;
    if !size.is_file() || size.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(Loaded {
        name: straight(path).display().to_string(),
        text,
    })
}

/// A path without the folders that it enters only to leave them: a text has one name, wherever it is seen from.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        let leaves = part == Component::ParentDir;
        match straight.components().next_back() {
            Some(Component::Normal(_)) if leaves => drop(straight.pop()),
            _ => straight.push(part),
        }
    }
    straight
}

impl Loader for Shelf {
    fn load(&self, path: &str) -> Option<Loaded> {
        self.found(path, bundled)
    }

    fn load_used(&self, path: &str, from: &str) -> Option<Loaded> {
        let beside = folder_of(from).and_then(|folder| self.in_folder(folder, path));
        beside.or_else(|| self.found(path, shelved))
    }

    fn load_overlay(&self, wanted: &str, base: &str) -> Vec<Loaded> {
        if is_path(wanted) {
            return self.load(wanted).into_iter().collect();
        }
        let beside = folder_of(base);
        let mut folders: Vec<&Path> = self.folder.as_deref().into_iter().chain(beside).collect();
        folders.dedup();
        let here = self.folder.is_none().then_some(Path::new(""));
        folders
            .into_iter()
            .map(|folder| self.overlays_in(folder, wanted))
            .chain(std::iter::once_with(|| self.load(wanted).into_iter().collect()))
            .chain(here.map(|here| self.overlays_in(here, wanted)))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        NAMES.clone()
    }

    fn beside(&self) -> Vec<Loaded> {
        self.rules_in(self.folder.as_deref().unwrap_or(Path::new("")))
    }
}

/// A bundled text by name: `city`, `std.table`, `mods.mayor`, or only `mayor`.
pub fn bundled(name: &str) -> Option<Loaded> {
    shelved(name).or_else(|| loaded(BY_NAME.get(name)?))
}

/// The same by its whole name: what one game keeps in its folder is not meant by others who say `use table`.
fn shelved(name: &str) -> Option<Loaded> {
    let path = format!("{}.mafia", name.trim_end_matches(".mafia").replace('.', "/"));
    let folder = || BY_PATH.get(&format!("{0}/{0}.mafia", name));
    loaded(BY_PATH.get(&path).or_else(folder)?)
}

fn loaded(file: &File<'_>) -> Option<Loaded> {
    Some(Loaded {
        name: file.path().display().to_string(),
        text: file.contents_utf8()?.to_owned(),
    })
}

/// All bundled `.mafia` files.
pub fn all() -> impl Iterator<Item = &'static File<'static>> {
    files(&RULESETS, "mafia")
}

/// All bundled `.play` files.
pub fn scenarios() -> impl Iterator<Item = &'static File<'static>> {
    files(&RULESETS, "play")
}

/// The bundled texts of a folder whose names have that ending, with those names.
pub fn texts_in(folder: &Path, ending: &str) -> Vec<(String, String)> {
    let Some(dir) = RULESETS.get_dir(folder) else {
        return Vec::new();
    };
    let text = |file: &File<'_>| {
        let name = file.path().file_name()?.to_string_lossy().into_owned();
        let fits = name.ends_with(ending);
        fits.then_some((name, file.contents_utf8()?.to_owned()))
    };
    dir.files().filter_map(text).collect()
}

/// A bundled ruleset or overlay as it stands in a folder of somebody's own, by the paths of its files: the rules, their scenarios
/// and what these keep. A game that has a folder to itself keeps that, for its parts are called by it.
pub fn whole(name: &str) -> Vec<(PathBuf, &'static str)> {
    let Some(rules) = BY_NAME.get(name) else {
        return Vec::new();
    };
    let beside = rules.path().parent().unwrap_or(Path::new(""));
    let shelf = RULESETS.get_dir(beside).unwrap_or(&RULESETS);
    if beside.ends_with(name) {
        let inside = shelf.dirs().flat_map(Dir::files);
        return shelf
            .files()
            .chain(inside)
            .filter_map(|file| kept_at(file.path(), file))
            .collect();
    }
    let scenarios = shelf.files().filter(|file| plays(file, name));
    let stems = || {
        shelf
            .files()
            .filter(|file| plays(file, name))
            .filter_map(short_name)
    };
    let kept = shelf.dirs().flat_map(Dir::files).filter(|file| {
        let name = short_name(file).unwrap_or_default();
        stems().any(|stem| name.starts_with(&format!("{stem}__")))
    });
    let files = std::iter::once(*rules).chain(scenarios).chain(kept);
    files
        .filter_map(|file| kept_at(file.path().strip_prefix(beside).ok()?, file))
        .collect()
}

fn kept_at(path: &Path, file: Bundled) -> Option<(PathBuf, &'static str)> {
    Some((path.to_path_buf(), file.contents_utf8()?))
}

/// Whether a file of scenarios is called like rules, or begins with them alone or with that overlay.
fn plays(file: &File<'_>, name: &str) -> bool {
    let text = file.contents_utf8().unwrap_or_default();
    let first = || text.lines().find_map(|line| line.strip_prefix("ruleset "));
    let is_meant =
        |rules: &str| rules == name || rules.strip_suffix(name).is_some_and(|on| on.ends_with(" with "));
    let is_play = file.path().extension().is_some_and(|ending| ending == "play");
    is_play && (short_name(file).as_deref() == Some(name) || first().is_some_and(is_meant))
}

/// The ruleset and the number of players that `play` opens when nobody names any.
pub fn default_game() -> (&'static str, u8) {
    let mut words = plain("DEFAULT").split_whitespace();
    let name = words.next().unwrap_or("");
    (name, words.next().and_then(|n| n.parse().ok()).unwrap_or(8))
}

/// The usual words for who is still in the game; rules that do not know them lose nobody.
pub fn usually_present() -> &'static str {
    plain("PRESENT").trim()
}

/// A bundled text that is no rules.
fn plain(name: &str) -> &'static str {
    let file = RULESETS.get_file(name);
    file.and_then(File::contents_utf8).unwrap_or("")
}

fn files(
    dir: &'static Dir<'static>,
    ending: &'static str,
) -> Box<dyn Iterator<Item = &'static File<'static>>> {
    let here = dir
        .files()
        .filter(move |f| f.path().extension().is_some_and(|e| e == ending));
    Box::new(here.chain(dir.dirs().flat_map(move |d| files(d, ending))))
}

/// The path of a bundled file, with the strokes that people write.
fn path_in(file: &File<'_>) -> String {
    file.path().display().to_string().replace('\\', "/")
}

fn short_name(file: &File<'_>) -> Option<String> {
    file.path().file_stem().map(|s| s.to_string_lossy().into_owned())
}
