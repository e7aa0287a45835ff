//! The roles: whose they are, what they do when called, and what else the rules say of them.

use crate::{
    course::calls_of,
    english::{self, Describes},
    page::{Inline, Line, Page},
    phrases::{THIS_ONE, Teller, words},
    remarks,
    subject::{Head, Subject, spoken},
};
use omerta_core::{
    rules::{Group, GroupId, GroupKind, Role},
    source::Span,
};
use omerta_play::words::{listed, with_a_capital};
use omerta_syntax::{
    Sort, runs,
    tree::{Expr, ItemKind, Name, Part, Verdict},
};

/// A role with its tables, its declaration and where that stands.
pub struct Told<'a> {
    /// What people see, and its name.
    pub group: &'a Group,
    /// Its limits and its team.
    pub role: &'a Role,
    /// What it does when called.
    pub parts: &'a [Part],
    /// Where it was declared.
    pub span: Span,
}

impl Told<'_> {
    /// Where what is written above the role stands: above a call that an overlay has put in the place of its own, if there
    /// is anything for readers.
    pub fn above(&self, subject: Subject<'_>) -> Span {
        let is_inside = |body: Span| {
            body.source == self.span.source && body.start <= self.span.end && self.span.start <= body.start
        };
        let bodies = self.parts.iter().map(|part| part.body.span);
        let mut others = bodies
            .filter(|body| !is_inside(*body) && !remarks::for_readers(subject.sources, *body).is_empty());
        others.next().unwrap_or(self.span)
    }
}

impl<'a> Subject<'a> {
    /// All roles, in the order of their declarations.
    pub fn roles(self) -> impl Iterator<Item = Told<'a>> {
        let groups = self.rules.groups.iter();
        let roles = groups
            .filter(|group| group.kind == GroupKind::Role)
            .zip(&self.rules.roles);
        roles.filter_map(move |(group, role)| {
            let (parts, span) = self.kinds().find_map(|(kind, span)| match kind {
                ItemKind::Role(tree) if tree.name.text == group.name => Some((&tree.parts[..], span)),
                _ => None,
            })?;
            Some(Told {
                group,
                role,
                parts,
                span,
            })
        })
    }

    /// The teams, by their ids.
    pub fn teams(self) -> impl Iterator<Item = (GroupId, &'a Group)> {
        let groups = self.rules.groups.iter().enumerate();
        groups
            .filter(|(_, group)| group.kind == GroupKind::Team)
            .map(|(id, group)| (GroupId(id as u16), group))
    }

    /// What a card says for a call: that of a role or of a team.
    pub fn parts(self, card: &str, purpose: Option<&'a Name>) -> impl Iterator<Item = &'a Part> {
        let parts = self.parts_on(card).unwrap_or_default();
        let wanted = purpose.map(|purpose| &purpose.text);
        parts
            .iter()
            .filter(move |part| part.purpose.as_ref().map(|purpose| &purpose.text) == wanted)
    }

    /// All that a card says: that of a role or of a team.
    pub fn parts_on(self, card: &str) -> Option<&'a [Part]> {
        let role = self.roles().find(|told| told.group.name == card);
        role.map(|told| told.parts).or_else(|| Some(self.team(card)?.0))
    }

    /// A team's declaration: its parts, and where it stands.
    pub fn team(self, wanted: &str) -> Option<(&'a [Part], Span)> {
        self.kinds().find_map(|(kind, span)| match kind {
            ItemKind::Team { name, parts, .. } if name.text == wanted => Some((&parts[..], span)),
            _ => None,
        })
    }
}

impl Teller<'_> {
    /// What a card says for a call: that of a role or of a team.
    pub fn parts_of(&self, card: &Name, purpose: Option<&Name>) -> Vec<Line> {
        self.parts_by(&self.subject.called(&card.text), card, purpose)
    }

    /// The same, done by somebody.
    pub fn parts_by(&self, me: &str, card: &Name, purpose: Option<&Name>) -> Vec<Line> {
        let mut teller = self.elsewhere().with("me", me);
        // In a call another one is told, and no further: calls may go round in a ring.
        if teller.calls.contains(&card.text) || teller.calls.len() >= 2 {
            return Vec::new();
        }
        teller.calls.push(card.text.clone());
        let parts = self.subject.parts(&card.text, purpose);
        let told = |part: &Part| match remarks::begins_its_line(self.subject.sources, part.span) {
            true => teller.remarked_block(part.span, &part.body),
            false => teller.block(&part.body),
        };
        parts.flat_map(told).collect()
    }

    /// With `me` as whoever is called.
    pub fn as_called(&self, card: &str) -> Self {
        self.with("me", &self.subject.called(card))
    }
}

/// Adds the roles, team by team.
pub fn add(page: &mut Page, teller: &Teller<'_>) {
    let subject = teller.subject;
    page.heading(2, "Roles", "roles");
    let has_teams = subject.teams().next().is_some();
    let has_conditions = subject.roles().any(|told| !conditions(subject, &told).is_empty());
    let rows = subject.roles().map(|told| {
        let team = told
            .role
            .team
            .map_or("", |team| &subject.rules.groups[team.index()].title);
        let team = has_teams.then(|| with_a_capital(team));
        let title = with_a_capital(&told.group.title);
        [title]
            .into_iter()
            .chain(team)
            .chain(has_conditions.then(|| conditions(subject, &told)))
            .collect()
    });
    let head = ["Role", "Team", "In the deck"];
    let head = head.into_iter().filter(|cell| match *cell {
        "Team" => has_teams,
        "In the deck" => has_conditions,
        _ => true,
    });
    page.table(&head.collect::<Vec<_>>(), rows.collect());
    let of_library = |head: Head| {
        let line = Line::of(words![Inline::Strong(head.title), ": ", head.remark.clone()]);
        Some(line).filter(|_| !head.remark.is_empty())
    };
    let lines = subject.libraries().filter_map(of_library);
    page.list(false, lines.collect());
    for (id, team) in subject.teams() {
        page.heading(3, &team.title, &format!("team-{}", team.name));
        if let Some((parts, span)) = subject.team(&team.name) {
            page.plain(&subject.remark(span));
            page.list(false, when_called(teller, &team.name, parts));
        }
        for told in subject.roles().filter(|told| told.role.team == Some(id)) {
            add_role(page, teller, &told);
        }
    }
    let alone: Vec<Told<'_>> = subject.roles().filter(|told| told.role.team.is_none()).collect();
    if !alone.is_empty() {
        page.heading(3, if has_teams { "On no team" } else { "Everybody" }, "team");
    }
    for told in &alone {
        add_role(page, teller, told);
    }
}

fn add_role(page: &mut Page, teller: &Teller<'_>, told: &Told<'_>) {
    let subject = teller.subject;
    page.heading(4, &told.group.title, &format!("role-{}", told.group.name));
    let classes = subject.classes_of(told.role);
    let mut facts = Vec::new();
    if !classes.is_empty() {
        let those = |title: String| match english::describes(&title) {
            Describes::No => title,
            _ => format!("those {title}"),
        };
        let classes = classes.into_iter().map(those).collect();
        facts.push(format!("Counted among: {}.", listed(classes, "and")));
    }
    page.plain(&facts.join(" "));
    let remark = subject.remark(told.above(subject));
    page.plain(&remark);
    let mut lines = when_called(teller, &told.group.name, told.parts);
    lines.extend(also(teller, &told.group.name));
    if lines.is_empty() && remark.is_empty() {
        lines = calls_of(teller, &told.group.name);
    }
    if lines.is_empty() && remark.is_empty() {
        let is_it = |who: &Expr| who.bare_name().is_some_and(|name| name.text == told.group.name);
        lines = teller.verdicts_elsewhere(Some(&is_it));
    }
    // What others of its class have, too, it is told where nothing else is.
    if lines.is_empty() && remark.is_empty() {
        let classes = subject.groups_of(told.role, GroupKind::Class);
        lines = classes.flat_map(|class| also(teller, &class.name)).collect();
    }
    if lines.is_empty() && remark.is_empty() && !subject.does_something(&told.group.name) {
        page.plain("Has no call and no power of its own.");
    }
    page.list(false, lines);
}

impl<'a> Subject<'a> {
    /// Whether the script, scenes, events, rules, offers or definitions speak of a role.
    fn does_something(self, role: &str) -> bool {
        self.kinds().any(|(kind, span)| {
            let acts = matches!(
                kind,
                ItemKind::Script(_)
                    | ItemKind::Scene { .. }
                    | ItemKind::Event { .. }
                    | ItemKind::Rule(_)
                    | ItemKind::Allow(_)
                    | ItemKind::Define { .. }
            );
            acts && self.names_it(span, role)
        })
    }

    /// Whether a name stands among the words of a text.
    pub fn names_it(self, span: Span, name: &str) -> bool {
        let text = self.sources.slice(span);
        let is_word = |sort: Sort| matches!(sort, Sort::Word | Sort::Keyword);
        runs(text)
            .into_iter()
            .any(|(run, sort)| is_word(sort) && text[run].trim_matches('`') == name)
    }

    /// The titles of the classes of a role.
    pub fn classes_of(self, role: &'a Role) -> Vec<String> {
        let classes = self.groups_of(role, GroupKind::Class);
        classes.map(|group| group.title.clone()).collect()
    }

    /// What of one kind a role belongs to.
    fn groups_of(self, role: &'a Role, kind: GroupKind) -> impl Iterator<Item = &'a Group> {
        let groups = role
            .groups
            .iter()
            .map(move |group| &self.rules.groups[group.index()]);
        groups.filter(move |group| group.kind == kind)
    }
}

/// `at most 1, in the place of a civilian`
pub fn conditions(subject: Subject<'_>, told: &Told<'_>) -> String {
    let role = told.role;
    let names = |groups: &[GroupId], joint: &str| {
        let titles = groups
            .iter()
            .map(|group| subject.rules.groups[group.index()].title.clone());
        listed(titles.collect(), joint)
    };
    let replaces = (!role.replaces.is_empty()).then(|| {
        let lists: Vec<String> = role.replaces.iter().map(|list| names(list, "or")).collect();
        format!("in the place of {}", lists.join(", the next one of "))
    });
    let notes = [
        role.limit.map(|limit| format!("at most {limit}")),
        replaces,
        (!role.needs.is_empty()).then(|| format!("only with {}", names(&role.needs, "and"))),
        (!role.refuses.is_empty()).then(|| format!("never with {}", names(&role.refuses, "or"))),
    ];
    notes.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn when_called(teller: &Teller<'_>, card: &str, parts: &[Part]) -> Vec<Line> {
    let by_himself = teller.act_one_by_one(card);
    let mut teller = match by_himself {
        true => teller.with("me", THIS_ONE),
        false => teller.as_called(card),
    };
    teller.calls.push(card.to_owned());
    let each = if by_himself { ", each by himself" } else { "" };
    let line = |part: &Part| {
        let to = part.purpose.as_ref();
        let to = to.map_or_else(String::new, |to| format!(" to {}", spoken(&to.text)));
        Line::of(vec![Inline::Strong(format!("When called{to}{each}:"))]).with(teller.block(&part.body))
    };
    parts.iter().map(line).collect()
}

/// What else names a role: rules, numbers it adds to, offers to it.
fn also(teller: &Teller<'_>, role: &str) -> Vec<Line> {
    let subject = teller.subject;
    let kinds = subject
        .kinds()
        .filter(|(kind, span)| subject.names_it(head_of(kind, *span), role));
    kinds
        .filter_map(|(kind, span)| teller.standing(kind, span))
        .collect()
}

/// What a role counts as, and does not, whatever it does.
pub fn clauses(teller: &Teller<'_>, told: &Told<'_>) -> Vec<Line> {
    let subject = teller.subject;
    let kinds = subject.kinds().filter(|(kind, span)| {
        let is_clause = matches!(kind, ItemKind::Clause(clause) if !clause.mode.of_numbers());
        is_clause && subject.names_it(head_of(kind, *span), &told.group.name)
    });
    kinds
        .filter_map(|(kind, span)| teller.clause(kind, span))
        .collect()
}

/// What of a declaration says whom it is about.
fn head_of(kind: &ItemKind, span: Span) -> Span {
    let upto = |body: Span| span.before(body);
    match kind {
        ItemKind::Rule(rule) => upto(rule.body.span),
        ItemKind::Allow(allow) => upto(allow.body.span),
        ItemKind::Clause(clause) if !clause.mode.of_numbers() => clause.value.span,
        _ => span,
    }
}

impl Teller<'_> {
    /// A declaration that has its effect by itself, as a line; nothing for others, and where the options
    /// in force leave it out.
    fn standing(&self, kind: &ItemKind, span: Span) -> Option<Line> {
        match kind {
            ItemKind::Rule(rule) => self.rule(rule, span),
            ItemKind::Allow(allow) => self.offer(allow, span),
            ItemKind::Clause(_) => self.clause(kind, span),
            ItemKind::Ending(ending) if !matches!(ending.verdict, Verdict::Judged(_)) => {
                let line = self.ending(ending)?;
                Some(Line::of(words!["How it ends: ", line.words]).with(line.inner))
            }
            _ => None,
        }
    }
}
