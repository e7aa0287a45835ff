//! To come: effects.
