//! Hands the two generated parsers to the `tree-sitter` crate.
//!
//! This is the one place with `unsafe`: a foreign function can be named in no other way. The program does
//! not depend on this crate; its tests do.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_mafia() -> *const ();
    fn tree_sitter_play() -> *const ();
}

/// The language of `.mafia` files.
// SAFETY: the function comes from the parser generator and returns a language that lives for ever.
pub const MAFIA: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_mafia) };

/// The language of `.play` files.
// SAFETY: as above.
pub const PLAY: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_play) };
