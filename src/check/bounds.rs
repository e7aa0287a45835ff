//! How much a ruleset may declare, and that parameters hide nothing that is declared.

use crate::load::Declared;
use crate::symbol::{Meaning, Symbols};
use omerta_core::codes;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::{GroupKind, Kind, Ruleset};
use omerta_core::source::{Sources, Span};
use omerta_syntax::tree::{Clause, ItemKind, Name};
use omerta_syntax::{walk, words};
use std::sync::Arc;

/// How many names a ruleset with its libraries and overlays may declare.
const MOST_NAMES: usize = 4_000;
/// How many statements, values and names, down to the last; what it takes to check them grows with it.
const MOST_PARTS: usize = 60_000;
/// How many zones.
const MOST_ZONES: usize = 64;

/// Reports and cuts off what is beyond the bounds.
pub(super) fn check_bounds(items: &mut Vec<Declared>, diagnostics: &mut Vec<Diagnostic>) {
    let (mut names, mut parts, mut zones) = (0, 0, 0);
    let beyond = items.iter().position(|declared| {
        names += match &declared.item.kind {
            ItemKind::Mark { names, .. }
            | ItemKind::Flag { names, .. }
            | ItemKind::Count { names, .. }
            | ItemKind::Link { names, .. } => names.len(),
            ItemKind::Token { faces, .. } => faces.len() + 1,
            _ => 1,
        };
        zones += usize::from(matches!(declared.item.kind, ItemKind::Zone { .. }));
        parts += walk::size(&declared.item.kind);
        names > MOST_NAMES || zones > MOST_ZONES || parts > MOST_PARTS
    });
    let Some(beyond) = beyond else { return };
    let span = items[beyond].item.span;
    diagnostics.push(match (zones > MOST_ZONES, names > MOST_NAMES) {
        (true, _) => too_many(MOST_ZONES, "zones", span),
        (_, true) => too_many(MOST_NAMES, "names", span),
        _ => too_many(MOST_PARTS, "statements, values and names", span),
    });
    // That there is no script would be another mistake.
    let is_script = |declared: &&mut Declared| matches!(declared.item.kind, ItemKind::Script(_));
    let script = items[beyond..].iter_mut().find(is_script).map(|declared| {
        if let ItemKind::Script(body) = &mut Arc::make_mut(&mut declared.item).kind {
            body.statements.clear();
        }
        declared.clone()
    });
    items.truncate(beyond);
    items.extend(script);
}

/// Parameters of scenes, events, defines and offers are new names.
pub(super) fn check_params(
    items: &[Declared],
    rules: &Ruleset,
    symbols: &Symbols,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for declared in items {
        let word = match &declared.item.kind {
            ItemKind::Clause(_) | ItemKind::Define { .. } => "when",
            _ => "if",
        };
        for name in params(&declared.item.kind, rules) {
            if words::stands_alone(&name.text) {
                diagnostics.push(crate::errors::built_in_name(name));
            } else if let Some(symbol) = symbols.get(&name.text)
                && !is_own_name(sources, name, symbol.span)
            {
                let found = crate::errors::shadows(name, symbol.span);
                diagnostics.push(match symbol.meaning {
                    Meaning::Group(_) | Meaning::Fact(_) => found.help(format!(
                        "here stands a new name for whoever it is about, such as `p`; what is so for `{0}` alone stands behind `{word} p is {0}`",
                        name.text
                    )),
                    _ => found,
                });
            }
        }
    }
}

/// Whether a name belongs to a library alone, which cannot know what whoever uses it declares: inside
/// the library its own name counts.
pub(super) fn is_own_name(sources: &Sources, name: &Name, declared: Span) -> bool {
    let home = name.span.source;
    let is_library = || {
        let mut lines = sources.get(home).text.lines();
        lines.any(|line| line.starts_with("library "))
    };
    home != declared.source && is_library()
}

fn params<'a>(kind: &'a ItemKind, rules: &Ruleset) -> Vec<&'a Name> {
    match kind {
        // What a rule binds is looked at where it comes in.
        ItemKind::Rule(_) => Vec::new(),
        // `define circle of Guards = …` is for that team alone.
        ItemKind::Define {
            param: Some(param), ..
        }
        | ItemKind::Clause(Clause {
            param: Some(param), ..
        }) if param.kind == Kind::Players && is_title(rules, &param.name.text) => Vec::new(),
        kind => walk::parameters(kind),
    }
}

fn is_title(rules: &Ruleset, name: &str) -> bool {
    rules
        .groups
        .iter()
        .any(|g| g.name == name && matches!(g.kind, GroupKind::Role | GroupKind::Team))
}

mistakes! {
    fn too_many(most: usize, what: &str, span: Span) = error(codes::TOO_MANY_NAMES, span):
        format!("a ruleset has at most {most} {what}"), "one too many",
        help "leave out what no rule needs";
}
