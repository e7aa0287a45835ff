//! What is wrong, as it is told to a client: each thing once, in its file, and nothing that was told already.
//!
//! Half a word is no reason to forget what was found: while a text has not its shape, what was found in it before
//! stands where it stood, and nothing is told of names that only seem to be missing.

use crate::wire::{Encoding, range_of};
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, Message, Uri,
};
use omerta_core::{codes::Class, diagnostic::Severity};
use omerta_workbench::{
    findings::{Change, Finding},
    project::FileCheck,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// What is known to be wrong, by the file that was checked.
#[derive(Default)]
pub struct Notices {
    checked: BTreeMap<PathBuf, Vec<Finding>>,
    ran: BTreeMap<PathBuf, Vec<Finding>>,
}

impl Notices {
    /// A text has changed: what was found in it moves along, and goes where it was touched.
    pub fn moved(&mut self, change: &mut Change) {
        for found in self.checked.values_mut().chain(self.ran.values_mut()) {
            *found = found.iter().filter_map(|finding| finding.moved(change)).collect();
        }
    }

    /// A file was checked.
    pub fn checked(&mut self, path: &Path, check: &FileCheck) {
        let before = self.checked.remove(path);
        let is_misshapen = check.is_misshapen();
        let stays = |old: &Finding| match (is_misshapen, check.is_wrong()) {
            (true, _) => !old.is_about_shape(),
            (false, true) => !old.is_error(),
            (false, false) => false,
        };
        let is_told = |new: &&Finding| before.is_none() || !is_misshapen || new.is_about_shape();
        let mut all: Vec<Finding> = check.findings.iter().filter(is_told).cloned().collect();
        for old in before.iter().flatten().filter(|old| stays(old)) {
            let is_new = |new: &Finding| is_same(new, old);
            if !all.iter().any(is_new) {
                all.push(old.clone());
            }
        }
        // What hangs on the file tells the same of it, and shall not tell for longer than the file itself.
        let name = path.display().to_string();
        let is_here = |old: &&Finding| old.at.source.name == name;
        let gone = before.iter().flatten().filter(is_here);
        let gone: Vec<&Finding> = gone
            .filter(|old| !all.iter().any(|new| is_same(new, old)))
            .collect();
        for found in self.checked.values_mut() {
            found.retain(|other| !gone.iter().any(|old| is_same(old, other)));
        }
        self.checked.insert(path.to_path_buf(), all);
    }

    /// The scenarios of a file were run.
    pub fn ran(&mut self, path: &Path, findings: Vec<Finding>) {
        self.ran.insert(path.to_path_buf(), findings);
    }

    /// What was found when the scenarios of a file were run.
    pub fn ran_at(&self, path: &Path) -> &[Finding] {
        self.ran.get(path).map_or(&[], Vec::as_slice)
    }

    /// A file is of no interest any more.
    pub fn forget(&mut self, path: &Path) {
        self.checked.remove(path);
        self.ran.remove(path);
    }

    /// How many lines of a part of a file were found not to hold when it was run.
    pub fn ran_in(&self, name: &str, part: &std::ops::Range<usize>) -> usize {
        let here = self
            .ran
            .values()
            .flatten()
            .filter(|finding| finding.at.source.name == name);
        // In several cases it is the same line.
        let broken = here.filter(|finding| finding.is_error() && part.contains(&finding.at.range.start));
        let starts: BTreeSet<usize> = broken.map(|finding| finding.at.range.start).collect();
        starts.len()
    }

    /// All that is to be told, by the names of the texts; of files that are shown alone.
    pub fn by_text(&self, is_shown: impl Fn(&Path) -> bool) -> BTreeMap<String, Vec<&Finding>> {
        let mut all: BTreeMap<String, Vec<&Finding>> = BTreeMap::new();
        let found = self.checked.iter().chain(&self.ran);
        for finding in found
            .filter(|(root, _)| is_shown(root))
            .flat_map(|(_, found)| found)
        {
            let here = all.entry(finding.at.source.name.clone()).or_default();
            if !here.iter().any(|other| is_same(other, finding)) {
                here.push(finding);
            }
        }
        for found in all.values_mut() {
            found.sort_by_key(|finding| (finding.at.range.start, finding.diagnostic.code));
        }
        all
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    one.at.source.name == other.at.source.name
        && one.at.range == other.at.range
        && one.diagnostic.code == other.diagnostic.code
        && one.diagnostic.message == other.diagnostic.message
}

/// Whether a warning is about what nobody uses.
fn is_unused(finding: &Finding) -> bool {
    finding.diagnostic.code.is(Class::Unused)
}

/// How findings are told to one client.
pub struct Telling<'a> {
    /// In which units it counts.
    pub encoding: Encoding,
    /// Whether it can show other places.
    pub related: bool,
    /// The page about a mistake, by its code.
    pub page: &'a dyn Fn(&str) -> Option<Uri>,
    /// The URI of a text by its name.
    pub uri: &'a dyn Fn(&str) -> Option<Uri>,
}

impl Telling<'_> {
    /// A finding as the client gets it.
    pub fn diagnostic(&self, finding: &Finding) -> Diagnostic {
        let found = &finding.diagnostic;
        let code = found.code.0.to_owned();
        let page = (self.page)(&code).map(|href| CodeDescription { href });
        Diagnostic {
            range: range_of(&finding.at, self.encoding),
            severity: Some(match found.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
            }),
            code: Some(Code::String(code)),
            code_description: page,
            source: Some("omerta".to_owned()),
            message: Message::String(words(finding)),
            tags: is_unused(finding).then(|| vec![DiagnosticTag::Unnecessary]),
            related_information: self.related(finding),
            data: None,
        }
    }

    fn related(&self, finding: &Finding) -> Option<Vec<DiagnosticRelatedInformation>> {
        let place = |(at, words): &(omerta_workbench::findings::At, String)| {
            let uri = (self.uri)(&at.source.name)?;
            let range = range_of(at, self.encoding);
            Some(DiagnosticRelatedInformation {
                location: Location { uri, range },
                message: words.clone(),
            })
        };
        let places: Vec<_> = finding.related.iter().filter_map(place).collect();
        (self.related && !places.is_empty()).then_some(places)
    }
}

/// The sentence, what stands at the place, and the repair, a line each.
fn words(finding: &Finding) -> String {
    let found = &finding.diagnostic;
    let label = found.labels.first().map(|label| label.text.as_str());
    let help = found.help.as_ref().map(|help| format!("help: {help}"));
    let lines = [Some(found.message.clone()), label.map(str::to_owned), help];
    let lines = lines.into_iter().flatten().filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
