//! Builds again when a page or a ruleset that travels inside the binary comes or goes.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script talks to Cargo on standard output"
)]

fn main() {
    for folder in ["docs/errors", "rulesets"] {
        if std::path::Path::new(folder).exists() {
            println!("cargo::rerun-if-changed={folder}");
        }
    }
}
