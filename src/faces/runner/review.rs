//! The snapshots that are others than they were, one after the other: shown as a difference, and
//! accepted, rejected or left for later by a letter. It reads lines, from a terminal or a pipe.
#![expect(clippy::disallowed_methods, reason = "reads what is typed")]

use super::human;
use crate::faces::console::{Console, paint};
use anyhow::{Context, Result};
use omerta_core::source::Span;
use omerta_workbench::runner::{Ran, snapshots::Held};
use std::{collections::BTreeSet, io};

const LEGEND: &str = "\
  a  accept: this is how it shall be       A  accept this and all that follow
  r  reject: keep the old one              R  reject this and all that follow
  s  skip: leave it for later              S  skip this and all that follow
  w  the whole game as it is now           d  the difference again
  q  leave the rest for later              ?  this list
";

/// What becomes of a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Accept,
    Reject,
    Skip,
}

/// Shows what has changed and does with it as it is told. The snapshots that were accepted.
pub fn review(rans: &[Ran], console: Console) -> Result<Accepted> {
    let open: Vec<(usize, &Held)> = rans
        .iter()
        .enumerate()
        .flat_map(|(number, ran)| ran.held.iter().map(move |held| (number, held)))
        .filter(|(_, held)| !held.is_same())
        .collect();
    let mut accepted = Accepted::default();
    let mut rest = None;
    for (at, (number, held)) in open.iter().enumerate() {
        let ran = &rans[*number];
        let verdict = match rest {
            Some(verdict) => verdict,
            None => {
                show(ran, held, (at + 1, open.len()), console)?;
                let (verdict, all) = ask(held, console)?;
                rest = all.then_some(verdict);
                verdict
            }
        };
        match verdict {
            Verdict::Accept => {
                ran.keep(held)?;
                accepted.files.insert((*number, held.file.clone()));
            }
            Verdict::Reject => ran.forget(held)?,
            Verdict::Skip => ran.lay_beside(held)?,
        }
    }
    if open.is_empty() {
        console.talk("no snapshot has changed\n");
    }
    Ok(accepted)
}

/// Snapshots that were accepted: the number of their run, and their file.
#[derive(Debug, Default)]
pub struct Accepted {
    files: BTreeSet<(usize, String)>,
}

impl Accepted {
    /// Takes what was accepted as kept.
    pub fn note(&self, rans: &mut [Ran]) {
        for (number, ran) in rans.iter_mut().enumerate() {
            for held in &mut ran.held {
                if self.files.contains(&(number, held.file.clone())) {
                    held.old = Some(held.new.clone());
                }
            }
        }
    }
}

fn show(ran: &Ran, held: &Held, (at, of): (usize, usize), console: Console) -> Result<()> {
    let colour = console.out.colour;
    let head = paint(colour, "1", &human::headline(ran, held));
    console.say(&format!(
        "\n[{at}/{of}] {head}\n{}, {}\n\n{}\n",
        held.new.title,
        place(ran, held.span),
        human::difference(held, colour)
    ))
}

fn place(ran: &Ran, span: Span) -> String {
    ran.bench.with_sources(|sources| {
        let source = sources.get(span.source);
        format!("{}:{}", source.name, source.place(span.start as usize).line)
    })
}

/// The verdict, and whether it is for all that follow. Where nobody answers any more, all is left.
fn ask(held: &Held, console: Console) -> Result<(Verdict, bool)> {
    loop {
        console.say("accept, reject or skip? [a r s, ? for more] ")?;
        let mut line = String::new();
        let read = io::stdin()
            .read_line(&mut line)
            .context("the answer cannot be read")?;
        if read == 0 {
            console.say("\n")?;
            return Ok((Verdict::Skip, true));
        }
        match line.trim() {
            "a" | "accept" => return Ok((Verdict::Accept, false)),
            "r" | "reject" => return Ok((Verdict::Reject, false)),
            "s" | "skip" => return Ok((Verdict::Skip, false)),
            "A" => return Ok((Verdict::Accept, true)),
            "R" => return Ok((Verdict::Reject, true)),
            "S" | "q" | "quit" => return Ok((Verdict::Skip, true)),
            "w" => console.say(&format!("\n{}\n", held.new.body))?,
            "d" => console.say(&format!("\n{}\n", human::difference(held, console.out.colour)))?,
            _ => console.say(LEGEND)?,
        }
    }
}
