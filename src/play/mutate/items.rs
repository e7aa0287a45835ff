//! Changes to declarations.

use super::edit::{Changes, NEVER};
use omerta_core::source::Span;
use omerta_syntax::{
    tree::{
        Allow, CastCell, CastRow, CastRows, ClauseMode, Company, Ending, EndingOrder, Expr, Int, Item,
        ItemKind, Kept, MarkShape, Moment, Name, OptionValue, OptionValues, Part, Range, Role, Rule,
        StatementKind, Verdict,
    },
    walk::holds,
};

/// A condition that always holds where there is a game.
const ALWAYS: &str = "some players";

impl Changes<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Overlay { bases, items, .. } => {
                self.listed("on", bases, item.span, "left out");
                items.iter().for_each(|item| self.item(item));
            }
            ItemKind::Replace(inner) => self.item(inner),
            ItemKind::Section { items, .. } => items.iter().for_each(|item| self.item(item)),
            ItemKind::Players { range, by_lot } => {
                self.whole_range(range);
                if range.to.span == range.from.span {
                    let more = format!("..{}", range.to.value + 1);
                    self.insert(self.range(range.to.span).end, more, "one more, too");
                }
                let rest = self.range(range.to.span).end..self.range(item.span).end;
                if let (true, Some(word)) = (*by_lot, self.word("seated", rest.clone())) {
                    self.drop_range(word.start..rest.end, "seated as they come");
                }
            }
            ItemKind::Cast { rows, only, .. } => {
                let whole = self.range(item.span);
                if let (true, Some(word)) = (*only, self.word("only", whole)) {
                    self.drop_range(word, "beside the other tables");
                }
                self.cast(rows);
            }
            ItemKind::Require { test, .. } | ItemKind::Warn { test, .. } => {
                self.replace(test.span, ALWAYS, "whatever the cards are");
                self.condition(test);
            }
            ItemKind::Team { classes, parts, .. } => {
                self.listed("is", classes, item.span, "left out");
                self.parts_of(parts);
            }
            ItemKind::Role(role) => self.role(role, item.span),
            ItemKind::Token { copies, .. } => copies.iter().for_each(|copies| self.number(*copies)),
            ItemKind::Zone { seen_by, backs, .. } => {
                seen_by.iter().for_each(|who| self.seen(who, item.span));
                if let Some(who) = backs {
                    let start = self.range(item.span).start;
                    self.clause("with", start, who, "backs seen by nobody");
                    self.set(who);
                }
                let end = self.range(item.span).end;
                if seen_by.is_none() && backs.is_none() {
                    self.insert(end, " seen by players", "seen by everybody");
                }
            }
            ItemKind::Mark { names, shape, kept } => {
                self.mark_shape(*shape, names, item.span);
                self.kept(kept, item.span);
            }
            ItemKind::Flag { kept, .. } => self.kept(kept, item.span),
            ItemKind::Count { start, kept, .. } => {
                start.iter().for_each(|start| self.number(*start));
                self.kept(kept, item.span);
            }
            ItemKind::Link { names, one, kept, .. } => {
                let names = names.last().map_or(0, |name| self.range(name.span).end);
                match self.word("one", names..self.range(item.span).end) {
                    Some(word) if *one => self.drop_range(word, "to several"),
                    _ => self.insert(names, " one", "to one at most"),
                }
                self.kept(kept, item.span);
            }
            ItemKind::Define { value, .. } => self.expr(value),
            ItemKind::Clause(clause) => {
                self.replace(item.span, "", "dropped");
                let head = clause.param.as_ref().map_or(&clause.name, |param| &param.name);
                let (word, other) = match clause.mode {
                    ClauseMode::Raise => ("raise", "lower"),
                    ClauseMode::Lower => ("lower", "raise"),
                    _ => ("", ""),
                };
                let last = if word.is_empty() {
                    head.span
                } else {
                    clause.value.span
                };
                if !word.is_empty() {
                    let start = self.range(item.span).start;
                    self.edit(
                        start..start + word.len(),
                        other,
                        format!("`{other}` for `{word}`"),
                    );
                }
                self.expr(&clause.value);
                if let Some(when) = &clause.when {
                    self.when(when, self.range(last).end);
                }
            }
            ItemKind::EventGroup { events, .. } => self.names(events, "left out"),
            ItemKind::Event { body, .. } | ItemKind::Scene { body, .. } | ItemKind::Script(body) => {
                self.block(body)
            }
            ItemKind::ReplaceCall { body, .. } => self.block(body),
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Allow(allow) => self.allow(allow),
            ItemKind::Ending(ending) => self.ending(ending, item.span),
            ItemKind::Option { values, default, .. } => self.option(values, default),
            ItemKind::Choose { .. } => self.replace(item.span, "", "dropped"),
            ItemKind::Remove(names) if names.len() > 1 => self.names(names, "not removed"),
            ItemKind::Needs(names) | ItemKind::Refuses(names) if names.len() > 1 => {
                self.names(names, "left out")
            }
            ItemKind::Remove(_) | ItemKind::Needs(_) | ItemKind::Refuses(_) => {
                self.replace(item.span, "", "dropped")
            }
            ItemKind::Spare(count) => count.iter().for_each(|count| self.number(*count)),
            ItemKind::Ruleset { .. }
            | ItemKind::Library { .. }
            | ItemKind::Use(_)
            | ItemKind::Publish(_)
            | ItemKind::Class { .. }
            | ItemKind::Hook { .. }
            | ItemKind::Policy(_) => {}
        }
    }

    fn cast(&mut self, rows: &CastRows) {
        match rows {
            CastRows::Table(rows) => {
                self.heads(rows);
                let cards = rows.iter().filter(|row| row.head.text != "players");
                for cell in cards.flat_map(|row| &row.cells) {
                    if let CastCell::Range(range) = cell {
                        self.whole_range(range);
                    }
                }
                self.another_card(rows);
            }
            CastRows::Swaps { players, swaps } => {
                self.number(*players);
                let pairs: Vec<Span> = swaps.iter().map(|(card, of)| card.span.to(of.span)).collect();
                self.drop_each(&pairs, "not put in");
            }
        }
    }

    /// In a column one card more of one row, and one less of the next that has any: as many cards, and another game.
    fn another_card(&mut self, rows: &[CastRow]) {
        let cards: Vec<&CastRow> = rows.iter().filter(|row| row.head.text != "players").collect();
        let number = |row: &CastRow, column: usize| match row.cells.get(column) {
            Some(CastCell::Range(range)) if range.from.value == range.to.value => Some(range.from),
            _ => None,
        };
        for pair in cards.windows(2) {
            let columns = 0..pair[0].cells.len();
            let both =
                columns.filter_map(|column| Some((number(pair[0], column)?, number(pair[1], column)?)));
            for (one, other) in both.filter(|(_, other)| other.value > 0) {
                let edits = vec![
                    (self.range(one.span), (one.value + 1).to_string()),
                    (self.range(other.span), (other.value - 1).to_string()),
                ];
                self.edit_all(edits, "another card");
            }
        }
    }

    /// A column is for one number of players less.
    fn heads(&mut self, rows: &[CastRow]) {
        let heads = rows.iter().filter(|row| row.head.text == "players");
        for cell in heads.flat_map(|row| &row.cells) {
            if let CastCell::Range(range) = cell
                && range.from.value < range.to.value
            {
                let less = (range.to.value - 1).to_string();
                self.replace(range.to.span, less, "without the last number");
            }
        }
    }

    fn whole_range(&mut self, range: &Range) {
        self.number(range.from);
        if range.to.span != range.from.span {
            self.number(range.to);
        }
    }

    /// `is Healer, Harbour`: each name left out, and the word with it where it is the only one.
    fn listed(&mut self, word: &str, names: &[Name], whole: Span, what: &str) {
        match names {
            [one] => {
                let (name, start) = (self.range(one.span), self.range(whole).start);
                let found = self.text[start..name.start].rfind(word);
                if let Some(at) = found {
                    self.drop_range(start + at..name.end, format!("`{word} {}` {what}", one.text));
                }
            }
            _ => self.names(names, what),
        }
    }

    fn role(&mut self, role: &Role, whole: Span) {
        self.listed("is", &role.side.classes, whole, "left out");
        self.else_sides(role);
        if let Some(limit) = role.limit {
            self.limit(limit, whole);
        }
        role.company.iter().for_each(|company| self.company(company));
        self.parts_of(&role.parts);
    }

    /// `replaces Baker then Fool when roads is open`
    fn company(&mut self, company: &Company) {
        let whole = self.range(company.span);
        if let Some(when) = &company.when {
            let option = self.range(when.option.span).start;
            if let Some(at) = self.text[whole.start..option].rfind("when") {
                self.drop_range(whole.start + at..whole.end, "whatever the option");
            }
        }
        if let [cards] = &company.cards[..]
            && let [one] = &cards[..]
        {
            let word = self.text[whole.clone()].split_whitespace().next();
            let what = format!("`{} {}` left out", word.unwrap_or_default(), one.text);
            self.drop_range(whole, what);
            return;
        }
        for (index, cards) in company.cards.iter().enumerate() {
            let next = company.cards.get(index + 1).and_then(|next| next.first());
            match (next, &cards[..]) {
                // What stands before `then` goes with it.
                (Some(next), [one]) if index == 0 => {
                    let cut = self.range(one.span).start..self.range(next.span).start;
                    self.edit(cut, "", format!("`{}` left out", one.text));
                }
                _ => self.listed("then", cards, company.span, "left out"),
            }
        }
    }

    /// `when turncoat is yes else of Guild`: left out, and each class of it.
    fn else_sides(&mut self, role: &Role) {
        for (when, side) in &role.else_sides {
            let option = self.range(when.option.span).start;
            let last = side.classes.last().or(side.team.as_ref());
            if let (Some(at), Some(last)) = (self.text[..option].rfind("when"), last) {
                let end = self.range(last.span).end;
                self.drop_range(at..end, "whatever the option");
            }
            self.names(&side.classes, "left out");
        }
    }

    fn limit(&mut self, limit: Int, whole: Span) {
        self.number(limit);
        let (number, start) = (self.range(limit.span), self.range(whole).start);
        if let Some(at) = self.text[start..number.start].rfind("at") {
            self.drop_range(start + at..number.end, "any number of cards");
        }
    }

    fn parts_of(&mut self, parts: &[Part]) {
        parts.iter().for_each(|part| self.block(&part.body));
    }

    fn mark_shape(&mut self, shape: MarkShape, names: &[Name], whole: Span) {
        let after = names.last().map_or(0, |name| self.range(name.span).end);
        let within = after..self.range(whole).end;
        match shape {
            MarkShape::Many => self.insert(after, " one", "on one at most"),
            MarkShape::One => {
                if let Some(word) = self.word("one", within) {
                    self.drop_range(word, "on any number");
                }
            }
            MarkShape::InOrder => {
                if let Some(word) = self.word("order", within) {
                    self.edit(after..word.end, "", "in the order of the seats");
                }
            }
        }
    }

    /// Seen by nobody; `until end of Dusk`: at the wrong edge, and for ever.
    fn kept(&mut self, kept: &Kept, item: Span) {
        if let Some(who) = &kept.seen_by {
            self.seen(who, item);
        }
        let Some(life) = &kept.life else { return };
        let name = self.range(life.name.span);
        let line = self.text[..name.start].rfind('\n').map_or(0, |end| end + 1);
        let Some(until) = self.text[line..name.start].rfind("until").map(|at| line + at) else {
            return;
        };
        let word = until + "until".len();
        let (edge, what) = match life.to_end {
            true => (" ", "until its beginning"),
            false => (" end of ", "until its end"),
        };
        self.edit(word..name.start, edge, what);
        self.drop_range(until..name.end, "for ever");
    }

    /// `seen by players`
    fn seen(&mut self, who: &Expr, item: Span) {
        let start = self.range(item).start;
        self.clause("seen", start, who, "seen by nobody");
        self.set(who);
    }

    fn rule(&mut self, rule: &Rule) {
        let body = self.range(rule.body.span).start;
        match &rule.when {
            Some(when) => self.replace(when.span, NEVER, "rule dropped"),
            None => self.insert(body, format!("when {NEVER} "), "rule dropped"),
        }
        let idle = rule
            .body
            .statements
            .iter()
            .all(|s| s.kind == StatementKind::Nothing);
        match rule.moment {
            Moment::Before => self.replace(rule.moment_span, "after", "`after` for `before`"),
            Moment::After => self.replace(rule.moment_span, "before", "`before` for `after`"),
            Moment::Instead if !idle => self.replace(rule.moment_span, "before", "`before` for `instead of`"),
            Moment::Instead => {}
        }
        if rule.each {
            self.replace(rule.moment_span, "instead of", "without `each`");
        }
        for order in &rule.order {
            let name = self.range(order.name.span).start;
            self.order(order.before, self.range(rule.name.span).end..name);
        }
        let happening = &rule.happening;
        self.names(&happening.names, "left out");
        let patterns = happening.of.iter().chain(&happening.by);
        patterns.for_each(|pattern| self.set(&pattern.set));
        if let Some(when) = &rule.when {
            let names = happening.names.last().map_or(0, |name| self.range(name.span).end);
            self.when(when, names);
        }
        self.block(&rule.body);
    }

    /// `before other`: after it, and the other way round. The word is the last of its kind in the range.
    fn order(&mut self, before: bool, within: std::ops::Range<usize>) {
        let (word, other) = if before {
            ("before", "after")
        } else {
            ("after", "before")
        };
        if let Some(at) = self.text[within.clone()].rfind(word) {
            let at = within.start + at;
            self.edit(at..at + word.len(), other, format!("`{other}` for `{word}`"));
        }
    }

    fn allow(&mut self, allow: &Allow) {
        let body = self.range(allow.body.span).start;
        match &allow.when {
            Some(when) => self.replace(when.span, NEVER, "never allowed"),
            None => self.insert(body, format!("when {NEVER} "), "never allowed"),
        }
        self.set(&allow.who);
        if let Some(pick) = &allow.pick {
            self.domain(&pick.domain);
        }
        if let [first, .., last] | [first @ last] = &allow.during[..] {
            let (first, last) = (self.range(first.span).start, self.range(last.span).end);
            if let Some(at) = self.text[..first].rfind("during") {
                self.drop_range(at..last, "allowed at any time");
            }
            // A player who takes up one that plays nothing while another is dealt with.
            if self.slice(allow.who.span) != "host"
                && !holds(&allow.body, &|kind| matches!(kind, StatementKind::Play { .. }))
            {
                for scene in self.staged.clone() {
                    self.insert(last, format!(", {scene}"), "allowed inside an offer");
                }
            }
        }
        self.names(&allow.during, "left out");
        if let Some(when) = &allow.when {
            self.when(when, self.range(allow.name.span).end);
        }
        self.block(&allow.body);
    }

    fn ending(&mut self, ending: &Ending, whole: Span) {
        let start = self.range(whole).start;
        let when = self.range(ending.when.span);
        self.edit(when.clone(), NEVER, "ending dropped");
        self.condition(&ending.when);
        match &ending.verdict {
            Verdict::Win(set) | Verdict::Lose(set) => {
                let (word, other) = match ending.verdict {
                    Verdict::Win(_) => ("win", "lose"),
                    _ => ("lose", "win"),
                };
                let before = start..self.range(set.span).start;
                let name = ending
                    .name
                    .as_ref()
                    .map_or(start, |name| self.range(name.span).end);
                if let Some(at) = self.word(word, name..before.end) {
                    self.edit(at.clone(), other, format!("`{other}` for `{word}`"));
                    self.edit(at.start..self.range(set.span).end, "draw", "`draw`");
                }
                self.expr(set);
            }
            Verdict::Draw => {
                if let Some(word) = self.word("draw", start..when.start) {
                    self.edit(word, "win players", "`win` for `draw`");
                }
            }
            Verdict::Judged(block) => self.block(block),
        }
        if let (Some(name), Some(EndingOrder::Before(other) | EndingOrder::After(other))) =
            (&ending.name, &ending.order)
        {
            let before = matches!(ending.order, Some(EndingOrder::Before(_)));
            self.order(before, self.range(name.span).end..self.range(other.span).start);
        }
        if let (Some(name), Some(_)) = (&ending.name, &ending.order) {
            let name = self.range(name.span).end;
            let colon = self.text[name..when.start].find([':', '\n']).map(|at| name + at);
            let end = colon.or_else(|| self.word("when", name..when.start).map(|at| at.start - 1));
            if let Some(end) = end {
                self.edit(name..end, "", "tested in its place");
            }
        }
    }

    fn option(&mut self, values: &OptionValues, default: &OptionValue) {
        let (span, written) = match default {
            OptionValue::Word(name) => (name.span, name.text.clone()),
            OptionValue::Int(int) => (int.span, int.value.to_string()),
        };
        match values {
            OptionValues::Words(words) => {
                for value in words {
                    let value = match value {
                        OptionValue::Word(name) => name.text.clone(),
                        OptionValue::Int(int) => int.value.to_string(),
                    };
                    if value != written {
                        self.replace(span, value, "another default");
                    }
                }
            }
            OptionValues::Range(range) => {
                if let OptionValue::Int(int) = default {
                    if int.value < range.to.value {
                        let less = (range.to.value - 1).to_string();
                        self.replace(range.to.span, less, "without the last value");
                    }
                    let near = [int.value - 1, int.value + 1];
                    for value in near
                        .into_iter()
                        .filter(|v| (range.from.value..=range.to.value).contains(v))
                    {
                        self.replace(span, value.to_string(), "another default");
                    }
                }
            }
        }
    }
}
