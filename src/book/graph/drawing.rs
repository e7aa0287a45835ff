//! The course of a game as SVG: boxes inside boxes from the top down, an arrow back where something is
//! repeated. No style from elsewhere; the whole text stands in the description.

use crate::graph::{Step, text};
use crate::{cards::wrapped, markup::escaped};

const WIDTH: usize = 720;
const MARGIN: usize = 16;
/// The height of a line of text.
const LINE: usize = 18;
/// What is left free inside a box, and between two of them.
const INSIDE: usize = 10;
const GAP: usize = 14;
/// How wide a letter is, about.
const LETTER: usize = 8;
/// The least width of a box, however deep it lies.
const NARROWEST: usize = 200;

const STYLE: &str = "\
text{font:14px system-ui,sans-serif;fill:#1d2430}.soft{fill:#5b6472;font-size:13px}.strong{font-weight:600}\
.scene{fill:#fff;stroke:#5b6472}.repeat{fill:#f3f5f9;stroke:#2d5a9c;stroke-dasharray:6 4}.call{fill:#fbf6e6;stroke:#94690b}\
.way{stroke:#a3acb9;stroke-width:2}.line{stroke:#5b6472;fill:none}.loop{stroke:#2d5a9c;fill:none;stroke-width:1.5}\
.number{fill:#94690b}.number+text{fill:#fff;font-weight:600}";

/// The steps as a drawing.
pub fn drawing(title: &str, steps: &[Step]) -> String {
    let mut drawing = Drawing { out: String::new() };
    let top = MARGIN + 2 * LINE;
    let high = drawing.steps(steps, MARGIN, top, WIDTH - 2 * MARGIN) + top + MARGIN;
    let (title, text) = (escaped(title), escaped(&text::text(title, steps)));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{high}\" viewBox=\"0 0 {WIDTH} {high}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{title}: the course of the game</title>\n<desc id=\"desc\">{text}</desc>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"context-stroke\"/></marker></defs>\n\
         <rect width=\"{WIDTH}\" height=\"{high}\" fill=\"#fff\"/>\n\
         <text class=\"strong\" x=\"{MARGIN}\" y=\"{}\">{title}</text>\n{}</svg>\n",
        MARGIN + LINE,
        drawing.out
    )
}

struct Drawing {
    out: String,
}

impl Drawing {
    /// Draws steps one below the other; how high all of them are.
    fn steps(&mut self, steps: &[Step], x: usize, y: usize, wide: usize) -> usize {
        let mut below = y;
        for (number, step) in steps.iter().enumerate() {
            // Of two ways only one is gone.
            let is_way = matches!(step, Step::Way { .. });
            if number > 0 && is_way {
                below += GAP;
            } else if number > 0 {
                let middle = x + wide / 2;
                let (from, to) = (below + 1, below + GAP - 1);
                self.add(&format!(
                    "<line class=\"line\" x1=\"{middle}\" x2=\"{middle}\" y1=\"{from}\" y2=\"{to}\" marker-end=\"url(#tip)\"/>"
                ));
                below += GAP;
            }
            below += self.step(step, x, below, wide);
        }
        below - y
    }

    fn step(&mut self, step: &Step, x: usize, y: usize, wide: usize) -> usize {
        match step {
            Step::Scene { name, inner } => self.container("scene", "strong", name, inner, (x, y, wide)),
            Step::Repeat { head, inner } => self.repeat(head, inner, x, y, wide),
            Step::Way { when, inner } => self.way(when, inner, x, y, wide),
            Step::Call { number, who, asked } => self.call(*number, who, asked, (x, y, wide)),
            Step::Verdict(words) => {
                let middle = x + wide / 2;
                self.text("soft\" text-anchor=\"middle", middle, y + LINE - 4, words);
                LINE
            }
        }
    }

    /// A box with a name and what is in it.
    fn container(
        &mut self,
        class: &str,
        words: &str,
        name: &str,
        inner: &[Step],
        (x, y, wide): (usize, usize, usize),
    ) -> usize {
        let at = self.out.len();
        let head = LINE + INSIDE;
        let (inside, narrower) = (x + INSIDE, (wide - 2 * INSIDE).max(NARROWEST));
        let high = match inner.is_empty() {
            true => head,
            false => head + self.steps(inner, inside, y + head, narrower) + INSIDE,
        };
        // The box lies under what is in it.
        let drawn = format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" rx=\"5\"/>\n"
        );
        self.out.insert_str(at, &drawn);
        self.text(words, x + INSIDE, y + LINE + 1, name);
        high
    }

    fn repeat(&mut self, head: &str, inner: &[Step], x: usize, y: usize, wide: usize) -> usize {
        let narrower = wide - 3 * INSIDE;
        let high = self.container("repeat", "soft", head, inner, (x, y, narrower));
        let (right, end) = (x + narrower, x + wide - INSIDE);
        let (from, to) = (y + high - INSIDE, y + INSIDE + 4);
        self.add(&format!(
            "<path class=\"loop\" d=\"M{right} {from}H{end}V{to}H{}\" marker-end=\"url(#tip)\"/>",
            right + 2
        ));
        high
    }

    /// What is done under a condition, behind a line on its left.
    fn way(&mut self, when: &str, inner: &[Step], x: usize, y: usize, wide: usize) -> usize {
        let lines = wrapped(when, (wide - 2 * INSIDE) / LETTER);
        for (number, line) in lines.iter().enumerate() {
            self.text("soft", x + INSIDE, y + LINE * (number + 1) - 4, line);
        }
        let head = LINE * lines.len() + 2;
        let high = head + self.steps(inner, x + INSIDE, y + head, (wide - INSIDE).max(NARROWEST));
        self.add(&format!(
            "<line class=\"way\" x1=\"{x}\" x2=\"{x}\" y1=\"{y}\" y2=\"{}\"/>",
            y + high
        ));
        high
    }

    fn call(
        &mut self,
        number: usize,
        who: &str,
        asked: &[String],
        (x, y, wide): (usize, usize, usize),
    ) -> usize {
        let asked = asked
            .iter()
            .flat_map(|words| wrapped(&format!("“{words}”"), (wide - 50) / LETTER));
        let asked: Vec<String> = asked.collect();
        let high = LINE * (1 + asked.len()) + INSIDE;
        self.add(&format!(
            "<rect class=\"call\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" rx=\"12\"/>\n\
             <circle class=\"number\" cx=\"{0}\" cy=\"{1}\" r=\"11\"/><text text-anchor=\"middle\" x=\"{0}\" y=\"{2}\">{number}</text>",
            x + 17,
            y + 14,
            y + 19
        ));
        self.text("strong", x + 36, y + 19, who);
        for (number, line) in asked.iter().enumerate() {
            self.text("soft", x + 36, y + 19 + LINE * (number + 1), line);
        }
        high
    }

    fn text(&mut self, class: &str, x: usize, y: usize, words: &str) {
        let words = escaped(words);
        self.add(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{words}</text>"
        ));
    }

    fn add(&mut self, drawn: &str) {
        self.out.push_str(drawn);
        self.out.push('\n');
    }
}
