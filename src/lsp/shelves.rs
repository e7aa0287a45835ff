//! Bundled texts and the pages about mistakes, laid into a folder where an editor can open them.

use omerta_workbench::{bundle, explain, files};
use std::path::{Path, PathBuf};

/// The folder, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Laid {
    folder: Option<PathBuf>,
}

impl Laid {
    /// In a folder of its own.
    pub fn new(folder: Option<PathBuf>) -> Laid {
        Laid { folder }
    }

    /// Where bundled rules lie.
    pub fn rulesets(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("rulesets"))
    }

    /// Sees to it that a bundled text lies where it is looked for.
    pub fn lay(&self, path: &Path) {
        let inside = self
            .rulesets()
            .and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_path_buf));
        let text =
            inside.and_then(|inside| bundle::bundled(&inside.display().to_string().replace('\\', "/")));
        if let Some(text) = text {
            write(path, &text.text);
        }
    }

    /// The page about a mistake.
    pub fn page(&self, code: &str) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join("errors").join(format!("{code}.md"));
        write(&path, explain::explain(code).ok()?);
        Some(path)
    }
}

/// Whoever cannot write there reads nothing there; all the rest works.
fn write(path: &Path, text: &str) {
    if files::read(path).is_ok_and(|there| there == text) {
        return;
    }
    if let Some(folder) = path.parent() {
        drop(files::make_folder(folder).and_then(|()| files::write(path, text)));
    }
}
