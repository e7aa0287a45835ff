//! Bundled texts and the pages about mistakes, laid into a folder where an editor can open them.

use omerta_workbench::{bundle, explain, files};
use std::{
    cell::RefCell,
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The folder, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Laid {
    folder: Option<PathBuf>,
    /// What was laid there by this server.
    done: RefCell<BTreeSet<PathBuf>>,
}

impl Laid {
    /// In a folder of its own.
    pub fn new(folder: Option<PathBuf>) -> Laid {
        Laid {
            folder,
            done: RefCell::default(),
        }
    }

    /// Where bundled rules lie.
    pub fn rulesets(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("rulesets"))
    }

    /// Sees to it that a bundled text lies where it is looked for.
    pub fn lay(&self, path: &Path) {
        if self.is_done(path) {
            return;
        }
        let inside = self
            .rulesets()
            .and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_path_buf));
        let text =
            inside.and_then(|inside| bundle::bundled(&inside.display().to_string().replace('\\', "/")));
        if let Some(text) = text {
            self.write(path, &text.text);
        }
    }

    /// The page about a mistake.
    pub fn page(&self, code: &str) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join("errors").join(format!("{code}.md"));
        if !self.is_done(&path) {
            self.write(&path, explain::explain(code).ok()?);
        }
        Some(path)
    }

    /// Whether a text was laid there, and nobody has swept it away since.
    fn is_done(&self, path: &Path) -> bool {
        self.done.borrow().contains(path) && files::is_there(path)
    }

    /// Whoever cannot write there reads nothing there; all the rest works.
    fn write(&self, path: &Path, text: &str) {
        self.done.borrow_mut().insert(path.to_path_buf());
        if files::read(path).is_ok_and(|there| there == text) {
            return;
        }
        if let Some(folder) = path.parent() {
            drop(files::make_folder(folder).and_then(|()| files::write(path, text)));
        }
    }
}
