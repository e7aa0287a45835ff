//! Places and names of files as the protocol has them: lines with columns in units of the client's choice, and URIs.

use gen_lsp_types::{Position, PositionEncodingKind, Range, Uri};
use omerta_workbench::findings::At;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// In which units a client counts columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Half-words, as every client can.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The first that a client offers of those that are known here.
    pub fn of(offered: Option<&Value>) -> Encoding {
        let known = |kind: &Value| match kind.as_str()? {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        };
        offered
            .and_then(|all| all.as_array()?.iter().find_map(known))
            .unwrap_or_default()
    }

    /// As the protocol calls it.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// How many units a letter has.
    pub fn units(self, letter: char) -> usize {
        match self {
            Encoding::Utf8 => letter.len_utf8(),
            Encoding::Utf16 => letter.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// How many units some letters have.
    pub fn length(self, letters: &str) -> u32 {
        letters.chars().map(|letter| self.units(letter)).sum::<usize>() as u32
    }
}

/// A text with the beginnings of its lines, which end as the protocol has it.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    /// The lines of a text.
    pub fn of(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let behind = (0..bytes.len()).filter(ends).map(|at| at + 1);
        Lines {
            text,
            starts: std::iter::once(0).chain(behind).collect(),
            encoding,
        }
    }

    /// Where a byte stands; one inside a letter counts for that letter's first.
    pub fn position(&self, offset: usize) -> Position {
        let offset = on_letter(self.text, offset);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        Position {
            line: line as u32,
            character: self.encoding.length(before),
        }
    }

    /// The places of some bytes.
    pub fn range(&self, bytes: &std::ops::Range<usize>) -> Range {
        Range {
            start: self.position(bytes.start),
            end: self.position(bytes.end),
        }
    }

    /// The byte at a place; what lies outside of the text counts for its nearest end.
    pub fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else {
            return self.text.len();
        };
        let end = self.starts.get(position.line as usize + 1).copied();
        let line = self.text[*start..end.unwrap_or(self.text.len())].trim_end_matches(['\n', '\r']);
        let mut left = position.character as usize;
        for (at, letter) in line.char_indices() {
            let units = self.encoding.units(letter);
            if left < units {
                return start + at;
            }
            left -= units;
        }
        start + line.len()
    }

    /// The bytes of a range, the right way round.
    pub fn bytes(&self, range: Range) -> std::ops::Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        start.min(end)..end.max(start)
    }
}

/// Where something was found.
pub fn range_of(at: &At, encoding: Encoding) -> Range {
    let text = &at.source.text;
    let position = |offset: usize| {
        let offset = on_letter(text, offset);
        let (line, start) = at.source.line_in_editors(offset);
        Position {
            line: line as u32,
            character: encoding.length(&text[start..offset]),
        }
    };
    Range {
        start: position(at.range.start),
        end: position(at.range.end),
    }
}

/// A byte of a text; one inside a letter counts for that letter's first.
fn on_letter(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The path that a URI names; one of another scheme stands under a path of its own.
pub fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_ref();
    let Some(rest) = text.strip_prefix("file://") else {
        return Path::new("/").join(text.replace(':', "/").trim_start_matches('/'));
    };
    let path = match rest.find('/') {
        Some(slash) => decoded(&rest[slash..]),
        None => decoded(rest),
    };
    // `/C:/rules` is `C:/rules`.
    let drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes()[1].is_ascii_alphabetic();
    PathBuf::from(if drive { &path[1..] } else { &path })
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let hex = text
            .get(at + 1..at + 3)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The URI of a path.
pub fn uri_of(path: &Path) -> Uri {
    let path = path.display().to_string().replace('\\', "/");
    let mut out = String::from(if path.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    Uri::from(out)
}
