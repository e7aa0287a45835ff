//! All tests in one binary, one file per feature.

mod chance;
mod engine;
mod render;
mod syntax;
mod tidy;
