//! `omerta lsp`: what editors talk to.
#![expect(
    clippy::disallowed_methods,
    reason = "where texts may be laid for reading is said by the surroundings"
)]

use anyhow::Result;
use omerta_lsp::{Surroundings, serve};
use std::{env, path::PathBuf, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
An editor starts this by itself and talks to it on standard input and output; there is nothing to see. \
The page `docs/reference/editors.md` says how each editor is told of it.

Exit: 0 the editor said goodbye, 1 it went without.")]
pub struct Words {
    /// Talk on standard input and output, as it always does; some editors pass this
    #[arg(long)]
    stdio: bool,
}

/// Runs the command.
pub fn lsp(_words: &Words) -> Result<ExitCode> {
    let (connection, threads) = lsp_server::Connection::stdio();
    let well = serve(
        connection,
        Surroundings {
            folder: Some(folder()),
            listens: None,
        },
    );
    // With an editor that has gone, what waits for its words would wait for ever.
    if well {
        threads.join()?;
    }
    Ok(ExitCode::from(u8::from(!well)))
}

/// Where bundled texts are laid for reading: a folder of this version, among what can be made anew.
fn folder() -> PathBuf {
    let named = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = || named("HOME").map(|home| home.join(".cache"));
    let cache = named("XDG_CACHE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(home);
    let cache = cache
        .filter(|folder| folder.is_absolute())
        .unwrap_or_else(env::temp_dir);
    cache.join("omerta").join(env!("CARGO_PKG_VERSION"))
}
