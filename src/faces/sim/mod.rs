//! What many games came to, as tables and pages, and programs that play along.

mod bot;
mod page;
mod text;

pub use bot::{Program, Wanted as BotWanted};
pub use page::{Study, page};
pub use text::{Look, compared, grouped, name_of, sheet};
