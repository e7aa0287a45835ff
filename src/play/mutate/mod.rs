//! Small changes to the text of a ruleset, each a slip that somebody might make: what a good set of
//! scenarios notices.
//!
//! Works on the tree and edits the text, so that a change has a place and can be shown as a line.
//! Compiles and plays nothing.

mod edit;
mod expressions;
mod items;
mod statements;

pub use edit::Change;

use edit::Changes;
use omerta_syntax::{
    tree::{File, Item, ItemKind, StatementKind},
    walk::{Part, for_each_statement},
};

/// All changes to a file, in the order of their places. With a name of an overlay, only to that one.
pub fn changes(file: &File, text: &str, overlay: Option<&str>) -> Vec<Change> {
    let mut changes = Changes::new(text);
    for item in &file.items {
        for_each_statement(&item.kind, &mut |statement| {
            if let StatementKind::Mark { set, names } = &statement.kind
                && let [name] = &names[..]
            {
                let marked = changes.marked.entry(changes.slice(set.span).to_owned());
                marked.or_default().insert(name.text.clone());
            }
        });
        Part::from(&item.kind).each(&mut |part| {
            if let Part::Item(ItemKind::Count { words, .. }) = part {
                let others = words.iter().cycle().skip(1);
                let pairs = words.iter().zip(others);
                let named = pairs.map(|(word, other)| (word.name.text.clone(), other.name.text.clone()));
                changes.words.extend(named);
            }
            if let Part::Item(ItemKind::Allow(offer)) = part {
                for_each_statement(&offer.body, &mut |statement| {
                    if let StatementKind::Play { scene, .. } = &statement.kind {
                        changes.staged.insert(scene.text.clone());
                    }
                });
            }
            matches!(part, Part::Item(_))
        });
    }
    for item in file.items.iter().filter(|item| is_wanted(item, overlay)) {
        changes.item(item);
    }
    changes.finish()
}

/// Whether an item is to be changed, where only one overlay is.
fn is_wanted(item: &Item, overlay: Option<&str>) -> bool {
    match (&item.kind, overlay) {
        (_, None) => true,
        (ItemKind::Overlay { name, .. }, Some(wanted)) => name.text == wanted,
        (_, Some(_)) => false,
    }
}
