//! From text to trees and back.

use omerta::{source::{SourceId, Sources}, syntax::{parse_file, tree}};

const EVERY_CONSTRUCT: &str = include_str!("syntax/every_construct.mafia");

fn render(text: &str, d: &omerta::diagnostic::Diagnostic) -> String {
    let mut s = Sources::default();
    let id = s.add("t", text);
    let p = s.get(id).place(d.span().start as usize);
    format!("{} {}:{} {} [{}] help: {}", d.code.0, p.line, p.column, d.message, d.labels[0].text, d.help.clone().unwrap_or_default())
}

#[test]
fn every_construct_parses() {
    let (file, d) = parse_file(SourceId(0), EVERY_CONSTRUCT);
    let shown: Vec<String> = d.iter().map(|d| render(EVERY_CONSTRUCT, d)).collect();
    assert!(d.is_empty(), "{}", shown.join("\n"));
    println!("{}", file.items.len());
    let _: Vec<tree::Item> = file.items;
}
