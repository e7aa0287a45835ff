//! Definitions with their cases, and what is published.

use super::Collector;
use crate::errors;
use crate::layer::Layer;
use crate::load::Declared;
use crate::symbol::Meaning;
use crate::table::{Clause, Define};
use omerta_core::rules::{GroupKind, Kind};
use omerta_syntax::tree::{Expr, ItemKind, Name, Param};

impl Collector<'_> {
    pub(super) fn defines(&mut self, items: &[Declared]) {
        for d in items {
            if let ItemKind::Define { name, param, value } = &d.item.kind {
                self.define(name, param.as_ref(), value, d.layer);
            }
        }
        for d in items {
            let ItemKind::Clause(written) = &d.item.kind else {
                continue;
            };
            let name = &written.name;
            let Some(Meaning::Define(index)) = self.out.symbols.meaning(&name.text) else {
                let known = self.out.defines.list.iter().map(|d| d.name.as_str());
                let known: Vec<&str> = known.take(errors::guesses(self.diagnostics.len())).collect();
                self.report(errors::unknown_of_sort(name, "a definition", (&known, false)));
                continue;
            };
            self.check_published(name, d.layer);
            let (param, only_for, kind) = self.clause_param(written.param.as_ref());
            if let (Some(param), Some(kind)) = (&written.param, kind) {
                match self.out.defines.list[index].param {
                    None => self.report(errors::no_of_here(name, param.name.span)),
                    // A name without a kind stands for whatever the definition is asked about.
                    Some(asked) if kind != asked && (only_for.is_some() || kind != Kind::Players) => {
                        self.report(errors::asked_about_others(
                            name,
                            &param.name,
                            asked,
                            only_for.is_some(),
                        ));
                    }
                    Some(_) => {}
                }
            }
            let clause = Clause {
                param,
                only_for,
                value: written.value.clone(),
                want: None,
                when: written.when.clone(),
                layer: d.layer,
            };
            let define = &mut self.out.defines.list[index];
            let place = define.clauses.partition_point(|(mode, _)| *mode <= written.mode);
            define.clauses.insert(place, (written.mode, clause));
        }
    }

    /// An overlay may add only to what its base publishes.
    fn check_published(&mut self, name: &Name, layer: Layer) {
        let symbols = &self.out.symbols;
        let Some(symbol) = symbols.get(&name.text) else {
            return;
        };
        if layer != Layer::Base && symbol.layer == Layer::Base && !symbols.published.contains(&name.text) {
            self.report(errors::not_published(
                name,
                symbol.span,
                &symbols.published,
                (&symbols.grounds, layer),
            ));
        }
    }

    /// The argument's name, or the one role or team the clause is for, and its kind.
    fn clause_param(&self, param: Option<&Param>) -> (Option<String>, Option<u64>, Option<Kind>) {
        let Some(param) = param else {
            return (None, None, None);
        };
        let title =
            self.out.rules.groups.iter().position(|g| {
                g.name == param.name.text && matches!(g.kind, GroupKind::Role | GroupKind::Team)
            });
        match (title, param.kind) {
            (Some(index), Kind::Players) if index < 64 => (None, Some(1 << index), Some(Kind::Titles)),
            _ => (Some(param.name.text.clone()), None, Some(param.kind)),
        }
    }

    fn define(&mut self, name: &Name, param: Option<&Param>, value: &Expr, layer: Layer) {
        let (param_name, only_for, kind) = self.clause_param(param);
        let clause = Clause {
            param: param_name,
            only_for,
            value: value.clone(),
            want: None,
            when: None,
            layer,
        };
        if let Some(Meaning::Define(index)) = self.out.symbols.meaning(&name.text) {
            let define = &mut self.out.defines.list[index];
            let twice = define.bases.iter().any(|b| b.only_for == clause.only_for);
            if twice || define.param != kind {
                self.diagnostics.push(errors::declared_twice(name, define.span));
                return;
            }
            define.bases.push(clause);
            return;
        }
        let index = self.out.defines.list.len();
        self.out.defines.list.push(Define {
            name: name.text.clone(),
            param: kind,
            bases: vec![clause],
            clauses: Vec::new(),
            span: name.span,
        });
        self.declare(name, Meaning::Define(index), layer);
    }
}
