//! To come: run.
