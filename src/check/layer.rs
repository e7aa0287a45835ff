//! The layers of a ruleset: what a base says with its libraries, and what each overlay says.

/// Which part of the whole a declaration belongs to: the base and its libraries, or an overlay.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// The ruleset and the libraries it uses.
    Base,
    /// The overlay with that number, in the order of their names.
    Overlay(usize),
}
