//! From text to trees: the two grammars, the formatter, "is this input unfinished?".
//!
//! Looks no name up and hands out no type of the parser generator.

pub mod tree;
