//! What an overlay lies on, in the words of a message: which base is meant, and where to write what is
//! for another one.

use crate::layer::Layer;
use omerta_core::source::Span;

/// The base at hand, and what each overlay says of its bases.
#[derive(Clone, Debug, Default)]
pub struct Grounds {
    base: String,
    overlays: Vec<Overlay>,
}

#[derive(Clone, Debug)]
struct Overlay {
    bases: Vec<String>,
    /// The sections that count on the base at hand.
    sections: Vec<Span>,
}

impl Grounds {
    /// Of a base, and of what each overlay lies on with its sections for that base.
    pub fn new(base: String, overlays: impl Iterator<Item = (Vec<String>, Vec<Span>)>) -> Self {
        let overlays = overlays.map(|(bases, sections)| Overlay { bases, sections });
        Grounds {
            base,
            overlays: overlays.collect(),
        }
    }

    /// What that layer changes: `city` with an overlay on it, or the libraries of a ruleset.
    pub fn name(&self, layer: Layer) -> String {
        match layer {
            Layer::Base => "what this ruleset uses".to_owned(),
            Layer::Overlay(_) => format!("`{}`", self.base),
        }
    }

    /// Where that belongs which is not for the base at hand; nothing where there is but one base, or
    /// where it stands in a section already.
    pub fn elsewhere(&self, layer: Layer, place: Span) -> Option<String> {
        let Layer::Overlay(index) = layer else { return None };
        let overlay = self.overlays.get(index)?;
        let holds = |section: &Span| {
            section.source == place.source && section.start <= place.start && place.end <= section.end
        };
        let others = { overlay.bases.iter() }.filter(|base| **base != self.base);
        let others: Vec<&str> = others.map(String::as_str).collect();
        let quoted: Vec<String> = others.iter().map(|base| format!("`{base}`")).collect();
        let (of, names) = (quoted.join(" and "), others.join(", "));
        (!others.is_empty() && !overlay.sections.iter().any(holds))
            .then(|| format!("what is only for {of} goes into `on {names} {{ … }}`"))
    }
}
