//! Nets: whatever rulesets, games and the program's faces come to, over all rulesets there are, as a page of digests.
//! Nobody needs to know beforehand what may go wrong: whatever comes out otherwise moves a digest, in the row of its
//! ruleset and under the name of what moved.
//!
//! A text is kept below `target/` as soon as its digest is the one that stands on the page, so a failure shows the
//! first lines that differ, and says where both texts lie whole. What has changed on purpose is accepted with
//! `OMERTA_NETS=accept cargo test nets::`, and reviewed as the difference of the texts.

mod chances;
mod commands;
mod editors;
mod games;
mod library;
mod papers;
mod prompt;
mod scripts;
mod slips;
mod subjects;
mod turned;

use omerta_core::digest::Digest;
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// Of so many digests that moved the lines are shown.
const SHOWN: usize = 6;
/// So much of a subject's name is part of a file's.
const LONGEST_NAME: usize = 120;
/// So many lines of each.
const LINES: usize = 8;

/// What comes of some subjects: a row each, with the texts of its channels.
struct Net {
    name: &'static str,
    rows: BTreeMap<String, BTreeMap<String, String>>,
}

/// Something that is not as it stands on the page.
struct Moved<'a> {
    subject: &'a str,
    channel: &'a str,
    /// The digest on the page; none where the page does not know of it.
    before: Option<&'a str>,
    /// What it has come to; none where there is nothing of the kind any more.
    now: Option<&'a str>,
}

type Digests = BTreeMap<String, BTreeMap<String, String>>;

impl Net {
    fn new(name: &'static str) -> Net {
        Net {
            name,
            rows: BTreeMap::new(),
        }
    }

    /// What a channel says of a subject, behind what it has said.
    fn add(&mut self, subject: &str, channel: &str, text: &str) {
        let row = self.rows.entry(subject.to_owned()).or_default();
        let said = row.entry(channel.to_owned()).or_default();
        said.push_str(&text.replace(env!("CARGO_MANIFEST_DIR"), "…"));
    }

    /// Every digest is the one on the page of this name.
    #[track_caller]
    fn holds(&self) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/nets/{}.txt", self.name));
        if std::env::var("OMERTA_NETS").is_ok_and(|word| word == "accept") {
            fs::write(&path, self.page()).unwrap();
        }
        let known = read(&fs::read_to_string(&path).unwrap_or_default());
        let now: Digests = { self.rows.iter() }
            .map(|(subject, row)| {
                let digests = row.iter().map(|(channel, text)| (channel.clone(), digest(text)));
                (subject.clone(), digests.collect())
            })
            .collect();
        let moved = moved(&known, &now);
        for (subject, row) in &self.rows {
            for (channel, text) in row {
                keep(&self.kept(subject, channel, &now[subject][channel]), text);
            }
        }
        assert!(moved.is_empty(), "{}", self.told(&moved));
    }

    /// The page of digests: a subject a line.
    fn page(&self) -> String {
        let mut page = String::new();
        for (subject, row) in &self.rows {
            page.push_str(subject);
            for (channel, text) in row {
                write!(page, " | {channel} {}", digest(text)).unwrap();
            }
            page.push('\n');
        }
        page
    }

    /// Where a text lies.
    fn kept(&self, subject: &str, channel: &str, digest: &str) -> PathBuf {
        let plain = |c: char| {
            if c.is_alphanumeric() || "+=._-".contains(c) {
                c
            } else {
                '-'
            }
        };
        let subject: String = subject.chars().take(LONGEST_NAME).map(plain).collect();
        let file = format!("{subject}.{}.{digest}.txt", channel.replace(' ', "-"));
        Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("nets")
            .join(self.name)
            .join(file)
    }

    fn told(&self, moved: &[Moved<'_>]) -> String {
        let mut told = format!(
            "{} digests of tests/nets/{}.txt have moved:\n",
            moved.len(),
            self.name
        );
        for Moved { subject, channel, .. } in moved.iter().take(60) {
            writeln!(told, "  {subject}: {channel}").unwrap();
        }
        for one in moved.iter().take(SHOWN) {
            told.push_str(&self.difference(one));
        }
        told.push_str(
            "\nThe old texts are there if the tests have passed here before; if not, stash the change and run them once.\n\
             What has changed on purpose is accepted with: OMERTA_NETS=accept cargo test nets::\n",
        );
        told
    }

    /// The first lines in which a text is another, and where both lie.
    fn difference(&self, moved: &Moved<'_>) -> String {
        let file =
            |digest: Option<&str>| digest.map(|digest| self.kept(moved.subject, moved.channel, digest));
        let [before, now] = [moved.before, moved.now].map(file);
        let text = |path: &Option<PathBuf>| path.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let shown = |path: &Option<PathBuf>| {
            path.as_ref()
                .map_or("/dev/null".into(), |path| path.display().to_string())
        };
        let mut told = format!(
            "\n{}: {}\n  diff {} \\\n       {}\n",
            moved.subject,
            moved.channel,
            shown(&before),
            shown(&now)
        );
        let (Some(before), Some(now)) = (text(&before), text(&now)) else {
            return told;
        };
        let lines = similar::TextDiff::from_lines(&before, &now);
        let changed = lines
            .iter_all_changes()
            .filter(|change| change.tag() != similar::ChangeTag::Equal);
        for change in changed.take(LINES) {
            write!(told, "  {}{change}", change.tag()).unwrap();
        }
        told
    }
}

fn read(page: &str) -> Digests {
    let row = |line: &str| {
        let mut cells = line.split(" | ");
        let subject = cells.next().unwrap().to_owned();
        let cell = |cell: &str| {
            cell.rsplit_once(' ')
                .map(|(channel, digest)| (channel.to_owned(), digest.to_owned()))
        };
        (subject, cells.filter_map(cell).collect())
    };
    page.lines().map(row).collect()
}

fn moved<'a>(known: &'a Digests, now: &'a Digests) -> Vec<Moved<'a>> {
    let cells = |all: &'a Digests| {
        { all.iter() }.flat_map(|(subject, row)| {
            row.iter()
                .map(move |(channel, digest)| ((subject.as_str(), channel.as_str()), digest.as_str()))
        })
    };
    let (known, now): (BTreeMap<_, _>, BTreeMap<_, _>) = (cells(known).collect(), cells(now).collect());
    let mut places: Vec<(&str, &str)> = known.keys().chain(now.keys()).copied().collect();
    places.sort_unstable();
    places.dedup();
    let place = |(subject, channel): (&'a str, &'a str)| {
        let [before, now] = [&known, &now].map(|all| all.get(&(subject, channel)).copied());
        (before != now).then_some(Moved {
            subject,
            channel,
            before,
            now,
        })
    };
    places.into_iter().filter_map(place).collect()
}

/// FNV-1a of sixty-four bits, folded to twenty-four: the same on every machine.
fn digest(text: &str) -> String {
    let hash = Digest::of(text);
    format!(
        "{:06x}",
        (hash >> 48) ^ (hash >> 24 & 0xff_ffff) ^ (hash & 0xff_ffff)
    )
}

/// Writes a text that is not there yet.
fn keep(path: &Path, text: &str) {
    if !path.exists() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a_digest_that_moves_is_told_with_its_lines_and_one_that_does_not_is_not() {
    let mut net = Net::new("none");
    net.add("city", "heard", "one\ntwo\n");
    let known = read("city | heard 00000000 | seen 12345678\n");
    let now = read(&net.page());
    let found = moved(&known, &now);
    let places: Vec<_> = found
        .iter()
        .map(|moved| (moved.channel, moved.now.is_some()))
        .collect();
    assert_eq!(places, [("heard", true), ("seen", false)]);
    assert!(moved(&now, &read(&net.page())).is_empty());
    keep(&net.kept("city", "heard", "00000000"), "one\nthree\n");
    let text = digest("one\ntwo\n");
    keep(&net.kept("city", "heard", &text), "one\ntwo\n");
    let told = net.told(&found);
    assert!(told.contains("-three\n") && told.contains("+two\n"), "{told}");
}
