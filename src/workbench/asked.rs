//! What of a file of rules is to be checked: by itself unless it only holds overlays, and each overlay on
//! every base that it names, with what it needs.

use crate::bundle::Shelf;
use omerta_core::source::{Loader, Sources, Span};
use omerta_syntax::{
    parse_file,
    tree::{Item, ItemKind, Name},
};
use std::borrow::Borrow;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct RulesetRequest {
    /// The name or the path of the base.
    pub base: String,
    /// The overlays, by name or path.
    pub overlays: Vec<String>,
    /// Options with the values chosen for them.
    pub options: Vec<(String, String)>,
}

impl RulesetRequest {
    /// What a file asks for.
    pub fn of(base: &Name, overlays: &[Name], options: &[(Name, Name)]) -> Self {
        let text = |name: &Name| name.text.clone();
        let option = |(name, value): &(Name, Name)| (text(name), text(value));
        RulesetRequest {
            base: text(base),
            overlays: overlays.iter().map(text).collect(),
            options: options.iter().map(option).collect(),
        }
    }

    /// The same rules with the options as they are.
    pub fn without_options(&self) -> Self {
        RulesetRequest {
            options: Vec::new(),
            ..self.clone()
        }
    }
}

/// Rules that are to be checked because of a file.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The base and what is laid on it.
    pub wanted: RulesetRequest,
    /// Where the file names what is asked for: what was named, and its place.
    pub places: Vec<(String, Span)>,
    /// Whether it is an overlay on a base that stands elsewhere.
    pub elsewhere: bool,
    /// Whether it can be played.
    pub playable: bool,
}

/// All that is to be checked of a file with those declarations; `name` is what the shelf knows it by.
pub fn asked_of<I: Borrow<Item>>(shelf: &Shelf, name: &str, items: &[I]) -> Vec<Asked> {
    let items: Vec<&Item> = items.iter().map(Borrow::borrow).collect();
    let overlays: Vec<_> = items.iter().filter_map(|item| overlay(item)).collect();
    let mut asked = Vec::new();
    if overlays.len() < items.len() || overlays.is_empty() {
        asked.push(Asked {
            wanted: RulesetRequest {
                base: name.to_owned(),
                ..RulesetRequest::default()
            },
            places: Vec::new(),
            elsewhere: false,
            playable: { items.iter() }.any(|item| matches!(item.kind, ItemKind::Ruleset { .. })),
        });
    }
    for (overlay, bases) in overlays {
        for base in bases {
            let laid = with_needs(shelf, (name, &items), overlay, &base.text);
            let own = items.iter().any(|item| is_ruleset(item, &base.text));
            let text = if own { name } else { &base.text };
            let base = Name::new(text, base.span);
            let named = [&base].into_iter().chain(&laid);
            asked.push(Asked {
                places: named.map(|name| (name.text.clone(), name.span)).collect(),
                wanted: RulesetRequest::of(&base, &laid, &[]),
                elsewhere: !own,
                playable: !own,
            });
        }
    }
    asked
}

/// What is played by a file that holds one overlay and nothing else.
pub fn overlay_alone(shelf: &Shelf, file: &str) -> Option<RulesetRequest> {
    let loaded = shelf.load(file)?;
    let id = Sources::default().add(loaded.name, loaded.text.clone());
    let (tree, _) = parse_file(id, &loaded.text);
    let is_alone = matches!(&tree.items[..], [item] if matches!(item.kind, ItemKind::Overlay { .. }));
    let asked = is_alone.then(|| asked_of(shelf, file, &tree.items))?;
    asked.into_iter().next().map(|asked| asked.wanted)
}

/// An overlay with the bases it names.
fn overlay(item: &Item) -> Option<(&Item, &[Name])> {
    match &item.kind {
        ItemKind::Overlay { bases, .. } => Some((item, bases)),
        _ => None,
    }
}

fn is_ruleset(item: &Item, wanted: &str) -> bool {
    matches!(&item.kind, ItemKind::Ruleset { name, .. } if name.text == wanted)
}

/// What must be laid on together with an overlay: itself, out of its file, what it needs, and what
/// that needs on a base; of that the place is where this overlay names what needs it.
fn with_needs(shelf: &Shelf, (file, items): (&str, &[&Item]), overlay: &Item, base: &str) -> Vec<Name> {
    let ItemKind::Overlay { name, .. } = &overlay.kind else {
        return Vec::new();
    };
    let mut all = vec![Name::new(format!("{file}:{}", name.text), name.span)];
    let mut open = needs(overlay, base);
    while let Some(need) = open.pop() {
        // What stands in the same file is meant, whoever else is called so.
        let own = items.iter().find(|item| overlay_named(item, &need.text));
        let text = own.map_or_else(|| need.text.clone(), |_| format!("{file}:{}", need.text));
        if all.iter().any(|known| known.text == text) {
            continue;
        }
        let span = need.span;
        let named_here = |inner: Name| Name { span, ..inner };
        if let Some(own) = own {
            open.extend(needs(own, base).into_iter().map(named_here));
            all.push(Name::new(text, span));
            continue;
        }
        for loaded in shelf.load_overlay(&need.text, file) {
            let id = Sources::default().add(loaded.name, "");
            let (tree, _) = parse_file(id, &loaded.text);
            let meant = tree.items.iter().filter(|item| overlay_named(item, &need.text));
            open.extend(meant.flat_map(|item| needs(item, base)).map(named_here));
        }
        all.push(need);
    }
    all
}

fn overlay_named(item: &Item, wanted: &str) -> bool {
    matches!(&item.kind, ItemKind::Overlay { name, .. } if name.text == wanted)
}

/// What an overlay names that it needs, on any base and on this one.
fn needs(overlay: &Item, on: &str) -> Vec<Name> {
    match &overlay.kind {
        ItemKind::Needs(names) => names.clone(),
        ItemKind::Section { bases, .. } if bases.iter().all(|base| base.text != on) => Vec::new(),
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => {
            items.iter().flat_map(|item| needs(item, on)).collect()
        }
        _ => Vec::new(),
    }
}
