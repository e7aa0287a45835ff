//! What is legal and surely not meant.

use crate::collect::Collected;
use crate::symbol::{Meaning, Symbols};
use crate::table::FactUse;
use omerta_core::diagnostic::{Diagnostic, Severity};
use omerta_core::mistakes;
use omerta_core::rules::{EventId, Fact, FactShape, Group, GroupId, GroupKind, Op, Role, Ruleset, SeenBy};
use omerta_core::source::{SourceId, Sources, Span};
use omerta_syntax::tree::{Expr, ExprKind, Pattern, StatementKind, Verdict};
use omerta_syntax::walk::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Looks for what is surely not meant.
pub(super) fn lint(
    rules: &Ruleset,
    symbols: &Symbols,
    collected: &Collected,
    uses: &FactUse,
    diagnostics: &mut Vec<Diagnostic>,
) {
    lint_facts(rules, symbols, diagnostics);
    lint_options(rules, symbols, diagnostics);
    lint_happenings(rules, symbols, uses, diagnostics);
    lint_calls(rules, uses, diagnostics);
    lint_roles(rules, symbols, collected, diagnostics);
    lint_teams(rules, collected, diagnostics);
}

fn lint_facts(rules: &Ruleset, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let backs = symbols.iter().filter_map(|(name, symbol)| match symbol.meaning {
        Meaning::Back(id) if symbols.read.contains(name) => Some(rules.facts[id.index()].name.as_str()),
        _ => None,
    });
    let backs: BTreeSet<&str> = backs.collect();
    let own = rules
        .facts
        .iter()
        .filter(|f| !f.hidden && !symbols.published.contains(&f.name));
    for fact in own {
        let back = backs.contains(fact.name.as_str());
        // People read what they see.
        let seen = fact.seen_by != SeenBy::Nobody;
        let read = symbols.read.contains(&fact.name) || back || seen || read_by_a_script(rules, &fact.name);
        let written = symbols.written.contains(&fact.name);
        match (read, written) {
            // It is declared for the sake of its words.
            (false, false) if symbols.offered.contains(&fact.name) => {}
            (false, _) => diagnostics.push(never_read(fact)),
            (true, false) => diagnostics.push(never_written(fact)),
            (true, true) => {}
        }
    }
}

/// Whether a script of a hook names the fact; what else a script does is not known here.
fn read_by_a_script(rules: &Ruleset, name: &str) -> bool {
    let quoted = ['"', '`'].map(|quote| format!("{quote}{name}{quote}"));
    let mut hooks = rules.hooks.iter();
    hooks.any(|hook| quoted.iter().any(|name| hook.script.contains(name)))
}

fn lint_options(rules: &Ruleset, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    for option in &rules.options {
        if !symbols.read.contains(&option.name)
            && let Some(symbol) = symbols.get(&option.name)
        {
            diagnostics.push(option_unread(&option.name, symbol.span));
        }
    }
}

fn lint_happenings(rules: &Ruleset, symbols: &Symbols, uses: &FactUse, diagnostics: &mut Vec<Diagnostic>) {
    for (index, event) in rules.events.iter().enumerate() {
        let id = EventId(index as u16);
        if uses.planned.contains(&id) && !uses.settled.contains(&id) {
            diagnostics.push(never_settled(&event.name, event.origin));
        } else if !symbols.read.contains(&event.name) && !symbols.published.contains(&event.name) {
            diagnostics.push(never_happens(&event.name, event.origin));
        }
    }
}

fn lint_calls(rules: &Ruleset, uses: &FactUse, diagnostics: &mut Vec<Diagnostic>) {
    let parts: BTreeSet<_> = rules
        .parts
        .iter()
        .map(|part| (part.title, part.purpose))
        .collect();
    let mut called = BTreeSet::new();
    for (title, purpose, span) in &uses.calls {
        let Some(title) = title else {
            // Which one, the game will say: it may be any.
            let of_purpose = parts.iter().filter(|part| part.1 == *purpose);
            called.extend(of_purpose.clone());
            if of_purpose.count() == 0 {
                diagnostics.push(nobody_for(&rules.purposes[*purpose as usize], *span));
            }
            continue;
        };
        called.insert((*title, *purpose));
        if !parts.contains(&(*title, *purpose)) {
            let (name, purpose) = (
                &rules.groups[title.index()].name,
                &rules.purposes[*purpose as usize],
            );
            diagnostics.push(nothing_hangs(name, purpose, *span));
        }
    }
    if uses.calls.is_empty() {
        return;
    }
    for part in &rules.parts {
        if !called.contains(&(part.title, part.purpose)) {
            let group = &rules.groups[part.title.index()];
            let purpose = &rules.purposes[part.purpose as usize];
            diagnostics.push(never_called(&group.name, purpose, group.origin));
        }
    }
}

/// A role in no cast table that says neither how many there may be nor what it stands in for, and
/// that nobody is turned into.
fn lint_roles(rules: &Ruleset, symbols: &Symbols, collected: &Collected, diagnostics: &mut Vec<Diagnostic>) {
    if rules.casts.is_empty() {
        return;
    }
    for (id, (role, group)) in rules.role_ids().zip(rules.roles.iter().zip(&rules.groups)) {
        let dealt = rules.casts.iter().flat_map(|c| &c.columns).any(|column| {
            let is_in = |card: GroupId| rules.is_of(id, card);
            column.rest.is_some_and(is_in) || column.cards.iter().any(|(card, n)| is_in(*card) && *n > 0)
        });
        let turned = rules.code.iter().any(|op| match op {
            Op::Turn { role, .. } => *role == id,
            // Which one, the game will say: it may be any that is named.
            Op::TurnInto { .. } => symbols.read.contains(&group.name),
            _ => false,
        });
        if !dealt && !turned && role.limit.is_none() && !collected.stand_ins.contains(&id) {
            diagnostics.push(never_dealt(&group.name, group.origin));
        }
    }
}

/// A team that no ending and no `win` names, nor any role or class of it; a role of no team that none names.
fn lint_teams(rules: &Ruleset, collected: &Collected, diagnostics: &mut Vec<Diagnostic>) {
    let (mut winners, mut turned) = (BTreeSet::new(), BTreeSet::new());
    let mut any = false;
    for (ending, _) in &collected.endings {
        if let Verdict::Win(set) = &ending.verdict {
            any = true;
            names_in(set, &mut winners);
        }
    }
    // What a rule calls the one to whom something happens stands for those of whom it says so.
    let mut statements = |block: &omerta_syntax::tree::Block, whom: Option<&Pattern>| {
        let is_him =
            |whom: &&Pattern, set: &Expr| whom.name.as_ref().is_some_and(|him| set.is_name(&him.text));
        for_each_statement(block, &mut |s| {
            if let StatementKind::Win { set, when } = &s.kind {
                any = true;
                let tested = when.as_ref().and_then(|when| when.said_of(set));
                let him = whom.filter(|whom| is_him(whom, set)).map(|whom| &whom.set);
                names_in(tested.or(him).unwrap_or(set), &mut winners);
            }
            // Whoever gets another card wins with that.
            if let StatementKind::Turn { set, .. } = &s.kind {
                names_in(set, &mut turned);
            }
        });
    };
    for (ending, _) in &collected.endings {
        if let Verdict::Judged(block) = &ending.verdict {
            statements(block, None);
        }
    }
    let scripts = collected.scripts.iter().map(|(body, ..)| body);
    let scenes = collected.scenes.iter().map(|scene| &scene.body);
    let events = collected.events.iter().map(|event| &event.body);
    let offers = collected.offers.iter().map(|(offer, _)| &offer.body);
    let bodies = scripts.chain(scenes).chain(events).chain(offers);
    bodies.for_each(|body| statements(body, None));
    let rules_of = collected.rule_table.list.iter().map(|entry| &entry.rule);
    rules_of.for_each(|rule| statements(&rule.body, rule.happening.of.first()));
    for (group, _, parts, _) in &collected.parts {
        for part in parts {
            for_each_statement(&part.body, &mut |s| {
                if let StatementKind::Turn { set, .. } = &s.kind
                    && set.is_name("me")
                {
                    turned.insert(rules.groups[group.index()].name.clone());
                }
            });
        }
    }
    let open = winners.iter().any(|name| {
        !rules.groups.iter().any(|g| g.name == *name) // a mark or a define may hold anybody
    });
    if !any || open {
        return;
    }
    // Whether a role is named by an ending, or a class of it.
    let wins = |role: &Role, group: &Group| {
        let classes = role.groups.iter().map(|of| &rules.groups[of.index()].name);
        classes.chain([&group.name]).any(|name| winners.contains(name))
    };
    let of = |team: Option<GroupId>| {
        rules
            .roles
            .iter()
            .zip(&rules.groups)
            .filter(move |(role, _)| role.team == team)
    };
    for (role, group) in of(None) {
        if !turned.contains(&group.name) && !wins(role, group) {
            diagnostics.push(role_cannot_win(&group.name, group.origin));
        }
    }
    for (index, team) in rules.groups.iter().enumerate() {
        let id = Some(GroupId(index as u16)).filter(|_| team.kind == GroupKind::Team);
        let mut groups = id
            .into_iter()
            .flat_map(|id| of(Some(id)))
            .flat_map(|(role, _)| &role.groups);
        let named = winners.contains(&team.name);
        match named || groups.any(|of| winners.contains(&rules.groups[of.index()].name)) {
            _ if named || id.is_none() => {}
            false => diagnostics.push(cannot_win(&team.name, team.origin)),
            true => {
                let others = of(id).filter(|(role, group)| !wins(role, group));
                diagnostics.extend(
                    others.map(|(_, group)| left_out_of_winning(&group.name, &team.name, group.origin)),
                );
            }
        }
    }
}

fn names_in(expr: &Expr, out: &mut BTreeSet<String>) {
    match &*expr.kind {
        ExprKind::Query(q) => {
            out.insert(q.name.text.clone());
        }
        ExprKind::Group(inner) => names_in(inner, out),
        ExprKind::Narrow(items) => items.iter().for_each(|i| names_in(i, out)),
        ExprKind::Binary(_, left, right) => {
            names_in(left, out);
            names_in(right, out);
        }
        ExprKind::Where { set, .. } => names_in(set, out),
        _ => {}
    }
}

/// Drops warnings that `// allow NAME` at the end of the line, alone on the line before, or
/// `// allow-file NAME` anywhere in the file silences.
pub fn drop_allowed(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let mut allowed = Allowed::new(sources);
    diagnostics.retain(|d| {
        let Some(lint) = d.lint.filter(|_| d.severity == Severity::Warning) else {
            return true;
        };
        !d.labels.iter().any(|l| allowed.at(l.span, lint))
    });
}

/// What comments silence. Those that are for a whole file are looked for once.
pub struct Allowed<'a> {
    sources: &'a Sources,
    in_file: BTreeMap<(SourceId, &'static str), bool>,
}

impl<'a> Allowed<'a> {
    /// Nothing is known of the files yet.
    pub fn new(sources: &'a Sources) -> Self {
        let in_file = BTreeMap::new();
        Allowed { sources, in_file }
    }

    /// Whether a comment at a place, or one for its file, silences a warning.
    pub fn at(&mut self, span: Span, lint: &'static str) -> bool {
        let source = self.sources.get(span.source);
        let names = |comment: &str, word: &str| {
            comment
                .strip_prefix(word)
                .is_some_and(|names| names.starts_with(' ') && names.split([',', ' ']).any(|n| n == lint))
        };
        let line = source.place(span.start as usize).line;
        let comment = |line: usize| {
            source.text[source.line_range(line)]
                .split_once("//")
                .map(|(code, c)| (code, c.trim()))
        };
        let here = comment(line).is_some_and(|(_, c)| names(c, "allow"));
        let above = line > 1
            && comment(line - 1).is_some_and(|(code, c)| code.trim().is_empty() && names(c, "allow"));
        let in_file = || {
            source.text.lines().any(|l| {
                l.trim()
                    .strip_prefix("//")
                    .is_some_and(|c| names(c.trim(), "allow-file"))
            })
        };
        here || above || *self.in_file.entry((span.source, lint)).or_insert_with(in_file)
    }
}

fn sort_of(fact: &Fact) -> &'static str {
    match fact.shape {
        _ if !fact.words.is_empty() => "word",
        _ if fact.text => "text",
        FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => "mark",
        FactShape::Flag => "flag",
        FactShape::Count | FactShape::CountOfEach => "count",
        _ => "link",
    }
}

/// What a fact that nothing sets is all through the game.
fn always(fact: &Fact) -> String {
    match fact.shape {
        FactShape::Flag => "always no".to_owned(),
        _ if fact.text => "always empty".to_owned(),
        FactShape::Count | FactShape::CountOfEach => {
            let word = usize::try_from(fact.start).ok().and_then(|at| fact.words.get(at));
            format!(
                "always {}",
                word.map_or(fact.start.to_string(), |(name, _)| format!("`{name}`"))
            )
        }
        _ => "always empty".to_owned(),
    }
}

mistakes! {
    fn never_read(fact: &Fact) = warning "never-read" ("M0704", fact.origin):
        format!("the {} `{}` is never read", sort_of(fact), fact.name), "nothing depends on it",
        help "use it in a rule, a text or a test, or remove it";

    fn never_written(fact: &Fact) = warning "never-set" ("M0705", fact.origin):
        format!("the {} `{}` is read and never set", sort_of(fact), fact.name), always(fact),
        help "set it somewhere, or remove it";

    fn option_unread(name: &str, span: Span) = warning "option-unread" ("M0706", span):
        format!("nobody reads the option `{name}`"), "changes nothing",
        help format!("write `if {name} is … {{ … }}` where it matters, or remove it");

    fn never_settled(name: &str, span: Span) = warning "never-settled" ("M0707", span):
        format!("`{name}` is planned and never settled"), "its plans come to nothing",
        help format!("write `settle {name}` where the plans come true");

    fn never_happens(name: &str, span: Span) = warning "never-happens" ("M0708", span):
        format!("the event `{name}` never happens"), "nothing causes it",
        help format!("write `do {name} …` somewhere, or remove it");

    fn nothing_hangs(name: &str, purpose: &str, span: Span) = warning "empty-call" ("M0709", span):
        format!("`{name}` is called and does nothing"), "called here",
        help format!("write `when called{} {{ … }}` in `{name}`, or remove the call", to(purpose));

    fn nobody_for(purpose: &str, span: Span) = warning "empty-call" ("M0709", span):
        "no card has a part for this call", "called here",
        help format!("write `when called{} {{ … }}` in a role or a team, or remove the call", to(purpose));

    fn never_called(name: &str, purpose: &str, span: Span) = warning "never-called" ("M0710", span):
        format!("`{name}` has a part that nobody calls"), "never woken for it",
        help format!("write `call {name}{}` in the night, or remove the part", to(purpose));

    fn never_dealt(name: &str, span: Span) = warning "never-dealt" ("M0711", span):
        format!("the role `{name}` is in no cast"), "never dealt",
        help "add a row to the cast table, say `at most 1` for a card that is added by hand, or `turn` somebody into it";

    fn role_cannot_win(name: &str, span: Span) = warning "role-cannot-win" ("M0722", span):
        format!("`{name}` is of no team, and no ending lets it win"), "always among the losers",
        help format!("write `of` and its team behind the title, or `win {name} when …`");

    fn left_out_of_winning(name: &str, team: &str, span: Span) = warning "role-cannot-win" ("M0722", span):
        format!("others of `{team}` can win, and `{name}` cannot"), "named by no ending",
        help format!("`win {team}` lets all of the team win; for `{name}` alone there has to be an ending of its own");

    fn cannot_win(name: &str, span: Span) = warning "cannot-win" ("M0712", span):
        format!("the team `{name}` has no way to win"), "no ending names it",
        help format!("write `win {name} when …`");
}

/// What stands behind a call: its purpose, if it has one.
fn to(purpose: &str) -> String {
    match purpose {
        "" => String::new(),
        purpose => format!(" to {purpose}"),
    }
}
