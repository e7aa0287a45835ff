//! Rules ready to play: bundled ones, files, texts in memory, with overlays and options.

use super::mistakes::{LoadError, Mistake, mistakes};
use omerta_core::{
    rules::{GroupId, GroupKind, OptionSetting, Ruleset},
    source::{Loaded, Loader},
};
use omerta_workbench::{
    ReadyRules, RulesetRequest, Workbench,
    bundle::{Shelf, bundled, holds_overlay},
};
use std::{collections::BTreeMap, ops::RangeInclusive, sync::Arc};

/// What rules are wanted.
///
/// ```
/// let rules = omerta::Load::named("city").overlay("mayor").load()?;
/// assert_eq!(rules.overlays(), ["mayor"]);
/// # Ok::<(), omerta::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Load {
    base: String,
    overlays: Vec<String>,
    options: Vec<(String, String)>,
    texts: BTreeMap<String, String>,
}

/// What the text of a ruleset is called that was given without a name.
const UNNAMED: &str = "rules.mafia";

impl Load {
    /// A bundled ruleset by its name, or a file by its path.
    pub fn named(name: impl Into<String>) -> Load {
        Load {
            base: name.into(),
            overlays: Vec::new(),
            options: Vec::new(),
            texts: BTreeMap::new(),
        }
    }

    /// A ruleset in memory.
    pub fn text(text: impl Into<String>) -> Load {
        Load::named(UNNAMED).beside(UNNAMED, text)
    }

    /// A text that stands beside the ruleset: a library it uses, a file with overlays.
    pub fn beside(mut self, name: impl Into<String>, text: impl Into<String>) -> Load {
        self.texts.insert(name.into(), text.into());
        self
    }

    /// Lays an overlay on, by its name or by the path of its file.
    pub fn overlay(mut self, name: impl Into<String>) -> Load {
        self.overlays.push(name.into());
        self
    }

    /// Chooses an option otherwise.
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Load {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Reads, checks and compiles.
    pub fn load(self) -> Result<Rules, LoadError> {
        let (bench, wanted) = if self.texts.is_empty() {
            let asked = Workbench::asked(&self.base, &self.overlays, &self.options);
            asked.map_err(|error| LoadError::Unusable(error.to_string()))?
        } else {
            let wanted = RulesetRequest {
                base: self.base,
                overlays: self.overlays,
                options: self.options,
            };
            (Workbench::reading(Arc::new(Texts(self.texts))), wanted)
        };
        match bench.lay(&wanted) {
            Ok(laid) => Ok(Rules {
                bench: Arc::new(bench),
                wanted,
                laid,
            }),
            Err(problems) => Err(LoadError::Wrong(mistakes(&bench, &problems))),
        }
    }
}

/// Texts in memory, before the bundled ones; files are not looked at.
struct Texts(BTreeMap<String, String>);

impl Texts {
    fn own(&self, name: &str) -> Option<Loaded> {
        let with_ending = || self.0.get(&format!("{}.mafia", name.replace('.', "/")));
        let text = self.0.get(name).or_else(with_ending)?;
        Some(Loaded {
            name: name.to_owned(),
            text: text.clone(),
        })
    }
}

impl Loader for Texts {
    fn load(&self, path: &str) -> Option<Loaded> {
        self.own(path).or_else(|| bundled(path))
    }

    fn load_overlay(&self, wanted: &str, base: &str) -> Vec<Loaded> {
        let own = self.0.iter().filter(|(_, text)| holds_overlay(text, wanted));
        let own: Vec<Loaded> = own
            .map(|(name, text)| Loaded {
                name: name.clone(),
                text: text.clone(),
            })
            .collect();
        match own.is_empty() {
            true => Shelf::default().load_overlay(wanted, base),
            false => own,
        }
    }

    fn names(&self) -> Vec<String> {
        let own = self.0.keys().cloned();
        own.chain(Shelf::default().names()).collect()
    }
}

/// Rules ready to play. Cheap to clone; games keep what they need of them.
#[derive(Clone)]
pub struct Rules {
    pub(super) bench: Arc<Workbench>,
    pub(super) wanted: RulesetRequest,
    pub(super) laid: ReadyRules,
}

/// Something with a name that people see under its title.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Title {
    /// Its name in the rules.
    pub name: String,
    /// What people see.
    pub title: String,
}

/// An option of the rules with the value it has.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The values it may have; a range stands as `1..5`.
    pub values: Vec<String>,
}

impl Rules {
    pub(super) fn rules(&self) -> &Arc<Ruleset> {
        &self.laid.bench.rules
    }

    /// The name of the ruleset and what people see.
    pub fn title(&self) -> Title {
        Title {
            name: self.rules().name.clone(),
            title: self.rules().title.clone(),
        }
    }

    /// The overlays that lie on it, by name.
    pub fn overlays(&self) -> &[String] {
        &self.rules().overlays
    }

    /// All options with their values.
    pub fn options(&self) -> Vec<Setting> {
        let setting = |option: &OptionSetting| Setting {
            name: option.name.clone(),
            value: option.value.clone(),
            values: option.values.clone(),
        };
        self.rules().options.iter().map(setting).collect()
    }

    /// How many may play.
    pub fn players(&self) -> RangeInclusive<u8> {
        let (from, to) = self.rules().seats;
        from..=to
    }

    /// All roles.
    pub fn roles(&self) -> Vec<Title> {
        self.groups(GroupKind::Role)
    }

    /// All teams.
    pub fn teams(&self) -> Vec<Title> {
        self.groups(GroupKind::Team)
    }

    fn groups(&self, kind: GroupKind) -> Vec<Title> {
        let groups = 0..self.rules().groups.len();
        let groups = groups.map(|at| GroupId(at as u16));
        groups
            .filter(|group| self.rules().groups[group.index()].kind == kind)
            .map(|group| title_of(self.rules(), group))
            .collect()
    }

    /// What is to be warned of.
    pub fn warnings(&self) -> Vec<Mistake> {
        mistakes(&self.bench, &self.laid.warnings)
    }

    /// The texts they were read from, those that travel inside omerta left out, by their names: what
    /// [`Load::beside`] takes, so that the same rules can be loaded elsewhere.
    pub fn texts(&self) -> Vec<(String, String)> {
        self.bench.with_sources(|sources| {
            let own = sources
                .iter()
                .filter(|(_, source)| bundled(&source.name).is_none_or(|inside| inside.text != source.text));
            own.map(|(_, source)| (source.name.clone(), source.text.clone()))
                .collect()
        })
    }

    /// What was asked for to load them: a name or a path.
    pub fn source(&self) -> &str {
        &self.wanted.base
    }

    /// A digest of what the rules do: equal rules play equal games.
    pub fn identity(&self) -> String {
        self.rules().identity_text()
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Rules");
        out.field("name", &self.rules().name)
            .field("overlays", &self.rules().overlays);
        out.finish_non_exhaustive()
    }
}

/// A role or team by its name and title.
pub(super) fn title_of(rules: &Ruleset, group: GroupId) -> Title {
    let group = &rules.groups[group.index()];
    Title {
        name: group.name.clone(),
        title: group.title.clone(),
    }
}
