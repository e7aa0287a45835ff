//! To come: ask.
