//! Builds declarations.

use pest::iterators::Pair;

use crate::{
    grammar::Rule,
    parse::{Builder, Cursor, only},
    tree::{
        Allow, CastCell, CastRow, CastRows, Clause, ClauseMode, Company, CompanyKind, Ending, EndingOrder,
        Expr, Face, Happening, Item, ItemKind, Kept, Life, MarkShape, Moment, Name, OptionValue,
        OptionValues, Param, Part, Pattern, Pick, Policy, PolicyLine, Role, Rule as RuleItem, RuleOrder,
        Side, SideWhen, Text, Verdict,
    },
    words,
};
use omerta_core::rules::Kind;

impl Builder {
    /// A declaration by itself.
    pub(super) fn one_item(&mut self, pair: Pair<'_, Rule>) -> Item {
        self.item(only(pair))
    }

    /// The head of an overlay: its name, its title and what it lies on.
    pub(super) fn overlay_head(&mut self, pair: Pair<'_, Rule>) -> (Name, Option<Text>, Vec<Name>) {
        let mut cursor = Cursor::into(only(pair));
        let name = self.name(cursor.presume(Rule::name));
        let title = self.accept_title(&mut cursor);
        (name, title, self.names(cursor.presume(Rule::names)))
    }

    /// The head of a section: the bases it is for.
    pub(super) fn section_head(&mut self, pair: Pair<'_, Rule>) -> Vec<Name> {
        let mut cursor = Cursor::into(only(pair));
        self.presume_names(&mut cursor)
    }

    fn item(&mut self, pair: Pair<'_, Rule>) -> Item {
        let span = self.span(&pair);
        let pair = only(pair);
        let rule = pair.as_rule();
        let word = words::first(pair.as_str());
        let mut cursor = Cursor::into(pair);
        let kind = match rule {
            Rule::require_item | Rule::warn_item => self.requirement(rule, &mut cursor),
            Rule::team_item => self.team(&mut cursor),
            Rule::role_item => ItemKind::Role(Box::new(self.role(&mut cursor))),
            Rule::token_item => self.token(&mut cursor),
            Rule::zone_item => self.zone(&mut cursor),
            Rule::mark_item
            | Rule::flag_item
            | Rule::count_item
            | Rule::word_item
            | Rule::text_item
            | Rule::link_item => self.fact(rule, &mut cursor),
            Rule::define_item
            | Rule::include_item
            | Rule::exclude_item
            | Rule::add_item
            | Rule::raise_item
            | Rule::lower_item => self.definition(rule, &mut cursor),
            Rule::event_item => self.event(&mut cursor),
            Rule::rule_item => ItemKind::Rule(Box::new(self.rule(&mut cursor))),
            Rule::scene_item => self.scene(&mut cursor),
            Rule::script_item => ItemKind::Script(self.block(cursor.presume(Rule::block))),
            Rule::allow_item => ItemKind::Allow(Box::new(self.allow(&mut cursor))),
            Rule::ending_item => ItemKind::Ending(Box::new(self.ending(cursor.presume_next()))),
            Rule::policy_item => ItemKind::Policy(Box::new(self.policy(&mut cursor))),
            Rule::option_item => self.option(&mut cursor),
            Rule::hook_item => self.hook(&mut cursor),
            Rule::replace_item => self.replacement(cursor.presume_next()),
            _ => self.short_item(rule, &mut cursor),
        };
        Item { kind, word, span }
    }

    /// Declarations of a name, a title or a list and nothing else.
    fn short_item(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> ItemKind {
        match rule {
            Rule::ruleset_item => ItemKind::Ruleset {
                name: self.name(cursor.presume(Rule::name)),
                title: self.accept_title(cursor),
            },
            Rule::library_item => ItemKind::Library {
                name: self.name(cursor.presume(Rule::name)),
                title: self.accept_title(cursor),
            },
            Rule::class_item => ItemKind::Class {
                name: self.name(cursor.presume(Rule::name)),
                title: self.accept_title(cursor),
            },
            Rule::use_item => ItemKind::Use(self.each(cursor, Rule::use_path, Self::use_path)),
            Rule::players_item => ItemKind::Players {
                range: self.range(cursor.presume(Rule::range)),
                by_lot: cursor.has(Rule::seated),
            },
            Rule::cast_item => self.cast(cursor),
            Rule::spare_item => ItemKind::Spare(self.maybe(cursor, Rule::int, Self::int)),
            Rule::choose_item => ItemKind::Choose {
                name: self.name(cursor.presume(Rule::name)),
                value: self.option_value(cursor.presume(Rule::option_value)),
            },
            Rule::publish_item => ItemKind::Publish(self.presume_names(cursor)),
            Rule::needs_item => ItemKind::Needs(self.presume_names(cursor)),
            Rule::refuses_item => ItemKind::Refuses(self.presume_names(cursor)),
            Rule::remove_item => ItemKind::Remove(self.presume_names(cursor)),
            rule => unreachable!("the grammar has no declaration {rule:?}"),
        }
    }

    pub(super) fn accept_title(&mut self, cursor: &mut Cursor<'_>) -> Option<Text> {
        self.maybe(cursor, Rule::texts, Self::title)
    }

    fn accept_several(&mut self, cursor: &mut Cursor<'_>) -> Option<Text> {
        self.maybe(cursor, Rule::several, |c, several| c.title(only(several)))
    }

    pub(super) fn presume_names(&mut self, cursor: &mut Cursor<'_>) -> Vec<Name> {
        self.names(cursor.presume(Rule::names))
    }

    pub(super) fn accept_when(&mut self, cursor: &mut Cursor<'_>) -> Option<Expr> {
        cursor.accept(Rule::when).map(|when| self.expr(only(when)))
    }

    fn use_path(&mut self, pair: Pair<'_, Rule>) -> Name {
        let inner = only(pair);
        match inner.as_rule() {
            Rule::text => Name::new(self.plain_text(&inner), self.span(&inner)),
            _ => self.name(inner),
        }
    }

    fn cast(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        ItemKind::Cast {
            only: cursor.has(Rule::cast_only),
            name: self.maybe(cursor, Rule::name, Self::name),
            title: self.accept_title(cursor),
            rows: match cursor.accept(Rule::cast_swaps) {
                Some(swaps) => self.cast_swaps(swaps),
                None => CastRows::Table(self.each(cursor, Rule::cast_row, Self::cast_row)),
            },
        }
    }

    fn cast_swaps(&mut self, pair: Pair<'_, Rule>) -> CastRows {
        let mut cursor = Cursor::into(pair);
        CastRows::Swaps {
            players: self.int(cursor.presume(Rule::int)),
            swaps: self.each(&mut cursor, Rule::cast_swap, Self::cast_swap),
        }
    }

    fn cast_swap(&mut self, pair: Pair<'_, Rule>) -> (Name, Name) {
        let mut cursor = Cursor::into(pair);
        (
            self.name(cursor.presume(Rule::name)),
            self.name(cursor.presume(Rule::name)),
        )
    }

    fn cast_row(&mut self, pair: Pair<'_, Rule>) -> CastRow {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let head = self.name(only(cursor.presume(Rule::cast_head)));
        let cells = self.each(&mut cursor, Rule::cast_cell, Self::cast_cell);
        CastRow { head, cells, span }
    }

    fn cast_cell(&mut self, pair: Pair<'_, Rule>) -> CastCell {
        let span = self.span(&pair);
        match Cursor::into(pair).next() {
            Some(range) => CastCell::Range(self.range(range)),
            None => CastCell::Rest(span),
        }
    }

    fn requirement(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> ItemKind {
        let name = self.name(cursor.presume(Rule::name));
        let test = self.expr(cursor.presume(Rule::expr));
        let message = self.title(cursor.presume(Rule::texts));
        match rule {
            Rule::require_item => ItemKind::Require { name, test, message },
            _ => ItemKind::Warn { name, test, message },
        }
    }

    fn team(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        ItemKind::Team {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            classes: self.accept_listed(cursor, Rule::is_classes),
            parts: self.accept_parts(cursor),
        }
    }

    fn role(&mut self, cursor: &mut Cursor<'_>) -> Role {
        Role {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            several: self.accept_several(cursor),
            side: self.side(cursor.presume(Rule::role_side)),
            else_sides: self.each(cursor, Rule::side_else, Self::else_side),
            limit: cursor.accept(Rule::role_limit).map(|limit| self.int(only(limit))),
            company: self.company(cursor),
            parts: self.accept_parts(cursor),
        }
    }

    fn side(&mut self, pair: Pair<'_, Rule>) -> Side {
        let mut cursor = Cursor::into(pair);
        Side {
            team: cursor.accept(Rule::role_team).map(|team| self.name(only(team))),
            classes: self.accept_listed(&mut cursor, Rule::is_classes),
        }
    }

    fn else_side(&mut self, pair: Pair<'_, Rule>) -> (SideWhen, Side) {
        let mut cursor = Cursor::into(pair);
        let when = self.option_is(&mut cursor);
        (when, self.side(cursor.presume(Rule::role_side)))
    }

    /// `roads is open`
    fn option_is(&mut self, cursor: &mut Cursor<'_>) -> SideWhen {
        SideWhen {
            option: self.name(cursor.presume(Rule::name)),
            value: self.option_value(cursor.presume(Rule::option_value)),
        }
    }

    fn company(&mut self, cursor: &mut Cursor<'_>) -> Vec<Company> {
        const KINDS: [(Rule, CompanyKind); 3] = [
            (Rule::role_replaces, CompanyKind::Replaces),
            (Rule::role_needs, CompanyKind::Needs),
            (Rule::role_refuses, CompanyKind::Refuses),
        ];
        let mut found = Vec::new();
        while let Some((kind, clause)) = KINDS
            .iter()
            .find_map(|(rule, kind)| cursor.accept(*rule).map(|clause| (*kind, clause)))
        {
            let span = self.span(&clause);
            let mut clause = Cursor::into(clause);
            found.push(Company {
                kind,
                cards: self.each(&mut clause, Rule::names, Self::names),
                when: clause
                    .accept(Rule::where_option)
                    .map(|when| self.option_is(&mut Cursor::into(when))),
                span,
            });
        }
        found
    }

    /// The names in a clause that may be missing.
    fn accept_listed(&mut self, cursor: &mut Cursor<'_>, rule: Rule) -> Vec<Name> {
        let clause = cursor.accept(rule);
        clause.map_or_else(Vec::new, |clause| self.names(only(clause)))
    }

    fn accept_parts(&mut self, cursor: &mut Cursor<'_>) -> Vec<Part> {
        let Some(parts) = cursor.accept(Rule::parts) else {
            return Vec::new();
        };
        self.each(&mut Cursor::into(parts), Rule::part, Self::part)
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> Part {
        let span = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let purpose = self.maybe(&mut cursor, Rule::name, Self::name);
        Part {
            purpose,
            body: self.block(cursor.presume(Rule::block)),
            span,
        }
    }

    fn token(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        ItemKind::Token {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            several: self.accept_several(cursor),
            copies: self.maybe(cursor, Rule::int, Self::int),
            faces: self.each(cursor, Rule::face, Self::face),
        }
    }

    fn face(&mut self, pair: Pair<'_, Rule>) -> Face {
        let mut cursor = Cursor::into(pair);
        Face {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(&mut cursor),
        }
    }

    fn zone(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        ItemKind::Zone {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            of_each: cursor.has(Rule::zone_each),
            is_role: cursor.has(Rule::zone_role),
            seen_by: self.accept_seen_by(cursor),
            backs: cursor
                .accept(Rule::zone_backs)
                .and_then(|backs| self.accept_seen_by(&mut Cursor::into(backs))),
        }
    }

    fn fact(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> ItemKind {
        let names = self.presume_names(cursor);
        match rule {
            Rule::mark_item => {
                let shape = cursor
                    .accept(Rule::mark_shape)
                    .map_or(MarkShape::Many, mark_shape);
                ItemKind::Mark {
                    names,
                    shape,
                    kept: self.kept(cursor, None),
                }
            }
            Rule::flag_item => ItemKind::Flag {
                names,
                kept: self.kept(cursor, None),
            },
            Rule::word_item => {
                let title = self.accept_title(cursor);
                let of_each = cursor.has(Rule::count_each);
                let words = self.each(cursor, Rule::word_value, Self::face);
                ItemKind::Count {
                    names,
                    of_each,
                    text: false,
                    words,
                    start: None,
                    start_word: cursor.accept(Rule::word_start).map(|word| self.name(only(word))),
                    kept: self.kept(cursor, title),
                }
            }
            Rule::text_item => {
                let title = self.accept_title(cursor);
                ItemKind::Count {
                    names,
                    of_each: cursor.has(Rule::count_each),
                    text: true,
                    words: Vec::new(),
                    start: None,
                    start_word: None,
                    kept: self.kept(cursor, title),
                }
            }
            Rule::count_item => ItemKind::Count {
                names,
                text: false,
                of_each: cursor.has(Rule::count_each),
                words: Vec::new(),
                start_word: None,
                start: self.maybe(cursor, Rule::count_start, Self::signed),
                kept: self.kept(cursor, None),
            },
            _ => ItemKind::Link {
                names,
                one: cursor.has(Rule::link_one),
                back: cursor.accept(Rule::link_back).map(|back| self.name(only(back))),
                to: match cursor
                    .accept(Rule::link_to)
                    .map(|to| to.as_str().ends_with("cards"))
                {
                    Some(true) => Kind::Cards,
                    Some(false) => Kind::Titles,
                    None => Kind::Players,
                },
                kept: self.kept(cursor, None),
            },
        }
    }

    /// How it is kept; the title of some stands further up.
    fn kept(&mut self, cursor: &mut Cursor<'_>, title: Option<Text>) -> Kept {
        let mut seen_by = self.accept_seen_by(cursor);
        let life = self.accept_life(cursor);
        seen_by = seen_by.or_else(|| self.accept_seen_by(cursor));
        Kept {
            seen_by,
            life,
            title: title.or_else(|| self.accept_title(cursor)),
        }
    }

    fn accept_seen_by(&mut self, cursor: &mut Cursor<'_>) -> Option<Expr> {
        cursor.accept(Rule::seen_by).map(|seen| self.expr(only(seen)))
    }

    fn accept_life(&mut self, cursor: &mut Cursor<'_>) -> Option<Life> {
        let life = cursor.accept(Rule::life)?;
        let span = self.span(&life);
        let mut cursor = Cursor::into(life);
        let to_end = cursor.has(Rule::life_end);
        let name = self.name(cursor.presume(Rule::name));
        Some(Life { to_end, name, span })
    }

    fn definition(&mut self, rule: Rule, cursor: &mut Cursor<'_>) -> ItemKind {
        if rule == Rule::define_item {
            let name = self.name(cursor.presume(Rule::name));
            let param = self.accept_param(cursor);
            let value = match (&param, cursor.accept(Rule::value_table)) {
                (Some(param), Some(table)) => self.value_table(param, table),
                _ => self.expr(cursor.presume(Rule::value)),
            };
            return ItemKind::Define { name, param, value };
        }
        let mode = match rule {
            Rule::include_item => ClauseMode::Include,
            Rule::exclude_item => ClauseMode::Exclude,
            Rule::raise_item => ClauseMode::Raise,
            Rule::lower_item => ClauseMode::Lower,
            _ => ClauseMode::Add,
        };
        // `raise weight of p to 3` has its value last, `add 1 to weight of p` first.
        let first = self.maybe(cursor, Rule::sum, Self::expr);
        let name = self.name(cursor.presume(Rule::name));
        let param = self.accept_param(cursor);
        ItemKind::Clause(Clause {
            mode,
            value: first.unwrap_or_else(|| self.expr(cursor.presume(Rule::sum))),
            name,
            param,
            when: self.accept_when(cursor),
        })
    }

    fn accept_param(&mut self, cursor: &mut Cursor<'_>) -> Option<Param> {
        let mut cursor = Cursor::into(cursor.accept(Rule::param)?);
        let kind = match cursor.accept(Rule::param_kind).map(|kind| kind.as_str()) {
            Some("role") => Kind::Titles,
            Some("card") => Kind::Cards,
            Some(_) => Kind::Number,
            None => Kind::Players,
        };
        Some(Param {
            kind,
            name: self.name(cursor.presume(Rule::name)),
        })
    }

    fn accept_params(&mut self, cursor: &mut Cursor<'_>) -> Vec<Param> {
        let mut params = Vec::new();
        if let Some(pair) = cursor.accept(Rule::params) {
            let mut cursor = Cursor::into(pair);
            params.extend(std::iter::from_fn(|| self.accept_param(&mut cursor)));
        }
        params
    }

    fn event(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        let name = self.name(cursor.presume(Rule::name));
        if let Some(group) = cursor.accept(Rule::event_group) {
            let events = self.presume_names(&mut Cursor::into(group));
            return ItemKind::EventGroup { name, events };
        }
        let mut params = Cursor::into(cursor.presume(Rule::event_params));
        ItemKind::Event {
            name,
            of: self.accept_param(&mut params),
            by: params.accept(Rule::name).map(|by| self.name(by)),
            with: self.accept_params(&mut params),
            body: self.block(cursor.presume(Rule::block)),
        }
    }

    fn rule(&mut self, cursor: &mut Cursor<'_>) -> RuleItem {
        let name = self.name(cursor.presume(Rule::name));
        let order = self.each(cursor, Rule::rule_order, Self::rule_order);
        let moment = cursor.presume(Rule::moment);
        RuleItem {
            name,
            order,
            moment_span: self.span(&moment),
            each: moment.as_str().ends_with("each"),
            moment: moment_of(moment),
            happening: self.happening(cursor.presume(Rule::happening)),
            when: self.accept_when(cursor),
            body: self.block(cursor.presume(Rule::block)),
        }
    }

    fn rule_order(&mut self, pair: Pair<'_, Rule>) -> RuleOrder {
        let mut cursor = Cursor::into(pair);
        let before = cursor.has(Rule::kw_before);
        RuleOrder {
            before,
            name: self.name(cursor.presume(Rule::name)),
        }
    }

    fn happening(&mut self, pair: Pair<'_, Rule>) -> Happening {
        let mut cursor = Cursor::into(pair);
        Happening {
            names: self.presume_names(&mut cursor),
            of: {
                self.maybe(&mut cursor, Rule::of_pattern, Self::pattern)
                    .into_iter()
            }
            .chain(self.each(&mut cursor, Rule::and_pattern, Self::pattern))
            .collect(),
            by: self.maybe(&mut cursor, Rule::by_pattern, Self::pattern),
            with: match cursor.accept(Rule::with_pattern) {
                Some(with) => self.each(&mut Cursor::into(with), Rule::name, Self::name),
                None => Vec::new(),
            },
        }
    }

    fn pattern(&mut self, pair: Pair<'_, Rule>) -> Pattern {
        let mut cursor = Cursor::into(pair);
        let set = self.expr(cursor.presume(Rule::sum));
        Pattern {
            set,
            name: self.maybe(&mut cursor, Rule::name, Self::name),
        }
    }

    fn scene(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        ItemKind::Scene {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            params: self.accept_params(cursor),
            body: self.block(cursor.presume(Rule::block)),
        }
    }

    fn allow(&mut self, cursor: &mut Cursor<'_>) -> Allow {
        Allow {
            who: self.expr(cursor.presume(Rule::sum)),
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            pick: self.accept_pick(cursor),
            during: self.accept_listed(cursor, Rule::during_names),
            when: self.accept_when(cursor),
            body: self.block(cursor.presume(Rule::block)),
        }
    }

    pub(super) fn accept_pick(&mut self, cursor: &mut Cursor<'_>) -> Option<Pick> {
        let pair = cursor.accept(Rule::pick)?;
        let around = self.span(&pair);
        let mut cursor = Cursor::into(pair);
        let name = self.name(cursor.presume(Rule::name));
        let domain = match cursor.accept(Rule::domain) {
            Some(domain) => self.domain(domain),
            None => self.letters(&mut cursor, around),
        };
        Some(Pick { name, domain })
    }

    fn ending(&mut self, pair: Pair<'_, Rule>) -> Ending {
        if pair.as_rule() == Rule::ending_plain {
            return self.plain_ending(pair);
        }
        let mut cursor = Cursor::into(pair);
        let name = Some(self.name(cursor.presume(Rule::name)));
        let order = self.maybe(&mut cursor, Rule::ending_order, Self::ending_order);
        if let Some(plain) = cursor.accept(Rule::ending_plain) {
            return Ending {
                name,
                order,
                ..self.plain_ending(plain)
            };
        }
        let when = self.expr(only(cursor.presume(Rule::when)));
        let title = self.accept_title(&mut cursor);
        let verdict = Verdict::Judged(self.block(cursor.presume(Rule::block)));
        Ending {
            name,
            order,
            verdict,
            when,
            title,
        }
    }

    fn plain_ending(&mut self, pair: Pair<'_, Rule>) -> Ending {
        let mut cursor = Cursor::into(pair);
        let verdict = self.verdict(cursor.presume(Rule::ending_verdict));
        let when = self.expr(only(cursor.presume(Rule::when)));
        Ending {
            name: None,
            order: None,
            verdict,
            when,
            title: self.accept_title(&mut cursor),
        }
    }

    fn verdict(&mut self, pair: Pair<'_, Rule>) -> Verdict {
        let mut cursor = Cursor::into(pair);
        if cursor.has(Rule::kw_win) {
            return Verdict::Win(self.expr(cursor.presume(Rule::sum)));
        }
        cursor
            .accept(Rule::sum)
            .map_or(Verdict::Draw, |set| Verdict::Lose(self.expr(set)))
    }

    fn ending_order(&mut self, pair: Pair<'_, Rule>) -> EndingOrder {
        let mut cursor = Cursor::into(pair);
        let before = cursor.has(Rule::kw_before);
        match self.maybe(&mut cursor, Rule::name, Self::name) {
            Some(name) if before => EndingOrder::Before(name),
            Some(name) => EndingOrder::After(name),
            None => EndingOrder::First,
        }
    }

    fn policy(&mut self, cursor: &mut Cursor<'_>) -> Policy {
        Policy {
            name: self.name(cursor.presume(Rule::name)),
            title: self.accept_title(cursor),
            lines: self.each(cursor, Rule::policy_line, Self::policy_line),
        }
    }

    fn policy_line(&mut self, pair: Pair<'_, Rule>) -> PolicyLine {
        let mut cursor = Cursor::into(pair);
        PolicyLine {
            questions: self.presume_names(&mut cursor),
            by: self.maybe(&mut cursor, Rule::sum, Self::expr),
            when: self.accept_when(&mut cursor),
            wishes: self.each(&mut cursor, Rule::expr, Self::expr),
        }
    }

    fn option(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        let name = self.name(cursor.presume(Rule::name));
        let mut values = Cursor::into(cursor.presume(Rule::option_values));
        let words = values.all(Rule::option_value);
        let values = match values.accept(Rule::range) {
            Some(range) => OptionValues::Range(self.range(range)),
            None => OptionValues::Words(words.into_iter().map(|word| self.option_value(word)).collect()),
        };
        let default = self.option_value(cursor.presume(Rule::option_value));
        ItemKind::Option {
            name,
            values,
            default,
            sentence: self.title(cursor.presume(Rule::texts)),
        }
    }

    fn option_value(&mut self, pair: Pair<'_, Rule>) -> OptionValue {
        let span = self.span(&pair);
        let word = pair.as_str();
        match Cursor::into(pair.clone()).next() {
            Some(int) if int.as_rule() == Rule::int => OptionValue::Int(self.int(int)),
            Some(name) => OptionValue::Word(self.name(name)),
            None => OptionValue::Word(Name::new(word, span)),
        }
    }

    fn hook(&mut self, cursor: &mut Cursor<'_>) -> ItemKind {
        ItemKind::Hook {
            name: self.name(cursor.presume(Rule::name)),
            param: self.accept_param(cursor),
            gives: hook_kind(cursor.presume(Rule::hook_kind)),
            why: self.title(cursor.presume(Rule::texts)),
            script: self.script_text(cursor.presume(Rule::script_text)),
        }
    }

    fn replacement(&mut self, pair: Pair<'_, Rule>) -> ItemKind {
        if pair.as_rule() == Rule::item {
            return ItemKind::Replace(Box::new(self.item(pair)));
        }
        let mut cursor = Cursor::into(pair);
        ItemKind::ReplaceCall {
            card: self.name(cursor.presume(Rule::name)),
            purpose: self.maybe(&mut cursor, Rule::name, Self::name),
            body: self.block(cursor.presume(Rule::block)),
        }
    }
}

fn mark_shape(pair: Pair<'_, Rule>) -> MarkShape {
    match Cursor::into(pair).has(Rule::kw_one) {
        true => MarkShape::One,
        false => MarkShape::InOrder,
    }
}

fn moment_of(pair: Pair<'_, Rule>) -> Moment {
    let mut cursor = Cursor::into(pair);
    if cursor.has(Rule::kw_before) {
        Moment::Before
    } else if cursor.has(Rule::kw_instead) {
        Moment::Instead
    } else {
        Moment::After
    }
}

fn hook_kind(pair: Pair<'_, Rule>) -> Kind {
    match pair.as_str() {
        "players" => Kind::Players,
        "number" => Kind::Number,
        _ => Kind::Truth,
    }
}
