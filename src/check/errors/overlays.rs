//! Overlays, options, what is published.

use super::wording::{On, kind_name, list, or_elsewhere};
use omerta_core::codes;
use omerta_core::mistakes;
use omerta_core::rules::Kind;
use omerta_core::source::Span;
use omerta_syntax::tree::Name;
use std::collections::BTreeSet;

mistakes! {
    /// An overlay laid on a base it is not for.
    pub fn overlay_not_for_base(overlay: &Name, bases: &[Name], base: &Name) = error(codes::NOT_FOR_THIS_BASE, overlay.span):
        format!("the overlay `{}` is not for `{}`", overlay.text, base.text), format!("it is for {known}"),
        also base.span, "this is the base",
        help format!("lay it on {known}, or add `{}` to its bases after `on`", base.text),
        where known = list(bases);

    /// A section of an overlay for what is none of its bases.
    pub fn section_for_no_base(base: &Name, overlay: &Name, bases: &[Name]) = error("M0615", base.span):
        format!("`{}` is not among the bases of `{}`", base.text, overlay.text), "a section for it never counts",
        also overlay.span, format!("this overlay is for {}", list(bases)),
        near &base.text, bases,
        else format!("add `{}` to the bases behind the overlay's name", base.text);

    /// An overlay that refuses another.
    pub fn overlay_refuses(overlay: &Name, refused: &Name, other: &Name) = error(codes::REFUSED_OVERLAY, refused.span):
        format!("`{}` cannot be played together with `{}`", overlay.text, refused.text), "refused here",
        also other.span, "but it is laid on too",
        help "leave one of the two out";

    /// An overlay that needs others, of which the first is given with all their names.
    pub fn overlay_needs(overlay: &Name, need: &Name, all: &[&str]) = error(codes::NEEDED_OVERLAY, need.span):
        format!("`{}` needs `{names}`", overlay.text), "needed here",
        help format!("lay on `{names}` too: `--with {},{}`", overlay.text, all.join(",")),
        where names = all.join("` and `");

    /// Two overlays change one thing in different ways.
    pub fn edited_twice(what: &str, span: Span, by: &str, first: Span, before: &str) = error("M0604", span):
        format!("`{before}` and `{by}` both change the {what}"), format!("changed by `{by}`"),
        also first, format!("changed by `{before}`"),
        help "leave one of the two out, or let one say `refuses`";

    /// `replace` of something that cannot be replaced.
    pub fn cannot_replace(span: Span) = error("M0606", span):
        "this cannot be replaced", "it has no name",
        help "only declarations with a name can be replaced";

    /// `replace` of something the base lacks.
    pub fn nothing_to_replace(sort: &str, name: &Name, known: &[&str], on: On<'_>) = error(codes::NOTHING_TO_REPLACE, name.span):
        format!("there is no {sort} `{}` to replace in {base}", name.text), "not there",
        near &name.text, known.iter().filter(|known| **known != name.text), else or_elsewhere(name, on, match known {
            _ if known.contains(&name.text.as_str()) => "what stands in this file is changed where it stands: `replace` is for what `use` brings".to_owned(),
            [] => format!("declare it without `replace`; {base} has no {sort}"),
            known => format!("{base} has {}", list(known)),
        }),
        where base = on.0.name(on.1);

    /// `remove` of something the base lacks.
    pub fn nothing_to_remove(name: &Name, known: &[&str], on: On<'_>) = error(codes::NOTHING_TO_REMOVE, name.span):
        format!("there is no `{}` to remove in {base}", name.text), "not there",
        near &name.text, known, else or_elsewhere(name, on, format!("name something that stands in {base}")),
        where base = on.0.name(on.1);

    /// `replace call` of an unknown card.
    pub fn no_such_card(card: &Name, known: &[&str], on: On<'_>) = error(codes::NO_CALL_TO_REPLACE, card.span):
        format!("there is no role or team `{}` in {}", card.text, on.0.name(on.1)), "not there",
        near &card.text, known, else or_elsewhere(card, on, format!("there are {}", list(known)));

    /// `replace call` of a part that is not there.
    pub fn no_such_part(card: &Name, purpose: Option<&Name>, on: On<'_>) = error(codes::NO_PART_TO_REPLACE, card.span):
        format!("`{}` has no part `{call}` in {}", card.text, on.0.name(on.1)), "nothing to replace",
        help or_elsewhere(card, on, "name a purpose it has, or none"),
        where call = match purpose {
            Some(purpose) => format!("when called to {}", purpose.text),
            None => "when called".to_owned(),
        };

    /// What an overlay has taken out is still wanted.
    pub fn removed_and_used(name: &str, overlay: &str, removed: Span, used: Span) = error("M0616", removed):
        format!("`{overlay}` removes `{name}`, which something still uses"), "removed here",
        also used, "used here",
        help format!("replace `{name}` instead, or what uses it, too");

    /// Two overlays choose different values, or the base has chosen one.
    pub fn chosen_twice(name: &Name, value: &str, (first, by_base): (Span, bool), other: &str) = error("M0611", name.span):
        match by_base {
            true => format!("`{}` is chosen by the base already: `{other}`, not `{value}`", name.text),
            false => format!("`{}` is chosen twice: `{other}` and `{value}`", name.text),
        },
        "chosen here",
        also first, "and here",
        help match by_base {
            true => format!("an overlay cannot change what its base has chosen; for one game it is set from outside: `--set {}={value}`", name.text),
            false => "leave one of the overlays out".to_owned(),
        };

    /// A name of the base that is not published.
    pub fn not_published(name: &Name, declared: Span, published: &BTreeSet<String>, (grounds, layer): On<'_>) =
        error(codes::NOT_PUBLISHED, name.span):
        format!("{base} does not publish `{}`", name.text), "overlays may use only what is published",
        also declared, "declared here",
        help match grounds.elsewhere(layer, name.span) {
            Some(elsewhere) => format!("{help}; {elsewhere}"),
            None => help,
        },
        where base = grounds.name(layer),
        where known = list(&published.iter().collect::<Vec<_>>()),
        where help = format!("add `publish {}` to {base}; it publishes {known}", name.text);

    /// An option that is not there.
    pub fn unknown_option(name: &str, span: Span, known: &[&str]) = error(codes::UNKNOWN_OPTION, span):
        format!("there is no option `{name}`"), "chosen here",
        near name, known, else match known {
            [] => "this ruleset has no options".to_owned(),
            known => format!("there are {}", list(known)),
        };

    /// A second table of casts.
    pub fn two_casts(span: Span, first: Span) = error("M0411", span):
        "there are two casts of that name", "again here",
        also first, "first here",
        help "give one of them a name of its own: `cast big { … }`; an overlay that means to change it says `replace cast { … }`";

    /// `needs` and `refuses` belong to overlays and roles.
    pub fn only_overlays_need(span: Span) = error("M0614", span):
        "a ruleset is laid on nothing, so it needs and refuses nothing", "only an overlay can say this",
        help "write it inside an `overlay … on … { … }`, or indent it further if it belongs to the role above";

    /// `unseen` for what has no back.
    pub fn only_cards_unseen(text: &str, span: Span, kind: Kind) = error("M0325", span):
        format!("only cards can be chosen `unseen`, and `{text}` is {}", kind_name(kind)), "has no back",
        help "name a zone, or leave `unseen` out";

    /// `openly to` some what was chosen by its back.
    pub fn unseen_is_for_all(span: Span) = error("M0325", span):
        "what was chosen unseen cannot be told to some alone", "they would see the card",
        help "write `openly`, which tells everybody its place; or `show` it to them";

    /// `unseen` where nobody chooses among what lies before him.
    pub fn no_unseen_here(span: Span) = error("M0325", span):
        "only a question can be answered unseen", "chance and offers know no `unseen`",
        help "leave `unseen` out; for an offer, ask in its body";

    /// What each answers is of another kind than the link in which it is kept.
    pub fn kept_of_another_kind(link: &Name, leads_to: Kind, answers: Kind) = error("M0324", link.span):
        format!("the answers here are {}, and `{}` leads to {}", kind_name(answers), link.text, kind_name(leads_to)),
        "they are kept in this link",
        help match answers {
            Kind::Cards | Kind::Titles => format!("declare a link for them, as `link NAME to {}`, or ask for a name that is new", if answers == Kind::Cards { "cards" } else { "roles" }),
            _ => "declare a link for them, as `link NAME`, or ask for a name that is new".to_owned(),
        };
}
