//! The picture of a session in the documentation: the program is driven at a pseudo-terminal, key by
//! key, and what stood on the screen becomes the frames of `docs/images/session.svg`.
//!
//! `docs/generate` writes it anew; otherwise it is compared, so that it shows what the program does now.

use crate::{
    program::folder,
    terminal::{ENTER, RIGHT, Terminal},
};
use std::{collections::BTreeMap, fmt::Write as _, path::Path};

/// Lines and columns of the screen.
const SIZE: (u16, u16) = (26, 80);
/// How high a line is drawn, and how wide a letter.
const LINE: u32 = 18;
const LETTER: u32 = 8;
/// Around the screen.
const EDGE: u32 = 14;

/// Keys, the last line of the screen once they have done what they do, and how long it is looked at.
struct Scene(&'static str, &'static str, u32);

const FIRST: &str = "Meeting 1, go>";
const NIGHT: &str = "Night 1, Ann and Gus, 7 options>";
const DAY: &str = "Day 2, go>";

/// What is shown: a choice, a question about the rules, what led to something, the way back, the script.
fn scenes() -> Vec<Scene> {
    vec![
        Scene("", FIRST, 30),
        Scene("to ni", "Meeting 1, go> to night", 12),
        Scene(RIGHT, "Meeting 1, go> to night", 4),
        Scene(ENTER, NIGHT, 35),
        Scene("why not Ann", "Night 1, Ann and Gus, 7 options> why not Ann", 8),
        Scene(ENTER, NIGHT, 40),
        Scene("D", "Night 1, Ann and Gus, 7 options> Dee", 10),
        Scene(RIGHT, "Night 1, Ann and Gus, 7 options> Dee", 4),
        Scene(ENTER, DAY, 35),
        Scene("why Dee", "Day 2, go> why Dee", 8),
        Scene(ENTER, DAY, 45),
        Scene("goto ni", "Day 2, go> goto night", 10),
        Scene(RIGHT, "Day 2, go> goto night", 4),
        Scene(ENTER, NIGHT, 20),
        Scene("what if Bob", "Night 1, Ann and Gus, 7 options> what if Bob", 10),
        Scene(ENTER, NIGHT, 40),
        Scene("narrate", "Night 1, Ann and Gus, 7 options> narrate", 8),
        Scene(ENTER, NIGHT, 45),
    ]
}

#[test]
fn the_picture_of_a_session_shows_what_the_program_does() {
    let drawn = drawn(&frames());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/images/session.svg");
    if std::env::var_os("OMERTA_RECORD").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, drawn).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let place = drawn.lines().zip(kept.lines()).find(|(now, then)| now != then);
    assert!(
        drawn == kept,
        "docs/images/session.svg shows another session; `docs/generate` records it anew\n{place:#?}"
    );
}

// ---- Recording

/// A line of the screen as runs of letters of one look, each with its column.
type Row = Vec<(u16, String, Look)>;

/// How letters look.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Look {
    colour: Option<u8>,
    bold: bool,
    dim: bool,
}

/// What stood on the screen, and for how long.
struct Frame {
    rows: Vec<Row>,
    /// Where the cursor stood: its line and column.
    cursor: (u16, u16),
    tenths: u32,
}

fn frames() -> Vec<Frame> {
    let folder = folder();
    let mut terminal = Terminal::play_on(folder.path(), SIZE, &["--seed", "7"]);
    let mut frames = Vec::new();
    for Scene(keys, line, tenths) in scenes() {
        terminal.press(keys);
        // The last line says what was typed or asked, and the cursor that nothing more is to come.
        let column = match keys {
            "" | ENTER => line.len() + 1,
            RIGHT => line.len(),
            typed => line.find("> ").map_or(0, |prompt| prompt + 2) + typed.len(),
        };
        terminal.until(line, |shown| {
            let screen = terminal.screen.lock().unwrap();
            let (_, at) = screen.screen().cursor_position();
            shown.trim_end().lines().last() == Some(line) && usize::from(at) == column
        });
        frames.push(frame(terminal.screen.lock().unwrap().screen(), tenths));
    }
    frames
}

fn frame(screen: &vt100::Screen, tenths: u32) -> Frame {
    Frame {
        rows: (0..SIZE.0).map(|line| row(screen, line)).collect(),
        cursor: screen.cursor_position(),
        tenths,
    }
}

fn row(screen: &vt100::Screen, line: u16) -> Row {
    let mut row: Row = Vec::new();
    for column in 0..SIZE.1 {
        let cell = screen.cell(line, column).expect("a cell of the screen");
        let look = Look {
            colour: match cell.fgcolor() {
                vt100::Color::Idx(colour) => Some(colour),
                _ => None,
            },
            bold: cell.bold(),
            dim: cell.dim(),
        };
        let letters = match cell.contents() {
            "" => " ",
            letters => letters,
        };
        match row.last_mut().filter(|(_, _, before)| *before == look) {
            Some((_, run, _)) => run.push_str(letters),
            None => row.push((column, letters.to_owned(), look)),
        }
    }
    for (_, run, _) in &mut row {
        run.truncate(run.trim_end().len());
    }
    row.retain(|(_, run, _)| !run.is_empty());
    row
}

// ---- Drawing

/// Colours by their number on a terminal.
const COLOURS: [&str; 8] = [
    "#5c6370", "#e06c75", "#98c379", "#e5c07b", "#6cb6ff", "#c792ea", "#56c8d8", "#dcdfe4",
];

/// All frames beside each other in a strip, of which a window shows one after the other.
fn drawn(frames: &[Frame]) -> String {
    let (wide, high) = (
        u32::from(SIZE.1) * LETTER + 2 * EDGE,
        u32::from(SIZE.0) * LINE + 2 * EDGE,
    );
    let all: u32 = frames.iter().map(|frame| frame.tenths).sum();
    let mut known: BTreeMap<&Row, usize> = BTreeMap::new();
    let (mut rows, mut strip, mut steps) = (String::new(), String::new(), String::new());
    let mut tenths = 0;
    for (at, frame) in frames.iter().enumerate() {
        let left = at as u32 * wide;
        let thousandths = tenths * 1000 / all;
        let (percent, rest) = (thousandths / 10, thousandths % 10);
        writeln!(steps, "{percent}.{rest}% {{ transform: translateX(-{left}px) }}").unwrap();
        tenths += frame.tenths;
        writeln!(strip, "<g transform=\"translate({} {EDGE})\">", left + EDGE).unwrap();
        let (line, column) = (u32::from(frame.cursor.0), u32::from(frame.cursor.1));
        writeln!(
            strip,
            "<rect class=\"cursor\" x=\"{}\" y=\"{}\" width=\"{LETTER}\" height=\"{LINE}\"/>",
            column * LETTER,
            line * LINE
        )
        .unwrap();
        for (line, row) in frame.rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            let next = known.len();
            let number = *known.entry(row).or_insert_with(|| {
                writeln!(rows, "<g id=\"r{next}\">{}</g>", letters(row)).unwrap();
                next
            });
            writeln!(strip, "<use href=\"#r{number}\" y=\"{}\"/>", line as u32 * LINE).unwrap();
        }
        strip.push_str("</g>\n");
    }
    let seconds = format!("{}.{}s", all / 10, all % 10);
    let palette = (COLOURS.iter().enumerate())
        .map(|(at, colour)| format!(".c{at} {{ fill: {colour} }}\n"))
        .collect::<String>();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" role=\"img\">\n\
         <title>A session of omerta play</title>\n\
         <style>\n\
         text {{ font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #dcdfe4; white-space: pre }}\n\
         .bold {{ font-weight: bold }}\n.dim {{ opacity: .6 }}\n.cursor {{ fill: #5c6370 }}\n{palette}\
         .strip {{ animation: play {seconds} step-end infinite }}\n\
         @keyframes play {{\n{steps}}}\n\
         @media (prefers-reduced-motion: reduce) {{ .strip {{ animation: none; transform: translateX(-{still}px) }} }}\n\
         </style>\n\
         <defs>\n{rows}</defs>\n\
         <rect width=\"{wide}\" height=\"{high}\" rx=\"8\" fill=\"#1e2127\"/>\n\
         <svg width=\"{wide}\" height=\"{high}\"><g class=\"strip\">\n{strip}</g></svg>\n\
         </svg>\n",
        still = 10 * wide,
    )
}

/// The runs of a row, each as wide as its letters wherever it is shown.
fn letters(row: &Row) -> String {
    let run = |(column, run, look): &(u16, String, Look)| {
        let mut classes = Vec::new();
        classes.extend(look.colour.map(|colour| format!("c{}", colour % 8)));
        classes.extend(look.bold.then(|| "bold".to_owned()));
        classes.extend(look.dim.then(|| "dim".to_owned()));
        let class = match classes.is_empty() {
            true => String::new(),
            false => format!(" class=\"{}\"", classes.join(" ")),
        };
        let begins = run.chars().take_while(|c| *c == ' ').count();
        let text: String = run.chars().skip(begins).collect();
        let (x, wide) = (
            (u32::from(*column) + begins as u32) * LETTER,
            text.chars().count() as u32 * LETTER,
        );
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        format!(
            "<text x=\"{x}\" y=\"13\" textLength=\"{wide}\" lengthAdjust=\"spacingAndGlyphs\"{class}>{text}</text>"
        )
    };
    row.iter().map(run).collect()
}
