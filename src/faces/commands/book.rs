//! `omerta book`: the rulebook, the page for players, the role cards.

use super::ruleset::{Changes, lay, wanted};
use crate::faces::console::Console;
use anyhow::{Result, bail};
use omerta_book::{book, subject::Subject, summary};
use omerta_book::{
    cards::{Paper, cards, pages, roles_of},
    html::html,
    markdown::markdown,
};
use omerta_workbench::files;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Everything in the book comes out of the ruleset: its titles, texts, rules, casts and options, and \
what stands above a declaration as a remark. Lines that begin with `///` are written for readers; \
where there are some, other remarks are left out.

Examples:
  omerta book RULESET                        the whole book as Markdown
  omerta book RULESET --html book.html       as one page that needs nothing else, and prints well
  omerta book RULESET --with NAME --set OPTION=VALUE
                                             with what is played here
  omerta book RULESET --summary              one page for the players
  omerta book RULESET --cards cards.html --players 8
                                             the cards of the cast for eight, to print and cut out
  omerta book RULESET --cards cards.html --paper letter --backs
                                             a card of each role, on Letter, with backs

Exit: 0 done, 1 the ruleset has mistakes, 2 a file could not be read or written.")]
pub struct Words {
    /// A bundled ruleset, or the path of one
    ruleset: String,
    #[command(flatten)]
    changes: Changes,
    /// How it is written
    #[arg(long, value_enum, default_value = "markdown")]
    format: Form,
    /// Write the page into this file, as HTML
    #[arg(long, value_name = "FILE", value_parser = super::made, conflicts_with = "format")]
    html: Option<PathBuf>,
    /// One page for the players instead of the book, with nothing in it that only the host may know
    #[arg(long)]
    summary: bool,
    /// Write role cards into this file: pages to print (`.html`), or one drawing (`.svg`)
    #[arg(long, value_name = "FILE", value_parser = super::made)]
    cards: Option<PathBuf>,
    /// With --cards: the cards of the cast for this many players
    #[arg(long, value_name = "N", requires = "cards", allow_negative_numbers = true, value_parser = super::whole::<u8>(1, 64))]
    players: Option<u8>,
    /// With --cards FILE.html: what they are printed on
    #[arg(long, value_enum, default_value = "a4", requires = "cards")]
    paper: Sheets,
    /// With --cards FILE.html: a page with backs behind each, for two-sided printing
    #[arg(long, requires = "cards")]
    backs: bool,
}

/// What is printed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Sheets {
    /// 210 by 297 millimetres.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

/// How a page is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Form {
    /// Text with simple marks.
    Markdown,
    /// A page for a browser.
    Html,
}

/// Runs the command.
pub fn run(words: &Words, console: Console) -> Result<ExitCode> {
    let (bench, wanted) = wanted(&words.ruleset, &words.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(ExitCode::from(1));
    };
    let pages = bench.with_sources(|sources| Pages::of(Subject::of(&laid, sources), words))?;
    if let (Some(path), Some(cards)) = (&words.cards, &pages.cards) {
        files::write(path, cards)?;
        console.talk(&format!("wrote {}\n", path.display()));
    }
    match &words.html {
        Some(path) => {
            files::write(path, &pages.page)?;
            console.talk(&format!("wrote {}\n", path.display()));
        }
        // Whoever asks for cards alone wants no book besides.
        None if words.cards.is_some() && !words.summary => {}
        None => console.say(&pages.page)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl From<Sheets> for Paper {
    fn from(sheets: Sheets) -> Paper {
        match sheets {
            Sheets::A4 => Paper::A4,
            Sheets::Letter => Paper::Letter,
        }
    }
}

fn is_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "html" || ending == "htm")
}

/// What was asked for.
struct Pages {
    page: String,
    cards: Option<String>,
}

impl Pages {
    fn of(subject: Subject<'_>, words: &Words) -> Result<Pages> {
        let page = match words.summary {
            true => summary(subject),
            false => book(subject),
        };
        let is_html = words.html.is_some() || words.format == Form::Html;
        let cards = match &words.cards {
            None => None,
            Some(path) => match roles_of(subject, words.players) {
                Some(roles) if is_page(path) => Some(pages(subject, &roles, words.paper.into(), words.backs)),
                Some(_) if path.extension().is_some_and(|ending| ending != "svg") => bail!(
                    "cards are written as pages to print (`--cards cards.html`; a browser makes a PDF of them) or as one drawing (`--cards cards.svg`)"
                ),
                Some(_) if words.backs || words.paper != Sheets::A4 => {
                    bail!("--paper and --backs are for pages to print: write `--cards cards.html`")
                }
                Some(roles) => Some(cards(subject, &roles)),
                None => bail!("there is no cast for that many players; `omerta show` lists those there are"),
            },
        };
        Ok(Pages {
            page: if is_html { html(&page) } else { markdown(&page) },
            cards,
        })
    }
}
