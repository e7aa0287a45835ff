//! All tests in one binary, one file per feature.

mod chance;
mod render;
mod syntax;
mod tidy;
