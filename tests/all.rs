//! All tests in one binary, one file per feature.

mod engine;
