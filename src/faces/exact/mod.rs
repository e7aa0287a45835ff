//! What is certain of a game, as tables, pages and data.

mod data;
mod page;
mod rows;
mod text;

pub use data::{csv, json};
pub use page::page;
pub use rows::{Case, Kind, Row, Study, rows};
pub use text::{compared, percent, sheet, whole_percent};
