//! What may stand at a place of a text that is still being written.
//!
//! The declaration is cut off at the place and read to there; what the grammar would have taken is what may stand
//! there. Where something before it is broken, only the statement is read.

use crate::{
    expected,
    grammar::{Chunk, Refusal, Rule, run},
    split::{self, Splitter},
    token::{self, Token, TokenKind},
    words,
};
use omerta_core::source::SourceId;
use std::ops::Range;

/// What may stand at a byte inside of a text, where that is between braces: a value; nothing elsewhere.
pub fn expected_in_text(text: &str, offset: usize) -> Option<Expected> {
    let tokens = token::scan(text).tokens;
    let is_around =
        |token: &&Token| token.kind == TokenKind::Text && token.start < offset && offset <= token.end;
    let token = tokens.iter().find(is_around)?;
    let (_, inside) = text[token.start..offset].rsplit_once('{')?;
    if inside.contains(['}', ':', '"']) {
        return None;
    }
    let is_letter = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    let word = offset - (inside.len() - inside.trim_end_matches(is_letter).len())..offset;
    let around = &text[..token.start];
    let mut found = Expected {
        value: true,
        name: true,
        word,
        before: { inside.trim_end_matches(is_letter).split_whitespace() }
            .map(str::to_owned)
            .collect(),
        ..Expected::default()
    };
    let tokens = token::scan(around).tokens;
    let item = innermost(around, &tokens, &mut found)?;
    found.item_start = tokens.get(item.start).map_or(around.len(), |token| token.start);
    found.item = words::first(&around[found.item_start..]).to_owned();
    Some(found)
}

/// A sign that nothing takes: there the grammar has to give up.
const STOP: char = '\u{1}';

/// What may stand at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// A declaration may begin.
    pub declaration: bool,
    /// A statement may begin.
    pub statement: bool,
    /// A value may begin.
    pub value: bool,
    /// A name may stand, be it a new one or one that is known.
    pub name: bool,
    /// The words of the language that may stand.
    pub words: Vec<String>,
    /// The words and signs of the statement, or of the declaration where it is in none, up to the place.
    pub before: Vec<String>,
    /// The first word of the declaration.
    pub item: String,
    /// Where the declaration begins.
    pub item_start: usize,
    /// Whether it is inside of an overlay.
    pub in_overlay: bool,
    /// The bytes of the word that is being written there.
    pub word: Range<usize>,
}

/// What may stand at a byte of a text of rules; nothing inside of texts and remarks.
pub fn expected_at(text: &str, offset: usize) -> Option<Expected> {
    let mut word = word_around(text, offset)?;
    word.end = word.end.min(offset);
    let before = &text[..word.start];
    let tokens = token::scan(before).tokens;
    let mut found = Expected {
        word,
        ..Expected::default()
    };
    let item = innermost(before, &tokens, &mut found)?;
    let start = tokens.get(item.start).map_or(before.len(), |token| token.start);
    found.item_start = start;
    found.item = words::first(&before[start..]).to_owned();
    if before[start..].trim().is_empty() || begins_line_behind(before, &tokens, &item) {
        found.declaration = true;
        return Some(found);
    }
    let block = innermost_block(before, &tokens, item.clone());
    let statement = statement_start(before, &tokens, item);
    found.before = { tokens[statement..].iter() }
        .filter(|token| token.is_solid())
        .map(|token| token.text(before).to_owned())
        .collect();
    let whole = match found.item.as_str() {
        "overlay" => Rule::one_overlay_head,
        "on" => Rule::one_section_head,
        _ => Rule::one_item,
    };
    let from = tokens.get(statement).map_or(before.len(), |token| token.start);
    let rules = taken(&before[start..], whole);
    let takes_statements = |rules: &Vec<Rule>| rules.contains(&Rule::statement);
    let rules = match before[from..].trim().is_empty() {
        true if rules.as_ref().is_some_and(takes_statements) => rules,
        // Where a block takes statements, one may begin on a line of its own, whatever stands on those above.
        true => {
            let block = block.and_then(|block| taken(&before[start..block], whole));
            let block = block.filter(takes_statements);
            block.or(rules).or_else(|| Some(vec![Rule::statement]))
        }
        // By itself it might be whole before the place: in a block it has to go on.
        false => rules.or_else(|| taken(&format!("script {{\n{}", &before[from..]), Rule::one_item)),
    };
    found.fill(&rules?);
    Some(found)
}

/// The byte behind the brace of the innermost block that is open at the end of a declaration; nothing where a sentence
/// goes on there, in brackets or behind a word that wants more.
fn innermost_block(text: &str, tokens: &[Token], item: Range<usize>) -> Option<usize> {
    let mut open = Vec::new();
    for token in &tokens[item.clone()] {
        match token.kind {
            TokenKind::Open | TokenKind::ParenOpen => open.push(token),
            TokenKind::Close | TokenKind::ParenClose => drop(open.pop()),
            _ => {}
        }
    }
    let last = tokens[item].iter().rfind(|token| token.is_solid())?;
    let block = open.last().filter(|token| token.kind == TokenKind::Open)?;
    (!split::leads_on(last.text(text))).then_some(block.end)
}

impl Expected {
    fn fill(&mut self, rules: &[Rule]) {
        self.declaration = rules
            .iter()
            .any(|rule| matches!(rule, Rule::item | Rule::one_item));
        self.statement = rules.contains(&Rule::statement);
        self.value = expected::begins_value(rules);
        self.name = rules.iter().any(|rule| expected::is_name(*rule));
        self.words = expected::words_of(rules);
    }
}

/// The word at a byte, empty where there is none; nothing inside of a text or a remark.
fn word_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let scan = token::scan(text);
    let inside = scan.tokens.iter().any(|token| {
        let closed = matches!(token.kind, TokenKind::Text | TokenKind::Script);
        let open = closed && offset == token.end && !text[..offset].ends_with('"');
        (closed && token.start < offset && offset < token.end)
            || open
            || token.kind == TokenKind::Comment && token.start < offset && offset <= token.end
    });
    if inside {
        return None;
    }
    let word = { scan.tokens.iter() }.find(|token| {
        matches!(token.kind, TokenKind::Word | TokenKind::Number)
            && token.start <= offset
            && offset <= token.end
    });
    Some(word.map_or(offset..offset, |token| token.start..token.end))
}

/// The tokens of the declaration that is open at the end of a text, the innermost of overlays and sections.
fn innermost(text: &str, tokens: &[Token], found: &mut Expected) -> Option<Range<usize>> {
    let braces = split::match_braces(tokens);
    let splitter = Splitter {
        text,
        tokens,
        braces: &braces,
    };
    let mut range = 0..tokens.len();
    loop {
        let Some(last) = splitter.declarations(range.clone()).pop() else {
            return Some(tokens.len()..tokens.len());
        };
        let open = last.clone().find(|index| tokens[*index].kind == TokenKind::Open);
        let holds_items = matches!(splitter.first_word(&last), "overlay" | "on");
        match open {
            Some(open) if holds_items && braces.closing(open).is_none() => {
                found.in_overlay = true;
                range = open + 1..tokens.len();
            }
            Some(open) if holds_items => {
                return Some(match braces.closing(open) {
                    Some(close) if close + 1 >= last.end => tokens.len()..tokens.len(),
                    _ => last,
                });
            }
            _ => return Some(last.start..tokens.len()),
        }
    }
}

/// Whether the place is at the beginning of a line behind a declaration that is whole: another may begin there.
fn begins_line_behind(text: &str, tokens: &[Token], item: &Range<usize>) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let depth = |kinds: [TokenKind; 2]| {
        let count = |kind| {
            tokens[item.clone()]
                .iter()
                .filter(|token| token.kind == kind)
                .count()
        };
        count(kinds[0]) > count(kinds[1])
    };
    let open =
        depth([TokenKind::Open, TokenKind::Close]) || depth([TokenKind::ParenOpen, TokenKind::ParenClose]);
    let last = tokens[item.clone()].iter().rfind(|token| token.is_solid());
    let leads = last.is_some_and(|last| split::leads_on(last.text(text)));
    line.trim().is_empty() && text.contains('\n') && !open && !leads
}

/// The token with which the innermost statement begins that is open at the end of a text; the declaration's first
/// where it is in no block.
fn statement_start(text: &str, tokens: &[Token], item: Range<usize>) -> usize {
    let mut starts = vec![item.start];
    for index in item {
        let token = &tokens[index];
        match token.kind {
            TokenKind::Open => starts.push(index + 1),
            TokenKind::Close if starts.len() > 1 => {
                starts.pop();
                if starts.len() > 1 && !goes_on(index, tokens) {
                    set(&mut starts, index + 1);
                }
            }
            TokenKind::Newline if starts.len() > 1 => set(&mut starts, index + 1),
            TokenKind::Sign if starts.len() > 1 && token.text(text) == ";" => set(&mut starts, index + 1),
            _ => {}
        }
    }
    let start = starts.last().copied().unwrap_or_default();
    let solid = (start..tokens.len()).find(|index| tokens[*index].is_solid());
    solid.unwrap_or(tokens.len())
}

fn set(starts: &mut [usize], index: usize) {
    if let Some(last) = starts.last_mut() {
        *last = index;
    }
}

/// Whether something follows on the line of a brace that closes.
fn goes_on(close: usize, tokens: &[Token]) -> bool {
    tokens
        .get(close + 1)
        .is_some_and(|next| next.kind != TokenKind::Newline)
}

/// What the grammar would take at the end of a text; nothing where it gives up before.
fn taken(text: &str, rule: Rule) -> Option<Vec<Rule>> {
    let stopped = format!("{text}{STOP}");
    let chunk = Chunk {
        source: SourceId::default(),
        text: &stopped,
        offset: 0,
    };
    let refusal: Refusal = run(chunk, rule).err()?;
    let at = match refusal.location {
        pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
    };
    let rest = text.get(at..)?;
    match refusal.variant {
        pest::error::ErrorVariant::ParsingError { positives, .. } if rest.trim().is_empty() => {
            Some(positives)
        }
        _ => None,
    }
}
