//! The rulebook: a ruleset told to people, out of its compiled tables, its declarations and what their
//! authors wrote above them. Nothing is told here that is not in the ruleset.

pub mod cards;
mod course;
mod deeds;
pub mod diff;
mod english;
pub mod graph;
pub mod html;
pub mod markdown;
pub mod markup;
mod nouns;
pub mod page;
mod phrases;
pub mod remarks;
mod roles;
mod setup;
mod standing;
pub mod subject;
mod summary;
mod truths;
mod values;
mod verdicts;

pub use course::Called;
pub use summary::summary;

use page::Page;
use phrases::Teller;
use subject::Subject;

/// The whole book.
pub fn book(subject: Subject<'_>) -> Page {
    let teller = Teller::of(subject);
    let mut page = Page::titled(&subject.rules.title);
    setup::add_head(&mut page, subject);
    setup::add_casts(&mut page, &teller);
    roles::add(&mut page, &teller);
    course::add_outline(&mut page, &teller);
    course::add_calls(&mut page, &teller);
    course::add_script(&mut page, &teller);
    standing::add_offers(&mut page, &teller);
    standing::add_events(&mut page, &teller);
    standing::add_rules(&mut page, &teller);
    standing::add_words(&mut page, &teller);
    verdicts::add_endings(&mut page, &teller);
    verdicts::add_overlays(&mut page, subject);
    verdicts::add_options(&mut page, subject);
    page
}
