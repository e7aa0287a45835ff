//! Teams, classes, roles and tokens, and on which side each role is.

use super::Collector;
use crate::errors;
use crate::layer::Layer;
use crate::load::Declared;
use crate::overlay::option_text;
use crate::symbol::Meaning;
use omerta_core::rules::{Group, GroupId, GroupKind, Role, Token};
use omerta_syntax::tree::{self, CompanyKind, ItemKind, Name, OptionValues, Text};

impl Collector<'_> {
    pub(super) fn titles(&mut self, items: &[Declared]) {
        for d in items {
            if let ItemKind::Role(role) = &d.item.kind {
                self.add_group(&role.name, role.title.as_ref(), GroupKind::Role, d.layer);
                self.out.rules.roles.push(Role::default());
            }
        }
        for d in items {
            if let ItemKind::Team { name, title, .. } = &d.item.kind {
                self.add_group(name, title.as_ref(), GroupKind::Team, d.layer);
            }
        }
        self.out.rules.titles = self.out.rules.groups.len() as u16;
        if self.out.rules.titles > 64 {
            let span = self.out.rules.groups[64].origin;
            self.report(errors::too_many_titles(span));
        }
        for d in items {
            if let ItemKind::Class { name, title } = &d.item.kind {
                self.add_group(name, title.as_ref(), GroupKind::Class, d.layer);
            }
        }
        for d in items {
            if let ItemKind::Token {
                name,
                title,
                several,
                copies,
                faces,
            } = &d.item.kind
            {
                self.token(name, title.as_ref(), *copies, faces, d.layer);
                self.several(name, several.as_ref());
            }
        }
        for d in items {
            match &d.item.kind {
                ItemKind::Role(role) => self.role(role, items, d.layer),
                ItemKind::Team { name, parts, .. } => {
                    if let Some(group) = self.out.rules.group_named(&name.text) {
                        self.out.parts.push((group, false, parts.clone(), d.layer));
                    }
                }
                _ => {}
            }
        }
    }

    fn add_group(&mut self, name: &Name, title: Option<&Text>, kind: GroupKind, layer: Layer) -> GroupId {
        let id = GroupId(self.out.rules.groups.len() as u16);
        let title = title.map_or_else(|| name.text.clone(), Text::plain);
        self.out.rules.groups.push(Group {
            name: name.text.clone(),
            title,
            several: None,
            kind,
            origin: name.span,
        });
        self.declare(name, Meaning::Group(id), layer);
        id
    }

    fn token(
        &mut self,
        name: &Name,
        title: Option<&Text>,
        copies: Option<tree::Int>,
        faces: &[tree::Face],
        layer: Layer,
    ) {
        let group = self.add_group(name, title, GroupKind::Token, layer);
        let faces = faces
            .iter()
            .map(|face| self.add_group(&face.name, face.title.as_ref(), GroupKind::Face, layer))
            .collect();
        let copies = copies.map_or(1, |c| c.value.clamp(0, 64) as u8);
        self.out.rules.tokens.push(Token { group, copies, faces });
    }

    fn several(&mut self, name: &Name, title: Option<&Text>) {
        if let (Some(group), Some(title)) = (self.out.rules.group_named(&name.text), title) {
            self.out.rules.groups[group.index()].several = Some(title.plain());
        }
    }

    fn role(&mut self, role: &tree::Role, items: &[Declared], layer: Layer) {
        let Some(id) = self.out.rules.group_named(&role.name.text) else {
            return;
        };
        self.several(&role.name, role.several.as_ref());
        let (team, of_side) = self.side(role, items);
        let mut groups = vec![id];
        groups.extend(team);
        groups.extend(of_side);
        groups.dedup();
        let pick = |c: &mut Self, names: &[Name]| {
            names
                .iter()
                .filter_map(|n| c.title_or_class(n))
                .collect::<Vec<_>>()
        };
        let (mut replaces, mut needs, mut refuses) = (Vec::new(), Vec::new(), Vec::new());
        for company in &role.company {
            let cards: Vec<Vec<GroupId>> = company.cards.iter().map(|names| pick(self, names)).collect();
            if company.when.as_ref().is_some_and(|when| !self.holds(when, items)) {
                continue;
            }
            match company.kind {
                CompanyKind::Replaces => replaces.extend(cards),
                CompanyKind::Needs => needs.extend(cards.into_iter().flatten()),
                CompanyKind::Refuses => refuses.extend(cards.into_iter().flatten()),
            }
        }
        let stands_in = |company: &tree::Company| company.kind == CompanyKind::Replaces;
        if role.company.iter().any(stands_in) {
            self.out.stand_ins.insert(id);
        }
        let limit = role.limit.map(|l| l.value.clamp(0, 255) as u8);
        self.out.rules.roles[id.index()] = Role {
            team,
            groups,
            limit,
            replaces,
            needs,
            refuses,
        };
        self.out.parts.push((id, true, role.parts.clone(), layer));
    }

    /// The team and the classes of a role, those of the team included, on the side that the options
    /// put it on; the other sides are looked over for their mistakes.
    fn side(&mut self, role: &tree::Role, items: &[Declared]) -> (Option<GroupId>, Vec<GroupId>) {
        let mut chosen = None;
        let mut side = &role.side;
        for (when, next) in &role.else_sides {
            let here = self.holds(when, items);
            let found = self.groups_of_side(side, items);
            if here && chosen.is_none() {
                chosen = Some(found);
            }
            side = next;
        }
        let last = self.groups_of_side(side, items);
        chosen.unwrap_or(last)
    }

    fn groups_of_side(&mut self, side: &tree::Side, items: &[Declared]) -> (Option<GroupId>, Vec<GroupId>) {
        let team = side
            .team
            .as_ref()
            .and_then(|t| self.group(t, GroupKind::Team, "a team"));
        let of_team = items.iter().filter_map(|d| match (&d.item.kind, &side.team) {
            (ItemKind::Team { name, classes, .. }, Some(team)) if name.text == team.text => Some(classes),
            _ => None,
        });
        let classes = side.classes.iter().chain(of_team.flatten());
        let classes = classes
            .filter_map(|c| self.group(c, GroupKind::Class, "a class"))
            .collect();
        (team, classes)
    }

    /// Whether an option has the value; options are tables of their own and may be declared anywhere.
    fn holds(&mut self, when: &tree::SideWhen, items: &[Declared]) -> bool {
        let options = || {
            items.iter().filter_map(|d| match &d.item.kind {
                ItemKind::Option {
                    name,
                    values,
                    default,
                    ..
                } => Some((name, values, default)),
                _ => None,
            })
        };
        let Some((name, values, default)) = options().find(|(n, ..)| n.text == when.option.text) else {
            let known = options().map(|(n, ..)| n.text.as_str());
            let known: Vec<&str> = known.take(errors::guesses(self.diagnostics.len())).collect();
            self.report(errors::unknown_option(
                &when.option.text,
                when.option.span,
                &known,
            ));
            return false;
        };
        self.out.symbols.read.insert(name.text.clone());
        let wanted = option_text(&when.value);
        if let OptionValues::Words(words) = values {
            let words: Vec<String> = words.iter().map(option_text).collect();
            if !words.contains(&wanted) {
                self.report(errors::no_such_word(&wanted, when.option.span, &words));
            }
        }
        let value = self.chosen.get(&name.text).map(|(value, _)| value.clone());
        value.unwrap_or_else(|| option_text(default)) == wanted
    }

    /// A role, or a team or class for all roles in it.
    fn title_or_class(&mut self, name: &Name) -> Option<GroupId> {
        let of_kind = |kind| {
            self.out
                .rules
                .groups
                .iter()
                .any(|g| g.kind == kind && g.name == name.text)
        };
        let kinds = [GroupKind::Team, GroupKind::Class];
        let kind = kinds.into_iter().find(|kind| of_kind(*kind));
        self.group(name, kind.unwrap_or(GroupKind::Role), "a role, a team or a class")
    }

    fn group(&mut self, name: &Name, kind: GroupKind, wanted: &str) -> Option<GroupId> {
        let found = self
            .out
            .rules
            .groups
            .iter()
            .position(|g| g.name == name.text && g.kind == kind);
        if found.is_none() {
            let known: Vec<&str> = self
                .out
                .rules
                .groups
                .iter()
                .filter(|g| g.kind == kind)
                .map(|g| g.name.as_str())
                .take(errors::guesses(self.diagnostics.len()))
                .collect();
            let mut teams = self.out.rules.groups.iter().filter(|g| g.kind == GroupKind::Team);
            let is_team = kind == GroupKind::Class && teams.any(|team| team.name == name.text);
            self.report(errors::unknown_of_sort(name, wanted, (&known, is_team)));
        } else {
            self.out.symbols.read.insert(name.text.clone());
        }
        found.map(|i| GroupId(i as u16))
    }
}
