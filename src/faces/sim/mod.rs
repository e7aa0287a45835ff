//! What many games came to, as tables and pages, and programs that play along.

mod bot;
mod page;
mod process;
mod text;

pub use bot::{Bot, House, MOST_THOUGHT, USUAL_THOUGHT, Wanted as BotWanted, careful, counted};
pub use page::{STYLE as PAGE_STYLE, Study, page, team_colour};
pub use process::{Lines, Patience, Silence};
pub use text::{Look, cards, compared, grouped, name_of, sheet};
