//! To come: words.
