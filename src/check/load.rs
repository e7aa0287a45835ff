//! From the name of a ruleset to the list of all its declarations: the file itself, what it uses,
//! and the overlays laid on it.

use crate::errors;
use crate::grounds::Grounds;
use crate::layer::Layer;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::source::{Loaded, Loader, Source, SourceId, Sources, Span};
use omerta_syntax::tree::{Item, ItemKind, Name, Text};
use omerta_syntax::{Known, parse_version};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

/// A declaration with the layer it belongs to.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The layer.
    pub layer: Layer,
    /// The declaration, which others may read as well.
    pub item: Arc<Item>,
}

/// An overlay that was asked for.
#[derive(Clone, Debug)]
pub struct OverlayHead {
    /// Its name.
    pub name: Name,
    /// The bases it says it fits.
    pub bases: Vec<Name>,
    /// The overlays it needs.
    pub needs: Vec<Name>,
    /// The overlays it refuses.
    pub refuses: Vec<Name>,
    /// Its sections that count on the base at hand.
    pub sections: Vec<Span>,
}

/// All declarations of one ruleset with its overlays.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The ruleset's name.
    pub name: Option<Name>,
    /// Its title.
    pub title: Option<String>,
    /// The overlays in force, sorted by name.
    pub overlays: Vec<OverlayHead>,
    /// Everything declared, base first, each overlay after it.
    pub items: Vec<Declared>,
    /// What no declaration is left of: the first lines of the ruleset, its libraries and the overlays in force, without
    /// what these hold, the options they choose, and what they remove.
    pub heads: Vec<Item>,
    /// Where the base file stands, for mistakes of the whole.
    pub whole: Option<Span>,
    /// The libraries that are named by their paths: whoever wrote the ruleset wrote them as well.
    pub libraries: BTreeSet<SourceId>,
}

impl Gathered {
    /// What the overlays lie on.
    pub fn grounds(&self) -> Grounds {
        let overlays = self.overlays.iter().map(|overlay| {
            let bases = overlay.bases.iter().map(|base| base.text.clone());
            (bases.collect(), overlay.sections.clone())
        });
        let base = self
            .name
            .as_ref()
            .map_or_else(String::new, |name| name.text.clone());
        Grounds::new(base, overlays)
    }
}

/// What a run of [`gather`] is about.
pub struct Request<'a> {
    /// The base: what the loader knows it by.
    pub root: &'a str,
    /// The overlays: what the loader knows them by.
    pub overlays: &'a [String],
    /// Options with the values chosen for them.
    pub options: &'a [(String, String)],
}

/// What texts were read as: whoever checks many rulesets that are made of the same texts reads each once.
#[derive(Clone, Default)]
pub struct Readings(Arc<Mutex<Read>>);

/// The texts by their names, with the versions of each that were read last, under the numbers that places in them have.
type Read = BTreeMap<String, Vec<(SourceId, Arc<Source>, Arc<Reading>)>>;

/// How many versions of a text are kept: whoever writes it comes back to the last few at most, under two or three numbers.
const MOST_VERSIONS: usize = 12;

/// What a text was read as.
pub struct Reading {
    /// The declarations that have the right shape.
    pub items: Vec<Arc<Item>>,
    /// What is wrong with the others.
    pub problems: Vec<Diagnostic>,
}

/// How many texts are kept; with more of them it begins anew.
const MOST_KEPT: usize = 500;

impl Readings {
    /// What a text is read as, from what is kept where it was read before under this number; of what is new in it,
    /// only the declarations that have changed are read.
    pub fn of(&self, sources: &Sources, id: SourceId) -> Arc<Reading> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let source = sources.shared(id);
        let versions = kept().get(&source.name).cloned().unwrap_or_default();
        let is_it = |known: &Arc<Source>| Arc::ptr_eq(known, &source) || known.text == source.text;
        let mut same = versions
            .iter()
            .filter(|(number, text, _)| *number == id && is_it(text));
        if let Some((_, _, known)) = same.next() {
            return known.clone();
        }
        let mut known = Known::default();
        // Under this number the declarations in front of what has changed stand where they stood.
        let last = versions.iter().rfind(|(number, ..)| *number == id);
        for (_, text, read) in last.into_iter().chain(versions.last()) {
            known.add(&text.text, &read.items, &read.problems);
        }
        let (file, problems) = parse_version(id, &source.text, &known);
        let items = file.items;
        let reading = Arc::new(Reading { items, problems });
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        let versions = kept.entry(source.name.clone()).or_default();
        if versions.len() >= MOST_VERSIONS {
            versions.remove(0);
        }
        versions.push((id, source.clone(), reading.clone()));
        reading
    }
}

/// Whether a file goes by a name.
fn is_called(file: &str, name: &str) -> bool {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    last.strip_suffix(".mafia").unwrap_or(last) == name
}

struct Gatherer<'a> {
    readings: &'a Readings,
    sources: &'a mut Sources,
    loader: &'a dyn Loader,
    diagnostics: &'a mut Vec<Diagnostic>,
    seen: BTreeSet<String>,
    parsed: BTreeMap<String, (SourceId, Arc<Reading>)>,
    out: Gathered,
}

/// An overlay that was found in a text.
struct Found {
    name: Name,
    bases: Vec<Name>,
    items: Vec<Arc<Item>>,
    /// Its first line.
    head: Item,
}

/// What somebody asked for when he named overlays: `mayor`, `house.mafia`, `house.mafia:mayor`.
struct Asked<'w> {
    file: &'w str,
    /// The one that is meant; without it all that stand in the file.
    only: Option<&'w str>,
}

impl<'w> Asked<'w> {
    fn of(wanted: &'w str) -> Self {
        let parts = wanted.rsplit_once(':');
        let chosen = parts.filter(|(file, name)| file.len() > 1 && !name.contains(['/', '\\', '.']));
        if let Some((file, name)) = chosen {
            return Asked {
                file,
                only: Some(name),
            };
        }
        let is_path = wanted.contains(['/', '\\']) || wanted.ends_with(".mafia");
        Asked {
            file: wanted,
            only: (!is_path).then(|| wanted.rsplit('.').next().unwrap_or(wanted)),
        }
    }
}

/// Reads the base, what it uses and the overlays.
pub fn gather(
    (sources, readings): (&mut Sources, &Readings),
    loader: &dyn Loader,
    request: &Request<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Gathered {
    let mut gatherer = Gatherer {
        readings,
        sources,
        loader,
        diagnostics,
        seen: BTreeSet::new(),
        parsed: BTreeMap::new(),
        out: Gathered::default(),
    };
    // On what is no ruleset an overlay finds nothing of what it names.
    if gatherer.base(request.root) {
        gatherer.overlays(request.overlays);
    }
    gatherer.out
}

impl Gatherer<'_> {
    /// Reads a text, once: several overlays may stand in one file, even in that of their base.
    fn parse(&mut self, loaded: Loaded) -> (SourceId, Arc<Reading>) {
        if let Some(known) = self.parsed.get(&loaded.name) {
            return known.clone();
        }
        let name = loaded.name.clone();
        let id = self.sources.add(loaded.name, loaded.text);
        let reading = self.readings.of(self.sources, id);
        self.diagnostics.extend(reading.problems.iter().cloned());
        self.parsed.insert(name, (id, reading.clone()));
        (id, reading)
    }

    /// The known names of files of a sort, by their first words.
    fn names_of(&self, sort: &str) -> Vec<String> {
        let head = format!("{sort} ");
        let is_one = |name: &String| {
            let loaded = self.loader.load(name);
            loaded.is_some_and(|loaded| loaded.text.lines().any(|line| line.starts_with(&head)))
        };
        let beside = self.loader.beside();
        let named = beside.iter().flat_map(|loaded| {
            let file = loaded.name.rsplit(['/', '\\']).next().unwrap_or_default();
            let heads = loaded.text.lines().filter(|line| line.starts_with(&head));
            heads.map(move |line| match sort {
                "overlay" => line.split_whitespace().nth(1).unwrap_or_default(),
                _ => file,
            })
        });
        let named = named.map(str::to_owned);
        self.loader
            .names()
            .into_iter()
            .filter(is_one)
            .chain(named)
            .collect()
    }

    /// Reads the base; says whether it is more than an overlay.
    fn base(&mut self, root: &str) -> bool {
        let Some(loaded) = self.loader.load(root) else {
            let id = self.sources.add("command line", root);
            let span = Span::new(id, 0, root.len());
            self.diagnostics.push(errors::no_such_file(
                "ruleset",
                root,
                span,
                &self.names_of("ruleset"),
            ));
            return true;
        };
        let file = loaded.name.clone();
        self.seen.insert(file.clone());
        let (id, reading) = self.parse(loaded);
        let items = &reading.items;
        let text = &self.sources.get(id).text;
        let (end, is_of_returns) = (text.len(), text.contains('\r') && !text.contains('\n'));
        self.out.whole = Some(Span::new(id, 0, end.min(1)));
        let is_overlay = |item: &&Arc<Item>| matches!(item.kind, ItemKind::Overlay { .. });
        let overlay = items.iter().rfind(is_overlay);
        let stands_for = items.iter().find_map(|item| match &item.kind {
            ItemKind::Overlay { bases, .. } => {
                bases.iter().find(|base| is_called(&file, &base.text)).cloned()
            }
            _ => None,
        });
        let stray = items.iter().find(|item| !is_overlay(item)).map(|item| item.span);
        for item in items {
            self.base_item(item);
        }
        let is_only_overlay = self.out.name.is_none() && overlay.is_some() && stray.is_none();
        if self.out.name.is_none() && !self.diagnostics.iter().any(|d| d.code.is_about_shape()) {
            self.diagnostics.push(match (overlay, stray, stands_for) {
                (Some(overlay), Some(stray), _) => errors::outside_overlay(stray, overlay.span),
                (Some(_), None, Some(base)) => errors::called_like_its_base(&base),
                (Some(overlay), None, None) if let ItemKind::Overlay { name, bases, .. } = &overlay.kind => {
                    let base = bases.first().map_or("…", |base| &base.text);
                    let file = file.rsplit(['/', '\\']).next().unwrap_or(&file);
                    match omerta_syntax::is_name(root) {
                        true => errors::only_an_overlay(name, root, &format!("{base} with {root}")),
                        false => errors::only_an_overlay(name, file, &format!("{base} with \"{file}\"")),
                    }
                }
                _ if is_of_returns => errors::other_line_ends(Span::new(id, 0, end.min(1))),
                _ => errors::no_ruleset_head(Span::new(id, 0, end.min(1))),
            });
        }
        !is_only_overlay
    }

    fn base_item(&mut self, item: &Arc<Item>) {
        self.note(item);
        match &item.kind {
            ItemKind::Ruleset { name, title } => {
                if let Some(first) = &self.out.name {
                    self.diagnostics.push(errors::two_heads(name.span, first.span));
                    return;
                }
                self.out.title = title.as_ref().map(Text::plain);
                self.out.name = Some(name.clone());
            }
            ItemKind::Library { name, .. } if self.out.name.is_none() => {
                // A library checked by itself: it is its own base.
                self.out.title = Some(name.text.clone());
                self.out.name = Some(name.clone());
            }
            ItemKind::Library { .. } => {}
            ItemKind::Use(paths) => self.use_paths(paths, Layer::Base),
            ItemKind::Overlay { .. } => {}
            _ => self.out.items.push(Declared {
                layer: Layer::Base,
                item: item.clone(),
            }),
        }
    }

    /// Keeps what is a head, a choice or a removal.
    fn note(&mut self, item: &Item) {
        if matches!(
            item.kind,
            ItemKind::Ruleset { .. }
                | ItemKind::Library { .. }
                | ItemKind::Choose { .. }
                | ItemKind::Remove(_)
        ) {
            self.out.heads.push(item.clone());
        }
    }

    fn use_paths(&mut self, paths: &[Name], layer: Layer) {
        for path in paths {
            let from = &self.sources.get(path.span.source).name;
            let Some(loaded) = self.loader.load_used(&path.text, from) else {
                let known = self.names_of("library");
                self.diagnostics
                    .push(errors::no_such_library(&path.text, path.span, &known));
                continue;
            };
            if !self.seen.insert(loaded.name.clone()) {
                continue;
            }
            let (source, reading) = self.parse(loaded);
            if path.text.ends_with(".mafia") {
                self.out.libraries.insert(source);
            }
            let head = reading.items.iter().find_map(|item| match &item.kind {
                ItemKind::Ruleset { name, .. } => Some(name.span),
                _ => None,
            });
            if let Some(head) = head {
                self.diagnostics.push(errors::use_of_ruleset(path.span, head));
                continue;
            }
            for item in &reading.items {
                self.note(item);
                match &item.kind {
                    ItemKind::Library { .. } | ItemKind::Overlay { .. } => {}
                    ItemKind::Use(paths) => self.use_paths(paths, layer),
                    _ => self.out.items.push(Declared {
                        layer,
                        item: item.clone(),
                    }),
                }
            }
        }
    }

    /// The overlays of all the names, in the order of their own: what lies on what never depends on
    /// how somebody asked for it.
    fn overlays(&mut self, wanted: &[String]) {
        let mut found: Vec<Found> = wanted.iter().flat_map(|wanted| self.find(wanted)).collect();
        found.sort_by(|a, b| (&a.name.text, a.name.span).cmp(&(&b.name.text, b.name.span)));
        found.dedup_by_key(|overlay| overlay.name.span);
        for overlay in found {
            self.out.heads.push(overlay.head);
            self.overlay_items(overlay.name, overlay.bases, &overlay.items);
        }
    }

    fn find(&mut self, wanted: &str) -> Vec<Found> {
        let asked = Asked::of(wanted);
        let base = self
            .out
            .whole
            .map_or_else(String::new, |whole| self.sources.get(whole.source).name.clone());
        let mut texts = self.loader.load_overlay(asked.file, &base);
        if texts.len() != 1 {
            let id = self.sources.add("command line", wanted);
            let span = Span::new(id, 0, wanted.len());
            let files: Vec<&str> = texts.iter().map(|text| text.name.as_str()).collect();
            self.diagnostics.push(match files[..] {
                [] => errors::no_such_file("overlay", wanted, span, &self.names_of("overlay")),
                _ => errors::overlay_in_many(wanted, span, &files),
            });
            return Vec::new();
        }
        let (id, reading) = self.parse(texts.remove(0));
        let overlay = |item: &Arc<Item>| {
            let is_overlay = matches!(item.kind, ItemKind::Overlay { .. });
            let mut head = is_overlay.then(|| Item::clone(item))?;
            let ItemKind::Overlay {
                name, bases, items, ..
            } = &mut head.kind
            else {
                return None;
            };
            Some(Found {
                name: name.clone(),
                bases: bases.clone(),
                items: std::mem::take(items),
                head,
            })
        };
        let (found, others): (Vec<_>, Vec<_>) = { reading.items.iter() }
            .filter_map(overlay)
            .partition(|overlay| asked.only.is_none_or(|only| overlay.name.text == only));
        if found.is_empty() {
            let span = Span::new(id, 0, self.sources.get(id).text.len().min(1));
            let others: Vec<&str> = others.iter().map(|other| other.name.text.as_str()).collect();
            self.diagnostics
                .push(errors::no_overlay_in(asked.only, span, &others));
        }
        found
    }

    fn overlay_items(&mut self, name: Name, bases: Vec<Name>, items: &[Arc<Item>]) {
        let layer = Layer::Overlay(self.out.overlays.len());
        let mut head = OverlayHead {
            name,
            bases,
            needs: Vec::new(),
            refuses: Vec::new(),
            sections: Vec::new(),
        };
        self.overlay_body(&mut head, layer, items);
        self.out.overlays.push(head);
    }

    /// The declarations of an overlay, or of one of its sections that is for the base at hand.
    fn overlay_body(&mut self, head: &mut OverlayHead, layer: Layer, items: &[Arc<Item>]) {
        for item in items {
            self.note(item);
            match &item.kind {
                ItemKind::Needs(names) => head.needs.extend(names.iter().cloned()),
                ItemKind::Refuses(names) => head.refuses.extend(names.iter().cloned()),
                ItemKind::Use(paths) => self.use_paths(paths, Layer::Base),
                ItemKind::Section { bases, items } => {
                    for base in bases
                        .iter()
                        .filter(|b| head.bases.iter().all(|h| h.text != b.text))
                    {
                        self.diagnostics
                            .push(errors::section_for_no_base(base, &head.name, &head.bases));
                    }
                    let here = self.out.name.as_ref().map(|name| name.text.as_str());
                    if bases.iter().any(|base| Some(base.text.as_str()) == here) {
                        head.sections.push(item.span);
                        self.overlay_body(head, layer, items);
                    }
                }
                _ => self.out.items.push(Declared {
                    layer,
                    item: item.clone(),
                }),
            }
        }
    }
}
