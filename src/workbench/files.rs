//! Reads and writes the files that people name, and says plainly why one cannot be used.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the room that touches files, and tells when they were written"
)]

use anyhow::{Context, Result, bail};
use omerta_core::diagnostic::close_name;
use std::{
    collections::{BTreeSet, VecDeque},
    ffi::OsStr,
    fs::TryLockError,
    io::{self, ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

/// The largest file that is read.
const LARGEST: u64 = 4 << 20;
/// How deep folders are searched.
const DEEPEST: usize = 16;
/// How many links are followed, one after the other.
const LINKS: usize = 40;
/// What is written to as it is, though it is no file.
const PLAINLY: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/dev/null"];

/// The text of a file. Bytes that are no text stand as the mark for the unreadable.
pub fn read(path: &Path) -> Result<String> {
    let shown = path.display();
    let about = match std::fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(not_there(path)),
        Err(error) => bail!("`{shown}` cannot be read: {}", why(&error)),
    };
    if about.is_dir() {
        bail!("`{shown}` is a folder; name a file in it");
    }
    if !about.is_file() {
        bail!("`{shown}` is no file");
    }
    if about.len() > LARGEST {
        bail!("`{shown}` is larger than the 4 MiB a file may have");
    }
    let bytes =
        std::fs::read(path).map_err(|error| anyhow::anyhow!("`{shown}` cannot be read: {}", why(&error)))?;
    Ok(text(bytes))
}

/// All of standard input, within the bound of a file.
pub fn read_stdin() -> Result<String> {
    let mut bytes = Vec::new();
    io::stdin()
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .context("standard input cannot be read")?;
    if bytes.len() as u64 > LARGEST {
        bail!("standard input is larger than the 4 MiB a file may have");
    }
    Ok(text(bytes))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The path of a file as it is written in a file of some folder; both are seen from where one stands.
pub fn seen_from(folder: &Path, file: &str) -> String {
    let Some(here) = std::env::current_dir()
        .ok()
        .filter(|_| Path::new(file).is_relative())
    else {
        return file.to_owned();
    };
    let parts = |path: PathBuf| {
        let mut parts: Vec<String> = Vec::new();
        for part in path.components() {
            match part.as_os_str().to_string_lossy().as_ref() {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name.to_owned()),
            }
        }
        parts
    };
    let (from, to) = (parts(here.join(folder)), parts(here.join(file)));
    let alike = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", from.len() - alike);
    let down = to[alike..].iter().map(String::as_str);
    up.chain(down).collect::<Vec<_>>().join("/")
}

fn not_there(path: &Path) -> String {
    if let Ok(to) = std::fs::read_link(path) {
        return format!(
            "`{}` is a link to `{}`, which is not there",
            path.display(),
            to.display()
        );
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names: Vec<String> = entries(folder.unwrap_or(Path::new(".")))
        .iter()
        .filter_map(|entry| Some(entry.file_name()?.to_string_lossy().into_owned()))
        .collect();
    let given = path.file_name().unwrap_or_default().to_string_lossy();
    let meant = close_name(&given, names.iter().map(String::as_str));
    let hint = meant.map_or_else(String::new, |meant| {
        let meant = folder.map_or(PathBuf::from(meant), |folder| folder.join(meant));
        format!("; did you mean `{}`?", meant.display())
    });
    format!("there is no file `{}`{hint}", path.display())
}

/// The path of rules that a kept game names: as it was kept, or beside the game where it is not there.
pub fn or_beside(game: &Path, rules: &str) -> String {
    let beside = game.parent().map(|folder| folder.join(rules));
    let beside =
        beside.filter(|path| rules.ends_with(".mafia") && !is_there(Path::new(rules)) && is_there(path));
    beside.map_or_else(|| rules.to_owned(), |path| path.display().to_string())
}

/// Whether something lies there at all.
pub fn is_there(path: &Path) -> bool {
    std::fs::metadata(path).is_ok()
}

/// Whether it is a folder.
pub fn is_folder(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.is_dir())
}

/// Whether something lies there that is no folder.
pub fn is_file_there(path: &Path) -> bool {
    is_there(path) && !is_folder(path)
}

/// Writes beside the file first and renames, so that nobody ever finds half a file. A link stays a
/// link: what it leads to is written. Of what is no file, only standard output and `/dev/null` are
/// written to.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let failed =
        |error: io::Error| anyhow::anyhow!("`{}` cannot be written: {}", path.display(), why(&error));
    if PLAINLY.iter().any(|plain| path == Path::new(plain)) {
        let file = std::fs::OpenOptions::new().append(true).open(path);
        return file
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(failed);
    }
    let to = led_to(path).map_err(failed)?;
    let about = std::fs::metadata(&to).ok();
    if about
        .as_ref()
        .is_some_and(|about| !about.is_file() && !about.is_dir())
    {
        bail!("`{}` is no file and is not written to", path.display());
    }
    let name = to
        .file_name()
        .with_context(|| format!("`{}` names no file", path.display()))?;
    let mut beside = name.to_os_string();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = to.with_file_name(beside);
    let done = std::fs::write(&beside, text).and_then(|()| {
        if let Some(about) = about {
            std::fs::set_permissions(&beside, about.permissions())?;
        }
        std::fs::rename(&beside, &to)
    });
    done.map_err(|error| {
        // What was written half is of no use to anybody.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}

/// A file that nobody else of this program writes until this is dropped.
#[derive(Debug)]
pub struct Hold {
    lock: PathBuf,
    _file: std::fs::File,
}

/// Takes a file for oneself. The lock lies beside it, for the file itself is another each time that it is written; it
/// ends with the program that has it, however that comes. Nothing where no file can be locked: what is no file,
/// or lies where nobody may write, refuses to be written by itself.
pub fn hold(path: &Path) -> Result<Option<Hold>> {
    let to = led_to(path).unwrap_or_else(|_| path.to_owned());
    let name = to.file_name().filter(|_| !is_there(&to) || to.is_file());
    let Some(name) = name else { return Ok(None) };
    let lock = to.with_file_name(format!(".{}.lock", name.to_string_lossy()));
    for _ in 0..LINKS {
        let Ok(file) = std::fs::OpenOptions::new().create(true).append(true).open(&lock) else {
            return Ok(None);
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "`{}` is in use by another `omerta`; wait until that has ended, or choose another file",
                path.display()
            ),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
        // Whoever had it before may have removed it in between: then others do not see this one.
        if is_the_same(&file, &lock) {
            return Ok(Some(Hold { lock, _file: file }));
        }
    }
    Ok(None)
}

#[cfg(unix)]
fn is_the_same(file: &std::fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let which = |about: std::fs::Metadata| (about.dev(), about.ino());
    let there = std::fs::metadata(path).ok().map(which);
    there.is_some() && there == file.metadata().ok().map(which)
}

/// Where nobody can remove what somebody has open.
#[cfg(not(unix))]
fn is_the_same(_: &std::fs::File, path: &Path) -> bool {
    is_there(path)
}

impl Drop for Hold {
    fn drop(&mut self) {
        // It goes while it is still locked: nobody takes it in between. One that stays locks nobody out.
        let _ = std::fs::remove_file(&self.lock);
    }
}

/// Where a path leads through links, be there a file at the end or not yet.
fn led_to(path: &Path) -> io::Result<PathBuf> {
    let mut to = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = std::fs::read_link(&to) else {
            return Ok(to);
        };
        // A link is read from where it lies.
        to = to.with_file_name("").join(next);
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Whether nothing lies in a folder but what is hidden there.
pub fn is_bare(folder: &Path) -> bool {
    let shows = |path: &PathBuf| {
        !path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'))
    };
    !entries(folder).iter().any(shows)
}

/// What a folder is called, be it only written as `.` or `..`.
pub fn name_of(folder: &Path) -> String {
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    let whole = || name(&std::fs::canonicalize(folder).ok()?);
    name(folder).or_else(whole).unwrap_or_default()
}

/// Makes a folder, with those above it.
pub fn make_folder(path: &Path) -> Result<()> {
    let done = std::fs::create_dir_all(path);
    done.map_err(|error| anyhow::anyhow!("the folder `{}` cannot be made: {}", path.display(), why(&error)))
}

/// A folder into which nobody else looks, where the system knows of others.
pub fn make_folder_of_ones_own(folder: &Path) -> Result<()> {
    make_folder(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Where it cannot be had, it is as open as its folder.
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
    Ok(())
}

/// Why something could not be done with a file or a folder, for people.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "the folder in which it should lie is not there".to_owned(),
        io::ErrorKind::PermissionDenied => "you have no right to do that here".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "nothing can be written there".to_owned(),
        io::ErrorKind::StorageFull => "no room is left on the disk".to_owned(),
        io::ErrorKind::NotADirectory => "a file stands where a folder should be".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::InvalidFilename => "a file cannot be called so".to_owned(),
        _ => {
            let words = error.to_string();
            words
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_lowercase()
        }
    }
}

/// Removes a file.
pub fn remove(path: &Path) -> Result<()> {
    std::fs::remove_file(path)
        .map_err(|error| anyhow::anyhow!("`{}` cannot be removed: {}", path.display(), why(&error)))
}

/// The texts of a folder whose names end so, with those names, in their order; none where there is
/// no folder.
pub fn texts_in(folder: &Path, ending: &str) -> Vec<(String, String)> {
    let text = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let fits = name.ends_with(ending) && !name.starts_with('.');
        fits.then(|| Some((name, read(&path).ok()?)))?
    };
    entries(folder).into_iter().filter_map(text).collect()
}

/// When a file was last written and how long it is; nothing where it cannot be said.
pub fn stamp(path: &Path) -> Option<(std::time::SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// The files that are named, and the rules and scenarios that lie in folders that are.
pub fn with_those_in_folders(named: &[String]) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for name in named {
        let path = Path::new(name);
        if !is_folder(path) {
            files.push(name.clone());
            continue;
        }
        let inside = ["mafia", "play"].map(|ending| below(path, ending)).concat();
        if inside.is_empty() {
            bail!("in `{name}` there is no file that ends in `.mafia` or `.play`");
        }
        files.extend(inside.iter().map(|file| file.display().to_string()));
    }
    Ok(files)
}

/// The files with an ending that lie in a folder and below, in the order of their names; what links lead to as well, each
/// file once.
pub fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    let mut next = vec![(folder.to_path_buf(), 0)];
    // These wait: what they lead to is called by its own name where it lies in the folder, too.
    let mut links = VecDeque::new();
    let is_hidden = |name: &OsStr| name.to_string_lossy().starts_with('.');
    while let Some((path, depth)) = next.pop().or_else(|| links.pop_front()) {
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if !known.insert(real) {
            continue;
        }
        if !is_folder(&path) {
            found.push(path);
            continue;
        }
        for entry in entries(&path) {
            let is_wanted = match is_folder(&entry) {
                true => depth < DEEPEST,
                false => entry.extension().is_some_and(|own| own == ending),
            };
            match entry.is_symlink() {
                _ if !is_wanted || entry.file_name().is_some_and(is_hidden) => {}
                true => links.push_back((entry, depth + 1)),
                false => next.push((entry, depth + 1)),
            }
        }
    }
    found.sort();
    found
}

/// What lies in a folder, in the order of the names; nothing where it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = list.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}
