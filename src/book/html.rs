//! A page as one HTML document: no script, no other file; for narrow screens, for the dark, for print.

use crate::markup::escaped;
use crate::page::{Block, Inline, Line, Page};
use std::collections::BTreeSet;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--soft:#5b6472;--line:#d9dde3;--said:#f3f0e7;--link:#2d5a9c}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--paper:#14181f;--soft:#a3acb9;--line:#333a46;--said:#262a2f;--link:#8db4ea}}
*{box-sizing:border-box}
body{font:16px/1.55 Georgia,'Times New Roman',serif;color:var(--ink);background:var(--paper);max-width:48rem;margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}
h1,h2,h3,h4,nav,th{font-family:system-ui,sans-serif;line-height:1.25}
h1{font-size:2rem;margin:0 0 .5rem}h2{font-size:1.4rem;margin:2.5rem 0 .7rem;padding-top:.6rem;border-top:2px solid var(--line)}
h3{font-size:1.12rem;margin:1.8rem 0 .4rem}h4{font-size:1rem;margin:1.3rem 0 .2rem}
p{margin:.4rem 0}ul,ol{margin:.4rem 0;padding-left:1.5rem}li{margin:.25rem 0}
nav ol{columns:2;font-size:.95rem;padding-left:1.7rem;margin:0}nav li{margin:0;padding:.12rem 0}nav h2{border:0;margin-top:1.2rem;font-size:1.1rem}
q{background:var(--said);border-radius:3px;padding:.05em .25em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
q::before{content:'\u{201c}'}q::after{content:'\u{201d}'}
a{color:var(--link)}a.term{color:inherit;text-decoration:underline dotted var(--soft);text-underline-offset:.2em}
.wide{overflow-x:auto;margin:.7rem 0}table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
table.n td:not(:first-child),table.n th:not(:first-child){text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media(max-width:34rem){body{margin:1rem auto;font-size:15px}nav ol{columns:1}ul,ol{padding-left:1.1rem}}
@page{margin:18mm 16mm;@bottom-center{content:counter(page);font:9pt Georgia,serif}}
@media print{:root{--ink:#000;--paper:#fff;--soft:#444;--line:#999;--said:#fff;--link:#000}body{font-size:10.5pt;max-width:none;margin:0;padding:0}
h2,h3,h4,p:has(+ul),p:has(+ol),p:has(+div){break-after:avoid}li>ul{break-before:avoid}tr,h4+p{break-inside:avoid}li{orphans:2;widows:2}th,td{padding:.12rem .5rem}h2.new{break-before:page}nav{break-after:avoid}
a,a.term{color:inherit;text-decoration:none}.wide{overflow:visible}q{padding:0}}";

/// Parts that begin a sheet when they are printed.
const NEW_SHEET: [&str; 1] = ["script"];

/// The page as a document.
pub fn html(page: &Page) -> String {
    let mut writer = Writer {
        anchors: BTreeSet::new(),
        out: String::new(),
    };
    writer.note_anchors(page);
    writer.out.push_str(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n\
         <title>{}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<main>\n",
        escaped(&page.title)
    ));
    let mut begun = false;
    for block in &page.blocks {
        if !begun && matches!(block, Block::Heading { level: 2, .. }) {
            begun = true;
            writer.contents(page);
        }
        writer.block(block);
    }
    writer.out.push_str("</main>\n</body>\n</html>\n");
    writer.out
}

struct Writer {
    /// Where links can lead.
    anchors: BTreeSet<String>,
    out: String,
}

impl Writer {
    fn note_anchors(&mut self, page: &Page) {
        for block in &page.blocks {
            match block {
                Block::Heading { anchor, .. } => {
                    self.anchors.insert(anchor.clone());
                }
                Block::List { lines, .. } => self
                    .anchors
                    .extend(lines.iter().filter_map(|line| line.anchor.clone())),
                _ => {}
            }
        }
    }

    /// The contents: every heading of the second level; a page of few parts needs none.
    fn contents(&mut self, page: &Page) {
        let parts: Vec<(&String, &String)> = page
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Heading {
                    level: 2,
                    text,
                    anchor,
                } => Some((text, anchor)),
                _ => None,
            })
            .collect();
        if parts.len() < 5 {
            return;
        }
        self.out
            .push_str("<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ol>\n");
        for (text, anchor) in parts {
            self.out.push_str(&format!(
                "<li><a href=\"#{}\">{}</a></li>\n",
                escaped(anchor),
                escaped(text)
            ));
        }
        self.out.push_str("</ol>\n</nav>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, text, anchor } => {
                let class = match *level == 2 && NEW_SHEET.contains(&anchor.as_str()) {
                    true => " class=\"new\"",
                    false => "",
                };
                let (anchor, text) = (escaped(anchor), escaped(text));
                self.out
                    .push_str(&format!("<h{level} id=\"{anchor}\"{class}>{text}</h{level}>\n"));
            }
            Block::Paragraph(words) => {
                let words = self.inlines(words);
                self.out.push_str(&format!("<p>{words}</p>\n"));
            }
            Block::List { numbered, lines } => self.list(lines, *numbered),
            Block::Table { head, rows } => self.table(head, rows),
        }
    }

    fn list(&mut self, lines: &[Line], numbered: bool) {
        let sort = if numbered { "ol" } else { "ul" };
        self.out.push_str(&format!("<{sort}>\n"));
        for line in lines {
            let anchor = line.anchor.as_ref();
            let anchor = anchor.map_or_else(String::new, |anchor| format!(" id=\"{}\"", escaped(anchor)));
            let words = self.inlines(&line.words);
            self.out.push_str(&format!("<li{anchor}>{words}"));
            if !line.inner.is_empty() {
                self.out.push('\n');
                self.list(&line.inner, false);
            }
            self.out.push_str("</li>\n");
        }
        self.out.push_str(&format!("</{sort}>\n"));
    }

    fn table(&mut self, head: &[String], rows: &[Vec<String>]) {
        let counts = |cell: &String| {
            let mut letters = cell.chars();
            letters.all(|letter| letter.is_ascii_digit() || letter == '–')
        };
        let numbers = head.len() > 1 && rows.iter().all(|row| row.iter().skip(1).all(counts));
        let class = if numbers { " class=\"n\"" } else { "" };
        self.out
            .push_str(&format!("<div class=\"wide\"><table{class}>\n<thead><tr>"));
        for cell in head {
            self.out
                .push_str(&format!("<th scope=\"col\">{}</th>", escaped(cell)));
        }
        self.out.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| format!("<td>{}</td>", escaped(cell)))
                .collect();
            self.out.push_str(&format!("<tr>{}</tr>\n", cells.concat()));
        }
        self.out.push_str("</tbody>\n</table></div>\n");
    }

    fn inlines(&self, words: &[Inline]) -> String {
        let part = |part: &Inline| match part {
            Inline::Words(words) => escaped(words),
            Inline::Strong(words) => format!("<strong>{}</strong>", escaped(words)),
            Inline::Said(words) => format!("<q>{}</q>", escaped(words)),
            Inline::Term(words, anchor) if self.anchors.contains(anchor) => {
                format!(
                    "<a class=\"term\" href=\"#{}\">{}</a>",
                    escaped(anchor),
                    escaped(words)
                )
            }
            Inline::Term(words, _) => format!("<em>{}</em>", escaped(words)),
        };
        words.iter().map(part).collect()
    }
}
